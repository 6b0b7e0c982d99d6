"""Reading and writing one YAML document that people edit as well.

A write locks the file, reads it again, refuses what does not parse, applies the change to what
is there now, stamps it, checks it against its schema, keeps the old version, and puts the new one
in its place in one step. Comments, order, quoting, BOM and line ends stay as they are. Whoever
saves the file from an editor meanwhile is noticed, and the change is applied to that.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from omp_core.errors import (
    DocumentDamagedError,
    DocumentError,
    SchemaError,
)
from omp_core.i18n import _
from omp_core.model import Json
from omp_core.project.atomic import locked, replace_file, write_error
from omp_core.project.backups import Backup, BackupFolder
from omp_core.project.branches import (
    BranchDispute,
    commit_of,
    joined,
    settled,
    with_choice,
    with_dispute,
)
from omp_core.project.confinement import read_regular, real_path
from omp_core.project.document_merge import FieldConflict, merge
from omp_core.project.notification import changes, stamped
from omp_core.project.schemas import Violation, load_schema, violations
from omp_core.project.source import SourceText, decode, read_source
from omp_core.project.workspace import Workspace
from omp_core.project.yaml.edit import edit
from omp_core.project.yaml.splice import same
from omp_core.project.yaml.tree import Node, parse, plain
from omp_core.settings import DocumentSettings

_MOST_ROUNDS = 20
_MOST_DIFF_LINES = 40


@dataclass(frozen=True, slots=True)
class Content:
    """A document as it was read. `mended` is whether a conflict of git in it was settled: the
    text is then not that of the file."""

    source: SourceText
    root: Node | None
    data: Json
    mended: bool = False


@dataclass(frozen=True, slots=True)
class WriteResult:
    """What a write did: the lines of the notification, and the values it left to the file.

    `written` is False when the file said so already, or when everything was in conflict.
    """

    file: Path
    written: bool
    changes: tuple[str, ...] = ()
    conflicts: tuple[FieldConflict, ...] = ()
    data: Json = None


@dataclass(frozen=True, slots=True)
class YamlFile:
    """One document of a workspace, open for reading and writing.

    `stamp` is whether writes leave `last_updated` and `_meta`; `private` whether a new file is
    the user's alone; `start` the text that a missing file begins with.
    """

    workspace: Workspace
    file: Path
    settings: DocumentSettings = DocumentSettings()  # noqa: RUF009 - a frozen value
    stamp: bool = True
    private: bool = False
    start: str = ""

    @property
    def name(self) -> str:
        """The name inside the memory folder; the settings file, which lies above, keeps its."""
        if self.file == self.workspace.config_file:
            return self.file.name
        return self.workspace.name_of(self.file)

    @property
    def backups(self) -> BackupFolder:
        return BackupFolder(self.workspace.backups, self.name, self.settings.backups_kept)

    def read(self) -> Content:
        """Read the document; a missing one is empty.

        Raises DocumentDamagedError when it does not parse, DocumentError when it cannot be read.
        """
        found = self._found()
        source = SourceText(self.file, b"", self.start, False) if found is None else settled(found)
        mended = found is not None and source.text != found.text
        root = parse(source.text, self.file)
        return Content(source, root, plain(root), mended)

    def _found(self) -> SourceText | None:
        """Return what the file holds; None where there is none, or none any more: another
        process may take it away at any moment."""
        if os.path.lexists(self.file):
            try:
                return self._source()
            except DocumentError:
                if os.path.lexists(self.file):
                    raise
        real_path(self.file, self.workspace.boundary)  # its folder may be a link
        return None

    def _source(self) -> SourceText:
        return read_source(self.file, self.workspace.boundary, self.settings.max_bytes)

    def write(self, change: Callable[[Json], Json], *, by: str, now: datetime) -> WriteResult:
        """Change the document to what `change` makes of its present content.

        `change` gets the content (None when empty), must not alter it, and may be called again
        when somebody saves the file meanwhile. Raises DocumentDamagedError, SchemaError,
        SecretFoundError, InvalidValueError, DocumentError; the file is then as it was.
        """
        real_path(self.file, self.workspace.boundary)
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise write_error(self.file, error) from error
        with locked(self.file, self.settings.lock_timeout_s):
            for _round in range(_MOST_ROUNDS):
                content = self.read()
                wanted = change(content.data)
                if same(content.data, wanted) and not content.mended:
                    return WriteResult(self.file, False, data=wanted)
                raw = self._prepared(content, wanted, by, now)
                if self._put(content.source.raw, raw, now):
                    told = changes(content.data, wanted)
                    return WriteResult(self.file, True, told, data=wanted)
        raise DocumentError(
            _(
                "{file}: not written: it is being saved by somebody else all the time. "
                "Try again when it is quiet"
            ).format(file=self.file)
        )

    def merge(self, base: Json, wanted: Json, *, by: str, now: datetime) -> WriteResult:
        """Bring a changed copy of the document back into it, field by field.

        `base` is the content that the copy was made from. A value that was changed in the file
        as well, to something else, stays as it is in the file and is returned as a conflict.
        """
        found: list[FieldConflict] = []

        def merged(current: Json) -> Json:
            document, conflicts = merge(base, current, wanted)
            found[:] = conflicts
            return document

        result = self.write(merged, by=by, now=now)
        return WriteResult(result.file, result.written, result.changes, tuple(found), result.data)

    def disputes(self) -> list[BranchDispute]:
        """Return the fields that two branches changed differently, while git's markers stand.

        Raises DocumentDamagedError when a side does not parse.
        """
        if not os.path.lexists(self.file):
            return []
        both = joined(self._source())
        if both is None or not both.conflicts:
            return []
        sides = both.sides
        commits = [commit_of(self.file, one) for one in (sides.our_label, sides.their_label)]
        return [
            BranchDispute(
                self.name, one.path, one.base, one.current, one.incoming, sides.our_label,
                sides.their_label, *commits,
            )
            for one in both.conflicts
        ]  # fmt: skip

    def settle(
        self,
        path: str,
        chosen: Json,
        *,
        now: datetime,
        there: bool = True,
        sides: tuple[Json, Json] | None = None,
    ) -> WriteResult:
        """Settle a field in dispute between branches with a value, or without it.

        The markers stay around what is still in dispute. `sides` are ours and theirs as the
        person saw them. Raises NotFoundError when the field is not in dispute, or between other
        sides, DocumentError when the rest would be disturbed.
        """
        from omp_core.secrets import ensure_clean_value

        ensure_clean_value(chosen)
        with locked(self.file, self.settings.lock_timeout_s):
            for _round in range(_MOST_ROUNDS):
                source = self._source()
                text = with_choice(source, path, chosen, there, sides)
                if self._put(source.raw, source.encoded(text), now):
                    return WriteResult(self.file, True)
        raise DocumentError(
            _(
                "{file}: not written: it is being saved by somebody else all the time. "
                "Try again when it is quiet"
            ).format(file=self.file)
        )

    def dispute(
        self,
        path: str,
        sides: tuple[Json, Json],
        labels: tuple[str, str],
        *,
        settled: Json,
        now: datetime,
    ) -> bool:
        """Bring a field that was settled between branches into dispute again.

        `sides` are ours and theirs, `settled` is what the field has to say still; None stands
        for no such field. False, and nothing written, where it says something else.
        """
        with locked(self.file, self.settings.lock_timeout_s):
            for _round in range(_MOST_ROUNDS):
                if not os.path.lexists(self.file):
                    return False
                source = self._source()
                text = with_dispute(source, path, sides, labels, settled)
                if text is None:
                    return False
                if self._put(source.raw, source.encoded(text), now):
                    return True
        raise DocumentError(
            _(
                "{file}: not written: it is being saved by somebody else all the time. "
                "Try again when it is quiet"
            ).format(file=self.file)
        )

    def versions(self) -> list[Backup]:
        """Return the kept versions, newest first."""
        return self.backups.versions()

    def restore(self, number: int, *, now: datetime) -> WriteResult:
        """Bring back a kept version, byte for byte; 1 is the newest.

        The present bytes are kept as a version first, damaged or not. Raises NotFoundError when
        there is no such version, DocumentDamagedError when that version does not parse.
        """
        real_path(self.file, self.workspace.boundary)
        with locked(self.file, self.settings.lock_timeout_s):
            version = self.backups.version(number)
            source = read_source(version.file, self.workspace.backups)
            data = plain(parse(source.text, version.file))
            try:
                present = read_regular(self.file) if os.path.lexists(self.file) else None
                if present == source.raw:
                    return WriteResult(self.file, False, data=data)
                if present is not None:
                    self.backups.keep(present, now)
                replace_file(self.file, source.raw, private=self.private)
            except OSError as error:
                raise write_error(self.file, error) from error
        return WriteResult(self.file, True, _difference_of(present, data, self.file), data=data)

    def remove(self, *, now: datetime) -> None:
        """Remove the file, keeping its bytes as a version. Call it inside `locked` only."""
        try:
            self.backups.keep(self._source().raw, now)
            self.file.unlink()
        except OSError as error:
            raise write_error(self.file, error) from error

    def _prepared(self, content: Content, wanted: Json, by: str, now: datetime) -> bytes:
        """The new bytes, after every check."""
        from omp_core.secrets import ensure_clean_value

        ensure_clean_value(_changed_part(content.data, wanted))
        document = stamped(wanted, content.data, by, now) if self.stamp else wanted
        text = edit(content.source, content.root, document)
        self._check_schema(content, document, text)
        return content.source.encoded(text)

    def _check_schema(self, content: Content, document: Json, text: str) -> None:
        schema = load_schema(self.name)
        found = violations(schema, document) if schema is not None else []
        if not found or schema is None:
            return
        known = [] if content.data is None else violations(schema, content.data)
        new = [violation for violation in found if violation not in known]
        if new:
            raise SchemaError(_explained(self.name, new, content.source.text, text))

    def _put(self, before: bytes, after: bytes, now: datetime) -> bool:
        """Keep the old version and put the new one in place; False if the file changed."""
        try:
            if before:
                self.backups.keep(before, now)
            return replace_file(self.file, after, private=self.private, expected=before)
        except OSError as error:
            raise write_error(self.file, error) from error


def _changed_part(old: Json, new: Json) -> Json:
    """What a write adds or changes, under its keys, so that old secrets do not stop it."""
    if isinstance(old, dict) and isinstance(new, dict):
        return {
            key: _changed_part(old.get(key), value)
            for key, value in new.items()
            if key not in old or not same(old[key], value)
        }
    if isinstance(old, list) and isinstance(new, list):
        pairs = enumerate(zip(old, new, strict=False))
        first = next((i for i, (one, other) in pairs if not same(one, other)), len(old))
        return [item for item in new[first:] if not any(same(item, one) for one in old[first:])]
    return new


def _explained(name: str, found: list[Violation], before: str, after: str) -> str:
    difference = list(
        difflib.unified_diff(before.splitlines(), after.splitlines(), name, "rejected", "", "", 1)
    )
    if len(difference) > _MOST_DIFF_LINES:
        difference = [*difference[:_MOST_DIFF_LINES], "…"]
    reasons = "; ".join(map(str, found[:5]))
    said = _("{name}: not written, the change does not fit its schema: {reasons}.").format(
        name=name, reasons=reasons
    )
    return "\n".join((said, *(line.rstrip("\n") for line in difference)))


def _difference_of(before: bytes | None, data: Json, file: Path) -> tuple[str, ...]:
    if before is None:
        return changes({}, data)
    try:
        return changes(plain(parse(decode(before, file).text, file)), data)
    except DocumentDamagedError:
        return (f"{file.name}: damaged → restored",)
