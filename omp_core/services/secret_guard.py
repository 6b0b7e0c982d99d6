"""Secret guard: the one place that every text passes on its way to a home."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import Enum
from functools import lru_cache

from omp_core.model import Json, Record
from omp_core.record_json import to_json
from omp_core.rules.fields import METADATA_PREFIX, json_value

_TIMES = frozenset({"created_at", "updated_at", "expires_at", "last_accessed", "arrived_at"})
"""Fields whose type holds nothing but a moment."""
_BARE = frozenset({"tags", "metadata", "episode"})
"""Fields whose findings are told by the place within them."""
_OWN_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
"""The form of the ids that the program makes: random, and some look like a number of a card."""
_SHORT = 100
"""Characters up to which a clean text is remembered: names and ids come again and again."""


def ensure_no_secret(record: Record) -> None:
    """Raise SecretFoundError if any string of the record's JSON form holds a secret: ids, links,
    both sides of disputes and who said them, stamps, tags, keys and values of metadata.
    """
    plain = {
        name: value
        for name, value in to_json(record).items()
        if value not in (None, [], {}) and not isinstance(getattr(record, name, None), Enum)
    }
    if _OWN_ID.fullmatch(record.id):
        del plain["id"]
    if record.stamps:
        plain["stamps"] = {name: stamp.actor for name, stamp in record.stamps.items()}
    if record.disputes:
        plain["disputes"] = [
            {name: value for name, value in dispute.items() if not name.endswith("_at")}
            for dispute in plain["disputes"]
        ]
    ensure_no_secret_value(plain)


def ensure_no_secret_value(value: Mapping[str, Json]) -> None:
    """Raise SecretFoundError if a value of a write holds a secret."""
    from omp_core.secrets import ensure_clean, ensure_clean_value

    for name, one in value.items():
        if one is None or name in _TIMES:
            continue
        if name == "content" and isinstance(one, str):
            ensure_clean(one)
            continue
        if isinstance(one, str) and name not in _BARE and len(one) <= _SHORT:
            _ensure_clean_field(name.removeprefix(METADATA_PREFIX), one)
            continue
        plain = json_value(one)
        if name in _BARE:
            ensure_clean_value(plain)
        elif isinstance(plain, str | list | dict) or name.startswith(METADATA_PREFIX):
            ensure_clean_value({name.removeprefix(METADATA_PREFIX): plain})


@lru_cache(maxsize=1024)
def _ensure_clean_field(name: str, text: str) -> None:
    """Raise SecretFoundError if a short text holds a secret; only clean ones are remembered."""
    from omp_core.secrets import ensure_clean_value

    ensure_clean_value({name: text})
