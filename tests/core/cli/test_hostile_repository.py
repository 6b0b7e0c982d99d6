"""A cloned repository that is a trap: every command ends, and nothing outside changes."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links and pipes of POSIX")

EVERY_COMMAND = """
import faulthandler, os, sys, time
import click
from click.testing import CliRunner
from omp_core.cli import cli

GIVEN = {"path": "name", "value": "x", "text": "a note", "title": "a", "choice": "b"}
NEVER = {"mcp", "pull", "calibrate"}

def commands(group, *path):
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from commands(command, *path, name)
        elif name not in NEVER:
            yield (*path, name), command

def given(command):
    for one in command.params:
        if isinstance(one, click.Argument) and one.required:
            yield GIVEN.get(one.name, "nothing")
        elif isinstance(one, click.Option) and one.required:
            yield from (one.opts[0], GIVEN.get(one.name, "nothing"))

for path, command in commands(cli):
    faulthandler.dump_traceback_later(LIMIT, exit=True)
    began, spent = time.monotonic(), time.process_time()
    ran = CliRunner().invoke(cli, [*path, *given(command)], input="")
    faulthandler.cancel_dump_traceback_later()
    if "unexpected error" in ran.output or not isinstance(ran.exception, SystemExit | None):
        print("UNEXPECTED", *path, ran.output[:300], repr(ran.exception))
    took = time.monotonic() - began, time.process_time() - spent
    print("ended", *path, ran.exit_code, *("%.2f" % one for one in took))
""".replace("LIMIT", "60")
"""Only a command that hangs meets this limit, also on a machine where others are at work."""


READING = ("list", "search", "stats", "health", "conflicts", "context", "review list")
"""Commands that have to say that they did not see everything."""


@pytest.fixture
def trap(tmp_path: Path) -> Path:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "held.yaml").write_text("name: outside-marker\n")
    omp = tmp_path / "repo" / "_omp"
    memory = omp / "memory"
    (memory / "schema").mkdir(parents=True)
    (omp / "config.yaml").write_text(
        f"store: {{path: {outside}/caught.db, backups_kept: 0, search_log_days: 0}}\n"
        f"user_id: victim\nembed: {{model_path: {outside}}}\ntiers: {{working_capacity: 1}}\n"
    )
    (memory / "project.yaml").symlink_to(outside / "held.yaml")
    (memory / "decisions.yaml").symlink_to(outside / "made.yaml")
    os.mkfifo(memory / "changelog.yaml")
    (memory / "zero.yaml").symlink_to("/dev/zero")
    with (memory / "large.yaml").open("wb") as stream:
        stream.truncate(2 * 1024**3)
    lines = ["a0: &a0 [x, x]"] + [f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]" for n in range(1, 40)]
    (memory / "bomb.yaml").write_text("\n".join(lines))
    (memory / "deep.yaml").write_text("[" * 2_000)
    (memory / "hook.yaml").write_text(f"a: !!python/object/apply:os.mkdir [{outside}/hooked]\n")
    (memory / "sessions").symlink_to(outside)
    (memory / ".backup").symlink_to(outside)
    (memory / "user-context.yaml").symlink_to(outside / "pending.yaml")
    (memory / "schema" / "project.schema.json").write_text('{"$ref": "http://127.0.0.1:9/x"}')
    return tmp_path


def state(folder: Path) -> dict[str, tuple[int, str]]:
    return {
        str(file): (
            file.lstat().st_mode,
            hashlib.sha256(file.read_bytes()).hexdigest() if file.is_file() else "",
        )
        for file in [folder, *sorted(folder.rglob("*"))]
    }


def test_every_command_ends_with_a_name_for_what_it_saw(trap: Path, private_home: Path) -> None:
    before = state(trap / "outside")
    own = private_home / "config" / "omp-tui"
    own.mkdir(parents=True)
    (own / "config.yaml").write_text("semantic: {provider: none}\nuser_id: ana\n")
    ran = subprocess.run(
        [sys.executable, "-c", EVERY_COMMAND],
        cwd=trap / "repo",
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert ran.returncode == 0, ran.stderr[-3000:]
    assert "UNEXPECTED" not in ran.stdout
    ended = [line.split() for line in ran.stdout.splitlines() if line.startswith("ended")]
    assert len(ended) > 60
    slowest = sorted(ended, key=lambda words: float(words[-1]), reverse=True)[:5]
    print("slowest, seconds of the clock and of the processor:")  # noqa: T201
    print("\n".join(" ".join(words[1:]) for words in slowest))  # noqa: T201 - figures to read
    codes = {" ".join(words[1:-3]): words[-3] for words in ended}
    assert {codes[name] for name in READING} == {"3"}
    assert state(trap / "outside") == before
    told = subprocess.run(
        [sys.executable, "-m", "omp_tui", "doctor"],
        cwd=trap / "repo",
        capture_output=True,
        text=True,
        timeout=60,
    )
    names = ("project", "decisions", "changelog", "zero", "large", "bomb", "deep", "user-context")
    for name in names:
        assert f"{name}.yaml" in told.stdout
    for key in ("store.path", "store.backups_kept", "user_id", "embed.model_path"):
        assert f"config.yaml: {key}" in told.stdout
    assert "outside-marker" not in told.stdout
