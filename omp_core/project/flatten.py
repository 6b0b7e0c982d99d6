"""YAML documents as facts: project values, decisions, change log, sessions, themes, entries."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from omp_core.language.language import script
from omp_core.model import Category, Json
from omp_core.project.facts import DocumentFact, Reading, time_of
from omp_core.project.paths import (
    BOOKKEEPING,
    IDENTITY_KEYS,
    Item,
    KeyPath,
    Part,
    format_path,
    identity_of,
)
from omp_core.project.yaml.tree import Node, is_merge, key_text, plain

_NO_FACTS = BOOKKEEPING | {"schema_version"}
_TIME_KEYS = ("updated_at", "last_updated", "updatedAt", "timestamp", "at", "date", "created_at")
_STAMP_KEYS = frozenset(
    {*_TIME_KEYS, "createdAt", "updated_by", "created_by", "last_accessed", "access_count"}
)
_ENVIRONMENT = frozenset({"deployment", "environment", "services", "paths", "tools", "runtime"})
_CHANGE_KEYS = ("summary", "title", "change", "message", "description")
_INLINE_ITEM_CHARS = 60
_INLINE_LIST_CHARS = 200


@dataclass(frozen=True, slots=True)
class _Around:
    """What a fact takes over from the maps around it."""

    at: datetime
    category: Category
    created: datetime | None = None
    metadata: tuple[tuple[str, Json], ...] = ()


_ItemReader = Callable[[Node, KeyPath, Reading, _Around], DocumentFact]


def facts_of(root: Node, reading: Reading) -> Iterator[DocumentFact]:
    """Yield the facts of a document, by its name and its shape."""
    around = _Around(_file_time(root, reading), Category.FACT)
    folder, _, name = reading.name.rpartition("/")
    if folder == "sessions" and root.child("sessions") is not None:
        yield from _sessions(root, reading, around)
    elif folder == "sessions":
        for key, value in root.real.pairs:
            name = key_text(key)
            if name != "errors" and name not in _NO_FACTS and not _is_stamp(name, value):
                about = replace(around, category=Category.EPISODE)
                yield from _values(value, (name,), reading, about)
    elif folder == "themes":
        yield from _themes(root, reading, around)
    elif folder == "handoffs":
        yield _handoff(root, reading, around)
    elif name == "decisions.yaml":
        yield from _rest(root, "decisions", _decision, reading, around)
    elif name == "changelog.yaml":
        yield from _rest(root, "changelog", _change, reading, around)
    else:
        yield from _values(root, (), reading, around)


def _is_stamp(name: str, value: Node) -> bool:
    return name in _STAMP_KEYS and value.real.kind == "scalar"


def _rest(
    root: Node, main: str, read: _ItemReader, reading: Reading, around: _Around
) -> Iterator[DocumentFact]:
    """The items of the document's main list, then whatever else it says."""
    if root.real.kind == "list":
        yield from _items(root, (), read, reading, around)
        return
    for key, value in root.real.pairs:
        name = key_text(key)
        if value.real.kind == "list" and (name == main or _all_maps(value)):
            yield from _items(value, (name,), read, reading, around)
        elif name not in _NO_FACTS:
            yield from _values(value, (name,), reading, around)


def _items(
    node: Node, path: KeyPath, read: _ItemReader, reading: Reading, around: _Around
) -> Iterator[DocumentFact]:
    for part, item in _numbered(node):
        if item.real.kind == "map":
            yield read(item.real, (*path, part), reading, around)
        else:
            yield from _values(item, (*path, part), reading, around)


def _decision(node: Node, path: KeyPath, reading: Reading, around: _Around) -> DocumentFact:
    content = plain(node)
    title, choice = _said(content, "title"), _said(content, "choice")
    text = f"{title}: {choice}" if title and choice else title or choice or _joined(content)
    reason = _said(content, "rationale") or _said(content, "context")
    instead = _listed(content.get("alternatives"))
    if script(text) == "cjk":
        text += f" — 因为{reason}" if reason else ""
        text += f"（未选：{instead}）" if instead else ""
    else:
        text += f" — because {reason}" if reason else ""
        text += f" (instead of {instead})" if instead else ""
    decided = _time_in(content, around)
    return _fact(text, node, path, reading, replace(decided, category=Category.DECISION), content)


def _change(node: Node, path: KeyPath, reading: Reading, around: _Around) -> DocumentFact:
    content = plain(node)
    changed = replace(_time_in(content, around), category=Category.EPISODE)
    texts = [said for key in _CHANGE_KEYS if (said := _said(content, key))]
    return _fact(": ".join(texts[:2]) or _joined(content), node, path, reading, changed, content)


def _sessions(root: Node, reading: Reading, around: _Around) -> Iterator[DocumentFact]:
    day = plain(root.child("date")) or reading.name.rpartition("/")[2].removesuffix(".yaml")
    sessions = root.child("sessions")
    if sessions is None or sessions.real.kind != "list":
        return
    for part, item in _numbered(sessions):
        node = item.real
        path: KeyPath = ("sessions", part)
        if node.kind != "map":
            yield from _values(node, path, reading, replace(around, category=Category.EPISODE))
            continue
        content = plain(node)
        clock = _said(content, "end") or _said(content, "start")
        at = time_of(f"{day}T{clock}") or time_of(day) or around.at
        episode = _Around(at, Category.EPISODE)
        actions = "; ".join(_texts(content.get("key_actions")))
        summary = ": ".join(text for text in (_said(content, "summary"), actions) if text)
        yield _fact(summary or _joined(content), node, path, reading, episode, content)
        decisions = node.child("decisions")
        if decisions is not None:
            about = (("episode", f"{reading.name}#{format_path(path)}"),)
            decided = _Around(at, Category.DECISION, metadata=about)
            yield from _values(decisions, (*path, "decisions"), reading, decided, inline=False)


def _themes(root: Node, reading: Reading, around: _Around) -> Iterator[DocumentFact]:
    """Themes of the openmemory-plus layout; a theme book of our own is no source of facts."""
    themes = root.child("themes")
    for item in themes.real.items if themes is not None else ():
        name = item.child("themeId")
        summary = item.child("summary")
        if name is not None and summary is not None and summary.real.text:
            content = plain(item)
            about = replace(_time_in(content, around), category=Category.CONCEPT)
            path: KeyPath = ("themes", Item(name.real.text))
            yield _fact(summary.real.text, item.real, path, reading, about, content)


def _handoff(root: Node, reading: Reading, around: _Around) -> DocumentFact:
    content = plain(root)
    content = content if isinstance(content, dict) else {"context": content}
    ends = " → ".join(filter(None, (_said(content, "fromAgent"), _said(content, "toAgent"))))
    state = _said(content, "status")
    head = f"{ends} ({state})" if ends and state else ends or state
    context = _said(content, "context")
    text = ": ".join(filter(None, (head, context))) or _joined(content)
    about = replace(_time_in(content, around), category=Category.EPISODE)
    return _fact(text, root.real, (), reading, about, content)


def _values(
    node: Node, path: KeyPath, reading: Reading, around: _Around, *, inline: bool = True
) -> Iterator[DocumentFact]:
    """Every value below a node; short lists of words stay one fact."""
    node = node.real
    if node.kind == "scalar":
        if node.text.strip() and not node.is_null:
            yield _fact(_labelled(path, node.text), node, path, reading, around)
    elif node.kind == "map" and _is_entry(node):
        yield _entry(node, path, reading, around)
    elif node.kind == "map":
        content = plain(node)
        around = _stamped(content, path, around)
        for key, value in node.pairs:
            name = key_text(key)
            stamp = _is_stamp(name, value)
            named = bool(path) and isinstance(path[-1], Item) and path[-1].name == value.real.text
            silent = stamp or is_merge(key) or (not path and name in _NO_FACTS)
            if not silent and not (named and name in IDENTITY_KEYS):
                yield from _values(value, (*path, name), reading, around)
    elif inline and _is_inline(node):
        text = ", ".join(item.real.text for item in node.items)
        if text:
            yield _fact(_labelled(path, text), node, path, reading, around)
    else:
        for part, item in _numbered(node):
            yield from _values(item, (*path, part), reading, around)


def _entry(node: Node, path: KeyPath, reading: Reading, around: _Around) -> DocumentFact:
    """An entry of the openmemory-plus template: key, value, metadata, timestamps, tracking."""
    content = plain(node)
    times = content.get("timestamps")
    times = times if isinstance(times, dict) else {}
    about = replace(
        around,
        at=time_of(times.get("updated_at")) or around.at,
        created=time_of(times.get("created_at")),
    )
    given = content.get("metadata")
    metadata = {**(given if isinstance(given, dict) else {}), **content}
    metadata.pop("metadata", None)
    value = node.child("value")
    shown = value.real.text if value is not None and value.real.kind == "scalar" else ""
    text = f"{content['key']}: {shown or _listed(content['value'])}"
    return _fact(text, node, path, reading, about, metadata)


def _fact(
    text: str,
    node: Node,
    path: KeyPath,
    reading: Reading,
    around: _Around,
    metadata: Mapping[str, Json] | None = None,
) -> DocumentFact:
    metadata = {**dict(around.metadata), **(metadata or {})}
    tags = metadata.pop("tags", None)
    return DocumentFact(
        file=reading.name,
        path=format_path(path),
        text=text.strip(),
        at=around.at,
        category=around.category,
        line=node.line,
        tags=frozenset(_texts(tags)),
        metadata=metadata,
        created=around.created,
    )


def _numbered(node: Node) -> Iterator[tuple[Part, Node]]:
    """Items with the part that names each: its identity where it is unique, else its index."""
    names = [identity_of(item) for item in node.real.items]
    for index, (name, item) in enumerate(zip(names, node.real.items, strict=True)):
        yield (Item(name) if name and names.count(name) == 1 else index), item


def _labelled(path: KeyPath, text: str) -> str:
    """A value under its keys, so that it can be understood alone."""
    words = [part.name if isinstance(part, Item) else part for part in path]
    label = ".".join(word for word in words if isinstance(word, str))
    return f"{label}: {text}" if label and not _said_alone(path) else text


def _said_alone(path: KeyPath) -> bool:
    return len(path) > 1 and path[-2] == "decisions"


def _stamped(content: Mapping[str, Json], path: KeyPath, around: _Around) -> _Around:
    stamps = tuple((key, content[key]) for key in sorted(_STAMP_KEYS & content.keys()) if path)
    category = Category.ENVIRONMENT if path and path[0] in _ENVIRONMENT else around.category
    return replace(_time_in(content, around), category=category, metadata=around.metadata + stamps)


def _time_in(content: Mapping[str, Json], around: _Around) -> _Around:
    at = next((time for key in _TIME_KEYS if (time := time_of(content.get(key)))), around.at)
    created = time_of(content.get("created_at") or content.get("createdAt"))
    return replace(around, at=at, created=created or around.created)


def _file_time(root: Node, reading: Reading) -> datetime:
    content = {key: plain(root.child(key)) for key in ("last_updated", "_meta")}
    meta = content["_meta"] if isinstance(content["_meta"], dict) else {}
    written = time_of(content["last_updated"]) or time_of(meta.get("last_updated"))
    return written or reading.modified


def _is_entry(node: Node) -> bool:
    key, value = node.child("key"), node.child("value")
    return key is not None and key.real.kind == "scalar" and value is not None


def _all_maps(node: Node) -> bool:
    return bool(node.real.items) and all(item.real.kind == "map" for item in node.real.items)


def _is_inline(node: Node) -> bool:
    texts = [item.real.text for item in node.items if item.real.kind == "scalar"]
    short = all(len(text) <= _INLINE_ITEM_CHARS and "\n" not in text for text in texts)
    return len(texts) == len(node.items) and short and sum(map(len, texts)) <= _INLINE_LIST_CHARS


def _said(content: Mapping[str, Json], key: str) -> str:
    value = content.get(key)
    return "" if value is None or isinstance(value, dict | list) else str(value).strip()


def _texts(value: Json) -> list[str]:
    if isinstance(value, list):
        return [str(item).strip() for item in value if item is not None]
    return [] if value is None else [str(value).strip()]


def _listed(value: Json) -> str:
    return ", ".join(_texts(value)) if not isinstance(value, dict) else _joined(value)


def _joined(content: Mapping[str, Json]) -> str:
    return ", ".join(f"{key}: {value}" for key, value in content.items() if value is not None)
