"""Tools about the whole: owners, counts, health, summaries, purging."""

from __future__ import annotations

from collections import Counter
from typing import Annotated

import msgspec
from msgspec import Meta

from omp_core import present
from omp_core.mcp.arguments import Arguments, Scoped
from omp_core.mcp.registry import Answer, Call, tool
from omp_core.mcp.tools.deletions import EntityType
from omp_core.model import SCOPE_FIELDS, Query, Record, Status, Tier


class NoArguments(Arguments, frozen=True, kw_only=True):
    pass


class ListEntities(Arguments, frozen=True, kw_only=True):
    entity_type: Annotated[
        EntityType | None, Meta(description="Only this kind. Default: all kinds.")
    ] = None


@tool("reads")
def list_entities(call: Call, given: ListEntities) -> Answer:
    """List the users, agents, projects (apps) and sessions (runs) that have memories, with how
    many each has."""
    held = call.memory.entities()
    names = [f"{given.entity_type}_id"] if given.entity_type else list(SCOPE_FIELDS)
    return {
        "entities": {name: sorted(held.get(name, {})) for name in names},
        "counts": {name: held.get(name, {}) for name in names},
    }


@tool("reads")
def memory_stats(call: Call, given: Scoped) -> Answer:
    """Count memories: in all, by state, tier, category, tag and owner; of one scope, or of all."""
    memory = call.memory
    now = memory.now()
    query = Query(scope=given.scope, statuses=frozenset(), include_expired=True)
    states: Counter[str] = Counter({"active": 0, "expired": 0})
    active = _Tally()

    memory.capabilities()  # the project's documents are looked at, as with every reading
    for record in memory.records(query):
        if record.expires_at is not None and record.expires_at <= now:
            states["expired"] += 1
        else:
            states[record.status] += 1
            if record.status is Status.ACTIVE:
                active.count(record)
    return {
        "counts": {"total": states.total(), **states},
        "tiers": dict(active.tiers),
        "categories": dict(active.categories),
        "tags": dict(active.tags.most_common()),
        "homes": dict(active.homes),
        "scope": {name: dict(found) for name, found in active.scope.items()},
        "disputed": active.disputed,
        "pending": memory.pending.count(),
    }


class _Tally:
    """Counts of the records on a read path."""

    def __init__(self) -> None:
        self.tiers: Counter[str] = Counter()
        self.categories: Counter[str] = Counter()
        self.tags: Counter[str] = Counter()
        self.homes: Counter[str] = Counter()
        self.scope: dict[str, Counter[str]] = {name: Counter() for name in SCOPE_FIELDS}
        self.disputed = 0

    def count(self, record: Record) -> None:
        self.tiers[record.tier] += 1
        self.categories[record.category] += 1
        self.tags.update(record.tags)
        self.homes[record.home] += 1
        self.disputed += bool(record.disputes)
        for name, counts in self.scope.items():
            owner = getattr(record.scope, name)
            if owner is not None:
                counts[owner] += 1


@tool("reads")
def health(call: Call, given: NoArguments) -> Answer:
    """Judge the memory: capacity by tier, distribution, hit rate of searches, staleness, a score
    with the reason for each lost point, and alerts, each with its cure. Says also whether store,
    vectors and project files are up."""
    report = call.memory.health()
    return {
        **present.health(report),
        "capabilities": msgspec.to_builtins(call.memory.capabilities()),
        "pending": call.memory.pending.count(),
    }


class SummarizeMemories(Scoped, frozen=True, kw_only=True):
    tier: Annotated[Tier, Meta(description="Which tier to summarise.")] = Tier.SHORT_TERM
    max_tokens: Annotated[int, Meta(description="Its length, by estimate.", ge=1)] = 500
    apply: Annotated[
        bool,
        Meta(
            description="Store the summary and archive its originals, as one act that the user "
            "can undo. Only when the user wants that."
        ),
    ] = False


@tool("changes")
def summarize(call: Call, given: SummarizeMemories) -> Answer:
    """Summarise a tier by its key facts: decisions, events, lessons, to-dos; with the quality of
    the summary, and what it missed. Nothing is written unless apply is true."""
    made = call.memory.summarize(given.tier, max_tokens=given.max_tokens, scope=given.scope)
    told: Answer = present.summary(made)
    if given.apply:
        done = call.memory.apply_summary(made)
        told |= {"id": done.id, "act_id": done.act_id, "hint": done.note}
    return told


@tool("deletes")
def purge_expired(call: Call, given: NoArguments) -> Answer:
    """Remove the rows of memories whose time to live is over. They are invisible already."""
    done = call.memory.purge()
    gone = 0 if done.act_id is None else len(call.memory.entries(done.act_id))
    told = {"deleted": gone, "hint": done.note, "act_id": done.act_id}
    return {name: value for name, value in told.items() if value is not None}
