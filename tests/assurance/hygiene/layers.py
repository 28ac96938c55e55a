#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Arrows between files point downward only, and the library includes nothing that does I/O.

    layers.py SOURCE_ROOT

An arrow is an include, or a call of a function that another file defines. It may stay within a room or lead to a room
further down. Within a room, no arrows lead round in a circle; a source file and its header count as one.
"""

import pathlib
import re
import sys

import public_headers

# Which rooms each room stands on, besides the public headers. A room is a folder of lib/vcsched or lib/vcemu, with the
# folders in it.
KERNEL = ('vcsched/core', 'vcsched/interface')
HOST = (*KERNEL, 'vcsched/accounts', 'vcsched/timers', 'vcsched/host', 'vcsched/simulation',
        'vcsched/chance')
FLOORS = {
    'vcsched/core': (),
    'vcsched/interface': ('vcsched/core',),
    'vcsched/accounts': KERNEL,
    'vcsched/timers': KERNEL,
    'vcsched/unit': KERNEL,
    'vcsched/verify': KERNEL,
    'vcsched/dispatch': KERNEL,
    'vcsched/chance': KERNEL,
    'vcsched/host': (*KERNEL, 'vcsched/accounts', 'vcsched/timers', 'vcsched/chance'),
    'vcsched/simulation': (*KERNEL, 'vcsched/accounts', 'vcsched/timers', 'vcsched/host', 'vcsched/chance'),
    'vcsched/schedule': HOST,
    'vcsched/fetch': HOST,
    'vcsched/send': HOST,
    'vcsched/workspace': (*HOST, 'vcsched/schedule', 'vcsched/fetch', 'vcsched/send'),
    'vcemu/interface': KERNEL,
    'vcemu/host': ('vcemu/interface',),
    'vcemu/grid': ('vcemu/interface', 'vcemu/host', 'vcemu/bound'),
    'vcemu/bound': ('vcemu/interface', 'vcemu/host'),
    'vcemu/scenario': (*KERNEL, 'vcemu/interface'),
    'vcemu/sweep': (*KERNEL, 'vcemu/interface', 'vcemu/scenario'),
}
# Rooms that read files and make sweeps use the C library as any program does.
ROOMS_OF_FILES = ('vcemu/scenario', 'vcemu/sweep')
# Headers of the C library that declare types and constants; of string.h the objects show what is used.
PLAIN_HEADERS = {'float.h', 'limits.h', 'stdalign.h', 'stdbool.h', 'stddef.h', 'stdint.h', 'string.h'}
PUBLIC_PLAIN_HEADERS = {'stddef.h', 'stdint.h'}
# The emulator stands on the public headers, with a copy of the checks; it allocates, and writes messages. What is late
# and how long a slice lasts it reads where the library does.
EMULATOR_HEADERS = {'vcsched/chance/last_connection.h', 'vcsched/core/arena.h', 'vcsched/core/invariant.h',
                    'vcsched/core/number.h', 'vcsched/interface/check/check.h',
                    'vcsched/interface/fields/chance_fields.h', 'vcsched/interface/fields/host_fields.h',
                    'vcsched/simulation/slice.h', 'vcsched/simulation/lateness.h', 'vcsched/timers/buffer.h',
                    'stdlib.h'}
EMULATORS = {'vcemu/host': EMULATOR_HEADERS,
             'vcemu/bound': EMULATOR_HEADERS,
             'vcemu/grid': {'vcsched/core/invariant.h', 'vcsched/core/number.h', 'vcsched/interface/check/check.h',
                            'vcsched/timers/buffer.h'}}
# Only the builds that check invariants and watch the gaps between arrays include these.
CHECKED_HEADERS = {'vcsched/core/fence.h': {'sanitizer/asan_interface.h'},
                   'vcsched/core/invariant.h': {'stdio.h', 'stdlib.h'}}
INCLUDE = re.compile(r'^#include ([<"])([^>"]+)[>"]', re.MULTILINE)
# A definition begins at the margin, and what follows its arguments is a brace; a call is indented.
DEFINITION = re.compile(r'^\w[^;{}()=]*?\b(vcs_\w+)\([^;{}]*?\) \{$', re.MULTILINE)
CALL = re.compile(r'^ .*', re.MULTILINE)
EXPORTED = re.compile(r'^    (vcs_\w+);', re.MULTILINE)
CALLED = re.compile(r'\b(vcs_\w+)\(')


def includes_of(path):
    return INCLUDE.findall(path.read_text(encoding='ascii'))


def sources_of(root):
    return sorted((root / 'lib').rglob('*.[ch]'))


def room_of(name):
    """The room of a file below lib/: vcsched/simulation of vcsched/simulation/fluid/fluid.c."""
    return '/'.join(name.split('/')[:2])


def room_of_path(root, path):
    return room_of(path.relative_to(root / 'lib').as_posix())


def is_allowed(room, other):
    return other == room or other in FLOORS.get(room, ())


def check_includes(root):
    for path in sources_of(root):
        room = room_of_path(root, path)
        for bracket, name in includes_of(path):
            if bracket == '"':
                allowed = is_allowed(room, room_of(name))
            else:
                allowed = name in PLAIN_HEADERS or name.startswith(f'{room.split("/")[0]}/')
                allowed = allowed or (room.startswith('vcemu/') and name.startswith('vcsched/'))
                allowed = allowed or room in ROOMS_OF_FILES
            allowed = allowed or name in EMULATORS.get(room, ())
            allowed = allowed or name in CHECKED_HEADERS.get(path.relative_to(root / 'lib').as_posix(), ())
            if not allowed:
                yield f'{path.relative_to(root)} includes {name}'


def unit_of(root, path):
    """A source file with its header: its path without what tells them apart."""
    return path.relative_to(root / 'lib').with_suffix('').as_posix()


def definitions_in(root):
    """The unit that defines each function."""
    return {name: unit_of(root, path) for path in sources_of(root)
            for name in DEFINITION.findall(public_headers.code_of(path))}


def calls_of(path):
    """The functions that a file calls, or whose address it takes."""
    return {name for line in CALL.findall(public_headers.code_of(path)) for name in CALLED.findall(line)}


def arrows(root):
    """From each unit to those that it includes or calls."""
    definitions = definitions_in(root)
    found = {}
    for path in sources_of(root):
        unit = unit_of(root, path)
        ends = {name.rsplit('.', 1)[0] for bracket, name in includes_of(path) if bracket == '"'}
        ends |= {definitions[name] for name in calls_of(path) if name in definitions}
        found.setdefault(unit, set()).update(ends - {unit})
    return found


def check_calls(root):
    """Any room of libvcemu may call public functions, and those of libvcsched in its includes."""
    definitions = definitions_in(root)
    public = set(EXPORTED.findall((root / 'lib/vcemu/vcemu.map').read_text(encoding='ascii')))
    for path in sources_of(root):
        room = room_of_path(root, path)
        for name in sorted(calls_of(path)):
            other = room_of(definitions.get(name, room))
            checked = room.startswith('vcsched/') or (other.startswith('vcemu/') and name not in public)
            if checked and not is_allowed(room, other):
                yield f'{path.relative_to(root)} calls {name}, which is defined in {definitions[name]}'


def reachable(found, start):
    """What can be reached from a unit by arrows within its room."""
    room, seen, left = room_of(start), set(), [start]
    while left:
        for end in found.get(left.pop(), ()):
            if room_of(end) == room and end not in seen:
                seen.add(end)
                left.append(end)
    return seen


def check_circles(root):
    found = arrows(root)
    reach = {unit: reachable(found, unit) for unit in found}
    for unit in sorted(found):
        yield from (f'{unit} and {other} need each other' for other in sorted(reach[unit])
                    if unit < other and unit in reach[other])


def check_public(root):
    headers = {f'{header.parent.name}/{header.name}': [name for _, name in includes_of(header)]
               for header in public_headers.find(root / 'include')}
    for header, names in headers.items():
        yield from (f'{header} includes {name}' for name in names
                    if name not in PUBLIC_PLAIN_HEADERS and
                    not name.startswith(('vcsched/', header.split('/')[0] + '/')))
    # Take away what includes nothing that is left, until nothing can be taken away: what remains goes round in circles.
    while True:
        leaves = [header for header, names in headers.items()
                  if not any(name in headers for name in names)]
        if not leaves:
            break
        for leaf in leaves:
            del headers[leaf]
    if headers:
        yield f'these include each other: {", ".join(headers)}'


def main():
    root = pathlib.Path(sys.argv[1])
    public_headers.finish([*check_includes(root), *check_calls(root), *check_circles(root), *check_public(root)])


main()
