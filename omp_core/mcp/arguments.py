"""What agents send: the arguments of the tools, read as leniently as language models write.

JSON may come as text or as a value, tags as a list or as text with commas, numbers and truth
values as text; null and empty text stand for an argument that was not given.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta

from omp_core.errors import InvalidValueError
from omp_core.i18n import _
from omp_core.language.tags import tags_of
from omp_core.model import Json, Query, Scope

_FIELDS = (
    "category", "importance", "source", "confidence", "temporality", "tier", "episode",
)  # fmt: skip
"""Fields of a record that the memory skill writes as keys of the metadata."""


class Arguments(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The arguments of one tool. A field that is None was not given."""


class Scoped(Arguments, frozen=True, kw_only=True):
    """Arguments that say whose memory is meant."""

    user_id: Annotated[str | None, Meta(description="The person: `git config user.name`.")] = None
    agent_id: Annotated[str | None, Meta(description="The agent.")] = None
    app_id: Annotated[str | None, Meta(description="The project: <group>_<repo>.")] = None
    run_id: Annotated[str | None, Meta(description="The session.")] = None

    @property
    def scope(self) -> Scope:
        return Scope(
            self.user_id or None, self.agent_id or None, self.app_id or None, self.run_id or None
        )


class Filtered(Scoped, frozen=True, kw_only=True):
    """Arguments that choose among the records of a scope."""

    metadata_filter: Annotated[
        dict[str, Any] | str | None,
        Meta(
            description="Exact values of fields or metadata keys, joined by AND, as a JSON "
            'object: {"category": "preference", "importance": "high"}. No OR, no substrings.'
        ),
    ] = None

    @property
    def chosen(self) -> Query:
        """Return the filter. Raises InvalidValueError."""
        wanted = json_object("metadata_filter", self.metadata_filter)
        for key, value in wanted.items():
            if isinstance(value, list | dict):
                raise InvalidValueError(
                    _(
                        "metadata_filter: {key!r} holds a list or an object; give one exact "
                        "value, and search several times for several values"
                    ).format(key=key)
                )
        return Query(scope=self.scope, metadata=wanted)


Positive = Annotated[int, Meta(ge=1)]
Limit = Annotated[int, Meta(description="How many at most.", ge=1)]
Offset = Annotated[int, Meta(description="How many to skip, for the next page.", ge=0)]
MemoryId = Annotated[str, Meta(description="The memory's id.", min_length=1)]
Tags = Annotated[
    str | list[str] | None, Meta(description="Topic words, separated by commas, or a list.")
]
Metadata = Annotated[
    dict[str, Any] | str | None,
    Meta(
        description="A JSON object. Known keys: category (preference, identity, environment, "
        "decision, anti_pattern, episode, concept, fact, lesson), importance (high, medium, "
        "low), source (user, inferred, system). Any other key is kept as it is."
    ),
]

_Given = TypeVar("_Given", bound=Arguments)


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads the arguments of one tool.

    `schema` is what is taken, `listed` what clients are told: one type for each argument, every
    node typed, since strict clients refuse a server's tools altogether over anything else.
    """

    model: type[Arguments]
    schema: dict[str, Any]
    listed: dict[str, Any]

    def read(self, given: Mapping[str, Json]) -> Arguments:
        """Return the arguments in their types. Raises InvalidValueError, never with a value."""
        known: dict[str, dict[str, Any]] = self.schema["properties"]
        plain: dict[str, Json] = {}
        for name, value in given.items():
            if name not in known:
                raise InvalidValueError(_unknown(name, known))
            takes_text = _takes_text(known[name])
            if value is None or (value == "" and not takes_text):
                continue
            plain[name] = _as_choice(_as_text(value, known[name]), known[name].get("enum"))
        try:
            return msgspec.convert(plain, self.model, strict=False)
        except msgspec.ValidationError as error:
            raise InvalidValueError(_("arguments: {error}").format(error=error)) from error


def reader(model: type[Arguments]) -> Reader:
    """Return the reader of these arguments, with their JSON schema in one plain object."""
    raw = msgspec.json.schema(model)
    shared = raw["$defs"]
    own = shared[model.__name__]
    properties = {name: _plain(one, shared) for name, one in own["properties"].items()}
    outer = {"type": "object", "additionalProperties": False}
    if own["required"]:
        outer["required"] = own["required"]
    listed = {name: _listed(one) for name, one in properties.items()}
    return Reader(model, outer | {"properties": properties}, outer | {"properties": listed})


_MESSAGE = {
    "type": "object",
    "properties": {"role": {"type": "string"}, "content": {"type": "string"}},
}


def _listed(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return a property as clients are told it: with the plainest type of those it takes."""
    told = {key: value for key, value in schema.items() if key != "anyOf"}
    kinds = schema.get("anyOf", [schema])
    types = [kind.get("type", "string") for kind in kinds]
    if "array" in types and "object" not in types:
        items = kinds[types.index("array")].get("items") or _MESSAGE
        return {**told, "type": "array", "items": items}
    if "object" in types and "array" not in types:
        return {**told, "type": "object"}
    return {**told, "type": types[0] if len(types) == 1 else "string"}


def _as_text(value: Json, schema: Mapping[str, Any]) -> Json:
    """Return a number as its text where text is meant, also inside a list of texts."""
    types = [kind.get("type", "string") for kind in schema.get("anyOf", [schema])]
    if _is_number(value) and "string" in types and not {"integer", "number"} & set(types):
        return str(value)
    if isinstance(value, list):
        return [str(one) if _is_number(one) else one for one in value]
    return value


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _plain(schema: dict[str, Any], shared: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
    """Return a property without references, and without null, which says not given."""
    plain = dict(schema)
    reference = plain.pop("$ref", None)
    if reference is not None:
        plain = {"type": "string", "enum": shared[reference.rpartition("/")[2]]["enum"], **plain}
    if "anyOf" in plain:
        kinds = [_plain(kind, shared) for kind in plain.pop("anyOf") if kind.get("type") != "null"]
        plain = {**kinds[0], **plain} if len(kinds) == 1 else {"anyOf": kinds, **plain}
    if plain.get("default", "") is None:
        del plain["default"]
    return plain


def _takes_text(schema: Mapping[str, Any]) -> bool:
    if "enum" in schema:
        return False
    kinds = schema.get("anyOf", [schema])
    return any(kind.get("type", "string") == "string" for kind in kinds)


def _as_choice(value: Json, choices: list[str] | None) -> Json:
    """Return the choice that a word means: `Short_Term` is `short-term`."""
    if not choices or not isinstance(value, str):
        return value
    folded = _folded(value)
    return next((choice for choice in choices if _folded(choice) == folded), value)


def _folded(word: str) -> str:
    return word.strip().lower().replace("_", "-").replace(" ", "-")


def _unknown(name: str, known: Mapping[str, Any]) -> str:
    near = difflib.get_close_matches(name, list(known), n=1)
    if not known:
        return _("there is no argument {name!r}; this tool takes none").format(name=name)
    taken = ", ".join(known)
    if near:
        return _(
            "there is no argument {name!r}; did you mean {near!r}? This tool takes: {taken}"
        ).format(name=name, near=near[0], taken=taken)
    return _("there is no argument {name!r}; This tool takes: {taken}").format(
        name=name, taken=taken
    )


def json_object(name: str, value: Mapping[str, Json] | str | None) -> dict[str, Json]:
    """Return a JSON object that came as such or as text. Raises InvalidValueError."""
    if value is None or (isinstance(value, str) and not value.strip()):
        return {}
    if isinstance(value, str):
        try:
            value = msgspec.json.decode(value)
        except (msgspec.DecodeError, RecursionError) as error:
            raise InvalidValueError(
                _("{name}: it is not JSON ({error})").format(name=name, error=error)
            ) from error
    if not isinstance(value, Mapping):
        raise InvalidValueError(
            _('{name}: it is not a JSON object like {{"category": "preference"}}').format(name=name)
        )
    return dict(value)


def tag_list(value: str | list[str] | None) -> list[str] | None:
    """Return tags that came as a list or as text; None stays None, empty text is no tags."""
    return None if value is None else tags_of(value)


def split_metadata(
    value: Mapping[str, Json] | str | None,
) -> tuple[dict[str, Json], dict[str, Json]]:
    """Return the fields of a record that metadata names, and the keys that stay metadata.

    Raises InvalidValueError.
    """
    metadata = json_object("metadata", value)
    named = {name: metadata.pop(name, None) for name in _FIELDS}
    fields = {name: one for name, one in named.items() if one not in (None, "")}
    for name in ("category", "importance", "source", "temporality"):
        if isinstance(fields.get(name), str):
            fields[name] = fields[name].strip().lower().replace("-", "_")
    if isinstance(fields.get("tier"), str):
        fields["tier"] = _folded(fields["tier"])
    return fields, metadata
