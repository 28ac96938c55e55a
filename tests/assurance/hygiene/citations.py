#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""From each rule of doc/rules.md the way leads to its code, its test and its oracle, and from each of these back.

    citations.py SOURCE_ROOT

- The rules of the manual stand in the order of their numbers. Each has an anchor, and a line that names a source file
  in lib/ and a test, and perhaps the plain reference (the oracle) in tests/oracle/. These files exist.
- Each rule is cited by a file in lib/ and by one in tests/, and no citation is of a rule that the manual does not have.
  "Rule 4.3", "rules 8.2, 8.5", "Rules 5.1 to 5.6" are citations.
- Each C file in the rooms of lib/ that carry rules, or its header, begins with those that it carries and where their
  plain reference is: "Rule 4.3; the plain reference is tests/oracle/oracle_sliced.c." or "Rule 3.1; worked by hand in
  tests/vcsched/timers/test_backoff.c.". Where a file that does so names others of its room, these are parts of the same
  rule.
  The files that carry no rule are listed below, each with what it is.
- Files of the source tree that comments in lib/ name exist, and so do the rules to which pages of the manual link.
"""

import pathlib
import re
import sys

import public_headers

NUMBER = r'\d+\.\d+(?: ?[a-g]\b)?'
LIST = rf'{NUMBER}(?:(?:,? and |,? or | to |, ){NUMBER})*'
CITATION = re.compile(rf'\b[Rr]ules? ({LIST})')
LINK = re.compile(r'#rule-([\d.]+)\)')
ANCHOR = re.compile(r'<a id="rule-(\d+\.\d+)"></a>')
TITLE = re.compile(r'^(?:<a id="rule-\d+\.\d+"></a>)?(?:- )?\*\*(\d+\.\d+)\b', re.MULTILINE)
PLACES = re.compile(r'^ *(`(?:lib|tests)/[\w/]+\.\w+`(?: · `(?:lib|tests)/[\w/]+\.\w+`)*)$', re.MULTILINE)
PLACE = re.compile(r'`([^`]+)`')
FORM = re.compile(rf'\bRules? {LIST}; (?:the plain references? (?:is|are)|worked by hand in) (?:\w+\(\) in )?'
                  r'(?:tests|examples)/\w')
NAMED_FILE = re.compile(r'\b(?:lib|tests|doc|examples)/[\w/]+\.(?:c|h|py|md|lua|sh|csv|ini)\b')
# Rules of no file: all of lib/vcsched/unit together must see to it that a unit comes to its end.
PROPERTIES = {'8.7'}
# What stands at the beginning of a line of a comment that goes on.
COMMENT_GOES_ON = re.compile(r'\n[ \t]*(?:\*(?!/)|//|#|--)[ \t]*')

SUFFIXES = ('.c', '.h', '.py', '.lua')
# What all rules stand on.
RULELESS = ('vcsched/core', 'vcsched/interface', 'vcsched/host', 'vcsched/workspace', 'vcemu/interface',
            'vcemu/scenario', 'vcemu/sweep')
# Files in the other rooms that carry no rule.
EXCEPTIONS = {
    'vcemu/host/failure.c': 'describes failures',
    'vcemu/host/events.c': 'tells observers what happens',
    'vcemu/host/server/jobs.c': 'draws the jobs of a scenario',
    'vcemu/host/memory.c': 'allocates, through the hooks of the caller',
    'vcemu/host/random.c': 'draws random numbers',
    'vcemu/host/records.c': 'keeps the records of the host',
    'vcemu/host/setup.c': 'checks and copies a scenario',
    'vcemu/host/client/situation.c': 'shows the records as long as the caller knows them',
    'vcemu/grid/grid_events.c': 'tells observers what happens',
    'vcemu/grid/grid_queue.c': 'puts moments in order',
    'vcemu/grid/deadline/store.c': 'keeps the units',
    'vcemu/grid/grid_input.c': 'checks and copies a grid',
    'vcsched/verify/scaled.c': 'products and sums beyond the range of doubles',
}


def number_key(number):
    return tuple(map(int, number.split('.')))


def text_of(path):
    """With comments that go on from line to line as one line."""
    return COMMENT_GOES_ON.sub(' ', path.read_text(encoding='utf-8'))


def numbers_in(citation, rules):
    """Those that a citation names; of a range all rules that there are between its ends."""
    found = []
    separator = None
    for part in re.split(r'(,? and |,? or | to |, )', citation):
        if not part[0].isdigit():
            separator = part.strip(' ,')
            continue
        number = part.rstrip(' abcdefg')
        if separator == 'to':
            first = number_key(found[-1])
            found += [rule for rule in rules if first < number_key(rule) < number_key(number)]
        found.append(number)
        separator = None
    return found


def check_manual(root, text):
    anchors = ANCHOR.findall(text)
    for before, after in zip(anchors, anchors[1:]):
        if number_key(before) >= number_key(after):
            yield f'doc/rules.md: rule {after} stands after {before}'
    for number in TITLE.findall(text):
        if number not in anchors:
            yield f'doc/rules.md: rule {number} has no anchor'
    ends = [match.start() for match in ANCHOR.finditer(text)][1:] + [len(text)]
    for match, end in zip(ANCHOR.finditer(text), ends):
        places = PLACES.search(text, match.end(), end)
        names = PLACE.findall(places[1]) if places else []
        for top in ('lib/', 'tests/'):
            if not any(name.startswith(top) for name in names):
                yield f'doc/rules.md: rule {match[1]} does not say where it is in {top}'
        yield from (f'doc/rules.md: rule {match[1]}: {name} does not exist' for name in names
                    if not (root / name).exists())


def check_citations(root, rules):
    for top in ('lib', 'tests'):
        cited = set()
        for path in sorted((root / top).glob('**/*')):
            if path.suffix not in SUFFIXES or path == pathlib.Path(__file__).resolve():
                continue
            for match in CITATION.finditer(text_of(path)):
                numbers = numbers_in(match[1], rules)
                cited.update(numbers)
                yield from (f'{path.relative_to(root)}: there is no rule {number}' for number in numbers
                            if number not in rules)
        of_no_file = PROPERTIES if top == 'lib' else set()
        yield from (f'no file in {top}/ cites rule {rule}' for rule in rules if rule not in cited | of_no_file)


def beginning_of(path):
    """What a file says before its code: the comment at its top."""
    return re.split(r'^#', text_of(path), maxsplit=1, flags=re.MULTILINE)[0] if path.exists() else ''


def check_beginnings(root):
    unused = set(EXCEPTIONS)
    for room in sorted(path for path in (root / 'lib').glob('*/*') if path.is_dir()):
        if room.relative_to(root / 'lib').as_posix() in RULELESS:
            continue
        beginnings = [beginning_of(path) for path in room.rglob('*.[ch]')]
        parts = {name for text in beginnings if FORM.search(text) for name in re.findall(r'\b\w+\.c\b', text)}
        for path in sorted(room.rglob('*.c')):
            name = str(path.relative_to(root / 'lib'))
            own = beginning_of(path) + beginning_of(path.with_suffix('.h'))
            carries = FORM.search(own) or path.name in parts
            if name in EXCEPTIONS:
                unused.discard(name)
                if carries:
                    yield f'lib/{name} carries rules, and is listed as one that does not'
            elif not carries:
                yield f'lib/{name} does not begin with its rules and where their plain reference is'
    yield from (f'lib/{name} is listed, and does not exist' for name in sorted(unused))


def check_named_files(root):
    for path in sorted((root / 'lib').rglob('*.[ch]')):
        yield from (f'{path.relative_to(root)}: {name} does not exist' for name in NAMED_FILE.findall(text_of(path))
                    if not (root / name).exists())


def check_links(root, rules):
    for path in [*root.glob('*.md'), *root.glob('doc/*.md')]:
        yield from (f'{path.relative_to(root)}: links to a rule {number} that there is not'
                    for number in LINK.findall(path.read_text(encoding='utf-8')) if number not in rules)


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    text = (root / 'doc' / 'rules.md').read_text(encoding='utf-8')
    rules = ANCHOR.findall(text)
    if not rules:
        raise SystemExit('doc/rules.md has no rules')
    public_headers.finish([*check_manual(root, text), *check_citations(root, rules), *check_beginnings(root),
                           *check_named_files(root), *check_links(root, rules)])


main()
