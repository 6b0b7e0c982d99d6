"""Example files of the formats, laid out as their tools write them."""

from __future__ import annotations

import gzip
import os
import shutil
import zipfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from omp_core.i18n import use_language

EXAMPLES = Path(__file__).parent / "examples"
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
CHANGED = datetime(2026, 2, 20, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    use_language("en")
    yield
    use_language("auto")


@pytest.fixture
def now() -> datetime:
    return NOW


@pytest.fixture
def example(tmp_path: Path) -> Callable[[str], Path]:
    """Copy an example to a place of its own, with fixed times; pack what is packed."""

    def copy(name: str) -> Path:
        source, target = EXAMPLES / name, tmp_path / name
        if name == "openmemory":
            return pack(source, tmp_path / "memories_export_ana.zip")
        if source.is_dir():
            shutil.copytree(source, target)
        else:
            shutil.copyfile(source, target)
        for path in (target, *target.rglob("*")):
            os.utime(path, (CHANGED.timestamp(), CHANGED.timestamp()))
        return target

    return copy


def pack(source: Path, target: Path) -> Path:
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(source / "memories.json", "memories.json")
        logical = (source / "memories.jsonl").read_bytes()
        archive.writestr("memories.jsonl.gz", gzip.compress(logical, mtime=0))
    return target


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str | bytes], Path]:
    """Write a file of a name and content."""

    def to_file(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return to_file
