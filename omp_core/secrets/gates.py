"""Quick looks that tell whether a detector has any chance: ordinary text passes them all.

Whatever a detector matches has to pass its gate. The detectors, whose patterns take tens of
milliseconds to compile, are imported behind their gates only.
"""

from __future__ import annotations

import re

PROSE = re.compile(
    r"(?i)pass|pwd|secret|token|key|credential|creds|bearer|authoriz|authent|cookie|log ?[io]n|sign"
    r"|wi-?fi|wlan|seed|recovery|backup|rescue|restore|otp|\bpins?\b|verification|confirmation|\btan\b"
    r"|code|combination|cv[vc]|\bcsc\b|2fa|mfa|two.factor|://|curl|mysql|sshpass|\bpw\b|bindpw"
    r"|redis-cli|/user:|identified|unlock|contrase|\bclave\b|senha|wachtwoord|hasł|hesl|lösenord"
    r"|kennwort|zugang|türcode|geheimzahl|adgangskode|kodeord|salasana|jelsz|[şs]ifre|geslo|lozinka"
    r"|parol|парол|κωδικός|mật khẩu|kata sandi"
    r"|パスワード|暗証|合言葉|認証|確認|비밀번호|암호|인증번호"
    r"|密码|密碼|口令|密钥|密鑰|秘钥|令牌|凭证|凭据|私钥|账号|账密|登录|开机码|授权码|用户名|验证码|校验码|动态码"
    r"|确认码|取件码|门禁|开门码|门锁|安全码|保险柜|保险箱|取款码|恢复|备用|备份"
)
"""Words near which prose may tell a credential."""
LIBRARY = re.compile(
    r"AKC[a-zA-Z0-9]{10}"
    r"|A3T[A-Z0-9]|ABIA|ACCA|AKIA|ASIA"
    r"|(?i:aws)[^\n]{0,48}['\"][0-9a-zA-Z/+]{40}['\"]"
    r"|AccountKey="
    r"|[MNO][a-zA-Z\d_-]{23,25}\.[a-zA-Z\d_-]{6}\."
    r"|gh[pousr]_|gl[a-z]{2,5}-|GR1348941|eyJ[A-Za-z0-9]|T3BlbkFJ"
    r"|[0-9a-z]{32}-us\d|PRIVATE KEY|PuTTY-User-Key|pypi-Ag|SG\.[a-zA-Z0-9_-]{22}"
    r"|(?i:xox[abpors]-|hooks\.slack\.com)"
    r"|sq0csp|[rs]k_live_|\d{8,10}:[0-9A-Za-z_-]{35}|(?:AC|SK)[a-z0-9]{32}"
)
"""What a pattern of detect-secrets starts with."""
VENDOR = re.compile(
    r"sk-|k_(?:test|live)_|whsec_|AIza|ya29|GOCSPX|AKID|LTAI|gsk_|xai-|pplx-|nvapi-|hf_|r8_"
    r"|jina_|tvly-|dop_v1_|shp(?:at|ca|pa|ss)_|lin_api_|ntn_|figd_|PMAK-|sb_secret_|key-[0-9a-f]"
    r"|dapi|sntrys_|github_pat_|gh[pousr]_|npm_|hv[sbr]\.|tskey-|dckr_pat_|xapp-|xox[a-z]-"
    r"|ATATT3|rubygems_|sbp_|AGE-SECRET|EAA|eyJ|webhooks/|/bot/v2/hook/"
)
"""What a vendor's key starts with."""
RANDOM_RUN = re.compile(
    r"(?<![A-Za-z0-9+/_.\-])(?=[^\s]{0,80}\d)(?=[^\s]{0,80}[a-z])(?=[^\s]{0,80}[A-Z])"
    r"[A-Za-z0-9+/_-]{24,256}={0,2}(?![A-Za-z0-9+/_\-])"
)
"""An unbroken run of letters and digits, with a small letter, a capital and a digit."""
NUMBER = re.compile(
    r"\d(?:[ ()._/-]{0,3}\d){6}|[零〇一二三四五六七八九幺]{11}|\d{4}\s{1,3}\d{4}"
    r"|[A-Z]{2}\d{2}[ -]?[A-Z\d]{4}"
)
"""Digits enough for a phone number, or the beginning of a bank account's."""
PHRASE = re.compile(r"\b(?:[^\W\d_]{1,8}[\s,，、;|/.:)#\d-]{1,16}){11}[^\W\d_]{1,8}")
"""A dozen short words in a row."""
