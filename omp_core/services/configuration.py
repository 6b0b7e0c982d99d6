"""Settings: which are in force and where each comes from, and changing them in their files."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from omp_core.access import AccessControl
from omp_core.errors import EmbeddingError, InvalidValueError, SettingsError, UsageError
from omp_core.i18n import _
from omp_core.model import Json, Right
from omp_core.project.workspace import Workspace
from omp_core.services.notice_log import first_time
from omp_core.session import Session
from omp_core.settings import EmbedSettings
from omp_core.settings_files import (
    ReadSettings,
    RefusedSetting,
    check_settings,
    is_of_project,
    own_settings,
    read_settings,
    user_config_path,
)

if TYPE_CHECKING:
    from omp_core.project.paths import KeyPath
    from omp_core.project.yaml.file import WriteResult, YamlFile

_OTHER_NAMES = {"semantic.embeddingModel": "embed.model"}
"""Names of the orchestrator seed, and ours."""
_SHORT_NAME_OWNER = "sentence-transformers"
_START = (
    "# Settings of omp-tui for all projects; the few that a project may set come before them.\n"
)


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting in force. `source` is the file that sets it, None for the default."""

    key: str
    value: Json
    source: Path | None


class _UserFolder(Workspace):
    """The folder of the user's own settings, in the place of a workspace's `_omp/`."""

    __slots__ = ()

    @property
    def omp(self) -> Path:
        return self.root

    @property
    def boundary(self) -> Path | None:
        """None: people keep their own settings elsewhere and link to them."""
        return None

    @property
    def backups(self) -> Path:
        return self.root / ".backup"


class ConfigurationService:
    """The part of `Memory` that shows and changes settings.

    What was changed holds for commands and servers that start from then on.
    """

    def __init__(self, session: Session, access: AccessControl) -> None:
        self._session = session
        self._access = access

    @staticmethod
    def key_of(name: str) -> str:
        """Return the key of a setting that may go by its name in the orchestrator seed."""
        return _OTHER_NAMES.get(name, name)

    def settings(self) -> tuple[Setting, ...]:
        """Return every setting as the files have it now. Raises SettingsError."""
        read = self._read()
        layers = [(file, dict(_flat(layer))) for file, layer in read.layers]
        in_force: Json = msgspec.to_builtins(read.settings)
        return tuple(
            Setting(
                key, value, next((file for file, held in reversed(layers) if key in held), None)
            )
            for key, value in _flat(in_force)
        )

    def refused(self) -> tuple[RefusedSetting, ...]:
        """Return what the project's settings file tried and may not, or got wrong.

        Raises SettingsError when the user's own file is wrong.
        """
        return self._read().refused

    def refused_untold(self) -> tuple[RefusedSetting, ...]:
        """Return what `refused` does, the first time that this file says it; then nothing.

        What was told is remembered in the user's state folder; where that cannot be written,
        it is told again.
        """
        refused = self.refused()
        if not refused or self._session.workspace is None:
            return ()
        told = repr([(one.key, one.reason) for one in refused])
        return refused if first_time(str(self._session.workspace.root), told) else ()

    def _read(self) -> ReadSettings:
        workspace = self._session.workspace
        return read_settings(workspace.root if workspace else None)

    def change(
        self, values: Mapping[str, Json], *, unset: Collection[str] = (), user: bool = False
    ) -> WriteResult:
        """Set values by their keys, and go back to the default of others, in one settings file.

        What a project may set goes to the workspace's file, everything else, and with `user`
        all, to the user's own. A text is read as JSON where that fits the setting, else as it
        is. Nothing is written unless the whole file is right. Raises SettingsError for an
        unknown key or a wrong value, UsageError for settings of both kinds at once or where
        there is no workspace, NotFoundError to unset what is not set, DocumentError, and
        AccessDeniedError for an actor whose rights are limited.
        """
        self._access.require_all(Right.CURATE)
        from omp_core.project import values as values_of
        from omp_core.project.paths import parse_path

        document = self._file(user=user or self._are_the_users([*values, *unset]))
        wanted: dict[KeyPath, Json] = {}
        for name, value in values.items():
            key = self.key_of(name)
            typed = _typed(key, value, document.file)
            wanted[parse_path(key)] = self.model(typed) if key == "embed.model" else typed
        gone = [parse_path(self.key_of(name)) for name in unset]

        def changed(content: Json) -> Json:
            for path, value in wanted.items():
                content = values_of.set_value(content, path, value)
            for path in gone:
                content = _without(content, path)
            check_settings(own_settings(content), document.file)
            return content

        return document.write(changed, by=self._session.actor, now=self._session.now())

    def model(self, name: str) -> str:
        """Return the full name of a model that can be had by this name.

        Raises InvalidValueError.
        """
        from omp_core.embed.fastembed_model import download_source
        from omp_core.embed.models import KNOWN_MODELS, known_model

        if name in ("auto", "offline", "hashing") or self._session.settings.embed.model_path:
            return name
        known = known_model(name)
        if known is not None:
            return known.name
        for full in (name, f"{_SHORT_NAME_OWNER}/{name}"):
            try:
                download_source(EmbedSettings(model=full))
            except EmbeddingError:
                continue
            return full
        names = ", ".join(one.name for one in KNOWN_MODELS)
        raise InvalidValueError(
            _(
                "embed.model: fastembed knows no model {name!r}; take auto, offline, "
                "hashing, {names} or another one of fastembed's, or set embed.model_path"
            ).format(name=name, names=names)
        )

    @staticmethod
    def _are_the_users(names: Collection[str]) -> bool:
        """Whether settings belong to the user's own file, and not to a project's."""
        keys = [ConfigurationService.key_of(name) for name in names]
        projects = [key for key in keys if is_of_project(key)]
        if projects and len(projects) < len(keys):
            raise UsageError(
                _(
                    "{projects} are settings of a project and the others yours; set them one "
                    "after the other, or all as your own with --user"
                ).format(projects=", ".join(projects))
            )
        return not projects

    def _file(self, *, user: bool) -> YamlFile:
        from omp_core.project.yaml.file import YamlFile

        settings = self._session.settings.documents
        if user:
            folder = _UserFolder(user_config_path().parent)
            return YamlFile(
                folder, folder.config_file, settings, stamp=False, private=True, start=_START
            )
        workspace = self._session.workspace
        if workspace is None:
            raise UsageError(
                _(
                    "there is no _omp/ in {folder} or above it; `omp-tui init` lays one out, "
                    "--user changes your own settings"
                ).format(folder=Path.cwd())
            )
        return YamlFile(workspace, workspace.config_file, settings, stamp=False)


def _typed(key: str, value: Json, file: Path) -> Json:
    """Return the value of a setting, checked; of a text, what it stands for."""
    from omp_core.project.paths import parse_path
    from omp_core.project.values import set_value

    path = parse_path(key)
    meanings = [value]
    if isinstance(value, str):
        with contextlib.suppress(msgspec.DecodeError):
            meanings.insert(0, msgspec.json.decode(value))
    problems: list[SettingsError] = []
    for meaning in meanings:
        try:
            check_settings(set_value({}, path, meaning), file)
        except SettingsError as error:
            problems.append(error)
        else:
            return meaning
    raise problems[0]


def _without(content: Json, path: KeyPath) -> Json:
    """Return the content without a setting, and without the section if that leaves it empty."""
    from omp_core.project.values import get_value, remove_value

    content = remove_value(content, path)
    above = path[:-1]
    while above and get_value(content, above) == {}:
        content = remove_value(content, above)
        above = above[:-1]
    return content


def _flat(section: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Json]]:
    for name, value in section.items():
        key = f"{above}{name}"
        if isinstance(value, dict) and value:
            yield from _flat(value, f"{key}.")
        else:
            yield key, value
