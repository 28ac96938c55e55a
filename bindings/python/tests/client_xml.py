# SPDX-License-Identifier: MIT
"""Pieces of a client state, for tests to put together. Each takes fields that replace or follow its own."""

from __future__ import annotations

NOW = 1_000_000.0
URL = "https://tidewatch.example.org/"


def element(name: str, /, **fields: object) -> str:
    """An element with fields inside. None makes an empty element; a list, several of the same name."""
    inner = ""
    for key, value in fields.items():
        for item in value if isinstance(value, list) else [value]:
            inner += f"<{key}/>\n" if item is None else f"<{key}>{item}</{key}>\n"
    return f"<{name}>\n{inner}</{name}>\n"


def host(**fields: object) -> str:
    return element("host_info", **{"p_ncpus": 4, "p_fpops": 2e9, "m_nbytes": 8e9, **fields})


def times(**fields: object) -> str:
    return element("time_stats", **{"last_update": NOW, **fields})


def project(**fields: object) -> str:
    return element("project", **{"master_url": URL, "project_name": "Tidewatch", **fields})


def app(**fields: object) -> str:
    return element("app", **{"name": "surge", **fields})


def version(**fields: object) -> str:
    return element("app_version", **{"app_name": "surge", "version_num": 100, "flops": 2e9, **fields})


def workunit(**fields: object) -> str:
    return element("workunit", **{"name": "wave", "app_name": "surge", "rsc_fpops_est": 7.2e12,
                                  "rsc_memory_bound": 1e8, **fields})


def result(**fields: object) -> str:
    return element("result", **{"name": "wave_0", "wu_name": "wave", "state": 2, "version_num": 100,
                                "report_deadline": NOW + 86400, "received_time": NOW - 3600, **fields})


def active_task(**fields: object) -> str:
    """As in the client's own file."""
    return "<active_task_set>\n" + element("active_task", **{
        "project_master_url": URL, "result_name": "wave_0", "active_task_state": 1, **fields}) + "</active_task_set>\n"


def work(**fields: object) -> str:
    """One project with one result; the fields are the result's."""
    return project() + app() + version() + workunit() + result(**fields)


def nvidia(**fields: object) -> str:
    """The inside of <coprocs> with one type of GPU."""
    return element("coproc_cuda", **{"count": 2, "peak_flops": 5e12, **fields})


def gpu_version(**fields: object) -> str:
    return version(avg_ncpus=0.25, plan_class="cuda", flops=5e11,
                   coproc="<type>NVIDIA</type><count>0.5</count>", **fields)


def gpu_host(**fields: object) -> str:
    return host(coprocs=nvidia(**fields))


def state(*parts: str, start: str = "") -> str:
    """A whole client state."""
    return f"<client_state>\n{start or host() + times()}{''.join(parts)}</client_state>\n"
