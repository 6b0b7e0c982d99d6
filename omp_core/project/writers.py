"""Writing what a project knows: facts, decisions, changes, episodes, and what went wrong.

Every write goes through the write protocol of `YamlFile`. One that fails is told to the caller
and noted under `errors` of the day's session file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from omp_core.errors import DocumentError, InvalidValueError, UsageError
from omp_core.i18n import _
from omp_core.language.language import script
from omp_core.model import Json
from omp_core.project.document_merge import FieldConflict
from omp_core.project.paths import format_path, parse_path
from omp_core.project.values import get_value, remove_value, set_value
from omp_core.project.workspace import Workspace
from omp_core.project.yaml.file import WriteResult, YamlFile
from omp_core.project.yaml.render import Timestamp, timestamp
from omp_core.project.yaml.splice import same
from omp_core.settings import DocumentSettings


@dataclass(frozen=True, slots=True)
class DecisionEntry:
    """A decision to write down. `day` is today unless it was made earlier."""

    title: str
    choice: str
    context: str = ""
    alternatives: Sequence[str] = ()
    rationale: str = ""
    impact: Sequence[str] = ()
    tags: Collection[str] = ()
    day: date | None = None


@dataclass(frozen=True, slots=True)
class ChangelogEntry:
    """An entry of the change log. `type` is a word like deployment, milestone, path, tool."""

    summary: str
    type: str = ""
    details: Sequence[str] = ()
    day: date | None = None


@dataclass(frozen=True, slots=True)
class SessionEntry:
    """A session: an L1 episode, of which one with the same `id` or `conversation` is the same.

    `conversation` names a conversation that has no id; the file numbers it. `taken_back` are
    decisions that no longer stand. `known_summary` is the summary that an earlier reading gave
    the entry: where it says something else, a person wrote that and it stays. None: a person
    writes now.
    """

    summary: str
    start: datetime | None = None
    end: datetime | None = None
    key_actions: Sequence[str] = ()
    decisions: Sequence[str] = ()
    id: str | None = None
    day: date | None = None
    conversation: str | None = None
    taken_back: Sequence[str] = ()
    known_summary: str | None = None


@dataclass(frozen=True, slots=True)
class Added:
    """What became of an entry: its id, and the write. `result.written` is False if it was
    there already; `before` is the entry that was there, None for none."""

    id: str
    result: WriteResult
    before: Mapping[str, Json] | None = None


def _now() -> datetime:
    return datetime.now(UTC)


class Documents:
    """Writes the documents of a workspace on behalf of `by`: an actor of the journal."""

    def __init__(
        self,
        workspace: Workspace,
        *,
        by: str,
        settings: DocumentSettings | None = None,
        clock: Callable[[], datetime] = _now,
    ) -> None:
        self._workspace = workspace
        self._by = by
        self._settings = settings or DocumentSettings()
        self._clock = clock

    def open(self, file: Path) -> YamlFile:
        """Return a document for reading, merging or restoring."""
        stamp = file != self._workspace.config_file
        return YamlFile(self._workspace, file, self._settings, stamp=stamp)

    def set_values(
        self,
        values: Mapping[str, Json],
        *,
        document: Path | None = None,
        expected: Mapping[str, Json] | None = None,
    ) -> WriteResult:
        """Set values by their paths, in project.yaml unless another document is named.

        `expected` are the values that the change was based on, None for none: where the file
        says something else by now, it keeps that, and both sides are returned as a conflict.
        A map with an `updated_at` has it set, unless that is the value given. Raises what
        `YamlFile.write` raises.
        """
        conflicts: list[FieldConflict] = []

        def change(content: Json) -> Json:
            changed, conflicts[:] = self.with_values(content, values, expected)
            return changed

        result = self.write(document or self._workspace.project_file, change)
        return WriteResult(
            result.file, result.written, result.changes, tuple(conflicts), result.data
        )

    def with_values(
        self,
        content: Json,
        values: Mapping[str, Json],
        expected: Mapping[str, Json] | None = None,
    ) -> tuple[Json, list[FieldConflict]]:
        """Return a document's content with values set as `set_values` does, and the conflicts."""
        based_on = {parse_path(path): value for path, value in (expected or {}).items()}
        conflicts: list[FieldConflict] = []
        for path, value in ((parse_path(path), value) for path, value in values.items()):
            current = get_value(content, path)
            if same(current, value):
                continue
            if path in based_on and not same(current, based_on[path]):
                conflicts.append(FieldConflict(format_path(path), based_on[path], current, value))
                continue
            content = set_value(content, path, value)
            around = get_value(content, path[:-1])
            stamped = isinstance(around, dict) and "updated_at" in around and len(path) > 1
            if stamped and path[-1] not in ("updated_at", "updated_by"):
                stamps = {"updated_at": timestamp(self._clock()), "updated_by": self._by}
                content = set_value(content, path[:-1], {**around, **stamps})
        return content, conflicts

    def remove_values(self, paths: Collection[str], *, document: Path | None = None) -> WriteResult:
        """Remove values by their paths. Raises NotFoundError for one that is not there."""
        parsed = [parse_path(path) for path in paths]

        def change(content: Json) -> Json:
            for path in parsed:
                content = remove_value(content, path)
            return content

        return self.write(document or self._workspace.project_file, change)

    def add_decision(self, decision: DecisionEntry) -> Added:
        """Append a decision under the next free id of its day, `dec-YYYY-MM-DD-NNN`."""
        _require(decision.title, _("a decision needs a title"))
        _require(decision.choice, _("a decision needs what was chosen"))
        day = decision.day or self._today()
        entry = {
            "date": Timestamp(day.isoformat()),
            "title": decision.title,
            "context": decision.context,
            "choice": decision.choice,
            "alternatives": list(decision.alternatives),
            "rationale": decision.rationale,
            "impact": list(decision.impact),
            "tags": sorted(decision.tags),
            "by": self._by,
        }
        return self._append(self._workspace.decisions_file, "decisions", f"dec-{day}", entry)

    def add_change(self, change: ChangelogEntry) -> Added:
        """Append an entry to the change log, under an id `chg-YYYY-MM-DD-NNN`."""
        _require(change.summary, _("an entry of the change log needs a summary"))
        day = change.day or self._today()
        entry = {
            "date": Timestamp(day.isoformat()),
            "type": change.type,
            "summary": change.summary,
            "details": list(change.details),
            "by": self._by,
        }
        return self._append(self._workspace.changelog_file, "changelog", f"chg-{day}", entry)

    def add_session(self, episode: SessionEntry) -> Added:
        """Write an episode into the file of its day, under an id `session-NNN` or its own.

        An entry of the same id or conversation takes in what is new: the earlier start, the
        later end, further actions and decisions. Raises InvalidValueError without a summary.
        """
        _require(episode.summary, _("a session needs a summary"))
        moment = episode.start or episode.end
        day = episode.day or (moment.astimezone(UTC).date() if moment else self._today())
        entry = {
            "start": _clock_time(episode.start),
            "end": _clock_time(episode.end),
            "summary": episode.summary,
            "key_actions": list(episode.key_actions),
            "decisions": list(episode.decisions),
            "by": self._by,
            "conversation": episode.conversation,
        }
        given = {name: value for name, value in entry.items() if value not in ("", [], None)}
        file = self._workspace.session_file(day)
        chosen = ""
        before: Mapping[str, Json] | None = None

        def change(content: Json) -> Json:
            nonlocal chosen, before
            items, rebuilt = _list_in(content, "sessions", file)
            place = next((at for at, item in enumerate(items) if is_session(item, episode)), None)
            if place is None:
                taken = [str(item.get("id")) for item in items if isinstance(item, dict)]
                chosen, before = episode.id or next_id("session", taken), None
                return _dated(rebuilt([*items, {"id": chosen, **given}]), day)
            before = items[place]
            chosen = str(before.get("id"))
            grown = merged_session(before, given, episode)
            if grown == before:
                return content
            return rebuilt([*items[:place], grown, *items[place + 1 :]])

        result = self.write(file, change)
        return Added(chosen, result, before)

    def record_error(self, document: str, reason: str) -> None:
        """Note under `errors` of today's session file that a write failed, and why.

        The same reason again only counts up. Raises what `YamlFile.write` raises.
        """
        from omp_core.secrets import redact_value

        now = self._clock()
        said = redact_value({"file": document, "reason": reason.partition("\n")[0]})
        day = now.astimezone(UTC).date()

        def change(content: Json) -> Json:
            content = _dated(content, day)
            errors = list(content.get("errors") or [])
            for index, known in enumerate(errors):
                if isinstance(known, dict) and {**known, **said} == known:
                    times = known.get("times", 1)
                    again = {"at": timestamp(now), "times": times + 1}
                    errors[index] = {**known, **again}
                    break
            else:
                errors.append({"at": timestamp(now), **said, "by": self._by})
            return {**content, "errors": errors}

        self.open(self._workspace.session_file(day)).write(change, by=self._by, now=now)

    def restore(self, file: Path, number: int = 1) -> WriteResult:
        """Bring back a kept version of a document; see `YamlFile.restore`."""
        return self.open(file).restore(number, now=self._clock())

    def _append(
        self,
        file: Path,
        key: str,
        prefix: str,
        entry: Mapping[str, Json],
    ) -> Added:
        given = {name: value for name, value in entry.items() if value not in ("", [], None)}
        chosen = ""

        def change(content: Json) -> Json:
            nonlocal chosen
            items, rebuilt = _list_in(content, key, file)
            taken = [str(item.get("id")) for item in items if isinstance(item, dict)]
            chosen = next_id(prefix, taken)
            return rebuilt([*items, {"id": chosen, **given}])

        result = self.write(file, change)
        return Added(chosen, result)

    def write(self, file: Path, change: Callable[[Json], Json]) -> WriteResult:
        """Change a document to what `change` makes of its content; see `YamlFile.write`."""
        with self.noting(file):
            return self.open(file).write(change, by=self._by, now=self._clock())

    @contextmanager
    def noting(self, file: Path) -> Iterator[None]:
        """Note what goes wrong inside in the session file, and let it go on."""
        try:
            yield
        except DocumentError as error:
            name = self.open(file).name
            try:
                self.record_error(name, str(error).replace(str(file), name))
            except (DocumentError, UsageError) as second:
                error.add_note(f"This could not be noted in the session file: {second}")
            raise

    def _today(self) -> date:
        return self._clock().astimezone(UTC).date()


def next_id(prefix: str, taken: Collection[str]) -> str:
    """Return `<prefix>-NNN` with the number after the highest that is taken."""
    # more digits are no count: the id of a recorded session may happen to have no letter
    pattern = re.compile(re.escape(prefix) + r"-(\d{1,6})")
    numbers = [int(match[1]) for name in taken if (match := pattern.fullmatch(name))]
    return f"{prefix}-{max(numbers, default=0) + 1:03}"


def is_session(item: Json, episode: SessionEntry) -> bool:
    """Tell whether an entry of a session file is of that episode."""
    if not isinstance(item, dict):
        return False
    if episode.conversation is not None:
        return bool(item.get("conversation") == episode.conversation)
    return episode.id is not None and item.get("id") == episode.id


def merged_session(
    held: Mapping[str, Json], given: Mapping[str, Json], episode: SessionEntry
) -> dict[str, Json]:
    """Return an entry with what a further reading of its session tells."""
    grown = dict(held)
    for name, choose in (("start", min), ("end", max)):
        if given.get(name):
            grown[name] = choose(str(held.get(name) or given[name]), given[name])
    for name, gone in (("key_actions", ()), ("decisions", episode.taken_back)):
        there = held.get(name) or []
        there = there if isinstance(there, list) else [there]
        kept = [one for one in there if one not in gone]
        together = [*kept, *(one for one in given.get(name, ()) if one not in kept)]
        if together:
            grown[name] = together
        else:
            grown.pop(name, None)
    grown["summary"] = _session_summary(str(held.get("summary") or ""), given, held, episode)
    return grown


def _session_summary(
    said: str, given: Mapping[str, Json], held: Mapping[str, Json], episode: SessionEntry
) -> str:
    """A reading of the whole session tells its summary anew; a person's words for it stay, and
    a reading of a later part alone adds its own.
    """
    told, known = str(given["summary"]), episode.known_summary
    if not said or known is None or (said == known and _covers(given, held)):
        return told
    if said != known or told in said:
        return said
    return f"{said}{'；' if script(told) == 'cjk' else '; '}{told}"


def _covers(given: Mapping[str, Json], held: Mapping[str, Json]) -> bool:
    """Tell whether a reading begins where the entry begins, as far as times tell."""
    return str(given.get("start") or "") <= str(held.get("start") or "")


def _list_in(content: Json, key: str, file: Path) -> tuple[list[Json], Callable[[list[Json]], Any]]:
    """The list that entries go to, and how to build the document around a longer one."""
    if isinstance(content, list):
        return content, list
    if content is None:
        content = {}
    items = content.get(key) if isinstance(content, dict) else content
    if items is None:
        items = []
    if not isinstance(content, dict) or not isinstance(items, list):
        raise DocumentError(
            _(
                "{file}: not written: {key!r} is not a list of entries. Mend the file by hand"
            ).format(file=file, key=key)
        )
    return items, lambda longer: {**content, key: longer}


def _dated(content: Json, day: date) -> dict[str, Json]:
    if content is not None and not isinstance(content, dict):
        raise DocumentError(
            _("the session file of {day} is not a map of keys; mend it by hand").format(day=day)
        )
    content = content or {}
    return content if "date" in content else {"date": Timestamp(day.isoformat()), **content}


def _clock_time(moment: datetime | None) -> str:
    return moment.astimezone(UTC).strftime("%H:%M") if moment else ""


def _require(text: str, message: str) -> None:
    if not text.strip():
        raise InvalidValueError(message)
