#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Weaves contracts and loop invariants into a copy of a source file, or of a header and the source behind it.

    weave.py ANNOTATIONS SOURCE... > ANNOTATED

The library's own files stay free of them. An annotation file consists of paragraphs. One whose first line says where
it goes is woven in; the others are for readers. The places:

    predicates              before the first definition of a function
    lemma NAME              there, too: a function that is called by proofs alone
    function NAME           before the definition of that function
    loop N                  before the Nth loop, counted from 1, of the function named last
    before TEXT             before the first line of that function that begins with TEXT
    after TEXT              after that line
    end                     before the last line of that function

A place that the source does not have is an error, so that a proof cannot silently lose what it is about.
"""

import re
import sys

PLACE = re.compile(r'(predicates|lemma \w+|function \w+|loop \d+|(?:before|after) .+|end)\n')
LOOP = re.compile(r'\s+(for|while|do)\b')
FUNCTION = re.compile(r'[a-z].*?\b(\w+)\(')


def blocks_of(text):
    """The function, the kind of place, which one of that kind, and the text, of each block."""
    function = None
    for paragraph in text.split('\n\n'):
        match = PLACE.match(paragraph.lstrip('\n'))
        if not match:
            continue
        kind, _, what = match.group(1).partition(' ')
        if kind == 'function':
            function = what
        yield function, kind, what, paragraph.lstrip('\n')[match.end():].rstrip('\n')


def functions_in(lines):
    """The number of the first line and of the one after the last, of each definition."""
    found = {}
    for start, line in enumerate(lines):
        match = FUNCTION.match(line)
        if not match or line.rstrip().endswith(';'):
            continue
        head = start
        while head < len(lines) and not lines[head].rstrip().endswith(('{', ';')):
            head += 1
        if head < len(lines) and lines[head].rstrip().endswith('{'):
            end = next(n for n in range(head, len(lines)) if lines[n].startswith('}'))
            found.setdefault(match.group(1), (start, end + 1))
    return found


def place_of(lines, functions, function, kind, what):
    """Before which line a block goes."""
    if kind in ('predicates', 'lemma'):
        return min(start for start, _ in functions.values())
    if function not in functions:
        raise LookupError(f'no function {function}')
    start, end = functions[function]
    if kind == 'function':
        return start
    body = range(start + 1, end)
    if kind == 'loop':
        loops = [n for n in body if LOOP.match(lines[n])]
        if len(loops) < int(what):
            raise LookupError(f'{function} has {len(loops)} loops, so none with number {what}')
        return loops[int(what) - 1]
    if kind == 'end':
        return end - 1
    for n in body:
        if lines[n].strip().startswith(what):
            return n + (kind == 'after')
    raise LookupError(f'no line of {function} begins with: {what}')


def weave(annotations, source):
    lines = source.splitlines()
    functions = functions_in(lines)
    inserts = {}
    # A contract stands right before its function, so behind what is called by proofs alone.
    blocks = sorted(blocks_of(annotations), key=lambda block: block[1] not in ('predicates', 'lemma'))
    for function, kind, what, text in blocks:
        inserts.setdefault(place_of(lines, functions, function, kind, what), []).append(text)
    for number, line in enumerate(lines):
        yield from inserts.get(number, [])
        yield line


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    texts = []
    for path in sys.argv[1:]:
        with open(path, encoding='utf-8') as file:
            texts.append(file.read())
    try:
        print('\n'.join(weave(texts[0], '\n'.join(texts[1:]))))
    except LookupError as error:
        sys.exit(f'{sys.argv[1]}: {" ".join(sys.argv[2:])}: {error}')


if __name__ == '__main__':
    main()
