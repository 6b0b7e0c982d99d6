"""Finding a workspace, naming its parts, laying it out."""

from pathlib import Path

import pytest

from omp_core.errors import DocumentError, NotFoundError, UsageError
from omp_core.project.workspace import Workspace, find_workspace, init_workspace


def test_it_is_found_from_below_and_nowhere_else(tmp_path: Path) -> None:
    below = tmp_path / "repo" / "src" / "deep"
    below.mkdir(parents=True)
    (tmp_path / "repo" / "_omp").mkdir()
    assert find_workspace(below) == Workspace(tmp_path / "repo")
    assert find_workspace(tmp_path / "repo") == Workspace(tmp_path / "repo")
    assert find_workspace(tmp_path) is None


def test_a_file_called_omp_is_no_workspace(tmp_path: Path) -> None:
    (tmp_path / "_omp").write_text("not a folder")
    assert find_workspace(tmp_path) is None


def test_init_never_overwrites(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    workspace.memory.mkdir(parents=True)
    workspace.project_file.write_text("mine: true\n")
    created = init_workspace(tmp_path)
    assert created
    assert workspace.project_file not in created
    assert workspace.project_file.read_text() == "mine: true\n"
    assert all(file.is_file() for file in created)
    assert init_workspace(tmp_path) == []


def test_init_where_it_cannot_be_laid_out(tmp_path: Path) -> None:
    (tmp_path / "_omp").write_text("a file in the way")
    with pytest.raises(DocumentError, match=r"cannot be made: .*run init again"):
        init_workspace(tmp_path)


def test_a_document_is_found_by_short_name_relative_name_and_path(tmp_path: Path) -> None:
    init_workspace(tmp_path)
    workspace = Workspace(tmp_path)
    session = workspace.sessions / "2026-02-02.yaml"
    session.write_text("date: 2026-02-02\n")
    assert workspace.document("project") == workspace.project_file
    assert workspace.document("sessions/2026-02-02.yaml") == session
    assert workspace.document(session) == session
    assert workspace.name_of(session) == "sessions/2026-02-02.yaml"


def test_a_document_outside_the_memory_folder_is_refused(tmp_path: Path) -> None:
    init_workspace(tmp_path)
    workspace = Workspace(tmp_path)
    outside = tmp_path / "other.yaml"
    outside.write_text("a: 1\n")
    for name in ("nothing", "../config.yaml", str(outside)):
        with pytest.raises(NotFoundError, match="no document"):
            workspace.document(name)
    with pytest.raises(UsageError, match="does not lie in"):
        workspace.name_of(outside)
