from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from wcwidth import wcswidth

from omp_core.language.terminal import cells, one_line, visible

HOSTILE = st.text(
    st.sampled_from(
        "a中é 1#👩👧❤✊🏽🏴م\u200c\u200d\ufe0f\ufe0e\u202e\u2066\u200b\u2028\u2029\ufeff\u00ad"
        "\x1b[\x07\x9b\x7f\r\n\t\ud800\udc00\U000e0067\U000e007f\U000e0101\u0301\u3164\U0001d173"
    ),
    max_size=40,
)
ANY_TEXT = st.one_of(st.text(st.characters(exclude_categories=()), max_size=60), HOSTILE)
BIDI = set("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def forbidden(char: str) -> bool:
    if char in "\t\n\u200c\u200d" or "\U000e0020" <= char <= "\U000e01ef":
        return False  # allowed in their place, see the tests below
    category = unicodedata.category(char)
    if category == "Cf":
        # Marks in front of Arabic or Kaithi numbers, hieroglyph joiners: visible or harmless.
        return char in BIDI or ord(char) < 0x600 or 0x2000 <= ord(char) <= 0x20FF
    return category in ("Cc", "Cs", "Zl", "Zp")


@given(ANY_TEXT)
@example("\x1b]0;title\x07")
@example("\r\r\n")
def test_nothing_that_acts_or_hides_is_left(text: str) -> None:
    shown = visible(text)
    assert not [ascii(char) for char in shown if forbidden(char)]
    shown.encode("utf-8")
    assert not set(visible(text, keep_newlines=False)) & {"\n", "\t", "\r"}


@given(ANY_TEXT)
def test_idempotent(text: str) -> None:
    assert visible(visible(text)) == visible(text)
    flat = visible(text, keep_newlines=False)
    assert visible(flat, keep_newlines=False) == flat


@given(
    st.text(
        st.characters(categories=("L", "N", "P", "S", "Zs"), exclude_characters="\u3164\uffa0")
        .filter(lambda char: char not in "\u115f\u1160")
        .filter(lambda char: ord(char) < 0xE000 or ord(char) > 0xF8FF)
    )
)
def test_letters_digits_signs_stay(text: str) -> None:
    assert visible(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "用户偏好 pytest，不用 unittest。\n\t「好的」",
        "don’t – “quoted” … €5 [/b] [@click=app.quit]",
        "👨\u200d👩\u200d👧 ❤️ 1️⃣ 🇨🇳 👍🏽 ✊🏽\u200d❤️ 🏳️\u200d🌈 ☺︎",
        "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
        "می\u200cخواهم",
        "葛\U000e0100城",
        "e\u0301",
    ],
)
def test_ordinary_text_stays(text: str) -> None:
    assert visible(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[2J", "␛[2J"),
        ("\x00\x7f", "␀␡"),
        ("\x9b31m", "⟨U+009B⟩31m"),
        ("abc\u202edef", "abc⟨U+202E⟩def"),
        ("ad\u200bmin", "ad⟨U+200B⟩min"),
        ("ad\u200dmin", "ad⟨U+200D⟩min"),
        ("a\u2028b", "a⟨U+2028⟩b"),
        ("\ud800", "⟨U+D800⟩"),
        ("x\U000e0041", "x⟨U+E0041⟩"),
        ("🏴\U000e0041\U000e007f", "🏴⟨U+E0041⟩⟨U+E007F⟩"),
        ("x\ufe0f\ufe0f", "x\ufe0f⟨U+FE0F⟩"),
        ("a\r\nb\rc", "a\nb␍c"),
    ],
)
def test_what_acts_or_hides_is_shown(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_newlines_and_tabs_are_shown_when_asked() -> None:
    assert visible("a\n\tb", keep_newlines=False) == "a␊␉b"


@given(ANY_TEXT, st.integers(min_value=-1, max_value=30))
def test_one_line_fits(text: str, width: int) -> None:
    line = one_line(text, width)
    assert max(wcswidth(line), 0) <= max(width, 0)
    assert "\n" not in line
    assert "\t" not in line
    assert visible(line) == line


def test_one_line_cuts_between_characters() -> None:
    assert one_line("用户偏好 pytest", 7) == "用户偏…"
    assert one_line("用户偏好 pytest", 8) == "用户偏…"
    assert one_line("用户偏好 pytest", 9) == "用户偏好…"
    assert one_line("用户偏好 pytest", 15) == "用户偏好 pytest"
    assert one_line("👨\u200d👩\u200d👧👨\u200d👩\u200d👧", 3) == "👨\u200d👩\u200d👧…"
    assert one_line(" a \n b ", 10) == "a b"
    assert one_line("a" * 10_000, 3) == "aa…"
    assert one_line("abc" + " " * 10_000 + "d", 80).startswith("abc")


def test_cells() -> None:
    assert cells("用户a") == 5
    assert cells("") == 0
    assert cells("a\x1b") == 2
