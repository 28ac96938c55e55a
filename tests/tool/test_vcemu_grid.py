# SPDX-License-Identifier: MIT
"""vcemu grid: scenarios of grids, their outcomes, and the messages for wrong ones.

The environment variable VCEMU is the path of the program.
"""

import csv
import io
import json
import math
import re
import signal
import statistics
import subprocess

import pytest

from vcemu_examples import ROOT, on_a_terminal, output_of, vcemu

LENGTH = '[emulation]\nduration = 200000\nseed = 5\n'
ALPHA = '[project Alpha]\nshare = 60\n[server Alpha]\nest_flops = 4e12\ndelay_bound = 100000\nmin_quorum = 2\n'
BETA = '[project Beta]\n[server Beta]\nunits = 200\nest_flops = 2e12\nsd_flops = 1e12\ndelay_bound = 50000\n'
HOME = ('[population home]\ncount = 12\ncpus = 2\nflops = 1e9\nspeed_sd = 0.5\navailable = 0.5\n'
        'available_mean = 10000\n')
LAB = '[population lab]\ncount = 3\ncpus = 4\nflops = 2e9\nprojects = Beta 10, Alpha\n'
GRID = LENGTH + ALPHA + BETA + HOME + LAB
EXAMPLES = ['batch', 'saboteurs', 'two_projects']


def grid(scenario, *options, path='-'):
    return json.loads(output_of('grid', path, '--json', *options, stdin=scenario))


def refused(scenario, *options, path='-', status=1):
    result = vcemu('grid', path, *options, stdin=scenario)
    assert (result.returncode, result.stdout) == (status, '')
    assert result.stderr.startswith('vcemu: ') and result.stderr.count('\n') == 1
    return result.stderr[len('vcemu: '):-1]


def by_name(records):
    return {record['name']: record for record in records}


# ---- what comes of a grid --------------------------------------------------------------------------------------------

def test_the_keys_of_json():
    answer = grid(GRID)
    assert list(answer) == ['scenario', 'days', 'seeds', 'grid', 'projects', 'populations', 'hosts']
    assert [project['name'] for project in answer['projects']] == ['Alpha', 'Beta']
    assert [population['name'] for population in answer['populations']] == ['home', 'lab']
    for project in answer['projects']:
        assert {'throughput', 'turnaround', 'copies_per_unit', 'wrong_accepted', 'window', 'duplicates'} <= set(project)
        assert list(project['turnaround']) == ['mean', 'p50', 'p95', 'p99']
    assert len(answer['hosts']) == 15
    assert {'population', 'saboteur', 'cpus', 'flops', 'idleness', 'waste', 'share_violation'} <= set(
        answer['hosts'][0])
    assert (answer['seeds'], answer['days']) == ([5], 200000 / 86400)


def test_nothing_is_lost():
    """Units and copies, and the time of processors, add up."""
    answer = grid(GRID)
    for project in answer['projects']:
        assert project['units'] == project['done'] + project['failed'] + project['open'] > 0
        assert project['copies'] == sum(project[ending] for ending in (
            'valid', 'invalid', 'not_judged', 'errors', 'no_reply', 'aborted', 'detached', 'in_progress'))
        assert sum(project['flops_fraction'].values()) == pytest.approx(1)
        assert project['throughput'] == pytest.approx(
            project['done'] / (project['makespan'] or 200000) * 86400)
    assert by_name(answer['projects'])['Beta']['done'] == 200
    assert by_name(answer['projects'])['Alpha']['flops']['held'] > 0
    total = answer['grid']
    assert total['flops_used'] == pytest.approx(sum(sum(project['flops'].values()) for project in answer['projects']))
    assert total['present'] == pytest.approx(total['off'] + total['used'] + total['idle'])
    assert total['present'] == pytest.approx((12 * 2 + 3 * 4) * 200000)


def test_a_population_has_what_it_says():
    answer = grid(GRID)
    home = [host for host in answer['hosts'] if host['population'] == 'home']
    lab = [host for host in answer['hosts'] if host['population'] == 'lab']
    assert (len(home), len(lab)) == (12, 3)
    assert {host['cpus'] for host in home} == {2} and len({host['flops'] for host in home}) == 12
    assert {(host['cpus'], host['flops'], host['on']) for host in lab} == {(4, 2e9, 200000)}
    assert 0.3 < statistics.mean(host['on'] for host in home) / 200000 < 0.7


def test_one_host_is_that_of_run():
    """A grid of one host and a project with one copy of each unit is what `run` emulates (rule 14.2)."""
    host = 'cpus = 2\nflops = 1e9\navailable = 0.7\navailable_mean = 20000\n'
    jobs = 'est_flops = 4e12\nsd_flops = 1e12\n'
    alone = json.loads(output_of(
        'run', '-', '--json',
        stdin=LENGTH + '[host]\n' + host + '[project P]\n[app P/A]\nlatency_bound = 90000\n' + jobs))
    one = grid(LENGTH + '[project P]\n[server P]\ndelay_bound = 90000\n' + jobs
               + '[population all]\ncount = 1\n' + host)
    assert one['grid']['flops_used'] == alone['flops_used'] > 0
    assert one['hosts'][0]['idleness'] == alone['idleness']
    assert one['hosts'][0]['reported'] == alone['in_time'] + alone['late'] > 0
    assert one['hosts'][0]['calls'] == alone['calls']


def test_shares_of_a_population():
    """A host that works for one project alone does nothing for the other."""
    only = GRID.replace('projects = Beta 10, Alpha\n', 'projects = Alpha\n').replace('count = 12', 'count = 0')
    assert 'at least 1 host' in refused(only)
    alone = LENGTH + ALPHA + BETA + LAB.replace('Beta 10, Alpha', 'Alpha')
    projects = by_name(grid(alone)['projects'])
    assert projects['Alpha']['done'] > 0 and projects['Beta']['copies'] == 0
    assert projects['Beta']['turnaround']['mean'] is None and projects['Beta']['power_available'] == 0


@pytest.mark.parametrize('projects, part', [
    ('Beta 90, Alpha 10', 0.1), ('Alpha 90, Beta 10', 0.9), ('Alpha, Beta', 0.6),
])
def test_numbers_after_names_are_shares(projects, part):
    """Without them the shares of the [project] count: here 60 and 40."""
    endless = LENGTH + ALPHA + BETA.replace('units = 200\n', '').replace('[server', 'share = 40\n[server')
    answer = by_name(grid(endless + LAB.replace('Beta 10, Alpha', projects), '--days', 30)['projects'])
    done = {name: sum(project['flops'].values()) for name, project in answer.items()}
    assert done['Alpha'] / sum(done.values()) == pytest.approx(part, abs=0.05)


def test_what_all_hosts_have_in_common_stands_in_host():
    common = '[host]\ncpus = 2\nflops = 1e9\navailable = 0.5\navailable_mean = 10000\n'
    home = '[population home]\ncount = 12\nspeed_sd = 0.5\n'
    assert grid(LENGTH + common + ALPHA + BETA + home) == grid(LENGTH + ALPHA + BETA + HOME)


def test_gpus_are_chosen_by_name():
    gpus = '[gpu big]\nflops = 1e11\n[gpu small]\nflops = 1e10\n[app Alpha/A]\ngpu = small\ncpus = 0.1\n'
    hosts = {}
    for choice in ('', 'gpus = small\n', 'gpus = big\n', 'gpus = none\n'):
        answer = grid(LENGTH + ALPHA + gpus + '[population all]\ncount = 2\ncpus = 1\nflops = 1e9\n' + choice)
        hosts[choice] = answer['projects'][0]['done']
    assert min(hosts['gpus = small\n'], hosts['']) > 100
    assert hosts['gpus = big\n'] == hosts['gpus = none\n'] == 0


def test_the_buffer_of_a_population():
    long = GRID.replace('count = 3', 'count = 3\nmin_buffer = 40000\nadditional_buffer = 40000')
    assert by_name(grid(long)['projects'])['Alpha']['mean_in_progress'] \
        > by_name(grid(GRID)['projects'])['Alpha']['mean_in_progress']
    assert grid(long, '--set', 'min_buffer=1000', '--set', 'additional_buffer=1000')['projects'] \
        == grid(GRID, '--set', 'min_buffer=1000', '--set', 'additional_buffer=1000')['projects']


def test_saboteurs_who_collude_get_wrong_results_accepted():
    bad = GRID.replace('count = 12', 'count = 12\nsaboteurs = 0.5\ncollude = yes')
    alpha = by_name(grid(bad)['projects'])['Alpha']
    assert alpha['wrong_accepted'] > 0 and alpha['wrong_fraction'] == alpha['wrong_accepted'] / alpha['done']
    assert by_name(grid(bad)['populations'])['home']['saboteurs'] > 0
    checked = bad.replace('min_quorum = 2', 'verification = direct')
    assert by_name(grid(checked)['projects'])['Alpha']['wrong_accepted'] == 0


def test_hosts_that_leave_are_replaced():
    short = GRID.replace('count = 12', 'count = 12\nlifetime = 50000\nreplaced = yes')
    answer = grid(short)
    assert answer['grid']['left'] > 12
    assert answer['grid']['hosts'] == 15 + answer['grid']['left'] == len(answer['hosts'])


# ---- several seeds ---------------------------------------------------------------------------------------------------

def test_means_and_standard_errors():
    several = grid(GRID, '--seeds', 3)
    alone = [grid(GRID, '--seed', seed) for seed in (5, 6, 7)]
    assert several['seeds'] == [5, 6, 7]
    for i in range(2):
        for key in ('throughput', 'done', 'copies_per_unit', 'credit'):
            values = [answer['projects'][i][key] for answer in alone]
            assert several['projects'][i][key] == pytest.approx(statistics.mean(values))
            assert several['projects'][i]['standard_error'][key] == pytest.approx(
                statistics.stdev(values) / math.sqrt(3))
        values = [answer['projects'][i]['turnaround']['p95'] for answer in alone]
        assert several['projects'][i]['turnaround']['p95'] == pytest.approx(statistics.mean(values))
    assert several['hosts'] == [host for answer in alone for host in answer['hosts']]
    assert [(host['seed'], host['host']) for host in several['hosts']] == [(s, h) for s in (5, 6, 7) for h in range(15)]
    assert 'standard_error' not in alone[0]['projects'][0]


def test_a_mean_says_of_how_many_seeds_it_is(tmp_path):
    """Of six batches some are not done at the end: a mean of the others alone would look like a mean of all."""
    batch = ('[emulation]\nduration = 80000\nseed = 1\n[project P]\n'
             '[server P]\nunits = 20\nest_flops = 1e13\ndelay_bound = 50000\n'
             '[population few]\ncount = 5\ncpus = 1\nflops = 1e9\nno_reply = 0.1\n')
    alone = [grid(batch, '--seed', seed)['projects'][0]['makespan'] for seed in range(1, 7)]
    done = [makespan for makespan in alone if makespan is not None]
    assert 0 < len(done) < 6
    answer = grid(batch, '--seeds', 6, '--report', tmp_path / 'page.html')['projects'][0]
    assert answer['makespan'] == pytest.approx(statistics.mean(done))
    assert (answer['runs']['makespan'], answer['runs']['done']) == (len(done), 6)
    assert f'({len(done)} of 6)' in output_of('grid', '-', '--seeds', 6, stdin=batch)
    shown = data_of(tmp_path / 'page.html')['projects'][0]['figures']
    assert (shown['makespan'][2], shown['done'][2]) == (len(done), 6)


def test_the_number_of_workers_changes_nothing():
    assert output_of('grid', '-', '--json', '--seeds', 4, '-j', 1, stdin=GRID) \
        == output_of('grid', '-', '--json', '--seeds', 4, '-j', 3, stdin=GRID)


@pytest.mark.parametrize('sent', [signal.SIGINT, signal.SIGTERM])
def test_the_seeds_that_are_done_are_kept(sent, tmp_path):
    """As if there had not been more of them."""
    path = tmp_path / 'grid.ini'
    path.write_text(GRID, encoding='utf-8')
    options = [path, '--days', 0.02, '--every', 1000, '--json']
    with on_a_terminal('grid', *options, '--seeds', 10000, '-j', 2, stdout=subprocess.PIPE) as (process, pieces):
        text = b''
        while not re.search(rb'\] +[1-9]\d* %', text):
            text += next(pieces)
        process.send_signal(sent)
        answer, _ = process.communicate()
        text += b''.join(pieces)
    kept = len(json.loads(answer)['seeds'])
    assert process.returncode == 130 and 0 < kept < 10000
    assert text.endswith(f'vcemu: {path}: interrupted with {kept} of 10000 seeds\r\n'.encode())
    assert answer.decode() == output_of('grid', *options, '--seeds', kept)


def test_before_the_first_seed_is_done_there_is_nothing_to_keep(tmp_path):
    path = tmp_path / 'grid.ini'
    path.write_text(GRID.replace('units = 200\n', ''), encoding='utf-8')
    with on_a_terminal('grid', path, '--days', 1e6, stdout=subprocess.PIPE) as (process, pieces):
        next(pieces)
        process.send_signal(signal.SIGTERM)
        assert process.communicate()[0] == b'' and process.returncode == 130
        assert b''.join(pieces).endswith(b'interrupted with 0 of 1 seeds\r\n')


def test_quantiles_of_hosts():
    """The populations' figures are the hosts', to within a bin of a thousandth."""
    answer = grid(GRID, '--days', 10)
    home = by_name(answer['populations'])['home']
    for figure in ('idleness', 'waste', 'share_violation'):
        values = sorted(host[figure] for host in answer['hosts'] if host['population'] == 'home')
        assert home[figure]['mean'] == pytest.approx(statistics.mean(values))
        assert values[5] - 0.001 <= home[figure]['p50'] <= values[6] + 0.001
        assert values[10] - 0.001 <= home[figure]['p95'] <= values[11] + 0.001


# ---- over time -------------------------------------------------------------------------------------------------------

def rows_of(*options):
    return list(csv.DictReader(io.StringIO(output_of('grid', '-', '--csv', *options, stdin=GRID))))


def test_csv_is_the_course():
    rows = rows_of('--every', 20000)
    assert [float(row['time']) for row in rows] == [20000 * (1 + i // 2) for i in range(20)]
    assert [row['project'] for row in rows[:2]] == ['Alpha', 'Beta']
    projects = by_name(grid(GRID)['projects'])
    for name, project in projects.items():
        done = [int(row['done']) for row in rows if row['project'] == name]
        assert done == sorted(done) and done[-1] == project['done'] > done[0]
        assert [int(row['copies']) for row in rows if row['project'] == name][-1] == project['copies']


def test_csv_of_several_seeds_has_standard_errors():
    rows, alone = rows_of('--every', 50000, '--seeds', 2), rows_of('--every', 50000)
    assert list(rows[0])[:4] == ['time', 'project', 'units', 'units_se'] and 'units_se' not in alone[0]
    assert max(float(row['done_se']) for row in rows) > 0


def test_a_hundred_samples_unless_told_otherwise():
    assert len(rows_of()) in (198, 200)


# ---- the trace -------------------------------------------------------------------------------------------------------

def test_the_trace_has_all_that_happened(tmp_path):
    path = tmp_path / 'trace.csv'
    answer = grid(GRID, '--trace', path)
    with path.open(encoding='utf-8') as file:
        events = list(csv.DictReader(file))
    assert [float(event['time']) for event in events] == sorted(float(event['time']) for event in events)
    for project in answer['projects']:
        kinds = [event['event'] for event in events if event['project'] == project['name']]
        assert kinds.count('sent') == kinds.count('received') == project['copies']
        assert kinds.count('accepted') == project['done']
        assert kinds.count('unit') == project['units']
    assert sum(event['event'] == 'joined' for event in events) == 15
    populations = {str(host['host']): host['population'] for host in answer['hosts']}
    assert len(set(populations.values())) == 2
    assert all(event['population'] == populations.get(event['host'], '') for event in events)
    assert answer == grid(GRID)
    one = tmp_path / 'one.csv'
    grid(GRID, '--trace', one, '--trace-host', 13)
    with one.open(encoding='utf-8') as file:
        assert list(csv.DictReader(file)) == [event for event in events if event['host'] == '13'] != []


# ---- hosts that are too slow -----------------------------------------------------------------------------------------

def test_hosts_that_are_too_slow_for_any_unit():
    """36,000 operations take 36,000 s on the slow ones and half on the fast ones, less 8640 s (min_buffer)."""
    scenario = ('[emulation]\nduration = 300000\n[project P]\n[server P]\nest_flops = 36000\ndelay_bound = BOUND\n'
                '[population slow]\ncount = 7\ncpus = 1\nflops = 1\n'
                '[population fast]\ncount = 3\ncpus = 1\nflops = 2\n')
    for bound, slow in (('45000', 0), ('40000', 7), ('20000', 10)):
        text = scenario.replace('BOUND', bound)
        answer = grid(text)
        found = {population['name']: population['too_slow'] for population in answer['populations']}
        assert (found['slow'], found['fast']) == (min(slow, 7), max(slow - 7, 0))
        assert sum(host['refused'] > 0 and host['reported'] == 0 for host in answer['hosts']) == slow
        printed = output_of('grid', '-', stdin=text)
        sentence = '{0} of {0} hosts of {1} got no job: none on offer could be done there in time'
        for name, count in (('slow', 7), ('fast', 3)):
            assert (sentence.format(count, name) in printed) == (found[name] > 0)


# ---- the page: what it shows is tested in test_report_page.py --------------------------------------------------------

def data_of(path):
    """What the page draws."""
    text = path.read_text(encoding='utf-8')
    assert text.rstrip().endswith('</html>')
    # It is one file, and nothing is fetched from anywhere.
    assert not re.search(r'https?:(?!//www.w3.org)|url\(|@import|fetch\(|XMLHttpRequest|import\(|\b(src|href)=', text)
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)[1])


def test_the_page_has_the_figures(tmp_path):
    answer = grid(GRID, '--report', tmp_path / 'page.html')
    data = data_of(tmp_path / 'page.html')
    assert (data['title'], data['seeds'], data['duration']) == ('standard input', [5], 200000)
    for shown, project in zip(data['projects'], answer['projects']):
        assert shown['figures'] == {key: value for key, value in project.items() if key != 'name'}
        assert sum(units for _, units in shown['turnarounds']) == project['done']
        # Throughput is that between two samples: all of them add up to what was done by the last one.
        widths = [later - earlier for earlier, later in zip([0, *data['times']], data['times'])]
        done = sum(rate * width / 86400 for rate, width in zip(shown['series']['throughput']['mean'], widths))
        assert done == pytest.approx(project['done'], abs=20)
    for shown, population in zip(data['populations'], answer['populations']):
        assert shown['figures'] == {key: value for key, value in population.items() if key != 'name'}
        assert {sum(bins) for bins in shown['fractions'].values()} == {population['hosts']}


def test_the_page_of_several_seeds_has_errors(tmp_path):
    answer = grid(GRID, '--seeds', 3, '--report', tmp_path / 'page.html')
    project = data_of(tmp_path / 'page.html')['projects'][0]
    alpha = answer['projects'][0]
    assert project['figures']['done'] == [alpha['done'], alpha['standard_error']['done'], alpha['runs']['done']]
    assert max(project['series']['throughput']['error']) > 0
    assert sum(units for _, units in project['turnarounds']) == pytest.approx(3 * alpha['done'])


def test_the_page_says_what_was_assumed(tmp_path):
    grid(GRID, '--report', tmp_path / 'page.html', '--set', 'min_buffer=7200')
    sections = {section['header']: {key: (value + remark, given) for key, value, given, remark in section['values']}
                for section in data_of(tmp_path / 'page.html')['sections']}
    assert list(sections) == ['server Alpha', 'server Beta', 'population home', 'population lab']
    assert sections['server Alpha']['min_quorum'] == ('2', True)
    assert sections['server Alpha']['target_nresults'] == ('2', False)
    trusting = GRID.replace('min_quorum = 2', 'verification = adaptive')
    grid(trusting, '--report', tmp_path / 'trust.html')
    alpha = data_of(tmp_path / 'trust.html')['sections'][0]
    values = {key: value + remark for key, value, _, remark in alpha['values']}
    assert values['min_quorum'] == '1; 2 where a copy is needed' and values['max_error'] == '3'
    assert sections['server Alpha']['max_total'] == ('10', False)
    assert sections['server Alpha']['dispatch'] == ('deadline', False)
    assert sections['server Beta']['sd_flops'] == ('1e12', True)
    assert 'wait_factor' not in sections['server Beta'] and 'recomputation' not in sections['server Beta']
    assert sections['population home']['available_mean'] == ('10000', True)
    assert sections['population home']['min_buffer'] == ('7200', False)
    assert sections['population home']['spells'] == ('exponential', False)
    assert sections['population lab']['projects'] == ('Beta 10, Alpha', True)


def test_many_samples_are_thinned(tmp_path):
    grid(GRID, '--every', 100, '--report', tmp_path / 'page.html')
    assert len(data_of(tmp_path / 'page.html')['times']) == 200


def test_names_stay_text_in_the_page(tmp_path):
    name = '</script><!-- "a" \\ \u0160'
    grid(GRID.replace('Alpha', name), '--report', tmp_path / 'page.html')
    assert data_of(tmp_path / 'page.html')['projects'][0]['name'] == name


# ---- tables of hosts -------------------------------------------------------------------------------------------------

def with_table(tmp_path, table, keys=''):
    (tmp_path / 'hosts.csv').write_text(table, encoding='utf-8')
    path = tmp_path / 'grid.ini'
    path.write_text(LENGTH + ALPHA + '[population all]\ntable = hosts.csv\n' + keys, encoding='utf-8')
    return path


@pytest.mark.parametrize('table, keys', [
    ('count,cpus,gflops\n2,4,2\n1,1,3\n', ''),
    ('# hosts\n\ncount\tflops\tcpus\n2\t2e9\t4\n1\t3e9\t1\n', ''),
    ('"count";"cpus";"host_gflops"\n2;4;8\n1;1;3\n', ''),
    ('1,7,3e9,1\n1,7,2e9,4\n1,7,2e9,4\n', 'columns = count, -, flops, cpus\n'),
    ('3\ncount,cpus,host_flops\n2,4,8e9\n1,1,3e9\n', 'skipped_lines = 1\n'),
    ('count,cpus,gflops,available,ram\r\n2,4,2,1,4e9\r\n1,1,3,1,0\r\n', ''),
])
def test_forms_of_tables(tmp_path, table, keys):
    hosts = grid('', path=with_table(tmp_path, table, keys))['hosts']
    assert sorted((host['cpus'], host['flops']) for host in hosts) == [(1, 3e9), (4, 2e9), (4, 2e9)]


def test_a_table_in_proportion(tmp_path):
    path = with_table(tmp_path, 'count,gflops\n600,1\n300,2\n100,3\n', 'count = 20\ncpus = 1\n')
    hosts = grid('', path=path)['hosts']
    assert sorted(host['flops'] for host in hosts) == [1e9] * 12 + [2e9] * 6 + [3e9] * 2


@pytest.mark.parametrize('table, keys, message', [
    ('count,cpus\n2,4\n', '', 'grid.ini:10: [population all] flops: this key is missing'),
    ('count,cpus,gflops\n2,4\n', '', 'hosts.csv:2: there are 2 values for 3 columns'),
    ('count,cpus,gflops\n2,4,x\n', '', 'hosts.csv:2: "x" is not a number'),
    ('count,cpus,gflops\n2,4,-1\n', '', 'hosts.csv:2: "-1" is negative'),
    ('count,cpus,gflops\n\n2,4,0\n', '', 'hosts.csv:3: the speed of the CPUs is 0'),
    ('count,cpus,gflops\n2,0,1\n', '', 'hosts.csv:2: a host has at least 1 CPU'),
    ('count,speed\n', '', 'hosts.csv:1: "speed" is not the name of a column: count cpus flops'),
    ('cpus,gflops\n', '', 'hosts.csv:1: no column is named count'),
    ('count,count\n', '', 'hosts.csv:1: "count" is the name of two columns'),
    ('count,flops,gflops\n', '', 'hosts.csv:1: more than one column says how fast the hosts are'),
    ('count,host_gflops\n1,1\n', '', 'hosts.csv:2: the speed is given for the whole host, but'),
    ('count,cpus,gflops,available\n1,1,1,1.5\n', '', 'hosts.csv:2: "1.5" is not a fraction of time above 0'),
    ('count,cpus,gflops,available\n1,1,1,1\n1,1,1,0.5\n', '', '[population all] available_mean: this key is missing'),
    ('count,cpus,gflops\n0,1,1\n', '', 'hosts.csv:2: there are no hosts in this table'),
    ('', '', 'hosts.csv: there are no hosts in this table'),
    ('count,cpus,gflops\n1,1,1\n', 'flops = 1e9\n', '[population all] flops: conflicts with a column of the table'),
    ('count,cpus,gflops\n1,1,1\n', 'cpus = 1\n', '[population all] cpus: conflicts with a column of the table'),
    ('1,1\n', 'columns = count, speed\n', 'grid.ini:11: [population all] columns: "speed" is not the name'),
])
def test_wrong_tables(tmp_path, table, keys, message):
    assert message in refused('', path=with_table(tmp_path, table, keys))


@pytest.mark.parametrize('keys, told', [
    ('', 'standard input:11: [population all] table: 150000 hosts, all of them emulated, take '
         'some 2.5 GB of memory; count = 1000 would emulate 1000 of them, in proportion'),
    ('count = 150000\n', ''),
])
def test_more_hosts_than_one_may_have_meant(tmp_path, keys, told):
    """They are never emulated here: a count that is out of range comes before that."""
    path = with_table(tmp_path, 'count,cpus,gflops\n150000,1,1\n', keys)
    path.write_text(path.read_text(encoding='utf-8') + 'speed_sd = 11\n', encoding='utf-8')
    result = vcemu('grid', path)
    first, *others = result.stderr.splitlines()
    assert result.returncode == 1 and 'speed_sd' in [first, *others][-1]
    expected = told.replace('standard input', str(path))
    assert first == f'vcemu: warning: {expected}' if told else not others


def test_very_many_hosts_and_what_else_was_taken_for_granted(tmp_path):
    path = with_table(tmp_path, 'count,cpus,gflops\n8000000,1,1\n', 'speed_sd = 11\n')
    host = '[host]\ncpus = 1\nflops = 1e9\navailable = 0.5\n'
    path.write_text(host + path.read_text(encoding='utf-8'), encoding='utf-8')
    warning = vcemu('grid', path).stderr.splitlines()[0]
    assert ' 8000000 hosts, ' in warning and ' some 134 GB of memory; ' in warning
    assert warning.endswith(f'; {path}:4: [host] available: available_mean, how long the host is on at a time, is '
                            'missing; 1000 s assumed')


def test_a_table_that_is_not_there():
    assert refused(LENGTH + ALPHA + '[population all]\ntable = nowhere.csv\ncpus = 1\n') \
        .startswith('standard input:11: [population all] table: "nowhere.csv" cannot be read: ')


# ---- refusals --------------------------------------------------------------------------------------------------------

@pytest.mark.parametrize('old, new, message', [
    ('[server Beta]\n', '[server Gamma]\n', '[server Gamma]: there is no section [project Gamma]'),
    (BETA, '[project Beta]\n', '[project Beta]: there is no section [server Beta]'),
    ('est_flops = 2e12\nsd_flops = 1e12\n', '', '[server Beta] est_flops: this key is missing'),
    ('est_flops = 2e12', 'est_flops = -1', '[server Beta] est_flops: '),
    ('min_quorum = 2', 'min_quorum = 0', '[server Alpha] min_quorum: is too small'),
    ('min_quorum = 2', 'min_quorum = 2\ntarget_nresults = 1', '[server Alpha] target_nresults: must be from'),
    ('min_quorum = 2', 'verification = guess', '[server Alpha] verification: "guess" is not one of its values'),
    ('min_quorum = 2', 'verification = credibility', 'verification: of this kind needs dispatch by reply'),
    ('min_quorum = 2', 'verification = adaptive\ndispatch = reply', 'of this kind needs dispatch by deadline'),
    ('min_quorum = 2', 'min_quorum = 2\ndispatch = reply', '[server Alpha] min_quorum: only makes sense with dispatch'),
    ('min_quorum = 2', 'max_error = 2\ndispatch = reply', '[server Alpha] max_error: only makes sense with dispatch'),
    ('min_quorum = 2', 'min_quorum = 2\nverification = recomputation', 'min_quorum: makes no sense with verification'),
    ('min_quorum = 2', 'min_quorum = 2\nblacklist = yes', '[server Alpha] blacklist: needs a verification or spot'),
    ('min_quorum = 2', 'verification = direct\nwithdraw = yes', 'withdraw: only makes sense with blacklist = yes'),
    ('min_quorum = 2', 'assimilate_last = yes', '[server Alpha] assimilate_last: only makes sense with units'),
    ('min_quorum = 2', 'wait_factor = 2', '[server Alpha] wait_factor: only makes sense with dispatch = reply'),
    ('min_quorum = 2', 'recomputation = 2', 'recomputation: only makes sense with verification = recomputation'),
    ('min_quorum = 2', 'tolerance = 0.1', 'tolerance: only makes sense with verification = credibility'),
    ('min_quorum = 2', 'fixed_credit = 1', 'fixed_credit: only makes sense with credit_rule = fixed'),
    ('min_quorum = 2', 'quorum = 2', '[server Alpha] quorum: a section of this kind has no such key'),
    ('sd_flops = 1e12', 'sd_flops = 1e12\ndistribution = constant', 'sd_flops: only makes sense with'),
    ('sd_flops = 1e12', 'distribution = list', 'is not one of its values: normal exponential constant log_normal'),
    ('count = 12\n', '', '[population home] count: this key is missing'),
    ('count = 12\ncpus = 2\n', 'count = 12\n', '[population home] cpus: this key is missing'),
    ('count = 12\ncpus = 2\n', 'count = 12\ncpus = 0\n', '[population home] cpus: must be above 0'),
    ('cpus = 2\nflops = 1e9\n', 'cpus = 2\nflops = 0\n', '[population home] flops: must be above 0'),
    ('available_mean = 10000\n', '', '[population home] available_mean: this key is missing'),
    ('available = 0.5', 'available = 1.5', '[population home] available: "1.5" is more than 1'),
    ('speed_sd = 0.5', 'speed_sd = 50', '[population home] speed_sd: is too large'),
    ('speed_sd = 0.5', 'wrong = 2', '[population home] wrong: is too large'),
    ('speed_sd = 0.5', 'sabotage = 1', '[population home] sabotage: only makes sense together with saboteurs'),
    ('speed_sd = 0.5', 'replaced = yes', '[population home] replaced: only makes sense together with lifetime'),
    ('speed_sd = 0.5', 'columns = count', '[population home] columns: only makes sense together with table'),
    ('speed_sd = 0.5', 'profile = mine', '[population home] profile: "mine" is not a profile'),
    ('speed_sd = 0.5', 'gpus = big', '[population home] gpus: there is no section [gpu big]'),
    ('speed_sd = 0.5', 'spells = weibull', '[population home] spell_shape: this key is missing'),
    ('Beta 10, Alpha', 'Beta 10, Gamma', '[population lab] projects: there is no section [project Gamma]'),
    ('Beta 10, Alpha', 'Beta, Alpha, Beta 3', '[population lab] projects: names a project twice'),
    ('Beta 10, Alpha', 'Beta,, Alpha', '[population lab] projects: a name is missing'),
    ('Beta 10, Alpha', 'Beta -1', '[population lab] projects: the share "-1" is negative'),
    (LAB, LAB + '[task T]\nproject = Alpha\nremaining = 100\n', '[task T]: the hosts of a grid have no tasks when'),
    (LAB, LAB + '[app Alpha/A]\nest_flops = 1\n', '[app Alpha/A] est_flops: in a grid, the [server] of the project'),
    (HOME + LAB, '', 'a grid needs hosts: a [population NAME]'),
])
def test_what_is_refused(old, new, message):
    assert GRID.count(old) == 1
    text = GRID.replace(old, new)
    said = refused(text)
    assert message in said and said.startswith('standard input:'), said
    if message.startswith('['):
        line = int(said.split(':')[1])
        section = message[:message.index(']') + 1]
        before = text.splitlines()[:line]
        assert [found for found in before if found.startswith('[')][-1] == section


@pytest.mark.parametrize('options, message', [
    (['--seeds', '0'], '--seeds 0: must be a whole number from 1 to 10000'),
    (['--seeds', 'x'], '--seeds x: must be'),
    (['-j', '0'], '-j 0: must be'),
    (['--every', '0'], '--every: "0" is not a number of seconds above 0'),
    (['--json', '--csv'], '--json and --csv are two forms of the same output'),
    (['--seeds', '2', '--trace', 'x'], '--trace writes the events of one seed'),
    (['--trace-host', '2'], '--trace-host: name the file with --trace'),
    (['--trace', 'x', '--trace-host', '-1'], '--trace-host -1: must be a whole number from 0 to'),
    (['--timeline', 'x'], '--timeline: there is no such option'),
])
def test_wrong_command_lines(options, message):
    assert refused(GRID, *options, status=2).startswith(message)


def test_too_many_samples():
    assert refused(GRID, '--every', '1e-3', status=2) == '--every: that would be more than a million samples'


def test_files_that_cannot_be_written(tmp_path):
    for option in ('--trace', '--report'):
        assert refused(GRID, option, tmp_path / 'no' / 'x').endswith('No such file or directory')
    assert 'cannot be written' in refused(GRID, '--report', '/dev/full')
    assert 'could not be written completely' in refused(GRID, '--trace', '/dev/full')


def test_a_grid_is_nothing_for_other_commands():
    result = vcemu('run', '-', stdin=GRID)
    assert result.returncode == 1 and 'server Alpha' in result.stderr


# ---- for people ------------------------------------------------------------------------------------------------------

def test_text_fits_the_screen_and_says_all():
    text = output_of('grid', '-', '--seeds', 2, stdin=GRID, COLUMNS='80')
    assert all(len(line) <= 80 for line in text.splitlines())
    assert 'means of 2 seeds, 5 to 6, +- their standard errors' in text
    for word in ('PROJECT', 'Alpha', 'Beta', 'POPULATION', 'home', 'lab', 'turnaround, mean', 'wrong accepted', ' +- '):
        assert word in text


def test_many_projects_go_below_each_other():
    more = ''.join((ALPHA.replace('Alpha', f'Project number {i}')) for i in range(14))
    text = output_of('grid', '-', '--days', 0.1, stdin=LENGTH + more + HOME, COLUMNS='80')
    assert all(len(line) <= 80 for line in text.splitlines())
    assert all(f'Project number {i}' in text for i in range(14))


def test_help():
    text = output_of('grid', '--help')
    for option in ('--bound', '--csv', '--every', '--json', '--report', '--seeds', '--trace', '--workers', 'examples:'):
        assert option in text


@pytest.mark.parametrize('source, heading', [
    ('grid_server.c', '### `[server PROJECT]`'), ('grid_population.c', '### `[population NAME]`'),
])
def test_each_key_is_in_the_manual(source, heading):
    keys = re.findall(r'\{"(\w+)", FORM_', (ROOT / 'lib/vcemu/scenario/grid' / source).read_text(encoding='utf-8'))
    section = (ROOT / 'doc/state_format.md').read_text(encoding='utf-8').split(heading)[1].split('\n##')[0]
    explained = [key for row in re.findall(r'^\| (`[^|]*) \|', section, re.MULTILINE)
                 for key in re.findall(r'`(\w+)`', row)]
    assert sorted(keys) == sorted(explained) and len(keys) > 20


def test_each_field_of_json_is_in_the_manual():
    section = (ROOT / 'doc/vcemu.md').read_text(encoding='utf-8').split('## `vcemu grid SCENARIO`')[1].split('\n## ')[0]
    answer = grid(GRID, '--seeds', 2, '--bound')
    keys = {*answer, *answer['grid'], *answer['projects'][0], *answer['populations'][0], *answer['hosts'][0],
            *answer['projects'][0]['turnaround'], *answer['projects'][0]['flops'], *answer['populations'][0]['waste']}
    assert {key for key in keys if f'`{key}' not in section} == set()


# ---- the examples ----------------------------------------------------------------------------------------------------

@pytest.mark.parametrize('name', EXAMPLES)
def test_examples(name):
    """For a day; with less than their hundreds of short jobs on each host, which take the sanitizers minutes."""
    less = ('--set', 'min_buffer=3600', '--set', 'additional_buffer=0')
    answer = grid('', '--days', 1, *less, path=f'examples/scenarios/grids/{name}.ini')
    assert all(project['done'] > 0 for project in answer['projects'])


def test_dispatch_by_reply_has_a_window_and_duplicates(tmp_path):
    """Of the example, duplicates fall as K_wait grows; by deadline there are none."""
    text = (ROOT / 'examples/scenarios/grids/batch.ini').read_text(encoding='utf-8')
    assert 'units = 20000' in text and 'count = 200' in text
    text = text.replace('units = 20000', 'units = 2000').replace('count = 200', 'count = 20')  # it takes seconds
    batches = []
    for factor in (1, 3):
        changed = text.replace('wait_factor = 2', f'wait_factor = {factor}')
        batches.append(grid(changed, '--report', tmp_path / 'page.html')['projects'][0])
    assert batches[0]['duplicates'] > 1.2 * batches[1]['duplicates'] > 0
    assert all(batch['window'] > 0 for batch in batches)
    assert data_of(tmp_path / 'page.html')['projects'][0]['byReply'] is True
    assert max(data_of(tmp_path / 'page.html')['projects'][0]['series']['window']['mean']) > 0
    assert grid(GRID)['projects'][0]['window'] is grid(GRID)['projects'][0]['duplicates'] is None


def test_all_examples_are_tested():
    assert sorted(path.stem for path in (ROOT / 'examples/scenarios/grids').glob('*.ini')) == sorted(EXAMPLES)
