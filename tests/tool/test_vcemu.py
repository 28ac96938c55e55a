# SPDX-License-Identifier: MIT
"""The command-line tool vcemu, from outside: what it prints, and what it says of wrong input.

The environment variable VCEMU is the path of the program.
"""

import configparser
import csv
import itertools
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

import pytest

from vcemu_examples import GOLDEN_PLAN, PAGES, ROOT, SMALL_STATE, arguments_of, environment, examples_in, \
    open_terminal, output_of, vcemu

VCEMU = os.path.abspath(os.environ['VCEMU'])

HOST = '[host]\ncpus = 2\nflops = 4e9\n'
# Lines 1 ... 12; what a test appends begins in line 13.
BASE = HOST + '[gpu Vega]\nflops = 1e12\n[project p]\n[app p/a]\n[project q]\n' \
    + '[task t]\nproject = p\nremaining = 100\n# end of the base\n'
NEXT_LINE = BASE.count('\n') + 1


def answer_of(command, text, *options):
    return json.loads(output_of(command, '-', '--json', *options, stdin=text))


def table_of(*arguments, heading, **options):
    """The rows of the table with a heading that begins so."""
    lines = output_of(*arguments, **options).splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith(heading)) + 1
    return list(itertools.takewhile(lambda line: '  ' in line, lines[first:]))


def task_of(text, *options):
    """The forecast for the first task."""
    return answer_of('plan', text, *options)['tasks'][0]


ARITHMETIC = 'OTHER_ARITHMETIC_LIBRARY'


def planned_with(arithmetic):
    """How it ends in a process that computes in this way."""
    return subprocess.run([VCEMU, 'plan', '-'], input=BASE, check=False, capture_output=True, text=True,
                          env={**environment(), 'LD_PRELOAD': os.environ[ARITHMETIC], 'OTHER_ARITHMETIC': arithmetic})


@pytest.mark.skipif(ARITHMETIC not in os.environ, reason='not on this processor')
def test_it_decides_nothing_where_numbers_are_rounded_otherwise():
    ended = planned_with('upward')
    assert (ended.returncode, ended.stdout) == (1, '')
    assert ended.stderr == ('vcemu: the library decides otherwise here than elsewhere: rounding is not to nearest in '
                            'this thread\n')


@pytest.mark.skipif(ARITHMETIC not in os.environ, reason='not on this processor')
def test_it_decides_alike_where_denormal_numbers_are_flushed():
    ended = planned_with('flush')
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, output_of('plan', '-', stdin=BASE), '')


# ---- what it prints --------------------------------------------------------------------------------------------------

@pytest.mark.parametrize('command, output', [example for page in PAGES for example in examples_in(page)])
def test_manual_shows_what_the_tool_prints(command, output):
    assert output_of(*arguments_of(command)) == output


def test_manual_has_examples_of_both_commands():
    commands = [arguments_of(command) for command, _ in examples_in('doc/vcemu.md')]
    assert {'plan', 'admit'} <= {arguments[0] for arguments in commands}
    assert any('--explain' in arguments for arguments in commands)


def test_plan_as_json_is_as_it_was():
    assert output_of('plan', SMALL_STATE, '--json') == (ROOT / GOLDEN_PLAN).read_text(encoding='utf-8')


def test_plan_has_the_promised_fields():
    plan = json.loads(output_of('plan', SMALL_STATE, '--json'))
    assert list(plan) == ['now', 'profile', 'stopped', 'reached', 'schedule', 'fetch', 'resources', 'tasks', 'projects']
    assert list(plan['schedule']) == ['running', 'started', 'stopped', 'look_again']
    assert list(plan['fetch']) == ['project', 'reason', 'look_again']
    assert list(plan['resources'][0]) == ['name', 'instances', 'shortfall', 'idle_now', 'saturated', 'busy']
    assert list(plan['tasks'][0]) == ['name', 'project', 'resource', 'finish', 'deadline_miss', 'verdict', 'run',
                                      'reason']
    assert list(plan['projects'][0]) == ['name', 'priority', 'resources']
    assert list(plan['projects'][0]['resources'][0]) == ['name', 'shortfall', 'misses', 'tasks', 'request_seconds',
                                                         'request_instances', 'reason']


def test_admit_has_the_promised_fields():
    answer = json.loads(output_of('admit', SMALL_STATE, '--json'))
    assert list(answer) == ['now', 'profile', 'candidates']
    assert all(list(candidate) == ['name', 'admitted', 'reason', 'finish', 'harmed']
               for candidate in answer['candidates'])


def test_small_state_by_hand():
    """Two CPUs at 0.9, one GPU at 0.8, buffers of 21600 and 43200 s."""
    plan = json.loads(output_of('plan', SMALL_STATE, '--json'))
    tasks = {task['name']: task for task in plan['tasks']}
    # One task of each project runs at a time: folding may run no more, and meteors has two of its CPU tasks left
    # behind.
    assert tasks['fold_αβ_000172']['finish'] == 32000          # 28800 / 0.9
    assert tasks['fold_αβ_000173']['finish'] == 64000          # another 32000
    assert tasks['impact_77']['finish'] == 40000               # 36000 / 0.9, the oldest of meteors
    assert tasks['gpu_lens_5']['finish'] == 13500              # 10800 / 0.8
    # Static estimate 7.2e13 / 3.6e9 * 1.2 = 24000; A = 9000 / 0.4 - 9000 = 13500, B = 0.6 * 24000 = 14400;
    # remaining 0.4 * 13500 + 0.6 * 14400 = 14040, which takes 15600 from 40000 on.
    assert tasks['skymap_2031_a']['finish'] == 55600
    assert tasks['skymap_2031_b']['finish'] == 82266.666667    # 55600 + 24000 / 0.9, in microseconds
    assert (tasks['sieve_wide']['finish'], tasks['sieve_wide']['verdict']) == (None, 'stuck')
    assert (tasks['sieve_12']['finish'], tasks['sieve_12']['verdict']) == (None, 'apart')
    # The cushion is the minimum buffer: late is after 43200 - 21600 and after 79200 - 21600.
    assert [name for name in tasks if tasks[name]['deadline_miss']] == ['skymap_2031_b', 'impact_77']

    cpu, gpu = plan['resources']
    assert (cpu['idle_now'], cpu['saturated'], cpu['shortfall']) == (0, 64000, 800)  # one is idle from 64000 to 64800
    assert (gpu['idle_now'], gpu['saturated'], gpu['shortfall']) == (0, 13500, 64800 - 13500)
    assert (cpu['busy'], gpu['busy']) == (26666.666667, 0)     # the two late ones: 36000 / 0.9 and 24000 / 0.9

    meteors, folding, sieve = plan['projects']
    assert meteors['priority'] == pytest.approx(-(310 / 964) / (100 / 300), rel=1e-15)
    assert folding['priority'] == pytest.approx(-(650 / 964) / (200 / 300), rel=1e-15)
    assert sieve['priority'] == pytest.approx(-4 / 964, rel=1e-15)
    assert [pair['tasks'] for pair in meteors['resources']] == [3, 1]
    assert [pair['misses'] for pair in meteors['resources']] == [2, 0]


def test_candidates_of_the_small_state_by_hand():
    """By deadline less the minimum buffer of 21600 s."""
    answer = json.loads(output_of('admit', SMALL_STATE, '--json'))
    lens, urgent, fold = answer['candidates']
    # impact_77 has one CPU until 40000, skymap_2031_b the other until 26666.67; then it has 0.2 CPU, and 7200 / 0.8
    # more.
    assert lens == {'name': 'gpu_lens_6', 'admitted': True, 'reason': 'admitted', 'finish': 35666.666667,
                    'harmed': None}
    # It would have the second CPU until 33333, so that skymap_2031_b would end at 60000, after 79200 - 21600.
    assert urgent == {'name': 'skymap_urgent', 'admitted': False, 'reason': 'harms_timely', 'finish': 33333.333333,
                      'harmed': 'skymap_2031_b'}
    # Its 32000 s begin immediately, and still end after 30000 - 21600.
    assert fold == {'name': 'fold_αβ_000180', 'admitted': False, 'reason': 'own_deadline', 'finish': 32000,
                    'harmed': None}


def test_a_candidate_can_be_harmed_too():
    state = HOST + '[client]\nmin_buffer = 0\n[project p]\n' + ''.join(
        f'[candidate {name}]\nproject = p\ncpus = 2\nremaining = 100\ndeadline = {deadline}\n'
        for name, deadline in (('first', 150), ('second', 120)))
    second = answer_of('admit', state)['candidates'][1]
    assert (second['reason'], second['harmed']) == ('harms_timely', 'first')
    assert 'That is first.' in output_of('admit', '-', stdin=state)


def test_admission_by_chance_says_why():
    hour = 3600
    state = (f'[host]\ncpus = 1\nflops = 1e9\non_spell = {4 * hour}\noff_spell = {hour}\n'
             '[client]\nwork_send = by_chance\n[project p]\n'
             f'[task long]\nproject = p\nremaining = {30 * hour}\ndeadline = {50 * hour}\n')
    state += ''.join(f'[candidate {name}]\nproject = p\nremaining = {hours * hour}\ndeadline = {due * hour}\n'
                     for name, hours, due in
                     (('tight', 20, 21), ('longer', 7, 40), ('behind', 20, 60), ('good', 5, 40)))
    tight, longer, behind, good = answer_of('admit', state)['candidates']
    assert (tight['admitted'], tight['reason']) == (False, 'small_chance')
    assert (longer['admitted'], longer['reason'], longer['harmed']) == (False, 'takes_margin', 'long')
    assert (behind['admitted'], behind['reason']) == (False, 'wait_costs')
    assert (good['admitted'], good['reason']) == (True, 'likely')
    written = output_of('admit', '-', stdin=state)
    assert 'A waiting task would lose the margin to its deadline.' in written and 'That is long.' in written


# ---- numbers and texts in JSON ---------------------------------------------------------------------------------------

@pytest.mark.parametrize('text', ['0.1', '1e+300', '4.9406564584124654e-324', '-2.5', '0.30000000000000004',
                                  '123456789.123', '9007199254740993', '1.7976931348623157e+308',
                                  '2.2250738585072014e-308'])
def test_numbers_read_back_as_they_were(text):
    output = output_of('plan', '-', '--json', stdin=HOST + f'now = {text}\n')
    written = re.search(r'"now": (.*),', output).group(1)
    assert float(written) == float(text)
    assert len(written.lstrip('-')) <= len(repr(abs(float(text)))) + 1


@pytest.mark.parametrize('text, value',
                         [('0x1p-1', 0.5), ('1E3', 1000), ('+7', 7), ('.5', 0.5), ('5.', 5), ('-0x10', -16)])
def test_numbers_are_read_as_strtod_does(text, value):
    assert answer_of('plan', HOST + f'now = {text}\n')['now'] == value


@pytest.mark.parametrize('locale', ['de_DE.UTF-8', 'C.UTF-8', 'tr_TR.UTF-8'])
def test_numbers_do_not_depend_on_the_locale(locale):
    assert output_of('plan', SMALL_STATE, '--json', LC_ALL=locale) == output_of('plan', SMALL_STATE, '--json')


@pytest.mark.parametrize('name', ['with "quotes" and \\', 'tab\there', 'Škoda €', '日本語', '🚀', '[x] = y', "#';",
                                  'a/b/c'])
def test_names_pass_through_json(name):
    state = HOST + f'[project {name}]\n[app {name}/a/b]\n' + f'[project_resource {name}/CPU]\nrec = 1\n' \
        + f'[task {name}]\nproject = {name}\napp = a/b\nremaining = 1\n'
    task = task_of(state)
    assert (task['name'], task['project']) == (name, name)


def test_what_is_not_known_is_null():
    state = HOST + '[project p]\n' + ''.join(
        f'[task {name}]\nproject = p\nremaining = {remaining}\n'
        for name, remaining in (('a', 50), ('b', 500), ('c', 500)))
    plan = answer_of('plan', state, '--set', 'horizon=100')
    assert (plan['stopped'], plan['reached']) == (True, 100)
    assert [(task['finish'], task['deadline_miss'], task['verdict']) for task in plan['tasks']] \
        == [(50, False, 'meets'), (None, None, 'unknown'), (None, None, 'unknown')]


def test_a_project_without_tasks_has_no_priority():
    plan = answer_of('plan', HOST + '[project p]\n[project q]\n[task t]\nproject = p\nremaining = 1\n')
    assert [project['priority'] for project in plan['projects']] == [0, None]


# ---- what a state file says ------------------------------------------------------------------------------------------

def test_a_priority_is_never_minus_zero():
    """0 for a project without work done, about -1e-6 for a third of a millionth of all work."""
    state = HOST + ''.join(f'[project {name}]\nrec = {rec}\n[task of {name}]\nproject = {name}\nremaining = 1\n'
                           for name, rec in (('idle', 0), ('slow', 1), ('fast', 2999999)))
    idle, slow, fast = (project['priority'] for project in answer_of('plan', state)['projects'])
    assert str(idle) == '0'
    assert (slow, fast) == pytest.approx((-1e-6, -2.999999))
    rows = [line.split() for line in table_of('plan', '-', stdin=state, heading='PROJECT  SHARE')]
    assert [(row[0], row[3]) for row in rows] == [('idle', '0.000'), ('slow', '0.000'), ('fast', '-3.000')]


def test_configparser_reads_the_same(tmp_path):
    parser = configparser.ConfigParser(interpolation=None)
    with open(ROOT / SMALL_STATE, encoding='utf-8') as state:
        parser.read_file(state)
    copy = tmp_path / 'copy.ini'
    with open(copy, 'w', encoding='utf-8') as state:
        parser.write(state)
    for command in 'plan', 'admit':
        assert output_of(command, copy, '--json') == output_of(command, SMALL_STATE, '--json')


@pytest.mark.parametrize('line', ['share = 1', 'share=1', 'share   =\t1  ', '  # share = 9\nshare = 1',
                                  ';x\n\nshare = 1\n\t\n', 'share = 1\r', 'share = 1 ', 'share = %(x)s'])
def test_configparser_splits_lines_alike(line):
    text = HOST + f'[project p]\n{line}\n'
    parser = configparser.ConfigParser(interpolation=None)
    parser.read_string(text)
    value = parser['project p']['share']
    result = vcemu('plan', '-', '--json', stdin=text)
    if value == '1':
        assert result.returncode == 0
    else:
        assert f'share: "{value}" is not a number' in result.stderr


def test_sections_may_stand_in_any_order():
    sections = re.split(r'^(?=\[)', (ROOT / SMALL_STATE).read_text(encoding='utf-8'), flags=re.MULTILINE)
    tasks = [block for block in sections if block.startswith(('[task', '[candidate'))]
    others = [block for block in sections if not block.startswith(('[task', '[candidate'))]
    assert answer_of('plan', ''.join(tasks + others)) == json.loads(output_of('plan', SMALL_STATE, '--json'))


def test_lines_may_end_as_on_windows_and_the_last_one_not_at_all():
    text = (ROOT / SMALL_STATE).read_text(encoding='utf-8').rstrip('\n')
    assert answer_of('plan', text.replace('\n', '\r\n')) == json.loads(output_of('plan', SMALL_STATE, '--json'))


def test_defaults():
    """One CPU each, from a project of share 100 with a factor of 1, no deadline."""
    task = 'project = p\nremaining = 50\n'
    plan = answer_of('plan', HOST + '[gpu g]\nflops = 1e12\n[project p]\n[project q]\nshare = 100\n'
                     + f'[task a]\n{task}[task b]\n{task}[task c]\n{task}gpu = g\n'
                     + '[task d]\nproject = q\nremaining = 50\n')
    assert plan['now'] == 0 and plan['profile'] == 'current'
    # p and q take turns: a and d first, then b; c has the GPU and no CPU.
    assert [(task['finish'], task['resource']) for task in plan['tasks']] \
        == [(50, 'CPU'), (100, 'CPU'), (50, 'g'), (50, 'CPU')]
    assert [resource['instances'] for resource in plan['resources']] == [2, 1]
    assert not any(task['deadline_miss'] for task in plan['tasks'])


SWITCHES = [('yes', True), ('TRUE', True), ('on', True), ('1', True), ('no', False), ('False', False), ('off', False),
            ('0', False)]


@pytest.mark.parametrize('word, suspended', SWITCHES)
def test_switches(word, suspended):
    task = task_of(HOST + f'[project p]\n[task t]\nproject = p\nremaining = 1\nsuspended = {word}\n')
    assert (task['verdict'] == 'apart') == suspended


@pytest.mark.parametrize('word, corrected', SWITCHES)
def test_parameters_that_are_switches(word, corrected):
    """800 operations at 4 a second and a correction factor of 1.5: 300 s with it, 200 s without."""
    task = '[project p]\ndcf = 1.5\n[task t]\nproject = p\nest_flops = 800\nflops = 4\n'
    expected = 300 if corrected else 200
    assert task_of(HOST + f'[client]\nuse_dcf = {word}\n' + task)['finish'] == expected
    assert task_of(HOST + task, '--set', f'use_dcf={word}')['finish'] == expected
    names, ranges = parameters_in_help()
    for name in (name for name, values in zip(names, ranges) if values.strip() == 'no or yes'):
        output_of('plan', '-', '--set', f'{name}={word}', stdin=HOST + f'[client]\n{name} = {word}\n')


def test_listed_values_in_upper_and_lower_case():
    state = HOST + '[project p]\nwait = {}\n[task t]\nproject = p\nremaining = 1000\ndeadline = {}\n' \
        + '[client]\nprofile = {}\nwork_fetch = {}\n[emulation]\nwork_fetch = {}\nwork_send = {}\ncompletion = {}\n'
    words = ['master_file', 'never', 'Study2007', 'WF2', 'WF1', 'ws1', 'jc2']
    expected = output_of('run', '-', '--json', '--days', '2', stdin=state.format(*map(str.lower, words)))
    for change in str.upper, str.title:
        written = state.format(*map(change, words))
        assert output_of('run', '-', '--json', '--days', '2', stdin=written) == expected
    expected = output_of('plan', SMALL_STATE, '--json', '--profile', 'steady', '--policy', 'CS2_WF1_WS1_JC2', '--set',
                         'work_fetch=owed')
    assert output_of('plan', SMALL_STATE, '--json', '--profile', 'STEADY', '--policy', 'cs2_wf1_ws1_jc2', '--set',
                     'work_fetch=Owed') == expected


def test_help_names_the_switches_among_the_parameters():
    names, ranges = parameters_in_help()
    switches = {name for name, values in zip(names, ranges) if values.strip() == 'no or yes'}
    assert {'save_first', 'let_finish', 'hysteresis'} <= switches


def test_a_switch_with_a_third_position():
    """A factor of 1.5 counts however it learned."""
    task = '[project p]\ndcf = 1.5\n[task t]\nproject = p\nest_flops = 800\nflops = 4\n'
    assert task_of(HOST + task, '--set', 'use_dcf=mean')['finish'] == 300


@pytest.mark.parametrize('suspended', ['[project p]\nsuspended = yes\n[gpu g]\nflops = 1\n',
                                       '[project p]\n[gpu g]\nflops = 1\nsuspended = yes\n'])
def test_tasks_of_what_is_suspended_are_apart(suspended):
    assert task_of(HOST + suspended + '[task t]\nproject = p\ngpu = g\nremaining = 1\n')['verdict'] == 'apart'


PROGRESS = 'est_flops = 8e11\nflops = 4e9\n'


@pytest.mark.parametrize('project, app, task, client, remaining', [
    ('', '', PROGRESS, '', 200),                                             # 8e11 / 4e9
    ('dcf = 1.5\n', '', PROGRESS, '', 300),
    ('dcf = 1.5\n', 'dcf = 2\n', PROGRESS, '', 400),                         # that of the application goes first
    ('dcf = 1.5\n', '', PROGRESS, 'use_dcf = no\n', 200),
    ('efficiency = 0.8\n', '', PROGRESS, '', 250),
    ('efficiency = 0.8\n', '', PROGRESS + 'gpu = g\n', '', 200),             # which is that of CPUs
    ('', '', PROGRESS + 'fraction_done = 0.25\n', 'estimate = static\n', 150),
    ('', '', PROGRESS + 'fraction_done = 0.5\nelapsed = 60\n', '', 80),      # 0.5 * 60 + 0.5 * 100
    # 0.5 * (0.5 * 120 + 0.5 * 200)
    ('', '', PROGRESS + 'fraction_done = 0.5\nelapsed = 60\n', 'estimate = study\n', 80),
])
def test_estimates(project, app, task, client, remaining):
    state = HOST + f'[gpu g]\nflops = 1\n[client]\n{client}[project p]\n{project}[app p/a]\n{app}' \
        + f'[task t]\nproject = p\napp = a\n{task}'
    assert task_of(state)['finish'] == remaining


def test_project_resources_exclude_instances():
    state = HOST + '[gpu g]\ncount = 3\nflops = 1\n[project p]\n[project_resource p/g]\nexcluded = 0, 2\n' + ''.join(
        f'[task {name}]\nproject = p\ngpu = g\nremaining = 10\n' for name in 'ab')
    assert [task['finish'] for task in answer_of('plan', state)['tasks']] == [10, 20]


def test_a_project_is_limited_to_eight_threads():
    """24 CPUs, of which Collider may use eight: one of its tasks of eight CPUs runs."""
    state = '[host]\ncpus = 24\nflops = 3e9\n[client]\nmin_buffer = 43200\nadditional_buffer = 43200\n' \
        + '[project Collider]\n[project_resource Collider/CPU]\nmax_instances = 8\n[project Other]\n' \
        + ''.join(f'[task {name}]\nproject = {project}\ncpus = {cpus}\nremaining = 20000\ndeadline = 600000\n'
                  for name, project, cpus in [('wide_1', 'Collider', 8), ('wide_2', 'Collider', 8),
                                              ('wide_3', 'Collider', 8), ('small_1', 'Other', 1),
                                              ('small_2', 'Other', 1)])
    answer = answer_of('plan', state)
    assert [task['reason'] for task in answer['tasks']] == ['turn', 'project_limit', 'project_limit', 'turn', 'turn']
    assert [task['finish'] for task in answer['tasks']] == [20000, 40000, 60000, 20000, 20000]
    too_wide = state + '[task wide_4]\nproject = Collider\ncpus = 12\nremaining = 20000\n'
    assert answer_of('plan', too_wide)['tasks'][-1]['reason'] == 'project_limit'


def test_a_limit_holds_on_each_device():
    state = HOST + '[gpu g]\ncount = 2\nflops = 1e12\n[project p]\n[app p/a]\n[app_resource p/a/g]\n' \
        + 'max_per_device = 1\nmax_instances = 1.5\n' \
        + ''.join(f'[task t{number}]\nproject = p\napp = a\ngpu = g\ngpus = 0.25\ncpus = 0\nremaining = 10\n'
                  for number in range(3))
    tasks = answer_of('plan', state)['tasks']
    assert [task['reason'] for task in tasks] == ['turn', 'turn', 'app_limit']
    assert [task['devices'] for task in tasks[:2]] == [[0], [1]]


def test_an_application_is_excluded_from_instances_of_several_types():
    """Instance 1 of each type is left, so one task runs there. Two would fit, but for the exclusions."""
    state = HOST + '[gpu g]\ncount = 2\nflops = 1\n[gpu h]\ncount = 3\nflops = 1\n[project p]\n' \
        + '[app p/x]\ngpu = g\nexcluded = 0\n[app_resource p/x/h]\nexcluded = 0, 2\n' \
        + ''.join(f'[task {gpu}{number}]\nproject = p\napp = x\ngpu = {gpu}\ncpus = 0\nremaining = 10\n'
                  for gpu in 'gh' for number in range(3))
    tasks = {task['name']: task for task in answer_of('plan', state)['tasks']}
    assert [name for name, task in tasks.items() if task['run']] == ['g0', 'h0']
    assert tasks['g0']['devices'] == tasks['h0']['devices'] == [1]
    assert tasks['g1']['reason'] == tasks['h1']['reason'] == 'excluded'


def test_the_emulation_keys_change_no_plan():
    state = BASE + '[task u]\nproject = p\nremaining = 5000\n'
    emulated = state \
        .replace('flops = 4e9\n', 'flops = 4e9\navailable = 0.8\navailable_mean = 1000\nconnection_interval = 60\n') \
        .replace('[app p/a]\n', '[app p/a]\nlatency_bound = 1\nest_flops = 1\nmean_flops = 1\nsd_flops = 0\ncpus = 3\n'
                 'gpu = Vega\ngpus = 1\nweight = 2\n') \
        + '[emulation]\nduration = 8640000\nseed = 7\ncpu_scheduling = CS2\nwork_fetch = WF2\nwork_send = WS1\n' \
        + 'completion = JC1\ndeadline_origin = start\n'
    assert answer_of('plan', emulated) == answer_of('plan', state)


# ---- the policy ------------------------------------------------------------------------------------------------------

def test_the_command_line_goes_before_the_file():
    state = HOST + '[client]\nprofile = rpc2003\nmin_buffer = 100\n'
    assert answer_of('plan', state)['profile'] == 'rpc2003'
    assert answer_of('plan', state, '--profile', 'study2007')['profile'] == 'study2007'
    # 2 CPUs are idle for the whole buffer: 100 of the file and 21600 of rpc2003, or as given.
    shortfalls = [answer_of('plan', state, *options)['resources'][0]['shortfall']
                  for options in ([], ['--set', 'min_buffer=7'],
                                  ['--set=min_buffer=7', '--set', 'additional_buffer=3'])]
    assert shortfalls == [2 * 21700, 2 * 21607, 2 * 10]


def parameters_in_help():
    lines = output_of('plan', '--help').split('parameters:\n')[1].splitlines()
    return [line.split()[0] for line in lines[::2]], lines[1::2]


def test_help_lists_the_parameters_and_each_can_be_set():
    names, ranges = parameters_in_help()
    assert {'discipline', 'min_buffer', 'step_budget', 'transfer_give_up'} <= set(names)
    for name, values in zip(names, ranges):
        first = values.split()[0].rstrip(',')
        others = ['--set', name.replace('_max', '_min') + '=' + first] if name.endswith('_max') else []
        output_of('plan', '-', *others, '--set', f'{name}={first}', stdin=HOST + f'[client]\n{name} = {first}\n'
                  + (f"{name.replace('_max', '_min')} = {first}\n" if others else ''))


def test_the_disciplines_differ():
    """Shares 2 : 1 on two CPUs: A1 20/3 s, A2 8/3 s, B1 9 s of CPU time, and a buffer of 10 s."""
    tasks = [('A1', 'A', 20 / 3), ('A2', 'A', 8 / 3), ('B1', 'B', 9)]
    state = HOST + '[client]\nmin_buffer = 10\nadditional_buffer = 0\n' \
        + '[project A]\nshare = 2\n[project B]\nshare = 1\n' \
        + ''.join(f'[task {name}]\nproject = {project}\nremaining = {remaining!r}\n'
                  for name, project, remaining in tasks)
    fluid = answer_of('plan', state, '--profile', 'study2007')
    assert [task['finish'] for task in fluid['tasks'][:2]] == pytest.approx([8, 4])
    assert [project['resources'][0]['shortfall'] for project in fluid['projects']] == pytest.approx([4, 0], abs=1e-6)
    sliced = answer_of('plan', state)
    assert sliced['tasks'][2]['finish'] == 9


# ---- text for people -------------------------------------------------------------------------------------------------

WIDE = re.compile('[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uff00-\uff60\U0001f300-\U0001faff]')
COMBINING = re.compile('[\u0300-\u036f]')


def columns_of(text):
    return len(text) + len(WIDE.findall(text)) - len(COMBINING.findall(text))


@pytest.mark.parametrize('columns', [80, 120, 200])
def test_tables_fit_the_screen(columns):
    state = (ROOT / SMALL_STATE).read_text(encoding='utf-8') \
        .replace('impact_77', 'impact_of_a_very_large_meteor_' * 5) \
        .replace('Vega', 'Graphics processor of some maker')
    for line in output_of('plan', '-', stdin=state, COLUMNS=str(columns)).splitlines()[3:]:
        assert columns_of(line) <= columns and line == line.rstrip()


def test_columns_line_up_with_names_of_any_script():
    names = ['plain', 'Škoda', 'žluťoučký', '日本語の仕事', 'e\u0301a\u0300', '🚀 orbit']
    state = HOST + '[project p]\n' + ''.join(f'[task {name}]\nproject = p\nremaining = 10\n' for name in names)
    rows = [line for line in output_of('plan', '-', stdin=state).splitlines() if line.startswith(tuple(names))]
    assert len(rows) == len(names)
    assert len({columns_of(row[:row.index('  p  ')]) for row in rows}) == 1


def test_long_names_are_shortened_in_the_middle():
    name = 'begin_' + 'x' * 300 + '_end'
    state = HOST + f'[project p]\n[task {name}]\nproject = p\nremaining = 10\n'
    row, = table_of('plan', '-', stdin=state, heading='TASK')
    assert re.match(r'begin_x+\.\.x+_end  p ', row)
    assert '\u2026' in output_of('plan', '-', '--unicode', stdin=state)


def test_only_the_first_tasks_are_shown():
    tasks = ''.join(f'[task t{i:02d}]\nproject = p\nremaining = 10\nreceived = {i}\n'
                    f'deadline = {0 if i % 10 == 9 else "never"}\n' for i in range(60))
    text = output_of('plan', '-', stdin=HOST + '[project p]\n' + tasks)
    assert len(re.findall(r'^t\d\d  +p ', text, re.MULTILINE)) == 40
    assert '... and 20 more, 2 of them LATE; --all shows them\n' in text
    everything = output_of('plan', '-', '--all', stdin=HOST + '[project p]\n' + tasks)
    late = ['t09', 't19']  # they run, one on each CPU
    assert re.findall(r'^(t\d\d) ', everything, re.MULTILINE) \
        == late + [name for name in (f't{i:02d}' for i in range(60)) if name not in late]
    assert '... and' not in everything


def test_a_simulation_that_stops_says_so():
    text = output_of('plan', '-', '--set', 'horizon=7200', COLUMNS='120',
                     stdin=HOST + '[project p]\n[task t]\nproject = p\nremaining = 9000\n')
    assert 'The simulation stopped at its horizon or step budget, 2h 00m from now: anything later is unknown.' in text
    assert '1 task: 1 unknown' in text


@pytest.mark.parametrize('remaining, text', [
    ('0', '0s'), ('0.5', '<1s'), ('59.4', '59s'), ('59.9', '1m 00s'), ('60', '1m 00s'), ('3599', '59m 59s'),
    ('3599.5', '1h 00m'), ('3600', '1h 00m'), ('7164', '1h 59m'), ('7199', '2h 00m'), ('86369', '23h 59m'),
    ('86399', '1d 00h'), ('86400', '1d 00h'), ('183600', '2d 03h'), ('185399', '2d 03h'), ('185400', '2d 04h'),
    ('8640000', '100d 00h')])
def test_durations(remaining, text):
    """Rounded, as on the page of the playground."""
    state = HOST + f'[project p]\n[task t]\nproject = p\nremaining = {remaining}\n'
    row, = table_of('plan', '-', stdin=state, heading='TASK')
    assert row.split('1 CPU')[1].split('  never')[0].strip() == text


@pytest.mark.parametrize('now, text', [('0', 'time 0'), ('1772438400', '2026-03-02 08:00:00 UTC'),
                                       ('951782399.9', '2000-02-28 23:59:59 UTC'), ('1e15', 'time 1e+15')])
def test_the_present_is_a_date(now, text):
    assert f', {text}, ' in output_of('plan', '-', stdin=HOST + f'now = {now}\n')


def on_a_terminal(*arguments, columns=100, **variables):
    """What the tool prints when its standard output is a terminal."""
    master, slave = open_terminal(columns)
    with subprocess.Popen([VCEMU, *arguments], cwd=ROOT, env=environment(**{'TERM': 'xterm', **variables}),
                          stdout=slave) as process:
        os.close(slave)
        output = b''
        while True:
            try:
                block = os.read(master, 65536)
            except OSError:
                break
            if not block:
                break
            output += block
    os.close(master)
    assert process.returncode == 0
    return output.decode('utf-8')


def test_a_terminal_has_colours_and_blocks():
    text = on_a_terminal('plan', SMALL_STATE, LC_ALL='C.UTF-8')
    assert '\033[31mLATE\033[0m' in text and '█' in text
    assert max(map(len, re.sub(r'\033\[\d*m', '', text).splitlines())) > 85


def test_a_terminal_without_utf8_has_no_blocks():
    text = on_a_terminal('plan', SMALL_STATE, LC_ALL='C')
    assert '\033[31m' in text and '█' not in text and '#' in text


@pytest.mark.parametrize('changes', [{'NO_COLOR': '1'}, {'TERM': 'dumb'}])
def test_colours_can_be_refused(changes):
    assert '\033' not in on_a_terminal('plan', SMALL_STATE, **{'LC_ALL': 'C.UTF-8', **changes})


def test_json_has_no_colours():
    assert json.loads(on_a_terminal('plan', SMALL_STATE, '--json'))


def test_blocks_can_be_asked_for():
    assert '█' in output_of('plan', SMALL_STATE, '--unicode')
    assert '█' not in output_of('plan', SMALL_STATE)


# ---- which tasks run, and who is asked for work ----------------------------------------------------------------------

def test_tasks_of_the_small_state_by_hand():
    """Two CPUs and a GPU. Two tasks are late, and they have both CPUs; the GPU task lacks less than one."""
    plan = json.loads(output_of('plan', SMALL_STATE, '--json'))
    assert {task['name']: (task['run'], task['reason']) for task in plan['tasks']} == {
        'impact_77': (True, 'late'),              # due in 43200, takes 40000: cannot wait for a period of 3600
        'skymap_2031_b': (True, 'late'),          # due in 79200, takes 26667
        'skymap_2031_a': (False, 'app_limit'),    # it ran, but of skymap one may run, and that is the late one
        'gpu_lens_5': (True, 'turn'),             # needs 0.2 CPU, with none free, but less than one is missing
        'fold_αβ_000172': (False, 'waits'),
        'fold_αβ_000173': (False, 'waits'),
        'sieve_wide': (False, 'cannot_run'),      # 4 CPUs
        'sieve_12': (False, 'task_suspended'),
    }
    assert plan['schedule'] == {'running': 3, 'started': 3, 'stopped': 1, 'look_again': 3600}  # all slices begin now


def test_tasks_of_the_small_state_without_deadlines_by_hand():
    plan = json.loads(output_of('plan', SMALL_STATE, '--json', '--set', 'scheduling=round_robin'))
    assert {task['name']: (task['run'], task['reason']) for task in plan['tasks']} == {
        'gpu_lens_5': (True, 'turn'),             # GPUs are looked at first; it has 0.2 CPU
        'skymap_2031_a': (True, 'slice'),         # 1800 s of 3600 are over; 0.8 CPU is left
        'skymap_2031_b': (False, 'app_limit'),
        'impact_77': (False, 'waits'),            # two of its project run by now, one of them on the GPU
        'fold_αβ_000172': (True, 'turn'),         # 1 CPU is less than one more than 0.8
        'fold_αβ_000173': (False, 'project_limit'),
        'sieve_wide': (False, 'cannot_run'),
        'sieve_12': (False, 'task_suspended'),
    }
    assert plan['schedule'] == {'running': 3, 'started': 2, 'stopped': 0, 'look_again': 1800}


def requests_of(plan):
    return {(project['name'], resource['name']):
            (resource['request_seconds'], resource['request_instances'], resource['reason'])
            for project in plan['projects'] for resource in project['resources']}


def test_requests_of_the_small_state_by_hand():
    """The GPU has work for 13500 s, less than the minimum buffer; the CPUs have enough, but not the whole buffer."""
    plan = json.loads(output_of('plan', SMALL_STATE, '--json'))
    assert requests_of(plan) == {
        ('meteors', 'Vega'): (0, 0, 'backed_off'),
        ('sieve', 'Vega'): (0, 0, 'backup'),            # nothing is idle in the next 180 s
        # One job at a time, so at most 64800 - 0; the GPU lacks 64800 - 13500. Its share of the one GPU is 2/3 of it.
        ('Škoda', 'Vega'): (51300, pytest.approx(2 / 3, abs=1e-6), 'asked'),
        ('meteors', 'CPU'): (0, 0, 'enough'),
        ('sieve', 'CPU'): (0, 0, 'enough'),
        # It is called anyway. One job at a time: 64800 - 64000 s of queue. Its share of the CPUs is 4/3, and in the
        # simulation it has one of them from the start.
        ('Škoda', 'CPU'): (800, 0, 'asked_along'),
    }
    assert plan['fetch'] == {'project': 'Škoda', 'reason': 'asked', 'look_again': 60}


ONE_DAY = '[client]\nmin_buffer = 86400\nadditional_buffer = 0\n'


def task(name, project='p', **keys):
    settings = {'remaining': 1000, **keys}
    return f'[task {name}]\nproject = {project}\n' + ''.join(f'{key} = {value}\n' for key, value in settings.items())


def test_a_project_limited_to_one_job_is_asked_for_what_one_job_can_run():
    """It has 63420 s queued: 86400 - 63420 more, though the host lacks 4 * 86400 - 63420."""
    plan = answer_of('plan', '[host]\ncpus = 4\nflops = 1e9\n' + ONE_DAY + '[project p]\nmax_concurrent = 1\n'
                     + task('t', remaining=63420))
    assert plan['resources'][0]['shortfall'] == 4 * 86400 - 63420
    assert requests_of(plan) == {('p', 'CPU'): (22980, 0, 'asked')}  # the one job that may run runs: no instance


def test_what_one_project_may_not_run_another_one_is_asked_for():
    """24 CPUs; A may use 12 and has work for them until after the buffer; B is asked for the other 12."""
    plan = answer_of('plan', '[host]\ncpus = 24\nflops = 1e9\n' + ONE_DAY
                     + '[project A]\nmax_concurrent = 12\n[project B]\n'
                     + ''.join(task(f't{i}', 'A', remaining=36000) for i in range(40)))
    assert requests_of(plan) == {('A', 'CPU'): (0, 0, 'at_limit'), ('B', 'CPU'): (12 * 86400, 12, 'asked')}
    assert plan['fetch']['project'] == 'B'


# ---- reasons ---------------------------------------------------------------------------------------------------------

def reasons_of_the_library():
    """Code, name and sentence of every reason, as the sources of the library have them."""
    header = (ROOT / 'include' / 'vcsched' / 'reason.h').read_text(encoding='ascii')
    codes = {name: int(code) for name, code in re.findall(r'^#define (VCS_REASON_\w+) (\d+)u$', header, re.MULTILINE)}
    source = (ROOT / 'lib' / 'vcsched' / 'interface' / 'describe' / 'reason.c').read_text(encoding='ascii')
    for constant, name, sentence in re.findall(r'\{(VCS_REASON_\w+), "(\w+)",\s*"([^"]+)"\}', source):
        yield codes[constant], name, sentence


# On from 8 to 18 o'clock, in hundreds of hours.
BY_DAY = 'hours_on = {}\nhours_off = {}\n'.format(*(', '.join('360000' if (8 <= hour < 18) == on else '0'
                                                               for hour in range(24)) for on in (True, False)))


def test_chances_go_by_the_hours_of_the_file():
    """It is 16:00. Three hours of work due at 20:00 cannot be done, five due at noon are sure."""
    hour = 3600
    state = (f'[host]\nnow = {16 * hour}\ncpus = 2\nflops = 1e9\non_spell = {10 * hour}\noff_spell = {14 * hour}\n'
             f'{BY_DAY}[client]\nwork_send = by_chance\ngive_up = by_chance\ngive_up_below = 0.1\n')
    jobs = '[project p]\n' + ''.join(
        f'[{kind} {hours} h]\nproject = p\nremaining = {hours * hour}\ndeadline = {due * hour}\n'
        for kind, hours, due in (('task', 3, 20), ('task', 5, 36), ('candidate', 3.1, 20), ('candidate', 5.1, 36)))
    for hours, likely in (('none', True), ('day', False), ('week', False)):
        text = f'{state}hours = {hours}\n{jobs}'
        found = {task['name']: task['reason'] for task in answer_of('plan', text)['tasks']}
        assert found == {'3 h': 'late' if likely else 'unlikely', '5 h': 'turn'}
        found = {candidate['name']: candidate['reason'] for candidate in answer_of('admit', text)['candidates']}
        assert (found['3.1 h'] != 'small_chance') == likely and found['5.1 h'] in ('likely', 'wait_costs', 'for_idle')


def is_of_a_plan(code):
    """Why tasks run or not, and why projects are asked for work or not."""
    return code == 5 or 20 <= code < 100 or code == 0 or 240 <= code <= 243


SENTENCES = {name: sentence for code, name, sentence in reasons_of_the_library() if is_of_a_plan(code)}

ONE_CPU = '[host]\ncpus = 1\nflops = 1e9\nram = 100\n[client]\nmin_buffer = 0\n'
TWO_CPUS = ONE_CPU.replace('cpus = 1', 'cpus = 2')
BUFFER = ONE_CPU.replace('min_buffer = 0', 'min_buffer = 1000\nadditional_buffer = 1000')
GPU = '[gpu g]\nflops = 1e12\n'
P, Q = '[project p]\n', '[project q]\n'

# Spells of 2 h and 1 h.
GIVE_UP = ONE_CPU.replace('ram = 100', 'ram = 100\non_spell = 7200\noff_spell = 3600') + 'give_up = by_chance\n'

# Why the task t runs or not: a state, and the expected reason.
TASK_REASONS = {
    'late': (True, ONE_CPU + P + task('t', deadline=1100)),                  # 180 s of them are the cushion
    'nearly_done': (True, ONE_CPU + P + task('t', running='yes', remaining=59)),
    'slice': (True, ONE_CPU + P + task('t', running='yes')),
    'turn': (True, ONE_CPU + P + task('t')),
    'ends_soon': (True, ONE_CPU + P + 'rec = 100\n' + Q + task('t', running='yes', running_since=-4000)
                  + task('next', 'q')),
    'fills_in': (True, TWO_CPUS + P + task('wide', cpus=2) + task('first', running='yes', remaining=9000, received=1)
                 + task('t', received=2)),
    'runs_on': (True, ONE_CPU + 'keep_running = yes\n' + P + Q + task('t', running='yes', running_since=-4000)
                + task('next', 'q', deadline=1100)),
    'earliest_deadline': (True, ONE_CPU + 'keep_running = yes\n' + P + task('first', deadline=9000)
                          + task('t', deadline=8000)),
    'held': (False, TWO_CPUS + P + task('t', cpus=2) + task('first', running='yes', remaining=9000, received=1)
             + task('next', received=2)),
    'uninterruptible': (True, ONE_CPU + P + task('t', running='yes', uninterruptible='yes')
                        + task('late', deadline=1500, received=1)),
    'cannot_run': (False, ONE_CPU + P + task('t', cpus=2)),
    'task_suspended': (False, ONE_CPU + P + task('t', suspended='yes')),
    'project_suspended': (False, ONE_CPU + P + 'suspended = yes\n' + task('t')),
    'resource_suspended': (False, ONE_CPU + P + GPU + 'suspended = yes\n' + task('t', gpu='g')),
    'resource_paused': (False, ONE_CPU + P + GPU + 'paused = yes\n' + task('t', gpu='g')),
    'downloading': (False, ONE_CPU + P + task('t', downloading='yes')),
    'download_stalled': (False, ONE_CPU + P + task('t', downloading='yes', wait='download')),
    'by_user': (False, ONE_CPU + P + task('t', suspended='yes', wait='user')),
    'waits': (False, ONE_CPU + P + task('first') + task('t', received=1)),
    'slice_over': (False, ONE_CPU + P + 'rec = 100\n' + Q + task('t', running='yes', running_since=-4000,
                                                                   remaining=4000) + task('next', 'q')),
    'gives_way': (False, ONE_CPU + P + task('t', running='yes') + task('late', deadline=1500, received=1)),
    'memory': (False, TWO_CPUS + P + task('first', ram=80) + task('t', ram=30, received=1)),
    'project_limit': (False, TWO_CPUS + P + 'max_concurrent = 1\n' + task('first') + task('t', received=1)),
    'app_limit': (False, TWO_CPUS + P + '[app p/a]\nmax_concurrent = 1\n' + task('first', app='a')
                  + task('t', app='a', received=1)),
    'excluded': (False, ONE_CPU + P + GPU + 'count = 2\n[project_resource p/g]\nexcluded = 0\n' + task('first', gpu='g')
                 + task('t', gpu='g', received=1)),
    'own_devices': (False, ONE_CPU + 'device_bound = wait\n' + P + GPU + 'count = 2\n'
                    + task('first', gpu='g', started='yes', devices=1)
                    + task('t', gpu='g', received=1, started='yes', devices=1)),
    'deadline_over': (False, GIVE_UP + P + task('t', deadline=0)),
    'time_too_short': (False, GIVE_UP + P + task('t', deadline=999)),
    'unlikely': (False, GIVE_UP + 'give_up_below = 0.1\n' + P + task('t', remaining=36000, deadline=37800)),  # 5 breaks
    'new_job_better': (False, GIVE_UP.replace('by_chance', 'by_size') + 'give_up_below = 0.9\n' + P
                       + task('t', remaining=36000, total=43200, received=-48600, deadline=37800)),
}


@pytest.mark.parametrize('reason', TASK_REASONS)
def test_why_a_task_runs_or_not(reason):
    runs, state = TASK_REASONS[reason]
    found = next(task for task in answer_of('plan', state)['tasks'] if task['name'] == 't')
    assert (found['run'], found['reason']) == (runs, reason)
    explained = ' '.join(output_of('plan', '-', '--explain', 't', stdin=state).split())
    done = '' if found.get('give_up') else 'It runs. ' if runs else 'It does not run. '
    assert explained.endswith(f'decision {done}{SENTENCES[reason]}')


def test_a_task_that_fills_in_says_for_which():
    explained = ' '.join(output_of('plan', '-', '--explain', 't', stdin=TASK_REASONS['fills_in'][1]).split())
    assert 'fills in for wide of p: 2 CPU decision It runs.' in explained
    assert 'fills in for' not in output_of('plan', '-', '--explain', 'first', stdin=TASK_REASONS['fills_in'][1])


def test_a_gpu_task_gives_way_to_a_late_task_that_takes_its_share_of_the_cpus():
    """Beside 4 CPUs in use there is room for the share of one."""
    state = ONE_CPU.replace('cpus = 1', 'cpus = 4') + 'spare_gpus = no\n' + P + GPU + 'count = 2\n' + ''.join(
        task(name, gpu='g', cpus=1, running='yes', devices=device, received=device)
        for device, name in enumerate(('first', 't'))) + task('late', cpus=4, deadline=1100)
    found = {task['name']: (task['run'], task['reason']) for task in answer_of('plan', state)['tasks']}
    assert found == {'first': (True, 'slice'), 't': (False, 'gives_way'), 'late': (True, 'late')}


def test_exact_progress_is_believed():
    state = ONE_CPU + 'estimate = deployed\n' + P + '[task t]\nproject = p\nest_flops = 36e12\nflops = 1e9\n' \
        'elapsed = 360\nfraction_done = 0.1\n'
    finish, = (found['finish'] for found in answer_of('plan', state)['tasks'])
    exact, = (found['finish'] for found in answer_of('plan', state + 'fraction_done_exact = yes\n')['tasks'])
    assert (finish, exact) == (pytest.approx(32400), pytest.approx(3240))


HOPELESS = 'cannot be done in time even alone.'


def test_a_task_that_cannot_be_done_in_time_says_so():
    """60 days of work and 25 to the deadline: it runs first, and nothing said that this is in vain."""
    state = ONE_CPU + P + task('vain', remaining=5184000, deadline=2160000) + task('t')
    text = ' '.join(output_of('plan', '-', stdin=state).split())
    assert f'The only late task would be late even if it went first. vain {HOPELESS}' in text
    assert [task.get('hopeless') for task in answer_of('plan', state)['tasks']] == [True, None]
    explained = ' '.join(output_of('plan', '-', '--explain', 'vain', stdin=state).split())
    assert explained.endswith(f'{SENTENCES["late"]} It {HOPELESS}')


def test_a_task_that_is_given_up_says_why():
    state = ONE_CPU + 'give_up = by_chance\n' + P + task('vain', remaining=5184000, deadline=2160000) + task('t')
    text = ' '.join(output_of('plan', '-', stdin=state).split())
    assert 'Give up vain: 60d 00h of work, to the deadline 25d 00h.' in text and HOPELESS not in text
    assert '2 tasks: 1 in time, 1 given up' in text
    assert [(task['run'], task.get('give_up')) for task in answer_of('plan', state)['tasks']] == \
        [(False, True), (True, None)]
    explained = ' '.join(output_of('plan', '-', '--explain', 'vain', stdin=state).split())
    assert explained.endswith(f'decision {SENTENCES["time_too_short"]}')
    late = ONE_CPU + 'give_up = by_chance\n' + P + task('vain', remaining=60, deadline=-60)
    assert 'Give up vain: 1m 00s of work, and late by 1m 00s.' in ' '.join(output_of('plan', '-', stdin=late).split())
    assert HOPELESS not in ' '.join(output_of('plan', '-', '--explain', 't', stdin=state).split())


def test_how_many_tasks_cannot_be_done_in_time():
    """Half of the time is usable. Three are too long for it, and one, which is suspended, is past its deadline."""
    lost = [task(f'lost{i}', remaining=1000, deadline=1999 - i) for i in range(3)] + [
        task('past', remaining=1, deadline=-1, suspended='yes')]
    state = '[host]\ncpus = 4\nusable = 0.5\nflops = 1e9\n' + P + ''.join(lost) + task('saved', deadline=2000)
    text = ' '.join(output_of('plan', '-', stdin=state).split())
    assert f'4 tasks {HOPELESS[:-1]}: lost0, lost1, lost2 and 1 more.' in text
    assert '3 of 4 late tasks would be late even if all of these went first.' in text
    assert 'All 3 late tasks' in ' '.join(output_of('plan', '-', stdin=ONE_CPU + P + ''.join(
        task(f't{i}', deadline=999) for i in range(3))).split())


@pytest.mark.parametrize('hopeless, late, saved', [
    (1, 1, 'Without it, 1 late task would be in time: late0.'),
    (2, 2, 'Without them, 2 late tasks would be in time: late0, late1.'),
    (1, 5, 'Without it, 5 late tasks would be in time: late0, late1, late2 and 2 more.'),
    (1, 0, None), (0, 1, None)])
def test_which_late_tasks_the_hopeless_ones_cost(hopeless, late, saved):
    """What cannot be done is first in its turn; then the others are late, and all but the last in time without it."""
    state = ONE_CPU + P + ''.join(task(f'vain{i}', remaining=50000, deadline=20000) for i in range(hopeless)) \
        + ''.join(task(f'late{i}', remaining=2000, deadline=30000, received=1 + i) for i in range(late)) \
        + task('last', remaining=100000, deadline=100000.5, received=9)
    text = ' '.join(output_of('plan', '-', stdin=state).split())
    assert ('Without' in text) == (saved is not None) and (saved or '') in text


# Why the project p is asked for the resource or not: the resource, a state, options.
REQUEST_REASONS = {
    'asked': ('CPU', BUFFER + P, []),
    'asked_along': ('CPU', BUFFER + P + GPU, []),
    'asked_little': ('CPU', BUFFER + P + 'dcf = 100\n', []),
    'none': ('g', BUFFER + P + GPU, ['--profile', 'study2007']),
    'project_suspended': ('CPU', BUFFER + P + 'suspended = yes\n', []),
    'resource_suspended': ('g', BUFFER + P + GPU + 'suspended = yes\n', []),
    'excluded': ('g', BUFFER + P + GPU + '[project_resource p/g]\nexcluded = 0\n', []),
    'no_new_work': ('CPU', BUFFER + P + 'no_new_work = yes\n', []),
    'master_file': ('CPU', BUFFER + P + 'wait = master_file\n', []),
    'uploads_wait': ('CPU', BUFFER + P + 'wait = uploads\n', []),
    'task_by_user': ('CPU', BUFFER + P + 'wait = task\n', []),
    'download_stalled': ('CPU', BUFFER + P + 'wait = download\n', []),
    'not_wanted': ('CPU', BUFFER + P + '[project_resource p/CPU]\nnot_wanted = yes\n', []),
    'no_apps': ('CPU', BUFFER + P + '[project_resource p/CPU]\nno_apps = yes\n', []),
    'deferred': ('CPU', BUFFER + P + 'min_rpc_time = 90\n', []),
    'backed_off': ('CPU', BUFFER + P + '[project_resource p/CPU]\nbackoff_until = 90\n', []),
    'server_limit': ('CPU', BUFFER + P + '[project_resource p/CPU]\nbackoff_until = 90\nserver_limit = yes\n', []),
    'task_deferred': ('CPU', BUFFER + P + '[project_resource p/CPU]\ndeferred = yes\n', []),
    'little_missing': ('CPU', BUFFER + P + task('t', remaining=990), ['--set', 'additional_buffer=0']),
    'too_many_tasks': ('CPU', BUFFER + P + task('t'), ['--set', 'max_runnable=1']),
    'uploads': ('CPU', BUFFER + P + 'uploading = 3\n', ['--set', 'max_uploads=2']),
    'full': ('CPU', BUFFER + P + task('t', remaining=2000), []),
    'enough': ('CPU', BUFFER + P + task('t', remaining=1500), []),
    'at_limit': ('CPU', BUFFER.replace('cpus = 1', 'cpus = 2') + P + 'max_concurrent = 1\n' + task('t', remaining=2500),
                 []),
    'waits_for_fit': ('CPU', BUFFER.replace('cpus = 1', 'cpus = 2') + P + task('t') + task('wide', cpus=2, received=1),
                      []),
    'better_project': ('CPU', BUFFER + P + 'rec = 100\n' + Q, []),
    'backup': ('CPU', BUFFER + P + 'share = 0\n' + task('t', remaining=500), []),
    'overworked': ('CPU', BUFFER + P + 'long_term_debt = -3601\n' + task('t', remaining=2000),
                   ['--profile', 'study2007']),
    'misses': ('CPU', BUFFER + P + task('t', deadline=900), ['--profile', 'study2007']),
    'no_share_left': ('CPU', BUFFER + P + task('t', remaining=2000), ['--profile', 'study2007', '--set',
                                                                      'work_fetch=wf1']),
}


@pytest.mark.parametrize('options, sentence', [
    (['deadline_cushion=180'], 'LATE means finishing less than 3m 00s before the deadline, or after it.'),
    (['deadline_cushion=180', 'min_buffer=600'], 'LATE means finishing less than 10m 00s before'),
    (['deadline_cushion=300', 'min_buffer=600', 'cushion_min_buffer=no'], 'finishing less than 5m 00s before'),
    (['discipline=fluid', 'min_buffer=600'], 'LATE takes the scheduling period, the minimum buffer and miss_fraction')])
def test_what_late_means_where_a_late_task_ends_before_its_deadline(options, sentence):
    settings = [word for option in ('min_buffer=0', *options) for word in ('--set', option)]
    assert sentence in output_of('plan', '-', *settings, stdin=ONE_CPU + P + task('t', deadline=1100))


def test_of_two_waits_the_one_that_ends_last_comes_first():
    state = BUFFER + P + 'min_rpc_time = 309\n[project_resource p/CPU]\nbackoff_until = 15700\n'
    plan = output_of('plan', '-', stdin=state)
    assert 'backed off, 4h 22m (deferred, 5m 09s)' in plan
    assert 'decision is due in 4h 22m' in ' '.join(plan.split())
    assert 'also waits deferred, 5m 09s left' in ' '.join(output_of('plan', '-', '--explain', 'p', stdin=state).split())
    plan = output_of('plan', '-', stdin=state.replace('15700', '100'))
    assert 'deferred, 5m 09s (backed off, 1m 40s)' in plan


@pytest.mark.parametrize('reason', REQUEST_REASONS)
def test_why_a_project_is_asked_or_not(reason):
    resource, state, options = REQUEST_REASONS[reason]
    seconds, _, found = requests_of(answer_of('plan', state, *options))['p', resource]
    assert found == reason
    assert (seconds > 0) == reason.startswith('asked')
    part = output_of('plan', '-', '--explain', 'p', *options, stdin=state).split(f'\n{resource}\n')[1].split('\n\n')[0]
    assert ' '.join(part.split()).endswith(f'decision {SENTENCES[reason]}')
    row, = (row for row in table_of('plan', '-', *options, stdin=state, heading='PROJECT  RESOURCE')
            if row.startswith('p ') and resource in re.split('  +', row)[1].split(', '))
    words = {'none': 'not decided', 'deferred': 'deferred, 1m 30s left', 'backed_off': 'backed off, 1m 30s left',
             'server_limit': 'server limit, 1m 30s left', 'better_project': 'better project: q'}
    assert row.endswith('  ' + words.get(reason, reason.replace('_', ' ')))


def test_the_best_project_gives_way_to_the_one_that_is_called():
    """Of CPU work meteors should have the next, but Škoda is called for the GPU, and meteors later."""
    text = output_of('plan', SMALL_STATE, '--set', 'min_buffer=259200')
    assert re.search(r'^meteors +CPU +- +called now: Škoda$', text, re.MULTILINE)
    assert re.search(r'^Škoda +CPU +- +better project: meteors$', text, re.MULTILINE)
    text = output_of('plan', SMALL_STATE, '--set', 'min_buffer=259200', '--explain', 'meteors')
    assert re.search(r'^  called now +Škoda, for another resource$', text, re.MULTILINE)


def test_without_a_project_that_could_be_asked_that_is_the_reason():
    plan = answer_of('plan', BUFFER)
    assert plan['fetch'] == {'project': None, 'reason': 'no_project', 'look_again': None}
    several = BUFFER + P + 'suspended = yes\n' + Q + 'no_new_work = yes\n'
    assert answer_of('plan', several)['fetch']['reason'] == 'no_project'
    for state in BUFFER, several:
        text = output_of('plan', '-', stdin=state)
        assert f'\nNo project is asked for work now. {SENTENCES["no_project"]}\n' in text


def test_every_reason_of_a_plan_has_an_example_above():
    assert {*TASK_REASONS, *REQUEST_REASONS, 'no_project'} == set(SENTENCES)


def test_the_manual_tells_of_every_reason_of_a_plan():
    manual = (ROOT / 'doc' / 'vcemu.md').read_text(encoding='utf-8')
    tasks, requests = (dict(re.findall(r'^\| `(\w+)` \| ([^|]+) \| ', part, re.MULTILINE))
                       for part in manual.split('## Why does it not fetch?'))
    assert set(tasks) == set(TASK_REASONS)
    assert set(requests) == {*REQUEST_REASONS, 'no_project'}
    assert {**tasks, **requests} == SENTENCES
    assert {name: SENTENCES[name] for name in tasks} == tasks


def request_rows(projects, *options):
    state = BUFFER + GPU + ''.join(f'[project {name}]\n{keys}\n' for name, keys in projects)
    table = re.search('^PROJECT +RESOURCE.*\\n((?:.*  .*\\n)*)', output_of('plan', '-', *options, stdin=state),
                      re.MULTILINE)
    return [re.split('  +', row) for row in table[1].splitlines()]


def test_many_projects_with_the_same_reason_are_one_row():
    asked, closed = ('asked', ''), [(f'p{i}', 'no_new_work = yes') for i in range(4)]
    three, four = request_rows([*closed[:3], asked]), request_rows([closed[0], asked, *closed[1:]])
    assert three[:3] == [[f'p{i}', 'CPU, g', '-', 'no new work'] for i in range(3)]
    assert four[0] == ['4 projects', 'CPU, g', '-', 'no new work']
    assert [row[0] for row in four[1:]] == ['asked', 'asked'] == [row[0] for row in three[3:]]
    assert [row[0] for row in request_rows([*closed, asked], '--all')] == ['p0', 'p1', 'p2', 'p3', 'asked', 'asked']


def test_projects_are_one_row_only_if_it_is_for_the_same_resources():
    """None of them has work for the CPU, and two of them have none for the GPU either."""
    not_wanted = '[project_resource {0}/{1}]\nnot_wanted = yes\n'
    names = [f'p{i}' for i in range(4)]
    rows = request_rows([(name, not_wanted.format(name, 'CPU') + (not_wanted.format(name, 'g') if i < 2 else ''))
                         for i, name in enumerate(names)])
    assert [row[:2] for row in rows if row[-1] == 'not wanted'] \
        == [[name, 'CPU, g' if i < 2 else 'CPU'] for i, name in enumerate(names)]


def test_tasks_come_before_what_explains_them():
    lines = output_of('plan', SMALL_STATE).splitlines()
    assert [line.split()[0] for line in lines if line.startswith(('TASK', 'RESOURCE', 'PROJECT'))] \
        == ['TASK', 'RESOURCE', 'PROJECT', 'PROJECT']


# ---- --explain -------------------------------------------------------------------------------------------------------

def explained(name, *options, **more):
    """The blocks of an explanation: the heading of each with its lines."""
    for block in output_of('plan', '-', '--explain', name, *options, COLUMNS='200', **more).split('\n\n'):
        heading, *lines = block.splitlines()
        assert all(line.startswith('  ') and len(line) > 25 for line in lines)
        yield heading, [(line[2:25].strip(), line[25:]) for line in lines]


def test_a_project_explained():
    """Two CPUs that p keeps busy for 600 s; a buffer of 1000 and 1000 s lacks 2 * 1400."""
    state = BUFFER.replace('cpus = 1', 'cpus = 2') \
        + '[project p q]\nshare = 300\nrec = 50\nrpc_failures = 2\nmin_rpc_time = -5\n[project Škoda]\nrec = 50\n' \
        + '[project idle]\nrec = 100\nsuspended = yes\n' \
        + task('a', 'p q', remaining=600) + task('b', 'p q', remaining=600, deadline=500)
    standing, cpus = explained('p q', stdin=state)
    assert standing == ('Project p q', [
        ('resource share', '300 of 400 (75.0%)'),
        ('recent work (REC)', '50 credits a day'),
        ('scheduling priority', '-1.0000, number 1 of the 1 with tasks to run'),
        ('may be called', 'at any time'),
        ('calls that failed', '2 in a row')])
    assert cpus == ('CPU', [
        ('host: all busy for', '10m 00s; minimum buffer 16m 40s, whole buffer 33m 20s'),
        ('host: work missing', '46m 40s; idle now: 0 of 2'),
        ('project: tasks', '2, 1 of them late'),
        ('project: could use', '35m 00s more'),       # 1.5 CPUs for 1400 s
        # -(50/100) / (300/400), less 1200 of 2 * 2000 CPU seconds
        ('priority for fetching', '-0.9667'),
        ('asked for', '46m 40s'),                     # all that is missing; it uses more than its 1.5 CPUs
        ('decision', SENTENCES['asked'])])
    standing, cpus = explained('Škoda', stdin=state)
    assert ('scheduling priority', 'none: it has no task to run') in standing[1]
    assert cpus[1][-3:] == [('priority for fetching', '-2.0000'), ('preferred project', 'p q, with priority -0.9667'),
                            ('decision', SENTENCES['better_project'])]
    standing, cpus = explained('idle', stdin=state)
    assert standing[1][0] == ('resource share', '100, but it is suspended')
    assert cpus[1][-1] == ('decision', SENTENCES['project_suspended'])


@pytest.mark.parametrize('profile, lines', [
    ('rpc2003', [('ranked by its share and', '1m 40s of recent CPU time')]),
    ('study2007', [('debt, short-term', '2m 00s'), ('debt, long-term', '-1h 00m')])])
def test_a_project_is_explained_by_what_ranks_it(profile, lines):
    state = ONE_CPU + P + 'exp_avg_cpu = 100\nshort_term_debt = 120\nlong_term_debt = -3600\n' + task('t')
    standing, _ = explained('p', '--profile', profile, stdin=state)
    assert standing[1][2:-1] == lines


def test_a_task_explained():
    state = TWO_CPUS + P + task('a b', running='yes', remaining=5000) \
        + ''.join(task(f'Straße {i}', received=1 + i, deadline=-60 if i == 0 else 86400) for i in range(3))
    (heading, lines), = explained('Straße 0', stdin=state)
    assert heading == 'Task Straße 0'
    assert lines == [
        ('project', 'p'), ('uses', '1 CPU'), ('place in the queue', '2 of 4 tasks of its project'),
        ('left', '16m 40s at full speed'), ('deadline', 'passed 1m 00s ago'),
        ('finish in its turn', 'in 16m 40s, after its deadline'),
        ('what would save it', 'nothing here: it has more work left than time to its deadline'),
        ('chosen as', 'number 1 of the 2 that run'), ('decision', f'It runs. {SENTENCES["late"]} It {HOPELESS}')]
    (_, lines), = explained('Straße 1', stdin=state)
    assert lines[4:] == [
        ('deadline', 'in 1d 00h'), ('finish in its turn', 'in 33m 20s, in time'),
        ('what runs instead', 'a b of p: 1 CPU (slice)'), ('', 'Straße 0 of p: 1 CPU (late)'),
        ('decision', f'It does not run. {SENTENCES["waits"]}')]


@pytest.mark.parametrize('save_first, tasks, saving', [
    # In its turn b is late after a; first, it is not.
    ('yes', {'a': (3000, 9000), 'b': (3000, 3500)}, 'going first, as late tasks do: it then ends in 50m 00s'),
    # Going first, as it does, it ends no earlier: the policy wants three minutes to spare.
    ('yes', {'b': (3000, 3100)}, 'nothing needed: it is in time, only closer to its deadline than the policy keeps'),
    # a goes before b since its deadline is earlier, though it cannot be saved.
    ('no', {'a': (3000, 2500), 'b': (3000, 3500)},
     'save_first = yes, which lets it go before tasks that cannot be done in time: it then ends in 50m 00s'),
    ('yes', {'a': (3000, 2500), 'b': (3000, 3500)},
     'going, as it does, before tasks that cannot be done in time: it then ends in 50m 00s'),
    ('yes', {'a': (1500, 1505), 'c': (1500, 1510), 'b': (2000, 3400)},
     'neither another order nor giving up one other task'),
    # Of several the one with the least work is named, whichever comes first.
    ('yes', {'a': (2500, 2600), 'c': (700, 3300), 'b': (500, 3500)}, 'giving up c: it then ends in 50m 00s'),
    ('yes', {'a': (1000, 1100), 'c': (2000, 3000), 'b': (1000, 3500)}, 'giving up a: it then ends in 50m 00s'),
])
def test_what_would_save_a_late_task_is_said(save_first, tasks, saving):
    state = ONE_CPU + f'save_first = {save_first}\n' + P + ''.join(
        task(name, remaining=remaining, deadline=deadline, received=place)
        for place, (name, (remaining, deadline)) in enumerate(tasks.items()))
    (_, lines), = explained('b', stdin=state)
    assert [value for label, value in lines if label == 'what would save it'] == [saving]


def test_save_first_is_named_where_it_would_help():
    state = ONE_CPU + 'save_first = no\n' + P \
        + task('vain', remaining=5184000, deadline=2160000) + task('t', remaining=1000, deadline=100000, received=1)
    said = ' '.join(output_of('plan', '-', stdin=state).split())
    hint = 'Without it, 1 late task would be in time: t.'
    assert f'{hint} With save_first = yes, late tasks that can be saved go first.' in said
    yes = ' '.join(output_of('plan', '-', stdin=state.replace('= no', '= yes')).split())
    assert hint in yes and 'With save_first' not in yes


def test_a_task_too_close_to_its_deadline_is_told_from_one_after_it():
    (_, lines), = explained('t', stdin=ONE_CPU + P + task('t', deadline=1100))
    assert ('finish in its turn', 'in 16m 40s, too close to its deadline') in lines


@pytest.mark.parametrize('state, predicted', [
    (ONE_CPU + P + task('t', cpus=2), ['never: it cannot start']),
    (ONE_CPU + 'horizon = 10\n' + P + task('t'), ['unknown: the simulation stopped earlier']),
    (ONE_CPU + P + task('t', suspended='yes'), []),
])
def test_a_task_without_a_finish_explained(state, predicted):
    (_, lines), = explained('t', stdin=state)
    assert [value for label, value in lines if label == 'finish in its turn'] == predicted
    assert ('deadline', 'none') in lines


def test_of_many_tasks_that_run_instead_a_few_are_named():
    state = ONE_CPU.replace('cpus = 1', 'cpus = 9') + P + ''.join(task(f't{i}', received=i) for i in range(10))
    (_, lines), = explained('t9', stdin=state)
    assert [value.split()[0] for label, value in lines if label in ('what runs instead', '')] \
        == ['t0', 't1', 't2', 't3', 't4', 'and']
    assert ('', 'and 4 more') in lines


def test_a_task_that_limits_hold_back_is_told_which_tasks_do():
    for reason in ('memory', 'project_limit', 'app_limit', 'excluded'):
        (_, lines), = explained('t', stdin=TASK_REASONS[reason][1])
        assert [value.split()[0] for label, value in lines if label == 'what runs instead'] == ['first']


def test_a_project_and_a_task_of_one_name_are_both_explained():
    project, _, same_task = explained('p', stdin=ONE_CPU + P + task('p'))
    assert (project[0], same_task[0]) == ('Project p', 'Task p')


def test_what_is_not_there_cannot_be_explained():
    result = vcemu('plan', SMALL_STATE, '--explain', 'Skoda')
    assert (result.returncode, result.stdout) == (1, '')
    assert result.stderr == f'vcemu: {SMALL_STATE}: there is no project, task or resource "Skoda"; ' \
        'did you mean "Škoda"?\n'


def test_a_busy_resource_explained():
    (heading, lines), = explained('VEGA', stdin=(ROOT / SMALL_STATE).read_text(encoding='utf-8'))
    assert (heading, lines) == ('Resource Vega', [
        ('in use from now on', '1 of 1'), ('what runs', 'gpu_lens_5 of meteors: 1 Vega + 0.2 CPU (turn)'),
        ('what does not run', 'nothing'),
        ('host: all busy for', '3h 45m; minimum buffer 6h 00m, whole buffer 18h 00m'),
        ('host: work missing', '14h 15m; idle now: 0 of 1'),
        ('more work for it', 'meteors: backed off, 15m 00s left'), ('', 'Škoda: asked for 14h 15m, 0.6667 instance'),
        ('', 'sieve: backup'), ('in short', 'All of it is in use.')])


GPU_STATE = ONE_CPU + '[gpu G]\ncount = 2\nflops = 1e12\n{}' + P


@pytest.mark.parametrize('state, verdict', [
    (GPU_STATE.format(''), '2 of 2 idle, for no task is there that could use more.'),
    (GPU_STATE.format('').replace(P, ''), '2 of 2 idle, for no task is there that could use more. '
     'There is no project to ask.'),
    (GPU_STATE.format('suspended = yes\n') + task('t', gpu='G'),
     'It is suspended: nothing runs on it, and no work is wanted for it.'),
    (GPU_STATE.format('paused = yes\n') + task('t', gpu='G'), 'It is paused: its tasks do not run for now.'),
    (GPU_STATE.format('') + task('t', gpu='G') + task('s', gpu='G', suspended='yes'),
     '1 of 2 idle. Why its other task does not run: ' + SENTENCES['task_suspended']),
    (GPU_STATE.format('') + ''.join(task(f't{i}', gpu='G', suspended='yes') for i in range(2)),
     '2 of 2 idle. Why each of its other tasks does not run: ' + SENTENCES['task_suspended']),
    (GPU_STATE.format('') + task('t', gpu='G', gpus=3) + task('s', gpu='G', suspended='yes'),
     '2 of 2 idle, and 2 tasks for it do not run, for the reasons above.'),
    (GPU_STATE.format('') + ''.join(task(f't{i}', gpu='G', gpus=0.2) for i in range(10)), 'All of it is in use.'),
])
def test_why_a_resource_is_idle(state, verdict):
    (_, lines), = explained('G', stdin=state)
    assert lines[-1] == ('in short', verdict)
    labels = [label for label, _ in lines]
    assert ('host: work missing' in labels) == ('suspended = yes\n' + P not in state)


def test_many_tasks_and_projects_of_a_resource_are_counted():
    state = ONE_CPU + ''.join(f'[project p{i}]\nsuspended = {"no" if i == 1 else "yes"}\n' for i in range(4)) \
        + ''.join(task(f't{i}', project='p1') for i in range(9))
    (_, lines), = explained('CPU', stdin=state)
    assert lines[1:8] == [('what runs', 't0 of p1: 1 CPU (turn)'), ('what does not run', 't1 of p1: 1 CPU (waits)')] \
        + [('', f't{i} of p1: 1 CPU (waits)') for i in range(2, 6)] + [('', 'and 3 more')]
    assert [line for line in lines if 'project suspended' in line[1]] \
        == [('more work for it', 'p0 and 2 more: project suspended')]


@pytest.mark.parametrize('name, heading', [
    ('METEORS', 'Project meteors'), ('škoda', 'Project Škoda'), ('gpu_l', 'Task gpu_lens_5'), ('vEg', 'Resource Vega'),
    ('cpu', 'Resource CPU'), ('fold_..173', 'Task fold_αβ_000173'), ('FO…173', 'Task fold_αβ_000173'),
    ('sieve', 'Project sieve')])
def test_a_name_may_be_written_in_short(name, heading):
    assert output_of('plan', SMALL_STATE, '--explain', name).splitlines()[0] == heading


PROJECTS = 'projects: "meteors", "Škoda" and "sieve"'


@pytest.mark.parametrize('name, why', [
    ('fold', '"fold" may mean "fold_αβ_000172" or "fold_αβ_000173"; write the whole name'),
    ('fold..', '"fold.." may mean "fold_αβ_000172" or "fold_αβ_000173"; write the whole name'),
    ('impakt_77', 'there is no project, task or resource "impakt_77"; did you mean "impact_77"?'),
    ('LENS', 'there is no project, task or resource "LENS"; did you mean "gpu_lens_5"?'),
    ('skymap_2031_c', 'there is no project, task or resource "skymap_2031_c"; did you mean "skymap_2031_a" or '
     '"skymap_2031_b"?'),
    ('foo', f'there is no project, task or resource "foo"; {PROJECTS}'),
    ('', f'there is no project, task or resource ""; {PROJECTS}'),
    ('..77', f'there is no project, task or resource "..77"; {PROJECTS}'),
    ('impact_77..77', 'there is no project, task or resource "impact_77..77"; did you mean "impact_77"?')])
def test_a_name_that_does_not_say_enough(name, why):
    result = vcemu('plan', SMALL_STATE, '--explain', name)
    assert (result.returncode, result.stdout) == (1, '')
    assert result.stderr == f'vcemu: {SMALL_STATE}: {why}\n'


def test_who_knows_no_name_is_told_those_of_the_first_projects():
    for count, projects in ((0, ''), (1, '; projects: "p0"'),
                            (6, '; projects: "p0", "p1", "p2", "p3", "p4" and 1 more')):
        state = ONE_CPU + ''.join(f'[project p{i}]\n' for i in range(count))
        result = vcemu('plan', '-', '--explain', 'einstein', stdin=state)
        assert result.stderr \
            == f'vcemu: standard input: there is no project, task or resource "einstein"{projects}\n'


def test_a_narrow_table_keeps_the_ends_of_names_of_tasks_where_they_differ():
    names = [f'orbit_of_a_very_long_name_2025xk3{i}_c_0' for i in range(4)]
    state = ONE_CPU + P + ''.join(task(name) for name in names)
    for options in ((), ('--compare', 'rpc2003', '--all')):
        plan = output_of('plan', '-', *options, stdin=state, COLUMNS='60')
        short = [word for word in plan.split() if word.startswith('or') and word.endswith('_c_0')]
        assert len(set(short)) == 4 and not set(short) & set(names)
        assert output_of('plan', '-', '--explain', short[3], stdin=state).startswith(f'Task {names[3]}\n')


def test_a_name_in_short_prefers_the_whole_one_and_counts_the_others():
    state = ONE_CPU + P + '[project Px]\n' + ''.join(task(f'px{i}') for i in range(7)) + task('Px')
    assert [block[0] for block in explained('PX', stdin=state)] == ['Project Px', 'CPU', 'Task Px']
    result = vcemu('plan', '-', '--explain', 'px', stdin=state.replace('Px]', 'pX]', 1) + task('PX'))
    assert result.stderr == 'vcemu: standard input: "px" may mean "pX", "Px" or "PX"; write the whole name\n'
    result = vcemu('plan', '-', '--explain', 'PX', stdin=ONE_CPU + P + ''.join(task(f'px{i}') for i in range(7)))
    assert result.stderr == 'vcemu: standard input: "PX" may mean "px0", "px1", "px2", "px3", "px4" or 2 more; ' \
        'write the whole name\n'
    near = ''.join(task(name) for name in ('abcdxx', 'zzabcdefzz', 'abcdxf', 'abxxef'))
    result = vcemu('plan', '-', '--explain', 'abcdef', stdin=ONE_CPU + P + near)
    assert result.stderr.endswith('did you mean "abcdxf", "abcdxx" or "abxxef"?\n')


TWO_POLICIES = TWO_CPUS + P + task('vain', remaining=5184000, deadline=2160000) \
    + task('first', remaining=100) + task('last', remaining=200, received=1)


def test_another_policy_beside_it():
    """By giving up, a CPU is left for the last task; the first one runs for the same reason."""
    policy = 'current,give_up=by_chance'
    found = answer_of('plan', TWO_POLICIES, '--compare', policy)
    assert [one['name'] for one in found['policies']] == ['current', policy]
    assert {one['name']: (one['differs'], [each['run'] for each in one['decisions']]) for one in found['tasks']} == {
        'vain': (True, [True, False]), 'first': (False, [True, True]), 'last': (True, [False, True])}
    assert found['tasks'][0]['decisions'][1]['reason'] == 'time_too_short'
    for side, more in enumerate(([], ['--set', 'give_up=by_chance'])):  # each is what it is alone
        alone = answer_of('plan', TWO_POLICIES, *more)
        assert [one['decisions'][side]['finish'] for one in found['tasks']] == [one['finish'] for one in alone['tasks']]
        assert [one['decisions'][side]['seconds'] for one in found['requests']] == \
            [one['request_seconds'] for one in alone['projects'][0]['resources']]
    text = output_of('plan', '-', '--compare', policy, stdin=TWO_POLICIES)
    assert '2 of 3 tasks are treated differently; --all' in text and 'first' not in text
    assert '   first' in output_of('plan', '-', '--compare', policy, '--all', stdin=TWO_POLICIES)
    same = output_of('plan', '-', '--compare', 'current', stdin=TWO_POLICIES)
    assert '0 of 3 tasks' in same and 'NOW' not in same and '*  ' not in same
    assert '0 of 0 tasks' in output_of('plan', '-', '--compare', 'rpc2003', '--all', stdin=ONE_CPU)


NO_PARAMETER = 'there is no such parameter; keys of sections are KIND.KEY or KIND.NAME.KEY, such as project.NAME.share'


@pytest.mark.parametrize('policy, message', [
    ('nosuch', '--compare: "nosuch" is not a profile; use rpc2003, study2007, current or steady'),
    ('current,x=1', f'--compare: x: {NO_PARAMETER}'),
    ('current,backoff_max=1', '--compare: backoff_max: is less than the corresponding minimum'),
    ('project.shar=1', '--compare project.shar: [project] sections have no such key'),
    ('project.sieve.share=x',
     f'--compare project.sieve.share: {SMALL_STATE}: [project sieve] share: "x" is not a number'),
    ('rpc2003', f'--compare rpc2003: {SMALL_STATE}:41: [app meteors/skymap] max_concurrent: is a limit per '
                'application, which the fluid discipline does not support')])
def test_another_policy_that_there_is_not(policy, message):
    result = vcemu('plan', SMALL_STATE, '--compare', policy)
    assert (result.returncode, result.stdout, result.stderr) == (2, '', f'vcemu: {message}\n')


# Names may contain dots and =.
TWO_SHARES = TWO_CPUS + '''
[project A.b=c]
share = 100
[project B]
''' + ''.join(f'[task t{i}]\nproject = {"AB"[i % 2] + (".b=c", "")[i % 2]}\nremaining = 36000\ndeadline = 100000\n'
                for i in range(8))


def plan_with(*settings):
    return answer_of('plan', TWO_SHARES, *[word for setting in settings for word in ('--set', setting)])


def plan_of_edited(*edits):
    text = TWO_SHARES
    for old, new in edits:
        text = text.replace(old, new)
    return answer_of('plan', text)


def test_keys_of_sections_are_set():
    """As if they stood in the file, be they there or not; the last one holds."""
    edited = plan_of_edited(('share = 100', 'share = 900'))
    assert plan_with('project.A.b=c.share=900') == edited != plan_with()
    assert plan_with('project.share=900', 'project.B.share=100') == edited
    assert plan_with('project.B.share=100', 'project.share=900') == plan_with()
    edited = plan_of_edited(('[project B]', '[project B]\nshare = 21'), ('share = 100', 'share = 7'))
    assert plan_with('project.share=7', 'min_buffer=0', 'project.B.share=21') == edited
    assert plan_with('task.deadline=50000') == plan_of_edited(('deadline = 100000', 'deadline = 50000'))
    assert plan_with('host.cpus=3') == plan_of_edited(('cpus = 2', 'cpus = 3'))


def test_keys_of_sections_beside_another_policy():
    found = answer_of('plan', TWO_SHARES, '--compare', 'project.B.share=900')
    for side, more in enumerate(([], ['--set', 'project.B.share=900'])):
        alone = answer_of('plan', TWO_SHARES, *more)
        assert [one['decisions'][side]['finish'] for one in found['tasks']] == [one['finish'] for one in alone['tasks']]
    assert any(one['decisions'][0]['finish'] != one['decisions'][1]['finish'] for one in found['tasks'])


def test_a_comma_in_a_name_beside_another_policy():
    state = TWO_SHARES.replace('[project B]', '[project B, too]').replace('= B\n', '= B, too\n')
    found = answer_of('plan', state, '--compare', r'project.B\, too.share=900,keep_running=yes')
    alone = answer_of('plan', state, '--set', 'project.B, too.share=900', '--set', 'keep_running=yes')
    assert [one['decisions'][1]['finish'] for one in found['tasks']] == [one['finish'] for one in alone['tasks']]
    assert found['policies'][1]['name'] == r'project.B\, too.share=900,keep_running=yes'


@pytest.mark.parametrize('key, why', [
    ('project.C.share', 'standard input has no section [project C]'),
    ('project.b.share', 'standard input has no section [project b], but [project B]'),
    ('project.a.B=C.share', 'standard input has no section [project a.B=C], but [project A.b=c]'),
    ('gpu.count', 'standard input has no section [gpu]'),
    ('project.B.shar', '[project] sections have no such key'),
    ('client.min_buffer', 'parameters go by their name alone, without client.'),
    ('client.profile', 'profiles go by --profile NAME, --compare NAME or --vary profile=NAME; use rpc2003, study2007, '
                       'current or steady'),
    ('planet.mass', 'there is no kind of section of the name before the dot'),
    ('host.x.cpus', 'the section [host] has no name')])
def test_keys_of_sections_that_there_are_not(key, why):
    result = vcemu('plan', '-', '--set', f'{key}=1', stdin=TWO_SHARES)
    assert (result.returncode, result.stdout) == (2, '')
    assert result.stderr == f'vcemu: --set {key}: {why}\n'


@pytest.mark.parametrize('setting, why', [
    ('project.B.share=x', '[project B] share: "x" is not a number'),
    ('project.share=-1', '[project A.b=c] share: is negative'),  # so says the library
    ('task.t1.project=C', '[task t1] project: there is no section [project C]')])
def test_a_wrong_value_of_a_key_names_its_option_and_section(setting, why):
    """Whatever else is set after it."""
    result = vcemu('plan', '-', '--set', setting, '--set', 'host.ram=8e9', stdin=TWO_SHARES)
    option = '--set ' + setting.rpartition('=')[0]
    assert (result.returncode, result.stderr) == (2, f'vcemu: {option}: standard input: {why}\n')


@pytest.mark.parametrize('option', ['--json', '--all', '--compare=current'])
def test_an_explanation_is_not_all_of_the_plan(option):
    result = vcemu('plan', SMALL_STATE, '--explain', 'meteors', option)
    assert (result.returncode, result.stdout) == (2, '')
    assert result.stderr == 'vcemu: --explain is about one project, task or resource and cannot be combined with ' \
        '--json, --all or --compare\n'


@pytest.mark.parametrize('columns', [60, 80, 120])
def test_explanations_fit_the_screen(columns):
    state = (ROOT / SMALL_STATE).read_text(encoding='utf-8').replace('meteors', 'meteors of ' + 'a very ' * 20 + 'end')
    names = re.findall(r'^\[(?:project|task) (.*)\]$', state, re.MULTILINE)
    assert len(names) == 11
    for name in names:
        for line in output_of('plan', '-', '--explain', name, stdin=state, COLUMNS=str(columns)).splitlines()[1:]:
            assert columns_of(line) <= columns and line == line.rstrip()


# ---- a client's own file ---------------------------------------------------------------------------------------------

def test_of_a_client_state_the_tool_says_how_to_import_it(tmp_path):
    source, target = tmp_path / "client's state.xml", tmp_path / 'state.ini'
    source.write_bytes((ROOT / 'examples/scenarios/client_state.xml').read_bytes())
    result = vcemu('plan', source)
    told, command = result.stderr.split(' and type: ')
    assert (result.returncode, result.stdout) == (1, '')
    assert told == f'vcemu: {source}: this is XML, not a state file; if a BOINC client wrote it, install the Python ' \
        'package (pip install bindings/python, or the wheel of a release)'
    python, *arguments, output = shlex.split(command)
    assert (python, arguments, output) \
        == ('python3', ['-m', 'vcsched', 'import', str(source), '-o'], 'state.ini')
    subprocess.run([sys.executable, *arguments, target], check=True, capture_output=True,
                   env={**os.environ, 'PYTHONPATH': str(ROOT / 'bindings/python')})
    assert 'orbit_2025xk31_c_0' in output_of('plan', target, '--all', COLUMNS='200')


@pytest.mark.parametrize('text, is_xml', [
    ('<client_state>', True), ('#\n<a/>', False), ('\ufeff<?xml version="1.0"?>', True),
    ('[host]\n<', False), ('', False), ('\ufeff[host]', False)])
def test_what_is_taken_for_xml(text, is_xml):
    for command in ('plan', 'admit', 'run'):
        result = vcemu(command, '-', stdin=text)
        assert (result.returncode, result.stdout) == (1, '')
        assert result.stderr.endswith('type: python3 -m vcsched import - -o state.ini\n') == is_xml


def test_a_sweep_over_xml_names_the_command_too(tmp_path):
    source, bad = tmp_path / 'client_state.xml', tmp_path / 'bad.ini'
    source.write_text('<client_state>', encoding='utf-8')
    bad.write_text('host\n', encoding='utf-8')
    told = vcemu('sweep', ROOT / 'examples/scenarios/shortfall.ini', source, '--seeds', '1')
    assert (told.returncode, told.stderr) == (1, vcemu('plan', source).stderr)
    assert 'XML' not in vcemu('sweep', bad, '--seeds', '1').stderr


def test_the_command_names_no_path_that_is_too_long():
    (told,) = vcemu('plan', '-', stdin='<').stderr.splitlines()
    assert told.startswith('vcemu: standard input: this is XML')
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, *('x' * 200 for _ in range(3)))
        os.makedirs(os.path.dirname(path))
        pathlib.Path(path).write_text('<', encoding='utf-8')
        assert vcemu('plan', path).stderr.endswith('python3 -m vcsched import FILE -o state.ini\n')


# ---- states of many sizes --------------------------------------------------------------------------------------------

def sized_state(projects, tasks, gpus):
    """Names with blanks, of several scripts."""
    names = [f'Projekt č. {i} 計画' for i in range(projects)]
    types = [f'Графика {i} of some maker' for i in range(gpus)]
    return TWO_CPUS + ''.join(f'[gpu {name}]\nflops = 1e12\n' for name in types) \
        + ''.join(f'[project {name}]\nrec = {1e5 * i}\n' for i, name in enumerate(names)) \
        + ''.join(task(f'úloha {i} 課題', names[i % projects], **({'gpu': types[i % gpus], 'cpus': 0.1}
                                                                 if gpus > 0 and i % 2 else {}))
                  for i in range(tasks))


@pytest.mark.parametrize('projects, tasks, gpus',
                         [(0, 0, 0), (0, 0, 3), (1, 0, 0), (1, 1, 0), (2, 0, 1), (3, 30, 3), (40, 3, 9)])
def test_states_of_many_sizes(projects, tasks, gpus):
    state = sized_state(projects, tasks, gpus)
    plan = answer_of('plan', state)
    assert [len(plan[key]) for key in ('projects', 'tasks', 'resources')] == [projects, tasks, 1 + gpus]
    assert all(len(project['resources']) == 1 + gpus for project in plan['projects'])
    assert plan['schedule']['running'] == sum(task['run'] for task in plan['tasks'])
    asked = {project for (project, _), (seconds, _, _) in requests_of(plan).items() if seconds > 0}
    assert asked == {plan['fetch']['project']} - {None}
    for columns in (80, 120, 200):
        lines = output_of('plan', '-', stdin=state, COLUMNS=str(columns)).splitlines()
        assert all(columns_of(line) <= columns and line == line.rstrip() for line in lines[1:])
        assert not any(before == after == '' for before, after in zip(lines, lines[1:]))


def test_resources_of_which_the_same_is_to_be_said_share_a_row():
    rows = table_of('plan', '-', stdin=BUFFER + GPU + P + 'no_new_work = yes\n' + Q, heading='PROJECT  RESOURCE')
    assert [re.split('  +', row) for row in rows] \
        == [['p', 'CPU, g', '-', 'no new work'], ['q', 'CPU', '33m 20s, 1 instance', 'asked along'],
            ['q', 'g', '33m 20s, 1 instance', 'asked']]


def test_as_many_columns_of_what_projects_lack_as_fit():
    state = sized_state(2, 4, 3)
    headings = [next(line for line in output_of('plan', '-', stdin=state, COLUMNS=columns).splitlines()
                     if line.startswith('PROJECT ')) for columns in ('80', '120')]
    assert [heading.split('MISSES')[1].split() for heading in headings] \
        == [['CPU', 'LACK', 'OTHER', 'LACK'], ['CPU', 'LACK', 'Гра..ker', 'LACK', 'OTHER', 'LACK']]


# ---- what the text says of decisions ---------------------------------------------------------------------------------

def test_tasks_that_run_are_shown_first():
    rows = table_of('plan', SMALL_STATE, heading='TASK')
    assert [row.split()[0] for row in rows[:3]] == ['gpu_lens_5', 'impact_77', 'skymap_2031_b']
    assert [' runs: ' in row for row in rows] == [True] * 3 + [False] * 5


@pytest.mark.parametrize('state, text', [
    (ONE_CPU + P + task('t', running='yes'), '1 task runs from now on, as before. The next decision is due in 1h 00m.'),
    (ONE_CPU + P + task('t'), '1 task runs from now on: 1 starts. The next decision is due in 1h 00m.'),
    (TWO_CPUS + P + task('s') + task('t'), '2 tasks run from now on: 2 start. The next decision is due in 1h 00m.'),
    (ONE_CPU + P + task('t', running='yes', suspended='yes'), '0 tasks run from now on: 1 that ran stops.'),
    (TASK_REASONS['gives_way'][1],
     '1 task runs from now on: 1 starts, 1 that ran stops. The next decision is due in 1h 00m.'),
])
def test_what_changes_is_printed(state, text):
    assert text in output_of('plan', '-', stdin=state, COLUMNS='120').splitlines()


@pytest.mark.parametrize('reason, text', [
    ('asked', 'p is asked for work now. The next decision is due in 1m 00s.'),
    ('full', 'No project is asked for work now. The buffer is full. The next decision is due in 16m 40s.'),
    ('enough', f'No project is asked for work now. {SENTENCES["enough"]} The next decision is due in 8m 20s.'),
    ('deferred', f'No project is asked for work now. For every project: {SENTENCES["deferred"]} '
     'The next decision is due in 1m 30s.'),
    ('at_limit', f'No project is asked for work now. For the first in line: {SENTENCES["at_limit"]} '
     'The next decision is due in 25m 00s.'),
])
def test_who_is_asked_is_printed(reason, text):
    assert text in output_of('plan', '-', stdin=REQUEST_REASONS[reason][1], COLUMNS='200').splitlines()


def test_where_space_is_short_what_tasks_use_is_abbreviated():
    state = ONE_CPU + GPU + P + task('a_task_with_a_rather_long_name_of_its_own', gpu='g', cpus=0.25)
    uses = [re.split('  +', table_of('plan', '-', stdin=state, heading='TASK', COLUMNS=columns)[0])[2]
            for columns in ('80', '120')]
    assert uses == ['1 g', '1 g + 0.25 CPU']


# ---- profiles --------------------------------------------------------------------------------------------------------

# Two CPUs; p has recent work of 100 s and a short-term debt, q has never run. In the fluid discipline each
# project has a CPU until 2000, when a, b and c are done; then d has one until 3500. The buffer ends at 4000.
PROFILE_STATE = TWO_CPUS.replace('min_buffer = 0', 'min_buffer = 3000\nadditional_buffer = 1000') \
    + P + 'exp_avg_cpu = 100\nshort_term_debt = 100\n' + Q \
    + task('a') + task('b', 'q') + task('c', 'q', received=1) + task('d', received=2, deadline=3000, remaining=2500)


def decisions_of(plan):
    return [(task['name'], task['run'], task['reason']) for task in plan['tasks']]


def test_rpc2003_decides():
    plan = answer_of('plan', PROFILE_STATE, '--profile', 'rpc2003')
    # q first, for it never ran; then p, for q's first task counts as 3600 s.
    assert decisions_of(plan) == [('a', True, 'turn'), ('b', True, 'turn'), ('c', False, 'waits'),
                                  ('d', False, 'waits')]
    # One CPU idles from 2000 to 3500, two to 4000. One of the CPUs is q's, and it has one from the start.
    assert requests_of(plan) == {('p', 'CPU'): (0, 0, 'better_project'), ('q', 'CPU'): (2500, 0, 'asked')}


def test_study2007_decides():
    plan = answer_of('plan', PROFILE_STATE, '--profile', 'study2007')
    # d is late. It counts against p, which then has 100 - 3600 / 2: less than q.
    assert decisions_of(plan) == [('a', False, 'waits'), ('b', True, 'turn'), ('c', False, 'waits'),
                                  ('d', True, 'late')]
    # p has a miss, so q is asked. One CPU idles from 2000 to 3500, two to 4000: half of these 2500 s is less than the
    # 2000 s that q does not use of its own CPU.
    assert requests_of(plan) == {('p', 'CPU'): (0, 0, 'better_project'), ('q', 'CPU'): (2000, 0, 'asked')}


# ---- wrong state files -----------------------------------------------------------------------------------------------

def error_of(path, *options):
    result = vcemu('plan', path, *options)
    assert (result.returncode, result.stdout) == (1, '')
    assert result.stderr.count('\n') == 1 and result.stderr.endswith('\n') and len(result.stderr) < 1000
    return result.stderr.rstrip('\n')


def candidate(text):
    return f'[candidate c]\nproject = p\n{text}\n'


# Lines appended to BASE; the line at fault, counted from there; the message.
WRONG_ADDITIONS = [
    ('[planet x]\n', 1, '[planet x]: there is no section of this kind'),
    ('[Host]\n', 1, '[Host]: there is no section of this kind'),
    ('[host]\n', 1, '[host]: this section is already in line 1'),
    ('[project p]\n', 1, '[project p]: this section is already in line 6'),
    ('[task t]\n', 1, '[task t]: this section is already in line 9'),
    ('[task]\n', 1, '[task]: a section of this kind has a name'),
    ('[client x]\n', 1, '[client x]: a section of this kind has no name'),
    ('[gpu CPU]\nflops = 1\n', 1, '[gpu CPU]: the name CPU stands for the CPUs of the host'),
    ('[project r]\nshares = 1\n', 2, '[project r] shares: a section of this kind has no such key'),
    ('[project r]\nShare = 1\n', 2, '[project r] Share: a section of this kind has no such key'),
    ('[project r]\nshare = 1\nrec = 2\nshare = 1\n', 4,
     f'[project r] share: this key is already in line {NEXT_LINE + 1}'),
    ('[project r]\nshare = much\n', 2, '[project r] share: "much" is not a number'),
    ('[project r]\nshare = 1 # one\n', 2, '[project r] share: "1 # one" is not a number'),
    ('[project r]\nshare = 1,5\n', 2, '[project r] share: "1,5" is not a number'),
    ('[project r]\nshare =\n', 2, '[project r] share: has no value'),
    ('[project r]\nshare = nan\n', 2, '[project r] share: "nan" is not a finite number'),
    ('[project r]\nshare = nan(1)\n', 2, '[project r] share: "nan(1)" is not a finite number'),
    ('[project r]\nshare = -inf\n', 2, '[project r] share: "-inf" is not a finite number'),
    ('[project r]\nshare = 1e999\n', 2, '[project r] share: "1e999" is too large'),
    ('[project r]\nshare = -1\n', 2, '[project r] share: is negative*'),
    ('[project r]\nshare = 1e40\n', 2, '[project r] share: is too large*'),
    ('[project r]\nefficiency = 1.1\n', 2, '[project r] efficiency: is too large*'),
    ('[project r]\nclass = 1.5\n', 2, '[project r] class: "1.5" is not a whole number'),
    ('[project r]\nclass = -3e9\n', 2, '[project r] class: "-3e9" is too far below 0'),
    ('[project r]\nmax_concurrent = -1\n', 2, '[project r] max_concurrent: "-1" is negative'),
    ('[project r]\nmax_concurrent = 4294967296\n', 2, '[project r] max_concurrent: "4294967296" is too large'),
    ('[project r]\nsuspended = maybe\n', 2, '[project r] suspended: "maybe" is neither yes nor no'),
    ('[project r]\nsuspended = yesyesyesyes\n', 2, '[project r] suspended: "yesyesyesyes" is neither yes nor no'),
    ('[gpu g]\n', 1, '[gpu g] flops: this key is missing'),
    ('[gpu g]\nflops = 0\n', 2, '[gpu g] flops: is too small*'),
    ('[gpu g]\nflops = 1\ncount = 0\n', 3, '[gpu g] count: is too small*'),
    ('[gpu g]\nflops = 1\ncount = 65537\n', 3, '[gpu g] count: is too large*'),
    ('[gpu g]\nflops = 1\nusable = 2\n', 3, '[gpu g] usable: is too large*'),
    ('[project_resource p]\n', 1, '[project_resource p]: its name must begin with the name of a project and a /'),
    ('[project_resource r/CPU]\n', 1,
     '[project_resource r/CPU]: its name must begin with the name of a project and a /'),
    ('[project_resource p/Radeon]\n', 1, '[project_resource p/Radeon]: there is no section [gpu Radeon]'),
    ('[project_resource p/CPU]\nexcluded = 0\n', 2, '[project_resource p/CPU] excluded: needs a GPU type*'),
    ('[project_resource p/Vega]\nexcluded = 1\n', 2,
     '[project_resource p/Vega] excluded: names an instance that does not exist*'),
    *((f'[project_resource p/Vega]\nexcluded = {text}\n', 2,
       f'[project_resource p/Vega] excluded: "{text}" is not a list of instances, each from 0 to 63, with commas '
       'between') for text in ('0,', '0 1', '64', '-1', '0.5', 'all', '0;1', '1' * 30)),
    ('[app r/a]\n', 1, '[app r/a]: its name must begin with the name of a project and a /'),
    ('[app_resource p/b/Vega]\n', 1,
     '[app_resource p/b/Vega]: its name must begin with the name of an application and a /'),
    ('[app_resource p/a/Radeon]\n', 1, '[app_resource p/a/Radeon]: there is no section [gpu Radeon]'),
    ('[project_resource p/CPU]\nmax_per_device = 1\n', 2, '[project_resource p/CPU] max_per_device: needs a GPU type*'),
    ('[project_resource p/CPU]\nmax_instances = -1\n', 2, '[project_resource p/CPU] max_instances: is negative*'),
    ('[app_resource p/a/CPU]\nexcluded = 0\n', 2, '[app_resource p/a/CPU] excluded: needs a GPU type*'),
    ('[app_resource p/a/Vega]\nexcluded = 1\n', 2,
     '[app_resource p/a/Vega] excluded: names an instance that does not exist*'),
    ('[app p/b]\nexcluded = 0\n', 2, '[app p/b] excluded: needs a GPU type*'),
    ('[app_resource p/b/Vega]\n[app p/b]\ngpu = Vega\nexcluded = 0\n', 2,
     '[app p/b]: is for the same application and resource as an earlier one*'),
    ('[app p/b]\ngpu = Radeon\n', 2, '[app p/b] gpu: there is no section [gpu Radeon]'),
    ('[app p/b]\nmean_flops = -1\n', 2, '[app p/b] mean_flops: "-1" is negative'),
    *((f'[app p/b]\n{keys}\n', keys.count('\n') + 2, f'[app p/b] {keys.split(chr(10))[-1].split()[0]}: is 0: such jobs '
       'would end at once, and be replaced for ever')
      for keys in ('est_flops = 0', 'est_flops = 1\nmean_flops = 0',
                   'distribution = list\nmean_flops = 1\nsizes = 0, 0',
                   'distribution = normal\nsd_flops = 0\nmean_flops = 0')),
    ('[app p/b]\nweight = x\n', 2, '[app p/b] weight: "x" is not a number'),
    ('[task u]\nremaining = 1\n', 1, '[task u] project: this key is missing'),
    ('[task u]\nproject = r\nremaining = 1\n', 2, '[task u] project: there is no section [project r]'),
    ('[task u]\nproject = p\napp = b\nremaining = 1\n', 3, '[task u] app: there is no section [app p/b]'),
    ('[task u]\nproject = q\napp = a\nremaining = 1\n', 3, '[task u] app: there is no section [app q/a]'),
    ('[task u]\nproject = p\ngpu = CPU\nremaining = 1\n', 3, '[task u] gpu: there is no section [gpu CPU]'),
    ('[task u]\nproject = p\ngpus = 1\nremaining = 1\n', 3, '[task u] gpus: only makes sense together with gpu'),
    ('[task u]\nproject = p\ngpu = Vega\ngpus = 0\nremaining = 1\n', 4,
     '[task u] gpus: is 0, but a GPU type is named*'),
    ('[task u]\nproject = p\ncpus = -1\nremaining = 1\n', 3, '[task u] cpus: is negative*'),
    ('[task u]\nproject = p\n', 1,
     '[task u] remaining: is missing, and so is est_flops, from which it could be estimated'),
    ('[task u]\nproject = p\nest_flops = 1\nremaining = 1\n', 4,
     '[task u] remaining: conflicts with est_flops; give only one of them'),
    ('[task u]\nproject = p\nremaining = 2e12\n', 3, '[task u] remaining: is too large*'),
    ('[task u]\nproject = p\nremaining = 1\nelapsed = 5\n', 4,
     '[task u] elapsed: only makes sense together with est_flops'),
    ('[task u]\nproject = p\nest_flops = 1\n', 1, '[task u] flops: this key is missing'),
    ('[task u]\nproject = p\nest_flops = -1\nflops = 1\n', 3, '[task u] est_flops: is negative*'),
    ('[task u]\nproject = p\nest_flops = 1\nflops = 0\n', 4, '[task u] flops: is too small*'),
    ('[task u]\nproject = p\nest_flops = 1\nflops = 1\nfraction_done = -0.5\n', 5,
     '[task u] fraction_done: is negative*'),
    ('[task u]\nproject = r\nest_flops = 1\nflops = 1\n[project r]\ndcf = 1e9\n', 6, '[project r] dcf: is too large*'),
    ('[task u]\nproject = p\napp = b\nest_flops = 1\nflops = 1\n[app p/b]\ndcf = -1\n', 7,
     '[app p/b] dcf: is negative*'),
    ('[task u]\nproject = p\nremaining = 1\ndeadline = soon\n', 4, '[task u] deadline: "soon" is not a number'),
    ('[task u]\nproject = p\nremaining = 1\nreceived = never\n', 4, '[task u] received: "never" is not a number'),
    ('[candidate t]\nproject = p\nremaining = 1\n', 1, '[candidate t]: a task in line 9 has the same name'),
    (candidate('remaining = 1\nram = -1'), 4, '[candidate c] ram: is negative*'),
    (candidate('remaining = -1'), 3, '[candidate c] remaining: is negative*'),
    (candidate('remaining = 1\ngpu = Vega\ngpus = 0'), 5, '[candidate c] gpus: is 0, but a GPU type is named*'),
    ('[client]\nprofile = newest\n', 2,
     '[client] profile: "newest" is not a profile; use rpc2003, study2007, current or steady'),
    ('[client]\nbuffer = 1\n', 2, '[client] buffer: there is no such parameter'),
    ('[client]\nmin_buffer = 1\nmin_buffer = 1\n', 3,
     f'[client] min_buffer: this key is already in line {NEXT_LINE + 1}'),
    ('[client]\nmin_buffer = long\n', 2, '[client] min_buffer: "long" is not a number'),
    ('[client]\nmiss_fraction = 2\n', 2, '[client] miss_fraction: must be a number from 1e-06 to 1'),
    ('[client]\nbackoff_failures = 1.5\n', 2, '[client] backoff_failures: must be a whole number from 1 to 1000'),
    ('[client]\ndiscipline = round\n', 2,
     '[client] discipline: "round" is not one of its values; use fluid or sliced'),
    ('[client]\novercommit = 2\n', 2, '[client] overcommit: "2" is neither yes nor no'),
    ('[client]\novercommit = perhaps\n', 2, '[client] overcommit: "perhaps" is neither yes nor no'),
    ('[client]\nuse_dcf = median\n', 2,
     '[client] use_dcf: "median" is not one of its values; use no, yes or mean'),
    ('[client]\nbackoff_rule = 3\n', 2,
     '[client] backoff_rule: "3" is not one of its values; use exponent, uniform or doubling'),
    ('[client]\nbackoff_max = 1\n', 2, '[client] backoff_max: is less than the corresponding minimum*'),
    ('[client]\nbackoff_min = 1e6\n', 1, '[client] backoff_max: is less than the corresponding minimum*'),
    ('[emulation]\nduration = -1\n', 2, '[emulation] duration: "-1" is negative'),
    ('[emulation]\ncpu_scheduling = CS\n', 2, '[emulation] cpu_scheduling: "CS" is not one of its values: CS1 CS2'),
    ('[emulation]\ncpu_scheduling = CS1 CS2\n', 2,
     '[emulation] cpu_scheduling: "CS1 CS2" is not one of its values: CS1 CS2'),
    ('[emulation]\nseed = 1.5\n', 2, '[emulation] seed: "1.5" is not a whole number'),
    ('[project r]\n share = 1\n', 2, '[project r]: the line begins with a blank; values cannot span lines'),
    (' [project r]\n', 1, '[task t]: the line begins with a blank; values cannot span lines'),
    ('share\n', 1, '[task t]: a line is a [section], a key = value, or a comment that begins with # or ;'),
    ('share: 1 = 2\n', 1, '[task t]: a line is a [section], a key = value, or a comment that begins with # or ;'),
    ('= 1\n', 1, '[task t]: the key before the = is missing'),
    ('[project r\n', 1, 'a section line begins with [ but does not end with ]'),
    ('[project r] # new\n', 1, 'a section line begins with [ but does not end with ]'),
    ('[]\n', 1, 'a section is [KIND] or [KIND NAME], and here the kind is missing'),
    ('[ project r]\n', 1, 'a section is [KIND] or [KIND NAME], and here the kind is missing'),
    *((f'[project{name}]\n', 1, '[KIND NAME] takes one space before the name and no blank after it')
      for name in ('  r', ' r ', ' ', '\tr')),
    ('[project a\x1bb]\n', 1, '[task t]: the line contains a control character; is this a text file?'),
    ('# \x85\n', 1, '[task t]: the line contains a control character; is this a text file?'),
    ('key\x7f = 1\n', 1, '[task t]: the line contains a control character; is this a text file?'),
    ('lone\rreturn = 1\n', 1, '[task t]: the line contains a control character; is this a text file?'),
]


def check_error(path, line, message):
    """`message` may end in a *: the rest is up to the library."""
    expected = f'vcemu: {path}:{line}: {message}'
    error = error_of(path)
    assert error.startswith(expected[:-1]) if message.endswith('*') else error == expected


@pytest.mark.parametrize('addition, line, message', WRONG_ADDITIONS)
def test_wrong_additions(tmp_path, addition, line, message):
    path = tmp_path / 'state.ini'
    path.write_bytes((BASE + addition).encode('utf-8'))
    check_error(path, NEXT_LINE + line - 1, message)


# A whole file, the line at fault, the message.
WRONG_FILES = [
    ('', 1, 'the file is empty; at least a [host] section is needed'),
    ('# nothing\n\n', 2, 'the file is empty; at least a [host] section is needed'),
    ('[project p]\nshare = 1\n', 2, 'the [host] section is missing'),
    ('cpus = 2\n[host]\n', 1, 'cpus: this key comes before any [section]'),
    ('[host]\nflops = 1\n', 1, '[host] cpus: this key is missing'),
    ('[host]\ncpus = 1\n', 1, '[host] flops: this key is missing'),
    ('[host]\ncpus = 0\nflops = 1\n', 2, '[host] cpus: is too small*'),
    ('[host]\ncpus = 70000\nflops = 1\n', 2, '[host] cpus: is too large*'),
    ('[host]\nflops = 1\ncpus = 1.5\n', 3, '[host] cpus: "1.5" is not a whole number'),
    (HOST + 'usable = 0\n', 4, '[host] usable: is too small*'),
    (HOST + 'ram = -1\n', 4, '[host] ram: is negative*'),
    (HOST + 'now = tomorrow\n', 4, '[host] now: "tomorrow" is not a number'),
    (HOST + 'available = 1.5\n', 4, '[host] available: "1.5" is more than 1'),
    (HOST + 'available_mean = -1\n', 4, '[host] available_mean: "-1" is negative'),
    (b'\xef\xbb\xbf[host]\n', 1, 'the file begins with a byte order mark; save it as UTF-8 without one'),
    (b'\xff\xfe[\0h\0', 1, 'the line is not UTF-8 text'),
    (b'[host]\n# caf\xe9\n', 2, '[host]: the line is not UTF-8 text'),
    (b'[host]\n# \xed\xa0\x80\n', 2, '[host]: the line is not UTF-8 text'),
    (b'[host]\n# \xc0\xaf\n', 2, '[host]: the line is not UTF-8 text'),
    (b'[host]\n# \xf4\x90\x80\x80\n', 2, '[host]: the line is not UTF-8 text'),
    (b'[host]\n# \xe2\x82', 2, '[host]: the line is not UTF-8 text'),
    (b'\x7fELF\x02\x01\x01\0\0\0', 1, 'the line contains a control character; is this a text file?'),
    ('x' * 1000000, 1, 'the line is longer than 4096 bytes'),
    (HOST + 'ram = ' + '1' * 1000000, 4, '[host] ram: the line is longer than 4096 bytes'),
    (HOST + '# ' + 'x' * 5000 + '\n', 4, '[host]: the line is longer than 4096 bytes'),
]


@pytest.mark.parametrize('content, line, message', WRONG_FILES, ids=range(len(WRONG_FILES)))
def test_wrong_files(tmp_path, content, line, message):
    path = tmp_path / 'state.ini'
    path.write_bytes(content.encode('utf-8') if isinstance(content, str) else content)
    check_error(path, line, message)


def test_a_line_of_4096_bytes_is_read():
    name = 'n' * (4096 - len('[task ]'))
    assert task_of(HOST + f'[project p]\n[task {name}]\nproject = p\nremaining = 1\n')['name'] == name
    assert name[:10] in output_of('plan', '-', stdin=HOST + f'[project p]\n[task {name}]\nproject = p\nremaining = 1\n')


def test_files_that_cannot_be_read(tmp_path):
    missing = tmp_path / 'missing.ini'
    assert error_of(missing) == f'vcemu: {missing}: cannot be opened: No such file or directory'
    assert error_of(tmp_path) == f'vcemu: {tmp_path}: cannot be read: Is a directory'


def test_the_tool_itself_is_no_state_file():
    assert re.fullmatch(r'vcemu: .*:\d+: the line (is not UTF-8 text|contains a control character; .* text file\?)',
                        error_of(VCEMU))


def test_the_standard_input_has_a_name_too():
    result = vcemu('plan', '-', stdin='[host]\nx = 1\n')
    assert result.stderr == 'vcemu: standard input:2: [host] x: a section of this kind has no such key\n'


def test_long_names_do_not_make_long_messages(tmp_path):
    path = tmp_path / 'state.ini'
    path.write_text(HOST + f'[project {"n" * 4000}]\n{"k" * 4000} = 1\n', encoding='utf-8')
    assert re.search(r':5: \[project n+\.\.\.n+\] k+\.\.\.k+: a section of this kind has no such key$', error_of(path))


def test_what_a_discipline_does_not_know_is_told_of_its_line(tmp_path):
    path = tmp_path / 'state.ini'
    path.write_text(BASE + '[task u]\nproject = p\nremaining = 1\ngpu = Vega\n', encoding='utf-8')
    assert error_of(path, '--profile', 'study2007').startswith(f'vcemu: {path}:{NEXT_LINE + 3}: [task u] gpu: ')


def test_a_large_state(tmp_path):
    """50 MB of tasks in one file; a part of them in builds in which each takes many times as long."""
    path = tmp_path / 'large.ini'
    part = int(os.environ.get('VCS_ONE_CASE_IN', '1'))
    count = 350000 // part
    with open(path, 'w', encoding='utf-8') as state:
        state.write(HOST + ''.join(f'[project project_{i}]\n' for i in range(20)))
        for i in range(count):
            state.write(f'[task workunit_with_a_rather_long_name_{i:07d}_{i % 7}]\nproject = project_{i % 20}\n'
                        f'received = {1.7e9 + i:.3f}\ndeadline = {1.8e9 + 7 * i % 100000:.3f}\n'
                        f'remaining = {i % 100000 + 0.25}\n\n')
    assert path.stat().st_size > 50e6 / part
    plan = json.loads(output_of('plan', path, '--json', '--set', 'step_budget=10'))
    assert len(plan['tasks']) == count and plan['stopped']
    with open(path, 'a', encoding='utf-8') as state:
        state.write('[task workunit_with_a_rather_long_name_0000007_0]\n')
    before_tasks = len(HOST.splitlines()) + 20
    assert error_of(path).endswith(
        f':{before_tasks + 6 * count + 1}: [task workunit_with_a_rather_long_name_0000007_0]: '
        f'this section is already in line {before_tasks + 6 * 7 + 1}')


# ---- the command line ------------------------------------------------------------------------------------------------

@pytest.mark.parametrize('arguments, message', [
    ([], 'a command is missing; try: vcemu help'),
    (['plant'], 'plant: there is no such command; try: vcemu help'),
    (['help', 'plant'], 'plant: there is no such command; try: vcemu help'),
    (['help', '--help'], '--help: there is no such command; try: vcemu help'),
    (['help', 'plan', 'run'], 'help: there is more than one command: plan and run'),
    (['plan'], 'plan: the name of a state file is missing; try: vcemu plan --help'),
    (['plan', 'a', 'b'], 'plan: there is more than one state file: a and b'),
    (['plan', 'a', '--fast'], '--fast: there is no such option, or it takes no value; try: vcemu plan --help'),
    (['plan', 'a', '--json=1'], '--json=1: there is no such option, or it takes no value; try: vcemu plan --help'),
    (['plan', 'a', '-x'], '-x: there is no such option, or it takes no value; try: vcemu plan --help'),
    (['admit', 'a', '--all'], '--all: there is no such option, or it takes no value; try: vcemu admit --help'),
    (['plan', 'a', '--set'], '--set: needs a value'),
    (['plan', 'a', '--profile', 'x'], '--profile: "x" is not a profile; use rpc2003, study2007, current or steady'),
    (['plan', 'a', '--set', 'horizon'], '--set horizon: expected parameter=value'),
    (['plan', 'a', '--set', '=1'], '--set =1: expected parameter=value'),
    (['plan', 'a', '--set', 'x=1'], f'--set: x: {NO_PARAMETER}'),
    (['plan', 'a', '--set', 'share=10'], f'--set: share: {NO_PARAMETER}'),
    (['plan', 'a', '--set', 'x' * 40 + '=1'], f'--set {"x" * 40}=1: {NO_PARAMETER}'),
    (['plan', 'a', '--set', 'horizon=x'], '--set: horizon: "x" is not a number'),
    (['plan', 'a', '--set', 'horizon='], '--set: horizon: "" has no value'),
    (['plan', 'a', '--set', 'horizon=-1'], '--set: horizon: must be a number from 0 to 1000000000000'),
])
def test_wrong_command_lines(arguments, message):
    result = vcemu(*arguments)
    assert (result.returncode, result.stdout, result.stderr) == (2, '', f'vcemu: {message}\n')


@pytest.mark.parametrize('command', ['plan', 'admit', 'run', 'bound', 'sweep'])
def test_help_is_asked_for_in_three_ways(command):
    assert output_of('help', command) == output_of(command, '--help') == output_of(command, '-h')
    assert f'usage: vcemu {command} ' in output_of('help', command)
    assert f'\n  {command} ' in output_of('help')


def test_help_as_a_whole():
    assert output_of('help') == output_of('--help') == output_of('-h') == output_of('help', 'help')


def test_settings_that_do_not_go_together():
    result = vcemu('plan', SMALL_STATE, '--set', 'backoff_max=1')
    assert result.returncode == 2
    assert result.stderr == 'vcemu: --set: backoff_max: is less than the corresponding minimum\n'


# ---- vcemu run -------------------------------------------------------------------------------------------------------

BASE_SCENARIO = 'examples/study/base.ini'


def short_scenario(**changes):
    """The base case of the study for two days."""
    text = (ROOT / BASE_SCENARIO).read_text(encoding='utf-8').replace('duration = 8640000', 'duration = 172800')
    for key, value in changes.items():
        text = re.sub(rf'^{key} = .*$', f'{key} = {value}', text, flags=re.MULTILINE)
    return text


def test_run_has_the_promised_fields():
    outcome = answer_of('run', short_scenario())
    assert {'waste', 'idleness', 'share_violation', 'monotony', 'rpcs_per_job', 'projects'} <= set(outcome)
    assert [project['name'] for project in outcome['projects']] == ['P']
    assert outcome['duration'] == 172800 and outcome['waste'] == 0
    assert outcome['in_time'] + outcome['late'] <= outcome['ended'] <= outcome['received']


def test_run_gives_the_same_for_the_same_seed_and_another_for_another():
    first, again, other = (output_of('run', '-', '--json', stdin=short_scenario(seed=seed)) for seed in (1, 1, 2))
    assert first == again != other


def test_run_where_jobs_are_too_long_for_their_bound_wastes_all():
    # A job of 13,000 s that is due after 10,000 s. Its deadline passes before it can be done.
    outcome = answer_of('run', short_scenario(latency_bound=10000))
    assert outcome['in_time'] == 0 and outcome['waste'] > 0.9
    assert outcome['waste'] + outcome['idleness'] == pytest.approx(1)


def test_run_writes_a_trace_and_a_timeline(tmp_path):
    trace, page = tmp_path / 'events.csv', tmp_path / 'page.html'
    output_of('run', '-', '--trace', trace, '--timeline', page, stdin=short_scenario())
    lines = trace.read_text(encoding='utf-8').splitlines()
    assert lines[0] == 'time,event,project,task,resource,lane,amount,deadline,reason'
    times = [float(line.split(',')[0]) for line in lines[1:]]
    assert times == sorted(times) and 0 <= times[0] and times[-1] <= 172800
    assert page.read_text(encoding='utf-8').rstrip().endswith('</html>')


def test_the_picture_of_the_readme_is_what_its_trace_draws(tmp_path):
    trace, outcome = tmp_path / 'trace.csv', tmp_path / 'outcome.json'
    outcome.write_text(output_of('run', 'examples/scenarios/unreliable.ini', '--days', '4', '--trace', trace, '--json'),
                       encoding='utf-8')
    drawn = subprocess.run([sys.executable, 'examples/study/timeline_svg.py', trace, outcome], cwd=ROOT, check=True,
                           capture_output=True, encoding='utf-8').stdout
    assert drawn == (ROOT / 'doc/timeline.svg').read_text(encoding='utf-8')
    assert 'doc/timeline.svg' in (ROOT / 'README.md').read_text(encoding='utf-8')


def test_the_picture_of_a_shortfall_is_what_the_plan_draws(tmp_path):
    """Rule 4.1: the example of S4. The picture is drawn only if its grey areas are the shortfall of the library."""
    state, path = 'examples/scenarios/shortfall.ini', tmp_path / 'plan.json'
    plan = json.loads(output_of('plan', state, '--json'))
    cpu = plan['resources'][0]
    assert (cpu['shortfall'], cpu['saturated'], cpu['idle_now']) == (13, 5, 0)
    assert [task['finish'] for task in plan['tasks']] == [7, 5, 8, 3, 7]

    def draw(shortfall):
        path.write_text(json.dumps(plan | {'resources': [cpu | {'shortfall': shortfall}]}), encoding='utf-8')
        return subprocess.run([sys.executable, 'examples/scenarios/shortfall_svg.py', state, path], cwd=ROOT,
                              check=False, capture_output=True, encoding='utf-8')
    assert draw(13).stdout == (ROOT / 'doc/shortfall.svg').read_text(encoding='utf-8')
    assert (draw(12).returncode, draw(12).stdout) == (1, '')
    assert '(shortfall.svg)' in (ROOT / 'doc/rules.md').read_text(encoding='utf-8')


@pytest.mark.parametrize('option', ['--trace', '--timeline'])
def test_run_says_what_cannot_be_written(option, tmp_path):
    for path in (tmp_path / 'missing' / 'file', pathlib.Path('/dev/full')):
        result = vcemu('run', '-', option, path, stdin=short_scenario())
        assert (result.returncode, result.stdout) == (1, '')
        assert f'{path.name}: ' in result.stderr and result.stderr.count('\n') == 1


@pytest.mark.parametrize('change, message', [({'share': -1}, 'share'), ({'duration': 0}, 'duration'),
                                             ({'cpus': 10 ** 9}, 'cpus'), ({'available': 1.5}, 'available'),
                                             ({'sd_flops': 'x'}, 'sd_flops')])
def test_run_refuses_with_line_and_key(change, message, tmp_path):
    path = tmp_path / 'scenario.ini'
    text = (ROOT / BASE_SCENARIO).read_text(encoding='utf-8')
    for key, value in change.items():
        text = re.sub(rf'^{key} = .*$', f'{key} = {value}', text, flags=re.MULTILINE)
    path.write_text(text, encoding='utf-8')
    result = vcemu('run', path)
    assert (result.returncode, result.stdout) == (1, '')
    assert re.search(rf'scenario\.ini:\d+: .*{message}', result.stderr), result.stderr


# ---- scenarios that go wrong -----------------------------------------------------------------------------------------

def scenario_with(section, **keys):
    """The base case of the study, where [section] has these keys too, or other values of its own."""
    lines = (ROOT / BASE_SCENARIO).read_text(encoding='utf-8').splitlines()
    gone = {*keys, 'sd_flops'} if 'sizes' in keys else keys
    lines = [line for line in lines if line.split(' = ')[0] not in gone]
    at = lines.index(f'[{section}]') + 1
    lines[at:at] = [f'{key} = {value}' for key, value in keys.items()]
    return '\n'.join(lines) + '\n'


# The section; its keys, the last one at fault; the message.
WRONG_SCENARIOS = [
    ('project P', {'share': -1}, 'is negative'),
    ('project P', {'share': '1e300'}, 'is too large'),
    ('project P', {'shares': 100}, 'a section of this kind has no such key'),
    ('project P', {'up_mean': 10, 'down_mean': 0}, 'must be at least 0.001 s'),
    ('project P', {'up_mean': 10}, 'down_mean'),
    ('project P', {'up_mean': 10, 'down_mean': '1e13'}, 'is too large'),
    ('project P', {'scheduler_failure': 1.5}, 'is more than 1'),
    ('project P', {'network_failure': -0.1}, 'is negative'),
    ('project P', {'master_failure': 'often'}, 'is not a number'),
    ('project P', {'moves_at': '1e13'}, 'is too large'),
    ('project P', {'schedulers': 1.5}, 'is not a whole number'),
    ('project P', {'schedulers': 1001}, 'is too large'),
    ('project P', {'request_delay': '1e13'}, 'is too large'),
    ('project P', {'max_in_progress': 1.5}, 'is not a whole number'),
    ('app P/A', {'latency_bound': 0}, 'is too small'),
    ('app P/A', {'est_flops': '1e31'}, 'is too large'),
    ('app P/A', {'est_flops': '1e999'}, 'is too large'),
    ('app P/A', {'distribution': 'exponential', 'sd_flops': 1}, 'only makes sense with distribution = normal'),
    ('app P/A', {'distribution': 'uniform'}, 'is not one of its values: normal exponential constant list'),
    ('app P/A', {'fraction_blur': -1}, 'is negative'),
    ('app P/A', {'fraction_blur': 5}, 'is too large'),
    ('app P/A', {'fraction_step': 1.5}, 'is more than 1'),
    ('app P/A', {'sizes': '1, 2'}, 'only makes sense with distribution = list'),
    ('app P/A', {'distribution': 'list', 'sizes': '1, -2'}, '"-2" is negative'),
    ('app P/A', {'distribution': 'list', 'sizes': '1, 1e31'}, '"1e31" is too large'),
    ('app P/A', {'distribution': 'list', 'sizes': '1,, 2'}, 'a number is missing'),
    ('app P/A', {'distribution': 'list', 'sizes': '1 2'}, '"1 2" is not a number'),
    ('app P/A', {'gpu': 'Vega'}, 'there is no section [gpu Vega]'),
    ('host', {'cpus': 10 ** 9}, 'is too large'),
    ('host', {'cpus': 0}, 'is too small'),
    ('host', {'available': 1.5}, 'is more than 1'),
    ('host', {'available': 0}, 'is too small'),
    ('host', {'available': 0.5, 'available_mean': 0}, 'must be at least 0.001 s'),
    ('host', {'switches': '10, 5', 'available': 0.5}, 'conflicts with another key'),
    ('host', {'trace': 'missing.txt', 'switches': '1, 2'}, 'conflicts with another key'),
    ('emulation', {'duration': 0}, 'is too small'),
    ('emulation', {'duration': '1e12'}, 'is too large'),
    ('emulation', {'seed': -1}, 'is negative'),
]


@pytest.mark.parametrize('section, keys, message', WRONG_SCENARIOS)
def test_wrong_scenarios_end_in_one_line_with_file_line_and_key(section, keys, message, tmp_path):
    path = tmp_path / 'scenario.ini'
    text = scenario_with(section, **keys)
    path.write_text(text, encoding='utf-8')
    result = vcemu('run', path)
    assert (result.returncode, result.stdout, result.stderr.count('\n')) == (1, '', 1)
    line = text.splitlines().index(f'{list(keys)[-1]} = {list(keys.values())[-1]}') + 1
    assert message in result.stderr
    if message != 'down_mean':  # which is missing, so the section is named
        assert result.stderr.startswith(f'vcemu: {path}:{line}: [{section}] {list(keys)[-1]}: '), result.stderr


def without(text, *keys):
    return '\n'.join(line for line in text.splitlines() if line.split(' = ')[0] not in keys) + '\n'


def test_jobs_without_a_size_are_refused(tmp_path):
    """They would end as soon as they came, and others would come for them."""
    path = tmp_path / 'scenario.ini'
    path.write_text('[host]\ncpus = 1\nflops = 1e9\n[project P]\n[app P/A]\nlatency_bound = 1e5\n', encoding='utf-8')
    for command in ('run', 'sweep', 'plan'):
        result = vcemu(command, path)
        assert (result.returncode, result.stderr) == (1, f'vcemu: {path}:5: [app P/A] est_flops: this key is missing\n')


def test_a_host_may_begin_before_time_0():
    """The jobs are as at any other time: none waits for the epoch to begin."""
    text = '[host]\ncpus = 1\nflops = 1e9\nnow = {}\n[project P]\n[app P/A]\nlatency_bound = 1e5\nest_flops = 1e12\n' \
        '[emulation]\nduration = 65536\n'
    before, later = (json.loads(output_of('run', '-', '--json', stdin=text.format(now))) for now in (-131072, 0))
    assert before['in_time'] == later['in_time'] > 20 and before['calls'] == later['calls']


@pytest.mark.parametrize('switches, message', [('10, 5', '"5" is less than the number before it'),
                                               ('-1, 5', '"-1" is negative'), ('1, 2e12', '"2e12" is too large'),
                                               ('', 'has no value'), ('noon', '"noon" is not a number')])
def test_wrong_switches_are_told_of_their_line(switches, message, tmp_path):
    path = tmp_path / 'scenario.ini'
    path.write_text(without(scenario_with('host', switches=switches), 'available'), encoding='utf-8')
    result = vcemu('run', path)
    assert (result.returncode, result.stderr) == (1, f'vcemu: {path}:3: [host] switches: {message}\n')


@pytest.mark.parametrize('on, off, key, message', [
    (24 * '1,', 24 * '1,', 'hours_on', 'a number is missing; separate numbers with commas'),
    ('1, 2', '1, 2', 'hours_on', 'has 2 numbers, not one for each of the 24 hours of a day or the 168 of a week'),
    (23 * '1,' + '1', 167 * '1,' + '1', 'hours_off', 'has another number of hours than hours_on'),
    (23 * '1,' + '-1', 23 * '1,' + '1', 'hours_on', '"-1" is negative'),
    (23 * '1,' + '1', 23 * '1,' + '2e12', 'hours_off', '"2e12" is too large')])
def test_wrong_hours_are_told_of_their_line(on, off, key, message, tmp_path):
    path = tmp_path / 'scenario.ini'
    path.write_text(scenario_with('host', hours_on=on, hours_off=off), encoding='utf-8')
    result = vcemu('run', path)
    line = {'hours_on': 3, 'hours_off': 4}[key]
    assert (result.returncode, result.stderr) == (1, f'vcemu: {path}:{line}: [host] {key}: {message}\n')


def test_half_of_the_hours_are_not_enough(tmp_path):
    path = tmp_path / 'scenario.ini'
    path.write_text(scenario_with('host', hours_on=23 * '1,' + '1'), encoding='utf-8')
    result = vcemu('run', path)
    assert result.returncode == 1 and 'hours_off' in result.stderr


@pytest.mark.parametrize('lines, message', [('10\n# noon\n5\n', '3: "5" is less than the number before it'),
                                            ('10\n\nnoon\n', '3: "noon" is not a number'),
                                            ('1' * 400, '1: "1')], ids=['order', 'word', 'long'])
def test_a_wrong_trace_is_told_of_the_line_of_its_file(lines, message, tmp_path):
    path, trace = tmp_path / 'scenario.ini', tmp_path / 'on.txt'
    path.write_text(without(scenario_with('host', trace='on.txt'), 'available'), encoding='utf-8')
    trace.write_text(lines, encoding='utf-8')
    result = vcemu('run', path)
    assert (result.returncode, result.stdout, result.stderr.count('\n')) == (1, '', 1)
    assert result.stderr.startswith(f'vcemu: {trace}:{message}')
    trace.unlink()
    error = vcemu('run', path).stderr
    assert error.startswith(f'vcemu: {path}:3: [host] trace: "') and 'cannot be read: No such file' in error


# ---- what a scenario says of hosts, servers and jobs -----------------------------------------------------------------

def test_a_host_is_on_as_its_trace_says(tmp_path):
    # On for 1000 s, off for 500, on for 1500, off for the rest of 3500 s.
    outcomes = []
    for key, value in {'switches': '1000, 1500, 3000', 'trace': 'on.txt'}.items():
        path = tmp_path / f'{key}.ini'
        text = without(scenario_with('host', **{key: value}), 'available', 'available_step')
        path.write_text(text.replace('duration = 8640000', 'duration = 3500'))
        (tmp_path / 'on.txt').write_text('# when it was switched off and on\n1000\n1500\n\n3000\n')
        outcomes.append(json.loads(output_of('run', path, '--json')))
    assert outcomes[0] == outcomes[1]
    assert outcomes[0]['available_time'] == 2500


def test_days_go_before_the_file():
    assert answer_of('run', short_scenario(), '--days', '0.5')['duration'] == 43200
    for days in ('0', '-1', 'x', 'inf'):
        result = vcemu('run', '-', '--days', days)
        assert (result.returncode, result.stderr) == (2, f'vcemu: --days: "{days}" is not a number of days above 0\n')


ONE_KIND_OF_JOB = """[host]
cpus = 1
flops = 1
[project P]
{project}
[app P/A]
latency_bound = 1e6
{app}
[emulation]
duration = {duration}
"""


def one_cpu(project='', app='est_flops = 1000', duration=10000):
    return answer_of('run', ONE_KIND_OF_JOB.format(project=project, app=app, duration=duration))


def test_sizes_come_as_their_distribution_says():
    # Of 100 + 200 + 300 + 100 s four jobs end in 700 s; of 1000 s each, ten in 10,000 s.
    assert one_cpu(app='distribution = list\nsizes = 100, 200, 300', duration=700)['ended'] == 4
    assert one_cpu(app='distribution = constant\nest_flops = 1000')['ended'] == 10
    # About a million draws' worth of seconds: the mean number of jobs is 1000, its deviation 32 and 10.
    many = one_cpu(app='distribution = exponential\nest_flops = 1000', duration=1e6)['ended']
    some = one_cpu(app='distribution = normal\nest_flops = 1000\nsd_flops = 300', duration=1e6)['ended']
    # With a standard deviation of half the mean, 1000 log-normal sizes have a sum with a deviation of 16 means.
    skew = one_cpu(app='distribution = log_normal\nest_flops = 1000\nsd_flops = 500', duration=1e6)
    assert 850 < many < 1150 and 950 < some < 1050 and many != some and 920 < skew['ended'] < 1080
    assert one_cpu(app='distribution = log_normal\nest_flops = 1000')['ended'] == 10


def test_blurred_fractions_change_no_job_alone():
    app = 'est_flops = 1000\n'
    assert one_cpu(app=app + 'fraction_blur = 1\nfraction_step = 0.1') == one_cpu(app=app)


def test_what_was_done_and_not_reported_is_in_the_json():
    answer = one_cpu(duration=2500)
    assert (answer['unreported'], answer['done_late'], answer['flops_unreported']) == (
        answer['ended'] - answer['in_time'] - answer['late'], 0, 1000 * answer['unreported'])
    assert answer['flops_received'] == 1000 * answer['received']
    assert answer['projects'][0]['stops'] == answer['stops']
    assert answer['resources'][0]['in_time'] == 1000 * answer['in_time'] and answer['resources'][0]['done_late'] == 0


def test_servers_fail_as_the_file_says():
    assert one_cpu('network_failure = 1')['received'] == 0
    assert one_cpu('scheduler_failure = 1')['master_fetches'] > 0
    lost = one_cpu('network_failure = 1', duration=1e6)
    assert lost['failed_calls'] == lost['calls'] > 0 and lost['failed_masters'] == lost['master_fetches'] > 0
    down = one_cpu('up_mean = 1000\ndown_mean = 1e9', duration=1e6)
    assert down['failed_calls'] > 0 and down['received'] < 200
    # A second scheduler answers while the first is down for good.
    second = one_cpu('up_mean = 1000\ndown_mean = 1e5\nschedulers = 50', duration=1e6)
    assert second['failed_calls'] > 0 and second['received'] > 2 * one_cpu('up_mean = 1000\ndown_mean = 1e5',
                                                                          duration=1e6)['received']
    moved = one_cpu('moves_at = 5000', duration=1e6)
    assert moved['master_fetches'] == 1 and moved['failed_masters'] == 0 and moved['idleness'] < 0.1
    unread = one_cpu('moves_at = 5000\nmaster_failure = 1', duration=1e6)
    assert unread['failed_masters'] == unread['master_fetches'] > 1 and unread['received'] < 200
    assert one_cpu('max_in_progress = 1')['received'] == one_cpu('max_in_progress = 1')['ended'] + 1
    assert one_cpu('request_delay = 4000\nmax_in_progress = 1')['calls'] <= 4


def test_a_trace_names_the_limit_of_a_server(tmp_path):
    path = tmp_path / 'state.ini'
    path.write_text(ONE_KIND_OF_JOB.format(project='max_in_progress = 1', app='est_flops = 1000', duration=900)
                    .replace('cpus = 1', 'cpus = 3'))
    outcome, events = events_of(path, tmp_path=tmp_path)
    assert outcome['resources'][0]['idle_server_limit'] == 1800
    # Nobody has been called at first; from the first reply on two CPUs are idle.
    assert [(event['amount'], event['reason']) for event in events if event['event'] == 'idle'][-1] \
        == ('2', 'server_limit')
    assert 'No task, and as many jobs as a server allows.' in output_of('run', path)


def test_the_example_of_unreliable_servers():
    outcome = json.loads(output_of('run', 'examples/scenarios/unreliable.ini', '--json'))
    stable, shaky, moving = outcome['projects']
    assert outcome['available_time'] == pytest.approx(10 * 14 * 3600)
    assert stable['failed_calls'] == 0 < shaky['failed_calls']
    assert moving['failed_calls'] > 0 and moving['master_fetches'] > moving['failed_masters']
    assert all(project['in_time'] > 0 for project in outcome['projects'])


# ---- a state goes on -------------------------------------------------------------------------------------------------

@pytest.fixture(name='imported', scope='module')
def imported_state(tmp_path_factory):
    path = tmp_path_factory.mktemp('imported') / 'state.ini'
    subprocess.run([sys.executable, '-m', 'vcsched', 'import', '--quiet', ROOT / 'examples/scenarios/client_state.xml',
                    '-o', path], env={'PYTHONPATH': str(ROOT / 'bindings/python')}, check=True)
    return path


def events_of(path, *options, tmp_path):
    trace = tmp_path / 'trace.csv'
    outcome = json.loads(output_of('run', path, '--json', '--trace', trace, *options))
    with open(trace, encoding='utf-8', newline='') as file:
        return outcome, list(csv.DictReader(file))


def test_an_imported_state_goes_on_with_jobs_like_its_tasks(imported, tmp_path):
    state = configparser.ConfigParser(interpolation=None)
    state.read(imported, encoding='utf-8')
    outcome, events = events_of(imported, '--days', '3', tmp_path=tmp_path)
    assert outcome['duration'] == 259200 and outcome['ended'] > 53
    # Each job is as long, on what it uses, as the client expects one of the project's tasks to be.
    expected = {}
    for name in state.sections():
        if name.startswith('task '):
            task = state[name]
            project = state[f'project {task["project"]}']
            seconds = float(task['est_flops']) / float(task['flops']) * float(project.get('dcf', 1))
            speed = float(task.get('cpus', 0)) * float(state['host']['flops'])
            if 'gpu' in task:
                speed += float(task.get('gpus', 1)) * float(state[f'gpu {task["gpu"]}']['flops'])
            expected.setdefault(task['project'], []).append(seconds * speed)
    received = [(event['project'], float(event['amount'])) for event in events if event['event'] == 'received']
    assert len(received) == outcome['received'] > 100
    for project, amount in received:
        assert any(amount == pytest.approx(size, rel=1e-9) for size in expected[project]), (project, amount)
    # A project that is to send nothing new sends nothing.
    assert 'Glacier Archive' not in {project for project, _ in received}


def test_jobs_made_of_tasks_by_hand(tmp_path):
    # Tasks of 1000 and 3000 s of a CPU, due 5000 and 7000 s after they came: their jobs follow in turn, due in 6000 s.
    # The two tasks take until 4000 s on one CPU, then there are jobs of 1000, 3000, 1000 s until 9000 s.
    path = tmp_path / 'state.ini'
    path.write_text('[host]\nnow = 100\ncpus = 1\nflops = 2\n[project P]\n[app P/A]\nmax_concurrent = 1\n'
                    '[task a]\nproject = P\napp = A\nremaining = 1000\nreceived = 50\ndeadline = 5050\n'
                    '[task b]\nproject = P\napp = A\nremaining = 3000\ndeadline = 7100\n'
                    '[emulation]\nduration = 9000\n')
    outcome, events = events_of(path, '--set', 'min_buffer=0', '--set', 'additional_buffer=0', tmp_path=tmp_path)
    received = [event for event in events if event['event'] == 'received']
    assert [float(event['amount']) for event in received][:4] == [2000, 6000, 2000, 6000]
    assert {float(event['deadline']) - float(event['time']) for event in received} == {6000}
    assert outcome['ended'] == 5 and outcome['flops_used'] == 18000


def test_projects_of_which_nothing_is_known_send_nothing():
    text = '[host]\ncpus = 1\nflops = 1\n[project P]\n[project Q]\n[app Q/A]\n'
    result = output_of('run', '-', '--days', '1', stdin=text + '[project R]\n'
                       '[app R/A]\nest_flops = 1e4\nlatency_bound = 9e4\n')
    assert result.count(' sends nothing: ') == 2


def test_a_project_that_says_what_its_jobs_are_sends_no_others(tmp_path):
    path = tmp_path / 'state.ini'
    path.write_text('[host]\ncpus = 1\nflops = 1\n[project P]\n[app P/A]\nest_flops = 500\nlatency_bound = 1e6\n'
                    '[app P/B]\n[task t]\nproject = P\napp = B\nremaining = 1000\n')
    _, events = events_of(path, '--days', '0.1', tmp_path=tmp_path)
    assert {event['amount'] for event in events if event['event'] == 'received'} == {'500'}


def test_jobs_that_the_discipline_does_not_know_are_told_of_the_task_they_are_like(tmp_path):
    path = tmp_path / 'state.ini'
    path.write_text('[host]\ncpus = 4\nflops = 1\n[project P]\n[task t]\nproject = P\nremaining = 1000\n'
                    '[task wide]\nproject = P\ncpus = 2\nremaining = 1000\n')
    result = vcemu('run', path, '--profile', 'study2007')
    assert result.returncode == 1 and result.stderr.startswith(f'vcemu: {path}:')
    assert '[task wide] cpus: ' in result.stderr and result.stderr.count('\n') == 1


def test_help_and_version():
    for arguments in (['--help'], ['plan', '--help'], ['admit', 'x.ini', '--help']):
        text = output_of(*arguments)
        assert text.startswith(('vcemu shows', f'usage: vcemu {arguments[0]} STATE')) and '\nexamples:\n' in text
        assert max(map(len, text.splitlines())) <= 120
    header = (ROOT / 'include' / 'vcsched' / 'abi.h').read_text(encoding='ascii')
    [version] = re.findall(r'^#define VCS_VERSION "(.+)"$', header, re.MULTILINE)
    assert output_of('--version') == f'vcemu, libvcsched {version}\n'


def test_output_that_cannot_be_written():
    with open('/dev/full', 'w', encoding='utf-8') as full:
        result = subprocess.run([VCEMU, 'plan', SMALL_STATE], cwd=ROOT, env=environment(), stdout=full,
                                stderr=subprocess.PIPE, encoding='utf-8', check=False)
    assert (result.returncode, result.stderr) == (1, 'vcemu: the output could not be written\n')
