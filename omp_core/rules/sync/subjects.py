"""What a statement is about: which part of the project, in which environment, which property.

Keys of a document (`services.api.port`) and sentences (`API 服务端口是 9090`) are read alike.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from omp_core.language.language import CJK
from omp_core.language.stopwords import FUNCTION_CHARACTERS, FUNCTION_WORDS
from omp_core.language.tokens import stem
from omp_core.language.vocabulary import concepts
from omp_core.rules.sync.concepts import find_concepts
from omp_core.rules.sync.software import role_of

URL = re.compile(r"\b(?:https?|wss?)://[^\s<>\"'“”‘’（），。；、]+", re.IGNORECASE)

_SAYS_LITTLE = """
deployment deploy deployed url urls link links address addresses endpoint endpoints service
services config configuration setting settings project tech stack name value host hosts info
tool tools tooling environment environments convention conventions limit limits window windows
default defaults general base main primary current app application system path paths public max
maximum min minimum size count number total per second seconds minute minutes hour hours day
days week weeks month months year years ms kb mb gb key keys type status domain home runtime
option options rule rules decision decisions fact facts file files use uses used using
"""
_GENERIC = frozenset(_SAYS_LITTLE.split())
"""Words that tell no two things apart."""
_SAYS_LITTLE_ZH = re.compile(
    "服务|项目|配置|设置|部署|地址|链接|网址|默认|系统|应用|工具|技术栈|选型|约定|规范|使用|采用|用户|监听"
)
_WORD = re.compile(rf"[^\W\d_{CJK}][^\W_{CJK}]*")
_RUN = re.compile(rf"[{CJK}]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z][a-z])")
_JOINED = re.compile(r"(?<=\w)[._](?=\w)")


@dataclass(frozen=True, slots=True)
class Subject:
    """What a text is about. `latin` are the stems that tell it apart besides, `cjk` bigrams."""

    environments: frozenset[str]
    parts: frozenset[str]
    properties: frozenset[str]
    latin: frozenset[str]
    cjk: frozenset[str]

    @property
    def words(self) -> frozenset[str]:
        """The telling words that are no concepts."""
        return self.latin | self.cjk


@lru_cache(maxsize=8192)
def subject(text: str) -> Subject:
    """Read what a text or the key path of a value is about; addresses in it do not count."""
    found, rest = find_concepts(spell_out(URL.sub(" ", text)))
    latin = frozenset(
        stem(word)
        for word in map(str.lower, _WORD.findall(rest))
        if len(word) > 1
        and word not in FUNCTION_WORDS
        and word not in _GENERIC
        and role_of(word) is None
    )
    return Subject(
        found["environment"], found["part"], found["property"], latin, frozenset(_bigrams(rest))
    )


def host_subject(url: str) -> Subject:
    """Read what the host of an address says: `https://staging.shop.example` is of staging."""
    host = re.sub(r"^[a-z]+://|[/?#].*$|:\d+", "", url, flags=re.IGNORECASE)
    return subject(" ".join(host.split(".")[:-1]))


def spell_out(text: str) -> str:
    """Return a key path as words: `services.pageSize` is `services page Size`."""
    return _JOINED.sub(" ", _CAMEL.sub(" ", text))


def apart(one: Subject, other: Subject) -> bool:
    """Return whether two subjects exclude each other: the API is not the website."""
    return any(
        bool(mine) and bool(theirs) and mine.isdisjoint(theirs)
        for mine, theirs in (
            (one.environments, other.environments),
            (one.parts, other.parts),
            (one.properties, other.properties),
        )
    )


def shared_words(one: Subject, other: Subject) -> frozenset[str]:
    """Return the telling words in common; one CJK bigram of several may be chance."""
    cjk = one.cjk & other.cjk
    enough = len(cjk) >= min(2, len(one.cjk), len(other.cjk))
    return (one.latin & other.latin) | (cjk if enough else frozenset())


def keywords(about: Subject) -> list[str]:
    """Return words of both languages that a text about this is likely to hold."""
    wanted = {
        *(("environment", name) for name in about.environments),
        *(("part", name) for name in about.parts),
        *(("property", name) for name in about.properties),
    }
    spelt = [word for owner, words in concepts().items() if owner in wanted for word in words]
    return [*dict.fromkeys([*spelt, *sorted(about.words)])]


def _bigrams(text: str) -> list[str]:
    return [
        run[at : at + 2]
        for run in _RUN.findall(_SAYS_LITTLE_ZH.sub(" ", text))
        for at in range(len(run) - 1)
        if FUNCTION_CHARACTERS.isdisjoint(run[at : at + 2])
    ]
