# SPDX-License-Identifier: MIT
"""The dispatcher of source S3 in use: real workers on a socket, of which one lies, one dies and one is slow; kills;
hostile messages; and the trade-off of K_wait, in virtual time and in its status file.

VCSCHED_BUILD names a build, from which the Python package is installed; DISPATCHER the program in C, if there is one.
"""

import atexit
import contextlib
import heapq
import io
import json
import os
import pathlib
import random
import resource
import selectors
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

import pytest

ROOT = pathlib.Path(__file__).parents[2]
SCRIPT, WORKER = ROOT / 'examples/python/dispatcher.py', ROOT / 'examples/python/dispatch_worker.py'
P, G = 2 ** 31 - 1, 7


def installed_package():
    folder = tempfile.mkdtemp(prefix='vcsched-dispatcher-')
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    subprocess.run(['meson', 'install', '-C', os.environ['VCSCHED_BUILD'], '--no-rebuild', '--quiet', '--tags',
                    'python-runtime', '--destdir', folder], check=True, stdout=subprocess.DEVNULL)
    return str(next(pathlib.Path(folder).glob('**/vcsched/__init__.py')).parents[1])


PACKAGE = installed_package()
ENVIRONMENT = {**os.environ, 'PYTHONPATH': PACKAGE}
sys.path[:0] = [PACKAGE, str(SCRIPT.parent)]

import dispatch_worker  # noqa: E402  # pylint: disable=wrong-import-position
import dispatcher as d  # noqa: E402  # pylint: disable=wrong-import-position
import vcsched as v  # noqa: E402  # pylint: disable=wrong-import-position

PROGRAMS = {'python': [sys.executable, '-W', 'error', str(SCRIPT)]}
if 'DISPATCHER' in os.environ:
    PROGRAMS['c'] = [os.environ['DISPATCHER']]
DEFAULTS = {'method': 'inverse', 'factor': 2.0, 'order': 'overdue-first', 'wait': 2.0, 'dead': 4.0,
            'first_speed': 1.0, 'jobs_per_client': 2, 'portions': 100, 'size': 5}


def free_address():
    with socket.create_server(('127.0.0.1', 0)) as unused:
        return f'127.0.0.1:{unused.getsockname()[1]}'


class Batch:
    """A dispatcher and its workers."""

    def __init__(self, program, folder, *options):
        self.folder, self.address, self.options = folder, free_address(), options
        self.command, self.workers, self.server = PROGRAMS[program], [], None

    def start(self, *more):
        self.server = subprocess.Popen([*self.command, str(self.folder), '--listen', self.address, '--status-every',
                                        '0.1', *self.options, *more], env=ENVIRONMENT, stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE, text=True)
        line = self.server.stdout.readline()
        assert line == f'listening on {self.address}\n', line + self.server.stderr.read()
        return self

    def work(self, key, *options):
        self.workers.append(subprocess.Popen([sys.executable, str(WORKER), self.address, '--key', key,
                                              '--patience', '3', *options],
                                             stderr=subprocess.DEVNULL))
        return self.workers[-1]

    def end(self):
        """How the dispatcher ends by itself."""
        _, messages = self.server.communicate()
        assert messages == ''
        for worker in self.workers:
            worker.wait()
        return self.server.returncode

    def kill(self):
        for process in [self.server, *self.workers]:
            process.kill()
            process.wait()
        self.server.stdout.close()
        self.server.stderr.close()

    def status(self):
        return json.loads((self.folder / 'status.json').read_text(encoding='utf-8'))


@pytest.fixture
def batch_of(tmp_path):
    begun = []

    def begin(program, *options, name='batch'):
        begun.append(Batch(program, tmp_path / name, *options))
        return begun[-1]
    yield begin
    for batch in begun:
        if batch.server:
            batch.kill()


def check_answers(folder, portions, size):
    """Each portion is answered once, in order, and every answer is right."""
    lines = (folder / 'answers').read_text(encoding='ascii').splitlines()
    application = d.Application(portions, size)
    assert len(lines) == portions
    for number, line in enumerate(lines):
        first, *answer = map(int, line.split())
        values = application.portion(number)
        assert first == number and len(answer) == len(values)
        assert all(pow(G, x, P) == value for x, value in zip(answer, values))


def run_eight(batch):
    for number in range(5):
        batch.work(f'honest-{number}')
    batch.work('liar-0000', '--lie', '0.5')
    batch.work('mortal-00', '--die-after', '1')
    batch.work('slow-0000', '--delay', '0.08')
    assert batch.end() == 0
    return batch.status()


def ended(program, *arguments):
    """A dispatcher that ends by itself: its exit status, and what it wrote. The one in Python need not be started."""
    arguments = [str(argument) for argument in arguments]
    if program != 'python':
        process = subprocess.run([*PROGRAMS[program], *arguments], check=False, capture_output=True, text=True,
                                 errors='replace')
        return process.returncode, process.stdout, process.stderr
    with contextlib.redirect_stdout(io.StringIO()) as output, contextlib.redirect_stderr(io.StringIO()) as messages:
        try:
            status = d.main(arguments)
        except SystemExit as raised:
            status = raised.code
    return status, output.getvalue(), messages.getvalue()


# ---- Real workers ----

@pytest.mark.parametrize('program', PROGRAMS)
def test_a_batch_with_a_liar_a_dead_and_a_slow_worker_is_complete_and_right(program, batch_of):
    impatient = run_eight(batch_of(program, '--portions', '60', '--size', '2', '--first-speed', '20', '--wait', '1.1',
                                   name='impatient').start())
    patient_batch = batch_of(program, '--portions', '60', '--size', '2', '--first-speed', '20', '--wait', '40')
    patient = run_eight(patient_batch.start())
    check_answers(patient_batch.folder, 60, 2)
    check_answers(patient_batch.folder.with_name('impatient'), 60, 2)
    for status in impatient, patient:
        assert status['complete'] and status['portions_delivered'] == 60 and len(status['clients']) == 8
        # by an inverse check nobody knows who was wrong, so the liar takes one honest worker along, and only one
        assert status['blacklisted'] == 2
        assert [row['why'] for row in status['clients'] if row['why']] == [
            'The inverse problem did not lead back to the job.'] * 2
        assert status['checks'] >= 60 and status['lost'] >= 1
        assert 120 <= status['sent'] <= status['copies'] + 60 + status['checks'] + status['lost']
    # K_wait: the patient one sends less twice, and its application waits longer for the portion of the dead worker
    assert impatient['wait_factor'] == 1.1 and patient['wait_factor'] == 40
    assert impatient['copies'] > patient['copies'] >= 1
    assert impatient['mean_wait'] < patient['mean_wait']


@pytest.mark.parametrize('program', list(PROGRAMS)[-1:])
def test_a_vote_blacklists_the_liar_alone_and_the_status_is_always_whole(program, batch_of):
    batch = batch_of(program, '--portions', '60', '--size', '2', '--first-speed', '50', '--method', 'vote', '--factor',
                     '2.5').start()
    seen, stop = [], threading.Event()

    def read():
        while not stop.is_set():
            if (batch.folder / 'status.json').exists():
                seen.append(batch.status())

    reader = threading.Thread(target=read)
    reader.start()
    try:
        status = run_eight(batch)
    finally:
        stop.set()
        reader.join()
    check_answers(batch.folder, 60, 2)
    assert status['blacklisted'] == 1
    assert [row['why'] for row in status['clients'] if row['why']] == ['Another result won the vote.']
    assert len({one['time'] for one in seen}) > 5
    assert max(one['connected'] for one in seen) >= 6 and max(one['active'] for one in seen) >= 6
    delivered = [one['portions_delivered'] for one in seen]
    assert delivered == sorted(delivered)


# ---- Kills ----

def kill_and_go_on(programs, batch, kills, seed):
    """Kills the dispatcher or a worker, again and again, while the batch goes on."""
    luck = random.Random(seed)
    kinds = [f'worker-{number}' for number in range(4)]
    batch.start()
    running = {key: batch.work(key) for key in kinds}
    for _ in range(kills):
        time.sleep(luck.uniform(0, 0.01))
        if luck.random() < 0.5:
            batch.server.kill()
            batch.server.communicate()
            batch.command = PROGRAMS[luck.choice(programs)]
            batch.start()
        else:
            key = luck.choice(kinds)
            running[key].kill()
            running[key].wait()
            running[key] = batch.work(key)
    return batch.end()


def test_200_kills_of_dispatcher_and_workers_lose_nothing(batch_of):
    """Whichever of the two programs takes over, it goes on with what the other wrote. The one in C is started more
    often, as that takes less time."""
    programs = ['python'] + ['c'] * 15 if 'c' in PROGRAMS else ['python']
    kills = 200 if 'c' in PROGRAMS else 20
    batch = batch_of(programs[-1], '--portions', '100', '--size', '1', '--first-speed', '20')
    assert kill_and_go_on(programs, batch, kills, seed=1) == 0
    check_answers(batch.folder, 100, 1)
    assert batch.status()['blacklisted'] == 0


# ---- Virtual time ----

class Virtual:
    """A dispatcher whose workers live in virtual time. Each takes its time for a job, and some never answer."""

    def __init__(self, workers=8, seed=1, liars=(), mortal=0.0, **settings):
        self.settings = {**DEFAULTS, **settings}
        self.dispatcher = d.Dispatcher(d.Application(self.settings['portions'], self.settings['size']), self.settings)
        self.luck, self.liars, self.mortal = random.Random(seed), liars, mortal
        self.agenda = [(0.01 * worker, worker, None) for worker in range(workers)]
        self.journal, self.output, self.workers = [], [], workers
        self.surveyed, self.now = 0.0, 0.0

    def commit(self):
        self.journal += self.dispatcher.events
        self.output += self.dispatcher.output
        self.dispatcher.events.clear()
        self.dispatcher.output.clear()

    def answer_of(self, worker, number):
        portion, asked = self.dispatcher.tasks[number]
        if asked == 'power':
            [given] = portion.answers.values()
            answer = [pow(G, x, P) for x in given]
        else:
            answer = [self.logarithm(value) for value in portion.values]
        if worker in self.liars:
            answer[0] = (answer[0] + 1) % P
        return tuple(answer)

    @staticmethod
    def logarithm(value, table={}, cache={}):  # pylint: disable=dangerous-default-value
        if not table:
            table['of'] = dispatch_worker.Logarithms()
        if value not in cache:
            cache[value] = table['of'].log(value)
        return cache[value]

    def step(self):
        """The next thing that happens. False when there is nothing more."""
        if not self.agenda:
            return False
        self.now, worker, had = heapq.heappop(self.agenda)
        now, dispatcher = round(self.now, 6), self.dispatcher
        if now > self.surveyed + 5:
            dispatcher.survey(now)
            self.surveyed = now
        if had is not None:
            dispatcher.reply(f'worker-{worker}', had[0], had[1], had[2], now)
        words = dispatcher.request(f'worker-{worker}', set(), now).split()
        if words[0] == 'wait':
            heapq.heappush(self.agenda, (self.now + float(words[1]), worker, None))
        elif words[0] == 'job':
            self.begin(worker, int(words[1]))
        self.commit()
        return True

    def begin(self, worker, job_id):
        number = self.dispatcher.by_id[job_id]
        seconds = round(self.luck.expovariate(1) * self.slowness(worker) * self.dispatcher.jobs[number].complexity, 6)
        done = self.now + seconds + 0.01
        lost = self.luck.random() < self.mortal
        had = None if lost else (job_id, seconds, self.answer_of(worker, number))
        if lost:  # its computer is started anew, later
            done += 500
        heapq.heappush(self.agenda, (done, worker, had))

    @staticmethod
    def slowness(worker):
        return (2, 3, 4, 40)[worker % 4]

    def run(self, most=100000):
        while most > 0 and self.step():
            most -= 1
        return self


def is_right(output, settings):
    application = d.Application(settings['portions'], settings['size'])
    return [number for number, _ in output] == list(range(settings['portions'])) and all(
        application.is_right(application.portion(number), answer) for number, answer in output)


def test_the_trade_off_of_k_wait_is_in_the_status():
    """Source S3: a larger K_wait sends less twice, and lets the application wait longer, with more jobs in memory."""
    rows = []
    for factor in 1.2, 2.0, 4.0, 8.0:
        sums = [0.0, 0.0, 0.0]
        for seed in range(4):
            run = Virtual(method='none', wait=factor, dead=2 * factor, portions=150, size=1, mortal=0.03, seed=seed)
            status = run.run().dispatcher.status(run.now)
            assert status['complete'] and is_right(run.output, run.settings)
            for i, name in enumerate(('copies', 'mean_wait', 'most_open')):
                sums[i] += status[name]
        rows.append(sums)
    copies, waits, opened = zip(*rows)
    assert copies[0] > 1.5 * copies[1] > 2 * copies[2] > 2 * copies[3]
    assert waits[0] < waits[1] < waits[2] < waits[3] and waits[3] > 2 * waits[0]
    assert opened[0] < opened[2] < opened[3]


def test_each_worker_has_the_speed_that_it_showed():
    """Also one whose answers mostly come when another has already answered."""
    run = Virtual(method='none', portions=400, size=1, workers=4).run()
    rows = run.dispatcher.status(run.now)['clients']
    speeds, replies = [row['speed'] for row in rows], [row['replies'] for row in rows]
    assert speeds == sorted(speeds, reverse=True) and speeds[0] > 5 * speeds[3]
    assert replies[0] > 5 * replies[3] > 0
    shown = [speed * run.slowness(worker) for worker, speed in enumerate(speeds)]
    assert all(0.7 < ratio < 1.4 for ratio in shown[:3]) and 0.5 < shown[3] < 2, shown  # the slow one had few jobs


# ---- The journal ----

@pytest.mark.parametrize('settings', [
    {'method': 'inverse', 'liars': (0, 5), 'mortal': 0.02}, {'method': 'direct', 'liars': (3,)},
    {'method': 'vote', 'factor': 2.5, 'liars': (6,), 'mortal': 0.02}, {'method': 'none', 'mortal': 0.05},
    {'method': 'vote', 'factor': 1.5, 'order': 'drain-then-dead', 'mortal': 0.02},
    {'method': 'inverse', 'order': 'drain-then-oldest', 'mortal': 0.02, 'liars': (2,)}], ids=str)
def test_a_kill_after_any_event_loses_nothing(settings):
    """The journal is cut off at any event; what is left is read again, and the batch goes on to its end."""
    luck = random.Random(5)
    whole = Virtual(workers=12, portions=40, size=1, **settings).run()
    assert is_right(whole.output, whole.settings) or settings.get('factor') == 1.5
    assert whole.dispatcher.status(0)['complete'] and len(whole.output) == 40
    assert not any(whole.dispatcher.open.values()) and not whole.dispatcher.by_id
    assert len(whole.dispatcher.jobs) == len(whole.dispatcher.unused) < 120  # records are used again
    for kept in luck.sample(range(len(whole.journal)), 12):
        again = Virtual(workers=12, portions=40, size=1, seed=kept, **settings)
        for line in whole.journal[:kept]:
            again.now = again.surveyed = again.dispatcher.replay(line)
        assert again.dispatcher.events == whole.journal[:kept]
        delivered = len(again.dispatcher.output)
        assert again.dispatcher.output == whole.output[:delivered]
        again.dispatcher.events.clear()
        again.agenda = [(again.now + 0.01 * worker, worker, None) for worker in range(12)]
        again.run()
        assert is_right(again.output, again.settings)


def test_the_records_after_a_replay_are_the_same():
    whole = Virtual(workers=10, portions=60, size=2, liars=(4,))
    for _ in range(150):
        whole.step()
    again = Virtual(workers=10, portions=60, size=2)
    for line in whole.journal:
        again.dispatcher.replay(line)
    for name in 'jobs', 'trust', 'pool', 'unused', 'by_id', 'held', 'missed', 'counts', 'drawn', 'delivered', 'waited':
        first, second = getattr(whole.dispatcher, name), getattr(again.dispatcher, name)
        assert str(first) == str(second), name
    for first, second in zip(whole.dispatcher.clients, again.dispatcher.clients):
        assert (str(first.pace), first.flags) == (str(second.pace), second.flags)


@pytest.mark.skipif('c' not in PROGRAMS, reason='needs the program in C')
@pytest.mark.parametrize('settings', [
    {'method': 'inverse', 'liars': (0, 5), 'mortal': 0.02}, {'method': 'direct', 'liars': (3,), 'wait': 1.25},
    {'method': 'vote', 'factor': 2.5, 'liars': (1, 6), 'wait': 1.1, 'dead': 2.2},
    {'method': 'vote', 'factor': 3.0, 'order': 'drain-then-dead', 'mortal': 0.02},
    {'method': 'inverse', 'order': 'drain-then-oldest', 'liars': (2,)}, {'method': 'none', 'mortal': 0.05}], ids=str)
def test_both_programs_have_the_same_records_after_the_same_events(settings, batch_of):
    """Events in virtual time, up to any moment, are told to the program in C; its status and answers are compared."""
    whole = Virtual(workers=12, portions=60, size=2, **settings)
    for steps in 30, 150, 10000:
        whole.run(steps)
        options = [word for name, value in whole.settings.items()
                   for word in (f'--{name.replace("_", "-")}', str(value))]
        batch = batch_of('c', *options, name=str(steps))
        batch.folder.mkdir()
        heading = d.heading_of(whole.settings)
        (batch.folder / 'journal').write_text(heading + '\n' + ''.join(whole.journal), encoding='ascii')
        batch.start()
        batch.server.send_signal(signal.SIGTERM)
        assert batch.end() == (0 if whole.dispatcher.is_complete() else 1)
        said, expected = batch.status(), whole.dispatcher.status(whole.now)
        assert list(said) == list(expected)
        for status in said, expected:
            for row in status['clients']:  # whom it did not hear for how long is no event
                row['silent'] = row['state'] = row['connected'] = None
            for name in 'time', 'connected', 'active', 'dead', 'silent', 'power':
                status[name] = None
        for row, other in zip(said['clients'], expected['clients']):
            assert row.pop('speed') == pytest.approx(other.pop('speed'), rel=1e-9, abs=1e-3)
        assert said.pop('mean_wait') == pytest.approx(expected.pop('mean_wait'), abs=1.1e-3)
        assert said == expected
        lines = (batch.folder / 'answers').read_text(encoding='ascii').splitlines()
        assert lines == [f'{number} {" ".join(map(str, answer))}' for number, answer in whole.output]
    assert whole.dispatcher.is_complete()


def run_to_the_end(batch, workers=2):
    for number in range(workers):
        batch.work(f'worker-{number}')
    assert batch.end() == 0


@pytest.mark.parametrize('program', PROGRAMS)
def test_a_line_that_was_cut_off_did_not_happen_and_a_damaged_one_is_named(program, batch_of):
    batch = batch_of(program, '--portions', '6', '--size', '1', '--first-speed', '20')
    run_to_the_end(batch.start())
    journal = batch.folder / 'journal'
    lines = journal.read_text(encoding='ascii').splitlines(keepends=True)
    (batch.folder / 'answers').unlink()
    journal.write_text(''.join(lines[:9]) + lines[9][:-3], encoding='ascii')
    run_to_the_end(batch.start())
    check_answers(batch.folder, 6, 1)
    for wrong in ('1.0 sent 0 999\n', '1.0 nonsense\n', '1.0 answer 0 1 1.0\n', 'x client a\n', '1.0 sent\n', '\n',
                  '1.0 sent 77 1\n', '1.0 dead 99\n', '1.0 answer 0 1 x 5\n', '\xff\n'):
        journal.write_text(''.join(lines[:4]) + wrong + ''.join(lines[4:]), encoding='latin-1')
        status, output, messages = ended(program, batch.folder, '--listen', batch.address, *batch.options)
        assert (status, output) == (3, ''), wrong
        assert 'journal: line 5 makes no sense' in messages, messages


# ---- Hostile messages ----

class Raw:
    """A connection that says what it likes."""

    def __init__(self, address):
        host, port = address.split(':')
        self.socket = socket.create_connection((host, int(port)), timeout=20)
        self.lines = self.socket.makefile('rb')

    def say(self, line):
        self.socket.sendall(line if isinstance(line, bytes) else line.encode() + b'\n')
        return self.lines.readline().decode().strip()

    def is_closed(self):
        try:
            return self.lines.readline() == b''
        except ConnectionError:
            return True

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.lines.close()
        self.socket.close()


BAD = ['', 'hello', 'hello short', 'hello ' + 'x' * 65, 'hello a/b/c/d/e/f', 'next', 'alive', 'answer 1 1.0 5',
       'GET / HTTP/1.1', b'\xff\xfe\n', b'\0\0\0\n', 'x' * 5000, b'hello \xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\n']
BAD_LATER = ['', 'hello again-again', 'answer', 'answer 1', 'answer 1 1.0', 'answer 1 -1.0 5', 'answer 1 nan 5',
             'answer 1 1e9 5', 'answer 1 1.0 -5', 'answer 1 1.0 5.0', 'answer 1 1.0 99999999999', 'answer 1 1.0  5',
             'answer 99999999999999999999 1.0 5', 'answer 1 1.0 5 ', 'next ', 'NEXT', 'next\r', 'drop table']


@pytest.mark.parametrize('program', PROGRAMS)
def test_bad_messages_cost_their_sender_the_connection_and_nobody_anything(program, batch_of):
    batch = batch_of(program, '--portions', '30', '--size', '1', '--first-speed', '20', '--most-connections',
                     '40').start()
    journal = batch.folder / 'journal'
    size = journal.stat().st_size
    for bad in BAD:
        with Raw(batch.address) as raw:
            assert raw.say(bad) == 'refused malformed' and raw.is_closed(), bad
    for bad in BAD_LATER:
        with Raw(batch.address) as raw:
            assert raw.say('hello hostile-1') == 'welcome'
            assert raw.say(bad) == 'refused malformed' and raw.is_closed(), bad
    with Raw(batch.address) as raw:  # half a line, then an endless one
        raw.socket.sendall(b'hel')
        assert raw.say('lo hostile-1') == 'welcome' and raw.say('alive') == 'thanks'
        assert raw.say('answer 1 1.0 5') == 'late' and raw.say('answer 1 1.0' + ' 5' * 3000) == 'late'
        try:
            for _ in range(100):
                raw.socket.sendall(b'5' * 65536)
        except ConnectionError:
            pass
        assert raw.is_closed()
    assert journal.stat().st_size == size  # nothing of all that was worth a line
    # A job of one's own with too few and too many answers; a job of another; the same answer twice.
    with Raw(batch.address) as raw, Raw(batch.address) as other:
        assert raw.say('hello hostile-2') == other.say('hello hostile-3') == 'welcome'
        _, mine, asked, value = raw.say('next').split()
        assert asked == 'log'
        theirs = other.say('next').split()[1]
        assert raw.say(f'answer {theirs} 1.0 5') == 'late'
        assert raw.say(f'answer {mine} 1.0 5 5') == 'refused malformed' and raw.is_closed()
        with Raw(batch.address) as again:  # it was not its last job, and it is asked again, for the same
            assert again.say('hello hostile-2') == 'welcome'
            assert again.say('next') == f'job {mine} log {value}'
            right = dispatch_worker.Logarithms().log(int(value))
            assert again.say(f'answer {mine} 999999999 {right}') == 'thanks'
            assert again.say(f'answer {mine} 1.0 {right}') == 'late'
            with Raw(batch.address) as third:  # the same key: the older connection is over
                assert third.say('hello hostile-2') == 'welcome' and again.is_closed()
                assert third.say('next').startswith('job ')
                for _ in range(3):
                    words = third.say('next')  # at most two jobs at a time
                assert words.split()[::2] == ['wait', 'host_limit']
    # Connections that say nothing, more of them than there may be: workers come through nevertheless
    silent = [Raw(batch.address) for _ in range(45)]
    assert batch.server.poll() is None
    run_to_the_end(batch, 3)
    for raw in silent:
        raw.__exit__()
    check_answers(batch.folder, 30, 1)
    assert batch.status()['blacklisted'] == 0


def test_a_bad_message_takes_less_time_than_a_good_one(tmp_path):
    """The time of the quickest of many good messages, each a request and a right answer, and of each bad one."""
    options, settings, _ = d.settings_of([str(tmp_path), '--portions', '1000', '--size', '1', '--method', 'direct'])
    options.keys = None
    with open(tmp_path / 'answers', 'a+b', buffering=0) as answers, selectors.DefaultSelector() as selector, \
            socket.create_server(('127.0.0.1', 0)) as listener, socket.socket() as peer:
        dispatcher = d.Dispatcher(d.Application(options.portions, options.size), settings)
        server = d.Server(dispatcher, None, d.Answers(answers), options, listener, selector, 0.0)

        def quickest(message, times):
            begun = []
            for _ in range(times):
                connection = d.Connection(peer, 0.0)
                connection.key = 'worker-0'
                begin = time.perf_counter()
                message(connection)
                begun.append(time.perf_counter() - begin)
            return min(begun)

        def good(connection):
            _, number, _, value = server.handle(connection, 'next').split()
            assert server.handle(connection, f'answer {number} 1.0 {Virtual.logarithm(int(value))}') == 'thanks'

        for number in range(100):
            Virtual.logarithm(dispatcher.application.portion(number)[0])  # whose time does not count
        limit = quickest(good, 100)
        for bad in BAD_LATER:
            if isinstance(bad, str):
                assert quickest(lambda one, line=bad: server.handle(one, line), 20) < limit, bad


@pytest.mark.parametrize('program', PROGRAMS)
def test_only_known_keys_may_come_and_only_so_many(program, batch_of, tmp_path):
    keys = tmp_path / 'keys'
    keys.write_text('worker-0\nworker-1\nworker-2\n', encoding='ascii')
    batch = batch_of(program, '--portions', '4', '--size', '1', '--first-speed', '20', '--keys', str(keys),
                     '--most-clients', '2').start()
    with Raw(batch.address) as raw:
        assert raw.say('hello somebody') == 'refused unknown' and raw.is_closed()
    run_to_the_end(batch)
    batch.start()
    with Raw(batch.address) as raw:
        assert raw.say('hello worker-2') == 'welcome' and raw.say('next') == 'done'
    batch.end()
    fresh = batch_of(program, *batch.options, name='fresh').start()
    with Raw(fresh.address) as one, Raw(fresh.address) as two, Raw(fresh.address) as three:
        for number, raw in enumerate((one, two, three)):
            assert raw.say(f'hello worker-{number}') == 'welcome'
        assert one.say('next')[:3] == two.say('next')[:3] == 'job'
        assert three.say('next') == 'refused full'


# ---- The command line ----

@pytest.mark.parametrize('program', PROGRAMS)
def test_each_kind_of_failure_has_its_exit_status(program, batch_of, tmp_path):
    status, shown, _ = ended(program, '--help')
    assert status == 0 and 'examples:' in shown and 'exit status: 0' in shown
    for wrong in (['--dead', '1'], ['--wait', '-1'], ['--portions', '0'], ['--portions', 'x'], ['--listen', 'nowhere'],
                  ['--method', 'x'], ['--nonsense'], ['--factor', '0.5'], ['--wait', 'nan'], ['--size', '1001'],
                  ['more']):
        status, output, messages = ended(program, tmp_path / 'unused', *wrong)
        assert status == 2 and messages and not output and not (tmp_path / 'unused').exists(), wrong
    batch = batch_of(program, '--portions', '9').start()
    status, _, messages = ended(program, batch.folder, '--listen', free_address(), '--portions', '9')
    assert status == 3 and 'another dispatcher' in messages
    status, _, messages = ended(program, tmp_path / 'other', '--listen', batch.address)
    assert status == 4 and messages
    batch.server.send_signal(signal.SIGTERM)
    assert batch.end() == 1
    status, _, messages = ended(program, batch.folder, '--listen', batch.address, '--portions', '10')
    assert status == 3 and 'other settings' in messages
    file = tmp_path / 'file'
    file.write_text('', encoding='ascii')
    assert ended(program, file)[0] == 4
    assert ended(program, tmp_path / 'third', '--keys', tmp_path / 'missing')[0] == 4


@pytest.mark.parametrize('program', PROGRAMS)
def test_a_full_disk_stops_it_and_what_was_acknowledged_is_kept(program, batch_of):
    batch = batch_of(program, '--portions', '12', '--size', '2', '--first-speed', '20')
    batch.folder.mkdir()

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

    command = [*batch.command, str(batch.folder), '--listen', batch.address, *batch.options, '--status-every', '3600']
    with subprocess.Popen(command, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          preexec_fn=limit) as limited:  # pylint: disable=subprocess-popen-preexec-fn
        limited.stdout.readline()
        for number in range(3):
            batch.work(f'worker-{number}')
        assert limited.wait() == 4 and 'File too large' in limited.stderr.read()
    assert (batch.folder / 'journal').stat().st_size <= 1000
    batch.start()
    assert batch.end() == 0
    check_answers(batch.folder, 12, 2)
