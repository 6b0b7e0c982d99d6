"""The inbox: what waits of each kind, what a yes would do, and each answer taken back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from core.services.conftest import Clock, Open

from omp_core.errors import (
    InvalidValueError,
    NotFoundError,
    StoreUnavailableError,
    UsageError,
    VersionConflictError,
)
from omp_core.memory import Memory
from omp_core.model import Home, Importance, Query, Scope, Status, Tier
from omp_core.project.workspace import init_workspace
from omp_core.views import ReviewKind

KNOWN = "Integration tests need a running database"
ALIKE = "The integration tests need a database that is running"
ANA = Scope(user_id="ana")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    init_workspace(tmp_path)
    return tmp_path


def state(memory: Memory) -> dict[str, tuple[object, ...]]:
    """What the store holds, without versions and times, and what waits on the file."""
    held = memory.records(Query(statuses=frozenset(), include_expired=True))
    records: dict[str, tuple[object, ...]] = {
        one.id: (one.content, one.status, one.tier, one.tags, len(one.disputes)) for one in held
    }
    waiting = {one.record.id: (one.record.content,) for one in memory.pending.previews()}
    return records | waiting


def keep_pending(project: Path, open_memory: Open, *texts: str) -> Memory:
    """Write memories while the store is away; return a memory whose store is back."""

    def away(*_args: object) -> object:
        raise StoreUnavailableError("away")

    lost = open_memory(workspace=project, open_store=away)
    for text in texts:
        assert lost.add(text, scope=ANA).outcome == "pending"
    return open_memory(workspace=project)


def fade(memory: Memory, clock: Clock, text: str, **given: Any) -> str:
    record_id = memory.add(text, tier=Tier.LONG_TERM, **given).id
    clock.forward(days=200)
    return record_id


def only(memory: Memory, kind: ReviewKind) -> Any:
    (item,) = memory.review.page(kind).items
    assert memory.review.counts()[kind] == 1
    return item


def test_what_waits_of_each_kind_says_what_a_yes_would_do(
    project: Path, open_memory: Open, clock: Clock
) -> None:
    memory = keep_pending(project, open_memory, "Ana prefers dark roast coffee")
    memory.add("Deploys go through the staging cluster first", status=Status.CANDIDATE)
    held = memory.add(KNOWN)
    memory.add(ALIKE, propose=True)
    memory.add("Tests of integration need a running database")
    faded = fade(memory, clock, "The printer on the third floor is slow", importance="high")
    items = {kind: memory.review.page(kind).items for kind in ReviewKind}
    effects = {kind: [one.effect for one in found] for kind, found in items.items()}
    assert effects[ReviewKind.PENDING] == ["new"]
    assert effects[ReviewKind.CANDIDATE] == ["new"]
    assert effects[ReviewKind.DUPLICATE] == ["merged"]
    assert items[ReviewKind.DUPLICATE][0].other is not None
    assert items[ReviewKind.DUPLICATE][0].other.id == held.id
    assert [one.record.id for one in items[ReviewKind.ARCHIVE]] == [faded]
    assert memory.review.counts() == {kind: len(found) for kind, found in items.items()}


@pytest.mark.parametrize("verb", ["accept", "reject", "edit", "merge"])
def test_each_answer_about_a_pending_memory_is_taken_back_by_undo(
    project: Path, open_memory: Open, verb: str
) -> None:
    memory = keep_pending(project, open_memory, "Ana prefers dark roast coffee")
    other = memory.add("Ana drinks coffee", scope=ANA)
    before = state(memory)
    item = only(memory, ReviewKind.PENDING)
    answer(memory, verb, item.key, other.id)
    assert memory.review.counts()[ReviewKind.PENDING] == 0
    memory.undo()
    assert state(memory) == before


@pytest.mark.parametrize("verb", ["accept", "reject", "edit", "merge"])
def test_each_answer_about_a_candidate_is_taken_back_by_undo(memory: Memory, verb: str) -> None:
    waiting = memory.add("Deploys go through staging first", status=Status.CANDIDATE)
    other = memory.add("There is a staging cluster")
    before = state(memory)
    answer(memory, verb, f"candidate:{waiting.id}", other.id)
    assert memory.review.counts()[ReviewKind.CANDIDATE] == 0
    became = {
        "accept": Status.ACTIVE,
        "edit": Status.ACTIVE,
        "reject": Status.ARCHIVED,
        "merge": Status.SUPERSEDED,
    }
    assert memory.get(waiting.id).status is became[verb]
    memory.undo()
    assert state(memory) == before


@pytest.mark.parametrize("verb", ["accept", "reject", "edit", "merge"])
def test_each_answer_about_a_duplicate_is_taken_back_by_undo(memory: Memory, verb: str) -> None:
    held = memory.add(KNOWN, tags=["ci"])
    waiting = memory.add(ALIKE, tags=["tests"], propose=True)
    before = state(memory)
    answer(memory, verb, f"duplicate:{waiting.id}", held.id)
    assert memory.review.counts()[ReviewKind.DUPLICATE] == 0
    merged = verb in ("accept", "merge")
    assert memory.get(held.id).tags == ({"ci", "tests"} if merged else {"ci"})
    assert memory.get(waiting.id).status is (Status.SUPERSEDED if merged else Status.ACTIVE)
    memory.undo()
    assert state(memory) == before


@pytest.mark.parametrize("verb", ["accept", "reject", "edit", "merge"])
def test_each_answer_about_a_refused_text_is_taken_back_by_undo(memory: Memory, verb: str) -> None:
    held = memory.add(KNOWN)
    memory.add(ALIKE)
    before = state(memory)
    item = only(memory, ReviewKind.REFUSED)
    assert item.other is not None
    answer(memory, verb, item.key, held.id)
    assert memory.review.counts()[ReviewKind.REFUSED] == 0
    memory.undo()
    assert state(memory) == before
    assert only(memory, ReviewKind.REFUSED).key == item.key


@pytest.mark.parametrize("verb", ["accept", "reject", "edit", "merge"])
@pytest.mark.parametrize("importance", [Importance.HIGH, Importance.LOW])
def test_each_answer_about_what_faded_is_taken_back_by_undo(
    memory: Memory, clock: Clock, verb: str, importance: Importance
) -> None:
    faded = fade(memory, clock, "The printer is slow", importance=importance, confidence=0.8)
    other = memory.add("There is a printer", tier=Tier.IMPORTANT, force=True)
    kind = ReviewKind.ARCHIVE if importance is Importance.HIGH else ReviewKind.FORGET
    item = only(memory, kind)
    before = state(memory)
    answer(memory, verb, item.key, other.id)
    assert memory.review.counts()[kind] == 0
    if verb == "accept" and kind is ReviewKind.FORGET:
        assert faded not in state(memory)
    if verb == "reject":
        assert memory.get(faded).updated_at == item.record.updated_at
    memory.undo()
    assert state(memory) == before
    assert only(memory, kind).key == item.key


def answer(memory: Memory, verb: str, key: str, other: str) -> None:
    match verb:
        case "edit":
            memory.review.edit(key, "Said in the words of a person")
        case "merge":
            memory.review.merge(key, other)
        case _:
            getattr(memory.review, verb)(key)


def test_all_of_a_kind_are_one_act(memory: Memory, clock: Clock) -> None:
    names = ("printer", "elevator", "coffee machine")
    for name in names:
        memory.add(f"The {name} on floor 3 is slow", tier=Tier.LONG_TERM, confidence=0.8)
    clock.forward(days=200)
    before = state(memory)
    planned = memory.review.accept_all(ReviewKind.FORGET, dry_run=True)
    assert len(planned.items) == len(names)
    assert state(memory) == before
    done = memory.review.accept_all(ReviewKind.FORGET)
    assert (len(done.receipts), done.left) == (len(names), {})
    assert state(memory) == {}
    assert next(one.id for one in memory.acts(limit=10) if one.cause is None) == done.act_id
    memory.undo()
    assert state(memory) == before


def test_two_duplicates_of_one_record_are_merged_and_parted_again_as_one(memory: Memory) -> None:
    held = memory.add(KNOWN)
    memory.add(ALIKE, tags=["one"], propose=True)
    memory.add("Tests of integration need a running database", tags=["two"], propose=True)
    before = state(memory)
    assert memory.review.counts()[ReviewKind.DUPLICATE] == 2
    done = memory.review.accept_all(ReviewKind.DUPLICATE)
    assert len(done.receipts) == 2
    assert memory.get(held.id).tags == {"one", "two"}
    memory.undo()
    assert state(memory) == before
    memory.redo()
    assert memory.get(held.id).tags == {"one", "two"}


def test_an_accepted_contradiction_waits_in_the_queue(memory: Memory) -> None:
    held = memory.add("The service listens on port 8080")
    waiting = memory.add("The service listens on port 9090", status=Status.CANDIDATE)
    item = only(memory, ReviewKind.CANDIDATE)
    assert (item.effect, item.other.id) == ("disputed", held.id)
    assert memory.review.accept(item.key).outcome == "disputed"
    assert memory.get(waiting.id).status is Status.ACTIVE
    assert len(memory.disputes()) == 1
    memory.undo()
    assert memory.disputes() == ()


def test_an_answer_is_never_given_to_something_else(memory: Memory, open_memory: Open) -> None:
    waiting = memory.add("Deploys go through staging", status=Status.CANDIDATE)
    item = only(memory, ReviewKind.CANDIDATE)
    open_memory("agent:codex").update(waiting.id, {"content": "Deploys go to production"})
    for verb in ("accept", "reject"):
        with pytest.raises(VersionConflictError, match="production"):
            getattr(memory.review, verb)(item.key, seen=item.mark)
    assert memory.get(waiting.id).status is Status.CANDIDATE
    memory.review.accept(item.key, seen=memory.review.get(item.key).mark)
    with pytest.raises(NotFoundError, match="any more"):
        memory.review.accept(item.key)


@pytest.mark.parametrize("key", ["", "candidate:", "nothing:1", "candidate:gone", "refused:gone"])
def test_what_does_not_wait_is_named(memory: Memory, key: str) -> None:
    with pytest.raises(NotFoundError):
        memory.review.accept(key)


def test_what_resembles_nothing_needs_a_record_to_merge_with(memory: Memory) -> None:
    waiting = memory.add("Deploys go through staging", status=Status.CANDIDATE)
    with pytest.raises(UsageError, match="name the one"):
        memory.review.merge(f"candidate:{waiting.id}")


def candidate_of_a_fact(memory: Memory, **planned: object) -> str:
    return memory.add(
        "The API is deployed at api.shop.example",
        scope=memory.scope,
        status=Status.CANDIDATE,
        metadata={"extraction": planned},
    ).id


def facts(memory: Memory) -> list[str]:
    return [one.content for one in memory.list(Query(home=Home.PROJECT)).records]


@pytest.mark.parametrize(
    ("planned", "file"),
    [
        (
            {"route": "project", "values": {"deployment.api.url": "https://api.shop.example"}},
            "project.yaml",
        ),
        (
            {"route": "decisions", "decision": {"title": "Hosting", "choice": "Vercel"}},
            "decisions.yaml",
        ),
        ({"route": "changelog"}, "changelog.yaml"),
    ],
)
def test_a_candidate_of_a_project_fact_writes_the_document(
    project: Path, open_memory: Open, planned: dict[str, Any], file: str
) -> None:
    memory = open_memory(workspace=project)
    waiting = candidate_of_a_fact(memory, **planned)
    item = only(memory, ReviewKind.CANDIDATE)
    assert item.effect == "document"
    assert item.places[0].file == file
    receipt = memory.review.accept(item.key)
    said = item.places[0].after
    assert any(said in fact for fact in facts(memory))
    assert memory.get(waiting).status is Status.SUPERSEDED
    assert memory.get(waiting).superseded_by == receipt.id.replace("document:", "project:")
    memory.undo()
    assert not any(said in fact for fact in facts(memory))
    assert memory.get(waiting).status is Status.CANDIDATE


def test_own_words_become_the_value_of_a_project_fact(project: Path, open_memory: Open) -> None:
    memory = open_memory(workspace=project)
    candidate_of_a_fact(memory, route="project", values={"deployment.api.url": "https://old"})
    memory.review.edit(only(memory, ReviewKind.CANDIDATE).key, "https://new.shop.example")
    assert memory.documents.value("deployment.api.url") == "https://new.shop.example"


def test_merging_two_takes_over_what_lasts_longer_and_settles_their_dispute(
    memory: Memory,
) -> None:
    kept = memory.add("The service listens on port 8080", tags=["net"], confidence=0.8)
    other = memory.add(
        "The service listens on port 9090", tier=Tier.IMPORTANT, metadata={"by": "ops"}
    )
    assert len(memory.disputes()) == 1
    before = state(memory)
    receipt = memory.merge(kept.id, other.id, "The service listens on ports 8080 and 9090")
    record = memory.get(kept.id)
    assert receipt.outcome == "merged"
    assert record.content == "The service listens on ports 8080 and 9090"
    assert (record.tier, record.confidence) == (Tier.IMPORTANT, 1.0)
    assert record.tags == {"net"}
    assert record.metadata["by"] == "ops"
    assert memory.get(other.id).superseded_by == kept.id
    assert memory.disputes() == ()
    with pytest.raises(InvalidValueError, match="replaced"):
        memory.merge(other.id, kept.id)
    with pytest.raises(InvalidValueError, match="itself"):
        memory.merge(kept.id, kept.id)
    memory.undo()
    assert state(memory) == before


def test_paging_counts_all_and_shows_some(memory: Memory) -> None:
    for number in range(7):
        memory.add(f"Room {number} has {number + 2} windows", status=Status.CANDIDATE, force=True)
    page = memory.review.page(ReviewKind.CANDIDATE, offset=5, limit=5)
    assert (len(page.items), page.total) == (2, 7)
    with pytest.raises(UsageError):
        memory.review.page(ReviewKind.CANDIDATE, limit=0)


def test_an_answer_to_several_is_given_only_to_what_was_seen(memory: Memory) -> None:
    for text in ("Deploys go through staging", "The printer is slow", "Coffee is at nine"):
        memory.add(text, status=Status.CANDIDATE)
    first, second, third = memory.review.page(ReviewKind.CANDIDATE).items
    seen = {first.key: first.mark, second.key: "another mark", "candidate:gone": "x"}
    for dry_run in (True, False):
        report = memory.review.accept_all(ReviewKind.CANDIDATE, seen=seen, dry_run=dry_run)
        assert [item.key for item in report.items] == [first.key]
        assert set(report.left) == {second.key, "candidate:gone"}
    assert memory.get(first.record.id).status is Status.ACTIVE
    assert [one.key for one in memory.review.page(ReviewKind.CANDIDATE).items] == [
        second.key,
        third.key,
    ]


def test_a_merge_is_shown_before_it_is_made(memory: Memory) -> None:
    waiting = memory.add("Deploys go through staging first", status=Status.CANDIDATE)
    other = memory.add("There is a staging cluster in the cellar of the house")
    before = state(memory)
    shown = memory.review.merged(f"candidate:{waiting.id}", other.id)
    assert shown.other is not None
    assert shown.other.id == other.id
    assert state(memory) == before
    memory.review.merge(f"candidate:{waiting.id}", other.id)
    assert memory.get(other.id).content == shown.merged_text


def test_the_overview_counts_what_waits_of_every_kind(project: Path, open_memory: Open) -> None:
    memory = keep_pending(project, open_memory, "Ana prefers dark roast coffee")
    memory.add("Deploys go through the staging cluster first", status=Status.CANDIDATE)
    memory.add(KNOWN)
    memory.add("Tests of integration need a running database")
    assert memory.overview().review == sum(memory.review.counts().values()) == 3
