"""maintain, health, backup, restore, purge, doctor, stats, log."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from core.cli.conftest import Run


def test_maintenance_is_reported_and_finds_nothing_the_second_time(
    omp: Run, tmp_path: Path
) -> None:
    for number in range(25):
        omp("add", f"task {number}: look at file number {number}", "--tier", "working", "--force")
    assert omp("stats", "--json").json["tiers"]["working"]["used"] == 20
    first = omp("maintain", "--json").json
    assert first["moved"] == []
    assert omp("maintain", "--json").json["moved"] == []


def test_health_has_the_shape_of_the_specification(omp: Run) -> None:
    omp("add", "prefers tabs", "--category", "preference")
    report = omp("health", "--json").json
    assert set(report["capacity"]) == {"working", "short_term", "long_term", "important"}
    assert set(report["capacity"]["working"]) == {"used", "limit", "utilization"}
    assert set(report["distribution"]) == {"by_type", "by_age"}
    assert set(report["hit_rate"]) >= {"last_7d", "last_30d", "trend"}
    assert set(report["staleness"]) == {"stale_count", "stale_ratio", "oldest_unaccessed_days"}
    assert report["hit_rate"]["last_7d"] is None
    assert report["score"] == 100


def test_an_alert_names_its_cure_and_the_cure_ends_it(omp: Run) -> None:
    for number in range(18):
        omp("add", f"task {number}: look at file number {number}", "--tier", "working", "--force")
    alerts = omp("health", "--json").json["alerts"]
    assert [alert["level"] for alert in alerts] == ["warning"]
    omp("health", "--fix", "working-full")
    assert omp("stats", "--json").json["tiers"]["working"]["used"] == 13
    assert omp("health", "--json").json["alerts"] == []
    omp("undo")
    assert omp("stats", "--json").json["tiers"]["working"]["used"] == 18
    omp("health", "--fix", "no-such-alert", code=2)


def test_reports_speak_the_readers_language(omp: Run) -> None:
    from omp_core.i18n import use_language

    omp("add", "prefers tabs", "--tier", "important")
    use_language("zh")
    try:
        health, stats = omp("health").out, omp("stats").out
    finally:
        use_language("en")
    assert "优秀" in health
    assert "活跃" in health
    assert "重要" in stats


def test_a_backup_is_made_listed_and_brought_back(omp: Run) -> None:
    omp("add", "uses uv")
    made = omp("backup", "--json").json["made"]
    omp("add", "prefers tabs over spaces")
    assert omp("backup", "--list", "--json").json["backups"] == made
    omp("restore", "--yes")
    assert omp("list", "--json").json["total"] == 1


def test_expired_rows_are_purged_and_an_undo_by_name_brings_them_back(omp: Run) -> None:
    omp("add", "only for now", "--ttl", "0.001")
    purged = omp("purge", "--json").json
    assert purged["outcome"] == "deleted"
    assert omp("list", "--status", "any", "--expired", "--json").json["total"] == 0
    omp("undo", purged["act_id"])
    assert omp("list", "--status", "any", "--expired", "--json").json["total"] == 1


def test_the_log_says_who_changed_what_of_important_records(omp: Run) -> None:
    record_id = omp("add", "prefers tabs", "--tier", "important", "--json").json["id"]
    omp("add", "uses uv")
    omp("update", record_id, "--content", "prefers spaces", "--actor", "agent:codex")
    audit = omp("log", "--important", "--json").json
    assert [entry["record_id"] for entry in audit] == [record_id, record_id]
    assert audit[0]["actor"] == "agent:codex"
    assert audit[0]["after"] == {"content": "prefers spaces"}


def test_a_log_and_a_history_that_are_cut_say_so(omp: Run) -> None:
    omp("add", "step 0", "--id", "step", "--tier", "important")
    for number in range(1, 22):
        omp("update", "step", "--content", f"step {number}")
    assert "--limit" in omp("log", "--limit", "5").err
    assert "--limit" in omp("log", "--limit", "5", "--important", "--json").err
    assert omp("log").err == ""
    assert "20 of 22" in omp("show", "step").err
    assert "limit" in omp("log", "--limit", "0", code=2).err


def test_init_lays_out_the_workspace_named_and_no_other(
    omp: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    assert omp("init", "--json").json["workspace"] == str(tmp_path)
    assert (tmp_path / "_omp" / "memory" / "project.yaml").is_file()
    assert not (elsewhere / "_omp").exists()
    assert omp("init", "--json").json["created"] == []


def test_doctor_finds_all_in_order_and_names_what_is_not(omp: Run, tmp_path: Path) -> None:
    omp("init", str(tmp_path))
    omp("add", "uses uv")
    findings = {one["name"]: one for one in omp("doctor", "--json").json}
    assert all(one["ok"] for one in findings.values())
    assert findings["user"]["state"]
    (tmp_path / "_omp" / "memory" / "project.yaml").write_text("a: [1\n")
    broken = omp("doctor", "--json", code=1).json["items"]
    (damage,) = [one for one in broken if not one["ok"]]
    assert "project.yaml" in damage["state"]


def test_a_damaged_store_is_named_with_the_way_back(omp: Run, tmp_path: Path) -> None:
    omp("add", "uses uv")
    omp("backup")
    path = tmp_path / "store.db"
    for side in ("-wal", "-shm"):
        (tmp_path / f"store.db{side}").unlink(missing_ok=True)
    path.write_bytes(b"garbage" * 1000)
    assert "restore" in omp("doctor", code=1).out
    ran = omp("add", "another", code=1)
    assert "restore" in ran.err
    omp("restore", "--yes")
    assert omp("list", "--json").json["total"] == 1


def test_settings_with_an_unknown_key_name_file_key_and_the_nearest(
    omp: Run, own_settings: Path
) -> None:
    config = own_settings
    config.write_text("tiers:\n  working_capcity: 3\n")
    ran = omp("list", code=2)
    assert "config.yaml" in ran.err
    assert "working_capacity" in ran.err
    config.write_text("tiers:\n  working_capacity: 3\n")
    for number in range(5):
        omp("add", f"task {number}: look at file {number}", "--tier", "working", "--force")
    assert omp("stats", "--json").json["tiers"]["working"] == {
        "used": 3,
        "limit": 3,
        "advice": None,
    }


def test_every_command_describes_itself(omp: Run) -> None:
    import click

    from omp_core.cli import cli

    def commands(group: Any, *path: Any) -> Iterator[Any]:
        context = click.Context(group)
        for name in group.list_commands(context):
            command = group.get_command(context, name)
            yield (*path, name), command
            if isinstance(command, click.Group):
                yield from commands(command, *path, name)

    for path, command in commands(cli):
        assert command.get_short_help_str(), path
        # a server answers in its protocol, not in JSON documents
        wanted = {"--workspace", "--store"} | ({"--json"} if path != ("mcp",) else set())
        if not isinstance(command, click.Group):
            assert wanted <= {option for one in command.params for option in one.opts}, path


def test_a_restore_that_nobody_confirms_is_not_done(omp: Run) -> None:
    omp("add", "A fact that is backed up")
    omp("backup")
    ran = omp("restore", code=1, stdin="")
    assert "Aborted" in ran.err
    assert "unexpected" not in ran.err


@pytest.mark.parametrize(
    "command", [["list"], ["stats"], ["health"], ["log"], ["themes", "list"], ["search", "fact"]]
)
def test_an_answer_without_the_store_says_so_once(omp: Run, tmp_path: Path, command: str) -> None:
    (tmp_path / "store.db").mkdir()
    for form in ([], ["--json"]):
        ran = omp(*command, *form, code=1)
        assert ran.err.count("store.db: the store cannot be") == 1
