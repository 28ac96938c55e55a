# SPDX-License-Identifier: MIT
"""What the tests of sweeps emulate: a small scenario, and policies that remember and draw at random."""

from __future__ import annotations

import random

import vcsched as v

TEXT = """[host]
cpus = 2
flops = 1e9
available = 0.8
available_mean = 3600
[client]
profile = study2007
[project P]
[project Q]
share = 50
[app P/A]
est_flops = 1e13
sd_flops = 3e12
latency_bound = 40000
[app Q/B]
est_flops = 8e13
latency_bound = 500000
[emulation]
duration = 2e5
seed = 5
"""
GRID = {"min_buffer": [3600, 36000], "app.P/A.latency_bound": [20000.0, 80000.0]}


def scenario():
    """Two CPUs and two projects, for a little more than two days."""
    return v.Scenario.parse(TEXT)


class Moody:
    """Fetches one job at a time, of a project and for a time that depend on all that it was asked before. If one object
    went from run to run, the outcome would depend on the order of the runs."""

    def __init__(self, seed, most=1):
        self.draws = random.Random(seed)
        self.most = most

    def fetch(self, situation, question):
        wait = self.draws.uniform(300, 900)
        if len(situation.tasks) > self.most or question.purpose == v.FETCH_PIGGYBACK:
            return v.Asking(next_check=wait)
        return v.Asking([v.Request(self.draws.randrange(2), seconds=1.0)], next_check=wait)


class Interrupting:
    """Ctrl-C, as it reaches a worker, in the emulation with this seed."""

    def __init__(self, seed, at=7):
        self.interrupts = seed == at

    def fetch(self, situation, question):
        if self.interrupts:
            raise KeyboardInterrupt
        return situation.state.fetch(question)


class Failing:
    """An error in the emulation with this seed."""

    def __init__(self, seed, at=7):
        self.fails = seed == at

    def fetch(self, situation, question):
        if self.fails:
            raise ZeroDivisionError("here")
        return situation.state.fetch(question)
