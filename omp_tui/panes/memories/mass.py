"""A change of many memories: what can be done is done, and the rest is said."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from omp_core.errors import NotFoundError
from omp_core.i18n import _, ngettext
from omp_core.model import Query, Receipt, Record
from omp_tui.widgets.record_lines import is_read_only

if TYPE_CHECKING:
    from omp_core.memory import Memory


def on_all(
    memory: Memory, records: Sequence[Record], change: Callable[[Sequence[str]], Receipt]
) -> Receipt:
    """Return the receipt of `change` on those records that are still there and may be changed.

    Its note says how many were left out and why. Raises what `change` raises, and NotFoundError
    when none is left. May be slow.
    """
    ids = [record.id for record in records if not is_read_only(record)]
    facts = len(records) - len(ids)
    while there := _still_there(memory, ids):
        try:
            receipt = change([one for one in ids if one in there])
            break
        except NotFoundError:
            # one of them went between the two calls; another reason is not this one's business
            if _still_there(memory, ids) == there:
                raise
    else:
        raise NotFoundError(_("None of them is there any more."))
    gone = len(ids) - len(there)
    return replace(receipt, note=" ".join([*_said(receipt), *_left_out(gone, facts)]) or None)


def _still_there(memory: Memory, ids: Sequence[str]) -> frozenset[str]:
    wanted = frozenset(ids)
    query = Query(ids=wanted, statuses=frozenset(), include_expired=True)
    return frozenset(one.id for one in memory.list(query, limit=max(1, len(wanted))).records)


def _said(receipt: Receipt) -> list[str]:
    return [receipt.note] if receipt.note else []


def _left_out(gone: int, facts: int) -> list[str]:
    said = []
    if gone:
        said.append(
            ngettext("{count} was gone already.", "{count} were gone already.", gone).format(
                count=gone
            )
        )
    if facts:
        said.append(
            ngettext(
                "{count} is a project fact, which is changed in its document.",
                "{count} are project facts, which are changed in their documents.",
                facts,
            ).format(count=facts)
        )
    return said
