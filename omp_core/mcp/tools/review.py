"""The tool of the review. The answers are the user's decisions."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from omp_core.errors import UsageError
from omp_core.i18n import _
from omp_core.mcp.arguments import Arguments, Limit
from omp_core.mcp.registry import Answer, Call, tool
from omp_core.model import Json
from omp_core.present import brief, page, receipt
from omp_core.views import ReviewItem, ReviewKind, ReviewReport

Action = Literal["list", "accept", "reject", "edit", "merge", "accept_all", "reject_all"]


class ReviewMemories(Arguments, frozen=True, kw_only=True):
    action: Annotated[
        Action,
        Meta(
            description="list what waits of a kind; accept, reject, edit or merge one by its key; "
            "accept_all or reject_all of a kind."
        ),
    ] = "list"
    kind: Annotated[
        Literal["pending", "candidate", "duplicate", "archive", "forget", "refused"],
        Meta(description="Which kind to list, or to answer all of."),
    ] = "pending"
    key: Annotated[str, Meta(description="Which one, as list names it.")] = ""
    mark: Annotated[
        str | None,
        Meta(description="The mark that list gave with it: nothing is done if it has changed."),
    ] = None
    content: Annotated[
        str | None, Meta(description="The text to take instead (edit), or of both (merge).")
    ] = None
    into: Annotated[
        str | None,
        Meta(description="The memory to merge it into. Default: the one that it resembles."),
    ] = None
    limit: Limit = 20
    offset: Annotated[int, Meta(description="Skip so many.", ge=0)] = 0
    confirmed_by_user: Annotated[
        bool, Meta(description="true only when the user has seen it and chose this.")
    ] = False


@tool("changes")
def review(call: Call, given: ReviewMemories) -> Answer:
    """List what waits for the user's yes or no, with what a yes would do: memories written while
    the store was away (pending), unsure ones (candidate), duplicates, long unread ones (archive,
    forget), texts refused as duplicates; and answer as the user decided. Show the user what
    waits and ask; never decide yourself. It is journalled as the user's, who can undo it."""
    inbox = call.memory.review
    kind = ReviewKind(given.kind)
    if given.action == "list":
        window = inbox.page(kind, offset=given.offset, limit=given.limit)
        told = page([_item(one) for one in window.items], window.total, given.offset)
        return {**told, "counts": {str(name): count for name, count in inbox.counts().items()}}
    if not given.confirmed_by_user:
        raise UsageError(
            _(
                "this is the user's decision: show what waits and what a yes would do, ask, and "
                "call again with confirmed_by_user=true"
            )
        )
    with call.for_the_user():
        match given.action:
            case "accept":
                return receipt(inbox.accept(given.key, seen=given.mark))
            case "reject":
                return receipt(inbox.reject(given.key, seen=given.mark))
            case "edit":
                if given.content is None:
                    raise UsageError(_("content: say which text to take instead"))
                return receipt(inbox.edit(given.key, given.content, seen=given.mark))
            case "merge":
                done = inbox.merge(given.key, given.into, given.content, seen=given.mark)
                return receipt(done)
            case "accept_all":
                return _report(inbox.accept_all(kind))
            case "reject_all":
                return _report(inbox.reject_all(kind))


def _report(report: ReviewReport) -> Answer:
    told: Answer = {"done": len(report.receipts), "left": dict(report.left)}
    return told | {"act_id": report.act_id, "hint": report.note}


def _item(one: ReviewItem) -> dict[str, Json]:
    told: dict[str, Json] = {
        "key": one.key,
        "mark": one.mark,
        "text": one.text,
        "at": msgspec.to_builtins(one.at),
        "actor": one.actor,
        "would_be": one.effect,
        "other": None if one.other is None else brief(one.other),
        "merged_text": one.merged_text,
        "places": msgspec.to_builtins(one.places),
        "problem": one.problem,
    }
    return {name: value for name, value in told.items() if value not in (None, [], ())}
