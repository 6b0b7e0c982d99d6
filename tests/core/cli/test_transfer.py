"""Import and export on the command line."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import pytest
from core.cli.conftest import Run


@pytest.fixture
def mem0_file(tmp_path: Path) -> Any:
    rows = [
        {"id": "m-1", "memory": "Deploys on Fridays are not allowed", "user_id": "ana"},
        {"id": "m-2", "memory": "", "user_id": "ana"},
        {"id": "m-3", "memory": "用户喜欢深色主题", "user_id": "ana"},
    ]
    path = tmp_path / "mem0.json"
    path.write_text(json.dumps({"results": rows}))
    return path


def test_a_dry_run_reports_every_row_and_writes_nothing(omp: Run, mem0_file: Path) -> None:
    report = omp("import", mem0_file, "--dry-run", "--json", code=3).json
    assert (report["added"], report["refused"]) == (2, 1)
    outcomes = {row["place"]: row["outcome"] for row in report["rows"]}
    assert outcomes == {"mem0.json#1": "added", "mem0.json#2": "refused", "mem0.json#3": "added"}
    assert omp("list", "--json").json["total"] == 0


def test_an_import_is_one_act_and_can_be_undone(omp: Run, mem0_file: Path) -> None:
    omp("import", mem0_file, code=3)
    assert omp("list", "--json").json["total"] == 2
    omp("undo")
    assert omp("list", "--json").json["total"] == 0


@pytest.mark.parametrize(
    ("choice", "total", "content"),
    [("skip", 2, "changed by hand"), ("overwrite", 2, "Deploys"), ("new-id", 4, "changed by hand")],
)
def test_rows_that_are_held_already(
    omp: Run, mem0_file: Path, choice: str, total: Any, content: str
) -> None:
    omp("import", mem0_file, code=3)
    omp("update", "m-1", "--content", "changed by hand")
    omp("import", mem0_file, "--on-existing", choice, code=3)
    assert omp("list", "--json").json["total"] == total
    shown = omp("show", "m-1", "--json").json
    assert shown["content"].startswith(content)


def test_an_export_into_another_store_gives_the_same_records(
    omp: Run, omp_process: Run, tmp_path: Path, mem0_file: Path
) -> None:
    omp("import", mem0_file, code=3)
    omp("update", "m-1", "--content", "theme: dark", "--based-on", "1")
    omp("update", "m-1", "--content", "theme: auto", "--based-on", "1", code=3)
    out = tmp_path / "export.jsonl"
    omp("export", "--out", out)
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    report = omp_process("import", str(out), "--store", "other.db", "--json")
    assert json.loads(report.out)["added"] == 2
    again = omp_process("export", "--store", "other.db")
    assert again.out.splitlines()[1:] == out.read_text().splitlines()[1:]


def test_an_export_to_stdout_is_the_export_and_nothing_else(omp: Run, mem0_file: Path) -> None:
    omp("import", mem0_file, code=3)
    lines = omp("export").out.splitlines()
    assert [json.loads(line) for line in lines]
    assert len(lines) == 4


def test_an_unfinished_export_leaves_no_file(omp: Run, tmp_path: Path) -> None:
    omp("add", "uses uv")
    ran = omp("export", "--out", tmp_path / "no-such-folder" / "x.jsonl", code=1)
    assert "no-such-folder" in ran.err
    assert not list(tmp_path.glob("*.tmp"))


def test_a_secret_in_a_file_is_refused_row_by_row_and_reaches_no_disk(
    omp: Run, tmp_path: Path
) -> None:
    secret = "Zq9x" + "-hunter2-" + "77"
    path = tmp_path / "in" / "mem0.json"
    path.parent.mkdir()
    rows = [{"id": "a", "memory": f"password: {secret}"}, {"id": "b", "memory": "uses pnpm here"}]
    path.write_text(json.dumps({"memories": rows}))
    report = omp("import", path, "--json", code=3)
    assert (report.json["added"], report.json["refused"]) == (1, 1)
    assert secret not in report.out
    path.unlink()
    held = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert not [file for file in held if secret.encode() in file.read_bytes()]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("x.bin", b"\x00\x01\x02"),
        ("x.zip", b"PK\x03\x04 truncated"),
        ("x.json", '{"results": ['.encode("utf-16")),
        ("x.json", b'{"a": 1}'),
        ("x.json", b""),
    ],
)
def test_a_file_that_cannot_be_read_is_named_and_nothing_is_written(
    omp: Run, tmp_path: Path, name: str, content: bytes
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    ran = omp("import", path, code=1)
    assert name in ran.err
    assert omp("list", "--json").json["total"] == 0
