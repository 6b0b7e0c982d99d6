"""The demo's `_omp/` folder: templates whose dates are written as days before now."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from pathlib import Path

from omp_core.assets import assets_path

_SUFFIX = ".tmpl"
_DAY = re.compile(r"\{\{ (\d+) days? ago \}\}")
_INSTANT = re.compile(r"\{\{ (\d+) days? ago (\d\d:\d\d) \}\}")
_MINUTES = re.compile(r"\{\{ (\d+) minutes? ago \}\}")
_DATED_NAME = re.compile(r"(\d+)-days-ago")


def lay_out(root: Path, now: datetime) -> list[Path]:
    """Write the workspace under `root` and return its files."""
    source = assets_path("demo", "workspace")
    written = []
    for template in sorted(source.rglob(f"*{_SUFFIX}")):
        relative = template.relative_to(source)
        name = _DATED_NAME.sub(
            lambda match: _day(now, match[1]), relative.name.removesuffix(_SUFFIX)
        )
        target = root / relative.with_name(name)
        target.parent.mkdir(parents=True, exist_ok=True)
        text = fill_in(template.read_text("utf-8"), now)
        target.write_text(text, "utf-8")
        written.append(target)
    return written


def fill_in(text: str, now: datetime) -> str:
    """Return a template's text with its days, instants and minutes before now as dates."""
    text = _DAY.sub(lambda match: _day(now, match[1]), text)
    text = _INSTANT.sub(lambda match: f"{_day(now, match[1])}T{match[2]}:00Z", text)
    return _MINUTES.sub(
        lambda match: f"{now - timedelta(minutes=int(match[1])):%Y-%m-%dT%H:%M:%SZ}", text
    )


def _day(now: datetime, days_ago: str) -> str:
    return (now - timedelta(days=int(days_ago))).date().isoformat()
