"""One foreign row on its way to a record.

A format takes or renames what only it calls so, and asks for the record. Keys that no
field takes go into `metadata`; a word that a field cannot hold as it was stays there too.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, tzinfo
from typing import Any

from omp_core.formats.item import ImportItem
from omp_core.formats.plain import NotPlainError, plain
from omp_core.formats.times import Instant, read_time
from omp_core.formats.words import (
    CATEGORIES,
    ENDED,
    HIGH_WORDS,
    IMPORTANCES,
    LIKE_CATEGORIES,
    STATES,
    TEMPORALITIES,
    TIERS,
    folded,
)
from omp_core.i18n import _
from omp_core.language.marks import CONFIDENCE, parted
from omp_core.language.tags import tags_of
from omp_core.model import (
    Category,
    Importance,
    Json,
    Record,
    Scope,
    Source,
    Status,
    Temporality,
    Tier,
)

_NAMESPACE = uuid.uuid5(uuid.NAMESPACE_URL, "omp-tui:import")


class RowError(Exception):
    """A row that cannot become a record. Says why, and what to do."""


def record_id(format_name: str, content: str, scope: Scope, *more: str) -> str:
    """Return an id made from what a memory says, so that a second import knows it again."""
    owners = (scope.user_id, scope.agent_id, scope.app_id, scope.run_id)
    return str(uuid.uuid5(_NAMESPACE, json.dumps([format_name, content, *more, *owners])))


class Row:
    """The keys of a row that are not used yet, its metadata, and the notes made so far."""

    def __init__(self, raw: object) -> None:
        """Raises RowError when the row is no object or cannot be one memory."""
        try:
            value, self.notes = plain(raw)
        except NotPlainError as error:
            raise RowError(_("The row was not read: {reason}.").format(reason=error)) from error
        if not isinstance(value, dict):
            raise RowError(_("The row is not an object with a text in it. Leave it out."))
        self.fields: dict[str, Any] = value
        self.metadata: dict[str, Any] = self._take_metadata()
        self._zone: tzinfo = UTC

    def _take_metadata(self) -> dict[str, Any]:
        found = self.fields.pop("metadata", None)
        if isinstance(found, str) and found.strip():
            try:
                found, notes = plain(json.loads(found, strict=False))
            except (ValueError, RecursionError, NotPlainError):
                self.note(_("metadata is not JSON; kept as text"))
            else:
                self.notes += notes
        if isinstance(found, dict):
            return dict(found)
        return {} if found in (None, "", []) else {"metadata": found}

    def note(self, text: str) -> None:
        if text not in self.notes:
            self.notes.append(text)

    def keep(self, name: str, value: Json) -> None:
        """Keep a value in the metadata, beside another one of that name if need be."""
        while name in self.metadata and self.metadata[name] != value:
            name = f"original_{name}"
        self.metadata[name] = value

    def take(self, *names: str) -> Json:
        """Return the first of these fields that holds something; empty ones before it go."""
        return _take(self.fields, names)

    def take_text(self, *names: str) -> str | None:
        """Return the first of these fields that holds text that is not blank."""
        for name in names:
            value = self.fields.get(name)
            if isinstance(value, str) and value.strip():
                del self.fields[name]
                return value
        return None

    def take_word(self, *names: str) -> str | None:
        """Return the first of these fields that holds a text or number, as text."""
        for name in names:
            value = self.take(name)
            if isinstance(value, str):
                if value.strip():
                    return value.strip()
            elif isinstance(value, int | float) and not isinstance(value, bool):
                return str(value)
            elif value is not None:
                self.keep(name, value)
        return None

    def take_time(self, *names: str) -> datetime | None:
        """Return the first of these fields that holds a time; what is none is kept."""
        found = self._take_instant(self.fields, names)
        return found.at if found else None

    def take_scope(self) -> Scope:
        """Take the owners, from the row itself or from an object named `scope` in it."""
        inner = self.fields.get("scope")
        if isinstance(inner, dict):
            del self.fields["scope"]
            for name, value in inner.items():
                if self.fields.get(name) in (None, ""):
                    self.fields[name] = value
        return Scope(
            user_id=self.take_word("user_id"),
            agent_id=self.take_word("agent_id"),
            app_id=self.take_word("app_id"),
            run_id=self.take_word("run_id"),
        )

    def record(
        self,
        format_name: str,
        content: str | None,
        now: datetime,
        *,
        scope: Scope | None = None,
        identity: Iterable[str] = (),
        category: Category = Category.FACT,
        timeless: bool = False,
    ) -> Record:
        """Return the record of this row; call it last and once.

        `identity` tells rows of equal content apart when the row brings no id, `category`
        is the kind when the row does not say one, `timeless` is for formats that never hold
        times. A plain date is a day in the zone of `now`, the person's own. Raises RowError when
        there is no text.
        """
        if content is None or not content.strip():
            raise RowError(_("The row has no text. Give it one, or leave the row out."))
        scope = scope or self.take_scope()
        given = self.take_word("id")
        self._zone = now.tzinfo or UTC
        now = now.astimezone(UTC)
        content = self._without_tags(content)
        created = self.take_time("created_at", "createdAt", "created")
        updated = self.take_time("updated_at", "updatedAt", "updated", "modified")
        if created is None and updated is None and not timeless:
            self.note(_("no time of creation; the time of the import stands for it"))
        superseded_by = self.take_word("superseded_by")
        status = self._status()
        if superseded_by and status is Status.ACTIVE:
            status = Status.SUPERSEDED
        importance = self._importance()
        return Record(
            id=given or record_id(format_name, content, scope, *identity),
            content=content,
            created_at=created or updated or now,
            updated_at=updated or created or now,
            tier=self._tier(importance),
            scope=scope,
            category=self._category(category),
            importance=importance,
            source=self._source(),
            confidence=self._confidence(),
            temporality=self._temporality(),
            tags=frozenset([*_words(self.take("tags")), *_words(self._take_inner("tags"))]),
            expires_at=self._expiry(now),
            status=status,
            superseded_by=superseded_by,
            last_accessed=self.take_time("last_accessed", "last_accessed_at"),
            access_count=self._count(),
            metadata=self._rest(),
        )

    def _without_tags(self, content: str) -> str:
        """Read the tags in front of a text, `[SCOPE:PERSONAL][CONF:0.9]`, into the row."""
        text, marks = parted(content)
        for name, value in marks.items():
            if name == CONFIDENCE and self.fields.get("confidence") is None:
                self.fields["confidence"] = value
            else:
                self.keep(name, value)
        return text

    def _take_inner(self, *names: str) -> Json:
        return _take(self.metadata, names)

    def _take_either(self, name: str) -> Json:
        found = self.take(name)
        return self._take_inner(name) if found is None else found

    def _take_instant(self, holder: dict[str, Any], names: Iterable[str]) -> Instant | None:
        for name in names:
            value = _take(holder, (name,))
            if value is None:
                continue
            found = read_time(value, self._zone)
            if found is not None:
                if found.said == "no zone":
                    self.note(_("{field} has no time zone; read as UTC").format(field=name))
                return found
            self.note(_("{field} is not a time; kept in metadata").format(field=name))
            self.keep(name, value)
        return None

    def _expiry(self, now: datetime) -> datetime | None:
        names = ("expires_at", "expiration_date", "expiresAt")
        found = self._take_instant(self.fields, names) or self._take_instant(self.metadata, names)
        if found is None or (found.said == "number" and found.at.timestamp() <= 0):
            return None  # lm-mem writes 0 for a memory that never expires
        expires = found.at
        if found.said == "date":
            # mem0 documents such a date as the last day on which the memory is valid
            expires = found.end_of_day()
            self.note(_("the date of expiry has no time; valid until the end of that day"))
        if expires <= now:
            self.note(_("expired already; stays hidden"))
        return expires

    def _status(self) -> Status:
        state = self.take("state")
        certain = state is not None
        if not certain:
            state = self._take_either("status")
        if state is None:
            state = self._take_inner("state")
        status = STATES.get(folded(state)) if isinstance(state, str) else None
        if status is None and certain:
            status = Status.ARCHIVED
            self.note(
                _("unknown state {word}; archived, so that it does not come back").format(
                    word=repr(state)
                )
            )
        if state is not None and state != status:
            self.keep("state", state)
        status = status or Status.ACTIVE
        holders = (self.fields, self.metadata)
        ended = any(holder.get(name) for holder in holders for name in ENDED) or any(
            holder.get("is_active") is False for holder in holders
        )
        return Status.ARCHIVED if ended and status is not Status.SUPERSEDED else status

    def _importance(self) -> Importance:
        value = self._take_either("importance")
        word = folded(value) if isinstance(value, str) else ""
        if value is not None and word not in IMPORTANCES:
            self.keep("importance", value)
        if word in HIGH_WORDS or self.metadata.get("important") is True:
            return Importance.HIGH
        return IMPORTANCES.get(word, Importance.MEDIUM)

    def _tier(self, importance: Importance) -> Tier:
        value = self._take_either("tier")
        word = folded(value).replace("_", "-") if isinstance(value, str) else ""
        if value is not None and word not in TIERS:
            self.keep("tier", value)
        high = importance is Importance.HIGH
        return TIERS.get(word, Tier.IMPORTANT if high else Tier.LONG_TERM)

    def _category(self, default: Category) -> Category:
        single = self._take_either("category")
        several = self._take_either("categories")
        words = {word: folded(word) for word in [*_words(single), *_words(several)]}
        for word, key in words.items():
            if key not in CATEGORIES and key not in LIKE_CATEGORIES:
                self.note(_("unknown category {word} kept in metadata").format(word=repr(word)))
        exact = [CATEGORIES[key] for key in words.values() if key in CATEGORIES]
        alike = [LIKE_CATEGORIES[key] for key in words.values() if key in LIKE_CATEGORIES]
        chosen = next(iter([*exact, *alike]), default)
        if single is not None and single != chosen:
            self.keep("category", single)
        if several and several != [chosen.value]:
            self.keep("categories", several)
        return chosen

    def _source(self) -> Source:
        value = self._take_either("source")
        if value is not None and value != Source.IMPORTED:
            self.keep("source", value)
        return Source.IMPORTED

    def _confidence(self) -> float:
        value = self._take_either("confidence")
        if value is None:
            return 1.0
        try:
            number = float(value)
        except (TypeError, ValueError, OverflowError):
            number = -1.0
        if 0 <= number <= 1 and not isinstance(value, bool):
            return number
        self.note(_("confidence is not a number from 0 to 1; kept in metadata"))
        self.keep("confidence", value)
        return 1.0

    def _temporality(self) -> Temporality:
        value = self._take_either("temporality")
        word = folded(value) if isinstance(value, str) else ""
        if value is not None and word not in TEMPORALITIES:
            self.keep("temporality", value)
        return TEMPORALITIES.get(word, Temporality.PERMANENT)

    def _count(self) -> int:
        value = self.take("access_count")
        word = str(value) if not isinstance(value, bool) else ""
        if word.isdecimal() and len(word) < 16:
            return int(word)
        if value is not None:
            self.keep("access_count", value)
        return 0

    def _rest(self) -> dict[str, Any]:
        for name, value in self.fields.items():
            if value is not None or name not in ENDED:
                self.keep(name, value)
        return self.metadata


def converted(place: str, raw: object, convert: Callable[[Row], Record]) -> ImportItem:
    """Return what `convert` makes of a row, or the problem that it has with it."""
    try:
        row = Row(raw)
        record = convert(row)
    except RowError as error:
        return ImportItem(place, None, str(error))
    return ImportItem(place, record, None, tuple(row.notes))


def _take(holder: dict[str, Any], names: Iterable[str]) -> Json:
    for name in names:
        value = holder.pop(name, None)
        if value is not None and value != "":
            return value
    return None


def _words(value: Json) -> list[str]:
    """Return the words of a list or of a text with commas; anything else is one word."""
    if value is None:
        return []
    if isinstance(value, str):
        return tags_of(value)
    parts = value if isinstance(value, list) else [value]
    texts = (part if isinstance(part, str) else json.dumps(part) for part in parts)
    return [text.strip() for text in texts if text.strip()]
