"""What a person can meet has a name: no error of the program's own, in any front end."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path

import pytest
from click.testing import CliRunner

import omp_core.mcp.tools  # noqa: F401 - fills TOOLS
from omp_core.cli import cli
from omp_core.errors import OmpError
from omp_core.mcp.registry import TOOLS, Call
from omp_core.memory import Memory
from omp_tui.app import DashboardApp

DEEP = "[" * 20_000
SCHEMA = '{"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/a"}}}'
COMMANDS = (
    ("list",),
    ("doctor",),
    ("health",),
    ("context",),
    ("validate",),
    ("configure", "--show"),
    ("fact", "set", "project.language", "Python"),
    ("decision", "add", "--title", "Runner", "--choice", "pytest"),
    ("session", "add", "--summary", "Wrote tests"),
)
SAYS = {"get_user_context": {}, "search_memories": {"query": "tests"}, "memory_stats": {}}


@pytest.fixture
def strange(tmp_path: Path, private_home: Path) -> Path:
    """A project with settings nested 20,000 deep and schemas that point to themselves."""
    schemas = tmp_path / "repo" / "_omp" / "memory" / "schema"
    schemas.mkdir(parents=True)
    (tmp_path / "repo" / "_omp" / "config.yaml").write_text(DEEP)
    for name in ("project", "decisions", "changelog", "session"):
        (schemas / f"{name}.schema.json").write_text(SCHEMA)
    (schemas.parent / "project.yaml").write_text("project:\n  database: PostgreSQL 16\n")
    return tmp_path / "repo"


def test_settings_nested_deep_and_schemas_without_end_stop_no_command(strange: Path) -> None:
    told = ""
    for command in COMMANDS:
        place = ("--workspace", str(strange), "--store", str(strange.parent / "store.db"))
        ran = CliRunner().invoke(cli, [*command, *place])
        assert ran.exception is None or isinstance(ran.exception, SystemExit), command
        assert "unexpected error" not in ran.output, (command, ran.output)
        assert ran.exit_code in (0, 1, 3), (command, ran.output)
        told += ran.output
    assert "levels deep" in told
    assert "language: Python" in (strange / "_omp" / "memory" / "project.yaml").read_text()


async def test_nor_a_tool_nor_the_dashboard(strange: Path) -> None:
    with Memory.open(workspace=strange, store=strange.parent / "store.db") as memory:
        call = Call(memory, nullcontext, lambda: None)
        for name, given in SAYS.items():
            assert TOOLS[name].answer(call, given)
        app = DashboardApp(memory)
        async with app.run_test() as pilot:
            await pilot.pause()
            assert app.is_running
        refused = [one.reason for one in memory.configuration.refused()]
        assert any("levels deep" in reason for reason in refused)


@pytest.mark.parametrize(
    "deep", ["user_id: " + DEEP, "{a: " * 20_000, "- " * 20_000, "? " * 20_000], ids="lmsk"
)
def test_the_users_own_settings_nested_deep_are_an_error_with_a_name(
    private_home: Path, own_settings: Path, tmp_path: Path, deep: str
) -> None:
    own_settings.write_text(deep)
    ran = CliRunner().invoke(cli, ["list", "--store", str(tmp_path / "store.db")])
    assert ran.exit_code == 2
    assert "unexpected error" not in ran.output
    assert "config.yaml" in ran.output
    with pytest.raises(OmpError, match=r"config\.yaml"):
        Memory.open(store=tmp_path / "store.db")


@pytest.mark.skipif(sys.platform == "win32", reason="a directory in use stays there")
@pytest.mark.parametrize("words", [["list"], ["init"], ["mcp"]])
def test_a_current_directory_that_was_removed_is_said(
    tmp_path: Path, private_home: Path, words: list[str]
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    script = "import os, shutil, sys; shutil.rmtree(os.getcwd()); "
    script += f"sys.argv = ['omp-tui', *{words}]; from omp_tui.__main__ import main; main()"
    ran = subprocess.run(
        [sys.executable, "-c", script],
        cwd=gone,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
    )
    said = ran.stdout + ran.stderr
    assert "unexpected" not in said
    assert "Traceback" not in said
    if words != ["mcp"]:  # its client names the directory, or each call says it
        assert "the current directory is gone" in ran.stderr
        assert ran.returncode == 2
