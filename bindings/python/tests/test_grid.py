# SPDX-License-Identifier: MIT
"""Whole grids from Python: the same figures as from C, policies of one's own on both sides, and what is refused."""

from __future__ import annotations

import gc
import math
import os
import pickle
import pydoc
import subprocess
import sys
import traceback

import pytest

from conftest import PROJECT_ROOT, memory_in_use

pytest.importorskip("vcsched.library", reason="needs the compiled part")
import vcsched as v  # noqa: E402 - only with the compiled part
from grid_case import same_as_vcemu  # noqa: E402 - likewise

VCEMU = os.environ.get("VCEMU", "")
DAY = 86400.0


def volunteers(count=10, **model):
    """Hosts of two CPUs of 1 GFLOPS that are always on, with an hour of work at hand."""
    return v.HostClass(v.Scenario(resources=[v.Resource(instances=2, flops=1e9)],
                                  parameters=v.Parameters("current", min_buffer=3600)),
                       v.HostModel(count=count, **model))


def grid(days=1.0, sample=0.0, model=None, **project):
    """One project whose units take an hour."""
    return v.Grid([v.GridProject(id=7, **{**dict(est_flops=3.6e12, delay_bound=DAY), **project})],
                  [volunteers(**(model or {}))], v.GridTerms(duration=days * DAY, sample=sample))


def by_reply(**changes):
    return grid(dispatch=v.GRID_BY_REPLY, **changes)


class BuiltIn:
    """The library's own decisions of servers, each by way of Python. Counts how often each was asked for."""

    def __init__(self):
        self.asked = dict.fromkeys(("dispatch", "validate", "trust"), 0)

    def dispatch(self, situation, jobs):
        self.asked["dispatch"] += 1
        return jobs.next(situation.host, situation.now)

    def validate(self, situation, unit, results, classes):
        self.asked["validate"] += 1
        return unit.validate(results, classes, situation.now)

    def trust(self, situation, trust, u):
        self.asked["trust"] += 1
        return trust.needs_copy(u).needed


# ---- Without functions of one's own ----


def saboteurs_ini():
    """examples/scenarios/grids/saboteurs.ini"""
    common = dict(units=6000, est_flops=4e13, delay_bound=259200)
    checked = dict(verification=v.GRID_CHECK_DIRECT, flags=v.GRID_BLACKLIST | v.GRID_WITHDRAW)
    host = v.Scenario(resources=[v.Resource(instances=4, flops=4.8e9)],
                      emulation=v.Emulation(available=0.5, available_mean=28800))
    model = v.HostModel(count=200, speed_sd=0.65, saboteurs=0.05, sabotage=0.5, flags=v.HOSTS_COLLUDE)
    return v.Grid([v.GridProject(min_quorum=2, **common), v.GridProject(**checked, **common)],
                  [v.HostClass(host, model)], v.GridTerms(duration=864000, sample=86400))


@pytest.mark.skipif(not os.path.exists(VCEMU), reason="VCEMU names no program")
@pytest.mark.parametrize("seed", [1, 77])
def test_the_figures_of_vcemu_grid_to_the_last_digit(seed):
    same_as_vcemu(PROJECT_ROOT / "examples" / "scenarios" / "grids" / "saboteurs.ini", saboteurs_ini(), seed)


def test_a_grid_that_a_hand_can_work_out():
    # 20 processors of 1 GFLOPS compute 100 units of an hour: five rounds, and a host reports when it asks again.
    found = v.emulate_grid(grid(units=100, sample=3600.0))
    project = found.projects[0]
    assert (project.id, project.units, project.done, project.copies, project.valid) == (7, 100, 100, 100, 100)
    assert found.outcome.used == 100 * 3600.0 and project.flops_useful == 100 * 3.6e12
    assert 5 * 3600.0 <= project.makespan < DAY
    assert found.outcome.present == 20 * DAY and len(found.hosts) == 10
    assert sum(host.reported for host in found.hosts) == 100
    assert [sample.time for sample in found.samples[0]] == [3600.0 * number for number in range(1, 25)]
    assert found.samples[0][-1].done == sum(found.turnarounds[0]) == 100
    assert len(found.turnarounds[0]) == v.GRID_BINS and len(found.events) == 0
    # The mean lies where the bins say: within the width of one.
    middle = sum(count * 2 ** ((bin + 0.5) / 64) for bin, count in enumerate(found.turnarounds[0])) / 100
    assert middle == pytest.approx(project.turnaround_mean, rel=0.011)


def test_the_figures_of_the_example_in_lua():
    """As examples/lua/grid.lua prints them, and its test expects them."""
    host = v.Scenario(resources=[v.Resource(instances=2, flops=1e9)],
                      parameters=v.Parameters("current", min_buffer=3600, additional_buffer=3600))
    liars = v.HostModel(count=50, saboteurs=0.1, sabotage=0.5, flags=v.HOSTS_COLLUDE)
    figures = []
    for quorum in (1, 2, 3):
        found = v.emulate_grid(v.Grid([v.GridProject(delay_bound=DAY, min_quorum=quorum)], [v.HostClass(host, liars)],
                                      v.GridTerms(duration=5 * DAY)))
        figures.append((found.projects[0].done, found.projects[0].wrong_accepted, found.outcome.saboteurs))
    assert figures == [(12000, 996, 8), (5599, 149, 8), (3667, 20, 8)]


def test_one_host_is_emulate_to_the_event():
    parameters = v.Parameters("current")
    host = v.Scenario(resources=[v.Resource(instances=2, flops=1e9)], projects=[v.Project()], apps=[v.App()],
                      models=[v.JobModel(latency_bound=4 * DAY, est_flops=2e13, distribution=v.SIZES_CONSTANT)],
                      emulation=v.Emulation(duration=10 * DAY), parameters=parameters)
    alone = v.emulate(host, keep_events=True)
    one = v.Grid([v.GridProject(delay_bound=4 * DAY, est_flops=2e13, distribution=v.SIZES_CONSTANT)],
                 [v.HostClass(host, v.HostModel())], v.GridTerms(duration=10 * DAY))
    together = v.emulate_grid(one, keep_events=True)
    seen = [(event.time, event.kind, event.amount) for event in together.events if event.kind < v.EVENT_KINDS]
    assert seen == [(event.time, event.kind, event.amount) for event in alone.events] and len(seen) > 100
    assert together.hosts[0].idleness == alone.outcome.idleness
    assert together.hosts[0].reported == alone.outcome.in_time + alone.outcome.late


def test_events_are_kept_or_told_and_are_the_same():
    observed = []
    plain = v.emulate_grid(grid(0.2))
    told = v.emulate_grid(grid(0.2), observe=observed.append)
    kept = v.emulate_grid(grid(0.2), keep_events=True)
    both = []
    assert v.emulate_grid(grid(0.2), observe=both.append, keep_events=True).events == both == observed
    assert kept.events == observed and len(told.events) == 0
    assert plain.outcome == told.outcome == kept.outcome and plain.hosts == kept.hosts
    sent = [event for event in observed if event.kind == v.GRID_EVENT_SENT]
    assert len(sent) == kept.projects[0].copies and {event.copy_index for event in sent} == {0}
    assert "kind=GridEventKind.SENT" in repr(sent[0]) and sent[0].copy().replace(copy_index=3).copy_index == 3
    numpy = pytest.importorskip("numpy")
    assert numpy.all(numpy.diff(kept.events.array["time"]) >= 0)
    assert numpy.asarray(kept.turnarounds[0]).sum() == kept.projects[0].done


def test_the_seed_can_be_given_apart():
    base = grid(0.5, distribution=v.SIZES_EXPONENTIAL)
    assert v.emulate_grid(base, seed=1).hosts == v.emulate_grid(base).hosts != v.emulate_grid(base, seed=2).hosts
    assert base.terms.seed == 1
    assert v.emulate_grid(pickle.loads(pickle.dumps(base))).hosts == v.emulate_grid(base).hosts


def test_several_projects_classes_and_rows():
    attached = [v.Project(id=0, share=3), v.Project(id=1, share=1)]
    slow = v.HostClass(v.Scenario(resources=[v.Resource(flops=1e9)], projects=attached), v.HostModel(id=1, count=4),
                       projects=[1, 0])
    rows = [v.HostRow(weight=1, cpus=8), v.HostRow(weight=3, cpus=2, flops=5e8)]
    fast = v.HostClass(v.Scenario(resources=[v.Resource(flops=2e9)]), v.HostModel(id=2, count=4), rows=rows)
    found = v.emulate_grid(v.Grid([v.GridProject(id=0), v.GridProject(id=1)], [slow, fast],
                                  v.GridTerms(duration=5 * DAY)))
    assert [(host.host_class, host.cpus, host.flops) for host in found.hosts][:4] == [(0, 1.0, 1e9)] * 4
    kinds = sorted((host.cpus, host.flops) for host in found.hosts[4:])
    assert kinds == [(2.0, 5e8)] * 3 + [(8.0, 2e9)]
    assert all(project.done > 0 for project in found.projects)


def test_hosts_that_are_replaced_are_all_told_of():
    found = v.emulate_grid(grid(5, model=dict(count=50, lifetime=DAY, flags=v.HOSTS_REPLACED)))
    assert found.outcome.left > 100 and len(found.hosts) == found.outcome.hosts == found.outcome.left + 50
    assert all(host.on > 0 or host.joined > 4.9 * DAY for host in found.hosts)
    assert len(v.emulate_grid(grid(0.1), keep_hosts=False).hosts) == 0


def test_fields_that_follow_others():
    project = v.GridProject(est_flops=5e12, min_quorum=3)
    assert (project.mean_flops, project.target_nresults) == (5e12, 3)
    assert v.GridProject(min_quorum=2, target_nresults=3).target_nresults == 3
    assert v.GridProject().est_flops == v.GridProject().mean_flops == 3.6e12


def test_what_uses_a_gpu_says_so_in_the_class():
    host = v.Scenario(resources=[v.Resource(instances=4, flops=1e9), v.Resource(flops=1e11)], projects=[v.Project()],
                      apps=[v.App()], models=[v.JobModel(cpus=0.5, gpus=1.0, gpu=1)])
    found = v.emulate_grid(v.Grid([v.GridProject(est_flops=1e14)], [v.HostClass(host, v.HostModel())],
                                  v.GridTerms(duration=DAY)))
    # A device and half a CPU: 100.5 GFLOPS, 995 s a job.
    assert 80 <= found.projects[0].done <= 86


def test_help_has_meaning_and_unit_of_each_field():
    for record in (v.GridTerms, v.GridProject, v.HostModel, v.HostRow, v.GridOutcome, v.GridProjectOutcome,
                   v.GridHostOutcome, v.GridSample, v.GridEvent):
        assert [name for name in record.fields if not vars(record)[name].__doc__] in ([], ["flags"])
    shown = pydoc.plain(pydoc.render_doc(v.GridProject))
    assert "from sending a copy to its deadline, s; at least 0.001 (unit: s)" in shown
    assert "policy        custom decisions of servers and hosts" in pydoc.plain(pydoc.render_doc(v.emulate_grid))


# ---- Policies ----


def test_the_decisions_of_servers_by_way_of_python_change_nothing():
    for base, asked in ((by_reply(sample=3600.0), {"dispatch"}), (grid(min_quorum=2), {"validate"}),
                        (grid(2, est_flops=1e12, verification=v.GRID_CHECK_ADAPTIVE), {"validate", "trust"})):
        policy = BuiltIn()
        own = v.emulate_grid(base, policy=v.GridPolicy(server=policy), keep_events=True)
        assert own == v.emulate_grid(base, keep_events=True)
        assert {name for name, count in policy.asked.items() if count > 0} == asked


def test_the_decisions_of_hosts_by_way_of_python_change_nothing():
    asked = []

    class Hosts:
        def schedule(self, situation):
            asked.append("schedule")
            return situation.state.schedule()

        def fetch(self, situation, question):
            asked.append("fetch")
            return situation.state.fetch(question)

        def estimate(self, progress, rule):
            asked.append("estimate")
            return v.estimate_remaining(progress, rule)

    base = grid(0.3)
    assert v.emulate_grid(base, policy=v.GridPolicy(hosts=Hosts())) == v.emulate_grid(base)
    assert set(asked) == {"schedule", "fetch", "estimate"}


def test_a_policy_for_one_class_of_hosts():
    lazy = v.Policy(fetch=lambda situation, question: v.Asking(next_check=3600.0))
    base = grid(0.5)
    two = base.replace(classes=[*base.classes, volunteers(5)], class_names=["eager", "lazy"])
    for key in ("lazy", 1):
        found = v.emulate_grid(two, policy=v.GridPolicy(hosts={key: lazy}))
        reported = [sum(host.reported for host in found.hosts if host.host_class == number) for number in (0, 1)]
        assert reported[0] > 0 == reported[1]
    assert v.emulate_grid(two, policy=v.GridPolicy(hosts=lazy)).projects[0].copies == 0


def test_each_server_decision_sees_what_it_is_about():
    seen = {}

    class Watches(BuiltIn):
        def dispatch(self, situation, jobs):
            seen["dispatch"] = situation
            return super().dispatch(situation, jobs)

        def validate(self, situation, unit, results, classes):
            seen["validate"] = situation
            assert len(results) == len(classes) and unit.min_quorum == 2
            return super().validate(situation, unit, results, classes)

    v.emulate_grid(by_reply(days=0.1), seed=2**64 - 1, policy=v.GridPolicy(server=Watches()))
    v.emulate_grid(grid(0.5, min_quorum=2), seed=5, policy=v.GridPolicy(server=Watches()))
    assert seen["dispatch"].seed == 2**64 - 1 and seen["dispatch"].host in range(10)
    assert (seen["validate"].seed, seen["validate"].host, seen["validate"].project) == (5, v.NONE, 0)


def test_a_server_that_decides_otherwise():
    liars = dict(saboteurs=0.3)  # whose wrong results all differ
    base = grid(3, est_flops=1e12, verification=v.GRID_CHECK_ADAPTIVE, model=liars)
    never, always = (v.GridPolicy(server=v.ServerPolicy(trust=lambda situation, trust, u, needed=needed: needed))
                     for needed in (False, True))
    trusting, careful = v.emulate_grid(base, policy=never), v.emulate_grid(base, policy=always)
    assert trusting.outcome.saboteurs > 0
    assert trusting.projects[0].copies < 1.2 * trusting.projects[0].done
    assert careful.projects[0].copies > 2 * careful.projects[0].done
    assert trusting.projects[0].wrong_accepted > 0.1 * trusting.projects[0].done
    assert careful.projects[0].wrong_accepted == 0 < careful.projects[0].done
    assert v.emulate_grid(by_reply(), policy=v.GridPolicy(
        server=v.ServerPolicy(dispatch=lambda situation, jobs: None))).projects[0].copies == 0


def test_progress_goes_from_nothing_to_almost_all():
    told = []
    v.emulate_grid(grid(), progress=told.append)
    assert told == sorted(told) and told[0] < 0.1 and 0.9 < told[-1] <= 1.0


# ---- What is refused ----


@pytest.mark.parametrize("changes, record, field", [
    (dict(delay_bound=-1.0), "grid_project", "delay_bound"),
    (dict(est_flops=math.nan), "grid_project", "est_flops"),
    (dict(min_quorum=3, target_nresults=2), "grid_project", "target_nresults"),
    (dict(model=dict(count=1, saboteurs=1.5)), "host_model", "saboteurs"),
    (dict(model=dict(count=1, lifetime=-1.0)), "host_model", "lifetime"),
    (dict(model=dict(count=1, lifetime=math.nan, flags=v.HOSTS_REPLACED)), "host_model", "lifetime"),
    (dict(model=dict(count=2**64 - 1)), "", "classes"),
    (dict(days=-1), "grid_terms", "duration"),
    (dict(days=math.nan), "grid_terms", "duration"),
    (dict(days=math.inf), "grid_terms", "duration"),
    (dict(sample=-1.0), "grid_terms", "sample"),
    (dict(sample=math.inf), "grid_terms", "sample"),
])
def test_what_the_library_refuses_is_named(changes, record, field):
    with pytest.raises(v.VcsError) as caught:
        v.emulate_grid(grid(**changes))
    assert (caught.value.record, caught.value.field) == (record, field)


def test_what_the_library_refuses_of_a_class():
    base = grid()
    for host, record, field in (
            (v.Scenario(resources=[v.Resource(flops=-1.0)]), "resource", "flops"),
            (v.Scenario(resources=[v.Resource(flops=1e9)], tasks=[v.Task()], projects=[v.Project()]), "", "tasks"),
            (v.Scenario(resources=[v.Resource(flops=1e9)], emulation=v.Emulation(available=0.5)), "emulation",
             "available_mean")):
        with pytest.raises(v.VcsError) as caught:
            v.emulate_grid(base.replace(classes=[v.HostClass(host, v.HostModel())]))
        assert (caught.value.record, caught.value.field) == (record, field)
    for projects in ([5], [0, 0], []):
        with pytest.raises(v.VcsError, match="projects"):
            v.emulate_grid(base.replace(classes=[v.HostClass(base.classes[0].scenario, v.HostModel(), projects)]))


@pytest.mark.parametrize("given, error, message", [
    (lambda: v.emulate_grid({}), TypeError, "grid must be Grid, not dict"),
    (lambda: v.emulate_grid(grid(), seed=1.5), TypeError, "GridTerms.seed must be a whole number, not float"),
    (lambda: v.emulate_grid(grid(), seed=-1), OverflowError, "GridTerms.seed must be 0 ... 18446744073709551615"),
    (lambda: v.emulate_grid(grid(), policy=BuiltIn()), TypeError, "policy must be GridPolicy, not BuiltIn"),
    (lambda: v.emulate_grid(grid(), policy=v.GridPolicy(server=3)), TypeError,
     "policy must have one of the methods dispatch, validate, trust; int has none of them"),
    (lambda: v.emulate_grid(grid(), policy=v.GridPolicy(hosts=3)), TypeError,
     "policy must have one of the methods schedule, fetch, send, estimate; int has none of them"),
    (lambda: v.emulate_grid(grid(), policy=v.GridPolicy(hosts={4: v.Policy()})), KeyError,
     "there is no class 4, but 1 of them"),
    (lambda: v.emulate_grid(v.Grid([3], [])), TypeError, "projects[0] must be GridProject, not int"),
    (lambda: v.emulate_grid(v.Grid([], [3])), TypeError, "classes[0] must be HostClass, not int"),
    (lambda: v.emulate_grid(v.Grid([], volunteers())), TypeError, "classes must be a sequence of HostClass"),
    (lambda: v.emulate_grid(v.Grid([], [v.HostClass(3, v.HostModel())])), TypeError,
     "classes[0].scenario must be Scenario, not int"),
    (lambda: v.emulate_grid(v.Grid([], [v.HostClass(v.Scenario([v.Resource()]), 3)])), TypeError,
     "classes[0].model[0] must be HostModel, not int"),
    (lambda: v.emulate_grid(v.Grid([], [v.HostClass(v.Scenario([v.Resource()]), v.HostModel(), ["x"])])), TypeError,
     "classes[0].projects[0] must be a whole number, not str"),
    (lambda: v.GridProject(est_flops="many"), TypeError, "GridProject.est_flops must be a number, not str"),
    (lambda: v.HostModel(count=-1), OverflowError, "HostModel.count must be 0 ... 18446744073709551615"),
])
def test_arguments_of_the_wrong_kind_are_named(given, error, message):
    with pytest.raises(error) as caught:
        given()
    assert message in str(caught.value)


@pytest.mark.parametrize("base, server, error, message", [
    (by_reply, dict(dispatch=lambda situation, jobs: 3), TypeError,
     "dispatch() must return a DispatchDecision or None, not int"),
    (by_reply, dict(dispatch=lambda situation, jobs: jobs.next(10**6, 0.0)), v.VcsError, "next(host=1000000, now=0.0)"),
    (by_reply, dict(dispatch=lambda situation, jobs: jobs.next("x", 0.0)), TypeError,
     "next(): host must be a whole number, not str"),
    (grid, dict(validate=lambda situation, unit, results, classes: None), TypeError,
     "validate() must return a sequence of Change, not None"),
    (grid, dict(validate=lambda situation, unit, results, classes: [3]), TypeError,
     "validate()[0] must be Change, not int"),
    (grid, dict(validate=lambda situation, unit, results, classes: [v.Change()] * 10000), ValueError,
     "validate() returned 10000 changes, but at most"),
    (grid, dict(validate=lambda situation, unit, results, classes: [v.Change(kind=77)]), v.VcsError,
     "wrote changes that no validation makes"),
])
def test_a_decision_that_makes_no_sense_is_refused(base, server, error, message):
    with pytest.raises(error) as caught:
        v.emulate_grid(base(days=0.5), policy=v.GridPolicy(server=v.ServerPolicy(**server)))
    assert message in str(caught.value)


def test_what_a_decision_was_given_lasts_as_long_as_the_call():
    kept = []

    def dispatch(situation, jobs):
        kept.append((situation, jobs))
        return jobs.next(situation.host, situation.now)

    v.emulate_grid(by_reply(days=0.1), policy=v.GridPolicy(server=v.ServerPolicy(dispatch=dispatch)))
    situation, jobs = kept[-1]
    with pytest.raises(RuntimeError, match="OpenJobs.next.*lasts as long as the call"):
        jobs.next(situation.host, situation.now)


# ---- Exceptions ----


class Failure(Exception):
    """What the functions below raise."""


def fails(*arguments):
    raise Failure("enough")


FAILING = {
    "dispatch": (by_reply, dict(policy=v.GridPolicy(server=v.ServerPolicy(dispatch=fails)))),
    "validate": (grid, dict(policy=v.GridPolicy(server=v.ServerPolicy(validate=fails)))),
    "trust": (lambda days: grid(days, verification=v.GRID_CHECK_ADAPTIVE),
              dict(policy=v.GridPolicy(server=v.ServerPolicy(trust=fails)))),
    "observe": (grid, dict(observe=fails, keep_events=True)),
    "progress": (grid, dict(progress=fails)),
    "schedule": (grid, dict(policy=v.GridPolicy(hosts=v.Policy(schedule=fails)))),
    "fetch": (grid, dict(policy=v.GridPolicy(hosts={0: v.Policy(fetch=fails)}))),
}


@pytest.mark.parametrize("name", FAILING)
def test_an_exception_ends_the_emulation_and_comes_out_as_it_is(name):
    base, how = FAILING[name]
    with pytest.raises(Failure) as caught:
        v.emulate_grid(base(days=1), **how)
    functions = [frame.name for frame in traceback.extract_tb(caught.value.__traceback__)]
    assert functions[-1] == "fails" and "emulate_grid" in functions
    assert any(function in functions for function in (f"call_{name}", f"call_grid_{name}"))
    assert caught.value.__context__ is None and caught.value.__cause__ is None


def emulate_failing(what, server):
    """The outcome under a policy that fails now and then, about which there is a warning."""
    with pytest.warns(RuntimeWarning, match="the policy failed at [0-9]+ decisions, first at") as warned:
        found = v.emulate_grid(what, policy=v.GridPolicy(server=server))
    assert len(warned) == 1 and warned[0].filename == __file__
    assert sum(project.failed_decisions for project in found.projects) >= len(found.failures) > 0
    return found


class Garbled(BuiltIn):
    """Cannot read the results of one unit in ten, or only the third time."""

    def __init__(self, most=None):
        super().__init__()
        self.most, self.tries = most, {}

    def validate(self, situation, unit, results, classes):
        self.tries[unit.id] = self.tries.get(unit.id, 0) + 1
        if unit.id % 10 == 0 and (self.most is None or self.tries[unit.id] <= self.most):
            raise ValueError(f"unit {unit.id}\nis garbled")
        return super().validate(situation, unit, results, classes)


def test_what_cannot_be_compared_costs_that_unit_alone():
    usual = v.emulate_grid(grid(days=2)).projects[0]
    found = emulate_failing(grid(days=2), Garbled())
    project = found.projects[0]
    assert project.waiting > 20 and project.failed == 0
    assert project.done + project.waiting >= usual.done * 0.9
    assert {failure.unit % 10 for failure in found.failures} == {0}
    first = found.failures[0]
    assert (first.decision, first.project, first.host) == ("validate", 0, v.NONE)
    assert first.error == f"ValueError: unit {first.unit} is garbled"
    assert [failure.time for failure in found.failures] == sorted(failure.time for failure in found.failures)
    assert not v.emulate_grid(grid(days=2), policy=v.GridPolicy(server=BuiltIn())).failures


def test_what_passes_is_tried_again():
    found = emulate_failing(grid(days=2), Garbled(2))
    assert found.projects[0].waiting == 0 and found.projects[0].done > 100
    of_ten = [failure.time for failure in found.failures if failure.unit == 10]
    assert len(of_ten) == 2 and of_ten[1] - of_ten[0] == 60


def test_a_policy_may_say_what_a_result_fails_at():
    class Careful(BuiltIn):
        """Unit 1 is put off, and of unit 2 the first result cannot be compared."""

        def validate(self, situation, unit, results, classes):
            if unit.id == 1:
                classes = [v.CLASS_LATER] * len(classes)
            if unit.id == 2:
                classes[0] = v.CLASS_FAILED
            return super().validate(situation, unit, results, classes)

    usual = v.emulate_grid(grid(days=2, max_error=2, max_total=9)).projects[0]
    found = v.emulate_grid(grid(days=2, max_error=2, max_total=9), policy=v.GridPolicy(server=Careful()))
    project = found.projects[0]
    assert (project.waiting, project.failed_decisions, found.failures) == (1, 8, [])
    assert project.invalid == usual.invalid + 1 and project.failed == usual.failed


def test_other_decisions_fail_for_one_host():
    class Forgetful(BuiltIn):
        """Knows nothing of one host in five."""

        def dispatch(self, situation, jobs):
            if situation.host % 5 == 0:
                raise KeyError(situation.host)
            return super().dispatch(situation, jobs)

        def trust(self, situation, trust, u):
            if situation.host % 5 == 0:
                raise KeyError(situation.host)
            return False

    found = emulate_failing(by_reply(), Forgetful())
    assert {failure.host for failure in found.failures} == {0, 5} and found.projects[0].done > 100
    assert found.hosts[0].reported == found.hosts[5].reported == 0 < found.hosts[1].reported
    doubted = emulate_failing(grid(verification=v.GRID_CHECK_ADAPTIVE), Forgetful()).projects[0]
    assert 0 < doubted.failed_decisions and doubted.valid > doubted.done


def test_a_policy_that_mostly_fails_ends_the_emulation():
    class Broken(BuiltIn):
        """Works at first."""

        failed = set()

        def validate(self, situation, unit, results, classes):
            decided = super().validate(situation, unit, results, classes)
            if self.asked["validate"] > 30:
                self.failed.add(unit.id)
                raise Failure("enough")
            return decided

    broken = Broken()
    with pytest.raises(Failure, match="enough"):
        v.emulate_grid(grid(), policy=v.GridPolicy(server=broken))
    assert len(broken.failed) == 16  # of the last twenty, four in five


def test_records_of_a_newer_library_are_read_and_written_one_after_the_other():
    from vcsched import grid_policy
    from vcsched.library import ffi
    size, longer = v.Result._size, v.Result._size + 16
    memory = ffi.new("char[]", 2 * longer)
    for index in range(2):
        ffi.memmove(memory + index * longer, bytes(v.Result(id=index + 5)), size)
    results = ffi.new("vcs_array *", {"base": memory, "element_size": longer, "count": 2})
    assert [result.id for result in grid_policy.results_of(results)] == [5, 6]
    size, longer = v.Change._size, v.Change._size + 8
    memory, count = ffi.new("char[]", b"x" * 2 * longer), ffi.new("uint32_t *")
    changes = [v.Change(kind=1, integer=3), v.Change(field=2, result=4)]
    room = ffi.new("vcs_array *", {"base": memory, "element_size": longer, "count": 2})
    grid_policy.write_changes(changes, room, count)
    written = bytes(ffi.buffer(memory, 2 * longer))
    assert written == b"".join(bytes(change) + bytes(8) for change in changes) and count[0] == 2


def test_ctrl_c_reaches_a_grid_without_functions():
    program = ("import os, signal, threading, vcsched as v\n"
               "begun = threading.Event()\n"
               "host = v.HostClass(v.Scenario([v.Resource(flops=1e9)]), v.HostModel(count=100))\n"
               "threading.Thread(target=lambda: (begun.wait(), os.kill(os.getpid(), signal.SIGINT)),"
               " daemon=True).start()\n"
               "from vcsched import grid_emulation\n"
               "usual = grid_emulation._nothing\n"
               "def nothing(done):\n    begun.set()\n    usual(done)\n"
               "grid_emulation._nothing = nothing\n"
               "try:\n    v.emulate_grid(v.Grid([v.GridProject()], [host], v.GridTerms(duration=1e9)))\n"
               "except KeyboardInterrupt:\n    print('interrupted')\n")
    ended = subprocess.run([sys.executable, "-c", program], check=False, capture_output=True, text=True,
                           env={**os.environ, "PYTHONPATH": os.path.dirname(os.path.dirname(v.__file__))})
    assert (ended.stdout, ended.stderr, ended.returncode) == ("interrupted\n", "", 0)


def test_hundreds_of_failing_runs_leave_nothing_behind_flat():
    def many(rounds):
        for number in range(rounds):
            base, how = list(FAILING.values())[number % len(FAILING)]
            with pytest.raises(Failure):
                v.emulate_grid(base(days=1), **how)

    many(14)
    gc.collect()
    objects, before = len(gc.get_objects()), memory_in_use()
    gc.disable()  # nothing may depend on it
    try:
        many(350)
        assert abs(len(gc.get_objects()) - objects) < 200
    finally:
        gc.enable()
    assert memory_in_use() - before < 300000
