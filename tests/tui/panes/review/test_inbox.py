"""The inbox as it is shown: empty, away and back, while others write, and with hostile texts."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from tui.driven import NOW, Driven, Open, record
from tui.panes.review.conftest import ANA, PENDING, Waiting, state
from tui.test_hostile import CORPUS, harmless

from omp_core.errors import StoreUnavailableError
from omp_core.memory import Memory
from omp_core.model import Capability, Status
from omp_core.views import ReviewKind


async def shown(seen: Driven, waiting: Waiting, kind: ReviewKind, count: int) -> None:
    await seen.until(lambda: waiting.count(kind) == count, f"{count} {kind}")
    await seen.until(lambda: seen.screen.counts.get(kind) == count, f"{count} shown")
    await seen.settle()


async def undone(seen: Driven, memory: Memory) -> None:
    """Press u, and wait until the newest act is taken back."""
    newest = memory.undoable()
    await seen.press("u")
    await seen.until(lambda: memory.undoable() != newest, "the undo")


async def test_an_empty_kind_says_what_will_fill_it(dashboard: Open, nothing_waits: Any) -> None:
    async with dashboard(nothing_waits.memory, "review", size=(80, 24)) as seen:
        for first in (
            "No memory waits for the store.",
            "No candidate waits.",
            "No duplicate waits.",
            "Nothing is proposed to be archived.",
            "Nothing is proposed to be forgotten.",
            "No text was refused of late.",
        ):
            await seen.shows(first, "Nothing at all waits for an answer.")
            await seen.press("y", "x", "e", "m", "enter", "space", "c", "right")
        await seen.press("Y")
        await seen.until(lambda: "Nothing waits here." in seen.toasts)


async def test_it_opens_where_something_waits(dashboard: Open, nothing_waits: Waiting) -> None:
    nothing_waits.memory.real.add("Notes are short", scope=ANA, status=Status.CANDIDATE)
    async with dashboard(nothing_waits.memory, "review") as seen:
        await seen.shows("[Candidates 1]", "Notes are short")
        await seen.press("left")
        await seen.shows("No memory waits for the store.", "Waiting for an answer: Candidates 1")
        await seen.pilot.click("#kinds", offset=(18, 0))
        await seen.shows("[Candidates 1]")


async def test_the_item_in_hand_stays_when_others_arrive(dashboard: Open, waiting: Waiting) -> None:
    real = waiting.memory.real
    async with dashboard(waiting.memory, "review") as seen:
        await seen.press(*["right"] * 5)
        await seen.shows("[Refused 1]")
        await seen.settle()
        held = seen.screen.list.item
        assert real.add("A running database integration tests need", scope=ANA).act_id is None
        await shown(seen, waiting, ReviewKind.REFUSED, 2)
        assert seen.screen.list.item.key == held.key
        assert seen.screen.list.cursor == 1
        await seen.press("x")
        await shown(seen, waiting, ReviewKind.REFUSED, 1)
        assert real.review.page(ReviewKind.REFUSED).items[0].key != held.key


async def test_what_was_changed_or_settled_elsewhere_is_not_answered(
    dashboard: Open, waiting: Waiting
) -> None:
    real = waiting.memory.real
    async with dashboard(waiting.memory, "review") as seen:
        await seen.press("right")
        await seen.shows("[Candidates 2]", "Release notes")
        await seen.settle()
        first, second = real.review.page(ReviewKind.CANDIDATE).items
        waiting.memory.changed_elsewhere(first.record.id, {"content": "Notes are in German"})
        await seen.shows("changed meanwhile", "Notes are in German")
        await seen.press("y")
        await seen.until(lambda: any("changed meanwhile" in one for one in seen.toasts))
        assert waiting.count(ReviewKind.CANDIDATE) == 2
        with waiting.open(NOW) as other:
            other.review.accept(f"candidate:{first.record.id}")
        await seen.shows("settled meanwhile")
        await seen.press("y")
        await seen.until(lambda: any("settled meanwhile" in one for one in seen.toasts))
        assert real.get(second.record.id).status is Status.CANDIDATE


async def test_a_store_that_is_away_is_said_and_comes_back(
    dashboard: Open, waiting: Waiting
) -> None:
    memory = waiting.memory
    away = StoreUnavailableError("the disk [/is] asleep")
    since = NOW - timedelta(minutes=38)
    rest = (Capability("vectors", True, "m", NOW), Capability("project", True, "p", NOW))
    memory.errors["counts"] = memory.errors["page"] = away
    memory.answers["capabilities"] = lambda _now: (
        Capability("store", False, "sqlite", since, str(away)),
        *rest,
    )
    async with dashboard(memory, "review", size=(80, 24)) as seen:
        await seen.shows("What waits cannot be shown.", "the disk [/is] asleep")
        await seen.shows("4 memories wait for the store", "Candidates —")
        await seen.press("y", "Y", "x", "e", "m", "enter", "right", "left")
        await seen.until(lambda: not seen.app.capabilities[0].up)
        memory.errors.clear()
        memory.answers["capabilities"] = lambda _now: (
            Capability("store", True, "sqlite", NOW),
            *rest,
        )
        await seen.until(lambda: seen.app.store_outage == (since, NOW))
        seen.app.refresh_all()
        await seen.shows("Y takes all 4. The store came back", "was away 38 m.", PENDING[0])


@pytest.mark.parametrize("name", ["markup", "sequences"])
async def test_hostile_texts_are_shown_and_not_obeyed(
    dashboard: Open, nothing_waits: Waiting, name: str
) -> None:
    text = CORPUS[name].encode("utf-8", "replace").decode()  # no file has lone surrogates
    # whole records come as they are; what is said anew has no controls, but all the rest
    said = "".join(char for char in text if char.isprintable() or char in "\u202e\u2066\u200b")
    candidate = {"status": Status.CANDIDATE, "scope": ANA, "tags": frozenset({text[:40]})}
    nothing_waits.memory.elsewhere(
        record(1, content=text, scope=ANA),
        record(2, content=text + " and more of it", **candidate),
        actor=f"agent:{text}",
    )
    nothing_waits.keep(said + " while away")
    async with dashboard(nothing_waits.memory, "review") as seen:
        await seen.until(lambda: seen.app.warmed and seen.screen.settled, "the model")
        for kind in ("pending", "candidate"):
            seen.screen.action_show_kind(kind)
            await seen.settle()
            harmless(seen)
            for key in ("enter", "e", "m", "Y"):
                await seen.press(key)
                await seen.until(lambda: len(seen.app.screen_stack) == 2, key)
                await seen.drawn()
                await seen.pilot.pause()
                harmless(seen)
                await seen.press("escape")
                await seen.until(lambda: len(seen.app.screen_stack) == 1, "the way back")
            seen.screen.list.move_to(0)
            await seen.press("c", "y")
            await shown(seen, nothing_waits, ReviewKind(kind), 0)
            harmless(seen)


async def test_all_that_waits_is_answered_and_all_of_it_taken_back(
    dashboard: Open, waiting: Waiting
) -> None:
    real = waiting.memory.real
    before = state(real)
    async with dashboard(waiting.memory, "review", size=(80, 24)) as seen:
        acts = 0
        for kind in ReviewKind:
            seen.screen.action_show_kind(kind)
            await seen.settle()
            while waiting.count(kind):
                left = waiting.count(kind)
                if kind is ReviewKind.PENDING:
                    await seen.press("Y")
                    await seen.shows("Pending: accept 4?")
                    await seen.answer("y")
                    await shown(seen, waiting, kind, 0)
                else:
                    await seen.press("y" if left % 2 else "x")
                    await shown(seen, waiting, kind, left - 1)
                acts += 1
        assert sum(real.review.counts().values()) == 0
        await seen.shows("Nothing at all waits for an answer.")
        for _act in range(acts):
            await undone(seen, real)
        await seen.until(lambda: state(real) == before, "the beginning")
        await shown(seen, waiting, ReviewKind.PENDING, 4)
