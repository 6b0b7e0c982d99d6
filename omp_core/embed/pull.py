"""Downloading a model: the only thing here that uses the network, and only when asked to.

The download runs in a process of its own, because the hub's client can neither be stopped
while it waits for the network nor be kept from writing to the terminal.
"""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from typing import IO

from omp_core.embed.fastembed_model import download_source
from omp_core.embed.models import OPTIONAL_FILES, TOKENIZER_FILES, models_folder
from omp_core.errors import EmbeddingError
from omp_core.i18n import _
from omp_core.settings import EmbedSettings

Progress = Callable[[int, int], None]
"""Told the bytes that are there and the bytes that there will be."""

_POLL_S = 0.1


def pull(
    settings: EmbedSettings,
    progress: Progress | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> bool:
    """Download the model that `settings` name into the models folder; False when cancelled.

    Blocks: call it from a worker. What came in before stays, so that the next pull goes on
    from there. `auto` is the default model. Raises EmbeddingError when the model has no
    download or the download fails.
    """
    repository, needed = download_source(settings)
    order = {
        "repository": repository,
        "folder": str(models_folder(settings)),
        "needed": [*needed, *TOKENIZER_FILES],
        "optional": list(OPTIONAL_FILES),
    }
    command = [sys.executable, "-m", "omp_core.embed.download", json.dumps(order)]
    with (
        tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as complaints,
        subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=complaints,
            text=True,
        ) as process,
    ):
        try:
            finished = _follow(process, progress, cancelled)
        finally:
            if process.poll() is None:
                process.kill()
        if not finished:
            return False
        if process.wait() != 0:
            complaints.seek(0)
            lines = [line.strip() for line in complaints if line.strip()]
            reason = (
                lines[-1]
                if lines
                else _("the download ended with code {code}").format(code=process.returncode)
            )
            raise EmbeddingError(
                _(
                    "{repository}: the download failed ({reason}); check the network and pull again"
                ).format(repository=repository, reason=reason)
            )
    return True


def _follow(
    process: subprocess.Popen[str],
    progress: Progress | None,
    cancelled: Callable[[], bool] | None,
) -> bool:
    """Pass on what the process reports; return False as soon as it shall be cancelled."""
    assert process.stdout is not None
    lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
    reader = threading.Thread(target=_read_lines, args=(process.stdout, lines), daemon=True)
    reader.start()
    while True:
        if cancelled is not None and cancelled():
            return False
        try:
            line = lines.get(timeout=_POLL_S)
        except queue.Empty:
            continue
        if line is None:
            return True
        if progress is not None:
            done, total = line.split()
            progress(int(done), int(total))


def _read_lines(stream: IO[str], lines: queue.SimpleQueue[str | None]) -> None:
    for line in stream:
        lines.put(line)
    lines.put(None)
