"""Who may set what: the user everything, a repository the few things of its own."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from omp_core.errors import SettingsError
from omp_core.settings import Settings
from omp_core.settings_files import MOST_REFUSED, is_of_project, load_settings, read_settings

OF_A_PROJECT = {
    "app_id",
    "documents.backups_kept",
    *(f"themes.{name}" for name in msgspec.structs.asdict(Settings().themes)),
}
"""What the design lets a repository set (section 3)."""


def flat(section: Any, above: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in section.items():
        if isinstance(value, dict) and value:
            yield from flat(value, f"{above}{name}.")
        else:
            yield f"{above}{name}", value


ALL = dict(flat(msgspec.to_builtins(Settings())))


def project(tmp_path: Path, text: str | bytes) -> Path:
    (tmp_path / "_omp").mkdir(exist_ok=True)
    raw = text.encode() if isinstance(text, str) else text
    (tmp_path / "_omp" / "config.yaml").write_bytes(raw)
    return tmp_path


def test_the_short_list_is_the_designs() -> None:
    assert {key for key in ALL if is_of_project(key)} == OF_A_PROJECT


@pytest.mark.parametrize("key", sorted(set(ALL) - OF_A_PROJECT))
def test_a_repository_sets_nothing_of_the_persons_and_is_named(key: str, tmp_path: Path) -> None:
    value = ALL[key]
    other: dict[type, Any] = {
        str: "evil",
        int: 3,
        float: 0.5,
        bool: not value,
        type(None): "/evil",
        list: ["evil"],
        tuple: ["evil"],
    }
    changed: Any = other.get(type(value), {})
    closed: dict[str, Any] = {
        "language": "zh",
        "semantic.provider": "none",
        "access": [{"actor": "agent:*", "may": "none"}],
    }
    changed = closed.get(key, changed)
    for part in reversed(key.split(".")):
        changed = {part: changed}
    root = project(tmp_path, msgspec.yaml.encode(changed))
    read = read_settings(root, user_file=tmp_path / "none")
    assert read.settings == Settings()
    (refused,) = read.refused
    assert refused.key.startswith(key)
    assert "repository" in refused.reason


def test_what_is_a_projects_holds_beside_what_is_refused(tmp_path: Path) -> None:
    text = "app_id: shop\nthemes: {split_above: 5}\nstore: {path: x, backups_kept: 0}\n"
    read = read_settings(project(tmp_path, text), user_file=tmp_path / "none")
    assert (read.settings.app_id, read.settings.themes.split_above) == ("shop", 5)
    assert [one.key for one in read.refused] == ["store.path", "store.backups_kept"]


@pytest.mark.parametrize(
    ("text", "key", "word"),
    [
        ("themes: {split_abov: 5}", "themes.split_abov", "split_above"),
        ("themes: {split_above: 0}", "themes.split_above", ">= 1"),
        ("documents: {backups_kept: 0}", "documents.backups_kept", ">= 1"),
        ("themes: {attach_from: 7}", "themes.attach_from", "<= 1"),
        ("themes: 5", "themes", "object"),
        ("app_id: ''", "app_id", "length"),
        ("app_id: [1", "", "expected"),
        ("- 1", "", "mapping"),
        (b"\xff\xfea", "", "UTF-16"),
        ("a: &a {b: *a}", "", "points to itself"),
        ("[" * 20_000, "", "levels deep"),
        ("a: " + "{a: " * 20_000, "", "levels deep"),
        ("!!python/object/apply:os.system [touch /evil]", "", "mapping"),
    ],
)
def test_what_a_project_gets_wrong_is_named_and_stops_nothing(
    text: str | bytes, key: str, word: str, tmp_path: Path
) -> None:
    read = read_settings(project(tmp_path, text), user_file=tmp_path / "none")
    assert read.settings == Settings()
    (refused,) = read.refused
    assert refused.key == key
    assert word in refused.reason


def test_the_refused_are_no_flood(tmp_path: Path) -> None:
    text = "".join(f"key{number}: 1\n" for number in range(500))
    read = read_settings(project(tmp_path, text), user_file=tmp_path / "none")
    assert len(read.refused) == MOST_REFUSED


@pytest.mark.parametrize(
    "text",
    [
        "store: {backups_kept: 0}",
        "store: {busy_timeout_s: -1}",
        "tiers: {working_capacity: 0}",
        "duplicates: {propose_from: 1.5}",
        "decay: {base_days: -3}",
        "store: {search_log_days: 0}",
        "search: {profiles: {mine: {keyword: 2, semantic: 0, recency: 0, importance: 0}}}",
        "no_such: 1",
        "[" * 20_000,
    ],
)
def test_a_wrong_value_of_the_users_own_is_an_error(text: str, tmp_path: Path) -> None:
    own = tmp_path / "config.yaml"
    own.write_text(text)
    with pytest.raises(SettingsError, match=r"config\.yaml"):
        load_settings(user_file=own)


def test_a_dangling_link_makes_nothing_and_is_named(tmp_path: Path) -> None:
    (tmp_path / "repo" / "_omp").mkdir(parents=True)
    (tmp_path / "repo" / "_omp" / "config.yaml").symlink_to(tmp_path / "outside.yaml")
    (refused,) = read_settings(tmp_path / "repo", user_file=tmp_path / "none").refused
    assert "leads out" in refused.reason
    assert not (tmp_path / "outside.yaml").exists()


def test_the_users_own_file_may_be_a_link(tmp_path: Path) -> None:
    (tmp_path / "dotfiles.yaml").write_text("search: {limit: 3}\n")
    (tmp_path / "config.yaml").symlink_to(tmp_path / "dotfiles.yaml")
    assert load_settings(user_file=tmp_path / "config.yaml").search.limit == 3
