# SPDX-License-Identifier: MIT
"""Makes a host of what a BOINC client wrote down: processors, policy, projects. Tasks are made in `task_import`."""

from __future__ import annotations

import math
from typing import Dict, FrozenSet, List, NamedTuple, Optional, Tuple

from vcsched.boinc.client_records import Gpu as BoincGpu
from vcsched.boinc.client_records import Project as BoincProject
from vcsched.boinc.client_state import ClientState
from vcsched.boinc.configuration import (ALL_DEVICES, NO_CONFIGURATION, ClientConfiguration, GpuExclusion,
                                         ProjectConfiguration, plain_url)
from vcsched.boinc.fields import GREATEST_AMOUNT
from vcsched.boinc.preferences import Preferences, join_preferences, read_preferences
from vcsched.boinc.task_import import TaskImport, app_name
from vcsched.errors import quoted
from vcsched.host_state import CPU, NO_WAIT, App, AppResource, Client, Gpu, Host, HostState, ProjectResource, Project
from vcsched.names import Names

PROFILE = "current"
"""The profile of the deployed client."""
ESTIMATE = "deployed"
"""How it estimates what is left of a task."""

ALWAYS = 1
"""What the client writes for a user who lets it compute, or use GPUs, whatever the preferences say."""
NEVER = 3
"""What the client writes for a user who has suspended computing, or the use of GPUs."""

PEAK_TO_COUNTED = 5.0
"""The client counts the work of each GPU of a type by the peak speed of all of them, divided by this."""
LEAST_USABLE = 0.01
"""The client does not believe that it computes for less of the time than this."""
CREDITS_PER_FLOP = 200.0 / 86400e9
"""By the definition of the unit in which REC is counted."""
REC_HALF_LIFE = 10 * 86400.0
"""The client's own half-life of REC."""
CLASS_OF_UNINTENSIVE = 1
"""Projects that use no CPU worth counting go before all others, so that their tasks always run."""

PRIOR_SPELL = 14400.0
PRIOR_SPELLS = 2
"""Before a client has seen a spell end, this many of this many seconds count (VCS_PRIOR_ON)."""

THROTTLED = 64
"""The client lets tasks rest for a moment, to keep to cpu_usage_limit."""
IN_USE = 2
SUSPEND_REASONS = {1: "on batteries", 2: "while the computer is in use", 4: "by the user", 8: "at this time of day",
                    16: "for benchmarks", 32: "for want of disk space", 128: "since the computer is not in use",
                    256: "shortly after its start", 512: "while an application wants the computer for itself",
                    1024: "while others use the CPUs", 4096: "by the operating system"}
"""What the client writes into task_suspend_reason and gpu_suspend_reason."""

OLD = 60.0
"""Seconds after which a client's file no longer tells what its tasks do."""

NO_PREFERENCES = "there are no computing preferences, so the client's defaults are taken"
"""Noted of a state without them, if no other file has any either."""


class Sources(NamedTuple):
    """What was read besides the client's state, and what the caller says."""

    now: Optional[float] = None
    preferences: Tuple[Dict[str, float], ...] = ()
    configuration: ClientConfiguration = NO_CONFIGURATION
    project_configurations: Dict[str, ProjectConfiguration] = {}
    """By URL of the project."""
    in_use: bool = False
    """Whether somebody is using the computer."""
    at_server_limit: FrozenSet[str] = frozenset()
    """URLs of projects whose server last said that the host has as many jobs in progress as it allows."""
    notes: Tuple[str, ...] = ()
    """What is missing."""


def import_host(client: ClientState, sources: Sources, title: str) -> HostState:
    """The host that a client describes. Its comments begin with the title and tell what was left out."""
    return _HostImport(client, sources).run(title)


class _HostImport:
    """One import, and the notes that are taken on the way."""

    def __init__(self, client: ClientState, sources: Sources) -> None:
        self._client = client
        self._sources = sources
        self._preferences = self._join_preferences()
        self._half_life = sources.configuration.rec_half_life or REC_HALF_LIFE
        self._now = client.newest_time if sources.now is None else sources.now
        self._notes: List[str] = list(sources.notes)
        self._project_names: Dict[str, str] = {}

    def run(self, title: str) -> HostState:
        """Makes the host."""
        state = HostState(self._host(), self._policy(), gpus=self._gpus())
        self._add_projects(state)
        self._add_apps(state)
        tasks = TaskImport(self._client, state, self._project_names, self._sources.project_configurations,
                           self._preferences.leave_in_memory)
        tasks.run()
        for project_and_resource in sorted(tasks.deferred):
            _defer(state, *project_and_resource)
        self._add_recent_work(state)
        self._note_oddities(state)
        state.comments = [title, self._overview(state, tasks)]
        if tasks.left_out:
            state.comments.append("Left out: " + ", ".join(f"{n} {why}" for why, n in tasks.left_out.items()) + ".")
        state.comments += [f"Note: {note}." for note in self._notes]
        return state

    def _join_preferences(self) -> Preferences:
        layers = [read_preferences(record, self._client.venue) for record in self._client.preferences]
        return join_preferences(*layers, *self._sources.preferences, in_use=self._sources.in_use)

    def _host(self) -> Host:
        host = self._client.host
        assert host is not None
        on_spell, off_spell = self._spells()
        return Host(now=self._now, cpus=self._usable_cpus(host.cpus), flops=host.cpu_flops,
                    on_spell=on_spell, off_spell=off_spell,
                    usable=self._usable(self._client.time_stats.active * self._preferences.time_fraction),
                    ram=float(round(host.ram * self._preferences.ram_fraction)),
                    paused=self._all_paused())

    def _spells(self) -> Tuple[float, float]:
        """Mean lengths of the spells in which the host computes, and of the spells in between, as far as one was seen
        to end: what vcs_spells_means() makes of it (rule 15.1). 0 and 0 if they are not known."""
        stats = self._client.time_stats
        if stats.ended_spell <= 0:
            return 0.0, 0.0
        on_spell = (stats.ended_spell + PRIOR_SPELLS * PRIOR_SPELL) / (1 + PRIOR_SPELLS)
        usable = self._usable(stats.active)
        return round(on_spell, 6), round(on_spell * (1 - usable) / usable, 6)

    def _all_paused(self) -> bool:
        """Whether nothing computes, neither CPUs nor GPUs."""
        return (self._client.run_request == NEVER or self._client.suspended not in (0, THROTTLED)
                or self._stops_for_user())

    def _stops_for_user(self) -> bool:
        """Whether the preferences stop everything while somebody uses the computer."""
        return not self._preferences.runs and self._client.run_request != ALWAYS

    def _gpus_stop_for_user(self) -> bool:
        return not self._preferences.runs_gpus and self._client.gpu_request not in (ALWAYS, NEVER)

    def _usable_cpus(self, present: int) -> int:
        """CPUs that the preferences let the client use: at least one."""
        cpus = self._sources.configuration.cpus or present
        cpus = int(cpus * self._preferences.cpu_fraction + 1e-9)
        if self._preferences.most_cpus:
            cpus = min(cpus, self._preferences.most_cpus)
        return max(1, cpus)

    def _usable(self, fraction_when_on: float) -> float:
        """Part of wall time in which something computes, given that part while the client runs."""
        return max(LEAST_USABLE, round(self._client.time_stats.on * fraction_when_on, 9))

    def _policy(self) -> Client:
        preferences = self._preferences
        return Client(profile=PROFILE, estimate=ESTIMATE, period=round(preferences.period, 6),
                      min_buffer=round(preferences.min_buffer, 6),
                      additional_buffer=round(preferences.additional_buffer, 6),
                      rec_half_life=self._sources.configuration.rec_half_life)

    def _gpus(self) -> List[Gpu]:
        client = self._client
        found = client.gpus if client.knows_gpus else self._guess_gpus()
        return [Gpu(name=gpu.name, count=gpu.instances,
                    flops=gpu.peak_flops * gpu.instances / PEAK_TO_COUNTED or self._guess_gpu_flops(gpu.name),
                    usable=self._usable(client.time_stats.gpu_active),
                    suspended=client.gpu_request == NEVER,
                    paused=self._gpus_paused() or self._gpus_stop_for_user()
                    or (self._all_paused() and client.gpu_request != NEVER))
                for gpu in found]

    def _gpus_paused(self) -> bool:
        return self._client.gpu_request != NEVER and self._client.gpus_suspended not in (0, THROTTLED)

    def _guess_gpus(self) -> List[BoincGpu]:
        """GPUs for which the client names only the vendor."""
        vendors = sorted(self._client.gpu_vendors)
        if vendors:
            self._notes.append(f"the file does not say how many GPUs of {' and '.join(vendors)} there are; "
                               "one is taken")
        return [BoincGpu(vendor, 1, 0.0) for vendor in vendors]

    def _guess_gpu_flops(self, name: str) -> float:
        """Speed of a GPU if it is not given: that of the fastest program for it, else that of a CPU."""
        self._notes.append(f"the file does not say how fast a GPU of {name} is; "
                           "the speed of its fastest program is taken")
        speeds = [version.flops / version.gpu.instances for versions in self._client.versions.values()
                  for version in versions if version.gpu and version.gpu.name == name]
        assert self._client.host is not None
        return min(max(speeds, default=0.0), GREATEST_AMOUNT) or self._client.host.cpu_flops

    def _add_projects(self, state: HostState) -> None:
        names = Names()
        for url, source in self._client.projects.items():
            name = names.claim(source.name, suffix=plain_url(url))
            self._project_names[url] = name
            state.projects.append(self._project(name, source))
            state.project_resources += self._project_resources(name, source, state.gpus)

    def _project(self, name: str, source: BoincProject) -> Project:
        return Project(
            name=name,
            priority_class=CLASS_OF_UNINTENSIVE if source.non_cpu_intensive else 0,
            share=0.0 if source.non_cpu_intensive else source.share,
            rec=self._rec_now(source),
            short_term_debt=source.short_term_debt,
            long_term_debt=source.long_term_debt,
            dcf=source.dcf,
            suspended=source.suspended,
            no_new_work=source.no_new_work,
            wait=self._why_not_asked(source),
            min_rpc_time=source.min_rpc_time,
            rpc_failures=source.rpc_failures)

    def _why_not_asked(self, source: BoincProject) -> str:
        """What keeps the client from asking a project for work at all."""
        waits = (("user", source.suspended),
                 ("master_file", source.master_file_pending or not self._client.knows_schedulers(source.url)),
                 ("task", any(result.suspended and not result.reported for result in self._client.results.values()
                              if result.project_url == source.url)),
                 ("download", bool(self._client.stalled_downloads(source.url, self._now))))
        return next((wait for wait, holds in waits if holds), NO_WAIT)

    def _rec_now(self, source: BoincProject) -> float:
        """The project's REC, decayed since the client last brought it up to date."""
        age = self._now - source.rec_time if source.rec_time > 0 else 0.0
        return round(source.rec * float(2.0 ** (-age / self._half_life)), 6) if age > 0 else source.rec

    def _add_recent_work(self, state: HostState) -> None:
        """Adds to REC what has run since it was brought up to date, as the client does before it decides."""
        speeds = {gpu.name: gpu.flops for gpu in state.gpus}
        for project, source in zip(state.projects, self._client.projects.values()):
            began = max(source.rec_time, self._client.time_stats.client_start)
            seconds = self._now - began
            if source.rec_time <= 0 or seconds <= 0:
                continue
            # Not with sum(), which rounds otherwise in newer Pythons.
            flops = 0.0
            for task in state.tasks:
                if task.running and task.project == project.name:
                    flops += (((task.cpus or 0.0) * state.host.flops
                               + (task.gpus or 0.0) * speeds.get(task.gpu or "", 0.0)) * min(seconds, task.elapsed))
            credits_per_day = flops * CREDITS_PER_FLOP / (seconds / 86400.0)
            gained = -math.expm1(-math.log(2.0) * seconds / self._half_life)
            project.rec = round(project.rec + gained * credits_per_day, 6)

    def _project_resources(self, name: str, source: BoincProject, gpus: List[Gpu]) -> List[ProjectResource]:
        """What is known of the project on each resource, where that is anything."""
        excluded = self._excluded_instances(source, gpus)
        project_resources = []
        for resource in [CPU] + [gpu.name for gpu in gpus]:
            backoff = source.backoffs.get(resource)
            known = ProjectResource(
                project=name, resource=resource, backoff_interval=backoff.interval if backoff else 0.0,
                backoff_until=backoff.until if backoff else 0.0, excluded=excluded.get(resource, ()),
                not_wanted=resource in source.not_wanted,
                no_apps=resource in source.no_apps or (resource == CPU and source.non_cpu_intensive),
                server_limit=source.url in self._sources.at_server_limit)
            if known != ProjectResource(project=name, resource=resource):
                project_resources.append(known)
        return project_resources

    def _excluded_instances(self, source: BoincProject, gpus: List[Gpu], app: str = "") -> Dict[str, Tuple[int, ...]]:
        """Instances of each type of GPU that the project, or one application of it, must not use."""
        excluded: Dict[str, Tuple[int, ...]] = {}
        for exclusion in self._exclusions_of(source):
            for gpu in gpus:
                if exclusion.app == app and exclusion.gpu in ("", gpu.name):
                    instances = _instances_of(exclusion, gpu)
                    excluded[gpu.name] = tuple(sorted({*excluded.get(gpu.name, ()), *instances}))
        return {name: instances for name, instances in excluded.items() if instances}

    def _exclusions_of(self, source: BoincProject) -> List[GpuExclusion]:
        return [exclusion for exclusion in self._sources.configuration.exclusions
                if plain_url(exclusion.url) == plain_url(source.url)]

    def _add_apps(self, state: HostState) -> None:
        """Adds the limits of projects, and the applications that have a limit or must not use all GPUs."""
        for project, source in zip(state.projects, self._client.projects.values()):
            configuration = self._sources.project_configurations.get(source.url)
            limits: Dict[str, int] = {}
            if configuration is not None:
                project.max_concurrent = configuration.max_concurrent
                known = self._client.known_apps(source.url)
                limits = {app: limit for app, limit in configuration.app_limits.items() if limit and app in known}
                self._note_unknown_apps(source, configuration)
            # What a limit of one application leaves to the others is known only if they are there too.
            project.apps_listed = bool(limits)
            names = [*(self._client.apps.get(source.url, ()) if limits else ()), *limits]
            names += [exclusion.app for exclusion in self._exclusions_of(source) if exclusion.app and state.gpus]
            apps: Dict[str, App] = {}
            for name in names:
                if app_name(name) not in apps:
                    app = App(project.name, app_name(name), limits.get(name, 0))
                    excluded = self._excluded_instances(source, state.gpus, name)
                    state.app_resources += [AppResource(project.name, app.name, gpu, instances)
                                            for gpu, instances in excluded.items()]
                    apps[app.name] = app
            state.apps += apps.values()

    def _note_unknown_apps(self, source: BoincProject, configuration: ProjectConfiguration) -> None:
        """Notes what app_config.xml says of applications and programs that the client does not have."""
        known = self._client.known_apps(source.url)
        programs = {(key[1], key[3]) for key in self._client.versions if key[0] == source.url}
        for position, app, plan_class in configuration.mentioned:
            if app not in known:
                names = ", ".join(sorted(known)) or "none"
                self._notes.append(f"{position}: {quoted(source.name)} has no application {quoted(app)}, so what is "
                                   f"said of it has no effect; known: {names}")
            elif plan_class is not None and (app, plan_class) not in programs:
                self._notes.append(f"{position}: there is no version of {quoted(app)} with the plan class "
                                   f"{quoted(plan_class)}, so what is said of it has no effect")

    def _note_oddities(self, state: HostState) -> None:
        """Notes what the state cannot say, and what was taken for granted."""
        if self._now == 0.0 and self._sources.now is None:
            self._notes.append("the file does not say when it was written, so now is 0")
        age = self._now - self._client.newest_time
        if self._client.newest_time > 0 and age > OLD:
            self._notes.append(f"the newest time in the file is {age:.0f} s before now; what runs, and how far it is, "
                               "may have changed since")
        if not self._client.preferences and not self._sources.preferences:
            self._notes.append(NO_PREFERENCES)
        if self._client.run_request == NEVER:
            self._notes.append("the user has suspended computing, so nothing runs")
        elif state.host.paused:
            reason = self._client.suspended if self._client.suspended not in (0, THROTTLED) else IN_USE
            self._notes.append(f"the client has suspended computing {_reason(reason)}, so nothing runs")
        if state.gpus and self._gpus_paused():
            self._notes.append(f"the client has suspended GPUs {_reason(self._client.gpus_suspended)}, so none is used")
        elif state.gpus and self._gpus_stop_for_user() and not state.host.paused:
            self._notes.append(f"the client suspends GPUs {_reason(IN_USE)}, so none is used")
        for name in self._preferences.zeros:
            self._notes.append(f"{name} is 0, which the client takes for no limit")
        known = {plain_url(url) for url in self._client.projects}
        for exclusion in self._sources.configuration.exclusions:
            if plain_url(exclusion.url) not in known:
                self._notes.append(f"{exclusion.position}: there is no project {quoted(exclusion.url)}")

    def _overview(self, state: HostState, tasks: TaskImport) -> str:
        """What the state holds, in one line."""
        version = self._client.version_text()
        running = sum(task.running for task in state.tasks)
        return (f"BOINC {version or 'of unknown version'}: {_count(state.host.cpus, 'CPU')}, "
                f"{_count(sum(gpu.count for gpu in state.gpus), 'GPU')}, {_count(len(state.projects), 'project')}, "
                f"{_count(len(state.tasks), 'task')} ({running} running, {tasks.downloading} without their files yet).")


def _reason(number: int) -> str:
    """Why a client has suspended something."""
    return SUSPEND_REASONS.get(number, f"for its reason {number}")


def _defer(state: HostState, project: str, resource: str) -> None:
    """Notes that a task of the project for the resource waits to be tried again."""
    for known in state.project_resources:
        if (known.project, known.resource) == (project, resource):
            known.deferred = True
            return
    state.project_resources.append(ProjectResource(project=project, resource=resource, deferred=True))


def _instances_of(exclusion: GpuExclusion, gpu: Gpu) -> Tuple[int, ...]:
    """The instances of a type of GPU that an exclusion means; devices are counted like instances."""
    if exclusion.device == ALL_DEVICES:
        return tuple(range(gpu.count))
    return (exclusion.device,) if exclusion.device < gpu.count else ()


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
