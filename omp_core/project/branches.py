"""Documents that git left with conflict markers: both sides, what differs, what settles itself.

Both sides of the text are read as documents of their own and merged field by field over their
base: that of git's index while the merge is open, else what both sides have in common, so that
nothing of either side is lost. What only our bookkeeping differs in, or what merges, is settled
by us; the other fields are for a person (design, section 7).
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from omp_core.errors import DocumentError
from omp_core.i18n import _
from omp_core.model import Json
from omp_core.project.document_merge import FieldConflict, item_identity, merge
from omp_core.project.identity import git_says
from omp_core.project.notification import MAX_LINES
from omp_core.project.source import SourceText
from omp_core.project.yaml.edit import edit
from omp_core.project.yaml.splice import same
from omp_core.project.yaml.tree import Node, parse, plain

_MARK = re.compile(r"(?P<sign><{7}|\|{7}|={7}|>{7})(?: (?P<label>.*))?")


@dataclass(frozen=True, slots=True)
class Sides:
    """The two whole texts that a marked text stands for, and the names git gave them."""

    ours: str
    theirs: str
    our_label: str
    their_label: str


@dataclass(frozen=True, slots=True)
class Commit:
    """The commit that a side comes from, as far as git tells: short id, author, ISO date."""

    id: str
    author: str
    date: str


@dataclass(frozen=True, slots=True)
class BranchDispute:
    """A field that two branches changed to different values; None where one removed it."""

    file: str
    path: str
    base: Json
    ours: Json
    theirs: Json
    our_label: str
    their_label: str
    our_commit: Commit | None = None
    their_commit: Commit | None = None


@dataclass(frozen=True, slots=True)
class Joined:
    """Both sides brought together: content with ours where they disagree, and where they do."""

    sides: Sides
    our_root: Node | None
    content: Json
    conflicts: tuple[FieldConflict, ...]


def sides_of(text: str) -> Sides | None:
    """Return both sides of a text with conflict markers, None when it has no whole ones."""
    ours: list[str] = []
    theirs: list[str] = []
    labels = {"<": "", ">": ""}
    state = ""
    found = False
    for line in text.splitlines(keepends=True):
        mark = _MARK.fullmatch(line.rstrip("\r\n"))
        sign = mark["sign"][0] if mark else ""
        if sign == "<" and not state:
            state, labels["<"] = "<", (mark["label"] if mark else "") or labels["<"]
        elif (sign == "|" and state == "<") or (sign == "=" and state in ("<", "|")):
            state = sign
        elif sign == ">" and state == "=":
            state, labels[">"], found = "", (mark["label"] if mark else "") or labels[">"], True
        elif sign in ("<", ">"):
            return None
        else:
            if state in ("", "<"):
                ours.append(line)
            if state in ("", "="):
                theirs.append(line)
    if state or not found:
        return None
    return Sides("".join(ours), "".join(theirs), labels["<"], labels[">"])


def joined(source: SourceText) -> Joined | None:
    """Return both sides of a document brought together; None without whole markers.

    Raises DocumentDamagedError when a side does not parse.
    """
    sides = sides_of(source.text)
    if sides is None:
        return None
    our_root = parse(sides.ours, source.file)
    ours, theirs = plain(our_root), plain(parse(sides.theirs, source.file))
    base = _base(source.file)
    content, conflicts = merge(_common(ours, theirs) if base is None else base, ours, theirs)
    if isinstance(content, dict) and isinstance(ours, dict) and isinstance(theirs, dict):
        content = {**content, **_bookkeeping(ours, theirs)}
    return Joined(sides, our_root, content, tuple(conflicts))


def settled(source: SourceText) -> SourceText:
    """Return the source with its text settled, as far as no field needs a person.

    Otherwise it is returned as it is, and reading it says that a conflict is not settled.
    `raw` stays what the file holds.
    """
    if "<<<<<<<" not in source.text:
        return source
    try:
        both = joined(source)
        if both is None or both.conflicts:
            return source
        return replace(source, text=edit(_ours(source, both), both.our_root, both.content))
    except DocumentError:
        return source


def with_choice(
    source: SourceText, path: str, chosen: Json, there: bool, sides: tuple[Json, Json] | None = None
) -> str:
    """Return the text with one disputed field settled on both sides, markers for the rest.

    `there` is False to leave the field out, `sides` are ours and theirs as they have to be
    still. Raises DocumentError when that disturbs something else, NotFoundError for a path that
    is not in dispute.
    """
    from omp_core.errors import NotFoundError
    from omp_core.project.paths import parse_path
    from omp_core.project.values import remove_value, set_value

    both = joined(source)
    held = [
        conflict
        for conflict in (() if both is None else both.conflicts)
        if conflict.path == path
        and (sides is None or same([conflict.current, conflict.incoming], list(sides)))
    ]
    if both is None or not held:
        raise NotFoundError(
            _("{path} of {file} is not in dispute between branches").format(
                path=path, file=source.file.name
            )
        )
    texts = []
    for side in (both.sides.ours, both.sides.theirs):
        root = parse(side, source.file)
        content, parts = plain(root), parse_path(path)
        try:
            content = set_value(content, parts, chosen) if there else remove_value(content, parts)
        except NotFoundError:
            if there:
                raise
        texts.append(edit(replace(source, text=side), root, content))
    rest = replace(source, text=_marked(texts[0], texts[1], both.sides))
    return settled(rest).text


def with_dispute(
    source: SourceText,
    path: str,
    sides: tuple[Json, Json],
    labels: tuple[str, str],
    held: Json,
) -> str | None:
    """Return the text with a field in dispute again, None where it is not `held` any more.

    None as a value stands for no such field. Markers that are there stay, with their labels.
    """
    from omp_core.project.paths import parse_path
    from omp_core.project.restoration import dated, find
    from omp_core.project.values import remove_value, set_value

    both = joined(source)
    texts = (source.text, source.text) if both is None else (both.sides.ours, both.sides.theirs)
    parts = parse_path(path)
    marked = []
    for text, wanted in zip(texts, sides, strict=True):
        root = parse(text, source.file)
        content = plain(root)
        there, value = find(content, parts)
        if there != (held is not None) or not same(value, held):
            return None
        if wanted is not None:
            content = set_value(content, parts, dated(wanted))
        elif there:
            content = remove_value(content, parts)
        marked.append(edit(replace(source, text=text), root, content))
    named = Sides("", "", *labels) if both is None else both.sides
    return _marked(marked[0], marked[1], named)


def commit_of(file: Path, label: str) -> Commit | None:
    """Return the commit that last changed the file on the branch that a label names."""
    revision = label.partition(":")[0].split(" ")[0] or "HEAD"
    if revision.startswith("-"):
        return None
    said = git_says(
        file.parent, "log", "-1", "--format=%h%x00%an%x00%aI", revision, "--", file.name
    )
    parts = (said or "").split("\0")
    return Commit(*parts) if len(parts) == 3 else None


def _ours(source: SourceText, both: Joined) -> SourceText:
    return replace(source, text=both.sides.ours)


def _base(file: Path) -> Json:
    """The content that both sides started from, while git holds the merge open."""
    text = git_says(file.parent, "show", f":1:./{file.name}")
    if text is None:
        return None
    try:
        return plain(parse(text, file))
    except DocumentError:
        return None


def _common(ours: Json, theirs: Json) -> Json:
    """What both sides hold; what only one has counts as added by it."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        return {
            key: _common(value, theirs[key])
            for key, value in ours.items()
            if key in theirs and (same(value, theirs[key]) or isinstance(value, dict | list))
        }
    if isinstance(ours, list) and isinstance(theirs, list):
        named = {name: item for item in theirs if (name := item_identity(item)) is not None}
        if named:
            return [
                _common(item, named[name])
                for item in ours
                if (name := item_identity(item)) is not None and name in named
            ]
        pairs = zip(ours, theirs, strict=False)
        count = next((at for at, (a, b) in enumerate(pairs) if not same(a, b)), None)
        return ours[: min(len(ours), len(theirs)) if count is None else count]
    return ours if same(ours, theirs) else None


def _bookkeeping(ours: Mapping[str, Json], theirs: Mapping[str, Json]) -> dict[str, Json]:
    """`last_updated` and `_meta` of the later side, with the changes of both."""
    later, earlier = (
        (theirs, ours)
        if str(theirs.get("last_updated", "")) > str(ours.get("last_updated", ""))
        else (ours, theirs)
    )
    kept = {key: later.get(key, earlier.get(key)) for key in ("last_updated", "_meta")}
    meta = kept["_meta"]
    if isinstance(meta, dict):
        lines: dict[Json, None] = {}
        for side in (earlier, later):
            told = side["_meta"].get("changes") if isinstance(side.get("_meta"), dict) else None
            lines |= dict.fromkeys(line for line in told or () if isinstance(line, str))
        kept["_meta"] = {**meta, **({"changes": list(lines)[-MAX_LINES:]} if lines else {})}
    return {key: value for key, value in kept.items() if value is not None}


def _marked(ours: str, theirs: str, sides: Sides) -> str:
    """One text with conflict markers around the lines that differ."""
    left, right = ours.splitlines(keepends=True), theirs.splitlines(keepends=True)
    out: list[str] = []
    for tag, a, b, c, d in difflib.SequenceMatcher(None, left, right, False).get_opcodes():
        if tag == "equal":
            out += left[a:b]
            continue
        out += [f"<<<<<<< {sides.our_label}\n", *_ended(left[a:b]), "=======\n"]
        out += [*_ended(right[c:d]), f">>>>>>> {sides.their_label}\n"]
    return "".join(out)


def _ended(lines: list[str]) -> list[str]:
    return [line if line.endswith("\n") else f"{line}\n" for line in lines]
