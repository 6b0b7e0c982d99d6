"""Presentation: records, receipts, pages and reports as JSON, once for command line and agents.

Scripts get every field (`receipt_json`, `hit_json`); agents, who pay for each word, get what
says something (`brief`, `receipt`, `hit`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, TextIO

import msgspec

from omp_core.errors import OmpError, SecretFoundError
from omp_core.model import (
    Dispute,
    Hit,
    Home,
    Json,
    Receipt,
    Record,
    SearchAnswer,
    SearchLevel,
    Status,
    Temporality,
)
from omp_core.record_json import to_json

if TYPE_CHECKING:
    from omp_core.types import (
        Extracted,
        HealthReport,
        OpenDispute,
        TierSummary,
        TranscriptProblem,
    )

_INNER = ("stamps", "disputes", "last_accessed", "access_count", "arrived_at")


def brief(record: Record) -> dict[str, Json]:
    """Return what an agent needs of a record: no inner bookkeeping, nothing empty or usual."""
    plain = {name: value for name, value in to_json(record).items() if name not in _INNER}
    usual = {
        "status": Status.ACTIVE,
        "home": Home.USER,
        "temporality": Temporality.PERMANENT,
    }
    told = {
        name: value
        for name, value in plain.items()
        if value not in (None, [], {}) and value is not False and value != usual.get(name)
    }
    if record.disputes:
        told["open_disputes"] = len(record.disputes)
    return told


def hit(one: Hit) -> dict[str, Json]:
    """Return a record with its rank and why it has it.

    `similarity` is absolute, 0.2 unrelated to 1 identical, and null without a vector; `score`
    is the weighted sum of the parts; `words` are those of the query, as the text spells them.
    """
    return {
        **brief(one.record),
        "score": round(one.score, 3),
        "similarity": None if one.similarity is None else round(one.similarity, 3),
        "parts": _parts(one, 3),
        "words": list(one.words),
    }


def hit_json(one: Hit) -> dict[str, Json]:
    """Return a hit whole: the record, and why it ranks where it does.

    Each part has a value and a weight; the score is their weighted sum.
    """
    why = {
        "score": one.score,
        "similarity": one.similarity,
        "parts": _parts(one),
        "words": one.words,
    }
    return {**to_json(one.record), **why}


def _parts(one: Hit, digits: int | None = None) -> dict[str, Json]:
    def shown(value: float) -> float:
        return value if digits is None else round(value, digits)

    return {part.name: {"value": shown(part.value), "weight": part.weight} for part in one.parts}


def found(answer: SearchAnswer) -> dict[str, Json]:
    """Return what a search found, what it had to do without, and what limit and budget cut."""
    told: dict[str, Json] = {"items": [_at_its_level(one, answer.level) for one in answer.hits]}
    if answer.level is not SearchLevel.SEMANTIC:
        told["themes"] = msgspec.to_builtins(answer.themes)
    told |= {"total": answer.total, "mode": str(answer.mode)}
    told |= cut(answer)
    if answer.degraded is not None:
        told["degraded"] = answer.degraded
    return told


def _at_its_level(one: Hit, level: SearchLevel) -> dict[str, Json]:
    told = hit(one)
    if level is not SearchLevel.SEMANTIC:
        told["level"] = one.level
        if one.theme is not None:
            told["theme"] = one.theme
    return told


def cut(answer: SearchAnswer) -> dict[str, Json]:
    """Return how much of a search is left out and how to see it; nothing when all is there."""
    left = max(answer.cut, answer.over_budget)
    if left <= 0:
        return {}
    cure = "a larger max_tokens" if answer.over_budget else "a larger limit"
    return {"left": left, "note": f"{left} more; call again with {cure}"}


def page(items: Sequence[Json], total: int, offset: int = 0) -> dict[str, Json]:
    """Return a window into a list, saying what it leaves out."""
    told: dict[str, Json] = {"items": list(items), "total": total, "offset": offset}
    left = total - offset - len(items)
    if left > 0:
        told["left"] = left
        told["note"] = f"{left} more; call again with a larger limit, or offset where there is one"
    return told


def receipt(done: Receipt) -> dict[str, Json]:
    """Return what a write did. A text that was not stored has no `id`, only a `duplicate_id`."""
    told: dict[str, Json] = {"outcome": done.outcome}
    if done.outcome != "duplicate":
        told["id"] = done.id
    if done.duplicate_id is not None:
        told["duplicate_id"] = done.duplicate_id
        told["similarity"] = None if done.similarity is None else round(done.similarity, 3)
        told["existing_content"] = done.existing
    if done.record is not None:
        told["version"] = done.record.version
        told["tier"] = done.record.tier
    if done.disputes:
        told["disputes"] = [dispute(done.id, one) for one in done.disputes]
    told |= {"hint": done.note, "act_id": done.act_id}
    return {name: value for name, value in told.items() if value is not None}


def receipt_json(done: Receipt) -> dict[str, Json]:
    """Return a receipt whole, without what is not set."""
    plain: dict[str, Any] = msgspec.to_builtins(done)
    plain["record"] = None if done.record is None else to_json(done.record)
    return {name: value for name, value in plain.items() if value not in (None, (), [])}


def document_place(receipt_id: str) -> dict[str, str]:
    """Return file and path of what was written, and the id if it is an entry of a list."""
    from omp_core.project.paths import Item, parse_path
    from omp_core.services.document_writer import DocumentPlace

    place = DocumentPlace.of(receipt_id)
    last = parse_path(place.path)[-1]
    entry = {"entry": last.name} if isinstance(last, Item) else {}
    return {"file": place.file, "path": place.path, **entry}


def dispute(record_id: str, one: Dispute) -> dict[str, Json]:
    """Return both sides of a dispute, and what names it."""
    plain: dict[str, Any] = msgspec.to_builtins(one)
    kept = {name: value for name, value in plain.items() if value is not None and name != "id"}
    return {"record_id": record_id, "dispute_id": one.id, **kept}


def open_disputes(queue: Iterable[OpenDispute]) -> list[Json]:
    """Return a queue of disputes, each with its record's text and that of the other record."""
    told: list[Json] = []
    for one in queue:
        plain = dispute(one.record.id, one.dispute)
        plain["content"] = one.record.content
        if one.other is not None:
            plain["other_content"] = one.other.content
        if one.repeats > 1:
            plain["repeats"] = one.repeats
        told.append(plain)
    return told


def summary(made: TierSummary) -> dict[str, Json]:
    """Return a summary with its quality as a JSON object."""
    quality = made.summary.quality
    return {
        "summary": made.summary.text,
        "records": len(made.records),
        "quality": {
            "retention": round(quality.retention, 4),
            "compression": round(quality.compression, 2),
            "readability": round(quality.readability, 4),
            "accuracy": round(quality.accuracy, 4),
            "passed": quality.passed,
            "failed": list(quality.failed),
            "missed": [fact.text for fact in quality.missed],
        },
    }


def health(report: HealthReport) -> dict[str, Json]:
    """Return the report in the form that the orchestrator's specification fixes."""
    from omp_core.rules.health import to_seed_json

    return to_seed_json(report)


def extraction(
    done: Extracted, problems: Sequence[TranscriptProblem], *, dry_run: bool
) -> dict[str, Json]:
    """Return what was read out of a conversation, and what was done about it."""
    report = done.report
    plain: dict[str, Json] = msgspec.to_builtins(
        {
            "dry_run": dry_run,
            "turns": report.turns,
            "facts": report.facts,
            "episodes": report.episodes,
            "applied": done.applied,
            "problems": problems,
        }
    )
    return plain


def write_lines(records: Iterable[Record], file: TextIO, now: datetime) -> int:
    """Write an export, a line of JSON for each record; return how many there are."""
    from omp_core.formats import own

    return own.write(records, file, now)


def typed_fields(given: Mapping[str, Json]) -> dict[str, Any]:
    """Return fields of a record that came as texts in the record's own types.

    Raises InvalidValueError naming the field, and the accepted values where they are few.
    """
    from omp_core.rules.fields import typed_changes

    return typed_changes(given)


def failure(error: OmpError) -> dict[str, Json]:
    """Return a failed call: its kind, and a message that says what to do.

    Of a secret only kind and place are told.
    """
    told: dict[str, Json] = {
        "error": type(error).__name__.removesuffix("Error"),
        "message": str(error),
    }
    if isinstance(error, SecretFoundError):
        told["findings"] = [msgspec.to_builtins(finding) for finding in error.findings]
        told["redacted"] = error.redacted
    return told
