# SPDX-License-Identifier: MIT
"""The log of examples/client_loop makes sense, and the manual shows it as it is.

The program's path is in the environment variable CLIENT_LOOP.
"""

import os
import pathlib
import re
import subprocess

import pytest

CPUS = 4
DAY = 86400
CPU_HOURS = CPUS * 24
MANUAL = pathlib.Path(__file__).parents[2] / 'doc' / 'embedding.md'
EVENT = re.compile(r'(\d\d):(\d\d):(\d\d) (Alpha|Beta) +'
                   r'(starts task|stops task|ends task|is asked for work, s:) (\d+)(.*)')
SUMMARY = re.compile(r'(Alpha|Beta): (\d+) calls, (\d+) tasks done, (\d+) late, ([\d.]+) CPU hours')


def run():
    return subprocess.run([os.environ['CLIENT_LOOP']], check=True, capture_output=True, text=True).stdout


@pytest.fixture(scope='module')
def log():
    return run()


@pytest.fixture(scope='module')
def events(log):
    """(seconds, project, what, number, more) of each line but the summary."""
    found = []
    for line in log.splitlines()[:-2]:
        hours, minutes, seconds, project, what, number, more = EVENT.fullmatch(line).groups()
        found.append((int(hours) * 3600 + int(minutes) * 60 + int(seconds), project, what, int(number), more))
    return found


@pytest.fixture(scope='module')
def summary(log):
    rows = [SUMMARY.fullmatch(line).groups() for line in log.splitlines()[-2:]]
    return {name: {'calls': int(calls), 'done': int(done), 'late': int(late), 'hours': float(hours)}
            for name, calls, done, late, hours in rows}


def test_each_run_is_the_same(log):
    assert run() == log


def test_time_passes_from_morning_to_night(events):
    times = [event[0] for event in events]
    assert times == sorted(times)
    assert times[0] == 0 and 23 * 3600 < times[-1] <= DAY


def test_tasks_start_before_they_end_and_each_has_a_cpu(events):
    running, ended, present = set(), set(), 0
    for time, _, what, number, _ in events:
        if time > present:  # what changes at one time changes together
            assert len(running) == CPUS
            present = time
        if what == 'starts task':
            assert number not in running | ended
            running.add(number)
        elif what in ('stops task', 'ends task'):
            running.remove(number)
        if what == 'ends task':
            ended.add(number)
    assert len(ended) > 40


def test_a_server_that_is_down_is_left_alone_for_longer_and_longer(events):
    unanswered = [time for time, project, _, _, more in events if more == ', no answer']
    assert all(project == 'Alpha' for _, project, _, _, more in events if more == ', no answer')
    assert len(unanswered) >= 2 and unanswered[-1] < 3 * 3600
    assert all(later - earlier >= 60 for earlier, later in zip(unanswered, unanswered[1:]))


def test_a_server_without_work_is_backed_off(events):
    empty = [time for time, project, _, _, more in events if more == ', has none']
    assert empty and all(11 * 3600 < time < 14 * 3600 for time in empty)
    assert all(later - earlier >= 300 for earlier, later in zip(empty, empty[1:]))


def test_the_summary_counts_what_the_log_tells(events, summary):
    for name, row in summary.items():
        mine = [event for event in events if event[1] == name]
        assert row['calls'] == sum(event[2].startswith('is asked') for event in mine)
        assert row['done'] == sum(event[2] == 'ends task' for event in mine)
        assert row['late'] == sum(event[4] == ', too late' for event in mine) == 0


def test_no_cpu_is_idle_and_shares_are_kept(summary):
    total = sum(row['hours'] for row in summary.values())
    assert CPU_HOURS - 0.5 <= total <= CPU_HOURS + 0.1
    assert abs(summary['Alpha']['hours'] / total - 2 / 3) < 0.05


def shown_in(chapter):
    text = MANUAL.read_text(encoding='utf-8').partition(f'## {chapter}\n')[2].partition('\n## ')[0]
    blocks = re.findall(r'^```console\n(.*?)^```$', text, re.MULTILINE | re.DOTALL)
    assert blocks
    return [line for block in blocks for line in block.splitlines()]


def test_the_manual_shows_the_log_as_it_is(log):
    lines = log.splitlines()
    assert [line for line in shown_in('The loop of a client') if line != '...' and line not in lines] == []


def test_the_manual_shows_the_sessions_as_they_are():
    lines = (MANUAL.parent.parent / 'examples/c/sessions.txt').read_text(encoding='utf-8').splitlines()
    assert [line for line in shown_in('Scheduler calls in sessions') if line not in lines] == []
