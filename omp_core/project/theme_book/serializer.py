"""The text of `themes/index.yaml`: from the file to a book, and back with people's comments.

The text is written from scratch; comments are carried along with the theme or key that they
stand at, keys of others with their values.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import msgspec

from omp_core.errors import DocumentDamagedError, InvalidValueError, SettingsError
from omp_core.i18n import _
from omp_core.model import Json, Scope
from omp_core.project.yaml.plain import load_plain
from omp_core.record_json import parse_time
from omp_core.rules.themes.book import NOBODY, Theme, ThemeBook, link
from omp_core.settings import ThemeSettings

VERSION = "2.0"
_HEADER = (
    "# Themes of this memory, written by omp-tui. Comments are kept.",
    "# Values under `thresholds` win over the settings, in this book only.",
)
_KEYS = frozenset(
    {
        "version",
        "generation",
        "last_updated",
        "model",
        "calibration",
        "thresholds",
        "in_force",
        "themes",
        "must_link",
        "cannot_link",
        "metadata",
    }
)
_THEME_KEYS = frozenset(Theme.__slots__)
_LEGACY = {
    "themeId": "id",
    "summary": "label",
    "semanticIds": "members",
    "neighbors": "neighbours",
    "createdAt": "created_at",
    "updatedAt": "updated_at",
}
_LEGACY_THRESHOLDS = {
    "attachThreshold": "attach_from",
    "mergeThreshold": "merge_above",
    "maxThemeSize": "split_above",
    "knnK": "neighbours",
}
_THEME_START = re.compile(r"""\s*-\s+(?:id|themeId)\s*:\s*["']?([^"'\s#]+)""")
_TOP_KEY = re.compile(r"([A-Za-z_][\w-]*)\s*:")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\']|\'\')*\'')
_TRAILING = re.compile(r"(?:^|\s)(#.*)$")
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?")
_MOST_NODES = 1_000_000
_END = ""
_EPOCH = datetime.fromtimestamp(0, UTC)
_NOTHING = (None, "", "null", "~")
"""How a file says that a key has no value."""


class _ScopeEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whose a theme is; agents and runs have none."""

    user_id: str | None = None
    app_id: str | None = None

    @property
    def whole(self) -> Scope:
        user_id, app_id = (
            None if name in _NOTHING else name for name in (self.user_id, self.app_id)
        )
        return Scope(user_id=user_id, app_id=app_id)


class _Entry(msgspec.Struct, frozen=True):
    """One theme of the file. Other keys are carried along."""

    id: Annotated[str, msgspec.Meta(min_length=1)]
    label: str = ""
    members: tuple[str, ...] = ()
    created_at: str = ""
    updated_at: str = ""
    scope: _ScopeEntry = _ScopeEntry()
    label_by_human: bool = False
    pinned: bool = False
    neighbours: tuple[str, ...] = ()


class _Head(msgspec.Struct, frozen=True):
    """The file's own keys. `config` holds the thresholds in the layout of openmemory-plus."""

    themes: list[dict[str, Any]] = []
    must_link: list[tuple[str, str]] = []
    cannot_link: list[tuple[str, str]] = []
    generation: Annotated[int, msgspec.Meta(ge=0)] = 0
    model: str = ""
    calibration: str = ""
    thresholds: dict[str, Any] = {}
    config: Any = None


@dataclass(frozen=True, slots=True)
class BookText:
    """A book as its file has it, with what the machine carries along but does not use.

    `comments`: lines that belong before a top-level key, a theme id, or (the empty key) the
    end. `legacy`: it is in the layout of openmemory-plus, without scopes.
    """

    book: ThemeBook
    thresholds: Mapping[str, Json] = field(default_factory=dict)
    extras: Mapping[str, Json] = field(default_factory=dict)
    theme_extras: Mapping[str, Mapping[str, Json]] = field(default_factory=dict)
    comments: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    legacy: bool = False

    def settings(self, base: ThemeSettings, file: Path) -> ThemeSettings:
        """Return the settings with the thresholds of this book over them.

        Raises SettingsError naming file and key.
        """
        known = {item.name for item in msgspec.structs.fields(ThemeSettings)}
        values: dict[str, Any] = {name: getattr(base, name) for name in known}
        for key, value in self.thresholds.items():
            name = _LEGACY_THRESHOLDS.get(key, key)
            if name not in known:
                raise SettingsError(
                    _("{file}: unknown threshold {key!r}; known are {known}").format(
                        file=file, key=key, known=", ".join(sorted(known))
                    )
                )
            values[name] = value
        try:
            return msgspec.convert(values, ThemeSettings, strict=False)
        except msgspec.ValidationError as error:
            raise SettingsError(
                _("{file}: thresholds: {error}").format(file=file, error=error)
            ) from error


def parse(text: str, file: Path, *, legacy_scope: Scope = NOBODY) -> BookText:
    """Read the text of a book. An empty file is an empty book.

    Themes of the openmemory-plus layout, which knows no scopes, get `legacy_scope`. Raises
    DocumentDamagedError with line and reason.
    """
    raw = load_plain(text, file)
    if raw is None:
        return BookText(ThemeBook(), comments=_comments(text))
    if not isinstance(raw, dict):
        raise DocumentDamagedError(file, 1, _("a theme book is a map of keys"))
    try:
        head = msgspec.convert(_given(raw), _Head, strict=False)
    except msgspec.ValidationError as error:
        raise DocumentDamagedError(file, None, str(error)) from error
    legacy = any("themeId" in entry for entry in head.themes)
    themes: list[Theme] = []
    theme_extras: dict[str, dict[str, Json]] = {}
    for number, entry in enumerate(head.themes, start=1):
        theme, extra = _theme(entry, number, file, legacy_scope)
        themes.append(theme)
        if extra:
            theme_extras[theme.id] = extra
    book = ThemeBook(
        themes=tuple(themes),
        must_link=frozenset(link(one, other) for one, other in head.must_link),
        cannot_link=frozenset(link(one, other) for one, other in head.cannot_link),
        generation=head.generation,
        model_id=head.model,
        calibration_version=head.calibration,
    )
    config = head.config if legacy and isinstance(head.config, dict) else {}
    thresholds = head.thresholds or config
    extras = {key: value for key, value in raw.items() if key not in _KEYS}
    _bounded(extras, file)
    return BookText(book, thresholds, extras, theme_extras, _comments(text), legacy)


class BookSerializer:
    """Writes books as text; themes that did not change keep the text they had."""

    def __init__(self) -> None:
        self._blocks: dict[str, tuple[Theme, Mapping[str, Json], str]] = {}

    def text(self, book_text: BookText, settings: ThemeSettings, now: datetime) -> str:
        """Return the text of a book. `settings` are the thresholds in force, for the reader."""
        book, comments = book_text.book, book_text.comments
        lines: list[str] = []

        def put(key: str, *content: str) -> None:
            lines.extend(comments.get(key, ()))
            lines.extend(content)

        if not comments:
            lines.extend(_HEADER)
        put("version", f"version: {_quoted(VERSION)}")
        put("generation", f"generation: {book.generation}")
        put("last_updated", f"last_updated: {_time(now)}")
        put("model", f"model: {_quoted(book.model_id)}")
        put("calibration", f"calibration: {_quoted(book.calibration_version)}")
        put("thresholds", *_mapping("thresholds", book_text.thresholds))
        put("in_force", *_mapping("in_force", msgspec.to_builtins(settings)))
        for key, value in book_text.extras.items():
            put(key, f"{_key(key)}: {_flow(value)}")
        put("themes", "themes:" if book.themes else "themes: []")
        blocks: dict[str, tuple[Theme, Mapping[str, Json], str]] = {}
        nothing: Mapping[str, Json] = {}
        for theme in book.themes:
            extra = book_text.theme_extras.get(theme.id, nothing)
            known = self._blocks.get(theme.id)
            # An unchanged theme is the same object: comparing 10,000 records is not needed.
            if known is None or known[0] is not theme or known[1] != extra:
                known = (theme, extra, _block(theme, extra))
            blocks[theme.id] = known
            lines.extend(f"  {comment}" for comment in comments.get(theme.id, ()))
            lines.append(known[2])
        self._blocks = blocks
        for key, links in (("must_link", book.must_link), ("cannot_link", book.cannot_link)):
            pairs = [f"  - [{_quoted(a)}, {_quoted(b)}]" for a, b in sorted(links)]
            put(key, f"{key}:" if pairs else f"{key}: []", *pairs)
        lines.extend(comments.get(_END, ()))
        return "\n".join(lines) + "\n"


def _theme(
    entry: Mapping[str, Any], number: int, file: Path, legacy_scope: Scope
) -> tuple[Theme, dict[str, Json]]:
    legacy = "themeId" in entry
    raw = {str(_LEGACY.get(key, key) if legacy else key): value for key, value in entry.items()}
    try:
        read = msgspec.convert(_given(raw), _Entry, strict=False)
        created = parse_time(read.created_at) if read.created_at else _EPOCH
        updated = parse_time(read.updated_at) if read.updated_at else created
    except (msgspec.ValidationError, InvalidValueError) as error:
        said = _("theme {theme_id}: {error}").format(theme_id=raw.get("id", number), error=error)
        raise DocumentDamagedError(file, None, said) from error
    theme = Theme(
        id=read.id,
        label=read.label,
        members=tuple(dict.fromkeys(read.members)),
        created_at=created,
        updated_at=updated,
        scope=legacy_scope if legacy else read.scope.whole,
        label_by_human=read.label_by_human,
        pinned=read.pinned,
        neighbours=read.neighbours,
    )
    extra = {k: v for k, v in raw.items() if k not in _THEME_KEYS and k != "memberCount"}
    _bounded(extra, file)
    return theme, extra


def _given(raw: Mapping[Any, Any]) -> dict[str, Any]:
    """Return the keys that have a value; every plain word of the file is text here."""
    return {str(key): value for key, value in raw.items() if value not in _NOTHING}


def _bounded(value: Json, file: Path) -> None:
    """Refuse what unfolds to more nodes than a person wrote: aliases of aliases."""
    waiting, seen = [value], 0
    while waiting:
        node = waiting.pop()
        seen += 1
        if seen > _MOST_NODES:
            raise DocumentDamagedError(file, None, _("it unfolds to more than a million values"))
        if isinstance(node, dict):
            waiting.extend(node.values())
        elif isinstance(node, list):
            waiting.extend(node)


def _comments(text: str) -> dict[str, tuple[str, ...]]:
    """Return the comments of a text, each at the key or theme that it belongs to."""
    if "#" not in text:
        return {}
    found: dict[str, list[str]] = {}
    above: list[str] = []
    here = _END
    for line in text.splitlines():
        bare = line.strip()
        if not bare:
            continue
        if bare.startswith("#"):
            above.append(bare)
            continue
        start = _THEME_START.match(line) or _TOP_KEY.match(line)
        if start is not None:
            here = start[1]
        if above:
            found.setdefault(here, []).extend(above)
            above = []
        if "#" in line:
            trailing = _TRAILING.search(_QUOTED.sub(lambda text: "_" * len(text[0]), line))
            if trailing is not None:
                found.setdefault(here, []).append(line[trailing.start(1) :].rstrip())
    if above:
        found.setdefault(_END, []).extend(above)
    return {key: tuple(lines) for key, lines in found.items()}


def _block(theme: Theme, extra: Mapping[str, Json]) -> str:
    lines = [
        f"  - id: {_quoted(theme.id)}",
        f"    label: {_quoted(theme.label)}",
    ]
    if theme.label_by_human:
        lines.append("    label_by_human: true")
    if theme.pinned:
        lines.append("    pinned: true")
    scope = {
        name: value
        for name, value in (("user_id", theme.scope.user_id), ("app_id", theme.scope.app_id))
        if value is not None
    }
    if scope:
        lines.append(f"    scope: {_flow(scope)}")
    lines.append("    members:")
    lines.extend(f"      - {_quoted(member)}" for member in theme.members)
    lines.append(f"    neighbours: {_flow(theme.neighbours)}")
    lines.append(f"    created_at: {_time(theme.created_at)}")
    lines.append(f"    updated_at: {_time(theme.updated_at)}")
    lines.extend(f"    {_key(key)}: {_flow(value)}" for key, value in extra.items())
    return "\n".join(lines)


def _mapping(name: str, values: Mapping[str, Json]) -> list[str]:
    if not values:
        return [f"{name}: {{}}"]
    return [f"{name}:", *(f"  {_key(key)}: {_flow(value)}" for key, value in values.items())]


def _flow(value: Json) -> str:
    """Return a value on one line; words that were plain numbers or truth values stay so."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_quoted(k)}: {_flow(v)}" for k, v in value.items()) + "}"
    if isinstance(value, Iterable) and not isinstance(value, str):
        return "[" + ", ".join(map(_flow, value)) + "]"
    if not isinstance(value, str) or value in ("true", "false", "null") or _NUMBER.fullmatch(value):
        return value if isinstance(value, str) else json.dumps(value)
    return _quoted(value)


def _key(key: str) -> str:
    return key if _TOP_KEY.fullmatch(f"{key}:") else _quoted(key)


def _quoted(text: str) -> str:
    """Return a JSON string, which is a YAML string too once odd characters are escaped."""
    quoted = json.dumps(text, ensure_ascii=False)
    if quoted.isprintable():
        return quoted
    return "".join(c if c.isprintable() else _escaped(ord(c)) for c in quoted)


def _escaped(code: int) -> str:
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _time(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")
