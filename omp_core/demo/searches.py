"""Thirty days of searches: what the agents looked for, and what they found."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, time, timedelta

import msgspec

from omp_core.demo.entries import APP_ID, USER_ID, read_yaml
from omp_core.demo.story import fraction
from omp_core.language.tokens import query_tokens, tokens
from omp_core.model import Record, Scope, SearchLog, SearchMode, Status
from omp_core.settings import SearchSettings

_RESULTS = 5


class _Search(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`days_ago` and `at` (UTC) say when, or `minutes_ago` for the newest ones."""

    query: str
    by: str
    mode: SearchMode
    hit: bool
    days_ago: int | None = None
    at: str | None = None
    minutes_ago: float | None = None

    def moment(self, now: datetime) -> datetime:
        if self.days_ago is None or self.at is None:
            return now - timedelta(minutes=self.minutes_ago or 0)
        day = (now - timedelta(days=self.days_ago)).date()
        return datetime.combine(day, time.fromisoformat(self.at), tzinfo=now.tzinfo)


def searches(records: Sequence[Record], now: datetime) -> list[SearchLog]:
    """Return the journalled searches over these records, the oldest first."""
    read = msgspec.convert(read_yaml("searches.yaml")["searches"], list[_Search])
    words = {
        record.id: set(tokens(record.content))
        for record in records
        if record.status is Status.ACTIVE
    }
    found = [_journalled(search, words, now) for search in read]
    return sorted(found, key=lambda search: search.at)


def _journalled(search: _Search, words: dict[str, set[str]], now: datetime) -> SearchLog:
    asked = set(query_tokens(search.query))
    shared = {record_id: len(asked & held) for record_id, held in words.items()}
    ranked = sorted(shared, key=lambda record_id: (-shared[record_id], record_id))
    found = [record_id for record_id in ranked if shared[record_id]][:_RESULTS]
    floor = SearchSettings().relevance_floor
    part = fraction(f"{search.query} {search.days_ago} {search.at}")
    score = floor + 0.1 + (0.9 - floor) * part if search.hit else 0.9 * floor * part
    return SearchLog(
        at=search.moment(now),
        actor=f"agent:{search.by}",
        query=search.query,
        mode=search.mode,
        scope=Scope(user_id=USER_ID, app_id=APP_ID),
        result_ids=tuple(found),
        best_score=round(score, 3),
        latency_ms=round(2.0 + 9.0 * part, 1),
        hit=search.hit,
    )
