from __future__ import annotations

import logging
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from omp_core import logs


@pytest.fixture
def log_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    file = tmp_path / "state" / "log" / "omp-tui.log"
    monkeypatch.setattr(logs, "log_path", lambda: file)
    root = logging.getLogger()
    handlers, level, umask = root.handlers[:], root.level, os.umask(0)
    logs.log_to_file()
    yield file
    for handler in root.handlers:
        handler.close()
    root.handlers[:] = handlers
    root.setLevel(level)
    logging.captureWarnings(False)
    os.umask(umask)


def test_no_control_character_reaches_the_log(log_file: Path) -> None:
    hostile = "a\x1b]0;owned\x07b\x9b2Jc\u202ed"
    try:
        raise OSError(2, "gone", hostile)
    except OSError:
        logging.getLogger("test").exception("%s cannot be read", hostile)
    text = log_file.read_text("utf-8")
    assert "Traceback" in text
    assert "owned" in text
    assert not set(text) & {"\x1b", "\x07", "\x9b", "\u202e"}


def test_no_secret_reaches_the_log(log_file: Path) -> None:
    logging.getLogger("test").warning("password is %s", "swordfish" + "ing")
    assert "swordfish" not in log_file.read_text("utf-8")


def test_the_log_is_private_under_any_umask(log_file: Path) -> None:
    logging.getLogger("test").warning("begun")
    assert stat.S_IMODE(log_file.stat().st_mode) == 0o600
    assert stat.S_IMODE(log_file.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE(log_file.parent.parent.stat().st_mode) == 0o700
