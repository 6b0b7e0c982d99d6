"""Reading the project's documents: facts for the mirror, and what is damaged.

Only reading: nothing here writes, and a damaged document stops no other.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from omp_core.errors import DocumentDamagedError, DocumentError
from omp_core.i18n import _
from omp_core.model import Home, Importance, Json, Record, Scope, Source, Temporality, Tier
from omp_core.project.branches import settled
from omp_core.project.confinement import MOST_BYTES, is_inside
from omp_core.project.context_files import facts_of_markdown
from omp_core.project.facts import Damage, DocumentFact, DocumentSet, Reading, time_of
from omp_core.project.flatten import facts_of
from omp_core.project.source import SourceText, digest, file_digest, read_source, reason_of
from omp_core.project.workspace import Workspace
from omp_core.project.yaml.plain import is_theme_book, load_plain
from omp_core.project.yaml.tree import parse

__all__ = [
    "Damage",
    "DocumentFact",
    "DocumentSet",
    "document_files",
    "document_source",
    "facts_in",
    "file_digest",
    "fingerprint",
    "read_document",
    "read_documents",
    "to_records",
]

_FIRST = ("project.yaml", "decisions.yaml", "changelog.yaml")
_FOLDERS = ("sessions", "themes", "handoffs")
_YAML = (".yaml", ".yml")
_MOST_READS = 1_000_000_000
"""A document may claim any number; a store holds 64 bits."""


def document_files(workspace: Workspace) -> list[Path]:
    """Return every document there is, the three main ones first, the rest by name.

    What has a document's name and is none, a device or a link out, is among them: reading it
    says so. Of a folder that leads out of `_omp/` nothing is listed but the folder itself.
    """
    skipped = workspace.pending_file.name

    def documents(folder: Path, suffixes: tuple[str, ...]) -> list[Path]:
        if not is_inside(folder, workspace.omp):
            return [folder]
        try:
            with os.scandir(folder) as entries:
                names = [
                    entry.name
                    for entry in entries
                    if entry.name.endswith(suffixes)
                    and not entry.name.startswith(".")
                    and not entry.is_dir(follow_symlinks=False)
                ]
        except OSError:  # none, or not to be read: there is nothing to list
            return []
        return [folder / name for name in sorted(names)]

    top = [file for file in documents(workspace.memory, _YAML) if file.name != skipped]
    if top == [workspace.memory]:
        return top
    main = [workspace.memory / name for name in _FIRST if workspace.memory / name in top]
    files = main + [file for file in top if file not in main]
    for name in _FOLDERS:
        files += documents(workspace.memory / name, _YAML)
    return files + documents(workspace.memory, (".md",))


def fingerprint(workspace: Workspace) -> str:
    """Return a value that changes whenever a document or the pending file is written, made or
    removed.

    Looks at what the folder says of the files only, so that it can be asked every second. A
    tool that keeps size and time of modification is noticed by the other two.
    """
    parts: list[tuple[str | int, ...]] = []
    for file in (*document_files(workspace), workspace.pending_file):
        try:
            state = file.stat()
        except OSError:
            parts.append((str(file),))
        else:
            times = (state.st_mtime_ns, state.st_ctime_ns)
            parts.append((str(file), state.st_size, *times, state.st_ino))
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def read_documents(workspace: Workspace) -> DocumentSet:
    """Read every document of the workspace. A damaged one is reported, the others are read."""
    before = fingerprint(workspace)
    facts: list[DocumentFact] = []
    damages: list[Damage] = []
    digests: dict[str, str] = {}
    for file in document_files(workspace):
        name = workspace.name_of(file)
        try:
            source = document_source(workspace, file)
            found, digests[name] = facts_in(workspace, source), digest(source.raw)
        except DocumentDamagedError as error:
            damages.append(Damage(name, error.line, error.column, error.reason))
        except DocumentError as error:
            damages.append(Damage(name, None, None, str(error)))
        else:
            facts += found
    return DocumentSet(tuple(facts), tuple(damages), digests, before)


def read_document(workspace: Workspace, file: Path, most: int = MOST_BYTES) -> list[DocumentFact]:
    """Return a document's facts. `most` bounds its bytes.

    Raises DocumentDamagedError, DocumentError.
    """
    return facts_in(workspace, document_source(workspace, file, most))


def document_source(workspace: Workspace, file: Path, most: int = MOST_BYTES) -> SourceText:
    """Return what a document of the workspace holds. Raises as `read_document` does."""
    return read_source(file, workspace.boundary, most)


def facts_in(workspace: Workspace, source: SourceText) -> list[DocumentFact]:
    """Return the facts of a document that was read.

    Raises DocumentDamagedError when it does not parse.
    """
    file = source.file
    reading = Reading(file, workspace.name_of(file), _modified(file))
    if file.suffix == ".md":
        facts = list(facts_of_markdown(source.text, reading))
    elif is_theme_book(source.text):
        # It holds no facts, is written at every turn, and may be large.
        load_plain(source.text, file)
        facts = []
    else:
        root = parse(settled(source).text, file)
        facts = [] if root is None else list(facts_of(root, reading))
    return _distinct(facts)


def _modified(file: Path) -> datetime:
    try:
        return datetime.fromtimestamp(file.stat().st_mtime, UTC)
    except OSError as error:
        raise DocumentError(
            _("{file}: cannot be read: {reason}").format(file=file, reason=reason_of(error))
        ) from error


def _distinct(facts: list[DocumentFact]) -> list[DocumentFact]:
    """No two facts of one file share a path: the second becomes `path~2`."""
    taken: set[str] = set()
    distinct = []
    for fact in facts:
        path, number = fact.path, 1
        while path in taken:
            number += 1
            path = f"{fact.path}~{number}"
        taken.add(path)
        distinct.append(fact if path == fact.path else replace(fact, path=path))
    return distinct


def _tracked(metadata: Mapping[str, Json], group: str, name: str) -> Json:
    """Return what a fact says of its reads: beside its text, or in the template's group."""
    inner = metadata.get(group)
    return metadata.get(name, inner.get(name) if isinstance(inner, dict) else None)


def _count(value: Json) -> int:
    counted = isinstance(value, int) and not isinstance(value, bool)
    return min(value, _MOST_READS) if counted and value > 0 else 0


def to_records(facts: Iterable[DocumentFact], scope: Scope | None = None) -> Iterator[Record]:
    """Yield the read-only records of the mirror, of the project home and never cleaned.

    `scope` is whose they are: usually the project's app_id and nothing else. A secret that
    somebody typed into a document stays there; the record holds the redacted text.
    """
    from omp_core.secrets import redact_value

    for fact in facts:
        said = {"content": fact.text, "tags": sorted(fact.tags), "metadata": dict(fact.metadata)}
        clean = redact_value(said)
        metadata: dict[str, Json] = {**clean["metadata"], "file": fact.file, "path": fact.path}
        metadata["line"] = fact.line
        given = metadata.get("confidence")
        confidence = float(given) if isinstance(given, int | float) and 0 <= given <= 1 else 1.0
        temporality = str(metadata.get("temporality", ""))
        episode = metadata.get("episode")
        created = fact.created or time_of(metadata.get("created_at")) or fact.at
        yield Record(
            id=fact.id,
            content=clean["content"],
            created_at=min(created, fact.at),
            updated_at=fact.at,
            tier=Tier.IMPORTANT,
            scope=scope or Scope(),
            category=fact.category,
            importance=Importance.HIGH,
            source=Source.SYSTEM,
            confidence=confidence,
            temporality=(
                Temporality(temporality)
                if temporality in list(Temporality)
                else Temporality.PERMANENT
            ),
            tags=frozenset(clean["tags"]),
            metadata=metadata,
            last_accessed=time_of(_tracked(metadata, "timestamps", "last_accessed")),
            access_count=_count(_tracked(metadata, "tracking", "access_count")),
            episode=episode if isinstance(episode, str) else None,
            home=Home.PROJECT,
        )
