"""Conversations as files and as streams."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from omp_core.i18n import use_language


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    use_language("en")
    yield
    use_language("auto")


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str | bytes], Path]:
    """Write a file of a name and content."""

    def to_file(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return to_file


@pytest.fixture
def write_lines(write: Callable[[str, str | bytes], Path]) -> Callable[..., Path]:
    """Write a JSON lines file of values; texts go in as they are."""

    def to_file(*values: Any) -> Path:
        lines = [
            value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            for value in values
        ]
        return write("session.jsonl", "\n".join(lines) + "\n")

    return to_file
