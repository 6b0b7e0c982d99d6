"""New records find their theme; records that go leave theirs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from omp_core.model import Scope
from omp_core.rules.themes.book import Theme, ThemeState, link, theme_scope
from omp_core.rules.themes.cluster import parts_under_cap
from omp_core.rules.themes.draft import BookDraft
from omp_core.rules.themes.inputs import BookInputs, ThemeItem


@dataclass(frozen=True, slots=True)
class Assimilation:
    """What a run of assimilation did; ids of themes and records.

    `waiting` are records without a vector; `left_out` those that no theme may form for
    because the vectors do not carry meaning.
    """

    attached: tuple[tuple[str, str], ...] = ()
    """(record, theme) for each record that joined or stayed in a theme that was there."""
    founded: tuple[str, ...] = ()
    split: tuple[str, ...] = ()
    """Themes that had grown too big."""
    waiting: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()


def assimilate(
    state: ThemeState, items: Sequence[ThemeItem], inputs: BookInputs
) -> tuple[ThemeState, Assimilation]:
    """Place records, one after the other, by the thresholds of the settings.

    A record joins the most similar theme of its scope from `attach_from` on, else it founds
    one. A theme over the cap is split. Nothing merges: the rebuild does that once a scope has
    grown. Pinned themes take in records while they have room and are otherwise left alone.

    A record that is in a theme already, because its text changed, stays there if a person
    put it there or if it still fits, and is placed anew otherwise.
    """
    draft = BookDraft(state, inputs)
    run = _Run(draft)
    for item in items:
        run.place(item)
    return draft.finish(), run.report()


def forget(
    state: ThemeState, record_ids: Iterable[str], inputs: BookInputs
) -> tuple[ThemeState, tuple[str, ...]]:
    """Take records out of their themes at once; returns the ids of the themes they left.

    A theme whose last member went is gone. A record that leaves a pinned theme keeps a
    must-link to one that stays: if its deletion is undone, it comes back to where a person
    had put it.
    """
    draft = BookDraft(state, inputs)
    leaving: dict[str, list[str]] = {}
    for record_id in dict.fromkeys(record_ids):
        owner = draft.owners.get(record_id)
        if owner is not None:
            leaving.setdefault(owner, []).append(record_id)
    for theme_id, gone in leaving.items():
        pinned = draft.theme(theme_id).pinned
        left = draft.without(theme_id, gone)
        if left is not None and pinned:
            draft.must |= {link(record_id, left.members[0]) for record_id in gone}
    return draft.finish(), tuple(leaving)


def split_if_too_big(draft: BookDraft, theme_id: str) -> list[str]:
    """Split a free theme over the cap; returns the ids of all parts, or only its own.

    The biggest part keeps id and label. A part that only must-links keep over the cap is a
    person's, and pinned.
    """
    theme = draft.theme(theme_id)
    if theme.pinned or theme.size <= draft.inputs.settings.split_above:
        return [theme_id]
    members = theme.members
    groups = parts_under_cap(
        draft.inputs.vectors.vectors(members),
        draft.inputs.calibrate,
        draft.inputs.settings,
        must=draft.links_within(members, draft.must),
        cannot=draft.links_within(members, draft.cannot),
    )
    ids = carve(draft, theme, [[members[at] for at in group] for group in groups])
    for part in map(draft.theme, ids):
        if part.size > draft.inputs.settings.split_above:
            draft.put(replace(part, pinned=True))
    return ids


def carve(
    draft: BookDraft, theme: Theme, groups: Sequence[Sequence[str]], *, pinned: bool = False
) -> list[str]:
    """Turn a theme into one theme per group, the first of which keeps its id."""
    draft.put(replace(theme, members=tuple(groups[0]), pinned=pinned or theme.pinned))
    ids = [theme.id]
    for group in groups[1:]:
        ids.append(draft.found(group, theme.scope, pinned=pinned).id)
    return ids


def nearest_home(
    draft: BookDraft,
    record_id: str,
    direction: NDArray[np.float32],
    scope: Scope,
    *,
    barred: Iterable[str] = (),
    need_room: bool = False,
) -> str | None:
    """Return the theme that a record would attach to, None when it would found one.

    `direction` is the record's unit vector; themes in `barred` are not considered. Pinned
    themes need room, free ones only if `need_room`, since they can split.
    """
    if not direction.any() or not draft.themes:
        return None
    open_to = draft.candidates(scope) & (
        draft.room(1) if need_room else (draft.room(1) | ~draft.pinned)
    )
    for theme_id in barred:
        if theme_id in draft.themes:
            open_to[draft.row(theme_id)] = False
    likeness = np.where(open_to, draft.similarities(direction), -1.0)
    # Equally similar themes: the one that was in the book first.
    for row in np.argsort(-likeness, kind="stable"):
        if likeness[row] < draft.inputs.settings.attach_from:
            return None
        theme_id = draft.id_at(int(row))
        if not draft.parted([record_id], draft.theme(theme_id).members):
            return theme_id
    return None


class _Run:
    """One run over a draft, and what it did."""

    def __init__(self, draft: BookDraft) -> None:
        self.draft = draft
        self.settings = draft.inputs.settings
        self.placed: list[str] = []
        self.founders: set[str] = set()
        self.split: dict[str, None] = {}
        self.waiting: list[str] = []
        self.left_out: list[str] = []

    def report(self) -> Assimilation:
        draft, before = self.draft, self.draft.state.rows
        founded = [
            t
            for t in draft.themes
            if t not in before and self.founders.intersection(draft.themes[t].members)
        ]
        return Assimilation(
            attached=tuple(
                (record, draft.owners[record])
                for record in self.placed
                if record in draft.owners and draft.owners[record] in before
            ),
            founded=tuple(founded),
            split=tuple(self.split),
            waiting=tuple(self.waiting),
            left_out=tuple(self.left_out),
        )

    def place(self, item: ThemeItem) -> None:
        draft = self.draft
        direction = draft.inputs.vectors.vectors([item.id])[0]
        owner = draft.owners.get(item.id)
        if owner is not None and self._stays(item, owner, direction):
            draft.refresh(owner)
            self.placed.append(item.id)
            return
        if owner is None and self._with_partner(item):
            self._keep_links(item)
            return
        if not draft.inputs.automatic:
            self.left_out.append(item.id)
            return
        if not direction.any():
            self.waiting.append(item.id)
            return
        if owner is not None:
            draft.without(owner, [item.id])
        self._attach_or_found(item, direction)

    def _stays(self, item: ThemeItem, owner: str, direction: NDArray[np.float32]) -> bool:
        theme = self.draft.theme(owner)
        if theme.pinned or not self.draft.inputs.automatic or not direction.any():
            return True
        if theme.scope != theme_scope(item.scope) or theme.size == 1:
            return False
        rest = [member for member in theme.members if member != item.id]
        total = self.draft.inputs.vectors.vectors(rest).sum(axis=0)
        length = float(np.sqrt(total @ total))
        cosine = float(total @ direction) / length if length else 0.0
        likeness = self.draft.inputs.calibrate(np.array([min(cosine, 1.0)], dtype=np.float32))
        return float(likeness[0]) >= self.settings.settle_from

    def _with_partner(self, item: ThemeItem) -> bool:
        """Follow a must-link into the partner's theme, over the cap if need be."""
        draft = self.draft
        scope = theme_scope(item.scope)
        for partner in sorted(draft.must_partners(item.id)):
            owner = draft.owners.get(partner)
            if owner is None or draft.theme(owner).scope != scope:
                continue
            theme = draft.theme(owner)
            if draft.parted([item.id], theme.members):
                continue
            draft.put(replace(theme, members=(*theme.members, item.id)))
            self.placed.append(item.id)
            self._grown(owner)
            return True
        return False

    def _attach_or_found(self, item: ThemeItem, direction: NDArray[np.float32]) -> None:
        draft = self.draft
        scope = theme_scope(item.scope)
        home = nearest_home(draft, item.id, direction, scope)
        self.placed.append(item.id)
        if home is None:
            self.founders.add(item.id)
            home = draft.found([item.id], scope).id
        else:
            theme = draft.theme(home)
            draft.put(replace(theme, members=(*theme.members, item.id)))
        self._keep_links(item)
        self._grown(home)

    def _keep_links(self, item: ThemeItem) -> None:
        """Forget must-links that the place of a record contradicts: they were older."""
        draft = self.draft
        if draft.must_partners(item.id):
            draft.keep_inside(draft.theme(draft.owners[item.id]).members)

    def _grown(self, theme_id: str) -> None:
        parts = split_if_too_big(self.draft, theme_id)
        if len(parts) > 1:
            self.split[theme_id] = None
