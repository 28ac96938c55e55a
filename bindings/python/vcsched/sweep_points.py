# SPDX-License-Identifier: MIT
"""The points of a sweep: which values, of which keys, in which order, and the scenario that they make of another."""

from __future__ import annotations

import csv
from itertools import product
from typing import Any, Dict, Iterable, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

from vcsched.grid import Grid
from vcsched.grid_points import changed_grid
from vcsched.library import kind_of
from vcsched.scenario import Scenario
from vcsched.scenario_points import Value, changed_scenario

__all__ = ["Combinations", "Points", "Scenarios", "Subject", "Table", "Value", "changed", "points_of", "read_points"]

Subject = Union[Scenario, Grid]
"""What is emulated: a host with the servers of its projects, or projects with all their hosts."""
Scenarios = Union[Subject, Sequence[Subject], Mapping[str, Subject]]
"""One scenario or grid; or several, which the sweep tells apart by name, or by number from 0."""
Combinations = Mapping[Any, Iterable[Any]]
"""Values by key. Where a key is a tuple of keys, each value is a tuple too, and they change together."""
Table = Iterable[Mapping[str, Value]]
"""A value for each key, row by row."""

SCENARIO = "scenario"
"""The key that tells several scenarios apart."""
_LABEL = "label."
"""How a key begins that changes nothing, and is there to be seen in the table of results."""
_POLICY = "policy."
"""How a key begins that goes to the function which makes the policy."""


class Points(NamedTuple):
    """All points of a sweep, the last axis changing fastest."""

    axes: Tuple[str, ...]
    """The keys."""
    scenarios: Dict[Optional[Value], Subject]
    """What is changed, by what a point has as its scenario; None if it has none, as there is but one."""
    values: List[Dict[str, Value]]
    """The value of each key, for each point."""


def points_of(scenarios: Scenarios, grid: Optional[Combinations], table: Optional[Table]) -> Points:
    """The points: each scenario, with each row of the table, with each combination of the grid.

    What no scenario has, and values of the wrong kind, are refused here, before anything is emulated.
    """
    named = _named(scenarios)
    several: List[Dict[str, Value]] = [{SCENARIO: name} for name in named if name is not None]
    rows = _rows(table) if table is not None else []
    parts = [*([several] if several else []), *([rows] if table is not None else []),
             *(_axis(key, values) for key, values in (grid or {}).items())]
    axes = [SCENARIO] * bool(several) + list(rows[0] if rows else ())
    for key in grid or {}:
        axes += [key] if isinstance(key, str) else key
    if len(set(axes)) < len(axes):
        raise ValueError(f"sweep(): {next(key for key in axes if axes.count(key) > 1)} is varied twice")
    for scenario in named.values():
        _check(scenario, parts)
    return Points(tuple(axes), named,
                  [{key: value for part in point for key, value in part.items()} for point in product(*parts)])


def _named(scenarios: Scenarios) -> Dict[Optional[Value], Subject]:
    if isinstance(scenarios, (Scenario, Grid)):
        return {None: scenarios}
    named: Dict[Optional[Value], Subject] = {}
    if isinstance(scenarios, Mapping):
        named.update(scenarios.items())
    elif isinstance(scenarios, Sequence) and not isinstance(scenarios, str):
        named.update(enumerate(scenarios))
    kinds = {type(scenario) for scenario in named.values()}
    if kinds == {Scenario, Grid}:
        raise TypeError("sweep(): there are scenarios of hosts and grids, whose figures differ: make two sweeps")
    if kinds not in ({Scenario}, {Grid}):
        raise TypeError("sweep(): scenario must be a Scenario or a Grid, or some in a list or by name, not "
                        f"{kind_of(scenarios)}")
    return named


def _rows(table: Table) -> List[Dict[str, Value]]:
    """The rows of a table, all with the same keys."""
    rows = [dict(row) for row in table]
    for number, row in enumerate(rows):
        if row.keys() != rows[0].keys():
            raise ValueError(f"sweep(): row {number} of the points has other keys than row 0: "
                             f"{', '.join(sorted(row.keys() ^ rows[0].keys()))}")
    return [{key: _plain(row[key]) for key in rows[0]} for row in rows]


def _axis(key: Any, values: Iterable[Any]) -> List[Dict[str, Value]]:
    """The values of one key, or of several that change together."""
    if isinstance(key, str):
        return [{key: _plain(value)} for value in values]
    together: List[Dict[str, Value]] = []
    for value in values:
        if not isinstance(value, (tuple, list)) or len(value) != len(key):
            raise ValueError(f"sweep(): {', '.join(key)} change together, so each of their values has {len(key)} parts,"
                             f" unlike {value!r}")
        together.append(dict(zip(key, map(_plain, value))))
    return together


def _plain(value: Any) -> Value:
    """A number of NumPy's as one of Python's."""
    plain: Value = value.item() if hasattr(value, "item") else value
    return plain


def _check(scenario: Subject, parts: Iterable[Iterable[Mapping[str, Value]]]) -> None:
    """Tries each value once."""
    tried = set()
    for part in parts:
        for row in part:
            for key, value in row.items():
                if (key, type(value), value) not in tried:
                    tried.add((key, type(value), value))
                    changed(scenario, {key: value})


def read_points(path: str) -> List[Dict[str, Value]]:
    """Reads the points of a sweep from a file: a line of keys, then a line of values for each point.

    They are separated by tabs if the first line has one, else by commas, as in CSV. Empty lines and those that begin
    with # are skipped. What looks like a number is one.
    """
    with open(path, encoding="utf-8", newline="") as stream:
        separator = "\t" if "\t" in stream.readline() else ","
        stream.seek(0)
        reader = csv.reader(stream, delimiter=separator, strict=True)
        rows = [(reader.line_num, row) for row in reader if row and not row[0].startswith("#")]
    keys = rows[0][1] if rows else []
    for line, row in rows:
        if len(row) != len(keys):
            raise ValueError(f"{path}:{line}: the line has {len(row)} cells, but the first has {len(keys)}")
    return [dict(zip(keys, map(_number_or_text, row))) for _, row in rows[1:]]


def _number_or_text(cell: str) -> Value:
    for kind in (int, float):
        try:
            number: Value = kind(cell)
            return number
        except ValueError:
            pass
    return cell


# ---- One point ----


def policy_arguments(values: Mapping[str, Value]) -> Dict[str, Value]:
    """What goes to the function that makes the policy."""
    return {key[len(_POLICY):]: value for key, value in values.items() if key.startswith(_POLICY)}


def changed(scenario: Subject, values: Mapping[str, Value]) -> Subject:
    """Another scenario, or another grid, with other values.

    A key is the name of a parameter, or `profile`, which stands for the parameters of that profile but for those that
    the scenario sets itself (`Scenario.kept`); else KIND.KEY, for all sections of the kind in a state file, or
    KIND.NAME.KEY for one of them: `host.cpus`, `app.latency_bound`, `project.meteors.share`, `emulation.duration`.
    Where things have no names, NAME is their number, from 0. `scenario`, `label.NAME` and `policy.NAME` change nothing
    here.

    In a grid, `server` stands for what a project computes and how, `population` for a class of hosts: for the host
    model, for the host's own keys, as in `population.volunteers.cpus`, and for its parameters. Other keys are those of
    the hosts of all classes, but for `emulation.duration`, `emulation.start` and `emulation.sample`. Choices and flags
    may be words: `server.verification` is "adaptive", `server.blacklist` is 1.
    """
    values = {key: value for key, value in values.items()
              if key != SCENARIO and not key.startswith((_LABEL, _POLICY))}
    return changed_grid(scenario, values) if isinstance(scenario, Grid) else changed_scenario(scenario, values)
