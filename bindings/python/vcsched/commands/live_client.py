# SPDX-License-Identifier: MIT
"""Everything that a running BOINC client, and its data directory, tell for a plan."""

from __future__ import annotations

import argparse
import contextlib
import os
import time
from typing import Dict, List, NamedTuple, Optional, Tuple

from vcsched.boinc.client_messages import LAYOUT as MESSAGES_LAYOUT
from vcsched.boinc.client_messages import server_limits
from vcsched.boinc.client_state import LAYOUT as CLIENT_STATE_LAYOUT
from vcsched.boinc.client_state import ClientState
from vcsched.boinc.configuration import CLIENT_LAYOUT, PROJECT_LAYOUT, read_client_configuration
from vcsched.boinc.configuration import ProjectConfiguration, read_project_configuration
from vcsched.boinc.gui_rpc import (DEFAULT_HOST, DEFAULT_PORT, DEFAULT_TIMEOUT, Address, ClientConnection,
                                   parse_address, read_password)
from vcsched.boinc.host_import import Sources
from vcsched.commands.client_files import add_filed_lateness, read_sources
from vcsched.errors import InputError, RefusedError

PASSWORD_FILE = "gui_rpc_auth.cfg"
"""In the data directory."""
LONGEST_TIMEOUT = 3600.0

ADDRESS_HELP = f"HOST[:PORT] (default: {DEFAULT_HOST}:{DEFAULT_PORT})"


IN_USE_HELP = "plan for a computer that somebody is using, with the preferences for that (default: nobody is)"


class LiveOptions(NamedTuple):
    """How to reach a client, and where its files are."""

    address: Address
    timeout: float
    password_file: Optional[str]
    data_directory: Optional[str]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds to a command what `LiveOptions` has besides the address and the data directory."""
    parser.add_argument("--password-file", metavar="FILE", help="file with the password of the client's GUI RPC "
                        f"(default: {PASSWORD_FILE} in the data directory)")
    parser.add_argument("--timeout", metavar="SECONDS", type=_timeout, default=DEFAULT_TIMEOUT,
                        help="how long the client may take for an answer (default: %(default)g)")


def address(text: str) -> Address:
    """An address from the command line."""
    try:
        return parse_address(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _timeout(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value <= LONGEST_TIMEOUT:
        raise argparse.ArgumentTypeError(f"{text!r} is not a time between 0 and {LONGEST_TIMEOUT:g} s")
    return value


def ask_client(options: LiveOptions, preferences: Optional[List[str]] = None, cc_config: Optional[str] = None,
               app_configs: Optional[List[str]] = None, now: Optional[float] = None) -> Tuple[ClientState, Sources]:
    """The state of a running client, and what other files say, of which those that are named go first."""
    client = ClientState()
    with ClientConnection(options.address, options.timeout) as connection:
        password = _password(options)
        if password is not None:
            connection.authenticate(password)
        for call in ("get_state", "get_cc_status", "get_file_transfers"):
            for record in connection.ask(call, CLIENT_STATE_LAYOUT):
                client.add(record)
        client.complete(f"{options.address} get_state")
        if now is None and not client.tells_now:
            now = time.time()
        sources = read_sources(client, options.data_directory, preferences or [], cc_config, app_configs or [], now)
        sources = _ask_messages(connection, client, sources)
        if options.data_directory is not None:
            add_filed_lateness(client, options.data_directory)
            return client, sources
        notes = [*sources.notes, "which tasks have run early is known only with --data-dir"]
        if password is None:
            notes.append("limits and exclusions of the user are known only with --data-dir or --password-file")
        else:
            sources = _ask_configurations(connection, client, sources, cc_config is None)
    return client, sources._replace(notes=tuple(notes))


def _password(options: LiveOptions) -> Optional[bytes]:
    """The password, or None to do without: a client answers some calls from its own computer to everybody."""
    if options.password_file is not None:
        return read_password(options.password_file)
    if options.data_directory is not None:
        with contextlib.suppress(FileNotFoundError, PermissionError):
            return read_password(os.path.join(options.data_directory, PASSWORD_FILE))
    return None


def _ask_messages(connection: ClientConnection, client: ClientState, sources: Sources) -> Sources:
    """What the servers last said of limits. A client that was started since then no longer tells it; its files do."""
    try:
        told = server_limits(connection.ask("get_messages", MESSAGES_LAYOUT))
    except (RefusedError, InputError) as error:
        # Messages quote projects and servers, and a plan can do without them.
        return sources._replace(notes=(*sources.notes, f"limits of servers may be missing: {error}"))
    limited = set(sources.at_server_limit)
    names = [project.name for project in client.projects.values()]
    for url, project in client.projects.items():
        # A message names its project, and two may have the same name.
        if project.name in told and names.count(project.name) == 1:
            limited.discard(url)
            limited.update([url] if told[project.name] else [])
    return sources._replace(at_server_limit=frozenset(limited))


def _ask_configurations(connection: ClientConnection, client: ClientState, sources: Sources,
                        all_of_them: bool) -> Sources:
    """What the client's own configuration files say, as far as nobody has named others."""
    if all_of_them:
        records = connection.ask("get_cc_config", CLIENT_LAYOUT)
        sources = sources._replace(configuration=read_client_configuration(records))
    configurations: Dict[str, ProjectConfiguration] = {}
    for url in client.projects:
        configurations[url] = read_project_configuration(connection.ask("get_app_config", PROJECT_LAYOUT, url))
    return sources._replace(project_configurations={**configurations, **sources.project_configurations})
