"""The same on a real memory: the files change, are put back, and damaged ones stay."""

from __future__ import annotations

from pathlib import Path

import pytest
from tui.driven import Open, Recorder

from omp_core.memory import Memory
from omp_core.settings import EmbedSettings, Settings

PROJECT = """\
# what holds here
limits:
  page: 50  # of a list
  hosts: [a, b]
"""


@pytest.fixture
def place(tmp_path: Path):
    folder = tmp_path / "shop" / "_omp" / "memory"
    folder.mkdir(parents=True)
    (folder / "project.yaml").write_text(PROJECT)
    return folder


@pytest.fixture
def real(place: Path):
    settings = Settings(embed=EmbedSettings(model="hashing"), user_id="ana", app_id="shop")
    root = place.parent.parent
    with Memory.open(workspace=root, store=root / "store.db", settings=settings) as memory:
        yield memory


async def test_facts_and_decisions_are_written_undone_and_refused(
    dashboard: Open, real: Recorder, place: Path
) -> None:
    file = place / "project.yaml"
    async with dashboard(real, "memories") as seen:
        await seen.shows("limits.page: 50", "limits.hosts: a, b")
        await seen.press("slash", *"limits.page", "enter")
        await seen.until(lambda: seen.query("#records").row.record.content == "limits.page: 50")
        await seen.settle()
        await seen.press("e")
        await seen.shows("Set a project fact")
        await seen.press(*"75", "ctrl+s")
        await seen.shows("set limits.page in project.yaml to “75”", "limits.page: 75")
        assert file.read_text().startswith(PROJECT.replace("50", "75"))
        await seen.press("u")
        await seen.shows("limits.page: 50")
        assert file.read_text().startswith(PROJECT)

        await seen.press("n", "d", *"DB", "tab", *"pg", "ctrl+s")
        await seen.shows("added the decision dec-")
        assert "choice: pg" in (place / "decisions.yaml").read_text()

        await seen.press("n", "d", *"key", "tab", *"AKIAIOSFODNN7EXAMPLE", "ctrl+s")
        await seen.shows("the text holds a secret")
        await seen.press("escape", "escape")
        damaged = "limits: [\n"
        file.write_text(damaged)
        await seen.press("n", "f", *"a.b", "tab", *"c", "ctrl+s")
        await seen.shows("The file is left as it is; mend it by hand.", "a.b")
        assert file.read_text() == damaged
