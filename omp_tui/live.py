"""The part of the app that follows the memory while others write to it.

Nothing here touches the memory on the event loop. The first frame is drawn before the store
is opened; from then on a cheap stamp is read twice in three seconds, and when it differs
every screen reads again what it shows.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Hashable
from datetime import datetime
from typing import TYPE_CHECKING, Literal

from textual.app import App
from textual.reactive import reactive
from textual.worker import Worker, WorkerState

from omp_core.errors import OmpError, SecretFoundError
from omp_core.i18n import _
from omp_core.model import Capability, Scope
from omp_core.views import Overview
from omp_tui.background import APP, EMBED, OVERVIEW, STAMP, STANDING, Background, Work
from omp_tui.imports import Embedded
from omp_tui.messages import (
    CallFailed,
    EmbeddingDone,
    OverviewRead,
    Said,
    StampRead,
    StandingRead,
    WaitingRead,
)
from omp_tui.notices import Notice, Notices, Severity
from omp_tui.service import Service
from omp_tui.text import shown

if TYPE_CHECKING:
    from omp_core.memory import Memory

log = logging.getLogger("omp_tui")

Leave = Literal["demo"]
"""What the dashboard can ask of its launcher when it ends."""

LOOK_EVERY_S = 0.7
_STANDING_EVERY_LOOKS = 3
_OVERVIEW_REST = 3.0
"""An overview is read again after this many times the time it took, at the earliest."""
_TOAST_CHARS = 500
_PERIODIC = ("stamp", "standing", "overview")
"""Calls made over and over: an error that stays the same is told once."""


class LiveApp(App[Leave]):
    """Reads stamp, standing and overview; panes and bars watch what it knows."""

    overview: reactive[Overview | None] = reactive(None, always_update=True)
    scope: reactive[Scope] = reactive(Scope())
    capabilities: reactive[tuple[Capability, ...]] = reactive(())
    store_outage: reactive[tuple[datetime, datetime] | None] = reactive(None)
    """When the store was away last while this program ran: from when, until when."""
    seen_at: reactive[datetime | None] = reactive(None)
    trouble: reactive[str | None] = reactive(None)
    """Why the memory cannot be looked at just now; None while it can."""
    works: reactive[tuple[Work, ...]] = reactive(())
    """The changes that are being made, and other long work."""
    paused: reactive[bool] = reactive(False)
    """Whether what others write is left unread until the person goes on."""
    warmed: reactive[bool] = reactive(False)
    """Whether the model is loaded, or known not to be."""
    vectors_missing: reactive[int] = reactive(0)
    """How many records wait for a vector."""
    errors_unseen: reactive[tuple[Notice, ...]] = reactive(())

    def __init__(
        self, memory: Memory, now: Callable[[], datetime], look_every_s: float, *, colours: bool
    ) -> None:
        # Without colours everything is in the terminal's own two, whatever the theme: greys made
        # of a theme that uses the terminal's colours would be black on black.
        super().__init__(ansi_color=None if colours else True)
        self._look_every_s = look_every_s
        self._stamp: Hashable = None
        self._overview_stamp: Hashable = None
        self._begun = False
        self._told: dict[str, str] = {}
        self._overview_due = 0.0
        self._overview_wanted = True
        self.notices = Notices()
        self.service = Service(memory, Background(self), now, lambda: self._begun)

    def begin(self) -> None:
        """Look at the memory for the first time, the first frame being drawn."""
        self.read_standing()
        self.look()
        self.embed()
        self.set_interval(self._look_every_s, self.look)
        self.set_interval(self._look_every_s * _STANDING_EVERY_LOOKS, self.read_standing)

    # looking

    def look(self) -> None:
        """See whether anything was written; while paused, only what this program does."""
        self.works = tuple(self.service.background.works())
        if self.paused and self._begun:
            return
        memory, now = self.service.memory, self.service.now
        self.service.background.ask(
            STAMP, memory.change_stamp, lambda stamp: StampRead(stamp, now()), self, refresh=True
        )
        if self._begun and self._overview_wanted and time.monotonic() >= self._overview_due:
            self._read_overview()

    def read_standing(self) -> None:
        memory = self.service.memory
        self.service.background.ask(
            STANDING,
            lambda: (memory.scope, memory.capabilities()),
            lambda answer: StandingRead(*answer),
            self,
            refresh=True,
        )

    def _read_overview(self) -> None:
        self._overview_wanted = False
        memory, stamp = self.service.memory, self._stamp

        def read() -> OverviewRead:
            begin = time.monotonic()
            overview = memory.overview()
            return OverviewRead(overview, time.monotonic() - begin, stamp)

        self.service.background.ask(OVERVIEW, read, lambda answer: answer, self, refresh=True)

    def on_stamp_read(self, event: StampRead) -> None:
        self._told.pop("stamp", None)
        self.trouble = None
        self.seen_at = event.at
        if event.stamp == self._stamp:
            return
        self._stamp = event.stamp
        if self.warmed:
            self.embed()
        self.refresh_all()

    def on_standing_read(self, event: StandingRead) -> None:
        self._told.pop("standing", None)
        self.scope = event.scope
        before, now = _store(self.capabilities), _store(event.capabilities)
        if before is not None and now is not None and now.up and not before.up:
            self.store_outage = (before.since, now.since)
        self.capabilities = event.capabilities

    def on_overview_read(self, event: OverviewRead) -> None:
        """Take the figures, and ask again while they are of an earlier state of the memory."""
        self._overview_due = time.monotonic() + _OVERVIEW_REST * event.took
        self._told.pop("overview", None)
        self.overview = event.overview
        if event.stamp != self._stamp:
            self._overview_wanted = True

    def refresh_all(self) -> None:
        """Let every open screen read again; those in the back do so when they come forward."""
        self._begun = True
        self._overview_wanted = True
        if time.monotonic() >= self._overview_due:
            self._read_overview()
        for stack in self._screen_stacks.values():
            for screen in stack:
                invalidate = getattr(screen, "invalidate", None)
                if invalidate is not None:
                    invalidate()

    # vectors

    def embed(self) -> None:
        """Load the model, give vectors to the records that wait for one, let the themes follow.

        How many wait is said meanwhile.
        """
        memory, done = self.service.memory, Embedded()
        embedding = memory.embedding

        def fill() -> int:
            done.begin(embedding.missing())
            self.post_message(WaitingRead(done.waiting))
            embedding.embed_missing(progress=done.done)
            memory.warm()
            return embedding.missing()

        self.service.background.ask(EMBED, fill, EmbeddingDone, self, what=done.text)

    def on_waiting_read(self, event: WaitingRead) -> None:
        self.vectors_missing = event.count

    def on_embedding_done(self, event: EmbeddingDone) -> None:
        self.warmed = True
        self.vectors_missing = event.missing
        self.read_standing()

    # trouble

    def on_said(self, event: Said) -> None:
        self.tell(event.text, event.severity)

    def on_call_failed(self, event: CallFailed) -> None:
        text, (owner, purpose) = str(event.error), event.lane
        periodic = owner == APP and purpose in _PERIODIC
        if not periodic or self._told.get(purpose) != text:
            self.report(event.error)
        if periodic:
            self._told[purpose] = text
        if event.lane == STAMP:
            self.trouble = text
            if not self._begun:
                self.refresh_all()

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """A call ended in an error that the core did not mean: a fault of this program."""
        if event.state is WorkerState.ERROR and event.worker.error is not None:
            log.error("fault in %s", event.worker.name, exc_info=event.worker.error)
            self.tell(
                _("A fault in this program ({kind}). The log has the details.").format(
                    kind=type(event.worker.error).__name__
                ),
                "error",
            )

    def tell(self, text: str, severity: Severity = "information", *, toast: bool = True) -> None:
        """Keep the text in the list of messages, and show a toast unless it stands elsewhere.

        It may hold memory text.
        """
        self.notices.add(Notice(self.service.now(), text, severity))
        self.errors_unseen = self.notices.unseen_errors()
        if not toast:
            return
        cut = text if len(text) <= _TOAST_CHARS else text[: _TOAST_CHARS - 1] + "…"
        self.notify(shown(cut), severity=severity, markup=False)

    def report(self, error: OmpError) -> None:
        """Say what went wrong in a toast, and keep the trace in the log."""
        log.warning("%s", type(error).__name__, exc_info=error)
        self.tell(str(error), "warning" if isinstance(error, SecretFoundError) else "error")


def _store(capabilities: tuple[Capability, ...]) -> Capability | None:
    return next((one for one in capabilities if one.name == "store"), None)
