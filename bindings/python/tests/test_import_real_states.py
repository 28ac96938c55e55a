# SPDX-License-Identifier: MIT
"""States of real clients, where they are at hand (they belong to others, so they do not come with the project)."""

from __future__ import annotations

import pytest

from conftest import PROJECT_ROOT, read_state

STATES = PROJECT_ROOT.parent / "shared" / "states"
TWO_PROJECTS = STATES / "boinc-7.2-2projects.xml"
MANY_PROJECTS = STATES / "boinc-6.11-37projects.xml"
RESULTS = STATES / "boinc-6.11-42results.xml"

pytestmark = pytest.mark.skipif(not STATES.is_dir(), reason="no real states here")


def counted(found, kind):
    return sum(name.startswith(kind + " ") for name in found.sections())


def test_a_client_state_of_7_2(run):
    outcome = run("import", TWO_PROJECTS)
    found = read_state(outcome.output)
    assert (counted(found, "project"), counted(found, "task"), counted(found, "gpu")) == (2, 5, 0)
    assert "BOINC 7.2.42: 2 CPUs" in outcome.messages
    assert found["host"].getfloat("now") == 1439723874.237101
    assert found["host"].getfloat("usable") == pytest.approx(0.980220 * 0.999930)
    assert found["project SETI@home"].getfloat("rec") == 0.030624
    assert dict(found["project_resource CAS@home/CPU"]) == {"backoff_interval": "600",
                                                              "backoff_until": "1439724486.614907"}
    started = [found[name] for name in found.sections() if found[name].getboolean("started", fallback=False)]
    assert [task.getfloat("elapsed") for task in started] == [61.321484]


def test_a_state_reply_of_6_11(run):
    outcome = run("import", MANY_PROJECTS)
    found = read_state(outcome.output)
    assert (counted(found, "project"), counted(found, "task"), counted(found, "gpu")) == (37, 11, 1)
    assert "Left out: 1 ready to report." in outcome.messages
    assert found["client"].getfloat("additional_buffer") == 21600
    assert found["project ABC@home"].getfloat("long_term_debt") == -63285.261731
    tasks = [found[name] for name in found.sections() if name.startswith("task ")]
    assert sum(task.getboolean("started", fallback=False) for task in tasks) == 7
    assert sum(task.get("gpu") == "ATI" for task in tasks) == 4
    assert sum(task["cpus"] == "2" for task in tasks) == 1


def test_a_list_of_results_of_6_11(run):
    outcome = run("import", RESULTS)
    assert outcome.status == 1
    assert "give the client's state too" in outcome.messages
    found = read_state(run("import", MANY_PROJECTS, RESULTS).output)
    assert (counted(found, "project"), counted(found, "task")) == (37, 42)
    assert found["host"].getfloat("now") == 1284387672.335669


@pytest.mark.parametrize("name, ended", [("a2", 0), ("d1", 1140.585824)])
def test_a_reply_tells_the_run_before_and_a_file_does_not(run, name, ended):
    """The client d1 had been started again 12 s before; its file tells of less than a second."""
    folder = STATES / "boinc-7.20.5"
    reply, file = (read_state(run("import", folder / f"{name}.{kind}.xml", "-q").output)["host"]
                   for kind in ("get_state", "client_state"))
    assert "on_spell" not in file
    found = reply.getfloat("on_spell", fallback=0.0)
    assert found == pytest.approx((ended + 28800) / 3 if ended else 0, abs=1e-5)
