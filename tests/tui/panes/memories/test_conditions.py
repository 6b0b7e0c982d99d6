"""Conditions in the search line, and the chips that they become."""

from __future__ import annotations

import pytest
from tui.driven import NOW, MakeMemory, Open

from omp_core.model import Query, Scope, Tier
from omp_tui.panes.memories.view import MemoriesView, view_lines, without_last


async def test_a_typed_condition_becomes_a_chip_and_backspace_takes_it_away(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    memory = make_memory(8)
    async with dashboard(memory, "memories") as seen:
        await seen.press("slash")
        await seen.type("tier:work")
        await seen.press("right")  # completes it
        await seen.until(lambda: seen.query("#search").value == "tier:working")
        await seen.press("space")
        await seen.shows("2 memories", "tier working")
        assert seen.query("#search").value == ""
        await seen.press("backspace")
        await seen.shows("8 memories", "tier any")
        await seen.type("tag:ci unread>30d")
        await seen.press("enter")
        await seen.shows("tag ci", "unread since 2026-01-30")
        await seen.press("backspace")  # in the list
        await seen.shows("4 memories", "tag ci")
        await seen.press("escape")
        await seen.shows("8 memories")


async def test_what_is_no_condition_is_said_and_stays(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    async with dashboard(make_memory(4), "memories") as seen:
        await seen.press("slash")
        await seen.type("tier:gone")
        await seen.press("enter")
        await seen.told("“tier:gone” is no condition")
        assert seen.query("#search").value == "tier:gone"
        await seen.shows("4 memories")


QUERIES = (
    Query(tiers=frozenset({Tier.WORKING})),
    Query(scope=Scope(user_id="ana")),
    Query(statuses=frozenset()),
    Query(tag="db"),
    Query(disputed=False),
    Query(proposed=True),
    Query(only_expired=True, include_expired=True),
    Query(unread_since=NOW),
    Query(metadata={"key": "value"}),
    Query(within=(Scope(user_id="ana"),)),
    Query(ids=frozenset({"m1", "m2"})),
)


@pytest.mark.parametrize("query", QUERIES)
def test_every_condition_is_on_the_line_and_can_be_taken_away(query: Query) -> None:
    plain = view_lines(MemoriesView(), 200)[0].plain
    assert view_lines(MemoriesView(query=query), 200)[0].plain != plain
    assert without_last(query) == Query()
