"""The life of each demo memory, replayed: what was written when, by whom, and what it changed."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from omp_core.demo.entries import APP_ID, DemoEntry
from omp_core.language.verdict import fuller
from omp_core.model import ActKind, Dispute, DisputeKind, DisputeSide, Json, Record, Stamp
from omp_core.rules.fields import field_value, json_value, set_fields, typed_changes

_SPREAD_DAYS = 0.35


@dataclass(frozen=True, slots=True)
class Step:
    """One write to one record. `before` is None when it creates; `gone` when it deletes.

    Steps with the same time, actor and kind are one act.
    """

    at: datetime
    actor: str
    kind: ActKind
    before: Record | None
    record: Record
    gone: bool = False

    @property
    def after(self) -> Record | None:
        """The record after the write; None when the write deleted it."""
        return None if self.gone else self.record


@dataclass(frozen=True, slots=True)
class _Event:
    """What happens to a record: fields get values, or a dispute is opened."""

    at: datetime
    actor: str
    kind: ActKind
    values: Mapping[str, Any] = field(default_factory=dict)
    opens: Callable[[Record], Dispute] | None = None

    def apply(self, record: Record) -> Record:
        version = record.version + 1
        stamps = dict.fromkeys(self.values, Stamp(version, self.actor, self.at))
        opened = () if self.opens is None else (self.opens(record),)
        return replace(
            set_fields(record, self.values),
            version=version,
            # a document that disagrees says nothing new about the record
            updated_at=record.updated_at if self.kind == "sync" else self.at,
            stamps={**record.stamps, **stamps},
            disputes=(*record.disputes, *opened),
        )


class Story:
    """The lives of all entries; `now` is the moment they are told."""

    def __init__(self, entries: Sequence[DemoEntry], now: datetime) -> None:
        self._entries = entries
        self._now = now
        self._by_key = {entry.key: entry for entry in entries if entry.key}

    def lives(self) -> list[tuple[Step, ...]]:
        """Return the writes of each entry's life, in the order of the entries."""
        return [tuple(self._life(entry)) for entry in self._entries]

    def id_of(self, entry: DemoEntry) -> str:
        """Return the id of an entry's record."""
        return stable_id(self._ago(entry, entry.age_days), entry.text)

    def _life(self, entry: DemoEntry) -> Iterator[Step]:
        states = [self._final(entry)]
        for earlier in reversed(entry.history):
            states.insert(0, set_fields(states[0], typed_changes(earlier.was)))
        created, creator = self._ago(entry, entry.age_days), _actor(entry.by)
        first = dict.fromkeys(("content", "tier"), Stamp(1, creator, created))
        record = replace(states[0], stamps=first)
        yield Step(created, creator, "add", None, record)

        events = [*self._writes(entry, states[1:]), *self._disputes(entry)]
        for event in sorted(events, key=lambda event: event.at):
            after = event.apply(record)
            yield Step(event.at, event.actor, event.kind, record, after)
            record = after
        if entry.deleted is not None:
            at = self._ago(entry, entry.deleted.age_days)
            yield Step(at, _actor(entry.deleted.by), "delete", record, record, gone=True)

    def _final(self, entry: DemoEntry) -> Record:
        """Return the record as it is now, except for version, stamps and disputes."""
        created = self._ago(entry, entry.age_days)
        lasts, read = entry.expires_in_days, entry.read_days_ago
        newer = entry.superseded_by
        return Record(
            id=self.id_of(entry),
            content=entry.text,
            created_at=created,
            updated_at=created,
            tier=entry.tier,
            scope=entry.full_scope(),
            category=entry.category,
            importance=entry.importance,
            source=entry.source,
            confidence=entry.confidence,
            temporality=entry.temporality,
            tags=frozenset(entry.tags),
            metadata=self._metadata(entry),
            expires_at=None if lasts is None else self._now + timedelta(days=lasts),
            status=entry.status,
            superseded_by=None if newer is None else self.id_of(self._by_key[newer]),
            last_accessed=None if read is None else self._ago(entry, read),
            access_count=entry.reads,
        )

    def _metadata(self, entry: DemoEntry) -> dict[str, Json]:
        if entry.proposal is None:
            return {}
        other = self._by_key[entry.proposal.duplicate_of]
        return {
            "proposal": {
                "duplicate_of": self.id_of(other),
                "similarity": entry.proposal.similarity,
                "suggests": entry.proposal.suggests,
                "fuller": fuller(other.text, entry.text),
            }
        }

    def _writes(self, entry: DemoEntry, states: Sequence[Record]) -> Iterator[_Event]:
        for earlier, state in zip(entry.history, states, strict=True):
            values = {name: field_value(state, name) for name in earlier.was}
            at = self._ago(entry, earlier.age_days)
            yield _Event(at, _actor(earlier.by), earlier.kind, values)

    def _disputes(self, entry: DemoEntry) -> Iterator[_Event]:
        if entry.dispute is not None:
            late = entry.dispute
            at, actor = self._ago(entry, late.age_days), _actor(late.by)
            yield _Event(
                at, actor, "update", opens=_SameField(late.field, late.incoming, actor, at)
            )
        for other in self._entries:
            if other.contradicts is not None and other.contradicts == entry.key:
                at, actor = self._ago(other, other.age_days), _actor(other.by)
                sureness = min(entry.confidence, other.confidence)
                opens = _OtherSays(
                    DisputeKind.CONTRADICTION, self.id_of(other), other.text, actor, at, sureness
                )
                yield _Event(at, actor, "add", opens=opens)
        if entry.against_project is not None:
            fact = entry.against_project
            opens = _OtherSays(
                DisputeKind.CROSS_HOME,
                f"project:{fact.file}#{fact.path}",
                f"{fact.path}: {fact.says}",
                f"project:{APP_ID}",
                self._ago(entry, fact.since_days),
                entry.confidence,
                "incoming",
            )
            yield _Event(self._ago(entry, fact.age_days), "system", "sync", opens=opens)

    def _ago(self, entry: DemoEntry, days: float) -> datetime:
        """Return the moment so long ago; whole days are spread over the day, entry by entry."""
        spread = _SPREAD_DAYS * fraction(entry.text) if days >= 1 else 0.0
        return self._now - timedelta(days=days + spread)


@dataclass(frozen=True, slots=True)
class _SameField:
    """Opens the dispute of a write based on what stood before a field's last change."""

    name: str
    incoming: Json
    actor: str
    at: datetime

    def __call__(self, record: Record) -> Dispute:
        base = record.stamps[self.name].version - 1
        return _dispute(record, self.name, DisputeKind.SAME_FIELD, self, base)


@dataclass(frozen=True, slots=True)
class _OtherSays:
    """Opens the dispute with another record, or a project fact, that says otherwise."""

    kind: DisputeKind
    other_id: str
    incoming: Json
    actor: str
    at: datetime
    confidence: float
    prefers: DisputeSide | None = None

    def __call__(self, record: Record) -> Dispute:
        opened = _dispute(record, "content", self.kind, self, record.version)
        return replace(
            opened, other_id=self.other_id, confidence=self.confidence, prefers=self.prefers
        )


def _dispute(
    record: Record, name: str, kind: DisputeKind, says: _SameField | _OtherSays, base_version: int
) -> Dispute:
    stamp = record.stamps[name]
    return Dispute(
        id=stable_id(says.at, f"{kind} {record.id} {name}"),
        field=name,
        kind=kind,
        current=json_value(field_value(record, name)),
        incoming=says.incoming,
        current_actor=stamp.actor,
        incoming_actor=says.actor,
        current_at=stamp.at,
        incoming_at=says.at,
        base_version=base_version,
    )


def stable_id(at: datetime, seed: str) -> str:
    """Return a UUIDv7 of that moment which is the same for the same seed."""
    milliseconds = int(at.timestamp() * 1000)
    random = int.from_bytes(hashlib.sha256(seed.encode()).digest()[:10])
    value = (milliseconds << 80) | random
    value = value & ~(0xF << 76) | (0x7 << 76)
    value = value & ~(0x3 << 62) | (0x2 << 62)
    return str(UUID(int=value))


def fraction(seed: str) -> float:
    """Return a number in 0..1 that is the same for the same seed."""
    return int.from_bytes(hashlib.sha256(seed.encode()).digest()[:4]) / 2**32


def _actor(by: str) -> str:
    return by if by in ("user", "system") else f"agent:{by}"
