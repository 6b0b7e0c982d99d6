"""Properties that projects have, and where each is kept in project.yaml."""

from __future__ import annotations

import re
from dataclasses import dataclass

from omp_core.extraction.classify.technologies import technologies
from omp_core.language.language import Script, script


@dataclass(frozen=True, slots=True)
class Slot:
    """A property and its value as said. `key` is a path in project.yaml.

    `single`: a project has one of it, so a later value replaces the earlier.
    """

    key: str
    noun: str
    value: str
    start: int
    end: int
    single: bool


_NOUNS: tuple[tuple[str, str], ...] = (
    ("tech_stack.database", r"数据库|database|\bdb\b"),
    (
        "tech_stack.message_queue",
        r"消息(?:队列|中间件)|(?<!\w)队列(?!长|深|积)|(?:message |job |task )(?:queue|broker)"
        r"|\bMQ\b",
    ),
    ("tech_stack.cache", r"缓存(?:层)?|cach(?:e|ing)(?: layer)?"),
    ("tech_stack.python", r"Python\s*版本|python version"),
    ("tech_stack.node", r"Node(?:\.js)?\s*(?:版本|version)"),
    ("tech_stack.go", r"Go\s*版本|go version"),
    ("tech_stack.java", r"(?:Java|JDK)\s*(?:版本|version)"),
    ("tech_stack.language", r"(?:开发|编程|后端|前端)语言|(?:programming )?language"),
    ("tech_stack.framework", r"框架|(?:web )?framework"),
    (
        "tech_stack.frontend",
        r"前端|web app|front[- ]?end|(?:mobile |web )client|mobile app|the app|website",
    ),
    ("tech_stack.backend", r"后端|back[- ]?end|the (?:API|server)|服务端"),
    ("tech_stack.package_manager", r"包管理(?:器|工具)?|依赖管理|package manager"),
    (
        "tech_stack.orchestration",
        r"定时任务(?:框架|系统|平台)?|调度|编排|任务调度|orchestration|scheduler",
    ),
    ("tech_stack.storage", r"(?<!数据)存储|(?:object )?storage"),
    ("tech_stack.query_engine", r"查询引擎|query engine"),
    ("tech_stack.search", r"搜索引擎|search engine"),
    ("tech_stack.orm", r"\bORM\b"),
    ("tech_stack.state_management", r"状态管理|state management"),
    ("tech_stack.testing", r"测试框架|单测框架|test(?:ing)? framework|tests|unit tests?|e2e"),
    ("tech_stack.monorepo", r"monorepo tool"),
    ("tech_stack.lint", r"\blint(?:er|ing)?\b|静态检查"),
    ("tech_stack.formatter", r"格式化工具|formatter|formatting"),
    ("tech_stack.type_checker", r"类型检查|type check(?:er|ing)|\bmypy\b"),
    ("tech_stack.ci", r"\bCI\b|流水线|持续集成|(?:ci )?pipeline"),
    ("tech_stack.migrations", r"迁移工具|migration tool"),
    ("tech_stack.monitoring", r"监控|monitoring"),
    ("tech_stack.logging", r"日志(?:收集|平台|系统)|logging"),
    ("tech_stack.analytics", r"埋点|analytics|tracking"),
    ("tech_stack.build", r"构建工具|build tool|打包工具|bundler"),
    ("tech_stack.hosting", r"部署(?:工具|平台|方式)|hosting|deployments?"),
    ("tech_stack.mail", r"邮件服务|mail provider"),
    ("tech_stack.base_image", r"基础镜像|base image"),
    ("registry", r"镜像仓库|镜像|container registry|images?"),
    ("conventions", r"分支策略|分支(?:模型|管理)|branching(?: model| strategy)?"),
    ("conventions", r"编码|encoding"),
    ("conventions", r"时间戳|时区|日期格式|timestamps?|time ?zones?|dates"),
    ("conventions", r"金额|价格|amounts?|prices"),
    (
        "conventions",
        r"字段名?|表名|事件名|文件名|接口名|类名|包名|分支(?:命)?名|tag\s*规则|命名规则|缩进",
    ),
    (
        "conventions",
        r"flag names|table names|file names|field names|event names|branch names|naming"
        r"|indentation",
    ),
    ("conventions", r"错误码|返回值|日志级别|error codes"),
    ("limits", r"性能目标|性能要求|\bSLA\b|\bSLO\b|覆盖率|限流|限额|配额|超时|阈值|并发"),
    ("limits", r"latency(?: target| budget)?|coverage|rate limit|quota|timeout|budget"),
    ("limits", r"要求|上限|下限|requirement"),
    ("limits", r"(?:接口|API)[^，。]{0,8}?(?:每(?:小时|天|分钟|秒)|限)"),
    (
        "support",
        r"(?:最低|最小)?(?:支持)?版本|minimum (?:supported )?versions?|supported versions?",
    ),
    ("glossary", r"术语"),
    ("services", r"(?:服务|监听|控制台|前端|后端)?端口|\bmetrics\b|\bports?\b"),
    ("data", r"账单|样例|数据|文件|data|files"),
)

_ZH_COPULA = (
    r"(?:目前|现在|我们|这边|统一|都|全|一律|还|规则)?\s*"
    r"(?:都)?(?:是用的?|用的?是?|是|走的?|跑在|跑|采用|基于|锁(?:定|在)?|为|：|:|存|以|限|开(?:启"
    r"|了)?|设(?:为|成)|推到|卡在|定在|要|得)"
)
_EN_COPULA = (
    r"(?:,? (?:is|are|uses?|runs? on|sits? on|listens? on|was|will be|must be|has to be"
    r"|goes? through"
    r"|(?:is|are) on|with|end with|start with)\b|:| =)"
)
_FRAMES = tuple(
    (
        key,
        re.compile(
            rf"(?P<noun>{noun})(?P<gap>[^，。；,;:：?？!]{{0,9}}?)\s*(?:{_ZH_COPULA}|{_EN_COPULA}"
            rf"|(?<=[\u4e00-\u9fff])\s+(?=[A-Za-z]))"
            r"\s*(?P<value>[^，。；;?？]{1,60})",
            re.IGNORECASE,
        ),
    )
    for key, noun in _NOUNS
)
_COMPOUND = re.compile(
    r"\s*(?:hosts?(?:names?)?|urls?|address(?:es)?|ports?|names?|passwords?|users?|connections?"
    r"|sizes?|paths?|backups?|schemas?|folders?|keys?|tables?|files?|limits?|timeouts?|pools?"
    r"|endpoints?|servers?|clusters?|instances?|drivers?)\b"
    r"|\s*的?(?:地址|主机|域名|端口|名称?|密码|账号|用户|连接|大小|容量|路径|备份|目录|表|超时"
    r"|实例|驱动)",
    re.IGNORECASE,
)
"""A noun that makes another property of the one before it: a database host is no database."""
_SINGLE = ("tech_stack.", "registry")
_CONCRETE = re.compile(
    r"[A-Za-z][\w.+#/-]*|\d|主干|两地三中心|[一二三四五六七八九十百千万两]+(?:个|行|秒|分钟|小时"
    r"|天|次|点|百|条)|分区|分库|小写|大写|下划线|驼峰|蛇形|蓝绿|灰度|滚动|分存"
)
_CONCRETE_LATIN = re.compile(
    r"[A-Z]{2,}|(?:^|\s)[A-Z]\w|\d|\w[-_/.]\w|_\w|`|sentence case|lower ?case|upper ?case"
)
_VAGUE = re.compile(
    r"^(?:the|a|an|it|this|that|not|so|very|too|啥|什么|哪|谁|不是|多少|几)\b", re.I
)


def slots(text: str) -> list[Slot]:
    """Return the properties that `text` gives a concrete value, in order, without overlap."""
    found: list[Slot] = []
    for key, frame in _FRAMES:
        for match in frame.finditer(text):
            value = re.sub(r"\s+now$", "", match["value"].strip(" 的了。.,，"))
            if not _is_value(value, script(text)):
                continue
            single = key.startswith(_SINGLE)
            if single and _COMPOUND.match(match["gap"]):
                continue
            found.append(
                Slot(key, match["noun"].strip(), value, match.start(), match.end(), single)
            )
    found.sort(key=lambda slot: (slot.start, -slot.end))
    kept: list[Slot] = []
    for slot in found:
        if not kept or slot.start >= kept[-1].end:
            kept.append(slot)
    return kept


def property_key(text: str) -> str:
    """Return the key of the first property of the stack that `text` names, or ""."""
    found = [
        (match.start(), key)
        for key, noun in _NOUNS
        if key.startswith(_SINGLE) and (match := re.search(noun, text, re.IGNORECASE))
    ]
    return min(found)[1] if found else ""


def _is_value(value: str, written: Script) -> bool:
    if technologies(value):
        return True
    if _VAGUE.match(value):
        return False
    concrete = _CONCRETE if written == "cjk" else _CONCRETE_LATIN
    return bool(concrete.search(value))
