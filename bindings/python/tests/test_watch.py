# SPDX-License-Identifier: MIT
"""`watch`: the plan for a running client beside what it does."""

from __future__ import annotations

import os
import pty
import re
import signal
import subprocess
import sys
import time

import pytest

from client_xml import NOW, app, element, project, result, state, times, version, work, workunit
from conftest import PACKAGE, PROJECT_ROOT
from fake_client import FakeClient, messages, nothing, reply
from real_client import BOINC, WHY_NOT, Naps, RealClient
from test_real_client import TIGHT

pytest.importorskip("vcsched.library", reason="needs the compiled part")

from vcsched.commands.watch import duration  # noqa: E402 - known to be there only now

RUNNING = "<active_task_state>1</active_task_state><scheduler_state>2</scheduler_state><elapsed_time>0</elapsed_time>"


def host_with(*results):
    """One CPU, and tasks of an hour that came in this order."""
    return state(project(), app(), version(), workunit(), *results,
                 start="<host_info><p_ncpus>1</p_ncpus><p_fpops>2e9</p_fpops></host_info>" + times(now=NOW))


AS_PLANNED = host_with(result(name="first", received_time=1, active_task=RUNNING),
                       result(name="second", received_time=2))
OTHERWISE = host_with(result(name="first", received_time=1, active_task=RUNNING),
                      result(name="second", received_time=2, report_deadline=NOW + 5400),
                      *(result(name=f"third{n}", received_time=3) for n in range(3)))


def at(client):
    return f"127.0.0.1:{client.port}"


def test_help_shows_examples(run):
    output = run("watch", "--help").output
    assert "python3 -m vcsched watch --data-dir /var/lib/boinc-client" in output


def test_the_plan_of_another_policy(run):
    """The client runs what is owed; by the other policy what runs is not stopped for the late one."""
    with FakeClient({"get_state": reply(OTHERWISE)}) as client:
        assert ": 5 tasks; the client runs 1, the plan 1; 2 differ (*)" in run("watch", at(client), "--once").output
    with FakeClient({"get_state": reply(OTHERWISE)}) as client:
        kept = run("watch", at(client), "--once", "--profile", "current,keep_running=yes")
    assert kept.status == 0 and ": 5 tasks; the client runs 1, the plan 1; no difference" in kept.output
    assert "no task is stopped for another one" in kept.output


@pytest.mark.parametrize("policy, why", [("nosuch", "is not a profile"), ("current,x=1", "there is no such parameter")])
def test_another_policy_that_there_is_not(run, policy, why):
    """It is refused before a client is asked: there is none."""
    outcome = run("watch", "127.0.0.1:9", "--once", "--profile", policy)
    assert outcome.status == 2 and why in outcome.messages and f"--profile {policy}: " in outcome.messages


def test_plan_and_client_agree(run):
    with FakeClient({"get_state": reply(AS_PLANNED)}) as client:
        outcome = run("watch", at(client), "--once")
    assert (outcome.status, outcome.messages) == (0, "")
    lines = outcome.output.splitlines()
    assert re.fullmatch(re.escape(at(client)) + r" at \d\d:\d\d:\d\d: 2 tasks; the client runs 1, the plan 1; "
                        "no difference", lines[0])
    rows = [line.split(None, 12) for line in lines if " first " in line]
    assert [row[:8] for row in rows] == [["first", "Tidewatch", "1", "CPU", "runs", "runs", "1h", "00m"]]
    assert "... and 1 that wait, as the plan says, and will be in time" in lines
    assert not [line for line in lines if line.startswith("*")]
    assert lines[-2].startswith("The plan asks Tidewatch for work: ") and " s of CPU on " in lines[-2]
    assert set(client.calls) == {"get_state", "get_cc_status", "get_file_transfers", "get_messages"}


def test_somebody_uses_the_computer(run):
    """So the task that the client runs gives way, and nothing else runs."""
    text = AS_PLANNED.replace("<host_info>", element("global_preferences", run_if_user_active=0) + "<host_info>", 1)
    with FakeClient({"get_state": reply(text)}) as client:
        alone, in_use = (run("watch", at(client), "--once", *more).output for more in ((), ("--in-use",)))
    assert "the client runs 1, the plan 1; no difference" in alone
    assert "the client runs 0, the plan 0" in in_use and "while the computer is in use, so nothing runs" in in_use


def test_a_limit_of_the_server_is_why_nobody_is_asked(run):
    """The host runs out of work and its only project waits: because of what its server said."""
    waiting = host_with(result(name="first", received_time=1, active_task=RUNNING)).replace(
        "<master_url>", element("rsc_backoff_time", name="CPU", value=NOW + 600) + "<master_url>", 1)
    told = [("Tidewatch", "Scheduler request completed: got 0 new tasks"),
            ("Tidewatch", "This computer has reached a limit on tasks in progress")]
    seen = []
    for answer in (messages(), messages(*told)):
        with FakeClient({"get_state": reply(waiting), "get_messages": answer}) as client:
            seen.append(run("watch", at(client), "--once").output.splitlines()[-2])
    limit = "as many of its jobs in progress as its server allows"
    assert [line.startswith("The plan asks nobody for work: ") for line in seen] == [True, True]
    assert [limit in line for line in seen] == [False, True]


def test_a_difference_is_marked_with_its_reason(run):
    with FakeClient({"get_state": reply(OTHERWISE)}) as client:
        output = run("watch", at(client), "--once").output
    assert "5 tasks; the client runs 1, the plan 1; 2 differ (*)" in output
    first, second = (" ".join(line.split()) for line in output.splitlines() if line.startswith("*"))
    # The second would end after two hours, and is due after one and a half.
    assert first.startswith("* first Tidewatch 1 CPU runs waits 1h 00m 1d 00h It gives way to a task that would")
    assert second.startswith("* second Tidewatch 1 CPU waits runs 2h 00m 1h 30m LATE It, or other work of its project,")
    assert "... and 3 that wait" in output


def test_nobody_is_asked_if_there_is_enough(run):
    many = host_with(*(result(name=f"{n}", report_deadline=NOW + 1e7) for n in range(30)))
    with FakeClient({"get_state": reply(many)}) as client:
        assert "The plan asks nobody for work: " in run("watch", at(client), "--once").output


def test_while_the_client_pauses_nothing_runs_on_either_side(run):
    status = reply("<cc_status><task_suspend_reason>1</task_suspend_reason></cc_status>")
    with FakeClient({"get_state": reply(AS_PLANNED), "get_cc_status": status}) as client:
        output = run("watch", at(client), "--once").output
    assert "2 tasks; the client runs 0, the plan 0; no difference" in output
    assert "the client has suspended computing on batteries, so nothing runs" in output


def test_a_host_without_tasks(run):
    with FakeClient({"get_state": reply(host_with())}) as client:
        outcome = run("watch", at(client), "--once")
    assert outcome.status == 0
    assert "0 tasks; the client runs 0, the plan 0; no difference" in outcome.output
    assert "TASK" not in outcome.output


@pytest.mark.parametrize("arguments, status", [
    (("--interval", "0"), 2), (("--interval", "x"), 2), (("127.0.0.1:70000",), 2), (("127.0.0.1:1", "--once"), 1),
    (("127.0.0.1:1",), 1)])  # what is not there at first is not waited for
def test_what_cannot_be_watched(run, arguments, status):
    outcome = run("watch", *arguments)
    assert (outcome.status, outcome.output) == (status, "")


def started(client, **options):
    return subprocess.Popen([sys.executable, "-m", "vcsched", "watch", at(client), "--interval", "1"], cwd=PACKAGE,
                            stderr=subprocess.PIPE, **options)


def interrupted(process):
    """Ends it as Ctrl-C does. Returns its status and what it complained about."""
    process.send_signal(signal.SIGINT)
    with process:
        try:
            return process.wait(20), process.stderr.read()
        finally:
            process.kill()  # or the end of `with` would wait for ever


def test_it_goes_on_while_the_client_is_gone_and_ends_with_ctrl_c():
    with FakeClient({"get_state": reply(AS_PLANNED)}) as client:
        process = started(client, stdout=subprocess.PIPE, text=True)
        seen = [process.stdout.readline()]
        client.replies["get_state"] = nothing
        while "instead of an answer to get_state" not in seen[-1]:
            seen.append(process.stdout.readline())
        client.replies["get_state"] = reply(OTHERWISE)
        while "2 differ (*)" not in seen[-1]:
            seen.append(process.stdout.readline())
        assert interrupted(process) == (0, "")
    assert "no difference" in seen[0]
    assert "\x1b" not in "".join(seen)  # there is no terminal


def test_a_terminal_is_filled_and_no_more():
    with FakeClient({"get_state": reply(OTHERWISE)}) as client:
        terminal, inside = pty.openpty()
        process = started(client, stdout=inside, env={**os.environ, "COLUMNS": "60", "LINES": "5"})
        os.close(inside)
        seen = b""
        while seen.count(b"\x1b[H\x1b[J") < 2:
            seen += os.read(terminal, 4096)
        status = interrupted(process)
        os.close(terminal)
    assert status == (0, b"")
    screen = seen.split(b"\x1b[H\x1b[J")[1].decode().splitlines()
    assert len(screen) == 4 and max(map(len, screen)) <= 60
    assert screen[-1].startswith("... and ")


@pytest.mark.parametrize("seconds, text", [
    (0, "0s"), (59.4, "59s"), (59.6, "1m 00s"), (3661, "1h 01m"), (90000, "1d 01h"), (-3600, "-1h 00m"), (-0.1, "0s"),
    (float("inf"), "never")])
def test_durations(seconds, text):
    assert duration(seconds) == text


@pytest.mark.skipif(BOINC is None, reason=WHY_NOT)
def test_a_real_client_is_watched(run, tmp_path):
    with RealClient(tmp_path, Naps(TIGHT)) as client:
        client.chosen()
        time.sleep(0.5)
        output = run("watch", at(client), "--data-dir", tmp_path, "--once").output
    assert "4 tasks; the client runs 2, the plan 2; no difference" in output
    assert "would miss its deadline or come too close in its turn" in output


def test_the_manual_shows_what_is_printed(run):
    page = (PROJECT_ROOT / "doc" / "importing.md").read_text(encoding="utf-8")
    with FakeClient({"get_state": reply(OTHERWISE)}) as client:
        lines = run("watch", at(client), "--once").output.splitlines()
    shown = [line for line in lines if " first " in line or " second " in line]
    assert shown and all(line in page for line in shown)
