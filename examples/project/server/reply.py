# SPDX-License-Identifier: MIT
"""The reply to a scheduler request, as the deployed clients read it: line by line."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, Dict, List, Tuple

from server.project import Project
from server.request import Request
from server.signing import sign_upload
from server.units import output_name, result_name
from server.xml import element

if TYPE_CHECKING:
    from server.scheduler import Outcome
    from server.sending import Job, Refused

UPLOAD = "file_upload_handler"
"""Where output files go. By this name in a URL the deployed clients know that it is for uploads."""

SCHEDULER_VERSION = 720
"""What the deployed clients take for the version of a scheduler that knows what ours knows."""


def write(project: Project, request: Request, outcome: "Outcome") -> str:
    """The whole reply."""
    account, host = outcome.account, outcome.host
    parts = [
        "<scheduler_reply>\n",
        element("scheduler_version", SCHEDULER_VERSION),
        element("master_url", project.config.url),
        element("project_name", project.config.name),
        element("request_delay", f"{outcome.delay:.6f}"),
        *[_message(text) for text in outcome.messages],
        element("userid", account.id),
        element("user_name", account.name),
        element("email_hash", hashlib.md5(account.email.encode()).hexdigest()),
        element("user_total_credit", f"{account.credit:.6f}"),
        element("user_expavg_credit", f"{account.average:.6f}"),
        element("user_create_time", f"{account.created:.0f}"),
        element("hostid", host.id) if host.is_new else "",
        element("host_total_credit", f"{host.credit:.6f}"),
        element("host_expavg_credit", f"{host.average:.6f}"),
        element("host_create_time", f"{host.created:.0f}"),
        f"<code_sign_key>\n{project.public_key}</code_sign_key>\n" if outcome.wants_key else "",
        *[f"<result_ack>\n{element('name', name)}</result_ack>\n" for name in outcome.acknowledged],
        *[f"<result_abort>\n{element('name', name)}</result_abort>\n" for name in outcome.abort],
        *[f"<result_abort_if_not_started>\n{element('name', name)}</result_abort_if_not_started>\n"
          for name in outcome.abort_if_not_started],
        *_work(project, request, outcome.jobs, outcome.applications),
        _refused(outcome.refused) if outcome.refused else "",
        "<send_full_workload/>\n",
        "</scheduler_reply>\n",
    ]
    return "".join(parts)


def _refused(job: "Refused") -> str:
    """What would have been late on the host. Deployed clients skip it."""
    return (f"<refused_job>\n{element('rsc_fpops_est', job.flops)}{element('delay_bound', job.latency_bound)}"
            "</refused_job>\n")


def refusal(text: str, delay: float) -> str:
    """A reply to somebody whom we do not know."""
    return (f"<scheduler_reply>\n{element('scheduler_version', SCHEDULER_VERSION)}"
            f"{element('request_delay', f'{delay:.6f}')}{_message(text)}</scheduler_reply>\n")


def _message(text: str) -> str:
    return element("message", text).replace("<message>", '<message priority="notice">')


def _work(project: Project, request: Request, jobs: List["Job"], applications: Dict[str, Tuple[Any, ...]]) -> List[str]:
    """Programs, units and results, each of what is used before it is used."""
    parts = []
    for name in sorted({job.unit.application for job in jobs}):
        parts.append(_application(project, request, name, *applications[name]))
    for job in jobs:
        parts.append(_unit(project, job, applications[job.unit.application][0]))
        parts.append(_result(project, job, *applications[job.unit.application]))
    return parts


def _application(project: Project, request: Request, name: str, version: int, title: str,
                 program: Dict[str, Any]) -> str:
    return (
        f"<app>\n{element('name', name)}{element('user_friendly_name', title)}</app>\n"
        f"<file_info>\n{element('name', program['file'])}{element('url', project.url('download/' + program['file']))}"
        f"<executable/>\n<file_signature>\n{program['signature']}</file_signature>\n"
        f"{element('nbytes', program['bytes'])}</file_info>\n"
        f"<app_version>\n{element('app_name', name)}{element('version_num', version)}"
        f"{element('platform', program['platform'])}{element('avg_ncpus', 1)}"
        f"{element('flops', request.computer.flops)}<file_ref>\n{element('file_name', program['file'])}"
        "<main_program/>\n</file_ref>\n</app_version>\n")


def _unit(project: Project, job: "Job", version: int) -> str:
    unit = job.unit
    files = "".join(f"<file_info>\n{element('name', held['file'])}"
                    f"{element('url', project.url('download/' + held['file']))}"
                    f"{element('md5_cksum', held['md5'])}{element('nbytes', held['bytes'])}</file_info>\n"
                    for held in job.inputs)
    return (
        f"{files}<workunit>\n{element('name', unit.name())}{element('app_name', unit.application)}"
        f"{element('version_num', version)}{element('rsc_fpops_est', job.flops)}"
        f"{element('rsc_fpops_bound', job.flops_bound)}{element('rsc_memory_bound', job.memory)}"
        f"{element('rsc_disk_bound', job.disk)}{element('command_line', job.command_line)}"
        + "".join(_reference(held["file"], held["name"]) for held in job.inputs) + "</workunit>\n")


def _result(project: Project, job: "Job", version: int, _title: str, program: Dict[str, Any]) -> str:
    unit = job.unit
    names = [output_name(unit.application, job.result, number) for number in range(len(unit.outputs))]
    files = "".join(
        f"<file_info>\n{element('name', name)}<generated_locally/>\n<upload_when_present/>\n"
        f"{element('max_nbytes', job.output_bytes)}{element('url', project.url(UPLOAD))}"
        f"<xml_signature>\n{sign_upload(name, job.output_bytes, project.upload_secret)}\n</xml_signature>\n"
        "</file_info>\n" for name in names)
    return (
        f"{files}<result>\n{element('name', result_name(unit.application, job.result))}"
        f"{element('wu_name', unit.name())}{element('report_deadline', f'{job.deadline:.6f}')}"
        f"{element('platform', program['platform'])}{element('version_num', version)}"
        + "".join(_reference(name, opened) for name, opened in zip(names, unit.outputs)) + "</result>\n")


def _reference(file: str, opened: str) -> str:
    """A file, copied into the task's folder, so that a program needs no library to find it."""
    return (f"<file_ref>\n{element('file_name', file)}{element('open_name', opened)}<copy_file/>\n</file_ref>\n")
