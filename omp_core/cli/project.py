"""Commands on the project's own home."""

from __future__ import annotations

from pathlib import Path

import click

from omp_core.cli.session import Answer, memory_command
from omp_core.i18n import _
from omp_core.memory import Memory


@click.command(help=_("Lay out _omp/ in a directory; existing files stay as they are."))
@click.argument("directory", type=click.Path(path_type=Path, file_okay=False), required=False)
@memory_command
def init(memory: Memory, answer: Answer, directory: Path | None) -> None:
    root = directory or memory.place.directory
    made = memory.init_workspace(root)
    if answer.as_json:
        answer.json({"workspace": str(root), "created": [str(file) for file in made]})
        return
    for file in made:
        answer.line(str(file))
    if not made:
        answer.note(_("everything is there already"))
