# SPDX-License-Identifier: MIT
"""The emulations of a sweep, some at a time, on any executor of concurrent.futures."""

from __future__ import annotations

import signal
import threading
import time
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from itertools import chain, islice
from types import FrameType, TracebackType
from typing import (Any, Callable, Dict, Generator, Iterable, Iterator, List, NamedTuple, Optional, Sequence, Set,
                    Tuple, Type, Union)

from vcsched.emulation import emulate
from vcsched.errors import VcsError
from vcsched.grid import Grid
from vcsched.grid_emulation import emulate_grid
from vcsched.interface import ResourceOutcome
from vcsched.library import kind_of
from vcsched.memory import Records
from vcsched.grid_policy import GridPolicy
from vcsched.policy import AnyPolicy
from vcsched.sweep_table import AnyOutcome
from vcsched.sweep_points import Subject, Value, changed, policy_arguments

PolicyMaker = Callable[..., Union[AnyPolicy, GridPolicy]]
_CHUNK_SECONDS = 0.2
"""How long a chunk should take: much longer than to hand it over, and short enough that results come steadily."""
_LONGEST_CHUNK = 10000
_CHUNKS_PER_WORKER = 2
"""One that it works on, and one so that it need not wait for the next."""
_PATIENCE_SECONDS = 5.0
"""How long an interrupted sweep waits for what is under way."""


class Job(NamedTuple):
    """One emulation that is to be done."""

    number: int
    scenario: Optional[Value]
    values: Dict[str, Value]
    seed: int


class Done(NamedTuple):
    """What came of it. A grid has no figures of resources, which differ from host to host."""

    outcome: AnyOutcome
    projects: Records[Any]
    resources: Records[ResourceOutcome]


class Stop:
    """Whether the sweep was asked to stop: by Ctrl-C, or by SIGTERM. A second time is not waited for.

    Signals reach the main thread alone, and only where the program has not said itself what they do.
    """

    def __init__(self) -> None:
        self.asked = False
        self._waiting = False
        self._before: Dict[int, Any] = {}

    def __enter__(self) -> "Stop":
        if threading.current_thread() is threading.main_thread():
            for number, usual in ((signal.SIGINT, signal.default_int_handler), (signal.SIGTERM, signal.SIG_DFL)):
                if signal.getsignal(number) == usual:
                    self._before[number] = signal.signal(number, self._ask)
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], value: Optional[BaseException],
                 traceback: Optional[TracebackType]) -> None:
        for number, usual in self._before.items():
            signal.signal(number, usual)

    def _ask(self, number: int, frame: Optional[FrameType]) -> None:
        twice, self.asked = self.asked, True
        if twice or self._waiting:
            raise KeyboardInterrupt

    def wait(self, futures: "Iterable[Future[ChunkDone]]") -> "Set[Future[ChunkDone]]":
        """Those that have ended, as soon as some have, or a signal comes."""
        try:
            self._waiting = True
            return set() if self.asked else set(wait(futures, return_when=FIRST_COMPLETED).done)
        except KeyboardInterrupt:
            self.asked = True
            return set()
        finally:
            self._waiting = False


# ---- Where the work is done ----


def _emulated(scenario: Subject, values: Dict[str, Value], seed: int, maker: Optional[PolicyMaker]) -> Done:
    """One emulation, with a policy of its own."""
    policy: Any = None
    if maker is not None:
        policy = maker(seed, **policy_arguments(values))
        if policy is None:
            raise TypeError("sweep(): what policy() returns for a seed must be a policy, not None")
    try:
        if isinstance(scenario, Grid):
            of_grid = emulate_grid(scenario, seed=seed, policy=policy, keep_hosts=False)
            return Done(of_grid.outcome, of_grid.projects, Records(ResourceOutcome, 0))
        found = emulate(scenario, seed=seed, policy=policy)
        return Done(found.outcome, found.projects, found.resources)
    except VcsError as error:
        place = ", ".join(f"{key}={value}" for key, value in values.items())
        raise VcsError(error.code, error.name, f"{place}: {error.message}" if place else error.message, error.record,
                       error.index, error.field) from None


class Chunk(NamedTuple):
    """Emulations that are done one after the other, in one place."""

    scenarios: Dict[Optional[Value], Subject]
    maker: Optional[PolicyMaker]
    jobs: Sequence[Job] = ()

    def carry_out(self) -> "ChunkDone":
        """Does them. If one fails, those before it count; the failure shows when the rest is begun anew with it."""
        done: List[Done] = []
        start, point, scenario = time.perf_counter(), None, None
        interrupted = False
        try:
            for job in self.jobs:
                if scenario is None or job.values is not point:
                    point, scenario = job.values, changed(self.scenarios[job.scenario], job.values)
                done.append(_emulated(scenario, job.values, job.seed, self.maker))
        except KeyboardInterrupt:
            interrupted = True
        except Exception:
            if not done:
                raise
        return ChunkDone(done, time.perf_counter() - start, interrupted)


class ChunkDone(NamedTuple):
    """What came of a chunk."""

    done: List[Done]
    seconds: float
    interrupted: bool


# ---- Handing it out ----


def workers_of(executor: Executor) -> int:
    """How many workers an executor has: one of threads or processes, of mpi4py.futures, of loky, of Dask."""
    client = getattr(executor, "_client", None)
    if client is not None and hasattr(client, "nthreads"):
        threads: Dict[str, int] = client.nthreads()
        return max(1, sum(threads.values()))
    for name in ("num_workers", "_max_workers"):
        found = getattr(executor, name, None)
        if isinstance(found, int) and found > 0:
            return found
    raise TypeError(f"sweep(): {kind_of(executor)} does not tell how many workers it has: say it with workers=")


class _Pace:
    """How many emulations make a chunk, by how long those took that have ended. The outcome does not depend on it."""

    def __init__(self, chunk: Optional[int], jobs: int, places: int) -> None:
        self._chunk = chunk
        self._left = jobs
        self._places = places
        self._seconds = 0.0
        self._done = 0

    def note(self, chunk: ChunkDone) -> None:
        self._seconds += chunk.seconds
        self._done += len(chunk.done)

    def next(self) -> int:
        size = self._chunk or self._by_time()
        self._left -= size
        return size

    def _by_time(self) -> int:
        """Smaller ones towards the end, so that all workers end at about the same time."""
        if not self._done:
            return 1
        fitting = _CHUNK_SECONDS * self._done / max(self._seconds, 1e-9)
        return int(max(1, min(fitting, self._left / self._places, _LONGEST_CHUNK)))


class Work(NamedTuple):
    """What is to be done, and how."""

    of_all: Chunk
    """What all chunks have in common."""
    jobs: Iterable[Job]
    job_count: int
    executor: Optional[Executor]
    workers: Optional[int]
    chunk: Optional[int]

    def carry_out(self, stop: Stop) -> Generator[Tuple[Job, Done], None, None]:
        """Each emulation as soon as its chunk has ended."""
        if self.executor is None:
            yield from self._one_by_one(stop)
            return
        places = _CHUNKS_PER_WORKER * (self.workers or workers_of(self.executor))
        pace, left = _Pace(self.chunk, self.job_count, places), iter(self.jobs)
        waiting: "Dict[Future[ChunkDone], List[Job]]" = {}
        try:
            while not stop.asked:
                while len(waiting) < places:
                    jobs = list(islice(left, pace.next()))
                    if not jobs:
                        break
                    waiting[self.executor.submit(self.of_all._replace(jobs=jobs).carry_out)] = jobs
                if not waiting:
                    return
                for future in stop.wait(waiting):
                    jobs, found = waiting.pop(future), future.result()
                    pace.note(found)
                    yield from zip(jobs, found.done)
                    stop.asked = stop.asked or found.interrupted
                    left = chain(jobs[len(found.done):], left) if len(found.done) < len(jobs) else left
            yield from _last_of(waiting)
        finally:
            for future in waiting:
                future.cancel()

    def _one_by_one(self, stop: Stop) -> Iterator[Tuple[Job, Done]]:
        for job in self.jobs:
            if stop.asked:
                return
            found = self.of_all._replace(jobs=[job]).carry_out()
            yield from zip([job], found.done)
            stop.asked = stop.asked or found.interrupted


def _last_of(waiting: "Dict[Future[ChunkDone], List[Job]]") -> Iterator[Tuple[Job, Done]]:
    """What was under way when the sweep was interrupted, as far as it soon ends. Workers may have gone, too."""
    under_way = [future for future in waiting if not future.cancel()]
    for future in wait(under_way, timeout=_PATIENCE_SECONDS).done:
        if future.exception() is None:
            yield from zip(waiting[future], future.result().done)
