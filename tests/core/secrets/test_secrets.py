from __future__ import annotations

import json
import random
import re
import string
import subprocess
import sys
import traceback
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stdnum import luhn
from stdnum.cn import ric

from omp_core.errors import SecretFinding, SecretFoundError
from omp_core.secrets import (
    ensure_clean,
    ensure_clean_value,
    gates,
    redact,
    redact_value,
    scan,
    scan_value,
)
from omp_core.secrets.api_keys import token_spans
from omp_core.secrets.numbers import number_spans
from omp_core.secrets.prose import prose_spans

DATA = Path(__file__).parent / "data"


def _random_text(
    length: int, seed: int, alphabet: str = string.ascii_letters + string.digits
) -> str:
    return "".join(random.Random(seed).choices(alphabet, k=length))


def _with_check_digit(seventeen: str) -> str:
    return seventeen + ric.calc_check_digit(seventeen + "0")


# Put together here, so that no file of this project holds anything shaped like a real key.
_RIC = _with_check_digit("11010119900307001")
_RIC_X = next(
    number
    for serial in range(1, 100)
    if (number := _with_check_digit(f"31010119850612{serial:03}")).endswith("X")
)
_UNIONPAY = "622202100112345678" + luhn.calc_check_digit("622202100112345678")
NAMES = {
    "github": "gh" + "p_" + _random_text(36, 1),
    "github_pat": "github" + "_pat_" + _random_text(40, 2),
    "gitlab": "gl" + "pat-" + _random_text(20, 3),
    "openai": "sk" + "-proj-" + _random_text(48, 4),
    "anthropic": "sk" + "-ant-api03-" + _random_text(60, 5),
    "random32": "q7" + _random_text(30, 6),
    "random40": "Zk4" + _random_text(37, 7),
    "aws_secret": _random_text(40, 8),
    "aws_id": "AK" + "IA" + _random_text(16, 9, string.ascii_uppercase + string.digits),
    "google": "AI" + "za" + _random_text(35, 10),
    "stripe": "sk" + "_live_" + _random_text(24, 11),
    "aliyun": "LT" + "AI" + _random_text(20, 12),
    "sendgrid": "S" + "G." + _random_text(22, 13) + "." + _random_text(43, 14),
    "whsec": "wh" + "sec_" + _random_text(32, 15),
    "slack": "xo" + "xb-" + "123456789012-123456789012-" + _random_text(24, 16),
    "jwt": "ey" + "JhbGciOiJIUzI1NiJ9." + "ey" + "JzdWIiOiIxMjM0In0." + _random_text(43, 17),
    "npm": "np" + "m_" + _random_text(36, 18),
    "telegram": "123456789:" + _random_text(35, 19),
    "pem": "-----BEGIN RSA " + "PRIVATE KEY-----\n⟦" + _random_text(64, 20) + "⟧\n-----END RSA "
    "PRIVATE KEY-----",
    "ric": _RIC,
    "ric_x": _RIC_X,
    "ric_spaced": f"{_RIC[:6]} {_RIC[6:14]} {_RIC[14:]}",
    "ric_dashed": f"{_RIC[:6]}-{_RIC[6:14]}-{_RIC[14:]}",
    "ric_wide": _RIC.translate({ord(d): ord(d) + 0xFEE0 for d in string.digits}),
    "unionpay": _UNIONPAY,
    "unionpay_spaced": " ".join(_UNIONPAY[i : i + 4] for i in range(0, 19, 4)),
}


def _lines(name: str) -> list[str]:
    lines = (DATA / name).read_text("utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def _fill(text: str) -> str:
    for name, value in NAMES.items():
        text = text.replace("{" + name + "}", value)
    return text


FOUND = [tuple(_fill(line).split(" | ", 1)) for line in _lines("secrets_found.txt")]
PASSED = _lines("secrets_passed.txt")


def test_corpora_are_large_and_bilingual() -> None:
    assert len(FOUND) >= 60
    assert len(PASSED) >= 80
    for texts in ([text for _, text in FOUND], PASSED):
        chinese = sum(bool(re.search(r"[\u4e00-\u9fff]", text)) for text in texts)
        assert 20 <= chinese <= len(texts) - 20


@pytest.mark.parametrize(("kind", "marked"), FOUND)
def test_secret_is_found_and_redacted(kind: str, marked: str) -> None:
    text = marked.replace("⟦", "").replace("⟧", "")
    values = re.findall("⟦(.*?)⟧", marked)
    findings = scan(text)
    assert kind in {finding.kind for finding in findings}
    assert all(0 <= finding.start < finding.end <= len(text) for finding in findings)
    redacted = redact(text, findings)
    assert values
    for value in values:
        assert value not in redacted
    assert scan(redacted) == []


@pytest.mark.parametrize("text", PASSED)
def test_ordinary_text_passes(text: str) -> None:
    assert scan(text) == []
    ensure_clean(text)


@pytest.mark.parametrize("text", [text for _, text in FOUND] + PASSED)
def test_gates_let_through_whatever_a_detector_finds(text: str) -> None:
    plain = text.replace("⟦", "").replace("⟧", "")
    if not plain.isascii():  # detectors read folded text only
        plain = plain.translate({code + 0xFEE0: code for code in range(0x21, 0x7F)})
    for spans, passed in (
        (
            token_spans(plain),
            gates.VENDOR.search(plain)
            or gates.LIBRARY.search(plain)
            or gates.RANDOM_RUN.search(plain),
        ),
        (prose_spans(plain), gates.PROSE.search(plain)),
        (number_spans(plain), gates.NUMBER.search(plain)),
    ):
        assert passed or not list(spans)


EVASIONS: dict[str, Callable[[str], str]] = {
    "full width": lambda text: text.translate({code: code + 0xFEE0 for code in range(0x21, 0x7F)}),
    "zero width": lambda text: "\u200b".join(text),
    "soft hyphens": lambda text: text.replace("a", "a\u00ad").replace("1", "1\u00ad"),
    "bidi marks": lambda text: "\u202a" + "\u2060".join(text) + "\u202c",
    "mathematical digits": lambda text: text.translate({48 + n: 0x1D7CE + n for n in range(10)}),
}


@pytest.mark.parametrize("name", EVASIONS)
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("password is hunter2", "hunter2"),
        ("密码是 abc123", "abc123"),
        ("token=" + NAMES["random32"], NAMES["random32"]),
        ("phone 13800138000 now", "13800138000"),
        ("卡号 4111111111111111。", "4111111111111111"),
        (f"身份证 {_RIC}", _RIC),
        (NAMES["github"], NAMES["github"]),
    ],
)
def test_disguise_does_not_hide_a_secret(name: str, text: str, value: str) -> None:
    disguised = EVASIONS[name](text)
    findings = scan(disguised)
    assert findings
    redacted = redact(disguised, findings)
    assert EVASIONS[name](value) not in redacted
    assert scan(redacted) == []


@pytest.mark.parametrize(
    "number",
    [
        "4111 1111 1111 1111",
        "4111-1111-1111-1111",
        "4111\u00a01111\u20131111\u30001111",
        "4111.1111.1111.1111",
        "4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1",
        "138-0013-8000",
        "138.0013.8000",
        "138 - 0013 - 8000",
        "1-3-8-0-0-1-3-8-0-0-0",
        "一三八零零一三八零零零",
        f"{_RIC[:6]} {_RIC[6:10]} {_RIC[10:14]} {_RIC[14:]}",
    ],
)
def test_separators_do_not_hide_a_number(number: str) -> None:
    text = f"记下 {number} ok"
    findings = scan(text)
    assert [text[finding.start : finding.end] for finding in findings] == [number]


@pytest.mark.parametrize("bad", ["4111111111111112", _RIC[:-1] + "5", "12345678901", "10800138000"])
def test_numbers_that_fail_their_check_pass(bad: str) -> None:
    assert bad != _RIC
    assert scan(f"the number {bad} is noted") == []


def test_findings_are_ordered_disjoint_and_precise() -> None:
    text = "a password is hunter2, phone 13800138000, card 4111 1111 1111 1111."
    findings = scan(text)
    assert [(f.kind, text[f.start : f.end]) for f in findings] == [
        ("password", "hunter2"),
        ("phone number", "13800138000"),
        ("bank card number", "4111 1111 1111 1111"),
    ]
    assert redact(text, findings) == (
        "a password is [redacted: password], phone [redacted: phone number], "
        "card [redacted: bank card number]."
    )


def test_error_names_kind_and_place_but_never_the_value() -> None:
    values = ["hunter2", "13800138000", NAMES["github"]]
    text = f"password is {values[0]}, call {values[1]}, push with {values[2]}"
    with pytest.raises(SecretFoundError) as caught:
        ensure_clean(text)
    error = caught.value
    told = "".join([str(error), repr(error), repr(vars(error)), *traceback.format_exception(error)])
    assert not [value for value in values if value in told]
    assert "password at characters 13-19" in str(error)
    assert error.__cause__ is None
    assert error.__context__ is None
    assert scan(error.redacted) == []


@pytest.mark.parametrize(
    ("value", "secret", "path"),
    [
        ({"password": "x1y2"}, "x1y2", "$.password"),
        ({"password": "swordfish"}, "swordfish", "$.password"),
        ({"dbPassword": 483920}, "483920", "$.dbPassword"),
        ({"DB_PASS": {"value": "x1y2z3"}}, "x1y2z3", "$.DB_PASS.value"),
        ({"tokens": [], "token": ["abc123", "def456"]}, "abc123", "$.token[0]"),
        ([{"name": "API_KEY", "value": "a1b2c3d4"}], "a1b2c3d4", "$[0].value"),
        ({"密码": "abc123"}, "abc123", "$.密码"),
        ({"note": {"deep": ["the password is hunter2"]}}, "hunter2", "$.note.deep[0]"),
        (["password:hunter2"], "hunter2", "$[0]"),
        (frozenset({"password:hunter2"}), "hunter2", "$[0]"),
        ({"phone": 13800138000}, "13800138000", "$.phone"),
        ({"card": 4111111111111111}, "4111111111111111", "$.card"),
        ({"passwd": "two words1 here"}, "words1", "$.passwd"),
        ("plain " + NAMES["github"], NAMES["github"], "$"),
    ],
)
def test_secrets_in_json_values(value: object, secret: str, path: str) -> None:
    findings = scan_value(value)
    assert path in {finding.path for finding in findings}
    with pytest.raises(SecretFoundError) as caught:
        ensure_clean_value(value)
    assert secret not in str(caught.value) + repr(caught.value.args) + caught.value.redacted
    assert path in str(caught.value)
    assert scan_value(redact_value(value)) == []
    assert secret not in json.dumps(redact_value(value), ensure_ascii=False)


def test_secret_in_a_key_is_found_and_not_told() -> None:
    value = {NAMES["github"]: 1, NAMES["openai"]: 2, NAMES["openai"] + "x": 3}
    with pytest.raises(SecretFoundError) as caught:
        ensure_clean_value(value)
    assert NAMES["github"] not in str(caught.value)
    assert list(redact_value(value).values()) == [1, 2, 3]


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        0,
        3.14,
        "",
        {"password": None, "token": False, "secret": ""},
        {"max_tokens": 4096, "token_count": 128000, "tokens": 500},
        {"password_min_length": 12, "password_policy": "12 chars, argon2id"},
        {"password": "[redacted: password]"},
        {"password": "${DB_PASSWORD}", "api_key": "YOUR_API_KEY", "token": "<token>"},
        {"token_type": "bearer", "token": {"type": "bearer", "expires_in": 3600}},
        {"size": 13800138000, "created_at": 1767225600000, "updated_at": 1767225600.5},
        {"commit": "3f2a9c1d4e5b6a7f8091a2b3c4d5e6f708192a3b", "id": "r1"},
        {"category": "preference", "tags": ["zh", "v1.2.3", "2026-03-15"]},
        {"secret": "db-credentials", "credential": "see the wiki"},
        [["nested", ["lists", {"are": "fine"}]]],
    ],
)
def test_ordinary_json_values_pass(value: object) -> None:
    assert scan_value(value) == []
    ensure_clean_value(value)
    assert redact_value(value) == value


_PIECES = st.one_of(
    st.sampled_from([text.replace("⟦", "").replace("⟧", "") for _, text in FOUND]),
    st.sampled_from(PASSED),
    st.sampled_from(
        ["password is ", "密码是 ", "token=", "138", "0013", "[redacted: ", "]", "\u200b"]
    ),
    st.text(max_size=12),
)
_TEXTS = st.lists(_PIECES, max_size=5).flatmap(
    lambda pieces: st.sampled_from(["", " ", "\n", "，"]).map(lambda joint: joint.join(pieces))
)


@given(_TEXTS)
def test_redacted_text_scans_clean(text: str) -> None:
    findings = scan(text)
    assert all(a.end <= b.start for a, b in pairwise(findings))
    redacted = redact(text, findings)
    assert scan(redacted) == []
    assert redact(redacted, []) == redacted
    if not findings:
        assert redacted == text


@given(_TEXTS, st.sampled_from(["note", "password", "token", "name"]))
def test_redacted_value_scans_clean(text: str, key: str) -> None:
    assert scan_value(redact_value({key: [text, {text: text}]})) == []


def test_redact_takes_any_places() -> None:
    marks = [SecretFinding("token", 4, 7), SecretFinding("password", 0, 5)]
    assert redact("abcdefghij", marks) == "[redacted: password][redacted: token]hij"


def test_ordinary_text_loads_no_library() -> None:
    script = (
        "import sys\n"
        "from omp_core.secrets import scan\n"
        "from pathlib import Path\n"
        f"for line in Path({str(DATA / 'ordinary.txt')!r}).read_text('utf-8').splitlines():\n"
        "    assert scan(line) == [], line\n"
        "loaded = {'phonenumbers', 'detect_secrets', 'stdnum', 'requests'} & set(sys.modules)\n"
        "assert not loaded, loaded\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)
