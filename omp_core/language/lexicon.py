"""Small word lists of Chinese and English: what says nothing, says no, or says the opposite."""

from __future__ import annotations

import re
from functools import lru_cache

from omp_core.language.tokens import stem

_SAME = tuple(
    (re.compile(pattern, re.IGNORECASE), wording)
    for pattern, wording in (
        ("[‘’]", "'"),
        (r"\b(?:can't|cannot)\b", "can not"),
        (r"\bwon't\b", "will not"),
        (r"n't\b", " not"),
        (r"(?<=\w)'(?:s|re|ve|ll|d|m)\b", ""),
        (r"\b(?:has|have|had|needs?|ought) to\b", "must"),
        (r"\b(?:dislike|hate|detest)s?\b", "not like"),
        ("用户", ""),
        ("讨厌|厌恶|反感", "不喜欢"),
        ("不得不|不能不|不可不", "要"),
        (
            "(?:绝对)?(?:禁止|严禁|不允许|不许|不准|不得|不可以|不可|不能|不要|不应该|不应|不该|不必)",
            "不",
        ),
        ("请勿|切勿", "不"),
        ("使用|采用|选用|运用", "用"),
        ("居住|常住|常驻|家住", "住"),
        ("偏好|偏爱|喜爱|爱好|热爱|爱(?=[喝吃看用玩听写])", "喜欢"),
        ("的?(?:名字|名称)(?:是|叫|为)?|名为|名叫|称为|叫做|叫作", "叫"),
        ("之前|以前", "前"),
        ("之后|以后", "后"),
        ("每日", "每天"),
        ("编写|撰写|书写", "写"),
        ("修改|更改|改动", "改"),
        ("存储|存放|保存|储存", "存"),
        ("运行|执行", "跑"),
        ("上班", "工作"),
        ("数据库", "库"),
        ("所有|全部|一切|(?<![成首古京])都(?![市城江])", ""),
        ("必须|务必|应该|应当|需要|必需", "要"),
        ("一(?:个|家|种|位|名|些|下|份|只|项|条|款)", ""),
        ("可以|能够|本(?=项目|仓库|服务|公司|团队|系统)", ""),
    )
)

ALIASES = {
    "k8s": "kubernetes",
    "js": "javascript",
    "ts": "typescript",
    "py": "python",
    "golang": "go",
    "pg": "postgresql",
    "postgres": "postgresql",
}
"""Names with a common short form."""

NEGATION = re.compile(
    r"(?<!差)不(?![过仅但只断同久错管论少锈])|没有?(?!收)|无(?=[需法须])|未(?!来)"
    r"|[而并绝][非不]是?|(?<![特区级类分识性个差鉴])别(?![人名的致墅处])|拒绝|避免|停止"
    r"|\b(?:not(?! only)|never|no longer|no(?! \d|\.)|without|avoids?|instead of|rather than"
    r"|neither|nor|stops?|stopped)\b",
    re.IGNORECASE,
)
"""Marks that deny what follows them in the clause."""

REJECTED = re.compile(
    r"\b(?:prefer|favou?r|choose|chose|pick|like)\w*\b[^,.;!?]*?\b(?P<mark>over)\b", re.IGNORECASE
)
"""`prefers this over that`: the mark denies what follows it."""

CLAUSE_END = re.compile(
    r"[;!?。；！？，\n]|,(?!\d)|\.(?!\w)|而是|而用|只用|改用|但|\b(?:but|because)\b", re.IGNORECASE
)
"""Where the reach of a denial ends."""

_OPENERS = """
use uses using used with in on at to from by for via is are was were called named prefer prefers
like likes love loves choose chose picks of into port speak speaks drink drinks eat eats write
writes run runs live lives over not a an the
"""
SLOT_OPENERS = frozenset(_OPENERS.split())
"""English words behind which a name or value stands."""

ORIGIN = re.compile(r"(?:\bfrom(?: the)?|从|由)\s*$", re.IGNORECASE)
TARGET = re.compile(r"(?:\bto(?: the)?|到|为|成|→|->)\s*$", re.IGNORECASE)
"""What stands in front of the two ends of a change."""

FIXED_DATE = re.compile(
    r"\b(?:birthday|born|deadline|due|expires?|until)\b|生日|出生|截止|到期|有效期|定[在于]|改到",
    re.IGNORECASE,
)
"""Words whose date is a fact of its own, so that two dates contradict each other."""

EVENT = re.compile(
    r"\b(?:releas|ship|fix|tag|deploy|publish)(?:ed|es|s|e)?\b|发布|发版|上线|修复|打了",
    re.IGNORECASE,
)
"""Words of something that happened, which happens again with the next version."""

SLOT_OPENERS_ZH = re.compile(
    "(在|于|用|叫|是|为|喝|吃|选|选了|选择|喜欢|到|去|给|学|学习|养|姓|存|放|写|说|装|读|听|买|做|由|归|靠|换成|改成|改为|变成).?$"
)
"""Chinese words in front of a name or value, which may share its first character."""

_OPPOSITES = (
    "allow/forbid enable/disable true/false on/off start/stop "
    "add/remove increase/decrease open/close public/private sync/async minimum/maximum "
    "dark/light left/right first/last upper/lower above/below tab/space success/failure "
    "accept/reject include/exclude internal/external local/remote online/offline "
    "manual/automatic required/optional rise/fall rose/fell more/less fast/slow new/old "
    "before/after "
    "允许/禁止 启用/禁用 开启/关闭 打开/关闭 增加/减少 上升/下降 升/降 深/浅 亮/暗 公开/私有 "
    "同步/异步 最大/最小 本地/远程 手动/自动 可选/必填 内部/外部 成功/失败 接受/拒绝 早上/晚上 "
    "前/后 大写/小写 左/右 新/旧 大/小 快/慢 长/短 多/少 有/无"
)


@lru_cache(maxsize=1)
def opposites() -> tuple[tuple[str, str], ...]:
    """Return pairs of opposites, English ones as stems."""
    pairs = (pair.split("/") for pair in _OPPOSITES.split())
    return tuple(
        (stem(one), stem(other)) if one.isascii() else (one, other) for one, other in pairs
    )


def same_wording(text: str) -> str:
    """Return `text` with wordings that say the same brought to one of them."""
    for pattern, wording in _SAME:
        text = pattern.sub(wording, text)
    return text
