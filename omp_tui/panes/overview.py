"""Mode 1: how full, how healthy, how busy the memory is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widget import Widget
from textual.widgets import Static

from omp_core.i18n import _
from omp_core.model import Capability
from omp_core.views import HealthView, Overview
from omp_tui.keys import N_, Bindings, bind
from omp_tui.panes import overview_lines as lines
from omp_tui.panes.base import Pane
from omp_tui.panes.overview_lines import Seen
from omp_tui.text import safe
from omp_tui.widgets.panel import Panel
from omp_tui.widgets.welcome import Welcome

_AGES_EVERY_S = 20.0


class OverviewPane(Pane):
    """Follows the app's `overview` and `capabilities`; asks for nothing itself."""

    MODE = "overview"
    TITLE = N_("Overview")
    CSS_PATH = "../styles/overview.tcss"
    BINDINGS: ClassVar[Bindings] = [
        bind("i", "init_project", N_("Set up this project")),
        bind("o", "open_export", N_("Open an export")),
        bind("d", "demo", N_("Demo")),
        bind("down,j", "scroll_down", N_("Scroll down"), show=False),
        bind("up,k", "scroll_up", N_("Scroll up"), show=False),
    ]

    def body(self) -> Iterable[Widget]:
        self._overview: Overview | None = None
        self._capabilities: tuple[Capability, ...] = ()
        self._tiers = Panel(lines.tier_lines, id="tiers")
        self._totals = Panel(lines.total_lines, id="totals")
        self._activity = Panel(lines.activity_lines, id="activity")
        self._score = Panel(lines.score_lines, id="score")
        self._health_parts = Panel(lines.health_lines)
        self._health = Vertical(self._score, self._health_parts, id="health")
        self._unread = Panel(lines.unread_lines, id="unread")
        self._alerts = Panel(lines.alert_lines, id="alerts")
        self._rate = Horizontal(id="rate")
        yield Welcome(id="welcome")
        yield VerticalScroll(
            Horizontal(self._health, self._rate, classes="row charts health"),
            Horizontal(self._tiers, self._unread, classes="row"),
            Horizontal(self._alerts, classes="row alerts health"),
            Horizontal(self._totals, self._activity, classes="row last"),
            id="panels",
        )

    def on_mount(self) -> None:
        self._tiers.border_title = _("Tiers")
        self._totals.border_title = _("Memory")
        self._activity.border_title = _("Newest activity")
        self._rate.border_title = _("Hit rate · 30 days")
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
            return self.service.memory.workspace is None or self.has_class("-empty")
        return True

    async def action_init_project(self) -> None:
        await self.run_action("app.init_project")

    async def action_open_export(self) -> None:
        await self.run_action("app.open_export")

    async def action_demo(self) -> None:
        await self.run_action("app.demo")

    def action_scroll_down(self) -> None:
        self.query_one("#panels").scroll_down()

    def action_scroll_up(self) -> None:
        self.query_one("#panels").scroll_up()

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
        if overview.empty != self.has_class("-empty"):
            self.set_class(overview.empty, "-empty")
            self.refresh_bindings()
        seen = Seen(overview, self._capabilities, self.service.now())
        for panel in (self._tiers, self._totals, self._activity):
            panel.show(seen)
        self.set_class(overview.health is None, "-no-health")
        if overview.health is not None:
            self._show_health(overview.health)

    def _show_health(self, health: HealthView) -> None:
        for panel in (self._score, self._health_parts, self._unread, self._alerts):
            panel.show(health)
        self._health.border_title = lines.health_title(health)
        self._rate.border_subtitle = lines.hit_rate_title(health)
        self._unread.border_subtitle = lines.unread_title(health)
        count = len(health.alerts)
        self._alerts.border_title = _("Alerts {count}").format(count=count)
        self._alerts.set_class(any(alert.level == "warning" for alert in health.alerts), "-warn")
        self.call_later(self._show_rate, health)

    async def _show_rate(self, health: HealthView) -> None:
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
        self._rate.query_one(HitRateChart).draw(rate, health.hit_rate_alert)
