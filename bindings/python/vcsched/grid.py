# SPDX-License-Identifier: MIT
"""What a grid is: projects with their servers, and classes of hosts."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import Any, Iterator, List, Optional, Sequence, Type, TypeVar

from vcsched import constants
from vcsched.files import File, numbers_of, read_bytes, records_of, scenario_at
from vcsched.host_class import HostClass
from vcsched.interface import App, GridProject, GridTerms, HostModel, HostRow, JobModel, Many, Project, Resource
from vcsched.library import ffi, kind_of, lib
from vcsched.memory import Borrowed, Record, borrow, numbers
from vcsched.scenario import Laid, Scenario, scenario_of

__all__ = ["Grid"]

_R = TypeVar("_R", bound=Record)

_ANY_BOUND = 1.0
"""A latency bound that is in range and that nobody looks at: the grid's project has one of its own."""


@dataclass(frozen=True, eq=False)
class Grid:
    """Projects with their servers, and the hosts that work for them. An emulation does not change it."""

    projects: Many[GridProject]
    """What each project computes, and how its server hands that out and checks it."""
    classes: Sequence[HostClass]
    """The hosts, class by class."""
    terms: Optional[GridTerms] = None
    """How long it lasts, the seed, how often a sample is taken; 100 days without samples if not given."""
    project_names: Sequence[str] = ()
    """What results call the projects, and what sweeps call the classes. Nothing depends on names."""
    class_names: Sequence[str] = ()

    @staticmethod
    def read(path: str) -> "Grid":
        """Reads a grid from a scenario file of `vcemu grid` (doc/state_format.md)."""
        return _grid_of(File(read_bytes(path), path, lib.VCS_FILE_GRID))

    @staticmethod
    def parse(text: str, source: str = "the text") -> "Grid":
        """Reads a grid from the text of such a file. `source` is used in messages, and what the file names is looked
        for beside it."""
        return _grid_of(File(text.encode("utf-8"), source, lib.VCS_FILE_GRID))

    def replace(self, **changes: Any) -> "Grid":
        """Another grid in which some parts differ."""
        return dataclasses.replace(self, **changes)

    @property
    def course(self) -> GridTerms:
        """When it is emulated, also where nothing is said of it. Not a copy."""
        return GridTerms() if self.terms is None else self.terms


def _grid_of(file: File) -> Grid:
    given = lib.vcs_file_grid(file.c)
    return Grid(records_of(given.projects, GridProject),
                [_class_of(file, number) for number in range(given.classes.count)],
                records_of(given.terms, GridTerms)[0], file.names(Project, given.projects),
                file.names(HostModel, given.classes))


def _class_of(file: File, number: int) -> HostClass:
    """A class of hosts. A resource has as its id which one of the file it is."""
    given = lib.vcs_file_host_class(file.c, number)
    host = scenario_at(given.scenario)
    view = host.snapshot
    projects = numbers_of(given.projects, "uint32_t")
    apps, models = records_of(view.apps, App), records_of(host.models, JobModel)
    for place in set(range(len(projects))) - {app.project for app in apps}:
        apps.append(App(id=len(apps), project=place))
        models.append(JobModel(weight=0.0))  # all its applications need what the hosts do not have
    scenario = scenario_of(host, given.parameters, kept=file.kept(number),
                           project_names=[file.name(Project, project) for project in projects],
                           resource_names=[file.name(Resource, resource.id)
                                           for resource in records_of(view.resources, Resource)])
    return HostClass(scenario.replace(apps=apps, models=models), records_of(given.model, HostModel)[0], projects,
                     records_of(given.rows, HostRow))


class LaidGrid:
    """A grid as the library takes it. The records live as long as this does."""

    __slots__ = ("c", "project_count", "classes", "_held", "_hosts", "_terms")

    def __init__(self, grid: Grid, terms: GridTerms) -> None:
        projects = borrow(grid.projects, GridProject, "projects")
        self.project_count = projects.count
        self.classes = ffi.new("vcs_host_class[]", len(_classes(grid)))
        self._held: List[Borrowed] = [borrow([terms], GridTerms, "terms"), projects]
        self._hosts: List[Laid] = []
        self._terms = terms
        for number, given in enumerate(grid.classes):
            self._lay_class(grid, number, given)
        whole = Borrowed(self.classes, ffi.sizeof("vcs_host_class"), len(grid.classes))
        parts = [part.members() for part in (*self._held[:2], whole)]
        self.c = ffi.new("vcs_grid *", (ffi.sizeof("vcs_grid"), 0, *parts))

    def _lay_class(self, grid: Grid, number: int, given: HostClass) -> None:
        """Fills in a class, but for its functions."""
        place = f"classes[{number}]"
        scenario = _attached(given.scenario, self.project_count)
        laid, parameters = Laid(scenario, scenario.course), scenario.policy
        attached = range(laid.project_count) if given.projects is None else given.projects
        indices = numbers(list(attached), "uint32_t", f"{place}.projects")
        parts = [Borrowed(indices, ffi.sizeof("uint32_t"), len(indices)),
                 borrow([given.model], HostModel, f"{place}.model"), borrow(given.rows, HostRow, f"{place}.rows"),
                 Borrowed(parameters._c, parameters._size, 1)]
        self._hosts.append(laid)
        self._held += parts
        c = self.classes[number]
        c.struct_size, c.scenario, c.parameters = ffi.sizeof("vcs_host_class"), laid.c, parameters._c
        c.projects, c.model, c.rows = (part.members() for part in parts[:3])

    def most_hosts(self) -> int:
        """How many hosts there will be, if each that leaves is replaced: far more than the mean never happens."""
        most = 0.0
        for given in self.classes:
            model = ffi.cast("vcs_host_model *", given.model.base)
            most += model.count
            if model.flags & constants.HOSTS_REPLACED and model.lifetime > 0:
                later = model.count * self._terms.duration / model.lifetime
                most += later + 8 * math.sqrt(later) + 16 if later > 0 else 0
        return int(most) if most <= constants.MAX_HOSTS else 0  # the library refuses it

    def sample_room(self) -> int:
        """How many samples may be taken of each project."""
        every, duration = self._terms.sample, self._terms.duration
        return int(duration / every) + 1 if 0 < every < math.inf and 0 < duration < math.inf else 0

    def contents(self) -> "Iterator[bytes]":
        """The bytes of each array, in a fixed order."""
        for part in self._held:
            yield bytes(ffi.buffer(ffi.cast("char *", part.pointer), part.size * part.count)) if part.count else b""
        for host in self._hosts:
            yield from host.contents()


def _classes(grid: Grid) -> Sequence[HostClass]:
    if isinstance(grid.classes, (str, bytes)) or not isinstance(grid.classes, Sequence):
        raise TypeError(f"classes must be a sequence of HostClass, not {kind_of(grid.classes)}")
    for number, given in enumerate(grid.classes):
        if not isinstance(given, HostClass):
            raise TypeError(f"classes[{number}] must be HostClass, not {kind_of(given)}")
        if not isinstance(given.scenario, Scenario):
            raise TypeError(f"classes[{number}].scenario must be Scenario, not {kind_of(given.scenario)}")
    return grid.classes


def _attached(scenario: Scenario, project_count: int) -> Scenario:
    """A host that says of no project: attached to all. Each project has an application at least."""
    attached = borrow(scenario.projects, Project, "projects").count
    if not attached:
        scenario = scenario.replace(projects=[Project(id=number) for number in range(project_count)])
        attached = project_count
    apps, models = _copies(scenario.apps, App, "apps"), _copies(scenario.models, JobModel, "models")
    for model in models:
        model.latency_bound = model.latency_bound or _ANY_BOUND
    described = {app.project for app in apps}
    for number in range(attached):
        if number not in described and len(apps) == len(models):
            apps.append(App(id=len(apps), project=number))
            models.append(JobModel(latency_bound=_ANY_BOUND))
    return scenario.replace(apps=apps, models=models)


def _copies(given: Many[_R], kind: Type[_R], name: str) -> List[_R]:
    held = borrow(given, kind, name)
    return [kind._copy_of(held.pointer + index) for index in range(held.count)]
