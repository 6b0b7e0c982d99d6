"""Telling a callback address how an action ended: allowed hosts only, with a time limit."""

from __future__ import annotations

import logging
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from urllib.parse import urlsplit

import msgspec

from omp_core.errors import UsageError
from omp_core.i18n import _
from omp_core.model import Json
from omp_core.settings import NetworkSettings

_log = logging.getLogger(__name__)
_LOCAL = ("localhost", "127.0.0.1", "::1")


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A host that was allowed must not hand the result on to one that was not."""

    def redirect_request(self, *_given: object) -> None:
        return None


def check(url: str, settings: NetworkSettings) -> None:
    """Raise UsageError unless the address is https, or on this machine, and its host allowed."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError:
        raise UsageError(_("callback_url: {url} is no address").format(url=url)) from None
    if parts.scheme != "https" and not (parts.scheme == "http" and host in _LOCAL):
        raise UsageError(
            _("callback_url: {url} is neither https nor on this machine").format(url=url)
        )
    if host not in settings.callback_hosts:
        raise UsageError(
            _(
                "callback_url: the host {host} is not allowed; add it to network.callback_hosts in "
                "your own settings if results may go there"
            ).format(host=host)
        )


def post(url: str, told: Mapping[str, Json], settings: NetworkSettings) -> dict[str, Json]:
    """Post a result as JSON, trying again with growing pauses; return whether it arrived.

    Never raises: what was done is done, whether or not the caller hears of it.
    """
    request = urllib.request.Request(
        url,
        data=msgspec.json.encode(told),
        headers={"Content-Type": "application/json"},
        method="POST",
    )
    opener = urllib.request.build_opener(_NoRedirect)
    reason = ""
    for attempt in range(1, settings.callback_tries + 1):
        try:
            with opener.open(request, timeout=settings.callback_timeout_s) as answer:
                return {"delivered": True, "status": answer.status, "tries": attempt}
        except (urllib.error.URLError, OSError, ValueError) as error:
            reason = str(getattr(error, "reason", error))
            _log.info("callback, try %s: %s", attempt, reason)
        if attempt < settings.callback_tries:
            time.sleep(settings.callback_pause_s * 2 ** (attempt - 1))
    return {"delivered": False, "reason": reason, "tries": settings.callback_tries}
