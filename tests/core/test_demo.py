from __future__ import annotations

import re
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest
from ruamel.yaml import YAML

from omp_core.demo import (
    STORE_FILE,
    demo_records,
    demo_searches,
    demo_settings,
    demo_themes,
    make_demo,
)
from omp_core.demo.workspace import fill_in
from omp_core.errors import UsageError
from omp_core.language.language import script
from omp_core.memory import Memory
from omp_core.model import DisputeKind, Query, Record, Status, Tier
from omp_core.project.workspace import find_workspace
from omp_core.rules.fields import json_value
from omp_core.secrets import scan
from omp_core.settings import EmbedSettings
from omp_core.settings_files import read_settings
from omp_core.store.sqlite import SqliteStore

NOW = datetime(2026, 3, 11, 14, 30, tzinfo=UTC)


@pytest.fixture(scope="module")
def records() -> list[Record]:
    return demo_records(NOW)


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("demo") / "shop-api"
    assert make_demo(folder, NOW) == folder / STORE_FILE
    return folder


def open_offline(demo: Path) -> Memory:
    """Open the demo with the packaged model, whatever else this machine has."""
    settings = demo_settings(demo)
    settings = msgspec.structs.replace(settings, embed=EmbedSettings(model="offline"))
    return Memory.open(workspace=demo, settings=settings, clock=lambda: NOW)


def on_read_path(record: Record) -> bool:
    return record.status is Status.ACTIVE and (record.expires_at is None or record.expires_at > NOW)


def test_tiers_are_full_enough_to_raise_alerts(records: list[Record]) -> None:
    tiers = Counter(record.tier for record in records if on_read_path(record))
    assert tiers[Tier.WORKING] == 18
    assert tiers[Tier.SHORT_TERM] == 87
    assert tiers[Tier.IMPORTANT] == 15
    assert 70 <= tiers[Tier.LONG_TERM] <= 80


def test_both_languages_have_their_half(records: list[Record]) -> None:
    scripts = Counter(script(record.content) for record in records)
    assert abs(scripts["cjk"] - scripts["latin"]) < 0.15 * len(records)


def test_everything_a_person_can_meet_is_there(records: list[Record]) -> None:
    assert {record.status for record in records} == set(Status)
    assert any(record.expires_at and record.expires_at <= NOW for record in records)
    kinds = Counter(dispute.kind for record in records for dispute in record.disputes)
    # those of branches lie in documents, not on records
    assert set(kinds) == set(DisputeKind) - {DisputeKind.BRANCH}
    assert kinds[DisputeKind.SAME_FIELD] == 3
    assert any("proposal" in record.metadata for record in records)
    agents = {stamp.actor for record in records for stamp in record.stamps.values()}
    assert agents == {"user", "system", "agent:claude", "agent:codex", "agent:gemini"}


def test_no_text_is_told_twice_and_none_is_a_secret(records: list[Record]) -> None:
    texts = [record.content for record in records]
    assert len(set(texts)) == len(texts)
    for record in records:
        assert scan(record.content) == [], record.content


def test_times_are_in_order(records: list[Record]) -> None:
    for record in records:
        assert record.created_at <= record.updated_at <= NOW
        if record.last_accessed is not None:
            assert record.created_at <= record.last_accessed <= NOW
        assert (record.last_accessed is None) == (record.access_count == 0)


def test_same_field_disputes_start_from_one_base(records: list[Record]) -> None:
    for record in records:
        for dispute in record.disputes:
            if dispute.kind is DisputeKind.SAME_FIELD:
                stamp = record.stamps[dispute.field]
                assert stamp.version > dispute.base_version
                assert dispute.current != dispute.incoming


def test_records_are_the_same_for_the_same_moment(records: list[Record]) -> None:
    assert demo_records(NOW) == records
    assert len({record.id for record in records}) == len(records)


@pytest.mark.parametrize("hour", [0, 9, 23])
def test_hit_rate_rises(hour: int) -> None:
    now = NOW.replace(hour=hour)
    searches = demo_searches(now)
    assert searches == sorted(searches, key=lambda search: search.at)
    assert searches[-1].at <= now
    week = [search.hit for search in searches if search.at > now - timedelta(days=7)]
    month = [search.hit for search in searches if search.at > now - timedelta(days=30)]
    assert 0.68 <= sum(week) / len(week) <= 0.76
    assert 0.63 <= sum(month) / len(month) <= 0.68


def test_hits_name_what_they_found(records: list[Record]) -> None:
    searches = demo_searches(NOW)
    known = {record.id for record in records}
    for search in searches:
        assert set(search.result_ids) <= known
        assert search.result_ids or not search.hit, search.query


def test_themes_name_every_active_record(records: list[Record]) -> None:
    themes = demo_themes(NOW)
    assert set(themes) == {record.id for record in records if record.status is Status.ACTIVE}
    assert len(set(themes.values())) > 15


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("on {{ 1 day ago }}", "on 2026-03-10"),
        ("{{ 12 days ago 10:20 }}", "2026-02-27T10:20:00Z"),
        ("{{ 52 minutes ago }}", "2026-03-11T13:38:00Z"),
    ],
)
def test_templates_get_their_dates(template: str, text: str) -> None:
    assert fill_in(template, NOW) == text


def test_workspace_documents_are_filled_in(demo: Path) -> None:
    documents = sorted((demo / "_omp" / "memory").rglob("*.yaml"))
    assert [path.name for path in documents] == [
        "changelog.yaml",
        "decisions.yaml",
        "project.yaml",
        "2026-02-27.yaml",
        "2026-03-06.yaml",
        "2026-03-10.yaml",
        "user-context.yaml",
    ]
    for path in documents:
        text = path.read_text("utf-8")
        assert not re.search(r"\{\{|\}\}", text), path
        assert isinstance(YAML(typ="safe", pure=True).load(text), dict)


def test_the_demos_settings_name_store_user_and_project(demo: Path) -> None:
    workspace = find_workspace(demo)
    assert workspace is not None
    read = read_settings(demo, user_file=demo / "none.yaml")
    assert (read.settings.app_id, read.refused) == ("acme_shop-api", ())
    settings = demo_settings(demo)
    assert settings.store.path == str(demo / STORE_FILE)
    assert (settings.user_id, settings.app_id) == ("ana", "acme_shop-api")


def test_pending_file_has_the_seed_format(demo: Path) -> None:
    content = YAML(typ="safe").load((demo / "_omp/memory/user-context.yaml").read_text("utf-8"))
    assert content["_degraded"] is True
    assert content["_reason"]
    assert len(content["pending_memories"]) == 4
    assert all({"text", "created_at"} <= set(entry) for entry in content["pending_memories"])


def test_store_holds_the_records_with_their_history(demo: Path, records: list[Record]) -> None:
    store = SqliteStore(demo / STORE_FILE)
    try:
        everything = Query(statuses=frozenset(Status), include_expired=True)
        stored = {record.id: record for record in store.iterate(everything, NOW)}
        assert stored == {record.id: record for record in records}
        for record in records:
            history = store.history(record.id)
            assert [entry.version for entry in history] == list(range(record.version, 0, -1))
            assert history[-1].before is None
            assert history[-1].at == record.created_at
            for dispute in record.disputes:
                opened = [entry for entry in history if entry.at >= dispute.incoming_at]
                assert any(
                    json_value(dispute) in (entry.after or {}).get("disputes", [])
                    for entry in opened
                )
    finally:
        store.close()


def test_open_disputes_are_those_that_the_rules_would_open(demo: Path) -> None:
    with open_offline(demo) as memory:
        report = memory.sync.run(dry_run=True)
        assert report.count("waiting") == 1
        assert report.count("asked", "renewed", "superseded") == 0


def test_pending_memories_would_do_different_things(demo: Path) -> None:
    with open_offline(demo) as memory:
        effects = [preview.effect for preview in memory.pending.previews()]
    assert effects == ["new", "new", "same", "contradiction"]


def test_newest_activity_is_of_several_actors(demo: Path) -> None:
    store = SqliteStore(demo / STORE_FILE)
    try:
        recent = store.acts(limit=12)
        assert len({act.actor for act in recent}) >= 4
        assert len({act.kind for act in recent}) >= 4
        assert all(act.records == len(store.entries(act.id)) for act in recent)
        assert [act.at for act in recent] == sorted((act.at for act in recent), reverse=True)
        assert [act.at for act in store.acts(limit=1000) if act.at > NOW] == []
        for act in store.acts(limit=1000):
            created = [entry for entry in store.entries(act.id) if entry.before is None]
            assert len(created) <= 1, "two memories were written in one act"
        assert len(store.searches(NOW - timedelta(days=31))) == len(demo_searches(NOW))
    finally:
        store.close()


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(UsageError, match="something is there already"):
        make_demo(tmp_path, NOW)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
