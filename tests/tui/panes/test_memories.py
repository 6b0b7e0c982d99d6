"""Mode 2: the list, its pages, search, filters, order, the record beside it."""

from __future__ import annotations

import base64
from dataclasses import replace

from textual.widgets import Input
from tui.driven import Driven, MakeMemory, Open, dispute, record

from omp_core.model import Order, Query, Scope, SearchAnswer, SearchMode, Tier
from omp_core.views import Page
from omp_tui.widgets.record_list import RecordList
from omp_tui.widgets.rows import PAGE


def records(seen: Driven) -> RecordList:
    return seen.app.screen.query_one(RecordList)


def in_hand(seen: Driven) -> str | None:
    item = records(seen).item
    return None if item is None else item.record.id


async def test_rows_show_text_tier_and_age(dashboard: Open, make_memory: MakeMemory) -> None:
    async with dashboard(make_memory(12), "memories") as seen:
        row = next(line for line in seen.text.splitlines() if "Postgres 16" in line)
        assert "work" in row
        assert "4 h" in row
        await seen.shows("12 memories", "▸  CI runs pytest")


async def test_a_hundred_thousand_rows_are_read_in_pages(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    memory = make_memory(1)

    def page(query: Query, order: Order, descending: bool, offset: int, limit: int) -> Page:
        numbers = range(100_000)[offset : offset + limit]
        return Page(tuple(record(number + 1) for number in numbers), 100_000)

    memory.instead["list"] = page
    async with dashboard(memory, "memories") as seen:
        await seen.shows("100,000 memories")
        assert len(memory.called("list")) == 1
        await seen.press("G")
        await seen.settle()
        await seen.shows("(100000)")
        assert records(seen).cursor == 99_999
        offsets = [call[3] for call in memory.called("list")]
        assert len(offsets) <= 3
        assert all(call[4] == PAGE for call in memory.called("list"))
        await seen.press("g")
        await seen.settle()
        await seen.shows("two workers (1)")


async def test_moving_the_cursor_reads_no_page_again(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    memory = make_memory(150)
    async with dashboard(memory, "memories") as seen:
        await seen.press(*["down"] * 12, *["k"] * 3, "pagedown", "pageup")
        assert records(seen).cursor == 9
        assert len(memory.called("list")) == 1


async def test_rows_of_another_process_appear_without_a_key(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    memory = make_memory(5)
    async with dashboard(memory, "memories") as seen:
        memory.elsewhere(record(0, content="written by somebody else"))
        await seen.shows("written by somebody else", "6 memories")
        assert records(seen).cursor == 0  # nobody has moved it: it stays at the newest


async def test_a_moved_cursor_and_marks_follow_their_record(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    memory = make_memory(300)
    async with dashboard(memory, "memories") as seen:
        await seen.press("down", "space", "down")
        assert in_hand(seen) == "m4"
        memory.elsewhere(*[record(-number) for number in range(60)])
        await seen.until(lambda: records(seen).total == 360)
        assert in_hand(seen) == "m4"
        assert records(seen).cursor == 63
        await seen.shows("1 marked")
        marked = next(line for line in seen.text.splitlines() if "✓" in line)
        assert "80%" in marked
        assert records(seen).marked[0].record.id == "m2"


async def test_a_deleted_row_is_held_until_the_cursor_moves_to_its_place(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    memory = make_memory(20)
    async with dashboard(memory, "memories") as seen:
        await seen.press("down", "down")
        memory.deleted_elsewhere("m3")
        await seen.until(lambda: records(seen).total == 19)
        assert in_hand(seen) == "m3"
        assert records(seen).fate == "away"
        await seen.press("down")
        assert in_hand(seen) == "m4"


async def test_the_list_in_the_back_is_read_when_it_comes_forward(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    memory = make_memory(5)
    async with dashboard(memory, "memories") as seen:
        await seen.press("1")
        before = len(memory.called("list"))
        memory.elsewhere(record(0, content="while away"))
        await seen.shows("6 memories")
        assert len(memory.called("list")) == before
        await seen.press("2")
        await seen.shows("while away")


# search


async def test_typing_searches_seldom_and_counts_as_browsing(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    memory = make_memory(40)
    async with dashboard(memory, "memories") as seen:
        await seen.press("slash")
        await seen.type("alembic m")
        await seen.press("backspace", "backspace")
        await seen.shows("5 found", ".95")
        await seen.settle()
        calls = memory.called("search")
        assert len(calls) < len("alembic m")
        assert calls[-1] == ("alembic", SearchMode.HYBRID, Query(), 200, True)
        await seen.press("enter")
        assert isinstance(seen.app.focused, RecordList)
        await seen.shows("why it ranks", "keyword", "semantic", "recency", "importance", ".98")


async def test_the_mode_key_goes_through_three_modes(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    memory = make_memory(40)
    async with dashboard(memory, "memories") as seen:
        await seen.press("slash", *"vercel")
        await seen.settle()
        for mode in ("keyword", "semantic", "hybrid"):
            await seen.press("ctrl+t")
            await seen.settle()
            await seen.shows(f"{mode} ▾ ^t")
        used = [call[1] for call in memory.called("search")][-3:]
        assert used == [SearchMode.KEYWORD, SearchMode.SEMANTIC, SearchMode.HYBRID]


async def test_a_cut_and_a_weaker_search_are_said(dashboard: Open, make_memory: MakeMemory) -> None:
    memory = make_memory(3)

    def cut(answer: SearchAnswer) -> SearchAnswer:
        return replace(answer, total=875, degraded="no vectors: keyword only")

    memory.answers["search"] = cut
    async with dashboard(memory, "memories") as seen:
        await seen.press("slash", *"ci")
        await seen.shows("best 1", "◐ no vectors: keyword only")
        assert "875" not in seen.text  # that is how many were looked at, not how many fit


async def test_escape_clears_the_search_and_leaves_it(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    async with dashboard(make_memory(40), "memories") as seen:
        await seen.press("slash", *"zzz")
        await seen.shows("Nothing fits “zzz”.", "0 found")
        await seen.press("escape")
        await seen.shows("40 memories")
        assert seen.query("#search").value == ""
        assert isinstance(seen.app.focused, RecordList)


async def test_slash_on_the_overview_goes_to_the_search(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    async with dashboard(make_memory(4)) as seen:
        await seen.press("slash", *"vue")
        await seen.shows("0 found")
        assert isinstance(seen.app.focused, Input)


async def test_digits_and_letters_typed_into_the_search_are_text(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    async with dashboard(make_memory(4), "memories") as seen:
        await seen.press("slash", *"1qdu?")
        await seen.shows("/ 1qdu?")
        assert seen.app.current_mode == "memories"


async def test_a_search_is_renewed_when_the_memory_changes(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    memory = make_memory(8)
    async with dashboard(memory, "memories") as seen:
        await seen.press("slash", *"alembic")
        await seen.shows("1 found")
        memory.elsewhere(record(90, content="alembic again"))
        await seen.shows("2 found")


# filter and order


async def test_the_filter_dialog_makes_a_query(dashboard: Open, make_memory: MakeMemory) -> None:
    memory = make_memory(40)
    async with dashboard(memory, "memories", size=(80, 24)) as seen:
        await seen.press("f")
        await seen.shows("Filter", "[ ] working", "[✓] active")
        await seen.press("space", "down", "space")  # two tiers
        seen.query("#user_id").value = "ana"
        await seen.press("enter")
        await seen.shows("20 memories", "tier short-term, working", "scope user ana")
        query = memory.called("list")[-1][0]
        assert query == Query(
            tiers=frozenset({Tier.WORKING, Tier.SHORT_TERM}), scope=Scope(user_id="ana")
        )
        await seen.press("escape")
        await seen.shows("40 memories", "tier any")


async def test_a_filter_that_lets_nothing_through_says_so(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    async with dashboard(make_memory(4), "memories") as seen:
        await seen.press("f")
        seen.query("#run_id").value = "none"
        seen.query("#user_id").value = "nobody"
        await seen.press("enter")
        await seen.shows("No memory passes this filter.", "esc all of them")


async def test_filter_and_order_can_be_clicked(dashboard: Open, make_memory: MakeMemory) -> None:
    async with dashboard(make_memory(4), "memories") as seen:
        line = seen.text.splitlines()[3]
        await seen.pilot.click(offset=(line.index("status"), 3))
        await seen.shows("[ ] archived")
        await seen.press("escape")
        await seen.pilot.click(offset=(line.index("sort"), 3))
        await seen.shows("Sort by; the same again turns it round")
        await seen.press("escape")
        line = seen.text.splitlines()[2]
        await seen.pilot.click(offset=(line.index("hybrid"), 2))
        await seen.shows("keyword ▾ ^t")


async def test_escape_leaves_the_filter_as_it_was(dashboard: Open, make_memory: MakeMemory) -> None:
    memory = make_memory(4)
    async with dashboard(memory, "memories") as seen:
        await seen.press("f", "space", "escape")
        await seen.settle()
        assert len(memory.called("list")) == 1


async def test_sorting_and_turning_round(dashboard: Open, make_memory: MakeMemory) -> None:
    memory = make_memory(8)
    async with dashboard(memory, "memories") as seen:
        await seen.press("s", "n")
        await seen.shows("sort times read ↓", "8×")
        await seen.press("s", "n")
        await seen.shows("sort times read ↑")
        assert memory.called("list")[-1][1:3] == ("access_count", False)
        await seen.press("slash", *"vue", "enter", "s")
        await seen.shows("A search is sorted by how well it fits.")


# the record


async def test_the_detail_has_fields_disputes_and_history(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    memory = make_memory(3)
    memory.elsewhere(
        record(0, disputes=(dispute(1),), metadata={"file": "a.yaml", "deep": {"x": 1}})
    )
    memory.real.update("m0", {"content": "changed since"}, based_on=1)
    async with dashboard(memory, "memories", size=(140, 50)) as seen:
        await seen.shows("changed since", "user ana · project acme_shop-api", "a.yaml", '{"x": 1}')
        await seen.shows("⚖ dispute on text", "“dark” — agent:claude, 2 h ago", "“auto”")
        await seen.shows("v2 now", "user: text from")


async def test_the_narrow_screen_opens_the_record_on_enter(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    memory = make_memory(8)
    async with dashboard(memory, "memories", size=(80, 24)) as seen:
        assert not seen.query("#detail").display
        await seen.press("down", "enter")
        await seen.shows("80%", "history", "m2", "esc Back")
        await seen.press("escape")
        await seen.shows("search the memories")


async def test_the_open_record_follows_changes(dashboard: Open, make_memory: MakeMemory) -> None:
    memory = make_memory(8)
    async with dashboard(memory, "memories") as seen:
        await seen.press("enter")
        await seen.shows("system: written")
        memory.changed_elsewhere("m1", {"content": "other words"})
        await seen.shows("other words", "v2")
        memory.deleted_elsewhere("m1")
        await seen.told("no record has the id")
        await seen.shows("search the memories")


async def test_a_long_text_is_cut_with_a_word_and_whole_when_opened(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    memory = make_memory(0)
    memory.elsewhere(record(1, content="x" * 5000 + " the end"))
    async with dashboard(memory, "memories", size=(120, 120)) as seen:
        await seen.shows("1,008 more characters")
        await seen.press("enter")
        await seen.shows("the end")


async def test_copying_goes_through_the_terminal_and_is_harmless(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    memory = make_memory(0)
    memory.elsewhere(record(1), record(2))
    memory.saying("two\x1b[31m words")
    async with dashboard(memory, "memories") as seen:
        await seen.press("c")
        assert seen.app.clipboard == "two␛[31m words"
        await seen.press("space", "space", "c")
        assert seen.app.clipboard == "two␛[31m words\n\ntwo␛[31m words"
        await seen.told("Copied 2 memories.")
        base64.b64encode(seen.app.clipboard.encode())


async def test_the_mouse_moves_marks_and_opens(dashboard: Open, make_memory: MakeMemory) -> None:
    async with dashboard(make_memory(20), "memories") as seen:
        await seen.pilot.click("#records", offset=(10, 4))
        assert records(seen).cursor == 3
        await seen.pilot.click("#records", offset=(10, 6), control=True)
        await seen.shows("1 marked")
        await seen.press("escape")
        await seen.until(lambda: "marked" not in seen.text)
        await seen.pilot.click("#records", offset=(10, 2), times=2)
        await seen.shows("esc Back")


async def test_no_memory_says_so_instead_of_an_empty_table(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    async with dashboard(make_memory(0), "memories") as seen:
        await seen.shows("There is no memory here yet.", "a adds one")


async def test_the_detail_stands_where_there_is_room(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    async with dashboard(make_memory(8), "memories") as seen:
        for size, beside in (((80, 24), False), ((80, 40), True), ((120, 30), True)):
            await seen.pilot.resize_terminal(*size)
            await seen.settle()
            assert seen.query("#detail").display is beside
            assert len(seen.text.splitlines()) == size[1]


async def test_wide_characters_keep_the_columns_straight(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    from rich.cells import cell_len

    async with dashboard(make_memory(30), "memories", size=(100, 30)) as seen:
        assert {cell_len(line) for line in seen.text.splitlines()} == {100}
