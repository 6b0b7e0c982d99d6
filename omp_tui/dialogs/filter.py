"""Choose which memories the list shows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from enum import StrEnum
from typing import ClassVar, TypeVar

from textual.containers import Grid, Horizontal, Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Button, Checkbox, Input, SelectionList, Static
from textual.widgets.selection_list import Selection

from omp_core.i18n import _
from omp_core.model import Category, Query, Scope, Status, Tier
from omp_tui.dialogs.base import Dialog
from omp_tui.keys import N_, Bindings, bind
from omp_tui.text import shown
from omp_tui.words import category_name, field_name, status_name, tier_name

_SCOPE = ("user_id", "agent_id", "app_id", "run_id")
E = TypeVar("E", bound=StrEnum)


class FilterDialog(Dialog[Query]):
    """Gives a query, or None. Nothing ticked in a column means anything goes."""

    AUTO_FOCUS = "#tiers"
    BINDINGS: ClassVar[Bindings] = [
        bind("enter", "apply", N_("Apply"), priority=True),
        bind("ctrl+r", "reset", N_("Reset"), priority=True),
    ]

    def __init__(self, query: Query, own: Scope) -> None:
        super().__init__(_("Filter"))
        self._query = query
        self._own = own

    def body(self) -> Iterable[Widget]:
        query = self._query
        yield Grid(
            _column(_("tier"), "tiers", [(tier_name(one), one) for one in Tier], query.tiers),
            _column(
                _("category"),
                "categories",
                [(category_name(one), one) for one in Category],
                query.categories,
            ),
            Vertical(
                _column(
                    _("status"),
                    "statuses",
                    [(status_name(one), one) for one in Status],
                    query.statuses,
                ),
                Checkbox(
                    Content(_("only disputed")), bool(query.disputed), id="disputed", compact=True
                ),
                Checkbox(
                    Content(_("expired too")), query.include_expired, id="expired", compact=True
                ),
            ),
            id="columns",
        )
        for first, second in (_SCOPE[:2], _SCOPE[2:]):
            yield Horizontal(
                *[
                    part
                    for name in (first, second)
                    for part in (
                        Static(Content(field_name(name)), classes="label"),
                        Input(
                            shown(getattr(query.scope, name) or ""),
                            placeholder=self._hint(name),
                            id=name,
                            compact=True,
                        ),
                    )
                ],
                classes="fields",
            )
        yield Horizontal(
            Button(Content(_("Cancel  esc")), id="cancel", compact=True),
            Button(Content(_("Reset  ^r")), id="reset", compact=True),
            Button(Content(_("Apply  enter")), id="apply", variant="primary", compact=True),
            classes="buttons",
        )

    def _hint(self, name: str) -> str:
        own = getattr(self._own, name)
        return _("any (yours: {name})").format(name=shown(own)) if own else _("any")

    def action_apply(self) -> None:
        if isinstance(self.focused, Button) and self.focused.id != "apply":
            self.focused.press()
            return
        typed = {name: self.query_one(f"#{name}", Input).value.strip() or None for name in _SCOPE}
        self.dismiss(
            replace(
                self._query,
                tiers=self._ticked("tiers", Tier),
                categories=self._ticked("categories", Category),
                statuses=self._ticked("statuses", Status),
                scope=Scope(**typed),
                disputed=True if self.query_one("#disputed", Checkbox).value else None,
                include_expired=self.query_one("#expired", Checkbox).value,
            )
        )

    def action_reset(self) -> None:
        self.dismiss(Query())

    def _ticked(self, name: str, kind: type[E]) -> frozenset[E]:
        return frozenset(
            kind(value) for value in self.query_one(f"#{name}", SelectionList).selected
        )

    def on_button_pressed(self, event: Button.Pressed) -> None:
        event.stop()
        if event.button.id == "cancel":
            self.dismiss(None)
        elif event.button.id == "reset":
            self.action_reset()
        else:
            self.action_apply()


def _column(
    title: str, name: str, choices: Iterable[tuple[str, StrEnum]], ticked: Iterable[StrEnum]
) -> Widget:
    chosen = set(ticked)
    column = SelectionList(
        *[Selection(Content(text), value, value in chosen) for text, value in choices],
        id=name,
        compact=True,
    )
    column.border_title = title
    return column
