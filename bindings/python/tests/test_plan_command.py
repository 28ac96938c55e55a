# SPDX-License-Identifier: MIT
"""`python3 -m vcsched plan`, which says what vcemu says. The environment names vcemu as VCEMU."""

from __future__ import annotations

import json
import os
import subprocess

import pytest

import vcsched as v
from conftest import PROJECT_ROOT

pytest.importorskip("vcsched.library", reason="needs the compiled part")

from vcsched.commands.plan import as_json  # noqa: E402 - only with the compiled part

VCEMU = os.environ.get("VCEMU", "")
SMALL = PROJECT_ROOT / "examples" / "scenarios" / "small_state.ini"


def test_a_plan_in_short(run):
    outcome = run("plan", SMALL)
    assert (outcome.status, outcome.messages) == (0, "")
    from vcsched.named_state import read_state

    assert outcome.output == f"{read_state(str(SMALL)).plan()}\n"
    assert " tasks, " in outcome.output.splitlines()[0]


@pytest.mark.skipif(not os.path.exists(VCEMU), reason="VCEMU names no program")
@pytest.mark.parametrize("imported", [False, True], ids=["small", "imported"])
def test_the_same_figures_as_vcemu(run, tmp_path, imported):
    state = SMALL
    if imported:
        state = tmp_path / "state.ini"
        client = PROJECT_ROOT / "examples" / "scenarios" / "client_state.xml"
        assert run("import", client, "-q", "-o", state).status == 0
    theirs = subprocess.run([VCEMU, "plan", "--json", str(state)], check=True, capture_output=True).stdout
    outcome = run("plan", "--json", state)
    assert (outcome.status, outcome.messages) == (0, "")
    assert json.loads(outcome.output) == json.loads(theirs)


def planned_files(run, folder):
    """The files of examples and of tests that vcemu may plan, those of deployed clients as the importer reads them."""
    yield from sorted((PROJECT_ROOT / "examples" / "scenarios").glob("**/*.ini"))
    clients = [*(PROJECT_ROOT / "examples" / "scenarios").glob("*.xml"),
               *(PROJECT_ROOT / "tests" / "support" / "states").glob("**/client_state.xml")]
    for number, client in enumerate(sorted(clients)):
        imported = folder / f"{number}.ini"
        assert run("import", client, "-q", "-o", imported).status == 0
        yield imported


def vcemu_plan(path, *options):
    """What vcemu says as JSON; None if it refuses the file."""
    ended = subprocess.run([VCEMU, "plan", "--json", str(path), *options], check=False, capture_output=True)
    return json.loads(ended.stdout) if ended.returncode == 0 else None


CHOICES = [((), {}), (("--profile", "steady"), {"profile": "steady"}),
           (("--profile", "steady", "--set", "min_buffer=7"), {"profile": "steady", "parameters": {"min_buffer": 7}}),
           (("--set", "discipline=sliced"), {"parameters": {"discipline": "sliced"}})]


@pytest.mark.skipif(not os.path.exists(VCEMU), reason="VCEMU names no program")
def test_what_reads_a_file_plans_it_as_vcemu(run, tmp_path):
    planned = emulated = 0
    for path in planned_files(run, tmp_path):
        if vcemu_plan(path) is None:
            assert path.parent.name == "grids"
            continue
        state = v.read_state(str(path))
        try:
            scenario = v.Scenario.read(str(path))
        except ValueError as error:  # a host without work can be planned, not emulated
            assert "no jobs to emulate" in str(error)
            scenario = None
        for options, policy in CHOICES:
            theirs = vcemu_plan(path, *options)
            plan = state.plan(**policy)
            shown = v.read_state(str(path), theirs["profile"])  # whose records have the name of the profile
            assert as_json(shown, plan) == theirs, (path, options)
            if scenario is not None:
                assert as_json(shown, scenario.plan(**policy)) == theirs, (path, options)
                assert str(scenario.plan(**policy)) == str(plan)
        planned, emulated = planned + 1, emulated + (scenario is not None)
    assert planned >= 17 and emulated >= 10


@pytest.mark.skipif(not os.path.exists(VCEMU), reason="VCEMU names no program")
def test_choices_of_the_emulation_count_for_a_scenario_alone(tmp_path):
    path = tmp_path / "state.ini"
    path.write_text("[host]\ncpus = 2\nflops = 1e9\n[project p]\n[app p/a]\nlatency_bound = 86400\nest_flops = 1e13\n"
                    "[emulation]\nwork_fetch = WF1\n")
    for options, policy in CHOICES:
        theirs = vcemu_plan(path, *options)
        assert as_json(v.read_state(str(path), theirs["profile"]), v.read_state(str(path)).plan(**policy)) == theirs
    scenario, state = v.Scenario.read(str(path)), v.read_state(str(path))
    assert scenario.policy.work_fetch == v.WORK_FETCH_WF1 != state.records["parameters"].work_fetch
    assert scenario.plan().fetch == state.plan(parameters={"work_fetch": "wf1"}).fetch
    assert "work_fetch" in scenario.kept and "work_fetch" not in state.kept


def test_what_the_library_refuses_is_one_line(run, tmp_path):
    path = tmp_path / "state.ini"
    path.write_text("[host]\ncpus = 2\nflops = 1e9\n[gpu G]\nflops = 1e9\n[project p]\n[task a]\nproject = p\ngpu = G\n"
                    "remaining = 5\nrunning = 1\ndevices = 5\n")
    outcome = run("plan", path)
    assert (outcome.status, outcome.output) == (1, "")
    assert outcome.messages == "vcsched: State(): task 0: devices names an instance that does not exist\n"


@pytest.mark.parametrize("word, on", [("yes", True), ("TRUE", True), ("on", True), ("1", True),
                                      ("no", False), ("False", False), ("off", False), ("0", False)])
def test_switches(word, on):
    from vcsched.named_state import parse_state

    state = parse_state(f"[host]\ncpus = 2\nflops = 1e9\n[client]\nsave_first = {word}\n"
                        f"[project p]\nsuspended = {word}\n", "the text")
    assert state.records["parameters"].save_first == int(on)
    assert bool(state.records["projects"][0].flags) == on


@pytest.mark.parametrize("word, fit", [("yes", "any"), ("0", "fraction")])
def test_the_former_name_of_cpu_fit(word, fit):
    from vcsched.named_state import parse_state

    with pytest.warns(UserWarning, match=f"overcommit: is now called cpu_fit; this means cpu_fit = {fit}"):
        state = parse_state(f"[host]\ncpus = 2\nflops = 1e9\n[client]\novercommit = {word}\n", "the text")
    assert state.records["parameters"] == v.Parameters(cpu_fit=fit)


@pytest.mark.parametrize("text, message", [
    ("[host]\ncpus = 2\nflops = none\n", "state.ini:3:1: [host] flops: \"none\" is not a number"),
    ("[client]\nprofile = current\n", "state.ini:2:1: the [host] section is missing"),
    ("[host]\ncpus = 2\nflops = 1e9\n[client]\nprofile = old\n",
     "state.ini:5:1: [client] profile: \"old\" is not a profile; use rpc2003, study2007, current or steady"),
    ("[host]\ncpus = 2\nflops = 1e9\n[client]\novercommit = 2\n",
     "state.ini:5:1: [client] overcommit: \"2\" is neither yes nor no"),
    ("[host]\ncpus = 2\nflops = 1e9\n[project p]\nsuspended = maybe\n",
     "state.ini:5:1: [project p] suspended: \"maybe\" is neither yes nor no"),
    ("[host]\ncpus = 2\nflops = 1e9\n[client]\ndiscipline = 1\n",
     "state.ini:5:1: [client] discipline: \"1\" is not one of its values; use fluid or sliced"),
    ("[host]\ncpus = 2\nflops = 1e9\n[task a]\nproject = b\n",
     "state.ini:5:1: [task a] project: there is no section [project b]"),
    ("[host]\ncpus = 2\nflops = 1e9\n[project p]\nshares = 3\n",
     "state.ini:5:1: [project p] shares: a section of this kind has no such key"),
])
def test_what_is_wrong_is_told_with_its_place(run, tmp_path, text, message):
    path = tmp_path / "state.ini"
    path.write_text(text, encoding="utf-8")
    outcome = run("plan", path)
    assert outcome.status == 1
    assert outcome.messages.replace(f"{tmp_path}/", "") == f"vcsched: {message}\n"
