"""Unknown is not empty: every way to lose sight of a store, against every way to read it.

Commands are taken from the command tree and tools from their registry, so that a new one is
either read here too or named as one that changes something.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from pathlib import Path
from typing import Any

import apsw
import click
import pytest
from click.testing import CliRunner

import omp_core.mcp.tools  # noqa: F401 - fills the registry
from omp_core.cli import cli
from omp_core.errors import OmpError
from omp_core.mcp.registry import TOOLS, Call
from omp_core.memory import Memory
from omp_core.settings_files import load_settings

READS: dict[tuple[str, ...], tuple[str, ...]] = {
    ("show",): ("ID",),
    ("list",): ("--status", "any"),
    ("search",): ("fact",),
    ("export",): (),
    ("stats",): (),
    ("log",): (),
    ("health",): (),
    ("report",): (),
    ("summarize",): (),
    ("conflicts",): (),
    ("maintain",): ("--dry-run",),
    ("proposals",): (),
    ("context",): (),
    ("doctor",): (),
    ("themes", "list"): (),
    ("themes", "show"): ("theme",),
    ("themes", "suggest"): (),
    ("save",): ("OUT",),
    ("review", "list"): (),
}
OTHERS = {
    "init", "act", "add", "update", "delete", "lock", "unlock", "mcp", "import", "extract",
    "undo", "redo", "resolve", "merge", "review accept", "review all",
    "review edit", "review merge", "review reject", "review show", "purge",
    "pending", "sync", "backup", "restore", "load", "model", "calibrate", "configure",
    "fact", "decision", "changelog", "session", "validate",
    "themes dissolve", "themes mark", "themes merge", "themes move", "themes pin",
    "themes rebuild", "themes rename", "themes split",
}  # fmt: skip
"""Commands that change something, or read nothing of the store."""
NO_RECORDS = {
    ("review", "list"),
    ("log",),
    ("conflicts",),
    ("themes", "list"),
    ("themes", "suggest"),
    ("context",),
    ("report",),
}
NO_RECORDS |= {("proposals",), ("search",), ("maintain",), ("summarize",)}
"""Commands that may do without one record of many and have seen all that they answer."""
GIVEN = {"search_memories": {"query": "fact"}, "search_memory": {"query": "fact"}}

Place = Callable[[], AbstractContextManager[None]]


def leaves(command: click.Command, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            assert found is not None
            yield from leaves(found, (*path, name))
    else:
        yield path


def test_every_command_is_read_here_or_named_as_one_that_changes() -> None:
    for path in leaves(cli):
        assert (path in READS) != (path[0] in OTHERS or " ".join(path) in OTHERS), path


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store with twenty memories, and commands that do not wait long for it."""
    for name in ("CONFIG", "DATA", "CACHE", "STATE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name.lower()))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("OMP_LANG", "en")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    config = tmp_path / "config" / "omp-tui" / "config.yaml"
    config.parent.mkdir(parents=True)
    config.write_text("store:\n  busy_timeout_s: 0.05\nsemantic:\n  provider: none\n")
    (tmp_path / "work").mkdir()
    file = tmp_path / "kept" / "store.db"
    with opened(file) as memory:
        for number in range(20):
            memory.add(f"The fact with the number {number * 7919}", force=True)
    return file


def opened(file: Path) -> Memory:
    return Memory.open(workspace=file.parent.parent / "work", store=file, settings=load_settings())


def deleted(path: Path, _bound: Place) -> AbstractContextManager[None]:
    path.unlink()
    return nullcontext()


def emptied(path: Path, _bound: Place) -> AbstractContextManager[None]:
    os.truncate(path, 0)
    return nullcontext()


def random_bytes(path: Path, _bound: Place) -> AbstractContextManager[None]:
    path.write_bytes(bytes(range(7, 207)) * 400)
    return nullcontext()


def newer(path: Path, _bound: Place) -> AbstractContextManager[None]:
    connection = apsw.Connection(str(path))
    connection.execute("PRAGMA user_version = 999")
    connection.close()
    return nullcontext()


def a_folder(path: Path, _bound: Place) -> AbstractContextManager[None]:
    path.unlink()
    path.mkdir()
    return nullcontext()


def without_rights(path: Path, bound: Place) -> AbstractContextManager[None]:
    path.chmod(0o000)
    return bound()


@contextmanager
def locked(path: Path, _bound: Place) -> Iterator[None]:
    holder = apsw.Connection(str(path))
    holder.execute("PRAGMA locking_mode = EXCLUSIVE")
    holder.execute("UPDATE meta SET value = value")
    yield
    holder.close()


def one_byte(path: Path, _bound: Place) -> AbstractContextManager[None]:
    raw = path.read_bytes()
    for found in re.finditer(rb"The fact with the number 7919", raw):
        # pages that were split keep old copies: the one that is read is looked for
        path.write_bytes(raw[: found.start()] + b"\xff" + raw[found.start() + 1 :])
        connection = apsw.Connection(str(path))
        texts: list[tuple[Any, ...]] = connection.execute(
            "SELECT CAST(content AS BLOB) FROM records"
        ).fetchall()
        connection.close()
        if any(text[0] == 0xFF for (text,) in texts):
            return nullcontext()
    raise AssertionError("the text is nowhere in the file")


def cut_log(path: Path, _bound: Place) -> AbstractContextManager[None]:
    with opened(path) as memory:
        memory.add("The fact that comes last", force=True)
        kept = {
            suffix: path.with_name(path.name + suffix).read_bytes() for suffix in ("-wal", "-shm")
        }
        main = path.read_bytes()
    path.write_bytes(main)
    for suffix, raw in kept.items():
        path.with_name(path.name + suffix).write_bytes(raw)
    log = path.with_name(f"{path.name}-wal")
    os.truncate(log, log.stat().st_size // 2)
    return nullcontext()


@contextmanager
def read_only(path: Path, bound: Place) -> Iterator[None]:
    path.chmod(0o400)
    path.parent.chmod(0o500)
    with bound():
        yield
    path.parent.chmod(0o700)


AWAY = [deleted, emptied, random_bytes, newer, a_folder, without_rights, locked]
IN_PART = [one_byte, cut_log, read_only]


def run(path: Path, command: tuple[str, ...], *, as_json: bool) -> tuple[int, str, str]:
    """Run a reading command in this process."""
    ids = {"ID": "some-id", "OUT": str(path.parent.parent / "out.json")}
    words = [*command, *(ids.get(word, word) for word in READS[command])]
    place = ["--workspace", str(path.parent.parent / "work"), "--store", str(path)]
    result = CliRunner().invoke(cli, [*words, *place, *(["--json"] if as_json else [])])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert "unexpected error" not in result.output
    return result.exit_code, result.stdout, result.stderr


@pytest.mark.parametrize("lose", [*AWAY, *IN_PART])
def test_no_command_takes_the_unknown_for_the_empty(
    path: Path, bound_by_modes: Place, lose: Any
) -> None:
    with lose(path, bound_by_modes):
        for command in READS:
            for as_json in (False, True):
                code, out, err = run(path, command, as_json=as_json)
                where = (command, as_json, code, out, err)
                if lose in AWAY:
                    assert code == 1 or (command == ("context",) and code in (1, 3)), where
                elif lose is not one_byte or command not in NO_RECORDS | {("show",)}:
                    assert code in (1, 3), where
                assert code == 0 or err, where
                assert not re.search(r"health \d|excellent|good|poor", out), where
                if as_json and out and code and command != ("export",):
                    told = json.loads(out)
                    assert told["degraded"], where
                    assert told.get("grade") is None, where
                    assert command != ("health",) or told["score"] is None, where


@pytest.mark.parametrize("lose", [*AWAY, *IN_PART])
def test_no_tool_and_no_overview_takes_the_unknown_for_the_empty(
    path: Path, bound_by_modes: Place, lose: Any
) -> None:
    with ExitStack() as stack:
        stack.enter_context(lose(path, bound_by_modes))
        memory = stack.enter_context(opened(path))
        call = Call(memory, lambda: nullcontext(), lambda: None)
        view = memory.overview()
        assert view.health is not None
        assert (view.health.score, view.health.grade) == (None, None)
        assert view.health.alerts
        assert not view.empty
        assert view.away == (lose in AWAY)
        assert view.unseen
        if view.away:
            assert {use.used for use in view.tiers} == {None}
            assert view.recent == ()
            assert view.health.alerts[0].message.startswith("The store is away since ")
        for name, tool in TOOLS.items():
            if tool.effect != "reads":
                continue
            given = GIVEN.get(name, {"mem_id": "some-id"} if name == "get_memory" else {})
            try:
                told = tool.answer(call, given)
            except OmpError:
                continue  # a failed call is no answer that could be taken for an empty one
            assert told["degraded"], (name, told)
            assert told["unseen"], (name, told)
            assert "score" not in told or told["score"] is None, (name, told)


def test_one_flipped_byte_does_not_keep_the_rest_from_being_rescued(
    path: Path, bound_by_modes: Place
) -> None:
    with ExitStack() as stack:
        stack.enter_context(one_byte(path, bound_by_modes))
        code, out, err = run(path, ("export",), as_json=False)
        assert code == 3
        assert len([line for line in out.splitlines() if "The fact with" in line]) == 19
        assert re.search(r"not seen: records#\d+ \(.+\): ", err)
        code, out, err = run(path, ("save",), as_json=True)
        assert code == 3
        told = json.loads(out)
        assert told["records"] == 19
        assert len(told["unseen"]) == 1
        lost = told["unseen"][0]["id"]
        with opened(path) as memory, pytest.raises(OmpError, match="damaged on the disk"):
            memory.get(lost)


def test_a_damaged_document_is_named_with_its_line(path: Path) -> None:
    work = path.parent.parent / "work"
    with opened(path) as memory:
        memory.init_workspace(work)
    document = work / "_omp" / "memory" / "project.yaml"
    document.write_text("name: fine\nbroken: [1, 2\nmore: x\n")
    with opened(path) as memory:
        view = memory.overview()
        assert view.health is not None
        assert view.health.score is None
        assert not view.away
        assert re.match(r".*project\.yaml:\d+ is damaged", view.health.alerts[0].message)
    code, _out, err = run(path, ("list",), as_json=False)
    assert code == 3
    assert "project.yaml:" in err
