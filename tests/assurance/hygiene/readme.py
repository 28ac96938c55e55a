#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The README and the manual show code that exists, and no link leads nowhere.

    readme.py SOURCE_ROOT

- A block of code that follows the name of a file, as in "`examples/c/embed/main.c`:", stands so in that file.
- Links to files of the source tree lead somewhere; with an anchor (`page.md#heading`), to a heading or an id of that
  page. Headings have the anchors that GitHub gives them.
- The rows of a table have as many cells as its heading.
- The tests and suites in commands, as in `meson test -C build edf --suite fetch`, exist.
"""

import functools
import pathlib
import re
import sys

import public_headers

FOLDERS = ('', 'bindings', 'doc', 'examples', 'tests')
BLOCK = re.compile(r'`([\w./]+\.\w+)`:\n\n```\w*\n(.*?)^```$', re.MULTILINE | re.DOTALL)
FENCE = re.compile(r'^ *```.*?^ *```$', re.MULTILINE | re.DOTALL)
LINK = re.compile(r'\]\((?!https?://)([^)#\s]*)(?:#([^)\s]+))?\)')
HEADING = re.compile(r'^#+ (.*)$', re.MULTILINE)
CODE = re.compile(r'`[^`\n]*`')
TABLE = re.compile(r'(?:^\|.*\n)+', re.MULTILINE)
ID = re.compile(r'\bid="([^"]+)"')
# Arguments on one line, or on the next one of the same paragraph.
COMMAND = re.compile(r'meson test -C\s+build((?:(?: +|\n(?!\n|    ))[-\w]+)*)')


def check_blocks(root, document):
    for name, block in BLOCK.findall(document.read_text(encoding='utf-8')):
        code = (root / name).read_text(encoding='utf-8') if (root / name).exists() else ''
        if block not in code:
            yield f'{document.name}: the code under {name} does not stand in that file'


def prose_of(document):
    """The text without its blocks of code."""
    return FENCE.sub('', document.read_text(encoding='utf-8'))


@functools.lru_cache(maxsize=None)
def anchors_of(document):
    prose = prose_of(document)
    found = set(ID.findall(prose))
    for heading in HEADING.findall(prose):
        words = re.sub(r'\[([^\]]*)\]\([^)]*\)', r'\1', heading).strip().lower()
        anchor = re.sub(r'[^\w\- ]', '', words).replace(' ', '-')
        same = [name for name in found if re.fullmatch(rf'{re.escape(anchor)}(-\d+)?', name)]
        found.add(f'{anchor}-{len(same)}' if same else anchor)
    return found


def check_links(root, document):
    for target, anchor in LINK.findall(prose_of(document)):
        path = (document.parent / target).resolve() if target else document
        if not path.exists():
            yield f'{document.relative_to(root)}: {target} does not exist'
        elif anchor and path.suffix == '.md' and anchor not in anchors_of(path):
            yield f'{document.relative_to(root)}: {target} has no heading or id #{anchor}'


def check_tables(root, document):
    for table in TABLE.findall(CODE.sub('', prose_of(document)).replace('\\|', '')):
        heading, *rows = table.splitlines()
        yield from (f'{document.relative_to(root)}: a row with other cells than its heading: {row}' for row in rows
                    if row.count('|') != heading.count('|'))


def names_of_tests(root):
    """Of tests and benchmarks, and of suites: what the files in tests/ and its lists say."""
    lists = [path.read_text(encoding='utf-8') for path in (root / 'tests').rglob('meson.build')]
    tests = {name for text in lists for name in re.findall(r"'(\w+)'", text)}
    suites = {name for text in lists for line in re.findall(r'\bsuites? ?[:=].*(?:\n.*)?', text)
              for name in re.findall(r"'(\w+)'", line)}
    suites.update(path.name for path in (root / 'tests/vcsched').iterdir())
    for path in (root / 'tests').rglob('*_*.*'):
        kind, _, name = path.stem.partition('_')
        if kind in ('test', 'bench'):
            tests.update((name, f'{path.parent.name}_{name}'))
    return tests, suites


def check_tests(root, document, tests, suites):
    for arguments in COMMAND.findall(document.read_text(encoding='utf-8')):
        before = ''
        for name in arguments.split():
            if not name.startswith('-') and name not in (suites if before == '--suite' else tests):
                yield f'{document.relative_to(root)}: there is no {name} to test'
            before = name


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    readme = root / 'README.md'
    if not BLOCK.search(readme.read_text(encoding='utf-8')):
        raise SystemExit('the README shows no example')
    documents = sorted(path for folder in FOLDERS for path in (root / folder).glob('**/*.md' if folder else '*.md'))
    names = names_of_tests(root)
    public_headers.finish([problem for document in documents
                           for problem in [*check_blocks(root, document), *check_links(root, document),
                                           *check_tables(root, document), *check_tests(root, document, *names)]])


main()
