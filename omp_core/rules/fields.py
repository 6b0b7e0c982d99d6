"""Fields of a record by name: scope fields lie flat, metadata by `metadata.<key>`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, get_type_hints

import msgspec

from omp_core.errors import InvalidValueError
from omp_core.i18n import _
from omp_core.model import CHANGEABLE_FIELDS, SCOPE_FIELDS, Json, Record

METADATA_PREFIX = "metadata."
_TYPES = get_type_hints(Record) | dict.fromkeys(SCOPE_FIELDS, str | None)


def field_value(record: Record, name: str) -> Any:
    """Return the value of a changeable field; a missing metadata key is None."""
    if name.startswith(METADATA_PREFIX):
        return record.metadata.get(name.removeprefix(METADATA_PREFIX))
    return getattr(record.scope if name in SCOPE_FIELDS else record, name)


def set_fields(record: Record, values: Mapping[str, Any]) -> Record:
    """Return the record with these fields set; a metadata key set to None is removed."""
    scope = {name: value for name, value in values.items() if name in SCOPE_FIELDS}
    own = {
        name: value
        for name, value in values.items()
        if name not in SCOPE_FIELDS and not name.startswith(METADATA_PREFIX)
    }
    metadata = dict(own.pop("metadata", record.metadata))
    for name, value in values.items():
        if name.startswith(METADATA_PREFIX):
            key = name.removeprefix(METADATA_PREFIX)
            if value is None:
                metadata.pop(key, None)
            else:
                metadata[key] = value
    return replace(record, scope=replace(record.scope, **scope), metadata=metadata, **own)


def json_value(value: Any) -> Json:
    """Return a field's value in its JSON form."""
    plain = msgspec.to_builtins(value)
    return sorted(plain) if isinstance(value, frozenset) else plain


def typed_changes(changes: Mapping[str, Json]) -> dict[str, Any]:
    """Return changes with each value in the record's own type.

    `metadata` stays whole here; its keys are compared by `merge.metadata_changes`. Raises
    InvalidValueError naming the field, and the accepted values where they are few.
    """
    return {name: typed_value(name, value) for name, value in changes.items()}


def typed_value(name: str, value: Json) -> Any:
    """Return one field's value in the record's own type. Raises InvalidValueError."""
    if name.startswith(METADATA_PREFIX):
        return value
    if name not in CHANGEABLE_FIELDS:
        raise InvalidValueError(
            _("{name!r} is not a field that can be changed; these can: {fields}").format(
                name=name, fields=", ".join(CHANGEABLE_FIELDS)
            )
        )
    if name in SCOPE_FIELDS and value == "":
        return None
    try:
        typed = msgspec.convert(msgspec.to_builtins(value), _TYPES[name], strict=False)
    except msgspec.ValidationError as error:
        choices = getattr(_TYPES[name], "__members__", None)
        if choices:
            raise InvalidValueError(
                _("{name}: {error}; one of {choices}").format(
                    name=name, error=error, choices=", ".join(choices[key].value for key in choices)
                )
            ) from error
        raise InvalidValueError(_("{name}: {error}").format(name=name, error=error)) from error
    if isinstance(typed, datetime) and typed.tzinfo is None:
        raise InvalidValueError(
            _("{name}: a time needs a zone, like 2026-03-01T09:00:00Z").format(name=name)
        )
    if name == "confidence" and not 0 <= typed <= 1:
        raise InvalidValueError(_("confidence: {typed} is not between 0 and 1").format(typed=typed))
    return typed
