"""What `init` lays out: complete, valid, private things ignored, links alive, scripts working."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from omp_core.project.workspace import Workspace, find_workspace, init_workspace
from omp_core.settings import Settings
from omp_core.settings_files import load_settings, read_settings

SCRIPT = "skills/memory-extraction/scripts/validate.sh"


@pytest.fixture
def fresh(tmp_path: Path) -> Workspace:
    init_workspace(tmp_path)
    return Workspace(tmp_path)


def test_everything_the_design_names_is_there(fresh: Workspace) -> None:
    made = {file.relative_to(fresh.omp).as_posix() for file in fresh.omp.rglob("*")}
    skill = "skills/memory-extraction"
    assert made >= {
        ".gitignore",
        "config.yaml",
        "commands/memory.md",
        f"{skill}/SKILL.md",
        f"{skill}/templates/memory-entry.yaml.tmpl",
        f"{skill}/references/classification-rules.md",
        f"{skill}/references/rot-filter.md",
        f"{skill}/references/decay-model.md",
        f"{skill}/references/health-score.md",
        SCRIPT,
        "memory/project.yaml",
        "memory/decisions.yaml",
        "memory/changelog.yaml",
        "memory/sessions/.gitkeep",
        "memory/themes/.gitkeep",
        "memory/schema/project.schema.json",
        "memory/schema/decisions.schema.json",
        "memory/schema/session.schema.json",
    }
    assert len(list((fresh.omp / "commands/memory-actions").glob("*.md"))) == 7
    assert os.access(fresh.omp / SCRIPT, os.X_OK)
    assert find_workspace(fresh.memory / "sessions") == fresh


def test_git_ignores_what_is_private_and_nothing_else(fresh: Workspace) -> None:
    subprocess.run(["git", "init", "-q", str(fresh.root)], check=True)
    private = [
        "_omp/memory/.backup/project.yaml/20260301T000000.000000Z.yaml",
        "_omp/memory/user-context.yaml",
        "_omp/memory/.project.yaml.lock",
        "_omp/memory/sessions/.2026-03-01.yaml.4711.tmp",
    ]
    public = ["_omp/memory/project.yaml", "_omp/memory/sessions/2026-03-01.yaml", f"_omp/{SCRIPT}"]
    done = subprocess.run(
        ["git", "check-ignore", *private, *public], cwd=fresh.root, capture_output=True, text=True
    )
    assert done.stdout.split("\n")[:-1] == private


def test_links_between_the_files_lead_somewhere(fresh: Workspace) -> None:
    found = 0
    for file in fresh.omp.rglob("*.md"):
        for target in re.findall(r"\]\(([^)#]+)\)", file.read_text("utf-8")):
            found += 1
            assert (file.parent / target).is_file(), f"{file.name} links to {target}"
    assert found > 15


def test_the_skill_has_a_head_that_agents_read(fresh: Workspace) -> None:
    from ruamel.yaml import YAML

    for name, key in [(f"{Path(SCRIPT).parents[1]}/SKILL.md", "name"), ("commands/memory.md", "")]:
        text = (fresh.omp / name).read_text("utf-8")
        head = YAML(typ="safe", pure=True).load(text.split("---\n")[1])
        assert 20 < len(head["description"]) < 1024
        assert not key or head[key] == "memory-extraction"


def test_the_commented_settings_are_the_defaults(fresh: Workspace) -> None:
    nobody = fresh.root / "none.yaml"
    assert load_settings(fresh.root, user_file=nobody) == Settings()
    text = fresh.config_file.read_text("utf-8")
    lines = [line[2:] for line in text.split("\n") if re.match(r"# ( *)\w+:( |$)", line)]
    assert len(lines) > 8
    fresh.config_file.write_text("\n".join(lines), encoding="utf-8")
    shown = read_settings(fresh.root, user_file=nobody)
    assert shown.refused == ()
    assert msgspec.to_builtins(shown.settings) == msgspec.to_builtins(Settings())


def test_a_config_of_openmemory_plus_is_no_error(fresh: Workspace) -> None:
    fresh.config_file.write_text(
        'version: "2.0"\nmemory:\n  teamSharedPath: "memory/"\nteam:\n  name: x\n'
        "themes:\n  split_above: 5\n"
    )
    read = read_settings(fresh.root, user_file=fresh.root / "none")
    assert (read.settings.themes.split_above, read.refused) == (5, ())


def tools(folder: Path, *names: str) -> dict[str, str]:
    """An environment whose PATH has the named programs and nothing else."""
    folder.mkdir()
    for name in names:
        found = shutil.which(name)
        assert found is not None
        (folder / name).symlink_to(found)
    return {"PATH": str(folder)}


BASICS = ("sh", "dirname", "readlink", "cut", "grep")


def run_script(
    workspace: Workspace, environment: dict[str, str], *files: str
) -> tuple[int, str, str]:
    shell = shutil.which("sh", path=environment["PATH"]) or "/bin/sh"
    done = subprocess.run(
        [shell, str(workspace.omp / SCRIPT), *files],
        capture_output=True,
        text=True,
        env=environment,
        cwd=workspace.root,
    )
    return done.returncode, done.stdout, done.stderr


def python_without(folder: Path, *modules: str) -> None:
    """Put a python3 into the folder that cannot import the modules."""
    blocked = "".join(f"sys.modules['{module}'] = None; " for module in modules)
    (folder / "python3").write_text(
        f"#!{sys.executable}\nimport sys; {blocked}\n"
        "sys.argv = sys.argv[1:]\nexec(compile(sys.stdin.read(), '-', 'exec'))\n"
    )
    (folder / "python3").chmod(0o755)


@pytest.mark.parametrize(
    "without", [(), ("ruamel", "ruamel.yaml"), ("ruamel", "ruamel.yaml", "yaml")]
)
def test_the_script_works_without_this_package(
    fresh: Workspace, tmp_path: Path, without: tuple[str, ...]
) -> None:
    environment = tools(tmp_path / "bin", *BASICS)
    python_without(tmp_path / "bin", *without)
    assert run_script(fresh, environment)[:2] == (0, "")
    fresh.decisions_file.write_text("decisions:\n\t- x\n")
    fresh.changelog_file.write_text("a: 1\n<<<<<<< HEAD\nb: 2\n=======\n>>>>>>> theirs\n")
    fresh.project_file.write_text("a: 1\nb: 2\na: 3\n")
    (fresh.sessions / "2026-03-01.yaml").write_bytes(b"a: \xff\n")
    code, out, _ = run_script(fresh, environment)
    places = [line.removeprefix(f"{fresh.memory}/").split(": ")[0] for line in out.splitlines()]
    expected = ["changelog.yaml:2:1", "decisions.yaml:2:1", "sessions/2026-03-01.yaml:1:1"]
    assert code == 1
    assert [place for place in places if place in expected] == expected
    assert ("twice" in out or "duplicate key" in out) == ("yaml" not in without)


def test_the_script_works_without_python(fresh: Workspace, tmp_path: Path) -> None:
    environment = tools(tmp_path / "bin", *BASICS)
    code, out, warning = run_script(fresh, environment)
    assert (code, out) == (0, "")
    assert "only the worst is checked" in warning
    fresh.decisions_file.write_text("decisions:\n\t- x\n")
    fresh.changelog_file.write_text("a: 1\n<<<<<<< HEAD\nb: 2\n")
    code, out, _ = run_script(fresh, environment)
    assert code == 1
    assert f"{fresh.decisions_file}:2:1: a tab" in out
    assert f"{fresh.changelog_file}:2:1: a merge conflict" in out


def test_the_script_hands_over_to_the_package(fresh: Workspace, tmp_path: Path) -> None:
    environment = tools(tmp_path / "bin", *BASICS, "printf")
    command = tmp_path / "bin" / "omp-tui"
    command.write_text('#!/bin/sh\nprintf "%s " "$@"\nexit 1\n')
    command.chmod(0o755)
    code, out, _ = run_script(fresh, environment, "_omp/memory/project.yaml")
    assert code == 1
    assert out == f"validate --workspace {fresh.root} _omp/memory/project.yaml "


def test_the_script_knows_its_own_place_through_a_link(fresh: Workspace, tmp_path: Path) -> None:
    hook = tmp_path / "pre-commit"
    hook.symlink_to(fresh.omp / SCRIPT)
    environment = tools(tmp_path / "bin", *BASICS)
    python_without(tmp_path / "bin")
    done = subprocess.run(["/bin/sh", str(hook)], env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert run_script(fresh, environment, "no-such-file")[0] == 2
