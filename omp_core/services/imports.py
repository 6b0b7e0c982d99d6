"""Bringing memories of other tools in, and all of ours out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from omp_core.availability import Availability
from omp_core.errors import OmpError
from omp_core.i18n import _, ngettext
from omp_core.language.normal import content_hash
from omp_core.model import CHANGEABLE_FIELDS, Home, JournalEntry, Query, Record, Scope, Status
from omp_core.rules.content import accept, without_controls
from omp_core.rules.fields import field_value
from omp_core.rules.merge import Merged, merge, metadata_changes
from omp_core.rules.sittings import with_episodes
from omp_core.services.entries import created_entry, is_reserved_id, merged_entry
from omp_core.services.records.changes import Writing
from omp_core.services.secret_guard import ensure_no_secret
from omp_core.session import Session, new_id
from omp_core.store.protocol import Batch, Put

if TYPE_CHECKING:
    from omp_core.formats.item import ImportItem

OnExisting = Literal["skip", "overwrite", "new-id"]
RowOutcome = Literal["added", "skipped", "overwritten", "refused"]
Progress = Callable[[int], None]
"""Called with the number of rows done so far."""

_BATCH = 500
OWN_FORMATS = frozenset({"omp-tui", "omp-tui-saved"})
"""Names of our own files; their records are distinct by id, whatever their texts."""


@dataclass(frozen=True, slots=True)
class ImportRow:
    """What became of one row of an imported file."""

    place: str
    outcome: RowOutcome
    id: str | None
    reason: str | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import did, or with `dry_run` would do, row by row."""

    format: str
    dry_run: bool
    rows: tuple[ImportRow, ...]
    act_ids: tuple[str, ...] = ()

    def count(self, outcome: RowOutcome) -> int:
        """Return how many rows had that outcome."""
        return sum(row.outcome == outcome for row in self.rows)


class Importing:
    """The part of `Memory` that imports and exports."""

    def __init__(self, session: Session, availability: Availability, writing: Writing) -> None:
        self._session = session
        self._availability = availability
        self._writing = writing

    def import_file(
        self,
        path: Path,
        *,
        format: str | None = None,
        on_existing: OnExisting = "skip",
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> ImportReport:
        """Import a file or folder of another tool, or an export of our own.

        A row whose id is held already is skipped, overwrites the held record (as a new version
        of it), or comes in under a new id. A row that cannot be taken is reported and the rest
        goes on. Every 500 rows are one undoable act. Raises FormatError when the file as a
        whole cannot be read.
        """
        from omp_core.formats import detect, read

        source = format or detect(path).name
        rows: list[ImportRow] = []
        acts: list[str] = []
        batch: list[tuple[ImportItem, Record]] = []
        seen: set[str] = set()

        def flush() -> None:
            if batch:
                taken = batch if source in OWN_FORMATS else self._with_episodes(batch)
                done, act_id = self._take(source, taken, on_existing, dry_run=dry_run)
                rows.extend(done)
                if act_id is not None:
                    acts.append(act_id)
                batch.clear()
                seen.clear()

        for item in read(path, source, now=self._session.now()):
            prepared = self._prepare(item)
            if isinstance(prepared, ImportRow):
                rows.append(prepared)
                continue
            if prepared[1].id in seen or len(batch) >= _BATCH:
                # a file that names one id twice meets its own first row as a held record
                flush()
                if progress is not None:
                    progress(len(rows))
            batch.append(prepared)
            seen.add(prepared[1].id)
        flush()
        if progress is not None:
            progress(len(rows))
        return ImportReport(source, dry_run, tuple(rows), tuple(acts))

    def _prepare(self, item: ImportItem) -> tuple[ImportItem, Record] | ImportRow:
        """Return the row ready to be stored, or why it is refused."""
        if item.record is None:
            return ImportRow(item.place, "refused", None, item.problem, item.notes)
        record = item.record
        if record.home is Home.PROJECT:
            reason = _("a fact of a project comes with the project's document, not by import")
            return ImportRow(item.place, "refused", record.id, reason, item.notes)
        content, removed = without_controls(record.content)
        notes = item.notes
        if is_reserved_id(record.id):
            note = _("the id {id} is one that the program itself uses; it was replaced")
            notes = (*notes, note.format(id=record.id))
            record = replace(record, id=new_id())
        if removed:
            note = ngettext(
                "{count} control character was removed",
                "{count} control characters were removed",
                removed,
            )
            notes = (*notes, note.format(count=removed))
        try:
            content = accept(content, self._session.settings.store.max_content_chars)
            record = replace(record, content=content)
            ensure_no_secret(record)
        except OmpError as error:
            return ImportRow(item.place, "refused", record.id, str(error), notes)
        return replace(item, notes=notes), record

    def _with_episodes(
        self, batch: Sequence[tuple[ImportItem, Record]]
    ) -> list[tuple[ImportItem, Record]]:
        records = with_episodes([record for _item, record in batch], self._session.now())
        return [(item, record) for (item, _old), record in zip(batch, records, strict=True)]

    def _take(
        self,
        source: str,
        batch: Sequence[tuple[ImportItem, Record]],
        on_existing: OnExisting,
        *,
        dry_run: bool,
    ) -> tuple[list[ImportRow], str | None]:
        return self._writing.retrying(
            lambda: self._take_once(source, batch, on_existing, dry_run=dry_run)
        )

    def _take_once(
        self,
        source: str,
        batch: Sequence[tuple[ImportItem, Record]],
        on_existing: OnExisting,
        *,
        dry_run: bool,
    ) -> tuple[list[ImportRow], str | None]:
        store = self._availability.store()
        held = store.get_many([record.id for _item, record in batch])
        act = self._session.act("import", "", 0)
        puts: list[Put] = []
        entries: list[JournalEntry] = []
        rows: list[ImportRow] = []
        texts: dict[tuple[str, Scope], str] = {}
        for item, record in batch:
            there = held.get(record.id)
            if there is not None and on_existing == "overwrite":
                merged = _over(there, record, act.actor, act.at)
                if merged.changed:
                    puts.append(Put(merged.record, there.version))
                    entries.append(merged_entry(act.id, act.kind, act.actor, act.at, merged))
                rows.append(ImportRow(item.place, "overwritten", record.id, None, item.notes))
                continue
            twin_id = None if source in OWN_FORMATS else self._twin_id(record, texts)
            reason = None
            if there is not None and on_existing == "skip":
                reason = _("this id is held already")
            elif there is None and twin_id is not None:
                reason = _("the same text is held as {id}").format(id=twin_id)
            if reason is not None:
                rows.append(ImportRow(item.place, "skipped", record.id, reason, item.notes))
                continue
            if there is not None:
                record = replace(record, id=new_id())
            puts.append(Put(record, None))
            entries.append(created_entry(act.id, act.kind, act.actor, act.at, record))
            rows.append(ImportRow(item.place, "added", record.id, None, item.notes))
        if not puts or dry_run:
            return rows, None
        summary = ngettext(
            "imported {count} record from {format}",
            "imported {count} records from {format}",
            len(puts),
        ).format(count=len(puts), format=source)
        store.commit(
            Batch(
                replace(act, summary=summary, records=len(entries)), tuple(puts), (), tuple(entries)
            )
        )
        return rows, act.id

    def _twin_id(self, record: Record, texts: dict[tuple[str, Scope], str]) -> str | None:
        """Return the id of the active record, held or earlier in the batch, with this text."""
        if record.status is not Status.ACTIVE:
            return None
        key = (content_hash(record.content), record.scope)
        twin = self._availability.store().twin(*key, self._session.now())
        if twin is not None:
            return twin.id
        first = texts.setdefault(key, record.id)
        return None if first == record.id else first

    def export(self, query: Query | None = None) -> Iterator[Record]:
        """Yield every record of the user home, or those that a query lets through.

        Nothing is left out unasked: without a query, archived, superseded, candidate and
        expired records are part of an export. Facts of the project, which their documents
        hold, are part of it only when the query names that home.
        """
        chosen = query or Query(statuses=frozenset(), include_expired=True)
        if chosen.home is None:
            chosen = replace(chosen, home=Home.USER)
        yield from self._availability.store().iterate(chosen, self._session.now())


def _over(held: Record, incoming: Record, actor: str, at: datetime) -> Merged:
    """Return the held record with every field that a write may change taken from the other."""
    changes = {
        name: field_value(incoming, name) for name in CHANGEABLE_FIELDS if name != "metadata"
    }
    return merge(
        held,
        changes | metadata_changes(held.metadata, incoming.metadata),
        based_on=held.version,
        actor=actor,
        now=at,
        dispute_ids=iter(new_id, None),
    )
