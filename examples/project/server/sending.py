# SPDX-License-Identifier: MIT
"""Which results a host gets: candidates from the database, the decision from the library."""

from __future__ import annotations

import functools
import json
from math import ceil
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

import vcsched as v
from server.hosts import Standing
from server.project import Config, Project
from server.records import fill, names
from server.request import Request
from server.units import LoadedUnit, Units

SPARE = 4
"""Candidates beyond what is expected to be sent, in the place of those that the host cannot have."""

_UNIT = ", ".join(f"unit.{name}" for name in names(v.Unit))
_RESULT = ", ".join(f"result.{name}" for name in names(v.Result))
_UNIT_COUNT = len(names(v.Unit)) + 2
_RESULT_COUNT = len(names(v.Result))
_DELAY_BOUND = names(v.Unit).index("delay_bound")
_LATE = {v.REASON_BOUND_TOO_SHORT, v.REASON_BUSY_PAST_DEADLINE, v.REASON_OWN_DEADLINE, v.REASON_HARMS_TIMELY,
         v.REASON_DELAYS_LATE, v.REASON_SMALL_CHANCE, v.REASON_SMALLER_CHANCE, v.REASON_WAIT_COSTS,
         v.REASON_TAKES_MARGIN}

# The copies that wait longest first: what is asked for again belongs to an old unit.
_CANDIDATES = f"""select {_UNIT}, unit.application, unit.outputs, {_RESULT}, unit.flops, unit.flops_bound, unit.memory,
    unit.disk, unit.command_line, unit.inputs, unit.output_bytes, result.refusals
    from result join unit on unit.id = result.unit
    where result.server_state = 1 and unit.delay_bound >= ?
    and not exists (select 1 from result as other where other.unit = result.unit and other.{{owner}} = ?
                    and other.outcome <> {v.OUTCOME_CLIENT_DETACHED})
    order by result.id limit {{most}} for update of result, unit skip locked"""


class Job(NamedTuple):
    """A result that is sent, with what a client has to know of its unit."""

    unit: LoadedUnit
    result: int
    deadline: float
    flops: float
    flops_bound: float
    memory: float
    disk: float
    command_line: str
    inputs: List[Dict[str, Any]]
    output_bytes: int


class Refused(NamedTuple):
    """A job that would have been late."""

    flops: float
    latency_bound: float


class Sent(NamedTuple):
    """What a host gets, and why it gets no more."""

    jobs: List[Job]
    reason: int
    late: int
    """jobs that are refused for deadlines alone"""
    refused: Optional[Refused] = None
    """the first of these, if nothing is sent"""


@functools.lru_cache(maxsize=64)
def _parameters(rule: str, buffer: float) -> Any:
    return v.Parameters("current", work_send=rule, min_buffer=buffer)


def run_time(flops: float, request: Request) -> float:
    """Seconds for which the client expects a task to run."""
    return flops / request.computer.flops * request.correction


def choose(project: Project, units: Units, request: Request, host: int, account: int, standing: Standing,
           in_progress: int, versions: Dict[str, int]) -> Sent:
    """Sends results to a host, in a transaction in which its row is locked."""
    config = project.config
    left = standing.quota.left(units.now)
    limits = _limits(config, request, standing, left, in_progress)
    most = min(limits.max_jobs, limits.quota_left, max(0, limits.max_in_progress - in_progress),
               request.jobs or limits.max_jobs)
    if not most:
        return Sent([], v.REASON_QUOTA if not left else v.REASON_HOST_LIMIT, 0)
    owner, number = ("account", account) if config.one_copy_per_user else ("host", host)
    wanted = ceil(max(request.seconds / _typical(project, request), request.instances, 1))
    query = _CANDIDATES.format(owner=owner, most=min(most, wanted) + SPARE)
    rows = units.transaction.rows(query, (request.latency_bound, number))
    if not rows and request.latency_bound > 0:
        rows = units.transaction.rows(query, (0.0, number))  # the library says why they are not sent
    rows = [row for row in rows if row[_UNIT_COUNT - 2] in versions]
    if not rows:
        return Sent([], 0, 0)
    answer = _decide(config, units.now, request, rows, limits)
    jobs = [_send(units, row, host, account, versions)
            for row, decision in zip(rows, answer.decisions) if decision.sent]
    if jobs:
        standing.quota.take(units.now, len(jobs))
        project.typical_flops = jobs[-1].flops
    _count_refusals(config.refusal_limit, units, rows, answer.decisions)
    return Sent(jobs, answer.decisions[0].reason, answer.summary.late,
                None if jobs else _first_refused(rows, answer.decisions))


def _first_refused(rows: List[Tuple[Any, ...]], decisions: Any) -> Optional[Refused]:
    """So that the client knows what it cannot get, and need not ask for more of the kind."""
    return next((Refused(row[_UNIT_COUNT + _RESULT_COUNT], row[_DELAY_BOUND]) for row, decision in zip(rows, decisions)
                 if decision.reason in _LATE), None)


def _count_refusals(limit: int, units: Units, rows: List[Tuple[Any, ...]], decisions: Any) -> None:
    """What too many hosts in a row could not take is given up."""
    for row, decision in zip(rows, decisions):
        result, before = row[_UNIT_COUNT], row[-1]
        refusals, unsendable = v.send_refusals(decision.reason, limit, before)
        if unsendable:
            unit = units.load([row[0]])[row[0]]
            units.event(unit, v.UnitEvent(kind=v.UNIT_EVENT_UNSENDABLE, result=unit.index(result) or 0))
        if refusals != before:
            units.note(result, {"refusals": refusals})


def _typical(project: Project, request: Request) -> float:
    """How long a task takes on that host, by the last one that was sent to any."""
    return max(run_time(project.typical_flops, request), 1e-3)


def _limits(config: Config, request: Request, standing: Standing, left: int, in_progress: int) -> Any:
    limits = v.SendLimits()
    limits.flags = standing.trust.flags & v.BLACKLISTED
    limits.disk = request.computer.disk
    limits.max_jobs = config.tasks_per_reply
    limits.max_in_progress = config.tasks_per_cpu * request.computer.cpus
    limits.in_progress = in_progress
    limits.quota_left = left
    return limits


def _decide(config: Config, now: float, request: Request, rows: List[Tuple[Any, ...]], limits: Any) -> Any:
    """Asks the library. The client's preferences and what it knows of its tasks come with its request."""
    computer = request.computer
    usable = max(computer.on_fraction * computer.active_fraction, 0.01)
    tasks = [v.Task(id=index, remaining=task.remaining * usable, deadline=task.deadline, cpus=task.cpus)
             for index, task in enumerate(request.in_progress)]
    candidates: List[Any] = []
    jobs: List[Any] = []
    for row in rows:
        flops, _, memory, disk = row[_UNIT_COUNT + _RESULT_COUNT:_UNIT_COUNT + _RESULT_COUNT + 4]
        candidates.append(v.Task(id=len(tasks) + len(candidates), remaining=run_time(flops, request), ram=memory))
        jobs.append(v.SendJob(unit=row[0], latency_bound=row[_DELAY_BOUND], disk=disk))
    state = v.State(
        host=v.Host(ram=computer.memory), projects=[v.Project(id=0, share=1.0)], tasks=tasks, candidates=candidates,
        resources=[v.Resource(instances=computer.cpus, flops=computer.flops, usable=usable)],
        parameters=_parameters(config.send_rule, request.buffer), now=now)
    asked = v.SendRequest(seconds=request.seconds, instances=request.instances, busy=request.busy,
                          latency_bound=request.latency_bound, jobs=request.jobs)
    return v.send(state, [asked], jobs, limits)


def _send(units: Units, row: Tuple[Any, ...], host: int, account: int, versions: Dict[str, int]) -> Job:
    unit = LoadedUnit(row)
    unit.results = v.Result.records(1)
    fill(unit.results[0], row[_UNIT_COUNT:])
    unit.accounts = [None]
    units.assign(unit, 0, host, account, versions[unit.application])
    return job(unit, 0, row[_UNIT_COUNT + _RESULT_COUNT:-1])


def job(unit: LoadedUnit, index: int, columns: Tuple[Any, ...]) -> Job:
    """A job of a unit and the columns JOB."""
    result = unit.results[index]
    flops, bound, memory, disk, command_line, inputs, output_bytes = columns
    return Job(unit, result.id, result.deadline, flops, bound, memory, disk, command_line, json.loads(inputs),
               output_bytes)


JOB = "flops, flops_bound, memory, disk, command_line, inputs, output_bytes"
"""The columns of a unit that job() reads."""
