"""Which records of other tools were said in one sitting."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from omp_core.model import Record, Scope
from omp_core.rules.sittings import LONGEST_PAUSE, with_episodes

START = datetime(2026, 2, 1, 9, tzinfo=UTC)
ARRIVED = datetime(2026, 3, 1, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


def said(number: int, minutes: float, **fields: Any) -> Record:
    at = START + minutes * MINUTE
    return Record(f"{number:03d}", f"text {number}", at, at, **fields)


def episodes(*records: Record) -> list[str | None]:
    return [record.episode for record in with_episodes(records, ARRIVED)]


def test_pauses_of_more_than_half_an_hour_part_sittings() -> None:
    first, second, third, alone = episodes(said(1, 0), said(2, 30), said(3, 40), said(4, 71))
    assert first == second == third is not None
    assert alone is None


def test_the_order_in_the_file_does_not_matter() -> None:
    assert episodes(said(2, 5), said(1, 0))[0] == episodes(said(1, 0), said(2, 5))[0] is not None


def test_what_a_tool_calls_the_session_is_the_episode() -> None:
    assert episodes(
        said(1, 0, metadata={"session_id": "s7"}),
        said(2, 900, metadata={"conversation_id": 12}),
        said(3, 1, scope=Scope(run_id="run-9")),
        said(4, 1, episode="own", metadata={"session_id": "s7"}),
    ) == ["s7", "12", "run-9", "own"]


def test_other_peoples_talk_is_another_sitting() -> None:
    ana, bob = Scope(user_id="ana"), Scope(user_id="bob")
    one, other, *_rest = found = episodes(
        said(1, 0, scope=ana), said(2, 1, scope=bob), said(3, 2, scope=ana), said(4, 3, scope=bob)
    )
    assert found == [one, other, one, other]
    assert one != other


def test_records_without_a_time_of_their_own_and_bulk_writes_are_no_talk() -> None:
    arrived = [Record(str(at), "text", ARRIVED, ARRIVED) for at in range(3)]
    assert episodes(*arrived) == [None, None, None]
    assert episodes(said(1, 0), said(2, 0), said(3, 0)) == [None, None, None]


@given(st.lists(st.integers(0, 300), max_size=12))
def test_whoever_shares_a_sitting_is_linked_by_short_pauses(minutes: list[float]) -> None:
    records = [said(number, at) for number, at in enumerate(minutes)]
    found = with_episodes(records, ARRIVED)
    assert [record.id for record in found] == [record.id for record in records]
    by_name: dict[str, list[datetime]] = {}
    for record in found:
        if record.episode is not None:
            by_name.setdefault(record.episode, []).append(record.created_at)
    for times in by_name.values():
        times.sort()
        assert len(times) > 1
        assert all(later - sooner <= LONGEST_PAUSE for sooner, later in pairwise(times))
