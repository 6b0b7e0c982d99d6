"""Mode 6: the documents as trees, editing in place, the editor, versions, git, damage."""

from __future__ import annotations

import subprocess
from contextlib import nullcontext
from pathlib import Path

import pytest
from tui.driven import Driven, MakeMemory, Open, Recorder

from omp_core.project.writers import ChangelogEntry, DecisionEntry
from omp_tui.dialogs.fact import FactDialog
from omp_tui.dialogs.versions import VersionsDialog

FACTS = """\
deployment:
  api:
    url: https://old.example
    ports: [80, 443]
owner: ana
"""


def folder(memory: Recorder) -> Path:
    workspace = memory.real.workspace
    assert workspace is not None
    return workspace.memory


def git(memory: Recorder, *arguments: str) -> None:
    name = ("-c", "user.name=Ana", "-c", "user.email=ana@shop.example")
    subprocess.run(["git", *name, *arguments], cwd=folder(memory), check=True, capture_output=True)


async def to(seen: Driven, key: str) -> None:
    """Put the cursor on a row that is in the list."""
    rows = seen.screen.list
    keys = [row.key for _place, row in rows._rows.known()]
    rows.move_to(keys.index(key))
    await seen.pilot.pause()


@pytest.fixture
def memory(make_memory: MakeMemory) -> Recorder:
    return make_memory(0, facts=FACTS)


async def test_the_tree_opens_and_closes(dashboard: Open, memory: Recorder) -> None:
    async with dashboard(memory, "project") as seen:
        await seen.shows("shop-api", "1 document", "✓ ▾ project.yaml", "▸ deployment", "owner: ana")
        await seen.press("down", "right", "down", "right")
        await seen.shows("url: https://old.example", "▸ ports")
        await seen.press("left")
        await seen.until(lambda: "▸ ports" not in seen.text, "the branch closed")
        await seen.press("left")
        assert seen.screen.list.item.key == "project.yaml#deployment"
        await seen.press("enter")
        await seen.until(lambda: "▸ deployment" in seen.text, "the branch closed")
        await seen.press("enter")
        await seen.shows("▸ api")


async def test_beside_the_tree_stands_the_value_and_where(
    dashboard: Open, memory: Recorder
) -> None:
    async with dashboard(memory, "project") as seen:
        await to(seen, "project.yaml#owner")
        await seen.shows("project.yaml, line 5")


async def test_on_a_narrow_screen_enter_shows_it_and_esc_goes_back(
    dashboard: Open, memory: Recorder
) -> None:
    async with dashboard(memory, "project", size=(80, 24)) as seen:
        assert "line 5" not in seen.text
        await to(seen, "project.yaml#owner")
        await seen.press("enter")
        await seen.shows("project.yaml, line 5")
        await seen.press("escape")
        await seen.shows("✓ ▾ project.yaml")
        await seen.press("home")
        assert seen.screen.list.cursor == 0


async def test_a_value_is_edited_in_place_and_undone(dashboard: Open, memory: Recorder) -> None:
    async with dashboard(memory, "project") as seen:
        await to(seen, "project.yaml#owner")
        await seen.press("e")
        await seen.until(lambda: isinstance(seen.screen, FactDialog), "the dialog")
        await seen.type("ben")
        await seen.press("ctrl+s")
        await seen.shows("owner: ben")
        assert "owner: ben" in (folder(memory) / "project.yaml").read_text(encoding="utf-8")
        await seen.press("u")
        await seen.shows("owner: ana")


async def test_a_value_of_another_document_is_edited_there(
    dashboard: Open, memory: Recorder
) -> None:
    (folder(memory) / "notes.yaml").write_text("hello: there\n", encoding="utf-8")
    async with dashboard(memory, "project") as seen:
        await to(seen, "notes.yaml#")
        await seen.press("right")
        await to(seen, "notes.yaml#hello")
        await seen.press("e")
        await seen.until(lambda: isinstance(seen.screen, FactDialog), "the dialog")
        await seen.type("you")
        await seen.press("ctrl+s")
        await seen.shows("hello: you")
        assert "you" in (folder(memory) / "notes.yaml").read_text(encoding="utf-8")


async def test_a_group_is_not_edited_as_a_whole(dashboard: Open, memory: Recorder) -> None:
    async with dashboard(memory, "project") as seen:
        await seen.press("e")
        await seen.until(lambda: any("one value below" in one for one in seen.toasts), "said")


async def test_a_damaged_document_says_line_and_reason_and_opens_there(
    dashboard: Open, memory: Recorder, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    damaged = folder(memory) / "changelog.yaml"
    damaged.write_text("changes:\n\t- x\n", encoding="utf-8")
    editor, told = tmp_path / "editor", tmp_path / "told"
    editor.write_text(f'#!/bin/sh\necho "$@" > "{told}"\necho "changes: []" > "$2"\n')
    editor.chmod(0o700)
    async with dashboard(memory, "project") as seen:
        await seen.shows("1 damaged", "✗", "changelog.yaml", "line 2:")
        await to(seen, "changelog.yaml#")
        await seen.shows("mended: E opens it at the line")
        await seen.press("e")
        await seen.until(lambda: any("in the file itself" in one for one in seen.toasts), "said")
        monkeypatch.setenv("EDITOR", str(editor))
        monkeypatch.delenv("VISUAL", raising=False)
        monkeypatch.setattr(seen.app, "suspend", nullcontext)
        await seen.press("E")
        await seen.until(lambda: "1 damaged" not in seen.text, "the mended document")
        assert told.read_text(encoding="utf-8") == f"+2 {damaged}\n"


async def test_an_editor_that_cannot_run_is_said(
    dashboard: Open, memory: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with dashboard(memory, "project") as seen:
        await seen.press("E")
        await seen.until(lambda: any("cannot be left" in one for one in seen.toasts), "said")
        monkeypatch.setenv("VISUAL", "no-such-editor-here")
        monkeypatch.setattr(seen.app, "suspend", nullcontext)
        await seen.press("E")
        await seen.until(lambda: any("did not start" in one for one in seen.toasts), "said")
        monkeypatch.setenv("VISUAL", "false")
        await seen.press("E")
        await seen.until(lambda: any("ended with 1" in one for one in seen.toasts), "said")


async def test_an_older_version_is_compared_and_brought_back_after_asking(
    dashboard: Open, memory: Recorder
) -> None:
    memory.real.documents.set_value("owner", "ben")
    async with dashboard(memory, "project") as seen:
        await seen.shows("older versions")
        await seen.press("o")
        await seen.shows("Older versions", "-owner: ana", "+owner: ben")
        await seen.press("enter")
        await seen.shows("Bring this version back?")
        await seen.answer("escape")
        assert memory.real.documents.value("owner") == "ben"
        await seen.press("o")
        await seen.until(lambda: isinstance(seen.screen, VersionsDialog), "the versions")
        await seen.shows("-owner: ana")
        await seen.press("enter")
        await seen.shows("Bring this version back?")
        await seen.answer("y")
        await seen.shows("owner: ana")
        await seen.until(lambda: memory.real.documents.value("owner") == "ana", "the version")
        await seen.press("u")
        await seen.shows("owner: ben")


async def test_a_document_without_older_versions_says_so(dashboard: Open, memory: Recorder) -> None:
    async with dashboard(memory, "project") as seen:
        await seen.press("o")
        await seen.until(lambda: any("No older version" in one for one in seen.toasts), "said")


async def test_git_tells_what_is_not_committed(dashboard: Open, memory: Recorder) -> None:
    git(memory, "init", "-q", "-b", "trunk")
    git(memory, "add", ".")
    git(memory, "commit", "-qm", "Begin")
    memory.real.documents.set_value("owner", "ben")
    async with dashboard(memory, "project") as seen:
        await seen.shows("trunk", "changed since the last commit: 1 fact", "·changed·")
        await to(seen, "project.yaml#owner")
        await seen.shows("not committed yet", "was ana", "Ana")


async def test_decisions_and_changes_stand_as_a_time_line(
    dashboard: Open, memory: Recorder
) -> None:
    memory.real.documents.add_decision(DecisionEntry("storage", "SQLite", "", (), "", ()))
    memory.real.documents.add_change(ChangelogEntry("moved the API", "deployment", ()))
    async with dashboard(memory, "project") as seen:
        await to(seen, "decisions.yaml#")
        await seen.shows("2026-03-01  storage: SQLite")
        await to(seen, "changelog.yaml#")
        await seen.shows("2026-03-01  moved the API")


async def test_one_goes_from_a_document_to_its_memories(dashboard: Open, memory: Recorder) -> None:
    async with dashboard(memory, "project") as seen:
        await seen.press("M")
        await seen.until(lambda: seen.app.current_mode == "memories", "the memories")
        await seen.shows("ana", "project documents")


async def test_the_path_is_copied(dashboard: Open, memory: Recorder) -> None:
    async with dashboard(memory, "project") as seen:
        await to(seen, "project.yaml#owner")
        await seen.press("c")
        assert seen.app.clipboard == "owner"


async def test_a_note_is_written_from_here(dashboard: Open, memory: Recorder) -> None:
    async with dashboard(memory, "project") as seen:
        await seen.press("n")
        await seen.shows("Record a decision")
        await seen.answer("c")
        await seen.shows("what changed")
        await seen.type("moved")
        await seen.press("ctrl+s")
        await seen.shows("changelog.yaml")


async def test_what_others_write_appears_and_the_row_in_hand_says_it_changed(
    dashboard: Open, memory: Recorder
) -> None:
    async with dashboard(memory, "project") as seen:
        await seen.press("down", "down")
        assert seen.screen.list.item.key == "project.yaml#owner"
        text = FACTS.replace("owner: ana", "first: 1\nowner: zoe")
        (folder(memory) / "project.yaml").write_text(text, encoding="utf-8")
        await seen.shows("owner: zoe", "changed meanwhile")
        assert seen.screen.list.item.key == "project.yaml#owner"


async def test_refused_settings_of_the_repository_are_shown(
    dashboard: Open, memory: Recorder
) -> None:
    (folder(memory).parent / "config.yaml").write_text("store:\n  url: http://evil\n")
    async with dashboard(memory, "project") as seen:
        await to(seen, "config.yaml#")
        await seen.shows("▲ ▸ config.yaml", "1 with problems", "store")


async def test_without_a_project_it_offers_to_set_one_up(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    memory = make_memory(1, project=False)
    async with dashboard(memory, "project") as seen:
        await seen.shows("There is no project here.", "i sets one up")
        await seen.press("i")
        await seen.shows("project.yaml")
        assert memory.real.workspace is not None


async def test_hostile_text_in_documents_is_shown_and_obeyed_nowhere(
    dashboard: Open, memory: Recorder
) -> None:
    text = 'evil: "[@click=app.quit]x[/] \\e]0;owned\\a \\u202e"\n'
    (folder(memory) / "project.yaml").write_text(text, encoding="utf-8")
    async with dashboard(memory, "project") as seen:
        await seen.press("down")
        await seen.shows("[@click=app.quit]x[/]")
        assert not set(seen.text) & {"\x1b", "\x07", "\u202e"}
