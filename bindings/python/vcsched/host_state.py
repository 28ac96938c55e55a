# SPDX-License-Identifier: MIT
"""A host as the library sees it: processors, projects, tasks.

The fields of each record are the keys of its section in a state file, with the same units and defaults
(doc/state_format.md). A field that has its default is not written.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import List, Optional, Tuple

CPU = "CPU"
"""How a [project_resource] names the CPUs, which are a resource like every type of GPU."""

NO_WAIT = "none"
"""Nothing particular is waited for."""


@dataclass
class Host:
    """The computer as a whole."""

    now: float
    cpus: int
    flops: float
    usable: float = 1.0
    ram: float = 0.0
    on_spell: float = 0.0
    off_spell: float = 0.0
    paused: bool = False


@dataclass
class Gpu:
    """A type of GPU."""

    name: str
    count: int
    flops: float
    usable: float = 1.0
    suspended: bool = False
    paused: bool = False


@dataclass
class Client:
    """The policy: a profile, and the parameters in which this client differs from it."""

    profile: str
    estimate: Optional[str] = None
    period: Optional[float] = None
    min_buffer: Optional[float] = None
    additional_buffer: Optional[float] = None
    rec_half_life: Optional[float] = None


@dataclass
class Project:
    """A project that the host is attached to."""

    name: str
    priority_class: int = 0
    share: Optional[float] = None
    rec: float = 0.0
    short_term_debt: float = 0.0
    long_term_debt: float = 0.0
    dcf: float = 0.0
    max_concurrent: int = 0
    suspended: bool = False
    no_new_work: bool = False
    keeps_tasks: bool = False
    apps_listed: bool = False
    wait: str = NO_WAIT
    min_rpc_time: float = 0.0
    rpc_failures: int = 0
    uploading: int = 0
    overdue: int = 0
    unreported: int = 0


@dataclass
class ProjectResource:
    """What is known of one project on one resource."""

    project: str
    resource: str
    backoff_interval: float = 0.0
    backoff_until: float = 0.0
    received: float = 0.0
    job_seconds: float = 0.0
    job_bound: float = 0.0
    job_spread: float = 0.0
    excluded: Tuple[int, ...] = ()
    not_wanted: bool = False
    no_apps: bool = False
    deferred: bool = False
    server_limit: bool = False


@dataclass
class App:
    """An application of a project in which one has a limit, or which must not use all GPUs."""

    project: str
    name: str
    max_concurrent: int = 0


@dataclass
class AppResource:
    """What is known of one application on one resource."""

    project: str
    app: str
    resource: str
    excluded: Tuple[int, ...] = ()
    use: float = 0.0


@dataclass
class Task:
    """A job on the host."""

    name: str
    project: str
    app: Optional[str] = None
    cpus: Optional[float] = None
    gpu: Optional[str] = None
    gpus: Optional[float] = None
    remaining: Optional[float] = None
    total: float = 0.0
    est_flops: Optional[float] = None
    flops: Optional[float] = None
    elapsed: float = 0.0
    fraction_done: float = 0.0
    fraction_done_exact: bool = False
    deadline: Optional[float] = None
    received: float = 0.0
    ram: float = 0.0
    suspended: bool = False
    started: bool = False
    running: bool = False
    running_since: float = 0.0
    since_checkpoint: float = 0.0
    was_late: bool = False
    downloading: bool = False
    in_memory: bool = False
    uninterruptible: bool = False
    fills_in: bool = False
    devices: Tuple[int, ...] = ()
    wait: str = NO_WAIT


@dataclass
class HostState:
    """One host at one moment, and lines that say where it comes from."""

    host: Host
    client: Client
    gpus: List[Gpu] = field(default_factory=list)
    projects: List[Project] = field(default_factory=list)
    project_resources: List[ProjectResource] = field(default_factory=list)
    apps: List[App] = field(default_factory=list)
    app_resources: List[AppResource] = field(default_factory=list)
    tasks: List[Task] = field(default_factory=list)
    comments: List[str] = field(default_factory=list)
