"""The documents as rows of a list: a tree of which what is open is shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from textual.content import Content

from omp_core.i18n import _, ngettext
from omp_core.views import CommittedValue, DocumentNode, DocumentView
from omp_tui.text import MUTED, safe
from omp_tui.widgets.bars import spread
from omp_tui.widgets.list_messages import RowPlace
from omp_tui.words import age, number

Committed = Mapping[tuple[str, str], CommittedValue]
"""What differs from the last commit, by file and path."""


@dataclass(frozen=True, slots=True)
class TreeRow:
    """One line: a document, or a key or item in one (`node`)."""

    document: DocumentView
    node: DocumentNode | None
    depth: int
    open: bool
    changed: int = 0
    """How many values at or below it differ from the last commit."""

    @property
    def key(self) -> str:
        return f"{self.document.file}#{self.node.path if self.node else ''}"

    @property
    def children(self) -> tuple[DocumentNode, ...]:
        return self.document.nodes if self.node is None else self.node.children

    @property
    def line(self) -> int | None:
        """Where it stands in its file; of a damaged document where that is."""
        if self.node is not None:
            return self.node.line
        return next((one.line for one in self.document.problems if one.line), None)


def rows_of(
    documents: Sequence[DocumentView], opened: frozenset[str], committed: Committed
) -> list[TreeRow]:
    """Return the rows that are to be seen; `opened` holds the keys of those that are open."""
    rows: list[TreeRow] = []
    for document in documents:
        changed = [path for file, path in committed if file == document.file]
        top = TreeRow(document, None, 0, f"{document.file}#" in opened, len(changed))
        rows.append(top)
        if top.open:
            rows += _below(document, document.nodes, 1, opened, changed)
    return rows


def _below(
    document: DocumentView,
    nodes: Sequence[DocumentNode],
    depth: int,
    opened: frozenset[str],
    changed: Sequence[str],
) -> Iterator[TreeRow]:
    for node in nodes:
        is_open = f"{document.file}#{node.path}" in opened and bool(node.children)
        count = sum(is_at_or_below(path, node.path) for path in changed)
        yield TreeRow(document, node, depth, is_open, count)
        if is_open:
            yield from _below(document, node.children, depth + 1, opened, changed)


def is_at_or_below(path: str, above: str) -> bool:
    """Whether a path is another one, or leads through it."""
    return path == above or path.startswith((f"{above}.", f"{above}["))


def row_line(row: TreeRow, place: RowPlace, now: datetime, width: int) -> Content:
    """Return exactly `width` cells: cursor, arrow, name, value, state."""
    muted = "" if place.cursor else MUTED
    arrow = "  " if not row.children else "▾ " if row.open else "▸ "
    start = Content("▸" if place.cursor else " ")
    indent = "  " * min(row.depth, 8)
    right: list[Content] = [Content("")]
    if place.fate != "same":
        right.append(
            Content(_("changed meanwhile") if place.fate == "changed" else _("gone meanwhile"))
        )
    if row.changed:
        right.append(Content(_("·changed·")))
    if row.node is None:
        left = Content.assemble(start, indent, _sign(row.document), " ", arrow)
        left = Content.assemble(left, safe(row.document.file, width=width))
        right.append(_state(row.document))
        right.append(Content(age(row.document.modified, now)).stylize(muted))
    else:
        name = safe(row.node.name, width=max(width // 2, 8))
        left = Content.assemble(start, indent, arrow, (name.plain, "bold" if row.children else ""))
        if row.node.value is not None:
            left = Content.assemble(left, (": ", muted), safe(row.node.value, width=width))
        elif row.children:
            right.append(Content(number(len(row.children))).stylize(muted))
    right.append(Content(""))
    return spread(left, Content(" ").join(right), width)


def _sign(document: DocumentView) -> Content:
    if document.damaged:
        return Content.styled("✗", "bold $text-error")
    return Content("▲" if document.problems else "✓")


def _state(document: DocumentView) -> Content:
    if not document.problems:
        return Content("")
    first = next((one for one in document.problems if one.severity == "error"), None)
    problem = first or document.problems[0]
    if len(document.problems) > 1:
        text = ngettext("{count} problem", "{count} problems", len(document.problems))
        return Content(text.format(count=len(document.problems)))
    if problem.line is None:
        return safe(problem.message, width=30)
    return safe(
        _("line {line}: {reason}").format(line=problem.line, reason=problem.message), width=30
    )
