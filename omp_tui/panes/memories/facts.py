"""Facts of the project's documents among the memories: where they stand."""

from __future__ import annotations

from omp_core.i18n import _
from omp_core.model import Record

_MEMORY = "_omp/memory"


def where_it_stands(record: Record) -> str:
    """Return the sentence that says in which document a fact is changed."""
    file, line = record.metadata.get("file"), record.metadata.get("line")
    if not isinstance(file, str):
        return _("Project facts are changed in their documents under _omp/memory/, not here.")
    if not isinstance(line, int):
        return _("This stands in {file}; it is changed there.").format(file=f"{_MEMORY}/{file}")
    return _("This stands in {file}, line {line}; it is changed there.").format(
        file=f"{_MEMORY}/{file}", line=line
    )
