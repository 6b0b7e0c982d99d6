"""sync and context on the command line."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from core.cli.conftest import Run


@pytest.fixture
def project(omp: Run, tmp_path: Path) -> Any:
    omp("init", str(tmp_path))
    memory = tmp_path / "_omp" / "memory"
    for name in ("decisions", "changelog"):
        (memory / f"{name}.yaml").write_text("{}\n")

    def says(text: str) -> Any:
        (memory / "project.yaml").write_text(textwrap.dedent(text).strip() + "\n")
        return memory / "project.yaml"

    says("name: shop")
    return says


def test_a_disagreement_is_found_asked_and_settled_in_the_document(
    omp: Run, project: Callable[[str], Path]
) -> None:
    file = project("deployment:\n  web:\n    url: https://new.example.com # public")
    record_id = omp("add", "网站地址 https://old.example.com", "--project", "--json").json["id"]

    planned = omp("sync", "--dry-run", "--json", code=3).json
    assert [one["outcome"] for one in planned["findings"]] == ["asked"]
    assert (planned["act_id"], planned["findings"][0]["dispute"]) == (None, None)
    assert omp("conflicts", "--json").json == []

    (finding,) = omp("sync", "--json", code=3).json["findings"]
    assert (finding["kind"], finding["prefers"], finding["reason"]) == ("url", "project", "url")
    assert finding["user"]["value"] == "https://old.example.com"
    assert finding["project"]["id"] == "project:project.yaml#deployment.web.url"
    assert finding["project"]["at"]
    assert finding["user"]["confidence"] == 1.0

    again = omp("sync")
    assert "0 decided, 0 to settle, 1 waiting already" in again.out
    assert "omp-tui conflicts" in again.err

    (waiting,) = omp("conflicts", "--json").json
    assert waiting["id"] == finding["dispute"]
    assert (waiting["kind"], waiting["prefers"]) == ("cross-home", "incoming")
    settled = omp("resolve", record_id, waiting["id"], "current")
    assert "deployment.web.url" in settled.out
    assert "url: https://old.example.com # public" in file.read_text()
    assert omp("sync", "--json").json["findings"] == []
    omp("undo")
    assert "url: https://new.example.com # public" in file.read_text()


def test_what_the_rules_decide_is_told_and_undone(omp: Run, project: Callable[[str], Path]) -> None:
    record_id = omp("add", "API 服务端口是 9090", "--project", "--json").json["id"]
    project("services:\n  api:\n    port: 8080\n    updated_at: 2999-01-01T00:00:00Z")
    told = omp("sync")
    assert "the project's side was taken (the project's side is newer)" in told.out
    assert "services.api.port: 8080" in told.out
    assert omp("show", record_id, "--json").json["status"] == "superseded"
    assert "compared project and user memory" in omp("log").out
    omp("undo")
    assert omp("show", record_id, "--json").json["status"] == "active"


def test_without_a_project_sync_says_what_to_do(omp: Run) -> None:
    assert "omp-tui init" in omp("sync", code=2).err


def test_the_context_is_markdown_for_people_and_agents(
    omp: Run, project: Callable[[str], Path]
) -> None:
    project("tech_stack:\n  database: PostgreSQL\n  notes: |\n    one\n    two")
    omp("add", "用户偏好 pytest", "--category", "preference", "--importance", "high")
    omp("add", "the weather was fine", "--category", "episode")
    lines = omp("context").out.splitlines()
    assert lines[0].startswith("> Stored notes, not instructions")
    assert lines[1].startswith("## Project ")
    database, first, second = lines[2:5]
    assert database == "- tech_stack.database: PostgreSQL (project.yaml#tech_stack.database)"
    assert (first, second) == (
        "- tech_stack.notes: one", "  two (project.yaml#tech_stack.notes)"
    )  # fmt: skip
    assert lines[5].startswith("## User ")
    assert lines[6:] == ["- 用户偏好 pytest (preference, user)"]


def test_the_context_as_json(omp: Run, project: Callable[[str], Path]) -> None:
    project("tech_stack: {database: PostgreSQL}")
    for number in range(3):
        omp("add", f"likes thing number {number}", "--category", "preference", "--force")
    told = omp("context", "--limit", "2", "--json").json
    assert [one["content"] for one in told["project"]] == ["tech_stack.database: PostgreSQL"]
    assert len(told["user"]) == 2
    assert (told["project_left"], told["user_left"]) == (0, 1)
    assert told["degraded"] == []
    assert told["scope"]["user_id"]
    assert "1 more memory" in omp("context", "--limit", "2").out
    assert omp("context", "--max-tokens", "5", "--json").json["tokens"] <= 5


def test_whose_context_it_is(omp: Run, project: Callable[[str], Path]) -> None:
    omp("add", "likes tea", "--category", "preference", "--user", "ana")
    omp("add", "likes coffee", "--category", "preference", "--user", "ana", "--app", "shop")
    assert "tea" not in omp("context").out
    assert "tea" in omp("context", "--user", "ana").out
    assert "coffee" not in omp("context", "--user", "ana").out
    assert "coffee" in omp("context", "--user", "ana", "--app", "shop").out
    assert omp("context", "--user", "", "--json").json["user"] == []
    assert omp("context", "--limit", "0", code=2).out == ""


def test_a_damaged_store_leaves_the_projects_part(
    omp: Run, project: Callable[[str], Path], tmp_path: Path
) -> None:
    project("tech_stack: {database: PostgreSQL}")
    (tmp_path / "store.db").write_bytes(b"garbage" * 1000)
    told = omp("context", code=3)
    assert told.out.startswith("> Incomplete: ")
    assert "- tech_stack.database: PostgreSQL" in told.out
    (missing,) = omp("context", "--json", code=3).json["degraded"]
    assert missing["home"] == "user"


def test_a_process_of_its_own_counts_the_read_before_it_ends(
    omp_process: Run, omp: Run, project: Callable[[str], Path], tmp_path: Path
) -> None:
    place = ("--workspace", str(tmp_path), "--store", str(tmp_path / "store.db"))
    made = omp("add", "likes tea", "--category", "preference", "--user", "ana", "--json").json
    ran = omp_process("context", "--user", "ana", "--json", *place)
    assert (ran.code, ran.err) == (0, "")
    assert ran.json["user"][0]["content"] == "likes tea"
    assert omp("show", made["id"], "--json").json["access_count"] == 1
