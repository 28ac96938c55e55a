#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The tables of doc/grid_study.md, from what run.sh has put into a folder.

    tables.py FOLDER                prints them as Markdown
    tables.py FOLDER --into FILE    writes each into FILE, between the lines
                                    <!-- table: NAME --> and <!-- end -->

A table without its file stays as it is.
"""

import csv
import pathlib
import re
import sys


def read(path):
    """The rows of a file by (part, variant, x); the row of all hosts has the x 'all'."""
    with open(path, encoding='utf-8', newline='') as file:
        return {(row['part'], row['variant'], row['x']): row for row in csv.DictReader(file)}


def table(head, rows):
    lines = [head, ['---'] * len(head)] + rows
    return ''.join('| ' + ' | '.join(line) + ' |\n' for line in lines)


def figure(row, name, digits):
    """A mean and its margin: half of the confidence interval, 95 %."""
    mean, margin = float(row[name]), float(row[f'{name}_ci'])
    text = f'{mean:.{digits}f} ± {margin:.{digits}f}'
    return text if mean >= 0 or float(f'{mean:.{digits}f}') != 0 else text[1:]  # what is shown as 0 has no sign


def variants(rows, part):
    return list(dict.fromkeys(key[1] for key in rows if key[0] == part))


def places(rows, part):
    return list(dict.fromkeys(key[2] for key in rows if key[0] == part))


# ---- The tables ----


def quorum(rows):
    names = variants(rows, 'delay bound')
    columns = [(f'{title}, {name}', name, merit, digits) for merit, title, digits in
               (('p95_hours', '95 %', 0), ('copies_per_unit', 'copies', 2)) for name in names]
    return table(['days'] + [column[0] for column in columns],
                 [[x] + [figure(rows['delay bound', name, x], merit, digits) for _, name, merit, digits in columns]
                  for x in places(rows, 'delay bound')])


def closed_forms(rows):
    """What came out, and the closed form."""
    lines = []
    for name in variants(rows, 'closed forms'):
        line = [name]
        for x in places(rows, 'closed forms'):
            row = rows['closed forms', name, x]
            line.append(f'{float(row["wrong_accepted"]):.4f} ({float(row["exact"]):.4f})')
        lines.append(line)
    return table(['', *places(rows, 'closed forms')], lines)


def methods(rows):
    lines = []
    for name in variants(rows, 'always'):
        line = [name]
        for part in ('always', 'one in ten'):
            row = rows[part, name, '0.1']
            line += [figure(row, 'wrong_accepted', 4), figure(row, 'operations', 2), figure(row, 'caught', 2)]
        lines.append(line)
    return table(['of 0.1 saboteurs'] + [f'{title}, {part}' for part in ('always', 'one in ten')
                                         for title in ('wrong', 'operations', 'caught')], lines)


def method_differences(rows):
    """How much more each method lets pass and costs than two equal results with the same hosts."""
    lines = []
    for name in variants(rows, 'always'):
        line = [name]
        for part in ('always', 'one in ten'):
            row = rows[part, name, '0.1']
            line += [figure(row, 'wrong_accepted', 4), figure(row, 'operations', 2)]
        lines.append(line)
    return table(['less 2 equal'] + [f'{title}, {part}' for part in ('always', 'one in ten')
                                     for title in ('wrong', 'operations')], lines)


def policies(rows):
    lines = []
    for part in dict.fromkeys(key[0] for key in rows):
        for name in variants(rows, part):
            row = rows[part, name, 'all']
            lines.append([part, name, *(figure(row, merit, 3) for merit in ('waste', 'idleness', 'share_violation')),
                          *(f'{float(rows[part, name, x]["waste"]):.3f}' for x in ('10', '50', '90'))])
    return table(['', 'policy', 'waste', 'idleness', 'share violation', 'waste, 10 %', '50 %', '90 %'], lines)


def policy_differences(rows):
    lines = []
    for (part, name, x), row in rows.items():
        if x == 'all':
            lines.append([part, f'{name} - {row["baseline"]}',
                          *(figure(row, merit, 3) for merit in ('waste', 'idleness', 'share_violation'))])
    return table(['', 'difference', 'waste', 'idleness', 'share violation'], lines)


def hosts_better(rows):
    return table(['', 'policy', 'hosts that waste less', 'hosts that waste more'],
                 [[part, name, figure(row, 'less_waste', 2), figure(row, 'more_waste', 2)]
                  for (part, name, x), row in rows.items() if x == 'all' and row['less_waste'] != 'NaN'])


def steady(rows):
    return table(['K_wait', 'duplicates per unit', 'window, jobs', 'span, hours', 'units per day', 'useful'],
                 [[x, figure(row, 'duplicates', 3), figure(row, 'window', 0), figure(row, 'span_hours', 0),
                   figure(row, 'units_per_day', 0), figure(row, 'useful', 3)]
                  for (part, _, x), row in rows.items() if part == 'steady'])


def batch(rows):
    """Of batches that were not done with some seed, the makespan is not known."""
    names = variants(rows, 'batch')
    lines = []
    for x in places(rows, 'batch'):
        line = [x]
        for merit, digits in (('duplicates', 3), ('makespan_days', 1), ('tail_days', 1)):
            line += ['-' if merit != 'duplicates' and row['finished'] != '1' else figure(row, merit, digits)
                     for row in (rows['batch', name, x] for name in names)]
        lines.append(line)
    return table(['K_wait'] + [f'{title}, {name}' for title in ('duplicates', 'makespan', 'tail') for name in names],
                 lines)


TABLES = {
    'quorum': ('quorum.csv', quorum),
    'closed forms': ('verification.csv', closed_forms),
    'methods': ('verification.csv', methods),
    'method differences': ('verification_differences.csv', method_differences),
    'policies': ('policies.csv', policies),
    'policy differences': ('policies_differences.csv', policy_differences),
    'steady': ('dispatch.csv', steady),
    'batch': ('dispatch.csv', batch),
    'hosts': ('policies.csv', hosts_better),
}


def tables_of(folder):
    """The text of each table that has its file."""
    paths = {name: pathlib.Path(folder, file) for name, (file, _) in TABLES.items()}
    return {name: TABLES[name][1](read(path)) for name, path in paths.items() if path.exists()}


def write_into(text, made):
    """The text with each table in its place."""
    def put(match):
        return f'{match[1]}\n{made[match[2]]}\n{match[3]}' if match[2] in made else match[0]
    return re.sub(r'(<!-- table: ([\w ]+) -->\n).*?(<!-- end -->)', put, text, flags=re.DOTALL)


def main(arguments):
    if len(arguments) == 1:
        print('\n'.join(f'{name}\n\n{text}' for name, text in tables_of(arguments[0]).items()), end='')
    elif len(arguments) == 3 and arguments[1] == '--into':
        page = pathlib.Path(arguments[2])
        page.write_text(write_into(page.read_text(encoding='utf-8'), tables_of(arguments[0])), encoding='utf-8')
    else:
        raise SystemExit(__doc__)


if __name__ == '__main__':
    main(sys.argv[1:])
