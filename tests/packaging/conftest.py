from __future__ import annotations

import subprocess
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., str]
REPOSITORY = Path(__file__).parents[2]


def run(command: list[str], *, cwd: Path) -> str:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="session")
def repository() -> Path:
    return REPOSITORY


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder)]
    run([*build, str(REPOSITORY)], cwd=folder)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="session")
def venv(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh virtual environment that holds the wheel.

    The dependencies come from the environment that runs the tests, so that no network is
    needed; the checkout itself, should it be installed there in place, is not seen.
    """
    folder = tmp_path_factory.mktemp("venv")
    run([sys.executable, "-m", "venv", "--without-pip", str(folder)], cwd=folder)
    install = [sys.executable, "-m", "pip", "--python", str(folder / "bin" / "python"), "install"]
    run([*install, "--quiet", "--no-deps", "--no-index", str(wheel)], cwd=folder)
    # a path in a .pth file is searched last, and the .pth files that lie there are not read
    (site_of(folder) / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return folder


@pytest.fixture(scope="session")
def site_packages(venv: Path) -> Path:
    return site_of(venv)


def site_of(venv: Path) -> Path:
    scheme = {"base": str(venv), "platbase": str(venv)}
    return Path(sysconfig.get_path("purelib", vars=scheme))


@pytest.fixture(scope="session")
def installed_python(venv: Path) -> Run:
    """Runs code with arguments in the fresh environment, away from the checkout."""

    def python(code: str, *arguments: str) -> str:
        return run([str(venv / "bin" / "python"), "-I", "-c", code, *arguments], cwd=venv)

    return python


@pytest.fixture(scope="session")
def installed_command(venv: Path) -> Run:
    """Runs `omp-tui` of the fresh environment, away from the checkout."""

    def command(*arguments: str) -> str:
        return run([str(venv / "bin" / "omp-tui"), *arguments], cwd=venv)

    return command
