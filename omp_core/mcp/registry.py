"""Tools by name: what a tool is called, says, takes and does."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from omp_core.mcp.arguments import Arguments, Reader, reader
from omp_core.model import Json
from omp_core.record_json import degraded

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from omp_core.memory import Memory

Answer = dict[str, Json]
Effect = Literal["reads", "adds", "changes", "deletes"]
"""What a tool may do to the memory; clients ask their user by it."""
Profile = Literal["seed", "standard", "all"]
"""How many tools a server offers: those of the memory skill alone; with them OpenMemory's and
what curating takes; or everything. Each holds those before it."""
PROFILES: tuple[Profile, ...] = typing.get_args(Profile)
_SEED = frozenset(
    {
        "add_memory", "search_memories", "get_memories", "get_memory", "update_memory",
        "delete_memory", "delete_all_memories", "delete_entities", "list_entities",
        "memory_stats", "export_memories", "import_memories", "purge_expired",
        "get_user_context",
    }
)  # fmt: skip
"""The tools of the memory skill's server, by its specification."""


@dataclass(frozen=True, slots=True)
class Call:
    """What a tool works with: the memory, which acts under the caller's name meanwhile.

    `for_the_user` lets what is done within be journalled as the user's decision, brought by
    the caller. `embed_later` fills in missing vectors when there is time for it.
    """

    memory: Memory
    for_the_user: Callable[[], AbstractContextManager[None]]
    embed_later: Callable[[], None]


_Given = TypeVar("_Given", bound=Arguments)
_Run = Callable[[Call, Any], Answer]


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool. `run` blocks and is called in a thread that may wait."""

    name: str
    description: str
    effect: Effect
    reader: Reader
    run: _Run
    profile: Profile
    """The smallest profile that has it."""

    def answer(self, call: Call, given: Mapping[str, Json]) -> Answer:
        """Read the arguments and do the work. Raises OmpError.

        The answer says what it had to do without (`degraded`, and `unseen` part by part), and
        in a sentence how much waits for the user (`waiting`).
        """
        told = self.run(call, self.reader.read(given))
        waiting = call.memory.review.waiting(store_too=not call.memory.store_away)
        if waiting:
            told = {**told, "waiting": waiting.text}
        unseen = degraded(call.memory.unseen())
        return {**unseen, **told} if told.get("degraded") else {**told, **unseen}


TOOLS: dict[str, Tool] = {}
"""Every tool, filled by importing `omp_core.mcp.tools`."""


def tools_of(profile: Profile) -> dict[str, Tool]:
    """Return the tools that a profile offers, by name."""
    offered = PROFILES[: PROFILES.index(profile) + 1]
    return {name: one for name, one in TOOLS.items() if one.profile in offered}


def tool(
    effect: Effect, *, profile: Profile = "standard"
) -> Callable[[Callable[[Call, _Given], Answer]], Callable[[Call, _Given], Answer]]:
    """Make a function the tool of its name; its docstring is what agents read about it.

    `profile` is the smallest one that has it; the memory skill's own are in all of them.

    It takes a Call and its arguments, a subclass of Arguments.
    """

    def register(run: Callable[[Call, _Given], Answer]) -> Callable[[Call, _Given], Answer]:
        model = typing.get_type_hints(run)[list(inspect.signature(run).parameters)[1]]
        name = run.__name__
        text = " ".join(inspect.cleandoc(run.__doc__ or "").split())
        smallest = "seed" if name in _SEED else profile
        TOOLS[name] = Tool(name, text, effect, reader(model), run, smallest)
        return run

    return register
