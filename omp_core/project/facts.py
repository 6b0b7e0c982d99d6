"""What a project document says, as atomic facts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from omp_core.errors import InvalidValueError
from omp_core.model import Category, Json, Unseen
from omp_core.record_json import parse_time


@dataclass(frozen=True, slots=True)
class DocumentFact:
    """One fact. `file` is the name inside the memory folder, `path` the place in the file.

    `at` is when the fact was last said to hold, `created` when it was first written, where
    the document tells; both aware UTC. `line` is 1-based.
    """

    file: str
    path: str
    text: str
    at: datetime
    category: Category
    line: int
    tags: frozenset[str] = frozenset()
    metadata: Mapping[str, Json] = field(default_factory=dict)
    created: datetime | None = None

    @property
    def id(self) -> str:
        """The id of the fact's mirrored record."""
        return f"project:{self.file}#{self.path}"


@dataclass(frozen=True, slots=True)
class Damage:
    """A document that cannot be read: it is shown, and never written. Lines from 1."""

    file: str
    line: int | None
    column: int | None
    reason: str

    @property
    def unseen(self) -> Unseen:
        """The same as something that answers have to do without."""
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        return Unseen(place, self.reason)


@dataclass(frozen=True, slots=True)
class DocumentSet:
    """All facts of a workspace, what was damaged, and the digest of every file read."""

    facts: tuple[DocumentFact, ...]
    damages: tuple[Damage, ...]
    digests: Mapping[str, str]
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Reading:
    """What the reading of one document needs to know besides its text."""

    file: Path
    name: str
    modified: datetime


def time_of(value: Json) -> datetime | None:
    """Return a time written in a document as aware UTC, or None when it is none."""
    if not isinstance(value, str):
        return None
    try:
        return parse_time(value)
    except InvalidValueError:
        return None
