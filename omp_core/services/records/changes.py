"""Changing and deleting records, through the write rule and the choke point."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from omp_core.availability import Availability
from omp_core.errors import (
    InvalidValueError,
    NotFoundError,
    ReadOnlyError,
)
from omp_core.i18n import _
from omp_core.language.headline import headline
from omp_core.language.language import script
from omp_core.model import (
    ActKind,
    Home,
    Json,
    Receipt,
    Record,
    Status,
    Tier,
)
from omp_core.moments import is_day, moment
from omp_core.rules import content as content_rules
from omp_core.rules.fields import METADATA_PREFIX, typed_changes
from omp_core.rules.merge import Merged, merge, metadata_changes
from omp_core.services.locks import require_person
from omp_core.services.secret_guard import ensure_no_secret_value
from omp_core.services.unit_of_work import UnitsOfWork
from omp_core.session import Session, new_id
from omp_core.store.protocol import Vector


class RecordChanges:
    """The part of `Memory` that changes records, one or many, as one act each."""

    def __init__(self, session: Session, availability: Availability, units: UnitsOfWork) -> None:
        self._session = session
        self._availability = availability
        self._units = units

    def update(
        self, record_id: str, changes: Mapping[str, Json], *, based_on: int | None = None
    ) -> Receipt:
        """Change fields of a record under the write rule.

        `based_on` is the version that the writer saw; None takes the present one. `metadata`
        replaces the whole mapping, `metadata.<key>` one key of it. Raises NotFoundError,
        ReadOnlyError, InvalidValueError, SecretFoundError, StoreUnavailableError.
        """
        typed = typed_changes(self._with_days(changes))
        if "content" in typed:
            typed["content"] = content_rules.accept(
                typed["content"], self._session.settings.store.max_content_chars
            )
        ensure_no_secret_value(changes)
        vector = self.vector(typed["content"]) if "content" in typed else None

        def attempt() -> Receipt:
            current = self.writable(record_id)
            wanted = dict(typed)
            base = current.version if based_on is None else based_on
            if base > current.version:
                raise InvalidValueError(
                    _(
                        "record {record_id} is at version {version}; a write cannot be based on "
                        "version {base}"
                    ).format(record_id=record_id, version=current.version, base=base)
                )
            if "metadata" in wanted:
                seen = self._metadata_at(current, base)
                wanted |= metadata_changes(seen, wanted.pop("metadata"))
            merged = merge(
                current,
                wanted,
                based_on=base,
                actor=self._session.actor,
                now=self._session.now(),
                dispute_ids=_fresh_ids(),
            )
            if not merged.changed:
                return Receipt("unchanged", record_id, None, current)
            return self._commit(current, merged, vector)

        return self._hidden_said(self._units.retrying(attempt))

    def _with_days(self, changes: Mapping[str, Json]) -> Mapping[str, Json]:
        """Return changes in which an expiry on a date is the end of that day for the person."""
        expiry = changes.get("expires_at")
        if not isinstance(expiry, str) or not is_day(expiry):
            return changes
        end = moment(expiry, self._session.now(), self._session.zone, last=True)
        return {**changes, "expires_at": end}

    def _hidden_said(self, receipt: Receipt) -> Receipt:
        """Say so when what was written is on no read path."""
        record = receipt.record
        if record is None:
            return receipt
        note = None
        if record.expires_at is not None and record.expires_at <= self._session.now():
            note = _("the record has expired, so no list or search shows it; change expires_at")
        elif record.status is not Status.ACTIVE:
            note = _("the record is {status}, so no list or search shows it").format(
                status=record.status
            )
        if note is None:
            return receipt
        return replace(receipt, note=f"{receipt.note}. {note}" if receipt.note else note)

    def _metadata_at(self, current: Record, version: int) -> dict[str, Json]:
        """Return the metadata that a writer saw who read this version, from the journal."""
        seen = dict(current.metadata)
        if version == current.version:
            return seen
        for entry in self._availability.store().history(current.id):
            if entry.version <= version or entry.before is None or entry.after is None:
                break
            for name, value in entry.before.items():
                key = name.removeprefix(METADATA_PREFIX)
                if name != key and value is None:
                    seen.pop(key, None)
                elif name != key:
                    seen[key] = value
        return seen

    def _commit(self, current: Record, merged: Merged, vector: Vector | None) -> Receipt:
        """Write the outcome of the write rule as one act."""
        record = merged.record
        with self._units.begin("update", _values(current, merged)) as work:
            work.change(current, merged, vector if "content" in merged.after else None)
            if merged.after.keys() & {"tier", "status"}:
                work.fill(record.tier)
        act = work.act
        if not merged.disputes:
            return Receipt("updated", record.id, act.id, record)
        names = ", ".join(dispute.field for dispute in merged.disputes)
        return Receipt(
            "disputed",
            record.id,
            act.id,
            record,
            merged.disputes,
            note=_(
                "{fields} was changed by {actor} meanwhile; both values are kept until the "
                "dispute is settled"
            ).format(fields=names, actor=merged.disputes[0].current_actor),
        )

    def set_tier(self, record_ids: Sequence[str], tier: Tier) -> Receipt:
        """Move records to a tier by hand, as one act."""
        return self.change_many(
            record_ids,
            {"tier": tier},
            "tier",
            {"tier": str(tier)},
        )

    def set_status(self, record_ids: Sequence[str], status: Status) -> Receipt:
        """Archive records by hand, or bring them back, as one act."""
        return self.change_many(
            record_ids,
            {"status": status},
            "update",
            {"form": "status", "status": str(status)},
        )

    def change_many(
        self,
        record_ids: Sequence[str],
        changes: Mapping[str, Any],
        kind: ActKind,
        values: Mapping[str, Json],
        *,
        aging: bool = True,
    ) -> Receipt:
        """Make the same change to each record as it is now, as one act.

        `changes` holds values of the record's own types; `values` are what the act's words are
        made of, besides their `count`. Without `aging` it says nothing new of the records, so
        that they count as changed when they did before.
        """

        def attempt() -> Receipt:
            with self._units.begin(kind, values) as work:
                first: Record | None = None
                for record_id in dict.fromkeys(record_ids):
                    current = self.writable(record_id)
                    merged = merge(
                        current,
                        changes,
                        based_on=current.version,
                        actor=work.act.actor,
                        now=work.act.at,
                        dispute_ids=_fresh_ids(),
                    )
                    if not aging:
                        kept = replace(merged.record, updated_at=current.updated_at)
                        merged = replace(merged, record=kept)
                    if merged.changed:
                        work.change(current, merged)
                        first = first or merged.record
                    if merged.after.keys() & {"tier", "status"}:
                        work.fill(merged.record.tier)
                work.say(count=len(work.record_ids))
            if first is None:
                return Receipt("unchanged", "", None, note=_("there was nothing to change"))
            return Receipt("updated", first.id, work.act.id, first, note=work.words)

        return self._units.retrying(attempt)

    def set_locked(self, record_ids: Sequence[str], *, locked: bool) -> Receipt:
        """Lock records, or lift their locks, as one act of the person.

        Raises LockedError for anybody else, NotFoundError, ReadOnlyError.
        """
        for record_id in record_ids:
            require_person(self._session.actor, record_id)
        form = "locked" if locked else "unlocked"
        return self.change_many(
            record_ids, {"locked": locked}, "update", {"form": form}, aging=False
        )

    def delete(self, record_ids: Sequence[str]) -> Receipt:
        """Delete records as one act. Undo brings them back as they were."""

        def attempt() -> Receipt:
            held = [self.writable(record_id) for record_id in dict.fromkeys(record_ids)]
            if not held:
                raise NotFoundError(_("no record was named to delete"))
            with self._units.begin("delete", {"count": len(held)}) as work:
                for record in held:
                    work.remove(record)
            return Receipt("deleted", held[0].id, work.act.id, held[0], note=work.words)

        return self._units.retrying(attempt)

    def writable(self, record_id: str) -> Record:
        """Return a record of the user home that the actor may change.

        Raises NotFoundError, ReadOnlyError, or LockedError.
        """
        record = self._availability.store().get(record_id)
        if record is None:
            raise NotFoundError(
                _(
                    "no record has the id {record_id!r}; `omp-tui list` or `omp-tui search` "
                    "shows ids"
                ).format(record_id=record_id)
            )
        if record.home is Home.PROJECT:
            file = record.id.removeprefix("project:").partition("#")[0]
            raise ReadOnlyError(
                _("{id} is a fact of this project; change it in _omp/memory/{file}").format(
                    id=record.id, file=file
                )
            )
        if record.locked:
            require_person(self._session.actor, record.id)
        return record

    def vector(self, text: str) -> Vector | None:
        """Return the text's vector, or None when no model can be had."""
        embedder = self._availability.embedder()
        if embedder is None:
            return None
        return Vector(embedder.model_id, script(text), embedder.embed_passages([text])[0])


def _values(current: Record, merged: Merged) -> dict[str, Json]:
    """Return what the words of a change are made of."""
    fields = list(merged.after) or [one.field for one in merged.disputes]
    return {"fields": fields, "text": headline(current.content)}


def _fresh_ids() -> Iterator[str]:
    while True:
        yield new_id()
