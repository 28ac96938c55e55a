# SPDX-License-Identifier: MIT
"""What has to be done without being asked: transitions, validation, assimilation, deletion, purging, new units.

Each is a pass over what is due. A unit with which something goes wrong is left for later, and costs the others nothing:
units share a transaction only as long as all goes well, and within it what the project's own code does with one of them
is taken back alone. They may run in the process that serves, or in
one or several others. Several share the units by their numbers: the first of three takes those that leave 0 when
divided by 3. Nothing is wrong if two do the same, which only costs time.
"""

from __future__ import annotations

import functools
import json
import logging
import os
import threading
import time
from typing import Any, Callable, Dict, Iterable, List, NamedTuple, Optional, Sequence, Tuple

import vcsched as v
from server import faults, generation, trouble
from server.judging import Judgement, can_judge, judge
from server.project import Project
from server.records import names
from server.storage import Unavailable, marks
from server.units import COPIES, LoadedUnit, Units, output_name
from server.trouble import CAUGHT, IN_A_ROW
from server.work import LATER, MISSING, Output

BATCH = 50
"""Most units in a pass of a daemon."""
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


def _together(project: Project, name: str, numbers: Sequence[int], act: Callable[[Units, LoadedUnit], bool],
              failed: Callable[[int, BaseException], None], again: Callable[[], None] = lambda: None) -> int:
    """Does something with units in one transaction, which is faster, as long as all goes well. If anything goes wrong,
    all is taken back, `again` is called, and each gets a transaction of its own. Returns with how many something was
    done."""
    if not numbers:
        return 0
    try:
        with project.store.transaction(name) as transaction:
            units = Units(transaction, faults.now())
            done = sum([act(units, unit) for unit in units.load(numbers, "for update of unit skip locked").values()])
            units.write()
        return done
    except Unavailable:
        if not project.troubles.is_again(f"{name} together", numbers[0]):
            raise
    except CAUGHT:
        pass
    again()
    return _each(project, name, numbers, act, failed)


def _each(project: Project, name: str, numbers: Iterable[int], act: Callable[[Units, LoadedUnit], bool],
          failed: Callable[[int, BaseException], None], skip: bool = True) -> int:
    """Does something with units, each in a transaction of its own; those that others are at work on are skipped, or
    waited for. Whatever goes wrong with one is told to `failed`, and the others go on. Returns with how many something
    was done."""
    done = 0
    for number in numbers:
        try:
            with project.store.transaction(name) as transaction:
                units = Units(transaction, faults.now())
                unit = units.load([number], "for update of unit" + " skip locked" * skip).get(number)
                if unit is None or not act(units, unit):
                    continue
                units.write()
        except Unavailable as reason:
            # The database itself may be away. With the same unit again it is the unit; and if this cannot be written
            # down either, it comes to nothing.
            if not project.troubles.is_again(name, number):
                raise
            failed(number, reason)
        except CAUGHT as reason:
            failed(number, reason)
        done += 1
    return done


def _found(project: Project, where: str, arguments: Sequence[Any] = (), most: int = BATCH) -> List[int]:
    """The numbers of at most so many units."""
    with project.store.snapshot() as look:
        return [number for number, in look.rows(f"select id from unit where {where} limit {int(most)}", arguments)]


def transition(project: Project, share: Share) -> int:
    """Units of which a time has come: a deadline, or the end of the delay before files are deleted."""
    def act(units: Units, unit: LoadedUnit) -> bool:
        units.transition(unit)
        return True

    due = _found(project, f"transition_time <= ?{share.of()} order by transition_time", (faults.now(),))
    return _together(project, "transition", due, act, lambda number, reason: _mend(project, number, reason))


def _mend(project: Project, number: int, reason: BaseException) -> None:
    """A unit whose records contradict each other, as after somebody has changed the database by hand. Without its
    canonical result it fails. Anything else waits for somebody who knows, and is tried again every hour; or soon, if
    it is the database that was away."""
    later = project.config.retry_delay if isinstance(reason, Unavailable) else HOUR
    with project.store.transaction("transition") as transaction:
        units = Units(transaction, faults.now())
        unit = units.load([number]).get(number)
        log.error("%s: %s", unit.name() if unit else f"unit {number}", trouble.text_of(reason))
        if unit is not None and isinstance(reason, v.VcsError) and reason.name == "VCS_ERR_INDEX" and \
                unit.unit.canonical:
            units.event(unit, v.UnitEvent(kind=v.UNIT_EVENT_CANONICAL_LOST))
            units.write()
        else:
            transaction.run("update unit set transition_time = ? where id = ?", (units.now + later, number))


_FIELDS = {work: name for work, (name, _) in trouble.WAITS.items()}


def _fail(project: Project, units: Units, unit: LoadedUnit, work: int, error: str) -> None:
    """The project's own work on a unit failed."""
    failures = getattr(unit.unit, f"{_FIELDS[work]}_failures") + 1
    units.fail(unit, work, trouble.delay(project.config, failures), error)
    waits = unit.unit.max_failures and failures >= unit.unit.max_failures
    log.log(logging.ERROR if waits else logging.WARNING, "%s: %s failed (%d)%s: %s", unit.name(), _FIELDS[work],
            failures, ", it waits for a person now" if waits else "", error)


def _write_failure(project: Project, number: int, work: int, reason: BaseException) -> bool:
    """The same in a transaction of its own. Returns whether it was the first time."""
    error = trouble.text_of(reason)
    with project.store.transaction(f"{_FIELDS[work]}_failed") as transaction:
        units = Units(transaction, faults.now())
        unit = units.load([number]).get(number)
        if unit is None:
            return False
        is_first = getattr(unit.unit, f"{_FIELDS[work]}_failures") == 0
        try:
            _fail(project, units, unit, work, error)
            units.write()
        except v.VcsError as problem:  # its records contradict each other
            log.error("%s: %s", unit.name(), problem)
            transaction.run(f"update unit set {_FIELDS[work]}_time = ? where id = ?", (units.now + HOUR, number))
    return is_first


# ---- Validation ----

def validate(project: Project, share: Share) -> int:
    """Compares results. Their files are read while the database is free for others; what has changed since, is judged
    the next time."""
    now = faults.now()
    with project.store.snapshot() as look:
        rows = look.rows(f"select {', '.join(names(v.Unit))}, application, outputs from unit where need_validate = 1 "
                         f"and compare_time <= ?{share.of()} order by compare_time, id limit {BATCH}", (now,))
        waiting = Units(look, now).found(rows)
    if not waiting:
        return 0
    judged = {number: _judged(project, unit) for number, unit in waiting.items()}
    held = set()
    if _is_to_blame(project, share, waiting, judged):
        held = {number for number, found in judged.items() if found.failed() or found.later() is not None}
        _hold(project, held)

    def act(units: Units, unit: LoadedUnit) -> bool:
        found = judged[unit.unit.id]
        if not unit.unit.need_validate or not all(result.id in found.classes for result in _compared(unit)):
            return False
        units.validate(unit, [found.classes.get(result.id, MISSING) for result in unit.results], found.errors)
        if unit.unit.need_validate:
            _fail(project, units, unit, v.UNIT_WORK_COMPARE, found.later() or "nothing")
        return True

    done = _together(project, "validate", [number for number in judged if number not in held], act,
                     lambda number, reason: _not_compared(project, number, reason))
    return done + len(held)


def _not_compared(project: Project, number: int, reason: BaseException) -> None:
    _write_failure(project, number, v.UNIT_WORK_COMPARE, reason)


def _compared(unit: LoadedUnit) -> List[Any]:
    """The results whose classes validation reads: none of a unit that has failed."""
    if unit.unit.error_mask and not unit.unit.canonical:
        return []
    return [result for result in unit.results
            if result.outcome == v.OUTCOME_SUCCESS and (result.id == unit.unit.canonical or result.validate_state in
                                                        (v.VALIDATE_INIT, v.VALIDATE_INCONCLUSIVE))]


def _judged(project: Project, unit: LoadedUnit) -> Judgement:
    """What the work finds of a unit's results."""
    return judge(project.work, unit.unit.id, [_output(project, unit.application, unit.outputs, result.id)
                                              for result in _compared(unit)])


def _output(project: Project, application: str, outputs: List[str], result: int) -> Output:
    return Output(result, [project.upload_path(output_name(application, result, number))
                           for number in range(len(outputs))])


def _is_to_blame(project: Project, share: Share, waiting: Dict[int, LoadedUnit], judged: Dict[int, Judgement]) -> bool:
    """Whether the project's own code is to blame for what cannot be judged; see Evidence."""
    project.troubles.stands(project, "validate")  # as others may have found
    evidence, good, failed, raised = project.evidence, 0, 0, 0
    for number, found in judged.items():
        # What is only tried once more says nothing new.
        bad = found.failed() | (set() if waiting[number].unit.compare_failures else found.delayed())
        for result in _compared(waiting[number]):
            if result.id in bad or result.id in found.good():
                evidence.add(result.id, result.host, result.id in bad)
        good += len(found.good())
        failed += len(bad)
        raised += len(found.errors)
    why = next((error for found in judged.values() for error in found.errors.values()), "files are missing")
    if not failed:
        problem = ""
    elif evidence.share() >= project.config.stop_share:
        problem = f"{evidence.share():.0%} of the latest results of all hosts cannot be judged: {why}"
    elif not good and project.config.stop_share <= 1:
        problem = _without_good_ones(project, raised > 0, why)
    else:
        problem = ""
    if problem:
        if not project.troubles.waits(project, "validate", faults.now()):
            project.troubles.stop(project, "validate", problem, faults.now())
        return True
    if good and evidence.share() < project.config.stop_share:
        if project.troubles.over(project, "validate"):
            with project.store.transaction("validate") as transaction:
                transaction.run("update unit set compare_time = 0 where need_validate = 1 and compare_failures = 0 and "
                                "compare_time > 0")
        _keep(project, share, waiting, judged)
    return False


def _without_good_ones(project: Project, has_raised: bool, why: str) -> str:
    """Nothing at all could be judged. Was it so with a result that was judged before, it is not the files."""
    kept = project.evidence.kept()
    can = can_judge(project.work, kept[0], Output(0, kept[1])) if kept else None
    if can or (can is None and not has_raised):
        return ""
    return f"not even a result that was judged before can be judged now: {why}" if can is False else \
        f"nothing could be judged so far: {why}"


def _keep(project: Project, share: Share, waiting: Dict[int, LoadedUnit], judged: Dict[int, Judgement]) -> None:
    """Keeps one of the results that were judged well."""
    for number, found in judged.items():
        result = next((result for result, one in found.classes.items() if one < LATER), None)
        if result is not None:
            output = _output(project, waiting[number].application, waiting[number].outputs, result)
            project.evidence.keep(project.folder / "judged" / f"{share.part}", number, output.files, faults.now())
            return


def _hold(project: Project, held: Iterable[int]) -> None:
    """Units of which results cannot be judged wait until judging goes on. That is held against nobody."""
    until = max(project.troubles.until("validate"), faults.now() + project.config.retry_delay)
    with project.store.transaction("validate") as transaction:
        transaction.many("update unit set compare_time = ? where id = ? and need_validate = 1",
                         [(until, number) for number in sorted(held)])


# ---- Assimilation and deletion ----

def assimilate(project: Project, share: Share) -> int:
    """Hands over finished units to the project's work."""
    now = faults.now()
    if project.troubles.waits(project, "assimilate", now):
        return 0

    found: Dict[int, Optional[BaseException]] = {}
    in_a_row: List[int] = []

    def act(units: Units, unit: LoadedUnit) -> bool:
        if unit.unit.assimilate_state != v.ASSIMILATE_READY or len(in_a_row) >= IN_A_ROW:
            return False
        number, canonical = unit.unit.id, unit.unit.canonical
        output = _output(project, unit.application, unit.outputs, canonical) if canonical else None
        try:
            with units.transaction.part():
                project.work.assimilate(number, output, units.transaction)
        except Unavailable:
            raise
        except CAUGHT as reason:
            found[number] = reason
            in_a_row.append(number)
            return False
        units.event(unit, v.UnitEvent(kind=v.UNIT_EVENT_ASSIMILATED))
        found[number] = None
        in_a_row.clear()
        return True

    def again() -> None:
        found.clear()
        in_a_row.clear()

    _together(project, "assimilate", _found(
        project, f"assimilate_state = {v.ASSIMILATE_READY} and assimilate_time <= ?{share.of()} "
        "order by assimilate_time, id", (now,), _most(project, "assimilate")), act, found.__setitem__, again)
    return _write_outcomes(project, "assimilate", v.UNIT_WORK_ASSIMILATE, found)


def _write_outcomes(project: Project, name: str, work: int, found: Dict[int, Optional[BaseException]]) -> int:
    """Work of the project's own with units went well or failed, in this order. Where nearly everything fails, it is to
    stop. Returns how many units."""
    for number, reason in found.items():
        if reason is None:
            project.troubles.over(project, name)
        else:
            is_first = _write_failure(project, number, work, reason)
            if project.troubles.failed(project, name, trouble.text_of(reason), is_first, faults.now()):
                break
    return len(found)


def _most(project: Project, name: str) -> int:
    """How many units to take at a time: one, to try, if it has stopped."""
    return 1 if project.troubles.stands(project, name) else BATCH


class NotDeleted(Exception):
    """A file is still there."""


def delete(project: Project, share: Share) -> int:
    """Deletes the files of units and results that nobody needs any more. Nothing takes them back to be needed, so they
    are deleted while the database is free for others, and then it is written down that they are gone. If one of a
    unit's files cannot be deleted, all of them are tried again; that those are gone which were deleted does no harm."""
    now = faults.now()
    if project.troubles.waits(project, "delete", now):
        return 0
    most = _most(project, "delete")
    with project.store.snapshot() as look:
        inputs = look.rows(f"select id, inputs from unit where file_delete_state = {v.FILES_READY} and delete_time <= "
                           f"?{share.of()} order by delete_time, id limit {most}", (now,))
        outputs = look.rows(
            f"select result.id, application, outputs from result join unit on unit.id = result.unit "
            f"where result.file_delete_state = {v.FILES_READY} and delete_time <= ?{share.of('unit.id')} "
            f"order by result.id limit {2 * most}", (now,))
    gone: Dict[int, Dict[int, str]] = {}
    for number, held in inputs:
        gone.setdefault(number, {})[0] = _remove([project.download_path(item["file"]) for item in json.loads(held)])
    for result, application, held in outputs:
        gone.setdefault(result // COPIES, {})[result] = _remove(
            _output(project, application, json.loads(held), result).files)

    def act(units: Units, unit: LoadedUnit) -> bool:
        here = gone[unit.unit.id]
        for index, result in enumerate(unit.results):
            if result.file_delete_state == v.FILES_READY and here.get(result.id) == "":
                units.event(unit, v.UnitEvent(kind=v.UNIT_EVENT_OUTPUTS_DELETED, result=index, deletion=v.DELETED))
        if unit.unit.file_delete_state == v.FILES_READY and here.get(0) == "":
            units.event(unit, v.UnitEvent(kind=v.UNIT_EVENT_INPUTS_DELETED, deletion=v.DELETED))
        if unit.unit.finished(unit.results):
            units.transaction.run("update unit set finished = ? where id = ?", (units.now, unit.unit.id))
        return True

    found: Dict[int, Optional[BaseException]] = {}
    for number, here in gone.items():
        problem = next((error for error in here.values() if error), None)
        found[number] = NotDeleted(problem) if problem is not None else None
    _together(project, "delete", [number for number, problem in found.items() if problem is None], act,
              found.__setitem__)
    return _write_outcomes(project, "delete", v.UNIT_WORK_DELETE, found)


def _remove(paths: List[Any]) -> str:
    """Why a file could not be deleted; empty if none is there any more."""
    for path in paths:
        try:
            os.unlink(path)
        except FileNotFoundError:
            pass
        except OSError as reason:
            return f"{path}: {reason.strerror}"
    return ""


def withdraw(project: Project, _share: Share) -> int:
    """The results of hosts that were caught: none counts any more, as far as their units are not assimilated."""
    with project.store.snapshot() as look:
        row = look.row("select id from host where trust_flags = 1 and withdrawn = 0 order by id limit 1")
        if row is None:
            return 0
        host = row[0]
        numbers = [number for number, in look.rows(
            f"select id from unit where assimilate_state <> {v.ASSIMILATE_DONE} and id in "
            "(select unit from result where host = ?) order by id", row)]

    def act(units: Units, unit: LoadedUnit) -> bool:
        for index, result in enumerate(unit.results):
            if result.host == host and not result.revoked & v.REVOKED_RESULT and \
                    result.outcome != v.OUTCOME_CLIENT_DETACHED:
                units.event(unit, v.UnitEvent(kind=v.UNIT_EVENT_WITHDRAWN, result=index))
        return True

    done = _each(project, "withdraw", numbers, act,
                 lambda number, reason: log.error("unit %d: %s", number, trouble.text_of(reason)), skip=False)
    with project.store.transaction("withdraw") as transaction:
        transaction.run("update host set withdrawn = 1 where id = ?", row)
    return done + 1


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


def retry(project: Project) -> int:
    """A person has put right what the project failed at: all that waits is tried at once. Returns how many units."""
    with project.store.transaction("retry") as transaction:
        transaction.run(f"delete from trouble where {trouble.IS_STOP}")
    done = 0
    for work, name in _FIELDS.items():
        waiting = _found(project, f"{name}_time > ? and {trouble.WAITS[work][1]}", (faults.now(),), 1 << 40)
        transaction_of = functools.partial(_resumed, work)
        done += _each(project, "retry", waiting, transaction_of,
                      lambda number, reason: log.error("unit %d: %s", number, trouble.text_of(reason)), skip=False)
    return done + generation.retry(project)


def _resumed(work: int, units: Units, unit: LoadedUnit) -> bool:
    units.resume(unit, work)
    return True


DAEMONS: Dict[str, Callable[[Project, Share], int]] = {
    "generate": generation.generate, "transition": transition, "validate": validate,
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
