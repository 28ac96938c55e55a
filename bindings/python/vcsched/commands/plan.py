# SPDX-License-Identifier: MIT
"""`python3 -m vcsched plan`: what will happen to the tasks of a host, what runs now, and what is fetched."""

from __future__ import annotations

import argparse
import json
import math
import sys
from typing import TYPE_CHECKING, Any, Dict, List, Optional

from vcsched.errors import UsageError

if TYPE_CHECKING:
    from vcsched.named_state import NamedState
    from vcsched.state import Plan


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Adds the command to the program."""
    parser = commands.add_parser("plan", help="say what a host does with its tasks, and what it asks for",
                                 description="Says what will happen to the tasks of a host, which of them run now, "
                                 "and which project is asked for work.")
    parser.add_argument("state", metavar="STATE.ini", help="state file (doc/state_format.md)")
    parser.add_argument("--json", action="store_true", help="everything, for programs: the same as vcemu plan --json")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Carries out the command. Returns the exit status."""
    try:
        from vcsched.named_state import read_state
    except ImportError as error:
        raise UsageError(str(error)) from None
    state = read_state(arguments.state)
    plan = state.plan()
    if arguments.json:
        json.dump(as_json(state, plan), sys.stdout, indent=2)
        print()
    else:
        print(plan)
    return 0


def _finite(value: float) -> Optional[float]:
    return value if math.isfinite(value) else None


def as_json(state: "NamedState", plan: "Plan") -> Dict[str, Any]:
    """The plan as vcemu writes it, with the names of the state file. What is infinite is null."""
    from vcsched import constants, interface
    fetch, schedule = plan.fetch.summary, plan.schedule.summary
    return {
        "now": state.now,
        "profile": interface.profile_name(state.records["parameters"].profile),
        "stopped": bool(plan.wrr.summary.flags & constants.SIMULATION_STOPPED),
        "reached": plan.wrr.summary.simulated_until,
        "schedule": {"running": schedule.running, "started": schedule.started, "stopped": schedule.stopped,
                     "look_again": _finite(schedule.next_check)},
        "fetch": {"project": state.project_names[fetch.project] if fetch.project != constants.NONE else None,
                  "reason": interface.reason_name(fetch.reason), "look_again": _finite(fetch.next_check)},
        "resources": [
            {"name": name, "instances": resource.instances, "shortfall": forecast.shortfall,
             "idle_now": forecast.idle_now, "saturated": _finite(forecast.saturated), "busy": edf.busy}
            for name, resource, forecast, edf in zip(state.resource_names, state.records["resources"],
                                                     plan.wrr.resources, plan.edf.resources)],
        "tasks": _tasks(state, plan),
        "projects": _projects(state, plan),
    }


def _instances(bits: int) -> List[int]:
    return [number for number in range(bits.bit_length()) if bits >> number & 1]


def _tasks(state: "NamedState", plan: "Plan") -> List[Dict[str, Any]]:
    from vcsched import constants, interface
    misses = {constants.VERDICT_MEETS: False, constants.VERDICT_MISSES: True}
    verdicts: Dict[int, str] = {verdict: verdict.name.lower() for verdict in constants.TaskForecastVerdict}
    verdicts[constants.TaskForecastVerdict.SUSPENDED] = "apart"  # as vcemu has it
    return [
        {"name": name, "project": state.project_names[task.project], "resource": state.resource_names[task.gpu],
         "finish": _finite(forecast.finish), "deadline_miss": misses.get(forecast.verdict),
         "verdict": verdicts[forecast.verdict], "run": bool(decision.run),
         "reason": interface.reason_name(decision.reason),
         **({"devices": _instances(decision.devices)} if decision.run and task.gpu else {}),
         **({"hopeless": True} if decision.flags & constants.DECISION_HOPELESS else {}),
         **({"give_up": True} if decision.flags & constants.DECISION_GIVE_UP else {})}
        for name, task, forecast, decision in zip(state.task_names, state.records["tasks"], plan.wrr.tasks,
                                                  plan.schedule.tasks)]


def _priorities(state: "NamedState", plan: "Plan") -> List[float]:
    """By what the projects are compared. One without a task that could run takes no part."""
    from vcsched import constants, interface
    resources = len(state.resource_names)
    entries = []
    for number, project in enumerate(state.records["projects"]):
        pairs = plan.wrr.project_resources[number * resources:(number + 1) * resources]
        entries.append(interface.RankEntry(
            id=project.id, share=project.share, rec=project.rec, priority_class=project.priority_class,
            flags=0 if any(pairs.column("tasks")) else constants.RANK_ENTRY_INACTIVE))
    return interface.rank(entries, interface.Ranking(rule=constants.RANK_PRIORITY)).priorities


def _projects(state: "NamedState", plan: "Plan") -> List[Dict[str, Any]]:
    from vcsched import interface
    resources = len(state.resource_names)
    listed = []
    for number, (name, priority) in enumerate(zip(state.project_names, _priorities(state, plan))):
        rows = []
        for place, resource in enumerate(state.resource_names):
            forecast = plan.wrr.project_resources[number * resources + place]
            request = plan.fetch.project_resources[number * resources + place]
            rows.append({"name": resource, "shortfall": forecast.shortfall, "misses": forecast.misses,
                         "tasks": forecast.tasks, "request_seconds": request.seconds,
                         "request_instances": request.instances, "reason": interface.reason_name(request.reason)})
        listed.append({"name": name, "priority": _finite(priority + 0.0), "resources": rows})
    return listed
