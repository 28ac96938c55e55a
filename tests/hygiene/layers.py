#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Includes point downward only, and the library includes nothing that does I/O.

    layers.py SOURCE_ROOT
"""

import pathlib
import re
import sys

import public_headers

# What each folder of lib/ may include, besides the public headers.
CLIENT = ('core', 'interface', 'accounts', 'timers', 'state', 'simulation')
FLOORS = {
    'core': ('core',),
    'interface': ('core', 'interface'),
    'accounts': ('core', 'interface', 'accounts'),
    'timers': ('core', 'interface', 'timers'),
    'state': ('core', 'interface', 'accounts', 'timers', 'state'),
    'simulation': CLIENT,
    'schedule': (*CLIENT, 'schedule'),
    'fetch': (*CLIENT, 'fetch'),
    'send': (*CLIENT, 'send'),
    'unit': ('core', 'interface', 'unit'),
    'dispatch': ('core', 'interface', 'dispatch'),
    'verify': ('core', 'interface', 'verify'),
    'emulator': ('emulator',),
}
# Headers of the C library that declare types and constants; of string.h the objects show what is used.
PLAIN_HEADERS = {'float.h', 'limits.h', 'stdalign.h', 'stdbool.h', 'stddef.h', 'stdint.h', 'string.h'}
PUBLIC_PLAIN_HEADERS = {'stddef.h', 'stdint.h'}
# The emulator stands on the public headers; it allocates, and writes messages.
EMULATOR_HEADERS = {'interface/field_check.h', 'core/number.h', 'math.h', 'stdio.h', 'stdlib.h'}
INCLUDE = re.compile(r'^#include ([<"])([^>"]+)[>"]', re.MULTILINE)


def includes_of(path):
    return INCLUDE.findall(path.read_text(encoding='ascii'))


def check_library(root):
    for path in sorted((root / 'lib').glob('*/*.[ch]')):
        floor = path.parent.name
        for bracket, name in includes_of(path):
            if bracket == '"':
                allowed = name.split('/')[0] in FLOORS.get(floor, ())
            else:
                allowed = name in PLAIN_HEADERS or name.startswith('vcsched/')
            allowed = allowed or (floor == 'emulator' and name in EMULATOR_HEADERS)
            if not allowed:
                yield f'{path.relative_to(root)} includes {name}'


def check_public(root):
    headers = {header.name: [name for _, name in includes_of(header)]
               for header in public_headers.find(root / 'include')}
    for header, names in headers.items():
        yield from (f'{header} includes {name}' for name in names
                    if name not in PUBLIC_PLAIN_HEADERS and not name.startswith('vcsched/'))
    # Take away what includes nothing that is left, until nothing can be taken away: what remains goes round in circles.
    while True:
        leaves = [header for header, names in headers.items()
                  if not any(name.partition('/')[2] in headers for name in names)]
        if not leaves:
            break
        for leaf in leaves:
            del headers[leaf]
    if headers:
        yield f'these include each other: {", ".join(headers)}'


def main():
    root = pathlib.Path(sys.argv[1])
    public_headers.finish([*check_library(root), *check_public(root)])


main()
