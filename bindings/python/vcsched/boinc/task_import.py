# SPDX-License-Identifier: MIT
"""Makes tasks of the results that a BOINC client has."""

from __future__ import annotations

import re
from typing import Dict, NamedTuple, Optional, Set, Tuple

from vcsched.boinc.client_records import ActiveTask, AppVersion, Result, WorkUnit, resource_name
from vcsched.boinc.client_state import ClientState
from vcsched.boinc.configuration import ProjectConfiguration
from vcsched.boinc.fields import LONGEST_DURATION
from vcsched.errors import InputError, quoted
from vcsched.host_state import CPU, NO_WAIT, HostState, Task
from vcsched.names import Names, clean_name

# What the client writes into <state> of a result.
FILES_PRESENT = 2
UPLOADING = 4
ENDED_STATES = {3: "failed", UPLOADING: "uploading", 5: "uploaded", 6: "aborted", 7: "with failed uploads"}

# What it writes into <active_task_state> and <scheduler_state> of an active task.
EXECUTING = 1
ABORTING_STATES = (5, 6)
SCHEDULED = 2

OVERDUE_AFTER = 86400.0
"""Seconds from its end after which a result should have been reported."""

RESOURCES = re.compile(r"([\d.]+) CPUs?(?: \+ ([\d.]+) (.+?)(?: GPUs?)?)?(?: \(.*\))?", re.ASCII)
"""How the client tells a person what a task uses, such as `0.2 CPUs + 1 NVIDIA GPU (device 0)`."""

DEVICES = re.compile(r"\(devices? (\d{1,2}(?:, \d{1,2})*)\)", re.ASCII)
"""The end of it, while the task runs."""

LONGEST_RESOURCES = 200


class _Use(NamedTuple):
    """What a task uses while it runs."""

    cpus: float
    gpu: Optional[str] = None
    gpus: Optional[float] = None


class TaskImport:
    """One import of all results into a host whose processors, projects and limits are known."""

    def __init__(self, client: ClientState, state: HostState, project_names: Dict[str, str],
                 configurations: Dict[str, ProjectConfiguration], leave_in_memory: bool) -> None:
        self._client = client
        self._leave_in_memory = leave_in_memory
        self._configurations = configurations
        self._state = state
        self._project_names = project_names
        self._gpus = {gpu.name: gpu.count for gpu in state.gpus}
        self._apps = {(app.project, app.name) for app in state.apps}
        self._projects = {project.name: project for project in state.projects}
        self._names = Names()
        self._stalled = {url: client.stalled_downloads(url, state.host.now) for url in client.projects}
        self.downloading = 0
        """Tasks whose files have not all arrived."""
        self.left_out: Dict[str, int] = {}
        """Results that became no task: why, and how many."""
        self.deferred: Set[Tuple[str, str]] = set()
        """Projects and resources with a task that waits to be tried again."""

    def run(self) -> None:
        """Adds a task for every result that is to be computed, and counts the others."""
        for result in self._client.results.values():
            reason = _why_ended(result)
            if reason:
                self._count_ended(result)
            else:
                reason = self._add_task(result)
            if reason:
                self.left_out[reason] = self.left_out.get(reason, 0) + 1

    def _count_ended(self, result: Result) -> None:
        """Counts a result whose computation is over in its project."""
        project = self._projects[self._project_names[result.project_url]]
        if result.reported:
            return
        if result.state == UPLOADING and not result.ready_to_report:
            project.uploading += 1
        elif result.ready_to_report:
            project.unreported += 1
            project.overdue += self._is_overdue(result)

    def _is_overdue(self, result: Result) -> bool:
        """Whether a result that is ready to report should have been reported by now."""
        now = self._state.host.now
        min_buffer = self._state.client.min_buffer or 0.0
        return 0 < result.deadline <= now + min_buffer or 0 < result.completed <= now - OVERDUE_AFTER

    def _add_task(self, result: Result) -> Optional[str]:
        """Adds the task of a result. Returns why not, if the host cannot run it."""
        workunit = self._client.workunits.get((result.project_url, result.workunit))
        version = self._version(result, workunit) if workunit else None
        if result.gpu_missing:
            return "without a GPU of their type"
        use = self._use(result, workunit, version)
        if use.gpu is not None and use.gpu not in self._gpus:
            return "without a GPU of their type"
        project = self._project_names[result.project_url]
        task = Task(name=self._names.claim(result.name, suffix=project), project=project,
                    app=self._limited_app(project, workunit), cpus=use.cpus, gpu=use.gpu, gpus=use.gpus,
                    deadline=result.deadline or None, received=result.received,
                    suspended=result.suspended or result.waiting,
                    downloading=result.state < FILES_PRESENT, wait=self._why_not_ready(result, workunit, version),
                    was_late=result.was_late or (result.project_url, result.name) in self._client.ran_early)
        self._set_work(task, result, workunit, version)
        self._set_progress(task, result.active)
        if task.started and use.gpu:
            task.devices = _devices(result.resources, self._gpus[use.gpu])
        task.ram = (result.active.ram if result.active else 0.0) or (workunit.ram if workunit else 0.0)
        self._state.tasks.append(task)
        self.downloading += task.downloading
        if result.waiting:
            self.deferred.add((project, use.gpu or CPU))
        return None

    def _why_not_ready(self, result: Result, workunit: Optional[WorkUnit], version: Optional[AppVersion]) -> str:
        """Why a task is suspended, or its files do not arrive."""
        if result.suspended:
            return "user"
        files = (workunit.files if workunit else frozenset()) | (version.files if version else frozenset())
        is_stalled = result.state < FILES_PRESENT and not files.isdisjoint(self._stalled[result.project_url])
        return "download" if is_stalled else NO_WAIT

    def _version(self, result: Result, workunit: WorkUnit) -> Optional[AppVersion]:
        """The program that computes a result, with what the user lets it use."""
        version = self._client.find_version(result, workunit.app)
        configuration = self._configurations.get(result.project_url)
        if version is None or configuration is None:
            return version
        return configuration.apply(workunit.app, result.plan_class, version)

    def _limited_app(self, project: str, workunit: Optional[WorkUnit]) -> Optional[str]:
        """The application, if it has a section of its own to refer to."""
        if workunit is None:
            return None
        name = app_name(workunit.app)
        return name if (project, name) in self._apps else None

    def _use(self, result: Result, workunit: Optional[WorkUnit], version: Optional[AppVersion]) -> _Use:
        """What a result uses, from its program, or else from what the client tells a person about it."""
        if version is None:
            use = _use_from_text(result)
        elif version.gpu is None:
            use = _Use(version.cpus)
        else:
            use = _Use(version.cpus, version.gpu.name, version.gpu.instances)
        if self._uses_no_cpu(result, workunit):
            return use._replace(cpus=0.0)
        return use if use.gpu else use._replace(cpus=min(use.cpus, float(self._state.host.cpus)))

    def _uses_no_cpu(self, result: Result, workunit: Optional[WorkUnit]) -> bool:
        """Whether a result uses no CPU worth counting and runs at all times."""
        if self._client.projects[result.project_url].non_cpu_intensive:
            return True
        return workunit is not None and (result.project_url, workunit.app) in self._client.non_cpu_intensive_apps

    def _set_work(self, task: Task, result: Result, workunit: Optional[WorkUnit],
                  version: Optional[AppVersion]) -> None:
        """How much there is to do: for the library to estimate, if the file tells enough, else as the client says."""
        if workunit is not None and version is not None:
            task.est_flops = workunit.est_flops
            task.flops = self._speed(version)
            dcf = self._client.projects[result.project_url].dcf or 1.0
            if task.est_flops / task.flops * dcf > LONGEST_DURATION:
                raise InputError(result.position, f"<result>: would take more than {LONGEST_DURATION:g} s")
            task.elapsed, task.fraction_done = _progress(result, task.cpus or 1.0)
            task.fraction_done_exact = self._is_exact(result.project_url, workunit.app)
        elif result.estimated_remaining is not None:
            task.remaining = result.estimated_remaining
        elif workunit is None:
            raise InputError(result.position, f"<result>: there is no work unit {quoted(result.workunit)}")
        else:
            raise InputError(result.position, f"<result>: there is no version {result.version} of the application "
                             f"{quoted(workunit.app)} for the plan class {quoted(result.plan_class)}")

    def _is_exact(self, project_url: str, app: str) -> bool:
        """Whether the tasks of an application know exactly how far they are, as its project or the user says."""
        configuration = self._configurations.get(project_url)
        return ((project_url, app) in self._client.exact_apps
                or (configuration is not None and app in configuration.exact_apps))

    def _speed(self, version: AppVersion) -> float:
        """Speed of a program here, or what the client takes for one that states none."""
        assert self._client.host is not None
        cpu_flops = self._client.host.cpu_flops
        if not version.flops:
            return cpu_flops * ((version.cpus or 1.0) + (10.0 * version.gpu.instances if version.gpu else 0.0))
        if version.gpu is None and version.cpus > self._state.host.cpus:
            return version.flops * self._state.host.cpus / version.cpus
        return version.flops

    def _set_progress(self, task: Task, active: Optional[ActiveTask]) -> None:
        """Whether a task has run, runs, and what stopping it would lose."""
        if active is None:
            return
        task.started = True
        task.running = _is_running(active) and not task.suspended
        # The client never leaves a program in memory that uses a GPU.
        task.in_memory = self._leave_in_memory and task.gpu is None
        if task.running:
            # The client does not say when the slice began: not so early that the task would have run longer than it
            # has, and not before the client itself was started.
            task.running_since = max(round(self._state.host.now - (active.elapsed or task.elapsed), 6),
                                     self._client.time_stats.client_start)
            unsaved = max(0.0, active.cpu_time - active.checkpoint_cpu_time)
            task.since_checkpoint = round(unsaved / max(1.0, task.cpus or 1.0), 6)


def app_name(name: str) -> str:
    """An application's name as a state has it: behind a `/`, which it must not hold itself."""
    return clean_name(name).replace("/", "-")


def _why_ended(result: Result) -> Optional[str]:
    """Why a result is not to be computed any more; None if it is."""
    if result.reported:
        return "reported"
    if result.ready_to_report:
        return "ready to report"
    if result.active is not None and result.active.state in ABORTING_STATES:
        return "aborted"
    if result.state > FILES_PRESENT and result.state not in ENDED_STATES:
        raise InputError(result.position, f"<result>: there is no state {result.state}")
    return ENDED_STATES.get(result.state)


def _use_from_text(result: Result) -> _Use:
    """What a result uses, as the client tells a person. It says nothing of a task of one CPU."""
    if not result.resources:
        return _Use(1.0)
    match = RESOURCES.fullmatch(result.resources[:LONGEST_RESOURCES])
    try:
        cpus, gpus, gpu = match.groups() if match else ("", "", "")
        return _Use(float(cpus), resource_name(gpu), float(gpus)) if gpu else _Use(float(cpus))
    except ValueError:
        raise InputError(result.position,
                         f"<result>: <resources> is {quoted(result.resources)}, which is not understood") from None


def _devices(resources: str, count: int) -> Tuple[int, ...]:
    """The instances of a type of GPU that a task runs on, or has run on last, if the client tells them."""
    match = DEVICES.search(resources[:LONGEST_RESOURCES])
    devices = {int(number) for number in match.group(1).split(", ")} if match else set()
    return tuple(sorted(devices)) if max(devices, default=0) < count else ()


def _is_running(active: ActiveTask) -> bool:
    """Whether the client lets a task run at this moment."""
    if active.scheduler_state is not None:
        return active.scheduler_state == SCHEDULED
    return active.state == EXECUTING


def _progress(result: Result, cpus: float) -> Tuple[float, float]:
    """How long a result has run, and how far it is, both of the same moment.

    Replies of the client tell the present. Its file tells the last checkpoint, from which the task would go on; older
    ones tell it in CPU time only.
    """
    active = result.active
    if active is None:
        return 0.0, 0.0
    if active.elapsed is not None:
        return active.elapsed, min(active.fraction_done, 1.0)
    fraction_done = min(active.fraction_done or active.checkpoint_fraction_done, 1.0)
    threads = max(1.0, cpus)
    candidates = (active.checkpoint_fraction_done_elapsed, active.checkpoint_elapsed, result.final_elapsed,
                  active.checkpoint_cpu_time / threads, active.cpu_time / threads)
    return next((elapsed for elapsed in candidates if elapsed > 0), 0.0), fraction_done
