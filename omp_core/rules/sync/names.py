"""Well-known names of software, and the role that each plays in a project.

Two names of one role are a choice: who uses the one does not use the other for the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from omp_core.language.facts import facts
from omp_core.language.lexicon import ALIASES, ORIGIN

_ROLES = """
database: postgresql mysql mariadb sqlite mongodb oracle tidb cockroachdb dynamodb cassandra
  clickhouse duckdb
cache: redis memcached valkey
queue: rabbitmq kafka nats pulsar rocketmq sqs celery sidekiq
search: elasticsearch opensearch meilisearch algolia solr typesense
package_manager.js: npm pnpm yarn bun
package_manager.py: pip poetry uv pipenv conda pdm
package_manager.java: maven gradle
testing.py: pytest unittest nose
testing.js: jest vitest mocha jasmine
testing.browser: cypress playwright puppeteer selenium
frontend: react vue angular svelte solid
frontend.app: next.js nuxt remix gatsby
state: redux zustand pinia vuex mobx recoil
bundling: vite webpack rollup parcel esbuild turbopack rspack
backend.py: django flask fastapi tornado
backend.js: express fastify nestjs koa hono
backend.java: spring quarkus micronaut
backend.go: gin echo fiber
language: python java go rust ruby php kotlin scala elixir c# node.js
language.web: javascript typescript
orm.py: sqlalchemy peewee
orm.js: prisma drizzle sequelize typeorm
orm.java: mybatis hibernate
ci: jenkins circleci travis
hosting: vercel netlify heroku fly.io railway render aws azure gcp 阿里云 腾讯云 华为云
linting.py: ruff flake8 pylint
linting.js: eslint biome
formatting.js: prettier dprint
formatting.py: black yapf
typing: mypy pyright
orchestration: kubernetes nomad
orchestration.data: airflow dagster prefect
infrastructure: terraform pulumi ansible
proxy: nginx caddy traefik haproxy
styling: tailwind bootstrap
chat: slack 飞书 钉钉 企业微信
tracker: jira linear 禅道
storage: s3 minio oss
monitoring: prometheus datadog
"""
_SPELT = {"node": "node.js", "next": "next.js", "nextjs": "next.js", "nodejs": "node.js"} | {
    "pgsql": "postgresql", "mongo": "mongodb", "vuejs": "vue", "vue.js": "vue", "reactjs": "react",
    "react.js": "react", "springboot": "spring", "elastic": "elasticsearch",
}  # fmt: skip
_EVERYDAY = "go linear render solid echo black spring next express fiber"
_AMBIGUOUS = frozenset(_EVERYDAY.split())
"""Names that are everyday words too; they count only where they are written as names."""
_PIECE = re.compile(r"[A-Za-z][\w.+#-]*[\w+#]|[A-Za-z]", re.ASCII)
_CHINESE_NAME = re.compile("飞书|钉钉|企业微信|禅道|阿里云|腾讯云|华为云")
_NUMBER_BEHIND = re.compile(
    r"\s*(?:version\s*|版本\s*|v|:\s*|==?\s*)?(\d+(?:\.\d+)*)(?![\w%])", re.ASCII
)


@dataclass(frozen=True, slots=True)
class Name:
    """A well-known name in a text. `denied`: the text says it is not used, or no longer."""

    key: str
    surface: str
    role: str
    denied: bool
    version: str | None


@lru_cache(maxsize=1)
def _roles() -> dict[str, str]:
    return {
        name: role
        for role, _colon, listed in (
            line.partition(":") for line in _ROLES.replace("\n  ", " ").strip().splitlines()
        )
        for name in listed.split()
    }


def role_of(word: str) -> str | None:
    """Return the role of a name however it is spelt, None for any other word."""
    return _roles().get(_spelling(word))


def part_of(role: str) -> str:
    """Return the part of a project that a role belongs to: `testing` of `testing.py`."""
    return role.partition(".")[0]


@lru_cache(maxsize=8192)
def names(text: str) -> tuple[Name, ...]:
    """Return the well-known names of a text, in order."""
    return tuple(_names(text))


def _names(text: str) -> Iterator[Name]:
    read = facts(text)
    for match in _PIECE.finditer(read.text):
        for surface in re.split(r"[-/]", match[0]):
            role = role_of(surface)
            if role is None or (_is_word(surface) and match[0] == surface.lower()):
                continue
            at = match.start() + match[0].find(surface)
            yield _name(read.text, surface, at, role, _denied(read.text, at))
    for match in _CHINESE_NAME.finditer(read.text):
        role = _roles()[match[0]]
        yield _name(read.text, match[0], match.start(), role, _denied(read.text, match.start()))


def _name(text: str, surface: str, at: int, role: str, denied: bool) -> Name:
    behind = _NUMBER_BEHIND.match(text, at + len(surface))
    known = surface.lower() in _roles()  # the 3 of S3 is no version
    glued = None if known else re.search(r"\d+(?:\.\d+)*$", surface)
    version = glued[0] if glued else behind[1] if behind else None
    return Name(_spelling(surface), surface, role, denied, version)


def _denied(text: str, at: int) -> bool:
    """Return whether the text says of the name there that it is not used, or was left."""
    if ORIGIN.search(text, 0, at):
        return True
    return any(token.denied and token.start <= at < token.end for token in facts(text).tokens)


def _is_word(surface: str) -> bool:
    return surface.lower() in _AMBIGUOUS


def _spelling(word: str) -> str:
    low = word.lower()
    low = _SPELT.get(low, ALIASES.get(low, low))
    if low in _roles():
        return low
    bare = re.sub(r"\d+(?:\.\d+)*$", "", low)
    return _SPELT.get(bare, ALIASES.get(bare, bare))
