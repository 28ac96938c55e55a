# SPDX-License-Identifier: MIT
"""Runs our client, the program in the environment variable GRIDCLIENT, and waits for what it does."""

import os
import pathlib
import signal
import subprocess
import time
import xml.etree.ElementTree as tree

import pytest
from fake_project import Project

PROGRAM = os.environ.get('GRIDCLIENT')
# So that a test need not wait for what a real client is patient with.
IMPATIENT = ['--flops', '1e9', '--cpus', '2']
for _setting in ('report_delay=0', 'backoff_min=0.05', 'backoff_max=0.1', 'resource_backoff_min=0.05',
                 'resource_backoff_max=0.1', 'transfer_backoff_min=0.05', 'transfer_backoff_max=0.1'):
    IMPATIENT += ['--set', _setting]


class Client:
    """A client and its folder."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.process = None
        self.log_file = self.folder.with_suffix('.log')
        self.log_file.touch()

    def command(self, *words, check=True):
        """Runs a command that ends by itself."""
        done = subprocess.run([PROGRAM, '--dir', self.folder, *words], check=False, capture_output=True, text=True)
        assert not check or done.returncode == 0, done.stderr
        return done

    def attach(self, project, *options):
        self.command('attach', project.url, project.account, *options)

    def start(self, *options, die_at=None):
        """Runs the client beside the test."""
        environment = {**os.environ, **({} if die_at is None else {'GRIDCLIENT_DIE_AT': die_at})}
        with self.log_file.open('a', encoding='utf-8') as log:
            self.process = subprocess.Popen([PROGRAM, '--dir', self.folder, 'run', *IMPATIENT, *options],
                                            stdout=log, stderr=log, env=environment)

    def run(self, *options, die_at=None):
        """Runs the client until it has nothing left to do; its exit status."""
        self.start('--until-idle', *options, die_at=die_at)
        return self.process.wait()

    def stop(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        return self.process.wait()

    def kill(self):
        """As if the power failed."""
        return self.stop(signal.SIGKILL)

    @property
    def log(self):
        return self.log_file.read_text(encoding='utf-8')

    def wait(self, condition, what):
        """Until something has happened; fails if the client ends before."""
        while not condition():
            if self.process.poll() is not None and not condition():
                raise AssertionError(f'the client has ended before {what}:\n{self.log}')
            time.sleep(0.01)

    def wait_for_log(self, text):
        self.wait(lambda: text in self.log, f'it said "{text}"')

    @property
    def state(self):
        """The state file; there is one from the first command on."""
        return tree.parse(self.folder / 'state.xml').getroot()

    def task(self, name):
        """The record of a task; None if there is none."""
        return next((task for task in self.state.iter('task') if task.findtext('name') == name), None)

    @property
    def slots(self):
        return sorted(path.name for path in (self.folder / 'slots').iterdir())


def processes_below(folder):
    """The processes that work in a folder or below it."""
    found = []
    for process in pathlib.Path('/proc').iterdir():
        try:
            if process.name.isdigit() and os.readlink(process / 'cwd').startswith(str(folder)):
                found.append(int(process.name))
        except OSError:
            pass  # it has ended, or is another user's
    return found


def wait_for_no_process(folder):
    """The process of a task ends with the client; a `sleep` that it had just started ends by itself."""
    while processes_below(folder):
        time.sleep(0.01)


def are_stopped(folder):
    """Whether there are processes in a folder and below it, and all of them are stopped. A shell that was just about to
    start a program waits in vfork() for a child that is stopped; the system calls this D, not T."""
    states = set()
    for process in processes_below(folder):
        try:
            states.add(pathlib.Path(f'/proc/{process}/stat').read_text(encoding='utf-8').rpartition(')')[2].split()[0])
        except OSError:
            pass  # it has ended
    return 'T' in states and states <= {'T', 'D'}


@pytest.fixture(name='project')
def fixture_project():
    """A project for the tests of our client."""
    project = Project()
    yield project
    project.close()


@pytest.fixture(name='client')
def fixture_client(tmp_path):
    """Our client, in a folder of its own."""
    client = Client(tmp_path / 'client')
    yield client
    if client.process is not None and client.process.poll() is None:
        client.kill()
