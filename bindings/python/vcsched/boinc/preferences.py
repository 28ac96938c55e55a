# SPDX-License-Identifier: MIT
"""Computing preferences: `<global_preferences>`, in a client's state or in a file of its own."""

from __future__ import annotations

from typing import Dict, NamedTuple, Tuple

from vcsched.boinc.fields import Fields
from vcsched.boinc.xml_records import Element, Layout

SECONDS_PER_DAY = 86400.0

DEFAULTS = {
    "work_buf_min_days": 0.1,
    "work_buf_additional_days": 0.5,
    "cpu_scheduling_period_minutes": 60.0,
    "max_ncpus_pct": 0.0,
    "niu_max_ncpus_pct": -1.0,
    "max_cpus": 0.0,
    "cpu_usage_limit": 100.0,
    "niu_cpu_usage_limit": -1.0,
    "ram_max_used_idle_pct": 90.0,
    "ram_max_used_busy_pct": 50.0,
    "run_if_user_active": 1.0,
    "run_gpu_if_user_active": 0.0,
    "leave_apps_in_memory": 0.0,
}
"""The client's own defaults. -1 marks a preference for a computer that is not in use (niu) which nobody has set."""

PREFERENCE_FIELDS = frozenset(DEFAULTS) | {"venue"}

LAYOUT = Layout(
    description="a file of BOINC computing preferences",
    roots=frozenset({"global_preferences"}),
    containers=frozenset(),
    records=frozenset({"global_preferences"}),
    fields=PREFERENCE_FIELDS)


class Preferences(NamedTuple):
    """The preferences that a plan depends on, for a computer that somebody is using, or nobody."""

    min_buffer: float
    additional_buffer: float
    period: float
    cpu_fraction: float
    """Part of the CPUs that may be used."""
    most_cpus: int
    """CPUs that may be used at most; 0 = no such limit."""
    time_fraction: float
    """Part of the time in which the CPUs may be used."""
    ram_fraction: float
    leave_in_memory: bool
    """Whether CPU tasks stay in memory when they are stopped."""
    runs: bool
    """Whether anything may run, as far as somebody's using the computer is concerned."""
    runs_gpus: bool
    """The same for GPUs."""
    zeros: Tuple[str, ...]
    """Limits in percent that somebody has set to 0, which limits nothing."""


def read_preferences(record: Element, venue: str) -> Dict[str, float]:
    """The preferences that the record states.

    A `<venue>` of the given name replaces everything outside it, as in the client.
    """
    fields = Fields(record)
    for element in fields.every("venue"):
        if venue and element.attributes.get("name", "") == venue:
            fields = Fields(element)
            break
    # The greatest buffer is one that nobody can mean: a million days.
    return {name: fields.number(name, default, -1.0 if default < 0 else 0.0, 1e6)
            for name, default in DEFAULTS.items() if fields.one(name) is not None}


def join_preferences(*layers: Dict[str, float], in_use: bool = False) -> Preferences:
    """The preferences in force: each layer overrides those before it, and the client's defaults fill in the rest."""
    chosen = dict(DEFAULTS)
    for layer in layers:
        chosen.update(layer)
    cpus, time = (_name_in_force(chosen, name, in_use) for name in ("max_ncpus_pct", "cpu_usage_limit"))
    ram = "ram_max_used_busy_pct" if in_use else "ram_max_used_idle_pct"
    unlimited = [name for name in (cpus, time, ram) if chosen[name] == 0 and any(name in layer for layer in layers)
                 and not (name == cpus and chosen["max_cpus"] > 0)]
    return Preferences(
        min_buffer=chosen["work_buf_min_days"] * SECONDS_PER_DAY,
        additional_buffer=chosen["work_buf_additional_days"] * SECONDS_PER_DAY,
        period=_period_minutes(chosen) * 60.0,
        cpu_fraction=_fraction(chosen[cpus]),
        most_cpus=int(chosen["max_cpus"]),
        time_fraction=_fraction(chosen[time]),
        ram_fraction=_fraction(chosen[ram]),
        leave_in_memory=chosen["leave_apps_in_memory"] != 0,
        runs=not in_use or chosen["run_if_user_active"] != 0,
        runs_gpus=not in_use or chosen["run_gpu_if_user_active"] != 0,
        zeros=tuple(unlimited))


def _period_minutes(chosen: Dict[str, float]) -> float:
    """The scheduling period; what is as good as none counts as not set, as in the client."""
    minutes = chosen["cpu_scheduling_period_minutes"]
    return minutes if minutes >= 0.0001 else DEFAULTS["cpu_scheduling_period_minutes"]


def _name_in_force(chosen: Dict[str, float], name: str, in_use: bool) -> str:
    """The preference that holds: one for a computer that is not in use, if there is one and it is not."""
    return name if in_use or chosen["niu_" + name] < 0 else "niu_" + name


def _fraction(percent: float) -> float:
    """Percent as a fraction. 0 means that there is no limit."""
    return min(percent, 100.0) / 100.0 if percent > 0 else 1.0
