# SPDX-License-Identifier: MIT
"""What the project's own code fails at, and what follows: for one unit, or for all.

One bad file costs its own result alone. But where nearly everything fails, it is the project's code or its disk that is
to blame, not the volunteers: then nothing is held against them, the daemon tries again now and then, and a row of the
table `trouble` says why. The status page shows it.
"""

from __future__ import annotations

import collections
import errno
import logging
import os
import random
import shutil
import time
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, List, NamedTuple, Optional, Set, Tuple

import vcsched as v

if TYPE_CHECKING:
    from server.project import Config, Project
    from server.work import Work

log = logging.getLogger("server")

CAUGHT = (Exception, SystemExit)
"""What the project's code may raise. Ctrl-C is not for it."""
LONGEST_TEXT = 300
IN_A_ROW = 10
"""So many units in a row that failed at their first attempt are more than bad luck."""
WINDOW = 40
"""Results judged last, by which the hosts are compared."""
LEAST_FAILED = 10
"""Fewer results say nothing of the project's code as long as it can judge others."""
KEPT = 60.0
"""How long a result stands for all those that can be judged, s."""


IS_STOP, IS_UNIT = "name not like 'unit %'", "name like 'unit %'"
"""Rows of the table: what stands still altogether, and units that could not be made; see generation.py."""


def text_of(error: BaseException) -> str:
    """An error in a line of plain letters, whatever it says of itself."""
    try:
        said = str(error)
    except CAUGHT:
        said = ""
    said = " ".join(said.encode("ascii", "backslashreplace").decode().split())
    said = "".join(letter if letter.isprintable() else "?" for letter in said)
    name = type(error).__name__
    return (f"{name}: {said}" if said else name)[:LONGEST_TEXT]


def is_passing(work: "Work", error: BaseException) -> bool:
    """Whether an error is one that the work says will pass. Kinds of OSError that other modules made for files with
    wrong contents, such as gzip.BadGzipFile, will not: these have no number of the system's."""
    from server.work import Passing
    if isinstance(error, Passing):
        return True
    if not isinstance(error, tuple(work.passing)):
        return False
    return not (isinstance(error, OSError) and type(error).__module__ not in ("builtins", type(work).__module__)
                and error.errno is None and type(error) not in work.passing)


def delay(config: "Config", failures: int) -> float:
    """How long to wait after so many failures in a row, s (rule 3.1)."""
    least = max(config.retry_delay, 1e-3)
    waits = v.BackoffRange(rule=v.BACKOFF_DOUBLING, minimum=least, maximum=max(least, config.longest_retry_delay))
    return v.backoff(failures, waits, random.random())


class _Stop(NamedTuple):
    since: float
    until: float
    failures: int
    error: str


class Troubles:
    """What stands still in a project, in this process and in the table."""

    def __init__(self) -> None:
        self._stops: Dict[str, _Stop] = {}
        self._in_a_row: Dict[str, int] = collections.defaultdict(int)
        self._without_database: Optional[Tuple[str, int]] = None

    def is_again(self, name: str, number: int) -> bool:
        """The database failed at work on a unit. Whether the last time it was the same one."""
        before, self._without_database = self._without_database, (name, number)
        return before == (name, number)

    def stands(self, project: "Project", name: str) -> bool:
        """Whether something has stopped. Others may have found it so, or have said that it may go on."""
        with project.store.snapshot() as look:
            found = look.row("select since, until, failures, error from trouble where name = ?", (name,))
        if found is not None:
            self._stops[name] = _Stop(*found)
        elif self._stops.pop(name, None) is not None:
            self._in_a_row[name] = 0
        return found is not None

    def waits(self, project: "Project", name: str, now: float) -> bool:
        """Whether something has stopped, and is not to be tried yet."""
        return self.stands(project, name) and now < self._stops[name].until

    def until(self, name: str) -> float:
        """When it is tried again; 0 if it has not stopped."""
        return self._stops[name].until if name in self._stops else 0.0

    def stop(self, project: "Project", name: str, error: str, now: float) -> int:
        """Something does not work at all. Returns how often in a row it was found so."""
        before = self._stops.get(name)
        failures = before.failures + 1 if before else 1
        stop = _Stop(before.since if before else now, now + delay(project.config, failures), failures, error)
        log.error("%s HAS STOPPED, as nearly everything fails (%d times in a row now): %s", name.upper(), failures,
                  error)
        with project.store.transaction("trouble") as transaction:
            transaction.run("delete from trouble where name = ?", (name,))
            transaction.run("insert into trouble (name, since, until, failures, error) values (?, ?, ?, ?, ?)",
                            (name, *stop))
        self._stops[name] = stop
        return failures

    def over(self, project: "Project", name: str) -> bool:
        """It works. Returns whether it had stopped."""
        self._in_a_row[name] = 0
        if self._stops.pop(name, None) is None:
            return False
        with project.store.transaction("trouble") as transaction:
            transaction.run("delete from trouble where name = ?", (name,))
        log.warning("%s goes on", name)
        return True

    def failed(self, project: "Project", name: str, error: str, is_first: bool, now: float) -> bool:
        """It failed with a unit, for the first time with this one or once more. Returns whether all is to stop."""
        self._in_a_row[name] += is_first
        if self._in_a_row[name] < IN_A_ROW and not self.stands(project, name):
            return False
        self.stop(project, name, error, now)
        return True


class Evidence:
    """Whether results that cannot be judged are to blame, or the code that judges them.

    The code is to blame if it can judge nothing any more, not even a result that it judged well before, of which a copy
    is kept; or if it fails on nearly all results of nearly all hosts. A host that returns nothing but rubbish does not
    make up for the others, so nobody can stop the judging.
    """

    def __init__(self) -> None:
        self._window: Dict[int, Tuple[int, bool]] = {}
        self._hosts: Set[int] = set()
        self._kept: Optional[Tuple[int, List[Path]]] = None
        self._kept_at = 0.0

    def add(self, result: int, host: int, has_failed: bool) -> None:
        """A result of a host was judged, or could not be. What was found of the same result before counts no more."""
        self._window.pop(result, None)
        self._window[result] = host, has_failed
        if len(self._window) > WINDOW:
            del self._window[next(iter(self._window))]
        if len(self._hosts) < 1000:
            self._hosts.add(host)

    def keep(self, folder: Path, number: int, files: List[Path], now: float) -> None:
        """A result that was judged well. The next one is kept when this one is old."""
        if self._kept is not None and 0 <= now - self._kept_at < KEPT:
            return
        try:
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            kept = [folder / path.name for path in files]
            for path, copy in zip(files, kept):
                try:
                    os.link(path, copy)
                except OSError as reason:
                    if reason.errno not in (errno.EXDEV, errno.EPERM, errno.ENOTSUP, errno.EMLINK):
                        raise
                    shutil.copyfile(path, copy)
        except OSError as reason:
            log.warning("no result can be kept for comparison: %s", reason)
            return
        self._kept, self._kept_at = (number, kept), now

    def kept(self) -> Optional[Tuple[int, List[Path]]]:
        """The number of its unit, and its files; None if there is none."""
        return self._kept

    def share(self) -> float:
        """How much of what was looked at last has failed, from 0 to 1; each host counts the same."""
        of_host: Dict[int, List[bool]] = collections.defaultdict(list)
        for host, has_failed in self._window.values():
            of_host[host].append(has_failed)
        failed = sum(has_failed for _, has_failed in self._window.values())
        if failed < LEAST_FAILED or len(of_host) < min(2, len(self._hosts)):
            return 0.0
        return sum(sum(found) / len(found) for found in of_host.values()) / len(of_host)


def rows(look: Any) -> List[Dict[str, Any]]:
    """What stands still altogether, for people."""
    return [{"name": name, "since": since, "until": until, "failures": failures,
             "error": error} for name, since, until, failures, error in look.rows(
                 f"select name, since, until, failures, error from trouble where {IS_STOP} order by name")]


WAITS = {v.UNIT_WORK_COMPARE: ("compare", "need_validate = 1"),
         v.UNIT_WORK_ASSIMILATE: ("assimilate", f"assimilate_state = {v.ASSIMILATE_READY}"),
         v.UNIT_WORK_DELETE: ("delete", "delete_failures > 0")}
"""What the columns are called that say how often a kind of work failed, and of which units it is to be done."""

_WORDS = {"compare": "to be compared", "assimilate": "to be taken over", "delete": "to have their files deleted",
          "make": "to be made"}


def told(look: Any) -> List[str]:
    """What is to be tried again, and when, and what waits for a person; a line for each."""
    def count(number: int) -> str:
        return "1 unit waits" if number == 1 else f"{number} units wait"

    def clock(moment: float) -> str:
        return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(moment))

    lines = [f"{row['name']} has stopped, and is tried again at {clock(row['until'])}: {row['error']}"
             for row in rows(look)]
    kinds = [(name, f"{name}_time", f"unit where {where} and {name}_time >= ?") for name, where in WAITS.values()]
    for name, until, where in [*kinds, ("make", "until", f"trouble where {IS_UNIT} and until >= ?")]:
        persons = look.value(f"select count(*) from {where}", (inf,))
        number, first = look.row(f"select count(*), min({until}) from {where} and {until} < ?", (1e-3, inf))
        if number:
            lines.append(f"{count(number)} {_WORDS[name]}, the first until {clock(first)}")
        if persons:
            lines.append(f"{count(persons)} for a person, {_WORDS[name]}")
    return lines
