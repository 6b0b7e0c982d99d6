"""Texts of the interface in the reader's language, through gettext catalogues.

English is the source. The catalogue is chosen once, at the first text asked for.
"""

from __future__ import annotations

import gettext
import locale
import os
from functools import lru_cache

from omp_core.assets import assets_path

_DOMAIN = "omp_tui"


@lru_cache(maxsize=1)
def _catalogue() -> gettext.NullTranslations:
    return gettext.translation(
        _DOMAIN, assets_path("locale"), languages=[interface_language()], fallback=True
    )


def interface_language() -> str:
    """Return the language code asked for by OMP_LANG or the locale: `zh` or `en`."""
    asked = os.environ.get("OMP_LANG") or ""
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        asked = asked or os.environ.get(variable, "")
    asked = asked or (locale.getlocale()[0] or "")
    return "zh" if asked.lower().startswith(("zh", "chinese")) else "en"


def use_language(code: str) -> None:
    """Switch the language of texts asked for from now on; `auto` follows the locale."""
    if code == "auto":
        os.environ.pop("OMP_LANG", None)
    else:
        os.environ["OMP_LANG"] = code
    _catalogue.cache_clear()


def _(text: str) -> str:
    """Return `text` in the reader's language."""
    return _catalogue().gettext(text)


def ngettext(singular: str, plural: str, count: int) -> str:
    """Return the form of a text that fits `count`, in the reader's language."""
    return _catalogue().ngettext(singular, plural, count)
