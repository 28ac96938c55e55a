# SPDX-License-Identifier: MIT
"""The server ends without warning, or loses its database, at any place: each unit still ends once, is handed over once,
and is paid once; nothing is lost, and no file stays.

20 places are drawn, or as many as GRID_KILLS says. Where PostgreSQL is installed, two servers share it.
"""

from __future__ import annotations

import os
import random
from http.client import HTTPException
from pathlib import Path
from typing import Any, Dict, List, Optional

import pytest

import postgresql
from countdown import right
from running import BUILD, FAULT_STATUS, Grid, until

pytestmark = pytest.mark.skipif(not BUILD, reason="VCSCHED_BUILD names no build")

load = pytest.importorskip("load")

KILLS = int(os.environ.get("GRID_KILLS", "20"))
DAEMONS = ("generate", "transition", "validate", "withdraw", "assimilate", "delete", "purge")
PLACES = ([f"{name}.{moment}" for name in ("scheduler", *DAEMONS) for moment in ("begin", "commit", "committed")] +
          ["upload.half", "upload.written"])


class Volunteers:
    """Some hosts that go on whatever happens to the server."""

    def __init__(self, grid: Grid) -> None:
        self.hosts = [load.Host(grid.url, grid.account(f"{name}@example.org"), name) for name in ("bea", "bob", "cid")]
        self._reports: Dict[str, List[Any]] = {host.name: [] for host in self.hosts}

    def round(self) -> None:
        """Each asks for work, uploads what it has, and reports. What fails is done again the next time."""
        for host in self.hosts:
            reports = self._reports[host.name]
            try:
                host.talk(instances=4, reports=tuple(reports))
                reports.clear()
                for task in list(host.tasks.values()):
                    answer = f"{right(int(task.unit.split('_')[1]))}\n".encode() + b"x" * 100000
                    there = host.size_at_server(task)
                    if host.upload(task, answer, offset=min(there, len(answer))) != 1:
                        reports.append(load.Report(task.name))
            except (OSError, HTTPException, RuntimeError):
                host.connection.close()


class Servers:
    """Processes that are struck again and again."""

    def __init__(self, grid: Grid, count: int, draw: random.Random) -> None:
        self._grid = grid
        self._draw = draw
        self._processes: List[Any] = [None] * count
        self._rounds = [0] * count
        self.strikes: List[str] = []
        """Where each server was struck that has ended since."""
        self._faults = [""] * count

    def look_after(self) -> None:
        """Starts what has ended, with another fault. What was only cut from its database, or has not come to the place
        that was drawn, is killed after some time."""
        for number, process in enumerate(self._processes):
            if process is not None:
                self._rounds[number] += 1
                if process.poll() is None and self._rounds[number] < 8:
                    continue
                if process.poll() is None:
                    process.kill()
                assert process.wait() in (FAULT_STATUS, -9), self._grid.log()
                self.strikes.append(self._faults[number])
            how = self._draw.choice(["", ":disconnect"])
            self._faults[number] = f"{self._draw.choice(PLACES)}:{self._draw.randint(1, 4)}{how}"
            self._processes[number] = self._grid.start(fault=self._faults[number])
            self._rounds[number] = 0

    def end(self) -> None:
        """All are killed."""
        for process in self._processes:
            process.kill()
            process.wait()


def survives(folder: Path, database: Optional[str], servers: int, seed: int) -> None:
    """Strikes, then lets everything come to its end, and looks whether anything is missing or too much."""
    draw = random.Random(seed)
    stop = folder / "stop"
    with Grid(folder, database=database, units=1 << 30, stop=str(stop), output_bytes=200000,
              settings=["unsent=10", "quota=100000", "purge_delay=1000"]) as grid:
        volunteers = Volunteers(grid)
        struck = Servers(grid, servers, draw)
        while len(struck.strikes) < KILLS:
            struck.look_after()
            volunteers.round()
        struck.end()
        # Units whose input files were written before a kill are still made: more than are made at once.
        last_unit = grid.value("select last from generator") + 60
        (folder / "stop.new").write_text(str(last_unit))
        (folder / "stop.new").rename(stop)
        last = grid.start()

        def ended() -> bool:
            volunteers.round()
            return grid.value("select count(*) from unit where finished is not null") == last_unit

        until(ended, "all units have come to their end")
        units = grid.value("select last from generator")
        assert units == grid.value("select count(*) from unit") == last_unit
        assert grid.assimilated() == {unit: [right(unit)] for unit in range(1, units + 1)}
        assert grid.files() == []
        assert grid.value("select count(*) from result where server_state <> 3") == 0
        paid = grid.value("select credit from project")
        assert paid == pytest.approx(grid.value("select sum(granted) from result where credited = 1"), rel=1e-9)
        for table in ("host", "account"):
            assert grid.value(f"select sum(credit) from {table}") == pytest.approx(paid, rel=1e-9)
        assert grid.value("select count(*) from (select 1 from result where credited = 1 group by unit "
                          "having count(*) >= 2) as paid") == units
        results = grid.value("select count(*) from result")
        assert grid.sql("select units, results, accepted, failed from project") == [(units, results, units, 0)]

        grid.stop(last)
        grid.set("purge_delay", 0)
        grid.command("daemon", "--once")
        assert [grid.value(f"select count(*) from {table}") for table in ("unit", "result", "history")] == [0, 0, 0]


def test_sqlite_survives(tmp_path: Path) -> None:
    survives(tmp_path, None, 1, 1)


def test_two_servers_with_postgresql_survive(tmp_path: Path) -> None:
    if not postgresql.installed():
        pytest.skip(postgresql.WHY_NOT)
    with postgresql.Cluster() as cluster:
        survives(tmp_path, cluster.url, 2, 2)
