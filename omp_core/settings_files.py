"""Settings files: reading the user's `config.yaml` and what a project's may set over it.

A repository is somebody else's text: its `_omp/config.yaml` sets the few things that
`ProjectSettings` holds, before the user's own, and what else it tries is refused and named
(design, section 3). Reading creates nothing.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import platformdirs

from omp_core.errors import DocumentError, SettingsError
from omp_core.i18n import _
from omp_core.settings import ProjectSettings, Settings

APP_NAME = "omp-tui"
_PREDECESSORS_KEYS = frozenset({"version", "team", "memory"})
"""Sections of openmemory-plus, whose `_omp/config.yaml` has our name: not ours, not wrong."""
MOST_REFUSED = 50
"""So many refused settings are told; more of them say nothing more."""
_SHOWN_KEY = 100
_ABSENT_PROVIDERS = ("qdrant", "chroma", "lancedb")
"""Vector databases that the orchestrator seed names and this version does not have."""


@dataclass(frozen=True, slots=True)
class RefusedSetting:
    """What a project's settings file tried and may not, or got wrong. An empty `key` is the
    whole file."""

    file: Path
    key: str
    reason: str


@dataclass(frozen=True, slots=True)
class ReadSettings:
    """The settings in force, what each file contributes (a later one comes before those above
    it), and what was refused."""

    settings: Settings
    layers: tuple[tuple[Path, Mapping[str, Any]], ...]
    refused: tuple[RefusedSetting, ...]


def user_config_path() -> Path:
    """Return where the user's own settings file may lie."""
    return platformdirs.user_config_path(APP_NAME) / "config.yaml"


def data_path() -> Path:
    """Return the folder of the user store and its backups."""
    return platformdirs.user_data_path(APP_NAME)


def cache_path() -> Path:
    """Return the folder of what can be made again: models, vector matrices."""
    return platformdirs.user_cache_path(APP_NAME)


def preferred_language() -> str:
    """Return the language that the user's own file asks for; `auto` where it cannot be read,
    which reading the settings as a whole reports."""
    own = user_config_path()
    try:
        asked = _read_yaml(own, None).get("language") if own.is_file() else None
    except (SettingsError, OSError):
        return "auto"
    return asked if asked in ("en", "zh") else "auto"


def load_settings(workspace: Path | None = None, *, user_file: Path | None = None) -> Settings:
    """Return the settings in force; see `read_settings`."""
    return read_settings(workspace, user_file=user_file).settings


def read_settings(workspace: Path | None = None, *, user_file: Path | None = None) -> ReadSettings:
    """Read the user's settings, and over them those that a workspace may set.

    `workspace` is the directory that holds `_omp/`. A file that is not there sets nothing.
    Raises SettingsError naming file, key and the nearest known key, for the user's file only:
    what is wrong with a project's is in `refused`.
    """
    own = user_file or user_config_path()
    layers = [(own, _read_yaml(own, None))]
    check_settings(layers[0][1], own)
    refused: tuple[RefusedSetting, ...] = ()
    if workspace is not None:
        omp = workspace / "_omp"
        file = omp / "config.yaml"
        try:
            admitted, refused = project_part(_read_yaml(file, omp), file)
        except SettingsError as error:
            said = _without_file(error, file)
            admitted, refused = {}, (RefusedSetting(file, "", said),)
        layers.append((file, admitted))
    merged: dict[str, Any] = {}
    for _file, layer in layers:
        merged = _overlay(merged, layer)
    return ReadSettings(msgspec.convert(merged, Settings), tuple(layers), refused)


def is_of_project(key: str) -> bool:
    """Return whether a repository may set this key, or something below it."""
    return _model_of(ProjectSettings, tuple(key.split("."))) is not None


def project_part(
    content: Mapping[str, Any], file: Path
) -> tuple[dict[str, Any], tuple[RefusedSetting, ...]]:
    """Return what of a project's settings holds, and what is refused, at most MOST_REFUSED."""
    admitted: dict[str, Any] = {}
    refused: list[RefusedSetting] = []
    for path, value in _leaves(content):
        reason = _reason_against(path, value, file)
        if reason is None:
            admitted = _overlay(admitted, _nested(path, value))
        elif len(refused) < MOST_REFUSED:
            refused.append(RefusedSetting(file, ".".join(path)[:_SHOWN_KEY], reason))
    return admitted, tuple(refused)


def _reason_against(path: tuple[str, ...], value: Any, file: Path) -> str | None:
    """Why a project may not set this; None when it may."""
    layer = _nested(path, value)
    try:
        check_settings(layer, file)
        if _model_of(ProjectSettings, path) is None:
            return _("a repository may not set this; if you want it, set it in {file}").format(
                file=user_config_path()
            )
        msgspec.convert(layer, ProjectSettings)
    except (SettingsError, msgspec.ValidationError) as error:
        return _without_file(error, file)
    return None


def _model_of(model: Any, path: tuple[str, ...]) -> Any:
    """The type of the setting at a path of keys, None when the model has no such key."""
    for key in path:
        if not (isinstance(model, type) and issubclass(model, msgspec.Struct)):
            return None
        types = {field.name: field.type for field in msgspec.structs.fields(model)}
        if key not in types:
            return None
        model = types[key]
    return model


def _leaves(
    content: Mapping[str, Any], above: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], Any]]:
    for key, value in content.items():
        path = (*above, str(key))
        section = _model_of(Settings, path)
        inside = isinstance(section, type) and issubclass(section, msgspec.Struct)
        if isinstance(value, dict) and inside:
            yield from _leaves(value, path)
        else:
            yield path, value


def _nested(path: tuple[str, ...], value: Any) -> dict[str, Any]:
    for key in reversed(path):
        value = {key: value}
    layer: dict[str, Any] = value
    return layer


def _read_yaml(file: Path, folder: Path | None) -> dict[str, Any]:
    """The content of a settings file inside a folder; nothing when there is none."""
    if not file.exists() and not file.is_symlink():
        return {}
    from omp_core.project.source import read_source
    from omp_core.project.yaml.tree import parse, plain

    try:
        content = plain(parse(read_source(file, folder).text, file))
    except DocumentError as error:
        said = _without_file(error, file)
        raise SettingsError(
            _("{file}: cannot be read as settings: {said}").format(file=file, said=said)
        ) from error
    if content is None:
        return {}
    if not isinstance(content, dict):
        raise SettingsError(_("{file}: settings must be a mapping of sections").format(file=file))
    return own_settings(content)


def own_settings(content: Mapping[str, Any]) -> dict[str, Any]:
    """Return a settings file's content without the sections of the predecessor."""
    return {key: value for key, value in content.items() if key not in _PREDECESSORS_KEYS}


def check_settings(layer: Mapping[str, Any], file: Path) -> None:
    """Raise SettingsError if a key is unknown, naming the nearest one, or a value is wrong."""
    _reject_unknown(layer, Settings, file, ())
    semantic = layer.get("semantic")
    provider = semantic.get("provider") if isinstance(semantic, dict) else None
    if provider in _ABSENT_PROVIDERS:
        one, another = (other for other in _ABSENT_PROVIDERS if other != provider)
        raise SettingsError(
            _(
                "{file}: semantic.provider: {provider} is not available in this version, "
                "nor are {one} and {another}; set it to builtin or none"
            ).format(
                file=file,
                provider=provider,
                one=one,
                another=another,
            )
        )
    try:
        msgspec.convert(layer, Settings)
    except msgspec.ValidationError as error:
        raise SettingsError(_("{file}: {error}").format(file=file, error=error)) from error


def _reject_unknown(
    layer: Mapping[str, Any], model: type[msgspec.Struct], file: Path, path: tuple[str, ...]
) -> None:
    sections = {field.name: field.type for field in msgspec.structs.fields(model)}
    for key, value in layer.items():
        if key not in sections:
            raise SettingsError(_unknown_key(key, sections, file, path))
        section = sections[key]
        if (
            isinstance(section, type)
            and issubclass(section, msgspec.Struct)
            and isinstance(value, dict)
        ):
            _reject_unknown(value, section, file, (*path, key))


def _without_file(error: Exception, file: Path) -> str:
    """What an error says after the name of its file; Chinese has a wide colon there."""
    return str(error).removeprefix(f"{file}: ").removeprefix(f"{file}\uff1a")


def _unknown_key(key: str, known: Iterable[str], file: Path, path: tuple[str, ...]) -> str:
    near = difflib.get_close_matches(str(key), list(known), n=1)
    name = ".".join((*path, str(key)))
    if near:
        return _("{file}: unknown setting {name!r}; did you mean {near!r}?").format(
            file=file, name=name, near=near[0]
        )
    return _("{file}: unknown setting {name!r}; known here: {known}").format(
        file=file, name=name, known=", ".join(sorted(known))
    )


def _overlay(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for key, value in over.items():
        below = merged.get(key)
        both_maps = isinstance(below, dict) and isinstance(value, dict)
        merged[key] = _overlay(below, value) if both_maps else value  # type: ignore[arg-type]
    return merged
