"""The beginning of a file: all that is needed to tell what the file is."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from omp_core.formats.files import mark_of, opened
from omp_core.formats.json_text import JsonHead, json_head, load_value
from omp_core.model import Json

_SIZES = (1 << 16, 1 << 20, 1 << 24, 1 << 27)
_LINES = 20


@dataclass(frozen=True, slots=True)
class Head:
    """The first text of a file (empty for what is no text), and the JSON that it starts."""

    text: str
    json: JsonHead | None = None

    def objects(self) -> Iterator[dict[str, Json]]:
        """Yield the JSON objects among the first lines that are whole."""
        for line in self.text.split("\n")[:_LINES]:
            value = load_value(line.strip().rstrip(","))
            if isinstance(value, dict):
                yield value

    def first_object(self) -> dict[str, Json]:
        """Return the JSON object on the first line, or an empty one."""
        value = load_value(self.text.partition("\n")[0])
        return value if isinstance(value, dict) else {}


def peek(path: Path) -> Head:
    """Return the head of a file; of a folder or a missing file, an empty one.

    Reads 64 KiB, and more only while the first element of a JSON list is larger than that.
    Raises FormatError when the file cannot be opened.
    """
    if not path.is_file():
        return Head("")
    with opened(path) as stream:
        return peek_stream(stream)


def peek_stream(stream: BinaryIO) -> Head:
    """Return the head of a seekable stream, and leave the stream at its beginning."""
    head = Head("")
    for size in _SIZES:
        stream.seek(0)
        data = stream.read(size)
        head = _head(data)
        if len(data) < size or head.json is None or head.json.enough:
            break
    stream.seek(0)
    return head


def _head(data: bytes) -> Head:
    mark, encoding = mark_of(data)
    text = codecs.getincrementaldecoder(encoding)("replace").decode(data[len(mark) :])
    return Head(text, json_head(text))
