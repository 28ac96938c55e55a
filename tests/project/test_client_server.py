# SPDX-License-Identifier: MIT
"""Our client against our server: what each says, the other understands."""

import contextlib
import sys

import pytest
from grid_client import Client, wait_for_no_process
from running import Grid, package

sys.path.insert(0, str(package()))
from countdown import SCRIPT, right  # noqa: E402  # pylint: disable=wrong-import-position

UNITS = 6
# A buffer that one computer does not fill with all there is.
MODEST = ['--set', 'min_buffer=2', '--set', 'additional_buffer=1']


@pytest.fixture(name='grid')
def fixture_grid(tmp_path):
    """A project with its server."""
    with Grid(tmp_path, SCRIPT, units=UNITS) as grid:
        grid.start()
        yield grid


@pytest.fixture(name='clients')
def fixture_clients(tmp_path, grid):
    """Two clients, which a quorum of two needs, of two people."""
    clients = []
    for name in ('ann', 'bob'):
        client = Client(tmp_path / name)
        client.command('attach', grid.url, grid.account(f'{name}@example.com'))
        clients.append(client)
    yield clients
    for client in clients:
        with contextlib.suppress(ProcessLookupError):
            if client.process is not None and client.process.poll() is None:
                client.kill()


def wait_until_all_is_done(grid, client):
    client.wait(lambda: set(grid.assimilated()) == set(range(1, UNITS + 1)), 'all units were done')


def check(grid):
    """Each unit was handed over once, and is right."""
    assert grid.assimilated() == {number: [right(number)] for number in range(1, UNITS + 1)}


def test_two_clients_do_all_units(grid, clients):
    for client in clients:
        client.start(*MODEST)
    wait_until_all_is_done(grid, clients[0])
    for client in clients:
        assert client.stop() == 130
        assert 'cannot' not in client.log and 'refused' not in client.log, client.log
        assert 'is done after' in client.log and 'has accepted the report' in client.log
    check(grid)
    assert grid.sql('select distinct client from host') == [('7.20.5 gridclient',)]
    hosts = grid.sql('select credit from host')
    assert len(hosts) == 2 and all(credit > 0 for (credit,) in hosts)


def test_clients_that_are_killed_lose_nothing(grid, clients):
    killed = 0
    # Not with the first reply: a host that does not know its number yet is taken for one that has begun anew, and there
    # is no third one to do its tasks.
    for point in ('reply-arrived:2', 'state-written:1', 'task-started:1', 'outputs-moved:1', 'upload-done:1'):
        for client in clients:
            client.start('--until-idle', *MODEST, die_at=point)
        for client in clients:
            killed += client.process.wait() == -9  # else it had nothing left to do
            wait_for_no_process(client.folder / 'slots')
    assert killed >= 5
    for client in clients:
        client.start(*MODEST)
    wait_until_all_is_done(grid, clients[0])
    for client in clients:
        client.stop()
    check(grid)


def test_a_client_that_is_seldom_connected_gets_what_it_can_report(tmp_path):
    with Grid(tmp_path, SCRIPT, settings=['deadline_delay=0'], units=UNITS, bounds=[50000, 5000], min_quorum=1,
              target_nresults=1) as grid:
        grid.start()
        client = Client(tmp_path / 'ann')
        client.command('attach', grid.url, grid.account('ann@example.com'))
        client.start('--set', 'work_fetch=owed', '--set', 'connect_every=43200')
        try:
            client.wait(lambda: len(grid.assimilated()) == UNITS / 2, 'half of the units were done')
            client.wait_for_log('says: No tasks are sent: It is due sooner than the client asks for.')
            assert sorted(grid.assimilated()) == [2, 4, 6]
            client.stop()
            client.start()  # connected whenever it wants
            client.wait(lambda: len(grid.assimilated()) == UNITS, 'all units were done')
        finally:
            client.kill()


def test_a_wrong_key_is_explained(grid, tmp_path):
    client = Client(tmp_path / 'eve')
    client.command('attach', grid.url, '0' * 32)
    client.start()
    client.wait_for_log('says: ')
    client.stop()
    assert client.state.find('project/task') is None
