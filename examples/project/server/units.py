# SPDX-License-Identifier: MIT
"""Units and their results: the one place where what the library decides is written to the database.

    with store.transaction("...") as transaction:
        units = Units(transaction, now)
        unit = units.load([number])[number]
        units.event(unit, v.UnitEvent(kind=v.UNIT_EVENT_CANCELLED))
        units.write()

An event and the transition that follows from it are one transaction. So are the credit that is granted, what is learnt
about hosts, and the history: every list of changes with its reasons.
"""

from __future__ import annotations

import json
from math import inf
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple

import vcsched as v
from server.hosts import Lessons
from server.records import fill, names, record, values
from server.storage import Transaction, marks

COPIES = 1000
"""A unit has fewer copies than this. Its results have the numbers from unit * COPIES + 1 on."""

FAILED = {v.UNIT_WORK_COMPARE: "compare_failed", v.UNIT_WORK_ASSIMILATE: "assimilate_failed",
          v.UNIT_WORK_DELETE: "delete_failed"}
"""What the history calls failures of the project's own work."""

_UNIT_COLUMNS = ", ".join(names(v.Unit))
_RESULT_COLUMNS = ", ".join(names(v.Result))
_RESULT_NAMES = (*names(v.Result), "unit")
_UNIT_COUNT = len(names(v.Unit))
_RESULT_COUNT = len(names(v.Result))


class LoadedUnit:
    """A unit with all its results, as they stand in the database."""

    __slots__ = ("unit", "results", "accounts", "application", "outputs")

    def __init__(self, row: Sequence[Any]) -> None:
        self.unit = record(v.Unit, row[:_UNIT_COUNT])
        self.application: str = row[_UNIT_COUNT]
        self.outputs: List[str] = json.loads(row[_UNIT_COUNT + 1])
        self.results: Any = v.Result.records(0)
        self.accounts: List[Optional[int]] = []
        """Of the hosts that have the results; None before they are sent."""

    def index(self, result: int) -> Optional[int]:
        """The place of a result in the list."""
        for index, found in enumerate(self.results):
            if found.id == result:
                return index
        return None

    def name(self) -> str:
        """What clients call it."""
        return unit_name(self.application, self.unit.id)


def unit_name(application: str, number: int) -> str:
    """What clients call a unit."""
    return f"{application}_{number}"


def result_name(application: str, result: int) -> str:
    """What clients call a result."""
    return f"{application}_{result // COPIES}_{result % COPIES}"


def result_of_name(name: str) -> Optional[Tuple[str, int]]:
    """The application and the number of a result; None if no result of ours has such a name."""
    beginning, _, copy = name.rpartition("_")
    application, _, unit = beginning.rpartition("_")
    if not (unit.isascii() and unit.isdigit() and copy.isascii() and copy.isdigit() and len(unit) <= 15):
        return None
    number = int(unit) * COPIES + int(copy)
    return (application, number) if result_name(application, number) == name else None


def output_name(application: str, result: int, number: int) -> str:
    """The name of a result's output file."""
    return f"{result_name(application, result)}_out{number}"


class Units:
    """What happens to units in one transaction, at one reading of the clock. Nothing is in the database before write().
    """

    def __init__(self, transaction: Transaction, now: float) -> None:
        self.transaction = transaction
        self.now = now
        self.lessons = Lessons()
        self._history: List[Tuple[int, float, str, str]] = []
        self._created: List[Tuple[Any, ...]] = []
        self._changed: Dict[Tuple[str, int], Tuple[Any, Dict[str, None]]] = {}
        self._loaded: Dict[int, LoadedUnit] = {}
        self._noted: Dict[Tuple[str, ...], List[Tuple[Any, ...]]] = {}
        self._counts = {"units": 0, "results": 0, "valid": 0, "accepted": 0, "failed": 0}

    def load(self, numbers: Iterable[int], lock: str = "for update of unit") -> Dict[int, LoadedUnit]:
        """Units with their results, by number. What is not there, or is locked and skipped, is left out."""
        wanted = sorted(set(numbers))
        here = {number: self._loaded[number] for number in wanted if number in self._loaded}
        missing = [number for number in wanted if number not in here]
        if missing:
            here.update(self.found(self.transaction.rows(
                f"select {_UNIT_COLUMNS}, application, outputs from unit where id in ({marks(len(missing))}) "
                f"order by id {lock}", missing)))
        return here

    def due(self, where: str, arguments: Sequence[Any], most: int) -> Dict[int, LoadedUnit]:
        """At most so many units that a condition holds for, and that nobody else is at work on."""
        return self.found(self.transaction.rows(
            f"select {_UNIT_COLUMNS}, application, outputs from unit where {where} limit {int(most)} "
            "for update of unit skip locked", arguments))

    def found(self, rows: Sequence[Sequence[Any]]) -> Dict[int, LoadedUnit]:
        """Units of their rows, which are locked, with their results."""
        units = {row[0]: LoadedUnit(row) for row in rows}
        if units:
            held: Dict[int, List[Sequence[Any]]] = {number: [] for number in units}
            for found in sorted(self.transaction.rows(f"select {_RESULT_COLUMNS}, unit, account from result "
                                                      f"where unit in ({marks(len(units))})", list(units))):
                held[found[_RESULT_COUNT]].append(found)
            for number, unit in units.items():
                unit.results = v.Result.records(len(held[number]))
                for result, row in zip(unit.results, held[number]):
                    fill(result, row)
                unit.accounts = [row[-1] for row in held[number]]
        self._loaded.update(units)
        return units

    def add(self, number: int, fields: Dict[str, Any], columns: Dict[str, Any]) -> None:
        """A new unit, which asks for its first copies at once."""
        unit = v.Unit(id=number, **fields)
        loaded = LoadedUnit([*values(unit), columns["application"], columns["outputs"]])
        self.transaction.insert_all("unit", [*names(v.Unit), *columns],
                                    [[*values(unit), *columns.values()]])
        self._counts["units"] += 1
        self.event(loaded, v.UnitEvent(kind=v.UNIT_EVENT_CREATED))

    def event(self, unit: LoadedUnit, event: Any, name: str = "") -> None:
        """Something has happened to a unit. What it needs then is decided at once."""
        label = name or v.UnitEventKind(event.kind).name.lower()
        self.take(unit, unit.unit.handle_event(unit.results, event, self.now), label)
        if unit.unit.transition_time <= self.now:
            self.transition(unit)

    def transition(self, unit: LoadedUnit) -> None:
        """What the unit needs now."""
        self.take(unit, unit.unit.transition(unit.results, self.now), "transition")

    def validate(self, unit: LoadedUnit, classes: Sequence[int], errors: Mapping[int, str]) -> None:
        """Judges the successes of a unit. The errors say why results could not be judged, by their ids."""
        changes = unit.unit.validate(unit.results, classes, self.now)
        self.take(unit, changes, "validate", errors)
        self.transition(unit)

    def fail(self, unit: LoadedUnit, work: int, delay: float, error: str) -> None:
        """The project's own work on a unit failed: VCS_UNIT_WORK_*. Until when it waits, and why, is in the history."""
        event = v.UnitEvent(kind=v.UNIT_EVENT_WORK_FAILED, work=work, delay=delay)
        self.take(unit, unit.unit.handle_event(unit.results, event, self.now), FAILED[work], {0: error})

    def resume(self, unit: LoadedUnit, work: int) -> None:
        """A person says that it may go on."""
        event = v.UnitEvent(kind=v.UNIT_EVENT_WORK_RESUMED, work=work)
        self.take(unit, unit.unit.handle_event(unit.results, event, self.now), "work_resumed")

    def take(self, unit: LoadedUnit, changes: Sequence[Any], event: str,
             errors: Optional[Mapping[int, str]] = None) -> None:
        """Applies a list of changes to the records, and remembers what has to be written. The first change to a result
        is followed by the error that led to it; 0 is the unit."""
        if not changes:
            return
        told = []
        create = 0
        missing = dict(errors or {})
        failed, accepted = unit.unit.error_mask != 0, unit.unit.canonical != 0
        for change in changes:
            if change.kind == v.CHANGE_CREATE:
                create += change.value
                told.append((0, "create", change.value, change.reason))
                continue
            of_unit = change.result == v.NONE
            target = unit.unit if of_unit else unit.results[change.result]
            if not of_unit:
                self.lessons.learn(change, unit.results, unit.accounts[change.result])
            field, value = change.name, change.value
            if change.field == v.FIELD_RESULT_VALIDATE_STATE:
                self._counts["valid"] += (value == v.VALIDATE_VALID) - (target.validate_state == v.VALIDATE_VALID)
            setattr(target, field, value)  # as change.apply() does, which would look for the record again
            told.append((0 if of_unit else target.id, field, value if value != inf else None, change.reason))
            error = missing.pop(0 if of_unit else target.id, None) if missing else None
            if error is not None:
                told.append((0 if of_unit else target.id, "error", error, change.reason))
            key = ("unit" if of_unit else "result", target.id)
            self._changed.setdefault(key, (target, {}))[1][field] = None
        if create:
            self._create(unit, create)
        self._counts["accepted"] += unit.unit.canonical != 0 and not accepted
        self._counts["failed"] += unit.unit.error_mask != 0 and not failed
        self._history.append((unit.unit.id, self.now, event, json.dumps(told)))

    def assign(self, unit: LoadedUnit, index: int, host: int, account: int, version: int) -> None:
        """A result is sent to a host. The other results need not be loaded if the host has none of them, and nothing
        follows before the deadline."""
        unit.accounts[index] = account
        event = v.UnitEvent(kind=v.UNIT_EVENT_SENT, result=index, host=host)
        self.take(unit, unit.unit.handle_event(unit.results, event, self.now), "sent")
        self.note(unit.results[index].id, {"account": account, "sent": self.now, "version": version})

    def report(self, unit: LoadedUnit, index: int, kind: int, claimed: float, columns: Dict[str, Any]) -> None:
        """A host reports a result: VCS_REPORT_*, the credit that it claims, and what else is to be kept of it."""
        self.event(unit, v.UnitEvent(kind=v.UNIT_EVENT_RECEIVED, result=index, report=kind, claimed=claimed))
        self.note(unit.results[index].id, columns)

    def note(self, result: int, columns: Dict[str, Any]) -> None:
        """Columns of a result that the library does not know."""
        if columns:
            self._noted.setdefault(tuple(columns), []).append((*columns.values(), result))

    def _create(self, unit: LoadedUnit, count: int) -> None:
        """New results, waiting for hosts."""
        first = len(unit.results)
        grown = v.Result.records(first + count)
        for index, result in enumerate(unit.results):
            fill(grown[index], values(result))
        for index in range(first, first + count):
            fill(grown[index], values(v.Result(id=unit.unit.id * COPIES + index + 1)))
            unit.accounts.append(None)
            self._created.append((*values(grown[index]), unit.unit.id))
        # What was remembered of the results in the list before is in the new one now.
        for index in range(first):
            key = ("result", grown[index].id)
            if key in self._changed:
                self._changed[key] = (grown[index], self._changed[key][1])
        unit.results = grown
        self._counts["results"] += count

    def write(self) -> None:
        """Writes all that has changed to the database."""
        transaction = self.transaction
        transaction.insert_all("result", _RESULT_NAMES, self._created)
        groups = {("result", fields): rows for fields, rows in self._noted.items()}
        for (table, number), (target, changed) in self._changed.items():
            groups.setdefault((table, tuple(changed)), []).append(
                (*[getattr(target, name) for name in changed], number))
        for (table, fields), rows in groups.items():
            transaction.many(f"update {table} set {', '.join(f'{name} = ?' for name in fields)} where id = ?", rows)
        transaction.insert_all("history", ("unit", "time", "event", "changes"), self._history)
        self.lessons.write(transaction, self.now)
        if any(self._counts.values()):
            transaction.run("update project set units = units + ?, results = results + ?, valid = valid + ?, "
                            "accepted = accepted + ?, failed = failed + ? where id = 1", list(self._counts.values()))
        self._history, self._created, self._changed, self._noted = [], [], {}, {}
        self._counts = dict.fromkeys(self._counts, 0)
        self.lessons = Lessons()
