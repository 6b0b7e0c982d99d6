from __future__ import annotations

import pytest

from omp_core.language.tags import tags_of


@pytest.mark.parametrize(
    ("value", "tags"),
    [
        ("a, b，c\nd", ["a", "b", "c", "d"]),
        ("['a', 'b']", ["a", "b"]),
        ('["a", "b"]', ["a", "b"]),
        ("[1, 2]", ["1", "2"]),
        ("[a, b", ["[a", "b"]),
        ([1, 2.5, "x", None, " "], ["1", "2.5", "x"]),
        ("", []),
        ("[]", []),
        ("__import__('os')", ["__import__('os')"]),
    ],
)
def test_tags_in_every_way_that_they_are_written(
    value: str | list[object], tags: list[str]
) -> None:
    assert tags_of(value) == tags
