#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Hosts of odd shape (tests/bench/hosts/odd) emulated for 30 days with 12 seeds each, by one or more builds of vcemu.

    odd_hosts.py TOOL... [HOST...] [--set PARAMETER=VALUE]... [--seeds N] [--arrows]

Prints a table in Markdown: a row for each host and tool, in the order of the tools, with means over the seeds. Under
the last tool, a second line tells each figure's standard error. HOST is a name such as by_turns, a state file, or a
folder of state files; without one, all hosts run. Parameters are set for all tools; TOOL:PARAMETER=VALUE[,...] sets
them for one. With --arrows there is one row for each host: the means of the first two tools, and in bold what is worse
by more than twice the standard error of the difference, seed by seed.
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


def number(value):
    """As short as a table needs it: 0.0312 is .031, 0.00012 is .0001."""
    text = f'{value:.4f}' if 0 < value < 0.0095 else f'{value:.3f}' if value < 1 else f'{value:.2f}'
    return '0' if not text.strip('0.') else text.removeprefix('0')


def arrow_of(before, after):
    """One figure of both tools."""
    if None in before:
        return '–'
    was, now = statistics.fmean(before), statistics.fmean(after)
    differences = [new - old for old, new in zip(before, after)]
    if number(was) == number(now):
        return number(now)
    mark = '**' if now - was > 2 * error_of(differences) else ''
    return f'{number(was)} → {mark}{number(now)}{mark}'


def print_arrows(tools, files, runs_of):
    print(f'| host | {" | ".join(TITLES)} |\n|---|{"---|" * len(TITLES)}')
    for file in files:
        columns = zip(*(zip(*runs_of(tool, file)) for tool in tools[:2]))
        print(f'| {file.stem} | {" | ".join(arrow_of(*pair) for pair in columns)} |', flush=True)


def print_rows(tools, files, runs_of):
    print(f'| host | | {" | ".join(TITLES)} |\n|---|---|{"---|" * len(TITLES)}')
    labels = ('before', 'after') if len(tools) == 2 else [f'tool {place + 1}' for place in range(len(tools))]
    for file in files:
        for tool, label in zip(tools, labels):
            runs = runs_of(tool, file)
            print(f'| {file.stem} | {label} | {" | ".join(cells_of(runs, statistics.fmean))} |', flush=True)
        if len(runs) > 1:
            print(f'| | ± | {" | ".join(cells_of(runs, error_of))} |', flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('words', nargs='+', metavar='TOOL or HOST')
    parser.add_argument('--set', action='append', default=[], dest='settings', metavar='PARAMETER=VALUE')
    parser.add_argument('--seeds', type=int, default=12)
    parser.add_argument('--arrows', action='store_true')
    given = parser.parse_intermixed_args()
    tools = [word for word in given.words if os.access(word.partition(':')[0], os.X_OK)
             and pathlib.Path(word.partition(':')[0]).is_file()]
    names = [word for word in given.words if word not in tools] or [str(HOSTS)]
    seeds = range(1, given.seeds + 1)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        def runs_of(tool, file):
            return list(pool.map(lambda seed: figures_of(tool, file, seed, given.settings), seeds))

        files = [file for name in names for file in files_of(name)]
        (print_arrows if given.arrows else print_rows)(tools, files, runs_of)


main()
