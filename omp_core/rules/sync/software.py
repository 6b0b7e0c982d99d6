"""Well-known names of software, and the role that each plays in a project.

Two names of one role are a choice: who uses the one does not use the other for the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from omp_core.language.analysis import analyse
from omp_core.language.vocabulary import pattern, software

_PIECE = re.compile(r"[A-Za-z][\w.+#-]*[\w+#]|[A-Za-z]", re.ASCII)
_NUMBER_BEHIND = re.compile(
    r"\s*(?:version\s*|版本\s*|v|:\s*|==?\s*)?(\d+(?:\.\d+)*)(?![\w%])", re.ASCII
)


@dataclass(frozen=True, slots=True)
class Name:
    """A well-known name in a text. `denied`: the text says it is not used, or no longer."""

    key: str
    surface: str
    role: str
    denied: bool
    version: str | None


def role_of(word: str) -> str | None:
    """Return the role of a name however it is spelt, None for any other word."""
    return software().role(word)


def part_of(role: str) -> str:
    """Return the part of a project that a role belongs to: `testing` of `testing.py`."""
    return role.partition(".")[0]


@lru_cache(maxsize=8192)
def names(text: str) -> tuple[Name, ...]:
    """Return the well-known names of a text, in order."""
    return tuple(_names(text))


def _names(text: str) -> Iterator[Name]:
    read = analyse(text)
    for match in _PIECE.finditer(read.text):
        for surface in re.split(r"[-/]", match[0]):
            role = role_of(surface)
            if role is None or (_is_word(surface) and match[0] == surface.lower()):
                continue
            at = match.start() + match[0].find(surface)
            yield _name(read.text, surface, at, role, _denied(read.text, at))
    for match in _chinese_name().finditer(read.text):
        role = software().roles[match[0]]
        yield _name(read.text, match[0], match.start(), role, _denied(read.text, match.start()))


def _name(text: str, surface: str, at: int, role: str, denied: bool) -> Name:
    behind = _NUMBER_BEHIND.match(text, at + len(surface))
    known = surface.lower() in software().roles  # the 3 of S3 is no version
    glued = None if known else re.search(r"\d+(?:\.\d+)*$", surface)
    version = glued[0] if glued else behind[1] if behind else None
    return Name(software().spelling(surface), surface, role, denied, version)


def _denied(text: str, at: int) -> bool:
    """Return whether the text says of the name there that it is not used, or was left."""
    if pattern("origin").search(text, 0, at):
        return True
    return any(token.denied and token.start <= at < token.end for token in analyse(text).tokens)


def _is_word(surface: str) -> bool:
    return surface.lower() in software().everyday


@lru_cache(maxsize=1)
def _chinese_name() -> re.Pattern[str]:
    return re.compile("|".join(name for name in software().roles if not name.isascii()))
