"""Pending memories: kept while it is away, reviewed when it is back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from omp_core.availability import Availability
from omp_core.errors import (
    DocumentError,
    InvalidValueError,
    NotFoundError,
    SecretFoundError,
    StoreError,
)
from omp_core.i18n import _
from omp_core.language.headline import headline
from omp_core.model import JournalEntry, Json, Receipt, Record, Unseen
from omp_core.record_json import from_json, to_json
from omp_core.rules.content import accept
from omp_core.services.pending_queue import PendingQueue
from omp_core.services.unit_of_work import UnitOfWork, UnitsOfWork
from omp_core.session import Session

if TYPE_CHECKING:
    from omp_core.project.facts import Damage
    from omp_core.services.records.additions import RecordAdditions
    from omp_core.services.records.changes import RecordChanges

_PREFIX = "pending"
_AT_ONCE = 50
"""So many memories are taken off the file together; each removal writes it whole."""

Effect = Literal["new", "stored", "same", "duplicate", "contradiction"]
"""What storing a pending memory would do; `stored`: the store has it already."""


@dataclass(frozen=True, slots=True)
class PendingPreview:
    """A pending memory, and what it would do in the store as it is now."""

    record: Record
    effect: Effect
    other: Record | None = None
    similarity: float | None = None
    problem: str | None = None


class PendingService:
    """The part of `Memory` that keeps writes while the store is away."""

    def __init__(
        self,
        session: Session,
        availability: Availability,
        adding: RecordAdditions,
        writing: RecordChanges,
        queue: PendingQueue,
        units: UnitsOfWork,
    ) -> None:
        self._session = session
        self._availability = availability
        self._adding = adding
        self._writing = writing
        self._queue = queue
        self._file = queue.file
        self._units = units
        self._damage: Damage | None = None

    def count(self) -> int:
        """Return how many memories wait; 0 while the file is damaged, which `unseen` says."""
        if self._session.workspace is None:
            return 0
        self._damage = None
        try:
            return len(self._file().memories())
        except DocumentError:
            self._damage = self._queue.damage()
        return 0

    def unseen(self) -> tuple[Unseen, ...]:
        """Return what kept the last count from seeing what waits."""
        return () if self._damage is None else (self._damage.unseen,)

    def previews(
        self, offset: int = 0, limit: int | None = None, *, ids: Sequence[str] | None = None
    ) -> tuple[PendingPreview, ...]:
        """Return what waits, oldest first, each with what storing it would do.

        `ids` chooses some. Raises StoreUnavailableError while the store is away,
        DocumentDamagedError when the file does not parse.
        """
        if self._session.workspace is None:
            return ()
        waiting = [one for one in self._file().memories() if ids is None or one.id in ids]
        end = None if limit is None else offset + limit
        return tuple(
            replace(self._preview(one.record), problem=one.problem or self._problem(one.record))
            for one in waiting[offset:end]
        )

    def _problem(self, record: Record) -> str | None:
        """Return why the text cannot be stored, which a person may have written into the file."""
        try:
            accept(record.content, self._session.settings.store.max_content_chars)
        except InvalidValueError as error:
            return str(error)
        return None

    def _preview(self, record: Record) -> PendingPreview:
        held = self._availability.store().get(record.id)
        if held is not None:
            return PendingPreview(record, "stored", held)
        likeness = self._adding.likeness(record)
        if likeness is None:
            return PendingPreview(record, "new")
        effects: dict[str, Effect] = {
            "exact": "same",
            "same": "duplicate",
            "merge": "duplicate",
            "contradiction": "contradiction",
        }
        return PendingPreview(
            record, effects[likeness.verdict], likeness.record, likeness.similarity
        )

    def sync(self, ids: Sequence[str] | None = None) -> tuple[Receipt, ...]:
        """Store what waits, all of it or the named ones, and take it off the file.

        It is one act; undo puts the memories back among the pending. A memory leaves the file
        only after the store has it, and a second sync finds it there already. One that resembles
        another record becomes a candidate for review. One that may not be stored goes on
        waiting, and its receipt says why; it stops no other.
        """
        receipts: list[Receipt] = []
        stored: list[Record] = []
        failure: StoreError | None = None
        chosen = [one.id for one in self._chosen(ids)]
        with self._units.operation("review", {"form": "pending"}) as work:
            try:
                for waiting, receipt in self.store(chosen, work) if chosen else ():
                    receipts.append(receipt)
                    stored += [waiting] if receipt.outcome != "pending" else []
            except StoreError as error:
                failure = error  # what was stored until then is the act
            if stored:
                work.say(count=len(stored), text=headline(_clean(stored[0])["content"]))
        if failure is not None:
            raise failure
        return tuple(
            replace(one, act_id=None if one.act_id is None else work.act.id) for one in receipts
        )

    def store(self, ids: Sequence[str], work: UnitOfWork) -> Iterator[tuple[Record, Receipt]]:
        """Store waiting memories as parts of an act, and take them off the file; see `sync`.

        Raises StoreError after those that were stored before it failed.
        """
        chosen = self._chosen(ids)
        for start in range(0, len(chosen), _AT_ONCE):
            done: list[tuple[Record, Receipt]] = []
            failure: StoreError | None = None
            for one in chosen[start : start + _AT_ONCE]:
                try:
                    done.append((one, self._stored(one)))
                except StoreError as error:
                    failure = error
                    break
            self._take_off([one for one, receipt in done if receipt.outcome != "pending"], work)
            yield from done
            if failure is not None:
                raise failure

    def _take_off(self, gone: Sequence[Record], work: UnitOfWork) -> None:
        """Remove memories from the file; undoing the act puts them back."""
        if gone:
            self._file().remove([one.id for one in gone], now=self._session.now())
        for one in gone:
            work.note(f"{_PREFIX}:{one.id}", _clean(one), None)

    def _stored(self, waiting: Record) -> Receipt:
        if self._availability.store().get(waiting.id) is not None:
            return Receipt("unchanged", waiting.id, None, note=_("the store has it already"))
        try:
            return self._adding.store_record(waiting, propose=True)
        except (SecretFoundError, InvalidValueError) as error:
            return Receipt("pending", waiting.id, None, waiting, note=str(error))

    def edit(self, memory_id: str, changes: Mapping[str, Json]) -> Record:
        """Change fields of a waiting memory. Raises NotFoundError, SecretFoundError."""
        from omp_core.services.secret_guard import ensure_no_secret_value

        ensure_no_secret_value(changes)
        return self._file().edit(memory_id, changes, now=self._session.now()).record

    def store_as(self, memory_id: str, content: str, work: UnitOfWork) -> Receipt:
        """Store a waiting memory with another text, as a part of an act."""
        (waiting,) = self._chosen([memory_id])
        receipt = self._adding.store_record(replace(waiting, content=content), propose=True)
        self._take_off([waiting], work)
        return receipt

    def merge(self, memory_id: str, into: str, content: str | None = None) -> Receipt:
        """Bring a waiting memory into a record that there is, and take it off the file.

        `content` is the text of both; None takes the fuller of the two.
        """
        values = {"form": "merge", "count": 1, "text": ""}
        with self._units.operation("review", values) as work:
            work.say(text=headline(_clean(self._chosen([memory_id])[0])["content"]))
            receipt = self.join(memory_id, into, content, work)
        return replace(receipt, act_id=work.act.id)

    def join(self, memory_id: str, into: str, content: str | None, work: UnitOfWork) -> Receipt:
        """Bring a waiting memory into a record, as a part of an act; see `merge`."""
        from omp_core.language.verdict import fuller

        (waiting,) = self._chosen([memory_id])
        held = self._writing.writable(into)
        text = content or fuller(held.content, waiting.content)
        changes = {"content": text, "tags": sorted(held.tags | waiting.tags)}
        receipt = self._writing.update(into, changes, based_on=held.version)
        self._take_off([waiting], work)
        return receipt

    def discard(self, ids: Sequence[str]) -> Receipt:
        """Take waiting memories off the file unstored, as one act; undo puts them back."""
        gone = self._chosen(ids)
        values = {
            "form": "discard",
            "count": len(gone),
            "text": headline(_clean(gone[0])["content"]),
        }
        with self._units.begin("review", values) as work:
            self._take_off(gone, work)
        return Receipt("deleted", gone[0].id, work.act.id, note=work.words)

    def drop(self, ids: Sequence[str], work: UnitOfWork) -> None:
        """Take waiting memories off the file unstored, as a part of an act."""
        self._take_off(self._chosen(ids), work)

    def _chosen(self, ids: Sequence[str] | None) -> list[Record]:
        waiting = {one.id: one.record for one in self._file().memories()}
        if ids is None:
            return list(waiting.values())
        missing = [one for one in ids if one not in waiting]
        if missing or not ids:
            raise NotFoundError(
                _("no pending memory has the id {id!r}; `omp-tui pending` lists them").format(
                    id=missing[0] if missing else ""
                )
            )
        return [waiting[one] for one in ids]

    def invert(self, entry: JournalEntry) -> JournalEntry | None:
        """Undo or redo what took a memory off the file: put it back, or off again."""
        now = self._session.now()
        if entry.before is not None:
            self._file().append([from_json(entry.before)], _("brought back"), now=now)
        else:
            self._file().remove([entry.record_id.partition(":")[2]], now=now)
        return replace(
            entry, actor=self._session.actor, at=now, before=entry.after, after=entry.before
        )


def _clean(record: Record) -> dict[str, Json]:
    """Return the record in its JSON form; a secret typed into the file stays there."""
    from omp_core.secrets import redact_value

    raw = to_json(record)
    return raw | {name: redact_value(raw[name]) for name in ("content", "tags", "metadata")}
