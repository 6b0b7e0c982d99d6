"""The Python example of the readmes runs as it stands."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize("readme", ["README.md", "README.zh-CN.md"])
def test_the_example_runs(readme: str, repository: Path, tmp_path: Path) -> None:
    text = (repository / readme).read_text("utf-8")
    (example,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    project = tmp_path / "project"
    project.mkdir()
    homes = ("DATA", "CONFIG", "STATE", "CACHE")
    private = {"HOME": str(tmp_path), **{f"XDG_{home}_HOME": str(tmp_path) for home in homes}}
    paths = os.pathsep.join(filter(None, [str(repository), os.environ.get("PYTHONPATH", "")]))
    done = subprocess.run(
        [sys.executable, "-c", example],
        cwd=project,
        env={**os.environ, **private, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found, left = done.stdout.splitlines()
    assert found == "['Deployments go out on Mondays']"
    assert left == "1"
