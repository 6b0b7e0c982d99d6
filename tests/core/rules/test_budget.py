"""What of a ranked list fits into a token budget."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from omp_core.rules.ranking import within_budget


@given(st.lists(st.integers(0, 50)), st.integers(0, 200))
def test_a_budget_is_kept_and_nothing_that_fits_is_left_out(costs: list[int], budget: int) -> None:
    kept = within_budget(costs, budget)
    left = budget - sum(costs[place] for place in kept)
    assert left >= 0
    for place in set(range(len(costs))) - set(kept):
        before = sum(costs[k] for k in kept if k < place)
        assert costs[place] > budget - before
