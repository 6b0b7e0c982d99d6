"""Key bindings whose descriptions are translated when they are shown.

Class bodies run before the language is known, so a description is marked there and looked
up by whatever shows it: key bar, help, palette.
"""

from __future__ import annotations

from dataclasses import dataclass

from textual.binding import Binding, BindingType
from textual.screen import Screen

from omp_core.i18n import _

Bindings = list[BindingType]
_OURS = "omp-tui:"
"""Begins the id of this program's bindings; the framework's widgets bring others along."""

_NAMES = {
    "slash": "/",
    "question_mark": "?",
    "ctrl+p": "^p",
    "ctrl+r": "^r",
    "ctrl+t": "^t",
    "ctrl+s": "^s",
    "escape": "esc",
    "space": "space",
    "enter": "enter",
    "up": "↑",
    "down": "↓",
    "left": "←",
    "right": "→",
    "pageup": "pgup",
    "pagedown": "pgdn",
}


def N_(text: str) -> str:
    """Mark a text for translation; it is looked up when it is shown."""
    return text


def bind(
    keys: str, action: str, description: str, *, show: bool = True, priority: bool = False
) -> Binding:
    """Return a binding. `show` puts it on the key bar; help and palette list all."""
    return Binding(keys, action, description, show=show, priority=priority, id=f"{_OURS}{action}")


@dataclass(frozen=True, slots=True)
class Key:
    """One action that the keyboard offers now: all keys of it, what it does, how to run it."""

    keys: tuple[str, ...]
    action: str
    description: str
    shown: bool
    enabled: bool
    scope: str
    """Name of the class that defines it; the application's own are the same everywhere."""

    @property
    def label(self) -> str:
        """The first key as people write it."""
        return key_name(self.keys[0])


def key_name(key: str) -> str:
    """Return the short name of a key: `^r`, `esc`, `/`."""
    return _NAMES.get(key, key)


def keys_of(screen: Screen[object]) -> list[Key]:
    """Return this program's actions on a screen, its own first, one entry per action.

    Keys that the framework's widgets bring along, such as those that edit text, are not listed.
    """
    found: dict[str, Key] = {}
    for key, active in screen.active_bindings.items():
        binding = active.binding
        if not (binding.id or "").startswith(_OURS):
            continue
        before = found.get(binding.action)
        found[binding.action] = Key(
            keys=(*before.keys, key) if before else (key,),
            action=binding.action,
            description=_(binding.description),
            shown=binding.show,
            enabled=active.enabled,
            scope=type(active.node).__name__,
        )
    return list(found.values())
