"""A model measured on the shipped bilingual pairs: its map to the common scale, its spread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from omp_core.assets import assets_path
from omp_core.embed.profile import LEVELS, Profile, save_profile
from omp_core.embed.protocol import SCRIPTS, Cell, Cells, Embedder
from omp_core.language.language import Script

Kind = Literal["unrelated", "topic", "paraphrase", "translation", "neardup", "conflict"]
"""`conflict` pairs share nearly all words and state different facts."""


class CalibrationPair(msgspec.Struct, frozen=True):
    """Two texts whose relation is known. `lang` is `zh`, `en` or `x` for one of each."""

    kind: Kind
    lang: Literal["zh", "en", "x"]
    a: str
    b: str


class Sentence(msgspec.Struct, frozen=True):
    """One sentence in both languages."""

    zh: str
    en: str


@dataclass(frozen=True, slots=True)
class KindReport:
    """How the pairs of one kind lie on the calibrated scale.

    `from_topic`, `from_paraphrase` and `from_duplicate` are the shares at or above 0.62,
    0.78 and 0.85.
    """

    pairs: int
    median: float
    from_topic: float
    from_paraphrase: float
    from_duplicate: float


@dataclass(frozen=True, slots=True)
class CalibrationReport:
    """How well a model separates kinds of pairs, and the profile that follows.

    The three areas under the curve say how often a random pair of the first group scores
    higher than one of the second: related or unrelated, paraphrase or same topic,
    near-duplicate or anything less. 1 is perfect, 0.5 is chance.
    """

    model_id: str
    profile: Profile
    kinds: Mapping[Kind, KindReport]
    auc_related: float
    auc_paraphrase: float
    auc_duplicate: float

    @property
    def levels(self) -> tuple[float, ...]:
        """The common scale that kinds of likeness are brought to, the weakest first."""
        return LEVELS


@lru_cache(maxsize=1)
def shipped_pairs() -> tuple[CalibrationPair, ...]:
    """Return the bilingual pairs that come with the program."""
    file = assets_path("calibration", "pairs.json")
    return msgspec.json.decode(file.read_bytes(), type=tuple[CalibrationPair, ...])


@lru_cache(maxsize=1)
def shipped_sentences() -> tuple[Sentence, ...]:
    """Return the sentences in both languages that come with the program."""
    file = assets_path("calibration", "sentences.json")
    return msgspec.json.decode(file.read_bytes(), type=tuple[Sentence, ...])


def measure(embedder: Embedder, pairs: Sequence[CalibrationPair]) -> CalibrationReport:
    """Measure a model on `pairs`, which must hold all kinds. Takes seconds: use a worker.

    The report's profile is not stored; `measure_and_store` does that.
    """
    cosines = _cosines(embedder, pairs)
    profile = Profile(fit_knots(cosines), measure_cells(embedder))
    scores = {kind: profile.calibrate(values) for kind, values in cosines.items()}
    related = np.concatenate(
        [scores[kind] for kind in ("topic", "paraphrase", "translation", "neardup")]
    )
    less = np.concatenate([scores[kind] for kind in ("unrelated", "topic", "paraphrase")])
    return CalibrationReport(
        model_id=embedder.model_id,
        profile=profile,
        kinds={kind: _report(values) for kind, values in scores.items()},
        auc_related=_auc(related, scores["unrelated"]),
        auc_paraphrase=_auc(scores["paraphrase"], scores["topic"]),
        auc_duplicate=_auc(scores["neardup"], less),
    )


def measure_and_store(embedder: Embedder) -> tuple[CalibrationReport, Path]:
    """Measure a model on the shipped pairs and keep the profile as the user's own.

    Returns the report and the profile's file. Models opened from now on use it.
    """
    report = measure(embedder, shipped_pairs())
    return report, save_profile(report.model_id, report.profile)


def fit_knots(
    cosines: Mapping[Kind, NDArray[np.float32]],
) -> tuple[float, float, float, float]:
    """Return the centred cosines that stand for LEVELS.

    Unrelated and paraphrase are the medians of their pairs. Same topic is a little below
    its median (the 40th percentile), because 0.62 is also the border at which records join a
    theme. Neither may lie where the kind below still reaches (95th and 75th percentile): a
    threshold that lets the lower kind through proposes nonsense. Near-duplicate is a border
    too, in the middle between the paraphrases' 90th and the near-duplicates' 10th percentile.
    """
    unrelated, topic = cosines["unrelated"], cosines["topic"]
    paraphrase, duplicate = cosines["paraphrase"], cosines["neardup"]
    wanted = (
        np.median(unrelated),
        max(np.quantile(topic, 0.4), np.quantile(unrelated, 0.95)),
        max(np.median(paraphrase), np.quantile(topic, 0.75)),
        (np.quantile(paraphrase, 0.9) + np.quantile(duplicate, 0.1)) / 2,
    )
    knots: list[float] = []
    for at, value in enumerate(wanted):
        low = knots[-1] + 0.01 if knots else -0.95
        knots.append(round(float(np.clip(value, low, 0.99 - 0.01 * (len(wanted) - at))), 3))
    return (knots[0], knots[1], knots[2], knots[3])


def measure_cells(embedder: Embedder, sentences: Sequence[Sentence] | None = None) -> Cells:
    """Return the spread of cosines between unrelated texts, for each two scripts.

    The sentences are about nearly a hundred different things, each in both languages; those
    of different rows are unrelated.
    """
    sentences = shipped_sentences() if sentences is None else sentences
    texts: dict[Script, list[str]] = {
        "cjk": [one.zh for one in sentences],
        "latin": [one.en for one in sentences],
    }
    apart = ~np.eye(len(sentences), dtype=bool)
    passages = {name: embedder.embed_passages(texts[name]) for name in SCRIPTS}
    cells: dict[tuple[Script, Script], Cell] = {}
    for query in SCRIPTS:
        queries = np.stack([embedder.embed_query(text) for text in texts[query]])
        for memory in SCRIPTS:
            values = (queries @ passages[memory].T)[apart]
            std = max(float(values.std()), 1e-3)
            cells[query, memory] = Cell(round(float(values.mean()), 4), round(std, 4))
    return Cells(cells)


def _cosines(
    embedder: Embedder, pairs: Sequence[CalibrationPair]
) -> dict[Kind, NDArray[np.float32]]:
    left = embedder.embed_passages([pair.a for pair in pairs])
    right = embedder.embed_passages([pair.b for pair in pairs])
    values = np.einsum("ij,ij->i", left, right)
    kinds = np.array([pair.kind for pair in pairs])
    return {kind: values[kinds == kind] for kind in dict.fromkeys(pair.kind for pair in pairs)}


def _report(scores: NDArray[np.float32]) -> KindReport:
    shares = [float((scores >= level).mean()) for level in LEVELS[1:]]
    return KindReport(len(scores), float(np.median(scores)), *shares)


def _auc(higher: NDArray[np.float32], lower: NDArray[np.float32]) -> float:
    above = np.greater.outer(higher, lower).mean()
    return float(above + np.equal.outer(higher, lower).mean() / 2)
