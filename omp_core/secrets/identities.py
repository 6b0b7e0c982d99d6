"""Numbers that states and banks give to a person: social security, tax and account numbers.

python-stdnum judges their check digits; it is loaded only where such a number may stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module

from omp_core.secrets.kinds import SecretKind, Span

_SSN_NAMED = re.compile(
    r"(?i)(?:(?<![A-Za-z])ssn|social(?: security)?(?: (?:number|no\.?))?"
    r"|社会安全号码?|社安号)(?![A-Za-z])"
    r"[^\n.;\d]{0,24}?(?P<value>\d{3}[- .]?\d{2}[- .]?\d{4})(?![\w-])"
)
_SSN = re.compile(r"(?<![\w.-])(?P<value>\d{3}-\d{2}-\d{4})(?![\w-]|\.\d)")
_SSN_NEVER = re.compile(r"^(?:000|666|9\d\d)|^\d{3}00|0000$")
"""Areas, groups and serials that are never given out (python-stdnum, `us.ssn`)."""
_OTHER_THING = re.compile(r"(?i)(?:part|ratio|serial|order|model|item|sku|编号|型号)[^\n.;]{0,12}$")

_IBAN = re.compile(r"(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]{1,4}){3,9}(?![A-Za-z0-9])")
_IBAN_LEAST, _IBAN_MOST = 15, 34

_NAMED = (
    (r"(?:aadhaar|aadhar)", r"\d{4}[ -]?\d{4}[ -]?\d{4}", "in_.aadhaar"),
    (r"cpf", r"\d{3}\.?\d{3}\.?\d{3}-?\d{2}", "br.cpf"),
    (r"codice fiscale", r"[A-Z0-9]{16}", "it.codicefiscale"),
    (r"(?:dni|nie)", r"[XYZ\d]\d{7}-?[A-Z]", "es.nif"),
    (r"(?:nir|num[ée]ro de sécurité sociale)", r"[12][\d ABab]{13,20}\d", "fr.nir"),
    (r"(?:steuer-?id|steueridentifikationsnummer|idnr)", r"\d{2} ?\d{3} ?\d{3} ?\d{3}", "de.idnr"),
    (r"pesel", r"\d{11}", "pl.pesel"),
    (r"bsn|burgerservicenummer", r"\d{8,9}", "nl.bsn"),
    (r"(?:ahv|avs)(?:-nummer)?", r"756[. ]?\d{4}[. ]?\d{4}[. ]?\d{2}", "ch.ssn"),
    (r"(?:rrn|주민등록번호)", r"\d{6}-?\d{7}", "kr.rrn"),
    (r"nhs(?: number)?", r"\d{3}[ -]?\d{3}[ -]?\d{4}", "gb.nhs"),
)
_NAMED_PATTERNS = tuple(
    (
        re.compile(rf"(?i)(?<![A-Za-z])(?:{name})[^\n.;\d]{{0,20}}?(?-i:(?P<value>{form}))(?!\w)"),
        rule,
    )
    for name, form, rule in _NAMED
)
_DOCUMENT = re.compile(
    r"(?i)(?:passport|driver'?s? licen[cs]e|national insurance|护照|驾驶证|港澳通行证|社保卡)"
    r"\s?(?:number|no\.?|号码?)?\s?(?:is|was|是|为|:|#)?\s?"
    r"(?P<value>(?-i:(?=[A-Z\d ]{0,12}\d{4})[A-Z]{0,2} ?\d(?:[ -]?[A-Z\d]){5,10}))(?!\w)"
)


def identity_spans(text: str) -> Iterator[Span]:
    """Yield social security numbers, named national numbers, passports and bank accounts."""
    for pattern in (_SSN_NAMED, _SSN):
        for match in pattern.finditer(text):
            digits = re.sub(r"\D", "", match["value"])
            before = text[max(0, match.start() - 24) : match.start()]
            if not _SSN_NEVER.search(digits) and not _OTHER_THING.search(before):
                yield Span(*match.span("value"), SecretKind.IDENTITY_CARD)
    for match in _IBAN.finditer(text):
        end = _account_end(match[0])
        if end:
            yield Span(match.start(), match.start() + end, SecretKind.BANK_CARD)
    for pattern, rule in _NAMED_PATTERNS:
        for match in pattern.finditer(text):
            if import_module(f"stdnum.{rule}").is_valid(match["value"]):
                yield Span(*match.span("value"), SecretKind.IDENTITY_CARD)
    for match in _DOCUMENT.finditer(text):
        yield Span(*match.span("value"), SecretKind.IDENTITY_CARD)


def _account_end(text: str) -> int:
    """Return how much of `text` is an international bank account number, 0 for none."""
    ends = [place for place in range(len(text), 0, -1) if place == len(text) or text[place] in " -"]
    for end in ends:
        plain = re.sub(r"[ -]", "", text[:end])
        if _IBAN_LEAST <= len(plain) <= _IBAN_MOST:
            from stdnum import iban

            if iban.is_valid(plain):
                return end
    return 0
