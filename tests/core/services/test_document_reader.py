"""What a project's documents say, what they said before, and what git has of them."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest
from core.services.conftest import Open

from omp_core.errors import NotFoundError, UsageError
from omp_core.project.writers import DecisionEntry

PROJECT = """\
# kept
project:
  name: shop
deployment:
  api:
    url: https://old.example   # a remark
    ports: [80, 443]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Any:
    documents = tmp_path / "_omp" / "memory"
    documents.mkdir(parents=True)
    (documents / "project.yaml").write_text(PROJECT, encoding="utf-8")
    return documents


def git(folder: Path, *arguments: Any) -> None:
    subprocess.run(
        ["git", "-c", "user.name=Ana", "-c", "user.email=ana@shop.example", *arguments],
        cwd=folder,
        check=True,
        capture_output=True,
    )


def test_the_tree_names_every_value_with_its_path_and_line(folder: Path, open_memory: Open) -> None:
    memory = open_memory()
    (view,) = memory.documents.tree()
    assert (view.file, view.problems) == ("project.yaml", ())
    _project, deployment = view.nodes
    assert [node.name for node in view.nodes] == ["project", "deployment"]
    url, ports = deployment.children[0].children
    assert (url.path, url.value, url.line) == ("deployment.api.url", "https://old.example", 6)
    assert [item.path for item in ports.children] == [
        "deployment.api.ports[0]",
        "deployment.api.ports[1]",
    ]
    for node in (url, *ports.children):
        assert str(memory.documents.value(node.path)) == node.value


def test_entries_of_lists_are_named_by_their_id(folder: Path, open_memory: Open) -> None:
    memory = open_memory()
    made = memory.documents.add_decision(DecisionEntry("storage", "SQLite", "", (), "", ()))
    views = {view.file: view for view in memory.documents.tree()}
    (decisions,) = [node for node in views["decisions.yaml"].nodes if node.name == "decisions"]
    assert decisions.children[0].path == made.id.partition("#")[2]


def test_a_damaged_document_has_a_line_and_a_reason_and_stops_no_other(
    folder: Path, open_memory: Open
) -> None:
    (folder / "changelog.yaml").write_text("changes:\n\t- x\n", encoding="utf-8")
    views = {view.file: view for view in open_memory().documents.tree()}
    assert views["changelog.yaml"].damaged
    assert views["changelog.yaml"].problems[0].line == 2
    assert views["changelog.yaml"].nodes == ()
    assert not views["project.yaml"].damaged


def test_refused_settings_of_the_repository_are_problems_of_its_file(
    folder: Path, open_memory: Open
) -> None:
    (folder.parent / "config.yaml").write_text("store:\n  url: http://evil\n", encoding="utf-8")
    views = {view.file: view for view in open_memory().documents.tree()}
    assert "store" in views["config.yaml"].problems[0].message


def test_a_file_is_read_again_only_when_it_changed(
    folder: Path, open_memory: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = open_memory()
    first = memory.documents.tree()
    assert memory.documents.tree()[0] is first[0]
    (folder / "project.yaml").write_text(PROJECT + "more: 1\n", encoding="utf-8")
    assert memory.documents.tree()[0].nodes[-1].name == "more"


def test_a_version_differs_and_comes_back_as_one_undoable_act(
    folder: Path, open_memory: Open
) -> None:
    memory = open_memory()
    memory.documents.set_value("deployment.api.url", "https://new.example")
    (version,) = memory.documents.versions("project.yaml")
    lines = memory.documents.difference("project.yaml", version.number)
    assert "-    url: https://old.example   # a remark" in lines
    assert "+    url: https://new.example   # a remark" in lines

    done = memory.documents.restore("project.yaml", version.number)
    assert memory.documents.value("deployment.api.url") == "https://old.example"
    assert "# kept" in (folder / "project.yaml").read_text(encoding="utf-8")
    memory.undo(done.act_id)
    assert memory.documents.value("deployment.api.url") == "https://new.example"
    memory.redo()
    assert memory.documents.value("deployment.api.url") == "https://old.example"
    with pytest.raises(NotFoundError):
        memory.documents.restore("project.yaml", 99)


def test_restoring_a_damaged_document_keeps_its_text(folder: Path, open_memory: Open) -> None:
    memory = open_memory()
    memory.documents.set_value("deployment.api.url", "https://new.example")
    damaged = "deployment: [\n"
    (folder / "project.yaml").write_text(damaged, encoding="utf-8")
    done = memory.documents.restore("project.yaml", 1)
    assert done.act_id is None
    assert (folder / "project.yaml").read_text(encoding="utf-8") == PROJECT
    newest = sorted((folder / ".backup" / "project.yaml").iterdir())[-1]
    assert newest.read_text(encoding="utf-8") == damaged


def test_git_tells_which_values_differ_from_the_last_commit(
    folder: Path, open_memory: Open
) -> None:
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "Begin")
    memory = open_memory()
    assert memory.documents.committed().changed == ()
    memory.documents.set_value("deployment.api.url", "https://new.example")
    memory.documents.set_value("deployment.web", "static")
    (folder / "notes.yaml").write_text("hello: there\n", encoding="utf-8")
    found = memory.documents.committed()
    assert found.branch == "main"
    told = {(one.file, one.path): one for one in found.changed}
    url = told["project.yaml", "deployment.api.url"]
    assert (url.old, url.new) == ("https://old.example", "https://new.example")
    assert url.author == "Ana"
    assert url.at is not None
    assert told["project.yaml", "deployment.web"].old is None
    assert told["notes.yaml", "hello"].commit == ""
    assert len(told) == 3


def test_without_git_there_is_nothing_to_compare_with(folder: Path, open_memory: Open) -> None:
    assert open_memory().documents.committed() is None


def test_without_a_project_it_says_so(open_memory: Open) -> None:
    with pytest.raises(UsageError):
        open_memory().documents.tree()
