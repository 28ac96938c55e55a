# SPDX-License-Identifier: MIT
"""What a real client decided, against the plan for what was imported of it (tests/support/states/boinc-7.20.5)."""

from __future__ import annotations

import json
import re

import pytest

from conftest import PROJECT_ROOT, read_state

pytest.importorskip("vcsched.library", reason="needs the compiled part")

STATES = PROJECT_ROOT / "tests" / "support" / "states" / "boinc-7.20.5"
MOMENTS = ("a2", "s1", "d1", "b7", "c1")
PROGRESS = ("est_flops", "flops", "elapsed", "fraction_done")
HEAP_ORDERED = ("a2", "s1", "b7")
ORDERS = {**dict.fromkeys(HEAP_ORDERED, ("Noon", "Eve", "Dawn")), "d1": ("Dawn", "Noon", "Eve")}
"""In which the client's own simulation takes the projects, whatever their priorities, where it does."""


@pytest.fixture(name="plan_for")
def fixture_plan_for(run, tmp_path):
    """Plans for what is imported with some arguments; with an order of projects, with what is left of tasks, and with
    another way to name those that are late."""

    def plan_for(*arguments, order=(), remaining=(), late_by=None):
        target = tmp_path / "state.ini"
        outcome = run("import", *arguments, "--cc-config", STATES / "cc_config.xml", "-o", target)
        assert outcome.status == 0, outcome.messages
        text = target.read_text()
        if late_by is not None:
            text = text.replace("[client]\n", f"[client]\nlate_by = {late_by}\n")
        for number, project in enumerate(reversed(order)):
            text = text.replace(f"[project {project}]\n", f"[project {project}]\nclass = {number}\n")
        for task, seconds in dict(remaining).items():
            title = f"[task {task}]\n"
            before, after = text.split(title)
            section, blank, rest = after.partition("\n\n")
            section = "\n".join(line for line in section.splitlines() if line.split(" = ")[0] not in PROGRESS)
            text = f"{before}{title}remaining = {seconds}\n{section}{blank or chr(10)}{rest}"
        target.write_text(text)
        return json.loads(run("plan", target, "--json").output)

    return plan_for


@pytest.fixture(name="imported_of")
def fixture_imported_of(run):
    """What is imported of one of the moments."""

    def imported_of(moment):
        return read_state(run("import", STATES / moment / "get_state.xml", "--data-dir", STATES / moment).output)

    return imported_of


@pytest.fixture(name="planned")
def fixture_planned(plan_for):
    """Plans for one of the moments, by the client's reply and what its file adds to it."""

    def planned(moment, in_order=False, remaining=()):
        folder = STATES / moment
        return plan_for(folder / "get_state.xml", "--data-dir", folder, order=ORDERS[moment] if in_order else (),
                        remaining=remaining)

    return planned


def logged(moment, pattern):
    """What the client's log says in the places of a pattern."""
    found = re.findall(pattern, (STATES / moment / "client.log").read_text())
    assert found, pattern
    return found


def logged_finishes(moment):
    return {name: float(time) for time, name in logged(moment, r"\[rr_sim\] ([\d.]+): (\S+) finishes")}


def logged_remaining(moment):
    """How many seconds of each task the client sees before it."""
    return {name: float(time) for name, time in logged(moment, r"(\S+) finishes \(1.00 CPU\) \(([\d.]+)G/1.00G\)")}


def finishes(plan):
    return {task["name"]: task["finish"] for task in plan["tasks"]}


def chosen(plan):
    return {task["name"] for task in plan["tasks"] if task["run"]}


def late(plan):
    return {task["name"] for task in plan["tasks"] if task["deadline_miss"]}


@pytest.mark.parametrize("moment", MOMENTS)
def test_the_tasks_that_run(planned, moment):
    assert chosen(planned(moment)) == set(logged(moment, r"\] scheduling (\S+)"))


@pytest.mark.parametrize("moment", HEAP_ORDERED)
def test_the_tasks_that_run_and_those_that_are_late_in_the_order_of_its_heap(planned, moment):
    plan = planned(moment, in_order=True)
    assert late(plan) == set(logged(moment, r"Result (\S+) projected to miss deadline"))
    assert chosen(plan) == set(logged(moment, r"\] scheduling (\S+)"))


@pytest.mark.parametrize("moment, missed", [("a2", 9), ("b7", 4), ("d1", 0), ("c1", 0)])
def test_the_tasks_that_are_late(planned, moment, missed):
    log = (STATES / moment / "client.log").read_text()
    expected = re.findall(r"Result (\S+) projected to miss deadline", log)
    assert len(expected) == missed
    assert late(planned(moment)) == set(expected)


def test_a_task_that_ran_early_goes_on(planned):
    """One that is not late itself, beside others of its project that are."""
    kept = set(logged("s1", r"domino prevention: mark (\S+) as deadline miss"))
    plan = planned("s1", in_order=True)
    assert len(kept) == 2 and not kept & late(plan)
    assert kept <= chosen(plan)


def test_which_tasks_ran_early_is_told_by_the_file_alone_if_need_be(plan_for, tmp_path):
    """By count they go on in any case, as they run and others of the same deadline do not."""
    kept = set(logged("s1", r"domino prevention: mark (\S+) as deadline miss"))
    reply = tmp_path / "get_state.xml"
    reply.write_text((STATES / "s1" / "get_state.xml").read_text().replace("<edf_scheduled/>", ""))
    assert kept <= chosen(plan_for(reply, "--data-dir", STATES / "s1", order=ORDERS["s1"]))
    assert kept <= chosen(plan_for(reply, order=ORDERS["s1"]))
    assert kept <= chosen(plan_for(reply, "--data-dir", STATES / "s1", order=ORDERS["s1"], late_by="task"))
    assert not kept & chosen(plan_for(reply, order=ORDERS["s1"], late_by="task"))


@pytest.mark.parametrize("moment", MOMENTS)
def test_what_projects_have_used(imported_of, moment):
    """The client brings REC up to date before it decides; up to a second more has passed then."""
    state = imported_of(moment)
    for name, seconds, before, gain in logged(
            moment, r"\[(\w+)\] \[prio\] recent est credit: \S+ in ([\d.]+) sec, ([\d.]+) \+ (-?[\d.]+) "):
        expected = float(gain) * (1 - 1 / float(seconds)) if float(gain) > 0 else float(gain)
        found = state[f"project {name}"].getfloat("rec") - float(before)
        assert expected - 1e-5 <= found <= max(float(gain), 0) + 1e-5


@pytest.mark.parametrize("moment, within", [("a2", 2), ("b7", 2), ("c1", 2), ("s1", 20)])
def test_when_tasks_finish(planned, moment, within):
    """The client decides a moment later. Its tasks run faster than estimated: at s1 a second of theirs is ten."""
    plan = planned(moment, in_order=moment in HEAP_ORDERED)
    assert finishes(plan) == pytest.approx(logged_finishes(moment), abs=within)


@pytest.mark.parametrize("moment", MOMENTS)
def test_when_tasks_finish_with_the_progress_of_the_moment(planned, moment):
    plan = planned(moment, in_order=moment in ORDERS, remaining=logged_remaining(moment))
    assert finishes(plan) == pytest.approx(logged_finishes(moment), abs=0.05)


@pytest.mark.parametrize("moment, later", [("c1", 0.1), ("b7", 6), ("s1", 11)])
def test_what_is_missing_when_it_looks_for_work(planned, moment, later):
    """At b7 it looks two seconds later for what its three CPUs lack, at s1 one, in which tasks progress by eleven."""
    (shortfall, idle, saturated, busy), = logged(
        moment, r"shortfall ([\d.]+) nidle ([\d.]+) saturated ([\d.]+) busy ([\d.]+)")
    plan = planned(moment, in_order=moment in ORDERS, remaining=logged_remaining(moment))
    cpu = plan["resources"][0]
    assert [cpu["shortfall"], cpu["idle_now"], cpu["saturated"], cpu["busy"]] \
        == pytest.approx([float(shortfall), float(idle), float(saturated), float(busy)], abs=later)
    if moment == "c1":  # its limit lets Noon run no more than it has: see the next test
        return
    asked = float(logged(moment, r"CPU work request: ([\d.]+) seconds")[0])
    assert plan["fetch"]["project"] == (None if moment == "s1" else "Noon")
    assert sum(project["resources"][0]["request_seconds"] for project in plan["projects"]) \
        == pytest.approx(asked, abs=later)


def test_a_project_whose_application_is_at_its_limit_is_not_called_for_what_others_lack(planned):
    """The client calls it for 77 s when a task ends; it runs as many as its limit allows beyond the minimum."""
    shortfall = float(logged("c1", r"\[work_fetch\] shortfall ([\d.]+)")[0])
    plan = planned("c1", remaining=logged_remaining("c1"))
    assert plan["resources"][0]["shortfall"] == pytest.approx(shortfall, rel=0.01)
    assert plan["fetch"]["project"] is None
    request = next(project["resources"][0] for project in plan["projects"] if project["name"] == "Noon")
    assert (request["reason"], request["request_seconds"]) == ("enough", 0)
