"""The log file: where traces go, so that neither stdout nor the screen is torn."""

from __future__ import annotations

import logging
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Any

import platformdirs

from omp_core.private_files import private_file, private_folder, tighten
from omp_core.settings_files import APP_NAME

_MEGABYTE = 1_000_000


def log_path() -> Path:
    """Return the file that the log goes to."""
    return platformdirs.user_log_path(APP_NAME) / "omp-tui.log"


def log_to_file(level: int = logging.INFO) -> None:
    """Send every library's log to the log file and nowhere else.

    The file comes into being, private to the user, with the first entry.
    """
    handler = _PrivateFile(log_path(), maxBytes=_MEGABYTE, backupCount=3, delay=True)
    handler.setFormatter(_Clean("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    logging.captureWarnings(True)


class _Clean(logging.Formatter):
    """Lets no secret and no control character through: a trace may quote what somebody typed in
    the wrong place, or the name of a file that a terminal would obey.
    """

    def format(self, record: logging.LogRecord) -> str:
        from omp_core.language.terminal import visible
        from omp_core.secrets import redact, scan

        text = visible(super().format(record))
        found = scan(text)
        return redact(text, found) if found else text


class _PrivateFile(RotatingFileHandler):
    def _open(self) -> Any:
        path = Path(self.baseFilename)
        private_folder(path.parent)
        private_file(path)
        tighten(path.parent)
        return super()._open()
