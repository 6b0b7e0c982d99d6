"""Where a fact is kept, under which category and key."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence

from omp_core.extraction.classify.deployments import changed_folder, deployment, platform
from omp_core.extraction.classify.kinds import Kind, Route, ScopeKind
from omp_core.extraction.classify.replacements import Replacement, replacement
from omp_core.extraction.classify.slots import Slot, property_key, slots
from omp_core.extraction.classify.technologies import technologies
from omp_core.language.normal import content_hash
from omp_core.model import Category, Json, Temporality

_URL = re.compile(r"https?://[^\s，。,)）]+[^\s，。,)）.!?！？]")
_VERSION = re.compile(r"\bv?\d+\.\d+(?:\.\d+)*\b|\b\d{8}-[0-9a-f]{6,8}\b|(?<=\s)v\d+\b")
_PORT = re.compile(
    r"(?:端口(?:应该)?|\bport|listens? on|开(?:一)?个?|:)\s*(?:是|为|=|改成|改"
    r"|换成)?\s*(\d{2,5})\b",
    re.I,
)
_PATH = re.compile(r"(?<![\w/:.])`?([\w.-]+/[\w./-]+)`?")
_DOMAIN = re.compile(
    r"(?<![\w@/-])(?:[a-z0-9-]+\.)+(?:[a-z]{2,}|example)(?![\w.]*[/(])", re.IGNORECASE
)
_NAMED_SERVICE = re.compile(r"\b[a-z][a-z0-9]*(?:-[a-z][a-z0-9]*)+\b(?!\.)")
_PART = re.compile(
    r"\b(?:metrics|web|api|admin|worker|server|gateway|docs|Trino|Airflow|MinIO|Grafana|Metabase"
    r"|Jenkins"
    r"|Kibana|Argo CD|Prometheus|Sentry|Nexus|Swagger|Apifox)\b",
    re.IGNORECASE,
)
_UPGRADED = re.compile(
    r"(?:升级到|upgraded (?:the \w+ )?to|migrated to)\s*(?P<name>[A-Za-z][\w.+#]*)\s*"
    r"(?P<version>v?\d[\w.]*)",
    re.I,
)
_RUNNING = re.compile(
    r"(?:\b(?:on|use|uses|using|runs?|need|needs|target|targets|is)\s+|用的?是?\s*|跑在?\s*"
    r"|锁在\s*"
    r"|基于\s*)(?P<name>[A-Za-z][\w.+#]*)\s+v?(?P<version>\d[\w.]*)",
    re.IGNORECASE,
)
_ENVIRONMENTS: tuple[tuple[str, str], ...] = (
    ("staging", r"预发|staging|\bstg\b|灰度"),
    ("production", r"生产|线上|正式|production|\bprod\b"),
    ("test", r"测试环境|测试|test(?:ing)? (?:env|environment)|\bqa\b"),
    ("development", r"开发环境|dev(?:elopment)? (?:env|environment)"),
)
_TOPICS: tuple[tuple[str, str], ...] = (
    ("commits", r"提交|commit"),
    ("reviews", r"approve|评审|\bPR\b|\bMR\b|review|squash|merge"),
    ("branches", r"分支|branch|主干"),
    ("releases", r"发版|上线|发布|releases?\b|deploy"),
    ("migrations", r"迁移|migration"),
    ("tests", r"测试|单测|test|覆盖率|coverage"),
    ("money", r"金额|价格|amount|price|currency|VAT|tax"),
    ("time", r"时间|时区|UTC|\bdates?\b|\btimes?\b"),
    ("names", r"命名|字段名|变量|naming|names?\b|事件名|\btags?\b"),
    ("data", r"数据|账单|表|data|table|schema|partition"),
    ("security", r"密钥|Vault|secret|权限|\baccess\b"),
    ("copy", r"文案|copy|wording|text"),
    ("alerts", r"告警|通知|alert|notification"),
    ("api", r"接口|API|endpoint"),
)
_GROUPS: Mapping[Kind, str] = {
    Kind.LESSON: "lessons",
    Kind.CONCEPT: "glossary",
    Kind.PATH: "paths",
    Kind.CONFIG: "services",
    Kind.DEPLOYMENT: "deployment",
    Kind.REPORT: "reports",
}
_ASIDE = re.compile(
    r"^[，,;；.。\s—-]*(?:(?:而)?不是|不用|没用|因为|原因|说错|记错|(?:but |and )?not\b"
    r"|instead of\b|rather than\b"
    r"|because\b|since\b|as\b|I (?:misspoke|was wrong|meant)|sorry).*$",
    re.IGNORECASE | re.DOTALL,
)
"""What follows a value and is no part of it: what it is not, why it is so, a slip put right."""
_TERM = re.compile(
    r"[「“\"'‘](?P<quoted>[^」”\"'’]{1,24})[」”\"'’]"
    r"|(?:代码里\s*)?(?P<plain>[A-Za-z][\w-]*)\s*"
    r"(?:指|就是|是指|表示|代表|stands|refers|means|in our)"
)


def route(kind: Kind, scope: ScopeKind, temporality: Temporality) -> Route:
    """Return where a fact of this kind belongs (extraction seed, phase 2).

    Contextual facts about the project go to the user store, since only a record can end by
    itself; a document would keep them for ever.
    """
    if scope is not ScopeKind.PROJECT:
        return Route.USER
    if kind is Kind.DECISION:
        return Route.DECISIONS
    if kind is Kind.MILESTONE:
        return Route.CHANGELOG
    if kind is Kind.GOAL:
        return Route.USER
    return Route.PROJECT


_OF_PROJECT: Mapping[Kind, Category] = {
    Kind.NORM: Category.DECISION,
    Kind.DIRECTIVE: Category.DECISION,
    Kind.REMEMBER: Category.DECISION,
    Kind.PREFERENCE: Category.DECISION,
    Kind.SLOT: Category.ENVIRONMENT,
    Kind.CONFIG: Category.ENVIRONMENT,
    Kind.PATH: Category.ENVIRONMENT,
    Kind.REPORT: Category.ENVIRONMENT,
    Kind.ENVIRONMENT: Category.ENVIRONMENT,
}
"""What a fact of the project is, by its kind: a rule was decided, a property is environment."""


def category(kind: Kind, where: Route, scope: ScopeKind) -> Category:
    """Return the category of a fact (memory skill, metadata)."""
    by_kind = {
        Kind.DECISION: Category.DECISION,
        Kind.DEPLOYMENT: Category.EPISODE,
        Kind.MILESTONE: Category.EPISODE,
        Kind.CONCEPT: Category.CONCEPT,
        Kind.LESSON: Category.ANTI_PATTERN,
    }
    if kind in by_kind:
        return by_kind[kind]
    if where is not Route.USER or scope is ScopeKind.PROJECT:
        return _OF_PROJECT.get(kind, Category.FACT)
    personal = {
        Kind.PREFERENCE: Category.PREFERENCE,
        Kind.DIRECTIVE: Category.PREFERENCE,
        Kind.NORM: Category.PREFERENCE,
        Kind.REMEMBER: Category.PREFERENCE,
        Kind.IDENTITY: Category.IDENTITY,
        Kind.ENVIRONMENT: Category.ENVIRONMENT,
    }
    return personal.get(kind, Category.FACT)


def values(kind: Kind, text: str) -> tuple[tuple[str, Json], ...]:
    """Return what to set in project.yaml: (key path, value) pairs, the main one first.

    Stack, tools, addresses, ports and versions have keys of their own, so that a later value
    replaces the earlier. Everything else is kept whole under a group and a name made from
    the text, so two facts never share a key.
    """
    changed = replacement(text)
    if changed is not None and kind in (Kind.SLOT, Kind.CONFIG, Kind.DECISION):
        key = _replaced_key(text, changed)
        if key:
            return ((key, changed.new),)
    folder = changed_folder(text) if kind is Kind.PATH else None
    if folder:
        return ((f"paths.{_slug(folder.rstrip('/').rsplit('/', 1)[-1])}", folder),)
    if kind in (Kind.DEPLOYMENT, Kind.CONFIG, Kind.SLOT, Kind.REMEMBER, Kind.NORM):
        deployed = _deployment(kind, text)
        if deployed:
            return deployed
    upgraded = _UPGRADED.search(text)
    if kind is Kind.SLOT and upgraded:
        name, version = upgraded["name"], upgraded["version"]
        return ((f"tech_stack.{_slug(name)}", f"{name} {version}"),)
    if kind is Kind.SLOT:
        single = [slot for slot in slots(text) if slot.single]
        if len(single) == 1:
            return ((single[0].key, _slot_value(text, single[0])),)
    running = _RUNNING.search(text) if kind is Kind.SLOT else None
    if running and technologies(running["name"]):
        return ((f"tech_stack.{_slug(running['name'])}", running["version"]),)
    group = _GROUPS.get(kind, "conventions")
    return ((f"{group}.{_name(kind, text)}", text),)


def keyed(kind: Kind, text: str) -> bool:
    """Tell whether a statement sets a property that has a key of its own."""
    found = values(kind, text)
    return bool(found) and found[0][0].startswith(("tech_stack.", "deployment.", "services."))


def _replaced_key(text: str, changed: Replacement) -> str:
    """The key of what was replaced: the property that is named, the subject whose version
    rose, else the role that the new one plays.
    """
    if changed.version:
        return f"tech_stack.{_slug(changed.subject)}"
    return next((slot.key for slot in slots(text) if slot.single), "") or property_key(text)


def _slot_value(text: str, slot: Slot) -> str:
    """The value alone, or the whole where more is said ("lint is X, locked to 1.57")."""
    rest = _ASIDE.sub("", text[slot.end :]).strip(" 。.!！，,;；")
    if rest or technologies(slot.noun):
        return text
    return re.sub(r"^(?:on|in|an?|the)\s+", "", slot.value, flags=re.IGNORECASE)


def _deployment(kind: Kind, text: str) -> tuple[tuple[str, Json], ...]:
    """An address belongs to a named service, else to its environment; what was deployed to
    an environment belongs to the service if that has a name of its own.
    """
    plain = _URL.sub(" ", text)
    environment, url = _environment(plain), _URL.search(text)
    domain = _DOMAIN.search(plain)
    named = _NAMED_SERVICE.search(plain)
    part = _PART.search(_DOMAIN.sub(" ", plain))
    if kind is Kind.DEPLOYMENT:
        version = _VERSION.search(plain)
        service = platform(text) or (
            _slug(named[0]) if named else environment or (_slug(part[0]) if part else "")
        )
        place = url[0] if url else domain[0] if domain else None
        service = service or (_host(f"//{domain[0]}") if domain else "main")
        found: list[tuple[str, Json]] = []
        if version:
            found.append((f"deployment.{service}.version", version[0]))
        if place:
            found.append((f"deployment.{service}.url", place))
        happened = deployment(text)
        outcome = happened.outcome if happened else "active"
        return (*found, (f"deployment.{service}.status", outcome))
    own = _slug(part[0]) if part else _slug(named[0]) if named else None
    if url and environment and not own and kind is not Kind.NORM:
        return ((f"deployment.{environment}.url", url[0]),)
    if url and kind in (Kind.CONFIG, Kind.REMEMBER):
        return ((f"services.{own or _host(url[0])}.url", url[0]),)
    port = _PORT.search(text)
    if port and kind is Kind.CONFIG:
        return ((f"services.{own or 'main'}.port", int(port[1])),)
    return ()


def _environment(text: str) -> str | None:
    for name, pattern in _ENVIRONMENTS:
        if re.search(pattern, text, re.IGNORECASE):
            return name
    return None


def _host(url: str) -> str:
    return _slug(url.split("//", 1)[1].split("/", 1)[0].split(":", 1)[0]) or "main"


def _name(kind: Kind, text: str) -> str:
    if kind is Kind.CONCEPT:
        term = _TERM.search(text)
        if term:
            return _slug(term["quoted"] or term["plain"])
    words = technologies(text)[:2] or _PATH.findall(text)[:1]
    named = [slot.noun for slot in slots(text)][:1]
    topic = next((name for name, pattern in _TOPICS if re.search(pattern, text, re.I)), "")
    topic = _slug(named[0]) if named else topic or ("" if words else "note")
    parts = [part for part in (topic, *(_slug(word) for word in words)) if part]
    return "-".join([*dict.fromkeys(parts), content_hash(text)[:4]])


def _slug(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).lower()
    return re.sub(r"[^\w\u4e00-\u9fff]+", "-", folded).strip("-_")


def main_key(pairs: Sequence[tuple[str, Json]]) -> str | None:
    """Return the key path that stands for the whole fact."""
    return pairs[0][0] if pairs else None
