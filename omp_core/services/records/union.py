"""Union: two records become one; the other is superseded and points to it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from omp_core.availability import Availability
from omp_core.errors import InvalidValueError
from omp_core.i18n import _
from omp_core.language.headline import headline
from omp_core.model import Importance, Receipt, Record, Status, Tier
from omp_core.rules import content as content_rules
from omp_core.rules.fields import METADATA_PREFIX, json_value
from omp_core.rules.merge import Merged, merge
from omp_core.services.records.changes import RecordChanges
from omp_core.services.secret_guard import ensure_no_secret_value
from omp_core.services.unit_of_work import UnitsOfWork
from omp_core.session import Session, new_id

_WEIGHT = {Importance.LOW: 0, Importance.MEDIUM: 1, Importance.HIGH: 2}
PROPOSAL = "proposal"
"""Metadata: which record a candidate is proposed to be a duplicate of."""


class RecordUnion:
    """The part of `Memory` that makes one record of two."""

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

    def merge(self, keep_id: str, other_id: str, content: str | None = None) -> Receipt:
        """Make one record of two as one undoable act: `keep_id` stays, the other is superseded.

        `content` is the text of both; None takes the fuller of the two. What stays has the tags
        of both, metadata that only the other had, and of importance, confidence, tier, lock and
        life the more lasting; a dispute between the two is settled by it. Raises NotFoundError,
        ReadOnlyError, InvalidValueError for one record twice, SecretFoundError,
        StoreUnavailableError.
        """
        if keep_id == other_id:
            raise InvalidValueError(
                _("one record cannot be merged with itself; name the other one")
            )
        if content is not None:
            most = self._session.settings.store.max_content_chars
            content = content_rules.accept(content, most)
            ensure_no_secret_value({"content": content})
        return self._units.retrying(lambda: self._merge(keep_id, other_id, content))

    def _merge(self, keep_id: str, other_id: str, content: str | None) -> Receipt:
        from omp_core.language.verdict import fuller

        kept, other = self._writing.writable(keep_id), self._writing.writable(other_id)
        for one in (kept, other):
            if one.status is Status.SUPERSEDED:
                raise InvalidValueError(
                    _("record {id} was replaced by {other} already; merge with that one").format(
                        id=one.id, other=one.superseded_by or "?"
                    )
                )
        text = content if content is not None else fuller(kept.content, other.content)
        joined = self._after(kept, {"content": text, **_joined(kept, other)}, other.id)
        gone = self._after(other, {"status": Status.SUPERSEDED, "superseded_by": kept.id}, kept.id)
        told = {"text": headline(other.content), "into": headline(kept.content)}
        with self._units.begin("merge", told) as work:
            for before, after in ((kept, joined), (other, gone)):
                if after.changed or before.disputes != after.record.disputes:
                    moved = after.record.content != before.content
                    vector = self._writing.vector(after.record.content) if moved else None
                    was, now = dict(after.before), dict(after.after)
                    if before.disputes != after.record.disputes:
                        was["disputes"] = json_value(before.disputes)
                        now["disputes"] = json_value(after.record.disputes)
                    work.put(before, after.record, was, now, vector)
            work.fill(joined.record.tier)
        return Receipt("merged", kept.id, work.act.id, joined.record, note=work.words)

    def _after(self, record: Record, changes: dict[str, Any], other_id: str) -> Merged:
        """Return a record changed, without what was in dispute between it and the other."""
        merged = merge(
            record,
            changes,
            based_on=record.version,
            actor=self._session.actor,
            now=self._session.now(),
            dispute_ids=iter(new_id, None),
        )
        left = tuple(one for one in merged.record.disputes if one.other_id != other_id)
        if len(left) == len(merged.record.disputes):
            return merged
        version = record.version + 1
        changed = replace(
            merged.record, disputes=left, version=version, updated_at=self._session.now()
        )
        return replace(merged, record=changed)


def _joined(kept: Record, other: Record) -> dict[str, Any]:
    """Return what a record takes over from another one that is merged into it."""
    changes: dict[str, Any] = {
        f"{METADATA_PREFIX}{key}": value
        for key, value in other.metadata.items()
        if key not in kept.metadata and key != PROPOSAL
    }
    if PROPOSAL in kept.metadata:
        changes[f"{METADATA_PREFIX}{PROPOSAL}"] = None
    changes["tags"] = kept.tags | other.tags
    changes["importance"] = max(kept.importance, other.importance, key=lambda one: _WEIGHT[one])
    changes["confidence"] = max(kept.confidence, other.confidence)
    changes["locked"] = kept.locked or other.locked
    if Tier.IMPORTANT in (kept.tier, other.tier):
        changes["tier"] = Tier.IMPORTANT
    if Status.ACTIVE in (kept.status, other.status):
        changes["status"] = Status.ACTIVE
    lives = (kept.expires_at, other.expires_at)
    changes["expires_at"] = None if None in lives else max(one for one in lives if one is not None)
    return changes
