#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Is a quorum of two better, or adaptive replication, if one host in a hundred cheats? A table with standard errors.

    replication.py [HOSTS] [SEEDS]

A cheating host returns a wrong result for one job in ten, so that it can gain trust; all of them return the same one.
"A fifth" is a rule of its own in the place of the library's: also of a trusted host a fifth of the results is checked.
"""

import sys
from concurrent.futures import ThreadPoolExecutor

import vcsched as v

DAY = 86400.0


class AFifth:
    """A server that never trusts a host more than four results out of five."""

    def trust(self, situation, trust, u):
        return u < 0.2 or trust.needs_copy(u).needed


def grid(hosts):
    host = v.Scenario(
        resources=[v.Resource(instances=4, flops=4e9)],
        emulation=v.Emulation(available=0.5, available_mean=8 * 3600),
        parameters=v.Parameters("current", min_buffer=DAY / 10, additional_buffer=DAY / 10))
    return v.Grid(
        projects=[v.GridProject(est_flops=4e9 * 4 * 3600, delay_bound=3 * DAY)],
        classes=[v.HostClass(host, v.HostModel(count=hosts, speed_sd=0.5, no_reply=0.02, saboteurs=0.01, sabotage=0.1,
                                               flags=v.HOSTS_COLLUDE))],
        terms=v.GridTerms(duration=20 * DAY))


def designs(hosts, seeds, executor):
    """The name of each design, and its figures."""
    built_in = [{"label.design": "one copy", "server.min_quorum": 1, "server.verification": "none"},
                {"label.design": "quorum 2", "server.min_quorum": 2, "server.verification": "none"},
                {"label.design": "adaptive", "server.min_quorum": 1, "server.verification": "adaptive"}]
    for point in v.sweep(grid(hosts), points=built_in, seeds=seeds, executor=executor).points:
        yield point.values["label.design"], point.figures
    own = v.sweep(grid(hosts), points=built_in[-1:], seeds=seeds, executor=executor,
                  policy=lambda seed: v.GridPolicy(server=AFifth()))
    yield "a fifth", own.points[0].figures


def cell(figure, unit=1.0):
    return f"{figure.mean / unit:.1f}" + ("" if figure.error is None else f" +-{figure.error / unit:.1f}")


def main(hosts=200, seeds=4):
    print(f"{'':10}{'units done':>20}{'wrong accepted':>20}{'95 % within, h':>20}")
    with ThreadPoolExecutor() as executor:
        for name, figures in designs(int(hosts), int(seeds), executor):
            done, wrong, turnaround = (
                figures[f"project.0.{field}"] for field in ("done", "wrong_accepted", "turnaround_p95"))
            print(f"{name:10}{cell(done):>20}{cell(wrong):>20}{cell(turnaround, 3600.0):>20}")


if __name__ == "__main__":
    if len(sys.argv) > 3:
        sys.exit("usage: replication.py [HOSTS] [SEEDS]")
    main(*sys.argv[1:])
