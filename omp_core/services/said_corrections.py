"""What a person puts right ("not X, Y") found among the memories, and put right there.

A correction by word of mouth is carried out without a question (memory skill, corrections), where
it is plain which memory holds the old value; otherwise nothing is changed by it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from omp_core.availability import Availability
from omp_core.extraction.classify.corrections import StatedCorrection, replaced
from omp_core.extraction.report import SaidCorrection
from omp_core.language.tokens import query_tokens, shared
from omp_core.model import Category, Home, Json, Query, Record
from omp_core.project.paths import BOOKKEEPING, KeyPath, format_path
from omp_core.rules.sync import subject
from omp_core.rules.sync.subjects import apart, shared_words
from omp_core.rules.value_types import in_place_of
from omp_core.services.document_writer import DocumentPlace, DocumentWriter, ValueChange
from omp_core.services.records.changes import RecordChanges
from omp_core.session import Session

_LEAST_VALUE = 2
"""Characters of an old value that can be looked for; one alone stands everywhere."""
_LOOKED_AT = 50
_POINTS = re.compile(r"\W*(?:这|那|它|(?:it|this|that|these|those)\b)", re.IGNORECASE)
"""What points at something at hand names no memory."""
_SAYING = re.compile(
    r"我?(?:之前|刚才|以前|上次)?(?:说|讲)过?的?|而?不?是|\bI (?:said|told you|mentioned|meant)\b"
    r"|\b(?:not|but|actually|rather|it'?s|is|are)\b",
    re.IGNORECASE,
)
_OF_THE_PAST = frozenset({Category.EPISODE, Category.LESSON, Category.ANTI_PATTERN})
_NEVER_SAID = BOOKKEEPING | {"updated_at", "updated_by", "created_at"}


@dataclass(frozen=True, slots=True)
class Corrected:
    """Where an old value stood that is put right: the id of a record, or a place in a document."""

    place: str
    change: ValueChange | None = None
    act_id: str | None = None


class SaidCorrections:
    """Puts values right in the memories that hold them."""

    def __init__(
        self,
        session: Session,
        availability: Availability,
        writing: RecordChanges,
        writer: DocumentWriter,
    ) -> None:
        self._session = session
        self._availability = availability
        self._writing = writing
        self._writer = writer

    def correct(self, said: SaidCorrection) -> list[Corrected]:
        """Put the new value in the place of the old one, in the document and in the record.

        Raises what a write of a document or a record raises.
        """
        if len(said.old) < _LEAST_VALUE or _POINTS.match(said.text):
            return []
        found = (self._in_document(said), self._in_record(said))
        return [one for one in found if one is not None]

    def _in_document(self, said: SaidCorrection) -> Corrected | None:
        if self._session.workspace is None:
            return None
        documents = self._writer.documents()
        file = self._session.workspace.project_file
        held = [
            (path, value)
            for path, value in _scalars(documents.open(file).read().data, ())
            if str(value).lower() == said.old.lower()
        ]
        held = [one for one in held if _meant(said, format_path(one[0]), alone=len(held) == 1)]
        if len(held) != 1:
            return None
        path, value = held[0]
        wanted = in_place_of(value, int(said.new) if _is_number(value, said.new) else said.new)
        if wanted is None:
            return None
        name = format_path(path)

        def change(content: Json) -> Json:
            changed, conflicts = documents.with_values(content, {name: wanted}, {name: value})
            return content if conflicts else changed

        written = self._writer.write(file, change, [path])
        told = next(iter(written.changes), None)
        place = DocumentPlace(self._session.workspace.name_of(file), name)
        return None if told is None else Corrected(place.id, told)

    def _in_record(self, said: SaidCorrection) -> Corrected | None:
        change = StatedCorrection(said.old, said.new)
        held = [
            record
            for record in self._near(said.old)
            if record.category not in _OF_THE_PAST
            and not record.locked
            and replaced(record.content, change) is not None
            and _meant(said, record.content, alone=True)
        ]
        if len(held) > 1:
            likeness = sorted(
                ((shared(one.content, said.text), one.id) for one in held), reverse=True
            )
            first = likeness[0]
            held = [one for one in held if one.id == first[1] and first[0] > likeness[1][0]]
        if len(held) != 1:
            return None
        (record,) = held
        receipt = self._writing.update(
            record.id, {"content": replaced(record.content, change)}, based_on=record.version
        )
        return Corrected(record.id, act_id=receipt.act_id)

    def _near(self, old: str) -> list[Record]:
        identity = self._session.identity
        store, now = self._availability.store(), self._session.now()
        found = store.keyword(query_tokens(old), Query(home=Home.USER), now, _LOOKED_AT)
        records = store.get_many([one.id for one in found]).values()
        return [
            record
            for record in records
            if record.scope.user_id in (None, identity.user_id)
            and record.scope.app_id in (None, identity.app_id)
            and record.scope.run_id is None
        ]


def _meant(said: SaidCorrection, held: str, *, alone: bool) -> bool:
    """Tell whether a correction is about what is `held`: both speak of the same, or the correction
    names nothing beside the values and only this holds the old one (`alone`).
    """
    about = subject(_SAYING.sub(" ", said.text.replace(said.old, " ").replace(said.new, " ")))
    if not (about.words or about.parts or about.properties):
        return alone
    named = subject(held)
    if apart(about, named):
        return False
    common = shared_words(about, named)
    return bool(common or about.properties & named.properties or about.parts & named.parts)


def _is_number(held: Json, new: str) -> bool:
    return isinstance(held, int) and not isinstance(held, bool) and new.isdigit()


def _scalars(content: Json, at: KeyPath) -> Iterator[tuple[KeyPath, Json]]:
    if not isinstance(content, dict):
        return
    for key, value in content.items():
        if key in _NEVER_SAID:
            continue
        if isinstance(value, dict):
            yield from _scalars(value, (*at, str(key)))
        elif not isinstance(value, list) and value is not None:
            yield (*at, str(key)), value
