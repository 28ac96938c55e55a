# SPDX-License-Identifier: MIT
"""Hosts of odd shape, each decided wrongly once, with the right answers: the files of tests/tool/odd_hosts.

Also the emulated hosts of tests/bench/hosts/odd and the program that compares builds on them.
"""

import csv
import itertools
import json
import os
import pathlib
import subprocess
import sys

import pytest

from vcemu_examples import ROOT, output_of, vcemu

FOLDER = pathlib.Path(__file__).with_name('odd_hosts')
BENCH = ROOT / 'tests' / 'bench'

# Rows whose rule is still to come. A row that comes out right must leave this list.
NOT_YET = {}


class Plan:
    """The answer of `vcemu plan` to a state: its JSON, and its words on request."""

    def __init__(self, text):
        self.text = text
        self.answer = json.loads(self.words('--json'))
        self.tasks = {task['name']: task for task in self.answer['tasks']}
        self.resources = {resource['name']: resource for resource in self.answer['resources']}
        self.projects = {project['name']: {resource['name']: resource for resource in project['resources']}
                         for project in self.answer['projects']}

    def words(self, *options):
        found = vcemu('plan', '-', *options, stdin=self.text)
        assert found.returncode == 0, found.stderr
        return found.stdout

    @property
    def running(self):
        return [name for name, task in self.tasks.items() if task['run']]

    @property
    def asked(self):
        """The project that is called, and the resources for which it is asked for work."""
        project = self.answer['fetch']['project']
        return project, [name for name, resource in self.projects.get(project, {}).items()
                         if resource['request_seconds'] > 0]


def file_of(name, change=lambda text: text):
    return Plan(change((FOLDER / f'{name}.ini').read_text(encoding='utf-8')))


def imported(name, *options):
    """A state as the importer makes it of a client's files."""
    found = subprocess.run([sys.executable, '-m', 'vcsched', 'import', FOLDER / f'{name}.xml', *options, '-q'],
                           cwd=ROOT / 'bindings' / 'python', check=True, capture_output=True, encoding='utf-8')
    return Plan(found.stdout)


# ---- The right answers ----


def quarter_gpu_limit_plan():
    """Four tasks at a time, of a quarter card and 10,000 s, are 20.7 in a buffer of 51,840 s; 20 are there."""
    request = file_of('quarter_gpu_limit_plan').projects['Alpha']['nv']['request_seconds']
    assert request <= 4 * 0.25 * 51840 - 20 * 0.25 * 10000


def quarter_gpu_limit_run(tmp_path):
    """The buffer holds 20.7 tasks and one begun, from the first call on; one call brings 15, and none is for CPUs."""
    trace = tmp_path / 'trace.csv'
    found = json.loads(output_of('run', FOLDER / 'quarter_gpu_limit_run.ini', '--json', '--trace', trace))
    with trace.open(encoding='utf-8') as lines:
        events = [row['event'] for row in csv.DictReader(lines)]
    held = itertools.accumulate((event == 'received') - (event == 'ended') for event in events)
    assert max(held) <= 22
    assert found['rpcs_per_job'] <= 0.067


def card_swapped_2():
    """Each on the card that it has run on."""
    plan = file_of('card_swapped_2')
    assert {name: task['devices'] for name, task in plan.tasks.items()} == {'alpha_1': [1], 'beta_1': [0]}


def full_but_lacking():
    """The cards lack 13 h 40 min, so whoever is called for the CPUs is asked for the cards, too."""
    plan = file_of('full_but_lacking')
    project, resources = plan.asked
    assert resources == ['CPU', 'card']
    assert plan.projects[project]['card']['reason'] != 'full'


def no_buffer():
    """100 s of work are less than the least buffer of 180 s."""
    plan = imported('no_buffer', '--global-prefs', FOLDER / 'no_buffer.prefs.xml')
    assert plan.asked == ('Alpha', ['CPU'])
    assert plan.projects['Alpha']['CPU']['request_seconds'] == pytest.approx(4 * 80)


def idle_now_fragments():
    """Six thirds of a card are in use of three cards, and no card is free until 3,200 s from now."""
    plan = file_of('idle_now_fragments')
    assert plan.resources['amd']['idle_now'] == pytest.approx(1.02, abs=0.001)
    assert min(plan.tasks[f'prime_{number}']['finish'] for number in range(1, 5)) >= 3200 + 50000


def never_in_time():
    """60 days do not fit into 25."""
    plan = file_of('never_in_time')
    assert 'climate_long cannot be done in time even alone' in plan.words()
    assert '1 of the 1' not in plan.words()
    assert 'It cannot be done in time even alone' in ' '.join(
        plan.words('--explain', 'climate_long').split())


def two_waits():
    """15,700 s of backoff end after the 309 s of the server."""
    plan = file_of('two_waits')
    assert plan.projects['Sky']['CPU']['reason'] == 'backed_off'
    assert '4h 22m' in plan.words()
    explained = plan.words('--explain', 'Sky')
    assert '4h 22m' in explained and '5m 09s' in explained


def limit_in_threads():
    """Eight threads are one task of eight CPUs."""
    limit = '[project_resource Collider/CPU]\nmax_instances = 8\n'
    plan = file_of('limit_in_threads', lambda text: text.replace('max_concurrent = 8\n', '') + limit)
    assert [name for name in plan.running if name.startswith('wide')] == ['wide_1']


def gpu_tasks_only():
    """The CPUs pause, the GPU tasks go on."""
    plan = file_of('gpu_tasks_only')
    assert plan.running == ['g1', 'g2']


def must_not_be_interrupted():
    """Late tasks of all eight CPUs wait for three tasks of one."""
    def uninterruptible(text):
        return text.replace('since_checkpoint = 5000', 'since_checkpoint = 5000\nuninterruptible = yes')
    assert file_of('must_not_be_interrupted', uninterruptible).running[:3] == ['camb_1', 'camb_2', 'camb_3']


def suspended_task():
    """A project with a task that the user has suspended is not asked."""
    plan = imported('suspended_task')
    assert plan.asked == (None, [])
    assert plan.projects['Alpha']['CPU']['reason'] == 'task_by_user'


def exact_progress():
    """A tenth took 6 min, so nine tenths take 54 min."""
    assert imported('exact_progress').tasks['q_0']['finish'] == pytest.approx(9 * 360)


def one_bad_upload(tmp_path):
    """One result of one unit of twenty is no number; the others agree."""
    if not os.environ.get('VCSCHED_BUILD'):
        pytest.skip('VCSCHED_BUILD names no build')
    subprocess.run(['meson', 'install', '-C', os.environ['VCSCHED_BUILD'], '--no-rebuild', '--quiet', '--tags',
                    'python-runtime', '--destdir', tmp_path / 'package'], check=True, stdout=subprocess.DEVNULL)
    package = next((tmp_path / 'package').glob('**/vcsched/__init__.py')).parents[1]
    folders = package, ROOT / 'examples' / 'project', ROOT / 'tests' / 'project', FOLDER / 'one_bad_upload'
    found = subprocess.run([sys.executable, FOLDER / 'one_bad_upload' / 'drive.py', tmp_path, '20', '1'], check=True,
                           env={**os.environ, 'PYTHONPATH': os.pathsep.join(map(str, folders))}, capture_output=True,
                           encoding='utf-8')
    answer = json.loads(found.stdout)
    assert (answer['units'], answer['canonical'], answer['waiting']) == (20, 19, 0)


def wide_waits():
    """No CPU goes to another narrow task; beside a wide task slices last 4 h, and the last one is 900 s old."""
    plan = file_of('wide_waits')
    assert plan.running == ['n0', 'n1', 'n2', 'n3']
    assert plan.tasks['wide_1']['reason'] == 'held'
    assert plan.tasks['wide_1']['finish'] == pytest.approx(14400 - 900 + 10800)


def late_wide():
    """It could begin when the GPU tasks end, 7,200 s from now, so they go on; only their shares are in its way."""
    plan = file_of('late_wide')
    assert plan.running == ['wide_1', 'g1', 'g2']


def gap():
    """Half a card is idle for 4,000 s: 1.9 % of the buffer."""
    assert file_of('gap').asked == (None, [])


def gap_later():
    """Half a card will be idle for 2,000 s: 1 % of the buffer."""
    assert file_of('gap_later').asked == (None, [])


def slices_count():
    """All four that run go on: two end within a slice, two have begun theirs."""
    assert file_of('slices_count').running == ['einstein_6', 'einstein_7', 'einstein_8', 'rosetta_5']


ROWS = [card_swapped_2, exact_progress, full_but_lacking, gap, gap_later, gpu_tasks_only, idle_now_fragments,
        late_wide, limit_in_threads, must_not_be_interrupted, never_in_time, no_buffer, one_bad_upload,
        quarter_gpu_limit_plan, quarter_gpu_limit_run, slices_count, suspended_task, two_waits, wide_waits]


def marked(row):
    name = row.__name__
    marks = [pytest.mark.xfail(strict=True, raises=AssertionError, reason=NOT_YET[name])] if name in NOT_YET else []
    return pytest.param(row, id=name, marks=marks)


@pytest.mark.parametrize('row', [marked(row) for row in ROWS])
def test_the_answer(row, tmp_path):
    row(*[tmp_path] * row.__code__.co_argcount)


def test_each_file_has_an_answer():
    names = {row.__name__ for row in ROWS}
    assert {path.name.split('.')[0] for path in FOLDER.iterdir()} == names
    assert set(NOT_YET) <= names


# ---- What a file says of uses ----

LIMITED = """[host]
cpus = 8
flops = 1
[gpu nv]
count = 2
flops = 1
[client]
min_buffer = 1000
additional_buffer = 0
[project P]
apps_listed = yes
[app P/a]
max_concurrent = 4
"""


@pytest.mark.parametrize('more, cards', [
    ('', 2000),
    ('gpu = nv', 2000),
    ('gpu = nv\ngpus = 0.25', 1000),
    ('gpu = nv\ngpus = 0.25\nexcluded = 1', 1000),
    ('gpu = nv\ngpus = 0.25\n[app_resource P/a/nv]\nexcluded = 1', 1000),
    ('gpu = nv\ngpus = 0.25\n[app_resource P/a/nv]\nuse = 0.125', 500),
    ('[app_resource P/a/nv]\nuse = 0.125', 500),
    ('cpus = 2\n[app_resource P/a/nv]\nuse = 0.125', 500),
])
def test_uses_of_an_application(more, cards):
    """Without a task, four at a time use as much of the cards as is said, and no CPUs if none is said of them."""
    asked = Plan(LIMITED + more).projects['P']
    cpus = 0 if more and 'cpus' not in more else 8000
    assert asked['nv']['request_seconds'] == cards
    assert asked['CPU']['request_seconds'] == (cpus if more else 4000)
    assert (asked['CPU']['reason'] == 'no_apps') == (cpus == 0)


# ---- Emulated hosts ----


@pytest.mark.parametrize('path', sorted((BENCH / 'hosts' / 'odd').glob('*.ini')), ids=lambda path: path.stem)
def test_a_host_of_the_comparison(path):
    """Each is a scenario without warnings; idle instances have a reason."""
    found = json.loads(output_of('run', path, '--json', '--days', '10'))
    assert found['ended'] > 0
    assert all(resource['idle_unexplained'] < 0.02 * resource['available'] for resource in found['resources'])


def test_parts_of_cards_that_no_task_could_use_make_no_calls():
    """A third of a card is the least that a task uses here; it was called for the sixth beside two of them, too."""
    found = json.loads(output_of('run', BENCH / 'hosts' / 'odd' / 'half_gpu_mixed.ini', '--json'))
    assert found['rpcs_per_job'] <= 0.085
    assert max(resource['idleness'] for resource in found['resources']) <= 0.035


def compared(*options):
    """What the comparison prints below the head of its table, of a slice of one hour and one of two."""
    tool = os.path.abspath(os.environ['VCEMU'])
    found = subprocess.run([sys.executable, BENCH / 'odd_hosts.py', tool, f'{tool}:period=7200', 'slices', '--seeds',
                            '2', *options], check=True, capture_output=True, encoding='utf-8')
    return found.stdout.splitlines()[2:]


def test_the_comparison():
    before, after, error = compared()
    assert before.startswith('| slices | before | 0.') and after.startswith('| slices | after | 0.')
    assert before.split('|')[3:] != after.split('|')[3:] and error.startswith('| | ± |')
    row, = compared('--arrows')
    assert row.startswith('| slices | 0 | – | 0 | .') and ' → .' in row
