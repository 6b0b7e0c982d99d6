"""The tables, and how older ones become today's. Times are microseconds since 1970 in UTC."""

from __future__ import annotations

from collections.abc import Callable
from uuid import uuid4

import apsw

from omp_core.errors import StoreTooNewError
from omp_core.i18n import _
from omp_core.store.sqlite.keywords import rebuild_words

_VERSION_1 = """
CREATE TABLE records (
  pk INTEGER PRIMARY KEY AUTOINCREMENT,
  workspace TEXT NOT NULL DEFAULT '',
  file TEXT,
  id TEXT NOT NULL,
  content TEXT NOT NULL,
  content_hash TEXT NOT NULL,
  tier TEXT NOT NULL,
  user_id TEXT, agent_id TEXT, app_id TEXT, run_id TEXT,
  category TEXT NOT NULL,
  importance TEXT NOT NULL,
  source TEXT NOT NULL,
  confidence REAL NOT NULL,
  temporality TEXT NOT NULL,
  tags TEXT NOT NULL,
  metadata TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  expires_at INTEGER,
  status TEXT NOT NULL,
  superseded_by TEXT,
  episode TEXT,
  version INTEGER NOT NULL,
  stamps TEXT NOT NULL,
  disputes TEXT NOT NULL,
  open_disputes INTEGER NOT NULL,
  last_accessed INTEGER,
  access_count INTEGER NOT NULL,
  home TEXT NOT NULL,
  UNIQUE (workspace, id)
);
CREATE INDEX records_updated ON records (status, updated_at, workspace, expires_at);
CREATE INDEX records_created ON records (status, created_at, workspace, expires_at);
CREATE INDEX records_tier ON records
  (status, tier, home, workspace, expires_at, open_disputes, created_at);
CREATE INDEX records_scope ON records (user_id, app_id, status);
CREATE INDEX records_hash ON records (content_hash);
CREATE INDEX records_file ON records (workspace, file) WHERE file IS NOT NULL;
CREATE INDEX records_disputed ON records (open_disputes) WHERE open_disputes > 0;
CREATE INDEX records_expiring ON records (expires_at) WHERE expires_at IS NOT NULL;

CREATE VIRTUAL TABLE keywords USING fts5 (
  tokens, content='', contentless_delete=1, tokenize="ascii tokenchars '_-./:@#+'"
);
CREATE VIRTUAL TABLE keyword_terms USING fts5vocab (keywords, 'row');

CREATE TABLE vectors (
  model TEXT NOT NULL,
  pk INTEGER NOT NULL REFERENCES records (pk) ON DELETE CASCADE,
  rev INTEGER NOT NULL,
  script TEXT NOT NULL,
  vec BLOB NOT NULL,
  UNIQUE (model, pk)
);
CREATE INDEX vectors_rev ON vectors (model, rev);
CREATE INDEX vectors_pk ON vectors (pk);

CREATE TABLE acts (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  actor TEXT NOT NULL,
  at INTEGER NOT NULL,
  summary TEXT NOT NULL,
  records INTEGER NOT NULL,
  undoes TEXT,
  undone_by TEXT
);
CREATE INDEX acts_actor ON acts (actor, seq);

CREATE TABLE journal (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  act_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  actor TEXT NOT NULL,
  at INTEGER NOT NULL,
  record_id TEXT NOT NULL,
  version INTEGER NOT NULL,
  before TEXT,
  after TEXT
);
CREATE INDEX journal_record ON journal (record_id, seq);
CREATE INDEX journal_at ON journal (at);
CREATE INDEX journal_act ON journal (act_id);

CREATE TABLE searches (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  query TEXT NOT NULL,
  mode TEXT NOT NULL,
  scope TEXT NOT NULL,
  result_ids TEXT NOT NULL,
  best_score REAL NOT NULL,
  latency_ms REAL NOT NULL,
  hit INTEGER NOT NULL
);
CREATE INDEX searches_at ON searches (at);

CREATE TABLE mirror_files (
  workspace TEXT NOT NULL,
  file TEXT NOT NULL,
  digest TEXT NOT NULL,
  PRIMARY KEY (workspace, file)
) WITHOUT ROWID;

CREATE TABLE meta (key TEXT PRIMARY KEY, value NOT NULL) WITHOUT ROWID;
INSERT INTO meta VALUES ('vector_rev', 0);
"""

_VERSION_2 = """
CREATE TABLE traits (
  pk INTEGER PRIMARY KEY REFERENCES records (pk) ON DELETE CASCADE,
  words TEXT NOT NULL,
  script TEXT NOT NULL,
  says REAL NOT NULL,
  speaker TEXT
);
CREATE INDEX records_episode ON records (user_id, app_id, episode, created_at, id)
  WHERE episode IS NOT NULL;
"""
"""The date of a record is among its words, and what ranking needs of it lies beside it."""


def _version_2(connection: apsw.Connection) -> None:
    connection.execute(_VERSION_2)
    rebuild_words(connection)


Step = str | Callable[[apsw.Connection], None]

_VERSION_3 = """
ALTER TABLE records ADD COLUMN tier_since INTEGER NOT NULL DEFAULT 0;
UPDATE records SET tier_since = coalesce(
  CAST((julianday(json_extract(stamps, '$.tier.at')) - 2440587.5) * 86400000000 AS INTEGER),
  created_at
);
CREATE INDEX records_room ON records (tier, tier_since, id, expires_at)
  WHERE workspace = '' AND status = 'active';
"""
"""When a record came into its tier: counting a tier and finding its oldest needs no record."""

_VERSION_4 = """
ALTER TABLE acts ADD COLUMN given TEXT NOT NULL DEFAULT '{}';
ALTER TABLE acts ADD COLUMN cause TEXT;
CREATE INDEX acts_cause ON acts (cause) WHERE cause IS NOT NULL;
"""
"""Acts are kept as values, worded when shown; those of before have their words in `summary`."""

_VERSION_5 = """
ALTER TABLE records ADD COLUMN arrived_at INTEGER;
UPDATE records SET arrived_at = (
  SELECT min(j.at) FROM journal j WHERE j.record_id = records.id AND j.before IS NULL
) WHERE workspace = '';
"""
"""When a record came into this store: until then nobody could read it here."""

_VERSION_6 = "ALTER TABLE records ADD COLUMN locked INTEGER NOT NULL DEFAULT 0;"
"""Records that only a person changes."""


def _version_7(connection: apsw.Connection) -> None:
    """The day of the year on which a record was made is one of its words."""
    rebuild_words(connection)


MIGRATIONS: tuple[Step, ...] = (
    _VERSION_1,
    _version_2,
    _VERSION_3,
    _VERSION_4,
    _VERSION_5,
    _VERSION_6,
    _version_7,
)
"""Migration n (from 0) turns schema version n into n + 1."""

SCHEMA_VERSION = len(MIGRATIONS)


def schema_version(connection: apsw.Connection) -> int:
    """Return the version of the open database; 0 for an empty one.

    Raises StoreTooNewError when a newer program wrote it.
    """
    version = int(connection.pragma("user_version"))
    if version > SCHEMA_VERSION:
        raise StoreTooNewError(
            _(
                "{file}: the store has schema version {version}, this program knows "
                "{known}. Update omp-tui, or choose another store with --store."
            ).format(file=connection.filename, version=version, known=SCHEMA_VERSION)
        )
    return version


def migrate(connection: apsw.Connection) -> None:
    """Bring the database to today's schema, one version after the other, each all or nothing."""
    for version in range(schema_version(connection), SCHEMA_VERSION):
        connection.execute("BEGIN IMMEDIATE")
        try:
            if schema_version(connection) == version:
                step = MIGRATIONS[version]
                if isinstance(step, str):
                    connection.execute(step)
                else:
                    step(connection)
                if version == 0:
                    new_store_id(connection)
                connection.execute(f"PRAGMA user_version = {version + 1}")
            connection.execute("COMMIT")
        except apsw.Error:
            connection.execute("ROLLBACK")
            raise


def new_store_id(connection: apsw.Connection) -> None:
    """Give the database an identity of its own, so that no cache of another one fits it."""
    connection.execute(
        "INSERT INTO meta VALUES ('store_id', ?) ON CONFLICT DO UPDATE SET value = excluded.value",
        (uuid4().hex,),
    )
