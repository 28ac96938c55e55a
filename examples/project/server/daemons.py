# SPDX-License-Identifier: MIT
"""What has to be done without being asked: transitions, validation, assimilation, deletion, purging, new units.

Each is a pass over what is due, some hundred units in a transaction. They may run in the process that serves, or in one
or several others. Several share the units by their numbers: the first of three takes those that leave 0 when divided
by 3. Nothing is wrong if two do the same, which only costs time.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import threading
import time
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple

import vcsched as v
from server import faults
from server.project import Project, write
from server.records import names
from server.storage import Unavailable, marks
from server.units import COPIES, LoadedUnit, Units, output_name, unit_name
from server.work import MISSING, NewUnit, Output

BATCH = 50
"""Units in a transaction: while it lasts, requests wait where there is one writer."""
HOUR = 3600.0
IDLE = 0.2
"""How long a daemon sleeps that has nothing to do, s."""

log = logging.getLogger("server")


class Share(NamedTuple):
    """Which units are ours: those whose number leaves `part` when divided by `parts`."""

    part: int = 0
    parts: int = 1

    def of(self, column: str = "id") -> str:
        """A condition on the number of the unit, to be put behind another one."""
        return "" if self.parts == 1 else f" and {column} % {self.parts} = {self.part}"


def transition(project: Project, share: Share) -> int:
    """Units of which a time has come: a deadline, or the end of the delay before files are deleted."""
    with project.store.transaction("transition") as transaction:
        units = Units(transaction, faults.now())
        found = units.due(f"transition_time <= ?{share.of()} order by transition_time", (units.now,), BATCH)
        for unit in found.values():
            try:
                units.transition(unit)
            except v.VcsError as reason:
                _mend(units, unit, reason)
        units.write()
    return len(found)


def _mend(units: Units, unit: LoadedUnit, reason: v.VcsError) -> None:
    """A unit whose records contradict each other, as after somebody has changed the database by hand. Without its
    canonical result it fails. Anything else waits for somebody who knows, and is tried again every hour."""
    log.error("%s: %s", unit.name(), reason)
    if reason.name == "VCS_ERR_INDEX" and unit.unit.canonical:
        units.event(unit, v.UnitEvent(kind=v.UNIT_EVENT_CANONICAL_LOST))
    else:
        units.transaction.run("update unit set transition_time = ? where id = ?", (units.now + HOUR, unit.unit.id))


def validate(project: Project, share: Share) -> int:
    """Compares results. Their files are read while the database is free for others; what has changed since, is judged
    the next time."""
    with project.store.snapshot() as look:
        rows = look.rows(f"select {', '.join(names(v.Unit))}, application, outputs from unit "
                         f"where need_validate = 1{share.of()} order by id limit {BATCH}")
        waiting = Units(look, 0.0).found(rows)
    classes = {number: _classes(project, unit) for number, unit in waiting.items()}
    if not classes:
        return 0
    with project.store.transaction("validate") as transaction:
        units = Units(transaction, faults.now())
        for number, unit in units.load(classes, "for update of unit skip locked").items():
            known = classes[number]
            if unit.unit.need_validate and all(result.id in known for result in _compared(unit)):
                units.validate(unit, [known.get(result.id, MISSING) for result in unit.results])
        units.write()
    return len(classes)


def _compared(unit: LoadedUnit) -> List[Any]:
    """The results whose classes validation reads."""
    return [result for result in unit.results
            if result.outcome == v.OUTCOME_SUCCESS and (result.id == unit.unit.canonical or result.validate_state in
                                                        (v.VALIDATE_INIT, v.VALIDATE_INCONCLUSIVE))]


def _classes(project: Project, unit: LoadedUnit) -> Dict[int, int]:
    """The classes of a unit's results, by their ids."""
    outputs = [_output(project, unit.application, unit.outputs, result.id) for result in _compared(unit)]
    there = [output for output in outputs if all(path.is_file() for path in output.files)]
    found = {output.result: MISSING for output in outputs}
    try:
        found.update(zip([output.result for output in there], project.work.classify(unit.unit.id, there)))
    except OSError as reason:
        log.warning("%s: a file cannot be read: %s", unit.name(), reason)
        return {}
    return found


def _output(project: Project, application: str, outputs: List[str], result: int) -> Output:
    return Output(result, [project.upload_path(output_name(application, result, number))
                           for number in range(len(outputs))])


def assimilate(project: Project, share: Share) -> int:
    """Hands over finished units to the project's work."""
    with project.store.transaction("assimilate") as transaction:
        units = Units(transaction, faults.now())
        found = units.due(f"assimilate_state = {v.ASSIMILATE_READY}{share.of()} order by id", (), BATCH)
        for number, unit in found.items():
            canonical = unit.unit.canonical
            output = _output(project, unit.application, unit.outputs, canonical) if canonical else None
            project.work.assimilate(number, output, transaction)
            units.event(unit, v.UnitEvent(kind=v.UNIT_EVENT_ASSIMILATED))
        units.write()
    return len(found)


def delete(project: Project, share: Share) -> int:
    """Deletes the files of units and results that nobody needs any more. Nothing takes them back to be needed, so they
    are deleted while the database is free for others, and then it is written down that they are gone."""
    with project.store.snapshot() as look:
        inputs = look.rows(f"select id, inputs from unit where file_delete_state = {v.FILES_READY}{share.of()} "
                           f"order by id limit {BATCH}")
        outputs = look.rows(
            f"select result.id, application, outputs from result join unit on unit.id = result.unit "
            f"where result.file_delete_state = {v.FILES_READY}{share.of('unit.id')} order by result.id "
            f"limit {2 * BATCH}")
    gone = {(number, 0): _remove([project.download_path(item["file"]) for item in json.loads(held)])
            for number, held in inputs}
    gone.update({(result // COPIES, result): _remove(_output(project, application, json.loads(names), result).files)
                 for result, application, names in outputs})
    if not gone:
        return 0
    with project.store.transaction("delete") as transaction:
        units = Units(transaction, faults.now())
        for number, unit in units.load({number for number, _ in gone}, "for update of unit skip locked").items():
            for index, result in enumerate(unit.results):
                if result.file_delete_state == v.FILES_READY and (number, result.id) in gone:
                    units.event(unit, v.UnitEvent(kind=v.UNIT_EVENT_OUTPUTS_DELETED, result=index,
                                                  deletion=gone[number, result.id]))
            if unit.unit.file_delete_state == v.FILES_READY and (number, 0) in gone:
                units.event(unit, v.UnitEvent(kind=v.UNIT_EVENT_INPUTS_DELETED, deletion=gone[number, 0]))
            if unit.unit.finished(unit.results):
                transaction.run("update unit set finished = ? where id = ?", (units.now, unit.unit.id))
        units.write()
    return len(gone)


def _remove(paths: List[Any]) -> int:
    for path in paths:
        try:
            os.unlink(path)
        except FileNotFoundError:
            pass
        except OSError as reason:
            log.error("%s cannot be deleted: %s", path, reason)
            return v.NOT_DELETED
    return v.DELETED


def withdraw(project: Project, _share: Share) -> int:
    """The results of hosts that were caught: none counts any more, as far as their units are not assimilated."""
    with project.store.transaction("withdraw") as transaction:
        row = transaction.row("select id from host where trust_flags = 1 and withdrawn = 0 order by id limit 1")
        if row is None:
            return 0
        units = Units(transaction, faults.now())
        open_units = transaction.rows(f"select id from unit where assimilate_state <> {v.ASSIMILATE_DONE} and id in "
                                      "(select unit from result where host = ?)", row)
        found = units.load(number for number, in open_units)
        for unit in found.values():
            for index, result in enumerate(unit.results):
                if result.host == row[0] and not result.revoked & v.REVOKED_RESULT and \
                        result.outcome != v.OUTCOME_CLIENT_DETACHED:
                    units.event(unit, v.UnitEvent(kind=v.UNIT_EVENT_WITHDRAWN, result=index))
        units.write()
        transaction.run("update host set withdrawn = 1 where id = ?", row)
    return len(found) + 1


def purge(project: Project, share: Share) -> int:
    """Deletes the rows of units that were finished some time ago."""
    with project.store.transaction("purge") as transaction:
        rows = transaction.rows(f"select id from unit where finished <= ?{share.of()} order by finished limit {BATCH} "
                                "for update of unit skip locked", (faults.now() - project.config.purge_delay,))
        numbers = [row[0] for row in rows]
        if numbers:
            for table, column in (("history", "unit"), ("result", "unit"), ("unit", "id")):
                transaction.run(f"delete from {table} where {column} in ({marks(len(numbers))})", numbers)
    return len(numbers)


def generate(project: Project, _share: Share) -> int:
    """Makes new units while few copies wait for hosts. Their files are written while the database is free for others:
    whoever makes the same units at the same time writes the same files."""
    with project.store.snapshot() as look:
        # Counted no further than one has to know.
        waiting = look.value(f"select count(*) from (select 1 from result where server_state = {v.RESULT_UNSENT} "
                             f"limit {int(project.config.unsent)}) as waiting")
        last = look.value("select last from generator where id = 1")
    missing = project.config.unsent - waiting
    made = project.work.generate(last + 1, min(BATCH, missing)) if missing > 0 else []
    if not made:
        return 0
    inputs = [_write_inputs(project, number, new) for number, new in enumerate(made, last + 1)]
    with project.store.transaction("generate") as transaction:
        if transaction.value("select last from generator where id = 1 for update of generator") != last:
            return len(made)
        transaction.run("update generator set last = ? where id = 1", (last + len(made),))
        units = Units(transaction, faults.now())
        for number, (new, held) in enumerate(zip(made, inputs), last + 1):
            units.add(number, new.terms, {
                "application": new.application, "created": units.now, "command_line": new.command_line,
                "inputs": json.dumps(held), "outputs": json.dumps(list(new.outputs)), "flops": new.flops,
                "flops_bound": new.flops_bound, "memory": new.memory, "disk": new.disk,
                "output_bytes": new.output_bytes})
        units.write()
    return len(made)


def _write_inputs(project: Project, number: int, new: NewUnit) -> List[Dict[str, Any]]:
    """Writes a unit's input files, and says what a client has to know of them."""
    held = []
    for index, (name, content) in enumerate(new.inputs.items()):
        file = f"{unit_name(new.application, number)}_in{index}"
        write(project.download_path(file), content)
        held.append({"file": file, "name": name, "bytes": len(content), "md5": hashlib.md5(content).hexdigest()})
    return held


DAEMONS: Dict[str, Callable[[Project, Share], int]] = {
    "generate": generate, "transition": transition, "validate": validate,
    "withdraw": withdraw, "assimilate": assimilate, "delete": delete,
    "purge": purge}
"""By name, in the order in which a unit meets them."""


def pass_over(project: Project, wanted: Tuple[str, ...], share: Share) -> int:
    """One pass of each. Returns how many units something was done with."""
    done = 0
    for name in wanted:
        try:
            done += DAEMONS[name](project, share)
        except Unavailable as reason:
            log.warning("%s: %s", name, reason)
        except Exception:  # the work's own code may do anything
            log.exception("%s failed", name)
            time.sleep(IDLE)
    return done


def run(project: Project, wanted: Tuple[str, ...], share: Share, stop: Optional[threading.Event] = None) -> None:
    """Passes until it is told to stop."""
    stop = stop or threading.Event()
    while not stop.is_set():
        if not pass_over(project, wanted, share):
            stop.wait(IDLE)
