# SPDX-License-Identifier: MIT
"""`python3 -m vcsched run`: what would come of a scenario, in figures."""

from __future__ import annotations

import argparse
import json
import sys
import warnings
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Optional, Sequence

from vcsched.errors import InputError, Position, UsageError, VcsError
from vcsched.names import one_line

if TYPE_CHECKING:
    from vcsched.emulation import Emulated
    from vcsched.scenario import Scenario

_DAY = 86400.0
_FIGURES = {"waste": "waste", "idleness": "idleness", "share_violation": "share violation", "monotony": "monotony",
            "rpcs_per_job": "calls per job", "stops_per_job": "stops per job", "study_waste": "study's waste",
            "study_idleness": "study's idleness", "study_share_violation": "study's shares"}
"""The figures of merit, and how a person calls them."""
_COLUMNS = ("time", "event", "project", "task", "resource", "lane", "amount", "deadline", "reason")
_OF_RESOURCE = ("waste", "idleness", "available", "used", "wasted", "in_time", "done_late")

def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Adds the command to the program."""
    parser = commands.add_parser("run", help="tell what would come of a scenario",
                                 description="Emulates a host and its servers in virtual time, and prints the figures "
                                 "of merit and what came of each project.")
    parser.add_argument("scenario", metavar="SCENARIO.ini", help="scenario: a state file (doc/state_format.md)")
    parser.add_argument("--json", action="store_true", help="everything, for programs: the figures of vcemu run --json")
    parser.add_argument("--trace", metavar="FILE.csv", help="write all that happens to a file, as vcemu run --trace")
    parser.add_argument("--seed", type=_seed, metavar="NUMBER", help="seed of all random draws, overriding the file")
    parser.set_defaults(run=run)


def _seed(text: str) -> int:
    seed = int(text) if text.isascii() and text.isdigit() else -1
    if not 0 <= seed <= 0xffffffff:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0 to 4294967295")
    return seed


def run(arguments: argparse.Namespace) -> int:
    """Carries out the command. Returns the exit status."""
    try:
        from vcsched.emulation import emulate
        from vcsched.scenario import Scenario
    except ImportError as error:
        raise UsageError(str(error)) from None
    with warnings.catch_warnings(record=True) as assumed:
        warnings.simplefilter("always")
        scenario = Scenario.read(arguments.scenario)
    for warning in assumed:
        print(f"vcsched: warning: {warning.message}", file=sys.stderr)
    if arguments.seed is not None:
        scenario = scenario.replace(emulation=scenario.course.replace(seed=arguments.seed))
    if not _has_work(scenario):
        raise InputError(Position(arguments.scenario, 1, 1), _no_work(scenario))
    try:
        emulated = emulate(scenario, keep_events=arguments.trace is not None)
    except VcsError as error:
        raise InputError(Position(arguments.scenario, 1, 1), error.message) from None
    if arguments.trace is not None:
        with open(arguments.trace, "w", encoding="utf-8", newline="\n") as stream:
            stream.writelines(trace(scenario, emulated))
    if arguments.json:
        json.dump(as_json(scenario, emulated), sys.stdout, indent=2)
        print()
    else:
        print("\n".join(as_text(scenario, emulated)))
    return 0


def _has_work(scenario: "Scenario") -> bool:
    models: List[Any] = list(scenario.models)  # type: ignore[arg-type]
    return bool(scenario.tasks) or any(model.weight > 0 and (model.latency_bound > 0 or model.est_flops > 0)
                                       for model in models)


def _no_work(scenario: "Scenario") -> str:
    why = "no project sends any" if scenario.projects else "there is no [project]"
    return (f"there are no jobs to emulate: the host has no task, and {why}; an [app PROJECT/NAME] with latency_bound "
            f"and est_flops describes the jobs of a project")


# ---- For programs ----


def as_json(scenario: "Scenario", emulated: "Emulated") -> Dict[str, Any]:
    """The outcome. A figure that is undefined is null."""
    from vcsched import interface
    outcome = emulated.outcome.asdict()
    del outcome["flags"]
    resources = [{"name": name, **{key: getattr(resource, key) for key in (*_OF_RESOURCE, *_idle_times())}}
                 for name, resource in zip(scenario.resource_names, emulated.resources)]
    projects = []
    for name, project in zip(scenario.project_names, emulated.projects):
        figures = project.asdict()
        del figures["id"]
        projects.append({"name": name, **figures})
    return {"profile": interface.profile_name(scenario.policy.profile), "duration": scenario.course.duration,
            "seed": scenario.course.seed, **outcome, "resources": resources, "projects": projects}


def _idle_times() -> Dict[str, str]:
    """What resources were idle for, by field, in words."""
    from vcsched import constants, interface
    reasons = range(constants.IDLE_NONE + 1, constants.IDLE_REASONS)
    return {**{f"idle_{interface.idle_name(reason)}": interface.idle_sentence(reason) for reason in reasons},
            "off": "The host is off."}


def trace(scenario: "Scenario", emulated: "Emulated") -> Iterator[str]:
    """The events as lines of CSV."""
    from vcsched import constants, interface
    yield ",".join(_COLUMNS) + "\n"
    names = [interface.event_name(kind) for kind in range(constants.EVENT_KINDS)]
    projects, resources = _quoted(scenario.project_names), _quoted(scenario.resource_names)
    for event in emulated.events:
        task, deadline = "", ""
        if constants.EVENT_RECEIVED <= event.kind <= constants.EVENT_LATE:
            task, deadline = str(event.task), f"{event.deadline:.17g}"
        yield ",".join((f"{event.time:.17g}", names[event.kind], _at(projects, event.project), task,
                        _at(resources, event.resource), "" if event.track == constants.NONE else str(event.track),
                        f"{event.amount:.17g}", deadline,
                        interface.idle_name(event.reason) if event.kind == constants.EVENT_IDLE else "")) + "\n"


def _quoted(names: Sequence[str]) -> List[str]:
    """Names as fields of CSV."""
    return ['"' + name.replace('"', '""') + '"' for name in names]


def _at(names: List[str], index: int) -> str:
    """The name of a thing; empty if there is none."""
    return names[index] if index < len(names) else ""


# ---- For people ----


def as_text(scenario: "Scenario", emulated: "Emulated") -> Iterator[str]:
    """The figures, line by line."""
    from vcsched import interface
    outcome = emulated.outcome
    days = scenario.course.duration / _DAY
    yield (f"{days:g} day{'s' * (days != 1)} emulated, on for {outcome.available_time / _DAY:g}; "
           f"profile {interface.profile_name(scenario.policy.profile)}, seed {scenario.course.seed}")
    yield ""
    for field, name in _FIGURES.items():
        yield _figure(name, getattr(outcome, field))
    yield ""
    yield f"  {'resource':24} {'waste':>8} {'idleness':>9} {'instance days':>14}"
    for name, resource in zip(scenario.resource_names, emulated.resources):
        yield (f"  {one_line(name):24} {resource.waste:8.4f} {resource.idleness:9.4f} "
               f"{resource.available / _DAY:14.2f}")
        for field, sentence in _idle_times().items():
            if getattr(resource, field) > 0:
                yield f"    {sentence:55} {getattr(resource, field) / _DAY:9.4f}"
    yield ""
    yield f"  {'project':24} {'used':>8} {'received':>9} {'in time':>9} {'late':>9} {'calls':>9}"
    for name, project in zip(scenario.project_names, emulated.projects):
        used = project.flops_used / outcome.flops_used if outcome.flops_used > 0 else 0.0
        yield (f"  {one_line(name):24} {100 * used:6.2f} % {project.received:9} {project.in_time:9} {project.late:9} "
               f"{project.calls:9}")


def _figure(name: str, value: Optional[float]) -> str:
    if value is None:
        return f"  {name:17}    -     undefined: there is no data for it"
    return f"  {name:17} {value:8.4f}"
