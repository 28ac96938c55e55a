# SPDX-License-Identifier: MIT
"""What the project's own code fails at: one bad file costs its own result alone, and a fault of the code nobody. With
both kinds of database."""

from __future__ import annotations

import json
import logging
import os
import threading
import time
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

import pytest

import postgresql
from countdown import Countdown, right
from running import BUILD, program

pytestmark = pytest.mark.skipif(not BUILD, reason="VCSCHED_BUILD names no build")

load = pytest.importorskip("load")
from server import accounts, daemons, scheduler  # noqa: E402
from server.__main__ import main  # noqa: E402
from server.project import Config, Project, create  # noqa: E402
from server.storage import Unavailable  # noqa: E402
from server.work import NewUnit, Output, Passing  # noqa: E402
from status.snapshot import Observer  # noqa: E402
from status.story import story  # noqa: E402
import vcsched as v  # noqa: E402

UNITS = int(os.environ.get("GRID_TEST_UNITS", "600"))
"""Of two results each, and a further one for each that is bad. 4600 are 10,000 results."""


class Numbers(Countdown):
    """Compares answers as numbers. A file that holds none makes float() raise ValueError; and what a test wants to
    happen besides."""

    fault: Optional[Callable[[str, int], None]] = None

    def classify(self, number: int, outputs: List[Output]) -> List[int]:
        if Numbers.fault is not None:
            Numbers.fault("classify", number)
        values = [float(output.files[0].read_text()) for output in outputs]
        return [next(i for i, other in enumerate(values) if abs(other - x) < 1e-6) for x in values]

    def assimilate(self, number: int, output: Optional[Output], transaction: Any) -> None:
        super().assimilate(number, output, transaction)
        if Numbers.fault is not None:
            Numbers.fault("assimilate", number)

    def generate(self, first: int, most: int) -> List[NewUnit]:
        if Numbers.fault is not None:
            for number in range(first, first + most):
                Numbers.fault("generate", number)
        return super().generate(first, most)


class InProcess:
    """A connection to a server that is in this process."""

    def __init__(self, project: Project) -> None:
        self._project = project

    def post(self, _path: str, body: bytes) -> Any:
        return 200, scheduler.handle(self._project, body)

    def close(self) -> None:
        """Nothing is open."""


class Small:
    """A project with some hosts, and its daemons, all in this process."""

    def __init__(self, folder: Path, kind: str, database: str, hosts: int = 2, units: int = 20,
                 settings: Optional[Dict[str, Any]] = None, **options: Any) -> None:
        folder.mkdir()
        self.kind = kind
        self.project = create(folder / "project", Config(
            work="test_bad_uploads:Numbers", database=database, quota=1000000, tasks_per_cpu=100000,
            tasks_per_reply=100000, request_delay=0.0, purge_delay=1e9,
            options={"program": program(folder, "worker", "#!/bin/sh\n"), "units": units, **options},
            **{"unsent": 100000, "retry_delay": 0.001, "longest_retry_delay": 0.01, **(settings or {})}))
        self.hosts = []
        for number in range(hosts):
            key = accounts.add_user(self.project, f"u{number}", f"u{number}@example.org", "pebble")
            self.hosts.append(load.Host("http://127.0.0.1:1/", key, f"h{number}"))
            self.hosts[-1].connection = InProcess(self.project)

    def passes(self, names: Any = tuple(daemons.DAEMONS), most: int = 100000) -> int:
        """Passes until there is nothing to do. Returns how many."""
        for count in range(most):
            if not daemons.pass_over(self.project, names, daemons.Share()):
                return count
        raise AssertionError(f"the daemons never sleep: {self.rows('select name, error from trouble')}")

    def settle(self, done: Callable[[], Any]) -> None:
        """Passes until something is so; what is to be tried again is, soon."""
        last = time.monotonic() + 60
        while not done():
            self.passes()
            time.sleep(0.005)
            assert time.monotonic() < last, self.rows("select name, error from trouble")

    def work(self, answer: Callable[[int, int], str]) -> int:
        """Each host takes all that it gets, and returns what `answer` says of unit and host. Returns how many."""
        count = 0
        for index, host in enumerate(self.hosts):
            tasks = host.talk(seconds=1e12, instances=100000).tasks
            for task in tasks:
                path = self.project.upload_path(task.output)
                path.write_text(answer(int(task.unit.split("_")[1]), index))
            host.talk(reports=tuple(load.Report(task.name) for task in tasks))
            count += len(tasks)
        return count

    def retry(self) -> int:
        """What the command does, in a process of its own."""
        return daemons.retry(Project(str(self.project.folder)))

    def rows(self, sql: str) -> List[Any]:
        with self.project.store.snapshot() as look:
            return look.rows(sql)

    def value(self, sql: str) -> Any:
        return self.rows(sql)[0][0]

    def assimilated(self) -> Dict[int, int]:
        """How often each unit was taken over."""
        found: Dict[int, int] = {}
        try:
            rows = self.rows("select unit from assimilated")
        except Unavailable:  # there is no such table yet
            rows = []
        for unit, in rows:
            found[unit] = found.get(unit, 0) + 1
        return found

    def seen(self) -> Dict[str, Any]:
        """What the status page shows of what a person has to see to."""
        with self.project.store.snapshot() as look:
            return Observer("x").look(look, time.time())["person"]

    def text(self, unit: int) -> Dict[str, Any]:
        """The story of a unit."""
        with self.project.store.snapshot() as look:
            found = story(look, unit, time.time())
        assert found is not None
        return found


@pytest.fixture(autouse=True)
def quiet(caplog: Any) -> Any:
    """No fault is left to the next test."""
    caplog.set_level(logging.CRITICAL)
    yield
    Numbers.fault = None


@pytest.fixture(name="cluster", scope="module")
def _cluster() -> Iterator[Any]:
    if not postgresql.installed():
        pytest.skip(postgresql.WHY_NOT)
    with postgresql.Cluster() as cluster:
        yield cluster


@pytest.fixture(name="make", params=["SQLite", "PostgreSQL"])
def _make(request: Any, tmp_path: Path) -> Iterator[Callable[..., Small]]:
    """Makes a project with an empty database of one kind."""
    made: List[Small] = []

    def close() -> None:
        for small in made:
            if small.kind == "PostgreSQL":
                with small.project.store.transaction("end") as transaction:
                    transaction.run("drop schema public cascade")
                    transaction.run("create schema public")
            small.project.store.close()
        made.clear()

    def make(**options: Any) -> Small:
        close()
        url = "sqlite:database" if request.param == "SQLite" else request.getfixturevalue("cluster").url
        made.append(Small(tmp_path / f"{time.monotonic_ns()}", request.param, url, **options))
        return made[0]

    yield make
    close()


def test_one_bad_file_of_twenty_units(make: Callable[..., Small]) -> None:
    small = make()
    small.passes(("generate",))
    assert small.work(lambda unit, host: "no number\n" if (unit, host) == (1, 1) else right(unit)) == 40
    small.passes()
    assert small.value("select count(*) from unit where canonical <> 0") == 19
    assert small.value("select count(*) from result where validate_state = 2 and outcome = 1") == 1
    assert small.value("select granted from result where validate_state = 2") == 0
    [(changes,)] = small.rows("select changes from history where unit = 1 and event = 'validate'")
    told = [change[2] for change in json.loads(changes) if change[1] == "error"]
    assert told == ["ValueError: could not convert string to float: 'no number\\n'"]
    assert small.value("select count(*) from result where unit = 1") == 3  # another copy
    assert small.seen() == {"stopped": [], "waiting": [], "retried": 0}


def test_a_host_that_returns_nothing_but_rubbish_stops_nobody(make: Callable[..., Small]) -> None:
    small = make(hosts=3, units=40)
    small.passes(("generate",))
    for _ in range(3):
        small.work(lambda unit, host: "rubbish" if host == 1 else right(unit))
        small.passes()
    assert small.value("select count(*) from unit where canonical <> 0") == 40
    assert small.seen()["stopped"] == []


def test_a_fault_of_the_code_costs_nobody_credit(make: Callable[..., Small]) -> None:
    small = make(units=60, settings={"retry_delay": 3600.0, "longest_retry_delay": 3600.0})
    small.passes(("generate",))

    def broken(what: str, _number: int) -> None:
        if what == "classify":
            raise KeyError("parameters")

    Numbers.fault = broken
    small.work(lambda unit, _host: right(unit))
    small.passes()
    assert small.value("select count(*) from result where validate_state <> 0") == 0
    assert small.value("select max(compare_failures) from unit") == 0
    [stopped] = small.seen()["stopped"]
    assert stopped["name"] == "validate" and "KeyError" in stopped["error"]
    assert small.passes() == 0  # asleep
    Numbers.fault = None
    assert small.retry() == 60
    small.passes()
    assert small.value("select count(*) from unit where canonical <> 0") == 60
    assert small.seen()["stopped"] == []

    # Later it breaks again: a result that was judged before tells, and the first bad one is held already.
    small = make(units=4, settings={"retry_delay": 3600.0, "longest_retry_delay": 3600.0})
    small.passes(("generate",))
    small.work(lambda unit, _host: right(unit))
    small.passes(("validate",))
    Numbers.fault = broken
    with small.project.store.transaction("test") as transaction:
        transaction.run("update unit set canonical = 0, assimilate_state = 0, need_validate = 1 where id = 2")
        transaction.run("update result set validate_state = 0, credited = 0, granted = 0 where unit = 2")
    small.passes(("validate",))
    assert small.value("select count(*) from result where validate_state = 2") == 0
    assert "judged before" in small.seen()["stopped"][0]["error"]


def test_what_fails_too_often_waits_for_a_person(make: Callable[..., Small]) -> None:
    small = make(settings={"max_failures": 3})
    small.passes(("generate",))

    def fails(what: str, number: int) -> None:
        if (what, number) == ("assimilate", 7):
            raise RuntimeError("no room for \0 7")
        if (what, number) == ("classify", 9):
            raise Passing("the disk is away")

    Numbers.fault = fails
    small.work(lambda unit, _host: right(unit))
    small.settle(lambda: small.value("select count(*) from unit where compare_time > 1e15 or assimilate_time > 1e15")
                 == 2)
    assert small.assimilated() == {unit: 1 for unit in range(1, 21) if unit not in (7, 9)}
    assert small.seen() == {"stopped": [], "retried": 0, "waiting": [
        {"what": "compare", "count": 1, "units": [9]}, {"what": "assimilate", "count": 1, "units": [7]}]}
    assert small.text(7)["text"].endswith("failed to take it over, 3 times: it waits for a person.")
    assert small.text(9)["text"].endswith("failed to compare them, 3 times: it waits for a person.")
    assert small.passes() == 0
    Numbers.fault = None
    assert small.retry() == 2
    small.passes()
    assert small.assimilated() == {unit: 1 for unit in range(1, 21)}


def test_the_daemon_sleeps_while_there_is_nothing_to_do(make: Callable[..., Small]) -> None:
    small = make(units=120, settings={"retry_delay": 3600.0, "longest_retry_delay": 3600.0})
    small.passes(("generate",))
    calls = []

    def away(what: str, number: int) -> None:
        if what != "generate":  # which is asked in each pass whether there is more
            calls.append((what, number))
        if what == "classify" and number % 2 == 0:
            raise OSError("the disk is away")

    class Told(threading.Event):
        """Is told to stop when it has slept three times."""

        sleeps: List[Tuple[Optional[float], int]] = []

        def wait(self, timeout: Optional[float] = None) -> bool:
            self.sleeps.append((timeout, len(calls)))
            if len(self.sleeps) == 3:
                self.set()
            return self.is_set()

    Numbers.fault = away
    small.work(lambda unit, _host: right(unit))
    stop = Told()
    daemons.run(small.project, tuple(daemons.DAEMONS), daemons.Share(), stop)
    # All is done before it sleeps for the first time; then it looks, finds nothing, and sleeps again.
    assert stop.sleeps == [(daemons.IDLE, len(calls))] * 3
    assert small.assimilated() == {unit: 1 for unit in range(1, 121, 2)}
    assert small.seen() == {"stopped": [], "waiting": [], "retried": 60}
    # Each of the 60 was tried once: all its results together, then each alone.
    assert calls.count(("classify", 2)) == 3
    Numbers.fault = None
    assert small.retry() == 60
    small.passes()
    assert small.assimilated() == {unit: 1 for unit in range(1, 121)}


def test_a_disk_that_is_away_stops_judging_and_counts_against_no_unit(make: Callable[..., Small]) -> None:
    small = make(units=60, hosts=3, settings={"max_failures": 2, "retry_delay": 0.01, "longest_retry_delay": 0.05})
    small.passes(("generate",))

    def away(what: str, _number: int) -> None:
        if what == "classify":
            raise OSError("the disk is away")

    Numbers.fault = away
    small.work(lambda unit, _host: right(unit))
    while not small.seen()["stopped"] or small.seen()["stopped"][0]["failures"] < 4:
        daemons.pass_over(small.project, tuple(daemons.DAEMONS), daemons.Share())
    [stopped] = small.seen()["stopped"]
    assert stopped["name"] == "validate" and "the disk is away" in stopped["error"]
    assert small.value("select max(compare_failures) from unit") == 0 and small.seen()["waiting"] == []
    Numbers.fault = None
    small.project.store.close()
    small.project = Project(str(small.project.folder))  # the server was stopped, and is started again
    small.settle(lambda: len(small.assimilated()) == 60)
    assert small.seen() == {"stopped": [], "waiting": [], "retried": 0}


def test_a_unit_with_contradicting_records_holds_up_no_other(make: Callable[..., Small]) -> None:
    small = make(settings={"retry_delay": 3600.0, "longest_retry_delay": 3600.0})
    small.passes(("generate",))
    small.work(lambda unit, _host: right(unit))
    with small.project.store.transaction("test") as transaction:
        transaction.run("update unit set min_quorum = 0 where id = 3")  # which no unit has
        transaction.run("update unit set transition_time = 0 where id in (3, 4)")
    small.passes()
    assert small.assimilated() == {unit: 1 for unit in range(1, 21) if unit != 3}
    with small.project.store.transaction("test") as transaction:
        transaction.run("update unit set min_quorum = 2, compare_time = 0, transition_time = 0 where id = 3")
    small.passes()
    assert small.assimilated() == {unit: 1 for unit in range(1, 21)}


def test_once_says_what_waits_and_ends(make: Callable[..., Small], capsys: Any) -> None:
    small = make(settings={"retry_delay": 1800.0, "longest_retry_delay": 1800.0, "max_failures": 2})
    small.passes(("generate",))

    def fails(what: str, number: int) -> None:
        if (what, number) in (("assimilate", 7), ("classify", 9), ("classify", 11)):
            raise OSError("the disk is away")

    def once() -> List[str]:
        main(["daemon", str(small.project.folder), "--once"])
        return list(capsys.readouterr().out.splitlines())

    Numbers.fault = fails
    assert once() == []
    small.work(lambda unit, _host: right(unit))
    began = time.time()
    compare, assimilate = once()
    for line, expected in (compare, "2 units wait to be compared"), (assimilate, "1 unit waits to be taken over"):
        said, until = line.split(", the first until ")
        assert said == expected
        # The first delay is drawn between half of the least and all of it, and is told in whole seconds.
        assert 0 < time.mktime(time.strptime(until, "%Y-%m-%d %H:%M:%S")) - began <= 1800 + 60
    with small.project.store.transaction("test") as transaction:
        transaction.run("update unit set compare_time = 0")
    again = once()
    assert again[0] == "2 units wait for a person, to be compared" and again[1:] == [assimilate]
    Numbers.fault = None
    assert small.retry() == 3
    small.passes(("validate",))

    def full(what: str, _number: int) -> None:
        if what == "generate":
            raise OSError("no space left")

    Numbers.fault = full
    [stopped] = once()
    assert stopped.startswith("generate has stopped, and is tried again at ")
    assert stopped.endswith(": units 21 to 30: OSError: no space left")


def test_a_unit_that_cannot_be_made_holds_up_no_other(make: Callable[..., Small]) -> None:
    small = make(settings={"max_failures": 3})

    def fails(what: str, number: int) -> None:
        if what == "generate" and number in (5, 6, 20):
            raise RuntimeError(f"no input for {number}")

    Numbers.fault = fails
    assert daemons.pass_over(small.project, ("generate",), daemons.Share()) > 0
    made = [unit for unit in range(1, 20) if unit not in (5, 6)]
    assert [unit for unit, in small.rows("select id from unit order by id")] == made
    assert small.value("select last from generator") == 20
    assert small.seen() == {"stopped": [], "waiting": [], "retried": 3}
    small.settle(lambda: small.seen()["retried"] == 0)
    assert small.seen() == {"stopped": [], "retried": 0, "waiting": [
        {"what": "make", "count": 3, "units": [5, 6, 20], "error": "RuntimeError: no input for 5"}]}
    assert small.passes() == 0
    Numbers.fault = None
    assert small.retry() == 3
    assert [unit for unit, in small.rows("select id from unit order by id")] == list(range(1, 21))
    assert small.seen() == {"stopped": [], "waiting": [], "retried": 0}


def test_a_unit_is_made_when_its_fault_has_passed(make: Callable[..., Small]) -> None:
    small = make()
    tries = []

    def fails(what: str, number: int) -> None:
        if (what, number) == ("generate", 5):
            tries.append(time.time())
            if len(tries) < 7:
                raise OSError("the disk is away for a moment")

    Numbers.fault = fails
    small.settle(lambda: small.value("select count(*) from unit") == 20)
    assert len(tries) == 7  # the first two of them in one pass
    assert small.seen() == {"stopped": [], "waiting": [], "retried": 0}


def test_a_generator_that_fails_altogether_stops_nothing_else(make: Callable[..., Small]) -> None:
    small = make(settings={"retry_delay": 3600.0, "longest_retry_delay": 3600.0, "unsent": 5})
    small.passes(("generate",))
    calls = []

    def broken(what: str, number: int) -> None:
        if what == "generate":
            calls.append(number)
            raise KeyError("parameters")

    Numbers.fault = broken
    small.work(lambda unit, _host: right(unit))
    small.passes()
    assert small.assimilated() == {unit: 1 for unit in range(1, 6)}
    assert calls == [6, *range(6, 16)]
    [stopped] = small.seen()["stopped"]
    assert (stopped["name"], stopped["error"]) == ("generate", "units 6 to 15: KeyError: 'parameters'")
    assert small.value("select last from generator") == 5 and small.passes() == 0
    Numbers.fault = None
    small.retry()
    small.passes()
    assert small.value("select last from generator") == 10 and small.seen()["stopped"] == []


def test_one_server_at_a_time_makes_units(make: Callable[..., Small]) -> None:
    small = make(settings={"unsent": 5})
    others = []

    def another(_what: str, number: int) -> None:
        if number == 1:
            others.append(daemons.pass_over(Project(str(small.project.folder)), ("generate",), daemons.Share()))

    Numbers.fault = another
    small.passes(("generate",))
    assert others == [0] and small.value("select last from generator") == 5


def test_files_that_cannot_be_deleted_hold_up_no_others(make: Callable[..., Small]) -> None:
    small = make(units=40, settings={"max_failures": 3})
    small.passes(("generate",))
    small.work(lambda unit, _host: right(unit))
    small.passes(("validate", "assimilate"))
    stuck = range(3, 40, 3)

    def replace(unit: int, by_folder: bool) -> None:
        """A folder in the place of an output file cannot be deleted like a file, not even by root."""
        path = small.project.upload_path(f"squares_{unit}_2_out0")
        path.mkdir() if by_folder else path.rmdir()

    for unit in stuck:
        small.project.upload_path(f"squares_{unit}_2_out0").unlink()
        replace(unit, True)
    assert daemons.pass_over(small.project, ("delete",), daemons.Share()) > 0
    assert small.seen() == {"stopped": [], "waiting": [], "retried": len(stuck)}
    small.settle(lambda: small.seen()["retried"] == 0)
    assert small.seen()["stopped"] == []
    assert small.value("select count(*) from unit where finished is not null") == 40 - len(stuck)
    assert small.seen()["waiting"] == [{"what": "delete", "count": len(stuck), "units": list(stuck)[:5]}]
    assert small.text(3)["text"] == "It is over, but its files could not be deleted, 3 times: it waits for a person."
    assert small.passes() == 0
    for unit in stuck:
        replace(unit, False)
    assert small.retry() == len(stuck)
    small.passes()
    assert small.value("select count(*) from unit where finished is not null") == 40
    assert [path for path in small.project.upload.rglob("*") if path.is_file()] == []
    assert small.seen() == {"stopped": [], "waiting": [], "retried": 0}


def test_assimilation_stops_where_everything_fails(make: Callable[..., Small]) -> None:
    small = make(units=60, settings={"retry_delay": 3600.0, "longest_retry_delay": 3600.0})
    small.passes(("generate",))
    calls = []

    def full(what: str, number: int) -> None:
        if what == "assimilate":
            calls.append(number)
            raise OSError(28, "No space left on device")

    Numbers.fault = full
    small.work(lambda unit, _host: right(unit))
    small.passes()
    assert len(calls) == 10
    [stopped] = small.seen()["stopped"]
    assert stopped["name"] == "assimilate" and "No space left" in stopped["error"]
    Numbers.fault = None
    small.retry()
    small.passes()
    assert small.assimilated() == {unit: 1 for unit in range(1, 61)}


def test_many_results_many_of_them_bad(make: Callable[..., Small], request: Any) -> None:
    # PostgreSQL, which answers each question by itself, takes four times as long.
    units = UNITS if "SQLite" in request.node.name else UNITS // 4
    small = make(hosts=6, units=units)
    small.passes(("generate",))
    seen = set()

    def faults(what: str, number: int) -> None:
        if what == "assimilate" and number % 50 == 3:
            raise RuntimeError("cannot be taken over")
        if what == "classify" and number % 20 == 7 and number not in seen:
            seen.add(number)
            raise OSError("the disk is away for a moment")

    Numbers.fault = faults
    results = 0
    for _ in range(3):
        results += small.work(lambda unit, host: "rubbish" if (unit * 7 + host * 3) % 10 == 1 else right(unit))
        small.passes()
    expected = {unit: 1 for unit in range(1, units + 1) if unit % 50 != 3}
    small.settle(lambda: len(small.assimilated()) >= len(expected) and small.value(
        "select count(*) from unit where assimilate_state = 1 and assimilate_time < 1e15") == 0)
    assert small.assimilated() == expected
    assert results >= 2.17 * units
    assert small.passes() == 0
    [waiting] = small.seen()["waiting"]
    assert waiting["what"] == "assimilate" and waiting["count"] == units // 50
