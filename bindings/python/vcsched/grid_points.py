# SPDX-License-Identifier: MIT
"""A grid in which some keys of its scenario file have other values, as the points of a sweep change it."""

from __future__ import annotations

import dataclasses
from typing import List, Mapping, Sequence, TypeVar

from vcsched.grid import Grid
from vcsched.host_class import HostClass
from vcsched.interface import Emulation, GridProject, GridTerms, Host, HostModel
from vcsched.memory import Record
from vcsched.scenario_points import Value, changed_scenario, in_order, listed, replaced

_R = TypeVar("_R", bound=Record)

_OF_ONE_HOST = ("cpus", "flops", "usable", *Host.fields, *Emulation.fields)
"""Keys of a population that say what one of its hosts is like, as [host] does."""


def changed_grid(grid: Grid, values: Mapping[str, Value]) -> Grid:
    """Another grid; see `vcsched.sweep_points.changed`."""
    of_hosts = {}
    for key, value in in_order(values):
        kind, _, rest = key.partition(".")
        name, _, field = rest.rpartition(".")
        if kind == "server":
            grid = _set_in_servers(grid, key, name, field, value)
        elif kind == "population":
            grid = _set_in_classes(grid, key, name, field, value)
        elif kind == "emulation" and not name and field in GridTerms.fields and field not in ("seed", "flags"):
            grid = grid.replace(terms=grid.course.replace(**{field: value}))
        else:
            of_hosts[key] = value
    if of_hosts:
        grid = grid.replace(classes=[_with_hosts(given, of_hosts) for given in grid.classes])
    return grid


def _set_in_servers(grid: Grid, key: str, name: str, field: str, value: Value) -> Grid:
    projects: List[GridProject] = listed(grid.projects, "projects")
    for number in _numbers(key, name, grid.project_names, len(projects)):
        projects[number] = _changed_record(key, projects[number], field, value)
    return grid.replace(projects=projects)


def _set_in_classes(grid: Grid, key: str, name: str, field: str, value: Value) -> Grid:
    classes = list(grid.classes)
    for number in _numbers(key, name, grid.class_names, len(classes)):
        given = classes[number]
        if field in HostModel.fields or field.upper() in _flags(given.model):
            classes[number] = dataclasses.replace(given, model=_changed_record(key, given.model, field, value))
        else:
            classes[number] = _with_hosts(given, {f"host.{field}" if field in _OF_ONE_HOST else field: value})
    return grid.replace(classes=classes)


def _with_hosts(given: HostClass, values: Mapping[str, Value]) -> HostClass:
    return dataclasses.replace(given, scenario=changed_scenario(given.scenario, values))


def _numbers(key: str, name: str, names: Sequence[str], count: int) -> List[int]:
    known = list(names) or [str(number) for number in range(count)]
    numbers = [number for number in range(count) if not name or known[number] == name]
    if not numbers:
        raise KeyError(f"{key}: the grid has no {name or key.partition('.')[0]}")
    return numbers


def _flags(record: Record) -> "dict[str, int]":
    return {flag.name: flag.value for flag in record._enums["flags"]}


def _changed_record(key: str, record: _R, field: str, value: Value) -> _R:
    """Another record, a field of which, or a flag, has another value. Choices may be words."""
    flag = _flags(record).get(field.upper())
    if flag is not None:
        if value not in (0, 1):
            raise ValueError(f"{key} must be 0 or 1, not {value!r}")
        others: int = getattr(record, "flags") & ~flag
        return record.replace(flags=others | flag if value else others)
    if field not in record.fields or field == "id":
        raise KeyError(f"{key}: there is no such key")
    if isinstance(value, str) and field in record._enums:
        words = {word.name.lower(): int(word) for word in record._enums[field]}
        if value not in words:
            raise ValueError(f"{key} must be one of {', '.join(words)}, not {value!r}")
        value = words[value]
    return replaced(record, field, value)
