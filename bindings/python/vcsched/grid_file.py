# SPDX-License-Identifier: MIT
"""What a scenario file says of a grid: its [server] and [population] sections (doc/state_format.md)."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Sequence, Tuple

from vcsched import constants
from vcsched.host_class import HostClass
from vcsched.host_table import HostTable, read_host_table
from vcsched.interface import (App, Emulation, GridProject, GridTerms, Host, HostModel, JobModel, Parameters, Project,
                               ProjectResource, Resource)
from vcsched.named_state import Fault, NamedState, StateReader, parsed, switch
from vcsched.scenario import Scenario
from vcsched.scenario_file import COURSE, DISTRIBUTIONS, ScenarioReader, word

_KINDS = ("host", "gpu", "client", "project", "project_resource", "app", "emulation", "server", "population")
_OF_SERVERS = ("latency_bound", "est_flops", "mean_flops", "sd_flops", "distribution", "sizes")
"""Keys of an application that in a grid are the server's to say."""

# ---- [server PROJECT] ----

_WORDS = {
    "distribution": DISTRIBUTIONS[:3],
    "dispatch": ("deadline", "reply"),
    "verification": ("none", "direct", "inverse", "recomputation", "credibility", "adaptive"),
    "quorum_rule": ("majority", "equal"),
    "credit_rule": ("claims", "fixed"),
    "order": ("drain_then_dead", "drain_then_oldest", "overdue_first"),
}
"""Keys that are choices, and their values in the order of the constants."""
_FLAGS_OF_SERVER = {"blacklist": constants.GRID_BLACKLIST, "withdraw": constants.GRID_WITHDRAW,
                    "assimilate_last": constants.GRID_ASSIMILATE_LAST, "aborts": constants.GRID_ABORTS,
                    "delays": constants.GRID_DELAYS}
_ONLY_WITH: Sequence[Tuple[Sequence[str], str, str]] = (
    (("sd_flops",), "distribution", "normal"),
    (("recomputation",), "verification", "recomputation"),
    (("fixed_credit",), "credit_rule", "fixed"),
    (("error_bound", "tolerance"), "verification", "credibility"),
    (("wait_factor", "dead_factor", "order"), "dispatch", "reply"),
    (("min_quorum", "target_nresults", "max_error", "max_total", "max_success", "quorum_rule", "max_refusals",
      "credit_rule", "max_single_claim"), "dispatch", "deadline"),
)
"""Keys that only have a meaning if another key has a certain value."""

# ---- [population NAME] ----

_OF_MODEL = ("speed_sd", "arrivals", "lifetime", "rate", "client_error", "no_reply", "wrong", "saboteurs", "sabotage")
_FLAGS_OF_MODEL = {"replaced": constants.HOSTS_REPLACED, "collude": constants.HOSTS_COLLUDE}
_BUFFERS = ("min_buffer", "additional_buffer")
_POPULATION = ("count", "table", "columns", "skipped_lines", "cpus", "flops", "gpus", "ram", *COURSE, "spells", "trace",
               "profile", *_BUFFERS, "projects", *_OF_MODEL, *_FLAGS_OF_MODEL)
_NEEDS = {"columns": "table", "skipped_lines": "table", "sabotage": "saboteurs", "collude": "saboteurs",
          "replaced": "lifetime", "spells": "spell_shape"}
"""Keys that only have a meaning together with another."""


def read_grid(path: str) -> Dict[str, Any]:
    """Reads the scenario of a grid: what `Grid` is made of."""
    with open(path, encoding="utf-8") as stream:
        return parse_grid(stream.read(), path)


def parse_grid(text: str, source: str) -> Dict[str, Any]:
    """Reads the text of such a file: what `Grid` is made of."""
    return parsed(text, source, lambda reader: _GridReader(reader, source).parts())


class _GridReader:
    """Makes records of what the sections say of a grid."""

    def __init__(self, reader: StateReader, source: str) -> None:
        self.reader = reader
        self.of_host = ScenarioReader(reader, source)
        self.has_host = "host" in reader.sections
        reader.sections.setdefault("host", [("host", "", {})])  # a grid may do without

    def parts(self) -> Dict[str, Any]:
        """The projects, the classes of hosts, and when it is emulated."""
        self._check_sections()
        state = self.reader.read()
        common = _Common(state, self.of_host)
        names = self.reader.names
        return {"projects": [self._project(number) for number in range(len(state.project_names))],
                "classes": [_Population(self.reader, self.of_host, common, number).host_class()
                            for number in range(len(names["population"]))],
                "terms": GridTerms(start=state.now, duration=common.emulation.duration, seed=common.emulation.seed),
                "project_names": state.project_names, "class_names": names["population"]}

    def _check_sections(self) -> None:
        sections = self.reader.sections
        for kind, found in sections.items():
            if kind in ("task", "candidate"):
                raise Fault(found[0][0], "", "the hosts of a grid have no tasks when it begins")
            if kind not in _KINDS:
                raise Fault(found[0][0], "", "there is no such section")
        for kind in ("project", "population"):
            if kind not in sections:
                raise Fault(f"{kind} NAME", "", "a grid needs this section")
        if self.has_host:
            self.reader.require("host", self.of_host.keys("host"), "cpus", "flops")
        for title, _, keys in sections.get("app", []):
            for key in _OF_SERVERS:
                if key in keys:
                    raise Fault(title, key, "in a grid, the [server] of the project says what its units are")
        for title, name, _ in sections.get("server", []):
            self.reader._index(title, "", "project", name)

    def _project(self, number: int) -> GridProject:
        """What a project computes, and how its server gives that out and checks it."""
        name = self.reader.names["project"][number]
        title = f"server {name}"
        if title not in [found for found, _, _ in self.reader.sections.get("server", [])]:
            raise Fault(f"project {name}", "", f"there is no section [{title}]")
        keys = self.of_host.keys(title)
        fields: Dict[str, Any] = {"distribution": constants.SIZES_NORMAL}  # as in [app]
        flags = 0
        for key in keys:
            if key in _WORDS:
                fields[key] = word(title, keys, key, _WORDS[key])
            elif key in _FLAGS_OF_SERVER:
                flags |= _FLAGS_OF_SERVER[key] if switch(title, key, keys[key]) else 0
            elif key not in GridProject.fields or key in ("id", "flags"):
                raise Fault(title, key, "there is no such key")
            else:
                fields[key] = self.reader.value(title, keys, key, GridProject())
        if "est_flops" not in keys:
            self.reader.require(title, {"est_flops": "", **keys} if "mean_flops" in keys else keys, "est_flops")
            fields["est_flops"] = fields["mean_flops"]
        project = GridProject(id=number, flags=flags, **fields)
        _check_server(title, keys, project)
        for most in ("max_total", "max_success"):
            if most not in keys:
                setattr(project, most, max(getattr(project, most), project.target_nresults))
        return project


def _check_server(title: str, keys: Dict[str, str], project: GridProject) -> None:
    """Refuses keys that have no meaning beside the others."""
    for only, key, value in _ONLY_WITH:
        for given in only:
            if given in keys and getattr(project, key) != _WORDS[key].index(value):
                raise Fault(title, given, f"only makes sense with {key} = {value}")
    if project.verification == constants.GRID_CHECK_RECOMPUTATION:
        for given in ("min_quorum", "target_nresults"):
            if given in keys:
                raise Fault(title, given, "makes no sense with verification = recomputation, which draws how many "
                                          "copies must agree")
    catches = project.verification != constants.GRID_CHECK_NONE or project.spot_checks > 0
    if project.flags & constants.GRID_BLACKLIST and not catches:
        raise Fault(title, "blacklist", "needs a verification or spot_checks: a quorum alone catches nobody")
    if project.flags & constants.GRID_WITHDRAW and not project.flags & constants.GRID_BLACKLIST:
        raise Fault(title, "withdraw", "only makes sense with blacklist = yes")
    if project.flags & constants.GRID_ASSIMILATE_LAST and "units" not in keys:
        raise Fault(title, "assimilate_last", "only makes sense with units, the size of the batch")


class _Common:
    """What the sections that every state file may have say of all hosts."""

    def __init__(self, state: NamedState, of_host: ScenarioReader) -> None:
        records = state.records
        self.host: Host = records["host"]
        self.resources: List[Resource] = records["resources"]
        self.projects: List[Project] = records["projects"]
        self.pairs: List[ProjectResource] = records["project_resources"]
        self.apps: List[App] = records["apps"]
        self.models: List[JobModel] = [of_host.model(title, keys, [])
                                       for title, _, keys in of_host.reader.sections.get("app", [])]
        self.servers = of_host.servers()
        self.parameters: Parameters = records["parameters"].copy()
        self.emulation: Emulation = of_host.emulation(state.now, self.parameters)
        self.switches = of_host.switches("host")
        self.state = state


class _Population:
    """A class of hosts, as its section says."""

    def __init__(self, reader: StateReader, of_host: ScenarioReader, common: _Common, number: int) -> None:
        self.title, _, self.keys = reader.sections["population"][number]
        self.number = number
        self.reader = reader
        self.of_host = of_host
        self.common = common

    def host_class(self) -> HostClass:
        """The hosts with what they are attached to, and how many there are."""
        self._check_keys()
        cpus = self.common.resources[0].replace(**self._given("cpus", "flops"))
        if "cpus" not in {**self.of_host.keys("host"), **self.keys}:
            cpus.instances = 0
        table = self._table(cpus)
        emulation = self.common.emulation.copy()
        self.of_host.set_course(self.title, emulation)
        if emulation.available < 1 and not emulation.available_mean:
            self.reader.require(self.title, self.keys, "available_mean")
        parameters = self._parameters()
        emulation.study_rules = int(parameters.profile == constants.PROFILE_STUDY2007)
        places, gpu_places = self._attached(), self._gpu_places()
        apps, models = self._apps([project for project, _ in places], gpu_places)
        own_switches = "trace" in self.keys or "available" in self.keys
        resources = [cpus, *(self.common.resources[gpu] for gpu in list(gpu_places)[1:])]
        scenario = Scenario(
            resources=resources, projects=[self.common.projects[project].replace(share=share)
                                           for project, share in places],
            apps=apps, models=models, project_resources=self._pairs([project for project, _ in places], gpu_places),
            host=self.common.host.replace(**self._given("ram")), servers=[self.common.servers[p] for p, _ in places],
            switches=self.of_host.switches(self.title) if own_switches else self.common.switches, emulation=emulation,
            parameters=parameters, kept=[*self.of_host.kept(), *(key for key in _BUFFERS if key in self.keys)],
            resource_names=[self.common.state.resource_names[gpu] for gpu in gpu_places],
            project_names=[self.common.state.project_names[project] for project, _ in places])
        return HostClass(scenario, self._model(table), [project for project, _ in places],
                         [] if table is None else table.rows)

    def _check_keys(self) -> None:
        for key in self.keys:
            if key not in _POPULATION:
                raise Fault(self.title, key, "there is no such key")
            if key in _NEEDS and _NEEDS[key] not in self.keys:
                raise Fault(self.title, key, f"only makes sense together with {_NEEDS[key]}")
        if "table" not in self.keys:
            self.reader.require(self.title, self.keys, "count")

    def _given(self, *names: str) -> Dict[str, Any]:
        """The values that the section itself has of these keys; CPUs are the instances of a resource."""
        values: Dict[str, Any] = {name: self.reader._number(self.title, self.keys, name, 0.0)
                                  for name in names if name in self.keys and name != "cpus"}
        if "cpus" in names and "cpus" in self.keys:
            values["instances"] = self.reader.whole(self.title, self.keys, "cpus", 0)
        return values

    def _table(self, cpus: Resource) -> Optional[HostTable]:
        """The table of hosts, if there is one. What it has need not be said, and must not, of the population."""
        table = None
        if "table" in self.keys:
            table = read_host_table(self.of_host.beside(self.keys["table"]), self.keys.get("columns"),
                                    self.reader.whole(self.title, self.keys, "skipped_lines", 0), cpus.instances)
            for key, has in (("flops", table.has_speeds), ("cpus", "cpus" in table.columns)):
                if has and key in self.keys:
                    raise Fault(self.title, key, "conflicts with a column of the table")
            if not cpus.instances and "cpus" in table.columns:
                cpus.instances = 1  # each row says it
            if cpus.flops <= 0 and table.has_speeds:
                cpus.flops = table.rows[0].flops
        for key, value in (("cpus", cpus.instances), ("flops", cpus.flops)):
            if value <= 0:
                self.reader.require(self.title, self.keys, key)
        return table

    def _model(self, table: Optional[HostTable]) -> HostModel:
        hosts = table.hosts if table is not None else 0.0
        if "count" in self.keys:
            hosts = self.reader.whole(self.title, self.keys, "count", 0)
        if hosts < 1:
            raise Fault(self.title, "count", "there must be at least 1 host")
        flags = sum(flag for key, flag in _FLAGS_OF_MODEL.items()
                    if key in self.keys and switch(self.title, key, self.keys[key]))
        return HostModel(id=self.number, count=int(hosts + 0.5), flags=flags, **self._given(*_OF_MODEL))

    def _parameters(self) -> Parameters:
        """The policy. A profile of the population's own takes the place of that of all hosts, but not of what the
        file sets by name."""
        parameters = self.common.parameters.copy()
        if "profile" in self.keys:
            try:
                parameters = self.reader._parameters(self.keys["profile"])
            except ValueError as error:
                raise Fault(self.title, "profile", str(error)) from None
            self.of_host.set_choices(parameters)
        for key in _BUFFERS:
            if key in self.keys:
                setattr(parameters, key, self.reader._number(self.title, self.keys, key, 0.0))
        return parameters

    def _attached(self) -> List[Tuple[int, float]]:
        """The projects of the hosts, by their number in the file, and their shares."""
        names = self.common.state.project_names
        if "projects" not in self.keys:
            return [(number, project.share) for number, project in enumerate(self.common.projects)]
        found: List[Tuple[int, float]] = []
        for item in self.keys["projects"].split(","):
            name, share = item.strip(), None
            front, blank, number = name.rpartition(" ")
            if name not in names and blank:
                try:
                    name, share = front.rstrip(), float(number)
                except ValueError:
                    pass  # all of it is a name, which does not exist
            project = self.reader._index(self.title, "projects", "project", name)
            if project in [other for other, _ in found]:
                raise Fault(self.title, "projects", "names a project twice")
            found.append((project, self.common.projects[project].share if share is None else share))
        return found

    def _gpu_places(self) -> Dict[int, int]:
        """The resources that the hosts have, by their number in the file: which one of the hosts' each is."""
        if "gpus" not in self.keys:
            return {number: number for number in range(len(self.common.resources))}
        names = [] if self.keys["gpus"] == "none" else [name.strip() for name in self.keys["gpus"].split(",")]
        chosen = [1 + self.reader._index(self.title, "gpus", "gpu", name) for name in names]
        if len(set(chosen)) < len(chosen):
            raise Fault(self.title, "gpus", "names a GPU type twice")
        return {number: place for place, number in enumerate([0, *chosen])}

    def _apps(self, projects: Sequence[int], gpus: Dict[int, int]) -> Tuple[List[App], List[JobModel]]:
        """The applications that the hosts can run. A project whose applications the file does not list has one."""
        apps, models = [], []
        for app, model in zip(self.common.apps, self.common.models):
            if app.project in projects and model.gpu in gpus:
                apps.append(app.replace(project=projects.index(app.project), gpu=gpus[model.gpu]))
                models.append(model.replace(gpu=gpus[model.gpu]))
        listed = {app.project for app in self.common.apps}
        for place, project in enumerate(projects):
            if not any(app.project == place for app in apps):
                apps.append(App(id=len(self.common.apps) + place, project=place))
                models.append(JobModel(weight=0.0 if project in listed else 1.0))  # 0: it needs what they do not have
        return apps, models

    def _pairs(self, projects: Sequence[int], gpus: Dict[int, int]) -> List[ProjectResource]:
        return [pair.replace(project=projects.index(pair.project), resource=gpus[pair.resource])
                for pair in self.common.pairs if pair.project in projects and pair.resource in gpus]
