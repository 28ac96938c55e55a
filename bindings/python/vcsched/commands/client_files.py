# SPDX-License-Identifier: MIT
"""Reads the files of a BOINC client that a command line names."""

from __future__ import annotations

import os
import shlex
import stat
import sys
from typing import BinaryIO, Callable, Dict, List, Optional, Tuple

from vcsched.boinc.client_state import LAYOUT as CLIENT_STATE_LAYOUT
from vcsched.boinc.client_state import ClientState
from vcsched.boinc.configuration import (CLIENT_LAYOUT, NO_CONFIGURATION, PROJECT_LAYOUT, ProjectConfiguration,
                                         directory_name, plain_url, read_client_configuration,
                                         read_project_configuration)
from vcsched.boinc.host_import import Sources
from vcsched.boinc.preferences import LAYOUT as PREFERENCES_LAYOUT
from vcsched.boinc.preferences import read_preferences
from vcsched.boinc.scheduler_reply import LAYOUT as REPLY_LAYOUT
from vcsched.boinc.scheduler_reply import tells_limit
from vcsched.boinc.xml_records import Element, Layout, read_records
from vcsched.commands.progress import ProgressBar
from vcsched.errors import InputError, UsageError

STANDARD_STREAM = "-"
"""Means standard input or output instead of a file."""

CLIENT_STATE = "client_state.xml"
CC_CONFIG = "cc_config.xml"
APP_CONFIG = "app_config.xml"
SCHEDULER_REPLY = "sched_reply_{}.xml"
"""In the data directory, for the folder of a project."""
PREFERENCES = ("global_prefs.xml", "global_prefs_override.xml")
"""Later ones override."""


def read_client(paths: List[str], data_directory: Optional[str]) -> ClientState:
    """Everything that the files say about the client, and what its data directory alone says."""
    client = ClientState()
    for path in paths:
        _read_file(path, CLIENT_STATE_LAYOUT, client.add)
    client.complete(_label(paths[-1]))
    if data_directory is not None:
        add_filed_lateness(client, data_directory)
    return client


def add_filed_lateness(client: ClientState, data_directory: str) -> None:
    """Adds which tasks have run early, which a client does not reply, from its file."""
    filed = ClientState()
    _read_file(os.path.join(data_directory, CLIENT_STATE), CLIENT_STATE_LAYOUT, filed.add)
    client.ran_early |= filed.ran_early


def read_sources(client: ClientState, data_directory: Optional[str], preferences: List[str], cc_config: Optional[str],
                 app_configs: List[str], now: Optional[float]) -> Sources:
    """What the other files say. A file that is named goes before the one in the data directory."""
    if data_directory is not None:
        # A reply of the client holds the preferences in force.
        if not preferences and not client.preferences:
            preferences = _present(data_directory, *PREFERENCES)
        cc_config = cc_config or next(iter(_present(data_directory, CC_CONFIG)), None)
        app_configs = [data_directory, *app_configs]
    layers = [read_preferences(record, client.venue) for path in preferences
              for record in _records(path, PREFERENCES_LAYOUT)]
    configuration = read_client_configuration(_records(cc_config, CLIENT_LAYOUT)) if cc_config else NO_CONFIGURATION
    replies = {url: os.path.join(data_directory, SCHEDULER_REPLY.format(directory_name(url)))
               for url in client.projects if data_directory is not None}
    limited = frozenset(url for url, reply in replies.items() if _is_at_server_limit(reply))
    return Sources(now, tuple(layers), configuration, _read_project_configurations(app_configs, client),
                   at_server_limit=limited)


def how_to_read_preferences(path: str) -> str:
    """With which options the preferences of the client are read whose state is `path`: those beside it, if there are
    any."""
    folder = os.path.dirname(path)
    beside = _present(folder, *PREFERENCES) if path != STANDARD_STREAM else []
    if not beside:
        return "With --data-dir DIRECTORY or --global-prefs FILE those of the client are read."
    if os.path.basename(path) == CLIENT_STATE:
        return f"With --data-dir {shlex.quote(folder or os.curdir)} those beside the file are read."
    options = " ".join(f"--global-prefs {shlex.quote(name)}" for name in beside)
    return f"With {options} those beside the file are read."


def _is_at_server_limit(path: str) -> bool:
    """Whether the last reply of a project's scheduler says that it sends no more. A reply may be anything: the answer
    of a proxy, or cut short."""
    try:
        return os.path.isfile(path) and any(tells_limit(record.text) for record in _records(path, REPLY_LAYOUT))
    except InputError:
        return False


def _present(directory: str, *names: str) -> List[str]:
    """Those of the files that are there."""
    paths = [os.path.join(directory, name) for name in names]
    return [path for path in paths if os.path.isfile(path)]


def _read_project_configurations(app_configs: List[str], client: ClientState) -> Dict[str, ProjectConfiguration]:
    """What all app_config.xml say that are asked for, by the URL of their project."""
    paths: Dict[str, str] = {}
    for argument in app_configs:
        paths.update(_find_app_configs(argument, client))
    return {url: read_project_configuration(_records(path, PROJECT_LAYOUT)) for url, path in paths.items()}


def _find_app_configs(argument: str, client: ClientState) -> List[Tuple[str, str]]:
    """URL and file of each project that an --app-config means."""
    if os.path.isdir(argument):
        return _app_configs_below(argument, client)
    if os.path.exists(argument) or "=" not in argument:
        return [(_project_of_file(argument, client), argument)]
    project, path = argument.split("=", 1)
    for url, found in client.projects.items():
        if project == found.name or plain_url(project) == plain_url(url):
            return [(url, path)]
    raise UsageError(f"--app-config: there is no project {project!r}")


def _app_configs_below(directory: str, client: ClientState) -> List[Tuple[str, str]]:
    """The app_config.xml of every project that has one in a client's data directory, or in its `projects`."""
    projects = os.path.join(directory, "projects")
    parent = projects if os.path.isdir(projects) else directory
    try:
        folders = {name.lower(): name for name in sorted(os.listdir(parent))}
    except PermissionError:
        # A client makes its `projects` so that others may open what is in it, but not list it.
        folders = {name: name for name in map(directory_name, client.projects)}
    found = []
    for url in client.projects:
        folder = folders.get(directory_name(url))
        path = os.path.join(parent, folder, APP_CONFIG) if folder else ""
        if os.path.isfile(path):
            found.append((url, path))
    return found


def _project_of_file(path: str, client: ClientState) -> str:
    """The project that an app_config.xml belongs to: that of its folder, or the only one there is."""
    folder = os.path.basename(os.path.dirname(os.path.abspath(path))).lower()
    for url in client.projects:
        if directory_name(url) == folder:
            return url
    if len(client.projects) == 1:
        return next(iter(client.projects))
    raise UsageError(f"--app-config: which project is {path} for? Write PROJECT={path}")


def _records(path: str, layout: Layout) -> List[Element]:
    """All records of a small file."""
    records: List[Element] = []
    _read_file(path, layout, records.append)
    return records


def _read_file(path: str, layout: Layout, consume: Callable[[Element], None]) -> None:
    """Hands every record of a file to `consume`, with a progress bar if it is long."""
    stream, size = _open(path)
    progress = ProgressBar(sys.stderr, f"reading {_label(path)}", size)
    try:
        for record in read_records(stream, _label(path), layout, progress.advance):
            consume(record)
    finally:
        progress.close()
        if stream is not sys.stdin.buffer:
            stream.close()


def _open(path: str) -> Tuple[BinaryIO, int]:
    """A file for reading, and its size; 0 if that is not known."""
    if path == STANDARD_STREAM:
        return sys.stdin.buffer, 0
    stream = open(path, "rb")
    information = os.fstat(stream.fileno())
    return stream, information.st_size if stat.S_ISREG(information.st_mode) else 0


def _label(path: str) -> str:
    """A file's name in messages."""
    return "<stdin>" if path == STANDARD_STREAM else path
