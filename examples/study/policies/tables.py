#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tables of what policy_study has written: each policy beside the first one, host by host.

    tables.py FILE...                       prints them as text, a table for each population
    tables.py --kinds FILE...               also by kind of host
    tables.py --keep FOLDER FILE...         writes means.csv and quantiles.csv into FOLDER, which take little room
    tables.py --into PAGE FOLDER/means.csv  writes Markdown into PAGE, between the lines
                                            <!-- table: POPULATION --> and <!-- end -->,
                                            or <!-- table: POPULATION by kind of FIGURE -->

A FILE has the rows of policy_study, or is a means.csv. Several files with the same population and first policy, such as
parts of it or other policies, are taken together. Of a population that several means.csv have, the last one counts.

A mean counts the hosts on which both policies have a value. The difference from the first policy, and the ratio of the
two means, are of these pairs, with standard errors. Calls and given-up jobs are pooled: all calls of all hosts for each
job that they report.
"""

import argparse
import csv
import math
import pathlib
import re
import statistics


# ---- Figures of one host ----

def with_jobs(name):
    """A figure that a host has if it got a job, and if it is defined at all."""
    return lambda row: row[name] if row['jobs'] > 0 and row[name] >= 0 else None


def above_least(row):
    """Share violation above the least possible, on hosts with GPUs."""
    violation, least = with_jobs('share_violation')(row), row.get('least_violation', -1)
    return violation - least if violation is not None and least >= 0 else None


FIGURES = {
    'lost': with_jobs('lost'),
    'share violation': with_jobs('share_violation'),
    'violation above the least': above_least,
    'idle': lambda row: row['idle'],
    'reported late': with_jobs('reported_late'),
    'stops a job': lambda row: row['stops'] / row['jobs'] if row['jobs'] > 0 else None,
    'size': with_jobs('size'),
}
WORST = ('lost', 'share violation')
SHOWN_BY_KIND = ('lost', 'share violation', 'idle', 'reported late', 'calls a job')
POOLED = {'calls a job': 'calls', 'given up a job': 'given_up'}


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


# ---- Of many hosts ----

def mean_and_error(values):
    mean = sum(values) / len(values)
    return mean, statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else 0.0


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


def worst_tenth(values):
    """The mean of the worst tenth, at least of one."""
    worst = sorted(values, reverse=True)[:max(1, len(values) // 10)]
    return sum(worst) / len(worst)


def line_of(name, value, hosts, **more):
    return {'figure': name, 'value': value, 'hosts': hosts, 'ratio': None, 'ratio_error': None, 'difference': None,
            'difference_error': None, **more}


def lines_of_means(base, other):
    for name, figure in FIGURES.items():
        values = pairs(base, other, figure)
        if not values:
            continue
        was, is_now = (sum(column) / len(values) for column in zip(*values))
        difference, error = mean_and_error([y - x for x, y in values])
        yield line_of(name, is_now, len(values), ratio=ratio(is_now, was), ratio_error=ratio_error(values),
                      difference=difference, difference_error=error)
        if name in WORST:
            was, is_now = (worst_tenth(column) for column in zip(*values))
            yield line_of(f'{name}, worst tenth', is_now, len(values), ratio=ratio(is_now, was))


def lines_of_pools(base, other, hosts):
    for name, column in POOLED.items():
        was, is_now = (sum(rows[host][column] for host in hosts) / max(1, sum(rows[host]['jobs'] for host in hosts))
                       for rows in (base, other))
        yield line_of(name, is_now, len(hosts), ratio=ratio(is_now, was))


def summary(base, other):
    """What is known of a policy beside the first one."""
    hosts = sorted(base.keys() & other.keys())
    lines = [*lines_of_means(base, other), *lines_of_pools(base, other, hosts)]
    lines.append(line_of('hosts without a job', sum(other[host]['jobs'] == 0 for host in hosts), len(hosts)))
    lines.append(line_of('hosts idler by > .01', sum(other[host]['idle'] > base[host]['idle'] + 0.01
                                                     for host in hosts), len(hosts)))
    return lines


def by_kind(base, other):
    for of in KINDS:
        groups = {}
        for host in base.keys() & other.keys():
            groups.setdefault(of(base[host]), []).append(host)
        for name, hosts in sorted(groups.items()):
            lines = summary({host: base[host] for host in hosts}, {host: other[host] for host in hosts})
            yield from ({**line, 'kind': name} for line in lines if line['figure'] in SHOWN_BY_KIND)


# ---- Files ----

def read_hosts(file):
    """Of each population, each policy in order: its rows by the number of the host."""
    populations = {}
    for row in csv.DictReader(file):
        values = {key: float(value) for key, value in row.items() if key not in ('population', 'policy')}
        policies = populations.setdefault(row['population'], {})
        policies.setdefault(row['policy'], {})[int(row['host'])] = values
    return populations


COLUMNS = ('population', 'kind', 'policy', 'figure', 'hosts', 'value', 'ratio', 'ratio_error', 'difference',
           'difference_error')


def read_means(file):
    texts = COLUMNS[:4]
    return [{key: value if key in texts else float(value) if value else None for key, value in row.items()}
            for row in csv.DictReader(file)]


def merge(into, populations):
    for population, policies in populations.items():
        for policy, rows in policies.items():
            into.setdefault(population, {}).setdefault(policy, {}).update(rows)


def without(lines, populations):
    return [line for line in lines if line['population'] not in populations]


def read(paths):
    """The rows of all hosts, and lines that were summed up before."""
    populations, lines = {}, []
    for path in paths:
        with open(path, encoding='utf-8', newline='') as file:
            if 'figure' in file.readline().rstrip('\r\n').split(','):
                file.seek(0)
                new = read_means(file)
                lines = without(lines, {line['population'] for line in new}) + new
            else:
                file.seek(0)
                merge(populations, read_hosts(file))
    return populations, lines


def sum_up(populations):
    lines = []
    for population, policies in populations.items():
        base = policies[next(iter(policies))]
        for policy, rows in policies.items():
            found = [{**line, 'kind': 'all'} for line in summary(base, rows)] + list(by_kind(base, rows))
            lines += [{'population': population, 'policy': policy, **line} for line in found]
    return lines


def number(value):
    return '' if value is None else f'{value:.5g}'


def keep_means(lines, path):
    with open(path, 'w', encoding='utf-8', newline='') as file:
        writer = csv.writer(file, lineterminator='\n')
        writer.writerow(COLUMNS)
        writer.writerows([line[key] if key in COLUMNS[:4] else number(line[key]) for key in COLUMNS]
                         for line in lines)


def keep_quantiles(populations, path):
    """What so many percent of the hosts lose, or less; the pictures show it."""
    with open(path, 'w', encoding='utf-8', newline='') as file:
        writer = csv.writer(file, lineterminator='\n')
        writer.writerow(('population', 'policy', 'percent', *FIGURES))
        for population, policies in populations.items():
            for policy, rows in policies.items():
                known = [sorted(value for value in map(figure, rows.values()) if value is not None)
                         for figure in FIGURES.values()]
                for percent in range(101):
                    writer.writerow((population, policy, percent, *(
                        number(values[round(percent / 100 * (len(values) - 1))]) if values else 'NaN'
                        for values in known)))


# ---- Tables ----

def text_cell(line):
    if line['ratio'] is None:
        return f'{line["value"]:g}'
    text = f'{line["value"]:.4f} x{line["ratio"]:.2f}'
    if line['difference'] is None:
        return text
    return f'{text} ({line["difference"]:+.4f}+-{line["difference_error"]:.4f})'


def page_cell(line, is_first):
    """The ratio is left out where it says nothing: of the first policy, and of nothing to nothing."""
    if line['ratio'] is None:
        return f'{line["value"]:g}'
    text = f'{line["value"]:.3f}'
    if is_first or line['ratio'] == math.inf or (line['value'] == 0 and line['ratio'] == 1):
        return text
    error = f' ± {line["ratio_error"]:.2f}' if line['ratio_error'] is not None else ''
    return f'{text}, × {line["ratio"]:.2f}{error}'


def as_text(rows):
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return '\n'.join('  '.join(c.ljust(w) for c, w in zip(row, widths)).rstrip() for row in rows) + '\n'


def as_markdown(rows):
    return '\n'.join('| ' + ' | '.join(row) + ' |' for row in [rows[0], ['---'] * len(rows[0]), *rows[1:]]) + '\n'


def policies_of(lines, population):
    return list(dict.fromkeys(line['policy'] for line in lines if line['population'] == population))


def rows_by_policy(lines, population, cell):
    """A row for each figure, a column for each policy."""
    policies = policies_of(lines, population)
    known = {(line['figure'], line['policy']): line for line in lines
             if line['population'] == population and line['kind'] == 'all'}
    figures = list(dict.fromkeys(figure for figure, _ in known))
    hosts = max(int(line['hosts']) for line in known.values())
    rows = [[f'{hosts} host' + ('s' if hosts != 1 else ''), *policies]]
    for figure in figures:
        rows.append([figure] + [cell(known[figure, policy], policy == policies[0]) if (figure, policy) in known else ''
                                for policy in policies])
    return rows


def rows_by_kind(lines, population, figure, cell):
    """A row for each kind of host, a column for each policy."""
    policies = policies_of(lines, population)
    known = {(line['kind'], line['policy']): line for line in lines
             if line['population'] == population and line['figure'] == figure}
    rows = [['kind of host', 'hosts', *policies]]
    for name in dict.fromkeys(kind_name for kind_name, _ in known):
        of_kind = [known.get((name, policy)) for policy in policies]
        hosts = max(int(line['hosts']) for line in of_kind if line)
        rows.append([name, str(hosts)] + [cell(line, i == 0) if line else '' for i, line in enumerate(of_kind)])
    return rows


def table_for_page(lines, name):
    population, _, figure = name.partition(' by kind of ')
    if population not in {line['population'] for line in lines}:
        return None
    return as_markdown(rows_by_kind(lines, population, figure, page_cell) if figure else
                       rows_by_policy(lines, population, page_cell))


def write_into(text, lines):
    """The text with each table in its place; those of which nothing is known stay."""
    def put(match):
        made = table_for_page(lines, match[2])
        return f'{match[1]}\n{made}\n{match[3]}' if made else match[0]
    return re.sub(r'(<!-- table: ([\w ]+) -->\n).*?(<!-- end -->)', put, text, flags=re.DOTALL)


def print_text(lines, with_kinds):
    for population in dict.fromkeys(line['population'] for line in lines):
        rows = rows_by_policy(lines, population, lambda line, is_first: text_cell(line))
        rows[0][0] = f'{population}, {rows[0][0]}'
        print(as_text(rows))
        for figure in SHOWN_BY_KIND if with_kinds else ():
            rows = rows_by_kind(lines, population, figure, lambda line, is_first: text_cell(line))
            rows[0][0] = figure
            print(as_text(rows))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--kinds', action='store_true', help='also by kind of host')
    parser.add_argument('--keep', metavar='FOLDER', help='write means.csv and quantiles.csv into it')
    parser.add_argument('--into', metavar='PAGE', help='write the tables into it')
    parser.add_argument('files', nargs='+', metavar='FILE')
    arguments = parser.parse_args()
    populations, lines = read(arguments.files)
    lines = without(lines, populations) + sum_up(populations)
    if arguments.keep:
        folder = pathlib.Path(arguments.keep)
        folder.mkdir(parents=True, exist_ok=True)
        keep_means(lines, folder / 'means.csv')
        keep_quantiles(populations, folder / 'quantiles.csv')
    if arguments.into:
        page = pathlib.Path(arguments.into)
        page.write_text(write_into(page.read_text(encoding='utf-8'), lines), encoding='utf-8')
    if not arguments.keep and not arguments.into:
        print_text(lines, arguments.kinds)


if __name__ == '__main__':
    main()
