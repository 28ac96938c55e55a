# SPDX-License-Identifier: MIT
"""What the project's own code fails at: one bad file costs its own result alone, and a fault of the code nobody."""

from __future__ import annotations

import json
import logging
import os
import time
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional

import pytest

import postgresql
from countdown import Countdown, right
from running import BUILD, program

pytestmark = pytest.mark.skipif(not BUILD, reason="VCSCHED_BUILD names no build")

load = pytest.importorskip("load")
from server import accounts, daemons, scheduler  # noqa: E402
from server.project import Config, Project, create  # noqa: E402
from server.storage import Unavailable  # noqa: E402
from server.work import NewUnit, Output, Passing  # noqa: E402
from status.snapshot import Observer  # noqa: E402
from status.story import story  # noqa: E402
import vcsched as v  # noqa: E402

UNITS = int(os.environ.get("GRID_TEST_UNITS", "1000"))
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

    def __init__(self, folder: Path, hosts: int = 2, database: str = "sqlite:database", units: int = 20,
                 settings: Optional[Dict[str, Any]] = None, **options: Any) -> None:
        folder.mkdir()
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


@pytest.fixture(name="databases", scope="module")
def _databases() -> Any:
    """URLs of empty databases."""
    if not postgresql.installed():
        yield {"sqlite": "sqlite:database"}
        return
    with postgresql.Cluster() as cluster:
        yield {"sqlite": "sqlite:database", "postgresql": cluster.url}


def test_one_bad_file_of_twenty_units(tmp_path: Path) -> None:
    small = Small(tmp_path / "a")
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


def test_a_host_that_returns_nothing_but_rubbish_stops_nobody(tmp_path: Path) -> None:
    small = Small(tmp_path / "a", hosts=3, units=40)
    small.passes(("generate",))
    for _ in range(3):
        small.work(lambda unit, host: "rubbish" if host == 1 else right(unit))
        small.passes()
    assert small.value("select count(*) from unit where canonical <> 0") == 40
    assert small.seen()["stopped"] == []


def test_a_fault_of_the_code_costs_nobody_credit(tmp_path: Path) -> None:
    small = Small(tmp_path / "a", units=60, settings={"retry_delay": 3600.0, "longest_retry_delay": 3600.0})
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
    assert daemons.retry(small.project) == 60
    small.passes()
    assert small.value("select count(*) from unit where canonical <> 0") == 60
    assert small.seen()["stopped"] == []

    # Later it breaks again: a result that was judged before tells, and the first bad one is held already.
    small = Small(tmp_path / "b", units=4, settings={"retry_delay": 3600.0, "longest_retry_delay": 3600.0})
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


def test_what_fails_too_often_waits_for_a_person(tmp_path: Path) -> None:
    small = Small(tmp_path / "a", settings={"max_failures": 3})
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
    assert daemons.retry(small.project) == 2
    small.passes()
    assert small.assimilated() == {unit: 1 for unit in range(1, 21)}


def test_a_unit_that_cannot_be_made_holds_up_no_other(tmp_path: Path) -> None:
    small = Small(tmp_path / "a", settings={"max_failures": 3})

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
    assert daemons.retry(small.project) == 3
    assert [unit for unit, in small.rows("select id from unit order by id")] == list(range(1, 21))
    assert small.seen() == {"stopped": [], "waiting": [], "retried": 0}


def test_a_unit_is_made_when_its_fault_has_passed(tmp_path: Path) -> None:
    small = Small(tmp_path / "a")
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


def test_a_generator_that_fails_altogether_stops_nothing_else(tmp_path: Path) -> None:
    small = Small(tmp_path / "a", settings={"retry_delay": 3600.0, "longest_retry_delay": 3600.0, "unsent": 5})
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
    daemons.retry(small.project)
    small.passes()
    assert small.value("select last from generator") == 10 and small.seen()["stopped"] == []


def test_files_that_cannot_be_deleted_hold_up_no_others(tmp_path: Path) -> None:
    small = Small(tmp_path / "a", units=40, settings={"max_failures": 3})
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
    assert daemons.retry(small.project) == len(stuck)
    small.passes()
    assert small.value("select count(*) from unit where finished is not null") == 40
    assert [path for path in small.project.upload.rglob("*") if path.is_file()] == []
    assert small.seen() == {"stopped": [], "waiting": [], "retried": 0}


def test_assimilation_stops_where_everything_fails(tmp_path: Path) -> None:
    small = Small(tmp_path / "a", units=60, settings={"retry_delay": 3600.0, "longest_retry_delay": 3600.0})
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
    daemons.retry(small.project)
    small.passes()
    assert small.assimilated() == {unit: 1 for unit in range(1, 61)}


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_many_results_many_of_them_bad(tmp_path: Path, databases: Dict[str, str], kind: str) -> None:
    if kind not in databases:
        pytest.skip(postgresql.WHY_NOT)
    units = UNITS // 2 if kind == "postgresql" else UNITS
    small = Small(tmp_path / "a", hosts=6, units=units, database=databases[kind])
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
