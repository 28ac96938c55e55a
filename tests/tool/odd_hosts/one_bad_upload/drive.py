# SPDX-License-Identifier: MIT
"""Two hosts compute all units of a project, and one uploads files that hold no number.

    drive.py FOLDER UNITS BAD

Runs the project's scheduler and daemons in this process, in FOLDER. Prints, as JSON, how many units have a canonical
result, how many still wait for validation, and how many results are in each state.
"""

import json
import logging
import pathlib
import subprocess
import sys

import load
from countdown import right
from server import daemons, project as projects, scheduler


class Connection:
    """Hands requests to the scheduler without a network."""

    def __init__(self, project):
        self._project = project

    def post(self, _path, body):
        return 200, scheduler.handle(self._project, body)


def server(*arguments):
    """The output of a command of the project's server."""
    return subprocess.run([sys.executable, '-m', 'server', *map(str, arguments)], check=True, capture_output=True,
                          encoding='utf-8').stdout


def project_in(folder, units):
    """A project of so many units, the key of its user, and its hosts' programs, which nobody runs."""
    program = folder / 'program.sh'
    program.write_text('#!/bin/sh\n', encoding='utf-8')
    program.chmod(0o755)
    options = json.dumps({'program': str(program), 'units': units})
    settings = [f'options={options}', 'quota=100000', 'unsent=1000', 'tasks_per_cpu=1000', 'tasks_per_reply=1000']
    server('init', folder / 'project', '--work', 'numwork:Numbers',
           *[word for setting in settings for word in ('--set', setting)])
    return projects.Project(folder / 'project'), server('add-user', folder / 'project', 'a@example.org').split()[-1]


def compute(project, key, bad):
    """Each unit on both hosts; the second one uploads no number for the first few."""
    for name in 'bea', 'bob':
        host = load.Host('http://127.0.0.1:1/', key, name)
        host.connection = Connection(project)
        tasks = host.talk(seconds=1e9, instances=500).tasks
        for task in tasks:
            number = int(task.unit.split('_')[1])
            path = project.upload_path(task.output)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text('no number\n' if name == 'bob' and number <= bad else right(number), encoding='utf-8')
        host.talk(reports=tuple(load.Report(task.name) for task in tasks))


def main():
    folder, units, bad = pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2]), int(sys.argv[3])
    logging.basicConfig(level=logging.CRITICAL)
    project, key = project_in(folder, units)
    for _ in range(30):
        daemons.pass_over(project, ('generate', 'transition'), daemons.Share())
    compute(project, key, bad)
    for _ in range(40):
        if not daemons.pass_over(project, tuple(daemons.DAEMONS), daemons.Share()):
            break
    with project.store.snapshot() as store:
        states = {f'{outcome}/{validity}': count for outcome, validity, count in store.rows(
            'select outcome, validate_state, count(*) from result group by 1, 2')}
        print(json.dumps({'units': store.value('select count(*) from unit'),
                          'canonical': store.value('select count(*) from unit where canonical<>0'),
                          'waiting': store.value('select count(*) from unit where need_validate=1'),
                          'results': states}))


main()
