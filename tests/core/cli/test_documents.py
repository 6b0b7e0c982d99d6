"""fact, decision, changelog, session, validate: real files, and what they refuse."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from core.cli.conftest import Run

PROJECT = """\
# what holds here
deployment:   # where it runs
  web: {url: 'https://a.example', port: 8080}
version: "3.9"
"""


@pytest.fixture
def memory_folder(tmp_path: Path) -> Path:
    folder = tmp_path / "_omp" / "memory"
    folder.mkdir(parents=True)
    (folder / "project.yaml").write_text(PROJECT)
    return folder


@pytest.fixture
def project(memory_folder: Path) -> Path:
    return memory_folder / "project.yaml"


def own_lines(file: Path) -> str:
    return file.read_text().partition("last_updated:")[0]


def test_a_fact_is_set_searched_and_undone_with_the_comments_kept(omp: Run, project: Path) -> None:
    answer = omp("fact", "set", "deployment.web.port", "9090", "--json").json
    assert (answer["file"], answer["path"]) == ("project.yaml", "deployment.web.port")
    assert own_lines(project) == PROJECT.replace("8080", "9090")
    assert "9090" in omp("list", "--home", "project").out
    omp("undo")
    assert own_lines(project) == PROJECT
    omp("redo")
    assert own_lines(project) == PROJECT.replace("8080", "9090")


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("3.11", "version: 3.11\n"),
        ("3.10", 'version: "3.10"\n'),
        ("007", 'version: "007"\n'),
        ("true", "version: true\n"),
        ("no", 'version: "no"\n'),
        ("two words", 'version: "two words"\n'),
        ('["a","b"]', "version:\n  - a\n  - b\n"),
    ],
)
def test_a_value_is_json_or_else_text(omp: Run, project: Path, typed: Any, written: Any) -> None:
    omp("fact", "set", "version", typed)
    assert own_lines(project) == PROJECT.replace('version: "3.9"\n', written)


def test_text_is_taken_as_it_stands_when_asked_for(omp: Run, project: Path) -> None:
    omp("fact", "set", "version", "3.11", "--text")
    assert own_lines(project) == PROJECT.replace("3.9", "3.11")


def test_a_fact_is_removed_and_one_that_is_not_there_is_named(omp: Run, project: Path) -> None:
    omp("fact", "unset", "deployment.web.url")
    assert "url" not in own_lines(project)
    omp("undo")
    assert "https://a.example" in own_lines(project)
    assert "no.such.key" in omp("fact", "unset", "no.such.key", code=2).err
    assert "is not a path" in omp("fact", "set", "a..b", "1", code=2).err


def test_an_undo_keeps_what_a_person_wrote_meanwhile_and_says_so(omp: Run, project: Path) -> None:
    omp("fact", "set", "deployment.web.port", "9090")
    project.write_text(project.read_text().replace("9090", "7070"))
    ran = omp("undo", code=3)
    assert "left as it is" in ran.out
    assert "7070" in own_lines(project)


def test_decisions_changes_sessions_and_errors_are_valid_documents(
    omp: Run, memory_folder: Path
) -> None:
    decision = omp(
        "decision", "add", "--title", "Package manager", "--choice", "uv", "--context", "slow CI",
        "--alternative", "pip", "--alternative", "poetry", "--rationale", "fast",
        "--impact", "CI", "--json",
    ).json  # fmt: skip
    omp("changelog", "add", "moved to uv", "--type", "tool", "--detail", "lock file")
    omp("session", "add", "--summary", "moved to uv", "--action", "lock", "--decision", "dec-1")
    omp("session", "error", "the disk was full", "--file", "project.yaml")
    assert decision["entry"].startswith("dec-")
    assert decision["entry"].endswith("-001")
    text = (memory_folder / "decisions.yaml").read_text()
    for word in ("Package manager", "slow CI", "poetry", "fast", "by: user"):
        assert word in text
    checked = omp("validate", "--json").json
    assert checked == {"files": 4, "problems": []}
    assert omp("search", "package manager", "--json").json["hits"]


def test_a_missing_title_and_an_empty_text_are_wrong_usage(omp: Run, memory_folder: Path) -> None:
    omp("decision", "add", "--title", "t", code=2)
    omp("decision", "add", "--title", " ", "--choice", "c", code=2)
    omp("changelog", "add", " ", code=2)
    omp("session", "error", " ", code=2)
    assert [file.name for file in memory_folder.iterdir()] == ["project.yaml"]


def test_processes_that_add_decisions_at_once_get_ids_of_their_own(
    omp_process: Run, memory_folder: Path, tmp_path: Path
) -> None:
    command = [sys.executable, "-m", "omp_tui", "decision", "add", "--choice", "c", "--json"]
    running = [
        subprocess.Popen(
            [*command, "--title", f"title {number}"],
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for number in range(4)
    ]
    answers = []
    for process in running:
        out, err = process.communicate(timeout=60)
        assert process.returncode == 0, err
        answers.append(json.loads(out))
    assert len({answer["entry"] for answer in answers}) == 4
    text = (memory_folder / "decisions.yaml").read_text()
    assert all(f"title {number}" in text for number in range(4))
    assert json.loads(omp_process("validate", "--json").out)["problems"] == []
    acts = json.loads(omp_process("log", "--json").out)
    assert sum(act["kind"] == "document" for act in acts) == 4


def test_a_secret_is_refused_without_its_value(omp: Run, project: Path) -> None:
    secret = "Zq9x" + "-hunter2-" + "77"
    before = project.read_bytes()
    ran = omp("fact", "set", "db.password", secret, code=1)
    assert "secret" in ran.err
    assert secret not in ran.err
    assert project.read_bytes() == before


def test_a_damaged_file_is_left_as_it_is_with_place_and_reason(
    omp: Run, project: Path, memory_folder: Path
) -> None:
    project.write_text("a: [1\nb: 2\n")
    ran = omp("fact", "set", "a", "1", code=1)
    assert "project.yaml:2" in ran.err
    assert project.read_text() == "a: [1\nb: 2\n"
    (session,) = (memory_folder / "sessions").glob("*.yaml")
    assert "project.yaml" in session.read_text()


def test_what_the_system_refuses_fails_loudly_and_is_noted_in_the_session(
    omp: Run, project: Path, memory_folder: Path
) -> None:
    before = project.read_bytes()
    (memory_folder / ".project.yaml.lock").mkdir()  # where the lock would be
    assert "not written: is a directory" in omp("fact", "set", "a", "1", code=1).err
    assert project.read_bytes() == before
    (session,) = (memory_folder / "sessions").glob("*.yaml")
    assert "is a directory" in session.read_text()


def test_without_a_workspace_the_way_to_one_is_named(omp: Run) -> None:
    for command in (
        ("fact", "set", "a", "1"),
        ("fact", "unset", "a"),
        ("decision", "add", "--title", "t", "--choice", "c"),
        ("changelog", "add", "t"),
        ("session", "add", "--summary", "s"),
        ("session", "error", "e"),
        ("validate",),
    ):
        assert "omp-tui init" in omp(*command, code=2).err


def test_without_the_store_the_document_is_written_in_part(
    omp_process: Run, project: Path, tmp_path: Path
) -> None:
    ran = omp_process("fact", "set", "deployment.web.port", "9090", "--store", str(tmp_path))
    assert ran.code == 3
    assert "store is away" in ran.out
    assert own_lines(project) == PROJECT.replace("8080", "9090")


def test_validation_names_file_line_and_column(
    omp: Run, project: Path, memory_folder: Path
) -> None:
    project.write_text("a: 1\nb:\n  c: 2\n  c: 3\n")
    ran = omp("validate", code=1)
    assert ran.out.startswith("_omp/memory/project.yaml:4:3: ")
    (problem,) = omp("validate", str(project), "--json", code=1).json["problems"]
    assert (problem["line"], problem["column"], problem["severity"]) == (4, 3, "error")
    project.write_text("<<<<<<< ours\na: 1\n=======\na: 2\n>>>>>>> theirs\n")
    assert omp("validate", "project", code=1).out.startswith("_omp/memory/project.yaml:1:1: ")
    omp("validate", "no-such", code=2)


def test_a_secret_in_a_document_is_a_warning_that_strict_counts(omp: Run, project: Path) -> None:
    project.write_text("db:\n  password: " + "Zq9x" + "-hunter2-" + "77\n")
    assert "warning" in omp("validate").out
    omp("validate", "--strict", code=1)


def test_wrong_settings_are_found_and_do_not_stop_the_check(omp: Run, project: Path) -> None:
    config = project.parent.parent / "config.yaml"
    config.write_text("tiers:\n  working_capcity: 3\n")
    assert "working_capacity" in omp("validate", code=1).out
    assert omp("validate", str(project)).code == 0


def test_the_validate_script_of_the_skill_pack_takes_this_command(
    omp_process: Run, tmp_path: Path
) -> None:
    omp_process("init")
    script = tmp_path / "_omp" / "skills" / "memory-extraction" / "scripts" / "validate.sh"
    project = tmp_path / "_omp" / "memory" / "project.yaml"
    project.write_text("a: [1\n")
    found = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    ran = subprocess.run(
        ["sh", script, project], env=found, capture_output=True, text=True, timeout=60
    )
    assert ran.returncode == 1
    assert ran.stdout.startswith("_omp/memory/project.yaml:1:4: ")
