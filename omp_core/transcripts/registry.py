"""All shapes of recorded conversations, and telling which of them a file has."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import IO, BinaryIO, cast

from omp_core.errors import FormatError
from omp_core.formats.files import opened, refuse_unmarked_utf16
from omp_core.formats.head import Head, peek_stream
from omp_core.i18n import _
from omp_core.model import Turn
from omp_core.transcripts import chatgpt, claude_ai, claude_code, codex, gemini, written
from omp_core.transcripts.lines import Report, TranscriptProblem

Source = Path | IO[bytes] | IO[str]
_IN_MEMORY = 16 << 20
_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Transcript:
    """A shape that conversations are recorded in."""

    name: str
    title: str
    detect: Callable[[Head], bool]
    read: Callable[[BinaryIO, str, Report], Iterator[Turn]]


def _transcript(name: str, module: ModuleType, title: str) -> Transcript:
    return Transcript(name, title, module.detect, module.read)


TRANSCRIPTS: Mapping[str, Transcript] = {
    each.name: each
    for each in (
        _transcript("claude-code", claude_code, "Claude Code session (JSON lines)"),
        _transcript("codex", codex, "Codex rollout (JSON lines)"),
        _transcript("gemini", gemini, "Gemini CLI session (JSON)"),
        _transcript("chatgpt", chatgpt, "ChatGPT conversations.json"),
        _transcript("claude-ai", claude_ai, "Claude.ai conversations.json"),
        _transcript("text", written, "text with speakers (user: / assistant:)"),
    )
}
"""Every shape by name, in the order in which they are tried."""


def detect(source: Source) -> Transcript:
    """Return the shape of a conversation, judged by its beginning.

    Raises FormatError naming the source and what is wrong with it, or the known shapes. A
    stream that can seek is left at its beginning; any other is used up.
    """
    with _stream(source) as (stream, name):
        return _detect(stream, name)


def read(
    source: Source, format: str | None = None, *, report: Report | None = None
) -> Iterator[Turn]:
    """Yield the turns of a conversation in their order.

    `report` is told of every line or message that could not be read; reading goes on.
    Raises FormatError, at the first turn, when the whole cannot be read.
    """
    with _stream(source) as (stream, name):
        if format is None:
            chosen = _detect(stream, name)
        elif format in TRANSCRIPTS:
            chosen = TRANSCRIPTS[format]
        else:
            raise FormatError(
                _("There is no shape {format!r}. Known: {known}.").format(
                    format=format, known=", ".join(TRANSCRIPTS)
                )
            )
        yield from chosen.read(stream, name, report or _ignore)


def _ignore(problem: TranscriptProblem) -> None:
    """Take a problem that the caller does not want to hear of."""


def _detect(stream: BinaryIO, name: str) -> Transcript:
    head = peek_stream(stream)
    start = stream.read(4)
    stream.seek(0)
    if not start.strip():
        raise FormatError(
            _("{name}: is empty, so there is no conversation in it.").format(name=name)
        )
    refuse_unmarked_utf16(start, name)
    found = next((each for each in TRANSCRIPTS.values() if each.detect(head)), None)
    if found is None:
        known = "; ".join(each.title for each in TRANSCRIPTS.values())
        raise FormatError(
            _(
                "{name}: is in no known shape of a conversation. Known are: {known}. In "
                "a text of your own, begin each turn with `user:` or `assistant:`."
            ).format(name=name, known=known)
        )
    return found


@contextmanager
def _stream(source: Source) -> Iterator[tuple[BinaryIO, str]]:
    """Give a stream of bytes that can seek, at its beginning, and a name for messages."""
    if isinstance(source, Path):
        with opened(source) as file:
            yield file, str(source)
        return
    name = str(getattr(source, "name", "input"))
    start = source.read(0)
    if isinstance(start, bytes) and source.seekable():
        source.seek(0)
        yield cast(BinaryIO, source), name
        return
    with tempfile.SpooledTemporaryFile(_IN_MEMORY) as spool:
        while chunk := source.read(_CHUNK):
            spool.write(chunk.encode("utf-8", "surrogatepass") if isinstance(chunk, str) else chunk)
        spool.seek(0)
        yield cast(BinaryIO, spool), name
