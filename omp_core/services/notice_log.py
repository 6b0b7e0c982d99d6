"""Notice log: what was told to the person already, so that it is said once."""

from __future__ import annotations

import hashlib
import json
import logging
from pathlib import Path

import platformdirs

from omp_core.errors import DocumentError
from omp_core.project.atomic import locked, replace_file
from omp_core.project.confinement import read_regular
from omp_core.settings_files import APP_NAME

_log = logging.getLogger(__name__)

_LOCK_S = 2.0
_MOST_PLACES = 1000
"""Places remembered; the oldest is forgotten, and what it says told again."""


def told_path() -> Path:
    """Return the file that remembers what was told."""
    return platformdirs.user_state_path(APP_NAME) / "told.json"


def first_time(place: str, said: str) -> bool:
    """Return whether `said` was not the last thing told about `place`, and remember it."""
    mark = hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()
    file = told_path()
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with locked(file, _LOCK_S):
            marks = _marks(file)
            if marks.pop(place, None) == mark:
                return False
            marks[place] = mark
            kept = dict(list(marks.items())[-_MOST_PLACES:])
            replace_file(file, json.dumps(kept).encode(), private=True)
    except (OSError, DocumentError) as error:
        _log.warning("cannot remember what was told: %s", error)
    return True


def _marks(file: Path) -> dict[str, str]:
    if not file.exists():
        return {}
    try:
        marks = json.loads(read_regular(file))
    except ValueError as error:
        _log.warning("%s is begun anew: %s", file, error)
        return {}
    return marks if isinstance(marks, dict) else {}
