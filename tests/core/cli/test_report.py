"""The report on a period: as Markdown, as JSON, in the reader's language."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from omp_core.cli.report import lines
from omp_core.errors import AccessDeniedError, InvalidValueError
from omp_core.i18n import use_language
from omp_core.memory import Memory
from omp_core.model import Scope, SearchMode, Tier
from omp_core.settings import AccessRule, Settings

GOLDEN = """\
# Memory from 2026-02-22 to 2026-03-01

## Changes

| who | what | acts | records |
| --- | --- | ---: | ---: |
| agent:cursor | changed | 1 | 1 |
| user | added | 2 | 2 |
| user | undone | 1 | 1 |

## Important memories

- 2026-02-28 17:00 agent:cursor: changed (content) “The gate closes at ten \\| \\*\\*sharp\\*\\*”
- 2026-02-27 17:00 user: created “The gate closes at nine”

## Refused

- 2026-03-01 17:00 agent:reader: was refused to write memories of user ana

## Health

- score: 100 of 100, excellent
- searches that found something: 1 of 2 (50 %); in the period before: there were none
- An important memory was changed 1 time in 7 days. See in the audit log who changed what.

## Waiting for you

Nothing."""


class Clock:
    at = datetime(2026, 2, 26, 9, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.at


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    use_language("en")
    yield
    use_language("auto")


@pytest.fixture
def enter(tmp_path: Path) -> Iterator[Callable[[str], Memory]]:
    clock, opened = Clock(), []
    rules = (AccessRule(actor="agent:reader", may="read"),)
    settings = Settings(time_zone="Asia/Shanghai", access=rules, user_id="ana")

    def entered(actor: str = "user") -> Memory:
        memory = Memory.open(
            workspace=tmp_path,
            store=tmp_path / "store.db",
            settings=settings,
            actor=actor,
            clock=clock,
            load_embedder=lambda _settings: None,
        )
        opened.append(memory)
        return memory

    yield entered
    for memory in opened:
        memory.close()


@pytest.fixture
def memory(enter: Callable[..., Memory]) -> Memory:
    """A memory with a few days behind it."""
    person, agent, reader = (enter(name) for name in ("user", "agent:cursor", "agent:reader"))
    person.add("Tea is in the second drawer")
    Clock.at += timedelta(days=1)
    gate = person.add("The gate closes at nine", tier=Tier.IMPORTANT).id
    Clock.at += timedelta(days=1)
    agent.update(gate, {"content": "The gate closes at ten | **sharp**"})
    Clock.at += timedelta(days=1)
    for text in ("gate", "zebra"):
        person.search(text, mode=SearchMode.KEYWORD)
    with pytest.raises(AccessDeniedError):
        reader.add("Nobody asked", scope=Scope(user_id="ana"))
    person.undo(person.add("Taken back at once, so not counted").act_id)
    return person


@pytest.fixture(autouse=True)
def _start() -> None:
    Clock.at = datetime(2026, 2, 26, 9, tzinfo=UTC)


def test_the_report_of_a_week_is_as_recorded(memory: Memory) -> None:
    assert "\n".join(lines(memory.report(days=7))) == GOLDEN


def test_in_chinese_it_has_the_same_parts_and_figures(memory: Memory) -> None:
    english = list(lines(memory.report(days=7)))
    use_language("zh")
    chinese = list(lines(memory.report(days=7)))
    figures = [re.findall(r"\d+", line) for line in english]
    assert [sorted(re.findall(r"\d+", line)) for line in chinese] == list(map(sorted, figures))


def test_a_shorter_period_leaves_out_what_was_before(memory: Memory) -> None:
    made = memory.report(days=1)
    assert [(one.actor, one.kind) for one in made.counts] == [
        ("agent:cursor", "update"),
        ("user", "undo"),
    ]
    assert [one.did for one in made.important] == ["changed"]
    assert (made.searches, made.hits, made.searches_before) == (2, 1, 0)


@pytest.mark.parametrize("days", [0, -1, 3661])
def test_days_that_are_none_are_refused(memory: Memory, days: int) -> None:
    with pytest.raises(InvalidValueError, match="days"):
        memory.report(days=days)
