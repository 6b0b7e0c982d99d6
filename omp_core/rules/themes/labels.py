"""What a theme is called: the terms that set it apart from the themes around it.

Class-based TF-IDF (Grootendorst 2022, BERTopic): the members of a theme are one document;
a term weighs its frequency there times log(1 + A / f), with A the mean number of terms per
theme and f the term's frequency over all themes that are compared.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from omp_core.i18n import _
from omp_core.language.language import script
from omp_core.rules.themes import terms
from omp_core.rules.themes.book import Theme
from omp_core.rules.themes.inputs import BookInputs, TextSource
from omp_core.rules.themes.topics import TopicTable

_TERMS = 3
_MOST_TERMS = 5
_JOINER = ", "
_HEAD_JOINER = " / "
_AFTER_HEAD = " · "
_WORDS_AFTER_HEAD = 2
_HEAD_FROM = 0.30
"""A topic names a theme when its members are on it with this likelihood on average."""
_SECOND_SHARE = 0.5
_CUE_COUNTS = 1.5
_SEPARATE_CORPUS = 0.25
"""When a larger share of the themes is renamed, all themes are compared, not only near ones."""


@dataclass(slots=True)
class _Document:
    """The terms of one theme: in how many members each occurs, and how it is written there."""

    counts: Counter[str] = field(default_factory=Counter)
    spellings: dict[str, Counter[str]] = field(default_factory=dict)
    words: str = ""
    """What to fall back on when there are no terms."""
    cjk: int = 0
    """How many members are Chinese."""


def label_themes(
    themes: tuple[Theme, ...], which: Sequence[int], inputs: BookInputs
) -> tuple[Theme, ...]:
    """Return the themes with new labels for those at the places `which`.

    Each is compared with its neighbours, or with all when many are renamed. Where the vectors
    tell topics, a label begins with the topic's name: "testing · fixtures, coverage".
    """
    if not which:
        return themes
    compared = _compared(themes, which)
    documents = _documents([themes[at] for at in compared], inputs.texts)
    place = {at: number for number, at in enumerate(compared)}
    weights = _inverse_frequency(documents)
    named = list(themes)
    wanted = set(which)
    taken = {t.label for at, t in enumerate(themes) if at not in wanted}
    for at in which:
        document = documents[place[at]]
        heads = _heads(themes[at], inputs)
        label = _headed(document, heads, weights, themes[at].size, taken, inputs.topics)
        taken.add(label)
        if label != themes[at].label:
            named[at] = replace(themes[at], label=label)
    return tuple(named)


def label_for(groups: Sequence[Sequence[str]]) -> list[str]:
    """Return a label for each group of texts, told apart from the other groups."""
    documents = _gathered(groups)
    weights = _inverse_frequency(documents)
    taken: set[str] = set()
    labels = []
    for document in documents:
        label = _label(document, weights, taken)
        taken.add(label)
        labels.append(label)
    return labels


def _compared(themes: tuple[Theme, ...], which: Sequence[int]) -> list[int]:
    if len(which) > len(themes) * _SEPARATE_CORPUS:
        return list(range(len(themes)))
    near = {name for at in which for name in themes[at].neighbours}
    wanted = set(which)
    return [at for at, theme in enumerate(themes) if at in wanted or theme.id in near]


def _documents(themes: Sequence[Theme], texts: TextSource) -> list[_Document]:
    found = list(texts.texts([member for theme in themes for member in theme.members]))
    groups = []
    for theme in themes:
        groups.append(found[: theme.size])
        del found[: theme.size]
    return _gathered(groups)


def _gathered(groups: Sequence[Sequence[str]]) -> list[_Document]:
    found = iter(terms.terms([text for group in groups for text in group]))
    documents = []
    for group in groups:
        document = _Document()
        for text in group:
            document.cjk += script(text) == "cjk"
            document.words = document.words or terms.first_words(text)
            seen: set[str] = set()
            for term in next(found):
                key = terms.key(term)
                document.spellings.setdefault(key, Counter())[term] += 1
                if key not in seen:
                    seen.add(key)
                    document.counts[key] += 1
        documents.append(document)
    return documents


def _inverse_frequency(documents: Sequence[_Document]) -> dict[str, float]:
    total: Counter[str] = Counter()
    for document in documents:
        total.update(document.counts)
    if not total:
        return {}
    mean = sum(total.values()) / len(documents)
    return {term: math.log1p(mean / count) for term, count in total.items()}


def _ranked(document: _Document, weights: dict[str, float]) -> list[str]:
    """Return the written form of each term, the most telling first, without overlaps."""
    first_seen = {term: at for at, term in enumerate(document.counts)}
    keys = sorted(
        document.counts,
        key=lambda term: (
            -round(document.counts[term] * weights[term], 9),
            first_seen[term],
        ),
    )
    chosen: list[str] = []
    for term in keys:
        spellings = document.spellings[term]
        written = min(spellings, key=lambda spelling: (-spellings[spelling], spelling))
        folded = written.casefold()
        if all(folded not in c.casefold() and c.casefold() not in folded for c in chosen):
            chosen.append(written)
        if len(chosen) == _MOST_TERMS:
            break
    return chosen


def _heads(theme: Theme, inputs: BookInputs) -> list[int]:
    """Return the numbers of the one or two topics that a theme is on."""
    if inputs.topics is None:
        return []
    vectors = inputs.vectors.vectors(theme.members)
    vectors = vectors[vectors.any(axis=1)]
    if not len(vectors):
        return []
    shares = inputs.topics.shares_within(vectors).mean(axis=0)
    order = sorted(range(len(shares)), key=lambda topic: (-round(float(shares[topic]), 6), topic))
    first, second = order[0], order[1]
    if shares[first] < _HEAD_FROM:
        return []
    both = shares[second] >= max(_HEAD_FROM, _SECOND_SHARE * shares[first])
    return [first, second] if both else [first]


def _headed(
    document: _Document,
    heads: Sequence[int],
    weights: dict[str, float],
    size: int,
    taken: set[str],
    table: TopicTable | None,
) -> str:
    """Return a label of topics and words. A word of one member only is left out unless it is
    a cue of the topic: no rare personal word becomes a label."""
    if table is None:
        return _label(document, weights, taken)
    if not heads:
        shared = [word for word in _ranked(document, weights) if _held_by(document, word) > 1]
        words = shared[:_TERMS]
        return _JOINER.join(words) or _("unnamed")
    chinese = document.cjk * 2 >= max(size, 1)
    names = [
        table.topics[head].label_zh if chinese else table.topics[head].label_en for head in heads
    ]
    head = _HEAD_JOINER.join(dict.fromkeys(names))
    words = _telling(document, heads, weights, size, table, names)
    label = head
    for count in range(min(_WORDS_AFTER_HEAD, len(words)), len(words) + 1):
        chosen = _JOINER.join(words[:count])
        label = f"{head}{_AFTER_HEAD}{chosen}" if chosen else head
        if label not in taken:
            break
    return label


def _telling(
    document: _Document,
    heads: Sequence[int],
    weights: dict[str, float],
    size: int,
    table: TopicTable,
    names: Sequence[str],
) -> list[str]:
    """Return the words that tell a theme apart from others on its topic, the best first."""
    scored: dict[str, float] = {}
    for key, spellings in document.spellings.items():
        written = min(spellings, key=lambda spelling: (-spellings[spelling], spelling))
        held = document.counts[key]
        cue = next((c for head in heads if (c := table.cue_within(written, head))), None)
        word = cue or written
        sure = any(table.is_sure_cue(word, head) for head in heads)
        if held < 2 and not sure:
            continue
        counts = _CUE_COUNTS if table.is_cue(word, heads[0]) else 1.0
        score = held / max(size, 1) * weights[key] * counts
        scored[word] = max(scored.get(word, 0.0), score)
    chosen: list[str] = []
    for word in sorted(scored, key=lambda one: (-round(scored[one], 9), one)):
        folded = word.casefold()
        others = [other.casefold() for other in (*chosen, *names)]
        if all(folded not in other and other not in folded for other in others):
            chosen.append(word)
        if len(chosen) == _MOST_TERMS:
            break
    return chosen


def _held_by(document: _Document, written: str) -> int:
    return document.counts[terms.key(written)]


def _label(document: _Document, weights: dict[str, float], taken: set[str]) -> str:
    """Join the best terms; more of them where another theme is already called that."""
    best = _ranked(document, weights)
    label = ""
    for count in range(min(_TERMS, len(best)), len(best) + 1):
        label = _JOINER.join(best[:count])
        if label not in taken:
            break
    return label or document.words or _("unnamed")
