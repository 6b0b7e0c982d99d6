"""Streamable HTTP, on a free port of the loopback address."""

from __future__ import annotations

import http.client
import signal
import socket
import stat
from typing import Any
from urllib.parse import urlsplit

LIMIT_S = 60


def test_several_clients_and_a_clean_end(place: Any) -> None:
    process, address = place.http()
    agents = [place.client(address, name) for name in ("first", "second")]
    for number, agent in enumerate(agents):
        agent.call("add_memory", content=f"Client {number} was here", user_id="ann")
    assert agents[0].call("get_memories", user_id="ann")["total"] == 2
    assert agents[1].fails("get_memory", mem_id="nowhere")["error"] == "NotFound"
    memory = place.memory()
    assert [act.actor for act in memory.acts()] == ["agent:second", "agent:first"]
    process.send_signal(signal.SIGTERM)
    assert process.wait(LIMIT_S) == 0
    assert process.stdout.read() == ""


def test_a_web_page_cannot_reach_it_by_a_name_of_its_own(place: Any) -> None:
    _process, address = place.http("--allow-host", "memory.lan")
    known = {"Authorization": f"Bearer {place.token}"}
    assert asked(address, known | {"Host": "evil.example"}) == 421
    assert asked(address, known | {"Origin": "http://evil.example"}) == 403
    assert asked(address, known) == 200
    named = {"Host": "memory.lan:80", "Origin": "http://memory.lan:80"}
    assert asked(address, known | named) == 200


def test_every_request_carries_the_token(place: Any) -> None:
    _process, address = place.http()
    assert stat.S_IMODE(place.token_file.stat().st_mode) == 0o600
    right = f"Bearer {place.token}"
    wrong = ["", "Bearer", "Bearer ", "Basic " + place.token, right + "x", right[:-1], "Bearer ü"]
    for header in wrong:
        assert asked(address, {"Authorization": header.encode("utf-8").decode("latin-1")}) == 401
    assert asked(address, {}) == 401
    for method in ("GET", "DELETE", "OPTIONS", "HEAD", "PUT"):
        assert asked(address, {}, method) == 401
        assert asked(address.replace("/mcp", "/"), {}, method) == 401
    assert asked(address, {"Authorization": right}) == 200


def test_a_token_may_be_given(place: Any) -> None:
    token = "not-a-real-token-1"
    _process, address = place.http(OMP_TOKEN=token)
    assert asked(address, {"Authorization": f"Bearer {token}"}) == 200
    assert not place.token_file.exists()
    process = place.process("--transport", "http", "--port", "0", "--token", "short")
    _out, err = process.communicate(timeout=LIMIT_S)
    assert process.returncode == 2
    assert "at least 16" in err


def asked(address: str, headers: dict[str, str], method: str = "POST") -> int:
    place = urlsplit(address)
    connection = http.client.HTTPConnection(str(place.hostname), place.port, timeout=LIMIT_S)
    body = (
        '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",'
        '"capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}'
    )
    usual = {
        "Content-Type": "application/json", "Accept": "application/json, text/event-stream"
    }  # fmt: skip
    connection.request(method, place.path, body, usual | headers)
    status = connection.getresponse().status
    connection.close()
    return status


def test_a_taken_port_is_said(place: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        process = place.process("--transport", "http", "--port", port)
        _out, err = process.communicate(timeout=LIMIT_S)
    assert process.returncode == 1
    assert f"127.0.0.1:{port}: cannot listen there" in err


def test_every_address_needs_names(place: Any) -> None:
    process = place.process("--transport", "http", "--host", "0.0.0.0")
    _out, err = process.communicate(timeout=LIMIT_S)
    assert process.returncode == 2
    assert "--allow-host NAME" in err
