#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the trace of an emulation as a picture: a timeline for each instance, the shares of the projects until then,
and the calls of servers.

    vcemu run examples/scenarios/unreliable.ini --days 4 --trace trace.csv --json > outcome.json
    python3 examples/study/timeline_svg.py trace.csv outcome.json > doc/timeline.svg

`vcemu run --timeline` draws a page to zoom into; this is the small still picture of the README.
"""

import bisect
import csv
import itertools
import json
import sys
from xml.sax.saxutils import escape

HOUR = 3600
LEFT, RIGHT = 64, 12
WIDTH = 900
TIMELINE, GAP = 22, 4
MOST_OF_TIMELINES = 420
SHARES = 44
COLOURS = ('#4878a8', '#e08a2e', '#5b9a57', '#a0618f', '#8c6d46')
MERITS = (('waste', 'waste'), ('idleness', 'idleness'), ('share violation', 'share_violation'),
          ('monotony', 'monotony'), ('calls per job', 'rpcs_per_job'))


def read_trace(path):
    with open(path, encoding='utf-8', newline='') as file:
        return [{**row, 'time': float(row['time'])} for row in csv.DictReader(file)]


def spells(rows, begin, end, key, last):
    """Spells from one event to another: first row, and both times."""
    open_rows = {}
    for row in rows:
        if row['event'] in begin:
            open_rows[key(row)] = row
        elif row['event'] in end and key(row) in open_rows:
            first = open_rows.pop(key(row))
            yield first, first['time'], row['time']
    for first in open_rows.values():
        yield first, first['time'], last


class Picture:
    """A drawing over time."""

    def __init__(self, last):
        self.last = last
        self.parts = []

    def x(self, time):
        return LEFT + (WIDTH - LEFT - RIGHT) * time / self.last

    def box(self, begin, end, y, height, fill):
        x, width = self.x(begin), self.x(end) - self.x(begin)
        self.parts.append(f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{height}" fill="{fill}"/>')

    def label(self, x, y, text, anchor='start'):
        self.parts.append(f'<text x="{x:.1f}" y="{y}" text-anchor="{anchor}">{escape(text)}</text>')

    def circle(self, x, y, colour, filled):
        self.parts.append(f'<circle cx="{x:.1f}" cy="{y}" r="3" stroke="{colour}" '
                          f'fill="{colour if filled else "#ffffff"}"/>')

    def text(self, height):
        return '\n'.join([f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
                          'font-family="sans-serif" font-size="12" fill="#333333">',
                          f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>', *self.parts, '</svg>', ''])


def said_of(outcome):
    """The emulation and its figures of merit in a line."""
    parts = [f'profile {outcome["profile"]}', f'seed {outcome["seed"]}', f'{outcome["duration"] / 86400:g} days']
    parts += [f'{name} {"undefined" if outcome[key] is None else format(outcome[key], ".3f")}' for name, key in MERITS]
    return '; '.join(parts)


def draw_legend(picture, colours):
    """Returns the y below the legend."""
    x, y = LEFT, 42
    signs = [*colours.items(), ('host off', '#dddddd'), ('call answered', True), ('call failed', False)]
    for name, sign in signs:
        width = 40 + 7 * len(name)
        if x + width > WIDTH:
            x, y = LEFT, y + 18
        if isinstance(sign, bool):
            picture.circle(x + 6, y - 4, '#333333', sign)
        else:
            picture.parts.append(f'<rect x="{x}" y="{y - 10}" width="12" height="12" fill="{sign}"/>')
        picture.label(x + 17, y, name)
        x += width
    return y + 14


def draw_axis(picture, top, y):
    steps = [hours for days in (1, 10, 100, 1000) for hours in (6 * days, 12 * days, 24 * days)]
    step = next((step for step in steps if picture.last / HOUR / step <= 12), steps[-1])
    for hour in range(0, int(picture.last / HOUR) + 1, step):
        x = picture.x(hour * HOUR)
        text = f'{hour} h' if step < 24 else f'day {hour // 24}'
        picture.parts.append(f'<path d="M{x:.1f} {top} V{y + 4}" stroke="#999999" stroke-width="0.5"/>')
        picture.label(x, y + 17, text, 'end' if hour * HOUR == picture.last else 'middle')


class OnTime:
    """For how long the host has been on until a moment."""

    def __init__(self, offs):
        self.begins = [begin for begin, _ in offs]
        self.offs = offs
        self.before = [0.0, *itertools.accumulate(end - begin for begin, end in offs)]

    def __call__(self, time):
        count = bisect.bisect_right(self.begins, time)
        past = max(0.0, self.offs[count - 1][1] - time) if count > 0 else 0.0
        return time - (self.before[count] - past)


def used_until(runs, offs, times):
    """How long each project ran until each of these times, on all instances, while the host was on."""
    on_time = OnTime(offs)
    added = {}
    for first, begin, end in runs:
        own = added.setdefault(first['project'], [0.0] * len(times))
        index, done = bisect.bisect_right(times, begin), begin
        while done < end and index < len(times):
            until = min(times[index], end)
            own[index] += on_time(until) - on_time(done)
            index, done = index + 1, until
    return {project: list(itertools.accumulate(own)) for project, own in added.items()}


def draw_shares(picture, y, runs, offs, colours):
    """Each project's part of the time used so far."""
    picture.label(LEFT - 8, y + SHARES / 2 + 4, 'shares', 'end')
    times = [picture.last * max(i, 0.001) / 200 for i in range(201)]
    used = used_until(runs, offs, times)
    total = [sum(each) or 1 for each in zip(*used.values())]
    bottom = [0.0] * len(times)
    for project, own in used.items():
        above = [low + part / whole for low, part, whole in zip(bottom, own, total)]
        edge = [(time, y + SHARES * (1 - part)) for time, part in zip(times, above)]
        edge += [(time, y + SHARES * (1 - part)) for time, part in reversed(list(zip(times, bottom)))]
        path = ' L'.join(f'{picture.x(time):.1f} {height:.1f}' for time, height in edge)
        picture.parts.append(f'<path d="M{path} Z" fill="{colours[project]}"/>')
        bottom = above


def draw(rows, outcome):
    last = outcome['duration']
    projects = sorted({row['project'] for row in rows if row['project']},
                      key=[row['project'] for row in rows].index)
    colours = {project: COLOURS[i % len(COLOURS)] for i, project in enumerate(projects)}
    instances = sorted({(row['resource'], int(row['lane'])) for row in rows if row['event'] == 'started'})
    picture = Picture(last)
    picture.label(LEFT, 18, said_of(outcome))
    top = draw_legend(picture, colours)
    height = max(2, min(TIMELINE + GAP, MOST_OF_TIMELINES // max(1, len(instances))))
    bar = height - min(GAP, height // 3)
    for i, (resource, number) in enumerate(instances):
        if i % -(-14 // height) == 0:
            picture.label(LEFT - 8, top + i * height + bar / 2 + 4, f'{resource} {number + 1}', 'end')
    runs = list(spells(rows, ('started',), ('ended', 'stopped'), lambda row: row['task'], last))
    offs = [(begin, end) for _, begin, end in spells(rows, ('off',), ('on',), lambda row: '', last)]
    for first, begin, end in sorted(runs, key=lambda run: run[1]):
        lane = instances.index((first['resource'], int(first['lane'])))
        picture.box(begin, end - min(240, (end - begin) / 4), top + lane * height, bar, colours[first['project']])
    bottom = top + len(instances) * height
    draw_shares(picture, bottom + 4, runs, offs, colours)
    bottom += SHARES + 4
    for begin, end in offs:
        picture.box(begin, end, top, bottom - top, '#dddddd')
    bottom += 4
    for project in projects:
        bottom += 18
        picture.label(LEFT - 8, bottom, project, 'end')
        for row in rows:
            if row['event'] in ('called', 'failed') and row['project'] == project:
                picture.circle(picture.x(row['time']), bottom - 4, colours[project], row['event'] == 'called')
    draw_axis(picture, top, bottom + 6)
    return picture.text(bottom + 30)


def main(trace, outcome):
    with open(outcome, encoding='utf-8') as file:
        sys.stdout.write(draw(read_trace(trace), json.load(file)))


if __name__ == '__main__':
    main(*sys.argv[1:])
