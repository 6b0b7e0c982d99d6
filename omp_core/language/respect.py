"""Respects: what two texts can differ in, and the outcome of a comparison."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Respect(StrEnum):
    """What two texts differ in."""

    NUMBER = "number"
    DATE = "date"
    TIME = "time"
    WEEKDAY = "weekday"
    VERSION = "version"
    LABEL = "label"
    NEGATION = "negation"
    OPPOSITE = "opposite"
    QUANTIFIER = "quantifier"
    MODALITY = "modality"
    ORDER = "order"
    ROLE = "role"
    CORRECTION = "correction"
    NAME = "name"
    REPLACEMENT = "replacement"
    WORDING = "wording"
    TASTE = "taste"
    SUBJECT = "subject"
    SCOPE = "scope"
    MOOD = "mood"
    SEVERAL = "several"


@dataclass(frozen=True, slots=True)
class Comparison:
    """What two texts are to each other: the same when there is no `respect`.

    `left` and `right` are how each text has it. `same_subject` is whether both speak of one
    thing, so that not both can be true. `frame` is the share of words in common apart from the
    difference, 0..1; nothing is known of it across languages. `detail`: one text has an amount
    or a name that the other leaves open.
    """

    respect: Respect | None
    left: str = ""
    right: str = ""
    same_subject: bool = True
    frame: float = 1.0
    detail: bool = False

    @property
    def same(self) -> bool:
        """Whether no fact is stated differently."""
        return self.respect is None

    @property
    def alike(self) -> bool:
        """Whether nothing is stated differently but perhaps in other words."""
        return self.respect in (None, Respect.WORDING, Respect.TASTE)

    @property
    def contradicts(self) -> bool:
        """Whether both speak of one thing and differ in one respect."""
        return self.respect is not None and self.same_subject


@dataclass(frozen=True, slots=True)
class Distinction:
    """One respect. `apart`: it makes two facts of the texts, however alike the rest is."""

    respect: Respect
    left: str
    right: str
    apart: bool = False
