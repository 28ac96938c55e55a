# SPDX-License-Identifier: MIT
"""The files in which a user configures a BOINC client: `cc_config.xml`, and a project's `app_config.xml`."""

from __future__ import annotations

import re
from typing import Dict, FrozenSet, List, NamedTuple, Optional, Tuple

from vcsched.boinc.client_records import LEAST_GPU_USE, MOST_GPUS, AppVersion, resource_name
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
    records=frozenset({"app", "app_version", "project_max_concurrent"}),
    fields=frozenset({"name", "max_concurrent", "gpu_versions", "gpu_usage", "cpu_usage",
                      "app_name", "plan_class", "avg_ncpus", "ngpus", "fraction_done_exact"}))

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
    """CPUs that the client shall act on; 0 = all CPUs of the computer."""
    rec_half_life: Optional[float]
    exclusions: List[GpuExclusion]


class Usage(NamedTuple):
    """What tasks of a program use instead of what their project says; None = as it says."""

    cpus: Optional[float] = None
    gpus: Optional[float] = None


class ProjectConfiguration(NamedTuple):
    """What is used of an `app_config.xml`. A limit says how many tasks may run at the same time; 0 = no limit."""

    max_concurrent: int
    app_limits: Dict[str, int]
    gpu_usages: Dict[str, Usage]
    """For all programs of an application that use a GPU."""
    version_usages: Dict[Tuple[str, str], Usage]
    """By application and plan class. These go first."""
    exact_apps: FrozenSet[str] = frozenset()
    """Applications whose tasks know exactly how far they are, as the user says."""
    mentioned: Tuple[Tuple[Position, str, Optional[str]], ...] = ()
    """Where which application is named, and which plan class, if one is."""

    def apply(self, app: str, plan_class: str, version: AppVersion) -> AppVersion:
        """A program of an application with the uses that the user wants."""
        usages = [self.version_usages.get((app, plan_class), Usage())]
        if version.gpu:
            usages.insert(0, self.gpu_usages.get(app, Usage()))
        for usage in usages:
            if usage.cpus is not None:
                version = version._replace(cpus=usage.cpus)
            if usage.gpus is not None and version.gpu:
                version = version._replace(gpu=version.gpu._replace(instances=usage.gpus))
        return version


NO_CONFIGURATION = ClientConfiguration(0, None, [])


def read_client_configuration(records: List[Element]) -> ClientConfiguration:
    """A `cc_config.xml` from its records."""
    configuration = NO_CONFIGURATION._replace(exclusions=[])
    for record in records:
        if record.name == "ncpus":
            # The client takes 0 and -1 for "all that there are".
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
                        device=fields.whole("device_num", ALL_DEVICES, ALL_DEVICES, MOST_GPUS - 1),
                        gpu=resource_name(fields.text("type")),
                        app=fields.text("app"))


def read_project_configuration(records: List[Element]) -> ProjectConfiguration:
    """An `app_config.xml` from its records."""
    configuration = ProjectConfiguration(0, {}, {}, {})
    for record in records:
        if record.name == "project_max_concurrent":
            configuration = configuration._replace(max_concurrent=whole_of(record, 0, 10**6))
            continue
        fields = Fields(record)
        if record.name == "app":
            name = fields.required_text("name")
            configuration = _mention(configuration, record, name, None)
            if fields.flag("fraction_done_exact"):
                configuration = configuration._replace(exact_apps=configuration.exact_apps | {name})
            configuration.app_limits[name] = fields.whole("max_concurrent", 0, 0, 10**6)
            versions = fields.one("gpu_versions")
            if versions is not None:
                configuration.gpu_usages[name] = _read_usage(versions, "cpu_usage", "gpu_usage")
        else:
            key = (fields.required_text("app_name"), fields.text("plan_class"))
            configuration.version_usages[key] = _read_usage(record, "avg_ncpus", "ngpus")
            configuration = _mention(configuration, record, *key)
    return configuration


def _mention(configuration: ProjectConfiguration, record: Element, app: str,
             plan_class: Optional[str]) -> ProjectConfiguration:
    return configuration._replace(mentioned=(*configuration.mentioned, (record.position, app, plan_class)))


def _read_usage(record: Element, cpus: str, gpus: str) -> Usage:
    """The uses that a record states. Like the client it takes 0 for not stated."""
    fields = Fields(record)
    usage = Usage(fields.number(cpus, 0.0, 0.0, 65536.0) or None, fields.number(gpus, 0.0, 0.0, 65536.0) or None)
    if usage.gpus is not None and usage.gpus < LEAST_GPU_USE:
        raise record.error(f"uses less of a GPU than can be distinguished, {LEAST_GPU_USE:g}")
    return usage


def plain_url(url: str) -> str:
    """A project's URL without what does not tell it from others: the scheme, the last slash, capitals."""
    return re.sub(r"^https?://", "", url.strip().lower()).rstrip("/")


def directory_name(url: str) -> str:
    """Name of the folder in which the client keeps a project's files."""
    return re.sub(r"[^a-z0-9._-]", "_", plain_url(url))
