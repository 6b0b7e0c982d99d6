"""The door: `Memory`, what dashboard, command line and agents use of the core.

Every verb is a method here, rarer ones are gathered in facets (`memory.themes.split`), each
named like its module in `services`. How the services are joined, `services.composition` says.
"""

from __future__ import annotations

import builtins
import contextlib
import functools
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from omp_core.availability import Availability, EmbedderLoader, StoreOpener, load_embedder
from omp_core.errors import NotFoundError, StoreDamagedError, StoreError, UsageError
from omp_core.i18n import _
from omp_core.language.terminal import one_line
from omp_core.model import (
    Act,
    Capability,
    Category,
    Home,
    Importance,
    JournalEntry,
    Json,
    Order,
    Query,
    Receipt,
    Record,
    Scope,
    SearchAnswer,
    SearchLevel,
    SearchMode,
    Source,
    Status,
    Temporality,
    Tier,
    Unseen,
)
from omp_core.services.acts import all_worded, worded
from omp_core.services.composition import Services
from omp_core.session import ActorProvider, Clock, Session, clean_actor, utc_now
from omp_core.settings import Settings
from omp_core.settings_files import data_path, load_settings
from omp_core.views import Alert, FixPreview, Forecast, Overview, Page, PeriodReport, UndoPlan

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from omp_core.caller import Place
    from omp_core.project.facts import Damage
    from omp_core.project.identity import Identity
    from omp_core.project.workspace import Workspace
    from omp_core.rules.conditions import Conditions
    from omp_core.rules.health import HealthReport
    from omp_core.services.backups import Backups
    from omp_core.services.configuration import ConfigurationService
    from omp_core.services.disputes import (
        DisputeDetail,
        Ending,
        OpenDispute,
        Resolution,
        Settlement,
    )
    from omp_core.services.doctor import Doctor
    from omp_core.services.documents import DocumentService
    from omp_core.services.embedding import EmbeddingService
    from omp_core.services.extraction import Extraction
    from omp_core.services.imports import ImportReport, OnExisting, Progress
    from omp_core.services.journal import Journal
    from omp_core.services.maintenance import MaintenanceReport, Proposal
    from omp_core.services.pending import PendingService
    from omp_core.services.records.refused import RefusedTexts
    from omp_core.services.review import ReviewService
    from omp_core.services.session_context import SessionContext
    from omp_core.services.summaries import TierSummary
    from omp_core.services.sync import CrossHome
    from omp_core.services.themes import Themes
    from omp_core.store.protocol import Store

__all__ = ["Memory", "load_embedder"]

STORE_FILE = "store.db"
_LONGEST_AGENT = 64


class Memory:
    """One user store and one project's documents, under one set of rules.

    Opening does no work: the store and the model are opened when first needed. Methods are
    safe to call from several threads, and any number of processes may use one store.

    What reads answers from the project's documents while the store is away. What writes raises
    StoreUnavailableError then, `add` excepted, and SecretFoundError for a text with a secret.
    """

    def __init__(self, session: Session, availability: Availability) -> None:
        self._compose(session, availability)

    def _compose(self, session: Session, availability: Availability) -> None:
        self._session = session
        self._availability = availability
        self._services = Services(session, availability)

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
        from omp_core.caller import Place, caller_place, current_directory, home_directory
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
        if isinstance(actor, str):
            provider: ActorProvider = functools.partial(str, clean_actor(actor))
        else:
            provider = actor
        session = Session(settings, path, found, place, clock, provider)
        return cls(session, Availability(session, open_store, load_embedder))

    def close(self) -> None:
        """Close what was opened."""
        self._services.close()

    def __enter__(self) -> Memory:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.close()

    # where and who

    @property
    def settings(self) -> Settings:
        """The settings in force."""
        return self._session.settings

    def now(self) -> datetime:
        """Return the present moment by this memory's clock, aware, in UTC."""
        return self._session.now()

    def moment(self, text: str, *, last: bool = False) -> datetime:
        """Return the moment in UTC that a person means by a text.

        A date without a time is the whole of that day in their own zone: its beginning, or
        with `last` the moment at which it is over. Raises InvalidValueError.
        """
        from omp_core.moments import moment

        return moment(text, self._session.now(), self._session.zone, last=last)

    def conditions(self, line: str, base: Query = Query()) -> Conditions:  # noqa: B008 - frozen
        """Return the query and the text that a line asks for, such as
        `tier:long-term tag:db unread>30d words`; `base` is asked for already. Never raises."""
        from omp_core.rules.conditions import read_conditions

        return read_conditions(line, base, self._session.now())

    @staticmethod
    def completion(line: str) -> str | None:
        """Return such a line with its last word completed to a condition; None for none."""
        from omp_core.rules.conditions import completion

        return completion(line)

    def expiry(self, ttl_seconds: float) -> datetime:
        """Return when what lives so long from now expires. Raises InvalidValueError."""
        from omp_core.services.records.additions import expiry

        return expiry(self.now(), ttl_seconds)

    @staticmethod
    def agent(name: str) -> str:
        """Return the actor that an agent of that name is: on one line, and no secret in it."""
        from omp_core.secrets import redact, scan

        shown = one_line(redact(name, scan(name)), _LONGEST_AGENT)
        return f"agent:{'-'.join(shown.split()) or 'unnamed'}"

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

    # facets

    @property
    def backups(self) -> Backups:
        """Copies of the store, and the way back."""
        return self._services.backups

    @property
    def configuration(self) -> ConfigurationService:
        """The settings in force, where each comes from, and changing them."""
        return self._services.configuration

    @property
    def doctor(self) -> Doctor:
        """What is set up, what is wrong, and how to mend it."""
        return self._services.doctor

    @property
    def documents(self) -> DocumentService:
        """The project's documents: values, decisions, change log, sessions."""
        return self._services.documents

    @property
    def embedding(self) -> EmbeddingService:
        """The model and the vectors."""
        return self._services.embedding

    @property
    def extraction(self) -> Extraction:
        """Learning from recorded conversations."""
        return self._services.extraction

    @property
    def journal(self) -> Journal:
        """What was done and searched for, by whom and when."""
        return self._services.journal

    @property
    def pending(self) -> PendingService:
        """Memories that wait for the store."""
        return self._services.pending

    @property
    def refused(self) -> RefusedTexts:
        """Texts that `add` refused as duplicates, kept for review."""
        return self._services.refused

    @property
    def review(self) -> ReviewService:
        """The inbox of what needs a person's yes or no."""
        return self._services.review

    @property
    def sync(self) -> CrossHome:
        """The user home held against the project's documents."""
        return self._services.sync

    @property
    def themes(self) -> Themes:
        """The theme layer, loaded when first used."""
        return self._services.opened_themes()

    # writing

    def add(
        self,
        content: str,
        *,
        tier: Tier = Tier.SHORT_TERM,
        scope: Scope = Scope(),  # noqa: B008 - a frozen value
        category: Category = Category.FACT,
        importance: Importance = Importance.MEDIUM,
        source: Source = Source.USER,
        confidence: float = 1.0,
        temporality: Temporality = Temporality.PERMANENT,
        tags: Sequence[str] | frozenset[str] = (),
        metadata: Mapping[str, Json] | None = None,
        expires_at: datetime | None = None,
        ttl_seconds: float | None = None,
        episode: str | None = None,
        status: Status = Status.ACTIVE,
        id: str | None = None,
        version: int | None = None,
        force: bool = False,
        propose: bool = False,
    ) -> Receipt:
        """Store a text as a record; while the store is away it is kept as pending.

        Identical text in the same scope is merged into the record that has it. A text in the
        duplicate band is not stored: the receipt names the record it resembles; `force` stores
        it all the same, `propose` stores it as a candidate for review. A contradiction is
        stored beside the other record and opens a dispute. With the `id` of a record that is
        there, this is an update of it, based on `version`: its content and every field given
        that is not the default; the scope stays. `confidence` is 0..1. Marks in front of the
        text, `[SCOPE:PERSONAL][CONF:0.9]`, are taken out of it and into fields.

        Raises InvalidValueError, SecretFoundError, StoreUnavailableError where nothing can wait.
        """
        return self._services.additions.add(
            content,
            tier=tier,
            scope=scope,
            category=category,
            importance=importance,
            source=source,
            confidence=confidence,
            temporality=temporality,
            tags=tags,
            metadata=metadata,
            expires_at=expires_at,
            ttl_seconds=ttl_seconds,
            episode=episode,
            status=status,
            id=id,
            version=version,
            force=force,
            propose=propose,
        )

    def add_record(self, record: Record, *, force: bool = False, propose: bool = False) -> Receipt:
        """Store a ready-made new record; see `add`."""
        return self._services.additions.add_record(record, force=force, propose=propose)

    def update(
        self, record_id: str, changes: Mapping[str, Json], *, based_on: int | None = None
    ) -> Receipt:
        """Change fields of a record under the write rule.

        `based_on` is the version that the writer saw; None takes the present one. A field that
        moved on since becomes a dispute. `metadata` replaces the whole mapping,
        `metadata.<key>` one key of it. Raises NotFoundError, ReadOnlyError, InvalidValueError,
        SecretFoundError, LockedError, StoreUnavailableError.
        """
        return self._services.changes.update(record_id, changes, based_on=based_on)

    def set_tier(self, record_ids: Sequence[str], tier: Tier) -> Receipt:
        """Move records to a tier by hand, as one act.

        Raises NotFoundError, ReadOnlyError, LockedError.
        """
        return self._services.changes.set_tier(record_ids, tier)

    def set_status(self, record_ids: Sequence[str], status: Status) -> Receipt:
        """Archive records by hand, or bring them back, as one act.

        Raises NotFoundError, ReadOnlyError, LockedError.
        """
        return self._services.changes.set_status(record_ids, status)

    def lock(self, record_ids: Sequence[str]) -> Receipt:
        """Lock records as one act of the person: no agent and no rule changes them then.

        Raises LockedError for an actor that is not the person, NotFoundError, ReadOnlyError.
        """
        return self._services.changes.set_locked(record_ids, locked=True)

    def unlock(self, record_ids: Sequence[str]) -> Receipt:
        """Lift the locks of records as one act of the person; see `lock`."""
        return self._services.changes.set_locked(record_ids, locked=False)

    def delete(self, record_ids: Sequence[str]) -> Receipt:
        """Delete records as one act. Undo brings them back as they were.

        Raises NotFoundError, ReadOnlyError, LockedError.
        """
        return self._services.changes.delete(record_ids)

    def merge(self, keep_id: str, other_id: str, content: str | None = None) -> Receipt:
        """Make one record of two as one undoable act: `keep_id` stays, the other is superseded.

        `content` is the text of both; None takes the fuller of the two. What stays has the tags
        of both and of everything else the more lasting; a dispute between the two is settled.
        Raises NotFoundError, ReadOnlyError, InvalidValueError, SecretFoundError,
        StoreUnavailableError.
        """
        return self._services.union.merge(keep_id, other_id, content)

    @staticmethod
    def fuller(a: str, b: str) -> str:
        """Return which of two texts says more: the one that a merge takes of itself."""
        from omp_core.language.verdict import fuller

        return fuller(a, b)

    def undo(self, act_id: str | None = None) -> Receipt:
        """Take back an act; without an id the actor's newest one that is in force.

        What others changed since becomes a dispute or stays as it is. Raises NotFoundError when
        there is nothing to take back, UsageError for an act that was taken back already.
        """
        return self._services.undo.undo(act_id)

    def undo_to(self, act_id: str, *, newest: str | None = None, dry_run: bool = False) -> UndoPlan:
        """Take back everything down to an act, itself included, whoever did it, as one act.

        `newest` is the act to begin with; what was done after it stays. With `dry_run` only the
        plan is made. What others would lose by it becomes a dispute, as with `undo`. Raises
        NotFoundError for an act that the journal has not.
        """
        return self._services.undo.undo_to(act_id, newest=newest, dry_run=dry_run)

    def undoable(self) -> Act | None:
        """Return the act that `undo` without an id takes back, None when there is none."""
        act = self._services.undo.undoable()
        return None if act is None else worded(act)

    def redo(self) -> Receipt:
        """Bring back the actor's newest act that was undone.

        Raises NotFoundError when there is none, or a newer act has overtaken it.
        """
        return self._services.undo.redo()

    def resolve(
        self, record_id: str, dispute_id: str, resolution: Resolution, value: Json = None
    ) -> Receipt:
        """Settle one dispute as one undoable act. `value` is the third value of `value`.

        A dispute with a project document that is settled against the document changes the
        value there; where that cannot be done, the receipt says which file to change by hand.
        One between two branches of git is settled in the document itself.
        Raises NotFoundError for a dispute that is not open (any more), InvalidValueError for a
        value that the field cannot take, SecretFoundError, DocumentError.
        """
        return self._services.disputes.resolve(record_id, dispute_id, resolution, value)

    def resolve_many(
        self, dispute_id: str, resolution: Resolution, *, dry_run: bool = False
    ) -> Settlement:
        """Give a dispute and all that are like it the same answer, as one undoable act.

        Alike are those of the same kind about the same field between the same two writers, or
        between the same two branches. What cannot be settled so is named with its reason, the
        rest is done. With `dry_run` nothing is written. Raises NotFoundError for a dispute that
        is not open, UsageError for a third value, StoreUnavailableError.
        """
        return self._services.disputes.resolve_many(dispute_id, resolution, dry_run=dry_run)

    def fix(self, alert_id: str) -> Receipt:
        """Carry out the cure of an alert that is raised now, as one undoable act.

        An alert whose cure is a person's decision changes nothing; the receipt says what to
        do. Raises NotFoundError when that alert is not raised.
        """
        return self._services.health.fix(alert_id)

    def preview_fix(self, alert: Alert) -> FixPreview | None:
        """Return what `fix` would do about an alert now; None where a person has to decide.

        Raises StoreUnavailableError.
        """
        return self._services.health.preview_fix(alert)

    def maintain(self, *, dry_run: bool = False) -> MaintenanceReport:
        """Apply the tier rules, archive what expired or faded, and write down each move."""
        return self._services.maintenance.maintain(dry_run=dry_run)

    def purge(self) -> Receipt:
        """Remove the rows of expired records, important ones excepted, as one act."""
        return self._services.maintenance.purge()

    def summarize(
        self,
        tier: Tier = Tier.SHORT_TERM,
        *,
        max_tokens: int = 500,
        scope: Scope = Scope(),  # noqa: B008 - a frozen value
    ) -> TierSummary:
        """Summarise a tier of the user home in at most `max_tokens` estimated tokens.

        Nothing is written. Raises InvalidValueError for a limit below 1.
        """
        return self._services.summaries.summarize(tier, max_tokens=max_tokens, scope=scope)

    def apply_summary(self, made: TierSummary) -> Receipt:
        """Put a summary in the place of its originals, which are archived, as one act.

        Raises InvalidValueError for a summary without text.
        """
        return self._services.summaries.apply(made)

    # reading

    def get(self, record_id: str, *, access: bool = False) -> Record:
        """Return a record. With `access` it counts as read.

        Raises NotFoundError, and StoreUnavailableError for one that only the store could have.
        """
        self._services.mirror.follow()
        record = self._availability.read(lambda store: store.get(record_id))
        if record is None:
            self._availability.store()  # while it is away nobody can say that there is none
            for one in self._availability.unseen():
                if one.id == record_id:
                    raise StoreDamagedError(
                        _("{unseen}. `omp-tui restore` brings back the best backup.").format(
                            unseen=one
                        )
                    )
            raise NotFoundError(
                _(
                    "no record has the id {record_id!r}; `omp-tui list` or `omp-tui search` "
                    "shows ids"
                ).format(record_id=record_id)
            )
        if access:
            self._services.tiers.accessed([record_id])
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
            raise UsageError(
                _("limit {limit} and offset {offset}: the one from 1, the other from 0").format(
                    limit=limit, offset=offset
                )
            )
        self._services.mirror.follow()
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

    def search(
        self,
        text: str,
        *,
        mode: SearchMode = SearchMode.HYBRID,
        query: Query = Query(),  # noqa: B008 - a frozen value
        limit: int | None = None,
        browse: bool = False,
        vector: NDArray[np.float32] | None = None,
        level: SearchLevel | str = SearchLevel.SEMANTIC,
        token_budget: int | None = None,
        expand: bool = True,
    ) -> SearchAnswer:
        """Search both homes and return the best matches among what `query` lets through.

        Level `theme` gives the themes nearest to the text; level `all` a few of them, then
        records that say different things, and with `expand` members of near themes and episodes.
        `limit` is how many themes or records there may be, `token_budget` cuts the whole answer.
        The search is journalled and its hits count as read, unless it is a person's browsing
        (`browse`). `vector`, of shape (dim,), spares embedding the text. Raises
        InvalidValueError for an empty text or a limit or budget below 1, SettingsError for an
        unknown profile of weights.
        """
        self._services.mirror.follow()
        return self._services.search.search(
            text,
            mode=mode,
            query=query,
            limit=limit,
            browse=browse,
            vector=vector,
            level=level,
            token_budget=token_budget,
            expand=expand,
        )

    def session_context(
        self,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        app_id: str | None = None,
        limit: int = 10,
        max_tokens: int | None = None,
    ) -> SessionContext:
        """Return the project's facts, then a person's preferences, identity and environment.

        Without a `user_id` only records that belong to nobody are given. At most `limit`
        records of the person, the most important first; `max_tokens` cuts both parts. What is
        given counts as read; `waiting` is what waits for the person. Raises InvalidValueError
        for a limit below 1.
        """
        told = self._services.session_context.session_context(
            user_id=user_id, agent_id=agent_id, app_id=app_id, limit=limit, max_tokens=max_tokens
        )
        # a store that did not answer in time is not waited for here either
        seen = all(missing.home is not Home.USER for missing in told.degraded)
        return replace(told, waiting=self.review.waiting(store_too=seen))

    def disputes(self, *, set_aside: bool = False) -> tuple[OpenDispute, ...]:
        """Return the queue of open disputes, the most urgent first; or those set aside."""
        return self._services.open_disputes.disputes(set_aside=set_aside)

    def dispute(self, dispute_id: str) -> DisputeDetail:
        """Return what a person decides a dispute by: the base, the differing words, how both
        sides are used, what the rules prefer. Raises NotFoundError when it is not open."""
        return self._services.dispute_details.detail(dispute_id)

    def dispute_ending(self, record_id: str, dispute_id: str) -> Ending | None:
        """Return who settled a dispute that is open no more; None while it is open."""
        return self._services.dispute_details.ending(record_id, dispute_id)

    def proposals(self) -> Iterator[Proposal]:
        """Yield the long-term records that a person should archive or forget."""
        return self._services.maintenance.proposals()

    def forecast(self, record: Record) -> Forecast:
        """Return how a record fades and what the rules do with it next; nothing is read."""
        from omp_core.rules.forecast import forecast

        return forecast(record, self.now(), self.settings)

    def history(self, record_id: str) -> tuple[JournalEntry, ...]:
        """Return all that happened to a record, newest first."""
        return self._availability.read(lambda store: store.history(record_id))

    def acts(self, *, limit: int = 50, before: str | None = None) -> tuple[Act, ...]:
        """Return the newest acts, or those older than act `before`."""
        return all_worded(
            self._availability.read(lambda store: store.acts(limit=limit, before=before))
        )

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
        self._services.mirror.follow()
        return self._services.health.health()

    def overview(self) -> Overview:
        """Return what the dashboard's first screen shows."""
        self._services.mirror.follow()
        return self._services.overview.overview()

    def report(self, *, days: int = 7) -> PeriodReport:
        """Return what was done in the last days and by whom, the audit of important records,
        health with the searches of this and the period before, and what waits for the person.

        Raises InvalidValueError unless there are 1 to 3660 days, StoreUnavailableError.
        """
        self._services.mirror.follow()
        return self._services.report.report(days)

    @property
    def damages(self) -> tuple[Damage, ...]:
        """The project documents that did not parse when they were last read."""
        return self._services.mirror.damages

    def capabilities(self) -> tuple[Capability, ...]:
        """Return store, vectors and project files: up or down, since when and why."""
        with contextlib.suppress(StoreError):  # the store's capability says so
            self._availability.store()
        self._services.mirror.follow()
        return self._availability.capabilities(self.damages)

    @property
    def store_down(self) -> str | None:
        """Why the store is down; None while it is up or was not needed yet."""
        return self._availability.store_down

    @property
    def store_away(self) -> bool:
        """Whether the store cannot even be read; False while it was not needed yet."""
        return self._availability.store_away is not None

    def unseen(self) -> tuple[Unseen, ...]:
        """Return what the answers so far had to do without.

        The store as a whole, rows of it that cannot be read, changes that it lost, project
        documents that do not parse. Empty: everything that was asked for was seen.
        """
        seen_by = (self._availability, self._services.mirror, self._services.pending)
        return tuple(dict.fromkeys(one for part in seen_by for one in part.unseen()))

    def change_stamp(self) -> tuple[object, ...]:
        """Return what differs as soon as any process wrote, searched, or edited a document."""
        stamp = self._availability.read(lambda store: store.change_stamp())
        return (*stamp, self._availability.store_down, self._services.mirror.fingerprint())

    def warm(self) -> None:
        """Do what may take long, for a process that stays: open the store, mirror the
        documents, load the model, fill in missing vectors, make the day's backup, and let the
        themes follow what was written. Calling it again does what has come up since."""
        self._services.mirror.follow()
        embedder = self._availability.embedder()
        if embedder is not None:
            embedder.warm()
        self.embedding.embed_missing()
        self.backups.make_daily()
        self.themes.keep_up()

    # files

    def import_file(
        self,
        path: Path,
        *,
        format: str | None = None,
        on_existing: OnExisting = "skip",
        owner: Scope = Scope(),  # noqa: B008 - a frozen value
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> ImportReport:
        """Import a file or folder of another tool, or an export of our own.

        Rows that name no owner get what `owner` says; notes and rules that lie in a repository
        belong to its project unless `owner` names one.

        A row whose id is held already is skipped, overwrites the held record (as a new version
        of it), or comes in under a new id. A row that cannot be taken is reported and the rest
        goes on. `progress` is called with the number of rows done. Raises FormatError when the
        file as a whole cannot be read.
        """
        return self._services.imports.import_file(
            path,
            format=format,
            on_existing=on_existing,
            owner=owner,
            dry_run=dry_run,
            progress=progress,
        )

    def import_text(
        self,
        text: str,
        *,
        name: str = "memories.json",
        on_existing: OnExisting = "skip",
        dry_run: bool = False,
    ) -> ImportReport:
        """Import what would stand in a file of that name; it touches no disk on its way.

        The options are those of `import_file`. Raises FormatError.
        """
        from omp_core.formats.held_file import HeldFile

        return self.import_file(HeldFile.of(name, text), on_existing=on_existing, dry_run=dry_run)

    def export(self, query: Query | None = None) -> Iterator[Record]:
        """Yield every record of the user home, or those that a query lets through.

        Without a query nothing is left out. Facts of the project come only when the query names
        that home. Raises StoreUnavailableError.
        """
        return self._services.imports.export(query)

    def save(self, path: Path) -> int:
        """Write every record of the user home, whole, into one private JSON file.

        Returns how many there are. Raises StoreError, or OmpError when the system refuses;
        what the file held then stays.
        """
        from omp_core.formats import saved

        return saved.save(path, self.export(), self._session.now())

    def load(
        self,
        path: Path,
        *,
        on_existing: OnExisting = "overwrite",
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> ImportReport:
        """Bring back what `save` wrote; a record that is held becomes as it was saved.

        The options are those of `import_file`. Raises FormatError when the file is not whole;
        nothing is written then.
        """
        from omp_core.formats import saved

        return self.import_file(
            path, format=saved.NAME, on_existing=on_existing, dry_run=dry_run, progress=progress
        )
