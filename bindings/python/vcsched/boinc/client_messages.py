# SPDX-License-Identifier: MIT
"""What a running BOINC client has told its user since it was started: its reply to `get_messages`."""

from __future__ import annotations

from typing import Dict, Iterable

from vcsched.boinc.fields import Fields
from vcsched.boinc.scheduler_reply import tells_limit
from vcsched.boinc.xml_records import Element, Layout

LONGEST_MESSAGE = 65536
"""Characters. A client's own bound is less."""

LAYOUT = Layout(
    description="a BOINC client's messages",
    roots=frozenset({"boinc_gui_rpc_reply"}),
    containers=frozenset({"boinc_gui_rpc_reply", "msgs"}),
    records=frozenset({"msg"}),
    fields=frozenset({"project", "body"}),
    longest_text=LONGEST_MESSAGE)

_REPLY_CAME = "Scheduler request completed"
"""How the client begins to tell of a reply. What the server says in it follows."""


def server_limits(messages: Iterable[Element]) -> Dict[str, bool]:
    """For the name of each project whose server has replied, whether the last reply says that it sends no more jobs.

    A call that fails brings no reply, so it changes nothing.
    """
    limits: Dict[str, bool] = {}
    for message in messages:
        fields = Fields(message)
        project, body = fields.text("project"), fields.text("body").lstrip()
        if not project:
            continue
        if body.startswith(_REPLY_CAME):
            limits[project] = False
        elif tells_limit(body):
            limits[project] = True
    return limits
