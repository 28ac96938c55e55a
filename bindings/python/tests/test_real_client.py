# SPDX-License-Identifier: MIT
"""A running BOINC client is asked, and its plan compared with what it does. Nothing is installed for that."""

from __future__ import annotations

import json

import pytest

from conftest import BUILD, read_state
from real_client import BOINC, CPUS, PASSWORD, WHY_NOT, RealClient

pytestmark = pytest.mark.skipif(BOINC is None, reason=WHY_NOT)

HOUR = 3600.0
HOURS = (1, 2, 3, 4)
ROOMY = (400 * HOUR, 300 * HOUR, 200 * HOUR, 100 * HOUR)
TIGHT = (400 * HOUR, 300 * HOUR, 200 * HOUR, 4.5 * HOUR)
"""The last would be late in the order in which they came."""
LIMIT = "<app_config><app><name>nap</name><max_concurrent>1</max_concurrent></app></app_config>"


def plan_of(run, client, *options):
    target = client.folder / "state.ini"
    outcome = run("import", "--live", f"127.0.0.1:{client.port}", "--data-dir", client.folder, "-o", target, *options)
    assert outcome.status == 0, outcome.messages
    return json.loads(run("plan", target, "--json").output)


def test_a_real_client_is_asked(run, tmp_path):
    with RealClient(tmp_path, HOURS, ROOMY, LIMIT) as client:
        running = client.chosen()
        outcome = run("import", "--live", f"127.0.0.1:{client.port}", "--data-dir", tmp_path)
        (tmp_path / "password").write_text(PASSWORD)
        alone = run("import", "--live", f"127.0.0.1:{client.port}", "--password-file", tmp_path / "password")
        (tmp_path / "password").write_text("whelk")
        wrong = run("import", "--live", f"127.0.0.1:{client.port}", "--password-file", tmp_path / "password")
    assert (outcome.status, alone.status, wrong.status) == (0, 0, 1)
    assert wrong.messages.endswith(": the password is wrong\n")
    for output in (outcome.output, alone.output):
        found = read_state(output)
        assert int(found["host"]["cpus"]) == CPUS
        assert dict(found["app Naps/nap"]) == {"max_concurrent": "1"}
        tasks = {name[len("task "):]: found[name] for name in found.sections() if name.startswith("task ")}
        assert len(tasks) == len(HOURS)
        assert {name for name, task in tasks.items() if task.getboolean("running", fallback=False)} == running


@pytest.mark.skipif(not BUILD, reason="VCSCHED_BUILD names no build")
@pytest.mark.parametrize("deadlines, app_config, expected", [
    (ROOMY, "<app_config/>", {"nap0_0", "nap1_0"}),
    (TIGHT, "<app_config/>", {"nap0_0", "nap3_0"}),
    (ROOMY, LIMIT, {"nap0_0"}),
], ids=["in turn", "one is late", "a limit"])
def test_the_plan_is_what_a_real_client_does(run, tmp_path, deadlines, app_config, expected):
    with RealClient(tmp_path, HOURS, deadlines, app_config) as client:
        assert client.chosen() == expected
        plan = plan_of(run, client)
    assert {task["name"] for task in plan["tasks"] if task["run"]} == expected
    assert {task["name"] for task in plan["tasks"] if task["deadline_miss"]} <= expected
