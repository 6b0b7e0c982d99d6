"""`omp-tui act JSON`: the orchestrator's interface for scripts."""

from __future__ import annotations

import sys

import click
import msgspec

from omp_core import orchestrator
from omp_core.cli.session import FAILED, Answer, memory_command
from omp_core.errors import InvalidValueError, OmpError
from omp_core.i18n import _
from omp_core.memory import Memory
from omp_core.model import Json


@click.command(
    help=_(
        "Carry out one action given as a JSON object, - for standard input: add, search, "
        "summarize, health, configure, save, load or resolve. The answer is JSON."
    )
)
@click.argument("request", metavar="JSON")
@memory_command
def act(memory: Memory, answer: Answer, request: str) -> int:
    try:
        wanted = _object(sys.stdin.read() if request == "-" else request)
        answer.json(orchestrator.act(memory, wanted))
    except OmpError as error:
        answer.json(orchestrator.failure(error))
        return FAILED
    return 0


def _object(text: str) -> dict[str, Json]:
    try:
        return msgspec.json.decode(text, type=dict[str, Json])
    except msgspec.DecodeError as error:
        raise InvalidValueError(
            _("the request is no JSON object: {reason}").format(reason=error)
        ) from error
