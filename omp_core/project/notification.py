"""Telling other agents what a write changed: `last_updated` and `_meta` of a document."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from omp_core.model import Json
from omp_core.project.document_merge import item_identity
from omp_core.project.paths import BOOKKEEPING, Item, KeyPath, Part, format_path
from omp_core.project.yaml.render import timestamp
from omp_core.project.yaml.splice import same

MAX_LINES = 50
_SHOWN_CHARS = 80
_NOTHING = "∅"


def stamped(document: Json, old: Json, by: str, now: datetime) -> Json:
    """Return a changed document with `last_updated` and `_meta` of this write.

    Changes accumulate, because who reads the file next may have missed several writes; of
    more than MAX_LINES the oldest go. Other keys of `_meta` stay. A document that is no map
    has no room for them.
    """
    if not isinstance(document, dict):
        return document
    given = document.get("_meta")
    meta = dict(given) if isinstance(given, dict) else {}
    meta |= {"last_updated": timestamp(now), "updated_by": by}
    held = meta.get("changes")
    told = [line for line in held if isinstance(line, str)] if isinstance(held, list) else []
    meta["changes"] = [*told, *changes(old, document)][-MAX_LINES:]
    return {**document, "last_updated": timestamp(now), "_meta": meta}


def changes(old: Json, new: Json) -> tuple[str, ...]:
    """Return what differs, a line a value: `deployment.web.status: pending → active`.

    Secrets in the values are redacted, long values cut, and no more than MAX_LINES told.
    """
    from omp_core.secrets import redact_value

    lines = [
        f"{format_path(path)}: {before} → {after}"
        for path, before, after in _walk((), _content(old), _content(new))
    ]
    if len(lines) > MAX_LINES:
        lines = [*lines[: MAX_LINES - 1], f"… {len(lines) - MAX_LINES + 1} more"]
    return tuple(redact_value(lines))


def _content(document: Json) -> Json:
    if document is None:
        return {}
    if isinstance(document, dict):
        return {key: value for key, value in document.items() if key not in BOOKKEEPING}
    return document


def _walk(path: KeyPath, old: Json, new: Json) -> Iterator[tuple[KeyPath, str, str]]:
    if isinstance(old, dict) and isinstance(new, dict):
        for key in {**old, **new}:
            yield from _step((*path, key), key in old, old.get(key), key in new, new.get(key))
    elif isinstance(old, list) and isinstance(new, list):
        before, after = _named(old), _named(new)
        for part in {**before, **after}:
            sides = (part in before, before.get(part), part in after, after.get(part))
            yield from _step((*path, part), *sides)
    elif not same(old, new):
        yield path, _shown(old), _shown(new)


def _step(
    path: KeyPath, was: bool, old: Json, stays: bool, new: Json
) -> Iterator[tuple[KeyPath, str, str]]:
    if was and stays:
        yield from _walk(path, old, new)
    else:
        yield path, _shown(old) if was else _NOTHING, _shown(new) if stays else _NOTHING


def _named(items: list[Json]) -> dict[Part, Json]:
    names = [item_identity(item) for item in items]
    return {
        Item(name) if name and names.count(name) == 1 else index: item
        for index, (name, item) in enumerate(zip(names, items, strict=True))
    }


def _shown(value: Json) -> str:
    if isinstance(value, dict):
        for key in ("title", "summary", "text", "name"):
            if isinstance(value.get(key), str):
                return _shown(value[key])
        return _cut("{" + ", ".join(map(str, value)) + "}")
    if isinstance(value, list):
        return _cut("[" + ", ".join(_shown(item) for item in value) + "]")
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return _cut(str(value))


def _cut(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _SHOWN_CHARS else text[: _SHOWN_CHARS - 1] + "…"
