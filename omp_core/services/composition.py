"""Composition: how the services of one session are joined, each made once and in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omp_core.availability import Availability
from omp_core.model import JournalEntry, Right
from omp_core.services.backups import Backups
from omp_core.services.configuration import ConfigurationService
from omp_core.services.disputes import DisputeQueue, DisputeSettlement
from omp_core.services.disputes.detail import DisputeDetails
from omp_core.services.doctor import Doctor
from omp_core.services.document_writer import DocumentWriter
from omp_core.services.documents import DocumentService
from omp_core.services.embedding import EmbeddingService
from omp_core.services.extraction import Extraction
from omp_core.services.health import HealthService
from omp_core.services.imports import ImportService
from omp_core.services.journal import Journal
from omp_core.services.maintenance import MaintenanceService
from omp_core.services.mirror import FactMirror
from omp_core.services.overview import OverviewService
from omp_core.services.pending import PendingService
from omp_core.services.pending_queue import PendingQueue
from omp_core.services.records.additions import RecordAdditions
from omp_core.services.records.changes import RecordChanges
from omp_core.services.records.refused import RefusedTexts
from omp_core.services.records.union import RecordUnion
from omp_core.services.report import ReportService
from omp_core.services.review import ReviewService
from omp_core.services.review.answers import ReviewAnswers
from omp_core.services.review.inbox import ReviewInbox
from omp_core.services.search import SearchService
from omp_core.services.session_context import SessionStart
from omp_core.services.summaries import SummaryService
from omp_core.services.sync import CrossHome
from omp_core.services.tiers import TierService
from omp_core.services.undo import UndoService
from omp_core.services.unit_of_work import UnitsOfWork
from omp_core.session import Session

if TYPE_CHECKING:
    from omp_core.services.themes import Themes


class Services:
    """The services of one session over one availability; nothing is opened by making them."""

    def __init__(self, session: Session, availability: Availability) -> None:
        self.session = session
        self.availability = availability
        self.units = units = UnitsOfWork(session, availability)
        queue = PendingQueue(session)
        self.mirror = FactMirror(session, availability, queue)
        writer = DocumentWriter(session, availability.access)
        self.documents = DocumentService(session, availability, units, writer)
        self.open_disputes = DisputeQueue(session, availability, self.documents, self.mirror)
        self.tiers = TierService(session, availability, units)
        self.changes = RecordChanges(session, availability, units)
        self.refused = RefusedTexts(session, availability, units)
        self.union = RecordUnion(session, availability, self.changes, units)
        self.additions = RecordAdditions(
            session, availability, self.changes, queue, self.refused, units, self.union
        )
        self.pending = PendingService(
            session, availability, self.additions, self.changes, queue, units
        )
        self.disputes = DisputeSettlement(
            session, availability, self.changes, writer, self.open_disputes, units
        )
        self.dispute_details = DisputeDetails(session, availability, self.open_disputes)
        self.configuration = ConfigurationService(session, availability.access)
        self.health = HealthService(
            session, availability, self.changes, self.mirror, self.pending, self.configuration
        )
        self.maintenance = MaintenanceService(session, availability, self.tiers, units)
        self.imports = ImportService(session, availability, units)
        self.embedding = EmbeddingService(session, availability)
        self.sync = CrossHome(session, availability, units, self.embedding, self.mirror, writer)
        self.session_context = SessionStart(session, availability, self.tiers)
        self.search = SearchService(
            session, availability, self.tiers, self.embedding, self.opened_themes
        )
        self.backups = Backups(session, availability)
        self.summaries = SummaryService(session, availability, self.changes, units)
        self.extraction = Extraction(
            session, availability, self.additions, self.changes, units, writer
        )
        self.journal = Journal(availability)
        self.doctor = Doctor(session, availability, self.embedding, self.mirror, self.configuration)
        inbox = ReviewInbox(
            session,
            availability,
            self.additions,
            self.pending,
            self.refused,
            self.maintenance,
            self.documents,
        )
        answers = ReviewAnswers(
            session,
            inbox,
            self.additions,
            self.changes,
            self.union,
            self.pending,
            self.documents,
        )
        self.review = ReviewService(session, inbox, answers, units)
        self.overview = OverviewService(
            session,
            availability,
            self.pending,
            self.health,
            self.mirror,
            self.open_disputes,
            inbox,
        )
        self.report = ReportService(
            session,
            availability,
            self.journal,
            self.health,
            inbox,
            self.open_disputes,
            self.mirror,
        )
        self.undo = UndoService(
            session,
            availability,
            self.changes,
            units,
            {
                "document": writer.invert,
                "extracted": self.extraction.invert,
                "pending": self.pending.invert,
                "review": self.review.invert,
                "theme": self._invert_theme,
            },
        )
        self._themes: Themes | None = None

    def opened_themes(self) -> Themes:
        """Return the theme layer, loaded when first asked for: it needs numpy."""
        self.availability.access.require_all(Right.READ)
        if self._themes is None:
            from omp_core.services.themes import Themes

            self._themes = Themes(
                self.session, self.availability, self.embedding, self.mirror.follow, self.units
            )
        return self._themes

    def _invert_theme(self, entry: JournalEntry) -> JournalEntry | None:
        return self.opened_themes().invert(entry)

    def close(self) -> None:
        """Let the threads end, then close what was opened."""
        self.session_context.finish(self.availability.close)
