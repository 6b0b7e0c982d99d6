"""Choose which part of the journal is shown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import ClassVar

from textual.containers import Horizontal
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Button, Input, Select, Static

from omp_core.i18n import _
from omp_tui.dialogs.base import Dialog
from omp_tui.keys import N_, Bindings, bind
from omp_tui.panes.activity.view import ActivityView, Group, Period, group_name, period_name
from omp_tui.text import safe, shown
from omp_tui.widgets.fields import Field
from omp_tui.widgets.ticks import Ticks


class ActivityFilterDialog(Dialog[ActivityView]):
    """Gives what to show, or None. Nothing ticked in a column means anything goes."""

    AUTO_FOCUS = "#groups"
    BINDINGS: ClassVar[Bindings] = [
        bind("enter", "apply", N_("Apply"), priority=True),
        bind("ctrl+r", "reset", N_("Reset"), priority=True),
    ]

    def __init__(self, view: ActivityView, actors: Sequence[str]) -> None:
        super().__init__(_("Filter"))
        self._view = view
        self._actors = tuple(dict.fromkeys((*actors, *sorted(view.actors))))

    def body(self) -> Iterable[Widget]:
        view = self._view
        yield Horizontal(
            Ticks(_("kind"), [(group_name(one), one) for one in Group], view.groups, id="groups"),
            Ticks(
                _("who"),
                [(safe(actor, width=24).plain, actor) for actor in self._actors],
                view.actors,
                id="actors",
            ),
            id="columns",
        )
        yield Horizontal(
            Static(Content(_("time")), classes="label"),
            Select(
                [(Content(period_name(one)), one) for one in Period],
                value=view.period,
                allow_blank=False,
                id="period",
                compact=True,
            ),
            Static(Content(_("memory")), classes="label"),
            Field(
                shown(view.record_id or ""),
                placeholder=_("any; or the id of one"),
                id="record",
                compact=True,
            ),
            classes="fields",
        )

    def foot(self) -> Iterable[Widget]:
        yield Horizontal(
            Button(Content(_("Cancel  esc")), id="cancel", compact=True),
            Button(Content(_("Reset  ^r")), id="reset", compact=True),
            Button(Content(_("Apply  enter")), id="apply", variant="primary", compact=True),
            classes="buttons",
        )

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Enter opens the list of times and chooses in it, as everywhere."""
        if action == "apply" and self.query("#period"):
            period = self.query_one("#period", Select)
            return self.focused is None or period not in self.focused.ancestors_with_self
        return super().check_action(action, parameters)

    def action_apply(self) -> None:
        if isinstance(self.focused, Button) and self.focused.id != "apply":
            self.focused.press()
            return
        view, record = self._view, self.query_one("#record", Input).value.strip() or None
        period = self.query_one("#period", Select).value
        assert isinstance(period, Period)  # allow_blank is off
        self.dismiss(
            replace(
                view,
                actors=self.query_one("#actors", Ticks).ticked,
                groups=self.query_one("#groups", Ticks).ticked,
                period=period,
                record_id=record,
                record_text=view.record_text if record == view.record_id else "",
            )
        )

    def action_reset(self) -> None:
        self.dismiss(ActivityView())

    def on_button_pressed(self, event: Button.Pressed) -> None:
        event.stop()
        if event.button.id == "cancel":
            self.dismiss(None)
        elif event.button.id == "reset":
            self.action_reset()
        else:
            self.action_apply()
