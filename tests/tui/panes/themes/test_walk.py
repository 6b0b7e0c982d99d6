"""A walk in a real pseudo-terminal: split, merge, rename, pin, and all of it taken back."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest
from tui.panes.themes.conftest import ANA, APP, GIVEN, Book, rows_of
from tui.test_terminal import Terminal

from omp_core.embed.protocol import Embedder
from omp_core.memory import Memory
from omp_core.settings import Settings


def opened(place: Path, embedder: Embedder) -> Memory:
    return Memory.open(
        workspace=place / "shop",
        store=place / "store.db",
        settings=Settings(user_id="ana", app_id=APP),
        load_embedder=lambda _settings: embedder,
    )


@pytest.fixture
def start(tmp_path: Path, embedder: Embedder) -> Book:
    """Make a project with themes, and return them."""
    (tmp_path / "shop" / "_omp" / "memory").mkdir(parents=True)
    (tmp_path / "shop" / "_omp" / "config.yaml").write_text(f"app_id: {APP}\n")
    own = tmp_path / "xdg_config_home" / "omp-tui" / "config.yaml"
    own.parent.mkdir(parents=True)
    own.write_text("embed:\n  model: offline\nuser_id: ana\n")
    with opened(tmp_path, embedder) as memory:
        texts: dict[str, list[str]] = json.loads(GIVEN.read_text("utf-8"))
        for several in texts.values():
            for text in several:
                memory.add(text, scope=ANA, force=True)
        memory.themes.follow()
        return rows_of(memory)


@pytest.mark.parametrize("size", [(120, 40)])
def test_themes_are_changed_and_all_is_taken_back(
    tmp_path: Path, embedder: Embedder, start: Book, size: tuple[int, int]
) -> None:
    names = ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME")
    env = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
    env |= {name: str(tmp_path / name.lower()) for name in names}
    env |= {"TERM": "xterm-256color", "LANG": "C.UTF-8", "OMP_LANG": "en"}
    command = [sys.executable, "-m", "omp_tui", "dashboard", "--store", str(tmp_path / "store.db")]
    terminal = Terminal(command, env, tmp_path / "shop", size)
    try:
        terminal.wait_for("? Help")
        terminal.press("4")
        terminal.wait_for(f"{len(start)} themes")
        steps = [
            ("S", "Split into", "\r", "split the theme"),
            ("m", "Merge 2 themes", "\r", "merged 2 themes"),
            ("r", "Rename a theme", "our own name", "→ our own name"),
            ("\r", "renamed the theme", "p", "released the theme"),
        ]
        for key, shown, then, shown_then in steps:
            terminal.press(key)
            terminal.wait_for(shown)
            terminal.press(then)
            terminal.wait_for(shown_then)
        for undone in ("released", "renamed", "merged", "split"):
            terminal.press("u")
            terminal.wait_for(f"undid: {undone}")
        assert terminal.leave() == 0
    finally:
        terminal.close()
    with opened(tmp_path, embedder) as memory:
        assert rows_of(memory) == start
