"""Changes made from the list: each reaches the memory once, and can fail without loss."""

from __future__ import annotations

from datetime import UTC, datetime

from textual.widgets import Select, TextArea
from tui.driven import MakeMemory, Open, record

from omp_core.errors import ReadOnlyError, SecretFinding, SecretFoundError, StoreUnavailableError
from omp_core.model import Receipt, Scope, Tier
from omp_tui.dialogs.edit import EditDialog


async def test_edit_writes_only_what_changed_on_the_version_seen(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    memory = make_memory(8)
    async with dashboard(memory, "memories") as seen:
        await seen.press("e")
        await seen.shows("Edit · version 1")
        seen.query("#content").load_text("new words")
        seen.query("#tags").value = "b, a，c"
        seen.query("#expires_at").value = "2027-03-01 09:00"
        await seen.press("ctrl+s")
        await seen.told("Saved. u undoes.")
        await seen.shows("new words")
    assert memory.called("update") == [
        (
            "m1",
            {
                "content": "new words",
                "tags": ["a", "b", "c"],
                "expires_at": datetime(2027, 3, 1, 9, tzinfo=UTC),
            },
            1,
        )
    ]


async def test_nothing_changed_writes_nothing(dashboard: Open, make_memory: MakeMemory) -> None:
    memory = make_memory(8)
    async with dashboard(memory, "memories") as seen:
        await seen.press("e", "ctrl+s")
        await seen.until(lambda: not isinstance(seen.app.screen, EditDialog))
    assert memory.called("update") == []


async def test_control_characters_are_not_changed_by_looking_at_them(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    memory = make_memory(0)
    memory.elsewhere(record(1, content="red"))
    memory.saying("red\x1b[31m")
    async with dashboard(memory, "memories") as seen:
        await seen.press("e")
        await seen.shows("Control characters are shown as symbols")
        assert seen.query("#content").text == "red␛[31m"
        seen.query("#tags").value = "one"
        await seen.press("ctrl+s")
        await seen.told("Saved. u undoes.")
    assert memory.called("update") == [("m1", {"tags": ["one"]}, 1)]


async def test_a_dispute_is_told(dashboard: Open, make_memory: MakeMemory) -> None:
    memory = make_memory(8)
    async with dashboard(memory, "memories") as seen:
        await seen.press("e")
        await seen.type("mine ")
        memory.changed_elsewhere("m1", {"content": "theirs"})
        await seen.shows("agent:codex changed text meanwhile (version 2)")
        await seen.press("ctrl+s")
        await seen.told("Somebody changed the same field meanwhile (text).")


async def test_a_secret_keeps_the_dialog_and_offers_the_redacted_text(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    memory = make_memory(8)
    finding = SecretFinding("aws-key", 7, 27)
    memory.errors["update"] = SecretFoundError([finding], "the key [redacted]")
    async with dashboard(memory, "memories") as seen:
        await seen.press("e")
        seen.query("#content").load_text("the key AKIA0000")
        await seen.press("ctrl+s")
        await seen.shows("aws-key at characters 8-27", "Use the redacted text")
        assert seen.query("#content").text == "the key AKIA0000"
        await seen.pilot.click("#redact")
        assert seen.query("#content").text == "the key [redacted]"
        memory.errors.clear()
        await seen.press("ctrl+s")
        await seen.told("Saved. u undoes.")


async def test_an_unreadable_date_is_said_in_the_dialog(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    memory = make_memory(8)
    async with dashboard(memory, "memories") as seen:
        await seen.press("e")
        seen.query("#expires_at").value = "next [/week]"
        await seen.press("ctrl+s")
        await seen.shows("is not a time like")
    assert memory.called("update") == []


async def test_escape_with_changes_asks_twice(dashboard: Open, make_memory: MakeMemory) -> None:
    async with dashboard(make_memory(8), "memories") as seen:
        await seen.press("e", "x", "escape")
        await seen.shows("This is not saved yet")
        await seen.press("escape")
        await seen.until(lambda: not isinstance(seen.app.screen, EditDialog))


async def test_add_belongs_to_the_person_or_to_the_project(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    memory = make_memory(1)
    async with dashboard(memory, "memories") as seen:
        await seen.press("a")
        await seen.type("likes tea")
        await seen.press("ctrl+s")
        await seen.told("Added. u undoes.")
        await seen.shows("likes tea")
        await seen.press("a")
        await seen.type("uses make")
        chosen = seen.app.screen.query_one("#scope", Select)
        chosen.value = Scope(user_id="ana", app_id="acme_shop-api")
        await seen.press("ctrl+s")
        await seen.shows("uses make")
    scopes = [call[1] for call in memory.called("add")]
    assert scopes == [Scope(user_id="ana"), Scope(user_id="ana", app_id="acme_shop-api")]


async def test_a_duplicate_is_stored_only_when_insisted_on(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    memory = make_memory(3)
    known = Receipt("duplicate", "", None, duplicate_id="m1", existing="uses [b]npm")
    memory.instead["add"] = lambda *_what, **_how: known
    async with dashboard(memory, "memories") as seen:
        await seen.press("a")
        await seen.type("uses npm")
        await seen.press("ctrl+s")
        await seen.shows("very like “uses [b]npm”")
        assert seen.app.screen.query_one(TextArea).text == "uses npm"
        del memory.instead["add"]
        await seen.press("ctrl+s")
        await seen.told("Added. u undoes.")
    assert [call[2] for call in memory.called("add")] == [False, True]


async def test_tier_of_all_marked(dashboard: Open, make_memory: MakeMemory) -> None:
    memory = make_memory(8)
    async with dashboard(memory, "memories") as seen:
        await seen.press("space", "space", "t")
        await seen.shows("Move 2 memories to")
        await seen.press("i")
        await seen.until(lambda: memory.real.get("m2").tier is Tier.IMPORTANT)
        await seen.shows("8 memories")
    assert memory.called("set_tier") == [(["m1", "m2"], Tier.IMPORTANT)]


async def test_delete_names_what_goes_and_enter_does_not_confirm(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    memory = make_memory(9)
    async with dashboard(memory, "memories") as seen:
        await seen.press(*["space"] * 7, "d")
        await seen.shows("Delete 7 memories?", "two workers (1)", "… and 2 more", "u undoes")
        await seen.press("d", "enter")
        await seen.until(lambda: len(seen.app.screen_stack) == 1)
        assert memory.called("delete") == []
        await seen.press("d")
        await seen.answer("y")
        await seen.shows("deleted 7", "2 memories")
        await seen.press("u")
        await seen.shows("undid: ", "9 memories")
        await seen.press("ctrl+r")
        await seen.shows("2 memories")
    assert memory.called("delete") == [[f"m{number}" for number in range(1, 8)]]


async def test_nothing_to_undo_is_said(dashboard: Open, make_memory: MakeMemory) -> None:
    async with dashboard(make_memory(3)) as seen:
        await seen.press("u")
        await seen.told("there is nothing to undo")


async def test_several_undos_in_a_row_are_all_done(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    async with dashboard(make_memory(6), "memories") as seen:
        for left in (5, 4, 3):
            await seen.press("d")
            await seen.answer("y")
            await seen.shows(f"{left} memories")
        await seen.press("u", "u", "u")
        await seen.shows("6 memories")


async def test_an_act_of_another_terminal_is_taken_back_only_after_a_yes(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    memory = make_memory(6)
    memory.deleted_elsewhere("m1", actor="user")
    async with dashboard(memory, "memories") as seen:
        await seen.press("u")
        await seen.shows("Take this back?", "deleted 1", "user, just now")
        await seen.answer("enter")
        await seen.until(lambda: len(seen.app.screen_stack) == 1)
        assert memory.called("undo") == []
        await seen.press("u")
        await seen.shows("Take this back?")
        await seen.answer("y")
        await seen.shows("6 memories")


async def test_a_mass_change_does_what_can_be_done_and_says_the_rest(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    memory = make_memory(6, facts="name: shop\n")
    async with dashboard(memory, "memories") as seen:
        await seen.shows("7 memories")
        await seen.press("asterisk")
        await seen.shows("7 marked · 7 memories")
        await seen.press("d")
        await seen.shows("Delete 6 memories?")
        memory.deleted_elsewhere("m1", "m2")
        await seen.answer("y")
        await seen.told("deleted 4 records", "2 were gone already.", "1 is a project fact")
        assert memory.real.list().total == 1


async def test_project_facts_are_neither_moved_nor_deleted_here(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    async with dashboard(make_memory(0, facts="name: shop\n"), "memories") as seen:
        await seen.shows("1 memory")
        for key in ("t", "d"):
            await seen.press(key)
            await seen.told("Project facts are changed in their documents")
            assert len(seen.app.screen_stack) == 1
        await seen.shows("proj", "project documents")


async def test_an_error_of_the_core_is_told_and_the_dashboard_lives(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    memory = make_memory(4)
    memory.errors["delete"] = ReadOnlyError("m1 is [/kept] elsewhere")
    async with dashboard(memory, "memories") as seen:
        await seen.press("d")
        await seen.answer("y")
        await seen.told("m1 is [/kept] elsewhere")
        memory.errors["delete"] = StoreUnavailableError("the store is away")
        await seen.press("d")
        await seen.answer("y")
        await seen.told("the store is away")
        await seen.shows("4 memories", "✗2 !")
        await seen.press("exclamation_mark")
        await seen.shows("Messages", "m1 is [/kept] elsewhere", "the store is away")
        await seen.press("escape")
        await seen.until(lambda: "✗2 !" not in seen.text)


async def test_actions_from_the_open_record_are_about_that_record(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    memory = make_memory(8)
    async with dashboard(memory, "memories") as seen:
        await seen.press("space", "space", "down", "enter")
        await seen.shows("esc Back")
        await seen.press("d")
        await seen.shows("Delete 1 memory?")
        await seen.answer("y")
        await seen.shows("deleted 1")
    # two were marked, which puts the cursor on the third, and one further down
    assert memory.called("delete") == [["m4"]]
