"""Signal words that tell key facts from talk, in Chinese and English."""

from __future__ import annotations

import re
from enum import StrEnum


class FactKind(StrEnum):
    """The groups of a summary, in the order of their headings."""

    DECISION = "decision"
    TODO = "to-do"
    LESSON = "lesson"
    EVENT = "event"
    FACT = "fact"


_MONTH = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_DAY = "(?:mon|tues|wednes|thurs|fri|satur|sun)day"

SIGNALS: dict[FactKind, re.Pattern[str]] = {
    FactKind.TODO: re.compile(
        r"(?i)\b(?:to-?do|action items?|follow[- ]up|deadline|due (?:on|by|date)|next step"
        r"|(?:has|have|needs?) to (?!be (?:honest|fair|sure|some|there|here|k))(?=\w+ \w+)"
        r"|assigned to"
        r"|is responsible for|owes us)\b"
        r"|(?-i:(?<![a-z])(?!We |I |It |This |That |They |You |There |He |She |Who )[A-Z][a-z]+"
        r" (?:will|shall|must|should|is going to) (?!not |be |never )\w+ \w+)"
        rf"|\b(?:by|before|until) (?:(?:next|this) )?{_DAY}\b"
        rf"|\b(?:by|before|until) (?:the )?(?:end of|\d|{_MONTH})"
        r"|待办|待跟进|截止|负责(?=(?:在|于|把|下|本|明|周|\d|[^，。]{0,8}[前内]))|跟进(?=\S{2})"
        r"|(?:之前|以前|前)(?:要|必须|需要?|得)?(?:完成|提交|交|上线|补|把|发)"
        r"|[\u4e00-\u9fff](?:需要|(?<!不)要|得|应该)(?:在|把|于|尽快|去)(?=\S{3})"
        r"|还没(?:有)?(?:完成|做|提交|修)|下一步(?:是|要|：|:)|优先级(?:高|最高|低|中|为|是|：|:)|尽快"
    ),
    FactKind.DECISION: re.compile(
        r"(?i)\b(?:(?<!nothing )(?<!not )(?<!n't )decid(?:ed|es)"
        r"|decision (?:is|was)|agreed (?:to|on|that)|chose|chosen|picked"
        r"|settled on|(?:going|went) with|opted (?:for|to)|adopt(?:ed|s)|approved|concluded that"
        r"|ruled out|rejected|switch(?:ed|ing)? (?:from|to)|instead of|in favou?r of"
        r"|dropp(?:ed|ing) support|will (?:use|stay with|move to|go with)|(?<=we )will keep)\b"
        r"|(?<!没)(?<!未)(?<!没有)决定|决策|选择了?(?=[^题项框])|选定|选用|采用|改用|敲定|拍板|约定|商定|达成一致|结论是|批准|弃用|放弃"
        r"|同意(?=[\u4e00-\u9fff]{2})|定(?:为|在|成)|改成(?=\S{2})|统一(?:用|使用|为|成)"
    ),
    FactKind.LESSON: re.compile(
        r"(?i)\blesson|\bthe hard way\b|\broot cause|\bcaused by\b|\bturned out\b|\bdue to\b"
        r"|\bworkaround\b"
        r"|\bthe (?:problem|issue|reason|culprit|mistake) (?:was|is)\b|\bnext time\b"
        r"|(?:^|[:;,]\s)(?:never|always|don't|do not|avoid|make sure|beware)\s\w+\s\w+"
        r"|\bmust (?:not|never)\b|\bshould have\b|\bpitfall|\bgotcha\b"
        r"|教训|踩坑|踩了?个?坑|根因|根本原因|原因是|原因在于|问题(?:是|在于|出在)|由于|导致|引起的?|规避"
        r"|原来是|发现是"
        r"|(?:^|[，,；;。])(?:不要|别(?![的人家处急])|千万|务必|切记|禁止|避免|一定要|必须|以后(?:要|不|别|都))"
        r"|下次(?:要|不|别|先|记得)"
    ),
    FactKind.EVENT: re.compile(
        r"(?i)\b(?:deployed|released|shipped|launched|rolled (?:back|out)|merged|fixed|resolved"
        r"|completed|finished|migrated|upgraded|downgraded|failed|broke|crashed|went (?:down|live)"
        r"|outage|incident|dropped from|rose from|grew from|moved to|signed|hired|joined the|demo"
        r"|meeting (?:on|at|with)|published|renamed|removed|reverted|expired|was down)\b"
        r"|上线|发布了?|部署(?:了|到|完)|回滚|合并了?(?=\S)|修复|解决了|完成了|宕机|故障|崩溃"
        r"|迁移(?:了|到|完)|升级(?:了|到|为)|失败|通过了|下线|验收|签(?:了|约)|入职|离职"
        r"|从\s?\S{1,12}\s?(?:降|升|涨|减|提)"
    ),
    FactKind.FACT: re.compile(
        r"(?i)\b(?:i|we|user|he|she|they|team|client|customer)s? (?:really |always |strongly )?"
        r"(?:prefers?|likes? to|loves?|hates?|dislikes?|uses?|works? (?:as|at|for|in|with)"
        r"|lives? in|speaks?|owns?|maintains?)\b"
        r"|\b(?:listens on|runs on|is called|is named|is located|is hosted|depends on|requires"
        r"|expects|automatically|by default|must|supports|limits? (?:is|are)|limited to|stored in"
        r"|lives in|is based on"
        rf"|every (?:day|night|week|hour|{_DAY}))\b"
        r"|偏好|喜欢|习惯(?:用|于)?|讨厌|住在|是(?:负责人|后端|前端|产品|设计|测试)|使用的?是|运行在|监听"
        r"|部署在|位于|地址[是为:：]|端口|版本(?:是|为|号)|每[天周月日]|保留|上限|限制|支持(?=\s?[A-Za-z0-9])"
        r"|依赖|默认"
    ),
}
"""What a sentence is when more than one fits: the first in this order."""

LABEL = re.compile(
    r"(?i)^(?:(?:lessons? learned|lesson|to-?do|action items?|decision|decided|note|fyi|summary"
    r"|event|update|待办(?:事项)?|决定|决策|结论(?:是)?|备注|总结|事件|原因是|更新)\s?(?:[:：]|\s-\s)\s*"
    r"|(?:这次的?)?(?:教训|经验)(?:是|就是|为)?[:：，,]?\s?)"
)
"""A leading word that says the kind of what follows; the heading says it again."""
SPEAKER = re.compile(
    r"(?i)^(?:user|assistant|agent|human|ai|system|me|你|我|用户|助手|客服|机器人)\s?[:：]\s*"
)

COURTESY = re.compile(
    r"(?i)\b(?:thank(?:s| you)|good (?:morning|afternoon|evening|night)|hello|hope you|sorry for"
    r"|nice work|great (?:job|work)|well done|have a (?:nice|great|good)|see you|talk to you"
    r"|take care|enjoy (?:the|your)|happy to help|you are the best|wonderful weekend|cheers"
    r"|looking forward|any questions|let me know|ping me|get back to you|how are you"
    r"|you(?:'re| are) welcome|no promises|my door is open|keep it short|wish you|congrat\w*"
    r"|wow|awesome|amazing|(?:so|really|very) (?:cool|glad|happy|proud|sweet|nice|excited|fun)"
    r"|sounds (?:like|great|fun|good|nice|lovely|awesome|so)|that(?:'s| is| was) (?:great|so|really"
    r"|cool|nice|lovely|true|wonderful)|glad|proud of|good luck|can't wait|have fun|take it easy"
    r"|great to (?:hear|see)|good to (?:hear|see)|miss(?:ed)? you|i agree|totally|absolutely)\b"
    r"|谢谢|多谢|感谢|辛苦|早上好|下午好|晚上好|你好|您好|好久不见|再见|拜拜|明天见|下周见|回头聊|周末愉快"
    r"|早点休息|不客气|随时(?:说|问|找)|最近怎么样|松一口气|早点下班|有什么想法|不着急|不同意见|终于周|泡了杯"
    r"|太好笑|祝(?:你|您|大家)|很高兴|恭喜|加油|想你|玩得开心|听起来|哇|哈哈|好喜欢|照顾好自己|保重"
    r"|太(?:棒|好|酷|漂亮|开心|好玩|可爱|美)了|真(?:棒|好看|不错|贴心|漂亮|酷|可爱|为你)|等不及|没错|毫无疑问"
)
PROCESS = re.compile(
    r"(?i)\b(?:let me (?:see|check|think|take|sum|find|share)|take a look|looking at"
    r"|looked (?:at|over)|i (?:was|have been|had been) \w+ing|went (?:over|through|around|for)"
    r"|walked through|read through|tried (?:a|again|to|out|some)|clicked|scroll(?:ed|ing)"
    r"|opened a|poking around|chatted|talked about|sat down|staring|going through"
    r"|i (?:read|spent|opened|tried|told|went|compared|guess|hope)"
    r"|i will (?:grab|tell|try|keep|get)|back and forth|for a (?:while|bit)|over and over)\b"
    r"|我?看看|看了(?:看|一下|半天|不少)|翻了|聊了|试了|试过|讨论了(?!.*(?:决定|结果))|折腾|过了一遍|对了一遍"
    r"|想了想|琢磨|改一点|来来回回|先后(?:比较|试)|七嘴八舌|说了(?:一通|很多)|点来点去|顺便(?:说|聊)|随便聊"
    r"|断线|寒暄|倒杯水|收拾东西"
)
QUESTION = re.compile(r"[?？]\s*[\"'”’」』)）]*$|(?:吗|呢)[。.]?$")

NUMBER = re.compile(r"(?<![A-Za-z])\d+(?:[.,:]\d+)*(?:\s?%)?")
NAME = re.compile(
    r"https?://\S+|(?<![A-Za-z])[A-Za-z]{1,40}[-_./@][\w./@-]*\w"
    r"|(?<![A-Za-z])[A-Za-z]{0,40}[a-z][A-Z]\w*|[A-Z]{2,}\w*"
    r"|(?<=[a-z,;] )[A-Z][a-z]+|v\d[\w.]*|[`“\"「『'][^`”\"」』'\n]{2,40}[`”\"」』']"
)
LATIN_IN_CJK = re.compile(r"[A-Za-z][\w.+#-]*")

GUARD = re.compile(
    r"(?i)\b(?:not|no|never|none|without|nor|neither|cannot|\w+n't|if|unless|except|until|only"
    r"|when|while|maybe|might|probably|perhaps|could|but|however|although|though)\b"
    r"|不|没|未|非|无|别|勿|如果|假如|要是|除非|除了|只有|仅|当|否则|可能|也许|但|虽然|直到"
)
"""Words whose loss would change what a sentence claims: negation, condition, doubt, contrast."""
NEGATION = re.compile(
    r"(?i)\b(?:not|no|never|none|without|nor|cannot|\w+n't|no longer|instead of)\b"
    r"|不|没|未|非|别|勿|无"
)

LEAD_IN = re.compile(
    r"(?i)^(?:(?:well|so|ok(?:ay)?|right|anyway|alright|great|sure|yes|yep|yeah|also|and|then"
    r"|by the way|btw|in the end|at the end|finally|eventually|to be honest|as i said"
    r"|after (?:that|all|a (?:long|lively) discussion)|as discussed|basically|actually"
    r"|just so you know|for the record|(?:we|i) found(?: out)? that)\b[,:]?\s+)+"
    r"|^(?:(?:嗯|哦|好的?|对了?|那么?|然后|后来|接着|最后|最终|结果|其实|总之|总的来说|另外|还有|顺便说一句"
    r"|说正事|不管怎么说|今天主要说一下|关于[^，,]{1,8}|刚才|顺便)(?:呢|哈|啊|吧|的话)?[，,：:\s]+)+"
    r"|^(?:最后|最终|结果)(?=决定|选择|选定|采用|还是)|^结果发现|^今天\s?(?=\d)"
)
"""Openings that carry nothing. What stands behind them is the sentence."""

DECIDING = re.compile(
    r"(?i)^(?:(?:we|i|they|the team)(?: have| all)? )?(?:decided|agreed|chose|opted) to (?=\w+ \w+)"
    r"|^(?:我们|大家|团队)?(?:一致)?决定(?=[\u4e00-\u9fffA-Za-z])"
)
"""The deciding itself, which the heading tells; what was decided follows."""

ARTICLE = re.compile(r"(?<![\w\"'“‘`-])(?:[Tt]he|[Aa]n?) (?=[a-z]{2})")
"""Words that notes leave out."""

UNIT_END = re.compile(r"(?<=\d)(\s?[A-Za-z]{1,3}\.)\s+(?=[A-Z\u4e00-\u9fff])")
"""A full stop behind a unit (`90 s. Then`, `180 ms. Then`), which is no abbreviation."""
