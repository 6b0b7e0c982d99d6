"""Which service of a document a reported deployment is of, where the report names none of them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from omp_core.extraction.classify.deployments import platform
from omp_core.model import Json

_DEPLOYMENT = "deployment"
_SEPARATORS = re.compile(r"[-_ ]+")


def of_known_service(
    values: tuple[tuple[str, Json], ...], text: str, services: Json
) -> tuple[tuple[str, Json], ...]:
    """Return the values of a deployment under the name that the document has for its service.

    `services` is what the document holds under `deployment`. A service is meant whose name the
    text holds, or whose address is of the platform that it names; an unnamed one is the only one
    that there is.
    """
    if not isinstance(services, Mapping) or not services:
        return values
    said = next(
        (path.split(".")[1] for path, _value in values if path.startswith("deployment.")), ""
    )
    known = _known(said, text, services) if said and said not in services else said
    if not known or known == said:
        return values
    return tuple(
        (f"{_DEPLOYMENT}.{known}.{path.split('.', 2)[2]}", value)
        if path.startswith(f"{_DEPLOYMENT}.{said}.")
        else (path, value)
        for path, value in values
    )


def _known(said: str, text: str, services: Mapping[str, Json]) -> str:
    plain = f" {_SEPARATORS.sub(' ', text.lower())} "
    named = [name for name in services if _named(str(name), plain)]
    if len(named) == 1:
        return named[0]
    hosted = [name for name, told in services.items() if platform(_address(told)) == said]
    if len(hosted) == 1:
        return str(hosted[0])
    return str(next(iter(services))) if said == "main" and len(services) == 1 else ""


def _named(name: str, plain: str) -> bool:
    word = re.escape(_SEPARATORS.sub(" ", name.lower()))
    return bool(re.search(rf"(?<![a-z0-9]){word}(?![a-z0-9])", plain))


def _address(told: Json) -> str:
    return str(told.get("url") or "") if isinstance(told, Mapping) else str(told or "")
