"""Mode 7: the journal as it happens, its filters, what an act changed, what goes back."""

from __future__ import annotations

import pytest
from textual.widgets import Input, Select
from tui.driven import NOW, MakeMemory, Open, Recorder, record

from omp_core.errors import StoreUnavailableError
from omp_core.model import Act, Capability, Query, Tier
from omp_tui.panes.activity.view import Period
from omp_tui.widgets.rows import PAGE


def acts(memory: Recorder) -> list[str]:
    return [act.kind for act in memory.real.acts(limit=50)]


def texts(memory: Recorder) -> set[str]:
    return {one.content for one in memory.real.list(Query(), limit=200).records}


@pytest.fixture
def busy(make_memory: MakeMemory) -> Recorder:
    """Return a memory in which two people did and searched for something."""
    memory = make_memory(3)
    made = memory.real.add("uses npm")
    memory.real.update(made.id, {"content": "uses pnpm"})
    memory.real.search("pnpm")
    memory.real.search("zeppelin mooring")
    return memory


async def test_each_line_says_when_who_and_what(dashboard: Open, busy: Recorder) -> None:
    async with dashboard(busy, "activity") as seen:
        await seen.shows(
            "14:32", "user", "changed text of", "added “uses npm”", "imported 3 records"
        )
        await seen.shows("searched “pnpm” · hybrid · 1 hit", "“zeppelin mooring”", "5 lines")
        await seen.shows("everyone", "every kind", "any time", "live ▶")


async def test_it_fits_eighty_columns(dashboard: Open, busy: Recorder) -> None:
    async with dashboard(busy, "activity", size=(80, 24)) as seen:
        assert all(len(line) == 80 for line in seen.text.splitlines())
        await seen.shows("uses npm")


async def test_what_others_do_comes_in_at_the_top_and_the_line_in_hand_stays(
    dashboard: Open, busy: Recorder
) -> None:
    async with dashboard(busy, "activity") as seen:
        await seen.press("down", "down")
        pane = seen.screen
        held = pane.list.item.key
        busy.elsewhere(record(50, content="from another process"))
        await seen.shows("agent:codex", "6 lines")
        assert pane.list.item.key == held


async def test_pause_holds_it_still_until_it_goes_on(dashboard: Open, busy: Recorder) -> None:
    async with dashboard(busy, "activity") as seen:
        await seen.press("P")
        await seen.shows("paused ⏸")
        busy.elsewhere(record(50))
        await seen.pilot.pause(0.5)
        assert "agent:codex" not in seen.text
        await seen.press("P")
        await seen.shows("agent:codex", "live ▶")


async def test_a_long_journal_is_read_downwards_in_pages(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    memory = make_memory(0)
    made = memory.real.add("counted")
    for number in range(PAGE + 30):
        memory.real.set_tier([made.id], tuple(Tier)[number % 2])
    async with dashboard(memory, "activity") as seen:
        pane = seen.screen
        assert pane.list.total == PAGE
        await seen.press("G")
        await seen.until(lambda: pane.list.total == PAGE + 31, "the rest")
        await seen.press("G")
        await seen.shows("added “counted”")


async def test_moves_by_the_rules_are_folded_under_their_act(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    memory = make_memory(0)
    for number in range(memory.real.settings.tiers.working_capacity + 1):
        memory.real.add(f"working {number}", tier=Tier.WORKING, force=True)
    async with dashboard(memory, "activity") as seen:
        await seen.shows("▸ 1 moved by the rules")
        await seen.press("enter")
        await seen.shows("What it changed", "+ working 20", "by the rules: tier", "working 0")
        await seen.press("down")
        await seen.shows("− [working]", "+ [short-term]")


async def test_an_act_opens_to_its_changes_with_the_words_that_differ(
    dashboard: Open, busy: Recorder
) -> None:
    async with dashboard(busy, "activity") as seen:
        await seen.press("enter")
        await seen.shows("What it changed", "1 change", "− uses [npm]", "+ uses [pnpm]")
        await seen.press("c")
        assert "[pnpm]" in seen.app.clipboard
        await seen.press("escape")
        assert seen.screen is not None


async def test_from_a_change_one_goes_to_all_that_happened_to_its_memory(
    dashboard: Open, busy: Recorder
) -> None:
    async with dashboard(busy, "activity") as seen:
        await seen.press("enter")
        await seen.shows("uses [npm]")
        await seen.press("f")
        await seen.shows("about “uses pnpm”", "3 lines")
        assert "imported" not in seen.text
        await seen.press("escape")
        await seen.shows("imported 3 records", "5 lines")


async def test_from_a_change_one_goes_to_the_memory_itself(dashboard: Open, busy: Recorder) -> None:
    async with dashboard(busy, "activity") as seen:
        await seen.press("enter")
        await seen.shows("uses [npm]")
        await seen.press("enter")
        await seen.until(lambda: seen.app.current_mode == "memories", "the memories")
        await seen.shows("1 memory")


async def test_a_search_opens_to_how_it_was_asked_and_what_it_found(
    dashboard: Open, busy: Recorder
) -> None:
    async with dashboard(busy, "activity") as seen:
        lines = [line.what for _place, line in seen.screen.list._rows.known()]
        place = next(i for i, one in enumerate(lines) if getattr(one, "query", "") == "pnpm")
        await seen.press(*["down"] * place, "enter")
        await seen.shows("A search", "hybrid", "It hit: 1 found", "uses pnpm")
        await seen.press("enter")
        await seen.until(lambda: seen.app.current_mode == "memories", "the memories")


@pytest.mark.parametrize(
    ("kind", "there", "away"),
    [
        (0, "added “uses npm”", "zeppelin"),
        (4, "Nothing in the journal passes this filter", "uses npm"),
        (7, "zeppelin", "added “uses npm”"),
    ],
)
async def test_the_filter_shows_one_kind_only(
    dashboard: Open, busy: Recorder, kind: int, there: str, away: str
) -> None:
    async with dashboard(busy, "activity") as seen:
        await seen.press("f")
        await seen.shows("Filter", "clean-up runs", "searches that missed")
        await seen.press("home", *["down"] * kind, "space", "enter")
        await seen.shows(there)
        await seen.settle()
        assert away not in seen.text


async def test_the_filter_shows_one_person_one_time_one_memory(
    dashboard: Open, busy: Recorder
) -> None:
    busy.elsewhere(record(50, content="by codex"))
    async with dashboard(busy, "activity") as seen:
        await seen.press("f")
        await seen.shows("agent:codex")
        await seen.press("tab", "home", "space", "enter")
        await seen.shows("1 line")
        await seen.press("f")
        await seen.drawn()
        seen.query("#period").value = Period.WEEK
        await seen.press("enter")
        await seen.shows("7 days", "agent:codex ▾")
        await seen.press("f")
        await seen.drawn()
        await seen.press("ctrl+r")
        await seen.shows("everyone", "any time", "6 lines")
        await seen.press("f")
        await seen.drawn()
        assert isinstance(seen.query("#period"), Select)
        seen.screen.query_one("#record", Input).focus()
        await seen.type("nowhere")
        await seen.press("enter")
        await seen.shows("about “nowhere”", "Nothing in the journal passes this filter")


async def test_u_takes_the_act_in_hand_back_after_asking(dashboard: Open, busy: Recorder) -> None:
    async with dashboard(busy, "activity") as seen:
        await seen.press("down")
        assert isinstance(seen.screen.list.item.what, Act)
        await seen.press("u")
        await seen.shows("Take this back?", "added “uses npm”")
        await seen.answer("escape")
        assert "undo" not in acts(busy)
        await seen.press("u")
        await seen.shows("Take this back?")
        await seen.answer("y")
        await seen.shows("undid: added “uses npm”", "undone")
        assert "uses pnpm" not in texts(busy)


async def test_u_inside_the_opened_act_takes_it_back_too(dashboard: Open, busy: Recorder) -> None:
    async with dashboard(busy, "activity") as seen:
        await seen.press("enter")
        await seen.shows("uses [npm]")
        await seen.press("u")
        await seen.shows("Take this back?")
        await seen.answer("y")
        await seen.until(lambda: "uses npm" in texts(busy), "the undo")


async def test_what_is_undone_already_or_a_search_is_not_undone(
    dashboard: Open, busy: Recorder
) -> None:
    busy.real.undo()
    async with dashboard(busy, "activity") as seen:
        await seen.press("down", "u")
        await seen.until(lambda: any("taken back already" in one for one in seen.toasts), "said")
        await seen.press("end", "u", "U")
        await seen.until(lambda: any("A search changes" in one for one in seen.toasts), "said")
        assert acts(busy).count("undo") == 1


async def test_undo_to_names_how_much_goes_back_and_is_one_step(
    dashboard: Open, busy: Recorder
) -> None:
    before = texts(busy)
    busy.elsewhere(record(50, content="by codex"))
    async with dashboard(busy, "activity") as seen:
        pane = seen.screen
        lines = [line.what for _place, line in pane.list._rows.known()]
        place = next(i for i, one in enumerate(lines) if getattr(one, "kind", "") == "add")
        await seen.press(*["down"] * place, "U")
        await seen.shows("Take back everything down to here?", "3 acts with 3 changes")
        await seen.shows("user 2 · agent:codex 1", "Take 3 acts back")
        busy.elsewhere(record(51, content="after the question"))
        await seen.answer("y")
        await seen.shows("took back 3 acts")
        await seen.until(lambda: "uses pnpm" not in texts(busy), "the undo")
        assert "by codex" not in texts(busy)
        assert "after the question" in texts(busy)
        await seen.press("home", "u")
        await seen.until(lambda: "by codex" in texts(busy), "all of it again")
        assert texts(busy) == before | {"by codex", "after the question"}


async def test_undo_to_can_be_left(dashboard: Open, busy: Recorder) -> None:
    async with dashboard(busy, "activity") as seen:
        await seen.press("U")
        await seen.shows("Take back everything down to here?")
        await seen.answer("enter")
        await seen.until(lambda: seen.screen is seen.app.screen_stack[0], "the pane")
        assert "restore" not in acts(busy)


async def test_copy_takes_the_line_as_it_is_shown(dashboard: Open, make_memory: MakeMemory) -> None:
    memory = make_memory(0)
    memory.real.add("evil \u202etext")
    async with dashboard(memory, "activity") as seen:
        await seen.press("c")
        assert "evil" in seen.app.clipboard
        assert "\u202e" not in seen.app.clipboard


async def test_an_empty_journal_says_what_will_fill_it(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    memory = make_memory(0)
    async with dashboard(memory, "activity") as seen:
        await seen.shows("Nothing was done here yet.", "Every change by you")
        memory.elsewhere(record(1))
        await seen.shows("imported 1 record")
        await seen.until(lambda: seen.app.focused is not None, "the focus")


async def test_a_page_that_cannot_be_read_is_told_and_read_again(
    dashboard: Open, busy: Recorder
) -> None:
    busy.errors["page"] = StoreUnavailableError("the disk is gone")
    async with dashboard(busy, "activity", wait=False) as seen:
        await seen.until(lambda: any("the disk is gone" in one for one in seen.toasts), "said")
        del busy.errors["page"]
        busy.elsewhere(record(50))
        await seen.shows("agent:codex")


async def test_while_the_store_is_away_the_journal_says_why(
    dashboard: Open, busy: Recorder
) -> None:
    down = Capability("store", False, "sqlite", NOW, "store.db: its file is gone")
    busy.answers["page"] = lambda _page: ()
    busy.answers["capabilities"] = lambda _capabilities: (down,)
    async with dashboard(busy, "activity") as seen:
        await seen.shows("The store is away, and the journal with it.", "its file is gone")
