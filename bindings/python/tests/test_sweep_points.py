# SPDX-License-Identifier: MIT
"""Which points a sweep has: grids, keys that change together, tables, several scenarios, and policies of their own."""

from __future__ import annotations

import pytest

pytest.importorskip("vcsched.library", reason="needs the compiled part")
import vcsched as v  # noqa: E402 - only with the compiled part
from sweep_case import Moody, scenario  # noqa: E402


def values_of(found):
    return [tuple(point.values.values()) for point in found.points]


def test_keys_that_change_together():
    found = v.sweep(scenario(), {("host.cpus", "host.flops"): [(1, 1e9), (4, 3e9)], "min_buffer": [3600, 7200]})
    assert found.axes == ("host.cpus", "host.flops", "min_buffer")
    assert values_of(found) == [(1, 1e9, 3600), (1, 1e9, 7200), (4, 3e9, 3600), (4, 3e9, 7200)]
    available = [run.outcome.flops_available / run.outcome.available_time for run in found.runs]
    assert available == pytest.approx([1e9, 1e9, 12e9, 12e9])


def test_a_table_of_hosts_with_a_grid(tmp_path):
    path = tmp_path / "hosts.csv"
    path.write_text("host.cpus,label.name,host.flops\n1,old,1e9\n\n# but\n4,new,3e9\n", encoding="utf-8")
    hosts = v.read_points(path)
    assert hosts == [{"host.cpus": 1, "label.name": "old", "host.flops": 1e9},
                     {"host.cpus": 4, "label.name": "new", "host.flops": 3e9}]
    found = v.sweep(scenario(), {"min_buffer": [3600, 7200]}, points=hosts)
    assert found.axes == ("host.cpus", "label.name", "host.flops", "min_buffer")
    assert values_of(found) == [(1, "old", 1e9, 3600), (1, "old", 1e9, 7200), (4, "new", 3e9, 3600),
                                (4, "new", 3e9, 7200)]
    # The same points by way of keys that change together, but for the label.
    grid = {("host.cpus", "host.flops"): [(1, 1e9), (4, 3e9)], "min_buffer": [3600, 7200]}
    assert [run.outcome for run in found.runs] == [run.outcome for run in v.sweep(scenario(), grid).runs]
    assert v.sweep(scenario(), points=[]).runs == []


def test_two_rows_that_are_alike_are_two_points():
    found = v.sweep(scenario(), points=[{"host.cpus": 1}, {"host.cpus": 1}], seeds=2)
    assert [(point.values, point.runs) for point in found.points] == [({"host.cpus": 1}, 2)] * 2


def test_numbers_of_numpy_are_numbers():
    numpy = pytest.importorskip("numpy")
    found = v.sweep(scenario(), {"host.cpus": numpy.array([1, 2])}, seeds=numpy.arange(2))
    assert found == v.sweep(scenario(), {"host.cpus": [1, 2]}, seeds=[0, 1])
    assert type(found.runs[0].values["host.cpus"]) is type(found.runs[0].seed) is int


def test_a_table_with_tabs(tmp_path):
    path = tmp_path / "points.tsv"
    path.write_text('work_fetch\tmin_buffer\nwf1\t3.6e3\nwf2\t"7200"\n', encoding="utf-8")
    assert v.read_points(path) == [{"work_fetch": "wf1", "min_buffer": 3600.0},
                                   {"work_fetch": "wf2", "min_buffer": 7200}]


@pytest.mark.parametrize("text, message", [
    ("a,b\n1\n", "points.csv:2: the line has 1 cells, but the first has 2"),
    ("a,b\n\n1,2\n# no\n1,2,3\n", "points.csv:5: the line has 3 cells, but the first has 2")])
def test_a_table_with_a_hole_is_refused(tmp_path, text, message):
    path = tmp_path / "points.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        v.read_points(path)


def test_several_scenarios():
    small, large = scenario(), scenario()
    large = large.replace(resources=[large.resources[0].replace(instances=8)], project_names=["P", "R"])
    found = v.sweep({"small": small, "large": large}, {"min_buffer": [3600, 7200]}, seeds=2)
    assert found.axes == ("scenario", "min_buffer")
    assert values_of(found) == [("small", 3600), ("small", 7200), ("large", 3600), ("large", 7200)]
    assert found.runs[0].outcome == v.sweep(small, {"min_buffer": [3600]}).runs[0].outcome
    assert found.runs[4].outcome == v.sweep(large, {"min_buffer": [3600]}).runs[0].outcome
    columns, rows = found.table(parts=True)
    assert [row[columns.index("project.Q.received")] is None for row in rows] == [False, False, True, True]
    assert [row[columns.index("project.R.received")] is None for row in rows] == [True, True, False, False]
    seeds = [run.seed for run in v.sweep([small, small.replace(emulation=small.course.replace(seed=70))], seeds=2).runs]
    assert seeds == [5, 6, 70, 71]  # each has its own
    numbered = v.sweep([small, large])
    assert values_of(numbered) == [(0,), (1,)] and numbered.runs[1].outcome == v.sweep(large).runs[0].outcome


@pytest.mark.parametrize("what, error, message", [
    (dict(grid={("host.cpus", "host.flops"): [(1,)]}), ValueError, "each of their values has 2 parts, unlike"),
    (dict(grid={("host.cpus", "host.flops"): [1]}), ValueError, "each of their values has 2 parts, unlike 1"),
    (dict(grid={"host.cpus": [1], ("host.cpus", "host.flops"): [(1, 1.0)]}), ValueError, "host.cpus is varied twice"),
    (dict(points=[{"host.cpus": 1}], grid={"host.cpus": [1]}), ValueError, "host.cpus is varied twice"),
    (dict(points=[{"host.cpus": 1}, {"host.ram": 1}]), ValueError, "row 1 of the points has other keys than row 0"),
    (dict(points=[{"host.cpus": 1}, {"host.cpus": 1.5}]), TypeError, "Resource.instances must be a whole number"),
    (dict(grid={"min_buffer": [3600, "much"]}), TypeError, "Parameters.min_buffer must be a number"),
    (dict(scenario=[]), TypeError, "scenario must be a Scenario or a Grid, or some in a list or by name, not list"),
    (dict(scenario={"a": 1}), TypeError, "scenario must be a Scenario or a Grid, or some in a list or by name, not "
     "dict"),
    (dict(policy=Moody(1)), TypeError, "makes a policy of a seed, not Moody: one object would carry"),
    (dict(policy=lambda seed: None), TypeError, r"what policy\(\) returns for a seed must be a policy, not None"),
    (dict(grid={"policy.most": [1]}), TypeError, "keys that begin with policy. need a policy to go to"),
    (dict(workers=0), ValueError, "workers must be at least 1, not 0"),
    (dict(chunk=0), ValueError, "chunk must be at least 1, not 0"),
])
def test_what_makes_no_points_is_refused_before_anything_is_done(what, error, message):
    begun = []
    with pytest.raises(error, match=message):
        v.sweep(**{"scenario": scenario(), "progress": lambda done, of: begun.append(done), **what})
    assert not begun


def test_each_emulation_has_a_policy_of_its_own():
    made = []

    def maker(seed, most=1):
        made.append((seed, most))
        return Moody(seed, most)

    found = v.sweep(scenario(), {"policy.most": [1, 3]}, seeds=[4, 5], policy=maker)
    assert made == [(4, 1), (5, 1), (4, 3), (5, 3)]
    for run in found.runs:
        assert run.outcome == v.emulate(scenario(), seed=run.seed, policy=Moody(run.seed, run.values["policy.most"])
                                        ).outcome
    assert len({bytes(run.outcome) for run in found.runs}) == 4
