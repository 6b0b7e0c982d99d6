"""Names of tools and products: they make a statement concrete, and are no people."""

from __future__ import annotations

import re
from functools import lru_cache

from omp_core.language.vocabulary import software


@lru_cache(maxsize=1)
def technology_names() -> frozenset[str]:
    """Return the names, in small letters, that are evidence of a tool wherever they stand."""
    return software().names - software().ordinary


def technologies(text: str) -> list[str]:
    """Return the known tool names in `text`, as written, in order."""
    known = technology_names()
    return [word for word in _word().findall(text) if word.lower() in known]


@lru_cache(maxsize=1)
def _word() -> re.Pattern[str]:
    chinese = "|".join(sorted(name for name in technology_names() if not name.isascii()))
    return re.compile(rf"[A-Za-z][\w+#.-]*[\w+#]|[A-Za-z]|{chinese}")
