"""Where a value lies inside a document: `deployment.web.url`, `decisions[dec-…-001].choice`.

Keys are joined by dots; an item of a list stands in brackets, by its index or by its id,
key, name or title. A key that holds a sign of this notation is written as a JSON string.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass

from omp_core.errors import InvalidValueError
from omp_core.i18n import _
from omp_core.project.yaml.tree import Node

BOOKKEEPING = frozenset({"last_updated", "_meta"})
"""Keys at the top of a document that every write of ours changes."""
IDENTITY_KEYS = ("id", "key", "name", "title")
_BARE_KEY = re.compile(r'[^.\[\]"#\s](?:[^.\[\]"#\r\n]*[^.\[\]"#\s])?')
_BARE_ITEM = re.compile(r'[^\[\]"#\r\n]+')
_TOKEN = re.compile(
    r"""(?P<dot>\.)?(?:(?P<quoted>"(?:[^"\\]|\\.)*")|(?P<key>[^.\[\]"]+))
    |\[(?:(?P<qitem>"(?:[^"\\]|\\.)*")|(?P<item>[^\[\]"]+))\]""",
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Item:
    """An item of a list by its id, key, name or title."""

    name: str


Part = str | int | Item
KeyPath = tuple[Part, ...]


def format_path(path: Iterable[Part]) -> str:
    """Return the notation of a path."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        elif isinstance(part, Item):
            bare = _BARE_ITEM.fullmatch(part.name) and not _is_index(part.name)
            text += f"[{part.name if bare else _quoted(part.name)}]"
        else:
            shown = part if _BARE_KEY.fullmatch(part) else _quoted(part)
            text += f".{shown}" if text else shown
    return text


def parse_path(text: str) -> KeyPath:
    """Read the notation of a path. Raises InvalidValueError."""
    parts: list[Part] = []
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None or (match["dot"] is None) != (position == 0 or text[position] == "["):
            raise InvalidValueError(
                _("{text!r} is not a path like deployment.web.url").format(text=text)
            )
        if match["quoted"] or match["key"]:
            parts.append(_unquoted(match["quoted"], text) if match["quoted"] else match["key"])
        elif match["qitem"]:
            parts.append(Item(_unquoted(match["qitem"], text)))
        else:
            item = match["item"]
            parts.append(int(item) if _is_index(item) else Item(item))
        position = match.end()
    if not parts:
        raise InvalidValueError(_("the path is empty; write one like deployment.web.url"))
    return tuple(parts)


def locate(root: Node | None, path: Iterable[Part]) -> Node | None:
    """Return the node at a path, or None."""
    node = root
    for part in path:
        if node is None:
            return None
        if isinstance(part, Item):
            found = item_index(node.real, part.name)
            part = -1 if found is None else found
            if part == -1:
                return None
        node = node.child(part)
    return node


def item_index(node: Node, name: str) -> int | None:
    """Return the index of the first list item of that id, key, name or title."""
    for index, item in enumerate(node.items):
        if identity_of(item) == name:
            return index
    return None


def identity_of(item: Node) -> str | None:
    """Return the id, key, name or title of a map, or None."""
    for key in IDENTITY_KEYS:
        value = item.child(key) if item.real.kind == "map" else None
        if value is not None and value.real.kind == "scalar" and value.real.text:
            return value.real.text
    return None


def _is_index(text: str) -> bool:
    return text.isascii() and text.isdigit()


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _unquoted(text: str, path: str) -> str:
    try:
        return str(json.loads(text))
    except json.JSONDecodeError as error:
        raise InvalidValueError(
            _("{path!r} holds a badly quoted key {text}").format(path=path, text=text)
        ) from error
