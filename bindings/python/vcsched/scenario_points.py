# SPDX-License-Identifier: MIT
"""A scenario in which some keys of its state file have other values, as the points of a sweep change it."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, Sequence, TypeVar, Union

from vcsched import constants
from vcsched.interface import Emulation, Host, JobModel, Parameters, Resource
from vcsched.memory import Record
from vcsched.policy_choice import names_kept, with_profile
from vcsched.scenario import Scenario

Value = Union[float, int, str]
_R = TypeVar("_R", bound=Record)
_OF_HOST = {"cpus": "instances"}
_OF_GPU = {"count": "instances"}


def changed_scenario(scenario: Scenario, values: Mapping[str, Value]) -> Scenario:
    """Another scenario; see `vcsched.sweep_points.changed`."""
    if "profile" in values:
        scenario = _with_profile(scenario, str(values["profile"]))
    settings = {key: value for key, value in values.items() if "." not in key and key != "profile"}
    if settings:
        scenario = scenario.replace(parameters=scenario.policy.replace(**settings), kept=scenario.kept)
    for key, value in in_order(values):
        if "." in key:
            scenario = _set_in_section(scenario, key, value)
    return scenario


def _with_profile(scenario: Scenario, profile: str) -> Scenario:
    """The parameters of another profile, but for those that the scenario sets itself."""
    kept = names_kept(scenario.policy, scenario.kept)
    parameters = with_profile(scenario.policy, kept, profile)
    study = int(parameters.profile == constants.PROFILE_STUDY2007)
    return scenario.replace(parameters=parameters, kept=kept, emulation=scenario.course.replace(study_rules=study))


def in_order(values: Mapping[str, Value]) -> "List[tuple[str, Value]]":
    """The values, those first that others follow if these are not given: `mean_flops` is like `est_flops`."""
    return sorted(values.items(), key=lambda item: not item[0].endswith(("est_flops", "min_quorum")))


def replaced(record: _R, field: str, value: Value) -> _R:
    """Another record with another value. A field that was like this one stays like it."""
    changes: Dict[str, Any] = {field: value}
    for follower, leader in record._like.items():
        if leader == field and getattr(record, follower) == getattr(record, leader):
            changes[follower] = value
    return record.replace(**changes)


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
    records: List[Record] = listed(getattr(scenario, part), part)
    numbers = list(range(first, len(records)))
    if name:
        known = list(names) or [str(number) for number in range(len(records))]
        numbers = [number for number in numbers if known[number] == name]
    if not numbers:
        raise KeyError(f"{key}: the scenario has no {name or key.partition('.')[0]}")
    for number in numbers:
        if field not in records[number].fields:
            raise KeyError(f"{key}: there is no such key")
        records[number] = replaced(records[number], field, value)
    return scenario.replace(**{part: records})


def listed(records: Any, part: str) -> List[Any]:
    """Records that a sweep can change one by one."""
    if hasattr(type(records), "__array_interface__"):
        raise TypeError(f"{part} must be a list of records, not a NumPy array, for a sweep to change them")
    return list(records)
