# SPDX-License-Identifier: MIT
"""What came of a sweep: each emulation, means over the seeds, and tables of both."""

from __future__ import annotations

import csv
import math
from itertools import groupby
from operator import attrgetter
from typing import (TYPE_CHECKING, Any, Dict, Iterable, Iterator, List, Mapping, NamedTuple, Optional, Sequence, TextIO,
                    Tuple, Type, Union)

from vcsched.interface import GridOutcome, Outcome, ResourceOutcome
from vcsched.memory import Record
from vcsched.sweep_points import Value

if TYPE_CHECKING:
    import numpy

__all__ = ["Mean", "Sweep", "SweepPoint", "SweepRun"]

AnyOutcome = Union[Outcome, GridOutcome]


def _figures(outcome: Union[AnyOutcome, Type[Outcome]]) -> List[str]:
    return [name for name in outcome.fields if name != "flags"]


def _of_part(record: Record) -> List[str]:
    return [name for name in record.fields if name != "id"]


class Mean(NamedTuple):
    """A figure over the seeds of one point: its mean, the standard error of that mean, and the number of runs that have
    it. A confidence interval of 95 % is about two standard errors to either side; more with few seeds."""

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
    outcome: Any
    """The Outcome; of a grid, the GridOutcome."""
    projects: Dict[str, Any]
    """The ProjectOutcome of each project, of a grid its GridProjectOutcome: by name, or by number from 0 where the
    scenario has no names."""
    resources: Dict[str, ResourceOutcome]
    """Likewise the outcome of each resource. The CPUs are number 0. A grid has none."""
    point: int
    """The number of the combination of values, from 0."""

    def figure(self, name: str) -> Optional[float]:
        """A field of the outcome; of that of a project as project.NAME.FIELD, of a resource as resource.NAME.FIELD.
        None if it is undefined, or if this scenario has no such project or resource."""
        kind, _, rest = name.partition(".")
        if not rest:
            return getattr(self.outcome, name)  # type: ignore[no-any-return]
        owner, _, field = rest.rpartition(".")
        of_kind: Dict[str, Mapping[str, Any]] = {"project": self.projects, "resource": self.resources}
        records = of_kind.get(kind, {})
        return getattr(records[owner], field) if owner in records else None

    def part_figures(self) -> List[str]:
        """The names of the figures of projects and resources."""
        parts = (("project", self.projects), ("resource", self.resources))
        return [f"{kind}.{name}.{field}" for kind, of_kind in parts
                for name, record in of_kind.items() for field in _of_part(record)]


class Figures(Mapping[str, Mean]):
    """Means by the names of figures: each field of the outcome, and as project.NAME.FIELD and resource.NAME.FIELD
    each field of the projects' and resources' outcomes. Computed when looked at."""

    __slots__ = ("_runs",)

    def __init__(self, runs: Sequence[SweepRun]) -> None:
        self._runs = runs

    def __getitem__(self, name: str) -> Mean:
        if name not in _figures(self._runs[0].outcome) and name not in self._runs[0].part_figures():
            raise KeyError(name)
        return _mean(run.figure(name) for run in self._runs)

    def __iter__(self) -> Iterator[str]:
        yield from _figures(self._runs[0].outcome)
        yield from self._runs[0].part_figures()

    def __len__(self) -> int:
        return len(_figures(self._runs[0].outcome)) + len(self._runs[0].part_figures())

    def __repr__(self) -> str:
        return repr({name: self[name] for name in _figures(self._runs[0].outcome)})


class SweepPoint(NamedTuple):
    """One combination of values, over all seeds."""

    values: Dict[str, Value]
    """What was changed in the scenario."""
    runs: int
    """The number of seeds."""
    figures: Mapping[str, Mean]
    """Each field of the outcome by name; of a project as project.NAME.FIELD, of a resource as resource.NAME.FIELD."""


class Sweep:
    """What came of a sweep. It depends neither on the executor nor on the order in which it was done."""

    __slots__ = ("axes", "runs")

    def __init__(self, axes: Sequence[str], runs: Iterable[SweepRun]) -> None:
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
        groups = [list(runs) for _, runs in groupby(self.runs, attrgetter("point"))]
        return [SweepPoint(runs[0].values, len(runs), Figures(runs)) for runs in groups]

    def table(self, each_seed: bool = False, parts: bool = False) -> "Tuple[List[str], List[List[Optional[Value]]]]":
        """Columns and rows as `vcemu sweep` has them: the axes; `runs`, or `seed` if a row is one emulation; then each
        figure, with its standard error as FIGURE_se and, if it may be undefined, the number of runs in which it is
        not as FIGURE_runs. With `parts`, then the figures of each project and each resource."""
        outcome = self.runs[0].outcome if self.runs else Outcome
        names = [*_figures(outcome), *(self._part_figures() if parts else ())]
        rows: List[List[Optional[Value]]]
        if each_seed:
            rows = [[*run.values.values(), run.seed, *map(run.figure, names)] for run in self.runs]
            return [*self.axes, "seed", *names], rows
        groups = [list(runs) for _, runs in groupby(self.runs, attrgetter("point"))]
        rows = [[*runs[0].values.values(), len(runs)] for runs in groups]
        columns = [*self.axes, "runs"]
        for name in names:
            may_lack = name in outcome._undefined
            columns += [name, f"{name}_se", *([f"{name}_runs"] if may_lack else [])]
            for row, runs in zip(rows, groups):
                found = _mean(run.figure(name) for run in runs)
                row += [found.mean, found.error, *([found.runs] if may_lack else [])]
        return columns, rows

    def _part_figures(self) -> List[str]:
        """Those of any scenario, in the order in which they come first."""
        first_of_point = (next(runs) for _, runs in groupby(self.runs, attrgetter("point")))
        kinds = {(tuple(run.projects), tuple(run.resources)): run for run in first_of_point}
        return list(dict.fromkeys(name for run in kinds.values() for name in run.part_figures()))

    def array(self, each_seed: bool = False, parts: bool = False) -> "numpy.ndarray[Any, Any]":
        """The table as a NumPy structured array. What is undefined is NaN. ImportError without NumPy."""
        import numpy
        columns, rows = self.table(each_seed, parts)
        types = [(name, _numpy_type([row[number] for row in rows], numpy)) for number, name in enumerate(columns)]
        return numpy.array([tuple(math.nan if cell is None else cell for cell in row) for row in rows], types)

    def write_csv(self, stream: TextIO, each_seed: bool = False, parts: bool = False) -> None:
        """Writes the table as CSV. What is undefined is an empty cell. Open files with newline=''."""
        columns, rows = self.table(each_seed, parts)
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
