"""A `Query` as SQL."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec

from omp_core.model import SCOPE_FIELDS, Json, Order, Query, Scope
from omp_core.store.sqlite.rows import to_micros

ORDERS: dict[Order, str] = {
    "updated": "r.updated_at",
    "created": "r.created_at",
    "accessed": "r.last_accessed",
    "content": "r.content COLLATE NOCASE",
    "tier": "CASE r.tier WHEN 'working' THEN 0 WHEN 'short-term' THEN 1 "
    "WHEN 'long-term' THEN 2 ELSE 3 END",
    "access_count": "r.access_count",
}

UNREAD_SINCE = "max(r.created_at,ifnull(r.arrived_at,0),ifnull(r.last_accessed,0))"
"""Since when a record is unread: the latest of made, come here, last read (design, section 6)."""

_COLUMN_KEYS = frozenset(
    {
        "user_id", "agent_id", "app_id", "run_id", "tier", "category", "importance", "source",
        "temporality", "status", "home", "episode",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Where:
    """A condition over `records r`, with its parameters in order."""

    sql: str
    params: tuple[Any, ...]


def where(query: Query, workspace: str, now: datetime) -> Where:
    """Return the condition of a query, all parts joined by AND."""
    parts: list[str] = []
    params: list[Any] = []

    def add(sql: str, *values: Any) -> None:
        parts.append(sql)
        params.extend(values)

    # a plus keeps SQLite from walking all records of a status or a user to find a few ids
    aside = "" if query.ids is None else "+"
    if query.statuses:
        add(f"{aside}r.status IN ({_marks(len(query.statuses))})", *sorted(query.statuses))
    add("r.workspace IN ('', ?)", workspace)
    if query.ids is not None:
        chosen = msgspec.json.encode(sorted(query.ids)).decode()
        add("r.id IN (SELECT value FROM json_each(?))", chosen)
    for column in ("user_id", "agent_id", "app_id", "run_id"):
        value = getattr(query.scope, column)
        if value is not None:
            add(f"{aside}r.{column} = ?", value)
    if query.within is not None:
        fitting = [_within(pattern) for pattern in query.within]
        add(f"({' OR '.join(one.sql for one in fitting) or '0'})")
        params.extend(value for one in fitting for value in one.params)
    if query.tiers:
        add(f"r.tier IN ({_marks(len(query.tiers))})", *sorted(query.tiers))
    if query.categories:
        add(f"r.category IN ({_marks(len(query.categories))})", *sorted(query.categories))
    if query.home is not None:
        add("r.home = ?", str(query.home))
    if query.tag is not None:
        add(f"EXISTS (SELECT 1 FROM {_each('tags')} WHERE value = ?)", query.tag)
    if query.disputed is not None:
        add("r.open_disputes > 0" if query.disputed else "r.open_disputes = 0")
    for key, value in query.metadata.items():
        if key in _COLUMN_KEYS:
            add(f"{aside}r.{key} IS ?", value)
        else:
            sql, values = _metadata(value)
            add(f"EXISTS (SELECT 1 FROM {_each('metadata')} WHERE key = ? AND {sql})", key)
            params.extend(values)
    if query.unread_since is not None:
        add(f"{UNREAD_SINCE} < ?", to_micros(query.unread_since))
    if query.proposed is not None:
        held = f"EXISTS (SELECT 1 FROM {_each('metadata')} WHERE key = 'proposal')"
        add(held if query.proposed else f"NOT {held}")
    if query.only_expired:
        add("r.expires_at <= ?", to_micros(now))
    elif not query.include_expired:
        add("(r.expires_at IS NULL OR r.expires_at > ?)", to_micros(now))
    return Where(" AND ".join(parts), tuple(params))


def _within(pattern: Scope) -> Where:
    wanted = {column: getattr(pattern, column) for column in SCOPE_FIELDS}
    given = {column: value for column, value in wanted.items() if value is not None}
    sql = " AND ".join(f"ifnull(r.{column}, '') GLOB ?" for column in given) or "1"
    return Where(f"({sql})", tuple(given.values()))


def _each(column: str) -> str:
    """Return SQL for the parts of a JSON column; a damaged one has none."""
    return f"json_each(CASE WHEN json_valid(r.{column}) THEN r.{column} ELSE '[]' END)"


def _marks(count: int) -> str:
    return ", ".join("?" * count)


def _metadata(value: Json) -> tuple[str, tuple[Any, ...]]:
    match value:
        case None:
            return "type = 'null'", ()
        case bool():
            return "type = ?", ("true" if value else "false",)
        case int() | float():
            return "type IN ('integer', 'real') AND atom = ?", (value,)
        case str():
            return "type = 'text' AND atom = ?", (value,)
        case _:
            return "value = json(?)", (msgspec.json.encode(value).decode(),)
