# SPDX-License-Identifier: MIT
"""vcemu sweep: which points there are, where they come from, and what a row says of the runs of one.

The environment variable VCEMU is the path of the program.
"""

import errno
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

import pytest

from test_vcemu_sweep import PIPES, SHORT, VCEMU, refused, running, sweep, table_of
from vcemu_examples import ROOT, environment, output_of

HOSTS = 'cpus,flops,count\n1,1e9,10\n2,5e8,5\n3,2e9,0.5\n'


@pytest.fixture(name='short')
def fixture_short(tmp_path):
    path = tmp_path / 'short.ini'
    path.write_text(SHORT, encoding='utf-8')
    return path


@pytest.fixture(name='hosts')
def fixture_hosts(tmp_path):
    path = tmp_path / 'hosts.csv'
    path.write_text(HOSTS, encoding='utf-8')
    return path


def run(text, *options):
    return json.loads(output_of('run', '-', '--json', *options, stdin=text))


def lines_of(text):
    return [json.loads(line) for line in text.splitlines()]


# ---- values that move together ---------------------------------------------------------------------------------------

def test_axes_that_move_together(short):
    rows = table_of(sweep(short, '--vary', 'host.cpus=1,2', '--with', 'host.flops=1e9,3e9', '--with', 'min_buffer=5,7',
                          '--vary', 'app.P/A.weight=1,2', '--figures', 'flops_available'))
    columns = ('host.cpus', 'host.flops', 'min_buffer', 'app.P/A.weight')
    assert [tuple(row[column] for column in columns) for row in rows] \
        == [(*together, weight) for together in (('1', '1e9', '5'), ('2', '3e9', '7')) for weight in '12']
    assert float(rows[3]['flops_available']) == pytest.approx(6 * float(rows[0]['flops_available']))


@pytest.mark.parametrize('options, message', [
    (['--with', 'host.cpus=1'], '--with host.cpus=1: there is no --vary or --points before it'),
    (['--vary', 'host.cpus=1,2', '--with', 'host.flops=1e9'],
     '--with host.flops: 1 values, but 2 in the option that it moves with'),
    (['--vary', 'host.cpus=1,2', '--with', 'host.cpus=3,4'],
     '--with host.cpus: --vary host.cpus already sets the same key'),
    (['--vary', 'host.cpus=1,2', '--with', 'host.ccpus=3,4'], '--with host.ccpus: [host] sections have no such key'),
])
def test_what_cannot_move_together(options, message, short):
    assert refused(short, *options, status=2) == message


# ---- a table of points -----------------------------------------------------------------------------------------------

@pytest.mark.parametrize('table', ['host.cpus,min_buffer\n1,500\n3,0x10\n', 'host.cpus\tmin_buffer\n1\t500\n3\t0x10\n',
                                   '# two\r\n\r\n host.cpus , "min_buffer" \r\n"1", 500\r\n 3 ,"0x10"',
                                   '"host.cpus"\tmin_buffer\n\n1\t 500 \n"3" \t0x10\n# end\n'])
def test_each_row_of_a_table_is_a_point(table, short, tmp_path):
    path = tmp_path / 'points'
    path.write_text(table, encoding='utf-8')
    options = ['--vary', 'profile=current,study2007', '--figures', 'calls']
    assert sweep(short, '--points', path, *options) \
        == sweep(short, '--vary', 'host.cpus=1,3', '--with', 'min_buffer=500,0x10', *options)


def test_cells_may_hold_what_separates_them(short, tmp_path):
    short.write_text(SHORT + '[gpu x, "y"]\nflops = 1e9\n', encoding='utf-8')
    path = tmp_path / 'points.csv'
    path.write_text('app.P/A.gpu\n"x, ""y"""\n', encoding='utf-8')
    row, = table_of(sweep(short, '--points', path, '--figures', 'calls'))
    assert row['app.P/A.gpu'] == 'x, "y"'


@pytest.mark.parametrize('table, message', [
    ('', 'FILE: there is no row; the first line has the keys, and each other line values'),
    ('host.cpus\n', 'FILE: there is no row; the first line has the keys, and each other line values'),
    ('host.cpus,host.ram\n1\n', 'FILE:2: there are 1 cells, and 2 headings'),
    ('host.cpus\n1,2\n', 'FILE:2: there are 2 cells, and 1 headings'),
    ('host.cpus,host.ram\n1,\n', 'FILE:2: a cell is empty'),
    ('host.cpus\n"1\n', 'FILE:2: a quote is not closed'),
    ('host.cpus\n"1"2\n', 'FILE:2: text follows a cell in quotes'),
    ('host.cpus\n1\a\n', 'FILE:2: a cell contains a control character'),
    ('cpus\n1\n', 'FILE: cpus: there is no such parameter; keys of sections are KIND.KEY'),
    ('host.ccpus\n1\n', 'FILE: host.ccpus: [host] sections have no such key'),
    ('emulation.seed\n1\n', 'FILE: emulation.seed: --seeds says how many seeds there are'),
    ('host.cpus,host.cpus\n1,1\n', 'FILE: host.cpus: FILE: host.cpus already sets the same key'),
])
def test_tables_that_are_refused(table, message, short, tmp_path):
    path = tmp_path / 'points.csv'
    path.write_text(table, encoding='utf-8')
    assert refused(short, '--points', path, status=2) == message.replace('FILE', str(path))


def test_a_table_that_is_not_there(short, tmp_path):
    assert refused(short, '--points', tmp_path / 'none', status=2) \
        == f'{tmp_path}/none: cannot be opened: No such file or directory'


def test_a_value_of_a_table_that_is_refused(short, tmp_path):
    path = tmp_path / 'points.csv'
    path.write_text('host.cpus,host.flops\n1,1e9\n2,x\n', encoding='utf-8')
    assert refused(short, '--points', path) \
        == f'host.cpus=2, host.flops=x: {short}: [host] flops: "x" is not a number'


# ---- hosts -----------------------------------------------------------------------------------------------------------

def test_a_host_of_the_table_is_emulated_as_that_host(short, hosts):
    """Each with seeds of its own, the same ones at each point."""
    rows = table_of(sweep(short, '--hosts', hosts, '--seeds', 2, '--each-seed', '--vary', 'min_buffer=0,900',
                          '--figures', 'flops_used,waste'))
    assert [(row['min_buffer'], row['cpus'], row['flops'], row['count'], row['seed']) for row in rows] \
        == [(buffer, *host, str(seed)) for buffer in ('0', '900')
           for host, seeds in ((('1', '1e9', '10'), (1, 2)), (('2', '5e8', '5'), (3, 4)), (('3', '2e9', '0.5'), (5, 6)))
            for seed in seeds]
    for row in rows:
        scenario = re.sub(r'cpus = 1\nflops = 1e9', f"cpus = {row['cpus']}\nflops = {row['flops']}", SHORT)
        single = run(scenario, '--set', f"min_buffer={row['min_buffer']}", '--seed', row['seed'])
        assert float(row['flops_used']) == single['flops_used']


def weighted(rows, figure):
    """The values, and how often each counts."""
    return [(float(row[figure]), float(row['count'])) for row in rows if row[figure] != '']


def test_a_row_is_about_all_hosts(short, hosts):
    """Means and their errors by hand: each host counts as often as there are such, each varies by itself."""
    common = [short, '--hosts', hosts, '--seeds', 4, '--vary', 'min_buffer=0,900']
    figures = ['--figures', 'flops_used,waste,rpcs_per_job']
    names = 'mean,se,sd,min,max,q0,q5,median,q97.5,q100'
    wholes = table_of(sweep(*common, *figures, '--statistics', names))
    runs = table_of(sweep(*common, *figures, '--each-seed'))
    assert [row['min_buffer'] for row in wholes] == ['0', '900']
    for whole, figure in itertools.product(wholes, ('flops_used', 'waste', 'rpcs_per_job')):
        assert (whole['hosts'], whole['runs']) == ('15.5', '12')
        of_point = [row for row in runs if row['min_buffer'] == whole['min_buffer']]
        pairs = weighted(of_point, figure)
        weight = sum(count for _, count in pairs)
        mean = sum(value * count for value, count in pairs) / weight
        assert float(whole[figure]) == pytest.approx(mean, rel=1e-12)
        variance = sum(count * (value - mean) ** 2 for value, count in pairs) / weight
        assert float(whole[f'{figure}_sd']) == pytest.approx(math.sqrt(variance), rel=1e-9, abs=1e-12)
        of_hosts = [weighted([row for row in of_point if row['cpus'] == host], figure) for host in '123']
        assert all(len(of_host) != 1 for of_host in of_hosts)
        of_sum = sum(of_host[0][1] ** 2 * len(of_host) * statistics.variance(value for value, _ in of_host)
                     for of_host in of_hosts if of_host)
        assert float(whole[f'{figure}_se']) == pytest.approx(math.sqrt(of_sum) / weight, rel=1e-9, abs=1e-12)
        assert whole.get(f'{figure}_runs', '12') == str(len(pairs))
        pairs.sort()
        assert (float(whole[f'{figure}_min']), float(whole[f'{figure}_max'])) == (pairs[0][0], pairs[-1][0])
        for name, fraction in (('q0', 0), ('q5', 0.05), ('median', 0.5), ('q97.5', 0.975), ('q100', 1)):
            below = itertools.accumulate(count for _, count in pairs)
            assert float(whole[f'{figure}_{name}']) \
                == next(value for (value, _), sum_ in zip(pairs, below) if sum_ >= fraction * weight)


def test_one_seed_tells_no_error_but_a_deviation(short, hosts):
    row, = table_of(sweep(short, '--hosts', hosts, '--figures', 'flops_used', '--statistics', 'mean,se,sd'))
    assert row['flops_used_se'] == '' and float(row['flops_used_sd']) > 0
    row, = table_of(sweep(short, '--figures', 'flops_used', '--statistics', 'mean,se,sd'))
    assert row['flops_used_se'] == row['flops_used_sd'] == ''


def test_each_host_has_a_row(short, hosts):
    rows = table_of(sweep(short, '--hosts', hosts, '--seeds', 3, '--each-host', '--figures', 'flops_used'))
    runs = table_of(sweep(short, '--hosts', hosts, '--seeds', 3, '--each-seed', '--figures', 'flops_used'))
    assert [(row['count'], row['runs']) for row in rows] == [('10', '3'), ('5', '3'), ('0.5', '3')]
    for i, row in enumerate(rows):
        values = [float(one['flops_used']) for one in runs[3 * i:3 * i + 3]]
        assert float(row['flops_used']) == pytest.approx(statistics.fmean(values), rel=1e-12)
        assert float(row['flops_used_se']) == pytest.approx(statistics.stdev(values) / math.sqrt(3), rel=1e-9)


def test_without_a_count_there_is_one_of_each(short, tmp_path):
    tables = [tmp_path / 'plain.csv', tmp_path / 'counted.csv']
    tables[0].write_text('cpus\n1\n2\n', encoding='utf-8')
    tables[1].write_text('count,cpus\n1,1\n1,2\n', encoding='utf-8')
    first, second = (sweep(short, '--hosts', table, '--figures', 'waste') for table in tables)
    assert first == second and table_of(first)[0]['hosts'] == '2'


def test_other_hosts_are_another_sweep(short, hosts, tmp_path):
    path = tmp_path / 'table.csv'
    options = [short, '--hosts', hosts, '--figures', 'waste', '-o', path]
    sweep(*options)
    for changed in (HOSTS.replace(',10\n', ',11\n'), HOSTS.replace('5e8', '4e8')):
        hosts.write_text(changed, encoding='utf-8')
        assert 'the row comes from another scenario' in refused(*options) or 'hosts is' in refused(*options)


@pytest.mark.parametrize('table, message', [
    ('count\n3\n', 'FILE: there is no column besides count'),
    ('cpus,count\n1,0\n', 'FILE: count: "0" is not a number above 0'),
    ('cpus,count\n1,many\n', 'FILE: count: "many" is not a number above 0'),
    ('bogus\n1\n', 'FILE: bogus: there is no such parameter; keys of sections are KIND.KEY'),
])
def test_tables_of_hosts_that_are_refused(table, message, short, tmp_path):
    path = tmp_path / 'hosts.csv'
    path.write_text(table, encoding='utf-8')
    assert refused(short, '--hosts', path, status=2) == message.replace('FILE', str(path))


def test_options_about_hosts(short, hosts):
    assert refused(short, '--each-host', status=2) == '--each-host: there are no hosts without --hosts'
    assert refused(short, '--hosts', hosts, '--hosts', hosts, status=2).startswith('--hosts: there is more than one')
    assert refused(short, '--hosts', hosts, '--vary', 'host.cpus=1', status=2) \
        == f'{hosts}: cpus: --vary host.cpus already sets the same key'


REAL = ROOT.parent / 'shared' / 'states' / 'hosts-lhc-2016.tsv'


@pytest.mark.skipif(not REAL.exists(), reason='the population is not here')
def test_a_real_population(short, tmp_path):
    """All hosts of a project in 2016, with a heading and FLOPS instead of GFLOPS."""
    classes = [line.split('\t') for line in REAL.read_text(encoding='ascii').splitlines() if '\t' in line]
    path = tmp_path / 'hosts.tsv'
    path.write_text('count\tflops\n' + ''.join(f'{count}\t{float(speed) * 1e9!r}\n' for count, speed in classes),
                    encoding='ascii')
    row, = table_of(sweep(short, '--hosts', path, '--figures', 'flops_available', '--statistics', 'mean,median'))
    assert float(row['hosts']) == sum(int(count) for count, _ in classes)
    assert int(row['runs']) == len(classes)


# ---- several scenarios -----------------------------------------------------------------------------------------------

def test_a_list_of_scenarios_is_one_sweep(short, tmp_path):
    other = tmp_path / 'other, "2".ini'
    other.write_text(SHORT.replace('cpus = 1', 'cpus = 3') + 'seed = 8\n', encoding='utf-8')
    options = ['--vary', 'min_buffer=0,900', '--seeds', '2', '--each-seed', '--figures', 'flops_used']
    rows = table_of(sweep(short, other, *options))
    assert [(row['file'], row['min_buffer'], row['seed']) for row in rows] \
        == [(str(path), buffer, str(seed)) for path, first in ((short, 1), (other, 8)) for buffer in ('0', '900')
            for seed in (first, first + 1)]
    alone = table_of(sweep(short, *options)) + table_of(sweep(other, *options))
    assert [row['flops_used'] for row in rows] == [row['flops_used'] for row in alone]
    assert len({row['scenario'] for row in rows}) == 1


def test_one_of_several_scenarios_is_wrong(short, tmp_path):
    other = tmp_path / 'other.ini'
    other.write_text(SHORT.replace('[project Q]', '[project R]').replace('app Q/', 'app R/'), encoding='utf-8')
    assert refused(short, other, '--vary', 'project.Q.share=1', status=2) \
        == f'--vary project.Q.share: {other} has no section [project Q]'
    assert refused(short, other, '--figures', 'project.Q.late', status=2) \
        == f'--figures project.Q.late: {other} has no project Q'
    other.write_text(SHORT.replace('1e13', 'x'), encoding='utf-8')
    assert refused(short, other) == f'{other}:9: [app P/A] est_flops: "x" is not a number'


# ---- figures of projects and resources -------------------------------------------------------------------------------

def test_figures_of_projects_and_resources_are_those_of_run(short):
    row, = table_of(sweep(short, '--figures', 'project.in_time,project.Q/a.b=c.mean_wait'.split(',')[0]
                          + ',project.P.mean_wait,resource.CPU.used,resource.idleness,waste'))
    outcome = run(SHORT)
    for project in outcome['projects']:
        assert float(row[f"project.{project['name']}.in_time"]) == project['in_time']
    assert float(row['project.P.mean_wait']) == outcome['projects'][0]['mean_wait']
    assert float(row['resource.CPU.used']) == outcome['resources'][0]['used']
    assert float(row['resource.CPU.idleness']) == outcome['resources'][0]['idleness']
    assert [name for name in row if not name.endswith(('_se', '_runs'))] \
        == ['runs', 'project.P.in_time', 'project.Q.in_time', 'project.P.mean_wait', 'resource.CPU.used',
            'resource.CPU.idleness', 'waste', 'scenario']


def test_names_with_dots_and_commas(short):
    short.write_text(SHORT.replace('P', 'a,"b".c'), encoding='utf-8')
    row, = table_of(sweep(short, '--figures', r'project.a\,"b".c.received', '--statistics', 'mean,max'))
    assert list(row) == ['runs', 'project.a,"b".c.received', 'project.a,"b".c.received_max', 'scenario']
    assert float(row['project.a,"b".c.received']) == run(SHORT)['projects'][0]['received']


@pytest.mark.parametrize('figures, status, message', [
    ('project.waste', 2, '--figures project.waste: choose project.FIGURE or project.NAME.FIGURE from flops_used, *'),
    ('resource.CPU.late', 2,
     '--figures resource.CPU.late: choose resource.FIGURE or resource.NAME.FIGURE from waste, *'),
    ('project.id', 2, '--figures project.id: choose *'),
    ('project.X.late', 2, '--figures project.X.late: FILE has no project X'),
    ('resource.GPU.used', 2, '--figures resource.GPU.used: FILE has no resource GPU'),
    ('project.late,project.P.late', 2, '--figures: project.P.late is there twice'),
])
def test_figures_that_there_are_not(figures, status, message, short):
    said = refused(short, '--figures', figures, status=status)
    assert re.fullmatch(re.escape(message.replace('FILE', str(short))).replace(r'\*', '.*'), said), said


# ---- distributions ---------------------------------------------------------------------------------------------------

def test_quantiles_and_deviations_over_seeds(short):
    common = [short, '--seeds', 11, '--figures', 'available_time,rpcs_per_job']
    row, = table_of(sweep(*common, '--statistics', 'sd,min,q10,median,q90,max'))
    runs = table_of(sweep(*common, '--each-seed'))
    assert [name for name in row if name.startswith('available')] \
        == [f'available_time_{name}' for name in ('sd', 'min', 'q10', 'median', 'q90', 'max')]
    values = sorted(float(one['available_time']) for one in runs)
    assert float(row['available_time_sd']) == pytest.approx(statistics.stdev(values), rel=1e-9)
    # The least value with at least 10 % of the eleven at or below it, then 50 %, then 90 %.
    assert [float(row[f'available_time_{name}']) for name in ('min', 'q10', 'median', 'q90', 'max')] \
        == [values[i] for i in (0, 1, 5, 9, 10)]


def test_histograms_add_up(short, hosts):
    options = [short, '--seeds', 3, '--hosts', hosts, '--figures', 'idleness,rpcs_per_job']
    row, = table_of(sweep(*options, '--statistics', 'mean', '--histogram', 'rpcs_per_job=0.5:1.2:0.3'))
    classes = ['below', 'from_0.5', 'from_0.8', 'from_1.1', 'above']
    assert [name for name in row if name.startswith('rpcs')] \
        == ['rpcs_per_job', *(f'rpcs_per_job_{name}' for name in classes), 'rpcs_per_job_runs']
    pairs = weighted(table_of(sweep(*options, '--each-seed')), 'rpcs_per_job')
    weight = sum(count for _, count in pairs)
    borders = (-math.inf, 0.5, 0.8, 1.1, math.nextafter(1.2, 2), math.inf)
    for name, first, last in zip(classes, borders, borders[1:]):
        there = sum(count for value, count in pairs if first <= value < last)
        assert float(row[f'rpcs_per_job_{name}']) == pytest.approx(there / weight, rel=1e-12)
    assert sum(float(row[f'rpcs_per_job_{name}']) for name in classes) == pytest.approx(1, rel=1e-12)


def test_a_value_on_the_last_border_is_within(short):
    """One that is always on is never idle, and 1 is the greatest value there can be."""
    row, = table_of(sweep(short, '--figures', 'received', '--histogram', 'received=0:1e6:1e6'))
    assert (row['received_below'], row['received_from_0'], row['received_above']) == ('0', '1', '0')
    received = row['received']
    row, = table_of(sweep(short, '--figures', 'received', '--histogram', f'received=0:{received}:{received}'))
    assert (row['received_from_0'], row['received_above']) == ('1', '0')
    row, = table_of(sweep(short, '--figures', 'received', '--histogram', f'received={received}:1e6:1e6'))
    assert (row['received_below'], row[f'received_from_{received}']) == ('0', '1')


@pytest.mark.parametrize('options, message', [
    *((['--statistics', names], f'--statistics {names}: choose from mean, se, sd, min, max, median and qPERCENT, such '
       'as q95, each at most once and not more than 32')
      for names in ('', 'mean,', 'mean,mean', 'q', 'q101', 'q-1', 'qx', 'variance')),
    *((['--histogram', text], f'--histogram {text}: expected FIGURE=FROM:TO:STEP, in numbers, with at most 1000 steps')
      for text in ('waste', 'waste=', 'waste=0:1', 'waste=0:1:0', 'waste=1:0:0.1', 'waste=0:1:x', '=0:1:0.1',
                   'waste=0:1:0.0001', 'waste=0:1:0.1:2', 'waste=0:nan:1')),
    (['--histogram', 'waste=0:1:1', '--histogram', 'waste=0:2:1'],
     '--histogram waste=0:2:1: there is another histogram of this figure'),
    (['--each-seed', '--statistics', 'mean'],
     '--statistics: a row of one seed has no statistics; leave out --each-seed'),
    (['--each-seed', '--histogram', 'waste=0:1:1'],
     '--histogram: a row of one seed has no statistics; leave out --each-seed'),
])
def test_options_about_distributions(options, message, short):
    assert refused(short, *options, status=2) == message


def test_a_histogram_of_a_figure_that_is_not_told(short):
    assert refused(short, '--figures', 'late', '--histogram', 'waste=0:1:1', status=2) \
        == '--histogram waste: it is not among the figures of this sweep'


# ---- JSON ------------------------------------------------------------------------------------------------------------

def test_json_says_the_same_as_csv(short, hosts):
    options = [short, '--hosts', hosts, '--vary', 'profile=current,study2007', '--vary', 'emulation.duration=0x7d0,3e4',
               '--seeds', 2, '--statistics', 'mean,se,q50', '--histogram', 'late=0:9:3', '--figures',
               'late,rpcs_per_job,project.received']
    for more in ([], ['--each-host'], ['--each-seed']):
        chosen = [option for option in options if not more or more == ['--each-host'] or option not in
                  ('--statistics', 'mean,se,q50', '--histogram', 'late=0:9:3')]
        rows, objects = table_of(sweep(*chosen, *more)), lines_of(sweep(*chosen, *more, '--json'))
        assert [list(one) for one in objects] == [list(row) for row in rows]
        for row, one in zip(rows, objects):
            for name, cell in row.items():
                value = one[name]
                assert cell == '' if value is None else value == cell if isinstance(value, str) \
                    else float(cell) == value
        assert {type(one['emulation.duration']) for one in objects} == {str, float}  # 0x7d0 is no number in JSON
        assert any(value is None for one in objects for value in one.values())


# ---- workers, shards, going on ---------------------------------------------------------------------------------------

WAYS = [['--statistics', 'mean,se,median', '--histogram', 'late=0:9:3'], ['--each-host'], ['--each-seed']]


@pytest.mark.parametrize('form', [[], ['--json']])
@pytest.mark.parametrize('way', WAYS)
def test_shards_and_workers_make_no_difference(way, form, short, hosts, tmp_path):
    other = tmp_path / 'other.ini'
    other.write_text(SHORT.replace('flops = 1e9', 'flops = 3e9'), encoding='utf-8')
    options = [short, other, '--hosts', hosts, '--vary', 'min_buffer=0,900', '--with', 'host.ram=1e9,2e9', '--seeds', 2,
               '--figures', 'late,waste,project.received', *way, *form]
    whole = sweep(*options, '-j', 1)
    assert {sweep(*options, '-j', workers) for workers in (2, 5)} == {whole}
    for shards in (2, 3, 5):
        assert ''.join(sweep(*options, '--shard', f'{part}/{shards}') for part in range(1, shards + 1)) == whole


@pytest.mark.parametrize('form', [[], ['--json']])
@pytest.mark.parametrize('way', WAYS)
def test_such_a_sweep_goes_on_from_wherever_it_was_cut_off(way, form, short, hosts, tmp_path):
    options = [short, '--hosts', hosts, '--vary', 'min_buffer=0,900', '--figures', 'late', *way, *form]
    whole = sweep(*options).encode()
    path = tmp_path / 'table'
    for cut in range(0, len(whole), 37):
        path.write_bytes(whole[:cut])
        sweep(*options, '-o', path)
        assert path.read_bytes() == whole


def test_resuming_a_table_that_is_not_there(short, tmp_path):
    path = tmp_path / 'table.csv'
    options = [short, '--vary', 'host.cpus=1,2', '--figures', 'late', '-o', path]
    assert refused(*options, '--resume') == f'{path}: cannot be resumed: No such file or directory'
    assert not path.exists()
    assert refused(short, '--resume', status=2) == '--resume: name the table with --output'
    whole = sweep(*options[:-2])
    sweep(*options)
    path.write_text(whole[:whole.index('\n') + 1], encoding='utf-8')
    sweep(*options, '--resume')
    assert path.read_text(encoding='utf-8') == whole


# ---- runs of a row that is not complete ------------------------------------------------------------------------------

# Five seeds of some milliseconds; then a row that never ends, with many runs soon done.
ENDLESS = ['--vary', 'host.cpus=1,2', '--seeds', '1000000', '--figures', 'flops_used,waste']


def kept(path):
    part = pathlib.Path(f'{path}.part')
    return part.read_text(encoding='utf-8').splitlines() if part.exists() else []


def wait_for_runs(path, process, runs):
    while len(kept(path)) < runs:
        assert process.poll() is None


@pytest.mark.parametrize('sent', [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_the_runs_of_an_incomplete_row_are_kept(sent, short, tmp_path):
    """And gone on from; they are those that rows of single seeds tell."""
    path = tmp_path / 'table.csv'
    with running('sweep', short, *ENDLESS, '-o', path, '-j', '2', **PIPES) as process:
        wait_for_runs(path, process, 20)
        process.send_signal(sent)
        _, stderr = process.communicate()
    runs = len(kept(path))
    if sent != signal.SIGKILL:
        assert process.returncode == 130
        assert stderr.decode() == (f'vcemu: {path}: interrupted with 0 of 2 rows and {runs} of 1000000 runs of the '
                                   'next; the same command continues from there\n')
    before = kept(path)
    with running('sweep', short, *ENDLESS, '-o', path, '-j', '2', **PIPES) as process:
        wait_for_runs(path, process, runs + 20)
        process.send_signal(signal.SIGTERM)
        process.communicate()
    assert kept(path)[:runs] == before[:runs] and len(kept(path)) >= runs + 20
    values = [float(line.split(',')[2]) for line in kept(path)[:200]]
    rows = table_of(sweep(short, '--vary', 'host.cpus=1', '--seeds', len(values), '--each-seed',
                          '--figures', 'flops_used'))
    assert [float(row['flops_used']) for row in rows] == values


def changed(lines):
    """Runs in which other values stand."""
    return re.sub(r'^(p\w+,\d+),[^,]*,', r'\1,777,', lines, flags=re.MULTILINE)


def stop_at(room, *arguments):
    """A sweep that may write no file longer than this: the disk is full."""

    def leave_little_room():
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

    result = subprocess.run([VCEMU, 'sweep', *map(str, arguments)], cwd=ROOT, env=environment(), check=False,
                            capture_output=True, encoding='utf-8', preexec_fn=leave_little_room)
    assert (result.returncode, result.stdout) == (1, '')
    assert result.stderr.endswith(f'.part: cannot be written: {os.strerror(errno.EFBIG)}\n')


@pytest.mark.parametrize('form', [[], ['--json']])
@pytest.mark.parametrize('room', [100, 101, 120, 150, 200])
def test_a_row_of_kept_runs_is_the_same(room, form, short, hosts, tmp_path):
    """Torn lines are done again; what belongs to another row or sweep is not used."""
    path, part = tmp_path / 'table.csv', tmp_path / 'table.csv.part'
    options = [short, '--hosts', hosts, '--seeds', '3', '--figures', 'late,rpcs_per_job', *form]
    values = ['--vary', 'min_buffer=0,900']
    whole = sweep(*options, *values)
    stop_at(room, *options, *values, '-o', path)
    left = part.read_text(encoding='utf-8')
    assert left.count('\n') >= 3 and len(left) <= room
    sweep(*options, *values, '-o', path)
    assert path.read_text(encoding='utf-8') == whole and not part.exists()
    for others in (['--vary', 'min_buffer=5,900'], [*values, '--set', 'period=600'], [*values, '--seeds', '4'],
                   [*values, '--shard', '2/2'], [*values, '--force']):
        part.write_text(changed(left), encoding='utf-8')
        path.unlink()
        sweep(*options, *others, '-o', path)
        assert path.read_text(encoding='utf-8') == sweep(*options, *others) and not part.exists()


def test_values_that_were_kept_are_used(short, tmp_path):
    """A value that was changed counts, so its run was not done again."""
    path = tmp_path / 'table.csv'
    with running('sweep', short, *ENDLESS, '-o', path, **PIPES) as process:
        wait_for_runs(path, process, 5)
        process.terminate()
        process.communicate()
    part = pathlib.Path(f'{path}.part')
    lines = kept(path)[:5]
    part.write_text(changed('\n'.join(lines) + '\n'), encoding='utf-8')
    with running('sweep', short, *ENDLESS, '-o', path, **PIPES) as process:
        wait_for_runs(path, process, 8)
        process.terminate()
        process.communicate()
    assert [line.split(',')[2] for line in kept(path)[:5]] == ['777'] * 5
    assert [line.split(',')[1] for line in kept(path)[:8]] == list('01234567')
