# SPDX-License-Identifier: MIT
"""The scheduler: a request of a client, in one transaction, and the reply."""

from __future__ import annotations

import json
import random
from math import inf
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

import vcsched as v
from server import faults, reply, sending
from server.hosts import STANDING, new_standing, standing, write_standing
from server.project import Config, Project
from server.records import as_row
from server.request import Report, Request, parse
from server.sending import Job, Sent
from server.sending import Refused as Refusal
from server.storage import Transaction
from server.units import COPIES, Units, result_name, result_of_name

LATER = 86400.0
"""When a client that gets nothing may come again, s."""
_MESSAGE = 4096
"""Characters kept of what a program wrote to its standard error."""


class Refused(Exception):
    """Nobody whom we know. The text is for the user."""


class Account(NamedTuple):
    """Whose host it is."""

    id: int
    name: str
    email: str
    created: float
    credit: float
    average: float


class Host(NamedTuple):
    """A host, as far as its row was read."""

    id: int
    sequence: int
    is_new: bool
    created: float
    credit: float
    average: float


class Outcome(NamedTuple):
    """What the reply says."""

    account: Account
    host: Host
    acknowledged: List[str]
    abort: List[str]
    abort_if_not_started: List[str]
    jobs: List[Job]
    applications: Dict[str, Tuple[Any, ...]]
    messages: List[str]
    delay: float
    wants_key: bool
    refused: Optional[Refusal]


def handle(project: Project, content: bytes) -> bytes:
    """Raises xml.Malformed, storage.Unavailable or Refused; then nothing is changed."""
    request = parse(content)
    with project.store.transaction("scheduler") as transaction:
        outcome = _handle(project, transaction, request, faults.now())
    return reply.write(project, request, outcome).encode()


def _handle(project: Project, transaction: Transaction, request: Request, now: float) -> Outcome:
    account = _account(transaction, request.key)
    # Two requests of the same host, or of a new one, are handled one after the other.
    transaction.one_at_a_time(request.host or -account.id)
    units = Units(transaction, now)
    host = _host(project, units, account, request)
    acknowledged = _receive(units, account, host, request)
    units.write()
    abort, abort_if_not_started = _no_longer_needed(units, request)
    again, in_progress = _lost(units, host, request)
    units.write()

    found = transaction.row(f"select {STANDING} from host where id = ? for update", (host.id,))
    assert found is not None
    trusted = standing(found)
    sent = Sent([], 0, 0)
    messages: List[str] = []
    applications = _applications(transaction, request)
    asked = request.seconds > 0 or request.instances > 0
    if trusted.blacklisted:
        messages.append("This computer has returned wrong results, so it gets no more tasks.")
    elif asked and not applications:
        messages.append(f"This project has no program for {', '.join(request.platforms[:4]) or 'this platform'}.")
    elif asked:
        versions = {name: row[0] for name, row in applications.items()}
        sent = sending.choose(project, units, request, host.id, account.id, trusted, len(in_progress), versions)
        if not sent.jobs and not again:
            messages.append("No tasks are available." if not sent.reason else
                            f"No tasks are sent: {v.reason_sentence(sent.reason)}")
    write_standing(transaction, host.id, trusted)
    _remember(transaction, host, request, now)
    units.write()
    jobs = again + sent.jobs
    delay = LATER if trusted.blacklisted or asked and not applications else _delay(
        project.config, asked and sent.reason != v.REASON_HOST_LIMIT, len(jobs), sent.late, trusted.quota.left(now),
        in_progress + [job.deadline for job in sent.jobs], now)
    return Outcome(account, host, acknowledged, abort, abort_if_not_started, jobs, applications, messages, delay,
                   not request.has_key, None if again else sent.refused)


def _delay(config: Config, wants: bool, sent: int, late: int, quota_left: int, in_progress: List[float],
           now: float) -> float:
    """How long the host is to wait. What it has in progress, by deadlines, it must be able to report in time. One that
    holds as much as it may can be given nothing before it reports, so nothing keeps it from that."""
    following = v.NextRequest(flags=0 if wants else v.REQUEST_WITHOUT_WORK, sent=sent, late=late, quota_left=quota_left,
                              report_by=min(in_progress, default=inf) - 2 * config.request_delay,
                              least_delay=config.request_delay, no_work_delay=config.no_work_delay,
                              deadline_delay=config.deadline_delay, quota_spread=config.quota_spread)
    return float(following.delay(now, random.random()).seconds)


def _account(transaction: Transaction, key: str) -> Account:
    row = transaction.row("select id, name, email, created, credit, average_value from account where key = ?", (key,))
    if row is None:
        raise Refused("No account has this key. Remove the project, and attach to it again.")
    return Account(*row)


def _host(project: Project, units: Units, account: Account, request: Request) -> Host:
    """The host that asks. An unknown one is new, unless the account has one with the same number of the client's: that
    one has detached and is back. A request with a number that we have seen comes from an old copy of the client, which
    goes on as another host."""
    transaction, computer = units.transaction, request.computer
    columns = "id, sequence, created, credit, average_value"
    row = transaction.row(f"select {columns} from host where id = ? and account = ?", (request.host, account.id)) \
        if request.host else None
    if row is not None and request.sequence >= row[1]:
        return Host(row[0], row[1], False, *row[2:])
    if row is None and computer.cpid:
        row = transaction.row(f"select {columns} from host where account = ? and cpid = ? order by id desc limit 1",
                              (account.id, computer.cpid))
        if row is not None:
            _detach(units, row[0])
            return Host(row[0], row[1], True, *row[2:])
    new = transaction.value("select count(*) from host where account = ? and created > ?",
                            (account.id, units.now - LATER))
    if new >= project.config.new_hosts:
        raise Refused("This account has too many new computers today.")
    number = transaction.insert("host", {
        "account": account.id, "name": computer.name, "cpid": computer.cpid, "platform": "", "system": "",
        "processor": "", "client": "", "cpus": 0, "flops": 0.0, "memory": 0.0, "on_fraction": 1.0,
        "active_fraction": 1.0, "sequence": 0, "created": units.now, "last_request": units.now, "credit": 0.0,
        "withdrawn": 0, **as_row(v.Average(time=units.now), "average_"), **new_standing(project.config.quota)})
    return Host(number, 0, True, units.now, 0.0, 0.0)


def _remember(transaction: Transaction, host: Host, request: Request, now: float) -> None:
    computer = request.computer
    transaction.run(
        "update host set name = ?, cpid = ?, platform = ?, system = ?, processor = ?, client = ?, cpus = ?, flops = ?, "
        "memory = ?, on_fraction = ?, active_fraction = ?, sequence = ?, last_request = ? where id = ?",
        (computer.name, computer.cpid, request.platforms[0] if request.platforms else "", computer.system,
         computer.processor, request.client, computer.cpus, computer.flops, computer.memory, computer.on_fraction,
         computer.active_fraction, request.sequence, now, host.id))


def _detach(units: Units, host: int) -> None:
    """The host has left the project: it has nothing any more."""
    held = _in_progress(units.transaction, host)
    for unit in units.load(result // COPIES for result in held).values():
        for index, result in enumerate(unit.results):
            if result.id in held and result.server_state == v.RESULT_IN_PROGRESS:
                units.report(unit, index, v.REPORT_DETACHED, 0.0, {})


def _in_progress(transaction: Transaction, host: int) -> Dict[int, float]:
    """The results that a host has, with their deadlines."""
    return {row[0]: row[1] for row in transaction.rows(
        f"select id, deadline from result where host = ? and server_state = {v.RESULT_IN_PROGRESS} order by id",
        (host,))}


def _receive(units: Units, account: Account, host: Host, request: Request) -> List[str]:
    """Takes the reported results. All are acknowledged, those that we do not know as well: else the client would report
    them for ever."""
    reports: Dict[int, Report] = {}
    for report in request.reports:
        named = result_of_name(report.name)
        if named is not None:
            reports.setdefault(named[1], report)
    refused = False
    if reports:
        found = units.transaction.row(f"select {STANDING} from host where id = ?", (host.id,))
        refused = found is not None and standing(found).blacklisted
    loaded = units.load(result // COPIES for result in reports)
    for result, report in reports.items():
        unit = loaded.get(result // COPIES)
        index = unit.index(result) if unit is not None else None
        # A result may also come from another host of the account, where a client's old copy goes on as a new host.
        if unit is None or index is None or unit.accounts[index] != account.id or \
                result_name(unit.application, result) != report.name:
            continue
        claimed = v.credits(report.elapsed * request.computer.flops)
        units.report(unit, index, _kind(report, refused), claimed, {
            "elapsed": report.elapsed, "cpu_time": report.cpu_time, "exit_status": report.exit_status,
            "message": report.message[-_MESSAGE:]})
    return [report.name for report in request.reports]


def _kind(report: Report, refused: bool) -> int:
    if refused:
        return v.REPORT_REFUSED
    if report.success:
        return v.REPORT_SUCCESS
    return v.REPORT_CANCELLED if report.aborted else v.REPORT_CLIENT_ERROR


def _no_longer_needed(units: Units, request: Request) -> Tuple[List[str], List[str]]:
    """Which of the client's tasks it should abort: at once, or if they have not started."""
    named = [(name, result_of_name(name)) for name in request.held or ()]
    loaded = units.load(found[1] // COPIES for _, found in named if found)
    abort: List[str] = []
    if_not_started: List[str] = []
    for name, found in named:
        unit = loaded.get(found[1] // COPIES) if found else None
        index = unit.index(found[1]) if unit is not None and found else None
        if unit is None or index is None or result_name(unit.application, unit.results[index].id) != name:
            abort.append(name)
            continue
        needed = unit.unit.result_needed(unit.results, index).needed
        if needed != v.NEEDED_KEEP:
            (abort if needed == v.NEEDED_ABORT else if_not_started).append(name)
    return abort, if_not_started


def _lost(units: Units, host: Host, request: Request) -> Tuple[List[Job], List[float]]:
    """Results that were sent, but that the client does not have: the reply was lost. They are sent again. And the
    deadlines of all that the host has in progress."""
    held = _in_progress(units.transaction, host.id)
    if request.held is None:
        return [], list(held.values())
    has = {named[1] for name in request.held for named in [result_of_name(name)] if named}
    lost = [result for result in held if result not in has]
    jobs = []
    for number, unit in units.load(result // COPIES for result in lost).items():
        for index in [index for index, result in enumerate(unit.results) if result.id in lost]:
            if unit.results[index].server_state != v.RESULT_IN_PROGRESS:
                continue
            columns = units.transaction.row(f"select {sending.JOB} from unit where id = ?", (number,))
            assert columns is not None
            units.event(unit, v.UnitEvent(kind=v.UNIT_EVENT_RESENT, result=index,
                                          estimate=sending.run_time(columns[0], request)))
            if unit.results[index].server_state == v.RESULT_IN_PROGRESS:
                jobs.append(sending.job(unit, index, columns))
    return jobs, [held[result] for result in has.intersection(held)] + [job.deadline for job in jobs]


def _applications(transaction: Transaction, request: Request) -> Dict[str, Tuple[Any, ...]]:
    """The applications that the host has a program for: version, title, and the program."""
    found: Dict[str, Tuple[Any, ...]] = {}
    for name, title, version, versions in transaction.rows("select name, title, version, versions from application"):
        offered = {program["platform"]: program for program in json.loads(versions)}
        program: Optional[Dict[str, Any]] = next((offered[name] for name in request.platforms if name in offered), None)
        if program is not None:
            found[name] = (version, title, program)
    return found
