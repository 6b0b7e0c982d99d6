"""What can go wrong. Every message says what happened, where, and what to do.

OmpError
├── UsageError                the caller asked for something that cannot be (exit 2)
│   ├── NotFoundError         no record, theme, act or file of that name
│   ├── InvalidValueError     a field's value cannot be accepted
│   └── SettingsError         a settings file has an unknown key or a wrong value
├── SecretFoundError          the text holds a secret; it was not written anywhere
├── ReadOnlyError             project facts are changed in their document, not in the mirror
├── LockedError               a person locked the record; only they change it
├── AccessDeniedError         the user's settings do not let this actor do that
├── StoreError                the user store cannot do what was asked
│   ├── StoreUnavailableError it cannot be reached; degraded mode takes over
│   │   └── StoreUnwritableError it can be read only: the disk is full, or the file read-only
│   ├── StoreTooNewError      it was written by a newer version of this program
│   ├── StoreDamagedError     its file is not an intact database
│   └── VersionConflictError  a compare-and-swap lost; the caller reads again
├── EmbeddingError            no vector could be made
├── DocumentError             a project document cannot be read or written
│   ├── DocumentDamagedError  it does not parse; it is left as it is
│   └── SchemaError           the change would make it invalid; nothing was written
└── FormatError               a file to import is not what it claims to be
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from omp_core.i18n import _


class OmpError(Exception):
    """Base of everything this package raises on purpose."""


class UsageError(OmpError):
    """The caller asked for something that cannot be."""


class NotFoundError(UsageError):
    """Nothing has that id or name."""


class InvalidValueError(UsageError):
    """A field's value cannot be accepted."""


class SettingsError(UsageError):
    """A settings file has an unknown key or a wrong value."""


@dataclass(frozen=True, slots=True)
class SecretFinding:
    """Where a secret was seen: its kind and place, never its value.

    `path` leads to the string inside a JSON value (`$.metadata.note`), None for plain text.
    """

    kind: str
    start: int
    end: int
    path: str | None = None

    def __str__(self) -> str:
        said = (
            _("{kind} at characters {start}-{end}")
            if self.path is None
            else _("{kind} at characters {start}-{end} of {path}")
        )
        return said.format(kind=self.kind, start=self.start + 1, end=self.end, path=self.path)


class SecretFoundError(OmpError):
    """The text holds secrets. Carries their places and a redacted form, never a value."""

    def __init__(self, findings: Sequence[SecretFinding], redacted: str) -> None:
        self.findings = tuple(findings)
        self.redacted = redacted
        places = ", ".join(str(finding) for finding in self.findings)
        super().__init__(
            _(
                "not stored: the text holds a secret ({places}). "
                "Leave it out, or store the redacted form: {redacted}"
            ).format(places=places, redacted=redacted)
        )


class ReadOnlyError(OmpError):
    """Project facts are changed in their document, not in the mirror."""


class LockedError(OmpError):
    """A person locked the record; only they change it."""


class AccessDeniedError(OmpError):
    """The user's settings do not let this actor do that here."""


class StoreError(OmpError):
    """The user store cannot do what was asked."""


class StoreUnavailableError(StoreError):
    """The store cannot be reached now; degraded mode takes over."""


class StoreUnwritableError(StoreUnavailableError):
    """The store can be read and not written now: a full disk, a read-only file."""


class StoreTooNewError(StoreError):
    """The store was written by a newer version of this program."""


class StoreDamagedError(StoreError):
    """The store's file is not an intact database."""


class VersionConflictError(StoreError):
    """A compare-and-swap lost: the record changed since it was read."""


class EmbeddingError(OmpError):
    """No vector could be made."""


class DocumentError(OmpError):
    """A project document cannot be read or written."""


class DocumentDamagedError(DocumentError):
    """A document does not parse. It is shown as damaged and never written."""

    def __init__(
        self, path: Path, line: int | None, reason: str, column: int | None = None
    ) -> None:
        self.path = path
        self.line = line
        self.column = column
        self.reason = reason
        place = f"{path}:{line}" if line is not None else str(path)
        super().__init__(
            _("{place}: {reason}. The file is left as it is; mend it by hand.").format(
                place=place, reason=reason
            )
        )


class SchemaError(DocumentError):
    """The change would make a document invalid; nothing was written."""


class FormatError(OmpError):
    """A file to import is not what it claims to be."""
