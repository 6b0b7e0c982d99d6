"""add, show, list, search, update, delete on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from core.cli.conftest import Run


def test_the_life_of_a_memory(omp: Run) -> None:
    added = omp("add", "用户偏好 pytest", "--tag", "testing", "--category", "preference", "--json")
    made = added.json
    assert made["outcome"] == "created"
    record_id = made["id"]

    listed = omp("list", "--json").json
    assert listed["total"] == 1
    assert listed["records"][0]["content"] == "用户偏好 pytest"

    changed = omp("update", record_id, "--content", "用户偏好 pytest 8", "--meta", "n=1", "--json")
    assert changed.json["record"]["version"] == 2
    assert changed.json["record"]["metadata"] == {"n": 1}

    shown = omp("show", record_id, "--json").json
    assert shown["tags"] == ["testing"]
    assert [entry["kind"] for entry in shown["history"]] == ["update", "add"]

    found = omp("search", "pytest", "--json").json
    assert found["hits"][0]["id"] == record_id
    assert set(found["hits"][0]["parts"]) == {"keyword", "semantic", "recency", "importance"}

    omp("delete", record_id)
    assert omp("list", "--json").json["total"] == 0
    omp("undo")
    assert omp("list", "--json").json["total"] == 1
    omp("redo")
    assert omp("list", "--json").json["total"] == 0
    assert [act["kind"] for act in omp("log", "--json").json][:2] == ["redo", "undo"]


def test_a_memory_is_read_from_standard_input(omp: Run) -> None:
    record_id = omp("add", "-", "--json", stdin="line one\nline two\n").json["id"]
    assert omp("show", record_id, "--json").json["content"] == "line one\nline two\n"


def test_two_writers_on_one_version_end_in_part(omp: Run) -> None:
    record_id = omp("add", "theme: light", "--json").json["id"]
    omp("update", record_id, "--content", "theme: dark", "--based-on", "1")
    late = omp("update", record_id, "--content", "theme: auto", "--based-on", "1", code=3)
    assert "disputed" in late.out
    (waiting,) = omp("conflicts", "--json").json
    assert (waiting["current"], waiting["incoming"]) == ("theme: dark", "theme: auto")
    omp("resolve", record_id, waiting["id"], "incoming")
    assert omp("show", record_id, "--json").json["content"] == "theme: auto"
    assert omp("conflicts", "--json").json == []


def test_the_same_id_and_version_write_as_an_update(omp: Run) -> None:
    record_id = omp("add", "用户偏好浅色主题", "--json").json["id"]
    first = omp("add", "用户偏好深色模式", "--id", record_id, "--based-on", "1", "--json").json
    assert first["record"]["version"] == 2
    second = omp(
        "add", "用户偏好自动切换", "--id", record_id, "--based-on", "1", "--json", code=3
    ).json
    assert second["outcome"] == "disputed"


def test_a_limit_that_cuts_is_announced_and_the_answer_stays_clean(omp: Run) -> None:
    for number in range(5):
        omp("add", f"the port of service {number} is {8000 + number}", "--force")
    listed = omp("list", "--limit", "2")
    assert len(listed.out.splitlines()) == 2
    assert "2 of 5" in listed.err


def test_filters_reach_the_store(omp: Run) -> None:
    omp("add", "uses uv", "--app", "shop", "--meta", "k=1")
    omp("add", "prefers tabs", "--tier", "important")
    assert omp("list", "--app", "shop", "--json").json["total"] == 1
    assert omp("list", "--where", "k=1", "--json").json["total"] == 1
    assert omp("list", "--where", "k=2", "--json").json["total"] == 0
    assert omp("list", "--tier", "important", "--json").json["total"] == 1


def test_errors_are_one_line_and_an_exit_code(omp: Run) -> None:
    for arguments, code, word in [
        (("show", "no-such-id"), 2, "no-such-id"),
        (("add", ""), 2, "empty"),
        (("add", "x\x1b[31m"), 2, "U+001B"),
        (("add", "x" * 1_000_000), 2, "1,000,000"),
        (("undo",), 2, "nothing to undo"),
        (("import", "/no/such/file"), 1, "/no/such/file"),
        (("list", "--tier", "forever"), 2, "forever"),
        (("add", "x is y", "--expires", "tomorrow"), 2, "tomorrow"),
        (("list", "--where", "novalue"), 2, "novalue"),
        (("add", "x is y", "--meta", "password=Zq9x-77abcD"), 1, "secret"),
    ]:
        ran = omp(*arguments, code=code)
        assert ran.out == ""
        assert word in ran.err


def test_errors_in_json_go_to_standard_error(omp: Run) -> None:
    ran = omp("show", "no-such-id", "--json", code=2)
    assert ran.out == ""
    assert "no-such-id" in json.loads(ran.err)["error"]


def test_a_naive_time_is_read_as_utc_and_that_is_said(omp: Run) -> None:
    added = omp("add", "freeze ends", "--expires", "2999-03-01T09:00", "--json")
    record_id = added.json["id"]
    assert "2999-03-01T09:00Z" in added.err
    assert not omp("update", record_id, "--expires", "2999-03-01T09:00Z").err
    assert omp("show", record_id, "--json").json["expires_at"] == "2999-03-01T09:00:00Z"


def test_a_process_of_its_own_answers_on_stdout_only(omp_process: Run) -> None:
    added = omp_process("add", "uses uv, not pip", "--json")
    assert (added.code, added.err) == (0, "")
    listed = omp_process("list", "--json")
    assert json.loads(listed.out)["total"] == 1
    assert listed.err == ""
    missing = omp_process("show", "no-such-id")
    assert (missing.code, missing.out) == (2, "")
    wrong = omp_process("list", "--no-such-option")
    assert (wrong.code, wrong.out) == (2, "")


def test_the_dashboard_refuses_what_is_no_terminal(omp_process: Run) -> None:
    ran = omp_process()
    assert ran.code == 2
    assert ran.out == ""
    assert "terminal" in ran.err


def test_an_unexpected_error_ends_in_a_line_and_the_trace_in_the_log(
    omp: Run, monkeypatch: pytest.MonkeyPatch, private_home: Path
) -> None:
    from omp_core.logs import log_path, log_to_file
    from omp_core.memory import Memory

    def broken(*_args: Any, **_named: Any) -> None:
        raise RuntimeError("something nobody thought of")

    monkeypatch.setattr(Memory, "list", broken)
    secret = "hunter" + "2-" + "Zq9x"
    import logging

    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    log_to_file()
    try:
        ran = omp("list", code=1)
        omp("add", "Uses uv", "--meta", f"password is {secret}", code=2)
    finally:
        for handler in root.handlers:
            handler.close()
        root.handlers[:] = handlers
        root.setLevel(level)
        logging.captureWarnings(False)
    assert "something nobody thought of" in ran.err
    assert "Traceback" not in ran.err
    assert "Traceback" in log_path().read_text()
    assert "not of the form KEY=VALUE" in log_path().read_text()
    assert secret not in log_path().read_text()


def test_all_disputes_that_are_alike_get_one_answer(omp: Run) -> None:
    ids = set()
    for subject in ("cache", "queue"):
        made = omp("add", f"{subject}: 1 day", "--force", "--json").json["id"]
        omp("update", made, "--content", f"{subject}: 2 days", "--based-on", "1")
        omp("update", made, "--content", f"{subject}: 3 days", "--based-on", "1", code=3)
        ids.add(made)
    waiting = omp("conflicts", "--json").json
    like = ("--all-like", waiting[0]["id"])
    planned = omp("resolve", "incoming", *like, "--dry-run", "--json").json
    assert {one["record"] for one in planned["disputes"]} == ids
    assert planned["act_id"] is None
    assert "3 days" in omp("resolve", "incoming", *like, "--dry-run").out
    assert len(omp("conflicts", "--json").json) == 2
    assert "2" in omp("resolve", "incoming", *like).out
    assert omp("conflicts", "--json").json == []
    omp("undo")
    assert len(omp("conflicts", "--json").json) == 2
    for wrong in (["incoming"], ["a", "b", "no-such"], ["a", "b", "current", "--dry-run"]):
        omp("resolve", *wrong, code=2)
