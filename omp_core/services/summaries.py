"""Summaries of a tier, and putting one in the place of its originals."""

from __future__ import annotations

from dataclasses import dataclass

from omp_core.availability import Availability
from omp_core.errors import InvalidValueError
from omp_core.i18n import _
from omp_core.model import (
    Category,
    Home,
    Importance,
    Json,
    Query,
    Receipt,
    Record,
    Scope,
    Source,
    Status,
    Tier,
)
from omp_core.rules.merge import merge
from omp_core.rules.summary import Summary, summarize
from omp_core.services.entries import stamp_new
from omp_core.services.locks import with_kept
from omp_core.services.records.changes import RecordChanges
from omp_core.services.unit_of_work import UnitsOfWork
from omp_core.session import Session, new_id


@dataclass(frozen=True, slots=True)
class TierSummary:
    """A summary with the records that it was made of, oldest first."""

    summary: Summary
    records: tuple[Record, ...]


class SummaryService:
    """The part of `Memory` that summarises."""

    def __init__(
        self,
        session: Session,
        availability: Availability,
        writing: RecordChanges,
        units: UnitsOfWork,
    ) -> None:
        self._session = session
        self._availability = availability
        self._writing = writing
        self._units = units

    def summarize(
        self,
        tier: Tier = Tier.SHORT_TERM,
        *,
        max_tokens: int = 500,
        scope: Scope = Scope(),  # noqa: B008 - a frozen value
    ) -> TierSummary:
        """Summarise a tier of the user home in at most `max_tokens` estimated tokens.

        Nothing is written. Raises InvalidValueError for a limit below 1.
        """
        if max_tokens < 1:
            raise InvalidValueError(
                _("max_tokens: {max_tokens} is less than 1").format(max_tokens=max_tokens)
            )
        query = Query(scope=scope, tiers=frozenset({tier}), home=Home.USER)
        now = self._session.now()
        records = sorted(
            self._availability.store().iterate(query, now), key=lambda one: (one.created_at, one.id)
        )
        return TierSummary(summarize(records, max_tokens, now), tuple(records))

    def apply(self, made: TierSummary) -> Receipt:
        """Put a summary in the place of its originals, which are archived, as one act.

        An original that changed since the summary was made, or is locked, is not archived. Raises
        InvalidValueError for a summary without text.
        """
        if not made.summary.text:
            raise InvalidValueError(_("the summary is empty, so nothing was replaced"))
        return self._units.retrying(lambda: self._apply(made))

    def _apply(self, made: TierSummary) -> Receipt:
        held = self._availability.store().get_many([one.id for one in made.records])
        unchanged = [
            held[one.id]
            for one in made.records
            if one.id in held and held[one.id].version == one.version and not held[one.id].locked
        ]
        values: dict[str, Json] = {"count": len(unchanged), "tier": str(made.records[0].tier)}
        with self._units.begin("summarize", values) as work:
            act = work.act
            record = stamp_new(
                Record(
                    id=new_id(),
                    content=made.summary.text,
                    created_at=act.at,
                    updated_at=act.at,
                    tier=made.records[0].tier,
                    scope=_common_scope(made.records),
                    category=Category.EPISODE,
                    importance=Importance.HIGH,
                    source=Source.SYSTEM,
                    metadata={"summary_of": [one.id for one in unchanged]},
                ),
                act.actor,
                act.at,
            )
            work.create(record, self._writing.vector(record.content))
            for original in unchanged:
                merged = merge(
                    original,
                    {"status": Status.ARCHIVED, "superseded_by": record.id},
                    based_on=original.version,
                    actor=act.actor,
                    now=act.at,
                    dispute_ids=iter(new_id, None),
                )
                work.change(original, merged)
        done = Receipt("created", record.id, act.id, record, note=work.words)
        return with_kept(done, held)


def _common_scope(records: tuple[Record, ...]) -> Scope:
    """Return the scope that all records share; a part in which they differ is left open."""
    scopes = [record.scope for record in records]

    def common(name: str) -> str | None:
        values = {getattr(scope, name) for scope in scopes}
        return values.pop() if len(values) == 1 else None

    return Scope(*(common(name) for name in ("user_id", "agent_id", "app_id", "run_id")))
