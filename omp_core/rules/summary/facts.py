"""Key facts of records: which sentences carry one, what of them is needed, which say the same."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from omp_core.language.compare import compare
from omp_core.language.language import script
from omp_core.language.sentences import estimate_tokens, sentences
from omp_core.language.tokens import shared
from omp_core.model import Category, Importance, Record
from omp_core.rules.rot import is_acknowledgement
from omp_core.rules.summary import cues
from omp_core.rules.summary.cues import FactKind

_KIND_OF_CATEGORY = {
    Category.DECISION: FactKind.DECISION,
    Category.LESSON: FactKind.LESSON,
    Category.ANTI_PATTERN: FactKind.LESSON,
}
_ATOMIC_TOKENS = 60
"""A record up to this size is taken as one fact even where no word signals one."""
_CLAIM_TOKENS = 5
_KEY_SCORE = 2
_SAME_FROM = 0.75
"""Share of words in common from which two key facts that differ in nothing say the same."""

_CLAUSE = re.compile(r"[，,；;]\s*|\s+[-–—]+\s+|(?<=[a-z0-9]),\s+")
_END = re.compile(r"[\s。.!！;；,，]+$")


@dataclass(frozen=True, slots=True)
class KeyFact:
    """One key fact: `sentence` as it was written, `text` what a summary needs of it.

    `at` is when its record was made; `sources` are the ids of all records that say it.
    """

    kind: FactKind
    text: str
    sentence: str
    at: datetime
    sources: tuple[str, ...]
    weight: float = 1.0


def key_facts(records: Sequence[Record]) -> tuple[KeyFact, ...]:
    """Return the different key facts of `records`, oldest first."""
    found: list[KeyFact] = []
    # Only texts with the same amounts and names can say the same.
    alike: dict[frozenset[str], list[int]] = defaultdict(list)
    for record in sorted(records, key=lambda record: (record.created_at, record.id)):
        for fact in _facts_of(record):
            others = alike[numbers(fact.text)]
            twin = next((i for i in others if _says_the_same(found[i].text, fact.text)), None)
            if twin is None:
                others.append(len(found))
                found.append(fact)
            else:
                found[twin] = _joined(found[twin], fact)
    return tuple(found)


def _joined(known: KeyFact, again: KeyFact) -> KeyFact:
    """Return a fact told twice: in its shorter wording, at the time it was first told."""
    kept = again if len(again.text) < len(known.text) else known
    return replace(
        known,
        text=kept.text,
        sentence=kept.sentence,
        weight=max(known.weight, again.weight),
        sources=tuple(dict.fromkeys((*known.sources, *again.sources))),
    )


def _says_the_same(a: str, b: str) -> bool:
    """Return whether two texts state the same, neither of them an amount or a name more."""
    if shared(a, b) < _SAME_FROM:
        return False
    compared = compare(a, b)
    return compared.same and not compared.detail and compared.frame >= _SAME_FROM


def told(text: str) -> list[str]:
    """Return the sentences of `text`."""
    return sentences(cues.UNIT_END.sub(r"\1\n", text))


def numbers(text: str) -> frozenset[str]:
    """Return the numbers, times and shares that `text` names."""
    return frozenset(match.replace(" ", "") for match in cues.NUMBER.findall(text))


def names(text: str) -> frozenset[str]:
    """Return the identifiers, addresses and proper names that `text` names, in small letters."""
    found = cues.NAME.findall(text)
    if script(text) == "cjk":
        found += cues.LATIN_IN_CJK.findall(text)
    return frozenset(name.strip("`'\"“”「」『』.,").lower() for name in found)


def _facts_of(record: Record) -> Iterator[KeyFact]:
    parts = [cues.SPEAKER.sub("", part) for part in told(record.content)]
    scored = [(_score(shorten(part)), part) for part in parts]
    keys = [(score, part) for score, part in scored if score >= _KEY_SCORE]
    if not keys and estimate_tokens(record.content) <= _ATOMIC_TOKENS:
        claims = [(score, part) for score, part in scored if score >= 0 and _is_claim(part)]
        keys = [max(claims, key=lambda claim: claim[0])] if claims else []
    for score, sentence in keys:
        kind = _kind(sentence) or _KIND_OF_CATEGORY.get(record.category, FactKind.FACT)
        weight = {FactKind.DECISION: 4.0, FactKind.TODO: 4.0, FactKind.LESSON: 3.0}.get(kind, 2.0)
        yield KeyFact(
            kind,
            shorten(sentence),
            sentence,
            record.created_at,
            (record.id,),
            weight + score / 4 + 2.0 * (record.importance is Importance.HIGH),
        )


def _is_claim(sentence: str) -> bool:
    """Return whether a sentence without signals tells something all the same: no exclamation,
    no courtesy, and words enough for a subject and what is said of it.
    """
    if sentence.endswith(("!", "！")) or _is_talk(sentence):
        return False
    return estimate_tokens(sentence) >= _CLAIM_TOKENS


def _is_talk(sentence: str) -> bool:
    return bool(
        is_acknowledgement(sentence)
        or cues.QUESTION.search(sentence)
        or cues.COURTESY.search(sentence)
        or cues.PROCESS.search(sentence)
    )


def _score(sentence: str) -> int:
    """Weigh signals, numbers and names against courtesy and process."""
    signal = 2 * (_kind(sentence) is not None)
    stated = min(2, len(numbers(sentence))) + min(1, len(names(sentence)))
    talk = (
        3 * bool(cues.COURTESY.search(sentence))
        + 3 * bool(cues.PROCESS.search(sentence))
        + 3 * bool(cues.QUESTION.search(sentence))
    )
    return signal + stated - talk


def _kind(sentence: str) -> FactKind | None:
    label = cues.LABEL.match(sentence)
    if label is not None:
        for kind, pattern in cues.SIGNALS.items():
            if pattern.search(label[0]):
                return kind
    return next((kind for kind, pattern in cues.SIGNALS.items() if pattern.search(sentence)), None)


def shorten(sentence: str) -> str:
    """Return what a summary needs of `sentence`: without label, opening and idle clauses.

    The result is a part of the sentence. A clause with a number, a name, a signal, or a word
    that would change the claim is never left out.
    """
    text = cues.LEAD_IN.sub("", sentence)
    text = cues.DECIDING.sub("", cues.LABEL.sub("", text))
    kept = []
    for clause, joint in _clauses(text):
        idle = not (
            numbers(clause) or names(clause) or cues.GUARD.search(clause) or _kind(clause)
        ) and (_is_talk(clause) or cues.LEAD_IN.fullmatch(f"{clause}, "))
        if not idle:
            kept.append(clause + joint)
    return _END.sub("", "".join(kept)).strip() or _END.sub("", text).strip()


def _clauses(text: str) -> Iterator[tuple[str, str]]:
    start = 0
    for joint in _CLAUSE.finditer(text):
        yield text[start : joint.start()], joint[0]
        start = joint.end()
    yield text[start:], ""
