"""What extraction found, written into the documents that it belongs to."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal

from omp_core.errors import InvalidValueError, OmpError
from omp_core.extraction.classify.kinds import DecisionFields, Route
from omp_core.extraction.known_services import of_known_service
from omp_core.extraction.report import ExtractedEpisode, Fact
from omp_core.i18n import _
from omp_core.model import Category, Json
from omp_core.project import writers
from omp_core.project.facts import time_of
from omp_core.project.paths import KeyPath, parse_path
from omp_core.project.values import get_value
from omp_core.project.yaml.splice import same
from omp_core.rules.value_types import in_place_of, says_more
from omp_core.services.document_writer import DocumentPlace, DocumentWriter, ValueChange

_DEPLOYMENT = "deployment"
_STACK = "tech_stack."

DocumentOutcome = Literal["added", "updated", "unchanged", "kept", "asked", "refused"]
"""`unchanged`: the document said so already. `kept`: it says something else, and was changed
after the fact was said, so it stays. `asked`: it says something else, and a person has to say
which is right. `refused`: it could not be written.
"""


@dataclass(frozen=True, slots=True)
class DocumentResult:
    """What became of one fact or episode in the documents; `source` is its hash or id.

    `places` are the ids of the values that it changed, as the journal has them.
    """

    source: str
    outcome: DocumentOutcome
    place: str
    places: tuple[str, ...] = ()
    note: str | None = None
    planned: tuple[tuple[str, Json], ...] = ()
    """What a person is asked about."""


class ExtractedDocuments:
    """Writes what extraction found into the documents of a workspace."""

    def __init__(self, writer: DocumentWriter) -> None:
        self._writer = writer
        self._workspace = writer.workspace
        self._documents = writer.to_change()
        self._changes: list[ValueChange] = []

    def write(
        self,
        facts: Sequence[Fact],
        episodes: Sequence[ExtractedEpisode],
        summaries: Mapping[str, str],
    ) -> tuple[list[DocumentResult], list[ValueChange]]:
        """Write facts to the document that each belongs to, and the episodes.

        `summaries` are those that earlier runs gave the episodes, by id. Returns what became of
        each, and the values that changed. A document that cannot be written refuses its own
        facts only; the reason is told.
        """
        self._changes = []
        project = [fact for fact in facts if fact.route is Route.PROJECT]
        written = self._project(project) if project else []
        for fact in facts:
            if fact.route is Route.DECISIONS:
                written.append(self._decision(fact))
            elif fact.route is Route.CHANGELOG:
                written.append(self._change(fact))
        for episode in episodes:
            written.append(self._episode(episode, summaries.get(episode.id, "")))
        return written, self._changes

    def _project(self, facts: Sequence[Fact]) -> list[DocumentResult]:
        file = self._workspace.project_file
        written: list[DocumentResult] = []
        paths: list[KeyPath] = []

        def planned(content: Json) -> Json:
            written.clear()
            paths.clear()
            changed_at = time_of(content.get("last_updated")) if isinstance(content, dict) else None
            for fact in facts:
                one, values = self._planned(fact, content, changed_at, paths)
                try:
                    content, _conflicts = self._documents.with_values(content, values)
                except InvalidValueError as error:
                    one, values = self._refused(fact.source_hash, file, error), {}
                written.append(one)
                paths.extend(path for path in map(parse_path, values) if path not in paths)
            return content

        try:
            self._changes += self._writer.write(file, planned, paths).changes
        except OmpError as error:
            return [self._refused(fact.source_hash, file, error) for fact in facts]
        return written

    def _planned(
        self,
        fact: Fact,
        content: Json,
        changed_at: datetime | None,
        touched: Collection[KeyPath],
    ) -> tuple[DocumentResult, dict[str, Json]]:
        """Return what a fact does to the present content, and the values that it sets.

        `touched` are the paths that earlier facts of this run change.
        """
        name = self._workspace.name_of(self._workspace.project_file)
        said = of_known_service(fact.values, fact.text, get_value(content, (_DEPLOYMENT,)))
        place = f"{name}#{said[0][0] if said else fact.key_path}"
        values: dict[str, Json] = {}
        replaced = False
        for path, value in said:
            before = get_value(content, parse_path(path))
            if same(before, value):
                continue
            ours = before is None or parse_path(path) in touched
            if not ours and _later(changed_at, fact.at):
                note = _("{path} says {value}, and was written later").format(
                    path=path, value=before
                )
                return DocumentResult(fact.source_hash, "kept", place, note=note), {}
            written = in_place_of(before, value)
            if not ours and (written is None or not self._decides(fact, path, before, value)):
                note = _("{path} says {value}; a person has to say which is right").format(
                    path=path, value=before
                )
                asked = DocumentResult(fact.source_hash, "asked", place, note=note, planned=said)
                return asked, {}
            replaced |= before is not None
            values[path] = value if written is None else written
        if not values:
            return DocumentResult(fact.source_hash, "unchanged", place), {}
        values |= self._stamps(fact, values)
        outcome: DocumentOutcome = "updated" if replaced else "added"
        places = tuple(DocumentPlace(name, path).id for path in values)
        return DocumentResult(fact.source_hash, outcome, place, places), values

    def _decides(self, fact: Fact, path: str, before: Json, value: Json) -> bool:
        """Tell whether a fact may take the place of what a document says, unasked.

        What happened, what the speaker says took the place of it, and what only says more of it;
        another choice of technology is asked about (extraction seed, conflicts).
        """
        told = fact.replaces or fact.category is Category.EPISODE or bool(fact.supersedes)
        return told or says_more(before, value) or not path.startswith(_STACK)

    def _stamps(self, fact: Fact, values: Mapping[str, Json]) -> dict[str, Json]:
        """Return when and by whom each deployed service was changed (extraction seed, phase 3)."""
        services = dict.fromkeys(
            path.rpartition(".")[0] for path in values if path.startswith(f"{_DEPLOYMENT}.")
        )
        stamps = self._writer.stamps(fact.at)
        return {f"{service}.{key}": told for service in services for key, told in stamps.items()}

    def _decision(self, fact: Fact) -> DocumentResult:
        fields = fact.decision or DecisionFields(fact.text, fact.text)
        known = {"title": fields.title, "choice": fields.choice}
        return self._append(
            fact.source_hash,
            self._workspace.decisions_file,
            "decisions",
            known,
            lambda: self._documents.add_decision(
                writers.DecisionEntry(
                    fields.title,
                    fields.choice,
                    fields.context,
                    fields.alternatives,
                    fields.rationale,
                    day=fact.at.date() if fact.at else None,
                )
            ),
        )

    def _change(self, fact: Fact) -> DocumentResult:
        return self._append(
            fact.source_hash,
            self._workspace.changelog_file,
            "changelog",
            {"summary": fact.text},
            lambda: self._documents.add_change(
                writers.ChangelogEntry(
                    fact.text, "milestone", day=fact.at.date() if fact.at else None
                )
            ),
        )

    def _episode(self, episode: ExtractedEpisode, summary: str) -> DocumentResult:
        file = self._workspace.session_file(episode.date)
        wanted = writers.SessionEntry(
            episode.summary,
            episode.start,
            episode.end,
            episode.key_actions,
            episode.decisions,
            None if episode.conversation else episode.id,
            episode.date,
            episode.conversation,
            episode.taken_back,
            summary,
        )
        try:
            added = self._documents.add_session(wanted)
            place, change = self._writer.added(added, "sessions")
        except OmpError as error:
            return self._refused(episode.id, file, error)
        shown = f"{place.file}#{place.path}"
        if change is None:
            return DocumentResult(episode.id, "unchanged", shown)
        self._changes.append(change)
        outcome: DocumentOutcome = "added" if added.before is None else "updated"
        return DocumentResult(episode.id, outcome, shown, (place.id,))

    def _append(
        self,
        source: str,
        file: Path,
        key: str,
        known: Mapping[str, Json],
        add: Callable[[], writers.Added],
    ) -> DocumentResult:
        """Append an entry unless one with the `known` parts is there already."""
        name = self._workspace.name_of(file)
        try:
            for item in _items(self._documents.open(file).read().data, key):
                if known.items() <= item.items():
                    return DocumentResult(source, "unchanged", f"{name}#{key}[{item.get('id')}]")
            place, change = self._writer.added(add(), key)
        except OmpError as error:
            return self._refused(source, file, error)
        shown = f"{place.file}#{place.path}"
        if change is None:
            return DocumentResult(source, "unchanged", shown)
        self._changes.append(change)
        return DocumentResult(source, "added", shown, (place.id,))

    def _refused(self, source: str, file: Path, error: OmpError) -> DocumentResult:
        return DocumentResult(source, "refused", self._workspace.name_of(file), note=str(error))


def _items(content: Json, key: str) -> list[dict[str, Json]]:
    found = content.get(key) if isinstance(content, dict) else content
    return [item for item in found or [] if isinstance(item, dict)]


def _later(changed_at: datetime | None, said_at: datetime | None) -> bool:
    return changed_at is not None and said_at is not None and changed_at > said_at
