"""Help, palette and key bar say the same, and say it all."""

from __future__ import annotations

import pytest
from rich.style import Style
from tui.driven import MakeMemory, Open, health

from omp_core import i18n
from omp_tui import modes
from omp_tui.dialogs.help import HelpDialog
from omp_tui.keys import keys_of
from omp_tui.palette import ActionProvider
from omp_tui.widgets.alert_list import AlertList


async def test_help_lists_this_screens_keys_only_and_finds_one(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    async with dashboard(make_memory(3), size=(100, 60)) as seen:
        await seen.press("question_mark")
        await seen.shows("Keys in Overview", "everywhere", "Quit", "^r", "Redo", "Search")
        assert "Edit" not in seen.text
        await seen.press("escape")
        await seen.until(lambda: not isinstance(seen.app.screen, HelpDialog))
        await seen.press("2", "question_mark")
        await seen.shows("Keys in Memories", "Edit", "Delete", "Mark", "Clear marks", "Mark all")
        await seen.press(*"dele")
        await seen.until(lambda: "Edit" not in str(seen.query("#body Panel").render()))
        await seen.shows("Delete")
        await seen.press("escape")
        await seen.until(lambda: not isinstance(seen.app.screen, HelpDialog))


async def test_the_palette_has_every_action_and_runs_it(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    async with dashboard(make_memory(3), "memories") as seen:
        expected = {key.description for key in keys_of(seen.app.screen)} - {"Palette"}
        provider = ActionProvider(seen.app.screen)
        offered = {entry.name for entry in provider.entries()}
        assert expected <= offered
        await seen.press("ctrl+p", *"sort")
        await seen.shows("Sort")
        await seen.press("enter")
        await seen.shows("Sort by; the same again turns it round")


async def test_the_palette_changes_the_colours(dashboard: Open, make_memory: MakeMemory) -> None:
    async with dashboard(make_memory(3)) as seen:
        await seen.press("ctrl+p", *"colours")
        await seen.shows("Colours …")
        await seen.press("enter")
        await seen.shows("rose-pine-dawn")
        choices = seen.query("OptionList")
        names = sorted(seen.app.available_themes)
        choices.highlighted = names.index("nord")
        await seen.press("enter")
        await seen.until(lambda: seen.app.theme == "nord")


async def test_the_key_bar_always_has_help_and_marks_a_cut(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    async with dashboard(make_memory(3), "memories", size=(60, 24)) as seen:
        for width in (60, 80, 100, 120, 160):
            await seen.pilot.resize_terminal(width, 24)
            await seen.pilot.pause()
            bar = seen.text.splitlines()[-1]
            assert len(bar) == width
            assert "? Help" in bar
            assert "^p Palette" in bar
            shown = [key for key in keys_of(seen.app.screen) if key.shown]
            everything = all(f"{key.label} {key.description}" in bar for key in shown)
            assert everything or "…" in bar


async def test_keys_on_the_bar_can_be_clicked(dashboard: Open, make_memory: MakeMemory) -> None:
    async with dashboard(make_memory(3), "memories") as seen:
        bar = seen.text.splitlines()[-1]
        await seen.pilot.click(offset=(bar.index("Delete"), 39))
        await seen.shows("Delete 1 memory?")


async def test_no_key_is_bound_twice_on_one_screen(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    async with dashboard(make_memory(3)) as seen:
        for mode in modes.MODES:
            await seen.app.go(mode.name)
            await seen.pilot.pause()
            taken = [name for key in keys_of(seen.app.screen) for name in key.keys]
            assert len(taken) == len(set(taken))
            unusable = {"ctrl+h", "ctrl+i", "ctrl+j", "ctrl+m"} | {f"ctrl+{n}" for n in range(10)}
            assert not unusable & set(taken)


async def test_descriptions_are_translated_when_they_are_shown(
    dashboard: Open, make_memory: MakeMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(i18n, "_catalogue", lambda: Shout())
    async with dashboard(make_memory(3), "memories") as seen:
        await seen.shows("DELETE", "OVERVIEW", "SEARCH THE MEMORIES")


class Shout:
    """A catalogue that translates into capitals, place-holders left alone."""

    def gettext(self, text: str) -> str:
        return text if "{" in text else text.upper()

    def ngettext(self, one: str, many: str, count: int) -> str:
        return one if count == 1 else many


async def test_without_colours_nothing_is_lost(
    dashboard: Open, make_memory: MakeMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = make_memory(30, health_view=health())
    async with dashboard(memory) as seen:
        coloured = seen.text
    monkeypatch.setenv("NO_COLOR", "1")
    async with dashboard(memory) as seen:
        assert seen.app.no_color
        assert seen.text == coloured
        # nothing but the terminal's own two colours reaches it, so that no text can be lost
        for strip in seen.app.screen._compositor.render_strips():
            for own in seen.app._filters:
                strip = strip.apply_filter(own, seen.app.screen.background_colors[1])
            for segment in strip:
                style = segment.style or Style()
                assert style.color is None or style.color.is_default
                assert style.bgcolor is None or style.bgcolor.is_default
        cursor = seen.app.screen.query_one(AlertList).get_visual_style("list--cursor")
        assert cursor.underline


async def test_the_search_field_names_its_keys(dashboard: Open, make_memory: MakeMemory) -> None:
    async with dashboard(make_memory(3), "memories", size=(80, 24)) as seen:
        await seen.press("slash")
        await seen.shows("enter To the list", "esc Clear", "^t Search mode")
        await seen.press("ctrl+t")
        await seen.shows("keyword ▾")
        await seen.press("down")
        await seen.shows("e Edit")
