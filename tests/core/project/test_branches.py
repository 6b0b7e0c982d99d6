"""Two branches that changed one document, merged by git itself."""

import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omp_core.errors import DocumentDamagedError, NotFoundError
from omp_core.project.branches import Sides, _marked, sides_of
from omp_core.project.documents import read_document, read_documents
from omp_core.project.workspace import Workspace
from omp_core.project.writers import DecisionEntry, Documents

NOW = datetime(2026, 3, 1, 9, tzinfo=UTC)
START = "# ours\nname: shop\nport: 8080   # of the web server\nstack: [uv, pytest]\nurl: a\n"


class Repository:
    """A git repository with a workspace in it; every write is a minute later."""

    def __init__(self, root: Path) -> None:
        root.mkdir()
        self.workspace = Workspace(root)
        self.workspace.memory.mkdir(parents=True)
        self.file = self.workspace.project_file
        self.now = NOW
        self.git("init", "-q", "-b", "main")
        self.file.write_text(START)
        self.documents("user").set_values({"begun": True})
        self.commit("begin")

    def git(self, *arguments: str, check: bool = True) -> None:
        who = ["-c", "user.name=Ana", "-c", "user.email=ana@example.com"]
        subprocess.run(
            ["git", *who, *arguments], cwd=self.workspace.root, check=check, capture_output=True
        )

    def commit(self, message: str) -> None:
        self.git("add", "-A", ".")
        self.git("commit", "-q", "-m", message)

    def documents(self, by: str) -> Documents:
        self.now += timedelta(minutes=1)
        return Documents(self.workspace, by=by, clock=lambda: self.now)

    def diverge(self, ours: dict[str, object], theirs: dict[str, object]) -> None:
        """Change the document on two branches, and merge them, which git cannot."""
        self.git("checkout", "-q", "-b", "theirs")
        self.documents("agent:codex").set_values(theirs)
        self.commit("theirs")
        self.git("checkout", "-q", "main")
        self.documents("agent:claude").set_values(ours)
        self.commit("ours")
        self.git("merge", "-q", "theirs", check=False)
        assert "<<<<<<<" in self.file.read_text("utf-8")


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "none"))
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", str(tmp_path / "none"))
    return Repository(tmp_path / "repo")


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ({"name": "store"}, {"port": 9090}),
        ({"url": "b"}, {"stack": ["uv", "ruff"]}),
        ({"new": 1}, {"other": 2}),
        ({"name": "same"}, {"name": "same"}),
    ],
)
@pytest.mark.parametrize("committed", [False, True])
def test_disjoint_edits_of_two_branches_merge_and_the_next_write_works(
    repository: Repository,
    ours: dict[str, object],
    theirs: dict[str, object],
    committed: bool,
) -> None:
    repository.diverge(ours, theirs)
    if committed:
        repository.commit("with markers")
    if committed and ours.keys() != theirs.keys() and "new" not in ours:
        # without git's index nobody knows what both sides started from
        assert repository.documents("user").open(repository.file).disputes()
        return
    read = repository.documents("user").open(repository.file).read().data
    assert ours.items() <= read.items()
    assert theirs.items() <= read.items()
    assert read_documents(repository.workspace).damages == ()
    before = repository.file.read_bytes()
    assert repository.documents("user").set_values({"after": True}).written
    text = repository.file.read_text("utf-8")
    assert "<<<<<<<" not in text
    assert "# of the web server" in text
    data = repository.documents("user").open(repository.file).read().data
    assert {**ours, **theirs, "after": True}.items() <= data.items()
    assert any(str(next(iter(ours))) in line for line in data["_meta"]["changes"])
    assert any(str(next(iter(theirs))) in line for line in data["_meta"]["changes"])
    newest = repository.documents("user").open(repository.file).versions()[0]
    assert newest.file.read_bytes() == before


def test_decisions_of_two_branches_are_both_kept(repository: Repository) -> None:
    repository.documents("user").add_decision(DecisionEntry("first", "a"))
    repository.commit("first")
    repository.git("checkout", "-q", "-b", "theirs")
    day = NOW.date() + timedelta(days=1)
    repository.documents("user").add_decision(DecisionEntry("theirs", "b", day=day))
    repository.commit("theirs")
    repository.git("checkout", "-q", "main")
    repository.documents("user").add_decision(DecisionEntry("ours", "c"))
    repository.commit("ours")
    repository.git("merge", "-q", "theirs", check=False)
    facts = read_document(repository.workspace, repository.workspace.decisions_file)
    assert {fact.text.partition(":")[0] for fact in facts} == {"first", "ours", "theirs"}


def test_the_same_field_is_in_dispute_and_blocks_nothing_else(repository: Repository) -> None:
    repository.diverge({"port": 9090, "url": "ours"}, {"port": 7070, "url": "theirs", "x": 1})
    documents = repository.documents("user")
    file = documents.open(repository.file)
    port, _url = sorted(file.disputes(), key=lambda one: one.path)
    assert (port.path, port.base, port.ours, port.theirs) == ("port", 8080, 9090, 7070)
    assert (port.our_label, port.their_label) == ("HEAD", "theirs")
    assert port.our_commit is not None
    assert port.their_commit is not None
    assert port.our_commit.author == "Ana"
    assert port.our_commit.id != port.their_commit.id
    with pytest.raises(DocumentDamagedError, match="merge conflict"):
        documents.set_values({"name": "x"})
    documents.add_decision(DecisionEntry("another document", "is written"))

    with pytest.raises(NotFoundError):
        file.settle("name", 1, now=NOW)
    file.settle("port", 7070, now=NOW)
    assert [one.path for one in file.disputes()] == ["url"]
    file.settle("url", "third", now=NOW)
    assert file.disputes() == []
    assert "<<<<<<<" not in repository.file.read_text("utf-8")
    assert {"port": 7070, "url": "third", "x": 1}.items() <= file.read().data.items()
    assert documents.set_values({"name": "x"}).written


def test_a_side_that_does_not_parse_is_damage(repository: Repository) -> None:
    repository.file.write_text("<<<<<<< HEAD\na: [\n=======\na: 1\n>>>>>>> b\n")
    with pytest.raises(DocumentDamagedError):
        repository.documents("user").open(repository.file).disputes()
    with pytest.raises(DocumentDamagedError, match="merge conflict"):
        repository.documents("user").open(repository.file).read()


LINES = st.lists(st.sampled_from(["a: 1", "b: 2", "# c", "", "d: [1]"]), max_size=8).map(
    lambda lines: "".join(f"{line}\n" for line in lines)
)


@given(ours=LINES, theirs=LINES)
def test_what_is_marked_reads_back_as_both_sides(ours: str, theirs: str) -> None:
    sides = sides_of(_marked(ours, theirs, Sides(ours, theirs, "HEAD", "other")))
    if ours == theirs:
        assert sides is None
    else:
        assert sides == Sides(ours, theirs, "HEAD", "other")
