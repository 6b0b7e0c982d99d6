"""Session context: what an agent reads first: the project's facts, then the person's.

Both homes are read at once, each in a thread of its own. One that takes longer than the time
limit is reported instead of waited for.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from itertools import product
from threading import Thread

from omp_core.availability import Availability
from omp_core.errors import (
    DocumentDamagedError,
    DocumentError,
    InvalidValueError,
    OmpError,
    StoreDamagedError,
    StoreError,
    StoreUnavailableError,
)
from omp_core.i18n import _
from omp_core.language.sentences import estimate_tokens
from omp_core.model import Category, Home, Importance, Query, Record, Right, Scope
from omp_core.services.tiers import TierService
from omp_core.services.worker import Worker
from omp_core.session import Session
from omp_core.views import Waiting

_log = logging.getLogger(__name__)

_CORE = frozenset({Category.PREFERENCE, Category.IDENTITY, Category.ENVIRONMENT})
"""What makes a person's profile (memory skill, cold start)."""
_OF_THE_PAST = frozenset({Category.EPISODE, Category.CONCEPT})
_BULLET_TOKENS = 2


@dataclass(frozen=True, slots=True)
class Missing:
    """A home, or a part of it, that the context has to do without, and why."""

    home: Home
    reason: str


@dataclass(frozen=True, slots=True)
class SessionContext:
    """The facts of both homes, in the order to read them, and what was left out.

    `tokens` is what the texts come to by estimate. `project_left` and `user_left` count what
    limit and budget cut.
    """

    scope: Scope
    project: tuple[Record, ...]
    user: tuple[Record, ...]
    tokens: int
    project_left: int = 0
    user_left: int = 0
    degraded: tuple[Missing, ...] = ()
    waiting: Waiting = Waiting()  # noqa: RUF009 - a frozen value
    """What waits for a person."""


@dataclass(frozen=True, slots=True)
class _Part:
    """What one home has to say, how much more it has, and what of it is damaged."""

    records: tuple[Record, ...] = ()
    more: int = 0
    missing: tuple[Missing, ...] = ()


class SessionStart:
    """The part of `Memory` that gathers the context of a new session."""

    def __init__(self, session: Session, availability: Availability, tiering: TierService) -> None:
        self._session = session
        self._availability = availability
        self._tiering = tiering
        self._workers = {home: Worker(f"context-{home}") for home in Home}
        self._counting = Worker("context-accesses")
        self._late: dict[Home, Future[_Part]] = {}

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

        Without a `user_id` only records that belong to nobody are given, so that no person's
        memory leaks into another's session. Records of the project `app_id`, and of the agent
        `agent_id`, come beside those of none; others do not. The most important come first,
        at most `limit`. `max_tokens` cuts both parts; the user's part is sure of half of it.
        What is given counts as read. Raises InvalidValueError for a limit below 1.
        """
        for name, value in (("limit", limit), ("max_tokens", max_tokens)):
            if value is not None and value < 1:
                raise InvalidValueError(
                    _("{name}: {value} is less than 1").format(name=name, value=value)
                )
        scope = Scope(user_id or None, agent_id or None, app_id or None)
        asked = {
            Home.PROJECT: self._asked(Home.PROJECT, self._project),
            Home.USER: self._asked(Home.USER, lambda: self._user(scope, limit)),
        }
        ends = time.monotonic() + self._session.settings.documents.context_timeout_s
        parts = {home: self._answer(home, reply, ends) for home, reply in asked.items()}
        told = _told(scope, parts[Home.PROJECT], parts[Home.USER], max_tokens)
        self._count([record.id for record in told.user])
        return told

    def finish(self, close: Callable[[], None]) -> None:
        """Let the threads end, then close what they work with.

        They have the time limit for it, so that the last reads are counted. A thread that is
        still busy then, because the store is locked, is not waited for: closing follows it.
        """
        workers = (self._counting, *self._workers.values())
        threads = [thread for worker in workers if (thread := worker.end()) is not None]
        ends = time.monotonic() + self._session.settings.documents.context_timeout_s
        for thread in threads:
            thread.join(max(0.0, ends - time.monotonic()))
        busy = [thread for thread in threads if thread.is_alive()]
        if not busy:
            close()
            return

        def follow() -> None:
            for thread in busy:
                thread.join()
            close()

        _log.warning("the store is closed later: %s", ", ".join(thread.name for thread in busy))
        Thread(target=follow, name="context-closing", daemon=True).start()

    # one home each

    def _project(self) -> _Part:
        """Read the documents themselves, which need no store: constants first, then the rest."""
        from omp_core.project.documents import document_files, read_document, to_records

        if self._session.workspace is None:
            return _Part()
        scope = Scope(app_id=self._session.identity.app_id)
        if not self._availability.access.may(Right.READ, scope):
            return _Part()
        most = self._session.settings.documents.max_bytes
        records: list[Record] = []
        missing = []
        for file in document_files(self._session.workspace):
            name = self._session.workspace.name_of(file)
            if "/" in name or name == self._session.workspace.changelog_file.name:
                continue
            try:
                records += to_records(read_document(self._session.workspace, file, most), scope)
            except DocumentDamagedError as error:
                place = name if error.line is None else f"{name}:{error.line}"
                missing.append(Missing(Home.PROJECT, f"{place}: {error.reason}"))
            except DocumentError as error:
                missing.append(Missing(Home.PROJECT, str(error)))
        told = [record for record in records if record.category not in _OF_THE_PAST]
        return _Part(tuple(sorted(told, key=_reading_order)), 0, tuple(missing))

    def _user(self, scope: Scope, limit: int) -> _Part:
        store, now = self._availability.store(), self._session.now()
        queries = [
            Query(
                categories=_CORE,
                home=Home.USER,
                metadata={
                    "user_id": scope.user_id, "agent_id": agent, "app_id": app, "run_id": None,
                },
            )
            for agent, app in product({scope.agent_id, None}, {scope.app_id, None})
        ]  # fmt: skip
        try:
            total = sum(store.count(query, now) for query in queries)
            found: list[Record] = []
            for importance in Importance:
                if len(found) >= limit:
                    break
                alike = [
                    record
                    for query in queries
                    for record in store.page(
                        replace(query, metadata={**query.metadata, "importance": importance}),
                        now,
                        limit=limit,
                    )
                ]
                found += sorted(alike, key=lambda one: one.updated_at, reverse=True)
        except (StoreUnavailableError, StoreDamagedError) as error:
            self._availability.store_failed(error)
            raise
        return _Part(tuple(found[:limit]), total - len(found[:limit]))

    # in time

    def _asked(self, home: Home, call: Callable[[], _Part]) -> Future[_Part] | None:
        """Ask a home, unless it still owes the answer to an earlier question."""
        late = self._late.get(home)
        if late is not None and not late.done():
            return None
        return self._workers[home].submit(call)

    def _answer(self, home: Home, future: Future[_Part] | None, ends: float) -> _Part:
        if future is not None:
            try:
                return future.result(max(0.0, ends - time.monotonic()))
            except TimeoutError:
                self._late[home] = future
            except OmpError as error:
                return _Part(missing=(Missing(home, str(error)),))
        seconds = self._session.settings.documents.context_timeout_s
        slow = {
            Home.PROJECT: _("the project's documents were not read within {seconds:g} s"),
            Home.USER: _("the user store did not answer within {seconds:g} s"),
        }
        return _Part(missing=(Missing(home, slow[home].format(seconds=seconds)),))

    def _count(self, ids: Sequence[str]) -> None:
        """Count the reads in the background: a store that is locked for writing holds nobody up."""

        def count() -> None:
            try:
                self._tiering.accessed(ids)
            except StoreError as error:
                _log.warning("the reads of a session's context were not counted: %s", error)

        if ids:
            self._counting.submit(count)


def _reading_order(record: Record) -> tuple[int, float]:
    """Constants as they stand in their files, then decisions, the newest first."""
    if record.category is Category.DECISION:
        return 1, -record.updated_at.timestamp()
    return 0, 0.0


def _told(scope: Scope, project: _Part, user: _Part, max_tokens: int | None) -> SessionContext:
    facts, mine = project.records, user.records
    if max_tokens is not None:
        half = _within(mine, max_tokens // 2)
        facts = _within(facts, max_tokens - _tokens(half))
        mine = _within(mine, max_tokens - _tokens(facts))
    return SessionContext(
        scope,
        facts,
        mine,
        _tokens(facts) + _tokens(mine),
        project.more + len(project.records) - len(facts),
        user.more + len(user.records) - len(mine),
        (*project.missing, *user.missing),
    )


def _within(records: Sequence[Record], budget: int) -> tuple[Record, ...]:
    """Return as many of the first records as fit."""
    for number in range(len(records)):
        budget -= _tokens(records[number : number + 1])
        if budget < 0:
            return tuple(records[:number])
    return tuple(records)


def _tokens(records: Sequence[Record]) -> int:
    return sum(estimate_tokens(record.content) + _BULLET_TOKENS for record in records)
