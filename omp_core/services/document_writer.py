"""Document writer: the one way to change a project's documents, to journal it and to undo it.

The file is the truth and is written first; the journal follows. A journalled value is an
object with `value` and the `workspace` it belongs to; a side that is None says that there was
nothing at that path. What else is in it, `project.inverse` explains.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from omp_core.access import AccessControl
from omp_core.errors import NotFoundError, UsageError
from omp_core.i18n import _
from omp_core.model import JournalEntry, Json, Right, Scope
from omp_core.services.unit_of_work import UnitOfWork
from omp_core.session import Session

if TYPE_CHECKING:
    from omp_core.project.branches import BranchDispute
    from omp_core.project.paths import KeyPath
    from omp_core.project.workspace import Workspace
    from omp_core.project.writers import Added, Documents

_PREFIX = "document"
_BRANCHES = "branches"
"""Marks the side of a journal entry on which two branches of git are in dispute about a field:
there `value` is ours, None where a side has no such field."""

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


@dataclass(frozen=True, slots=True)
class ValueChange:
    """One value that a write changed, in the form of the journal; a side of None is nothing."""

    place: DocumentPlace
    before: Told | None
    after: Told | None

    def note(self, work: UnitOfWork) -> None:
        """Journal it as a part of an act."""
        work.note(self.place.id, self.before, self.after)


@dataclass(frozen=True, slots=True)
class DocumentWrite:
    """What a write did: the content that stands, and the values that it changed."""

    content: Json
    changes: tuple[ValueChange, ...]


class DocumentWriter:
    """Changes documents of the session's project, and tells each change so that it goes back.

    Every write raises UsageError where there is no workspace, DocumentError (of which one says
    that the file is damaged, another that its schema forbids the change), SecretFoundError and
    InvalidValueError; the file is then as it was. A DocumentError is noted in the session file.
    """

    def __init__(self, session: Session, access: AccessControl) -> None:
        self._session = session
        self._access = access

    @property
    def workspace(self) -> Workspace:
        """The project. Raises UsageError where there is none, or it is gone."""
        if self._session.workspace is None:
            raise UsageError(
                _(
                    "there is no _omp/ in {folder} or above it; `omp-tui init` lays one out, "
                    "--workspace names another directory"
                ).format(folder=Path.cwd())
            )
        if not self._session.workspace.omp.is_dir():
            raise UsageError(
                _(
                    "{folder} is gone: renamed or removed. It is not made again; start anew where "
                    "the project is now"
                ).format(folder=self._session.workspace.omp)
            )
        return self._session.workspace

    def documents(self, workspace: Workspace | None = None) -> Documents:
        """Return the documents of the project, or of another one."""
        from omp_core.project.writers import Documents

        return Documents(
            workspace or self.workspace,
            by=self._session.actor,
            settings=self._session.settings.documents,
            clock=self._session.now,
        )

    def to_change(self, workspace: Workspace | None = None) -> Documents:
        """Return the documents of a project that the actor may write, to change them.

        Raises AccessDeniedError.
        """
        self._access.require(Right.WRITE, Scope(app_id=self._session.identity.app_id))
        return self.documents(workspace)

    def stamps(self, at: datetime | None) -> Told:
        """Return when a part of a document changed, now unless said, and by whom."""
        from omp_core.project.yaml.render import timestamp

        return {
            "updated_at": timestamp(at or self._session.now()),
            "updated_by": self._session.actor,
        }

    def write(
        self,
        file: Path,
        change: Callable[[Json], Json],
        paths: Collection[KeyPath],
        *,
        workspace: Workspace | None = None,
    ) -> DocumentWrite:
        """Change a document to what `change` makes of its content, and tell what became of `paths`.

        `change` may be called again when somebody saves the file meanwhile; it may fill `paths`
        as it goes. It must not alter the content that it is given.
        """
        documents = self.to_change(workspace)
        seen: Json = None

        def changed(content: Json) -> Json:
            nonlocal seen
            seen = content
            return change(content)

        result = documents.write(file, changed)
        if not result.written:
            return DocumentWrite(result.data, ())
        name = documents.open(file).name
        told = (self._change(name, path, seen, result.data) for path in paths)
        return DocumentWrite(result.data, tuple(one for one in told if one is not None))

    def added(self, added: Added, key: str) -> tuple[DocumentPlace, ValueChange | None]:
        """Return where an entry added to the list `key` stands, and the change.

        The change is None if the entry was there already, as it is to be.
        """
        from omp_core.project.paths import Item, format_path
        from omp_core.project.restoration import find

        result = added.result
        path = (Item(added.id),) if isinstance(result.data, list) else (key, Item(added.id))
        place = DocumentPlace(self.documents().open(result.file).name, format_path(path))
        if not result.written:
            return place, None
        before = None if added.before is None else self.told(added.before, path)
        return place, ValueChange(place, before, self.told(find(result.data, path)[1], path))

    def told(self, value: Json, path: KeyPath = ()) -> Told:
        """Return a value in the form of the journal, where no secret may get."""
        from omp_core.project.restoration import plain_text
        from omp_core.secrets import redact_value

        name = next((part for part in reversed(path) if isinstance(part, str)), "")
        (clean,) = redact_value({name: plain_text(value)}).values()
        return {"value": clean, "workspace": self._session.workspace_key}

    def _change(self, name: str, path: KeyPath, old: Json, new: Json) -> ValueChange | None:
        from omp_core.project.paths import format_path
        from omp_core.project.restoration import brought, find
        from omp_core.project.yaml.splice import same

        (was_there, was), (is_there, now) = find(old, path), find(new, path)
        if was_there == is_there and same(was, now):
            return None
        return ValueChange(
            DocumentPlace(name, format_path(path)),
            self.told(was, path) if was_there else None,
            self.told(now, path) | brought(old, path) if is_there else None,
        )

    def settle_branches(self, dispute: BranchDispute, chosen: Json) -> ValueChange:
        """Settle a field in dispute between branches; None leaves it out of the document.

        Taken back it is in dispute again. Raises NotFoundError when the sides are others by now.
        """
        from omp_core.project.paths import parse_path
        from omp_core.project.restoration import plain_text

        self.to_change().open(self.workspace.memory / dispute.file).settle(
            dispute.path,
            chosen,
            now=self._session.now(),
            there=chosen is not None,
            sides=(dispute.ours, dispute.theirs),
        )
        path = parse_path(dispute.path)
        before, theirs = self.told(dispute.ours, path), self.told(dispute.theirs, path)["value"]
        whole = (before["value"], theirs) == (plain_text(dispute.ours), plain_text(dispute.theirs))
        # what may not stand in the journal cannot be brought back from it
        labels = [dispute.our_label, dispute.their_label] if whole else None
        return ValueChange(
            DocumentPlace(dispute.file, dispute.path),
            before | {_BRANCHES: {"theirs": theirs, "labels": labels}},
            self.told(chosen, path),
        )

    # back and forth

    def take_back(self, change: ValueChange) -> ValueChange | None:
        """Turn a value back to what it was, in the workspace where it was set.

        What somebody changed since is merged field by field, or stays (`project.inverse`).
        Returns what that changed, None when nothing did.
        """
        from omp_core.project.paths import parse_path
        from omp_core.project.restoration import turned
        from omp_core.project.values import get_value
        from omp_core.project.workspace import Workspace

        have, want = change.after, change.before
        workspace = Workspace(Path((have or want or {})["workspace"]))
        if not workspace.omp.is_dir():
            return None
        if have and want and (_BRANCHES in want or _BRANCHES in have):
            turned_round = self._between_branches(change.place, have, want, workspace)
            return ValueChange(change.place, have, want) if turned_round else None
        path = parse_path(change.place.path)
        sides: list[Json] = []

        def back(content: Json) -> Json:
            after = turned(content, path, have, want)
            sides[:] = [get_value(content, path), get_value(after, path)]
            return after

        documents = self.to_change(workspace)
        if not documents.write(workspace.memory / change.place.file, back).written:
            return None
        was, now = (
            None if told is None else {**told, "value": self.told(value, path)["value"]}
            for value, told in zip(sides, (have, want), strict=True)
        )
        return ValueChange(change.place, was, now)

    def _between_branches(
        self, place: DocumentPlace, have: Told, want: Told, workspace: Workspace
    ) -> bool:
        """Bring a settled field into dispute again, or settle it again as it was.

        False, and nothing written, where the document says something else by now.
        """
        opened = self.to_change(workspace).open(workspace.memory / place.file)
        now = self._session.now()
        if _BRANCHES in want:
            theirs, labels = want[_BRANCHES]["theirs"], want[_BRANCHES]["labels"]
            if labels is None:
                return False
            sides = (want["value"], theirs)
            return opened.dispute(place.path, sides, tuple(labels), settled=have["value"], now=now)
        chosen, sides = want["value"], (have["value"], have[_BRANCHES]["theirs"])
        try:
            opened.settle(place.path, chosen, now=now, there=chosen is not None, sides=sides)
        except NotFoundError:  # the sides are others by now, and stay
            return False
        return True

    def invert(self, entry: JournalEntry) -> JournalEntry | None:
        """Undo or redo one journalled value; None when somebody else's doing forbids it."""
        done = self.take_back(change_of(entry))
        if done is None:
            return None
        return replace(
            entry,
            actor=self._session.actor,
            at=self._session.now(),
            before=done.before,
            after=done.after,
        )


def change_of(entry: JournalEntry) -> ValueChange:
    """Return the change of a document that a journal entry tells of."""
    before, after = (None if side is None else dict(side) for side in (entry.before, entry.after))
    return ValueChange(DocumentPlace.of(entry.record_id), before, after)
