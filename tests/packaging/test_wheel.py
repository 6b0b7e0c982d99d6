from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

import omp_core

Run = Callable[..., str]


def test_wheel_holds_both_packages_typed_and_the_assets(wheel: Path, repository: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {"omp_core/py.typed", "omp_tui/py.typed"} <= names
    shipped = {
        f"omp_core/_assets/{path.relative_to(repository / 'assets').as_posix()}"
        for path in (repository / "assets").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert shipped
    assert shipped <= names
    sources = {
        path.relative_to(repository).as_posix()
        for package in ("omp_core", "omp_tui")
        for pattern in ("*.py", "*.tcss", "*.json")
        for path in (repository / package).rglob(pattern)
    }
    assert sources <= names


def test_installed_package_is_not_the_checkout(installed_python: Run, site_packages: Path) -> None:
    found = installed_python("import omp_core; print(omp_core.__file__)")
    assert Path(found.strip()).is_relative_to(site_packages)


def test_assets_are_found_from_the_installed_wheel(
    installed_python: Run, site_packages: Path
) -> None:
    code = "from omp_core.assets import assets_path; print(assets_path('demo', 'searches.yaml'))"
    found = Path(installed_python(code).strip())
    assert found == site_packages / "omp_core" / "_assets" / "demo" / "searches.yaml"
    assert found.is_file()


def test_installed_demo_is_made(installed_python: Run, tmp_path: Path) -> None:
    code = (
        "import sys; from datetime import UTC, datetime; from pathlib import Path\n"
        "from omp_core.demo import make_demo\n"
        "make_demo(Path(sys.argv[1]), datetime.now(UTC))"
    )
    installed_python(code, str(tmp_path / "demo"))
    assert (tmp_path / "demo" / "_omp" / "memory" / "project.yaml").is_file()


def test_installed_command_prints_its_version(installed_command: Run) -> None:
    assert omp_core.__version__ in installed_command("--version")
