# SPDX-License-Identifier: MIT
"""The comparison of policies over populations of hosts: the draws, the program, and its tables.

The environment variables POLICY_STUDY and VCEMU are the paths of the programs.
"""

import configparser
import csv
import io
import itertools
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / 'examples/study/policies'))
import scenarios  # noqa: E402  # pylint: disable=wrong-import-position
import tables  # noqa: E402  # pylint: disable=wrong-import-position

POLICY_STUDY, VCEMU = (os.path.abspath(os.environ[name]) for name in ('POLICY_STUDY', 'VCEMU'))
PAGE, FIGURES = ROOT / 'doc/policies.md', ROOT / 'doc/study/policies'
TABLES = ROOT / 'examples/study/policies/tables.py'
SCENARIOS = ROOT / 'examples/study/policies/scenarios.py'
POPULATIONS = ('plain', 'gpu', 'daytime', 'seldom', 'wrong', 'heavy', 'down')
DAY = 86400.0


def run(*arguments):
    return subprocess.run([POLICY_STUDY, *arguments], capture_output=True, text=True, check=False)


def rows_of(*arguments):
    result = run(*arguments)
    assert (result.returncode, result.stderr) == (0, '')
    return list(csv.DictReader(io.StringIO(result.stdout)))


def host(population, number):
    """A drawn host, as the scenario that is written for vcemu."""
    result = run('-p', population, '-w', str(number))
    assert (result.returncode, result.stderr) == (0, '')
    scenario = configparser.ConfigParser()
    scenario.read_string(result.stdout)
    return scenario


# ---- The draws ----

class Draws:
    """splitmix64, from the description of its author: the state grows by the golden ratio and is scrambled."""

    def __init__(self, state):
        self.state = state

    def uniform(self):
        self.state = (self.state + 0x9e3779b97f4a7c15) % 2**64
        z = self.state
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9 % 2**64
        z = (z ^ z >> 27) * 0x94d049bb133111eb % 2**64
        return ((z ^ z >> 31) >> 11) / 2**53

    def between(self, least, most):
        return least * (most / least) ** self.uniform()

    def one_of(self, *values):
        return values[int(self.uniform() * len(values))]


def plain_host(number):
    """The draws of a plain host, in their order, with each value by the name that it has in a scenario."""
    draws = Draws(number * 1000003 + 77)
    draws.uniform(), draws.uniform()
    it = {'flops': draws.between(1e9, 1e10), 'cpus': draws.one_of(1, 2, 4, 8, 16)}
    it['available'] = 1.0 if draws.uniform() < 0.25 else 0.2 + 0.8 * draws.uniform()
    it['available_mean'] = draws.between(1800, 172800)
    count = 1 if draws.uniform() < 0.3 else min(20, int(2 * 10 ** draws.uniform() + 0.5))
    varies, spread = draws.uniform(), draws.uniform()
    it['duration'] = DAY * (30 + 30 * draws.uniform())
    it['min_buffer'] = DAY * draws.one_of(0.01, 0.1, 0.1, 0.5, 1)
    it['additional_buffer'] = DAY * draws.one_of(0.01, 0.1, 0.5, 0.5, 1, 3)
    it['checkpoint_interval'], it['request_delay'] = draws.one_of(0, 300, 300, 1800), draws.one_of(0, 0, 60)
    equal = draws.uniform() < 0.5
    it['projects'] = []
    for _ in range(count):
        run_time, slack, share = draws.between(1000, 100000), draws.between(1.2, 60), draws.between(20, 500)
        flops = run_time * it['flops']
        it['projects'].append({'share': 100 if equal else share, 'latency_bound': slack * run_time,
                               'est_flops': flops, 'sd_flops': 0 if varies < 0.3 else spread * flops})
    return it


@pytest.mark.parametrize('number', list(range(1, 30)) + [2000])
def test_plain_hosts_are_drawn_in_their_order(number):
    expected, scenario = plain_host(number), host('plain', number)
    for section, keys in (('host', ('cpus', 'flops', 'available', 'available_mean')), ('emulation', ('duration',)),
                          ('client', ('min_buffer', 'additional_buffer'))):
        for key in keys:
            assert float(scenario[section][key]) == pytest.approx(expected[key], rel=1e-12), key
    projects = expected['projects']
    assert len([name for name in scenario if name.startswith('project ')]) == len(projects)
    for i, project in enumerate(projects, 1):
        app = scenario[f'app {i}/{i}']
        assert float(scenario[f'project {i}']['share']) == pytest.approx(project['share'], rel=1e-12)
        assert float(scenario[f'project {i}']['request_delay']) == expected['request_delay']
        assert float(app['checkpoint_interval']) == expected['checkpoint_interval']
        for key in ('latency_bound', 'est_flops', 'sd_flops'):
            assert float(app.get(key, 0)) == pytest.approx(project[key], rel=1e-12), key
        assert app['distribution'] == ('normal' if project['sd_flops'] > 0 else 'constant')


# Of the first three hosts: CPUs, fraction on, spell in s, projects, days; of the first job, run time in s and slack.
BY_HAND = {
    1: (2, 0.6465, 157883, 19, 58.82, 6307, 24.83),
    2: (16, 0.4588, 126593, 3, 46.16, 15835, 2.01),
    3: (4, 0.2136, 4818, 3, 38.28, 22125, 6.05),
}


@pytest.mark.parametrize('number', BY_HAND)
def test_the_first_hosts_are_these(number):
    scenario, by_hand = host('plain', number), BY_HAND[number]
    of_host, app = scenario['host'], scenario['app 1/1']
    run_time = float(app['est_flops']) / float(of_host['flops'])
    assert (int(of_host['cpus']), round(float(of_host['available']), 4), round(float(of_host['available_mean'])),
            len([name for name in scenario if name.startswith('project ')]),
            round(float(scenario['emulation']['duration']) / DAY, 2), round(run_time),
            round(float(app['latency_bound']) / run_time, 2)) == by_hand


def test_the_other_populations_differ_where_they_should():
    for number in (1, 2, 3):
        plain = host('plain', number)
        seldom, wrong, down, daytime = (host(name, number) for name in ('seldom', 'wrong', 'down', 'daytime'))
        assert float(seldom['host']['connection_interval']) == 43200
        for i in range(1, len([name for name in plain if name.startswith('project ')]) + 1):
            factor = float(wrong[f'app {i}/{i}']['est_flops']) / float(plain[f'app {i}/{i}']['est_flops'])
            assert factor == (2 if (i - 1 + number) % 2 == 1 else 0.5)
            assert wrong[f'app {i}/{i}']['mean_flops'] == plain[f'app {i}/{i}']['mean_flops']
            assert float(down[f'project {i}']['up_mean']) == 5 * float(down[f'project {i}']['down_mean']) == 5 * DAY
        heavy = host('heavy', number)
        jobs = heavy['app 1/1']
        assert jobs['distribution'] == 'log_normal'
        assert float(jobs['sd_flops']) == pytest.approx(1.3108324944 * float(jobs['mean_flops']))
        switches = [float(text) for text in daytime['host']['switches'].split(',')]
        assert len(switches) == 121 and switches == sorted(switches)
        for i, time in enumerate(switches):
            nominal = (i + 1) // 2 * DAY + (10 * 3600 if i % 2 == 0 else 0)
            assert abs(time - nominal) <= 1.5 * 3600


def test_gpu_hosts_are_of_all_kinds():
    kinds = set()
    for number in range(1, 40):
        scenario = host('gpu', number)
        gpus = [name for name in scenario if name.startswith('gpu ')]
        kinds.add((len(gpus), tuple(sorted({scenario[name].get('gpu', 'CPU') for name in scenario
                                            if name.startswith('app ')}))))
        for name in scenario:
            if name.startswith('app ') and 'gpu' in scenario[name]:
                assert float(scenario[name]['cpus']) == 0.1
        for gpu in gpus:
            assert 3 < float(scenario[gpu]['flops']) / float(scenario['host']['flops']) < 100
    assert (1, ('CPU', 'first')) in kinds and (2, ('CPU', 'first', 'second')) in kinds


def least_violation(shares, capacities, uses):
    """By trying how work can be divided, in small parts of each resource that somebody can use."""
    def ways(users, left):
        if len(users) == 1:
            yield {users[0]: left}
            return
        for part in range(left + 1):
            for rest in ways(users[1:], left - part):
                yield {users[0]: part, **rest}
    steps, best = 16, 1.0
    resources = [r for r in range(len(capacities)) if any(r in used for used in uses)]
    total = sum(capacities[r] for r in resources)
    for division in itertools.product(*(list(ways([p for p, used in enumerate(uses) if r in used], steps))
                                        for r in resources)):
        got = [sum(capacities[r] / total * part.get(p, 0) / steps for r, part in zip(resources, division))
               for p in range(len(shares))]
        best = min(best, sum(abs(g - share / sum(shares)) for g, share in zip(got, shares)) / 2)
    return best, len(resources) / steps


def test_violation_that_no_policy_avoids():
    """Of hosts with few projects, beside what a search finds that knows nothing of flows."""
    tried = 0
    for number in range(1, 60):
        scenario = host('gpu', number)
        projects = [name for name in scenario if name.startswith('project ')]
        if len(projects) > 3 or 'gpu second' in scenario:
            continue
        names = ['CPU', 'first']
        capacities = [float(scenario['host']['flops']) * int(scenario['host']['cpus']),
                      float(scenario['gpu first']['flops']) * int(scenario['gpu first']['count'])]
        uses = [{names.index(scenario[name].get('gpu', 'CPU')) for name in scenario
                 if name.startswith(f'app {project.split()[1]}/')} for project in projects]
        shares = [float(scenario[project]['share']) for project in projects]
        found, precision = least_violation(shares, capacities, uses)
        said = re.search('share violation is at least ([0-9]+[.][0-9]+)', run('-p', 'gpu', '-w', str(number)).stdout)
        assert float(said[1]) - 1e-6 <= found <= float(said[1]) + precision
        tried += 1
        if tried == 4:
            break
    assert tried == 4
    assert 'at least' not in run('-w', '1').stdout


# ---- The program ----

def test_every_host_meets_every_policy():
    rows = rows_of('-n', '4', '-f', '2', 'current', 'no DCF: current, use_dcf=no, min_buffer=600')
    assert [(row['population'], row['host'], row['policy']) for row in rows] == [
        ('plain', str(number), policy) for number in (2, 3, 4, 5) for policy in ('current', 'no DCF')]
    for row in rows:
        assert 0 <= float(row['lost']) <= 1 and 0 <= float(row['idle']) <= 1
        assert 0 <= float(row['reported_late']) <= float(row['lost'])
        assert int(row['unreported']) + int(row['jobs']) <= int(row['received'])
        assert 0.9 < float(row['size']) < 1.1 and row['least_violation'] == '-1.000000'
        assert (float(row['share_violation']) < 0) == (row['projects'] == '1')
    given_up = rows_of('-n', '6', 'current, give_up=by_chance')
    assert sum(int(row['given_up']) for row in given_up) > 0
    for row in given_up:  # a job that was given up is not one that was done and not reported
        assert int(row['unreported']) + int(row['jobs']) + int(row['given_up']) <= int(row['received'])
    assert any(a['calls'] != b['calls'] for a, b in zip(rows[::2], rows[1::2]))


@pytest.mark.parametrize('population', POPULATIONS)
def test_a_host_fares_as_its_scenario_does(population, tmp_path):
    """The scenario of a host, run by vcemu, has the figures that the comparison has of it, under each profile; the
    old ones know no GPUs."""
    number, profiles = ('3', ['current', 'study2007', 'rpc2003']) if population != 'gpu' else ('11', ['current'])
    path = tmp_path / 'host.ini'
    scenario = run('-p', population, '-w', number).stdout
    for row in rows_of('-p', population, '-f', number, '-n', '1', *profiles):
        path.write_text(scenario.replace('[client]', f'[client]\nprofile = {row["policy"]}'), encoding='utf-8')
        outcome = json.loads(subprocess.run([VCEMU, 'run', path, '--json'], capture_output=True, text=True,
                                            check=True).stdout)
        keys = 'calls', 'stops', 'late', 'received', 'unreported'
        assert [int(row[key]) for key in keys] == [outcome[key] for key in keys]
        assert int(row['jobs']) == outcome['in_time'] + outcome['late']
        assert float(row['share_violation']) == pytest.approx(outcome['share_violation'], abs=1e-6)


def test_workers_change_nothing():
    one, three = (rows_of('-j', workers, '-n', '4', 'current') for workers in '13')
    for row in one + three:
        del row['seconds']
    assert one == three


@pytest.mark.parametrize('arguments, message', [
    (['-p', 'none', 'current'], "there is no population 'none'"),
    (['-n', '0', 'current'], 'usage:'),
    ([], 'usage:'),
    (['-w', '1', 'current'], 'usage:'),
    (['mine: deployed'], "'mine: deployed': there is no such profile"),
    (['current, speed=1'], 'there is no such parameter'),
    (['current, use_dcf=perhaps'], 'a parameter cannot have this value'),
    (['current, period=-1'], 'a parameter cannot have this value'),
    (['a, b: current'], 'a name has no comma'),
])
def test_what_cannot_be_is_refused(arguments, message):
    result = run(*arguments)
    assert (result.returncode, result.stdout) == (2, '') and message in result.stderr


def test_help_names_the_populations():
    result = run('-h')
    assert (result.returncode, result.stderr) == (0, '')
    assert all(f'\n  {name} ' in result.stdout for name in POPULATIONS)


# ---- The tables ----

HEAD = ('population,host,policy,projects,processors,available,spell,spread,days,min_buffer,additional_buffer,'
        'least_violation,lost,idle,share_violation,reported_late,size,jobs,calls,stops,late,unreported,refused,'
        'received,given_up,seconds\n')


def tiny(tmp_path):
    """Three hosts; the second gets no job under the first policy, the third has one project."""
    lines = (
        'plain,1,A,2,1,1,9000,0,30,600,600,-1,0.1,0.0,0.4,0.1,1,10,20,5,1,0,0,10,0,1',
        'plain,1,B,2,1,1,9000,0,30,600,600,-1,0.05,0.1,0.2,0.0,1,10,10,0,1,0,0,10,1,1',
        'plain,2,A,2,4,1,9000,0,30,600,600,-1,0.0,1.0,-1,0.0,-1,0,30,0,0,0,9,0,0,1',
        'plain,2,B,2,4,1,9000,0,30,600,600,-1,0.2,0.0,0.1,0.0,1,40,40,0,0,0,0,40,0,1',
        'plain,3,A,1,4,1,90000,0,30,600,600,-1,0.3,0.2,-1,0.0,1,30,10,0,1,0,0,30,0,1',
        'plain,3,B,1,4,1,90000,0,30,600,600,-1,0.1,0.3,-1,0.0,1,10,10,5,1,0,0,10,2,1',
    )
    path = tmp_path / 'tiny.csv'
    path.write_text(HEAD + '\n'.join(lines) + '\n', encoding='utf-8')
    return path


def lines_of(path, policy='B', kind='all'):
    lines = tables.sum_up(tables.read([path])[0])
    return {line['figure']: line for line in lines if (line['policy'], line['kind']) == (policy, kind)}


def test_means_are_paired(tmp_path):
    known = lines_of(tiny(tmp_path))
    # On hosts 1 and 3, both of which have jobs under both: .1 and .3 become .05 and .1.
    lost = known['lost']
    assert (lost['value'], lost['ratio'], lost['difference'], lost['hosts']) == pytest.approx((0.075, 0.375, -0.125, 2))
    assert lost['difference_error'] == pytest.approx(0.075)
    # The ratio is .15 / .4; what it does not explain is .05 - .0375 and .1 - .1125, whose mean is off by .0125.
    assert lost['ratio_error'] == pytest.approx(0.0125 / 0.2)
    means = 'value', 'ratio', 'difference'
    assert [known['share violation'][key] for key in means] == pytest.approx([0.2, 0.5, -0.2])
    # A host without a job counts as idle: 0, 1 and .2 become .1, 0 and .3.
    assert [known['idle'][key] for key in means] == pytest.approx([0.4 / 3, 1 / 3, -0.8 / 3])
    assert (known['stops a job']['value'], known['stops a job']['ratio']) == pytest.approx((0.25, 1.0))
    assert (known['lost, worst tenth']['value'], known['lost, worst tenth']['ratio']) == pytest.approx((0.1, 1 / 3))
    # Pooled: 60 calls for 60 jobs, and 60 calls for 40.
    assert (known['calls a job']['value'], known['calls a job']['ratio']) == pytest.approx((1.0, 2 / 3))
    assert known['given up a job']['value'] == pytest.approx(3 / 60)
    assert known['hosts without a job']['value'] == 0 and known['hosts idler by > .01']['value'] == 2
    assert lines_of(tiny(tmp_path), 'A')['hosts without a job']['value'] == 1


def test_kinds_are_parts_of_the_hosts(tmp_path):
    path = tiny(tmp_path)
    assert lines_of(path, kind='projects <= 1')['lost']['value'] == pytest.approx(0.1)
    assert lines_of(path, kind='projects > 1, <= 5')['lost']['value'] == pytest.approx(0.05)
    assert lines_of(path, kind='spell > 14400')['calls a job']['value'] == pytest.approx(1.0)
    assert lines_of(path, kind='processors > 4') == {}


def test_a_ratio_has_an_error():
    assert tables.ratio_error([(1.0, 0.5), (2.0, 1.0), (4.0, 2.0)]) == 0
    assert tables.ratio_error([(1.0, 0.5), (1.0, 0.7)]) == pytest.approx(0.1)
    assert tables.ratio_error([(1.0, 0.5)]) == tables.ratio_error([(0.0, 0.5), (0.0, 0.2)]) == 0
    assert tables.ratio(0.0, 0.0) == 1 and tables.ratio(0.5, 0.0) == math.inf


def make(*arguments):
    return subprocess.run([sys.executable, TABLES, *arguments], capture_output=True, text=True, check=True).stdout


def test_tables_are_text(tmp_path):
    text = make('--kinds', tiny(tmp_path))
    assert text.startswith('plain, 3 hosts') and '0.0750 x0.38 (-0.1250+-0.0750)' in text
    assert 'projects > 1, <= 5' in text and 'projects' not in make(tiny(tmp_path))


def test_what_is_kept_makes_the_same_tables(tmp_path):
    path, page, more = tiny(tmp_path), tmp_path / 'page.md', tmp_path / 'more.csv'
    frame = ('Text.\n\n<!-- table: plain -->\n\nold\n\n<!-- end -->\n<!-- table: plain by kind of lost -->\n'
             '<!-- end -->\n<!-- table: gpu -->\nkept\n<!-- end -->\n')
    page.write_text(frame, encoding='utf-8')
    make('--keep', tmp_path, path)
    make('--into', page, tmp_path / 'means.csv')
    text = page.read_text(encoding='utf-8')
    assert '| 3 hosts | A | B |\n| --- | --- | --- |\n| lost | 0.200 | 0.075, × 0.38 ± 0.06 |' in text
    assert '| projects <= 1 | 1 | 0.300 | 0.100, × 0.33 ± 0.00 |' in text
    assert 'old' not in text and '<!-- table: gpu -->\nkept\n' in text
    page.write_text(frame, encoding='utf-8')
    make('--into', page, path)
    assert page.read_text(encoding='utf-8') == text
    assert make(tmp_path / 'means.csv') == make(path)
    quantiles = (tmp_path / 'quantiles.csv').read_text(encoding='utf-8').splitlines()
    assert quantiles[0].startswith('population,policy,percent,lost,share violation') and len(quantiles) == 1 + 2 * 101
    assert quantiles[1].startswith('plain,A,0,0.1,') and quantiles[101].startswith('plain,A,100,0.3,')
    # Two files with parts of a population are one.
    lines = path.read_text(encoding='utf-8').splitlines(True)
    path.write_text(''.join(lines[:3]), encoding='utf-8')
    more.write_text(lines[0] + ''.join(lines[3:]), encoding='utf-8')
    assert make(path, more) == make(tmp_path / 'means.csv')


def test_what_was_kept_before_gives_way(tmp_path):
    """A population has the means of the file that comes last, or of the hosts."""
    path, first, second = tiny(tmp_path), tmp_path / 'first.csv', tmp_path / 'second.csv'
    make('--keep', tmp_path, path)
    kept = (tmp_path / 'means.csv').read_text(encoding='utf-8')
    first.write_text(kept.replace('plain,all,B,lost,2,0.075', 'plain,all,B,lost,2,0.075001'), encoding='utf-8')
    second.write_text(kept.replace('plain,', 'down,'), encoding='utf-8')
    assert '0.075001' in first.read_text(encoding='utf-8')
    for files, expected in (([first, second, path], kept.replace('plain,', 'down,') + kept.split('\n', 1)[1]),
                            ([first, tmp_path / 'means.csv'], kept)):
        make('--keep', tmp_path / 'both', *files)
        assert (tmp_path / 'both/means.csv').read_text(encoding='utf-8') == expected


# ---- Scenarios that are not drawn ----

def of_scenarios(*arguments):
    result = subprocess.run([sys.executable, SCENARIOS, *arguments], capture_output=True, text=True, check=False)
    return result.returncode, list(csv.DictReader(io.StringIO(result.stdout))), result.stderr


def test_scenarios_are_compared_seed_by_seed():
    rows, base = [{'lost': 0.3, 'idle': None}, {'lost': 0.5, 'idle': 0.2}], [{'lost': 0.4, 'idle': 0.1},
                                                                            {'lost': 0.4, 'idle': 0.1}]
    lost, idle = scenarios.compare(rows, base, 7)
    assert (lost['value'], lost['ratio'], lost['difference'], lost['hosts']) == pytest.approx((0.4, 1, 0, 7))
    assert lost['difference_error'] == pytest.approx(0.1) and idle['value'] == pytest.approx(0.2)
    assert scenarios.name_and_policy('R3: current, keep_running=yes') == ('R3', 'current, keep_running=yes')
    assert scenarios.name_and_policy('current, keep_running=yes') == ('current', 'current, keep_running=yes')


@pytest.mark.parametrize('name, kinds', [
    ('axes', {'all', 'slack 2', '20 projects', 'connected every 2 days'}),
    ('five', {'all', 'gpus', 'limits', 'many', 'plain', 'tight'}),
])
def test_hosts_that_are_not_drawn(name, kinds):
    """Each has the figures that vcemu tells of it."""
    code, lines, _ = of_scenarios('-n', '2', VCEMU, name, 'current', 'R3: current, keep_running=yes')
    assert code == 0 and kinds <= {line['kind'] for line in lines}
    known = {(line['kind'], line['policy'], line['figure']): line for line in lines}
    assert all(line['ratio'] == '1' for line in lines if line['policy'] == 'current')
    assert float(known['all', 'current', 'stops a job']['value']) > 0.1
    assert float(known['all', 'R3', 'stops a job']['value']) < 0.01
    kind = '20 projects' if name == 'axes' else 'many'
    scenario = scenarios.scenarios_of(name)[kind]
    text = scenario if name == 'axes' else scenario.read_text(encoding='utf-8')
    seeds = [json.loads(subprocess.run([VCEMU, 'run', '-', '--json', '--seed', str(seed), '--set', 'keep_running=yes'],
                                       input=text, capture_output=True, text=True, check=True).stdout)
             for seed in (1, 2)]
    assert float(known[kind, 'R3', 'share violation']['value']) == pytest.approx(
        sum(seed['share_violation'] for seed in seeds) / 2, rel=1e-4)


def test_a_grid_is_compared():
    """What servers and hosts have of it, in a grid of 30 hosts for 10 days."""
    small = scenarios.GRID.replace('count = 200', 'count = 20').replace('count = 100', 'count = 10')
    small = small.replace(f'duration = {60 * 86400}', f'duration = {10 * 86400}')
    rows = {policy: scenarios.sweep(VCEMU, small, policy, 1, scenarios.GRID_FIELDS) for policy in ('current', 'steady')}
    current, steady = (scenarios.of_grid(rows[policy][0]) for policy in ('current', 'steady'))
    assert steady['lost'] < current['lost'] and current['lost'] > current['at least'] > 0
    assert current['tight: copies a unit'] >= 2 and steady['roomy: units done a day'] > 0
    assert rows['current'][0]['project.tight.turnaround_mean'] == 3600 * current['tight: turnaround, h']


def test_a_policy_that_is_none_is_refused():
    code, lines, error = of_scenarios('-n', '1', VCEMU, 'axes', 'deployed')
    assert code != 0 and lines == [] and 'deployed' in error


# ---- The manual ----

def test_the_manual_shows_what_is_kept(tmp_path):
    means, copy = FIGURES / 'means.csv', tmp_path / 'policies.md'
    shutil.copy(PAGE, copy)
    make('--into', copy, means)
    assert copy.read_text(encoding='utf-8') == PAGE.read_text(encoding='utf-8')
    shown = re.findall(r'!\[[^]]+\]\((study/policies/\w+\.svg)\)', PAGE.read_text(encoding='utf-8'))
    assert sorted(shown) == sorted(f'study/policies/{path.name}' for path in FIGURES.glob('*.svg'))


def test_one_command_makes_figures_tables_and_pictures(tmp_path):
    script = ROOT / 'examples/study/policies/run.sh'
    result = subprocess.run(['sh', script, '-n', '1', '-s', '1', '-o', tmp_path, 'plain', 'gpu', 'rules', 'parts',
                             'axes'],
                            capture_output=True, text=True,
                            env=os.environ | {'POLICY_STUDY': POLICY_STUDY, 'VCEMU': VCEMU}, check=False)
    assert (result.returncode, result.stderr) == (0, '')
    assert '\n\nplain, 1 host ' in (tmp_path / 'tables.txt').read_text(encoding='utf-8')
    if shutil.which('gnuplot'):
        for name in 'plain', 'gpu', 'rules', 'parts':
            assert (tmp_path / f'{name}.svg').read_text(encoding='utf-8').startswith('<?xml')
    with open(tmp_path / 'rules.csv', encoding='utf-8') as file:  # the hosts of plain, under rules left out
        rules = {row['policy']: row for row in csv.DictReader(file)}
    assert list(rules) == ['current', 'R1', 'R2', 'R2b', 'R3', 'R1+R2', 'R1+R3', 'R2+R3', 'R1+R2+R3', 'R1+R2b+R3']
    assert {row['population'] for row in rules.values()} == {'rules'}
    assert all((row['stops'] == '0') == ('R3' in policy) for policy, row in rules.items())
    means = (tmp_path / 'means.csv').read_text(encoding='utf-8')
    assert '\nparts,all,steady-admission,lost,' in means and '\naxes,slack 2,steady,lost,' in means
    refused = subprocess.run(['sh', script], capture_output=True, text=True, check=False)
    assert refused.returncode == 2 and refused.stderr.startswith('usage:')


def test_reporting_by_risk_loses_less():
    """What the manual says first, on a few hosts: reporting by risk loses less, for about as many calls."""
    lines = rows_of('-n', '12', 'current', 'R1: current, report_risk=0.02, report_delay=1e9')
    policies = {}
    for row in lines:
        values = {key: float(value) for key, value in row.items() if key not in ('population', 'policy')}
        policies.setdefault('plain', {}).setdefault(row['policy'], {})[int(row['host'])] = values
    known = {line['figure']: line for line in tables.sum_up(policies)
             if (line['policy'], line['kind']) == ('R1', 'all')}
    assert known['lost']['ratio'] < 0.95 and known['reported late']['ratio'] < 0.6
    assert 0.9 < known['calls a job']['ratio'] < 1.1


def test_the_rules_together_lose_less_than_one():
    """What the manual recommends, on a few hosts, and what R3 is: nothing is stopped for another task."""
    risk, give_up = 'report_risk=0.02, report_delay=1e9', 'give_up=by_chance, give_up_below=0.1'
    rows = rows_of('-n', '12', f'R1: current, {risk}', f'R1+R2+R3: current, {risk}, {give_up}, keep_running=yes')
    lost = {policy: sum(float(row['lost']) for row in rows if row['policy'] == policy)
            for policy in ('R1', 'R1+R2+R3')}
    assert lost['R1+R2+R3'] < 0.8 * lost['R1']
    assert all(row['stops'] == '0' for row in rows if row['policy'] == 'R1+R2+R3')
