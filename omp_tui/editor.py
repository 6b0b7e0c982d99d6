"""The person's own editor, opened on a line of a file."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path

_COLON = ("code", "codium", "cursor", "subl", "hx", "helix", "zed")
"""Editors that take `file:line`; the others take `+line file`, as vi began."""
_GOTO = ("code", "codium", "cursor")
_WAIT = ("code", "codium", "cursor", "subl", "zed")
"""Editors with a window of their own: they return at once unless they are told to wait."""


def editor_command(environment: Mapping[str, str], file: Path, line: int | None) -> list[str]:
    """Return the command that opens a file at a line, counted from 1.

    The editor is what VISUAL names, else EDITOR, else vi, as other programs do.
    """
    named = environment.get("VISUAL") or environment.get("EDITOR") or "vi"
    words = shlex.split(named) or ["vi"]
    name = Path(words[0]).name
    if name in _WAIT and "--wait" not in words and "-w" not in words:
        words.append("--wait")
    if line is None:
        return [*words, str(file)]
    if name in _COLON:
        return [*words, *(["--goto"] if name in _GOTO else []), f"{file}:{line}"]
    return [*words, f"+{line}", str(file)]
