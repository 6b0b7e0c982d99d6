"""What only acknowledges something is stored through no door, and each says so."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path

import pytest

import omp_core.mcp.tools  # noqa: F401 - registers them
from omp_core import orchestrator
from omp_core.errors import InvalidValueError, OmpError, StoreUnavailableError
from omp_core.mcp.registry import TOOLS, Call
from omp_core.memory import Memory
from omp_core.model import Query, Status
from omp_core.views import ReviewKind

Open = Callable[..., Memory]
ALL = Query(statuses=frozenset(), include_expired=True)
TEXTS = ["ok", "OK, thanks!", "好的", "嗯，谢谢", "Sounds good to me."]
NEWS = "The gate closes at nine"


def tool(memory: Memory, name: str, **given: object) -> object:
    call = Call(memory, nullcontext, lambda: None)
    answer = TOOLS[name].answer(call, given)
    if answer.get("errors") or answer.get("refused") or answer.get("failed"):
        raise InvalidValueError("acknowledges")
    return answer


def imported(memory: Memory, text: str, folder: Path) -> None:
    file = folder / "lines.jsonl"
    file.write_text(json.dumps({"content": text}), "utf-8")
    (row,) = memory.import_file(file).rows
    if row.outcome == "refused":
        raise InvalidValueError(row.reason)


def updated(memory: Memory, text: str, _folder: Path) -> None:
    memory.update(memory.add(NEWS).id, {"content": text})


def merged(memory: Memory, text: str, _folder: Path) -> None:
    memory.merge(memory.add(NEWS).id, memory.add("The lamp is lit at dusk").id, text)


def edited(memory: Memory, text: str, _folder: Path) -> None:
    made = memory.add(NEWS, status=Status.CANDIDATE)
    memory.review.edit(f"candidate:{made.id}", text)


DOORS: dict[str, Callable[[Memory, str, Path], object]] = {
    "add": lambda memory, text, _folder: memory.add(text),
    "add with force": lambda memory, text, _folder: memory.add(text, force=True),
    "act": lambda memory, text, _folder: orchestrator.act(
        memory, {"action": "add", "content": text}
    ),
    "add_memory": lambda memory, text, _folder: tool(memory, "add_memory", content=text),
    "add_memories": lambda memory, text, _folder: tool(memory, "add_memories", text=text),
    "memory_action": lambda memory, text, _folder: tool(
        memory, "memory_action", action="add", parameters={"content": text}
    ),
    "import": imported,
    "update": updated,
    "merge": merged,
    "review": edited,
}


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("door", DOORS)
def test_no_door_stores_an_acknowledgement(
    open_memory: Open, tmp_path: Path, door: str, text: str
) -> None:
    memory = open_memory(load_embedder=lambda _settings: None)
    with pytest.raises(OmpError, match="acknowledges"):
        DOORS[door](memory, text, tmp_path)
    assert text not in {one.content for one in memory.records(ALL)}
    # what is news goes through the same door
    DOORS[door](memory, "The bridge opens at ten every morning", tmp_path)
    assert "The bridge opens at ten every morning" in {one.content for one in memory.records(ALL)}


def test_none_waits_while_the_store_is_away(open_memory: Open, tmp_path: Path) -> None:
    open_memory().init_workspace(tmp_path)

    def away(*_given: object) -> object:
        raise StoreUnavailableError("away")

    memory = open_memory(load_embedder=lambda _settings: None, open_store=away)
    with pytest.raises(InvalidValueError, match="acknowledges"):
        memory.add("好的")
    assert memory.pending.count() == 0
    assert memory.add(NEWS).outcome == "pending"
    assert memory.pending.count() == 1


def test_a_pending_one_that_a_person_wrote_into_the_file_is_named_and_not_stored(
    open_memory: Open, tmp_path: Path
) -> None:
    open_memory().init_workspace(tmp_path)
    file = tmp_path / "_omp" / "memory" / "user-context.yaml"
    file.write_text("_degraded: true\npending_memories:\n  - text: 好的\n", "utf-8")
    memory = open_memory(load_embedder=lambda _settings: None)
    page = memory.review.page(ReviewKind.PENDING)
    assert "acknowledges" in (page.items[0].problem or "")
    memory.review.accept_all(ReviewKind.PENDING)
    assert memory.records(ALL) == ()
    assert memory.pending.count() == 1


def test_what_was_stored_once_comes_back(open_memory: Open, tmp_path: Path) -> None:
    """A saved memory of an older program may hold one: it is loaded, as everything is."""
    from omp_core.present import write_lines

    memory = open_memory(load_embedder=lambda _settings: None)
    memory.add(NEWS)
    file = tmp_path / "memories.jsonl"
    with file.open("w", encoding="utf-8") as stream:
        write_lines(memory.export(), stream, memory.now())
    file.write_text(file.read_text("utf-8").replace(NEWS, "ok"), "utf-8")
    other = open_memory(store=tmp_path / "other.db", load_embedder=lambda _settings: None)
    assert other.import_file(file).count("added") == 1
