"""What each document has to look like: JSON Schemas, which ship with this package."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from omp_core.model import Json
from omp_core.project.paths import KeyPath, format_path

if TYPE_CHECKING:
    from jsonschema import ValidationError

_SHIPPED = Path(__file__).parent / "schema"
_FOLDERS = {"sessions": "session", "handoffs": "handoff", "themes": "themes"}
_FILES = {"project", "decisions", "changelog", "user-context"}


@dataclass(frozen=True, slots=True)
class Violation:
    """What does not fit the schema, and where."""

    path: KeyPath
    message: str

    def __str__(self) -> str:
        place = format_path(self.path)
        return f"{place}: {self.message}" if place else self.message


def schema_name(document: str) -> str | None:
    """Return the name of the schema for a document of that name, None when it has none."""
    folder, _, file = document.rpartition("/")
    stem = Path(file).stem
    return _FOLDERS.get(folder) if folder else stem if stem in _FILES else None


def load_schema(document: str) -> dict[str, Any] | None:
    """Return the schema of a document of that name, None when it has none.

    Schemas come from this package only: one in a repository could fetch what it refers to, or
    hold a pattern that never ends.
    """
    name = schema_name(document)
    return None if name is None else _shipped(name)


@lru_cache(maxsize=16)
def _shipped(name: str) -> dict[str, Any]:
    schema: dict[str, Any] = json.loads((_SHIPPED / f"{name}.schema.json").read_text("utf-8"))
    return schema


def violations(schema: dict[str, Any], document: Json) -> list[Violation]:
    """Return everything in a document that does not fit the schema, in the order of places."""
    from jsonschema.validators import validator_for
    from referencing import Registry

    # an empty registry: a reference to elsewhere fetches nothing
    found = validator_for(schema)(schema, registry=Registry()).iter_errors(document)
    return sorted(
        (Violation(tuple(error.absolute_path), _message(error)) for error in _leaves(found)),
        key=str,
    )


def _leaves(errors: Iterable[ValidationError]) -> Iterator[ValidationError]:
    """Of a choice that failed, the reasons of the alternative that came closest."""
    for error in errors:
        branches: dict[object, list[ValidationError]] = {}
        for part in error.context or ():
            branches.setdefault(part.schema_path[0], []).append(part)
        if branches:
            yield from _leaves(max(branches.values(), key=_depth))
        else:
            yield error


def _depth(errors: Iterable[ValidationError]) -> int:
    return max(len(error.absolute_path) for error in errors)


def _message(error: ValidationError) -> str:
    text = str(error.message)
    return text if len(text) <= 200 else text[:199] + "…"
