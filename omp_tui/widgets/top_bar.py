"""The two lines above every pane: whose memory this is and how it is; the modes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from textual.content import Content
from textual.widget import Widget

from omp_core.i18n import _, ngettext
from omp_core.model import Capability, Scope
from omp_core.views import Overview
from omp_tui.modes import MODES
from omp_tui.service import Service
from omp_tui.text import MUTED, join_lines, safe
from omp_tui.widgets.bars import spread
from omp_tui.widgets.links import link
from omp_tui.words import number

_ROOM_FOR_LABELS = 100


def capability_name(name: str) -> str:
    return {"store": _("store"), "vectors": _("vectors"), "project": _("project")}[name]


def capability_sign(capability: Capability) -> Content:
    """Return full, half or empty: up, up with something missing or damaged, down."""
    if not capability.up and capability.name != "project":
        return Content.styled("○", "$text-error")
    if capability.reason:
        return Content.styled("◐", "$text-warning")
    return Content.styled("●", "$text-success")


def capability_line(
    capabilities: Sequence[Capability], vectors_missing: int = 0, *, labels: bool
) -> Content:
    """Return `store ● sqlite  vectors ◐ 4,116 wait`; what is down says so in a word."""
    parts: list[Content] = []
    for capability in capabilities:
        waits = vectors_missing if capability.name == "vectors" and capability.up else 0
        words = [
            Content.styled(capability_name(capability.name), MUTED),
            Content.styled("◐", "$text-warning") if waits else capability_sign(capability),
        ]
        if not capability.up:
            # a document that cannot be read keeps nobody from the others
            what = _("damaged") if capability.name == "project" else _("away")
            words.append(Content.styled(what, "bold $text-error"))
        elif waits:
            text = ngettext("{count} waits", "{count} wait", waits).format(count=number(waits))
            words.append(Content.styled(text, "$text-warning"))
        elif labels and capability.label:
            words.append(safe(capability.label, width=20))
        parts.append(Content(" ").join(words))
    return Content("  ").join(parts)


class TopBar(Widget):
    """Follows what the app knows: overview, scope, capabilities, when it last looked."""

    DEFAULT_CSS = """
    TopBar { dock: top; height: 2; width: 100%; padding: 0 1; }
    """
    auto_links = False

    def __init__(self, service: Service, current: str) -> None:
        super().__init__()
        self._service = service
        self._current = current
        self._overview: Overview | None = None
        self._scope = Scope()
        self._capabilities: tuple[Capability, ...] = ()
        self._seen_at: datetime | None = None
        self._trouble: str | None = None
        self._paused = False
        self._vectors_missing = 0

    def on_mount(self) -> None:
        for name in (
            "overview",
            "scope",
            "capabilities",
            "seen_at",
            "trouble",
            "paused",
            "vectors_missing",
        ):
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
            right = capability_line(
                self._capabilities, self._vectors_missing, labels=width >= _ROOM_FOR_LABELS
            )
        else:
            right = Content.styled(_("opening the memory …"), MUTED)
        return spread(Content("  ").join(words), Content.assemble(" ", right), width)

    def _where(self, width: int) -> Content:
        """Return the modes and when the memory was last looked at; short where room is short."""
        as_of = self._as_of()
        left = tab_line(self._waiting(), self._current, short=False)
        if left.cell_length + as_of.cell_length > width:
            left = tab_line(self._waiting(), self._current, short=True)
        return spread(left, as_of, width)

    def _waiting(self) -> dict[str, int]:
        if self._overview is None:
            return {}
        return {mode.name: mode.waiting(self._overview) for mode in MODES}

    def _as_of(self) -> Content:
        if self._trouble is not None:
            return Content.assemble(" ", safe(self._trouble, width=48).stylize("$text-error"), " ✗")
        if self._seen_at is None:
            return Content("")
        clock = f"{self._seen_at.astimezone():%H:%M:%S}"
        if self._paused:
            text = _(" paused, as of {time} ❚❚").format(time=clock)
            return link(Content.styled(text, "bold $text-warning"), "app.pause")
        return link(Content.styled(_(" as of {time} ▶").format(time=clock), MUTED), "app.pause")


def tab_line(waiting: Mapping[str, int], current: str, *, short: bool) -> Content:
    """Return the modes with how much waits in each: `1 Overview  3 Conflicts 6`.

    Short, only the present one has its name: `1 2 3·6 [4 Themes] 5·11 6 7`.
    """
    tabs: list[Content] = []
    for mode in MODES:
        here = mode.name == current
        count = waiting.get(mode.name, 0)
        if short:
            figure = f"·{number(count)}" if count else ""
            name = f"[{mode.key} {mode.title}{figure}]" if here else f"{mode.key}{figure}"
        else:
            name = f" {mode.key} {mode.title}{f' {number(count)}' if count else ''} "
        style = "bold reverse" if here else "$text-warning" if count else MUTED
        tabs.append(link(name, f"app.show_mode('{mode.name}')", style))
    return Content(" " if short else "").join(tabs)
