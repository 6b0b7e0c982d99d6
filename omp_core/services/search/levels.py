"""Searching through the levels: themes, then records that differ, then their episodes."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import replace

from omp_core.availability import Availability
from omp_core.i18n import _
from omp_core.model import Hit, Query
from omp_core.rules.ranking import Evidence, worth_showing
from omp_core.services.search.candidates import (
    CandidateSearch,
    QueryMeaning,
    SearchRequest,
    evidence_of,
)
from omp_core.services.search.episodes import episodes_of
from omp_core.services.search.neighbourhood import Neighbourhood, theme_relevance
from omp_core.services.search.token_budget import BudgetedAnswer, TokenBudget
from omp_core.services.search.variety import Variety
from omp_core.services.themes import Themes
from omp_core.session import Session
from omp_core.store.protocol import Candidate, Store

_THEMES = 3
"""How many themes a search through all levels shows at most."""


class ThemeLevels:
    """Searches at the levels `theme` and `all`."""

    def __init__(
        self,
        session: Session,
        availability: Availability,
        candidates: CandidateSearch,
        themes: Themes,
    ) -> None:
        self._session = session
        self._availability = availability
        self._candidates = candidates
        self._nearby = Neighbourhood(session, themes)

    def themes(
        self, store: Store, asked: SearchRequest, limit: int, budget: TokenBudget
    ) -> BudgetedAnswer:
        """Return the themes nearest to the text, or without vectors those whose labels fit."""
        meaning, missing = self._candidates.meaning(store, asked, records=False)
        if meaning is None and missing is not None:
            missing = _("no vectors: themes are found by the words of their labels only")
        near, lacking = self._nearby.near(store, asked, meaning, asked.reach)
        shown = budget.afford([hit for hit, _theme in near[:limit]], lambda hit: hit.label)
        return budget.told(
            (),
            total=len(near),
            relevance=theme_relevance(shown),
            degraded=_together(missing, lacking),
            themes=shown,
        )

    def all(
        self, store: Store, asked: SearchRequest, limit: int, budget: TokenBudget, *, expand: bool
    ) -> BudgetedAnswer:
        """Return themes, then records, then with `expand` the episodes that these come from.

        With `expand`, half of the places are for the best members of the near themes, whether
        they match themselves or not; what one kind leaves free the other takes.
        """
        meaning, missing = self._candidates.meaning(store, asked)
        if meaning is None and missing is not None:
            missing = _(
                "no vectors: the semantic part is the keyword part, and themes are found by the "
                "words of their labels only"
            )
        near, lacking = self._nearby.near(store, asked, meaning, _THEMES)
        near = budget.afford(near, lambda one: one[0].label)
        members = self._nearby.members(store, asked, near) if expand else frozenset()
        evidence, matched = self._evidence(store, asked, meaning, members)
        ranked = self._candidates.with_conversations(
            store,
            asked,
            meaning,
            [
                one
                for one in self._candidates.ranked(asked, meaning, evidence)
                if one.id in matched or one.id in members
            ],
        )
        matched |= {one.id for one in ranked} - members
        hits, relevant = self._candidates.hits(store, asked, meaning, ranked, evidence)
        direct = [hit for hit in hits if hit.record.id in matched]
        of_themes = [hit for hit in hits if hit.record.id in members]

        variety = Variety(
            store, self._availability.embedder(), self._session.settings.duplicates.propose_from
        )
        share = limit // 2 if of_themes else 0
        records = variety.choose(direct, limit - share)
        records += variety.choose(of_themes, share)
        records += variety.choose(direct, limit - len(records))
        records += variety.choose(of_themes, limit - len(records))
        records.sort(key=lambda hit: (-hit.score, hit.record.id))
        chosen = {hit.record.id for hit in records}
        owners = {member: hit.id for hit, theme in near for member in theme.members}
        records = [
            replace(
                hit,
                level="semantic" if hit.record.id in matched else "theme",
                theme=owners.get(hit.record.id),
            )
            for hit in budget.afford(records, _text)
        ]
        if expand:
            episodes, theirs = self._episodes(
                store, asked, meaning, evidence, records, leave_out=chosen
            )
            relevant |= theirs
            episodes = variety.choose(episodes, len(episodes))
            chosen |= {hit.record.id for hit in episodes}
            records += [
                replace(hit, level="episode", theme=owners.get(hit.record.id))
                for hit in budget.afford(episodes, _text)
            ]
        shown = [hit for hit, _theme in near]
        return budget.told(
            records,
            total=len(chosen | matched),
            relevance=relevant | theme_relevance(shown),
            degraded=_together(missing, lacking),
            themes=shown,
        )

    def _evidence(
        self, store: Store, asked: SearchRequest, meaning: QueryMeaning | None, members: Set[str]
    ) -> tuple[list[Evidence], set[str]]:
        """Return what is known of the matches and of the members, and the ids that match."""
        by_words = self._candidates.by_words(store, asked, meaning)
        candidates = {one.id for one in by_words}
        if meaning is not None:
            candidates.update(one.id for one in meaning.nearest)
        others = sorted(members - candidates)
        by_words += self._words_of(store, asked, meaning, others)
        evidence = evidence_of(store, asked.text, by_words, meaning, others)
        relevant = worth_showing(
            [one for one in evidence if one.id in candidates], self._session.settings.search
        )
        return evidence, set(relevant)

    def _episodes(
        self,
        store: Store,
        asked: SearchRequest,
        meaning: QueryMeaning | None,
        evidence: Sequence[Evidence],
        records: Sequence[Hit],
        leave_out: set[str],
    ) -> tuple[list[Hit], dict[str, float]]:
        """Return the episodes of the records, scored on the records' scale, with relevance."""
        linked = episodes_of(store, [hit.record for hit in records], asked.query, asked.now)
        ids = [entry.id for entry in linked if entry.id not in leave_out]
        if not ids:
            return [], {}
        alone = None if meaning is None else replace(meaning, nearest=[])
        by_words = self._words_of(store, asked, meaning, ids)
        theirs = evidence_of(store, asked.text, by_words, alone, ids)
        others = [one for one in evidence if one.id not in ids]
        both = [*others, *theirs]
        scored = {one.id: one for one in self._candidates.ranked(asked, meaning, both)}
        return self._candidates.hits(
            store, asked, meaning, [scored[one] for one in ids if one in scored], theirs
        )

    def _words_of(
        self, store: Store, asked: SearchRequest, meaning: QueryMeaning | None, ids: Sequence[str]
    ) -> list[Candidate]:
        """Return those of some records that hold words of the text."""
        if not ids:
            return []
        query = Query(statuses=frozenset(), include_expired=True, ids=frozenset(ids))
        return self._candidates.by_words(
            store, replace(asked, query=query, reach=len(ids)), meaning
        )


def _text(hit: Hit) -> str:
    return hit.record.content


def _together(*sentences: str | None) -> str | None:
    return "; ".join(one for one in sentences if one) or None
