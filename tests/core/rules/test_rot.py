from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omp_core.i18n import use_language
from omp_core.model import Home, Record, Tier
from omp_core.rules.rot import RotVerdict, rot
from omp_core.settings import RotSettings

NOW = datetime(2026, 3, 15, 12, tzinfo=UTC)
ROT = RotSettings()


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("OMP_LANG", "en")
    use_language("en")
    yield
    use_language("auto")


def a_record(unread: float = 0.0, **changes: Any) -> Record:
    made = NOW - timedelta(days=unread)
    record = Record("r1", "Deploys run on Thursdays", made, made, tier=Tier.LONG_TERM)
    return replace(record, **changes)


def verdict(subject: Record | str) -> RotVerdict:
    found = rot(subject, NOW, ROT)
    assert found is not None
    return found


@pytest.mark.parametrize(
    "text",
    [
        "ok",
        "OK!",
        "Okay, thanks a lot!",
        "Got it, thank you so much.",
        "sounds good to me",
        "Yes, please continue.",
        "looks good to me 👍",
        "haha, no problem",
        "You’re welcome!",
        "好的",
        "好的，谢谢！",
        "明白了",
        "明白了，请继续。",
        "收到，辛苦了",
        "嗯嗯，没问题",
        "哈哈哈哈哈哈",
        "ok 好的",
        "Thanks, 辛苦了",
        "那就这样吧，再见",
        "k" * 60,
        "哈" * 500,
    ],
)
def test_acknowledgements_are_trivial(text: str) -> None:
    found = verdict(text)
    assert found.kind == "trivial"
    assert "acknowledges" in found.reason


@pytest.mark.parametrize(("text", "count"), [("use vim", 7), ("tabs = 4", 8), ("两空格", 3)])
def test_short_texts_are_trivial(text: str, count: int) -> None:
    assert verdict(text) == RotVerdict("trivial", f"It is only {count} characters long.")


@pytest.mark.parametrize("text", ["", "  \n", "…!?", "👍"])
def test_texts_without_words_are_trivial(text: str) -> None:
    assert verdict(text) == RotVerdict("trivial", "It has no words.")


@pytest.mark.parametrize(
    "text",
    [
        "uses vim 9",
        "住在成都",
        "用 pnpm",
        "User prefers dark mode",
        "Yes, the deploy target is eu-west-1",
        "好的，以后提交信息都写中文",
        "用户偏好深色模式",
        "不知道端口时看 config.yaml",
        "Do not use deprecated APIs",
        "接口 v1 未废弃",
        "The API is not deprecated",
        "Thanks to caching, builds take 12 s",
    ],
)
def test_sound_texts_pass(text: str) -> None:
    assert rot(text, NOW, ROT) is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("We no longer use Vue in the shop", "no longer"),
        ("The v1 endpoint is deprecated", "is deprecated"),
        ("Deprecated: use the v2 client", "Deprecated"),
        ("The team switched from npm to pnpm", "switched from"),
        ("项目不再使用 Vue", "不再使用"),
        ("包管理器改用 pnpm", "改用"),
        ("旧的部署脚本已废弃", "已废弃"),
        ("v1 接口已经下线", "已经下线"),
    ],
)
def test_words_of_an_end_make_obsolete(text: str, words: str) -> None:
    found = verdict(text)
    assert found.kind == "obsolete"
    assert words in found.reason
    assert verdict(a_record(content=text)) == found


@pytest.mark.parametrize(
    ("days", "reads", "kind"),
    [
        (89, 0, None),
        (90, 0, "stale"),
        (90, 2, "stale"),
        (90, 3, None),
        (179, 0, "stale"),
        (180, 0, "obsolete"),
        (180, 1, "stale"),
        (500, 3, None),
    ],
)
def test_age(days: int, reads: int, kind: str | None) -> None:
    found = rot(a_record(days, access_count=reads), NOW, ROT)
    assert (found.kind if found else None) == kind
    if found:
        assert str(days) in found.reason


def test_age_counts_from_the_last_read() -> None:
    record = a_record(400, access_count=1, last_accessed=NOW - timedelta(days=89))
    assert rot(record, NOW, ROT) is None


@pytest.mark.parametrize("kept", [{"tier": Tier.IMPORTANT}, {"home": Home.PROJECT}])
def test_important_and_project_facts_do_not_age(kept: dict[str, Any]) -> None:
    assert rot(a_record(999, **kept), NOW, ROT) is None
    assert rot(a_record(0, content="AB+", **kept), NOW, ROT) is None
    assert rot(a_record(0, content="v1 is deprecated", **kept), NOW, ROT) is not None


@given(st.text(max_size=200))
def test_every_text_gets_an_answer(text: str) -> None:
    found = rot(text, NOW, ROT)
    assert found is None or (found.reason and found.kind in {"trivial", "obsolete"})


@given(st.integers(0, 400), st.integers(0, 20), st.integers(1, 400))
def test_what_is_rot_stays_rot(days: int, reads: int, more: int) -> None:
    if rot(a_record(days, access_count=reads), NOW, ROT) is not None:
        assert rot(a_record(days + more, access_count=reads), NOW, ROT) is not None
