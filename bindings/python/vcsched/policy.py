# SPDX-License-Identifier: MIT
"""Custom policies for the emulator: what they see, and what they decide."""

from __future__ import annotations

from types import TracebackType
from typing import Any, Callable, Dict, NamedTuple, Optional, Protocol, Sequence, Type, TypeVar, Union

from vcsched import constants
from vcsched.interface import (App, FetchQuestion, Host, ProjectResource, ProjectResourceForecast, Parameters,
                               Progress, Project, Resource,
                               ResourceForecast, Task, TaskForecast)
from vcsched.library import NULL, ffi, kind_of
from vcsched.memory import Record, Records
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

    __slots__ = ("state", "now", "seed", "_snapshot", "_parameters", "_read")

    state: State
    """The host, prepared; wrr() has run on it. Its decisions are the library's own."""
    now: float
    """The present, s since the epoch of the scenario."""
    seed: int
    """The seed of the emulation: a policy that draws at random starts from it, so that the same emulation comes out
    the same."""

    def __init__(self, pointer: Any) -> None:
        self.now = pointer.now
        self.seed = pointer.seed
        self._snapshot = pointer.snapshot
        self._parameters = pointer.parameters
        self._read: Dict[str, Records[Any]] = {}
        self.state = State._prepared(pointer.state, self._snapshot.resources.count, self._snapshot.projects.count,
                                     self._snapshot.tasks.count)

    def __enter__(self) -> "Situation":
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], value: Optional[BaseException],
                 traceback: Optional[TracebackType]) -> None:
        # Another thread may still be reading; what it reads goes when this call returns.
        with self.state._own.when_free():
            self._snapshot = self._parameters = None
            self.state._c = NULL

    def _copies(self, kind: Type[_R], name: str) -> Records[_R]:
        with self.state._own:
            if name not in self._read:
                if self._snapshot is None:
                    raise RuntimeError(f"Situation.{name}: a situation lasts as long as the call that was given it")
                array = getattr(self._snapshot, name)
                self._read[name] = found = Records(kind, array.count)
                if array.count:
                    ffi.memmove(found._base, array.base, array.count * kind._size)
            return self._read[name]

    @property
    def parameters(self) -> Parameters:
        """The policy of the client."""
        with self.state._own:
            if self._parameters is None:
                raise RuntimeError("Situation.parameters: a situation lasts as long as the call that was given it")
            return Parameters._at(self._parameters, None).copy()

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
        with self.state._own:
            return Forecast(*self.state._forecasts())


class Running(NamedTuple):
    """Which tasks run from now on. They must fit: no more may be used than there is."""

    tasks: Sequence[int]
    """Their indices in Situation.tasks."""
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


def write_running(decided: Union[Running, ScheduleOutcome], situation: Situation, decisions: Any,
                  summary: Any) -> None:
    """Writes which tasks run."""
    count = situation._snapshot.tasks.count
    if isinstance(decided, ScheduleOutcome) and not decided.tasks:  # decided with SCHEDULE_RUNNING
        for index, decision in decided.running.items():
            decisions[_index("schedule", "task", index, count)] = decision._c[0]
        summary.next_check = decided.summary.next_check
        return
    if isinstance(decided, ScheduleOutcome):
        _same_length("schedule", "tasks", len(decided.tasks), count)
        ffi.memmove(decisions, decided.tasks._base, ffi.sizeof("vcs_task_decision") * count)
        summary.next_check = decided.summary.next_check
        return
    if not isinstance(decided, Running):
        raise TypeError(f"schedule() must return Running or a ScheduleOutcome, not {type(decided).__name__}")
    for index in decided.tasks:
        decisions[_index("schedule", "task", index, count)].run = 1
    _set(summary, "next_check", decided, situation._parameters.period)


def write_asking(decided: Union[Asking, FetchOutcome], situation: Situation, question: FetchQuestion, decisions: Any,
                 summary: Any) -> None:
    """Writes whom to ask for what."""
    projects, resources = situation._snapshot.projects.count, situation._snapshot.resources.count
    if isinstance(decided, FetchOutcome):
        _same_length("fetch", "project_resources", len(decided.project_resources), projects * resources)
        ffi.memmove(decisions, decided.project_resources._base, ffi.sizeof("vcs_fetch_decision") * projects * resources)
        summary.project = decided.summary.project
        summary.next_check = decided.summary.next_check
        return
    if not isinstance(decided, Asking):
        raise TypeError(f"fetch() must return Asking or a FetchOutcome, not {type(decided).__name__}")
    asked = {_index("fetch", "project", request.project, projects) for request in decided.requests}
    if question.purpose == constants.FETCH_PIGGYBACK:
        asked.add(question.project)
    if len(asked) > 1:
        raise ValueError(f"fetch() asks projects {', '.join(map(str, sorted(asked)))}; one call is of one project")
    summary.project = asked.pop() if asked else constants.NONE
    for request in decided.requests:
        resource = _index("fetch", "resource", request.resource, resources)
        pair = decisions[request.project * resources + resource]
        _set(pair, "seconds", request)
        _set(pair, "instances", request)
    _set(summary, "next_check", decided, situation._parameters.look_interval or 60.0)


def _set(target: Any, name: str, decided: Any, default: Optional[float] = None) -> None:
    """Sets a field to what was decided, or to the default if that is None. What is out of range the library refuses."""
    value = getattr(decided, name)
    try:
        setattr(target, name, default if value is None else value)
    except TypeError:
        raise TypeError(f"{type(decided).__name__}.{name} must be a number, not {kind_of(value)}") from None


def _same_length(function: str, what: str, found: int, wanted: int) -> None:
    if found != wanted:
        raise ValueError(f"{function}() returned decisions on {found} {what}, but there are {wanted}")


def _index(function: str, what: str, index: int, count: int) -> int:
    if not 0 <= index < count:
        raise IndexError(f"{function}(): there is no {what} {index}, but {count} of them")
    return index
