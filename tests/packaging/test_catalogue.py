"""The Chinese catalogue says everything that the interface says.

After a change of texts, from the top of the checkout:

    pybabel extract -k N_ --no-location --sort-output --omit-header \
        -o /tmp/omp_tui.pot omp_core omp_tui
    pybabel update -N -D omp_tui -i /tmp/omp_tui.pot -d assets/locale
    (translate what is new)
    pybabel compile -D omp_tui -d assets/locale
"""

from __future__ import annotations

import ast
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po

KEYWORDS = {"_": None, "N_": None, "ngettext": (1, 2)}
Id = str | tuple[str, ...]


@pytest.fixture(scope="module")
def sources(repository: Path) -> list[Path]:
    return [
        file
        for package in ("omp_core", "omp_tui")
        for file in sorted((repository / package).rglob("*.py"))
    ]


@pytest.fixture(scope="module")
def folder(repository: Path) -> Path:
    return repository / "assets" / "locale" / "zh" / "LC_MESSAGES"


@pytest.fixture(scope="module")
def catalogue(folder: Path) -> Catalog:
    with (folder / "omp_tui.po").open("rb") as file:
        return read_po(file)


@pytest.fixture(scope="module")
def messages(catalogue: Catalog) -> list[Message]:
    return [message for message in catalogue if message.id]


@pytest.fixture(scope="module")
def wanted(sources: list[Path]) -> set[Id]:
    ids: set[Id] = set()
    for file in sources:
        with file.open("rb") as opened:
            for _, text, _, _ in extract("python", opened, keywords=KEYWORDS):
                ids.add(text)
    # a text that is counted in one place and said plainly in another is one entry
    return ids - {text[0] for text in ids if isinstance(text, tuple)}


def test_every_text_can_be_extracted(sources: list[Path]) -> None:
    hidden = [
        f"{file.name}:{node.lineno}"
        for file in sources
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in KEYWORDS
        # an attribute holds a text that was marked with N_ where it was set
        and not isinstance(node.args[0], ast.Constant | ast.Attribute)
        and file.name != "i18n.py"
    ]
    assert hidden == [], "only a literal text can be translated"


def test_nothing_is_missing_and_nothing_left_over(wanted: set[Id], messages: list[Message]) -> None:
    held = {message.id for message in messages}
    assert wanted - held == set(), "not in the catalogue"
    assert held - wanted == set(), "in the catalogue, but no longer in the sources"


def test_every_text_is_translated(messages: list[Message]) -> None:
    for message in messages:
        assert not message.fuzzy, message.id
        assert all(texts(message.string)), message.id


def test_translations_fill_in_the_same_values(messages: list[Message]) -> None:
    for message in messages:
        asked = placeholders(texts(message.id)[-1])
        for text in texts(message.string):
            assert placeholders(text) == asked, message.id


def test_compiled_catalogue_is_that_of_the_texts(messages: list[Message], folder: Path) -> None:
    with (folder / "omp_tui.mo").open("rb") as file:
        compiled = {texts(message.id): texts(message.string) for message in read_mo(file)}
    compiled.pop(("",), None)
    assert compiled == {texts(message.id): texts(message.string) for message in messages}


def texts(value: object) -> tuple[str, ...]:
    """Return the forms of a text: two or more if it counts something, else one."""
    forms = value if isinstance(value, tuple | list) else (value,)
    return tuple(str(form or "") for form in forms)


def placeholders(text: str) -> set[tuple[str, str | None, str | None]]:
    """Return the name, format and conversion of each value that a text asks for."""
    return {
        (name, spec, conversion)
        for _, name, spec, conversion in Formatter().parse(text)
        if name is not None
    }
