# SPDX-License-Identifier: MIT
"""A state file as records of the library, with the names that it gives them (doc/state_format.md)."""

from __future__ import annotations

import io
from typing import Any, Dict, NamedTuple, Optional, Sequence

from vcsched.files import File, read_bytes, records_of
from vcsched.host_state import HostState
from vcsched.interface import App, AppResource, Host, Hour, Parameters, Project, ProjectResource, Resource, Task
from vcsched.library import lib
from vcsched.plan_words import PlanNames
from vcsched.policy_choice import Changes, chosen
from vcsched.state import Plan, State, plan
from vcsched.state_file import write_state

__all__ = ["NamedPlan", "NamedState", "parse_state", "read_state"]


class NamedPlan(Plan):
    """A plan of a host whose parts have names."""

    known: Optional[PlanNames] = None

    def names(self) -> Optional[PlanNames]:
        return self.known


class NamedState(NamedTuple):
    """A host with the names of its parts. Names are in the order of the records."""

    records: Dict[str, Any]
    """What State() and plan() take."""
    resource_names: Sequence[str]
    project_names: Sequence[str]
    task_names: Sequence[str]
    candidate_names: Sequence[str]
    kept: Optional[Sequence[str]] = None
    """Names of the parameters that another profile leaves alone, since the file sets them."""

    @property
    def now(self) -> float:
        """The moment that it describes."""
        return float(self.records["now"])

    def state(self, *, profile: Optional[str] = None, parameters: Changes = None) -> State:
        """The host, prepared. It takes the same arguments as plan()."""
        return State(**self._records_for(profile, parameters))

    def plan(self, *, profile: Optional[str] = None, parameters: Changes = None) -> Plan:
        """All decisions over it. The plan prints itself with these names.

        profile       decides in the place of the file's; what the file sets itself stays, as in `vcemu plan --profile`
        parameters    a dict: only these are other ones, as in `vcemu plan --set`. Parameters, or the name of a profile:
                      the whole policy, of which the file sets nothing
        """
        records = self._records_for(profile, parameters)
        decided = NamedPlan(*plan(**{name: value for name, value in records.items() if name != "candidates"}))
        decided.known = PlanNames(self.resource_names, self.project_names, self.task_names)
        return decided

    def _records_for(self, profile: Optional[str], changes: Changes) -> Dict[str, Any]:
        return {**self.records, "parameters": chosen(self.records["parameters"], self.kept, profile, changes)}


def read_state(path: str, policy: Optional[str] = None) -> NamedState:
    """Reads a state file (doc/state_format.md). `policy` is as in parse_state()."""
    return _state_of(File(read_bytes(path), path, lib.VCS_FILE_STATE, policy))


def from_host_state(state: HostState, policy: Optional[str] = None) -> NamedState:
    """What the importer made of a BOINC client, as records of the library. `policy` is as in parse_state()."""
    text = io.StringIO()
    write_state(state, text)
    return parse_state(text.getvalue(), "the imported state", policy)


def parse_state(text: str, source: str = "the text", policy: Optional[str] = None) -> NamedState:
    """
    Reads the text of a state file. `source` is used in messages. `policy` is "PROFILE[,PARAMETER=VALUE]...", in place
    of the profile in the text and over what it sets.
    """
    return _state_of(File(text.encode("utf-8"), source, lib.VCS_FILE_STATE, policy))


def _state_of(file: File) -> NamedState:
    view = lib.vcs_file_scenario(file.c).snapshot
    records = {"host": records_of(view.host, Host)[0], "now": lib.vcs_file_emulation(file.c).start,
               "parameters": Parameters._copy_of(lib.vcs_file_parameters(file.c)),
               "resources": records_of(view.resources, Resource), "projects": records_of(view.projects, Project),
               "apps": records_of(view.apps, App), "app_resources": records_of(view.app_resources, AppResource),
               "project_resources": records_of(view.project_resources, ProjectResource),
               "hours": records_of(view.hours, Hour),
               "tasks": records_of(view.tasks, Task), "candidates": records_of(view.candidates, Task)}
    return NamedState(records, file.names(Resource, view.resources), file.names(Project, view.projects),
                      file.names(Task, view.tasks),
                      [file.name_of(lib.VCS_TYPE_CANDIDATE, index) for index in range(view.candidates.count)],
                      file.kept())
