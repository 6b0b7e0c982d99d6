"""A secret given at any command or tool that takes a text leaves no byte on the disk."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

import omp_core.mcp.tools  # noqa: F401 - fills TOOLS
from omp_core.cli import cli
from omp_core.errors import OmpError, SecretFoundError
from omp_core.mcp.registry import TOOLS, Call
from omp_core.memory import Memory

MARK = "ghp" + "_" + "Zq7Rw2Xk9Lm4Vt6Bn8Yc3Hd5Jf1Gs0Pa2Ue7"
TOLD = f"The token is {MARK}"

COMMANDS: dict[str, tuple[str, ...]] = {
    "add": (TOLD,), "update": ("ID", "--content", TOLD), "search": (TOLD,),
    "act": (json.dumps({"action": "add", "content": TOLD}),),
    "import": ("FILE",), "extract": ("FILE",),
    "resolve": (MARK, "--value", TOLD), "merge": ("ID", "OTHER", "--content", TOLD),
    "review edit": (MARK, "--content", TOLD), "review merge": (MARK, "ID", "--content", TOLD),
    "pending edit": (MARK, "--content", TOLD), "pending merge": (MARK, "ID", "--content", TOLD),
    "themes rename": (MARK, TOLD), "themes move": ("ID", "--label", TOLD),
    "fact set": ("project.key", TOLD), "changelog add": (TOLD,),
    "decision add": ("--title", TOLD, "--choice", TOLD, "--rationale", TOLD),
    "session add": ("--summary", TOLD, "--action", TOLD), "session error": (TOLD, "--file", MARK),
    "configure": (f"user_id={MARK}",), "load": ("FILE",),
}  # fmt: skip
"""Commands that take a text, with a secret in it."""
_NAMED = """init show list delete lock unlock report mcp
export stats undo redo log health summarize conflicts
maintain proposals purge sync context backup restore doctor calibrate save validate
review-accept review-all review-list review-reject review-show pending-discard pending-list
pending-sync model-embed model-list model-pull model-use themes-dissolve themes-list themes-mark
themes-merge themes-pin themes-rebuild themes-show themes-split themes-suggest fact-unset"""
NAMES_ONLY = frozenset(name.replace("-", " ") for name in _NAMED.split())
"""Commands that keep nothing of their words."""


def commands(command: click.Command, *path: str) -> Iterator[str]:
    """Yield the name of each command there is, with those of its groups before it."""
    if not isinstance(command, click.Group):
        yield " ".join(path)
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        inner = command.get_command(context, name)
        assert inner is not None
        yield from commands(inner, *path, name)


def holders(root: Path) -> list[str]:
    """Return the files below `root` that hold the marked secret, or carry it in their name."""
    return [
        str(file.relative_to(root))
        for file in sorted(root.rglob("*"))
        if MARK in file.name or (file.is_file() and MARK.encode() in file.read_bytes())
    ]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home, a workspace and a store folder below one place that is looked through."""
    home = tmp_path / "all"
    (home / "work" / "_omp").mkdir(parents=True)
    (home / "tmp").mkdir()
    for name in ("CONFIG", "DATA", "CACHE", "STATE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(home / name.lower()))
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("TMPDIR", str(home / "tmp"))
    monkeypatch.setenv("OMP_LANG", "en")
    monkeypatch.chdir(home / "work")
    return home


def test_every_command_is_classified() -> None:
    assert set(commands(cli)) == set(COMMANDS) | NAMES_ONLY


def test_no_command_lets_a_secret_through(home: Path, tmp_path: Path) -> None:
    place = ["--workspace", str(home / "work"), "--store", str(home / "store" / "store.db")]
    with Memory.open(workspace=home / "work", store=home / "store" / "store.db") as memory:
        ids = [
            memory.add(text, force=True).record.id for text in ("Tea is green", "Runs on port 80")
        ]
    given = tmp_path / "given.json"  # outside of what is looked through
    given.write_text(json.dumps([{"id": MARK, "content": TOLD, "tags": [MARK]}]), "utf-8")
    named = {"ID": ids[0], "OTHER": ids[1], "FILE": str(given)}
    for name, words in COMMANDS.items():
        told = [named.get(word, word) for word in words]
        ran = CliRunner().invoke(cli, [*name.split(), *told, *place])
        assert ran.exception is None or isinstance(ran.exception, SystemExit), (name, ran.exception)
        assert "unexpected error" not in ran.output, (name, ran.output)
        assert holders(home) == [], name
    CliRunner().invoke(cli, ["add", "Likes oolong", "--actor", MARK, *place])
    assert holders(home) == []


def test_no_tool_lets_a_secret_through(home: Path) -> None:
    with Memory.open(workspace=home / "work", store=home / "store" / "store.db") as memory:
        call = Call(memory=memory, for_the_user=nullcontext, embed_later=lambda: None)
        kept = memory.add("Tea is green", force=True).record.id
        for name in TOOLS:
            for key in ("content", "query", "data", "text", "value", "tags"):
                for given in ({key: TOLD}, {key: TOLD, "mem_id": kept}):
                    assert MARK not in said(call, name, given), (name, key)
            assert holders(home) == [], name
        refused: tuple[tuple[str, dict[str, Any]], ...] = (
            ("add_memory", {"content": TOLD}),
            ("add_memory", {"content": "Tea is fine", "tags": [MARK]}),
            ("update_memory", {"mem_id": kept, "content": TOLD}),
        )
        for name, arguments in refused:
            with pytest.raises(SecretFoundError):
                TOOLS[name].answer(call, arguments)
    assert holders(home) == []


def said(call: Call, name: str, given: dict[str, Any]) -> str:
    """Return what the tool answers, or how it refuses."""
    try:
        return str(TOOLS[name].answer(call, given))
    except OmpError as error:
        return str(error)
