# SPDX-License-Identifier: MIT
"""The same cases through C and through Python give the same bytes. VCSCHED_VECTORS names the program that prints them.
"""

from __future__ import annotations

import os
import struct
import subprocess

import pytest

v = pytest.importorskip("vcsched.state", reason="needs the compiled part").interface
from vcsched.emulation import emulate  # noqa: E402 - only with the compiled part
from vcsched.library import ffi  # noqa: E402
from vcsched.memory import Records  # noqa: E402
from vcsched.scenario import Scenario  # noqa: E402
from vcsched.state import State  # noqa: E402

VECTORS = os.environ.get("VCSCHED_VECTORS", "")
# In slow builds, one case of each kind.
CASES = max(20, 300 // int(os.environ.get("VCS_ONE_CASE_IN", "1")))
HOSTS_PER_EMULATION = 5
INPUTS = {"host": v.Host, "resources": v.Resource, "projects": v.Project, "project_resources": v.ProjectResource,
          "apps": v.App, "app_resources": v.AppResource, "hours": v.Hour,
          "tasks": v.Task, "candidates": v.Task}
# What goes into an emulation, in the order of the line; the outcome, those of the projects and all events follow.
SCENARIO = {"host": v.Host, "resources": v.Resource, "projects": v.Project, "apps": v.App, "tasks": v.Task,
            "emulation": v.Emulation, "models": v.JobModel, "servers": v.ServerModel, "sizes": None, "switches": None,
            "parameters": v.Parameters}
ONE = ("host", "emulation", "parameters")

pytestmark = pytest.mark.skipif(not os.path.exists(VECTORS), reason="VCSCHED_VECTORS names no program")


@pytest.fixture(name="lines", scope="module")
def fixture_lines():
    # A sanitizer that was loaded for Python is not for the program, which has its own.
    environment = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    output = subprocess.run([VECTORS, str(CASES)], check=True, capture_output=True, text=True, env=environment).stdout
    return [[words[0], *(b"" if word == "-" else bytes.fromhex(word) for word in words[1:])]
            for words in map(str.split, output.splitlines())]


def records_of(kind, content):
    records = Records(kind, len(content) // kind._size)
    ffi.memmove(records._base, content, len(content))
    return records


def record_of(kind, content):
    return records_of(kind, content)[0]


def hosts(lines):
    """The lines of each case over a host: what goes in by name, and what comes out in order."""
    case = None
    for name, *words in lines:
        if name == "case":
            case = ({}, [])
            yield case
        elif name in INPUTS or name in ("parameters", "now"):
            case[0][name] = words[0]
        elif len(words) == 1:
            case[1].append((name, words[0]))


def state_of(inputs, as_arrays):
    made = {}
    for name, kind in INPUTS.items():
        records = records_of(kind, inputs[name])
        made[name] = records.array if as_arrays else list(records)
    made["host"] = record_of(v.Host, inputs["host"])
    return State(parameters=record_of(v.Parameters, inputs["parameters"]),
                 now=struct.unpack("d", inputs["now"])[0], **made)


def answers_of(state, candidates):
    wrr, edf, schedule, fetch = state.wrr(), state.edf(), state.schedule(), state.fetch()
    found = [("wrr", wrr.summary), ("wrr_tasks", wrr.tasks), ("wrr_resources", wrr.resources),
             ("wrr_project_resources", wrr.project_resources), ("edf", edf.summary), ("edf_tasks", edf.tasks),
             ("edf_resources", edf.resources), ("schedule", schedule.summary), ("schedule_tasks", schedule.tasks),
             ("schedule_resources", schedule.resources), ("fetch", fetch.summary), ("fetch_decisions",
                                                                                    fetch.project_resources)]
    found += [("admit", state.admit(index)) for index in range(candidates)]
    return [(name, bytes(answer)) for name, answer in found]


@pytest.mark.parametrize("as_arrays", [False, True], ids=["lists", "arrays"])
def test_decisions_over_a_host(lines, as_arrays):
    if as_arrays:
        pytest.importorskip("numpy")
    count = 0
    for inputs, answers in list(hosts(lines)):
        candidates = len(inputs["candidates"]) // v.Task._size
        assert answers_of(state_of(inputs, as_arrays), candidates) == answers
        count += 1
    assert count == CASES


def test_averages(lines):
    cases = [words for name, *words in lines if name == "average_blend"]
    for before, arguments, after in cases:
        average = record_of(v.Average, before)
        half_life, now, work = struct.unpack("ddd", arguments)
        average.blend(work, half_life, now)
        assert bytes(average) == after
    assert len(cases) == CASES


def test_waits(lines):
    cases = [words for name, *words in lines if name == "backoff"]
    for range_bytes, failures, u, wait in cases:
        found = v.backoff(*struct.unpack("I", failures), record_of(v.BackoffRange, range_bytes), *struct.unpack("d", u))
        assert struct.pack("d", found) == wait
    assert len(cases) == CASES


def test_estimates(lines):
    cases = [words for name, *words in lines if name == "estimate_remaining"]
    for progress, rule, seconds in cases:
        found = v.estimate_remaining(record_of(v.Progress, progress), *struct.unpack("I", rule))
        assert struct.pack("d", found) == seconds
    assert len(cases) == CASES


def member_of(name, kind, content, as_arrays):
    if kind is None:
        return [number for number, in struct.iter_unpack("d", content)]
    records = records_of(kind, content)
    if name in ONE:
        return records[0]
    return records.array if as_arrays else list(records)


@pytest.mark.parametrize("as_arrays", [False, True], ids=["lists", "arrays"])
def test_emulations(lines, as_arrays):
    if as_arrays:
        pytest.importorskip("numpy")
    cases = [words for name, *words in lines if name == "emulate"]
    for words in cases:
        answers = words[len(SCENARIO):]
        made = {name: member_of(name, kind, word, as_arrays) for (name, kind), word in zip(SCENARIO.items(), words)}
        emulated = emulate(Scenario(**made), keep_events=True)
        assert [bytes(emulated.outcome), bytes(emulated.projects), bytes(emulated.events)] == answers
    assert len(cases) == CASES // HOSTS_PER_EMULATION
