# SPDX-License-Identifier: MIT
"""Sweeps: means and errors, wherever they are done, in the columns and figures of vcemu sweep."""

from __future__ import annotations

import csv
import io
import math
import os
import statistics
import subprocess

import pytest

pytest.importorskip("vcsched.library", reason="needs the compiled part")
import vcsched as v  # noqa: E402 - only with the compiled part
from sweep_case import GRID, TEXT  # noqa: E402
from vcsched.sweep_points import changed  # noqa: E402

VCEMU = os.environ.get("VCEMU", "")


@pytest.fixture(name="scenario")
def fixture_scenario():
    return v.Scenario.parse(TEXT)


@pytest.mark.skipif(not os.path.exists(VCEMU), reason="VCEMU names no program")
@pytest.mark.parametrize("each_seed", [False, True])
def test_the_columns_and_the_figures_of_vcemu(scenario, tmp_path, each_seed):
    path = tmp_path / "scenario.ini"
    path.write_text(TEXT, encoding="utf-8")
    vary = [f"--vary={key}={','.join(map(str, values))}" for key, values in GRID.items()]
    asked = subprocess.run([VCEMU, "sweep", str(path), *vary, "--seeds", "3", *["--each-seed"][:each_seed]],
                           check=True, capture_output=True, text=True)
    theirs = [row[:-1] for row in csv.reader(asked.stdout.splitlines())]  # but the column of origins
    written = io.StringIO()
    v.sweep(scenario, GRID, seeds=3).write_csv(written, each_seed)
    ours = list(csv.reader(written.getvalue().splitlines()))
    assert ours[0] == theirs[0] and len(ours) == len(theirs) == (13 if each_seed else 5)
    for mine, other in zip(ours[1:], theirs[1:]):
        assert [cell and float(cell) for cell in mine] == [cell and float(cell) for cell in other]


NAMED = TEXT.replace("profile = study2007\n", "profile = current\nmin_buffer = 7200\nmiss_fraction = 1\n").replace(
    "seed = 5\n", "seed = 5\nwork_fetch = WF1\n")
"""Names parameters in [client] and in [emulation]: a buffer that no profile has, and what `current` has anyway."""


@pytest.mark.skipif(not os.path.exists(VCEMU), reason="VCEMU names no program")
def test_a_profile_keeps_what_the_file_names_as_in_vcemu(tmp_path):
    path = tmp_path / "scenario.ini"
    path.write_text(NAMED, encoding="utf-8")
    vary = ["--vary=profile=current,study2007,rpc2003", "--vary=additional_buffer=0,7200"]
    asked = subprocess.run([VCEMU, "sweep", str(path), *vary], check=True, capture_output=True, text=True)
    theirs = [row[:-1] for row in csv.reader(asked.stdout.splitlines())]
    written = io.StringIO()
    grid = {"profile": ["current", "study2007", "rpc2003"], "additional_buffer": [0, 7200]}
    v.sweep(v.Scenario.read(str(path)), grid).write_csv(written)
    ours = list(csv.reader(written.getvalue().splitlines()))
    assert ours[0] == theirs[0] and [row[0] for row in ours] == [row[0] for row in theirs] and len(ours) == 7
    for mine, other in zip(ours[1:], theirs[1:]):
        assert [cell and float(cell) for cell in mine[1:]] == [cell and float(cell) for cell in other[1:]]
    assert len({tuple(row[3:]) for row in ours}) == 7


def test_which_parameters_a_profile_keeps():
    read = v.Scenario.parse(NAMED)
    assert sorted(read.kept) == ["min_buffer", "miss_fraction", "work_fetch"]
    policy = changed(read, {"profile": "study2007"}).policy
    assert (policy.profile, policy.min_buffer, policy.miss_fraction) == (v.PROFILE_STUDY2007, 7200.0, 1.0)
    assert policy.work_fetch == v.WORK_FETCH_WF1 and policy.estimate == v.Parameters("study2007").estimate
    # A value that is named stays, even if it is that of the profile; without names, those stay that differ from it.
    made = read.replace(parameters=v.Parameters("study2007", min_buffer=7200.0))
    assert made.kept is None
    policy = changed(made, {"profile": "current"}).policy
    assert policy == v.Parameters("current", min_buffer=7200.0)
    usual = v.Parameters("study2007").miss_fraction
    named = v.Scenario.parse(TEXT.replace("study2007\n", f"study2007\nmiss_fraction = {usual!r}\n"))
    assert changed(named, {"profile": "current"}).policy.miss_fraction == usual != v.Parameters("current").miss_fraction
    # Another key at the same point goes before what is kept.
    assert changed(made, {"profile": "current", "min_buffer": 5.0}).policy.min_buffer == 5.0


def test_means_and_errors_are_those_of_the_runs(scenario):
    found = v.sweep(scenario, {"work_fetch": ["wf1", "wf2"]}, seeds=[1, 2, 7, 9])
    assert [run.seed for run in found.runs] == [1, 2, 7, 9] * 2
    assert [run.values["work_fetch"] for run in found.runs] == ["wf1"] * 4 + ["wf2"] * 4
    for number, point in enumerate(found.points):
        waste = [run.outcome.waste for run in found.runs[4 * number:4 * number + 4]]
        assert point.runs == point.figures["waste"].runs == 4
        assert math.isclose(point.figures["waste"].mean, statistics.mean(waste), rel_tol=1e-12)
        assert math.isclose(point.figures["waste"].error, statistics.stdev(waste) / 2, rel_tol=1e-12, abs_tol=1e-15)
    assert found.points[0].figures["waste"] != found.points[1].figures["waste"]


def test_what_is_undefined_does_not_count(scenario):
    found = v.sweep(scenario, {"emulation.duration": [1, 200000]}, seeds=2)
    first, second = found.points
    assert first.figures["study_waste"] == (None, None, 0) and second.figures["study_waste"].runs == 2
    assert v.sweep(scenario).points[0].figures["study_waste"].error is None
    numpy = pytest.importorskip("numpy")
    array = found.array()
    assert numpy.isnan(array["study_waste"][0]) and array["study_waste"][1] == second.figures["study_waste"].mean
    assert array["study_waste_runs"].tolist() == [0, 2] and array["runs"].dtype == "i8"
    each = v.sweep(scenario, {"profile": ["current", "study2007"]}).array(each_seed=True)
    assert each["profile"].tolist() == ["current", "study2007"] and each["seed"].tolist() == [5, 5]


def test_values_go_where_a_state_file_has_them():
    base = v.Scenario.parse(TEXT.replace("[client]", "[gpu cards]\nflops = 1e10\n[client]"))
    other = changed(base, {"profile": "current", "period": 1800.0, "ranking": "debt", "host.cpus": 7, "host.ram": 1e9,
                           "host.available": 0.5, "gpu.count": 3, "project.share": 7.0, "project.Q.rec": 2.0,
                           "app.Q/B.gpu": 1, "app.max_concurrent": 2, "emulation.duration": 9.0})
    policy = other.policy
    assert (policy.profile, policy.period, policy.ranking) == (v.PROFILE_CURRENT, 1800.0, v.RANK_DEBT)
    assert [resource.instances for resource in other.resources] == [7, 3]
    assert (other.host.ram, other.emulation.available, other.emulation.duration) == (1e9, 0.5, 9.0)
    assert [(project.share, project.rec) for project in other.projects] == [(7.0, 0.0), (7.0, 2.0)]
    assert [model.gpu for model in other.models] == [0, 1]
    assert [app.max_concurrent for app in other.apps] == [2, 2] and other.emulation.study_rules == 0
    unnamed = v.Scenario(resources=[v.Resource()], projects=[v.Project(), v.Project(id=1)])
    assert [project.share for project in changed(unnamed, {"project.1.share": 3.0}).projects] == [100.0, 3.0]
    assert base.projects[0].share == 100.0 and base.policy.profile == v.PROFILE_STUDY2007


@pytest.mark.parametrize("grid, error, message", [
    ({"period.x": [1]}, KeyError, "there is no such key in a scenario"),
    ({"emulation.seed": [1]}, KeyError, "there is no such key in a scenario"),
    ({"host.colour": [1]}, KeyError, "a host has no such key"),
    ({"gpu.count": [1]}, KeyError, "the scenario has no gpu"),
    ({"app.P/Z.cpus": [1]}, KeyError, "the scenario has no P/Z"),
    ({"app.colour": [1]}, KeyError, "there is no such key"),
    ({"colour": [1]}, TypeError, "Parameters has no field 'colour'"),
    ({"work_fetch": ["wf9"]}, ValueError, "must be one of wf1, wf2"),
    ({"app.latency_bound": [9.0, -1.0]}, v.VcsError, "app.latency_bound=-1.0: emulate(): job_model 0: latency_bound"),
])
def test_what_cannot_be_swept_is_refused(scenario, grid, error, message):
    with pytest.raises(error) as caught:
        v.sweep(scenario, grid)
    assert message in str(caught.value)


@pytest.mark.parametrize("seeds, error, message", [
    (0, ValueError, "seeds must be at least 1"),
    ([1, 1], ValueError, "seeds must be distinct"),
    (None, TypeError, "seeds must be a number or a sequence"),
    ([1.5], TypeError, "seeds must be a number or a sequence"),
])
def test_seeds_that_make_no_sense_are_refused(scenario, seeds, error, message):
    with pytest.raises(error, match=message):
        v.sweep(scenario, seeds=seeds)


# ---- Projects and resources ----


def test_the_outcome_of_each_project_and_resource(scenario):
    found = v.sweep(scenario, {"min_buffer": [3600, 36000]}, seeds=[2, 9])
    for run in found.runs:
        alone = v.emulate(changed(scenario, run.values), seed=run.seed)
        assert list(run.projects) == ["P", "Q"] and list(run.resources) == ["CPU"]
        assert [*run.projects.values()] == alone.projects and [*run.resources.values()] == alone.resources
    point = found.points[1]
    received = [run.projects["Q"].received for run in found.runs[2:]]
    assert point.figures["project.Q.received"] == (statistics.mean(received), statistics.stdev(received) / 2**0.5, 2)
    assert point.figures["resource.CPU.idleness"].mean == point.figures["idleness"].mean
    assert len([*point.figures]) == len(point.figures) and "project.Q.late" in point.figures
    for unknown in ("project.Z.received", "project.Q.colour", "colour", "flags"):
        with pytest.raises(KeyError, match=unknown):
            point.figures[unknown]


def test_projects_and_resources_as_columns(scenario):
    found = v.sweep(scenario, seeds=2)
    columns, rows = found.table(parts=True)
    assert columns[:len(found.table()[0])] == found.table()[0]
    assert rows[0][columns.index("project.Q.ended")] == found.points[0].figures["project.Q.ended"].mean
    assert rows[0][columns.index("project.Q.ended_se")] == found.points[0].figures["project.Q.ended"].error
    columns, rows = found.table(each_seed=True, parts=True)
    assert [row[columns.index("resource.CPU.off")] for row in rows] == [run.resources["CPU"].off for run in found.runs]
    written = io.StringIO()
    found.write_csv(written, each_seed=True, parts=True)
    assert written.getvalue().splitlines()[0] == ",".join(columns)
    numpy = pytest.importorskip("numpy")
    assert numpy.array_equal(found.array(True, True)["project.P.calls"],
                             [run.projects["P"].calls for run in found.runs])


def test_what_has_no_name_is_known_by_its_number():
    unnamed = v.Scenario(resources=[v.Resource(flops=1e9)], projects=[v.Project(), v.Project(id=1)],
                         emulation=v.Emulation(duration=1.0))
    run, = v.sweep(unnamed).runs
    assert list(run.projects) == ["0", "1"] and list(run.resources) == ["0"]
