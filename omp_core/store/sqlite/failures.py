"""The driver's errors in the product's words."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import apsw

from omp_core.errors import (
    InvalidValueError,
    StoreDamagedError,
    StoreError,
    StoreUnavailableError,
    StoreUnwritableError,
)
from omp_core.i18n import _


@contextlib.contextmanager
def speaking(path: Path | None) -> Iterator[None]:
    """Turn the driver's errors into ours, each with the place and the remedy."""
    place = str(path or "the store in memory")
    try:
        yield
    except (apsw.CorruptError, apsw.NotADBError) as error:
        raise StoreDamagedError(
            _(
                "{place}: the store is damaged ({error}). It was left as it is; `omp-tui "
                "restore` brings back the newest backup."
            ).format(place=place, error=error)
        ) from error
    except (apsw.BusyError, apsw.LockedError, apsw.ProtocolError) as error:
        raise StoreUnavailableError(
            _(
                "{place}: another process has held the store for too long. Try again, or "
                "end the process that holds it."
            ).format(place=place)
        ) from error
    except apsw.FullError as error:
        raise StoreUnwritableError(
            _(
                "{place}: the disk is full; nothing was written. Free some space and try again."
            ).format(place=place)
        ) from error
    except apsw.ReadOnlyError as error:
        raise StoreUnwritableError(
            _(
                "{place}: the store cannot be written ({error}); nothing was. Check the "
                "permissions of the file and its folder."
            ).format(place=place, error=error)
        ) from error
    except (apsw.CantOpenError, apsw.PermissionsError, apsw.AuthError) as error:
        raise StoreUnavailableError(
            _(
                "{place}: the store cannot be opened for writing ({error}). Check the "
                "permissions of the file and its folder."
            ).format(place=place, error=error)
        ) from error
    except apsw.IOError as error:
        raise StoreUnavailableError(
            _(
                "{place}: the disk failed ({error}). Check that it is there and sound; "
                "`omp-tui doctor` checks the store."
            ).format(place=place, error=error)
        ) from error
    except UnicodeDecodeError as error:
        raise StoreDamagedError(
            _(
                "{path}: the store is damaged (a text in it is no UTF-8). It was left as it is; "
                "`omp-tui restore` brings back the best backup."
            ).format(path=place)
        ) from error
    except apsw.ConnectionClosedError as error:
        raise StoreUnavailableError(
            _("{place}: the store was closed.").format(place=place)
        ) from error
    except apsw.SQLError as error:
        if "no such table" in str(error) or "malformed" in str(error):
            raise StoreDamagedError(
                _(
                    "{place}: this is not a store of omp-tui ({error}). It was left as it is."
                ).format(place=place, error=error)
            ) from error
        raise StoreError(_("{place}: {error}").format(place=place, error=error)) from error
    except apsw.Error as error:
        raise StoreError(
            _("{place}: {kind}: {error}. `omp-tui doctor` checks the store.").format(
                place=place, kind=type(error).__name__, error=error
            )
        ) from error
    except UnicodeEncodeError as error:
        raise InvalidValueError(
            _(
                "U+{code:04X}: half of a character, which no file can hold, stands in an "
                "id, a tag or another field; leave it out"
            ).format(code=ord(error.object[error.start]))
        ) from error
    except OverflowError as error:
        raise InvalidValueError(_("a number is too large: {error}").format(error=error)) from error
