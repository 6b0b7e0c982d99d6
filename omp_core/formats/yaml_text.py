"""Reading YAML of doubtful origin as plain JSON values."""

from __future__ import annotations

from omp_core.formats.plain import NotPlainError, plain
from omp_core.model import Json


class YamlError(Exception):
    """A text that is not YAML, or not as YAML of memories may be. `line` counts from 1."""

    def __init__(self, reason: str, line: int | None = None) -> None:
        self.reason = reason
        self.line = line
        super().__init__(f"line {line}: {reason}" if line else reason)


def load_yaml(text: str) -> Json:
    """Return the value of a YAML 1.2 document, times as ISO 8601. Raises YamlError."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    try:
        value, _notes = plain(YAML(typ="safe", pure=True).load(text))
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        reason = str(error.problem or error.context or "it does not parse").strip()
        raise YamlError(reason, mark.line + 1 if mark else None) from error
    except (YAMLError, ValueError) as error:  # ValueError: a date such as 2026-13-01
        raise YamlError(str(error)) from error
    except (NotPlainError, RecursionError) as error:
        raise YamlError("it is nested too deeply or refers to itself") from error
    return value
