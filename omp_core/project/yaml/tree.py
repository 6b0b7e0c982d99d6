"""A YAML document as nodes that know their place in the text.

ruamel.yaml scans and parses; its events carry exact character offsets, which is what reading
with line numbers and changing one value in place both need. Scalars are read by the YAML 1.2
core schema: dates, `no` and `12:30` are text, and every node keeps the text as it was written.
"""

from __future__ import annotations

import json
import math
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

from omp_core.errors import DocumentDamagedError
from omp_core.i18n import _
from omp_core.model import Json

if TYPE_CHECKING:
    from ruamel.yaml.error import MarkedYAMLError

BOM = "\ufeff"
MAX_NODES = 20_000
"""More nodes than this, aliases followed, are refused: reading them and their facts takes
seconds, and a repository is somebody else's text (design, section 3)."""
MAX_HEIGHT = 100
"""Nesting deeper than this, aliases followed, is refused."""
_CONFLICT_START = re.compile(r"^<{7}(?: |\r?$)", re.MULTILINE)
_CONFLICT_END = re.compile(r"^>{7}(?: |\r?$)", re.MULTILINE)
_BRACKET = re.compile(r"[\[\]{}]")
_MAX_OPEN = 10 * MAX_HEIGHT
"""More brackets open than this, those within texts counted too, are nesting and no text."""
_CORE_TAG = "tag:yaml.org,2002:"
_NULL = re.compile(r"(?:~|null|Null|NULL)?")
_BOOL = re.compile(r"true|True|TRUE|false|False|FALSE")
_INT = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_MAX_DIGITS = 300

Kind = Literal["scalar", "map", "list", "alias"]


@dataclass(slots=True)
class Node:
    """One node. `start`..`end` are character offsets and include anchor and tag.

    `text` is a scalar's content, or the name an alias points to. An empty value has
    `start == end`, at whatever comes next in the text. `size` counts the nodes from here
    down, `height` the levels below, both with aliases followed.
    """

    kind: Kind
    start: int
    end: int
    line: int
    column: int
    text: str = ""
    style: str = ""
    tag: str | None = None
    anchor: str | None = None
    flow: bool = False
    pairs: list[tuple[Node, Node]] = field(default_factory=list)
    items: list[Node] = field(default_factory=list)
    target: Node | None = None
    size: int = 1
    height: int = 0

    @property
    def real(self) -> Node:
        """The node itself, or what an alias points to."""
        return self.target if self.target is not None else self

    @property
    def is_null(self) -> bool:
        return self.kind == "scalar" and scalar_value(self) is None

    def child(self, key: str | int) -> Node | None:
        """Return the value under a key of a map, or the item of a list, or None."""
        node = self.real
        if isinstance(key, int):
            in_range = node.kind == "list" and -len(node.items) <= key < len(node.items)
            return node.items[key] if in_range else None
        return next((value for name, value in node.pairs if key_text(name) == key), None)

    def walk(self) -> Iterator[Node]:
        """Yield this node and all below it in the order of the text, aliases not followed."""
        yield self
        for key, value in self.pairs:
            yield from key.walk()
            yield from value.walk()
        for item in self.items:
            yield from item.walk()


@lru_cache(maxsize=16)
def parse(text: str, file: Path, *, unique_keys: bool = True) -> Node | None:
    """Return the root of the only document in `text` (without BOM); None when it is empty.

    Raises DocumentDamagedError with line and column for syntax errors, conflict markers of
    git, duplicate keys, several documents, and aliases that point to themselves or blow up.

    The last few trees are remembered, as a write is followed by a reading of what it wrote:
    nobody may alter them.
    """
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError
    from ruamel.yaml.reader import ReaderError

    _refuse_conflict_markers(text, file)
    _refuse_open_brackets(text, file)
    try:
        root = _Builder(YAML(typ="safe", pure=True).parse(text), file).document()
    except MarkedYAMLError as error:
        raise _damage_of(error, text, file) from error
    except ReaderError as error:
        line, column = place(text, error.position)
        reason = _("the character U+{code:04X} is not allowed in YAML").format(
            code=ord(text[error.position])
        )
        raise DocumentDamagedError(file, line, reason, column) from error
    except (YAMLError, ValueError, AssertionError) as error:
        raise DocumentDamagedError(
            file, None, _("it is not readable YAML: {error}").format(error=error)
        ) from error
    for key, first in duplicate_keys(root) if root is not None and unique_keys else ():
        reason = _("the key {key!r} is there twice; the first is on line {line}").format(
            key=key_text(key), line=first.line
        )
        raise DocumentDamagedError(file, key.line, reason, key.column)
    return root


def place(text: str, offset: int) -> tuple[int, int]:
    """Return line and column, both from 1, of a character offset."""
    starts = [0, *(match.end() for match in re.finditer(r"\r\n|\r|\n", text))]
    line = bisect_right(starts, offset)
    return line, offset - starts[line - 1] + 1


def key_text(key: Node) -> str:
    """Return a key as text: a scalar as it is written, anything else as JSON."""
    key = key.real
    if key.kind == "scalar":
        return key.text
    return json.dumps(plain(key), ensure_ascii=False, sort_keys=True)


def scalar_value(node: Node) -> Json:
    """Return what a scalar means by the core schema.

    What JSON cannot say stays text: timestamps, unknown tags, infinities, endless numbers.
    """
    tag = (node.tag or "").removeprefix(_CORE_TAG)
    text = node.text
    if (node.tag is None and node.style) or tag not in ("", "null", "bool", "int", "float"):
        return text
    if _NULL.fullmatch(text):
        return None
    if _BOOL.fullmatch(text):
        return text.lower() == "true"
    if _FLOAT.fullmatch(text) and (tag == "float" or not _INT.fullmatch(text)):
        number = float(text)
        return number if math.isfinite(number) else text
    if _INT.fullmatch(text) and len(text) <= _MAX_DIGITS:
        return int(text, 0) if text[:2] in ("0o", "0x") else int(text)
    return text


def plain(node: Node | None) -> Json:
    """Return the node as a JSON value; keys are text, aliases share one value."""
    return _Plain().value(node) if node is not None else None


class _Plain:
    """Turns nodes to values, each node once."""

    def __init__(self) -> None:
        self._seen: dict[int, Json] = {}

    def value(self, node: Node) -> Json:
        node = node.real
        if node.kind == "scalar":
            return scalar_value(node)
        if id(node) not in self._seen:
            made = self._map(node) if node.kind == "map" else [self.value(n) for n in node.items]
            self._seen[id(node)] = made
        return self._seen[id(node)]

    def _map(self, node: Node) -> dict[str, Json]:
        merged: dict[str, Json] = {}
        own: dict[str, Json] = {}
        for key, value in node.pairs:
            if is_merge(key):
                sources = value.real.items if value.real.kind == "list" else [value]
                for source in reversed(sources):
                    content = self.value(source)
                    merged.update(content if isinstance(content, dict) else {})
            else:
                own[key_text(key)] = self.value(value)
        return {**merged, **own}


def is_merge(key: Node) -> bool:
    """Whether a key is the merge key `<<`."""
    return key.kind == "scalar" and key.text == "<<" and not key.style and key.tag is None


class _Builder:
    """Builds nodes from ruamel's events."""

    def __init__(self, events: Iterator[Any], file: Path) -> None:
        self._events = events
        self._file = file
        self._anchors: dict[str, Node] = {}
        self._open: set[str] = set()
        self._nodes = 0

    def document(self) -> Node | None:
        from ruamel.yaml import events as kinds

        root: Node | None = None
        documents = 0
        for event in self._events:
            if isinstance(event, kinds.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    raise self._damage(event, _("it holds more than one YAML document"))
            elif isinstance(event, kinds.NodeEvent):
                root = self._node(event, 0)
        if root is not None and root.kind == "scalar" and root.start == root.end:
            return None
        return root

    def _node(self, event: Any, depth: int) -> Node:
        from ruamel.yaml import events as kinds

        if depth > MAX_HEIGHT:
            raise self._damage(event, _too_deep())
        self._nodes += 1
        if self._nodes > MAX_NODES:
            raise self._too_many(event)
        mark = event.start_mark
        node = Node("scalar", mark.index, event.end_mark.index, mark.line + 1, mark.column + 1)
        if isinstance(event, kinds.AliasEvent):
            node.kind, node.text = "alias", cast(str, event.anchor)
            if event.anchor in self._open:
                raise self._damage(
                    event, _("the alias *{anchor} points to itself").format(anchor=event.anchor)
                )
            if event.anchor not in self._anchors:
                raise self._damage(
                    event, _("the alias *{anchor} points to nothing").format(anchor=event.anchor)
                )
            node.target = self._anchors[event.anchor]
            return node
        node.anchor = event.anchor
        node.tag = None if event.ctag is None else str(event.ctag)
        if node.anchor is not None:
            self._anchors[node.anchor] = node
        if isinstance(event, kinds.ScalarEvent):
            node.text, node.style = event.value, event.style or ""
            return node
        node.flow = bool(event.flow_style)
        if node.anchor is not None:
            self._open.add(node.anchor)
        if isinstance(event, kinds.MappingStartEvent):
            node.kind = "map"
            end = self._children(node, depth, kinds.MappingEndEvent)
        else:
            node.kind = "list"
            end = self._children(node, depth, kinds.SequenceEndEvent)
        self._open.discard(node.anchor or "")
        node.end = end.end_mark.index
        self._measure(node, event)
        return node

    def _measure(self, node: Node, event: Any) -> None:
        below = [child.real for child in node.items]
        below += [child.real for pair in node.pairs for child in pair]
        node.size += sum(child.size for child in below)
        node.height = 1 + max((child.height for child in below), default=0)
        if node.size > MAX_NODES:
            raise self._too_many(event)
        if node.height > MAX_HEIGHT:
            raise self._damage(
                event,
                _("its aliases nest more than {max_height} levels deep").format(
                    max_height=MAX_HEIGHT
                ),
            )

    def _children(self, node: Node, depth: int, end: type) -> Any:
        for event in self._events:
            if isinstance(event, end):
                return event
            child = self._node(event, depth + 1)
            if node.kind == "map":
                node.pairs.append((child, self._node(next(self._events), depth + 1)))
            else:
                node.items.append(child)
        raise AssertionError("the parser ended inside a collection")

    def _too_many(self, event: Any) -> DocumentDamagedError:
        return self._damage(
            event,
            _("it holds more than {max_nodes:,} values, aliases followed; split it").format(
                max_nodes=MAX_NODES
            ),
        )

    def _damage(self, event: Any, reason: str) -> DocumentDamagedError:
        mark = event.start_mark
        return DocumentDamagedError(self._file, mark.line + 1, reason, mark.column + 1)


def _refuse_conflict_markers(text: str, file: Path) -> None:
    start = _CONFLICT_START.search(text)
    if start is not None and _CONFLICT_END.search(text, start.end()) is not None:
        line, column = place(text, start.start())
        raise DocumentDamagedError(file, line, _("a merge conflict of git is not settled"), column)


def _refuse_open_brackets(text: str, file: Path) -> None:
    """Refuse deep nesting of brackets before the scanner sees it: what it does with each token
    takes as long as there are brackets open, so that 20 kB of them take half a minute."""
    level = 0
    for found in _BRACKET.finditer(text):
        level = level + 1 if found[0] in "[{" else max(0, level - 1)
        if level > _MAX_OPEN:
            line, column = place(text, found.start())
            raise DocumentDamagedError(file, line, _too_deep(), column)


def _too_deep() -> str:
    return _("it is nested more than {max_height} levels deep").format(max_height=MAX_HEIGHT)


def _damage_of(error: MarkedYAMLError, text: str, file: Path) -> DocumentDamagedError:
    mark = error.problem_mark or error.context_mark
    if "stream" in str(error.problem) and error.context_mark is not None:
        mark = error.context_mark  # what was never closed tells more than the end of the file
    if mark is None:
        return DocumentDamagedError(file, None, str(error.problem or error))
    reason = " ".join(str(part) for part in (error.context, error.problem) if part)
    line_text = re.split(r"\r\n|\r|\n", text)[mark.line] if text else ""
    indent = line_text[: len(line_text) - len(line_text.lstrip())]
    if "\t" in indent or "'\\t'" in reason:
        reason = _("a tab is used where YAML wants spaces")
    return DocumentDamagedError(file, mark.line + 1, reason, mark.column + 1)


def duplicate_keys(root: Node) -> Iterator[tuple[Node, Node]]:
    """Yield every key that stands a second time in its map, with the first of that name."""
    for node in root.walk():
        seen: dict[str, Node] = {}
        for key, _value in node.pairs:
            name = key_text(key)
            if name in seen and not is_merge(key):
                yield key, seen[name]
            else:
                seen[name] = key
