# SPDX-License-Identifier: MIT
"""The points of a sweep: which values, of which keys, in which order, and the scenario that they make of another."""

from __future__ import annotations

import csv
from itertools import product
from typing import Any, Dict, Iterable, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

from vcsched import constants
from vcsched.interface import Emulation, Host, JobModel, Resource
from vcsched.library import kind_of
from vcsched.memory import Record
from vcsched.scenario import Scenario

__all__ = ["Grid", "Points", "Scenarios", "Table", "Value", "changed", "points_of", "read_points"]

Value = Union[float, int, str]
Scenarios = Union[Scenario, Sequence[Scenario], Mapping[str, Scenario]]
"""One scenario; or several, which the sweep tells apart by name, or by number from 0."""
Grid = Mapping[Any, Iterable[Any]]
"""Values by key. Where a key is a tuple of keys, each value is a tuple too, and they change together."""
Table = Iterable[Mapping[str, Value]]
"""A value for each key, row by row."""

SCENARIO = "scenario"
"""The key that tells several scenarios apart."""
_LABEL = "label."
"""How a key begins that changes nothing, and is there to be seen in the table of results."""
_POLICY = "policy."
"""How a key begins that goes to the function which makes the policy."""
_OF_HOST = {"cpus": "instances"}
_OF_GPU = {"count": "instances"}


class Points(NamedTuple):
    """All points of a sweep, the last axis changing fastest."""

    axes: Tuple[str, ...]
    """The keys."""
    scenarios: Dict[Optional[Value], Scenario]
    """What is changed, by what a point has as its scenario; None if it has none, as there is but one."""
    values: List[Dict[str, Value]]
    """The value of each key, for each point."""


def points_of(scenarios: Scenarios, grid: Optional[Grid], table: Optional[Table]) -> Points:
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


def _named(scenarios: Scenarios) -> Dict[Optional[Value], Scenario]:
    if isinstance(scenarios, Scenario):
        return {None: scenarios}
    named: Dict[Optional[Value], Scenario] = {}
    if isinstance(scenarios, Mapping):
        named.update(scenarios.items())
    elif isinstance(scenarios, Sequence) and not isinstance(scenarios, str):
        named.update(enumerate(scenarios))
    if not named or not all(isinstance(scenario, Scenario) for scenario in named.values()):
        raise TypeError(f"sweep(): scenario must be a Scenario, or some in a list or by name, not {kind_of(scenarios)}")
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


def _check(scenario: Scenario, parts: Iterable[Iterable[Mapping[str, Value]]]) -> None:
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


def changed(scenario: Scenario, values: Mapping[str, Value]) -> Scenario:
    """Another scenario, with other values.

    A key is the name of a parameter, or `profile`, which stands for the parameters of that profile; else KIND.KEY, for
    all sections of the kind in a state file, or KIND.NAME.KEY for one of them: `host.cpus`, `app.latency_bound`,
    `project.meteors.share`, `emulation.duration`. Where things have no names, NAME is their number, from 0.
    `scenario`, `label.NAME` and `policy.NAME` change nothing here.
    """
    values = {key: value for key, value in values.items()
              if key != SCENARIO and not key.startswith((_LABEL, _POLICY))}
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
