"""Facts as records of the user store."""

from __future__ import annotations

import uuid
from datetime import datetime

from omp_core.extraction.classify.confidence import ASKED
from omp_core.extraction.classify.kinds import Route, ScopeKind
from omp_core.extraction.report import Fact
from omp_core.model import Importance, Json, Record, Scope, Status

_NAMESPACE = uuid.UUID("6f3c1d8e-2a4b-5c7d-9e0f-1a2b3c4d5e6f")


def record_id(source_hash: str, at: datetime | None) -> str:
    """Return the id of the record of a fact: the same for the same sentence.

    With a time it is a UUIDv7, whose first 48 bits are the milliseconds since 1970 and whose
    rest is taken from the hash; without one it is made from the hash alone (UUIDv5).
    """
    if at is None:
        return str(uuid.uuid5(_NAMESPACE, source_hash))
    bits = int(source_hash[:32], 16)
    number = (int(at.timestamp() * 1000) & ((1 << 48) - 1)) << 80
    number |= 0x7 << 76 | (bits >> 64 & 0xFFF) << 64 | 0b10 << 62 | bits & ((1 << 62) - 1)
    return str(uuid.UUID(int=number))


def record_of(fact: Fact, scope: Scope, now: datetime, episode: str | None = None) -> Record:
    """Return a fact as a new record of the user store.

    `scope` holds the resolved user and project ids; a personal fact takes the user's only.
    `episode` is the place or id of the session that it was said in.
    A fact that belongs to a document carries its planned write in `metadata.extraction`.
    """
    said = min(fact.at, now) if fact.at is not None else now
    candidate = fact.status == "candidate" and fact.similar_to is None
    return Record(
        id=record_id(fact.source_hash, fact.at),
        content=fact.text,
        created_at=said,
        updated_at=said,
        scope=Scope(
            user_id=scope.user_id,
            app_id=scope.app_id if fact.scope is ScopeKind.PROJECT else None,
        ),
        category=fact.category,
        importance=Importance.HIGH if fact.confidence >= ASKED else Importance.MEDIUM,
        source=fact.source,
        confidence=fact.confidence,
        temporality=fact.temporality,
        metadata=_metadata(fact),
        expires_at=fact.expires_at,
        status=Status.CANDIDATE if candidate else Status.ACTIVE,
        episode=episode,
    )


def _metadata(fact: Fact) -> dict[str, Json]:
    metadata: dict[str, Json] = {"source_hash": fact.source_hash, "place": fact.place}
    if fact.session is not None:
        metadata["session"] = fact.session
    if fact.route is Route.USER:
        return metadata
    planned: dict[str, Json] = {"route": str(fact.route)}
    if fact.values:
        planned["values"] = dict(fact.values)
    if fact.decision is not None:
        planned["decision"] = {
            "title": fact.decision.title,
            "choice": fact.decision.choice,
            "context": fact.decision.context,
            "alternatives": list(fact.decision.alternatives),
            "rationale": fact.decision.rationale,
        }
    return {**metadata, "extraction": planned}
