"""L1 episodes: one a session and day."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from omp_core.extraction.episodes import SUMMARY_CHARS
from omp_core.extraction.pipeline import extract
from omp_core.extraction.report import ExtractionReport
from omp_core.settings import Settings


def test_each_session_of_a_day_is_an_episode(labelled: Callable[[str], Any]) -> None:
    turns = labelled("zh").turns
    report = extract(turns, Settings(), turns[-1].at)
    assert len(report.episodes) == len({(turn.session, turn.at.date()) for turn in turns}) == 4
    for episode in report.episodes:
        assert episode.start is not None
        assert episode.end is not None
        assert episode.start <= episode.end
        assert episode.start.date() == episode.date
        assert 0 < len(episode.summary) <= SUMMARY_CHARS
    again = extract(turns, Settings(), turns[-1].at)
    assert [one.id for one in again.episodes] == [one.id for one in report.episodes]


def test_an_episode_holds_actions_and_decisions(says: Callable[..., ExtractionReport]) -> None:
    report = says(
        "迁移脚本写一下",
        ("A", "已创建迁移脚本 0012_partition.sql，本地执行通过。"),
        "归档方案定了：差异表按月分区",
        ("A", "我可以再看看索引。"),
    )
    (episode,) = report.episodes
    assert episode.key_actions == ("已创建迁移脚本 0012_partition.sql，本地执行通过",)
    assert episode.decisions == ("归档方案定了：差异表按月分区",)
    assert "按月分区" in episode.summary


def test_small_talk_is_no_episode(says: Callable[..., ExtractionReport]) -> None:
    assert says("早", ("A", "早上好！"), "中午吃啥").episodes == ()
