# SPDX-License-Identifier: MIT
"""The emulator from Python: the same figures as from C, policies of one's own, and exceptions in them."""

from __future__ import annotations

import gc
import json
import math
import os
import pickle
import re
import subprocess
import sys
import threading
import traceback

import pytest

from conftest import PROJECT_ROOT, memory_in_use

pytest.importorskip("vcsched.library", reason="needs the compiled part")
import vcsched as v  # noqa: E402 - only with the compiled part

VCEMU = os.environ.get("VCEMU", "")
STUDY = PROJECT_ROOT / "examples" / "study"
DAY = 86400.0


def scenario(days=20.0, **parts):
    """Two CPUs that are on for 80 % of the time, long jobs with room and short ones that are due soon."""
    return v.Scenario(**{**dict(
        resources=[v.Resource(instances=2, flops=1e9)],
        projects=[v.Project(id=1, share=100), v.Project(id=2, share=100)],
        apps=[v.App(id=1, project=0), v.App(id=2, project=1)],
        models=[v.JobModel(latency_bound=40000, est_flops=1e13, sd_flops=3e12),
                v.JobModel(latency_bound=500000, est_flops=8e13, sd_flops=2e13)],
        emulation=v.Emulation(duration=days * DAY, available=0.8, available_mean=3600)), **parts})


class BuiltIn:
    """The library's own decisions, each by way of Python."""

    def schedule(self, situation):
        return situation.state.schedule()

    def fetch(self, situation, question):
        return situation.state.fetch(question)

    def estimate(self, progress, rule):
        return v.estimate_remaining(progress, rule)


# ---- Without functions of one's own ----


@pytest.mark.skipif(not os.path.exists(VCEMU), reason="VCEMU names no program")
@pytest.mark.parametrize("name", ["base", "long_and_short", "tight_and_loose"])
def test_the_figures_of_vcemu_to_the_last_digit(name):
    path = str(STUDY / f"{name}.ini")
    theirs = json.loads(subprocess.run([VCEMU, "run", "--json", path], check=True, capture_output=True).stdout)
    read = v.Scenario.read(path)
    outcome, projects, events, resources = v.emulate(read)
    names = {name for name in outcome.fields if name in theirs}
    assert {"waste", "idleness", "share_violation", "monotony", "rpcs_per_job", "calls", "late"} <= names
    assert {name: getattr(outcome, name) for name in names} == {name: theirs[name] for name in names}
    for reported, project, label in zip(theirs["projects"], projects, read.project_names):
        assert reported.pop("name") == label
        assert {name: getattr(project, name) for name in reported} == reported
    for reported, resource, label in zip(theirs["resources"], resources, read.resource_names):
        assert reported.pop("name") == label
        assert {name: getattr(resource, name) for name in reported} == reported
    assert len(theirs["resources"]) == len(resources) and len(events) == 0


def test_one_processor_that_is_always_on_does_what_a_hand_can_work_out():
    # Jobs of exactly 1000 s on one CPU that is always on, for 300,500 s: 300 end. Nothing is late, nothing idles.
    outcome = v.emulate(v.Scenario(
        resources=[v.Resource(flops=1e9)], projects=[v.Project()], apps=[v.App()],
        models=[v.JobModel(latency_bound=1e6, est_flops=1e12, distribution=v.SIZES_CONSTANT)],
        emulation=v.Emulation(duration=300500))).outcome
    assert (outcome.ended, outcome.late, outcome.idleness, outcome.available_time) == (300, 0, 0.0, 300500.0)
    assert outcome.flops_used == 300500e9


def test_sizes_in_a_list_and_switches_are_taken_as_they_are():
    # 300 s and 600 s in turn; off from 1000 s to 2000 s, so 1500 s of the 2500 s are left: 300 + 600 + 300, and half
    # of the fourth.
    outcome, _, events, _ = v.emulate(v.Scenario(
        resources=[v.Resource(flops=1e9)], projects=[v.Project()], apps=[v.App()],
        models=[v.JobModel(latency_bound=1e6, est_flops=1e12, distribution=v.SIZES_LIST, size_count=2)],
        sizes=[3e11, 6e11], switches=[1000, 2000], emulation=v.Emulation(duration=2500)), keep_events=True)
    assert outcome.ended == 3
    assert [(event.time, event.kind) for event in events if event.kind in (v.EVENT_OFF, v.EVENT_ON)] \
        == [(1000.0, v.EVENT_OFF), (2000.0, v.EVENT_ON)]
    assert [event.time for event in events if event.kind == v.EVENT_ENDED] == [300.0, 900.0, 2200.0]


def test_a_figure_that_is_undefined_is_none():
    outcome = v.emulate(v.Scenario(resources=[v.Resource(flops=1e9)], emulation=v.Emulation(duration=100))).outcome
    assert outcome.flags & v.UNDEFINED_SHARE and outcome.flags & v.UNDEFINED_RPCS
    assert (outcome.waste, outcome.idleness) == (0.0, 1.0)
    assert (outcome.study_waste, outcome.study_idleness, outcome.study_share_violation) == (None, None, None)
    assert (outcome.share_violation, outcome.monotony, outcome.rpcs_per_job) == (None, None, None)
    assert outcome.asdict()["rpcs_per_job"] is None
    assert pickle.loads(pickle.dumps(outcome)).rpcs_per_job is None


def test_the_seed_and_the_policy_can_be_given_apart():
    base = scenario()
    assert v.emulate(base, seed=1).outcome == v.emulate(base).outcome != v.emulate(base, seed=2).outcome
    assert base.emulation.seed == 1
    other = v.emulate(base, parameters="study2007").outcome
    assert other == v.emulate(base.replace(parameters=v.Parameters("study2007"))).outcome != v.emulate(base).outcome
    copied = pickle.loads(pickle.dumps(base))
    assert v.emulate(copied).outcome == v.emulate(base).outcome


def test_arrays_and_lists_of_records_make_no_difference():
    pytest.importorskip("numpy")
    base = scenario(5)
    models = v.JobModel.array(2)
    models["latency_bound"], models["est_flops"], models["sd_flops"] = [40000, 500000], [1e13, 8e13], [3e12, 2e13]
    models["mean_flops"] = models["est_flops"]
    assert v.emulate(base.replace(models=models)).outcome == v.emulate(base).outcome


def test_events_are_kept_or_told_and_are_the_same():
    observed = []
    outcome, _, none, _ = v.emulate(scenario(), observe=observed.append)
    same, _, kept, _ = v.emulate(scenario(), keep_events=True)
    assert kept == observed and len(none) == 0 and same == outcome
    both = []
    assert v.emulate(scenario(), observe=both.append, keep_events=True).events == observed == both
    assert [event.time for event in observed] == sorted(event.time for event in observed)
    counted = {kind: sum(event.kind == kind for event in observed) for kind in v.EventKind}
    assert counted[v.EVENT_RECEIVED] == outcome.received and counted[v.EVENT_LATE] == outcome.late
    numpy = pytest.importorskip("numpy")
    ended = kept.array[kept.array["kind"] == v.EVENT_ENDED]
    assert len(ended) == outcome.ended and numpy.all(ended["time"] <= 20 * DAY)


@pytest.mark.parametrize("changes, record, field", [
    (dict(emulation=v.Emulation(duration=-1)), "emulation", "duration"),
    (dict(emulation=v.Emulation(duration=math.nan)), "emulation", "duration"),
    (dict(models=[v.JobModel(latency_bound=1, est_flops=1), v.JobModel(est_flops=1)]), "job_model", "latency_bound"),
    (dict(models=[]), "", "models"),
    (dict(switches=[5, 4]), "", "switches"),
    (dict(tasks=[v.Task(project=9)]), "task", "project"),
])
def test_what_the_library_refuses_is_named(changes, record, field):
    with pytest.raises(v.VcsError) as caught:
        v.emulate(scenario(**changes))
    assert (caught.value.record, caught.value.field) == (record, field)


@pytest.mark.parametrize("given, message", [
    (dict(policy=3), "policy must have one of the methods schedule, fetch, send, estimate; int has none of them"),
    (dict(policy=v.Policy()), "policy must have one of the methods"),
    (dict(policy=BuiltIn), "policy must be an object, not a class: BuiltIn(...), not BuiltIn"),
    (dict(seed="one"), "Emulation.seed must be a whole number, not str"),
    (dict(seed=1.5), "Emulation.seed must be a whole number, not float"),
])
def test_arguments_of_the_wrong_kind_are_named(given, message):
    with pytest.raises(TypeError, match=re.escape(message)):
        v.emulate(scenario(1), **given)
    with pytest.raises(TypeError, match="scenario must be Scenario, not dict"):
        v.emulate({})
    with pytest.raises(TypeError, match="sizes must be a sequence of numbers"):
        v.emulate(scenario(1, sizes=["x"]))


class OfTheClass:
    """Decides without an object."""

    @staticmethod
    def schedule(situation):
        return situation.state.schedule()


def test_a_class_whose_methods_need_no_object_is_a_policy():
    assert v.emulate(scenario(1), policy=OfTheClass) == v.emulate(scenario(1))


# ---- Policies ----


@pytest.mark.parametrize("parameters", [v.Parameters("rpc2003", work_fetch="current"), "study2007", "current"],
                         ids=["rpc2003", "study2007", "current"])
def test_the_built_in_decisions_by_way_of_python_change_nothing(parameters):
    """A fetch of one's own takes the place of the sessions of rpc2003."""
    base = scenario(5, parameters=parameters)
    assert v.emulate(base, policy=BuiltIn()) == v.emulate(base)


def test_each_decision_can_be_made_by_a_function():
    base = scenario(5, parameters=v.Parameters("current", work_send="ws2"))
    own = v.Policy(send=lambda situation, candidate: bool(situation.state.admit(candidate).admitted))
    assert v.emulate(base, policy=own).outcome.received > 0
    assert v.emulate(base, policy=v.Policy(send=lambda situation, candidate: False)).outcome.received == 0
    assert v.emulate(base, policy=v.Policy(fetch=lambda situation, question: v.Asking())).outcome.calls == 0
    idle = v.emulate(base, policy=v.Policy(schedule=lambda situation: v.Running([]))).outcome
    assert (idle.starts, idle.flops_used, idle.idleness) == (0, 0.0, 1.0) and idle.received > 0
    pessimist = v.emulate(base, policy=v.Policy(estimate=lambda progress, rule: 1e6)).outcome
    assert pessimist.received < v.emulate(base).outcome.received


@pytest.mark.parametrize("seed", [0, 7, 2**64 - 1])
def test_each_decision_sees_the_seed(seed):
    seen = {}

    class Watches:
        def schedule(self, situation):
            seen["schedule"] = situation.seed
            return situation.state.schedule()

        def fetch(self, situation, question):
            seen["fetch"] = situation.seed
            return situation.state.fetch(question)

        def send(self, situation, candidate):
            seen["send"] = situation.seed
            return True

    v.emulate(scenario(2), seed=seed, policy=Watches())
    assert seen == dict.fromkeys(["schedule", "fetch", "send"], seed)


def test_shortest_first_as_the_example_in_c_has_it():
    def shortest_first(situation):
        free, chosen = situation.resources[0].instances, []
        tasks = situation.tasks
        for index in sorted(range(len(tasks)), key=lambda index: tasks[index].remaining):
            if tasks[index].cpus <= free:
                chosen.append(index)
                free -= tasks[index].cpus
        return v.Running(chosen)

    base = scenario(100, resources=[v.Resource(instances=2, flops=1e9, usable=0.8)])
    shortest = v.emulate(base, policy=v.Policy(schedule=shortest_first)).outcome
    # As examples/custom_policy prints them.
    assert f"{v.emulate(base).outcome.share_violation:.4f}" != f"{shortest.share_violation:.4f}"
    assert shortest.share_violation > 0.1


def test_a_fetch_of_one_s_own_asks_whom_it_wants():
    def only_the_second(situation, question):
        if situation.forecast.resources[0].saturated > 3600:
            return v.Asking(next_check=600)
        if question.purpose == v.FETCH_PIGGYBACK:
            return v.Asking()
        return v.Asking([v.Request(project=1, seconds=7200)])

    _, projects, _, _ = v.emulate(scenario(), policy=v.Policy(fetch=only_the_second))
    assert projects[0].received == 0 and projects[1].received > 0


def test_a_fetch_of_one_s_own_may_ask_for_so_many_jobs_of_a_latency_bound():
    def ask_for(**wish):
        def fetch(situation, question):
            return v.Asking([v.Request(project=0, seconds=1e6, **wish)], next_check=86400.0)
        return v.emulate(scenario(), policy=v.Policy(fetch=fetch)).projects[0]

    one = ask_for(jobs=1)
    assert 0 < one.received <= one.calls < ask_for().received
    assert ask_for(latency_bound=1e9).received == 0


@pytest.mark.parametrize("policy, error, message", [
    (v.Policy(fetch=lambda situation, question: v.Asking([v.Request(0, jobs=None)])), TypeError,
     "Request.jobs must be a number, not None"),
    (v.Policy(fetch=lambda situation, question: v.Asking([v.Request(0, latency_bound=-1.0)])), v.VcsError,
     "fetch asks for seconds, instances or a latency bound that are negative or not finite"),
    (v.Policy(schedule=lambda situation: [0]), TypeError, "schedule() must return Running or a ScheduleOutcome"),
    (v.Policy(schedule=lambda situation: v.Running([77])), IndexError,
     "schedule(): there is no task 77, but 4 of them"),
    (v.Policy(schedule=lambda situation: v.Running([1, 0, 1])), ValueError, "schedule() runs task 1 twice"),
    (v.Policy(schedule=lambda situation: v.Running([situation.tasks[0]])), TypeError,
     "Running.tasks has the indices of tasks, which are whole numbers, not Task"),
    (v.Policy(schedule=lambda situation: v.Running([0.0])), TypeError,
     "Running.tasks has the indices of tasks, which are whole numbers, not float"),
    (v.Policy(fetch=lambda situation, question: None), TypeError, "fetch() must return Asking or a FetchOutcome"),
    (v.Policy(fetch=lambda situation, question: v.Asking(next_check=math.nan)), v.VcsError,
     "fetch sets next_check to NaN"),
    (v.Policy(schedule=lambda situation: v.Running([], next_check=math.nan)), v.VcsError,
     "schedule sets next_check to NaN"),
    (v.Policy(fetch=lambda situation, question: v.Asking(next_check="soon")), TypeError,
     "Asking.next_check must be a number, not str"),
    (v.Policy(schedule=lambda situation: v.Running([], next_check=[1])), TypeError,
     "Running.next_check must be a number, not list"),
    (v.Policy(fetch=lambda situation, question: v.Asking([v.Request(0, seconds=None)])), TypeError,
     "Request.seconds must be a number, not None"),
    (v.Policy(fetch=lambda situation, question: v.Asking([v.Request(0, instances=math.nan)])), v.VcsError,
     "fetch asks for seconds, instances or a latency bound that are negative or not finite"),
    (v.Policy(estimate=lambda progress, rule: None), TypeError, "estimate() must return a number, not None"),
    (v.Policy(fetch=lambda situation, question: v.Asking([v.Request(5)])), IndexError,
     "fetch(): there is no project 5, but 2 of them"),
    (v.Policy(fetch=lambda situation, question: v.Asking([v.Request(0, 1)])), IndexError,
     "fetch(): there is no resource 1, but 1 of them"),
    (v.Policy(fetch=lambda situation, question: v.Asking([v.Request(0), v.Request(1)])), ValueError,
     "fetch() asks projects 0, 1; one call is of one project"),
    (v.Policy(estimate=lambda progress, rule: "soon"), TypeError, "estimate() must return a number, not str"),
])
def test_a_decision_that_makes_no_sense_is_refused(policy, error, message):
    with pytest.raises(error) as caught:
        v.emulate(scenario(1), policy=policy)
    assert message in str(caught.value)


def test_more_tasks_than_there_is_room_for_are_refused_by_the_library():
    greedy = v.Policy(schedule=lambda situation: v.Running(range(len(situation.tasks))))
    with pytest.raises(v.VcsError, match="schedule runs more tasks than there are instances"):
        v.emulate(scenario(), policy=greedy)
    with pytest.raises(v.VcsError, match="remaining is negative"):
        v.emulate(scenario(), policy=v.Policy(estimate=lambda progress, rule: -1.0))


def test_a_situation_lasts_as_long_as_the_call():
    kept = []

    def schedule(situation):
        kept.append((situation, situation.tasks, situation.parameters))
        return situation.state.schedule()

    v.emulate(scenario(1), policy=v.Policy(schedule=schedule))
    situation, tasks, parameters = kept[-1]
    assert len(situation.tasks) == len(tasks) and parameters.period == v.Parameters().period
    with pytest.raises(RuntimeError, match="Situation.projects: a situation lasts as long as the call"):
        situation.projects
    with pytest.raises(v.VcsError):
        situation.state.schedule()


# ---- Exceptions ----


class Failure(Exception):
    """What the functions below raise."""


class Failing:
    """A policy that fails in one of its functions after a while."""

    def __init__(self, name, after=3):
        self.left = after
        setattr(self, name, self.fail)

    def fail(self, *arguments):
        self.left -= 1
        if self.left < 0:
            raise Failure("enough")
        situation = arguments[0]
        if len(arguments) == 1:
            return situation.state.schedule()
        if isinstance(situation, v.Progress):
            return v.estimate_remaining(*arguments)
        return True if isinstance(arguments[1], int) else situation.state.fetch(arguments[1])


@pytest.mark.parametrize("name", ["schedule", "fetch", "send", "estimate"])
def test_an_exception_ends_the_emulation_and_comes_out_as_it_is(name):
    with pytest.raises(Failure) as caught:
        v.emulate(scenario(), policy=Failing(name))
    functions = [frame.name for frame in traceback.extract_tb(caught.value.__traceback__)]
    assert functions[-1] == "fail" and f"call_{name}" in functions and "emulate" in functions
    assert caught.value.__context__ is None and caught.value.__cause__ is None


def test_an_interrupt_while_observing_ends_it_too(capfd):
    def interrupted(event):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        v.emulate(scenario(), observe=interrupted)
    assert capfd.readouterr().err == ""


def test_a_thousand_failing_runs_leave_nothing_behind():
    policies = {name: Failing(name, 0) for name in ("schedule", "fetch", "send", "estimate")}
    base = scenario(1)

    def many(rounds):
        for number in range(rounds):
            policy = list(policies.values())[number % 4]
            with pytest.raises(Failure):
                v.emulate(base, policy=policy, observe=lambda event: None, keep_events=True)

    many(40)
    gc.collect()
    references = [sys.getrefcount(policy) for policy in policies.values()]
    objects, before = len(gc.get_objects()), memory_in_use()
    gc.disable()  # nothing may depend on it
    try:
        many(1000)
        assert [sys.getrefcount(policy) for policy in policies.values()] == references
        assert abs(len(gc.get_objects()) - objects) < 200
    finally:
        gc.enable()
    # Runs that left their 1 KiB of records behind would take a million bytes.
    assert memory_in_use() - before < 300000


# ---- Threads and processes ----


@pytest.mark.parametrize("policy", [None, BuiltIn()], ids=["of the library", "of Python"])
def test_eight_threads_emulate_at_once(policy):
    base = scenario(3)
    expected = [v.emulate(base, seed=seed).outcome for seed in range(8)]
    found = [None] * 8

    def work(seed):
        found[seed] = v.emulate(base, seed=seed, policy=policy).outcome

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == expected


# ---- Several schedulers ----


def test_each_scheduler_is_up_and_down_for_itself():
    """Rule 7.2: the next is called only if the one before did not answer, at the same moment."""
    def emulate(schedulers):
        servers = [v.ServerModel(up_mean=20000, down_mean=60000, schedulers=schedulers), v.ServerModel()]
        return v.emulate(scenario(servers=servers), keep_events=True)
    lone, three = emulate(0), emulate(3)
    assert emulate(1).outcome == lone.outcome
    assert three.projects[0].received > 1.2 * lone.projects[0].received
    calls = [event for event in three.events
             if event.kind in (v.EVENT_CALLED, v.EVENT_FAILED) and event.project == 0]
    assert {event.track for event in calls} == {0, 1, 2}
    for before, event in zip(calls, calls[1:]):
        if event.track > 0:
            assert (before.kind, before.track, before.time) == (v.EVENT_FAILED, event.track - 1, event.time)
    with pytest.raises(v.VcsError, match="schedulers"):
        emulate(1001)
