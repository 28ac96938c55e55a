#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The README and the manual show code that exists, and no link leads nowhere.

    readme.py SOURCE_ROOT

- A block of code that follows the name of a file, as in "`examples/c/embed/main.c`:", stands so in that file.
- Links to files of the source tree lead somewhere.
"""

import pathlib
import re
import sys

import public_headers

BLOCK = re.compile(r'`([\w./]+\.\w+)`:\n\n```\w*\n(.*?)^```$', re.MULTILINE | re.DOTALL)
LINK = re.compile(r'\]\((?!https?://|#)([^)#]+)')


def check_blocks(root, document):
    for name, block in BLOCK.findall(document.read_text(encoding='utf-8')):
        text = (root / name).read_text(encoding='utf-8') if (root / name).exists() else ''
        if block not in text:
            yield f'{document.name}: the code under {name} does not stand in that file'


def check_links(root, document):
    for target in LINK.findall(document.read_text(encoding='utf-8')):
        if not (document.parent / target).exists():
            yield f'{document.relative_to(root)}: {target} does not exist'


def main():
    root = pathlib.Path(sys.argv[1])
    readme = root / 'README.md'
    if not BLOCK.search(readme.read_text(encoding='utf-8')):
        raise SystemExit('the README shows no example')
    documents = [*sorted(root.glob('*.md')), *sorted(root.glob('doc/**/*.md'))]
    public_headers.finish([problem for document in documents for problem in check_blocks(root, document)] +
                          [problem for document in documents for problem in check_links(root, document)])


main()
