"""What plainly stands for a credential without being one: a gap, a mask, a reference, code."""

from __future__ import annotations

import re

ITSELF = re.compile(r"(?i)pass(?:word|wd|phrase)|token|secret|api_?key|credential|密码|口令")

_GAP = re.compile(
    r"(?i)^[\W_]*$"  # *****, ..., ---
    r"|^([^\W\d])\1{2,}$|^[x*•.…_-]{3,}$|^\W?<.*>\W*$|^\W?\{.*\}\W?$|^\{\{|^\$[({]|^%\(|^\[.*\]?$"
    r"|^%\w+%$|^@\w+\(|^!(?:vault|secret|ref|env|sub|include)\b|^•|\*{3}|•{3}"
    r"|^(?:your|my|the|some|an?|insert|enter|replace|put|dummy|sample|example|paste)[-_ ]"
    r"(?:[a-z]+[-_ ])*(?:pass\w*|pwd|pw|secret|key|token|value|here|credentials?|me)(?:[-_ ]here)?$"
    r"|^(?:change[-_ ]?(?:me|this|it)|change-?in-?production|replace[-_ ]?(?:me|this)|fill[-_ ]?me"
    r"|insert[-_ ]?here|placeholder|redacted|masked|hidden|example|todo|tbd|n/?a|none|null|nil)$"
)
_VARIABLE = re.compile(r"^\$[A-Z_][A-Z0-9_]*$|^\$\w*(?i:pass|pwd|secret|token|key)\w*$")
_CAPITALS = re.compile(r"^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$")
_CODE_ROOT = re.compile(
    r"^(?:process\.env|os\.(?:environ|getenv)|env|secrets|vars?|config|cfg|conf|settings|self|this"
    r"|args|opts|options|props|state|data|form|forms|request|req|params|body|ctx|context|user|users"
    r"|z|yup|joi|faker|string|strings|String|models|fields|Field|inputs?|local|data|random|crypto"
    r"|values|Values|\.Values|credentials|creds|account|session|input|event|e\.target)\."
)
_ATTRIBUTE = re.compile(r"^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$")
_CALL = re.compile(r"^(?:await |new )?[A-Za-z_.]+(?:\(|\[(?:[\"'\]]|$))")
_GENERIC = re.compile(r"^[A-Za-z.]+\[[A-Za-z, |.]+\]?$")
_NAMED = re.compile(
    r"(?i)^(?:\w+[_.-])?(?:pass(?:word|wd|phrase)?|pwd|token|secret|api_?key|credentials?)(?:[_-]\w+)?$"
    r"|^(?-i:[a-z]+(?:Password|Passwd|Passphrase|Token|Secret|ApiKey))\w*$"
)
_SECRET_FILE = re.compile(r"^/(?:run|var/run|etc)/|^~/\.|^\./|\.(?:env|gpg|age|pem|key|kdbx)$")


def is_placeholder(value: str) -> bool:
    """Return whether `value` (folded, one word or a whole field) plainly stands for something
    else: a gap to fill, a mask, an environment variable, an expression of code, a secrets file.
    """
    bare = value.strip("\"'`“”‘’「」『』,;，；。")
    return bool(
        _GAP.search(bare)
        or _VARIABLE.match(bare)
        or _CAPITALS.match(bare)
        or _CODE_ROOT.match(bare)
        or _CALL.match(bare)
        or _GENERIC.match(bare)
        or _SECRET_FILE.search(bare)
        or (_ATTRIBUTE.match(bare) and ITSELF.search(bare))
    )


def names_itself(value: str) -> bool:
    """Return whether `value` is an identifier that names a credential: `password`, `dbToken`."""
    bare = value.strip("\"'`,;")
    return bool(_NAMED.match(bare))
