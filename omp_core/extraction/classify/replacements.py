"""What took the place of what: "moved from A to B", "upgraded to 3.13", 从 A 换成 B."""

from __future__ import annotations

import re
from dataclasses import dataclass

_I = re.IGNORECASE
_NAME = r"[A-Za-z@][\w@.+#/-]*(?:[ -](?:\d[\w.]*|[A-Z][\w.+#-]*))?|v?\d[\w.]*|[\u4e00-\u9fff]{2,8}?"
_PATTERNS: tuple[re.Pattern[str], ...] = tuple(
    re.compile(pattern, _I)
    for pattern in (
        rf"(?:(?P<subject>[A-Za-z][\w.+#-]*(?: [A-Za-z][\w.+#-]*)?"
        rf"|[\u4e00-\u9fffA-Za-z ]{{2,12}}?)\s*)?(?:已经?|都"
        rf"|全部)?(?:从|由)\s*(?P<old>{_NAME})\s*(?:版本?)?(?:全面"
        rf"|彻底|统一|都)?"
        rf"(?:换|改|升级?|迁移?|切换?|转|搬|移)(?:成|到|为|用|至|回)了?\s*(?P<new>{_NAME})(?=$"
        rf"|[\s，。,;；了吧])",
        rf"(?:把|将)\s*(?P<old>{_NAME})\s*(?:全面|彻底|统一|都|全部)?(?:换|改|替换|升级?|迁移?"
        rf"|切换?|转)(?:成|到|为|用"
        rf"|至)了?\s*(?P<new>{_NAME})(?=$|[\s，。,;；了吧])",
        rf"(?P<old>{_NAME})\s*(?:已经?|全部|都)?(?:下掉|停用|弃用|废弃|下线|淘汰|换掉|扔掉"
        rf"|退役)了?[，,]\s*(?:现在|以后"
        rf"|今后)?[^，。]{{0,6}}?(?:都|全部?|统一)?(?:走|用|改用|换成|改为"
        rf"|跑在)\s*(?P<new>{_NAME})(?=$|[\s，。,;；了吧])",
        r"(?P<subject>[A-Za-z][\w.+#-]*)\s*(?:已经?)?升级?(?:到|至|成)了?\s*(?P<new>v?\d[\w.]*)",
        r"\b(?:moved|switched|migrated|changed|converted|went|upgraded|ported)\b(?: (?:our|the"
        r"|everything|all"
        r"|from the) [\w -]{1,24}?)?(?: over)? from (?:the )?(?P<subject>[A-Za-z][\w.+#-]* )?"
        r"(?P<old>[\w@.+#/-]+) (?:over )?to (?:the )?(?P<new>[\w@.+#/-]+)",
        r"\b(?:replaced|swapped)(?: out)? (?:the )?(?P<old>[\w@.+#/-]+)(?: out)? (?:with|by"
        r"|for) (?:the )?(?P<new>[\w@.+#/-]+)",
        r"\b(?:upgraded|bumped"
        r"|updated) (?:the )?(?P<subject>[A-Za-z][\w.+#-]*) to (?P<new>v?\d[\w.]*)",
        r"\b(?:dropped|ditched|abandoned|retired) (?P<old>[\w@.+#/-]+)(?: and (?:now use|moved to"
        r"|switched to)| in favou?r of| for) (?P<new>[\w@.+#/-]+)",
        r"\b(?P<old>[A-Z][\w@.+#/-]*)(?: (?:is|was|has been)) (?:gone|dead|retired|out|dropped"
        r"|removed|shut down|switched off)[,;.] ?(?:now )?(?:everything|all of it|all|we|it)\b"
        r"[^.?!]{0,20}?\b(?:in|on|through|uses?|with) (?P<new>[A-Z][\w@.+#/-]*(?: v?\d[\w.]*)?)",
        r"\b(?:now use|now run on"
        r"|now on) (?P<new>[A-Z][\w@.+#/-]*)[^.?!]{0,12} instead of (?P<old>[\w@.+#/-]+)",
    )
)
_NAMED_VERSION = re.compile(r"^(?P<name>[A-Za-z][\w.+#-]*) (?P<version>v?\d[\w.]*)$", _I)
_VERSION = re.compile(r"^v?\d[\w.]*$", _I)


@dataclass(frozen=True, slots=True)
class Replacement:
    """`subject` names what has the value, empty where it is not said; `old` may be empty too."""

    subject: str
    old: str
    new: str

    @property
    def version(self) -> bool:
        """Whether only the version of the subject changed."""
        return bool(_VERSION.match(self.new)) and bool(self.subject)


def replacement(text: str) -> Replacement | None:
    """Return what a text says took the place of what, None if it says no such thing."""
    for pattern in _PATTERNS:
        match = pattern.search(text)
        if match is None:
            continue
        found = match.groupdict()
        subject = (found.get("subject") or "").strip(" 的")
        new = found["new"].strip(" .，。")
        old = (found.get("old") or "").strip()
        named = _NAMED_VERSION.match(old)
        if named and _VERSION.match(new):
            subject, old = named["name"], named["version"]
        if new and new.lower() not in ("the", "a", "an", "it", "this", "that"):
            return Replacement(subject, old, new)
    return None
