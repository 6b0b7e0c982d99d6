"""Bursts of words after `/` in a real pseudo-terminal: no letter of a search does anything else."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tui.test_terminal import Terminal, env, place
from tui.test_typing import LETTERS, REAL, content

from omp_core.memory import Memory
from omp_core.settings import Settings

__all__ = ["env", "place"]
MODES = "1234567"


@pytest.fixture
def filled(place: Path, env: dict[str, str]) -> Iterator[Terminal]:
    with Memory.open(
        workspace=place / "shop",
        store=place / "store.db",
        settings=Settings(),
        load_embedder=lambda _settings: None,
    ) as memory:
        for number in range(12):
            memory.add(f"subject {number * 7919} is kept as it is", force=True)
    command = [sys.executable, "-m", "omp_tui", "dashboard", "--store", str(place / "store.db")]
    opened = Terminal(command, env, place / "shop", (80, 24))
    yield opened
    opened.close()


def test_words_typed_as_bursts_change_no_memory(filled: Terminal, place: Path) -> None:
    filled.wait_for("12 memories")
    before = content(place / "store.db")["records"]
    chance = random.Random(7)
    for mode in MODES:
        for opener in ("", "\r", "d"):
            words = [
                *chance.sample(REAL, 12),
                "".join(chance.choices(LETTERS, k=chance.randint(2, 8))),
            ]
            for word in words:
                # as one write each, the way a paste or a slow line brings them
                filled.press(mode + opener)
                filled.press(f"/{word}")
                filled.press("\x1b\x1b")
    filled.press("2/subject 7919")
    filled.wait_for("subject 7919 is kept")
    assert content(place / "store.db")["records"] == before
