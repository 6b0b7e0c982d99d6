from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from omp_core.embed.centring import (
    Centring,
    cached_centring,
    measure_centring,
    neutral_sentences,
    unit_rows,
)
from omp_core.embed.protocol import Role
from omp_core.language.language import script
from omp_core.language.normal import content_hash

CHINESE_SHIFT, LATIN_SHIFT = (
    np.array([5, 0, 0], dtype=np.float32),
    np.array([0, 5, 0], dtype=np.float32),
)


def encode(texts: Sequence[str], role: Role) -> np.ndarray:
    """Meaning lies in the third number and is drowned by the language."""
    rows = [
        (CHINESE_SHIFT if script(text) == "cjk" else LATIN_SHIFT)
        + np.array([0, 0, len(text) % 7 - 3], dtype=np.float32)
        for text in texts
    ]
    return np.stack(rows) + (1 if role == "query" else 0)


def test_centring_takes_the_language_out() -> None:
    centring = measure_centring(encode, roles_differ=True)
    texts = ["用户住在成都", "abcdef"]
    vectors = centring.apply(encode(texts, "passage"), texts, "passage")
    assert vectors[0] @ vectors[1] == pytest.approx(1, abs=1e-3)
    queries = centring.apply(encode(texts, "query"), texts, "query")
    assert (queries * vectors).sum(axis=1) == pytest.approx([1, 1], abs=1e-3)


def test_neutral_sentences_are_what_their_version_says() -> None:
    neutral = neutral_sentences()
    assert {script(text) for text in neutral.cjk} == {"cjk"}
    assert {script(text) for text in neutral.latin} == {"latin"}
    assert len(neutral.cjk) >= 24
    assert len(neutral.latin) >= 24
    # A changed sentence changes every vector: raise the version, then this.
    assert (neutral.version, content_hash("\n".join(neutral.cjk + neutral.latin))[:16]) == (
        1,
        "ec3b84fd37417f5b",
    )


def test_a_slow_model_is_measured_once(tmp_path: Path) -> None:
    calls: list[Role] = []

    def counted(texts: Sequence[str], role: Role) -> np.ndarray:
        calls.append(role)
        return encode(texts, role)

    for _ in range(2):
        centring = cached_centring(counted, "a/b", tmp_path, roles_differ=True)
    assert sorted(calls) == ["passage", "passage", "query", "query"]
    kept = Centring.from_bytes(centring.to_bytes())
    vectors = encode(["abc"], "query")
    assert np.array_equal(
        kept.apply(vectors, ["abc"], "query"), centring.apply(vectors, ["abc"], "query")
    )


@pytest.mark.parametrize("damage", [b"", b"PK\x03\x04 half of a file", b"\x80\x04K\x01."])
def test_a_damaged_measurement_is_made_anew(tmp_path: Path, damage: bytes) -> None:
    cached_centring(encode, "a/b", tmp_path, roles_differ=False)
    (file,) = tmp_path.iterdir()
    whole = file.read_bytes()
    file.write_bytes(damage or whole[: len(whole) // 2])
    cached_centring(encode, "a/b", tmp_path, roles_differ=False)
    Centring.from_bytes(file.read_bytes())


@given(arrays(np.float32, (4, 3), elements=st.floats(-1e3, 1e3, width=32)))
def test_rows_are_unit_or_zero(vectors: np.ndarray) -> None:
    norms = np.linalg.norm(unit_rows(vectors), axis=1)
    assert all(norm == 0 or abs(norm - 1) < 1e-4 for norm in norms)
