"""A walk in a real terminal: settle all disputes of the demo and one of branches, undo all."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tui.test_terminal import Terminal, env, place

from omp_core.demo import demo_settings, make_demo
from omp_core.memory import Memory
from omp_core.model import Home, Query

__all__ = ["env", "place"]


def git(root: Path, *words: str) -> None:
    """Run git; a merge ends in a conflict."""
    own = ["-c", "user.name=Bo", "-c", "user.email=bo@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *own, *words], cwd=root, check=words[0] != "merge", capture_output=True)


def branch_off(root: Path) -> None:
    """Let two branches change one fact of project.yaml, and merge them."""
    file = root / "_omp" / "memory" / "project.yaml"
    text = file.read_text("utf-8")
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "_omp")
    git(root, "commit", "-qm", "begin")
    git(root, "checkout", "-qb", "feature")
    file.write_text(text + "walk_port: 2\n", "utf-8")
    git(root, "commit", "-qam", "feature")
    git(root, "checkout", "-q", "main")
    file.write_text(text + "walk_port: 1\n", "utf-8")
    git(root, "commit", "-qam", "main")
    git(root, "merge", "feature")


def state(root: Path, store: Path) -> tuple[list[Any], list[Any]]:
    """Return what the memory holds, and what of it is in dispute."""
    with Memory.open(workspace=root, store=store, settings=demo_settings(root)) as memory:
        # what the mirror holds of a damaged document is what it said when it could last be read
        records = memory.records(Query(statuses=frozenset(), home=Home.USER))
        disputes = [(one.dispute.id, one.branch) for one in memory.disputes()]
        return (
            sorted(
                (one.id, one.content, one.importance, one.status, str(one.superseded_by))
                for one in records
            ),
            sorted(disputes, key=lambda one: one[0]),
        )


def test_all_disputes_are_settled_and_all_of_it_is_undone(
    tmp_path: Path, env: dict[str, str]
) -> None:
    root = tmp_path / "shop-api"
    store = make_demo(root, datetime.now(UTC))
    branch_off(root)
    own = tmp_path / "xdg_config_home" / "omp-tui" / "config.yaml"
    own.write_text(f"embed:\n  model: hashing\nuser_id: ana\nstore:\n  path: {store}\n", "utf-8")
    start = state(root, store)
    count = len(start[1])
    assert count == 7
    command = [sys.executable, "-m", "omp_tui", "dashboard", "--store", str(store)]
    terminal = Terminal(command, env, root, size=(80, 24))
    try:
        terminal.wait_for("1 Overview")
        terminal.press("3")
        terminal.wait_for(f"{count} wait")
        terminal.wait_for("two branches: walk_port")
        terminal.wait_for("[2]")
        for left, key in zip(range(count - 1, -1, -1), "\rb\rb\r\r\r", strict=True):
            terminal.press(key)
            terminal.wait_for(f"{left} wait" if left else "No dispute waits")
            terminal.wait_for("✓")
            if left:
                terminal.wait_for("confidence")
        for back in range(1, count + 1):
            terminal.press("u")
            terminal.wait_for(f"{back} wait")
        assert terminal.leave() == 0
    finally:
        terminal.close()
    assert state(root, store) == start
