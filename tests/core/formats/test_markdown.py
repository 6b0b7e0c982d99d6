"""Markdown cut into single memories."""

from __future__ import annotations

import pytest

from omp_core.formats.markdown import blocks, read_note, wiki_links


def texts(body: str) -> list[str]:
    return [block.text for block in blocks(body)]


def test_bullets_and_paragraphs_with_their_lines_and_headings() -> None:
    body = "# A\n\nIntro\nof two lines\n\n## B\n- one\n- two\n  more of two\n\nC\n===\n1. three\n"
    found = [(block.text, block.line, block.headings) for block in blocks(body, first=10)]
    assert found == [
        ("Intro\nof two lines", 12, ("A",)),
        ("one", 16, ("A", "B")),
        ("two\nmore of two", 17, ("A", "B")),
        ("three", 22, ("C",)),
    ]


def test_nested_bullets_stay_together() -> None:
    assert texts("- a\n  - b\n    - c\n- d\n") == ["a\n- b\n  - c", "d"]


@pytest.mark.parametrize("fence", ["```", "~~~"])
def test_code_is_never_split(fence: str) -> None:
    code = f"{fence}yaml\n- a\n\n# no heading\n- b\n{fence}"
    assert texts(f"before\n\n{code}\n\n- after\n") == ["before", code, "after"]
    inner = f"- step\n\n  {fence}\n  - x\n  {fence}\n"
    assert len(texts(inner)) == 1


def test_what_holds_no_word_is_left_out() -> None:
    assert (
        texts("<!-- 注释\n- a -->\n\n---\n\n- \n1. \n- [ ] \n\n| | |\n|-|-|\n| | |\n\n***\n") == []
    )


def test_comments_go_and_task_boxes_too() -> None:
    assert texts("- [x] done <!-- why -->\n- [ ] 待办\n") == ["done", "待办"]


def test_table_and_quote_are_one_piece() -> None:
    table = "| a | b |\n|---|---|\n| 1 | 2 |"
    assert texts(f"{table}\n\n> said\n> so\n") == [table, "> said\n> so"]


def test_frontmatter() -> None:
    note = read_note("---\r\na: 2026-01-01\r\nb: no\r\n---\r\nText\r\n")
    assert (note.frontmatter, note.body, note.first) == (
        {"a": "2026-01-01", "b": "no"},
        "Text\n",
        5,
    )
    assert read_note("Text\n---\na: 1\n---\n").frontmatter == {}
    assert read_note("---\n---\nText").body == "Text"
    assert read_note("---\nnever closed\n").body == "---\nnever closed\n"


def test_wiki_links() -> None:
    assert wiki_links("[[a]] [[b|shown]] [[a]] [[]] [x](y) [[一 二]]") == ["a", "b", "一 二"]
