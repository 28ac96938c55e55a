#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Which conditions of lib/ the tests have not seen decide: modified condition/decision coverage, gated.

    mcdc.py SOURCE_ROOT COVERAGE.json LEDGER

COVERAGE.json is what `llvm-cov export` says of programs that clang has built with -fcoverage-mcdc. Each condition of a
decision must have been true and false, and each of several must have decided alone: two evaluations that differ in the
outcome of the decision and, of the conditions that were evaluated, in this one only. Each function must have been
called.

What has not been seen must be in the ledger with the proof that it cannot be; what the ledger has and the tests have
seen must be taken out. Nor does the compiler measure a decision inside another, as in a && !(b || c): write it flat, or
give the inner one a name. An entry names the condition by its text, so that a line more above it changes nothing.
Besides, the ledger has for some rooms how many conditions more may be open: a number to be lowered, never raised.

The ledger is made of blocks with an empty line between them; a line that begins with # is a remark.

    open: ROOM NUMBER

    file: lib/...
    function: its name
    condition: its text, with single spaces
    lacks: true | false | pair | flat | call
    proof: why it cannot be, in a sentence; may go on in indented lines
"""

import collections
import json
import pathlib
import re
import sys

# Rooms of lib/ of which C tests see the public functions alone: the rest is tested with the tool.
TESTED_BY_THE_TOOL = ('scenario', 'sweep')

# How much of a decision is shown.
SHOWN = 200
CASE = re.compile(r'(case\b|default\b)')
# What stands before and behind a condition of several.
BEFORE = re.compile(r'(&&|\|\|)[\s(!]*$')
BEHIND = re.compile(r'[\s)]*(&&|\|\|)')
OF_SEVERAL = 6

LACKS = {
    'true': 'never true',
    'false': 'never false',
    'pair': 'never decided alone',
    'flat': 'in a nested decision, which is not measured',
    'call': 'never called',
}
Gap = collections.namedtuple('Gap', 'file function condition lacks')


class Source:
    """The text of a file, by line and column as the compiler counts them: from 1, in bytes."""

    def __init__(self, path):
        self.lines = path.read_bytes().split(b'\n')

    def between(self, line, column, end_line, end_column):
        lines = [text + b'\n' for text in self.lines[line - 1:end_line]]
        lines[-1] = lines[-1][:end_column - 1]
        lines[0] = lines[0][column - 1:]
        return b''.join(lines).decode()

    def is_of_several(self, line, column, end_line, end_column):
        before = self.between(max(line - 2, 1), 1, line, column)
        behind = self.between(end_line, end_column, min(end_line + 2, len(self.lines)), 1000)
        return BEFORE.search(before) or BEHIND.match(behind)


def one_line(text):
    return ' '.join(text.replace('\\\n', ' ').split())


class Function:
    """What all copies of one function have seen together: a header's is compiled into each file that includes it."""

    def __init__(self, name, files):
        self.name = name
        self.files = files
        self.calls = 0
        self.branches = []
        self.decisions = []

    def add(self, record):
        self.calls += record['count']
        branches = [tuple(b[:4]) + (b[6], b[8]) for b in record['branches']]
        if len(branches) > len(self.branches):
            # A copy that nobody calls has been compiled to nothing.
            self.files = record['filenames']
            self.branches = [[place, 0, 0] for place in branches]
            self.decisions = [[tuple(m[:4]), [False] * len(m[6])] for m in record['mcdc_records']]
        if len(branches) == len(self.branches):
            for mine, theirs in zip(self.branches, record['branches']):
                mine[1] += theirs[4]
                mine[2] += theirs[5]
            for mine, theirs in zip(self.decisions, record['mcdc_records']):
                mine[1] = [a or b for a, b in zip(mine[1], theirs[6])]


class Report:
    """Judges the functions of lib/, and counts by room."""

    def __init__(self, root):
        self.root = root
        self.sources = {}
        self.functions = {}
        self.gaps = []
        self.where = {}
        self.conditions = collections.Counter()
        self.open = collections.Counter()

    def source(self, path):
        if path not in self.sources:
            self.sources[path] = Source(pathlib.Path(path))
        return self.sources[path]

    def read(self, functions):
        for record in functions:
            path = pathlib.Path(record['filenames'][0])
            if self.root / 'lib' in path.parents and path.relative_to(self.root).parts[2] not in TESTED_BY_THE_TOOL:
                name = record['name'].split(':')[-1]
                key = path, name
                if key not in self.functions:
                    self.functions[key] = Function(name, record['filenames'])
                self.functions[key].add(record)

    def judge(self):
        called = {name for (_, name), function in self.functions.items() if function.calls > 0}
        for (path, name), function in sorted(self.functions.items()):
            # The table of a chapter's structs makes a check of each; an object that uses one alone counts the rest.
            if function.calls == 0 and path.name == 'field_pass.h' and name in called:
                continue
            self.judge_function(str(path.relative_to(self.root)), path.parent.name, function)

    def add_gap(self, gap, room, line, decision):
        self.gaps.append(gap)
        self.open[room] += 1
        self.where.setdefault(gap, []).append((line, decision))

    def judge_function(self, file, room, function):
        if function.calls == 0:
            self.conditions[room] += 1
            self.add_gap(Gap(file, function.name, '', 'call'), room, 0, '')
            return
        alone = self.seen_alone(function)
        for number, (place, taken, passed) in enumerate(function.branches):
            source = self.source(function.files[place[4]])
            text = one_line(source.between(*place[:4]))
            is_case = CASE.match(text) and source.between(place[0], 1, *place[:2]).strip() == ''
            is_nested = place[5] != OF_SEVERAL and source.is_of_several(*place[:4])
            decision, has_pair = alone.get(number, ('', place[5] != OF_SEVERAL))
            self.conditions[room] += 1
            lacks = ('true' if taken == 0 else 'false' if passed == 0 and not is_case else
                     'flat' if is_nested else 'pair' if not has_pair else None)
            if lacks:
                self.add_gap(Gap(file, function.name, text, lacks), room, place[0], decision)

    def seen_alone(self, function):
        """For the number of each branch of a decision with several conditions: the decision, whether it has a pair."""
        found = {}
        groups = collections.defaultdict(list)
        for number, (place, _, _) in sorted(enumerate(function.branches), key=lambda pair: pair[1][0]):
            if place[5] == OF_SEVERAL:
                groups[place[4]].append(number)
        for place, pairs in function.decisions:
            inside = [number for number in groups[0] if place[:2] <= function.branches[number][0][:2]
                      and function.branches[number][0][2:4] <= place[2:4]]
            # A decision that a macro makes has its conditions where the macro is defined.
            candidates = [inside] + [group for of, group in groups.items() if of != 0 and not group[0] in found]
            group = next((group for group in candidates if len(group) == len(pairs)), None)
            if group is not None:
                file = function.files[function.branches[group[0]][0][4]]
                text = one_line(self.source(file).between(*place))
                found.update((number, (text, pair)) for number, pair in zip(group, pairs))
        return found


def read_ledger(path):
    """(how many may be open by room, {gap: how often}, problems)"""
    allowed = {}
    entries = collections.Counter()
    problems = []
    for block in re.split(r'\n\s*\n', path.read_text(encoding='utf-8')):
        lines = [line for line in block.splitlines() if line.strip() and not line.startswith('#')]
        fields = {}
        for line in lines:
            if line.startswith(' '):
                fields[key] += ' ' + line.strip()
            else:
                key, _, value = line.partition(':')
                fields[key] = value.strip()
        if set(fields) == {'open'}:
            allowed.update((room, int(number)) for room, number in [fields['open'].split()])
        elif set(fields) == {'file', 'function', 'condition', 'lacks', 'proof'} and fields['proof']:
            entries[Gap(*(fields[name] for name in Gap._fields))] += 1
        elif fields:
            problems.append(f'{path.name}: not an entry: {lines[0]}')
    return allowed, entries, problems


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    coverage = json.loads(pathlib.Path(sys.argv[2]).read_text(encoding='utf-8'))
    allowed, entries, problems = read_ledger(pathlib.Path(sys.argv[3]))
    report = Report(root)
    report.read(function for data in coverage['data'] for function in data['functions'])
    report.judge()
    if not report.functions:
        problems.append('no function of lib/ in the coverage')

    for gap, times in sorted(collections.Counter(report.gaps).items()):
        proven = min(times, entries[gap])
        room = pathlib.Path(gap.file).parent.name
        report.open[room] -= proven
        for line, decision in report.where[gap][proven:]:
            print(f'{gap.file}:{line}: {gap.function}(): {LACKS[gap.lacks]}: {gap.condition}' +
                  (f'\n    in {decision:.{SHOWN}}' if decision else ''))
        entries[gap] -= proven
    problems += [f'in the ledger, but seen: {gap.file}: {gap.function}(): {gap.condition} ({gap.lacks})'
                 for gap, times in sorted(entries.items()) if times > 0]

    print()
    for room in sorted(report.conditions):
        share = 100 * (1 - report.open[room] / report.conditions[room])
        print(f'{room:12}{report.conditions[room]:6} conditions {report.open[room]:4} open {share:7.2f} %')
        if report.open[room] > allowed.get(room, 0):
            problems.append(f'{room}: {report.open[room]} open, and only {allowed.get(room, 0)} may be')
        elif report.open[room] < allowed.get(room, 0):
            print(f'{"":12}the ledger lets {allowed[room]} be open: lower that')
    for problem in problems:
        print(problem, file=sys.stderr)
    sys.exit(1 if problems else 0)


main()
