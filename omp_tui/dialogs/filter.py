"""Choose which memories the list shows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import ClassVar

from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.suggester import Suggester, SuggestFromList
from textual.widget import Widget
from textual.widgets import Button, Input, Static

from omp_core.i18n import _
from omp_core.model import Category, Query, Scope, Status, Tier
from omp_core.names import field_name, status_name, tier_name
from omp_tui.dialogs.base import Dialog
from omp_tui.keys import N_, Bindings, bind
from omp_tui.text import shown
from omp_tui.widgets.fields import Field
from omp_tui.widgets.ticks import Ticks
from omp_tui.words import category_name

_SCOPE = ("user_id", "agent_id", "app_id", "run_id")
_DISPUTED, _EXPIRED = "disputed", "expired"


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
        yield Horizontal(
            Ticks(_("tier"), [(tier_name(one), one) for one in Tier], query.tiers, id="tiers"),
            Ticks(
                _("category"),
                [(category_name(one), one) for one in Category],
                query.categories,
                id="categories",
            ),
            Vertical(
                Ticks(
                    _("status"),
                    [(status_name(one), one) for one in Status],
                    query.statuses,
                    id="statuses",
                ),
                Ticks(
                    _("and"),
                    [(_("only disputed"), _DISPUTED), (_("expired too"), _EXPIRED)],
                    [
                        name
                        for name, on in (
                            (_DISPUTED, bool(query.disputed)),
                            (_EXPIRED, query.include_expired),
                        )
                        if on
                    ],
                    id="others",
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
                        Field(
                            shown(getattr(query.scope, name) or ""),
                            placeholder=_("any"),
                            suggester=self._own_name(name),
                            id=name,
                            compact=True,
                        ),
                    )
                ],
                classes="fields",
            )

    def foot(self) -> Iterable[Widget]:
        yield Horizontal(
            Button(Content(_("Cancel  esc")), id="cancel", compact=True),
            Button(Content(_("Reset  ^r")), id="reset", compact=True),
            Button(Content(_("Apply  enter")), id="apply", variant="primary", compact=True),
            classes="buttons",
        )

    def _own_name(self, name: str) -> Suggester | None:
        """Complete a scope field to the person's own value."""
        own = getattr(self._own, name)
        return SuggestFromList([shown(own)], case_sensitive=False) if own else None

    def action_apply(self) -> None:
        if isinstance(self.focused, Button) and self.focused.id != "apply":
            self.focused.press()
            return
        typed = {name: self.query_one(f"#{name}", Input).value.strip() or None for name in _SCOPE}
        others = self.query_one("#others", Ticks).ticked
        self.dismiss(
            replace(
                self._query,
                tiers=self.query_one("#tiers", Ticks).ticked,
                categories=self.query_one("#categories", Ticks).ticked,
                statuses=self.query_one("#statuses", Ticks).ticked,
                scope=Scope(**typed),
                disputed=True if _DISPUTED in others else None,
                include_expired=_EXPIRED in others,
            )
        )

    def action_reset(self) -> None:
        self.dismiss(Query())

    def on_button_pressed(self, event: Button.Pressed) -> None:
        event.stop()
        if event.button.id == "cancel":
            self.dismiss(None)
        elif event.button.id == "reset":
            self.action_reset()
        else:
            self.action_apply()
