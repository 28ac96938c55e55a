# SPDX-License-Identifier: MIT
"""The deployed client beside ours, at the same servers for one short spell: all of them get along, and get work.

The environment variable VCSCHED_BUILD is the build, and GRIDCLIENT our client.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from deployed_client import BOINC, BOINCCMD, WHY_NOT

pytestmark = [pytest.mark.skipif("VCSCHED_BUILD" not in os.environ or "GRIDCLIENT" not in os.environ,
                                 reason="VCSCHED_BUILD and GRIDCLIENT name no build"),
              pytest.mark.skipif(BOINC is None or BOINCCMD is None, reason=WHY_NOT)]

LINE = re.compile(r"(\w+) +(tight|loose): sent (\d+), in time (\d+), given up (\d+), late (-?\d+), under way (\d+), "
                  r"calls (None|\d+)\n")


def test_three_clients_beside_each_other(tmp_path: Path) -> None:
    """On for 24 s at least, jobs of 8 s; most of those of the tight project that come at once cannot be in time."""
    answer = subprocess.run([sys.executable, Path(__file__).with_name("beside.py"), tmp_path / "clients", "0", "0.4"],
                            stdout=subprocess.PIPE, text=True, check=True,
                            env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "VCS_TEST_SECONDS": "240"}
                            ).stdout
    found = {(client, project): [int(number) for number in numbers]
             for client, project, *numbers, _ in LINE.findall(answer)}
    assert sorted(found) == sorted((client, project) for client in ("packaged", "current", "steady")
                                   for project in ("tight", "loose"))
    for client in ("packaged", "current", "steady"):
        assert found[client, "tight"][0] + found[client, "loose"][0] > 0, answer
    for client in ("current", "steady"):
        assert found[client, "tight"][1] + found[client, "loose"][1] > 0, answer
    assert all(late >= 0 for _, _, _, late, _ in found.values()), answer
    assert found["steady", "tight"][2] > 0 or found["steady", "tight"][3] == 0, answer
