#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Hosts of odd shape (tests/bench/hosts/odd) emulated for 30 days with 12 seeds each, by one or more builds of vcemu.

    odd_hosts.py TOOL... [HOST...] [--set PARAMETER=VALUE]... [--seeds N]

Prints a table in Markdown: a row for each host and tool, in the order of the tools, with means over the seeds. Under
the last tool, a second line tells each figure's standard error. HOST is a name such as by_turns, a state file, or a
folder of state files; without one, all hosts run. Parameters are set for all tools; TOOL:PARAMETER=VALUE[,...] sets
them for one.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import statistics
import subprocess
import sys

HOSTS = pathlib.Path(__file__).parent / 'hosts' / 'odd'
FIGURES = 'waste', 'share_violation', 'rpcs_per_job', 'stops_per_job', 'late'
TITLES = 'idle CPUs', 'idle GPUs', 'waste', 'shares', 'calls a job', 'stops a job', 'missed'


def files_of(name):
    """The state files that a name on the command line means."""
    path = pathlib.Path(name)
    if path.is_dir():
        return sorted(path.glob('*.ini'))
    return [path if path.is_file() else HOSTS / f'{name}.ini']


def figures_of(tool, file, seed, settings):
    """The figures of one run; no GPUs have no idleness."""
    program, _, own = tool.partition(':')
    options = [word for setting in settings + [one for one in own.split(',') if one] for word in ('--set', setting)]
    text = file.read_text(encoding='utf-8').rstrip('\n')
    environment = {name: value for name, value in os.environ.items() if name != 'LD_LIBRARY_PATH'}
    run = subprocess.run([program, 'run', '-', '--json', *options], input=f'{text}\nseed = {seed}\n',
                         env=environment, capture_output=True, encoding='utf-8', check=False)
    if run.returncode != 0:
        sys.exit(f'{file.name}: {program}: {run.stderr}')
    outcome = json.loads(run.stdout)
    cpus, *gpus = [resource['idleness'] for resource in outcome['resources']]
    return [cpus, max(gpus, default=None), *[outcome[figure] for figure in FIGURES]]


def cells_of(runs, statistic):
    """One cell for each figure: four digits, or a dash where the host has no such figure."""
    columns = zip(*runs)
    return ['–' if None in column else f'{statistic(column):.4f}' for column in columns]


def error_of(column):
    return statistics.stdev(column) / len(column) ** 0.5


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('words', nargs='+', metavar='TOOL or HOST')
    parser.add_argument('--set', action='append', default=[], dest='settings', metavar='PARAMETER=VALUE')
    parser.add_argument('--seeds', type=int, default=12)
    given = parser.parse_args()
    tools = [word for word in given.words if os.access(word.partition(':')[0], os.X_OK)
             and pathlib.Path(word.partition(':')[0]).is_file()]
    names = [word for word in given.words if word not in tools] or [str(HOSTS)]
    print(f'| host | | {" | ".join(TITLES)} |\n|---|---|{"---|" * len(TITLES)}')
    labels = ('before', 'after') if len(tools) == 2 else [f'tool {number + 1}' for number in range(len(tools))]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for file in [file for name in names for file in files_of(name)]:
            for tool, label in zip(tools, labels):
                seeds = range(1, given.seeds + 1)
                runs = list(pool.map(lambda seed, to=tool: figures_of(to, file, seed, given.settings), seeds))
                print(f'| {file.stem} | {label} | {" | ".join(cells_of(runs, statistics.fmean))} |', flush=True)
            if given.seeds > 1:
                print(f'| | ± | {" | ".join(cells_of(runs, error_of))} |', flush=True)


main()
