"""How a file is opened at a line in the person's editor."""

from __future__ import annotations

from pathlib import Path

import pytest

from omp_tui.editor import editor_command

FILE = Path("/shop/project.yaml")


@pytest.mark.parametrize(
    ("environment", "command"),
    [
        ({}, ["vi", "+7", str(FILE)]),
        ({"EDITOR": "nano"}, ["nano", "+7", str(FILE)]),
        ({"EDITOR": "nano", "VISUAL": "emacs -nw"}, ["emacs", "-nw", "+7", str(FILE)]),
        ({"EDITOR": "code"}, ["code", "--wait", "--goto", f"{FILE}:7"]),
        ({"EDITOR": "code --wait"}, ["code", "--wait", "--goto", f"{FILE}:7"]),
        ({"EDITOR": "hx"}, ["hx", f"{FILE}:7"]),
    ],
)
def test_the_line_is_told_as_the_editor_wants_it(
    environment: dict[str, str], command: list[str]
) -> None:
    assert editor_command(environment, FILE, 7) == command


def test_without_a_line_only_the_file_is_named() -> None:
    assert editor_command({"EDITOR": "hx"}, FILE, None) == ["hx", str(FILE)]
