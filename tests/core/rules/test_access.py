"""Who may do what: rules of the user's settings held against actors and scopes."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from omp_core.model import Right, Scope
from omp_core.rules.access import allows, allows_all, covers, rules_for
from omp_core.settings import AccessRule, Settings

RULES = (
    AccessRule(actor="agent:*", may="read"),
    AccessRule(actor="agent:cursor", may="write", app_id="shop*"),
    AccessRule(actor="agent:shut", may="none"),
    AccessRule(actor="agent:cu*", may="curate", user_id="ana", app_id="blog"),
)


@pytest.mark.parametrize(
    ("actor", "scope", "most"),
    [
        ("user", Scope(user_id="ben"), "curate"),
        ("system", Scope(), "curate"),
        ("agent:cursor", Scope(user_id="ben"), "read"),
        ("agent:cursor", Scope(app_id="shop-api"), "write"),
        ("agent:cursor", Scope(user_id="ana", app_id="blog"), "curate"),
        ("agent:codex", Scope(app_id="shop"), "read"),
        ("user via agent:codex", Scope(app_id="shop"), "read"),
        ("someone", Scope(), "curate"),
    ],
)
def test_an_actor_has_the_most_that_any_rule_gives(actor: str, scope: Scope, most: str) -> None:
    rules = rules_for(actor, RULES)
    had = [right for right in Right if allows(rules, right, scope)]
    assert had[-1] == most
    assert had == list(Right)[: len(had)]


def test_an_actor_that_is_only_named_has_nothing() -> None:
    only = rules_for("agent:shut", (AccessRule(actor="agent:shut", may="none"),))
    assert only is not None
    assert not any(allows(only, right, Scope()) for right in Right)


def test_all_is_what_no_part_of_the_scope_limits() -> None:
    assert allows_all(rules_for("agent:codex", RULES), Right.READ)
    assert not allows_all(rules_for("agent:cursor", RULES), Right.WRITE)
    assert allows_all((AccessRule(actor="*", may="curate", user_id="*"),), Right.CURATE)


part = st.none() | st.text("ab*?", max_size=4)


@given(st.builds(Scope, part, part, part, part), st.text("ab", max_size=4))
def test_a_pattern_of_stars_covers_every_scope_and_an_exact_one_itself(
    scope: Scope, name: str
) -> None:
    assert covers(Scope(), scope)
    assert covers(Scope("*", "*", "*", "*"), scope)
    assert covers(Scope(user_id=name), Scope(user_id=name))
    assert not covers(Scope(user_id=f"{name}c"), Scope(user_id=name))


@pytest.mark.parametrize(
    "rule",
    [
        {"actor": "agent:*", "may": "delete"},
        {"actor": "agent:[ab]", "may": "read"},
        {"may": "read"},
        {"actor": "agent:*", "may": "read", "who": "ana"},
        {"actor": "a" * 201, "may": "read"},
    ],
)
def test_a_rule_outside_of_its_bounds_is_refused(rule: dict[str, str]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"access": [rule]}, Settings)
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"access": [{"actor": "a", "may": "read"}] * 101}, Settings)
