"""What the system refuses: the error says so, the session notes it, the bytes stay."""

from __future__ import annotations

import errno
import itertools
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from omp_core.errors import DocumentError
from omp_core.project.workspace import Workspace, init_workspace
from omp_core.project.writers import Documents

NOW = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)


@pytest.fixture
def fresh(tmp_path: Path) -> Workspace:
    init_workspace(tmp_path)
    return Workspace(tmp_path)


@pytest.fixture
def documents(fresh: Workspace) -> Documents:
    documents = Documents(fresh, by="agent:codex", clock=lambda: NOW)
    documents.set_values({"name": "before"})
    return documents


def session_errors(documents: Documents, workspace: Workspace) -> list[dict[str, Any]]:
    data = documents.open(workspace.session_file(NOW.date())).read().data
    return [] if data is None else list(data["errors"])


def no_half_files(workspace: Workspace) -> bool:
    return not list(workspace.memory.rglob("*.tmp"))


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """Nobody may write into the folder; for root, whom modes do not stop, it is immutable."""
    if os.geteuid() != 0:
        folder.chmod(0o555)
        try:
            yield
        finally:
            folder.chmod(0o755)
        return
    if shutil.which("chattr") is None:
        pytest.skip("running as root, and there is no chattr to stop it from writing")
    done = subprocess.run(["chattr", "+i", str(folder)], capture_output=True, text=True)
    if done.returncode != 0:
        pytest.skip(f"running as root, and chattr does not work here: {done.stderr.strip()}")
    try:
        yield
    finally:
        subprocess.run(["chattr", "-i", str(folder)], check=True)


@contextmanager
def full_disk(folder: Path) -> Iterator[None]:
    """A small file system on the folder, with what was in it, and no space left."""
    kept = folder.with_name(folder.name + "-kept")
    shutil.copytree(folder, kept)
    mount = ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(folder)]
    if os.geteuid() != 0:
        pytest.skip("only root may mount a small file system")
    done = subprocess.run(mount, capture_output=True, text=True)
    if done.returncode != 0:
        pytest.skip(f"no small file system can be mounted here: {done.stderr.strip()}")
    try:
        shutil.copytree(kept, folder, dirs_exist_ok=True)
        with (folder / "filler").open("wb", buffering=0) as filler:
            blocks = itertools.repeat(bytes(4096), 100)
            with pytest.raises(OSError, match="No space left"):
                filler.writelines(blocks)
        yield
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def test_permission_denied(documents: Documents, fresh: Workspace) -> None:
    before = fresh.project_file.read_bytes()
    with (
        read_only(fresh.memory),
        pytest.raises(DocumentError, match=r"project\.yaml: not written: .*permi") as caught,
    ):
        documents.set_values({"name": "after"})
    assert "check its permissions" in str(caught.value)
    assert fresh.project_file.read_bytes() == before
    assert no_half_files(fresh)
    (error,) = session_errors(documents, fresh)
    assert error["file"] == "project.yaml"
    assert "not written" in error["reason"]
    assert "permi" in error["reason"]
    assert str(fresh.root) not in error["reason"]


def test_disk_full(documents: Documents, fresh: Workspace) -> None:
    before = fresh.project_file.read_bytes()
    with full_disk(fresh.memory):
        with pytest.raises(DocumentError, match="not written: no space left") as caught:
            documents.set_values({"name": "x" * 5000})
        assert fresh.project_file.read_bytes() == before
        assert no_half_files(fresh)
        (note,) = caught.value.__notes__
        assert "could not be noted" in note
        (fresh.memory / "filler").unlink()
        documents.set_values({"name": "after"})
        assert b"name: after" in fresh.project_file.read_bytes()


def test_no_space_for_the_old_version(documents: Documents, fresh: Workspace) -> None:
    """Without a way back there is no write; the session file is new, so it needs none."""
    documents.set_values({"name": "second"})
    before = fresh.project_file.read_bytes()
    with full_disk(fresh.backups):
        with pytest.raises(DocumentError, match="not written: no space left"):
            documents.set_values({"name": "after"})
        assert fresh.project_file.read_bytes() == before
        (error,) = session_errors(documents, fresh)
        assert "no space left" in error["reason"]


@pytest.mark.parametrize("reason", [errno.EACCES, errno.ENOSPC, errno.EROFS, errno.EIO])
@pytest.mark.parametrize("step", ["open", "fdopen", "fsync", "rename"])
def test_every_step_may_fail(
    documents: Documents,
    fresh: Workspace,
    monkeypatch: pytest.MonkeyPatch,
    step: str,
    reason: int,
) -> None:
    before = fresh.project_file.read_bytes()
    versions = len(documents.open(fresh.project_file).versions())

    def failing(call: Callable[..., Any]) -> Callable[..., Any]:
        def instead(*arguments: Any, **named: Any) -> Any:
            if step == "fdopen":
                os.close(arguments[0])
            if step != "open" or ".tmp" in str(arguments[0]):
                raise OSError(reason, os.strerror(reason))
            return call(*arguments, **named)

        return instead

    with monkeypatch.context() as patch:
        if step == "rename":
            patch.setattr(Path, "replace", failing(Path.replace))
        else:
            patch.setattr(os, step, failing(getattr(os, step)))
        with pytest.raises(DocumentError, match=os.strerror(reason).lower()) as caught:
            documents.set_values({"name": "after"})
    assert "could not be noted" in caught.value.__notes__[0]
    assert fresh.project_file.read_bytes() == before
    assert no_half_files(fresh)
    assert len(documents.open(fresh.project_file).versions()) == versions
    documents.set_values({"name": "after"})
    assert b"name: after" in fresh.project_file.read_bytes()


def test_a_folder_that_cannot_be_read(fresh: Workspace, documents: Documents) -> None:
    fresh.project_file.unlink()
    fresh.project_file.mkdir()
    with pytest.raises(DocumentError, match="it is a folder"):
        documents.set_values({"name": "after"})
