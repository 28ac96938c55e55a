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

VCEMU = os.environ.get("VCEMU", "")
SMALL = PROJECT_ROOT / "examples" / "scenarios" / "small_state.ini"


def test_a_plan_in_short(run):
    outcome = run("plan", SMALL)
    assert (outcome.status, outcome.messages) == (0, "")
    lines = outcome.output.splitlines()
    assert " tasks, " in lines[0] and lines[-1].startswith("ask ")


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
