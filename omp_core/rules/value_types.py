"""Which values of documents are of one type, so that one may take the place of another."""

from __future__ import annotations

import re
from typing import Literal

from omp_core.language.vocabulary import software
from omp_core.model import Json

ValueType = Literal["nothing", "switch", "number", "address", "host", "path", "text", "several"]

_NUMBER = re.compile(r"v?\d+(?:[.:]\d+)*\s*[%\w]{0,8}", re.IGNORECASE)
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*://\S+", re.IGNORECASE)
_HOST = re.compile(r"(?:[a-z0-9][a-z0-9-]*\.)+[a-z][a-z0-9-]*(?::\d+)?|\d{1,3}(?:\.\d{1,3}){3}")
_PATH = re.compile(r"[\w.@-]*/[\w./@-]*")
_VERSION = re.compile(r"(?<![\w.])v?\d+(?:\.\d+)*(?![\w.])")


def value_type(value: Json) -> ValueType:
    """Return the type of a value: texts are told apart by what they name."""
    if value is None or value == "":
        return "nothing"
    if isinstance(value, bool):
        return "switch"
    if isinstance(value, int | float):
        return "number"
    if isinstance(value, dict | list):
        return "several"
    text = str(value).strip()
    if _NUMBER.fullmatch(text):
        return "number"
    if _ADDRESS.fullmatch(text):
        return "address"
    if text.lower() in software().names:
        return "text"
    if _HOST.fullmatch(text):
        return "host"
    return "path" if _PATH.fullmatch(text) else "text"


def in_place_of(held: Json, new: Json) -> Json:
    """Return what is to be written where `held` stands and `new` is said, None if it is no value
    of that type.

    A bare version takes the place of the one in a text: `Rails 7.0` and `8.0` give `Rails 8.0`.
    """
    types = value_type(held), value_type(new)
    if types[0] in ("nothing", types[1]) and types[1] != "several":
        return new
    if types == ("text", "number") and len(_VERSION.findall(str(held))) == 1:
        return _VERSION.sub(lambda _match: str(new), str(held))
    return None


def says_more(held: Json, new: Json) -> bool:
    """Return whether a text holds all that another one says, and something besides."""
    one, other = str(held).strip().lower(), str(new).strip().lower()
    return bool(one) and one != other and other.startswith(one)
