#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The Debian packages have all that Meson installs, each file in one of them, and all symbols.

    debian.py SOURCE_ROOT BUILD_ROOT

The whole packages are made by doc/packaging/debian.sh, which takes minutes; this finds what would stop it. The modules
for other languages than Python have no package.
"""

import fnmatch
import json
import pathlib
import re
import sys

import public_headers

NOT_PACKAGED = re.compile(r'/(lua|javascript|js)/')
SYMBOL_NODE = re.compile(r'^([\w.]+) \{', re.MULTILINE)
SYMBOLS_LINE = re.compile(r'^ \(symver\)([\w.]+) ', re.MULTILINE)


def installed_in(build):
    """Files and folders as a package has them, below usr/."""
    information = build / 'meson-info'
    options = json.loads((information / 'intro-buildoptions.json').read_text(encoding='utf-8'))
    prefix = next(option['value'] for option in options if option['name'] == 'prefix')
    for path in sorted(set(json.loads((information / 'intro-installed.json').read_text(encoding='utf-8')).values())):
        yield 'usr/' + pathlib.PurePosixPath(path).relative_to(prefix).as_posix()


def patterns_in(folder):
    """(package or list, pattern) of everything that a package takes, or none."""
    for path in sorted([*folder.glob('*.install'), folder / 'not-installed']):
        for line in path.read_text(encoding='utf-8').splitlines():
            yield path.name, line.split()[0]


def takes(pattern, path):
    return fnmatch.fnmatch(path, pattern) or fnmatch.fnmatch(path, pattern + '/*')


def misplaced(folder, installed):
    patterns = list(patterns_in(folder))
    for path in installed:
        names = {name for name, pattern in patterns if takes(pattern, path)}
        if len(names) != 1 and not NOT_PACKAGED.search(path):
            yield f"{path}: is in {' and '.join(sorted(names)) or 'no package'}"
    for name, pattern in patterns:
        if not any(takes(pattern, path) for path in installed):
            yield f'{folder.name}/{name}: nothing is installed as {pattern}'


def symbols(root, folder):
    for library in ('vcsched', 'vcemu'):
        nodes = SYMBOL_NODE.findall((root / f'lib/{library}/{library}.map').read_text(encoding='utf-8'))
        listed = SYMBOLS_LINE.findall((folder / f'lib{library}0.symbols').read_text(encoding='utf-8'))
        if nodes != listed:
            yield f'lib{library}0.symbols: has {listed}, but the version script {nodes}'


def main():
    root, build = map(pathlib.Path, sys.argv[1:])
    folder = root / 'doc/packaging/debian'
    installed = list(installed_in(build))
    if 'usr/bin/vcemu' not in installed or not any('dist-packages' in path for path in installed):
        print('this build has no tool or no package for Python')
        raise SystemExit(77)
    public_headers.finish([*misplaced(folder, installed), *symbols(root, folder)])


main()
