"""One answer for many disputes, disputes of branches, and what is told of each."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest
from core.services.conftest import Clock, Open

from omp_core.errors import NotFoundError, UsageError
from omp_core.memory import Memory
from omp_core.model import DisputeKind, Query, Record, Scope
from omp_core.rules.preference import preference
from omp_core.rules.sync import ClaimSide
from omp_core.settings import CrossHomeSettings

ANA = Scope(user_id="ana")
SUBJECTS = ("cache", "queue", "proxy")


def many_disputed(open_memory: Open) -> Any:
    """Return a memory with three disputes between the same two writers, and one with another."""
    memory = open_memory()
    codex, other = open_memory("agent:codex"), open_memory("agent:gemini")
    ids = []
    for subject in (*SUBJECTS, "mailer"):
        made = memory.add(f"{subject} runs as version 1", scope=ANA, force=True)
        open_memory("agent:claude").update(
            made.id, {"content": f"{subject} runs as version 2"}, based_on=1
        )
        by = other if subject == "mailer" else codex
        by.update(made.id, {"content": f"{subject} runs as version 3"}, based_on=1)
        ids.append(made.id)
    return memory, ids


def state(memory: Memory) -> Any:
    records = memory.records(Query(statuses=frozenset()))
    return sorted(
        (
            one.id,
            one.content,
            one.status,
            str(one.superseded_by),
            sorted(one.disputes, key=lambda held: held.id),
        )
        for one in records
    )


@pytest.mark.parametrize("resolution", ["current", "incoming", "both", "later"])
def test_one_answer_settles_all_like_it_as_one_act(open_memory: Open, resolution: Any) -> None:
    memory, ids = many_disputed(open_memory)
    before = state(memory)
    first = next(one for one in memory.disputes() if one.record.id == ids[0])
    planned = memory.resolve_many(first.dispute.id, resolution, dry_run=True)
    assert {one.record.id for one in planned.disputes} == set(ids[:3])
    assert (planned.receipt, state(memory)) == (None, before)
    done = memory.resolve_many(first.dispute.id, resolution)
    assert done.receipt.note
    assert [one.record.id for one in memory.disputes()] == [ids[3]]
    held = {"incoming": "3"}.get(resolution, "2")
    assert memory.get(ids[0]).content == f"cache runs as version {held}"
    acts = memory.acts(limit=1)
    assert (acts[0].id, acts[0].kind) == (done.receipt.act_id, "resolve")
    memory.undo(done.receipt.act_id)
    assert state(memory) == before
    memory.redo()
    assert [one.record.id for one in memory.disputes()] == [ids[3]]


def test_several_disputes_on_one_record_are_settled_and_undone_together(open_memory: Open) -> None:
    memory = open_memory()
    made = memory.add("theme: light", scope=ANA)
    memory.update(made.id, {"content": "theme: dark"}, based_on=1)
    for value in ("theme: auto", "theme: sepia"):
        open_memory("agent:codex").update(made.id, {"content": value}, based_on=1)
    before = state(memory)
    (first, _second) = memory.disputes()
    done = memory.resolve_many(first.dispute.id, "incoming")
    assert len(done.disputes) == 2
    assert memory.get(made.id).content == "theme: sepia"
    memory.undo()
    assert state(memory) == before


def test_a_third_value_is_for_one_dispute(open_memory: Open) -> None:
    memory, _ids = many_disputed(open_memory)
    with pytest.raises(UsageError):
        memory.resolve_many(memory.disputes()[0].dispute.id, "value")
    with pytest.raises(NotFoundError):
        memory.resolve_many("no-such", "current")


def test_a_detail_tells_base_words_use_and_who_would_win(open_memory: Open, clock: Clock) -> None:
    memory = open_memory()
    made = memory.add("default page size is 20", scope=ANA)
    memory.update(made.id, {"content": "default page size is 50"}, based_on=1)
    clock.forward(days=2)
    open_memory("agent:codex").update(made.id, {"content": "default page size is 100"}, based_on=1)
    memory.search("page size")
    (waiting,) = memory.disputes()
    detail = memory.dispute(waiting.dispute.id)
    assert detail.base == ("default page size is 20",)
    assert [one.text for one in detail.words.left if one.differs] == ["50"]
    assert [one.text for one in detail.words.right if one.differs] == ["100"]
    assert (detail.current.reads, detail.current.searches, detail.incoming.reads) == (1, 1, None)
    assert (detail.preference.side, detail.preference.reason) == ("incoming", "newer")
    assert detail.preference.by == pytest.approx(48)
    assert detail.alike == 1
    assert memory.dispute_ending(made.id, waiting.dispute.id) is None
    open_memory("agent:claude").resolve(made.id, waiting.dispute.id, "current")
    assert memory.dispute_ending(made.id, waiting.dispute.id).actor == "agent:claude"
    with pytest.raises(NotFoundError):
        memory.dispute(waiting.dispute.id)


@pytest.mark.parametrize(
    ("hours", "current", "incoming", "expected"),
    [
        (25, 1.0, 0.1, ("incoming", "newer")),
        (24, 1.0, 1.0, None),
        (-25, 0.1, 1.0, ("current", "newer")),
        (1, 0.95, 0.6, ("current", "surer")),
        (1, 0.6, 0.95, ("incoming", "surer")),
        (1, 0.9, 0.6, None),
    ],
)
def test_the_rules_prefer_the_newer_then_the_surer(
    clock: Clock, hours: float, current: float, incoming: float, expected: Any
) -> None:
    from datetime import timedelta

    at = clock()
    found = preference(
        ClaimSide(at, current),
        ClaimSide(at + timedelta(hours=hours), incoming),
        CrossHomeSettings(),
    )
    assert (None if found is None else (found.side, found.reason)) == expected


# two branches of git


def git(root: Path, *words: str) -> None:
    own = ["-c", "user.name=Bo", "-c", "user.email=bo@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *own, *words], cwd=root, check=words[0] != "merge", capture_output=True)


@pytest.fixture
def merged_badly(tmp_path: Path) -> Any:
    """A repository in the middle of a merge: both branches changed two facts."""
    root = tmp_path
    file = root / "_omp" / "memory" / "project.yaml"
    file.parent.mkdir(parents=True)
    text = "name: shop\nweb:\n  port: {port}\nnotes:\n- one\n- two\n- three\napi:\n  url: {url}\n"
    git(root, "init", "-q", "-b", "main")
    file.write_text(text.format(port=1, url="https://a.example"), "utf-8")
    git(root, "add", "_omp")
    git(root, "commit", "-qm", "begin")
    git(root, "checkout", "-qb", "feature")
    file.write_text(text.format(port=2, url="https://b.example"), "utf-8")
    git(root, "commit", "-qam", "feature")
    git(root, "checkout", "-q", "main")
    file.write_text(text.format(port=3, url="https://c.example"), "utf-8")
    git(root, "commit", "-qam", "main")
    git(root, "merge", "feature")
    assert "<<<<<<<" in file.read_text("utf-8")
    return file


def test_disputes_of_branches_stand_first_and_are_settled_in_the_document(
    open_memory: Open, merged_badly: Path
) -> None:
    memory = open_memory()
    port, url = memory.disputes()
    assert port.dispute.kind is DisputeKind.BRANCH
    assert (port.dispute.field, port.dispute.current, port.dispute.incoming) == ("web.port", 3, 2)
    assert port.dispute.current_actor.startswith("Bo (")
    assert memory.overview().disputes == 2
    assert memory.dispute(port.dispute.id).base == (1,)
    start = memory.disputes()
    with pytest.raises(UsageError):
        memory.resolve(port.record.id, port.dispute.id, "later")
    first = memory.resolve(port.record.id, port.dispute.id, "incoming")
    assert [one.dispute.id for one in memory.disputes()] == [url.dispute.id]
    second = memory.resolve(url.record.id, url.dispute.id, "value", "https://d.example")
    assert memory.disputes() == ()
    assert memory.documents.value("web.port") == 2
    assert memory.documents.value("api.url") == "https://d.example"
    assert memory.dispute_ending(port.record.id, port.dispute.id).actor == "user"
    for receipt in (second, first):
        memory.undo(receipt.act_id)
    assert [(one.dispute.id, one.branch) for one in memory.disputes()] == [
        (one.dispute.id, one.branch) for one in start
    ]


def test_all_of_two_branches_is_one_act(open_memory: Open, merged_badly: Path) -> None:
    memory = open_memory()
    start = [one.branch for one in memory.disputes()]
    done = memory.resolve_many(memory.disputes()[0].dispute.id, "incoming")
    assert (len(done.disputes), memory.disputes()) == (2, ())
    assert memory.documents.value("web.port") == 2
    memory.undo(done.receipt.act_id)
    assert [one.branch for one in memory.disputes()] == start
    memory.redo()
    assert memory.documents.value("api.url") == "https://b.example"


def test_what_the_other_branch_said_can_be_kept_as_a_memory(
    open_memory: Open, merged_badly: Path
) -> None:
    memory = open_memory()
    port = memory.disputes()[0]
    memory.resolve(port.record.id, port.dispute.id, "both")
    assert [one.content for one in memory.list(Query()).records if one.home == "user"] == [
        "web.port: 2"
    ]
    memory.undo()
    assert len(memory.disputes()) == 2
    assert not [one for one in memory.list(Query()).records if one.home == "user"]


def test_a_settled_field_that_says_something_else_by_now_is_left_alone(
    open_memory: Open, merged_badly: Path
) -> None:
    memory = open_memory()
    for one in memory.disputes():
        receipt = memory.resolve(one.record.id, one.dispute.id, "current")
    memory.documents.set_value("api.url", "https://e.example")
    memory.undo(receipt.act_id)
    assert memory.documents.value("api.url") == "https://e.example"
    assert memory.disputes() == ()


def _by_id(record: Record) -> Any:
    return sorted(record.disputes, key=lambda held: held.id)
