# SPDX-License-Identifier: MIT
"""Sweeps over whole grids: the same promises as for a host, and the keys of servers and populations."""

from __future__ import annotations

import csv
import io
import multiprocessing
import os
import random
import subprocess
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import pytest

from conftest import PROJECT_ROOT

pytest.importorskip("vcsched.library", reason="needs the compiled part")
import vcsched as v  # noqa: E402 - only with the compiled part
from vcsched.sweep_points import changed  # noqa: E402
from test_grid import saboteurs_ini  # noqa: E402

VCEMU = os.environ.get("VCEMU", "")
DAY = 86400.0
KEYS = {"server.verification": ["none", "adaptive"], "population.saboteurs": [0.0, 0.5]}


def grid():
    """Two projects, of which the hosts of the second class know one alone, for half a day."""
    host = v.Scenario(resources=[v.Resource(instances=2, flops=1e9)],
                      parameters=v.Parameters("current", min_buffer=600, additional_buffer=600))
    only_b = host.replace(projects=[v.Project(id=1)])
    return v.Grid([v.GridProject(id=0, est_flops=1e12), v.GridProject(id=1, est_flops=2e12)],
                  [v.HostClass(host, v.HostModel(count=6)), v.HostClass(only_b, v.HostModel(count=3), [1])],
                  v.GridTerms(duration=0.5 * DAY, seed=5), project_names=["A", "B"], class_names=["both", "late"])


class Moody:
    """A server that trusts by draws of its own: if one object went from run to run, their order would matter."""

    def __init__(self, seed, trusts=0.5):
        self.draws, self.trusts = random.Random(seed), trusts

    def trust(self, situation, trust, u):
        return self.draws.random() >= self.trusts


def moody(seed, trusts=0.5):
    return v.GridPolicy(server=Moody(seed, trusts))


def test_each_point_is_the_grid_emulated_with_its_values():
    found = v.sweep(grid(), KEYS, seeds=2)
    assert found.axes == tuple(KEYS) and [run.seed for run in found.runs[:3]] == [5, 6, 5]
    for run in found.runs:
        alone = v.emulate_grid(changed(grid(), run.values), seed=run.seed)
        assert run.outcome == alone.outcome and run.resources == {}
        assert run.projects == {"A": alone.projects[0], "B": alone.projects[1]}
    point = found.points[1]
    assert point.values == {"server.verification": "none", "population.saboteurs": 0.5}
    done = [run.projects["A"].done for run in found.runs if run.point == 1]
    assert point.figures["project.A.done"].mean == sum(done) / 2 and point.figures["calls"].runs == 2
    assert point.figures["project.A.wrong_accepted"].mean > 0
    assert "used" in point.figures and "waste" not in point.figures


@pytest.mark.skipif(not os.path.exists(VCEMU), reason="VCEMU names no program")
def test_the_keys_and_figures_of_vcemu_sweep():
    axes = {"server.votes.min_quorum": [1, 2], "population.volunteers.saboteurs": [0.01, 0.2],
            "min_buffer": [3600, 36000], "emulation.duration": [259200]}
    path = str(PROJECT_ROOT / "examples" / "scenarios" / "grids" / "saboteurs.ini")
    vary = [f"--vary={key}={','.join(map(str, values))}" for key, values in axes.items()]
    asked = subprocess.run([VCEMU, "sweep", path, *vary], check=True, capture_output=True, text=True)
    theirs = list(csv.DictReader(asked.stdout.splitlines()))
    found = v.sweep(saboteurs_ini().replace(project_names=["votes", "checks"], class_names=["volunteers"]), axes)
    assert len(found.points) == len(theirs) == 8
    names = [f"project.{project}.{field}" for project in ("votes", "checks")
             for field in ("done", "copies", "wrong_accepted", "in_progress")]
    for point, row in zip(found.points, theirs):
        assert [float(row[key]) for key in axes] == [float(value) for value in point.values.values()]
        for name in ("hosts", "saboteurs", "used", "calls", *names):
            assert float(row[name]) == point.figures[name].mean
    assert len({point.figures["project.votes.wrong_accepted"].mean for point in found.points}) > 4


def test_it_is_the_same_wherever_it_is_done(tmp_path):
    alone = v.sweep(grid(), {**KEYS, "policy.trusts": [0.1, 0.9]}, seeds=2, policy=moody)
    with ThreadPoolExecutor(3) as executor:
        assert v.sweep(grid(), {**KEYS, "policy.trusts": [0.1, 0.9]}, seeds=2, policy=moody, executor=executor,
                       chunk=3) == alone
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("forkserver")) as executor:
        assert v.sweep(grid(), {**KEYS, "policy.trusts": [0.1, 0.9]}, seeds=2, policy=moody, executor=executor) == alone
    copies = [point.figures["project.A.copies"].mean / point.figures["project.A.done"].mean for point in alone.points
              if point.values["server.verification"] == "adaptive"]
    assert copies[0] > copies[1] + 0.5


def test_a_sweep_goes_on_where_it_was(tmp_path):
    file = str(tmp_path / "sweep.jsonl")
    whole = v.sweep(grid(), KEYS, seeds=2)
    told = []
    assert v.sweep(grid(), KEYS, seeds=[5], resume=file).runs == [run for run in whole.runs if run.seed == 5]
    assert v.sweep(grid(), KEYS, seeds=2, resume=file, progress=lambda done, of: told.append(done)) == whole
    with open(file, encoding="ascii") as lines:
        assert len(lines.readlines()) == 8
    # Nothing is done again: the lines are what is read.
    with open(file, encoding="ascii") as lines:
        text = lines.read()
    with open(file, "w", encoding="ascii") as lines:
        lines.write(text.replace('"hosts":9,', '"hosts":10,'))
    assert {run.outcome.hosts for run in v.sweep(grid(), KEYS, seeds=2, resume=file).runs} == {10}
    other = grid().replace(terms=v.GridTerms(duration=0.25 * DAY, seed=5))
    assert {run.outcome.hosts for run in v.sweep(other, KEYS, seeds=2, resume=file).runs} == {9}


def test_the_tables():
    found = v.sweep(grid(), {"server.A.min_quorum": [1, 2]}, seeds=2)
    columns, rows = found.table(parts=True)
    assert columns[:4] == ["server.A.min_quorum", "runs", "hosts", "hosts_se"] and len(rows) == 2
    assert "project.B.turnaround_p95_se" in columns and "project.A.id" not in columns and "waste" not in columns
    stream = io.StringIO()
    found.write_csv(stream, each_seed=True)
    assert stream.getvalue().startswith("server.A.min_quorum,seed,hosts,left,saboteurs,present,")
    numpy = pytest.importorskip("numpy")
    array = found.array(parts=True)
    assert numpy.all(array["project.A.copies"] / array["project.A.units"] >= [1, 1.9])


@pytest.mark.parametrize("key, value, check", [
    ("server.min_quorum", 2, lambda grid: [(p.min_quorum, p.target_nresults) for p in grid.projects] == [(2, 2)] * 2),
    ("server.B.est_flops", 5e12, lambda grid: [p.mean_flops for p in grid.projects] == [1e12, 5e12]),
    ("server.A.mean_flops", 5e12, lambda grid: [(p.est_flops, p.mean_flops) for p in grid.projects]
     == [(1e12, 5e12), (2e12, 2e12)]),
    ("server.A.blacklist", 1, lambda grid: [p.flags for p in grid.projects] == [v.GRID_BLACKLIST, 0]),
    ("server.dispatch", "reply", lambda grid: {p.dispatch for p in grid.projects} == {v.GRID_BY_REPLY}),
    ("population.late.count", 7, lambda grid: [c.model.count for c in grid.classes] == [6, 7]),
    ("population.collude", 1, lambda grid: {c.model.flags for c in grid.classes} == {v.HOSTS_COLLUDE}),
    ("population.both.cpus", 9, lambda grid: [c.scenario.resources[0].instances for c in grid.classes] == [9, 2]),
    ("population.late.available", 0.5, lambda grid: [c.scenario.course.available for c in grid.classes] == [1.0, 0.5]),
    ("population.late.min_buffer", 5, lambda grid: [c.scenario.policy.min_buffer for c in grid.classes] == [600, 5]),
    ("population.late.profile", "rpc2003", lambda grid: [c.scenario.policy.profile for c in grid.classes]
     == [v.PROFILE_CURRENT, v.PROFILE_RPC2003] and grid.classes[1].scenario.policy.min_buffer == 600),
    ("host.flops", 3e9, lambda grid: {c.scenario.resources[0].flops for c in grid.classes} == {3e9}),
    ("work_fetch", "wf2", lambda grid: {c.scenario.policy.work_fetch for c in grid.classes} == {v.WORK_FETCH_WF2}),
    ("emulation.duration", 60.0, lambda grid: grid.terms.duration == 60.0 and grid.terms.seed == 5),
    ("label.any", 1, lambda grid: True),
])
def test_keys_of_a_grid(key, value, check):
    assert check(changed(grid(), {key: value}))


def test_what_follows_does_not_override_what_is_given():
    both = changed(grid(), {"server.target_nresults": 3, "server.min_quorum": 2})
    assert [(p.min_quorum, p.target_nresults) for p in both.projects] == [(2, 3)] * 2


@pytest.mark.parametrize("key, value, error, message", [
    ("server.C.units", 1, KeyError, "server.C.units: the grid has no C"),
    ("server.colour", 1, KeyError, "server.colour: there is no such key"),
    ("server.id", 1, KeyError, "server.id: there is no such key"),
    ("server.blacklist", 2, ValueError, "server.blacklist must be 0 or 1, not 2"),
    ("server.verification", "prayer", ValueError, "server.verification must be one of none, direct, inverse"),
    ("population.early.count", 1, KeyError, "population.early.count: the grid has no early"),
    ("population.count", 1.5, TypeError, "HostModel.count must be a whole number, not float"),
    ("emulation.seed", 1, KeyError, "emulation.seed: there is no such key in a scenario"),
    ("population.colour", 1, TypeError, "Parameters has no field 'colour'"),
])
def test_keys_that_a_grid_does_not_have_are_refused_before_anything_is_done(key, value, error, message):
    with pytest.raises(error) as caught:
        v.sweep(grid(), {key: [value]})
    assert message in str(caught.value)


def test_hosts_and_grids_do_not_go_together():
    with pytest.raises(TypeError, match="there are scenarios of hosts and grids"):
        v.sweep([grid(), grid().classes[0].scenario])
    several = v.sweep({"plain": grid(), "short": grid().replace(terms=v.GridTerms(duration=DAY / 4))})
    assert [run.values for run in several.runs] == [{"scenario": "plain"}, {"scenario": "short"}]


def test_an_error_says_at_which_point():
    with pytest.raises(v.VcsError, match="server.delay_bound=-1.0: emulate_grid.*delay_bound"):
        v.sweep(grid(), {"server.delay_bound": [DAY, -1.0]})
