"""Passwords told in words, assigned, or handed over for a prompt, in many languages.

All patterns are bounded: time grows linearly with the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from omp_core.secrets.credential import is_described, is_strong, is_technical
from omp_core.secrets.kinds import BARRIER, SecretKind, Span
from omp_core.secrets.placeholder import is_placeholder, names_itself
from omp_core.secrets.vocabulary import (
    ADVERBS,
    COMPOUNDS,
    DESCRIBES_ZH,
    IS,
    PASSWORD_NAMES,
    STATES,
)

_NAME = re.compile(
    rf"(?i){PASSWORD_NAMES}|(?<![A-Za-z])pass(?=[\"']?\s?[:=]|\s(?:is|was)\s)(?!\s?=\s?True)"
)
_COUNTED = re.compile(r"(?i)\b(?:tests?|first|second|third|last|next|single|every|each|per|one)\s$")
"""What makes "pass" a passage."""

_STOP = rf"\s\"'`,;<>，；。、“”‘’「」『』《》【】（）\u3400-\u9fff{BARRIER}"
VALUE = rf"[^{_STOP}]{{3,512}}"
"""A word that may be a credential."""
QUOTED = rf"(?P<quote>[\"'`“‘「『])(?P<quoted>[^\n\"'`”’」』{BARRIER}]{{3,512}})[\"'`”’」』]"
ANY = rf"\s?(?:{QUOTED}|(?P<value>{VALUE}))"
ASIDE = r"(?:\s?[(\[（][^()\[\]（）\n]{1,24}[)\]）])?"
_ADVERBS = rf"(?:\s(?:{ADVERBS})){{0,2}}"

_ASSIGNED = re.compile(
    rf"[\"'`”’」』)\]]{{0,2}}{ASIDE}\s{{0,3}}(?::=|=>|={{1,3}}|:|->|→)\s{{0,3}}{ANY}", re.IGNORECASE
)
_SAID = re.compile(
    rf"{ASIDE}"
    r"(?:\s(?:for|of|to|on|in|at|from|used by|für|vom?|de|du|del|do|da|van|от|для|к)"
    r"(?:\s[^\s.;:=]{1,32}){1,6}?)?"
    rf"(?:\s?[:=]|\s-|\s(?:{IS}):?|(?-i:['’]s)|(?=\s(?:now|(?:set|changed|reset|updated|rotated|switched)\s)))"
    rf"{_ADVERBS}\s{ANY}",
    re.IGNORECASE,
)
_SAID_ZH = re.compile(
    rf"{ASIDE}\s?(?:现在|目前|默认|临时|初始|已经|已|暂时|就|被|也|都|统一|一律|仍|还){{0,3}}\s?"
    r"(?:用的是|设置为|设置成|设定为|更新为|更新成|重置为|重置成|修改为|修改成|改成了?|改为了?"
    r"|换成了?|换为|设为|设成|更换为|变成|变为|叫做?|填|输入|输|是|为|用|は|が|는|은|가|이)"
    rf"{ANY}"
)
_IN_CHINESE = re.compile(
    rf"{ASIDE}\s?(?:现在|就|已经)?\s?(?:(?:是|为|叫|改成了?|改为|设为|设成|:|=)\s?)"
    r"(?P<open>[\"'“‘「『])?(?P<value>[\u3400-\u9fff]{3,24})(?P<close>[\"'”’」』])?"
    r"(?=\s*(?:$|[\n,;.!，；。！、)）]))"
)
_ABOUT_ZH = re.compile(rf"\s?(?:是|为|:)\s?[\u3400-\u9fff]{{1,4}}\s?(?P<value>{VALUE})")
_SET_TO = re.compile(rf"(?:\s(?:back|over))?\sto{_ADVERBS}\s{ANY}", re.IGNORECASE)
_SETTING = re.compile(
    r"(?i)\b(?:set|chang|reset|updat|switch|rotat|made?\b|mak)\w*\b[^.\n;]{0,40}$"
)
_LOOSE = re.compile(rf"\s-{{1,2}}\s{ANY}")
_NEXT = re.compile(rf"{ASIDE}(?:\s|(?<=[\u4e00-\u9fff])|=)\s?(?:{QUOTED}|(?P<value>{VALUE}))")
_NAMED_BEFORE = re.compile(
    r"(?i)(?:\blogin\b|\bzugang\b|\b(?:user|benutzer)(?:name)?\b|\busuario\b|\butilisateur\b|\bwith\b|\bmachine\b|\bas\b|--)[^.\n;]{0,48}$"
)
_ENDS = re.compile(
    r"[\"'`”’」』)\]）】]{0,2}\s{0,3}(?:$|[\n.,;:!?|&\\。，；：！？、)）}\]]|and\b|for\b|on\b|--|了|吧|呢)"
)
MEASURE = re.compile(
    r"\s{0,2}(?:[年月日位个次天条字分秒小毫种轮倍周级元岁]|(?:or|to)\s(?:more\b|less\b|\d)|以上|以下"
    r"|(?i:bits?|bytes?|chars?|characters?|digits?|days?|hours?|minutes?|seconds?|times|letters?"
    r"|ms|users?|people|requests?|words?|Zeichen|caract[eè]res|caracteres|attempts?)(?![A-Za-z]))"
)
"""What makes the number before it an amount."""
_LIST = re.compile(rf"\s?(?:,|、|，|and|or|和|或|/)\s?(?P<value>{VALUE})")

_PROMPTED = re.compile(
    r"(?i)(?:(?:\bask|\bprompt|\bwant|\bneed|\brequire|\brequest)\w{0,3}\b[^.\n;]{0,40}?"
    r"\b(?:pass(?:word|phrase|code)?|pwd|pw|pin|code)|\b(?:password|passphrase|login)\s"
    r"(?:prompt|dialog|field|box))\b[^.\n;]{0,24}?[,:]?\s"
    r"(?:(?:just|simply|please|then|and|you|can|should|to)\s){0,3}"
    r"(?:type|enter|use|say|answer|put|supply|give(?:\s(?:it|them))?|try|input|provide)"
    rf"(?:\sin)?\s{ANY}"
)
_TYPED = re.compile(
    rf"(?i)\b(?:type|enter|use|try|say|give it|put in|put)\s{ANY}[\"'`]?\s(?:as|for|at|into"
    r"|when\s(?:it|they|he|she|you)\b[^.\n;]{0,24}?\b(?:for|the|a))\s"
    r"(?:(?:the|my|your|our|its|a|an|his|her)\s)?(?:[\w-]{1,16}\s){0,2}?"
    r"(?:password|pass(?:phrase|code)?|pwd|pw)(?=\s*(?:$|[\n.,;!?)]|of\b|on\b|for\b|and\b))"
)
_TYPED_ZH = re.compile(
    rf"(?:密码|口令)[^，。\n]{{0,8}}?(?:的时候|时|就|，|,)\s?(?:填|输入?|打|写|敲|用)\s?(?P<value>{VALUE})"
)
_USED_ZH = re.compile(
    rf"(?:用|拿|把|将)\s?[\"'`“「]?(?P<value>{VALUE})[\"'`”」]?\s?(?:作为|当作|当成|当|做|设为|设成|设置为)"
    r"[\u4e00-\u9fffA-Za-z]{0,8}?(?:密码|口令)"
)
_AS_PASSWORD = re.compile(
    rf"(?i)(?<![^{_STOP}])(?P<value>{VALUE})[\"'`]?\s(?:as|for)\s(?:(?:the|my|your|our|its|a)\s)?"
    r"(?:[A-Za-z]{1,16}\s){0,2}?(?:password|passphrase|passcode|secret|api key|token)(?![A-Za-z])"
)
_AS_PASSWORD_ZH = re.compile(
    rf"(?<![^{_STOP}])(?P<value>{VALUE})[\"'`”’」』]?\s?(?:是|作为|当作|当成|当|做|设为|设成|设置为|的?密码)"
    r"[\u4e00-\u9fffA-Za-z]{0,8}?(?:(?<=密码)|密码|口令|密钥|令牌)"
)
_CHANGED = re.compile(
    r"(?i)(?:password|passphrase|密码|口令)[^\n.;:。；]{0,24}?(?:from|从|由)\s?[\"'`“「]?"
    rf"(?P<old>{VALUE})[\"'`”」]?\s?(?:to|改|换|变|更新|修改|重置)[成为到]?\s?[\"'`“「]?(?P<value>{VALUE})"
)
_PAIR = re.compile(
    r"(?i)(?P<named>creds?\b|credentials?|账号密码|用户名密码|账号\s?[/和]\s?密码|用户名\s?[/和]\s?密码|账密"
    r"|用户名|user(?:name)?\s?(?:/|and|&)\s?password|log ?[io]n|sign ?in|log in|wi-?fi|登录)"
    r"[^\n/]{0,32}?[\s:是为用]\s?[A-Za-z][\w.@-]{1,40}\s?(?:/|:|\|)\s?"
    rf"(?P<value>(?!/){VALUE})"
)
_ACCOUNT = r"(?:admin(?:istrator)?|root|test|guest|demo|deploy|postgres|oracle|ubuntu|pi)"
_NAMED_PAIR = re.compile(
    r"(?i)(?:\b(?:log|sign)[ -]?[io]n\s(?:with|as|using)\s(?P<name>[a-z][\w.@-]{1,40})"
    rf"|(?:\blog ?[io]n|登录)\s?:\s?{_ACCOUNT})\s/\s(?P<value>{VALUE})"
)
_NAMED_PAIR_ZH = re.compile(
    rf"用\s?(?P<name>[A-Za-z][\w.@-]{{1,40}})\s?/\s?(?P<value>{VALUE})\s?登[录陆]"
)
_WAY_WORDS = """email e-mail mail phone mobile sms google github gitlab bitbucket apple facebook
    microsoft azure okta slack twitter wechat weixin alipay qq dingtalk feishu sso saml ldap
    oauth oauth2 oidc kerberos passkey passkeys webauthn fido password username user name
    token key link code
    otp magic biometrics fingerprint certificate desktop web app admin owner editor viewer member
    guest support"""
_WAYS = frozenset(_WAY_WORDS.split())
"""Ways and roles to log in with or as: "Google / GitHub" are no name and password."""
_USER_PASS = re.compile(
    rf"(?i)\buser(?:name)?\s?:?\s[\w.@-]{{2,40}}\s?[,;/]?\s(?:and\s)?pass\s(?P<value>{VALUE})"
)
_LOGIN = re.compile(
    rf"(?i)\b(?:log ?[io]n|sign ?in)\s(?:is\s|as\s|with\s)?"
    rf"[A-Za-z][\w.-]{{1,40}}:(?P<value>(?!/){VALUE})"
)
_PASSFILE = re.compile(
    rf"(?<![\w.*-])[\w.*-]{{1,64}}:(?:\d{{2,5}}|\*):[\w*-]{{1,64}}:[\w*-]{{1,64}}:(?P<value>{VALUE})"
)
"""A line of PostgreSQL's password file."""
_ELEMENT = re.compile(
    r"(?i)<[\w.:-]{0,32}(?:password|passwd|pwd|secret|token)>\s*(?P<value>[^<>\s]{3,256})\s*</"
)
_IDENTIFIED = re.compile(
    r"(?i)\b(?:identified\s(?:with\s\w+\s)?by|with\spassword|set\spassword\s(?:=|for\s\S{1,64}\s=))"
    r"\s{1,3}(?P<quote>['\"])(?P<quoted>[^'\"\n]{2,256})['\"]"
)
_MAPPED = re.compile(rf"(?i)/user:\S{{1,64}}\s(?P<value>{VALUE})")
_TOLD: tuple[re.Pattern[str], ...] = (
    _PROMPTED, _TYPED, _TYPED_ZH, _USED_ZH, _ELEMENT, _IDENTIFIED, _MAPPED, _LOGIN,
    _PASSFILE,
)  # fmt: skip


_RULE_WORDS = """must should shall may can cannot is at not min max minimum maximum required too
    has have    invalid wrong incorrect no see ask use enter your"""
_RULES = frozenset(_RULE_WORDS.split())
"""What a rule for passwords in quotes begins with."""
_SHORT_NAMES = ("passcode", "pw", "bindpw", "requirepass")
"""Names that no noun follows: the next word is the password."""


def password_spans(text: str) -> Iterator[Span]:
    """Yield passwords that words around them give away."""
    for name in _NAME.finditer(text):
        if name[0].lower() != "pass" or not _COUNTED.search(text[: name.start()][-12:]):
            yield from _behind(text, name)
    for pattern in _TOLD:
        for match in pattern.finditer(text):
            yield from _told(text, match)
    for pattern in (_AS_PASSWORD, _AS_PASSWORD_ZH):
        for match in pattern.finditer(text):
            yield from _bare(text, match)
    for match in _PAIR.finditer(text):
        certain = match["named"].lower().startswith(("cred", "账", "用户名", "user"))
        yield from _told(text, match) if certain else _bare(text, match)
    for pattern in (_NAMED_PAIR, _NAMED_PAIR_ZH):
        for match in pattern.finditer(text):
            if not _is_way(match["name"] or "") and not _is_way(match["value"]):
                yield from _told(text, match)
    for match in _USER_PASS.finditer(text):
        yield from _bare(text, match)
    for match in _CHANGED.finditer(text):
        for group in ("old", "value"):
            yield from _bare(text, match, group)


def is_told_password(value: str, after: str = "", *, quoted: bool = False) -> bool:
    """Return whether what follows "password is" is one: all but a plain placeholder, code, an
    amount, or a word that tells about it (`after` is the text behind the value).
    """
    bare = value.strip("*\"'`“”‘’「」『』()[]{}<>,;:!?。，；：！？、") or value
    words = bare.lower().split()
    if not words or is_placeholder(value) or is_technical(bare):
        return False
    first = words[0].strip(".,:;!?")
    if first in (_RULES if quoted and len(words) > 1 else STATES):
        return False
    if len(words) > 1 and not quoted:
        return False
    if bare.isdigit():
        return len(bare) >= 4 and MEASURE.match(after) is None
    if bare[0].isdigit() and MEASURE.match(after):
        return False
    return len(bare) >= 3 and not is_described(first, after)


def _behind(text: str, name: re.Match[str]) -> Iterator[Span]:
    """Yield the value that stands behind a password's name, and those listed after it."""
    end = name.end()
    for pattern in (_ASSIGNED, _SAID_ZH, _SAID):
        match = pattern.match(text, end)
        if match is not None:
            found = list(_told(text, match, name[0]))
            yield from found
            if found:
                yield from _listed(text, found[-1].end)
                return
            break
    match = _IN_CHINESE.match(text, end)
    if match is not None and not DESCRIBES_ZH.search(match["value"]):
        yield Span(*match.span("value"), SecretKind.PASSWORD)
        return
    match = _SET_TO.match(text, end)
    if match is not None and _SETTING.search(text[: name.start()][-64:]):
        yield from _told(text, match)
        return
    for pattern in (_LOOSE, _ABOUT_ZH, _NEXT):
        match = pattern.match(text, end)
        if match is None:
            continue
        found = list(_bare(text, match, name=name))
        if found:
            yield from found
            yield from _listed(text, found[-1].end)
            return


def _is_way(word: str) -> bool:
    return word.lower().strip(".,:;!?") in _WAYS


def _listed(text: str, end: int) -> Iterator[Span]:
    while (match := _LIST.match(text, end)) is not None:
        found = list(_bare(text, match))
        if not found:
            return
        yield from found
        end = match.end()


def _told(text: str, match: re.Match[str], name: str = "") -> Iterator[Span]:
    start, end, quoted = _place(text, match)
    value = text[start:end]
    if not quoted and text[end : end + 1] in ("(", "["):
        return
    if text[end : end + 1] == "<" and not is_strong(value) and text[end : end + 2] != "</":
        return
    assigned = match.re is _ASSIGNED
    if assigned and names_itself(value):
        return
    itself = not assigned and value.lower() == "password" and bool(_ENDS.match(text, end))
    if itself or is_told_password(value, text[end : end + 40], quoted=quoted):
        if name.lower().endswith(("phrase", "passe")) and not quoted:
            end = re.compile(r"[^.,;:\n。，；]*").match(text, end).end()  # type: ignore[union-attr]
        yield Span(start, end, SecretKind.PASSWORD)


def _bare(
    text: str, match: re.Match[str], group: str = "value", name: re.Match[str] | None = None
) -> Iterator[Span]:
    """Yield a value that no word says to be one: it has to look like a password."""
    start, end, quoted = _place(text, match, group)
    value = text[start:end]
    if quoted:
        noun = value.lower() in COMPOUNDS
        if not noun and is_told_password(value, text[end : end + 40], quoted=True):
            yield Span(start, end, SecretKind.PASSWORD)
        return
    if text[end : end + 1] in ("(", "[") or not is_told_password(value, text[end : end + 40]):
        return
    ends = _ENDS.match(text, end) is not None
    plain = value.lower() not in COMPOUNDS and ends and not names_itself(value)
    named = match.re is _NEXT and name is not None and _names_next(text, name)
    if value.isdigit():
        found = ends and len(value) >= 6
    elif is_strong(value):
        found = len(value) >= 6 or (plain and named)
    else:
        found = plain and (named or match.re is _LOOSE)
    if found:
        yield Span(start, end, SecretKind.PASSWORD)


def _names_next(text: str, name: re.Match[str]) -> bool:
    """Return whether the plain word after `name` is the password: an option, a setting or a login
    before it, or a word in another script than the name's.
    """
    before = text[max(0, name.start() - 64) : name.start()]
    foreign = not name[0][-1].isascii()
    return foreign or name[0].lower() in _SHORT_NAMES or bool(_NAMED_BEFORE.search(before))


def _place(text: str, match: re.Match[str], group: str = "value") -> tuple[int, int, bool]:
    """Return where the value stands, without the punctuation behind it, and if in quotes."""
    if match.groupdict().get("quoted") is not None:
        return *match.span("quoted"), True
    start, end = match.span(group)
    while end > start + 1 and text[end - 1] in ".,:!?)]}>\\":
        end -= 1
    return start, end, False
