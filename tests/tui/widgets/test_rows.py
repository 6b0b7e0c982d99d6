"""Pages that come late, twice, or for a list that is no longer shown."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tui.driven import record

from omp_tui.widgets.record_list import ListRow
from omp_tui.widgets.rows import KEPT, PAGE, Feed, Rows


def page(offset: int, count: int = PAGE) -> list[ListRow]:
    return [ListRow(record(offset + place)) for place in range(count)]


def ids(rows: Rows[ListRow], index: int) -> str | None:
    row = rows.at(index)
    return None if row is None else row.record.id


def test_only_what_is_in_view_is_wanted_and_once() -> None:
    rows: Rows[ListRow] = Rows()
    first = rows.start_over(keep_old=False)
    assert rows.want(0, 30) == [0]
    assert rows.want(0, 30) == []
    before = rows.complete
    assert rows.put(first, 0, page(0), 1000)
    assert (before, rows.complete) == (False, True)
    assert rows.want(190, 220) == [PAGE]
    assert rows.want(990, 1200) == [4 * PAGE]


def test_an_older_generation_is_dropped_and_old_rows_stand_in() -> None:
    rows: Rows[ListRow] = Rows()
    first = rows.start_over(keep_old=False)
    rows.want(0, 10)
    rows.put(first, 0, page(0), 1000)
    generation = rows.start_over(keep_old=True)
    assert ids(rows, 5) == "m5"
    assert not rows.put(generation - 1, 0, page(500), 1000)
    assert ids(rows, 5) == "m5"
    assert rows.put(generation, 0, page(500), 1000)
    assert ids(rows, 5) == "m505"


def test_without_the_old_ones_nothing_stands_in() -> None:
    rows: Rows[ListRow] = Rows()
    first = rows.start_over(keep_old=False)
    rows.put(first, 0, page(0), 1000)
    rows.start_over(keep_old=False)
    assert rows.at(5) is None
    assert rows.want(0, 10) == [0]


def test_a_page_given_up_may_be_asked_for_again() -> None:
    rows: Rows[ListRow] = Rows()
    rows.start_over(keep_old=False)
    assert rows.want(0, 10) == [0]
    rows.give_up(0)
    assert rows.complete
    assert rows.want(0, 10) == [0]


def test_a_list_that_shrank_forgets_what_lies_behind_its_end() -> None:
    rows: Rows[ListRow] = Rows()
    first = rows.start_over(keep_old=False)
    rows.put(first, 0, page(0), 1000)
    rows.put(first, 3 * PAGE, page(600), 1000)
    generation = rows.start_over(keep_old=True)
    rows.put(generation, 0, page(0, 3), 3)
    assert rows.at(650) is None
    assert rows.at(3) is None
    assert ids(rows, 2) == "m2"


def test_far_pages_are_let_go_and_can_be_had_again() -> None:
    rows: Rows[ListRow] = Rows()
    generation = rows.start_over(keep_old=False)
    for number in range(3 * KEPT):
        offset = number * PAGE
        rows.put(generation, offset, page(offset, 1), 100_000)
    assert rows.at(0) is None
    assert rows.at((3 * KEPT - 1) * PAGE) is not None
    assert rows.want(0, 10) == [0]


@given(total=st.integers(0, 3000), first=st.integers(0, 3000), height=st.integers(1, 200))
def test_what_is_wanted_covers_the_view_and_no_more(total: int, first: int, height: int) -> None:
    rows: Rows[ListRow] = Rows()
    assert rows.want(first, first + height) == []
    rows.start_over(keep_old=False)
    rows.total = total
    last = first + height - 1
    offsets = [int(offset) for offset in rows.want(first, last)]
    for index in range(first, min(last + 1, total)):
        assert any(offset <= index < offset + PAGE for offset in offsets)
    assert all(offset < max(total, 1) for offset in offsets)


# feeds


def feed(*, last: int = 1000) -> Feed[int]:
    """Return a feed that knows the rows from `last` down to the end of its first page."""
    rows: Feed[int] = Feed(str)
    generation = rows.start_over(keep_old=False)
    assert rows.want(0, 10) == [""]
    assert rows.put(generation, "", list(range(last, last - PAGE, -1)))
    return rows


def test_a_feed_is_read_on_below_its_last_row() -> None:
    rows = feed()
    assert rows.want(0, 10) == []
    assert rows.want(150, 180) == ["801"]
    assert rows.want(150, 180) == []
    assert rows.put(rows.generation, "801", list(range(800, 790, -1)))
    assert rows.ended
    assert rows.at(PAGE) == 800
    assert rows.want(200, 209) == []


def test_newer_rows_are_put_on_top_and_what_is_known_stays() -> None:
    rows = feed()
    generation = rows.start_over(keep_old=True)
    assert rows.at(0) == 1000
    assert rows.want(0, 10) == [""]
    assert rows.put(generation, "", list(range(1003, 1003 - PAGE, -1)))
    assert [rows.at(place) for place in (0, 3, PAGE + 2)] == [1003, 1000, 801]
    assert not rows.ended


def test_a_gap_to_what_is_known_starts_the_feed_anew() -> None:
    rows = feed()
    generation = rows.start_over(keep_old=True)
    rows.want(0, 10)
    assert rows.put(generation, "", list(range(9000, 9000 - PAGE, -1)))
    assert rows.total == PAGE
    assert rows.at(PAGE - 1) == 9000 - PAGE + 1


def test_a_page_of_an_older_generation_is_dropped_from_a_feed() -> None:
    rows = feed()
    older = rows.generation
    assert rows.want(150, 180) == ["801"]
    rows.start_over(keep_old=True)
    assert not rows.put(older, "801", [800])
    assert rows.total == PAGE


def test_a_newest_page_that_failed_is_due_again() -> None:
    rows: Feed[int] = Feed(str)
    rows.start_over(keep_old=False)
    assert rows.want(0, 10) == [""]
    rows.give_up("")
    assert not rows.complete
    assert rows.want(0, 10) == [""]
