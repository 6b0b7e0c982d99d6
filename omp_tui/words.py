"""Names and figures as the interface writes them."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime

from omp_core.i18n import _, ngettext
from omp_core.model import (
    Category,
    Home,
    Importance,
    Order,
    Record,
    Scope,
    SearchMode,
    Source,
    Status,
    Temporality,
    Tier,
)
from omp_core.names import status_name, tier_name

_MINUTE, _HOUR, _DAY = 60, 3600, 86400


def tier_short(record: Record) -> str:
    """Return at most five cells that say where a record stands."""
    if record.home is Home.PROJECT:
        return _("proj")
    return {
        Tier.WORKING: _("work"),
        Tier.SHORT_TERM: _("short"),
        Tier.LONG_TERM: _("long"),
        Tier.IMPORTANT: _("imp"),
    }[record.tier]


def category_name(category: Category) -> str:
    return {
        Category.PREFERENCE: _("preference"),
        Category.IDENTITY: _("identity"),
        Category.ENVIRONMENT: _("environment"),
        Category.DECISION: _("decision"),
        Category.ANTI_PATTERN: _("anti-pattern"),
        Category.EPISODE: _("episode"),
        Category.CONCEPT: _("concept"),
        Category.FACT: _("fact"),
        Category.LESSON: _("lesson"),
    }[category]


def importance_name(importance: Importance) -> str:
    return {
        Importance.HIGH: _("high"),
        Importance.MEDIUM: _("medium"),
        Importance.LOW: _("low"),
    }[importance]


def source_name(source: Source) -> str:
    return {
        Source.USER: _("said by the user"),
        Source.INFERRED: _("inferred"),
        Source.SYSTEM: _("from the system"),
        Source.IMPORTED: _("imported"),
    }[source]


def temporality_name(temporality: Temporality) -> str:
    return {
        Temporality.PERMANENT: _("permanent"),
        Temporality.CONTEXTUAL: _("contextual"),
        Temporality.EPHEMERAL: _("ephemeral"),
    }[temporality]


def home_name(home: Home) -> str:
    return {Home.USER: _("user store"), Home.PROJECT: _("project documents")}[home]


def mode_name(mode: SearchMode) -> str:
    return {
        SearchMode.KEYWORD: _("keyword"),
        SearchMode.SEMANTIC: _("semantic"),
        SearchMode.HYBRID: _("hybrid"),
    }[mode]


def order_name(order: Order) -> str:
    names: dict[Order, str] = {
        "updated": _("last changed"),
        "created": _("created"),
        "accessed": _("last read"),
        "content": _("text"),
        "tier": _("tier"),
        "access_count": _("times read"),
    }
    return names[order]


def choice_name(field: str, value: str) -> str | None:
    """Return the name of a field's value where it is one of a few choices, else None."""
    with suppress(ValueError):
        match field:
            case "tier":
                return tier_name(Tier(value))
            case "status":
                return status_name(Status(value))
            case "category":
                return category_name(Category(value))
            case "importance":
                return importance_name(Importance(value))
            case "source":
                return source_name(Source(value))
            case "temporality":
                return temporality_name(Temporality(value))
    return None


def scope_text(scope: Scope) -> str:
    """Return the parts of a scope that are set: `user ana · project shop`."""
    named = (
        (_("user {name}"), scope.user_id),
        (_("agent {name}"), scope.agent_id),
        (_("project {name}"), scope.app_id),
        (_("run {name}"), scope.run_id),
    )
    return " · ".join(text.format(name=name) for text, name in named if name is not None)


def span(seconds: float) -> str:
    """Return a length of time in its largest unit, at most five cells: `5 m`, `31 d`."""
    if seconds < _MINUTE:
        return _("now")
    if seconds < _HOUR:
        return _("{count} m").format(count=int(seconds // _MINUTE))
    if seconds < _DAY:
        return _("{count} h").format(count=int(seconds // _HOUR))
    whole = int(seconds // _DAY)
    return days(whole) if whole < 1000 else _("{count} y").format(count=whole // 365)


def days(count: int) -> str:
    return _("{count} d").format(count=count)


def age(moment: datetime | None, now: datetime) -> str:
    """Return how long ago `moment` was, or a dash for never."""
    return "—" if moment is None else span((now - moment).total_seconds())


def ago(moment: datetime, now: datetime) -> str:
    """Return the age as it stands in a sentence: `5 m ago`, `just now`."""
    seconds = (now - moment).total_seconds()
    if seconds < _MINUTE:
        return _("just now")
    return _("{span} ago").format(span=span(seconds))


def date(moment: datetime) -> str:
    """Return a date and time in UTC, saying so."""
    return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


def share(value: float | None) -> str:
    """Return 0..1 as `.98`, one as `1.0`, nothing as a dash."""
    if value is None:
        return "—"
    return f"{value:.1f}" if value >= 0.995 else f"{value:.2f}".removeprefix("0")


def percent(value: float | None) -> str:
    return "—" if value is None else f"{value * 100:.0f} %"


def number(count: int) -> str:
    return f"{count:,}"


def memories(count: int) -> str:
    """Return a counted noun: `1 memory`, `1,204 memories`."""
    return ngettext("{count} memory", "{count} memories", count).format(count=number(count))
