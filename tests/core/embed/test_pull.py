from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from omp_core.embed import choose_embedder
from omp_core.embed.models import DEFAULT_MODEL, is_cached
from omp_core.embed.pull import pull
from omp_core.errors import EmbeddingError
from omp_core.settings import EmbedSettings

REVISION = "1" * 40


class Hub:
    """A model hub on this machine with one repository."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self.files = files
        self.requests: list[str] = []
        self.go_on = threading.Event()
        self.go_on.set()
        self.half_sent = threading.Event()
        hub = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, format: str, *args: object) -> None:
                hub.requests.append(format % args)

            def do_HEAD(self) -> None:
                self.answer(body=False)

            def do_GET(self) -> None:
                self.answer(body=True)

            def answer(self, *, body: bool) -> None:
                path = self.path.partition("?")[0]
                if path.startswith(f"/api/models/{DEFAULT_MODEL.repository}"):
                    siblings = [
                        {"rfilename": name, "size": len(content)}
                        for name, content in hub.files.items()
                    ]
                    info = {"id": DEFAULT_MODEL.repository, "sha": REVISION, "siblings": siblings}
                    self.send(json.dumps(info).encode(), body=body, hold=False)
                    return
                name = path.removeprefix(f"/{DEFAULT_MODEL.repository}/resolve/main/")
                if name in hub.files:
                    self.send(hub.files[name], body=body, hold=True)
                else:
                    self.send_error(404)

            def send(self, content: bytes, *, body: bool, hold: bool) -> None:
                self.send_response(200)
                self.send_header("Content-Length", str(len(content)))
                self.send_header("ETag", f'"{hashlib.sha256(content).hexdigest()}"')
                self.send_header("X-Repo-Commit", REVISION)
                self.end_headers()
                if body:
                    half = len(content) // 2
                    self.wfile.write(content[:half])
                    if hold:
                        hub.half_sent.set()
                        hub.go_on.wait(timeout=30)
                    self.wfile.write(content[half:])

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"

    def close(self) -> None:
        self.go_on.set()
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


@pytest.fixture
def hub(tiny_model: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    files = {
        str(file.relative_to(tiny_model)): file.read_bytes()
        for file in tiny_model.rglob("*")
        if file.is_file()
    }
    hub = Hub(files)
    monkeypatch.setenv("HF_ENDPOINT", hub.url)
    yield hub
    hub.close()


@pytest.mark.parametrize("own_folder", [False, True])
def test_a_pulled_model_is_used(hub: Hub, tmp_path: Path, own_folder: bool) -> None:
    settings = EmbedSettings(cache_dir=str(tmp_path / "models") if own_folder else None)
    seen: list[tuple[int, int]] = []
    assert pull(settings, lambda done, total: seen.append((done, total)))
    total = sum(len(content) for content in hub.files.values())
    assert seen[0] == (0, total)
    assert seen[-1] == (total, total)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert is_cached(settings)
    assert choose_embedder(settings).model_id.startswith(DEFAULT_MODEL.name)


def test_a_cancelled_pull_stops_in_the_middle_and_can_go_on(hub: Hub) -> None:
    hub.go_on.clear()
    settings = EmbedSettings()
    assert not pull(settings, cancelled=hub.half_sent.is_set)
    assert not is_cached(settings)
    hub.go_on.set()
    assert pull(settings)
    assert is_cached(settings)


def test_a_pull_without_network_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(EmbeddingError, match="check the network"):
        pull(EmbedSettings())


def test_a_repository_that_lacks_a_file(hub: Hub) -> None:
    del hub.files[DEFAULT_MODEL.file]
    with pytest.raises(EmbeddingError, match=DEFAULT_MODEL.file):
        pull(EmbedSettings())
    assert not is_cached(EmbedSettings())


def test_only_what_fastembed_knows_can_be_pulled() -> None:
    with pytest.raises(EmbeddingError, match="nothing to download"):
        pull(EmbedSettings(model="nobody/nothing"))
