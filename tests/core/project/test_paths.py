"""The notation of places inside a document."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from omp_core.errors import InvalidValueError
from omp_core.project.paths import Item, Part, format_path, locate, parse_path
from omp_core.project.yaml.tree import parse

keys = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)
indexes = st.integers(0, 10**6)
items = st.text(st.characters(exclude_categories=["Cs"]), min_size=1).map(Item)


@settings(deadline=None)
@given(keys, st.lists(st.one_of(keys, indexes, items)))
def test_a_path_comes_back_from_its_notation(first: str, rest: list[Part]) -> None:
    path = (first, *rest)
    assert parse_path(format_path(path)) == path


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (("deployment", "web", "url"), "deployment.web.url"),
        (("services", 0, "port"), "services[0].port"),
        (("decisions", Item("dec-2026-02-03-001")), "decisions[dec-2026-02-03-001]"),
        (("paths", "src/a.b"), 'paths."src/a.b"'),
        (("list", Item("7")), 'list["7"]'),
        (("部署", "地址"), "部署.地址"),
        (("api key", ""), 'api key.""'),
    ],
)
def test_the_notation(path: tuple[Part, ...], text: str) -> None:
    assert format_path(path) == text
    assert parse_path(text) == path


@pytest.mark.parametrize("text", ["", ".a", "a..b", "a.", "a[", "a]b", 'a."b', "a[0]b", 'a."\\x"'])
def test_what_is_no_path_is_refused(text: str) -> None:
    with pytest.raises(InvalidValueError):
        parse_path(text)


def test_items_are_found_by_index_and_by_identity() -> None:
    root = parse("services:\n- name: api\n  port: 80\n- name: web\n  port: 81\n", Path("x"))
    for text, expected in [("services[1].port", "81"), ("services[api].port", "80")]:
        node = locate(root, parse_path(text))
        assert node is not None
        assert node.text == expected
    for text in ("services[none].port", "services[2]", "services.name", "nothing.at.all"):
        assert locate(root, parse_path(text)) is None
