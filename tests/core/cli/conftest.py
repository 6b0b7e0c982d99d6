"""Run the command line as a script would: a process of its own, or the same code in-process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from omp_core import availability
from omp_core.cli import cli
from omp_core.embed.protocol import Embedder


@dataclass(frozen=True)
class Ran:
    """How a command ended: exit code, what it answered, what else it said."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Run = Callable[..., Ran]


@pytest.fixture
def private_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep settings, data, cache and logs of the commands away from the real ones."""
    home = tmp_path / "home"
    for name in ("CONFIG", "DATA", "CACHE", "STATE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(home / name.lower()))
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("OMP_LANG", "en")
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    return home


@pytest.fixture
def own_settings(private_home: Path) -> Path:
    """The file of the user's own settings, in a folder that is there."""
    file = private_home / "config" / "omp-tui" / "config.yaml"
    file.parent.mkdir(parents=True)
    return file


@pytest.fixture
def omp(
    tmp_path: Path, private_home: Path, embedder: Embedder, monkeypatch: pytest.MonkeyPatch
) -> Run:
    """Run a command in this process, on a workspace and, unless one is named, a store of the
    test's own."""
    monkeypatch.setattr(availability, "load_embedder", lambda _settings: embedder)

    def run(*arguments: str, code: int | None = 0, stdin: str | None = None) -> Ran:
        words = [str(word) for word in arguments]
        place = ["--workspace", str(tmp_path)]
        if "--store" not in words:
            place += ["--store", str(tmp_path / "store.db")]
        result = CliRunner().invoke(cli, [*words, *place], input=stdin)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert code is None or result.exit_code == code, result.output
        return Ran(result.exit_code, result.stdout, result.stderr)

    return run


@pytest.fixture
def omp_process(tmp_path: Path, private_home: Path) -> Run:
    """Run a command as a process of its own."""

    def run(*arguments: str, stdin: str | None = None) -> Ran:
        done = subprocess.run(
            [sys.executable, "-m", "omp_tui", *arguments],
            cwd=tmp_path,
            input=stdin,
            capture_output=True,
            text=True,
            timeout=60,
        )
        return Ran(done.returncode, done.stdout, done.stderr)

    return run
