"""What comes from personal records stays out of the project's repository, whoever looks."""

from __future__ import annotations

import base64
import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click
import numpy as np
import pytest

import omp_core.mcp.tools  # noqa: F401 - fills TOOLS
from omp_core.cli import cli
from omp_core.embed.protocol import Embedder
from omp_core.errors import OmpError
from omp_core.mcp.registry import TOOLS, Call
from omp_core.memory import Memory
from omp_core.model import Scope

MARK = "quixotry"
TEXTS = (
    f"The {MARK} divorce hearing with Martin is on Tuesday",
    f"Takes antidepressants every morning, {MARK} dose",
    f"每天晚上练习{MARK}钢琴，准备去看心理医生",
    f"Saves for the {MARK} flat in Lisbon, 900 euros a month",
    f"Martin and the lawyer talk about the {MARK} divorce again",
)
OTHER = Scope(user_id="ana", app_id="another_project")

Run = Callable[..., Any]


def commands(command: click.Command, *path: str) -> Iterator[str]:
    """Yield the name of each command there is, with those of its groups before it."""
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            yield from commands(inner, *path, name)
    else:
        yield " ".join(path)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A project with facts of its own; the store and everything private lie outside it."""
    root = tmp_path / "repository"
    memory = root / "_omp" / "memory"
    memory.mkdir(parents=True)
    (memory / "project.yaml").write_text(
        "project:\n  database: PostgreSQL 16\n  tests: pytest with coverage\n", "utf-8"
    )
    return root


@pytest.fixture
def personal(tmp_path: Path, repository: Path, embedder: Embedder) -> Iterator[Memory]:
    """A memory full of marked texts, with a model, opened in the repository."""
    memory = Memory.open(
        workspace=repository,
        store=tmp_path / "private" / "store.db",
        load_embedder=lambda _settings: embedder,
    )
    for at, text in enumerate(TEXTS):
        scope = (Scope(user_id="ana"), OTHER, Scope(), Scope(agent_id="codex"))[at % 4]
        memory.add(text, scope=scope, force=True, tags=[f"{MARK}tag"])
    yield memory
    memory.close()


@pytest.fixture
def omp_there(omp: Run, tmp_path: Path, repository: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    def run(*words: str, code: int | None = None, stdin: str | None = None) -> Any:
        monkeypatch.chdir(repository)
        place = ["--workspace", str(repository), "--store", str(tmp_path / "private" / "store.db")]
        from click.testing import CliRunner

        return CliRunner().invoke(cli, [*words, *place], input=stdin)

    return run


def leaks(repository: Path, memory: Memory) -> list[str]:
    """Return the files under the repository that hold a marked text, its id or its vector."""
    records = [r for r in memory.export() if MARK in r.content]
    assert records
    embedder = memory._availability.embedder()
    assert embedder is not None
    vectors = memory._availability.store().vectors(embedder.model_id, [r.id for r in records])
    assert vectors
    wanted = [MARK.encode(), *(record.id.encode() for record in records)]
    for vector in vectors.values():
        raw = np.asarray(vector, "<f4").tobytes()
        # Base64 of what begins at any of three places has these inner parts in common.
        wanted += [raw[:16], *(base64.b64encode(raw[at : at + 48])[:60] for at in (0, 1, 2))]
    return [
        str(file.relative_to(repository))
        for file in sorted(repository.rglob("*"))
        if file.is_file() and any(one in file.read_bytes() for one in wanted)
    ]


def test_no_command_tool_or_look_publishes_a_personal_text(
    repository: Path, personal: Memory, omp_there: Run, tmp_path: Path
) -> None:
    outside = tmp_path / "elsewhere"
    outside.mkdir()
    record = next(r for r in personal.export() if MARK in r.content)
    personal.themes.list()
    theme = next(r.theme for r in personal.themes.list().rows if r.theme.scope != Scope())
    talk = outside / "talk.txt"
    talk.write_text(f"user: I always take the {MARK} tram.\nassistant: Noted.\n", "utf-8")
    lines: dict[str, list[str]] = {
        "init": ["."],
        "add": [f"Reads {MARK} novels at night", "--user", "ana"],
        "show": [record.id],
        "search": [f"{MARK} divorce", "--level", "all"],
        "update": [record.id, "--content", f"Takes the {MARK} train at eight"],
        "delete": [record.id],
        "import": [str(outside / "saved.json")],
        "extract": [str(talk)],
        "resolve": [record.id, "nothing", "current"],
        "pending discard": [record.id],
        "pending edit": [record.id, "--content", f"{MARK} edited"],
        "pending merge": [record.id, record.id],
        "restore": ["--yes"],
        "themes dissolve": [theme.id],
        "themes mark": [record.id, record.id, "apart"],
        "themes merge": [theme.id, theme.id],
        "themes move": [record.id, "--label", f"{MARK} label"],
        "themes pin": [theme.id],
        "themes rename": [theme.id, f"{MARK} name"],
        "themes show": [theme.id],
        "themes split": [theme.id],
        "model use": ["offline"],
        "save": [str(outside / "saved.json")],
        "load": [str(outside / "saved.json")],
        "fact set": ["project.language", "Python"],
        "fact unset": ["project.language"],
        "decision add": ["--title", "Runner", "--choice", "pytest"],
        "changelog add": ["Released"],
        "session add": ["--summary", "Wrote tests"],
        "session error": ["The build failed"],
    }
    known = set(commands(cli)) - {"mcp", "model pull"}
    for name in sorted(known, key=lambda name: (name in ("restore", "load", "delete"), name)):
        omp_there(*name.split(), *lines.get(name, []))
    assert lines.keys() <= known
    assert leaks(repository, personal) == []

    given: dict[str, Any] = {
        "content": f"Sings in the {MARK} choir", "text": f"Sings in the {MARK} choir", "user_id":
        "ana", "query": MARK, "mem_id": record.id, "memory_id": record.id, "conversation":
        f"user: I prefer {MARK} tea.", "memory_ids": [record.id],
        "data": "[]", "entity_type": "user", "entity_id": "nobody",
    }  # fmt: skip
    call = Call(personal, contextlib.nullcontext, lambda: None)
    done = 0
    for name in sorted(TOOLS, key=lambda name: ("delete" in name, name)):
        tool = TOOLS[name]
        fields = tool.reader.schema["properties"]
        with contextlib.suppress(OmpError):
            tool.answer(call, {key: value for key, value in given.items() if key in fields})
            done += 1
    assert done > len(TOOLS) // 2
    personal.add(TEXTS[0], scope=Scope(user_id="ana"), force=True)
    personal.overview()
    personal.themes.rebuild()
    personal.warm()
    assert leaks(repository, personal) == []


def test_themes_of_the_project_lie_in_its_repository_and_the_rest_beside_the_store(
    repository: Path, personal: Memory, tmp_path: Path
) -> None:
    app = personal.scope.app_id
    shared = personal.add("The build runs on GitHub Actions", scope=Scope(app_id=app)).id
    rows = personal.themes.list().rows
    assert {row.theme.scope for row in rows} >= {Scope(app_id=app), OTHER, Scope(user_id="ana")}
    published = (repository / "_omp" / "memory" / "themes" / "index.yaml").read_text("utf-8")
    private = (tmp_path / "private" / "store.themes" / "index.yaml").read_text("utf-8")
    assert shared in published
    assert "project:project.yaml" in published
    assert shared not in private
    assert all(r.id in private for r in personal.export() if MARK in r.content)
    assert leaks(repository, personal) == []


def test_what_an_earlier_layout_published_is_taken_back(
    repository: Path, personal: Memory, tmp_path: Path
) -> None:
    theme = next(r.theme for r in personal.themes.list().rows if r.theme.scope == OTHER)
    personal.themes.rename(theme.id, f"{MARK} matters")
    facts = [r.theme for r in personal.themes.list().rows if r.theme.scope.user_id is None]
    personal.close()
    private = tmp_path / "private" / "store.themes"
    shared = repository / "_omp" / "memory" / "themes"
    kept = repository / "_omp" / "memory" / ".backup" / "themes" / "index.yaml"
    kept.mkdir(parents=True, exist_ok=True)
    mine = (private / "index.yaml").read_text("utf-8")
    head, _themes, tail = mine.partition("themes:\n")
    theirs = (shared / "index.yaml").read_text("utf-8").partition("themes:\n")[2]
    both = head + "themes:\n" + theirs.partition("must_link")[0] + tail
    (shared / "index.yaml").write_text(both, "utf-8")
    (shared / "embeddings.json").write_bytes((private / "embeddings.json").read_bytes())
    (kept / "20260101T000000.000000Z.yaml").write_text(both, "utf-8")
    for file in private.iterdir():
        if file.is_file():
            file.unlink()
    assert leaks(repository, personal)

    shown = personal.themes.list()
    assert any("history of the repository" in note for note in shown.notes)
    assert leaks(repository, personal) == []
    assert personal.themes.show(f"{MARK} matters").row.theme.pinned
    rows = {row.theme.id for row in personal.themes.list().rows}
    assert {one.id for one in facts if one.scope.app_id} <= rows
    assert list((private / ".backup" / "index.yaml").iterdir())
    assert not any("history" in note for note in personal.themes.list().notes)
