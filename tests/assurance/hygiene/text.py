#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The text of the source tree: what every file has, and what none has.

    text.py SOURCE_ROOT

- Sources name their licence. Lines have at most 120 columns, no tab (but where make needs one) and no blank at the
  end; files end with a newline.
- No mark of unfinished work, and no path that exists on one machine alone.
- C sources are ASCII. At the top stand only the files and folders that the README speaks of.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import public_headers

TOP = {'include', 'lib', 'examples', 'tests', 'bindings', 'doc', 'meson.build', 'meson_options.txt', 'LICENSE',
       'README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'CITATION.cff'}
SOURCES = {'.c', '.h', '.py', '.sh', '.lua', '.map', '.build'}
# Data and prose may be wider, and the licence has its own lines.
PROSE = {'.md', '.xml', '.json', '.ini', '.html', '.csv', '.svg', ''}
UNFINISHED = re.compile(r'\b(TO' r'DO|FIX' r'ME|XX' r'X|HA' r'CK|WI' r'P)\b')
ABSOLUTE_PATH = re.compile(r'''(?:^|[\s=(`,]["']?)/([A-Za-z]\w*)/''')
# Folders that stand for the same thing on every system.
SYSTEM_FOLDERS = {'bin', 'dev', 'etc', 'lib', 'opt', 'proc', 'sys', 'usr', 'var'}


def files_in(root):
    """The files under version control; in a tree without git, all but builds and caches."""
    if (root / '.git').exists() and shutil.which('git'):
        listing = subprocess.run(['git', '-c', 'safe.directory=*', '-C', root, 'ls-files', '-z'], check=False,
                                 capture_output=True, text=True)
        if listing.returncode == 0:
            names = [name for name in listing.stdout.split('\0') if name]
            return [pathlib.Path(name) for name in names if (root / name).exists()]
    found = []
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if not name.startswith(('build', '__pycache__', '.git', '.pytest'))]
        found += [pathlib.Path(folder, name).relative_to(root) for name in names]
    return found


def is_source(path):
    return path.suffix in SOURCES or path.name in ('run', 'meson_options.txt')


def lines_of(path, text):
    for number, line in enumerate(text.splitlines(), 1):
        where = f'{path}:{number}'
        if path.suffix not in PROSE and len(line) > 120:
            yield f'{where}: {len(line)} columns'
        if '\t' in line and path.name != 'rules':
            yield f'{where}: a tab'
        if line != line.rstrip():
            yield f'{where}: a blank at the end'
        if UNFINISHED.search(line):
            yield f'{where}: a mark of unfinished work'
        for folder in ABSOLUTE_PATH.findall(line):
            if folder not in SYSTEM_FOLDERS:
                yield f'{where}: a path of one machine, /{folder}/'


def check(root, path):
    content = (root / path).read_bytes()
    try:
        text = content.decode('ascii' if path.suffix in ('.c', '.h') else 'utf-8')
    except UnicodeDecodeError as error:
        return [f'{path}: {error}']
    problems = list(lines_of(path, text))
    if text and not text.endswith('\n'):
        problems.append(f'{path}: no newline at the end')
    if is_source(path) and 'SPDX-License-Identifier: MIT' not in text[:2000]:
        problems.append(f'{path}: no SPDX line')
    return problems


def main():
    root = pathlib.Path(sys.argv[1])
    files = files_in(root)
    if pathlib.Path('meson.build') not in files:
        raise SystemExit(f'{root} is not the source tree')
    strangers = {path.parts[0] for path in files if not path.parts[0].startswith('.')} - TOP
    public_headers.finish([f'{name}: not known at the top' for name in sorted(strangers)] +
                          [problem for path in sorted(files) for problem in check(root, path)])


main()
