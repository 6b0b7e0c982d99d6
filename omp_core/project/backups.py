"""The last versions of each document, in `.backup/`: bounded in number, the user's alone."""

from __future__ import annotations

import stat
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from omp_core.errors import NotFoundError
from omp_core.i18n import _
from omp_core.project.atomic import replace_file
from omp_core.project.confinement import is_inside, real_path

_STAMP = "%Y%m%dT%H%M%S.%fZ"


@dataclass(frozen=True, slots=True)
class Backup:
    """A kept version of a document; `number` 1 is the newest."""

    number: int
    file: Path
    at: datetime
    size: int


@dataclass(frozen=True, slots=True)
class BackupFolder:
    """The versions of one document. `name` is the document's, with slashes."""

    root: Path
    name: str
    kept: int

    @property
    def _folder(self) -> Path:
        return self.root / self.name

    def versions(self) -> list[Backup]:
        """Return the kept versions, newest first."""
        if not self._folder.is_dir() or not is_inside(self._folder, self.root):
            return []
        pattern = f"[0-9]*Z{Path(self.name).suffix}"
        found = sorted(self._folder.glob(pattern), key=lambda file: file.name, reverse=True)
        return [
            Backup(number, file, _time_of(file), file.lstat().st_size)
            for number, file in enumerate(filter(_is_plain, found), start=1)
        ]

    def version(self, number: int) -> Backup:
        """Return a version by its number. Raises NotFoundError."""
        versions = self.versions()
        if not 1 <= number <= len(versions):
            said = (
                _("no version {number} of {name}; 1 to {count} are kept in {folder}")
                if versions
                else _("no version {number} of {name}; none is kept in {folder}")
            )
            raise NotFoundError(
                said.format(number=number, name=self.name, count=len(versions), folder=self.root)
            )
        return versions[number - 1]

    def keep(self, raw: bytes, now: datetime) -> Path:
        """Keep a version, and let go of those beyond the bound.

        Raises OSError, and DocumentDamagedError where a link leads out of the folder.
        """
        real_path(self._folder, self.root)
        self._folder.mkdir(parents=True, exist_ok=True)
        self.root.chmod(0o700)
        suffix = Path(self.name).suffix
        stamp = now.astimezone(UTC).strftime(_STAMP)
        newest = self.versions()[:1]
        # Names order the versions, also when a clock goes back.
        while newest and stamp <= newest[0].file.name.removesuffix(suffix):
            later = _time_of(newest[0].file).timestamp() + 1e-6
            stamp = datetime.fromtimestamp(round(later, 6), UTC).strftime(_STAMP)
        file = self._folder / f"{stamp}{suffix}"
        replace_file(file, raw, private=True)
        for old in self.versions()[max(self.kept, 1) :]:
            old.file.unlink(missing_ok=True)
        return file


def _is_plain(file: Path) -> bool:
    return stat.S_ISREG(file.lstat().st_mode)


def _time_of(file: Path) -> datetime:
    stamp = file.name[: file.name.index("Z") + 1]
    return datetime.strptime(stamp, _STAMP).replace(tzinfo=UTC)
