# SPDX-License-Identifier: MIT
"""Sweeps on a cluster, with the schedulers that people have: Slurm, GNU parallel, MPI, Dask. Each is skipped where it
is not installed.

The environment names the tool as VCEMU and, for what is in Python, a build as VCSCHED_BUILD.
"""

import contextlib
import csv
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import time

import pytest
from ports import free_port, free_ports

ROOT = pathlib.Path(__file__).parents[2]
CLUSTER = ROOT / 'examples/cluster'
VCEMU = os.path.abspath(os.environ['VCEMU'])
BUILD = os.environ.get('VCSCHED_BUILD')
PARTS = 4
# What the README varies.
SWEEP = ['examples/study/base.ini', '--vary', 'min_buffer=3600,14400,57600',
         '--vary', 'app.latency_bound=26000,39000,52000,65000']
# In the middle of the second row of the first part, which has the headings, and in the third of the others.
BYTES_UNTIL_KILLED = 1536


def need(*programs):
    for program in programs:
        if shutil.which(program, path=PATH) is None:
            pytest.skip(f'there is no {program}')


PATH = os.environ['PATH'] + ':/usr/sbin'


@pytest.fixture(name='folder')
def work_folder(tmp_path):
    """Where the commands of the README find what they name."""
    (tmp_path / 'examples').symlink_to(ROOT / 'examples')
    (tmp_path / 'parts').mkdir()
    return tmp_path


@pytest.fixture(name='environment')
def plain_environment(tmp_path):
    # The interpreter that runs this test is the one that sees the packages.
    (tmp_path / 'bin').mkdir()
    (tmp_path / 'bin/python3').symlink_to(sys.executable)
    # Open MPI is told that it may run as root, and more processes than there are processors; others ignore it.
    return os.environ | {
        'PATH': f'{tmp_path}/bin:{PATH}', 'VCEMU': VCEMU, 'HOME': str(tmp_path), 'OMPI_ALLOW_RUN_AS_ROOT': '1',
        'OMPI_ALLOW_RUN_AS_ROOT_CONFIRM': '1', 'OMPI_MCA_rmaps_base_oversubscribe': '1'}


@pytest.fixture(name='with_package')
def environment_with_package(environment, package):
    return environment | {'PYTHONPATH': str(package)}


@pytest.fixture(name='package', scope='module')
def installed_package(tmp_path_factory):
    if not BUILD:
        pytest.skip('VCSCHED_BUILD names no build')
    folder = tmp_path_factory.mktemp('package')
    subprocess.run(['meson', 'install', '-C', BUILD, '--no-rebuild', '--quiet', '--tags', 'python-runtime',
                    '--destdir', folder], check=True, stdout=subprocess.DEVNULL)
    return next(folder.glob('**/vcsched/__init__.py')).parents[1]


def commands_of(section):
    """The commands of a section of the README."""
    text = (CLUSTER / 'README.md').read_text(encoding='utf-8')
    found = re.search(rf'^## {section}\n(.*?)(?=^## |\Z)', text, re.MULTILINE | re.DOTALL)
    commands = re.findall(r'^    (.*)$', found[1], re.MULTILINE)
    assert commands
    return commands


def run(command, folder, environment, **options):
    """A command as somebody types it, successful."""
    result = subprocess.run(command, shell=isinstance(command, str), cwd=folder, env=environment, check=False,
                            capture_output=True, text=True, **options)
    assert result.returncode == 0, (command, result.stdout, result.stderr)
    return result.stdout


def undivided(folder, seeds=4):
    return run([VCEMU, 'sweep', *SWEEP, '--seeds', str(seeds)], folder, os.environ)


ALONE = """
import sys
import vcsched as v
grid = {"min_buffer": [3600, 14400, 57600], "app.latency_bound": [26000, 39000, 52000, 65000]}
v.sweep(v.Scenario.read(sys.argv[1]), grid, seeds=int(sys.argv[2])).write_csv(sys.stdout)
"""


def check_table(folder, environment, seeds=4):
    """The table of Python is what one process writes, to the byte, and has the numbers of the tool."""
    table = (folder / 'table.csv').read_bytes().decode()
    alone = subprocess.run(['python3', '-c', ALONE, SWEEP[0], str(seeds)], cwd=folder, env=environment, check=True,
                           stdout=subprocess.PIPE).stdout.decode()
    assert table == alone
    of_tool = list(csv.DictReader(undivided(folder, seeds).splitlines()))
    of_python = list(csv.DictReader(table.splitlines()))
    assert len(of_python) == len(of_tool) == 12
    for row, expected in zip(of_python, of_tool):
        assert set(expected) - set(row) == {'scenario'}
        for name in row:
            assert float(row[name] or 'nan') == pytest.approx(float(expected[name] or 'nan'), rel=1e-9, abs=1e-9,
                                                              nan_ok=True), name


def until(holds):
    """Waits for it, as long as a test may last."""
    while not holds():
        time.sleep(0.02)


def halting_tool(folder):
    """The tool, but it is killed in the middle of a row, after which nothing happens until somebody ends it."""
    script = folder / 'halting'
    script.write_text(f'''#!/bin/sh
ulimit -c 0
ulimit -f {BYTES_UNTIL_KILLED // 512}
'{VCEMU}' "$@"
exec sleep 1000000
''', encoding='utf-8')
    script.chmod(0o755)
    return str(script)


def is_halted(path):
    return path.exists() and path.stat().st_size == BYTES_UNTIL_KILLED


def recording_tool(folder):
    """The tool, but first it notes how long the file is that it is to go on with."""
    script = folder / 'recording'
    script.write_text(f'''#!/bin/sh
for file; do :; done
[ ! -e "$file" ] || wc -c <"$file" >"$file.begun"
exec '{VCEMU}' "$@"
''', encoding='utf-8')
    script.chmod(0o755)
    return str(script)


def check_parts_after_a_kill(folder, environment, again):
    """What was in the files when all was killed is gone on with, and the whole is that of one computer."""
    before = {path.name: path.read_bytes() for path in sorted((folder / 'parts').glob('part-*.csv'))}
    assert is_halted(folder / 'parts/part-1.csv') and not list((folder / 'parts').glob('*.done'))
    refused = subprocess.run(['sh', CLUSTER / 'merge.sh', str(PARTS), folder / 'parts'], capture_output=True, text=True,
                             check=False)
    assert (refused.returncode, refused.stdout) == (1, '') and 'not complete' in refused.stderr
    again(environment | {'VCEMU': recording_tool(folder)})
    for name, content in before.items():
        begun = folder / 'parts' / f'{name}.begun'
        assert int(begun.read_text(encoding='utf-8')) == len(content)
        # All whole rows; the last one is torn. Parts other than the first may have had none yet.
        rows = content[:content.rfind(b'\n') + 1]
        assert rows or name != 'part-1.csv'
        assert (folder / 'parts' / name).read_bytes().startswith(rows), name
    merged = run(['sh', CLUSTER / 'merge.sh', str(PARTS), folder / 'parts'], folder, environment)
    assert merged == undivided(folder)


# ---- Parts of a sweep ----


def test_a_part_that_fails_is_not_complete(folder, environment):
    command = ['sh', CLUSTER / 'shard.sh', '1', '4', 'parts', *SWEEP, '--vary', 'host.nothing=1']
    result = subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False)
    assert result.returncode != 0 and not (folder / 'parts/part-1.done').exists()


@pytest.mark.parametrize('name', ['shard.sh', 'merge.sh', 'slurm.sh', 'parallel.sh'])
def test_wrong_arguments_are_refused(name):
    result = subprocess.run(['sh', CLUSTER / name, '4'], capture_output=True, text=True, check=False)
    assert result.returncode == 2 and 'usage: ' in result.stderr


# ---- Slurm ----


@pytest.fixture(name='slurm')
def one_node_cluster(tmp_path, environment):
    """A cluster of this computer alone, in a folder of its own; nobody has to prove who they are."""
    need('slurmctld', 'slurmd', 'sbatch', 'scancel', 'sinfo')
    if not os.path.ismount('/sys/fs/cgroup'):
        pytest.skip('slurmd wants control groups: no filesystem is mounted on /sys/fs/cgroup')
    home = tmp_path / 'slurm'
    (home / 'state').mkdir(parents=True)
    (home / 'spool').mkdir()
    host, (controller, node) = socket.gethostname().split('.')[0], free_ports(2)
    user = run(['id', '-un'], tmp_path, environment).strip()
    (home / 'slurm.conf').write_text(f'''
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller}
SlurmdPort={node}
AuthType=auth/none
CredType=cred/none
SlurmUser={user}
SlurmdUser={user}
StateSaveLocation={home}/state
SlurmdSpoolDir={home}/spool
SlurmctldPidFile={home}/slurmctld.pid
SlurmdPidFile={home}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SwitchType=switch/none
MpiDefault=none
SchedulerParameters=sched_interval=1,batch_sched_delay=0
KillWait=1
NodeName={host} NodeAddr=127.0.0.1 CPUs={os.cpu_count()} State=UNKNOWN
PartitionName=all Nodes={host} Default=YES State=UP
''', encoding='utf-8')
    environment = environment | {'SLURM_CONF': str(home / 'slurm.conf')}
    daemons = []
    with open(home / 'log', 'wb') as log:
        for name in 'slurmctld', 'slurmd':
            daemons.append(subprocess.Popen([shutil.which(name, path=PATH), '-D'], env=environment, stdout=log,
                                            stderr=log, start_new_session=True))
    try:
        until(lambda: any(daemon.poll() is not None for daemon in daemons) or 'idle' in subprocess.run(
            ['sinfo', '--noheader', '--format=%t'], env=environment, capture_output=True, text=True,
            check=False).stdout)
        assert all(daemon.poll() is None for daemon in daemons), (home / 'log').read_text(encoding='utf-8')
        yield environment
    finally:
        subprocess.run(['scancel', '--signal=KILL', '--user', user], env=environment, check=False)
        for daemon in reversed(daemons):
            daemon.terminate()
            daemon.wait()


def test_slurm_as_the_readme_says(folder, slurm):
    for command in commands_of('Slurm'):
        run(command, folder, slurm)
    assert (folder / 'table.csv').read_text(encoding='utf-8') == undivided(folder)


def test_slurm_after_a_kill(folder, slurm):
    submit = ['sbatch', '--parsable', f'--array=1-{PARTS}', 'examples/cluster/slurm.sh', str(PARTS), 'parts', *SWEEP,
              '--seeds', '4']
    job = run(submit, folder, slurm | {'VCEMU': halting_tool(folder)}).strip()
    until(lambda: is_halted(folder / 'parts/part-1.csv'))
    run(['scancel', job], folder, slurm)
    until(lambda: not run(['squeue', '--noheader'], folder, slurm).strip())
    submit.insert(1, '--wait')
    check_parts_after_a_kill(folder, slurm, lambda environment: run(submit, folder, environment))


# ---- GNU parallel ----


def test_parallel_as_the_readme_says(folder, environment):
    need('parallel')
    for command in commands_of('GNU parallel'):
        run(command, folder, environment)
    assert (folder / 'table.csv').read_text(encoding='utf-8') == undivided(folder)


def test_parallel_on_named_hosts(folder, environment):
    need('parallel')
    command = ['sh', CLUSTER / 'parallel.sh', str(PARTS), 'parts', *SWEEP, '--seeds', '4']
    run(command, folder, environment | {'HOSTS': ':'})  # which is this one, without ssh
    merged = run(['sh', CLUSTER / 'merge.sh', str(PARTS), 'parts'], folder, environment)
    assert merged == undivided(folder)


def test_parallel_after_a_kill(folder, environment):
    need('parallel')
    command = ['sh', CLUSTER / 'parallel.sh', str(PARTS), 'parts', *SWEEP, '--seeds', '4']
    with subprocess.Popen(command, cwd=folder, env=environment | {'VCEMU': halting_tool(folder)},
                          start_new_session=True) as halted:
        until(lambda: is_halted(folder / 'parts/part-1.csv'))
        kill_session(halted.pid)
    check_parts_after_a_kill(folder, environment, lambda changed: run(command, folder, changed))


def kill_session(session):
    """All processes that a command started, whatever groups they made."""
    def members():
        listed = subprocess.run(['ps', '-e', '-o', 'pid=,sess=,stat='], capture_output=True, text=True, check=True)
        rows = [line.split() for line in listed.stdout.splitlines()]
        return [int(pid) for pid, own, state in rows if int(own) == session and not state.startswith('Z')]
    while members():
        for pid in members():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


# ---- MPI and Dask ----


def check_python_after_a_kill(folder, environment, command_of):
    """Kills it when some emulations have ended; should all of them have, once more with more of them."""
    kept = folder / 'table.csv.jsonl'
    for seeds in (20, 200, 2000, 20000):
        with contextlib.suppress(FileNotFoundError):
            kept.unlink()
        with subprocess.Popen(command_of(seeds), cwd=folder, env=environment, start_new_session=True,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as running:
            until(lambda: running.poll() is not None or (kept.exists() and kept.read_bytes().count(b'\n') > 2))
            kill_session(running.pid)
        before = kept.read_bytes()
        if 2 < before.count(b'\n') < 12 * seeds:
            break
    whole = before[:before.rindex(b'\n') + 1]
    # One that had ended is given another outcome, which is in the table only if it is not done again.
    first = whole.splitlines(keepends=True)[0]
    falsified = re.sub(rb'"received":', b'"received":1000000', first)
    assert falsified != first
    kept.write_bytes(falsified + before[len(first):])
    run(command_of(seeds), folder, environment)
    with open(folder / 'table.csv', encoding='utf-8', newline='') as stream:
        rows = list(csv.DictReader(stream))
    assert sum(float(row['received']) * seeds > 1e9 for row in rows) == 1
    after = kept.read_bytes()
    assert after.startswith(falsified + whole[len(first):])
    assert len(set(after.splitlines())) == after.count(b'\n') == 12 * seeds
    # And with the true one, the table is that of one process.
    kept.write_bytes(first + after[len(falsified):])
    run(command_of(seeds), folder, environment)
    check_table(folder, environment, seeds)


def test_mpi_as_the_readme_says(folder, with_package):
    pytest.importorskip('mpi4py')
    need('mpiexec')
    for command in commands_of('MPI'):
        run(command, folder, with_package)
    check_table(folder, with_package)


def test_mpi_after_a_kill(folder, with_package):
    pytest.importorskip('mpi4py')
    need('mpiexec')
    check_python_after_a_kill(folder, with_package, lambda seeds: [
        'mpiexec', '-n', '3', 'python3', '-m', 'mpi4py.futures', 'examples/cluster/mpi_sweep.py', SWEEP[0],
        'table.csv', str(seeds)])


@pytest.fixture(name='dask')
def dask_cluster(folder, with_package):
    """The address of a scheduler with two workers."""
    pytest.importorskip('distributed')
    port = free_port()
    address = f'tcp://127.0.0.1:{port}'
    common = {'cwd': folder, 'env': with_package, 'stdout': subprocess.DEVNULL, 'stderr': subprocess.DEVNULL}
    scheduler = [sys.executable, '-m', 'distributed.cli.dask_scheduler', '--host', '127.0.0.1', '--port', str(port),
                 '--no-dashboard']
    worker = [sys.executable, '-m', 'distributed.cli.dask_worker', address, '--nworkers', '2', '--nthreads', '1',
              '--no-dashboard', '--local-directory', str(folder)]
    processes = [subprocess.Popen(command, start_new_session=True, **common) for command in (scheduler, worker)]
    try:
        yield address
    finally:
        for process in reversed(processes):
            kill_session(process.pid)
            process.wait()


def test_dask_as_the_readme_says(folder, with_package, dask):
    for command in commands_of('Dask'):
        run(command.replace('tcp://127.0.0.1:8786', dask), folder, with_package)
    check_table(folder, with_package)


def test_dask_after_a_kill(folder, with_package, dask):
    check_python_after_a_kill(folder, with_package, lambda seeds: [
        'python3', 'examples/cluster/dask_sweep.py', dask, SWEEP[0], 'table.csv', str(seeds)])
