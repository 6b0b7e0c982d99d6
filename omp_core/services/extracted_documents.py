"""The edge to the project's documents: planned writes are carried out, and taken back.

What one fact changed in a document is told as an `Edit`, which holds enough to undo it where
nobody else changed it since, and to do it again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal

from omp_core.errors import InvalidValueError, NotFoundError, OmpError
from omp_core.extraction.classify.kinds import DecisionFields, Route
from omp_core.extraction.report import Episode, Fact
from omp_core.i18n import _
from omp_core.model import Json
from omp_core.project import writers
from omp_core.project.facts import time_of
from omp_core.project.paths import KeyPath, parse_path
from omp_core.project.values import get_value, remove_value, set_value
from omp_core.project.workspace import Workspace
from omp_core.project.yaml.render import Timestamp
from omp_core.settings import DocumentSettings

Outcome = Literal["added", "updated", "unchanged", "kept", "refused"]
"""`unchanged`: the document said so already. `kept`: it says something else, and was changed
after the fact was said, so it stays. `refused`: it could not be written.
"""


@dataclass(frozen=True, slots=True)
class Edit:
    """What was changed in a document for one fact, or one episode (`source` is its id).

    `values` maps a key path to (before, after), None for nothing; `item` is the entry that
    was appended to the list `key`.
    """

    file: str
    source: str
    values: Mapping[str, tuple[Json, Json]]
    key: str = ""
    item: Mapping[str, Json] | None = None


@dataclass(frozen=True, slots=True)
class Written:
    """What became of one fact or episode in the documents."""

    source: str
    outcome: Outcome
    place: str
    edit: Edit | None = None
    note: str | None = None


class ExtractedDocuments:
    """Writes what extraction found into the documents of a workspace."""

    def __init__(
        self, workspace: Workspace, settings: DocumentSettings, by: str, now: datetime
    ) -> None:
        self._workspace = workspace
        self._by = by
        self._now = now
        self._documents = writers.Documents(
            workspace, by=by, settings=settings, clock=lambda: self._now
        )

    def write(self, facts: Sequence[Fact], episodes: Sequence[Episode]) -> list[Written]:
        """Write facts to the document that each belongs to, and the episodes.

        A document that cannot be written refuses its own facts only; the reason is told.
        """
        project = [fact for fact in facts if fact.route is Route.PROJECT]
        written = self._project(project) if project else []
        for fact in facts:
            if fact.route is Route.DECISIONS:
                written.append(self._decision(fact))
            elif fact.route is Route.CHANGELOG:
                written.append(self._change(fact))
        return written + [self._episode(episode) for episode in episodes]

    def _project(self, facts: Sequence[Fact]) -> list[Written]:
        file = self._workspace.project_file
        try:
            content = self._documents.open(file).read().data
            wanted: dict[str, Json] = {}
            written = []
            for fact in facts:
                one, content = self._planned(fact, content, wanted)
                written.append(one)
                if one.edit is not None:
                    wanted |= {path: after for path, (_was, after) in one.edit.values.items()}
            if wanted:
                self._documents.set_values(wanted)
        except OmpError as error:
            return [self._refused(fact.source_hash, file, error) for fact in facts]
        return written

    def _planned(self, fact: Fact, content: Json, touched: Collection[str]) -> tuple[Written, Json]:
        """Return what a fact would do to the present content, and the content after it.

        `touched` are the paths that earlier facts of this run change.
        """
        name = self._workspace.name_of(self._workspace.project_file)
        place = f"{name}#{fact.key_path}"
        changed_at = time_of(content.get("last_updated")) if isinstance(content, dict) else None
        values: dict[str, tuple[Json, Json]] = {}
        try:
            for path, value in fact.values:
                before = get_value(content, parse_path(path))
                if before == value:
                    continue
                if before is not None and path not in touched and _later(changed_at, fact.at):
                    note = _("{path} says {value}, and was written later").format(
                        path=path, value=before
                    )
                    return Written(fact.source_hash, "kept", place, note=note), content
                values[path] = (_plain(before), value)
            after = content
            for path, (_was, value) in values.items():
                after = set_value(after, parse_path(path), value)
        except InvalidValueError as error:
            return Written(fact.source_hash, "refused", place, note=str(error)), content
        if not values:
            return Written(fact.source_hash, "unchanged", place), content
        replaced = any(before is not None for before, _after in values.values())
        edit = Edit(name, fact.source_hash, values)
        return Written(fact.source_hash, "updated" if replaced else "added", place, edit), after

    def _decision(self, fact: Fact) -> Written:
        fields = fact.decision or DecisionFields(fact.text, fact.text)
        known = {"title": fields.title, "choice": fields.choice}
        return self._append(
            fact.source_hash,
            self._workspace.decisions_file,
            "decisions",
            known,
            lambda: self._documents.add_decision(
                writers.Decision(
                    fields.title,
                    fields.choice,
                    fields.context,
                    fields.alternatives,
                    fields.rationale,
                    day=fact.at.date() if fact.at else None,
                )
            ),
        )

    def _change(self, fact: Fact) -> Written:
        return self._append(
            fact.source_hash,
            self._workspace.changelog_file,
            "changelog",
            {"summary": fact.text},
            lambda: self._documents.add_change(
                writers.Change(fact.text, "milestone", day=fact.at.date() if fact.at else None)
            ),
        )

    def _episode(self, episode: Episode) -> Written:
        return self._append(
            episode.id,
            self._workspace.session_file(episode.date),
            "sessions",
            {"id": episode.id},
            lambda: self._documents.add_session(
                writers.Episode(
                    episode.summary,
                    episode.start,
                    episode.end,
                    episode.key_actions,
                    episode.decisions,
                    episode.id,
                    episode.date,
                )
            ),
        )

    def _append(
        self,
        source: str,
        file: Path,
        key: str,
        known: Mapping[str, Json],
        add: Callable[[], writers.Added],
    ) -> Written:
        """Append an entry unless one with the `known` parts is there already."""
        name = self._workspace.name_of(file)
        try:
            for item in _items(self._documents.open(file).read().data, key):
                if known.items() <= item.items():
                    return Written(source, "unchanged", f"{name}#{key}[{item.get('id')}]")
            added = add()
        except OmpError as error:
            return self._refused(source, file, error)
        entry = next(item for item in _items(added.result.data, key) if item["id"] == added.id)
        edit = Edit(name, source, {}, key, _plain(entry))
        return Written(source, "added", f"{name}#{key}[{added.id}]", edit)

    def _refused(self, source: str, file: Path, error: OmpError) -> Written:
        return Written(source, "refused", self._workspace.name_of(file), note=str(error))

    def undo(self, edit: Edit) -> bool:
        """Take an edit back where its values stand as it left them; tell whether any did."""
        return self._turned(edit, back=True)

    def redo(self, edit: Edit) -> bool:
        """Make an edit again where its values stand as they were before it."""
        return self._turned(edit, back=False)

    def _turned(self, edit: Edit, *, back: bool) -> bool:
        document = self._documents.open(self._workspace.memory / edit.file)

        def change(content: Json) -> Json:
            for path, (before, after) in edit.values.items():
                have, want = (after, before) if back else (before, after)
                content = _set_if(content, path, have, want)
            if edit.item is not None:
                content = _with_item(content, edit, present=not back)
            return content

        return document.write(change, by=self._by, now=self._now).written


def _set_if(content: Json, path: str, have: Json, want: Json) -> Json:
    parts = parse_path(path)
    if get_value(content, parts) != have:
        return content
    if want is not None:
        return set_value(content, parts, want)
    try:
        return _without_empty(remove_value(content, parts), parts[:-1])
    except NotFoundError:
        return content


def _without_empty(content: Json, parts: KeyPath) -> Json:
    """Remove the maps on the way that became empty, for an edit may have made them."""
    if not parts or get_value(content, parts) != {}:
        return content
    return _without_empty(remove_value(content, parts), parts[:-1])


def _with_item(content: Json, edit: Edit, *, present: bool) -> Json:
    assert edit.item is not None
    items = _items(content, edit.key)
    there = [item for item in items if item.get("id") == edit.item["id"]]
    if present:
        longer = items if there else [*items, _dated(edit.item)]
    elif there == [dict(edit.item)]:
        longer = [item for item in items if item not in there]
    else:
        return content
    return longer if isinstance(content, list) else {**(content or {}), edit.key: longer}


def _plain(value: Json) -> Json:
    """Return a document's value with its times as plain texts, fit for the journal."""
    if isinstance(value, dict):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_plain(one) for one in value]
    return str(value) if isinstance(value, str) else value


def _dated(item: Mapping[str, Json]) -> dict[str, Json]:
    return {key: Timestamp(value) if key == "date" else value for key, value in item.items()}


def _items(content: Json, key: str) -> list[dict[str, Json]]:
    found = content.get(key) if isinstance(content, dict) else content
    return [item for item in found or [] if isinstance(item, dict)]


def _later(changed_at: datetime | None, said_at: datetime | None) -> bool:
    return changed_at is not None and said_at is not None and changed_at > said_at
