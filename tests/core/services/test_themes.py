"""Themes behind the door: they follow the records, are changed by hand, and undo brings back."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from omp_core.embed import choose_embedder
from omp_core.errors import (
    DocumentDamagedError,
    InvalidValueError,
    NotFoundError,
    SecretFoundError,
    StoreUnavailableError,
    UsageError,
)
from omp_core.memory import Memory
from omp_core.model import Scope, Status
from omp_core.settings import EmbedSettings, Settings

GIVEN = Path(__file__).parents[2] / "data" / "themes.json"
ANA = Scope(user_id="ana", app_id="shop")

Open = Callable[..., Memory]


@pytest.fixture
def given() -> dict[str, list[str]]:
    themes: dict[str, list[str]] = json.loads(GIVEN.read_text("utf-8"))
    return themes


@pytest.fixture
def project(tmp_path: Path, open_memory: Open) -> Memory:
    (tmp_path / "_omp" / "memory").mkdir(parents=True)
    return open_memory()


@pytest.fixture
def filled(project: Memory, given: dict[str, list[str]]) -> tuple[Memory, list[str]]:
    """A memory with all given texts, and their ids; the model is loaded first."""
    project._availability.embedder()
    ids = [
        project.add(text, scope=ANA, force=True).id for texts in given.values() for text in texts
    ]
    project.themes.follow()
    return project, ids


def index_of(tmp_path: Path) -> Path:
    """The store's own book: the given texts belong to a user."""
    return tmp_path / "store.themes" / "index.yaml"


def members(memory: Memory) -> dict[str, str]:
    return {m: row.theme.id for row in memory.themes.list().rows for m in row.theme.members}


def bytes_but_times(index: Path) -> list[str]:
    passing = ("generation:", "last_updated:")
    return [n for n in index.read_text("utf-8").splitlines() if not n.startswith(passing)]


def test_a_stored_record_is_in_a_theme_when_somebody_looks(
    filled: tuple[Memory, list[str]], tmp_path: Path
) -> None:
    memory, ids = filled
    text = index_of(tmp_path).read_text("utf-8")
    assert all(f'"{record_id}"' in text for record_id in ids)
    shown = memory.themes.list()
    assert shown.unsorted == 0
    assert shown.degraded is None
    assert set(members(memory)) == set(ids)
    assert all(row.theme.scope == ANA for row in shown.rows)
    assert max(row.theme.size for row in shown.rows) <= 10


def test_a_record_that_is_deleted_archived_or_superseded_leaves_its_theme(
    filled: tuple[Memory, list[str]], tmp_path: Path
) -> None:
    memory, ids = filled
    memory.delete(ids[:1])
    memory.set_status(ids[1:2], Status.ARCHIVED)
    memory.update(ids[2], {"status": "superseded"}, based_on=1)
    memory.themes.follow()
    text = index_of(tmp_path).read_text("utf-8")
    assert not any(record_id in text for record_id in ids[:3])
    memory.undo()
    memory.undo()
    memory.undo()
    assert set(members(memory)) == set(ids)


def test_what_other_processes_stored_is_placed_when_themes_are_looked_at(
    filled: tuple[Memory, list[str]], open_memory: Open
) -> None:
    memory, ids = filled
    other = open_memory("agent:codex", load_embedder=lambda _settings: None)
    added = other.add("Unit tests are written with pytest", scope=ANA).id
    other.delete(ids[-1:])
    assert memory.themes.theme_of(added) is None
    owners = members(memory)
    assert owners[added] == owners[ids[0]]
    assert ids[-1] not in owners


def test_expired_records_leave_when_their_time_comes(
    filled: tuple[Memory, list[str]], clock: Any
) -> None:
    memory, _ids = filled
    short = memory.add("The build is broken until noon", scope=ANA, ttl_seconds=60).id
    assert short in members(memory)
    clock.forward(minutes=2)
    assert short not in members(memory)


def test_a_reworded_record_finds_a_theme_that_fits(
    filled: tuple[Memory, list[str]], clock: Any
) -> None:
    memory, ids = filled
    memory.themes.rebuild()
    testing = members(memory)[ids[0]]
    assert members(memory)[ids[3]] == testing
    clock.forward(hours=1)
    memory.update(ids[3], {"content": "用户养了一只狗和两只猫"}, based_on=1)
    assert members(memory)[ids[3]] != testing


def test_a_text_changed_elsewhere_is_not_missed_when_its_theme_changes_meanwhile(
    filled: tuple[Memory, list[str]],
    given: dict[str, list[str]],
    open_memory: Open,
    clock: Any,
) -> None:
    memory, ids = filled
    groups = list(given.values())
    place = members(memory)
    there, elsewhere = ids[0], place[ids[len(groups[0])]]
    without_model = open_memory(load_embedder=lambda _settings: None)
    clock.forward(hours=1)
    without_model.update(there, {"content": f"{groups[1][0]}, once more"}, based_on=1)
    clock.forward(hours=1)
    memory.add(f"{groups[0][0]}, once more", scope=ANA, force=True)
    assert members(memory)[there] == elsewhere


def test_no_write_waits_for_the_themes(filled: tuple[Memory, list[str]], tmp_path: Path) -> None:
    memory, ids = filled
    before = index_of(tmp_path).read_bytes()
    added = memory.add("The release notes are written on Fridays", scope=ANA).id
    memory.update(ids[0], {"content": "Something else altogether"}, based_on=1)
    memory.delete(ids[-1:])
    assert index_of(tmp_path).read_bytes() == before
    memory.warm()
    text = index_of(tmp_path).read_text("utf-8")
    assert added in text
    assert ids[-1] not in text


def test_surgery_is_previewed_done_undone_and_redone(
    filled: tuple[Memory, list[str]], tmp_path: Path
) -> None:
    memory, ids = filled
    themes = memory.themes
    themes.rebuild()
    index = index_of(tmp_path)
    big = themes.list().rows[0].theme
    other = themes.list().rows[1].theme
    acts: list[Callable[[bool], Any]] = [
        lambda dry: themes.split(big.id, count=2, dry_run=dry),
        lambda dry: themes.split(big.id, groups=[big.members[:1]], dry_run=dry),
        lambda dry: themes.merge([big.id, other.id], dry_run=dry),
        lambda dry: themes.move([other.members[0]], big.label, dry_run=dry),
        lambda dry: themes.move(big.members[:2], None, label="by hand", dry_run=dry),
        lambda dry: themes.rename(big.id, "Quality", dry_run=dry),
        lambda dry: themes.pin(big.id[:8], dry_run=dry),
        lambda dry: themes.dissolve(big.id, dry_run=dry),
        lambda dry: themes.mark(ids[0], ids[-1], "together", dry_run=dry),
        lambda dry: themes.mark(big.members[0], big.members[1], "apart", dry_run=dry),
    ]
    for act in acts:
        before = bytes_but_times(index)
        planned = act(True)
        assert planned.changed
        assert planned.receipt.act_id is None
        assert bytes_but_times(index) == before
        done = act(False)
        assert done.receipt.act_id is not None
        assert [f.theme.members for f in done.preview.after] == [
            f.theme.members for f in planned.preview.after
        ]
        after = bytes_but_times(index)
        assert after != before
        undone = memory.undo()
        assert undone.outcome == "updated"
        assert bytes_but_times(index) == before
        memory.redo()
        assert bytes_but_times(index) == after
        memory.undo()
        assert bytes_but_times(index) == before


def test_a_rebuild_can_be_tried_and_undone(
    filled: tuple[Memory, list[str]], tmp_path: Path
) -> None:
    memory, ids = filled
    index = index_of(tmp_path)
    parts = memory.themes.split(memory.themes.list().rows[0].theme.id, count=2)
    for part in parts.preview.after:
        memory.themes.pin(part.theme.id, pinned=False)
    before = bytes_but_times(index)
    planned = memory.themes.rebuild(dry_run=True)
    assert planned.report.moved
    assert bytes_but_times(index) == before
    done = memory.themes.rebuild()
    assert done.report == planned.report
    assert set(members(memory)) == set(ids)
    again = memory.themes.rebuild()
    assert again.report.moved == ()
    assert again.receipt.outcome == "unchanged"
    memory.undo()
    assert bytes_but_times(index) == before


def test_undo_of_surgery_keeps_what_came_since(filled: tuple[Memory, list[str]]) -> None:
    memory, ids = filled
    target = members(memory)[ids[0]]
    moved = memory.themes.move([ids[12]], target)
    added = memory.add("Integration tests run in Docker with pytest", scope=ANA, force=True).id
    home = members(memory)[added]
    memory.delete([ids[1]])
    memory.undo(moved.receipt.act_id)
    owners = members(memory)
    assert owners[ids[12]] != target
    assert owners[added] == home
    assert ids[1] not in owners


def test_what_a_person_did_survives_the_automatic_passes(
    filled: tuple[Memory, list[str]],
) -> None:
    memory, ids = filled
    memory.themes.move([ids[0], ids[12]], None, label="odd couple")
    memory.themes.rebuild()
    detail = memory.themes.show("odd couple")
    assert [record.id for record in detail.records][:2] == [ids[0], ids[12]]
    assert detail.row.theme.pinned


def test_a_theme_is_shown_with_members_neighbours_and_a_map(
    filled: tuple[Memory, list[str]],
) -> None:
    memory, ids = filled
    memory.themes.rebuild()
    detail = memory.themes.show(members(memory)[ids[0]])
    assert ids[0] in {record.id for record in detail.records}
    assert len(detail.plane) == len(detail.records)
    similarities = [near.similarity for near in detail.neighbours]
    assert similarities == sorted(similarities, reverse=True)
    assert detail.row.health.nearest == detail.neighbours[0].theme.id
    assert detail.split.reason
    assert memory.themes.suggest_split(detail.row.theme.id) == detail.split
    assert isinstance(memory.themes.suggest(), tuple)


def test_themes_are_scoped_like_searches(project: Memory) -> None:
    text = "Tests are written with pytest"
    for user in ("ana", "bob"):
        project.add(text, scope=Scope(user_id=user))
    assert len(project.themes.list().rows) == 2
    only = project.themes.list(Scope(user_id="bob")).rows
    assert [row.theme.scope for row in only] == [Scope(user_id="bob")]
    assert project.themes.list(Scope(user_id="eve")).rows == ()


def test_many_new_records_are_grouped_at_once(
    project: Memory, given: dict[str, list[str]], open_memory: Open
) -> None:
    blind = open_memory("agent:codex", load_embedder=lambda _settings: None)
    texts = [f"{text} ({n})" for n in range(5) for group in given.values() for text in group]
    ids = {blind.add(text, scope=ANA, force=True).id for text in texts}
    assert project.themes.follow().rebuilt
    shown = project.themes.list()
    assert {m for row in shown.rows for m in row.theme.members} == ids
    assert max(row.theme.size for row in shown.rows) <= 10


def test_with_hashing_no_theme_forms_but_manual_ones_work(
    tmp_path: Path, open_memory: Open
) -> None:
    hashing = choose_embedder(EmbedSettings(model="hashing"))
    memory = open_memory(load_embedder=lambda _settings: hashing)
    ids = [memory.add(text).id for text in ("pytest runs the tests", "Docker is up")]
    shown = memory.themes.list()
    assert shown.rows == ()
    assert shown.unsorted == 2
    assert "near-duplicates only" in (shown.degraded or "")
    with pytest.raises(UsageError, match="near-duplicates only"):
        memory.themes.rebuild()
    memory.themes.move(ids, None, label="testing")
    assert [row.theme.label for row in memory.themes.list().rows] == ["testing"]
    memory.delete(ids[:1])
    assert memory.themes.show("testing").row.theme.members == (ids[1],)


def test_without_a_model_themes_are_shown_and_changed_by_hand(
    filled: tuple[Memory, list[str]], open_memory: Open
) -> None:
    _memory, ids = filled
    blind = open_memory(load_embedder=lambda _settings: None)
    before = members(blind)
    assert set(before) == set(ids)
    blind.themes.rename(before[ids[0]], "Checks")
    assert blind.themes.show("Checks").row.theme.members
    assert "no embedding model" in (blind.themes.list().degraded or "")


def test_another_model_takes_the_book_over(
    filled: tuple[Memory, list[str]], open_memory: Open
) -> None:
    memory, ids = filled
    before = members(memory)
    hashing = choose_embedder(EmbedSettings(model="hashing"))
    other = open_memory(load_embedder=lambda _settings: hashing)
    assert members(other) == before
    assert set(members(memory)) == set(ids)


def test_a_damaged_book_is_reported_kept_and_stops_no_write(
    filled: tuple[Memory, list[str]], tmp_path: Path
) -> None:
    memory, _ids = filled
    index_of(tmp_path).write_text("themes: [", "utf-8")
    added = memory.add("The cache lives in Redis", scope=ANA)
    assert added.outcome == "created"
    with pytest.raises(DocumentDamagedError, match=r"index\.yaml"):
        memory.themes.list()
    assert index_of(tmp_path).read_text("utf-8") == "themes: ["


def test_a_theme_is_named_by_id_start_or_label(filled: tuple[Memory, list[str]]) -> None:
    memory, ids = filled
    theme = memory.themes.theme_of(ids[0])
    assert theme is not None
    for name in (theme.id, theme.id[:9], theme.label):
        assert memory.themes.show(name).row.theme.id == theme.id
    with pytest.raises(InvalidValueError, match="fits"):
        memory.themes.show("th-")
    with pytest.raises(NotFoundError, match="no theme"):
        memory.themes.show("nothing like it")
    with pytest.raises(NotFoundError, match="no active record"):
        memory.themes.move(["nobody"], theme.id)


def test_a_secret_is_no_label(filled: tuple[Memory, list[str]]) -> None:
    memory, ids = filled
    secret = "gh" + "p_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    with pytest.raises(SecretFoundError):
        memory.themes.rename(members(memory)[ids[0]], secret)
    with pytest.raises(SecretFoundError):
        memory.themes.move(ids[:1], None, label=secret)


def test_without_a_project_the_book_lies_beside_the_store(
    tmp_path: Path, open_memory: Open
) -> None:
    memory = open_memory(settings=Settings(user_id="ana"))
    memory.add("Tests are written with pytest")
    assert len(memory.themes.list().rows) == 1
    index = index_of(tmp_path)
    assert index.stat().st_mode & 0o077 == 0
    assert index.with_name("embeddings.json").stat().st_mode & 0o077 == 0
    assert index.parent.stat().st_mode & 0o077 == 0


def test_project_facts_are_in_themes_and_follow_their_document(
    tmp_path: Path, project: Memory
) -> None:
    document = tmp_path / "_omp" / "memory" / "decisions.yaml"
    document.write_text(
        "decisions:\n  - id: d1\n    title: Test runner\n    choice: pytest\n", "utf-8"
    )
    project.overview()
    assert any(m.startswith("project:decisions.yaml") for m in members(project))
    document.unlink()
    project.overview()
    assert members(project) == {}


def test_while_the_store_is_away_its_records_stay_in_their_themes(
    filled: tuple[Memory, list[str]], tmp_path: Path
) -> None:
    memory, ids = filled
    before = index_of(tmp_path).read_bytes()
    memory._availability.store_failed(StoreUnavailableError("away"))
    shown = memory.themes.list()
    assert {m for row in shown.rows for m in row.theme.members} == set(ids)
    with pytest.raises(StoreUnavailableError):
        memory.themes.rename(shown.rows[0].theme.id, "other")
    with pytest.raises(StoreUnavailableError):
        memory.themes.rebuild()
    assert index_of(tmp_path).read_bytes() == before


def test_a_colleague_with_a_store_of_their_own_keeps_our_themes(
    filled: tuple[Memory, list[str]], tmp_path: Path, open_memory: Open, clock: Any
) -> None:
    memory, ids = filled
    memory.themes.move([ids[0], ids[12]], None, label="ours")
    before = {row.theme.id: row.theme.members for row in memory.themes.list().rows}
    bob = open_memory(store=tmp_path / "bob.db")
    bob._availability.embedder()
    assert bob.themes.list().rows == ()
    theirs = bob.add("Tests run in parallel with pytest-xdist", scope=Scope(user_id="bob")).id
    assert members(bob) == {theirs: bob.themes.list().rows[0].theme.id}
    bob.themes.rebuild()
    after = {row.theme.id: row.theme.members for row in memory.themes.list().rows}
    assert {name: after[name] for name in before} == before
    assert memory.themes.show("ours").row.theme.pinned
    bob.delete([theirs])
    assert {row.theme.id: row.theme.members for row in memory.themes.list().rows} == before
    centroids = memory.themes._opened()[1].state.centroids
    assert centroids.any(axis=1).all()


def test_an_act_that_cannot_be_journalled_does_not_stand(
    filled: tuple[Memory, list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory, _ids = filled
    theme = memory.themes.list().rows[0].theme
    before = bytes_but_times(index_of(tmp_path))

    def fails(_batch: object) -> None:
        raise StoreUnavailableError("away")

    monkeypatch.setattr(memory._availability.store(), "commit", fails)
    with pytest.raises(StoreUnavailableError):
        memory.themes.rename(theme.id, "other")
    assert bytes_but_times(index_of(tmp_path)) == before


def test_looking_without_following_counts_what_waits_to_be_placed(
    filled: tuple[Memory, list[str]],
) -> None:
    memory, ids = filled
    added = memory.add("Unit tests are written with pytest", scope=ANA, force=True).id
    as_it_is = memory.themes.list(following=False)
    assert as_it_is.unsorted == 1
    assert memory.themes.theme_of(added) is None
    memory.themes.follow()
    assert memory.themes.list(following=False).unsorted == 0
    assert set(members(memory)) == {*ids, added}


def test_the_members_of_a_theme_are_those_that_show_shows(
    filled: tuple[Memory, list[str]],
) -> None:
    memory, _ids = filled
    for row in memory.themes.list().rows:
        held, whole = memory.themes.members(row.theme.id), memory.themes.show(row.theme.id)
        assert held.theme == whole.row.theme == whole.theme
        assert (held.records, held.plane, held.neighbours, held.split) == (
            whole.records,
            whole.plane,
            whole.neighbours,
            whole.split,
        )
        assert [record.id for record in held.records] == list(row.theme.members)
        assert len(held.plane) == len(held.records)


def test_all_other_themes_stand_by_how_alike_they_are(filled: tuple[Memory, list[str]]) -> None:
    memory, ids = filled
    themes = {row.theme.id for row in memory.themes.list().rows}
    first = memory.themes.theme_of(ids[0])
    assert first is not None
    near = memory.themes.alike(first.id)
    assert {one.theme.id for one in near} == themes - {first.id}
    likeness = [one.similarity for one in near]
    assert likeness == sorted(likeness, reverse=True)
    shown = {one.theme.id: one.similarity for one in memory.themes.show(first.id).neighbours}
    assert shown.items() <= {one.theme.id: one.similarity for one in near}.items()


def test_records_may_move_to_every_theme_of_their_scope_but_the_one_that_holds_them(
    filled: tuple[Memory, list[str]],
) -> None:
    memory, ids = filled
    themes = {row.theme.id: row.theme for row in memory.themes.list().rows}
    own = memory.themes.theme_of(ids[0])
    assert own is not None
    alone = memory.themes.homes(ids[:1])
    assert {one.theme.id for one in alone} == themes.keys() - {own.id}
    stranger = next(member for one in alone for member in one.theme.members)
    together = memory.themes.homes([ids[0], stranger])
    assert {one.theme.id for one in together} == themes.keys()
    other = memory.add("Berta drinks tea", scope=Scope(user_id="berta"), force=True).id
    with pytest.raises(InvalidValueError, match="different users"):
        memory.themes.homes([ids[0], other])
    with pytest.raises(InvalidValueError):
        memory.themes.homes([])
    with pytest.raises(NotFoundError):
        memory.themes.homes(["nobody"])


def test_a_scope_that_is_grouped_anew_leaves_no_other_scope_waiting(
    project: Memory, given: dict[str, list[str]]
) -> None:
    project._availability.embedder()
    for texts in given.values():
        for text in texts:
            project.add(text, scope=ANA, force=True)
    few = [
        project.add(f"{text} ({at})", scope=Scope(app_id="shop"), force=True).id
        for at, text in enumerate(given["deploy"])
    ]
    done = project.themes.follow()
    assert done.rebuilt
    assert project.themes.list(following=False).unsorted == 0
    assert all(project.themes.theme_of(one) is not None for one in few)
