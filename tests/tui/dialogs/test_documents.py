"""Project documents from the dashboard: what is typed reaches them, or stays in the dialog."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from textual.widgets import TextArea
from tui.driven import NOW, Driven, MakeMemory, Open

from omp_core.errors import (
    DocumentDamagedError,
    NotFoundError,
    OmpError,
    SchemaError,
    SecretFinding,
    SecretFoundError,
)
from omp_core.model import Receipt
from omp_core.project.writers import ChangelogEntry, DecisionEntry, SessionEntry
from omp_tui.dialogs.fact import FactDialog
from omp_tui.dialogs.note import NoteDialog
from omp_tui.dialogs.writing import WritingDialog


async def closed(seen: Driven) -> None:
    await seen.until(lambda: not isinstance(seen.app.screen, WritingDialog))


async def test_a_decision_is_typed_and_written_and_undone(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    memory = make_memory(3)
    async with dashboard(memory, size=(80, 24)) as seen:
        await seen.press("n")
        await seen.shows("Record a decision", "Set a project fact", "change log", "Note a session")
        await seen.press("d")
        await seen.shows("what was chosen")
        await seen.press(*"DB", "enter", *"pg", "tab", *"a", "enter", *"b", "tab")
        await seen.press(*"x", "enter", "enter", *"y", "tab", *"why", "tab", *"z")
        await seen.press("ctrl+s")
        await seen.told("added the decision dec-", ": “DB”")
        assert "choice: pg" in memory.document("decisions.yaml").read_text(encoding="utf-8")
        await seen.press("u")
        await seen.told("undid: ")
        assert "pg" not in memory.document("decisions.yaml").read_text(encoding="utf-8")
    assert memory.called("add_decision") == [
        DecisionEntry("DB", "pg", "a\nb", ("x", "y"), "why", ("z",))
    ]


async def test_changes_and_sessions_are_offered_by_the_palette(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    memory = make_memory(3)
    async with dashboard(memory, "memories") as seen:
        await seen.press("ctrl+p", *"change log")
        await seen.shows("Add to the change log", "n c")
        await seen.press("enter")
        await seen.until(lambda: isinstance(seen.app.screen, NoteDialog))
        await seen.press(*"v2", "tab", "tab", *"one", "enter", *"two", "ctrl+s")
        await seen.told("to the change log: “v2”")
        await seen.press("n", "s", *"did", "tab", *"this", "ctrl+s")
        await seen.told("added the session session-001: “did”")
    assert memory.called("add_change") == [ChangelogEntry("v2", "", ("one", "two"))]
    assert memory.called("add_session") == [SessionEntry("did", None, NOW, ("this",), ())]


async def test_what_is_needed_is_asked_for_before_anything_is_written(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    memory = make_memory(3)
    async with dashboard(memory) as seen:
        await seen.press("n", "d", *"DB", "ctrl+s")
        await seen.shows("Not written yet. Fill in first: choice")
        assert seen.app.focused is seen.query("#choice")
        await seen.press("escape")
        await seen.shows("This is not saved yet")
        await seen.press("escape")
        await closed(seen)
        await seen.press("n", "f", "ctrl+s")
        await seen.shows("Fill in first: fact, value")
        await seen.press("escape")
        await closed(seen)
    assert memory.called("add_decision") == memory.called("set_value") == []


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (
            DocumentDamagedError(Path("/x/decisions.yaml"), 3, "no [/end]"),
            "yaml:3: no [/e",
        ),
        (SecretFoundError([SecretFinding("aws-key", 1, 9)], "[redacted]"), "a secret (aws-key"),
        (SchemaError("decisions.yaml: choice: is no text\n" + "- a\n+ b\n" * 50), "is no text"),
    ],
)
async def test_an_error_is_shown_and_what_was_typed_is_kept(
    dashboard: Open, make_memory: MakeMemory, error: OmpError, says: str
) -> None:
    memory = make_memory(3)
    memory.errors["add_decision"] = error
    async with dashboard(memory, size=(80, 24)) as seen:
        await seen.press("n", "d", *"DB", "tab", *"pg", "ctrl+s")
        await seen.shows(says, "DB", "pg", "Save  ^s")
        assert seen.toasts == []
        del memory.errors["add_decision"]
        await seen.press("ctrl+s")
        await seen.told("added the decision dec-", ": “DB”")


async def test_without_a_project_it_says_how_to_get_one(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    async with dashboard(make_memory(3, project=False)) as seen:
        await seen.press("n")
        await seen.told("There is no project here; i in the Overview sets one up.")
        assert len(seen.app.screen_stack) == 1


async def test_a_change_that_is_not_in_the_journal_is_a_warning(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    memory = make_memory(3)
    lasting = Receipt("created", "document:x#y", None, note="added; undo cannot")
    memory.answers["add_change"] = lambda _receipt: lasting
    async with dashboard(memory) as seen:
        await seen.press("n", "c", "x", "ctrl+s")
        await seen.told("added; undo cannot")
        assert [one.severity for one in seen.app.notices.newest_first()] == ["warning"]


# facts


async def test_a_fact_shows_what_it_says_now_and_what_it_is_going_to_be(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    memory = make_memory(0, facts="limits:\n  page: 50\n")
    async with dashboard(memory) as seen:
        await seen.press("n", "f", *"limits.pag")
        await seen.shows("There is no such fact yet.")
        await seen.press(*"e", "enter", *"60")
        await seen.shows("It says now: 50", "It is going to be a number")
        for text, says in (
            ("true", "a yes or no"),
            ("null", "empty"),
            ('["a"]', "a list of 1 item."),
            ('{"a": 1, "b": 2}', "a map of 2 keys."),
            ("12:30", "a text"),
        ):
            seen.app.screen.query_one("#value", TextArea).load_text(text)
            await seen.shows(f"It is going to be {says}")
        await seen.press("ctrl+s")
        await seen.told("limits.page")
        assert memory.real.documents.value("limits.page") == "12:30"
        await seen.press("u")
        await seen.until(lambda: memory.real.documents.value("limits.page") == 50)
    assert memory.called("set_value") == [("limits.page", "12:30", None)]


async def test_e_on_a_fact_opens_it_with_its_value(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    memory = make_memory(0, facts="limits:\n  port: '8080'\n")
    async with dashboard(memory, "memories") as seen:
        await seen.shows("limits.port: 8080")
        await seen.press("e")
        await seen.until(lambda: isinstance(seen.app.screen, FactDialog))
        value = seen.app.screen.query_one("#value", TextArea)
        assert value.text == '"8080"'
        assert seen.query("#path").value == "limits.port"
        await seen.press("ctrl+s")  # nothing was changed
        await closed(seen)
        assert memory.called("set_value") == []
        await seen.press("enter")
        await seen.shows("esc Back")
        await seen.press("e")
        await seen.until(lambda: isinstance(seen.app.screen, FactDialog))
        memory.document("project.yaml").write_text("limits:\n  port: '9090'\n")
        await seen.shows('Somebody changed it meanwhile; saving replaces: "9090"')
        await seen.press(*"81", "ctrl+s")  # all of the old value is selected
        await seen.told("limits.port")
        assert memory.real.documents.value("limits.port") == 81


async def test_e_on_what_is_no_plain_fact_says_where_it_stands(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    memory = make_memory(0, facts="clusters:\n  - name: east\n    size: 3\nport: 80\n")
    decisions = "decisions:\n  - id: d-1\n    title: DB\n    choice: pg\n"
    memory.document("decisions.yaml").write_text(decisions)
    memory.errors["value"] = NotFoundError("gone")
    async with dashboard(memory, "memories") as seen:
        await seen.shows("DB: pg", "port: 80")
        await seen.press("g", "e", "down", "e", "down", "e")
        await seen.told(
            "This stands in _omp/memory/decisions.yaml, line 2; it is changed there.",
            "This stands in _omp/memory/project.yaml, line 3; it is changed there.",
            "This stands in _omp/memory/project.yaml, line 4; it is changed there.",
        )
        memory.errors["value"] = DocumentDamagedError(Path("/p.yaml"), 1, "odd")
        for _row in range(3):
            await seen.press("e", "up")
        await seen.told("odd. The file is left")


async def test_a_damaged_document_is_told_while_the_path_is_typed(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    memory = make_memory(3)
    memory.errors["value"] = DocumentDamagedError(Path("/x/project.yaml"), 3, "odd")
    async with dashboard(memory) as seen:
        await seen.press("n", "f", *"name")
        await seen.shows("/x/project.yaml:3: odd.")


async def test_a_write_that_takes_long_goes_on_when_the_dialog_is_left(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    memory = make_memory(3)
    async with dashboard(memory) as seen:
        memory.gates["add_change"] = gate = threading.Event()
        await seen.press("n", "c", "x", "ctrl+s", "ctrl+s", "escape")
        await seen.shows("It is still being written")
        await seen.press("escape")
        await closed(seen)
        gate.set()
        await seen.told("to the change log: “x”")
    assert len(memory.called("add_change")) == 1
