"""Ask for a file or folder to bring in."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path

from textual.containers import Horizontal
from textual.content import Content
from textual.suggester import Suggester
from textual.widget import Widget
from textual.widgets import Button, Input, Static

from omp_core.i18n import _
from omp_tui.dialogs.base import Dialog
from omp_tui.text import MUTED, safe, shown
from omp_tui.widgets.fields import Field


class PathDialog(Dialog[Path]):
    """Gives a path that exists, or None."""

    def __init__(self) -> None:
        super().__init__(_("Open an export or a folder of another tool"))

    def body(self) -> Iterable[Widget]:
        yield Static(
            Content.styled(
                _("mem0 JSON, OpenMemory zip, MCP memory, lm-mem, Claude Code, openmemory-plus"),
                MUTED,
            )
        )
        yield Field(
            placeholder=_("path; → completes"), suggester=PathSuggester(), id="path", compact=True
        )

    def foot(self) -> Iterable[Widget]:
        yield Static(id="error")
        yield Horizontal(
            Button(Content(_("Cancel  esc")), id="cancel", compact=True),
            Button(Content(_("Open  enter")), id="open", variant="primary", compact=True),
            classes="buttons",
        )

    def on_button_pressed(self, event: Button.Pressed) -> None:
        event.stop()
        if event.button.id == "open":
            self._give(self.query_one(Input).value)
        else:
            self.dismiss(None)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self._give(event.value)

    def _give(self, typed: str) -> None:
        path = Path(typed.strip()).expanduser()
        if not typed.strip() or not path.exists():
            text = _("There is no file or folder {path}.").format(path=path)
            self.query_one("#error", Static).update(safe(text).stylize("$text-error"))
            self.fit()
            return
        self.dismiss(path)


class PathSuggester(Suggester):
    """Completes a path with the first entry of its folder that begins so."""

    def __init__(self) -> None:
        super().__init__(use_cache=False, case_sensitive=True)

    async def get_suggestion(self, value: str) -> str | None:
        return await asyncio.to_thread(complete, value)


def complete(typed: str) -> str | None:
    """Return the typed path grown by one name, or None. Names with controls are left out."""
    if not typed:
        return None
    folder, _slash, start = typed.rpartition("/")
    place = Path(folder + "/").expanduser() if _slash else Path()
    try:
        names = sorted(entry.name for entry in place.iterdir() if entry.name.startswith(start))
    except OSError:
        return None
    for name in names:
        if name != start and shown(name) == name and (start or not name.startswith(".")):
            slash = "/" if (place / name).is_dir() else ""
            return f"{folder}{_slash}{name}{slash}"
    return None
