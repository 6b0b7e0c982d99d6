"""Memories to look at, made in a folder that is thrown away: the same at every making."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import NoReturn

from omp_core.demo import demo_settings, demo_themes, make_demo
from omp_core.errors import StoreUnavailableError
from omp_core.i18n import _
from omp_core.memory import Memory
from omp_core.model import Query, Record
from omp_core.settings import EmbedSettings, Settings

SAMPLE_TIME = datetime(2026, 3, 2, 14, 32, 8, tzinfo=UTC)
"""What the clock of every sample shows."""
_PROJECT = "shop-api"
_DAMAGED = "changelog.yaml"
_THEMES = 12
_ALL = 1_000
_WAITING = (
    "用户偏好：回复使用中文",
    "The staging database is restored from production every Monday",
    "Prefers two spaces of indentation in YAML",
)
"""What was written in the degraded sample while its store was away."""


class Sample(StrEnum):
    """What there is to look at."""

    EMPTY = "empty"
    """Neither a project nor memories."""
    DEMO = "demo"
    """The memory of an invented project."""
    DEGRADED = "degraded"
    """The same with the store away, three memories that wait for it, and a damaged document."""


@contextmanager
def sample_memory(sample: Sample) -> Iterator[Memory]:
    """Make a sample in a temporary folder, open it, and throw it away at the end.

    Its clock stands at `SAMPLE_TIME`, and its vectors come from the built-in model, whatever
    is installed.
    """
    with tempfile.TemporaryDirectory(prefix="omp-tui-", ignore_cleanup_errors=True) as folder:
        root = Path(folder) / _PROJECT
        make_sample(sample, root)
        with open_sample(sample, root) as memory:
            yield memory


def make_sample(sample: Sample, root: Path) -> None:
    """Lay a sample out in a new folder. Raises UsageError when something is there already."""
    if sample is Sample.EMPTY:
        root.mkdir(parents=True)
        return
    make_demo(root, SAMPLE_TIME)
    moment = (SAMPLE_TIME - timedelta(days=1)).timestamp()
    for written in root.glob("_omp/**/*.yaml"):
        os.utime(written, (moment, moment))
    with open_sample(Sample.DEMO, root, actor="system") as memory:
        memory.embedding.embed_missing()
        active = {record.id: record for record in memory.list(Query(), limit=_ALL).records}
        for label, members in _groups(active):
            memory.themes.move(members, None, label=label)
    if sample is Sample.DEGRADED:
        with (root / "_omp" / "memory" / _DAMAGED).open("a", encoding="utf-8") as document:
            document.write("\tunreleased: [\n")
        with open_sample(sample, root, actor="agent:codex") as memory:
            for text in _WAITING:
                memory.add(text)


def _groups(active: Mapping[str, Record]) -> list[tuple[str, list[str]]]:
    """Return the biggest of the demo's themes: the built-in model finds none by itself.

    Records of different users or projects share none.
    """
    members: dict[tuple[str, str], list[str]] = {}
    for record_id, theme in demo_themes(SAMPLE_TIME).items():
        if (record := active.get(record_id)) is not None:
            members.setdefault((theme, str(record.scope.app_id)), []).append(record_id)
    biggest = sorted(members.items(), key=lambda group: (-len(group[1]), group[0]))[:_THEMES]
    return [(label.replace("_", " "), ids) for (label, _app), ids in biggest]


def open_sample(sample: Sample, root: Path, actor: str = "user") -> Memory:
    """Open a sample that was laid out in a folder."""
    settings = demo_settings(root, Settings(embed=EmbedSettings(model="hashing")))
    return Memory.open(
        workspace=root,
        store=root / "store.db",
        settings=settings,
        actor=actor,
        clock=lambda: SAMPLE_TIME,
        open_store=_away if sample is Sample.DEGRADED else None,
    )


def _away(path: Path, workspace: str, settings: Settings) -> NoReturn:
    raise StoreUnavailableError(
        _("{path}: the store is gone or out of reach.").format(path=path.name)
    )
