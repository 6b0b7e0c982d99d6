"""A repository's files reach nothing outside of it, and hang nobody."""

import os
import stat
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from omp_core.errors import DocumentDamagedError, DocumentError, OmpError
from omp_core.project.backups import BackupFolder
from omp_core.project.confinement import read_regular, real_path
from omp_core.project.documents import document_files, read_documents
from omp_core.project.pending import PendingFile
from omp_core.project.workspace import Workspace
from omp_core.project.writers import DecisionEntry, Documents
from omp_core.project.yaml.file import YamlFile

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links and pipes of POSIX")
NOW = datetime(2026, 3, 1, tzinfo=UTC)
SAID = "name: outside\n"


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    folder = tmp_path / "outside"
    folder.mkdir()
    (folder / "held.yaml").write_text(SAID)
    folder.chmod(0o755)
    return folder


@pytest.fixture
def repository(tmp_path: Path) -> Workspace:
    workspace = Workspace(tmp_path / "repo")
    workspace.memory.mkdir(parents=True)
    return workspace


def sparse(file: Path) -> None:
    with file.open("wb") as stream:
        stream.truncate(2 * 1024**3)


BOMB = "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 16))
TRAPS: dict[str, tuple[Callable[[Path, Path], object], str]] = {
    "link out": (lambda file, out: file.symlink_to(out / "held.yaml"), "leads out"),
    "dangling": (lambda file, out: file.symlink_to(out / "new.yaml"), "leads out"),
    "device": (lambda file, _out: file.symlink_to("/dev/zero"), "leads out"),
    "loop": (lambda file, _out: file.symlink_to(file.name), "a link"),
    "pipe": (lambda file, _out: os.mkfifo(file), "a pipe"),
    "two gigabytes": (lambda file, _out: sparse(file), "larger than"),
    "many values": (lambda file, _out: file.write_text(f"a: [{'1,' * 20_000}]"), "split it"),
    "alias bomb": (lambda file, _out: file.write_text(BOMB), "split it"),
}


@pytest.mark.parametrize("trap", TRAPS)
def test_a_trap_is_damage_with_a_name_and_is_never_written_through(
    trap: str, repository: Workspace, outside: Path
) -> None:
    make, word = TRAPS[trap]
    make(repository.project_file, outside)
    (repository.memory / "notes.yaml").write_text("port: 8080\n")
    read = read_documents(repository)
    assert [fact.text for fact in read.facts] == ["port: 8080"]
    (damage,) = read.damages
    assert damage.file == "project.yaml"
    assert word in damage.reason
    documents = Documents(repository, by="user", clock=lambda: NOW)
    with pytest.raises(DocumentError):
        documents.set_values({"name": "mine"})
    with pytest.raises(OmpError):
        YamlFile(repository, repository.project_file).restore(1, now=NOW)
    assert {file.name: file.read_text() for file in outside.iterdir()} == {"held.yaml": SAID}


@pytest.mark.parametrize("folder", ["sessions", "themes", "handoffs", ""])
def test_a_folder_that_leads_out_is_damage_and_nothing_in_it_is_listed(
    folder: str, repository: Workspace, outside: Path
) -> None:
    place = repository.memory / folder
    if not folder:
        place.rmdir()
    place.symlink_to(outside)
    assert document_files(repository) == [place]
    (damage,) = read_documents(repository).damages
    assert "leads out" in damage.reason
    if folder == "sessions":
        with pytest.raises(DocumentDamagedError):
            YamlFile(repository, repository.session_file(NOW.date())).write(
                lambda _content: {"a": 1}, by="user", now=NOW
            )
    assert [file.name for file in outside.iterdir()] == ["held.yaml"]


def test_a_whole_memory_that_leads_out_is_damage(tmp_path: Path, outside: Path) -> None:
    (outside / "memory").mkdir()
    (tmp_path / "repo").mkdir()
    (tmp_path / "repo" / "_omp").symlink_to(outside)
    workspace = Workspace(tmp_path / "repo")
    with pytest.raises(DocumentDamagedError, match="leads out"):
        Documents(workspace, by="user").add_decision(DecisionEntry("a", "b"))
    assert not list((outside / "memory").iterdir())


def test_backups_that_lead_out_get_no_mode_and_no_copies(
    repository: Workspace, outside: Path
) -> None:
    repository.project_file.write_text("name: x\n")
    repository.backups.symlink_to(outside)
    with pytest.raises(DocumentDamagedError, match="leads out"):
        Documents(repository, by="user").set_values({"name": "y"})
    assert repository.project_file.read_text() == "name: x\n"
    assert stat.S_IMODE(outside.stat().st_mode) == 0o755
    assert [file.name for file in outside.iterdir()] == ["held.yaml"]
    assert BackupFolder(repository.backups, "project.yaml", 3).versions() == []


def test_a_lock_that_is_a_link_cuts_nothing(repository: Workspace, outside: Path) -> None:
    (repository.memory / ".project.yaml.lock").symlink_to(outside / "held.yaml")
    with pytest.raises(DocumentDamagedError, match="a link"):
        Documents(repository, by="user").set_values({"name": "y"})
    assert (outside / "held.yaml").read_text() == SAID


def test_a_pending_file_that_leads_out_is_not_written_through(
    repository: Workspace, outside: Path
) -> None:
    repository.pending_file.symlink_to(outside / "held.yaml")
    with pytest.raises(DocumentDamagedError, match="leads out"):
        PendingFile(repository).memories()


def test_links_inside_stay_what_they_are(repository: Workspace) -> None:
    (repository.memory / "shared.yaml").write_text("name: x\n")
    repository.project_file.symlink_to("shared.yaml")
    Documents(repository, by="user").set_values({"name": "z"})
    assert repository.project_file.is_symlink()
    assert "name: z" in (repository.memory / "shared.yaml").read_text()


def test_a_bound_is_a_bound(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"12345")
    assert read_regular(tmp_path / "a", tmp_path, 5) == b"12345"
    with pytest.raises(DocumentDamagedError, match="larger than 4"):
        read_regular(tmp_path / "a", tmp_path, 4)
    assert real_path(tmp_path / "a", None) == (tmp_path / "a").resolve()
