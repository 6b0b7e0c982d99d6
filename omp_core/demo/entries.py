"""The demo's data as it lies in `assets/demo/memories/`: one file a theme, one entry a fact.

Every time is written as days before now, so that the demo is always of today.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from omp_core.assets import assets_path
from omp_core.errors import FormatError
from omp_core.i18n import _
from omp_core.model import (
    ActKind,
    Category,
    Importance,
    Json,
    Scope,
    Source,
    Status,
    Temporality,
    Tier,
)

USER_ID = "ana"
APP_ID = "acme_shop-api"


class _Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A part of the data; a key that is not known is an error."""


class Earlier(_Part, frozen=True):
    """A write in the past: when, by whom, and what the changed fields were before it."""

    age_days: float
    by: str
    was: dict[str, Json]
    kind: ActKind = "update"


class SameField(_Part, frozen=True):
    """A write that came in too late: it was based on what stood before the last one."""

    field: str
    incoming: Json
    by: str
    age_days: float


class AgainstProject(_Part, frozen=True):
    """The value at a path of a project document that says otherwise."""

    file: str
    path: str
    says: Json
    since_days: float
    age_days: float


class DemoProposal(_Part, frozen=True):
    """Why a candidate waits: it resembles another memory, named by its key."""

    duplicate_of: str
    similarity: float
    suggests: Literal["same", "merge"]


class Deleted(_Part, frozen=True):
    age_days: float
    by: str


class DemoEntry(_Part, frozen=True):
    """One memory of the demo. `by` is `user`, `system` or an agent's name.

    `reads` and `read_days_ago` come together; `scope` overrides that of the file; `history`
    is in the order of time; `contradicts` and `superseded_by` name another memory's key.
    """

    text: str
    tier: Tier
    category: Category
    by: str
    age_days: float
    key: str | None = None
    importance: Importance = Importance.MEDIUM
    confidence: float = 1.0
    source: Source = Source.USER
    reads: int = 0
    read_days_ago: float | None = None
    tags: tuple[str, ...] = ()
    scope: Literal["project", "personal"] | None = None
    agent: str | None = None
    run: str | None = None
    temporality: Temporality = Temporality.PERMANENT
    expires_in_days: float | None = None
    status: Status = Status.ACTIVE
    superseded_by: str | None = None
    history: tuple[Earlier, ...] = ()
    dispute: SameField | None = None
    contradicts: str | None = None
    against_project: AgainstProject | None = None
    proposal: DemoProposal | None = None
    deleted: Deleted | None = None

    def full_scope(self) -> Scope:
        """Return whom the memory belongs to."""
        app_id = None if self.scope == "personal" else APP_ID
        return Scope(user_id=USER_ID, agent_id=self.agent, app_id=app_id, run_id=self.run)


class _File(_Part, frozen=True):
    memories: tuple[DemoEntry, ...]
    scope: Literal["project", "personal"] = "project"


def load_entries() -> Mapping[str, tuple[DemoEntry, ...]]:
    """Return the entries of each theme, under the theme's name.

    Raises FormatError naming the file and the key that does not fit.
    """
    themes = {}
    for file in sorted(assets_path("demo", "memories").glob("*.yaml")):
        content = read_yaml("memories", file.name)
        try:
            read = msgspec.convert(content, _File)
        except msgspec.ValidationError as error:
            raise FormatError(_("{file}: {error}").format(file=file, error=error)) from error
        themes[file.stem] = tuple(
            entry if entry.scope else msgspec.structs.replace(entry, scope=read.scope)
            for entry in read.memories
        )
    return themes


def read_yaml(*parts: str) -> Any:
    """Return the content of a YAML file of the demo."""
    from ruamel.yaml import YAML

    return YAML(typ="safe", pure=True).load(assets_path("demo", *parts).read_text("utf-8"))
