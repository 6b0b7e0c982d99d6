"""Import and export: memories of other tools in, all of ours out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from omp_core.availability import Availability
from omp_core.errors import OmpError
from omp_core.i18n import _, ngettext
from omp_core.language.marks import unmarked
from omp_core.language.normal import content_hash
from omp_core.model import CHANGEABLE_FIELDS, Home, Query, Record, Scope, Status
from omp_core.rules.content import accept, without_controls
from omp_core.rules.fields import field_value
from omp_core.rules.merge import Merged, merge, metadata_changes
from omp_core.rules.sittings import with_episodes
from omp_core.services.entries import is_reserved_id
from omp_core.services.locks import is_kept
from omp_core.services.secret_guard import ensure_no_secret
from omp_core.services.unit_of_work import UnitsOfWork
from omp_core.session import Session, new_id

if TYPE_CHECKING:
    from omp_core.formats.item import ImportItem

OnExisting = Literal["skip", "overwrite", "new-id"]
RowOutcome = Literal["added", "skipped", "overwritten", "refused"]
Progress = Callable[[int], None]
"""Called with the number of rows done so far."""

_TOLD_EVERY = 500
"""After so many rows progress is told."""
_LYING_IN_PROJECTS = frozenset({"instructions", "markdown", "basic-memory"})
"""Formats whose files are a project's own where they lie in its repository."""
_SUBJECT_KEYS = ("subject", "entity", "person", "title", "heading", "permalink")
_Twin = tuple[str, Scope, tuple[str, ...]]
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


class ImportService:
    """The part of `Memory` that imports and exports."""

    def __init__(self, session: Session, availability: Availability, units: UnitsOfWork) -> None:
        self._session = session
        self._availability = availability
        self._units = units

    def import_file(
        self,
        path: Path,
        *,
        format: str | None = None,
        on_existing: OnExisting = "skip",
        owner: Scope = Scope(),  # noqa: B008 - a frozen value
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> ImportReport:
        """Import a file or folder of another tool, or an export of our own.

        Rows that name no owner get what `owner` says; notes and rules that lie in a repository
        belong to its project unless `owner` names one.

        A row whose id is held already is skipped, overwrites the held record (as a new version
        of it), or comes in under a new id. A row that cannot be taken is reported and the rest
        goes on. The import is one undoable act, whatever its size. Raises FormatError
        when the file as a whole cannot be read.
        """
        from omp_core.formats import detect, read

        source = format or detect(path).name
        now = self._session.now().astimezone(self._session.zone)
        if source in _LYING_IN_PROJECTS and owner.app_id is None and owner.user_id is None:
            owner = replace(owner, app_id=self._project_of(path))
        ready: list[ImportRow | tuple[ImportItem, Record]] = []
        for item in read(path, source, now=now):
            prepared = self._prepare(item, ours=source in OWN_FORMATS)
            ready.append(_owned(prepared, owner, source))
            if progress is not None and len(ready) % _TOLD_EVERY == 0:
                progress(len(ready))
        if source not in OWN_FORMATS:
            ready = self._with_episodes(ready)
        report = self._units.retrying(
            lambda: self._take(source, ready, on_existing, dry_run=dry_run)
        )
        if progress is not None:
            progress(len(report.rows))
        return report

    def _project_of(self, path: Path) -> str | None:
        """Return the project that a file lies in, whatever the present directory is."""
        from omp_core.project.identity import git_says, resolve_identity

        folder = path.resolve() if path.is_dir() else path.resolve().parent
        workspace = self._session.workspace
        if workspace is not None and folder.is_relative_to(workspace.root.resolve()):
            return self._session.identity.app_id
        if not folder.is_dir() or git_says(folder, "rev-parse", "--show-toplevel") is None:
            return None
        return resolve_identity(folder).app_id

    def _prepare(self, item: ImportItem, *, ours: bool) -> tuple[ImportItem, Record] | ImportRow:
        """Return the row ready to be stored, or why it is refused."""
        if item.record is None:
            return ImportRow(item.place, "refused", None, item.problem, item.notes)
        record = replace(item.record, arrived_at=None)
        if ours:
            record = unmarked(record)
        if record.home is Home.PROJECT:
            reason = _("a fact of a project comes with the project's document, not by import")
            return ImportRow(item.place, "refused", record.id, reason, item.notes)
        record, unknown = _with_known_times(record, self._session.now())
        content, removed = without_controls(record.content)
        notes = item.notes
        if unknown:
            note = _("its time is unknown; the time of arrival here stands for it")
            notes = (*notes, note)
        if is_reserved_id(record.id):
            note = _("the id {id} is one that the program itself uses; it was replaced")
            notes = (*notes, note.format(id=record.id))
            record = replace(record, id=new_id())
        if is_kept(record, self._session.actor):
            record = replace(record, locked=False)
            notes = (*notes, _("only the person locks records; it comes in unlocked"))
        if removed:
            note = ngettext(
                "{count} control character was removed",
                "{count} control characters were removed",
                removed,
            )
            notes = (*notes, note.format(count=removed))
        try:
            most = self._session.settings.store.max_content_chars
            content = accept(content, most, stored_before=ours)
            record = replace(record, content=content)
            ensure_no_secret(record)
        except OmpError as error:
            return ImportRow(item.place, "refused", record.id, str(error), notes)
        return replace(item, notes=notes), record

    def _with_episodes(
        self, rows: Sequence[ImportRow | tuple[ImportItem, Record]]
    ) -> list[ImportRow | tuple[ImportItem, Record]]:
        """Link the records of a file to the conversations that they were said in."""
        taken = [row[1] for row in rows if not isinstance(row, ImportRow)]
        linked = iter(with_episodes(taken, self._session.now()))
        return [row if isinstance(row, ImportRow) else (row[0], next(linked)) for row in rows]

    def _take(
        self,
        source: str,
        ready: Sequence[ImportRow | tuple[ImportItem, Record]],
        on_existing: OnExisting,
        *,
        dry_run: bool,
    ) -> ImportReport:
        """Take all rows as one act; a dry run fills the act and drops it."""
        store = self._availability.store()
        ids = [one[1].id for one in ready if not isinstance(one, ImportRow)]
        held = store.get_many(list(dict.fromkeys(ids)))
        rows: list[ImportRow] = []
        taken: dict[str, Merged] = {}
        new: dict[str, Record] = {}
        texts: dict[_Twin, str] = {}
        actor, now = self._session.actor, self._session.now()
        for one in ready:
            if isinstance(one, ImportRow):
                rows.append(one)
                continue
            item, record = one
            # a file that names one id twice meets its own first row as a held record
            there = new.get(record.id) or held.get(record.id)
            if there is not None and on_existing == "overwrite" and is_kept(there, actor):
                lock = _("this id is held by a locked record; only the person changes it")
                rows.append(ImportRow(item.place, "refused", record.id, lock, item.notes))
                continue
            if there is not None and on_existing == "overwrite":
                if record.id in new:
                    new[record.id] = record
                else:
                    taken[record.id] = _over(there, record, actor, now)
                rows.append(ImportRow(item.place, "overwritten", record.id, None, item.notes))
                continue
            twin_id = None if source in OWN_FORMATS else self._twin_id(record, texts)
            reason = None
            if there is not None and on_existing == "skip":
                reason = _("this id is held already")
                if there.content != record.content:
                    reason = _("this id is held already, with another text")
            elif there is None and twin_id is not None:
                reason = _("the same text is held as {id}").format(id=twin_id)
            if reason is not None:
                rows.append(ImportRow(item.place, "skipped", record.id, reason, item.notes))
                continue
            if there is not None:
                record = replace(record, id=new_id())
            new[record.id] = record
            rows.append(ImportRow(item.place, "added", record.id, None, item.notes))
        report = ImportReport(source, dry_run, tuple(rows))
        if dry_run:
            return report
        changed = {name: merged for name, merged in taken.items() if merged.changed}
        count = len(changed) + len(new)
        with self._units.begin("import", {"count": count, "format": source}) as work:
            for record_id, merged in changed.items():
                work.change(held[record_id], merged)
            for record in new.values():
                work.create(record)
        return report if work.empty else replace(report, act_ids=(work.act.id,))

    def _twin_id(self, record: Record, texts: dict[_Twin, str]) -> str | None:
        """Return the active record, held or earlier in the file, with this text and subject."""
        if record.status is not Status.ACTIVE:
            return None
        key = (content_hash(record.content), record.scope)
        twin = self._availability.store().twin(*key, self._session.now())
        about = _subject(record)
        if twin is not None and _subject(twin) == about:
            return twin.id
        first = texts.setdefault((*key, about), record.id)
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


def _with_known_times(record: Record, now: datetime) -> tuple[Record, bool]:
    """Return a record without times of the year 1, which stand for unknown ones, and whether
    it had such."""
    times = (record.created_at, record.updated_at, record.last_accessed)
    created, updated, read = (
        None if moment is None or moment.year == 1 else moment for moment in times
    )
    if (created, updated, read) == times:
        return record, False
    created = created or now
    return replace(
        record, created_at=created, updated_at=updated or created, last_accessed=read
    ), True


def _subject(record: Record) -> tuple[str, ...]:
    """Return whom or what a text is about, as its source has it beside the text."""
    return tuple(str(record.metadata.get(name, "")) for name in _SUBJECT_KEYS)


def _owned(
    row: ImportRow | tuple[ImportItem, Record], owner: Scope, source: str
) -> ImportRow | tuple[ImportItem, Record]:
    """Give a record the owners that it does not name; its id is one of theirs then."""
    from omp_core.formats.row import record_id

    if isinstance(row, ImportRow) or source in OWN_FORMATS:
        return row
    item, record = row
    scope = Scope(
        record.scope.user_id or owner.user_id,
        record.scope.agent_id or owner.agent_id,
        record.scope.app_id or owner.app_id,
        record.scope.run_id or owner.run_id,
    )
    if scope == record.scope:
        return row
    name = record_id(source, record.content, scope, record.id)
    return item, replace(record, scope=scope, id=name)


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
