# SPDX-License-Identifier: MIT
"""`import --live` against a client in a thread. test_real_client.py has a real one, where it is installed."""

from __future__ import annotations

import socket
import time

import pytest

from client_xml import NOW, active_task, element, gpu_host, host, project, state, times, work
from conftest import read_state
from fake_client import NONCE, FakeClient, flood, messages, nothing, only, reply, silence, trickle

from vcsched.boinc import gui_rpc
from vcsched.boinc.gui_rpc import DEFAULT_PORT, parse_address

ALWAYS = ["get_state", "get_cc_status", "get_file_transfers", "get_messages"]
READ_ONLY = {"auth1", "auth2", *ALWAYS, "get_cc_config", "get_app_config"}
STATE = state(work(active_task="<active_task_state>1</active_task_state><scheduler_state>2</scheduler_state>"
                   "<elapsed_time>300</elapsed_time><fraction_done>.25</fraction_done>"), start=host() + times(now=NOW))
CC_CONFIG = reply('<?xml version="1.0"?><cc_config><options><ncpus>2</ncpus></options></cc_config>')
APP_CONFIG = "<app_config><project_max_concurrent>3</project_max_concurrent></app_config>"


def at(client):
    return f"127.0.0.1:{client.port}"


@pytest.fixture(name="password_file")
def fixture_password_file(tmp_path):
    path = tmp_path / "password"
    path.write_text("oyster\n")
    return path


@pytest.fixture(name="data")
def fixture_data(tmp_path):
    """A data directory with a password."""
    data = tmp_path / "data"
    (data / "projects" / "tidewatch.example.org").mkdir(parents=True)
    (data / "gui_rpc_auth.cfg").write_text("oyster")
    (data / "client_state.xml").write_text(state(work(), active_task(once_ran_edf=1)))
    (data / "cc_config.xml").write_text("<cc_config><options><ncpus>3</ncpus></options></cc_config>")
    (data / "projects" / "tidewatch.example.org" / "app_config.xml").write_text(APP_CONFIG)
    return data


def without_comments(text):
    return [line for line in text.splitlines() if not line.startswith("#")]


def test_the_state_is_that_of_the_reply(run, tmp_path):
    (tmp_path / "reply.xml").write_bytes(reply(STATE)[:-1])
    with FakeClient({"get_state": reply(STATE)}) as client:
        live = run("import", "--live", at(client))
    assert live.status == 0
    assert f"asked at {at(client)}." in live.output.splitlines()[0]
    assert without_comments(live.output) == without_comments(run("import", tmp_path / "reply.xml").output)
    assert read_state(live.output)["task wave_0"]["elapsed"] == "300"
    assert "known only with --data-dir" in live.messages
    assert set(client.calls) <= READ_ONLY


def test_the_clients_own_clock_is_now(run):
    with FakeClient({"get_state": reply(STATE.replace(f"<now>{NOW}", f"<now>{NOW + 5}"))}) as client:
        assert read_state(run("import", "--live", at(client)).output)["host"].getfloat("now") == NOW + 5
        assert read_state(run("import", "--live", at(client), "--now", 7).output)["host"]["now"] == "7"


def test_an_old_client_does_not_tell_the_time(run):
    before = time.time()
    with FakeClient({"get_state": reply(state(work()))}) as client:
        found = read_state(run("import", "--live", at(client), "-q").output)
    assert before <= found["host"].getfloat("now") <= time.time()


def test_with_the_password_the_client_tells_its_configuration(run, password_file):
    with FakeClient({"get_state": reply(STATE), "get_cc_config": CC_CONFIG, "get_app_config": reply(APP_CONFIG)},
                    "oyster", open_to_all=False) as client:
        outcome = run("import", "--live", at(client), "--password-file", password_file)
    assert outcome.status == 0
    found = read_state(outcome.output)
    assert (found["host"]["cpus"], found["project Tidewatch"]["max_concurrent"]) == ("2", "3")
    assert client.calls == ["auth1", "auth2", *ALWAYS, "get_cc_config", "get_app_config"]


def test_a_project_without_configuration_has_no_limits(run, password_file):
    with FakeClient({"get_state": reply(STATE), "get_cc_config": reply("<error>no file</error>"),
                     "get_app_config": reply("<error>no such project</error>\n")}, "oyster") as client:
        outcome = run("import", "--live", at(client), "--password-file", password_file)
    assert outcome.status == 0
    assert "max_concurrent" not in read_state(outcome.output)["project Tidewatch"]


def test_what_only_files_hold_comes_from_the_data_directory(run, data):
    with FakeClient({"get_state": reply(STATE)}, "oyster", open_to_all=False) as client:
        outcome = run("import", "--live", at(client), "--data-dir", data)
    assert (outcome.status, outcome.messages.count("Note")) == (0, 1)  # that there are no preferences
    found = read_state(outcome.output)
    assert (found["host"]["cpus"], found["project Tidewatch"]["max_concurrent"]) == ("3", "3")
    assert found["task wave_0"]["was_late"] == "1"
    assert found["task wave_0"]["elapsed"] == "300"  # not as far as in the file
    assert client.calls == ["auth1", "auth2", *ALWAYS]


def test_without_a_password_in_the_data_directory_none_is_proven(run, data):
    (data / "gui_rpc_auth.cfg").unlink()
    with FakeClient({"get_state": reply(STATE)}) as client:
        assert run("import", "--live", at(client), "--data-dir", data).status == 0
    assert client.calls == ALWAYS


@pytest.mark.parametrize("status, note", [
    ({"task_mode": 3, "task_suspend_reason": 4}, "the user has suspended computing"),
    ({"task_mode": 2, "task_suspend_reason": 1}, "the client has suspended computing on batteries"),
    ({"task_mode": 2, "task_suspend_reason": 5000}, "the client has suspended computing for its reason 5000"),
    ({"task_mode": 2, "task_suspend_reason": 64}, None),
    ({"task_mode": 2, "gpu_suspend_reason": 2}, "the client has suspended GPUs while the computer is in use"),
])
def test_what_is_suspended_is_told(run, status, note):
    text = state(work(), start=gpu_host() + times(now=NOW))
    with FakeClient({"get_state": reply(text), "get_cc_status": reply(element("cc_status", **status))}) as client:
        outcome = run("import", "--live", at(client))
    assert ("suspended" in outcome.messages) == (note is not None)
    assert (note or "") in outcome.messages
    found = read_state(outcome.output)
    assert found["host"].getboolean("paused", fallback=False) == ("computing" in (note or ""))
    assert found["gpu NVIDIA"].getboolean("paused", fallback=False) == (note is not None)


def test_gpus_that_the_user_has_stopped_are_suspended(run):
    text = state(work(), start=gpu_host() + times(now=NOW))
    with FakeClient({"get_state": reply(text), "get_cc_status": reply(element("cc_status", gpu_mode=3))}) as client:
        assert read_state(run("import", "--live", at(client)).output)["gpu NVIDIA"]["suspended"] == "1"


GOT_NONE = ("Tidewatch", "Scheduler request completed: got 0 new tasks")
REPORTED = ("Tidewatch", "Scheduler request completed")
LIMIT = ("Tidewatch", "This computer has reached a limit on tasks in progress")
QUOTA = ("Tidewatch", "This computer has finished a daily quota of 8 tasks")
CALLS = ("Tidewatch", "Sending scheduler request: To fetch work.")


def limited(run, client, *arguments):
    """Whether the only project is at its server's limit."""
    outcome = run("import", "--live", at(client), *arguments)
    assert outcome.status == 0
    found = read_state(outcome.output)
    return found.get("project_resource Tidewatch/CPU", "server_limit", fallback=None) == "1", outcome.messages


@pytest.mark.parametrize("told, expected", [
    ([CALLS, GOT_NONE, LIMIT], True),
    ([CALLS, GOT_NONE, QUOTA, ("Tidewatch", "Project requested delay of 60 seconds")], True),
    ([LIMIT], True),  # what went before is forgotten
    ([GOT_NONE, LIMIT, CALLS, ("Tidewatch", "Scheduler request completed: got 3 new tasks")], False),
    ([GOT_NONE, LIMIT, CALLS, REPORTED], False),
    ([GOT_NONE, LIMIT, CALLS], True),  # there is no reply yet
    ([GOT_NONE, LIMIT, CALLS, ("Tidewatch", "Scheduler request failed: Couldn't connect to server")], True),
    ([GOT_NONE, ("Tidewatch", "Project has no tasks available")], False),
    ([GOT_NONE, ("Surge & co", LIMIT[1])], False),
    ([("", LIMIT[1])], False),
    ([GOT_NONE, ("Tidewatch", LIMIT[1] + " " * 5000)], True),
])
def test_messages_tell_the_limit_of_a_server(run, told, expected):
    with FakeClient({"get_state": reply(STATE), "get_messages": messages(*told)}) as client:
        assert limited(run, client)[0] == expected


@pytest.mark.parametrize("filed, told, expected", [
    (LIMIT, [], True),  # the client was started after that reply
    (LIMIT, [GOT_NONE], False), (GOT_NONE, [GOT_NONE, LIMIT], True), (GOT_NONE, [], False)])
def test_messages_are_newer_than_the_filed_reply(run, data, filed, told, expected):
    (data / "sched_reply_tidewatch.example.org.xml").write_text(
        f"<scheduler_reply><message>{filed[1]}</message></scheduler_reply>")
    with FakeClient({"get_state": reply(STATE), "get_messages": messages(*told)}, "oyster") as client:
        assert limited(run, client, "--data-dir", data)[0] == expected


@pytest.mark.parametrize("told", [[], [LIMIT]])
@pytest.mark.parametrize("filed, expected", [(LIMIT, ["project_resource Tidewatch/CPU"]), (GOT_NONE, [])])
def test_a_name_of_two_projects_tells_neither(run, data, filed, told, expected):
    (data / "sched_reply_tidewatch.example.org.xml").write_text(
        f"<scheduler_reply><message>{filed[1]}</message></scheduler_reply>")
    text = state(work(), project(master_url="https://other.example.org/"), start=host() + times(now=NOW))
    with FakeClient({"get_state": reply(text), "get_messages": messages(GOT_NONE, *told)},
                    "oyster") as client:
        found = read_state(run("import", "--live", at(client), "--data-dir", data).output)
    at_limit = [name for name in found.sections() if found[name].get("server_limit")]
    assert at_limit == expected


@pytest.mark.parametrize("answer, note", [
    (reply("<unauthorized/>"), "the client answers get_messages only with its password"),
    (reply("<msgs><msg><project>Surge <& co</project></msg></msgs>"), "not well-formed"),
    (reply(f"<msgs><msg><body>{'x' * 70000}</body></msg></msgs>"), "longer than 65536 characters"),
    (reply("<error>unrecognized op</error>"), None),
])
def test_a_client_whose_messages_cannot_be_read(run, answer, note):
    with FakeClient({"get_state": reply(STATE), "get_messages": answer}) as client:
        is_limited, notes = limited(run, client)
    assert not is_limited
    assert ("limits of servers may be missing" in notes) == (note is not None) and (note or "") in notes


def fails(run, tmp_path, *arguments):
    """Why it does not work: one line, and nothing is written."""
    outcome = run("import", "-o", tmp_path / "never.ini", "--timeout", 0.4, *arguments)
    assert (outcome.status, outcome.output) == (1, "")
    assert not (tmp_path / "never.ini").exists()
    assert outcome.messages.startswith("vcsched: ") and len(outcome.messages.splitlines()) == 1
    return outcome.messages[len("vcsched: "):-1]


def test_no_client(run, tmp_path):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        where = f"127.0.0.1:{unused.getsockname()[1]}"
        assert fails(run, tmp_path, "--live", where) == f"no client answers at {where}: Connection refused"


def test_no_such_host(run, tmp_path):
    assert fails(run, tmp_path, "--live", "nowhere.invalid").startswith("no client answers at nowhere.invalid:31416: ")
    assert fails(run, tmp_path, "--live", "x" * 70 + ".example.org").startswith("no client answers at xxx")


def test_a_wrong_password(run, tmp_path, password_file):
    with FakeClient({"get_state": reply(STATE)}, "pearl") as client:
        assert fails(run, tmp_path, "--live", at(client), "--password-file", password_file) \
            == f"{at(client)}: the password is wrong"
    assert client.calls == ["auth1", "auth2"]


def test_a_client_that_insists_on_its_password(run, tmp_path):
    with FakeClient({}, "pearl", open_to_all=False) as client:
        assert fails(run, tmp_path, "--live", at(client)) \
            == f"{at(client)}: the client answers get_state only with its password"


def test_a_password_file_that_is_missing(run, tmp_path):
    with FakeClient({}) as client:
        assert fails(run, tmp_path, "--live", at(client), "--password-file", tmp_path / "none") \
            == f"{tmp_path / 'none'}: No such file or directory"


@pytest.mark.parametrize("answer, message", [
    (nothing, ": the connection was ended instead of an answer to get_state; the client may not allow this host "
     "(remote_hosts.cfg)"),
    (only(reply(STATE)[:-100]), ": the answer to get_state is cut short"),
    (only(reply(STATE)[:-1]), ": the answer to get_state is cut short"),
    (silence, ": no complete answer to get_state: it took too long"),
    (trickle, ": no complete answer to get_state: it took too long"),
    (only(reply(STATE) + b"<"), ": the answer to get_state goes on after its end"),
    (only(b"\x03"), " get_state:1:1: no element found"),
    (only(b"HTTP/1.1 400 Bad Request\r\n\r\n\x03"), " get_state:1:5: not well-formed (invalid token)"),
    (only(b"<html></html>\x03"), " get_state:1:1: begins with <html>, so it is not a reply of a BOINC client"),
    (only(b"<!DOCTYPE boinc_gui_rpc_reply []>" + reply("")), " get_state:1:31: document types are refused, since "
     "they can hold entities"),
    (reply(""), " get_state:1:1: has no <host_info>, so it is no client state"),
    (reply(state(work(state=9))), " get_state:29:1: <result>: there is no state 9"),
], ids=["ended at once", "cut short", "without its last byte", "silent", "trickling", "with more behind it", "empty",
        "of the web", "another document", "with entities", "of nothing", "with a task in no state"])
def test_answers_that_are_none(run, tmp_path, answer, message):
    with FakeClient({"get_state": answer}) as client:
        assert fails(run, tmp_path, "--live", at(client)) == at(client) + message


def test_an_answer_without_end(run, tmp_path, monkeypatch):
    monkeypatch.setattr(gui_rpc, "LONGEST_REPLY", 100_000)
    with FakeClient({"get_state": flood}) as client:
        assert fails(run, tmp_path, "--live", at(client)) \
            == f"{at(client)}: the answer to get_state has more than 100000 bytes"


@pytest.mark.parametrize("answers, message", [
    ({"auth1": reply("")}, ": the client does not say how to prove the password"),
    ({"auth1": reply("<nonce/>"), "auth2": reply("<error>no</error>")}, ": the password is wrong"),
    ({"auth1": reply(f"<nonce>{'1' * 5000}</nonce>")},
     " auth1:2:5008: the text of <nonce> is longer than 4096 characters"),
])
def test_odd_ways_to_prove_a_password(run, tmp_path, password_file, answers, message):
    with FakeClient({"get_state": reply(STATE), **answers}, "oyster") as client:
        assert fails(run, tmp_path, "--live", at(client), "--password-file", password_file) == at(client) + message


def test_the_password_itself_is_never_sent(run, password_file):
    seen = []
    with FakeClient({"auth2": lambda _connection, rest: seen.append(rest)}, "oyster") as client:
        run("import", "--live", at(client), "--password-file", password_file)
    # MD5 of the nonce and the password, worked out by md5sum.
    assert NONCE + "oyster" == "1795353653.601951oyster"
    assert seen == ["\n<nonce_hash>30e7c5308330fbd40e5d4c1df8f556bc</nonce_hash>\n</auth2>"]


@pytest.mark.parametrize("text, expected", [
    ("", ("127.0.0.1", DEFAULT_PORT)), ("attic", ("attic", DEFAULT_PORT)), ("attic:9", ("attic", 9)),
    (":9", ("127.0.0.1", 9)), ("[::1]:9", ("::1", 9)), ("[::1]", ("::1", DEFAULT_PORT)), ("::1", ("::1", DEFAULT_PORT)),
])
def test_addresses(text, expected):
    assert parse_address(text) == expected


@pytest.mark.parametrize("text", ["client_state/", "a b", "a:x", "a:0", "a:65536", "a:", "[::1", "[]", "http://a"])
def test_what_is_no_address(run, text):
    outcome = run("import", "--live", text)
    assert outcome.status == 2
    assert "HOST[:PORT]" in outcome.messages


@pytest.mark.parametrize("arguments", [("--timeout", "0"), ("--timeout", "soon"), ("--timeout", "1e9")])
def test_timeouts_are_positive(run, arguments):
    assert run("import", "--live", *arguments).status == 2


def test_either_files_or_a_client(run, tmp_path):
    outcome = run("import", tmp_path / "x.xml", "--live")
    assert (outcome.status, outcome.messages) == (2, "vcsched: import: either FILE or --live\n")
