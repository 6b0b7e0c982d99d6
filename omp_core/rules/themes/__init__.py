"""The theme layer: groups of records about one thing, kept by machine and by hand. Pure.

`ThemeState` holds a book of themes and their centroids; every operation takes a state and a
`Ground` (vectors, texts, calibration, settings, the time) and returns a new state.
"""

from omp_core.rules.themes.assimilation import Assimilation, assimilate, forget
from omp_core.rules.themes.book import (
    Repair,
    Theme,
    ThemeBook,
    ThemeState,
    empty_state,
    in_scope,
    repaired,
    theme_scope,
)
from omp_core.rules.themes.health import (
    BookHealth,
    NearMerger,
    SplitChoice,
    SuggestedSplit,
    Suggestion,
    ThemeHealth,
    book_health,
    member_map,
    suggest_split,
    suggestions,
)
from omp_core.rules.themes.inputs import BookInputs, Calibrate, TextSource, ThemeItem, VectorSource
from omp_core.rules.themes.patch import Patch, diff
from omp_core.rules.themes.previews import ThemeFigure, ThemePreview, preview, theme_cohesion
from omp_core.rules.themes.rebuild import Rebuild, ThemeMove, rebuild
from omp_core.rules.themes.retrieval import diverse, labelled_themes, nearest_themes
from omp_core.rules.themes.surgery import (
    dissolve,
    mark,
    merge,
    move,
    pin,
    propose_parts,
    rename,
    split,
    unpin,
)

__all__ = [
    "Assimilation",
    "BookHealth",
    "BookInputs",
    "Calibrate",
    "NearMerger",
    "Patch",
    "Rebuild",
    "Repair",
    "SplitChoice",
    "SuggestedSplit",
    "Suggestion",
    "TextSource",
    "Theme",
    "ThemeBook",
    "ThemeFigure",
    "ThemeHealth",
    "ThemeItem",
    "ThemeMove",
    "ThemePreview",
    "ThemeState",
    "VectorSource",
    "assimilate",
    "book_health",
    "diff",
    "dissolve",
    "diverse",
    "empty_state",
    "forget",
    "in_scope",
    "labelled_themes",
    "mark",
    "member_map",
    "merge",
    "move",
    "nearest_themes",
    "pin",
    "preview",
    "propose_parts",
    "rebuild",
    "rename",
    "repaired",
    "split",
    "suggest_split",
    "suggestions",
    "theme_cohesion",
    "theme_scope",
    "unpin",
]
