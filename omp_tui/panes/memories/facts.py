"""Facts of the project's documents among the memories: which can be set, where others stand."""

from __future__ import annotations

from omp_core.errors import InvalidValueError
from omp_core.i18n import _
from omp_core.model import Record

_FILE = "project.yaml"
_MEMORY = "_omp/memory"


def fact_path(record: Record) -> str | None:
    """Return the path of a fact of project.yaml that leads through keys only, else None."""
    from omp_core.project.paths import parse_path

    file, _hash, path = record.id.removeprefix("project:").partition("#")
    if file != _FILE or record.metadata.get("path") != path:
        return None
    try:
        parts = parse_path(path)
    except InvalidValueError:
        return None
    return path if all(isinstance(part, str) for part in parts) else None


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
