"""The files of a project, changed from the dashboard: put back by undo, left alone when damaged."""

from __future__ import annotations

from tui.driven import MakeMemory, Open

from omp_tui.widgets.record_list import RecordList

PROJECT = """\
# what holds here
limits:
  page: 50  # of a list
  hosts: [a, b]
"""


async def test_facts_and_decisions_are_written_undone_and_refused(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    memory = make_memory(0, facts=PROJECT)
    file = memory.document("project.yaml")
    async with dashboard(memory, "memories") as seen:
        await seen.shows("limits.page: 50", "limits.hosts: a, b")
        await seen.press("slash", *"limits.page", "enter")
        await seen.settle()
        item = seen.app.screen.query_one(RecordList).item
        assert item is not None
        assert item.record.content == "limits.page: 50"
        await seen.press("e")
        await seen.shows("Set a project fact")
        await seen.press(*"75", "ctrl+s")
        await seen.told("limits.page")
        await seen.shows("limits.page: 75")
        assert file.read_text().startswith(PROJECT.replace("50", "75"))
        await seen.press("u")
        await seen.shows("limits.page: 50")
        assert file.read_text().startswith(PROJECT)

        await seen.press("n", "d", *"DB", "tab", *"pg", "ctrl+s")
        await seen.told("added the decision ")
        assert "choice: pg" in memory.document("decisions.yaml").read_text()

        await seen.press("n", "d", *"key", "tab", *"AKIAIOSFODNN7EXAMPLE", "ctrl+s")
        await seen.shows("the text holds a secret")
        await seen.press("escape", "escape")
        damaged = "limits: [\n"
        file.write_text(damaged)
        await seen.press("n", "f", *"a.b", "tab", *"c", "ctrl+s")
        await seen.shows("stream", "mend", "a.b")  # words, since the sentence wraps
        assert file.read_text() == damaged
