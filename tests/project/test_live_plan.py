# SPDX-License-Identifier: MIT
"""What the deployed client does next is what a plan for its state says, ten times in a row."""

from __future__ import annotations

import configparser
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, Callable, List, Set

import pytest

from deployed_client import BOINC, BOINCCMD, PROGRAM, WHY_NOT, Client
from running import BUILD, Grid, package, until

pytestmark = [pytest.mark.skipif(not BUILD, reason="VCSCHED_BUILD names no build"),
              pytest.mark.skipif(BOINC is None or BOINCCMD is None, reason=WHY_NOT)]

HOUR = 3600.0
EACH = 8
"""Tasks of each project. The client wants more, so it asks both."""


class State(configparser.ConfigParser):
    """A state file, as the import writes it of the client that runs."""

    def __init__(self, client: Client) -> None:
        super().__init__(interpolation=None)
        self.read_string(vcsched("import", "-q", "--live", f"127.0.0.1:{client.port}", "--data-dir",
                                 str(client.folder)))

    def tasks(self) -> List[str]:
        """All of them."""
        return [name[len("task "):] for name in self.sections() if name.startswith("task ")]

    def running(self) -> Set[str]:
        """Those that run."""
        return {name for name in self.tasks() if self[f"task {name}"].getboolean("running", fallback=False)}

    def two_running(self) -> Set[str]:
        """The same, if there is one for each CPU; between two tasks a CPU may have none."""
        running = self.running()
        return running if len(running) == 2 else set()

    def downloading(self) -> bool:
        """Whether any lacks its files."""
        return any("downloading" in self[f"task {name}"] for name in self.tasks())

    def suspend(self, name: str, suspended: bool) -> None:
        """As if the user had suspended a task, or resumed it. What is suspended does not run."""
        task = self[f"task {name}"]
        task["suspended"] = "yes" if suspended else "no"
        if suspended:
            task["running"] = "no"

    def planned(self, path: Path) -> Set[str]:
        """The tasks that a plan would run; the file is for the state."""
        with path.open("w") as file:
            self.write(file)
        plan = json.loads(vcsched("plan", str(path), "--json"))
        return {task["name"] for task in plan["tasks"] if task["run"]}


def vcsched(*arguments: str) -> str:
    """What a command of the package prints."""
    return subprocess.run([sys.executable, "-m", "vcsched", *arguments], check=True, stdout=subprocess.PIPE, text=True,
                          env={**os.environ, "PYTHONPATH": str(package())}).stdout


def decided(client: Client, action: Callable[[], Any]) -> None:
    """Does something to the client, and waits until it has chosen tasks because of that."""
    before = len(client.log())
    action()
    until(lambda: re.search(r"Request CPU reschedule: .*?enforce_run_list: end", client.log()[before:], re.DOTALL),
          "the client decides")


def past_of(client: Client, *records: float) -> None:
    """Gives the projects a past, so that it is clear whose turn is next. The client does not run."""
    path = client.folder / "client_state.xml"
    values = iter(records)
    text, count = re.subn(r"<rec>[^<]*</rec>", lambda _: f"<rec>{next(values)}</rec>", path.read_text())
    assert count == len(records)
    path.write_text(text)


def grid_of_long_tasks(folder: Path, name: str) -> Grid:
    """A project whose tasks take an hour and are due much later."""
    (folder / name).mkdir()
    return Grid(folder / name, PROGRAM, name=name, units=EACH, flops=HOUR * 1e9, min_quorum=1, target_nresults=1,
                delay_bound=1000 * HOUR)


def test_the_deployed_client_does_what_was_planned(tmp_path: Path) -> None:
    """Two projects, one of which had ten times as much. Tasks that run are suspended, one after the other, and some
    are resumed: each time the plan for the state of before, with that one difference, says what will run."""
    with grid_of_long_tasks(tmp_path, "one") as one, grid_of_long_tasks(tmp_path, "two") as two:
        one.start()
        two.start()
        client = Client(tmp_path / "client", one, "sleep", others=[two], days=0.25)
        with client:
            client.tell("--get_host_info")
            until(lambda: len(State(client).tasks()) == 2 * EACH and not State(client).downloading(),
                  "both projects have sent tasks, with their files")
            until(lambda: (client.folder / "client_state.xml").read_text().count("<result>") == 2 * EACH,
                  "the state is saved")
            client.kill()
            past_of(client, 300.0, 3000.0)
            client.start()
            client.tell("--get_host_info")
            until(lambda: "enforce_run_list: end" in client.log().rpartition("Starting BOINC client")[2] and
                  len(State(client).running()) == 2, "tasks run again")
            suspended: List[str] = []
            for step in range(10):
                state = State(client)
                assert len(state.running()) == 2
                resumes = step % 3 == 2
                name = suspended.pop(0) if resumes else min(state.running())
                url = (one if name.startswith("one") else two).url
                state.suspend(name, not resumes)
                suspended += [] if resumes else [name]
                expected = state.planned(tmp_path / "state.ini")
                decided(client, lambda: client.tell("--task", url, name, "resume" if resumes else "suspend"))
                found = until(lambda: State(client).two_running(), "two tasks run")
                assert found == expected, f"step {step}: {name}"

