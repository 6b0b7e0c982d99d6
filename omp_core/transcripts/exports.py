"""Data exports of chat services: JSON lists of conversations, read one at a time."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator
from typing import BinaryIO

from omp_core.errors import FormatError
from omp_core.formats.files import MAX_LINE_BYTES, mark_of
from omp_core.i18n import _
from omp_core.model import Json
from omp_core.transcripts.lines import Report, TranscriptProblem

_CHUNK = 1 << 20
_DECODER = json.JSONDecoder(strict=False)


def list_elements(stream: BinaryIO, name: str, report: Report) -> Iterator[tuple[int, Json]]:
    """Yield the elements of a JSON list with their numbers, from 1, holding one at a time.

    Damage is reported and ends the reading: what follows cannot be told apart. Raises
    FormatError when the stream is no list or not UTF-8.
    """
    mark, encoding = mark_of(stream.read(4))
    stream.seek(len(mark))
    source = _Text(stream, encoding, name)
    if source.next_sign() != "[":
        raise FormatError(_("{name}: is no list of conversations.").format(name=name))
    source.drop(1)
    number = 0
    while (sign := source.next_sign()) not in ("]", ""):
        if sign == ",":
            source.drop(1)
            continue
        number += 1
        try:
            yield number, source.value()
        except (ValueError, RecursionError) as error:
            problem = _("The list is damaged or cut off here ({reason}); the rest was not read.")
            report(TranscriptProblem(f"#{number}", problem.format(reason=error)))
            return
    if sign == "":
        problem = _("The file ends in the middle of the list: it was cut off.")
        report(TranscriptProblem(f"#{number + 1}", problem))


class _Text:
    """The text of a stream that is decoded as it is needed."""

    def __init__(self, stream: BinaryIO, encoding: str, name: str) -> None:
        self._stream = stream
        self._name = name
        self._decoder = codecs.getincrementaldecoder(encoding)()
        self._held = ""
        self._ended = False

    def _more(self, size: int) -> bool:
        if self._ended:
            return False
        data = self._stream.read(size)
        self._ended = not data
        try:
            self._held += self._decoder.decode(data, final=self._ended)
        except UnicodeDecodeError as error:
            near = self._stream.tell() - len(data)
            raise FormatError(
                _(
                    "{name}: is not UTF-8 after byte {near} ({reason}). Save the file as UTF-8."
                ).format(name=self._name, near=near, reason=error.reason)
            ) from error
        return True

    def next_sign(self) -> str:
        """Return the first character that is no white space, and hold the text from there."""
        while True:
            self._held = self._held.lstrip(" \t\r\n\ufeff")
            if self._held or not self._more(_CHUNK):
                return self._held[:1]

    def drop(self, count: int) -> None:
        self._held = self._held[count:]

    def value(self) -> Json:
        """Take one value. Raises ValueError when there is none, or too large a one."""
        size = _CHUNK
        while True:
            try:
                value, end = _DECODER.raw_decode(self._held)
            except ValueError:
                if len(self._held) > MAX_LINE_BYTES or not self._more(size):
                    raise
                size = max(size, len(self._held))  # doubling keeps the attempts few
            else:
                self.drop(end)
                return value
