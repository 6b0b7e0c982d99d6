"""Fast reading of large YAML that a machine wrote: every scalar as text, nothing resolved.

PyYAML's C parser takes a tenth of the time of a reading that keeps places and comments.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Any

from omp_core.errors import DocumentDamagedError
from omp_core.i18n import _

_CONFLICT = re.compile(r"^(?:<{7}|>{7})(?: |$)", re.MULTILINE)
_THEME_BOOK = re.compile(r'^version: "2\.\d+"\ngeneration: \d', re.MULTILINE)
_HEAD = 4000


def load_plain(text: str, file: Path) -> Any:
    """Return the document as maps, lists and texts; None when it is empty.

    Raises DocumentDamagedError with line and reason, also for conflict markers and keys that
    are there twice.
    """
    conflict = _CONFLICT.search(text)
    if conflict is not None:
        line = text.count("\n", 0, conflict.start()) + 1
        raise DocumentDamagedError(file, line, _("it holds conflict markers of git"))
    import yaml

    loader = _loader_class()(text)
    try:
        return loader.get_single_data()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        reason = (error.problem or _("it does not parse")).replace("\n", " ")
        raise DocumentDamagedError(
            file, mark.line + 1 if mark else None, reason, mark.column + 1 if mark else None
        ) from error
    except yaml.YAMLError as error:
        raise DocumentDamagedError(file, None, str(error).partition("\n")[0]) from error
    except RecursionError as error:
        raise DocumentDamagedError(file, None, _("it is nested too deeply")) from error
    finally:
        loader.dispose()


def is_theme_book(text: str) -> bool:
    """Return whether this is a theme book in this program's own layout, by its first lines."""
    return _THEME_BOOK.search(text[:_HEAD]) is not None


@lru_cache(maxsize=1)
def _loader_class() -> Any:
    import yaml

    base: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)

    class Loader(base):  # type: ignore[misc]
        """Refuses double keys, of which PyYAML would silently keep the last."""

        def construct_mapping(self, node: Any, deep: bool = False) -> Any:
            result = super().construct_mapping(node, deep)
            if len(result) != len(node.value):
                seen: set[str] = set()
                for key, _value in node.value:
                    if key.value in seen:
                        raise yaml.MarkedYAMLError(
                            problem=f"the key {key.value!r} is there twice",
                            problem_mark=key.start_mark,
                        )
                    seen.add(key.value)
            return result

    return Loader
