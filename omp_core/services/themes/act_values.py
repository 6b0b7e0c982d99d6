"""What the journal keeps of acts on themes, and by what names people call themes."""

from __future__ import annotations

from omp_core.errors import InvalidValueError
from omp_core.i18n import _
from omp_core.model import Json
from omp_core.rules import themes as rules
from omp_core.rules.themes import Theme, ThemeState
from omp_core.rules.themes.surgery import Mark


def named(state: ThemeState, name: str) -> Theme:
    """Return the theme of that id, beginning of an id, or label.

    Raises NotFoundError, and InvalidValueError when several fit.
    """
    if name in state.rows:
        return state.theme(name)
    fits = [theme for theme in state.book.themes if theme.label == name] or [
        theme for theme in state.book.themes if name and theme.id.startswith(name)
    ]
    if len(fits) > 1:
        raise InvalidValueError(
            _("{name!r} fits {count} themes: {ids}; give a whole id").format(
                name=name, count=len(fits), ids=", ".join(theme.id for theme in fits[:5])
            )
        )
    return fits[0] if fits else state.theme(name)


def label_of(state: ThemeState, name: str) -> str:
    return named(state, name).label


ActValues = dict[str, Json]
"""The values of an act on themes, of which `services.acts` makes its words."""


def split_values(name: str, before: ThemeState, after: ThemeState) -> ActValues:
    count = len(after.book.themes) - len(before.book.themes) + 1
    return {"form": "split", "label": label_of(before, name), "count": count}


def merge_values(count: int, _before: ThemeState, _after: ThemeState) -> ActValues:
    return {"form": "merge", "count": count}


def move_values(count: int, _before: ThemeState, _after: ThemeState) -> ActValues:
    return {"form": "move", "count": count}


def rename_values(name: str, before: ThemeState, after: ThemeState) -> ActValues:
    old = named(before, name)
    return {"form": "rename", "old": old.label, "new": after.theme(old.id).label}


def pin_values(name: str, pinned: bool, before: ThemeState, _after: ThemeState) -> ActValues:
    return {"form": "pin" if pinned else "release", "label": label_of(before, name)}


def dissolve_values(name: str, before: ThemeState, _after: ThemeState) -> ActValues:
    return {"form": "dissolve", "label": label_of(before, name)}


def mark_values(kind: Mark | None, _before: ThemeState, _after: ThemeState) -> ActValues:
    return {"form": "unmark" if kind is None else f"mark-{kind}"}


def rebuild_values(report: rules.Rebuild) -> ActValues:
    return {"form": "rebuild", "count": len(report.moved)}


def follow_values(report: rules.Assimilation) -> ActValues:
    return {"form": "follow", "count": len(report.split)}
