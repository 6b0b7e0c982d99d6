"""The one place that every text passes on its way to a home: secrets stop here."""

from __future__ import annotations

from collections.abc import Mapping

from omp_core.model import Json, Record
from omp_core.rules.fields import METADATA_PREFIX, SCOPE_FIELDS, json_value


def ensure_no_secret(record: Record) -> None:
    """Raise SecretFoundError if any text of the record holds a secret."""
    ensure_no_secret_value(
        {
            "content": record.content,
            "tags": sorted(record.tags),
            "metadata": dict(record.metadata),
            "episode": record.episode,
            **{name: getattr(record.scope, name) for name in SCOPE_FIELDS},
        }
    )


def ensure_no_secret_value(value: Mapping[str, Json]) -> None:
    """Raise SecretFoundError if a value of a write holds a secret."""
    from omp_core.secrets import ensure_clean, ensure_clean_value

    content = value.get("content")
    if isinstance(content, str):
        ensure_clean(content)
    for name in ("tags", "metadata", "episode"):
        if value.get(name):
            ensure_clean_value(json_value(value[name]))
    for name in ("id", *SCOPE_FIELDS):
        if value.get(name):
            ensure_clean_value({name: value[name]})
    for name, one in value.items():
        if name.startswith(METADATA_PREFIX):
            ensure_clean_value({name.removeprefix(METADATA_PREFIX): one})
