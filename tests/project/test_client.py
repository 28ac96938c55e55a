# SPDX-License-Identifier: MIT
"""Our client against a project that does what it should: attach, fetch, compute, upload, report."""

import signal
import subprocess
import time

import pytest
from fake_project import Project
from grid_client import PROGRAM, are_stopped, fixture_client, fixture_project, processes_below, \
    wait_for_no_process  # noqa: F401


def test_a_project_is_computed_for_from_beginning_to_end(project, client):
    for name in ('a', 'b', 'c'):
        project.add(name, text=f'result of {name}', steps=3)
    client.attach(project)
    assert client.run() == 0, client.log
    for name in ('a', 'b', 'c'):
        assert project.output_of(name) == f'result of {name}\n'
        report = project.reports[name]
        assert report.findtext('state') == '5' and report.findtext('exit_status') == '0'
        assert f'says result of {name}' in report.findtext('stderr_out')
        assert float(report.findtext('final_elapsed_time')) > 0
        assert float(report.findtext('final_cpu_time')) > 0
        assert report.findtext('file_info/name') == f'out_{name}'
        assert project.report_count[name] == 1
    assert client.state.find('project/task') is None
    assert client.slots == []
    assert [path.name for path in (client.folder / 'projects').glob('*/*')] == ['program_1']


def test_a_request_says_who_we_are_and_what_we_want(project, client):
    project.add('a')
    client.attach(project)
    client.run('--set', 'min_buffer=1000', '--set', 'additional_buffer=500')
    first, second = project.requests[0], project.requests[1]
    assert first.findtext('authenticator') == project.account
    assert first.findtext('hostid') == '0' and second.findtext('hostid') == '7'
    assert float(first.findtext('work_req_seconds')) == float(first.findtext('cpu_req_secs')) == 3000  # 2 CPUs
    assert float(first.findtext('cpu_req_instances')) == 2
    assert float(first.findtext('host_info/p_fpops')) == 1e9 and first.findtext('host_info/p_ncpus') == '2'
    wanted = first.find('working_global_preferences/global_preferences')
    assert float(wanted.findtext('work_buf_min_days')) == pytest.approx(1000 / 86400, abs=1e-6)
    assert 0 < float(first.findtext('time_stats/on_frac')) <= 1
    assert first.find('code_sign_key') is None and '1024' in second.findtext('code_sign_key')
    assert [int(request.findtext('rpc_seqno')) for request in project.requests] == \
        list(range(1, len(project.requests) + 1))


def test_tasks_that_we_hold_are_listed(project, client, tmp_path):
    gate = tmp_path / 'gate'
    project.add('a', gate=gate, steps=2)
    client.attach(project)
    client.start()
    client.wait_for_log('task a runs')
    client.command('update', project.url)
    client.wait(lambda: len(project.requests) > 1, 'it called again')
    request = project.requests[-1]
    assert request.findtext('other_results/other_result/name') == 'a'
    listed = request.find('in_progress_results/ip_result')
    assert listed.findtext('name') == 'a' and float(listed.findtext('report_deadline')) == project.deadline
    assert project.sent == ['a']


def test_a_task_that_fails_is_reported_with_its_status(project, client):
    project.add('a', status=3, text='trouble')
    client.attach(project)
    assert client.run() == 0
    assert project.status_of('a') == 3 and project.reports['a'].findtext('state') == '3'
    assert 'says trouble' in project.reports['a'].findtext('stderr_out')
    assert 'out_a' not in project.uploads


def test_a_task_without_its_output_has_failed(project, client):
    project.add('a', text='')
    client.attach(project)
    client.run()
    assert project.status_of('a') == -161


def test_an_output_that_is_too_large_is_not_uploaded(project, client):
    project.most_bytes = 3
    project.add('a', text='four')
    client.attach(project)
    client.run()
    assert project.status_of('a') == -131 and 'out_a' not in project.uploads


def test_a_program_that_ends_without_saying_so_is_started_again_and_then_given_up(project, client, tmp_path):
    trace = tmp_path / 'trace'
    project.add('a', finish=0, trace=trace)
    client.attach(project)
    client.run()
    assert project.status_of('a') == 1
    assert len(trace.read_text().splitlines()) == 11  # and 10 times more


def test_a_project_can_end_a_task(project, client, tmp_path):
    project.add('a', gate=tmp_path / 'gate', steps=2)
    client.attach(project)
    client.start()
    client.wait_for_log('task a runs')
    project.aborts = ['a']
    client.command('update', project.url)
    client.wait(lambda: 'a' in project.reports, 'task a was reported')
    assert project.status_of('a') == 202 and project.reports['a'].findtext('state') == '6'


def test_a_project_can_end_a_task_that_has_not_started(project, client, tmp_path):
    for name in ('a', 'b', 'c'):
        project.add(name, gate=tmp_path / 'gate', steps=2)
    client.attach(project)
    client.start()
    client.wait(lambda: client.log.count(' runs: ') == 2, 'two tasks ran')
    project.aborts_unstarted = ['a', 'b', 'c']
    client.command('update', project.url)
    client.wait(lambda: project.reports, 'a task was reported')
    (name,) = project.reports
    assert project.status_of(name) == 202
    assert f'task {name} runs' not in client.log


def test_the_user_can_end_a_task(project, client, tmp_path):
    project.add('a', gate=tmp_path / 'gate', steps=2)
    client.attach(project)
    client.start()
    client.wait_for_log('task a runs')
    client.command('abort', 'a')
    client.wait(lambda: 'a' in project.reports, 'task a was reported')
    assert project.status_of('a') == 203


def test_it_learns_for_how_long_it_runs_and_does_not(project, client):
    project.add('a')
    client.attach(project)
    client.run()
    time.sleep(0.5)
    client.run()
    first = {name: float(client.state.findtext(name)) for name in ('on_total', 'off_total', 'on_count', 'off_count')}
    assert first['on_count'] == first['off_count'] == 1
    assert first['off_total'] >= 0.5 and first['on_total'] > 0
    client.run()
    assert float(client.state.findtext('on_count')) == 2


def test_a_task_that_cannot_be_done_in_time_is_given_up(project, client, tmp_path):
    """An hour of work, and half an hour to the deadline: with give_up it ends, and its project hears of it at once."""
    project.est_flops = 3600e9
    project.deadline = time.time() + 1800
    project.add('a', gate=tmp_path / 'gate', steps=2)
    client.attach(project)
    client.start('--set', 'give_up=by_chance')
    client.wait(lambda: 'a' in project.reports, 'task a was reported')
    assert project.status_of('a') == 200 and 'task a ends: It is given up: it needs more time' in client.log


def test_another_policy_decides(project, client, tmp_path):
    """The same task under `steady`, which gives up what it cannot finish; under `current` it runs."""
    project.est_flops = 3600e9
    project.deadline = time.time() + 1800
    project.add('a', gate=tmp_path / 'gate', steps=2)
    client.attach(project)
    client.start('--policy', 'current')
    client.wait_for_log('task a runs: ')
    client.stop()
    assert 'a' not in project.reports
    client.start('--policy', 'steady')
    client.wait(lambda: 'a' in project.reports, 'task a was reported')
    assert project.status_of('a') == 200 and 'task a ends: It is given up: it needs more time' in client.log


def known(client):
    record = client.state.find('project')
    return {name: float(record.findtext(name)) for name in ('work_received', 'job_seconds', 'job_bound', 'sizes')}


def test_it_remembers_what_work_has_come(project, client, tmp_path):
    """Jobs of 100 s by their estimate, done in a moment; one more that is there; and one that ends without success."""
    project.est_flops = 100e9
    project.deadline = time.time() + 86400
    project.add('a')
    client.attach(project)
    client.run('--policy', 'steady')
    done = known(client)
    assert 0 < done['work_received'] < 50 and done['sizes'] == 1
    assert 99 < done['job_seconds'] < 101 and 86000 < done['job_bound'] <= 86400
    project.add('b', gate=tmp_path / 'gate', steps=2)
    client.start('--policy', 'steady')
    client.wait(lambda: client.task('b') is not None, 'task b came')
    assert 80 <= known(client)['work_received'] < 90  # by the mean, one job in a moment and four in 100 s: 80 s a job
    client.command('abort', 'b')
    client.wait(lambda: 'b' in project.reports, 'task b was reported')
    client.wait(lambda: known(client)['work_received'] < 50, 'what it took counts')
    client.stop()
    assert known(client)['sizes'] == 1


def test_a_project_that_is_attached_later_need_not_catch_up(project, client):
    project.est_flops = 1e9
    project.add('a', text='x')
    client.attach(project)
    client.run()
    received = known(client)['work_received']
    assert received > 0
    other = Project('Beta')
    try:
        client.attach(other, '--share', '50')
        found = [float(record.findtext('work_received')) for record in client.state.iter('project')]
        assert found == [pytest.approx(received), pytest.approx(received / 2)]
    finally:
        other.close()


@pytest.mark.parametrize('bound', [3000, 86400])
def test_what_is_refused_is_not_asked_for_again(project, client, bound):
    """An hour of work: due within 50 minutes, no more is asked for while all processors have a task."""
    for name in ('a', 'b'):
        project.add(name, gate=client.folder / 'never', steps=2)
    client.attach(project)
    client.start('--policy', 'steady')
    client.wait(lambda: client.log.count(' runs: ') == 2, 'both tasks ran')
    size = '<rsc_fpops_est>3600e9</rsc_fpops_est>'
    project.extra = f'<refused_job>{size}<delay_bound>{bound}</delay_bound></refused_job>'
    refusal = f'refuses a job of 3600 s that is due {bound} s after it is sent'
    client.wait_for_log(refusal)
    if bound == 3000:
        client.wait_for_log('wants no work: It has too small a chance to be done in time.')
        client.wait(lambda: known(client)['job_bound'] == bound, 'it was saved')
        assert known(client)['job_seconds'] == 3600
    else:
        client.wait(lambda: client.log.count(refusal) > 2, 'it was asked for again')
        assert 'too small a chance' not in client.log
    client.stop()


def test_a_task_that_was_not_started_in_time_is_given_up(project, client):
    project.deadline = 1000
    project.add('a')
    client.attach(project)
    client.run()
    assert project.status_of('a') == 200 and 'task a runs' not in client.log


@pytest.mark.parametrize('in_memory', [False, True])
def test_a_task_is_suspended_and_goes_on_where_it_was(project, client, tmp_path, in_memory):
    gate, trace = tmp_path / 'gate', tmp_path / 'trace'
    project.add('a', gate=gate, steps=3, trace=trace)
    client.attach(project)
    client.start(*(['--keep-in-memory'] if in_memory else []))
    slot = client.folder / 'slots' / '0'
    client.wait(lambda: (slot / 'checkpoint').exists(), 'task a has made a checkpoint')
    client.command('suspend', 'a')
    client.wait_for_log('task a stops')
    if in_memory:
        client.wait(lambda: are_stopped(slot), 'its processes were stopped')
    else:
        client.wait(lambda: not processes_below(slot), 'the process was ended')
    gate.touch()
    client.command('resume', 'a')
    client.wait(lambda: 'a' in project.reports, 'task a was reported')
    assert project.status_of('a') == 0
    starts = trace.read_text().splitlines()
    assert starts == (['a from 0'] if in_memory else ['a from 0', 'a from 1'])


def test_while_a_task_is_suspended_its_project_is_asked_for_no_more(project, client, tmp_path):
    project.add('a', gate=tmp_path / 'gate', steps=2)
    client.attach(project)
    client.start('--cpus', '2')
    client.wait_for_log('task a runs')
    assert float(project.requests[0].findtext('work_req_seconds')) > 0
    client.command('suspend', 'a')
    client.wait_for_log('task a stops')
    seen = len(project.requests)
    client.command('update', project.url)
    client.wait(lambda: any(float(request.findtext('work_req_seconds')) == 0 for request in project.requests[seen:]),
                'it was called, and asked for nothing')


def test_a_suspended_project_does_not_run_and_is_not_called(project, client):
    project.add('a')
    client.attach(project)
    client.command('suspend', project.url)
    assert client.run() == 0
    assert not project.requests
    client.command('resume', project.url)
    assert client.run() == 0
    assert project.status_of('a') == 0


def test_shares_decide_which_projects_run(project, client, tmp_path):
    other = Project('Beta')
    gate = tmp_path / 'gate'
    for name in range(8):
        project.add(f'a{name}', gate=gate, steps=2)
        other.add(f'b{name}', gate=gate, steps=2)
    client.attach(project, '--share', '300')
    client.attach(other, '--share=100')
    client.start('--cpus', '4', '--set', 'min_buffer=4')
    client.wait(lambda: client.log.count(' runs: ') >= 4 and len(other.sent) and len(project.sent), 'four tasks ran')
    gate.touch()
    client.wait(lambda: len(project.reports) == len(other.reports) == 8, 'all tasks were reported')
    client.stop()
    assert [found.findtext('share') for found in client.state.iter('project')] == ['300', '100']
    fraction = [float(where.requests[-1].findtext('resource_share_fraction')) for where in (project, other)]
    assert fraction == [0.75, 0.25]
    other.close()


def test_a_project_sets_its_share_unless_the_user_has(project, client):
    other = Project('Beta')
    project.share = other.share = 50
    client.attach(project)
    client.attach(other, '--share', '20')
    client.run()
    assert [found.findtext('share') for found in client.state.iter('project')] == ['50', '20']
    other.close()


def test_preferences_of_a_project_hold_and_are_passed_on(project, client):
    project.add('a')
    project.extra = ('<global_preferences><mod_time>5</mod_time><work_buf_min_days>0.01</work_buf_min_days>'
                     '<max_ncpus_pct>100</max_ncpus_pct></global_preferences>')
    client.attach(project)
    client.run()
    last = project.requests[-1]
    assert float(last.findtext('working_global_preferences/global_preferences/work_buf_min_days')) == 0.01
    assert last.findtext('global_preferences/mod_time') == '5'
    assert 'buffer 864 s' in client.log


def test_the_log_gives_the_reasons(project, client, tmp_path):
    gate = tmp_path / 'gate'
    for name in ('a', 'b', 'c'):
        project.add(name, gate=gate, steps=2)
    client.attach(project)
    client.start()
    client.wait(lambda: client.log.count(' runs: ') == 2, 'two tasks ran')
    client.wait_for_log('does not run: It is waiting its turn: the processors it needs are in use.')
    gate.touch()
    client.wait(lambda: len(project.reports) == 3, 'all were reported')
    client.stop()
    assert "runs: It is its project's turn." in client.log
    assert 'at once: It is asked for work.' in client.log
    assert 'wants no work: The project\'s master file must be read first.' in client.log


FULL = 'The host has as many of its jobs in progress as its server allows'


@pytest.mark.parametrize('message', ['This computer has reached a limit on tasks in progress',
                                     'This computer has finished a DAILY QUOTA of 2 tasks',
                                     'No tasks are sent: The host is at its limit of jobs in progress.'])
def test_a_servers_limit_of_jobs_is_why_no_work_comes(project, client, message):
    """It is known after a restart, and forgotten when a reply says nothing of it."""
    project.delay = 600
    project.extra = f'<message priority="low">Hello</message><message priority="low">{message}</message><message/>'
    client.attach(project)
    client.start()
    client.wait_for_log(f'wants no work: {FULL}')
    assert client.stop() == 130
    client.start()
    client.wait(lambda: client.log.count('runs with ') == 2, 'it ran again')
    client.wait(lambda: FULL in client.command('status').stdout, 'it is known after a restart')
    project.extra = '<message priority="low">This computer has a limit on tasks</message>'
    client.command('update', project.url)
    client.wait(lambda: FULL not in client.command('status').stdout, 'the limit was forgotten')
    client.stop()


def test_detaching_drops_tasks_and_files(project, client, tmp_path):
    project.add('a', gate=tmp_path / 'gate', steps=2)
    client.attach(project)
    client.start()
    client.wait_for_log('task a runs')
    client.command('detach', project.url)
    client.wait(lambda: client.state.find('project') is None and not list((client.folder / 'projects').iterdir()),
                'the project was gone')
    wait_for_no_process(client.folder / 'slots')
    assert client.stop() == 130
    assert client.slots == []
    client.attach(project)
    project.tasks.clear()
    project.sent.clear()
    assert client.run() == 0


@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupted_client_leaves_no_process(project, client, tmp_path, number):
    project.add('a', gate=tmp_path / 'gate', steps=2)
    project.add('b', gate=tmp_path / 'gate', steps=2)
    client.attach(project)
    client.start()
    client.wait(lambda: len(processes_below(client.folder / 'slots')) >= 2, 'two tasks ran')
    assert client.stop(number) == 130
    wait_for_no_process(client.folder)


def test_status_tells_what_there_is_and_why(project, client, tmp_path):
    project.est_flops = 1e14
    project.add('a', gate=tmp_path / 'gate', steps=2)
    assert 'attached to no project' in client.command('suspend', 'x', check=False).stdout + \
        client.command('status').stdout
    client.attach(project)
    assert project.url in client.command('status').stdout
    client.start()
    client.wait_for_log('task a runs')
    client.wait(lambda: 'task a: runs' in client.command('status').stdout, 'the state was saved')
    said = client.command('status').stdout
    assert 'The client runs.' in said and 'Alpha' in said
    assert "It is its project's turn." in said or 'It keeps running until' in said  # by the time


@pytest.mark.parametrize('words, said, status', [
    ([], 'a command is missing', 2),
    (['fly'], 'fly: there is no such command', 2),
    (['run', '--wings'], '--wings: there is no such option', 2),
    (['run', '--cpus', 'two'], '--cpus two: it must be a number', 2),
    (['run', '--cpus', '1.5'], 'whole number', 2),
    (['run', '--set', 'period'], 'NAME=VALUE', 2),
    (['run', '--policy', 'wings'], '--policy wings: there is no such profile', 2),
    (['run', '--policy'], 'its value is missing', 2),
    (['run', '--set', 'wings=2'], 'there is no such parameter', 1),
    (['run', '--set', 'period=-1'], 'it must be from', 1),
    (['run', '--set', 'estimate=rough'], 'not one of its values', 1),
    (['attach', 'ftp://example.org/', 'key'], 'not the address of a project', 2),
    (['attach', 'http://example.org/'], 'attach: it takes 2 more words, not 1', 2),
    (['attach', 'http://example.org/', 'a key'], 'blanks', 2),
    (['detach', 'http://example.org/'], 'there is no such project', 1),
    (['abort', 'a'], 'there is no such project or task', 1),
])
def test_what_cannot_be_done_is_said_clearly(client, words, said, status):
    done = client.command(*words, check=False)
    assert done.returncode == status and said in done.stderr


def test_help_and_version(client):
    assert 'examples:' in client.command('--help').stdout
    assert 'libvcsched' in client.command('--version').stdout


def test_a_folder_is_for_one_client(project, client):
    client.attach(project)
    client.start()
    client.wait_for_log('runs with')
    done = client.command('run', check=False)
    assert done.returncode == 1 and 'another client runs there' in done.stderr
    assert client.command('attach', project.url, 'key', check=False).returncode == 0  # left for the client
    client.wait_for_log('cannot be carried out: it is attached to')


def test_a_folder_must_be_there_for_its_status(tmp_path):
    done = subprocess.run([PROGRAM, '--dir', tmp_path / 'nowhere', 'status'], check=False, capture_output=True,
                          text=True)
    assert done.returncode == 1 and 'nowhere: No such file or directory' in done.stderr
