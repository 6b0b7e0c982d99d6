"""What people do to themes by hand. What they did binds the automatic passes.

Every operation returns the new state and leaves the old one as it was: the difference of the
two (`patch.diff`) is the preview and the way back.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from omp_core.errors import InvalidValueError
from omp_core.i18n import _
from omp_core.rules.themes.assimilation import carve, nearest_home, split_if_too_big
from omp_core.rules.themes.book import Theme, ThemeState, link, theme_scope
from omp_core.rules.themes.cluster import into
from omp_core.rules.themes.draft import BookDraft
from omp_core.rules.themes.inputs import BookInputs, ThemeItem

LONGEST_LABEL = 120
Mark = Literal["together", "apart"]


@dataclass(frozen=True, slots=True)
class Parts:
    """A way to split a theme: record ids of each part, the one that keeps the id first."""

    groups: tuple[tuple[str, ...], ...]


def propose_parts(state: ThemeState, theme_id: str, count: int, inputs: BookInputs) -> Parts:
    """Return how a theme would split into `count` parts, links honoured.

    Raises NotFoundError, and InvalidValueError when it cannot.
    """
    theme = state.theme(theme_id)
    draft = BookDraft(state, inputs)
    groups = into(
        inputs.vectors.vectors(theme.members),
        inputs.calibrate,
        count,
        must=draft.links_within(theme.members, draft.must),
        cannot=draft.links_within(theme.members, draft.cannot),
    )
    return Parts(tuple(tuple(theme.members[at] for at in group) for group in groups))


def split(
    state: ThemeState, theme_id: str, groups: Sequence[Sequence[str]], inputs: BookInputs
) -> ThemeState:
    """Split a theme into the given groups; members in none of them are a group of their own.

    The biggest part keeps the id. All parts are pinned, and no automatic pass joins records
    of two parts again. Raises NotFoundError, and InvalidValueError when the groups do not
    part the theme.
    """
    theme = state.theme(theme_id)
    parts = _checked_groups(theme, groups)
    draft = BookDraft(state, inputs)
    for at, part in enumerate(parts):
        draft.unite(part)
        for other in parts[at + 1 :]:
            draft.part(part, other)
    carve(draft, theme, parts, pinned=True)
    return draft.finish()


def merge(state: ThemeState, theme_ids: Sequence[str], inputs: BookInputs) -> ThemeState:
    """Merge themes of one scope into the biggest of them, pinned, whatever its size.

    A label that a person gave survives: the biggest theme's own, else the first one's.
    Raises NotFoundError and InvalidValueError.
    """
    themes = [state.theme(theme_id) for theme_id in dict.fromkeys(theme_ids)]
    if len(themes) < 2:
        raise InvalidValueError(_("a merge needs two different themes or more"))
    if len({theme.scope for theme in themes}) > 1:
        raise InvalidValueError(_("themes of different users or projects cannot be merged"))
    draft = BookDraft(state, inputs)
    keeper = min(themes, key=lambda t: (-t.size, t.created_at, t.id))
    named = [theme for theme in [keeper, *themes] if theme.label_by_human]
    members = list(keeper.members)
    for theme in themes:
        if theme.id != keeper.id:
            draft.drop(theme.id)
            members.extend(theme.members)
    draft.unite(members)
    label = named[0].label if named else keeper.label
    draft.put(
        replace(
            keeper, members=tuple(members), pinned=True, label=label, label_by_human=bool(named)
        )
    )
    return draft.finish()


def move(
    state: ThemeState,
    items: Sequence[ThemeItem],
    target: str | None,
    inputs: BookInputs,
    *,
    label: str | None = None,
) -> ThemeState:
    """Move records, which may be in any theme or none, into one theme.

    `target` None founds a new theme, which may be given a label. The target is pinned, and
    the records never return by themselves to those they were taken from. A theme that loses
    its last member is gone. Raises NotFoundError and InvalidValueError.
    """
    items = list({item.id: item for item in items}.values())
    if not items:
        raise InvalidValueError(_("no records were named to move"))
    scopes = {theme_scope(item.scope) for item in items}
    if target is not None:
        scopes.add(state.theme(target).scope)
    if len(scopes) > 1:
        raise InvalidValueError(_("records of different users or projects cannot share a theme"))
    draft = BookDraft(state, inputs)
    moving = [item.id for item in items if draft.owners.get(item.id) != target or target is None]
    if not moving:
        return state
    sources: dict[str, list[str]] = {}
    for record_id in moving:
        owner = draft.owners.get(record_id)
        if owner is not None:
            sources.setdefault(owner, []).append(record_id)
    for owner, gone in sources.items():
        left = draft.without(owner, gone)
        if left is not None:
            draft.part(gone, left.members)
    if target is None:
        draft.found(moving, scopes.pop(), pinned=True, label=_checked_label(label or ""))
        draft.unite(moving)
    else:
        theme = draft.theme(target)
        members = (*theme.members, *moving)
        draft.unite(members)
        draft.put(replace(theme, members=members, pinned=True))
    return draft.finish()


def rename(state: ThemeState, theme_id: str, label: str | None, inputs: BookInputs) -> ThemeState:
    """Give a theme a label and pin it; None hands naming back to the machine.

    Raises NotFoundError, and InvalidValueError for an empty or overlong label.
    """
    theme = state.theme(theme_id)
    draft = BookDraft(state, inputs)
    if label is None:
        draft.put(replace(theme, label_by_human=False))
        return draft.finish()
    text = _checked_label(label)
    if not text:
        raise InvalidValueError(_("a label needs at least one visible character"))
    draft.put(replace(theme, label=text, label_by_human=True, pinned=True), relabel=False)
    return draft.finish()


def pin(state: ThemeState, theme_id: str, inputs: BookInputs) -> ThemeState:
    """Keep a theme as it is against all automatic passes. Raises NotFoundError."""
    theme = state.theme(theme_id)
    if theme.pinned:
        return state
    draft = BookDraft(state, inputs)
    draft.put(replace(theme, pinned=True), relabel=False)
    return draft.finish()


def unpin(state: ThemeState, theme_id: str, inputs: BookInputs) -> ThemeState:
    """Hand a theme back to the automatic passes, with all marks on its members.

    If it is over the cap, it is split at once. Raises NotFoundError.
    """
    theme = state.theme(theme_id)
    draft = BookDraft(state, inputs)
    members = set(theme.members)
    draft.must = {pair for pair in draft.must if members.isdisjoint(pair)}
    draft.cannot = {pair for pair in draft.cannot if members.isdisjoint(pair)}
    if theme.pinned:
        draft.put(replace(theme, pinned=False), relabel=False)
        if inputs.automatic:
            split_if_too_big(draft, theme_id)
    return draft.finish()


def dissolve(state: ThemeState, theme_id: str, inputs: BookInputs) -> ThemeState:
    """Break a theme up: each member joins the nearest other theme with room that it would
    attach to, or is a theme of its own. Members that part do not meet again by themselves.

    Raises NotFoundError.
    """
    theme = state.theme(theme_id)
    draft = BookDraft(state, inputs)
    draft.drop(theme_id)
    vectors = inputs.vectors.vectors(theme.members)
    homes: dict[str, list[str]] = {}
    alone: list[str] = []
    for member, vector in zip(theme.members, vectors, strict=True):
        home = (
            nearest_home(draft, member, vector, theme.scope, barred=alone, need_room=True)
            if inputs.automatic
            else None
        )
        if home is None:
            home = draft.found([member], theme.scope).id
            alone.append(home)
        else:
            joined = draft.theme(home)
            draft.put(replace(joined, members=(*joined.members, member)))
        homes.setdefault(home, []).append(member)
    groups = list(homes.values())
    for at, group in enumerate(groups):
        for other in groups[at + 1 :]:
            draft.part(group, other)
    return draft.finish()


def mark(
    state: ThemeState, a: ThemeItem, b: ThemeItem, kind: Mark | None, inputs: BookInputs
) -> ThemeState:
    """Say that two records belong together, or apart, or (None) take either back.

    Together: `b` moves to `a`'s theme, which is pinned. Apart: if they share a theme, `b`
    leaves it for the nearest other one. Raises InvalidValueError.
    """
    if a.id == b.id:
        raise InvalidValueError(_("a record cannot be linked to itself"))
    pair = link(a.id, b.id)
    draft = BookDraft(state, inputs)
    if kind is None:
        draft.must.discard(pair)
        draft.cannot.discard(pair)
        return draft.finish()
    if theme_scope(a.scope) != theme_scope(b.scope) and kind == "together":
        raise InvalidValueError(_("records of different users or projects cannot share a theme"))
    if kind == "apart":
        draft.must.discard(pair)
        draft.cannot.add(pair)
        _send_away(draft, b.id, from_theme_of=a.id)
        return draft.finish()
    owner = state.owners.get(a.id)
    if owner is None:
        state = move(state, [a, b], state.owners.get(b.id), inputs)
    else:
        state = move(state, [b], owner, inputs)
    draft = BookDraft(state, inputs)
    draft.must.add(pair)
    draft.cannot.discard(pair)
    theme = draft.theme(draft.owners[a.id])
    if not theme.pinned:
        draft.put(replace(theme, pinned=True), relabel=False)
    return draft.finish()


def _send_away(draft: BookDraft, record_id: str, *, from_theme_of: str) -> None:
    owner = draft.owners.get(record_id)
    if owner is None or owner != draft.owners.get(from_theme_of):
        return
    scope = draft.theme(owner).scope
    left = draft.without(owner, [record_id])
    draft.loosen([record_id], () if left is None else left.members)
    vector = draft.inputs.vectors.vectors([record_id])[0]
    home = None
    if draft.inputs.automatic:
        home = nearest_home(draft, record_id, vector, scope, barred=[owner], need_room=True)
    if home is None:
        draft.found([record_id], scope)
    else:
        theme = draft.theme(home)
        draft.put(replace(theme, members=(*theme.members, record_id)))


def _checked_groups(theme: Theme, groups: Iterable[Sequence[str]]) -> list[list[str]]:
    known = set(theme.members)
    parts = [list(dict.fromkeys(group)) for group in groups]
    named = [record_id for part in parts for record_id in part]
    strangers = [record_id for record_id in named if record_id not in known]
    if strangers:
        raise InvalidValueError(
            _("{record} is not a member of {theme}").format(record=strangers[0], theme=theme.id)
        )
    if len(set(named)) != len(named):
        raise InvalidValueError(_("a record is in two of the groups; name each one once"))
    rest = [member for member in theme.members if member not in set(named)]
    parts = [part for part in [*parts, rest] if part]
    if len(parts) < 2:
        raise InvalidValueError(
            _("that leaves {theme} in one piece; name a group that is not all of it").format(
                theme=theme.id
            )
        )
    order = {member: at for at, member in enumerate(theme.members)}
    for part in parts:
        part.sort(key=order.__getitem__)
    return sorted(parts, key=lambda part: (-len(part), order[part[0]]))


def _checked_label(label: str) -> str:
    text = " ".join(label.split())
    if len(text) > LONGEST_LABEL:
        raise InvalidValueError(
            _("a label has at most {most} characters").format(most=LONGEST_LABEL)
        )
    return text
