"""Putting a project fact right in its document, because a person says that it is wrong there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from omp_core.availability import Availability
from omp_core.errors import InvalidValueError
from omp_core.i18n import _
from omp_core.language.headline import headline
from omp_core.model import Dispute, Json, Record, Status
from omp_core.services.document_writer import DocumentWriter, ValueChange
from omp_core.services.sync.pairs import is_of_project
from omp_core.session import Session

State = Literal["written", "by-hand", "gone", "elsewhere"]
"""What became of the document. `by-hand`: no value there can be exchanged, a person has to
change it; `gone`: it does not say so any more; `elsewhere`: it belongs to another project."""


@dataclass(frozen=True, slots=True)
class FactCorrection:
    """What was done about a fact: `path` of `file` says `after`, which is the `change`."""

    state: State
    file: str = ""
    path: str = ""
    after: Json = None
    change: ValueChange | None = None


class FactCorrections:
    """Changes single values of project documents to what a person says is right."""

    def __init__(
        self, session: Session, availability: Availability, writer: DocumentWriter
    ) -> None:
        self._session = session
        self._availability = availability
        self._writer = writer

    def correct(self, record: Record, dispute: Dispute, text: str) -> FactCorrection:
        """Make the document of a disputed fact say what `text` says, where that is one value.

        Raises InvalidValueError when somebody changes the value at the same time, and what
        `YamlFile.write` raises.
        """
        app_id = self._session.identity.app_id or ""
        if self._session.workspace is None or not is_of_project(dispute, record, app_id):
            return FactCorrection("elsewhere")
        fact = self._availability.store().get(dispute.other_id or "")
        if fact is None or not fact.content.endswith(str(dispute.incoming)):
            return FactCorrection("gone")
        file, path = str(fact.metadata["file"]), str(fact.metadata["path"])
        values = self._exchange(fact, dispute, text, file, path)
        if values is None:
            return FactCorrection("by-hand", file, path)
        before, after = values
        change = self._set(file, path, before, after)
        return FactCorrection("written", file, path, after, change)

    def take_back(self, correction: FactCorrection) -> None:
        """Bring back what the document said before."""
        if correction.change is not None:
            self._writer.take_back(correction.change)

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
            document = self._writer.documents().open(self._writer.workspace.memory / file)
            held = get_value(document.read().data, parse_path(path))
        except InvalidValueError:  # two facts of one place are told apart by a mark in the path
            return None
        claim = claimed(text, str(dispute.current), statement_of(fact), self._session.settings)
        wanted = None if claim is None else replacement(held, claim)
        if wanted is None or scan(f"{held}\n{wanted}"):
            return None
        return held, wanted

    def _set(self, file: str, path: str, before: Json, after: Json) -> ValueChange | None:
        from omp_core.project.paths import parse_path

        documents = self._writer.documents()

        def change(content: Json) -> Json:
            changed, conflicts = documents.with_values(content, {path: after}, {path: before})
            if conflicts:
                raise InvalidValueError(
                    _(
                        "{file}: {path} was changed at the same time; run `omp-tui sync` and look "
                        "again"
                    ).format(file=file, path=path)
                )
            return changed

        written = self._writer.write(
            self._writer.workspace.memory / file, change, [parse_path(path)]
        )
        return next(iter(written.changes), None)


def told_of(
    resolution: str, dispute: Dispute, record: Record, correction: FactCorrection | None
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
