"""Markdown context files (`projectbrief.md`, `systemPatterns.md` …) as facts.

One fact per top-level bullet, numbered item, table row and paragraph, under its headings. Code
blocks stay whole; comments, rules, empty bullets and unfilled placeholders say nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from omp_core.model import Category
from omp_core.project.facts import DocumentFact, Reading

_HEADING = re.compile(r"(#{1,6})\s+(.*?)\s*#*\s*$")
_BULLET = re.compile(r"(?:[-*+]|\d+[.)])(?:\s+|$)(?:\[[ xX]\]\s+)?")
_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_RULE = re.compile(r"\s*(?:-\s*){3,}$|\s*(?:\*\s*){3,}$|\s*(?:_\s*){3,}$")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_TABLE_LINE = re.compile(r"\s*\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?\s*)?$")
_PLACEHOLDER = re.compile(r"\{\{.*?\}\}|^\[[^\]]*\]$|^(?:\*\*)?[^*:：]+(?:\*\*)?[:：](?:\*\*)?$")
_FRONTMATTER = re.compile(r"\A---\r?\n.*?\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL)


@dataclass(slots=True)
class _Block:
    line: int
    headings: tuple[str, ...]
    lines: list[str] = field(default_factory=list)


def facts_of_markdown(text: str, reading: Reading) -> Iterator[DocumentFact]:
    """Yield the facts of a Markdown file."""
    numbers: Counter[str] = Counter()
    for block in _blocks(_without_silent_parts(text)):
        said = "\n".join(block.lines).strip()
        bare = re.sub(r"[`~]{3,}.*", "", said).strip()
        if not bare or _PLACEHOLDER.search(bare):
            continue
        heading = " / ".join(block.headings)
        numbers[heading] += 1
        yield DocumentFact(
            file=reading.name,
            path=f"{heading or '-'}[{numbers[heading]}]",
            text=f"{block.headings[-1]}: {said}" if block.headings else said,
            at=reading.modified,
            category=Category.FACT,
            line=block.line,
            metadata={"headings": list(block.headings)} if block.headings else {},
        )


def _without_silent_parts(text: str) -> list[str]:
    """The lines of the text, with front matter and comments blanked out."""

    def blank(match: re.Match[str]) -> str:
        return "\n" * match.group().count("\n")

    return _COMMENT.sub(blank, _FRONTMATTER.sub(blank, text)).splitlines()


def _blocks(lines: list[str]) -> Iterator[_Block]:
    headings: dict[int, str] = {}
    fence = ""
    block = _Block(1, ())

    def fresh(number: int) -> _Block:
        return _Block(number, tuple(headings[level] for level in sorted(headings)))

    for number, line in enumerate(lines, start=1):
        mark = _FENCE.match(line)
        if fence:
            block.lines.append(line)
            if mark and line.strip().startswith(fence) and not line.strip(" `~"):
                fence = ""
            continue
        heading = _HEADING.match(line)
        bullet = _BULLET.match(line)
        if heading:
            yield block
            level = len(heading[1])
            headings = {at: name for at, name in headings.items() if at < level}
            # The title names the file, which every fact names already.
            if level > 1:
                headings[level] = heading[2]
            block = fresh(number + 1)
        elif bullet:
            yield block
            block = fresh(number)
            block.lines.append(line[bullet.end() :])
        elif not line.strip() or _RULE.match(line) or _TABLE_LINE.match(line):
            if _TABLE_LINE.match(line):
                block = fresh(number)  # what stood above was the table's head
            elif not block.lines or not lines_follow(lines, number):
                yield block
                block = fresh(number + 1)
        elif line.lstrip().startswith("|"):
            yield block
            block = fresh(number)
            block.lines.append(" | ".join(filter(None, map(str.strip, line.split("|")))))
        else:
            if mark:
                fence = mark[1]
            block.lines.append(line.strip() if not mark else line)
    yield block


def lines_follow(lines: list[str], number: int) -> bool:
    """Whether the next line that is not empty is indented, so still belongs to the bullet."""
    following = next((line for line in lines[number:] if line.strip()), "")
    return following.startswith((" ", "\t"))
