#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Says in sentences why each processor of a BOINC client idles, or does not.

    why_idle.py client_state.xml
"""

import sys

import vcsched as v
from vcsched.boinc.client_state import LAYOUT, ClientState
from vcsched.boinc.configuration import NO_CONFIGURATION
from vcsched.boinc.host_import import Sources, import_host
from vcsched.boinc.xml_records import read_records
from vcsched.named_state import from_host_state


def read_client(path):
    """The host of a client_state.xml, as records of the library."""
    client = ClientState()
    with open(path, "rb") as stream:
        for record in read_records(stream, path, LAYOUT, lambda size: None):
            client.add(record)
    client.complete(path)
    return from_host_state(import_host(client, Sources(None, (), NO_CONFIGURATION, {}), "why_idle"))


def sentences(state):
    plan = state.plan()
    resources = len(state.resource_names)
    for number, (name, resource) in enumerate(zip(state.resource_names, state.records["resources"])):
        used = plan.schedule.resources[number].used
        idle = resource.instances - used
        if idle <= 0:
            yield f"{name}: all {resource.instances} are in use, and will be for " \
                  f"{plan.wrr.resources[number].saturated / 3600:.1f} hours."
            continue
        yield f"{name}: {idle:g} of {resource.instances} are idle."
        for task, label, decision in zip(state.records["tasks"], state.task_names, plan.schedule.tasks):
            if not decision.run and task.gpu == number:
                yield f"  {label} does not run. {v.reason_sentence(decision.reason)}"
        for project, label in enumerate(state.project_names):
            request = plan.fetch.project_resources[project * resources + number]
            yield f"  {label}: {v.reason_sentence(request.reason)}"


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: why_idle.py client_state.xml")
    for sentence in sentences(read_client(sys.argv[1])):
        print(sentence)
