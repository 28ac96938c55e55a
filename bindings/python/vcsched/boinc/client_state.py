# SPDX-License-Identifier: MIT
"""What a BOINC client writes down about itself: `client_state.xml`, and the replies of `get_state` and `get_results`.

This module knows which record refers to which. `host_import` says what they mean for the library.
"""

from __future__ import annotations

from typing import Dict, List, Optional, Set, Tuple

from vcsched.boinc.client_records import (GPU_ELEMENTS, RECORD_FIELDS, ActiveTask, AppVersion, Gpu, Host, Project,
                                          Result, TimeStats, WorkUnit, read_active_task, read_app_version,
                                          read_download_retry, read_gpu, read_host, read_project, read_result,
                                          read_time_stats, read_workunit)
from vcsched.boinc.fields import Fields, flag_of, whole_of
from vcsched.boinc.preferences import PREFERENCE_FIELDS, read_preferences
from vcsched.boinc.xml_records import Element, Layout
from vcsched.errors import InputError, Position, quoted

VERSION_RECORDS = ("core_client_major_version", "core_client_minor_version", "core_client_release")

NameKey = Tuple[str, str]
"""Project URL, and the name of one of its applications, work units or results."""
VersionKey = Tuple[str, str, int, str]
"""Project URL, application, version number, plan class."""


class ClientState:
    """Everything that was read, by what it is referred to with. Fill it with `add`, then call `complete`."""

    def __init__(self) -> None:
        self.version: Dict[str, int] = {}
        self.host: Optional[Host] = None
        self.time_stats = TimeStats()
        self.gpus: List[Gpu] = []
        self.knows_gpus = False
        self.gpu_vendors: Set[str] = set()
        self.preferences: List[Element] = []
        self.venue = ""
        self.run_request = 0
        self.gpu_request = 0
        self.suspended = 0
        """Why the client lets nothing run at this moment, as it numbers its reasons; 0 = it lets tasks run."""
        self.gpus_suspended = 0
        """The same for GPUs."""
        self.tells_now = False
        """Whether newest_time is the moment of a reply."""
        self.newest_time = 0.0
        self.projects: Dict[str, Project] = {}
        self.apps: Dict[str, List[str]] = {}
        """By URL of the project."""
        self.non_cpu_intensive_apps: Set[NameKey] = set()
        self.exact_apps: Set[NameKey] = set()
        """Applications whose tasks know exactly how far they are."""
        self._download_retries: Dict[NameKey, float] = {}
        """When a download that has failed is tried again."""
        self.versions: Dict[VersionKey, List[AppVersion]] = {}
        self.workunits: Dict[NameKey, WorkUnit] = {}
        self.results: Dict[NameKey, Result] = {}
        self.ran_early: Set[NameKey] = set()
        """Results that the client has run before their turn, because it expected them to be late otherwise."""
        self._listed_results: Optional[Dict[NameKey, Result]] = None
        self._active_tasks: Dict[NameKey, ActiveTask] = {}
        self._places: Dict[Tuple[str, ...], Position] = {}
        self._project: Optional[Project] = None

    def add(self, record: Element) -> None:
        """Takes in one record of a file. A record belongs to the project that stands before it in the file."""
        _ADDERS[record.name](self, record)

    def complete(self, source: str) -> None:
        """Joins the records that refer to each other, when all files have been read. The last was `source`."""
        if self.host is None and self._listed_results is not None:
            raise InputError(Position(source, 1, 1), "a list of results alone: give the client's state too")
        if self.host is None:
            raise InputError(Position(source, 1, 1), "has no <host_info>, so it is no client state")
        if self._listed_results is None:
            self._join_active_tasks()
        else:
            self.results = self._listed_results
        for result in self.results.values():
            if result.project_url not in self.projects:
                raise InputError(result.position, f"<result>: there is no project {quoted(result.project_url)}")

    def version_text(self) -> str:
        """The client's version, such as 7.16.11; empty if it is not given."""
        return ".".join(str(self.version[name]) for name in VERSION_RECORDS if name in self.version)

    def knows_schedulers(self, url: str) -> bool:
        """Whether the client has read a project's master file: it has, unless it knows schedulers of others alone."""
        return self.projects[url].has_schedulers or not any(
            project.has_schedulers for project in self.projects.values())

    def stalled_downloads(self, url: str, now: float) -> Set[str]:
        """The files of a project whose download has failed and is not tried again yet."""
        return {key[1] for key, retry in self._download_retries.items() if key[0] == url and retry > now}

    def known_apps(self, url: str) -> Set[str]:
        """The applications of a project that the client knows."""
        return {*self.apps.get(url, ()), *(key[1] for key in self.versions if key[0] == url)}

    def find_version(self, result: Result, app: str) -> Optional[AppVersion]:
        """The program that computes a result; that of its platform if there are several."""
        found = self.versions.get((result.project_url, app, result.version, result.plan_class), [])
        for version in found:
            if version.platform == result.platform:
                return version
        return found[0] if found else None

    def _join_active_tasks(self) -> None:
        for key, active in self._active_tasks.items():
            result = self.results.get(key)
            if result is None:
                raise InputError(active.position, f"<active_task>: there is no result {quoted(key[1])} of its project")
            self.results[key] = result._replace(active=active)

    def _add_version(self, record: Element) -> None:
        self.version[record.name] = whole_of(record, 0, 10**6)

    def _add_host(self, record: Element) -> None:
        self._claim(record, "host_info")
        self.host = read_host(record)
        coprocs = Fields(record).one("coprocs")
        if coprocs is not None:
            self._add_coprocs(coprocs)

    def _add_time_stats(self, record: Element) -> None:
        self._claim(record, "time_stats")
        self.time_stats = read_time_stats(record)
        fields = Fields(record)
        self._note_times(fields, "last_update", "client_start_time", "now")
        self.tells_now = fields.one("now") is not None

    def _add_coprocs(self, record: Element) -> None:
        self.knows_gpus = True
        for element in record.children:
            if element.name in GPU_ELEMENTS or element.name == "coproc":
                gpu = read_gpu(element)
                self._claim(element, "gpu", gpu.name)
                if gpu.instances:
                    self.gpus.append(gpu)

    def _add_have_gpu(self, record: Element) -> None:
        if flag_of(record):
            self.gpu_vendors.add("NVIDIA" if record.name == "have_cuda" else "ATI")

    def _add_preferences(self, record: Element) -> None:
        self._claim(record, "global_preferences")
        read_preferences(record, self.venue)
        self.preferences.append(record)

    def _add_venue(self, record: Element) -> None:
        self.venue = record.text.strip()

    def _add_run_request(self, record: Element) -> None:
        self.run_request = whole_of(record, 0, 10**6)

    def _add_gpu_request(self, record: Element) -> None:
        self.gpu_request = whole_of(record, 0, 10**6)

    def _add_status(self, record: Element) -> None:
        """What a client replies to get_cc_status."""
        self._claim(record, "cc_status")
        fields = Fields(record)
        self.run_request = fields.whole("task_mode")
        self.gpu_request = fields.whole("gpu_mode")
        self.suspended = fields.whole("task_suspend_reason")
        self.gpus_suspended = fields.whole("gpu_suspend_reason")

    def _add_project(self, record: Element) -> None:
        self._project = read_project(record)
        self._claim(record, "project", self._project.url)
        self._note_times(Fields(record), "rec_time", "last_rpc_time")
        self.projects[self._project.url] = self._project

    def _add_app(self, record: Element) -> None:
        fields = Fields(record)
        key = (self._owner(record).url, fields.required_text("name"))
        self._claim(record, "app", *key)
        self.apps.setdefault(key[0], []).append(key[1])
        if fields.flag("non_cpu_intensive"):
            self.non_cpu_intensive_apps.add(key)
        if fields.flag("fraction_done_exact"):
            self.exact_apps.add(key)

    def _add_app_version(self, record: Element) -> None:
        fields = Fields(record)
        key = (self._owner(record).url, fields.required_text("app_name"), fields.whole("version_num"),
               fields.text("plan_class"))
        version = read_app_version(record)
        self._claim(record, "app_version", key[0], str(key[2]), key[3], version.platform, key[1])
        self.versions.setdefault(key, []).append(version)

    def _add_file(self, record: Element) -> None:
        """A file, or how the client replies a transfer of one."""
        retry = read_download_retry(record)
        if retry > 0:
            fields = Fields(record)
            url = fields.text("project_url") or self._owner(record).url
            self._download_retries[url, fields.text("name")] = retry

    def _add_workunit(self, record: Element) -> None:
        key = (self._owner(record).url, Fields(record).required_text("name"))
        self._claim(record, "workunit", *key)
        self.workunits[key] = read_workunit(record)

    def _add_result(self, record: Element) -> None:
        fields = Fields(record)
        result = read_result(record, fields.text("project_url") or self._owner(record).url)
        self._note_times(fields, "received_time", "completed_time")
        results = self.results
        if record.parent == "results":
            self._listed_results = results = self._listed_results or {}
        key = (result.project_url, result.name)
        if key in results:
            raise record.error(f"stands twice for {quoted(result.name)}, first at {results[key].position}")
        results[key] = result

    def _add_active_task(self, record: Element) -> None:
        fields = Fields(record)
        key = (fields.required_text("project_master_url"), fields.required_text("result_name"))
        self._claim(record, "active_task", *key)
        self._active_tasks[key] = read_active_task(record)
        if fields.flag("once_ran_edf"):
            self.ran_early.add(key)

    def _owner(self, record: Element) -> Project:
        """The project that a record belongs to."""
        if self._project is None:
            raise record.error("no <project> stands before it")
        return self._project

    def _claim(self, record: Element, kind: str, *name: str) -> None:
        """Refuses a second record for the same thing, whose own name is the last of the names that tell it apart."""
        here = record.position
        first = self._places.setdefault((kind, *name), here)
        if first is not here:
            thing = f" for {quoted(name[-1])}" if name else ""
            raise record.error(f"stands twice{thing}, first at {first}")

    def _note_times(self, fields: Fields, *names: str) -> None:
        """Remembers the newest of the times that have passed."""
        for name in names:
            self.newest_time = max(self.newest_time, fields.duration(name))


_ADDERS = {
    "core_client_major_version": ClientState._add_version,
    "core_client_minor_version": ClientState._add_version,
    "core_client_release": ClientState._add_version,
    "host_info": ClientState._add_host,
    "time_stats": ClientState._add_time_stats,
    "coprocs": ClientState._add_coprocs,
    "have_cuda": ClientState._add_have_gpu,
    "have_ati": ClientState._add_have_gpu,
    "host_venue": ClientState._add_venue,
    "global_preferences": ClientState._add_preferences,
    "cc_status": ClientState._add_status,
    "user_run_request": ClientState._add_run_request,
    "user_gpu_request": ClientState._add_gpu_request,
    "project": ClientState._add_project,
    "app": ClientState._add_app,
    "app_version": ClientState._add_app_version,
    "file": ClientState._add_file,
    "file_info": ClientState._add_file,
    "file_transfer": ClientState._add_file,
    "workunit": ClientState._add_workunit,
    "result": ClientState._add_result,
    "active_task": ClientState._add_active_task,
}

LAYOUT = Layout(
    description="a BOINC client state or a reply of a BOINC client",
    roots=frozenset({"client_state", "boinc_gui_rpc_reply"}),
    containers=frozenset({"client_state", "boinc_gui_rpc_reply", "results", "active_task_set", "file_transfers"}),
    records=frozenset(_ADDERS),
    fields=RECORD_FIELDS | PREFERENCE_FIELDS)
