"""Token budget: what a search tells within it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from omp_core.language.sentences import estimate_tokens
from omp_core.model import Hit, ThemeHit
from omp_core.rules.ranking import within_budget

_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True)
class BudgetedAnswer:
    """What is told of a search, and what it had to do without.

    `total` is what there was before limit and budget; `relevance` that of every record and
    theme that is told, by id.
    """

    hits: tuple[Hit, ...]
    themes: tuple[ThemeHit, ...]
    total: int
    tokens: int
    over_budget: int
    relevance: dict[str, float] = field(default_factory=dict)
    degraded: str | None = None


class TokenBudget:
    """A token budget, spent in the order in which things are told; None is without end."""

    def __init__(self, budget: int | None) -> None:
        self._budget = budget
        self.spent = 0
        self.left_out = 0

    def afford(self, items: Sequence[_Item], text: Callable[[_Item], str]) -> list[_Item]:
        """Pay for the items in order and return them; what does not fit is passed over."""
        costs = [estimate_tokens(text(item)) for item in items]
        if self._budget is None:
            places = list(range(len(items)))
        else:
            places = within_budget(costs, self._budget - self.spent)
        self.spent += sum(costs[place] for place in places)
        self.left_out += len(items) - len(places)
        return [items[place] for place in places]

    def told(
        self,
        hits: Sequence[Hit],
        *,
        total: int,
        relevance: dict[str, float],
        degraded: str | None,
        themes: Sequence[ThemeHit] = (),
    ) -> BudgetedAnswer:
        """Return what is told when all is paid for."""
        return BudgetedAnswer(
            tuple(hits), tuple(themes), total, self.spent, self.left_out, relevance, degraded
        )
