#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Nothing private in lib/ looks public.

    private_names.py SOURCE_ROOT

No struct, typedef, enum or function that the library keeps to itself has the name of a public one, or a name that a
public one begins with, up to an underscore: with vcs_job_send() public, vcs_job is no name for a private struct, and
neither is vcs_job_send. A public struct with private members, such as vcs_state, is public.
"""

import pathlib
import re
import sys

import public_headers

COMMENT = re.compile(r'/\*.*?\*/|"(?:[^"\\\n]|\\.)*"', re.DOTALL)
NAME = re.compile(r'\bvcs_\w+\b')
OPAQUE = re.compile(r'^typedef struct (\w+) \1;', re.MULTILINE)
# What declares or defines a name in a file of lib/: a struct, union or enum with its members, a typedef, a function.
DECLARATIONS = [
    re.compile(r'\b(?:struct|union|enum)\s+(\w+)\s*\{'),
    re.compile(r'^typedef\b[^;{]*\b(\w+)\s*;', re.MULTILINE),
    re.compile(r'^typedef\s+(?:struct|union|enum)\s*\w*\s*\{.*?^\}\s*(\w+)\s*;', re.MULTILINE | re.DOTALL),
    re.compile(r'^typedef\b[^;]*\(\*(\w+)\)', re.MULTILINE),
    re.compile(r'^(?!typedef|return|else|#)[A-Za-z_][\w \t*]*?[ *](\w+)\([^;{}]*\)\s*[;{]', re.MULTILINE),
]


def code_of(path):
    return COMMENT.sub(' ', path.read_text(encoding='utf-8'))


def main():
    root = pathlib.Path(sys.argv[1])
    headers = [code_of(header) for header in public_headers.find(root / 'include')]
    public = {name for code in headers for name in NAME.findall(code)}
    opaque = {name for code in headers for name in OPAQUE.findall(code)}
    beginnings = {'_'.join(words[:count]) for words in (name.split('_') for name in public)
                  for count in range(2, len(words) + 1)}
    if 'vcs_wrr' not in public:
        raise SystemExit('the public headers declare nothing that is known here')
    problems = set()
    for path in sorted((root / 'lib').glob('*/*.[ch]')):
        code = code_of(path)
        for number, declaration in enumerate(DECLARATIONS):
            for name in declaration.findall(code):
                # The library defines public functions, and the members of opaque structs.
                if name in opaque or (name in public and number == len(DECLARATIONS) - 1):
                    continue
                if name in beginnings:
                    example = min(other for other in public if other == name or other.startswith(name + '_'))
                    problems.add(f'{path.relative_to(root)}: {name} is private and looks public, as {example} is')
    public_headers.finish(sorted(problems))


main()
