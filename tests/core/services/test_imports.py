"""Imports and exports that meet the program's own names and the project's facts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from core.services.conftest import Clock, Open

from omp_core.errors import InvalidValueError
from omp_core.formats import own
from omp_core.memory import Memory
from omp_core.model import Home, Query, Record, Tier
from omp_core.project.workspace import init_workspace


def exported(path: Path, clock: Clock, *records: Record) -> Any:
    with path.open("w", encoding="utf-8") as file:
        own.write(records, file, clock.at)
    return path


@pytest.mark.parametrize("prefix", ["pending", "theme", "document", "extracted"])
def test_a_foreign_id_like_one_of_the_program_s_own_is_replaced(
    memory: Memory, tmp_path: Path, clock: Clock, prefix: str
) -> None:
    record = Record(f"{prefix}:7", "Deploys go out on Tuesdays", clock.at, clock.at)
    report = memory.import_file(exported(tmp_path / "e.jsonl", clock, record))
    (row,) = report.rows
    assert row.outcome == "added"
    assert record.id in row.notes[0]
    memory.undo()
    assert memory.list(Query()).total == 0
    with pytest.raises(InvalidValueError, match=r"id:.*choose another"):
        memory.add("Uses uv", id=record.id)


def test_facts_of_the_project_leave_in_no_export_of_the_user_and_enter_no_store(
    open_memory: Open, tmp_path: Path, clock: Clock
) -> None:
    init_workspace(tmp_path)
    (tmp_path / "_omp" / "memory" / "project.yaml").write_text("build:\n  tool: pnpm\n")
    memory = open_memory()
    mine = memory.add("Deploys go out on Tuesdays", tier=Tier.IMPORTANT)
    wanted = Query(tiers=frozenset({Tier.IMPORTANT}))
    assert memory.list(wanted).total == 2
    assert [one.id for one in memory.export(wanted)] == [mine.id]
    facts = list(memory.export(replace(wanted, home=Home.PROJECT)))
    assert len(facts) == 1
    (tmp_path / "elsewhere").mkdir()
    other = open_memory(workspace=tmp_path / "elsewhere", store=tmp_path / "other.db")
    (row,) = other.import_file(exported(tmp_path / "e.jsonl", clock, *facts)).rows
    assert row.outcome == "refused"
    assert list(other.export()) == []
