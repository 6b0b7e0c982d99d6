"""Our own export gives back what went in."""

from __future__ import annotations

import io
import json
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from omp_core.errors import FormatError
from omp_core.formats import detect, own, read
from omp_core.model import (
    Category,
    Dispute,
    DisputeKind,
    Home,
    Importance,
    Record,
    Scope,
    Source,
    Stamp,
    Status,
    Temporality,
    Tier,
)

Write = Callable[[str, str | bytes], Path]
NOW = datetime(2026, 3, 1, tzinfo=UTC)

TEXT = st.text(st.characters(exclude_categories=["Cs"]))
NAME = TEXT.filter(str.strip)
OWNER = st.none() | NAME
TIME = st.datetimes(timezones=st.just(UTC))
JSON: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
DISPUTE = st.builds(
    Dispute,
    id=NAME,
    field=TEXT,
    kind=st.sampled_from(DisputeKind),
    current=JSON,
    incoming=JSON,
    current_actor=TEXT,
    incoming_actor=TEXT,
    current_at=TIME,
    incoming_at=TIME,
    base_version=st.integers(0, 1000),
    confidence=st.floats(0, 1),
    other_id=st.none() | NAME,
    set_aside=st.booleans(),
)
RECORD = st.builds(
    Record,
    id=NAME,
    content=NAME,
    created_at=TIME,
    updated_at=TIME,
    tier=st.sampled_from(Tier),
    scope=st.builds(Scope, OWNER, OWNER, OWNER, OWNER),
    category=st.sampled_from(Category),
    importance=st.sampled_from(Importance),
    source=st.sampled_from(Source),
    confidence=st.floats(0, 1),
    temporality=st.sampled_from(Temporality),
    tags=st.frozensets(TEXT, max_size=4),
    metadata=st.dictionaries(TEXT, JSON, max_size=3),
    expires_at=st.none() | TIME,
    status=st.sampled_from(Status),
    superseded_by=st.none() | NAME,
    episode=st.none() | NAME,
    version=st.integers(1, 1_000_000),
    stamps=st.dictionaries(
        TEXT, st.builds(Stamp, version=st.integers(1, 1000), actor=TEXT, at=TIME), max_size=3
    ),
    disputes=st.lists(DISPUTE, max_size=2).map(tuple),
    last_accessed=st.none() | TIME,
    access_count=st.integers(0, 1_000_000),
    home=st.sampled_from(Home),
)


@settings(deadline=None)
@given(st.lists(RECORD, max_size=4))
def test_round_trip(records: list[Record]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "export.jsonl"
        with path.open("w", encoding="utf-8", newline="\n") as file:
            assert own.write(iter(records), file, NOW) == len(records)
        assert detect(path).name == own.NAME
        items = list(read(path, now=NOW))
    assert [item.record for item in items] == records
    assert all(item.problem is None and item.notes == () for item in items)


def exported(*records: Record) -> str:
    file = io.StringIO()
    own.write(records, file, NOW)
    return file.getvalue()


ONE = Record("a", "端口是 8080", NOW, NOW)
TWO = Record("b", "two", NOW, NOW)


def test_shape_of_the_file() -> None:
    first, second, last = map(json.loads, exported(ONE).splitlines())
    assert first["omp_tui_export"] == 1
    assert first["exported_at"] == "2026-03-01T00:00:00Z"
    assert second["content"] == ONE.content
    assert last == {"omp_tui_export_end": 1}
    assert "端口" in exported(ONE)


def test_records_are_streamed() -> None:
    def records() -> Any:
        yield ONE
        assert ONE.content in file.getvalue()
        yield TWO

    file = io.StringIO()
    assert own.write(records(), file, NOW) == 2


def test_cut_off_export_is_known_as_such(write: Write) -> None:
    lines = exported(ONE, TWO).splitlines()
    items = list(read(write("a.jsonl", "\n".join(lines[:-1])), now=NOW))
    assert [item.record for item in items] == [ONE, TWO, None]
    assert "was cut off" in (items[-1].problem or "")
    items = list(read(write("b.jsonl", "\n".join([*lines[:-2], lines[-1]])), now=NOW))
    assert "written with 2 records and holds 1" in (items[-1].problem or "")


def test_damaged_lines_are_reported_and_the_rest_read(write: Write) -> None:
    header, one, two, end = exported(ONE, TWO).splitlines()
    text = "\n".join([header, one, "{oops", "", "[]", two.replace('"version":1', '"version":"x"')])
    items = list(read(write("a.jsonl", text + "\n" + end.replace("2", "4")), now=NOW))
    assert [item.place for item in items] == [f"a.jsonl:{line}" for line in (2, 3, 5, 6)]
    assert [item.record for item in items] == [ONE, None, None, None]
    assert "$.version" in (items[3].problem or "")


@pytest.mark.parametrize("change", [{"content": " "}, {"id": ""}])
def test_a_record_without_text_or_id_is_reported(write: Write, change: dict[str, str]) -> None:
    header, one, end = exported(ONE).splitlines()
    text = "\n".join([header, json.dumps({**json.loads(one), **change}), end])
    (item,) = read(write("a.jsonl", text), now=NOW)
    assert item.problem == "The record has no text or no id. Leave it out."


def test_times_are_brought_to_utc(write: Write) -> None:
    raw = {
        **json.loads(exported(ONE).splitlines()[1]),
        "created_at": "2026-01-01T08:00:00+08:00",
        "last_accessed": "2026-01-01T00:00:00",
        "stamps": {"content": {"version": 1, "actor": "user", "at": "2026-01-01T01:00:00+01:00"}},
    }
    header, _, end = exported(ONE).splitlines()
    (item,) = read(write("a.jsonl", "\n".join([header, json.dumps(raw), end])), now=NOW)
    assert item.record is not None
    moment = datetime(2026, 1, 1, tzinfo=UTC)
    assert item.record.created_at == item.record.last_accessed == moment
    assert item.record.created_at.tzinfo is UTC
    assert item.record.stamps["content"].at == moment
    assert item.notes == ("a time has no time zone; read as UTC",)


def test_unknown_keys_go_to_the_metadata(write: Write) -> None:
    header, one, end = exported(ONE).splitlines()
    text = "\n".join([header, json.dumps({**json.loads(one), "colour": "red"}), end])
    (item,) = read(write("a.jsonl", text), now=NOW)
    assert item.record is not None
    assert item.record.metadata == {"colour": "red"}


def test_a_newer_export_is_refused(write: Write) -> None:
    path = write("a.jsonl", '{"omp_tui_export": 2}\n')
    with pytest.raises(FormatError, match=r"version 2.*Update omp-tui"):
        list(read(path, now=NOW))


def test_a_file_without_header_is_refused(write: Write) -> None:
    with pytest.raises(FormatError, match="not the header"):
        list(read(write("a.jsonl", '{"id": "a"}\n'), own.NAME, now=NOW))
