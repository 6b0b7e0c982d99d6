"""A record as a row, and back."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any

import msgspec

from omp_core.language.normal import content_hash
from omp_core.model import (
    Act,
    Category,
    Dispute,
    Home,
    Importance,
    JournalEntry,
    Json,
    Record,
    Scope,
    SearchLog,
    SearchMode,
    Source,
    Stamp,
    Status,
    Temporality,
    Tier,
)

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)

COLUMNS = (
    "id, content, tier, user_id, agent_id, app_id, run_id, category, importance, source, "
    "confidence, temporality, tags, metadata, created_at, updated_at, expires_at, status, "
    "superseded_by, episode, version, stamps, disputes, last_accessed, access_count, home, "
    "arrived_at, locked"
)
ACT_COLUMNS = "id, kind, actor, at, summary, records, undoes, undone_by, given, cause"
ENTRY_COLUMNS = "act_id, kind, actor, at, record_id, version, before, after, seq"
SEARCH_COLUMNS = "at, actor, query, mode, scope, result_ids, best_score, latency_ms, hit"

WORDS: dict[str, type[StrEnum]] = {
    "tier": Tier,
    "category": Category,
    "importance": Importance,
    "source": Source,
    "temporality": Temporality,
    "status": Status,
    "home": Home,
}
"""Columns that hold one of a closed set of words."""

_encode = msgspec.json.encode
_decode_tags = msgspec.json.Decoder(frozenset[str]).decode
_decode_stamps = msgspec.json.Decoder(dict[str, Stamp]).decode
_decode_disputes = msgspec.json.Decoder(tuple[Dispute, ...]).decode
_decode_scope = msgspec.json.Decoder(Scope).decode
_decode_ids = msgspec.json.Decoder(tuple[str, ...]).decode
_decode_json = msgspec.json.Decoder().decode


def to_micros(moment: datetime) -> int:
    """Return microseconds since 1970; the moment must be aware."""
    return (moment - _EPOCH) // _MICROSECOND


def from_micros(micros: int) -> datetime:
    return _EPOCH + micros * _MICROSECOND


def _text(value: Json) -> str:
    return _encode(value).decode()


def to_row(record: Record) -> dict[str, Any]:
    """Return the named parameters of a record's columns."""
    return {
        "id": record.id,
        "content": record.content,
        "content_hash": content_hash(record.content),
        "tier": str(record.tier),
        "tier_since": to_micros(
            record.stamps["tier"].at if "tier" in record.stamps else record.created_at
        ),
        "user_id": record.scope.user_id,
        "agent_id": record.scope.agent_id,
        "app_id": record.scope.app_id,
        "run_id": record.scope.run_id,
        "category": str(record.category),
        "importance": str(record.importance),
        "source": str(record.source),
        "confidence": record.confidence,
        "temporality": str(record.temporality),
        "tags": _text(sorted(record.tags)),
        "metadata": _text(dict(record.metadata)),
        "created_at": to_micros(record.created_at),
        "updated_at": to_micros(record.updated_at),
        "expires_at": None if record.expires_at is None else to_micros(record.expires_at),
        "status": str(record.status),
        "superseded_by": record.superseded_by,
        "episode": record.episode,
        "version": record.version,
        "stamps": _text(dict(record.stamps)),
        "disputes": _text(record.disputes),
        "open_disputes": len(record.disputes),
        "last_accessed": (
            None if record.last_accessed is None else to_micros(record.last_accessed)
        ),
        "access_count": record.access_count,
        "home": str(record.home),
        "arrived_at": None if record.arrived_at is None else to_micros(record.arrived_at),
        "locked": int(record.locked),
    }


def from_row(row: tuple[Any, ...]) -> Record:
    """Return the record of a row with COLUMNS."""
    (
        record_id, content, tier, user_id, agent_id, app_id, run_id, category, importance,
        source, confidence, temporality, tags, metadata, created_at, updated_at, expires_at,
        status, superseded_by, episode, version, stamps, disputes, last_accessed,
        access_count, home, arrived_at, locked,
    ) = row  # fmt: skip
    return Record(
        id=record_id,
        content=content,
        created_at=from_micros(created_at),
        updated_at=from_micros(updated_at),
        tier=Tier(tier),
        scope=Scope(user_id, agent_id, app_id, run_id),
        category=Category(category),
        importance=Importance(importance),
        source=Source(source),
        confidence=confidence,
        temporality=Temporality(temporality),
        tags=_decode_tags(tags),
        metadata=_decode_json(metadata),
        expires_at=None if expires_at is None else from_micros(expires_at),
        status=Status(status),
        superseded_by=superseded_by,
        episode=episode,
        version=version,
        stamps=_decode_stamps(stamps),
        disputes=_decode_disputes(disputes),
        last_accessed=None if last_accessed is None else from_micros(last_accessed),
        access_count=access_count,
        home=Home(home),
        arrived_at=None if arrived_at is None else from_micros(arrived_at),
        locked=bool(locked),
    )


def act_row(act: Act) -> tuple[Any, ...]:
    return (
        act.id, act.kind, act.actor, to_micros(act.at), act.summary, act.records,
        act.undoes, act.undone_by, _text(dict(act.values)), act.cause,
    )  # fmt: skip


def act_from_row(row: tuple[Any, ...]) -> Act:
    """Return the act of a row with ACT_COLUMNS."""
    act_id, kind, actor, at, summary, records, undoes, undone_by, given, cause = row
    return Act(
        act_id, kind, actor, from_micros(at), summary, records, undoes, undone_by,
        _decode_json(given), cause,
    )  # fmt: skip


def _side(value: Mapping[str, Json] | None) -> str | None:
    return None if value is None else _text(dict(value))


def entry_row(entry: JournalEntry) -> tuple[Any, ...]:
    return (
        entry.act_id, entry.kind, entry.actor, to_micros(entry.at), entry.record_id,
        entry.version, _side(entry.before), _side(entry.after),
    )  # fmt: skip


def entry_from_row(row: tuple[Any, ...]) -> JournalEntry:
    """Return the journal entry of a row with ENTRY_COLUMNS."""
    act_id, kind, actor, at, record_id, version, before, after, seq = row
    return JournalEntry(
        act_id,
        kind,
        actor,
        from_micros(at),
        record_id,
        version,
        None if before is None else _decode_json(before),
        None if after is None else _decode_json(after),
        seq,
    )


def search_row(search: SearchLog) -> tuple[Any, ...]:
    return (
        to_micros(search.at), search.actor, search.query, str(search.mode), _text(search.scope),
        _text(search.result_ids), search.best_score, search.latency_ms, search.hit,
    )  # fmt: skip


def search_from_row(row: tuple[Any, ...]) -> SearchLog:
    """Return the logged search of a row with SEARCH_COLUMNS."""
    at, actor, query, mode, scope, result_ids, best_score, latency_ms, hit = row
    return SearchLog(
        from_micros(at),
        actor,
        query,
        SearchMode(mode),
        _decode_scope(scope),
        _decode_ids(result_ids),
        best_score,
        latency_ms,
        bool(hit),
    )
