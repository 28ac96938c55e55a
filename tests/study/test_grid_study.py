# SPDX-License-Identifier: MIT
"""The studies of whole grids: that a few points of each say what the manual says, and that the manual shows them.

The environment variable GRID_STUDY is the path of the program.
"""

import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree

import pytest

ROOT = pathlib.Path(__file__).parents[2]
STUDIES = ROOT / 'examples/study'
sys.path.insert(0, str(STUDIES / 'grid'))
import tables  # noqa: E402  # pylint: disable=wrong-import-position

GRID_STUDY = os.path.abspath(os.environ['GRID_STUDY'])
PAGE = ROOT / 'doc/grid_study.md'
FIGURES = ROOT / 'doc/study/grid'
NAMES = sorted(path.stem for path in (STUDIES / 'grid').glob('*.gp'))


def run(*arguments):
    return subprocess.run([GRID_STUDY, *arguments], capture_output=True, text=True, check=False)


def make(folder, study, seeds):
    """The figures of a few points, and their paired differences."""
    result = run('-q', '-s', str(seeds), '-d', str(folder / 'differences.csv'), study)
    assert (result.returncode, result.stderr) == (0, '')
    (folder / 'figures.csv').write_text(result.stdout, encoding='utf-8')
    return tables.read(folder / 'figures.csv'), tables.read(folder / 'differences.csv')


def value(rows, key, merit):
    return float(rows[key][merit])


# ---- Quorum and delay bound ----


@pytest.fixture(name='quorum', scope='module')
def few_quorums(tmp_path_factory):
    return make(tmp_path_factory.mktemp('quorum'), 'quorum', 2)[0]


@pytest.mark.parametrize('variant', ['1 of 1', '2 of 2'])
def test_delay_bound_moves_the_tail_and_not_the_median(quorum, variant):
    median, tail, copies = ([value(quorum, ('delay bound', variant, x), merit) for x in ('1', '3', '10')]
                            for merit in ('median_hours', 'p99_hours', 'copies_per_unit'))
    assert max(median) < 1.1 * min(median)
    assert tail[0] < tail[1] < tail[2] and tail[2] > 4 * tail[0]
    assert copies[0] > copies[1] > 0.99 * copies[2]


def test_two_copies_halve_the_throughput(quorum):
    for x in ('1', '3', '10'):
        one, two = (value(quorum, ('delay bound', variant, x), 'units_per_day') for variant in ('1 of 1', '2 of 2'))
        assert 0.45 * one < two < 0.55 * one


# ---- Verification ----


@pytest.fixture(name='verification', scope='module')
def few_checks(tmp_path_factory):
    return make(tmp_path_factory.mktemp('verification'), 'verification', 8)[0]


def test_wrong_results_are_as_many_as_the_closed_forms_say(verification):
    known = {key: row for key, row in verification.items() if row['exact'] != 'NaN'}
    assert len(known) >= 20
    assert all(row['variant'] in ('no check', '2 equal', '3 equal') or 'checks' in row['variant'] or
               'recomputation' in row['variant'] for row in known.values())
    for key, row in known.items():
        runs, hosts = int(row['runs']), 100
        if float(row['wrong_accepted']) > 0:
            # Which hosts lie is drawn for all methods alike; this is the rest, given the liars.
            assert abs(float(row['above_expected'])) <= 3 * float(row['above_expected_sd']) / math.sqrt(runs), key
        else:
            # A saboteur that gets through does so with every result: fewer than 3 hosts were expected to in all
            # runs together, so that none may well be the outcome.
            assert float(row['exact']) * hosts * runs < 3, key


def test_blacklist_makes_recomputation_worth_more(verification):
    for x in ('0.1', '0.3'):
        alone = value(verification, ('closed forms', 'recomputation 1.5', x), 'wrong_accepted')
        assert value(verification, ('always', 'recomputation 1.5', x), 'wrong_accepted') < alone / 4


def test_rare_lies_slip_through_adaptive_replication(verification):
    for x in ('0.1', '0.3'):
        unchecked, adaptive, two = (value(verification, ('one in ten', variant, x), 'wrong_accepted')
                                    for variant in ('no check', 'adaptive', '2 equal'))
        assert 0.4 * unchecked < adaptive < unchecked
        assert two < 0.25 * unchecked


def test_inverse_check_costs_honest_hosts_too(verification):
    for x in ('0.1', '0.3'):
        row = verification['always', 'inverse', x]
        assert float(row['caught']) > 1.5 and float(row['operations']) > 2
        assert float(row['wrong_accepted']) < 0.1 * value(verification, ('always', 'no check', x), 'wrong_accepted')


def test_credibility_stays_below_its_tolerance(verification):
    rows = [row for key, row in verification.items() if key[1] == 'credibility']
    assert len(rows) == 4 and all(float(row['wrong_accepted']) < 0.01 for row in rows)


def test_direct_check_accepts_nothing_wrong(verification):
    rows = [row for key, row in verification.items() if key[1] == 'direct']
    assert len(rows) == 4 and all(float(row['wrong_accepted']) == 0 and float(row['caught']) > 0.9 for row in rows)


# ---- Policies ----


@pytest.fixture(name='policies', scope='module')
def few_hosts(tmp_path_factory):
    return make(tmp_path_factory.mktemp('policies'), 'policies', 3)


@pytest.mark.parametrize('part, policy', [('scheduling', 'CS2'), ('fetch', 'WF2'), ('completion', 'JC2')])
def test_second_policy_wastes_less_over_the_population(policies, part, policy):
    difference = policies[1][part, policy, 'all']
    assert float(difference['waste']) + float(difference['waste_ci']) < 0
    row = policies[0][part, policy, 'all']
    assert float(row['less_waste']) > 2 * float(row['more_waste'])


def test_current_wastes_less_than_the_others(policies):
    for profile in ('study2007', 'rpc2003'):
        assert value(policies[1], ('profile', profile, 'all'), 'waste') > 0


def test_percentiles_rise_and_surround_the_mean(policies):
    rows = policies[0]
    for part, variant in {key[:2] for key in rows}:
        curve = [value(rows, (part, variant, x), 'waste') for x in
                 ('5', '10', '20', '30', '40', '50', '60', '70', '80', '90', '95')]
        assert curve == sorted(curve)
        assert curve[0] <= value(rows, (part, variant, 'all'), 'waste') <= curve[-1]


# ---- Dispatch ----


@pytest.fixture(name='dispatch', scope='module')
def few_batches(tmp_path_factory):
    return make(tmp_path_factory.mktemp('dispatch'), 'dispatch', 3)[0]


def test_duplicates_fall_and_the_window_grows_with_the_wait(dispatch):
    soon, late = (dispatch['steady', 'overdue-first', x] for x in ('2', '8'))
    assert float(late['duplicates']) < 0.6 * float(soon['duplicates'])
    for merit in ('window', 'span_hours'):
        assert float(late[merit]) > 1.2 * float(soon[merit]), merit


def test_waiting_longer_draws_the_end_of_a_batch_out(dispatch):
    for order in ('overdue-first', 'drain-then-dead'):
        soon, late = (dispatch['batch', order, x] for x in ('2', '8'))
        assert float(late['tail_days']) > 1.5 * float(soon['tail_days'])
    # It sends jobs in progress again, however short the wait is.
    soon, late = (dispatch['batch', 'drain-then-oldest', x] for x in ('2', '8'))
    assert soon == late | {'x': '2'}


def test_order_decides_on_the_tail_of_a_batch(dispatch):
    tails = [value(dispatch, ('batch', order, '8'), 'tail_days')
             for order in ('drain-then-oldest', 'overdue-first', 'drain-then-dead')]
    assert tails == sorted(tails) and tails[1] > 3 * tails[0]


def test_dead_factor_matters_to_one_order_alone(dispatch):
    for order in ('overdue-first', 'drain-then-oldest'):
        soon, late = (dispatch['dead', order, x] for x in ('2', '8'))
        assert soon == late | {'x': '2'}
    assert dispatch['dead', 'drain-then-dead', '2']['makespan_days'] != \
        dispatch['dead', 'drain-then-dead', '8']['makespan_days']


# ---- The program ----


def test_number_of_workers_changes_nothing(tmp_path):
    results = [(run('-q', '-j', workers, '-s', '1', '-d', str(tmp_path / workers), 'dispatch').stdout,
                (tmp_path / workers).read_text(encoding='utf-8')) for workers in ('1', '3')]
    assert results[0] == results[1]
    assert len(results[0][0].splitlines()) == 1 + 2 * (1 + 3 + 3)


def test_hosts_of_a_table_do_what_they_are_worth(tmp_path):
    path = tmp_path / 'hosts.tsv'
    path.write_text('30\n10\t4\n20\t2.5\n', encoding='utf-8')
    result = run('-q', '-s', '1', '-t', str(path), 'past')
    path.write_text(result.stdout, encoding='utf-8')
    rows = tables.read(path)
    for (_, variant, x), row in rows.items():
        assert float(row['host_gflops']) == pytest.approx(3.0, abs=0.05), variant
        expected = float(x) / (2 if variant.endswith('2') else 1)
        assert 0.8 * expected < float(row['of_paper']) < 1.1 * expected, (variant, x)


@pytest.mark.parametrize('arguments', [[], ['nothing'], ['quorum', 'policies'], ['-s', '0', 'quorum'], ['-x']])
def test_wrong_command_lines_are_refused(arguments):
    result = run(*arguments)
    assert (result.returncode, result.stdout) == (2, '')
    assert 'usage' in result.stderr


def test_missing_files_are_an_error(tmp_path):
    empty = tmp_path / 'empty'
    empty.write_text('nothing here\n', encoding='utf-8')
    for arguments in (['past'], ['-t', str(tmp_path / 'missing'), 'past'], ['-t', str(empty), 'past']):
        assert run(*arguments).returncode == 1
    result = run('-q', '-s', '1', '-d', str(tmp_path / 'missing' / 'file.csv'), 'dispatch')
    assert (result.returncode, result.stdout) == (1, '')
    assert 'cannot be written' in result.stderr


# ---- The manual ----


def test_tables_of_the_manual_are_those_of_its_figures():
    text = PAGE.read_text(encoding='utf-8')
    made = tables.tables_of(FIGURES)
    assert sorted(re.findall(r'<!-- table: ([\w ]+) -->', text)) == sorted(made) == sorted(tables.TABLES)
    assert tables.write_into(text, made) == text


@pytest.mark.parametrize('kind, beginning', [('svg', b'<?xml'), ('png', b'\x89PNG'), ('pdf', b'%PDF')])
@pytest.mark.skipif(shutil.which('gnuplot') is None, reason='gnuplot is not installed')
def test_pictures_can_be_drawn(tmp_path, kind, beginning):
    for study in NAMES:
        files = {'results': FIGURES / f'{study}.csv', 'differences': FIGURES / f'{study}_differences.csv',
                 'folder': tmp_path, 'format': kind}
        result = subprocess.run(['gnuplot', '-e', '; '.join(f"{name} = '{value}'" for name, value in files.items()),
                                 STUDIES / 'style.gp', STUDIES / 'grid' / f'{study}.gp'],
                                capture_output=True, text=True, check=False)
        # It warns of curves without a point.
        assert (result.returncode, result.stdout, result.stderr) == (0, '', '')
    assert sorted(path.stem for path in tmp_path.iterdir()) == sorted(path.stem for path in FIGURES.glob('*.svg'))
    assert all(path.read_bytes().startswith(beginning) for path in tmp_path.iterdir())


def test_pictures_of_the_manual_are_there_and_white():
    pictures = re.findall(r'!\[[^]]+\]\((study/grid/\w+\.svg)\)', PAGE.read_text(encoding='utf-8'))
    assert sorted(pictures) == sorted(f'study/grid/{path.name}' for path in FIGURES.glob('*.svg'))
    for picture in pictures:
        root = xml.etree.ElementTree.parse(PAGE.parent / picture).getroot()
        background = next(root.iter('{http://www.w3.org/2000/svg}rect'))
        assert background.get('fill') == '#ffffff'
