# SPDX-License-Identifier: MIT
"""`python3 -m vcsched watch`: the plan for a running BOINC client, beside what that client does."""

from __future__ import annotations

import argparse
import math
import shutil
import sys
import time
from typing import TYPE_CHECKING, Iterator, List, NamedTuple, Optional

from vcsched.boinc.host_import import import_host
from vcsched.commands.live_client import ADDRESS_HELP, IN_USE_HELP, LiveOptions, add_options, address, ask_client
from vcsched.errors import InputError, LiveError, UsageError, VcsError
from vcsched.names import one_line
from vcsched.plan_words import duration

if TYPE_CHECKING:
    from vcsched.host_state import HostState, Task
    from vcsched.named_state import NamedState
    from vcsched.state import Plan

DEFAULT_INTERVAL = 10.0
SHORTEST_INTERVAL = 1.0
LONGEST_INTERVAL = 86400.0
LONGEST_NAME = 40
"""Characters of a name that are shown."""

_CLEAR = "\x1b[H\x1b[J"
_RUNS, _WAITS = "runs", "waits"
_HOPELESS = " It cannot be done in time even alone."
_TITLES = ("", "TASK", "PROJECT", "USES", "CLIENT", "PLAN", "ENDS IN", "DUE IN", "", "WHY")
_RIGHT = ("ENDS IN", "DUE IN")

_EXAMPLES = """\
examples:
  python3 -m vcsched watch --data-dir /var/lib/boinc-client
      the client on this computer, every ten seconds until Ctrl-C
  python3 -m vcsched watch attic.example.org:31416 --password-file attic_password --interval 60
      a client elsewhere that allows this computer to ask
  python3 -m vcsched watch --once > plan.txt
      once, for example in a script
  python3 -m vcsched watch --profile current,give_up=by_chance,keep_running=yes
      what the client would do with another policy

A * marks a task for which the plan and the client differ. The client decides only now and then, while the plan is made
again at each update, so the plan may be ahead. doc/importing.md says what else differs, and why.
"""


class Row(NamedTuple):
    """A task, as the client and the plan see it."""

    name: str
    project: str
    uses: str
    client: str
    plan: str
    finish: float
    due: float
    late: bool
    why: str

    @property
    def differs(self) -> bool:
        """Whether the client does with it what the plan does not."""
        return (self.client == _RUNS) != (self.plan == _RUNS)


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Adds the command to the program."""
    parser = commands.add_parser("watch", help="show the plan for a running BOINC client beside what it does",
                                 description="Shows what a running BOINC client does beside what the plan would do,\n"
                                 "and keeps it up to date. Nothing on the client is changed.",
                                 epilog=_EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("address", metavar="HOST[:PORT]", nargs="?", type=address, default=address(""),
                        help=f"the client: {ADDRESS_HELP}")
    parser.add_argument("--data-dir", metavar="DIRECTORY", help="the client's data directory, for what only its files "
                        "say: which tasks have run early, limits, exclusions, the password")
    add_options(parser)
    parser.add_argument("--interval", metavar="SECONDS", type=_interval, default=DEFAULT_INTERVAL,
                        help="between two updates (default: %(default)g)")
    parser.add_argument("--once", action="store_true", help="show it once and exit")
    parser.add_argument("--in-use", action="store_true", help=IN_USE_HELP)
    parser.add_argument("--profile", metavar="POLICY", help="plan by another policy than the client's: "
                        "PROFILE[,PARAMETER=VALUE]...")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Carries out the command. Returns the exit status."""
    try:
        import vcsched.library  # noqa: F401 - here, and not when a plan is wanted, it is known to be missing
    except ImportError as error:
        raise UsageError(str(error)) from None
    options = LiveOptions(arguments.address, arguments.timeout, arguments.password_file, arguments.data_dir)
    try:
        _check_policy(arguments.profile)
        _show(_look(options, arguments.in_use, arguments.profile))
        while not arguments.once:
            time.sleep(arguments.interval)
            try:
                lines = _look(options, arguments.in_use, arguments.profile)
            except (LiveError, InputError, VcsError) as error:
                # It may be back the next time.
                lines = [f"{time.strftime('%H:%M:%S')}: {error}"]
            _show(lines)
    except KeyboardInterrupt:
        # The way to end it. Whatever the terminal shows of it stands on a line of its own.
        print(flush=True)
    return 0


def _interval(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not SHORTEST_INTERVAL <= value <= LONGEST_INTERVAL:
        raise argparse.ArgumentTypeError(f"{text!r} is not a time between {SHORTEST_INTERVAL:g} and "
                                         f"{LONGEST_INTERVAL:g} s")
    return value


def _show(lines: List[str]) -> None:
    """Prints the lines: on a terminal they replace the last ones, as much as there is room for."""
    if sys.stdout.isatty():
        columns, rows = shutil.get_terminal_size()
        if len(lines) > rows - 1:
            lines = lines[:rows - 2] + [f"... and {len(lines) - rows + 2} lines"]
        lines = [_CLEAR + lines[0][:columns], *(line[:columns] for line in lines[1:])]
    else:
        lines = [*lines, ""]
    print("\n".join(lines), flush=True)


def _check_policy(policy: Optional[str]) -> None:
    """Whether there is such a policy, before the client is asked."""
    from vcsched.named_state import parse_state
    try:
        parse_state("[host]\ncpus = 1\nflops = 1e9\n", "--profile", policy)
    except InputError as error:
        raise UsageError(f"--profile {policy}: {str(error)[len(str(error.position)) + 2:]}") from None


def _look(options: LiveOptions, in_use: bool, policy: Optional[str]) -> List[str]:
    """What a client does and what the plan says, line by line."""
    from vcsched.named_state import from_host_state
    client, sources = ask_client(options)
    host = import_host(client, sources._replace(in_use=in_use), "")
    state = from_host_state(host, policy)
    return describe(str(options.address), host, state, state.plan())


def describe(where: str, host: "HostState", state: "NamedState", plan: "Plan") -> List[str]:
    """The plan beside what the client does, line by line."""
    rows = list(_rows(host, state, plan))
    differing = sum(row.differs for row in rows)
    clock = time.strftime("%H:%M:%S", time.localtime(state.now))
    by_client, by_plan = (sum(who == _RUNS for who in column)
                          for column in ([row.client for row in rows], [row.plan for row in rows]))
    lines = [f"{where} at {clock}: {len(rows)} tasks; the client runs {by_client}, the plan {by_plan}; "
             + (f"{differing} differ (*)" if differing else "no difference")]
    lines += [one_line(comment) for comment in host.comments if comment.startswith("Note: ")]
    shown = [row for row in rows if row.differs or row.late or _RUNS in (row.client, row.plan)]
    lines += ["", *_table(shown)] if shown else []
    if len(shown) < len(rows):
        lines.append(f"... and {len(rows) - len(shown)} that wait, as the plan says, and will be in time")
    return [*lines, "", _fetch(state, plan)]


def _rows(host: "HostState", state: "NamedState", plan: "Plan") -> Iterator[Row]:
    """All tasks, in the order in which the client has them."""
    from vcsched import constants, interface
    for task, record, forecast, decision in zip(host.tasks, state.records["tasks"], plan.wrr.tasks,
                                                plan.schedule.tasks):
        uses = f"{record.cpus:g} CPU" + (f" + {record.gpus:g} {task.gpu}" if task.gpu else "")
        yield Row(name=task.name, project=task.project, uses=uses,
                  client=_client_does(host, task),
                  plan=_RUNS if decision.run else _WAITS, finish=forecast.finish,
                  due=math.inf if task.deadline is None else task.deadline - state.now,
                  late=forecast.verdict == constants.VERDICT_MISSES,
                  why=interface.reason_sentence(decision.reason)
                  + (_HOPELESS if decision.flags & constants.DECISION_HOPELESS
                     and not decision.flags & constants.DECISION_GIVE_UP else ""))


def _client_does(host: "HostState", task: "Task") -> str:
    if task.suspended:
        return "suspended"
    paused = (host.host.paused if task.gpu is None
              else any(gpu.name == task.gpu and (gpu.paused or gpu.suspended) for gpu in host.gpus))
    return _WAITS if not task.running else "paused" if paused else _RUNS


def _fetch(state: "NamedState", plan: "Plan") -> str:
    """Which project the plan asks for work, and for how much."""
    from vcsched import constants, interface
    summary = plan.fetch.summary
    if summary.project == constants.NONE:
        return f"The plan asks nobody for work: {interface.reason_sentence(summary.reason)}"
    first = summary.project * len(state.resource_names)
    asked = [f"{request.seconds:.0f} s of {name} on {request.instances:g} instances"
             for name, request in zip(state.resource_names, plan.fetch.project_resources[first:])
             if request.seconds > 0 or request.instances > 0]
    return f"The plan asks {state.project_names[summary.project]} for work: {', '.join(asked)}."


def _table(rows: List[Row]) -> List[str]:
    """The rows below their titles, in columns."""
    cells = [_TITLES] + [("*" if row.differs else "", _short(row.name), _short(row.project), row.uses, row.client,
                          row.plan, duration(row.finish), duration(row.due), "LATE" if row.late else "", row.why)
                         for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells)]
    return [" ".join(cell.rjust(width) if title in _RIGHT else cell.ljust(width)
                     for cell, width, title in zip(line, widths, _TITLES)).rstrip() for line in cells]


def _short(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else name[:LONGEST_NAME - 3] + "..."
