# SPDX-License-Identifier: MIT
"""vcemu run on a terminal: a bar on standard error says how far it got. Nothing here waits for a certain time to pass.

The environment variable VCEMU is the path of the program.
"""

import re
import signal
import subprocess

from vcemu_examples import ROOT, on_a_terminal, output_of

# Jobs of 0.6 s on two CPUs: some 290,000 a day.
SHORT_JOBS = """[host]
cpus = 2
flops = 1e9
[project P]
[app P/A]
est_flops = 6e8
latency_bound = 1e5
[client]
min_buffer = 60
additional_buffer = 60
[emulation]
duration = 600
"""
BAR = re.compile(rb'\remulating \[(#*)(\.*)\] +(\d+) %(?:, \d+:\d\d:\d\d left)?\033\[K')
WIPED = b'\r\033[K'


def scenario_in(folder, text=SHORT_JOBS):
    path = folder / 'short_jobs.ini'
    path.write_text(text, encoding='utf-8')
    return path


def test_a_bar_from_the_start_to_the_end(tmp_path):
    """However soon the run is over. What it finds is what it finds where nobody looks."""
    path = scenario_in(tmp_path)
    with open(tmp_path / 'outcome', 'wb') as outcome:
        with on_a_terminal('run', path, '--json', stdout=outcome) as (run, pieces):
            text = b''.join(pieces)
            assert run.wait() == 0
    bars = BAR.findall(text)
    assert bars[0] == (b'', b'.' * 30, b'0')
    parts = [int(percent) for _, _, percent in bars]
    assert parts == sorted(parts) and parts[-1] <= 100
    assert BAR.sub(b'', text) == WIPED and text.endswith(WIPED)
    # Where nobody looks, there is no bar either: output_of() asserts that nothing is said.
    assert (tmp_path / 'outcome').read_text(encoding='utf-8') == output_of('run', path, '--json')


def test_how_far_it_got_is_the_part_of_the_time_that_has_passed(tmp_path):
    """Of 30 years that begin at a time of 30 years. When the run is broken off, the bar stands there."""
    years = SHORT_JOBS.replace('[host]', '[host]\nnow = 1e9').replace('duration = 600', 'duration = 1e9')
    path = scenario_in(tmp_path, years)
    with on_a_terminal('run', path, stdout=subprocess.DEVNULL) as (run, pieces):
        text = next(pieces)
        while b'left\033[K' not in text:
            text += next(pieces)
        run.send_signal(signal.SIGINT)
        text += b''.join(pieces)
        assert run.wait() == -signal.SIGINT
    assert {percent for _, _, percent in BAR.findall(text)} == {b'0'}
    assert WIPED not in BAR.sub(b'', text)


def test_the_bar_is_there_before_anything_happens(tmp_path):
    """And gives way to the reason why nothing does."""
    path = scenario_in(tmp_path, SHORT_JOBS.replace('duration = 600', 'duration = 1e14'))
    with on_a_terminal('run', path, stdout=subprocess.DEVNULL) as (run, pieces):
        text = b''.join(pieces)
        assert run.wait() == 1
    assert len(BAR.findall(text)) == 1 and BAR.sub(b'', text).startswith(WIPED + f'vcemu: {path}:'.encode())


def test_a_grid_has_a_bar_over_all_of_its_seeds(tmp_path):
    """It says how far all of them are together, and nothing that it says gets into the answer."""
    path = ROOT / 'examples/scenarios/grids/saboteurs.ini'
    with open(tmp_path / 'outcome', 'wb') as outcome:
        with on_a_terminal('grid', path, '--json', '--seeds', 3, stdout=outcome) as (run, pieces):
            text = b''.join(pieces)
            assert run.wait() == 0
    bars = BAR.findall(text)
    assert bars[0] == (b'', b'.' * 30, b'0')
    parts = [int(percent) for _, _, percent in bars]
    assert parts == sorted(parts) and parts[-1] <= 100
    assert BAR.sub(b'', text) == WIPED and text.endswith(WIPED)
    assert (tmp_path / 'outcome').read_text(encoding='utf-8') == output_of('grid', path, '--json', '--seeds', 3)
