"""The theme layer behind the door: following the records, showing, surgery, undo."""

from omp_core.memory.themes.layer import Themes

__all__ = ["Themes"]
