"""The value that a document would have to hold for the user's side to be right."""

from __future__ import annotations

import re
from dataclasses import replace

from omp_core.model import Json
from omp_core.rules.sync.claims import compare
from omp_core.rules.sync.statements import Claim, ClaimKind, Statement
from omp_core.rules.sync.subjects import URL
from omp_core.settings import Settings

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_WORD = re.compile(r"\S{1,200}")
_ALIKE = 1.0


def claimed(text: str, disputed: str, fact: Statement, settings: Settings) -> Claim | None:
    """Return what `text` claims in the place of the fact's value.

    `text` is the disputed text of the user's side, or one that a person wrote instead of both:
    then it may also be the bare value.
    """
    claim = _difference(text, fact, settings)
    if claim is None and _WORD.fullmatch(text):
        bare = _difference(disputed, fact, settings)
        if bare is not None and _shape(bare.project_value) == _shape(text):
            claim = replace(bare, user_value=text)
    return claim


def replacement(held: Json, claim: Claim) -> Json:
    """Return a document's value `held` with the user's claim in the place of the project's.

    `held` is a scalar or a list of them. None where no text can be exchanged for another; a
    number with a unit does not stand for one without.
    """
    if claim.agrees or claim.kind is ClaimKind.SAME or not claim.user_value:
        return None
    if not isinstance(held, list):
        return _exchanged(held, claim)
    changed = [_exchanged(item, claim) for item in held]
    if sum(item is not None for item in changed) != 1:
        return None
    return [old if new is None else new for old, new in zip(held, changed, strict=True)]


def _exchanged(held: Json, claim: Claim) -> Json:
    if isinstance(held, bool | dict | list) or held is None:
        return None
    text, old, new = str(held), claim.project_value, claim.user_value
    if text.count(old) != 1 or (_NUMBER.fullmatch(old) and not _NUMBER.fullmatch(new)):
        return None
    wanted = text.replace(old, new)
    if isinstance(held, str) or not _NUMBER.fullmatch(wanted):
        return wanted
    return float(wanted) if "." in wanted else int(wanted)


def _difference(text: str, fact: Statement, settings: Settings) -> Claim | None:
    # that both speak of the same is known, whatever the vectors say
    claims = compare(text, fact, _ALIKE, settings)
    return next((claim for claim in claims if not claim.agrees), None)


def _shape(value: str) -> str:
    if URL.fullmatch(value):
        return "url"
    return "number" if _NUMBER.fullmatch(value) else "word"
