"""A file that is only held in memory: what a caller hands over as text to be imported."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import Any

_Path = type(Path())


class HeldFile(_Path):  # type: ignore[misc, valid-type]
    """A path whose file is `data`: it has a name, is read as any other, and lies on no disk."""

    data: bytes

    @classmethod
    def of(cls, name: str, text: str) -> HeldFile:
        """Return a file of that name; lone surrogates in the text become question marks."""
        held = cls(name)
        held.data = text.encode("utf-8", "replace")
        return held

    def open(self, mode: str = "r", *_args: Any, **_kwargs: Any) -> Any:
        """Return a stream of the bytes. Only reading bytes is known."""
        if mode != "rb":
            raise OSError(f"{self.name}: a held file is read as bytes")
        return io.BytesIO(self.data)

    def exists(self, *_args: Any, **_kwargs: Any) -> bool:
        return True

    def is_file(self, *_args: Any, **_kwargs: Any) -> bool:
        return True

    def is_dir(self, *_args: Any, **_kwargs: Any) -> bool:
        return False

    def __fspath__(self) -> str:
        """Refuse to name a file of the disk; `os.PathLike` callers see that there is none."""
        raise FileNotFoundError(os.strerror(2), self.name)
