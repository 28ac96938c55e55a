# SPDX-License-Identifier: MIT
"""What a state file says of a scenario of the emulator (doc/state_format.md)."""

from __future__ import annotations

import os
import warnings
from typing import Any, Dict, List, NamedTuple, Tuple

from vcsched import constants
from vcsched.interface import Emulation, JobModel, Parameters, ServerModel, Task
from vcsched.jobs_like_tasks import KnownTask, complete
from vcsched.named_state import Fault, NamedState, StateReader, parsed

COURSE = ("available", "available_step", "available_mean", "spell_shape", "connection_interval")
"""Keys of a host that say how it is there, as numbers."""
SPELLS = ("exponential", "weibull", "log_normal")
_AVAILABLE_MEAN = 1000.0
"""How long the host is on at a time, s, where the file says only how often: as in the study."""
_CHOICES = {
    "cpu_scheduling": ("scheduling", ("CS1", "CS2")),
    "work_fetch": ("work_fetch", ("WF1", "WF2", "CURRENT", "ORIGINAL", "SESSIONS")),
    "work_send": ("work_send", ("WS1", "WS2")),
    "completion": ("use_dcf", ("JC1", "JC2")),
    "deadline_origin": ("deadline_origin", ("now", "start")),
}
"""Keys of [emulation] that are choices: the parameter that each sets, and its values in order."""
DISTRIBUTIONS = ("normal", "exponential", "constant", "list")
_SAYS_JOBS = ("latency_bound", "est_flops", "mean_flops", "sizes")
"""An application that has one of these keys says what its jobs are."""


def read_scenario(path: str) -> Dict[str, Any]:
    """Reads a state file: what `Scenario` is made of."""
    with open(path, encoding="utf-8") as stream:
        return parse_scenario(stream.read(), path)


def parse_scenario(text: str, source: str) -> Dict[str, Any]:
    """Reads the text of a state file: what `Scenario` is made of."""
    return parsed(text, source, lambda reader: ScenarioReader(reader, source).parts())


class _Jobs(NamedTuple):
    """What all applications send."""

    models: List[JobModel]
    sizes: List[float]


class ScenarioReader:
    """Makes records of what the sections say of an emulation."""

    def __init__(self, reader: StateReader, source: str) -> None:
        self.reader = reader
        self.source = source

    def parts(self) -> Dict[str, Any]:
        """The host, with the jobs of its applications and how it is emulated."""
        reader = self.reader
        state = reader.read()
        records = {name: value for name, value in state.records.items() if name not in ("now", "candidates")}
        jobs, names = _Jobs([], []), list(reader.names.get("app", []))
        for title, _, keys in reader.sections.get("app", []):
            jobs.models.append(self.model(title, keys, jobs.sizes))
        says = [any(key in keys for key in _SAYS_JOBS) for _, _, keys in reader.sections.get("app", [])]
        for task in complete(records, jobs.models, jobs.sizes, says, self._known_tasks(state)):
            names.append(f"{state.project_names[records['tasks'][task].project]}/{state.task_names[task]}")
        records["parameters"] = records["parameters"].copy()
        records["emulation"] = self.emulation(state.now, records["parameters"])
        return {"kept": self.kept(), "models": jobs.models, "sizes": jobs.sizes, "servers": self.servers(),
                "switches": self.switches("host"), "app_names": names, "resource_names": state.resource_names,
                "project_names": state.project_names, "task_names": state.task_names, **records}

    def model(self, title: str, keys: Dict[str, str], sizes: List[float]) -> JobModel:
        """The jobs of an application. What is not said: they are as long as estimated, and use one CPU or one GPU."""
        reader = self.reader
        fields: Dict[str, Any] = {key: reader._number(title, keys, key, 0.0) for key in keys
                                  if key in JobModel.fields and key not in ("gpu", "distribution")}
        if "gpu" in keys:
            fields = {"cpus": 0.0, "gpus": 1.0, **fields, "gpu": reader._index(title, "gpu", "resource", keys["gpu"])}
        if "distribution" in keys:
            fields["distribution"] = word(title, keys, "distribution", DISTRIBUTIONS)
        if "sizes" in keys:
            own = self._list(title, keys, "sizes")
            mean = 0.0
            for size in own:
                mean += size / len(own)
            fields = {"est_flops": mean, **fields, "first_size": len(sizes), "size_count": len(own)}
            sizes += own
        return JobModel(**fields)

    def servers(self) -> List[ServerModel]:
        """The servers of the projects."""
        found = []
        for title, _, keys in self.reader.sections.get("project", []):
            server = ServerModel()
            for key in set(keys).intersection(ServerModel.fields):
                value = self.reader._number(title, keys, key, 0.0)
                setattr(server, key, int(value) if isinstance(getattr(server, key), int) else value)
            found.append(server)
        return found

    def switches(self, title: str) -> List[float]:
        """When a host is switched off, on, off, ..., from its section or from a file that this names."""
        keys = self.keys(title)
        given = [key for key in ("available", "switches", "trace") if key in keys]
        if len(given) > 1:
            raise Fault(title, given[0], "conflicts with another key that says when the host is on")
        if "trace" not in keys:
            return self._list(title, keys, "switches") if "switches" in keys else []
        with open(self.beside(keys["trace"]), encoding="utf-8") as stream:
            lines = [line.strip() for line in stream]
        return [self.reader._number(title, {"trace": line}, "trace", 0.0) for line in lines
                if line and line[0] not in "#;"]

    def keys(self, title: str) -> Dict[str, str]:
        """What a section says; nothing if there is none of this title."""
        sections = self.reader.sections.get(title.partition(" ")[0], [])
        return next((keys for other, _, keys in sections if other == title), {})

    def beside(self, path: str) -> str:
        """A file that the state file names."""
        return os.path.join(os.path.dirname(self.source), path)

    def _list(self, title: str, keys: Dict[str, str], key: str) -> List[float]:
        return [self.reader._number(title, {key: item.strip()}, key, 0.0) for item in keys[key].split(",")]

    def kept(self) -> List[str]:
        """The parameters that the file names itself."""
        named = [key for key in self.keys("client") if key != "profile"]
        return [*("cpu_fit" if key == "overcommit" else key for key in named),
                *(_CHOICES[key][0] for key in self.keys("emulation") if key in _CHOICES)]

    def emulation(self, now: float, parameters: Parameters) -> Emulation:
        """How it is emulated. What the section says of the policy goes into the parameters."""
        emulation = Emulation(start=now, study_rules=int(parameters.profile == constants.PROFILE_STUDY2007))
        keys = self.keys("host")
        self.set_course("host", emulation)
        if emulation.available < 1 and "available_mean" not in keys:
            emulation.available_mean = _AVAILABLE_MEAN
            warnings.warn(f"{self.source}: [host] available: available_mean, how long the host is on at a time, is "
                          f"missing; {_AVAILABLE_MEAN:g} s assumed", stacklevel=2)
        if any("usable" in keys for kind in ("host", "gpu") for _, _, keys in self.reader.sections.get(kind, [])):
            emulation.flags = constants.EMULATION_USABLE_GIVEN
        keys = self.keys("emulation")
        emulation.duration = self.reader._number("emulation", keys, "duration", emulation.duration)
        emulation.seed = self.reader.whole("emulation", keys, "seed", emulation.seed)
        self.set_choices(parameters)
        return emulation

    def set_course(self, title: str, emulation: Emulation) -> None:
        """Takes over what a section says of when its hosts are on."""
        keys = self.keys(title)
        for key in COURSE:
            setattr(emulation, key, self.reader._number(title, keys, key, getattr(emulation, key)))
        if "spells" in keys:
            emulation.spells = word(title, keys, "spells", SPELLS)

    def set_choices(self, parameters: Parameters) -> None:
        """Takes over what [emulation] says of the policy."""
        keys = self.keys("emulation")
        for key in keys:
            if key in _CHOICES:
                parameter, words = _CHOICES[key]
                setattr(parameters, parameter, word("emulation", keys, key, words))
            elif key not in ("duration", "seed"):
                raise Fault("emulation", key, "there is no such key")

    def _known_tasks(self, state: NamedState) -> List[KnownTask]:
        """What is known of each task as a whole."""
        records, found = state.records, []
        for task, (title, _, keys) in zip(records["tasks"], self.reader.sections.get("task", [])):
            seconds = task.remaining
            if "est_flops" in keys:
                seconds = self._whole(title, keys, task, records)
            sent = task.received if "received" in keys else state.now
            found.append(KnownTask(seconds, task.deadline - sent))
        return found

    def _whole(self, title: str, keys: Dict[str, str], task: Task, records: Dict[str, Any]) -> float:
        app = records["apps"][task.app] if task.app != constants.NONE else None
        return self.reader._estimate(title, keys, task, records["parameters"], records["projects"][task.project], app,
                                     from_its_beginning=True)


def word(title: str, keys: Dict[str, str], key: str, words: Tuple[str, ...]) -> int:
    """The number of a word."""
    if keys[key] not in words:
        raise Fault(title, key, f"must be one of {', '.join(words)}, not {keys[key]!r}")
    return words.index(keys[key])
