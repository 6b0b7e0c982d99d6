"""Access token of the HTTP transport: every request has to carry it."""

from __future__ import annotations

import contextlib
import hmac
import os
import secrets
from collections.abc import Awaitable, Callable, MutableMapping
from pathlib import Path
from typing import Any

from omp_core.errors import UsageError
from omp_core.i18n import _
from omp_core.private_files import private_folder, private_opener, tighten
from omp_core.settings_files import data_path

_LEAST = 16
"""Characters of the shortest token that is taken."""
_RANDOM_BYTES = 32
_LARGEST_FILE = 4096

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]


def token_file() -> Path:
    """Return where the token lies that clients of this machine read."""
    return data_path() / "http-token"


def read_token(given: str | None, file: Path | None) -> str:
    """Return the token: the one given, else that of the file, which is made, 0600, if missing.

    Raises UsageError for a token that is too short to be one, or a file that cannot be used.
    """
    if given is not None and file is not None:
        raise UsageError(_("--token and --token-file exclude each other; choose one"))
    place = file or token_file()
    token = given if given is not None else _from_file(place)
    if len(token) < _LEAST or not token.isascii() or any(sign.isspace() for sign in token):
        raise UsageError(
            _(
                "{source}: the token has to be one word of at least {least} ASCII characters; "
                "remove the file to have one made"
            ).format(source="--token" if given is not None else place, least=_LEAST)
        )
    return token


def _from_file(place: Path) -> str:
    try:
        private_folder(place.parent)
        if not place.exists():
            _make(place)
        tighten(place)
        with place.open(encoding="utf-8", errors="replace") as file:
            return file.read(_LARGEST_FILE).strip()
    except OSError as error:
        raise UsageError(
            _(
                "{file}: the token cannot be read or made: {reason}; name another --token-file"
            ).format(file=place, reason=error.strerror or error)
        ) from error


def _make(place: Path) -> None:
    """Put a token there whole, 0600; the one of another process that was quicker stays."""
    draft = place.with_name(f".{place.name}.{os.getpid()}")
    try:
        with open(draft, "x", encoding="ascii", opener=private_opener) as file:
            file.write(secrets.token_urlsafe(_RANDOM_BYTES) + "\n")
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileExistsError):
            os.link(draft, place)
    finally:
        draft.unlink(missing_ok=True)


def guarded(application: Application, token: str) -> Application:
    """Return the application behind a check of `Authorization: Bearer <token>`.

    Every request without the token is answered 401, whatever it asks for; tokens are compared
    in constant time.
    """
    expected = token.encode()

    async def check(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan" or _carried(scope, expected):
            await application(scope, receive, send)
        elif scope["type"] == "http":
            await _refuse(send)
        else:
            await send({"type": "websocket.close", "code": 1008})

    return check


def _carried(scope: Scope, expected: bytes) -> bool:
    given = [value for name, value in scope["headers"] if name == b"authorization"]
    scheme, _space, token = given[0].partition(b" ") if len(given) == 1 else (b"", b"", b"")
    return scheme.lower() == b"bearer" and hmac.compare_digest(token.strip(), expected)


async def _refuse(send: Send) -> None:
    body = b'{"error": "unauthorized", "remedy": "send Authorization: Bearer and the token"}'
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"www-authenticate", b"Bearer"),
    ]
    await send({"type": "http.response.start", "status": 401, "headers": headers})
    await send({"type": "http.response.body", "body": body})
