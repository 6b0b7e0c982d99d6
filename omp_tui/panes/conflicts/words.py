"""The words for what is known of a dispute and of its sides."""

from __future__ import annotations

import json
from datetime import datetime
from typing import TYPE_CHECKING

from omp_core.i18n import _, ngettext
from omp_core.model import DisputeKind, Json
from omp_tui.words import ago, choice_name, share, span

if TYPE_CHECKING:
    from omp_core.types import Preference, SideDetail


def kind_name(kind: DisputeKind) -> str:
    """Return the short name of a kind of dispute."""
    return {
        DisputeKind.SAME_FIELD: _("same field"),
        DisputeKind.CONTRADICTION: _("contradiction"),
        DisputeKind.CROSS_HOME: _("project and user"),
        DisputeKind.BRANCH: _("two branches"),
    }[kind]


def value_text(value: Json, field: str = "") -> str:
    """Return a side of a dispute about a field as it is shown; it may be memory text."""
    if value is None:
        return _("(nothing)")
    if isinstance(value, str) and (name := choice_name(field, value)) is not None:
        return name
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def use_text(side: SideDetail, now: datetime) -> str:
    """Return how sure a side is, how often it was read, how many searches found it."""
    words = []
    if side.confidence is not None:
        words.append(_("confidence {share}").format(share=share(side.confidence)))
    if side.reads is None:
        words.append(_("nobody reads it yet"))
    else:
        words.append(
            ngettext("read {count} time", "read {count} times", side.reads).format(count=side.reads)
        )
        if side.last_read is not None:
            words.append(_("last {ago}").format(ago=ago(side.last_read, now)))
    if side.searches is not None:
        words.append(
            ngettext(
                "found by {count} search in 30 days",
                "found by {count} searches in 30 days",
                side.searches,
            ).format(count=side.searches)
        )
    return " · ".join(words)


def preference_text(one: Preference) -> str:
    """Return the reason for which the rules prefer a side."""
    if one.reason == "newer":
        return _("← the rules prefer it: newer by {span}").format(span=span(one.by * 3600))
    if one.reason == "surer":
        return _("← the rules prefer it: surer by {share}").format(share=share(one.by))
    if one.reason == "address":
        return _("← the rules prefer it: of two addresses the project's")
    if one.reason == "same":
        return _("← the rules prefer it: the project says the same already")
    return _("← the rules prefer it: the project's side")
