# SPDX-License-Identifier: MIT
"""A host, prepared once and asked many times: what will happen to its tasks, which run, what to fetch."""

from __future__ import annotations

import functools
from typing import Any, Callable, Dict, NamedTuple, NoReturn, Optional, Tuple, Type, TypeVar, Union, cast

from vcsched import constants, interface
from vcsched.interface import (Admission, App, AppResource, EdfResource, EdfSummary, EdfTask, FetchQuestion,
                               FetchSummary, Host, Hour, Many, ProjectResource, FetchDecision, ProjectResourceForecast,
                               Parameters, Project, Resource, ResourceDecision, ResourceForecast,
                               ScheduleSummary, Task, TaskDecision, TaskForecast, WrrSummary)
from vcsched.library import WRONG_ARGUMENT, explain, fail, failure, ffi, kind_of, lib
from vcsched.memory import Record, Records, borrow
from vcsched.ownership import Ownership, copied, refuse_to_pickle
from vcsched.plan_words import PlanNames, as_html, as_text

__all__ = ["EdfOutcome", "FetchOutcome", "Plan", "ScheduleOutcome", "State", "WrrOutcome", "plan"]

_R = TypeVar("_R", bound=Record)
_F = TypeVar("_F", bound=Callable[..., Any])


def _by_name(name: str, method: str, own: int = 0) -> Callable[[_F], _F]:
    """Lets a function say what it wants if it is given a host in one piece. `own` arguments come before."""
    def decorate(function: _F) -> _F:
        @functools.wraps(function)
        def checked(*given: Any, **parts: Any) -> Any:
            if len(given) > own:
                host = given[own]
                advice = f"{kind_of(host)} has a {method}() of its own: call that" \
                    if callable(getattr(host, method, None)) \
                    else f"a file is read by read_state() or Scenario.read(), and what they return has {method}()"
                raise TypeError(f"{name}() takes the parts of a host by name, such as {name}(resources=..., tasks=...);"
                                f" {advice}")
            return function(*given, **parts)
        return cast(_F, checked)
    return decorate


class WrrOutcome(NamedTuple):
    """What weighted round-robin makes of the tasks."""

    summary: WrrSummary
    tasks: Records[TaskForecast]
    """One for each task."""
    resources: Records[ResourceForecast]
    """One for each resource."""
    project_resources: Records[ProjectResourceForecast]
    """One for each project and resource, project by project."""


class EdfOutcome(NamedTuple):
    """When tasks run if the earliest deadline goes first."""

    summary: EdfSummary
    tasks: Records[EdfTask]
    resources: Records[EdfResource]


class ScheduleOutcome(NamedTuple):
    """Which tasks run from now on."""

    summary: ScheduleSummary
    tasks: Records[TaskDecision]
    """One for each task; with SCHEDULE_RUNNING there are none."""
    resources: Records[ResourceDecision]
    running: Dict[int, TaskDecision]
    """The decisions on the tasks that run, by the index of the task, in the order in which they were taken."""


class FetchOutcome(NamedTuple):
    """Which project to ask for work, and for how much."""

    summary: FetchSummary
    project_resources: Records[FetchDecision]
    """One for each project and resource, project by project."""


class Plan(NamedTuple):
    """All decisions over a host at one moment. It prints itself, and notebooks show it as tables."""

    wrr: WrrOutcome
    edf: EdfOutcome
    schedule: ScheduleOutcome
    fetch: FetchOutcome

    def names(self) -> Optional[PlanNames]:
        """What the parts of the host are called; None if only their numbers are known."""
        return None

    def __str__(self) -> str:
        return as_text(self, self.names())

    def _repr_html_(self) -> str:
        return as_html(self, self.names())


# What the library gets is in its own memory; it need not be 0 before.
_allocate_work = ffi.new_allocator(should_clear_after_alloc=False)
_WORK = ffi.typeof("uint64_t[]")
_VIEW = ffi.typeof("vcs_snapshot *")
_VIEW_SIZE = ffi.sizeof("vcs_snapshot")


class State:
    """A host at one moment. It keeps a copy of all that it needs: what it was made of may change afterwards.

    One state belongs to one thread at a time: RuntimeError while another one is using it. Different threads may use
    different states at the same time, copies among them.
    """

    __slots__ = ("_c", "_own", "_work", "_tasks", "_resources", "_projects")

    @_by_name("State", "state", own=1)
    def __init__(self, *, resources: Many[Resource], projects: Many[Project] = (), tasks: Many[Task] = (),
                 project_resources: Many[ProjectResource] = (), apps: Many[App] = (),
                 app_resources: Many[AppResource] = (), candidates: Many[Task] = (),
                 hours: Many[Hour] = (), host: Optional[Host] = None, parameters: Union[Parameters, str, None] = None,
                 now: float = 0.0) -> None:
        """Checks everything and sorts it. Raises VcsError for a record that makes no sense, and names the field.

        resources    the CPUs first, then each type of GPU
        projects     the projects that the host is attached to
        tasks        what it has to do
        project_resources        what is known of a project on one resource, where anything is
        apps         applications that have a limit or a correction factor of their own
        app_resources            what is known of an application on one resource, where anything is
        candidates   tasks that it might be sent, for admit()
        hours        how long it was seen on and off in each hour of the day, or of the week: 24 or 168, or none
        host         the computer as a whole
        parameters   the policy, or the name of a profile; "current" if not given
        now          the present, s since the epoch of all times
        """
        if parameters is None or isinstance(parameters, str):
            parameters = Parameters("current" if parameters is None else parameters)
        whole = [host] if host is not None else [Host()]
        held = (borrow(whole, Host, "host"), borrow(resources, Resource, "resources"),
                borrow(projects, Project, "projects"), borrow(project_resources, ProjectResource,
                                                              "project_resources"), borrow(apps, App, "apps"),
                borrow(app_resources, AppResource, "app_resources"), borrow(tasks, Task, "tasks"),
                borrow(candidates, Task, "candidates"), borrow(hours, Hour, "hours"))
        view = ffi.new(_VIEW, (_VIEW_SIZE, 0, *(part.members() for part in held)))
        self._resources, self._projects, self._tasks = held[1].count, held[2].count, held[6].count
        self._c = self._prepare(view, parameters, now)
        self._own = Ownership("State")

    def _prepare(self, view: Any, parameters: Parameters, now: float) -> Any:
        size = ffi.new("size_t *")
        code = lib.vcs_state_size(view, size)
        # A snapshot whose size cannot be computed is refused with a reason when it is prepared.
        words = size[0] // 8 if code == lib.VCS_OK else 1
        self._work = _allocate_work(_WORK, words)
        state = ffi.new("vcs_state **")
        arguments = (view, getattr(parameters, "_c", parameters), now, self._work, words * 8, state)
        try:
            code = lib.vcs_state_prepare(*arguments, ffi.NULL)
        except WRONG_ARGUMENT as reason:
            raise explain(reason, "State", ("parameters", parameters, Parameters), ("now", now, "double")) from None
        if code:
            fail("State", lib.vcs_state_prepare, *arguments)
        return state[0]

    def _read(self, function: Callable[..., int], kind: Type[_R], count: int) -> Records[_R]:
        """What the last decision said of each record."""
        out = Records(kind, count)
        code = function(self._c, out._as_array())
        if code:
            raise failure("State", code)
        return out

    @classmethod
    def _prepared(cls, state: Any, resources: int, projects: int, tasks: int, own: Optional[Ownership] = None
                  ) -> "State":
        """A state that somebody else has prepared and owns."""
        found = cls.__new__(cls)
        found._c, found._resources, found._projects, found._tasks = state, resources, projects, tasks
        found._own, found._work = own or Ownership("State"), None
        return found

    def copy(self) -> "State":
        """Another state of the same host, with what has been decided so far. Each goes its own way from here."""
        if self._work is None:
            raise TypeError("State.copy(): the emulator has prepared this state, which ends with the call")
        with self._own:
            other = State._prepared(None, self._resources, self._projects, self._tasks)
            other._work, other._c = copied(self._work, self._c)
            return other

    def __copy__(self) -> "State":
        return self.copy()

    def __deepcopy__(self, unused: object) -> "State":
        return self.copy()

    def __reduce__(self) -> NoReturn:
        refuse_to_pickle("State")

    def _forecasts(self) -> Tuple[Records[TaskForecast], Records[ResourceForecast], Records[ProjectResourceForecast]]:
        """What the last wrr() has found."""
        return (self._read(lib.vcs_wrr_tasks, TaskForecast, self._tasks),
                self._read(lib.vcs_wrr_resources, ResourceForecast, self._resources),
                self._read(lib.vcs_wrr_project_resources, ProjectResourceForecast, self._projects * self._resources))

    def wrr(self) -> WrrOutcome:
        """Simulates weighted round-robin: when each task ends, which miss their deadline, how much work is missing."""
        with self._own:
            return WrrOutcome(interface.wrr(self), *self._forecasts())

    def edf(self, which: int = constants.EDF_MISSED) -> EdfOutcome:
        """Simulates earliest deadline first, of the tasks that wrr() found to be late (EDF_MISSED) or of all (EDF_ALL).
        """
        with self._own:
            return EdfOutcome(interface.edf(self, which), self._read(lib.vcs_edf_tasks, EdfTask, self._tasks),
                              self._read(lib.vcs_edf_resources, EdfResource, self._resources))

    def admit(self, candidate: int) -> Admission:
        """Whether a candidate may join the tasks without harm. If it may, it joins them for the next ones."""
        return interface.admit(self, candidate)

    def schedule(self, detail: int = constants.SCHEDULE_EXPLAIN) -> ScheduleOutcome:
        """Decides which tasks run from now on, after wrr(): with a decision and its reason for each task
        (SCHEDULE_EXPLAIN), or with no more than which tasks run (SCHEDULE_RUNNING)."""
        with self._own:
            summary = interface.schedule(self, detail)
            tasks = self._read(lib.vcs_schedule_tasks, TaskDecision, self._tasks) \
                if detail == constants.SCHEDULE_EXPLAIN else Records(TaskDecision, 0)
            return ScheduleOutcome(summary, tasks,
                                   self._read(lib.vcs_schedule_resources, ResourceDecision, self._resources),
                                   self._running(summary.running))

    def _running(self, count: int) -> Dict[int, TaskDecision]:
        indices = ffi.new("uint32_t[]", count)
        decisions = Records(TaskDecision, count)
        code = lib.vcs_schedule_running(self._c, indices, decisions._as_array())
        if code:
            raise failure("State", code)
        return dict(zip(ffi.unpack(indices, count), decisions))

    def fetch(self, question: Optional[FetchQuestion] = None) -> FetchOutcome:
        """Decides whom to ask for work, and for how much, after wrr(). Without a question: which project, if any."""
        with self._own:
            return FetchOutcome(interface.fetch(self, question),
                                self._read(lib.vcs_fetch_decisions, FetchDecision, self._projects * self._resources))


@_by_name("plan", "plan")
def plan(*, resources: Many[Resource], projects: Many[Project] = (), tasks: Many[Task] = (),
         project_resources: Many[ProjectResource] = (),
         apps: Many[App] = (), app_resources: Many[AppResource] = (), hours: Many[Hour] = (),
         host: Optional[Host] = None, parameters: Union[Parameters, str, None] = None, now: float = 0.0) -> Plan:
    """Makes all decisions: what will happen to the tasks, which run now, what is fetched. Arguments as for State.

    Of a file, read_state(path).plan() does the same and knows the names.
    """
    state = State(resources=resources, projects=projects, tasks=tasks, project_resources=project_resources, apps=apps,
                  app_resources=app_resources, hours=hours, host=host, parameters=parameters, now=now)
    return Plan(state.wrr(), state.edf(), state.schedule(), state.fetch())
