"""Access control: holds what an actor wants against the user's settings, and notes refusals.

Reading is narrowed: an actor that may not read everything is given a store that has only what
they may read (`ReadableStore`). Writing is checked where acts are committed.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, cast

from omp_core.errors import AccessDeniedError, StoreError
from omp_core.i18n import _
from omp_core.model import SCOPE_FIELDS, JournalEntry, Json, Order, Query, Record, Right, Scope
from omp_core.rules.access import Rules, allows, allows_all, covers, rules_for, scopes
from omp_core.session import Session
from omp_core.store.protocol import Batch

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from omp_core.rules.ranking import Conversation, EpisodeKey
    from omp_core.store.protocol import Candidate, Store

_log = logging.getLogger(__name__)

_WHOLE_STORE = frozenset(
    {
        "adjacent", "change_stamp", "close", "commit", "count_without_vector", "drop_vectors",
        "label", "log_search", "mark", "mirror", "mirror_digests", "put_vectors", "read_only",
        "survey", "touch", "traits", "unseen", "vector_counts", "vectors", "without_vector",
    }
)  # fmt: skip
"""What a store does for the program itself; none of it shows an actor a text."""


class AccessControl:
    """What the present actor of a session may do. `store` opens the whole store."""

    def __init__(self, session: Session, store: Callable[[], Store]) -> None:
        self._session = session
        self._store = store

    def may(self, right: Right, scope: Scope) -> bool:
        """Return whether the actor has a right over records of a scope."""
        return allows(self._rules(), right, scope)

    def require(self, right: Right, scope: Scope) -> None:
        """Raise AccessDeniedError, and journal it, unless the actor has the right there."""
        if not self.may(right, scope):
            raise self._denied(right, scope)

    def require_all(self, right: Right) -> None:
        """Raise AccessDeniedError unless the actor has the right over everything."""
        if not allows_all(self._rules(), right):
            raise self._denied(right, None)

    def require_some(self, right: Right) -> None:
        """Raise AccessDeniedError unless there is a scope over which the actor has the right."""
        rules = self._rules()
        if rules is not None and not scopes(rules, right):
            raise self._denied(right, None)

    def visible(self, store: Store) -> Store:
        """Return the store as the actor may see it."""
        rules = self._rules()
        if rules is None or allows_all(rules, Right.READ):
            return store
        narrowed = ReadableStore(store, scopes(rules, Right.READ), self.require_all)
        return cast("Store", narrowed)

    def _rules(self) -> Rules:
        rules = self._session.settings.access
        return rules_for(self._session.actor, rules) if rules else None

    def _denied(self, right: Right, scope: Scope | None) -> AccessDeniedError:
        """Journal a refusal and return its error; a store that is away only has it in the log."""
        actor, where = self._session.actor, _words(scope)
        _log.warning("%s was refused to %s %s", actor, right, where or "everything")
        told: dict[str, Json] = {"right": str(right), "scope": where}
        if scope is None:
            told["form"] = "all"
        act = replace(self._session.act("denied", told), records=1)
        entry = JournalEntry(act.id, "denied", actor, act.at, f"access:{actor}", 0, None, told)
        try:
            self._store().commit(Batch(act, entries=(entry,)))
        except StoreError as error:
            _log.warning("the refusal is not in the journal: %s", error)
        allowed = {Right.READ: _("read"), Right.WRITE: _("write"), Right.CURATE: _("curate")}[right]
        if not where:
            return AccessDeniedError(
                _(
                    "{actor} may not {right} all memories, which this needs; the person changes "
                    "that under `access` in their own settings"
                ).format(actor=actor, right=allowed)
            )
        return AccessDeniedError(
            _(
                "{actor} may not {right} memories of {scope}; the person changes that under "
                "`access` in their own settings"
            ).format(actor=actor, right=allowed, scope=where)
        )


class ReadableStore:
    """A store as an actor sees it who may read only what lies in some scopes.

    What would tell of more (the journal, figures over everything) is refused.
    """

    def __init__(
        self, store: Store, readable: tuple[Scope, ...], require_all: Callable[[Right], None]
    ) -> None:
        self._store = store
        self._readable = readable
        self._require_all = require_all

    def __getattr__(self, name: str) -> Any:
        """Return what the store does for the program; everything else needs all to be readable."""
        if name not in _WHOLE_STORE:
            self._require_all(Right.READ)
        return getattr(self._store, name)

    def _seen(self, scope: Scope) -> bool:
        return any(covers(one, scope) for one in self._readable)

    def _narrowed(self, query: Query) -> Query:
        return replace(query, within=self._readable)

    def get(self, record_id: str) -> Record | None:
        return self.get_many([record_id]).get(record_id)

    def get_many(self, record_ids: Sequence[str]) -> dict[str, Record]:
        held = self._store.get_many(record_ids)
        return {name: record for name, record in held.items() if self._seen(record.scope)}

    def twin(self, content_hash: str, scope: Scope, now: datetime) -> Record | None:
        return self._store.twin(content_hash, scope, now) if self._seen(scope) else None

    def page(
        self,
        query: Query,
        now: datetime,
        *,
        order: Order = "updated",
        descending: bool = True,
        offset: int = 0,
        limit: int = 50,
    ) -> tuple[Record, ...]:
        return self._store.page(
            self._narrowed(query),
            now,
            order=order,
            descending=descending,
            offset=offset,
            limit=limit,
        )

    def count(self, query: Query, now: datetime) -> int:
        return self._store.count(self._narrowed(query), now)

    def iterate(self, query: Query, now: datetime) -> Iterator[Record]:
        return self._store.iterate(self._narrowed(query), now)

    def keyword(
        self, terms: Sequence[str], query: Query, now: datetime, limit: int
    ) -> list[Candidate]:
        return self._store.keyword(terms, self._narrowed(query), now, limit)

    def nearest(
        self, model_id: str, vector: NDArray[np.float32], query: Query, now: datetime, limit: int
    ) -> list[Candidate]:
        return self._store.nearest(model_id, vector, self._narrowed(query), now, limit)

    def conversations(
        self, model_id: str, episodes: Sequence[EpisodeKey], query: Query, now: datetime, most: int
    ) -> list[Conversation]:
        return self._store.conversations(model_id, episodes, self._narrowed(query), now, most)

    def history(self, record_id: str) -> tuple[JournalEntry, ...]:
        """Return what happened to a record that may be read, or to one that was never there."""
        if self.get(record_id) is None and self._store.history(record_id):
            self._require_all(Right.READ)
        return self._store.history(record_id)


def _words(scope: Scope | None) -> str:
    if scope is None:
        return ""
    parts = [
        f"{name.removesuffix('_id')} {value}"
        for name in SCOPE_FIELDS
        if (value := getattr(scope, name))
    ]
    return ", ".join(parts) or _("nobody")
