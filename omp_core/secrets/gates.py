"""Quick looks that tell whether a detector has any chance: ordinary text passes them all.

Whatever a detector matches has to pass its gate. The detectors, whose patterns take tens of
milliseconds to compile, are imported behind their gates only.
"""

from __future__ import annotations

import re

PROSE = re.compile(
    r"(?i)pass|pwd|secret|token|key|credential|bearer|authoriz|cookie|log ?[io]n|sign|wi-?fi"
    r"|mnemonic|seed|recovery|otp|\bpins?\b|verification|密码|密碼|口令|密钥|密鑰|秘钥|令牌|凭证|凭据|私钥|账号"
    r"|账密|登录|开机码|用户名|助记词|验证码|校验码|://|curl|mysql|sshpass|\bpw\b"
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
NUMBER = re.compile(r"\d(?:[ ()._/-]{0,3}\d){6}|[零〇一二三四五六七八九幺]{11}")
"""Digits enough for a phone number."""
