"""Whose memory this is, and of which project: `user_id` and `app_id`.

The rules are the memory skill's, so that every agent comes to the same names: the user is
`git config user.name` or else the login, as it stands; the project is `<group>_<repo>` of the
remote `origin`, else the name of the repository's top folder, else that of the directory. The
worktrees of one repository are one project: that of their common git directory.
"""

from __future__ import annotations

import getpass
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from omp_core.errors import UsageError
from omp_core.i18n import _
from omp_core.settings import Settings

_GIT_TIMEOUT_S = 5.0
_URL = re.compile(r"^[a-z][a-z0-9+.-]*://[^/]+/(?P<path>.+)$", re.IGNORECASE)
_SCP_LIKE = re.compile(r"^(?:[^/@\s]+@)?[^/:\s]{2,}:(?!/?/)(?P<path>.+)$")


@dataclass(frozen=True, slots=True)
class Identity:
    """The resolved ids, and where each came from."""

    user_id: str
    user_id_from: Literal["settings", "git", "login"]
    app_id: str | None
    app_id_from: Literal["settings", "remote", "repository", "directory", "none"]


def resolve_identity(directory: Path | None, settings: Settings | None = None) -> Identity:
    """Return the ids that hold in `directory`. Settings come first; git may be missing.

    Without a directory there is no project: `app_id` is None unless the settings name one.
    """
    settings = settings or Settings()
    git_name = git_says(directory or Path(os.sep), "config", "user.name")
    user: tuple[str, Literal["settings", "git", "login"]]
    if settings.user_id:
        user = (settings.user_id, "settings")
    elif git_name:
        user = (git_name, "git")
    else:
        user = (login_name(), "login")
    app = _project(directory, settings)
    return Identity(user[0], user[1], app[0], app[1])


def _project(
    directory: Path | None, settings: Settings
) -> tuple[str | None, Literal["settings", "remote", "repository", "directory", "none"]]:
    if settings.app_id:
        return settings.app_id, "settings"
    if directory is None:
        return None, "none"
    remote = app_id_of_remote(git_says(directory, "remote", "get-url", "origin") or "")
    if remote:
        return remote, "remote"
    repository = _repository_name(directory)
    if repository:
        return repository, "repository"
    return directory.absolute().name, "directory"


def _repository_name(directory: Path) -> str | None:
    """The name of the folder that all worktrees of a repository share, None outside of one."""
    said = git_says(directory, "rev-parse", "--git-common-dir")
    if said is None:
        return None
    common = (directory / said).resolve()
    if common.name == ".git":
        return common.parent.name
    if ".git" in common.parts:  # a submodule's, inside that of the repository around it
        top = git_says(directory, "rev-parse", "--show-toplevel")
        return Path(top).name if top else None
    return common.name.removesuffix(".git")  # a bare repository


def app_id_of_remote(url: str) -> str | None:
    """Return `<group>_<repo>` of a remote's address, or None when it names no host.

    The path of a remote on this machine differs from clone to clone, so it names nothing.
    """
    url = url.strip()
    if url.lower().startswith("file:"):
        return None
    match = _URL.match(url) or _SCP_LIKE.match(url)
    if match is None:
        return None
    path = match["path"].strip("/").removesuffix(".git").strip("/")
    return path.replace("/", "_") or None


def login_name() -> str:
    """Return the login: `$USER`, on Windows `%USERNAME%`, else what the system says.

    Raises UsageError when the system has no name either, as in some containers.
    """
    variable = "USERNAME" if sys.platform == "win32" else "USER"
    if os.environ.get(variable):
        return os.environ[variable]
    try:
        return getpass.getuser()
    except (ImportError, KeyError, OSError) as error:
        raise UsageError(
            _("nothing says who you are: set user_id in the settings, git's user.name, or USER")
        ) from error


def git_says(directory: Path, *arguments: str) -> str | None:
    """Return what git answers in a directory, None when it fails or is not there."""
    try:
        done = subprocess.run(
            # a folder of a clone that looks like a bare repository says nothing about us
            ["git", "-c", "safe.bareRepository=explicit", *arguments],
            cwd=directory,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=_GIT_TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.rstrip("\r\n") or None if done.returncode == 0 else None
