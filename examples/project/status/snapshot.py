# SPDX-License-Identifier: MIT
"""What the status page shows, as one look at the database finds it."""

from __future__ import annotations

import collections
from typing import Any, Deque, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple

import vcsched as v
from picture.canvas import MISSING, Canvas
from server import trouble
from server.storage import Transaction
from status import wording

RECENT = 7 * 86400.0
"""Hosts that were heard from within this time are looked at one by one, s. Others are gone."""
MOST_HOSTS = 100
"""Hosts in the table: those that were heard from last."""
MOST_NAMED = 5
"""Units named of those that wait for a person."""
MOST_CHANGES = 15
"""Lines of the latest changes,"""
CHANGES_READ = 1000
"""which are found among so many at the end of the history."""
TALKING = 60.0
"""A host that asks over HTTP is said to be connected for so long after it asked, s."""

BUCKET = 10.0
"""One bar of the chart, s."""
BUCKETS = 60
LATELY = 60.0
"""Over how long the present rate is taken, s."""

FIRST_READ = 20000
"""Lines of the history that the first look reads: the chart begins with what they tell."""
READ_AGAIN = 2000
"""Lines that each look reads once more. Transactions that began earlier may have ended later."""
TURNAROUNDS = 1000
"""Units whose turnaround is remembered, the last ones."""


class Rates:
    """Results and units over time, from the end of the history. Each look reads what has been added, so that it costs
    the same however long the history is."""

    def __init__(self) -> None:
        self._last = 0
        self._seen: Dict[int, float] = {}
        self._reports: Dict[int, int] = collections.defaultdict(int)
        self._units: Dict[int, int] = collections.defaultdict(int)
        self._turnarounds: Deque[float] = collections.deque(maxlen=TURNAROUNDS)

    def read(self, look: Transaction, now: float) -> None:
        """Reads on."""
        newest = look.value("select max(id) from history") or 0
        first = max(0, newest - FIRST_READ) if self._last == 0 else self._last - READ_AGAIN
        rows = look.rows("select id, unit, time, event from history where id > ? and id <= ? and "
                         "event in ('received', 'assimilated') order by id", (first, newest))
        done: List[int] = []
        for number, unit, moment, event in rows:
            if number in self._seen:
                continue
            self._seen[number] = moment
            (self._reports if event == "received" else self._units)[int(moment // BUCKET)] += 1
            if event == "assimilated":
                done.append(unit)
        self._last = newest
        self._remember_turnarounds(look, done[-TURNAROUNDS:])
        self._forget(now)

    def _remember_turnarounds(self, look: Transaction, units: Sequence[int]) -> None:
        for at in range(0, len(units), 500):
            some = units[at:at + 500]
            self._turnarounds.extend(row[0] for row in look.rows(
                f"select assimilated - created from unit where id in ({', '.join('?' * len(some))}) and "
                f"assimilate_state = {v.ASSIMILATE_DONE} order by assimilated", list(some)))

    def _forget(self, now: float) -> None:
        oldest = int(now // BUCKET) - BUCKETS
        for counts in (self._reports, self._units):
            for bucket in [bucket for bucket in counts if bucket < oldest]:
                del counts[bucket]
        for number in [number for number in self._seen if number <= self._last - READ_AGAIN]:
            del self._seen[number]

    def throughput(self, now: float) -> Dict[str, Any]:
        """Bars of the chart, the oldest first, and the present rates. The last bar is not full yet."""
        newest = int(now // BUCKET)
        buckets = range(newest - BUCKETS + 1, newest + 1)
        return {
            "bucket": BUCKET,
            "end": (newest + 1) * BUCKET,
            "results": [self._reports.get(bucket, 0) for bucket in buckets],
            "units": [self._units.get(bucket, 0) for bucket in buckets],
            "results_per_second": self._lately(self._reports, now),
            "units_per_second": self._lately(self._units, now),
        }

    @staticmethod
    def _lately(counts: Mapping[int, int], now: float) -> float:
        """Over the last full bars, and the part of the present one."""
        newest = int(now // BUCKET)
        full = int(LATELY // BUCKET)
        span = full * BUCKET + now - newest * BUCKET
        return sum(counts.get(bucket, 0) for bucket in range(newest - full, newest + 1)) / span

    def turnaround(self) -> Dict[str, Any]:
        """From the making of a unit until its result is taken over, s."""
        ordered = sorted(self._turnarounds)
        if not ordered:
            return {"units": 0, "median": None, "p95": None}
        return {"units": len(ordered), "median": ordered[(len(ordered) - 1) // 2],
                "p95": ordered[-(-len(ordered) * 95 // 100) - 1]}


class _Host(NamedTuple):
    """A row of the table of hosts."""

    id: int
    name: str
    platform: str
    client: str
    cpus: int
    speed: float
    """FLOPS of all its CPUs while it is on and may compute, as it says"""
    last_request: float
    credit: float
    passed: int
    valid_in_row: int
    flags: int
    reason: int
    """why it is on the blacklist"""
    quota_day: float
    quota_max_quota: int
    quota: int
    quota_used: int

    @property
    def blacklisted(self) -> bool:
        """Whether it gets nothing, and nothing of it counts."""
        return bool(self.flags & v.BLACKLISTED)


_HOST_COLUMNS = ("id, name, platform, client, cpus, flops * cpus * on_fraction * active_fraction, last_request, "
                 "credit, trust_passed, trust_valid_in_row, trust_flags, trust_reason, quota_day, quota_max_quota, "
                 "quota_quota, quota_used")


def _hosts(look: Transaction, now: float) -> List[_Host]:
    rows = look.rows(f"select {_HOST_COLUMNS} from host where last_request > ? order by last_request desc, id",
                     (now - RECENT,))
    return [_Host(*row)._replace(speed=_sound(row[5])) for row in rows]


def _sound(speed: float) -> float:
    """What a host says of itself may be anything."""
    return speed if 0.0 <= speed <= 1e30 else 0.0


class _Copy(NamedTuple):
    """A copy that a host has, and what is to be known of its unit."""

    unit: int
    host: int
    sent: float
    deadline: float
    created: float
    quorum: int
    bytes: int
    """of its output, at most"""
    decided: bool
    """the unit is over, or its results wait to be compared"""


def _copies(look: Transaction) -> List[_Copy]:
    # Sorted here: to find them by number the database would go through all results.
    rows = look.rows("select result.id, unit.id, result.host, sent, deadline, created, min_quorum, output_bytes, "
                     "canonical, error_mask, need_validate from result join unit on unit.id = result.unit where "
                     f"result.server_state = {v.RESULT_IN_PROGRESS}")
    return [_Copy(unit, host, sent, deadline, created, quorum, size, any(states))
            for _, unit, host, sent, deadline, created, quorum, size, *states in sorted(rows)]


class _Survey(NamedTuple):
    """What the library says of the pool."""

    summary: Any
    rows: List[Any]


def _survey(hosts: Sequence[_Host], copies: Sequence[_Copy], now: float) -> _Survey:
    """Which hosts are alive, and what is out (rules 10.4 and 10.5). The complexity of a copy is the time that its host
    was given, so that a host is dead when it was silent for longer than that, and silent without a copy when it was for
    longer than hosts are given on average. As many copies of a unit as are needed are jobs of their own, others are
    copies of the first."""
    clients, places = v.Client.records(len(hosts)), {}
    for index, (client, host) in enumerate(zip(clients, hosts)):
        client.id, client.last_heard = host.id, min(host.last_request, now)
        client.flags = (v.BLACKLISTED if host.blacklisted else 0) | \
            (v.CLIENT_TALKING if now - host.last_request <= TALKING else 0)
        places[host.id] = index
    held = [copy for copy in copies if copy.host in places]
    jobs, rules, pool = v.DispatchJob.records(len(held)), v.DispatchRules(), v.Pace()
    of_unit: Dict[int, List[int]] = collections.defaultdict(list)
    for index, (job, copy) in enumerate(zip(jobs, held)):
        job.id, job.state, job.client = index + 1, v.JOB_IN_PROGRESS, places[copy.host]
        job.size, job.queued, job.sent = float(copy.bytes), min(copy.created, now), min(copy.sent, now)
        job.expected = min(max(1.0, copy.deadline - copy.sent) / rules.dead_factor, v.MAX_SECONDS)
        job.complexity = job.expected
        if len(of_unit[copy.unit]) >= copy.quorum:
            job.copy_of = of_unit[copy.unit][0]
        of_unit[copy.unit].append(index)
    if jobs:
        pool.replies = len(jobs)
        pool.complexity = pool.compute_seconds = sum(job.complexity for job in jobs)
    rows = v.pool_survey(clients, jobs, pool, rules, now)
    return _Survey(v.pool_sum(clients, jobs, rows).summary, list(rows))


_LIVENESS = {v.LIVENESS_ACTIVE: "active", v.LIVENESS_DEAD: "silent", v.LIVENESS_SILENT: "silent",
             v.LIVENESS_BLACKLISTED: "blacklisted"}


def _host_row(host: _Host, row: Any, now: float) -> Dict[str, Any]:
    quota = v.Quota(day=host.quota_day, max_quota=host.quota_max_quota, quota=host.quota, used=host.quota_used)
    return {
        "id": host.id, "name": host.name, "platform": host.platform, "client": host.client, "cpus": host.cpus,
        "liveness": _LIVENESS[row.liveness], "speed": host.speed, "heard": host.last_request, "copies": row.jobs,
        "valid_in_row": host.valid_in_row, "passed": host.passed,
        "blacklisted": wording.sentence(host.reason) if host.blacklisted else None,
        "quota_left": quota.left(now), "quota": host.quota, "credit": host.credit,
    }


def _states(look: Transaction, copies: Sequence[_Copy]) -> Dict[str, int]:
    """How many units are in each state. What is over is known from sums, what is not from small indices."""
    made, accepted, failed = look.row("select units, accepted, failed from project where id = 1") or (0, 0, 0)
    to_compare = look.value("select count(*) from unit where need_validate = 1 and canonical = 0")
    to_assimilate = look.value(f"select count(*) from unit where assimilate_state = {v.ASSIMILATE_READY} "
                               "and canonical <> 0")
    under_way = len({copy.unit for copy in copies if not copy.decided})
    waiting = made - accepted - failed - to_compare - under_way
    return {wording.WAITING: max(0, waiting), wording.UNDER_WAY: under_way, wording.TO_COMPARE: to_compare,
            wording.ACCEPTED: to_assimilate, wording.ASSIMILATED: max(0, accepted - to_assimilate),
            wording.FAILED: failed}


def _window(copies: Sequence[_Copy], summary: Any, now: float) -> Dict[str, Any]:
    """What is out: how far the project is from having everything in order."""
    if not copies:
        return {"jobs": 0, "duplicates": 0, "bytes": 0.0, "oldest": None, "newest": None, "seconds": None}
    units = [copy.unit for copy in copies]
    return {"jobs": summary.window, "duplicates": summary.duplicates, "bytes": summary.window_bytes,
            "oldest": min(units), "newest": max(units), "seconds": max(0.0, now - min(copy.sent for copy in copies))}


def _latest(look: Transaction) -> List[Dict[str, Any]]:
    """What happened last, but for what says nothing: that a time was set, or that files went."""
    newest = look.value("select max(id) from history") or 0
    rows = look.rows("select id, time, unit, event, changes from history where id > ? and event not in "
                     f"('inputs_deleted', 'outputs_deleted') order by id desc limit {4 * MOST_CHANGES}",
                     (newest - CHANGES_READ,))
    found: List[Dict[str, Any]] = []
    for number, moment, unit, event, text in rows:
        changes = wording.telling(wording.changes_of(text))
        if changes and len(found) < MOST_CHANGES:
            found.append({"id": number, "time": moment, "unit": unit, "what": wording.event_text(event),
                          "reasons": wording.reasons_of(changes)[:2]})
    return found


def _person(look: Transaction) -> Dict[str, Any]:
    """What has failed: what has stopped altogether, how many units wait for a person, of which some are named, and how
    many are tried again."""
    waiting = []
    for name, where in trouble.WAITS.values():
        condition = f"from unit where {where} and {name}_time > {v.MAX_TIME:.0f}"
        count = look.value(f"select count(*) {condition}")
        if count:
            waiting.append({"what": name, "count": count, "units": [number for number, in look.rows(
                f"select id {condition} order by id limit {MOST_NAMED}")]})
    retried = sum(look.value(f"select count(*) from unit where {where} and {name}_failures > 0 and "
                             f"{name}_time <= {v.MAX_TIME:.0f}") for name, where in trouble.WAITS.values())
    condition = f"from trouble where {trouble.IS_UNIT} and until > {v.MAX_TIME:.0f}"
    count = look.value(f"select count(*) {condition}")
    if count:
        rows = look.rows(f"select name, error {condition} order by since, name limit {MOST_NAMED}")
        waiting.append({"what": "make", "count": count, "units": [int(name.split()[1]) for name, _ in rows],
                        "error": rows[0][1]})
    retried += look.value(f"select count(*) from trouble where {trouble.IS_UNIT}") - count
    return {"stopped": trouble.rows(look), "waiting": waiting, "retried": retried}


class Observer:
    """Looks at a project. One look at a time."""

    def __init__(self, name: str, canvas: Optional[Canvas] = None) -> None:
        """canvas: the picture that the project makes; None if it makes none."""
        self._name = name
        self._canvas = canvas
        self._rates = Rates()

    def look(self, look: Transaction, now: float) -> Dict[str, Any]:
        """Everything that the page shows, as JSON can have it."""
        hosts, copies = _hosts(look, now), _copies(look)
        summary, rows = _survey(hosts, copies, now)
        power = sum(host.speed for host, row in zip(hosts, rows) if row.liveness == v.LIVENESS_ACTIVE)
        known = look.value("select count(*) from host")
        valid, credit = look.row("select valid, credit from project where id = 1") or (0, 0.0)
        unsent = look.value(f"select count(*) from result where server_state = {v.RESULT_UNSENT}")
        states = _states(look, copies)
        self._rates.read(look, now)
        found = {
            "project": {"name": self._name, "units": sum(states.values()), "valid": valid, "credit": credit},
            "time": now,
            "pool": {"active": summary.active, "talking": summary.talking, "silent": summary.dead + summary.silent,
                     "blacklisted": summary.blacklisted, "gone": known - len(hosts), "power": power},
            "units": states,
            "copies": {"unsent": unsent, "in_progress": len(copies)},
            "window": _window(copies, summary, now),
            "throughput": self._rates.throughput(now),
            "turnaround": self._rates.turnaround(),
            "hosts": {"rows": [_host_row(host, row, now) for host, row in zip(hosts[:MOST_HOSTS], rows)],
                      "more": known - min(len(hosts), MOST_HOSTS)},
            "changes": _latest(look),
            "person": _person(look),
        }
        if self._canvas is not None:
            found["picture"] = _picture(self._canvas, copies)
        return found


def _picture(canvas: Canvas, copies: Sequence[_Copy]) -> Dict[str, Any]:
    picture = canvas.picture
    tiles = canvas.tiles()
    running = sorted({copy.unit - 1 for copy in copies})
    return {"place": picture.place, "width": picture.width, "height": picture.height, "tile": picture.tile,
            "scale": canvas.scale, "tiles": "".join(str(what) for what in tiles),
            "running": [tile for tile in running if 0 <= tile < len(tiles) and tiles[tile] == MISSING]}
