"""The alerts as lines: each with its cure."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from omp_core.views import Alert
from omp_tui.text import MUTED, fit, safe

_SIDE_BY_SIDE = 90


def alert_blocks(alerts: Sequence[Alert], cursor: int, width: int) -> list[list[Content]]:
    """Return the lines of each alert: its cure beside it where there is room, else below."""
    return [_block(alert, index == cursor, width) for index, alert in enumerate(alerts)]


def _block(alert: Alert, here: bool, width: int) -> list[Content]:
    # On the cursor line the colours of the cursor carry; others would be lost on them.
    warning = "" if here else "$text-warning"
    muted = "" if here else MUTED
    sign = ("▲ ", warning) if alert.level == "warning" else ("· ", "")
    message = Content.assemble("▸" if here else " ", sign, safe(alert.message, width=width - 3))
    cure = Content.assemble(("→ ", muted), safe(alert.cure, width=width - 5))
    column = max(40, width // 2)
    if width >= _SIDE_BY_SIDE and message.cell_length < column:
        lines = [Content.assemble(fit(message, column), cure)]
    else:
        lines = [message, Content.assemble("   ", cure)]
    return [fit(line, width) for line in lines]
