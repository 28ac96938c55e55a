#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Three clients side by side at the same two servers: the deployed one, ours under `current`, and ours under `steady`.

    beside.py FOLDER [MINUTES [SCALE]]        GRIDCLIENT names our client, VCSCHED_BUILD the build

Each has two CPUs, and is on for 60 s and off for 30 s by turns, all at the same times; when it goes off it is killed.
The first time lasts until each has work, and ours have done some of it: the deployed client may wait for a minute
before it calls again if something was slow.
Jobs take 20 s. The first project's are due 60 s after they are sent, the second's after an hour; shares are equal. All
these times are multiplied by SCALE.
Prints for each client and project what was sent, done in time, late, given up, and under way at the end, and the calls.
The processes sleep instead of computing, so the clients do not disturb each other.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Dict, List, Sequence

import deployed_client
from running import Grid, until

PROGRAM = """#!/bin/sh
n=0
[ ! -e checkpoint ] || n=$(cat checkpoint)
while [ "$n" -lt SECONDS ]; do
    sleep 1
    kill -0 $PPID 2>/dev/null || exit 1
    n=$((n + 1))
    echo $n >checkpoint.new && mv checkpoint.new checkpoint
    awk "BEGIN { print $n / SECONDS }" >fraction_done
done
read number <in
sum=0 i=0
while [ $i -le $number ]; do sum=$((sum + i * i)) i=$((i + 1)); done
echo $sum >out
: >boinc_finish_called
"""
ON, OFF, JOB, TIGHT, LOOSE = 60, 30, 20, 60, 3600
"""How long clients are on and off, jobs take, and jobs may take, s."""
BUFFER = 0.0001 * 86400
CLIENTS = ("packaged", "current", "steady")
OF_ACCOUNT = "join account on account.id = {}.account where account.email = ?"
OVER, SUCCESS, NOT_IN_TIME = 3, 1, 200
"""The state of a result that is over, its outcome if it came in time, and the exit status of one that was given up."""


class Ours:
    """Our client, under a policy."""

    def __init__(self, folder: Path, policy: str, keys: Dict[str, str]) -> None:
        self._command = [os.environ["GRIDCLIENT"], "--dir", str(folder)]
        self._policy = policy
        self._log = folder.with_suffix(".log")
        self._process: Any = None
        for url, key in keys.items():
            subprocess.run([*self._command, "attach", url, key, "--share", "100"], check=True)

    def start(self) -> None:
        """Goes on."""
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [*self._command, "run", "--cpus", "2", "--flops", "1e9", "--policy", self._policy,
                 "--set", f"min_buffer={BUFFER}", "--set", f"additional_buffer={BUFFER}"], stdout=log, stderr=log)

    def kill(self) -> None:
        """Goes off."""
        self._process.kill()
        self._process.wait()


def results(name: str, grid: Grid) -> List[Any]:
    """What the project sent to a client: the state of each, its outcome and its exit status."""
    return grid.sql("select server_state, outcome, exit_status from result " + OF_ACCOUNT.format("result"),
                    (f"{name}@example.org",))


def count_in_time(sent: List[Any]) -> int:
    """How many of them are done."""
    return sum(row[:2] == (OVER, SUCCESS) for row in sent)


def all_at_work(grids: Sequence[Grid]) -> bool:
    """Whether each client was sent something, and ours have done something."""
    sent = {name: [row for grid in grids for row in results(name, grid)] for name in CLIENTS}
    return all(sent.values()) and all(count_in_time(sent[name]) for name in CLIENTS[1:])


def print_results(name: str, grid: Grid) -> None:
    """What the project has of a client."""
    sent = results(name, grid)
    calls = grid.sql("select sum(sequence) from host " + OF_ACCOUNT.format("host"), (f"{name}@example.org",))[0][0]
    over = [row for row in sent if row[0] == OVER]
    in_time = count_in_time(sent)
    given_up = sum(row[2] == NOT_IN_TIME for row in over)
    print(f"{name:9} {grid.folder.parent.name}: sent {len(sent)}, in time {in_time}, given up {given_up}, late "
          f"{len(over) - in_time - given_up}, under way {len(sent) - len(over)}, calls {calls}")


def main() -> None:
    """Runs them."""
    folder, minutes, scale, *_ = Path(sys.argv[1]), *map(float, sys.argv[2:]), *(60.0, 1.0)[len(sys.argv) - 2:]
    program = PROGRAM.replace("SECONDS", str(round(JOB * scale)))
    settings = ["purge_delay=1000000", "deadline_delay=10", "request_delay=1", "no_work_delay=10", "quota=100000"]
    deployed_client._CONFIGURATION = deployed_client._CONFIGURATION.replace(  # pylint: disable=protected-access
        "<report_results_immediately>1", "<report_results_immediately>0")
    (folder / "tight").mkdir(parents=True)
    (folder / "loose").mkdir()
    terms = {"units": 100000, "flops": JOB * scale * 1e9, "min_quorum": 1, "target_nresults": 1}
    with Grid(folder / "tight", program, settings=[*settings, "name=Tight"], delay_bound=TIGHT * scale,
              **terms) as tight, \
            Grid(folder / "loose", program, settings=[*settings, "name=Loose"], delay_bound=LOOSE * scale,
                 **terms) as loose:
        for grid in (tight, loose):
            grid.start()
        keys = {name: {grid.url: grid.account(f"{name}@example.org") for grid in (tight, loose)}
                for name in CLIENTS}
        packaged = deployed_client.Client(folder / "packaged", tight, others=(loose,))
        for grid in (tight, loose):
            (folder / "packaged" / f"account_127.0.0.1_{grid.port}.xml").write_text(
                f"<account><master_url>{grid.url}</master_url><authenticator>{keys['packaged'][grid.url]}"
                "</authenticator></account>\n")
        clients = [packaged, *(Ours(folder / name, name, keys[name]) for name in CLIENTS[1:])]
        end = time.monotonic() + 60 * minutes
        while True:
            for client in clients:
                client.start()
            time.sleep(ON * scale)
            try:
                until(lambda: all_at_work((tight, loose)), "all clients have work")
            except AssertionError:
                print(packaged.log()[-4000:], file=sys.stderr)
                raise
            for client in clients:
                client.kill()
            if time.monotonic() + OFF * scale >= end:
                break
            time.sleep(OFF * scale)
        for name in keys:
            for grid in (tight, loose):
                print_results(name, grid)


if __name__ == "__main__":
    main()
