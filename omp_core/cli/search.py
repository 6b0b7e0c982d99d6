"""The command search: records, themes, or all levels, within a token budget."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import click
import msgspec

from omp_core.cli.options import choice, query_options
from omp_core.cli.session import Answer, memory_command
from omp_core.cli.text import hit_line, theme_hit_line, why_lines, width
from omp_core.i18n import _, ngettext
from omp_core.memory import Memory
from omp_core.model import Hit, Query, SearchAnswer, SearchLevel, SearchMode
from omp_core.present import hit_json


@click.command(help=_("Search memories by words, by meaning, or both."))
@click.argument("text")
@click.option("--mode", type=choice(SearchMode), default=SearchMode.HYBRID.value, show_default=True)
@click.option(
    "--level",
    type=choice(SearchLevel),
    default=SearchLevel.SEMANTIC.value,
    show_default=True,
    help=_("Themes, memories, or both with the episodes that the memories come from."),
)
@click.option("--limit", type=int, help=_("How many hits. Default: from the settings."))
@click.option(
    "--tokens",
    "token_budget",
    type=int,
    metavar="N",
    help=_("Cut the answer at so many tokens, by estimate."),
)
@click.option(
    "--no-expand",
    is_flag=True,
    help=_("With --level all: only what matches itself, no members of themes, no episodes."),
)
@click.option(
    "--why",
    is_flag=True,
    help=_("Below each memory, the parts of its score with their weights, and the words that hit."),
)
@memory_command
@query_options
def search(
    memory: Memory,
    answer: Answer,
    text: str,
    mode: str,
    level: str,
    limit: int | None,
    token_budget: int | None,
    no_expand: bool,
    why: bool,
    query: Query,
) -> None:
    found = memory.search(
        text,
        mode=SearchMode(mode),
        query=query,
        limit=limit,
        level=SearchLevel(level),
        token_budget=token_budget,
        expand=not no_expand,
    )
    if answer.as_json:
        answer.json(_json(found))
        return
    for line in _lines(found, memory, why=why):
        answer.line(line)
    for note in (found.degraded, *_cut_notes(found)):
        if note:
            answer.note(note)
    if not found.hits and not found.themes:
        answer.note(_("nothing was found"))


def _lines(found: SearchAnswer, memory: Memory, *, why: bool) -> list[str]:
    now = memory.now()
    if found.level is SearchLevel.SEMANTIC:
        return [line for hit in found.hits for line in _hit_lines(hit, now, width(), why=why)]
    names = {
        "themes": _("theme"),
        "semantic": _("memory"),
        "theme": _("member"),
        "episode": _("episode"),
    }
    heads = {kind: f"{name:<8}" for kind, name in names.items()}
    head = heads["themes"]
    lines = [head + theme_hit_line(theme, width() - len(head)) for theme in found.themes]
    for hit in found.hits:
        head = heads[hit.level]
        first, *more = _hit_lines(hit, now, width() - len(head), why=why)
        lines += [head + first, *more]
    return lines


def _hit_lines(hit: Hit, now: datetime, columns: int, *, why: bool) -> list[str]:
    lines = [hit_line(hit, now, columns)]
    return lines + why_lines(hit, columns) if why else lines


def _cut_notes(found: SearchAnswer) -> list[str]:
    if found.over_budget:
        return [
            ngettext(
                "{count} more does not fit into the budget; --tokens sets it",
                "{count} more do not fit into the budget; --tokens sets it",
                found.over_budget,
            ).format(count=found.over_budget)
        ]
    if not found.cut:
        return []
    shown = found.total - found.cut
    return [
        ngettext(
            "{shown} of {total} is shown; --limit shows more",
            "{shown} of {total} are shown; --limit shows more",
            shown,
        ).format(shown=shown, total=found.total)
    ]


def _json(found: SearchAnswer) -> dict[str, Any]:
    plain = {
        "hits": [hit_json(hit) for hit in found.hits],
        "total": found.total,
        "mode": found.mode,
        "latency_ms": round(found.latency_ms, 1),
        "degraded": found.degraded,
        "level": found.level,
        "tokens": found.tokens,
        "over_budget": found.over_budget,
    }
    if found.level is SearchLevel.SEMANTIC:
        return plain
    hits = [{**hit_json(hit), "level": hit.level, "theme": hit.theme} for hit in found.hits]
    return {**plain, "hits": hits, "themes": msgspec.to_builtins(found.themes)}
