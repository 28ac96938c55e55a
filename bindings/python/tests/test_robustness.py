# SPDX-License-Identifier: MIT
"""Threads, other processes, the interpreter's end, and memory over many calls."""

from __future__ import annotations

import gc
import multiprocessing
import os
import subprocess
import sys
import threading

import pytest

from conftest import PACKAGE, memory_in_use

pytest.importorskip("vcsched.library", reason="needs the compiled part")
import vcsched as v  # noqa: E402 - only with the compiled part

HOST = [v.Resource(instances=4, flops=1e9)]
PROJECTS = [v.Project(id=number, share=10.0 * (number + 1)) for number in range(5)]
TASKS = v.Task.records(300)
for _number, _task in enumerate(TASKS):
    _task.id, _task.project, _task.remaining, _task.deadline = _number, _number % 5, 100.0 + _number, 9000.0


def plan():
    return bytes(v.plan(resources=HOST, projects=PROJECTS, tasks=TASKS).schedule.tasks)


def test_eight_threads_on_states_of_their_own():
    expected = plan()
    found = []

    def work():
        found.extend(plan() for _ in range(25))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 200 and set(found) == {expected}


def test_another_process_decides_alike():
    # Not by fork: other threads may hold locks then, and the child would wait for them for ever.
    with multiprocessing.get_context("forkserver").Pool(2) as pool:
        assert set(pool.starmap(plan, [()] * 8)) == {plan()}


FORKING = """
import os
import vcsched as v


def plan():
    return bytes(v.plan(resources=[v.Resource(instances=2, flops=1e9)], projects=[v.Project()],
                        tasks=[v.Task(id=1, remaining=60.0), v.Task(id=2, remaining=90.0)]).schedule.tasks)


expected = plan()
child = os.fork()
if child == 0:
    os._exit(0 if plan() == expected else 1)
assert os.waitpid(child, 0)[1] == 0 and plan() == expected
"""


def test_a_forked_process_decides_alike():
    # In a program that has one thread alone.
    ended = subprocess.run([sys.executable, "-c", FORKING], cwd=PACKAGE, check=False, capture_output=True, text=True)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")


def test_the_interpreter_ends_while_states_and_arrays_live():
    program = ("import sys, vcsched as v\n"
               "state = v.State(resources=[v.Resource(instances=1, flops=1e9)])\n"
               "kept = state.wrr(), v.Task.records(10)[3], v.RpcProject().timer\n"
               "kept += (kept[0].resources.array,) if 'numpy' in sys.argv else ()\n"
               "sys.modules['kept'] = kept\n")
    for argument in ("plain", "numpy"):
        if argument == "numpy":
            pytest.importorskip("numpy")
        ended = subprocess.run([sys.executable, "-c", program, argument], cwd=PACKAGE, check=False,
                               capture_output=True, text=True)
        assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")


EMULATING = """
import sys, threading
import vcsched as v
scenario = v.Scenario(resources=[v.Resource(flops=1e9)], projects=[v.Project()], apps=[v.App()],
                      models=[v.JobModel(latency_bound=1e6, est_flops=1e12)], emulation=v.Emulation(duration=1e11))
begun = threading.Event()
policy = v.Policy(schedule=lambda situation: begun.set() or situation.state.schedule())
observe = None if sys.argv[1] == "alone" else lambda event: None
if observe is None:
    policy = None
    begun.set()
threading.Thread(target=v.emulate, args=(scenario,), kwargs=dict(policy=policy, observe=observe), daemon=True).start()
begun.wait()
# Threads of Python take turns so quickly that the other one is in the library before the loop ends.
sys.setswitchinterval(1e-6)
for _ in range(1000000):
    pass
"""


@pytest.mark.parametrize("calls_python", ["alone", "with functions of Python"])
def test_the_interpreter_goes_on_and_ends_while_a_thread_emulates(calls_python):
    # If the emulation kept the interpreter's lock, the main thread would get no further before 3000 years are over.
    ended = subprocess.run([sys.executable, "-c", EMULATING, calls_python], cwd=PACKAGE, check=False,
                           capture_output=True, text=True)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")


ARITHMETIC = "OTHER_ARITHMETIC_LIBRARY"
DECIDING = """
import vcsched as v
plan = v.plan(resources=[v.Resource(flops=1e9)], projects=[v.Project()], tasks=[v.Task(remaining=60)])
print(plan.wrr.tasks[0].finish)
"""


def decided_with(arithmetic):
    """How a process ends that computes in this way."""
    return subprocess.run([sys.executable, "-c", DECIDING], cwd=PACKAGE, check=False, capture_output=True, text=True,
                          env={**os.environ, "LD_PRELOAD": os.environ[ARITHMETIC], "OTHER_ARITHMETIC": arithmetic})


@pytest.mark.skipif(ARITHMETIC not in os.environ, reason="not on this processor")
def test_where_numbers_are_rounded_otherwise_the_package_cannot_be_imported():
    ended = decided_with("upward")
    assert ended.returncode == 1
    assert ended.stderr.splitlines()[-1] == ("ImportError: libvcsched decides otherwise here than elsewhere: rounding "
                                             "is not to nearest in this thread")


@pytest.mark.skipif(ARITHMETIC not in os.environ, reason="not on this processor")
def test_where_denormal_numbers_are_flushed_it_decides_as_elsewhere():
    # What a shared object compiled with -Ofast does to the thread that loads it.
    ended = decided_with("flush")
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "60.0\n", "")


def test_memory_stays_flat():
    pytest.importorskip("numpy")
    average, terms = v.Average(), v.BackoffRange()

    def many(rounds):
        for number in range(rounds):
            average.blend(1.0, 1e5, float(number))
            v.backoff(3, terms, 0.5)
            if number % 100 == 0:
                state = v.State(resources=HOST, projects=PROJECTS, tasks=TASKS)
                state.wrr()
                state.wrr().tasks.array.sum
                with pytest.raises(v.VcsError):
                    state.admit(99)
                with pytest.raises(TypeError):
                    v.credits("")

    def in_use():
        gc.collect()
        return memory_in_use(), sys.getallocatedblocks()

    many(2000)
    bytes_before, blocks_before = in_use()
    many(20000)
    bytes_after, blocks_after = in_use()
    # 40,000 calls that kept 100 bytes each would take 4,000,000; one object of each state, 200 blocks.
    assert bytes_after - bytes_before < 100000 and blocks_after - blocks_before < 150
