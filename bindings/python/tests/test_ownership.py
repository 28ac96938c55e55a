# SPDX-License-Identifier: MIT
"""What belongs to one thread at a time: a second one gets an exception, not somebody else's memory. Copies."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
import threading

import pytest

from conftest import PACKAGE

pytest.importorskip("vcsched.library", reason="needs the compiled part")
import vcsched as v  # noqa: E402 - only with the compiled part

HOST = [v.Resource(instances=1, flops=1e9)]
TASKS = [v.Task(id=1, remaining=60.0), v.Task(id=2, remaining=90.0), v.Task(id=3, remaining=30.0)]


def state():
    return v.State(resources=HOST, projects=[v.Project()], tasks=TASKS,
                   candidates=[v.Task(id=number, remaining=100.0, deadline=1e6) for number in (8, 9)])


def index():
    return v.DispatchIndex([v.Client(id=1), v.Client(id=2)],
                           [v.DispatchJob(id=number, complexity=1.0) for number in range(3)])


# Two threads ask again and again until one has been refused. Each is in the library most of the time, without the
# interpreter's lock. In a process of its own, for without ownership it ends in a crash or never.
TOGETHER = """
import sys, threading
import vcsched as v

tasks = v.Task.records(2000)
for number, task in enumerate(tasks):
    task.id, task.project, task.remaining, task.deadline = number, number % 20, 100.0 + number % 7, 9e3
host = dict(resources=[v.Resource(instances=8, flops=1e9)],
            projects=[v.Project(id=number) for number in range(20)], tasks=tasks)
clients = [v.Client(id=number) for number in range(1000)]
jobs = [v.DispatchJob(id=number, complexity=1.0) for number in range(1000)]


def ask_a_state():
    state = v.State(**host)
    expected = bytes(state.wrr().tasks)

    def ask():
        assert bytes(state.wrr().tasks) == expected
        state.edf(v.EDF_ALL)
        state.schedule()
        state.fetch()

    return ask


def ask_an_index():
    index = v.DispatchIndex(clients, jobs)

    def ask():
        for number in range(1000):
            index.set_client(number, clients[number])
            index.next(number, 0.0)

    return ask


refused, unexpected = threading.Event(), []


def work(ask):
    while not refused.is_set() and not unexpected:
        try:
            ask()
        except RuntimeError as error:
            print(error)
            refused.set()
        except BaseException as error:
            unexpected.append(error)


sys.setswitchinterval(1e-6)
ask = globals()[sys.argv[1]]()
threads = [threading.Thread(target=work, args=(ask,)) for _ in range(2)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert not unexpected, unexpected
ask()  # it can be used again
"""


@pytest.mark.parametrize("what, kind", [("ask_a_state", "State"), ("ask_an_index", "DispatchIndex")])
def test_a_second_thread_is_refused(what, kind):
    ended = subprocess.run([sys.executable, "-c", TOGETHER, what], cwd=PACKAGE, check=False, capture_output=True,
                           text=True)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert set(ended.stdout.splitlines()) == {f"{kind}: another thread is using it; it belongs to one thread at a time"}


def in_another_thread(work):
    """What it raises there; None if nothing."""
    raised = []

    def run():
        try:
            work()
        except Exception as error:  # whatever it is
            raised.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    return raised[0] if raised else None


def test_while_one_thread_owns_a_state_another_can_ask_nothing_of_it():
    shared = state()
    shared.wrr()
    with shared._own:
        for work in (shared.wrr, shared.edf, shared.schedule, shared.fetch, shared.copy, lambda: shared.admit(0),
                     lambda: v.send(shared, [], [])):
            assert isinstance(in_another_thread(work), RuntimeError)
        shared.wrr()  # the owner goes on
    assert in_another_thread(shared.wrr) is None


def test_while_one_thread_owns_an_index_another_can_ask_nothing_of_it():
    shared = index()
    with shared._own:
        for work in (lambda: shared.next(0, 0.0), lambda: shared.set_client(0, v.Client()),
                     lambda: shared.set_job(0, v.DispatchJob()), shared.copy):
            assert isinstance(in_another_thread(work), RuntimeError)
    assert in_another_thread(lambda: shared.next(0, 0.0)) is None


def test_what_an_emulation_shows_ends_when_no_other_thread_reads_it():
    # The call that was given a situation ends while another thread is at work on it: the emulation waits.
    scenario = v.Scenario(resources=HOST, projects=[v.Project()], apps=[v.App()],
                          models=[v.JobModel(latency_bound=1e6, est_flops=1e12)], emulation=v.Emulation(duration=1e4))
    reading, answers, threads = threading.Event(), [], []

    def read(situation):
        with situation.state._own:
            reading.set()
            answers.append(len(situation.forecast.resources))
            answers.append(situation.tasks.column("id"))
        try:
            situation.state.wrr()
        except (v.VcsError, RuntimeError) as error:
            answers.append(error)

    def schedule(situation):
        if not threads:
            threads.append(threading.Thread(target=read, args=(situation,)))
            threads[0].start()
            reading.wait()
        return v.Running([])

    v.emulate(scenario, policy=v.Policy(schedule=schedule))
    threads[0].join()
    assert answers[0] == 1


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda thing: thing.copy()],
                         ids=["copy", "deepcopy", "method"])
class TestCopies:
    def test_a_copy_of_a_state_goes_its_own_way(self, duplicate):
        original = state()
        expected = original.wrr()
        other = duplicate(original)
        # The first candidate joins the tasks of the copy alone, so that the second one ends later there.
        first, later = other.admit(0).finish, other.admit(1).finish
        assert original.admit(1).finish == first < later
        del original
        assert bytes(other.wrr().tasks) == bytes(expected.tasks)

    def test_a_copy_of_an_index_goes_its_own_way(self, duplicate):
        original = index()
        other = duplicate(original)
        before = original.next(0, 0.0)
        other.set_job(before.job, v.DispatchJob(id=before.job, complexity=1.0, state=v.JOB_OVER))
        assert other.next(0, 0.0).job != before.job
        assert original.next(0, 0.0) == before

    def test_threads_use_an_original_and_its_copy_at_once(self, duplicate):
        original = state()
        other = duplicate(original)
        with original._own:
            assert in_another_thread(other.wrr) is None


def test_they_cannot_be_pickled():
    for thing, kind in ((state(), "State"), (index(), "DispatchIndex")):
        with pytest.raises(TypeError, match=f"{kind} cannot be pickled"):
            pickle.dumps(thing)


def test_records_are_copied_by_value():
    task = v.Task(id=3)
    records = v.Task.records(2)
    for duplicate in (copy.copy, copy.deepcopy):
        assert duplicate(task) == task and duplicate(records) == records
        other, others = duplicate(task), duplicate(records)
        other.id, others[0].id = 4, 5
        assert (task.id, records[0].id) == (3, 0)
    inner = v.RpcProject(timer=v.ProjectTimer(failures=2)).timer
    assert copy.copy(inner).failures == 2


def test_what_is_no_state_is_named():
    with pytest.raises(TypeError, match=r"send\(\): state must be State, not int"):
        v.send(3, [], [])
