"""Take the names of third parties out of a text (memory skill: third parties' privacy).

"我同事 alice 说了 X" becomes "团队某成员反馈 X", "Marta from sales told me X" becomes
"a team member told me X". A name is recognised by what stands around it: a relation
(colleague, 同事), a title, a verb of speaking. What is merely capitalised stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from omp_core.extraction.classify.technologies import technology_names
from omp_core.language.language import CJK, script

_SURNAMES = (
    "高王李张刘陈杨黄赵吴周徐孙马朱胡郭何林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董潘袁蔡蒋余于杜叶程魏苏吕丁任卢姚沈钟姜崔谭陆"
    "范汪廖石金韦贾夏付方邹熊白孟秦邱侯江尹薛闫雷龙史陶贺毛段郝顾龚邵万覃武钱戴严莫孔向常汤"
)
_COMMON_WORDS = """
方案 方法 方便 方面 方式 方向 金额 金融 石头 白天 白名单 任务 任何 任意 常见 常常 常态 常用
常规 常量 向量 向上 万一 万能 严格 严禁 严重 程序 程度 程控 江湖 江苏 田间 龙头 段落 段位
毛病 毛刺 于是 何时 何必 何况 余下 余量 叶子 许多 许可 范围 陆续 周报 周末 周期 周一 周二
周三 周四 周五 周六 周日 马上 高级 高层 高手 高中 林子 史上 曾经 安全 汤包 顾客 钱包 武器
莫名 孔径 雷同 黄金 黄色 白色 金丝 陈旧 陈述 张力 张数 石化 夏天 秦朝 贺卡 戴上
"""
_NOT_NAMES = frozenset(_COMMON_WORDS.split())
_ZH_SPEECH = (
    "说|提到|反馈|反映|问|觉得|认为|建议|希望|要求|提议|发现|抱怨|告诉|表示|吐槽|坚持"
    "|想把|想要|想让|主张|强调|指出|透露|跟我讲"
)
_ZH_WHEN = (
    "(?:昨天|今天|刚才|刚刚|早上|上午|下午|那边|上次|前天|上周|之前|也|又|还|一直|总|老"
    "|跟我|和我|会上|群里|在群里|在会上)"
)
_ZH_DOES = "的|那|喜欢|偏好|习惯|负责|使用|在|用|是|有|会|做|写|[，。,；;（(]|$"
"""What else may follow the name of a person who was introduced by a relation."""
_RELATION_ZH = (
    "同事|同学|朋友|搭档|队友|组员|下属|徒弟|师傅|导师|学弟|学妹|学长|学姐|舍友"
    "|老婆|老公|女朋友|男朋友"
)
_NAME_ZH = (
    rf"(?:[{_SURNAMES}](?![我你他她它们这那])[{CJK}]{{1,2}}?|[老小][{_SURNAMES}]"
    rf"|[{_SURNAMES}][总工姐哥])"
)
_NAME_LATIN = r"[A-Z][a-z]{1,14}(?:\s[A-Z][a-z]{1,14})?"

_ZH_SPOKE = re.compile(
    rf"(?:(?<![{CJK}])|(?<=[和跟听让给找叫问但过]))"
    rf"(?P<name>{_NAME_ZH}|(?<![A-Za-z]){_NAME_LATIN})(?=\s*{_ZH_WHEN}{{0,2}}\s*(?:{_ZH_SPEECH}))"
)
_ZH_RELATED = re.compile(
    rf"(?P<relation>(?:我|我们)?的?(?:{_RELATION_ZH}))\s*"
    rf"(?P<name>[A-Za-z][A-Za-z]{{1,14}}|{_NAME_ZH}(?=\s*{_ZH_WHEN}{{0,2}}\s*(?:{_ZH_SPEECH}"
    rf"|{_ZH_DOES})))"
)
_ZH_GIVEN = re.compile(
    rf"(?:挂|找|叫|@|抄送|指给|分给|转给|问|联系)\s*(?P<name>[{_SURNAMES}][{CJK}]{{1,2}})(?=$"
    rf"|[，。,\s的来])"
)
_EN_SPEECH = (
    r"said|says|told|tells|thinks|thought|mentioned|mentions|suggested|suggests|found|finds|wants"
    r"|wanted"
    r"|asked|asks|reported|reports|complained|complains|noticed|notices|believes|prefers|insists"
    r"|claims"
    r"|claimed|proposed|proposes|pointed|recommends|recommended|feels|felt|hates|likes"
)
_EN_SPOKE = re.compile(
    rf"\b(?P<name>{_NAME_LATIN})(?P<unit> (?:from|in|over in|over at|of) (?:the )?[\w-]+"
    rf"(?: team)?)?"
    rf"(?= (?:(?:also|just|already|once|really|still) )?(?:{_EN_SPEECH})\b)"
)
_EN_RELATED = re.compile(
    r"\b(?P<relation>(?:[Mm]y|[Oo]ur|[Aa]) (?:colleague|coworker|co-worker|teammate|team mate"
    r"|friend|manager|boss"
    r"|lead|tech lead|client|customer|partner|wife|husband|flatmate|mentor|intern))"
    rf",? (?P<name>[A-Za-z]{{2,15}}(?=,|'s| (?:said|says|told|thinks|who|from|is|was|has|and"
    r"|mentioned|wants"
    r"|asked|found|prefers|likes|suggested|complained|reported|believes))"
    rf"|{_NAME_LATIN}(?= (?:uses|used|decided|runs|wrote|writes|works|owns))"
    rf"|{_NAME_ZH}(?=\s))"
)
_NEVER_PEOPLE = """
monday tuesday wednesday thursday friday saturday sunday january february march april may june july
august september october november december i it we he she they you this that these those there what
who which when everyone everybody someone somebody nobody people users customers support sales
marketing english chinese the a an and but so or if then also now yes no ok hey well right sure
never always let please windows apple google microsoft amazon meta studio legal finance security
ops product design management nothing something anything everything here one
"""
_NOT_PEOPLE = frozenset(_NEVER_PEOPLE.split())
ZH_PLACEHOLDER = "团队某成员"
EN_PLACEHOLDER = "a team member"


@dataclass(frozen=True, slots=True)
class Masked:
    """A text without the names of third parties, and the names that were in it."""

    text: str
    names: frozenset[str]


def mask(text: str, known: Iterable[str] = ()) -> Masked:
    """Return `text` with third parties' names replaced.

    `known` are names met before in the same conversation; they are replaced wherever they
    stand, so that a later mention without a verb of speaking is covered as well.
    """
    names: set[str] = set()
    for pattern in (_ZH_RELATED, _ZH_SPOKE, _ZH_GIVEN, _EN_RELATED, _EN_SPOKE):
        for match in pattern.finditer(text):
            if _is_person(match["name"]):
                names.add(match["name"])
    everyone = sorted({*names, *known}, key=lambda name: (-len(name), name))
    masked = text
    for pattern in (_ZH_RELATED, _EN_RELATED, _EN_SPOKE):
        masked = pattern.sub(lambda match: _replacement(match, text), masked)
    for name in everyone:
        masked = _whole(name).sub(lambda match: _placeholder(match.string, match.start()), masked)
    return Masked(masked, frozenset(names))


def reports(text: str) -> bool:
    """Tell whether `text` passes on what a third party said, wants or noticed."""
    found = [
        match
        for pattern in (_ZH_SPOKE, _EN_SPOKE, _EN_RELATED)
        for match in pattern.finditer(text)
        if _is_person(match["name"])
    ]
    return (
        bool(found)
        or bool(_ZH_RELATED.search(text))
        or bool(_ROLE_SPOKE.search(text) or _HEARD.search(text))
    )


_HEARD = re.compile(
    r"(?:^|[，,])(?:我)?(?:听|据)[^，。]{0,8}?(?:说|讲|提(?:到|起)?|称)|\b(?:I(?:'ve)? (?:heard"
    r"|was told"
    r"|read (?:that|somewhere))|word is|rumou?r has it)\b",
    re.IGNORECASE,
)
_ROLE_SPOKE = re.compile(
    rf"(?:老板|领导|主管|经理|产品|客户|测试|运维|同事|业务方|甲方|有人|群里)[^，。]{{0,6}}?"
    rf"(?:{_ZH_SPEECH})"
    rf"|\b(?:my|our|the|a|some) (?:boss|manager|colleague|coworker|teammate|client|customers?"
    rf"|lead|cto|ceo|pm)"
    rf"(?: \w+)? (?:{_EN_SPEECH})\b",
    re.IGNORECASE,
)


def _is_person(name: str) -> bool:
    words = name.lower().split()
    if name in _NOT_NAMES or any(name.startswith(word) for word in _NOT_NAMES if len(word) > 1):
        return False
    return not any(word in _NOT_PEOPLE or word in technology_names() for word in words)


def _replacement(match: re.Match[str], text: str) -> str:
    if not _is_person(match["name"]):
        return match[0]
    return ZH_PLACEHOLDER if script(text) == "cjk" else _placeholder(match.string, match.start())


def _placeholder(text: str, start: int) -> str:
    if script(text) == "cjk":
        return ZH_PLACEHOLDER
    before = text[:start].rstrip()
    return "A team member" if not before or before[-1] in ".!?:" else EN_PLACEHOLDER


def _whole(name: str) -> re.Pattern[str]:
    if name.isascii():
        return re.compile(rf"(?<![A-Za-z]){re.escape(name)}(?![A-Za-z])")
    return re.compile(re.escape(name))
