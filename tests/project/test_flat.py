# SPDX-License-Identifier: MIT
"""The server takes as long for a request, and for a pass of its daemons, however many results are in the database.

No statement may look at all rows of a table that grows. With GRID_FLAT=1000000 the whole life of results is also timed,
in processor time, with ten thousand old results in the database and with so many; and printed.
"""

from __future__ import annotations

import json
import os
import re
import sys
import time
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Set

import pytest

import postgresql
from countdown import SCRIPT, right
from running import BUILD, Grid, package

pytestmark = pytest.mark.skipif(not BUILD, reason="VCSCHED_BUILD names no build")

load = pytest.importorskip("load")
if BUILD:
    sys.path.append(str(package()))
    import vcsched as v
    from server import daemons, project as projects, scheduler
    from server.records import names, values
    from server.storage import INDICES

FEW = 10000
MANY = int(os.environ.get("GRID_FLAT", "0"))
GROWS = ("unit", "result", "other", "history", "host", "account")


class Inside:
    """A server without HTTP: hosts call it, and it runs its daemons when it is told to."""

    def __init__(self, grid: Grid) -> None:
        self.project = projects.Project(str(grid.folder))
        self.hosts = [load.Host(grid.url, grid.key, name) for name in ("bea", "bob")]
        for host in self.hosts:
            host.connection = self

    def post(self, _path: str, body: bytes) -> Any:
        """What a connection does, for the scheduler alone."""
        return 200, scheduler.handle(self.project, body)

    def daemons(self) -> None:
        while daemons.pass_over(self.project, tuple(daemons.DAEMONS), daemons.Share()):
            pass

    def round(self) -> int:
        """The whole life of the units that there are, but for the uploads. Returns how many results there were."""
        self.daemons()
        count = 0
        for host in self.hosts:
            tasks = host.talk(instances=50).tasks
            count += len(tasks)
            for task in tasks:
                self.project.upload_path(task.output).write_text(right(int(task.unit.split("_")[1])))
            host.talk(reports=tuple(load.Report(task.name) for task in tasks))
        self.daemons()
        return count

    def old(self, first: int, units: int) -> None:
        """Units of long ago, two results each, whose rows are kept."""
        life = ("created", "transition", "sent", "sent", "received", "received", "validate", "assimilated")
        for start in range(first, first + units, 5000):
            numbers = range(start, min(start + 5000, first + units))
            with self.project.store.transaction("old") as transaction:
                unit = v.Unit(id=1, assimilate_state=v.ASSIMILATE_DONE, file_delete_state=v.FILES_DONE)
                columns = {"application": "squares", "created": 1.0, "finished": 4e9, "command_line": "",
                           "inputs": "[]", "outputs": '["out"]', "flops": 1e9, "flops_bound": 1e12,
                           "memory": 1e6, "disk": 1e6, "output_bytes": 4096}
                transaction.insert_all("unit", [*names(v.Unit), *columns], [
                    [number, *values(unit)[1:], *columns.values()] for number in numbers])
                result = values(v.Result(id=1, server_state=v.RESULT_OVER, outcome=v.OUTCOME_SUCCESS, received=2.0,
                                         validate_state=v.VALIDATE_VALID, file_delete_state=v.FILES_DONE))
                transaction.insert_all("result", [*names(v.Result), "unit", "account"], [
                    [number * 1000 + copy, *result[1:], number, 1] for number in numbers for copy in (1, 2)])
                transaction.insert_all("history", ("unit", "time", "event", "changes"), [
                    (number, 1.0, event, json.dumps([[0, "x", 1, 1]] * 3)) for number in numbers for event in life])


@pytest.fixture(name="inside", params=["SQLite", "PostgreSQL"])
def fixture_inside(request: Any, tmp_path: Path) -> Iterator[Inside]:
    """10,000 old units do not matter yet."""
    if request.param == "PostgreSQL":
        if not postgresql.installed():
            pytest.skip(postgresql.WHY_NOT)
        with postgresql.Cluster() as cluster, Grid(tmp_path, SCRIPT, units=1 << 30, database=cluster.url,
                                                   settings=["quota=1000000", "unsent=100"]) as grid:
            yield Inside(grid)
    else:
        with Grid(tmp_path, SCRIPT, units=1 << 30, settings=["quota=1000000", "unsent=100"]) as grid:
            yield Inside(grid)


def test_no_statement_looks_at_all_rows(tmp_path: Path, monkeypatch: Any) -> None:
    with Grid(tmp_path, SCRIPT, units=1 << 30, settings=["unsent=100"]) as grid:
        inside = Inside(grid)
        inside.old(1 << 40, 200)
        grid.sql("analyze")
        seen: Set[str] = set()
        with inside.project.store.transaction("test") as transaction:
            kind: Any = type(transaction)
        for method in ("rows", "run", "many"):
            def noted(self: Any, sql: str, arguments: Any = (), original: Callable[..., Any] = getattr(kind, method),
                      ) -> Any:
                seen.add(sql)
                return original(self, sql, arguments)

            monkeypatch.setattr(kind, method, noted)
        assert inside.round() > 20
        ann = load.Host(grid.url, grid.key, "ann")
        ann.connection = inside
        ann.talk(instances=3)
        ann.tasks.clear()
        assert len(ann.talk().tasks) == 3
        back = load.Host(grid.url, grid.key, "ann")
        back.connection = inside
        back.talk()
        grid.sql("update host set trust_flags = 1 where name = 'bob'")
        inside.daemons()
        monkeypatch.undo()
        # These indices have only the rows with which there is something to be done.
        small = {index.split()[0] for index in INDICES if " where " in index and "finished" not in index}
        looked = 0
        for sql in seen:
            if not sql.startswith(("select", "update", "delete")):
                continue
            plain = re.sub(r"\s+for update.*$", "", sql)
            plan = [row[3] for row in grid.sql(f"explain query plan {plain}", (1,) * plain.count("?"))]
            looked += 1
            for step in plan:
                scan = re.match(r"SCAN (\w+)(?: USING (?:COVERING )?INDEX (\w+))?", step)
                assert scan is None or scan[1] not in GROWS or scan[2] in small, f"{sql}: {plan}"
        assert looked > 30


@pytest.mark.skipif(not MANY, reason="on request: GRID_FLAT=1000000")
def test_a_million_old_results_cost_no_time(inside: Inside, capsys: Any) -> None:
    figures: Dict[str, float] = {}

    def measure(what: str) -> None:
        inside.round()
        found: List[float] = []
        for _ in range(12):
            began, wall = time.process_time(), time.perf_counter()
            count = inside.round()
            found.append((time.process_time() - began) / count)
            figures[what + " wall"] = min(figures.get(what + " wall", 1e9), (time.perf_counter() - wall) / count)
        figures[what] = min(found)

    inside.old(1 << 40, FEW // 2)
    measure("few")
    inside.old((1 << 40) + FEW, (MANY - FEW) // 2)
    measure("many")
    with capsys.disabled():
        print("\n", {what: f"{1000 * seconds:.3f} ms a result" for what, seconds in figures.items()})
    assert figures["many"] <= 1.5 * figures["few"]
