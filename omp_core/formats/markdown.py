"""Markdown cut into single memories: one for each top-level bullet or other block."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from omp_core.formats.yaml_text import YamlError, load_yaml

if TYPE_CHECKING:
    from markdown_it.token import Token

_FENCE = re.compile(r"---[ \t]*\n(.*?)^---[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"\[\[([^\[\]\n]+?)\]\]")
_BULLET = re.compile(r"^(\s*)(?:[-*+]|\d{1,9}[.)])(\s+|$)(?:\[[ xX]\](\s+|$))?")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_LETTER = re.compile(r"\w")


@dataclass(frozen=True, slots=True)
class MarkdownNote:
    """A Markdown file: its frontmatter, and the text that follows from line `first` on.

    When the frontmatter does not parse, `raw` holds it and `problem` says why.
    """

    frontmatter: dict[str, Any]
    body: str
    first: int = 1
    raw: str | None = None
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of a body. `line` counts from 1 in the file, `headings` from the top down."""

    text: str
    line: int
    headings: tuple[str, ...]


def read_note(text: str) -> MarkdownNote:
    """Split a Markdown text into its frontmatter and its body."""
    text = text.replace("\r\n", "\n")
    found = _FENCE.match(text)
    if found is None:
        return MarkdownNote({}, text)
    body, first = text[found.end() :], text.count("\n", 0, found.end()) + 1
    try:
        value = load_yaml(found[1])
    except YamlError as error:
        return MarkdownNote({}, body, first, found[1], str(error))
    if value is not None and not isinstance(value, dict):
        return MarkdownNote({}, body, first, found[1], "it is not a mapping")
    return MarkdownNote(value or {}, body, first)


def blocks(body: str, first: int = 1) -> Iterator[Block]:
    """Yield the pieces of a body: bullets whole with what is below them, paragraphs, tables.

    Code blocks are never split; comments, rules and pieces without a word are left out. A line
    that leads in a list ("Two guards:") is no piece, but a heading of those below it.
    """
    from markdown_it import MarkdownIt

    source = body.split("\n")
    headings: list[tuple[int, str]] = []
    lead, lead_end = "", 0
    tokens = MarkdownIt("commonmark").enable("table").parse(body)
    for position, token in enumerate(tokens):
        if token.map is None:
            continue
        start, end = token.map
        if token.type == "heading_open" and token.level == 0:
            level = int(token.tag[1:])
            title = tokens[position + 1].content.strip()
            headings = [pair for pair in headings if pair[0] < level] + [(level, title)]
            continue
        if not _is_piece(token.type, token.level):
            continue
        text = _cleaned("\n".join(source[start:end]), token.type)
        if token.type == "paragraph_open" and _leads_in(text, tokens, position):
            below = tokens[position + 3]
            lead, lead_end = text.rstrip(":： "), below.map[1] if below.map else end
            continue
        if _LETTER.search(text):
            above = tuple(title for _level, title in headings)
            yield Block(text, first + start, (*above, lead) if start < lead_end else above)


def _leads_in(text: str, tokens: Sequence[Token], position: int) -> bool:
    """Tell whether a paragraph is one line that ends in a colon, with a list below it."""
    after = tokens[position + 3] if position + 3 < len(tokens) else None
    lists = ("bullet_list_open", "ordered_list_open")
    return (
        "\n" not in text
        and text.endswith((":", "："))
        and after is not None
        and (after.type in lists)
    )


def _is_piece(kind: str, level: int) -> bool:
    if kind == "list_item_open":
        return level == 1
    kinds = ("paragraph_open", "fence", "code_block", "table_open", "blockquote_open", "html_block")
    return level == 0 and kind in kinds


def _cleaned(text: str, kind: str) -> str:
    if kind in ("fence", "code_block"):
        return text.rstrip()
    text = _COMMENT.sub("", text)
    if kind == "list_item_open":
        text = _BULLET.sub("", text, count=1)
        lines = text.split("\n")
        below = [line for line in lines[1:] if line.strip()]
        indent = min((len(line) - len(line.lstrip()) for line in below), default=0)
        text = "\n".join([lines[0], *(line[indent:] for line in lines[1:])])
    return text.strip()


def wiki_links(text: str) -> list[str]:
    """Return the targets of `[[target]]` and `[[target|shown]]`, each once."""
    targets = (found.partition("|")[0].strip() for found in _LINK.findall(text))
    return list(dict.fromkeys(target for target in targets if target))
