#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the trace of an emulation as a picture: a timeline for each instance, and below it the calls of servers.

    vcemu run examples/unreliable.ini --days 4 --trace trace.csv
    python3 examples/study/timeline_svg.py trace.csv > doc/timeline.svg

`vcemu run --timeline` draws a page to zoom into; this is the small still picture of the README.
"""

import csv
import sys
from xml.sax.saxutils import escape

HOUR = 3600
LEFT, RIGHT, TOP = 64, 12, 34
WIDTH = 900
TIMELINE, GAP = 22, 4
COLOURS = ('#4878a8', '#e08a2e', '#5b9a57', '#a0618f', '#8c6d46')


def read_trace(path):
    with open(path, encoding='utf-8', newline='') as file:
        return [{**row, 'time': float(row['time'])} for row in csv.DictReader(file)]


def spells(rows, begin, end, key, last):
    """What begins with one event and ends with another: key, first row, and both times."""
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
    """A drawing whose x axis is time."""

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

    def dot(self, time, y, colour, filled):
        self.parts.append(f'<circle cx="{self.x(time):.1f}" cy="{y}" r="3" stroke="{colour}" '
                          f'fill="{colour if filled else "#ffffff"}"/>')

    def text(self, height):
        return '\n'.join([f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
                          'font-family="sans-serif" font-size="12" fill="#333333">',
                          f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>', *self.parts, '</svg>', ''])


def draw_legend(picture, colours):
    x = LEFT
    for name, colour in [*colours.items(), ('host off', '#dddddd')]:
        picture.parts.append(f'<rect x="{x}" y="10" width="12" height="12" fill="{colour}"/>')
        picture.label(x + 17, 20, name)
        x += 40 + 7 * len(name)
    picture.label(WIDTH - RIGHT, 20, 'calls: filled = answered, hollow = failed', 'end')


def draw_axis(picture, y):
    for hour in range(0, int(picture.last / HOUR) + 1, 12):
        x = picture.x(hour * HOUR)
        picture.parts.append(f'<path d="M{x:.1f} {TOP} V{y + 4}" stroke="#999999" stroke-width="0.5"/>')
        picture.label(x, y + 17, f'{hour} h', 'end' if hour * HOUR == picture.last else 'middle')


def draw(rows):
    last = max(row['time'] for row in rows)
    projects = sorted({row['project'] for row in rows if row['project']},
                      key=[row['project'] for row in rows].index)
    colours = {project: COLOURS[i % len(COLOURS)] for i, project in enumerate(projects)}
    instances = sorted({(row['resource'], int(row['lane'])) for row in rows if row['event'] == 'started'})
    picture = Picture(last)
    draw_legend(picture, colours)
    for i, (resource, number) in enumerate(instances):
        picture.label(LEFT - 8, TOP + i * (TIMELINE + GAP) + 15, f'{resource} {number + 1}', 'end')
    runs = spells(rows, ('started',), ('ended', 'stopped'), lambda row: row['task'], last)
    for first, begin, end in sorted(runs, key=lambda run: run[1]):
        place = instances.index((first['resource'], int(first['lane'])))
        picture.box(begin, end - min(240, (end - begin) / 4), TOP + place * (TIMELINE + GAP), TIMELINE,
                    colours[first['project']])
    bottom = TOP + len(instances) * (TIMELINE + GAP)
    for _, begin, end in spells(rows, ('off',), ('on',), lambda row: '', last):
        picture.box(begin, end, TOP, bottom - TOP, '#dddddd')
    for project in projects:
        bottom += 18
        picture.label(LEFT - 8, bottom, project, 'end')
        for row in rows:
            if row['event'] in ('called', 'failed') and row['project'] == project:
                picture.dot(row['time'], bottom - 4, colours[project], row['event'] == 'called')
    draw_axis(picture, bottom + 6)
    return picture.text(bottom + 30)


if __name__ == '__main__':
    sys.stdout.write(draw(read_trace(sys.argv[1])))
