"""How a theme is parted while a person looks at it: pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

Groups = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class SplitParts:
    """Record ids in groups, some of which may be empty yet.

    `by_hand`: a person put members where they are, so that no regrouping may undo it.
    """

    groups: Groups
    by_hand: bool = False

    @property
    def filled(self) -> Groups:
        """The groups that hold something."""
        return tuple(group for group in self.groups if group)

    def part_of(self, record_id: str) -> int:
        """Return the place of the group that holds a record; raises KeyError."""
        for at, group in enumerate(self.groups):
            if record_id in group:
                return at
        raise KeyError(record_id)

    def moved(self, record_ids: Collection[str], by: int) -> SplitParts:
        """Return the parting with these records `by` groups further, each as far as it goes."""
        last = len(self.groups) - 1
        wanted = {
            one: min(max(at + by, 0), last)
            for at, group in enumerate(self.groups)
            for one in group
            if one in record_ids
        }
        groups = tuple(
            (
                *(one for one in group if wanted.get(one, at) == at),
                *(
                    one
                    for other in self.groups
                    if other is not group
                    for one in other
                    if wanted.get(one) == at
                ),
            )
            for at, group in enumerate(self.groups)
        )
        return self if groups == self.groups else SplitParts(groups, True)

    def with_another(self) -> SplitParts:
        """Return the parting with an empty group more, to be filled by hand."""
        return replace(self, groups=(*self.groups, ()))

    def with_one_less(self) -> SplitParts:
        """Return the parting with its last group joined to the one before; two stay."""
        if len(self.groups) <= 2:
            return self
        *kept, before, last = self.groups
        return replace(self, groups=(*kept, (*before, *last)))


def named_apart(members: Sequence[str], chosen: Collection[str]) -> SplitParts:
    """Return the parting of the chosen members from the others."""
    return SplitParts(
        (
            tuple(one for one in members if one not in chosen),
            tuple(one for one in members if one in chosen),
        ),
        True,
    )
