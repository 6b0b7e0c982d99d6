"""What the keys do here, as many as fit in one line. Every entry can be clicked."""

from __future__ import annotations

from textual.content import Content
from textual.screen import Screen
from textual.widget import Widget

from omp_tui.keys import Key, keys_of
from omp_tui.text import MUTED
from omp_tui.widgets.links import link

_ALWAYS = ("help", "app.help", "command_palette")
_FIRST = ("enter", "u", "d", "f", "F", "e", "y", "x", "escape", "ctrl+s")
"""Keys whose entries are the last to go where there is no room for all."""


class KeyLine(Widget):
    """Help and palette always stay; a cut ends in `…`."""

    DEFAULT_CSS = """
    KeyLine { dock: bottom; height: 1; width: 100%; padding: 0 1; background: $background; }
    """
    auto_links = False

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, self._bindings_changed)

    def _bindings_changed(self, screen: Screen[object]) -> None:
        self.refresh()

    def render(self) -> Content:
        return self.keys(self.content_size.width)

    def keys(self, width: int) -> Content:
        """Return the entries that fit, in the order of the bindings."""
        keys = [key for key in keys_of(self.screen) if key.shown]
        ending = Content("  ").join([_entry(key) for key in keys if key.action in _ALWAYS])
        rest = [(key, _entry(key)) for key in keys if key.action not in _ALWAYS]
        room = width - ending.cell_length
        if sum(entry.cell_length + 2 for _key, entry in rest) > room:
            room -= 3  # for the sign of the cut
        chosen: set[int] = set()
        for index in sorted(range(len(rest)), key=lambda place: _rank(rest[place][0])):
            taken = rest[index][1].cell_length + 2
            if taken <= room:
                chosen.add(index)
                room -= taken
        entries = [entry for index, (_key, entry) in enumerate(rest) if index in chosen]
        if len(chosen) < len(rest):
            entries.append(Content("…"))
        return Content("  ").join([*entries, ending] if ending.cell_length else entries)


def _rank(key: Key) -> int:
    return min((_FIRST.index(name) for name in key.keys if name in _FIRST), default=len(_FIRST))


def _entry(key: Key) -> Content:
    # what cannot be used just now is muted, not dimmed: that could not be read in a light theme
    name = Content.styled(key.label, "bold $text-accent" if key.enabled else MUTED)
    words = Content.assemble(name, " ", (key.description, MUTED))
    return link(words, f"screen.press('{key.keys[0]}')")
