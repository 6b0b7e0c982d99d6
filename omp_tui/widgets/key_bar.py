"""The bottom line of a pane: what the keys do here, errors nobody has seen, who wrote last."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from textual.content import Content

from omp_core.i18n import _
from omp_core.views import Overview
from omp_tui.notices import Notice
from omp_tui.service import Service
from omp_tui.text import safe
from omp_tui.widgets.bars import spread
from omp_tui.widgets.key_line import KeyLine
from omp_tui.widgets.links import link
from omp_tui.words import ago

_NEWS_FOR = timedelta(seconds=60)


class KeyBar(KeyLine):
    """An error stays at its right end until the list of messages is opened."""

    def __init__(self, service: Service) -> None:
        super().__init__()
        self._service = service
        self._overview: Overview | None = None
        self._seen_at: datetime | None = None
        self._errors: Sequence[Notice] = ()

    def on_mount(self) -> None:
        super().on_mount()
        self.watch(self.app, "overview", self._overview_changed)
        self.watch(self.app, "seen_at", self._time_passed)
        self.watch(self.app, "errors_unseen", self._errors_changed)

    def _overview_changed(self, overview: Overview | None) -> None:
        self._overview = overview
        self.refresh()

    def _errors_changed(self, errors: Sequence[Notice]) -> None:
        self._errors = errors
        self.refresh()

    def _time_passed(self, seen_at: datetime | None) -> None:
        had_news = self._news() is not None
        self._seen_at = seen_at
        if had_news:
            self.refresh()

    def render(self) -> Content:
        width = self.content_size.width
        sign = self._error_sign()
        left = self.keys(width - sign.cell_length)
        free = width - left.cell_length - 2
        if self._errors:
            right = safe(self._errors[0].text, width=max(1, free - sign.cell_length))
            right = right.stylize("$text-error") if free > sign.cell_length + 20 else Content("")
            return spread(left, Content.assemble(right, sign), width)
        news = self._news() or Content("")
        return spread(left, news.truncate(free, ellipsis=True), width) if free > 12 else left

    def _error_sign(self) -> Content:
        if not self._errors:
            return Content("")
        sign = Content.styled(f" ✗{len(self._errors)} !", "bold $text-error")
        return link(sign, "app.messages")

    def _news(self) -> Content | None:
        if self._overview is None or not self._overview.recent:
            return None
        act = self._overview.recent[0]
        now = self._service.now()
        if act.actor == "user" or now - act.at > _NEWS_FOR:
            return None
        text = _("{actor}: {summary}, {ago}").format(
            actor=act.actor, summary=act.summary, ago=ago(act.at, now)
        )
        return safe(text, width=60).stylize("$text-accent")
