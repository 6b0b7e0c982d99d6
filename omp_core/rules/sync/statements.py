"""What each side says: a value under keys, a sentence, and what both claim of one thing."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from omp_core.language.sentences import sentences
from omp_core.model import Record
from omp_core.rules.sync.subjects import spell_out

_SEMICOLON = re.compile(r"\s*[;；]\s*")
_SEVERAL = re.compile(r"[,，;；、。！!？?\n]|\.\s")


class ClaimKind(StrEnum):
    """What two sides may differ in; `same` is a text that both have."""

    URL = "url"
    TECHNOLOGY = "technology"
    VALUE = "value"
    STATUS = "status"
    SAME = "same"


@dataclass(frozen=True, slots=True)
class Statement:
    """What a project document says: `value` of `label`. The label is empty for plain prose."""

    text: str
    label: str
    value: str

    @property
    def about(self) -> str:
        """The words that say what it is about."""
        return self.label or self.text

    @property
    def spelt_out(self) -> str:
        """The statement as a sentence can be compared with."""
        return f"{spell_out(self.label)} {self.value}" if self.label else self.text


@dataclass(frozen=True, slots=True)
class Claim:
    """One thing that both sides speak of. `key` names it, the values are as written; the
    user's is empty where it only says that the project's is not so.

    `sure` is whether words, not only likeness, show that both mean the same thing; of two
    texts that say the same, whether they are one text. `alone` is whether the user's text says
    nothing else.
    """

    kind: ClaimKind
    key: str
    user_value: str
    project_value: str
    agrees: bool
    sure: bool = True
    alone: bool = True


def statement_of(fact: Record) -> Statement:
    """Return what a mirrored record says, from the keys that the document has it under."""
    title, choice = fact.metadata.get("title"), fact.metadata.get("choice")
    if isinstance(title, str) and isinstance(choice, str) and title and choice:
        return Statement(f"{title}: {choice}", title, choice)
    label, colon, value = fact.content.partition(": ")
    in_yaml = not str(fact.metadata.get("file", "")).endswith(".md")
    if in_yaml and colon and " " not in label.strip() and value.strip():
        return Statement(fact.content, label, value.strip())
    return Statement(fact.content, "", fact.content)


def clauses(text: str) -> list[str]:
    """Return the sentences of a text, cut at semicolons as well."""
    return [clause for one in sentences(text) for clause in _SEMICOLON.split(one) if clause.strip()]


def says_one_thing(text: str) -> bool:
    """Return whether a text is one clause without a list, so that nothing else goes with it."""
    return _SEVERAL.search(text.strip().rstrip(".。!！;；")) is None
