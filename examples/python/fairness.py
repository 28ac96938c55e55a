#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How far one CPU keeps to the shares of its projects, by the half-life of recent work: a chart.

    fairness.py [FIGURE.png [DAYS]]

Each project always has a task. Every hour the choice is made again, and the projects that ran are charged for it. The
chart is text; with the name of a file it is also drawn there, which needs matplotlib.
"""

import sys

import vcsched as v

SHARES = [10.0, 20.0, 70.0]
HOUR, DAY = 3600.0, 86400.0
FLOPS = 1e9
HALF_LIVES = [0.1, 0.3, 1.0, 3.0, 10.0, 30.0]
BAR = 60


def share_violation(half_life, days):
    """The part of the time that projects got beyond their share: 0 = best."""
    parameters = v.Parameters(rec_half_life=half_life, period=HOUR)
    averages, hours = [v.Average() for _ in SHARES], [0] * len(SHARES)
    for hour in range(int(days * 24)):
        now = hour * HOUR
        projects = [v.Project(id=i, share=share, rec=averages[i].value) for i, share in enumerate(SHARES)]
        tasks = [v.Task(id=i, project=i, remaining=DAY) for i in range(len(SHARES))]
        state = v.State(resources=[v.Resource(flops=FLOPS)], projects=projects, tasks=tasks, parameters=parameters,
                        now=now)
        state.wrr()
        for i, decision in enumerate(state.schedule().tasks):
            hours[i] += decision.run
            averages[i].blend(v.credits(FLOPS * HOUR) if decision.run else 0.0, half_life, now + HOUR)
    return sum(max(0.0, got / sum(hours) - share / sum(SHARES)) for got, share in zip(hours, SHARES))


def print_chart(violations, days):
    print(f"share violation after {days:g} days, by the half-life of recent work")
    for half_life, violation in zip(HALF_LIVES, violations):
        bar = "#" * round(BAR * violation / max(violations))
        print(f"{half_life:5g} days {violation:7.4f} {bar}".rstrip())


def draw_figure(path, violations, days):
    import matplotlib
    matplotlib.use("Agg")  # a backend without a screen
    import matplotlib.pyplot as plt

    plt.semilogx(HALF_LIVES, violations, "o-")
    plt.xlabel("half-life of recent work, days")
    plt.ylabel(f"share violation after {days:g} days")
    plt.savefig(path)


def main(figure=None, days=10.0):
    violations = [share_violation(days_of * DAY, days) for days_of in HALF_LIVES]
    print_chart(violations, days)
    if figure is not None:
        try:
            draw_figure(figure, violations, days)
        except ImportError:
            sys.exit(f"{figure} is not drawn: matplotlib is not installed")


if __name__ == "__main__":
    if len(sys.argv) > 3:
        sys.exit("usage: fairness.py [FIGURE.png [DAYS]]")
    main(*sys.argv[1:2], *map(float, sys.argv[2:]))
