"""MCP reference memory server: JSON lines of entities and relations.

Each observation of an entity is one memory, with the entity as tag and metadata; each
relation becomes a link in the metadata of the memories of the entity that it starts from.
The server's own writers have glued and damaged lines, so each is read on its own.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from omp_core.formats.files import lines, opened
from omp_core.formats.head import peek
from omp_core.formats.item import ImportItem
from omp_core.formats.json_text import JsonPiece, pieces
from omp_core.formats.plain import plain, storable
from omp_core.formats.row import Row, RowError, converted
from omp_core.i18n import _
from omp_core.model import Json, Record

NAME = "mcp-memory"
_KINDS = ("entity", "relation")
_FROM = ("from", "from_id", "from_entity", "source")
_TO = ("to", "to_id", "to_entity", "target")
_RELATED = ("relationType", "relation_type", "relation", "type")
_START = re.compile(
    r"\{\s*\"(?:type|name|entityName|entityType|from|from_id|from_entity|source)\"\s*:"
)


def detect(path: Path) -> bool:
    """Tell whether one of the first lines is an entity or a relation."""
    head = peek(path)
    if head.json is not None and head.json.root == "list":
        return False
    return any(
        isinstance(piece.value, dict) and _kind(piece.value) is not None
        for line in head.text.split("\n")[:20]
        for piece in pieces(line, _START)
    )


def read(path: Path, now: datetime) -> Iterator[ImportItem]:
    """Yield the memories and the bad lines. Reads the file twice: links come from its end."""
    graph = _links(path)
    for place, piece in _pieces(path):
        if piece.problem:
            yield ImportItem(place, None, piece.problem)
        elif not isinstance(piece.value, dict) or _kind(piece.value) is None:
            yield ImportItem(place, None, _("This is neither an entity nor a relation."))
        elif _kind(piece.value) == "entity":
            yield from _entity(place, piece.value, graph, now)
        else:
            yield from _relation(place, piece.value, graph)


@dataclass(slots=True)
class _Graph:
    entities: set[str] = field(default_factory=set)
    links: defaultdict[str, list[Json]] = field(default_factory=lambda: defaultdict(list))


def _links(path: Path) -> _Graph:
    graph = _Graph()
    for _place, piece in _pieces(path):
        if not isinstance(piece.value, dict):
            continue
        kind = _kind(piece.value)
        if kind == "entity" and (name := _name(piece.value)):
            graph.entities.add(name)
        elif kind == "relation" and (link := _link(piece.value)):
            graph.links[link[0]].append(link[1])
    return graph


def _pieces(path: Path) -> Iterator[tuple[str, JsonPiece]]:
    with opened(path) as stream:
        for line in lines(stream, path.name):
            place = f"{path.name}:{line.number}"
            if line.problem:
                yield place, JsonPiece(problem=line.problem)
            found = list(pieces(line.text, _START))
            for number, piece in enumerate(found, 1):
                own_place = place if len(found) == 1 else f"{place}({number})"
                if piece.problem:
                    problem = _("The line is damaged ({reason}). Mend it, or leave it out.")
                    piece = JsonPiece(problem=problem.format(reason=piece.problem))
                yield own_place, piece


def _kind(value: dict[str, Any]) -> str | None:
    """Tell an entity from a relation, by its word for itself or by what it holds."""
    kind = value.get("type")
    if kind in _KINDS:
        return str(kind)
    if _name(value) is not None and isinstance(value.get("observations"), list | str):
        return "entity"
    return "relation" if _link(value) is not None and not value.get("content") else None


def _name(entity: dict[str, Any]) -> str | None:
    return _first_text(entity, "name", "entityName", "id")


def _first_text(value: dict[str, Any], *keys: str) -> str | None:
    for key in keys:
        text = value.get(key)
        if isinstance(text, str) and text.strip():
            return storable(text.strip())[0]
    return None


def _link(relation: dict[str, Any]) -> tuple[str, Json] | None:
    source = _first_text(relation, *_FROM)
    target = _first_text(relation, *_TO)
    if source is None or target is None:
        return None
    clean: dict[str, Any] = plain(relation)[0]
    told = {key: value for key, value in clean.items() if value != "relation"}
    kind = _first_text(told, *_RELATED)
    rest = {
        key: value
        for key, value in told.items()
        if key not in (*_FROM, *_TO, *_RELATED) or (key in _RELATED and value != kind)
    }
    return source, {"relation": kind, "to": target, **rest}


def _entity(
    place: str, entity: dict[str, Any], graph: _Graph, now: datetime
) -> Iterator[ImportItem]:
    name = _name(entity)
    if name is None:
        yield ImportItem(place, None, _("The entity has no name. Give it one, or leave it out."))
        return
    rest = {key: value for key, value in entity.items() if key != "observations"}
    if rest.get("type") in _KINDS:
        del rest["type"]
    observations = entity.get("observations")
    if isinstance(observations, str):
        observations = [observations]
    if not isinstance(observations, list) or not observations:
        observations = [None]
    convert = partial(_record, name=name, links=graph.links.get(name), now=now)
    for number, observation in enumerate(observations, 1):
        own_place = place if len(observations) == 1 else f"{place}#{number}"
        yield converted(own_place, {**rest, "observation": observation}, convert)


def _record(row: Row, name: str, links: Json, now: datetime) -> Record:
    for key in ("name", "entityName", "id"):
        other = row.take(key)
        if other is not None and other != name:
            row.keep(f"entity_{key}", other)
    kind = row.take_word("entityType", "entity_type", "type")
    observation = row.take("observation")
    if isinstance(observation, dict):  # servers derived from this one add times to a text
        observation = _first_text(observation, "content", "text", "observation")
    elif observation is None:
        row.note(_("an entity without observations; kept by its name"))
        observation = f"{name} ({kind})" if kind else name
    if not isinstance(observation, str):
        raise RowError(_("The observation is no text. Give it one, or leave it out."))
    row.keep("entity", name)
    if kind:
        row.keep("entity_type", kind)
    if links:
        row.keep("links", links)
    row.fields["tags"] = [name, *_tag_list(row.take("tags"))]
    return row.record(NAME, observation, now, identity=(name,), timeless=True)


def _tag_list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _relation(place: str, relation: dict[str, Any], graph: _Graph) -> Iterator[ImportItem]:
    link = _link(relation)
    if link is None:
        problem = _("The relation does not say from what to what. Mend it, or leave it out.")
        yield ImportItem(place, None, problem)
    elif link[0] not in graph.entities:
        problem = _("The relation starts from {name}, which the file does not describe.")
        yield ImportItem(place, None, problem.format(name=repr(link[0])))
