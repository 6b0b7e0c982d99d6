"""Where a memory's theme book lies, and how it is read, changed, journalled and undone."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from omp_core.errors import StoreError
from omp_core.i18n import _
from omp_core.model import JournalEntry, Receipt, Scope
from omp_core.project.backups import BackupFolder
from omp_core.project.theme_book import OpenBook, ThemeBookFile
from omp_core.rules import themes as rules
from omp_core.rules.themes import Ground, ThemeState
from omp_core.rules.themes.patch import Patch, apply, from_json, to_json
from omp_core.services.context import Context
from omp_core.services.embedding import Embedding
from omp_core.services.themes.vectors import ModelGround
from omp_core.store.protocol import Batch

if TYPE_CHECKING:
    from datetime import datetime

BOOK = "theme:book"
"""The journal's name for the theme book; its entries hold both sides of a patch."""
_EMBEDDED_AT_ONCE = 500

_Result = TypeVar("_Result")


class Shelf:
    """The theme book of a memory: in the workspace, or beside the store where there is none."""

    def __init__(self, context: Context, embedding: Embedding, mirror: Callable[[], None]) -> None:
        self.context = context
        self._embedding = embedding
        self._mirror = mirror
        self._file: ThemeBookFile | None = None
        self._store: object = None
        self._lock = threading.RLock()

    def model(self) -> ModelGround:
        """Return the store seen with the present model."""
        return ModelGround(self.context.reading_store(), self.context.embedder())

    def catch_up(self) -> None:
        """Mirror the documents, and make a few vectors that are missing."""
        self._mirror()
        self.embed()

    def embed(self) -> None:
        """Make a few vectors that are missing, if there is a model."""
        if self.context.embedder() is not None:
            self._embedding.catch_up(self.context.reading_store(), _EMBEDDED_AT_ONCE)

    def ground(self, model: ModelGround, opened: OpenBook) -> Ground:
        return model.ground(opened.settings, self.context.now())

    def read(self, model: ModelGround) -> OpenBook:
        """Return the book as it is. Raises DocumentDamagedError."""
        settings = self.context.settings.themes
        return self._book(model).read(model.mark, model.vectors, settings)

    def update(
        self, model: ModelGround, change: Callable[[OpenBook], tuple[ThemeState, _Result]]
    ) -> tuple[ThemeState, ThemeState, _Result]:
        """Change the book under its lock; returns before, after and the result."""
        return self._book(model).update(
            model.mark,
            model.vectors,
            self.context.settings.themes,
            change,
            now=self.context.now(),
        )

    def _book(self, model: ModelGround) -> ThemeBookFile:
        with self._lock:
            workspace = self.context.workspace
            beside = self.context.store_path.parent / "themes"
            folder = beside if workspace is None else workspace.themes
            moved = self._file is None or self._file.index.parent != folder
            # Another store has other vectors: what was computed from the old one is stale.
            if self._file is None or moved or self._store is not model.store:
                documents = self.context.settings.documents
                backups = None
                if workspace is not None:
                    backups = BackupFolder(
                        workspace.backups, "themes/index.yaml", documents.backups_kept
                    )
                self._file = ThemeBookFile(
                    folder,
                    lock_timeout_s=documents.lock_timeout_s,
                    backups=backups,
                    legacy_scope=self._own_scope(),
                )
                self._store = model.store
            return self._file

    def _own_scope(self) -> Scope:
        identity = self.context.identity()
        return Scope(user_id=identity.user_id, app_id=identity.app_id)

    # the journal

    def journalled(
        self,
        before: ThemeState,
        after: ThemeState,
        ground: Ground,
        summary: str,
        *,
        dry_run: bool,
        actor: str | None = None,
    ) -> Receipt:
        """Journal a change that was made, or only say it in a dry run.

        Raises StoreError when it cannot be journalled; the book is then put back.
        """
        if rules.diff(before.book, after.book).empty:
            return Receipt("unchanged", "", None, note=_("there was nothing to change"))
        if dry_run:
            return Receipt("unchanged", "", None, note=summary)
        try:
            act_id = self.journal(before, after, summary, actor=actor)
        except StoreError:
            # An act that cannot be undone must not stand.
            patch = rules.diff(before.book, after.book).inverse
            self.update(self.model(), lambda opened: (apply(opened.state, patch, ground), None))
            raise
        return Receipt("updated", BOOK, act_id, note=summary)

    def journal(
        self, before: ThemeState, after: ThemeState, summary: str, *, actor: str | None = None
    ) -> str:
        """Write the difference of two states into the journal as one act; returns its id."""
        patch = rules.diff(before.book, after.book)
        act = self.context.act("theme", summary, 1, actor=actor)
        entry = _entry(patch, act.actor, act.at, act.id, after.book.generation)
        self.context.store().commit(Batch(act, entries=(entry,)))
        return act.id

    def invert(self, entry: JournalEntry) -> JournalEntry | None:
        """Take back, for undo and redo, what a theme act did; None if nothing is left of it."""
        patch = from_json(entry.before or {}, entry.after or {}).inverse
        model = self.model()

        def change(opened: OpenBook) -> tuple[ThemeState, None]:
            return apply(opened.state, patch, self.ground(model, opened)), None

        before, after, _nothing = self.update(model, change)
        done = rules.diff(before.book, after.book)
        if done.empty:
            return None
        now = self.context.now()
        return _entry(done, self.context.actor, now, entry.act_id, after.book.generation)


def _entry(patch: Patch, actor: str, at: datetime, act_id: str, version: int) -> JournalEntry:
    before, after = to_json(patch)
    return JournalEntry(act_id, "theme", actor, at, BOOK, version, before, after)
