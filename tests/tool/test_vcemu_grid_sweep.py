# SPDX-License-Identifier: MIT
"""vcemu sweep on scenarios of grids: each run is what `vcemu grid` says, and the rules of every sweep hold.

The environment variable VCEMU is the path of the program.
"""

import csv
import io
import json
import pathlib
import re
import signal
import subprocess

import pytest

from vcemu_examples import output_of, running, vcemu

LENGTH = '[emulation]\nduration = 100000\nseed = 5\n'
ALPHA = '[project Alpha]\nshare = 60\n[server Alpha]\nest_flops = 4e12\ndelay_bound = 100000\nmin_quorum = 2\n'
BETA = '[project Beta]\n[server Beta]\nunits = 300\nest_flops = 2e12\ndelay_bound = 50000\n'
HOME = '[population home]\ncount = 6\ncpus = 2\nflops = 1e9\navailable = 0.5\navailable_mean = 10000\n'
LAB = '[population lab]\ncount = 2\ncpus = 4\nflops = 2e9\n'
GRID = LENGTH + ALPHA + BETA + HOME + LAB
# Four points of three seeds.
SMALL = ['--vary', 'server.Alpha.min_quorum=1,2', '--vary', 'population.count=2,4', '--seeds', '3',
         '--figures', 'project.done,project.Beta.makespan,population.home.idleness_p50,calls']


@pytest.fixture(name='path')
def fixture_path(tmp_path):
    path = tmp_path / 'grid.ini'
    path.write_text(GRID, encoding='utf-8')
    return path


def sweep(*arguments, **options):
    return output_of('sweep', *arguments, **options)


def rows_of(*arguments):
    return list(csv.DictReader(io.StringIO(sweep(*arguments))))


def refused(*arguments, status=1):
    result = vcemu('sweep', *arguments)
    assert (result.returncode, result.stdout, result.stderr.count('\n')) == (status, '', 1)
    return result.stderr[len('vcemu: '):-1]


# ---- what a row says -------------------------------------------------------------------------------------------------

@pytest.mark.parametrize('key, value, old, new', [
    ('server.Alpha.min_quorum', '3', 'min_quorum = 2', 'min_quorum = 3'),
    ('population.lab.cpus', '8', 'cpus = 4', 'cpus = 8'),
    ('population.saboteurs', '0.5', 'count', 'saboteurs = 0.5\ncount'),
    ('emulation.duration', '50000', '= 100000\nseed', '= 50000\nseed'),
    ('min_buffer', '30000', '[project Alpha]', '[client]\nmin_buffer = 30000\n[project Alpha]'),
    ('profile', 'study2007', '[project Alpha]', '[client]\nprofile = study2007\n[project Alpha]'),
])
def test_a_row_is_what_grid_says(key, value, old, new, path):
    """Of the file with that value in it, to the last digit; and that is not what it says without."""
    edited = GRID.replace(old, new)
    assert edited != GRID
    answer = json.loads(output_of('grid', '-', '--json', '--seeds', 2, stdin=edited))
    assert answer['projects'] != json.loads(output_of('grid', '-', '--json', '--seeds', 2, stdin=GRID))['projects']
    figures = ['calls', 'idleness', 'flops_used', 'project.copies', 'project.Beta.done', 'project.Beta.tail',
               'project.Alpha.turnaround_p95', 'project.Alpha.flops_fraction_useful', 'population.waste_mean']
    row, = rows_of(path, '--vary', f'{key}={value}', '--seeds', 2, '--figures', ','.join(figures))
    assert row.pop(key) == value and row.pop('runs') == '2' and row.pop('scenario')
    compared = set()
    for name, text in row.items():
        figure, of_error = re.fullmatch(r'(.*?)(_se)?', name).groups()
        if name.endswith('_runs'):
            continue
        of, _, field = figure.rpartition('.')
        kind, _, owner = of.partition('.')
        record = answer['grid'] if not of else next(
            one for one in answer[{'project': 'projects', 'population': 'populations'}[kind]] if one['name'] == owner)
        record = record['standard_error'] if of_error else record
        for group in ('turnaround', 'flops_fraction', 'waste'):
            if field.startswith(group + '_'):
                record, field = record[group], field[len(group) + 1:]
        assert text == '' if record[field] is None else float(text) == record[field]
        compared.add(figure)
    assert len(compared) == len(figures) + 2  # there are two projects and two populations


def test_without_figures_there_are_those_of_all_hosts_and_of_each_project(path):
    row, = rows_of(path, '--each-seed')
    answer = json.loads(output_of('grid', path, '--json'))
    flat = {**answer['grid']}
    for project in answer['projects']:
        for name, value in project.items():
            parts = value if isinstance(value, dict) else {None: value}
            for part, number in parts.items():
                key = name if part is None else f'{name}_{part}'
                flat[f'project.{project["name"]}.{key}'] = number
    del flat['project.Alpha.name'], flat['project.Beta.name']
    assert row.pop('seed') == '5' and row.pop('scenario')
    assert {name: None if text == '' else float(text) for name, text in row.items()} == flat


def test_json_has_the_same_cells(path):
    lines = [json.loads(line) for line in sweep(path, *SMALL, '--json').splitlines()]
    for line, row in zip(lines, rows_of(path, *SMALL), strict=True):
        assert {key: '' if value is None else str(value) for key, value in line.items()}.keys() == row.keys()
        assert line['project.Alpha.done'] == float(row['project.Alpha.done'])


def test_the_number_of_workers_makes_no_difference_and_shards_make_up_the_whole(path):
    whole = sweep(path, *SMALL, '-j', 1)
    assert whole == sweep(path, *SMALL, '-j', 5)
    assert whole == ''.join(sweep(path, *SMALL, '--shard', f'{part}/3') for part in (1, 2, 3))


def test_a_table_of_hosts_is_part_of_the_scenario(path, tmp_path):
    """Rows that come from another table are not mixed with these."""
    table = tmp_path / 'hosts.csv'
    table.write_text('count\n6\n', encoding='utf-8')
    path.write_text(GRID.replace('count = 6\n', f'table = {table}\n'), encoding='utf-8')
    arguments = [path, '--figures', 'flops_used', '-o', tmp_path / 'out.csv']
    sweep(*arguments)
    assert 'already there' in sweep(*arguments)
    table.write_text('count\n7\n', encoding='utf-8')
    assert 'scenario' in refused(*arguments)


def test_several_scenarios(path, tmp_path):
    other = tmp_path / 'other.ini'
    other.write_text(GRID.replace('seed = 5', 'seed = 6'), encoding='utf-8')
    rows = rows_of(path, other, '--figures', 'calls')
    assert [row['file'] for row in rows] == [str(path), str(other)] and rows[0]['calls'] != rows[1]['calls']
    host = tmp_path / 'host.ini'
    host.write_text('[host]\ncpus = 1\nflops = 1e9\n[project P]\n[app P/A]\nlatency_bound = 1e5\nest_flops = 1e12\n',
                    encoding='utf-8')
    assert refused(path, host) == f'{path} and {host}: one is a grid, the other a host'
    assert refused(host, '--vary', 'server.min_quorum=1', status=2).startswith('--vary server.min_quorum: there is no')


# ---- refusals --------------------------------------------------------------------------------------------------------

@pytest.mark.parametrize('arguments, status, message', [
    (['--vary', 'server.Alpha.quorum=1'], 2, r'--vary server.Alpha.quorum: \[server\] sections have no such key'),
    (['--vary', 'server.Gamma.min_quorum=1'], 2,
     r'--vary server.Gamma.min_quorum: FILE has no section \[server Gamma\]'),
    (['--vary', 'server.min_quorum=1,0'], 1,
     r'server.min_quorum=0: FILE: \[server Alpha\] min_quorum: is too small.*'),
    (['--vary', 'population.home.available=0.5,2'], 1,
     r'population.home.available=2: FILE: \[population home\] available: .*'),
    (['--figures', 'waste'], 2, r'--figures waste: choose from hosts, left, .*'),
    (['--figures', 'resource.CPU.idleness'], 2, r'--figures resource.CPU.idleness: choose from hosts, .*'),
    (['--figures', 'population.home.p95'], 2,
     r'--figures .*: choose population.FIGURE or population.NAME.FIGURE from .*'),
    (['--figures', 'project.Gamma.done'], 2, r'--figures project.Gamma.done: FILE has no project Gamma'),
    (['--hosts', 'hosts.csv'], 2, r'--hosts: the hosts of a grid are those of its \[population\] sections'),
    (['--policy', 'x.so'], 2, '--policy: a policy in C is for one host, not for a grid'),
    (['--vary', 'policy=none'], 2, '--vary policy: a policy in C is for one host, not for a grid'),
])
def test_what_is_refused(arguments, status, message, path, tmp_path):
    (tmp_path / 'hosts.csv').write_text('cpus,count\n1,2\n', encoding='utf-8')
    said = refused(path, *(tmp_path / 'hosts.csv' if one == 'hosts.csv' else one for one in arguments), status=status)
    assert re.fullmatch(message.replace('FILE', re.escape(str(path))), said), said


# ---- going on --------------------------------------------------------------------------------------------------------

@pytest.mark.parametrize('sent', [signal.SIGINT, signal.SIGTERM])
def test_a_sweep_that_was_broken_off_goes_on(sent, path, tmp_path):
    """One short row, and an endless one: its run is broken off, too."""
    out = tmp_path / 'table.csv'
    options = ['--seeds', 2, '--figures', 'project.done', '-o', out]
    durations = '--vary', 'emulation.duration=10000,1e9'
    with running('sweep', path, *durations, *options, '-j', 3, stderr=subprocess.PIPE) as process:
        while not out.exists() or out.read_bytes().count(b'\n') < 2:
            assert process.poll() is None
        process.send_signal(sent)
        _, said = process.communicate()
    assert process.returncode == 130 and b'interrupted with 1 of 2 rows' in said
    whole = sweep(path, '--vary', 'emulation.duration=10000', *options[:-2])
    assert out.read_text(encoding='utf-8') == whole
    assert not pathlib.Path(f'{out}.part').exists()
    assert '1 of 1 rows are already there' in sweep(path, '--vary', 'emulation.duration=10000', *options)
