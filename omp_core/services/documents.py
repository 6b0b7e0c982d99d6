"""The facet `memory.documents`: reading and writing what a project's documents say."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from datetime import UTC
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from omp_core.availability import Availability
from omp_core.errors import DocumentError, InvalidValueError, NotFoundError, StoreError, UsageError
from omp_core.i18n import _
from omp_core.language.headline import headline
from omp_core.model import Json, Outcome, Receipt, Record
from omp_core.services.document_reader import DocumentReader
from omp_core.services.document_writer import DocumentPlace, DocumentWriter, ValueChange
from omp_core.services.unit_of_work import UnitsOfWork
from omp_core.session import Session
from omp_core.views import DocumentVersion, DocumentView, GitView

if TYPE_CHECKING:
    from omp_core.project.branches import BranchDispute
    from omp_core.project.paths import KeyPath
    from omp_core.project.validation import DocumentProblem
    from omp_core.project.writers import Added, ChangelogEntry, DecisionEntry, SessionEntry


class DocumentService:
    """The part of `Memory` that writes project documents.

    Every write raises UsageError where there is no workspace, DocumentError (of which one says
    that the file is damaged, another that its schema forbids the change), SecretFoundError and
    InvalidValueError; the file is then as it was. A DocumentError is noted in the session file.
    """

    def __init__(
        self,
        session: Session,
        availability: Availability,
        units: UnitsOfWork,
        writer: DocumentWriter,
    ) -> None:
        self._session = session
        self._availability = availability
        self._units = units
        self._writer = writer
        self._reader = DocumentReader(session, writer)

    def tree(self) -> tuple[DocumentView, ...]:
        """Return every document with its values and problems, the settings file last.

        A damaged one has problems and no values. Raises UsageError where there is no workspace.
        """
        return self._reader.tree()

    def committed(self) -> GitView | None:
        """Return what differs from the last commit; None where git has nothing to say."""
        return self._reader.committed()

    def versions(self, document: str) -> tuple[DocumentVersion, ...]:
        """Return the kept versions of a document, newest first. Raises NotFoundError."""
        return self._reader.versions(document)

    def difference(self, document: str, number: int) -> tuple[str, ...]:
        """Return what a document says now against a kept version, as lines of a unified diff.

        What only the version has begins with `-`, what only the document has with `+`. Raises
        NotFoundError for a version that there is not, DocumentError.
        """
        return self._reader.difference(document, number)

    def restore(self, document: str, number: int) -> Receipt:
        """Let a document say again what a kept version says, as one undoable act.

        One that cannot be read is replaced as a whole; its text is then the newest version, and
        no act. Raises NotFoundError for a version that there is not, DocumentError.
        """
        name, changes = self._reader.restore(document, number)
        place = DocumentPlace(name, "")
        if changes is None:
            note = _("{file} was brought back; its damaged text is kept as its newest version")
            return Receipt("updated", place.id, None, note=note.format(file=name))
        note = _("the document says so already")
        return self._journal("updated", {"form": "restored", "file": name}, place, changes, note)

    def value(self, path: str, *, document: str | None = None) -> Json:
        """Return one value by its path, of project.yaml unless another document is named.

        Raises NotFoundError when it is not there, DocumentDamagedError for a damaged file.
        """
        from omp_core.project.paths import parse_path
        from omp_core.project.restoration import find, plain_text

        file, parts = self._document(document), parse_path(path)
        there, value = find(self._writer.documents().open(file).read().data, parts)
        if not there:
            raise _missing(parts, file)
        return plain_text(value)

    def set_value(self, path: str, value: Json, *, document: str | None = None) -> Receipt:
        """Set one value by its path, in project.yaml unless another document is named."""
        from omp_core.project.paths import format_path, parse_path

        file, parts = self._document(document), parse_path(path)
        shown, documents = format_path(parts), self._writer.documents()
        written = self._writer.write(
            file, lambda content: documents.with_values(content, {shown: value})[0], [parts]
        )
        place = DocumentPlace(documents.open(file).name, shown)
        values = {"form": "set", "path": shown, "file": place.file, "text": headline(str(value))}
        note = _("the document says so already")
        return self._journal("updated", values, place, written.changes, note)

    def remove_value(self, path: str, *, document: str | None = None) -> Receipt:
        """Remove one value by its path. Raises NotFoundError when it is not there."""
        from omp_core.project import values
        from omp_core.project.paths import format_path, parse_path
        from omp_core.project.restoration import find

        file, parts = self._document(document), parse_path(path)
        # behind a removed index all others move up, so that the list as a whole is the value
        held = parts[:-1] if isinstance(parts[-1], int) and len(parts) > 1 else parts

        def change(content: Json) -> Json:
            if not find(content, parts)[0]:
                raise _missing(parts, file)
            return values.remove_value(content, parts)

        written = self._writer.write(file, change, [held])
        place = DocumentPlace(self._writer.documents().open(file).name, format_path(held))
        values_of = {"form": "removed", "path": format_path(parts), "file": place.file}
        return self._journal("updated", values_of, place, written.changes)

    @staticmethod
    def settable_path(record: Record) -> str | None:
        """Return the path of a fact of project.yaml that leads through keys only, else None."""
        from omp_core.project.paths import parse_path

        file, _hash, path = record.id.removeprefix("project:").partition("#")
        if file != "project.yaml" or record.metadata.get("path") != path:
            return None
        try:
            parts = parse_path(path)
        except InvalidValueError:
            return None
        return path if all(isinstance(part, str) for part in parts) else None

    def add_decision(self, decision: DecisionEntry) -> Receipt:
        """Append a decision under the next free id of its day."""
        added = self._writer.to_change().add_decision(decision)
        return self._added(added, "decisions", "decision", decision.title)

    def add_change(self, change: ChangelogEntry) -> Receipt:
        """Append an entry to the change log."""
        added = self._writer.to_change().add_change(change)
        return self._added(added, "changelog", "change", change.summary)

    def add_session(self, episode: SessionEntry) -> Receipt:
        """Append an episode to the session file of its day; one of a known id is left alone."""
        added = self._writer.to_change().add_session(episode)
        return self._added(added, "sessions", "session", episode.summary)

    def add_error(self, reason: str, *, about: str = "") -> Receipt:
        """Note under `errors` of the day's session file what went wrong, and in which file."""
        from omp_core.project.writers import Added, next_id
        from omp_core.project.yaml.render import Timestamp, timestamp

        if not reason.strip():
            raise UsageError(_("say what went wrong"))
        documents, now = self._writer.to_change(), self._session.now()
        day = now.astimezone(UTC).date()
        file = self._writer.workspace.session_file(day)
        chosen = ""

        def change(content: Json) -> Json:
            nonlocal chosen
            held = content if content is not None else {"date": Timestamp(day.isoformat())}
            errors = held.get("errors") or [] if isinstance(held, dict) else None
            if not isinstance(errors, list):
                raise DocumentError(
                    _("{file}: not written: there is no list `errors`; mend it").format(file=file)
                )
            taken = [str(one.get("id")) for one in errors if isinstance(one, dict)]
            chosen = next_id("err", taken)
            entry = {"id": chosen, "at": timestamp(now), "reason": reason}
            entry |= {"file": about} if about else {}
            return {**held, "errors": [*errors, {**entry, "by": self._session.actor}]}

        result = documents.write(file, change)
        return self._added(Added(chosen, result), "errors", "error", reason)

    def branch_disputes(self) -> tuple[BranchDispute, ...]:
        """Return what two branches of git changed differently, in all documents; a dispute of
        kind `branch` each. A document of which a side does not parse is among the damages.
        """
        from omp_core.project.documents import document_files

        if self._session.workspace is None:
            return ()
        documents = self._writer.documents()
        found: list[BranchDispute] = []
        for file in document_files(self._session.workspace):
            if file.suffix in (".yaml", ".yml"):
                with contextlib.suppress(DocumentError):  # the mirror names it
                    found += documents.open(file).disputes()
        return tuple(found)

    def settle_branch(
        self,
        document: str,
        path: str,
        resolution: Literal["ours", "theirs", "value"],
        value: Json = None,
    ) -> Receipt:
        """Settle one field in dispute between branches, in the document itself.

        Raises NotFoundError when it is not in dispute, DocumentError, SecretFoundError.
        """
        file = self._document(document)
        found = self._writer.documents().open(file).disputes()
        dispute = next((one for one in found if one.path == path), None)
        if dispute is None:
            raise NotFoundError(
                _("{path} of {file} is not in dispute between branches").format(
                    path=path, file=file.name
                )
            )
        chosen = {"ours": dispute.ours, "theirs": dispute.theirs, "value": value}[resolution]
        change = self._writer.settle_branches(dispute, chosen)
        values: dict[str, Json] = {"form": "removed", "path": path, "file": dispute.file}
        if chosen is not None:
            values |= {"form": "set", "text": headline(str(chosen))}
        return self._journal("updated", values, change.place, [change])

    def validate(self, files: Sequence[Path] = ()) -> dict[Path, list[DocumentProblem]]:
        """Return the named documents, or all there are, each with its problems, often none.

        Raises UsageError where there is no workspace, NotFoundError for a file that is no
        document of it.
        """
        from omp_core.project.validation import validate, validate_workspace

        workspace = self._writer.workspace
        if not files:
            return validate_workspace(workspace)
        own = workspace.config_file.absolute()
        chosen = [
            workspace.config_file if file.absolute() == own else workspace.document(file)
            for file in files
        ]
        return {file: validate(file, workspace) for file in chosen}

    def _document(self, name: str | None) -> Path:
        workspace = self._writer.workspace
        if name is None or name in ("project", workspace.project_file.name):
            return workspace.project_file
        file = workspace.document(name)
        if file == workspace.pending_file or file.suffix not in (".yaml", ".yml"):
            raise UsageError(
                _("{file} is not a document whose values are set one by one").format(file=file.name)
            )
        return file

    def _added(self, added: Added, key: str, form: str, said: str) -> Receipt:
        place, change = self._writer.added(added, key)
        values = {"form": form, "id": added.id, "text": headline(said)}
        changes = [change] if change else []
        return self._journal("created", values, place, changes, _("it is there already"))

    def _journal(
        self,
        outcome: Outcome,
        values: Mapping[str, Json],
        place: DocumentPlace,
        changes: Sequence[ValueChange],
        unchanged: str | None = None,
    ) -> Receipt:
        """Journal what was written as one act; nothing written leaves none."""
        if not changes:
            return Receipt("unchanged", place.id, None, note=unchanged)
        try:
            with self._units.begin("document", values) as work:
                for change in changes:
                    change.note(work)
        except StoreError as error:
            self._availability.store_failed(error)
            note = _("{summary}; the user store is away, so undo will not know of it")
            return Receipt(outcome, place.id, None, note=note.format(summary=work.words))
        return Receipt(outcome, place.id, work.act.id, note=work.words)


def _missing(path: KeyPath, file: Path) -> NotFoundError:
    from omp_core.project.paths import format_path

    return NotFoundError(
        _("there is no {path} in {file}").format(path=format_path(path), file=file.name)
    )
