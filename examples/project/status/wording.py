# SPDX-License-Identifier: MIT
"""States, events and reasons in words."""

from __future__ import annotations

import functools
import json
from math import inf
from typing import Any, Dict, List, NamedTuple, Sequence

import vcsched as v

# Where a unit is, in the order in which it goes through them. The page has words and a colour for each.
WAITING = "waiting"
UNDER_WAY = "under_way"
TO_COMPARE = "to_compare"
ACCEPTED = "accepted"
ASSIMILATED = "assimilated"
FAILED = "failed"

_EVENTS = {
    "created": "the unit was made",
    "cancelled": "the unit was cancelled",
    "canonical_lost": "the accepted result was lost",
    "assimilated": "the result was taken over",
    "inputs_deleted": "input files were deleted",
    "sent": "a copy was sent",
    "received": "a report came in",
    "unsendable": "a copy was given up: no host",
    "outputs_deleted": "output files were deleted",
    "resent": "a reply that was lost was sent again",
    "withdrawn": "a result was withdrawn",
    "transition": "the unit was reviewed",
    "validate": "results were compared",
    "work_failed": "the project failed at its own work on the unit",
    "compare_failed": "comparing its results failed",
    "assimilate_failed": "taking over its result failed",
    "delete_failed": "deleting its files failed",
    "work_resumed": "a person let it go on",
}

_UNIT_FAILURES = {
    v.UNIT_COULDNT_SEND: "no host could be found for a copy",
    v.UNIT_TOO_MANY_ERRORS: "too many errors",
    v.UNIT_TOO_MANY_SUCCESSES: "too many results, and no consensus",
    v.UNIT_TOO_MANY_TOTAL: "too many copies",
    v.UNIT_CANCELLED: "cancelled by the project",
    v.UNIT_NO_CANONICAL: "the accepted result was lost",
}

_OUTCOMES = {
    v.OUTCOME_SUCCESS: "success",
    v.OUTCOME_COULDNT_SEND: "no host found",
    v.OUTCOME_CLIENT_ERROR: "error on the host",
    v.OUTCOME_NO_REPLY: "no reply",
    v.OUTCOME_DIDNT_NEED: "not needed",
    v.OUTCOME_VALIDATE_ERROR: "files missing",
    v.OUTCOME_CLIENT_DETACHED: "the host has left",
}

_VERDICTS = {
    v.VALIDATE_INIT: "not compared yet",
    v.VALIDATE_VALID: "valid",
    v.VALIDATE_INVALID: "invalid",
    v.VALIDATE_NO_CHECK: "not compared: the unit failed",
    v.VALIDATE_ERROR: "could not be compared",
    v.VALIDATE_INCONCLUSIVE: "compared, no consensus yet",
    v.VALIDATE_TOO_LATE: "too late to be compared",
}

_RESULT_STATES = {
    v.RESULT_INACTIVE: "held back",
    v.RESULT_UNSENT: "waiting for a host",
    v.RESULT_IN_PROGRESS: "in progress",
}


def event_text(event: str) -> str:
    """What happened, of the name that the history has for it."""
    return _EVENTS.get(event, event.replace("_", " "))


@functools.lru_cache(maxsize=None)
def sentence(reason: int) -> str:
    """Of a VCS_REASON_*."""
    return v.reason_sentence(reason)


def unit_state(unit: Any, results: Sequence[Any]) -> str:
    """Where a unit is."""
    if unit.error_mask and not unit.canonical:
        return FAILED
    if unit.assimilate_state == v.ASSIMILATE_DONE:
        return ASSIMILATED
    if unit.canonical:
        return ACCEPTED
    if unit.need_validate:
        return TO_COMPARE
    return UNDER_WAY if any(result.server_state == v.RESULT_IN_PROGRESS for result in results) else WAITING


def unit_text(unit: Any, results: Sequence[Any]) -> str:
    """A sentence about where a unit is, and what it waits for."""
    state = unit_state(unit, results)
    there = sum(result.outcome == v.OUTCOME_SUCCESS for result in results)
    needs = f"{unit.min_quorum} equal results are needed" if unit.min_quorum > 1 else "one result is needed"
    if unit.assimilate_failures and unit.assimilate_state == v.ASSIMILATE_READY:
        return "It is over, but the project failed to take it over, " \
            f"{_failures(unit.assimilate_failures, unit.assimilate_time)}."
    if unit.compare_failures and unit.need_validate:
        return f"{_count(there, 'result')} came in, but the project failed to compare them, " \
            f"{_failures(unit.compare_failures, unit.compare_time)}."
    if unit.delete_failures:
        return f"It is over, but its files could not be deleted, {_failures(unit.delete_failures, unit.delete_time)}."
    if state == FAILED:
        return f"It has failed: {failure_text(unit.error_mask)}."
    if state == ASSIMILATED:
        return "It is done: its result has been taken over."
    if state == ACCEPTED:
        return "A result has been accepted. The project has yet to take it over."
    if state == TO_COMPARE:
        return f"{_count(there, 'result')} came in and will be compared; {needs}."
    out = sum(result.server_state == v.RESULT_IN_PROGRESS for result in results)
    unsent = sum(result.server_state in (v.RESULT_UNSENT, v.RESULT_INACTIVE) for result in results)
    parts = [f"{_count(count, noun)} {what}" for count, noun, what in (
        (out, "copy", "with hosts"), (unsent, "copy", "waiting for a host"), (there, "result", "here")) if count]
    return f"{', '.join(parts) or 'No copies yet'}; {needs}."


def _failures(failures: int, until: float) -> str:
    often = "once" if failures == 1 else f"{failures} times"
    return f"{often}: " + ("it waits for a person" if until == inf else "it is tried again")


def failure_text(error_mask: int) -> str:
    """Why a unit failed."""
    return ", ".join(text for bit, text in _UNIT_FAILURES.items() if error_mask & bit)


def result_text(result: Any, now: float) -> str:
    """Where a result is."""
    if result.server_state == v.RESULT_IN_PROGRESS and now > result.deadline:
        return "in progress, overdue"
    if result.server_state != v.RESULT_OVER:
        return _RESULT_STATES[result.server_state]
    if result.outcome == v.OUTCOME_SUCCESS:
        return _VERDICTS[result.validate_state]
    return _OUTCOMES[result.outcome]


def _count(number: int, noun: str) -> str:
    plural = {"copy": "copies", "result": "results"}[noun]
    return f"{number} {noun if number == 1 else plural}"


class Change(NamedTuple):
    """One change of a unit, or of one of its results, as the history has it."""

    result: int
    """0 = of the unit itself"""
    field: str
    value: Any
    reason: int


def changes_of(text: str) -> List[Change]:
    """A list of changes of the history."""
    return [Change(*held) for held in json.loads(text)]


def telling(changes: Sequence[Change]) -> List[Change]:
    """Those that say where the unit is: not when it is looked at again, nor that its files go."""
    return [change for change in changes if change.field not in ("transition_time", "file_delete_state")]


def reasons_of(changes: Sequence[Change]) -> List[str]:
    """The sentences of their reasons, each once."""
    return list(by_reason(changes))


def by_reason(changes: Sequence[Change]) -> Dict[str, List[Change]]:
    """The changes that have the same reason, by its sentence."""
    found: Dict[str, List[Change]] = {}
    for change in changes:
        found.setdefault(sentence(change.reason), []).append(change)
    return found


_NAMES: Dict[str, Dict[int, str]] = {
    "server_state": {**_RESULT_STATES, v.RESULT_OVER: "over"},
    "outcome": {v.OUTCOME_INIT: "none yet", **_OUTCOMES},
    "validate_state": _VERDICTS,
    "assimilate_state": {v.ASSIMILATE_INIT: "not yet", v.ASSIMILATE_READY: "ready", v.ASSIMILATE_DONE: "done"},
    "file_delete_state": {v.FILES_INIT: "needed", v.FILES_READY: "may be deleted", v.FILES_DONE: "deleted",
                          v.FILES_ERROR: "could not be deleted"},
    "need_validate": {0: "no", 1: "yes"},
    "credited": {0: "no", 1: "yes"},
}

TIMES = ("transition_time", "assimilated", "deadline", "received", "late_received", "compare_time", "assimilate_time",
         "delete_time")
"""Fields that are moments."""


def value_text(change: Change) -> str:
    """The new value in words; a moment is for whoever shows it to write."""
    if change.field in TIMES:
        return "never" if change.value is None else ""
    if change.field == "error_mask":
        return failure_text(int(change.value))
    if change.field == "create":
        return _count(int(change.value), "copy")
    return _NAMES.get(change.field, {}).get(change.value, str(change.value))
