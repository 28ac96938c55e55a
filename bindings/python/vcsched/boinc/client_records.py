# SPDX-License-Identifier: MIT
"""The records of a BOINC client, with the client's own names for their fields, and its defaults."""

from __future__ import annotations

from typing import Dict, FrozenSet, NamedTuple, Optional

from vcsched.boinc.fields import LONGEST_DURATION, Fields
from vcsched.boinc.xml_records import Element
from vcsched.errors import Position
from vcsched.host_state import CPU
from vcsched.names import clean_name

DEFAULT_CPU_FLOPS = 1e9
"""What the client takes for a CPU until it has measured it."""

MOST_GPUS = 64
"""Instances of one type."""

LEAST_GPU_USE = 1e-6
"""Instances. The library rounds uses to about this."""

DEFAULT_SHARE = 100.0
"""The resource share of a project that states none."""

GPU_ELEMENTS = {"coproc_cuda": "NVIDIA", "coproc_ati": "ATI", "coproc_intel_gpu": "intel_gpu",
                "coproc_apple_gpu": "apple_gpu"}
"""Elements that describe a type of GPU, and the client's name for it."""

RECORD_FIELDS = frozenset(GPU_ELEMENTS) | frozenset("""
    p_ncpus p_fpops m_nbytes coprocs coproc type count peak_flops
    on_frac active_frac gpu_active_frac last_update client_start_time now previous_uptime
    task_mode gpu_mode task_suspend_reason gpu_suspend_reason
    master_url project_name resource_share ams_resource_share_new rec rec_time short_term_debt long_term_debt
    duration_correction_factor dont_use_dcf min_rpc_time nrpc_failures last_rpc_time
    master_url_fetch_pending suspended_via_gui dont_request_more_work detach_when_done ended non_cpu_intensive
    rsc_backoff_time rsc_backoff_interval name value
    cpu_backoff_time cpu_backoff_interval cuda_backoff_time cuda_backoff_interval ati_backoff_time ati_backoff_interval
    no_rsc_apps no_rsc_pref no_rsc_ams no_rsc_config
    no_cpu_apps no_cuda_apps no_ati_apps no_intel_gpu_apps no_cpu_pref no_cuda_pref no_ati_pref no_intel_gpu_pref
    no_cpu_ams no_cuda_ams no_ati_ams no_intel_gpu_ams
    app_name version_num plan_class platform avg_ncpus flops
    rsc_fpops_est rsc_memory_bound
    wu_name project_url state report_deadline received_time completed_time final_elapsed_time
    estimated_cpu_time_remaining ready_to_report got_server_ack edf_scheduled coproc_missing scheduler_wait resources
    active_task project_master_url result_name active_task_state scheduler_state elapsed_time fraction_done once_ran_edf
    fraction_done_exact scheduler_url master_fetch_failures
    persistent_file_xfer num_retries is_upload next_request_time generated_locally upload_when_present
    file_ref file_name
    current_cpu_time checkpoint_cpu_time checkpoint_elapsed_time checkpoint_fraction_done
    checkpoint_fraction_done_elapsed_time working_set_size_smoothed
    """.split())
"""All elements that are read inside a record."""

OTHER_RESOURCE_NAMES = {
    "CUDA": "NVIDIA", "cuda": "NVIDIA", "nvidia": "NVIDIA", "AMD": "ATI", "AMD/ATI": "ATI", "ati": "ATI", "cpu": CPU,
    "Intel": "intel_gpu", "Apple": "apple_gpu",
}

OWN_FIELDS_FOR_RESOURCE = ("cpu", "cuda", "ati", "intel_gpu")
"""Resources that have fields of their own in the projects of older clients, as those fields call them."""


class Host(NamedTuple):
    """`<host_info>`: the computer."""

    cpus: int
    cpu_flops: float
    ram: float


class TimeStats(NamedTuple):
    """`<time_stats>`: how much of the time the client may compute, and when it was started; 0 if that is not told."""

    on: float = 1.0
    active: float = 1.0
    gpu_active: float = 1.0
    client_start: float = 0.0
    ended_spell: float = 0.0
    """How long the client ran the last time, s; 0 if that is not told."""


class Gpu(NamedTuple):
    """A type of GPU. Its speed is 0 if the file does not tell it."""

    name: str
    instances: int
    peak_flops: float


class Backoff(NamedTuple):
    """When a project may be asked for a resource again."""

    until: float = 0.0
    interval: float = 0.0


class Project(NamedTuple):
    """`<project>`."""

    position: Position
    url: str
    name: str
    share: float
    rec: float
    rec_time: float
    short_term_debt: float
    long_term_debt: float
    dcf: float
    min_rpc_time: float
    rpc_failures: int
    master_file_pending: bool
    has_schedulers: bool
    """Whether the file tells any. Replies of the client tell none."""
    suspended: bool
    no_new_work: bool
    non_cpu_intensive: bool
    backoffs: Dict[str, Backoff]
    not_wanted: FrozenSet[str]
    no_apps: FrozenSet[str]


class GpuUse(NamedTuple):
    """How many instances of a type of GPU a task needs."""

    name: str
    instances: float


class AppVersion(NamedTuple):
    """`<app_version>`: a program, and what it uses. Its speed is 0 if the file does not tell it."""

    platform: str
    cpus: float
    gpu: Optional[GpuUse]
    flops: float
    files: FrozenSet[str] = frozenset()


class WorkUnit(NamedTuple):
    """`<workunit>`: what is to be computed."""

    app: str
    est_flops: float
    ram: float
    files: FrozenSet[str] = frozenset()


class ActiveTask(NamedTuple):
    """`<active_task>`: a task that has been started. None marks what the file does not tell."""

    position: Position
    state: int
    scheduler_state: Optional[int]
    elapsed: Optional[float]
    fraction_done: float
    cpu_time: float
    checkpoint_cpu_time: float
    checkpoint_elapsed: float
    checkpoint_fraction_done: float
    checkpoint_fraction_done_elapsed: float
    ram: float


class Result(NamedTuple):
    """`<result>`: one copy of a work unit, which this host computes."""

    position: Position
    project_url: str
    name: str
    workunit: str
    state: int
    platform: str
    version: int
    plan_class: str
    deadline: float
    received: float
    completed: float
    final_elapsed: float
    estimated_remaining: Optional[float]
    resources: str
    reported: bool
    ready_to_report: bool
    suspended: bool
    waiting: bool
    gpu_missing: bool
    was_late: bool
    active: Optional[ActiveTask]



def resource_name(name: str) -> str:
    """The client's present name of a resource; older clients, and its replies, have other names for the same.

    It stands behind a `/` in a state, so it must not hold one. An empty name stays empty.
    """
    return clean_name(OTHER_RESOURCE_NAMES.get(name, name)).replace("/", "-") if name else ""


def read_host(record: Element) -> Host:
    """`<host_info>`."""
    fields = Fields(record)
    return Host(cpus=fields.whole("p_ncpus", 1, 1, 65536),
                cpu_flops=fields.number("p_fpops") or DEFAULT_CPU_FLOPS,
                ram=fields.number("m_nbytes"))


def read_time_stats(record: Element) -> TimeStats:
    """`<time_stats>`. A fraction of 0 was never measured and counts as 1."""
    fields = Fields(record)
    on, active, gpu_active = (fields.number(name, 1.0, 0.0, 1.0) or 1.0
                              for name in ("on_frac", "active_frac", "gpu_active_frac"))
    # Only a reply tells it. A file has the present run instead, for the next one to know it.
    ended = fields.duration("previous_uptime") if fields.one("now") is not None else 0.0
    return TimeStats(on, active, gpu_active, fields.duration("client_start_time"), ended)


def read_gpu(record: Element) -> Gpu:
    """`<coproc_cuda>` and its kin, or `<coproc>` with the name of a type."""
    fields = Fields(record)
    name = GPU_ELEMENTS.get(record.name) or resource_name(fields.required_text("type"))
    if name == CPU:
        raise record.error(f"{CPU} is no type of GPU")
    return Gpu(name, fields.whole("count", 1, 0, MOST_GPUS), fields.number("peak_flops"))


def read_project(record: Element) -> Project:
    """`<project>`."""
    fields = Fields(record)
    url = fields.required_text("master_url")
    return Project(
        position=record.position,
        url=url,
        name=fields.text("project_name") or url,
        share=_share(fields),
        rec=fields.number("rec"),
        rec_time=fields.duration("rec_time"),
        short_term_debt=fields.number("short_term_debt", 0.0, -LONGEST_DURATION, LONGEST_DURATION),
        long_term_debt=fields.number("long_term_debt", 0.0, -LONGEST_DURATION, LONGEST_DURATION),
        dcf=1.0 if fields.flag("dont_use_dcf") else fields.number("duration_correction_factor", 1.0),
        min_rpc_time=fields.duration("min_rpc_time"),
        rpc_failures=fields.whole("nrpc_failures"),
        master_file_pending=fields.flag("master_url_fetch_pending") or _never_found(fields),
        has_schedulers=bool(fields.every("scheduler_url")),
        suspended=fields.flag("suspended_via_gui"),
        no_new_work=any(fields.flag(name) for name in ("dont_request_more_work", "detach_when_done", "ended")),
        non_cpu_intensive=fields.flag("non_cpu_intensive"),
        backoffs=_backoffs(fields),
        not_wanted=_resources_without(fields, "pref") | _resources_without(fields, "ams")
        | _resources_without(fields, "config"),
        no_apps=_resources_without(fields, "apps"))


def _never_found(fields: Fields) -> bool:
    """Whether the master file, which names the schedulers, was looked for in vain."""
    return fields.whole("master_fetch_failures") > 0 and not fields.every("scheduler_url")


def _share(fields: Fields) -> float:
    """The resource share; that of the account manager goes first, where -1 means that it sets none."""
    managed = fields.number("ams_resource_share_new", -1.0, -1.0)
    return managed if managed >= 0 else fields.number("resource_share", DEFAULT_SHARE)


def _backoffs(fields: Fields) -> Dict[str, Backoff]:
    """The backoff of each resource, as clients from 7.0 on write it, or as older ones do."""
    backoffs: Dict[str, Backoff] = {}
    for own in OWN_FIELDS_FOR_RESOURCE:
        backoffs[resource_name(own)] = Backoff(fields.duration(f"{own}_backoff_time"),
                                               fields.duration(f"{own}_backoff_interval"))
    for element in fields.every("rsc_backoff_time"):
        inner = Fields(element)
        name = resource_name(inner.required_text("name"))
        backoffs[name] = backoffs.get(name, Backoff())._replace(until=inner.duration("value"))
    for element in fields.every("rsc_backoff_interval"):
        inner = Fields(element)
        name = resource_name(inner.required_text("name"))
        backoffs[name] = backoffs.get(name, Backoff())._replace(interval=inner.duration("value"))
    return backoffs


def _resources_without(fields: Fields, what: str) -> FrozenSet[str]:
    """The resources that `<no_rsc_WHAT>`, or `<no_cpu_WHAT>` and the like, refer to."""
    listed = {resource_name(element.text.strip()) for element in fields.every(f"no_rsc_{what}")}
    flagged = {resource_name(own) for own in OWN_FIELDS_FOR_RESOURCE if fields.flag(f"no_{own}_{what}")}
    return frozenset(listed | flagged)


def read_app_version(record: Element) -> AppVersion:
    """`<app_version>`."""
    fields = Fields(record)
    return AppVersion(platform=fields.text("platform"), cpus=fields.number("avg_ncpus", 1.0, 0.0, 65536.0),
                      gpu=_gpu_use(fields), flops=fields.number("flops"), files=_files(fields))


def _files(fields: Fields) -> FrozenSet[str]:
    """Names of the files that a record needs."""
    return frozenset(Fields(reference).text("file_name") for reference in fields.every("file_ref"))


def _gpu_use(fields: Fields) -> Optional[GpuUse]:
    """What a program needs of a GPU."""
    element = fields.one("coproc")
    if element is None:
        return None
    inner = Fields(element)
    count = inner.number("count", 1.0, 0.0, 65536.0)
    if 0 < count < LEAST_GPU_USE:
        raise element.error(f"uses less of a GPU than can be distinguished, {LEAST_GPU_USE:g}")
    return GpuUse(resource_name(inner.required_text("type")), count) if count > 0 else None


def read_workunit(record: Element) -> WorkUnit:
    """`<workunit>`."""
    fields = Fields(record)
    return WorkUnit(app=fields.required_text("app_name"), est_flops=fields.number("rsc_fpops_est"),
                    ram=fields.number("rsc_memory_bound"), files=_files(fields))


def read_result(record: Element, project_url: str) -> Result:
    """`<result>` of a project."""
    fields = Fields(record)
    active = fields.one("active_task")
    return Result(
        position=record.position,
        project_url=project_url,
        name=fields.required_text("name"),
        workunit=fields.text("wu_name"),
        state=fields.whole("state"),
        platform=fields.text("platform"),
        version=fields.whole("version_num"),
        plan_class=fields.text("plan_class"),
        deadline=fields.duration("report_deadline"),
        received=fields.duration("received_time"),
        completed=fields.duration("completed_time"),
        final_elapsed=fields.duration("final_elapsed_time"),
        estimated_remaining=fields.known_duration("estimated_cpu_time_remaining"),
        resources=fields.text("resources"),
        reported=fields.flag("got_server_ack"),
        ready_to_report=fields.flag("ready_to_report"),
        suspended=fields.flag("suspended_via_gui"),
        waiting=fields.flag("scheduler_wait"),
        gpu_missing=fields.flag("coproc_missing"),
        was_late=fields.flag("edf_scheduled"),
        active=read_active_task(active) if active is not None else None)


def read_download_retry(record: Element) -> float:
    """`<file>` or `<file_transfer>`: when a download that has failed is tried again; 0 if there is none."""
    fields = Fields(record)
    transfer = fields.one("persistent_file_xfer")
    if transfer is None:
        return 0.0
    inner = Fields(transfer)
    # Older clients tell of the file itself that it goes the other way.
    is_upload = inner.flag("is_upload") or fields.flag("generated_locally") or fields.flag("upload_when_present")
    has_failed = inner.whole("num_retries", 1) > 0
    return inner.duration("next_request_time") if has_failed and not is_upload else 0.0


def read_active_task(record: Element) -> ActiveTask:
    """`<active_task>`, inside a result or in `<active_task_set>`."""
    fields = Fields(record)
    return ActiveTask(
        position=record.position,
        state=fields.whole("active_task_state"),
        scheduler_state=fields.whole("scheduler_state") if fields.one("scheduler_state") else None,
        elapsed=fields.known_duration("elapsed_time"),
        fraction_done=fields.number("fraction_done"),
        cpu_time=fields.duration("current_cpu_time"),
        checkpoint_cpu_time=fields.duration("checkpoint_cpu_time"),
        checkpoint_elapsed=fields.duration("checkpoint_elapsed_time"),
        checkpoint_fraction_done=fields.number("checkpoint_fraction_done"),
        checkpoint_fraction_done_elapsed=fields.duration("checkpoint_fraction_done_elapsed_time"),
        ram=fields.number("working_set_size_smoothed"))
