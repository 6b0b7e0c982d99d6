"""What comes back to the project's documents from their threads."""

from __future__ import annotations

from textual.message import Message

from omp_core.model import Json
from omp_core.views import DocumentVersion, DocumentView, GitView


class TreeRead(Message):
    def __init__(self, documents: tuple[DocumentView, ...]) -> None:
        super().__init__()
        self.documents = documents


class GitRead(Message):
    """None where git has nothing to say."""

    def __init__(self, git: GitView | None) -> None:
        super().__init__()
        self.git = git


class VersionsRead(Message):
    """The kept versions of a document; `wanted`: a person asked to see them."""

    def __init__(self, document: str, wanted: bool, versions: tuple[DocumentVersion, ...]) -> None:
        super().__init__()
        self.document = document
        self.wanted = wanted
        self.versions = versions


class ValueRead(Message):
    """A value that is going to be edited, as the document says it now."""

    def __init__(self, document: str, path: str, value: Json) -> None:
        super().__init__()
        self.document = document
        self.path = path
        self.value = value
