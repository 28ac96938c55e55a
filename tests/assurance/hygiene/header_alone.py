#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each public header compiles alone, and when it is included twice, as C11 and as C++17. So does a program in both
languages that fills records.

    header_alone.py INCLUDE_DIRECTORY C_COMPILER... -- CXX_COMPILER...

The fields of structs leave no implicit padding, which the compiler confirms for processors of 64 and of 32 bits.
"""

import concurrent.futures
import subprocess
import sys
import types

import public_headers

WARNINGS = ['-Wall', '-Wextra', '-Wpedantic', '-Wconversion', '-Wpadded', '-Werror', '-fsyntax-only']

PROGRAM_NAME = types.SimpleNamespace(name='a program')
PROGRAM = """
#include <vcsched/vcsched.h>

int main(void) {
    vcs_task tasks[3] = {};
    vcs_snapshot snapshot = {};
    const vcs_array array = {{tasks}, sizeof *tasks, 3};
    tasks[0].remaining = 3600.0;
    snapshot.struct_size = sizeof snapshot;
    snapshot.tasks = array;
    return snapshot.tasks.count == 3 && snapshot.tasks.base == tasks ? 0 : 1;
}
"""


def complaint_of(command, language, source, include_directory):
    """What the compiler says against it; '' if nothing."""
    run = subprocess.run([*command, *WARNINGS, f'-I{include_directory}', '-x', language, '-'], check=False,
                         input=source, capture_output=True, text=True)
    return run.stderr if run.returncode else ''


def compile_header(command, language, header, include_directory):
    source = f'#include <{header.parent.name}/{header.name}>\n' * 2 + 'extern int not_empty;\n'
    return complaint_of(command, language, source, include_directory)


def c_variants(compiler):
    yield [compiler, '-std=c11']
    # Freestanding, so that no C library for 32 bits is needed.
    if works([compiler, '-m32', '-ffreestanding'], 'c'):
        yield [compiler, '-std=c11', '-m32', '-ffreestanding']


def works(command, language):
    return subprocess.run([*command, '-fsyntax-only', '-x', language, '-'], input='#include <stdint.h>\n', check=False,
                          capture_output=True, text=True).returncode == 0


def main():
    include_directory, *compilers = sys.argv[1:]
    separator = compilers.index('--')
    variants = [(command, 'c') for compiler in compilers[:separator] for command in c_variants(compiler)]
    variants += [([compiler, '-std=c++17'], 'c++') for compiler in compilers[separator + 1:]]
    jobs = [(command, language, header, include_directory) for header in public_headers.find(include_directory)
            for command, language in variants]
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as workers:
        complaints = list(workers.map(lambda job: compile_header(*job), jobs))
    print(f'{len(variants)} variants')
    for command, language in variants:
        if '-ffreestanding' not in command:
            source = PROGRAM if language == 'c++' else PROGRAM.replace('{}', '{0}')
            jobs.append((command, language, PROGRAM_NAME, include_directory))
            complaints.append(complaint_of(command, language, source, include_directory))
    public_headers.finish([f'{header.name} with {" ".join(command)}:\n{complaint}'
                           for (command, _, header, _), complaint in zip(jobs, complaints) if complaint])


main()
