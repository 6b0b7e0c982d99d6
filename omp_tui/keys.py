"""Key bindings whose descriptions are translated when they are shown.

Class bodies run before the language is known, so a description is marked there and looked
up by whatever shows it: key bar, help, palette.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from textual.binding import Binding, BindingType
from textual.dom import DOMNode
from textual.screen import Screen

from omp_core.i18n import _

Bindings = list[BindingType]
_OURS = "omp-tui:"
"""Begins the id of this program's bindings; the framework's widgets bring others along."""
MOVING = Binding.Group("moving")
"""Moving about: listed last, since everybody tries these keys anyway."""

_NAMES = {
    "slash": "/",
    "question_mark": "?",
    "exclamation_mark": "!",
    "asterisk": "*",
    "ctrl+p": "^p",
    "ctrl+r": "^r",
    "ctrl+t": "^t",
    "ctrl+s": "^s",
    "escape": "esc",
    "space": "space",
    "enter": "enter",
    "up": "↑",
    "down": "↓",
    "plus": "+",
    "minus": "-",
    "left": "←",
    "right": "→",
    "pageup": "pgup",
    "pagedown": "pgdn",
}


def N_(text: str) -> str:
    """Mark a text for translation; it is looked up when it is shown."""
    return text


def bind(
    keys: str,
    action: str,
    description: str,
    *,
    show: bool = True,
    priority: bool = False,
    moving: bool = False,
) -> Binding:
    """Return a binding. `show` puts it on the key bar; help and palette list all."""
    return Binding(
        keys,
        action,
        description,
        show=show,
        priority=priority,
        id=f"{_OURS}{action}",
        group=MOVING if moving else None,
    )


@dataclass(frozen=True, slots=True)
class Key:
    """One action that the keyboard offers: all keys of it, what it does, whose it is."""

    keys: tuple[str, ...]
    action: str
    description: str
    shown: bool
    enabled: bool
    moving: bool
    scope: str
    """Name of the class that defines it; the application's own are the same everywhere."""
    node: DOMNode | None = None
    """On what it runs; None where that is not on the screen."""

    @property
    def label(self) -> str:
        """The first key as people write it."""
        return key_name(self.keys[0])


def key_name(key: str) -> str:
    """Return the short name of a key: `^r`, `esc`, `/`."""
    return _NAMES.get(key, key)


def keys_of(screen: Screen[Any], *, consumed: bool = False) -> list[Key]:
    """Return this program's actions on a screen, its own first, one entry per action.

    Keys that the framework's widgets bring along, such as those that edit text, are not listed.
    With `consumed` the actions whose keys the focused field takes as text are listed too.
    """
    if not consumed:
        return _one_each(
            _key(key, active.binding, active.node, active.enabled)
            for key, active in screen.active_bindings.items()
            if _is_ours(active.binding)
        )
    focused = screen.focused
    nodes: list[DOMNode] = [screen, screen.app]
    if focused is not None:
        nodes = [*(node for node in focused.ancestors_with_self if node not in nodes), *nodes]
    return _one_each(
        _key(key, binding, node, bool(_may(node, binding.action)))
        for node in nodes
        for key, bindings in node._bindings.key_to_bindings.items()
        for binding in bindings
        if _is_ours(binding) and _may(node, binding.action) is not False
    )


def keys_of_class(kind: type[DOMNode]) -> list[Key]:
    """Return the actions that a class binds, without an instance of it; all count as enabled."""
    return _one_each(
        _key(key, binding, None, True, scope=kind.__name__)
        for key, bindings in kind._merge_bindings().key_to_bindings.items()
        for binding in bindings
        if _is_ours(binding)
    )


def _is_ours(binding: Binding) -> bool:
    return (binding.id or "").startswith(_OURS)


def _may(node: DOMNode, action: str) -> bool | None:
    target, name, parameters = node.app._parse_action(action, node)
    return target.check_action(name, parameters)


def _key(
    key: str, binding: Binding, node: DOMNode | None, enabled: bool, *, scope: str = ""
) -> Key:
    return Key(
        keys=(key,),
        action=binding.action,
        description=_(binding.description),
        shown=binding.show,
        enabled=enabled,
        moving=binding.group is MOVING,
        scope=scope or type(node).__name__,
        node=node,
    )


def _one_each(keys: Iterable[Key]) -> list[Key]:
    found: dict[str, Key] = {}
    for key in keys:
        before = found.get(key.action)
        if before is None:
            found[key.action] = key
        elif before.shown or not key.shown:
            found[key.action] = replace(before, keys=(*before.keys, *key.keys))
        else:
            found[key.action] = replace(key, keys=(*key.keys, *before.keys))
    return list(found.values())
