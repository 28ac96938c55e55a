# SPDX-License-Identifier: MIT
"""Reads the files of a BOINC client. doc/importing.md says what is read and what it becomes."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Optional, Union

if TYPE_CHECKING:
    from vcsched.named_state import NamedState


def read(path: Union[str, "os.PathLike[str]"], policy: Optional[str] = None) -> "NamedState":
    """The host that a BOINC client's files describe, with the names of its projects and tasks.

    path      client_state.xml, or a get_state reply; or the client's data directory, whose preferences, limits and
              exclusions are read, too
    policy    "PROFILE[,PARAMETER=VALUE]...", in place of the client's own, "current"

    It is the same as `python3 -m vcsched import` and reading the state file that it writes: nothing is sent anywhere,
    and no clock is read. Raises InputError, with file, line and column, for what cannot be used, and OSError for a file
    that cannot be read. It needs the compiled part of the package.
    """
    # What only imports needs neither these nor the compiled part.
    from vcsched.boinc.host_import import import_host
    from vcsched.commands.client_files import CLIENT_STATE, read_client, read_sources
    from vcsched.named_state import from_host_state
    path = os.fspath(path)
    directory = path if os.path.isdir(path) else None
    client = read_client([path if directory is None else os.path.join(path, CLIENT_STATE)], directory)
    return from_host_state(import_host(client, read_sources(client, directory, [], None, [], None), ""), policy)
