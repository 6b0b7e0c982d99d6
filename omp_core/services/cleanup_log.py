"""`memory-cleanup.log`: in plain text, what the rules moved, archived or removed, and why."""

from __future__ import annotations

import os
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

from omp_core.errors import StoreError
from omp_core.i18n import _
from omp_core.language.headline import headline
from omp_core.model import Tier
from omp_core.private_files import tighten

LOG_FILE = "memory-cleanup.log"


def cleanup_log(store_path: Path) -> Path:
    """Return the log of a store; it lies beside it."""
    return store_path.with_name(LOG_FILE)


def log_line(record_id: str, content: str, tier: Tier, became: str, reason: str) -> str:
    """Return the line about one record; `became` is like `-> long-term` or `archived`."""
    return f"{record_id} {tier} {became} ({reason}) {headline(content)}"


def write_cleanup_log(path: Path, act_id: str, at: datetime, lines: Iterable[str]) -> None:
    """Append lines about one act. Raises StoreError; the act itself is journalled already."""
    moment = at.isoformat(timespec="seconds")
    text = "".join(f"{moment} {act_id} {line}\n" for line in lines)
    try:
        descriptor = os.open(path, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600)
        tighten(path)
        with os.fdopen(descriptor, "a", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise StoreError(
            _(
                "{path}: the moves were made and journalled (act {act_id}), but the text "
                "log was not written: {reason}. Check the permissions and the space "
                "there."
            ).format(path=path, act_id=act_id, reason=error.strerror)
        ) from error
