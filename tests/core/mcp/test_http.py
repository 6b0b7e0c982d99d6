"""Streamable HTTP, on a free port of the loopback address."""

from __future__ import annotations

import http.client
import signal
import socket
from typing import Any
from urllib.parse import urlsplit

LIMIT_S = 60


def serving(place: Any, *arguments: str) -> tuple[Any, str]:
    process = place.process("--transport", "http", "--port", "0", *arguments)
    line = process.stderr.readline()
    assert line.startswith("serving at http://127.0.0.1:"), line + process.stderr.read()
    return process, line.removeprefix("serving at ").strip()


def test_several_clients_and_a_clean_end(place: Any) -> None:
    process, address = serving(place)
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
    _process, address = serving(place, "--allow-host", "memory.lan")
    assert asked(address, {"Host": "evil.example"}) == 421
    assert asked(address, {"Origin": "http://evil.example"}) == 403
    assert asked(address, {}) == 200
    assert asked(address, {"Host": "memory.lan:80", "Origin": "http://memory.lan:80"}) == 200


def asked(address: str, headers: dict[str, str]) -> int:
    place = urlsplit(address)
    connection = http.client.HTTPConnection(str(place.hostname), place.port, timeout=LIMIT_S)
    body = (
        '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",'
        '"capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}'
    )
    usual = {
        "Content-Type": "application/json", "Accept": "application/json, text/event-stream"
    }  # fmt: skip
    connection.request("POST", place.path, body, usual | headers)
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
