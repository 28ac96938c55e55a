# SPDX-License-Identifier: MIT
"""Jobs like the tasks that a host has, for projects none of whose applications describes its jobs.

So the state of a real client can be emulated unchanged (doc/state_format.md).
"""

from __future__ import annotations

import math
from itertools import groupby
from typing import Any, Dict, List, NamedTuple, Tuple

from vcsched import constants
from vcsched.interface import App, JobModel, Parameters, Project, Resource, Task

_MOST_OPERATIONS = 1e30
_LEAST_BOUND = 1.0
_Kind = Tuple[int, int, int, float, float]
"""Project, application, GPU type, CPUs, GPUs: tasks alike in all of this are jobs of one kind."""


class KnownTask(NamedTuple):
    """What is expected of a task from its beginning on."""

    seconds: float
    """Device seconds that it needs."""
    bound: float
    """How long after it was sent it is due, s; infinite if it never is."""


def complete(records: Dict[str, Any], models: List[JobModel], sizes: List[float], says: List[bool],
             known: List[KnownTask]) -> List[int]:
    """Gives jobs to the projects none of whose applications describes any. Applications are added for tasks without an
    application, and for further kinds of an existing one. Returns a task of each that was added."""
    apps: List[App] = records["apps"]
    described = {app.project for app, says_jobs in zip(apps, says) if says_jobs}
    silent = {project.id for project in records["projects"]} - described
    for model, says_jobs in zip(models, says):
        if not says_jobs:  # an application about which nothing is known sends nothing
            model.weight, model.latency_bound = 0.0, _LEAST_BOUND
    tasks: List[Task] = records["tasks"]
    found = sorted((_kind(task), number) for number, task in enumerate(tasks)
                   if task.project in silent and known[number].seconds > 0)
    added: List[int] = []
    for kind, group in groupby(found, key=lambda item: item[0]):
        alike = [number for _, number in group]
        number = kind[1]
        if number == constants.NONE or models[number].weight != 0:
            app = apps[number].replace(id=len(apps)) if number != constants.NONE \
                else App(id=len(apps), project=kind[0])
            number = len(apps)
            apps.append(app)
            models.append(JobModel())
            added.append(alike[0])
        models[number] = _model(kind, [tasks[at] for at in alike], [known[at] for at in alike], sizes, records,
                                apps[number])
    return added


def _kind(task: Task) -> _Kind:
    return task.project, task.app, task.gpu, task.cpus, task.gpus


def _model(kind: _Kind, tasks: List[Task], known: List[KnownTask], sizes: List[float], records: Dict[str, Any],
           app: App) -> JobModel:
    """They need what the client expects of the tasks, in turn, and are estimated as these are."""
    _, _, gpu, cpus, gpus = kind
    speed = _speed(records["resources"], gpu, cpus, gpus)
    own = [_clamp(task.seconds * speed, 0.0, _MOST_OPERATIONS) for task in known]
    mean = 0.0
    for size in own:
        mean += size / len(own)
    first = len(sizes)
    sizes += own
    correction = _correction(records["parameters"], records["projects"][app.project], app)
    return JobModel(latency_bound=_mean_bound(known), est_flops=_clamp(mean / correction, 0.0, _MOST_OPERATIONS),
                    mean_flops=mean, cpus=cpus, gpus=gpus, gpu=gpu, weight=float(len(own)),
                    ram=max([0.0, *(task.ram for task in tasks)]), distribution=constants.SIZES_LIST,
                    first_size=first, size_count=len(own))


def _speed(resources: List[Resource], gpu: int, cpus: float, gpus: float) -> float:
    """Operations per device second on all that the jobs use; those that use nothing pass at the speed of a CPU."""
    speed = cpus * resources[0].flops
    if gpu:
        speed += gpus * resources[gpu].flops
    return speed if speed > 0 else resources[0].flops


def _correction(parameters: Parameters, project: Project, app: App) -> float:
    """What makes an estimate of the whole out of est_flops / flops (rule 2.1)."""
    dcf = app.dcf if app.dcf > 0 else project.dcf
    return (dcf if parameters.use_dcf and dcf > 0 else 1.0) / (project.efficiency if project.efficiency > 0 else 1.0)


def _mean_bound(known: List[KnownTask]) -> float:
    """How long after it was sent a result is due: the mean of the tasks that have a deadline."""
    bounds = [task.bound for task in known if math.isfinite(task.bound) and task.bound > 0]
    total = 0.0
    for bound in bounds:
        total += bound
    return _clamp(total / len(bounds), _LEAST_BOUND, constants.MAX_SECONDS) if bounds else constants.MAX_SECONDS


def _clamp(value: float, least: float, most: float) -> float:
    return min(max(value, least), most)
