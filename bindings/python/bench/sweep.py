#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What two processes gain for a sweep with a policy in Python, and what they cost.

    PYTHONPATH=FOLDER_OF_THE_INSTALLED_PACKAGE sweep.py [ROUNDS]

Time is the least of many rounds, the two in turn. On a machine that is busy with other work it says nothing; then CPU
time does. Two free processors share all of it, so that two workers are faster by CPU time of one / (CPU time of the
workers and of the process that hands out / 2); with a third processor the last does not count.
"""

import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import vcsched as v

DAY = 86400.0


class Asks:
    """Lets the library decide, by way of Python."""

    def __init__(self, seed):
        pass

    def fetch(self, situation, question):
        return situation.state.fetch(question)


def scenario():
    return v.Scenario(
        resources=[v.Resource(instances=2, flops=1e9)], projects=[v.Project(id=0), v.Project(id=1)],
        apps=[v.App(id=0), v.App(id=1, project=1)],
        models=[v.JobModel(latency_bound=40000, est_flops=1e13, sd_flops=3e12),
                v.JobModel(latency_bound=500000, est_flops=8e13, sd_flops=2e13)],
        emulation=v.Emulation(duration=30 * DAY, available=0.8, available_mean=3600))


def sweep(executor=None):
    """The sweep, its time, and the CPU time of this process."""
    before, cpu = time.perf_counter(), time.process_time()
    found = v.sweep(scenario(), {"min_buffer": [3600, 7200, 14400, 28800]}, seeds=50, policy=Asks, executor=executor)
    return found, time.perf_counter() - before, time.process_time() - cpu


def cpu_of(process):
    """CPU time of another process, s."""
    with open(f"/proc/{process}/stat", encoding="ascii") as stream:
        user, system = stream.read().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def main(rounds=5):
    one, two, cpu_one, cpu_workers, cpu_handing = ([] for _ in range(5))
    with ProcessPoolExecutor(2, mp_context=get_context("forkserver")) as executor:
        expected = sweep(executor)[0]  # the workers have begun
        workers = list(executor._processes)
        for _ in range(rounds):
            found, seconds, cpu = sweep()
            one.append(seconds)
            cpu_one.append(cpu)
            before = sum(map(cpu_of, workers))
            again, seconds, cpu = sweep(executor)
            two.append(seconds)
            cpu_workers.append(sum(map(cpu_of, workers)) - before)
            cpu_handing.append(cpu)
            assert found == again == expected
    print(f"{len(expected.runs)} emulations; time: one {min(one):.2f} s, two {min(two):.2f} s: "
          f"{min(one) / min(two):.2f}")
    print(f"CPU time: one {min(cpu_one):.2f} s; two workers {min(cpu_workers):.2f} s, handing out "
          f"{min(cpu_handing):.3f} s: {2 * min(cpu_one) / (min(cpu_workers) + min(cpu_handing)):.2f}, with a third "
          f"processor {2 * min(cpu_one) / min(cpu_workers):.2f}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
