# SPDX-License-Identifier: MIT
"""A scheduler request: what a client says of its computer, of its tasks, and what it asks for."""

from __future__ import annotations

import re
from typing import List, NamedTuple, Optional

from server.xml import Element, Malformed, read

MOST_RESULTS = 10000
"""Results in a list."""
YEAR = 365 * 86400.0

# What the deployed clients say of a result that they report.
STATE_UPLOADED = 5
STATE_ABORTED = 6
EXIT_NOT_IN_TIME = 200
EXIT_ABORTED_BY_PROJECT = 202
EXIT_ABORTED_BY_USER = 203


class Report(NamedTuple):
    """A result that is over at the client."""

    name: str
    state: int
    exit_status: int
    cpu_time: float
    elapsed: float
    version: int
    message: str

    @property
    def success(self) -> bool:
        """Whether it was computed and its files were sent."""
        return self.state == STATE_UPLOADED and self.exit_status == 0

    @property
    def aborted(self) -> bool:
        """Whether the user ended it, or we, or its client, which could not do it in time."""
        return self.exit_status in (EXIT_NOT_IN_TIME, EXIT_ABORTED_BY_PROJECT, EXIT_ABORTED_BY_USER)


class Computer(NamedTuple):
    """The host."""

    name: str
    cpid: str
    system: str
    processor: str
    cpus: int
    flops: float
    memory: float
    disk: float
    """bytes that are left for this project"""
    on_fraction: float
    active_fraction: float


class InProgress(NamedTuple):
    """A task that the client has, of any project."""

    name: str
    deadline: float
    remaining: float
    cpus: float


class Request(NamedTuple):
    """What a client says."""

    key: str
    host: int
    sequence: int
    platforms: List[str]
    client: str
    """its version, and which client it is if it says so; deployed clients do not"""
    seconds: float
    instances: float
    busy: float
    jobs: int
    """most jobs that it wants; 0 = as many as fill the seconds. Deployed clients do not say"""
    latency_bound: float
    """the shortest latency bound that it wants, s; 0 = any. Deployed clients do not say"""
    computer: Computer
    reports: List[Report]
    held: Optional[List[str]]
    """names of the results of this project that the client has; None if it does not say"""
    in_progress: List[InProgress]
    buffer: float
    correction: float
    has_key: bool


def parse(content: bytes) -> Request:
    """Raises Malformed."""
    root = read(content, "scheduler_request")
    key = root.string("authenticator")
    if not re.fullmatch(r"[0-9a-zA-Z_]{1,128}", key):
        raise Malformed("<authenticator> is no account key")
    held = root.find("other_results")
    preferences = root.find("working_global_preferences") or Element("")
    preferences = preferences.find("global_preferences") or preferences
    days = preferences.number("work_buf_min_days", 0, 0, 10)
    return Request(
        key=key,
        host=root.integer("hostid", 0, 0, 1 << 40),
        sequence=root.integer("rpc_seqno", 0, 0, 1 << 40),
        platforms=_platforms(root),
        client=_client(root),
        seconds=root.number("cpu_req_secs", root.number("work_req_seconds", 0, 0, YEAR), 0, YEAR),
        instances=root.number("cpu_req_instances", 0, 0, 4096),
        busy=root.number("estimated_delay", 0, 0, YEAR),
        jobs=root.integer("cpu_req_jobs", 0, 0, 4096),
        latency_bound=root.number("cpu_req_latency_bound", 0, 0, YEAR),
        computer=_computer(root, preferences.number("ram_max_used_idle_pct", 100, 0, 100) / 100),
        reports=[_report(found) for found in _few(root, "result")],
        held=None if held is None else [found.string("name") for found in _few(held, "other_result")],
        in_progress=[_in_progress(found) for found in
                     _few(root.find("in_progress_results") or Element(""), "ip_result")],
        buffer=days * 86400.0,
        correction=root.number("duration_correction_factor", 1, 0.01, 100),
        has_key=root.find("code_sign_key") is not None)


def _client(root: Element) -> str:
    version = ".".join(str(root.integer(f"core_client_{part}", 0, 0, 9999))
                       for part in ("major_version", "minor_version", "release"))
    return _short(f"{version} {root.string('client_brand')}".strip())


def _few(parent: Element, name: str) -> List[Element]:
    found = parent.all(name)
    if len(found) > MOST_RESULTS:
        raise Malformed(f"more than {MOST_RESULTS} <{name}>")
    return found


def _platforms(root: Element) -> List[str]:
    others = [found.string("name") for found in root.all("alt_platform")]
    return [name for name in [root.string("platform_name"), *others] if name][:16]


def _computer(root: Element, memory_fraction: float) -> Computer:
    info = root.find("host_info") or Element("")
    times = root.find("time_stats") or Element("")
    disk = root.find("disk_usage") or Element("")
    on = times.number("on_frac", 1, 0, 1)
    return Computer(
        name=_short(info.string("domain_name")), cpid=_short(info.string("host_cpid")),
        system=_short(f"{info.string('os_name')} {info.string('os_version')}".strip()),
        processor=_short(info.string("p_model")),
        cpus=info.integer("p_ncpus", 1, 1, 4096),
        flops=info.number("p_fpops", 1e9, 1e6, 1e15) or 1e9,
        memory=info.number("m_nbytes", 0, 0, 1e18) * memory_fraction,
        disk=max(0.0, disk.number("d_project_share", 1e18, 0, 1e18) - disk.number("d_boinc_used_project", 0, 0, 1e18)),
        on_fraction=on, active_fraction=times.number("active_frac", 1, 0, 1))


def _report(found: Element) -> Report:
    return Report(name=_short(found.string("name")), state=found.integer("state", 0, 0, 100),
                  exit_status=found.integer("exit_status", 0, -(1 << 31), (1 << 32) - 1),
                  cpu_time=found.number("final_cpu_time", 0, 0, YEAR),
                  elapsed=found.number("final_elapsed_time", 0, 0, YEAR),
                  version=found.integer("app_version_num", found.integer("version_num", 0, 0, 1 << 31), 0, 1 << 31),
                  message=found.string("stderr_out"))


def _in_progress(found: Element) -> InProgress:
    return InProgress(_short(found.string("name")), found.number("report_deadline", 0, 0, 1e12),
                      found.number("time_remaining", 0, 0, YEAR), found.number("avg_ncpus", 1, 0, 4096))


def _short(text: str) -> str:
    return text[:256]
