"""What an agent's words are worth: results it reports, proposals that a person takes up."""

from __future__ import annotations

import re
from typing import Literal

from omp_core.extraction.classify.deployments import (
    changed_folder,
    changed_setting,
    deployment,
    installed,
)
from omp_core.extraction.classify.doubt import imagined
from omp_core.extraction.classify.exclusions import is_question, is_recap
from omp_core.extraction.classify.kinds import Kind

Acceptance = Literal["strong", "weak"]

_FAILED = re.compile(
    r"失败(?!率|任务|的任务)|报错|出错|超时|没有成功|未能|回滚|无法|不能|请(?:自行|先)|需要(?:你"
    r"|您)|待(?:你|审批)"
    r"|\b(?:fail(?:ed|s|ure)?|error|could not|couldn'?t|cannot|can'?t|unable|rolled back|not yet"
    r"|once you)\b",
    re.IGNORECASE,
)
_DONE = re.compile(
    r"已|了(?:$|[，,。\s])|完成|好(?:了|$)|并|成功|^(?:done|set|added|created|made|moved|updated"
    r"|changed"
    r"|rotated|bumped|raised|lowered|increased|reduced"
    r"|enabled|disabled|installed|pinned|configured|put|replaced)\b|\bI(?:'ve| have)? (?:set|added"
    r"|created|made|moved|updated|changed|rotated|bumped|raised"
    r"|lowered|installed|enabled|disabled|pinned|put|replaced)\b|\b(?:is|are|has been|have been"
    r"|was|were) (?:now )?(?:set|added|created|moved|updated|changed"
    r"|rotated|installed|enabled|disabled|pinned|in)\b",
    re.IGNORECASE,
)
_ADVICE = re.compile(
    r"^(?:你)?(?:可以|也可以|需要|应该|建议|请)|你(?:需要|可以|应该)|\byou (?:can|could|should"
    r"|need to|may|might"
    r"|will have to)\b|\b(?:I'?ll|I will|let me|I can|I could|going to)\b",
    re.IGNORECASE,
)
_UPGRADE = re.compile(
    r"已(?:经)?升级到\s*[A-Za-z]|\b(?:upgraded|migrated) (?:the \w+ )?to [A-Z]", re.IGNORECASE
)
_DECIDED = re.compile(
    r"(?:已经?|最终|我们)(?:决定|敲定|选定|确定)(?!权)|\b(?:we|you) (?:have )?(?:decided|agreed"
    r"|settled) (?:on|to|that)\b",
    re.I,
)

_PROPOSAL = re.compile(
    r"建议(?:用|采用|使用|选|改|按|把|先|直接|走|放|\S{0,8}用)|推荐(?:用|采用|使用|选|\S{0,4}用)"
    r"|更推荐|倾向于|我会(?:选|用)"
    r"|\bI(?:'d| would)(?: strongly| rather)? (?:suggest|recommend|go with|go for|pick|use|choose"
    r"|prefer|propose)\b"
    r"|\bI (?:suggest|recommend|propose)\b|\bmy (?:suggestion|recommendation|pick|choice)\b",
    re.IGNORECASE,
)
_STRONG = re.compile(
    r"^(?:好的?|行|可以|嗯+|对|OK|ok|没问题|那)?[，,。\s]*(?:就这么(?:办|定|做|干)了?|就这样(?:吧"
    r"|办|做|定)?|就按(?:你|这个)\S{0,6}|按你(?:说的|的)\S{0,4}"
    r"|听你的|同意|赞成|没意见|都听你的|就它了?|就用它|采纳)"
    r"|^(?:ok(?:ay)?|yes|yeah|great|good|sure|alright|right|nice|perfect|sounds? (?:good|great"
    r"|fine|right))?[,.! ]*"
    r"(?:sounds? (?:good|great|fine|right)|(?:let'?s )?(?:go with|do) (?:that|it|this one|so)"
    r"|go (?:with that|for it)|agreed|deal"
    r"|works for me|fine by me|fine with me|i'?m (?:fine|ok|happy) with that|let'?s do that"
    r"|do it that way)\b"
    r"|\b(?:fine by me|fine with me|works for me)\b",
    re.IGNORECASE,
)
_WEAK = re.compile(
    r"^(?:好的?|行|可以|嗯+|对|没问题|OK|ok(?:ay)?|yes|yep|yeah|sure|great|good|please do"
    r"|yes please)[吧啊呀的]?[\s，,。.!！~]*$",
    re.IGNORECASE,
)


_REACHED = re.compile(
    r"(?:模块|阶段|里程碑|迁移|改造|重构|接入|[一二三四]期)[^，。]{0,6}(?:全部|全都"
    r"|正式)(?:完成|交付|结束)"
    r"|里程碑[^，。]{0,8}(?:达成|完成)"
    r"|\bmilestone\b[^.?!]{0,20}\b(?:reached|done|hit|met|completed?)\b",
    re.IGNORECASE,
)


def result_kind(text: str) -> Kind | None:
    """Return what kind of result an agent's sentence reports, None for everything else.

    Deployments and releases count however they ended; settings, folders and tools when they
    were changed; decisions when reported as taken. Other work on files is not worth keeping.
    """
    if is_question(text) or is_recap(text) or imagined(text) or _ADVICE.search(text):
        return None
    if deployment(text) is not None:
        return Kind.DEPLOYMENT
    if _FAILED.search(text):
        return None
    if _REACHED.search(text):
        return Kind.MILESTONE
    if _UPGRADE.search(text):
        return Kind.SLOT
    if _DONE.search(text):
        if changed_folder(text) is not None:
            return Kind.PATH
        if changed_setting(text) or installed(text) is not None:
            return Kind.CONFIG
    return Kind.DECISION if _DECIDED.search(text) else None


def is_proposal(text: str) -> bool:
    """Tell whether a sentence of the agent recommends one way."""
    return bool(_PROPOSAL.search(text))


def acceptance(text: str) -> Acceptance | None:
    """Return how firmly a person's sentence takes up what was proposed, None if not at all."""
    if is_question(text):
        return None
    if _STRONG.search(text):
        return "strong"
    return "weak" if _WEAK.match(text) else None


_PROPOSAL_LEAD = re.compile(
    r"^(?:那|那么|可以|所以)?[，,\s]*我?(?:们)?(?:建议|推荐|更推荐|倾向于)(?:你)?"
    r"(?:们)?[:：，,]?\s*"
    r"|^(?:then |so |personally,? )?I(?:'d| would)?(?: strongly| rather)? (?:suggest|recommend"
    r"|go with|go for|pick"
    r"|propose|choose|use)(?: that| to)?\s+"
    r"|^my (?:suggestion|recommendation|pick|choice)(?: is|:| would be)\s+",
    re.IGNORECASE,
)


def proposed(text: str) -> str:
    """Return what a proposing sentence proposes, without "I suggest"."""
    return _PROPOSAL_LEAD.sub("", text).strip(" 。.，,")
