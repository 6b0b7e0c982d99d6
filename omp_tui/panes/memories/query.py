"""What the list is asked for: the search line, conditions, filter, order."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from textual import on
from textual.timer import Timer
from textual.widgets import Input

from omp_core.i18n import _
from omp_core.model import Order, Query
from omp_tui.dialogs.choose import ChooseDialog
from omp_tui.dialogs.filter import FilterDialog
from omp_tui.keys import N_, Bindings, bind
from omp_tui.messages import Said
from omp_tui.panes.memories.changes import RecordActionsPane
from omp_tui.panes.memories.view import MemoriesView, order_choices, without_last
from omp_tui.text import shown
from omp_tui.widgets.search_line import SearchField, SearchLine

_TYPING_PAUSE_S = 0.12


class QueryPane(RecordActionsPane):
    """A condition typed into the search line becomes a chip below it as soon as it is whole."""

    view: MemoriesView
    line: SearchLine
    _typing: Timer | None

    BINDINGS: ClassVar[Bindings] = [
        bind("ctrl+t", "next_mode", N_("Search mode"), show=False),
        bind("f", "filter", N_("Filter")),
        bind("s", "sort", N_("Sort")),
        bind("backspace", "drop_condition", N_("Take the last condition away"), show=False),
        bind("escape", "back", N_("Clear marks, then search, then filters"), show=False),
    ]

    def show_view(self, view: MemoriesView) -> None:
        """Show something else, from the top."""
        raise NotImplementedError

    def say_view(self) -> None:
        """Say what is asked for, in words."""
        raise NotImplementedError

    @on(Input.Changed, "#search")
    def _typed(self) -> None:
        if self._typing is not None:
            self._typing.stop()
        self._typing = self.set_timer(_TYPING_PAUSE_S, self._search_typed)

    def _search_typed(self) -> None:
        """Search for the text; a condition that is followed by a blank is taken up."""
        if self.line.typed.endswith(" "):
            self._take_up()
        text = self.service.memory.conditions(self.line.typed).text
        if text != self.view.text:
            self.show_view(replace(self.view, text=text))

    def _take_up(self) -> None:
        """Make chips of the conditions in the line; those that cannot be read stay there."""
        read = self.service.memory.conditions(self.line.typed, self.view.query)
        if read.wrong and self.line.typed.rstrip().endswith(read.wrong[-1]):
            said = _("“{words}” is no condition; in quotes it is searched for as text.")
            self.post_message(Said(said.format(words=shown(" ".join(read.wrong))), "warning"))
        if read.taken:
            left = " ".join((*read.wrong, *([read.text] if read.text else [])))
            self.line.keep(left + " " if left else "")
            self.show_view(replace(self.view, text=read.text, query=read.query))

    @on(SearchField.LinesJoined)
    def _lines_joined(self) -> None:
        self.post_message(Said(_("The lines were joined: a search is one line.")))

    def action_to_list(self) -> None:
        self._take_up()
        self.list.focus()

    @on(SearchField.Emptied)
    def action_drop_condition(self) -> None:
        """Take away the condition that stands last."""
        self.show_view(replace(self.view, query=without_last(self.view.query)))

    def search(self) -> None:
        """Put the cursor into the search line, in this very step."""
        self.set_focus(self.line.field)

    def action_next_mode(self) -> None:
        if self.view.text:
            self.show_view(self.view.next_mode())
        else:
            self.view = self.view.next_mode()
            self.say_view()

    def action_filter(self) -> None:
        def chosen(query: Query | None) -> None:
            if query is not None:
                self.show_view(replace(self.view, query=query))

        self.open(FilterDialog(self.view.query, self.scope), chosen)

    def show_records(self, query: Query, order: Order = "updated", descending: bool = True) -> None:
        """Show what a query lets through, in that order, instead of a search."""
        self.line.clear()
        view = replace(self.view, text="", query=query, order=order, descending=descending)
        self.show_view(view)

    def action_sort(self) -> None:
        if self.view.text:
            self.post_message(Said(_("A search is sorted by how well it fits.")))
            return

        def chosen(order: Order | None) -> None:
            if order is not None:
                self.show_view(self.view.sorted_by(order))

        title = _("Sort by; the same again turns it round")
        self.open(ChooseDialog(title, order_choices(), self.view.order), chosen)

    def action_back(self) -> None:
        if self.list.marked:
            self.list.clear_marks()
        elif self.line.typed:
            self.line.clear()
            self._search_typed()
        elif self.view.filtered:
            self.show_view(replace(self.view, query=Query()))
        self.list.focus()
