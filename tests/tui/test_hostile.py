"""Text that wants to be obeyed: shown everywhere, obeyed nowhere."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from omp_core.errors import StoreUnavailableError
from omp_core.model import Capability, Receipt, Scope
from omp_core.views import Alert, HitRate

CORPUS = {
    "closing tag": "[/foo] [/] [/b]",
    "broken link": "[link=x",
    "quits": "[@click=app.quit]press me[/]",
    "markup": "[b red on blue]not bold[/] list[str] | dict[str, int] [$primary]x[/] {name} {0} %s",
    "sequences": (
        "\x1b[31mred\x1b[0m \x1b[2J\x1b[H \x1b]52;c;ZXZpbA==\x07 \x1b]0;owned\x07 "
        "\x9d0;owned\x9c \x9b31m \x00\x07\x08\x0b\x0c\x0e\x7f\r"
    ),
    "invisible": (
        "\u202e txet\u202c \u2066x\u2069 \u200b\u200d\ufeff \ud800 \udfff a\tb\r\nc"
        + "a"
        + "\u0301" * 2_000
        + "👩‍👩‍👧‍👦🏳️‍🌈" * 50
    ),
    "huge line": "x" * 200_000,
    "many lines": "\n" * 5_000,
    "wide": "宽" * 3_000,
    "only spaces": "   ",
}
FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def harmless(seen) -> None:
    """Nothing that a terminal obeys is in any segment of the screen."""
    strips = seen.app.screen._compositor.render_strips()
    text = "\n".join(segment.text for strip in strips for segment in strip)
    assert not FORBIDDEN.search(text)
    actions = {
        style.meta["@click"]
        for strip in strips
        for segment in strip
        if (style := segment.style) is not None and style.meta and "@click" in style.meta
    }
    assert not {action for action in actions if "quit" in str(action)}
    for message in seen.toasts:
        assert not FORBIDDEN.search(message)


@pytest.fixture
def hostile(make_memory, make_record, make_dispute, make_health, now):
    """Return a memory in which every text there is says the same."""

    def made(text: str):
        memory = make_memory(
            0,
            health_view=make_health(
                alerts=(Alert("warning", text, text, "x"), Alert("info", text, text)),
                hit_rate=HitRate(reason=text),
            ),
            capability_list=(
                Capability("store", True, text, now, text),
                Capability("vectors", False, text, now, text),
                Capability("project", True, text, now),
            ),
            scope=Scope(user_id=text, app_id=text),
            degraded=text,
        )
        memory.elsewhere(
            make_record(
                1,
                content=text or "-",
                scope=Scope(text, text, text, text),
                tags=frozenset({text}),
                metadata={text: text, "deep": {text: [text]}},
                disputes=(replace(make_dispute(1, text, text), field=text, current_actor=text),),
                episode=text,
                superseded_by=text,
            ),
            make_record(2, content=text),
            make_record(3, content=text),
            actor=text,
        )
        memory.acts.append(replace(memory.acts[-1], summary=text, actor=f"agent:{text}"))
        memory.update("m2", {"content": text + " "}, based_on=1)
        return memory

    return made


@pytest.mark.parametrize("name", CORPUS)
async def test_shown_everywhere_and_obeyed_nowhere(dashboard, hostile, name):
    text = CORPUS[name]
    size = (80, 24) if len(name) % 2 else (120, 40)
    memory = hostile(text)
    async with dashboard(memory, size=size) as seen:
        harmless(seen)
        await seen.press("2")
        await seen.settle()
        harmless(seen)
        field = seen.query("#search")
        field.value = text[:2000]
        await seen.settle()
        harmless(seen)
        field.value = ""
        await seen.settle()
        await seen.press("escape", "enter")
        await seen.until(lambda: seen.app.screen.settled)
        await seen.pilot.pause()
        harmless(seen)
        await seen.press("y", "escape")
        for key in ("e", "a", "t", "d", "f", "s", "question_mark", "ctrl+p"):
            await seen.press(key)
            await seen.pilot.pause()
            harmless(seen)
            await seen.press("escape")
        await seen.until(lambda: len(seen.app.screen_stack) == 1)

        memory.errors["delete"] = StoreUnavailableError(text[:5000])
        await seen.press("d", "y")
        await seen.until(lambda: seen.toasts)
        harmless(seen)
        memory.next_receipt = Receipt("created", "x", None, note=text)
        await seen.press("a", "x", "ctrl+s")
        await seen.until(lambda: len(seen.app.screen_stack) == 1)
        await seen.pilot.pause()
        harmless(seen)
        await seen.pilot.hover("#count")
        await seen.pilot.pause(0.5)
        harmless(seen)
        assert seen.app.is_running


async def test_a_duplicate_and_a_refusal_in_the_dialog(dashboard, hostile):
    for name in ("closing tag", "quits", "sequences", "invisible"):
        memory = hostile(CORPUS[name])
        async with dashboard(memory, "memories") as seen:
            memory.next_receipt = Receipt("duplicate", "", None, existing=CORPUS[name])
            await seen.press("a", "x", "ctrl+s")
            await seen.shows("Not stored yet")
            harmless(seen)
            memory.next_receipt = None
            memory.errors["add"] = StoreUnavailableError(CORPUS[name])
            await seen.press("ctrl+s")
            await seen.pilot.pause(0.1)
            harmless(seen)


async def test_paths_are_data_too(dashboard, make_memory, tmp_path):
    evil = tmp_path / "[b]\x1b[31m[" / "x]"
    evil.mkdir(parents=True)
    async with dashboard(make_memory(0)) as seen:
        await seen.press("o")
        seen.query("#path").value = f"{tmp_path}/[b]"
        await seen.pilot.pause(0.2)
        harmless(seen)
        await seen.press("enter")
        await seen.shows("There is no file or folder")
        seen.query("#path").value = str(evil)
        await seen.press("enter")
        await seen.pilot.pause()
        harmless(seen)
