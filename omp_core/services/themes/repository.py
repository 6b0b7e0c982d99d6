"""Where a memory's theme book lies, and how it is read, changed, journalled and undone."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from omp_core.availability import Availability
from omp_core.errors import DocumentDamagedError, DocumentError, StoreError
from omp_core.i18n import _
from omp_core.model import JournalEntry, Receipt, Scope
from omp_core.project.backups import BackupFolder
from omp_core.project.theme_book import OpenBook, ThemeBookFile
from omp_core.rules import themes as rules
from omp_core.rules.themes import BookInputs, ThemeState
from omp_core.rules.themes.patch import Patch, apply, from_json, to_json
from omp_core.services.acts import sentence
from omp_core.services.embedding import EmbeddingService
from omp_core.services.themes.act_values import ActValues
from omp_core.services.themes.books import PublishedBook, ThemeBooks, private_folder
from omp_core.services.themes.vectors import ThemeInputs
from omp_core.services.themes.withdrawal import withdraw
from omp_core.services.unit_of_work import UnitsOfWork
from omp_core.session import Session
from omp_core.store.protocol import Batch

if TYPE_CHECKING:
    from datetime import datetime

_log = logging.getLogger(__name__)

BOOK = "theme:book"
"""The journal's name for the theme book; its entries hold both sides of a patch."""
_EMBEDDED_AT_ONCE = 500

_Result = TypeVar("_Result")


class ThemeRepository:
    """The theme book of a memory: what a project may publish, and the rest beside the store."""

    def __init__(
        self,
        session: Session,
        availability: Availability,
        embedding: EmbeddingService,
        mirror: Callable[[], None],
        units: UnitsOfWork,
    ) -> None:
        self.session = session
        self.availability = availability
        self.units = units
        self._embedding = embedding
        self._mirror = mirror
        self._books: ThemeBooks | None = None
        self._for: tuple[object, ...] = ()
        self._judged: object = None
        self._lock = threading.RLock()

    def model(self) -> ThemeInputs:
        """Return the store seen with the present model."""
        return ThemeInputs(self.availability.reading_store(), self.availability.embedder())

    def catch_up(self) -> tuple[str, ...]:
        """Mirror the documents, make a few vectors that are missing, and take back what is
        personal from the repository; returns what there is to tell about that."""
        self._mirror()
        self.embed()
        told = self.withdraw()
        return () if told is None else (told,)

    def withdraw(self) -> str | None:
        """Take personal themes back from the repository, and journal that."""
        model = self.model()
        books = self._book(model)
        if books.published is None or self.availability.store_down is not None:
            return None
        mark = books.published.file.mark()
        if mark == self._judged:
            return None
        try:
            told = withdraw(
                books,
                model.mark,
                model.vectors,
                self.session.settings.themes,
                model.store,
                self.session.now(),
            )
        except DocumentDamagedError:
            raise
        except DocumentError as error:
            _log.warning("personal themes stay in the repository: %s", error)
            return str(error)
        self._judged = books.published.file.mark()
        if told is not None:
            _log.warning("%s", told)
            self.availability.store().commit(
                Batch(self.session.act("theme", {"summary": told}, actor="system"))
            )
        return told

    def embed(self) -> None:
        """Make a few vectors that are missing, if there is a model."""
        if self.availability.embedder() is not None:
            self._embedding.catch_up(self.availability.reading_store(), _EMBEDDED_AT_ONCE)

    def inputs(self, model: ThemeInputs, opened: OpenBook) -> BookInputs:
        return model.inputs(opened.settings, self.session.now(), opened.state.book.frames)

    def read(self, model: ThemeInputs) -> OpenBook:
        """Return the book as it is. Raises DocumentDamagedError."""
        settings = self.session.settings.themes
        return self._book(model).read(model.mark, model.vectors, settings)

    def update(
        self, model: ThemeInputs, change: Callable[[OpenBook], tuple[ThemeState, _Result]]
    ) -> tuple[ThemeState, ThemeState, _Result]:
        """Change the book under its lock; returns before, after and the result."""
        return self._book(model).update(
            model.mark,
            model.vectors,
            self.session.settings.themes,
            change,
            now=self.session.now(),
        )

    def _book(self, model: ThemeInputs) -> ThemeBooks:
        with self._lock:
            place = (self.session.store_path, self.session.workspace, model.store)
            # Another store has other vectors: what was computed from the old one is stale.
            if self._books is None or self._for != place:
                identity = self.session.identity
                self._books = ThemeBooks(
                    private_folder(self.session.store_path),
                    self.session.settings.documents,
                    legacy_scope=Scope(user_id=identity.user_id, app_id=identity.app_id),
                    published=self._published(),
                )
                self._for = place
                self._judged = None
            return self._books

    def _published(self) -> PublishedBook | None:
        workspace = self.session.workspace
        if workspace is None:
            return None
        documents = self.session.settings.documents
        scope = Scope(app_id=self.session.identity.app_id)
        backups = BackupFolder(workspace.backups, "themes/index.yaml", documents.backups_kept)
        file = ThemeBookFile(
            workspace.themes,
            lock_timeout_s=documents.lock_timeout_s,
            backups=backups,
            legacy_scope=scope,
            within=workspace.boundary,
        )
        return PublishedBook(file, scope, backups)

    # the journal

    def journalled(
        self,
        before: ThemeState,
        after: ThemeState,
        inputs: BookInputs,
        values: ActValues,
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
            return Receipt("unchanged", "", None, note=sentence("theme", values))
        try:
            act_id = self.journal(before, after, values, actor=actor)
        except StoreError:
            # An act that cannot be undone must not stand.
            patch = rules.diff(before.book, after.book).inverse
            self.update(self.model(), lambda opened: (apply(opened.state, patch, inputs), None))
            raise
        return Receipt("updated", BOOK, act_id, note=sentence("theme", values))

    def journal(
        self, before: ThemeState, after: ThemeState, values: ActValues, *, actor: str | None = None
    ) -> str:
        """Write the difference of two states into the journal as one act; returns its id."""
        patch = rules.diff(before.book, after.book)
        old, new = to_json(patch)
        with self.units.begin("theme", values, actor=actor) as work:
            work.note(BOOK, old, new, version=after.book.generation)
        return work.act.id

    def invert(self, entry: JournalEntry) -> JournalEntry | None:
        """Take back, for undo and redo, what a theme act did; None if nothing is left of it."""
        patch = from_json(entry.before or {}, entry.after or {}).inverse
        model = self.model()

        def change(opened: OpenBook) -> tuple[ThemeState, None]:
            return apply(opened.state, patch, self.inputs(model, opened)), None

        before, after, _nothing = self.update(model, change)
        done = rules.diff(before.book, after.book)
        if done.empty:
            return None
        now = self.session.now()
        return _entry(done, self.session.actor, now, entry.act_id, after.book.generation)


def _entry(patch: Patch, actor: str, at: datetime, act_id: str, version: int) -> JournalEntry:
    before, after = to_json(patch)
    return JournalEntry(act_id, "theme", actor, at, BOOK, version, before, after)
