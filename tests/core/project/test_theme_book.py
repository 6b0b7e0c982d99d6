"""The theme book on disk: other layouts, people's edits, damage, crashes, several processes."""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from omp_core.errors import DocumentDamagedError, DocumentError, SettingsError
from omp_core.model import Scope
from omp_core.project.backups import BackupFolder
from omp_core.project.documents import read_documents
from omp_core.project.theme_book import ModelMark, ThemeBookFile, calibration_version
from omp_core.project.theme_book.serializer import BookSerializer, BookText, parse
from omp_core.project.workspace import Workspace
from omp_core.project.yaml.plain import is_theme_book
from omp_core.rules.themes import (
    BookInputs,
    Patch,
    Theme,
    ThemeBook,
    ThemeItem,
    ThemeState,
    assimilate,
    diff,
    mark,
    merge,
    rename,
)
from omp_core.rules.themes.patch import apply
from omp_core.settings import ThemeSettings

NOW = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)
MODEL = ModelMark("test/16", "c1")
SETTINGS = ThemeSettings()
IDS = [f"project:decisions.yaml#decisions[dec-{number}].choice" for number in range(40)]


def calibrate(cosines: NDArray[np.float32]) -> NDArray[np.float32]:
    scale = np.interp(cosines, (-1.0, 0.05, 0.28, 0.45, 0.82, 1.0), (0, 0.2, 0.62, 0.78, 0.85, 1))
    return scale.astype(np.float32)


class Records:
    """Records in four topics; the same in every process."""

    dim = 16

    def __init__(self, ids: Sequence[str] = IDS) -> None:
        source = np.random.default_rng(7)
        centres = source.normal(size=(4, self.dim))
        self.rows: dict[str, NDArray[np.float32]] = {}
        for number, record_id in enumerate(ids):
            row = centres[number % 4] / 4 + 0.15 * source.normal(size=self.dim)
            self.rows[record_id] = (row / np.linalg.norm(row)).astype(np.float32)

    def vectors(self, record_ids: Sequence[str]) -> NDArray[np.float32]:
        nothing = np.zeros(self.dim, np.float32)
        rows = [self.rows.get(record_id, nothing) for record_id in record_ids]
        return np.array(rows, np.float32).reshape(len(rows), self.dim)

    def texts(self, record_ids: Sequence[str]) -> list[str]:
        return [f"topic{IDS.index(record_id) % 4} 主题" for record_id in record_ids]


def ground(now: datetime = NOW) -> BookInputs:
    records = Records()
    return BookInputs(records, records, calibrate, SETTINGS, now)


def take_in(file: ThemeBookFile, record_ids: Sequence[str], now: datetime = NOW) -> ThemeState:
    items = [ThemeItem(record_id, Scope(user_id="ana")) for record_id in record_ids]
    _before, after, _report = file.update(
        MODEL,
        Records(),
        SETTINGS,
        lambda opened: assimilate(opened.state, items, ground(now)),
        now=now,
    )
    return after


def read(file: ThemeBookFile, model: ModelMark = MODEL) -> Any:
    return file.read(model, Records(), SETTINGS)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "themes"


def change(
    file: ThemeBookFile, act: Callable[[ThemeState], ThemeState], records: Records | None = None
) -> tuple[ThemeState, ThemeState]:
    """Do something to the book of a file; returns the states before and after."""
    before, after, _nothing = file.update(
        MODEL,
        records or Records(),
        SETTINGS,
        lambda opened: (act(opened.state), None),
        now=NOW,
    )
    return before, after


def renaming(theme_id: str, label: str) -> Callable[[ThemeState], ThemeState]:
    return lambda state: rename(state, theme_id, label, ground())


def test_reading_a_book_that_is_not_there_makes_no_file(folder: Path) -> None:
    opened = read(ThemeBookFile(folder))
    assert opened.state.book.themes == ()
    assert opened.state.centroids.shape == (0, 16)
    assert not folder.exists()


def test_what_is_written_is_read_back_by_another_process(folder: Path) -> None:
    written = take_in(ThemeBookFile(folder), IDS)
    opened = read(ThemeBookFile(folder))
    assert opened.state.book == written.book
    assert opened.notes == ()
    assert np.array_equal(opened.state.centroids, written.centroids)
    assert written.book.generation == 1
    embeddings = json.loads((folder / "embeddings.json").read_text())
    assert embeddings["generation"] == 1
    assert embeddings["model"] == "test/16"


def test_nothing_is_written_when_nothing_changed(folder: Path) -> None:
    file = ThemeBookFile(folder)
    take_in(file, IDS)
    before = (folder / "index.yaml").stat()
    take_in(file, IDS)
    assert (folder / "index.yaml").stat() == before


def test_the_index_is_yaml_that_people_can_read(folder: Path) -> None:
    from ruamel.yaml import YAML

    state = take_in(ThemeBookFile(folder), IDS)
    raw = YAML(typ="safe", pure=True).load((folder / "index.yaml").read_text("utf-8"))
    assert raw["themes"][0]["members"] == list(state.book.themes[0].members)
    assert raw["themes"][0]["scope"] == {"user_id": "ana"}
    assert raw["in_force"]["attach_from"] == 0.62
    assert "主题" in (folder / "index.yaml").read_text("utf-8")


def test_comments_and_keys_of_others_survive_our_writes(folder: Path) -> None:
    file = ThemeBookFile(folder)
    state = take_in(file, IDS[:20])
    index = folder / "index.yaml"
    theme = state.book.themes[1]
    text = index.read_text("utf-8")
    text = text.replace(
        f'  - id: "{theme.id}"', f'  # ask Bo about this\n  - id: "{theme.id}"   # his "idea" # 2'
    )
    text = text.replace("must_link: []", "owner: {name: bo, since: 2026}\nmust_link: []")
    text = text.replace("    created_at:", "    colour: red\n    created_at:", 1) + "# the end\n"
    index.write_text(text, "utf-8")
    for name in ("first", "second"):
        change(file, renaming(theme.id, name))
    lines = index.read_text("utf-8").splitlines()
    at = next(n for n, line in enumerate(lines) if theme.id in line and "- id" in line)
    assert lines[at - 2 : at] == ["  # ask Bo about this", '  # his "idea" # 2']
    assert lines[-1] == "# the end"
    assert 'owner: {"name": "bo", "since": 2026}' in lines
    assert '    colour: "red"' in lines
    assert '    label: "second"' in lines


def test_a_members_list_edited_by_hand_is_believed(folder: Path) -> None:
    file = ThemeBookFile(folder)
    state = take_in(file, IDS)
    one, other = state.book.themes[:2]
    index = folder / "index.yaml"
    line = f'      - "{one.members[0]}"\n'
    text = index.read_text("utf-8").replace(line, "")
    text = text.replace(f'      - "{other.members[0]}"\n', f'      - "{other.members[0]}"\n{line}')
    index.write_text(text, "utf-8")
    opened = read(file)
    assert opened.state.owners[one.members[0]] == other.id
    for theme, centroid in zip(opened.state.book.themes, opened.state.centroids, strict=True):
        mean = Records().vectors(theme.members).mean(axis=0)
        assert np.allclose(centroid, mean, atol=1e-6)


def test_a_record_that_a_git_merge_put_in_two_themes_stays_in_one(folder: Path) -> None:
    file = ThemeBookFile(folder)
    state = take_in(file, IDS)
    one, other = state.book.themes[:2]
    index = folder / "index.yaml"
    double = f'      - "{other.members[0]}"\n'
    text = index.read_text("utf-8").replace(double, f'{double}      - "{one.members[0]}"\n')
    index.write_text(text, "utf-8")
    opened = read(file)
    assert opened.state.owners[one.members[0]] == one.id
    assert any("stays in" in note for note in opened.notes)


DAMAGES = [
    ("themes:\n  - id: [", 3, "expected"),
    ("<<<<<<< HEAD\nversion: 1\n=======\n", 1, "conflict markers"),
    ("version: 1\nversion: 2\n", 2, "twice"),
    ("themes:\n\t- id: x\n", 2, "tab|token"),
    ("themes: 5\n", None, r"Expected `array`.*themes"),
    ("themes:\n  - label: x\n", None, "theme 1: .*`id`"),
    ("themes:\n  - id: x\n    members: y\n", None, r"theme x: Expected `array`.*members"),
    ("themes:\n  - id: x\n    pinned: perhaps\n", None, r"theme x: Expected `bool`.*pinned"),
    ("themes:\n  - id: x\n    created_at: yesterday\n", None, "not a time"),
    ("must_link: [[a]]\n", None, r"length 2.*must_link"),
    ("generation: many\n", None, r"Expected `int`.*generation"),
    ("- a list\n", 1, "map of keys"),
]


@pytest.mark.parametrize(("text", "line", "reason"), DAMAGES)
def test_a_damaged_index_is_reported_and_left_as_it_is(
    folder: Path, text: str, line: int | None, reason: str
) -> None:
    folder.mkdir()
    index = folder / "index.yaml"
    index.write_text(text, "utf-8")
    with pytest.raises(DocumentDamagedError, match=reason) as caught:
        read(ThemeBookFile(folder))
    assert line is None or caught.value.line == line
    with pytest.raises(DocumentDamagedError):
        take_in(ThemeBookFile(folder), IDS)
    assert index.read_text("utf-8") == text


def test_aliases_that_unfold_without_end_are_refused(folder: Path) -> None:
    folder.mkdir()
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 9)]
    (folder / "index.yaml").write_text("\n".join(lines), "utf-8")
    with pytest.raises(DocumentDamagedError, match="million"):
        read(ThemeBookFile(folder))


@pytest.mark.parametrize("raw", [b"", b"{", b'{"th": [0.1]}', b"\xff\xfe", b"[]"])
def test_damaged_embeddings_are_computed_again(folder: Path, raw: bytes) -> None:
    written = take_in(ThemeBookFile(folder), IDS)
    (folder / "embeddings.json").write_bytes(raw)
    opened = read(ThemeBookFile(folder))
    assert np.allclose(opened.state.centroids, written.centroids, atol=1e-6)
    assert "computed again" in opened.notes[0]
    take_in(ThemeBookFile(folder), ["fresh"], NOW)
    assert opened.state.book.themes == read(ThemeBookFile(folder)).state.book.themes


def test_another_model_gives_other_centroids_and_says_so(folder: Path) -> None:
    take_in(ThemeBookFile(folder), IDS)
    opened = read(ThemeBookFile(folder), ModelMark("other/16", "c1"))
    assert "test/16" in opened.notes[0]
    assert "other/16" in opened.notes[0]


def test_thresholds_in_the_file_are_obeyed(folder: Path) -> None:
    file = ThemeBookFile(folder)
    take_in(file, IDS)
    index = folder / "index.yaml"
    text = index.read_text("utf-8").replace("thresholds: {}", "thresholds:\n  split_above: 12")
    index.write_text(text, "utf-8")
    opened = read(file)
    assert opened.settings.split_above == 12
    assert opened.settings.attach_from == SETTINGS.attach_from
    take_in(file, ["r-new"])
    assert "  split_above: 12" in index.read_text("utf-8")
    index.write_text(text.replace("split_above: 12", "split_abov: 12"), "utf-8")
    with pytest.raises(SettingsError, match="split_abov"):
        read(file)


LEGACY = """\
version: "1.0"
themes:
  - themeId: 3c1e
    summary: Package manager
    semanticIds: [s1, s2]
    neighbors: [9f2a]
    memberCount: 2
    createdAt: 2026-02-03T10:00:00.000Z
    updatedAt: 2026-02-03T10:00:00.000Z
  - themeId: 9f2a
    summary: 部署
    semanticIds: [s3]
    neighbors: [3c1e]
    memberCount: 1
    createdAt: 2026-02-03T11:00:00.000Z
    updatedAt: 2026-02-03T11:00:00.000Z
config:
  attachThreshold: 0.7
metadata:
  totalThemes: 2
  lastAssimilation: 2026-02-03T10:00:00.000Z
"""


def test_the_layout_of_openmemory_plus_is_read_and_kept_as_a_backup(tmp_path: Path) -> None:
    folder = tmp_path / "themes"
    folder.mkdir()
    (folder / "index.yaml").write_text(LEGACY, "utf-8")
    (folder / "embeddings.json").write_text('{"3c1e": [0.01, -0.02, 0.03]}', "utf-8")
    backups = BackupFolder(tmp_path / ".backup", "themes/index.yaml", 5)
    ana = Scope(user_id="ana")
    file = ThemeBookFile(folder, backups=backups, legacy_scope=ana)
    records = Records(["s1", "s2", "s3"])
    opened = file.read(MODEL, records, SETTINGS)
    first, second = opened.state.book.themes
    assert (first.id, first.label, first.members, first.scope) == (
        "3c1e",
        "Package manager",
        ("s1", "s2"),
        ana,
    )
    assert first.created_at == datetime(2026, 2, 3, 10, tzinfo=UTC)
    assert second.label == "部署"
    assert np.allclose(opened.state.centroids[1], records.rows["s3"])
    assert "openmemory-plus" in opened.notes[0]
    assert opened.settings.attach_from == 0.7
    assert (folder / "index.yaml").read_text("utf-8") == LEGACY
    legacy_ground = BookInputs(records, records, calibrate, SETTINGS, NOW)
    change(file, lambda state: rename(state, "9f2a", "Deploy", legacy_ground), records)
    assert backups.versions()[0].file.read_text("utf-8") == LEGACY
    again = ThemeBookFile(folder).read(MODEL, records, SETTINGS)
    assert [t.label for t in again.state.book.themes] == ["Package manager", "Deploy"]
    assert again.settings.attach_from == 0.7
    assert again.notes == ()


def undoing(patch: Patch) -> Callable[[ThemeState], ThemeState]:
    return lambda state: apply(state, patch.inverse, ground(NOW + timedelta(days=2)))


def test_undo_restores_the_file_to_the_byte_but_generation_and_write_time(folder: Path) -> None:
    file = ThemeBookFile(folder)
    take_in(file, IDS)
    index = folder / "index.yaml"

    def compared() -> list[str]:
        skipped = ("generation:", "last_updated:")
        return [n for n in index.read_text("utf-8").splitlines() if not n.startswith(skipped)]

    before = compared()
    one, two = (ThemeItem(record_id, Scope(user_id="ana")) for record_id in IDS[:2])
    tomorrow = ground(NOW + timedelta(days=1))
    acts: list[Callable[[ThemeState], ThemeState]] = [
        lambda state: merge(state, [t.id for t in state.book.themes[:2]], tomorrow),
        lambda state: mark(state, one, two, "together", tomorrow),
    ]
    for act in acts:
        first, after = change(file, act)
        assert compared() != before
        change(file, undoing(diff(first.book, after.book)))
        assert compared() == before


def test_an_edit_saved_while_we_work_is_not_lost(folder: Path) -> None:
    file = ThemeBookFile(folder)
    take_in(file, IDS[:20])
    index = folder / "index.yaml"
    calls: list[int] = []

    def slow(opened: Any) -> tuple[ThemeState, None]:
        if not calls:
            index.write_text(index.read_text("utf-8") + "# saved meanwhile\n", "utf-8")
        calls.append(1)
        theme = opened.state.book.themes[0]
        return rename(opened.state, theme.id, "ours", ground()), None

    file.update(MODEL, Records(), SETTINGS, slow, now=NOW)
    text = index.read_text("utf-8")
    assert len(calls) == 2
    assert '"ours"' in text
    assert "# saved meanwhile" in text


def test_a_folder_that_cannot_be_written_fails_loudly(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "themes").write_text("a file is in the way")
    with pytest.raises(DocumentError, match="not written"):
        take_in(ThemeBookFile(folder), IDS)


def test_a_failed_write_leaves_the_book_as_it_was(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = ThemeBookFile(folder)
    take_in(file, IDS[:20])
    before = (folder / "index.yaml").read_bytes()

    def full(*_args: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        with pytest.raises(DocumentError, match="no space left"):
            take_in(file, IDS)
    assert (folder / "index.yaml").read_bytes() == before
    assert list(folder.glob("*.tmp")) == []
    assert set(take_in(file, IDS).owners) == set(IDS)


def test_the_book_is_no_source_of_facts_but_its_damage_is_a_documents(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    take_in(ThemeBookFile(workspace.themes), IDS)
    assert is_theme_book(workspace.theme_index.read_text("utf-8"))
    assert read_documents(workspace).facts == ()
    assert read_documents(workspace).damages == ()
    with workspace.theme_index.open("a", encoding="utf-8") as file:
        file.write("must_link: [\n")
    damages = read_documents(workspace).damages
    assert [damage.file for damage in damages] == ["themes/index.yaml"]


texts = st.text(max_size=30)


@settings(max_examples=80, deadline=None)
@given(
    st.lists(st.tuples(texts, st.lists(texts.filter(bool), min_size=1, max_size=3)), max_size=4),
    texts,
)
def test_any_label_and_id_survives_the_file(
    content: list[tuple[str, list[str]]], user: str
) -> None:
    themes = tuple(
        Theme(
            f"th-{number}",
            label,
            tuple(f"{number}{member}" for member in dict.fromkeys(members)),
            NOW + timedelta(microseconds=number),
            NOW,
            Scope(user_id=user or None),
            label_by_human=bool(number % 2),
            pinned=not number % 2,
        )
        for number, (label, members) in enumerate(content)
    )
    if user in ("null", "~"):
        return
    book = ThemeBook(themes, generation=3, model_id="m#1", calibration_version="c: x")
    text = BookSerializer().text(BookText(book), SETTINGS, NOW)
    text.encode("utf-8")
    assert parse(text, Path("index.yaml")).book == book


def test_calibration_version_tells_maps_apart() -> None:
    assert calibration_version(calibrate) == calibration_version(calibrate)
    assert calibration_version(calibrate) != calibration_version(lambda cosines: cosines)


# Several processes, and processes that die. The child runs this module's own helpers.

CHILD = textwrap.dedent(
    """
    import importlib.util, sys
    spec = importlib.util.spec_from_file_location("theme_book_child", sys.argv[1])
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.child(*sys.argv[2:])
    """
)


def child(folder: str, start: str, stop: str) -> None:
    """Take records in, one write for each."""
    file = ThemeBookFile(Path(folder))
    for number in range(int(start), int(stop)):
        take_in(file, [IDS[number]], NOW + timedelta(minutes=number))


def run_child(folder: Path, start: int, stop: int) -> None:
    command = [sys.executable, "-c", CHILD, __file__, str(folder), str(start), str(stop)]
    subprocess.run(command, check=True, timeout=60)


def test_three_processes_one_after_the_other_give_what_one_gives(tmp_path: Path) -> None:
    for start, stop in ((0, 9), (9, 23), (23, 40)):
        run_child(tmp_path / "three", start, stop)
    child(str(tmp_path / "one"), "0", "40")
    three, one = (read(ThemeBookFile(tmp_path / name)).state for name in ("three", "one"))
    assert max(theme.size for theme in one.book.themes) <= 10
    assert len(one.book.themes) < 20
    assert three.book == one.book
    assert np.array_equal(three.centroids, one.centroids)


def test_two_processes_at_once_lose_no_record(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    folder = tmp_path / "themes"
    workers = [
        context.Process(target=child, args=(str(folder), str(start), str(start + 20)))
        for start in (0, 20)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
        assert worker.exitcode == 0
    opened = read(ThemeBookFile(folder))
    assert set(opened.state.owners) == set(IDS)
    assert opened.notes == ()
    assert opened.state.book.generation == 40


def die_between_the_files(folder: str, number: int) -> None:
    """Write one record and be killed after the index, before the embeddings."""
    from omp_core.project.theme_book import file as module

    def killed(*_args: object) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    setattr(module.ThemeBookFile, "_write_centroids", killed)  # noqa: B010 - mypy forbids it else
    take_in(ThemeBookFile(Path(folder)), [IDS[number]])


def test_killed_between_the_two_files_again_and_again(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    folder = tmp_path / "themes"
    taken: list[str] = []
    for number in range(20):
        record_id = IDS[number % 16]
        if number >= 16:
            # All are in: take one out by hand, so that there is something to write.
            text = (folder / "index.yaml").read_text("utf-8")
            (folder / "index.yaml").write_text(text.replace(f'      - "{record_id}"\n', ""))
        worker = context.Process(target=die_between_the_files, args=(str(folder), number % 16))
        worker.start()
        worker.join(60)
        assert worker.exitcode == -signal.SIGKILL
        taken.append(record_id)
        opened = read(ThemeBookFile(folder))
        assert set(opened.state.owners) == set(taken), "a record was lost"
        for theme, centroid in zip(opened.state.book.themes, opened.state.centroids, strict=True):
            mean = Records().vectors(theme.members).mean(axis=0)
            assert np.allclose(centroid, mean, atol=1e-5)
    after = take_in(ThemeBookFile(folder), IDS)
    assert set(after.owners) == set(IDS)
    assert read(ThemeBookFile(folder)).notes == ()


def write_for_ever(folder: str, pipe: Any) -> None:
    """Rename a theme again and again, and say each name that is on disk."""
    file = ThemeBookFile(Path(folder))
    number = 0
    while True:
        first = read(file).state.book.themes[0]
        change(file, renaming(first.id, f"name {number}"))
        pipe.send(number)
        number += 1


def test_killed_at_any_moment_what_was_acknowledged_is_there(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    folder = tmp_path / "themes"
    take_in(ThemeBookFile(folder), IDS)
    source = random.Random(1)
    for _round in range(10):
        ours, theirs = context.Pipe(duplex=False)
        worker = context.Process(target=write_for_ever, args=(str(folder), theirs))
        worker.start()
        theirs.close()
        last = -1
        for _write in range(source.randrange(1, 12)):
            last = ours.recv()
        os.kill(worker.pid or 0, signal.SIGKILL)
        worker.join(60)
        while ours.poll():
            try:
                last = ours.recv()
            except EOFError:
                break
        opened = read(ThemeBookFile(folder))
        assert set(opened.state.owners) == set(IDS)
        assert int(opened.state.book.themes[0].label.split()[1]) in (last, last + 1)
