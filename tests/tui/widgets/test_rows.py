"""Pages that come late, twice, or for a list that is no longer shown."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from omp_tui.widgets.rows import KEPT, PAGE, Row, Rows


def page(make_record, offset, count=PAGE):
    return [Row(make_record(offset + place)) for place in range(count)]


def test_only_what_is_in_view_is_wanted_and_once(make_record):
    rows = Rows()
    first = rows.start_over(keep_old=False)
    assert rows.want(0, 30) == [0]
    assert rows.want(0, 30) == []
    assert not rows.complete
    assert rows.put(first, 0, page(make_record, 0), 1000)
    assert rows.complete
    assert rows.want(190, 220) == [PAGE]
    assert rows.want(990, 1200) == [4 * PAGE]


def test_an_older_generation_is_dropped_and_old_rows_stand_in(make_record):
    rows = Rows()
    first = rows.start_over(keep_old=False)
    rows.want(0, 10)
    rows.put(first, 0, page(make_record, 0), 1000)
    generation = rows.start_over(keep_old=True)
    assert rows.at(5).record.id == "m5"
    assert not rows.put(generation - 1, 0, page(make_record, 500), 1000)
    assert rows.at(5).record.id == "m5"
    assert rows.put(generation, 0, page(make_record, 500), 1000)
    assert rows.at(5).record.id == "m505"


def test_without_the_old_ones_nothing_stands_in(make_record):
    rows = Rows()
    first = rows.start_over(keep_old=False)
    rows.put(first, 0, page(make_record, 0), 1000)
    rows.start_over(keep_old=False)
    assert rows.at(5) is None
    assert rows.want(0, 10) == [0]


def test_a_page_given_up_may_be_asked_for_again():
    rows = Rows()
    rows.start_over(keep_old=False)
    assert rows.want(0, 10) == [0]
    rows.give_up(0)
    assert rows.complete
    assert rows.want(0, 10) == [0]


def test_a_list_that_shrank_forgets_what_lies_behind_its_end(make_record):
    rows = Rows()
    first = rows.start_over(keep_old=False)
    rows.put(first, 0, page(make_record, 0), 1000)
    rows.put(first, 3 * PAGE, page(make_record, 600), 1000)
    generation = rows.start_over(keep_old=True)
    rows.put(generation, 0, page(make_record, 0, 3), 3)
    assert rows.at(650) is None
    assert rows.at(3) is None
    assert rows.at(2).record.id == "m2"


def test_far_pages_are_let_go_and_can_be_had_again(make_record):
    rows = Rows()
    generation = rows.start_over(keep_old=False)
    for number in range(3 * KEPT):
        offset = number * PAGE
        rows.put(generation, offset, page(make_record, offset, 1), 100_000)
    assert rows.at(0) is None
    assert rows.at((3 * KEPT - 1) * PAGE) is not None
    assert rows.want(0, 10) == [0]


@given(total=st.integers(0, 3000), first=st.integers(0, 3000), height=st.integers(1, 200))
def test_what_is_wanted_covers_the_view_and_no_more(total, first, height):
    rows = Rows()
    assert rows.want(first, first + height) == []
    rows.start_over(keep_old=False)
    rows.total = total
    last = first + height - 1
    offsets = rows.want(first, last)
    for index in range(first, min(last + 1, total)):
        assert any(offset <= index < offset + PAGE for offset in offsets)
    assert all(offset < max(total, 1) for offset in offsets)
