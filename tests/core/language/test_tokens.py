from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from omp_core.language.tokens import query_terms, query_tokens, tokens

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=80)
MIXED = st.text(
    st.sampled_from("用户写中アのabcXYZ0189 _-./:@#+'’éßİﬁ½\u0301\u3000\ud800\x00🐛हि"), max_size=60
)
SAFE = re.compile(r"(?:[A-Za-z0-9_\-./:@#+]|[^\x00-\x7f])+")


def test_chinese_gives_unigrams_and_bigrams() -> None:
    assert tokens("数据库") == ["数", "数据", "据", "据库", "库"]
    assert query_tokens("数据库") == ["数据", "据库", "数", "据", "库"]
    assert query_terms("数据库") == [("数据",), ("据库",)]
    assert query_terms("库") == [("库",)]


def test_words_of_the_question_are_not_looked_for() -> None:
    assert query_tokens("What is the user's database?") == ["user", "database", "databas"]
    assert query_terms("这是什么库") == [("么库",)]
    assert query_tokens("这是什么库") == ["么库", "库"]
    assert query_tokens("who is it") == ["who", "is", "it"]
    assert query_terms("什么") == [("什么",)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("user_id", {"user_id", "user", "id"}),
        ("HTTPServer2", {"httpserver2", "http", "server", "2"}),
        ("src/app.py", {"src/app.py", "src", "app", "py"}),
        ("v1.2.3", {"v1.2.3", "v", "1.2.3", "1.2", "1"}),
        ("python3.11", {"python3.11", "python", "3.11", "3"}),
        ("C++, C#", {"c++", "c#", "c"}),
        (".env", {".env", "env"}),
        ("--no-verify", {"no-verify", "no", "verify", "verifi"}),
        ("127.0.0.1:8080", {"127.0.0.1:8080", "127.0.0.1", "127.0.0", "127.0", "127", "8080"}),
        ("café", {"café", "cafe"}),
        ("端口：8080", {"端", "端口", "口", "8080"}),
        ("the user's", {"the", "user"}),
        ("don't", {"dont"}),
        ("Ｐｙｔｅｓｔ", {"pytest"}),
        ("🐛 fixed", {"🐛", "fixed", "fix"}),
        ("x" * 200, set()),
    ],
)
def test_tokens_of_words_and_identifiers(text: str, expected: set[str]) -> None:
    assert set(tokens(text)) == expected


@pytest.mark.parametrize(
    ("document", "query"),
    [
        ("用pytest写单元测试", "pytest"),
        ("用户偏好pytest，不用unittest", "测试框架pytest"),
        ("配置见src/app.py第3行", "app.py"),
        ("getUserName is slow", "user name"),
        ("Running migrations before deploys", "run migration"),
        ("upgraded to Python 3.11.4", "python3.11"),
        ("参数 max_retries 默认 3", "max_retries"),
        ("The naive approach", "naïve"),
        ("部署到k8s集群", "k8s 集群"),
    ],
)
def test_a_query_finds_its_document(document: str, query: str) -> None:
    index = set(tokens(document))
    assert any(token in index for token in query_tokens(query))
    if document != "用户偏好pytest，不用unittest":
        assert all(index & set(term) for term in query_terms(query))


def test_query_terms_group_the_spellings_of_one_term() -> None:
    assert query_terms("运行 running user_id 运行") == [
        ("运行",),
        ("running", "run"),
        ("user_id", "user", "id"),
    ]


@given(st.one_of(ANY_TEXT, MIXED))
@example("a\ud800b")
@example("\u3000全角\u3000")
def test_tokens_are_safe_for_the_index(text: str) -> None:
    for token in [*tokens(text), *query_tokens(text)]:
        assert SAFE.fullmatch(token), ascii(token)
        assert not any(char.isspace() for char in token)
        token.encode("utf-8")


@given(st.one_of(ANY_TEXT, MIXED))
def test_every_text_finds_itself(text: str) -> None:
    assert set(query_tokens(text)) <= set(tokens(text))
    assert bool(tokens(text)) == bool(query_tokens(text))


@given(MIXED)
def test_case_of_alphabets_does_not_hide_a_word(text: str) -> None:
    lower = [token for token in text.split() if token.isascii() and token.isalpha()]
    for word in lower:
        assert word.lower() in tokens(word.upper())


def test_a_long_blob_stays_bounded() -> None:
    blob = "aB1" * 20_000
    assert len(tokens(blob)) <= 64


def test_threads_share_the_stemmer() -> None:
    from concurrent.futures import ThreadPoolExecutor

    words = [f"{stem}{ending}" for stem in ("deploy", "migrat", "test") for ending in ("ing", "s")]
    words = [f"{word}{chr(97 + n % 26)}ness" for n in range(500) for word in words] + words
    expected = [tokens(word) for word in words]
    from omp_core.language import tokens as module

    module.stem.cache_clear()
    module._expand.cache_clear()
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(tokens, words)) == expected


@given(st.one_of(ANY_TEXT, st.text("ab\u0301_-.", min_size=200, max_size=4000)))
@example("x" * 10_000)
@example("a" + "\u0301" * 2_000)
def test_every_term_of_a_query_has_a_spelling(text: str) -> None:
    assert all(query_terms(text))
