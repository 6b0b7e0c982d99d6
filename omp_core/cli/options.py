"""Options that several commands share, and the values that they stand for."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click
import msgspec

from omp_core.errors import InvalidValueError
from omp_core.i18n import _
from omp_core.model import (
    Category,
    Home,
    Importance,
    Json,
    Query,
    Scope,
    Source,
    Status,
    Temporality,
    Tier,
)

if TYPE_CHECKING:
    from omp_core.memory import Memory

Decorated = Callable[..., Any]


def choice(words: Iterable[str]) -> click.Choice[str]:
    """Return a click type that takes one of these words."""
    return click.Choice([str(word) for word in words])


def scope_options(function: Decorated) -> Decorated:
    """Add --user, --agent, --app, --run; the function gets `scope`."""

    @click.option("--user", "user_id", help=_("Only, or for, this user id."))
    @click.option("--agent", "agent_id", help=_("Only, or for, this agent id."))
    @click.option("--app", "app_id", help=_("Only, or for, this project id."))
    @click.option("--run", "run_id", help=_("Only, or for, this session id."))
    @functools.wraps(function)
    def run(
        *args: Any,
        user_id: str | None,
        agent_id: str | None,
        app_id: str | None,
        run_id: str | None,
        **kwargs: Any,
    ) -> Any:
        scope = Scope(user_id or None, agent_id or None, app_id or None, run_id or None)
        return function(*args, scope=scope, **kwargs)

    return run


def query_options(function: Decorated) -> Decorated:
    """Add every filter over records; the function gets `query`."""

    @click.option("--tier", "tiers", multiple=True, type=choice(Tier), help=_("Only this tier."))
    @click.option(
        "--category",
        "categories",
        multiple=True,
        type=choice(Category),
        help=_("Only this category."),
    )
    @click.option(
        "--status",
        "statuses",
        multiple=True,
        type=choice([*Status, "any"]),
        help=_("Only this status; without it, active ones."),
    )
    @click.option("--home", type=choice(Home), help=_("Only the user store, or the project."))
    @click.option("--tag", help=_("Only records with this tag."))
    @click.option(
        "--where",
        "conditions",
        multiple=True,
        metavar="KEY=VALUE",
        help=_("Only where a field or a metadata key is exactly this. Several are joined by and."),
    )
    @click.option("--disputed", is_flag=True, help=_("Only records with open disputes."))
    @click.option("--expired", is_flag=True, help=_("Expired records too."))
    @scope_options
    @functools.wraps(function)
    def run(
        *args: Any,
        tiers: tuple[str, ...],
        categories: tuple[str, ...],
        statuses: tuple[str, ...],
        home: str | None,
        tag: str | None,
        conditions: tuple[str, ...],
        disputed: bool,
        expired: bool,
        scope: Scope,
        **kwargs: Any,
    ) -> Any:
        wanted = frozenset(Status(one) for one in statuses if one != "any")
        if not statuses:
            wanted = frozenset({Status.ACTIVE})
        query = Query(
            scope=scope,
            tiers=frozenset(map(Tier, tiers)),
            categories=frozenset(map(Category, categories)),
            statuses=frozenset() if "any" in statuses else wanted,
            home=None if home is None else Home(home),
            tag=tag,
            metadata=pairs(conditions),
            disputed=True if disputed else None,
            include_expired=expired,
        )
        return function(*args, query=query, **kwargs)

    return run  # fmt: skip


def field_options(function: Decorated) -> Decorated:
    """Add the fields of a record that a person sets; the function gets `fields`."""

    @click.option("--tier", type=choice(Tier), help=_("How long it is meant to stay."))
    @click.option("--category", type=choice(Category), help=_("What kind of fact it is."))
    @click.option("--importance", type=choice(Importance), help=_("high, medium or low."))
    @click.option("--source", type=choice(Source), help=_("Where the claim comes from."))
    @click.option("--confidence", type=float, help=_("How sure it is, 0 to 1."))
    @click.option("--temporality", type=choice(Temporality), help=_("How long it holds."))
    @click.option("--tag", "tags", multiple=True, help=_("A topic word; may be repeated."))
    @click.option(
        "--meta",
        multiple=True,
        metavar="KEY=VALUE",
        help=_("A metadata key; the value is JSON, or else text."),
    )
    @click.option(
        "--expires",
        "expires_at",
        metavar="TIME",
        help=_("When it expires; a date: after that day."),
    )
    @functools.wraps(function)
    def run(
        *args: Any,
        tags: tuple[str, ...],
        meta: tuple[str, ...],
        expires_at: str | None,
        tier: str | None,
        category: str | None,
        importance: str | None,
        source: str | None,
        confidence: float | None,
        temporality: str | None,
        **kwargs: Any,
    ) -> Any:
        given: dict[str, Any] = {
            "tier": tier,
            "category": category,
            "importance": importance,
            "source": source,
            "confidence": confidence,
            "temporality": temporality,
            "tags": list(tags) or None,
            "metadata": pairs(meta) or None,
            "expires_at": None if expires_at is None else _end(args[0], expires_at),
        }
        fields = {name: value for name, value in given.items() if value is not None}
        return function(*args, fields=fields, **kwargs)

    return run  # fmt: skip


def _end(memory: Memory, text: str) -> datetime:
    """Return when something ends: a date means that whole day. What was read into it is said."""
    from omp_core.record_json import is_naive

    moment = memory.moment(text, last=True)
    if is_naive(text):
        note = _("{text} has no time zone and was read as {time}")
        click.echo(note.format(text=text, time=f"{moment:%Y-%m-%dT%H:%MZ}"), err=True)
    return moment


def pairs(texts: Iterable[str]) -> dict[str, Json]:
    """Return KEY=VALUE texts as a mapping. Raises InvalidValueError."""
    found: dict[str, Json] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not key or not equals:
            raise InvalidValueError(_("{text!r} is not of the form KEY=VALUE").format(text=text))
        try:
            found[key] = msgspec.json.decode(value)
        except msgspec.DecodeError:
            found[key] = value
    return found
