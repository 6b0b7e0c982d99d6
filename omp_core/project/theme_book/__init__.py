"""The theme book on disk: `themes/index.yaml`, which people may read and edit, and
`themes/embeddings.json`, which follows from it and the members' vectors.
"""

from omp_core.project.theme_book.file import (
    ModelMark,
    OpenBook,
    ThemeBookFile,
    calibration_version,
)

__all__ = ["ModelMark", "OpenBook", "ThemeBookFile", "calibration_version"]
