"""The difference between two books: the preview of an operation, and the way back.

A patch names only what differs. Applied to a later book, it puts back what it can without
touching what others did meanwhile.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from omp_core.errors import InvalidValueError
from omp_core.i18n import _
from omp_core.model import Json
from omp_core.rules.themes.assimilation import split_if_too_big
from omp_core.rules.themes.book import Link, Theme, ThemeBook, ThemeState, link
from omp_core.rules.themes.draft import BookDraft
from omp_core.rules.themes.inputs import BookInputs


@dataclass(frozen=True, slots=True)
class BookSide:
    """What one of the two books has that the other has not.

    `themes` holds every theme that differs, None where it does not exist on this side.
    """

    themes: Mapping[str, Theme | None]
    must_link: frozenset[Link] = frozenset()
    cannot_link: frozenset[Link] = frozenset()


@dataclass(frozen=True, slots=True)
class Patch:
    before: BookSide
    after: BookSide

    @property
    def empty(self) -> bool:
        return self.before == self.after

    @property
    def inverse(self) -> Patch:
        return Patch(self.after, self.before)


def diff(before: ThemeBook, after: ThemeBook) -> Patch:
    """Return what differs; neighbours, which follow from the rest, are not compared."""
    old = {theme.id: theme for theme in before.themes}
    new = {theme.id: theme for theme in after.themes}
    touched = [
        theme_id
        for theme_id in dict.fromkeys([*old, *new])
        if _bare(old.get(theme_id)) != _bare(new.get(theme_id))
    ]
    return Patch(
        _side(old, touched, before, after),
        _side(new, touched, after, before),
    )


def apply(state: ThemeState, patch: Patch, inputs: BookInputs) -> ThemeState:
    """Bring the themes of a patch from its `before` to its `after`.

    On the very book the patch starts from this gives the book it leads to. Where others
    changed things meanwhile: a record that came since stays in the theme of that id, or in a
    new one; a record that went since stays away; newer labels and pins stay.
    """
    draft = BookDraft(state, inputs)
    expected = _members(patch.before)
    restored = _members(patch.after)
    gone = {member for member in expected if member not in draft.owners}
    strays: list[tuple[str, Theme]] = []
    found: dict[str, Theme] = {}
    for theme_id in patch.before.themes:
        current = draft.themes.get(theme_id)
        if current is None:
            continue
        found[theme_id] = current
        strays.extend((m, current) for m in current.members if m not in expected)
        draft.drop(theme_id)
    taken = set(draft.owners)
    for theme_id, wanted in patch.after.themes.items():
        if wanted is None:
            continue
        members = [m for m in wanted.members if m not in taken and m not in gone]
        members += [m for m, source in strays if source.id == theme_id and m not in restored]
        if members:
            name = _newer_name(wanted, patch.before.themes.get(theme_id), found.get(theme_id))
            draft.put(replace(name, members=tuple(members)), relabel=False)
            taken.update(members)
            split_if_too_big(draft, theme_id)
    _keep_strays(draft, [(m, source) for m, source in strays if m not in draft.owners])
    draft.must = (draft.must - patch.before.must_link) | patch.after.must_link
    draft.cannot = (draft.cannot - patch.before.cannot_link) | patch.after.cannot_link
    # What a person puts back wins over marks that others set since.
    owners = draft.owners
    draft.cannot = {
        (a, b) for a, b in draft.cannot if a not in owners or owners[a] != owners.get(b)
    }
    draft.must = {
        (a, b)
        for a, b in draft.must
        if a not in owners or b not in owners or owners[a] == owners[b]
    }
    return _with_times(draft.finish(), patch)


def to_json(patch: Patch) -> tuple[dict[str, Json], dict[str, Json]]:
    """Return both sides as JSON objects, as the journal keeps them."""
    return _side_json(patch.before), _side_json(patch.after)


def from_json(before: Mapping[str, Json], after: Mapping[str, Json]) -> Patch:
    """Read both sides back. Raises InvalidValueError."""
    return Patch(_read_side(before), _read_side(after))


def _bare(theme: Theme | None) -> Theme | None:
    return None if theme is None else replace(theme, neighbours=())


def _side(
    themes: Mapping[str, Theme], touched: list[str], mine: ThemeBook, other: ThemeBook
) -> BookSide:
    return BookSide(
        {theme_id: _bare(themes.get(theme_id)) for theme_id in touched},
        mine.must_link - other.must_link,
        mine.cannot_link - other.cannot_link,
    )


def _members(side: BookSide) -> set[str]:
    return {m for theme in side.themes.values() if theme is not None for m in theme.members}


def _newer_name(wanted: Theme, expected: Theme | None, current: Theme | None) -> Theme:
    """Return `wanted` with the label and the pin that somebody gave the theme since."""
    if current is None or expected is None:
        return wanted
    name, pinned = (current.label, current.label_by_human), current.pinned
    if current.label_by_human and name != (expected.label, expected.label_by_human):
        wanted = replace(wanted, label=name[0], label_by_human=True)
    if pinned and not expected.pinned:
        wanted = replace(wanted, pinned=True)
    return wanted


def _keep_strays(draft: BookDraft, strays: list[tuple[str, Theme]]) -> None:
    """Give records whose theme an undo takes away a theme, together as they were."""
    by_theme: dict[str, tuple[Theme, list[str]]] = {}
    for member, source in strays:
        by_theme.setdefault(source.id, (source, []))[1].append(member)
    for source, members in by_theme.values():
        kept = draft.found(members, source.scope, pinned=source.pinned)
        split_if_too_big(draft, kept.id)


def _with_times(state: ThemeState, patch: Patch) -> ThemeState:
    """Put back the times too, where a theme came out exactly as the patch has it."""
    themes = []
    for theme in state.book.themes:
        wanted = patch.after.themes.get(theme.id)
        same = wanted is not None and wanted.members == theme.members
        themes.append(replace(theme, updated_at=wanted.updated_at) if wanted and same else theme)
    return ThemeState(replace(state.book, themes=tuple(themes)), state.centroids)


def _side_json(side: BookSide) -> dict[str, Json]:
    raw: dict[str, Json] = msgspec.to_builtins(
        {
            "themes": dict(side.themes),
            "must_link": sorted(side.must_link),
            "cannot_link": sorted(side.cannot_link),
        }
    )
    return raw


class _RawSide(msgspec.Struct, frozen=True):
    themes: dict[str, Theme | None]
    must_link: list[tuple[str, str]] = []
    cannot_link: list[tuple[str, str]] = []


def _read_side(raw: Mapping[str, Any]) -> BookSide:
    try:
        side = msgspec.convert(dict(raw), _RawSide)
    except msgspec.ValidationError as error:
        raise InvalidValueError(_("not a change of themes: {error}").format(error=error)) from error
    return BookSide(
        side.themes,
        frozenset(link(a, b) for a, b in side.must_link),
        frozenset(link(a, b) for a, b in side.cannot_link),
    )
