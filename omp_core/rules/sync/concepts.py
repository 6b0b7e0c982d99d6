"""Words of Chinese and English for the parts, environments and properties of a project."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from omp_core.language.tokens import stem

Dimension = Literal["environment", "part", "property"]

_ENVIRONMENTS = """
production: production, prod, live site, live system, 生产环境, 生产, 线上, 正式环境
staging: staging, stage, pre-production, preprod, 预发布, 预发, 预生产, 灰度环境
test: qa, test environment, test server, test system, 测试环境, 测试服, 测试站
development: development, dev, local, localhost, locally, 开发环境, 本地, 本机
preview: preview, 预览
"""
_PARTS = """
frontend: front end, frontend, web, web app, website, site, storefront, ui, 前端, 网站, 官网, 站点,
  页面, 店面, 主站, 网页
backend: back end, backend, api, server, 后端, 服务端, 接口
docs: doc, documentation, wiki, 文档, 手册
repository: repo, repository, code base, 代码仓库, 代码库, 代码仓, 仓库
admin: admin, back office, 管理后台, 后台管理, 管理端, 控制台
monitoring: monitoring, metric, dashboard, alert, 监控, 看板, 告警
logging: log, logging, 日志
ci: ci, pipeline, 流水线, 持续集成
database: database, db, 数据库, 主库, 从库
cache: cache, caching, 缓存
queue: queue, message queue, broker, mq, job, worker, 消息队列, 队列, 消息中间件, 后台任务
search: search, search engine, full-text search, 搜索引擎, 搜索, 全文检索
registry: registry, container registry, 镜像仓库, 镜像
storage: storage, object storage, bucket, 对象存储, 文件存储
mail: mail, email, e-mail, smtp, 邮件, 邮箱
auth: auth, authentication, sso, login, 登录, 认证, 鉴权
package_manager: package manager, dependency, dependencies, 包管理器, 包管理工具, 包管理, 依赖
testing: test, testing, unit test, test framework, 测试框架, 测试, 单测, 用例
linting: lint, linter, linting, 静态检查, 代码检查
formatting: format, formatter, formatting, 格式化
typing: type checker, type check, type checking, 类型检查
bundling: bundler, bundling, build tool, 打包, 构建工具
state: state management, 状态管理
orm: orm
orchestration: orchestrator, orchestration, scheduler, scheduling, 编排, 调度
proxy: reverse proxy, proxy, proxies, gateway, 反向代理, 网关
hosting: hosting, cloud provider, 云厂商, 云平台, 云服务
infrastructure: infrastructure, iac, 基础设施
chat: chat, messenger, 沟通工具, 即时通讯
tracker: issue tracker, ticket, 需求管理, 缺陷管理, 工单
styling: css, styling, 样式
language: programming language, 编程语言, 开发语言
"""
_PROPERTIES = """
port: port, 服务端口, 端口
timeout: timeout, time out, 超时
retries: retry, retries, 重试
branch: branch, 分支
indentation: indent, indentation, tab width, tab size, 缩进
line_length: line length, line width, max line, 行宽, 行长
page_size: page size, items per page, rows per page, items a page, 每页, 分页大小
rate: rate, rate limit, requests per, requests a, qps, 限流, 每分钟, 每秒
replicas: replica, 副本, 实例数
region: region, 地域, 区域, 可用区
time_zone: time zone, timezone, 时区
coverage: coverage, 覆盖率
retention: retention, kept for, retained, 保留
budget: budget, 预算
memory: memory limit, ram, 内存
concurrency: concurrency, concurrent, 并发
pool: pool, pool size, 连接池
expiry: expiry, expire, expiration, ttl, 有效期, 过期
version: version, 版本
release: release, ship, 发布, 发版, 上线
theme: theme, 主题, 配色
license: license, licence, 许可证
"""
_TABLES: tuple[tuple[Dimension, str], ...] = (
    ("environment", _ENVIRONMENTS),
    ("part", _PARTS),
    ("property", _PROPERTIES),
)


@lru_cache(maxsize=1)
def concepts() -> dict[tuple[Dimension, str], tuple[str, ...]]:
    """Return (dimension, concept) -> its words."""
    return {
        (dimension, name): tuple(word.strip() for word in words.split(","))
        for dimension, table in _TABLES
        for name, _colon, words in (
            line.partition(":") for line in table.replace("\n  ", " ").strip().splitlines()
        )
    }


def find_concepts(text: str) -> tuple[dict[Dimension, frozenset[str]], str]:
    """Return the concepts of a text, and the text without their words.

    The longest word counts: a test environment is no test, an image registry no repository.
    """
    found: dict[Dimension, set[str]] = {"environment": set(), "part": set(), "property": set()}
    pattern, owners = _pattern()

    def take(match: re.Match[str]) -> str:
        dimension, name = owners[_key(match["word"])]
        found[dimension].add(name)
        return " "

    rest = pattern.sub(take, text)
    return {dimension: frozenset(names) for dimension, names in found.items()}, rest


@lru_cache(maxsize=1)
def _pattern() -> tuple[re.Pattern[str], dict[str, tuple[Dimension, str]]]:
    owners = {_key(word): owner for owner, words in concepts().items() for word in words}
    written = sorted((word for words in concepts().values() for word in words), key=len)
    alternatives = "|".join(
        rf"(?<![A-Za-z0-9]){_spaced(word)}(?:e?s)?(?![A-Za-z0-9])" if word.isascii() else word
        for word in reversed(written)
    )
    return re.compile(rf"(?P<word>{alternatives})", re.IGNORECASE), owners


def _spaced(word: str) -> str:
    return re.sub(r"\\?[ -]", r"[ -]?", word)


def _key(word: str) -> str:
    """Bring the ways to write a word to one: plural, hyphen or space or none."""
    if not word.isascii():
        return word
    *head, last = re.split(r"[ -]", word.lower())
    return "".join([*head, stem(last)]) if not head else stem("".join([*head, last]))
