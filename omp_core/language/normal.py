"""Text brought to one form, so that equal content compares and hashes equal."""

from __future__ import annotations

import hashlib
import unicodedata


def normalise(text: str) -> str:
    """Return `text` in NFC, with every run of white space one space and none at the ends.

    Idempotent. Two records whose contents are equal in this form say the same and may be
    merged without asking; nothing weaker may.
    """
    return " ".join(unicodedata.normalize("NFC", text).split())


def content_hash(text: str) -> str:
    """Return the SHA-256 of `normalise(text)` as 64 hexadecimal digits.

    Lone surrogates, which UTF-8 cannot hold, are hashed by their code point.
    """
    return hashlib.sha256(normalise(text).encode("utf-8", "surrogatepass")).hexdigest()
