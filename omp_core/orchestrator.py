"""The orchestrator's interface: actions by name with its own parameter names, over the door.

What is sent is the object of the orchestrator's specification (`action`, `type`, `searchMode`,
`typeFilter`, `persist`, `persistPath`, `semantic.provider`, `callback_url` ...); what comes back
holds `action`, `success` and the result in its shapes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from omp_core.errors import InvalidValueError, OmpError, UsageError
from omp_core.i18n import _
from omp_core.model import (
    Category,
    Dispute,
    Hit,
    Importance,
    Json,
    Query,
    Receipt,
    SearchMode,
    Temporality,
    Tier,
)
from omp_core.record_json import to_json
from omp_core.types import Resolution

if TYPE_CHECKING:
    from omp_core.memory import Memory

_UNKEPT_S = 24 * 3600
"""How long a memory lives that is not to be persisted: the working day it was for, in seconds."""
_UNSHOWN = ("stamps",)


class _Action(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="camel"
):
    """What every action takes. `callback_url` keeps the specification's own spelling."""

    callback_url: str | None = msgspec.field(default=None, name="callback_url")


class Add(_Action, frozen=True, tag_field="action", tag="add"):
    """Write a memory; with the `id` and `version` of one that was read, a new version of it."""

    content: str
    type: Tier = Tier.SHORT_TERM
    persist: bool = True
    id: str | None = None
    version: int | None = None
    category: Category | None = None
    importance: Importance | None = None
    tags: tuple[str, ...] = ()
    metadata: dict[str, Any] = {}


class Search(_Action, frozen=True, tag_field="action", tag="search"):
    query: str
    limit: int | None = None
    search_mode: SearchMode = SearchMode.HYBRID
    type_filter: Tier | None = None


class Summarize(_Action, frozen=True, tag_field="action", tag="summarize"):
    type_filter: Tier = Tier.SHORT_TERM
    max_tokens: int = 500


class Health(_Action, frozen=True, tag_field="action", tag="health"):
    """Capacity, distribution, hit rate, staleness and alerts."""


class Semantic(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """What the specification lets configure of semantic search."""

    provider: str | None = None
    path: str | None = None
    embedding_model: str | None = None


class Configure(_Action, frozen=True, tag_field="action", tag="configure"):
    semantic: Semantic


class Save(_Action, frozen=True, tag_field="action", tag="save"):
    persist_path: str


class Load(_Action, frozen=True, tag_field="action", tag="load"):
    persist_path: str


class Resolve(_Action, frozen=True, tag_field="action", tag="resolve"):
    """Settle a dispute: the sides are those of the specification, or those of the queue."""

    id: str
    dispute: str
    choice: Resolution
    value: Any = None


Action = Add | Search | Summarize | Health | Configure | Save | Load | Resolve


def read_action(request: Mapping[str, Json]) -> Action:
    """Return the action that a request asks for.

    `input` may hold the request as an object or as its JSON text, `options` further parameters.
    Raises InvalidValueError, which names the parameter and what it takes.
    """
    wanted = dict(request)
    given = wanted.pop("input", None)
    if isinstance(given, str):
        try:
            given = msgspec.json.decode(given)
        except msgspec.DecodeError as error:
            raise InvalidValueError(
                _("input: it is no JSON object of an action: {reason}").format(reason=error)
            ) from error
    for more in (given, wanted.pop("options", None)):
        if isinstance(more, Mapping):
            wanted |= more
    try:
        action: Action = msgspec.convert(wanted, Action, strict=False)
    except msgspec.ValidationError as error:
        raise InvalidValueError(
            _("the action cannot be read: {reason}").format(reason=error)
        ) from error
    return action


def act(memory: Memory, request: Mapping[str, Json]) -> dict[str, Json]:
    """Carry out one action and return its result.

    With `callback_url` the result is also posted there, if the user's own settings allow the
    host. Raises InvalidValueError for a request that cannot be read, UsageError for a callback
    that is not allowed (before anything is done), and what the verb of the door raises.
    """
    wanted = read_action(request)
    if wanted.callback_url is not None:
        from omp_core import callback

        callback.check(wanted.callback_url, memory.settings.network)
    name = wanted.__struct_config__.tag
    told: dict[str, Json] = {"action": name, "success": True, **_carried_out(memory, wanted)}
    if wanted.callback_url is not None:
        told["callback"] = callback.post(wanted.callback_url, told, memory.settings.network)
    return told


def _carried_out(memory: Memory, wanted: Action) -> dict[str, Json]:
    match wanted:
        case Add():
            return _added(memory, wanted)
        case Search():
            answer = memory.search(
                wanted.query,
                mode=wanted.search_mode,
                limit=wanted.limit,
                query=Query(tiers=frozenset({wanted.type_filter}))
                if wanted.type_filter
                else Query(),
            )
            return {
                "results": [_hit(one) for one in answer.hits],
                "total": answer.total,
                "searchMode": str(answer.mode),
                **({"degraded": answer.degraded} if answer.degraded else {}),
            }
        case Summarize():
            from omp_core.present import summary as summary_json

            made = memory.summarize(wanted.type_filter, max_tokens=wanted.max_tokens)
            return summary_json(made)
        case Health():
            from omp_core.rules.health import to_seed_json

            return to_seed_json(memory.health())
        case Configure(semantic=semantic):
            return _configured(memory, semantic)
        case Save(persist_path=path):
            return {"persistPath": path, "saved": memory.save(Path(path).expanduser())}
        case Load(persist_path=path):
            report = memory.load(Path(path).expanduser())
            outcomes = Counter(str(row.outcome) for row in report.rows)
            return {"persistPath": path, "loaded": len(report.rows), "outcomes": dict(outcomes)}
        case Resolve():
            receipt = memory.resolve(wanted.id, wanted.dispute, wanted.choice, wanted.value)
            return _receipt(receipt)


def _added(memory: Memory, wanted: Add) -> dict[str, Json]:
    given: dict[str, Any] = {"tier": wanted.type, "tags": wanted.tags, "metadata": wanted.metadata}
    if wanted.category is not None:
        given["category"] = wanted.category
    if wanted.importance is not None:
        given["importance"] = wanted.importance
    if not wanted.persist:
        given |= {"temporality": Temporality.EPHEMERAL, "ttl_seconds": _UNKEPT_S}
    receipt = memory.add(wanted.content, id=wanted.id, version=wanted.version, **given)
    return _receipt(receipt)


def _configured(memory: Memory, semantic: Semantic) -> dict[str, Json]:
    values: dict[str, Json] = {}
    if semantic.provider is not None:
        values["semantic.provider"] = semantic.provider
    if semantic.embedding_model is not None:
        values["embed.model"] = semantic.embedding_model
    if not values:
        raise UsageError(_("configure: name a provider or an embeddingModel to set"))
    memory.configuration.change(values, user=True)
    told: dict[str, Json] = {"configured": values}
    if semantic.path is not None:
        told["note"] = _("semantic.path is not used: vectors lie beside the records")
    return told


def _hit(one: Hit) -> dict[str, Json]:
    record = {name: value for name, value in to_json(one.record).items() if name not in _UNSHOWN}
    return {
        **record,
        "type": str(one.record.tier),
        "score": round(one.score, 4),
        "similarity": None if one.similarity is None else round(one.similarity, 4),
    }


def _receipt(done: Receipt) -> dict[str, Json]:
    told: dict[str, Json] = {"id": done.id, "outcome": done.outcome, "act": done.act_id}
    if done.record is not None:
        told["version"] = done.record.version
        told["type"] = str(done.record.tier)
    if done.disputes:
        told["conflict"] = [_conflict(one) for one in done.disputes]
    if done.note:
        told["note"] = done.note
    return told


def _conflict(one: Dispute) -> dict[str, Json]:
    """Both versions of a field, and the choices that the specification offers a person."""
    return {
        "dispute": one.id,
        "field": one.field,
        "current": one.current,
        "incoming": one.incoming,
        "choices": ["current", "incoming", "both"],
    }


def failure(error: OmpError) -> dict[str, Json]:
    """Return an action's failure in the form of its results."""
    return {
        "success": False,
        "error": type(error).__name__.removesuffix("Error"),
        "message": str(error),
    }
