#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Two builds of vcemu compared on the hosts in tests/bench/hosts: 30 days, 12 seeds, means and standard errors.

    compare_policies.py BEFORE AFTER

Prints a table in Markdown. Both programs must know the figures of rule 12.2: to judge an older policy, build it with
the present lib/emulator.
"""

import json
import os
import pathlib
import statistics
import subprocess
import sys

HOSTS = pathlib.Path(__file__).parent / 'hosts'
NAMES = 'plain', 'tight', 'gpus', 'limits', 'many'
SEEDS = range(1, 13)
FIGURES = {
    'waste': 'waste', 'share violation': 'share_violation', "study's shares": 'study_share_violation',
    'calls per job': 'rpcs_per_job', 'stops per job': 'stops_per_job',
}


def outcome_of(program, text, seed):
    environment = {name: value for name, value in os.environ.items() if name != 'LD_LIBRARY_PATH'}
    run = subprocess.run([program, 'run', '-', '--json'], input=f'{text}seed = {seed}\n', check=True, env=environment,
                         capture_output=True, encoding='utf-8')
    return json.loads(run.stdout)


def figures_of(program, name):
    """The values of each figure, seed by seed."""
    text = (HOSTS / f'{name}.ini').read_text(encoding='utf-8')
    outcomes = [outcome_of(program, text, seed) for seed in SEEDS]
    found = {}
    for number, resource in enumerate(outcomes[0]['resources']):
        found[f'idleness of {resource["name"]}'] = [run['resources'][number]['idleness'] for run in outcomes]
    return {**found, **{title: [run[key] for run in outcomes] for title, key in FIGURES.items()}}


def mean_of(values):
    return statistics.fmean(values), statistics.stdev(values) / len(values) ** 0.5


def main():
    before, after = sys.argv[1:]
    print('| host | figure | before | after |\n|---|---|---|---|')
    for name in NAMES:
        old, new = figures_of(before, name), figures_of(after, name)
        for figure, values in new.items():
            (was, was_error), (now, error) = mean_of(old[figure]), mean_of(values)
            worse = ' **worse**' if now - was > max((was_error ** 2 + error ** 2) ** 0.5, 5e-5) else ''
            print(f'| {name} | {figure} | {was:.4f} ± {was_error:.4f} | {now:.4f} ± {error:.4f}{worse} |')


main()
