"""The write rule."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from itertools import count
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from omp_core.model import Importance, Record, Stamp, Status, Tier
from omp_core.rules.merge import merge, metadata_changes

NOW = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)
START = Record(
    "r1",
    "theme: light",
    NOW,
    NOW,
    metadata={"a": 0},
    stamps={"content": Stamp(1, "user", NOW), "tier": Stamp(1, "user", NOW)},
)

fields = {
    "content": st.sampled_from(["theme: dark", "theme: auto", "theme: light"]),
    "tier": st.sampled_from(list(Tier)),
    "importance": st.sampled_from(list(Importance)),
    "status": st.sampled_from(list(Status)),
    "user_id": st.sampled_from([None, "ana", "bo"]),
    "confidence": st.floats(0, 1),
    "metadata.a": st.sampled_from([None, 1, 2]),
    "metadata.b": st.sampled_from([None, "x"]),
    "tags": st.frozensets(st.sampled_from(["x", "y", "z"])),
}
changes = st.fixed_dictionaries({}, optional=fields)


def write(record: Record, wanted: dict[str, Any], based_on: int, actor: str = "agent:a") -> Any:
    ids = (f"d{number}" for number in count())
    return merge(record, wanted, based_on=based_on, actor=actor, now=NOW, dispute_ids=ids)


def values(record: Record) -> tuple[Record, list[tuple[str, str]]]:
    """Everything but versions, stamps and the ids of disputes."""
    disputes = sorted((one.field, repr(one.incoming)) for one in record.disputes)
    return replace(record, version=0, stamps={}, disputes=()), disputes


@given(changes, changes)
def test_writes_to_different_fields_commute(a: Any, b: Any) -> None:
    b = {name: value for name, value in b.items() if name not in a}
    ab = write(write(START, a, 1).record, b, 1).record
    ba = write(write(START, b, 1).record, a, 1).record
    assert values(ab) == values(ba)
    assert not ab.disputes


@given(changes, changes)
def test_the_same_write_twice_is_the_write_once(before: Any, a: Any) -> None:
    start = write(START, before, 1).record
    once = write(start, a, 1).record
    twice = write(once, a, 1)
    assert values(twice.record) == values(once)
    assert not twice.changed


@given(st.lists(st.tuples(changes, st.integers(0, 3)), max_size=6))
def test_every_value_written_is_current_superseded_or_disputed(writes: Any) -> None:
    record, history = START, []
    for wanted, back in writes:
        merged = write(record, wanted, max(1, record.version - back))
        history.append(merged.before)
        record = merged.record
        for name, value in wanted.items():
            if name == "tags":
                held = merged.after.get("tags", sorted(record.tags))
                assert set(value) <= set(held)
                continue
            plain = value
            current = record.metadata.get(name.removeprefix("metadata."))
            if not name.startswith("metadata."):
                holder = record.scope if name == "user_id" else record
                current = getattr(holder, name)
            disputed = [one.incoming for one in record.disputes if one.field == name]
            assert plain == current or plain in disputed


@given(changes, changes)
def test_a_write_on_the_newest_version_opens_no_dispute(before: Any, a: Any) -> None:
    start = write(START, before, 1).record
    assert write(start, a, start.version).disputes == ()


def test_a_conflict_keeps_both_sides_with_actors_and_base() -> None:
    first = write(START, {"content": "theme: dark"}, 1, "agent:a").record
    late = write(first, {"content": "theme: auto"}, 1, "agent:b")
    (dispute,) = late.disputes
    assert late.record.content == "theme: dark"
    assert (dispute.current, dispute.incoming) == ("theme: dark", "theme: auto")
    assert (dispute.current_actor, dispute.incoming_actor) == ("agent:a", "agent:b")
    assert dispute.base_version == 1
    assert late.record.version == 3


def test_tags_written_on_an_old_version_are_added_and_on_the_newest_replaced() -> None:
    first = write(START, {"tags": {"x"}}, 1).record
    assert write(first, {"tags": {"y"}}, 1).record.tags == {"x", "y"}
    assert write(first, {"tags": {"y"}}, first.version).record.tags == {"y"}


def test_metadata_is_compared_key_by_key() -> None:
    assert metadata_changes({"a": 1, "b": 2}, {"b": 3, "c": None}) == {
        "metadata.a": None,
        "metadata.b": 3,
        "metadata.c": None,
    }
