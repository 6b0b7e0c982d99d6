"""Every problem of a document, with its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from omp_core.project.validation import DocumentProblem, validate, validate_workspace
from omp_core.project.workspace import Workspace, init_workspace


@pytest.fixture
def fresh(tmp_path: Path) -> Workspace:
    init_workspace(tmp_path)
    return Workspace(tmp_path)


def problems(workspace: Workspace, name: str, text: str | bytes) -> list[DocumentProblem]:
    file = workspace.memory / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return validate(file, workspace)


def test_what_ships_and_what_is_common_is_fine(fresh: Workspace, workspace: Workspace) -> None:
    for place in (fresh, workspace):
        found = validate_workspace(place)
        assert len(found) >= 3
        assert {file.name: listed for file, listed in found.items() if listed} == {}


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("a: 1\nb: [\n", 3, 1, "flow"),
        ("a:\n\tb: 1\n", 2, 1, "tab"),
        ("a: 1\n\n  b: 2\n", 3, 4, "mapping values"),
        ("x: 1\n<<<<<<< HEAD\ny: 1\n=======\ny: 2\n>>>>>>> theirs\n", 2, 1, "merge conflict"),
        ("<<<<<<< HEAD\r\ny: 1\r\n=======\r\ny: 2\r\n>>>>>>> theirs\r\n", 1, 1, "merge conflict"),
        ("a: 'x\nb: 1\n", 1, 4, "quoted"),
        ("a: x\x07\n", 1, 5, "U+0007"),
        (b"a: 1\nb: \xff\n", 2, 4, "not UTF-8"),
        ("a: 1\n---\nb: 1\n", 2, 1, "more than one"),
        ("a: *nowhere\n", 1, 4, "points to nothing"),
    ],
)
def test_syntax(fresh: Workspace, text: str | bytes, line: int, column: int, message: str) -> None:
    (problem,) = problems(fresh, "project.yaml", text)
    assert message in problem.message
    assert (problem.line, problem.column, problem.severity) == (line, column, "error")


def test_a_block_of_equal_signs_alone_is_no_conflict(fresh: Workspace) -> None:
    assert problems(fresh, "project.yaml", "a: |\n  <<<<<<< HEAD\n  =======\n") == []


def test_every_duplicate_key_is_told(fresh: Workspace) -> None:
    found = problems(fresh, "project.yaml", "a: 1\nb: {c: 1, c: 2}\na: 2\n名: 1\n名: 2\n")
    assert [(p.line, p.column) for p in found] == [(2, 11), (3, 1), (5, 1)]
    assert "the first is on line 1" in found[1].message


@pytest.mark.parametrize(
    ("name", "text", "line", "message"),
    [
        (
            "decisions.yaml",
            "decisions:\n- id: x\n  title: y\n- id: z\n",
            4,
            "'title' is a required",
        ),
        ("decisions.yaml", "decisions:\n- {id: x, title: y, date: soon}\n", 2, "date"),
        ("decisions.yaml", "decisions: text\n", 1, "is not of type 'array'"),
        ("project.yaml", "a: 1\n_meta:\n  changes: none\n", 3, "_meta.changes"),
        ("project.yaml", "deployment:\n  web:\n    url: 5\n", 3, "deployment.web.url"),
        ("changelog.yaml", "changelog:\n- x\n- type: release\n", 3, "summary"),
        ("sessions/2026-03-01.yaml", "date: today\n", 1, "date"),
        ("sessions/2026-03-01.yaml", "errors:\n- file: x\n", 2, "'reason' is a required"),
        ("handoffs/h.yaml", "progress: 200\n", 1, "greater than the maximum"),
        ("themes/index.yaml", "themes:\n- label: x\n", 2, "is a required"),
        ("user-context.yaml", "pending_memories:\n- created_at: 2026-01-01\n", 2, "'text'"),
        ("project.yaml", "- key: x\n", 1, "'value' is a required"),
    ],
)
def test_schemas(fresh: Workspace, name: str, text: str, line: int, message: str) -> None:
    (problem,) = problems(fresh, name, text)
    assert message in problem.message
    assert (problem.line, problem.severity) == (line, "error")


def test_secrets_are_warned_of(fresh: Workspace) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    (problem,) = problems(fresh, "project.yaml", f"ci:\n  token: {secret}\n")
    assert (problem.line, problem.severity) == (2, "warning")
    assert secret not in problem.message


def test_settings_are_checked_by_their_own_rules(fresh: Workspace) -> None:
    fresh.config_file.write_text("tiers:\n  working_capacty: 5\n")
    (problem,) = validate(fresh.config_file, fresh)
    assert "working_capacity" in problem.message


def test_a_file_that_cannot_be_read(fresh: Workspace) -> None:
    (fresh.memory / "odd.yaml").mkdir()
    (problem,) = validate(fresh.memory / "odd.yaml", fresh)
    assert "it is a folder" in problem.message
    assert problem.line is None


def test_only_the_damaged_file_is_reported(workspace: Workspace) -> None:
    workspace.decisions_file.write_text("a: [\n")
    found = validate_workspace(workspace)
    assert [file for file, listed in found.items() if listed] == [workspace.decisions_file]


def test_an_id_that_is_there_twice_is_named(fresh: Workspace) -> None:
    fresh.decisions_file.write_text(
        "decisions:\n"
        "  - {id: dec-2026-03-01-001, title: a, choice: b}\n"
        "  - {id: dec-2026-03-01-002, title: a, choice: b}\n"
        "  - {id: dec-2026-03-01-001, title: c, choice: d}\n"
    )
    found = [one for one in validate(fresh.decisions_file, fresh) if "twice" in one.message]
    assert [(one.line, "line 2" in one.message) for one in found] == [(4, True)]


def test_the_state_of_a_deployment_is_one_of_the_specifications(fresh: Workspace) -> None:
    said = "deployment:\n  web:\n    url: https://x.example\n    status: {}\n"
    for state in ("active", "pending", "failed", "rolled back"):
        assert problems(fresh, "project.yaml", said.format(state)) == []
    (problem,) = problems(fresh, "project.yaml", said.format("bogus"))
    assert "bogus" in problem.message
    assert problem.line == 4
