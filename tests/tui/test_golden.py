"""Every mode as it stands on the screen, against pictures of it in `golden/`.

A picture is the characters, trailing blanks cut, and a digest of all colours and styles. After a
change that is meant, `OMP_UPDATE_GOLDEN=1 pytest -n 0 tests/tui/test_golden.py` writes them anew;
the difference is to be looked at as carefully as code.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tui.driven import Driven

from omp_core.i18n import use_language
from omp_tui.app import DashboardApp
from omp_tui.modes import MODES
from omp_tui.samples import SAMPLE_TIME, Sample, make_sample, open_sample
from omp_tui.snapshot import is_still

GOLDEN = Path(__file__).parent / "golden"
SIZES = ((80, 24), (120, 40))
DARK, LIGHT = "textual-dark", "textual-light"


@pytest.fixture(autouse=True)
def _world_time(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The clock of the screen is in the reader's time zone."""
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "UTC")
        time.tzset()
        yield
    time.tzset()


@pytest.fixture
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    """Show all texts in a language during a test."""
    before = os.environ.get("OMP_LANG")
    use_language(request.param)
    yield request.param
    use_language(before or "auto")


def digest(seen: Driven) -> str:
    """Return what tells one colouring of the screen from another."""
    runs = [
        (len(part.text), str(part.style))
        for strip in seen.app.screen._compositor.render_strips()
        for part in strip
    ]
    return hashlib.sha256(repr(runs).encode()).hexdigest()[:12]


def compare(name: str, found: str) -> None:
    """Hold a picture against the one that was kept, or keep it."""
    file = GOLDEN / f"{name}.txt"
    if os.environ.get("OMP_UPDATE_GOLDEN"):
        GOLDEN.mkdir(exist_ok=True)
        file.write_text(found, encoding="utf-8")
    assert found.splitlines() == file.read_text(encoding="utf-8").splitlines(), name


@pytest.mark.parametrize(
    ("sample", "language"),
    [(Sample.DEMO, "en"), (Sample.DEMO, "zh"), (Sample.EMPTY, "en"), (Sample.DEGRADED, "en")],
    indirect=["language"],
)
async def test_every_mode_looks_as_it_did(sample: Sample, language: str, tmp_path: Path) -> None:
    root = tmp_path / "shop-api"
    make_sample(sample, root)
    name = f"{sample}-{language}"
    with open_sample(sample, root) as memory:
        app = DashboardApp(memory, now=lambda: SAMPLE_TIME, look_every_s=3600)
        async with app.run_test(size=SIZES[0]) as pilot:
            seen = Driven(app, pilot)
            for columns, rows in SIZES:
                await pilot.resize_terminal(columns, rows)
                pictures, colours = [], []
                for mode in MODES:
                    app.theme = DARK
                    await app.go(mode.name)
                    await pilot.pause()
                    await seen.until(lambda: is_still(app))
                    await pilot.pause()
                    text = seen.text
                    lines = "\n".join(line.rstrip() for line in text.splitlines())
                    pictures.append(f"== {mode.name} · {digest(seen)}\n{lines}\n")
                    if (sample, language) == (Sample.DEMO, "en"):
                        app.theme = LIGHT
                        await pilot.pause()
                        await seen.until(lambda: is_still(app))
                        assert seen.text == text, "another theme says something else"
                        colours.append(f"{mode.name} · {digest(seen)}\n")
                compare(f"{name}-{columns}x{rows}", "".join(pictures))
                if colours:
                    compare(f"{name}-{columns}x{rows}-light", "".join(colours))
