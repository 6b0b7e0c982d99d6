"""The score of a candidate as the sum of its parts, and how relevant a memory is at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from omp_core.errors import SettingsError
from omp_core.i18n import _
from omp_core.language.language import Script
from omp_core.model import Importance, PartName, ScorePart, SearchMode
from omp_core.rules.ranking.traits import Traits
from omp_core.rules.topics import NO_TOPICS, Topics, signs_of, topic_likeness, topics_of
from omp_core.settings import SHIPPED_PROFILES, RankingProfile, SearchSettings

IMPORTANCE_SCORE: Mapping[Importance, float] = {
    Importance.HIGH: 1.0,
    Importance.MEDIUM: 0.5,
    Importance.LOW: 0.0,
}

UNKNOWN_SIMILARITY = 0.62
"""Taken for the calibrated similarity of a memory that was found by its words and has no
vector: the median of those that have one lies between 0.59 and 0.73 on notes and dialogues,
and 0.62 is the common scale's "same topic" (design, section 6)."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known of one candidate.

    `bm25` is None when its words did not bring it in; `z` is its cosine, z-scored for query
    and memory script, and `similarity` the same cosine on the common scale, both None when
    it has no vector. `coverage`, 0..1, is the share of what the query asks for.
    """

    traits: Traits
    bm25: float | None
    coverage: float
    z: float | None
    similarity: float | None = None

    @property
    def id(self) -> str:
        return self.traits.id


Sum = tuple[PartName, float, float]
"""A part before it is shown: its name, value and weight."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A record in its place: the parts of its score, which is their weighted sum."""

    traits: Traits
    sums: tuple[Sum, ...]
    score: float

    @property
    def id(self) -> str:
        return self.traits.id

    @property
    def parts(self) -> tuple[ScorePart, ...]:
        return tuple(ScorePart(*one) for one in self.sums)

    def part(self, wanted: PartName) -> float:
        """Return the value of a part, 0 where it has none of that name."""
        return next((value for name, value, _weight in self.sums if name == wanted), 0.0)


def relevance(evidence: Evidence) -> float:
    """Return how much a candidate has to do with the query, 0..1, whatever else there is.

    Words and meaning are independent witnesses, each of which may be right alone (an
    identifier; a translation), so it is 1 - (1 - coverage) * (1 - similarity). Over the
    demo's journalled searches the best relevance tells those that found something from
    those that did not in 95 of 100 pairs; the larger of the two alone does in 91.
    """
    similarity = evidence.similarity
    if similarity is None:
        similarity = UNKNOWN_SIMILARITY if evidence.coverage > 0.0 else 0.0
    return 1.0 - (1.0 - evidence.coverage) * (1.0 - similarity)


def worth_showing(evidence: Sequence[Evidence], settings: SearchSettings) -> dict[str, float]:
    """Return the relevance of the candidates that are not noise, by record id.

    Something is always nearest, also to words that mean nothing. When no memory holds a word
    of the query, the best must therefore reach `found_floor`, or all are noise.
    """
    relevant = {one.id: relevance(one) for one in evidence}
    by_words = any(one.coverage > 0.0 for one in evidence)
    if not by_words and max(relevant.values(), default=0.0) < settings.found_floor:
        return {}
    return {
        record_id: value for record_id, value in relevant.items() if value >= settings.shown_floor
    }


def recency(updated_at: datetime, now: datetime, half_life_days: float) -> float:
    """Return 1 for a change of this moment, halved by each half-life since."""
    age_days = max(0.0, (now - updated_at).total_seconds() / 86_400)
    return float(0.5 ** (age_days / half_life_days))


def chosen_profile(settings: SearchSettings) -> RankingProfile:
    """Return the chosen profile. Raises SettingsError for an unknown name."""
    known = {**SHIPPED_PROFILES, **settings.profiles}
    chosen = known.get(settings.profile)
    if chosen is None:
        raise SettingsError(
            _("search.profile: there is no profile {profile!r}; known are {known}").format(
                profile=settings.profile, known=", ".join(sorted(known))
            )
        )
    return chosen


def rank(
    evidence: Sequence[Evidence],
    mode: SearchMode,
    script: Script,
    settings: SearchSettings,
    now: datetime,
    *,
    semantic_available: bool,
    topics: Topics = NO_TOPICS,
) -> list[Ranked]:
    """Return the candidates by their own score, best first; equal ones by id.

    `script` and `topics` are the query's; a memory that speaks of these topics is nearer by so
    many deviations. A search by words has the keyword part only, one by meaning the
    semantic part only. Without vectors, or for a record that has none yet, the semantic part
    is the keyword part (orchestrator seed, 2).
    """
    profile = chosen_profile(settings)
    best = max((one.bm25 for one in evidence if one.bm25 is not None), default=0.0)
    on_topic = topics if profile.topics and mode is SearchMode.HYBRID else NO_TOPICS
    signs = signs_of(on_topic)
    near = {
        one.id: one.z + _topical(one, on_topic, signs, profile.topics)
        for one in evidence
        if one.z is not None and semantic_available
    }
    nearest = max(near.values(), default=0.0)
    ranked = []
    for one in evidence:
        keyword = _keyword(one, best, profile.coverage_power)
        semantic = keyword
        if one.id in near:
            semantic = _share(near[one.id], nearest)
            if profile.crossed and mode is SearchMode.HYBRID and one.traits.script != script:
                # words cannot cross languages: meaning stands in for them
                keyword = min(1.0, keyword + profile.crossed * semantic)
        sums: tuple[Sum, ...]
        if mode is SearchMode.KEYWORD:
            sums = (("keyword", keyword, 1.0),)
        elif mode is SearchMode.SEMANTIC:
            sums = (("semantic", semantic, 1.0),)
        else:
            fresh = recency(one.traits.updated_at, now, settings.recency_half_life_days)
            weight = IMPORTANCE_SCORE[one.traits.importance]
            sums = (
                ("keyword", keyword, profile.keyword),
                ("semantic", semantic, profile.semantic),
                ("recency", fresh, profile.recency),
                ("importance", weight, profile.importance),
            )
        score = 0.0
        for _name, value, share in sums:
            score += value * share
        ranked.append(Ranked(one.traits, sums, score))
    ranked.sort(key=lambda one: (-one.score, one.id))
    return ranked


def _topical(one: Evidence, asked: Topics, signs: frozenset[str], deviations: float) -> float:
    held = one.traits.tokens
    if held.isdisjoint(signs):
        return 0.0
    return deviations * topic_likeness(asked, topics_of(held))


def _keyword(one: Evidence, best: float, coverage_power: float) -> float:
    """Return BM25 as a share of the best, less when only some of the query is covered.

    Memories that merely share some of the query's words are the usual wrong answer (design,
    section 8).
    """
    if one.bm25 is None:
        return 0.0
    return _share(one.bm25, best) * float(one.coverage**coverage_power)


def _share(value: float, best: float) -> float:
    """Return what `value` is of the best, 0..1.

    Zero stays zero: it is what unrelated texts have, of BM25 and of z-scores. Between the
    worst and the best candidate instead, two that are nearly alike would lie at 0 and 1.
    """
    return max(0.0, value) / best if best > 0.0 else 0.0
