"""The replacements that bring a YAML text from one content to another."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from omp_core.i18n import _
from omp_core.model import Json
from omp_core.project.source import SourceText
from omp_core.project.yaml.render import (
    block,
    inline,
    item_lines,
    key,
    literal_lines,
    value_lines,
)
from omp_core.project.yaml.tree import Node, is_merge, key_text, plain

_BLANK = re.compile(r"(?:[ \t\r\n]|(?:(?<=[ \t\r\n])|^)#[^\r\n]*)*", re.MULTILINE)
_PROPERTIES = re.compile(r"(?:[&!]\S*(?:[ \t]+|(?=[\r\n])|\Z))*")
_LINE_END = re.compile(r"[\r\n]|\Z")
_BLOCK_HEAD = re.compile(r"[|>][-+0-9]*")
_INDENTED = re.compile(r"^([ ]*)[^ \r\n]", re.MULTILINE)


class Disturbance(Exception):
    """The change cannot be made in place."""


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a value belongs: behind a key or a dash, whose column (from 0) is given."""

    after: int
    column: int
    flow: bool = False
    item: bool = False
    lead: str = " "


def same(one: Json, other: Json) -> bool:
    """Whether two values are equal and of one kind: 1, 1.0 and true are three things."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[k], other[k]) for k in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, str) and isinstance(other, str):
        return one == other
    return type(one) is type(other) and bool(one == other)


class Splices:
    """Compares the tree with the new content and collects what to replace.

    `deleted` are the stretches that go on purpose, comments in them included.
    """

    def __init__(self, source: SourceText, root: Node | None) -> None:
        self._text = source.text
        self._newline = source.newline
        self._root = root
        self._step = _step(root)
        self._splices: list[tuple[int, int, str]] = []
        self.deleted: list[tuple[int, int]] = []

    def applied(self) -> str:
        """Return the text with all replacements made."""
        parts: list[str] = []
        position = 0
        for start, end, replacement in sorted(self._splices, key=lambda splice: splice[:2]):
            if start < position and (replacement or parts[-1]):
                raise Disturbance(_("two changes meet in one place"))
            parts += [self._text[position:start], replacement]
            position = max(position, end)
        return "".join(parts) + self._text[position:]

    def root(self, new: Json) -> None:
        """Collect the replacements for the whole document."""
        root = self._root
        if root is None and isinstance(new, dict | list):
            body = self._newline.join(block(new, 0, self._step))
            open_line = bool(self._text) and self._text[-1] not in "\r\n"
            added = self._newline + body if open_line else body + self._newline
            self._splice(len(self._text), len(self._text), added)
        elif root is not None and root.kind in ("map", "list") and isinstance(new, dict | list):
            self._change(root, plain(root), new, None)
        else:
            raise Disturbance(_("it does not hold keys and values"))

    # What changed

    def _change(self, node: Node, old: Json, new: Json, place: _Place | None) -> None:
        if same(old, new):
            return
        if node.kind == "map" and isinstance(new, dict) and node.pairs and new:
            self._map(node, old, new)
        elif node.kind == "list" and isinstance(new, list) and node.items and new:
            self._list(node, old, new)
        elif node.kind == "alias" and isinstance(old, dict | list) and type(old) is type(new):
            raise Disturbance(
                _("it is shared by *{anchor} with another place").format(anchor=node.text)
            )
        else:
            if not new and isinstance(new, dict | list):
                self.deleted.append((node.start, self._end(node)))
            self._replace(node, new, place)

    def _map(self, node: Node, old: dict[str, Json], new: dict[str, Json]) -> None:
        own = [(key_text(name), name, value) for name, value in node.pairs if not is_merge(name)]
        gone = [name for name, _, _ in own if name not in new]
        if (gone and node.flow) or len(gone) == len(node.pairs):
            self._replace(node, new, None)
            return
        starts = [name.start for name, _ in node.pairs[1:]] + [None]
        following = dict(zip((name.start for name, _ in node.pairs), starts, strict=True))
        column = self._column(node.pairs[0][0].start)
        for text, name, value in own:
            if text in new:
                self._change(value, old[text], new[text], self._place_behind(name, node.flow))
            else:
                self._delete(name.start, self._end_of_pair(name, value), following[name.start])
        names = {name for name, _, _ in own}
        added = {
            name: value
            for name, value in new.items()
            if name not in names and not (name in old and same(old[name], value))
        }
        if added and node.flow:
            pairs = [f"{key(name)}: {inline(value, flow=True)}" for name, value in added.items()]
            self._add_to_flow(node, self._end_of_pair(*node.pairs[-1]), pairs)
        elif added:
            first, *rest = block(added, column, self._step)
            self._below(self._end_of_pair(*node.pairs[-1]), [" " * column + first, *rest])

    def _list(self, node: Node, old: list[Json], new: list[Json]) -> None:
        kept = _kept(old, new)
        if node.flow and (kept is not None or len(new) < len(old)):
            self._replace(node, new, None)
            return
        dashes = self._dashes(node)
        for index, (item, dash) in enumerate(zip(node.items, dashes, strict=True)):
            if kept is not None and index in kept:
                continue
            if kept is None and index < len(new):
                place = _Place(dash + 1, self._column(dash), node.flow, item=True)
                self._change(item, old[index], new[index], place)
            else:
                following = dashes[index + 1] if index + 1 < len(dashes) else None
                self._delete(dash, self._end_of_item(item, dash), following)
        added = new[len(old) :]
        end = self._end_of_item(node.items[-1], dashes[-1])
        if added and node.flow:
            self._add_to_flow(node, end, [inline(item, flow=True) for item in added])
        elif added:
            column = self._column(dashes[0])
            lines = [line for item in added for line in item_lines(item, column, self._step)]
            self._below(end, lines)

    # How it is replaced

    def _replace(self, node: Node, new: Json, place: _Place | None) -> None:
        start, end = self._body(node), self._end(node)
        if place is None:
            if not node.flow:
                start = node.start
            self._splice(start, end, inline(new, flow=node.flow))
        elif node.start == node.end:
            self._fill(new, place)
        elif place.flow:
            gap = " " if start == end and self._text[start - 1] not in " \t" else ""
            self._splice(start, end, gap + inline(new, style=node.style, flow=True))
        elif node.style in ("|", ">"):
            self._replace_block_scalar(node, new, place)
        elif node.kind in ("map", "list") and not node.flow:
            self._replace_block(node, new, place)
        else:
            self._replace_inline(node, new, place)

    def _fill(self, new: Json, place: _Place) -> None:
        """Give an empty place a value."""
        if place.flow or place.lead != " ":
            self._splice(place.after, place.after, place.lead + inline(new, flow=place.flow))
            return
        first, rest = self._lines(new, place)
        if first:
            self._splice(place.after, place.after, " " + first)
        if rest:
            self._below(place.after, rest)

    def _replace_inline(self, node: Node, new: Json, place: _Place) -> None:
        start, end = self._body(node), self._end(node)
        first, rest = self._lines(new, place, node.style)
        if not first and not self._text[place.after : start].strip():
            start = place.after
        gap = " " if start == end and self._text[start - 1] not in " \t" else ""
        self._splice(start, end, gap + first)
        if rest:
            self._below(end, rest)

    def _replace_block(self, node: Node, new: Json, place: _Place) -> None:
        start, end = self._first(node), self._end(node)
        column = self._column(start)
        if isinstance(new, dict | list) and new:
            self._splice(start, end, self._newline.join(block(new, column, self._step)))
            return
        first, rest = self._lines(new, place)
        if place.item:
            self._splice(start, end, self._newline.join([first, *rest]))
            return
        end_of_line = self._line_end(place.after)
        self._splice(place.after, place.after, " " + first)
        self._splice(end_of_line, end, "".join(self._newline + line for line in rest))

    def _replace_block_scalar(self, node: Node, new: Json, place: _Place) -> None:
        start, end = self._body(node), self._end(node)
        head = _BLOCK_HEAD.match(self._text, start)
        end_of_head = self._line_end(start)
        if head is None:
            raise Disturbance(_("a block of text begins in an unknown way"))
        body = _INDENTED.search(self._text, end_of_head, end)
        margin = len(body[1]) if body else place.column + self._step
        lines = literal_lines(new, margin) if isinstance(new, str) else None
        if lines and node.style == ">" and len(lines) == 2:
            lines[0] = lines[0].replace("|", ">")
        first, *rest = lines or (inline(new),)
        if isinstance(new, dict | list) and new:
            first, rest = self._lines(new, place)
        self._splice(start, head.end(), first)
        self._splice(end_of_head, end, "".join(self._newline + line for line in rest))

    def _lines(self, new: Json, place: _Place, style: str = "") -> tuple[str, list[str]]:
        """The value's first line, which follows key or dash, and the lines below it."""
        if style in ("'", '"') and isinstance(new, str):
            return inline(new, style=style), []
        if place.item:
            first, *rest = item_lines(new, place.column, self._step)
            return first[place.column + 2 :], rest
        first, *rest = value_lines(new, place.column, self._step)
        return first.lstrip(" "), rest

    def _add_to_flow(self, node: Node, end: int, texts: Iterable[str]) -> None:
        between = self._text[end : node.end - 1]
        comma = between.find(",")
        added = ", ".join(texts)
        if comma >= 0 and "#" not in between[:comma]:
            self._splice(end + comma + 1, end + comma + 1, f" {added}")
        else:
            self._splice(end, end, f", {added}")

    def _delete(self, start: int, end: int, following: int | None) -> None:
        """Remove a pair or an item with its lines; `following` is where the next one begins."""
        line = self._line_start(start)
        if self._text[line:start].strip(" "):
            if following is None:
                raise Disturbance(_("it shares its line with something that stays"))
            self._splice(start, following, "")
            return
        # The line end before goes, not the one behind: whatever is put below this line
        # begins there. Only the first line of the file has none before it.
        stop = self._line_end(end)
        if line:
            line -= 2 if self._text[line - 2 : line] == "\r\n" else 1
        else:
            stop += 2 if self._text[stop : stop + 2] == "\r\n" else 1
        self._splice(line, stop, "")
        self.deleted.append((line, stop))

    def _below(self, end: int, lines: Iterable[str]) -> None:
        """Put whole lines under the line that holds `end`."""
        position = self._line_end(end)
        self._splice(position, position, "".join(self._newline + line for line in lines))

    def _splice(self, start: int, end: int, replacement: str) -> None:
        if start != end or replacement:
            self._splices.append((start, end, replacement))

    # Where things lie

    def _place_behind(self, name: Node, flow: bool) -> _Place:
        end = self._end(name)
        position = self._skip_blank(end)
        column = self._column(name.start)
        if self._text[position : position + 1] == ":":
            return _Place(position + 1, column, flow)
        return _Place(end, column, flow, lead=": ")

    def _end_of_pair(self, name: Node, value: Node) -> int:
        if value.start == value.end:
            return self._place_behind(name, flow=False).after
        return self._end(value)

    def _end_of_item(self, item: Node, dash: int) -> int:
        return dash + 1 if item.start == item.end else self._end(item)

    def _end(self, node: Node) -> int:
        """Where the last sign of a node ends, blank lines and comments behind it left out."""
        if node.kind == "map" and not node.flow:
            return self._end_of_pair(*node.pairs[-1])
        if node.kind == "list" and not node.flow:
            return self._end_of_item(node.items[-1], self._dashes(node)[-1])
        if node.style in ("|", ">"):
            head = _BLOCK_HEAD.match(self._text, self._body(node))
            text = self._text[node.start : node.end]
            if head is not None and "+" in head.group():
                return node.start + len(text.removesuffix("\n").removesuffix("\r"))
            return min(self._line_end(node.start + len(text.rstrip())), node.end)
        return node.end

    def _body(self, node: Node) -> int:
        """Where a node begins behind its anchor and tag."""
        if (node.anchor is None and node.tag is None) or node.kind == "alias":
            return node.start
        match = _PROPERTIES.match(self._text, node.start, node.end)
        return match.end() if match else node.start

    def _first(self, node: Node) -> int:
        """Where the first key or dash of a block collection stands."""
        return node.pairs[0][0].start if node.kind == "map" else self._dashes(node)[0]

    def _dashes(self, node: Node) -> list[int]:
        """Where the dash of each item is; in a flow list, where the item begins."""
        if node.flow:
            return [item.start for item in node.items]
        dashes = []
        position = self._skip_blank(self._body(node))
        for item in node.items:
            if self._text[position : position + 1] != "-":
                raise Disturbance(_("a list is written in an unusual way"))
            dashes.append(position)
            position = self._skip_blank(self._end_of_item(item, position))
        return dashes

    def _skip_blank(self, offset: int) -> int:
        match = _BLANK.match(self._text, offset)
        return match.end() if match else offset

    def _line_end(self, offset: int) -> int:
        match = _LINE_END.search(self._text, offset)
        return match.start() if match else len(self._text)

    def _line_start(self, offset: int) -> int:
        return max(self._text.rfind("\n", 0, offset), self._text.rfind("\r", 0, offset)) + 1

    def _column(self, offset: int) -> int:
        return offset - self._line_start(offset)


def _kept(old: list[Json], new: list[Json]) -> set[int] | None:
    """Which items stay, when the new list is the old one with items left out; else None."""
    if len(new) >= len(old):
        return None
    kept: set[int] = set()
    for index, item in enumerate(old):
        if len(kept) < len(new) and same(item, new[len(kept)]):
            kept.add(index)
    return kept if len(kept) == len(new) else None


def _step(root: Node | None) -> int:
    """By how many columns the document indents, 2 when nothing tells."""
    for node in root.walk() if root is not None else ():
        for name, value in node.pairs:
            if value.kind == "map" and value.pairs and not node.flow and not value.flow:
                step = value.pairs[0][0].column - name.column
                if 1 <= step <= 8:
                    return step
    return 2
