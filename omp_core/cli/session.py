"""What all commands share: their common options, the open memory, and how errors end."""

from __future__ import annotations

import functools
import logging
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

import click
import msgspec

from omp_core.errors import NotFoundError, OmpError, UsageError
from omp_core.i18n import _
from omp_core.language.terminal import json_escaped, visible
from omp_core.logs import log_path
from omp_core.memory import Memory
from omp_core.model import Unseen
from omp_core.record_json import degraded

_log = logging.getLogger(__name__)

_MOST_UNSEEN = 100
FAILED, MISUSED, PARTIAL = 1, 2, 3
"""Exit codes besides 0; see the package's first lines."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Where a command's answer goes: as JSON, or as lines for a person."""

    as_json: bool
    unseen: Callable[[], tuple[Unseen, ...]] = tuple
    """What the answers of the memory had to do without so far."""
    _noted: set[str] = field(default_factory=set)

    def json(self, value: Any) -> None:
        """Print a JSON document. It says what was not seen.

        An object gets the keys `degraded`, a sentence, and `unseen`, the list of what is
        missing; a list becomes the `items` of such an object, so that no script takes a part
        for the whole.
        """
        if unseen := self.unseen():
            value = value if isinstance(value, dict) else {"items": value}
            told = degraded(unseen)
            value = {**told, **value} if value.get("degraded") else {**value, **told}
        text = msgspec.json.format(msgspec.json.encode(value), indent=2).decode()
        click.echo(json_escaped(text))

    def line(self, text: str = "") -> None:
        """Print a line; nothing in it is obeyed by the terminal."""
        click.echo(visible(text))

    def note(self, text: str) -> None:
        """Say something that is not the answer, once."""
        if text not in self._noted:
            self._noted.add(text)
            click.echo(visible(text), err=True)


def memory_command(function: Callable[..., int | None]) -> Callable[..., None]:
    """Give a command the common options; call it with (memory, answer, ...).

    The function returns its exit code. With None it ends with 0 when all was seen, with 1 when
    the store could not be read, with 3 when a part of the memory was not seen.
    Options that turn words into values stand below this one, so that their errors end in the
    same way.
    """

    @click.option("--json", "as_json", is_flag=True, help=_("Answer as JSON."))
    @click.option(
        "--workspace",
        type=click.Path(path_type=Path),
        help=_("Directory to look for _omp/ in, upwards. Default: OMP_WORKSPACE, or here."),
    )
    @click.option(
        "--store", type=click.Path(path_type=Path), help=_("SQLite file of the user store.")
    )
    @click.option(
        "--actor",
        default="user",
        envvar="OMP_ACTOR",
        show_default=True,
        help=_("Who acts: user, or agent:NAME."),
    )
    @functools.wraps(function)
    def run(
        *args: Any,
        as_json: bool,
        workspace: Path | None,
        store: Path | None,
        actor: str,
        **kwargs: Any,
    ) -> None:
        with ending(as_json=as_json):
            with Memory.open(workspace=workspace, store=store, actor=actor) as memory:
                answer = Answer(as_json, memory.unseen)
                _note_refused(memory, answer)
                try:
                    code = function(memory, answer, *args, **kwargs)
                except NotFoundError as error:
                    raise _as_far_as_seen(error, memory.unseen()) from error
                unseen = memory.unseen()
                _say_unseen(answer, unseen)
                if code is None and unseen:
                    code = FAILED if memory.store_away else PARTIAL
            sys.exit(code or 0)

    return run


def _note_refused(memory: Memory, answer: Answer) -> None:
    """Name once what the project's settings file tried and may not."""
    for one in memory.configuration.refused_untold():
        place = f"{one.file}: {one.key}" if one.key else str(one.file)
        answer.note(
            _("not taken from the project: {place}: {reason}").format(
                place=place, reason=one.reason
            )
        )


def _as_far_as_seen(error: NotFoundError, unseen: Sequence[Unseen]) -> OmpError:
    """Return the error: where not everything was seen, nobody can say that there is none."""
    if not unseen:
        return error
    return OmpError(
        _("{error}. Not everything could be seen: {unseen}").format(error=error, unseen=unseen[0])
    )


def _say_unseen(answer: Answer, unseen: Sequence[Unseen]) -> None:
    for one in unseen[:_MOST_UNSEEN]:
        answer.note(one.reason if one.place == "store" else _("not seen: {what}").format(what=one))
    if len(unseen) > _MOST_UNSEEN:
        answer.note(
            _("{count} more were not seen; --json names all").format(
                count=len(unseen) - _MOST_UNSEEN
            )
        )


class ending:
    """Turn an error into one line and an exit code; the trace goes to the log file."""

    def __init__(self, *, as_json: bool = False) -> None:
        self._as_json = as_json

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, OmpError):
            _log.info("command failed", exc_info=error)
            self._end(str(error), MISUSED if isinstance(error, UsageError) else FAILED)
        if isinstance(error, BrokenPipeError):
            # whoever read our output has seen enough
            sys.stderr.close()
            sys.exit(FAILED)
        told_by_click = click.ClickException | click.Abort
        if isinstance(error, Exception) and not isinstance(error, told_by_click):
            _log.error("unexpected error", exc_info=error)
            self._end(
                _("unexpected error: {error}. The details are in {file}").format(
                    error=f"{type(error).__name__}: {error}", file=log_path()
                ),
                FAILED,
            )

    def _end(self, message: str, code: int) -> NoReturn:
        if self._as_json:
            click.echo(json_escaped(msgspec.json.encode({"error": message}).decode()), err=True)
        else:
            click.echo(_("error: {message}").format(message=visible(message)), err=True)
        sys.exit(code)
