# SPDX-License-Identifier: MIT
"""`python3 -m vcsched run`, which says what vcemu run says. The environment names vcemu as VCEMU."""

from __future__ import annotations

import json
import os
import subprocess

import pytest

from conftest import PROJECT_ROOT

pytest.importorskip("vcsched.library", reason="needs the compiled part")

VCEMU = os.environ.get("VCEMU", "")
STUDY = PROJECT_ROOT / "examples" / "study"
NAMED = """[host]
cpus = 1
flops = 1e9
[gpu cards]
flops = 1e10
[project big "one"]
[project of, two]
[app big "one"/a]
est_flops = 1e12
latency_bound = 1e5
[app of, two/b]
est_flops = 3e13
latency_bound = 1e5
gpu = cards
cpus = 0.5
[emulation]
duration = 200000
work_fetch = CURRENT
"""
SERVED = """[host]
cpus = 2
flops = 1e9
trace = switches.txt
[project p]
up_mean = 20000
down_mean = 5000
network_failure = 0.1
master_failure = 0.2
moves_at = 50000
schedulers = 3
max_in_progress = 3
[project q]
efficiency = 0.9
dcf = 1.5
[app p/a]
distribution = list
sizes = 1e12, 3e12,2e13
latency_bound = 1e5
ram = 1e6
checkpoint_interval = 600
[app p/b]
[app q/c]
[task one]
project = q
app = c
est_flops = 3e12
flops = 1e9
elapsed = 300
fraction_done = 0.25
deadline = 60000
[task two]
project = q
app = c
remaining = 7000
[task three]
project = q
app = c
cpus = 2
remaining = 500
received = -1000
deadline = 9000
[task four]
project = q
remaining = 800
ram = 1e5
[emulation]
duration = 300000
seed = 4
"""
"""Servers that fail, sizes in a list, times in a file, and jobs like the tasks of a project that says nothing."""
SPELLS = NAMED.replace("[gpu", "available = 0.6\navailable_mean = 5000\nspells = weibull\nspell_shape = 0.5\n[gpu")
EMPTY = "[host]\ncpus = 2\nflops = 1e9\n[project p]\n[emulation]\nduration = 1000\n"
"""Nothing to do."""
FIRST = EMPTY.replace("[emulation]", "[task t]\nproject = p\nremaining = 2000\n[emulation]")
"""One task, which does not end."""


@pytest.fixture(name="named")
def fixture_named(tmp_path):
    path = tmp_path / "named.ini"
    path.write_text(NAMED, encoding="utf-8")
    return path


@pytest.mark.skipif(not os.path.exists(VCEMU), reason="VCEMU names no program")
@pytest.mark.parametrize("name", ["base.ini", "tight_and_loose.ini", "named", "first", "served", "spells"])
def test_the_same_figures_and_the_same_trace_as_vcemu(run, tmp_path, named, name):
    path = named if name == "named" else STUDY / name
    if name in ("first", "served", "spells"):
        path = tmp_path / "scenario.ini"
        path.write_text({"first": FIRST, "served": SERVED, "spells": SPELLS}[name], encoding="utf-8")
        (tmp_path / "switches.txt").write_text("# off, on, ...\n30000\n\n40000\n100000\n100500\n", encoding="utf-8")
    theirs = subprocess.run([VCEMU, "run", "--json", "--trace", str(tmp_path / "theirs.csv"), str(path)], check=True,
                            capture_output=True).stdout
    outcome = run("run", "--json", "--trace", tmp_path / "ours.csv", path)
    assert (outcome.status, outcome.messages) == (0, "")
    ours, expected = json.loads(outcome.output), json.loads(theirs)
    projects = expected.pop("projects")
    assert len(ours["projects"]) == len(projects)
    for mine, other in zip([ours, *ours["projects"]], [expected, *projects]):
        assert {key: mine[key] for key in other} == other
    assert (tmp_path / "ours.csv").read_bytes() == (tmp_path / "theirs.csv").read_bytes()


@pytest.mark.skipif(not os.path.exists(VCEMU), reason="VCEMU names no program")
def test_the_same_text_as_vcemu(run, named):
    theirs = subprocess.run([VCEMU, "run", str(named)], check=True, capture_output=True, text=True).stdout
    outcome = run("run", named)
    assert (outcome.status, outcome.messages) == (0, "")
    assert outcome.output == theirs


def test_what_is_undefined_is_said_to_be(run, tmp_path):
    path = tmp_path / "first.ini"
    path.write_text(FIRST, encoding="utf-8")
    assert "calls per job        -     undefined" in run("run", path).output
    assert json.loads(run("run", "--json", path).output)["study_waste"] is None


@pytest.mark.skipif(not os.path.exists(VCEMU), reason="VCEMU names no program")
@pytest.mark.parametrize("text, options", [
    (NAMED, ["--seed", "7"]), (NAMED, ["--seed", "-1"]), (NAMED, ["--seed", "4294967296"]), (NAMED, ["--seed", "0.5"]),
    (NAMED.replace("flops = 1e9", "flops = 1e9\navailable = 0.5"), []),
    (NAMED.replace("flops = 1e9", "flops = 1e9\navailable = 0.5\navailable_mean = 9"), []),
    (EMPTY, []), (EMPTY.replace("[project p]", ""), []), (FIRST, [])])
def test_seeds_and_what_is_missing_as_in_vcemu(run, tmp_path, text, options):
    """The same figures and the same exit status, and messages that end alike."""
    path = tmp_path / "scenario.ini"
    path.write_text(text, encoding="utf-8")
    theirs = subprocess.run([VCEMU, "run", *options, str(path)], check=False, capture_output=True, text=True)
    outcome = run("run", *options, path)
    assert (outcome.status, outcome.output) == (theirs.returncode, theirs.stdout)
    last = [(message.splitlines() or [""])[-1].rpartition(": ")[2] for message in (outcome.messages, theirs.stderr)]
    assert last[0].partition(" is not a whole")[2] == last[1].partition(" is not a whole")[2] and \
        (last[0] == last[1] or "whole number" in last[0])


@pytest.mark.parametrize("text, message", [
    (NAMED.replace("CURRENT", "OLD"),
     "named.ini:18:1: [emulation] work_fetch: \"OLD\" is not one of its values; use wf1, wf2, current, "
     "original, sessions or owed"),
    (NAMED.replace("[gpu", "colour = red\n[gpu"),
     "named.ini:4:1: [host] colour: a section of this kind has no such key"),
    (NAMED.replace("duration", "lasting"),
     "named.ini:17:1: [emulation] lasting: a section of this kind has no such key"),
    (NAMED.replace("latency_bound", "# ", 1), "named.ini:1:1: emulate(): job_model 0: latency_bound is too small"),
])
def test_what_is_wrong_is_told_with_its_place(run, named, text, message):
    named.write_text(text, encoding="utf-8")
    outcome = run("run", named)
    assert outcome.status == 1
    assert outcome.messages.replace(f"{named.parent}/", "") == f"vcsched: {message}\n"


def test_a_trace_that_cannot_be_written_is_reported(run, named, tmp_path):
    outcome = run("run", named, "--trace", tmp_path / "no" / "trace.csv")
    assert outcome.status == 1
    assert outcome.messages.endswith("trace.csv: No such file or directory\n")
