# SPDX-License-Identifier: MIT
"""Files that the library reads for the package: their records, their names, and where they are wrong."""

from __future__ import annotations

import pytest

from conftest import PROJECT_ROOT

pytest.importorskip("vcsched.library", reason="needs the compiled part")
from vcsched.errors import InputError  # noqa: E402 - only with the compiled part
from vcsched.grid import Grid  # noqa: E402 - likewise
from vcsched.named_state import read_state  # noqa: E402 - likewise
from vcsched.scenario import Scenario  # noqa: E402 - likewise

EXAMPLES = PROJECT_ROOT / "examples" / "scenarios"
SMALL = str(EXAMPLES / "small_state.ini")


def test_a_state():
    state = read_state(SMALL)
    assert state.resource_names == ["CPU", "Vega"] and state.project_names == ["meteors", "Škoda", "sieve"]
    assert len(state.task_names) == len(state.records["tasks"]) == 8
    assert state.candidate_names == ["gpu_lens_6", "skymap_urgent", "fold_αβ_000180"]
    assert [app.project for app in state.records["apps"]] == [0]
    assert state.records["tasks"][3].deadline == 86400 and state.records["tasks"][3].project == 1


def test_a_scenario_with_applications_made_of_tasks():
    scenario = Scenario.read(SMALL)
    # Tasks without an application that use the same devices make one, called after the first of them.
    assert scenario.app_names == ["meteors/skymap", "meteors/impact_77", "meteors/gpu_lens_5",
                                  "Škoda/fold_αβ_000172", "sieve/sieve_12", "sieve/sieve_wide"]
    assert [app.project for app in scenario.apps] == [0, 0, 0, 1, 2, 2]
    assert len(scenario.models) == 6 and len(scenario.task_names) == len(scenario.tasks) == 8


def test_a_grid_with_the_table_beside_it():
    grid = Grid.read(str(EXAMPLES / "grids" / "two_projects.ini"))
    assert grid.project_names == ["Alpha", "Beta"] and len(grid.projects) == 2
    assert grid.class_names == ["home", "lab"]
    assert len(grid.classes[0].rows) > 1 and len(grid.classes[1].rows) == 0 and grid.classes[1].model.count == 20
    assert grid.course.duration == 864000


@pytest.mark.parametrize("read", [read_state, Scenario.read, Grid.read])
def test_an_error_names_the_file_the_line_and_the_key(tmp_path, read):
    path = tmp_path / "wrong.ini"
    path.write_text("[host]\ncpus = 2\nflops = 1e9\nram = much\n", encoding="utf-8")
    with pytest.raises(InputError) as error:
        read(str(path))
    assert str(error.value) == f'{path}:4:1: [host] ram: "much" is not a number'
    assert error.value.position == (str(path), 4, 1)


def test_a_file_that_is_not_there(tmp_path):
    for read in (read_state, Scenario.read, Grid.read):
        with pytest.raises(FileNotFoundError, match="none.ini"):
            read(str(tmp_path / "none.ini"))
