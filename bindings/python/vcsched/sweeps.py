# SPDX-License-Identifier: MIT
"""Scenarios emulated with other values each time: grids and tables of values, seeds, and what came of them."""

from __future__ import annotations

import contextlib
import sys
from concurrent.futures import Executor
from typing import Callable, Dict, Generator, Iterable, Iterator, List, Optional, Sequence, Tuple, TypeVar, Union

from vcsched.library import kind_of
from vcsched.memory import Record
from vcsched.scenario import Scenario
from vcsched.sweep_bar import SweepBar
from vcsched.sweep_file import Found, SweepFile, digest, line_of
from vcsched.sweep_points import (SCENARIO, Combinations, Points, Scenarios, Subject, Table, Value, points_of,
                                  read_points)
from vcsched.sweep_table import Mean, Sweep, SweepPoint, SweepRun
from vcsched.sweep_work import Chunk, Done, Job, PolicyMaker, Stop, Work

__all__ = ["Mean", "Sweep", "SweepInterrupted", "SweepPoint", "SweepRun", "read_points", "sweep", "sweep_runs"]

_R = TypeVar("_R", bound=Record)


class SweepInterrupted(KeyboardInterrupt):
    """The sweep was interrupted by Ctrl-C or SIGTERM. `sweep` has what was done until then."""

    def __init__(self, sweep: Sweep) -> None:  # pylint: disable=redefined-outer-name
        super().__init__(f"the sweep was interrupted after {len(sweep.runs)} emulations")
        self.sweep = sweep


def sweep(scenario: Scenarios, grid: Optional[Combinations] = None, *, points: Optional[Table] = None,
          seeds: Union[int, Iterable[int]] = 1, policy: Optional[PolicyMaker] = None,
          executor: Optional[Executor] = None, workers: Optional[int] = None, chunk: Optional[int] = None,
          resume: Optional[str] = None,
          progress: Union[Callable[[int, int], object], bool, None] = None) -> Sweep:
    """Emulates a scenario with other values, at each point with several seeds.

    scenario   what is emulated: a Scenario, or a Grid of many hosts. With several, in a list or by name, each is: axis
               `scenario` tells them apart
    grid       values by key, all combinations; see `vcsched.sweep_points.changed` for the keys. {"min_buffer": [3600,
               7200]} are two points. A tuple of keys changes together: {("host.cpus", "host.flops"): [(1, 1e9),
               (4, 3e9)]} are two points, too
    points     a table instead, or besides: rows with a value for each key, such as the hosts of a population; see
               read_points(). Keys `label.NAME` change nothing; they are there to be seen in the results
    seeds      how many, counted from the seed of each scenario on; or the seeds themselves
    policy     makes the custom decisions of one emulation, as for emulate() or emulate_grid(): a function or a class
               that is called with the seed, and with NAME=value for each key `policy.NAME`. So nothing that a policy
               remembers goes from one emulation to the next. For other processes it must be picklable, which a lambda
               is not
    executor   where it is done: a pool of threads, which run in parallel since the interpreter's lock is released, of
               processes, MPIPoolExecutor of mpi4py.futures, get_executor() of a Dask client; the calling thread if not
               given
    workers    how many workers the executor has, if it does not tell
    chunk      how many emulations are handed over at a time; by default as many as take about 0.2 s
    resume     a file that is made if it does not exist: each emulation that has ended is written there, and those that
               it has already are not done again
    progress   is called with how many emulations are done, and of how many; True is a bar on a terminal

    The outcome is the same wherever it is done, and however often it was interrupted. Ctrl-C and SIGTERM raise
    SweepInterrupted, which has what was done. The first error ends it: a VcsError says at which point it happened.
    """
    plan = _Plan(scenario, grid, points, seeds, policy)
    bar = SweepBar() if progress is True else None
    show = bar if bar is not None else progress if callable(progress) else None
    runs: Dict[int, SweepRun] = {}
    stop = Stop()
    try:
        with stop, contextlib.closing(plan.runs(executor, workers, chunk, resume, stop)) as done:
            for number, run in done:
                runs[number] = run
                if show is not None:
                    show(len(runs), plan.count)
    except KeyboardInterrupt:
        stop.asked = True
    finally:
        if bar is not None:
            bar.close()
    found = Sweep(plan.points.axes, [runs[number] for number in sorted(runs)])
    if stop.asked and len(runs) < plan.count:
        raise SweepInterrupted(found)
    return found


def sweep_runs(scenario: Scenarios, grid: Optional[Combinations] = None, *, points: Optional[Table] = None,
               seeds: Union[int, Iterable[int]] = 1, policy: Optional[PolicyMaker] = None,
               executor: Optional[Executor] = None, workers: Optional[int] = None, chunk: Optional[int] = None,
               resume: Optional[str] = None) -> Iterator[SweepRun]:
    """Each emulation of a sweep as soon as it is done, in any order; the file `resume` comes first.

    It takes the same arguments as sweep(). To stop early, leave the loop.
    """
    return _Plan(scenario, grid, points, seeds, policy).stream(executor, workers, chunk, resume)


class _Plan:
    """What is to be done."""

    def __init__(self, scenario: Scenarios, grid: Optional[Combinations], table: Optional[Table],
                 seeds: Union[int, Iterable[int]], policy: Optional[PolicyMaker]) -> None:
        self.points: Points = points_of(scenario, grid, table)
        self._seeds = _seeds(self.points.scenarios, seeds)
        self._seed_count = len(next(iter(self._seeds.values())))
        self._policy = policy
        self.count = len(self.points.values) * self._seed_count
        if policy is not None and not callable(policy):
            raise TypeError(f"sweep(): policy must be a function or a class that makes a policy of a seed, not "
                            f"{kind_of(policy)}: one object would carry what it remembers from one emulation to the "
                            f"next")
        if policy is None and any(key.startswith("policy.") for key in self.points.axes):
            raise TypeError("sweep(): keys that begin with policy. need a policy to go to")

    def jobs(self) -> Iterator[Job]:
        """All emulations, point by point and seed by seed."""
        number = 0
        for values in self.points.values:
            scenario = values.get(SCENARIO)
            for seed in self._seeds[scenario]:
                yield Job(number, scenario, values, seed)
                number += 1

    def stream(self, executor: Optional[Executor], workers: Optional[int], chunk: Optional[int],
               resume: Optional[str]) -> Iterator[SweepRun]:
        """Each emulation as it is done."""
        stop = Stop()
        with contextlib.closing(self.runs(executor, workers, chunk, resume, stop)) as done:
            for _, run in done:
                yield run
        if stop.asked:
            raise KeyboardInterrupt

    def runs(self, executor: Optional[Executor], workers: Optional[int], chunk: Optional[int], resume: Optional[str],
             stop: Stop) -> Generator[Tuple[int, SweepRun], None, None]:
        """Each emulation with its number, as it is done; those done before come first."""
        for name, number in (("workers", workers), ("chunk", chunk)):
            if number is not None and number < 1:
                raise ValueError(f"sweep(): {name} must be at least 1, not {number}")
        names = {name: _Names(scenario) for name, scenario in self.points.scenarios.items()}
        with contextlib.ExitStack() as stack:
            file = stack.enter_context(SweepFile(resume)) if resume is not None else None
            of = {name: digest(scenario, self._policy) for name, scenario in self.points.scenarios.items()} \
                if file is not None else {}

            def known(job: Job) -> Optional[Found]:
                return file.find(of[job.scenario], job.values, job.seed) if file is not None else None

            count = self.count
            for job in self.jobs() if file is not None else ():
                found = known(job)
                if found is not None:
                    count -= 1
                    yield job.number, self._run(job, names[job.scenario].same(found))
            work = Work(Chunk(self.points.scenarios, self._policy), (job for job in self.jobs() if known(job) is None),
                        count, executor, workers, chunk)
            for job, done in stack.enter_context(contextlib.closing(work.carry_out(stop))):
                found = names[job.scenario].found(done)
                if file is not None:
                    file.write([line_of(of[job.scenario], job.values, job.seed, found)])
                yield job.number, self._run(job, found)

    def _run(self, job: Job, found: Found) -> SweepRun:
        return SweepRun(job.values, job.seed, found.outcome, found.projects, found.resources,
                        job.number // self._seed_count)


class _Names:
    """What the projects and resources of a scenario are called: by its names, or else by their numbers."""

    def __init__(self, scenario: Subject) -> None:
        self._projects = scenario.project_names
        self._resources = scenario.resource_names if isinstance(scenario, Scenario) else ()

    def found(self, done: Done) -> Found:
        """What came of an emulation, by these names."""
        return Found(done.outcome, _named(self._projects, done.projects), _named(self._resources, done.resources))

    def same(self, known: Found) -> Found:
        """What came of an emulation that was done before. Its names become these very objects."""
        return Found(known.outcome, _named(self._projects, list(known.projects.values())),
                     _named(self._resources, list(known.resources.values())))


def _named(names: Sequence[str], records: Sequence[_R]) -> Dict[str, _R]:
    if len(set(names)) != len(records):
        names = [sys.intern(str(number)) for number in range(len(records))]
    return dict(zip(names, records))


def _seeds(scenarios: Dict[Optional[Value], Subject],
           seeds: Union[int, Iterable[int]]) -> Dict[Optional[Value], List[int]]:
    """The seeds of each scenario, as many for each."""
    if isinstance(seeds, int):
        if seeds < 1:
            raise ValueError(f"seeds must be at least 1, not {seeds}")
        firsts = {name: scenario.course.seed for name, scenario in scenarios.items()}
        return {name: list(range(first, first + seeds)) for name, first in firsts.items()}
    try:
        found = [seed.__index__() for seed in seeds]
    except (TypeError, AttributeError):
        raise TypeError(f"seeds must be a number or a sequence of numbers, not {kind_of(seeds)}") from None
    if len(set(found)) < len(found):
        raise ValueError("seeds must be distinct")
    return dict.fromkeys(scenarios, found)
