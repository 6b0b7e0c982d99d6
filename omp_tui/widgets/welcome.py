"""What a first run shows in place of empty tables."""

from __future__ import annotations

from collections.abc import Iterable

from textual.containers import Center, Middle, Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from omp_core.i18n import _
from omp_tui.text import MUTED
from omp_tui.widgets.links import link


def _offer(key: str, action: str, what: str, more: str) -> Content:
    line = Content.assemble(
        (f" {key} ", "bold reverse"), "  ", (what, "bold"), "\n     ", (more, MUTED)
    )
    return link(line, action)


class Welcome(Middle):
    """Five lines on what a memory is here, and three ways to begin; each can be clicked."""

    def compose(self) -> Iterable[Widget]:
        text = Content("\n").join(
            [
                Content.styled(_("There is no memory here yet."), "bold $text-accent"),
                Content(""),
                Content(
                    _("A memory is one fact that a coding agent keeps: a preference, a decision.")
                ),
                Content(
                    _("Facts about a project lie in _omp/memory/ beside the code, in plain files.")
                ),
                Content(_("Facts about you lie in a store of your own on this machine.")),
                Content(_("Agents write to both while this screen is open; it follows by itself.")),
                Content(_("Here you see them, search them, put them right, and undo any of it.")),
                Content(""),
            ]
        )
        offers = (
            (
                "project",
                _offer(
                    "i",
                    "screen.init_project",
                    _("Set up this project"),
                    _("makes _omp/ in the current directory"),
                ),
            ),
            (
                "export",
                _offer(
                    "o",
                    "screen.open_export",
                    _("Open an export or a folder of another tool"),
                    _("mem0, OpenMemory, MCP memory, Claude Code, …"),
                ),
            ),
            (
                "demo",
                _offer(
                    "d", "screen.demo", _("Look at the demo"), _("a made-up memory to play with")
                ),
            ),
        )
        with Center(), Vertical(id="welcome-text"):
            yield Static(text)
            for name, offer in offers:
                yield Static(offer, id=f"offer-{name}", classes="offer")
