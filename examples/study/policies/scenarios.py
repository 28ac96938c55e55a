#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Policies compared on scenarios that are not drawn: five hosts, axes of the study, and a grid.

    scenarios.py [-n SEEDS] VCEMU SET POLICY...

Emulates each scenario of the SET with SEEDS seeds under each POLICY, by `vcemu sweep`, and writes means as tables.py
keeps them. The kind of host is the scenario. A POLICY is written as for policy_study: [NAME:] PROFILE[,
PARAMETER=VALUE...]; the first is what the others are compared with, seed by seed.

    five   the five hosts of doc/figures.md: tests/bench/hosts
    axes   a host of the study of 2007, with little slack, many projects, wrong estimates, rare connections and so on
    grid   300 hosts, which are off by turns, and two projects, which want two copies of each unit
"""

import argparse
import csv
import json
import pathlib
import subprocess
import sys

import tables

ROOT = pathlib.Path(__file__).parents[3]
HOUR, DAY = 3600, 86400

# ---- The scenarios ----

RUN = 1.3e4
"""Run time of the study's jobs, s."""


def host(projects, available=0.8, more=''):
    """The study's host; each project is (share, run time, latency bound, keys of its jobs)."""
    text = f'[host]\ncpus = 2\nflops = 1e9\navailable = {available}\navailable_mean = 1000\n{more}'
    for i, (share, run, bound, keys) in enumerate(projects):
        text += (f'[project P{i}]\nshare = {share}\n[app P{i}/A]\nest_flops = {run * 1e9}\nlatency_bound = {bound}\n'
                 f'{keys}')
    return text + f'[emulation]\nduration = {100 * DAY}\n'


def mix(count, slack):
    """Projects with jobs of i times the length, bound and share."""
    return host([(100 * i, RUN * i, RUN * i * slack, '') for i in range(1, count + 1)])


AXES = {
    **{f'slack {slack:g}': host([(100, RUN, RUN * slack, '')]) for slack in (1.5, 2, 3, 5)},
    **{f'{count} projects': mix(count, 5) for count in (5, 20)},
    **{f'on for {part:g}': host([(100, RUN, RUN * 5, '')], part) for part in (0.3, 0.5)},
    **{f'jobs {factor} times as long as said': host([(100, RUN, RUN * 10, f'mean_flops = {RUN * factor * 1e9}\n')])
       for factor in (2, 4)},
    'connected every 2 days': host([(100, RUN * i, 6 * DAY, f'distribution = normal\nsd_flops = {RUN * i * 5e8}\n')
                                    for i in (1, 10)], more=f'connection_interval = {2 * DAY}\n'),
}

HOSTS = 300
GRID = f"""[emulation]
duration = {60 * DAY}
[project tight]
[server tight]
est_flops = 2e13
delay_bound = {12 * HOUR}
min_quorum = 2
[project roomy]
[server roomy]
est_flops = 4e13
delay_bound = {6 * DAY}
min_quorum = 2
[population home]
count = 200
cpus = 2
flops = 2e9
speed_sd = 0.5
available = 0.5
available_mean = {4 * HOUR}
[population often]
count = 100
cpus = 4
flops = 4e9
speed_sd = 0.5
available = 0.8
available_mean = {24 * HOUR}
"""


def scenarios_of(name):
    """The scenarios of a set: the name of each, and the file of it, or its text."""
    if name == 'five':
        return {path.stem: path for path in sorted((ROOT / 'tests/bench/hosts').glob('*.ini'))}
    return AXES if name == 'axes' else {'all': GRID}


# ---- Their figures ----

def of_host(row):
    """Waste is a part of the available time here, so it takes the place of what is lost."""
    reported = row['in_time'] + row['late']
    return {
        'lost': row['waste'] if reported else None,
        'share violation': row['share_violation'] if reported else None,
        'idle': row['idleness'],
        'stops a job': row['stops'] / reported if reported else None,
        'calls a job': row['calls'] / reported if reported else None,
        'given up a job': row['given_up'] / reported if reported else None,
    }


HOST_FIELDS = ('waste', 'share_violation', 'idleness', 'in_time', 'late', 'stops', 'calls', 'given_up')

OF_PROJECTS = {
    'units done a day': ('throughput', 1), 'turnaround, h': ('turnaround_mean', HOUR),
    'of 95 %, h': ('turnaround_p95', HOUR), 'copies a unit': ('copies_per_unit', 1),
    'useful operations': ('flops_fraction_useful', 1), 'calls a result': ('calls_per_result', 1),
}
OF_UNITS = {'changes a unit': 'changes', 'late or given up a unit': 'no_reply'}
"""What servers have to do: changes are of the records in their database."""


def of_grid(row):
    """The figures of the hosts, of each population, and of each project."""
    figures = {'lost': row['lost'], 'at least': row['least_loss'], 'idle': row['idleness']}
    for population in ('home', 'often'):
        of_hosts = {name: row[f'population.{population}.{name}'] for name in HOSTS_FIELDS}
        figures[f'{population}: lost'] = of_hosts['lost']
        figures[f'{population}: lost beyond the bound'] = of_hosts['beyond_bound']
        figures[f'{population}: share violation'] = of_hosts['share_violation_mean']
    for project in ('tight', 'roomy'):
        for label, (field, divisor) in OF_PROJECTS.items():
            figures[f'{project}: {label}'] = row[f'project.{project}.{field}'] / divisor
        for label, field in OF_UNITS.items():
            figures[f'{project}: {label}'] = row[f'project.{project}.{field}'] / row[f'project.{project}.done']
    return figures


HOSTS_FIELDS = ('lost', 'beyond_bound', 'share_violation_mean')
GRID_FIELDS = (
    *(f'project.{field}' for field in (*(field for field, _ in OF_PROJECTS.values()), *OF_UNITS.values(), 'done')),
    *(f'population.{field}' for field in HOSTS_FIELDS), 'lost', 'least_loss', 'idleness')


# ---- Emulation ----

def sweep(vcemu, scenario, policy, seeds, fields):
    """The figures of each seed."""
    profile, *changes = [part.strip() for part in policy.split(',')]
    options = [option for change in changes for option in ('--set', change)]
    is_file = isinstance(scenario, pathlib.Path)
    result = subprocess.run(
        [vcemu, 'sweep', scenario if is_file else '-', '--json', '--each-seed', '--seeds', str(seeds), '--profile',
         profile, *options, '--figures', ','.join(fields)],
        input=None if is_file else scenario, stdout=subprocess.PIPE, text=True, check=True)
    return [json.loads(line) for line in result.stdout.splitlines()]


def name_and_policy(text):
    """The name of a policy, and what it is."""
    name, _, policy = text.partition(':')
    return (name.strip(), policy.strip()) if policy else (text.split(',')[0].strip(), text)


def compare(rows, base, hosts):
    """Lines of means over the seeds, and of what differs from the first policy."""
    for figure in base[0]:
        pairs = [(was[figure], is_now[figure]) for was, is_now in zip(base, rows)
                 if None not in (was[figure], is_now[figure])]
        if not pairs:
            continue
        was, is_now = (sum(column) / len(pairs) for column in zip(*pairs))
        difference, error = tables.mean_and_error([y - x for x, y in pairs])
        yield tables.line_of(figure, is_now, hosts, ratio=tables.ratio(is_now, was),
                             ratio_error=tables.ratio_error(pairs), difference=difference, difference_error=error)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('-n', type=int, default=8, metavar='SEEDS', help='seeds of each scenario; default: 8')
    parser.add_argument('vcemu')
    parser.add_argument('set', choices=('five', 'axes', 'grid'))
    parser.add_argument('policies', nargs='+', metavar='POLICY')
    arguments = parser.parse_args()
    figures_of, fields = (of_grid, GRID_FIELDS) if arguments.set == 'grid' else (of_host, HOST_FIELDS)
    writer = csv.writer(sys.stdout, lineterminator='\n')
    writer.writerow(tables.COLUMNS)
    base = {}
    for name, policy in map(name_and_policy, arguments.policies):
        known = {kind: [figures_of(row) for row in sweep(arguments.vcemu, scenario, policy, arguments.n, fields)]
                 for kind, scenario in scenarios_of(arguments.set).items()}
        known = {'all': [row for rows in known.values() for row in rows], **known}
        base = base or known
        lines = [{**line, 'kind': kind} for kind, rows in known.items()
                 for line in compare(rows, base[kind], len(rows) * (HOSTS if arguments.set == 'grid' else 1))]
        for line in lines:
            line.update(population=arguments.set, policy=name)
            writer.writerow([line[key] if key in tables.COLUMNS[:4] else tables.number(line[key])
                             for key in tables.COLUMNS])


if __name__ == '__main__':
    main()
