"""Tools that write single memories."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from omp_core.errors import InvalidValueError
from omp_core.i18n import _
from omp_core.mcp.arguments import (
    Arguments,
    MemoryId,
    Metadata,
    Scoped,
    Tags,
    split_metadata,
    tag_list,
)
from omp_core.mcp.messages import as_text
from omp_core.mcp.registry import Answer, Call, tool
from omp_core.model import Json, Tier
from omp_core.present import receipt, typed_fields

Lasting = Annotated[
    Tier | None,
    Meta(description="How long it is meant to stay. Default: short-term. important is for ever."),
]


class AddMemory(Scoped, frozen=True, kw_only=True):
    content: Annotated[
        str | None, Meta(description="One fact, in the user's language, as a sentence.")
    ] = None
    messages: Annotated[
        list[Any] | str | None,
        Meta(description="Instead of content: messages with role and content, kept as one text."),
    ] = None
    tags: Tags = None
    metadata: Metadata = None
    ttl_seconds: Annotated[
        Annotated[float, Meta(ge=0)] | None,
        Meta(description="Expire after so many seconds. 0: never."),
    ] = None
    force: Annotated[bool, Meta(description="Store it although it resembles another memory.")] = (
        False
    )
    tier: Lasting = None
    mem_id: Annotated[
        str | None, Meta(description="Write to this memory instead of a new one.")
    ] = None
    version: Annotated[
        int | None,
        Meta(description="With mem_id: the version that was read. Conflicts become disputes."),
    ] = None


@tool("adds")
def add_memory(call: Call, given: AddMemory) -> Answer:
    """Store one lasting fact. Never secrets, passing states, or what the code itself says. A
    text that much resembles a memory of the same scope is not stored: the answer then holds
    duplicate_id, similarity and existing_content; update that memory if the fact changed, leave
    it if it says the same, or add with force=true if both are true. Without any of user_id,
    agent_id, app_id, run_id it belongs to nobody in particular. While the store is down the
    outcome is pending."""
    content = given.content if given.content and given.content.strip() else None
    if content is None:
        content = as_text(given.messages)
    if content is None:
        raise InvalidValueError(_("content: it is empty, and so is messages; say what to remember"))
    fields, metadata = split_metadata(given.metadata)
    if given.tier is not None:
        fields["tier"] = given.tier
    done = call.memory.add(
        content,
        scope=given.scope,
        tags=tag_list(given.tags) or (),
        metadata=metadata,
        ttl_seconds=given.ttl_seconds or None,
        force=given.force,
        id=given.mem_id or None,
        version=given.version,
        **typed_fields(fields),
    )
    return receipt(done)


class UpdateMemory(Arguments, frozen=True, kw_only=True):
    mem_id: MemoryId
    content: Annotated[str | None, Meta(description="The new text. Default: unchanged.")] = None
    metadata: Annotated[
        dict[str, Any] | str | None,
        Meta(
            description="Keys to set, as a JSON object; others stay. null removes a key. "
            "category, importance and source change those fields."
        ),
    ] = None
    tags: Annotated[
        str | list[str] | None,
        Meta(description="The new tags; empty text removes all. Default: unchanged."),
    ] = None
    ttl_seconds: Annotated[
        float | None,
        Meta(description="Expire so many seconds from now; below 0: never. Default: unchanged."),
    ] = None
    tier: Annotated[Tier | None, Meta(description="Move it to this tier.")] = None
    version: Annotated[
        int | None,
        Meta(description="The version that was read. Conflicts become disputes."),
    ] = None


@tool("changes")
def update_memory(call: Call, given: UpdateMemory) -> Answer:
    """Change a memory in place, when a fact changed or gained detail. If it contradicts what
    the user said before, ask the user first. A field that somebody else changed since `version`
    keeps both values in a dispute, which the answer shows."""
    fields, metadata = split_metadata(given.metadata)
    changes: dict[str, Json] = {f"metadata.{key}": value for key, value in metadata.items()}
    changes |= fields
    if given.content and given.content.strip():
        changes["content"] = given.content
    tags = tag_list(given.tags)
    if tags is not None:
        changes["tags"] = tags
    if given.ttl_seconds:
        lasts = given.ttl_seconds > 0
        changes["expires_at"] = call.memory.expiry(given.ttl_seconds) if lasts else None
    if given.tier is not None:
        changes["tier"] = given.tier
    if not changes:
        raise InvalidValueError(
            _("nothing to change was given; name content, metadata, tags, ttl_seconds or tier")
        )
    return receipt(call.memory.update(given.mem_id, changes, based_on=given.version))
