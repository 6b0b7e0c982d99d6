"""How good the themes are, as figures and as suggestions for the person who curates them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from omp_core.errors import InvalidValueError
from omp_core.i18n import _
from omp_core.rules.themes.book import Theme, ThemeState, unit
from omp_core.rules.themes.cluster import into, silhouette
from omp_core.rules.themes.draft import BookDraft
from omp_core.rules.themes.inputs import BookInputs, cohesion, pair_similarities

_MOST_PARTS = 6
_BLOCK = 1024
_CLEAR = 0.05
"""A split is suggested from this silhouette on: below it the parts are hardly apart. Chosen
low because calibrated similarities of one topic spread widely."""
_GAIN = 0.05
"""A split that raises the cohesion by less is not worth a person's time."""
_TRIED = 60
"""Themes tried for a suggested split in one go, the least cohesive ones."""
_LARGEST = 400
"""Members looked at for a suggested split; more are rare and would make the screen wait."""

SuggestionKind = Literal["split", "merge", "move"]


@dataclass(frozen=True, slots=True)
class ThemeHealth:
    """Figures of one theme, all on the calibrated scale 0..1.

    `cohesion`: mean similarity of two members. `nearest`, `nearest_similarity`: the closest
    other theme of the scope. `separation`: 1 - nearest_similarity, 1 without another theme.
    """

    id: str
    size: int
    cohesion: float
    separation: float
    nearest: str | None
    nearest_similarity: float
    oversize: bool


@dataclass(frozen=True, slots=True)
class NearMerger:
    """Two themes more alike than `merge_above` that no automatic pass has merged, and why."""

    first: str
    second: str
    similarity: float
    reason: str


@dataclass(frozen=True, slots=True)
class BookHealth:
    """Figures of the whole book. `orphans` are records that are alone in a theme.

    `cohesion` is the mean over themes of two members or more, weighted by members.
    """

    themes: tuple[ThemeHealth, ...]
    records: int
    cohesion: float
    separation: float
    orphans: tuple[str, ...]
    oversize: tuple[str, ...]
    near_mergers: tuple[NearMerger, ...]


@dataclass(frozen=True, slots=True)
class SplitChoice:
    """A number of parts, how far apart they are (silhouette -1..1), and their cohesion."""

    count: int
    silhouette: float
    cohesions: tuple[float, ...]
    groups: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class SuggestedSplit:
    """How many parts a theme should have, and the reason as a sentence.

    `count` is 1 when the theme is better left whole; `choices` holds what was tried.
    """

    count: int
    reason: str
    cohesion: float
    choices: tuple[SplitChoice, ...]

    @property
    def best(self) -> SplitChoice | None:
        return next((c for c in self.choices if c.count == self.count), None)


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Something a person may want to do, with its reason as a sentence.

    `themes`: what it is about, for `merge` both, for `move` source and target.
    """

    kind: SuggestionKind
    themes: tuple[str, ...]
    reason: str
    records: tuple[str, ...] = ()
    groups: tuple[tuple[str, ...], ...] = ()
    gain: float = 0.0
    """What sorts suggestions: the rise in cohesion, or the similarity."""


def book_health(state: ThemeState, inputs: BookInputs) -> BookHealth:
    """Return the figures of all themes; vectors of all members are read once."""
    themes = state.book.themes
    nearest = _nearest(state, inputs)
    figures = []
    for theme, vectors in _member_vectors(themes, inputs):
        other, likeness = nearest[theme.id]
        figures.append(
            ThemeHealth(
                id=theme.id,
                size=theme.size,
                cohesion=cohesion(vectors, inputs.calibrate),
                separation=1.0 if other is None else 1.0 - likeness,
                nearest=other,
                nearest_similarity=likeness,
                oversize=theme.size > inputs.settings.split_above,
            )
        )
    several = [f for f in figures if f.size > 1]
    weight = sum(f.size for f in several)
    return BookHealth(
        themes=tuple(figures),
        records=sum(theme.size for theme in themes),
        cohesion=sum(f.cohesion * f.size for f in several) / weight if weight else 1.0,
        separation=sum(f.separation for f in figures) / len(figures) if figures else 1.0,
        orphans=tuple(theme.members[0] for theme in themes if theme.size == 1),
        oversize=tuple(f.id for f in figures if f.oversize),
        near_mergers=tuple(_near_mergers(state, inputs)),
    )


def suggest_split(state: ThemeState, theme_id: str, inputs: BookInputs) -> SuggestedSplit:
    """Return the number of parts with the best silhouette, or 1 when none is clear.

    Raises NotFoundError.
    """
    theme = state.theme(theme_id)
    members = theme.members[:_LARGEST]
    vectors = inputs.vectors.vectors(members)
    whole = cohesion(vectors, inputs.calibrate)
    if theme.size < 3 or not vectors.any():
        return SuggestedSplit(1, _("It has too few members to be split."), whole, ())
    draft = BookDraft(state, inputs)
    must = draft.links_within(members, draft.must)
    cannot = draft.links_within(members, draft.cannot)
    similarities = pair_similarities(vectors, inputs.calibrate)
    choices: list[SplitChoice] = []
    for count in range(2, min(_MOST_PARTS, len(members) - 1) + 1):
        try:
            groups = into(vectors, inputs.calibrate, count, must=must, cannot=cannot)
        except InvalidValueError:
            # Links leave no split of this size; another size may still exist.
            continue
        choices.append(
            SplitChoice(
                count,
                silhouette(similarities, groups),
                tuple(cohesion(vectors[group], inputs.calibrate) for group in groups),
                tuple(tuple(members[at] for at in group) for group in groups),
            )
        )
    return _chosen(choices, whole)


def suggestions(state: ThemeState, inputs: BookInputs) -> tuple[Suggestion, ...]:
    """Return what a person may want to do with the themes, the biggest gain first."""
    found: list[Suggestion] = []
    for near in _near_mergers(state, inputs):
        found.append(
            Suggestion(
                "merge",
                (near.first, near.second),
                _("They are {similarity:.2f} alike. {why}").format(
                    similarity=near.similarity, why=near.reason
                ),
                gain=near.similarity,
            )
        )
    loose: list[tuple[float, str]] = []
    for theme, vectors in _member_vectors(state.book.themes, inputs):
        found.extend(_moves(state, theme, vectors, inputs))
        if theme.size * 2 > inputs.settings.split_above:
            loose.append((cohesion(vectors, inputs.calibrate), theme.id))
    for _cohesion, theme_id in sorted(loose)[:_TRIED]:
        split = suggest_split(state, theme_id, inputs)
        if split.best is not None:
            gain = _mean_cohesion(split.best) - split.cohesion
            found.append(
                Suggestion("split", (theme_id,), split.reason, groups=split.best.groups, gain=gain)
            )
    return tuple(sorted(found, key=lambda s: (-s.gain, s.kind, s.themes, s.records)))


def member_map(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return where members lie on a plane, shape (n, 2), for a plot of a theme.

    The two main axes of their spread (principal components), each axis turned so that its
    largest deviation is positive: the same members always give the same picture.
    """
    count = len(vectors)
    if count < 2:
        return np.zeros((count, 2), np.float32)
    centred = vectors - vectors.mean(axis=0)
    left, scale, _axes = np.linalg.svd(centred, full_matrices=False)
    plane = np.zeros((count, 2), np.float32)
    kept = min(2, len(scale))
    plane[:, :kept] = left[:, :kept] * scale[:kept]
    extremes = plane[np.abs(plane).argmax(axis=0), [0, 1]]
    return plane * np.where(extremes < 0, -1.0, 1.0).astype(np.float32)


def _chosen(choices: Sequence[SplitChoice], whole: float) -> SuggestedSplit:
    clear = [c for c in choices if c.silhouette >= _CLEAR and _mean_cohesion(c) - whole >= _GAIN]
    if not clear:
        return SuggestedSplit(
            1, _("No split sets its members clearly apart."), whole, tuple(choices)
        )
    best = max(clear, key=lambda choice: (round(choice.silhouette, 6), -choice.count))
    reason = _(
        "{count} parts lie furthest apart (silhouette {silhouette:.2f}); "
        "cohesion rises from {before:.2f} to {after:.2f}."
    ).format(count=best.count, silhouette=best.silhouette, before=whole, after=_mean_cohesion(best))
    return SuggestedSplit(best.count, reason, whole, tuple(choices))


def _mean_cohesion(choice: SplitChoice) -> float:
    """Return the cohesion of the parts of two members or more, weighted by members."""
    several = [
        (len(group), value)
        for group, value in zip(choice.groups, choice.cohesions, strict=True)
        if len(group) > 1
    ]
    weight = sum(size for size, _value in several)
    return sum(size * value for size, value in several) / weight if weight else 0.0


def _member_vectors(
    themes: Sequence[Theme], inputs: BookInputs
) -> Iterator[tuple[Theme, NDArray[np.float32]]]:
    for start in range(0, len(themes), _BLOCK):
        block = themes[start : start + _BLOCK]
        vectors = inputs.vectors.vectors([m for theme in block for m in theme.members])
        at = 0
        for theme in block:
            yield theme, vectors[at : at + theme.size]
            at += theme.size


def _likeness_blocks(
    state: ThemeState, inputs: BookInputs
) -> Iterator[tuple[int, NDArray[np.float32]]]:
    """Yield calibrated similarities of themes, some rows at a time; -1 across scopes."""
    scopes = {scope: n for n, scope in enumerate(dict.fromkeys(t.scope for t in state.book.themes))}
    group = np.array([scopes[theme.scope] for theme in state.book.themes], dtype=np.int64)
    for start in range(0, len(group), _BLOCK):
        rows = slice(start, start + _BLOCK)
        cosines = np.clip(state.units[rows] @ state.units.T, -1.0, 1.0).astype(np.float32)
        likeness = np.round(inputs.calibrate(cosines), 6)
        likeness[group[rows][:, None] != group[None, :]] = -1.0
        yield start, likeness


def _nearest(state: ThemeState, inputs: BookInputs) -> dict[str, tuple[str | None, float]]:
    found: dict[str, tuple[str | None, float]] = {}
    themes = state.book.themes
    for start, likeness in _likeness_blocks(state, inputs):
        rows = np.arange(len(likeness))
        likeness[rows, start + rows] = -1.0
        best = likeness.argmax(axis=1)
        for row, other in enumerate(best):
            value = float(likeness[row, other])
            name = themes[other].id if value >= 0 else None
            found[themes[start + row].id] = (name, value if name else 0.0)
    return found


def _near_mergers(state: ThemeState, inputs: BookInputs) -> list[NearMerger]:
    themes = state.book.themes
    draft = BookDraft(state, inputs)
    found = []
    for start, likeness in _likeness_blocks(state, inputs):
        for row, other in np.argwhere(likeness > inputs.settings.merge_above):
            if other <= start + row:
                continue
            a, b = themes[start + row], themes[other]
            found.append(
                NearMerger(a.id, b.id, float(likeness[row, other]), _why_apart(draft, a, b))
            )
    return sorted(found, key=lambda near: (-near.similarity, near.first, near.second))


def _why_apart(draft: BookDraft, a: Theme, b: Theme) -> str:
    if draft.parted(a.members, b.members):
        return _("A person set members of them apart.")
    if a.pinned or b.pinned:
        return _("One of them is pinned, so only a person can merge them.")
    if a.size + b.size > draft.inputs.settings.split_above:
        return _("Together they would have {count} members, more than a theme takes.").format(
            count=a.size + b.size
        )
    return _("They have grown alike since they were last changed.")


def _moves(
    state: ThemeState, theme: Theme, vectors: NDArray[np.float32], inputs: BookInputs
) -> Iterator[Suggestion]:
    """Yield members that fit badly where they are and would attach elsewhere."""
    if theme.size < 3:
        return
    total = vectors.sum(axis=0)
    rest = unit(total - vectors)
    here = np.einsum("ij,ij->i", rest, vectors)
    at_home = inputs.calibrate(np.clip(here, -1.0, 1.0).astype(np.float32))
    doubtful = np.flatnonzero((at_home < inputs.settings.settle_from) & vectors.any(axis=1))
    if not len(doubtful):
        return
    peers = np.array(
        [t.scope == theme.scope and t.id != theme.id for t in state.book.themes], dtype=np.bool_
    )
    cosines = np.clip(vectors[doubtful] @ state.units.T, -1.0, 1.0).astype(np.float32)
    likeness = np.where(peers, inputs.calibrate(cosines), -1.0)
    for at, row in enumerate(doubtful):
        best = int(likeness[at].argmax())
        there = float(likeness[at, best])
        if there >= inputs.settings.attach_from:
            target = state.book.themes[best]
            yield Suggestion(
                "move",
                (theme.id, target.id),
                _("It is {here:.2f} like its own theme and {there:.2f} like “{label}”.").format(
                    here=float(at_home[row]), there=there, label=target.label
                ),
                records=(theme.members[int(row)],),
                gain=there - float(at_home[row]),
            )
