# SPDX-License-Identifier: MIT
"""The story of one unit: why it is where it is, its results, and the history of its changes with their reasons."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Sequence

import vcsched as v
from server.records import names, record
from server.storage import Row, Transaction
from status import wording

MOST_EVENTS = 500


def story(look: Transaction, number: int, now: float) -> Optional[Dict[str, Any]]:
    """Everything that is known of a unit, as JSON can have it; None if there is none. Three queries."""
    fields = names(v.Unit)
    row = look.row(f"select {', '.join(fields)}, application, created, flops from unit where id = ?", (number,))
    if row is None:
        return None
    unit = record(v.Unit, row[:len(fields)])
    application, created, flops = row[len(fields):]
    fields = names(v.Result)
    columns = ", ".join(f"result.{name}" for name in fields)
    rows = look.rows(f"select {columns}, result.host, host.name, result.sent, result.elapsed, result.exit_status, "
                     "result.message from result left join host on host.id = result.host where unit = ? "
                     "order by result.id", (number,))
    results = [record(v.Result, row[:len(fields)]) for row in rows]
    events = look.rows("select time, event, changes from history where unit = ? order by id desc "
                       f"limit {MOST_EVENTS}", (number,))
    return {
        "now": now,
        "id": number,
        "application": application,
        "created": created,
        "flops": flops,
        "state": wording.unit_state(unit, results),
        "text": wording.unit_text(unit, results),
        "quorum": unit.min_quorum,
        "because": _because(events),
        "results": [_result(result, row[len(fields):], unit, now) for result, row in zip(results, rows)],
        "history": [_event(row) for row in reversed(events)],
    }


def _because(events: Sequence[Row]) -> List[str]:
    """The reasons of what happened last."""
    for _, _, text in events:
        reasons = wording.reasons_of(wording.telling(wording.changes_of(text)))
        if reasons:
            return reasons
    return []


def _result(result: Any, more: Any, unit: Any, now: float) -> Dict[str, Any]:
    host, name, sent, elapsed, exit_status, message = more
    over = result.server_state == v.RESULT_OVER
    return {
        "id": result.id,
        "state": wording.result_text(result, now),
        "canonical": bool(unit.canonical) and result.id == unit.canonical,
        "wrong": result.validate_state == v.VALIDATE_INVALID or result.outcome in (
            v.OUTCOME_CLIENT_ERROR, v.OUTCOME_NO_REPLY, v.OUTCOME_COULDNT_SEND, v.OUTCOME_VALIDATE_ERROR),
        "host": host,
        "host_name": name,
        "sent": sent,
        "deadline": _moment(result.deadline) if sent is not None and not over else None,
        "received": result.received or None,
        "elapsed": elapsed,
        "credited": bool(result.credited),
        "exit_status": exit_status,
        "message": message,
    }


def _event(row: Row) -> Dict[str, Any]:
    moment, event, text = row
    return {
        "time": moment,
        "what": wording.event_text(event),
        "why": [{"reason": reason, "changes": [_change(change) for change in changes]}
                for reason, changes in wording.by_reason(wording.changes_of(text)).items()],
    }


def _change(change: wording.Change) -> Dict[str, Any]:
    return {"result": change.result, "field": change.field, "text": wording.value_text(change),
            "time": change.value if change.field in wording.TIMES else None}


def _moment(seconds: float) -> Optional[float]:
    """JSON has no infinity."""
    return seconds if seconds < v.MAX_TIME else None
