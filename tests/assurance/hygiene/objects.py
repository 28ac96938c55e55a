#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the compiled library needs and holds.

    objects.py STATIC_LIBRARY...

- Of other libraries it imports only memcpy, memmove, memset and memcmp, and what the compiler itself puts in. The
  emulator, libvcemu, stands on libvcsched, which is named after it. It allocates and writes messages; it reads and
  writes files, loads policies, and starts threads.
- It has no writable data: no state. Constant tables may hold addresses, which the loader fills in: the layout of a
  struct points to its rows and its check, so that a program links those of the structs that it uses.
- Every global symbol begins with vcs_, so that a program that links it statically keeps all other names to itself.
"""

import re
import subprocess
import sys

import public_headers

LIBC = {'memcpy', 'memmove', 'memset', 'memcmp'}
# What libvcemu takes of the C library, by the room that needs it.
ALLOCATION = {'malloc', 'calloc', 'realloc', 'free'}
# sqrt and nextafter are exact. log only counts the steps of a range of a sweep, and is rounded to a whole number.
NUMBERS = {'sqrt', 'nextafter', 'log', 'strtod'}
TEXT = {'snprintf', 'vsnprintf', 'strcmp', 'strncmp', 'strlen', 'strcpy', 'strchr', 'strrchr', 'strstr', 'strspn',
        'strcspn', 'strpbrk', 'memchr', 'wcwidth', '__ctype_tolower_loc', 'tolower'}
# scenario: the files of hosts and grids, and shared libraries with a policy.
FILES = {'fopen', 'fclose', 'fread', 'fgets', 'ferror', 'fileno', 'fstat', 'fprintf', 'fputs', 'fputc', 'fwrite',
         'fflush', 'stdin', 'stdout', 'clock_gettime', '__errno_location', 'strerror', 'dlopen',
         'dlsym', 'dlclose', 'dlerror'}
# sweep: its table, which one process writes at a time, and its threads.
SWEEPS = {'getline', 'open_memstream',
          'fdopen', 'fseeko', 'ftruncate', 'open', 'close', 'write', 'dup', 'unlink', 'fcntl', 'lseek', 'qsort',
          'sysconf', 'sigaction', 'sigemptyset'} | {
              f'pthread_{name}' for name in ('create', 'join', 'mutex_init', 'mutex_lock', 'mutex_unlock',
                                             'mutex_destroy', 'cond_init', 'cond_wait', 'cond_timedwait', 'cond_signal',
                                             'cond_broadcast', 'cond_destroy')}
LIBC_OF_EMULATOR = LIBC | ALLOCATION | NUMBERS | TEXT | FILES | SWEEPS
# A hardened build puts __NAME_chk in the place of NAME, and glibc has versions of its own for files and numbers.
DRESSED = re.compile(r'__(?:isoc(?:99|23)_)?(\w+?)_chk|__isoc(?:99|23)_(\w+)|(\w+)64(?:_2)?')
# A handler of signals has no argument: that a signal has come, and what the signals did before (interrupt.c).
OF_SIGNALS = 'interrupt.c.o'
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
    return [f'imports {name}' for name in sorted(imported - allowed)
            if not RUNTIME.fullmatch(name) and undressed(name) not in allowed]


def undressed(name):
    """The name in the source of a function that the headers of the C library renamed."""
    dressed = DRESSED.fullmatch(name)
    return next(filter(None, dressed.groups()), name) if dressed else name


def check_names(symbols):
    defined = {name for name, kind in symbols if kind not in 'Uwv'}
    return [f'defines {name}, which does not begin with vcs_' for name in sorted(defined)
            if not name.startswith('vcs_') and not RUNTIME.fullmatch(name)]


def check_data(library, has_signals):
    problems = []
    member = library
    for line in run('objdump', '--section-headers', library).splitlines():
        if ':     file format' in line:
            member = line.split(':')[0]
        fields = line.split()
        if len(fields) != 7 or not fields[0].isdigit() or fields[1].startswith('.data.rel.ro'):
            continue
        if has_signals and member.endswith(OF_SIGNALS):
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
