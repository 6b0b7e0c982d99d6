"""L1 episodes: what each session of a transcript was about, for `sessions/<date>.yaml`."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from datetime import date, datetime

from omp_core.extraction.classify.kinds import Route
from omp_core.extraction.classify.restatement import atomic
from omp_core.extraction.report import ExtractedEpisode, Fact
from omp_core.language.language import script
from omp_core.model import Category, Turn

MOST_ACTIONS = 12
MOST_DECISIONS = 12
SUMMARY_CHARS = 160

_DONE = re.compile(
    r"^(?:好的?[，,]\s*)?(?:已经?(?!经有|知|收到)|都?(?:改|写|修|加|建|推|部署|创建|更新|删除"
    r"|重命名|拆|补|升级|迁移|配|跑|调整)(?:好|完|成|掉|上)了?)"
    r"|^[^，。]{2,30}?已经?(?:更新|轮换|创建|部署|发布|修复|删除|安装|配置|升级|迁移|合并|上线"
    r"|完成|移到"
    r"|换成|换了)"
    r"|^[\u4e00-\u9fff]{1,8}(?:完成|通过|成功|搞定|跑通)(?:$|[，,。])"
    r"|^(?-i:[A-Z][a-z]+ed|Set|Built|Wrote|Made|Put|Ran|Split|Cut|Sent) \w"
    r"|^(?:done[:,]? |(?:I(?:'ve| have)? )?(?:added|fixed|changed|created|moved|removed|renamed"
    r"|updated|deployed|shipped"
    r"|merged|reverted|converted|wrote|built|switched|upgraded|configured|replaced|set up|tagged"
    r"|released)\b)",
    re.IGNORECASE,
)
_BARE = 8
_HEADS = frozenset({Category.ENVIRONMENT, Category.EPISODE, Category.DECISION})
"""Of the project's facts, those that can stand for a whole session."""


def episode_id(session: str, day: date) -> str:
    """Return the id of a session's episode of a day (UTC), the same each time."""
    mark = hashlib.sha256(f"{session}\0{day.isoformat()}".encode()).hexdigest()
    return f"session-{mark[:8]}"


def conversation_mark(first: Turn) -> str:
    """Name a conversation without an id by its first turn: it goes on under the same name."""
    told = f"{first.at.isoformat() if first.at else ''}\0{first.role}\0{first.text}"
    return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:12]


@dataclass(slots=True)
class EpisodeNotes:
    """Collects, turn by turn, what an episode needs."""

    today: date
    _sessions: dict[tuple[str | None, date], _Session] = field(default_factory=dict)
    _mark: str = ""

    def turn(self, turn: Turn) -> None:
        """Note that a turn took place."""
        if turn.session is None and not self._mark:
            self._mark = conversation_mark(turn)
        self._of(turn).times(turn.at)

    def episode_of(self, turn: Turn) -> str:
        """Return the id of the episode that a turn belongs to."""
        day = turn.at.date() if turn.at else self.today
        return episode_id(self._mark if turn.session is None else turn.session, day)

    def action(self, turn: Turn, sentence: str) -> None:
        """Note a sentence of the agent that reports finished work; others are ignored."""
        if _DONE.search(sentence) and len(sentence) >= _BARE:
            self._of(turn).actions.setdefault(atomic(sentence))

    def fact(self, fact: Fact) -> None:
        """Note a fact for the decisions and the summary of its session."""
        session = self._session(fact.session, fact.at)
        if fact.route is Route.DECISIONS:
            session.decisions.append(fact.text)
        if fact.route in (Route.DECISIONS, Route.CHANGELOG) or (
            fact.route is Route.PROJECT and fact.category in _HEADS
        ):
            session.heads.append(fact)

    def taken_back(self, fact: Fact) -> None:
        """Note a decision that an earlier, shorter reading held and that no longer stands."""
        if fact.route is Route.DECISIONS:
            self._session(fact.session, fact.at).taken_back.append(fact.text)

    def episodes(self) -> tuple[ExtractedEpisode, ...]:
        """Return one episode for each session and day in which something happened."""
        return tuple(
            session.episode(key, self._mark)
            for key, session in self._sessions.items()
            if session.eventful
        )

    def _of(self, turn: Turn) -> _Session:
        return self._session(turn.session, turn.at)

    def _session(self, name: str | None, at: datetime | None) -> _Session:
        key = (name, at.date() if at else self.today)
        return self._sessions.setdefault(key, _Session())


@dataclass(slots=True)
class _Session:
    start: datetime | None = None
    end: datetime | None = None
    actions: dict[str, None] = field(default_factory=dict)
    decisions: list[str] = field(default_factory=list)
    taken_back: list[str] = field(default_factory=list)
    heads: list[Fact] = field(default_factory=list)

    @property
    def eventful(self) -> bool:
        return bool(self.actions or self.decisions or self.heads)

    def times(self, at: datetime | None) -> None:
        if at is not None:
            self.start = at if self.start is None else min(self.start, at)
            self.end = at if self.end is None else max(self.end, at)

    def episode(self, key: tuple[str | None, date], mark: str) -> ExtractedEpisode:
        name, day = key
        return ExtractedEpisode(
            id=episode_id(mark if name is None else name, day),
            date=day,
            start=self.start,
            end=self.end,
            summary=self._summary(),
            key_actions=tuple(self.actions)[:MOST_ACTIONS],
            decisions=tuple(self.decisions[:MOST_DECISIONS]),
            conversation=mark if name is None else None,
            taken_back=tuple(self.taken_back),
        )

    def _summary(self) -> str:
        """The most urgent facts, else what was done, as many as fit a line."""
        ranked = sorted(self.heads, key=lambda fact: (fact.priority, -fact.confidence))
        parts = [fact.text for fact in ranked] or list(self.actions)
        joiner = "；" if script(parts[0]) == "cjk" else "; "
        summary = parts[0][:SUMMARY_CHARS]
        for part in parts[1:]:
            if len(summary) + len(joiner) + len(part) > SUMMARY_CHARS:
                break
            summary += joiner + part
        return summary
