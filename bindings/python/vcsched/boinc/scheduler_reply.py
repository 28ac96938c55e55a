# SPDX-License-Identifier: MIT
"""The last reply of a project's scheduler, which a BOINC client keeps in its data directory."""

from __future__ import annotations

import re

from vcsched.boinc.xml_records import Layout

LAYOUT = Layout(
    description="a reply of a BOINC scheduler",
    roots=frozenset({"scheduler_reply"}),
    containers=frozenset({"scheduler_reply"}),
    records=frozenset({"message"}),
    fields=frozenset())

LIMIT = re.compile(r"reached a limit on tasks in progress|daily quota|at its limit of jobs in progress", re.IGNORECASE)
"""How deployed schedulers, and that of examples/project, tell people that the host has as many jobs as it may have, at
a time or in a day."""


def tells_limit(message: str) -> bool:
    """Whether a message says that the server sends no more jobs because the host has enough."""
    return LIMIT.search(message) is not None
