# SPDX-License-Identifier: MIT
"""examples/project/run.sh: two projects and two volunteers, from the first tile to the last, and nothing left at the
end.

The build is in the environment variable VCSCHED_BUILD.
"""

import contextlib
import os
import pathlib
import signal
import subprocess

import pytest
from grid_client import wait_for_no_process
from ports import free_ports

SCRIPT = pathlib.Path(__file__).parents[2] / 'examples' / 'project' / 'run.sh'
SMALL = ['--tiles', '4', '--samples', '1']


@contextlib.contextmanager
def started(folder):
    """The script, with its output as text; it has ended at the end, whatever happens."""
    script = subprocess.Popen(['sh', SCRIPT, '-y', '--folder', folder, '--port', str(free_ports(3)[0]), *SMALL,
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


def test_a_folder_of_others_is_left_alone(tmp_path):
    (tmp_path / 'mine').write_text('precious')
    with started(tmp_path) as script:
        said = script.communicate()[0]
    assert script.returncode == 1 and 'was not made by this script' in said
    assert (tmp_path / 'mine').read_text() == 'precious'
