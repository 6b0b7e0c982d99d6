"""Rights of agents, enforced in the door for every front end, and refusals in the journal."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from omp_core.errors import AccessDeniedError, NotFoundError
from omp_core.memory import Memory
from omp_core.model import Query, Scope, SearchMode, Status, Tier
from omp_core.settings import AccessRule, Settings

Open = Callable[..., Memory]
ALL = Query(statuses=frozenset(), include_expired=True)
ANA, BEN = Scope(user_id="ana"), Scope(user_id="ben")
RULES = (
    AccessRule(actor="agent:reader", may="read"),
    AccessRule(actor="agent:writer", may="write", user_id="ana"),
    AccessRule(actor="agent:curator", may="curate", user_id="ana"),
    AccessRule(actor="agent:nobody", may="none"),
)


@pytest.fixture
def enter(open_memory: Open) -> Callable[[str], Memory]:
    """Open the memory as an actor under these rules, without a model."""

    def entered(actor: str) -> Memory:
        return open_memory(
            actor, settings=Settings(access=RULES), load_embedder=lambda _settings: None
        )

    return entered


@pytest.fixture
def held(enter: Callable[[str], Memory]) -> dict[str, str]:
    person = enter("user")
    return {
        "ana": person.add("The maps lie on shelf nine", scope=ANA).id,
        "ben": person.add("The lamp stands in the cellar", scope=BEN).id,
    }


WRITES: dict[str, Callable[[Memory, str, Path], object]] = {
    "add": lambda memory, one, _to: memory.add("Shelf four is empty", scope=memory.get(one).scope),
    "update": lambda memory, one, _to: memory.update(one, {"content": "The maps are lost"}),
    "tag": lambda memory, one, _to: memory.update(one, {"tags": ["seen"]}),
}
CURATES: dict[str, Callable[[Memory, str, Path], object]] = {
    "delete": lambda memory, one, _to: memory.delete([one]),
    "tier": lambda memory, one, _to: memory.set_tier([one], Tier.IMPORTANT),
    "tier by a change": lambda memory, one, _to: memory.update(one, {"tier": "long-term"}),
    "archive": lambda memory, one, _to: memory.set_status([one], Status.ARCHIVED),
}
OVER_ALL: dict[str, Callable[[Memory, str, Path], object]] = {
    "undo": lambda memory, _one, _to: memory.undo(),
    "acts": lambda memory, _one, _to: memory.acts(),
    "audit": lambda memory, _one, _to: memory.audit(),
    "entities": lambda memory, _one, _to: memory.entities(),
    "health": lambda memory, _one, _to: memory.health(),
    "themes": lambda memory, _one, _to: memory.themes,
    "settings": lambda memory, _one, _to: memory.configuration.change(
        {"semantic.provider": "none"}, user=True
    ),
}
MAY: list[tuple[str, str, bool, bool]] = [
    # actor, whose record, may write, may curate
    ("agent:reader", "ana", False, False),
    ("agent:writer", "ana", True, False),
    ("agent:curator", "ana", True, True),
    ("agent:other", "ben", True, True),
    ("user", "ben", True, True),
]


@pytest.mark.parametrize(("actor", "whose", "writes", "curates"), MAY)
@pytest.mark.parametrize("verb", [*WRITES, *CURATES])
def test_each_actor_does_what_the_rules_give_and_nothing_else(
    enter: Callable[[str], Memory],
    held: dict[str, str],
    tmp_path: Path,
    verb: str,
    actor: str,
    whose: str,
    writes: bool,
    curates: bool,
) -> None:
    memory, person = enter(actor), enter("user")
    before = person.records(ALL)
    if writes if verb in WRITES else curates:
        (WRITES | CURATES)[verb](memory, held[whose], tmp_path)
        assert person.records(ALL) != before
        return
    with pytest.raises(AccessDeniedError, match="`access` in their own settings"):
        (WRITES | CURATES)[verb](memory, held[whose], tmp_path)
    assert person.records(ALL) == before
    (newest, *_older) = person.acts()
    assert (newest.kind, newest.actor) == ("denied", actor)
    assert "was refused to" in newest.summary


@pytest.mark.parametrize("actor", ["agent:writer", "agent:curator", "agent:nobody"])
def test_what_may_not_be_read_is_not_there(
    enter: Callable[[str], Memory], held: dict[str, str], actor: str
) -> None:
    memory = enter(actor)
    seen = set() if actor == "agent:nobody" else {held["ana"]}
    assert {one.id for one in memory.records(ALL)} == seen
    page = memory.list(ALL)
    assert ({one.id for one in page.records}, page.total) == (seen, len(seen))
    answer = memory.search("lamp maps cellar shelf", mode=SearchMode.KEYWORD)
    assert {one.record.id for one in answer.hits} == seen
    assert {one.id for one in memory.export()} == seen
    for whose in ("ana", "ben"):
        if held[whose] in seen:
            assert memory.history(held[whose])
            continue
        for verb in (memory.get, lambda one: memory.update(one, {"content": "gone for good"})):
            with pytest.raises(NotFoundError):
                verb(held[whose])
        with pytest.raises(AccessDeniedError):
            memory.history(held[whose])
    user = {one.id for one in memory.session_context(user_id="ben").user}
    assert held["ben"] not in user


@pytest.mark.parametrize("verb", OVER_ALL)
def test_what_tells_of_everything_is_for_those_who_may_read_everything(
    enter: Callable[[str], Memory], held: dict[str, str], tmp_path: Path, verb: str
) -> None:
    with pytest.raises(AccessDeniedError, match="all memories"):
        OVER_ALL[verb](enter("agent:curator"), held["ana"], tmp_path)
    assert enter("user").acts()[0].kind == "denied"


def test_a_record_is_not_moved_into_a_scope_that_may_not_be_written(
    enter: Callable[[str], Memory], held: dict[str, str]
) -> None:
    with pytest.raises(AccessDeniedError, match="user ben"):
        enter("agent:curator").update(held["ana"], {"user_id": "ben"})


def test_a_decision_that_an_agent_brings_is_bound_by_the_rights_of_the_agent(
    enter: Callable[[str], Memory], held: dict[str, str]
) -> None:
    with pytest.raises(AccessDeniedError):
        enter("user via agent:reader").delete([held["ana"]])


def test_a_project_document_is_written_by_those_who_may_write_for_the_project(
    open_memory: Open, tmp_path: Path
) -> None:
    open_memory().init_workspace(tmp_path)
    rules = (
        AccessRule(actor="agent:in", may="write", app_id="shop"),
        AccessRule(actor="agent:out", may="write", user_id="ana"),
    )
    settings = Settings(access=rules, app_id="shop")
    inside, outside = (open_memory(f"agent:{name}", settings=settings) for name in ("in", "out"))
    inside.documents.set_value("project.main_port", 8080)
    with pytest.raises(AccessDeniedError, match="app shop"):
        outside.documents.set_value("project.main_port", 9090)
    assert inside.documents.value("project.main_port") == 8080


def test_a_refusal_is_no_step_of_undo(enter: Callable[[str], Memory], held: dict[str, str]) -> None:
    with pytest.raises(AccessDeniedError):
        enter("agent:reader").delete([held["ana"]])
    person = enter("user")
    last = person.undoable()
    assert last is not None
    assert last.kind == "add"
