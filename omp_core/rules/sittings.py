"""Which records of other tools were said in one sitting: the episode that links them."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from omp_core.model import Record, Scope

LONGEST_PAUSE = timedelta(minutes=30)
"""Without a session's id, a longer pause ends a sitting (design, section 8)."""

SESSION_KEYS = (
    "session_id", "sessionId", "session", "memory_session_id", "sdk_session_id",
    "conversation_id", "conversationId", "thread_id", "chat_id",
)  # fmt: skip
"""Under these names tools keep the id of a session in the metadata."""


def with_episodes(records: Sequence[Record], arrived: datetime) -> list[Record]:
    """Return the records, in their order, each with the episode that it was said in.

    That is the one it has, else the session that its metadata or its run names, else the
    sitting: records of one scope with pauses of at most 30 minutes between them. A record that
    stands alone, or whose time is the moment of its arrival because none was told, has none;
    nor do those that share one instant, which is the time of a bulk write and no talk.
    """
    found = [_told(record) for record in records]
    by_scope: dict[Scope, list[int]] = defaultdict(list)
    for at, record in enumerate(found):
        if record.episode is None and record.created_at != arrived:
            by_scope[record.scope].append(at)
    for scope, places in by_scope.items():
        places.sort(key=lambda at: (found[at].created_at, found[at].id))
        for sitting in _sittings([(found[at].created_at, at) for at in places]):
            name = _name(scope, found[sitting[0]].created_at)
            for at in sitting:
                found[at] = replace(found[at], episode=name)
    return found


def _told(record: Record) -> Record:
    if record.episode is not None:
        return record
    for name in SESSION_KEYS:
        value = record.metadata.get(name)
        if isinstance(value, str | int) and not isinstance(value, bool) and str(value).strip():
            return replace(record, episode=str(value).strip())
    return record if record.scope.run_id is None else replace(record, episode=record.scope.run_id)


def _sittings(times: Sequence[tuple[datetime, int]]) -> list[list[int]]:
    """Return the places of records that follow each other closely, two or more together."""
    found: list[list[int]] = []
    before: datetime | None = None
    for moment, place in times:
        if before is not None and timedelta() < moment - before <= LONGEST_PAUSE:
            found[-1].append(place)
        else:
            found.append([place])
        before = moment
    return [sitting for sitting in found if len(sitting) > 1]


def _name(scope: Scope, start: datetime) -> str:
    owners = (scope.user_id, scope.agent_id, scope.app_id)
    mark = hashlib.sha256(repr((owners, start.isoformat())).encode()).hexdigest()
    return f"sitting-{start:%Y%m%dT%H%M%S}-{mark[:6]}"
