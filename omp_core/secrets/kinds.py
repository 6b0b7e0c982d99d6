"""What kinds of secrets there are, and the piece that detectors hand to each other."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple

BARRIER = "\ufffc"
"""Stands for text that is known to be harmless; no detector reads across it."""


class SecretKind(StrEnum):
    """The word shown for a finding; the order is the precedence where two overlap."""

    PRIVATE_KEY = "private key"
    PASSWORD = "password"
    API_KEY = "api key"
    TOKEN = "token"
    IDENTITY_CARD = "identity card number"
    BANK_CARD = "bank card number"
    PHONE = "phone number"


class Span(NamedTuple):
    """A secret in folded text."""

    start: int
    end: int
    kind: SecretKind


MARKER = re.compile(r"\[redacted: (?:" + "|".join(SecretKind) + r")\]")
"""What stands where a secret was."""


def marker(kind: str) -> str:
    return f"[redacted: {kind}]"


def blank(text: str, pattern: re.Pattern[str]) -> str:
    """Return `text` with every match of `pattern` turned into barriers of the same length."""
    return pattern.sub(lambda match: BARRIER * len(match[0]), text)
