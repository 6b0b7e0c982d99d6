"""Whether the word that stands where a key or token would stand is one.

Prose around "key" and "token" mostly tells about them; the value has to look like a value.
(Passwords have no look: `passwords` turns the burden round.) Degrees of evidence: `far` ("is"
comes some words later), `bare` (the word just follows), `said` ("is", 是), `assigned` ("=",
":", a JSON key, quotes), `sure` (an environment variable of that name).
"""

from __future__ import annotations

import re
from typing import Literal

from omp_core.secrets.kinds import BARRIER, MARKER
from omp_core.secrets.placeholder import ITSELF, is_placeholder, names_itself
from omp_core.secrets.vocabulary import CONTINUES, DESCRIBES, STATES

Evidence = Literal["far", "bare", "said", "assigned", "sure"]

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
_SPECIAL = re.compile(r"[!@#$%^&*+=~?]")
_TRIM = "*\"'`“”‘’「」『』()[]{}<>.,;:!?。，；：！？、"


def is_secret_value(value: str, evidence: Evidence = "assigned", *, last: bool = True) -> bool:
    """Return whether `value` (folded, one word or the whole of a field) is a key or a token.

    `last`: nothing but punctuation follows it in its clause.
    """
    if BARRIER in value or MARKER.search(value) or len(value) > 4096:
        return False
    bare = value.strip(_TRIM)
    if evidence == "sure":
        named = is_placeholder(value) or names_itself(bare) or is_technical(bare)
        return len(bare) >= 6 and not named and bare.lower() not in STATES
    if _is_reference(value):
        return False
    if not bare or _is_reference(bare) or bare.lower() in _NO_VALUE or " " in bare.strip():
        return False
    if bare.isdigit():
        return last and evidence == "assigned" and len(bare) >= 8
    if not re.search(r"[A-Za-z0-9]", bare) or _SLUG.match(bare):
        return False
    strong = is_strong(value.strip("\"'`"))
    if evidence == "far":
        return strong and len(bare) >= 12 and bare.isalnum()
    if evidence == "bare":
        return strong and len(bare) >= 12
    if strong:
        return len(bare) >= 4
    return last and evidence == "assigned" and bare.isalpha() and bare.isascii() and len(bare) >= 16


def is_technical(value: str) -> bool:
    """Return whether `value` is a word of the trade, an amount or a shortcut: `argon2id`, `90d`."""
    return bool(_TECHNICAL.match(value) or _QUANTITY.match(value) or _SHORTCUT.match(value))


def is_described(word: str, after: str) -> bool:
    """Return whether a word tells about the thing before it, by its ending and what follows."""
    return bool(DESCRIBES.search(word.lower()) and CONTINUES.match(after))


def is_strong(value: str) -> bool:
    """Return whether letters, digits and signs mix as in no ordinary word."""
    bare = value.strip(_TRIM)
    has_letter = any(char.isalpha() for char in bare)
    has_digit = any(char.isdigit() for char in bare)
    if has_letter and has_digit:
        return True
    if has_letter and _SPECIAL.search(value[:-1].strip(_TRIM) or value):
        return True
    inner = bare[1:]
    mixed = any(char.isupper() for char in inner) and any(char.islower() for char in bare)
    return (mixed and len(bare) >= 6) or (len(bare) >= 24 and bare.isalnum() and bare.isascii())


def _is_reference(value: str) -> bool:
    """Return whether `value` stands for something else: a placeholder, name, place, amount."""
    return bool(
        is_placeholder(value)
        or is_technical(value)
        or (_VERSION.match(value) and not value.isdigit())
        or _DATE.match(value)
        or _PATH.search(value)
        or _FILE.match(value)
        or _ATTRIBUTE.match(value)
        or _ENVIRONMENT.match(value)
        or _CAMEL_NAME.match(value)
        or (ITSELF.search(value) and re.fullmatch(r"[A-Za-z_-]+", value))
    )
