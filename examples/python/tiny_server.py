#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The smallest server that keeps its promises: units in a database, and every decision the library's.

    tiny_server.py [DATABASE]

Seven hosts square twelve numbers, each until two results agree. One host lies, one sends what nobody can read, and one
never answers. Printed is what became of each unit and each host, and why. The database stays in memory unless a file is
named. doc/server.md explains it.
"""

import sqlite3
import sys
from contextlib import contextmanager

import vcsched as v

HOUR = 3600.0
DAY = 24 * HOUR
UNITS = 12
HOSTS = {1: "honest", 2: "honest", 3: "liar", 4: "honest", 5: "silent", 6: "honest", 7: "garbled"}
COMPUTER = {"cpus": 2, "flops": 1e9, "usable": 1.0, "min_buffer": HOUR}
"""What a host says of itself when it asks for work."""


class Stopped(Exception):
    """The project's own code fails at nearly everything: a person has to see to it."""


class Evidence:
    """Whether work on a unit failed because of the unit, or because nearly all work fails."""

    LAST, LEAST, NEARLY_ALL = 20, 4, 0.8

    def __init__(self):
        self.has_failed = {}

    def note(self, who, has_failed):
        """Each host counts once, so that no single one can stop the project."""
        self.has_failed.pop(who, None)
        self.has_failed[who] = has_failed
        if len(self.has_failed) > self.LAST:
            del self.has_failed[next(iter(self.has_failed))]

    def is_against_us(self):
        return sum(self.has_failed.values()) >= self.NEARLY_ALL * len(self.has_failed)

    def check(self, work, error):
        if len(self.has_failed) >= self.LEAST and self.is_against_us():
            raise Stopped(f"{work} fails for {sum(self.has_failed.values())} of the last {len(self.has_failed)}, "
                          f"so it has stopped; the last error: {error!r}") from error


class Server:
    """Units, results and hosts in tables that have a column for each field.

    classify   the class of an answer: equal answers have equal numbers. It may raise anything; an OSError passes
    handle     what the project does with the number of a finished unit and its answer, or None. It may raise, too
    """

    def __init__(self, path, classify=int, handle=lambda unit, answer: None):
        self.classify, self.handle = classify, handle
        self.compared, self.handled = Evidence(), Evidence()
        self.database = sqlite3.connect(path, isolation_level=None)
        for table, kind, more in ("unit", v.Unit, ""), ("result", v.Result, ", unit, answer"), \
                ("trust", v.Trust, ""), ("quota", v.Quota, ""):
            self.database.execute(f"CREATE TABLE {table} ({', '.join(kind.fields)}{more}, PRIMARY KEY (id))")
        self.database.execute("CREATE TABLE history (time, unit, result, field, value, reason)")
        self.database.execute("CREATE TABLE trouble (time, unit, result, error)")
        self.database.execute("CREATE INDEX due ON unit (transition_time)")
        self.database.execute("CREATE INDEX copies ON result (unit)")
        self.database.execute("CREATE INDEX unsent ON result (id) WHERE server_state = 1")

    # ---- Records and rows ----

    def insert(self, table, record, **more):
        row = {**record.asdict(), **more}
        self.database.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})",
                              [*row.values()])

    def select(self, table, kind, condition, *values):
        rows = self.database.execute(f"SELECT {', '.join(kind.fields)} FROM {table} WHERE {condition}", values)
        return [kind(**dict(zip(kind.fields, row))) for row in rows]

    def update(self, table, record):
        row = record.asdict()
        self.database.execute(f"UPDATE {table} SET {', '.join(f'{name} = ?' for name in row)} WHERE id = ?",
                              [*row.values(), record.id])

    def load(self, unit_id):
        [unit] = self.select("unit", v.Unit, "id = ?", unit_id)
        return unit, self.select("result", v.Result, "unit = ? ORDER BY id", unit_id)

    @contextmanager
    def transaction(self):
        self.database.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self.database.execute("ROLLBACK")
            raise
        self.database.execute("COMMIT")

    # ---- What happens to a unit, always within a transaction ----

    def happens(self, unit, results, now, event):
        """An event, and what it makes due."""
        self.apply(unit, results, now, unit.handle_event(results, event, now))
        self.apply(unit, results, now, unit.transition(results, now))

    def apply(self, unit, results, now, changes):
        """Carries out a list of changes, in the records and in the tables, and keeps it."""
        for change in changes:
            if change.kind == v.CHANGE_CREATE:
                for _ in range(change.value):
                    results.append(v.Result(id=unit.id * 100 + len(results)))
                    self.insert("result", results[-1], unit=unit.id)
                continue
            lesson = change.lesson(results)
            change.apply(unit, results)
            table, record = ("unit", unit) if change.result == v.NONE else ("result", results[change.result])
            self.database.execute(f"UPDATE {table} SET {change.name} = ? WHERE id = ?", [change.value, record.id])
            self.database.execute("INSERT INTO history VALUES (?, ?, ?, ?, ?, ?)",
                                  [now, unit.id, None if record is unit else record.id, change.name, change.value,
                                   change.reason])
            self.learn(lesson)

    def learn(self, lesson):
        """What a change says of the host that has the result."""
        if lesson.flags & v.LESSON_TRUST:
            [trust] = self.select("trust", v.Trust, "id = ?", lesson.host)
            trust.update(lesson.trust, lesson.reason)
            self.update("trust", trust)
        if lesson.flags & v.LESSON_QUOTA:
            [quota] = self.select("quota", v.Quota, "id = ?", lesson.host)
            quota.judge(lesson.valid)
            self.update("quota", quota)

    # ---- What clients want ----

    def create(self, unit, now):
        with self.transaction():
            self.insert("unit", unit)
            self.happens(unit, [], now, v.UnitEvent(kind=v.UNIT_EVENT_CREATED))

    def send(self, host, now, computer, seconds):
        """Returns the results that a host gets, and when it may ask again, s from now."""
        with self.transaction():
            [trust], [quota] = [self.select(table, kind, "id = ?", host)
                                for table, kind in (("trust", v.Trust), ("quota", v.Quota))]
            offered = [self.load(result.id // 100)
                       for result in self.select("result", v.Result, "server_state = 1 ORDER BY id LIMIT 20")]
            state = v.State(
                resources=[v.Resource(instances=computer["cpus"], flops=computer["flops"], usable=computer["usable"])],
                projects=[v.Project(id=0, share=1.0)], now=now,
                candidates=[v.Task(id=number, remaining=HOUR) for number in range(len(offered))],
                parameters=v.Parameters("current", work_send="ws2", min_buffer=computer["min_buffer"]))
            jobs = [v.SendJob(unit=unit.id, latency_bound=unit.delay_bound, flags=has_copy(results, host))
                    for unit, results in offered]
            limits = v.SendLimits(flags=trust.flags & v.BLACKLISTED, quota_left=quota.left(now))
            answer = v.send(state, [v.SendRequest(seconds=seconds)], jobs, limits)
            got = [self.assign(*offer, host, now)
                   for offer, decision in zip(offered, answer.decisions) if decision.sent]
            quota.take(now, len(got))
            self.update("quota", quota)
        delay = v.NextRequest(sent=len(got), late=answer.summary.late, quota_left=quota.left(now)).delay(now, 0.5)
        return got, delay.seconds

    def assign(self, unit, results, host, now):
        index = [result.server_state for result in results].index(v.RESULT_UNSENT)
        self.happens(unit, results, now, v.UnitEvent(kind=v.UNIT_EVENT_SENT, result=index, host=host))
        return results[index].id

    def receive(self, result_id, now, answer):
        """A host reports a result."""
        with self.transaction():
            unit, results = self.load(result_id // 100)
            index = [result.id for result in results].index(result_id)
            self.database.execute("UPDATE result SET answer = ? WHERE id = ?", [answer, result_id])
            self.happens(unit, results, now, v.UnitEvent(kind=v.UNIT_EVENT_RECEIVED, result=index,
                                                         report=v.REPORT_SUCCESS, claimed=HOUR))

    # ---- The daemons ----

    def transition(self, now):
        """Units with something due, such as a deadline."""
        for unit_id, in self.database.execute("SELECT id FROM unit WHERE transition_time <= ?", [now]).fetchall():
            with self.transaction():
                unit, results = self.load(unit_id)
                self.apply(unit, results, now, unit.transition(results, now))

    def due(self, condition, time, now):
        """Units to work on, but for those whose turn comes later, or that wait for a person."""
        return [unit_id for unit_id, in self.database.execute(
            f"SELECT id FROM unit WHERE {condition} AND {time} <= ? ORDER BY {time}", [now]).fetchall()]

    def validate(self, now):
        for unit_id in self.due("need_validate = 1", "compare_time", now):
            with self.transaction():
                unit, results = self.load(unit_id)
                answers = dict(self.database.execute("SELECT id, answer FROM result WHERE unit = ?", [unit_id]))
                classes = [self.class_of(unit, result, answers[result.id], now) for result in results]
                self.apply(unit, results, now, unit.validate(results, classes, now))
                if unit.need_validate:
                    self.try_later(unit, results, now, v.UNIT_WORK_COMPARE, unit.compare_failures)
                self.apply(unit, results, now, unit.transition(results, now))

    def class_of(self, unit, result, answer, now):
        """What a host sends may be anything. So what cannot be read costs that result, and nothing else."""
        if result.outcome != v.OUTCOME_SUCCESS:
            return 0
        try:
            found = self.classify(answer)
            if not isinstance(found, int) or not 0 <= found < v.CLASS_LATER:
                raise ValueError(f"{found!r} is no class")
        except Exception as error:
            self.note(unit, result.id, error, now)
            if isinstance(error, OSError):
                return v.CLASS_LATER
            self.compared.note(result.host, True)
            self.compared.check("comparing", error)
            return v.CLASS_LATER if self.compared.is_against_us() else v.CLASS_FAILED
        self.compared.note(result.host, False)
        return found

    def assimilate(self, now):
        for unit_id in self.due("assimilate_state = 1", "assimilate_time", now):
            try:
                with self.transaction():
                    unit, results = self.load(unit_id)
                    answer = self.database.execute("SELECT answer FROM result WHERE id = ?",
                                                   [unit.canonical]).fetchone()
                    self.handle(unit_id, answer[0] if answer else None)
                    self.happens(unit, results, now, v.UnitEvent(kind=v.UNIT_EVENT_ASSIMILATED))
                self.handled.note(unit_id, False)
            except Exception as error:
                with self.transaction():
                    unit, results = self.load(unit_id)
                    self.note(unit, None, error, now)
                    self.try_later(unit, results, now, v.UNIT_WORK_ASSIMILATE, unit.assimilate_failures)
                self.handled.note(unit_id, True)
                self.handled.check("assimilation", error)

    def try_later(self, unit, results, now, work, failures):
        """After a minute, and twice as long each time; after too many failures, when a person says so."""
        delay = v.backoff(failures, v.BackoffRange(minimum=60.0, maximum=DAY, rule=v.BACKOFF_DOUBLING), 0.999)
        self.happens(unit, results, now, v.UnitEvent(kind=v.UNIT_EVENT_WORK_FAILED, work=work, delay=delay))

    def note(self, unit, result_id, error, now):
        self.database.execute("INSERT INTO trouble VALUES (?, ?, ?, ?)", [now, unit.id, result_id, repr(error)])


def has_copy(results, host):
    return v.SEND_HOST_HAS_COPY if any(result.host == host for result in results) else 0


def run(server):
    """Three days in steps of an hour. A host keeps its results for an hour, but the silent one for ever."""
    for host in HOSTS:
        server.insert("trust", v.Trust(id=host))
        server.insert("quota", v.Quota(id=host, max_quota=8, quota=4))
    for number in range(1, UNITS + 1):
        server.create(v.Unit(id=number, min_quorum=2, target_nresults=2, max_error=4, max_total=8, max_success=6,
                             delay_bound=DAY), 0.0)
    held = {host: [] for host in HOSTS}
    may_ask = dict.fromkeys(HOSTS, 0.0)
    for hour in range(72):
        now = hour * HOUR
        for host, kind in HOSTS.items():
            if kind != "silent":
                for result in held[host]:
                    number = result // 100
                    answer = "\0\0" if kind == "garbled" else number ** 2 + (kind == "liar")
                    server.receive(result, now, answer)
                held[host] = []
            if now >= may_ask[host]:
                got, delay = server.send(host, now, COMPUTER, 2 * HOUR)
                held[host] += got
                may_ask[host] = now + delay
        server.transition(now)
        server.validate(now)
        server.assimilate(now)


def report(server):
    for unit in server.select("unit", v.Unit, "1 ORDER BY id"):
        [answer] = server.database.execute("SELECT answer FROM result WHERE id = ?", [unit.canonical]).fetchone()
        copies = len(server.load(unit.id)[1])
        print(f"unit {unit.id}: {answer}, from {copies} copies, done after {unit.assimilated / HOUR:.0f} h")
    for host, kind in HOSTS.items():
        [trust], [quota] = [server.select(table, record, "id = ?", host)
                            for table, record in (("trust", v.Trust), ("quota", v.Quota))]
        [credit] = server.database.execute("SELECT total(granted) FROM result WHERE host = ?", [host]).fetchone()
        print(f"host {host} ({kind}): {credit / HOUR:.0f} h of credit, {trust.valid_in_row} valid in a row, "
              f"{quota.quota} jobs a day")
    [garbled] = server.database.execute("SELECT count(*) FROM trouble").fetchone()
    [error] = server.database.execute("SELECT error FROM trouble").fetchone()
    print(f"{garbled} answers could not be read, such as: {error}")
    print("\nwhy there is more than one answer to the first question that the liar got:")
    [unit_id] = server.database.execute("SELECT unit FROM result WHERE host = 3 ORDER BY id").fetchone()
    for time, result, field, reason in server.database.execute(
            "SELECT time, result, field, reason FROM history WHERE unit = ? AND field IN ('server_state', "
            "'validate_state', 'target_nresults', 'canonical') ORDER BY rowid", [unit_id]):
        print(f"  {time / HOUR:2.0f} h  {f'result {result}' if result else f'unit {unit_id}':<11} {field:<16} "
              f"{v.reason_sentence(reason)}")


if __name__ == "__main__":
    if len(sys.argv) > 2:
        sys.exit("usage: tiny_server.py [DATABASE]")
    tiny = Server(sys.argv[1] if len(sys.argv) == 2 else ":memory:")
    try:
        run(tiny)
    except Stopped as reason:
        sys.exit(f"tiny_server.py: {reason}")
    report(tiny)
