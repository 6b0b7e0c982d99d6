"""Everything drawn by pure functions: it fits its width, whatever the text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from textual.content import Content
from tui.driven import NOW, dispute, health, record

from omp_core.model import Act, Capability, Home, Scope, ScorePart, Tier
from omp_core.views import (
    Alert,
    DecayCounts,
    Forecast,
    HealthRow,
    HitRate,
    NextStep,
    Overview,
    Stale,
    TierUse,
    UnreadBucket,
)
from omp_tui import words
from omp_tui.panes.overview import lines as overview_lines
from omp_tui.panes.overview.alerts import alert_blocks
from omp_tui.text import fit, safe
from omp_tui.widgets.bars import bar, spread
from omp_tui.widgets.list_messages import RowPlace
from omp_tui.widgets.record_lines import TEXT_SHOWN, DetailContent, detail_lines
from omp_tui.widgets.record_list import ListRow
from omp_tui.widgets.row_lines import row_line

FULL = (
    TierUse(Tier.WORKING, 18, 20, None, 0.85),
    TierUse(Tier.SHORT_TERM, 18, 100, None, 0.85),
    TierUse(Tier.LONG_TERM, 18, None, 10_000),
    TierUse(Tier.IMPORTANT, 18),
)
FADING = Forecast(0.9, (0.9, 0.5, 0.1), 90, "long-term", NOW + timedelta(days=3))
OVERVIEW = Overview(total=72, tiers=FULL, homes={Home.USER: 72}, as_of=NOW)

quick = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
texts = st.text(max_size=80)
widths = st.integers(min_value=1, max_value=90)


@quick
@given(text=texts, width=widths)
def test_fit_gives_exactly_the_width(text: str, width: int) -> None:
    assert fit(safe(text, width=200), width).cell_length == width


@quick
@given(share=st.floats(-1, 2), width=st.integers(0, 60))
def test_a_bar_is_as_wide_as_asked_and_grows_with_its_share(share: float, width: int) -> None:
    drawn = bar(share, width, "").plain
    assert len(drawn) == width
    more = bar(share + 0.1, width, "").plain
    assert more.count("█") >= drawn.count("█")


def test_a_bar_is_exact_to_the_eighth_and_shows_the_smallest_share() -> None:
    assert bar(0.5, 4, "").plain == "██░░"
    assert bar(0.5 / 4, 4, "").plain == "▌░░░"
    assert bar(0.0001, 4, "").plain == "▏░░░"
    assert bar(0, 4, "").plain == "░░░░"
    assert bar(1, 4, "").plain == "████"


@quick
@given(left=texts, right=texts, width=widths)
def test_spread_never_overflows(left: str, right: str, width: int) -> None:
    line = spread(safe(left, width=90), safe(right, width=90), width)
    assert line.cell_length <= width


@quick
@given(
    text=texts, width=st.integers(30, 90), cursor=st.booleans(), score=st.none() | st.floats(0, 1)
)
def test_a_row_takes_exactly_its_width(
    text: str, width: int, cursor: bool, score: float | None
) -> None:
    made = record(3, content=text, disputes=(dispute(1),))
    place = RowPlace(cursor=cursor, marked=True)
    assert row_line(made, score, place, "updated", NOW, width).cell_length == width


@quick
@given(text=texts, width=st.integers(28, 90))
def test_the_detail_fits(text: str, width: int) -> None:
    made = record(
        2,
        content=text,
        scope=Scope(text, text),
        metadata={text: text},
        tags=frozenset({text}),
        disputes=(replace(dispute(1, text, [text]), field=text),),
        expires_at=NOW + timedelta(days=3),
    )
    row = ListRow(made, 0.5, (ScorePart("keyword", 1.0, 0.5), ScorePart("recency", 0.2, 0.1)))
    for line in detail_lines(DetailContent(row, (), NOW, FADING), width):
        assert line.cell_length <= width


@quick
@given(text=texts, width=st.integers(30, 120), count=st.integers(0, 10**7))
def test_the_overview_fits(text: str, width: int, count: int) -> None:
    overview = replace(
        OVERVIEW,
        disputes=count,
        recent=(Act("a", "add", text, NOW, text), Act("b", "add", f"agent:{text}", NOW, text)),
    )
    seen = overview_lines.Seen(
        overview,
        (
            Capability("store", False, text, NOW, text),
            Capability("vectors", True, text, NOW, text),
        ),
        NOW,
    )
    view = health(
        unread=(UnreadBucket(0, 7, count), UnreadBucket(180, None, 1)),
        decay=DecayCounts(count, count, count, count),
        stale=Stale(count, count, 1.0),
        rows=(HealthRow("rot", "3 %", "< 20 %", False, 2.5, text),),
        alerts=(Alert("warning", text, text), Alert("info", text, text)),
        hit_rate=HitRate(),
    )
    for draw in (
        overview_lines.tier_lines,
        overview_lines.total_lines,
        overview_lines.activity_lines,
    ):
        assert all(line.cell_length <= width for line in draw(seen, width)), draw
    for draw_health in (
        overview_lines.health_lines,
        overview_lines.unread_lines,
        overview_lines.why_lines,
    ):
        assert all(line.cell_length <= width for line in draw_health(view, width)), draw_health
    for block in alert_blocks(view.alerts, 1, width):
        assert all(line.cell_length == width for line in block)


def test_a_tier_above_its_mark_has_a_sign() -> None:
    seen = overview_lines.Seen(replace(OVERVIEW, tiers=FULL), (), NOW)
    working, short, *_rest = overview_lines.tier_lines(seen, 40)
    assert "18/20 ▲" in working.plain
    assert "▲" not in short.plain


@pytest.mark.parametrize(
    ("text", "words", "shown"),
    [
        ("Use pytest, not unittest", ("Use", "test"), ["Use"]),
        ("用pytest写测试，不用unittest测试", ("pytest", "测试"), ["pytest", "测试", "测试"]),
        ("port 80 and 8080", ("80",), ["80"]),
        ("c++ (and c) [b]red[/b]", ("c++", "b"), ["c++", "b", "b"]),
        ("nothing", (), []),
    ],
)
def test_the_words_that_hit_are_marked_in_line_and_text(
    text: str, words: tuple[str, ...], shown: list[str]
) -> None:
    row = ListRow(record(1, content=text), 0.5, (), words)
    line = row_line(row.record, 0.5, RowPlace(), "updated", NOW, 80, words=words)
    detail, *_rest = detail_lines(DetailContent(row, (), NOW, FADING), 80)
    for drawn in (line, detail):
        assert [drawn.plain[a:b] for a, b, style in drawn.spans if style == "underline"] == shown


def test_a_text_at_the_limit_is_not_said_to_go_on() -> None:
    def drawn(length: int) -> list[Content]:
        row = ListRow(record(1, content="x" * length))
        return detail_lines(DetailContent(row, (), NOW, FADING), 80)

    whole, cut = drawn(TEXT_SHOWN), drawn(TEXT_SHOWN + 1)
    assert not any("more character" in line.plain for line in whole)
    assert any("… 1 more character;" in line.plain for line in cut)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (-5, "now"),
        (59, "now"),
        (60, "1 m"),
        (3599, "59 m"),
        (3600, "1 h"),
        (86399, "23 h"),
        (86400, "1 d"),
        (999 * 86400, "999 d"),
        (1095 * 86400, "3 y"),
    ],
)
def test_spans(seconds: float, text: str) -> None:
    assert words.span(seconds) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, "—"), (0, ".00"), (0.98, ".98"), (0.994, ".99"), (0.996, "1.0"), (1, "1.0")],
)
def test_shares(value: float | None, text: str) -> None:
    assert words.share(value) == text


def test_every_choice_has_a_name() -> None:
    from omp_core import model, names

    namings: tuple[tuple[Callable[[Any], str], type[StrEnum]], ...] = (
        (names.tier_name, model.Tier),
        (words.category_name, model.Category),
        (words.importance_name, model.Importance),
        (names.status_name, model.Status),
        (words.source_name, model.Source),
        (words.temporality_name, model.Temporality),
        (words.home_name, model.Home),
        (words.mode_name, model.SearchMode),
    )
    for naming, kind in namings:
        named = {naming(one) for one in kind}
        assert len(named) == len(kind)
        assert all(named)
    assert names.field_name("nothing we know") == "nothing we know"


@pytest.mark.parametrize(
    ("step", "at", "said"),
    [
        ("stays", None, "it stays as it is"),
        ("short-term-when-full", None, "when working memory is full"),
        ("long-term", NOW + timedelta(days=3), "to long-term memory in 3 d"),
        ("asked", NOW + timedelta(days=40), "you are asked about it in"),
        ("expires", NOW + timedelta(hours=5), "it expires in 5 h"),
    ],
)
def test_the_detail_says_what_happens_next(step: NextStep, at: datetime | None, said: str) -> None:
    fading = Forecast(0.94, (0.94, 0.6, 0.32), 90, step, at)
    lines = detail_lines(DetailContent(ListRow(record(1)), (), NOW, fading), 90)
    text = "\n".join(line.plain for line in lines)
    assert said in text
    assert ".94" in text
    assert ".32 in 90 d" in text
