"""Whose imported memories are, and what they are about."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from omp_core.memory import Memory
from omp_core.model import Scope

Open = Callable[..., Memory]


def repository(folder: Path, name: str) -> Path:
    project = folder / name
    project.mkdir()
    subprocess.run(["git", "init", "-q", str(project)], check=True)
    return project


def test_rules_of_two_projects_keep_their_project(memory: Memory, tmp_path: Path) -> None:
    for name in ("shop", "blog"):
        rules = repository(tmp_path, name) / "CLAUDE.md"
        rules.write_text(f"- Run make check before a merge\n- The {name} is in Go\n", "utf-8")
        assert memory.import_file(rules).count("added") == 2
    held = {(record.scope.app_id, record.content) for record in memory.export()}
    assert held == {
        (name, text)
        for name in ("shop", "blog")
        for text in ("Run make check before a merge", f"The {name} is in Go")
    }


def test_an_owner_that_is_named_comes_first(memory: Memory, tmp_path: Path) -> None:
    rules = repository(tmp_path, "shop") / "CLAUDE.md"
    rules.write_text("- Run make check before a merge\n", "utf-8")
    memory.import_file(rules, owner=Scope(app_id="other", user_id="ana"))
    (record,) = memory.export()
    assert record.scope == Scope(user_id="ana", app_id="other")
    assert memory.import_file(rules, owner=Scope(app_id="other", user_id="ana")).count("added") == 0


def test_the_same_text_about_two_subjects_is_two_memories(memory: Memory, tmp_path: Path) -> None:
    file = tmp_path / "memory.jsonl"
    lines = [
        {
            "type": "entity",
            "name": name,
            "entityType": "person",
            "observations": ["likes tea a lot"],
        }
        for name in ("alice", "ben")
    ]
    file.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    assert memory.import_file(file).count("added") == 2
    assert memory.import_file(file).count("added") == 0


def test_another_text_under_a_held_id_is_said(memory: Memory, tmp_path: Path) -> None:
    file = tmp_path / "mem0.json"
    for text in ("Deploys are on Mondays", "Deploys are on Fridays"):
        rows = {"results": [{"id": "m-1", "memory": text, "user_id": "ana"}]}
        file.write_text(json.dumps(rows), "utf-8")
        report = memory.import_file(file)
    assert report.rows[0].outcome == "skipped"
    assert "another text" in (report.rows[0].reason or "")


@pytest.mark.parametrize("text", ["ok", "好的", "thanks!"])
def test_an_acknowledgement_is_refused_and_named(memory: Memory, tmp_path: Path, text: str) -> None:
    file = tmp_path / "lines.jsonl"
    file.write_text(json.dumps({"timestamp": "2026-02-01T08:00:00Z", "content": text}), "utf-8")
    (row,) = memory.import_file(file).rows
    assert row.outcome == "refused"


def test_a_link_out_of_the_folder_is_named_and_not_read(memory: Memory, tmp_path: Path) -> None:
    secret = tmp_path / "outside.md"
    secret.write_text("- What lies outside of it\n", "utf-8")
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "in.md").write_text("- What lies inside of it\n", "utf-8")
    (folder / "out.md").symlink_to(secret)
    report = memory.import_file(folder, format="markdown")
    assert [row.outcome for row in report.rows] == ["added", "refused"]
    assert "outside.md" in (report.rows[1].reason or "")


def test_a_date_is_a_day_where_the_person_lives(
    open_memory: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from omp_core.settings import Settings

    memory = open_memory(settings=Settings(time_zone="Asia/Shanghai"))
    file = tmp_path / "lines.jsonl"
    row = {"content": "Holds for this year only", "expires_at": "2026-12-31"}
    file.write_text(json.dumps(row), "utf-8")
    memory.import_file(file)
    (record,) = memory.export()
    assert record.expires_at is not None
    assert record.expires_at.isoformat() == "2026-12-31T16:00:00+00:00"


def test_marks_in_a_text_go_into_fields_and_back(memory: Memory, tmp_path: Path) -> None:
    from omp_core.language.marks import marked
    from omp_core.present import write_lines

    made = memory.add("[SCOPE:PERSONAL][CONF:0.9] 用户偏好: 2 空格缩进").record
    assert made is not None
    assert (made.content, made.confidence) == ("用户偏好: 2 空格缩进", 0.9)
    assert made.metadata["scope"] == "PERSONAL"
    file = tmp_path / "memories.jsonl"
    with file.open("w", encoding="utf-8") as stream:
        write_lines(map(marked, memory.export()), stream, memory.now())
    assert "[SCOPE:PERSONAL][CONF:0.9] " in file.read_text("utf-8")
    memory.delete([made.id])
    memory.import_file(file)
    (back,) = memory.export()
    assert (back.content, back.confidence) == (made.content, made.confidence)
