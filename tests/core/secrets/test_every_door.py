"""A secret given at any verb of the door, in any import format or beside a text stays outside."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from omp_core.errors import OmpError, SecretFoundError
from omp_core.formats import FORMATS, detect, read, saved
from omp_core.memory import Memory
from omp_core.model import Dispute, DisputeKind, Record, Scope, Stamp

MARK = "ghp" + "_" + "Zq7Rw2Xk9Lm4Vt6Bn8Yc3Hd5Jf1Gs0Pa2Ue7"
TOLD = f"The token is {MARK}"
NOW = datetime(2026, 3, 1, tzinfo=UTC)
EXAMPLES = Path(__file__).parents[1] / "formats" / "examples"
FACETS = (
    "backups", "configuration", "doctor", "documents", "embedding", "extraction", "journal",
    "pending", "refused", "review", "sync", "themes",
)  # fmt: skip
PLAIN = {
    "damages", "identity", "place", "scope", "settings", "store_away", "store_down", "workspace",
}  # fmt: skip
"""Properties that are values and take nothing."""
NOT_CALLED = {"open", "close", "pull", "calibrate", "save", "agent"}
"""Verbs that end the memory, fetch a model, or write a file where the caller says."""


def holders(root: Path) -> list[str]:
    """Return the files below `root` that hold the marked secret, or carry it in their name."""
    return [
        str(file.relative_to(root))
        for file in sorted(root.rglob("*"))
        if MARK in file.name or (file.is_file() and MARK.encode() in file.read_bytes())
    ]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with a workspace; all that the program may write lies below."""
    home = tmp_path / "all"
    (home / "work" / "_omp" / "memory").mkdir(parents=True)
    (home / "tmp").mkdir()
    for name in ("CONFIG", "DATA", "CACHE", "STATE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(home / name.lower()))
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("TMPDIR", str(home / "tmp"))
    monkeypatch.chdir(home / "work")
    return home


@pytest.fixture
def memory(home: Path) -> Iterator[Memory]:
    with closing(opened(home, home / "store.db")) as memory:
        yield memory


def opened(home: Path, store: Path) -> Memory:
    return Memory.open(workspace=home / "work", store=store, load_embedder=lambda _settings: None)


def verbs(part: object) -> Iterator[tuple[str, Callable[..., Any]]]:
    """Yield the public methods of a part of the door that take something."""
    for name, verb in inspect.getmembers(part, inspect.ismethod):
        if (
            not name.startswith("_")
            and name not in NOT_CALLED
            and inspect.signature(verb).parameters
        ):
            yield name, verb


def given(verb: Callable[..., Any], named: str, held: Record, file: Path) -> dict[str, Any]:
    """Return arguments for a verb: the secret wherever a text may stand, `named` as each id."""
    arguments: dict[str, Any] = {}
    for name, parameter in inspect.signature(verb).parameters.items():
        kind = str(parameter.annotation)
        if "Path" in kind:
            arguments[name] = file
        elif kind.startswith("Record") and "Record]" not in kind:
            arguments[name] = replace(held, id="new", content=TOLD)
        elif "Mapping" in kind:
            arguments[name] = {"content": TOLD, "tags": [MARK], "metadata": {MARK: TOLD}}
        elif kind.startswith("Scope"):
            arguments[name] = Scope(user_id=MARK)
        elif "Sequence[str]" in kind or "Collection[str]" in kind:
            arguments[name] = [named] if "id" in name else [MARK]
        elif kind in ("str", "str | None", "Json"):
            arguments[name] = named if name.endswith(("id", "key", "ref")) else TOLD
        elif parameter.default is parameter.empty and kind not in ("bool", "int"):
            arguments[name] = TOLD
    return arguments


def test_no_verb_of_the_door_lets_a_secret_through(
    home: Path, memory: Memory, tmp_path: Path
) -> None:
    held = memory.add("Tea is green", force=True).record
    assert held is not None
    file = tmp_path / "given.json"
    file.write_text(json.dumps([{"id": MARK, "content": TOLD, "tags": [MARK]}]), "utf-8")
    known = {
        name for name, _value in inspect.getmembers(Memory, lambda one: isinstance(one, property))
    }
    assert set(FACETS) <= known
    called = refused = 0
    properties = inspect.getmembers(Memory, lambda one: isinstance(one, property))
    assert {name for name, _property in properties} == {*FACETS, *PLAIN}
    for part in (memory, *(getattr(memory, name) for name in FACETS)):
        for name, verb in verbs(part):
            for named in (held.id, MARK):
                try:
                    answer = verb(**given(verb, named, held, file))
                    if inspect.isgenerator(answer):
                        list(answer)
                except SecretFoundError:
                    refused += 1
                except (OmpError, TypeError, ValueError, AttributeError, KeyError):
                    pass  # what makes no sense to a verb; it must not have written it either
                called += 1
            assert holders(home) == [], (type(part).__name__, name)
    assert called > 150
    assert refused > 10


def marked(file: Path) -> int:
    """Put the secret in the place of each content that stands in a file; return how many."""
    text = file.read_text("utf-8")
    count = 0
    for item in list(read(file, now=NOW)):
        first = item.record.content.splitlines()[0] if item.record is not None else ""
        for form in (first, json.dumps(first, ensure_ascii=False)[1:-1], json.dumps(first)[1:-1]):
            if len(first) > 8 and form in text:
                text, count = text.replace(form, f"{TOLD} {count}"), count + 1
                break
    file.write_text(text, "utf-8")
    return count


def test_no_import_format_lets_a_secret_through(home: Path, memory: Memory, tmp_path: Path) -> None:
    seen = set()
    for example in sorted(EXAMPLES.iterdir()):
        files = [one for one in sorted(example.rglob("*")) if one.is_file()] or [example]
        for file in files:
            folder = tmp_path / "given" / example.name
            folder.mkdir(parents=True, exist_ok=True)
            copy = folder / file.name
            copy.write_bytes(file.read_bytes())
            try:
                name = detect(copy).name
                count = marked(copy)
            except OmpError:
                continue  # a part of a folder that alone is of no format
            if not count:
                continue
            if name == saved.NAME:
                with pytest.raises(OmpError, match="checksum"):
                    memory.import_file(copy)
            else:
                report = memory.import_file(copy)
                assert report.count("refused"), file
                assert MARK not in repr(report)
            seen.add(name)
            assert holders(home) == [], file
    assert len(seen) > len(FORMATS) - 6, set(FORMATS) - seen


def test_no_field_beside_the_text_lets_a_secret_through(
    home: Path, memory: Memory, tmp_path: Path
) -> None:
    plain = Record("r1", "Tea is green", NOW, NOW)
    dispute = Dispute(
        "d1", "content", DisputeKind.SAME_FIELD, "a", "b", "user", "agent:x", NOW, NOW, 1
    )
    fields: dict[str, Any] = {
        "id": {"id": MARK},
        "superseded_by": {"superseded_by": MARK},
        "episode": {"episode": MARK},
        "stamp": {"stamps": {"content": Stamp(1, MARK, NOW)}},
        "scope": {"scope": Scope(run_id=MARK)},
        "metadata": {"metadata": {"deep": [{"key": MARK}]}},
        "incoming": {"disputes": (replace(dispute, incoming=TOLD),)},
        "current": {"disputes": (replace(dispute, current=TOLD),)},
        "actor": {"disputes": (replace(dispute, incoming_actor=MARK),)},
        "dispute": {"disputes": (replace(dispute, id=MARK),)},
    }
    for name, change in fields.items():
        file = tmp_path / f"{name}.json"
        saved.save(file, [replace(plain, **change)], NOW)
        report = memory.load(file)
        assert report.count("refused") == 1, name
        assert holders(home) == [], name


def test_what_waits_for_a_store_that_is_away_holds_no_secret(home: Path) -> None:
    (home / "store.db").mkdir()
    with closing(opened(home, home / "store.db")) as memory:
        with pytest.raises(SecretFoundError):
            memory.add(TOLD)
        with pytest.raises(SecretFoundError):
            memory.add("Coffee is black", metadata={"key": MARK})
        assert memory.add("Tea is green").outcome == "pending"
        assert memory.pending.count() == 1
    assert holders(home) == []


def test_the_name_of_an_agent_holds_no_secret(home: Path) -> None:
    assert MARK not in Memory.agent(MARK)
    name = Memory.agent(f"codex {MARK}")
    with closing(
        Memory.open(
            workspace=home / "work",
            store=home / "store.db",
            actor=name,
            load_embedder=lambda _settings: None,
        )
    ) as memory:
        memory.add("Tea is green", force=True)
        assert MARK not in memory.acts()[0].actor
    assert holders(home) == []
