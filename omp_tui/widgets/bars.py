"""Horizontal bars of eighth blocks, and labelled lines; plain content, no widget."""

from __future__ import annotations

from textual.content import Content

from omp_tui.text import MUTED, fit

_EIGHTHS = " ▏▎▍▌▋▊▉█"
_REST = "░"


def bar(share: float, width: int, style: str, *, rest: str = _REST) -> Content:
    """Return a bar of `width` cells, filled by `share` (0..1) to the eighth of a cell.

    The rest is a light shade, so that the end of the scale is seen without colour. A share
    above zero shows at least an eighth.
    """
    width = max(width, 0)
    share = min(max(share, 0.0), 1.0)
    eighths = round(share * width * 8)
    if share > 0 and width > 0:
        eighths = max(eighths, 1)
    full, part = divmod(eighths, 8)
    filled = "█" * full + (_EIGHTHS[part] if part else "")
    return Content.assemble((filled, style), (rest * (width - len(filled)), MUTED))


def label(text: str, width: int) -> Content:
    """Return a muted label of exactly `width` cells."""
    return fit(Content(text), width).stylize(MUTED)


def spread(left: Content, right: Content, width: int) -> Content:
    """Return a line with `left` and `right` at its ends; the left part gives way."""
    room = width - right.cell_length
    if room < 1:
        return right.truncate(width, ellipsis=True)
    return Content.assemble(fit(left, room), right)
