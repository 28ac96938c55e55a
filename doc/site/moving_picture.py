# SPDX-License-Identifier: MIT
"""The moving picture of the first page: the same computer and jobs twice, as the emulator tells what becomes of them.

Above, projects take turns; below, jobs that would be late go first. Time passes from left to right, three times; who
wants nothing to move sees the whole of it at once. Every bar, deadline and verdict is from the trace of `vcemu run`.
"""

import collections
import csv
import pathlib
import subprocess
import tempfile

SCENARIO = 'examples/scenarios/in_turn.ini'
# What to call it, and the rule of chapter 5 as the tool takes it.
PANELS = (('Projects take turns', 'round_robin'), ('Late jobs go first', 'deadline'))
HOUR = 3600
WIDTH, LEFT, RIGHT = 640, 56, 10
ROW, GAP, TITLE, PANEL_GAP = 26, 4, 40, 16
FIRST = 2

Run = collections.namedtuple('Run', 'project task lane begin end')


def trace_of(vcemu, root, scheduling):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / 'trace.csv'
        subprocess.run([vcemu, 'run', SCENARIO, '--set', f'scheduling={scheduling}', '--trace', path], cwd=root,
                       check=True, stdout=subprocess.DEVNULL)
        with open(path, encoding='utf-8', newline='') as file:
            return list(csv.DictReader(file))


def runs_of(rows):
    """Each task from when it starts to when it stops or ends."""
    open_runs, runs = {}, []
    for row in rows:
        time = float(row['time'])
        if row['event'] == 'started':
            open_runs[row['task']] = (int(row['lane']), time)
        elif row['event'] in ('stopped', 'ended'):
            lane, begin = open_runs.pop(row['task'])
            runs.append(Run(row['project'], row['task'], lane, begin, time))
    return runs


def verdicts_of(rows):
    """task -> (deadline, end) of the jobs whose results came back."""
    ends = {row['task']: float(row['time']) for row in rows if row['event'] == 'ended'}
    return {row['task']: (float(row['deadline']), ends[row['task']]) for row in rows
            if row['event'] in ('reported', 'late')}


class Picture:
    def __init__(self, last, projects):
        self.last = last
        self.classes = {project: f'p{i + 1}' for i, project in enumerate(projects)}
        self.parts = []

    def x(self, time):
        return LEFT + (WIDTH - LEFT - RIGHT) * time / self.last

    def text(self, x, y, text, kind, anchor='start'):
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" class="{kind}">{text}</text>')

    def box(self, begin, end, y, kind):
        self.parts.append(f'<rect x="{self.x(begin):.1f}" y="{y}" width="{self.x(end) - self.x(begin) - 1:.1f}" '
                          f'height="{ROW}" rx="3" class="{kind}"/>')

    def panel(self, top, title, rows):
        """Returns the y below it."""
        runs, verdicts = runs_of(rows), verdicts_of(rows)
        lanes = 1 + max(run.lane for run in runs)
        bars = top + TITLE
        self.text(LEFT, top + 14, title, 'title')
        for lane in range(lanes):
            self.text(LEFT - 6, bars + lane * (ROW + GAP) + 18, f'CPU {lane + 1}', 'pale', 'end')
            self.box(0, self.last, bars + lane * (ROW + GAP), 'idle')
        bottom = bars + lanes * (ROW + GAP) - GAP
        self.parts.append('<g clip-path="url(#past)">')
        for run in runs:
            y = bars + run.lane * (ROW + GAP)
            deadline = verdicts.get(run.task, (self.last, 0))[0]
            if run.begin < deadline:
                self.box(run.begin, min(run.end, deadline), y, self.classes[run.project])
            if run.end > deadline:
                self.box(max(run.begin, deadline), run.end, y, 'late')
            if run.task in verdicts:
                name = self.number(run.task, verdicts)
                self.text(self.x((run.begin + run.end) / 2), y + 18, f'job {name}', 'in', 'middle')
        late = sum(end > deadline for deadline, end in verdicts.values())
        self.parts.append('</g>')
        for task, (deadline, _) in verdicts.items():
            self.parts.append(f'<path d="M{self.x(deadline):.1f} {bars - 6} V{bottom + 3}" class="due"/>')
            self.text(self.x(deadline), bars - 10, f'{self.number(task, verdicts)} due', 'pale', 'middle')
        said = f'{late} of {len(verdicts)} jobs late' if late else f'none of {len(verdicts)} jobs late'
        self.text(WIDTH - RIGHT, top + 14, said, 'bad end' if late else 'good end', 'end')
        return bottom

    @staticmethod
    def number(task, verdicts):
        """Jobs have numbers in the order in which they are due."""
        return 1 + sorted(verdicts, key=lambda other: verdicts[other][0]).index(task)

    def axis(self, y):
        for hour in range(0, int(self.last / HOUR) + 1, 2):
            self.text(self.x(hour * HOUR), y, f'{hour} h', 'pale', 'end' if hour * HOUR == self.last else 'middle')


def moving_picture(vcemu, root):
    traces = [(title, trace_of(vcemu, root, scheduling)) for title, scheduling in PANELS]
    runs = [run for _, rows in traces for run in runs_of(rows)]
    projects = sorted({run.project for run in runs})
    picture = Picture(max(run.end for run in runs), projects)
    y = FIRST
    for title, rows in traces:
        y = picture.panel(y, title, rows) + PANEL_GAP
    picture.axis(y + 2)
    height = y + 30
    x = LEFT
    for project in projects:
        picture.parts.append(f'<rect x="{x}" y="{height - 16}" width="12" height="12" rx="2" '
                             f'class="{picture.classes[project]}"/>')
        picture.text(x + 17, height - 6, project, 'pale')
        x += 30 + 8 * len(project)
    picture.parts.append(f'<rect x="{x}" y="{height - 16}" width="12" height="12" rx="2" class="late"/>')
    picture.text(x + 17, height - 6, 'after the deadline', 'pale')
    return '\n'.join([
        f'<svg viewBox="0 0 {WIDTH} {height}" style="--left: {LEFT}px; --span: {WIDTH - LEFT - RIGHT}px" role="img"',
        f'aria-label="Two timelines of the same jobs on two CPUs: {", ".join(title for title, _ in PANELS)}">',
        f'<clipPath id="past"><rect x="0" y="0" width="{WIDTH}" height="{height}" class="sweep"/></clipPath>',
        *picture.parts, f'<path d="M{LEFT} {FIRST + 18} V{y - 12}" class="now"/>', '</svg>'])
