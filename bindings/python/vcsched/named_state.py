# SPDX-License-Identifier: MIT
"""A state file as records of the library, with the names that it gives them (doc/state_format.md)."""

from __future__ import annotations

import configparser
import io
import warnings
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple, TypeVar

from vcsched import constants, interface
from vcsched.errors import InputError, Position, VcsError
from vcsched.host_state import CPU, HostState
from vcsched.interface import (App, Host, JobModel, ProjectResource, Parameters, Progress, Project, Resource,
                               ServerModel, Task)
from vcsched.memory import Record, parameter_choices
from vcsched.state import Plan, State, plan
from vcsched.state_file import write_state

_SWITCH = {**dict.fromkeys(("yes", "true", "on", "1"), True), **dict.fromkeys(("no", "false", "off", "0"), False)}
_FLAGS = {
    "host": {"paused": constants.RESOURCE_PAUSED},
    "gpu": {"suspended": constants.RESOURCE_SUSPENDED, "paused": constants.RESOURCE_PAUSED},
    "project": {"suspended": constants.PROJECT_SUSPENDED, "no_new_work": constants.PROJECT_NO_NEW_WORK,
                "apps_listed": constants.PROJECT_APPS_LISTED},
    "project_resource": {"not_wanted": constants.PROJECT_RESOURCE_NOT_WANTED,
                         "no_apps": constants.PROJECT_RESOURCE_NO_APPS},
    "task": {"suspended": constants.TASK_SUSPENDED, "started": constants.TASK_STARTED,
             "running": constants.TASK_RUNNING | constants.TASK_STARTED, "was_late": constants.TASK_WAS_LATE,
             "downloading": constants.TASK_DOWNLOADING, "in_memory": constants.TASK_IN_MEMORY},
}
_REFERENCES = ("project", "app", "gpu", "resource")
_HOST_KEYS = ("now", "cpus", "flops", "usable", "reserve", "paused", "ram", "available", "available_step",
              "available_mean", "spells", "spell_shape", "connection_interval", "switches", "trace")
_NO_OR_YES = {"no": 0, "yes": 1}
"""The choices of a parameter that is a switch."""

_WAITS = ("none", "user", "master_file", "download", "uploads")
"""The words for WAIT_*, in the order of their values."""

_T = TypeVar("_T")


class NamedState(NamedTuple):
    """A host with the names of its parts. Names are in the order of the records."""

    records: Dict[str, Any]
    """What State() and plan() take."""
    resource_names: List[str]
    project_names: List[str]
    task_names: List[str]
    candidate_names: List[str]

    @property
    def now(self) -> float:
        """The moment that it describes."""
        return float(self.records["now"])

    def state(self) -> State:
        """The host, prepared."""
        return State(**self.records)

    def plan(self) -> Plan:
        """All decisions over it."""
        return plan(**{name: value for name, value in self.records.items() if name != "candidates"})


def read_state(path: str) -> NamedState:
    """Reads a state file."""
    with open(path, encoding="utf-8") as stream:
        return parse_state(stream.read(), path)


def from_host_state(state: HostState) -> NamedState:
    """What the importer made of a BOINC client, as records of the library."""
    text = io.StringIO()
    write_state(state, text)
    return parse_state(text.getvalue(), "the imported state")


def parse_state(text: str, source: str) -> NamedState:
    """Reads the text of a state file. `source` is used in messages."""
    return parsed(text, source, lambda reader: reader.read())


def parsed(text: str, source: str, read: "Callable[[StateReader], _T]") -> _T:
    """What a function makes of the sections of a state file."""
    parser = configparser.ConfigParser(interpolation=None, delimiters=("=",), empty_lines_in_values=False)
    try:
        parser.read_string(text, source)
        return read(StateReader(parser))
    except configparser.Error as error:
        raise InputError(Position(source, getattr(error, "lineno", None) or 1, 1), str(error.message)) from None
    except Fault as fault:
        raise InputError(Position(source, _line_of(text, fault.section, fault.key), 1), str(fault)) from None


class Fault(Exception):
    """What is wrong with a key of a section."""

    def __init__(self, section: str, key: str, message: str) -> None:
        super().__init__(f"[{section}] {key}: {message}")
        self.section = section
        self.key = key


def _line_of(text: str, section: str, key: str) -> int:
    """The line of a key; without it, the line where its section begins."""
    inside, found = False, 1
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("["):
            inside = line.rstrip() == f"[{section}]"
            found = number if inside else found
        elif inside and line.partition("=")[0].strip().lower() == key:
            return number
    return found


def switch(title: str, key: str, text: str) -> bool:
    """A yes or a no, in the words that configparser takes."""
    if text.lower() not in _SWITCH:
        raise Fault(title, key, f"{text!r} is neither yes nor no")
    return _SWITCH[text.lower()]


class StateReader:
    """Makes records of the sections, those first that others refer to."""

    def __init__(self, parser: configparser.ConfigParser) -> None:
        self.sections: Dict[str, List[Tuple[str, str, Dict[str, str]]]] = {}
        for title in parser.sections():
            kind, _, name = title.partition(" ")
            self.sections.setdefault(kind, []).append((title, name, dict(parser[title])))
        self.names: Dict[str, List[str]] = {kind: [name for _, name, _ in parts]
                                            for kind, parts in self.sections.items()}
        self.names["resource"] = [CPU, *self.names.get("gpu", [])]

    def read(self) -> NamedState:
        title, _, host = self._only("host")
        for key in host:
            if key not in _HOST_KEYS:
                raise Fault(title, key, "there is no such key")
        now = self._number(title, host, "now", 0.0)
        cpus = Resource(instances=self.whole(title, host, "cpus", 1),
                        flops=self._number(title, host, "flops", 0), usable=self._number(title, host, "usable", 1.0),
                        reserve=self._number(title, host, "reserve", 0.0))
        cpus.flags = constants.RESOURCE_PAUSED if switch(title, "paused", host.get("paused", "no")) else 0
        parameters = self._parameters()
        projects = [self._record("project", Project, number, ("class", *ServerModel.fields))
                    for number in range(self._count("project"))]
        for number, (_, _, keys) in enumerate(self.sections.get("project", [])):
            if "class" in keys:
                projects[number].priority_class = int(float(keys["class"]))
        apps = [self._app(number) for number in range(self._count("app"))]
        records = {"host": Host(ram=self._number(title, host, "ram", 0.0)), "now": now, "parameters": parameters,
                   "resources": [cpus, *(self._gpu(number) for number in range(self._count("gpu")))],
                   "projects": projects, "apps": apps, "project_resources": [self._pair(number)
                                                                 for number in range(self._count("project_resource"))]}
        for kind in ("task", "candidate"):
            records[kind + "s"] = [self._task(kind, number, parameters, projects, apps)
                                   for number in range(self._count(kind))]
        return NamedState(records, self.names["resource"], self.names.get("project", []), self.names.get("task", []),
                          self.names.get("candidate", []))

    def _only(self, kind: str) -> Tuple[str, str, Dict[str, str]]:
        found = self.sections.get(kind)
        if not found:
            raise Fault(kind, "", "the section is missing")
        return found[0]

    def _count(self, kind: str) -> int:
        return len(self.sections.get(kind, []))

    def _number(self, title: str, keys: Dict[str, str], key: str, default: float) -> float:
        if key not in keys:
            return default
        text = keys[key]
        try:
            return float.fromhex(text) if text.lower().lstrip("+-").startswith("0x") else float(text)
        except ValueError:
            raise Fault(title, key, f"{text!r} is not a number") from None

    def whole(self, title: str, keys: Dict[str, str], key: str, default: float) -> int:
        """A number without a fraction."""
        number = float(self._number(title, keys, key, default))
        if not number.is_integer():
            raise Fault(title, key, f"{keys[key]!r} is not a whole number")
        return int(number)

    def value(self, title: str, keys: Dict[str, str], key: str, record: Record) -> Any:
        """A number as the field of a record that has the name of the key."""
        read = self.whole if isinstance(getattr(record, key), int) else self._number
        return read(title, keys, key, 0.0)

    def require(self, title: str, keys: Dict[str, str], *required: str) -> None:
        """Refuses a section without these keys."""
        for key in required:
            if key not in keys:
                raise Fault(title, "", f"{key} is missing")

    def _index(self, title: str, key: str, kind: str, name: str) -> int:
        known = self.names.get(kind, [])
        if name not in known:
            raise Fault(title, key, f"there is no {kind} {name!r}")
        return known.index(name)

    def _parameters(self, profile: Optional[str] = None) -> Parameters:
        """The policy of [client]; with another profile, what it sets itself stays."""
        title, _, keys = self.sections.get("client", [("client", "", {})])[0]
        try:
            parameters = Parameters(keys.get("profile", "current") if profile is None else profile)
        except ValueError as error:
            raise Fault(title, "profile", str(error)) from None
        for key, text in keys.items():
            row = interface.parameter_find(key)
            if key == "profile":
                continue
            if key == "overcommit":
                fit = "any" if switch(title, key, text) else "fraction"
                setattr(parameters, "cpu_fit", fit)
                warnings.warn(f"[{title}] {key}: is now called cpu_fit; this means cpu_fit = {fit}", stacklevel=2)
                continue
            if row == constants.NONE:
                raise Fault(title, key, "there is no such parameter")
            try:
                if parameter_choices(key) == _NO_OR_YES:
                    setattr(parameters, key, int(switch(title, key, text)))
                elif interface.parameter_at(row).kind == constants.PARAMETER_CHOICE:
                    setattr(parameters, key, text)
                else:
                    interface.parameter_set(parameters, row, self._number(title, keys, key, 0.0))
            except ValueError as error:
                raise Fault(title, key, str(error)) from None
        return parameters

    def _record(self, kind: str, record: Any, number: int, skipped: Tuple[str, ...] = ("class",)) -> Any:
        """A record of the keys that have the names of its fields; switches become flags."""
        title, _, keys = self.sections[kind][number]
        made = record(id=number)
        flags = _FLAGS.get("task" if kind == "candidate" else kind, {})
        for key, text in keys.items():
            if key in skipped or key in _REFERENCES:
                continue
            if key == "wait":
                if text not in _WAITS:
                    raise Fault(title, key, f"{text!r} is not one of {', '.join(_WAITS)}")
                made.wait = _WAITS.index(text)
            elif key in ("excluded", "devices"):
                setattr(made, key, self._instances(title, key, text))
            elif key in flags:
                made.flags |= flags[key] if switch(title, key, text) else 0
            elif key not in made.fields:
                raise Fault(title, key, "there is no such key")
            elif text != "never":
                value = self.value(title, keys, key, made)
                try:
                    setattr(made, key, value)
                except (OverflowError, ValueError) as error:
                    raise Fault(title, key, str(error)) from None
        return made

    def _instances(self, title: str, key: str, text: str) -> int:
        """A bit for each number of a list."""
        items = text.replace(" ", "").split(",")
        if not all(item.isdecimal() and int(item) < 64 for item in items):
            raise Fault(title, key, f"{text!r} is not a list of instances, each from 0 to 63, with commas between")
        return sum({1 << int(item) for item in items})

    def _gpu(self, number: int) -> Resource:
        title, _, keys = self.sections["gpu"][number]
        gpu: Resource = self._record("gpu", Resource, number, ("count",))
        gpu.id, gpu.instances = number + 1, self.whole(title, keys, "count", 1)
        return gpu

    def _pair(self, number: int) -> ProjectResource:
        title, name, _ = self.sections["project_resource"][number]
        project, _, resource = name.rpartition("/")
        pair: ProjectResource = self._record("project_resource", ProjectResource, number)
        pair.project = self._index(title, "", "project", project)
        pair.resource = self._index(title, "", "resource", resource)
        return pair

    def _app(self, number: int) -> App:
        title, name, keys = self.sections["app"][number]
        owners = [index for index, project in enumerate(self.names.get("project", []))
                  if name.startswith(project + "/")]
        if not owners:
            raise Fault(title, "", "there is no such project")
        app: App = self._record("app", App, number, ("sizes", *JobModel.fields))
        app.gpu = self._index(title, "gpu", "resource", keys["gpu"]) if "gpu" in keys else 0
        app.project = max(owners, key=lambda index: len(self.names["project"][index]))
        return app

    def _task(self, kind: str, number: int, parameters: Parameters, projects: List[Project],
              apps: List[App]) -> Task:
        title, _, keys = self.sections[kind][number]
        task: Task = self._record(kind, Task, number, ("est_flops", "flops", "elapsed", "fraction_done"))
        task.id = number + (self._count("task") if kind == "candidate" else 0)
        task.project = self._index(title, "project", "project", keys.get("project", ""))
        if "app" in keys:
            task.app = self._index(title, "app", "app", f"{keys['project']}/{keys['app']}")
        if "gpu" in keys:
            task.gpu = self._index(title, "gpu", "resource", keys["gpu"])
            task.gpus = self._number(title, keys, "gpus", 1.0)
            task.cpus = self._number(title, keys, "cpus", 0.0)
        if "remaining" not in keys:
            app = apps[task.app] if "app" in keys else None
            task.remaining = self._estimate(title, keys, task, parameters, projects[task.project], app)
        return task

    def _estimate(self, title: str, keys: Dict[str, str], task: Task, parameters: Parameters, project: Project,
                  app: Optional[App], from_its_beginning: bool = False) -> float:
        """Device seconds that are left of a task, or that it needs as a whole."""
        progress = Progress(est_flops=self._number(title, keys, "est_flops", 0.0),
                            flops=self._number(title, keys, "flops", 0.0))
        if not from_its_beginning:
            progress.elapsed = self._number(title, keys, "elapsed", 0.0)
            progress.fraction_done = self._number(title, keys, "fraction_done", 0.0)
        if task.gpu == 0:
            progress.efficiency = project.efficiency
        if parameters.use_dcf:
            progress.dcf = app.dcf if app is not None and app.dcf else project.dcf
        try:
            return interface.estimate_remaining(progress, parameters.estimate)
        except VcsError as error:
            raise Fault(title, error.field, str(error)) from None
