"""Queries as people type them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omp_core.model import Category, Home, Query, Scope, Status, Tier
from omp_core.rules.conditions import VALUES, completion, read_conditions

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("typed", "query"),
    [
        ("tier:long-term", Query(tiers=frozenset({Tier.LONG_TERM}))),
        ("tier:working tier:short-term", Query(tiers=frozenset({Tier.WORKING, Tier.SHORT_TERM}))),
        ("category:decision", Query(categories=frozenset({Category.DECISION}))),
        ("status:archived", Query(statuses=frozenset({Status.ARCHIVED}))),
        ("status:any", Query(statuses=frozenset())),
        ("home:project", Query(home=Home.PROJECT)),
        ("tag:db", Query(tag="db")),
        ('tag:"two words"', Query(tag="two words")),
        ("user:ana app:shop", Query(scope=Scope(user_id="ana", app_id="shop"))),
        ("is:disputed", Query(disputed=True)),
        ("is:proposed", Query(proposed=True)),
        ("is:expired", Query(only_expired=True, include_expired=True)),
        ("id:m1", Query(ids=frozenset({"m1"}))),
        ("unread>30d", Query(unread_since=NOW - timedelta(days=30))),
        ("unread>2w", Query(unread_since=NOW - timedelta(days=14))),
    ],
)
def test_a_condition_narrows_the_query(typed: str, query: Query) -> None:
    read = read_conditions(f"some {typed} words", Query(), NOW)
    assert (read.query, read.text, read.wrong) == (query, "some words", ())
    assert " ".join(read.taken) == typed


@pytest.mark.parametrize("typed", ["tier:lo", "tier:", "status:gone", "unread>soon", "is:x", "id:"])
def test_what_names_no_value_is_said_and_changes_nothing(typed: str) -> None:
    read = read_conditions(f"a {typed} b", Query(), NOW)
    assert (read.query, read.text, read.wrong) == (Query(), "a b", (typed,))


@pytest.mark.parametrize(
    "typed", ["https://a.example/x", "12:30", "a > b", "deploy: now", "用户:ana"]
)
def test_other_colons_are_text(typed: str) -> None:
    read = read_conditions(typed, Query(), NOW)
    assert (read.query, read.text) == (Query(), typed)


def test_a_quoted_condition_is_text() -> None:
    assert read_conditions('"tier:working" x', Query(), NOW).text == "tier:working x"


def test_what_was_asked_for_before_stays() -> None:
    base = Query(tiers=frozenset({Tier.WORKING}), tag="db")
    read = read_conditions("tier:important", base, NOW)
    assert read.query == Query(tiers=frozenset({Tier.WORKING, Tier.IMPORTANT}), tag="db")


@given(st.text(max_size=60))
def test_any_line_can_be_read(line: str) -> None:
    read = read_conditions(line, Query(), NOW)
    again = read_conditions(line, read.query, NOW)
    assert (again.query, again.text) == (read.query, read.text)
    if not read.taken:
        assert read.query == Query()


@pytest.mark.parametrize(
    ("typed", "whole"),
    [
        ("ti", "tier:"),
        ("words tier:lo", "words tier:long-term"),
        ("status:a", "status:active"),
        ("unread>9", "unread>90d"),
        ("t", None),
        ("tier:x", None),
        ("", None),
        ("words ", None),
    ],
)
def test_the_last_word_is_completed(typed: str, whole: str | None) -> None:
    assert completion(typed) == whole


def test_every_completed_value_can_be_read() -> None:
    for key, values in VALUES.items():
        for value in values:
            assert not read_conditions(f"{key}:{value}", Query(), NOW).wrong
