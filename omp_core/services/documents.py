"""Writing the project's documents through `Memory`: journalled, and undone value by value.

The file is the truth and is written first; the journal follows. A journalled value is an
object with `value` and the `workspace` it belongs to; a side that is None says that there was
nothing at that path. What else is in it, `project.inverse` explains.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from omp_core.availability import Availability
from omp_core.errors import DocumentError, NotFoundError, StoreError, UsageError
from omp_core.i18n import _
from omp_core.language.headline import headline
from omp_core.model import JournalEntry, Json, Outcome, Receipt
from omp_core.services.unit_of_work import UnitsOfWork
from omp_core.session import Session

if TYPE_CHECKING:
    from omp_core.project.branches import BranchDispute
    from omp_core.project.paths import KeyPath
    from omp_core.project.validation import Problem
    from omp_core.project.workspace import Workspace
    from omp_core.project.writers import Added, Change, Decision, Documents, Episode
    from omp_core.project.yaml.file import WriteResult

_PREFIX = "document"
_MOST_ROUNDS = 20

Told = dict[str, Json]


@dataclass(frozen=True, slots=True)
class DocumentPlace:
    """Where a journalled value lies: the document's name, and the path inside it."""

    file: str
    path: str

    @property
    def id(self) -> str:
        """The id of receipts and of the journal."""
        return f"{_PREFIX}:{self.file}#{self.path}"

    @classmethod
    def of(cls, receipt_id: str) -> DocumentPlace:
        """Return the place that the id of a receipt names."""
        file, _hash, path = receipt_id.removeprefix(f"{_PREFIX}:").partition("#")
        return cls(file, path)


class Documenting:
    """The part of `Memory` that writes project documents.

    Every write raises UsageError where there is no workspace, DocumentError (of which one says
    that the file is damaged, another that its schema forbids the change), SecretFoundError and
    InvalidValueError; the file is then as it was. A DocumentError is noted in the session file.
    """

    def __init__(self, session: Session, availability: Availability, units: UnitsOfWork) -> None:
        self._session = session
        self._availability = availability
        self._units = units

    def value(self, path: str, *, document: str | None = None) -> Json:
        """Return one value by its path, of project.yaml unless another document is named.

        Raises NotFoundError when it is not there, DocumentDamagedError for a damaged file.
        """
        from omp_core.project.inverse import find, plain_text
        from omp_core.project.paths import format_path, parse_path

        file, parts = self._document(document), parse_path(path)
        there, value = find(self._documents().open(file).read().data, parts)
        if not there:
            raise NotFoundError(f"there is no {format_path(parts)} in {file.name}")
        return plain_text(value)

    def set_value(self, path: str, value: Json, *, document: str | None = None) -> Receipt:
        """Set one value by its path, in project.yaml unless another document is named."""
        from omp_core.project.inverse import brought, find
        from omp_core.project.paths import format_path, parse_path
        from omp_core.project.values import get_value

        documents, file = self._documents(), self._document(document)
        parts = parse_path(path)
        shown = format_path(parts)
        for _number in range(_MOST_ROUNDS):
            with documents.noting(file):
                content = documents.open(file).read().data
            there, old = find(content, parts)
            result = documents.set_values(
                {shown: value}, document=file, expected={shown: get_value(content, parts)}
            )
            if not result.conflicts:
                break
        else:
            raise DocumentError(f"{file}: not written: {shown} is changed by others all the time")
        place = DocumentPlace(documents.open(file).name, shown)
        if not result.written:
            return Receipt("unchanged", place.id, None, note=_("the document says so already"))
        after = self._told(value) | brought(content, parts)
        values = {"form": "set", "path": shown, "file": place.file, "text": headline(str(value))}
        return self._journal(
            "updated", values, place, self._told(old, parts) if there else None, after
        )

    def remove_value(self, path: str, *, document: str | None = None) -> Receipt:
        """Remove one value by its path. Raises NotFoundError when it is not there."""
        from omp_core.project import values
        from omp_core.project.inverse import find
        from omp_core.project.paths import format_path, parse_path

        documents, file = self._documents(), self._document(document)
        parts = parse_path(path)
        # behind a removed index all others move up, so that the list as a whole is the value
        held = parts[:-1] if isinstance(parts[-1], int) and len(parts) > 1 else parts
        before: Told = {}

        def change(content: Json) -> Json:
            if not find(content, parts)[0]:
                raise NotFoundError(f"there is no {format_path(parts)} in {file.name}")
            before.clear()
            before.update(self._told(find(content, held)[1], held))
            return values.remove_value(content, parts)

        result = self._write(documents, file, change)
        place = DocumentPlace(documents.open(file).name, format_path(held))
        values_of = {"form": "removed", "path": format_path(parts), "file": place.file}
        left, value = find(result.data, held)
        return self._journal(
            "updated", values_of, place, before, self._told(value, held) if left else None
        )

    def add_decision(self, decision: Decision) -> Receipt:
        """Append a decision under the next free id of its day."""
        added = self._documents().add_decision(decision)
        return self._added(added, "decisions", "decision", decision.title)

    def add_change(self, change: Change) -> Receipt:
        """Append an entry to the change log."""
        added = self._documents().add_change(change)
        return self._added(added, "changelog", "change", change.summary)

    def add_session(self, episode: Episode) -> Receipt:
        """Append an episode to the session file of its day; one of a known id is left alone."""
        added = self._documents().add_session(episode)
        return self._added(added, "sessions", "session", episode.summary)

    def add_error(self, reason: str, *, about: str = "") -> Receipt:
        """Note under `errors` of the day's session file what went wrong, and in which file."""
        from omp_core.project.writers import Added, next_id
        from omp_core.project.yaml.render import Timestamp, timestamp

        if not reason.strip():
            raise UsageError("say what went wrong")
        documents, now = self._documents(), self._session.now()
        day = now.astimezone(UTC).date()
        file = self._workspace().session_file(day)
        chosen = ""

        def change(content: Json) -> Json:
            nonlocal chosen
            held = content if content is not None else {"date": Timestamp(day.isoformat())}
            errors = held.get("errors") or [] if isinstance(held, dict) else None
            if not isinstance(errors, list):
                raise DocumentError(f"{file}: not written: there is no list `errors`; mend it")
            taken = [str(one.get("id")) for one in errors if isinstance(one, dict)]
            chosen = next_id("err", taken)
            entry = {"id": chosen, "at": timestamp(now), "reason": reason}
            entry |= {"file": about} if about else {}
            return {**held, "errors": [*errors, {**entry, "by": self._session.actor}]}

        result = self._write(documents, file, change)
        return self._added(Added(chosen, result), "errors", "error", reason)

    def branch_disputes(self) -> tuple[BranchDispute, ...]:
        """Return what two branches of git changed differently, in all documents; a dispute of
        kind `branch` each. A document of which a side does not parse is among the damages.
        """
        from omp_core.project.documents import document_files

        if self._session.workspace is None:
            return ()
        documents = self._documents()
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
        from omp_core.project.inverse import plain_text
        from omp_core.project.paths import parse_path

        file = self._document(document)
        opened = self._documents().open(file)
        dispute = next((one for one in opened.disputes() if one.path == path), None)
        if dispute is None:
            raise NotFoundError(
                _("{path} of {file} is not in dispute between branches").format(
                    path=path, file=file.name
                )
            )
        sides = {"ours": dispute.ours, "theirs": dispute.theirs, "value": value}
        chosen = sides[resolution]
        there = chosen is not None
        opened.settle(path, chosen, now=self._session.now(), there=there)
        place = DocumentPlace(opened.name, path)
        parts = parse_path(path)
        values: dict[str, Json] = {"form": "removed", "path": path, "file": place.file}
        if there:
            values |= {"form": "set", "text": headline(str(plain_text(chosen)))}
        return self._journal(
            "updated",
            values,
            place,
            None if dispute.ours is None else self._told(dispute.ours, parts),
            self._told(chosen, parts) if there else None,
        )

    def validate(self, files: Sequence[Path] = ()) -> dict[Path, list[Problem]]:
        """Return the named documents, or all there are, each with its problems, often none.

        Raises UsageError where there is no workspace, NotFoundError for a file that is no
        document of it.
        """
        from omp_core.project.validation import validate, validate_workspace

        workspace = self._workspace()
        if not files:
            return validate_workspace(workspace)
        own = workspace.config_file.absolute()
        chosen = [
            workspace.config_file if file.absolute() == own else workspace.document(file)
            for file in files
        ]
        return {file: validate(file, workspace) for file in chosen}

    # where

    def _workspace(self) -> Workspace:
        if self._session.workspace is None:
            raise UsageError(
                f"there is no _omp/ in {Path.cwd()} or above it; `omp-tui init` lays one out, "
                "--workspace names another directory"
            )
        if not self._session.workspace.omp.is_dir():
            raise UsageError(
                _(
                    "{folder} is gone: renamed or removed. It is not made again; start anew where "
                    "the project is now"
                ).format(folder=self._session.workspace.omp)
            )
        return self._session.workspace

    def _documents(self, workspace: Workspace | None = None) -> Documents:
        from omp_core.project.writers import Documents

        return Documents(
            workspace or self._workspace(),
            by=self._session.actor,
            settings=self._session.settings.documents,
            clock=self._session.now,
        )

    def _document(self, name: str | None) -> Path:
        workspace = self._workspace()
        if name is None or name in ("project", workspace.project_file.name):
            return workspace.project_file
        file = workspace.document(name)
        if file == workspace.pending_file or file.suffix not in (".yaml", ".yml"):
            raise UsageError(f"{file.name} is not a document whose values are set one by one")
        return file

    # writing

    def _write(
        self, documents: Documents, file: Path, change: Callable[[Json], Json]
    ) -> WriteResult:
        with documents.noting(file):
            return documents.open(file).write(
                change, by=self._session.actor, now=self._session.now()
            )

    def _added(self, added: Added, key: str, form: str, said: str) -> Receipt:
        from omp_core.project.inverse import find
        from omp_core.project.paths import Item, format_path

        result = added.result
        parts = (Item(added.id),) if isinstance(result.data, list) else (key, Item(added.id))
        name = self._documents().open(result.file).name
        place = DocumentPlace(name, format_path(parts))
        if not result.written:
            return Receipt("unchanged", place.id, None, note=_("it is there already"))
        after = self._told(find(result.data, parts)[1], parts)
        values = {"form": form, "id": added.id, "text": headline(said)}
        return self._journal("created", values, place, None, after)

    def _told(self, value: Json, path: KeyPath = ()) -> Told:
        """Return a value in the form of the journal, where no secret may get."""
        from omp_core.project.inverse import plain_text
        from omp_core.secrets import redact_value

        name = next((part for part in reversed(path) if isinstance(part, str)), "")
        (clean,) = redact_value({name: plain_text(value)}).values()
        return {"value": clean, "workspace": self._session.workspace_key}

    def _journal(
        self,
        outcome: Outcome,
        values: Mapping[str, Json],
        place: DocumentPlace,
        before: Told | None,
        after: Told | None,
    ) -> Receipt:
        try:
            with self._units.begin("document", values) as work:
                work.note(place.id, before, after)
        except StoreError as error:
            self._availability.store_failed(error)
            note = _("{summary}; the user store is away, so undo will not know of it")
            return Receipt(outcome, place.id, None, note=note.format(summary=work.words))
        return Receipt(outcome, place.id, work.act.id, note=work.words)

    # undo

    def invert(self, entry: JournalEntry) -> JournalEntry | None:
        """Undo or redo one value, in the workspace where it was set; see `_turned`."""
        from omp_core.project.inverse import turned
        from omp_core.project.paths import parse_path
        from omp_core.project.values import get_value
        from omp_core.project.workspace import Workspace

        have, want = entry.after, entry.before
        place = DocumentPlace.of(entry.record_id)
        workspace = Workspace(Path((have or want or {})["workspace"]))
        if not workspace.omp.is_dir():
            return None
        documents = self._documents(workspace)
        file = workspace.memory / place.file
        parts = parse_path(place.path)
        sides: list[Json] = []

        def change(content: Json) -> Json:
            after = turned(content, parts, have, want)
            sides[:] = [get_value(content, parts), get_value(after, parts)]
            return after

        if not self._write(documents, file, change).written:
            return None
        was, now = (
            None if told is None else {**told, "value": self._told(value, parts)["value"]}
            for value, told in zip(sides, (have, want), strict=True)
        )
        return replace(
            entry, actor=self._session.actor, at=self._session.now(), before=was, after=now
        )
