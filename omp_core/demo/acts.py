"""The demo's writes as acts of the journal, each with what it changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import groupby

from omp_core.demo.story import Step, stable_id
from omp_core.language.headline import headline
from omp_core.model import CHANGEABLE_FIELDS, Act, JournalEntry, Json, Record
from omp_core.record_json import to_json
from omp_core.rules.fields import field_value, json_value
from omp_core.store.protocol import Batch, Put, Removal


def batches(lives: Iterable[Sequence[Step]]) -> Iterator[Batch]:
    """Yield the acts of these lives with what each wrote, the oldest first."""
    steps = sorted((step for life in lives for step in life), key=_act_of)
    for (at, actor, kind), grouped in groupby(steps, _act_of):
        together = list(grouped)
        act = Act(
            stable_id(at, f"{actor} {kind}"),
            kind,
            actor,
            at,
            "",
            len(together),
            values=_told(together),
        )
        yield Batch(
            act,
            tuple(
                Put(step.after, None if step.before is None else step.before.version)
                for step in together
                if step.after is not None
            ),
            tuple(
                Removal(step.before.id, step.before.version)
                for step in together
                if step.before is not None and step.after is None
            ),
            tuple(_journalled(act, step) for step in together),
        )


def _act_of(step: Step) -> tuple[datetime, str, str]:
    return step.at, step.actor, step.kind


def _journalled(act: Act, step: Step) -> JournalEntry:
    before, after = _sides(step)
    record = step.record
    return JournalEntry(
        act.id, act.kind, act.actor, act.at, record.id, record.version, before, after
    )


def _sides(step: Step) -> tuple[dict[str, Json] | None, dict[str, Json] | None]:
    if step.before is None or step.after is None:
        return (
            None if step.before is None else to_json(step.before),
            None if step.after is None else to_json(step.after),
        )
    return _difference(step.before, step.after)


def _difference(old: Record, new: Record) -> tuple[dict[str, Json], dict[str, Json]]:
    changed = [
        name
        for name in CHANGEABLE_FIELDS
        if name != "metadata" and field_value(old, name) != field_value(new, name)
    ]
    before = {name: json_value(field_value(old, name)) for name in changed}
    after = {name: json_value(field_value(new, name)) for name in changed}
    if old.disputes != new.disputes:
        before["disputes"] = json_value(old.disputes)
        after["disputes"] = json_value(new.disputes)
    return before, after


def _told(together: Sequence[Step]) -> dict[str, Json]:
    """Return the values that `Memory` keeps of such an act."""
    first = min(together, key=lambda step: step.before is not None)
    count = len(together)
    match first.kind:
        case "add":
            return {"text": headline(first.record.content)}
        case "delete" | "maintain":
            return {"count": count}
        case "sync":
            return {"decided": 0, "asked": count, "closed": 0}
        case "review":
            text = headline(first.record.content)
            return {"form": "accept-archive", "text": text, "count": count}
        case "tier":
            return {"count": count, "tier": first.record.tier.value}
        case _:
            return _changed(first)


def _changed(step: Step) -> dict[str, Json]:
    before, after = _sides(step)
    fields = [name for name in after or {} if name != "disputes"]
    held = 0 if step.before is None else len(step.before.disputes)
    opened = [dispute.field for dispute in step.record.disputes[held:]]
    text = step.record.content if before is None else before.get("content", step.record.content)
    return {"fields": fields or opened, "text": headline(text)}
