"""search on the command line: levels, the token budget, and what is said about cuts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from core.cli.conftest import Run

from omp_core.language.sentences import estimate_tokens

GIVEN = json.loads((Path(__file__).parents[2] / "data" / "themes.json").read_text("utf-8"))
WINDOW = "每周三下午是发布窗口"
SESSION = """
date: 2026-02-24
sessions:
  - id: session-001
    summary: Looked into the slow checkout
    decisions: [Two people review refunds]
"""


@pytest.fixture
def themed(omp: Run) -> None:
    for label, texts in GIVEN.items():
        ids = [omp("add", text, "--force", "--json").json["id"] for text in texts]
        omp("themes", "move", *ids, "--new", "--label", label)


def test_themes_are_found(omp: Run, themed: None) -> None:
    found = omp("search", "rollback a deploy", "--level", "theme", "--json").json
    assert found["level"] == "theme"
    assert found["hits"] == []
    (theme,) = found["themes"]
    assert (theme["label"], theme["members"]) == ("deploy", 6)
    (line,) = omp("search", "rollback a deploy", "--level", "theme").out.splitlines()
    assert line.split() == ["theme", f"{theme['similarity']:.2f}", theme["id"], "6", "deploy"]


def test_all_levels_are_told_in_order_each_line_with_its_kind(omp: Run, themed: None) -> None:
    asked = ["search", "怎么 rollback a deploy", "--level", "all", "--limit", "8"]
    found = omp(*asked, "--json").json
    assert found["themes"][0]["label"] == "deploy"
    assert {hit["level"] for hit in found["hits"]} == {"semantic", "theme"}
    assert all(set(hit["parts"]) >= {"keyword", "semantic"} for hit in found["hits"])
    assert any(hit["theme"] == found["themes"][0]["id"] for hit in found["hits"])
    lines = omp(*asked).out.splitlines()
    kinds = {"semantic": "memory", "theme": "member"}
    assert [line.split()[0] for line in lines] == [
        *["theme"] * len(found["themes"]),
        *(kinds[hit["level"]] for hit in found["hits"]),
    ]
    for line, hit in zip(lines[len(found["themes"]) :], found["hits"], strict=True):
        assert hit["id"] in line
        assert hit["content"] in line
    plain = omp(*asked, "--no-expand", "--json").json
    assert {hit["level"] for hit in plain["hits"]} == {"semantic"}


def test_why_a_memory_ranks_is_told_by_its_parts_and_words(omp: Run) -> None:
    omp("add", "Deploys happen on Fridays with 两个人 watching", "--force")
    (hit,) = omp("search", "who 人 deploys on friday", "--json").json["hits"]
    assert hit["score"] == pytest.approx(
        sum(part["value"] * part["weight"] for part in hit["parts"].values())
    )
    _line, parts, words = omp("search", "who 人 deploys on friday", "--why").out.splitlines()
    told, score = parts.split(" = ")
    products = [piece.rsplit(" ", 3)[1:] for piece in told.split(" + ")]
    assert len(products) == len(hit["parts"])
    assert sum(float(value) * float(weight) for value, _times, weight in products) == (
        pytest.approx(float(score), abs=0.002)
    )
    assert words.strip() == "words that hit: Deploys, Fridays, 人"


def test_an_episode_is_told_after_its_record(omp: Run, tmp_path: Path, own_settings: Path) -> None:
    place = tmp_path / "_omp"
    (place / "memory" / "sessions").mkdir(parents=True)
    (place / "memory" / "sessions" / "2026-02-24.yaml").write_text(SESSION, "utf-8")
    own_settings.write_text("search: {shown_floor: 0.75}\nthemes: {attach_from: 0.99}\n", "utf-8")
    asked = ["search", "who reviews refunds", "--level", "all"]
    found = omp(*asked, "--json").json
    entry = "project:sessions/2026-02-24.yaml#sessions[session-001]"
    assert [(hit["level"], hit["id"]) for hit in found["hits"]] == [
        ("semantic", f"{entry}.decisions[0]"),
        ("episode", entry),
    ]
    lines = omp(*asked).out.splitlines()
    assert [line.split()[0] for line in lines[-2:]] == ["memory", "episode"]
    assert "slow checkout" in lines[-1]


@pytest.mark.parametrize("level", ["theme", "semantic", "all"])
def test_a_budget_cuts_and_that_is_said(omp: Run, themed: None, level: Any) -> None:
    asked = ["search", "rollback a deploy", "--level", level, "--limit", "30"]
    whole = omp(*asked, "--json").json
    assert whole["over_budget"] == 0
    ran = omp(*asked, "--tokens", str(whole["tokens"] - 1), "--json").json
    assert ran["over_budget"] > 0
    told = [hit["content"] for hit in ran["hits"]]
    told += [theme["label"] for theme in ran.get("themes", [])]
    assert ran["tokens"] == sum(map(estimate_tokens, told)) < whole["tokens"]
    said = omp(*asked, "--tokens", str(whole["tokens"] - 1))
    assert f"{ran['over_budget']} more do" in said.err
    assert "--tokens" in said.err
    assert "--limit" not in said.err
    assert not omp(*asked, "--tokens", str(whole["tokens"])).err


def test_the_usual_level_is_told_as_ever(omp: Run, themed: None) -> None:
    found = omp("search", "rollback a deploy", "--json").json
    assert "themes" not in found
    assert set(found["hits"][0]) == {*found["hits"][0]} - {"level", "theme"}
    lines = omp("search", "rollback a deploy", "--limit", "2")
    assert len(lines.out.splitlines()) == 2
    assert found["hits"][0]["id"] in lines.out.splitlines()[0]
    assert f"2 of {found['total']} are shown; --limit shows more" in lines.err


def test_nothing_found_and_wrong_use_are_said(omp: Run) -> None:
    for level in ("theme", "all"):
        assert "nothing was found" in omp("search", "deploy", "--level", level).err
    assert "token_budget" in omp("search", "deploy", "--tokens", "0", code=2).err
    assert "episode" in omp("search", "deploy", "--level", "episode", code=2).err
