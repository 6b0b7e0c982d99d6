"""Text that wants to be obeyed: shown everywhere, obeyed nowhere."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tui.driven import (
    NOW,
    Driven,
    MakeMemory,
    Open,
    Recorder,
    alert,
    dispute,
    health,
    record,
)

from omp_core.errors import StoreUnavailableError
from omp_core.model import (
    Capability,
    Home,
    JournalEntry,
    Receipt,
    Record,
    Scope,
    SearchAnswer,
)
from omp_core.views import Alert, HealthRow, HitRate, Overview, Page
from omp_tui.dialogs.fact import FactDialog
from omp_tui.widgets.record_list import RecordList

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
    "huge": "x" * 100_000 + "\n" * 1_000,
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
def hostile(make_memory: MakeMemory) -> Callable[[str], Recorder]:
    """Return a memory of which every text that comes out of it says the same."""

    def made(text: str) -> Recorder:
        # Whose project it is goes into each new record, and no store takes half a character.
        storable = text.encode("utf-8", "replace").decode()
        memory = make_memory(4, facts="a: {b: 1}\n")
        memory.real.update("m2", {"content": "other words"}, based_on=1)
        view = health(
            alerts=(alert("working-full", text, text, 2), Alert("info", text, text)),
            rows=(HealthRow("rot", "3 %", "< 20 %", False, 2.5, text),),
            hit_rate=HitRate(reason=text),
        )

        def records(page: Page) -> Page:
            return Page(tuple(spoken(one, text) for one in page.records), page.total)

        def overview(seen: Overview) -> Overview:
            recent = tuple(replace(act, summary=text, actor=text) for act in seen.recent)
            return replace(seen, recent=recent, health=view)

        def found(answer: SearchAnswer) -> SearchAnswer:
            hits = tuple(replace(hit, record=spoken(hit.record, text)) for hit in answer.hits)
            return replace(answer, hits=hits, degraded=text)

        def history(entries: tuple[JournalEntry, ...]) -> tuple[JournalEntry, ...]:
            sides = {"content": text, text: text}
            return tuple(replace(one, actor=text, before=sides, after=sides) for one in entries)

        changed: dict[str, Callable[[Any], Any]] = {
            "list": records,
            "get": lambda one: spoken(one, text),
            "search": found,
            "overview": overview,
            "history": history,
            "undoable": lambda act: None if act is None else replace(act, summary=text, actor=text),
            "capabilities": lambda _known: (
                Capability("store", True, text, NOW, text),
                Capability("vectors", False, text, NOW, text),
                Capability("project", True, text, NOW),
            ),
            "scope": lambda _scope: Scope(user_id=storable, app_id=storable),
            "value": lambda _value: text,
        }
        memory.answers.update(changed)
        return memory

    return made


def spoken(one: Record, text: str) -> Record:
    """Return the record with this text wherever it has one."""
    metadata = {text: text, "deep": {text: [text]}}
    if one.home is Home.PROJECT:
        metadata |= {"file": "project.yaml", "path": "a.b"}
    return replace(
        one,
        content=text or "-",
        scope=Scope(text, text, text, text),
        tags=frozenset({text}),
        metadata=metadata,
        disputes=(replace(dispute(1, text, text), field=text, current_actor=text),),
        episode=text,
        superseded_by=text,
    )


@pytest.mark.parametrize("name", CORPUS)
async def test_shown_everywhere_and_obeyed_nowhere(
    dashboard: Open, hostile: Callable[[str], Recorder], name: str
) -> None:
    text = CORPUS[name]
    memory = hostile(text)
    receipt = Receipt("created", "x", None, note=text)
    async with dashboard(memory, size=(80, 24) if len(name) % 2 else (120, 40)) as seen:

        async def over(*keys: str) -> None:
            """Press keys that open something over the pane, look at it, and close it."""
            await seen.press(*keys)
            await seen.until(lambda: len(seen.app.screen_stack) > 1)
            await seen.drawn()
            harmless(seen)
            await seen.press("escape")
            await seen.until(lambda: len(seen.app.screen_stack) == 1)

        harmless(seen)
        for keys in (("w",), ("F",), ("down", "F"), ("u",)):
            await over(*keys)
        await seen.press("2")
        await seen.settle()
        harmless(seen)
        field = seen.query("#search")
        for searched in (text[:2000], ""):
            field.value = searched
            await seen.settle()
            harmless(seen)

        async def take_in_hand(home: Home) -> None:
            """Go down from the top to the first record of a home."""
            await seen.press("g")
            for _row in range(100):
                await seen.until(lambda: held() is not None)
                if held() is home:
                    return
                await seen.press("down")
            raise AssertionError(f"no record of the home {home} is listed")

        def held() -> Home | None:
            row = seen.app.screen.query_one(RecordList).item
            return None if row is None else row.record.home

        await seen.press("escape", "c")
        await take_in_hand(Home.USER)
        for key in ("enter", "e", "a", "t", "d", "f", "s", "exclamation_mark", "question_mark"):
            await over(key)
        await over("ctrl+p")

        await take_in_hand(Home.PROJECT)
        await seen.press("e")
        await seen.until(lambda: isinstance(seen.app.screen, FactDialog))
        memory.errors["set_value"] = memory.errors["value"] = StoreUnavailableError(text[:5000])
        memory.elsewhere(record(90))
        await seen.press("x", "ctrl+s")
        await seen.until(lambda: seen.app.screen.has_class("-error"))
        harmless(seen)
        await seen.press("escape", "escape")
        await seen.until(lambda: len(seen.app.screen_stack) == 1)

        memory.answers["add_decision"] = memory.answers["add"] = lambda _receipt: receipt
        await seen.press("n", "d")
        seen.query("#title").value = seen.query("#choice").value = "x"
        seen.query("#impact").load_text(text[:2000])
        await seen.pilot.pause()
        harmless(seen)
        await seen.press("ctrl+s")
        await seen.until(lambda: seen.toasts or seen.app.screen.has_class("-error"))
        await seen.pilot.pause()
        harmless(seen)
        await seen.press("escape", "escape")
        await seen.until(lambda: len(seen.app.screen_stack) == 1)

        memory.errors["delete"] = StoreUnavailableError(text[:5000])
        said = len(seen.app.notices.newest_first())
        await take_in_hand(Home.USER)
        await seen.press("d")
        await seen.answer("y")
        await seen.until(lambda: len(seen.app.notices.newest_first()) > said)
        harmless(seen)
        await seen.press("a", "x", "ctrl+s")
        await seen.until(lambda: len(seen.app.screen_stack) == 1)
        await seen.pilot.hover("#count")
        await seen.pilot.pause()
        harmless(seen)
        assert seen.app.is_running


async def test_a_blank_text_is_no_trouble(
    dashboard: Open, hostile: Callable[[str], Recorder]
) -> None:
    async with dashboard(hostile("   "), size=(80, 24)) as seen:
        await seen.press("2")
        await seen.settle()
        # the project's fact, the newest, has a dialog of its own
        await seen.press("down", "enter", "c", "escape", "e")
        await seen.shows("Edit · version")
        harmless(seen)


async def test_a_duplicate_and_a_refusal_in_the_dialog(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    memory = make_memory(1)
    async with dashboard(memory, "memories") as seen:
        for name in ("markup", "sequences"):
            memory.errors.clear()
            known = Receipt("duplicate", "", None, existing=CORPUS[name])
            memory.instead["add"] = lambda *_what, known=known, **_how: known
            await seen.press("a", "x", "ctrl+s")
            await seen.shows("Not stored yet")
            harmless(seen)
            memory.errors["add"] = StoreUnavailableError(CORPUS[name])
            await seen.press("ctrl+s")
            await seen.until(lambda: "Not stored yet" not in seen.text)
            harmless(seen)
            await seen.press("escape", "escape")


async def test_paths_are_data_too(dashboard: Open, make_memory: MakeMemory, tmp_path: Path) -> None:
    evil = tmp_path / "[b]\x1b[31m[" / "x]"
    evil.mkdir(parents=True)
    async with dashboard(make_memory(0)) as seen:
        await seen.press("o")
        seen.query("#path").value = f"{tmp_path}/[b]"
        await seen.pilot.pause()
        harmless(seen)
        await seen.press("enter")
        await seen.shows("There is no file or folder")
        seen.query("#path").value = str(evil)
        await seen.press("enter")
        await seen.pilot.pause()
        harmless(seen)
