"""Memories made from pieces of Markdown files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from functools import partial

from omp_core.formats.folders import FolderFile
from omp_core.formats.item import ImportItem
from omp_core.formats.markdown import Block, MarkdownNote, blocks, read_note, wiki_links
from omp_core.formats.row import Row, converted
from omp_core.i18n import _
from omp_core.model import Category, Json, Record


def note_items(
    format_name: str,
    file: FolderFile,
    now: datetime,
    refuse: Callable[[str], str | None] = lambda _text: None,
) -> Iterator[ImportItem]:
    """Yield a memory for each piece of a file, its frontmatter in the metadata.

    `refuse` returns why a piece is no memory, or None.
    """
    note = read_note(file.text)

    def record(row: Row, block: Block) -> Record:
        keep_frontmatter(row, note)
        return block_record(row, format_name, file, block, now)

    for block in blocks(note.body, note.first):
        place = f"{file.place}:{block.line}"
        reason = refuse(block.text)
        if reason is not None:
            yield ImportItem(place, None, reason)
        else:
            yield converted(place, {}, partial(record, block=block))


def keep_frontmatter(row: Row, note: MarkdownNote) -> None:
    """Keep a frontmatter in the metadata; one that is not YAML is kept as text."""
    for name, value in note.frontmatter.items():
        row.keep(name, value)
    if note.raw is not None:
        reason = _("the frontmatter is not YAML ({reason}); kept as text")
        row.note(reason.format(reason=note.problem))
        row.keep("frontmatter", note.raw)


def block_record(row: Row, name: str, file: FolderFile, block: Block, now: datetime) -> Record:
    """Return the record of one piece, with its place in the file as provenance."""
    if block.headings:
        row.keep("heading", " / ".join(block.headings))
    row.keep("line", block.line)
    return text_record(row, name, file, block.text, now)


def text_record(
    row: Row,
    name: str,
    file: FolderFile,
    content: str,
    now: datetime,
    category: Category = Category.FACT,
) -> Record:
    """Return the record of a text of a file; the file's time stands in for a missing one."""
    links: list[Json] = [{"to": target} for target in wiki_links(content)]
    if links:
        row.keep("links", links)
    row.keep("path", file.path.resolve().as_posix())
    row.fields.setdefault("modified", file.changed_at.isoformat())
    return row.record(name, content, now, category=category)
