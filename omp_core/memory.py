"""`Memory`: the one door for the dashboard, the command line and agents.

Each part of it lives in a module of its own and is reached here: `add` and `update` in
`writing`, `search` in `searching`, `undo` in `undoing`, and so on.
"""

from __future__ import annotations

import builtins
import contextlib
import functools
import os
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from omp_core.availability import Availability, EmbedderLoader, StoreOpener
from omp_core.errors import NotFoundError, StoreError, UsageError
from omp_core.i18n import _
from omp_core.model import (
    Act,
    Capability,
    JournalEntry,
    Order,
    Query,
    Receipt,
    Record,
    Scope,
    SearchAnswer,
)
from omp_core.services.backups import Backups
from omp_core.services.configuration import Configuring
from omp_core.services.disputes import Resolving
from omp_core.services.doctor import Doctor
from omp_core.services.documents import Documenting
from omp_core.services.embedding import Embedding
from omp_core.services.extraction import Extraction
from omp_core.services.following import followed
from omp_core.services.health import Caring
from omp_core.services.imports import Importing, ImportReport
from omp_core.services.maintenance import Maintaining
from omp_core.services.mirror import Mirroring
from omp_core.services.overview import Overviewing
from omp_core.services.pending import Degrading
from omp_core.services.records.additions import Adding
from omp_core.services.records.changes import Writing
from omp_core.services.search import Searching
from omp_core.services.session_context import SessionStart
from omp_core.services.summaries import Summarizing
from omp_core.services.sync import CrossHome
from omp_core.services.tiers import Tiering
from omp_core.services.undo import Undoing
from omp_core.session import ActorProvider, Clock, Session, utc_now
from omp_core.settings import Settings, data_path, load_settings
from omp_core.views import Overview, Page

if TYPE_CHECKING:
    from omp_core.project.caller import Place
    from omp_core.project.facts import Damage
    from omp_core.project.identity import Identity
    from omp_core.project.workspace import Workspace
    from omp_core.rules.health import HealthReport
    from omp_core.services.themes import Themes
    from omp_core.store.protocol import Store

__all__ = ["Memory"]

STORE_FILE = "store.db"


class Memory:
    """One user store and one project's documents, under one set of rules.

    Opening does no work: the store and the model are opened when first needed. Methods are
    safe to call from several threads, and any number of processes may use one store.
    """

    def __init__(self, session: Session, availability: Availability) -> None:
        self._compose(session, availability)

    def _compose(self, session: Session, availability: Availability) -> None:
        self._session = session
        self._availability = availability
        self._themes: Themes | None = None
        tiering = Tiering(session, availability)
        writing = Writing(session, availability, tiering)
        adding = Adding(session, availability, tiering, writing)
        resolving = Resolving(session, availability, writing)
        self.pending = Degrading(session, availability, adding, writing)
        adding.keep_with(self.pending.keep)
        caring = Caring(session, availability, writing)
        self._overviewing = Overviewing(session, availability, self.pending, caring)
        self._caring = caring
        maintaining = Maintaining(session, availability, tiering, writing)
        self._tiering = tiering
        self._mirroring = Mirroring(session, availability)
        self._importing = Importing(session, availability, writing)
        self.embedding = Embedding(availability)
        self.cross_home = CrossHome(session, availability, writing, self.embedding, self._mirroring)
        self._session_start = SessionStart(session, availability, tiering)
        self.session_context = self._session_start.session_context
        self._searching = Searching(
            session, availability, tiering, self.embedding, self._opened_themes
        )
        self.backups = Backups(session, availability)
        summarizing = Summarizing(session, availability, writing)
        self.summarize = summarizing.summarize
        self.extraction = Extraction(session, availability, adding, writing, tiering)
        self.documents = Documenting(session, availability)
        self.configuration = Configuring(session)
        undoing = Undoing(
            session,
            availability,
            writing,
            {
                "document": self.documents.invert,
                "extracted": self.extraction.invert,
                "pending": self.pending.invert,
                "theme": self._invert_theme,
            },
        )
        self.doctor = Doctor(session, availability, self.embedding, self._mirroring)
        following = functools.partial(followed, after=self._let_themes_follow)
        self.apply_summary = following(summarizing.apply)
        self.fix = following(caring.fix)
        self.add = following(adding.add)
        self.add_record = following(adding.add_record)
        self.update = following(writing.update)
        self.set_tier = writing.set_tier
        self.set_status = following(writing.set_status)
        self.delete = following(writing.delete)
        self.undo = following(undoing.undo)
        self.redo = following(undoing.redo)
        self.resolve = following(resolving.resolve)
        self.disputes = resolving.disputes
        self.maintain = maintaining.maintain
        self.proposals = maintaining.proposals
        self.purge = following(maintaining.purge)
        self.export = self._importing.export

    @classmethod
    def open(
        cls,
        *,
        workspace: Path | Place | None = None,
        store: Path | None = None,
        settings: Settings | None = None,
        actor: str | ActorProvider = "user",
        clock: Clock = utc_now,
        open_store: StoreOpener | None = None,
        load_embedder: EmbedderLoader | None = None,
    ) -> Memory:
        """Return the door to the memory of a directory and of the user.

        `workspace` is where the search for `_omp/` starts, upwards; None is what the
        environment names, else the current directory. `store` overrides the settings' SQLite
        file. `actor` is `user`,
        `agent:<name>` or `system`, or what returns it at each act. `open_store` and
        `load_embedder` stand in for the settings' store and model. Raises SettingsError,
        UsageError for a directory that is not there; nothing else is opened yet.
        """
        from omp_core.project.caller import Place, caller_place, current_directory, home_directory
        from omp_core.project.workspace import find_workspace

        place = workspace
        if not isinstance(place, Place):
            place = caller_place(
                option=workspace if isinstance(workspace, Path) else None,
                environment=os.environ,
                current=None if workspace else current_directory(),
                home=home_directory(),
            )
        start = place.directory
        found = find_workspace(start) if start else None
        settings = settings or load_settings(found.root if found else None)
        path = store or (
            Path(settings.store.path).expanduser()
            if settings.store.path
            else data_path() / STORE_FILE
        )
        provider = functools.partial(str, actor) if isinstance(actor, str) else actor
        session = Session(settings, path, found, place, clock, provider)
        return cls(session, Availability(session, open_store, load_embedder))

    def close(self) -> None:
        """Close what was opened."""
        self._session_start.finish(self._availability.close)

    def __enter__(self) -> Memory:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.close()

    # where and who

    @property
    def settings(self) -> Settings:
        return self._session.settings

    def now(self) -> datetime:
        """Return the present moment by this memory's clock, aware, in UTC."""
        return self._session.now()

    @property
    def place(self) -> Place:
        """The caller's directory, in which the search for `_omp/` began, and what named it."""
        return self._session.place

    @property
    def identity(self) -> Identity:
        """The person and the project, and what named each."""
        return self._session.identity

    @property
    def workspace(self) -> Workspace | None:
        """The project found upwards from the start, if any."""
        return self._session.workspace

    @property
    def scope(self) -> Scope:
        """The resolved user and project ids."""
        identity = self._session.identity
        return Scope(user_id=identity.user_id, app_id=identity.app_id)

    def init_workspace(self, root: Path | None = None) -> builtins.list[Path]:
        """Lay out `_omp/` and return the files that were made; existing ones stay.

        Without `root` it is laid out where the search for one began.
        """
        from omp_core.project.workspace import Workspace, init_workspace

        root = root or self._session.start
        if root is None:
            raise UsageError(_("no project is named here; say which directory to lay _omp/ out in"))
        made = init_workspace(root)
        if self._session.workspace is None:
            session = self._session.inside(Workspace(root))
            self._compose(session, self._availability.inside(session))
        return made

    @property
    def themes(self) -> Themes:
        """The theme layer, loaded when first used."""
        return self._opened_themes()

    def _opened_themes(self) -> Themes:
        if self._themes is None:
            from omp_core.services.themes import Themes

            self._themes = Themes(
                self._session, self._availability, self.embedding, self._mirroring.follow
            )
        return self._themes

    def _invert_theme(self, entry: JournalEntry) -> JournalEntry | None:
        return self._opened_themes().invert(entry)

    def _let_themes_follow(self, receipt: Receipt) -> None:
        # Without a loaded model nothing is placed now; `themes` catches up when looked at.
        if receipt.act_id is not None and self._availability.ready_embedder() is not None:
            self.themes.after(receipt)

    # reading

    def get(self, record_id: str, *, access: bool = False) -> Record:
        """Return a record. With `access` it counts as read.

        Raises NotFoundError, and StoreUnavailableError for one that only the store could have.
        """
        self._mirroring.follow()
        record = self._availability.read(lambda store: store.get(record_id))
        if record is None:
            self._availability.store()  # while it is away nobody can say that there is none
            raise NotFoundError(
                f"no record has the id {record_id!r}; `omp-tui list` or `omp-tui search` shows ids"
            )
        if access:
            self._tiering.accessed([record_id])
        return record

    def list(
        self,
        query: Query = Query(),  # noqa: B008 - a frozen value
        order: Order = "updated",
        descending: bool = True,
        offset: int = 0,
        limit: int = 50,
    ) -> Page:
        """Return a window into the records that the query lets through, with their number."""
        if limit < 1 or offset < 0:
            raise UsageError(f"limit {limit} and offset {offset}: the one from 1, the other from 0")
        self._mirroring.follow()
        now = self._session.now()

        def window(store: Store) -> Page:
            records = store.page(
                query, now, order=order, descending=descending, offset=offset, limit=limit
            )
            return Page(records, store.count(query, now))

        return self._availability.read(window)

    def records(self, query: Query) -> tuple[Record, ...]:
        """Return every record that a query lets through, in a stable order."""
        now = self._session.now()
        return self._availability.read(lambda store: tuple(store.iterate(query, now)))

    def search(self, text: str, **options: Any) -> SearchAnswer:
        """Search both homes; see `Searching.search` for the options."""
        self._mirroring.follow()
        return self._searching.search(text, **options)

    def history(self, record_id: str) -> tuple[JournalEntry, ...]:
        """Return all that happened to a record, newest first."""
        return self._availability.read(lambda store: store.history(record_id))

    def acts(self, *, limit: int = 50, before: str | None = None) -> tuple[Act, ...]:
        """Return the newest acts, or those older than act `before`."""
        return self._availability.read(lambda store: store.acts(limit=limit, before=before))

    def entries(self, act_id: str) -> tuple[JournalEntry, ...]:
        """Return what an act changed, record by record."""
        return self._availability.read(lambda store: store.entries(act_id))

    def audit(self, *, limit: int = 50) -> tuple[JournalEntry, ...]:
        """Return who changed important records, and what, newest first."""
        return self._availability.read(lambda store: store.audit(limit))

    def entities(self) -> dict[str, dict[str, int]]:
        """Return how many records each user, agent, project and session id has."""
        return self._availability.read(lambda store: store.entities())

    def health(self) -> HealthReport:
        """Return figures, score, grade, and alerts with their cures."""
        self._mirroring.follow()
        return self._caring.health()

    def overview(self) -> Overview:
        """Return what the dashboard's first screen shows."""
        self._mirroring.follow()
        return self._overviewing.overview()

    @property
    def damages(self) -> tuple[Damage, ...]:
        """The project documents that did not parse when they were last read."""
        return self._mirroring.damages

    def capabilities(self) -> tuple[Capability, ...]:
        """Return store, vectors and project files: up or down, since when and why."""
        with contextlib.suppress(StoreError):  # the store's capability says so
            self._availability.store()
        self._mirroring.follow()
        return self._availability.capabilities(self.damages)

    @property
    def store_down(self) -> str | None:
        """Why the store is down; None while it is up or was not needed yet."""
        return self._availability.store_down

    def change_stamp(self) -> tuple[object, ...]:
        """Return what differs as soon as any process wrote, searched, or edited a document."""
        stamp = self._availability.read(lambda store: store.change_stamp())
        return (*stamp, self._availability.store_down, self._mirroring.fingerprint())

    def warm(self) -> None:
        """Do what may take long, for a process that stays: open the store, mirror the
        documents, load the model, fill in missing vectors, make the day's backup."""
        self._mirroring.follow()
        embedder = self._availability.embedder()
        if embedder is not None:
            embedder.warm()
        self.embedding.embed_missing()
        self.backups.make_daily()

    # bringing in

    def import_file(self, path: Path, **options: Any) -> ImportReport:
        """Import a file or folder of another tool; see `Importing.import_file`."""
        return self._importing.import_file(path, **options)

    # keeping in one file

    def save(self, path: Path) -> int:
        """Write every record of the user home, whole, into one private JSON file.

        Returns how many there are. Raises StoreError, or OmpError when the system refuses;
        what the file held then stays.
        """
        from omp_core.formats import saved

        return saved.save(path, self.export(), self._session.now())

    def load(self, path: Path, **options: Any) -> ImportReport:
        """Bring back what `save` wrote; a record that is held becomes as it was saved.

        `options` are those of `import_file`. Raises FormatError when the file is not whole;
        nothing is written then.
        """
        from omp_core.formats import saved

        return self.import_file(path, format=saved.NAME, **{"on_existing": "overwrite", **options})
