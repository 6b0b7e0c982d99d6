"""Mode 1: how full, how healthy, how busy the memory is, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from textual import on
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static

from omp_core.i18n import _
from omp_core.model import Capability
from omp_core.views import Alert, FixPreview, HealthView, Overview
from omp_tui.dialogs.fix import FixDialog
from omp_tui.dialogs.notice import NoticeDialog
from omp_tui.keys import N_, Bindings, bind
from omp_tui.messages import ModeWanted, RecordsWanted
from omp_tui.panes.base import Pane
from omp_tui.panes.overview import alerts, lines
from omp_tui.panes.overview.lines import Seen
from omp_tui.text import safe
from omp_tui.widgets.alert_list import AlertList
from omp_tui.widgets.panel import Panel
from omp_tui.widgets.welcome import Welcome

_AGES_EVERY_S = 20.0
_RANGES_DAYS = (7, 30, 90)
_OPENS = {
    "disputes-waiting": "conflicts",
    "review-waiting": "review",
    "document-damaged": "project",
}
"""Alerts whose matter has a mode of its own."""
_MOST = 2000
"""Characters of a text from the core that a dialog shows."""


class OverviewPane(Pane):
    """Follows the app's `overview` and `capabilities`; asks for nothing itself.

    Nothing in it takes the focus: the keys are the pane's own, and move the cursor of the
    alerts, or scroll where there is none.
    """

    MODE = "overview"
    CSS_PATH = "pane.tcss"
    BINDINGS: ClassVar[Bindings] = [
        bind("enter", "open_alert", N_("Show")),
        bind("F", "fix", N_("Fix")),
        bind("w", "why", N_("Why")),
        bind("left_square_bracket", "range(-1)", N_("Fewer days"), show=False),
        bind("right_square_bracket", "range(1)", N_("More days"), show=False),
        bind("i", "init_project", N_("Set up this project")),
        bind("o", "open_export", N_("Import")),
        bind("d", "demo", N_("Demo")),
        bind("down,j", "move(1)", N_("Next alert, or scroll down"), show=False, moving=True),
        bind("up,k", "move(-1)", N_("Alert before, or scroll up"), show=False, moving=True),
        bind("pagedown", "page(1)", N_("A page down"), show=False, moving=True),
        bind("pageup", "page(-1)", N_("A page up"), show=False, moving=True),
    ]

    class CureRead(Message):
        """What the cure of an alert is going to change."""

        def __init__(self, alert: Alert, preview: FixPreview | None) -> None:
            super().__init__()
            self.alert = alert
            self.preview = preview

    def body(self) -> Iterable[Widget]:
        self._overview: Overview | None = None
        self._range = 1
        self._capabilities: tuple[Capability, ...] = ()
        self._tiers = Panel(lines.tier_lines, id="tiers")
        self._totals = Panel(lines.total_lines, id="totals")
        self._activity = Panel(lines.activity_lines, id="activity")
        self._score = Panel(lines.score_lines, id="score")
        self._health_parts = Panel(lines.health_lines)
        self._health = Vertical(self._score, self._health_parts, id="health")
        self._unread = Panel(lines.unread_lines, id="unread")
        self._alerts = AlertList(alerts.alert_blocks, id="alerts")
        self._rate = Horizontal(id="rate")
        yield Welcome(id="welcome")
        yield VerticalScroll(
            Horizontal(self._health, self._rate, classes="row charts health"),
            Horizontal(self._tiers, self._unread, classes="row"),
            Horizontal(self._alerts, classes="row alerts health"),
            Horizontal(self._totals, self._activity, classes="row last"),
            id="panels",
            can_focus=False,
        )

    def on_mount(self) -> None:
        self._tiers.border_title = _("Tiers")
        self._totals.border_title = _("Memory")
        self._activity.border_title = _("Newest activity")
        self._name_rate()
        self._unread.border_title = _("Unread for")
        self.add_class("-waiting", "-no-health")
        self.watch(self.app, "overview", self._overview_changed)
        self.watch(self.app, "capabilities", self._capabilities_changed)
        self.set_interval(_AGES_EVERY_S, self._show)

    def reload(self) -> None:
        """Nothing to ask for: the app reads the overview for all modes."""

    @property
    def settled(self) -> bool:
        return self._overview is not None and bool(self._capabilities)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """The offers of the first run: the demo only then, a project only where there is none."""
        if action == "demo":
            return self.has_class("-empty")
        if action == "init_project":
            return self.service.memory.workspace is None
        if action in ("open_alert", "fix"):
            return self._alert is not None
        if action == "why":
            return self._shows_health
        return True

    @property
    def _shows_health(self) -> bool:
        return not (self.has_class("-empty") or self.has_class("-no-health"))

    @property
    def _alert(self) -> Alert | None:
        """The alert under the cursor, if the alerts are on the screen."""
        return self._alerts.alert if self._shows_health else None

    async def action_init_project(self) -> None:
        await self.run_action("app.init_project")

    async def action_open_export(self) -> None:
        await self.run_action("app.open_export")

    async def action_demo(self) -> None:
        await self.run_action("app.demo")

    def action_move(self, by: int) -> None:
        if self._alert is None or not self._alerts.move(by):
            self.query_one("#panels").scroll_relative(y=by, animate=False)

    def action_page(self, by: int) -> None:
        panels = self.query_one("#panels")
        panels.scroll_relative(y=by * max(1, panels.size.height - 1), animate=False)

    # alerts

    async def on_alert_list_opened(self) -> None:
        self.action_open_alert()

    def action_open_alert(self) -> None:
        """Show the records that the alert is about, or what to do about it."""
        if (alert := self._alert) is None:
            return
        about = alert.concerned
        if (mode := _OPENS.get(alert.id)) is not None:
            self.post_message(ModeWanted(mode))
        elif about is None:
            self._advise(alert)
        else:
            self.post_message(RecordsWanted(about.query, about.order, about.descending))

    def action_fix(self) -> None:
        """Ask whether the cure is to be carried out, or say what a person can do."""
        if (alert := self._alert) is None:
            return
        if alert.fix is None:
            self._advise(alert)
            return
        cured, memory = alert, self.service.memory
        self.ask(
            "cure",
            lambda: memory.preview_fix(cured),
            lambda preview: self.CureRead(cured, preview),
        )

    @on(CureRead)
    def _cure_read(self, event: CureRead) -> None:
        alert, preview, memory = event.alert, event.preview, self.service.memory
        if preview is None:
            return

        def answered(yes: bool | None) -> None:
            if yes:
                self.change(lambda: memory.fix(alert.id))

        self.open(FixDialog(alert.message, preview), answered)

    def _advise(self, alert: Alert) -> None:
        self.open(NoticeDialog(_("What to do"), _advice_lines, alert))

    def action_range(self, by: int) -> None:
        """Draw the hit rate over fewer or more days."""
        self._range = min(max(self._range + by, 0), len(_RANGES_DAYS) - 1)
        self._name_rate()
        self._show()

    def _name_rate(self) -> None:
        days = _RANGES_DAYS[self._range]
        self._rate.border_title = _("Hit rate · {days} days").format(days=days)

    def action_why(self) -> None:
        if self._overview is not None and (health := self._overview.health) is not None:
            self.open(NoticeDialog(lines.health_title(health), lines.why_lines, health))

    # showing

    def _overview_changed(self, overview: Overview | None) -> None:
        self._overview = overview
        self._show()

    def _capabilities_changed(self, capabilities: tuple[Capability, ...]) -> None:
        self._capabilities = capabilities
        self._show()

    def _show(self) -> None:
        overview = self._overview
        if overview is None:
            return
        self.remove_class("-waiting")
        self.set_class(overview.empty, "-empty")
        self.set_class(self.service.memory.workspace is not None, "-project")
        seen = Seen(overview, self._capabilities, self.service.now())
        for panel in (self._tiers, self._totals, self._activity):
            panel.show(seen)
        self.set_class(overview.health is None, "-no-health")
        if overview.health is not None:
            self._show_health(overview.health)
        self.refresh_bindings()

    def _show_health(self, health: HealthView) -> None:
        for panel in (self._score, self._health_parts, self._unread):
            panel.show(health)
        self._alerts.show(health.alerts)
        self._health.border_title = lines.health_title(health)
        self._rate.border_subtitle = lines.hit_rate_title(health)
        self._unread.border_subtitle = lines.unread_title(health)
        count = len(health.alerts)
        self._alerts.border_title = _("Alerts {count}").format(count=count)
        self._alerts.set_class(any(alert.level == "warning" for alert in health.alerts), "-warn")
        self.call_later(self._show_rate, health)

    async def _show_rate(self, health: HealthView) -> None:
        if not self._rate.is_attached:  # the answer came before the screen was put together
            self.call_after_refresh(self._show_rate, health)
            return
        rate = health.hit_rate
        if rate.reason is not None or not any(day is not None for day in rate.by_day):
            await self._rate.remove_children()
            reason = rate.reason or _("No search has been made yet.")
            await self._rate.mount(Static(safe(reason), classes="why"))
            return
        # Imported here: plotext is not needed for the first frame.
        from omp_tui.widgets.hit_rate import HitRateChart

        charts = self._rate.query(HitRateChart)
        if not charts:
            await self._rate.remove_children()
            await self._rate.mount(HitRateChart())
        self._rate.query_one(HitRateChart).draw(
            rate, health.hit_rate_alert, _RANGES_DAYS[self._range]
        )


def _advice_lines(alert: Alert, width: int) -> list[Content]:
    return [
        *(line.stylize("bold") for line in safe(alert.message[:_MOST]).wrap(width)),
        Content(""),
        *safe((alert.advice or alert.cure)[:_MOST]).wrap(width),
    ]
