# Commands for contributors; `just` alone lists them.
python := ".venv/bin/python"

_default:
    @just --list

# a virtual environment with everything that development needs
setup:
    python3 -m venv .venv
    .venv/bin/pip install -e ".[dev]"

# all tests, or those that the arguments choose
test *arguments:
    {{python}} -m pytest {{arguments}}

# what a change has to pass
check:
    .venv/bin/ruff check .
    .venv/bin/ruff format --check .
    .venv/bin/mypy
    .venv/bin/lint-imports
    {{python}} -m pytest

# how much of the pure rooms their tests reach
coverage:
    {{python}} -m pytest --cov=omp_core.rules --cov=omp_core.language --cov=omp_core.secrets \
      --cov-report=term-missing:skip-covered tests/core/rules tests/core/language tests/core/secrets

# the same in a fresh environment with pinned versions
ci:
    .ci/run

# the dashboard on the demo's memory
demo:
    .venv/bin/omp-tui demo

# collect the texts of the interface, to be translated in assets/locale
texts:
    .venv/bin/pybabel extract -k N_ --no-location --sort-output --omit-header -o .texts.pot omp_core omp_tui
    .venv/bin/pybabel update -N -D omp_tui -i .texts.pot -d assets/locale
    rm .texts.pot

# the translated texts as the programs read them
catalogue:
    .venv/bin/pybabel compile -D omp_tui -d assets/locale
