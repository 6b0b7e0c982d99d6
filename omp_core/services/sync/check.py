"""The cross-home check: project facts against user records (`omp-tui sync`).

What the rules can decide is decided as one act: the project's side takes a record's place, or a
record that is newer by the settings' hours is written into the document. The rest becomes disputes
that ride on the user records.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from omp_core.availability import Availability
from omp_core.errors import NotFoundError, OmpError
from omp_core.i18n import _
from omp_core.model import Category, Record, Status, Temporality
from omp_core.services.document_writer import DocumentWriter
from omp_core.services.embedding import EmbeddingService
from omp_core.services.mirror import FactMirror
from omp_core.services.sync.corrections import FactCorrection, FactCorrections
from omp_core.services.sync.disagreements import Disagreements, FindingOutcome, SyncFinding
from omp_core.services.sync.pairs import HomePair, HomePairs, PairSearch, Progress
from omp_core.services.unit_of_work import UnitsOfWork
from omp_core.session import Session

_NO_CLAIMS = frozenset({Category.EPISODE, Category.ANTI_PATTERN, Category.LESSON})
"""What happened, or did not work, contradicts nothing that holds now."""
_CHANGING: frozenset[FindingOutcome] = frozenset(
    {"superseded", "duplicate", "asked", "renewed", "closed"}
)


@dataclass(frozen=True, slots=True)
class SyncReport:
    """What the check found and did, or in a dry run would do."""

    dry_run: bool
    facts: int
    findings: tuple[SyncFinding, ...]
    act_id: str | None
    degraded: str | None

    def count(self, *outcomes: FindingOutcome) -> int:
        """Return how many findings had one of these outcomes."""
        return sum(finding.outcome in outcomes for finding in self.findings)


class CrossHome:
    """The part of `Memory` that holds the two homes against each other."""

    def __init__(
        self,
        session: Session,
        availability: Availability,
        units: UnitsOfWork,
        embedding: EmbeddingService,
        mirroring: FactMirror,
        writer: DocumentWriter,
    ) -> None:
        self._session = session
        self._availability = availability
        self._units = units
        self._mirroring = mirroring
        self._pairing = PairSearch(session, availability, embedding)
        self._corrections = FactCorrections(session, availability, writer)

    def run(self, *, dry_run: bool = False, progress: Progress | None = None) -> SyncReport:
        """Compare every project fact with the user records that may speak of the same.

        A second run finds nothing new while neither side changes. Nothing is decided twice
        against a person: what was undone is asked, what was settled stays so. `progress` is
        told how many facts were looked at, and of how many. Raises NotFoundError without a
        workspace, StoreUnavailableError while the store is down.
        """
        if self._session.workspace is None:
            raise NotFoundError(
                _("there is no _omp/ here to compare with; `omp-tui init` lays it out")
            )
        self._availability.store()
        self._mirroring.follow()
        app_id = self._session.identity.app_id or ""
        found = self._pairing.pairs(app_id, progress)
        return self._units.retrying(lambda: self._sync(found, app_id, dry_run=dry_run))

    def _sync(self, found: HomePairs, app_id: str, *, dry_run: bool) -> SyncReport:
        store = self._availability.store()
        records = store.get_many(
            list(
                dict.fromkeys(one for pair in found.pairs for one in (pair.fact_id, pair.record_id))
            )
        )
        beside = [
            (disagreements, disagreements.findings())
            for disagreements in (
                Disagreements(self._session, self._availability, record, pairs, records, app_id)
                for record, pairs in _by_record(found.pairs, records)
            )
        ]
        if dry_run:
            told = [
                replace(one, dispute_id=None) if one.outcome == "asked" else one
                for _record, mine in beside
                for one in mine
            ]
            return SyncReport(True, found.facts, tuple(told), None, found.degraded)
        written: list[FactCorrection] = []
        try:
            return self._decided(beside, written, found)
        except OmpError:
            for one in reversed(written):
                self._corrections.take_back(one)
            raise

    def _decided(
        self,
        beside: Sequence[tuple[Disagreements, list[SyncFinding]]],
        written: list[FactCorrection],
        found: HomePairs,
    ) -> SyncReport:
        """Carry out the findings: the documents first, then the store as one act.

        `written` is filled with what the documents say by now.
        """
        findings: list[SyncFinding] = []
        changing: list[tuple[Disagreements, list[SyncFinding]]] = []
        for disagreements, proposed in beside:
            mine, done = disagreements.correct(proposed, self._corrections)
            written += done
            findings += mine
            if any(one.outcome in _CHANGING for one in mine):
                changing.append((disagreements, mine))
        report = SyncReport(False, found.facts, tuple(findings), None, found.degraded)
        with self._units.begin("sync") as work:
            for disagreements, mine in changing:
                disagreements.change(mine, work)
            for one in written:
                if one.change is not None:
                    one.change.note(work)
            work.say(
                decided=report.count("superseded", "duplicate", "written"),
                asked=report.count("asked", "renewed"),
                closed=report.count("closed"),
            )
        return report if work.empty else replace(report, act_id=work.act.id)


def _by_record(
    pairs: Sequence[HomePair], held: Mapping[str, Record]
) -> Iterator[tuple[Record, list[HomePair]]]:
    grouped: dict[str, list[HomePair]] = {}
    for pair in pairs:
        grouped.setdefault(pair.record_id, []).append(pair)
    for record_id, mine in sorted(grouped.items()):
        record = held.get(record_id)
        if record is not None and _is_claim(record):
            yield record, mine


def _is_claim(record: Record) -> bool:
    """Return whether a record says what holds now and is meant to stay."""
    return (
        record.status is Status.ACTIVE
        and record.category not in _NO_CLAIMS
        and record.temporality is not Temporality.EPHEMERAL
        and record.expires_at is None
    )
