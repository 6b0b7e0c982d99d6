"""`omp-tui extract` as scripts use it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

DATA = Path(__file__).parents[2] / "data" / "transcripts"
TALK = """user: 我习惯用 pytest，不用 unittest
assistant: 好的。

user: this time use tabs
user: the database is PostgreSQL 15
user: 别用三元表达式嵌套
"""


@pytest.fixture
def project(omp: Callable[..., Any], tmp_path: Path) -> Path:
    omp("init", str(tmp_path))
    return tmp_path


def test_a_file_is_read_and_stored(omp: Callable[..., Any], project: Path) -> None:
    file = project / "talk.txt"
    file.write_text(TALK, "utf-8")
    told = omp("extract", str(file), "--json").json
    assert told["turns"] == 5
    assert [fact["route"] for fact in told["facts"]] == ["user", "project", "user"]
    assert sorted(one["outcome"] for one in told["applied"]) == [
        "added", "added", "added", "candidate",
    ]  # fmt: skip
    assert "database: PostgreSQL 15" in (project / "_omp/memory/project.yaml").read_text("utf-8")
    again = omp("extract", str(file), "--json").json
    assert {one["outcome"] for one in again["applied"]} == {"known", "unchanged"}


def test_a_dry_run_explains_each_sentence_and_writes_nothing(
    omp: Callable[..., Any], project: Path
) -> None:
    before = (project / "_omp/memory/project.yaml").read_bytes()
    ran = omp("extract", "-", "--dry-run", "--explain", stdin=TALK)
    assert "It holds only this once." in ran.out
    assert "It is stated as lasting." in ran.out
    assert "project/environment tech_stack.database" in ran.out
    assert "nothing was written" in ran.err
    assert (project / "_omp/memory/project.yaml").read_bytes() == before
    assert omp("stats", "--json").json["total"] == 0


@pytest.mark.parametrize("name", ["zh.claude.jsonl", "en.codex.jsonl", "mixed.txt"])
def test_every_shape_is_found_by_looking(omp: Callable[..., Any], project: Path, name: str) -> None:
    told = omp("extract", str(DATA / name), "--dry-run", "--json").json
    assert told["turns"] > 200
    assert len(told["facts"]) > 40


def test_what_is_no_conversation_is_an_error(omp: Callable[..., Any], project: Path) -> None:
    file = project / "notes.bin"
    file.write_bytes(b"\x00\x01\x02")
    ran = omp("extract", str(file), code=1)
    assert ran.out == ""
    assert "notes.bin" in ran.err


def test_a_bad_line_is_told_and_the_rest_is_read(omp: Callable[..., Any], project: Path) -> None:
    whole = (DATA / "zh.claude.jsonl").read_text("utf-8").splitlines()
    file = project / "cut.jsonl"
    file.write_text("\n".join([*whole[:20], '{"type": "user", "mess', *whole[20:]]), "utf-8")
    ran = omp("extract", str(file), "--dry-run", code=3)
    assert "21:" in ran.err
