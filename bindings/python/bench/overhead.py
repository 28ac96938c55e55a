#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What Python costs on top of the library: one scalar call, and a plan of 1,000 tasks held in NumPy.

    PYTHONPATH=FOLDER_OF_THE_INSTALLED_PACKAGE overhead.py

The plan is compared with the same calls on the same memory, made one after the other without what Python adds.
"""

import timeit

import vcsched as v
from vcsched.library import ffi, lib


def best(work, number, repeats=15):
    """Seconds of one call, in the best of several rounds."""
    return min(timeit.repeat(work, number=number, repeat=repeats)) / number


def scalar_calls():
    average, terms = v.Average(), v.BackoffRange()
    yield "Average.add", best(lambda: average.add(1e-5, 1.0, 1.0), 100000)
    yield "backoff", best(lambda: v.backoff(terms, 3, 0.5), 100000)
    yield "credits", best(lambda: v.credits(1e9), 100000)


def plan_records(count):
    tasks = v.Task.array(count)
    tasks["id"] = range(count)
    tasks["project"] = [number % 20 for number in range(count)]
    tasks["remaining"] = [600.0 + 977 * number % 7200 for number in range(count)]
    tasks["deadline"] = [86400.0 * (1 + number % 9) for number in range(count)]
    return dict(resources=[v.Resource(instances=16, flops=1e9)],
                projects=[v.Project(id=number, share=1.0 + number) for number in range(20)], tasks=tasks,
                parameters=v.Parameters())


def library_alone(state):
    """The five calls of a plan without reading what they answer."""
    def work():
        lib.vcs_wrr(state._c, ffi.NULL)
        lib.vcs_edf(state._c, 0, ffi.NULL)
        lib.vcs_schedule(state._c, ffi.NULL)
        lib.vcs_fetch(state._c, ffi.NULL, ffi.NULL)

    return work


def main():
    for name, seconds in scalar_calls():
        print(f"{name:12} {seconds * 1e9:8.0f} ns")
    records = plan_records(1000)
    whole = best(lambda: v.plan(**records), 50)
    decisions = best(library_alone(v.State(**records)), 50)
    print(f"plan of 1,000 tasks {whole * 1e6:8.1f} us; its decisions alone, without preparing and reading, "
          f"{decisions * 1e6:.1f} us: {whole / decisions:.2f} times as long")


if __name__ == "__main__":
    main()
