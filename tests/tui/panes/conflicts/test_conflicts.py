"""The conflicts, driven on the real memory."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from tui.driven import NOW, MakeMemory, Open, Recorder, dispute, record
from tui.test_hostile import CORPUS, harmless

from omp_core.errors import StoreUnavailableError
from omp_core.model import DisputeKind, Query


def disputed(make_memory: MakeMemory, count: int = 3, **options: Any) -> Recorder:
    """Return a memory with `count` disputes, those of m1 first, all between the same two."""
    memory = make_memory(0, **options)
    memory.elsewhere(
        *(
            record(
                number,
                content=f"theme {number} is dark",
                disputes=(
                    replace(
                        dispute(number, f"theme {number} is dark", f"theme {number} is auto"),
                        incoming_at=NOW - timedelta(hours=number),
                    ),
                ),
            )
            for number in range(1, count + 1)
        )
    )
    return memory


def waiting(memory: Recorder) -> list[str]:
    return [one.record.id for one in memory.real.disputes()]


def contents(memory: Recorder) -> dict[str, str]:
    return {one.id: one.content for one in memory.real.records(Query())}


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_both_sides_with_differing_words_actors_and_use(
    dashboard: Open, make_memory: MakeMemory, size: tuple[int, int]
) -> None:
    async with dashboard(disputed(make_memory), "conflicts", size=size) as seen:
        await seen.shows(
            "3 wait",
            "1 of 3",
            "theme 1 is [dark]",
            "theme 1 is [auto]",
            "agent:claude",
            "agent:codex",
            "confidence 1.0",
            "nobody reads it yet",
            "3 like this",
        )
        lines = seen.text.splitlines()
        beside = any("[dark]" in line and "[auto]" in line for line in lines)
        assert beside == (size[0] >= 100)


@pytest.mark.parametrize(
    ("keys", "content", "aside"),
    [
        (["enter"], "theme 1 is dark", 0),
        (["right", "enter"], "theme 1 is auto", 0),
        (["l", "h", "enter"], "theme 1 is dark", 0),
        (["b"], "theme 1 is dark", 0),
        (["z"], "theme 1 is dark", 1),
    ],
)
async def test_an_answer_brings_the_next_one_and_undo_the_same_again(
    dashboard: Open, make_memory: MakeMemory, keys: Any, content: str, aside: Any
) -> None:
    memory = disputed(make_memory)
    async with dashboard(memory, "conflicts") as seen:
        await seen.shows("theme 1 is [dark]")
        await seen.press(*keys)
        await seen.shows("2 wait", "theme 2 is [dark]", "✓", "u undoes")
        assert waiting(memory) == ["m2", "m3"]
        assert contents(memory)["m1"] == content
        assert len(memory.real.disputes(set_aside=True)) == aside
        assert not seen.toasts
        await seen.press("u")
        await seen.shows("3 wait", "theme 1 is [dark]")
        assert waiting(memory) == ["m1", "m2", "m3"]
        assert "✓" not in seen.text
        assert contents(memory)["m1"] == "theme 1 is dark"


async def test_own_words(dashboard: Open, make_memory: MakeMemory) -> None:
    memory = disputed(make_memory)
    async with dashboard(memory, "conflicts", size=(80, 24)) as seen:
        await seen.shows("theme 1 is [dark]")
        await seen.press("e")
        await seen.shows("Settle it in your own words")
        seen.query("#content").load_text("")
        await seen.press("ctrl+s")
        await seen.shows("say what holds")
        await seen.type("theme 1 is sepia")
        await seen.press("ctrl+s")
        await seen.shows("2 wait", "✓ wrote “theme 1 is sepia”", "theme 2 is [dark]")
        assert contents(memory)["m1"] == "theme 1 is sepia"


async def test_the_same_answer_for_all_like_this_is_one_act(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    memory = disputed(make_memory)
    async with dashboard(memory, "conflicts", size=(80, 24)) as seen:
        await seen.shows("theme 1 is [dark]")
        await seen.press("right", "Y")
        await seen.shows("The same answer for 3 disputes?", "takes its incoming", "theme 3 is auto")
        await seen.answer("b")
        await seen.shows("Each keeps both sides")
        await seen.answer("z")
        await seen.shows("Each is set aside")
        await seen.answer("z")
        await seen.shows("takes its incoming")
        assert waiting(memory) == ["m1", "m2", "m3"]
        await seen.answer("y")
        await seen.shows("No dispute waits", "took the incoming side of 3 disputes")
        assert set(contents(memory).values()) == {f"theme {number} is auto" for number in (1, 2, 3)}
        await seen.press("u")
        await seen.shows("3 wait", "1 of 3")
        assert contents(memory)["m2"] == "theme 2 is dark"


async def test_leaving_the_question_settles_nothing(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    memory = disputed(make_memory)
    async with dashboard(memory, "conflicts") as seen:
        await seen.press("Y")
        await seen.shows("The same answer for 3 disputes?")
        await seen.answer("escape")
        await seen.shows("3 wait")
        assert waiting(memory) == ["m1", "m2", "m3"]


async def test_the_dispute_in_hand_stays_and_says_who_settled_it(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    memory = disputed(make_memory)
    async with dashboard(memory, "conflicts", size=(80, 24)) as seen:
        await seen.shows("theme 1 is [dark]")
        await seen.press("down")
        await seen.shows("theme 2 is [dark]")
        memory.elsewhere(
            record(9, content="newer", disputes=(dispute(9, "newer is black", "newer is white"),))
        )
        await seen.shows("4 wait", "theme 2 is [dark]")
        with memory._reopen("agent:gemini", NOW) as other:
            other.resolve("m2", "d2", "incoming")
        await seen.shows("Settled meanwhile by agent:gemini", "3 wait")
        await seen.press("enter")
        await seen.shows("theme 3 is [dark]")
        assert "m3" in waiting(memory)
        memory.deleted_elsewhere("m3")
        await seen.shows("agent:codex deleted the memory")
        await seen.press("b")
        await seen.until(lambda: "deleted the memory" not in seen.text)
        assert len(waiting(memory)) == 2


async def test_what_was_set_aside_is_shown_and_can_be_settled(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    memory = disputed(make_memory, 2)
    async with dashboard(memory, "conflicts") as seen:
        await seen.press("f")
        await seen.shows("Nothing is set aside")
        await seen.press("f")
        await seen.shows("theme 1 is [dark]")
        await seen.press("z")
        await seen.shows("1 wait", "theme 2 is [dark]")
        await seen.press("f")
        await seen.shows("1 set aside", "theme 1 is [dark]")
        await seen.press("z", "enter")
        await seen.shows("Nothing is set aside")
        assert waiting(memory) == ["m2"]
        assert not memory.real.disputes(set_aside=True)


async def test_an_empty_queue_says_what_fills_it(dashboard: Open, make_memory: MakeMemory) -> None:
    async with dashboard(make_memory(1), "conflicts", size=(80, 24)) as seen:
        await seen.shows("No dispute waits", "two branches of git")
        await seen.press("enter", "b", "z", "e", "Y", "left", "right", "down")
        await seen.shows("No dispute waits")


async def test_a_store_that_is_away_is_not_an_empty_queue(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    memory = disputed(make_memory)
    memory.errors["disputes"] = StoreUnavailableError("the disk is gone")
    async with dashboard(memory, "conflicts") as seen:
        await seen.shows("The disputes cannot be read: the disk is gone")
        del memory.errors["disputes"]
        memory.changed_elsewhere("m1", {"importance": "low"})
        await seen.shows("3 wait", "theme 1 is [dark]")


async def test_an_answer_that_fails_leaves_the_dispute(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    memory = disputed(make_memory)
    memory.errors["resolve"] = StoreUnavailableError("the disk is full")
    async with dashboard(memory, "conflicts") as seen:
        await seen.shows("theme 1 is [dark]")
        await seen.press("enter")
        await seen.until(lambda: seen.toasts)
        assert waiting(memory) == ["m1", "m2", "m3"]
        del memory.errors["resolve"]
        await seen.settle()
        await seen.press("enter")
        await seen.shows("2 wait")


async def test_two_quick_keys_settle_no_dispute_twice(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    memory = disputed(make_memory)
    async with dashboard(memory, "conflicts") as seen:
        await seen.shows("theme 1 is [dark]")
        await seen.press("enter", "enter")
        await seen.settle()
        assert not seen.toasts
        assert len(waiting(memory)) in (1, 2)


@pytest.mark.parametrize("name", CORPUS)
@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_hostile_sides_are_shown_and_not_obeyed(
    dashboard: Open, make_memory: MakeMemory, name: str, size: tuple[int, int]
) -> None:
    text = re.sub("[\ud800-\udfff]", "", CORPUS[name][:8000])  # no file holds a surrogate
    memory = make_memory(0)
    memory.elsewhere(
        record(
            1,
            content=text,
            disputes=(
                replace(
                    dispute(1, text, text + " b"),
                    current_actor=f"agent:{text}",
                    kind=DisputeKind.CONTRADICTION,
                ),
                replace(dispute(2, text, "x"), field=f"metadata.{text[:50]}"),
            ),
        )
    )
    async with dashboard(memory, "conflicts", size=size) as seen:
        await seen.shows("2 wait")
        harmless(seen)
        await seen.press("down")
        await seen.settle()
        harmless(seen)
        for key in ("e", "Y"):
            await seen.press(key)
            await seen.until(lambda: len(seen.app.screen_stack) == 2, "the dialog")
            await seen.pilot.pause()
            harmless(seen)
            await seen.drawn()
            await seen.press("escape")
            await seen.until(lambda: len(seen.app.screen_stack) == 1, "the pane")
        await seen.press("enter")
        await seen.shows("1 waits")
        harmless(seen)


async def test_a_dispute_of_two_branches_is_settled_in_the_document(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    memory = make_memory(
        0, facts="name: shop\n<<<<<<< HEAD\nport: 1\n=======\nport: 2\n>>>>>>> feature\n"
    )
    async with dashboard(memory, "conflicts", size=(80, 24)) as seen:
        await seen.shows("two branches: port", "in project.yaml", "[1]", "[2]", "feature")
        await seen.press("z")
        await seen.press("right", "enter")
        await seen.shows("No dispute waits", "✓ settled port of project.yaml")
        assert memory.real.documents.value("port") == 2
        await seen.press("u")
        await seen.shows("two branches: port")
        (again,) = memory.real.disputes()
        assert (again.dispute.current, again.dispute.incoming) == (1, 2)


async def test_a_click_on_a_side_chooses_it(dashboard: Open, make_memory: MakeMemory) -> None:
    memory = disputed(make_memory, 1)
    async with dashboard(memory, "conflicts") as seen:
        await seen.shows("theme 1 is [auto]")
        lines = seen.text.splitlines()
        y = next(at for at, line in enumerate(lines) if "B incoming" in line)
        await seen.pilot.click(offset=(lines[y].index("B incoming") + 2, y))
        await seen.shows("▸B incoming")
