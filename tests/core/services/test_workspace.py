"""A memory that was opened where no project was yet."""

from __future__ import annotations

from pathlib import Path

from core.services.conftest import Clock, Open

from omp_core.model import Home, Query


def test_a_project_laid_out_under_an_open_memory_is_part_of_it(
    tmp_path: Path, open_memory: Open
) -> None:
    memory = open_memory()
    kept = memory.add("prefers tabs")
    before = memory.workspace
    assert before is None
    made = memory.init_workspace(tmp_path)
    assert made
    assert memory.workspace is not None
    (tmp_path / "_omp" / "memory" / "project.yaml").write_text("build:\n  tool: pnpm\n")
    facts = memory.list(Query(home=Home.PROJECT)).records
    assert [fact.content for fact in facts] == ["build.tool: pnpm"]
    assert memory.get(kept.id).content == "prefers tabs"
    assert memory.init_workspace(tmp_path) == []
    assert memory.capabilities()[2].up


def test_a_document_is_news_only_when_its_facts_change(
    tmp_path: Path, open_memory: Open, clock: Clock
) -> None:
    memory = open_memory()
    memory.init_workspace(tmp_path)
    file = tmp_path / "_omp" / "memory" / "project.yaml"

    def news(text: str) -> int:
        before = len(memory.acts(limit=100))
        file.write_text(text)
        memory.list(Query())
        return len(memory.acts(limit=100)) - before

    news("build:\n  tool: pnpm\n")
    assert news("# a comment\nbuild:\n  tool: pnpm\n") == 0
    assert news("build:\n  tool: bun\n") == 1
    assert news("build: {}\n") == 1
    assert news("# nothing any more\n") == 0
