"""What is on the screen can be read: measured on the cells that are drawn, theme by theme, in
every mode and every dialog; and each dialog holds what it must where there is little room."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from textual.color import Color
from textual.widgets import Button
from tui.driven import Driven

from omp_tui.app import DashboardApp
from omp_tui.contrast import LINE, TEXT, ratio, readable
from omp_tui.dialogs.base import Dialog
from omp_tui.dialogs.writing import WritingDialog
from omp_tui.keys import keys_of
from omp_tui.modes import MODES
from omp_tui.panes.base import pane_of
from omp_tui.samples import SAMPLE_TIME, Sample, make_sample, open_sample
from omp_tui.snapshot import DIALOGS, is_still
from omp_tui.widgets.key_line import KeyLine

LINES = frozenset("░┄·…") | {chr(code) for code in range(0x2500, 0x25A0)}
"""Signs that are lines, bars and curves; everything else is text."""
SIZE, SMALL = (100, 30), (60, 16)
THEMES = ("textual-dark", "textual-light")
LONG = "the store could not be written: no space is left on the device; " * 40


def cells(seen: Driven) -> Iterator[tuple[str, Color, Color]]:
    """Yield each text of what is in front, with its colour and its ground as they are drawn."""
    boxes = seen.app.screen.query("#box, CommandPalette > Vertical")
    front = boxes.first().region if boxes else seen.app.screen.region
    keys = [line.region.y for line in seen.app.screen.query(KeyLine)]
    strips = seen.app.screen._compositor.render_strips()
    for line, strip in enumerate(strips):
        if front.y <= line < front.bottom:
            strip = strip.crop(front.x, front.right)
        elif line not in keys:
            continue  # what lies under a dialog is dimmed; the line of its keys is not
        for segment in strip:
            style, text = segment.style, segment.text.strip()
            if not text or style is None or style.color is None or style.bgcolor is None:
                continue
            colour, ground = (Color.from_rich_color(one) for one in (style.color, style.bgcolor))
            if style.reverse:
                colour, ground = ground, colour
            yield text, colour, ground


def faint(seen: Driven) -> set[tuple[str, str, str, float]]:
    """Return what has too little contrast, and how much it has."""
    found = set()
    for text, colour, ground in cells(seen):
        measured = ratio(colour, ground)
        if measured < (LINE if LINES.issuperset(text.replace(" ", "")) else TEXT):
            found.add((text, colour.hex, ground.hex, round(measured, 2)))
    return found


async def misplaced(seen: Driven, what: str) -> list[object]:
    """Return what a dialog with a long error in it lacks on a small screen: its buttons in sight,
    its own keys below it and nobody else's."""
    dialog: object = seen.app.screen
    if not isinstance(dialog, Dialog):
        return []  # the palette, which has neither buttons nor keys of ours
    if isinstance(dialog, WritingDialog):
        dialog.say_error(LONG)
    for _step in range(3):  # the foot gets its size, then the body what is left
        await seen.pilot.pause()
    box = dialog.query_one("#box").region
    found: list[object] = [] if dialog.region.contains_region(box) else [(what, box)]
    for button in dialog.query(Button):
        if button.display and not (button.region.area and box.contains_region(button.region)):
            found.append((what, button.id, button.region, box))
    others = {type(seen.app).__name__, *(pane_of(mode).__name__ for mode in MODES)}
    found += [(what, key) for key in keys_of(dialog) if key.shown and key.scope in others]
    line = dialog.query_one(KeyLine).render().plain
    found += [] if "esc" in line else [(what, line)]
    return found


async def opened(seen: Driven, name: str) -> None:
    """Open a dialog over its mode, and wait until it is drawn with all that it shows."""
    app, dialog = seen.app, DIALOGS[name]
    await app.go(dialog.mode)
    for key in dialog.keys:
        await seen.until(lambda: is_still(app) or len(app.screen_stack) > 1, name)
        await seen.drawn()
        await seen.press(key)
    await seen.until(lambda: len(app.screen_stack) > 1, name)
    await seen.until(lambda: app.service.background.at_rest, name)
    await seen.drawn()


async def test_every_mode_and_dialog_can_be_read_and_holds(tmp_path: Path) -> None:
    """One walk for all: a dashboard for each of them would cost minutes."""
    root = tmp_path / "shop-api"
    make_sample(Sample.DEMO, root)
    with open_sample(Sample.DEMO, root) as memory:
        app = DashboardApp(memory, now=lambda: SAMPLE_TIME, look_every_s=3600)
        async with app.run_test(size=SIZE) as pilot:
            seen = Driven(app, pilot)
            wrong: list[object] = []
            for theme in THEMES:
                app.theme = theme
                await pilot.resize_terminal(*SIZE)
                for mode in MODES:
                    await app.go(mode.name)
                    await seen.until(lambda: is_still(app), mode.name)
                    await pilot.pause()
                    wrong += [(theme, mode.name, one) for one in faint(seen)]
                await pilot.resize_terminal(*SMALL)
                for name in DIALOGS:
                    await opened(seen, name)
                    wrong += [(theme, name, one) for one in faint(seen)]
                    wrong += await misplaced(seen, name)
                    await app.screen.dismiss(None)
                    await pilot.pause()
            assert wrong == []


@given(colour=st.tuples(*[st.integers(0, 255)] * 3), ground=st.tuples(*[st.integers(0, 255)] * 3))
def test_any_colour_is_made_readable_where_that_can_be(
    colour: tuple[int, int, int], ground: tuple[int, int, int]
) -> None:
    moved = readable(Color(*colour), (Color(*ground),), TEXT)
    assert ratio(moved, Color(*ground)) >= TEXT - 0.1
