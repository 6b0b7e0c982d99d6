"""Whatever string of a record holds a secret, the record is refused."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from omp_core.errors import SecretFoundError
from omp_core.memory import Memory
from omp_core.model import Dispute, DisputeKind, Record, Scope, Stamp
from omp_core.services.secret_guard import ensure_no_secret
from omp_core.session import clean_actor
from omp_core.settings import Settings

NOW = datetime(2026, 3, 1, tzinfo=UTC)
SECRET = "gh" + "p_" + "Marked0123456789abcdefghijklmnopqrst"
PLAIN = Record(id="r1", content="Uses uv", created_at=NOW, updated_at=NOW)


def dispute(**fields: Any) -> Dispute:
    usual: dict[str, Any] = {
        "id": "d1", "field": "content", "kind": DisputeKind.SAME_FIELD, "current": "a",
        "incoming": "b", "current_actor": "user", "incoming_actor": "user", "current_at": NOW,
        "incoming_at": NOW, "base_version": 1,
    }  # fmt: skip
    return Dispute(**(usual | fields))


@pytest.mark.parametrize(
    "record",
    [
        replace(PLAIN, id=SECRET),
        replace(PLAIN, content=SECRET),
        replace(PLAIN, superseded_by=SECRET),
        replace(PLAIN, episode=SECRET),
        replace(PLAIN, tags=frozenset({SECRET})),
        replace(PLAIN, metadata={SECRET: 1}),
        replace(PLAIN, metadata={"a": [{"b": SECRET}]}),
        replace(PLAIN, scope=Scope(run_id=SECRET)),
        replace(PLAIN, stamps={"content": Stamp(1, SECRET, NOW)}),
        replace(PLAIN, stamps={SECRET: Stamp(1, "user", NOW)}),
        *(
            replace(PLAIN, disputes=(dispute(**{name: SECRET}),))
            for name in ("id", "field", "current", "incoming", "current_actor", "incoming_actor",
                         "other_id")
        ),
    ],
)  # fmt: skip
def test_a_secret_anywhere_in_a_record_is_refused(record: Record) -> None:
    with pytest.raises(SecretFoundError) as caught:
        ensure_no_secret(record)
    assert SECRET not in str(caught.value)


def test_an_ordinary_record_passes() -> None:
    ensure_no_secret(replace(PLAIN, disputes=(dispute(),), stamps={"tier": Stamp(1, "user", NOW)}))


def test_an_actor_is_no_place_for_a_secret(tmp_path: Path) -> None:
    with pytest.raises(SecretFoundError):
        Memory.open(workspace=tmp_path, store=tmp_path / "s.db", settings=Settings(), actor=SECRET)
    assert list(tmp_path.iterdir()) == []
    assert clean_actor("agent:claude-code") == "agent:claude-code"


def test_text_is_imported_without_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    temporary = tmp_path / "tmp"
    temporary.mkdir(mode=0o500)
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    with Memory.open(
        workspace=tmp_path, store=tmp_path / "s.db", settings=Settings(),
        load_embedder=lambda _settings: None,
    ) as memory:  # fmt: skip
        text = '[{"id": "m1", "memory": "Uses uv"}, {"id": "m2", "memory": "key SECRET"}]'
        report = memory.import_text(text.replace("SECRET", SECRET))
        assert (report.count("added"), report.count("refused")) == (1, 1)
    assert list(temporary.iterdir()) == []
    held = b"".join(file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
    assert SECRET.encode() not in held


def test_a_secret_is_refused_again_after_a_clean_text_was_remembered() -> None:
    for user in ("ana", SECRET, "ana", SECRET):
        record = replace(PLAIN, scope=Scope(user_id=user))
        if user == SECRET:
            with pytest.raises(SecretFoundError):
                ensure_no_secret(record)
        else:
            ensure_no_secret(record)


def test_no_id_that_the_program_makes_is_taken_for_a_secret() -> None:
    digits_only = "40128888-8888-7188-8111-401288888888"
    ensure_no_secret(replace(PLAIN, id=digits_only))
