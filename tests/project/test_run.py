# SPDX-License-Identifier: MIT
"""examples/project/run.sh: two projects and two volunteers, from the first tile to the last, and nothing left at the
end.

The build is in the environment variable VCSCHED_BUILD.
"""

import contextlib
import os
import pathlib
import re
import signal
import socket
import subprocess

import pytest
from grid_client import wait_for_no_process
from ports import free_ports

SCRIPT = pathlib.Path(__file__).parents[2] / 'examples' / 'project' / 'run.sh'
SMALL = ['--tiles', '4', '--samples', '1']


@contextlib.contextmanager
def started(folder, port=None):
    """The script, with its output as text; it has ended at the end, whatever happens."""
    script = subprocess.Popen(['sh', SCRIPT, '-y', '--folder', folder, '--port', str(port or free_ports(3)[0]), *SMALL,
                               '--build', os.environ['VCSCHED_BUILD'], '--once'], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
    try:
        yield script
    finally:
        script.terminate()
        script.wait()
        script.stdout.close()


def test_both_pictures_are_completed(tmp_path):
    with started(tmp_path / 'grid') as script:
        said = script.communicate()[0]
    logs = {path.name: path.read_text(errors='replace')[-2000:] for path in (tmp_path / 'grid').glob('*.log')}
    assert 'Both pictures are complete.' in said, (said, logs)
    assert 'Everything has ended.' in said
    wait_for_no_process(tmp_path)
    assert all((tmp_path / 'grid' / f'{name}.picture').is_dir() for name in ('Alpha', 'Beta'))


def test_interrupted_it_leaves_nothing_running(tmp_path):
    with started(tmp_path / 'grid') as script:
        for line in script.stdout:
            if 's: tiles' in line:
                break
        else:
            pytest.fail('it ended before it began')
        script.send_signal(signal.SIGTERM)
        said = script.stdout.read()
        script.wait()
    assert script.returncode == 130 and 'Everything has ended.' in said
    wait_for_no_process(tmp_path)


def server_of(folder):
    """The process that serves the project in a folder."""
    for process in pathlib.Path('/proc').glob('[0-9]*'):
        with contextlib.suppress(OSError):
            if (process / 'cmdline').read_bytes().split(b'\0')[-3:-1] == [b'serve', os.fsencode(folder)]:
                return int(process.name)
    raise AssertionError(f'nobody serves {folder}')


def test_what_ends_by_itself_is_named_with_the_end_of_its_log(tmp_path):
    with started(tmp_path / 'grid') as script:
        for line in script.stdout:
            if 's: tiles' in line:
                break
        server = server_of(tmp_path / 'grid' / 'Alpha')
        os.kill(server, signal.SIGSTOP)  # or a last word of its own might follow
        with (tmp_path / 'grid' / 'Alpha.log').open('a', encoding='utf-8') as log:
            log.write('the roof is on fire\n')
        os.kill(server, signal.SIGKILL)
        said = script.communicate()[0]
    assert script.returncode == 1 and 'run.sh: Alpha has ended by itself: the roof is on fire' in said, said
    wait_for_no_process(tmp_path)


@pytest.mark.parametrize('index', range(3))
def test_a_port_of_others_is_refused(tmp_path, index):
    ports = free_ports(3)
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        other.bind(('127.0.0.1', ports[index]))
        other.listen()
        with started(tmp_path / 'grid', ports[0]) as script:
            said = script.communicate()[0]
    assert script.returncode == 1 and f'run.sh: port {ports[index]}: Address already in use' in said
    assert not (tmp_path / 'grid').exists()


def test_help_names_all_options():
    said = subprocess.run(['sh', SCRIPT, '--help'], check=True, capture_output=True, text=True).stdout
    known = re.findall(r'--[a-z]+', ' '.join(re.findall(r'^ +(--.*)\)', SCRIPT.read_text(encoding='utf-8'), re.M)))
    assert len(known) > 5 and set(known) <= set(said.split())
    assert 'about so many tiles' in said and '#' not in said


def test_a_folder_of_others_is_left_alone(tmp_path):
    (tmp_path / 'mine').write_text('precious')
    with started(tmp_path) as script:
        said = script.communicate()[0]
    assert script.returncode == 1 and 'was not made by this script' in said
    assert (tmp_path / 'mine').read_text() == 'precious'
