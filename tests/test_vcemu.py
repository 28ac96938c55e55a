# SPDX-License-Identifier: MIT
"""The command-line tool vcemu, from outside: what it prints, and what it says of wrong input.

The environment variable VCEMU is the path of the program.
"""

import configparser
import fcntl
import json
import os
import pathlib
import pty
import re
import struct
import subprocess
import termios

import pytest

VCEMU = os.environ['VCEMU']
ROOT = pathlib.Path(__file__).resolve().parent.parent
SMALL_STATE = 'examples/small_state.ini'

HOST = '[host]\ncpus = 2\nflops = 4e9\n'
# Lines 1 ... 12; what a test appends begins in line 13.
BASE = HOST + '[gpu Vega]\nflops = 1e12\n[project p]\n[app p/a]\n[project q]\n' \
    + '[task t]\nproject = p\nremaining = 100\n# end of the base\n'
NEXT_LINE = BASE.count('\n') + 1


def environment(**changes):
    kept = {name: value for name, value in os.environ.items()
            if name not in ('COLUMNS', 'NO_COLOR', 'TERM', 'LANG') and not name.startswith('LC_')}
    return {**kept, 'LC_ALL': 'C', **changes}


def vcemu(*arguments, stdin='', **changes):
    """Runs the tool in the project's directory."""
    return subprocess.run([VCEMU, *map(str, arguments)], input=stdin, cwd=ROOT, env=environment(**changes),
                          capture_output=True, encoding='utf-8', check=False)


def output_of(*arguments, **options):
    result = vcemu(*arguments, **options)
    assert (result.returncode, result.stderr) == (0, '')
    return result.stdout


def answer_of(command, text, *options):
    return json.loads(output_of(command, '-', '--json', *options, stdin=text))


def task_of(text, *options):
    """What is foretold of the first task."""
    return answer_of('plan', text, *options)['tasks'][0]


# ---- what it prints --------------------------------------------------------------------------------------------------

def examples_in(document):
    """Each command that a page of the manual shows with its output."""
    text = (ROOT / 'doc' / document).read_text(encoding='utf-8')
    for block in re.findall(r'^```console\n(.*?)^```$', text, re.MULTILINE | re.DOTALL):
        for example in re.split(r'^\$ ', block, flags=re.MULTILINE)[1:]:
            command, _, output = example.partition('\n')
            yield command, output


@pytest.mark.parametrize('command, output', list(examples_in('vcemu.md')))
def test_manual_shows_what_the_tool_prints(command, output):
    program, *arguments = command.split()
    assert program == 'vcemu'
    assert output_of(*arguments) == output


def test_manual_has_examples_of_both_commands():
    commands = [command.split()[1] for command, _ in examples_in('vcemu.md')]
    assert {'plan', 'admit'} <= set(commands)


def test_plan_as_json_is_as_it_was():
    golden = (ROOT / 'tests' / 'test_vcemu_plan.json').read_text(encoding='utf-8')
    assert output_of('plan', SMALL_STATE, '--json') == golden


def test_plan_has_the_promised_fields():
    plan = json.loads(output_of('plan', SMALL_STATE, '--json'))
    assert list(plan) == ['now', 'profile', 'stopped', 'reached', 'resources', 'tasks', 'projects']
    assert list(plan['resources'][0]) == ['name', 'instances', 'shortfall', 'idle_now', 'saturated', 'busy']
    assert list(plan['tasks'][0]) == ['name', 'project', 'resource', 'finish', 'deadline_miss', 'verdict']
    assert list(plan['projects'][0]) == ['name', 'priority', 'resources']
    assert list(plan['projects'][0]['resources'][0]) == ['name', 'shortfall', 'misses', 'tasks']


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
    # Its 32000 s begin at once, and still end after 30000 - 21600.
    assert fold == {'name': 'fold_αβ_000180', 'admitted': False, 'reason': 'own_deadline', 'finish': 32000,
                    'harmed': None}


def test_a_candidate_can_be_harmed_too():
    state = HOST + '[client]\nmin_buffer = 0\n[project p]\n' + ''.join(
        f'[candidate {name}]\nproject = p\ncpus = 2\nremaining = 100\ndeadline = {deadline}\n'
        for name, deadline in (('first', 150), ('second', 120)))
    second = answer_of('admit', state)['candidates'][1]
    assert (second['reason'], second['harmed']) == ('harms_timely', 'first')
    assert 'That is first.' in output_of('admit', '-', stdin=state)


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
    state = HOST + f'[project {name}]\n[app {name}/a/b]\n[pair {name}/CPU]\nrec = 1\n' \
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
    """0 for a project that has done nothing, about -1e-6 for one that has done a third of a millionth of all."""
    state = HOST + ''.join(f'[project {name}]\nrec = {rec}\n[task of {name}]\nproject = {name}\nremaining = 1\n'
                           for name, rec in (('idle', 0), ('slow', 1), ('fast', 2999999)))
    idle, slow, fast = (project['priority'] for project in answer_of('plan', state)['projects'])
    assert str(idle) == '0'
    assert (slow, fast) == pytest.approx((-1e-6, -2.999999))
    rows = [line.split() for line in output_of('plan', '-', stdin=state).splitlines()]
    assert [row[3] for row in rows if row and row[0] in ('idle', 'slow', 'fast')] == ['0.000', '0.000', '-3.000']


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


@pytest.mark.parametrize('word, suspended', [('yes', True), ('TRUE', True), ('on', True), ('1', True), ('no', False),
                                             ('False', False), ('off', False), ('0', False)])
def test_switches(word, suspended):
    task = task_of(HOST + f'[project p]\n[task t]\nproject = p\nremaining = 1\nsuspended = {word}\n')
    assert (task['verdict'] == 'apart') == suspended


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


def test_pairs_exclude_instances():
    state = HOST + '[gpu g]\ncount = 3\nflops = 1\n[project p]\n[pair p/g]\nexcluded = 0, 2\n' + ''.join(
        f'[task {name}]\nproject = p\ngpu = g\nremaining = 10\n' for name in 'ab')
    assert [task['finish'] for task in answer_of('plan', state)['tasks']] == [10, 20]


def test_the_emulation_keys_change_nothing():
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
    # 2 CPUs are idle for the whole buffer: 100 of the file and 21600 of rpc2003, or as told.
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
    row = output_of('plan', '-', stdin=state).splitlines()[-1]
    assert re.match(r'begin_x+\.\.x+_end  p ', row)
    assert '\u2026' in output_of('plan', '-', '--unicode', stdin=state)


def test_only_the_first_tasks_are_shown():
    tasks = ''.join(f'[task t{i:02d}]\nproject = p\nremaining = 10\nreceived = {i}\n'
                    f'deadline = {0 if i % 10 == 9 else "never"}\n' for i in range(60))
    text = output_of('plan', '-', stdin=HOST + '[project p]\n' + tasks)
    assert len(re.findall(r'^t\d\d ', text, re.MULTILINE)) == 40
    assert '... and 20 more, 2 of them LATE; --all shows them\n' in text
    everything = output_of('plan', '-', '--all', stdin=HOST + '[project p]\n' + tasks)
    assert re.findall(r'^(t\d\d) ', everything, re.MULTILINE) == [f't{i:02d}' for i in range(60)]
    assert 'more' not in everything


def test_a_simulation_that_stops_says_so():
    text = output_of('plan', '-', '--set', 'horizon=7200',
                     stdin=HOST + '[project p]\n[task t]\nproject = p\nremaining = 9000\n')
    assert 'The simulation stopped at its horizon or step budget, 2h 00m from now: what is later is unknown.' in text
    assert '1 task: 1 unknown' in text


@pytest.mark.parametrize('remaining, text', [('0', '0s'), ('0.5', '<1s'), ('59.9', '59s'), ('60', '1m 00s'),
                                             ('3599', '59m 59s'), ('3600', '1h 00m'), ('86399', '23h 59m'),
                                             ('86400', '1d 00h'), ('183600', '2d 03h'), ('8640000', '100d 00h')])
def test_durations(remaining, text):
    state = HOST + f'[project p]\n[task t]\nproject = p\nremaining = {remaining}\n'
    row = output_of('plan', '-', stdin=state).splitlines()[-1]
    assert row.split('1 CPU')[1].split('  never')[0].strip() == text


@pytest.mark.parametrize('now, text', [('0', 'time 0'), ('1772438400', '2026-03-02 08:00:00 UTC'),
                                       ('951782399.9', '2000-02-28 23:59:59 UTC'), ('1e15', 'time 1e+15')])
def test_the_present_is_a_date(now, text):
    assert f', {text}, ' in output_of('plan', '-', stdin=HOST + f'now = {now}\n')


def on_a_terminal(*arguments, columns=100, **variables):
    """What the tool prints when its standard output is a terminal."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack('HHHH', 50, columns, 0, 0))
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


# ---- wrong state files -----------------------------------------------------------------------------------------------

def error_of(path, *options):
    result = vcemu('plan', path, *options)
    assert (result.returncode, result.stdout) == (1, '')
    assert result.stderr.count('\n') == 1 and result.stderr.endswith('\n') and len(result.stderr) < 1000
    return result.stderr.rstrip('\n')


def candidate(text):
    return f'[candidate c]\nproject = p\n{text}\n'


# What is appended to BASE; the line at fault, counted from there; what is said of it.
WRONG_ADDITIONS = [
    ('[planet x]\n', 1, '[planet x]: there is no section of this kind'),
    ('[Host]\n', 1, '[Host]: there is no section of this kind'),
    ('[host]\n', 1, '[host]: the same section stands in line 1 already'),
    ('[project p]\n', 1, '[project p]: the same section stands in line 6 already'),
    ('[task t]\n', 1, '[task t]: the same section stands in line 9 already'),
    ('[task]\n', 1, '[task]: a section of this kind has a name'),
    ('[client x]\n', 1, '[client x]: a section of this kind has no name'),
    ('[gpu CPU]\nflops = 1\n', 1, '[gpu CPU]: the name CPU stands for the CPUs of the host'),
    ('[project r]\nshares = 1\n', 2, '[project r] shares: a section of this kind has no such key'),
    ('[project r]\nShare = 1\n', 2, '[project r] Share: a section of this kind has no such key'),
    ('[project r]\nshare = 1\nrec = 2\nshare = 1\n', 4,
     f'[project r] share: the same key stands in line {NEXT_LINE + 1} already'),
    ('[project r]\nshare = much\n', 2, '[project r] share: "much" is not a number'),
    ('[project r]\nshare = 1 # one\n', 2, '[project r] share: "1 # one" is not a number'),
    ('[project r]\nshare = 1,5\n', 2, '[project r] share: "1,5" is not a number'),
    ('[project r]\nshare =\n', 2, '[project r] share: has no value'),
    ('[project r]\nshare = nan\n', 2, '[project r] share: "nan" is not a finite number'),
    ('[project r]\nshare = nan(1)\n', 2, '[project r] share: "nan(1)" is not a finite number'),
    ('[project r]\nshare = -inf\n', 2, '[project r] share: "-inf" is not a finite number'),
    ('[project r]\nshare = 1e999\n', 2, '[project r] share: "1e999" is too large a number'),
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
    ('[pair p]\n', 1, '[pair p]: its name must begin with that of a project and a /'),
    ('[pair r/CPU]\n', 1, '[pair r/CPU]: its name must begin with that of a project and a /'),
    ('[pair p/Radeon]\n', 1, '[pair p/Radeon]: there is no section [gpu Radeon]'),
    ('[pair p/CPU]\nexcluded = 0\n', 2, '[pair p/CPU] excluded: is for a GPU type of at most 64 instances*'),
    ('[pair p/Vega]\nexcluded = 1\n', 2, '[pair p/Vega] excluded: names an instance that is not there*'),
    *((f'[pair p/Vega]\nexcluded = {text}\n', 2, f'[pair p/Vega] excluded: "{text}" is not a list of instances, each '
       'from 0 to 63, with commas between') for text in ('0,', '0 1', '64', '-1', '0.5', 'all', '0;1', '1' * 30)),
    ('[app r/a]\n', 1, '[app r/a]: its name must begin with that of a project and a /'),
    ('[app p/b]\ngpu = Radeon\n', 2, '[app p/b] gpu: there is no section [gpu Radeon]'),
    ('[app p/b]\nmean_flops = -1\n', 2, '[app p/b] mean_flops: "-1" is negative'),
    ('[app p/b]\nweight = x\n', 2, '[app p/b] weight: "x" is not a number'),
    ('[task u]\nremaining = 1\n', 1, '[task u] project: this key is missing'),
    ('[task u]\nproject = r\nremaining = 1\n', 2, '[task u] project: there is no section [project r]'),
    ('[task u]\nproject = p\napp = b\nremaining = 1\n', 3, '[task u] app: there is no section [app p/b]'),
    ('[task u]\nproject = q\napp = a\nremaining = 1\n', 3, '[task u] app: there is no section [app q/a]'),
    ('[task u]\nproject = p\ngpu = CPU\nremaining = 1\n', 3, '[task u] gpu: there is no section [gpu CPU]'),
    ('[task u]\nproject = p\ngpus = 1\nremaining = 1\n', 3, '[task u] gpus: has a meaning only together with gpu'),
    ('[task u]\nproject = p\ngpu = Vega\ngpus = 0\nremaining = 1\n', 4,
     '[task u] gpus: is 0, but a GPU type is named*'),
    ('[task u]\nproject = p\ncpus = -1\nremaining = 1\n', 3, '[task u] cpus: is negative*'),
    ('[task u]\nproject = p\n', 1,
     '[task u] remaining: is missing, and so is est_flops, from which it could be estimated'),
    ('[task u]\nproject = p\nest_flops = 1\nremaining = 1\n', 4,
     '[task u] remaining: stands beside est_flops; only one of them may be given'),
    ('[task u]\nproject = p\nremaining = 2e12\n', 3, '[task u] remaining: is too large*'),
    ('[task u]\nproject = p\nremaining = 1\nelapsed = 5\n', 4,
     '[task u] elapsed: has a meaning only together with est_flops'),
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
     '[client] profile: "newest" is not a profile; there are rpc2003, study2007 or current'),
    ('[client]\nbuffer = 1\n', 2, '[client] buffer: there is no parameter of this name'),
    ('[client]\nmin_buffer = 1\nmin_buffer = 1\n', 3,
     f'[client] min_buffer: the same key stands in line {NEXT_LINE + 1} already'),
    ('[client]\nmin_buffer = long\n', 2, '[client] min_buffer: "long" is not a number'),
    ('[client]\nmiss_fraction = 2\n', 2, '[client] miss_fraction: must be a number from 1e-06 to 1'),
    ('[client]\nbackoff_failures = 1.5\n', 2, '[client] backoff_failures: must be a whole number from 1 to 1000'),
    ('[client]\ndiscipline = round\n', 2,
     '[client] discipline: "round" is not one of its values; they are fluid or sliced'),
    ('[client]\nbackoff_rule = 3\n', 2,
     '[client] backoff_rule: "3" is not one of its values; they are exponent, uniform or doubling'),
    ('[client]\nbackoff_max = 1\n', 2, '[client] backoff_max: is less than the minimum that goes with it*'),
    ('[client]\nbackoff_min = 1e6\n', 1, '[client] backoff_max: is less than the minimum that goes with it*'),
    ('[emulation]\nduration = -1\n', 2, '[emulation] duration: "-1" is negative'),
    ('[emulation]\ncpu_scheduling = CS\n', 2, '[emulation] cpu_scheduling: "CS" is not one of its values: CS1 CS2'),
    ('[emulation]\nwork_send = WS1 WS2\n', 2, '[emulation] work_send: "WS1 WS2" is not one of its values: WS1 WS2'),
    ('[emulation]\nseed = 1.5\n', 2, '[emulation] seed: "1.5" is not a whole number'),
    ('[project r]\n share = 1\n', 2, '[project r]: the line begins with a blank; a value has no line but its own'),
    (' [project r]\n', 1, '[task t]: the line begins with a blank; a value has no line but its own'),
    ('share\n', 1, '[task t]: a line is a [section], a key = value, or a comment that begins with # or ;'),
    ('share: 1 = 2\n', 1, '[task t]: a line is a [section], a key = value, or a comment that begins with # or ;'),
    ('= 1\n', 1, '[task t]: the key before the = is missing'),
    ('[project r\n', 1, 'a section line begins with [ but does not end with ]'),
    ('[project r] # new\n', 1, 'a section line begins with [ but does not end with ]'),
    ('[]\n', 1, 'a section line says [KIND] or [KIND NAME], and here the kind is missing'),
    ('[ project r]\n', 1, 'a section line says [KIND] or [KIND NAME], and here the kind is missing'),
    *((f'[project{name}]\n', 1, 'in [KIND NAME] there is one space before the name, and no blank after it')
      for name in ('  r', ' r ', ' ', '\tr')),
    ('[project a\x1bb]\n', 1, '[task t]: the line holds a control character; is this a text file?'),
    ('# \x85\n', 1, '[task t]: the line holds a control character; is this a text file?'),
    ('key\x7f = 1\n', 1, '[task t]: the line holds a control character; is this a text file?'),
    ('lone\rreturn = 1\n', 1, '[task t]: the line holds a control character; is this a text file?'),
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


# A whole file, the line at fault, what is said of it.
WRONG_FILES = [
    ('', 1, 'the file is empty; at least a [host] section is needed'),
    ('# nothing\n\n', 2, 'the file is empty; at least a [host] section is needed'),
    ('[project p]\nshare = 1\n', 2, 'the [host] section is missing'),
    ('cpus = 2\n[host]\n', 1, 'cpus: no [section] stands before this key'),
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
    (b'\x7fELF\x02\x01\x01\0\0\0', 1, 'the line holds a control character; is this a text file?'),
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
    assert re.fullmatch(r'vcemu: .*:\d+: the line (is not UTF-8 text|holds a control character; is this a text file\?)',
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
    """50 MB of tasks in one file."""
    path = tmp_path / 'large.ini'
    count = 350000
    with open(path, 'w', encoding='utf-8') as state:
        state.write(HOST + ''.join(f'[project project_{i}]\n' for i in range(20)))
        for i in range(count):
            state.write(f'[task workunit_with_a_rather_long_name_{i:07d}_{i % 7}]\nproject = project_{i % 20}\n'
                        f'received = {1.7e9 + i:.3f}\ndeadline = {1.8e9 + 7 * i % 100000:.3f}\n'
                        f'remaining = {i % 100000 + 0.25}\n\n')
    assert path.stat().st_size > 50e6
    plan = json.loads(output_of('plan', path, '--json', '--set', 'step_budget=10'))
    assert len(plan['tasks']) == count and plan['stopped']
    with open(path, 'a', encoding='utf-8') as state:
        state.write('[task workunit_with_a_rather_long_name_0000007_0]\n')
    before_tasks = len(HOST.splitlines()) + 20
    assert error_of(path).endswith(
        f':{before_tasks + 6 * count + 1}: [task workunit_with_a_rather_long_name_0000007_0]: '
        f'the same section stands in line {before_tasks + 6 * 7 + 1} already')


# ---- the command line ------------------------------------------------------------------------------------------------

@pytest.mark.parametrize('arguments, message', [
    ([], 'a command is missing; try: vcemu --help'),
    (['plant'], 'plant: there is no such command; try: vcemu --help'),
    (['plan'], 'plan: the name of a state file is missing; try: vcemu plan --help'),
    (['plan', 'a', 'b'], 'plan: there is more than one state file: a and b'),
    (['plan', 'a', '--fast'], '--fast: there is no such option, or it takes no value; try: vcemu plan --help'),
    (['plan', 'a', '--json=1'], '--json=1: there is no such option, or it takes no value; try: vcemu plan --help'),
    (['plan', 'a', '-x'], '-x: there is no such option, or it takes no value; try: vcemu plan --help'),
    (['admit', 'a', '--all'], '--all: there is no such option, or it takes no value; try: vcemu admit --help'),
    (['plan', 'a', '--set'], '--set: needs a value'),
    (['plan', 'a', '--profile', 'x'], '--profile: "x" is not a profile; there are rpc2003, study2007 or current'),
    (['plan', 'a', '--set', 'horizon'], '--set horizon: parameter=value is expected'),
    (['plan', 'a', '--set', '=1'], '--set =1: parameter=value is expected'),
    (['plan', 'a', '--set', 'x=1'], '--set: x: there is no parameter of this name'),
    (['plan', 'a', '--set', 'x' * 40 + '=1'], f'--set {"x" * 40}=1: there is no parameter of this name'),
    (['plan', 'a', '--set', 'horizon=x'], '--set: horizon: "x" is not a number'),
    (['plan', 'a', '--set', 'horizon='], '--set: horizon: "" has no value'),
    (['plan', 'a', '--set', 'horizon=-1'], '--set: horizon: must be a number from 0 to 1000000000000'),
])
def test_wrong_command_lines(arguments, message):
    result = vcemu(*arguments)
    assert (result.returncode, result.stdout, result.stderr) == (2, '', f'vcemu: {message}\n')


def test_settings_that_do_not_go_together():
    result = vcemu('plan', SMALL_STATE, '--set', 'backoff_max=1')
    assert result.returncode == 1
    assert result.stderr == 'vcemu: --set: backoff_max: is less than the minimum that goes with it\n'


def test_help_and_version():
    for arguments in (['--help'], ['plan', '--help'], ['admit', 'x.ini', '--help']):
        text = output_of(*arguments)
        assert text.startswith(('vcemu shows', f'usage: vcemu {arguments[0]} STATE')) and '\nexamples:\n' in text
        assert max(map(len, text.splitlines())) <= 120
    header = (ROOT / 'include' / 'vcsched' / 'abi.h').read_text(encoding='ascii')
    version = '.'.join(re.findall(r'^#define VCS_VERSION_\w+ (\d+)$', header, re.MULTILINE))
    assert output_of('--version') == f'vcemu, libvcsched {version}\n'


def test_output_that_cannot_be_written():
    with open('/dev/full', 'w', encoding='utf-8') as full:
        result = subprocess.run([VCEMU, 'plan', SMALL_STATE], cwd=ROOT, env=environment(), stdout=full,
                                stderr=subprocess.PIPE, encoding='utf-8', check=False)
    assert (result.returncode, result.stderr) == (1, 'vcemu: the output could not be written\n')
