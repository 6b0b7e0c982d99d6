"""Text that wants to be obeyed: shown everywhere, obeyed nowhere."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from tui.driven import NOW, Driven, MakeMemory, Open, alert, dispute, health, record

from omp_core.errors import StoreUnavailableError
from omp_core.model import Capability, Home, Receipt, Scope, Tier
from omp_core.views import Alert, HealthRow, HitRate

CORPUS = {
    "markup": (
        "[/foo] [/] [/b] [@click=app.quit]press me[/] [b red on blue]not bold[/] "
        "list[str] | dict[str, int] [$primary]x[/] {name} {0} %s [link=x"
    ),
    "sequences": (
        "\x1b[31mred\x1b[0m \x1b[2J\x1b[H \x1b]52;c;ZXZpbA==\x07 \x1b]0;owned\x07 "
        "\x9d0;owned\x9c \x9b31m \x00\x07\x08\x0b\x0c\x0e\x7f\r"
        "\u202e txet\u202c \u2066x\u2069 \u200b\u200d\ufeff \ud800 \udfff a\tb\r\nc"
        + "a"
        + "\u0301" * 2_000
        + "👩‍👩‍👧‍👦🏳️‍🌈" * 50
        + "宽" * 1_500
    ),
    "huge": "x" * 100_000 + "\n" * 2_000,
}
FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def harmless(seen: Driven) -> None:
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
def hostile(make_memory: MakeMemory):
    """Return a memory in which every text there is says the same."""

    def made(text: str):
        memory = make_memory(
            0,
            health_view=health(
                alerts=(alert("working-full", text, text, 2), Alert("info", text, text)),
                rows=(HealthRow("rot", "3 %", "< 20 %", False, 2.5, text),),
                hit_rate=HitRate(reason=text),
            ),
            capability_list=(
                Capability("store", True, text, NOW, text),
                Capability("vectors", False, text, NOW, text),
                Capability("project", True, text, NOW),
            ),
            scope=Scope(user_id=text, app_id=text),
            degraded=text,
        )
        memory.elsewhere(
            record(
                1,
                content=text or "-",
                scope=Scope(text, text, text, text),
                tags=frozenset({text}),
                metadata={text: text, "deep": {text: [text]}},
                disputes=(replace(dispute(1, text, text), field=text, current_actor=text),),
                episode=text,
                superseded_by=text,
            ),
            record(2, content=text),
            record(
                3,
                id="project:project.yaml#a.b",
                content=text,
                home=Home.PROJECT,
                metadata={"file": "project.yaml", "path": "a.b", "line": 1},
            ),
            record(4, content=text, tier=Tier.WORKING),
            actor=text,
        )
        memory.documents.facts["a.b"] = text
        memory.acts.append(replace(memory.acts[-1], summary=text, actor=f"agent:{text}"))
        memory.update("m2", {"content": text + " "}, based_on=1)
        return memory

    return made


@pytest.mark.parametrize("name", CORPUS)
async def test_shown_everywhere_and_obeyed_nowhere(dashboard: Open, hostile, name) -> None:
    text = CORPUS[name]
    size = (80, 24) if len(name) % 2 else (120, 40)
    memory = hostile(text)
    async with dashboard(memory, size=size) as seen:
        harmless(seen)
        for keys in (("w",), ("f",), ("down", "f")):
            await seen.press(*keys)
            await seen.until(lambda: len(seen.app.screen_stack) == 2)
            await seen.pilot.pause()
            harmless(seen)
            await seen.press("escape")
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

        await seen.press("down", "down", "e")
        await seen.until(lambda: len(seen.app.screen_stack) == 2)
        memory.errors["set_value"] = memory.errors["value"] = StoreUnavailableError(text[:5000])
        memory.elsewhere(actor=text)
        await seen.press("x", "ctrl+s")
        await seen.until(lambda: seen.app.screen.has_class("-error"))
        harmless(seen)
        await seen.press("escape", "escape", "n", "d")
        seen.query("#title").value = text[:2000]
        seen.query("#choice").value = "x"
        seen.query("#impact").load_text(text[:2000])
        await seen.pilot.pause()
        harmless(seen)
        memory.next_receipt = Receipt("created", "x", None, note=text)
        await seen.press("ctrl+s")
        await seen.until(lambda: seen.toasts or seen.app.screen.has_class("-error"))
        await seen.pilot.pause()
        harmless(seen)
        await seen.press("escape", "escape")
        await seen.until(lambda: len(seen.app.screen_stack) == 1)

        await seen.press("g")
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


async def test_a_blank_text_is_no_trouble(dashboard: Open, hostile) -> None:
    async with dashboard(hostile("   "), size=(80, 24)) as seen:
        await seen.press("2")
        await seen.settle()
        await seen.press("enter", "y", "escape", "e")
        await seen.shows("Edit · version")
        harmless(seen)


async def test_a_duplicate_and_a_refusal_in_the_dialog(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    memory = make_memory(1)
    async with dashboard(memory, "memories") as seen:
        for name in ("markup", "sequences"):
            memory.errors.clear()
            memory.next_receipt = Receipt("duplicate", "", None, existing=CORPUS[name])
            await seen.press("a", "x", "ctrl+s")
            await seen.shows("Not stored yet")
            harmless(seen)
            memory.errors["add"] = StoreUnavailableError(CORPUS[name])
            failed = len(memory.calls)
            await seen.press("ctrl+s")
            await seen.until(lambda failed=failed: "add" in dict(memory.calls[failed:]))
            await seen.until(lambda: "Not stored yet" not in seen.text)
            harmless(seen)
            await seen.press("escape", "escape")


async def test_paths_are_data_too(dashboard: Open, make_memory: MakeMemory, tmp_path: Path) -> None:
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
