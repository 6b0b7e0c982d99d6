"""Access: what the user's settings let an actor do to the records of a scope.

An actor that no rule names may do everything; one that rules name may do what these allow, and
their scopes add up. The person and the program's own rules are bound by none.
"""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase

from omp_core.model import SCOPE_FIELDS, Right, Scope
from omp_core.settings import AccessRule

_UNBOUND = ("user", "system")
_VIA = "user via "
"""Begins the name of an agent that brings a decision of the person; its own rights count."""
_RANK = {"none": 0, Right.READ: 1, Right.WRITE: 2, Right.CURATE: 3}

Rules = tuple[AccessRule, ...] | None
"""The rules that bind an actor; None for one that may do everything."""


def rules_for(actor: str, rules: Sequence[AccessRule]) -> Rules:
    """Return the rules that bind an actor."""
    if actor in _UNBOUND:
        return None
    name = actor.removeprefix(_VIA)
    return tuple(rule for rule in rules if fnmatchcase(name, rule.actor)) or None


def allows(rules: Rules, right: Right, scope: Scope) -> bool:
    """Return whether rules give a right over records of a scope; a higher one includes it."""
    return rules is None or any(covers(one, scope) for one in scopes(rules, right))


def allows_all(rules: Rules, right: Right) -> bool:
    """Return whether rules give a right over every scope there can be."""
    return rules is None or any(
        all(getattr(one, name) in (None, "*") for name in SCOPE_FIELDS)
        for one in scopes(rules, right)
    )


def scopes(rules: Sequence[AccessRule], right: Right) -> tuple[Scope, ...]:
    """Return the scopes, as patterns, over which rules give a right."""
    return tuple(
        Scope(rule.user_id, rule.agent_id, rule.app_id, rule.run_id)
        for rule in rules
        if _RANK[rule.may] >= _RANK[right]
    )


def covers(pattern: Scope, scope: Scope) -> bool:
    """Return whether a scope fits a pattern: `*` stands for any text, also none, `?` for one
    character, a part that is not given for anything."""
    wanted = {name: getattr(pattern, name) for name in SCOPE_FIELDS}
    return all(
        one is None or fnmatchcase(getattr(scope, name) or "", one) for name, one in wanted.items()
    )
