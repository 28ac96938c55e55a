# SPDX-License-Identifier: MIT
"""`python3 -m vcsched import`: makes a state file from the files of a BOINC client."""

from __future__ import annotations

import argparse
import os
import stat
import sys
from typing import BinaryIO, Callable, Dict, List, Tuple

from vcsched.boinc.client_state import LAYOUT as CLIENT_STATE_LAYOUT
from vcsched.boinc.client_state import ClientState
from vcsched.boinc.configuration import (CLIENT_LAYOUT, NO_CONFIGURATION, PROJECT_LAYOUT, ProjectLimits,
                                         directory_name, plain_url, read_client_configuration, read_project_limits)
from vcsched.boinc.fields import LONGEST_DURATION
from vcsched.boinc.host_import import Sources, import_host
from vcsched.boinc.preferences import LAYOUT as PREFERENCES_LAYOUT
from vcsched.boinc.preferences import read_preferences
from vcsched.boinc.xml_records import Element, Layout, read_records
from vcsched.commands.progress import ProgressBar
from vcsched.errors import UsageError
from vcsched.host_state import HostState
from vcsched.names import one_line
from vcsched.state_file import save_state, write_state

STANDARD_STREAM = "-"
"""Means standard input or output instead of a file."""
APP_CONFIG = "app_config.xml"

_EXAMPLES = """\
examples:
  python3 -m vcsched import client_state.xml -o state.ini
      what is planned for the host: vcemu plan state.ini
  python3 -m vcsched import client_state.xml --global-prefs global_prefs.xml \\
          --global-prefs global_prefs_override.xml --app-config . -o state.ini
      with the preferences and limits that the client keeps in its data directory, where this is run
  python3 -m vcsched import state_reply.xml results_reply.xml
      a get_state reply with the tasks of a newer get_results reply, to standard output

Nothing is sent anywhere and no clock is read: the same files give the same state. doc/importing.md has the details.
"""


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Adds the command to those of the program."""
    parser = commands.add_parser(
        "import", help="make a state file from a BOINC client's client_state.xml",
        description="Makes a state file, which vcemu reads, from the files of a BOINC client:\n"
        "client_state.xml, or the replies to get_state and get_results.",
        epilog=_EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", metavar="FILE", nargs="+",
                        help="client_state.xml or a get_state reply; also a get_results reply, whose results then "
                        "replace those of the state. - is standard input")
    parser.add_argument("-o", "--output", metavar="STATE.ini", default=STANDARD_STREAM,
                        help="state file to write, completely or not at all (default: standard output)")
    parser.add_argument("--global-prefs", metavar="FILE", action="append", default=[],
                        help="global_prefs.xml or global_prefs_override.xml; may be repeated, later ones override")
    parser.add_argument("--app-config", metavar="[PROJECT=]FILE", action="append", default=[],
                        help="app_config.xml of a project, given by name or URL; or the client's data directory, to "
                        "find those of all projects; may be repeated")
    parser.add_argument("--cc-config", metavar="FILE", help="cc_config.xml: GPU exclusions, ncpus, half-life of REC")
    parser.add_argument("--now", metavar="SECONDS", type=_time,
                        help="the current time, in seconds since 1970 (default: the newest time in the files)")
    parser.add_argument("-q", "--quiet", action="store_true", help="print only errors")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Carries out the command. Returns the exit status."""
    _refuse_to_overwrite_input(arguments)
    client = _read_client(arguments.files)
    sources = _read_sources(arguments, client)
    names = ", ".join(os.path.basename(path) if path != STANDARD_STREAM else "standard input"
                      for path in arguments.files)
    state = import_host(client, sources, f"Host state of a BOINC client, imported from {names}.")
    _write(state, arguments.output)
    if not arguments.quiet:
        for comment in state.comments[1:]:
            print(f"vcsched import: {one_line(comment)}", file=sys.stderr)
    return 0


def _time(text: str) -> float:
    """A time from the command line."""
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not abs(value) <= LONGEST_DURATION:
        raise argparse.ArgumentTypeError(f"{text!r} is not a time in seconds")
    return value


def _refuse_to_overwrite_input(arguments: argparse.Namespace) -> None:
    if arguments.output == STANDARD_STREAM or not os.path.exists(arguments.output):
        return
    inputs = [*arguments.files, *arguments.global_prefs, arguments.cc_config]
    if any(path and os.path.exists(path) and os.path.samefile(path, arguments.output) for path in inputs):
        raise UsageError(f"{arguments.output} is an input; it would be overwritten")


def _read_client(paths: List[str]) -> ClientState:
    """Everything that the files say about the client."""
    client = ClientState()
    for path in paths:
        _read_file(path, CLIENT_STATE_LAYOUT, client.add)
    client.complete(_label(paths[-1]))
    return client


def _read_sources(arguments: argparse.Namespace, client: ClientState) -> Sources:
    """What the other files say."""
    preferences = []
    for path in arguments.global_prefs:
        for record in _records(path, PREFERENCES_LAYOUT):
            preferences.append(read_preferences(record, client.venue))
    configuration = NO_CONFIGURATION
    if arguments.cc_config:
        configuration = read_client_configuration(_records(arguments.cc_config, CLIENT_LAYOUT))
    return Sources(arguments.now, tuple(preferences), configuration, _read_limits(arguments.app_config, client))


def _read_limits(app_configs: List[str], client: ClientState) -> Dict[str, ProjectLimits]:
    """The limits in all app_config.xml that are asked for, by the URL of their project."""
    limits = {}
    for argument in app_configs:
        for url, path in _find_app_configs(argument, client):
            limits[url] = read_project_limits(_records(path, PROJECT_LAYOUT))
    return limits


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
    folders = {name.lower(): name for name in sorted(os.listdir(parent))}
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


def _write(state: HostState, output: str) -> None:
    """Writes the state where it is wanted."""
    if output != STANDARD_STREAM:
        save_state(state, output)
        return
    with open(sys.stdout.fileno(), "w", encoding="utf-8", newline="\n", closefd=False) as stream:
        write_state(state, stream)
