# SPDX-License-Identifier: MIT
"""vcemu sweep, from outside: what its table says, and that it can be broken off, gone on with and cut into shards.

The environment variable VCEMU is the path of the program.
"""

import csv
import errno
import io
import itertools
import json
import math
import os
import pathlib
import re
import resource
import signal
import statistics
import subprocess
import time

import pytest

from vcemu_examples import ROOT, environment, examples_in, on_a_terminal, output_of, running, vcemu

VCEMU = os.path.abspath(os.environ['VCEMU'])

# A host that is on half of the time, for so short a time that it reports nothing with some seeds.
SHORT = """[host]
cpus = 1
flops = 1e9
available = 0.5
available_mean = 3000
usable = 1
[project P]
[app P/A]
est_flops = 1e13
latency_bound = 2e4
[project Q]
share = 50
[app Q/a.b=c]
est_flops = 5e12
latency_bound = 2e4
[emulation]
duration = 30000
"""
# Four points of several seeds, each in milliseconds.
SMALL = ['--vary', 'host.cpus=1,2', '--vary', 'emulation.duration=1e4,3e4', '--seeds', '3',
         '--figures', 'waste,rpcs_per_job,late']
# For builds in which each case takes several times as long.
ONE_CASE_IN = int(os.environ.get('VCS_ONE_CASE_IN', '1'))
# Sixty short rows; and the same ones before sixty rows of 3000 years, so that a sweep is still under way
# whenever a test gets round to looking at it.
SECONDS = 86400 * (10 if ONE_CASE_IN == 1 else 1)
SIXTY, ENDLESS = ([ROOT / 'examples' / 'study' / 'base.ini', '--vary', f'emulation.duration={durations}',
                   '--vary', 'min_buffer=1000:60000:1000', '--figures', 'calls']
                  for durations in (SECONDS, f'{SECONDS},1e11'))


@pytest.fixture(name='short')
def fixture_short(tmp_path):
    path = tmp_path / 'short.ini'
    path.write_text(SHORT, encoding='utf-8')
    return path


def table_of(text):
    return list(csv.DictReader(io.StringIO(text)))


def sweep(*arguments, **options):
    return output_of('sweep', *arguments, **options)


def refused(*arguments, status=1, **options):
    """The one line that is said."""
    result = vcemu('sweep', *arguments, **options)
    assert (result.returncode, result.stdout) == (status, '')
    assert re.fullmatch('vcemu: [^\n]*\n', result.stderr)
    return result.stderr[len('vcemu: '):-1]


# ---- the table -------------------------------------------------------------------------------------------------------

def test_the_manual_has_an_example():
    # That it shows what the tool prints, test_vcemu.py finds out.
    assert any(command.startswith('vcemu sweep') for command, _ in examples_in('doc/vcemu.md'))


def test_points_are_in_the_order_of_the_axes(short):
    rows = table_of(sweep(short, '--vary', 'profile=current,study2007', '--vary', 'host.cpus=1:3:1',
                          '--vary', 'min_buffer=0,5,2', '--figures', 'calls'))
    assert [(row['profile'], row['host.cpus'], row['min_buffer']) for row in rows] \
        == list(itertools.product(('current', 'study2007'), '123', '052'))


@pytest.mark.parametrize('values, expected', [
    ('1,2, 3', ['1', '2', '3']),
    ('0:1:0.1', ['0', '0.1', '0.2', '0.3', '0.4', '0.5', '0.6', '0.7', '0.8', '0.9', '1']),
    ('0.1:0.35:0.1', ['0.1', '0.2', '0.3']),
    ('3:1:-1', ['3', '2', '1']),
    ('1:1000:x10', ['1', '10', '100', '1000']),
    ('1000:1:x0.1', ['1000', '100', '10', '1']),
    ('1:10:x1.5', ['1', '1.5', '2.25', '3.375', '5.0625', '7.59375']),
    ('7:7:0', ['7']),
    ('5,1:2:1,0x10,1e3', ['5', '1', '2', '0x10', '1e3']),
])
def test_lists_and_ranges(short, values, expected):
    rows = table_of(sweep(short, '--vary', f'min_buffer={values}', '--figures', 'calls'))
    assert [row['min_buffer'] for row in rows] == expected


def edited(section, key, value):
    """The scenario with this key replaced."""
    header, body, rest = re.fullmatch(rf'(.*^\[{re.escape(section)}\]\n)([^[]*)(.*)', SHORT,
                                      re.MULTILINE | re.DOTALL).groups()
    return header + re.sub(rf'^{key} = .*\n', '', body, flags=re.MULTILINE) + f'{key} = {value}\n' + rest


POINTS = [
    ('host.cpus=2', edited('host', 'cpus', 2), []),
    ('host.connection_interval=500', edited('host', 'connection_interval', 500), []),
    ('project.P.share=300', edited('project P', 'share', 300), []),
    ('app.P/A.latency_bound=1e4', edited('app P/A', 'latency_bound', '1e4'), []),
    ('app.Q/a.b=c.latency_bound=1e4', edited('app Q/a.b=c', 'latency_bound', '1e4'), []),
    ('emulation.duration=50000', edited('emulation', 'duration', 50000), []),
    ('emulation.work_fetch=WF1', edited('emulation', 'work_fetch', 'WF1'), []),
    ('app.est_flops=2e12', SHORT.replace('est_flops = 1e13', 'est_flops = 2e12')
     .replace('est_flops = 5e12', 'est_flops = 2e12'), []),
    ('min_buffer=20000', SHORT, ['--set', 'min_buffer=20000']),
    ('profile=study2007', SHORT, ['--profile', 'study2007']),
]


@pytest.mark.parametrize('axis, scenario, options', POINTS, ids=[point[0] for point in POINTS])
def test_a_row_is_what_run_says(axis, scenario, options, short):
    """The scenario of a point is the file in which the value stands."""
    row, = table_of(sweep(short, '--vary', axis))
    run = json.loads(output_of('run', '-', '--json', *options, stdin=scenario))
    assert row[axis.rpartition('=')[0]] == axis.rpartition('=')[2]
    assert row['runs'] == '1'
    figures = {name: value for name, value in run.items() if name in row and name != 'profile'}
    assert len(figures) >= 14
    for name, value in figures.items():
        assert (float(row[name]) if row[name] else None) == value
        assert row[f'{name}_se'] == ''
    for name in 'waste', 'idleness', 'share_violation', 'monotony', 'rpcs_per_job':
        assert row[f'{name}_runs'] == ('0' if run[name] is None else '1')


def test_the_values_above_make_a_difference():
    outcomes = [output_of('run', '-', '--json', *options, stdin=scenario) for _, scenario, options in POINTS]
    assert output_of('run', '-', '--json', stdin=SHORT) not in outcomes


def test_a_parameter_holds_whatever_the_file_says(short):
    short.write_text(SHORT + 'work_fetch = CURRENT\n[client]\nwork_fetch = wf1\n', encoding='utf-8')
    rows = table_of(sweep(short, '--vary', 'work_fetch=current,wf2'))
    expected = [json.loads(output_of('run', short, '--json', '--set', f'work_fetch={rule}'))['calls']
                for rule in ('current', 'wf2')]
    assert [float(row['calls']) for row in rows] == expected
    assert len(set(expected)) == 2


def test_days_hold_whatever_the_file_says(short):
    """Also for a state without [emulation], such as a real client's."""
    for scenario in SHORT, SHORT.split('[emulation]')[0]:
        short.write_text(scenario, encoding='utf-8')
        row, = table_of(sweep(short, '--days', '2', '--vary', 'host.cpus=2'))
        run = json.loads(output_of('run', '-', '--days', '2', '--json', stdin=scenario.replace('cpus = 1', 'cpus = 2')))
        assert run['duration'] == 172800 and float(row['available_time']) == run['available_time']
        assert row['scenario'] != table_of(sweep(short, '--days', '3', '--figures', 'calls'))[0]['scenario']


def test_keys_with_commas_and_quotes_are_quoted(short):
    short.write_text(SHORT.replace('P', 'a,"b"'), encoding='utf-8')
    row, = table_of(sweep(short, '--vary', 'project.a,"b".share=7'))
    assert row['project.a,"b".share'] == '7'


def test_a_key_may_be_set_for_all_rows(short):
    """As if it stood in the file; other keys vary beside it."""
    options = [short, '--vary', 'project.Q.share=1,50', '--seeds', '2', '--figures', 'calls,flops_used']
    set_ones = table_of(sweep(*options, '--set', 'app.est_flops=3e12', '--set', 'project.P.share=20'))
    others = table_of(sweep(*options))
    text = re.sub('est_flops = .*', 'est_flops = 3e12', SHORT).replace('[project P]', '[project P]\nshare = 20')
    short.write_text(text, encoding='utf-8')
    edited = table_of(sweep(*options))
    for row in (*set_ones, *others, *edited):
        del row['scenario']
    assert set_ones == edited != others


def test_a_value_may_hold_commas_and_colons(short):
    short.write_text(SHORT + '[gpu x: 1, 2]\nflops = 1e9\n', encoding='utf-8')
    rows = table_of(sweep(short, '--vary', r'app.P/A.gpu=x\: 1\, 2', '--figures', 'calls'))
    assert [row['app.P/A.gpu'] for row in rows] == ['x: 1, 2']


def test_means_and_standard_errors_by_hand(short):
    """Undefined figures are empty, and the means are over the runs that have them."""
    arguments = [short, '--vary', 'emulation.duration=2e3,3e4,6e4', '--seeds', '12']
    means, runs = table_of(sweep(*arguments)), table_of(sweep(*arguments, '--each-seed'))
    figures = [name for name in runs[0] if name not in ('emulation.duration', 'seed', 'scenario')]
    assert {'waste', 'idleness', 'share_violation', 'monotony', 'rpcs_per_job', 'calls', 'late'} <= set(figures)
    assert [(row['emulation.duration'], row['seed']) for row in runs] \
        == list(itertools.product(('2e3', '3e4', '6e4'), map(str, range(1, 13))))
    counts = set()
    for mean in means:
        of_point = [row for row in runs if row['emulation.duration'] == mean['emulation.duration']]
        for name in figures:
            values = [float(row[name]) for row in of_point if row[name] != '']
            counts.add(len(values))
            assert int(mean.get(f'{name}_runs', 12)) == len(values)
            if not values:
                assert mean[name] == mean[f'{name}_se'] == ''
                continue
            assert float(mean[name]) == pytest.approx(statistics.fmean(values), rel=1e-12, abs=1e-15)
            error = statistics.stdev(values) / math.sqrt(len(values))
            assert float(mean[f'{name}_se']) == pytest.approx(error, rel=1e-9, abs=1e-12)
    assert 0 in counts and 12 in counts and len(counts) > 2


def test_seeds_begin_with_that_of_the_scenario(short):
    short.write_text(SHORT + 'seed = 40\n', encoding='utf-8')
    rows = table_of(sweep(short, '--seeds', '2', '--each-seed', '--figures', 'calls,available_time'))
    assert [row['seed'] for row in rows] == ['40', '41']
    run = json.loads(output_of('run', '-', '--json', stdin=SHORT + 'seed = 41\n'))
    assert float(rows[1]['available_time']) == run['available_time'] != float(rows[0]['available_time'])


def test_one_run_has_no_standard_error_and_two_have(short):
    first, second = (table_of(sweep(short, '--seeds', seeds, '--figures', 'available_time'))[0] for seeds in '12')
    assert first['available_time_se'] == '' and float(second['available_time_se']) > 0


def test_figures_are_written_as_they_are_named(short):
    text = sweep(short, '--seeds', '2', '--figures', 'late,waste')
    assert text.splitlines()[0] == 'runs,late,late_se,waste,waste_se,waste_runs,scenario'
    every = sweep(short).splitlines()[0].split(',')
    header = (ROOT / 'include' / 'vcemu' / 'emulator.h').read_text(encoding='ascii')
    fields = re.findall(r'^    (?:double|uint64_t) (\w+);', header.split('typedef struct vcs_outcome {')[1]
                        .split('} vcs_outcome;')[0], re.MULTILINE)
    assert [name for name in every if not name.endswith(('_se', '_runs'))] == ['runs', *fields, 'scenario']


def test_the_mark_changes_with_what_the_rows_come_from(short):
    def mark(*options):
        return table_of(sweep(short, '--figures', 'calls', *options))[0]['scenario']
    first = mark()
    assert re.fullmatch('s[0-9a-f]{16}', first)
    assert first not in (mark('--set', 'min_buffer=1'), mark('--profile', 'study2007'))
    short.write_text(f'# a remark\n{SHORT}', encoding='utf-8')
    assert mark() == first
    short.write_text(SHORT.replace('1e13', '1.1e13'), encoding='utf-8')
    assert mark() != first


def test_files_that_the_scenario_names_count_too(short, tmp_path):
    trace, path = tmp_path / 'trace.txt', tmp_path / 'table.csv'
    trace.write_text('4000\n5000\n', encoding='utf-8')
    short.write_text(SHORT.replace('available = 0.5\navailable_mean = 3000', 'trace = trace.txt'), encoding='utf-8')
    arguments = [short, '--vary', 'host.cpus=1,2', '--figures', 'available_time', '-o', path]
    sweep(*arguments, '-j', '2')
    assert [row['available_time'] for row in table_of(path.read_text(encoding='utf-8'))] == ['29000', '29000']
    trace.write_text('4000\n6000\n', encoding='utf-8')
    assert 'the row comes from another scenario' in refused(*arguments)


# ---- workers and shards ----------------------------------------------------------------------------------------------

@pytest.mark.parametrize('options', [[], ['--each-seed']])
def test_the_number_of_workers_makes_no_difference(options, short):
    texts = {sweep(short, *SMALL, *options, '-j', workers) for workers in (1, 2, 3, 16)}
    assert texts == {sweep(short, *SMALL, *options)}


@pytest.mark.parametrize('options', [[], ['--each-seed']])
@pytest.mark.parametrize('shards', [1, 2, 3, 7])
def test_shards_make_up_the_whole(shards, options, short):
    parts = [sweep(short, *SMALL, *options, '--shard', f'{part}/{shards}') for part in range(1, shards + 1)]
    assert ''.join(parts) == sweep(short, *SMALL, *options)
    rows = [part.count('\n') for part in parts]
    rows[0] -= 1
    assert max(rows) - min(rows) <= (1 if not options else 3)


# ---- going on --------------------------------------------------------------------------------------------------------

@pytest.mark.parametrize('options', [[], ['--each-seed'], ['--shard', '2/2']])
def test_a_sweep_goes_on_from_wherever_it_was_cut_off(options, short, tmp_path):
    arguments = [short, '--vary', 'host.cpus=1,2', '--seeds', '2', '--figures', 'waste', *options]
    whole = sweep(*arguments).encode()
    path = tmp_path / 'table.csv'
    total = whole.count(b'\n') - whole.startswith(b'host.cpus')
    for cut in sorted({0, len(whole) - 1, len(whole), *range(3, len(whole), 11 * ONE_CASE_IN)}):
        path.write_bytes(whole[:cut])
        said = sweep(*arguments, '-o', path)
        assert path.read_bytes() == whole
        rows = max(0, whole[:cut].count(b'\n') - (total != whole.count(b'\n')))
        assert said == (f'{path}: {rows} of {total} rows are already there\n' if rows else '')


def test_what_is_there_is_not_emulated_again(short, tmp_path):
    """A figure that was changed stays, so the row was kept."""
    path = tmp_path / 'table.csv'
    sweep(short, *SMALL, '-o', path)
    whole = path.read_text(encoding='utf-8')
    lines = whole.splitlines(keepends=True)
    lines[1] = re.sub(r',[^,]*(,[^,]*,[^,]*)$', r',0.125\1', lines[1])
    path.write_text(''.join(lines[:3]), encoding='utf-8')
    sweep(short, *SMALL, '-o', path)
    assert path.read_text(encoding='utf-8') == ''.join(lines)


PIPES = {'stdout': subprocess.PIPE, 'stderr': subprocess.PIPE}


def wait_for_rows(path, process, rows):
    while not path.exists() or path.read_bytes().count(b'\n') <= rows:
        assert process.poll() is None
        time.sleep(0.01)


@pytest.fixture(name='whole', scope='module')
def fixture_whole():
    return sweep(*SIXTY)


@pytest.mark.parametrize('sent, status', [(signal.SIGINT, 130), (signal.SIGTERM, 130), (signal.SIGKILL, -9)])
def test_a_sweep_that_was_broken_off_goes_on(sent, status, whole, tmp_path):
    path = tmp_path / 'table.csv'
    with running('sweep', *ENDLESS, '-o', path, '-j', '2', encoding='utf-8', **PIPES) as process:
        wait_for_rows(path, process, 2)
        process.send_signal(sent)
        stdout, stderr = process.communicate()
    left = path.read_text(encoding='utf-8')
    rows = left.count('\n') - 1
    assert (process.returncode, stdout) == (status, '')
    assert 2 <= rows <= 60 and left.endswith('\n') and whole.startswith(left)
    if status == 130:
        assert stderr == f'vcemu: {path}: interrupted with {rows} of 120 rows; the same command continues from there\n'
    assert sweep(*SIXTY, '-o', path, '-j', '3') == f'{path}: {rows} of 60 rows are already there\n'
    assert path.read_text(encoding='utf-8') == whole


def test_an_interrupted_sweep_writes_whole_rows_to_the_standard_output(whole):
    with running('sweep', *ENDLESS, bufsize=0, **PIPES) as process:
        lines = [process.stdout.readline() for _ in range(3)]
        process.send_signal(signal.SIGINT)
        rest, stderr = process.communicate()
    left = (b''.join(lines) + rest).decode()
    assert process.returncode == 130
    assert left.endswith('\n') and whole.startswith(left)
    rows = left.count('\n') - 1
    assert stderr.decode() == f'vcemu: standard output: interrupted with {rows} of 120 rows\n'


def test_two_sweeps_do_not_write_the_same_file(tmp_path):
    path = tmp_path / 'table.csv'
    with running('sweep', *ENDLESS, '-o', path, '-j', '1', **PIPES) as process:
        wait_for_rows(path, process, 1)
        assert refused(*ENDLESS, '-o', path) == f'{path}: another sweep is writing to it'
        assert process.poll() is None


def test_a_full_disk_leaves_whole_rows(short, tmp_path):
    path = tmp_path / 'table.csv'
    whole = sweep(short, *SMALL)
    room = len(whole) - 20

    def leave_little_room():
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

    result = subprocess.run([VCEMU, 'sweep', short, *SMALL, '-o', path], cwd=ROOT, env=environment(), check=False,
                            capture_output=True, encoding='utf-8', preexec_fn=leave_little_room)
    assert result.returncode == 1
    assert result.stderr == f'vcemu: {path}: cannot be written: {os.strerror(errno.EFBIG)}\n'
    assert path.read_text(encoding='utf-8') == whole[:whole.rindex('\n', 0, -1) + 1]
    sweep(short, *SMALL, '-o', path)
    assert path.read_text(encoding='utf-8') == whole


# ---- files of other sweeps -------------------------------------------------------------------------------------------

OTHERS = [
    (['--vary', 'host.cpus=1,3'], {}, '3: host.cpus is "2", and in this sweep it is "3"'),
    (['--vary', 'host.cpus=1'], {}, '3: the file has more rows than this sweep'),
    (['--vary', 'host.cpus=1,2', '--seeds', '5'], {}, '2: runs is "4", and in this sweep it is "5"'),
    (['--vary', 'host.ram=1,2'], {}, '1: its columns do not match this sweep'),
    (['--vary', 'host.cpus=1,2', '--figures', 'late'], {}, '1: its columns do not match this sweep'),
    (['--vary', 'host.cpus=1,2', '--each-seed'], {}, '1: its columns do not match this sweep'),
    (['--vary', 'host.cpus=1,2', '--shard', '2/2'], {}, '1: host.cpus is "host.cpus", and in this sweep it is "2"'),
    (['--vary', 'host.cpus=1,2', '--set', 'min_buffer=5'], {}, '2: the row comes from another scenario, *'),
    (['--vary', 'host.cpus=1,2', '--profile', 'rpc2003'], {}, '2: the row comes from another scenario, *'),
    (['--vary', 'host.cpus=1,2'], {'1e13': '2e13'}, '2: the row comes from another scenario, *'),
]


@pytest.mark.parametrize('options, changes, message', OTHERS)
def test_a_file_of_another_sweep_is_refused(options, changes, message, short, tmp_path):
    path = tmp_path / 'table.csv'
    common = ['--seeds', '4', '--figures', 'waste', '-o', path]
    sweep(short, '--vary', 'host.cpus=1,2', *common)
    before = path.read_bytes()
    text = SHORT
    for old, new in changes.items():
        text = text.replace(old, new)
    short.write_text(text, encoding='utf-8')
    said = refused(short, *common, *options)
    pattern = re.escape(f'{path}:{message}').replace(r'\*', '.*') + '; --force overwrites the file'
    assert re.fullmatch(pattern, said), said
    assert path.read_bytes() == before
    assert sweep(short, *common, *options, '--force') == ''
    assert path.read_text(encoding='utf-8') == sweep(short, *common[:-2], *options)


@pytest.mark.parametrize('text', ['a shopping list\n', 'a list without an end', 'host.cpus,runs and more\n', '\n',
                                  'host.cpus,runs,waste,waste_se,waste_runs,scenario\n1,2', '\0\0\0\n',
                                  'host.cpus,runs,waste,waste_se,waste_runs,scenario\n1,4,0\n'])
def test_a_file_that_is_no_table_is_left_alone(text, short, tmp_path):
    path = tmp_path / 'notes.txt'
    path.write_text(text, encoding='utf-8')
    said = refused(short, '--vary', 'host.cpus=1,2', '--seeds', '4', '--figures', 'waste', '-o', path)
    assert said.startswith(f'{path}:') and said.endswith('; --force overwrites the file')
    assert path.read_text(encoding='utf-8') == text


# ---- errors of the input ---------------------------------------------------------------------------------------------

OPTIONS = [
    (['--vary', 'cpus=1'], '--vary cpus: there is no such parameter; keys of sections are KIND.KEY'),
    (['--vary', 'min_buffer'], '--vary min_buffer: expected KEY=VALUES'),
    (['--vary', '=1'], '--vary =1: expected KEY=VALUES'),
    (['--vary', ''], '--vary : expected KEY=VALUES'),
    (['--vary', 'min_buffer='], '--vary min_buffer: a value is missing'),
    (['--vary', 'min_buffer=1,,2'], '--vary min_buffer: a value is missing'),
    (['--vary', 'host.colour=1'], '--vary host.colour: [host] sections have no such key'),
    (['--vary', 'app.P/A.colour=1'], '--vary app.P/A.colour: [app] sections have no such key'),
    (['--vary', 'hosts.cpus=1'],
     '--vary hosts.cpus: there is no kind of section of the name before the dot'),
    (['--vary', 'client.min_buffer=1'],
     '--vary client.min_buffer: parameters go by their name alone, without client.'),
    (['--vary', 'host.x.cpus=1'], '--vary host.x.cpus: the section [host] has no name'),
    (['--vary', 'emulation.seed=1,2'], '--vary emulation.seed: --seeds says how many seeds there are'),
    (['--vary', 'min_buffer=1:2'],
     '--vary min_buffer: a range is FROM:TO:STEP or FROM:TO:xFACTOR; a \\ before a : makes it part of a word'),
    (['--vary', 'min_buffer=1:2:3:4'],
     '--vary min_buffer: a range is FROM:TO:STEP or FROM:TO:xFACTOR; a \\ before a : makes it part of a word'),
    (['--vary', 'min_buffer=a:2:3'], '--vary min_buffer: a range is FROM:TO:STEP or FROM:TO:xFACTOR, in numbers'),
    (['--vary', 'min_buffer=1::3'], '--vary min_buffer: a range is FROM:TO:STEP or FROM:TO:xFACTOR, in numbers'),
    *((['--vary', f'min_buffer={values}'],
       '--vary min_buffer: the range is empty: its steps do not lead to its end')
      for values in ('1:2:-1', '2:1:1', '1:2:0', '1:2:x0.5', '2:1:x2', '1:2:x1', '1:2:x-2', '-1:2:x2', '0:2:x2')),
    (['--vary', 'min_buffer=0:1e9:0.1'], '--vary min_buffer: it has more than 1000000000 values'),
    (['--vary', 'min_buffer=-1e308:1e308:1e-308'], '--vary min_buffer: it has more than 1000000000 values'),
    (['--vary', 'min_buffer=1:1e5:1', '--vary', 'host.ram=1:1e5:1'],
     '--vary host.ram: the sweep has more than 1000000000 points'),
    (['--vary', 'min_buffer=1\n2'], '--vary min_buffer: a value contains a control character'),
    (['--vary', 'min_buffer=1', '--vary', 'min_buffer=2'],
     '--vary min_buffer: --vary min_buffer already sets the same key'),
    (['--vary', 'app.weight=1', '--vary', 'app.P/A.weight=2'],
     '--vary app.P/A.weight: --vary app.weight already sets the same key'),
    (['--vary', 'min_buffer=1', '--set', 'min_buffer=2'], '--vary min_buffer: --set sets the same parameter'),
    (['--vary', 'app.P/A.weight=2', '--set', 'app.weight=1'], '--vary app.P/A.weight: --set sets the same key'),
    (['--vary', 'profile=current', '--profile', 'current'], '--vary profile: --profile sets it to one value'),
    *((['--seeds', value], f'--seeds {value}: must be a whole number from 1 to 1000000')
      for value in ('0', '-1', '1.5', 'x', '', '1e7')),
    *((['-j', value], f'-j {value}: must be a whole number from 1 to 1024') for value in ('0', 'x', '1025')),
    *((['--shard', value], f'--shard {value}: must be K/N, part K of N, with whole numbers and 1 <= K <= N <= 1000000')
      for value in ('0/2', '3/2', '1', '/2', '1/', 'a/b', '1/2/3', '1/1e9')),
    (['--vary', 'emulation.duration=5', '--days', '3'], '--vary emulation.duration: --days sets it to one value'),
    (['--days', '0'], '--days: "0" is not a number of days above 0'),
    (['--vary'], '--vary: needs a value'),
    (['--trace', 'x'], '--trace: there is no such option, or it takes no value; try: vcemu sweep --help'),
]


@pytest.mark.parametrize('arguments, message', OPTIONS)
def test_wrong_options(arguments, message, short, tmp_path):
    path = tmp_path / 'table.csv'
    assert refused(short, '-o', path, *arguments, status=2) == message
    assert not path.exists()


def test_a_figure_that_there_is_not(short):
    wrong_names = {'wast': 'wast', 'late,wast,waste': 'wast', 'waste,': 'waste,', 'late,late': 'late', '': ''}
    for names, wrong in wrong_names.items():
        said = refused(short, '--figures', names, status=2)
        assert re.fullmatch(rf'--figures {wrong}: choose from waste, idleness, .*fetches.*, each at most once', said)


INPUTS = [
    (['--vary', 'host.cpus=1,0'], 'host.cpus=0: FILE: [host] cpus: is too small*'),
    (['--vary', 'host.cpus=1,x'], 'host.cpus=x: FILE: [host] cpus: "x" is not a number'),
    (['--vary', 'host.available=0.5:1.5:0.5'], 'host.available=1.5: FILE: [host] available: "1.5" is more than 1'),
    (['--vary', 'min_buffer=0,-1'], '--vary min_buffer=-1: min_buffer: must be a number from 0 to *'),
    (['--vary', 'scheduling=fair'], '--vary scheduling=fair: scheduling: "fair" is not one of its values; *'),
    (['--vary', 'profile=current,best'], '--vary profile=best: "best" is not a profile; *'),
    (['--vary', 'emulation.work_fetch=WF3'],
     'emulation.work_fetch=WF3: FILE: [emulation] work_fetch: "WF3" is not one of its values; use wf1, wf2, *'),
    (['--vary', 'emulation.cpu_scheduling=CS11'],
     'emulation.cpu_scheduling=CS11: FILE: [emulation] cpu_scheduling: "CS11" is not one of its values: *'),
    # The emulator looks at this one, and the library at that.
    (['--vary', 'app.P/A.latency_bound=0'], 'app.P/A.latency_bound=0: FILE: [app P/A] latency_bound: *'),
    (['--vary', 'project.share=-1'], 'project.share=-1: FILE: [project P] share: is negative*'),
    (['--vary', 'emulation.duration=1,0'], 'emulation.duration=0: FILE: [emulation] duration: *'),
    # The same value is wrong in one place and right in another: the whole point is named.
    (['--vary', 'host.cpus=1,2', '--vary', 'app.P/A.gpu=g'],
     'host.cpus=1, app.P/A.gpu=g: FILE: [app P/A] gpu: there is no section [gpu g]'),
]


@pytest.mark.parametrize('arguments, message', INPUTS)
def test_values_that_are_refused(arguments, message, short, tmp_path):
    path = tmp_path / 'table.csv'
    said = refused(short, '-o', path, *arguments, status=2 if message.startswith('--') else 1)
    assert re.fullmatch(re.escape(message.replace('FILE', str(short))).replace(r'\*', '.*'), said), said
    assert not path.exists()


@pytest.mark.parametrize('arguments, message', [
    (['--vary', 'app.Q.weight=1'], '--vary app.Q.weight: FILE has no section [app Q]'),
    (['--vary', 'gpu.count=1'], '--vary gpu.count: FILE has no section [gpu]'),
    (['--set', 'app.est_flops=x'], '--set app.est_flops: FILE: [app P/A] est_flops: "x" is not a number'),
    (['--set', 'app.P/A.latency_bound=0'], '--set app.P/A.latency_bound: FILE: [app P/A] latency_bound: *')])
def test_options_that_do_not_fit_the_file(arguments, message, short):
    said = refused(short, *arguments, status=2)
    assert re.fullmatch(re.escape(message.replace('FILE', str(short))).replace(r'\*', '.*'), said), said


def test_what_is_wrong_with_the_scenario_itself_is_told_with_its_line(short):
    """Of the scenario as it is, before any value is put in."""
    short.write_text(SHORT.replace('[app P/A]\n', '[app P/A]\nsd_flops = x\n'), encoding='utf-8')
    assert refused(short, '--vary', 'host.cpus=1') == f'{short}:9: [app P/A] sd_flops: "x" is not a number'


def test_values_that_do_not_go_together_end_the_sweep_there(short, tmp_path):
    """Only the last of the four points has a minimum above its maximum. The rows before it are kept."""
    path = tmp_path / 'table.csv'
    arguments = [short, '--vary', 'backoff_min=10,100', '--vary', 'backoff_max=1000,50', '--figures', 'calls',
                 '-o', path]
    message = '--vary backoff_min=100, backoff_max=50: backoff_max: is less than the corresponding minimum'
    for workers in '1', '3':
        assert refused(*arguments, '-j', workers, '--force', status=2) == message
        rows = path.read_text(encoding='utf-8').splitlines()[1:]
        assert [row.split(',')[:2] for row in rows] == [['10', '1000'], ['10', '50'], ['100', '1000']]
    result = vcemu('sweep', *arguments)
    assert (result.returncode, result.stdout) == (2, f'{path}: 3 of 4 rows are already there\n')


@pytest.mark.parametrize('path', ['/dev/full', 'missing/table.csv', '.'])
def test_a_file_that_cannot_be_written(path, short, tmp_path):
    full = tmp_path / path
    assert refused(short, '-o', full).startswith(f'{full}: cannot be written: ')


def test_scenarios_that_cannot_be_read(short, tmp_path):
    assert refused(tmp_path / 'none.ini', '--vary', 'host.cpus=1').startswith(f'{tmp_path}/none.ini: cannot be opened')
    assert refused(status=2) == 'sweep: the name of a state file is missing; try: vcemu sweep --help'
    assert sweep('-', *SMALL, stdin=SHORT) == sweep(short, *SMALL)


def test_help_tells_of_every_option():
    text = sweep('--help')
    for option in ('--vary', '--seeds', '--output', '--figures', '--each-seed', '--workers', '--shard', '--force',
                   '--days', '--profile', '--set'):
        assert re.search(rf'^  (-\w, )?{option}\b', text, re.MULTILINE)
        assert option in (ROOT / 'doc' / 'vcemu.md').read_text(encoding='utf-8')
    assert '\nexamples:\n' in text and max(map(len, text.splitlines())) <= 120


# ---- the bar, and memory ---------------------------------------------------------------------------------------------

def test_no_bar_in_a_pipe(whole, tmp_path):
    with running('sweep', *SIXTY, '-o', tmp_path / 'table.csv', **PIPES) as process:
        assert process.communicate() == (b'', b'')
    assert (tmp_path / 'table.csv').read_text(encoding='utf-8') == whole


BAR = rb'\remulating \[#*\.*\] +\d+ %(?:, \d+:\d\d:\d\d left)?\033\[K'


def test_a_terminal_shows_a_bar(short, tmp_path):
    """However soon the sweep is over."""
    with on_a_terminal('sweep', short, *SMALL, '-o', tmp_path / 'table.csv') as (process, pieces):
        text = b''.join(pieces)
        assert process.wait() == 0
    assert re.match(BAR, text)
    assert text.endswith(b'\r\033[K') and re.sub(BAR, b'', text) == b'\r\033[K'


def test_the_bar_tells_how_long_it_takes(tmp_path):
    path = tmp_path / 'table.csv'
    with on_a_terminal('sweep', *ENDLESS, '-j', '1', '-o', path) as (process, pieces):
        text = next(pieces)
        while b'left\033[K' not in text:
            text += next(pieces)
        process.send_signal(signal.SIGINT)
        text += b''.join(pieces)
        assert process.wait() == 130
    bars = re.findall(BAR, text)
    assert any(b'left' in bar for bar in bars)
    assert max(map(len, bars)) < 80 + len('\r\033[K')
    assert re.sub(BAR, b'', text).startswith(f'\r\033[Kvcemu: {path}: interrupted with '.encode())


def peak_memory(short, last):
    """Of a sweep over this many values, when it has done them all, in kilobytes."""
    arguments = [short, '--vary', 'emulation.duration=1,1e11', '--vary', f'min_buffer=1:{last}:1', '--figures', 'calls',
                 '-j', '2']
    with running('sweep', *arguments, stdout=subprocess.PIPE) as process:
        for _ in range(1 + last):
            process.stdout.readline()
        status = pathlib.Path(f'/proc/{process.pid}/status').read_text(encoding='ascii')
    return int(re.search(r'^VmHWM:\s+(\d+) kB$', status, re.MULTILINE)[1])


@pytest.mark.skipif('ASAN_OPTIONS' in os.environ, reason='a sanitizer keeps what was released')
def test_memory_does_not_grow_with_the_number_of_points(short):
    assert peak_memory(short, 10000) < peak_memory(short, 1000) + 1024
