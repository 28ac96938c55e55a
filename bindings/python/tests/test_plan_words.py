# SPDX-License-Identifier: MIT
"""A client's files read in one call, and plans that print themselves."""

from __future__ import annotations

import html
import re
import shutil

import pytest

import vcsched as v
import vcsched.boinc
from conftest import PROJECT_ROOT
from vcsched.errors import InputError

pytest.importorskip("vcsched.library", reason="needs the compiled part")

from vcsched.named_state import parse_state, read_state  # noqa: E402 - only with the compiled part
from vcsched.plan_words import TASKS_SHOWN, duration  # noqa: E402 - likewise

CLIENT = PROJECT_ROOT / "examples" / "scenarios" / "client_state.xml"
HOST = "[host]\ncpus = 2\nflops = 1e9\n[gpu <G>]\nflops = 1e12\n[project p & q]\n[project other]\nsuspended = yes\n"


def task(name, **keys):
    return f"[task {name}]\nproject = p & q\n" + "".join(f"{key} = {value}\n" for key, value in keys.items())


def rows_of(text, title):
    """The rows of the table with this title, without it, cell by cell."""
    table = next(part for part in text.split("\n\n") if part.startswith(title))
    return [re.split("  +", row) for row in table.splitlines()[1:]]


def test_a_client_state_is_read_in_one_call(run, tmp_path):
    target = tmp_path / "state.ini"
    assert run("import", CLIENT, "-q", "-o", target).status == 0
    state, imported = vcsched.boinc.read(CLIENT), read_state(str(target))
    assert state == vcsched.boinc.read(str(CLIENT)) == imported
    assert len(state.task_names) == 53 and state.resource_names == ["CPU", "NVIDIA"]


def test_of_a_data_directory_the_other_files_are_read_too(tmp_path):
    shutil.copy(CLIENT, tmp_path)
    (tmp_path / "cc_config.xml").write_text("<cc_config><options><ncpus>2</ncpus></options></cc_config>")
    assert vcsched.boinc.read(tmp_path).records["resources"][0].instances == 2
    assert vcsched.boinc.read(tmp_path / "client_state.xml").records["resources"][0].instances == 8


def test_another_policy_than_the_client_s():
    state = vcsched.boinc.read(CLIENT, "steady,min_buffer=7")
    assert v.profile_name(state.records["parameters"].profile) == "steady"
    assert state.records["parameters"].min_buffer == 7


@pytest.mark.parametrize("content, message", [("<client_state>", "no element found|unclosed"), ("[host]", "")])
def test_what_is_no_client_state_is_refused(tmp_path, content, message):
    path = tmp_path / "client_state.xml"
    path.write_text(content)
    with pytest.raises(InputError) as caught:
        vcsched.boinc.read(path)
    assert isinstance(caught.value, ValueError)
    assert str(caught.value).startswith(f"{path}:1:")
    assert re.search(message, str(caught.value))
    with pytest.raises(FileNotFoundError):
        vcsched.boinc.read(tmp_path / "none.xml")


def test_a_plan_prints_itself_with_names():
    state = parse_state(HOST + task("late", remaining=5000, deadline=100) + task("next", remaining=7200)
                        + task("third", remaining=3600, received=1) + task("wide", cpus=4, remaining=1)
                        + task("stopped", suspended="yes", remaining=1), "it")
    text = str(state.plan())
    assert text.splitlines()[0] == "5 tasks, 1 LATE; 2 run now"
    # Of 51840 s of two CPUs 5000 + 7200 + 3600 s are filled: 87880 s are missing.
    assert rows_of(text, "RESOURCE") == [["CPU", "0", "2h 00m", "1d 00h"], ["<G>", "1", "0s", "14h 24m"]]
    assert rows_of(text, "TASK") == [
        ["late", "1h 23m", "LATE", "runs: late, cannot be done in time even alone"], ["next", "2h 00m", "runs: turn"],
        ["third", "2h 23m", "waits"], ["wide", "stuck", "cannot run"], ["stopped", "suspended", "task suspended"]]
    assert text.splitlines()[-1] == "p & q is asked for work now: 1d 00h of CPU, 14h 24m of <G>."


def test_a_plan_as_html_says_the_same():
    plan = parse_state(HOST + task("<b>", remaining=5), "it").plan()
    shown = plan._repr_html_()
    assert "&lt;b&gt;" in shown and "<b>" not in shown and "p &amp; q is asked" in shown
    words = html.unescape(re.sub("<[^>]*>", " ", shown)).split()
    assert words == str(plan).split()


def test_a_plan_without_names_has_numbers():
    two = dict(resources=[v.Resource(instances=1, flops=1e9), v.Resource(instances=1, flops=1e9)])
    plan = v.plan(**two, projects=[v.Project(id=0, share=1)],
                  tasks=[v.Task(id=number, project=0, remaining=3600) for number in range(2)])
    text = str(plan)
    assert text.startswith("2 tasks, none LATE; 1 runs now\n")
    assert [row[0] for row in rows_of(text, "RESOURCE")] == ["CPU", "GPU type 1"]
    assert rows_of(text, "TASK") == [["0", "1h 00m", "runs: turn"], ["1", "2h 00m", "waits"]]
    assert text.splitlines()[-1].startswith("Project 0 is asked for work now: ")
    alone = v.plan(resources=[v.Resource(instances=1, flops=1e9)])
    assert str(alone).startswith("0 tasks, none LATE; none run now\n") and "TASK" not in str(alone)
    assert str(alone).splitlines()[-1] == "No project is asked for work now: " \
        + v.reason_sentence(v.REASON_NO_PROJECT)


def test_a_task_that_is_given_up_does_not_end():
    state = parse_state(HOST.replace("[gpu", "on_spell = 7200\noff_spell = 3600\n[client]\ngive_up = by_chance\n[gpu")
                        + task("vain", remaining=5184000, deadline=2160000)
                        + task("stopped", suspended="yes", remaining=1), "it")
    assert rows_of(str(state.plan()), "TASK") == [["vain", "given up", "give up: time too short"],
                                                  ["stopped", "suspended", "task suspended"]]


def test_of_many_tasks_the_first_are_listed_and_long_names_shortened():
    names = ["x" * 100, *(f"t{number}" for number in range(TASKS_SHOWN + 1))]
    plan = parse_state(HOST + "".join(task(name, remaining=1000, received=number)
                                      for number, name in enumerate(names)), "it").plan()
    rows = rows_of(str(plan), "TASK")
    assert len(rows) == TASKS_SHOWN + 1 and rows[-1] == ["... and 2 more"]
    assert rows[0][0] == "x" * 27 + "..." + "x" * 10
    assert "x" * 100 in plan._repr_html_()


def test_a_plan_is_still_the_tuple_that_it_was():
    plan = parse_state(HOST, "it").plan()
    wrr, edf, schedule, fetch = plan
    assert plan == (wrr, edf, schedule, fetch) and isinstance(plan, v.Plan) and plan.wrr is wrr
    assert str(plan._replace(wrr=wrr)) != ""


def test_a_scenario_plans_itself_with_its_names():
    text = (HOST.replace("flops = 1e9\n", "flops = 1e9\nnow = 1000\n", 1) + task("late", remaining=5000, deadline=1100)
            + task("next", gpu="<G>", remaining=7200))
    scenario = v.Scenario.parse(text)
    assert scenario.now == scenario.course.start == 1000
    assert str(scenario.plan()) == str(parse_state(text).plan())
    assert [row[0] for row in rows_of(str(scenario.plan()), "TASK")] == ["late", "next"]
    forecast = scenario.state().wrr()
    assert forecast.summary.misses == scenario.plan().wrr.summary.misses == 1


def test_names_that_no_longer_fit_are_numbers():
    scenario = v.Scenario.parse(HOST + task("a", remaining=50))
    more = scenario.replace(tasks=[*scenario.tasks, v.Task(id=9, project=0, remaining=5)])
    text = str(more.plan())
    assert sorted(row[0] for row in rows_of(text, "TASK")) == ["0", "1"]
    assert rows_of(text, "RESOURCE")[1][0] == "<G>" and text.splitlines()[-1].startswith("p & q is asked")
    bare = v.Scenario(resources=[v.Resource(flops=1e9), v.Resource(flops=1e12)], projects=[v.Project()])
    text = str(bare.plan())
    assert rows_of(text, "RESOURCE")[1][0] == "GPU type 1" and text.splitlines()[-1].startswith("Project 0 is asked")


@pytest.mark.parametrize("seconds, words", [
    (0, "0s"), (59.9, "1m 00s"), (3599.5, "1h 00m"), (7164, "1h 59m"), (-7199, "-2h 00m"), (86399, "1d 00h"),
    (185399, "2d 03h"), (185400, "2d 04h"), (float("inf"), "never")])
def test_durations_are_rounded_as_the_tool_does(seconds, words):
    assert duration(seconds) == words
