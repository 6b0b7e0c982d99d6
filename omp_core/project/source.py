"""A document's bytes as text, and back without a change."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from omp_core.errors import DocumentDamagedError
from omp_core.i18n import _
from omp_core.project.confinement import MOST_BYTES, read_regular
from omp_core.project.yaml.tree import BOM


@dataclass(frozen=True, slots=True)
class SourceText:
    """What a file held when it was read. `text` is without the BOM, line ends as they are."""

    file: Path
    raw: bytes
    text: str
    bom: bool

    @property
    def newline(self) -> str:
        """The line end that new lines take: that of the first line."""
        first = self.text.find("\n")
        if first < 0:
            return "\r" if "\r" in self.text else "\n"
        return "\r\n" if first > 0 and self.text[first - 1] == "\r" else "\n"

    def encoded(self, text: str) -> bytes:
        """Return the bytes of a changed text, with the BOM if the file has one."""
        return ((BOM if self.bom else "") + text).encode("utf-8")


def read_source(file: Path, folder: Path | None = None, most: int = MOST_BYTES) -> SourceText:
    """Read a file, which must really lie in `folder` if one is given.

    Raises DocumentDamagedError when it is not UTF-8, too large, no regular file or elsewhere,
    DocumentError when it cannot be read.
    """
    return decode(read_regular(file, folder, most), file)


def decode(raw: bytes, file: Path) -> SourceText:
    """Return the bytes as a source. Raises DocumentDamagedError when they are not UTF-8."""
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise DocumentDamagedError(file, 1, _("it is UTF-16; save it as UTF-8"), 1)
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        column = error.start - (raw.rfind(b"\n", 0, error.start) + 1) + 1
        reason = _("the byte 0x{byte:02x} is not UTF-8").format(byte=raw[error.start])
        raise DocumentDamagedError(file, line, reason, column) from error
    bom = text.startswith(BOM)
    return SourceText(file, raw, text[1:] if bom else text, bom)


def file_digest(file: Path) -> str:
    """Return the SHA-256 of a file's bytes, in hexadecimal."""
    return digest(file.read_bytes())


def digest(raw: bytes) -> str:
    """Return the SHA-256 of bytes, in hexadecimal."""
    return hashlib.sha256(raw).hexdigest()


def reason_of(error: OSError) -> str:
    """Return what the system says was wrong, without the path."""
    return (error.strerror or str(error)).lower()
