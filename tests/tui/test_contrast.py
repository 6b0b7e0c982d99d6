"""What is on the screen can be read: measured on the cells that are drawn, theme by theme."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.color import Color
from tui.driven import Driven, MakeMemory, Open, health

from omp_tui.contrast import LINE, TEXT, ratio, readable
from omp_tui.modes import MODES

LINES = frozenset("░┄·…") | {chr(code) for code in range(0x2500, 0x25A0)}
"""Signs that are lines, bars and curves; everything else is text."""
DIALOGS = ("w", "F", "n", "question_mark", "exclamation_mark")
OF_MEMORIES = ("e", "d", "t", "f", "s", "slash")


def cells(seen: Driven) -> Iterator[tuple[str, Color, Color]]:
    """Yield each text of what is in front, with its colour and its ground as they are drawn."""
    boxes = seen.app.screen.query("#box")
    front = boxes.first().region if boxes else seen.app.screen.region
    strips = seen.app.screen._compositor.render_strips()
    for strip in strips[front.y : front.bottom]:
        for segment in strip.crop(front.x, front.right):
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


@pytest.mark.parametrize("theme", ["textual-dark", "textual-light"])
async def test_everything_can_be_read(dashboard: Open, make_memory: MakeMemory, theme: str) -> None:
    async with dashboard(make_memory(30, health_view=health())) as seen:
        seen.app.theme = theme
        await seen.pilot.pause()
        for mode in MODES:
            await seen.app.go(mode.name)
            await seen.pilot.pause()
            await seen.until(lambda: seen.app.service.background.idle)
            for key in ("", *DIALOGS, *(OF_MEMORIES if mode.name == "memories" else ())):
                await seen.press(*([key] if key else []))
                await seen.pilot.pause()
                assert faint(seen) == set(), (mode.name, key)
                await seen.press("escape")


@given(colour=st.tuples(*[st.integers(0, 255)] * 3), ground=st.tuples(*[st.integers(0, 255)] * 3))
def test_any_colour_is_made_readable_where_that_can_be(
    colour: tuple[int, int, int], ground: tuple[int, int, int]
) -> None:
    moved = readable(Color(*colour), (Color(*ground),), TEXT)
    assert ratio(moved, Color(*ground)) >= TEXT - 0.1
