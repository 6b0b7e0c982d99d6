"""Text made safe for a terminal: what would act or hide is shown as a visible symbol."""

from __future__ import annotations

import re

from wcwidth import iter_graphemes, wcswidth

ELLIPSIS = "…"

# Never ordinary: controls, direction overrides, line separators, invisible fillers and
# operators, annotation marks, tag characters, non-characters and lone surrogates.
_ALWAYS = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b"
    "\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    "\ufdd0-\ufdef\ud800-\udfff\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
# Ordinary only in their place: joiners inside emoji or cursive scripts, one variation
# selector behind the character that it selects a form of.
_IN_PLACE = "\u200c\u200d\ufe00-\ufe0f"

_PICTURE = (
    "\u00a9\u00ae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u24c2\u25a0-\u27bf"
    "\u2900-\u297f\u2b00-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
)
_CURSIVE = "\u0600-\u061b\u061d-\u109f\ua8e0-\ua8ff"

_KEPT = re.compile(
    # A flag of a region of England, Scotland ...: the only ordinary use of tag characters.
    "(\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f"
    f"|(?<=[{_PICTURE}])\ufe0f?\u200d(?=[{_PICTURE}])"
    f"|(?<=[{_CURSIVE}])[\u200c\u200d](?=[{_CURSIVE}])"
    "|(?<=[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003fffd])[\U000e0100-\U000e01ef]"
    f"|(?<=[^\\s{_ALWAYS}{_IN_PLACE}])[\ufe00-\ufe0f])"
    f"|([{_ALWAYS}{_IN_PLACE}])"
)
_PRINTABLE_ASCII = re.compile(r"[\t\n -~]*")


def _symbol(char: str) -> str:
    code = ord(char)
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    return f"⟨U+{code:04X}⟩"


def _shown(match: re.Match[str]) -> str:
    kept: str | None = match[1]
    return kept if kept is not None else _symbol(match[2])


def visible(text: str, *, keep_newlines: bool = True) -> str:
    """Return `text` with everything that a terminal would obey or hide made visible.

    C0 controls become their pictures (ESC is `␛`), all others `⟨U+202E⟩`: DEL, C1, bidi
    controls, line separators, zero-width and invisible characters, lone surrogates,
    non-characters. Tabs and line feeds stay; a carriage return before a line feed goes.
    Joiners and selectors of emoji, of cursive scripts and of Han variants stay in their
    place. With `keep_newlines=False` line feeds and tabs are shown as well. Idempotent.
    """
    if not (text.isascii() and _PRINTABLE_ASCII.fullmatch(text)):
        text = _KEPT.sub(_shown, text.replace("\r\n", "\n"))
    if not keep_newlines:
        text = text.replace("\n", "\u240a").replace("\t", "\u2409")
    return text


def json_escaped(json: str) -> str:
    """Return a JSON document with what a terminal would obey or hide as `\\u` escapes.

    It stands for the same value: such characters occur only inside its strings.
    """
    return _KEPT.sub(_json_escape, json)


def _json_escape(match: re.Match[str]) -> str:
    kept: str | None = match[1]
    if kept is not None or match[2] == "\r":
        return match[0]
    units = match[2].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{int.from_bytes(units[at : at + 2]):04x}" for at in range(0, len(units), 2))


def cells(text: str) -> int:
    """Return how many terminal cells `text` takes, once made visible and put on one line."""
    return _width(visible(text, keep_newlines=False))


def one_line(text: str, width_cells: int) -> str:
    """Return `text` on one line of at most `width_cells` terminal cells.

    White space is folded; what does not fit is cut between whole characters and ends in an
    ellipsis. Wide characters are never halved, so the result may be one cell short.
    """
    if width_cells <= 0:
        return ""
    # A cell holds a handful of code points at most; the rest need not be looked at.
    head = text[: 16 * width_cells + 64]
    line = visible(" ".join(head.split()))
    if len(head) == len(text) and _width(line) <= width_cells:
        return line
    room = width_cells - 1
    kept: list[str] = []
    for cluster in iter_graphemes(line):
        room -= _width(cluster)
        if room < 0:
            break
        kept.append(cluster)
    return "".join(kept).rstrip() + ELLIPSIS


def _width(text: str) -> int:
    if text.isascii():
        return len(text)
    return max(wcswidth(text), 0)
