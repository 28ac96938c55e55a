#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the compiled library needs and holds.

    objects.py STATIC_LIBRARY...

- Of other libraries it imports only memcpy, memmove, memset and memcmp, and what the compiler itself puts in. The
  emulator, libvcemu, stands on libvcsched, which is named after it, and allocates and writes messages besides.
- It has no writable data, not even such that only the loader writes: no state, and nothing to relocate. The emulator
  may have tables of functions, which the loader fills in.
- Every global symbol begins with vcs_, so that a program that links it statically keeps all other names to itself.
"""

import re
import subprocess
import sys

import public_headers

LIBC = {'memcpy', 'memmove', 'memset', 'memcmp'}
# What the emulator takes of the C library; names that a hardened build puts in their place too. sqrt is exact.
LIBC_OF_EMULATOR = LIBC | {'malloc', 'free', 'snprintf', '__snprintf_chk', 'strcmp', 'sqrt'}
# Helpers of the compiler: arithmetic that the processor lacks, stack protection, position-independent code.
RUNTIME = re.compile(
    r'__stack_chk_fail(_local)?|__stack_chk_guard|_GLOBAL_OFFSET_TABLE_|__x86\.get_pc_thunk\.\w+|'
    r'__(u?div|u?mod|mul|ashl|ashr|lshr|neg|u?cmp|float(un)?|fix(uns)?|popcount|clz|ctz)\w*[sdt][if]\w*')
WRITABLE = re.compile(r'\.(t?data|t?bss)\b')


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def symbols_of(library):
    """(name, type letter) of every symbol of every object."""
    for line in run('nm', '--format=posix', '--extern-only', library).splitlines():
        fields = line.split()
        if len(fields) >= 2:
            yield fields[0], fields[1]


def check_imports(symbols, allowed):
    defined = {name for name, kind in symbols if kind not in 'Uwv'}
    imported = {name for name, kind in symbols if kind in 'Uwv'} - defined
    return [f'imports {name}' for name in sorted(imported - allowed) if not RUNTIME.fullmatch(name)]


def check_names(symbols):
    defined = {name for name, kind in symbols if kind not in 'Uwv'}
    return [f'defines {name}, which does not begin with vcs_' for name in sorted(defined)
            if not name.startswith('vcs_') and not RUNTIME.fullmatch(name)]


def check_data(library, relocated):
    problems = []
    member = library
    for line in run('objdump', '--section-headers', library).splitlines():
        if ':     file format' in line:
            member = line.split(':')[0]
        fields = line.split()
        if len(fields) != 7 or not fields[0].isdigit() or (relocated and fields[1].startswith('.data.rel.ro')):
            continue
        if WRITABLE.match(fields[1]) and int(fields[2], 16):
            problems.append(f'{member}: {int(fields[2], 16)} bytes in {fields[1]}')
    return problems


def main():
    library, *beneath = sys.argv[1:]
    allowed = LIBC
    if beneath:
        allowed = LIBC_OF_EMULATOR | {name for name, kind in symbols_of(beneath[0]) if kind not in 'Uwv'}
    symbols = list(symbols_of(library))
    if not symbols:
        raise SystemExit(f'{library} has no symbols')
    commons = [f'{name} is a common variable' for name, kind in symbols if kind == 'C']
    public_headers.finish(check_imports(symbols, allowed) + check_names(symbols) + commons +
                          check_data(library, bool(beneath)))


main()
