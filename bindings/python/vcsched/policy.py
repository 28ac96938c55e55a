# SPDX-License-Identifier: MIT
"""Custom policies for the emulator: what they see, and what they decide."""

from __future__ import annotations

import operator
from threading import RLock as _new_lock
from typing import Any, Callable, Dict, NamedTuple, Optional, Protocol, Sequence, Type, TypeVar, Union

from vcsched import constants
from vcsched.interface import (App, AppResource, FetchQuestion, Host, Hour, ProjectResource, ProjectResourceForecast,
                               Parameters,
                               Progress, Project, Resource,
                               ResourceForecast, Task, TaskForecast)
from vcsched.library import NULL, ffi, kind_of
from vcsched.memory import Record, Records
from vcsched.ownership import Ownership
from vcsched.state import FetchOutcome, ScheduleOutcome, State

__all__ = ["AnyPolicy", "Asking", "Estimates", "Fetches", "Forecast", "Policy", "Request", "Running", "Schedules",
           "Sends", "Situation"]

_R = TypeVar("_R", bound=Record)


class Forecast(NamedTuple):
    """What weighted round-robin makes of the tasks of a situation."""

    tasks: Records[TaskForecast]
    """One for each task."""
    resources: Records[ResourceForecast]
    """One for each resource."""
    project_resources: Records[ProjectResourceForecast]
    """One for each project and resource, project by project."""


class Situation:
    """What a decision looks at: copies of the records as they are now.

    It lasts as long as the call. What was read of it may be kept; `state` answers no more questions afterwards.
    """

    # Made for each decision, of which most look at little: what costs something is made when it is looked at.
    __slots__ = ("now", "seed", "_c", "_lock", "_state", "_read")

    now: float
    """The present, s since the epoch of the scenario."""
    seed: int
    """The seed of the emulation: a policy that draws at random starts from it, so that the same emulation comes out
    the same."""

    def __init__(self, pointer: Any) -> None:
        self.now = pointer.now
        self.seed = pointer.seed
        self._c = pointer
        self._lock = _new_lock()
        self._state: Optional[State] = None
        self._read: Optional[Dict[str, Records[Any]]] = None

    def _end(self) -> None:
        """Ends it. Another thread may still be reading; what it reads goes when this call returns."""
        with self._lock:
            self._c = None
            if self._state is not None:
                self._state._c = NULL

    @property
    def state(self) -> State:
        """The host, prepared; wrr() has run on it. Its decisions are the library's own."""
        own = Ownership("State", self._lock)
        with own:
            if self._state is None and self._c is None:
                self._state = State._prepared(NULL, 0, 0, 0, own)
            elif self._state is None:
                snapshot = self._c.snapshot
                self._state = State._prepared(self._c.state, snapshot.resources.count, snapshot.projects.count,
                                              snapshot.tasks.count, own)
            return self._state

    def _shown(self, name: str) -> Any:
        """What the library shows, while the call lasts."""
        if self._c is None:
            raise RuntimeError(f"Situation.{name}: a situation lasts as long as the call that was given it")
        return self._c

    def _copies(self, kind: Type[_R], name: str) -> Records[_R]:
        found = self._read.get(name) if self._read is not None else None
        if found is not None:
            return found
        lock = self._lock
        if not lock.acquire(False):
            Ownership.refuse("Situation")
        try:
            array = getattr((self._c or self._shown(name)).snapshot, name)
            found = Records(kind, array.count)
            if found._count:
                ffi.memmove(found._owner, array.base, found._count * kind._size)
            if self._read is None:
                self._read = {}
            self._read[name] = found
            return found
        finally:
            lock.release()

    @property
    def parameters(self) -> Parameters:
        """The policy of the client."""
        with Ownership("Situation", self._lock):
            return Parameters._at(self._shown("parameters").parameters, None).copy()

    @property
    def host(self) -> Host:
        """The computer as a whole."""
        return self._copies(Host, "host")[0]

    @property
    def resources(self) -> Records[Resource]:
        """The CPUs first, then each type of GPU."""
        return self._copies(Resource, "resources")

    @property
    def projects(self) -> Records[Project]:
        """The projects, with their accounts and timers as they are now."""
        return self._copies(Project, "projects")

    @property
    def project_resources(self) -> Records[ProjectResource]:
        """One for each project and resource, project by project."""
        return self._copies(ProjectResource, "project_resources")

    @property
    def apps(self) -> Records[App]:
        """The applications."""
        return self._copies(App, "apps")

    @property
    def app_resources(self) -> Records[AppResource]:
        """What is known of an application on one resource, where anything is."""
        return self._copies(AppResource, "app_resources")

    @property
    def hours(self) -> Records[Hour]:
        """How long the host was seen on and off in each hour, where parameters.hours is on."""
        return self._copies(Hour, "hours")

    @property
    def tasks(self) -> Records[Task]:
        """What the host has; `remaining` is estimated."""
        return self._copies(Task, "tasks")

    @property
    def candidates(self) -> Records[Task]:
        """For `send`: the jobs that the server has. In `remaining` stands what the server knows."""
        return self._copies(Task, "candidates")

    @property
    def forecast(self) -> Forecast:
        """What weighted round-robin has found."""
        state = self.state
        with state._own:
            return Forecast(*state._forecasts())


class Running(NamedTuple):
    """Which tasks run from now on. They must fit: no more may be used than there is."""

    tasks: Sequence[int]
    """Their indices in Situation.tasks, each once."""
    next_check: Optional[float] = None
    """Seconds until the next decision; parameters.period if None. Tasks that end or arrive also cause a decision."""


class Request(NamedTuple):
    """What to ask a project for."""

    project: int
    """Index of the project."""
    resource: int = 0
    """Index of the resource."""
    seconds: float = 0.0
    """Instance-seconds of wall time."""
    instances: float = 0.0
    """Idle instances that want a task each."""
    jobs: int = 0
    """Most jobs; 0 = as many as fill the seconds."""
    latency_bound: float = 0.0
    """Only jobs that are due no sooner after they are sent, s; 0 = any."""


class Asking(NamedTuple):
    """What to ask for: one project for all of it, or nobody."""

    requests: Sequence[Request] = ()
    """At most one for each resource, all of the same project."""
    next_check: Optional[float] = None
    """Seconds until the next decision, if nothing happens before; after parameters.look_interval, or a minute where
    that is 0, if None."""


ScheduleFunction = Callable[[Situation], Union[Running, ScheduleOutcome]]
FetchFunction = Callable[[Situation, FetchQuestion], Union[Asking, FetchOutcome]]
SendFunction = Callable[[Situation, int], bool]
EstimateFunction = Callable[[Progress, int], float]


class Schedules(Protocol):
    """A policy that decides which tasks run."""

    def schedule(self, situation: Situation) -> Union[Running, ScheduleOutcome]:
        """Decides which tasks run from now on. `situation.state.schedule()` is what the library would do."""


class Fetches(Protocol):
    """A policy that decides whom to ask for work."""

    def fetch(self, situation: Situation, question: FetchQuestion) -> Union[Asking, FetchOutcome]:
        """Decides whom to ask for what. With FETCH_PIGGYBACK in the question it is its project that is called, for
        another reason. `situation.state.fetch(question)` is what the library would do."""


class Sends(Protocol):
    """A policy of servers."""

    def send(self, situation: Situation, candidate: int) -> bool:
        """Decides whether a candidate is sent. Those before it have been."""


class Estimates(Protocol):
    """A policy that estimates how long tasks take."""

    def estimate(self, progress: Progress, rule: int) -> float:
        """Device seconds that are left of a task. `rule` is parameters.estimate."""


class Policy(NamedTuple):
    """A policy of functions. What is not given is the library's own."""

    schedule: Optional[ScheduleFunction] = None
    fetch: Optional[FetchFunction] = None
    send: Optional[SendFunction] = None
    estimate: Optional[EstimateFunction] = None


AnyPolicy = Union[Policy, Schedules, Fetches, Sends, Estimates]
"""An object with at least one of the methods, or functions."""


# ---- What was decided, as the library takes it ----


def write_running(decided: Union[Running, ScheduleOutcome], situation: Any, decisions: Any, summary: Any) -> None:
    """Writes which tasks run. The situation is the library's."""
    if isinstance(decided, Running):
        count = -1
        for index in decided.tasks:
            if type(index) is not int:
                index = _whole("Running.tasks has the indices of tasks", index)
            count = situation.snapshot.tasks.count if count < 0 else count
            if not 0 <= index < count:
                _index("schedule", "task", index, count)
            if decisions[index].run:
                raise ValueError(f"schedule() runs task {index} twice")
            decisions[index].run = 1
        _set_next_check(summary, decided, situation.parameters.period if decided.next_check is None else 0.0)
        return
    if not isinstance(decided, ScheduleOutcome):
        raise TypeError(f"schedule() must return Running or a ScheduleOutcome, not {type(decided).__name__}")
    count = situation.snapshot.tasks.count
    if decided.tasks:
        _same_length("schedule", "tasks", len(decided.tasks), count)
        ffi.memmove(decisions, decided.tasks._base, ffi.sizeof("vcs_task_decision") * count)
    else:  # decided with SCHEDULE_RUNNING
        for index, decision in decided.running.items():
            decisions[_index("schedule", "task", index, count)] = decision._c[0]
    summary.next_check = decided.summary.next_check


def write_asking(decided: Union[Asking, FetchOutcome], situation: Any, question: FetchQuestion, decisions: Any,
                 summary: Any) -> None:
    """Writes whom to ask for what. The situation is the library's."""
    if isinstance(decided, FetchOutcome):
        count = situation.snapshot.projects.count * situation.snapshot.resources.count
        _same_length("fetch", "project_resources", len(decided.project_resources), count)
        ffi.memmove(decisions, decided.project_resources._base, ffi.sizeof("vcs_fetch_decision") * count)
        summary.project = decided.summary.project
        summary.next_check = decided.summary.next_check
        return
    if not isinstance(decided, Asking):
        raise TypeError(f"fetch() must return Asking or a FetchOutcome, not {type(decided).__name__}")
    if decided.requests:
        _write_requests(decided.requests, situation.snapshot, question, decisions, summary)
    else:
        summary.project = question.project if question.purpose == constants.FETCH_PIGGYBACK else constants.NONE
    _set_next_check(summary, decided, (situation.parameters.look_interval or 60.0) if decided.next_check is None else 0)


def _write_requests(requests: Sequence[Request], snapshot: Any, question: FetchQuestion, decisions: Any,
                    summary: Any) -> None:
    projects, resources = snapshot.projects.count, snapshot.resources.count
    asked = {_index("fetch", "project", request.project, projects) for request in requests}
    if question.purpose == constants.FETCH_PIGGYBACK:
        asked.add(question.project)
    if len(asked) > 1:
        raise ValueError(f"fetch() asks projects {', '.join(map(str, sorted(asked)))}; one call is of one project")
    summary.project = asked.pop()
    for request in requests:
        resource = _index("fetch", "resource", request.resource, resources)
        pair = decisions[request.project * resources + resource]
        try:
            pair.seconds, pair.instances = request.seconds, request.instances
            pair.jobs, pair.latency_bound = request.jobs, request.latency_bound
        except TypeError:
            raise _no_number(request, "seconds", "instances", "jobs", "latency_bound") from None


def _set_next_check(summary: Any, decided: Union[Running, Asking], default: float) -> None:
    """Sets it to what was decided, or to the default if that is None. What is out of range the library refuses."""
    try:
        summary.next_check = default if decided.next_check is None else decided.next_check
    except TypeError:
        raise _no_number(decided, "next_check") from None


def _no_number(decided: Any, *names: str) -> TypeError:
    name = next(name for name in names if not isinstance(getattr(decided, name), (int, float)))
    return TypeError(f"{type(decided).__name__}.{name} must be a number, not {kind_of(getattr(decided, name))}")


def _same_length(function: str, what: str, found: int, wanted: int) -> None:
    if found != wanted:
        raise ValueError(f"{function}() returned decisions on {found} {what}, but there are {wanted}")


def _whole(what: str, value: Any) -> int:
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{what}, which are whole numbers, not {kind_of(value)}") from None


def _index(function: str, what: str, index: int, count: int) -> int:
    if not 0 <= index < count:
        raise IndexError(f"{function}(): there is no {what} {index}, but {count} of them")
    return index
