"""No importer loses what somebody wrote: each word is in a record or in a reported line."""

from __future__ import annotations

import csv
import gzip
import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from omp_core.formats import FORMATS, own, read, saved
from omp_core.model import Record
from omp_core.record_json import to_json

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
Make = Callable[[Path, list[str]], Path]


def written(folder: Path, name: str, text: str) -> Path:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")
    return file


def as_json(name: str, value: Callable[[list[str]], Any]) -> Make:
    return lambda folder, texts: written(folder, name, json.dumps(value(texts)))


def records(texts: list[str]) -> list[Record]:
    return [Record(f"r{place}", text, NOW, NOW) for place, text in enumerate(texts)]


def own_export(folder: Path, texts: list[str]) -> Path:
    stream = io.StringIO()
    own.write(records(texts), stream, NOW)
    return written(folder, "own.jsonl", stream.getvalue())


def own_saved(folder: Path, texts: list[str]) -> Path:
    saved.save(folder / "saved.json", records(texts), NOW)
    return folder / "saved.json"


def openmemory(folder: Path, texts: list[str]) -> Path:
    rows = [
        {
            "id": f"7f10-{place}", "user_id": "u", "app_id": "a", "content": text,
            "metadata": {"note": texts[0]}, "state": "active", "category_ids": ["c"],
            "created_at": "2026-01-04T09:00:00+00:00", "updated_at": None,
        }
        for place, text in enumerate(texts)
    ]  # fmt: skip
    content = {
        "user": {"id": "u", "user_id": "ana"},
        "apps": [{"id": "a", "name": "cursor"}],
        "categories": [{"id": "c", "name": texts[-1]}],
        "memories": rows,
        "memory_categories": [],
        "status_history": [],
        "access_controls": [],
        "export_meta": {"version": "1"},
    }
    target = folder / "memories_export_ana.zip"
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("memories.json", json.dumps(content))
        archive.writestr("memories.jsonl.gz", gzip.compress(b""))
    return target


def lm_mem_sheet(folder: Path, texts: list[str]) -> Path:
    stream = io.StringIO()
    sheet = csv.writer(stream)
    sheet.writerow(["id", "content", "tags", "user_id", "metadata"])
    for place, text in enumerate(texts):
        sheet.writerow([f"r{place}", text, texts[0], "ana", json.dumps({"note": texts[-1]})])
    return written(folder, "lm-mem.csv", stream.getvalue())


def openmemory_plus(folder: Path, texts: list[str]) -> Path:
    memory = folder / "_omp" / "memory"
    memory.mkdir(parents=True)
    with (memory / "user-context.yaml").open("w", encoding="utf-8") as file:
        YAML().dump({"_degraded": True, "pending_memories": [{"text": one} for one in texts]}, file)
    with (memory / "entries.yaml").open("w", encoding="utf-8") as file:
        entries = [
            {"key": f"k{at}", "value": one, "note": texts[0]} for at, one in enumerate(texts)
        ]
        YAML().dump(entries, file)
    written(memory, "context.md", "\n\n".join(texts))
    return folder


def claude_code(folder: Path, texts: list[str]) -> Path:
    memory = folder / "memory"
    for place, text in enumerate(texts):
        head = f"name: n{place}\ndescription: {json.dumps(texts[0])}\nmetadata:\n  type: feedback\n"
        written(memory, f"feedback_{place}.md", f"---\n{head}---\n{text}\n")
    links = [f"- [{text}](feedback_{place}.md) - {text}" for place, text in enumerate(texts)]
    written(memory, "MEMORY.md", "\n".join([*links, f"- [gone](gone.md) - {texts[-1]}", *texts]))
    return memory


def mem0_markdown(folder: Path, texts: list[str]) -> Path:
    blocks = [f"---\nid: m-{at}\ntype: note\n---\n{text}\n" for at, text in enumerate(texts)]
    return written(folder, "mem0-export-shop-2026-03-01.md", "\n".join(blocks))


def basic_memory(folder: Path, texts: list[str]) -> Path:
    listed = "\n".join(
        f"- [{texts[0]}] {one} #tag ({texts[-1]})" if at % 2 else one
        for at, one in enumerate(texts)
    )
    head = f"---\ntitle: {json.dumps(texts[0])}\npermalink: notes/p\n---\n"
    relations = f"\n\n## Relations\n\n- supersedes [[{texts[0]}]] ({texts[-1]})\n"
    return written(folder / "notes", "note.md", head + listed + relations).parent


def in_markdown(name: str) -> Make:
    def make(folder: Path, texts: list[str]) -> Path:
        lines = [f"# {texts[0]}", *(f"- {one}" if at % 2 else one for at, one in enumerate(texts))]
        code = f"```\n{texts[-1]}\n```"
        lead = f"Lead {texts[0]}:\n\n- {texts[-1]}"
        return written(folder, name, "\n\n".join([*lines, code, lead]))

    return make


SHAPES: dict[str, tuple[str, Make]] = {
    "own": ("omp-tui", own_export),
    "saved": ("omp-tui-saved", own_saved),
    "openmemory": ("openmemory", openmemory),
    "doobidoo": (
        "mcp-memory-service",
        as_json(
            "export.json",
            lambda texts: {
                "export_metadata": {"total_memories": len(texts)},
                "memories": [
                    {"content": one, "content_hash": f"h{at}", "tags": [texts[0]],
                     "memory_type": texts[-1], "metadata": {"note": one}}
                    for at, one in enumerate(texts)
                ],
            },
        ),
    ),
    "claude-mem": (
        "claude-mem",
        as_json(
            "claude-mem.json",
            lambda texts: {
                "exportedAtEpoch": 1775044800000,
                "observations": [
                    {"id": at, "memory_session_id": "s1", "project": "shop", "type": "bugfix",
                     "title": texts[0], "subtitle": texts[-1], "narrative": one,
                     "facts": json.dumps([one]), "created_at_epoch": 1774864800000 + at}
                    for at, one in enumerate(texts)
                ],
                "summaries": [{"id": 1, "request": texts[0], "learned": texts[-1]}],
                "sessions": [],
                "prompts": [{"id": 1, "prompt_text": texts[0]}],
            },
        ),
    ),
    "engram": (
        "engram",
        as_json(
            "engram.json",
            lambda texts: {
                "version": "0.1.0",
                "sessions": [{"id": "s1", "project": "shop", "summary": texts[0]}],
                "observations": [
                    {"id": at, "session_id": "s1", "type": "decision", "title": texts[-1],
                     "content": one, "topic_key": f"a/{at}", "created_at": "2026-02-20 09:10:00"}
                    for at, one in enumerate(texts)
                ],
                "prompts": [{"id": 1, "session_id": "s1", "content": texts[0]}],
            },
        ),
    ),
    "lm-mem": (
        "lm-mem",
        as_json(
            "lm-mem.json",
            lambda texts: {"records": [{"id": f"r{at}", "content": one, "tags": texts[0]}
                                       for at, one in enumerate(texts)]},
        ),
    ),
    "lm-mem sheet": ("lm-mem", lm_mem_sheet),
    "mem0": (
        "mem0",
        as_json(
            "mem0.json",
            lambda texts: {"results": [{"id": f"m{at}", "memory": one, "categories": [texts[0]],
                                        "metadata": {"note": texts[-1]}}
                                       for at, one in enumerate(texts)]},
        ),
    ),
    "mcp-memory": (
        "mcp-memory",
        lambda folder, texts: written(
            folder,
            "memory.jsonl",
            json.dumps({"type": "entity", "name": texts[0], "entityType": texts[-1],
                        "observations": texts})
            + "\n"
            + json.dumps({"type": "relation", "from": texts[0], "to": texts[-1],
                          "relationType": "knows"})
            + json.dumps({"name": "glued", "observations": [texts[-1]]})
            + f"\n{{damaged {texts[0]}\n",
        ),
    ),
    "openmemory-plus": ("openmemory-plus", openmemory_plus),
    "claude-code": ("claude-code", claude_code),
    "mem0-markdown": ("mem0-markdown", mem0_markdown),
    "basic-memory": ("basic-memory", basic_memory),
    "json-lines": (
        "json-lines",
        lambda folder, texts: written(
            folder,
            "lines.jsonl",
            "\n".join(json.dumps({"content": one, "note": texts[0]}) for one in texts),
        ),
    ),
    "instructions": ("instructions", in_markdown("AGENTS.md")),
    "markdown": ("markdown", in_markdown("notes.md")),
}  # fmt: skip

word = st.text("abcdefgh中文记忆", min_size=4, max_size=9)
texts_of = st.lists(st.lists(word, min_size=2, max_size=4).map(" ".join), min_size=1, max_size=5)


def test_there_is_a_shape_of_every_format() -> None:
    assert {name for name, _make in SHAPES.values()} == set(FORMATS)


def told(value: Any) -> str:
    """All texts of a value, keys included."""
    if isinstance(value, dict):
        return " ".join(f"{key} {told(one)}" for key, one in value.items())
    if isinstance(value, list | tuple | set | frozenset):
        return " ".join(map(told, value))
    return str(value)


@pytest.mark.parametrize("shape", SHAPES)
@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(texts=texts_of)
def test_every_word_is_in_a_record_or_in_a_reported_line(
    shape: str, texts: list[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    name, make = SHAPES[shape]
    path = make(tmp_path_factory.mktemp("shape"), texts)
    items = list(read(path, name, now=NOW))
    kept = " ".join(
        f"{item.problem or ''} {told(item.notes)} "
        + ("" if item.record is None else told(to_json(item.record)))
        for item in items
    )
    assert [one for text in texts for one in text.split() if one not in kept] == []
    # and as often as it was said: none of two rows that are alike is dropped without a word
    contents = [item.record.content if item.record else item.problem or "" for item in items]
    for text in texts:
        said = sum(" ".join(text.split()) in " ".join(one.split()) for one in contents)
        assert said >= texts.count(text), (text, contents)


def test_a_record_of_ours_comes_back_as_it_was(tmp_path: Path) -> None:
    whole = replace(records(["The tea is in drawer two"])[0], locked=True, tags=frozenset({"tea"}))
    stream = io.StringIO()
    own.write([whole], stream, NOW)
    (item,) = read(written(tmp_path, "own.jsonl", stream.getvalue()), now=NOW)
    assert item.record == whole
