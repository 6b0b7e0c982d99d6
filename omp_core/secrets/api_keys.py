"""API keys and tokens that can be told by their form: vendors' prefixes, private keys, entropy.

The patterns of detect-secrets are used where it has one; its import costs about 0.1 s, so
that it is loaded only when a hint says that one of its patterns may match.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from omp_core.secrets import gates
from omp_core.secrets.kinds import SecretKind, Span

_LIBRARY = {
    "artifactory": ("ArtifactoryDetector", SecretKind.API_KEY),
    "aws": ("AWSKeyDetector", SecretKind.API_KEY),
    "azure_storage_key": ("AzureStorageKeyDetector", SecretKind.API_KEY),
    "discord": ("DiscordBotTokenDetector", SecretKind.TOKEN),
    "github_token": ("GitHubTokenDetector", SecretKind.TOKEN),
    "gitlab_token": ("GitLabTokenDetector", SecretKind.TOKEN),
    "mailchimp": ("MailchimpDetector", SecretKind.API_KEY),
    "openai": ("OpenAIDetector", SecretKind.API_KEY),
    "private_key": ("PrivateKeyDetector", SecretKind.PRIVATE_KEY),
    "pypi_token": ("PypiTokenDetector", SecretKind.TOKEN),
    "sendgrid": ("SendGridDetector", SecretKind.API_KEY),
    "slack": ("SlackDetector", SecretKind.TOKEN),
    "square_oauth": ("SquareOAuthDetector", SecretKind.API_KEY),
    "stripe": ("StripeDetector", SecretKind.API_KEY),
    "telegram_token": ("TelegramBotTokenDetector", SecretKind.TOKEN),
    "twilio": ("TwilioKeyDetector", SecretKind.API_KEY),
}
"""Modules of detect_secrets.plugins. Those for assignments and URLs are left to `prose`."""

_BEHIND = re.compile(r"[A-Za-z0-9_\-=]*")

# Vendors' own prefixes that the library does not know. Each needs a body that no word has.
_VENDOR_KEY = re.compile(
    r"(?<![A-Za-z0-9])(?:"
    r"sk-(?=[A-Za-z_-]{0,99}\d[A-Za-z_-]{0,99}\d)(?=[\d_-]{0,99}[A-Za-z][\d_-]{0,99}[A-Za-z])"
    r"[A-Za-z0-9_-]{6,}"  # OpenAI, Anthropic, DeepSeek, OpenRouter ...
    r"|sk-(?:[a-z]{2,8}-){0,2}[A-Za-z0-9]{16,}"  # the same, drawn without a digit
    r"|[rs]k_(?:test|live)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/=]{24,}"  # Stripe
    r"|AIza[A-Za-z0-9_-]{30,}|ya29\.[A-Za-z0-9_-]{20,}|GOCSPX-[A-Za-z0-9_-]{20,}"  # Google
    r"|AKID[A-Za-z0-9]{16,}|LTAI[A-Za-z0-9]{12,}"  # Tencent Cloud, Alibaba Cloud
    r"|gsk_[A-Za-z0-9]{20,}|xai-[A-Za-z0-9]{20,}|pplx-[A-Za-z0-9]{20,}|nvapi-[\w-]{20,}"
    r"|hf_[A-Za-z]{30,}|r8_[A-Za-z0-9]{30,}|jina_[A-Za-z0-9]{24,}|tvly-[\w-]{20,}"
    r"|dop_v1_[a-f0-9]{40,}|shp(?:at|ca|pa|ss)_[a-fA-F0-9]{24,}|lin_api_[A-Za-z0-9]{24,}"
    r"|ntn_[A-Za-z0-9]{30,}|figd_[\w-]{24,}|PMAK-[A-Za-z0-9-]{24,}|sb_secret_[\w-]{16,}"
    r"|key-[0-9a-f]{32}|dapi[0-9a-f]{32}|sntrys_[\w+/=.-]{24,}"
    r")(?![A-Za-z0-9])"
)
_VENDOR_TOKEN = re.compile(
    r"(?<![A-Za-z0-9])(?:"
    r"github_pat_[A-Za-z0-9_]{20,}|gh[pousr]_[A-Za-z0-9]{20,}|npm_[A-Za-z0-9]{30,}"
    r"|hv[sbr]\.[A-Za-z0-9_-]{20,}|tskey-[a-z]+-[A-Za-z0-9-]{16,}|dckr_pat_[\w-]{20,}"
    r"|xapp-[\w-]{20,}|xox[a-z]-[A-Za-z0-9-]{16,}|ATATT3[\w=-]{24,}|rubygems_[0-9a-f]{40,}"
    r"|sbp_[0-9a-f]{30,}|AGE-SECRET-KEY-1[0-9A-Z]{40,}|EAA[A-Za-z0-9]{60,}"
    r"|eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{5,}(?:\.[A-Za-z0-9_-]*)?"
    r")(?![A-Za-z0-9])"
    r"|discord(?:app)?\.com/api/webhooks/\d{10,}/[\w-]{20,}"
    r"|open\.feishu\.cn/open-apis/bot/v2/hook/[\w-]{20,}"
)

# The whole block up to its end mark, or as far as lines of base64 go when that is missing.
_PRIVATE_KEY_BLOCK = re.compile(
    r"-{2,}\s*BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?\s*-{2,}"
    r"(?:[^-]{0,20000}-{2,}\s*END (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?\s*-{2,}"
    r"|(?:(?:\\n|\s)*[A-Za-z0-9+/=]{16,})*)"
)

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{1,15}://[^\s\"'<>]+")
_DIGEST = re.compile(r"(?i)^(?:sha\d{1,3}|md5)[-_]|^[0-9a-f-]+$")
_ENTROPY_LIMIT = 4.0
"""Bits a character. 24 random letters and digits reach about 4.2, names of code 3.5; the
library's own limit of 4.5 is out of reach for texts that short."""
_SWITCHES = 0.36
"""Share of places where capital, small letter and digit follow each other; random text has
0.6, names in camel case 0.3."""

_WORDED = 0.35
"""Share of characters in four small letters or more on end; random text has 0.1."""
_SMALL_LETTERS = re.compile(r"[a-z]{4,}")


def token_spans(text: str) -> Iterator[Span]:
    """Yield what looks like a key or token by its form alone."""
    if "PRIVATE KEY" in text:
        for match in _PRIVATE_KEY_BLOCK.finditer(text):
            yield Span(*match.span(), SecretKind.PRIVATE_KEY)
    if gates.VENDOR.search(text):
        for match in _VENDOR_KEY.finditer(text):
            yield Span(*match.span(), SecretKind.API_KEY)
        for match in _VENDOR_TOKEN.finditer(text):
            yield Span(*match.span(), SecretKind.TOKEN)
    if gates.LIBRARY.search(text):
        for pattern, kind in _library_patterns():
            for match in pattern.finditer(text):
                end = _BEHIND.match(text, match.end()).end()  # type: ignore[union-attr]
                yield Span(match.start(), end, kind)
    if gates.RANDOM_RUN.search(text):
        yield from _random_runs(text)


def _random_runs(text: str) -> Iterator[Span]:
    """Yield unquoted random strings outside addresses. Digests and ids in hexadecimal are
    none: a bare commit id, checksum or UUID is no secret.
    """
    addresses = [match.span() for match in _URL.finditer(text)]
    for match in gates.RANDOM_RUN.finditer(text):
        run = match[0]
        if _DIGEST.match(run) or _switches(run) < _SWITCHES or _worded(run) > _WORDED:
            continue
        if any(start <= match.start() < end for start, end in addresses):
            continue
        if _is_random(run):
            yield Span(*match.span(), SecretKind.TOKEN)


def _switches(run: str) -> float:
    classes = [
        "d" if char.isdigit() else "u" if char.isupper() else "l" if char.islower() else "s"
        for char in run
    ]
    # A separator starts a new word: it counts for nothing on either side.
    pairs = [pair for pair in pairwise(classes) if "s" not in pair]
    return sum(a != b for a, b in pairs) / len(pairs) if pairs else 0.0


def _worded(run: str) -> float:
    return sum(len(letters) for letters in _SMALL_LETTERS.findall(run)) / len(run)


def _is_random(run: str) -> bool:
    from detect_secrets.filters.heuristic import is_potential_uuid, is_sequential_string
    from detect_secrets.plugins.high_entropy_strings import Base64HighEntropyString

    if is_potential_uuid(run) or is_sequential_string(run):
        return False
    entropy: float = Base64HighEntropyString(_ENTROPY_LIMIT).calculate_shannon_entropy(run)
    return entropy >= _ENTROPY_LIMIT


@lru_cache(maxsize=1)
def _library_patterns() -> tuple[tuple[re.Pattern[str], SecretKind], ...]:
    from importlib import import_module

    patterns: list[tuple[re.Pattern[str], SecretKind]] = []
    for module, (name, kind) in _LIBRARY.items():
        detector = getattr(import_module(f"detect_secrets.plugins.{module}"), name)
        # The second pattern of Artifactory (`AP` and ten letters) matches capital words.
        known = detector.denylist[:1] if module == "artifactory" else detector.denylist
        patterns += [(pattern, kind) for pattern in known]
    return tuple(patterns)
