"""Lanes: one call at a time, the newest of those waiting, or all of them."""

from __future__ import annotations

import threading
from collections.abc import Callable

from textual.app import App
from textual.message import Message
from textual.pilot import Pilot

from omp_core.errors import NotFoundError
from omp_tui.background import WRITE, Background, Lane
from omp_tui.messages import CallFailed

READ = Lane("list", "record")


class Answer(Message):
    def __init__(self, value: object) -> None:
        super().__init__()
        self.value = value


class Listener(App[None]):
    def __init__(self) -> None:
        super().__init__()
        self.answers: list[object] = []
        self.failures: list[CallFailed] = []
        self.background = Background(self)

    def on_answer(self, event: Answer) -> None:
        self.answers.append(event.value)

    def on_call_failed(self, event: CallFailed) -> None:
        self.failures.append(event)


async def wait_for(pilot: Pilot[None], condition: Callable[[], object]) -> None:
    for _number in range(500):
        if condition():
            return
        await pilot.pause(0.01)
    raise AssertionError("waited in vain")


def blocked(gate: threading.Event, value: int) -> Callable[[], int]:
    def call() -> int:
        gate.wait(10)
        return value

    return call


async def test_of_waiting_calls_only_the_newest_runs() -> None:
    app, gate = Listener(), threading.Event()
    async with app.run_test() as pilot:
        for value in range(9):
            app.background.ask(READ, blocked(gate, value), Answer, app)
        assert not app.background.idle
        gate.set()
        await wait_for(pilot, lambda: app.background.idle)
        await pilot.pause()
        assert app.answers[-1] == 8
        assert len(app.answers) <= 2


async def test_changes_are_never_dropped_and_keep_their_order() -> None:
    app, gate = Listener(), threading.Event()
    async with app.run_test() as pilot:
        for value in range(9):
            app.background.ask(WRITE, blocked(gate, value), Answer, app, keep_all=True)
        gate.set()
        await wait_for(pilot, lambda: len(app.answers) == 9)
        assert app.answers == list(range(9))


async def test_an_error_of_the_core_comes_as_a_message_and_the_lane_goes_on() -> None:
    app = Listener()

    def missing() -> int:
        raise NotFoundError("no such thing")

    async with app.run_test() as pilot:
        app.background.ask(READ, missing, Answer, app)
        await wait_for(pilot, lambda: app.failures)
        assert str(app.failures[0].error) == "no such thing"
        app.background.ask(READ, lambda: 1, Answer, app)
        await wait_for(pilot, lambda: app.answers == [1])


async def test_a_fault_leaves_the_lane_usable() -> None:
    app = Listener()

    def broken() -> int:
        raise ZeroDivisionError

    async with app.run_test() as pilot:
        app.background.ask(READ, broken, Answer, app)
        await wait_for(pilot, lambda: app.background.idle)
        app.background.ask(READ, lambda: 1, Answer, app)
        await wait_for(pilot, lambda: app.answers == [1])
