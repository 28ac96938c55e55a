# SPDX-License-Identifier: MIT
"""Our client against projects that are broken, down or hostile."""

import os

import pytest
from fake_project import PROGRAM as PROJECT_PROGRAM
from fake_project import Key, Project
from grid_client import fixture_client, fixture_project, wait_for_no_process  # noqa: F401

TWICE_HALF = 2


def files_below(folder):
    """The files of all projects and slots."""
    return sorted(str(path.relative_to(folder)) for part in ('projects', 'slots')
                  for path in (folder / part).rglob('*') if not path.is_dir())


def test_a_program_with_a_wrong_checksum_is_not_run(project, client):
    project.md5['program_1'] = '0' * 32
    project.add('a')
    client.attach(project)
    client.run()
    assert project.status_of('a') == -119
    assert 'its checksum is wrong' in client.log and 'task a runs' not in client.log


def test_an_input_with_a_wrong_checksum_is_not_used(project, client):
    project.md5['in_a'] = '0' * 32
    project.add('a')
    project.add('b')
    client.attach(project)
    client.run()
    assert project.status_of('a') == -119 and project.status_of('b') == 0
    assert 'task a runs' not in client.log


@pytest.mark.parametrize('signature', [
    Key(2).sign(PROJECT_PROGRAM.encode()),              # of somebody else
    Key(1).sign(PROJECT_PROGRAM.encode() + b'# more'),  # for something else
    '', '.', 'no digits.', '0' * 256 + '.', 'f' * 256 + '.', 'f' * 20000 + '.', 'f' * 256,
], ids=range(9))
def test_a_program_that_is_not_signed_by_its_project_is_not_run(project, client, signature):
    project.signature = signature
    project.add('a')
    client.attach(project)
    client.run()
    assert project.status_of('a') == -120 and 'task a runs' not in client.log
    assert files_below(client.folder) == []


def test_a_download_that_nobody_needs_any_longer_leaves_no_file(project, client):
    project.signature = ''
    project.held = 'in_a'
    project.add('a')
    client.attach(project)
    assert client.run() == 0
    assert project.status_of('a') == -120
    assert ('in_a', None) in project.downloads and 'downloaded in_a' not in client.log
    assert files_below(client.folder) == []


@pytest.mark.parametrize('key', ['1024\n.', '0\n.', '4294967295\n00.', '-5 f.', 'x', '1024\n' + '0' * 512 + '.',
                                 '1024\n' + 'f' * 511 + '.'], ids=range(7))
def test_a_key_that_is_none_vouches_for_nothing(project, client, key):
    project.announced_key = key
    project.add('a')
    client.attach(project)
    client.run()
    assert project.status_of('a') == -120


def test_another_key_is_believed_only_if_the_one_before_has_signed_it(project, client):
    project.add('a')
    client.attach(project)
    client.run()
    first = project.announced_key
    project.announced_key = Key(2).public
    client.run()
    assert 'it is refused' in client.log and client.state.findtext('project/code_sign_key') == first
    project.extra = f'<code_sign_key_signature>\n{Key(1).sign(Key(2).public.encode())}\n</code_sign_key_signature>'
    client.run()
    assert client.state.findtext('project/code_sign_key') == Key(2).public


def test_a_reply_that_was_cut_in_half_changes_nothing(project, client):
    project.cut_replies = TWICE_HALF
    project.add('a')
    client.attach(project)
    assert client.run() == 0
    assert client.log.count("its scheduler's answer cannot be used: the reply is refused") == TWICE_HALF
    assert project.status_of('a') == 0 and project.sent == ['a']


LAUGHS = ''.join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 12))


@pytest.mark.parametrize('reply', [
    b'', b'\0', b'\xff\xfe\0', b'<', b'<scheduler_reply', b'<html>It works!</html>', b'<scheduler_reply/><more/>',
    b'<scheduler_reply>' * 100000,
    b'<a>' * 20 + b'</a>' * 20,
    b'<scheduler_reply>&laugh;</scheduler_reply>',
    f'<!DOCTYPE r [<!ENTITY l0 "ha">{LAUGHS}]><scheduler_reply>&l11;</scheduler_reply>'.encode(),
    b'<!DOCTYPE r SYSTEM "file:///etc/passwd"><scheduler_reply></scheduler_reply>',
    b'<scheduler_reply>' + b'x' * (65 << 20) + b'</scheduler_reply>',
], ids=range(13))
def test_what_is_no_reply_is_a_failure(project, client, reply):
    project.raw_reply = reply
    project.add('a')
    client.attach(project)
    client.start()
    client.wait_for_log('failures in a row: 1')
    project.raw_reply = None
    client.wait(lambda: 'a' in project.reports, 'task a was reported')
    assert project.status_of('a') == 0


@pytest.mark.parametrize('name', ['../../evil', '/etc/evil', '.evil', '..', 'a/b', 'a b', 'x' * 300, ''], ids=range(8))
def test_no_file_leaves_its_folder(project, client, name):
    project.extra = (f'<file_info><name>{name}</name><url>{project.url}program_1</url></file_info><app><name>x</name>'
                     '</app><app_version><app_name>x</app_name><version_num>1</version_num><file_ref><file_name>'
                     f'{name}</file_name><main_program/></file_ref></app_version>')
    project.files['../../evil'] = project.files['program_1']
    project.add('a')
    client.attach(project)
    client.run()
    assert project.status_of('a') == 0
    assert [os.path.basename(path) for path in files_below(client.folder)] == ['program_1']
    assert not [path for path in client.folder.parent.rglob('*evil*')]


@pytest.mark.parametrize('number', ['nan', 'inf', '-1', '1e999', 'x', ''])
def test_numbers_that_are_none_do_no_harm(project, client, number):
    project.extra = (f'<global_preferences><mod_time>9</mod_time><work_buf_min_days>{number}</work_buf_min_days>'
                     f'</global_preferences><project_preferences><resource_share>{number}</resource_share>'
                     f'</project_preferences><next_rpc_delay>{number}</next_rpc_delay>')
    project.est_flops = number
    project.add('a')
    client.attach(project)
    assert client.run() == 0, client.log
    assert project.status_of('a') == 0 and client.state.findtext('project/share') == '100'


def test_a_project_cannot_fill_the_disk_with_what_the_client_keeps_of_it(project, client):
    client.attach(project)
    project.extra = f'<app_version><app_name>a</app_name><cmdline>{"x" * (17 << 20)}</cmdline></app_version>'
    project.add('a')
    client.run()
    project.extra = '<app><name>new</name></app>'
    project.add('b')
    client.run()
    assert set(project.reports) == {'a'} and 'the rest is ignored' in client.log
    assert [app.findtext('name') for app in client.state.iterfind('project/app')] == ['app', 'a']


def test_a_task_without_its_parts_is_not_taken(project, client):
    project.extra = ('<result><name>x</name></result><result><wu_name>unit_a</wu_name></result>'
                     '<workunit><name>u</name></workunit><app_version/><file_info/><result_ack/><result_abort/>')
    project.add('a')
    client.attach(project)
    client.run()
    assert set(project.reports) == {'a'} and 'it is ignored' in client.log


@pytest.mark.parametrize('what', ['page', 'scheduler', 'download', 'upload'])
def test_a_server_that_is_down_is_tried_again_with_longer_waits(project, client, what):
    project.down = {what}
    project.add('a')
    client.attach(project)
    client.start('--set', 'backoff_max=1', '--set', 'transfer_backoff_max=1')
    client.wait_for_log('failures in a row: 4')
    project.down = set()
    client.wait(lambda: 'a' in project.reports, 'task a was reported')
    assert project.status_of('a') == 0


def test_an_upload_server_that_is_down_holds_back_no_files_of_another(project, client):
    project.upload_hosts = {'a': 'localhost'}
    project.down_hosts = {'localhost'}
    project.add('a')
    client.attach(project)
    client.start('--set', 'transfer_backoff_min=7200', '--set', 'transfer_backoff_max=7200')
    client.wait_for_log('failures in a row: 3')
    project.add('b')
    client.command('update', project.url)
    client.wait(lambda: 'b' in project.reports, 'task b was reported')
    assert 'a' not in project.reports
    servers = {server.findtext('name').split(':')[1]: int(server.findtext('uploads/failures'))
               for server in client.state.iterfind('project/data_server')}
    assert servers['//localhost'] == 3 and servers['//127.0.0.1'] == 0


def test_a_server_that_is_not_there_is_tried_again(client):
    gone = Project()
    gone.close()
    client.attach(gone)
    client.start()
    client.wait_for_log('failures in a row: 3')
    assert 'its page cannot be read' in client.log


def test_what_the_server_asks_for_is_kept(project, client):
    project.delay = 1e6
    project.add('a')
    client.attach(project)
    client.start()
    client.wait_for_log('task a is ready to be reported')
    client.wait_for_log('It is too early to call its scheduler again.')
    assert len(project.requests) == 1
    client.command('update', project.url)  # the user may
    client.wait(lambda: 'a' in project.reports, 'task a was reported')


def test_a_download_goes_on_where_it_ended(project, client):
    project.add('a', text='x' * 500)
    project.cut_downloads = 1
    client.attach(project)
    client.run()
    assert project.status_of('a') == 0
    half = len(project.files['in_a']) // 2
    assert [part for name, part in project.downloads if name == 'in_a'] == [None, f'bytes={half}-']


def test_an_upload_goes_on_where_it_ended(project, client):
    project.add('a', text='0123456789' * 50)
    project.cut_uploads = TWICE_HALF
    client.attach(project)
    client.run()
    assert project.output_of('a') == '0123456789' * 50 + '\n'
    assert project.status_of('a') == 0


def test_more_than_was_announced_is_not_downloaded(project, client):
    project.add('a')
    client.attach(project)
    client.run()
    project.files['in_b'] = b'x'
    project.add('b')
    small = project.files['in_b']
    reply = project._file  # pylint: disable=protected-access
    project._file = lambda name, more='': reply(name, more).replace(  # pylint: disable=protected-access
        f'<nbytes>{len(small)}</nbytes>', '<nbytes>5</nbytes>')
    client.start()
    client.wait_for_log('download of in_b has failed')
    part = list((client.folder / 'projects').glob('*/in_b*'))
    assert all(path.stat().st_size <= 5 for path in part)


def test_a_file_that_is_not_there_fails_its_task(project, client):
    project.add('a')
    client.attach(project)
    content = project.files['in_a']
    sent = project._file  # pylint: disable=protected-access
    project._file = lambda name, more='': sent(name, more).replace(  # pylint: disable=protected-access
        f'{project.url}in_a', f'{project.url}elsewhere')
    assert client.run() == 0
    assert content and project.status_of('a') == -224


def test_what_a_program_leaves_behind_is_ended_and_removed(project, client):
    project.files['program_1'] = (b'#!/bin/sh\nmkdir -p deep/deeper && ln -s /etc deep/link && touch deep/deeper/file\n'
                                  b'sleep 1000 &\necho done >out\necho 0 >boinc_finish_called\n')
    project.add('a')
    client.attach(project)
    assert client.run() == 0
    assert project.status_of('a') == 0
    assert client.slots == [] and os.path.exists('/etc/passwd')
    wait_for_no_process(client.folder)


def test_a_damaged_state_file_is_refused_and_kept(project, client):
    client.attach(project)
    whole = (client.folder / 'state.xml').read_bytes()
    for damaged in (whole[:len(whole) // 2], b'', whole.replace(b'<format>1', b'<format>2')):
        (client.folder / 'state.xml').write_bytes(damaged)
        done = client.command('run', check=False)
        assert done.returncode == 1 and 'the state file state.xml' in done.stderr
        assert (client.folder / 'state.xml').read_bytes() == damaged
