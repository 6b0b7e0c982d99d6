from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from omp_core.language.analysis import analyse


def names(text: str) -> set[str]:
    return {token.surface for token in analyse(text).tokens if token.name}


def denied(text: str) -> set[str]:
    return {token.surface for token in analyse(text).tokens if token.denied}


def test_names() -> None:
    assert names("前端用 Vue 和 vite") == {"Vue", "vite"}
    assert names("The frontend uses Vue, not react") == {"Vue", "react"}
    assert names("Vue is used. Tests run in user_id and HTTPServer") == {
        "Vue",
        "user_id",
        "HTTPServer",
    }


def test_denial_reaches_to_the_end_of_the_clause() -> None:
    assert denied("用 pytest，不用 unittest；用 ruff") == {"用", "unittest"}
    assert denied("He prefers tea over coffee, and cake") == {"coffee"}
    assert denied("Never push to main. Push to dev") == {"push", "main"}


def test_words_that_only_look_like_a_denial() -> None:
    for text in ("不过用 pytest", "差不多了", "不仅快", "特别快", "未来用 Rust", "not only fast"):
        assert not denied(text), text


def test_quoted_and_quantities() -> None:
    found = analyse("项目叫“天枢”，端口 8080")
    assert found.quoted == {"天枢"}
    assert [one.value for one in found.quantities] == ["8080"]
    assert found.script == "cjk"


def test_short_forms_are_spelt_out() -> None:
    assert {token.key for token in analyse("k8s").tokens} == {
        token.key for token in analyse("Kubernetes").tokens
    }


@given(st.text(st.characters(exclude_categories=()), max_size=80))
def test_any_text_has_facts(text: str) -> None:
    found = analyse(text)
    for token in found.tokens:
        assert found.text[token.start : token.end] == token.surface
        assert token.surface.strip() == token.surface != ""
