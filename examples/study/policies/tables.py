#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tables of what policy_study has written: each policy beside the first one, host by host.

    tables.py FILE...                 prints them as text, a table for each population
    tables.py --kinds FILE...         also by kind of host
    tables.py --markdown FILE...      as Markdown

A mean counts the hosts on which both policies have a value; the difference from the first policy is paired, host by
host, and stands with its standard error. Calls and given-up jobs are pooled: all calls of all hosts for each job that
they report.
"""

import argparse
import csv
import math
import statistics


def read(paths):
    """Of each population, each policy in order: its rows by the number of the host."""
    populations = {}
    for path in paths:
        with open(path, encoding='utf-8', newline='') as file:
            for row in csv.DictReader(file):
                values = {key: float(value) for key, value in row.items() if key not in ('population', 'policy')}
                policies = populations.setdefault(row['population'], {})
                policies.setdefault(row['policy'], {})[int(row['host'])] = values
    return populations


# ---- Figures of one host ----

def always(name):
    return lambda row: row[name]


def with_jobs(name):
    """A figure that a host has if it got a job, and if it is defined at all."""
    return lambda row: row[name] if row['jobs'] > 0 and row[name] >= 0 else None


def stops(row):
    return row['stops'] / row['jobs'] if row['jobs'] > 0 else None


MEANS = (('lost', with_jobs('lost')), ('share violation', with_jobs('share_violation')), ('idle', always('idle')),
         ('reported late', with_jobs('reported_late')), ('stops', stops), ('size', with_jobs('size')))
POOLED = (('calls', 'calls'), ('given up', 'given_up'))
WORST = ('lost', 'share violation')


# ---- Of many ----

def mean_and_error(values):
    mean = sum(values) / len(values)
    error = statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else 0.0
    return mean, error


def pairs(base, other, figure):
    """The values of a figure on the hosts where both policies have one."""
    both = ((figure(base[host]), figure(other[host])) for host in sorted(base.keys() & other.keys()))
    return [pair for pair in both if None not in pair]


def ratio(value, base):
    return value / base if base else (1.0 if value == base else math.inf)


def ratio_error(values):
    """The standard error of the ratio of two means of paired values, by linearisation."""
    base, other = (sum(column) / len(values) for column in zip(*values))
    if len(values) < 2 or not base:
        return 0.0
    rest = [y - other / base * x for x, y in values]
    return mean_and_error(rest)[1] / base


def worst_decile(values):
    """The mean of the worst tenth, at least of one."""
    worst = sorted(values, reverse=True)[:max(1, len(values) // 10)]
    return sum(worst) / len(worst)


def pooled(rows, name):
    jobs = sum(row['jobs'] for row in rows)
    return sum(row[name] for row in rows) / jobs if jobs else math.nan


def summary(base, other):
    """What is known of a policy beside the first one, as (name, figure, ratio, difference, its error)."""
    lines = []
    for name, figure in MEANS:
        values = pairs(base, other, figure)
        if not values:
            continue
        (was, _), (is_now, _) = mean_and_error([x for x, _ in values]), mean_and_error([y for _, y in values])
        difference, error = mean_and_error([y - x for x, y in values])
        lines.append((name, is_now, ratio(is_now, was), difference, error))
        if name in WORST:
            was, is_now = (worst_decile(column) for column in zip(*values))
            lines.append((f'{name}, worst tenth', is_now, ratio(is_now, was), None, None))
    hosts = sorted(base.keys() & other.keys())
    for name, column in POOLED:
        was, is_now = (pooled([rows[host] for host in hosts], column) for rows in (base, other))
        lines.append((f'{name} a job', is_now, ratio(is_now, was), None, None))
    without = sum(other[host]['jobs'] == 0 for host in hosts)
    idler = sum(other[host]['idle'] > base[host]['idle'] + 0.01 for host in hosts)
    lines += [('hosts without a job', without, None, None, None), ('idler by > .01', idler, None, None, None)]
    return lines


# ---- Kinds of hosts ----

def kind(name, *limits):
    """Hosts by a column, in the ranges between some limits."""
    def of(row):
        index = sum(row[name] > limit for limit in limits)
        if index == 0:
            return f'{name} <= {limits[0]:g}'
        return f'{name} > {limits[index - 1]:g}' + (f', <= {limits[index]:g}' if index < len(limits) else '')
    return of


KINDS = (kind('projects', 1, 5), kind('processors', 1, 4), kind('available', 0.5, 0.999), kind('spell', 14400),
         kind('spread', 0, 0.5), kind('min_buffer', 8640))


def by_kind(base, other):
    for of in KINDS:
        groups = {}
        for host in base.keys() & other.keys():
            groups.setdefault(of(base[host]), []).append(host)
        for name, hosts in sorted(groups.items()):
            yield (f'{name} ({len(hosts)})',
                   summary({host: base[host] for host in hosts}, {host: other[host] for host in hosts}))


# ---- As text ----

def cell(line):
    _, value, part, difference, error = line
    if part is None:
        return f'{value:g}'
    text = f'{value:.4f} x{part:.2f}'
    return text if difference is None else f'{text} ({difference:+.4f}+-{error:.4f})'


def table(rows, markdown):
    if markdown:
        lines = [rows[0], ['---'] * len(rows[0])] + rows[1:]
        return '\n'.join('| ' + ' | '.join(line) + ' |' for line in lines) + '\n'
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return '\n'.join('  '.join(c.ljust(w) for c, w in zip(row, widths)).rstrip() for row in rows) + '\n'


def text_of(name, policies, arguments):
    first = next(iter(policies))
    base = policies[first]
    of_all = {policy: summary(base, rows) for policy, rows in policies.items()}
    rows = [[f'{name}, {len(base)} hosts'] + list(of_all)]
    for i, line in enumerate(of_all[first]):
        rows.append([line[0]] + [cell(lines[i]) for lines in of_all.values()])
    text = table(rows, arguments.markdown)
    for policy, others in policies.items():
        if arguments.kinds and policy != first:
            groups = list(by_kind(base, others))
            names = [line[0] for line in groups[0][1] if line[2] is not None]
            rows = [[policy] + names]
            for group, lines in groups:
                known = {line[0]: f'{line[1]:.4f} x{line[2]:.2f}' for line in lines if line[2] is not None}
                rows.append([group] + [known.get(line, '') for line in names])
            text += '\n' + table(rows, arguments.markdown)
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n', maxsplit=1)[0])
    parser.add_argument('--kinds', action='store_true', help='also by kind of host')
    parser.add_argument('--markdown', action='store_true', help='as Markdown')
    parser.add_argument('files', nargs='+', metavar='FILE')
    arguments = parser.parse_args()
    print('\n'.join(text_of(name, policies, arguments) for name, policies in read(arguments.files).items()), end='')


if __name__ == '__main__':
    main()
