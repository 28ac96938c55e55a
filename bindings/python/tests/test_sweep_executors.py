# SPDX-License-Identifier: MIT
"""Where a sweep is done makes no difference: threads, processes, MPI, Dask; chunks. All workers have work to do."""

from __future__ import annotations

import io
import os
import pickle
import shutil
import subprocess
import sys
import threading
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

from conftest import PACKAGE

pytest.importorskip("vcsched.library", reason="needs the compiled part")
import vcsched as v  # noqa: E402 - only with the compiled part
from sweep_case import GRID, Failing, Moody, scenario  # noqa: E402
from vcsched.sweep_bar import SweepBar  # noqa: E402
from vcsched.sweep_work import workers_of  # noqa: E402

FORKSERVER = get_context("forkserver")


def as_bytes(found):
    """All of it: the table, and each byte of each outcome."""
    written = io.StringIO()
    found.write_csv(written, each_seed=True, parts=True)
    return written.getvalue(), pickle.dumps(found)


@pytest.fixture(name="alone", scope="module")
def fixture_alone():
    return as_bytes(v.sweep(scenario(), {**GRID, "policy.most": [0, 1]}, seeds=3, policy=Moody))


@pytest.mark.parametrize("workers", [1, 2, 5])
@pytest.mark.parametrize("chunk", [None, 1, 4])
@pytest.mark.parametrize("pool", [ThreadPoolExecutor, ProcessPoolExecutor])
def test_a_policy_with_a_memory_does_the_same_anywhere(alone, pool, workers, chunk):
    with pool(workers, **({"mp_context": FORKSERVER} if pool is ProcessPoolExecutor else {})) as executor:
        found = v.sweep(scenario(), {**GRID, "policy.most": [0, 1]}, seeds=3, policy=Moody, executor=executor,
                        chunk=chunk)
    assert as_bytes(found) == alone


def test_without_a_policy_too():
    expected = as_bytes(v.sweep(scenario(), GRID, seeds=2))
    with ThreadPoolExecutor(3) as threads:
        assert as_bytes(v.sweep(scenario(), GRID, seeds=2, executor=threads)) == expected
    assert pickle.loads(expected[1]) == v.sweep(scenario(), GRID, seeds=2)


def test_dask(alone):
    distributed = pytest.importorskip("distributed")
    with distributed.Client(n_workers=1, threads_per_worker=3, processes=False, dashboard_address=None) as client:
        executor = client.get_executor()
        assert workers_of(executor) == 3
        found = v.sweep(scenario(), {**GRID, "policy.most": [0, 1]}, seeds=3, policy=Moody, executor=executor)
    assert as_bytes(found) == alone


MPI_PROGRAM = """
import sys
sys.path[:0] = {path!r}
from mpi4py.futures import MPIPoolExecutor
import vcsched as v
from sweep_case import GRID, Moody, scenario
from vcsched.sweep_work import workers_of

if __name__ == "__main__":
    with MPIPoolExecutor() as executor:
        assert workers_of(executor) == 2, workers_of(executor)
        found = v.sweep(scenario(), {{**GRID, "policy.most": [0, 1]}}, seeds=3, policy=Moody, executor=executor)
    with open({table!r}, "w", newline="") as stream:
        found.write_csv(stream, each_seed=True, parts=True)
"""


def test_mpi(alone, tmp_path):
    pytest.importorskip("mpi4py")
    if shutil.which("mpiexec") is None:
        pytest.skip("there is no mpiexec")
    program, table = tmp_path / "program.py", tmp_path / "table.csv"
    program.write_text(MPI_PROGRAM.format(path=[str(PACKAGE), str(Path(__file__).parent)], table=str(table)),
                       encoding="utf-8")
    # Open MPI is told that it may use more processes than processors, and the rank of root; others ignore it.
    ended = subprocess.run(["mpiexec", "-n", "3", sys.executable, "-m", "mpi4py.futures", str(program)], check=False,
                           capture_output=True, text=True, env=mpi_environment())
    assert ended.returncode == 0, ended.stderr
    assert table.read_text(encoding="utf-8") == alone[0]


def mpi_environment():
    return {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
            "OMPI_MCA_rmaps_base_oversubscribe": "1"}


# ---- How much is handed out ----


class Holding(Executor):
    """Does nothing before it has as many chunks as it has workers; then all of them."""

    def __init__(self, workers):
        self._max_workers = workers
        self._held = []

    def submit(self, fn, /, *args, **kwargs):
        future = Future()
        self._held.append((future, fn, args, kwargs))
        if len(self._held) == self._max_workers:
            for held, function, given, named in self._held:
                held.set_running_or_notify_cancel()
                held.set_result(function(*given, **named))
            self._held = []
        return future


def test_all_workers_of_a_large_executor_have_something_to_do():
    short = scenario().replace(emulation=v.Emulation(duration=1.0))
    expected = v.sweep(short, seeds=600)
    assert v.sweep(short, seeds=600, executor=Holding(150), chunk=1) == expected


def test_who_does_not_tell_how_many_workers_it_has():
    class Unknown(Executor):
        def submit(self, fn, /, *args, **kwargs):
            future = Future()
            future.set_result(fn(*args, **kwargs))
            return future

    with pytest.raises(TypeError, match="Unknown does not tell how many workers it has: say it with workers="):
        v.sweep(scenario(), GRID, executor=Unknown())
    assert v.sweep(scenario(), GRID, executor=Unknown(), workers=1) == v.sweep(scenario(), GRID)


# ---- As it comes ----


def test_emulations_come_as_they_are_done():
    """The second is not begun before the first has been looked at; else this would wait for ever."""
    looked_at = threading.Event()

    class Waiting:
        def __init__(self, seed):
            self.waits = seed == 6

        def fetch(self, situation, question):
            if self.waits:
                looked_at.wait()
            return situation.state.fetch(question)

    with ThreadPoolExecutor(1) as executor:
        runs = v.sweep_runs(scenario(), seeds=2, policy=Waiting, executor=executor, chunk=1)
        first = next(runs)
        looked_at.set()
        second, = runs
    assert [first, second] == v.sweep(scenario(), seeds=2, policy=Waiting).runs


def test_a_loop_that_is_left_early_leaves_nothing_under_way():
    begun = []

    def maker(seed):
        begun.append(seed)
        return Moody(seed)

    with ThreadPoolExecutor(1) as executor:
        runs = v.sweep_runs(scenario(), seeds=1000, policy=maker, executor=executor, chunk=1)
        next(runs)
        runs.close()
    assert len(begun) < 10
    begun.clear()
    for number, _ in enumerate(v.sweep_runs(scenario(), seeds=1000, policy=maker), 1):
        assert len(begun) == number
        if number == 3:
            break


def test_progress_is_called_after_each(alone):
    seen = []
    with ThreadPoolExecutor(2) as executor:
        v.sweep(scenario(), GRID, seeds=2, executor=executor, progress=lambda done, of: seen.append((done, of)))
    assert seen == [(number, 8) for number in range(1, 9)]


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_the_bar():
    stream, now = Terminal(), [100.0]
    bar = SweepBar(stream, lambda: now[0])
    bar(10, 100)  # those of a file; nothing is drawn at once
    assert stream.getvalue() == ""
    for done, seconds, shown in ((20, 10.0, "sweep [######........................]  20 %, 0:01:20 left"),
                                 (20, 0.05, ""), (100, 1.0, "sweep [##############################] 100 %")):
        before, now[0] = stream.getvalue(), now[0] + seconds
        bar(done, 100)
        assert stream.getvalue()[len(before):] == (f"\r{shown}\x1b[K" if shown else "")
    bar.close()
    assert stream.getvalue().endswith("\r\x1b[K")


def test_the_bar_is_silent_without_a_terminal(capsys):
    v.sweep(scenario(), GRID, progress=True)
    assert capsys.readouterr() == ("", "")


# ---- Errors ----


@pytest.mark.parametrize("executor", [None, ThreadPoolExecutor, ProcessPoolExecutor])
def test_the_first_error_ends_it(executor):
    seen = []
    context = {"mp_context": FORKSERVER} if executor is ProcessPoolExecutor else {}
    with (executor or ThreadPoolExecutor)(2, **context) as pool, pytest.raises(ZeroDivisionError, match="here"):
        v.sweep(scenario(), seeds=1000, policy=Failing, executor=pool if executor else None, chunk=4,
                progress=lambda done, of: seen.append(done))
    assert 2 <= len(seen) < 1000  # seeds 5 and 6 came before that of the failure, 7, in its chunk
