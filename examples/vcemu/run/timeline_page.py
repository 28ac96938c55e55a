#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes C of a page, so that a program can write it without reading another file.

    timeline_page.py PAGE.html OUTPUT.c

The page is cut in two where @DATA@ stands: there the program writes its data. Of NAME.html, the parts are called
NAME_page_head and NAME_page_tail, which NAME_page.h declares.
"""

import pathlib
import sys

BYTES_PER_LINE = 20


def array(name, text):
    # Numbers, because the C standard lets string literals end after 4095 characters.
    numbers = [*text.encode('ascii'), 0]
    lines = [', '.join(map(str, numbers[i:i + BYTES_PER_LINE])) for i in range(0, len(numbers), BYTES_PER_LINE)]
    return f'const char {name}[] = {{\n    ' + ',\n    '.join(lines) + ',\n};\n'


def main():
    page, output = map(pathlib.Path, sys.argv[1:])
    head, tail = page.read_text(encoding='ascii').split('@DATA@')
    arrays = array(f'{page.stem}_page_head', head) + '\n' + array(f'{page.stem}_page_tail', tail)
    output.write_text(f'/* Made from {page.name}. */\n#include "{page.stem}_page.h"\n\n{arrays}', encoding='ascii')


main()
