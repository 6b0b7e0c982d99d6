"""`Memory`: the one door for the dashboard, the command line and agents.

Each part of it lives in a module of its own and is reached here: `add` and `update` in
`writing`, `search` in `searching`, `undo` in `undoing`, and so on.
"""

from __future__ import annotations

import builtins
import contextlib
import functools
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from omp_core.errors import NotFoundError, StoreError, UsageError
from omp_core.i18n import _, ngettext
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
from omp_core.services.context import Clock, Context, utc_now
from omp_core.services.disputes import Resolving
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
from omp_core.settings import Settings, data_path, load_settings
from omp_core.views import Overview, Page

if TYPE_CHECKING:
    from omp_core.project.caller import Place
    from omp_core.project.facts import Damage
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

    def __init__(self, context: Context) -> None:
        self.context = context
        tiering = Tiering(context)
        writing = Writing(context, tiering)
        adding = Adding(context, tiering, writing)
        undoing = Undoing(context, writing)
        resolving = Resolving(context, writing)
        self.pending = Degrading(context, adding, writing)
        adding.keep_with(self.pending.keep)
        caring = Caring(context, writing)
        self._overviewing = Overviewing(context, self.pending, caring)
        self._caring = caring
        maintaining = Maintaining(context, tiering, writing)
        self._tiering = tiering
        self._mirroring = Mirroring(context)
        self._importing = Importing(context, writing)
        self.embedding = Embedding(context)
        self.cross_home = CrossHome(context, writing, self.embedding, self._mirroring)
        self._session_start = SessionStart(context, tiering)
        self.session_context = self._session_start.session_context
        self._searching = Searching(context, tiering, self.embedding, lambda: self.themes)
        self.backups = Backups(context)
        summarizing = Summarizing(context, writing)
        self.summarize = summarizing.summarize
        self.extraction = Extraction(context, adding, writing, tiering)
        self.documents = Documenting(context)
        self.configuration = Configuring(context)
        context.inverters["theme"] = lambda entry: self.themes.invert(entry)
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
        actor: str = "user",
        clock: Clock = utc_now,
        **seams: Any,
    ) -> Memory:
        """Return the door to the memory of a directory and of the user.

        `workspace` is where the search for `_omp/` starts, upwards; None is what the
        environment names, else the current directory. `store` overrides the settings' SQLite
        file. `actor` is `user`, `agent:<name>` or `system`. Raises SettingsError, UsageError
        for a directory that is not there; nothing else is opened yet.
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
        return cls(Context(settings, path, found, actor, clock, place=place, **seams))

    def close(self) -> None:
        """Close what was opened."""
        self._session_start.finish(self.context.close)

    def __enter__(self) -> Memory:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.close()

    # where and who

    @property
    def settings(self) -> Settings:
        return self.context.settings

    @property
    def workspace(self) -> Workspace | None:
        """The project found upwards from the start, if any."""
        return self.context.workspace

    @property
    def scope(self) -> Scope:
        """The resolved user and project ids."""
        identity = self.context.identity()
        return Scope(user_id=identity.user_id, app_id=identity.app_id)

    def init_workspace(self, root: Path | None = None) -> builtins.list[Path]:
        """Lay out `_omp/` and return the files that were made; existing ones stay.

        Without `root` it is laid out where the search for one began.
        """
        from omp_core.project.workspace import Workspace, init_workspace

        root = root or self.context.start
        if root is None:
            raise UsageError(_("no project is named here; say which directory to lay _omp/ out in"))
        made = init_workspace(root)
        if self.context.workspace is None:
            self.context.enter(Workspace(root))
        return made

    @functools.cached_property
    def themes(self) -> Themes:
        """The theme layer, loaded when first used."""
        from omp_core.services.themes import Themes

        return Themes(self.context, self.embedding, self._mirroring.follow)

    def _let_themes_follow(self, receipt: Receipt) -> None:
        # Without a loaded model nothing is placed now; `themes` catches up when looked at.
        if receipt.act_id is not None and self.context.ready_embedder() is not None:
            self.themes.after(receipt)

    # reading

    def get(self, record_id: str, *, access: bool = False) -> Record:
        """Return a record. With `access` it counts as read.

        Raises NotFoundError, and StoreUnavailableError for one that only the store could have.
        """
        self._mirroring.follow()
        record = self.context.read(lambda store: store.get(record_id))
        if record is None:
            self.context.store()  # while it is away nobody can say that there is none
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
        now = self.context.now()

        def window(store: Store) -> Page:
            records = store.page(
                query, now, order=order, descending=descending, offset=offset, limit=limit
            )
            return Page(records, store.count(query, now))

        return self.context.read(window)

    def search(self, text: str, **options: Any) -> SearchAnswer:
        """Search both homes; see `Searching.search` for the options."""
        self._mirroring.follow()
        return self._searching.search(text, **options)

    def history(self, record_id: str) -> tuple[JournalEntry, ...]:
        """Return all that happened to a record, newest first."""
        return self.context.read(lambda store: store.history(record_id))

    def acts(self, *, limit: int = 50, before: str | None = None) -> tuple[Act, ...]:
        """Return the newest acts, or those older than act `before`."""
        return self.context.read(lambda store: store.acts(limit=limit, before=before))

    def entries(self, act_id: str) -> tuple[JournalEntry, ...]:
        """Return what an act changed, record by record."""
        return self.context.read(lambda store: store.entries(act_id))

    def audit(self, *, limit: int = 50) -> tuple[JournalEntry, ...]:
        """Return who changed important records, and what, newest first."""
        return self.context.read(lambda store: store.audit(limit))

    def entities(self) -> dict[str, dict[str, int]]:
        """Return how many records each user, agent, project and session id has."""
        return self.context.read(lambda store: store.entities())

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
            self.context.store()
        self._mirroring.follow()
        return (*self.context.capabilities(), self._project_capability())

    def _project_capability(self) -> Capability:
        now = self.context.now()
        if self.workspace is None:
            return Capability("project", True, "none", now)
        damages = self.damages
        if not damages:
            return Capability("project", True, self.workspace.root.name, now)
        first = damages[0]
        place = first.file if first.line is None else f"{first.file}:{first.line}"
        reason = ngettext(
            "{count} document is damaged: {place}: {reason}",
            "{count} documents are damaged, the first: {place}: {reason}",
            len(damages),
        ).format(count=len(damages), place=place, reason=first.reason)
        return Capability("project", False, self.workspace.root.name, now, reason)

    def change_stamp(self) -> tuple[object, ...]:
        """Return what differs as soon as any process wrote, searched, or edited a document."""
        stamp = self.context.read(lambda store: store.change_stamp())
        return (*stamp, self.context.store_down, self._mirroring.fingerprint())

    def warm(self) -> None:
        """Do what may take long, for a process that stays: open the store, mirror the
        documents, load the model, fill in missing vectors, make the day's backup."""
        self._mirroring.follow()
        embedder = self.context.embedder()
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

        return saved.save(path, self.export(), self.context.now())

    def load(self, path: Path, **options: Any) -> ImportReport:
        """Bring back what `save` wrote; a record that is held becomes as it was saved.

        `options` are those of `import_file`. Raises FormatError when the file is not whole;
        nothing is written then.
        """
        from omp_core.formats import saved

        return self.import_file(path, format=saved.NAME, **{"on_existing": "overwrite", **options})
