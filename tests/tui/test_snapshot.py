"""Pictures without a terminal."""

from __future__ import annotations

import pytest

from omp_core.errors import UsageError
from omp_tui.snapshot import render


@pytest.mark.parametrize(("pane", "words"), [("overview", "Newest"), ("memories", "alembic")])
def test_a_picture_shows_data(make_memory, now, pane, words):
    svg = render(make_memory(30), pane, (100, 30), now=lambda: now)
    assert svg.startswith("<svg")
    assert words in svg


def test_an_unknown_pane_is_refused_by_name(make_memory):
    with pytest.raises(UsageError, match="no pane 'themesx'; known are overview, memories"):
        render(make_memory(1), "themesx", (80, 24))
