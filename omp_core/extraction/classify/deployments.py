"""Deployments, releases and changed settings: what happened, where, and how it ended."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Outcome = Literal["active", "failed", "rolled back"]

_I = re.IGNORECASE
_PLATFORMS: tuple[tuple[str, str], ...] = (
    ("vercel", r"vercel"),
    ("netlify", r"netlify"),
    ("cloudflare", r"wrangler|cloudflare|workers?\.dev"),
    ("railway", r"railway"),
    ("render", r"\bRender\b|\brender (?:deploy|service|dashboard|env)|onrender"),
    ("fly", r"fly\.io|\bfly deploy|flyctl|fly\.dev"),
    ("heroku", r"heroku"),
    ("firebase", r"firebase"),
    ("amplify", r"amplify"),
    ("app-engine", r"app engine|gcloud app"),
    ("cloud-run", r"cloud run"),
    ("lambda", r"aws lambda|\blambda\b|serverless deploy|\bsls deploy"),
    ("ecs", r"\becs\b|fargate"),
    ("kubernetes", r"\bk8s\b|kubernetes|\bhelm\b|kubectl|argo ?cd"),
    ("docker", r"docker hub|docker push|\bghcr\b|docker compose"),
    ("npm", r"\bnpm publish|(?:\bto|到) ?npm\b|npm registry"),
    ("pypi", r"\bpypi\b|twine upload"),
    ("crates", r"crates\.io|cargo publish|crates-io"),
    ("github-pages", r"github pages|gh-pages|github\.io"),
    ("app-store", r"app store|testflight"),
    ("google-play", r"google play|play store"),
    ("aliyun", r"阿里云|\baliyun\b|函数计算"),
    ("tencent-cloud", r"腾讯云|云开发"),
    ("mini-program", r"小程序"),
    ("dokku", r"\bdokku\b"),
    ("coolify", r"\bcoolify\b"),
    ("supabase", r"\bsupabase\b"),
    ("deno-deploy", r"deno deploy|deployctl"),
)
_SERVICE_NAMES = tuple(
    (name, re.compile(pattern, _I if name != "render" else 0)) for name, pattern in _PLATFORMS
)

_FAILED = re.compile(
    r"部署(?!脚本|文档|流程|配置|文件|命令)[^，。]{0,8}(?:失败|挂了|报错|超时|没成功|不成功"
    r"|中断)|发布[^，。]{0,6}(?:失败|没成功)"
    r"|上线[^，。]{0,6}(?:失败|没成功)|(?:构建|发版|回滚)失败"
    r"|\b(?:deploy(?:ment|s)?|release|rollout|build|publish|upload)\b[^.?!\n]{0,30}\b(?:failed"
    r"|fails|errored|timed out|got stuck|is stuck|crashed|broke|was rejected|aborted|exited with)\b"
    r"|\b(?:failed|unable|could not|couldn'?t) to (?:deploy|release|publish|roll out|build)\b"
    r"|\bbuild failed\b|\bdeployment (?:failed|error)\b",
    _I,
)
_REVERTED = re.compile(
    r"回滚(?:了|到|至|完成|成功|好了)|已(?:经)?回滚|退回(?:到|了)(?:上一|旧|v?\d)"
    r"|撤回了[^，。]{0,6}(?:发布|部署|版本)"
    r"|\b(?:rolled (?:it |that |this |them |everything |back )?(?:back)?|reverted (?:it|that"
    r"|the (?:deploy|release|rollout)|to)|rolled back)\b",
    _I,
)
_SUCCEEDED = re.compile(
    r"(?:部署|发布|上线|发版|推送|上架|切流|灰度|升级|迁移)(?:已经?)?(?:成功|完成|完毕|好了|完了"
    r"|通过|跑通|全量)|(?:已|已经|成功|顺利"
    r"|刚刚?)[^，。]{0,30}(?:部署|发布|上线|上架|推送?到|推到|切换到|切到|打标签|全量)"
    r"|deploy\s*(?:跑通|成功|完成|好)了?|(?:审核通过|过审)|已经?全量|--prod\s*成功|(?:现在"
    r"|目前)(?:线上)?跑的(?:就)?是|(?:新版"
    r"|正式版)(?:本)?(?:已经?)?(?:上|发)(?:了|线)"
    r"|(?:域名|地址|网址|站点|新版)(?:已经?|正式)?(?:上线|启用|生效)|打(?:了|好)(?:标签|tag)"
    r"|\b(?:deploy(?:ment|ed)?|release|rollout|published?)\b[^.?!\n]{0,24}\b(?:complete[d]?"
    r"|successful(?:ly)?|succeeded|finished|is live|went (?:out|live|through)|done)\b"
    r"|\b(?:successfully|now|just|has been|have been|is(?! shipped| uploaded)|are(?= now"
    r"| just)|was|were|we(?:'ve)?|I(?:'ve)?) (?:now "
    r"|just |successfully )?(?:deployed|released|published|shipped|rolled out|promoted|uploaded"
    r"|launched)\b"
    r"|^(?:deployed|released|published|shipped|rolled out|promoted|launched|uploaded)\b|\b(?:is"
    r"|are|went) (?:now )?live\b|\blive at\b|\bservice is live\b"
    r"|\[new tag\]|\bpushed the tag\b|\btagged (?:and (?:pushed|released) )?v?\d|\b(?:uploaded"
    r"|published) [\w@/.-]+ v?\d[\w.]*",
    _I,
)
_DELIVERED = re.compile(
    r"(?:推|传|放|发|挂|搬|同步)(?:上|到)[^，。]{0,16}了|(?:跑在|运行在)[^，。]{1,16}上了"
    r"|\b(?:pushed|uploaded|delivered|promoted) (?:it |this |that |everything )?to\b"
    r"|\b(?:is|are) (?:now )?serving\b",
    _I,
)
"""What counts as deployed where the text names the platform it went to."""
_ABOUT = re.compile(
    r"部署|发布|上线|发版|上架|线上|生产|预发|灰度|回滚|集群|地址|标签|审核|全量|wrangler|vercel"
    r"|helm|deploy|release|rollout"
    r"|publish|live|production|staging|ship|launch|tag\b|registry|rolled|store|tagged",
    _I,
)
_NOT_YET = re.compile(
    r"^(?:要|准备|打算|马上|接下来|下一步|等|先|请|可以|需要|帮)|(?:要|准备|打算|马上)(?:部署"
    r"|发布|上线)|还没(?:有)?(?:部署|发布|上线)|(?:部署"
    r"|发布|上线)(?:之)?前"
    r"|\b(?:will|going to|about to|ready to|need to|want to|before (?:we|you)|let'?s|please|should"
    r"|can|could|to be|once|after|when|if) (?:\w+ )?(?:deploy|release|publish|ship|roll|go live)"
    r"|\b(?:starting|bumping|preparing) the\b",
    _I,
)
_PLACE = re.compile(
    r"https?://|生产|预发|线上环境|测试环境|集群|服务器|\b(?:production|prod|staging|cluster"
    r"|server)\b",
    _I,
)
_BRANCH_ONLY = re.compile(
    r"(?:分支|\bbranch\b|\bcommit(?:s|ted)?\b|草稿|\bdraft\b|\bPR\b|\bMR\b)", _I
)

_VARIABLE = r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+"
_FILE = (
    r"(?:[\w-]*\.)?env(?:\.\w+)?\b|[\w./-]+\.(?:ya?ml|toml|json|ini|conf|cfg|properties|tf|lock)"
    r"|Dockerfile|Procfile|Makefile"
)
_SETTING = re.compile(
    rf"(?:更新|修改|调整|轮换|换掉?|设置|配置|新增|加)了?[^，。]{{0,12}}(?:{_VARIABLE}|{_FILE}"
    rf"|密钥|证书|令牌|token|secret"
    rf"|环境变量)"
    rf"|(?:{_VARIABLE}|{_FILE})[^，。]{{0,16}}(?:换|改|更新|轮换|调|设|加|吊销|过期|配)(?:了|成"
    rf"|到|为|好|上)"
    r"|从\s*\d[^，。]{0,8}(?:提|降|调|改|升|加|减|缩)[^，。]{0,2}(?:到|成|为|至)了?\s*\d"
    r"|\b(?i:went|goes|rose|raised|moved|dropped|lowered)(?: up| down)? from \d[\w .%]* to \d[\w.]*"
    r"|[^，。]{2,20}(?:改|调|设|提|降|放宽|收紧|加|减|升|缩)(?:成|到|为"
    r"|至)\s*(?:了)?\s*[\w.]*\d[\w%.]*\s*(?:了|秒|分钟|小时"
    r"|天|个|次|MB|GB|M|G|m|s|ms|条|并|$|，|。)?"
    rf"|\b(?i:set|updated?|changed?|rotated?|bumped?|raised|lowered|increased|reduced|added|put"
    rf"|moved|replaced|enabled|disabled|pinned)\b[^.?!]{{0,30}}(?:\b{_VARIABLE}\b|\b{_FILE}"
    rf"|\b(?:secret|token|key|certificate|env(?:ironment)? (?:var(?:iable)?|group)|config map"
    rf"|feature flag|annotation|configuration|config)s?\b)"
    rf"|\b{_VARIABLE}\b[^.?!]{{0,40}}\b(?:is (?:now )?in|lives? in|moved|rotated|changed|set)\b"
    rf"|\b(?i:set|changed?|bumped?|raised|lowered|increased"
    rf"|reduced) (?:the )?[\w .-]{{2,40}}(?: to| =|=) ?[\w\"'.]*\d"
    r"|\b[\w ]{2,40} (?:is|are) (?:now )?\d[\w.]*(?: \w+)? now\b",
)
_FOLDER = re.compile(
    r"(?:创建|新建|建)(?:了|好了?)?[^，。]{0,6}(?:目录|文件夹"
    r"|路径)[^，。]{0,4}\s*`?(?P<zh>[\w.-]+/[\w./-]*)|(?:创建|新建"
    r"|建)(?:了|好了?)?\s*`?(?P<zh2>[\w.-]+/[\w./-]*)`?\s*(?:目录|文件夹)?"
    r"|\bmkdir (?:-p )?`?(?P<sh>[\w./-]+)|\b(?:created|made|added|set up) (?:the |a "
    r"|an )?(?:new )?(?:director(?:y|ies)|folders?) `?(?P<en>[\w./-]+)"
    r"|\b(?:created|made|added|set up) (?:the |a )?`?(?P<en2>[\w.-]+/[\w./-]*)`? (?:director(?:y"
    r"|ies)|folder)"
    r"|(?:把|将)\s*`?(?P<from>[\w./-]+)`?\s*(?:整个|都|全部)?(?:移动?|挪|迁|搬)(?:到|至"
    r"|进)\s*`?(?P<to>[\w./-]+)"
    r"|\bmoved (?:[\w ]{2,40} (?:from|out of) )?`?(?P<enfrom>[\w./-]+/[\w./-]*)`? (?:to|into"
    r"|under) `?(?P<ento>[\w./-]+)"
    r"|(?:把|将)[^，。]{1,24}?(?:移|挪|迁|搬|拆|归)动?(?:到|至|进"
    r"|入)了?\s*`?(?P<zhto>[\w.-]+/[\w./-]+)",
    _I,
)
_INSTALLED = re.compile(
    r"(?:^|[，,\s已])(?:安装|装)(?:了|好了?|上)?\s*`?(?P<zh>[A-Za-z][\w@/.-]+)`?(?=$|[\s，。了])"
    r"|\b(?:installed|added) `?(?P<en>[A-Za-z@][\w@/.-]+)`? (?:as a "
    r"|to (?:the )?)?(?:dependenc(?:y|ies)|globally|via|with|from|cli)",
    _I,
)
_MEASURED = re.compile(
    r"压测|耗时|延迟|P9\d|QPS|吞吐|内存占用|响应时间|体积|覆盖率(?:从|升|降)|准确率|损失"
    r"|\b(?:p9\d|latency|accuracy|loss"
    r"|throughput|benchmark|took"
    r"|faster|slower)\b",
    _I,
)
_TEMPORARY = re.compile(r"/tmp/|临时|\btemp(?:orary)?\b|\.bak\b|scratch", _I)


@dataclass(frozen=True, slots=True)
class Deployment:
    """What was deployed, as said: `service` is a platform or None, `outcome` how it ended."""

    service: str | None
    outcome: Outcome
    placed: bool = True
    """Whether it is told where: a platform, an address, an environment; else a mere release."""


def deployment(text: str) -> Deployment | None:
    """Return the deployment or release that a text reports as done or failed, else None."""
    if _DELIVERED.search(text) and platform(text) and not _NOT_YET.search(text):
        return Deployment(platform(text), "active")
    if not _ABOUT.search(text):
        return None
    if _FAILED.search(text):
        outcome: Outcome = "rolled back" if _REVERTED.search(text) else "failed"
        return Deployment(platform(text), outcome)
    if _REVERTED.search(text):
        return Deployment(platform(text), "rolled back")
    if _NOT_YET.search(text) or not _SUCCEEDED.search(text):
        return None
    if _BRANCH_ONLY.search(text):
        return None
    service = platform(text)
    return Deployment(service, "active", service is not None or bool(_PLACE.search(text)))


def platform(text: str) -> str | None:
    """Return the first hosting platform, registry or store that a text names."""
    found = [
        (match.start(), name)
        for name, pattern in _SERVICE_NAMES
        if (match := pattern.search(text)) is not None
    ]
    return min(found)[1] if found else None


def changed_setting(text: str) -> bool:
    """Tell whether a text reports a changed setting, secret or configuration file."""
    if _TEMPORARY.search(text) or _MEASURED.search(text):
        return False
    return bool(_SETTING.search(text))


def changed_folder(text: str) -> str | None:
    """Return the folder that a text reports as created, or as the new place of something."""
    if _TEMPORARY.search(text):
        return None
    match = _FOLDER.search(text)
    if match is None:
        return None
    place = next(
        match[name]
        for name in ("zh", "zh2", "sh", "en", "en2", "to", "ento", "zhto")
        if match[name]
    )
    return place.strip("/`") if "/" in place or match["sh"] or match["en"] else None


def installed(text: str) -> str | None:
    """Return the tool that a text reports as installed."""
    match = _INSTALLED.search(text)
    return (match["zh"] or match["en"]).strip("`.") if match else None
