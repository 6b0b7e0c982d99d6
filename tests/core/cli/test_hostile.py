"""Text that wants to be obeyed by a terminal goes through every command."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from core.cli.conftest import Run

from omp_core.embed.protocol import Embedder
from omp_core.memory import Memory
from omp_core.model import Act, Dispute, DisputeKind, Record, Scope, Tier
from omp_core.services.entries import created_entry, stamp_new
from omp_core.store.protocol import Batch, Put

CORPUS = {
    "colours": "\x1b[31mred\x1b[0m \x1b[2J\x1b[H",
    "clipboard": "\x1b]52;c;ZXZpbA==\x07",
    "title": "\x1b]0;owned\x07 \x9d0;owned\x9c \x9b31m",
    "bells": "\x00\x07\x08\x0b\x0c\x0e\x7f\r x",
    "bidi": "\u202e txet\u202c \u2066x\u2069 \u2028 \u200b\ufeff",
    "markup": "[/foo] [link=x [@click=app.quit]y[/] {name} %s",
    "huge line": "x" * 20_000,
    "many lines": "\n" * 5_000 + "x",
    "wide": "宽" * 3_000,
    "zalgo": "a" + "\u0301" * 2_000,
}
FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u2028-\u202e\u2066-\u2069\ufeff]")


@pytest.fixture
def hostile(tmp_path: Path, embedder: Embedder, private_home: Path) -> Any:
    """Put a text, as another program could have, everywhere a store holds text."""
    from omp_core.project.workspace import init_workspace

    init_workspace(tmp_path)

    def put(text: str) -> str:
        place: dict[str, Any] = {"workspace": tmp_path, "store": tmp_path / "store.db"}
        with Memory.open(**place, load_embedder=lambda _settings: embedder) as memory:
            now = memory.now()
            record = Record(
                "r1",
                text,
                now,
                now,
                tier=Tier.SHORT_TERM,
                scope=Scope(text, text, text, text),
                tags=frozenset({text}),
                metadata={text: text},
                disputes=(
                    Dispute(
                        "d1", text, DisputeKind.SAME_FIELD, text, text, text, text, now, now, 1
                    ),
                ),
            )
            record = stamp_new(record, text, now)
            act = Act("a1", "add", text, now, text, 1)
            entry = created_entry("a1", "add", text, now, record)
            memory._availability.store().commit(Batch(act, (Put(record, None),), (), (entry,)))
        return record.id

    return put


COMMANDS = [
    ("list",),
    ("show", "r1"),
    ("search", "x red owned"),
    ("log",),
    ("log", "--act", "a1"),
    ("log", "--important"),
    ("conflicts",),
    ("stats",),
    ("health",),
    ("maintain", "--dry-run"),
    ("proposals",),
    ("summarize",),
    ("doctor",),
    ("pending", "list"),
    ("export",),
    ("search", "x red owned", "--level", "all"),
    ("context",),
    ("sync", "--dry-run"),
    ("themes", "list"),
    ("themes", "suggest"),
    ("themes", "rebuild", "--dry-run"),
    ("validate",),
    ("configure", "--show"),
    ("model", "list"),
    ("backup",),
    ("update", "r1", "--importance", "high"),
    ("delete", "r1"),
    ("undo",),
    ("redo",),
]


@pytest.mark.parametrize("name", CORPUS)
def test_no_command_prints_what_a_terminal_obeys(omp: Run, hostile: Any, name: str) -> None:
    hostile(CORPUS[name])
    for command in COMMANDS:
        for form in ((), ("--json",)):
            ran = omp(*command, *form, code=None)
            assert ran.code in (0, 1, 2, 3), (command, ran.err)
            assert not FORBIDDEN.search(ran.out), command
            assert not FORBIDDEN.search(ran.err), command
            if form and ran.out and command[0] != "export":
                json.loads(ran.out)


def test_a_hostile_export_is_still_the_same_text(omp: Run, hostile: Any) -> None:
    text = CORPUS["title"] + CORPUS["bidi"]
    hostile(text)
    (record,) = [
        line for line in map(json.loads, omp("export").out.splitlines()) if "content" in line
    ]
    assert record["content"] == text


@pytest.mark.parametrize("name", CORPUS)
def test_hostile_arguments_end_in_a_plain_answer_or_a_plain_error(omp: Run, name: str) -> None:
    text = CORPUS[name].replace("\x00", "")
    for command in (
        ("add", text),
        ("show", text),
        ("search", text),
        ("update", text, "--content", "x"),
        ("delete", text),
        ("list", "--user", text),
        ("list", "--where", text),
        ("undo", text),
        ("import", text[:200]),
    ):
        ran = omp(*command, code=None)
        assert ran.code in (0, 1, 2, 3)
        assert not FORBIDDEN.search(ran.out + ran.err), command
