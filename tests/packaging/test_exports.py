"""What `import omp_core` offers, and what it costs."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from pathlib import Path

import omp_core
from omp_core import errors, model
from omp_core.memory import Memory


def test_the_door_the_errors_and_the_types_of_the_model_are_exported() -> None:
    raised = {
        name
        for name, one in vars(errors).items()
        if inspect.isclass(one) and issubclass(one, Exception)
    }
    typed = {
        name
        for name, one in vars(model).items()
        if inspect.isclass(one) and one.__module__ == model.__name__
    }
    others = {"Memory", "SecretFinding", "Settings", "__version__"}
    assert set(omp_core.__all__) == raised | typed | others
    for name in omp_core.__all__:
        assert getattr(omp_core, name) is not None
    assert set(omp_core.__all__) <= set(dir(omp_core))


def test_importing_the_package_loads_none_of_its_rooms() -> None:
    code = "import sys, omp_core; print([n for n in sys.modules if n.startswith('omp_core.')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['omp_core.version']"


def test_every_verb_of_the_door_is_a_typed_method_with_a_docstring() -> None:
    public = {name: one for name, one in vars(Memory).items() if not name.startswith("_")}
    for name, one in public.items():
        if isinstance(one, property):
            one = one.fget
        elif isinstance(one, classmethod | staticmethod):
            one = one.__func__
        assert inspect.isfunction(one), name
        assert one.__doc__, name
        parameters = inspect.signature(one).parameters.values()
        assert not [p for p in parameters if p.kind is p.VAR_KEYWORD], name
        assert all(p.annotation is not p.empty for p in list(parameters)[1:]), name
        assert "Any" not in str(inspect.signature(one)), name


def test_nothing_public_is_bound_on_the_instance(tmp_path: Path) -> None:
    with Memory.open(workspace=tmp_path, store=tmp_path / "store.db") as memory:
        assert [name for name in vars(memory) if not name.startswith("_")] == []


def test_every_type_at_the_door_is_named_where_it_is_defined() -> None:
    from omp_core import types

    tree = ast.parse(Path(types.__file__).read_text("utf-8"))
    block = next(one for one in tree.body if isinstance(one, ast.If))
    declared = {
        alias.name: one.module
        for one in block.body
        if isinstance(one, ast.ImportFrom)
        for alias in one.names
    }
    assert declared == types._HOMES
    assert sorted(declared) == sorted(types.__all__)
    for name in types.__all__:
        assert getattr(types, name) is not None
