"""Pictures without a terminal."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from tui.driven import NOW, MakeMemory, record

from omp_core.errors import UsageError
from omp_core.i18n import interface_language, use_language
from omp_tui.commands import snapshot
from omp_tui.snapshot import render


@pytest.mark.parametrize(
    ("pane", "words"),
    [
        ("overview", "Newest"),
        ("memories", "alembic"),
        ("activity", "live"),
        ("project", "document"),
    ],
)
def test_a_picture_shows_data(make_memory: MakeMemory, pane: str, words: str) -> None:
    svg = render(make_memory(30).as_memory, pane, (100, 30), now=lambda: NOW)
    assert svg.startswith("<svg")
    assert words in svg


def test_wide_characters_are_two_cells_wide_in_the_picture(make_memory: MakeMemory) -> None:
    memory = make_memory(0)
    memory.elsewhere(record(1, content="用户偏好"))
    svg = render(memory.as_memory, "memories", (100, 30), now=lambda: NOW)
    (length, _rest), *_others = re.findall(r'textLength="([0-9.]+)"([^>]*)>用户偏好<', svg)
    assert float(length) == pytest.approx(8 * 12.2, abs=0.1)


def test_an_unknown_pane_is_refused_by_name(make_memory: MakeMemory) -> None:
    with pytest.raises(UsageError, match="no mode themesx; known are overview, memories"):
        render(make_memory(1).as_memory, "themesx", (80, 24))


def test_the_command_writes_a_picture_of_a_sample_in_chinese(tmp_path: Path) -> None:
    file = tmp_path / "help.svg"
    before = interface_language()
    try:
        asked = "--dialog help --data empty --lang zh --theme textual-light --size 80x24 --out"
        ended = CliRunner().invoke(snapshot, [*asked.split(), str(file)])
    finally:
        use_language(before)
    assert ended.exit_code == 0, ended.output
    assert "总览" in file.read_text(encoding="utf-8")


def test_a_size_that_is_none_and_a_dialog_that_is_none_are_misuse() -> None:
    assert CliRunner().invoke(snapshot, ["--size", "big"]).exit_code == 2
    wrong = CliRunner().invoke(snapshot, ["--data", "empty", "--dialog", "nothing"])
    assert wrong.exit_code == 2
    assert "no dialog nothing; known are help" in wrong.output
