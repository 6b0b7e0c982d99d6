"""The two lines above every pane: whose memory this is and how it is; the modes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from textual.content import Content
from textual.widget import Widget

from omp_core.i18n import _
from omp_core.model import Capability, Scope
from omp_core.views import Overview
from omp_tui.service import Service
from omp_tui.text import MUTED, join_lines, safe
from omp_tui.widgets.bars import spread
from omp_tui.widgets.links import link

_ROOM_FOR_LABELS = 100


@dataclass(frozen=True, slots=True)
class Tab:
    """One mode as the tab line names it."""

    mode: str
    key: str
    title: str


def capability_name(name: str) -> str:
    return {"store": _("store"), "vectors": _("vectors"), "project": _("project")}[name]


def capability_sign(capability: Capability) -> Content:
    """Return full, half or empty: up, up with something missing, down."""
    if not capability.up:
        return Content.styled("○", "$text-error")
    if capability.reason:
        return Content.styled("◐", "$text-warning")
    return Content.styled("●", "$text-success")


def capability_line(capabilities: Sequence[Capability], *, labels: bool) -> Content:
    """Return `store ● sqlite  vectors ◐ hashing`; what is down says so in a word."""
    parts: list[Content] = []
    for capability in capabilities:
        words = [
            Content.styled(capability_name(capability.name), MUTED),
            capability_sign(capability),
        ]
        if not capability.up:
            words.append(Content.styled(_("away"), "bold $text-error"))
        elif labels and capability.label:
            words.append(safe(capability.label, width=20))
        parts.append(Content(" ").join(words))
    return Content("  ").join(parts)


class TopBar(Widget):
    """Follows the app's `overview`, `scope`, `capabilities`, `seen_at` and `trouble`."""

    DEFAULT_CSS = """
    TopBar { dock: top; height: 2; width: 100%; padding: 0 1; }
    """
    auto_links = False

    def __init__(self, service: Service, tabs: Sequence[Tab], current: str) -> None:
        super().__init__()
        self._service = service
        self._tabs = tabs
        self._current = current
        self._overview: Overview | None = None
        self._scope = Scope()
        self._capabilities: tuple[Capability, ...] = ()
        self._seen_at: datetime | None = None
        self._trouble: str | None = None

    def on_mount(self) -> None:
        for name in ("overview", "scope", "capabilities", "seen_at", "trouble"):
            self.watch(self.app, name, self._follow(name))

    def _follow(self, name: str) -> Callable[[object], None]:
        def changed(value: object) -> None:
            setattr(self, f"_{name}", value)
            self.refresh()

        return changed

    def render(self) -> Content:
        width = self.content_size.width
        return join_lines([self._who(width), self._where(width)])

    def _who(self, width: int) -> Content:
        memory = self._service.memory
        scope = self._scope
        words = [Content.styled("omp-tui", "bold $text-accent")]
        if memory.workspace is not None:
            words.append(safe(memory.workspace.root.name, width=24).stylize("bold"))
        else:
            words.append(Content.styled(_("no project here"), MUTED))
        owner = [
            safe(text.format(name=name), width=32)
            for text, name in ((_("user {name}"), scope.user_id), (_("app {name}"), scope.app_id))
            if name is not None
        ]
        words.append(Content.styled(" · ", MUTED).join(owner))
        if self._capabilities:
            right = capability_line(self._capabilities, labels=width >= _ROOM_FOR_LABELS)
        else:
            right = Content.styled(_("opening the memory …"), MUTED)
        return spread(Content("  ").join(words), Content.assemble(" ", right), width)

    def _where(self, width: int) -> Content:
        tabs: list[Content] = []
        for tab in self._tabs:
            here = tab.mode == self._current
            name = f" {tab.key} {tab.title} "
            style = "bold reverse" if here else MUTED
            tabs.append(link(name, f"app.show_mode('{tab.mode}')", style))
        left = Content("").join(tabs)
        if self._overview is not None and self._overview.disputes:
            count = self._overview.disputes
            badge = Content.styled(_("⚖ {count} to settle").format(count=count), "$text-warning")
            left = Content.assemble(left, "  ", link(badge, "app.show_disputed"))
        return spread(left, self._as_of(), width)

    def _as_of(self) -> Content:
        if self._trouble is not None:
            return Content.assemble(" ", safe(self._trouble, width=48).stylize("$text-error"), " ✗")
        if self._seen_at is None:
            return Content("")
        clock = f"{self._seen_at.astimezone():%H:%M:%S}"
        return Content.styled(_(" as of {time} ▶").format(time=clock), MUTED)
