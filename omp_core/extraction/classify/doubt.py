"""Doubt and distance: what a speaker says half surely, only imagines, or heard of a wider world.

A hedged statement is asked about; what is only imagined, meant ironically, long past or known of
the world at large is no memory at all (extraction seed, UNCERTAIN; memory skill, "do not save").
"""

from __future__ import annotations

import re

_I = re.IGNORECASE

HEDGED_MOST = 0.6
"""No hedged statement is surer: a person confirms it (extraction seed: 0.4 to 0.7 asks)."""
HEDGED_LEAST = 0.5

_HEDGE = re.compile(
    r"(?P<zh>(?:可能|也许|或许|大概|大约是|好像|似乎|貌似|估计|八成|多半)(?!会考虑|要考虑)"
    r"|(?:如果|要是)?(?:我)?(?:没|没有)?(?:记错|弄错|搞错)(?:的话)?|印象(?:中|里)|据我(?:所知"
    r"|了解)|我(?:猜|估摸着?)"
    r"|(?:我)?(?:也)?(?:记不(?:太)?清|不(?:太|大|是很)?(?:确定|肯定|敢确定)|拿不准|说不准"
    r"|不敢打包票|得(?:去)?(?:查|确认)一?下)了?"
    r"|应该是?(?=[^，。]{1,24}吧))"
    r"|(?P<en>\b(?:I (?:think|guess|believe|suppose|assume|reckon)(?: that)?"
    r"|(?:I'?m )?(?:fairly|pretty|almost) sure\b|I'?m (?:fairly "
    r"|pretty |not (?:100 ?% |entirely "
    r"|completely |really |so |quite )?)sure(?: that| though| about (?:that|it))?"
    r"|not (?:100 ?% |entirely |completely |really |so |quite )?sure(?: though| about (?:that|it)"
    r"| yet)?"
    r"|if (?:I (?:remember|recall)(?: it| that)?(?: correctly| right(?:ly)?)?"
    r"|memory serves(?: me)?|I'?m not mistaken)|iirc|afaik"
    r"|as far as I (?:know|remember|can tell)|from memory|off the top of my head"
    r"|don'?t quote me(?: on (?:that|this|it))?"
    r"|(?:but )?I(?:'d| would) have to (?:check|look(?: it up)?|ask)|I (?:could|may"
    r"|might) be wrong(?: though)?|I can'?t remember exactly"
    r"|probably|presumably|perhaps|maybe|possibly|apparently|seemingly|supposedly"
    r"|or something(?: like that)?"
    r"|(?:it )?(?:seems|looks) like)\b)",
    _I,
)
_SHOULD = re.compile(
    r"\bshould (?:be|still be|already be) (?:\w+ing|on|at|in|around|about|\d|version|the (?:same"
    r"|default))|应该是?[^，。]{1,24}吧",
    _I,
)
_PARTICLE = re.compile(r"(?:吧|罢)[\s。.!！~～]*$")
_FILLING = re.compile(r"^[\s，,;；.。、]+|[\s，,;；、]+$")
_IMAGINED = re.compile(
    r"\b(?:maybe|perhaps|possibly)\b[^.?!]*\b(?:some ?day|one day|later|eventually)\b"
    r"|\b(?:maybe|perhaps) (?:[A-Z][\w.+#-]*|an? [\w -]+)[.!]?$|\b(?:one day|some ?day"
    r"|at some point|eventually|in the long run)\b[^.?!]*\b(?:I'?d|we'?d|would|could|might|may"
    r"|want|add|try|love)\b"
    r"|\b(?:maybe|perhaps) (?:one day|some ?day|later|next \w+|we|you|it(?:'d| would| could)"
    r"|I(?:'ll| should| could)|try|use|add|switch)\b"
    r"|\b(?:might|could|may) (?:be (?:nice|worth|good|better|an? (?:idea|option))|try|want|switch"
    r"|move|add|use|also|as well|even|need)\b"
    r"|\bwould be (?:nice|great|cool|good|better|fun|interesting)\b|\bI(?:'d"
    r"| would) love to (?:rewrite|try|see|build|have|learn)\b"
    r"|\bwhat (?:if|about)\b|\blet'?s (?:see|try|think)\b|\btry (?:it|that|this|the|a|an|out"
    r"|with)\b|\b(?:toying|playing) with the idea\b"
    r"|\b(?:thinking (?:about|of)|considering|evaluating|undecided|no idea|let me think|far off"
    r"|who knows|haven'?t decided)\b"
    r"|\bif we (?:ever|were|had|could)\b|\bwe would (?:need|have)\b"
    r"|说不定|没准|兴许|也许(?:可以|能|该|试|换|会|以后|哪天)|或许(?:可以|能|该|试|换|会)"
    r"|可能(?:会|要|得|可以)(?:考虑|试|换|改用|上|引入|加)"
    r"|试试|试一?下|试一试|试着|看看效果|看下效果|再看吧|再说吧|再想|想想看|回头再|改天|哪天"
    r"|将来(?!都)|有朝一日|有空(?:再|了)"
    r"|要不(?!然|是)|正在(?:评估|考虑|调研)|在考虑|会考虑|考虑(?:一下|中|过)?(?:用|换|上)"
    r"|还没(?:定|想好|决定)|没定|感觉可以|应该可以|不一定|听听就好"
    r"|(?:真|好)?想(?:把|用|试|学)[^，。]{1,16}(?:重写|一遍|玩玩|试试)",
    _I,
)
_IRONY = re.compile(
    r"^(?:oh,? )?(?:great|lovely|wonderful|perfect|fantastic),? (?:another|yet another|even more)\b"
    r"|^(?:行行行|好好好|对对对|是是是|呵呵|真棒|可真|太好了[，,!！]又)|(?:好了|得了"
    r"|呗)[，,][^，。]{0,4}(?:多|真|可真)[^，。]{1,6}[啊呀]"
    r"|^(?:干脆|索性)[^，。]*(?:得了|算了|好了)|谁爱[^，。]{1,8}谁"
    r"|^(?:oh,? (?:great|sure|wonderful|perfect|lovely|yeah|nice|brilliant|fantastic|of course)"
    r"|yeah,? right|sure,? (?:let'?s|why not)"
    r"|what could (?:possibly )?go wrong|because (?:that|who) (?:always|needs)|(?:great|brilliant"
    r"|genius) idea,? let'?s)\b"
    r"|\b(?:what could (?:possibly )?go wrong|as if|so (?:safe|helpful|reliable), (?:right"
    r"|isn'?t it))\b",
    _I,
)
_PAST = re.compile(
    r"(?:^|[，,])(?:以前|从前|过去|早年|早些年|小时候|上学(?:那会儿|的时候)|当年|几年前"
    r"|[一二两三四五六七八九十\d几多好]+\s*年前|那时候?|曾经)"
    r"|\b(?:(?:\w+|\d+) years ago|back (?:then|in (?:the day|\d{4}))|in the old days"
    r"|when I was (?:younger|a student|at)|used to)\b"
    r"|老黄历|早就过去了|陈年旧事",
    _I,
)
_STILL = re.compile(
    r"现在|如今|目前|已经|改|换|所以|不再|后来|别|不要|才转|\b(?:now|since|today|instead"
    r"|these days|so (?:we|I|please"
    r"|now)|but (?:now|we|I)|don'?t|never|no longer)\b",
    _I,
)
_WORLD = re.compile(
    r"^(?:听说|据说|看新闻|网上说|有人说|新闻里|apparently|I (?:heard|read|saw)(?: (?:that"
    r"|somewhere))?|they say"
    r"|rumou?r has it|word is)"
    r"|\b(?:somebody|someone|people|folks|a guy|everyone) (?:on|at|from) (?:reddit|twitter|x|hn"
    r"|hacker news|the internet|stack ?overflow|youtube|mastodon|discord)\b"
    r"|(?:知乎|微博|推特|论坛|网上|V2EX|公众号)(?:上)?(?:有人|都)?(?:说|讲|看到)"
    r"|隔壁(?:组|团队|部门|公司)|别人家|别的公司|(?:他|她|人家)们?(?:那边|公司|单位|团队)"
    r"|\b(?:his|her|their) (?:company|team|employer|startup|shop|agency)\b",
    _I,
)
_FIRST_RELEASED = re.compile(
    r"^(?:[A-Z][\w.+#-]*|[A-Za-z][\w.+#-]* v?\d[\w.]*)(?: v?\d[\w.]*)? (?:was|were|has been"
    r"|had been|got|gets|added|adds|introduced|introduces|improved|improves|dropped"
    r"|drops|removed|removes|deprecated|deprecates|supports|comes with|came out|shipped with"
    r"|is (?:an?|the) (?:\w+ )?(?:language|library|framework|database|tool|runtime))\b"
    r"|^(?:[A-Z][\w.+#-]* )+v?\d[\w.]* (?:ships?|includes?|brings?|has|will|now|changes|changed"
    r"|came|comes|requires|ended|ends|reached|switched|moved|made|makes)\b"
    r"|^[A-Z][\w.+#-]*\s*(?:最早|最初)?是\s*[A-Za-z\u4e00-\u9fff]{2,12}?\s*(?:最早"
    r"|最初)?(?:开发|发明|推出|开源|创建|设计)的"
    r"|^(?!v\d)[A-Za-z][\w.+#-]*\s*v?\d[\w.]*\s*(?:edition\s*)?(?:改进了|新增了|加入了|引入了"
    r"|支持了"
    r"|发布了|移除了|废弃了|已经稳定"
    r"|稳定了|带来了|自带)",
)
_OURS = re.compile(
    r"我们|咱|我的|我这|本(?:项目|仓库|组)|这个(?:项目|仓库|服务|库)|公司|线上|测试(?:库|环境"
    r"|机)|预发|生产|\b(?:we|we'?re|our|ours|us"
    r"|my|I|I'?m|this (?:project|repo|service)|the (?:team|project|repo)|here)\b",
    _I,
)


_CITED = re.compile(
    r"(?:文档|手册|说明|教程|博客|文章|网页|官网|官方|报错|警告|提示|日志|注释|README|规范"
    r"|邮件|工单|评论|群里|聊天|客户|用户|网友)"
    r"(?:[^，。]{0,6}?[里上中])?[^，。]{0,3}(?:写|说|讲|显示|提示|打印|输出|推荐)"
    r"(?:着|了|的是|道|到)?\s*[：:，]?\s*[“「\"'‘]"
    r"|\b(?:docs?|documentation|readme|manual|guide|linter|compiler|page|error|warning|log|tooltip"
    r"|changelog|blog|article|message|spec)\b[^.?!]{0,30}\b(?:says?|said|prints?|reads?|states?"
    r"|shows?|claims?|recommends?|complains?)\b[^.?!]{0,12}[\"'“‘]",
    _I,
)
"""Words that a document or a program is cited with: theirs, not the speaker's."""


def hedged(text: str) -> bool:
    """Tell whether the speaker says it half surely: "I think", "if I remember", 大概…吧."""
    if _HEDGE.search(text) or _SHOULD.search(text):
        return True
    return bool(_PARTICLE.search(text)) and bool(re.search(r"还是|应该|一般|平时", text))


def plainly(text: str) -> str:
    """Return `text` without the words of doubt in it, what is stated being left."""
    bare = _HEDGE.sub(" ", text)
    bare = re.sub(r"\bshould (still |already )?be\b", r"is", bare, flags=_I)
    bare = re.sub(r"应该(?=是)", "", bare)
    bare = _PARTICLE.sub("", bare)
    clauses = [part.strip() for part in re.split(r"(?<=[，,;；])", bare)]
    kept = " ".join(part for part in clauses if re.search(r"[\w\u4e00-\u9fff]{2,}", part))
    kept = re.sub(r"(?<=[\u4e00-\u9fff，]) (?=[\u4e00-\u9fff])", "", re.sub(r"\s{2,}", " ", kept))
    return _FILLING.sub("", kept) or text


def imagined(text: str) -> bool:
    """Tell whether something is only considered, tried out or wished for some day."""
    return bool(_IMAGINED.search(text))


def ironic(text: str) -> bool:
    """Tell whether the wording says the opposite of what is meant."""
    return bool(_IRONY.search(text))


def long_past(text: str) -> bool:
    """Tell whether it tells of former times and says nothing of today."""
    return bool(_PAST.search(text)) and not _STILL.search(text)


def of_the_world(text: str) -> bool:
    """Tell whether it is news or knowledge about the world, or strangers' doings."""
    if _CITED.search(text):
        return True
    if _WORLD.search(text):
        return not re.search(r"我们|咱们?|\b(?:our|we)\b", text, _I)
    return bool(_FIRST_RELEASED.search(text)) and not _OURS.search(text)
