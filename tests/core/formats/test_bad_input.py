"""Files that are damaged, hostile, or not what they seem."""

from __future__ import annotations

import gzip
import json
import os
import sys
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from omp_core.errors import FormatError
from omp_core.formats import FORMATS, ImportItem, detect, files, plain, read
from omp_core.record_json import from_json, to_json

Write = Callable[[str, str | bytes], Path]
NOW = datetime(2026, 3, 1, tzinfo=UTC)


def rows(path: Path, format: str | None = None) -> list[ImportItem]:
    return list(read(path, format, now=NOW))


def test_unknown_file_names_itself_and_the_known_formats(write: Write) -> None:
    path = write("notes.txt", "just some text\n")
    with pytest.raises(FormatError) as caught:
        detect(path)
    assert str(path) in str(caught.value)
    assert all(each.title in str(caught.value) for each in FORMATS.values())


def test_unknown_folder(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="no known kind of memory folder"):
        detect(tmp_path)


def test_unknown_format_name(write: Write) -> None:
    with pytest.raises(FormatError, match=r"no format 'nonsense'. Known: omp-tui, openmemory"):
        rows(write("a.json", "[]"), "nonsense")


@pytest.mark.parametrize("format_name", FORMATS)
def test_missing_file(tmp_path: Path, format_name: str) -> None:
    with pytest.raises(FormatError, match="no such file"):
        rows(tmp_path / "none.json", format_name)


def test_empty_file(write: Write) -> None:
    with pytest.raises(FormatError, match="is empty"):
        detect(write("a.json", ""))


@pytest.mark.skipif(sys.platform == "win32", reason="permissions are POSIX")
def test_missing_permission(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write("a.json", "[]")
    path.chmod(0)
    if os.access(path, os.R_OK):  # the superuser may read everything

        def refuse(self: Path, mode: str) -> None:
            raise PermissionError(13, "Permission denied", str(self))

        monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(FormatError, match=r"no permission to read it.*chmod"):
        detect(path)


def test_folder_in_place_of_a_file(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="cannot be opened"):
        rows(tmp_path, "mem0")


@pytest.mark.parametrize("format_name", ["claude-code", "openmemory-plus"])
def test_file_in_place_of_a_folder(write: Write, format_name: str) -> None:
    with pytest.raises(FormatError, match="Name the folder itself"):
        rows(write("a.json", "[]"), format_name)


def test_cut_off_json_says_so(write: Write) -> None:
    whole = json.dumps({"results": [{"memory": "a"}, {"memory": "b"}]})
    with pytest.raises(FormatError, match=r"ends in the middle.*cut off"):
        rows(write("a.json", whole[:-10]))
    with pytest.raises(FormatError, match=r"ends in the middle.*cut off"):
        rows(write("b.json", '{"results": [{"memo'))


def test_damaged_json_names_line_and_column(write: Write) -> None:
    path = write("a.json", '{"results": [\n{"memory": "a"},\n{"memory": oops}\n]}')
    with pytest.raises(FormatError, match="line 3, column 12 is not JSON"):
        rows(path)


def test_json_nested_without_end(write: Write) -> None:
    path = write("a.json", '{"results": [{"memory": "a", "x": ' + "[" * 200_000)
    with pytest.raises(FormatError, match="nested too deeply"):
        rows(path, "mem0")


def test_deep_row_is_reported_and_the_rest_read(write: Write) -> None:
    deep = "[" * 200 + "]" * 200
    path = write("a.json", f'[{{"memory": "a", "x": {deep}}}, {{"memory": "b"}}]')
    first, second = rows(path)
    assert first.record is None
    assert "nested too deeply" in (first.problem or "")
    assert second.record is not None


def test_number_of_thousands_of_digits(write: Write) -> None:
    with pytest.raises(FormatError, match="cannot be read"):
        rows(write("a.json", '[{"memory": "a", "n": ' + "9" * 5000 + "}]"), "mem0")


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_number_that_json_cannot_hold_is_kept_as_text(write: Write, number: str) -> None:
    (item,) = rows(write("a.json", f'[{{"memory": "a", "n": {number}}}]'))
    assert item.record is not None
    assert item.record.metadata["n"] == str(float(number))
    assert "a number that JSON cannot hold kept as text" in item.notes


def test_gbk_text_names_the_byte_and_the_remedy(write: Write) -> None:
    text = '{"results": [{"memory": "用户偏好中文"}]}'
    data = text.encode("gbk")
    path = write("a.json", data)
    at = next(place for place, byte in enumerate(data, 1) if byte > 127)
    with pytest.raises(FormatError, match=f"byte {at} is not UTF-8.*iconv -f GBK -t UTF-8"):
        rows(path)


def test_gbk_line_is_reported_and_the_rest_read(write: Write) -> None:
    good = '{"type": "entity", "name": "a", "entityType": "t", "observations": ["x"]}\n'
    bad = '{"type": "entity", "name": "乙", "entityType": "t", "observations": ["y"]}\n'
    path = write("memory.jsonl", good.encode() + bad.encode("gbk") + good.encode())
    items = rows(path)
    assert [item.problem is None for item in items] == [True, False, True]
    assert f"byte {len(good) + bad.index('乙') + 1} is not UTF-8" in (items[1].problem or "")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.json", '{"results": [{"memory": "用户偏好中文"}]}'),
        ("a.csv", "id,content,tags\r\nr1,用户偏好中文,\r\n"),
        ("a.jsonl", '{"type": "entity", "name": "a", "observations": ["用户偏好中文"]}\n'),
    ],
)
def test_byte_order_mark_tells_the_encoding(
    write: Write, encoding: str, name: str, text: str
) -> None:
    mark = {"utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}.get(encoding, b"")
    (item,) = rows(write(name, mark + text.encode(encoding)))
    assert item.record is not None
    assert item.record.content == "用户偏好中文"


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_unmarked_utf16_is_refused(write: Write, encoding: str) -> None:
    path = write("a.json", '[{"memory": "a"}]'.encode(encoding))
    with pytest.raises(FormatError, match=r"is zero, so this is UTF-16.*iconv"):
        rows(path)


def test_damaged_utf16_lines(write: Write) -> None:
    line = '{"type": "entity", "name": "a", "observations": ["x"]}\n'
    path = write("a.jsonl", line.encode("utf-16") + b"\x00\xd8\n")
    with pytest.raises(FormatError, match="is not UTF-16-LE throughout"):
        rows(path)


def test_damaged_csv_encoding_names_the_byte(write: Write) -> None:
    path = write("a.csv", b"id,content,tags\nr1,\xff\xff,\n")
    with pytest.raises(FormatError, match="byte 20 is not UTF-8"):
        rows(path)


def test_lone_surrogates_become_storable(write: Write) -> None:
    path = write(
        "a.json", r'[{"memory": "a\ud800b", "user_id": "\udfff", "k\udc00": "\ud83d\ude00"}]'
    )
    (item,) = rows(path)
    assert item.record is not None
    assert item.record.content == "a\ufffdb"
    assert item.record.scope.user_id == "\ufffd"
    assert item.record.metadata == {"k\ufffd": "😀"}
    assert any("lone surrogate" in note for note in item.notes)
    json.dumps(to_json(item.record), ensure_ascii=False, default=str).encode()


def test_lone_surrogates_in_all_parts_of_a_graph(write: Write) -> None:
    path = write(
        "memory.jsonl",
        r'{"type": "entity", "name": "n\ud800", "entityType": "\ud800", '
        r'"observations": ["o\ud800"]}'
        "\n"
        r'{"type": "relation", "from": "n\ud800", "to": "\ud800", "relationType": "\ud800"}',
    )
    (item,) = rows(path)
    assert item.record is not None
    json.dumps(to_json(item.record), ensure_ascii=False, default=str).encode()
    assert item.record.metadata["links"] == [{"relation": "\ufffd", "to": "\ufffd"}]


def test_control_characters_are_data(write: Write) -> None:
    text = "a\x1b[31mred\x00\x07\tb\x7f"
    escaped = write("a.json", json.dumps([{"memory": text}]))
    raw = write("b.json", '[{"memory": "' + text + '"}]')
    for path in (escaped, raw):
        (item,) = rows(path)
        assert item.record is not None
        assert item.record.content == text


def test_content_of_a_megabyte(write: Write) -> None:
    content = "长" * 400_000
    for name, text in (
        ("a.json", json.dumps({"results": [{"memory": content}]}, ensure_ascii=False)),
        ("b.csv", f"id,content,tags\nr1,{content},\n"),
        ("c.jsonl", json.dumps({"type": "entity", "name": "a", "observations": [content]})),
    ):
        (item,) = rows(write(name, text))
        assert item.record is not None
        assert item.record.content == content


def test_too_long_line_is_skipped(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_LINE_BYTES", 100)
    line = '{"type": "entity", "name": "a", "observations": ["%s"]}\n'
    path = write("memory.jsonl", (line % "x") + (line % ("y" * 500)) + (line % "z"))
    items = rows(path)
    assert [item.place for item in items] == ["memory.jsonl:1", "memory.jsonl:2", "memory.jsonl:3"]
    assert [item.problem is None for item in items] == [True, False, True]


def test_too_large_document(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_DOCUMENT_BYTES", 1000)
    path = write("a.json", json.dumps([{"memory": "x" * 2000}]))
    with pytest.raises(FormatError, match=r"is larger than.*Export it in parts"):
        rows(path)


def test_yaml_that_refers_to_itself(write: Write, tmp_path: Path) -> None:
    write("_omp/memory/user-context.yaml", "pending_memories: &a\n  - *a\n")
    (item,) = rows(tmp_path)
    assert "refers to itself" in (item.problem or "")


def test_yaml_of_a_billion_laughs(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plain, "MAX_NODES", 10_000)
    levels = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    levels += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12)]
    write("_omp/memory/user-context.yaml", "\n".join([*levels, "pending_memories: *a11"]))
    (item,) = rows(tmp_path)
    assert "refers to itself" in (item.problem or "")


@pytest.mark.parametrize("text", ["- key: a\n  value: 2026-13-45\n", "a: !!python/object:os.x {}"])
def test_yaml_of_odd_values_is_reported_or_read(write: Write, tmp_path: Path, text: str) -> None:
    write("_omp/memory/project.yaml", "{}")
    write("_omp/memory/entries.yaml", text)
    (item,) = rows(tmp_path)
    assert (item.record is None) == (item.problem is not None)


# Zips


def zipped(path: Path, **members: bytes) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name.replace("__", "."), data)
    return path


BACKUP = json.dumps({"memories": [{"id": "m", "content": "c", "state": "active"}]}).encode()
LOGICAL = gzip.compress(b'{"id": "m2", "content": "d", "state": "archived", "app": "x"}\n', mtime=0)


def test_cut_off_zip(example: Callable[[str], Path]) -> None:
    path = example("openmemory")
    data = path.read_bytes()
    for length in (10, len(data) // 2, len(data) - 5):
        path.write_bytes(data[:length])
        with pytest.raises(FormatError, match=r"zip is damaged or cut off.*again"):
            rows(path)


def test_zip_without_memories(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", readme__txt=b"hello")
    with pytest.raises(FormatError, match="holds no memories"):
        rows(path)
    with pytest.raises(FormatError, match="no OpenMemory backup"):
        rows(path, "openmemory")


def test_zip_with_a_folder_around_the_members(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("backup/memories.json", BACKUP)
    assert [item.record is not None for item in rows(path)] == [True]


def test_zip_bomb_is_refused_before_it_is_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from omp_core.formats import openmemory

    monkeypatch.setattr(openmemory, "MAX_DOCUMENT_BYTES", 1 << 20)
    path = zipped(tmp_path / "a.zip", memories__json=b'{"memories": [' + b" " * (4 << 20) + b"]}")
    with pytest.raises(FormatError, match="unpacks to 4 MiB"):
        rows(path)


def test_bomb_in_the_second_member_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from omp_core.formats import openmemory

    monkeypatch.setattr(openmemory, "_MAX_UNPACKED", 1 << 16)
    bomb = gzip.compress(b"\n" * (1 << 20))
    items = rows(zipped(tmp_path / "a.zip", memories__json=BACKUP, memories__jsonl__gz=bomb))
    assert [item.problem is None for item in items] == [True, False]
    assert "the rest was not read" in (items[1].problem or "")


@pytest.mark.parametrize("damage", [b"no json", b'{"memories": 5}', b"[]", b'{"memories": [{'])
def test_second_member_stands_in_for_a_damaged_first(tmp_path: Path, damage: bytes) -> None:
    path = zipped(tmp_path / "a.zip", memories__json=damage, memories__jsonl__gz=LOGICAL)
    items = rows(path)
    assert [item.place for item in items] == ["memories.json", "memories.jsonl.gz:1"]
    assert items[0].problem is not None
    assert items[1].record is not None
    assert items[1].record.scope.app_id == "x"
    alone = zipped(tmp_path / "b.zip", memories__json=damage)
    with pytest.raises(FormatError):
        rows(alone)


@pytest.mark.parametrize(
    "logical", [b"not gzip", LOGICAL[:-12], gzip.compress(b"{oops\n", mtime=0)]
)
def test_damaged_second_member_is_reported(tmp_path: Path, logical: bytes) -> None:
    path = zipped(tmp_path / "a.zip", memories__json=BACKUP, memories__jsonl__gz=logical)
    items = rows(path)
    assert items[0].record is not None
    assert items[-1].problem is not None


def test_flipped_bits_in_a_member(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", memories__json=BACKUP * 1)
    data = bytearray(path.read_bytes())
    data[60] ^= 0xFF
    path.write_bytes(bytes(data))
    with pytest.raises(FormatError, match="damaged"):
        rows(path)


def test_encrypted_zip(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", memories__json=BACKUP)
    data = bytearray(path.read_bytes())
    data[6] |= 1  # the flag of the local header, and that of the directory
    data[data.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(bytes(data))
    with pytest.raises(FormatError, match="is encrypted"):
        rows(path)


@pytest.mark.parametrize("name", ["own.jsonl", "mem0.json", "memory.jsonl", "lm-mem.csv"])
def test_any_cut_of_a_file_ends_in_items_or_a_format_error(
    example: Callable[[str], Path], name: str
) -> None:
    path = example(name)
    data = path.read_bytes()
    whole = len(rows(path))
    for length in range(0, len(data), 37):
        path.write_bytes(data[:length])
        try:
            items = rows(path)
        except FormatError:
            continue
        assert len(items) <= whole + 1
        for item in items:
            assert (item.record is None) != (item.problem is None)
            if item.record is not None:
                assert from_json(json.loads(json.dumps(to_json(item.record), default=str)))
