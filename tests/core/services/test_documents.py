"""Project documents through `Memory`: the file first, then the journal; undo value by value."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from core.services.conftest import Open
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from omp_core.errors import (
    DocumentDamagedError,
    DocumentError,
    NotFoundError,
    SchemaError,
    SecretFoundError,
    UsageError,
)
from omp_core.memory import Memory
from omp_core.model import Home, Query
from omp_core.project.source import read_source
from omp_core.project.writers import ChangelogEntry, DecisionEntry, SessionEntry
from omp_core.project.yaml.tree import parse, plain
from omp_core.services.document_writer import DocumentPlace
from omp_core.services.documents import DocumentService
from omp_core.settings import DocumentSettings, Settings

PROJECT = """\
# what holds here
deployment:   # where it runs
  web: {url: 'https://a.example', port: 8080}
tags:
  - one
  - two
  - three
updated: 2026-01-02
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    file = tmp_path / "_omp" / "memory" / "project.yaml"
    file.parent.mkdir(parents=True)
    file.write_text(PROJECT)
    return file


@pytest.fixture
def docs(project: Path, memory: Memory) -> Any:
    return memory.documents


def content(file: Path) -> Any:
    data = plain(parse(read_source(file).text, file)) if file.exists() else None
    return {key: value for key, value in (data or {}).items() if key not in BOOKKEEPING}


BOOKKEEPING = ("last_updated", "_meta")


def own_lines(file: Path) -> str:
    """The text without what every write leaves about itself."""
    return file.read_text().partition("last_updated:")[0]


def test_a_value_is_set_and_every_other_byte_stays(docs: DocumentService, project: Path) -> None:
    receipt = docs.set_value("deployment.web.port", 9090)
    assert receipt.outcome == "updated"
    assert DocumentPlace.of(receipt.id) == DocumentPlace("project.yaml", "deployment.web.port")
    assert own_lines(project) == PROJECT.replace("8080", "9090")


def test_one_value_can_be_read(docs: DocumentService, project: Path) -> None:
    assert docs.value("deployment.web.port") == 8080
    assert docs.value("deployment.web") == {"url": "https://a.example", "port": 8080}
    assert docs.value("updated") == "2026-01-02"
    with pytest.raises(NotFoundError, match=r"no deployment\.web\.host in project\.yaml"):
        docs.value("deployment.web.host")
    project.write_text("a: [")
    with pytest.raises(DocumentDamagedError):
        docs.value("a")


def test_the_journal_holds_both_values(
    docs: DocumentService, memory: Memory, project: Path
) -> None:
    receipt = docs.set_value("deployment.web.port", 9090)
    act = memory.acts(limit=1)[0]
    assert (act.id, act.kind) == (receipt.act_id, "document")
    (entry,) = memory.entries(act.id)
    assert entry.record_id == "document:project.yaml#deployment.web.port"
    assert (entry.before["value"], entry.after["value"]) == (8080, 9090)


def test_undo_and_redo_bring_the_bytes_back(
    docs: DocumentService, memory: Memory, project: Path
) -> None:
    docs.set_value("deployment.web.port", 9090)
    memory.undo()
    assert own_lines(project) == PROJECT
    memory.redo()
    assert own_lines(project) == PROJECT.replace("8080", "9090")


def test_the_same_value_again_is_no_act(
    docs: DocumentService, memory: Memory, project: Path
) -> None:
    before = project.read_bytes()
    receipt = docs.set_value("deployment.web.port", 8080)
    assert (receipt.outcome, receipt.act_id) == ("unchanged", None)
    assert project.read_bytes() == before
    assert not [act for act in memory.acts() if act.kind == "document"]


@pytest.mark.parametrize(
    "path", ["deployment.web.port", "deployment.web", "deployment", "tags[1]", "tags", "updated"]
)
def test_a_removed_value_comes_back_where_it_was(
    docs: DocumentService, memory: Memory, project: Path, path: str
) -> None:
    before = content(project)
    docs.remove_value(path)
    after = content(project)
    assert after != before
    memory.undo()
    assert content(project) == before
    memory.redo()
    assert content(project) == after


def test_an_entry_of_a_list_comes_back_at_the_end_and_the_others_keep_their_bytes(
    docs: DocumentService, memory: Memory, project: Path
) -> None:
    ids = [
        DocumentPlace.of(docs.add_decision(DecisionEntry(f"title {n}", "c")).id).path
        for n in range(3)
    ]
    file = project.with_name("decisions.yaml")
    file.write_text(file.read_text().replace("title: title 2", "title: title 2  # the last"))
    before = own_lines(file)
    docs.remove_value(ids[1], document="decisions")
    memory.undo()
    head, second, third = before.split("  - id: ")[1:]
    restored = own_lines(file).split("  - id: ")[1:]
    assert restored == [head, third, second]


def test_maps_made_on_the_way_go_with_the_value(
    docs: DocumentService, memory: Memory, project: Path
) -> None:
    before = content(project)
    docs.set_value("api.v2.host", "h")
    assert content(project)["api"] == {"v2": {"host": "h"}}
    memory.undo()
    assert content(project) == before
    docs.set_value("deployment.api.v2.host", "h")
    memory.undo()
    assert content(project) == before


def test_null_is_a_value_and_not_nothing(
    docs: DocumentService, memory: Memory, project: Path
) -> None:
    project.write_text("owner: null\n")
    docs.set_value("owner", "ana")
    memory.undo()
    assert content(project) == {"owner": None}


def test_what_somebody_changed_since_stays_and_undo_says_so(
    docs: DocumentService, memory: Memory, project: Path
) -> None:
    docs.set_value("deployment.web.port", 9090)
    project.write_text(project.read_text().replace("9090", "7070"))
    receipt = memory.undo()
    assert "left as it is" in receipt.note
    assert receipt.outcome == "unchanged"
    assert content(project)["deployment"]["web"]["port"] == 7070


def test_a_field_that_somebody_changed_beside_ours_survives_the_undo(
    docs: DocumentService, memory: Memory, project: Path
) -> None:
    docs.set_value("deployment.web", {"url": "https://b.example", "port": 8080})
    project.write_text(project.read_text().replace("8080", "7070"))
    memory.undo()
    assert content(project)["deployment"]["web"] == {"url": "https://a.example", "port": 7070}
    memory.redo()
    assert content(project)["deployment"]["web"] == {"url": "https://b.example", "port": 7070}


def test_an_edited_decision_is_not_taken_away_by_the_undo(
    docs: DocumentService, memory: Memory, project: Path
) -> None:
    docs.add_decision(DecisionEntry("title", "choice"))
    file = project.with_name("decisions.yaml")
    file.write_text(file.read_text().replace("choice: choice", "choice: another"))
    assert "left as it is" in memory.undo().note
    assert content(file)["decisions"][0]["choice"] == "another"


def test_a_removed_value_that_somebody_set_anew_stays(
    docs: DocumentService, memory: Memory, project: Path
) -> None:
    docs.remove_value("updated")
    project.write_text("updated: 2026-05-05\n" + project.read_text())
    memory.undo()
    assert content(project)["updated"] == "2026-05-05"


def test_a_value_whose_surroundings_are_gone_is_not_brought_back(
    docs: DocumentService, memory: Memory, project: Path
) -> None:
    docs.remove_value("tags[1]")
    project.write_text("only: this\n")
    assert "left as it is" in memory.undo().note
    assert content(project) == {"only": "this"}


def test_all_kinds_of_entries_are_written_and_undone(
    docs: DocumentService, memory: Memory, project: Path, tmp_path: Path
) -> None:
    folder = project.parent
    session = folder / "sessions" / "2026-03-01.yaml"
    receipts = [
        docs.add_decision(DecisionEntry("use uv", "uv", alternatives=["pip"], impact=["ci"])),
        docs.add_change(ChangelogEntry("moved to uv", "tool")),
        docs.add_session(
            SessionEntry("worked", key_actions=["a"], decisions=["dec-2026-03-01-001"])
        ),
        docs.add_error("the disk was full", about="project.yaml"),
        docs.add_error("again"),
    ]
    assert [DocumentPlace.of(one.id).path for one in receipts] == [
        "decisions[dec-2026-03-01-001]",
        "changelog[chg-2026-03-01-001]",
        "sessions[session-001]",
        "errors[err-001]",
        "errors[err-002]",
    ]
    assert [one["reason"] for one in content(session)["errors"]] == ["the disk was full", "again"]
    assert not any(problems for problems in docs.validate().values())
    for _receipt in receipts:
        memory.undo()
    assert content(folder / "decisions.yaml") == {"decisions": []}
    assert content(folder / "changelog.yaml") == {"changelog": []}
    assert content(session) == {"date": "2026-03-01", "sessions": [], "errors": []}
    for _receipt in receipts:
        memory.redo()
    assert [one["id"] for one in content(session)["errors"]] == ["err-001", "err-002"]
    assert not any(problems for problems in docs.validate().values())


def test_a_session_of_a_known_id_is_written_once(
    docs: DocumentService, memory: Memory, project: Path
) -> None:
    docs.add_session(SessionEntry("worked", id="abc"))
    assert docs.add_session(SessionEntry("worked", id="abc")).outcome == "unchanged"
    assert len([act for act in memory.acts() if act.kind == "document"]) == 1


def test_a_document_that_is_one_list_takes_entries_too(
    docs: DocumentService, memory: Memory, project: Path
) -> None:
    file = project.with_name("decisions.yaml")
    file.write_text("- id: dec-1\n  title: old\n")
    receipt = docs.add_decision(DecisionEntry("new", "c"))
    assert DocumentPlace.of(receipt.id).path == "[dec-2026-03-01-001]"
    memory.undo()
    assert file.read_text() == "- id: dec-1\n  title: old\n"


@pytest.mark.parametrize("what", ["fact", "decision", "error"])
def test_a_secret_is_refused_and_reaches_no_file(
    docs: DocumentService, memory: Memory, project: Path, tmp_path: Path, what: str
) -> None:
    secret = "Zq9x" + "-hunter2-" + "77"
    writes = {
        "fact": lambda: docs.set_value("db.password", secret),
        "decision": lambda: docs.add_decision(DecisionEntry("t", f"password: {secret}")),
        "error": lambda: docs.add_error(f"password: {secret} was wrong"),
    }
    with pytest.raises(SecretFoundError):
        writes[what]()
    memory.close()
    held = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert not [file for file in held if secret.encode() in file.read_bytes()]


def test_a_secret_that_is_taken_out_does_not_get_into_the_journal(
    docs: DocumentService, memory: Memory, project: Path, tmp_path: Path
) -> None:
    secret = "Zq9x" + "-hunter2-" + "77"
    project.write_text(f"db:\n  password: {secret}\n")
    docs.remove_value("db.password")
    memory.close()
    store = [file for file in tmp_path.glob("store.db*") if file.is_file()]
    assert store
    assert not [file for file in store if secret.encode() in file.read_bytes()]


def test_without_the_store_the_document_is_written_and_the_receipt_says_so(
    project: Path, open_memory: Open, tmp_path: Path
) -> None:
    memory = open_memory(store=tmp_path)  # a folder is no database
    receipt = memory.documents.set_value("deployment.web.port", 9090)
    assert (receipt.outcome, receipt.act_id) == ("updated", None)
    assert "store is away" in receipt.note
    assert content(project)["deployment"]["web"]["port"] == 9090


def test_a_damaged_document_is_left_alone_and_noted(
    docs: DocumentService, memory: Memory, project: Path
) -> None:
    project.write_text("a: [1\n")
    writes: tuple[Callable[[], object], ...] = (
        lambda: docs.set_value("a", 1),
        lambda: docs.remove_value("a"),
    )
    for write in writes:
        with pytest.raises(DocumentDamagedError, match=r"project\.yaml:"):
            write()
    assert project.read_text() == "a: [1\n"
    (error,) = content(project.parent / "sessions" / "2026-03-01.yaml")["errors"]
    assert (error["file"], error["times"]) == ("project.yaml", 2)


def test_the_undo_of_a_document_that_is_damaged_now_fails_and_can_be_tried_again(
    docs: DocumentService, memory: Memory, project: Path
) -> None:
    docs.set_value("deployment.web.port", 9090)
    good = project.read_text()
    project.write_text("a: [1\n")
    with pytest.raises(DocumentDamagedError):
        memory.undo()
    project.write_text(good)
    memory.undo()
    assert content(project)["deployment"]["web"]["port"] == 8080


def test_what_the_schema_forbids_is_not_written_nor_journalled(
    docs: DocumentService, memory: Memory, project: Path
) -> None:
    docs.add_decision(DecisionEntry("t", "c"))
    file = project.with_name("decisions.yaml")
    before = file.read_bytes()
    with pytest.raises(SchemaError):
        docs.set_value("decisions[0].title", 7, document="decisions")
    assert file.read_bytes() == before
    assert len([act for act in memory.acts() if act.kind == "document"]) == 1


def test_a_session_file_of_another_shape_is_refused(docs: DocumentService, project: Path) -> None:
    file = project.parent / "sessions" / "2026-03-01.yaml"
    file.parent.mkdir()
    for text in ("- a\n", "errors: none\n"):
        file.write_text(text)
        with pytest.raises(DocumentError):
            docs.add_error("x")
        assert file.read_text() == text


def test_wrong_uses_say_what_is_wrong(
    docs: DocumentService, project: Path, open_memory: Open, tmp_path: Path
) -> None:
    with pytest.raises(NotFoundError, match="nowhere"):
        docs.remove_value("nowhere.at.all")
    with pytest.raises(NotFoundError):
        docs.set_value("a", 1, document="no-such")
    with pytest.raises(UsageError):
        docs.add_error("  ")
    project.with_name("user-context.yaml").write_text("pending_memories: []\n")
    with pytest.raises(UsageError, match="one by one"):
        docs.set_value("_reason", "x", document="user-context")


def test_without_a_workspace_every_write_is_a_usage_error(
    open_memory: Open, tmp_path: Path
) -> None:
    docs = open_memory().documents
    for call in (
        lambda: docs.set_value("a", 1),
        lambda: docs.remove_value("a"),
        lambda: docs.add_decision(DecisionEntry("t", "c")),
        lambda: docs.add_error("x"),
        docs.validate,
    ):
        with pytest.raises(UsageError, match="omp-tui init"):
            call()
    assert not (tmp_path / "_omp").exists()


def test_an_act_is_undone_in_the_project_where_it_was_done(
    docs: DocumentService, memory: Memory, open_memory: Open, project: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other" / "_omp" / "memory" / "project.yaml"
    other.parent.mkdir(parents=True)
    other.write_text(PROJECT.replace("8080", "9090"))
    docs.set_value("deployment.web.port", 9090)
    open_memory(workspace=tmp_path / "other").undo()
    assert content(project)["deployment"]["web"]["port"] == 8080
    assert content(other)["deployment"]["web"]["port"] == 9090


def test_an_act_of_a_project_that_is_gone_is_let_be(
    memory: Memory, open_memory: Open, tmp_path: Path
) -> None:
    gone = tmp_path / "gone"
    (gone / "_omp").mkdir(parents=True)
    open_memory(workspace=gone).documents.set_value("a", 1)
    for file in sorted(gone.rglob("*"), reverse=True):
        file.rmdir() if file.is_dir() else file.unlink()
    assert "left as it is" in memory.undo().note


def test_several_writers_get_ids_of_their_own(project: Path, open_memory: Open) -> None:
    from concurrent.futures import ThreadPoolExecutor

    def write(number: int) -> str:
        memory = open_memory(f"agent:{number}")
        return memory.documents.add_error(f"error {number}").id

    with ThreadPoolExecutor(4) as pool:
        ids = set(pool.map(write, range(12)))
    assert len(ids) == 12


def test_validation_of_one_file_or_all(docs: DocumentService, project: Path) -> None:
    project.write_text("a: 1\na: 2\n")
    (problem,) = docs.validate([project])[project]
    assert (problem.line, problem.column) == (2, 1)
    assert docs.validate()[project] == [problem]
    config = project.parent.parent / "config.yaml"
    config.write_text("tiers:\n  working_capcity: 3\n")
    (wrong,) = docs.validate([config])[config]
    assert "working_capacity" in wrong.message
    with pytest.raises(NotFoundError):
        docs.validate([project.with_name("absent.yaml")])


_KEYS = st.sampled_from(["a", "b", "c.d", "c.e.f", "c", "l[0]", "l[1]", "l"])
_VALUES = st.sampled_from([1, 2.5, "x", "2026-01-02", "no", None, True, {"d": 1}, ["x", "y"]])
_STEPS = st.lists(st.tuples(st.booleans(), _KEYS, _VALUES), min_size=1, max_size=6)


@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(steps=_STEPS)
def test_undoing_any_sequence_restores_the_document_and_redoing_brings_it_back(
    steps: Any, project: Path, open_memory: Open
) -> None:
    memory = open_memory(settings=Settings(documents=DocumentSettings(backups_kept=1)))
    project.write_text("# kept\na: 1\nc:\n  d: text\nl:\n  - x\n  - {k: v}\n")
    states = [content(project)]
    for setting, path, value in steps:
        try:
            if setting:
                receipt = memory.documents.set_value(path, value)
            else:
                receipt = memory.documents.remove_value(path)
        except (UsageError, DocumentError):
            assert content(project) == states[-1]
            continue
        if receipt.act_id is not None:
            states.append(content(project))
    for state in reversed(states[:-1]):
        memory.undo()
        assert content(project) == state
    for state in states[1:]:
        memory.redo()
        assert content(project) == state
    assert project.read_text().startswith("# kept")
    memory.close()


def test_a_dispute_between_branches_is_data_and_is_settled_and_undone(
    docs: DocumentService, memory: Memory, project: Path
) -> None:
    project.write_text(
        "name: shop\n<<<<<<< HEAD\nport: 1\n=======\nport: 2\n>>>>>>> feature\n", "utf-8"
    )
    (dispute,) = docs.branch_disputes()
    assert (dispute.path, dispute.ours, dispute.theirs) == ("port", 1, 2)
    assert (dispute.our_label, dispute.their_label) == ("HEAD", "feature")
    receipt = docs.settle_branch(dispute.file, dispute.path, "theirs")
    assert docs.branch_disputes() == ()
    assert docs.value("port") == 2
    memory.undo(receipt.act_id)
    assert docs.branch_disputes() == (dispute,)
    memory.redo()
    assert docs.value("port") == 2
    with pytest.raises(NotFoundError):
        docs.settle_branch("project", "port", "ours")


def facts(memory: Memory) -> dict[str, str]:
    page = memory.list(Query(home=Home.PROJECT))
    return {record.content: record.id for record in page.records}


def test_an_error_that_is_noted_is_no_fact(
    docs: DocumentService, memory: Memory, project: Path
) -> None:
    before = facts(memory)
    docs.add_error("the disk was full", about="project.yaml")
    assert before
    assert facts(memory) == before


def test_the_id_of_an_entry_does_not_hang_on_its_place(project: Path, memory: Memory) -> None:
    def written(*titles: str) -> dict[str, str]:
        entries = "".join(f"  - title: {title}\n    choice: it\n" for title in titles)
        project.with_name("decisions.yaml").write_text(f"decisions:\n{entries}")
        return {text: id_ for text, id_ in facts(memory).items() if text.endswith(": it")}

    before = written("first", "second")
    after = written("third", "second", "first")
    assert len(before) == 2
    assert before.items() <= after.items()
    assert len(set(after.values())) == 3
