# SPDX-License-Identifier: MIT
"""One scenario emulated with other values each time: grids of values, seeds, and a table of what came of them."""

from __future__ import annotations

import csv
import math
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from itertools import islice, product
from typing import (TYPE_CHECKING, Any, Callable, Dict, Iterable, Iterator, List, Mapping, NamedTuple, Optional,
                    Sequence, TextIO, Tuple, Union)

from vcsched import constants
from vcsched.emulation import emulate
from vcsched.errors import VcsError
from vcsched.interface import Emulation, Host, JobModel, Outcome, Resource
from vcsched.library import kind_of
from vcsched.memory import Record
from vcsched.policy import AnyPolicy
from vcsched.scenario import Scenario

if TYPE_CHECKING:
    import numpy

__all__ = ["Mean", "Sweep", "SweepPoint", "SweepRun", "sweep"]

Value = Union[float, int, str]
_WAITING = 64
"""Emulations that are handed to an executor and not done yet: enough for all its workers, and not a whole sweep."""
_FIGURES = tuple(name for name in Outcome.fields if name != "flags")
_OF_HOST = {"cpus": "instances"}
_OF_GPU = {"count": "instances"}


class Mean(NamedTuple):
    """A figure over the seeds of one point."""

    mean: Optional[float]
    """None if it is undefined with every seed."""
    error: Optional[float]
    """Standard error of the mean; None of fewer than two values."""
    runs: int
    """With how many seeds it is defined."""


class SweepRun(NamedTuple):
    """One emulation."""

    values: Dict[str, Value]
    """What was changed in the scenario."""
    seed: int
    outcome: Outcome


class SweepPoint(NamedTuple):
    """One combination of values, over all seeds."""

    values: Dict[str, Value]
    """What was changed in the scenario."""
    runs: int
    """The number of seeds."""
    figures: Dict[str, Mean]
    """Each field of the outcome, by name."""


class Sweep:
    """What came of a sweep. It depends neither on the executor nor on the order in which it was done."""

    __slots__ = ("axes", "runs")

    def __init__(self, axes: Sequence[str], runs: Sequence[SweepRun]) -> None:
        self.axes = tuple(axes)
        """What was changed, in the order of the grid."""
        self.runs = list(runs)
        """All emulations: point by point, the last axis changing fastest, and seed by seed."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sweep):
            return NotImplemented
        return self.axes == other.axes and self.runs == other.runs

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Sweep of {len(self.runs)} emulations over {', '.join(self.axes) or 'seeds'}>"

    @property
    def points(self) -> List[SweepPoint]:
        """Means and standard errors over the seeds, one record for each combination of values."""
        found: List[SweepPoint] = []
        runs = iter(self.runs)
        count = len({run.seed for run in self.runs})
        while True:
            group = list(islice(runs, count))
            if not group:
                return found
            figures = {name: _mean([getattr(run.outcome, name) for run in group]) for name in _FIGURES}
            found.append(SweepPoint(group[0].values, len(group), figures))

    def table(self, each_seed: bool = False) -> "Tuple[List[str], List[List[Optional[Value]]]]":
        """Columns and rows as `vcemu sweep` has them: the axes; `runs`, or `seed` if a row is one emulation; then each
        figure, with its standard error as FIGURE_se and, if it may be undefined, the number of runs in which it is
        not as FIGURE_runs."""
        rows: List[List[Optional[Value]]]
        if each_seed:
            rows = [[*run.values.values(), run.seed, *(getattr(run.outcome, name) for name in _FIGURES)]
                    for run in self.runs]
            return [*self.axes, "seed", *_FIGURES], rows
        points = self.points
        rows = [[*point.values.values(), point.runs] for point in points]
        columns = [*self.axes, "runs"]
        for name in _FIGURES:
            may_lack = name in Outcome._undefined
            columns += [name, f"{name}_se", *([f"{name}_runs"] if may_lack else [])]
            for row, point in zip(rows, points):
                figure = point.figures[name]
                row += [figure.mean, figure.error, *([figure.runs] if may_lack else [])]
        return columns, rows

    def array(self, each_seed: bool = False) -> "numpy.ndarray[Any, Any]":
        """The table as a NumPy structured array. What is undefined is NaN. ImportError without NumPy."""
        import numpy
        columns, rows = self.table(each_seed)
        types = [(name, _numpy_type([row[number] for row in rows], numpy)) for number, name in enumerate(columns)]
        return numpy.array([tuple(math.nan if cell is None else cell for cell in row) for row in rows], types)

    def write_csv(self, stream: TextIO, each_seed: bool = False) -> None:
        """Writes the table as CSV. What is undefined is an empty cell. Open files with newline=''."""
        columns, rows = self.table(each_seed)
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(rows)


def _numpy_type(cells: "List[Optional[Value]]", numpy: Any) -> Any:
    """A type that holds all cells of a column."""
    if any(isinstance(cell, str) for cell in cells):
        return numpy.asarray([str(cell) for cell in cells]).dtype
    return "f8" if any(cell is None or isinstance(cell, float) for cell in cells) else "i8"


def _mean(values: Iterable[Optional[float]]) -> Mean:
    """Mean and standard error as Welford has them: sums of squares would lose the digits of small differences."""
    count, mean, squares = 0, 0.0, 0.0
    for value in values:
        if value is not None:
            count += 1
            before = value - mean
            mean += before / count
            squares += before * (value - mean)
    if not count:
        return Mean(None, None, 0)
    return Mean(mean, math.sqrt(squares / (count - 1) / count) if count > 1 else None, count)


# ---- The values of a point ----


def changed(scenario: Scenario, values: Mapping[str, Value]) -> Scenario:
    """Another scenario, with other values.

    A key is the name of a parameter, or `profile`, which stands for the parameters of that profile; else KIND.KEY, for
    all sections of the kind in a state file, or KIND.NAME.KEY for one of them: `host.cpus`, `app.latency_bound`,
    `project.meteors.share`, `emulation.duration`. Where things have no names, NAME is their number, from 0.
    """
    if "profile" in values:
        scenario = scenario.replace(parameters=str(values["profile"]))
        scenario = scenario.replace(emulation=scenario.course.replace(
            study_rules=int(scenario.policy.profile == constants.PROFILE_STUDY2007)))
    settings = {key: value for key, value in values.items() if "." not in key and key != "profile"}
    if settings:
        scenario = scenario.replace(parameters=scenario.policy.replace(**settings))
    for key, value in values.items():
        if "." in key:
            scenario = _set_in_section(scenario, key, value)
    return scenario


def _set_in_section(scenario: Scenario, key: str, value: Value) -> Scenario:
    kind, _, rest = key.partition(".")
    name, _, field = rest.rpartition(".")
    if kind == "emulation" and not name and field in Emulation.fields and field != "seed":
        return scenario.replace(emulation=scenario.course.replace(**{field: value}))
    if kind == "host" and not name:
        return _set_in_host(scenario, key, field, value)
    if kind == "gpu":
        return _set_in(scenario, key, "resources", name, scenario.resource_names, _OF_GPU.get(field, field), value, 1)
    if kind == "project":
        return _set_in(scenario, key, "projects", name, scenario.project_names, field, value)
    if kind == "server":
        return _set_in(scenario, key, "servers", name, scenario.project_names, field, value)
    if kind == "app":
        part = "models" if field in JobModel.fields else "apps"
        return _set_in(scenario, key, part, name, scenario.app_names, field, value)
    raise KeyError(f"{key}: there is no such key in a scenario")


def _set_in_host(scenario: Scenario, key: str, field: str, value: Value) -> Scenario:
    if _OF_HOST.get(field, field) in Resource.fields:
        return _set_in(scenario, key, "resources", "0", (), _OF_HOST.get(field, field), value)
    if field in Host.fields:
        return scenario.replace(host=(scenario.host or Host()).replace(**{field: value}))
    if field in Emulation.fields:
        return scenario.replace(emulation=scenario.course.replace(**{field: value}))
    raise KeyError(f"{key}: a host has no such key")


def _set_in(scenario: Scenario, key: str, part: str, name: str, names: Sequence[str], field: str, value: Value,
            first: int = 0) -> Scenario:
    """Sets a field in one record, or in all from the first on."""
    records: List[Record] = _listed(getattr(scenario, part), part)
    numbers = list(range(first, len(records)))
    if name:
        known = list(names) or [str(number) for number in range(len(records))]
        numbers = [number for number in numbers if known[number] == name]
    if not numbers:
        raise KeyError(f"{key}: the scenario has no {name or key.partition('.')[0]}")
    for number in numbers:
        if field not in records[number].fields:
            raise KeyError(f"{key}: there is no such key")
        records[number] = records[number].replace(**{field: value})
    return scenario.replace(**{part: records})


def _listed(records: Any, part: str) -> List[Any]:
    if hasattr(type(records), "__array_interface__"):
        raise TypeError(f"{part} must be a list of records, not a NumPy array, for a sweep to change them")
    return list(records)


# ---- Doing it ----


def sweep(scenario: Scenario, grid: Optional[Mapping[str, Iterable[Value]]] = None, *,
          seeds: Union[int, Iterable[int]] = 1, policy: Optional[AnyPolicy] = None,
          executor: Optional[Executor] = None,
          progress: Optional[Callable[[int, int], object]] = None) -> Sweep:
    """Emulates a scenario with all combinations of other values, each with several seeds.

    scenario   what is emulated
    grid       values by key; see `vcsched.sweeps.changed` for the keys. {"min_buffer": [3600, 7200]} are two points
    seeds      how many, counted from the seed of the scenario on; or the seeds themselves
    policy     custom decisions, as for emulate(); for other processes it must be picklable
    executor   where it is done: a pool of threads, which run in parallel since the interpreter's lock is released, or
               of processes; the calling thread if not given
    progress   is called after each emulation with how many are done, and of how many

    The first error ends it: a VcsError says at which point it happened.
    """
    axes = {key: list(values) for key, values in (grid or {}).items()}
    numbers = _seeds(scenario, seeds)
    points = [dict(zip(axes, values)) for values in product(*axes.values())]
    if points:
        changed(scenario, points[0])  # a key that does not exist is reported before anything is done
    work = [(values, seed) for values in points for seed in numbers]
    outcomes: List[Optional[Outcome]] = [None] * len(work)
    tasks = ((scenario, values, seed, policy) for values, seed in work)
    for done, (number, outcome) in enumerate(_carried_out(tasks, executor), 1):
        outcomes[number] = outcome
        if progress is not None:
            progress(done, len(work))
    return Sweep(list(axes), [SweepRun(values, seed, outcome) for (values, seed), outcome in zip(work, outcomes)
                              if outcome is not None])


def _seeds(scenario: Scenario, seeds: Union[int, Iterable[int]]) -> List[int]:
    if isinstance(seeds, int):
        if seeds < 1:
            raise ValueError(f"seeds must be at least 1, not {seeds}")
        first = scenario.course.seed
        return list(range(first, first + seeds))
    try:
        found = list(seeds)
    except TypeError:
        raise TypeError(f"seeds must be a number or a sequence of numbers, not {kind_of(seeds)}") from None
    if len(set(found)) < len(found):
        raise ValueError("seeds must be distinct")
    return found


_Task = Tuple[Scenario, Mapping[str, Value], int, Optional[AnyPolicy]]


def _emulated(scenario: Scenario, values: Mapping[str, Value], seed: int, policy: Optional[AnyPolicy]) -> Outcome:
    """One emulation, wherever it is done."""
    try:
        return emulate(changed(scenario, values), seed=seed, policy=policy).outcome
    except VcsError as error:
        place = ", ".join(f"{key}={value}" for key, value in values.items())
        raise VcsError(error.code, error.name, f"{place}: {error.message}" if place else error.message, error.record,
                       error.index, error.field) from None


def _carried_out(tasks: Iterator[_Task], executor: Optional[Executor]) -> Iterator[Tuple[int, Outcome]]:
    """The outcome of each task with its number, in the order in which they end."""
    if executor is None:
        for number, task in enumerate(tasks):
            yield number, _emulated(*task)
        return
    waiting: "Dict[Future[Outcome], int]" = {}
    numbered = enumerate(tasks)
    try:
        while True:
            for number, task in islice(numbered, _WAITING - len(waiting)):
                waiting[executor.submit(_emulated, *task)] = number
            if not waiting:
                return
            for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                yield waiting.pop(future), future.result()
    finally:
        for future in waiting:
            future.cancel()
