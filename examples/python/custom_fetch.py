#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares a custom rule for fetching work with the rules of the library, as a table of figures of merit.

    custom_fetch.py [SCENARIO.ini] [SEEDS]

Without a scenario, it is a host with two CPUs that is on for 80 % of the time, and two projects: jobs of 3 hours that
are due in 11, and jobs of a day that are due in 6.
"""

import sys
from concurrent.futures import ThreadPoolExecutor

import vcsched as v

DAY = 86400.0
FIGURES = ("waste", "idleness", "share_violation", "rpcs_per_job")


class OneEach:
    """One job for each idle instance and none in store, of the project that has got the least for its share."""

    def fetch(self, situation, question):
        if question.purpose == v.FETCH_PIGGYBACK:
            return v.Asking()
        idle = situation.resources[0].instances - len(situation.tasks)
        ready = [number for number, project in enumerate(situation.projects)
                 if project.share > 0 and project.min_rpc_time <= situation.now]
        if idle <= 0 or not ready:
            return v.Asking(next_check=600)
        projects = situation.projects
        owed = min(ready, key=lambda number: projects[number].rec / projects[number].share)
        return v.Asking([v.Request(owed, seconds=1, instances=idle)], next_check=600)


def default_scenario():
    return v.Scenario(
        resources=[v.Resource(instances=2, flops=1e9)],
        projects=[v.Project(id=0, share=100), v.Project(id=1, share=100)],
        apps=[v.App(id=0, project=0), v.App(id=1, project=1)],
        models=[v.JobModel(latency_bound=40000, est_flops=1e13, sd_flops=3e12),
                v.JobModel(latency_bound=500000, est_flops=8e13, sd_flops=2e13)],
        emulation=v.Emulation(duration=30 * DAY, available=0.8, available_mean=3600))


def rules(scenario, seeds, executor):
    """The name of each rule, and its outcome."""
    built_in = v.sweep(scenario, {"work_fetch": ["wf1", "wf2", "current", "original"]}, seeds=seeds, executor=executor)
    for point in built_in.points:
        yield point.values["work_fetch"], point
    yield "one each", v.sweep(scenario, seeds=seeds, policy=lambda seed: OneEach(), executor=executor).points[0]


def cell(figure):
    if figure.mean is None:
        return "undefined"
    return f"{figure.mean:.4f}" + ("" if figure.error is None else f" +-{figure.error:.4f}")


def main(path=None, seeds=3):
    scenario = default_scenario() if path is None else v.Scenario.read(path)
    print(f"{'':10}" + "".join(f"{figure:>20}" for figure in FIGURES))
    with ThreadPoolExecutor() as executor:
        for name, point in rules(scenario, int(seeds), executor):
            print(f"{name:10}" + "".join(f"{cell(point.figures[figure]):>20}" for figure in FIGURES))


if __name__ == "__main__":
    if len(sys.argv) > 3:
        sys.exit("usage: custom_fetch.py [SCENARIO.ini] [SEEDS]")
    main(*sys.argv[1:])
