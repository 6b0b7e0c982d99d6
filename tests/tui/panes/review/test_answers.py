"""Every answer to what waits is given once, to what was seen, and taken back by undo."""

from __future__ import annotations

import threading

import pytest
from tui.driven import Driven, Open
from tui.panes.review.conftest import ALIKE, ANA, KNOWN, PENDING, Waiting, state

from omp_core.model import Status
from omp_core.views import ReviewKind
from omp_tui.dialogs.review.edit import EditItemDialog
from omp_tui.dialogs.review.merge import MergeItemDialog

TURNS = {kind: number for number, kind in enumerate(ReviewKind)}


async def to(seen: Driven, kind: ReviewKind) -> None:
    await seen.press(*["right"] * TURNS[kind])
    await seen.until(lambda: seen.screen.kind is kind and seen.screen.settled)


async def counted(seen: Driven, waiting: Waiting, kind: ReviewKind, count: int) -> None:
    """Wait until the memory and the screen both say how many wait."""
    await seen.until(lambda: waiting.count(kind) == count, f"{count} {kind}")
    await seen.until(lambda: seen.screen.counts.get(kind) == count, f"{count} shown")
    await seen.settle()


async def test_each_tab_says_what_a_yes_would_do(dashboard: Open, waiting: Waiting) -> None:
    async with dashboard(waiting.memory, "review") as seen:
        await seen.shows("[Pending 4]", "Candidates 2", "Duplicates 1", "Archive 1", "Forget 1")
        await seen.shows(PENDING[0], "would be new", "same as an existing one: adds a read")
        await seen.shows("Written while the store was away", "Y takes all 4.", "5 Review 10")
        for kind, word in {
            ReviewKind.CANDIDATE: "would be new",
            ReviewKind.DUPLICATE: "would be merged into “Integration tests",
            ReviewKind.ARCHIVE: "would be archived",
            ReviewKind.FORGET: "would be forgotten",
            ReviewKind.REFUSED: "would be stored beside “Integration tests",
        }.items():
            await seen.press("tab")
            await seen.shows(word)
            assert seen.screen.kind is kind


@pytest.mark.parametrize("kind", ReviewKind)
@pytest.mark.parametrize("key", ["y", "x"])
async def test_yes_and_no_settle_one_and_undo_brings_it_back(
    dashboard: Open, waiting: Waiting, kind: ReviewKind, key: str
) -> None:
    real, many = waiting.memory.real, waiting.count(kind)
    before = state(real)
    async with dashboard(waiting.memory, "review", size=(80, 24)) as seen:
        await to(seen, kind)
        await seen.press(key)
        await counted(seen, waiting, kind, many - 1)
        await seen.shows("✓ Done:")
        assert state(real) != before
        await seen.press("u")
        await counted(seen, waiting, kind, many)
        assert state(real) == before
        assert "✓ Done:" not in seen.text


async def test_edit_takes_it_with_another_text(dashboard: Open, waiting: Waiting) -> None:
    real = waiting.memory.real
    before = state(real)
    async with dashboard(waiting.memory, "review", size=(80, 24)) as seen:
        await seen.press("e")
        await seen.shows("Pending: edit, then accept")
        await seen.press("ctrl+s")
        await seen.shows("The text is as it was.")
        seen.query("#content").load_text("Prefers four spaces of indent")
        await seen.press("ctrl+s")
        await seen.until(lambda: not isinstance(seen.screen, EditItemDialog))
        await counted(seen, waiting, ReviewKind.PENDING, 3)
        texts = [one[0] for one in state(real)["records"].values()]
        assert "Prefers four spaces of indent" in texts
        assert PENDING[0] not in texts
        await seen.press("u")
        await counted(seen, waiting, ReviewKind.PENDING, 4)
    assert state(real) == before


async def test_a_secret_is_refused_and_the_rest_offered(dashboard: Open, waiting: Waiting) -> None:
    before = state(waiting.memory.real)
    async with dashboard(waiting.memory, "review") as seen:
        await seen.press("e")
        await seen.shows("edit, then accept")
        seen.query("#content").load_text("the key is AKIAZQ3DRSTUVWXY2345")
        await seen.press("ctrl+s")
        await seen.shows("Use the redacted text")
        await seen.pilot.click("#redact")
        assert "AKIA" not in seen.query("#content").text
        await seen.press("escape", "escape")
    assert state(waiting.memory.real) == before


async def test_merge_shows_the_text_of_both_and_brings_them_together(
    dashboard: Open, waiting: Waiting
) -> None:
    real = waiting.memory.real
    before = state(real)
    async with dashboard(waiting.memory, "review", size=(80, 24)) as seen:
        await to(seen, ReviewKind.DUPLICATE)
        await seen.press("m")
        await seen.shows("Duplicates: merge into")
        await seen.until(lambda: seen.screen.settled)
        assert seen.query("#content").text == ALIKE
        seen.query("#content").load_text("Integration tests want a database")
        await seen.press("ctrl+s")
        await seen.until(lambda: not isinstance(seen.screen, MergeItemDialog))
        await counted(seen, waiting, ReviewKind.DUPLICATE, 0)
        texts = {one[0]: one[1] for one in state(real)["records"].values()}
        assert texts["Integration tests want a database"] is Status.ACTIVE
        assert texts[ALIKE] is Status.SUPERSEDED
        assert KNOWN not in texts
        await seen.press("u")
        await counted(seen, waiting, ReviewKind.DUPLICATE, 1)
    assert state(real) == before


async def test_merge_finds_another_memory(dashboard: Open, waiting: Waiting) -> None:
    other = waiting.memory.real.add("Indent is a matter of taste", scope=ANA)
    async with dashboard(waiting.memory, "review") as seen:
        await seen.press("m")
        await seen.shows("Pending: merge into")
        seen.query("#find").value = "taste"
        await seen.until(lambda: seen.screen._into == other.id and seen.screen.settled)
        await seen.press("ctrl+s")
        await counted(seen, waiting, ReviewKind.PENDING, 3)
    assert waiting.memory.real.get(other.id).version == 2


async def test_all_of_a_kind_is_asked_with_counts_and_is_one_act(
    dashboard: Open, waiting: Waiting
) -> None:
    real = waiting.memory.real
    before = state(real)
    async with dashboard(waiting.memory, "review", size=(80, 24)) as seen:
        await seen.press("Y")
        await seen.shows("Pending: accept 4?", "3 become memories of their own")
        await seen.shows("1 is known word for word, and counts as a read of that", PENDING[0])
        await seen.answer("escape")
        assert state(real) == before
        await seen.press("Y")
        await seen.shows("Pending: accept 4?")
        waiting.keep("Written after the question was asked")
        await seen.answer("y")
        await counted(seen, waiting, ReviewKind.PENDING, 1)
        await seen.shows("Written after the question was asked")
        real.pending.discard([real.review.page(ReviewKind.PENDING).items[0].record.id])
        real.undo(real.acts()[1].id)
    assert state(real) == before


async def test_marked_ones_get_one_answer(dashboard: Open, waiting: Waiting) -> None:
    real = waiting.memory.real
    before = state(real)
    async with dashboard(waiting.memory, "review") as seen:
        await seen.press("space", "space")
        await seen.shows("2 marked")
        await seen.press("x")
        await seen.shows("Pending: reject 2?", "2 are discarded without being stored")
        await seen.answer("y")
        await counted(seen, waiting, ReviewKind.PENDING, 2)
        await seen.press("u")
        await counted(seen, waiting, ReviewKind.PENDING, 4)
        assert state(real) == before
        await seen.press("asterisk")
        await seen.shows("4 marked")
        await seen.press("escape")
        await seen.until(lambda: "marked" not in seen.text)


async def test_the_preview_answers_what_it_shows(dashboard: Open, waiting: Waiting) -> None:
    async with dashboard(waiting.memory, "review", size=(80, 24)) as seen:
        await seen.press("down", "enter")
        await seen.shows("written 38 m ago by user, while the store was away", "would be new")
        await seen.answer("y")
        await counted(seen, waiting, ReviewKind.PENDING, 3)
    texts = [one[0] for one in state(waiting.memory.real)["records"].values()]
    assert PENDING[1] in texts


async def test_a_burst_of_yes_answers_only_what_was_seen(dashboard: Open, waiting: Waiting) -> None:
    async with dashboard(waiting.memory, "review") as seen:
        held = waiting.memory.gates["accept"] = threading.Event()
        await seen.press("y", "y", "y")
        held.set()
        await counted(seen, waiting, ReviewKind.PENDING, 3)
    assert len(waiting.memory.called("accept")) == 1
