# SPDX-License-Identifier: MIT
"""`python3 -m vcsched import`: makes a state file from the files of a BOINC client."""

from __future__ import annotations

import argparse
import os
import sys
from typing import List, Tuple

from vcsched.boinc.client_state import ClientState
from vcsched.boinc.fields import LONGEST_DURATION
from vcsched.boinc.host_import import NO_PREFERENCES, Sources, import_host
from vcsched.commands.client_files import (CLIENT_STATE, STANDARD_STREAM, how_to_read_preferences, read_client,
                                           read_sources)
from vcsched.commands.live_client import ADDRESS_HELP, IN_USE_HELP, LiveOptions, add_options, address, ask_client
from vcsched.errors import UsageError
from vcsched.host_state import HostState
from vcsched.names import one_line
from vcsched.state_file import save_state, write_state

_EXAMPLES = """\
examples:
  python3 -m vcsched import client_state.xml -o state.ini
      what is planned for the host: vcemu plan state.ini
  python3 -m vcsched import --data-dir /var/lib/boinc-client -o state.ini
      with the preferences, limits and exclusions that the client keeps in its data directory
  python3 -m vcsched import state_reply.xml --data-dir /var/lib/boinc-client
      a get_state reply, which is newer, with what only files say, to standard output
  python3 -m vcsched import --live --data-dir /var/lib/boinc-client -o state.ini
      what the client on this computer says at this moment, with what only its files say
  python3 -m vcsched import --live attic.example.org:31416 --password-file attic_password
      a client elsewhere that allows this computer to ask

Without --live nothing is sent anywhere and no clock is read: the same files give the same state. With it the client is
only asked; nothing on it is changed. doc/importing.md has the details.
"""


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Adds the command to the program."""
    parser = commands.add_parser(
        "import", help="make a state file from a BOINC client's client_state.xml",
        description="Makes a state file for vcemu from a BOINC client: from its client_state.xml, from its\n"
        "replies to get_state and get_results, or by asking it while it runs.",
        epilog=_EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", metavar="FILE", nargs="*",
                        help="client_state.xml or a get_state reply; also a get_results reply, whose results then "
                        "replace those of the state. - is standard input")
    parser.add_argument("--live", metavar="HOST[:PORT]", nargs="?", type=address, const=address(""),
                        help=f"ask a running client instead of reading FILE: {ADDRESS_HELP}")
    add_options(parser)
    parser.add_argument("-o", "--output", metavar="STATE.ini", default=STANDARD_STREAM,
                        help="state file to write, completely or not at all (default: standard output)")
    parser.add_argument("--data-dir", metavar="DIRECTORY", help="the client's data directory: its client_state.xml, if "
                        "no FILE is given, and what else it holds: which tasks have run early, preferences, "
                        "cc_config.xml, app_config.xml of all projects")
    parser.add_argument("--global-prefs", metavar="FILE", action="append", default=[],
                        help="global_prefs.xml or global_prefs_override.xml; may be repeated, later ones override")
    parser.add_argument("--app-config", metavar="[PROJECT=]FILE", action="append", default=[],
                        help="app_config.xml of a project, given by name or URL; or the client's data directory, to "
                        "find those of all projects; may be repeated")
    parser.add_argument("--cc-config", metavar="FILE", help="cc_config.xml: GPU exclusions, ncpus, half-life of REC")
    parser.add_argument("--now", metavar="SECONDS", type=_time,
                        help="the current time, in seconds since 1970 (default: the newest time in the files)")
    parser.add_argument("--in-use", action="store_true", help=IN_USE_HELP)
    parser.add_argument("-q", "--quiet", action="store_true", help="print only errors")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Carries out the command. Returns the exit status."""
    if arguments.live is not None:
        if arguments.files:
            raise UsageError("import: either FILE or --live")
        _refuse_to_overwrite_input(arguments, [])
        client, sources = ask_client(LiveOptions(arguments.live, arguments.timeout, arguments.password_file,
                                                 arguments.data_dir), arguments.global_prefs, arguments.cc_config,
                                     arguments.app_config, arguments.now)
        origin = f"asked at {arguments.live}"
    else:
        client, sources, origin = _read_files(arguments)
    sources = sources._replace(in_use=arguments.in_use)
    state = import_host(client, sources, f"Host state of a BOINC client, {origin}.")
    _write(state, arguments.output)
    if not arguments.quiet:
        for comment in state.comments[1:]:
            print(f"vcsched import: {one_line(comment + _remedy(comment, arguments))}", file=sys.stderr)
    return 0


def _remedy(comment: str, arguments: argparse.Namespace) -> str:
    """What to type against a note, as far as it has not been typed."""
    if not arguments.files or arguments.data_dir is not None or NO_PREFERENCES not in comment:
        return ""
    return " " + how_to_read_preferences(arguments.files[0])


def _read_files(arguments: argparse.Namespace) -> Tuple[ClientState, Sources, str]:
    """What the files say, and which they are."""
    files = arguments.files
    if not files:
        if arguments.data_dir is None:
            raise UsageError("import: give a FILE or --data-dir")
        files = [os.path.join(arguments.data_dir, CLIENT_STATE)]
    _refuse_to_overwrite_input(arguments, files)
    client = read_client(files, arguments.data_dir)
    sources = read_sources(client, arguments.data_dir, arguments.global_prefs, arguments.cc_config,
                           arguments.app_config, arguments.now)
    names = ", ".join(os.path.basename(path) if path != STANDARD_STREAM else "standard input" for path in files)
    return client, sources, f"imported from {names}"


def _time(text: str) -> float:
    """A time from the command line."""
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not abs(value) <= LONGEST_DURATION:
        raise argparse.ArgumentTypeError(f"{text!r} is not a time in seconds")
    return value


def _refuse_to_overwrite_input(arguments: argparse.Namespace, files: List[str]) -> None:
    if arguments.output == STANDARD_STREAM or not os.path.exists(arguments.output):
        return
    inputs = [*files, *arguments.global_prefs, arguments.cc_config]
    if any(path and os.path.exists(path) and os.path.samefile(path, arguments.output) for path in inputs):
        raise UsageError(f"{arguments.output} is an input; it would be overwritten")


def _write(state: HostState, output: str) -> None:
    """Writes the state where it is wanted."""
    if output != STANDARD_STREAM:
        save_state(state, output)
        return
    with open(sys.stdout.fileno(), "w", encoding="utf-8", newline="\n", closefd=False) as stream:
        write_state(state, stream)
