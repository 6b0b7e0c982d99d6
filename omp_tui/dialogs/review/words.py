"""The kinds of what waits, and what a yes or a no does, in words."""

from __future__ import annotations

from omp_core.i18n import _, ngettext
from omp_core.views import ReviewEffect, ReviewItem, ReviewKind
from omp_tui.words import number

_NAMED = 60
"""Characters of another record's text inside a sentence; the line cuts what has no room."""


def kind_name(kind: ReviewKind) -> str:
    """Return what the tab of a kind is called."""
    return {
        ReviewKind.PENDING: _("Pending"),
        ReviewKind.CANDIDATE: _("Candidates"),
        ReviewKind.DUPLICATE: _("Duplicates"),
        ReviewKind.ARCHIVE: _("Archive"),
        ReviewKind.FORGET: _("Forget"),
        ReviewKind.REFUSED: _("Refused"),
    }[kind]


def what_fills(kind: ReviewKind) -> tuple[str, str]:
    """Return two sentences for an empty tab: that it is, and what will come to stand there."""
    return {
        ReviewKind.PENDING: (
            _("No memory waits for the store."),
            _("What is written while the store is away is kept and waits here for your yes."),
        ),
        ReviewKind.CANDIDATE: (
            _("No candidate waits."),
            _("What was read out of conversations and is not certain waits here for your yes."),
        ),
        ReviewKind.DUPLICATE: (
            _("No duplicate waits."),
            _("A new text that says what another memory says already waits here to be merged."),
        ),
        ReviewKind.ARCHIVE: (
            _("Nothing is proposed to be archived."),
            _("Long-term memories that nobody has read for half a year are proposed here."),
        ),
        ReviewKind.FORGET: (
            _("Nothing is proposed to be forgotten."),
            _("Memories that faded, unread for two months and more, are proposed here."),
        ),
        ReviewKind.REFUSED: (
            _("No text was refused of late."),
            _("A text that was not stored because one like it is known stays here for 30 days."),
        ),
    }[kind]


def effect_text(item: ReviewItem) -> str:
    """Return what a yes would do, in a few words. It holds memory text."""
    other = "" if item.other is None else " ".join(item.other.content[:400].split())[:_NAMED]
    if item.effect == "blocked":
        return _("cannot be: {reason}").format(reason=item.problem)
    if item.effect == "document":
        return _document(item)
    if item.effect == "new" and item.other is not None:
        return _("would be stored beside “{other}”").format(other=other)
    if item.effect == "disputed" and item.other is not None:
        return _("would dispute “{other}” (v{version})").format(
            other=other, version=item.other.version
        )
    texts: dict[ReviewEffect, str] = {
        "new": _("would be new"),
        "stored": _("is in the store already"),
        "same": _("same as an existing one: adds a read"),
        "proposed": _("duplicate of “{other}”"),
        "merged": _("would be merged into “{other}”"),
        "disputed": _("would be stored, and disputed"),
        "archived": _("would be archived"),
        "deleted": _("would be forgotten"),
    }
    return texts[item.effect].format(other=other)


def _document(item: ReviewItem) -> str:
    first = item.places[0]
    if len(item.places) == 1:
        return _("would write {path} in {file}").format(path=first.path, file=first.file)
    text = ngettext(
        "would write {count} value in {file}", "would write {count} values in {file}",
        len(item.places),
    )  # fmt: skip
    return text.format(count=len(item.places), file=first.file)


def effects_text(effect: ReviewEffect, count: int) -> str:
    """Return what a yes to several of one effect does to them."""
    texts: dict[ReviewEffect, str] = {
        "new": ngettext(
            "{count} becomes a memory of its own",
            "{count} become memories of their own",
            count,
        ),
        "stored": ngettext(
            "{count} is in the store already, and only leaves the list",
            "{count} are in the store already, and only leave the list",
            count,
        ),
        "same": ngettext(
            "{count} is known word for word, and counts as a read of that",
            "{count} are known word for word, and count as reads of those",
            count,
        ),
        "proposed": ngettext(
            "{count} resembles another, and goes to Duplicates",
            "{count} resemble others, and go to Duplicates",
            count,
        ),
        "merged": ngettext(
            "{count} is merged into the memory that it resembles",
            "{count} are merged into the memories that they resemble",
            count,
        ),
        "disputed": ngettext(
            "{count} is stored, and its difference waits in Conflicts",
            "{count} are stored, and their differences wait in Conflicts",
            count,
        ),
        "document": ngettext(
            "{count} is written into the project's documents",
            "{count} are written into the project's documents",
            count,
        ),
        "archived": ngettext("{count} is archived", "{count} are archived", count),
        "deleted": ngettext("{count} is deleted", "{count} are deleted", count),
        "blocked": ngettext(
            "{count} cannot be accepted, and stays",
            "{count} cannot be accepted, and stay",
            count,
        ),
    }
    return texts[effect].format(count=number(count))


def no_text(kind: ReviewKind) -> str:
    """Return what a no does to one of a kind."""
    return {
        ReviewKind.PENDING: _("would be discarded without being stored"),
        ReviewKind.CANDIDATE: _("would be archived"),
        ReviewKind.DUPLICATE: _("would stay a memory of its own beside the other"),
        ReviewKind.ARCHIVE: _("would be kept, and not proposed again for half a year"),
        ReviewKind.FORGET: _("would be kept, and not proposed again for half a year"),
        ReviewKind.REFUSED: _("would be left out, and not offered again"),
    }[kind]


def rejected_text(kind: ReviewKind, count: int) -> str:
    """Return what a no to several of a kind does to them."""
    texts = {
        ReviewKind.PENDING: ngettext(
            "{count} is discarded without being stored",
            "{count} are discarded without being stored",
            count,
        ),
        ReviewKind.CANDIDATE: ngettext("{count} is archived", "{count} are archived", count),
        ReviewKind.DUPLICATE: ngettext(
            "{count} stays a memory of its own beside the other",
            "{count} stay memories of their own beside the others",
            count,
        ),
        ReviewKind.ARCHIVE: _kept(count),
        ReviewKind.FORGET: _kept(count),
        ReviewKind.REFUSED: ngettext(
            "{count} is left out, and not offered again",
            "{count} are left out, and not offered again",
            count,
        ),
    }
    return texts[kind].format(count=number(count))


def _kept(count: int) -> str:
    return ngettext(
        "{count} is kept as it is, and not proposed again for half a year",
        "{count} are kept as they are, and not proposed again for half a year",
        count,
    )
