# SPDX-License-Identifier: MIT
"""The scenario readers and the sweep as other programs in C use them.

They are tests/tool/sweep_probe.c, examples/c/fetch_study.c and examples/c/grid_policy.c.

The environment variables VCEMU, SWEEP_PROBE, FETCH_STUDY and GRID_POLICY are the paths of these programs.
"""

import json
import os
import re
import signal
import subprocess

import pytest

from test_vcemu_sweep import SHORT, sweep, table_of, wait_for_rows
from vcemu_examples import ROOT, environment, output_of

UNRELIABLE = ROOT / 'examples' / 'scenarios' / 'unreliable.ini'


@pytest.fixture(name='short')
def fixture_short(tmp_path):
    path = tmp_path / 'short.ini'
    path.write_text(SHORT, encoding='utf-8')
    return path


def said(program, *arguments, status=0, **changes):
    result = subprocess.run([os.path.abspath(os.environ[program]), *map(str, arguments)], cwd=ROOT, check=False,
                            capture_output=True, encoding='utf-8', env=environment(**changes))
    assert (result.returncode, result.stderr) == (status, ''), result.stderr
    return result.stdout


# ---- the reader ------------------------------------------------------------------------------------------------------

@pytest.mark.parametrize('options', [[], ['--days', '0.5'], ['--profile', 'study2007', '--seed', '9'],
                                     ['--set', 'min_buffer=900', '--set', 'period=600']])
def test_a_scenario_is_the_one_that_run_emulates(options, short):
    run = json.loads(output_of('run', short, '--json', *options))
    assert said('SWEEP_PROBE', 'read', short, *options).splitlines() == [
        f"P, CPU: {run['flops_used']:.17g} operations, {run['calls']} calls, {run['duration']:g} s", 'note: ']


@pytest.mark.parametrize('change, options, message', [
    (('1e13', 'x'), [], 'refused: FILE:9: [app P/A] est_flops: "x" is not a number'),
    (('[app P/A]', '[app R/A]'), [], 'refused: FILE:8: [app R/A]: its name must begin with *'),
    (('', ''), ['--set', 'period=x'], 'refused: --set: period: "x" is not a number'),
    (('', ''), ['--profile', 'none'], 'refused: --profile: "none" is not a profile; *'),
    (('weight', 'weight'), ['--set', 'backoff_max=1'], 'refused: --set: backoff_max: *'),
])
def test_a_scenario_that_is_refused(change, options, message, short):
    short.write_text(SHORT.replace(*change) if change[0] else SHORT, encoding='utf-8')
    text = said('SWEEP_PROBE', 'read', short, *options, status=1)
    assert re.fullmatch(re.escape(message.replace('FILE', str(short))).replace(r'\*', '.*') + '\n', text), text


def test_what_the_emulator_refuses_has_its_line(short):
    short.write_text(SHORT.replace('latency_bound = 2e4', 'latency_bound = 0', 1), encoding='utf-8')
    assert f'not emulated: {short}:10: [app P/A] latency_bound: ' in said('SWEEP_PROBE', 'read', short)


def test_what_was_taken_for_granted_is_told(short):
    short.write_text(SHORT.replace('available_mean = 3000\n', ''), encoding='utf-8')
    assert 'note: ' + f'{short}:4: [host] available: available_mean' in said('SWEEP_PROBE', 'read', short)


# ---- the sweep -------------------------------------------------------------------------------------------------------

ARGUMENTS = ['--vary', 'host.cpus=1:2:1', '--seeds', '2', '--figures', 'waste,rpcs_per_job,project.P.late', '-j', '2']


def test_the_runs_are_those_of_each_seed(short):
    *runs, end = said('SWEEP_PROBE', 'sweep', 99, short, *ARGUMENTS).splitlines()
    assert end == '0 '
    rows = table_of(sweep(short, *ARGUMENTS, '--each-seed'))
    assert len(runs) == len(rows) == 4
    for number, (run, row) in enumerate(zip(runs, rows)):
        point, seed, weight, key, *figures = run.split(' ')
        assert (point, seed, weight, key) == (str(number // 2), row['seed'], '1', f"host.cpus={row['host.cpus']}")
        assert [figure.split(':')[0] for figure in figures] == ['waste', 'rpcs_per_job', 'project.P.late']
        for name, value in (figure.split(':') for figure in figures):
            assert (float(value) == float(row[name])) if value else row[name] == ''


def test_a_table_is_written_beside(short, tmp_path):
    path = tmp_path / 'table.csv'
    said('SWEEP_PROBE', 'sweep', 99, short, *ARGUMENTS, '-o', path)
    assert path.read_text(encoding='utf-8') == sweep(short, *ARGUMENTS)
    assert said('SWEEP_PROBE', 'sweep', 99, short, *ARGUMENTS, '-o', path) \
        == f'{path}: 2 of 2 rows are already there\n0 \n'


def test_without_anyone_who_takes_the_runs_the_table_is_all(short):
    assert said('SWEEP_PROBE', 'sweep', 0, short, *ARGUMENTS) == sweep(short, *ARGUMENTS) + '0 \n'


def test_one_may_sweep_twice(short):
    lines = said('SWEEP_PROBE', 'twice', short, *ARGUMENTS).splitlines()
    assert len(lines) == 10 and lines[:5] == lines[5:]


def test_hosts_stand_for_more_than_one(short, tmp_path):
    hosts = tmp_path / 'hosts.csv'
    hosts.write_text('count,cpus\n3,1\n0.5,2\n', encoding='utf-8')
    *runs, _ = said('SWEEP_PROBE', 'sweep', 99, short, '--hosts', hosts, '--figures', 'late').splitlines()
    assert [run.split(' ')[:4] for run in runs] == [['0', '1', '3', 'cpus=1'], ['1', '2', '0.5', 'cpus=2']]


def test_whoever_takes_the_runs_may_end_it(short):
    *runs, end = said('SWEEP_PROBE', 'sweep', 3, short, *ARGUMENTS).splitlines()
    assert len(runs) == 3 and end == "1 the caller's function ended the sweep"


@pytest.mark.parametrize('arguments, message', [
    (['--vary', 'x=1'], '2 --vary x: there is no such parameter; keys of sections are KIND.KEY'),
    (['--vary', 'host.cpus=0'], '1 host.cpus=0: FILE: [host] cpus: *'),
])
def test_a_sweep_that_is_refused(arguments, message, short):
    text = said('SWEEP_PROBE', 'sweep', 99, short, *arguments)
    assert re.fullmatch(re.escape(message.replace('FILE', str(short))).replace(r'\*', '.*') + '\n', text), text


def test_a_policy_of_the_program_has_a_name_in_the_table(short, tmp_path):
    path = tmp_path / 'table.csv'
    arguments = ['sweep', 99, short, '--figures', 'late', '-o', path]
    said('SWEEP_PROBE', *arguments, POLICY_NAME='first')
    assert said('SWEEP_PROBE', *arguments, POLICY_NAME='first').endswith('already there\n0 \n')
    assert 'the row comes from another scenario' in said('SWEEP_PROBE', *arguments, POLICY_NAME='second')


def test_a_program_may_end_it_when_a_signal_comes(tmp_path):
    path = tmp_path / 'table.csv'
    arguments = [os.path.abspath(os.environ['SWEEP_PROBE']), 'sweep', '0', 'examples/study/base.ini', '--vary',
                 'emulation.duration=86400,1e11', '--vary', 'min_buffer=1000:60000:1000', '--figures', 'calls', '-o',
                 path]

    def heed_interrupts():
        signal.signal(signal.SIGINT, signal.SIG_DFL)

    with subprocess.Popen(arguments, cwd=ROOT, env=environment(), stdout=subprocess.PIPE,
                          preexec_fn=heed_interrupts) as process:
        wait_for_rows(path, process, 2)
        process.send_signal(signal.SIGINT)
        stdout, _ = process.communicate()
    assert process.returncode == 0 and stdout.decode().startswith(f'130 {path}: interrupted with ')


# ---- the example -----------------------------------------------------------------------------------------------------

def test_the_example_shows_what_its_own_policy_does():
    first, ever, *runs = said('FETCH_STUDY', UNRELIABLE).splitlines()
    assert first == '3 projects, the first of them stable' and ever == 'as ever' and runs[4] == 'an hour at most'
    built_in = table_of(sweep(UNRELIABLE, '--vary', 'min_buffer=0,43200', '--seeds', '2', '--days', '10', '--figures',
                              'rpcs_per_job,idleness', '--each-seed'))
    told = [re.match(r'  buffer +(\d+) s, seed (\d): ([\d.]+) calls', run).groups() for run in runs[:4]]
    assert told == [(row['min_buffer'], row['seed'], f"{float(row['rpcs_per_job']):.3f}") for row in built_in]
    calls = [float(re.search(r'([\d.]+) calls', run)[1]) for run in runs[:4] + runs[5:]]
    assert all(own > ever for ever, own in zip(calls, calls[4:])), 'who asks for little asks often'


GRID = """[emulation]
duration = 864000
[project by trust]
[server by trust]
units = 2000
est_flops = 1e13
min_quorum = 2
target_nresults = 2
verification = adaptive
[project by votes]
[server by votes]
units = 500
est_flops = 1e13
min_quorum = 2
[population all]
count = 20
cpus = 2
flops = 2e9
available = 0.7
available_mean = 7200
wrong = 0.02
"""


@pytest.fixture(name='grid')
def fixture_grid(tmp_path):
    path = tmp_path / 'grid.ini'
    path.write_text(GRID, encoding='utf-8')
    return path


def projects_of(grid, rule, *arguments):
    """What the example prints of each project by one of its rules."""
    found = re.findall(rf'^(by \w+) +{rule} +(\d+) done, ([\d.]+) copies of each unit, (\d+) wrong$',
                       said('GRID_POLICY', grid, *arguments), re.MULTILINE)
    return {name: (int(done), float(copies), int(wrong)) for name, done, copies, wrong in found}


@pytest.mark.parametrize('days', ['10', '20'])
def test_a_grid_with_a_rule_of_one_s_own_beside_the_built_in_one(grid, days):
    printed = json.loads(output_of('grid', grid, '--json', '--days', days))['projects']
    built_in = {project['name']: (project['done'], round(project['copies'] / project['units'], 3),
                                  project['wrong_accepted']) for project in printed}
    assert projects_of(grid, 'built in', days) == built_in
    own = projects_of(grid, 'four of five', days)
    assert own['by trust'][1] > built_in['by trust'][1] + 0.05, 'what is checked more often needs more copies'
    checked = int(re.search(r'^(\d+) results of all hosts were checked', said('GRID_POLICY', grid, days), re.M)[1])
    assert 0.16 < checked / 2000 < 0.24


@pytest.mark.parametrize('change, message', [
    ('count = 0', 'FILE:16: [population all] count: there must be at least 1 host'),
    ('count = 20\nspeed_sd = 11', 'FILE:17: [population all] speed_sd: *'),
])
def test_a_grid_that_is_refused(grid, change, message):
    grid.write_text(GRID.replace('count = 20', change), encoding='utf-8')
    answer = subprocess.run([os.path.abspath(os.environ['GRID_POLICY']), grid], check=False, capture_output=True,
                            encoding='utf-8')
    expected = re.escape(f'grid_policy: {message}'.replace('FILE', str(grid))).replace(r'\*', '.*')
    assert (answer.returncode, answer.stdout) == (1, '') and re.fullmatch(expected + '\n', answer.stderr), answer.stderr


def test_a_grid_of_which_something_is_taken_for_granted(grid):
    host = '[host]\ncpus = 1\nflops = 1e9\navailable = 0.5\n'
    grid.write_text(host + GRID.replace('units = 2000', 'unit_rate = 1e-9'), encoding='utf-8')
    answer = subprocess.run([os.path.abspath(os.environ['GRID_POLICY']), grid, '1'], check=True, capture_output=True,
                            encoding='utf-8')
    assert answer.stderr == (f'grid_policy: {grid}:4: [host] available: available_mean, how long the host is on at a '
                             'time, is missing; 1000 s assumed\n')
    assert 'by trust     built in            0 done, 0.000 copies of each unit, 0 wrong\n' in answer.stdout


def test_the_manual_shows_all_headers():
    manual = (ROOT / 'doc' / 'vcemu.md').read_text(encoding='utf-8')
    assert all(name in manual for name in ('vcemu/scenario.h', 'vcemu/sweep.h', 'vcemu/policy.h', 'fetch_study.c'))
    assert 'grid_policy.c' in (ROOT / 'doc' / 'grid.md').read_text(encoding='utf-8')
