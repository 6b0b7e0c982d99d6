"""Changing a YAML text so that only what changed changes.

The new content is compared with the old, value by value, and only the differing places are
replaced in the text: comments, order, quoting, indentation and line ends elsewhere are the very
same bytes, because nothing touches them. (Dumping the whole tree anew, as round-trip dumpers do,
re-indents, re-quotes and moves comments.) The result is parsed again: if it does not say exactly
what it should, or a comment is missing, the change is refused.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from omp_core.errors import DocumentDamagedError, DocumentError
from omp_core.i18n import _
from omp_core.model import Json
from omp_core.project.source import SourceText
from omp_core.project.yaml.splice import Disturbance, Splices, same
from omp_core.project.yaml.tree import Node, parse, plain

_COMMENT = re.compile(r"(?:(?<=[\s,\[\]{}])|^)#[^\r\n]*", re.MULTILINE)
_LINE_END = re.compile(r"[\r\n]|\Z")


def edit(source: SourceText, root: Node | None, new: Json) -> str:
    """Return the text of a document changed to say `new`, all other bytes the same.

    Raises DocumentError when that cannot be done without disturbing something else, and
    InvalidValueError for a value that YAML text cannot hold.
    """
    if same(plain(root), new):
        return source.text
    splices = Splices(source, root)
    try:
        splices.root(new)
        text = splices.applied()
        changed = parse(text, source.file)
    except Disturbance as error:
        raise _refusal(source.file, str(error)) from error
    except DocumentDamagedError as error:
        raise _refusal(
            source.file, _("the result would not parse ({reason})").format(reason=error.reason)
        ) from error
    if not same(plain(changed), new):
        raise _refusal(source.file, _("another value would change with it"))
    kept = Counter(comments(text, changed))
    if Counter(comments(source.text, root, splices.deleted)) - kept:
        raise _refusal(source.file, _("a comment would be lost"))
    return text


def comments(text: str, root: Node | None, deleted: Iterable[tuple[int, int]] = ()) -> list[str]:
    """Return the comments of a document, leaving out those in deleted stretches."""
    nodes = root.walk() if root is not None else ()
    scalars = sorted(span for node in nodes if (span := _signs(text, node)))
    gone = list(deleted)
    return [
        match.group().rstrip()
        for match in _COMMENT.finditer(text)
        if not _within(match.start(), scalars)
        and not any(start <= match.start() < end for start, end in gone)
    ]


def _within(offset: int, spans: list[tuple[int, int]]) -> bool:
    """Whether an offset lies in one of the spans, which are sorted and apart."""
    before = bisect_right(spans, (offset, len(spans) and spans[-1][1])) - 1
    return before >= 0 and offset < spans[before][1]


def _signs(text: str, node: Node) -> tuple[int, int] | None:
    """Where a scalar's own signs lie; a `#` in there is no comment."""
    if node.kind != "scalar" or node.start == node.end:
        return None
    if node.style in ("|", ">"):
        end_of_head = _LINE_END.search(text, node.start)
        return (end_of_head.start() if end_of_head else node.end, node.end)
    return (node.start, node.end)


def _refusal(file: Path, reason: str) -> DocumentError:
    return DocumentError(
        _(
            "{file}: this change cannot be made without disturbing the rest of the "
            "file: {reason}. The file is left as it is; make the change by hand."
        ).format(file=file, reason=reason)
    )
