"""The profile of a model: how its cosines map to the common scale, and how they spread."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from omp_core.assets import assets_path
from omp_core.embed.protocol import Cell, Cells
from omp_core.errors import EmbeddingError
from omp_core.i18n import _
from omp_core.language.language import Script
from omp_core.settings_files import data_path

LEVELS = (0.2, 0.62, 0.78, 0.85)
"""The common scale: unrelated, same topic, paraphrase, near-duplicate (design, section 6)."""

DEFAULT_KNOTS = (0.05, 0.28, 0.45, 0.82)
"""Centred cosines of those levels, as two multilingual models have them (same)."""


@dataclass(frozen=True, slots=True)
class Profile:
    """`knots` are the centred cosines that stand for LEVELS, strictly increasing in (-1, 1).

    `cells` is None until they were measured.
    """

    knots: tuple[float, float, float, float] = DEFAULT_KNOTS
    cells: Cells | None = None

    def __post_init__(self) -> None:
        ordered = (-1.0, *self.knots, 1.0)
        if any(low >= high for low, high in pairwise(ordered)):
            raise EmbeddingError(
                _("the knots of a calibration must rise between -1 and 1: {self}").format(self=self)
            )

    def calibrate(self, cosines: NDArray[np.float32]) -> NDArray[np.float32]:
        """Map cosines, linearly between (-1, 0), the knots at LEVELS, and (1, 1)."""
        mapped = np.interp(cosines, (-1.0, *self.knots, 1.0), (0.0, *LEVELS, 1.0))
        return np.asarray(mapped, dtype=np.float32)


class _CellForm(msgspec.Struct, frozen=True):
    query: Script
    memory: Script
    mean: float
    std: float


class _ProfileForm(msgspec.Struct, frozen=True):
    model: str
    knots: tuple[float, float, float, float]
    cells: list[_CellForm]


def load_profile(model_id: str, *, folders: Iterable[Path] | None = None) -> Profile:
    """Return the profile of a model: the user's own, else the shipped one, else the default.

    Raises EmbeddingError when a profile is there and cannot be read.
    """
    for folder in folders or (user_profiles(), assets_path("calibration", "profiles")):
        file = folder / _file_name(model_id)
        if file.is_file():
            return _read(file)
    return Profile()


def save_profile(model_id: str, profile: Profile, *, folder: Path | None = None) -> Path:
    """Write a profile, by default as the user's own, and return its file."""
    target = (folder or user_profiles()) / _file_name(model_id)
    cells = profile.cells.of.items() if profile.cells else ()
    form = _ProfileForm(
        model=model_id,
        knots=profile.knots,
        cells=[_CellForm(query, memory, cell.mean, cell.std) for (query, memory), cell in cells],
    )
    write_atomically(target, msgspec.json.format(msgspec.json.encode(form)) + b"\n")
    return target


def user_profiles() -> Path:
    """Return the folder of profiles that the user measured."""
    return data_path() / "calibration"


def safe_name(model_id: str) -> str:
    """Return `model_id` as a file name."""
    return re.sub(r"[^A-Za-z0-9.]+", "-", model_id).strip("-.")


def write_atomically(target: Path, content: bytes) -> None:
    """Write a whole file, so that a reader sees the old or the new one."""
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=target.name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(name).replace(target)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise


def _file_name(model_id: str) -> str:
    return f"{safe_name(model_id)}.json"


def _read(file: Path) -> Profile:
    try:
        form = msgspec.json.decode(file.read_bytes(), type=_ProfileForm)
    except (OSError, msgspec.DecodeError) as error:
        raise EmbeddingError(
            _("{file}: not a calibration profile ({error}); measure it again or delete it").format(
                file=file, error=error
            )
        ) from error
    cells = {(cell.query, cell.memory): Cell(cell.mean, cell.std) for cell in form.cells}
    return Profile(form.knots, Cells(cells) if len(cells) == 4 else None)
