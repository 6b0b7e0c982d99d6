"""The list of themes, the members beside it, the map, and what waits."""

from __future__ import annotations

import threading

import pytest
from tui.driven import NOW, MakeMemory, Open, record
from tui.panes.themes.conftest import ANA, Themed, book
from tui.test_hostile import CORPUS, harmless

from omp_core.errors import StoreUnavailableError
from omp_tui.panes.themes.view import Order, ThemesView, arranged


async def test_themes_are_listed_with_their_figures_and_whose_they_are(
    dashboard: Open, themed: Themed
) -> None:
    memory = themed()
    rows = memory.real.themes.list().rows
    async with dashboard(memory, "themes") as seen:
        await seen.shows(f"{len(rows)} themes", "cohesion", "mine", "proj")
        shown = [row for _at, row in seen.query("#themes")._rows.known()]
        assert shown == list(rows)
        held = memory.real.themes.members(rows[0].theme.id)
        for record in held.records:
            assert record.content[:12] in seen.text
        await seen.press("f", "p")
        await seen.until(lambda: "themes of the project" in seen.text)
        left = [row for _at, row in seen.query("#themes")._rows.known()]
        assert left
        assert all(row.theme.scope.user_id is None for row in left)
        await seen.shows("of the project, lies in _omp/memory/themes")
        await seen.press("escape")
        await seen.until(lambda: seen.query("#themes").total == len(rows))


async def test_the_list_is_sorted_as_it_is_asked_for(dashboard: Open, themed: Themed) -> None:
    memory = themed()
    async with dashboard(memory, "themes") as seen:
        pane = seen.screen
        orders: dict[str, Order] = {"c": "cohesion", "n": "label", "a": "advice", "m": "size"}
        for key, order in orders.items():
            await seen.press("s")
            await seen.answer(key)
            await seen.settle()
            assert pane.view.order == order
            shown = [row.theme.id for _at, row in seen.query("#themes")._rows.known()]
            wanted = arranged(pane.themes.rows, pane.list.advice, ThemesView(order=order))
            assert shown == [row.theme.id for row in wanted]


@pytest.mark.parametrize(
    ("size", "drawn"), [((120, 40), True), ((100, 30), True), ((99, 40), False), ((120, 29), False)]
)
async def test_the_map_is_drawn_where_there_is_room(
    dashboard: Open, themed: Themed, size: tuple[int, int], drawn: bool
) -> None:
    memory = themed()
    async with dashboard(memory, "themes", size=size) as seen:
        rows = memory.real.themes.list().rows
        large = next(at for at, row in enumerate(rows) if row.theme.size >= 5)
        seen.query("#themes").move_to(large)
        await seen.settle()
        assert seen.query("#map").display is drawn
        if drawn:
            assert "◆" in seen.text
            await seen.press("enter", "down")
            await seen.until(lambda: seen.query("#map").plotted.cursor == 1)
            await seen.press("space")
            await seen.until(lambda: seen.query("#map").plotted.marked == {1})


async def test_a_click_on_a_point_takes_that_member_in_hand(
    dashboard: Open, themed: Themed
) -> None:
    from omp_tui.panes.themes.map import places

    memory = themed()
    async with dashboard(memory, "themes") as seen:
        plotted, size = seen.query("#map").plotted, seen.query("#map").content_size
        cells = places(plotted.points, size.width, size.height)
        index = next(at for at in range(1, len(cells)) if cells.count(cells[at]) == 1)
        x, y = cells[index]
        await seen.pilot.click("#map", offset=(x + 2, y + 1))
        await seen.until(lambda: seen.query("#members").cursor == index)


async def test_at_80_columns_the_members_stand_behind_enter(
    dashboard: Open, themed: Themed
) -> None:
    memory = themed()
    async with dashboard(memory, "themes", size=(80, 24)) as seen:
        assert not seen.query("#detail").display
        await seen.press("enter")
        await seen.until(lambda: seen.query("#detail").display and seen.query("#members").has_focus)
        assert not seen.query("#themes").display
        await seen.press("enter")
        await seen.until(lambda: len(seen.app.screen_stack) == 2, "the memory")
        await seen.press("escape")
        await seen.until(lambda: len(seen.app.screen_stack) == 1)
        await seen.press("escape")
        await seen.until(lambda: seen.query("#themes").display and seen.query("#themes").has_focus)


async def test_an_action_on_an_opened_member_leads_to_it_among_the_memories(
    dashboard: Open, themed: Themed
) -> None:
    memory = themed()
    async with dashboard(memory, "themes") as seen:
        text = seen.screen.held.records[0].content
        await seen.press("enter", "enter")
        await seen.until(lambda: len(seen.app.screen_stack) == 2, "the memory")
        await seen.press("e")
        await seen.until(lambda: seen.app.current_mode == "memories")
        await seen.shows("1 memory", text[:12])


async def test_what_waits_is_counted_and_placed_in_the_background(
    dashboard: Open, themed: Themed
) -> None:
    memory = themed()
    before = book(memory)
    added = {
        memory.real.add(text, scope=ANA, force=True).id
        for text in ("Tests run with pytest -q", "A release is tagged first", "Cats sleep a lot")
    }
    memory.gates["follow"] = threading.Event()
    memory.gates["warm"] = threading.Event()
    async with dashboard(memory, "themes", wait=False) as seen:
        await seen.shows("3 wait to be placed")
        assert seen.query("#themes").total == len(before)
        memory.gates["follow"].set()
        memory.gates["warm"].set()
        await seen.until(lambda: "wait to be placed" not in seen.text, "all to be placed")
        await seen.settle()
        assert added <= {
            one for _label, members, _p, _h in book(memory).values() for one in members
        }


async def test_themes_changed_elsewhere_are_followed_with_the_one_in_hand(
    dashboard: Open, themed: Themed
) -> None:
    memory = themed()
    async with dashboard(memory, "themes") as seen:
        await seen.press("down")
        await seen.settle()
        theme = seen.query("#themes").item.theme.id
        with memory._reopen("agent:codex", NOW) as other:
            other.themes.rename(theme, "named elsewhere")
        await seen.shows("changed meanwhile", "named elsewhere")
        assert seen.query("#themes").item.theme.id == theme


async def test_an_empty_memory_says_what_will_fill_the_list(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    async with dashboard(make_memory(0), "themes", size=(80, 24)) as seen:
        await seen.shows("There are no themes")
        for key in ("S", "m", "v", "r", "p", "d", "F", "enter", "space", "escape"):
            await seen.press(key)
        assert len(seen.app.screen_stack) == 1


async def test_without_vectors_that_carry_meaning_the_reason_is_said(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    async with dashboard(make_memory(5), "themes") as seen:
        await seen.shows("There are no themes", "near-duplicates only", "omp-tui model pull")
        await seen.press("R")
        await seen.until(lambda: any("cannot be rebuilt" in one for one in seen.toasts))


async def test_themes_that_cannot_be_read_are_not_called_none(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    memory = make_memory(3)
    memory.real.themes.move(["m1", "m2"], None, label="by hand")
    async with dashboard(memory, "themes") as seen:
        await seen.shows("by hand")
        memory.errors["list"] = StoreUnavailableError("the disk is gone")
        memory.elsewhere()
        memory.changed_elsewhere("m3", {"content": "something else"})
        await seen.shows("The themes cannot be shown.", "the disk is gone")
        del memory.errors["list"]
        memory.changed_elsewhere("m3", {"content": "and again"})
        await seen.shows("by hand")


@pytest.mark.parametrize("name", CORPUS)
async def test_hostile_names_and_texts_are_shown_and_not_obeyed(
    dashboard: Open, make_memory: MakeMemory, name: str
) -> None:
    text = CORPUS[name].encode("utf-8", "replace").decode()[:50_000]
    memory = make_memory(0)
    ids = [f"m{number}" for number in range(1, 5)]
    memory.elsewhere(*(record(number, content=f"{text} {number}") for number in range(1, 5)))
    label = " ".join(text.split())[:100]
    memory.real.themes.move(ids[:3], None, label=label)
    memory.real.themes.move(ids[3:], None, label="other")
    size = (80, 24) if len(name) % 2 else (120, 40)
    async with dashboard(memory, "themes", size=size) as seen:
        harmless(seen)
        await seen.press("enter")
        await seen.pilot.pause()
        harmless(seen)
        for key in ("S", "m", "v", "r", "d"):
            await seen.press(key)
            await seen.until(lambda: len(seen.app.screen_stack) == 2, f"the dialog of {key}")
            if key != "r":
                await seen.until(lambda: getattr(seen.screen, "change", True) is not None)
            await seen.pilot.pause()
            harmless(seen)
            await seen.press("escape")
            await seen.until(lambda: len(seen.app.screen_stack) == 1)
        await seen.press("S")
        await seen.until(lambda: len(seen.app.screen_stack) == 2)
        await seen.until(lambda: getattr(seen.screen, "change", True) is not None)
        await seen.answer("enter")
        await seen.until(lambda: len(seen.app.screen_stack) == 1)
        await seen.until(lambda: seen.toasts)
        harmless(seen)
