"""Where the project's memory lies: finding `_omp/`, naming its parts, laying it out."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from omp_core.assets import assets_path
from omp_core.caller import home_directory, may_be_project
from omp_core.errors import DocumentError, NotFoundError, UsageError
from omp_core.i18n import _
from omp_core.project.confinement import real_path

FOLDER = "_omp"
_SCHEMAS = Path(__file__).parent / "schema"
_RENAMED = {"gitignore": ".gitignore", "gitkeep": ".gitkeep"}


@dataclass(frozen=True, slots=True)
class Workspace:
    """The directory that holds `_omp/`, and the names of what lies in it."""

    root: Path

    @property
    def omp(self) -> Path:
        return self.root / FOLDER

    @property
    def boundary(self) -> Path | None:
        """The folder that no file of the workspace may lead out of."""
        return self.omp

    @property
    def config_file(self) -> Path:
        return self.omp / "config.yaml"

    @property
    def memory(self) -> Path:
        return self.omp / "memory"

    @property
    def project_file(self) -> Path:
        return self.memory / "project.yaml"

    @property
    def decisions_file(self) -> Path:
        return self.memory / "decisions.yaml"

    @property
    def changelog_file(self) -> Path:
        return self.memory / "changelog.yaml"

    @property
    def sessions(self) -> Path:
        return self.memory / "sessions"

    def session_file(self, day: date) -> Path:
        """Return the episode file of a day."""
        return self.sessions / f"{day.isoformat()}.yaml"

    @property
    def themes(self) -> Path:
        return self.memory / "themes"

    @property
    def theme_index(self) -> Path:
        return self.themes / "index.yaml"

    @property
    def theme_embeddings(self) -> Path:
        return self.themes / "embeddings.json"

    @property
    def pending_file(self) -> Path:
        """What waits for the user store; the file exists only while something waits."""
        return self.memory / "user-context.yaml"

    @property
    def schemas(self) -> Path:
        return self.memory / "schema"

    @property
    def backups(self) -> Path:
        return self.memory / ".backup"

    def name_of(self, file: Path) -> str:
        """Return the file's name inside the memory folder, with slashes.

        Raises UsageError when it lies elsewhere.
        """
        try:
            return file.absolute().relative_to(self.memory.absolute()).as_posix()
        except ValueError as error:
            raise UsageError(
                _("{file} does not lie in {folder}").format(file=file, folder=self.memory)
            ) from error

    def document(self, name: str | Path) -> Path:
        """Return the document of that name: `project`, `sessions/2026-02-02.yaml` or a path.

        Raises NotFoundError when there is no such file in the memory folder.
        """
        given = Path(name)
        candidates = [self.memory / given, given.absolute()]
        if not given.suffix:
            candidates.insert(0, self.memory / f"{name}.yaml")
        for candidate in candidates:
            if candidate.is_file() and candidate.resolve().is_relative_to(self.memory.resolve()):
                return candidate
        raise NotFoundError(
            _("no document {name!r} in {folder}").format(name=str(name), folder=self.memory)
        )


def find_workspace(start: Path) -> Workspace | None:
    """Return the nearest workspace at or above `start`, or None.

    The root of the file system and the home directory are never one.
    """
    home = home_directory()
    for folder in (start.absolute(), *start.absolute().parents):
        if (folder / FOLDER).is_dir() and may_be_project(folder, home):
            return Workspace(folder)
    return None


def init_workspace(root: Path) -> list[Path]:
    """Lay out `_omp/` under `root` and return the files made.

    Documents, the agent skill pack, schemas and a `.gitignore`. What exists stays as it is.
    Raises UsageError for a directory that is never a project, DocumentError when the system
    refuses.
    """
    workspace = Workspace(root.absolute())
    if not may_be_project(workspace.root, home_directory()):
        raise UsageError(
            _("{directory} is never a project; name the directory of one").format(directory=root)
        )
    created = []
    for source, target in _layout(workspace):
        if os.path.lexists(target):
            continue
        real_path(target, workspace.omp)  # a link out of it would be followed
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
            if target.suffix == ".sh":
                target.chmod(0o755)
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise DocumentError(
                _(
                    "{target}: cannot be made: {reason}. Mend that and run init again; what "
                    "was made so far stays"
                ).format(target=target, reason=reason)
            ) from error
        created.append(target)
    return created


def _layout(workspace: Workspace) -> Iterator[tuple[Path, Path]]:
    pack = assets_path("skill_pack")
    for source in sorted(pack.rglob("*")):
        if source.is_file():
            target = workspace.omp / source.relative_to(pack)
            yield source, target.with_name(_RENAMED.get(target.name, target.name))
    for source in sorted(_SCHEMAS.glob("*.schema.json")):
        yield source, workspace.schemas / source.name
