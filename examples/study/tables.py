#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The tables of doc/study.md, from what run.sh has put into a folder: study.csv, and a sweep for each scenario.

    tables.py FOLDER                prints them as Markdown
    tables.py FOLDER --into FILE    writes each into FILE, between the lines
                                    <!-- table: NAME --> and <!-- end -->
"""

import csv
import pathlib
import re
import sys

import sentences

GOLDEN = pathlib.Path(__file__).with_name('golden.csv')

# How close a mean must come to the mean of the study's program: where its curve is flat, and on its steep parts.
NEAR_FLAT = 0.03
NEAR_STEEP = 0.08
# From one point to the next, in waste or idleness.
STEEP = 0.1

WS1, WS2 = 'CS2_WF2_WS1_JC2', 'CS2_WF2_WS2_JC2'
PROFILES = ('rpc2003', 'study2007', 'current')


def read(path):
    """The rows of a file by (figure, policy, x2, x)."""
    with open(path, encoding='utf-8', newline='') as file:
        lines = [line for line in file if not line.startswith('#')]
    return {(row['figure'], row['policy'], row['x2'], float(row['x'])): row for row in csv.DictReader(lines)}


def read_folder(folder):
    """The rows of study.csv, of differences.csv by ('FIGURE difference', policy, x2, x), and of the sweeps over
    profiles by (name of the file, profile, '', 0)."""
    rows = read(pathlib.Path(folder, 'study.csv'))
    for key, row in read(pathlib.Path(folder, 'differences.csv')).items():
        rows[(f'{key[0]} difference', *key[1:])] = row
    for path in sorted(pathlib.Path(folder).glob('scenario_*.csv')):
        with open(path, encoding='utf-8', newline='') as file:
            rows |= {(path.stem, row['profile'], '', 0.0): row for row in csv.DictReader(file)}
    return rows


# ---- How close ----


# Figures to compare with the study's program: first the study's subject, then other figures known of its program.
LOSSES = ('waste', 'idleness')
SHARES = ('share_violation',)
TURNS = ('monotony',)


def difference(row, other, merits=LOSSES):
    """The largest distance of two points in any figure of merit."""
    return max(abs(float(row[merit]) - float(other[merit])) for merit in merits)


def tolerance(golden, key, merits=LOSSES):
    """How close one has to come to this point of the study's program."""
    curve = points(golden, *key[:3])
    at = curve.index(key[3])
    neighbours = [golden[key[:3] + (x,)] for x in curve[max(at - 1, 0):at + 2]]
    return NEAR_STEEP if any(difference(golden[key], row, merits) > STEEP for row in neighbours) else NEAR_FLAT


def nearness(study, golden, figure, merits=LOSSES):
    """The number of points of a figure, the keys of the points that are not near, and the key of the farthest."""
    keys = [key for key in golden if key[0] == figure and key in study]
    # Figures have four digits, so a difference of 0.03 is one of 0.0300 at most.
    far = [key for key in keys
           if round(difference(study[key], golden[key], merits), 4) > tolerance(golden, key, merits)]
    return len(keys), far, max(keys, key=lambda key: difference(study[key], golden[key], merits))


def order_is_kept(study, x):
    """Does WS2 waste less than WS1 in figure 5, and idle more?"""
    ws1, ws2 = study['5', WS1, '', x], study['5', WS2, '', x]
    return float(ws2['waste']) < float(ws1['waste']) and float(ws2['idleness']) > float(ws1['idleness'])


# ---- Tables ----


def table(head, rows):
    lines = [head, ['---'] * len(head)] + rows
    return ''.join('| ' + ' | '.join(line) + ' |\n' for line in lines)


def value(rows, key, merit):
    """A figure with three digits; a dash where nothing was reported; empty where there is no such point."""
    if key not in rows:
        return ''
    return '-' if rows[key].get('runs') == '0' else f'{float(rows[key][merit]):.3f}'


def points(study, figure, policy, x2=''):
    """The x of a curve, in order."""
    return sorted(key[3] for key in study if key[:3] == (figure, policy, x2))


def compared(study, golden, figure, columns, x_name, wanted=None):
    """Two columns per (title, policy, x2, merit): the outcome here, and the known points of the study's program."""
    head = [x_name] + [text for title, *_ in columns for text in (title, 'program')]
    rows = []
    for x in points(golden, figure, *columns[0][1:3]):
        if wanted is None or x in wanted:
            keys = [((figure, policy, x2, x), merit) for _, policy, x2, merit in columns]
            rows.append([f'{x:g}'] + [value(source, key, merit) for key, merit in keys for source in (study, golden)])
    return table(head, rows)


# Which part of the policy a figure varies, and what its x and x2 are.
PLACES = {
    '1': (0, '{x:g} projects'),
    '2': (None, 'slack {x:g}'),
    '3': (None, '{x:g} h, slack {x2}'),
    '4': (1, '{x:g} projects'),
    '5': (2, 's = {x:g}'),
    '6': (3, 'f = {x:g}, slack {x2}'),
}


def place(key):
    figure, policy, x2, x = key
    part, where = PLACES[figure]
    return ('' if part is None else policy.split('_')[part] + ', ') + where.format(x=x, x2=x2)


def nearness_of(merits):
    def make(study, golden):
        rows, near, all_of_them = [], 0, 0
        for figure in sorted({key[0] for key in study} & set(PLACES)):
            count, far, farthest = nearness(study, golden, figure, merits)
            rows.append([figure, f'{count - len(far)} of {count}',
                         f'{difference(study[farthest], golden[farthest], merits):.3f}', place(farthest),
                         '; '.join(place(key) for key in far) or '-'])
            near, all_of_them = near + count - len(far), all_of_them + count
        rows.append(['all', f'{near} of {all_of_them}', '', '', ''])
        return table(['figure', 'close', 'farthest', 'there', 'not close'], rows)
    return make


MIXES = {1, 2, 3, 4, 6, 8, 10, 12, 14, 16, 18, 20}


def figure1(study, golden):
    return compared(study, golden, '1', [
        (f'CS{i} {merit}', f'CS{i}_WF2_WS2_JC2', '5', merit) for merit in ('waste', 'monotony') for i in (1, 2)],
        'projects', MIXES)


def figure2(study, golden):
    return compared(study, golden, '2', [('waste', WS2, '', 'waste'), ('idleness', WS2, '', 'idleness')], 'slack')


def figure3(study, golden):
    return compared(study, golden, '3', [(f'slack {i}', WS2, str(i), 'waste') for i in range(1, 6)], 'hours')


def figure4(study, golden):
    return compared(study, golden, '4', [
        (f'WF{i} {name}', f'CS2_WF{i}_WS2_JC2', '5', merit)
        for merit, name in (('waste', 'waste'), ('share_violation', 'share violation')) for i in (1, 2)],
        'projects', MIXES)


def figure5(study, golden):
    return compared(study, golden, '5', [
        (f'{name} {merit}', policy, '', merit)
        for merit in ('waste', 'idleness') for name, policy in (('WS1', WS1), ('WS2', WS2))], 's')


def figure5now(study, golden):
    head = ['s', 'waste', 'WS2 from the start', 'idleness', 'WS2 from the start']
    return table(head, [[f'{x:g}'] + [value(study, (figure, WS2, '', x), merit)
                                      for merit in ('waste', 'idleness') for figure in ('5now', '5')]
                        for x in points(golden, '5', WS2)])


def figure6(study, golden):
    columns = [(f'JC{i}, slack {x2}', f'CS2_WF2_WS2_JC{i}', x2, 'waste') for x2 in ('10', '8') for i in (1, 2)]
    return compared(study, golden, '6', columns, 'f')


def said(study, golden):
    return table(['S2', 'says', 'here', 'its program', 'true'],
                 list(sentences.compare({key: row for key, row in study.items() if key in golden}, golden)))


def profiles(figure, x2, x_name, merits, wanted):
    def make(study, _golden):
        head = [x_name] + [f'{name} {profile}' if name else profile for name, _ in merits for profile in PROFILES]
        return table(head, [
            [f'{x:g}'] + [value(study, (figure, profile, x2, x), merit) for _, merit in merits for profile in PROFILES]
            for x in points(study, figure, 'current', x2) if x in wanted])
    return make


def choice(figure, policies, x_name, merits):
    def make(study, _golden):
        head = [x_name] + [f'{name}, {policy}' for name, _ in merits for policy in policies]
        return table(head, [
            [f'{x:g}'] + [value(study, (figure, policy, '', x), merit) for _, merit in merits for policy in policies]
            for x in points(study, figure, policies[0])])
    return make


def scenario(name):
    def make(study, _golden):
        merits = ('waste', 'idleness', 'share_violation', 'monotony', 'rpcs_per_job')
        head = ['profile', 'waste', 'idleness', 'share violation', 'monotony', 'calls per job', 'in time', 'late']
        rows = [(profile, (f'scenario_{name}', profile, '', 0.0)) for profile in PROFILES]
        return table(head, [[profile] + [value(study, key, merit) for merit in merits] +
                            [study[key]['in_time'], study[key]['late']] for profile, key in rows if key in study])
    return make


# Comparisons by figure and policy: a name, and the figures of merit that are drawn.
PAIRS = {
    ('1', 'CS2_WF2_WS2_JC2'): ('CS2 - CS1', ('waste', 'monotony')),
    ('4', 'CS2_WF2_WS2_JC2'): ('WF2 - WF1', ('waste', 'share_violation')),
    ('5', WS2): ('WS2 - WS1', ('waste', 'idleness')),
    ('5now', WS2): ('WS2 from now - WS1', ('waste', 'idleness')),
    ('6', 'CS2_WF2_WS2_JC2'): ('JC2 - JC1', ('waste',)),
    ('slack', 'rpc2003'): ('rpc2003 - current', ('waste', 'idleness')),
    ('slack', 'study2007'): ('study2007 - current', ('waste', 'idleness')),
    ('mix', 'rpc2003'): ('rpc2003 - current', ('waste', 'share_violation')),
    ('mix', 'study2007'): ('study2007 - current', ('waste', 'share_violation')),
    ('buffer', 'rpc2003'): ('rpc2003 - current', ('waste', 'idleness')),
    ('buffer', 'study2007'): ('study2007 - current', ('waste', 'idleness')),
    ('error', 'rpc2003'): ('rpc2003 - current', ('waste', 'idleness')),
    ('error', 'study2007'): ('study2007 - current', ('waste', 'idleness')),
    ('calls', 'original'): ('without - with hysteresis', ('rpcs_per_job', 'monotony')),
    ('accounting', 'local'): ('local - global', ('share_violation',)),
}


def verdict(row, merit):
    """-1 or 1 if the whole confidence interval of a difference is below or above 0, else 0."""
    mean, margin = float(row[merit]), float(row[f'{merit}_ci'])
    return 0 if abs(mean) <= margin else -1 if mean < 0 else 1


def pairs_table(study, _golden):
    rows = []
    for (figure, policy), (name, merits) in PAIRS.items():
        curve = [(key, row) for key, row in study.items()
                 if key[:2] == (f'{figure} difference', policy) and int(row['runs']) > 1]
        for merit in merits:
            verdicts = [verdict(row, merit) for _, row in curve]
            key, most = max(curve, key=lambda point: abs(float(point[1][merit])))  # pylint: disable=W0640
            where = f'{key[3]:g}' + (f', slack {key[2]}' if figure == '6' else '')
            greatest = f'{float(most[merit]):+.3f} ± {float(most[f"{merit}_ci"]):.3f}'
            rows.append([figure, name, merit.replace('_', ' '), str(len(curve)), str(verdicts.count(-1)),
                         str(verdicts.count(1)), greatest, where])
    return table(['figure', 'difference', 'of', 'points', 'less', 'more', 'greatest', 'at'], rows)


LOSS_COLUMNS = (('waste', 'waste'), ('idle', 'idleness'), ('calls', 'rpcs_per_job'))
FAIRNESS = (('waste', 'waste'), ('share violation', 'share_violation'), ('calls', 'rpcs_per_job'))

TABLES = {
    'nearness': nearness_of(LOSSES),
    'nearness of share violation': nearness_of(SHARES),
    'nearness of monotony': nearness_of(TURNS),
    'figure 1': figure1,
    'figure 2': figure2,
    'figure 3': figure3,
    'figure 4': figure4,
    'figure 5': figure5,
    'figure 5 from now': figure5now,
    'figure 6': figure6,
    'sentences': said,
    'slack': profiles('slack', '', 'slack', LOSS_COLUMNS, {1, 1.5, 2, 3, 4, 5, 6, 8, 10, 20, 40, 60}),
    'mix': profiles('mix', '5', 'projects', FAIRNESS, MIXES),
    'buffer': profiles('buffer', '5', 'hours', LOSS_COLUMNS, {1, 2, 4, 8.4, 12, 16, 20, 24, 36, 48}),
    'error': profiles('error', '10', 'f', LOSS_COLUMNS, set(range(1, 11))),
    'calls': choice('calls', ('current', 'original'), 'projects',
                    (('calls per job', 'rpcs_per_job'), ('monotony', 'monotony'),
                     ('share violation', 'share_violation'))),
    'accounting': choice('accounting', ('global', 'local'), 'GPU / CPU', (('share violation', 'share_violation'),)),
    'differences': pairs_table,
    'long and short': scenario('long_and_short'),
    'tight and loose': scenario('tight_and_loose'),
    'tight and loose with a short buffer': scenario('short_buffer'),
}


def write_into(text, study, golden):
    """The text with each table in its place."""
    def put(match):
        return f'{match[1]}\n{TABLES[match[2]](study, golden)}\n{match[3]}'
    return re.sub(r'(<!-- table: ([\w ]+) -->\n).*?(<!-- end -->)', put, text, flags=re.DOTALL)


def main(arguments):
    if len(arguments) == 1:
        study, golden = read_folder(arguments[0]), read(GOLDEN)
        print('\n'.join(f'{name}\n\n{make(study, golden)}' for name, make in TABLES.items()), end='')
    elif len(arguments) == 3 and arguments[1] == '--into':
        page = pathlib.Path(arguments[2])
        text = write_into(page.read_text(encoding='utf-8'), read_folder(arguments[0]), read(GOLDEN))
        page.write_text(text, encoding='utf-8')
    else:
        raise SystemExit(__doc__)


if __name__ == '__main__':
    main(sys.argv[1:])
