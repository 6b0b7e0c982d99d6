"""One row of a file that is being imported."""

from __future__ import annotations

from dataclasses import dataclass

from omp_core.model import Record


@dataclass(frozen=True, slots=True)
class ImportItem:
    """What became of one row: a record, or the problem that kept it from being one.

    Exactly one of `record` and `problem` is set. `place` names the row in its file
    (`memories.json#3` is the third row, `memory.jsonl:12` the twelfth line). `notes` say
    what was decided on the way, one remark each.
    """

    place: str
    record: Record | None
    problem: str | None = None
    notes: tuple[str, ...] = ()
