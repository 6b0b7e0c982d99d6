"""Every threshold, capacity and weight, with its source.

Values only; defaults come from the design's table of rules. What a repository may set is in
`ProjectSettings`; `settings_files` reads both the user's and a project's.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec

Share = Annotated[float, msgspec.Meta(ge=0.0, le=1.0)]
"""A part of a whole, a confidence, or a similarity on the common scale."""
Span = Annotated[float, msgspec.Meta(ge=0.0, le=1_000_000.0)]
"""A stretch of time, in the unit that the setting's name ends with."""
Pause = Annotated[float, msgspec.Meta(gt=0.0, le=86_400.0)]
"""Seconds that somebody waits."""
Count = Annotated[int, msgspec.Meta(ge=0, le=1_000_000_000)]
Tries = Annotated[int, msgspec.Meta(ge=1, le=5)]
AtLeastOne = Annotated[int, msgspec.Meta(ge=1, le=1_000_000_000)]
Kept = Annotated[int, msgspec.Meta(ge=1, le=10_000)]
"""How many copies stay: never none, as the newest may be the only good one."""
Pattern = Annotated[str, msgspec.Meta(max_length=200, pattern=r"^[^\[\]]*$")]
"""A text in which `*` stands for any text and `?` for one character; nothing else is special."""
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]


class _Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A part of the settings; unknown keys are errors."""


class StoreSettings(_Section, frozen=True):
    path: str | None = None
    """SQLite file of the user store; None is `store.db` in the platform's data directory."""
    busy_timeout_s: Pause = 30.0
    """How long a write waits for other processes (design, section 3)."""
    max_content_chars: AtLeastOne = 100_000
    """Longer texts are refused: a record is one atomic fact (design, section 2)."""
    backups_kept: Kept = 7
    """How many daily backups of the store stay (design, section 5)."""
    search_log_days: AtLeastOne = 400
    """How long journalled searches are kept (design, section 5)."""
    auto_purge: bool = True
    """Remove expired rows when an agent's server starts (memory skill, TTL)."""


class EmbedSettings(_Section, frozen=True):
    model: str = "auto"
    """`auto`, `offline`, `hashing`, or a model name of fastembed (design, section 10)."""
    model_path: str | None = None
    """Folder of a local ONNX model, handed to fastembed as `specific_model_path`."""
    cache_dir: str | None = None
    """Where downloaded models stay; None is `models` in the platform's cache directory."""


class SemanticSettings(_Section, frozen=True):
    provider: Literal["builtin", "none"] = "builtin"
    """What answers semantic search: vectors beside the records, or nothing, and then no model
    is loaded and searches go by words (orchestrator seed, 7)."""


class TierSettings(_Section, frozen=True):
    working_capacity: AtLeastOne = 20
    """Records in working memory before the oldest is promoted (orchestrator seed, 1)."""
    short_term_capacity: AtLeastOne = 100
    """Records in short-term memory before the first in goes out (orchestrator seed, 1)."""
    long_term_advice: AtLeastOne = 10_000
    """Advised size of long-term memory; no limit (orchestrator seed, 1)."""
    short_term_unread_days: Span = 7.0
    """Short-term memory unread this long goes to long-term (orchestrator seed, 6)."""
    long_term_unread_days: Span = 180.0
    """Long-term memory unread this long is proposed for archive or forget (seed, 6)."""


class AlertSettings(_Section, frozen=True):
    tier_full: Share = 0.85
    """Working or short-term use above this share is a warning (orchestrator seed, 4)."""
    hit_rate_low: Share = 0.30
    """A 7-day hit rate below this is a warning (orchestrator seed, 4)."""
    hit_rate_min_searches: AtLeastOne = 5
    """Fewer searches than this give no hit rate (design, issue of the memory engine)."""
    stale_ratio: Share = 0.10
    """A stale share above this is information (orchestrator seed, 4)."""
    stale_days: Span = 30.0
    """Long-term memory unread this long is stale (orchestrator seed, 4)."""
    working_moves: AtLeastOne = 5
    """How many of the oldest the cure of a full working memory moves (seed, example 3)."""
    short_term_moves: AtLeastOne = 10
    """How many of the oldest the cure of a full short-term memory moves (same)."""


class ConfidenceSettings(_Section, frozen=True):
    drop_below: Share = 0.4
    """Extracted facts below this are not kept (extraction seed, confidence)."""
    store_from: Share = 0.7
    """Extracted facts from this on are stored; between the two they ask (same)."""
    explicit_from: Share = 0.9
    """From this on a fact counts as explicitly stated (design, section 6)."""


class DuplicateSettings(_Section, frozen=True):
    propose_from: Share = 0.85
    """Calibrated similarity from which two texts may be duplicates (memory skill)."""
    same_from: Share = 0.95
    """From here on the proposal says "same", below it "merge" (design, section 6)."""


class ThemeSettings(_Section, frozen=True):
    attach_from: Share = 0.62
    """Similarity to a centroid from which a record joins a theme (extraction seed)."""
    merge_above: Share = 0.78
    """Two themes more alike than this merge (extraction seed)."""
    split_above: AtLeastOne = 12
    """A theme with more members splits (12: the paper behind the extraction seed, which has 10)."""
    cluster_edge: Share = 0.66
    """Two members at least this alike are linked when a theme splits (design, section 6)."""
    settle_from: Share = 0.52
    """When whole themes are regrouped (split, rebuild), a record that would be left over joins
    the nearest theme from this similarity on (lenient floor of the paper behind the seed)."""
    neighbours: AtLeastOne = 10
    """Nearest themes kept per theme (design, section 6)."""


class ConversationWeights(_Section, frozen=True):
    """How turns of a conversation help each other to rank; measured on LoCoMo (English, R@10 of
    81 with all of it), where each comment says what leaving the line out loses."""

    best: int = 40
    """The conversations of so many best turns are looked at (about 19 of them, 450 turns)."""
    most_turns: int = 2_000
    """No more turns than this are looked at: it bounds the time of a search."""
    coherent_from: float = 0.25
    """From this coherence on, records of one episode are talk. Real dialogues have 0.4 to 1.8,
    notes that were grouped by chance 0.12."""
    smooth: float = 0.4
    """Share of each neighbour in a turn's vector (0.6)."""
    keyword: float = 0.6
    """A turn by itself: keyword * words + semantic * meaning."""
    semantic: float = 0.4
    next_turns: float = 0.3
    """Share of the turns right before and after (2.5 together with the next line)."""
    second_turns: float = 0.15
    """Share of those two away."""
    session: float = 0.4
    """Share of the best turn of the conversation (1.7)."""
    says: float = 0.3
    """How much a turn says at all: its length, no question, a time named (1.9)."""
    speaker: float = 0.1
    """The speaker is the only one that the query names (0.2; recall in 1,000 tokens 1.4)."""
    recency: float = 0.03


class RankingProfile(_Section, frozen=True):
    """The weights of the parts of a score, and what besides decides the order."""

    keyword: Share
    semantic: Share
    recency: Share
    importance: Share
    coverage_power: float = 0.75
    """How much less words count that cover only a part of the query. On LoCoMo the first five
    hold 54, 53, 52 % of the evidence at powers 0.5, 0.75 and 1; on notes whose wrong answers
    share the words, the mean reciprocal rank is 0.40, 0.43, 0.43."""
    crossed: Share = 0.0
    """Share of the semantic part that a memory in the other script than the query has in its
    keyword part: words cannot cross languages."""
    topics: float = 0.0
    """So many deviations nearer is a memory whose cue words (`assets/themes/topics.json`) speak
    of the query's topics; a topic is the same in both languages. Of questions put among six
    random notes, whose answers share no word with them, the right one is first in 70, 57 and
    61 % (English, Chinese, crossed) at 1.3, in 65, 53 and 58 % at 0; dialogues are as before."""
    conversation: ConversationWeights | None = None
    """None: records of one conversation rank as if they knew nothing of each other."""


SHIPPED_PROFILES: Mapping[str, RankingProfile] = {
    "auto": RankingProfile(
        keyword=0.56,
        semantic=0.38,
        recency=0.03,
        importance=0.03,
        crossed=0.4,
        topics=1.3,
        conversation=ConversationWeights(),
    ),
    "seed": RankingProfile(keyword=0.4, semantic=0.4, recency=0.1, importance=0.1),
}
"""`auto` was measured on recorded dialogues and on notes in both languages, `tests/bench/
retrieval.py` prints what each of its constants does. `seed` is the formula of the orchestrator
seed, 2."""


class SearchSettings(_Section, frozen=True):
    profile: str = "auto"
    """Which profile ranks hybrid search: a shipped one or one of `profiles`."""
    profiles: dict[str, RankingProfile] = msgspec.field(default_factory=dict)
    """Profiles of your own by name; a shipped one's name replaces that one."""
    candidates: int = 75
    """How many records each way of searching brings into the ranking, or the limit if more."""
    recency_half_life_days: Pause = 30.0
    """Age at which the recency part has halved."""
    relevance_floor: Share = 0.8
    """Relevance of the best result from which a search counts as a hit (design, section 8).
    Of the demo's searches 94 % of those for what is there reach it, and 28 % of those for
    what is not."""
    found_floor: Share = 0.3
    """When no memory holds a word of the query, the best must be this relevant, or nothing is
    found. Of questions that share no word with their answer among six notes, 71, 54 and 56 %
    (English, Chinese, crossed) have it first at 0.4, 65, 52 and 45 % at 0.5, and 54, 41 and
    38 % at 0.62. Among 300 memories the nearest to nonsense is at 0.6 to 0.76 and the right answer
    across languages at 0.3 to 0.8, so no floor can tell: the words must (`embed/legibility.py`)."""
    theme_floor: Share = 0.5
    """Themes less near to the query than this are left out."""
    shown_floor: Share = 0.3
    """Results less relevant than this are left out. Costs no recall among the first ten on
    LoCoMo, MemoryBank and keyword queries."""
    limit: AtLeastOne = 10
    """Hits returned unless asked otherwise."""


class DecaySettings(_Section, frozen=True):
    base_days: Span = 30.0
    """S = base + per_read * reads + marked_days * marked (design, section 6)."""
    per_read_days: Span = 10.0
    marked_days: Span = 50.0
    marked_boost: Share = 0.5
    """boost = min(most, marked + sure + read + core): share of what time took (same)."""
    sure_boost: Share = 0.2
    sure_above: Share = 0.9
    """Confidence above which `sure_boost` counts."""
    read_boost: Share = 0.1
    read_above: Count = 5
    """Reads above which `read_boost` counts."""
    core_boost: Share = 0.3
    """Counts for facts of the project home."""
    most_boost: Share = 0.5
    active_from: Share = 0.7
    """Retention from which a record is active; the next three levels follow (same)."""
    aging_from: Share = 0.3
    stale_from: Share = 0.1
    forget_below: Share = 0.1
    """Auto-forget below this retention ..."""
    forget_unread_days: Span = 90.0
    """... when unread this long."""
    ask_below: Share = 0.3
    """Ask about forgetting below this retention ..."""
    ask_unread_days: Span = 60.0
    """... when unread this long."""


class HealthSettings(_Section, frozen=True):
    active_target: Share = 0.60
    """Share of active records aimed at (design, section 6)."""
    rot_target: Share = 0.20
    confidence_target: Share = 0.70
    conflict_target: Share = 0.05
    active_weight: Share = 0.3
    """Parts of the score: active, 1 - rot, mean confidence, 1 - conflict (same)."""
    rot_weight: Share = 0.2
    confidence_weight: Share = 0.3
    conflict_weight: Share = 0.2
    trend_step: Share = 0.02
    """The hit rate improves or declines when it moved more than this."""
    excellent_from: Count = 80
    good_from: Count = 60


class CrossHomeSettings(_Section, frozen=True):
    newer_wins_hours: Span = 24.0
    """Ages further apart than this let the newer side win (design, section 6)."""
    confidence_gap: Share = 0.3
    """A larger gap lets the surer side win (design, section 6)."""
    duplicate_from: Share = 0.95
    """From here on both sides say the same (design, section 6)."""


class RotSettings(_Section, frozen=True):
    trivial_latin_chars: Count = 10
    """Shorter Latin text is trivial (extraction seed, ROT)."""
    trivial_cjk_chars: Count = 4
    """Shorter Chinese text is trivial (design, section 6)."""
    obsolete_days: Span = 180.0
    """Never used and unread this long: obsolete (design, section 6)."""
    stale_days: Span = 90.0
    """Unread this long with fewer than `stale_reads` reads: stale (design, section 6)."""
    stale_reads: Count = 3


class DocumentSettings(_Section, frozen=True):
    backups_kept: Kept = 20
    """Versions kept of each project document in `.backup/`."""
    lock_timeout_s: Pause = 30.0
    """How long a write waits for another process's lock."""
    context_timeout_s: Pause = 2.0
    """A home slower than this at session start is reported as degraded."""
    max_bytes: AtLeastOne = 256 * 1024
    """A larger document is damage: nobody wrote it by hand (design, section 3)."""
    mirror_cpu_s: Pause = 2.0
    """Processor time that one reading spends on changed documents. What it does not come to is
    named as unseen and read by the next (a cloned repository may hold any number of them)."""


class NetworkSettings(_Section, frozen=True):
    """What may be reached over the network because an action asks for it."""

    callback_hosts: tuple[Name, ...] = ()
    """Hosts to which an action's result may be posted; none unless a person names them."""
    callback_timeout_s: Pause = 5.0
    """How long one try waits, in seconds."""
    callback_tries: Tries = 3
    callback_pause_s: Pause = 0.5
    """Pause before the second try, in seconds; each further one is twice as long."""


class AccessRule(_Section, frozen=True):
    """What an actor may do to the records of a scope. Rules of one actor add up; an actor that
    no rule names may do everything, and so may the person."""

    actor: Pattern
    """Whom it names: `agent:*`, `agent:cursor`."""
    may: Literal["none", "read", "write", "curate"]
    """Each includes those before it; `none` names an actor without allowing anything."""
    user_id: Pattern | None = None
    """Over whose records; without it over all. The facts of a project have its `app_id`."""
    agent_id: Pattern | None = None
    app_id: Pattern | None = None
    run_id: Pattern | None = None


class Settings(_Section, frozen=True):
    """All settings, one typed model."""

    store: StoreSettings = StoreSettings()
    embed: EmbedSettings = EmbedSettings()
    semantic: SemanticSettings = SemanticSettings()
    tiers: TierSettings = TierSettings()
    alerts: AlertSettings = AlertSettings()
    confidence: ConfidenceSettings = ConfidenceSettings()
    duplicates: DuplicateSettings = DuplicateSettings()
    themes: ThemeSettings = ThemeSettings()
    search: SearchSettings = SearchSettings()
    decay: DecaySettings = DecaySettings()
    health: HealthSettings = HealthSettings()
    cross_home: CrossHomeSettings = CrossHomeSettings()
    rot: RotSettings = RotSettings()
    documents: DocumentSettings = DocumentSettings()
    network: NetworkSettings = NetworkSettings()
    access: Annotated[tuple[AccessRule, ...], msgspec.Meta(max_length=100)] = ()
    """What agents may read, write and curate; empty: everything."""
    language: Literal["auto", "en", "zh"] = "auto"
    """Language of the interface; `auto` follows the locale."""
    time_zone: Name | None = None
    """The person's own zone, as in `Europe/Berlin`: a date without a time is the whole of that
    day there (design, section 6). Default: the system's."""
    user_id: Name | None = None
    """Overrides the user id that git or the login would give."""
    app_id: Name | None = None
    """Overrides the project id that the git remote would give."""


class ProjectDocuments(_Section, frozen=True):
    backups_kept: Kept = 20
    """See `DocumentSettings`."""


class ProjectSettings(_Section, frozen=True):
    """All that a repository may set: matters of the project alone. Store, model, network,
    backups, logs, identity, and what becomes of a person's records are the person's."""

    app_id: Name | None = None
    themes: ThemeSettings = ThemeSettings()
    documents: ProjectDocuments = ProjectDocuments()
