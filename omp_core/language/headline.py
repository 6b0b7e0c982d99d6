"""A text cut to a line."""

_LONGEST = 60


def headline(text: str) -> str:
    """Return the text on one line, cut with an ellipsis after 60 characters."""
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1].rstrip()}…"
