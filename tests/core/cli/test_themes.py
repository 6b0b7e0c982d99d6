"""themes list, show, suggest, split, merge, move, rename, pin, dissolve, mark, rebuild."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from core.cli.conftest import Run

GIVEN = Path(__file__).parents[2] / "data" / "themes.json"


@pytest.fixture
def ids(omp: Run) -> Any:
    texts = [text for group in json.loads(GIVEN.read_text("utf-8")).values() for text in group]
    return [omp("add", text, "--force", "--json").json["id"] for text in texts]


def themes(omp: Run) -> Any:
    return omp("themes", "list", "--json").json["themes"]


def test_themes_are_listed_and_shown(omp: Run, ids: list[str]) -> None:
    listed = omp("themes", "list", "--json").json
    assert sorted(m for theme in listed["themes"] for m in theme["members"]) == sorted(ids)
    assert listed["unsorted"] == 0
    assert listed["health"]["records"] == len(ids)
    first = listed["themes"][0]
    lines = omp("themes", "list").out.splitlines()
    assert len(lines) == len(listed["themes"])
    assert first["label"] in lines[0]
    shown = omp("themes", "show", first["id"], "--json").json
    assert [record["id"] for record in shown["records"]] == first["members"]
    text = omp("themes", "show", first["label"]).out
    assert all(record["content"][:8] in text for record in shown["records"])
    assert omp("themes", "list", "--user", "nobody-else", "--json").json["themes"] == []


def test_a_dry_run_shows_and_changes_nothing(omp: Run, ids: list[str]) -> None:
    before = themes(omp)
    planned = omp("themes", "split", before[0]["id"], "--parts", "2", "--dry-run", "--json").json
    assert planned["dry_run"] is True
    assert [theme["id"] for theme in planned["before"]] == [before[0]["id"]]
    assert len(planned["after"]) == 2
    assert themes(omp) == before
    said = omp("themes", "split", before[0]["id"], "--parts", "2", "--dry-run")
    assert said.out.splitlines()[0].startswith("- th-")
    assert "dry run" in said.err


def test_every_operation_is_done_and_undone(omp: Run, ids: list[str]) -> None:
    omp("themes", "rebuild")
    before = themes(omp)
    one, two = before[0], before[1]
    for command in (
        ["split", one["id"], "--parts", "2"],
        ["split", one["id"], "--group", ",".join(one["members"][:2])],
        ["merge", one["id"], two["id"]],
        ["move", two["members"][0], "--to", one["id"]],
        ["move", *one["members"][:2], "--new", "--label", "mine"],
        ["rename", one["id"], "Quality"],
        ["pin", one["id"]],
        ["dissolve", one["id"]],
        ["mark", one["members"][0], two["members"][0], "together"],
        ["mark", one["members"][0], one["members"][1], "apart"],
    ):
        done = omp("themes", *command, "--json").json
        assert done["outcome"] == "updated", command
        assert themes(omp) != before
        omp("undo")
        assert themes(omp) == before


def test_labels_pins_and_marks_can_be_taken_back(omp: Run, ids: list[str]) -> None:
    theme = themes(omp)[0]["id"]
    omp("themes", "rename", theme, "Quality")
    named = next(t for t in themes(omp) if t["id"] == theme)
    assert (named["label"], named["pinned"]) == ("Quality", True)
    omp("themes", "rename", theme, "--auto")
    omp("themes", "pin", theme, "--release")
    free = next(t for t in themes(omp) if t["id"] == theme)
    assert free["label"] != "Quality"
    assert not free["pinned"]
    omp("themes", "mark", ids[0], ids[6], "apart")
    taken = omp("themes", "mark", ids[0], ids[6], "free", "--json").json
    assert taken["released"] == [sorted([ids[0], ids[6]])]


def test_a_rebuild_says_what_moved(omp: Run, ids: list[str]) -> None:
    planned = omp("themes", "rebuild", "--dry-run", "--json").json
    assert planned["report"]["moved"]
    text = omp("themes", "rebuild").out
    assert len(text.splitlines()) == len(planned["report"]["moved"]) + 1
    assert omp("themes", "rebuild", "--json").json["report"]["moved"] == []


def test_suggestions_are_sentences(omp: Run, ids: list[str]) -> None:
    found = omp("themes", "suggest", "--json").json
    lines = omp("themes", "suggest").out.splitlines()
    assert len(lines) == len(found)
    assert all(one["reason"] in line for one, line in zip(found, lines, strict=True))


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["show", "nothing"], "no theme"),
        (["merge", "x"], "no theme"),
        (["move", "x"], "either --to"),
        (["move", "x", "--to", "y", "--label", "z"], "--label"),
        (["move", "x", "--new"], "no active record"),
        (["rename", "x"], "either a label"),
        (["split", "x", "--parts", "1"], "1 is not in the range"),
    ],
)
def test_what_cannot_be_is_a_wrong_use(omp: Run, arguments: Any, reason: str) -> None:
    assert reason in omp("themes", *arguments, code=2).err
