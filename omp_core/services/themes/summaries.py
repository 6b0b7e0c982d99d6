"""How acts on themes are called in the journal, and by what names people call themes."""

from __future__ import annotations

from omp_core.errors import InvalidValueError
from omp_core.i18n import _, ngettext
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


def split_summary(name: str, before: ThemeState, after: ThemeState) -> str:
    count = len(after.book.themes) - len(before.book.themes) + 1
    return ngettext(
        "split the theme “{label}” into {count} part",
        "split the theme “{label}” into {count} parts",
        count,
    ).format(label=label_of(before, name), count=count)


def merge_summary(count: int, _before: ThemeState, _after: ThemeState) -> str:
    return ngettext("merged {count} theme", "merged {count} themes", count).format(count=count)


def move_summary(count: int, _before: ThemeState, _after: ThemeState) -> str:
    return ngettext(
        "moved {count} record to another theme", "moved {count} records to another theme", count
    ).format(count=count)


def rename_summary(name: str, before: ThemeState, after: ThemeState) -> str:
    old = named(before, name)
    return _("renamed the theme “{old}” to “{new}”").format(
        old=old.label, new=after.theme(old.id).label
    )


def pin_summary(name: str, pinned: bool, before: ThemeState, _after: ThemeState) -> str:
    text = _("pinned the theme “{label}”") if pinned else _("released the theme “{label}”")
    return text.format(label=label_of(before, name))


def dissolve_summary(name: str, before: ThemeState, _after: ThemeState) -> str:
    return _("dissolved the theme “{label}”").format(label=label_of(before, name))


def mark_summary(kind: Mark | None, _before: ThemeState, _after: ThemeState) -> str:
    if kind == "together":
        return _("marked two records as belonging together")
    if kind == "apart":
        return _("marked two records as belonging apart")
    return _("took back the mark on two records")


def rebuild_summary(report: rules.Rebuild) -> str:
    moved = len(report.moved)
    return ngettext(
        "rebuilt the themes: {count} record moved",
        "rebuilt the themes: {count} records moved",
        moved,
    ).format(count=moved)


def followed_summary(report: rules.Assimilation) -> str:
    count = len(report.split)
    return ngettext(
        "themes followed new records: {count} was split",
        "themes followed new records: {count} were split",
        count,
    ).format(count=count)
