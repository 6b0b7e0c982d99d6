"""A project of its own for each step, with a clock that only a step moves."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from omp_core.embed import choose_embedder
from omp_core.embed.protocol import Embedder
from omp_core.memory import Memory
from omp_core.model import Speaker, Turn
from omp_core.services.extraction import Extracted
from omp_core.settings import EmbedSettings, Settings

START = datetime(2026, 2, 2, 10, 30, tzinfo=UTC)


class Project:
    """A workspace, and what is said in it."""

    def __init__(self, root: Path, embedder: Embedder | None) -> None:
        self.root, self.now = root, START
        self.memory = Memory.open(
            workspace=root,
            store=root / "store.db",
            settings=Settings(user_id="ana", app_id="acme_shop"),
            clock=lambda: self.now,
            load_embedder=lambda _settings: embedder,
        )
        self.memory.init_workspace(root)

    @property
    def folder(self) -> Path:
        return self.root / "_omp" / "memory"

    def forward(self, **by: float) -> None:
        self.now += timedelta(**by)

    def writes(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text, "utf-8")

    def text(self, name: str = "project.yaml") -> str:
        return (self.folder / name).read_text("utf-8")

    def read(self, name: str = "project.yaml") -> Any:
        return YAML(typ="safe", pure=True).load(self.text(name)) or {}

    def says(self, *said: str, by: Speaker = "user", dry_run: bool = False) -> Extracted:
        """Let sentences be said, one a minute, in one conversation, and extract them."""
        turns = [
            Turn(by, text, self.now + timedelta(minutes=number), str(number + 1), "session-001")
            for number, text in enumerate(said)
        ]
        return self.memory.extraction.extract(turns, dry_run=dry_run)


@pytest.fixture(scope="session")
def model() -> Embedder:
    """The packaged model, loaded once."""
    return choose_embedder(EmbedSettings(model="offline"))


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Project]:
    """A project without a model."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    made = Project(tmp_path, None)
    yield made
    made.memory.close()


@pytest.fixture
def modelled(tmp_path: Path, model: Embedder, monkeypatch: pytest.MonkeyPatch) -> Iterator[Project]:
    """A project whose memories have vectors."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    made = Project(tmp_path, model)
    yield made
    made.memory.close()
