"""What stands beside the documents, and above them: pure functions of a row and a width."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from textual.content import Content

from omp_core.i18n import _, ngettext
from omp_core.views import CommittedValue, DocumentNode, DocumentVersion, DocumentView, GitView
from omp_tui.panes.project.rows import Committed, TreeRow, is_at_or_below
from omp_tui.text import MUTED, safe
from omp_tui.words import ago

_MOST = 3_000
_SHOWN = 40
_TIMES = ("date", "at", "time", "timestamp", "started", "start", "created_at", "ended", "end")
_TITLES = ("title", "summary", "name", "what", "id")
_SAID = ("choice", "decision", "type", "status")


@dataclass(frozen=True, slots=True)
class DocumentDetail:
    """A row with what is known of its document; what is None was not read yet."""

    row: TreeRow
    committed: Committed
    versions: tuple[DocumentVersion, ...] | None
    now: datetime


@dataclass(frozen=True, slots=True)
class ProjectHead:
    """What stands above the documents. `git` is None where git has nothing to say."""

    name: str
    documents: tuple[DocumentView, ...]
    git: GitView | None


def head_lines(head: ProjectHead, width: int) -> list[Content]:
    """Return the project, its branch, what is damaged, what is not committed, on one line."""
    count = len(head.documents)
    parts = [safe(head.name, width=30).stylize("bold")]
    if head.git is not None:
        parts.append(safe(head.git.branch, width=24))
    parts.append(
        Content(ngettext("{count} document", "{count} documents", count).format(count=count))
    )
    if damaged := sum(one.damaged for one in head.documents):
        text = ngettext("{count} damaged", "{count} damaged", damaged).format(count=damaged)
        parts.append(Content.styled(text, "bold $text-error"))
    if wrong := sum(bool(one.problems) and not one.damaged for one in head.documents):
        text = ngettext("{count} with problems", "{count} with problems", wrong)
        parts.append(Content.styled(text.format(count=wrong), "$text-warning"))
    if head.git is not None and (changed := len(head.git.changed)):
        text = ngettext(
            "changed since the last commit: {count} fact",
            "changed since the last commit: {count} facts",
            changed,
        )
        parts.append(Content(text.format(count=changed)))
    return [Content(" · ").join(parts).truncate(width, ellipsis=True)]


def detail_lines(detail: DocumentDetail, width: int) -> list[Content]:
    """Return everything about a document or a value in it."""
    row = detail.row
    document = row.document
    lines: list[Content] = []
    if row.node is None:
        lines += _problems(document, width)
        lines += _time_line(document, width)
        lines.append(safe(_place(document.path), width=width).stylize(MUTED))
    else:
        text = row.node.value if row.node.value is not None else _outline(row.node)
        lines += safe(text[:_MOST]).wrap(width) or [Content("")]
        place = _("{file}, line {line}").format(file=document.file, line=row.node.line)
        lines.append(safe(place, width=width).stylize(MUTED))
    lines += _uncommitted(detail, width)
    lines += _versions(detail.versions, detail.now, width)
    return lines


def _place(path: Path) -> str:
    """Return where a document lies in its project; all of the path where it lies elsewhere."""
    within = path.parts[path.parts.index("_omp") :] if "_omp" in path.parts else path.parts
    return str(Path(*within))


def _problems(document: DocumentView, width: int) -> Iterator[Content]:
    for problem in document.problems:
        sign = "✗" if problem.severity == "error" else "▲"
        style = "$text-error" if problem.severity == "error" else "$text-warning"
        text = problem.message
        if problem.line is not None:
            text = _("line {line}: {reason}").format(line=problem.line, reason=text)
        yield from safe(f"{sign} {text}").stylize(style).wrap(width)
    if document.damaged:
        yield from Content.styled(
            _("It is shown and never written until it is mended: E opens it at the line."), MUTED
        ).wrap(width)
    if not document.problems:
        yield Content(_("✓ valid"))


def _time_line(document: DocumentView, width: int) -> list[Content]:
    """Return the entries of a document that have times, the newest first."""
    entries = [
        (when, node)
        for group in document.nodes
        for node in group.children
        if node.children and (when := _child(node, _TIMES)) is not None
    ]
    lines: list[Content] = []
    for when, node in sorted(entries, key=lambda entry: entry[0], reverse=True)[:_SHOWN]:
        title, said = _child(node, _TITLES) or node.name, _child(node, _SAID)
        text = title if said is None else f"{title}: {said}"
        lines.append(
            Content.assemble((when[:10].ljust(10), MUTED), "  ", safe(text, width=width - 12))
        )
    rest = len(entries) - len(lines)
    if rest > 0:
        more = ngettext("… and {count} older", "… and {count} older", rest)
        lines.append(Content.styled(more.format(count=rest), MUTED))
    return [Content(""), *lines, Content("")] if lines else []


def _child(node: DocumentNode, names: Sequence[str]) -> str | None:
    held = {child.name: child.value for child in node.children}
    return next((held[name] for name in names if held.get(name)), None)


def _outline(node: DocumentNode) -> str:
    lines = []
    for child in node.children:
        value = child.value if child.value is not None else f"({len(child.children)})"
        lines.append(f"{child.name}: {value}")
    return "\n".join(lines)


def _uncommitted(detail: DocumentDetail, width: int) -> Iterator[Content]:
    row = detail.row
    found = [
        one
        for (file, path), one in detail.committed.items()
        if file == row.document.file and (row.node is None or is_at_or_below(path, row.node.path))
    ]
    if not found:
        return
    yield Content("")
    yield Content.styled(_("not committed yet"), "bold")
    for one in found[:_SHOWN]:
        text = one.path if row.node is None or row.node.path != one.path else ""
        yield from safe(f"{text} {_was(one, detail.now)}".strip()).wrap(width)


def _was(one: CommittedValue, now: datetime) -> str:
    if one.old is None:
        return _("is new: {value}").format(value=one.new)
    if one.at is None:
        return _("was {old}").format(old=one.old)
    text = _("was {old} ({commit}, {author}, {ago})")
    return text.format(old=one.old, commit=one.commit, author=one.author, ago=ago(one.at, now))


def _versions(
    versions: tuple[DocumentVersion, ...] | None, now: datetime, width: int
) -> Iterator[Content]:
    if not versions:
        return
    yield Content("")
    times = " · ".join(ago(one.at, now) for one in versions[:5])
    text = _("older versions: {times}; o compares and brings one back").format(times=times)
    yield from Content.styled(text, MUTED).wrap(width)


def nothing(project: bool) -> Content:
    """Return what stands in place of an empty list: why, and what to press."""
    if project:
        what = _("This project has no documents yet.")
        more = _("n writes a decision, a fact, a change or a session; agents write them too.")
    else:
        what = _("There is no project here.")
        more = _("i sets one up: it makes _omp/ in this directory, for facts beside the code.")
    return Content("\n\n").join([Content.styled(what, "bold"), Content.styled(more, MUTED)])
