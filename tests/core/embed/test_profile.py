from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from omp_core.embed.profile import DEFAULT_KNOTS, LEVELS, Profile, load_profile, save_profile
from omp_core.embed.protocol import Cell, Cells
from omp_core.errors import EmbeddingError

CELLS = Cells(
    {
        ("cjk", "cjk"): Cell(0.1, 0.2),
        ("cjk", "latin"): Cell(-0.1, 0.1),
        ("latin", "cjk"): Cell(-0.1, 0.1),
        ("latin", "latin"): Cell(0.0, 0.5),
    }
)

KNOTS = st.lists(
    st.floats(-0.99, 0.99).map(lambda knot: round(knot, 3)), min_size=4, max_size=4, unique=True
).map(lambda knots: Profile((*sorted(knots),)))  # type: ignore[arg-type]


def test_the_map_goes_through_its_knots() -> None:
    assert DEFAULT_KNOTS == (0.05, 0.28, 0.45, 0.82)
    mapped = Profile().calibrate(np.array([-1, *DEFAULT_KNOTS, 1], dtype=np.float32))
    assert mapped == pytest.approx([0, *LEVELS, 1], abs=1e-6)


@given(KNOTS, st.floats(-1, 1), st.floats(-1, 1))
def test_the_map_is_strictly_increasing(profile: Profile, left: float, right: float) -> None:
    low, high = profile.calibrate(np.array(sorted((left, right)), dtype=np.float32))
    assert 0 <= low <= high <= 1
    if abs(left - right) > 1e-3:
        assert low < high


def test_the_map_keeps_the_shape() -> None:
    assert Profile().calibrate(np.zeros((2, 3), dtype=np.float32)).shape == (2, 3)
    assert Profile().calibrate(np.zeros((2, 3), dtype=np.float32)).dtype == np.float32


@pytest.mark.parametrize(
    "knots", [(0.3, 0.2, 0.5, 0.8), (0.1, 0.1, 0.2, 0.3), (0.1, 0.2, 0.3, 1.0)]
)
def test_knots_must_rise(knots: tuple[float, float, float, float]) -> None:
    with pytest.raises(EmbeddingError, match="rise"):
        Profile(knots)


def test_a_saved_profile_is_loaded_before_the_shipped_one() -> None:
    shipped = load_profile("usem3/512/plain/centred-1")
    assert shipped.cells is not None
    own = Profile((0.0, 0.1, 0.2, 0.3), CELLS)
    file = save_profile("usem3/512/plain/centred-1", own)
    assert load_profile("usem3/512/plain/centred-1") == own
    file.unlink()
    assert load_profile("usem3/512/plain/centred-1") == shipped


def test_an_unknown_model_has_the_default_profile(tmp_path: Path) -> None:
    assert load_profile("some/model/384/e5/centred-1", folders=[tmp_path]) == Profile()


@pytest.mark.parametrize("content", ["", "{}", '{"model": "m", "knots": [1], "cells": []}'])
def test_a_damaged_profile_is_named(tmp_path: Path, content: str) -> None:
    file = save_profile("m", Profile(), folder=tmp_path)
    file.write_text(content, "utf-8")
    with pytest.raises(EmbeddingError, match=r"m\.json"):
        load_profile("m", folders=[tmp_path])


def test_z_scores_put_both_scripts_on_one_scale() -> None:
    cosines = np.array([0.3, 0.3, 0.1], dtype=np.float32)
    scores = CELLS.z_scores(cosines, "cjk", np.array([True, False, False]))
    assert scores == pytest.approx([1, 4, 2])
