"""Facts, decisions, changes, episodes and errors as they come to stand in the files."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from omp_core.errors import (
    DocumentDamagedError,
    DocumentError,
    InvalidValueError,
    NotFoundError,
    SecretFoundError,
)
from omp_core.project import atomic
from omp_core.project.documents import read_documents
from omp_core.project.notification import MAX_LINES
from omp_core.project.values import read_value
from omp_core.project.workspace import Workspace, init_workspace
from omp_core.project.writers import ChangelogEntry, DecisionEntry, Documents, SessionEntry, next_id
from omp_core.settings_files import load_settings

NOW = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)


class Clock:
    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def fresh(tmp_path: Path) -> Workspace:
    init_workspace(tmp_path)
    return Workspace(tmp_path)


@pytest.fixture
def documents(fresh: Workspace, clock: Clock) -> Documents:
    return Documents(fresh, by="agent:codex", clock=clock)


def test_facts_by_nested_paths(documents: Documents, fresh: Workspace) -> None:
    comments = fresh.project_file.read_text("utf-8")
    documents.set_values({"deployment.web.url": "https://x.example", "stack": ["uv", "pytest"]})
    documents.set_values({"deployment.web.status": "active", "stack[1]": "hypothesis"})
    text = fresh.project_file.read_text("utf-8")
    assert text.startswith(comments)
    assert text[len(comments) :] == (
        "deployment:\n  web:\n    url: https://x.example\n    status: active\n"
        "stack:\n  - uv\n  - hypothesis\n"
        "last_updated: 2026-03-01T09:30:00Z\n"
        "_meta:\n  last_updated: 2026-03-01T09:30:00Z\n  updated_by: agent:codex\n  changes:\n"
        '    - "deployment: ∅ → {web}"\n    - "stack: ∅ → [uv, pytest]"\n'
        '    - "deployment.web.status: ∅ → active"\n    - "stack[1]: pytest → hypothesis"\n'
    )


def test_changes_accumulate_within_a_bound(documents: Documents, fresh: Workspace) -> None:
    for number in range(MAX_LINES + 5):
        documents.set_values({"port": number})
    told = documents.open(fresh.project_file).read().data["_meta"]["changes"]
    assert len(told) == MAX_LINES
    assert told[0] == "port: 4 → 5"
    assert told[-1] == f"port: {MAX_LINES + 3} → {MAX_LINES + 4}"


def test_a_time_that_is_given_is_the_time_that_is_written(
    workspace: Workspace, clock: Clock
) -> None:
    documents = Documents(workspace, by="agent:claude", clock=clock)
    documents.set_values({"deployment.vercel.updated_at": "2026-01-05T08:00:00Z"})
    data = documents.open(workspace.project_file).read().data
    assert data["deployment"]["vercel"]["updated_at"] == "2026-01-05T08:00:00Z"


def test_an_edit_of_the_last_moment_is_kept(
    workspace: Workspace, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody saves without our lock when the new bytes are on the disk already."""
    documents = Documents(workspace, by="agent:claude", clock=clock)
    write = atomic._write

    def writing(temporary: Path, raw: bytes, mode: int) -> None:
        write(temporary, raw, mode)
        monkeypatch.setattr(atomic, "_write", write)
        text = workspace.project_file.read_text("utf-8")
        changed = text.replace("name: shop", "name: theirs").replace("port: 3000", "port: 3001")
        workspace.project_file.write_text(changed, "utf-8")

    monkeypatch.setattr(atomic, "_write", writing)
    result = documents.set_values(
        {"name": "mine", "version": 2}, expected={"name": "shop", "version": 1.1}
    )
    (conflict,) = result.conflicts
    assert (conflict.path, conflict.current, conflict.incoming) == ("name", "theirs", "mine")
    data = documents.open(workspace.project_file).read().data
    assert (data["name"], data["version"]) == ("theirs", 2)
    assert [service["port"] for service in data["services"]] == [8080, 3001]


def test_a_fact_that_has_a_time_gets_the_new_one(workspace: Workspace, clock: Clock) -> None:
    documents = Documents(workspace, by="agent:claude", clock=clock)
    result = documents.set_values({"deployment.vercel.status": "failed"})
    assert result.changes[0] == "deployment.vercel.status: active → failed"
    text = workspace.project_file.read_text("utf-8")
    assert "    status: failed\n    updated_at: 2026-03-01T09:30:00Z\n" in text
    assert "    updated_by: agent:claude\n" in text


def test_facts_can_be_addressed_by_the_name_of_an_item(workspace: Workspace, clock: Clock) -> None:
    documents = Documents(workspace, by="user", clock=clock)
    documents.set_values({"services[web].port": 3001})
    assert "  - name: web\n    port: 3001\n" in workspace.project_file.read_text("utf-8")
    documents.set_values(
        {"decisions[dec-2026-02-03-001].choice": "uv"}, document=workspace.decisions_file
    )
    assert 'choice: "uv"\n' in workspace.decisions_file.read_text("utf-8")
    documents.remove_values(["services[web]", "flags.no"])
    text = workspace.project_file.read_text("utf-8")
    assert "web\n" not in text
    assert "flags: {at:" in text


@pytest.mark.parametrize("path", ["services[none].port", "services[9]", "name.first", "stack.x"])
def test_a_path_that_leads_nowhere(workspace: Workspace, path: str) -> None:
    documents = Documents(workspace, by="user")
    with pytest.raises((NotFoundError, InvalidValueError)):
        documents.set_values({path: 1})
    with pytest.raises(NotFoundError):
        documents.remove_values([path])


def test_a_value_changed_meanwhile_is_kept_and_told(workspace: Workspace) -> None:
    documents = Documents(workspace, by="user")
    result = documents.set_values(
        {"name": "ours", "version": "2.0", "stack": []},
        expected={"name": "what it was", "version": 1.10, "stack": None},
    )
    found = [(c.path, c.base, c.current, c.incoming) for c in result.conflicts]
    assert found == [
        ("name", "what it was", "shop", "ours"),
        ("stack", None, ["TypeScript", "React", "Vite"], []),
    ]
    assert documents.open(workspace.project_file).read().data["version"] == "2.0"


def test_what_a_person_types_as_a_value() -> None:
    typed = ["8080", "1.5", "true", "null", "no", "2026-02-03", "", "~", "0x1F", "text"]
    expected = [8080, 1.5, True, None, "no", "2026-02-03", "", None, 31, "text"]
    assert [read_value(text) for text in typed] == expected


def test_decisions_get_the_next_number_of_their_day(documents: Documents, fresh: Workspace) -> None:
    first = documents.add_decision(DecisionEntry("Package manager", "pnpm", alternatives=["npm"]))
    second = documents.add_decision(
        DecisionEntry("存储格式", "YAML", "共享配置", rationale="人类可读", tags={"b", "a"})
    )
    other = documents.add_decision(DecisionEntry("Old", "x", day=date(2026, 2, 3)))
    assert [first.id, second.id, other.id] == [
        "dec-2026-03-01-001",
        "dec-2026-03-01-002",
        "dec-2026-02-03-001",
    ]
    text = fresh.decisions_file.read_text("utf-8")
    assert (
        "decisions:\n"
        "  - id: dec-2026-03-01-001\n    date: 2026-03-01\n    title: Package manager\n"
        "    choice: pnpm\n    alternatives:\n      - npm\n    by: agent:codex\n"
        "  - id: dec-2026-03-01-002\n    date: 2026-03-01\n    title: 存储格式\n"
        "    context: 共享配置\n    choice: YAML\n    rationale: 人类可读\n"
        "    tags:\n      - a\n      - b\n"
    ) in text
    assert "decisions[dec-2026-02-03-001]: ∅ → Old" in text


def test_numbers_go_on_after_the_highest() -> None:
    assert next_id("dec-2026-03-01", []) == "dec-2026-03-01-001"
    taken = ["dec-2026-03-01-007", "dec-2026-03-02-050", "dec-2026-03-01-x", "other"]
    assert next_id("dec-2026-03-01", taken) == "dec-2026-03-01-008"
    assert next_id("d", ["d-999"]) == "d-1000"


def test_a_decision_needs_a_title_and_a_choice(documents: Documents) -> None:
    for decision in (DecisionEntry(" ", "x"), DecisionEntry("x", "")):
        with pytest.raises(InvalidValueError, match="needs"):
            documents.add_decision(decision)


def test_a_list_of_decisions_without_a_key_is_appended_to(
    documents: Documents, fresh: Workspace
) -> None:
    fresh.decisions_file.write_text("- id: dec-2026-03-01-004\n  title: a\n")
    assert documents.add_decision(DecisionEntry("b", "c")).id == "dec-2026-03-01-005"
    assert len(documents.open(fresh.decisions_file).read().data) == 2


def test_a_document_of_another_shape_is_left_alone(documents: Documents, fresh: Workspace) -> None:
    fresh.decisions_file.write_text("decisions: {a: 1}\n")
    with pytest.raises(DocumentError, match="not a list of entries"):
        documents.add_decision(DecisionEntry("b", "c"))
    assert fresh.decisions_file.read_text() == "decisions: {a: 1}\n"


def test_the_change_log(documents: Documents, fresh: Workspace) -> None:
    added = documents.add_change(ChangelogEntry("web is live", "deployment", ["https://x.example"]))
    assert added.id == "chg-2026-03-01-001"
    assert fresh.changelog_file.read_text("utf-8").count("summary: web is live") == 1


def test_sessions_and_their_numbers(documents: Documents, fresh: Workspace, clock: Clock) -> None:
    start = NOW - timedelta(hours=1)
    episode = SessionEntry("部署 Vercel", start, NOW, ["a: b"], ["用 YAML"])
    assert documents.add_session(episode).id == "session-001"
    assert documents.add_session(SessionEntry("again")).id == "session-002"
    text = fresh.session_file(NOW.date()).read_text("utf-8")
    assert text.startswith(
        "date: 2026-03-01\nsessions:\n  - id: session-001\n"
        '    start: "08:30"\n    end: "09:30"\n    summary: 部署 Vercel\n'
        '    key_actions:\n      - "a: b"\n    decisions:\n      - 用 YAML\n'
    )


def test_a_session_with_its_own_id_is_written_once(documents: Documents, fresh: Workspace) -> None:
    episode = SessionEntry("x", id="transcript-1", day=date(2026, 2, 2))
    assert documents.add_session(episode).result.written
    assert not documents.add_session(episode).result.written
    text = fresh.session_file(date(2026, 2, 2)).read_text("utf-8")
    assert text.count("transcript-1") == 1


def test_what_was_written_is_what_is_read(documents: Documents, fresh: Workspace) -> None:
    documents.set_values({"deployment.web.url": "https://x.example"})
    documents.add_decision(DecisionEntry("Tests", "pytest", rationale="fixtures"))
    documents.add_change(ChangelogEntry("first release"))
    documents.add_session(SessionEntry("set it up", decisions=["use uv"]))
    read = read_documents(fresh)
    assert read.damages == ()
    assert [fact.text for fact in read.facts] == [
        "deployment.web.url: https://x.example",
        "Tests: pytest — because fixtures",
        "first release",
        "set it up",
        "use uv",
    ]


def test_secrets_are_refused_by_every_writer(documents: Documents, fresh: Workspace) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"

    def attempts() -> Iterator[object]:
        yield lambda: documents.set_values({"ci.token": secret})
        yield lambda: documents.add_decision(DecisionEntry("t", f"use {secret}"))
        yield lambda: documents.add_change(ChangelogEntry("x", details=[secret]))
        yield lambda: documents.add_session(SessionEntry("x", key_actions=[secret]))

    for attempt in attempts():
        with pytest.raises(SecretFoundError):
            attempt()  # type: ignore[operator]
    documents.record_error("project.yaml", f"the token {secret} was refused")
    files = [file for file in fresh.root.rglob("*") if file.is_file()]
    assert all(secret.encode() not in file.read_bytes() for file in files)


def test_a_damaged_file_is_noted_in_the_session(
    documents: Documents, fresh: Workspace, clock: Clock
) -> None:
    fresh.decisions_file.write_bytes(b"decisions: [\r\n")
    for _ in range(3):
        with pytest.raises(DocumentDamagedError):
            documents.add_decision(DecisionEntry("b", "c"))
        clock.now += timedelta(minutes=1)
    assert fresh.decisions_file.read_bytes() == b"decisions: [\r\n"
    (error,) = documents.open(fresh.session_file(NOW.date())).read().data["errors"]
    assert error["file"] == "decisions.yaml"
    assert error["reason"].startswith("decisions.yaml:2: while parsing a flow node")
    assert (error["times"], error["at"], error["by"]) == (3, "2026-03-01T09:32:00Z", "agent:codex")


def test_an_error_that_cannot_be_noted_says_so(documents: Documents, fresh: Workspace) -> None:
    fresh.session_file(NOW.date()).write_text("a: [\n")
    fresh.decisions_file.write_text("b: [\n")
    with pytest.raises(DocumentDamagedError, match=r"decisions\.yaml") as caught:
        documents.add_decision(DecisionEntry("b", "c"))
    (note,) = caught.value.__notes__
    assert "could not be noted" in note


def test_restore_by_file_and_number(documents: Documents, fresh: Workspace) -> None:
    documents.set_values({"a": 1})
    documents.set_values({"a": 2})
    documents.restore(fresh.project_file)
    assert documents.open(fresh.project_file).read().data["a"] == 1


def test_the_settings_file_keeps_its_comments_and_gets_no_notification(
    documents: Documents, fresh: Workspace
) -> None:
    before = fresh.config_file.read_text("utf-8")
    documents.set_values({"themes.split_above": 5}, document=fresh.config_file)
    assert fresh.config_file.read_text("utf-8") == before + "themes:\n  split_above: 5\n"
    documents.remove_values(["themes"], document=fresh.config_file)
    documents.restore(fresh.config_file)
    assert load_settings(fresh.root, user_file=fresh.root / "no").themes.split_above == 5
