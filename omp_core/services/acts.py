"""The words of acts: kind and values, kept in the journal, become a sentence when shown.

`values["form"]` tells the sentences of one kind apart. Texts of records come as `text`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from omp_core.i18n import _, ngettext
from omp_core.model import Act, Json, Status, Tier
from omp_core.names import field_name, status_name, tier_name

Sentence = Callable[[int], str]
"""Returns the template for a number of things."""


def _by_rules(count: int) -> str:
    return ngettext(
        "moved {count} record by the tier rules", "moved {count} records by the tier rules", count
    )


def _kept(count: int) -> str:
    return ngettext(
        "kept the unread “{text}”", "kept {count} unread memories, the first “{text}”", count
    )


_SENTENCES: Mapping[str, Sentence] = {
    "add": lambda _n: _("added “{text}”"),
    "update": lambda _n: _("changed {fields} of “{text}”"),
    "update:status": lambda n: ngettext(
        "made {count} record {status}", "made {count} records {status}", n
    ),
    "update:stale": lambda n: ngettext("archived {count} record", "archived {count} records", n),
    "update:locked": lambda n: ngettext("locked {count} record", "locked {count} records", n),
    "update:unlocked": lambda n: ngettext(
        "lifted the lock of {count} record", "lifted the locks of {count} records", n
    ),
    "delete": lambda n: ngettext("deleted {count} record", "deleted {count} records", n),
    "tier": lambda n: ngettext(
        "moved {count} record to {tier}", "moved {count} records to {tier}", n
    ),
    "tier:rules": _by_rules,
    "maintain": _by_rules,
    "import": lambda n: ngettext(
        "imported {count} record from {format}", "imported {count} records from {format}", n
    ),
    "extract": lambda n: ngettext(
        "learned {count} fact from a conversation", "learned {count} facts from a conversation", n
    ),
    "purge": lambda n: ngettext(
        "removed {count} expired record", "removed {count} expired records", n
    ),
    "summarize": lambda n: ngettext(
        "summarised {count} record of {tier} memory",
        "summarised {count} records of {tier} memory",
        n,
    ),
    "denied": lambda _n: _("was refused to {right} memories of {scope}"),
    "denied:all": lambda _n: _("was refused to {right} all memories"),
    "refuse": lambda _n: _("kept the refused text “{text}” for review"),
    "review:pending": lambda n: ngettext(
        "stored the pending memory “{text}”",
        "stored {count} pending memories, the first “{text}”",
        n,
    ),
    "review:accept-candidate": lambda n: ngettext(
        "accepted the candidate “{text}”", "accepted {count} candidates, the first “{text}”", n
    ),
    "review:accept-duplicate": lambda n: ngettext(
        "merged the duplicate “{text}”", "merged {count} duplicates, the first “{text}”", n
    ),
    "review:accept-archive": lambda n: ngettext(
        "archived the unread “{text}”", "archived {count} unread memories, the first “{text}”", n
    ),
    "review:accept-forget": lambda n: ngettext(
        "forgot the faded “{text}”", "forgot {count} faded memories, the first “{text}”", n
    ),
    "review:accept-refused": lambda n: ngettext(
        "stored the refused text “{text}” after all",
        "stored {count} refused texts after all, the first “{text}”",
        n,
    ),
    "review:discard": lambda n: ngettext(
        "discarded the pending memory “{text}”",
        "discarded {count} pending memories, the first “{text}”",
        n,
    ),
    "review:reject-candidate": lambda n: ngettext(
        "rejected the candidate “{text}”", "rejected {count} candidates, the first “{text}”", n
    ),
    "review:reject-duplicate": lambda n: ngettext(
        "kept “{text}” beside what it resembles",
        "kept {count} memories beside what they resemble, the first “{text}”",
        n,
    ),
    "review:reject-archive": _kept,
    "review:reject-forget": _kept,
    "review:reject-refused": lambda n: ngettext(
        "left the refused text “{text}” out",
        "left {count} refused texts out, the first “{text}”",
        n,
    ),
    "review:edit": lambda _n: _("took “{text}” from the review in other words"),
    "review:merge": lambda _n: _("merged “{text}” from the review into a record"),
    "merge": lambda _n: _("merged “{text}” into “{into}”"),
    "update:kept": lambda n: ngettext(
        "kept {count} record that had faded", "kept {count} records that had faded", n
    ),
    "update:written": lambda n: ngettext(
        "put a document's fact in the place of {count} candidate",
        "put a document's facts in the place of {count} candidates",
        n,
    ),
    "sync": lambda _n: _(
        "compared project and user memory: {decided} decided, {asked} to settle, {closed} ended"
    ),
    "resolve:current": lambda _n: _("kept “{text}” as {field} (v{version})"),
    "resolve:incoming": lambda _n: _("took “{text}” as {field} (v{version})"),
    "resolve:both": lambda _n: _(
        "kept “{text}” as {field} and the other side as a record of its own"
    ),
    "resolve:value": lambda _n: _("wrote “{text}” as {field} (v{version})"),
    "resolve:later": lambda _n: _("set the dispute about {field} aside"),
    "resolve:both-homes": lambda _n: _("kept both: the memory, and “{text}” in the project"),
    "resolve:project": lambda _n: _("took the project's “{text}” in the place of the memory"),
    "resolve:written": lambda _n: _(
        "kept “{text}” and wrote “{after}” to {path} in _omp/memory/{file}"
    ),
    "resolve:by-hand": lambda _n: _(
        "kept “{text}”; the project still says otherwise: change it in _omp/memory/{file}"
    ),
    "resolve:gone": lambda _n: _("kept “{text}”; the project does not say otherwise any more"),
    "resolve:elsewhere": lambda _n: _(
        "kept “{text}”; change the other side in the documents of its project"
    ),
    "resolve:branch": lambda _n: _("settled {path} of {file} between branches as “{text}”"),
    "resolve:branch-removed": lambda _n: _("removed {path} of {file}, as one branch has it"),
    "resolve:branch-both": lambda _n: _(
        "settled {path} of {file} as “{text}”, and kept “{other}” as a memory"
    ),
    "resolve:many-current": lambda n: ngettext(
        "kept the current side of {count} dispute", "kept the current side of {count} disputes", n
    ),
    "resolve:many-incoming": lambda n: ngettext(
        "took the incoming side of {count} dispute",
        "took the incoming side of {count} disputes",
        n,
    ),
    "resolve:many-both": lambda n: ngettext(
        "kept both sides of {count} dispute", "kept both sides of {count} disputes", n
    ),
    "resolve:many-later": lambda n: ngettext(
        "set {count} dispute aside", "set {count} disputes aside", n
    ),
    "document:set": lambda _n: _("set {path} in {file} to “{text}”"),
    "document:restored": lambda _n: _("brought back an older version of {file}"),
    "document:removed": lambda _n: _("removed {path} from {file}"),
    "document:decision": lambda _n: _("added the decision {id}: “{text}”"),
    "document:change": lambda _n: _("added {id} to the change log: “{text}”"),
    "document:session": lambda _n: _("added the session {id}: “{text}”"),
    "document:error": lambda _n: _("noted the error {id}: “{text}”"),
    "theme:split": lambda n: ngettext(
        "split the theme “{label}” into {count} part",
        "split the theme “{label}” into {count} parts",
        n,
    ),
    "theme:merge": lambda n: ngettext("merged {count} theme", "merged {count} themes", n),
    "theme:move": lambda n: ngettext(
        "moved {count} record to another theme", "moved {count} records to another theme", n
    ),
    "theme:rename": lambda _n: _("renamed the theme “{old}” to “{new}”"),
    "theme:pin": lambda _n: _("pinned the theme “{label}”"),
    "theme:release": lambda _n: _("released the theme “{label}”"),
    "theme:dissolve": lambda _n: _("dissolved the theme “{label}”"),
    "theme:mark-together": lambda _n: _("marked two records as belonging together"),
    "theme:mark-apart": lambda _n: _("marked two records as belonging apart"),
    "theme:unmark": lambda _n: _("took back the mark on two records"),
    "theme:rebuild": lambda n: ngettext(
        "rebuilt the themes: {count} record moved", "rebuilt the themes: {count} records moved", n
    ),
    "theme:follow": lambda n: ngettext(
        "themes followed new records: {count} was split",
        "themes followed new records: {count} were split",
        n,
    ),
    "mirror": lambda n: ngettext(
        "{file} changed: {count} fact", "{file} changed: {count} facts", n
    ),
}


def sentence(kind: str, values: Mapping[str, Json]) -> str:
    """Return what an act did, in the reader's language; its kind where no words are known."""
    if kind in ("undo", "redo", "restore"):
        return _taken_back(kind, values)
    form = values.get("form")
    found = _SENTENCES.get(kind if form is None else f"{kind}:{form}")
    if found is None:
        return str(values.get("summary") or kind)
    said = {name: _said(name, value) for name, value in values.items()}
    count = values.get("count")
    try:
        return found(1 if count is None else int(count)).format(**said)
    except KeyError:  # another program's act of this kind, which kept other values
        return kind


def worded(act: Act) -> Act:
    """Return an act with its words; one of an older journal has brought them along."""
    return act if act.summary else replace(act, summary=sentence(act.kind, act.values))


def all_worded(acts: Iterable[Act]) -> tuple[Act, ...]:
    """Return acts with their words."""
    return tuple(worded(act) for act in acts)


def told_of(act: Act) -> dict[str, Json]:
    """Return the values of an undo or redo of an act: what its words are made of."""
    return {"of": act.kind, "values": dict(act.values), "summary": act.summary}


def _taken_back(kind: str, values: Mapping[str, Json]) -> str:
    summary = values.get("summary") or sentence(values.get("of", ""), values.get("values") or {})
    if kind == "restore":
        count = int(values.get("count") or 1)
        return ngettext(
            "took back {count} act: {summary}", "took back {count} acts, down to: {summary}", count
        ).format(count=count, summary=summary)
    if kind == "undo":
        return _("undid: {summary}").format(summary=summary)
    return _("redid: {summary}").format(summary=summary)


def _said(name: str, value: Json) -> str:
    """Return a value in words: tiers, states and fields have names in the reader's language."""
    if isinstance(value, list):
        return ", ".join(_said(name, one) for one in value)
    match name:
        case "tier" if value in set(Tier):
            return tier_name(Tier(value))
        case "status" if value in set(Status):
            return status_name(Status(value))
        case "field" | "fields":
            return field_name(str(value))
    return str(value)
