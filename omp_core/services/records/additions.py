"""Adding records: what is known already is merged or named, a contradiction is disputed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from omp_core.availability import Availability
from omp_core.errors import (
    InvalidValueError,
    StoreDamagedError,
    StoreUnavailableError,
    VersionConflictError,
)
from omp_core.i18n import _
from omp_core.language.headline import headline
from omp_core.language.marks import CONFIDENCE, confidence_of, parted
from omp_core.language.normal import content_hash
from omp_core.model import (
    Category,
    Dispute,
    DisputeKind,
    Importance,
    Json,
    Receipt,
    Record,
    Right,
    Scope,
    Source,
    Stamp,
    Status,
    Temporality,
    Tier,
)
from omp_core.rules import content as content_rules
from omp_core.rules.fields import METADATA_PREFIX, json_value, typed_changes
from omp_core.rules.merge import merge
from omp_core.services.entries import is_reserved_id, stamp_new
from omp_core.services.locks import is_kept
from omp_core.services.pending_queue import PendingQueue
from omp_core.services.records.changes import RecordChanges
from omp_core.services.records.refused import RefusedTexts
from omp_core.services.records.union import PROPOSAL, RecordUnion
from omp_core.services.secret_guard import ensure_no_secret, ensure_no_secret_value
from omp_core.services.unit_of_work import UnitOfWork, UnitsOfWork
from omp_core.session import Session, new_id
from omp_core.store.protocol import NoneAlike, NoTwin, Vector

if TYPE_CHECKING:
    from omp_core.embed.protocol import Embedder

_LOOKED_AT = 5
"""How many nearest records are judged as possible duplicates."""


@dataclass(frozen=True, slots=True)
class SimilarRecord:
    """An existing record that a new text resembles, and what that means."""

    record: Record
    similarity: float
    verdict: str


class RecordAdditions:
    """The part of `Memory` that adds."""

    def __init__(
        self,
        session: Session,
        availability: Availability,
        writing: RecordChanges,
        queue: PendingQueue,
        refused: RefusedTexts,
        units: UnitsOfWork,
        union: RecordUnion,
    ) -> None:
        self._session = session
        self._availability = availability
        self._writing = writing
        self._queue = queue
        self._refused = refused
        self._units = units
        self._union = union
        self._measured: tuple[Embedder, float] | None = None
        """A model, and its cosine below which no two texts are compared."""

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
        """Store a text as a record.

        Identical text in the same scope is merged into the record that has it. A text in the
        duplicate band is not stored but kept for review: the receipt names the record it
        resembles; `force` stores it all the same, `propose` stores it as a candidate. A
        contradiction is stored beside the other record and opens a dispute. With the `id` of
        a record that is there, this is an update of it, based on `version`: its content and
        every field given that is not the default; the scope stays.

        Marks in front of the text, `[SCOPE:PERSONAL][CONF:0.9]`, are taken out of it: the
        confidence where none is given, everything else as metadata.

        Raises InvalidValueError, SecretFoundError, StoreUnavailableError.
        """
        now = self._session.now()
        content, marks = parted(content)
        sure = confidence_of(marks.get(CONFIDENCE, ""))
        if sure is not None and confidence == 1.0:
            confidence = sure
        kept = {key: one for key, one in marks.items() if key != CONFIDENCE or sure is None}
        metadata = {**kept, **(metadata or {})}
        if id is not None:
            ensure_no_secret_value({"id": id})
        elif version is not None:
            raise InvalidValueError(
                _(
                    "version {version} of which record? Name it with its id, or leave the version "
                    "out to add a new record"
                ).format(version=version)
            )
        if ttl_seconds is not None:
            expires_at = expiry(now, ttl_seconds)
        if version is not None and id is None:
            raise InvalidValueError(
                _("a version says what was read of a memory; name its id with it, or leave it out")
            )
        if id is not None and (version is not None or self._holds(id)):
            changes: dict[str, Json] = {
                name: value
                for name, value, usual in (
                    ("content", content, None),
                    ("tier", tier, Tier.SHORT_TERM),
                    ("category", category, Category.FACT),
                    ("importance", importance, Importance.MEDIUM),
                    ("source", source, Source.USER),
                    ("confidence", confidence, 1.0),
                    ("temporality", temporality, Temporality.PERMANENT),
                    ("tags", sorted(tags), []),
                    ("expires_at", expires_at, None),
                    ("episode", episode, None),
                    ("status", status, Status.ACTIVE),
                )
                if value != usual
            }
            changes |= {f"{METADATA_PREFIX}{key}": one for key, one in (metadata or {}).items()}
            return self._writing.update(id, changes, based_on=version)
        record = Record(
            id=id or new_id(),
            content=content,
            created_at=now,
            updated_at=now,
            tier=tier,
            scope=scope,
            category=category,
            importance=importance,
            source=source,
            confidence=confidence,
            temporality=temporality,
            tags=frozenset(tags),
            metadata=dict(metadata or {}),
            expires_at=expires_at,
            status=status,
            episode=episode,
        )
        return self.add_record(record, force=force, propose=propose, fresh=id is None)

    def add_record(
        self, record: Record, *, force: bool = False, propose: bool = False, fresh: bool = False
    ) -> Receipt:
        """Store a ready-made new record; see `add`. A `fresh` id was made for it just now.

        While the store is away it is kept in the project's pending file instead.
        """
        record = self._accepted(record)
        try:
            return self._store(record, force=force, propose=propose, fresh=fresh)
        except (StoreUnavailableError, StoreDamagedError) as error:
            return self._queue.keep(record, error)

    def store_record(
        self, record: Record, *, force: bool = False, propose: bool = False
    ) -> Receipt:
        """Store a ready-made new record, or raise StoreUnavailableError."""
        return self._store(self._accepted(record), force=force, propose=propose)

    def _accepted(self, record: Record) -> Record:
        """Return the record as it will be stored, if it may be."""
        if is_reserved_id(record.id):
            raise InvalidValueError(
                _("id: {id!r}: the program itself uses ids that begin so; choose another").format(
                    id=record.id
                )
            )
        self._availability.access.require(Right.WRITE, record.scope)
        most = self._session.settings.store.max_content_chars
        content = content_rules.accept(record.content, most)
        if content != record.content:
            record = replace(record, content=content)
        typed_changes({"confidence": record.confidence, "expires_at": record.expires_at})
        ensure_no_secret(record)
        return record

    def _store(self, record: Record, *, force: bool, propose: bool, fresh: bool = False) -> Receipt:
        self._availability.store()  # when it is away there is no use in loading a model
        vector = self._writing.vector(record.content)

        def attempt() -> Receipt:
            store, now = self._availability.store(), self._session.now()
            digest = content_hash(record.content)
            if not fresh and store.get(record.id) is not None:
                return Receipt("unchanged", record.id, None, note=_("the store has it already"))
            twin = store.twin(digest, record.scope, now)
            if twin is not None:
                return self._merge_into_twin(twin, record)
            mark = store.mark()
            likeness = None if force else self._likeness(record, vector)
            if likeness is not None and likeness.verdict in ("same", "merge", "exact"):
                if not propose:
                    self._refused.keep(record, likeness.record.id, likeness.similarity)
                    return _duplicate(record, likeness)
                return self._create(_as_proposal(record, likeness), vector, digest, fresh=fresh)
            embedder = self._availability.ready_embedder()
            since: tuple[NoneAlike, ...] = ()
            if vector is not None and embedder is not None and not force:
                since = (NoneAlike(mark, record.scope, vector, self._floor(embedder)),)
            return self._create(
                record, vector, digest, contradicts=likeness, conditions=since, fresh=fresh
            )

        return self._units.retrying(attempt)

    def _create(
        self,
        record: Record,
        vector: Vector | None,
        digest: str,
        *,
        contradicts: SimilarRecord | None = None,
        conditions: tuple[NoneAlike, ...] = (),
        fresh: bool = False,
    ) -> Receipt:
        disputes: tuple[Dispute, ...] = ()
        # an id that was deleted goes on counting, so that no old version number fits the new record
        earlier = () if fresh else self._availability.store().history(record.id)
        version = earlier[0].version + 1 if earlier else 1
        with self._units.begin("add", {"text": headline(record.content)}) as work:
            act = work.act
            stamped = stamp_new(record, act.actor, act.at, version)
            work.create(stamped, vector)
            work.fill(stamped.tier)
            if contradicts is not None:
                disputes = (_dispute(work, contradicts.record, stamped),)
            if record.status is Status.ACTIVE:
                work.require(NoTwin(digest, record.scope))
            work.require(*conditions)
        if contradicts is None:
            return Receipt("created", stamped.id, act.id, stamped)
        return _disputed(stamped, act.id, contradicts, disputes)

    def activate(
        self, candidate: Record, *, content: str | None = None, alike: bool = False
    ) -> Receipt:
        """Make a candidate an active record, with another text if one is given.

        As with `add`, identical text is merged into the record that has it, and a contradiction
        opens a dispute. What else resembles it stays beside it only with `alike`, and is merged
        with it otherwise. Raises VersionConflictError for a candidate that was changed since.
        """
        text = candidate.content if content is None else content
        active = self._accepted(replace(candidate, content=text, status=Status.ACTIVE))
        metadata = {key: one for key, one in active.metadata.items() if key != PROPOSAL}
        active = replace(active, metadata=metadata)
        vector = self._writing.vector(active.content)

        def attempt() -> Receipt:
            store, now = self._availability.store(), self._session.now()
            current = self._writing.writable(candidate.id)
            if current.version != candidate.version or current.status is not Status.CANDIDATE:
                raise InvalidValueError(
                    _("record {id} was changed meanwhile; look at it again").format(id=candidate.id)
                )
            twin = store.twin(content_hash(active.content), active.scope, now)
            if twin is not None:
                return self._union.merge(twin.id, candidate.id)
            likeness = self._likeness(active, vector)
            if likeness is not None and likeness.verdict != "contradiction":
                if not alike:
                    return self._union.merge(likeness.record.id, candidate.id, content)
                likeness = None
            return self._activate(current, active, vector, likeness)

        return self._units.retrying(attempt)

    def _activate(
        self,
        current: Record,
        active: Record,
        vector: Vector | None,
        contradicts: SimilarRecord | None,
    ) -> Receipt:
        merged = merge(
            current,
            {
                "content": active.content,
                "status": Status.ACTIVE,
                f"{METADATA_PREFIX}{PROPOSAL}": None,
            },
            based_on=current.version,
            actor=self._session.actor,
            now=self._session.now(),
            dispute_ids=iter(new_id, None),
        )
        disputes: tuple[Dispute, ...] = ()
        fields: list[Json] = list(merged.after)
        told: dict[str, Json] = {"fields": fields, "text": headline(active.content)}
        with self._units.begin("update", told) as work:
            work.change(current, merged, vector)
            work.fill(merged.record.tier)
            work.require(NoTwin(content_hash(active.content), active.scope))
            if contradicts is not None:
                disputes = (_dispute(work, contradicts.record, merged.record),)
        if contradicts is None:
            return Receipt("updated", current.id, work.act.id, merged.record)
        return _disputed(merged.record, work.act.id, contradicts, disputes)

    def _merge_into_twin(self, twin: Record, record: Record) -> Receipt:
        store = self._availability.store()
        act_id = None
        changes = {} if is_kept(twin, self._session.actor) else _news(twin, record)
        if changes:
            act_id = self._writing.update(twin.id, changes, based_on=twin.version).act_id
        store.touch([twin.id], self._session.now())
        held = store.get(twin.id)
        if held is None or held.status is not Status.ACTIVE or held.content != twin.content:
            raise VersionConflictError(_("the record with this text was changed meanwhile"))
        return Receipt(
            "merged",
            twin.id,
            act_id,
            held,
            duplicate_id=twin.id,
            similarity=1.0,
            existing=twin.content,
            note=_("this text was known already; its record was counted as read"),
        )

    def likeness(self, record: Record) -> SimilarRecord | None:
        """Return the record that this one repeats, resembles or contradicts."""
        twin = self._availability.store().twin(
            content_hash(record.content), record.scope, self._session.now()
        )
        if twin is not None:
            return SimilarRecord(twin, 1.0, "exact")
        return self._likeness(record, self._writing.vector(record.content))

    def _likeness(self, record: Record, vector: Vector | None) -> SimilarRecord | None:
        """Return the record of the same scope that this text repeats or contradicts."""
        embedder = self._availability.ready_embedder()
        if vector is None or embedder is None or record.status is not Status.ACTIVE:
            return None
        import numpy as np

        from omp_core.language.verdict import judge

        settings = self._session.settings.duplicates
        store, now = self._availability.store(), self._session.now()
        near = store.alike(vector, record.scope, now, floor=self._floor(embedder), limit=_LOOKED_AT)
        cosines = np.array([one.cosine for one in near], dtype=np.float32)
        likeness = embedder.calibrate(cosines).tolist()
        contradiction: tuple[str, float] | None = None
        for held, similarity in zip(near, likeness, strict=True):
            verdict = judge(held.content, record.content, similarity, settings)
            if verdict in ("exact", "same", "merge"):
                found = store.get(held.id)
                if found is not None:
                    return SimilarRecord(found, similarity, verdict)
            elif (
                contradiction is None
                and verdict == "contradiction"
                and held.category == record.category
            ):
                contradiction = held.id, similarity
        contradicted = store.get(contradiction[0]) if contradiction is not None else None
        if contradiction is None or contradicted is None:
            return None
        return SimilarRecord(contradicted, contradiction[1], "contradiction")

    def _floor(self, embedder: Embedder) -> float:
        """Return a cosine below which no two texts are compared."""
        from omp_core.language.verdict import REPLACED_FROM

        if self._measured is None or self._measured[0] is not embedder:
            lowest = min(self._session.settings.duplicates.propose_from, REPLACED_FROM)
            self._measured = embedder, _cosine_of(embedder, lowest)
        return self._measured[1]

    def _holds(self, record_id: str) -> bool:
        try:
            return self._availability.store().get(record_id) is not None
        except (StoreUnavailableError, StoreDamagedError):
            return False


def _cosine_of(embedder: Embedder, similarity: float) -> float:
    """Return a cosine of the model at most 0.001 below what it calls so similar."""
    import numpy as np

    cosines = np.linspace(-1, 1, 2001, dtype=np.float32)
    first = int(np.searchsorted(embedder.calibrate(cosines), similarity))
    return float(cosines[max(first - 1, 0)])


def expiry(now: datetime, ttl_seconds: float) -> datetime:
    """Return when what lives so long expires. Raises InvalidValueError."""
    if not ttl_seconds > 0:
        raise InvalidValueError(_("ttl_seconds: it must be greater than 0"))
    try:
        return now + timedelta(seconds=ttl_seconds)
    except OverflowError as error:
        raise InvalidValueError(
            _(
                "ttl_seconds: {ttl_seconds:g} seconds from now is no date; leave it out "
                "to keep the memory for ever"
            ).format(ttl_seconds=ttl_seconds)
        ) from error


def _news(twin: Record, record: Record) -> dict[str, Json]:
    """Return what a record says beyond one of the same text and scope."""
    changes: dict[str, Json] = {
        f"{METADATA_PREFIX}{key}": value
        for key, value in record.metadata.items()
        if key not in twin.metadata
    }
    if not record.tags <= twin.tags:
        changes["tags"] = sorted(twin.tags | record.tags)
    if record.tier is Tier.IMPORTANT:
        changes["tier"] = record.tier
    if twin.expires_at is not None and (
        record.expires_at is None or record.expires_at > twin.expires_at
    ):
        changes["expires_at"] = record.expires_at
    return changes


def _open_contradiction(
    held: Record, incoming: Record, actor: str, at: datetime
) -> tuple[Record, Dispute]:
    stamp = held.stamps.get("content", Stamp(1, str(held.source), held.created_at))
    dispute = Dispute(
        id=new_id(),
        field="content",
        kind=DisputeKind.CONTRADICTION,
        current=held.content,
        incoming=incoming.content,
        current_actor=stamp.actor,
        incoming_actor=actor,
        current_at=stamp.at,
        incoming_at=at,
        base_version=held.version,
        confidence=min(held.confidence, incoming.confidence),
        other_id=incoming.id,
    )
    return (
        replace(held, disputes=(*held.disputes, dispute), version=held.version + 1, updated_at=at),
        dispute,
    )


def _dispute(work: UnitOfWork, held: Record, incoming: Record) -> Dispute:
    """Open a contradiction on a held record, and return it."""
    disputed, opened = _open_contradiction(held, incoming, work.act.actor, work.act.at)
    work.put(
        held,
        disputed,
        {"disputes": json_value(held.disputes)},
        {"disputes": json_value(disputed.disputes)},
    )
    return opened


def _disputed(
    record: Record, act_id: str, contradicts: SimilarRecord, disputes: tuple[Dispute, ...]
) -> Receipt:
    return Receipt(
        "disputed",
        record.id,
        act_id,
        record,
        disputes,
        contradicts.record.id,
        contradicts.similarity,
        contradicts.record.content,
        _("stored, but it contradicts “{text}”; the dispute waits in the queue").format(
            text=headline(contradicts.record.content)
        ),
    )


def _as_proposal(record: Record, likeness: SimilarRecord) -> Record:
    from omp_core.language.verdict import fuller

    proposal = {
        "duplicate_of": likeness.record.id,
        "similarity": round(likeness.similarity, 3),
        "suggests": likeness.verdict,
        "fuller": fuller(likeness.record.content, record.content),
    }
    return replace(
        record, status=Status.CANDIDATE, metadata={**record.metadata, PROPOSAL: proposal}
    )


def _duplicate(record: Record, likeness: SimilarRecord) -> Receipt:
    return Receipt(
        "duplicate",
        record.id,
        None,
        None,
        duplicate_id=likeness.record.id,
        similarity=likeness.similarity,
        existing=likeness.record.content,
        note=_(
            "not stored: it looks like “{text}”; update that record, or add with force to keep both"
        ).format(text=headline(likeness.record.content)),
    )
