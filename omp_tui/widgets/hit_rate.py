"""The hit rate by day as a chart. Imported only when there is a rate to draw."""

from __future__ import annotations

from textual.app import RenderResult
from textual.color import Color
from textual.content import Content
from textual.theme import Theme
from textual_plotext import PlotextPlot

from omp_core.i18n import _
from omp_core.views import HitRate
from omp_tui.text import fit
from omp_tui.words import percent

_LEAST_ROWS = 4
"""Of a chart; in fewer the latest figures stand in a row."""


class HitRateChart(PlotextPlot):
    """Draws percents by day; days without a search are gaps. Too low for that, it names them."""

    def on_mount(self) -> None:
        super().on_mount()
        # The package's own adaptation paints a black ground under the terminal's colours.
        self.theme = "clear"
        self._drawn: tuple[HitRate, float | None, int] | None = None
        self.app.theme_changed_signal.subscribe(self, self._theme_changed)

    def _theme_changed(self, theme: Theme) -> None:
        if self._drawn is not None:
            self.draw(*self._drawn)

    def draw(self, rate: HitRate, alert: float | None, last: int) -> None:
        """Replace the chart by one of the `last` days. Figures are 0..1, the oldest first."""
        self._drawn = (rate, alert, last)
        plot = self.plt
        plot.clear_data()
        plot.clear_figure()
        by_day = rate.by_day[-last:]
        days = list(range(1 - len(by_day), 1))
        figures = [None if value is None else value * 100 for value in by_day]
        plot.plot(days, figures, marker="hd", color=self._colour("success"))
        if alert is not None:
            plot.hline(alert * 100, color=self._colour("warning"))
        plot.ylim(0, 100)
        ticks = {0.0: "0", 100.0: "100"}
        if alert is not None:
            ticks[alert * 100] = _("{share} alert").format(share=percent(alert))
        plot.yticks(list(ticks), list(ticks.values()))
        if days:
            plot.xlim(days[0], 0)
            plot.xticks([days[0], days[0] // 2, 0], [str(days[0]), str(days[0] // 2), _("today")])
        plot.frame(False)
        plot.grid(False, False)
        self.refresh()

    def render(self) -> RenderResult:
        if self._drawn is None or self.content_size.height >= _LEAST_ROWS:
            return super().render()
        rate, alert, last = self._drawn
        parts = [] if alert is None else [_("alert below {share}").format(share=percent(alert))]
        for back, value in enumerate(reversed(rate.by_day[-last:])):
            if value is not None:
                day = _("today") if back == 0 else f"-{back}"
                parts.append(f"{day} {percent(value)}")
        return fit(Content("  ".join(parts)), self.content_size.width)

    def _colour(self, name: str) -> tuple[int, int, int] | str:
        colour = Color.parse(self.app.theme_variables[name])
        if colour.ansi is not None:
            return {"success": "green", "warning": "orange"}[name]
        return colour.rgb
