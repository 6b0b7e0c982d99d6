"""Adding, changing and deleting records, through the write rule and the choke point."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, TypeVar

from omp_core.errors import (
    InvalidValueError,
    NotFoundError,
    ReadOnlyError,
    StoreDamagedError,
    StoreError,
    StoreUnavailableError,
    VersionConflictError,
)
from omp_core.i18n import _, ngettext
from omp_core.memory.context import Context, new_id
from omp_core.memory.tiering import Tiering
from omp_core.model import (
    Category,
    Dispute,
    DisputeKind,
    Home,
    Importance,
    JournalEntry,
    Json,
    Query,
    Receipt,
    Record,
    Scope,
    Source,
    Stamp,
    Status,
    Temporality,
    Tier,
)
from omp_core.record_json import to_json
from omp_core.rules import content as content_rules
from omp_core.rules.fields import METADATA_PREFIX, json_value, typed_changes
from omp_core.rules.merge import Merged, merge, metadata_changes
from omp_core.store.protocol import Batch, NoTwin, Put, Removal, Vector
from omp_core.text.headline import headline
from omp_core.text.language import script
from omp_core.text.normal import content_hash

_TRIES = 200
"""A write that loses this many races in a row gives up."""
_LOOKED_AT = 20
"""How many nearest records are judged as possible duplicates."""

_Result = TypeVar("_Result")
Keep = Callable[[Record, StoreError], Receipt]


@dataclass(frozen=True, slots=True)
class Likeness:
    """An existing record that a new text resembles, and what that means."""

    record: Record
    similarity: float
    verdict: str


class Writing:
    """The part of `Memory` that writes."""

    def __init__(self, context: Context, tiering: Tiering) -> None:
        self._context = context
        self._tiering = tiering
        self._keep: Keep | None = None

    def keep_with(self, keep: Keep) -> None:
        """Say what keeps a new record while the store is away."""
        self._keep = keep

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
        duplicate band is not stored: the receipt names the record it resembles; `force` stores
        it all the same, `propose` stores it as a candidate for review. A contradiction is
        stored beside the other record and opens a dispute. With `id` and `version` this is an
        update of that record's content, based on that version.

        Raises InvalidValueError, SecretFoundError, StoreUnavailableError.
        """
        context = self._context
        now = context.now()
        if id is not None and (version is not None or self._holds(id)):
            changes: dict[str, Json] = {"content": content}
            if tier is not Tier.SHORT_TERM:
                changes["tier"] = str(tier)
            return self.update(id, changes, based_on=version)
        if ttl_seconds is not None:
            if ttl_seconds <= 0:
                raise InvalidValueError("ttl_seconds: it must be greater than 0")
            expires_at = now + timedelta(seconds=ttl_seconds)
        record = Record(
            id=id or new_id(),
            content=content_rules.accept(content, context.settings.store.max_content_chars),
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
        return self.add_record(record, force=force, propose=propose)

    def add_record(self, record: Record, *, force: bool = False, propose: bool = False) -> Receipt:
        """Store a ready-made new record; see `add`.

        While the store is away it is kept in the project's pending file instead.
        """
        try:
            return self.store_record(record, force=force, propose=propose)
        except (StoreUnavailableError, StoreDamagedError) as error:
            if self._keep is None:
                raise
            return self._keep(record, error)

    def store_record(
        self, record: Record, *, force: bool = False, propose: bool = False
    ) -> Receipt:
        """Store a ready-made new record, or raise StoreUnavailableError."""
        context = self._context
        typed_changes({"confidence": record.confidence, "expires_at": record.expires_at})
        ensure_no_secret(record)
        context.store()  # when it is away there is no use in loading a model
        vector = self.vector(record.content)

        def attempt() -> Receipt:
            store, now = context.store(), context.now()
            digest = content_hash(record.content)
            if store.get(record.id) is not None:
                return Receipt("unchanged", record.id, None, note=_("the store has it already"))
            twin = store.twin(digest, record.scope, now)
            if twin is not None:
                return self._merge_into_twin(twin, record)
            likeness = None if force else self._likeness(record, vector)
            if likeness is not None and likeness.verdict in ("same", "merge", "exact"):
                if not propose:
                    return _duplicate(record, likeness)
                return self._create(_as_proposal(record, likeness), vector, digest)
            return self._create(record, vector, digest, contradicts=likeness)

        receipt = self.retrying(attempt)
        if receipt.outcome in ("created", "disputed"):
            self._tiering.settle(record.tier)
        return receipt

    def _create(
        self,
        record: Record,
        vector: Vector | None,
        digest: str,
        *,
        contradicts: Likeness | None = None,
    ) -> Receipt:
        context = self._context
        disputed: list[Put] = []
        disputes: tuple[Dispute, ...] = ()
        act = context.act("add", _("added “{text}”").format(text=headline(record.content)), 1)
        stamped = stamp_new(record, act.actor, act.at)
        entries = [created_entry(act.id, act.kind, act.actor, act.at, stamped)]
        if contradicts is not None:
            held, opened = _open_contradiction(contradicts.record, stamped, act.actor, act.at)
            disputes = (opened,)
            disputed.append(Put(held, contradicts.record.version))
            entries.append(
                JournalEntry(
                    act.id,
                    act.kind,
                    act.actor,
                    act.at,
                    held.id,
                    held.version,
                    {"disputes": json_value(contradicts.record.disputes)},
                    {"disputes": json_value(held.disputes)},
                )
            )
        conditions = (NoTwin(digest, record.scope),) if record.status is Status.ACTIVE else ()
        context.store().commit(
            Batch(
                replace(act, records=len(entries)),
                (Put(stamped, None, vector), *disputed),
                (),
                tuple(entries),
                conditions,
            )
        )
        if contradicts is None:
            return Receipt("created", stamped.id, act.id, stamped)
        return Receipt(
            "disputed",
            stamped.id,
            act.id,
            stamped,
            disputes,
            contradicts.record.id,
            contradicts.similarity,
            contradicts.record.content,
            _("stored, but it contradicts “{text}”; the dispute waits in the queue").format(
                text=headline(contradicts.record.content)
            ),
        )

    def _merge_into_twin(self, twin: Record, record: Record) -> Receipt:
        context = self._context
        context.store().touch([twin.id], context.now())
        act_id = None
        if not record.tags <= twin.tags:
            act_id = self.update(
                twin.id, {"tags": sorted(twin.tags | record.tags)}, based_on=twin.version
            ).act_id
        return Receipt(
            "merged",
            twin.id,
            act_id,
            context.store().get(twin.id) or twin,
            duplicate_id=twin.id,
            similarity=1.0,
            existing=twin.content,
            note=_("this text was known already; its record was counted as read"),
        )

    def likeness(self, record: Record) -> Likeness | None:
        """Return the record that this one repeats, resembles or contradicts."""
        twin = self._context.store().twin(
            content_hash(record.content), record.scope, self._context.now()
        )
        if twin is not None:
            return Likeness(twin, 1.0, "exact")
        return self._likeness(record, self.vector(record.content))

    def _likeness(self, record: Record, vector: Vector | None) -> Likeness | None:
        """Return the record of the same scope that this text repeats or contradicts."""
        embedder = self._context.ready_embedder()
        if vector is None or embedder is None or record.status is not Status.ACTIVE:
            return None
        import numpy as np

        from omp_core.rules.similarity import CONTRADICTION_FROM, judge

        settings = self._context.settings.duplicates
        store = self._context.store()
        near = store.nearest(
            vector.model_id,
            vector.values,
            Query(scope=record.scope, home=Home.USER),
            self._context.now(),
            _LOOKED_AT,
        )
        if not near:
            return None
        likeness = embedder.calibrate(np.array([one.score for one in near], dtype=np.float32))
        close = {
            one.id: float(value)
            for one, value in zip(near, likeness, strict=True)
            if value >= min(settings.propose_from, CONTRADICTION_FROM)
        }
        contradiction: Likeness | None = None
        for held in store.get_many(list(close)).values():
            if held.scope != record.scope:
                continue
            similarity = close[held.id]
            verdict = judge(held.content, record.content, similarity, settings)
            if verdict in ("exact", "same", "merge"):
                return Likeness(held, similarity, verdict)
            if (
                verdict == "contradiction"
                and held.category is record.category
                and (contradiction is None or similarity > contradiction.similarity)
            ):
                contradiction = Likeness(held, similarity, verdict)
        return contradiction

    def update(
        self, record_id: str, changes: Mapping[str, Json], *, based_on: int | None = None
    ) -> Receipt:
        """Change fields of a record under the write rule.

        `based_on` is the version that the writer saw; None takes the present one. `metadata`
        replaces the whole mapping, `metadata.<key>` one key of it. Raises NotFoundError,
        ReadOnlyError, InvalidValueError, SecretFoundError, StoreUnavailableError.
        """
        typed = typed_changes(changes)
        if "content" in typed:
            typed["content"] = content_rules.accept(
                typed["content"], self._context.settings.store.max_content_chars
            )
        ensure_no_secret_value(changes)
        vector = self.vector(typed["content"]) if "content" in typed else None

        def attempt() -> Receipt:
            current = self.writable(record_id)
            wanted = dict(typed)
            if "metadata" in wanted:
                wanted |= metadata_changes(current.metadata, wanted.pop("metadata"))
            base = current.version if based_on is None else based_on
            if base > current.version:
                raise InvalidValueError(
                    f"record {record_id} is at version {current.version}; a write cannot be "
                    f"based on version {base}"
                )
            merged = merge(
                current,
                wanted,
                based_on=base,
                actor=self._context.actor,
                now=self._context.now(),
                dispute_ids=_fresh_ids(),
            )
            if not merged.changed:
                return Receipt("unchanged", record_id, None, current)
            return self.commit_merged("update", _updated_summary(current, merged), merged, vector)

        receipt = self.retrying(attempt)
        if receipt.record is not None and "tier" in typed:
            self._tiering.settle(receipt.record.tier)
        return receipt

    def commit_merged(
        self, kind: str, summary: str, merged: Merged, vector: Vector | None = None
    ) -> Receipt:
        """Write the outcome of the write rule as one act."""
        record = merged.record
        act = self._context.act(kind, summary, 1)
        entry = merged_entry(act.id, kind, act.actor, act.at, merged)
        self._context.store().commit(
            Batch(
                act,
                (Put(record, record.version - 1, vector if "content" in merged.after else None),),
                (),
                (entry,),
            )
        )
        if not merged.disputes:
            return Receipt("updated", record.id, act.id, record)
        names = ", ".join(dispute.field for dispute in merged.disputes)
        return Receipt(
            "disputed",
            record.id,
            act.id,
            record,
            merged.disputes,
            note=_(
                "{fields} was changed by {actor} meanwhile; both values are kept until the "
                "dispute is settled"
            ).format(fields=names, actor=merged.disputes[0].current_actor),
        )

    def set_tier(self, record_ids: Sequence[str], tier: Tier) -> Receipt:
        """Move records to a tier by hand, as one act."""
        receipt = self.change_many(
            record_ids,
            {"tier": tier},
            "tier",
            ngettext(
                "moved {count} record to {tier}", "moved {count} records to {tier}", len(record_ids)
            ),
        )
        self._tiering.settle(tier)
        return receipt

    def set_status(self, record_ids: Sequence[str], status: Status) -> Receipt:
        """Archive records by hand, or bring them back, as one act."""
        return self.change_many(
            record_ids,
            {"status": status},
            "update",
            ngettext(
                "made {count} record {status}", "made {count} records {status}", len(record_ids)
            ),
        )

    def change_many(
        self, record_ids: Sequence[str], changes: Mapping[str, Any], kind: str, summary: str
    ) -> Receipt:
        """Make the same change to each record as it is now, as one act.

        `changes` holds values of the record's own types; `summary` may name `{count}` and any
        changed field.
        """

        def attempt() -> Receipt:
            merges = []
            for record_id in dict.fromkeys(record_ids):
                current = self.writable(record_id)
                merged = merge(
                    current,
                    changes,
                    based_on=current.version,
                    actor=self._context.actor,
                    now=self._context.now(),
                    dispute_ids=_fresh_ids(),
                )
                if merged.changed:
                    merges.append(merged)
            return self.commit_many(kind, summary.format(count=len(merges), **changes), merges)

        return self.retrying(attempt)

    def commit_many(self, kind: str, summary: str, merges: Sequence[Merged]) -> Receipt:
        """Write several outcomes of the write rule as one act."""
        if not merges:
            return Receipt("unchanged", "", None, note=_("there was nothing to change"))
        act = self._context.act(kind, summary, len(merges))
        self._context.store().commit(
            Batch(
                act,
                tuple(Put(one.record, one.record.version - 1) for one in merges),
                (),
                tuple(merged_entry(act.id, kind, act.actor, act.at, one) for one in merges),
            )
        )
        return Receipt("updated", merges[0].record.id, act.id, merges[0].record, note=summary)

    def delete(self, record_ids: Sequence[str]) -> Receipt:
        """Delete records as one act. Undo brings them back as they were."""

        def attempt() -> Receipt:
            held = [self.writable(record_id) for record_id in dict.fromkeys(record_ids)]
            if not held:
                raise NotFoundError("no record was named to delete")
            summary = ngettext("deleted {count} record", "deleted {count} records", len(held))
            act = self._context.act("delete", summary.format(count=len(held)), len(held))
            self._context.store().commit(
                Batch(
                    act,
                    (),
                    tuple(Removal(record.id, record.version) for record in held),
                    tuple(
                        deleted_entry(act.id, act.kind, act.actor, act.at, record)
                        for record in held
                    ),
                )
            )
            return Receipt("deleted", held[0].id, act.id, held[0], note=act.summary)

        return self.retrying(attempt)

    def _holds(self, record_id: str) -> bool:
        try:
            return self._context.store().get(record_id) is not None
        except StoreUnavailableError:
            return False

    def writable(self, record_id: str) -> Record:
        """Return a record of the user home. Raises NotFoundError or ReadOnlyError."""
        record = self._context.store().get(record_id)
        if record is None:
            raise NotFoundError(
                f"no record has the id {record_id!r}; `omp-tui list` or `omp-tui search` shows ids"
            )
        if record.home is Home.PROJECT:
            file = record.id.removeprefix("project:").partition("#")[0]
            raise ReadOnlyError(
                f"{record.id} is a fact of this project; change it in _omp/memory/{file}"
            )
        return record

    def vector(self, text: str) -> Vector | None:
        """Return the text's vector, or None when no model can be had."""
        embedder = self._context.embedder()
        if embedder is None:
            return None
        return Vector(embedder.model_id, script(text), embedder.embed_passages([text])[0])

    def retrying(self, attempt: Callable[[], _Result]) -> _Result:
        """Make an attempt again as long as it loses races; each loss is another's success."""
        for _number in range(_TRIES):
            try:
                return attempt()
            except VersionConflictError:
                continue
            except (StoreUnavailableError, StoreDamagedError) as error:
                self._context.store_failed(error)
                raise
        raise StoreUnavailableError(
            f"{self._context.store_path}: other processes changed the record {_TRIES} times "
            "before this write got through; try again"
        )


def ensure_no_secret(record: Record) -> None:
    """Raise SecretFoundError if any text of the record holds a secret."""
    ensure_no_secret_value(
        {
            "content": record.content,
            "tags": sorted(record.tags),
            "metadata": dict(record.metadata),
            "episode": record.episode,
        }
    )


def ensure_no_secret_value(value: Mapping[str, Json]) -> None:
    """Raise SecretFoundError if a value of a write holds a secret."""
    from omp_core.rules.secrets import ensure_clean, ensure_clean_value

    content = value.get("content")
    if isinstance(content, str):
        ensure_clean(content)
    for name in ("tags", "metadata", "episode"):
        if value.get(name):
            ensure_clean_value(json_value(value[name]))
    for name, one in value.items():
        if name.startswith(METADATA_PREFIX):
            ensure_clean_value({name.removeprefix(METADATA_PREFIX): one})


def stamp_new(record: Record, actor: str, at: datetime) -> Record:
    """Return a new record at version 1 with its content and tier stamped."""
    stamps = {name: Stamp(1, actor, at) for name in ("content", "tier")}
    return replace(record, version=1, stamps=stamps)


def created_entry(act_id: str, kind: str, actor: str, at: datetime, record: Record) -> JournalEntry:
    """Return the journal entry of a record that came to be."""
    return JournalEntry(act_id, kind, actor, at, record.id, record.version, None, to_json(record))


def deleted_entry(act_id: str, kind: str, actor: str, at: datetime, record: Record) -> JournalEntry:
    """Return the journal entry of a record that was removed."""
    return JournalEntry(act_id, kind, actor, at, record.id, record.version, to_json(record), None)


def merged_entry(act_id: str, kind: str, actor: str, at: datetime, merged: Merged) -> JournalEntry:
    """Return the journal entry of a write under the write rule."""
    before, after = dict(merged.before), dict(merged.after)
    if merged.disputes:
        opened = {dispute.id for dispute in merged.disputes}
        held = [dispute for dispute in merged.record.disputes if dispute.id not in opened]
        before["disputes"] = json_value(tuple(held))
        after["disputes"] = json_value(merged.record.disputes)
    return JournalEntry(
        act_id, kind, actor, at, merged.record.id, merged.record.version, before, after
    )


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


def _as_proposal(record: Record, likeness: Likeness) -> Record:
    from omp_core.rules.similarity import fuller

    proposal = {
        "duplicate_of": likeness.record.id,
        "similarity": round(likeness.similarity, 3),
        "suggests": likeness.verdict,
        "fuller": fuller(likeness.record.content, record.content),
    }
    return replace(
        record, status=Status.CANDIDATE, metadata={**record.metadata, "proposal": proposal}
    )


def _duplicate(record: Record, likeness: Likeness) -> Receipt:
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


def _updated_summary(current: Record, merged: Merged) -> str:
    fields = ", ".join(merged.after) or ", ".join(one.field for one in merged.disputes)
    return _("changed {fields} of “{text}”").format(fields=fields, text=headline(current.content))


def _fresh_ids() -> Iterator[str]:
    while True:
        yield new_id()
