"""New values as YAML text, quoted so that every reader takes them for what they are.

A text that YAML 1.1 or 1.2 would read as a number, a date, a truth value or nothing is put in
quotes; Chinese text and emoji stay as they are; several lines become a literal block.
"""

from __future__ import annotations

import json
import math
import re
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from omp_core.errors import InvalidValueError
from omp_core.i18n import _
from omp_core.model import Json

_INDICATORS = frozenset("-?:,[]{}#&*!|>'\"%@`=<~ \t")
_UNPRINTABLE = re.compile(
    "[^\t\n\r\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)
_SURROGATE = re.compile("[\ud800-\udfff]")
_TIMESTAMP = re.compile(r"\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d+)?Z)?")


class Timestamp(str):
    """A date or time in ISO 8601, written without quotes as YAML wants its own."""

    __slots__ = ()


def timestamp(moment: datetime) -> Timestamp:
    """Return an aware time as text, in UTC, to the second."""
    return Timestamp(moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"))


def inline(value: Json, *, style: str = "", flow: bool = False) -> str:
    """Return a value on one line. `style` is the quote that stood there before, if any.

    Raises InvalidValueError for what YAML text cannot hold.
    """
    if isinstance(value, str):
        return _text(value, style, flow)
    if isinstance(value, dict):
        pairs = (f"{key(name)}: {inline(item, flow=True)}" for name, item in value.items())
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(inline(item, flow=True) for item in value) + "]"
    if isinstance(value, float) and not math.isfinite(value):
        raise InvalidValueError(_("{value} is no value for a document").format(value=value))
    if value is None or isinstance(value, bool | int | float):
        return json.dumps(value)
    raise InvalidValueError(_("a document cannot hold a {kind}").format(kind=type(value).__name__))


def key(name: str) -> str:
    """Return the key of a map."""
    return _text(name, "", flow=True)


def block(value: Json, indent: int, step: int) -> list[str]:
    """Return the lines of a value in block style; all but the first are indented.

    The first line goes where the value begins: after `- `, or at column `indent` (from 0).
    """
    if isinstance(value, dict) and value:
        lines = [line for name, item in value.items() for line in _pair(name, item, indent, step)]
    elif isinstance(value, list) and value:
        lines = [line for item in value for line in item_lines(item, indent, step)]
    else:
        return [inline(value)]
    return [lines[0][indent:], *lines[1:]]


def item_lines(item: Json, indent: int, step: int) -> list[str]:
    """Return the lines of a list item, its dash at column `indent`."""
    literal = _literal(item, indent + 2)
    first, *rest = literal or block(item, indent + 2, step)
    return [f"{' ' * indent}- {first}", *rest]


def value_lines(value: Json, indent: int, step: int) -> list[str]:
    """Return what follows `key:` when the key stands at column `indent`.

    The first line continues the line of the key; it is empty when the value begins below.
    """
    literal = _literal(value, indent + step)
    if literal:
        return [f" {literal[0]}", *literal[1:]]
    if isinstance(value, dict | list) and value:
        first, *rest = block(value, indent + step, step)
        return ["", " " * (indent + step) + first, *rest]
    return [f" {inline(value)}"]


def literal_lines(text: str, indent: int) -> list[str] | None:
    """Return a text as a literal block whose body stands at column `indent`, if it can be one."""
    body = text.removesuffix("\n")
    lines = body.split("\n")
    trimmed = all(line == line.rstrip() for line in lines)
    if not body or body[0] in " \n\t" or body.endswith("\n") or not trimmed or "\r" in text:
        return None
    if _UNPRINTABLE.search(text):
        return None
    head = "|" if text.endswith("\n") else "|-"
    return [head, *(" " * indent + line if line else "" for line in lines)]


def _literal(value: Json, indent: int) -> list[str] | None:
    several = isinstance(value, str) and "\n" in value
    return literal_lines(value, indent) if several else None


def _pair(name: str, value: Json, indent: int, step: int) -> list[str]:
    first, *rest = value_lines(value, indent, step)
    return [f"{' ' * indent}{key(name)}:{first}", *rest]


def _text(text: str, style: str, flow: bool) -> str:
    if _SURROGATE.search(text):
        raise InvalidValueError(_("the text holds half of a character (a lone surrogate)"))
    if isinstance(text, Timestamp) and _TIMESTAMP.fullmatch(text):
        return text
    if style == "'" and "\n" not in text and "\r" not in text and not _UNPRINTABLE.search(text):
        return "'" + text.replace("'", "''") + "'"
    if style != '"' and _is_plain(text, flow):
        return text
    quoted = json.dumps(text, ensure_ascii=False)
    return _UNPRINTABLE.sub(_escaped, quoted)


def _escaped(match: re.Match[str]) -> str:
    code = ord(match.group())
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def _is_plain(text: str, flow: bool) -> bool:
    if not text or text[0] in _INDICATORS or text[-1] in " \t:" or text.startswith("..."):
        return False
    if re.search(r"[\t\n\r]|: | #", text) or _UNPRINTABLE.search(text):
        return False
    if flow and re.search(r"[,\[\]{}:]", text):
        return False
    return not any(pattern.match(text) for pattern in _meaningful())


@lru_cache(maxsize=1)
def _meaningful() -> tuple[Any, ...]:
    """What some version of YAML reads as other than text."""
    from ruamel.yaml.resolver import implicit_resolvers

    patterns = tuple(entry[2] for entry in implicit_resolvers)
    return (*patterns, re.compile(r"[-+]?0o?[0-9]"), re.compile(r"[-+]?\d+(?::\d\d?)+(?:\.\d*)?$"))
