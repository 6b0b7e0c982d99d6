"""The write protocol: what a write leaves behind, and what it refuses."""

from __future__ import annotations

import stat
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from omp_core.errors import (
    DocumentDamagedError,
    DocumentError,
    NotFoundError,
    SchemaError,
    SecretFoundError,
)
from omp_core.project import atomic
from omp_core.project.atomic import locked, replace_file
from omp_core.project.workspace import Workspace
from omp_core.project.yaml.file import YamlFile
from omp_core.settings import DocumentSettings

NOW = datetime(2026, 3, 1, 9, tzinfo=UTC)
BY = "agent:codex"


@pytest.fixture
def project(workspace: Workspace) -> YamlFile:
    return YamlFile(workspace, workspace.project_file, DocumentSettings(backups_kept=3))


def set_name(name: Any) -> Callable[[Any], Any]:
    return lambda content: {**(content or {}), "name": name}


def test_a_write_changes_the_value_and_tells_others(project: YamlFile) -> None:
    before = project.file.read_text("utf-8")
    result = project.write(set_name("store"), by=BY, now=NOW)
    assert result.written
    assert result.changes == ("name: shop → store",)
    after = project.file.read_text("utf-8")
    expected = (
        before.replace("name: shop ", "name: store ")
        .replace("2026-02-05T08:00:00Z", "2026-03-01T09:00:00Z")
        .replace("updated_by: codex\n  changes", "updated_by: agent:codex\n  changes")
        .replace('["name: a → shop"]', '["name: a → shop", "name: shop → store"]')
    )
    assert after == expected


def test_a_write_that_says_nothing_new_leaves_no_trace(project: YamlFile) -> None:
    before = project.file.stat().st_mtime_ns, project.file.stat().st_ino
    result = project.write(set_name("shop"), by=BY, now=NOW)
    assert not result.written
    assert (project.file.stat().st_mtime_ns, project.file.stat().st_ino) == before
    assert project.versions() == []


def test_a_missing_file_is_made(workspace: Workspace) -> None:
    file = YamlFile(workspace, workspace.memory / "new" / "deep.yaml", start="# ours\n")
    file.write(set_name("x"), by=BY, now=NOW)
    text = file.file.read_text("utf-8")
    assert text.startswith("# ours\nname: x\nlast_updated: 2026-03-01T09:00:00Z\n_meta:\n")
    assert file.versions() == []


def test_mode_owner_and_link_stay(project: YamlFile) -> None:
    real = project.workspace.memory / "elsewhere.yaml"
    project.file.rename(real)
    project.file.symlink_to(real)
    real.chmod(0o640)
    project.write(set_name("store"), by=BY, now=NOW)
    assert project.file.is_symlink()
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert "name: store" in real.read_text("utf-8")


def test_what_does_not_parse_is_never_written(project: YamlFile) -> None:
    project.file.write_text("a: 1\nb: [\n")
    with pytest.raises(DocumentDamagedError, match=r"project\.yaml:3.*left as it is") as caught:
        project.write(set_name("x"), by=BY, now=NOW)
    assert caught.value.line == 3
    assert project.file.read_text() == "a: 1\nb: [\n"
    assert project.versions() == []


def test_a_change_that_breaks_the_schema_prints_the_difference(project: YamlFile) -> None:
    before = project.file.read_bytes()
    wrong = {"vercel": {"url": 5}}
    with pytest.raises(SchemaError) as caught:
        project.write(lambda content: {**content, "deployment": wrong}, by=BY, now=NOW)
    assert "deployment.vercel.url: 5 is not of type" in str(caught.value)
    assert "+    url: 5" in str(caught.value)
    assert project.file.read_bytes() == before


def test_a_schema_fault_that_was_there_before_does_not_stop_others(project: YamlFile) -> None:
    project.file.write_text("deployment:\n  vercel:\n    url: 5\n")
    assert project.write(set_name("x"), by=BY, now=NOW).written


def test_a_schema_of_the_repository_is_not_obeyed(project: YamlFile) -> None:
    own = project.workspace.schemas / "project.schema.json"
    own.parent.mkdir()
    for hostile in (
        '{"properties": {"name": {"maxLength": 4}}}',
        '{"$ref": "http://127.0.0.1:9/beacon.json"}',
        '{"properties": {"name": {"pattern": "^(a+)+$"}}}',
        '{"$ref": "#"}',
    ):
        own.write_text(hostile)
        name = "a" * 40 + hostile
        assert project.write(set_name(name), by=BY, now=NOW).written


def test_secrets_are_refused_and_reach_no_file(project: YamlFile) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    before = project.file.read_bytes()
    for value in (secret, {"deep": [secret]}):
        with pytest.raises(SecretFoundError):
            project.write(set_name(value), by=BY, now=NOW)
    assert project.file.read_bytes() == before
    everything = [file for file in project.workspace.root.rglob("*") if file.is_file()]
    assert all(secret.encode() not in file.read_bytes() for file in everything)


def test_a_secret_of_a_person_is_not_copied_into_the_notification(project: YamlFile) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    project.file.write_text(f"name: x\ntoken: {secret}\n")
    result = project.write(lambda content: {**content, "token": "removed"}, by=BY, now=NOW)
    assert "redacted" in result.changes[0]
    assert secret not in project.file.read_text("utf-8")


def test_versions_are_bounded_and_private(project: YamlFile) -> None:
    for number in range(6):
        moment = NOW + timedelta(minutes=number)
        project.write(set_name(f"n{number}"), by=BY, now=moment)
    versions = project.versions()
    assert [version.number for version in versions] == [1, 2, 3]
    assert [version.at.minute for version in versions] == [5, 4, 3]
    assert "name: n4" in versions[0].file.read_text("utf-8")
    assert stat.S_IMODE(versions[0].file.stat().st_mode) == 0o600
    assert stat.S_IMODE(project.workspace.backups.stat().st_mode) == 0o700


def test_versions_keep_their_order_when_the_clock_goes_back(project: YamlFile) -> None:
    for number, moment in enumerate([NOW, NOW, NOW - timedelta(days=1)]):
        project.write(set_name(f"n{number}"), by=BY, now=moment)
    names = [version.file.read_text("utf-8").split("\n")[0][:8] for version in project.versions()]
    assert names == ["name: n1", "name: n0", "name: sh"]


def test_restore_brings_back_the_bytes_and_can_be_undone(project: YamlFile) -> None:
    first = project.file.read_bytes()
    project.write(set_name("store"), by=BY, now=NOW)
    second = project.file.read_bytes()
    assert "name: store → shop" in project.restore(1, now=NOW).changes
    assert project.file.read_bytes() == first
    project.restore(1, now=NOW)
    assert project.file.read_bytes() == second


def test_restore_mends_a_damaged_file_and_keeps_its_bytes(project: YamlFile) -> None:
    project.write(set_name("store"), by=BY, now=NOW)
    project.file.write_bytes(b"broken: [\n")
    project.restore(1, now=NOW)
    assert "name: shop" in project.file.read_text("utf-8")
    assert project.versions()[0].file.read_bytes() == b"broken: [\n"
    with pytest.raises(DocumentDamagedError):
        project.restore(1, now=NOW)
    assert "name: shop" in project.file.read_text("utf-8")


def test_restore_of_a_version_that_is_not_there(project: YamlFile) -> None:
    with pytest.raises(NotFoundError, match="none is kept"):
        project.restore(1, now=NOW)
    project.write(set_name("store"), by=BY, now=NOW)
    with pytest.raises(NotFoundError, match="1 to 1 are kept"):
        project.restore(2, now=NOW)


def test_an_edit_between_our_read_and_our_write_survives(project: YamlFile) -> None:
    rounds = []

    def change(content: Any) -> Any:
        rounds.append(content["name"])
        if len(rounds) == 1:
            text = project.file.read_text("utf-8").replace("name: shop", "name: by hand")
            project.file.write_text(text + "# a person was here\n", encoding="utf-8")
        return {**content, "port": 1}

    project.write(change, by=BY, now=NOW)
    text = project.file.read_text("utf-8")
    assert rounds == ["shop", "by hand"]
    assert "name: by hand" in text
    assert "port: 1" in text
    assert "# a person was here\n" in text


def test_a_file_removed_meanwhile_is_written_anew(project: YamlFile) -> None:
    def change(content: Any) -> Any:
        project.file.unlink(missing_ok=True)
        return {"port": 1}

    project.write(change, by=BY, now=NOW)
    assert project.read().data["port"] == 1


def test_a_file_that_is_saved_all_the_time_is_given_up(project: YamlFile) -> None:
    rounds = 0

    def change(content: Any) -> Any:
        nonlocal rounds
        rounds += 1
        project.file.write_text(f"name: {rounds}\n")
        return {**content, "port": 1}

    with pytest.raises(DocumentError, match="saved by somebody else all the time"):
        project.write(change, by=BY, now=NOW)
    assert project.file.read_text() == f"name: {rounds}\n"


def test_a_changed_copy_is_merged_with_what_happened_meanwhile(project: YamlFile) -> None:
    base = project.read().data
    text = project.file.read_text("utf-8").replace("active", "paused").replace("8080", "8081")
    project.file.write_text(text, encoding="utf-8")
    vercel = {**base["deployment"]["vercel"], "status": "failed", "url": "https://new.example"}
    wanted = {**base, "deployment": {"vercel": vercel}}
    result = project.merge(base, wanted, by=BY, now=NOW)
    (conflict,) = result.conflicts
    assert (conflict.path, conflict.current, conflict.incoming) == (
        "deployment.vercel.status",
        "paused",
        "failed",
    )
    data = project.read().data
    assert data["deployment"]["vercel"]["status"] == "paused"
    assert data["deployment"]["vercel"]["url"] == "https://new.example"
    assert data["services"][0]["port"] == 8081


def test_a_lock_that_is_not_free_in_time(workspace: Workspace) -> None:
    file = YamlFile(workspace, workspace.project_file, DocumentSettings(lock_timeout_s=0.05))
    with (
        locked(file.file, 1),
        pytest.raises(DocumentError, match=r"holding its lock for 0\.05 s"),
    ):
        file.write(set_name("x"), by=BY, now=NOW)


def test_what_a_killed_writer_left_is_cleared(project: YamlFile) -> None:
    left = project.file.with_name(".project.yaml.99999.tmp")
    left.write_text("half")
    other = project.file.with_name(".other.yaml.99999.tmp")
    other.write_text("not ours")
    project.write(set_name("x"), by=BY, now=NOW)
    assert not left.exists()
    assert other.exists()


def test_windows_refuses_a_rename_while_somebody_reads(
    project: YamlFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    refusals = 3
    pauses: list[float] = []
    rename = Path.replace

    def busy(self: Path, target: Path) -> Path:
        nonlocal refusals
        refusals -= 1
        if refusals >= 0:
            raise PermissionError(13, "the file is being used by another process")
        return rename(self, target)

    monkeypatch.setattr(atomic, "WINDOWS", True)
    monkeypatch.setattr(time, "sleep", pauses.append)
    monkeypatch.setattr(Path, "replace", busy)
    replace_file(project.file, b"name: x\n")
    assert project.file.read_bytes() == b"name: x\n"
    assert len(pauses) == 3
    assert pauses == sorted(pauses)
    refusals = 1000
    with pytest.raises(PermissionError):
        replace_file(project.file, b"name: y\n")
    assert project.file.read_bytes() == b"name: x\n"
    assert not list(project.file.parent.glob("*.tmp"))
