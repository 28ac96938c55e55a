# SPDX-License-Identifier: MIT
"""The files in which a user configures a BOINC client: `cc_config.xml`, and a project's `app_config.xml`."""

from __future__ import annotations

import re
from typing import Dict, List, NamedTuple, Optional

from vcsched.boinc.client_records import resource_name
from vcsched.boinc.fields import Fields, number_of, whole_of
from vcsched.boinc.xml_records import Element, Layout
from vcsched.errors import Position

CLIENT_LAYOUT = Layout(
    description="a cc_config.xml of BOINC",
    roots=frozenset({"cc_config"}),
    containers=frozenset({"cc_config", "options"}),
    records=frozenset({"ncpus", "rec_half_life_days", "exclude_gpu"}),
    fields=frozenset({"url", "device_num", "type", "app"}))

PROJECT_LAYOUT = Layout(
    description="an app_config.xml of BOINC",
    roots=frozenset({"app_config"}),
    containers=frozenset({"app_config"}),
    records=frozenset({"app", "project_max_concurrent"}),
    fields=frozenset({"name", "max_concurrent"}))

ALL_DEVICES = -1


class GpuExclusion(NamedTuple):
    """`<exclude_gpu>`: devices that a project must not use."""

    position: Position
    url: str
    device: int
    """Number of the device, or ALL_DEVICES."""
    gpu: str
    """Type of GPU; empty = every type."""
    app: str
    """Application that it holds for; empty = all of the project."""


class ClientConfiguration(NamedTuple):
    """What is used of a `cc_config.xml`."""

    cpus: int
    """CPUs that the client shall act on; 0 = those that there are."""
    rec_half_life: Optional[float]
    exclusions: List[GpuExclusion]


class ProjectLimits(NamedTuple):
    """The limits of an `app_config.xml`: how many tasks may run at the same time; 0 = no limit."""

    project: int
    apps: Dict[str, int]


NO_CONFIGURATION = ClientConfiguration(0, None, [])


def read_client_configuration(records: List[Element]) -> ClientConfiguration:
    """A `cc_config.xml` from its records."""
    configuration = NO_CONFIGURATION._replace(exclusions=[])
    for record in records:
        if record.name == "ncpus":
            # The client takes 0 and -1 for "those that there are".
            configuration = configuration._replace(cpus=max(0, whole_of(record, -1, 65536)))
        elif record.name == "rec_half_life_days":
            days = number_of(record, 0.0, 1e6)
            configuration = configuration._replace(rec_half_life=days * 86400.0 if days > 0 else None)
        else:
            configuration.exclusions.append(_read_exclusion(record))
    return configuration


def _read_exclusion(record: Element) -> GpuExclusion:
    fields = Fields(record)
    return GpuExclusion(position=record.position,
                        url=fields.required_text("url"),
                        device=fields.whole("device_num", ALL_DEVICES, ALL_DEVICES, 63),
                        gpu=resource_name(fields.text("type")),
                        app=fields.text("app"))


def read_project_limits(records: List[Element]) -> ProjectLimits:
    """An `app_config.xml` from its records."""
    limits = ProjectLimits(0, {})
    for record in records:
        if record.name == "project_max_concurrent":
            limits = limits._replace(project=whole_of(record, 0, 10**6))
        else:
            fields = Fields(record)
            limits.apps[fields.required_text("name")] = fields.whole("max_concurrent", 0, 0, 10**6)
    return limits


def plain_url(url: str) -> str:
    """A project's URL without what does not tell it from others: the scheme, the last slash, capitals."""
    return re.sub(r"^https?://", "", url.strip().lower()).rstrip("/")


def directory_name(url: str) -> str:
    """Name of the folder in which the client keeps a project's files."""
    return re.sub(r"[^a-z0-9._-]", "_", plain_url(url))
