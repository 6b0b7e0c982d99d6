"""Two sequences of words laid side by side: what was put in whose place, what changed places."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from omp_core.language.analysis import Analysis, Token

_LONGEST = 400
"""Words of the longest text that is laid out; of longer ones this many from the start."""


@dataclass(frozen=True, slots=True)
class Region:
    """A place where two texts differ: the words of each, one of them perhaps none."""

    left: tuple[Token, ...]
    right: tuple[Token, ...]

    @property
    def replaced(self) -> bool:
        """Whether each text has words of its own there."""
        return bool(self.left) and bool(self.right)


@dataclass(frozen=True, slots=True)
class Alignment:
    """The words that both texts have, in order, and the regions between them.

    `moved` are words that stand in both but at another place; no region holds them.
    """

    shared: tuple[tuple[Token, Token], ...]
    regions: tuple[Region, ...]
    moved: frozenset[str]

    @property
    def closeness(self) -> float:
        """Share of the words with content that both texts have, 0..1; 1 without any words."""
        same = sum(one.content for one, _other in self.shared) + len(self.moved)
        own = sum(
            token.content for region in self.regions for token in (*region.left, *region.right)
        )
        return 2 * same / (2 * same + own) if same or own else 1.0


def align(a: Analysis, b: Analysis) -> Alignment:
    """Lay the words of two texts of one language side by side."""
    left, right = _related(a), _related(b)
    keys_a, keys_b = [token.key for token in left], [token.key for token in right]
    common = Counter(keys_a) & Counter(keys_b)
    matcher = SequenceMatcher(None, keys_a, keys_b, autojunk=False)
    shared: list[tuple[Token, Token]] = []
    raw: list[Region] = []
    for tag, a1, a2, b1, b2 in matcher.get_opcodes():
        if tag == "equal":
            shared += zip(left[a1:a2], right[b1:b2], strict=True)
        else:
            raw.append(Region(tuple(left[a1:a2]), tuple(right[b1:b2])))
    kept = Counter(one.key for one, _other in shared)
    moved = frozenset(key for key, count in common.items() if count > kept[key])
    regions = [
        Region(
            tuple(token for token in region.left if not _stands(token, moved, keys_b)),
            tuple(token for token in region.right if not _stands(token, moved, keys_a)),
        )
        for region in raw
    ]
    return Alignment(tuple(shared), tuple(one for one in regions if one.left or one.right), moved)


def swapped(a: Analysis, b: Analysis) -> tuple[tuple[Token, ...], tuple[Token, ...]] | None:
    """Return two parts of `a` that changed places in `b`, everything else staying.

    What stands between them has to relate them: parts beside each other, or with no more than
    "and" or "is" between, say the same either way.
    """
    left, right = list(a.sequence), list(b.sequence)
    if len(left) != len(right) or len(left) > _LONGEST:
        return None
    keys_a, keys_b = [token.key for token in left], [token.key for token in right]
    if keys_a == keys_b or Counter(keys_a) != Counter(keys_b):
        return None
    start = next(
        at for at, (one, other) in enumerate(zip(keys_a, keys_b, strict=True)) if one != other
    )
    end = len(keys_a)
    while keys_a[end - 1] == keys_b[end - 1]:
        end -= 1
    keys_a, keys_b, left = keys_a[start:end], keys_b[start:end], left[start:end]
    size = len(keys_a)
    for one in range(1, size):
        if keys_b[-one:] != keys_a[:one]:
            continue
        for other in range(1, size - one):
            between = left[one : size - other]
            if (
                keys_b[:other] == keys_a[-other:]
                and keys_b[other : size - one] == keys_a[one : size - other]
                and _relates(between)
            ):
                return tuple(left[:one]), tuple(left[-other:])
    return None


def _relates(between: Sequence[Token]) -> bool:
    """Return whether words make a difference of what stands on which side of them."""
    if between and between[0].part == "conjunction" and len(between) <= 2:
        return False
    return any(token.part in ("content", "verb", "relation") for token in between)


def _related(found: Analysis) -> Sequence[Token]:
    return [token for token in found.sequence if token.content or token.part == "relation"][
        :_LONGEST
    ]


def _stands(token: Token, moved: frozenset[str], others: Sequence[str]) -> bool:
    return token.key in moved and token.key in others
