from __future__ import annotations

import pytest

from omp_core.language.language import script


@pytest.mark.parametrize(
    "text",
    [
        "用户住在成都",
        "用户偏好 pytest，不用 unittest",
        "绝对不能直接 push 到 main 分支",
        "用pytest",
        "前端用 Vue 3 和 Vite",
        "テストは毎晩実行される",
        "매일 밤 테스트를 실행한다",
        "𠮷野家",
    ],
)
def test_cjk(text: str) -> None:
    assert script(text) == "cjk"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "12:30 + 7",
        "The user lives in Lyon",
        "Commit messages must be in 中文",
        "Пользователь живёт в Москве",
        "\ud800",
        "，。！",
        "🐛🐛🐛",
    ],
)
def test_latin(text: str) -> None:
    assert script(text) == "latin"
