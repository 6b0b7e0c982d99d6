"""A conversation becomes records and entries of documents: once, undoable, never half."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from omp_core.memory import Memory
from omp_core.model import Category, Query, Record, Speaker, Status, Turn
from omp_core.services.extraction import Extracted
from omp_core.transcripts.registry import read
from omp_core.views import ReviewKind

Open = Callable[..., Memory]
START = datetime(2026, 2, 27, 8, 0, tzinfo=UTC)
TRANSCRIPT = Path(__file__).parents[2] / "data" / "transcripts" / "zh.claude.jsonl"


def talk(*said: str | tuple[str, str]) -> list[Turn]:
    turns = []
    for number, one in enumerate(said):
        role, text = ("user", one) if isinstance(one, str) else one
        turns.append(
            Turn(
                "assistant" if role == "assistant" else "user",
                text,
                START + timedelta(minutes=number),
                str(number + 1),
                "s1",
            )
        )
    return turns


SAID = talk(
    "我习惯用 pytest，不用 unittest",
    "数据库是 PostgreSQL 15",
    "我们决定用 monorepo，因为共享依赖多",
    "v1.0.0 今天发布了",
    "别用三元表达式嵌套",
    ("assistant", "v1.0.0 已部署到生产环境，地址 https://app.example.net 。"),
    "代码里 svc 指的是订单服务",
)


@pytest.fixture
def project(open_memory: Open, tmp_path: Path) -> Memory:
    memory = open_memory()
    memory.init_workspace(tmp_path)
    return memory


def held(memory: Memory) -> list[Record]:
    return list(memory.export(Query(statuses=frozenset(), include_expired=True)))


def own(memory: Memory) -> list[Record]:
    return [record for record in held(memory) if record.home == "user"]


def documents(memory: Memory) -> dict[str, str]:
    assert memory.workspace is not None
    folder = memory.workspace.memory
    return {
        str(file.relative_to(folder)): file.read_text("utf-8")
        for file in sorted([*folder.glob("*.yaml"), *folder.glob("sessions/*.yaml")])
    }


def contents(memory: Memory) -> dict[str, Any]:
    """What the documents say, without the book-keeping of writes."""
    from ruamel.yaml import YAML

    found = {}
    for name, text in documents(memory).items():
        content = YAML(typ="safe", pure=True).load(text) or {}
        found[name] = {
            key: value for key, value in content.items() if key not in ("last_updated", "_meta")
        }
    return found


def test_each_fact_goes_to_its_home(project: Memory) -> None:
    done = project.extraction.extract(SAID)
    records = {record.content: record for record in own(project)}
    preference = records["我习惯用 pytest，不用 unittest"]
    assert preference.category is Category.PREFERENCE
    assert preference.status is Status.ACTIVE
    assert preference.scope.user_id
    assert preference.scope.app_id is None
    assert preference.created_at == START
    assert preference.metadata["session"] == "s1"
    assert records["别用三元表达式嵌套"].status is Status.CANDIDATE
    texts = documents(project)
    assert "database: PostgreSQL 15" in texts["project.yaml"]
    assert "url: https://app.example.net" in texts["project.yaml"]
    assert "svc: 代码里 svc 指的是订单服务" in texts["project.yaml"]
    assert "choice: monorepo" in texts["decisions.yaml"]
    assert "rationale: 共享依赖多" in texts["decisions.yaml"]
    assert "summary: v1.0.0 今天发布了" in texts["changelog.yaml"]
    assert preference.episode
    assert preference.episode in texts["sessions/2026-02-27.yaml"]
    assert done.count("added") == 7
    assert done.count("candidate") == 1
    assert done.count("refused") == 0


def test_the_change_is_told_to_other_agents(project: Memory) -> None:
    project.extraction.extract(SAID)
    assert "tech_stack: ∅ → {database}" in documents(project)["project.yaml"]


def test_the_same_transcript_twice_adds_nothing(project: Memory) -> None:
    turns = list(read(TRANSCRIPT))
    first = project.extraction.extract(turns)
    records, texts = own(project), documents(project)
    assert first.count("added") > 40
    again = project.extraction.extract(turns)
    assert [record.id for record in own(project)] == [record.id for record in records]
    assert documents(project) == texts
    assert {one.outcome for one in again.applied} <= {"known", "unchanged", "kept"}


def test_a_dry_run_writes_nothing(project: Memory) -> None:
    before = documents(project)
    done = project.extraction.extract(SAID, dry_run=True)
    assert done == Extracted(done.report)
    assert len(done.report.facts) == 7
    assert own(project) == []
    assert documents(project) == before


def test_undo_takes_all_of_it_back_and_redo_brings_it_again(project: Memory) -> None:
    before = contents(project)
    done = project.extraction.extract(SAID)
    assert len(done.act_ids) == 1
    after = contents(project)
    project.undo()
    assert own(project) == []
    undone = contents(project)
    assert undone["project.yaml"] == before["project.yaml"] == {}
    assert undone["decisions.yaml"]["decisions"] == []
    assert undone["changelog.yaml"]["changelog"] == []
    project.redo()
    assert len(own(project)) == 2
    assert contents(project) == after


def test_what_a_run_writes_into_documents_is_journalled_value_by_value(project: Memory) -> None:
    done = project.extraction.extract(SAID)
    entries = {entry.record_id: entry for entry in project.entries(done.act_ids[0])}
    changed = {name for name in entries if name.startswith("document:")}
    assert "document:project.yaml#glossary.svc" in changed
    assert all(entries[name].before is None for name in changed)
    marked = [entry.after for name, entry in entries.items() if name.startswith("extracted:")]
    assert {place for mark in marked if mark for place in mark["places"]} == changed


def test_undo_leaves_what_a_person_changed_since(project: Memory) -> None:
    project.extraction.extract(SAID)
    assert project.workspace is not None
    file = project.workspace.project_file
    file.write_text(file.read_text("utf-8").replace("PostgreSQL 15", "PostgreSQL 17"), "utf-8")
    receipt = project.undo()
    assert "PostgreSQL 17" in file.read_text("utf-8")
    assert receipt.note is not None


def test_after_undo_the_same_transcript_can_be_read_again(project: Memory) -> None:
    project.extraction.extract(SAID)
    project.undo()
    done = project.extraction.extract(SAID)
    assert done.count("added") == 7
    assert len(own(project)) == 2


def test_what_was_deleted_does_not_come_back(project: Memory) -> None:
    project.extraction.extract(SAID)
    project.delete([record.id for record in own(project)])
    done = project.extraction.extract(SAID)
    assert own(project) == []
    assert done.count("known") >= 2


def test_a_longer_transcript_retires_what_it_corrects(project: Memory) -> None:
    first = talk("我下周起在柏林办公", "服务端口是 8080")
    project.extraction.extract(first)
    longer = [*first, replace(first[1], text="啊不对，服务端口不是 8080，是 8090", place="9")]
    longer = [*longer, replace(first[0], text="我从没说过在柏林办公", place="10")]
    done = project.extraction.extract(longer)
    assert len(done.report.withdrawn) == 2
    assert contents(project)["project.yaml"] == {"services": {"main": {"port": 8090}}}
    (berlin,) = own(project)
    assert berlin.status is Status.SUPERSEDED


def test_without_a_project_everything_goes_to_the_user_store(open_memory: Open) -> None:
    memory = open_memory()
    assert memory.workspace is None
    done = memory.extraction.extract(SAID)
    records = {record.content: record for record in own(memory)}
    assert len(records) == len(done.report.facts) == 7
    decision = records["我们决定用 monorepo，因为共享依赖多"]
    assert decision.scope.app_id
    assert decision.metadata["extraction"]["decision"]["choice"] == "monorepo"


def test_a_later_edit_of_a_document_is_kept(project: Memory) -> None:
    assert project.workspace is not None
    file = project.workspace.project_file
    later = (START + timedelta(days=1)).isoformat()
    file.write_text(f"tech_stack:\n  database: MySQL 8\nlast_updated: {later}\n", "utf-8")
    done = project.extraction.extract(SAID)
    assert "database: MySQL 8" in file.read_text("utf-8")
    assert done.count("kept") == 1


def said_to(project: Memory, document: str, said: str, by: Speaker = "user") -> Extracted:
    assert project.workspace is not None
    project.workspace.project_file.write_text(document, "utf-8")
    return project.extraction.extract([Turn(by, said, START, "1", "s1")])


def document(project: Memory) -> Any:
    return contents(project)["project.yaml"]


def test_an_older_value_is_brought_up_to_date_by_what_replaces_it(project: Memory) -> None:
    before = "tech_stack:\n  database: MySQL 8 # the old one\n"
    done = said_to(project, before, "数据库换成 PostgreSQL 15 了")
    assert done.count("updated") == 1
    assert project.workspace is not None
    file = project.workspace.project_file
    assert "database: PostgreSQL 15 # the old one" in file.read_text("utf-8")
    project.undo()
    assert "database: MySQL 8 # the old one" in file.read_text("utf-8")


@pytest.mark.parametrize(
    ("held", "said"),
    [
        ("PostgreSQL 16", "The database is MariaDB 11"),
        ("PostgreSQL 16", "数据库是 MySQL 8"),
        ("{host: db1.internal, name: shop}", "The database is PostgreSQL 16 now"),
    ],
)
def test_another_choice_or_a_value_of_another_type_is_asked(
    project: Memory, held: str, said: str
) -> None:
    done = said_to(project, f"tech_stack:\n  database: {held}\n", said)
    (asked,) = (one for one in done.applied if one.outcome == "candidate")
    assert "tech_stack.database" in (asked.note or "")
    before = document(project)["tech_stack"]["database"]
    (item,) = project.review.page(ReviewKind.CANDIDATE).items
    assert item.effect == "document"
    project.review.accept(item.key)
    assert document(project)["tech_stack"]["database"] != before


def test_a_host_of_the_database_is_no_database(project: Memory) -> None:
    said_to(
        project, "tech_stack:\n  database: PostgreSQL 16\n", "The database host is now db2.internal"
    )
    assert document(project)["tech_stack"] == {"database": "PostgreSQL 16"}


def test_a_bare_version_takes_the_place_of_the_one_in_the_text(project: Memory) -> None:
    said_to(project, "tech_stack:\n  rails: Rails 7.0\n", "We upgraded from Rails 7.0 to 8.0")
    assert document(project)["tech_stack"] == {"rails": "Rails 8.0"}


DEPLOYED = "deployment:\n  {name}:\n    url: {url}\n    status: active\n"


@pytest.mark.parametrize(
    ("name", "url", "said"),
    [
        ("vercel", "https://old.example", "Vercel 部署成功，新地址 https://new.example"),
        ("web", "https://old.vercel.app", "vercel --prod 成功，https://new.example"),
        ("shop-api", "https://old.example", "shop api 已部署到 Vercel：https://new.example"),
        ("storefront", "https://old.example", "The storefront is live at https://new.example"),
    ],
)
def test_a_deployment_is_written_under_the_service_that_the_document_has(
    project: Memory, name: str, url: str, said: str
) -> None:
    said_to(project, DEPLOYED.format(name=name, url=url), said, "assistant")
    written = document(project)["deployment"]
    assert list(written) == [name]
    assert written[name] == {
        "url": "https://new.example",
        "status": "active",
        "updated_at": START,
        "updated_by": "user",
    }


def test_an_unnamed_deployment_is_of_the_only_service_that_there_is(project: Memory) -> None:
    said_to(
        project, DEPLOYED.format(name="api", url="https://a.example"), "部署失败了", "assistant"
    )
    assert document(project)["deployment"]["api"]["status"] == "failed"
    assert list(document(project)["deployment"]) == ["api"]


@pytest.mark.parametrize(
    ("held", "said", "then"),
    [
        ("用户使用 tabs 缩进", "不是 tabs，是 spaces", "用户使用 spaces 缩进"),
        ("用户使用 tabs 缩进", "我之前说的不是 tabs，是 spaces", "用户使用 spaces 缩进"),
        ("复盘会定在周一", "我之前说的不是周一，是周五", "复盘会定在周五"),
        (
            "The retro is on Monday",
            "I said the retro is on Monday. Actually it's Friday, not Monday",
            "The retro is on Friday",
        ),
    ],
)
def test_a_correction_by_word_of_mouth_puts_the_memory_right_in_one_call(
    project: Memory, held: str, said: str, then: str
) -> None:
    record = project.add(held)
    done = said_to(project, "name: shop\n", said)
    assert project.get(record.id).content == then
    assert done.count("updated") == 1
    assert [one.content for one in own(project)] == [then]
    again = project.extraction.extract([Turn("user", said, START, "1", "s1")])
    assert again.count("added") == again.count("updated") == 0
    for act in done.act_ids:
        project.undo(act)
    assert project.get(record.id).content == held


@pytest.mark.parametrize(
    ("held", "said"),
    [
        ("Every bug gets a ticket", "这不是 bug，是 feature"),
        ("YAML files use spaces here", "I prefer tabs, not spaces"),
        ("我习惯用 pytest，不用 unittest", "我习惯用 pytest，不用 unittest"),
        (
            "Invoices are sent on Monday",
            "I said the retro is on Monday. Actually it's Friday, not Monday",
        ),
    ],
)
def test_what_only_holds_the_same_word_is_not_put_right(
    project: Memory, held: str, said: str
) -> None:
    record = project.add(held)
    said_to(project, "name: shop\n", said)
    assert project.get(record.id).content == held


def test_a_correction_puts_the_document_right(project: Memory) -> None:
    before = "limits: {upload: 3000}\nservices:\n  api:\n    port: 3000\n"
    said_to(project, before, "端口不是 3000，是 4000")
    assert document(project)["services"] == {"api": {"port": 4000}}
    assert document(project)["limits"] == {"upload": 3000}
    project.undo()
    assert document(project)["services"] == {"api": {"port": 3000}}


def test_a_decision_keeps_all_that_was_weighed(project: Memory) -> None:
    said = "决定采用 YAML 格式，因为人类可读、机器可解析而且支持注释，而不是 JSON、Markdown 或 TOML"
    said_to(project, "name: shop\n", said)
    (decision,) = contents(project)["decisions.yaml"]["decisions"]
    assert decision["id"] == "dec-2026-02-27-001"
    assert decision["choice"] == "YAML 格式"
    assert decision["alternatives"] == ["JSON", "Markdown", "TOML"]
    assert decision["rationale"] == "人类可读、机器可解析而且支持注释"


def test_a_damaged_document_refuses_its_own_facts_only(project: Memory) -> None:
    assert project.workspace is not None
    file = project.workspace.project_file
    file.write_text("a: [1\nb: }\n", "utf-8")
    done = project.extraction.extract(SAID)
    assert file.read_text("utf-8") == "a: [1\nb: }\n"
    refused = [one for one in done.applied if one.outcome == "refused"]
    assert len(refused) == 3
    assert all(one.note and "project.yaml" in one.note for one in refused)
    assert "choice: monorepo" in documents(project)["decisions.yaml"]
    assert len(own(project)) == 2


def test_while_the_store_is_away_facts_wait(open_memory: Open, tmp_path: Path) -> None:
    from omp_core.errors import StoreUnavailableError

    def away(*_args: Any) -> Any:
        raise StoreUnavailableError("away")

    memory = open_memory(open_store=away)
    memory.init_workspace(tmp_path)
    done = memory.extraction.extract(SAID)
    assert done.count("pending") == 2
    assert "choice: monorepo" in documents(memory)["decisions.yaml"]
    again = memory.extraction.extract(SAID)
    assert memory.pending.count() == 2
    assert documents(memory)["decisions.yaml"].count("choice: monorepo") == 1
    assert again.count("added") == 0


def test_a_text_that_is_known_is_merged(project: Memory) -> None:
    project.add("我习惯用 pytest，不用 unittest", scope=replace(project.scope, app_id=None))
    done = project.extraction.extract(SAID)
    assert done.count("unchanged") == 1
    assert len(own(project)) == 2
