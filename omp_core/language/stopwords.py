"""Words and characters that carry grammar, not content."""

from __future__ import annotations

FUNCTION_CHARACTERS = frozenset(
    "的了着请就均也则又再吧呢啊吗之该这那此与和及并且是为将把被让要应须由从在向对"
)
"""Chinese characters that change little when they come or go."""

QUESTION_CHARACTERS = FUNCTION_CHARACTERS | frozenset("我你您他她它们有都不几多少什么怎哪谁样因")
"""Chinese characters that a question is put with; nobody looks for them."""

_FUNCTION = """
a an the this that these those its it he she they we you i his her their our your my is are was
were be been being am has have had do does did will would can could may might must should shall
to of in on at by for from with as into onto via and or so also just very really please always
currently now today then there here every each all any some both which who what when where while
if because since until too still already
"""
FUNCTION_WORDS = frozenset(_FUNCTION.split())
"""English words that change little when they come or go."""

_QUESTION = "how why whose whom about me us him them"
QUESTION_WORDS = FUNCTION_WORDS.union(_QUESTION.split())
"""English words that a question is put with; nobody looks for them."""
