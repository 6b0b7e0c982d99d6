from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from omp_core.language.tokens import query_tokens
from omp_core.model import Home, Query
from omp_core.store.sqlite import SqliteStore

SCRIPT = Path(__file__).with_name("make_store.py")


def test_store_can_be_listed_and_searched(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    command = [sys.executable, str(SCRIPT), str(path), "--records", "1200", "--model", "hashing"]
    subprocess.run(command, check=True, capture_output=True)
    store = SqliteStore(path)
    try:
        now = max(act.at for act in store.acts(limit=5))
        assert store.census(now).homes[Home.USER] == 1200
        assert sum(act.records for act in store.acts(limit=5)) == 1200
        texts = [record.content for record in store.iterate(Query(), now)]
        assert len(set(texts)) == 1200
        assert store.keyword(query_tokens("数据库 索引"), Query(), now, 10)
        (record,) = store.page(Query(), now, limit=1)
        assert len(store.history(record.id)) == 1
        assert store.count_without_vector("none") == 1200
    finally:
        store.close()


def test_existing_file_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    path.write_bytes(b"mine")
    done = subprocess.run([sys.executable, str(SCRIPT), str(path)], capture_output=True, text=True)
    assert done.returncode == 2
    assert "is there already" in done.stderr
    assert path.read_bytes() == b"mine"
