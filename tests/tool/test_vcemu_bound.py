# SPDX-License-Identifier: MIT
"""vcemu bound, and --bound of run and grid: what any policy loses at least.

The environment variable VCEMU is the path of the program.
"""

import csv
import io
import json
import re
from xml.etree import ElementTree

import pytest

from vcemu_examples import ROOT, output_of, vcemu

SHIPPED = 'examples/scenarios/off_by_turns.ini'
KINDS = ['optimal', 'hopeless', 'any_size', 'blind_optimal', 'blind_hopeless']
HOST = '[host]\ncpus = 1\nflops = 1e9\navailable = 0.5\navailable_mean = 3600\n'
TEN_HOURS = '[project P]\n[app P/A]\nest_flops = 3.6e13\nlatency_bound = 64800\n'
TWO_HOURS = '[project Q]\n[app Q/A]\nest_flops = 7.2e12\nlatency_bound = 64800\n'


def bound(scenario):
    return json.loads(output_of('bound', '-', '--json', stdin=scenario))


def test_ten_hours_within_eighteen():
    """The example of rule 15.9."""
    project, = bound(HOST + TEN_HOURS)['projects']
    assert project['hopeless'] == pytest.approx(0.5342, abs=5e-5)
    assert [project[kind] for kind in KINDS] == pytest.approx(
        [0.45608, 0.53420, 0.45608, 0.45608, 0.53420], abs=2e-5)
    assert (project['name'], project['share'], project['reason']) == ('P', 1, None)
    assert 0 < project['error'] < 1e-4


def test_the_curve_leads_from_the_shares_to_the_best_project():
    found = bound(HOST + TEN_HOURS + TWO_HOURS)
    assert list(found['curves']) == KINDS
    for kind in KINDS:
        first, second = found['curves'][kind]
        losses = [project[kind] for project in found['projects']]
        assert first == {'share_violation': 0, 'loss': pytest.approx(sum(losses) / 2), 'project': None}
        assert second == {'share_violation': 0.5, 'loss': pytest.approx(min(losses)), 'project': 'P'}


@pytest.mark.parametrize('host, jobs, reason, says', [
    (HOST.replace('0.5', '1'), TEN_HOURS, None, None),
    (HOST, TEN_HOURS.replace('64800', '30000'), 'infeasible', 'P: none of its jobs can be done in time.'),
    (HOST + 'available_step = 60\n', TEN_HOURS, 'spells', 'P: the host is on and off by a trace, in steps'),
    (HOST.replace('3600', '60'), TEN_HOURS, 'many_spells', 'P: the host goes on and off too often while a job'),
    (HOST, TEN_HOURS + '[project R]\n', None, 'R: it sends no jobs that take time.'),
])
def test_why_there_is_no_bound(host, jobs, reason, says):
    projects = bound(host + jobs)['projects']
    assert projects[0]['reason'] == reason
    if reason in ('spells', 'many_spells'):
        assert [projects[0][kind] for kind in KINDS] == [None] * 5
    if reason == 'infeasible':
        assert [projects[0][kind] for kind in KINDS] == [1] * 5
    text = output_of('bound', '-', stdin=host + jobs)
    assert says is None or f'\n{says}' in text
    assert ('There is no curve' in text) == (reason in ('spells', 'many_spells'))


def test_a_scenario_without_jobs_is_refused_as_by_run():
    for command in ('bound', 'run'):
        result = vcemu(command, '-', stdin=HOST)
        assert (result.returncode, result.stdout) == (1, '')
        assert 'there are no jobs to emulate' in result.stderr


def test_a_run_is_compared_on_request():
    plain = json.loads(output_of('run', '--json', SHIPPED))
    found = json.loads(output_of('run', '--json', '--bound', SHIPPED))
    assert {name: found[name] for name in plain} == plain
    cpu = found['resources'][0]
    assert found['lost'] == pytest.approx(cpu['wasted'] / cpu['used'])
    losses = [project['optimal'] for project in json.loads(output_of('bound', '--json', SHIPPED))['projects']]
    used = [project['flops_used'] for project in found['projects']]
    assert found['least_loss'] == pytest.approx(sum(map(lambda u, loss: u * loss, used, losses)) / sum(used))
    assert found['beyond_bound'] == pytest.approx(found['lost'] - found['least_loss'])
    assert 0.01 < found['beyond_bound'] < 0.1
    assert f'  beyond the bound  {found["beyond_bound"]:8.4f}\n' in output_of('run', '--bound', SHIPPED)
    assert 'bound' not in output_of('run', SHIPPED)


def sweep(scenario, *options):
    text = output_of('sweep', '-', '--figures', 'lost,least_loss,beyond_bound,waste', '--json', *options,
                     stdin=scenario)
    return [json.loads(line) for line in text.splitlines()]


def test_a_sweep_has_the_figures_by_name():
    with open(ROOT / SHIPPED, encoding='ascii') as stream:
        scenario = stream.read().replace('duration = 31536000', 'duration = 3e6')
    rows = sweep(scenario, '--vary', 'min_buffer=0,36000', '--vary', 'host.available=0.4,1', '--each-seed',
                 '--seeds', 2)
    assert len(rows) == 8
    for row in rows:
        assert row['beyond_bound'] == row['lost'] - row['least_loss']
        text = scenario.replace('available = 0.4', f'available = {row["host.available"]}')
        found = json.loads(output_of('run', '-', '--json', '--bound', '--seed', row['seed'], '--set',
                                     f'min_buffer={row["min_buffer"]}', stdin=text))
        assert {name: found[name] for name in ('lost', 'least_loss', 'beyond_bound')} == \
            {name: row[name] for name in ('lost', 'least_loss', 'beyond_bound')}
    assert all(row['least_loss'] == 0 for row in rows if row['host.available'] == 1)
    assert 'lost' not in output_of('sweep', '-', '--vary', 'min_buffer=0', stdin=scenario).splitlines()[0].split(',')


def test_a_sweep_of_a_host_without_a_bound_lacks_the_figures():
    scenario = HOST + 'available_step = 60\n' + TWO_HOURS + '[emulation]\nduration = 2e5\n'
    row, = sweep(scenario)
    assert row['beyond_bound'] is None and row['waste'] is not None
    result = vcemu('sweep', '-', '--figures', 'loss', stdin=scenario)
    assert result.returncode == 2
    assert result.stderr.endswith('lost, least_loss, beyond_bound, each at most once\n')


def test_a_run_without_a_bound_says_so():
    scenario = HOST + 'available_step = 60\n' + TWO_HOURS + '[emulation]\nduration = 2e5\n'
    text = output_of('run', '-', '--bound', stdin=scenario)
    assert '  beyond the bound     -     unknown: vcemu bound says why\n' in text
    found = json.loads(output_of('run', '-', '--bound', '--json', stdin=scenario))
    assert (found['lost'], found['least_loss'], found['beyond_bound']) == (None, None, None)


def rows_of(scenario):
    return list(csv.DictReader(io.StringIO(output_of('bound', '-', '--csv', stdin=scenario))))


@pytest.mark.parametrize('scenario', [
    HOST + TEN_HOURS + TWO_HOURS,
    HOST + TEN_HOURS + TWO_HOURS.replace(' Q', ' "Q", and more'),
    HOST + TEN_HOURS.replace('64800', '30000'),
    HOST + TEN_HOURS + '[project R]\n',
    HOST + 'available_step = 60\n' + TEN_HOURS,
])
def test_the_table_says_what_json_says(scenario):
    found, rows = bound(scenario), rows_of(scenario)
    number = {None: ''}
    expected = [
        {'row': 'project', 'bound': kind, 'project': project['name'], 'share': project['share'],
         'share_violation': '', 'loss': number.get(project[kind], project[kind]),
         'error': '' if project[kind] is None else project['error'], 'reason': project['reason'] or ''}
        for project in found['projects'] for kind in KINDS]
    expected += [
        {'row': 'curve', 'bound': kind, 'project': corner['project'] or '', 'share': '',
         'share_violation': corner['share_violation'], 'loss': corner['loss'], 'error': '', 'reason': ''}
        for kind in KINDS for corner in found['curves'][kind]]
    for row in rows:
        for name in ('share', 'share_violation', 'loss', 'error'):
            row[name] = float(row[name]) if row[name] else ''
    assert rows == expected


def test_the_picture_has_the_corners_of_every_curve(tmp_path):
    path = tmp_path / 'curve.svg'
    plain = output_of('bound', SHIPPED, '--json')
    assert output_of('bound', SHIPPED, '--json', '--picture', path) == plain
    curves = json.loads(plain)['curves']
    picture = ElementTree.parse(path).getroot()
    space = '{http://www.w3.org/2000/svg}'
    drawn = {element.get('id'): element.get('d') for element in picture.iter(space + 'path') if element.get('id')}
    assert list(drawn) == KINDS
    # Two corners of the first curve fix the scales; all other corners are where they should be by them.
    points = {kind: [tuple(map(float, pair)) for pair in re.findall(r'[ML]([\d.]+) ([\d.]+)', drawn[kind])]
              for kind in KINDS}
    for kind in KINDS:
        assert len(points[kind]) == len(curves[kind]) == 3
    (x0, y0), _, (x2, y2) = points['optimal']
    first, _, last = curves['optimal']
    across = (x2 - x0) / (last['share_violation'] - first['share_violation'])
    down = (y2 - y0) / (last['loss'] - first['loss'])
    for kind in KINDS:
        for (x, y), corner in zip(points[kind], curves[kind]):
            assert x == pytest.approx(x0 + across * (corner['share_violation'] - first['share_violation']), abs=0.03)
            assert y == pytest.approx(y0 + down * (corner['loss'] - first['loss']), abs=0.1)
            assert 0 < x < 640 and 0 < y < 400
    labels = [element.text for element in picture.iter(space + 'text')]
    for label in ('share violation', 'lost at least', 'optimal', 'hopeless', 'any size', 'blind: optimal', '0'):
        assert label in labels


@pytest.mark.parametrize('host', [HOST, HOST.replace('0.5', '1')])
def test_a_curve_of_one_corner_is_flat(tmp_path, host):
    path = tmp_path / 'curve.svg'
    output_of('bound', '-', '--picture', path, stdin=host + TEN_HOURS)
    drawn = re.search(r'id="optimal".* d="M(\S+) (\S+)H(\S+)"', path.read_text(encoding='ascii'))
    assert float(drawn[1]) == 64 and float(drawn[3]) == 616
    assert 24 <= float(drawn[2]) <= 352


def test_what_cannot_be_drawn_or_written(tmp_path):
    result = vcemu('bound', '-', '--picture', tmp_path / 'curve.svg', stdin=HOST + 'available_step = 60\n' + TEN_HOURS)
    assert (result.returncode, result.stdout) == (1, '')
    assert 'there is no curve to draw: not all projects have a bound' in result.stderr
    assert not (tmp_path / 'curve.svg').exists()
    result = vcemu('bound', '-', '--picture', tmp_path / 'no' / 'curve.svg', stdin=HOST + TEN_HOURS)
    assert result.returncode == 1 and 'cannot be written' in result.stderr
    result = vcemu('bound', '-', '--picture', '/dev/full', stdin=HOST + TEN_HOURS)
    assert result.returncode == 1 and 'cannot be written' in result.stderr
    result = vcemu('bound', '-', '--csv', '--json', stdin=HOST + TEN_HOURS)
    assert result.returncode == 2 and '--json and --csv are two forms of the same output' in result.stderr


# ---- grids -----------------------------------------------------------------------------------------------------------

COMPARED = ['lost', 'least_loss', 'beyond_bound']
TIGHT = '[project P]\n[server P]\nest_flops = 3.6e13\ndelay_bound = 64800\n'
ROOMY = '[project Q]\n[server Q]\nest_flops = 7.2e12\ndelay_bound = 64800\n'
HOURLY = 'cpus = 1\nflops = 1e9\navailable = 0.5\navailable_mean = 3600\n'
STUDIED = '[client]\nprofile = study2007\n'
GRID = ('[emulation]\nduration = 4e6\n' + STUDIED + TIGHT + ROOMY
        + '[population slow]\ncount = 5\n' + HOURLY + '[population fast]\ncount = 3\n' + HOURLY.replace('1e9', '2e9'))


def grid(scenario, *options):
    return json.loads(output_of('grid', '-', '--json', *options, stdin=scenario))


def test_a_grid_of_one_host_is_that_of_run():
    """What is lost, what is lost at least, and the operations are those of `run --bound`."""
    times = '[emulation]\nduration = 4e6\nseed = 3\n' + STUDIED
    alone = json.loads(output_of('run', '-', '--json', '--bound', stdin=times + HOST + TEN_HOURS))
    one = grid(times + TIGHT + '[population all]\ncount = 1\n' + HOURLY, '--bound')
    for record in (one['grid'], one['populations'][0], one['hosts'][0]):
        assert [record[key] for key in COMPARED] == pytest.approx([alone[key] for key in COMPARED])
    assert one['hosts'][0]['flops_used'] == alone['flops_used'] > 0
    assert alone['least_loss'] == pytest.approx(0.4561, abs=1e-4)


def test_a_grid_weighs_its_hosts_by_what_they_have_done():
    found = grid(GRID, '--bound')
    for record, name in [(found['grid'], None), *((record, record['name']) for record in found['populations'])]:
        hosts = [host for host in found['hosts'] if name in (None, host['population'])]
        done = sum(host['flops_used'] for host in hosts)
        for key in COMPARED:
            assert record[key] == pytest.approx(sum(host[key] * host['flops_used'] for host in hosts) / done)
        assert record['beyond_bound'] == pytest.approx(record['lost'] - record['least_loss'])
    slow, fast = found['populations']
    assert slow['least_loss'] > fast['least_loss'] > 0 and found['grid']['beyond_bound'] > 0
    text = output_of('grid', '-', '--bound', stdin=GRID)
    assert re.search(r'\nlost +\d.*%\n  at least +\d.*%\n  beyond the bound +\d.*%\n', text)
    assert f'beyond the bound {100 * found["grid"]["beyond_bound"]:.4g}%\n' in text


def test_a_grid_is_compared_only_where_it_is_wanted(tmp_path):
    page = tmp_path / 'page.html'
    with_bound = grid(GRID, '--bound', '--report', page)
    assert '"beyond_bound"' in page.read_text(encoding='utf-8').split('["beyond the bound"')[0]
    without = grid(GRID)
    for answer in (with_bound, without):
        for record in (answer['grid'], *answer['populations'], *answer['hosts']):
            assert len([record.pop(key) for key in COMPARED if key in record]) == (3 if answer is with_bound else 0)
    assert with_bound == without
    assert 'beyond the bound' not in output_of('grid', '-', stdin=GRID)


@pytest.mark.parametrize('old, new', [
    ('count = 5\n', 'count = 5\nclient_error = 0.1\n'),
    ('count = 5\n', 'count = 5\nspells = weibull\nspell_shape = 0.5\n'),
    ('[server P]\n', '[server P]\ndispatch = reply\n'),
])
def test_a_grid_says_nothing_where_there_is_no_bound(old, new):
    found = grid(GRID.replace(old, new), '--bound')
    slow, fast = found['populations']
    assert [slow[key] for key in COMPARED] == [None] * 3
    if old == '[server P]\n':
        assert fast['lost'] is None and found['grid']['lost'] is None
        assert '\nno host that computed anything has a bound\n' in output_of('grid', '-', '--bound',
                                                                             stdin=GRID.replace(old, new))
    else:
        assert found['grid']['beyond_bound'] == fast['beyond_bound'] > 0


def test_a_sweep_of_a_grid_has_the_figures_by_name():
    names = [*COMPARED, *(f'population.fast.{key}' for key in COMPARED), 'idleness']
    line, = output_of('sweep', '-', '--json', '--each-seed', '--figures', ','.join(names), stdin=GRID).splitlines()
    row, found = json.loads(line), grid(GRID, '--bound')
    assert [row[key] for key in COMPARED] == [found['grid'][key] for key in COMPARED]
    assert [row[f'population.fast.{key}'] for key in COMPARED] == [found['populations'][1][key] for key in COMPARED]
