"""Where the files that ship with the package lie."""

from pathlib import Path

_PACKAGE = Path(__file__).parent


def assets_path(*parts: str) -> Path:
    """Return the path of a shipped file or folder.

    A wheel carries the folder inside the package; a checkout has it beside the packages.
    """
    packaged = _PACKAGE / "_assets"
    root = packaged if packaged.is_dir() else _PACKAGE.parent / "assets"
    return root.joinpath(*parts)
