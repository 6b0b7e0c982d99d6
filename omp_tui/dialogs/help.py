"""The keys of the screen that it was called from, and of no other; typing finds one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from textual import on
from textual.content import Content
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Input

from omp_core.i18n import _
from omp_tui.dialogs.base import Dialog
from omp_tui.keys import Key, key_name, keys_of
from omp_tui.modes import mode_named
from omp_tui.text import MUTED, fit
from omp_tui.widgets.fields import Field
from omp_tui.widgets.panel import Panel


class HelpDialog(Dialog[None]):
    """Lists the given keys: what works here first, what works everywhere below."""

    AUTO_FOCUS = "#find"

    def __init__(self, title: str, here: Sequence[Key], everywhere: Sequence[Key]) -> None:
        super().__init__(_("Keys in {mode}").format(mode=title))
        self._here = tuple(here)
        self._everywhere = tuple(everywhere)
        self._lines: Panel[str] = Panel(self._draw)

    def body(self) -> Iterable[Widget]:
        self._lines.show("")
        yield self._lines

    def foot(self) -> Iterable[Widget]:
        yield Field(placeholder=_("find a key"), id="find", compact=True)

    @on(Input.Changed, "#find")
    def _find(self, event: Input.Changed) -> None:
        self._lines.show(event.value.strip().casefold())

    def _draw(self, sought: str, width: int) -> list[Content]:
        here = [_line(key) for key in self._here if _fits(key, sought)]
        everywhere = [_line(key) for key in self._everywhere if _fits(key, sought)]
        if not here and not everywhere:
            return [Content.styled(_("No key does that here."), MUTED)]
        if not everywhere:
            return here
        gap = [Content("")] if here else []
        return [*here, *gap, Content.styled(_("everywhere"), MUTED), *everywhere]


def help_of(screen: Screen[Any]) -> tuple[str, list[Key], list[Key]]:
    """Return a screen's name, its own keys, and those that work everywhere."""
    keys = keys_of(screen, consumed=True)
    keys = [key for key in keys if not key.moving] + [key for key in keys if key.moving]
    own = type(screen.app).__name__
    name = (
        screen.name_of_help
        if isinstance(screen, Dialog)
        else mode_named(screen.app.current_mode).title
    )
    here = [key for key in keys if key.scope != own]
    everywhere = [key for key in keys if key.scope == own]
    return name, here, [] if isinstance(screen, Dialog) else everywhere


def _fits(key: Key, sought: str) -> bool:
    names = " ".join(key_name(name) for name in key.keys)
    return sought in f"{names} {key.description}".casefold()


def _line(key: Key) -> Content:
    names = " ".join(key_name(name) for name in key.keys)
    style = "bold $text-accent" if key.enabled else MUTED
    return Content.assemble(fit(Content(names), 14).stylize(style), key.description)
