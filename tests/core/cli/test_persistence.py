"""save, load, configure."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import pytest
from core.cli.conftest import Run


@pytest.fixture
def saved(omp: Run, tmp_path: Path) -> Path:
    """A saved memory with versions, an open dispute, tags, metadata, a reading, an archived one."""
    first = omp("add", "the web port is 8080", "--tag", "web", "--meta", "n=2.50", "--json").json
    omp("update", first["id"], "--content", "the port is 9090", "--based-on", "1")
    omp("update", first["id"], "--content", "the port is 7070", "--based-on", "1", code=3)
    omp("show", first["id"])
    omp("add", "用户喜欢深色主题 🌙", "--tier", "important", "--user", "ana")
    file = tmp_path / "memory.json"
    omp("save", file)
    return file


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """The file of another store, which is not there yet."""
    return tmp_path / "other.db"


def everything(omp: Run, store: Path) -> list[str]:
    """Every record of a store, as it exports them."""
    return sorted(omp("export", "--store", store).out.splitlines()[1:])


def test_what_is_saved_comes_back_whole_in_an_empty_store(
    omp: Run, omp_process: Run, saved: Path, tmp_path: Path
) -> None:
    assert stat.S_IMODE(saved.stat().st_mode) == 0o600
    document = json.loads(saved.read_text())
    assert (document["omp_tui_saved"], document["count"]) == (1, 2)
    assert any(record["disputes"] for record in document["records"])
    loaded = json.loads(omp_process("load", str(saved), "--store", "other.db", "--json").out)
    assert (loaded["added"], loaded["refused"]) == (2, 0)
    assert everything(omp, tmp_path / "other.db") == everything(omp, tmp_path / "store.db")


def test_import_knows_the_file_by_itself(omp: Run, other: Path, saved: Path) -> None:
    ran = omp("import", saved, "--store", other, "--json")
    assert ran.json["format"] == "omp-tui-saved"


def test_loading_takes_held_records_back_to_what_was_saved_and_undo_forth_again(
    omp: Run, saved: Path
) -> None:
    record = omp("list", "--json").json["records"][-1]
    omp("update", record["id"], "--content", "something else", "--tag", "new")
    report = omp("load", saved, "--json").json
    assert report["overwritten"] == 2
    assert omp("show", record["id"], "--json").json["content"] == record["content"]
    omp("undo")
    assert omp("show", record["id"], "--json").json["content"] == "something else"


def test_a_dry_run_and_skip_change_nothing(omp: Run, saved: Path) -> None:
    record = omp("list", "--json").json["records"][-1]
    omp("update", record["id"], "--content", "something else")
    assert omp("load", saved, "--dry-run", "--json").json["overwritten"] == 2
    assert omp("load", saved, "--on-existing", "skip", "--json").json["skipped"] == 2
    assert omp("show", record["id"], "--json").json["content"] == "something else"


def test_records_of_one_text_stay_two(omp: Run, other: Path, tmp_path: Path) -> None:
    first = omp("add", "the port is 8080", "--json").json["id"]
    omp("add", "the port is 9090", "--force")
    omp("update", omp("list", "--json").json["records"][0]["id"], "--content", "the port is 8080")
    file = tmp_path / "memory.json"
    omp("save", file)
    loaded = omp("load", file, "--store", other, "--json").json
    assert first
    assert loaded["added"] == 2


def _cut(raw: bytes) -> bytes:
    return raw[: len(raw) // 2]


def _fewer(raw: bytes) -> bytes:
    document = json.loads(raw)
    return json.dumps({**document, "records": document["records"][:1]}).encode()


def _newer(raw: bytes) -> bytes:
    return raw.replace(b'"omp_tui_saved":1', b'"omp_tui_saved":2')


@pytest.mark.parametrize(
    ("harm", "word"),
    [
        (_cut, "not whole"),
        (lambda raw: raw[:-3], "not whole"),
        (lambda raw: raw.replace(b"9090", b"9091"), "checksum"),
        (_fewer, "holds"),
        (_newer, "Update omp-tui"),
        (lambda raw: b'{"a": 1}', "omp-tui save"),
        (lambda raw: b"[1, 2]", "omp-tui save"),
        (lambda raw: b"\xff\xfe\x00", "not whole"),
        (lambda raw: b"", "empty"),
    ],
)
def test_a_file_that_is_not_whole_is_refused_and_nothing_is_written(
    omp: Run, other: Path, saved: Path, harm: Any, word: str
) -> None:
    saved.write_bytes(harm(saved.read_bytes()))
    ran = omp("load", saved, "--store", other, code=1)
    assert word in ran.err
    assert "Traceback" not in ran.err
    assert len(everything(omp, other)) == 1  # the last line of an empty export


def test_a_reformatted_file_is_still_whole(omp: Run, other: Path, saved: Path) -> None:
    document = json.loads(saved.read_text())
    saved.write_text(json.dumps(document, indent=4, ensure_ascii=True))
    omp("load", saved, "--store", other)


def test_saving_replaces_the_whole_file_or_nothing(omp: Run, saved: Path, tmp_path: Path) -> None:
    before = saved.read_bytes()
    saved.chmod(0o644)
    omp("add", "one more about editors")
    omp("save", saved)
    assert json.loads(saved.read_text())["count"] == 3
    assert stat.S_IMODE(saved.stat().st_mode) == 0o600
    saved.write_bytes(before)
    omp("save", saved, "--store", tmp_path, code=1)  # no database
    assert saved.read_bytes() == before
    ran = omp("save", tmp_path / "no-such-folder" / "x.json", code=1)
    assert "no-such-folder" in ran.err
    assert not list(tmp_path.rglob("*.tmp"))


# configure

CONFIG = """\
# ours
tiers:
  working_capacity: 20   # small

# the rest stays
language: en
"""


@pytest.fixture
def config(own_settings: Path) -> Path:
    own_settings.write_text(CONFIG)
    return own_settings


def test_a_setting_is_changed_with_the_comments_kept_and_takes_effect(
    omp: Run, config: Path
) -> None:
    omp("configure", "tiers.working_capacity=3")
    assert config.read_text() == CONFIG.replace("20", "3")
    assert omp("stats", "--json").json["tiers"]["working"]["limit"] == 3
    omp("configure", "search.limit=4", "--unset", "tiers.working_capacity")
    assert omp("stats", "--json").json["tiers"]["working"]["limit"] == 20
    assert "# the rest stays" in config.read_text()


@pytest.mark.parametrize(
    ("setting", "word"),
    [
        ("tiers.working_capcity=3", "working_capacity"),
        ("teirs.working_capacity=3", "tiers"),
        ("tiers.working_capacity=many", "int"),
        ("language=fr", "language"),
        ("tiers=5", "tiers"),
        ("nothing", "KEY=VALUE"),
        ("embed.model=no-such-model", "no-such-model"),
        ("semantic.path=./x", "semantic.path"),
    ],
)
def test_a_wrong_key_or_value_changes_nothing_and_is_explained(
    omp: Run, config: Path, setting: Any, word: str
) -> None:
    assert word in omp("configure", "search.limit=4", setting, code=2).err
    assert config.read_text() == CONFIG


@pytest.mark.parametrize("name", ["qdrant", "chroma", "lancedb"])
def test_vector_databases_are_plainly_not_available(omp: Run, config: Path, name: str) -> None:
    ran = omp("configure", f"semantic.provider={name}", code=2)
    assert f"{name} is not available in this version" in ran.err
    assert config.read_text() == CONFIG
    config.write_text(f"semantic: {{provider: {name}}}\n")
    assert "not available in this version" in omp("list", code=2).err


def test_without_semantics_no_model_is_loaded_and_searches_go_by_words(
    omp: Run, config: Path
) -> None:
    omp("add", "the deployment uses docker")
    assert omp("search", "docker", "--mode", "semantic", "--json").json.get("degraded") is None
    omp("configure", "semantic.provider=none")
    answer = omp("search", "docker", "--mode", "semantic", "--json").json
    assert [hit["content"] for hit in answer["hits"]] == ["the deployment uses docker"]
    assert "no vectors" in answer["degraded"]
    found = [one for one in omp("doctor", "--json").json if one["name"] == "vectors"]
    assert [one["ok"] for one in found] == [True]
    assert "semantic.provider=builtin" in found[0]["remedy"]


def test_the_seeds_name_of_the_model_is_ours(omp: Run, config: Path) -> None:
    omp("configure", "semantic.embeddingModel=all-MiniLM-L6-v2")
    assert "model: sentence-transformers/all-MiniLM-L6-v2" in config.read_text()
    omp("configure", "semantic.embeddingModel=offline")
    assert "model: offline" in config.read_text()


def test_what_a_project_may_set_comes_before_the_users_own(
    omp: Run, private_home: Path, tmp_path: Path
) -> None:
    (tmp_path / "_omp").mkdir()
    omp("configure", "--user", "themes.split_above=7", "tiers.short_term_capacity=70")
    (own,) = private_home.rglob("config.yaml")
    assert stat.S_IMODE(own.stat().st_mode) == 0o600
    omp("configure", "themes.split_above=9")
    config = tmp_path / "_omp" / "config.yaml"
    assert config.read_text() == "themes:\n  split_above: 9\n"
    shown = {one["key"]: one for one in omp("configure", "--show", "--json").json}
    assert shown["themes.split_above"]["value"] == 9
    assert shown["themes.split_above"]["source"] == str(config)
    assert shown["tiers.short_term_capacity"]["value"] == 70
    assert shown["tiers.short_term_capacity"]["source"] == str(own)
    assert shown["embed.model"] == {"key": "embed.model", "value": "auto", "source": "default"}
    omp("configure", "--user", "--unset", "themes.split_above")
    assert "short_term_capacity: 70" in own.read_text()


def test_settings_of_project_and_person_are_not_set_in_one_go(
    omp: Run, config: Path, tmp_path: Path
) -> None:
    (tmp_path / "_omp").mkdir()
    assert "--user" in omp("configure", "app_id=shop", "search.limit=4", code=2).err
    assert config.read_text() == CONFIG
    assert not (tmp_path / "_omp" / "config.yaml").exists()


def test_a_text_may_look_like_a_number(omp: Run, config: Path) -> None:
    omp("configure", "user_id=123")
    shown = {one["key"]: one["value"] for one in omp("configure", "--show", "--json").json}
    assert shown["user_id"] == "123"
    omp("configure", "user_id=null")
    shown = {one["key"]: one["value"] for one in omp("configure", "--show", "--json").json}
    assert shown["user_id"] is None


def test_without_a_workspace_the_users_settings_are_named(omp: Run) -> None:
    assert "--user" in omp("configure", "app_id=shop", code=2).err
    assert "--show" in omp("configure", code=2).err
