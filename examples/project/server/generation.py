# SPDX-License-Identifier: MIT
"""New units. One that cannot be made holds up no other: it is left out, and tried again later, until it waits for a
person. Where many in a row cannot be made, nothing is left out, and all wait. The table `trouble` has both."""

from __future__ import annotations

import hashlib
import json
import logging
from math import inf
from typing import Any, Dict, List, NamedTuple, Sequence

import vcsched as v
from server import faults, trouble
from server.project import Project, write
from server.storage import Unavailable
from server.trouble import CAUGHT, IN_A_ROW, IS_UNIT
from server.units import Units, unit_name
from server.work import NewUnit

MOST = 50
"""Most units that are made at a time."""

log = logging.getLogger("server")


class _Failure(NamedTuple):
    """A unit that cannot be made, and why."""

    number: int
    error: str


def generate(project: Project, _share: Any) -> int:
    """Makes new units while few copies wait for hosts. Their files are written while the database is free for others.
    One server at a time does that: what it leaves behind when it is killed is what the next one writes first, so no
    half of a file stays."""
    if project.troubles.waits(project, "generate", faults.now()):
        return 0
    with project.lock("generate", wait=False) as is_ours:
        return _generate(project) if is_ours else 0


def _generate(project: Project) -> int:
    done = _make_left_out(project)
    with project.store.snapshot() as look:
        # Counted no further than one has to know.
        waiting = look.value(f"select count(*) from (select 1 from result where server_state = {v.RESULT_UNSENT} "
                             f"limit {int(project.config.unsent)}) as waiting")
        last = look.value("select last from generator where id = 1")
    most = min(MOST, project.config.unsent - waiting)
    if most <= 0:
        return done
    try:
        made = list(project.work.generate(last + 1, most))
        done += _add(project, last, range(last + 1, last + 1 + len(made)), made, [])
    except Unavailable:
        if not project.troubles.is_again("generate", last):
            raise
        return done + _one_by_one(project, last, most)
    except CAUGHT:
        return done + _one_by_one(project, last, most)
    project.troubles.over(project, "generate")
    return done


def _one_by_one(project: Project, last: int, most: int) -> int:
    """One of the next units cannot be made. The others are made without it, each by itself."""
    failed: List[_Failure] = []
    number, made = last, 0
    while made < most and len(failed) < IN_A_ROW:
        number += 1
        try:
            new = list(project.work.generate(number, 1))
            if not new:  # that is all for now
                number -= 1
                break
            if not _add(project, last, [number], new, failed):
                return made
        except CAUGHT as reason:
            failed.append(_Failure(number, trouble.text_of(reason)))
            continue
        last, made, failed = number, made + 1, []
    if len(failed) < IN_A_ROW:
        _add(project, last, [number], [], failed)
        project.troubles.over(project, "generate")
    else:
        project.troubles.stop(project, "generate", f"units {failed[0].number} to {failed[-1].number}: "
                              f"{failed[0].error}", faults.now())
    return made + len(failed)


def _add(project: Project, last: int, numbers: Sequence[int], made: Sequence[NewUnit],
         failed: Sequence[_Failure]) -> int:
    """Units that come after the last one and after some that are left out; all of them, or none if somebody else has
    made them meanwhile. Returns how many."""
    if not made and not failed:
        return 0
    held = [_write_inputs(project, number, new) for number, new in zip(numbers, made)]
    with project.store.transaction("generate") as transaction:
        if transaction.value("select last from generator where id = 1 for update of generator") != last:
            return 0
        transaction.run("update generator set last = ? where id = 1", (numbers[-1],))
        units = Units(transaction, faults.now())
        for number, new, files in zip(numbers, made, held):
            _insert(project, units, number, new, files)
        units.write()
        for failure in failed:
            transaction.run("insert into trouble (name, since, until, failures, error) values (?, ?, ?, 1, ?)",
                            (f"unit {failure.number}", faults.now(), _next_time(project, failure, 1), failure.error))
    return len(made)


def _next_time(project: Project, failure: _Failure, failures: int) -> float:
    """When a unit is tried again that could not be made so often."""
    waits = 0 < project.config.max_failures <= failures
    log.log(logging.ERROR if waits else logging.WARNING, "unit %d cannot be made (%d)%s: %s", failure.number, failures,
            ", it waits for a person now" if waits else "", failure.error)
    return inf if waits else faults.now() + trouble.delay(project.config, failures)


def _make_left_out(project: Project) -> int:
    """Tries again to make units that were left out, those whose time has come. Returns how many were tried."""
    with project.store.snapshot() as look:
        due = look.rows(f"select name, failures from trouble where {IS_UNIT} and until <= ? order by until "
                        f"limit {MOST}", (faults.now(),))
    for name, failures in due:
        number = int(name.split()[1])
        try:
            new = list(project.work.generate(number, 1))
            if len(new) != 1:
                raise ValueError(f"generate() returned {len(new)} units instead of one")
            held = _write_inputs(project, number, new[0])
            with project.store.transaction("generate") as transaction:
                if transaction.run("delete from trouble where name = ?", (name,)):
                    units = Units(transaction, faults.now())
                    _insert(project, units, number, new[0], held)
                    units.write()
        except CAUGHT as reason:
            failure = _Failure(number, trouble.text_of(reason))
            with project.store.transaction("generate_failed") as transaction:
                transaction.run("update trouble set until = ?, failures = ?, error = ? where name = ?", (
                    _next_time(project, failure, failures + 1), failures + 1, failure.error, name))
    return len(due)


def retry(project: Project) -> int:
    """A person has put right what units could not be made for. Returns how many are tried again."""
    with project.lock("generate", wait=True):
        with project.store.transaction("retry") as transaction:
            left = transaction.run(f"update trouble set until = 0, failures = 0 where {IS_UNIT}")
        done = 0
        while done < left:
            done += _make_left_out(project) or left
    return left


def _insert(project: Project, units: Units, number: int, new: NewUnit, held: List[Dict[str, Any]]) -> None:
    units.add(number, {"max_failures": project.config.max_failures, **new.terms}, {
        "application": new.application, "created": units.now, "command_line": new.command_line,
        "inputs": json.dumps(held), "outputs": json.dumps(list(new.outputs)), "flops": new.flops,
        "flops_bound": new.flops_bound, "memory": new.memory, "disk": new.disk,
        "output_bytes": new.output_bytes})


def _write_inputs(project: Project, number: int, new: NewUnit) -> List[Dict[str, Any]]:
    """Writes a unit's input files, and says what a client has to know of them."""
    held = []
    for index, (name, content) in enumerate(new.inputs.items()):
        file = f"{unit_name(new.application, number)}_in{index}"
        write(project.download_path(file), content)
        held.append({"file": file, "name": name, "bytes": len(content), "md5": hashlib.md5(content).hexdigest()})
    return held
