#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws what weighted round-robin foretells for one processor type: a row for each instance, the tasks on it, and in
grey the time that stays idle before the end of the buffer, which is the shortfall (rule 4.1).

    vcemu plan examples/scenarios/shortfall.ini --json > plan.json
    python3 examples/scenarios/shortfall_svg.py examples/scenarios/shortfall.ini plan.json > doc/shortfall.svg

Of the state it takes the run times of the tasks and the buffer; when each ends is in the plan, and so is the shortfall,
which the grey areas must add up to. For tasks of one CPU each that run without a pause.
"""

import configparser
import json
import sys

LEFT, RIGHT, TOP = 92, 24, 44
WIDTH, ROW, GAP = 720, 34, 6
COLOURS = ('#4878a8', '#e08a2e', '#5b9a57', '#a0618f', '#8c6d46')
IDLE = '#d4d4d4'


def rows_of(plan, lengths):
    """The tasks of each instance as (name, begin, end): each on the lowest instance that is free when it begins."""
    rows = [[] for _ in range(plan['resources'][0]['instances'])]
    tasks = sorted((task['finish'] - lengths[task['name']], task['name'], task['finish']) for task in plan['tasks'])
    for begin, name, end in tasks:
        next(row for row in rows if not row or row[-1][2] <= begin).append((name, begin, end))
    return rows


def gaps_of(row, last):
    """When the instance is idle, until `last`."""
    free = 0
    for _, begin, end in row:
        if begin > free:
            yield free, begin
        free = end
    if free < last:
        yield free, last


def draw(plan, lengths, last):
    cpu = plan['resources'][0]
    rows = rows_of(plan, lengths)
    idle = [list(gaps_of(row, last)) for row in rows]
    total = sum(end - begin for gaps in idle for begin, end in gaps)
    if abs(total - cpu['shortfall']) > 1e-6:
        raise SystemExit(f'the grey areas are {total:g}, and the shortfall is {cpu["shortfall"]:g}')
    bottom = TOP + len(rows) * (ROW + GAP)

    def x(time):
        return LEFT + (WIDTH - LEFT - RIGHT) * time / last

    def box(begin, end, y, fill, text, ink):
        yield (f'<rect x="{x(begin):.1f}" y="{y}" width="{x(end) - x(begin):.1f}" height="{ROW}" fill="{fill}" '
               'stroke="#ffffff"/>')
        yield (f'<text x="{x((begin + end) / 2):.1f}" y="{y + ROW / 2 + 5:g}" text-anchor="middle" fill="{ink}">'
               f'{text}</text>')

    def mark(time, text, anchor):
        yield (f'<line x1="{x(time):.1f}" x2="{x(time):.1f}" y1="{TOP - 10}" y2="{bottom}" stroke="#333333" '
               'stroke-dasharray="4 3"/>')
        yield f'<text x="{x(time):.1f}" y="{TOP - 16}" text-anchor="{anchor}">{text}</text>'

    yield (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {bottom + 36}" font-family="sans-serif" '
           'font-size="13" fill="#333333">')
    yield f'<rect width="{WIDTH}" height="{bottom + 36}" fill="#ffffff"/>'
    yield from mark(cpu['saturated'], f'saturated {cpu["saturated"]:g}', 'middle')
    yield from mark(last, f'end of the buffer, shortfall {cpu["shortfall"]:g}', 'end')
    colours = dict(zip(lengths, COLOURS * len(lengths)))
    for i, (row, gaps) in enumerate(zip(rows, idle)):
        y = TOP + i * (ROW + GAP)
        yield f'<text x="{LEFT - 10}" y="{y + ROW / 2 + 5:g}" text-anchor="end">instance {i}</text>'
        for name, begin, end in row:
            yield from box(begin, end, y, colours[name], f'{name}: {end - begin:g}', '#ffffff')
        for begin, end in gaps:
            yield from box(begin, end, y, IDLE, f'{end - begin:g} idle', '#333333')
    for time in range(int(last) + 1):
        yield f'<text x="{x(time):.1f}" y="{bottom + 14}" text-anchor="middle">{time}</text>'
    yield f'<text x="{x(last / 2):.1f}" y="{bottom + 31}" text-anchor="middle">seconds from now</text>'
    yield '</svg>'


def main(state_path, plan_path):
    state = configparser.ConfigParser(interpolation=None)
    state.read(state_path, encoding='utf-8')
    lengths = {name[len('task '):]: float(state[name]['remaining']) for name in state if name.startswith('task ')}
    last = float(state['client']['min_buffer']) + float(state['client']['additional_buffer'])
    with open(plan_path, encoding='utf-8') as file:
        plan = json.load(file)
    print('\n'.join(draw(plan, lengths, last)))


if __name__ == '__main__':
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    main(*sys.argv[1:])
