#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""CONTRIBUTING.md says of every public function why it stays, and of no other.

    needed.py SOURCE_ROOT

A new function has to be somebody's need before it is frozen; the line about it says whose. Each is named once.
"""

import collections
import pathlib
import re
import sys

import public_headers

SECTION = re.compile(r'^## Why each public function stays\n(.*?)^## ', re.MULTILINE | re.DOTALL)
ROW = re.compile(r'^\| (`vcs_[^|]*`) \| (.*) \|$', re.MULTILINE)


def main():
    root = pathlib.Path(sys.argv[1])
    section = SECTION.search((root / 'CONTRIBUTING.md').read_text(encoding='utf-8'))
    if section is None:
        raise SystemExit('CONTRIBUTING.md has no section "Why each public function stays"')
    named = collections.Counter()
    for functions, why in ROW.findall(section.group(1)):
        if why.strip():
            named.update(re.findall(r'`(\w+)`', functions))
    public = {name for header in public_headers.find(root / 'include') for name in public_headers.functions_of(header)}
    problems = [f'CONTRIBUTING.md does not say why {name}() stays' for name in sorted(public - named.keys())]
    problems += [f'CONTRIBUTING.md names {name}(), which is not public' for name in sorted(named.keys() - public)]
    problems += [f'CONTRIBUTING.md names {name}() {count} times' for name, count in sorted(named.items()) if count > 1]
    public_headers.finish(problems)


main()
