"""A throw-away workspace and store, filled with the memory of an invented project.

The data lies in `assets/demo/`; every time in it is relative to the moment of the making.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import msgspec

from omp_core.demo.acts import batches
from omp_core.demo.entries import APP_ID, USER_ID, DemoEntry, load_entries
from omp_core.demo.searches import searches
from omp_core.demo.story import Story
from omp_core.demo.workspace import lay_out
from omp_core.errors import UsageError
from omp_core.i18n import _
from omp_core.model import Record, SearchLog
from omp_core.settings import Settings

STORE_FILE = "store.db"
_BEFORE_ALL = timedelta(days=365)


def make_demo(path: Path, now: datetime) -> Path:
    """Build workspace and user store in a new or empty folder, and return the store's file.

    Whoever opens it takes `demo_settings`: a repository names no store and no user.
    Vectors are left to the first program that opens the store. Raises UsageError when
    something is there already.
    """
    from omp_core.memory import Memory
    from omp_core.store.sqlite import SqliteStore

    root = path.absolute()
    if root.exists() and (not root.is_dir() or any(root.iterdir())):
        raise UsageError(
            _("{path}: something is there already; name a new or empty folder").format(path=path)
        )
    root.mkdir(parents=True, exist_ok=True)
    file = root / STORE_FILE
    lay_out(root, now)
    settings = demo_settings(root)
    with Memory.open(
        workspace=root, store=file, settings=settings, clock=lambda: now - _BEFORE_ALL
    ) as memory:
        memory.overview()  # mirrors the documents before anything else happens in the journal
    store = SqliteStore(file, workspace=str(root))
    try:
        for batch in batches(Story(_entries(), now).lives()):
            store.commit(batch)
        for search in demo_searches(now):
            store.log_search(search)
    finally:
        store.close()
    return file


def demo_settings(root: Path, settings: Settings | None = None) -> Settings:
    """Return settings with the demo's user, project, and store in its folder `root`."""
    settings = settings or Settings()
    store = msgspec.structs.replace(settings.store, path=str(root.absolute() / STORE_FILE))
    return msgspec.structs.replace(settings, store=store, user_id=USER_ID, app_id=APP_ID)


def demo_records(now: datetime) -> list[Record]:
    """Return the demo's records as they are at that moment."""
    lasts = [life[-1].after for life in Story(_entries(), now).lives()]
    return [record for record in lasts if record is not None]


def demo_searches(now: datetime) -> list[SearchLog]:
    """Return the demo's journalled searches of the last 30 days, the oldest first."""
    return searches(demo_records(now), now)


def demo_themes(now: datetime) -> dict[str, str]:
    """Return the theme that a person would file each active record under, by record id."""
    themes = load_entries()
    story = Story(_entries(), now)
    return {
        story.id_of(entry): theme
        for theme, entries in themes.items()
        for entry in entries
        if entry.status == "active" and entry.deleted is None
    }


def _entries() -> list[DemoEntry]:
    return [entry for entries in load_entries().values() for entry in entries]
