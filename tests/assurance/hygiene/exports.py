#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A shared library exports what the headers declare and the version script lists: no more, no less.

    exports.py INCLUDE_DIRECTORY VERSION_SCRIPT SHARED_LIBRARY
"""

import pathlib
import re
import subprocess
import sys

import public_headers


def names_in_script(path):
    text = public_headers.COMMENT.sub('', pathlib.Path(path).read_text(encoding='ascii'))
    return re.findall(r'^\s+(vcs_\w+);', text, re.MULTILINE)


def names_exported(library):
    table = subprocess.run(['nm', '--dynamic', '--defined-only', '--format=posix', library], check=True,
                           capture_output=True, text=True).stdout
    symbols = [line.split()[:2] for line in table.splitlines()]
    # Type A is the name of a version itself.
    return [name.split('@')[0] for name, kind in symbols if kind != 'A']


def compare(what, names, whose, reference):
    problems = [f'{name}: twice in {what}' for name in sorted({name for name in names if names.count(name) > 1})]
    problems += [f'{name}: in {what}, not in {whose}' for name in sorted(set(names) - set(reference))]
    problems += [f'{name}: in {whose}, not in {what}' for name in sorted(set(reference) - set(names))]
    return problems


def main():
    include_directory, script, library = sys.argv[1:]
    declared = [name for header in public_headers.find_of(include_directory, library)
                for name in public_headers.functions_of(header)]
    public_headers.finish(compare('the headers', declared, 'the version script', names_in_script(script)) +
                          compare('the shared library', names_exported(library), 'the headers', declared))


main()
