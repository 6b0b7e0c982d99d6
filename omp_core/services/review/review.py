"""Review: a person's answers to what waits, each an undoable act, all of a kind as one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace

from omp_core.errors import OmpError, UsageError, VersionConflictError
from omp_core.i18n import _
from omp_core.language.headline import headline
from omp_core.model import JournalEntry, Json, Receipt
from omp_core.secrets import redact_value
from omp_core.services.review.answers import Answered, ReviewAnswers
from omp_core.services.review.inbox import ReviewInbox
from omp_core.services.unit_of_work import UnitOfWork, UnitsOfWork
from omp_core.session import Session
from omp_core.views import ReviewItem, ReviewKind, ReviewPage, ReviewReport, Waiting

ANSWERED = "review:"
"""Before the key of an item: the journal's place for the answer that it got."""
_FORMS = {"accept-pending": "pending", "reject-pending": "discard"}
"""Answers whose words the acts on pending memories have already."""
_Answer = Callable[[ReviewKind, Sequence[ReviewItem], UnitOfWork], Iterator[Answered]]


class ReviewService:
    """The inbox: pending, candidates, duplicates, archive and forget proposals, refused texts.

    A `key` names an item, `seen` is the `mark` of the item that the person saw. What waits no
    more raises NotFoundError, what is not what was seen VersionConflictError: an answer is
    never given to something else. All raise StoreUnavailableError while the store is away.
    """

    def __init__(
        self, session: Session, inbox: ReviewInbox, answers: ReviewAnswers, units: UnitsOfWork
    ) -> None:
        self._session = session
        self._inbox = inbox
        self._answers = answers
        self._units = units

    def counts(self) -> dict[ReviewKind, int]:
        """Return how many wait of each kind, in the order to look at them."""
        return self._inbox.counts()

    def waiting(self, *, store_too: bool = True) -> Waiting:
        """Return how much waits for a person, and a sentence that says so: pending memories,
        disputes, candidates. Without the store it is what is pending."""
        return self._inbox.waiting(store_too=store_too)

    def page(self, kind: ReviewKind, *, offset: int = 0, limit: int = 50) -> ReviewPage:
        """Return a window into what waits of a kind: the oldest first, refused the newest.

        Raises UsageError for a window that cannot be.
        """
        if limit < 1 or offset < 0:
            raise UsageError(
                _("limit {limit} and offset {offset}: the one from 1, the other from 0").format(
                    limit=limit, offset=offset
                )
            )
        items = self._inbox.window(ReviewKind(kind), offset, limit)
        return ReviewPage(items, self._inbox.count(ReviewKind(kind)))

    def get(self, key: str) -> ReviewItem:
        """Return what waits under a key, as it is now."""
        return self._inbox.find(key)

    def accept(self, key: str, *, seen: str | None = None) -> Receipt:
        """Do what the item's `effect` says. Raises UsageError where it is blocked."""
        item = self._seen(key, seen)
        if item.problem is not None:
            raise UsageError(item.problem)
        with self._act("accept", item.kind) as work:
            return self._done(item, self._only(self._answers.accept, item, work), work)

    def reject(self, key: str, *, seen: str | None = None) -> Receipt:
        """Say no: a pending memory is discarded, a candidate archived, a duplicate stays
        beside the other, what faded is kept, a refused text is not offered again."""
        item = self._seen(key, seen)
        with self._act("reject", item.kind) as work:
            return self._done(item, self._only(self._answers.reject, item, work), work)

    def edit(self, key: str, content: str, *, seen: str | None = None) -> Receipt:
        """Take the item with this text instead of its own; of a project's fact it is the value.

        Raises InvalidValueError, SecretFoundError.
        """
        item = self._seen(key, seen)
        with self._act("edit", item.kind) as work:
            return self._done(item, self._answers.edit(item, content, work), work)

    def merge(
        self,
        key: str,
        into: str | None = None,
        content: str | None = None,
        *,
        seen: str | None = None,
    ) -> Receipt:
        """Bring the item into a record; None is the one that it resembles.

        `content` is the text of both; None takes the fuller of the two. Raises UsageError when
        it resembles none and none is named, SecretFoundError.
        """
        item = self._seen(key, seen)
        with self._act("merge", item.kind) as work:
            return self._done(item, self._answers.merge(item, into, content, work), work)

    def merged(self, key: str, into: str) -> ReviewItem:
        """Return the item as a merge into this record would have it; nothing is written.

        Its `merged_text` is what both would say. Raises ReadOnlyError for a project's fact.
        """
        return self._answers.merged(self._inbox.find(key), into)

    def accept_all(
        self, kind: ReviewKind, *, seen: Mapping[str, str] | None = None, dry_run: bool = False
    ) -> ReviewReport:
        """Accept all that wait of a kind, as one undoable act.

        `seen` (key -> mark) names those that the person saw: nothing else is answered, and of
        them only what still is what it was. What cannot be done is left, with the reason, and
        stops nothing else; a dry run tells what would be done.
        """
        return self._all("accept", ReviewKind(kind), self._answers.accept, seen, dry_run=dry_run)

    def reject_all(
        self, kind: ReviewKind, *, seen: Mapping[str, str] | None = None, dry_run: bool = False
    ) -> ReviewReport:
        """Say no to all that wait of a kind, as one undoable act; see `accept_all`."""
        return self._all("reject", ReviewKind(kind), self._answers.reject, seen, dry_run=dry_run)

    def _seen(self, key: str, seen: str | None) -> ReviewItem:
        """Return the item if it is what the person saw."""
        item = self._inbox.find(key)
        if seen is not None and seen != item.mark:
            raise VersionConflictError(
                _(
                    "{key} is not what it was when you looked; it says “{text}” and would be "
                    "{effect}. Nothing was done: look again and answer"
                ).format(key=key, text=headline(item.text), effect=item.effect)
            )
        return item

    @contextmanager
    def _act(self, verb: str, kind: ReviewKind) -> Iterator[UnitOfWork]:
        form = verb if verb in ("edit", "merge") else f"{verb}-{kind}"
        values = {"form": _FORMS.get(form, form), "count": 0, "text": ""}
        with self._units.operation("review", values) as work:
            yield work

    def _only(self, answer: _Answer, item: ReviewItem, work: UnitOfWork) -> Receipt:
        ((_item, done),) = answer(item.kind, [item], work)
        if isinstance(done, OmpError):
            raise done
        return done

    def _done(self, item: ReviewItem, receipt: Receipt, work: UnitOfWork) -> Receipt:
        _note(work, item)
        work.say(count=1, text=_said(item))
        return replace(receipt, act_id=work.act.id, note=receipt.note or work.words)

    def _all(
        self,
        verb: str,
        kind: ReviewKind,
        answer: _Answer,
        seen: Mapping[str, str] | None,
        *,
        dry_run: bool,
    ) -> ReviewReport:
        items = self._inbox.window(kind, 0, None)
        left: dict[str, str] = {}
        if seen is not None:
            items = tuple(one for one in items if seen.get(one.key) == one.mark)
            left = dict.fromkeys(
                seen.keys() - {one.key for one in items}, _("it was settled or changed meanwhile")
            )
        ready = [one for one in items if verb == "reject" or one.problem is None]
        left |= {one.key: str(one.problem) for one in items if one not in ready}
        if dry_run or not ready:
            return ReviewReport(kind, items, left=left)
        receipts: list[Receipt] = []
        with self._act(verb, kind) as work:
            for item, done in answer(kind, ready, work):
                if isinstance(done, OmpError):
                    left[item.key] = str(done)
                    continue
                if not receipts:
                    work.say(text=_said(item))
                receipts.append(done)
                _note(work, item)
            work.say(count=len(receipts))
        if not receipts:
            return ReviewReport(kind, items, left=left)
        return ReviewReport(kind, items, tuple(receipts), left, work.act.id, work.words)

    def invert(self, entry: JournalEntry) -> JournalEntry | None:
        """Undo or redo the note of an answer: what it did is undone by itself."""
        return replace(
            entry,
            actor=self._session.actor,
            at=self._session.now(),
            before=entry.after,
            after=entry.before,
        )


def _note(work: UnitOfWork, item: ReviewItem) -> None:
    """Journal that an item was answered; with it a refused text leaves the list."""
    after: Mapping[str, Json] = {"text": _said(item), "effect": item.effect}
    work.note(f"{ANSWERED}{item.key}", None, after)


def _said(item: ReviewItem) -> str:
    """Return the item's headline; a secret that was typed into a pending file stays there."""
    return headline(str(redact_value({"content": item.text})["content"]))
