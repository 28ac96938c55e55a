# SPDX-License-Identifier: MIT
"""What stands in a public header, in its order: comments, constants, structs and functions."""

import re
from typing import List, NamedTuple

COMMENT = re.compile(r'/\*(.*?)\*/', re.DOTALL)
DEFINE = re.compile(r'#define (VCS_\w+) ((?:\\\n|/\*.*?\*/|[^\n])*)\n', re.DOTALL)
STRUCT = re.compile(r'typedef struct (\w+) (?:\{\n(.*?)^\} )?\w+;\n', re.MULTILINE | re.DOTALL)
FUNCTION = re.compile(r'VCS_API ([^;]*);\n')
# A statement in a struct, and what is said of it: before it on lines of its own, or behind it.
FIELD = re.compile(r'(?: *union \{\n| *\};\n|\s*/\*(?P<before>(?:(?!\*/).)*)\*/\n)*'
                   r' +(?P<code>[^;/]*?);[ ]*(?:/\*(?P<behind>.*?)\*/)?\n', re.DOTALL)


class Comment(NamedTuple):
    """Its lines, without stars."""
    lines: List[str]


class Constant(NamedTuple):
    name: str
    value: str
    about: str


class Field(NamedTuple):
    """`code` is what declares it, such as `uint32_t index`."""
    code: str
    about: str


class Struct(NamedTuple):
    name: str
    fields: List[Field]


class Function(NamedTuple):
    """A prototype, or the variable that a policy defines."""
    name: str
    prototype: str


class Gap(NamedTuple):
    """An empty line: what stands below it is no longer about the comment above it."""


def lines_of(comment):
    """The lines of a comment, without its stars and without empty lines at both ends."""
    lines = [re.sub(r'^ \* ?|^ \*?$', '', line) for line in comment.split('\n')]
    lines[0] = lines[0].strip()
    if len(lines) > 1 and '\n *' not in comment:
        lines = [line.strip() for line in lines]
    while lines and not lines[0].strip():
        lines.pop(0)
    while lines and not lines[-1].strip():
        lines.pop()
    return [line.rstrip() for line in lines]


def plain(comment):
    """A comment as one line."""
    return ' '.join(' '.join(lines_of(comment or '')).split())


def _constant(match):
    comment = COMMENT.search(match[2])
    value = ' '.join(COMMENT.sub('', match[2]).replace('\\\n', ' ').split())
    return Constant(match[1], value, plain(comment[1]) if comment else '')


def _struct(match):
    fields = [Field(' '.join(field['code'].split()), plain(field['before'] or field['behind']))
              for field in FIELD.finditer(match[2] or '')]
    return Struct(match[1], fields)


def _function(match):
    prototype = ' '.join(match[1].split())
    return Function(re.search(r'(\w+)(\(|$)', prototype)[1], prototype)


KINDS = ((re.compile(r'\s*?\n'), lambda _: Gap()), (COMMENT, lambda match: Comment(lines_of(match[1]))),
         (DEFINE, _constant), (STRUCT, _struct), (FUNCTION, _function),
         # Guards, includes, the end of the line of a comment: nothing to tell.
         (re.compile(r'#(?:\\\n|[^\n])*\n(?:#(?:define VCS_API|else|endif)[^\n]*\n)*'), lambda _: None),
         (re.compile(r'extern "C" \{\n|\}\n'), lambda _: None))


def read(header):
    """The first comment, the lines of the header's own description; then all that follows."""
    text = header.read_text(encoding='ascii')
    items = []
    place = 0
    while place < len(text):
        for pattern, make in KINDS:
            match = pattern.match(text, place)
            if match and match.end() > place:
                break
        else:
            raise SystemExit(f'{header}: cannot read line {text.count(chr(10), 0, place) + 1}')
        made = make(match)
        place = match.end()
        if made is not None:
            items.append(made)
        if isinstance(made, Comment) and text[place:place + 1] == '\n':
            place += 1
    return items[0].lines, items[1:]
