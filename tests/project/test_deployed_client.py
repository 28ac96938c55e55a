# SPDX-License-Identifier: MIT
"""A grid from end to end, with the client that is deployed, as it is."""

from __future__ import annotations

import shutil
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Callable, Dict, Iterator

import pytest

from countdown import right
from deployed_client import BOINC, BOINCCMD, PROGRAM, WHY_NOT, Client
from running import BUILD, FAULT_STATUS, Grid, until

pytestmark = [pytest.mark.skipif(not BUILD, reason="VCSCHED_BUILD names no build"),
              pytest.mark.skipif(BOINC is None or BOINCCMD is None, reason=WHY_NOT)]

NO_REPLY, DETACHED = 4, 7


def honest_and_others(folder: Path) -> None:
    """Two that compute, one that lies, one whose program fails, under a quorum of two."""
    with ExitStack() as stack:
        grid = stack.enter_context(Grid(folder, PROGRAM, units=6, max_error=12))
        grid.start()
        behaviours = {"bea": "work", "bob": "work", "eve": "lie", "fay": "fail"}
        clients = {name: stack.enter_context(Client(folder / name, grid, what, grid.account(f"{name}@example.org")))
                   for name, what in behaviours.items()}

        def over() -> bool:
            for client in clients.values():
                client.update()
            return len(grid.assimilated()) == 6 and not grid.value("select count(*) from unit")

        until(over, "all units are done and purged")
        assert grid.assimilated() == {unit: [right(unit)] for unit in range(1, 7)}
        assert grid.files() == []
        credit = dict(grid.sql("select name, credit from account"))
        assert credit["bea"] == credit["bob"] and credit["bea"] > 0
        assert credit["eve"] == credit["fay"] == 0
        assert not [line for client in clients.values() for line in client.log().splitlines()
                    if "signature" in line.lower() or "unparsed" in line.lower()]


def late_aborted_detached_rolled_back(folder: Path) -> None:
    """One client whose user and whose computer do all that goes wrong, then another that computes what is left."""
    with ExitStack() as stack:
        grid = stack.enter_context(Grid(folder, PROGRAM, units=4, min_quorum=1, target_nresults=1, delay_bound=600,
                                        settings=["purge_delay=1000", "unsent=1"]))
        grid.start()
        client = stack.enter_context(Client(folder / "dan", grid, "sleep"))
        client.saw(r"Starting task squares_1_1\n")
        saved = folder / "saved"

        def after_an_update(happens: Callable[[], Any], what: str) -> Any:
            return until(lambda: (client.update(), happens())[1], what)

        until(lambda: "squares_1_1" in (client.folder / "client_state.xml").read_text(), "the state is saved")

        # The deadline passes. (It is moved, since nobody wants to wait for it.)
        grid.sql("update result set deadline = 1 where id = 1001")
        grid.sql("update unit set transition_time = 1 where id = 1")
        until(lambda: grid.sql("select outcome from result where id = 1001") == [(NO_REPLY,)], "it is given up")
        until(lambda: grid.value("select count(*) from result where unit = 1") == 2, "another copy is made")

        # The user aborts what has not answered: it is acknowledged, though nobody waits for it any more.
        client.tell("--task", grid.url, "squares_1_1", "abort")
        after_an_update(lambda: grid.value("select late_report from result where id = 1001"), "it is told")

        # The second unit: the user aborts it in time.
        after_an_update(lambda: grid.value("select count(*) from result where server_state = 2 and id > 2000"),
                        "the client gets another one")
        number = grid.value("select id from result where server_state = 2 and id > 2000")
        name = f"squares_{number // 1000}_{number % 1000}"
        client.saw(f"Starting task {name}\n")
        client.tell("--task", grid.url, name, "abort")
        after_an_update(lambda: grid.sql("select outcome from result where id = ?", (number,)) == [(NO_REPLY,)],
                        "it is reported")

        # Its state is kept, it goes on for a while, and its computer is restored to that state.
        client.kill()
        shutil.copytree(client.folder, saved)
        client.start()
        before = grid.value("select sequence from host")
        after_an_update(lambda: grid.value("select sequence from host") > before + 1, "two requests")
        client.kill()
        # It may have been killed when it had written a newer one, which it would read first.
        for state in client.folder.glob("client_state*"):
            state.unlink()
        for state in saved.glob("client_state*"):
            shutil.copy(state, client.folder)
        client.start()
        after_an_update(lambda: grid.value("select count(*) from host") == 2, "an old copy is seen")

        # The user detaches it, with all that it has, and attaches it again.
        held = after_an_update(lambda: grid.sql("select id from result where server_state = 2 and host = 2"),
                               "it has a task")
        client.tell("--project", grid.url, "detach")
        client.tell("--project_attach", grid.url, grid.key)
        until(lambda: grid.sql("select outcome from result where id = ?", held[0]) == [(DETACHED,)], "it is given up")
        assert grid.value("select count(*) from host") == 2

        # Now it computes. A host gets one copy of a unit, so another one does the rest.
        client.behave("work")
        other = stack.enter_context(Client(folder / "gil", grid))
        after_an_update(lambda: (other.update(), len(grid.assimilated()) == 4)[1], "all units are done")
        assert grid.assimilated() == {unit: [right(unit)] for unit in range(1, 5)}
        until(lambda: not grid.files(), "all files are deleted")
        assert grid.value("select count(*) from result where credited = 1") == 4


def replies_and_uploads_that_broke(folder: Path) -> None:
    """The server dies when it has sent a task and nobody has heard of it; then in the middle of an upload."""
    with ExitStack() as stack:
        grid = stack.enter_context(Grid(folder, PROGRAM, units=2, output_bytes=2000000, min_quorum=1,
                                        target_nresults=1, settings=["purge_delay=1000"]))
        server = grid.start(fault="scheduler.committed:2")
        client = stack.enter_context(Client(folder / "hal", grid))
        until(lambda: (client.look(), server.poll())[1] == FAULT_STATUS, "a reply is lost")
        assert grid.value("select server_state from result where id = 2001") == 2

        client.behave("big")
        server = grid.start(fault="upload.half:10")
        until(lambda: (client.update(), server.poll())[1] == FAULT_STATUS, "an upload broke")
        assert grid.value("select count(*) from history where unit = 2 and event = 'resent'") == 1
        path = max((grid.folder / "upload").glob("*/squares_*"), key=lambda found: found.stat().st_size)
        half = path.stat().st_size
        assert 0 < half < 1500000

        grid.start()

        def assimilated() -> Any:
            client.tell("--file_transfer", grid.url, path.name, "retry", needed=False)
            client.update()
            return len(grid.assimilated()) == 2

        until(assimilated, "all units are done")
        assert grid.assimilated() == {1: [right(1)], 2: [right(2)]}
        assert f"upload_offset {half}" in client.log()
        until(lambda: not grid.files(), "all files are deleted")


SCENARIOS: Dict[str, Callable[[Path], None]] = {
    "honest and others": honest_and_others,
    "late, aborted, detached, rolled back": late_aborted_detached_rolled_back,
    "replies and uploads that broke": replies_and_uploads_that_broke,
}


@pytest.fixture(name="scenarios", scope="module")
def fixture_scenarios(tmp_path_factory: Any) -> Iterator[Dict[str, "Future[None]"]]:
    """All at the same time: a client waits most of the time."""
    with ThreadPoolExecutor() as executor:
        yield {name: executor.submit(scenario, tmp_path_factory.mktemp("grid")) for name, scenario in SCENARIOS.items()}


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_deployed_client(scenarios: Dict[str, "Future[None]"], name: str) -> None:
    scenarios[name].result()
