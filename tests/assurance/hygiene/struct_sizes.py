#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The comment on a struct states its size, "N bytes.", and the compiler agrees.

    struct_sizes.py INCLUDE_DIRECTORY COMPILER

Records must state it; it is the same on processors of 64 and of 32 bits. Structs that begin with struct_size may.
"""

import re
import subprocess
import sys

import public_headers

INCLUDES = '#include <vcsched/vcsched.h>\n#include <vcemu/bound.h>\n#include <vcemu/grid.h>\n#include <vcemu/sweep.h>\n'
STATED = re.compile(r'\b(\d+)(?: \* )?\s*bytes\. Since \d')


def stated_sizes(headers):
    """({struct: size}, problems)"""
    sizes, problems = {}, []
    for header in headers:
        for name, body, comment in public_headers.structs_of(header):
            stated = STATED.search(re.sub(r'\n \*', '', comment))
            if stated:
                sizes[name] = int(stated.group(1))
            elif 'struct_size' not in body and '*' not in public_headers.COMMENT.sub('', body):
                problems.append(f'{header.name}: {name} does not state its size as "N bytes. Since X."')
    return sizes, problems


def contradictions(sizes, include_directory, command):
    checks = ''.join(f'_Static_assert(sizeof({name}) == {size}, "{name} is not {size} bytes");\n'
                     for name, size in sizes.items())
    run = subprocess.run([*command, '-std=c11', '-fsyntax-only', f'-I{include_directory}', '-x', 'c', '-'], check=False,
                         input=INCLUDES + checks, capture_output=True, text=True)
    return [f'{" ".join(command)}:\n{run.stderr}'] if run.returncode else []


def main():
    include_directory, compiler = sys.argv[1:]
    sizes, problems = stated_sizes(public_headers.find(include_directory))
    if not sizes:
        problems.append('no struct states its size')
    for command in ([compiler], [compiler, '-m32', '-ffreestanding']):
        problems += contradictions(sizes, include_directory, command)
    public_headers.finish(problems)


main()
