# SPDX-License-Identifier: MIT
"""A comment of a header as paragraphs, lists and lines that stay as they are."""

import re
from typing import List, NamedTuple

# The beginning of an item of a list: a term and what it means, or a number or dash.
TERM = re.compile(r'( *)(\S(?: ?\S)*?) {2,}(\S.*)')
POINT = re.compile(r'( *)(\d+\.|-) (\S.*)')
WIDEST_VERBATIM = 92


class Paragraph(NamedTuple):
    text: str


class Quote(NamedTuple):
    """Prose that stands further in."""
    text: str


class Verbatim(NamedTuple):
    """Formulas and commands, line by line."""
    lines: List[str]


class Item(NamedTuple):
    """Of a list: after its number or dash (a point), or after the term that it explains. `inner` is a list in it."""
    is_point: bool
    term: str
    text: str
    inner: List[tuple]


def _indent_of(line):
    return len(line) - len(line.lstrip(' '))


def _cut(lines, goes_on):
    """The lines from the first on that belong together, and the rest."""
    end = 1
    while end < len(lines) and goes_on(lines[end]):
        end += 1
    return lines[:end], lines[end:]


def _item_in(lines):
    """The match of the item that begins in the first line; None if none does."""
    return POINT.fullmatch(lines[0]) or TERM.fullmatch(lines[0])


def _is_verbatim(lines):
    """Lines as far in as formulas and commands are: or is it prose?"""
    return max(map(len, lines)) <= WIDEST_VERBATIM or any('=' in line for line in lines)


def _item(match, others):
    """A list within an item stands further in."""
    count = 0
    while count < len(others) and not POINT.fullmatch(others[count]):
        count += 1
    inner = others[count:]
    indent = min(map(_indent_of, inner)) if inner else 0
    return Item(match.re is POINT, match[2], ' '.join([match[3], *' '.join(others[:count]).split()]),
                blocks_of([line[indent:] for line in inner]))


def blocks_of(lines):
    blocks = []
    while lines:
        if not lines[0]:
            lines = lines[1:]
        elif _indent_of(lines[0]) >= 4:
            block, lines = _cut(lines, lambda line: _indent_of(line) >= 4)
            blocks.append(Verbatim([line[4:] for line in block]) if _is_verbatim(block)
                          else Quote(' '.join(' '.join(block).split())))
        elif _item_in(lines):
            match = _item_in(lines)
            indent = len(match[1])
            block, lines = _cut(lines, lambda line, indent=indent: _indent_of(line) > indent)
            blocks.append(_item(match, block[1:]))
        else:
            block, lines = _cut(lines, lambda line: line and _indent_of(line) == 0 and not _item_in([line]))
            blocks.append(Paragraph(' '.join(block)))
    return blocks
