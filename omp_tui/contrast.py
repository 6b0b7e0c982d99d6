"""Colours that can be read: a theme's own, moved away from the ground as far as they must be.

The measure and its thresholds are those of WCAG 2.1 (success criteria 1.4.3 and 1.4.11).
"""

from __future__ import annotations

from collections.abc import Mapping

from textual.color import BLACK, WHITE, Color, ColorParseError

TEXT = 4.5
"""The least contrast of text with its ground."""
LINE = 3.0
"""The least contrast of lines, curves and bars with their ground."""

_TEXTS = (
    "text-accent",
    "text-success",
    "text-warning",
    "text-error",
    "text-primary",
    "text-muted",
    "foreground-muted",
)
_LINES = ("primary", "success", "warning", "error", "border")
_GROUNDS = ("background", "surface", "panel")
_UNDER_WHITE = {
    "block-cursor-background": "block-cursor-background",
    "yes": "primary",
    "danger": "error",
}
"""Grounds of white text: the cursor's and the buttons', and of what they are made."""
_UNDER_WHITE_LEAST = 5.5
"""Above `TEXT`: the text of a button is not quite white."""
_STEPS = 50


def ratio(one: Color, other: Color) -> float:
    """Return the contrast of two opaque colours, 1 to 21."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def readable(colour: Color, grounds: tuple[Color, ...], least: float) -> Color:
    """Return the colour nearest to `colour` that has this contrast with each of the grounds.

    It is blended towards black or white, whichever is farther from the first ground.
    """
    end = max((BLACK, WHITE), key=lambda one: ratio(one, grounds[0]))
    for step in range(_STEPS + 1):
        moved = colour.blend(end, step / _STEPS, alpha=1.0)
        if all(ratio(moved, ground) >= least for ground in grounds):
            return moved
    return end


def with_contrast(variables: Mapping[str, str]) -> dict[str, str]:
    """Return the variables of a theme with texts and lines that can be told from their ground.

    A theme that uses the terminal's own colours is left as it is: nobody knows what they are.
    """
    found = {**variables, "yes": variables["primary"], "danger": variables["error"]}
    try:
        grounds = tuple(Color.parse(variables[name]) for name in _GROUNDS)
        front = Color.parse(variables["foreground"])
    except ColorParseError:
        return found
    if any(ground.ansi is not None or ground.a < 1 for ground in grounds):
        return found
    for names, least in ((_TEXTS, TEXT), (_LINES, LINE)):
        for name in names:
            colour = _opaque(variables[name], front, grounds[0])
            found[name] = readable(colour, grounds, least).hex
    thumb = _opaque(variables["scrollbar"], front, grounds[0])
    rail = _opaque(variables["scrollbar-background"], front, grounds[0])
    found["scrollbar"] = readable(thumb, (rail,), LINE + 0.2).hex
    found["block-cursor-foreground"] = WHITE.hex
    for name, made_of in _UNDER_WHITE.items():
        colour = _opaque(variables[made_of], front, grounds[0])
        found[name] = readable(colour, (WHITE,), _UNDER_WHITE_LEAST).hex
    return found


def _opaque(value: str, front: Color, ground: Color) -> Color:
    """Return a colour as it is seen on the ground; one that adapts to it is made of the front."""
    name, _space, alpha = value.partition(" ")
    if name == "auto":
        share = float(alpha.rstrip("%") or 100) / 100
        return ground.blend(front, share, alpha=1.0)
    colour = Color.parse(name)
    return ground.blend(colour, colour.a, alpha=1.0)


def _luminance(colour: Color) -> float:
    """Return the relative luminance of WCAG 2.1, 0 to 1."""

    def linear(part: int) -> float:
        share = part / 255
        return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4

    red, green, blue = (linear(part) for part in colour.rgb)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
