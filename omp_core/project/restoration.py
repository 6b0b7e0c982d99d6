"""Turning one value of a document back to what it was before an act, or forth again.

Pure: content in, content out. A journalled value is an object with `value`; None says that there
was nothing. A new value may have brought maps with it: `made` is the path of the topmost one,
`filled` of an empty value (null) that became one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from omp_core.errors import InvalidValueError, NotFoundError
from omp_core.model import Json
from omp_core.project.document_merge import merge
from omp_core.project.paths import Item, KeyPath, format_path, parse_path
from omp_core.project.values import get_value, remove_value, set_value
from omp_core.project.yaml.render import Timestamp
from omp_core.project.yaml.splice import same


def turned(
    content: Json, path: KeyPath, have: Mapping[str, Any] | None, want: Mapping[str, Any] | None
) -> Json:
    """Return the content with what an act left (`have`) turned into what was before (`want`).

    What somebody changed since is merged field by field; where both changed the same field, and
    where the value was removed or made anew, theirs stays and the content is as it was.
    """
    there, current = find(content, path)
    if have is None or want is None:
        if there != (have is not None) or (have and not same(current, have["value"])):
            return content
        if want is not None:
            return _restored(content, path, want)
        return _without_empty(remove_value(content, path), path, have)
    if not there:
        return content
    merged, conflicts = merge(have["value"], plain_text(current), dated(want["value"]))
    return content if conflicts else _restored(content, path, {**want, "value": merged})


def _restored(content: Json, path: KeyPath, told: Mapping[str, Any]) -> Json:
    """Return the content with a journalled value at its path.

    An entry of a list goes to its end: put between others, it would take over the comments that
    stand beside them.
    """
    value = dated(told["value"])
    around = get_value(content, path[:-1])
    try:
        if isinstance(path[-1], Item) and not find(content, path)[0]:
            if not isinstance(around, list | None):
                return content
            return set_value(content, path[:-1], [*(around or ()), value])
        return set_value(content, path, value)
    except (NotFoundError, InvalidValueError):
        # what the path led through is gone: somebody else's doing, which stays
        return content


def _without_empty(content: Json, path: KeyPath, told: Mapping[str, Any] | None) -> Json:
    """Take back the maps that came with a value, as far as they are empty without it."""
    if not told:
        return content
    made, filled = told.get("made"), told.get("filled")
    shortest = len(parse_path(made)) if made else len(path)
    for length in range(len(path) - 1, shortest - 1, -1):
        if get_value(content, path[:length]) != {}:
            return content
        content = remove_value(content, path[:length])
    if filled and get_value(content, parse_path(filled)) == {}:
        content = set_value(content, parse_path(filled), None)
    return content


def brought(content: Json, path: KeyPath) -> dict[str, str]:
    """Return `made` and `filled` of a value that is about to be set."""
    found: dict[str, str] = {}
    for length in range(1, len(path)):
        there, value = find(content, path[:length])
        if not there:
            return {**found, "made": format_path(path[:length])}
        if value is None:
            found["filled"] = format_path(path[:length])
    return found


def find(content: Json, path: KeyPath) -> tuple[bool, Json]:
    """Return whether there is a value at a path, null included, and the value."""
    try:
        remove_value(content, path)
    except NotFoundError:
        return False, None
    return True, get_value(content, path)


def plain_text(value: Json) -> Json:
    """Return a document's value with its times as plain texts, fit for the journal."""
    if isinstance(value, dict):
        return {str(key): plain_text(one) for key, one in value.items()}
    if isinstance(value, list):
        return [plain_text(one) for one in value]
    return str(value) if isinstance(value, str) else value


def dated(value: Json) -> Json:
    """Return a journalled value as a document writes it: times without quotes."""
    if isinstance(value, dict):
        return {key: dated(one) for key, one in value.items()}
    if isinstance(value, list):
        return [dated(one) for one in value]
    return Timestamp(value) if isinstance(value, str) else value
