"""Checking documents the way a hook or a person wants it: every problem with its place."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from omp_core.errors import (
    DocumentDamagedError,
    DocumentError,
    SecretFinding,
)
from omp_core.i18n import _
from omp_core.project.documents import document_files
from omp_core.project.paths import locate
from omp_core.project.schemas import load_schema, violations
from omp_core.project.source import read_source
from omp_core.project.workspace import Workspace
from omp_core.project.yaml.tree import Node, duplicate_keys, key_text, parse, plain
from omp_core.settings_files import read_settings

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class DocumentProblem:
    """Something wrong in a file. Line and column count from 1; None means the whole file."""

    line: int | None
    column: int | None
    message: str
    severity: Severity = "error"


def validate(file: Path, workspace: Workspace) -> list[DocumentProblem]:
    """Return what is wrong with a document: encoding, syntax, tabs, conflict markers of git,
    duplicate keys, schema, and (as warnings) secrets. Changes nothing and raises nothing.
    """
    try:
        source = read_source(file, workspace.boundary)
        if file.suffix not in (".yaml", ".yml"):
            return []
        root = parse(source.text, file, unique_keys=False)
    except DocumentDamagedError as error:
        return [DocumentProblem(error.line, error.column, error.reason)]
    except DocumentError as error:
        return [DocumentProblem(None, None, str(error))]
    if root is None:
        return []
    found = [*_duplicates(root), *_double_ids(root), *_secrets(root)]
    if file.absolute() == workspace.config_file.absolute():
        found += _settings_problems(root, workspace)
    else:
        found += _schema_problems(root, file, workspace)
    return sorted(found, key=lambda problem: (problem.line or 0, problem.column or 0))


def validate_workspace(workspace: Workspace) -> dict[Path, list[DocumentProblem]]:
    """Return every document of the workspace with its problems, most of them none."""
    files = [*document_files(workspace), workspace.pending_file, workspace.config_file]
    return {file: validate(file, workspace) for file in files if os.path.lexists(file)}


def _duplicates(root: Node) -> Iterator[DocumentProblem]:
    for key, first in duplicate_keys(root):
        message = _("the key {key} is there twice; the first is on line {line}")
        yield DocumentProblem(
            key.line, key.column, message.format(key=key_text(key), line=first.line)
        )


def _double_ids(root: Node) -> Iterator[DocumentProblem]:
    """Entries of one list with the same id, as two branches may have given them."""
    for node in root.walk():
        seen: dict[str, Node] = {}
        for item in node.items if node.kind == "list" else ():
            named = item.child("id")
            if named is None or named.real.kind != "scalar" or not named.real.text:
                continue
            first = seen.setdefault(named.real.text, named.real)
            if first is not named.real:
                message = _("the id {id} is there twice; the first is on line {line}")
                said = message.format(id=named.real.text, line=first.line)
                yield DocumentProblem(named.real.line, named.real.column, said)


def _secrets(root: Node) -> Iterator[DocumentProblem]:
    from omp_core.secrets import scan_value

    for node in root.walk():
        for key, value in node.pairs:
            if value.kind == "scalar":
                yield from _secret(scan_value({key_text(key): value.text}), value)
        for item in node.items:
            if item.kind == "scalar":
                yield from _secret(scan_value(item.text), item)


def _secret(findings: list[SecretFinding], node: Node) -> Iterator[DocumentProblem]:
    for finding in findings:
        message = _("this looks like a secret ({kind}); it does not belong into a document")
        yield DocumentProblem(node.line, node.column, message.format(kind=finding.kind), "warning")


def _schema_problems(root: Node, file: Path, workspace: Workspace) -> Iterator[DocumentProblem]:
    schema = load_schema(workspace.name_of(file))
    for violation in violations(schema, plain(root)) if schema is not None else ():
        node = locate(root, violation.path)
        line, column = (node.line, node.column) if node is not None else (None, None)
        yield DocumentProblem(line, column, str(violation))


def _settings_problems(root: Node, workspace: Workspace) -> Iterator[DocumentProblem]:
    nobody = workspace.omp / "no-settings-of-a-user.yaml"
    for refused in read_settings(workspace.root, user_file=nobody).refused:
        node = locate(root, refused.key.split(".")) if refused.key else None
        line, column = (node.line, node.column) if node is not None else (None, None)
        said = f"{refused.key}: {refused.reason}" if refused.key else refused.reason
        yield DocumentProblem(line, column, said)
