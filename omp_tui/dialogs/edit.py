"""Write a new memory, or change one without losing what somebody else writes meanwhile."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum
from typing import Any

from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input, Select, Static, TextArea

from omp_core.errors import InvalidValueError
from omp_core.i18n import _
from omp_core.memory import Memory
from omp_core.model import Category, Importance, Record, Scope, Tier
from omp_core.names import field_name, tier_name
from omp_tui.background import Lane
from omp_tui.dialogs.writing import RedactingDialog
from omp_tui.messages import Written
from omp_tui.service import Service
from omp_tui.text import safe, shown
from omp_tui.widgets.fields import Field, TextField
from omp_tui.words import category_name, date, importance_name


class EditDialog(RedactingDialog):
    """Writes only fields that were really changed, based on the version it opened with."""

    AUTO_FOCUS = "#content"

    class NewerRead(Message):
        """The record as it is now."""

        def __init__(self, record: Record) -> None:
            super().__init__()
            self.record = record

    def __init__(self, service: Service, record: Record | None, own: Scope) -> None:
        super().__init__(
            _("A new memory")
            if record is None
            else _("Edit · version {version}").format(version=record.version),
            service,
        )
        self._record = record
        self._own = own
        self._force = False

    def body(self) -> Iterable[Widget]:
        record = self._record
        self._first: dict[str, Any] = {
            "content": shown(record.content) if record else "",
            "tier": record.tier if record else Tier.SHORT_TERM,
            "category": record.category if record else Category.FACT,
            "importance": record.importance if record else Importance.MEDIUM,
            "tags": shown(", ".join(sorted(record.tags))) if record else "",
            "expires_at": date(record.expires_at) if record and record.expires_at else "",
        }
        first = self._first
        yield TextField(first["content"], id="content", compact=True, highlight_cursor_line=False)
        yield Horizontal(
            *_select("tier", first["tier"], [(tier_name(one), one) for one in Tier]),
            *_select(
                "category", first["category"], [(category_name(one), one) for one in Category]
            ),
            *_select(
                "importance",
                first["importance"],
                [(importance_name(one), one) for one in Importance],
            ),
            classes="fields",
        )
        yield Horizontal(
            Static(Content(field_name("tags")), classes="label"),
            Field(first["tags"], placeholder=_("one, another"), id="tags", compact=True),
            Static(Content(_("expires")), classes="label"),
            Field(
                first["expires_at"],
                placeholder=_("never; 2027-03-01 09:00 UTC"),
                id="expires_at",
                compact=True,
            ),
            classes="fields",
        )
        if record is None:
            yield Horizontal(*self._belonging(), classes="fields")
        yield Static(id="newer")

    def _belonging(self) -> list[Widget]:
        """Whose a new memory is: the person's everywhere, or here only."""
        me = Scope(user_id=self._own.user_id)
        choices = [(Content(_("me, everywhere")), me)]
        if self._own.app_id is not None:
            choices.append((Content(_("me, in this project")), self._own))
        return [
            Static(Content(_("belongs to")), classes="label"),
            Select(choices, value=me, allow_blank=False, id="scope", compact=True),
        ]

    def on_mount(self) -> None:
        self.query_one("#content", TextArea).border_title = field_name("content")
        if self.query_one("#tags", Field).disabled:
            self._say_newer(_("The tags are too long to be edited here; they stay as they are."))
        elif self._record is not None and shown(self._record.content) != self._record.content:
            self._say_newer(_("Control characters are shown as symbols, and saved so if you edit."))

    # somebody else meanwhile

    def invalidate(self) -> None:
        """The memory changed: see whether this record did."""
        if self._record is None:
            return
        memory, record_id = self.service.memory, self._record.id
        self.service.background.ask(
            Lane("edit", "newer"),
            lambda: memory.get(record_id),
            self.NewerRead,
            self,
            refresh=True,
        )

    def on_edit_dialog_newer_read(self, event: NewerRead) -> None:
        now, before = event.record, self._record
        if before is None or now.version == before.version:
            return
        fields = [name for name, stamp in now.stamps.items() if stamp.version > before.version]
        actors = sorted({now.stamps[name].actor for name in fields})
        text = _(
            "{actors} changed {fields} meanwhile (version {version}). Saving merges; where both "
            "changed one field, both sides are kept as a dispute."
        ).format(
            actors=", ".join(actors) or _("Somebody"),
            fields=", ".join(field_name(name) for name in fields) or _("it"),
            version=now.version,
        )
        self._say_newer(text)

    def _say_newer(self, text: str) -> None:
        self.query_one("#newer", Static).update(safe("▲ " + text).stylize("$text-warning"))

    # saving

    def changes(self) -> dict[str, Any]:
        """Return the fields that differ from what the dialog opened with.

        Raises InvalidValueError for a date that is none.
        """
        tags = self.query_one("#tags", Field)
        now: dict[str, Any] = {
            "content": self.query_one("#content", TextArea).text,
            "tier": self._chosen("tier"),
            "category": self._chosen("category"),
            "importance": self._chosen("importance"),
            "tags": self._first["tags"] if tags.disabled else tags.value,
            "expires_at": self.query_one("#expires_at", Input).value,
        }
        changed = {name: value for name, value in now.items() if value != self._first[name]}
        if "tags" in changed:
            parts = changed["tags"].replace("，", ",").split(",")
            changed["tags"] = sorted({part.strip() for part in parts if part.strip()})
        if "expires_at" in changed:
            changed["expires_at"] = _moment(self.service.memory, changed["expires_at"])
        return changed

    def _chosen(self, name: str) -> StrEnum:
        value = self.query_one(f"#{name}", Select).value
        assert isinstance(value, StrEnum)  # allow_blank is off
        return value

    def has_changes(self) -> bool:
        try:
            return bool(self.changes())
        except InvalidValueError:
            return True

    def save(self) -> None:
        changed, memory, record = self.changes(), self.service.memory, self._record
        if not changed:
            self.dismiss(None)
        elif record is None:
            content = changed.pop("content", "")
            scope, force = self.query_one("#scope", Select).value, self._force
            assert isinstance(scope, Scope)  # allow_blank is off
            self.write(lambda: memory.add(content, scope=scope, force=force, **changed))
        else:
            self.write(lambda: memory.update(record.id, changed, based_on=record.version))

    def on_written(self, event: Written) -> None:
        receipt = event.receipt
        if receipt.outcome != "duplicate":
            return
        # The base class must not close the dialog: the person may insist.
        event.stop()
        event.prevent_default()
        self._saving, self._force = False, True
        text = _("Not stored yet: it is very like “{existing}”. ^s again stores it all the same.")
        self.say_error(text.format(existing=receipt.existing or receipt.duplicate_id))


def _select(name: str, value: StrEnum, choices: list[tuple[str, Any]]) -> list[Widget]:
    options = [(Content(text), choice) for text, choice in choices]
    return [
        Static(Content(field_name(name)), classes="label"),
        Select(options, value=value, allow_blank=False, id=name, compact=True),
    ]


def _moment(memory: Memory, typed: str) -> datetime | None:
    """Return the moment typed, none for an empty text. A date means that whole day."""
    text = typed.strip().removesuffix("UTC").strip()
    return memory.moment(text, last=True) if text else None
