# SPDX-License-Identifier: MIT
"""What is emulated: a host at the start, the jobs that its projects send, and the policy of its client."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, Iterator, List, Optional, Sequence, Union

from vcsched.files import File, numbers_of, read_bytes, records_of, scenario_at
from vcsched.interface import (App, AppResource, Emulation, Host, Hour, JobModel, Many, Parameters, Project,
                               ProjectResource, Resource, ServerModel, Task)
from vcsched.library import ffi, lib
from vcsched.memory import Borrowed, borrow, refuse_mask
from vcsched.named_state import NamedState
from vcsched.policy_choice import Changes
from vcsched.state import Plan, State

__all__ = ["Scenario"]


@dataclass(frozen=True, eq=False)
class Scenario:
    """A host and the servers of its projects. An emulation copies what it needs and does not change it."""

    resources: Many[Resource]
    """The CPUs first, then each type of GPU."""
    projects: Many[Project] = ()
    """Those that the host is attached to."""
    apps: Many[App] = ()
    """The applications of the projects. A project without one sends nothing."""
    models: Many[JobModel] = ()
    """The jobs of each application, as many as there are applications."""
    tasks: Many[Task] = ()
    """What the host has from the start. Each needs exactly the time that it says is left."""
    project_resources: Many[ProjectResource] = ()
    """What is known of a project on one resource, where anything is."""
    app_resources: Many[AppResource] = ()
    """What is known of an application on one resource, where anything is."""
    host: Optional[Host] = None
    """The computer as a whole; one without limits if not given."""
    hours: Many[Hour] = ()
    """How long it was seen on and off in each hour of the day, or of the week, before the emulation: 24 or 168."""
    servers: Many[ServerModel] = ()
    """One for each project; none if all answer always."""
    sizes: Sequence[float] = ()
    """Operations that jobs need, for models with SIZES_LIST."""
    switches: Sequence[float] = ()
    """When the host is switched off, on, off, ..., s from the start; they take the place of emulation.available."""
    emulation: Optional[Emulation] = None
    """How long it lasts, the seed, when the host is on; 100 days, always on, if not given."""
    parameters: Union[Parameters, str, None] = None
    """The policy, or the name of a profile; "current" if not given."""
    resource_names: Sequence[str] = ()
    """What a file calls the resources, projects, applications (PROJECT/NAME) and tasks. Nothing depends on names."""
    project_names: Sequence[str] = ()
    app_names: Sequence[str] = ()
    task_names: Sequence[str] = ()
    kept: Optional[Sequence[str]] = None
    """Names of the parameters that stay when a sweep changes the profile, since the file names them. If not given, all
    stay that differ from their profile."""

    @staticmethod
    def read(path: str) -> "Scenario":
        """Reads a scenario from a state file (doc/state_format.md)."""
        return _scenario_of(File(read_bytes(path), path, lib.VCS_FILE_SCENARIO))

    @staticmethod
    def parse(text: str, source: str = "the text") -> "Scenario":
        """Reads a scenario from the text of a state file. `source` is used in messages."""
        return _scenario_of(File(text.encode("utf-8"), source, lib.VCS_FILE_SCENARIO))

    def replace(self, **changes: Any) -> "Scenario":
        """Another scenario in which some parts differ."""
        if "parameters" in changes:
            changes.setdefault("kept", None)
        return dataclasses.replace(self, **changes)

    @property
    def policy(self) -> Parameters:
        """The parameters, also where only a profile is named. Not a copy."""
        if isinstance(self.parameters, Parameters):
            return self.parameters
        return Parameters("current" if self.parameters is None else self.parameters)

    @property
    def course(self) -> Emulation:
        """How it is emulated, also where nothing is said of it. Not a copy."""
        return Emulation(self.policy.profile) if self.emulation is None else self.emulation

    @property
    def now(self) -> float:
        """The moment at which it begins, in a file `now` of [host]: `course.start`."""
        return self.course.start

    def state(self, *, profile: Optional[str] = None, parameters: Changes = None) -> State:
        """The host as it is at the start, prepared. It takes the same arguments as plan()."""
        return self._named().state(profile=profile, parameters=parameters)

    def plan(self, *, profile: Optional[str] = None, parameters: Changes = None) -> Plan:
        """All decisions over the host as it is at the start. The plan prints itself with the names of the scenario.

        profile       decides in the place of the scenario's; the parameters of `kept` stay
        parameters    a dict: only these are other ones. Parameters, or the name of a profile: the whole policy
        """
        return self._named().plan(profile=profile, parameters=parameters)

    def _named(self) -> NamedState:
        parts = ("host", "now", "resources", "projects", "apps", "app_resources", "project_resources", "hours", "tasks")
        return NamedState({"parameters": self.policy, **{part: getattr(self, part) for part in parts}},
                          _fitting(self.resource_names, self.resources), _fitting(self.project_names, self.projects),
                          _fitting(self.task_names, self.tasks), (), self.kept)


def _fitting(names: Sequence[str], records: Any) -> Sequence[str]:
    """The names, unless records have come or gone since. What is no array is refused where the records are read."""
    return names if hasattr(records, "__len__") and len(names) == len(records) else ()


def scenario_of(given: Any, parameters: Any, **names: Any) -> Scenario:
    """A scenario made of the records of the library."""
    view = given.snapshot
    return Scenario(
        resources=records_of(view.resources, Resource), projects=records_of(view.projects, Project),
        apps=records_of(view.apps, App), models=records_of(given.models, JobModel), tasks=records_of(view.tasks, Task),
        project_resources=records_of(view.project_resources, ProjectResource),
        app_resources=records_of(view.app_resources, AppResource), host=records_of(view.host, Host)[0],
        hours=records_of(view.hours, Hour), servers=records_of(given.servers, ServerModel),
        sizes=numbers_of(given.sizes), switches=numbers_of(given.switches),
        emulation=records_of(given.emulation, Emulation)[0],
        parameters=Parameters._copy_of(parameters), **names)


def _scenario_of(file: File) -> Scenario:
    given = scenario_at(lib.vcs_file_scenario(file.c))
    view = given.snapshot
    return scenario_of(given, lib.vcs_file_parameters(file.c), kept=file.kept(),
                       resource_names=file.names(Resource, view.resources),
                       project_names=file.names(Project, view.projects), app_names=file.names(App, view.apps),
                       task_names=file.names(Task, view.tasks))


class Laid:
    """A scenario as the library takes it. The records live as long as this does."""

    __slots__ = ("c", "project_count", "resource_count", "_held")

    def __init__(self, scenario: Scenario, emulation: Emulation) -> None:
        view = [borrow([Host() if scenario.host is None else scenario.host], Host, "host"),
                borrow(scenario.resources, Resource, "resources"), borrow(scenario.projects, Project, "projects"),
                borrow(scenario.project_resources, ProjectResource, "project_resources"), borrow(scenario.apps, App,
                                                                                                 "apps"),
                borrow(scenario.app_resources, AppResource, "app_resources"),
                borrow(scenario.tasks, Task, "tasks"), borrow((), Task, "candidates"),
                borrow(scenario.hours, Hour, "hours")]
        rest = [borrow([emulation], Emulation, "emulation"), borrow(scenario.models, JobModel, "models"),
                borrow(scenario.servers, ServerModel, "servers"), _numbers(scenario.sizes, "sizes"),
                _numbers(scenario.switches, "switches")]
        self.c = ffi.new("vcs_scenario *", (
            ffi.sizeof("vcs_scenario"), 0, (ffi.sizeof("vcs_snapshot"), 0, *(part.members() for part in view)),
            *(part.members() for part in rest)))
        self.resource_count, self.project_count = view[1].count, view[2].count
        self._held: List[List[Borrowed]] = [view, rest]

    def contents(self) -> "Iterator[bytes]":
        """The bytes of each array, in a fixed order."""
        for part in (borrowed for held in self._held for borrowed in held):
            yield bytes(ffi.buffer(ffi.cast("char *", part.pointer), part.size * part.count)) if part.count else b""


def _numbers(values: Sequence[float], name: str) -> Borrowed:
    """Numbers in a row."""
    refuse_mask(values, name)
    try:
        memory = ffi.new("double[]", [float(value) for value in values])
    except (TypeError, ValueError) as reason:
        raise TypeError(f"{name} must be a sequence of numbers: {reason}") from None
    return Borrowed(memory, ffi.sizeof("double"), len(memory))
