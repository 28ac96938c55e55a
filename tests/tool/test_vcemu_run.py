# SPDX-License-Identifier: MIT
"""vcemu run: what the command line and the scenario leave open, and what there must be to emulate.

The environment variable VCEMU is the path of the program.
"""

import json
import re

import pytest

from vcemu_examples import output_of, vcemu

HOST = '[host]\ncpus = 2\nflops = 1e9\n'
JOBS = '[project P]\n[app P/A]\nest_flops = 1e13\nsd_flops = 3e12\nlatency_bound = 1e5\n'
LENGTH = '[emulation]\nduration = 2e5\n'


def run(scenario, *options):
    return json.loads(output_of('run', '-', '--json', *options, stdin=scenario))


def refused(scenario, command='run', status=1, options=()):
    result = vcemu(command, '-', *options, stdin=scenario)
    assert (result.returncode, result.stdout) == (status, '')
    assert result.stderr.startswith('vcemu: ') and result.stderr.count('\n') == 1
    return result.stderr[len('vcemu: '):-1]


# ---- the seed --------------------------------------------------------------------------------------------------------

@pytest.mark.parametrize('seed', [0, 7, 4294967295])
def test_the_seed_of_the_command_line_replaces_that_of_the_file(seed):
    given = run(HOST + JOBS + LENGTH + 'seed = 3\n', '--seed', seed)
    assert given == run(HOST + JOBS + LENGTH + f'seed = {seed}\n')
    assert given == run(HOST + JOBS + LENGTH, '--seed', seed)
    assert given['seed'] == seed
    assert given['flops_used'] != run(HOST + JOBS + LENGTH + 'seed = 3\n')['flops_used']


def test_the_text_says_the_seed():
    assert output_of('run', '-', stdin=HOST + JOBS + LENGTH).splitlines()[0].endswith(', seed 1')
    assert output_of('run', '-', '--seed', 12, stdin=HOST + JOBS + LENGTH).splitlines()[0].endswith(', seed 12')


@pytest.mark.parametrize('seed', ['-1', '0.5', '4294967296', 'x', '', 'nan'])
def test_no_seed(seed):
    assert refused(HOST + JOBS, options=['--seed', seed], status=2) \
        == f'--seed: "{seed}" is not a whole number from 0 to 4294967295'


# ---- how long the host is on at a time -------------------------------------------------------------------------------

AVAILABLE = '[host]\ncpus = 2\nflops = 1e9\navailable = 0.5\n'
WARNING = ('vcemu: warning: -:4: [host] available: available_mean, how long the host is on at a time, is missing; '
           '1000 s assumed\n')


def test_a_missing_mean_is_named_and_the_study_has_the_default():
    result = vcemu('run', '-', '--json', stdin=AVAILABLE + JOBS + LENGTH)
    assert (result.returncode, result.stderr.replace('standard input', '-')) == (0, WARNING)
    outcome = json.loads(result.stdout)
    assert outcome == run(AVAILABLE + 'available_mean = 1000\n' + JOBS + LENGTH)
    assert outcome != run(AVAILABLE + 'available_mean = 2000\n' + JOBS + LENGTH)


@pytest.mark.parametrize('host', [HOST, HOST + 'available = 1\n', HOST + 'switches = 500, 900\n',
                                  AVAILABLE + 'available_mean = 70\n'])
def test_nothing_is_assumed_where_nothing_is_missing(host):
    output_of('run', '-', stdin=host + JOBS + LENGTH)


@pytest.mark.parametrize('command', ['plan', 'admit'])
def test_those_who_do_not_need_it_say_nothing_of_it(command):
    output_of(command, '-', stdin=AVAILABLE + JOBS)


def test_a_sweep_says_it_once():
    result = vcemu('sweep', '-', '--seeds', 3, '--vary', 'host.cpus=1,2', stdin=AVAILABLE + JOBS + LENGTH)
    assert (result.returncode, result.stderr.replace('standard input', '-')) == (0, WARNING)


def test_a_sweep_says_once_that_a_name_has_changed():
    scenario = HOST + JOBS + LENGTH + '[client]\novercommit = yes\n'
    result = vcemu('sweep', '-', '--vary', 'host.cpus=1:9:1', '--figures', 'calls', stdin=scenario)
    assert (result.returncode, result.stderr.count('\n')) == (0, 1)
    assert result.stderr.startswith('vcemu: warning: ') and 'overcommit: is now called cpu_fit' in result.stderr


@pytest.mark.parametrize('former, present, said', [
    ('[pair P/CPU]\nrec = 1\n', '[project_resource P/CPU]\nrec = 1\n',
     '[pair P/CPU]: a section of this kind is now called [project_resource P/CPU]'),
    ('[client]\npair_backoff_min = 70\n', '[client]\nresource_backoff_min = 70\n',
     '[client] pair_backoff_min: is now called resource_backoff_min'),
    ('[client]\npair_backoff_max = 7e4\n', '[client]\nresource_backoff_max = 7e4\n',
     '[client] pair_backoff_max: is now called resource_backoff_max'),
])
def test_a_former_name_means_the_same_and_is_told(former, present, said):
    found, expected = (vcemu('run', '-', '--json', stdin=HOST + JOBS + LENGTH + text) for text in (former, present))
    assert (found.returncode, expected.returncode, expected.stderr) == (0, 0, '')
    assert found.stdout == expected.stdout
    assert re.fullmatch(f'vcemu: warning: standard input:[0-9]+: {re.escape(said)}\n', found.stderr), found.stderr


# ---- jobs ------------------------------------------------------------------------------------------------------------

HOW = '; an [app PROJECT/NAME] with latency_bound and est_flops describes the jobs of a project'


@pytest.mark.parametrize('command', ['run', 'sweep'])
@pytest.mark.parametrize('scenario, why', [
    (HOST, 'there is no [project]'),
    (HOST + '[project P]\n', 'no project sends any'),
    (HOST + '[project P]\n[app P/A]\nmax_concurrent = 2\n', 'no project sends any'),
    (HOST + JOBS + 'weight = 0\n', 'no project sends any'),
])
def test_without_jobs_there_is_nothing_to_emulate(command, scenario, why):
    assert refused(scenario + LENGTH, command) \
        .endswith(f': there are no jobs to emulate: the host has no task, and {why}{HOW}')


def test_a_task_is_enough():
    outcome = run(HOST + '[project P]\n[task t]\nproject = P\nremaining = 0\n' + LENGTH)
    assert outcome['ended'] == 1
    assert run(HOST + '[project P]\n' + JOBS.replace('[project P]\n', '') + LENGTH)['ended'] > 0


# ---- jobs that are late from the start -------------------------------------------------------------------------------

def late_jobs(scenario, *options):
    return [line for line in output_of('run', '-', *options, stdin=scenario).splitlines() if line.startswith('Jobs ')]


TIGHT = HOST + '[project P]\n[app P/A]\nest_flops = 3.6e13\nlatency_bound = 40000\n' + LENGTH
TAKES = ' are late from the start: they take 10 h and are due after 11.11 h, less '


@pytest.mark.parametrize('options, told', [
    # 36,000 s and the min_buffer of 0.1 days are more than 40,000 s: not admitted
    ([], 'Jobs of P/A' + TAKES + '2.4 h (min_buffer). Servers do not send them.'),
    # sent, but the client wants to be done with them as long before the deadline
    (['--set', 'work_send=ws1'], 'Jobs of P/A' + TAKES + '2.4 h (min_buffer).'),
    (['--set', 'work_send=ws1', '--set', 'cushion_min_buffer=no', '--set', 'deadline_cushion=7200'],
     'Jobs of P/A' + TAKES + '2 h (deadline_cushion).'),
    (['--set', 'work_send=ws1', '--set', 'cushion_min_buffer=no'], None),
    (['--set', 'min_buffer=3600'], None),
    (['--profile', 'study2007'], None),
])
def test_jobs_that_are_late_from_the_start(options, told):
    assert late_jobs(TIGHT, *options) == ([told] if told else [])
    project, = run(TIGHT, *options)['projects']
    assert (project['received'] == 0) == (not options), 'what is said to be sent is'


def test_jobs_that_are_too_long_for_the_time_a_host_is_on():
    scenario = TIGHT.replace('flops = 1e9', 'flops = 1e9\navailable = 0.5\navailable_mean = 1000')
    assert late_jobs(scenario, '--set', 'min_buffer=0', '--set', 'deadline_cushion=0') == [
        'Jobs of P/A are late from the start: they take 20 h and are due after 11.11 h. Servers do not send them.']
    given = TIGHT.replace('flops = 1e9', 'flops = 1e9\nusable = 0.8')
    assert late_jobs(given, '--set', 'min_buffer=0') == [
        'Jobs of P/A are late from the start: they take 12.5 h and are due after 11.11 h. Servers do not send them.']
    switched = TIGHT.replace('flops = 1e9', 'flops = 1e9\nswitches = 100000')
    assert 'they take 20 h' in late_jobs(switched, '--set', 'min_buffer=0')[0]
    assert not late_jobs(switched.replace('switches = 100000', 'switches = 0')), 'it is never on'


def test_jobs_on_a_gpu_and_those_like_a_task():
    gpu = TIGHT.replace('[project P]', '[gpu G]\nflops = 4e9\n[project P]').replace('latency', 'gpu = G\nlatency')
    assert not late_jobs(gpu)
    assert 'they take 2.5 h and' in late_jobs(gpu.replace('40000', '9000'))[0]
    task = '[task T]\nproject = P\nremaining = 30000\ndeadline = 20000\n'
    like = HOST + '[project P]\n' + task + LENGTH
    assert late_jobs(like, '--set', 'min_buffer=0') == [
        'Jobs like T are late from the start: they take 8.333 h and are due after 5.556 h. Servers do not send them.']
