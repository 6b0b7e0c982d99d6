"""A memory that was opened where no project was yet."""

from __future__ import annotations

from omp_core.model import Home, Query


def test_a_project_laid_out_under_an_open_memory_is_part_of_it(tmp_path, open_memory):
    memory = open_memory()
    kept = memory.add("prefers tabs")
    assert memory.workspace is None
    made = memory.init_workspace(tmp_path)
    assert made
    assert memory.workspace is not None
    (tmp_path / "_omp" / "memory" / "project.yaml").write_text("build:\n  tool: pnpm\n")
    facts = memory.list(Query(home=Home.PROJECT)).records
    assert [fact.content for fact in facts] == ["build.tool: pnpm"]
    assert memory.get(kept.id).content == "prefers tabs"
    assert memory.init_workspace(tmp_path) == []
    assert memory.capabilities()[2].up
