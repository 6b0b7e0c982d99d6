"""The theme layer behind the door: following the records, showing, surgery, undo."""

from omp_core.services.themes.layer import Themes

__all__ = ["Themes"]
