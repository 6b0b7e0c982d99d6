"""Scan, redact, refuse: the choke point for text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from omp_core.errors import SecretFinding, SecretFoundError
from omp_core.secrets import gates
from omp_core.secrets.kinds import MARKER, SecretKind, Span, blank, marker
from omp_core.secrets.normal_form import fold

_PUBLIC = re.compile(
    r"(?:ssh-(?:rsa|dss|ed25519)|ecdsa-sha2-nistp\d{3}|sk-(?:ssh|ecdsa)-[\w@.-]{4,40})\s+AAAA[\w+/]{20,}={0,2}"
    r"|(?<![\w+/])AAAA[BCE]3NzaC1[\w+/]{16,}={0,2}"
    r"|(?i:sha-?(?:1|224|256|384|512)|md5)[:-](?=[\w+/-]*[\d+/])[\w+/-]{16,}={0,3}"
    r"|-----BEGIN (?:[A-Z0-9]+ ){0,3}(?:PUBLIC KEY(?: BLOCK)?|CERTIFICATE(?: REQUEST)?)-----"
    r"[^-]{0,20000}-----END"
)
"""Public keys, certificates, fingerprints and checksums: random, and meant to be seen."""
_PRECEDENCE = {kind: place for place, kind in enumerate(SecretKind)}
_MOST_ROUNDS = 8


def scan(text: str) -> list[SecretFinding]:
    """Return the secrets in `text`, in order, without overlap. Places count characters."""
    folded = fold(text)
    plain = blank(folded.text, MARKER) if "[redacted: " in folded.text else folded.text
    if "AAAA" in plain or "-" in plain or ":" in plain:
        plain = blank(plain, _PUBLIC)
    return [
        SecretFinding(span.kind.value, *folded.span(span.start, span.end))
        for span in _joined(_spans(plain))
    ]


def _spans(text: str) -> list[Span]:
    spans: list[Span] = []
    if any(gate.search(text) for gate in (gates.VENDOR, gates.LIBRARY, gates.RANDOM_RUN)):
        from omp_core.secrets.api_keys import token_spans

        spans += token_spans(text)
    if gates.PROSE.search(text):
        from omp_core.secrets.codes import code_spans
        from omp_core.secrets.passwords import password_spans
        from omp_core.secrets.prose import prose_spans

        spans += [*password_spans(text), *prose_spans(text), *code_spans(text)]
    if gates.NUMBER.search(text):
        from omp_core.secrets.identities import identity_spans
        from omp_core.secrets.numbers import number_spans

        spans += [*number_spans(text), *identity_spans(text)]
    if gates.PHRASE.search(text):
        from omp_core.secrets.phrases import phrase_spans

        spans += phrase_spans(text)
    return spans


def redact(text: str, findings: Sequence[SecretFinding]) -> str:
    """Return `text` with each finding replaced by `[redacted: kind]`.

    What the replacement itself lays open is replaced too: the result scans clean.
    """
    for _ in range(_MOST_ROUNDS):
        if not findings:
            return text
        text = _replaced(text, findings)
        findings = scan(text)
    return marker(findings[0].kind) if findings else text


def ensure_clean(text: str) -> None:
    """Raise SecretFoundError, with kinds, places and a redacted form, if `text` holds a
    secret.
    """
    findings = scan(text)
    if findings:
        raise SecretFoundError(findings, redact(text, findings))


def _replaced(text: str, findings: Sequence[SecretFinding]) -> str:
    parts: list[str] = []
    done = 0
    for finding in sorted(findings, key=lambda finding: finding.start):
        start = max(finding.start, done)
        if finding.end <= start:
            continue
        parts += [text[done:start], marker(finding.kind)]
        done = finding.end
    return "".join([*parts, text[done:]])


def _joined(spans: list[Span]) -> list[Span]:
    joined: list[Span] = []
    for span in sorted(spans):
        if joined and span.start < joined[-1].end:
            last = joined[-1]
            kind = min(last.kind, span.kind, key=_PRECEDENCE.__getitem__)
            joined[-1] = Span(last.start, max(last.end, span.end), kind)
        else:
            joined.append(span)
    return joined
