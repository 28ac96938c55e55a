# SPDX-License-Identifier: MIT
"""The states of examples/scenarios/states. Each was once decided wrongly."""

import json

import pytest

from vcemu_examples import ROOT, output_of, vcemu


def answer_of(command, state, *options):
    return json.loads(output_of(command, f'examples/scenarios/states/{state}.ini', '--json', *options))


def answer_of_text(command, text):
    return json.loads(output_of(command, '-', '--json', stdin=text))


def running(plan):
    return [task['name'] for task in plan['tasks'] if task['run']]


def test_a_short_period_does_not_change_the_ranking():
    """The REC of comets counts 100 + 203 * (3600 / 86400) / 2 = 104.2 once comet_1 is picked: more than 103."""
    assert running(answer_of('plan', 'two_minute_period')) == ['comet_1', 'river_1']


def devices(plan):
    return {task['name']: task['devices'] for task in plan['tasks'] if 'devices' in task}


def test_a_fraction_of_a_gpu_task_keeps_no_cpu_idle():
    """0.2 + 3 are in use before the fourth: 1 is less than the 0.8 that are free and one more. Not so for the fifth."""
    plan = answer_of('plan', 'gpu_with_a_fifth_of_a_cpu')
    assert running(plan) == ['lens', 'tide_1', 'tide_2', 'tide_3', 'tide_4']
    assert plan['resources'][0]['idle_now'] == 0
    assert devices(plan) == {'lens': [0]}


@pytest.mark.parametrize('share', [0.1, 1, 8])
def test_gpu_tasks_do_not_starve_a_task_of_all_cpus(share):
    state = (ROOT / 'examples/scenarios/states/all_cpus_beside_a_gpu.ini').read_text(encoding='utf-8')
    plan = json.loads(output_of('plan', '-', '--json', stdin=state.replace('cpus = 1\n', f'cpus = {share}\n')))
    assert running(plan) == ['lens', 'basin_1']
    assert [task['finish'] for task in plan['tasks']] == [7200, 36000, 72000]  # as the simulation has it, too


def test_more_than_there_is_of_cpus_alone():
    found = vcemu('plan', 'examples/scenarios/states/two_and_a_half_gpus.ini', '--json')
    assert found.returncode == 0 and found.stderr == ''
    plan = json.loads(found.stdout)
    assert running(plan) == ['lens_1', 'lens_2', 'wide_1', 'wide_2']
    assert devices(plan) == {'lens_1': [0], 'lens_2': [1]}


def test_the_older_key_is_read_with_a_note():
    state = (ROOT / 'examples/scenarios/states/two_and_a_half_gpus.ini').read_text(encoding='utf-8')
    found = vcemu('plan', '-', '--json', stdin=state.replace('cpu_fit = any', 'overcommit = yes'))
    assert found.returncode == 0 and 'this means cpu_fit = any' in found.stderr
    assert json.loads(found.stdout) == answer_of('plan', 'two_and_a_half_gpus')


def test_parts_of_gpus_are_placed_on_devices():
    plan = answer_of('plan', 'parts_of_gpus')
    assert running(plan) == ['large_1', 'large_2', 'small_1', 'small_2']
    assert devices(plan) == {'large_1': [0], 'large_2': [1], 'small_1': [0], 'small_2': [1]}
    text = output_of('plan', 'examples/scenarios/states/parts_of_gpus.ini')
    assert [line.split('runs: ')[1] for line in text.splitlines() if 'runs: ' in line] \
        == [f'turn, device {device}' for device in (0, 1, 0, 1)]
    explained = output_of('plan', 'examples/scenarios/states/parts_of_gpus.ini', '--explain', 'small_2')
    assert '\n  runs on                device 1\n' in explained


def test_a_task_on_several_devices_names_them_all():
    state = (ROOT / 'examples/scenarios/states/parts_of_gpus.ini').read_text(encoding='utf-8')
    state = state.replace('gpus = 0.6', 'gpus = 1.5')
    plan = json.loads(output_of('plan', '-', '--json', stdin=state))
    assert devices(plan) == {'large_1': [0, 1]}
    assert 'runs: turn, devices 0,1\n' in output_of('plan', '-', stdin=state)


def test_no_task_stops_for_its_sibling():
    """Behind tide_2 the third ends at 30000 + 36000, and it is due at 50000."""
    plan = answer_of('plan', 'three_siblings')
    assert [task['deadline_miss'] for task in plan['tasks']] == [False, False, True]
    assert running(plan) == ['tide_1', 'tide_2']
    assert plan['schedule']['stopped'] == 0


def test_a_short_first_job_does_not_waste_those_after_it():
    """The factor falls to 0.99 + 0.01 * 0.04 at most. At 0.04, jobs for weeks were fetched: waste was 0.40."""
    run = answer_of('run', 'short_first_job')
    assert run['waste'] == 0
    assert run['idleness'] < 1e-3


@pytest.mark.parametrize('tasks', [17, 100])
def test_a_limited_project_keeps_no_cpus_busy(tasks):
    """Without the limit in EDF, the late ones filled all CPUs: a hundred of them for four days. A candidate of the same
    project could end on any CPU, and one of another project was refused, for the late ones would be later still."""
    text = (ROOT / 'examples/scenarios/states/limited_project.ini').read_text(encoding='utf-8')
    for i in range(18, tasks + 1):
        text += f'\n[task comet_{i}]\nproject = comets\ndeadline = 259200\nreceived = -10\nremaining = 36000\n'
    plan = answer_of_text('plan', text)
    cpu = plan['resources'][0]
    assert (cpu['idle_now'], cpu['busy']) == (7, 0)
    assert len(running(plan)) == 1
    # Seven of ten hours each end within 72 hours less the cushion of 180 s.
    assert sum(task['deadline_miss'] for task in plan['tasks']) == tasks - 7
    comet, river = answer_of_text('admit', text)['candidates']
    assert (comet['admitted'], comet['reason'], comet['finish']) == (False, 'own_deadline', (tasks + 1) * 36000)
    assert (river['admitted'], river['finish']) == (True, 36000)
