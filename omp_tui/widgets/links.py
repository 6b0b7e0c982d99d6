"""Words that can be clicked. Only for actions named in this program, never for memory text."""

from __future__ import annotations

from textual.content import Content
from textual.style import Style


def link(text: str | Content, action: str, style: str = "") -> Content:
    """Return `text` that runs `action` when it is clicked."""
    content = Content(text) if isinstance(text, str) else text
    if style:
        content = content.stylize(style)
    return content.stylize(Style.from_meta({"@click": action}))
