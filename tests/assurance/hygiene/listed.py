#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every source, public header and unit test is in the list that builds, installs or runs it.

    listed.py SOURCE_ROOT

A file that a list names and that does not exist stops Meson; this finds the opposite.
"""

import pathlib
import sys

import public_headers

# Which files, and the list that must name them: by what part of their path.
LISTS = (
    ('lib/vcsched/**/*.c', 'lib/vcsched/meson.build', lambda path: path.as_posix().partition('lib/vcsched/')[2]),
    ('lib/vcemu/**/*.c', 'lib/vcemu/meson.build', lambda path: path.as_posix().partition('lib/vcemu/')[2]),
    ('include/vcsched/*.h', 'include/vcsched/meson.build', lambda path: path.name),
    ('include/vcemu/*.h', 'include/vcemu/meson.build', lambda path: path.name),
    ('tests/vcsched/*/test_*.c', 'tests/meson.build', lambda path: path.stem.removeprefix('test_')),
    ('tests/vcemu/*/test_*.c', 'tests/meson.build', lambda path: path.stem.removeprefix('test_')),
    ('tests/*/test_*.py', 'tests/meson.build', lambda path: f'{path.parent.name}/{path.name}'),
    ('tests/bench/*.c', 'tests/meson.build', lambda path: f'bench/{path.name}'),
    ('tests/assurance/hygiene/*.py', 'tests/assurance/hygiene/meson.build', lambda path: path.name),
    ('tests/assurance/hygiene/*.sh', 'tests/assurance/hygiene/meson.build', lambda path: path.name),
    ('examples/vcemu/**/*.c', 'examples/meson.build', lambda path: path.as_posix().partition('examples/')[2]),
    ('examples/project/client/*.c', 'examples/project/client/meson.build', lambda path: path.name),
)
NOT_LISTED = {'public_headers.py'}


def main():
    root = pathlib.Path(sys.argv[1])
    problems = []
    for pattern, list_name, name_of in LISTS:
        paths = sorted(root.glob(pattern))
        if not paths:
            problems.append(f'no {pattern}')
        text = (root / list_name).read_text(encoding='utf-8')
        problems += [f'{path.relative_to(root)} is not in {list_name}' for path in paths
                     if f"'{name_of(path)}'" not in text and path.name not in NOT_LISTED]
    public_headers.finish(problems)


main()
