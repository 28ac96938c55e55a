#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What Python costs on top of the library: scalar calls, a plan of 1,000 tasks held in NumPy, and an emulation.

    PYTHONPATH=FOLDER_OF_THE_INSTALLED_PACKAGE overhead.py [ROUNDS]

Beside each stands the same done by the bare functions of the library, on the same memory, without what the package
adds; only the step from the interpreter into C, 100 to 200 ns, is in both. Each figure is the least of many rounds,
the two in turn, so that other work on the machine disturbs both alike, or neither.
"""

import sys
import time

import vcsched as v
from vcsched.library import ffi, lib
from vcsched.scenario import Laid

DAY = 86400.0


def best_of_each(works, calls, rounds):
    """Seconds of one call of each, in the best round."""
    least = [float("inf")] * len(works)
    for _ in range(rounds):
        for number, work in enumerate(works):
            before = time.perf_counter()
            for _ in range(calls):
                work()
            least[number] = min(least[number], (time.perf_counter() - before) / calls)
    return least


# ---- What is measured: name, calls a round, by the package, by the bare functions ----


def scalar_calls():
    average, terms = v.Average(), v.BackoffRange()
    add, credits, backoff = average.add, v.credits, v.backoff
    answer, range_c, average_c = ffi.new("double *"), terms._c, average._c
    bare_backoff, bare_credits, bare_add = lib.vcs_backoff, lib.vcs_credits, lib.vcs_average_add
    yield "backoff", 5000, lambda: backoff(3, terms, 0.5), lambda: bare_backoff(3, range_c, 0.5, answer)
    yield "credits", 5000, lambda: credits(1e9), lambda: bare_credits(1e9, answer)
    yield "Average.add", 5000, lambda: add(1.0, 1e-5, 1.0), lambda: bare_add(average_c, 1.0, 1e-5, 1.0)


def plan_records(count):
    tasks = v.Task.array(count)
    tasks["id"] = range(count)
    tasks["project"] = [number % 20 for number in range(count)]
    tasks["remaining"] = [600.0 + 977 * number % 7200 for number in range(count)]
    tasks["deadline"] = [DAY * (1 + number % 9) for number in range(count)]
    projects = v.Project.array(20)
    projects["id"], projects["share"] = range(20), range(1, 21)
    resources = v.Resource.array(1)
    resources["instances"], resources["flops"] = 16, 1e9
    return dict(resources=resources, projects=projects, tasks=tasks, parameters=v.Parameters())


def bare_plan(resources, projects, tasks, parameters):
    """Prepares a state, decides, and reads all that was decided, in memory that is there already."""
    host = v.Host.records(1)
    held = [(host._base, v.Host._size, 1), *((ffi.from_buffer(kind._array, array), kind._size, len(array))
                                             for kind, array in ((v.Resource, resources), (v.Project, projects))),
            (ffi.NULL, v.ProjectResource._size, 0), (ffi.NULL, v.App._size, 0),
            (ffi.from_buffer(v.Task._array, tasks), v.Task._size, len(tasks)), (ffi.NULL, v.Task._size, 0)]
    view = ffi.new("vcs_snapshot *", (ffi.sizeof("vcs_snapshot"), 0, *(
        {"base": base, "element_size": size, "count": count} for base, size, count in held)))
    size, state = ffi.new("size_t *"), ffi.new("vcs_state **")
    lib.vcs_state_size(view, size)
    work = ffi.new("uint64_t[]", size[0] // 8)
    counts = {"tasks": len(tasks), "resources": len(resources), "project_resources": len(resources) * len(projects)}
    steps = [(lib.vcs_wrr, (), {"tasks": v.TaskForecast, "resources": v.ResourceForecast,
                                "project_resources": v.ProjectResourceForecast}),
             (lib.vcs_edf, (0,), {"tasks": v.EdfTask, "resources": v.EdfResource}),
             (lib.vcs_schedule, (0,), {"tasks": v.TaskDecision, "resources": v.ResourceDecision}),
             (lib.vcs_fetch, (ffi.NULL,), {"project_resources": v.FetchDecision})]
    names = ("wrr", "edf", "schedule", "fetch")
    reads = [[(getattr(lib, f"vcs_{name}_{part}"), kind.records(counts[part])._base, kind._size, counts[part])
              for part, kind in parts.items()] for name, (_, _, parts) in zip(names, steps)]

    def work_through():
        lib.vcs_state_prepare(view, parameters._c, 0.0, work, size[0], state, ffi.NULL)
        for (decide, arguments, _), parts in zip(steps, reads):
            decide(state[0], *arguments, ffi.NULL)
            for read, out, element, count in parts:
                read(state[0], out, element, count)

    return work_through


def plans():
    records = plan_records(1000)
    yield "plan of 1,000 tasks", 1, lambda: v.plan(**records), bare_plan(**records)


def emulations():
    scenario = v.Scenario(
        resources=[v.Resource(instances=2, flops=1e9)],
        projects=[v.Project(id=0, share=100), v.Project(id=1, share=100)], apps=[v.App(id=0), v.App(id=1, project=1)],
        models=[v.JobModel(latency_bound=40000, est_flops=1e13, sd_flops=3e12),
                v.JobModel(latency_bound=500000, est_flops=8e13, sd_flops=2e13)],
        emulation=v.Emulation(duration=10 * DAY, available=0.8, available_mean=3600))
    laid, parameters = Laid(scenario, scenario.course), scenario.policy
    outcome, projects = v.Outcome._blank(), v.ProjectOutcome.records(2)

    def bare(hooks=ffi.NULL):
        lib.vcs_emulate(laid.c, parameters._c, hooks, outcome._c, projects._base, v.ProjectOutcome._size, 2,
                        ffi.NULL, 0, 0, ffi.NULL)

    own = v.Policy(schedule=lambda situation: situation.state.schedule(),
                   fetch=lambda situation, question: situation.state.fetch(question))
    yield "emulation of 10 days", 1, lambda: v.emulate(scenario), bare
    yield "  its events kept", 1, lambda: v.emulate(scenario, keep_events=True), bare
    yield "  decisions by Python", 1, lambda: v.emulate(scenario, policy=own), bare


def main(rounds=100):
    print(f"{'':24} {'Python':>12} {'library':>12} {'ratio':>7}")
    for measured in (scalar_calls, plans, emulations):
        for name, calls, package, bare in measured():
            seconds, alone = best_of_each([package, bare], calls, rounds)
            print(f"{name:24} {seconds * 1e6:9.2f} us {alone * 1e6:9.2f} us {seconds / alone:7.3f}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
