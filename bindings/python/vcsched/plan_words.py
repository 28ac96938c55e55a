# SPDX-License-Identifier: MIT
"""A plan for people: a few sentences and tables, as text and for notebooks."""

from __future__ import annotations

import html
import math
from typing import TYPE_CHECKING, List, NamedTuple, Optional, Sequence, Tuple, Union

from vcsched.names import one_line

if TYPE_CHECKING:
    from vcsched.interface import TaskDecision, TaskForecast
    from vcsched.state import Plan

TASKS_SHOWN = 40
"""Tasks that are listed: what runs, what is late, and the first of the others. The rest is counted."""
LONGEST_NAME = 40
"""Characters of a name in a text."""


class PlanNames(NamedTuple):
    """What the parts of a host are called, in the order of its records. A kind without names is numbered."""

    resources: Sequence[str]
    projects: Sequence[str]
    tasks: Sequence[str]


class Table(NamedTuple):
    """Rows below their titles. Columns are aligned to the right where `right` says so."""

    titles: Tuple[str, ...]
    right: Tuple[bool, ...]
    rows: Sequence[Tuple[str, ...]]


Part = Union[str, Table]
"""A sentence or a table."""


def as_text(plan: "Plan", names: Optional[PlanNames]) -> str:
    """The plan as lines of text. Without names, tasks, projects and resources are numbered as in the records."""
    return "\n\n".join(_text_of(part) for part in _parts(plan, names))


def as_html(plan: "Plan", names: Optional[PlanNames]) -> str:
    """The same as HTML."""
    return "\n".join(_html_of(part) for part in _parts(plan, names))


def duration(seconds: float) -> str:
    """Seconds for a person, in the two greatest units that matter."""
    if not math.isfinite(seconds):
        return "never"
    size = abs(seconds)
    last = 3600 if size >= 86400 else 60 if size >= 3600 else 1
    whole = math.floor(size / last + 0.5) * last
    sign = "-" if seconds < 0 and whole else ""
    for size, unit, smaller, smaller_unit in ((86400, "d", 3600, "h"), (3600, "h", 60, "m"), (60, "m", 1, "s")):
        if whole >= size:
            return f"{sign}{whole // size}{unit} {whole % size // smaller:02d}{smaller_unit}"
    return f"{sign}{whole}s"


def _parts(plan: "Plan", names: Optional[PlanNames]) -> List[Part]:
    order = _order(plan)
    parts: List[Part] = [_summary(plan), _resources(plan, names)]
    if order:
        parts.append(_tasks(plan, names, order))
    return [*parts, _fetch(plan, names)]


def _summary(plan: "Plan") -> str:
    from vcsched import constants
    verdicts = plan.wrr.tasks.column("verdict")
    late = verdicts.count(constants.VERDICT_MISSES)
    running = plan.schedule.summary.running
    return (f"{len(verdicts)} task{'' if len(verdicts) == 1 else 's'}, {late or 'none'} LATE; "
            f"{running or 'none'} run{'s' if running == 1 else ''} now")


def _resources(plan: "Plan", names: Optional[PlanNames]) -> Table:
    return Table(("RESOURCE", "IDLE NOW", "ALL BUSY FOR", "WORK MISSING"), (False, True, True, True),
                 [(_resource(names, number), f"{one.idle_now:g}", duration(one.saturated), duration(one.shortfall))
                  for number, one in enumerate(plan.wrr.resources)])


def _order(plan: "Plan") -> List[int]:
    """The tasks that run, then the late ones, then the others, each group by when its tasks end."""
    from vcsched import constants
    tasks = list(zip(plan.wrr.tasks, plan.schedule.tasks))
    return sorted(range(len(tasks)), key=lambda i: (not tasks[i][1].run,
                                                    tasks[i][0].verdict != constants.VERDICT_MISSES,
                                                    tasks[i][0].finish))


def _tasks(plan: "Plan", names: Optional[PlanNames], order: List[int]) -> Table:
    from vcsched import constants
    verdicts = {constants.VERDICT_STUCK: "stuck", constants.VERDICT_SUSPENDED: "suspended",
                constants.VERDICT_UNKNOWN: "unknown"}
    rows = []
    for index in order[:TASKS_SHOWN]:
        forecast: "TaskForecast" = plan.wrr.tasks[index]
        given_up = plan.schedule.tasks[index].flags & constants.DECISION_GIVE_UP  # its verdict is "suspended"
        ends = "given up" if given_up else verdicts.get(forecast.verdict) or duration(forecast.finish)
        rows.append((_named(names and names.tasks, index), ends,
                     "LATE" if forecast.verdict == constants.VERDICT_MISSES else "",
                     _now(plan.schedule.tasks[index])))
    if len(order) > TASKS_SHOWN:
        rows.append((f"... and {len(order) - TASKS_SHOWN} more", "", "", ""))
    return Table(("TASK", "ENDS IN", "", "NOW"), (False, True, False, False), rows)


def _now(decision: "TaskDecision") -> str:
    """What becomes of a task: that it runs, and why, or why not."""
    from vcsched import constants, interface
    reason = interface.reason_name(decision.reason).replace("_", " ")
    word = "give up: " if decision.flags & constants.DECISION_GIVE_UP else "runs: " if decision.run else ""
    hopeless = decision.flags & constants.DECISION_HOPELESS and not decision.flags & constants.DECISION_GIVE_UP
    return f"{word}{reason}{', cannot be done in time even alone' if hopeless else ''}"


def _fetch(plan: "Plan", names: Optional[PlanNames]) -> str:
    from vcsched import constants, interface
    summary = plan.fetch.summary
    if summary.project == constants.NONE:
        return f"No project is asked for work now: {interface.reason_sentence(summary.reason)}"
    resources = len(plan.wrr.resources)
    first = summary.project * resources
    asked = [f"{duration(request.seconds)} of {_resource(names, number)}"
             for number, request in enumerate(plan.fetch.project_resources[first:first + resources])
             if request.seconds > 0]
    project = _named(names and names.projects, summary.project)
    called = project if names and names.projects else f"Project {project}"
    return f"{called} is asked for work now: {', '.join(asked)}."


def _named(names: Optional[Sequence[str]], index: int) -> str:
    return one_line(names[index]) if names else str(index)


def _resource(names: Optional[PlanNames], number: int) -> str:
    if names and names.resources:
        return _named(names.resources, number)
    return "CPU" if number == 0 else f"GPU type {number}"


def _text_of(part: Part) -> str:
    if isinstance(part, str):
        return part
    cells = [part.titles, *((_short(row[0]), *row[1:]) for row in part.rows)]
    widths = [max(map(len, column)) for column in zip(*cells)]
    lines = ["  ".join(cell.rjust(width) if right else cell.ljust(width)
                       for cell, width, right in zip(row, widths, part.right)).rstrip() for row in cells]
    return "\n".join(lines)


def _short(cell: str) -> str:
    return cell if len(cell) <= LONGEST_NAME else f"{cell[:LONGEST_NAME - 13]}...{cell[-10:]}"


def _html_of(part: Part) -> str:
    if isinstance(part, str):
        return f"<p>{html.escape(part)}</p>"
    styles = ['style="text-align: right"' if right else 'style="text-align: left"' for right in part.right]
    head = "".join(f"<th {style}>{html.escape(title)}</th>" for title, style in zip(part.titles, styles))
    body = "\n".join("<tr>" + "".join(f"<td {style}>{html.escape(cell)}</td>" for cell, style in zip(row, styles))
                     + "</tr>" for row in part.rows)
    return f"<table>\n<tr>{head}</tr>\n{body}\n</table>"
