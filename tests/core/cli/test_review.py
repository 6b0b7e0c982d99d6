"""The review from the command line: list, show, answer one, answer all."""

from __future__ import annotations

from pathlib import Path

import pytest
from core.cli.conftest import Run

from omp_core.project.workspace import init_workspace

KNOWN = "Integration tests need a running database"
ALIKE = "The integration tests need a database that is running"


def wait(omp: Run) -> str:
    omp("add", KNOWN)
    omp("add", ALIKE, code=None)
    (item,) = omp("review", "list", "--json").json["items"]
    return str(item["key"])


def test_the_list_says_what_a_yes_would_do(omp: Run) -> None:
    assert "nothing waits" in omp("review", "list").out
    key = wait(omp)
    listed = omp("review", "list").out
    assert key in listed
    assert "would be new" in listed
    told = omp("review", "list", "refused", "--json").json
    assert told["counts"]["refused"] == 1
    assert (told["items"][0]["effect"], told["items"][0]["other_content"]) == ("new", KNOWN)
    assert ALIKE in omp("review", "show", key).out


def test_an_answer_needs_what_was_seen_and_is_undone(omp: Run) -> None:
    key = wait(omp)
    mark = omp("review", "show", key, "--json").json["mark"]
    assert "look again" in omp("review", "accept", key, "--seen", "0", code=1).err
    omp("review", "accept", key, "--seen", mark)
    assert ALIKE in omp("list").out
    assert "any more" in omp("review", "reject", key, code=2).err
    omp("undo")
    assert ALIKE not in omp("list").out
    omp("review", "merge", key)
    assert omp("review", "list", "--json").json["items"] == []
    omp("undo")
    omp("review", "edit", key, "--content", "Tests of the shop use a database of their own")
    assert "of their own" in omp("list").out


def test_all_of_a_kind_are_answered_at_once(omp: Run) -> None:
    key = wait(omp)
    planned = omp("review", "all", "refused", "--dry-run")
    assert key in planned.out
    assert omp("review", "list", "--json").json["counts"]["refused"] == 1
    done = omp("review", "all", "refused", "--json").json
    assert (len(done["receipts"]), done["left"]) == (1, {})
    assert "nothing of this kind" in omp("review", "all", "refused").out
    omp("undo")
    assert "left the refused text" in omp("review", "all", "refused", "--reject").out


def test_two_records_become_one(omp: Run) -> None:
    keep = omp("add", "The shop runs on port 8080", "--json").json["id"]
    other = omp("add", "Refunds take three days", "--json").json["id"]
    omp("merge", keep, other, "--content", "The shop runs on port 8080; refunds take three days")
    assert "refunds take" in omp("list").out
    assert other not in omp("list").out


def test_the_context_says_what_waits(omp: Run, tmp_path: Path) -> None:
    init_workspace(tmp_path)
    omp("add", "The service listens on port 8080")
    omp("add", "The service listens on port 9090", code=None)
    assert "1 dispute open" in omp("context").out
    told = omp("context", "--json").json["waiting"]
    assert (told["disputes"], told["candidates"], told["pending"]) == (1, 0, 0)


def test_the_language_of_the_settings_is_that_of_the_interface(
    omp_process: Run, own_settings: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OMP_LANG")
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    english = omp_process("undo").err
    own_settings.write_text("language: zh\n")
    chinese = omp_process("undo").err
    assert english.isascii()
    assert not chinese.isascii()
    monkeypatch.setenv("OMP_LANG", "en")
    assert omp_process("undo").err == english
