"""Texts that `add` refused as duplicates: kept in the journal, so that nothing said is lost."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from omp_core.availability import Availability
from omp_core.language.headline import headline
from omp_core.language.normal import content_hash
from omp_core.model import Record
from omp_core.record_json import from_json, to_json
from omp_core.services.unit_of_work import UnitsOfWork
from omp_core.session import Session

REFUSED = "refused:"
"""The journal's place for refused texts, which are no records."""
_KEPT_DAYS = 30
"""How long a refused text can be stored after all (design, section 6)."""


@dataclass(frozen=True, slots=True)
class RefusedText:
    """A record that was not stored at `at`, because it resembled the record `duplicate_id`."""

    record: Record
    duplicate_id: str
    similarity: float
    actor: str
    at: datetime


class RefusedTexts:
    """What was refused of late, for review."""

    def __init__(self, session: Session, availability: Availability, units: UnitsOfWork) -> None:
        self._session = session
        self._availability = availability
        self._units = units

    def keep(self, record: Record, duplicate_id: str, similarity: float) -> None:
        """Note in the journal that a record was refused. Raises StoreUnavailableError."""
        after = to_json(record) | {"duplicate_of": duplicate_id, "alike": round(similarity, 4)}
        with self._units.begin("refuse", {"text": headline(record.content)}) as work:
            work.note(REFUSED, None, after)

    def list(self) -> tuple[RefusedText, ...]:
        """Return the texts refused in the last 30 days that no record of the same scope has,
        newest first, each text once.

        To store one after all, add its record with `force`: it keeps its id, and leaves this list.
        """
        store, now = self._availability.store(), self._session.now()
        found: dict[tuple[object, str], RefusedText] = {}
        for entry in store.history(REFUSED):
            if entry.after is None or entry.at < now - timedelta(days=_KEPT_DAYS):
                continue
            known = dict(entry.after)
            duplicate_id, alike = str(known.pop("duplicate_of")), known.pop("alike")
            record = from_json(known)
            digest = content_hash(record.content)
            key = (record.scope, digest)
            stored = store.get(record.id) or store.twin(digest, record.scope, now)
            if key not in found and stored is None and not self._answered(record.id):
                similarity = float(alike) if isinstance(alike, int | float) else 0.0
                found[key] = RefusedText(record, duplicate_id, similarity, entry.actor, entry.at)
        return tuple(found.values())

    def _answered(self, record_id: str) -> bool:
        """Whether a person has answered what to do with it, and did not take that back."""
        answers = self._availability.store().history(f"review:refused:{record_id}")
        return bool(answers) and answers[0].after is not None
