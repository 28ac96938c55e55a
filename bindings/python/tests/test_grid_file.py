# SPDX-License-Identifier: MIT
"""Scenario files of grids from Python: what `vcemu grid` makes of them, and what both refuse."""

from __future__ import annotations

import os
import re
import shutil
import subprocess

import pytest

from conftest import PROJECT_ROOT

pytest.importorskip("vcsched.library", reason="needs the compiled part")
import vcsched as v  # noqa: E402 - only with the compiled part
from grid_case import same_as_vcemu  # noqa: E402 - likewise
from vcsched.errors import InputError  # noqa: E402 - likewise

VCEMU = os.environ.get("VCEMU", "")
DAY = 86400.0
needs_vcemu = pytest.mark.skipif(not os.path.exists(VCEMU), reason="VCEMU names no program")

SMALL = """[emulation]
duration = 172800
[project p]
[server p]
est_flops = 1e13
[population all]
count = 5
cpus = 2
flops = 1e9
"""
MANY_KEYS = """; Every kind of section, and most keys.
[host]
now = 5000
cpus = 8
flops = 2e9
ram = 8e9
reserve = 0.5
available = 0.7
available_mean = 7200
spells = weibull
spell_shape = 0.6
connection_interval = 300
[gpu cards]
count = 2
flops = 5e10
[gpu others]
flops = 1e10
[client]
min_buffer = 7200
cpu_fit = any
[project Long name]
share = 30
dcf = 1.5
request_delay = 60
[project b]
up_mean = 100000
down_mean = 5000
scheduler_failure = 0.1
[project c]
[project_resource b/cards]
excluded = 1
[app b/on cards]
gpu = cards
cpus = 0.2
weight = 2
[app b/on cpus]
ram = 2e9
checkpoint_interval = 900
[app c/a]
gpu = others
[server Long name]
mean_flops = 2e13
sd_flops = 5e12
min_quorum = 2
target_nresults = 7
max_error = 4
quota = 20
spot_checks = 0.02
blacklist = on
delays = 1
aborts = yes
[server b]
units = 500
unit_rate = 0.01
est_flops = 1e14
distribution = exponential
delay_bound = 400000
verification = adaptive
input_bytes = 1e7
output_bytes = 1e6
credit_rule = fixed
fixed_credit = 3
[server c]
est_flops = 3e12
distribution = constant
dispatch = reply
verification = credibility
error_bound = 0.1
order = drain_then_oldest
wait_factor = 1.5
dead_factor = 3
[population table]
table = hosts.txt
skipped_lines = 1
columns = count, -, cpus, host_gflops, available
count = 12
speed_sd = 0.4
saboteurs = 0.3
sabotage = 0.4
collude = yes
rate = 2e6
lifetime = 200000
replaced = yes
additional_buffer = 30000
[population without cards]
count = 6
cpus = 3
gpus = others
projects = c 70, Long name, b 5
arrivals = 20000
available = 0.5
spells = log_normal
spell_shape = 1.2
client_error = 0.05
no_reply = 0.05
wrong = 0.05
[population no cards at all]
count = 5
flops = 3e9
gpus = none
trace = switches.txt
profile = study2007
min_buffer = 0
[emulation]
duration = 300000
seed = 9
work_fetch = ORIGINAL
"""
TABLE = 'count kind cpus speed on\n2;a;4;20;0.9\n# others\n\n"3";b;1;2.5;0.4\n1; c ;16;1e2;1\n'


@pytest.fixture(name="written")
def fixture_written(tmp_path):
    """Writes a scenario with the files that it names."""

    def written(text):
        (tmp_path / "hosts.txt").write_text(TABLE, encoding="utf-8")
        (tmp_path / "switches.txt").write_text("; off, on, ...\n50000\n60000\n90000\n", encoding="utf-8")
        path = tmp_path / "grid.ini"
        path.write_text(text, encoding="utf-8")
        return path

    return written


@needs_vcemu
@pytest.mark.parametrize("name", ["batch", "saboteurs", "two_projects"])
def test_the_figures_of_vcemu_grid_for_the_examples(tmp_path, name):
    shutil.copytree(PROJECT_ROOT / "examples" / "scenarios" / "grids", tmp_path / "grids")
    path = tmp_path / "grids" / f"{name}.ini"
    path.write_text(re.sub("duration = .*", "duration = 40000", path.read_text(encoding="utf-8")), encoding="utf-8")
    assert len(same_as_vcemu(path, v.Grid.read(str(path)), 3).hosts) > 100


@needs_vcemu
def test_the_figures_of_vcemu_grid_for_every_kind_of_key(written):
    path = written(MANY_KEYS)
    found = same_as_vcemu(path, v.Grid.read(str(path)), 9)
    assert all(project.done > 0 for project in found.projects)
    assert found.outcome.left > 0 and len({host.cpus for host in found.hosts}) > 3


@needs_vcemu
@pytest.mark.parametrize("change", [
    ("profile = study2007\n", "profile = rpc2003\n"), ("ORIGINAL", "CURRENT\ncompletion = JC2"),
    ("available_mean = 7200\n", "available_mean = 7200\nusable = 0.6\n"), ("trace = switches.txt\n", "available = 1\n"),
    ("columns = count, -, cpus, host_gflops, available", "columns = count, -, -, host_gflops, -"),
    ("skipped_lines = 1\ncolumns = count, -, cpus, host_gflops, available\ncount = 12\n", "columns = count,-,cpus,-,-\n"
     "skipped_lines = 1\nflops = 4e9\n"),
])
def test_the_figures_of_vcemu_grid_after_a_change(written, change):
    assert MANY_KEYS.count(change[0]) == 1
    path = written(MANY_KEYS.replace(*change).replace("300000", "100000"))
    same_as_vcemu(path, v.Grid.read(str(path)), 2)


def test_what_the_parts_are_called_and_when_it_is_emulated(written):
    grid = v.Grid.read(str(written(MANY_KEYS)))
    assert list(grid.project_names) == ["Long name", "b", "c"]
    assert list(grid.class_names) == ["table", "without cards", "no cards at all"]
    assert (grid.terms.start, grid.terms.duration, grid.terms.seed, grid.terms.sample) == (5000, 300000, 9, 0)
    table, without, none = grid.classes
    assert [(row.weight, row.cpus, row.flops, row.available) for row in table.rows] \
        == [(2, 4, 5e9, 0.9), (3, 1, 2.5e9, 0.4), (1, 16, 6.25e9, 1)]
    assert without.projects == [2, 0, 1] and [project.share for project in without.scenario.projects] == [70, 30, 5]
    assert without.scenario.resource_names == ["CPU", "others"] and len(none.scenario.resources) == 1
    assert none.scenario.switches == [50000, 60000, 90000] and not without.scenario.switches
    assert none.scenario.policy.profile == v.PROFILE_STUDY2007 and without.scenario.policy.profile != 1
    assert (without.scenario.policy.min_buffer, none.scenario.policy.min_buffer) == (7200, 0)
    assert none.scenario.policy.cpu_fit == without.scenario.policy.cpu_fit == v.CPU_FIT_ANY


def test_a_sweep_goes_on_from_a_file(written):
    grid = v.Grid.read(str(written(SMALL)))
    found = v.sweep(grid, {"server.p.min_quorum": [1, 2], "population.all.cpus": [1]}, seeds=1)
    assert found.points[0].figures["project.p.done"].mean > found.points[1].figures["project.p.done"].mean > 0


def test_text_is_read_like_a_file():
    found = v.emulate_grid(v.Grid.parse(SMALL))
    assert found.outcome.hosts == 5 and found.projects[0].done > 0


REFUSED = [
    (SMALL.replace("cpus = 2", "cpus = 2.5"), 'cpus: "2.5" is not a whole number'),
    (SMALL.replace("cpus = 2", "cpus = inf"), 'cpus: "inf" is not a finite number'),
    (SMALL.replace("count = 5", "count = 2.5"), 'count: "2.5" is not a whole number'),
    (SMALL.replace("est_flops", "units = 1.5\nest_flops"), 'units: "1.5" is not a whole number'),
    (SMALL.replace("[project p]", "seed = 1.5\n[project p]"), 'seed: "1.5" is not a whole number'),
    (SMALL + "[gpu card]\nflops = 1e9\ncount = 1.5\n", 'count: "1.5" is not a whole number'),
    (SMALL + "[app p/a]\nmax_concurrent = 1.5\n", 'max_concurrent: "1.5" is not a whole number'),
    (SMALL.replace("[project p]", "[project q]"), "[server p]"),
    (SMALL.replace("[server p]\nest_flops = 1e13\n", ""), "there is no section [server p]"),
    (SMALL.replace("est_flops = 1e13", "min_quorum = 2"), "est_flops"),
    (SMALL.replace("est_flops", "flops"), "flops: a section of this kind has no such key"),
    (SMALL.replace("est_flops", "dispatch = reply\nmin_quorum = 2\nest_flops"), "min_quorum: only makes sense with"),
    (SMALL.replace("est_flops", "order = overdue_first\nest_flops"), "only makes sense with dispatch = reply"),
    (SMALL.replace("est_flops", "verification = recomputation\nmin_quorum = 2\nest_flops"), "makes no sense with"),
    (SMALL.replace("est_flops", "blacklist = yes\nest_flops"), "catches nobody"),
    (SMALL.replace("est_flops", "spot_checks = 0.1\nwithdraw = yes\nest_flops"), "only makes sense with blacklist"),
    (SMALL.replace("est_flops", "assimilate_last = yes\nest_flops"), "only makes sense with units"),
    (SMALL.replace("est_flops", "verification = some\nest_flops"), "verification"),
    (SMALL.replace("count = 5\n", ""), "count"),
    (SMALL.replace("count = 5", "count = 0"), "at least 1 host"),
    (SMALL.replace("cpus = 2\n", ""), "cpus"),
    (SMALL.replace("flops = 1e9\n", ""), "flops"),
    (SMALL + "projects = p, p\n", "names a project twice"),
    (SMALL + "projects = q\n", "q"),
    (SMALL + "gpus = cards\n", "cards"),
    (SMALL + "sabotage = 0.5\n", "only makes sense together with saboteurs"),
    (SMALL + "replaced = yes\n", "only makes sense together with lifetime"),
    (SMALL + "columns = count\n", "only makes sense together with table"),
    (SMALL + "available = 0.5\n", "available_mean"),
    (SMALL + "available = 1\ntrace = switches.txt\n", "conflicts with another key"),
    (SMALL + "profile = none\n", "profile"),
    (SMALL + "colour = red\n", "has no such key"),
    (SMALL + "[app p/a]\nest_flops = 3\n", "the [server] of the project says"),
    (SMALL + "[host]\nflops = 1e9\n", "cpus"),
    (SMALL + "[host]\ncpus = 1\nflops = 1e9\ncolour = red\n", "has no such key"),
    (SMALL + "[task t]\nproject = p\nremaining = 3\n", "have no tasks when it begins"),
    (SMALL + "[odd]\n", "section"),
    (SMALL.partition("[population")[0], "population"),
    (SMALL.replace("count = 5", "table = nowhere.csv"), "nowhere.csv"),
    (SMALL + "table = hosts.txt\nskipped_lines = 1\ncolumns = count,-,flops,-,-\n",
     "conflicts with a column of the table"),
    (SMALL + "table = hosts.txt\n", "is not the name of a column"),
    (SMALL + "table = hosts.txt\nskipped_lines = 1\ncolumns = -,-,-,-,-\n", "no column is named count"),
    (SMALL + "table = hosts.txt\nskipped_lines = 1\ncolumns = count,-,count,-,-\n", "the name of two columns"),
    (SMALL + "table = hosts.txt\nskipped_lines = 1\ncolumns = count,-,-,-\n", "values for 4 columns"),
    (SMALL + "table = hosts.txt\nskipped_lines = 1\ncolumns = count,ram,-,-,-\n", "is not a number"),
    (SMALL + "table = hosts.txt\nskipped_lines = 1\ncolumns = count,-,gflops,host_flops,-\n",
     "more than one column"),
    (SMALL + "table = hosts.txt\nskipped_lines = 6\ncolumns = count,-,-,-,-\n", "there are no hosts in this table"),
]


@pytest.mark.parametrize("text, part", REFUSED)
def test_what_is_wrong_is_told_with_its_place(written, text, part):
    path = written(text)
    with pytest.raises((InputError, OSError)) as caught:
        v.Grid.read(str(path))
    assert part in str(caught.value) and str(path.parent) in str(caught.value)


@needs_vcemu
@pytest.mark.parametrize("text", [text for text, _ in REFUSED])
def test_the_tool_refuses_the_same(written, text):
    assert subprocess.run([VCEMU, "grid", str(written(text))], check=False, capture_output=True).returncode == 1
