"""Document reader: a project's documents as they lie there, what they said before, what git has.

Only looking, but for `restore`. What a file says is read again only when the file changed.
"""

from __future__ import annotations

import contextlib
import difflib
import hashlib
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from omp_core.errors import DocumentError
from omp_core.model import Json
from omp_core.services.document_writer import DocumentWriter, ValueChange
from omp_core.session import Session
from omp_core.views import (
    CommittedValue,
    DocumentNode,
    DocumentVersion,
    DocumentView,
    GitView,
    LineProblem,
)

if TYPE_CHECKING:
    from omp_core.project.paths import KeyPath
    from omp_core.project.workspace import Workspace
    from omp_core.project.yaml.tree import Node

_YAML = (".yaml", ".yml")
_Fingerprint = tuple[int, int, int]


class DocumentReader:
    """Looks at the documents of the session's project."""

    def __init__(self, session: Session, writer: DocumentWriter) -> None:
        self._session = session
        self._writer = writer
        self._read: dict[Path, tuple[_Fingerprint, DocumentView]] = {}

    def tree(self) -> tuple[DocumentView, ...]:
        """Return every document with its values and problems, the settings file last."""
        from omp_core.project.documents import document_files

        workspace = self._writer.workspace
        files = [*document_files(workspace), workspace.pending_file, workspace.config_file]
        return tuple(self._view(file, workspace) for file in files if os.path.lexists(file))

    def _view(self, file: Path, workspace: Workspace) -> DocumentView:
        state = file.lstat()
        fingerprint = (state.st_mtime_ns, state.st_size, state.st_ino)
        held = self._read.get(file)
        if held is None or held[0] != fingerprint:
            modified = datetime.fromtimestamp(state.st_mtime, UTC)
            held = self._read[file] = (fingerprint, _view(file, workspace, modified))
        return held[1]

    def versions(self, document: str) -> tuple[DocumentVersion, ...]:
        """Return the kept versions of a document, newest first."""
        opened = self._writer.documents().open(self._file(document))
        return tuple(DocumentVersion(one.number, one.at, one.size) for one in opened.versions())

    def difference(self, document: str, number: int) -> tuple[str, ...]:
        """Return what the document says now against a kept version, as lines of a unified diff.

        A line that is only in the version begins with `-`, one that is only in the document with
        `+`. Raises NotFoundError for a version that there is not, DocumentError.
        """
        from omp_core.project.source import read_source

        workspace, file = self._writer.workspace, self._file(document)
        version = self._writer.documents().open(file).backups.version(number)
        old = read_source(version.file, workspace.backups).text
        new = read_source(file, workspace.boundary).text if file.exists() else ""
        lines = difflib.unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=2)
        return tuple(lines)[2:]

    def restore(self, document: str, number: int) -> tuple[str, tuple[ValueChange, ...] | None]:
        """Let a document say again what a kept version says.

        Returns the document's name and the values that changed. A document that cannot be read
        is replaced byte for byte, and its text kept as the newest version: None instead of the
        values, since what it said cannot be told. Raises NotFoundError, DocumentError.
        """
        from omp_core.project.source import read_source
        from omp_core.project.yaml.tree import parse, plain

        workspace, file = self._writer.workspace, self._file(document)
        opened = self._writer.to_change().open(file)
        version = opened.backups.version(number)
        wanted = plain(parse(read_source(version.file, workspace.backups).text, version.file))
        try:
            opened.read()
        except DocumentError:
            opened.restore(number, now=self._session.now())
            return opened.name, None
        paths: list[KeyPath] = []

        def change(content: Json) -> Json:
            paths[:] = [(key,) for key in dict.fromkeys([*_keys(content), *_keys(wanted)])]
            return wanted

        return opened.name, self._writer.write(file, change, paths).changes

    def committed(self) -> GitView | None:
        """Return what differs from the last commit; None where git has nothing to say.

        A document that is not in the commit is all new. May take a moment: it asks git.
        """
        from omp_core.project.identity import git_says

        workspace = self._writer.workspace
        listed = git_says(workspace.memory, "ls-tree", "-r", "-z", "HEAD", "--", ".")
        branch = git_says(workspace.memory, "rev-parse", "--abbrev-ref", "HEAD")
        if branch is None:
            return None
        blobs = dict(_blobs(listed or ""))
        found: list[CommittedValue] = []
        for view in self.tree():
            name = Path(view.file).as_posix()
            if view.path.suffix not in _YAML or workspace.memory not in view.path.parents:
                continue
            if name not in blobs or _differs(view.path, workspace, blobs[name]):
                found += self._changed(view, workspace, in_commit=name in blobs)
        return GitView(branch, tuple(found))

    def _changed(
        self, view: DocumentView, workspace: Workspace, *, in_commit: bool
    ) -> Iterator[CommittedValue]:
        from omp_core.project.identity import git_says
        from omp_core.project.paths import BOOKKEEPING
        from omp_core.project.yaml.tree import parse

        if any(problem.severity == "error" for problem in view.problems) and not view.nodes:
            return
        old: dict[str, str] = {}
        commit: tuple[str, ...] = ()
        if in_commit:
            text = git_says(workspace.memory, "show", f"HEAD:./{view.file}")
            with contextlib.suppress(DocumentError):  # the commit holds a damaged one: all is new
                old = _leaves(_nodes(parse(text or "", view.path)))
            said = git_says(
                workspace.memory, "log", "-1", "--format=%h%x00%an%x00%aI", "--", view.file
            )
            commit = tuple((said or "").split("\0"))
        name, author, at = commit if len(commit) == 3 else ("", "", "")
        moment = datetime.fromisoformat(at).astimezone(UTC) if at else None
        new = _leaves(view.nodes)
        for path in dict.fromkeys([*new, *old]):
            if old.get(path) != new.get(path) and path.split(".")[0] not in BOOKKEEPING:
                yield CommittedValue(
                    view.file, path, old.get(path), new.get(path), name, author, moment
                )

    def _file(self, document: str) -> Path:
        workspace = self._writer.workspace
        if document == workspace.config_file.name:
            return workspace.config_file
        return workspace.document(document)


def _view(file: Path, workspace: Workspace, modified: datetime) -> DocumentView:
    from omp_core.project.source import read_source
    from omp_core.project.validation import validate
    from omp_core.project.yaml.plain import is_theme_book
    from omp_core.project.yaml.tree import parse

    problems = tuple(
        LineProblem(one.line, one.message, one.severity) for one in validate(file, workspace)
    )
    nodes: tuple[DocumentNode, ...] = ()
    if file.suffix in _YAML:
        with contextlib.suppress(DocumentError):  # it is among the problems
            text = read_source(file, workspace.boundary).text
            # a theme book is machine-written and large; its mode shows it
            nodes = () if is_theme_book(text) else _nodes(parse(text, file))
    name = file.name if file == workspace.config_file else workspace.name_of(file)
    return DocumentView(name, file, modified, problems, nodes)


def _nodes(root: Node | None, above: KeyPath = ()) -> tuple[DocumentNode, ...]:
    from omp_core.project.paths import Item, Part, format_path, identity_of
    from omp_core.project.yaml.tree import key_text

    if root is None:
        return ()
    real = root.real
    parts: list[tuple[Part, str, Node]] = [
        (key_text(key), key_text(key), value) for key, value in real.pairs
    ]
    for index, item in enumerate(real.items):
        named = identity_of(item)
        parts.append((index if named is None else Item(named), named or f"[{index}]", item))
    made = []
    for part, name, node in parts:
        path = (*above, part)
        children = _nodes(node, path)
        value = None if node.real.pairs or node.real.items else node.real.text
        made.append(DocumentNode(format_path(path), name, value, node.line, children))
    return tuple(made)


def _leaves(nodes: tuple[DocumentNode, ...]) -> dict[str, str]:
    found: dict[str, str] = {}
    for node in nodes:
        if node.value is not None:
            found[node.path] = node.value
        found |= _leaves(node.children)
    return found


def _keys(content: Json) -> list[str]:
    return [str(key) for key in content] if isinstance(content, dict) else []


def _blobs(listed: str) -> Iterator[tuple[str, str]]:
    """Yield name and hash of what `git ls-tree -r -z` lists."""
    for line in listed.split("\0"):
        about, tab, name = line.partition("\t")
        if tab:
            yield name, about.split(" ")[-1]


def _differs(file: Path, workspace: Workspace, blob: str) -> bool:
    """Whether a file is not byte for byte what git keeps under this hash."""
    from omp_core.project.source import read_source

    try:
        raw = read_source(file, workspace.boundary).raw
    except DocumentError:  # it is damaged, which its problems say
        return False
    digest = hashlib.sha1 if len(blob) == 40 else hashlib.sha256
    return digest(b"blob %d\0%b" % (len(raw), raw), usedforsecurity=False).hexdigest() != blob
