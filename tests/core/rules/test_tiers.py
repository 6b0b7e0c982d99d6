"""The tier rules."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from omp_core.model import Status, Tier
from omp_core.rules.tiers import Member, lift, moves, oldest
from omp_core.settings import TierSettings

NOW = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)
SMALL = TierSettings(working_capacity=3, short_term_capacity=5)

days = st.floats(0, 400)
members = st.lists(
    st.builds(
        lambda number, tier, entered, used, expires: Member(
            f"r{number}",
            tier,
            NOW - timedelta(days=entered),
            NOW - timedelta(days=min(used, entered)),
            None if expires is None else NOW + timedelta(days=expires),
        ),
        st.integers(0, 10_000),
        st.sampled_from(list(Tier)),
        days,
        days,
        st.none() | st.floats(-5, 5),
    ),
    max_size=30,
    unique_by=lambda one: one.id,
)


def after(held: list[Member], now: datetime) -> list[Member]:
    """Return the members as they are when the moves were made."""
    planned = {move.id: move for move in moves(held, SMALL, now)}
    left = []
    for one in held:
        move = planned.get(one.id)
        if move is None:
            left.append(one)
        elif move.status is Status.ACTIVE:
            left.append(replace(one, tier=move.tier, entered=now))
    return left


def count(held: list[Member], tier: Tier) -> int:
    return sum(one.tier is tier for one in held)


@given(members)
def test_no_tier_is_over_its_capacity_and_a_second_run_finds_nothing(held: Any) -> None:
    left = after(held, NOW)
    assert count(left, Tier.WORKING) <= 3
    assert count(left, Tier.SHORT_TERM) <= 5
    assert moves(left, SMALL, NOW) == ()


@given(members)
def test_important_records_are_never_moved(held: Any) -> None:
    important = {one.id for one in held if one.tier is Tier.IMPORTANT}
    assert not [move for move in moves(held, SMALL, NOW) if move.id in important]


@given(members)
def test_nothing_is_moved_twice_and_only_the_expired_go_out_of_sight(held: Any) -> None:
    planned = moves(held, SMALL, NOW)
    assert len({move.id for move in planned}) == len(planned)
    expired = {one.id for one in held if one.expires_at is not None and one.expires_at <= NOW}
    for move in planned:
        assert (move.status is Status.ARCHIVED) == (move.id in expired)


def member(name: str, tier: Tier, age: float, unread: float | None = None) -> Member:
    used = age if unread is None else unread
    return Member(name, tier, NOW - timedelta(days=age), NOW - timedelta(days=used))


def test_working_memory_promotes_its_oldest() -> None:
    held = [member(f"w{number}", Tier.WORKING, number / 10) for number in range(5)]
    planned = moves(held, SMALL, NOW)
    assert {move.id: move.tier for move in planned} == {
        "w4": Tier.SHORT_TERM,
        "w3": Tier.SHORT_TERM,
    }


def test_short_term_memory_is_first_in_first_out() -> None:
    held = [member(f"s{number}", Tier.SHORT_TERM, number / 10) for number in range(7)]
    planned = moves(held, SMALL, NOW)
    assert {move.id: (move.tier, move.reason) for move in planned} == {
        "s6": (Tier.LONG_TERM, "full"),
        "s5": (Tier.LONG_TERM, "full"),
    }


def test_short_term_memory_unread_for_seven_days_goes_to_long_term() -> None:
    held = [
        member("just", Tier.SHORT_TERM, 7),
        member("read", Tier.SHORT_TERM, 30, unread=1),
        member("young", Tier.SHORT_TERM, 6.9),
    ]
    assert [(move.id, move.reason) for move in moves(held, SMALL, NOW)] == [("just", "unread")]


def test_a_long_term_record_that_is_read_comes_back_and_the_least_recently_used_goes() -> None:
    short = [member(f"s{number}", Tier.SHORT_TERM, 5, unread=number / 10) for number in range(5)]
    planned = lift(member("l", Tier.LONG_TERM, 50), short, SMALL)
    assert [(move.id, move.tier) for move in planned] == [
        ("s4", Tier.LONG_TERM),
        ("l", Tier.SHORT_TERM),
    ]
    assert lift(member("w", Tier.WORKING, 1), short, SMALL) == ()


def test_the_oldest_of_a_tier_are_those_that_entered_first() -> None:
    held = [member(f"w{number}", Tier.WORKING, number) for number in range(4)]
    assert [one.id for one in oldest(held, Tier.WORKING, 2)] == ["w3", "w2"]
