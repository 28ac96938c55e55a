# SPDX-License-Identifier: MIT
"""Our client is killed, at points by name and at any moment, and started again: nothing is lost, nothing done twice."""

import pytest
from grid_client import fixture_client, fixture_project, wait_for_no_process  # noqa: F401

KILLED = -9
TASKS = [f't{number}' for number in range(6)]
# Where fault_point() stands in the client.
POINTS = ['state-written', 'state-saved', 'reply-arrived', 'file-accepted', 'task-started', 'outputs-moved',
          'upload-done']


def finish(project, client):
    """Lets the client come to its end, and looks whether each task was done exactly as it should."""
    assert client.run() == 0, client.log
    assert set(project.reports) == set(TASKS)
    for name in TASKS:
        assert project.status_of(name) == 0, client.log
        assert project.output_of(name) == f'result of {name}\n'
    assert client.state.find('project/task') is None
    assert client.slots == []
    wait_for_no_process(client.folder)
    assert [path.name for path in (client.folder / 'projects').glob('*/*')] == ['program_1']


def add_tasks(project, **settings):
    project.most_tasks = 2
    for name in TASKS:
        project.add(name, text=f'result of {name}', steps=2, **settings)


@pytest.mark.parametrize('point', POINTS)
def test_at_each_point_again_and_again(project, client, point):
    add_tasks(project)
    client.attach(project)
    killed = 0
    for passes in (1, 2, 3, 5, 8, 13):
        killed += client.run(die_at=f'{point}:{passes}') == KILLED
        wait_for_no_process(client.folder / 'slots')
    assert killed > 0
    finish(project, client)


@pytest.mark.parametrize('seconds', [0.01, 0.03, 0.05, 0.1, 0.2])
def test_at_any_moment(project, client, seconds):
    add_tasks(project)
    client.attach(project)
    for _ in range(8):
        client.start()
        try:
            client.process.wait(seconds)
        except Exception:  # pylint: disable=broad-except
            pass  # it runs, as it should
        client.kill()
        wait_for_no_process(client.folder / 'slots')
    finish(project, client)


def test_a_task_goes_on_from_its_checkpoint(project, client, tmp_path):
    gate, trace = tmp_path / 'gate', tmp_path / 'trace'
    project.add('a', gate=gate, trace=trace, steps=3)
    client.attach(project)
    client.start()
    client.wait(lambda: (client.folder / 'slots/0/checkpoint').exists() and
                client.task('a').findtext('is_started') == '1', 'task a has made a checkpoint')
    client.kill()
    wait_for_no_process(client.folder / 'slots')
    gate.touch()
    assert client.run() == 0
    assert trace.read_text().splitlines() == ['a from 0', 'a from 1']


def test_a_report_whose_answer_was_lost_is_made_again(project, client):
    project.hidden_acks = 2
    project.add('a')
    client.attach(project)
    assert client.run() == 0
    assert project.report_count['a'] == 3 and project.status_of('a') == 0


def test_a_reply_that_was_lost_is_sent_again(project, client):
    project.add('a')
    client.attach(project)
    assert client.run(die_at='reply-arrived:1') == KILLED
    assert project.sent == ['a'] and client.task('a') is None
    assert client.run() == 0
    assert project.sent == ['a'] and project.status_of('a') == 0


def test_an_order_outlasts_the_client(project, client, tmp_path):
    project.add('a', gate=tmp_path / 'gate', steps=2)
    client.attach(project)
    client.start()
    client.wait_for_log('task a runs')
    client.command('suspend', 'a')
    client.wait_for_log('task a stops')
    client.kill()
    assert client.task('a').findtext('is_suspended') == '1'
