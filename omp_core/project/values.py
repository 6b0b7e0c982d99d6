"""Reading and changing values of a document's content by their path. Nothing is altered in
place: a change returns a new content that shares what stayed."""

from __future__ import annotations

from collections.abc import Sequence

from omp_core.errors import InvalidValueError, NotFoundError
from omp_core.i18n import _
from omp_core.model import Json
from omp_core.project.document_merge import item_identity
from omp_core.project.paths import Item, KeyPath, Part, format_path
from omp_core.project.yaml.tree import Node, scalar_value


def get_value(content: Json, path: KeyPath) -> Json:
    """Return the value at a path, None when it is not there."""
    for part in path:
        if isinstance(part, str):
            content = content.get(part) if isinstance(content, dict) else None
        else:
            index = _index(content, part)
            content = None if index is None else content[index]
    return content


def set_value(content: Json, path: KeyPath, value: Json) -> Json:
    """Return the content with a value at a path; missing maps on the way are made.

    Raises NotFoundError for a list item that is not there, InvalidValueError where the path
    leads through a value that is no map or list.
    """
    return _set(content, path, 0, value)


def remove_value(content: Json, path: KeyPath) -> Json:
    """Return the content without the value at a path. Raises NotFoundError."""
    *above, last = path
    parent = get_value(content, tuple(above))
    if isinstance(last, str) and isinstance(parent, dict) and last in parent:
        shrunk: Json = {key: value for key, value in parent.items() if key != last}
    elif not isinstance(last, str) and (index := _index(parent, last)) is not None:
        shrunk = [*parent[:index], *parent[index + 1 :]]
    else:
        raise NotFoundError(_("there is no {path}").format(path=format_path(path)))
    return set_value(content, tuple(above), shrunk) if above else shrunk


def read_value(text: str) -> Json:
    """Return what a person means who types a value: true, null, a number, or else the text."""
    return scalar_value(Node("scalar", 0, len(text), 1, 1, text=text)) if text else ""


def _set(content: Json, path: Sequence[Part], depth: int, value: Json) -> Json:
    if depth == len(path):
        return value
    part = path[depth]
    if isinstance(part, str):
        if content is None:
            content = {}
        if not isinstance(content, dict):
            raise InvalidValueError(
                _("{path} leads nowhere: {place} is no map of keys").format(
                    path=format_path(path), place=_place(path[:depth])
                )
            )
        return {**content, part: _set(content.get(part), path, depth + 1, value)}
    if not isinstance(content, list):
        raise InvalidValueError(
            _("{path} leads nowhere: {place} is no list").format(
                path=format_path(path), place=_place(path[:depth])
            )
        )
    index = _index(content, part)
    if index is None:
        raise NotFoundError(_("there is no {path}").format(path=format_path(path[: depth + 1])))
    changed = _set(content[index], path, depth + 1, value)
    return [*content[:index], changed, *content[index + 1 :]]


def _index(content: Json, part: Part) -> int | None:
    if not isinstance(content, list):
        return None
    if isinstance(part, Item):
        names = [item_identity(item) for item in content]
        return names.index(part.name) if part.name in names else None
    return part if isinstance(part, int) and 0 <= part < len(content) else None


def _place(path: Sequence[Part]) -> str:
    return format_path(path) or _("the document")
