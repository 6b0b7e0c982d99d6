"""Whether the word that stands where a password or key would stand is one.

Prose around "password" and "token" mostly tells about them; the value has to look like a
value. Degrees of evidence: `far` ("is" comes some words later), `bare` (the word just
follows), `said` ("is", 是), `assigned` ("=", ":", a JSON key, quotes).
"""

from __future__ import annotations

import re
from typing import Literal

from omp_core.secrets.kinds import BARRIER, MARKER, SecretKind

Evidence = Literal["far", "bare", "said", "assigned"]

_PLACEHOLDER = re.compile(
    r"(?i)^[\W_]*$"  # *****, ..., ---
    r"|^([^\d])\1{2,}$|\*{3}|x{4}|\.{3}|…|^\W*<.*>\W*$|^\W*\{|^\$|^%[\w(]|^\[|^@\w+\(|\{\{"
    r"|^(?:your|my|the|some|an?|insert|enter|replace|put|dummy)[-_ ]"
    r"|^(?:change[-_]?me|placeholder|redacted|masked|hidden|example|todo|tbd|n/?a|x+|yyy+)$"
    r"|^(?:process\.env|os\.environ|env\.|secrets\.|vars?\.|config\.|settings\.|self\.|args\.)"
)
_CODE_WORDS = """
above accepted also always anonymous any array ask auto back basic bearer below blank bool
boolean broken byte bytes case-sensitive char complex confidential correct default dict
different disabled dynamic easy empty enabled encrypted env error expired fail failed false
field float forgotten free gone hard hash hashed here id important incorrect input insecure int
integer interactive invalid jwt key keychain keyring known leaked list long longer lost
mandatory manual missing name needed never new nil no none not null number oauth object off ok
old on only optional out outdated pass passed passwd password permanent plain plaintext private
prompt protected public random read rejected required reset revoked right rotated safe same
secret secure sensitive set shared short simple special static stored str string strong synced
temporary text there token true type undefined unique unknown unset unused used user uuid valid
value varchar vault weak write wrong yes
"""
_NO_VALUE = frozenset(_CODE_WORDS.split())
_PREDICATE_ENDING = re.compile(
    r"(?:ed|able|ible|ing|ly|al|less|ful|ous|ive|ory|ary|ent|ant|ic|ise|ize|ness|tion|ment)$"
)
_TECHNICAL = re.compile(
    r"(?i)^(?:bcrypt|scrypt|argon2?|pbkdf\d?|sha-?\d|md[45]|hmac|hs\d{3}|rs\d{3}|es\d{3}|eddsa"
    r"|ed25519|aes-?\d*|rsa-?\d*|ecdsa|x509|base(?:32|58|62|64)|utf-?\d|oauth\d?|oidc|saml\d?"
    r"|[2m]fa|otp|totp|1password|bitwarden|lastpass|keepass\w*|https?|http/?\d|ipv[46]|ssl|tls"
    r"|k8s|s3|ec2|auth0|web3|e2e|i18n|a11y|python\d|p256|gpt-?\d|utc|iso\d*|rfc\d*)"
    r"\d{0,3}(?:[-_./].*|[a-z]{0,2})$"
)
_QUANTITY = re.compile(
    r"(?i)^[\d.,]+(?:-[\d.,]+)?\s*(?:ms|s|sec|secs|m|min|mins|h|hr|hrs|d|days?|w|weeks?|mo|y|yrs?"
    r"|k|kb|kib|m|mb|mib|g|gb|gib|b|bytes?|bits?|chars?|x|rps|qps|tps|px|%|st|nd|rd|th|per.*)$"
)
_VERSION = re.compile(r"(?i)^v?\d+(?:\.\d+)*(?:[-.]?(?:alpha|beta|rc|dev|post)\.?\d*)?$")
_DATE = re.compile(r"^(?:19|20)\d\d[-/.](?:0?[1-9]|1[0-2])(?:[-/.]\d{1,2})?(?:[T ].*)?$")
_PATH = re.compile(r"(?i)^(?:[~.]{0,2}/|[a-z]:\\|[a-z][a-z0-9+.-]+://|\.[a-z])|/.*/.*\.[a-z]{2,4}$")
_FILE = re.compile(
    r"(?i)^[\w./-]+\.(?:ya?ml|json|toml|env|ini|cfg|conf|txt|md|py|[jt]sx?|go|rs|rb|sh|sql|pem|key"
    r"|crt|cer|p12|pfx|db|log|html?|css|com|org|net|io|dev|cn)$"
)
_ATTRIBUTE = re.compile(r"^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$")
_ENVIRONMENT = re.compile(r"^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$|^[A-Z]{2,}$")
_CAMEL_NAME = re.compile(r"^[A-Za-z][a-z]+(?:[A-Z][a-z]+)+\d?$")
_SLUG = re.compile(r"^[A-Za-z]+(?:[-_./:][A-Za-z]+|[-_./:]v?\d{1,4})+$")
_SHORTCUT = re.compile(r"(?i)^(?:ctrl|alt|cmd|shift|meta|option)\s?\+")
_ITSELF = re.compile(r"(?i)pass(?:word|wd|phrase)|token|secret|api_?key|credential")
_SPECIAL = re.compile(r"[!@#$%^&*+=~?]")
_TRIM = "*\"'`“”‘’「」『』()[]{}<>.,;:!?。，；：！？、"


def is_secret_value(
    value: str, kind: SecretKind, evidence: Evidence = "assigned", *, last: bool = True
) -> bool:
    """Return whether `value` (folded, one word or the whole of a field) is a secret.

    `last`: nothing but punctuation follows it in its clause.
    """
    if BARRIER in value or MARKER.search(value) or len(value) > 4096 or _is_reference(value):
        return False
    bare = value.strip(_TRIM)
    if not bare or _is_reference(bare) or bare.lower() in _NO_VALUE:
        return False
    if " " in bare.strip():
        return False
    if bare.isdigit():
        return _is_number(bare, kind, evidence, last)
    if not re.search(r"[A-Za-z0-9]", bare):
        return False
    if kind is not SecretKind.PASSWORD and _SLUG.match(bare):
        return False
    strong = _is_strong(value.strip("\"'`"), bare)
    if evidence == "far":
        return strong and len(bare) >= 12 and bare.isalnum()
    if evidence == "bare":
        least = 6 if kind is SecretKind.PASSWORD else 12
        return strong and len(bare) >= least and not (_SLUG.match(bare) and bare.islower())
    if strong:
        return len(bare) >= 4
    return last and _is_plain_password(bare, kind, evidence)


def _is_reference(value: str) -> bool:
    """Return whether `value` stands for something else: a placeholder, name, place, amount."""
    return bool(
        _PLACEHOLDER.search(value)
        or _TECHNICAL.match(value)
        or _QUANTITY.match(value)
        or (_VERSION.match(value) and not value.isdigit())
        or _DATE.match(value)
        or _PATH.search(value)
        or _FILE.match(value)
        or _ATTRIBUTE.match(value)
        or _ENVIRONMENT.match(value)
        or _CAMEL_NAME.match(value)
        or _SHORTCUT.match(value)
        or (_ITSELF.search(value) and re.fullmatch(r"[A-Za-z_-]+", value))
    )


def _is_number(digits: str, kind: SecretKind, evidence: Evidence, last: bool) -> bool:
    if kind is SecretKind.PASSWORD:
        return last and len(digits) >= (6 if evidence in ("bare", "far") else 4)
    return last and evidence == "assigned" and len(digits) >= 8


def _is_strong(value: str, bare: str) -> bool:
    """Return whether letters, digits and signs mix as in no ordinary word."""
    has_letter = any(char.isalpha() for char in bare)
    has_digit = any(char.isdigit() for char in bare)
    if has_letter and has_digit:
        return True
    if has_letter and _SPECIAL.search(value[:-1].strip(_TRIM) or value):
        return True
    inner = bare[1:]
    mixed = any(char.isupper() for char in inner) and any(char.islower() for char in bare)
    return (mixed and len(bare) >= 6) or (len(bare) >= 24 and bare.isalnum() and bare.isascii())


def _is_plain_password(bare: str, kind: SecretKind, evidence: Evidence) -> bool:
    """Return whether a word without digits may be a password (`swordfish`)."""
    if not re.fullmatch(r"[A-Za-z][A-Za-z_-]*", bare):
        return False
    if kind is SecretKind.PASSWORD and evidence == "said":
        return bare.isalpha() and len(bare) >= 6 and not _PREDICATE_ENDING.search(bare.lower())
    if evidence != "assigned":
        return False
    if kind is SecretKind.PASSWORD:
        return len(bare) >= 4 and not _PREDICATE_ENDING.search(bare.lower())
    return bare.isalpha() and len(bare) >= 16
