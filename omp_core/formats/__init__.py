"""Files that memories come in from elsewhere, and our own export.

`FORMATS` lists the kinds, `detect` tells which one a file is of, `read` yields what it holds;
`own.write` writes an export.
"""

from omp_core.formats.item import ImportItem
from omp_core.formats.registry import FORMATS, Format, detect, read

__all__ = ["FORMATS", "Format", "ImportItem", "detect", "read"]
