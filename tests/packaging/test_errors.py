"""Every error that is raised on purpose speaks the reader's language."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from omp_core import errors

SHOWN = {"UsageError", "BadParameter", "ClickException", "MCPError", "Disturbance"}
"""Errors of others, and one that becomes ours, whose words a person or an agent reads too."""


@pytest.fixture(scope="module")
def sources(repository: Path) -> dict[Path, ast.Module]:
    return {
        file.relative_to(repository): ast.parse(file.read_text("utf-8"))
        for package in ("omp_core", "omp_tui")
        for file in sorted((repository / package).rglob("*.py"))
    }


@pytest.fixture(scope="module")
def names(sources: dict[Path, ast.Module]) -> set[str]:
    """The error classes of the product, those derived in other modules included."""
    known = SHOWN | {
        name
        for name, value in vars(errors).items()
        if isinstance(value, type) and issubclass(value, errors.OmpError)
    }
    bases = {
        node.name: {called(base) for base in node.bases}
        for tree in sources.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
    }
    while more := {name for name, above in bases.items() if above & known} - known:
        known |= more
    return known


def test_every_error_is_said_in_the_readers_language(
    sources: dict[Path, ast.Module], names: set[str]
) -> None:
    bare = [
        f"{file}:{line}" for file, tree in sources.items() for line in bare_messages(tree, names)
    ]
    assert bare == [], "say it with _() or ngettext() and named placeholders"


@pytest.mark.parametrize(
    "message",
    [
        '"gone"',
        'f"{name} is gone"',
        '"gone: " + name',
        '"%s is gone" % name',
        '"{name} is gone".format(name=name)',
        '_("gone") if name else "lost"',
        'reason or "lost"',
        'file, None, f"theme {number} is gone"',
        'message="gone"',
    ],
)
def test_a_bare_message_is_found(message: str) -> None:
    tree = ast.parse(f"raise StoreError({message}) from error")
    assert list(bare_messages(tree, {"StoreError"})) == [1]


@pytest.mark.parametrize(
    "message",
    [
        '_("gone")',
        '_("{name} is gone").format(name=", ".join(names))',
        'ngettext("{n} is gone", "{n} are gone", n).format(n=n)',
        "reason",
        "file, None, str(error)",
    ],
)
def test_a_translated_message_is_accepted(message: str) -> None:
    tree = ast.parse(f"raise StoreError({message}) from error")
    assert list(bare_messages(tree, {"StoreError"})) == []


def bare_messages(tree: ast.Module, names: set[str]) -> Iterator[int]:
    """Yield the line of each error that is made with a text of its own, raised or returned."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and called(node.func) in names:
            given = [*node.args, *(keyword.value for keyword in node.keywords)]
            if any(map(is_bare, given)):
                yield node.lineno


def is_bare(value: ast.expr) -> bool:
    """Whether a value is, or may turn out as, a text that nobody translates."""
    match value:
        case ast.Constant(value=str(text)):
            return bool(text)
        case ast.JoinedStr():
            return True
        case ast.BinOp(left=left, right=right):
            return is_bare(left) or is_bare(right)
        case ast.IfExp(body=body, orelse=other):
            return is_bare(body) or is_bare(other)
        case ast.BoolOp(values=values):
            return any(map(is_bare, values))
        case ast.Call(func=ast.Attribute(value=text, attr="format" | "join")):
            return is_bare(text)
    return False


def called(function: ast.expr) -> str:
    """The last name of what is called or derived from."""
    match function:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Subscript(value=value):
            return called(value)
    return ""
