"""Agents with the real client of the SDK, each talking to a server process of its own."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import AbstractAsyncContextManager, ExitStack, nullcontext
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client
from mcp.types import CallToolResult, Implementation, ListRootsResult, Root
from pydantic import FileUrl

from omp_core.memory import Memory
from omp_core.settings import Settings

LIMIT_S = 60
"""Nothing here takes so long unless it hangs."""
_KEPT = ("PATH", "PYTHONPATH", "USER")
"""Variables that a server needs of the tests' own environment."""


def until(condition: Callable[[], Any]) -> Any:
    """Return what the condition gives once it is true; fail when it never is."""
    ends = time.monotonic() + LIMIT_S
    while not (value := condition()):
        assert time.monotonic() < ends, "it never came about"
        time.sleep(0.01)
    return value


class Agent:
    """One client and its connection, held open by a thread of its own."""

    def __init__(
        self,
        server: Any,
        name: str = "tester",
        mode: str = "auto",
        roots: Sequence[Path] = (),
        web: AbstractAsyncContextManager[Any] | None = None,
    ) -> None:
        self._web = web or nullcontext()
        self._server, self._name, self._mode = server, name, mode
        self._roots = [Root(uri=FileUrl(folder.as_uri())) for folder in roots]
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()
        ready: Future[Client] = Future()
        self._life = self.run(self._live(ready))
        wait([self._life, ready], LIMIT_S, FIRST_COMPLETED)
        if self._life.done():
            self._end()
            self._life.result()
        self.client = ready.result(0)

    async def _live(self, ready: Future[Client]) -> None:
        self._stop = asyncio.Event()
        info = Implementation(name=self._name, version="1")
        async with (
            self._web,
            Client(
                self._server,
                client_info=info,
                mode=self._mode,
                list_roots_callback=self._list_roots if self._roots else None,
            ) as client,
        ):
            ready.set_result(client)
            await self._stop.wait()

    async def _list_roots(self, context: Any) -> ListRootsResult:
        return ListRootsResult(roots=self._roots)

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        wait([self._life], LIMIT_S)
        self._end()
        self._life.result(0)

    def _end(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(LIMIT_S)
        self._loop.close()

    def run(self, work: Any) -> Future[Any]:
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def begin(self, tool: str, **arguments: Any) -> Future[CallToolResult]:
        """Call a tool without waiting for the answer."""
        return self.run(self.client.call_tool(tool, arguments))

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool and return its answer, which text and structure give alike."""
        return checked(self.begin(tool, **arguments).result(LIMIT_S))

    def fails(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool that fails, and return what is said of it."""
        result = self.begin(tool, **arguments).result(LIMIT_S)
        assert result.is_error
        return checked(result, failed=True)


def checked(result: CallToolResult, *, failed: bool = False) -> dict[str, Any]:
    (block,) = result.content
    assert block.type == "text"
    assert json.loads(block.text) == result.structured_content
    assert result.is_error == failed, block.text
    answer: dict[str, Any] = result.structured_content
    return answer


class Place:
    """A directory with a store, settings and a log of its own, and the servers run there."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.store = root / "store.db"
        self.home = root / "home"
        self.configure(embed={"model": "hashing"})
        self._open = ExitStack()

    @property
    def environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if name in _KEPT}
        dirs = {
            f"XDG_{name}_HOME": str(self.home / name.lower())
            for name in ("CONFIG", "DATA", "CACHE", "STATE")
        }
        return {
            **kept, **dirs, "HOME": str(self.home), "OMP_LANG": "en", "LANG": "C.UTF-8",
            "GIT_CONFIG_GLOBAL": os.devnull, "USER": "ana",
        }  # fmt: skip

    @property
    def token_file(self) -> Path:
        return self.home / "data" / "omp-tui" / "http-token"

    @property
    def token(self) -> str:
        """What the HTTP transport wants of its clients."""
        return self.token_file.read_text().strip()

    def configure(self, **sections: dict[str, Any]) -> None:
        file = self.home / "config" / "omp-tui" / "config.yaml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(sections))

    @property
    def log(self) -> str:
        file = self.home / "state" / "omp-tui" / "log" / "omp-tui.log"
        return file.read_text() if file.exists() else ""

    def command(self, *arguments: str, store: Path | None = None) -> list[str]:
        return [
            sys.executable, "-m", "omp_tui", "mcp", "--store", str(store or self.store),
            *arguments,
        ]  # fmt: skip

    def server(
        self, *arguments: str, store: Path | None = None, **environment: str
    ) -> StdioServerParameters:
        command, *rest = self.command(*arguments, store=store)
        return StdioServerParameters(
            command=command, args=rest, env=self.environment | environment, cwd=self.root
        )

    def agent(
        self,
        *arguments: str,
        name: str = "tester",
        mode: str = "auto",
        store: Path | None = None,
        roots: Sequence[Path] = (),
        **environment: str,
    ) -> Agent:
        """Start a server over stdio and connect to it."""
        agent = Agent(self.server(*arguments, store=store, **environment), name, mode, roots)
        self._open.callback(agent.close)
        return agent

    def client(self, address: str, name: str = "tester", **headers: str) -> Agent:
        """Connect to a server over HTTP, with the token that it made."""
        carried = {"Authorization": f"Bearer {self.token}"} | headers
        web = create_mcp_http_client(headers=carried)
        agent = Agent(streamable_http_client(address, http_client=web), name, web=web)
        self._open.callback(agent.close)
        return agent

    def http(self, *arguments: str, **environment: str) -> tuple[subprocess.Popen[str], str]:
        """Start a server over HTTP on a free port; return it and its address."""
        process = self.process("--transport", "http", "--port", "0", *arguments, **environment)
        assert process.stderr is not None
        line = process.stderr.readline()
        assert line.startswith("serving at http://127.0.0.1:"), line + process.stderr.read()
        return process, line.removeprefix("serving at ").strip()

    def process(self, *arguments: str, **environment: str) -> subprocess.Popen[str]:
        """Start a server as a bare process with pipes."""
        process = subprocess.Popen(
            self.command(*arguments),
            cwd=self.root,
            env=self.environment | environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
        self._open.callback(_end, process)
        return process

    def omp(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run another command on the same store."""
        return subprocess.run(
            [sys.executable, "-m", "omp_tui", *arguments, "--store", str(self.store)],
            cwd=self.root,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=LIMIT_S,
        )

    def memory(self, **options: Any) -> Memory:
        """Open the same store in this process, without a model."""
        given: dict[str, Any] = {
            "workspace": self.root, "store": self.store, "settings": Settings(),
            "load_embedder": lambda _settings: None,
        }  # fmt: skip
        memory = Memory.open(**(given | options))
        self._open.callback(memory.close)
        return memory

    def close(self) -> None:
        self._open.close()


def _end(process: subprocess.Popen[str]) -> None:
    with process:
        process.kill()


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    made = Place(tmp_path)
    yield made
    made.close()


@pytest.fixture(scope="module")
def shared_place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    made = Place(tmp_path_factory.mktemp("shared"))
    yield made
    made.close()


@pytest.fixture(scope="module")
def agent(shared_place: Place) -> Agent:
    """An agent that all tests of a module share; each uses owners of its own."""
    return shared_place.agent(name="claude code")


@pytest.fixture(name="until")
def until_fixture() -> Callable[[Callable[[], Any]], Any]:
    return until
