"""Editing a text in place: any content to any other, what is kept, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from omp_core.errors import DocumentError, InvalidValueError
from omp_core.project.source import decode
from omp_core.project.yaml.edit import comments, edit
from omp_core.project.yaml.render import Timestamp, block, inline
from omp_core.project.yaml.splice import same
from omp_core.project.yaml.tree import parse, plain

FILE = Path("document.yaml")

texts = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=20),
    st.sampled_from(
        [
            "no",
            "12:30",
            "2026-02-03",
            "~",
            "",
            "a: b",
            "x #y",
            "- z",
            "中文 😀",
            "a\nb\n",
            " lead",
            "trail ",
            "'",
            '"',
            "\\",
            "%",
            "@x",
            "1e3",
            "0x1",
            "null",
            "<<",
            "=",
            "[a]",
            "{b}",
            "a,b",
            "\ttab",
            "line\n\n\nmore",
            "\n",
            "?",
            "...",
            "---",
            "&a",
            "*a",
            "!t",
            "|",
            ">",
            "#",
            ":",
        ]
    ),
)
scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**20), 10**20),
    st.floats(allow_nan=False, allow_infinity=False),
    texts,
)
values = st.recursive(
    scalars,
    lambda below: st.one_of(st.lists(below, max_size=4), st.dictionaries(texts, below, max_size=4)),
    max_leaves=12,
)
documents = st.dictionaries(texts, values, min_size=1, max_size=5)


def changed(text: str, new: Any) -> str:
    source = decode(text.encode(), FILE)
    return edit(source, parse(source.text, FILE), new)


def content(text: str) -> Any:
    return plain(parse(text, FILE))


@settings(deadline=None)
@given(documents)
def test_what_is_written_is_read_back(document: Any) -> None:
    assert same(content(changed("", document)), document)
    assert same(content(inline(document)), document)


@settings(deadline=None, max_examples=150)
@given(documents, documents)
def test_any_content_becomes_any_other_or_is_refused(old: Any, new: Any) -> None:
    text = "\n".join(block(old, 0, 2)) + "\n"
    assert same(content(changed(text, new)), new)


@settings(deadline=None, max_examples=100)
@given(st.data(), documents)
def test_comments_and_untouched_lines_survive(data: st.DataObject, old: Any) -> None:
    lines = []
    for name, value in old.items():
        lines += ["# about the next", *block({name: value}, 0, 2), "", "# after it"]
    text = "\n".join(lines) + "\n"
    name = data.draw(st.sampled_from(list(old)))
    new = {**old, name: data.draw(values), "added key": data.draw(scalars)}
    after = changed(text, new)
    assert same(content(after), new)
    assert comments(after, parse(after, FILE)) == comments(text, parse(text, FILE))
    for other, value in old.items():
        if other not in (name, "added key"):
            assert "\n".join(block({other: value}, 0, 2)) in after


@pytest.mark.parametrize(
    ("before", "new", "after"),
    [
        ("a: 'x'\n", {"a": "it's"}, "a: 'it''s'\n"),
        ('a: "x"\n', {"a": "plain"}, 'a: "plain"\n'),
        ("a: x\n", {"a": "no"}, 'a: "no"\n'),
        ("a: x\n", {"a": "12:30"}, 'a: "12:30"\n'),
        ("a: x\n", {"a": "2026-02-03"}, 'a: "2026-02-03"\n'),
        ("a: x\n", {"a": Timestamp("2026-02-03")}, "a: 2026-02-03\n"),
        ("a: x\n", {"a": Timestamp("someday: or not")}, 'a: "someday: or not"\n'),
        ("a: x\n", {"a": "https://x.example/p#q"}, "a: https://x.example/p#q\n"),
        ("a: x\n", {"a": "用户偏好 🎉"}, "a: 用户偏好 🎉\n"),
        ("a: x # c\n", {"a": ["p", "q"]}, "a: # c\n  - p\n  - q\n"),
        ("a:\n  b: 1\n  # in\n", {"a": 2}, "a: 2\n  # in\n"),
        ("a: |\n  x\n  y\nb: 1\n", {"a": "p\nq\n", "b": 1}, "a: |\n  p\n  q\nb: 1\n"),
        ("a: |\n    x\nb: 1\n", {"a": "p\nq", "b": 1}, "a: |-\n    p\n    q\nb: 1\n"),
        ("a: >\n  x\nb: 1\n", {"a": "p\n", "b": 1}, "a: >\n  p\nb: 1\n"),
        ("a: |\n  x\n", {"a": "\ttab"}, 'a: "\\ttab"\n'),
        ("l:\n- a # 1\n# c\n- b\n", {"l": ["b"]}, "l:\n# c\n- b\n"),
        ("l:\n  - a\n", {"l": ["a", {"k": 1, "l": 2}]}, "l:\n  - a\n  - k: 1\n    l: 2\n"),
        ("l: [a, b] # c\n", {"l": ["a", "b", "c, d"]}, 'l: [a, b, "c, d"] # c\n'),
        ("l: [a, b, ]\n", {"l": ["a", "b", "c"]}, "l: [a, b, c ]\n"),
        ("l: [a, b]\n", {"l": ["b"]}, "l: [b]\n"),
        ("m: {a: 1}\n", {"m": {"a": 1, "b": {"c": [1]}}}, "m: {a: 1, b: {c: [1]}}\n"),
        ("a: 1\nb: 2 # c\nc: 3\n", {"a": 1, "c": 3}, "a: 1\nc: 3\n"),
        ("a: 1\nb: 2", {"a": 1}, "a: 1"),
        ("l:\n- id: x\n  a: 1\n", {"l": [{"a": 1}]}, "l:\n- a: 1\n"),
        ("d: []\r\n# c\r\n", {"d": [{"a": "x"}]}, "d:\r\n  - a: x\r\n# c\r\n"),
        ("a: 1\rb: 2\r", {"a": 1, "b": 2, "c": 3}, "a: 1\rb: 2\rc: 3\r"),
        ("a:\n    b: 1\n", {"a": {"b": 1}, "c": {"d": 2}}, "a:\n    b: 1\nc:\n    d: 2\n"),
        ("# only\n", {"a": 1}, "# only\na: 1\n"),
        ("# only", {"a": 1}, "# only\na: 1"),
        ("a: 1\nb: 2\n", {}, "{}\n"),
        ("- x\n- y\n", ["x", "z"], "- x\n- z\n"),
        ("a: &x one\n", {"a": "two"}, "a: &x two\n"),
        ("a: !!str 12\n", {"a": "13"}, 'a: !!str "13"\n'),
        (
            "b: &m {k: 1}\na:\n  <<: *m\n",
            {"b": {"k": 1}, "a": {"k": 2}},
            "b: &m {k: 1}\na:\n  <<: *m\n  k: 2\n",
        ),
    ],
)
def test_the_text_after_a_change(before: str, new: Any, after: str) -> None:
    assert changed(before, new) == after


@pytest.mark.parametrize(
    ("before", "new"),
    [
        ("a: &x one\nb: *x\n", {"a": "two", "b": "one"}),
        ("a: &x {k: 1}\nb: *x\n", {"a": {"k": 1}, "b": {"k": 2}}),
        ("a: # c\n  - x # why\n  - y\n", {"a": 1}),
        ("just text\n", {"a": 1}),
    ],
)
def test_what_would_disturb_is_refused(before: str, new: Any) -> None:
    with pytest.raises(DocumentError, match="without disturbing"):
        changed(before, new)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), "\ud800", object(), b"x"])
def test_what_yaml_cannot_hold_is_refused(value: Any) -> None:
    with pytest.raises(InvalidValueError):
        changed("a: 1\n", {"a": value})


def test_kinds_are_not_confused() -> None:
    assert not same(1, True)
    assert not same(1, 1.0)
    assert not same(None, "")
    assert same({"a": [1, {"b": None}]}, {"a": [1, {"b": None}]})
    assert changed("a: 1\n", {"a": True}) == "a: true\n"
    assert changed("a: 1\n", {"a": 1.0}) == "a: 1.0\n"
    assert changed("a: 1\n", {"a": "1"}) == 'a: "1"\n'
