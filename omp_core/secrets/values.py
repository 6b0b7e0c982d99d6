"""The choke point for JSON values: metadata, tags, whole records of an import."""

from __future__ import annotations

import json
import re
from dataclasses import replace

from omp_core.errors import SecretFinding, SecretFoundError
from omp_core.model import Json
from omp_core.secrets.credential import is_secret_value, is_strong
from omp_core.secrets.kinds import BARRIER, MARKER, SecretKind, blank
from omp_core.secrets.normal_form import fold
from omp_core.secrets.passwords import is_told_password
from omp_core.secrets.placeholder import names_itself
from omp_core.secrets.scan import redact, scan

_KEY = re.compile(
    r"(?:^|[\W_])(?:"
    r"(?P<password>pass(?:word|wd|phrase|code)?s?|pwds?|pw|pin|密码|口令)"
    r"|(?P<token>(?:bearer|access|refresh|auth|id|session|api|bot|csrf)?_?token|bearer|cookie"
    r"|authorization|jwt|令牌)"
    r"|(?P<key>(?:client_?)?secrets?|credentials?"
    r"|(?:api|access|secret|private|auth|encryption|signing|master|account)_?keys?"
    r"|api_?secret|密钥|秘钥|私钥|凭证|凭据)"
    r"|(?P<phone>(?:tele|cell)?phone(?:_?number)?|mobile|tel|手机号?码?|电话)"
    r")$"
)
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_KINDS = {
    "password": SecretKind.PASSWORD,
    "token": SecretKind.TOKEN,
    "key": SecretKind.API_KEY,
    "phone": SecretKind.PHONE,
}
_NAME_KEYS = ("name", "key", "field", "label", "variable")
_MOST_WORDS = 8
"""Words of a passphrase; a longer text under such a key tells about it."""
_VALUE_KEY = re.compile(
    r"(?i)^(?:values?|current|incoming|old|new|before|after|default|raw|text|data|content)$"
)


def scan_value(value: Json) -> list[SecretFinding]:
    """Return the secrets anywhere in a JSON value, keys included, each with its `path`.

    Places count characters within the string (or the written number) at that path.
    """
    findings: list[SecretFinding] = []
    _walk(value, "$", None, findings)
    return findings


def redact_value(value: Json) -> Json:
    """Return the JSON value with every secret replaced by `[redacted: kind]`; it scans clean."""
    return _walk(value, "$", None, [])


def ensure_clean_value(value: Json) -> None:
    """Raise SecretFoundError if a JSON value holds a secret in any string, number or key."""
    findings: list[SecretFinding] = []
    redacted = _walk(value, "$", None, findings)
    if findings:
        raise SecretFoundError(findings, json.dumps(redacted, ensure_ascii=False, default=str))


def _walk(value: Json, path: str, kind: SecretKind | None, findings: list[SecretFinding]) -> Json:
    """Collect the findings below `path` and return the redacted form of `value`."""
    if isinstance(value, dict):
        named = _named_kind(value)
        shown: dict[str, Json] = {}
        for key, item in value.items():
            in_key = scan(str(key))
            name = redact(str(key), in_key)
            while name in shown:  # two secret keys must not become one
                name += "'"
            findings += [replace(finding, path=f"{path}.{name} (key)") for finding in in_key]
            below = _kind_below(str(key), kind, named)
            shown[name] = _walk(item, f"{path}.{name}", below, findings)
        return shown
    if isinstance(value, list | tuple | set | frozenset):
        return [_walk(item, f"{path}[{i}]", kind, findings) for i, item in enumerate(value)]
    if value is None or isinstance(value, bool):
        return value
    text = str(value)
    found = _scan_leaf(text, kind)
    if not isinstance(value, str) and kind is not SecretKind.PHONE:
        # A bare number may count anything; only its name makes it a phone number.
        found = [finding for finding in found if finding.kind != SecretKind.PHONE]
    findings += [replace(finding, path=path) for finding in found]
    return redact(text, found) if found else value


def _scan_leaf(text: str, kind: SecretKind | None) -> list[SecretFinding]:
    if kind is not None and kind is not SecretKind.PHONE:
        plain = blank(fold(text).text, MARKER).strip()
        if _is_credential(plain, kind):
            return [SecretFinding(kind.value, 0, len(text))]
    return scan(text)


def _is_credential(text: str, kind: SecretKind) -> bool:
    """Return whether the whole value of a key named like a credential is one, or holds one."""
    words = text.split()
    if kind is SecretKind.PASSWORD:
        whole = BARRIER not in text and len(words) <= _MOST_WORDS
        told = whole and is_told_password(text, quoted=True) and not names_itself(text)
        return told or any(is_strong(word) and is_told_password(word) for word in words)
    return (len(words) == 1 and is_secret_value(words[0])) or any(
        is_secret_value(word, "said", last=False) for word in words
    )


def _kind_below(
    name: str, inherited: SecretKind | None, named: SecretKind | None
) -> SecretKind | None:
    """Return what a value under `name` would be: told by the name itself, by a sibling
    (`{"name": "password", "value": ...}`) or by the name above.
    """
    own = key_kind(name)
    if own is None and _VALUE_KEY.match(name):
        return named or inherited
    return own


def _named_kind(mapping: dict[str, Json]) -> SecretKind | None:
    for key in _NAME_KEYS:
        name = mapping.get(key)
        if isinstance(name, str) and (kind := key_kind(name)) is not None:
            return kind
    return None


def key_kind(name: str) -> SecretKind | None:
    """Return what kind of credential a key of that name holds, or None."""
    snake = _CAMEL.sub("_", fold(name).text).lower().replace("-", "_").replace(" ", "_").strip("_")
    match = _KEY.search(snake)
    return _KINDS[match.lastgroup or "key"] if match else None
