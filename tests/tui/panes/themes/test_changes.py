"""Every change of themes, driven by keys on a real memory, and taken back by u."""

from __future__ import annotations

from tui.driven import Driven, Open, Recorder
from tui.panes.themes.conftest import ANA, Themed, book, undo_all

from omp_tui.dialogs.themes.merge import MergeDialog
from omp_tui.dialogs.themes.move import MoveDialog
from omp_tui.dialogs.themes.split import SplitDialog


def chosen(seen: Driven) -> str:
    """The id of the theme in hand."""
    theme_id: str = seen.query("#themes").item.theme.id
    return theme_id


async def ready(seen: Driven, kind: type) -> None:
    """Wait until a dialog is drawn and shows what it would do."""
    await seen.until(lambda: isinstance(seen.screen, kind), kind.__name__)
    await seen.until(lambda: seen.screen.change is not None, "the preview")
    await seen.drawn()


async def written(seen: Driven) -> None:
    """Wait until the dialog has closed and the pane shows what came of it."""
    await seen.until(lambda: len(seen.app.screen_stack) == 1, "the end of the dialog")
    await seen.settle()


def sizes(memory: Recorder, *ids: str) -> list[int]:
    now = book(memory)
    return [len(now[one][1]) for one in ids]


async def test_split_by_likeness_then_by_hand_and_back(dashboard: Open, themed: Themed) -> None:
    memory = themed()
    start = book(memory)
    async with dashboard(memory, "themes") as seen:
        theme = chosen(seen)
        whole = sizes(memory, theme)[0]
        await seen.press("S")
        await ready(seen, SplitDialog)
        dialog = seen.screen
        first = len(dialog.parting.groups)
        await seen.press("plus")
        await seen.until(lambda: len(dialog.parting.groups) == first + 1, "one part more")
        await ready(seen, SplitDialog)
        await seen.press("minus")
        await seen.until(lambda: len(dialog.parting.groups) == first, "one part less")
        await ready(seen, SplitDialog)
        moved = dialog.parting.groups[0][0]
        await seen.press("g", "down", "right")
        await seen.until(lambda: moved in dialog.parting.groups[1], "the member in part 2")
        await ready(seen, SplitDialog)
        await seen.shows("part 1", "part 2", "cohesion", "keeps its place")
        parts = {frozenset(group) for group in dialog.parting.filled}
        await seen.press("enter")
        await written(seen)
        assert parts <= {members for _label, members, _pinned, _by in book(memory).values()}
        assert sum(len(part) for part in parts) == whole
        await seen.shows("✓", "split the theme", "u undoes")
        await undo_all(seen, memory, start)
        await seen.until(lambda: not seen.screen.has_class("-receipt"), "no receipt")


async def test_marked_members_are_split_off(dashboard: Open, themed: Themed) -> None:
    memory = themed()
    start = book(memory)
    async with dashboard(memory, "themes") as seen:
        theme = chosen(seen)
        members = [record.id for record in seen.screen.held.records]
        await seen.press("enter", "space", "space", "S")
        await ready(seen, SplitDialog)
        await seen.press("enter")
        await written(seen)
        now = {members for _label, members, _pinned, _by in book(memory).values()}
        assert frozenset(members[:2]) in now
        assert frozenset(members[2:]) in now
        assert seen.query("#members").marked == ()
        assert theme in book(memory)
        await undo_all(seen, memory, start)


async def test_leaving_a_split_changes_nothing(dashboard: Open, themed: Themed) -> None:
    memory = themed()
    start = book(memory)
    async with dashboard(memory, "themes", size=(80, 24)) as seen:
        await seen.press("S")
        await ready(seen, SplitDialog)
        await seen.press("g", "down", "right", "escape")
        await written(seen)
        assert book(memory) == start


async def test_merge_with_the_table_of_likeness(dashboard: Open, themed: Themed) -> None:
    memory = themed()
    start = book(memory)
    async with dashboard(memory, "themes") as seen:
        theme = chosen(seen)
        await seen.press("m")
        await ready(seen, MergeDialog)
        near = memory.real.themes.alike(theme)
        assert [one.theme.id for one in seen.screen._near] == [one.theme.id for one in near]
        await seen.press("space", "space")
        await seen.until(lambda: seen.screen.change is not None, "the preview")
        await ready(seen, MergeDialog)
        await seen.shows("alike", "Merge 3 themes")
        await seen.press("enter")
        await written(seen)
        merged = {theme, near[0].theme.id, near[1].theme.id}
        left = merged & book(memory).keys()
        assert len(left) == 1
        together = frozenset().union(*(start[one][1] for one in merged))
        assert book(memory)[left.pop()][1] == together
        await undo_all(seen, memory, start)


async def test_themes_of_other_scopes_are_not_merged(dashboard: Open, themed: Themed) -> None:
    memory = themed()
    async with dashboard(memory, "themes") as seen:
        rows = [row for _at, row in seen.query("#themes")._rows.known()]
        others = [at for at, row in enumerate(rows) if row.theme.scope != rows[0].theme.scope]
        await seen.press("space")
        seen.query("#themes").move_to(others[0])
        await seen.press("space", "m")
        await seen.until(lambda: any("cannot be merged" in one for one in seen.toasts))
        assert len(seen.app.screen_stack) == 1


async def test_move_members_to_another_and_to_a_new_theme(dashboard: Open, themed: Themed) -> None:
    memory = themed()
    start = book(memory)
    async with dashboard(memory, "themes") as seen:
        moved = seen.screen.held.records[0].id
        await seen.press("enter", "v")
        await ready(seen, MoveDialog)
        target = seen.screen.list.item.theme.id
        await seen.press("enter")
        await written(seen)
        assert moved in book(memory)[target][1]
        await undo_all(seen, memory, start)

        await seen.press("escape", "enter", "space", "space")
        marked = {record.id for record in seen.query("#members").marked}
        await seen.press("v")
        await ready(seen, MoveDialog)
        await seen.type("odd ones")
        await seen.until(lambda: "odd ones" in seen.text)
        await ready(seen, MoveDialog)
        await seen.press("enter")
        await written(seen)
        assert ("odd ones", frozenset(marked), True, True) in book(memory).values()
        await undo_all(seen, memory, start)


async def test_rename_and_let_it_be_named_by_itself_again(dashboard: Open, themed: Themed) -> None:
    memory = themed()
    start = book(memory)
    async with dashboard(memory, "themes") as seen:
        theme = chosen(seen)
        await seen.press("r")
        await seen.until(lambda: len(seen.app.screen_stack) == 2)
        await seen.drawn()
        await seen.press("enter")
        await seen.shows("That is its name already.")
        await seen.type("our tests")
        await seen.until(lambda: seen.screen.change is not None, "the preview")
        await seen.press("enter")
        await written(seen)
        assert book(memory)[theme][0] == "our tests"
        assert book(memory)[theme][2:] == (True, True)
        assert chosen(seen) == theme
        assert seen.query("#themes").fate == "same"
        await seen.press("r")
        await seen.until(lambda: len(seen.app.screen_stack) == 2)
        await seen.drawn()
        await seen.press("backspace")
        await seen.until(lambda: seen.screen.change is not None, "the preview")
        await seen.press("enter")
        await written(seen)
        assert book(memory)[theme][3] is False
        await undo_all(seen, memory, start)


async def test_pin_and_unpin(dashboard: Open, themed: Themed) -> None:
    memory = themed()
    start = book(memory)
    async with dashboard(memory, "themes") as seen:
        theme = chosen(seen)
        await seen.press("p")
        await seen.until(lambda: book(memory)[theme][2], "a pin")
        await seen.shows("📌")
        await seen.press("p")
        await seen.until(lambda: not book(memory)[theme][2], "no pin")
        await seen.settle()
        await undo_all(seen, memory, start)


async def test_dissolve_asks_with_what_would_become_of_the_members(
    dashboard: Open, themed: Themed
) -> None:
    memory = themed()
    start = book(memory)
    async with dashboard(memory, "themes") as seen:
        theme = chosen(seen)
        await seen.press("d")
        await seen.shows("Dissolve this theme?", "members join other themes")
        await seen.answer("n")
        await written(seen)
        assert book(memory) == start
        await seen.press("d")
        await seen.shows("Dissolve this theme?")
        await seen.answer("y")
        await seen.until(lambda: theme not in book(memory), "the theme to go")
        await seen.settle()
        await undo_all(seen, memory, start)


async def test_group_all_anew_after_a_look_at_what_it_changes(
    dashboard: Open, themed: Themed
) -> None:
    memory = themed()
    rows = [row.theme for row in memory.real.themes.list().rows if row.theme.scope == ANA]
    for member in rows[0].members[:2]:
        memory.real.themes.move([member], rows[1].id)
    memory.real.themes.pin(rows[1].id, pinned=False)
    start = book(memory)
    async with dashboard(memory, "themes") as seen:
        await seen.press("R")
        await seen.until(
            lambda: (
                len(seen.app.screen_stack) == 2 or any("as they are" in one for one in seen.toasts)
            ),
            "what a rebuild would do",
        )
        await seen.shows("Group all memories anew?", "themes:")
        await seen.answer("y")
        await seen.until(lambda: book(memory) != start, "the rebuild")
        await seen.settle()
        await seen.shows("rebuilt the themes")
        await undo_all(seen, memory, start)


async def test_fix_opens_what_is_suggested(dashboard: Open, themed: Themed) -> None:
    memory = themed()
    async with dashboard(memory, "themes") as seen:
        advised = seen.query("#themes").advice
        for at, row in list(seen.query("#themes")._rows.known()):
            seen.query("#themes").move_to(at)
            await seen.press("F")
            if row.theme.id not in advised:
                await seen.until(lambda: any("Nothing is suggested" in one for one in seen.toasts))
                continue
            kind = {"split": SplitDialog, "merge": MergeDialog, "move": MoveDialog}
            await ready(seen, kind[advised[row.theme.id][0].kind])
            await seen.press("escape")
            await written(seen)
        assert not {"undo", "merge"} & {
            name for name, given in memory.calls if "dry_run" not in str(given) and name == "undo"
        }
