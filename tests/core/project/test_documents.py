"""What the mirror gets to read: facts, times, ids, and damage that stops nothing else."""

import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from omp_core.model import Category, Home, Scope, Source, Temporality, Tier
from omp_core.project.documents import (
    DocumentFact,
    file_digest,
    fingerprint,
    read_document,
    read_documents,
    to_records,
)
from omp_core.project.workspace import Workspace


@pytest.fixture
def facts(workspace: Workspace) -> dict[str, DocumentFact]:
    read = read_documents(workspace)
    assert read.damages == ()
    by_id = {fact.id.removeprefix("project:"): fact for fact in read.facts}
    assert len(by_id) == len(read.facts)
    return by_id


def test_everything_that_is_said_is_a_fact_and_nothing_else(
    facts: dict[str, DocumentFact],
) -> None:
    assert {place: fact.text for place, fact in facts.items()} == {
        "project.yaml#name": "name: shop",
        "project.yaml#version": "version: 1.10",
        "project.yaml#stack": "stack: TypeScript, React, Vite",
        "project.yaml#deployment.vercel.url": "deployment.vercel.url: https://web.example.app",
        "project.yaml#deployment.vercel.status": "deployment.vercel.status: active",
        "project.yaml#services[api].port": "services.api.port: 8080",
        "project.yaml#services[web].port": "services.web.port: 3000",
        "project.yaml#flags.no": "flags.no: no",
        "project.yaml#flags.since": "flags.since: 2026-02-03",
        "project.yaml#说明": "说明: 多行\n文本",
        "decisions.yaml#decisions[dec-2026-02-03-001]": (
            "Package manager: pnpm — because slow installs (instead of npm, yarn)"
        ),
        "decisions.yaml#decisions[dec-2026-02-02-001]": (
            "Memory 存储格式选择: YAML 格式 — 因为人类可读（未选：JSON, TOML）"
        ),
        "changelog.yaml#changelog[chg-2026-02-01-001]": "first deploy",
        "changelog.yaml#changelog[1]": "changelog: a bare line",
        "sessions/2026-02-02.yaml#sessions[session-001]": (
            "部署 Vercel 并配置 Cloudflare Worker: 更新 VERCEL_TOKEN"
        ),
        "sessions/2026-02-02.yaml#sessions[session-001].decisions[0]": "采用 YAML 格式",
        "themes/index.yaml#themes[3c1e]": "Package manager",
        "handoffs/one.yaml#": "codex → claude (accepted): finished the API",
        "entries.yaml#[tech-stack]": "tech-stack: TypeScript + React",
        "systemPatterns.md#Architecture[1]": "Architecture: One monolith.\nIt is big.",
        "systemPatterns.md#Rules[1]": "Rules: use uv | fast",
        "systemPatterns.md#Rules / Pattern 1[1]": "Pattern 1: outbox\n- nested",
        "systemPatterns.md#Rules / Pattern 1[2]": (
            "Pattern 1: ```sh\n# not a heading\n- not a bullet\n```"
        ),
    }


def test_times_are_the_facts_own_or_the_files(facts: dict[str, DocumentFact]) -> None:
    expected = {
        "project.yaml#name": datetime(2026, 2, 5, 8, tzinfo=UTC),
        "project.yaml#deployment.vercel.url": datetime(2026, 2, 2, 10, 30, tzinfo=UTC),
        "decisions.yaml#decisions[dec-2026-02-03-001]": datetime(2026, 2, 3, tzinfo=UTC),
        "sessions/2026-02-02.yaml#sessions[session-001]": datetime(2026, 2, 2, 11, 30, tzinfo=UTC),
        "themes/index.yaml#themes[3c1e]": datetime(2026, 2, 4, 10, tzinfo=UTC),
        "entries.yaml#[tech-stack]": datetime(2026, 2, 4, 10, tzinfo=UTC),
    }
    assert {place: facts[place].at for place in expected} == expected
    assert all(fact.at.tzinfo is UTC for fact in facts.values())


def test_a_file_without_times_takes_its_modification(workspace: Workspace) -> None:
    file = workspace.memory / "notes.yaml"
    file.write_text("a: b\n")
    os.utime(file, (1_767_225_600, 1_767_225_600))
    (fact,) = read_document(workspace, file)
    assert fact.at == datetime(2026, 1, 1, tzinfo=UTC)


def test_lines_and_categories(facts: dict[str, DocumentFact]) -> None:
    assert facts["project.yaml#deployment.vercel.status"].line == 7
    assert facts["systemPatterns.md#Rules[1]"].line == 16
    assert facts["project.yaml#name"].category is Category.FACT
    assert facts["project.yaml#services[api].port"].category is Category.ENVIRONMENT
    assert facts["decisions.yaml#decisions[dec-2026-02-02-001]"].category is Category.DECISION
    assert facts["changelog.yaml#changelog[1]"].category is Category.FACT
    assert facts["handoffs/one.yaml#"].category is Category.EPISODE


def test_records_of_the_mirror(facts: dict[str, DocumentFact]) -> None:
    records = {
        record.id.removeprefix("project:"): record
        for record in to_records(facts.values(), Scope(app_id="acme_shop"))
    }
    assert records.keys() == facts.keys()
    for record in records.values():
        assert (record.home, record.tier) == (Home.PROJECT, Tier.IMPORTANT)
        assert record.source is Source.SYSTEM
        assert record.scope == Scope(app_id="acme_shop")
        assert record.created_at <= record.updated_at
    entry = records["entries.yaml#[tech-stack]"]
    assert (entry.confidence, entry.temporality) == (0.8, Temporality.CONTEXTUAL)
    assert entry.created_at == datetime(2026, 2, 3, 10, tzinfo=UTC)
    assert entry.metadata["tracking"] == {"access_count": 3, "decay_score": 0.9}
    decision = records["decisions.yaml#decisions[dec-2026-02-02-001]"]
    assert decision.tags == {"storage"}
    assert decision.metadata["line"] == 9
    said = records["sessions/2026-02-02.yaml#sessions[session-001].decisions[0]"]
    assert said.episode == "sessions/2026-02-02.yaml#sessions[session-001]"


def test_a_secret_in_a_document_does_not_reach_the_mirror(workspace: Workspace) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    file = workspace.memory / "notes.yaml"
    file.write_text(f"ci:\n  token: {secret}\n  host: build\n")
    records = list(to_records(read_document(workspace, file)))
    assert len(records) == 2
    assert secret not in repr(records)
    assert "redacted" in records[0].content


def test_a_damaged_file_is_reported_and_stops_no_other(workspace: Workspace) -> None:
    good = len(read_documents(workspace).facts)
    (workspace.memory / "bad.yaml").write_text("a: 1\n\tb: 2\n")
    (workspace.memory / "latin.yaml").write_bytes(b"a: 1\nb: caf\xe9\n")
    (workspace.memory / "twice.yaml").write_text("a: 1\nb: 2\na: 3\n")
    (workspace.memory / "merge.yaml").write_text(
        "<<<<<<< HEAD\na: 1\n=======\na: 2\n>>>>>>> theirs\n"
    )
    read = read_documents(workspace)
    assert len(read.facts) == good
    assert {(d.file, d.line, d.column) for d in read.damages} == {
        ("bad.yaml", 2, 1),
        ("latin.yaml", 2, 7),
        ("twice.yaml", 3, 1),
        ("merge.yaml", 1, 1),
    }
    reasons = {damage.file: damage.reason for damage in read.damages}
    assert "tab" in reasons["bad.yaml"]
    assert "0xe9 is not UTF-8" in reasons["latin.yaml"]
    assert "'a' is there twice" in reasons["twice.yaml"]
    assert "merge conflict" in reasons["merge.yaml"]


def test_empty_and_odd_files_say_nothing(workspace: Workspace) -> None:
    (workspace.memory / "empty.yaml").write_text("")
    (workspace.memory / "comments.yaml").write_text("# only this\n")
    (workspace.memory / ".project.yaml.1.tmp").write_text("a: 1\n")
    workspace.pending_file.write_text("_degraded: true\npending_memories:\n- text: later\n")
    files = {fact.file for fact in read_documents(workspace).facts}
    assert not files & {"empty.yaml", "comments.yaml", "user-context.yaml", ".project.yaml.1.tmp"}


def test_two_facts_at_one_place_keep_two_ids(workspace: Workspace) -> None:
    file = workspace.memory / "notes.md"
    file.write_text("## A[1]\n- x\n\n## A\n- y\n", encoding="utf-8")
    ids = [fact.id for fact in read_document(workspace, file)]
    assert len(set(ids)) == 2


def test_the_same_decision_id_twice_keeps_both(workspace: Workspace) -> None:
    workspace.decisions_file.write_text(
        "decisions:\n- {id: d, title: a, choice: b}\n- {id: d, title: a, choice: c}\n"
    )
    facts = read_document(workspace, workspace.decisions_file)
    assert [fact.text for fact in facts] == ["a: b", "a: c"]
    assert len({fact.id for fact in facts}) == 2


def test_aliases_and_merge_keys_are_read_where_they_are_used(workspace: Workspace) -> None:
    file = workspace.memory / "alias.yaml"
    file.write_text("base: &b {port: 80}\nweb: *b\napi:\n  <<: *b\n  host: x\n")
    texts = [fact.text for fact in read_document(workspace, file)]
    assert texts == ["base.port: 80", "web.port: 80", "api.host: x"]


@pytest.mark.parametrize("replaced", [False, True])
def test_a_change_that_keeps_size_and_time_moves_the_fingerprint(
    workspace: Workspace, replaced: bool
) -> None:
    file = workspace.project_file
    file.write_text("name: one\n")
    before, state = fingerprint(workspace), file.stat()
    other = file.with_name("other") if replaced else file
    other.write_text("name: two\n")
    os.utime(other, ns=(state.st_atime_ns, state.st_mtime_ns))
    other.replace(file)
    assert fingerprint(workspace) != before


def test_the_fingerprint_moves_with_every_change(workspace: Workspace) -> None:
    seen = {fingerprint(workspace)}
    assert fingerprint(workspace) in seen
    steps: tuple[Callable[[], object], ...] = (
        lambda: workspace.project_file.write_text("name: other\n"),
        lambda: os.utime(workspace.project_file, ns=(1, 1)),
        lambda: (workspace.sessions / "2026-02-03.yaml").write_text("date: 2026-02-03\n"),
        lambda: workspace.changelog_file.unlink(),
    )
    for step in steps:
        step()
        now = fingerprint(workspace)
        assert now not in seen
        seen.add(now)


def test_digests_name_every_file_read(workspace: Workspace) -> None:
    read = read_documents(workspace)
    assert read.digests["project.yaml"] == file_digest(workspace.project_file)
    assert read.fingerprint == fingerprint(workspace)
    assert len(read.digests) == 8


def test_what_went_wrong_is_a_log_and_no_fact(workspace: Workspace) -> None:
    """Also in a session file that holds nothing but its errors."""
    file = workspace.sessions / "2026-02-03.yaml"
    file.write_text(
        "date: 2026-02-03\nnote: kept\n"
        "errors:\n  - {at: 2026-02-03T10:00:00Z, file: x.yaml, reason: full, by: user}\n"
    )
    assert [fact.text for fact in read_document(workspace, file)] == ["note: kept"]


def test_reads_that_a_document_tells_of_are_read(tmp_path: Path) -> None:
    root = tmp_path / "_omp" / "memory"
    root.mkdir(parents=True)
    (root / "entries.yaml").write_text(
        "- key: tea\n  value: The tea is in drawer two\n"
        "  timestamps: {last_accessed: 2026-02-01T08:00:00Z}\n  tracking: {access_count: 4}\n"
        "- key: cup\n  value: The cup is on shelf one\n  last_accessed: 2026-02-02\n"
        "  access_count: 2\n- key: jar\n  value: The jar is empty by now\n"
        "  tracking: {access_count: -1}\n",
        "utf-8",
    )
    records = to_records(read_documents(Workspace(tmp_path)).facts)
    reads = {
        one.content.partition(":")[0]: (one.access_count, one.last_accessed) for one in records
    }
    assert reads == {
        "tea": (4, datetime(2026, 2, 1, 8, tzinfo=UTC)),
        "cup": (2, datetime(2026, 2, 2, tzinfo=UTC)),
        "jar": (0, None),
    }
