"""Real processes: many writers at once, and writers that are killed in the middle."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from omp_core.project.validation import validate
from omp_core.project.workspace import Workspace, init_workspace
from omp_core.project.writers import DecisionEntry, Documents

WRITERS = 4
EACH = 50
KILLS = 40

APPEND = dedent(
    """
    import sys
    from pathlib import Path
    from omp_core.project.workspace import Workspace
    from omp_core.project.writers import DecisionEntry, Documents

    documents = Documents(Workspace(Path(sys.argv[1])), by=f"agent:{sys.argv[2]}")
    for number in range(int(sys.argv[3])):
        print(documents.add_decision(DecisionEntry(f"writer {sys.argv[2]}", f"choice {number}")).id)
    """
)

# Forks a writer per line on stdin, so that a hundred start without a hundred start-ups. Each
# writer acknowledges a write on stdout after it returned, until it is killed.
LOOP = dedent(
    """
    import os, sys
    from pathlib import Path
    from omp_core.project.workspace import Workspace
    from omp_core.project.writers import Documents

    documents = Documents(Workspace(Path(sys.argv[1])), by="agent:looping")
    documents.set_values({"counter": 0})
    print("ready", flush=True)
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            number = int(line)
            while True:
                number += 1
                documents.set_values({"counter": number, f"seen.n{number % 7}": "x" * number})
                os.write(1, f"{number}\\n".encode())
        print("child", child, flush=True)
        os.waitpid(child, 0)
        print("gone", flush=True)
    """
)


@pytest.fixture
def fresh(tmp_path: Path) -> Workspace:
    init_workspace(tmp_path)
    return Workspace(tmp_path)


def test_decisions_of_four_processes(fresh: Workspace) -> None:
    comments = fresh.decisions_file.read_text("utf-8").partition("decisions:")[0]
    fresh.decisions_file.write_text(
        f"{comments}decisions: # ours\n  # the first\n  - id: dec-2020-01-01-001\n    title: old\n",
        encoding="utf-8",
    )
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", APPEND, str(fresh.root), str(number), str(EACH)],
            stdout=subprocess.PIPE,
            text=True,
        )
        for number in range(WRITERS)
    ]
    acknowledged = [line for writer in writers for line in writer.communicate()[0].split()]
    assert [writer.returncode for writer in writers] == [0] * WRITERS
    data = Documents(fresh, by="user").open(fresh.decisions_file).read().data
    ids = [entry["id"] for entry in data["decisions"]]
    assert len(ids) == len(set(ids)) == 1 + WRITERS * EACH
    assert sorted(acknowledged) == sorted(ids[1:])
    numbers = [int(name.rsplit("-", 1)[1]) for name in ids[1:]]
    assert sorted(numbers) == list(range(1, WRITERS * EACH + 1))
    choices = {(entry["title"], entry["choice"]) for entry in data["decisions"][1:]}
    assert len(choices) == WRITERS * EACH
    assert validate(fresh.decisions_file, fresh) == []
    text = fresh.decisions_file.read_text("utf-8")
    assert text.startswith(comments)
    assert "decisions: # ours\n  # the first\n" in text


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_killed_at_random_again_and_again(fresh: Workspace) -> None:
    comments = fresh.project_file.read_text("utf-8")
    choose = random.Random(20260301)
    documents = Documents(fresh, by="user")
    last = 0
    command = [sys.executable, "-c", LOOP, str(fresh.root)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdin is not None
        assert parent.stdout is not None
        assert parent.stdout.readline() == "ready\n"
        for _ in range(KILLS):
            print(last, file=parent.stdin, flush=True)
            writes = choose.randint(0, 2)
            child = 0
            while child == 0 or writes > 0:
                line = parent.stdout.readline()
                if line.startswith("child"):
                    child = int(line.split()[1])
                else:
                    last = int(line)
                    writes -= 1
            subprocess.run(["sleep", f"{choose.random() * 0.02:.4f}"], check=True)
            os.kill(child, signal.SIGKILL)
            while (line := parent.stdout.readline()) != "gone\n":
                last = int(line)
            content = documents.open(fresh.project_file).read()
            counter = content.data["counter"]
            assert counter in (last, last + 1), "an acknowledged write is lost"
            assert content.source.text.startswith(comments)
            last = counter
        parent.stdin.close()
    assert parent.returncode == 0
    documents.set_values({"counter": -1})
    assert validate(fresh.project_file, fresh) == []
    assert not list(fresh.memory.glob(".*.tmp"))


def test_a_person_and_an_agent_at_once(fresh: Workspace) -> None:
    """Whoever saves without our lock is not overwritten: the writer starts again."""
    documents = Documents(fresh, by="agent:codex")
    documents.set_values({"by hand": 0})
    writer = subprocess.Popen(
        [sys.executable, "-c", APPEND, str(fresh.root), "1", "20"], stdout=subprocess.DEVNULL
    )
    edits = 0
    while writer.poll() is None:
        edits += 1
        documents.set_values({"by hand": edits})
    assert writer.returncode == 0
    assert documents.open(fresh.project_file).read().data["by hand"] == edits
    documents.add_decision(DecisionEntry("last", "x"))
    data = documents.open(fresh.decisions_file).read().data
    assert len(data["decisions"]) == 21
