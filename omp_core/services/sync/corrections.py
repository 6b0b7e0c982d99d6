"""Putting a project fact right in its document, because a person says that it is wrong there."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from omp_core.availability import Availability
from omp_core.errors import InvalidValueError, NotFoundError
from omp_core.i18n import _
from omp_core.language.headline import headline
from omp_core.model import Dispute, Json, Record, Status
from omp_core.services.documents import DocumentPlace
from omp_core.services.sync.pairs import is_of_project
from omp_core.services.unit_of_work import UnitOfWork
from omp_core.session import Session

if TYPE_CHECKING:
    from omp_core.project.workspace import Workspace
    from omp_core.project.writers import Documents

State = Literal["written", "by-hand", "gone", "elsewhere"]
"""What became of the document. `by-hand`: no value there can be exchanged, a person has to
change it; `gone`: it does not say so any more; `elsewhere`: it belongs to another project."""


@dataclass(frozen=True, slots=True)
class Correction:
    """What was done about a fact: `path` of `file` is `after` instead of `before`."""

    state: State
    file: str = ""
    path: str = ""
    before: Json = None
    after: Json = None

    def note(self, work: UnitOfWork, workspace: str) -> None:
        """Journal it within a unit of work, in the form that `services.documents` inverts."""
        before, after = (
            {"value": _plain(one), "workspace": workspace} for one in (self.before, self.after)
        )
        work.note(DocumentPlace(self.file, self.path).id, before, after)


class Correcting:
    """The part of `Memory` that changes single values of project documents."""

    def __init__(self, session: Session, availability: Availability) -> None:
        self._session = session
        self._availability = availability

    def correct(self, record: Record, dispute: Dispute, text: str) -> Correction:
        """Make the document of a disputed fact say what `text` says, where that is one value.

        Raises InvalidValueError when somebody changes the value at the same time, and what
        `YamlFile.write` raises.
        """
        app_id = self._session.identity.app_id or ""
        if self._session.workspace is None or not is_of_project(dispute, record, app_id):
            return Correction("elsewhere")
        fact = self._availability.store().get(dispute.other_id or "")
        if fact is None or not fact.content.endswith(str(dispute.incoming)):
            return Correction("gone")
        file, path = str(fact.metadata["file"]), str(fact.metadata["path"])
        values = self._exchange(fact, dispute, text, file, path)
        if values is None:
            return Correction("by-hand", file, path)
        before, after = values
        self._set(file, path, before, after)
        return Correction("written", file, path, before, after)

    def take_back(self, correction: Correction) -> None:
        """Bring back what the document said before."""
        if correction.state == "written":
            self._set(correction.file, correction.path, correction.after, correction.before)

    def _exchange(
        self, fact: Record, dispute: Dispute, text: str, file: str, path: str
    ) -> tuple[Json, Json] | None:
        """Return the value that the document has and the one that it should have."""
        from omp_core.project.paths import parse_path
        from omp_core.project.values import get_value
        from omp_core.rules.sync import claimed, replacement, statement_of
        from omp_core.secrets import scan

        if not file.endswith((".yaml", ".yml")):
            return None
        try:
            held = get_value(self._documents().open(self._file(file)).read().data, parse_path(path))
        except InvalidValueError:  # two facts of one place are told apart by a mark in the path
            return None
        claim = claimed(text, str(dispute.current), statement_of(fact), self._session.settings)
        wanted = None if claim is None else replacement(held, claim)
        if wanted is None or scan(f"{held}\n{wanted}"):
            return None
        return held, wanted

    def _set(self, file: str, path: str, before: Json, after: Json) -> None:
        result = self._documents().set_values(
            {path: after}, document=self._file(file), expected={path: before}
        )
        if result.conflicts:
            raise InvalidValueError(
                f"{file}: {path} was changed at the same time; run `omp-tui sync` and look again"
            )

    def _documents(self) -> Documents:
        from omp_core.project.writers import Documents

        return Documents(
            self._workspace(),
            by=self._session.actor,
            settings=self._session.settings.documents,
            clock=self._session.now,
        )

    def _file(self, name: str) -> Path:
        return self._workspace().memory / name

    def _workspace(self) -> Workspace:
        if self._session.workspace is None:
            raise NotFoundError(_("there is no _omp/ here; `omp-tui init` lays it out"))
        return self._session.workspace


def told_of(
    resolution: str, dispute: Dispute, record: Record, correction: Correction | None
) -> dict[str, Json] | None:
    """Return what the words of a settlement between the homes are made of.

    None where the words of any other settlement say it.
    """
    theirs = headline(str(dispute.incoming))
    if correction is None:
        if resolution == "both":
            return {"form": "both-homes", "text": theirs}
        if record.status is Status.SUPERSEDED:
            return {"form": "project", "text": theirs}
        return None
    return {
        "form": correction.state,
        "text": headline(record.content),
        "after": _plain(correction.after),
        "path": correction.path,
        "file": correction.file,
    }


def _plain(value: Json) -> Json:
    """Return a scalar of a document, or a list of them, with its times as plain texts."""
    if isinstance(value, list):
        return [_plain(one) for one in value]
    return str(value) if isinstance(value, str) else value
