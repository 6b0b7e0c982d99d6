"""Reading foreign files: their encodings and limits, and errors that say what to do."""

from __future__ import annotations

import codecs
import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, BinaryIO

from omp_core.errors import FormatError
from omp_core.i18n import _

MAX_DOCUMENT_BYTES = 256 << 20
"""Largest file, or member of an archive, that is read as one document."""
MAX_LINE_BYTES = 64 << 20
"""Largest line of a file that is read line by line."""

# The marks of UTF-32 begin with those of UTF-16, so they come first.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


@dataclass(frozen=True, slots=True)
class Line:
    """One line without its end, counted from 1. With a problem, `text` is empty."""

    number: int
    text: str
    problem: str | None = None


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """Open a file for reading bytes. Raises FormatError naming the file and the remedy."""
    try:
        stream = path.open("rb")
    except FileNotFoundError as error:
        raise FormatError(
            _("{path}: there is no such file. Check the path.").format(path=path)
        ) from error
    except PermissionError as error:
        raise FormatError(
            _(
                "{path}: no permission to read it. Give yourself the right (chmod u+r), "
                "or copy the file to a place of your own."
            ).format(path=path)
        ) from error
    except OSError as error:
        raise FormatError(
            _("{path}: cannot be opened: {reason}.").format(
                path=path, reason=error.strerror or error
            )
        ) from error
    with stream:
        yield stream


def read_text(path: Path) -> str:
    """Return a whole file as text, without a byte order mark. Raises FormatError."""
    with opened(path) as stream:
        return decode(read_limited(stream, str(path)), str(path))


def read_limited(stream: IO[bytes], name: str) -> bytes:
    """Return the rest of a stream, unless it is too large for one document."""
    data = stream.read(MAX_DOCUMENT_BYTES + 1)
    if len(data) > MAX_DOCUMENT_BYTES:
        raise FormatError(
            _(
                "{name}: is larger than {most} MiB, more than is read as one document. "
                "Export it in parts and import them one by one."
            ).format(name=name, most=MAX_DOCUMENT_BYTES >> 20)
        )
    return data


def decode(data: bytes, name: str) -> str:
    """Return the text of a file: UTF-8, or UTF-16 and UTF-32 with a byte order mark.

    Raises FormatError naming the first byte that does not fit, counted from 1.
    """
    mark, encoding = mark_of(data)
    try:
        text = data[len(mark) :].decode(encoding)
    except UnicodeDecodeError as error:
        offset = len(mark) + error.start
        raise FormatError(
            _("{name}: {misfit}").format(name=name, misfit=_misfit(data, offset, encoding, name))
        ) from error
    refuse_unmarked_utf16(data, name)
    return text


def refuse_unmarked_utf16(data: bytes, name: str) -> None:
    """Raise FormatError if a text begins as UTF-16 does, without saying so."""
    if len(data) > 1 and not mark_of(data)[0] and data[:2].count(0) == 1:
        order = "UTF-16BE" if data[0] == 0 else "UTF-16LE"
        raise FormatError(
            _(
                "{name}: byte {position} is zero, so this is {order} without a byte "
                "order mark. Save it as UTF-8: iconv -f {order} -t UTF-8 {name}"
            ).format(name=name, position=data.index(0) + 1, order=order)
        )


def mark_of(data: bytes) -> tuple[bytes, str]:
    """Return the byte order mark that `data` begins with, and the encoding it stands for."""
    return next(((mark, name) for mark, name in _MARKS if data.startswith(mark)), (b"", "utf-8"))


def lines(stream: BinaryIO, name: str) -> Iterator[Line]:
    """Yield the lines of a seekable stream one by one; only line feeds end a line.

    A line that is not text or is too long comes with a problem, and reading goes on.
    """
    mark, encoding = mark_of(stream.read(4))
    stream.seek(len(mark))
    if encoding == "utf-8":
        yield from _utf8_lines(stream, len(mark), name)
    else:
        yield from _wide_lines(stream, encoding, name)


def _utf8_lines(stream: BinaryIO, offset: int, name: str) -> Iterator[Line]:
    number = 0
    while data := stream.readline(MAX_LINE_BYTES):
        number += 1
        if len(data) == MAX_LINE_BYTES and not data.endswith(b"\n"):
            yield Line(number, "", _too_long())
            while data and not data.endswith(b"\n"):
                offset += len(data)
                data = stream.readline(MAX_LINE_BYTES)
            offset += len(data)
            continue
        try:
            yield Line(number, data.decode().rstrip("\r\n"))
        except UnicodeDecodeError as error:
            yield Line(number, "", _misfit(data, error.start, "utf-8", name, before=offset))
        offset += len(data)


def _wide_lines(stream: BinaryIO, encoding: str, name: str) -> Iterator[Line]:
    text = io.TextIOWrapper(stream, encoding, newline="\n")
    number = 0
    try:
        while line := text.readline(MAX_LINE_BYTES):
            number += 1
            if len(line) == MAX_LINE_BYTES:
                yield Line(number, "", _too_long())
                return
            yield Line(number, line.rstrip("\r\n"))
    except UnicodeDecodeError as error:
        raise FormatError(
            _(
                "{name}: is not {encoding} throughout: {reason} after line {number}. "
                "Save the file as UTF-8."
            ).format(name=name, encoding=encoding.upper(), reason=error.reason, number=number)
        ) from error
    finally:
        text.detach()


def _too_long() -> str:
    return _("The line is longer than {limit} MiB and was skipped. Split it up.").format(
        limit=MAX_LINE_BYTES >> 20
    )


def _misfit(data: bytes, at: int, encoding: str, name: str, *, before: int = 0) -> str:
    position = before + at + 1
    if encoding == "utf-8" and _reads_as_gbk(data):
        return _(
            "byte {position} is not UTF-8; the text reads as GBK. "
            "Save it as UTF-8: iconv -f GBK -t UTF-8 {name}"
        ).format(position=position, name=name)
    return _(
        "byte {position} is not {encoding}. Save the file as UTF-8 and import it again."
    ).format(position=position, encoding=encoding.upper())


def _reads_as_gbk(data: bytes) -> bool:
    try:
        text = data.decode("gb18030")
    except UnicodeDecodeError:
        return False
    return any("\u4e00" <= char <= "\u9fff" for char in text)
