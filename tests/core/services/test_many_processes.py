"""Several processes write to one store; some of them are killed. Nothing acknowledged is lost."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from omp_core.memory import Memory
from omp_core.model import Query, Tier

_WORKER = """
import json, sys
from pathlib import Path
from omp_core.memory import Memory

folder, name, kind, number = Path(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4])
ids = json.loads((folder / "ids.json").read_text()) if kind == "update" else []
with Memory.open(workspace=folder, store=folder / "store.db", actor=f"agent:{name}",
                 load_embedder=lambda _settings: None) as memory:
    for turn in range(number):
        if kind == "add":
            receipt = memory.add(f"agent {name} remembers fact number {turn}")
            said = [receipt.id]
        else:
            target = ids[(turn * 7 + len(name)) % len(ids)]
            field = ("content", f"metadata.{name}", "content", "metadata.shared")[turn % 4]
            value = f"{name}-{turn}"
            version = memory.get(target).version
            memory.update(target, {field: value}, based_on=version)
            said = [target, field, value]
        # the line is the acknowledgement: it is out before the next write begins
        sys.stdout.write(json.dumps(said) + "\\n")
        sys.stdout.flush()
"""


def start(folder: Path, name: str, kind: str, number: int) -> subprocess.Popen[str]:
    with (folder / f"{name}.said").open("w") as said, (folder / f"{name}.err").open("w") as err:
        return subprocess.Popen(
            [sys.executable, "-c", _WORKER, str(folder), name, kind, str(number)],
            stdout=said,
            stderr=err,
            text=True,
        )


def acknowledged(folder: Path, names: list[str]) -> list[list[str]]:
    """Return every line that was written whole."""
    said = []
    for name in names:
        text = (folder / f"{name}.said").read_text()
        said += [json.loads(line) for line in text.split("\n")[:-1]]
    return said


def open_memory(folder: Path) -> Memory:
    return Memory.open(
        workspace=folder, store=folder / "store.db", load_embedder=lambda _settings: None
    )


def test_four_processes_adding_lose_nothing_and_double_nothing(tmp_path: Path) -> None:
    names = ["w1", "w2", "w3", "w4"]
    workers = [start(tmp_path, name, "add", 100) for name in names]
    assert [worker.wait(timeout=120) for worker in workers] == [0] * 4, errors(tmp_path, names)
    said = {line[0] for line in acknowledged(tmp_path, names)}
    with open_memory(tmp_path) as memory:
        held = {record.id for record in memory.export()}
        assert len(said) == 400
        assert held == said
        assert memory.list(Query()).total == 400
        tiers = {use.tier: use.used for use in memory.overview().tiers}
        memory.maintain()
        assert sum(tiers.values()) == 400
        assert {use.tier: use.used for use in memory.overview().tiers}[Tier.SHORT_TERM] == 100


def run_harness(folder: Path, *, processes: int, updates: int, records: int, seed: int) -> int:
    """Race processes that update shared records, kill some, and count what was lost."""
    with open_memory(folder) as memory:
        ids = [memory.add(f"shared record {number}").id for number in range(records)]
    (folder / "ids.json").write_text(json.dumps(ids))
    names = [f"p{'x' * number}{number}" for number in range(processes)]
    chance = random.Random(seed)
    workers = {name: start(folder, name, "update", updates) for name in names}
    doomed = set(chance.sample(names, processes // 4))
    for name in doomed:
        wanted = chance.randrange(1, updates // 2)
        wait_until(partial(has_said, folder / f"{name}.said", wanted, workers[name]))
        os.kill(workers[name].pid, signal.SIGKILL)
    for name, worker in workers.items():
        code = worker.wait(timeout=300)
        assert code == 0 or name in doomed, (folder / f"{name}.err").read_text()
    return lost(folder, names, ids)


def has_said(file: Path, lines: int, worker: subprocess.Popen[str]) -> bool:
    """Return whether a process has said so much, or ended before it could."""
    return file.read_text().count("\n") >= lines or worker.poll() is not None


def lost(folder: Path, names: list[str], ids: list[str]) -> int:
    """Count acknowledged values that are neither current, nor in the journal, nor disputed."""
    with open_memory(folder) as memory:
        known: set[tuple[str, str, str]] = set()
        for record in (memory.get(one) for one in ids):
            known.add((record.id, "content", record.content))
            known |= {
                (record.id, f"metadata.{key}", value) for key, value in record.metadata.items()
            }
            known |= {(record.id, one.field, one.incoming) for one in record.disputes}
            for entry in memory.history(record.id):
                if entry.before is not None and entry.after is not None:
                    known |= {
                        (record.id, field, value)
                        for field, value in entry.after.items()
                        if isinstance(value, str)
                    }
        said = acknowledged(folder, names)
        assert said, "no write was acknowledged"
        return sum(tuple(line) not in known for line in said)


@pytest.mark.parametrize("seed", [1, 2])
def test_racing_updates_with_killed_processes_lose_nothing(tmp_path: Path, seed: int) -> None:
    assert run_harness(tmp_path, processes=4, updates=40, records=5, seed=seed) == 0


def wait_until(condition: Callable[[], bool], seconds: float = 120) -> None:
    """Wait for a condition; fail when it does not come."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "the condition did not come about"
        time.sleep(0.005)


def errors(folder: Path, names: list[str]) -> str:
    return "\n".join((folder / f"{name}.err").read_text() for name in names)
