"""The real thing: a pseudo-terminal, a real store, other processes that write to it."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path

import apsw
import pyte
import pytest

COLUMNS, ROWS = 120, 40
WRITERS, EACH = 4, 250
PATIENCE_S = 90.0

WRITER = """
import sys
from pathlib import Path
from omp_core.memory import Memory

workspace, store, name, count = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], int(sys.argv[4])
with Memory.open(workspace=workspace, store=store, actor=f"agent:{name}") as memory:
    for number in range(count):
        memory.add(f"{name} noted subject {number} of its own", force=True)
"""


class Terminal:
    """A screen that a program draws on, and its keyboard."""

    def __init__(
        self,
        command: list[str],
        env: dict[str, str],
        cwd: Path,
        size: tuple[int, int] = (COLUMNS, ROWS),
    ) -> None:
        columns, rows = size
        self._screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self._screen)
        self._fd, child = pty.openpty()
        fcntl.ioctl(child, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.process = subprocess.Popen(
            command, stdin=child, stdout=child, stderr=child, env=env, cwd=cwd, close_fds=True
        )
        os.close(child)
        self.raw = bytearray()

    @property
    def text(self) -> str:
        return "\n".join(self._screen.display)

    def press(self, keys: str) -> None:
        os.write(self._fd, keys.encode())

    def wait_for(self, text: str, *others: subprocess.Popen[bytes]) -> None:
        """Draw what the program sends until a text stands on the screen.

        No other process may fail meanwhile.
        """
        end = time.monotonic() + PATIENCE_S
        while text not in self.text:
            assert time.monotonic() < end, f"no {text!r} on the screen:\n{self.text}"
            assert not any(other.poll() for other in others)
            self._draw()

    def _draw(self) -> None:
        if select.select([self._fd], [], [], 0.1)[0]:
            try:
                sent = os.read(self._fd, 65536)
            except OSError:  # the other side has closed
                return
            self.raw += sent
            self._stream.feed(sent)

    def leave(self, keys: str = "q") -> int:
        """Press `q`, or other keys, and return the exit code."""
        self.press(keys)
        end = time.monotonic() + PATIENCE_S
        while self.process.poll() is None:
            assert time.monotonic() < end, "it does not end"
            self._draw()
        return self.process.returncode

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self._fd)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A workspace whose settings name no model that takes long to load."""
    omp = tmp_path / "shop" / "_omp"
    (omp / "memory").mkdir(parents=True)
    (omp / "config.yaml").write_text("app_id: shop\n")
    own = tmp_path / "xdg_config_home" / "omp-tui" / "config.yaml"
    own.parent.mkdir(parents=True)
    own.write_text("embed:\n  model: hashing\nuser_id: ana\nstore:\n  busy_timeout_s: 600\n")
    return tmp_path


@pytest.fixture
def env(place: Path) -> dict[str, str]:
    folders = {
        name: str(place / name.lower())
        for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME")
    }
    kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
    return {
        **kept,
        **folders,
        "TERM": "xterm-256color",
        "LANG": "C.UTF-8",
        "OMP_LANG": "en",
    }


@pytest.fixture
def terminal(place: Path, env: dict[str, str]) -> Iterator[Terminal]:
    command = [sys.executable, "-m", "omp_tui", "dashboard", "--store", str(place / "store.db")]
    opened = Terminal(command, env, place / "shop")
    yield opened
    opened.close()


def writers(
    place: Path, env: dict[str, str], count: int, each: int
) -> list[subprocess.Popen[bytes]]:
    return [
        subprocess.Popen(
            [
                sys.executable,
                "-c",
                WRITER,
                str(place / "shop"),
                str(place / "store.db"),
                f"writer{number}",
                str(each),
            ],
            env=env,
        )
        for number in range(count)
    ]


def test_four_writers_are_followed_without_a_key_press(
    terminal: Terminal, place: Path, env: dict[str, str]
) -> None:
    terminal.wait_for("There is no memory here yet.")
    terminal.press("2")
    terminal.wait_for("a adds one")
    processes = writers(place, env, WRITERS, EACH)
    terminal.wait_for("noted subject", *processes)
    terminal.wait_for(f"{WRITERS * EACH:,} memories", *processes)
    assert [process.wait() for process in processes] == [0] * WRITERS
    assert terminal.leave() == 0


def test_hostile_text_reaches_no_terminal(
    terminal: Terminal, place: Path, env: dict[str, str]
) -> None:
    """Not even raw: the bytes that the program sends hold no sequence of the memory's."""
    hostile = "[@click=app.quit]q[/] \x1b]52;c;ZXZpbA==\x07 \x1b]0;owned\x07 \x9b2J end"
    code = (
        "import sys; from pathlib import Path; from omp_core.memory import Memory\n"
        "from omp_core.store.sqlite import SqliteStore\n"
        "from omp_core.services.entries import created_entry\n"
        "from omp_core.store.protocol import Batch, Put\n"
        "from omp_core.model import Act, Record\n"
        "from datetime import UTC, datetime\n"
        "now = datetime.now(UTC); record = Record('r1', sys.argv[2], now, now)\n"
        "act = Act('a1', 'add', 'agent:x', now, sys.argv[2], 1)\n"
        "store = SqliteStore(Path(sys.argv[1]), workspace='')\n"
        "entry = created_entry(act.id, act.kind, act.actor, act.at, record)\n"
        "store.commit(Batch(act, (Put(record, None),), (), (entry,)))\n"
    )
    command = [sys.executable, "-c", code, str(place / "store.db"), hostile]
    subprocess.run(command, env=env, check=True)
    terminal.wait_for("1 memory")
    terminal.press("2")
    terminal.wait_for("▸  [@click=app.quit]q[/] ␛]52;c;")
    terminal.press("\r")
    terminal.wait_for("esc Back")
    terminal.press("\x1b")
    terminal.wait_for("search the memories")
    assert terminal.leave() == 0
    assert b"ZXZpbA" in terminal.raw
    for sequence in (b"\x1b]52", b"\x1b]0;owned", b"\xc2\x9b2J", b"\x9b2J"):
        assert sequence not in terminal.raw


def test_a_store_that_another_process_holds_keeps_nobody_from_leaving(
    terminal: Terminal, place: Path
) -> None:
    """The store is waited for ten minutes, but the person need not."""
    terminal.wait_for("There is no memory here yet.")
    terminal.wait_for("vectors ◐")
    other = apsw.Connection(str(place / "store.db"))
    other.execute("BEGIN IMMEDIATE")
    terminal.press("2")
    terminal.wait_for("a adds one")
    terminal.press("a")
    terminal.wait_for("belongs to")
    terminal.press("kept by nobody")
    terminal.wait_for("kept by nobody")
    terminal.press("\x13")  # ctrl+s
    terminal.wait_for("A change is being written, for")
    terminal.press("\x11")  # ctrl+q
    terminal.wait_for("It is still being written")
    terminal.press("\x11")
    terminal.wait_for("Leaving as soon as this is done")
    assert terminal.leave("y") == 0
    assert other.execute("SELECT count(*) FROM records").fetchone() == (0,)
    other.close()


def test_without_a_terminal_it_refuses_and_says_what_else_there_is(
    place: Path, env: dict[str, str]
) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "omp_tui", "dashboard"],
        env=env,
        cwd=place / "shop",
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    assert done.returncode == 2
    assert "needs a terminal" in done.stderr
    assert done.stdout == ""
