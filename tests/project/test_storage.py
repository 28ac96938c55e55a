# SPDX-License-Identifier: MIT
"""Both kinds of database: what is written comes back, all of it or nothing; and what a server does without."""

from __future__ import annotations

import os
import resource
import sqlite3
import sys
import threading
from math import inf
from pathlib import Path
from typing import Any, Iterator

import pytest

import postgresql
from countdown import right
from running import BUILD, Grid, package, until

pytestmark = pytest.mark.skipif(not BUILD, reason="VCSCHED_BUILD names no build")

load = pytest.importorskip("load")
if BUILD:
    sys.path.append(str(package()))
    import vcsched as v
    from server.records import names, record, values
    from server.storage import Unavailable, marks, open_store


@pytest.fixture(name="cluster", scope="module")
def fixture_cluster() -> Iterator[Any]:
    if not postgresql.installed():
        pytest.skip(postgresql.WHY_NOT)
    with postgresql.Cluster() as cluster:
        yield cluster


@pytest.fixture(name="url", params=["SQLite", "PostgreSQL"])
def fixture_url(request: Any) -> str:
    return "sqlite:database" if request.param == "SQLite" else request.getfixturevalue("cluster").url


@pytest.fixture(name="store")
def fixture_store(url: str, tmp_path: Path) -> Iterator[Any]:
    store = open_store(url, str(tmp_path))
    store.make_tables()
    store.make_tables()
    yield store
    if not url.startswith("sqlite"):
        with store.transaction("end") as transaction:
            transaction.run("drop schema public cascade")
            transaction.run("create schema public")
    store.close()


def test_a_record_is_a_row(store: Any) -> None:
    unit = v.Unit(id=7, delay_bound=inf, transition_time=-1.5, hr_class=(1 << 63) - 1, min_quorum=2, target_nresults=3,
                  max_total=(1 << 32) - 1)
    columns = {"application": "x", "created": 0.1, "command_line": "", "inputs": "[]", "outputs": "[]", "flops": 1e300,
               "flops_bound": inf, "memory": 5e-324, "disk": 0.0, "output_bytes": 1 << 40}
    with store.transaction("test") as transaction:
        transaction.insert_all("unit", [*names(v.Unit), *columns], [[*values(unit), *columns.values()]])
    with store.snapshot() as look:
        assert record(v.Unit, look.row(f"select {', '.join(names(v.Unit))} from unit where id = ?", (7,))) == unit
        assert look.row(f"select {', '.join(columns)} from unit") == tuple(columns.values())
        assert look.value("select id from unit where transition_time <= ? and id % 2 = 1", (0.0,)) == 7


def test_all_or_nothing(store: Any) -> None:
    with pytest.raises(KeyError):
        with store.transaction("test") as transaction:
            transaction.run("update generator set last = 5 where id = 1")
            raise KeyError("something")
    with store.transaction("test") as transaction:
        assert transaction.value("select last from generator") == 0
        transaction.many("update generator set last = last + ? where id = ?", [(1, 1), (10, 1)])
    with store.snapshot() as look:
        assert look.value("select last from generator") == 11


def test_a_part_is_taken_back_alone(store: Any) -> None:
    with store.transaction("test") as transaction:
        transaction.run("update generator set last = 5 where id = 1")
        for sql in "update generator set last = 7 where id = 1", "insert into generator values (1, 0)":
            with pytest.raises(Exception):
                with transaction.part():
                    transaction.run(sql)  # the second one is refused by the database
                    raise KeyError("something")
        with transaction.part():
            transaction.run("update generator set last = last + 1 where id = 1")
    with store.snapshot() as look:
        assert look.value("select last from generator") == 6


def test_a_part_of_a_lost_connection_is_no_fault_of_whoever_is_in_it(store: Any) -> None:
    with pytest.raises(Unavailable):
        with store.transaction("test") as transaction:
            with transaction.part():
                transaction.disconnect()


def test_a_lost_connection_is_made_again(store: Any) -> None:
    with pytest.raises(Unavailable):
        with store.transaction("test") as transaction:
            transaction.run("update generator set last = 5 where id = 1")
            transaction.disconnect()
    with store.transaction("test") as transaction:
        assert transaction.value("select last from generator") == 0


def test_a_database_that_cannot_be_opened_is_opened_later(tmp_path: Path) -> None:
    """As when the disk is full, and all open connections are lent."""
    store = open_store("sqlite:database", str(tmp_path))
    (tmp_path / "database").mkdir()
    for _ in range(2):
        with pytest.raises(Unavailable, match="unable to open"):
            with store.transaction("test"):
                pass
        with pytest.raises(Unavailable, match="unable to open"):
            with store.snapshot():
                pass
    (tmp_path / "database").rmdir()
    store.make_tables()
    with store.snapshot() as look:
        assert look.value("select last from generator") == 0
    store.close()


def test_what_follows_a_lost_connection_is_not_committed(tmp_path: Path) -> None:
    store = open_store("sqlite:database", str(tmp_path))
    store.make_tables()
    with pytest.raises(Unavailable):
        with store.transaction("test") as transaction:
            with pytest.raises(sqlite3.OperationalError):
                transaction.disconnect()
            transaction.run("update generator set last = 5 where id = 1")
    with store.snapshot() as look:
        assert look.value("select last from generator") == 0
    store.close()


def test_without_files_the_database_is_unavailable(tmp_path: Path) -> None:
    store = open_store("sqlite:database", str(tmp_path))
    (tmp_path / "database.lock").mkdir()
    with pytest.raises(Unavailable, match="database.lock"):
        store.make_tables()


def test_many_writers(store: Any) -> None:
    def add() -> None:
        for _ in range(25):
            with store.transaction("test") as transaction:
                transaction.one_at_a_time(1)
                last = transaction.value("select last from generator where id = 1 for update")
                transaction.run("update generator set last = ? where id = 1", (last + 1,))

    threads = [threading.Thread(target=add) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with store.snapshot() as look:
        assert look.value("select last from generator") == 200


def test_ids_are_given(store: Any) -> None:
    with store.transaction("test") as transaction:
        found = [transaction.insert("history", {"unit": 1, "time": 0.0, "event": "x", "changes": "[]"})
                 for _ in range(3)]
        assert len(set(found)) == 3 and found == sorted(found)
        assert transaction.rows(f"select id from history where id in ({marks(3)}) order by id", found) == [
            (number,) for number in found]


def test_two_servers_and_a_daemon_share_a_project(url: str, tmp_path: Path) -> None:
    with Grid(tmp_path, database=None if url.startswith("sqlite") else url, units=30) as grid:
        grid.start("--no-daemons")
        grid.start("--no-daemons")
        grid.start("--part", "1/2", command="daemon")
        grid.start("--part", "2/2", command="daemon")
        hosts = [load.Host(grid.url, grid.key, f"host{number}") for number in range(6)]

        def over() -> bool:
            for host in hosts:
                host.connection.close()  # the next one may reach the other server
                host.talk(instances=4)
                for task in list(host.tasks.values()):
                    assert host.upload(task, f"{right(int(task.unit.split('_')[1]))}\n".encode()) == 0
                host.talk(reports=tuple(load.Report(name) for name in host.tasks))
            return len(grid.assimilated()) == 30 and not grid.value("select count(*) from unit")

        until(over, "all units are done and purged")
        assert grid.assimilated() == {unit: [right(unit)] for unit in range(1, 31)}
        assert grid.files() == []


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="no limits of other processes here")
def test_a_full_disk_is_survived(tmp_path: Path) -> None:
    with Grid(tmp_path, units=5, output_bytes=1 << 20) as grid:
        server = grid.start()
        host, other = load.Host(grid.url, grid.key, "ann"), load.Host(grid.url, grid.key, "bob")
        until(lambda: host.talk(seconds=1e4).tasks, "there is work")
        other.talk(seconds=1e4)
        task = next(iter(host.tasks.values()))
        states = grid.sql("select server_state, outcome from result order by id")
        # No file may grow from here on.
        most = resource.prlimit(server.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (4096, most[1]))
        assert host.upload(task, b"x" * 100000) == 1, "try again"
        with pytest.raises(RuntimeError, match="503"):
            host.talk(reports=(load.Report(task.name, 3, 1),))
        assert grid.sql("select server_state, outcome from result order by id") == states
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, most)
        for each in (host, other):
            for task in list(each.tasks.values()):
                assert each.upload(task, f"{right(int(task.unit.split('_')[1]))}\n".encode()) == 0
            each.talk(reports=tuple(load.Report(name) for name in each.tasks))
        until(lambda: len(grid.assimilated()) == 5, "all units are done")
        assert grid.assimilated() == {unit: [right(unit)] for unit in range(1, 6)}
        until(lambda: not grid.files(), "all files are deleted")


def test_a_clock_that_goes_back_by_a_day_is_survived(tmp_path: Path, monkeypatch: Any) -> None:
    with Grid(tmp_path, units=6) as grid:
        ann, bob = load.Host(grid.url, grid.key, "ann"), load.Host(grid.url, grid.key, "bob")
        first = grid.start()
        until(lambda: ann.talk(instances=3).tasks, "there is work")
        grid.stop(first)
        grid._environment["GRID_CLOCK"] = "-86400"
        grid.start()

        def over() -> bool:
            for host in (ann, bob):
                host.connection.close()
                host.talk(instances=3)
                for task in list(host.tasks.values()):
                    assert host.upload(task, f"{right(int(task.unit.split('_')[1]))}\n".encode()) == 0
                host.talk(reports=tuple(load.Report(name) for name in host.tasks))
            return len(grid.assimilated()) == 6

        until(over, "all units are done")
        assert grid.assimilated() == {unit: [right(unit)] for unit in range(1, 7)}
        assert all(credit > 0 for credit, in grid.sql("select credit from host"))
