"""Project documents against the user store: what is decided, what is asked, what stays settled."""

from __future__ import annotations

import textwrap
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from core.services.conftest import Clock, Open

from omp_core.errors import NotFoundError, SecretFoundError
from omp_core.memory import Memory
from omp_core.model import Category, Query, Receipt, Scope, Status, Tier
from omp_core.project.workspace import Workspace, init_workspace
from omp_core.settings import Settings
from omp_core.store.protocol import Batch

SETTINGS = Settings(user_id="ana", app_id="shop")
ANA = Scope(user_id="ana", app_id="shop")
PORT = "project:project.yaml#services.api.port"


class Project:
    """A workspace whose documents a test writes as a person would."""

    def __init__(self, root: Path) -> None:
        init_workspace(root)
        self.workspace = Workspace(root)
        for file in (self.workspace.decisions_file, self.workspace.changelog_file):
            file.write_text("{}\n", "utf-8")
        self.says("name: shop")

    def says(self, text: str, file: str = "project.yaml") -> None:
        (self.workspace.memory / file).write_text(textwrap.dedent(text).strip() + "\n", "utf-8")

    def text(self, file: str = "project.yaml") -> str:
        return (self.workspace.memory / file).read_text("utf-8")


@pytest.fixture
def project(tmp_path: Path) -> Any:
    return Project(tmp_path)


@pytest.fixture
def memory(project: Project, open_memory: Open) -> Any:
    return open_memory(settings=SETTINGS)


def outcomes(report: Any) -> list[str]:
    return [finding.outcome for finding in report.findings]


def sync_and_take_one(memory: Memory) -> Any:
    """Compare, and return the one dispute that is open then."""
    memory.sync.run()
    (waiting,) = memory.disputes()
    return waiting


# the three scenarios of the specification


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("deployment.vercel.url", "部署地址是 https://web-old.vercel.app"),
        ("deployment.web.url", "The website is deployed at https://web-old.vercel.app"),
        ("deployment.web.url", "网站的线上地址：https://web-old.vercel.app"),
    ],
)
def test_an_address_that_differs_is_asked_and_the_project_is_preferred(
    project: Project, memory: Memory, clock: Clock, key: str, said: Any
) -> None:
    _top, service, _url = key.split(".")
    project.says(
        f"""
        deployment:
          {service}:
            url: https://web-new.vercel.app
            updated_at: 2026-02-01T10:00:00Z
        """
    )
    record = memory.add(said, scope=ANA, confidence=0.9)
    report = memory.sync.run()
    (finding,) = report.findings
    assert (finding.outcome, finding.kind, finding.prefers) == ("asked", "url", "project")
    (waiting,) = memory.disputes()
    dispute = waiting.dispute
    assert dispute.kind == "cross-home"
    assert waiting.record.id == record.id
    assert dispute.current == said
    assert dispute.incoming == f"{key}: https://web-new.vercel.app"
    assert dispute.prefers == "incoming"
    assert dispute.current_at == clock.at
    assert dispute.incoming_at == datetime.fromisoformat("2026-02-01T10:00:00Z")
    assert dispute.confidence == 0.9
    assert dispute.incoming_actor == "project:shop"
    assert waiting.other is not None
    assert (waiting.other.id, waiting.other.confidence) == (dispute.other_id, 1.0)


@pytest.mark.parametrize(
    ("document", "text", "said"),
    [
        ("project.yaml", "tech_stack:\n  database: PostgreSQL 16", "项目数据库用 MySQL 8"),
        ("project.yaml", "tech_stack:\n  database: PostgreSQL", "We use MySQL as the database"),
        ("project.yaml", "tech_stack:\n  tests: pytest, Vitest", "测试用 unittest"),
        (
            "decisions.yaml",
            "decisions:\n- {id: dec-1, date: 2026-01-01, title: Storefront framework,"
            " choice: Vue 3 with Vite, alternatives: [React]}",
            "前端框架用 React",
        ),
        (
            "decisions.yaml",
            "decisions:\n- {id: dec-1, date: 2026-01-01, title: 包管理器, choice: pnpm}",
            "Dependencies are installed with npm",
        ),
    ],
)
def test_another_choice_of_technology_is_asked_whatever_the_ages(
    project: Project, memory: Memory, clock: Clock, document: str, text: str, said: Any
) -> None:
    project.says(text, document)
    clock.forward(days=400)
    memory.add(said, scope=ANA, category=Category.DECISION)
    report = memory.sync.run()
    assert [(one.outcome, one.kind, one.prefers) for one in report.findings] == [
        ("asked", "technology", None)
    ]


def test_a_newer_project_value_takes_the_place_of_the_memory_by_itself(
    project: Project, memory: Memory, clock: Clock
) -> None:
    first = memory.add("API 服务端口是 9090", scope=ANA)
    clock.forward(days=3)
    project.says(port_said_at(clock.at))
    report = memory.sync.run()
    (finding,) = report.findings
    assert (finding.outcome, finding.reason, finding.prefers) == ("superseded", "newer", "project")
    assert report.act_id is not None
    held = memory.get(first.id)
    assert (held.status, held.superseded_by) == (Status.SUPERSEDED, PORT)
    (act, *_older) = memory.acts()
    assert (act.id, act.kind, act.actor) == (report.act_id, "sync", "user")
    memory.undo()
    back = memory.get(first.id)
    assert (back.status, back.superseded_by, back.disputes) == (Status.ACTIVE, None, ())


def port_said_at(at: datetime, port: int = 8080) -> str:
    return f"""
        services:
          api:
            port: {port} # of the public API
            updated_at: {at:%Y-%m-%dT%H:%M:%SZ}
        """


# who wins


def test_a_newer_memory_is_written_into_the_document_as_an_undoable_act(
    project: Project, memory: Memory, clock: Clock
) -> None:
    project.says(port_said_at(clock.at))
    before = project.text()
    clock.forward(hours=25)
    record = memory.add("The API listens on port 9090", scope=ANA)
    dry = memory.sync.run(dry_run=True)
    assert (outcomes(dry), project.text()) == (["written"], before)
    report = memory.sync.run()
    (finding,) = report.findings
    assert (finding.outcome, finding.reason, finding.prefers) == ("written", "newer", "user")
    assert "port: 9090 # of the public API" in project.text()
    assert memory.disputes() == ()
    assert memory.get(record.id).version == 1
    act = next(one for one in memory.acts() if one.id == report.act_id)
    assert (act.kind, act.actor) == ("sync", "user")
    assert "1 decided" in act.summary
    memory.undo()
    assert "port: 8080 # of the public API" in project.text()
    # what a person undid is not decided once more
    assert sync_and_take_one(memory).record.id == record.id
    assert "port: 8080" in project.text()


@pytest.mark.parametrize("hours", [23, 24])
def test_a_memory_newer_by_a_day_at_most_is_asked(
    project: Project, memory: Memory, clock: Clock, hours: float
) -> None:
    project.says(port_said_at(clock.at))
    before = project.text()
    clock.forward(hours=hours)
    memory.add("The API listens on port 9090", scope=ANA)
    assert sync_and_take_one(memory).dispute.prefers is None
    assert project.text() == before


@pytest.mark.parametrize(
    ("scope", "said"),
    [
        (Scope(user_id="ana"), "The API listens on port 9090"),
        (ANA, "The API listens on port 9090; it restarts every night"),
    ],
    ids=["holds for other projects too", "says more"],
)
def test_a_memory_that_is_not_of_this_value_alone_changes_no_document(
    project: Project, memory: Memory, clock: Clock, scope: Scope, said: str
) -> None:
    project.says(port_said_at(clock.at))
    before = project.text()
    clock.forward(hours=25)
    memory.add(said, scope=scope)
    assert sync_and_take_one(memory).dispute.prefers == "current"
    assert project.text() == before


@pytest.mark.parametrize(
    ("status", "said"),
    [
        ("active", "Vercel 的部署状态是失败"),
        ("failed", "The vercel deployment is live"),
        ("pending", "vercel is running"),
    ],
)
def test_a_status_that_differs_is_asked_and_the_project_is_preferred(
    project: Project, memory: Memory, clock: Clock, status: str, said: str
) -> None:
    project.says(f"deployment: {{vercel: {{status: {status}}}}}")
    clock.forward(days=3)
    memory.add(said, scope=ANA)
    (finding,) = memory.sync.run().findings
    assert (finding.outcome, finding.kind, finding.prefers) == ("asked", "status", "project")


def test_a_status_that_agrees_or_is_of_another_service_is_no_difference(
    project: Project, memory: Memory
) -> None:
    project.says("deployment: {vercel: {status: active}, netlify: {status: failed}}")
    memory.add("vercel is live", scope=ANA)
    memory.add("The netlify deployment failed", scope=ANA)
    assert memory.sync.run().findings == ()


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ("notes:\n- All dates are in UTC", "All dates are in UTC"),
        ("notes:\n- 所有时间都用 UTC", "所有时间都用  UTC"),
        ("conventions:\n  commits: Commits are signed", "Commits are signed"),
    ],
)
def test_identical_text_is_seen(project: Project, memory: Memory, document: str, said: str) -> None:
    project.says(document)
    record = memory.add(said, scope=ANA)
    assert outcomes(memory.sync.run()) == ["duplicate"]
    assert memory.get(record.id).status is Status.SUPERSEDED


def test_ages_less_than_a_day_apart_decide_nothing(
    project: Project, memory: Memory, clock: Clock
) -> None:
    project.says(port_said_at(clock.at + timedelta(hours=23)))
    memory.add("The API listens on port 9090", scope=ANA)
    assert sync_and_take_one(memory).dispute.prefers is None


def test_the_date_of_the_whole_file_is_no_age_of_one_value(
    project: Project, memory: Memory, clock: Clock
) -> None:
    memory.add("The API listens on port 9090", scope=ANA)
    clock.forward(days=30)
    project.says(f"services: {{api: {{port: 8080}}}}\nlast_updated: {clock.at:%Y-%m-%dT%H:%M:%SZ}")
    assert sync_and_take_one(memory).dispute.prefers is None


def test_the_surer_side_wins_where_ages_tell_nothing(
    project: Project, memory: Memory, clock: Clock
) -> None:
    project.says(port_said_at(clock.at))
    unsure = memory.add("API 服务端口是 9090", scope=ANA, confidence=0.6)
    report = memory.sync.run()
    assert [(one.outcome, one.reason) for one in report.findings] == [("superseded", "surer")]
    assert memory.get(unsure.id).status is Status.SUPERSEDED


@pytest.mark.parametrize(
    "fields",
    [
        {"scope": Scope(user_id="ana")},
        {"scope": ANA, "tier": Tier.IMPORTANT},
        {"scope": ANA, "content": "The API listens on port 9090; it restarts every night"},
    ],
    ids=["holds for other projects too", "important", "says more"],
)
def test_what_must_not_be_changed_by_rule_is_asked(
    project: Project, memory: Memory, clock: Clock, fields: Any
) -> None:
    made = memory.add(**{"content": "The API listens on port 9090"} | fields)
    clock.forward(days=3)
    project.says(port_said_at(clock.at))
    waiting = sync_and_take_one(memory)
    assert waiting.dispute.prefers == "incoming"
    assert memory.get(made.id).status is Status.ACTIVE


@pytest.mark.parametrize(
    "fields",
    [
        {"scope": Scope(user_id="ana", app_id="other")},
        {"scope": Scope(user_id="ana", app_id="shop", run_id="s1")},
        {"scope": ANA, "category": Category.EPISODE},
        {"scope": ANA, "category": Category.ANTI_PATTERN},
        {"scope": ANA, "ttl_seconds": 900_000},
        {"scope": ANA, "status": Status.CANDIDATE},
    ],
    ids=["other project", "one session", "past", "did not work", "expires", "candidate"],
)
def test_what_does_not_speak_of_the_project_as_it_is_is_left_alone(
    project: Project, memory: Memory, clock: Clock, fields: Any
) -> None:
    project.says(port_said_at(clock.at))
    memory.add("The API listens on port 9090", **fields)
    assert memory.sync.run().findings == ()


def test_a_document_of_the_past_contradicts_nothing(project: Project, memory: Memory) -> None:
    project.says(
        "changelog:\n- {id: chg-1, date: 2026-02-01, summary: The API listens on port 8080}",
        "changelog.yaml",
    )
    memory.add("The API listens on port 9090", scope=ANA)
    assert memory.sync.run().findings == ()


def test_another_service_environment_or_key_is_another_thing(
    project: Project, memory: Memory, clock: Clock
) -> None:
    project.says(
        """
        deployment:
          staging: {url: "https://staging.shop.example"}
          docs: {url: "https://docs.shop.example"}
        services:
          api: {port: 8080, timeout: 30}
          web: {port: 3000}
        """
    )
    for text in (
        "Production runs at https://shop.example",
        "API 地址：https://api.shop.example",
        "The web app listens on port 3000",
        "PostgreSQL listens on port 5432",
        "API 超时 30 秒",
    ):
        memory.add(text, scope=ANA, force=True)
    assert memory.sync.run().findings == ()


# duplicates


def test_the_same_text_in_the_project_scope_is_superseded_and_elsewhere_left(
    project: Project, memory: Memory
) -> None:
    project.says("services:\n  api:\n    port: 8080")
    mine = memory.add("services.api.port:  8080", scope=ANA)
    global_one = memory.add("services.api.port: 8080", scope=Scope(user_id="ana"))
    report = memory.sync.run()
    assert outcomes(report) == ["duplicate"]
    assert memory.get(mine.id).superseded_by == PORT
    assert memory.get(global_one.id).status is Status.ACTIVE


def test_nearly_the_same_text_is_only_proposed(project: Project, memory: Memory) -> None:
    project.says("# Context\n\n## Notes\n\n- The API listens on port 8080 in every environment\n",
                 "techContext.md")  # fmt: skip
    made = memory.add("Notes: The API listens on port 8080 in every environment.", scope=ANA)
    waiting = sync_and_take_one(memory)
    assert waiting.dispute.prefers == "incoming"
    memory.resolve(made.id, waiting.dispute.id, "incoming")
    assert memory.get(made.id).status is Status.SUPERSEDED


# again


def test_a_second_run_finds_nothing_new(project: Project, memory: Memory, clock: Clock) -> None:
    project.says(
        """
        deployment: {web: {url: "https://shop.example.com"}}
        tech_stack: {database: PostgreSQL}
        """
    )
    memory.add("网站地址 https://old.example.com", scope=ANA)
    memory.add("项目数据库用 MySQL", scope=ANA)
    first = memory.sync.run()
    assert sorted(outcomes(first)) == ["asked", "asked"]
    acts = memory.acts()
    clock.forward(days=40)
    again = memory.sync.run()
    assert sorted(outcomes(again)) == ["waiting", "waiting"]
    assert again.act_id is None
    assert memory.acts() == acts
    assert len(memory.disputes()) == 2


def test_a_dry_run_writes_nothing(project: Project, memory: Memory) -> None:
    project.says("tech_stack: {database: PostgreSQL}")
    memory.add("项目数据库用 MySQL", scope=ANA)
    acts = [act for act in memory.acts() if act.kind != "mirror"]
    report = memory.sync.run(dry_run=True)
    assert outcomes(report) == ["asked"]
    assert report.act_id is None
    assert memory.disputes() == ()
    assert [act for act in memory.acts() if act.kind != "mirror"] == acts


@pytest.mark.parametrize("resolution", ["both", "later"])
def test_what_was_settled_stays_so_until_a_side_changes(
    project: Project, memory: Memory, resolution: Any
) -> None:
    project.says("deployment: {web: {url: 'https://shop.example.com'}}")
    made = memory.add("The website is at https://old.example.com", scope=ANA)
    waiting = sync_and_take_one(memory)
    memory.resolve(made.id, waiting.dispute.id, resolution)
    assert memory.sync.run().act_id is None
    assert memory.disputes() == ()
    memory.update(made.id, {"importance": "high"})
    assert memory.sync.run().act_id is None
    project.says("deployment: {web: {url: 'https://new.example.com'}}")
    memory.sync.run()
    (again,) = memory.disputes()
    assert again.dispute.incoming == "deployment.web.url: https://new.example.com"


def test_two_facts_that_say_the_same_are_one_question(project: Project, memory: Memory) -> None:
    project.says("tech_stack: {database: PostgreSQL}")
    project.says(
        "decisions: [{id: dec-1, date: 2026-01-01, title: 主数据库, choice: PostgreSQL}]",
        "decisions.yaml",
    )
    made = memory.add("项目数据库用 MySQL", scope=ANA)
    waiting = sync_and_take_one(memory)
    assert waiting.dispute.other_id == "project:project.yaml#tech_stack.database"
    memory.resolve(made.id, waiting.dispute.id, "both")
    assert outcomes(memory.sync.run()) == ["settled"]
    assert memory.disputes() == ()


def test_a_dispute_ends_when_the_sides_come_to_agree(project: Project, memory: Memory) -> None:
    project.says("deployment: {web: {url: 'https://shop.example.com'}}")
    made = memory.add("The website is at https://old.example.com", scope=ANA)
    memory.sync.run()
    project.says("deployment: {web: {url: 'https://old.example.com'}}")
    assert outcomes(memory.sync.run()) == ["closed"]
    assert memory.disputes() == ()
    project.says("deployment: {web: {url: 'https://shop.example.com'}}")
    assert outcomes(memory.sync.run()) == ["asked"]
    project.says("name: shop")
    assert outcomes(memory.sync.run()) == ["closed"]
    assert memory.get(made.id).disputes == ()


def test_an_open_dispute_follows_its_sides(project: Project, memory: Memory) -> None:
    project.says("deployment: {web: {url: 'https://shop.example.com'}}")
    memory.add("The website is at https://old.example.com", scope=ANA)
    waiting = sync_and_take_one(memory)
    project.says("deployment: {web: {url: 'https://new.example.com'}}")
    assert outcomes(memory.sync.run()) == ["renewed"]
    (again,) = memory.disputes()
    assert again.dispute.id == waiting.dispute.id
    assert again.dispute.incoming == "deployment.web.url: https://new.example.com"
    memory.undo()
    (before,) = memory.disputes()
    assert before.dispute == waiting.dispute


def test_what_was_taken_back_is_not_decided_again_but_asked(
    project: Project, memory: Memory, clock: Clock
) -> None:
    made = memory.add("API 服务端口是 9090", scope=ANA)
    clock.forward(days=3)
    project.says(port_said_at(clock.at))
    memory.sync.run()
    memory.undo()
    report = memory.sync.run()
    assert [(one.outcome, one.reason) for one in report.findings] == [("asked", "taken-back")]
    assert memory.get(made.id).status is Status.ACTIVE


def test_one_act_for_all_and_one_undo(project: Project, memory: Memory, clock: Clock) -> None:
    port = memory.add("API 服务端口是 9090", scope=ANA)
    clock.forward(days=3)
    project.says(port_said_at(clock.at) + "\n        tech_stack: {database: PostgreSQL}")
    stack = memory.add("项目数据库用 MySQL", scope=ANA)
    report = memory.sync.run()
    assert sorted(outcomes(report)) == ["asked", "superseded"]
    assert {entry.record_id for entry in memory.entries(report.act_id)} == {port.id, stack.id}
    memory.undo()
    assert memory.get(port.id).status is Status.ACTIVE
    assert memory.get(stack.id).disputes == ()
    memory.redo()
    assert memory.get(port.id).status is Status.SUPERSEDED
    assert len(memory.get(stack.id).disputes) == 1


# settling


def dispute_about_the_port(project: Project, memory: Memory, clock: Clock, scope: Any = ANA) -> Any:
    project.says(port_said_at(clock.at))
    made = memory.add("The API listens on port 9090", scope=scope)
    return made.id, sync_and_take_one(memory).dispute


def test_keeping_the_memory_puts_the_document_right(
    project: Project, memory: Memory, clock: Clock
) -> None:
    record_id, dispute = dispute_about_the_port(project, memory, clock)
    before = project.text()
    receipt = memory.resolve(record_id, dispute.id, "current")
    assert "port: 9090 # of the public API" in project.text()
    assert "services.api.port" in receipt.note
    assert memory.get(PORT).content == "services.api.port: 9090"
    assert memory.sync.run().findings == ()
    memory.undo()
    assert "port: 8080 # of the public API" in project.text()
    assert [one.id for one in memory.get(record_id).disputes] == [dispute.id]
    memory.redo()
    assert "port: 9090" in project.text()
    assert memory.get(record_id).disputes == ()
    assert before != project.text()


@pytest.mark.parametrize(
    ("document", "said", "now_says"),
    [
        (
            "deployment: {web: {url: 'https://a.example.com/x'}}",
            "The website is at https://b.example.com",
            "'https://b.example.com'",
        ),
        ("tech_stack:\n  frontend: React, Vite", "前端用 Vue", "frontend: Vue, Vite"),
        (
            "tech_stack:\n  package_managers: [npm, uv]",
            "包管理器用 pnpm",
            "package_managers: [pnpm, uv]",
        ),
        ("tech_stack:\n  python: '3.11'", "项目用 Python 3.12", "python: '3.12'"),
    ],
)
def test_one_value_in_a_document_is_exchanged(
    project: Project, memory: Memory, document: str, said: Any, now_says: str
) -> None:
    project.says(document)
    made = memory.add(said, scope=ANA)
    memory.resolve(made.id, sync_and_take_one(memory).dispute.id, "current")
    assert now_says in project.text()
    assert memory.sync.run().findings == ()


@pytest.mark.parametrize(
    ("file", "document", "said"),
    [
        (
            "decisions.yaml",
            "decisions: [{id: dec-1, date: 2026-01-01, title: 主数据库, choice: PostgreSQL}]",
            "项目数据库用 MySQL",
        ),
        ("techContext.md", "- The API listens on port 8080", "The API listens on port 9090"),
        ("project.yaml", "services: {api: {timeout: 30}}", "API 超时 2 分钟"),
        ("project.yaml", "tech_stack: {package_manager: npm}", "不要用 npm"),
    ],
)
def test_where_no_value_can_be_exchanged_the_file_is_named(
    project: Project, memory: Memory, file: str, document: str, said: Any
) -> None:
    project.says(document, file)
    before = project.text(file)
    made = memory.add(said, scope=ANA)
    receipt = memory.resolve(made.id, sync_and_take_one(memory).dispute.id, "current")
    assert f"_omp/memory/{file}" in receipt.note
    assert project.text(file) == before
    assert memory.disputes() == ()
    assert outcomes(memory.sync.run()) == ["settled"]


def test_taking_the_projects_side_supersedes_a_memory_of_the_project(
    project: Project, memory: Memory, clock: Clock
) -> None:
    record_id, dispute = dispute_about_the_port(project, memory, clock)
    before = project.text()
    memory.resolve(record_id, dispute.id, "incoming")
    held = memory.get(record_id)
    assert (held.status, held.superseded_by, held.disputes) == (Status.SUPERSEDED, PORT, ())
    assert project.text() == before
    memory.undo()
    back = memory.get(record_id)
    assert (back.status, len(back.disputes)) == (Status.ACTIVE, 1)


def test_taking_the_projects_side_changes_a_memory_that_others_read(
    project: Project, memory: Memory, clock: Clock
) -> None:
    record_id, dispute = dispute_about_the_port(project, memory, clock, Scope(user_id="ana"))
    memory.resolve(record_id, dispute.id, "incoming")
    held = memory.get(record_id)
    assert (held.status, held.content) == (Status.ACTIVE, "services.api.port: 8080")
    assert memory.sync.run().findings == ()


@pytest.mark.parametrize("third", ["7070", "The API listens on port 7070"])
def test_a_third_value_goes_to_both_homes(
    project: Project, memory: Memory, clock: Clock, third: str
) -> None:
    record_id, dispute = dispute_about_the_port(project, memory, clock)
    memory.resolve(record_id, dispute.id, "value", third)
    assert memory.get(record_id).content == third
    assert "port: 7070 # of the public API" in project.text()
    memory.undo()
    assert "port: 8080" in project.text()
    assert memory.get(record_id).content == "The API listens on port 9090"


def test_a_third_value_that_is_a_secret_reaches_neither_home(
    project: Project, memory: Memory, clock: Clock
) -> None:
    record_id, dispute = dispute_about_the_port(project, memory, clock)
    secret = "hunter" + "2-" + "Zq9x"
    with pytest.raises(SecretFoundError):
        memory.resolve(record_id, dispute.id, "value", f"the password for staging is {secret}")
    assert secret not in project.text()
    assert len(memory.get(record_id).disputes) == 1


def test_a_document_that_cannot_be_written_leaves_the_dispute_open(
    project: Project, memory: Memory, clock: Clock
) -> None:
    record_id, dispute = dispute_about_the_port(project, memory, clock)
    project.says("services:\n  api:\n    port: [8080")
    from omp_core.errors import DocumentDamagedError

    with pytest.raises(DocumentDamagedError):
        memory.resolve(record_id, dispute.id, "current")
    assert [one.id for one in memory.get(record_id).disputes] == [dispute.id]


def test_the_documents_of_another_project_are_not_touched(
    project: Project, memory: Memory, clock: Clock, open_memory: Open
) -> None:
    record_id, dispute = dispute_about_the_port(project, memory, clock, Scope(user_id="ana"))
    before = project.text()
    elsewhere = open_memory(settings=Settings(user_id="ana", app_id="other"))
    assert elsewhere.sync.run().count("waiting", "closed", "renewed") == 0
    receipt = elsewhere.resolve(record_id, dispute.id, "current")
    assert "its project" in receipt.note
    assert project.text() == before


def test_somebody_who_changes_the_record_meanwhile_is_not_overwritten(
    project: Project,
    memory: Memory,
    clock: Clock,
    open_memory: Open,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from omp_core.store.sqlite import SqliteStore

    made = memory.add("API 服务端口是 9090", scope=ANA)
    clock.forward(days=3)
    project.says(port_said_at(clock.at))
    other = open_memory("agent:codex", settings=SETTINGS)
    commit = SqliteStore.commit
    raced: list[Receipt] = []

    def racing(self: SqliteStore, batch: Batch) -> Any:
        if batch.act.kind == "sync" and not raced:
            raced.append(other.update(made.id, {"content": "API 服务端口是 8080"}))
        return commit(self, batch)

    monkeypatch.setattr(SqliteStore, "commit", racing)
    report = memory.sync.run()
    assert raced
    assert report.findings == ()
    assert memory.get(made.id).status is Status.ACTIVE


# without


def test_the_records_of_many_other_projects_do_not_hide_ours(
    project: Project, memory: Memory
) -> None:
    for number in range(70):
        scope = Scope(user_id="ana", app_id=f"other{number}")
        memory.add(f"The API listens on port {number + 1}", scope=scope)
    made = memory.add("接口监听 9090 端口", scope=ANA)
    project.says("services:\n  api:\n    port: 8080")
    (finding,) = memory.sync.run().findings
    assert finding.record.id == made.id


def test_without_vectors_words_are_enough(
    project: Project, open_memory: Open, clock: Clock
) -> None:
    memory = open_memory(settings=SETTINGS, load_embedder=lambda _settings: None)
    project.says(port_said_at(clock.at) + "\n        tech_stack: {database: PostgreSQL}")
    memory.add("API 服务端口是 9090", scope=ANA)
    memory.add("项目数据库用 MySQL", scope=ANA)
    report = memory.sync.run()
    assert sorted(str(one.kind) for one in report.findings) == ["technology", "value"]
    assert report.degraded


def test_without_a_project_there_is_nothing_to_compare(open_memory: Open) -> None:
    with pytest.raises(NotFoundError, match="omp-tui init"):
        open_memory().sync.run()


def test_many_memories_are_compared_with_every_fact_near_them(
    project: Project, memory: Memory
) -> None:
    project.says("services:\n" + "".join(f"  svc{n}: {{port: {8000 + n}}}\n" for n in range(12)))
    for number in range(12):
        memory.add(f"Service svc{number} listens on port {9000 + number}", scope=ANA, force=True)
    seen = []
    report = memory.sync.run(progress=lambda done, total: seen.append((done, total)))
    assert report.count("asked") == 12
    assert seen[-1] == (report.facts, report.facts)
    assert memory.list(Query(disputed=True)).total == 12
