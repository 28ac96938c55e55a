#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints the functions of the headers that the safe layer does not call: those that only `unsafe` calls reach.

    missing.py FOLDER_OF_HEADERS
"""

import pathlib
import re
import sys

CRATE = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(CRATE / 'generate'))
sys.dont_write_bytecode = True

import safe  # noqa: E402
from generate import name_of  # noqa: E402
from headers import EMULATOR, FILES, read_headers  # noqa: E402


def main():
    interface = read_headers(pathlib.Path(sys.argv[1]), *EMULATOR, FILES)
    sources = [path for path in (CRATE / 'src').glob('*.rs') if not path.stem.endswith('tests')]
    called = {name for path in sources for name in re.findall(r'\bvcs_(\w+)', path.read_text(encoding='utf-8'))}
    called |= {wrapper.function.name for wrapper in safe.wrappers(interface, name_of)}
    for name in sorted(set(interface.functions) - called):
        print(f'vcs_{name}')


if __name__ == '__main__':
    main()
