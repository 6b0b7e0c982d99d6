"""Reading JSON of doubtful origin: whole documents, glued lines, and mere beginnings."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from omp_core.errors import FormatError
from omp_core.i18n import _
from omp_core.model import Json

# Raw control characters inside strings are no JSON, but many writers leave them there.
_DECODER = json.JSONDecoder(strict=False)
_SPACE = re.compile(r"[ \t\r\n,]*")
_MAX_REPAIRS = 1000


def load_json(text: str, name: str) -> Json:
    """Return the value of a JSON document. Raises FormatError with line and column."""
    try:
        return json.loads(text, strict=False)
    except json.JSONDecodeError as error:
        if error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string"):
            raise FormatError(
                _(
                    "{name}: the JSON ends in the middle (line {line}), so the file was cut "
                    "off. Export or copy it again."
                ).format(name=name, line=error.lineno)
            ) from error
        raise FormatError(
            _(
                "{name}: line {line}, column {column} is not JSON: {reason}. Mend the "
                "file there, or export it again."
            ).format(name=name, line=error.lineno, column=error.colno, reason=error.msg)
        ) from error
    except RecursionError as error:
        raise FormatError(
            _("{name}: the JSON is nested too deeply to be an export of memories.").format(
                name=name
            )
        ) from error
    except ValueError as error:  # an integer of thousands of digits
        raise FormatError(
            _("{name}: the JSON holds a value that cannot be read: {error}.").format(
                name=name, error=error
            )
        ) from error


def load_value(text: str) -> Json | None:
    """Return the JSON value that `text` is, or None when it is none."""
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None


@dataclass(frozen=True, slots=True)
class JsonPiece:
    """A value of a line, or what was wrong with the characters there."""

    value: Json = None
    problem: str | None = None


def pieces(text: str, start_of_value: re.Pattern[str]) -> Iterator[JsonPiece]:
    """Yield every value of a line that may hold several without a break between them.

    After damage reading goes on where `start_of_value` matches next.
    """
    at = _skip(text, 0)
    repairs = 0
    while at < len(text):
        try:
            value, end = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            reason = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
            column = error.pos + 1 if isinstance(error, json.JSONDecodeError) else at + 1
            yield JsonPiece(problem=f"column {column}: {reason}")
            repairs += 1
            found = start_of_value.search(text, at + 1)
            if found is None or repairs > _MAX_REPAIRS:
                return
            at = found.start()
        else:
            yield JsonPiece(value)
            at = _skip(text, end)


@dataclass(frozen=True, slots=True)
class JsonHead:
    """What the beginning of a JSON document shows of the whole.

    `keys` are the top-level keys seen; `first` maps each of them that holds a list to the
    list's first element (for a top-level list: under the empty name), `empty` names those
    whose list is empty.
    """

    root: Literal["list", "object"]
    keys: frozenset[str] = frozenset()
    first: Mapping[str, Json] = field(default_factory=dict)
    empty: frozenset[str] = frozenset()
    enough: bool = False
    """Reading further would show no more than this."""

    def has(self, key: str) -> bool:
        return key in self.keys


def json_head(text: str) -> JsonHead | None:
    """Return what can be seen of a JSON document from its beginning; None if it is none."""
    at = _skip(text, 0)
    if text[at : at + 1] == "{":
        return _object_head(text, at + 1)
    if text[at : at + 1] != "[":
        return None
    at = _skip(text, at + 1)
    if text[at : at + 1] == "]":
        return JsonHead("list", empty=frozenset({""}), enough=True)
    found = _value(text, at)
    return JsonHead("list", first={"": found[0]} if found else {}, enough=bool(found))


def _object_head(text: str, at: int) -> JsonHead | None:
    keys: set[str] = set()
    first: dict[str, Json] = {}
    empty: set[str] = set()
    enough = False
    while not enough:
        at = _skip(text, at)
        enough = text[at : at + 1] == "}"
        key = _value(text, at)
        if key is None or not isinstance(key[0], str):
            break
        at = _skip(text, key[1])
        if text[at : at + 1] != ":":
            break
        keys.add(key[0])
        at = _skip(text, at + 1)
        value = _value(text, at)
        if value is None:
            element = _value(text, _skip(text, at + 1)) if text[at : at + 1] == "[" else None
            if element is not None:
                first[key[0]] = element[0]
                enough = True
            break
        if isinstance(value[0], list):
            first.update({key[0]: value[0][0]} if value[0] else {})
            empty.update([] if value[0] else [key[0]])
        at = value[1]
    if not keys and not enough:
        return None
    return JsonHead("object", frozenset(keys), first, frozenset(empty), enough)


def _skip(text: str, at: int) -> int:
    space = _SPACE.match(text, at)
    return space.end() if space else at


def _value(text: str, at: int) -> tuple[Json, int] | None:
    try:
        return _DECODER.raw_decode(text, at)
    except (ValueError, RecursionError):
        return None
