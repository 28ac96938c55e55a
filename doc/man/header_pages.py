#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The manual pages of the library: one for each public header, and a link to it for each function and struct.

    header_pages.py INCLUDE_FOLDER OUTPUT_FOLDER

Nothing is written here that is not in a header.
"""

import itertools
import os
import pathlib
import re
import sys

import roff
from header_text import Comment, Constant, Function, Gap, Struct, read

LICENCE = 'SPDX-License-Identifier: MIT'
SECTION = re.compile(r'-{4} (.*) -{4}|([A-Z]+)')
# The beginning of an item of a list: a term and what it means, or a number or dash.
TERM = re.compile(r'( *)(\S(?: ?\S)*?) {2,}(\S.*)')
POINT = re.compile(r'( *)(\d+\.|-) (\S.*)')
VERSION = re.compile(r'#define VCS_VERSION_\w+ (\d+)')
WIDEST_VERBATIM = 92


def page_name(header):
    """fetch.h is described by vcs_fetch(3), vcsched.h by vcsched(3); those of libvcemu by vcemu_grid(3), ..."""
    if header.stem == 'vcsched':
        return 'vcsched'
    return ('vcs_' if header.parent.name == 'vcsched' else 'vcemu_') + header.stem


# ---- comments --------------------------------------------------------------------------------------------------------

def indent_of(line):
    return len(line) - len(line.lstrip(' '))


def cut(lines, goes_on):
    """The lines from the first on that belong together, and the rest."""
    end = 1
    while end < len(lines) and goes_on(lines[end]):
        end += 1
    return lines[:end], lines[end:]


def item_in(lines):
    """The match of the item that begins in the first line; None if none does."""
    return POINT.fullmatch(lines[0]) or TERM.fullmatch(lines[0])


def is_verbatim(lines):
    """Lines as far in as formulas and commands are: or is it prose?"""
    return max(map(len, lines)) <= WIDEST_VERBATIM or any('=' in line for line in lines)


def described(lines):
    """A comment, or a part of it, as a part of a page."""
    done = []
    while lines:
        if not lines[0]:
            lines = lines[1:]
        elif indent_of(lines[0]) >= 4:
            block, lines = cut(lines, lambda line: indent_of(line) >= 4)
            if is_verbatim(block):
                done += roff.verbatim([line[4:] for line in block])
            else:
                done += ['.RS 4', *roff.paragraph(' '.join(' '.join(block).split())), '.RE']
        elif item_in(lines):
            match = item_in(lines)
            indent = len(match[1])
            block, lines = cut(lines, lambda line, indent=indent: indent_of(line) > indent)
            body = body_of_item(match[3], block[1:])
            done += roff.point(match[2], body) if match.re is POINT else roff.item(roff.bold(match[2]), body)
        else:
            block, lines = cut(lines, lambda line: line and indent_of(line) == 0 and not item_in([line]))
            done += roff.paragraph(' '.join(block))
    return done


def body_of_item(first, others):
    """What an item says. A list within it stands further in."""
    count = 0
    while count < len(others) and not POINT.fullmatch(others[count]):
        count += 1
    text = roff.filled(roff.marked(' '.join([first, *' '.join(others[:count]).split()])))
    inner = others[count:]
    if inner:
        indent = min(map(indent_of, inner))
        text += ['.RS', *described([line[indent:] for line in inner]), '.RE']
    return text


# ---- what is declared ------------------------------------------------------------------------------------------------

def constants(group):
    """Those of which nothing is said stand in a list of lines."""
    done = []
    for is_told, some in itertools.groupby(group, lambda constant: constant.about != ''):
        if is_told:
            for constant in some:
                done += roff.item(f'{roff.bold(constant.name)} {roff.escape(constant.value)}',
                                  roff.filled(roff.marked(constant.about)))
        else:
            done += roff.verbatim([f'{constant.name} {constant.value}' for constant in some])
    return done


def fields(struct):
    done = []
    for field in struct.fields:
        done += roff.item(roff.bold(field.code), roff.filled(roff.marked(field.about)))
    return done


def prototype(function):
    """On one line, or with an argument on each."""
    text = function.prototype + ';'
    if len(text) <= roff.WIDTH:
        return [text]
    start, _, arguments = text.partition('(')
    *most, last = arguments.split(', ')
    return [start + '(', *(f'    {argument},' for argument in most), '    ' + last]


def grouped(items):
    """The items in groups that one comment is about: (comment or None, constants or functions or one struct)."""
    groups = []
    comment = None
    for item in items:
        joins = groups and groups[-1][1] and isinstance(item, (Constant, Function)) and \
            isinstance(groups[-1][1][-1], type(item))
        if isinstance(item, Gap):
            if comment is not None:
                groups.append((comment, []))
                comment = None
            elif groups:
                groups.append((None, []))
        elif isinstance(item, Comment):
            if comment is not None:
                groups.append((comment, []))
            comment = item
        elif comment is None and joins:
            groups[-1][1].append(item)
        else:
            groups.append((comment, [item]))
            comment = None
    return [group for group in groups if group != (None, [])] + ([(comment, [])] if comment else [])


def title_of(members):
    if isinstance(members[0], Struct):
        return 'struct ' + members[0].name
    if isinstance(members[0], Function):
        return ', '.join(member.name + ('()' if '(' in member.prototype else '') for member in members)
    names = [member.name for member in members]
    shared = os.path.commonprefix(names)
    if len(names) > 1 and shared != 'VCS_':
        return shared + '*'
    return ', '.join(names) if len(names) <= 2 else f'{names[0]} ... {names[-1]}'


def group_text(comment, members):
    about = described(comment.lines) if comment else []
    if not members:
        return about
    done = roff.subheading(title_of(members))
    if isinstance(members[0], Struct):
        return done + about + fields(members[0])
    if isinstance(members[0], Constant):
        return done + about + constants(members)
    return done + roff.verbatim([line for member in members for line in prototype(member)]) + about


def interface(items):
    done = []
    has_section = False
    for comment, members in grouped(items):
        section = SECTION.fullmatch(comment.lines[0]) if comment and not members else None
        if section:
            done += [*roff.heading(section[1] or section[2]), *described(comment.lines[1:])]
        else:
            done += [] if has_section or done else roff.heading('Interface')
            done += group_text(comment, members)
        has_section = has_section or section is not None
    return done


# ---- pages -----------------------------------------------------------------------------------------------------------

def description(lines):
    """What the header is about, in short, and the rest of its first comment."""
    lines = [line for line in lines if line != LICENCE]
    title, rest = cut(lines, bool)
    about = ' '.join(title)
    short = re.match(r'.*?(?=\. |[.:]?$)', about)[0]
    name = short if short[1].isupper() else short[0].lower() + short[1:]
    return name.replace('`', ''), described(lines if len(about) > len(short) + 1 else rest)


def see_also(name, headers):
    others = sorted({page_name(header) for header in headers} - {name})
    return [*roff.heading('See also'), *roff.filled(', '.join(f'{roff.bold(other)}(3)' for other in others))]


def header_page(header, headers, date, version):
    """The text of the page, and the names that it describes."""
    name = page_name(header)
    first, items = read(header)
    about, intro = description(first)
    library = header.parent.name
    body = [*roff.heading('Synopsis'), *roff.verbatim([f'#include <{library}/{header.name}>', '',
                                                       f'cc ... $(pkg-config --cflags --libs {library})'])]
    if intro:
        body += [*roff.heading('Description'), *intro]
    body += [*interface(items), *see_also(name, headers)]
    names = [item.name for item in items if isinstance(item, (Function, Struct))]
    return roff.page(name, 3, about, date, version, body), names


def main():
    include, folder = map(pathlib.Path, sys.argv[1:])
    headers = sorted(include.glob('vcsched/*.h')) + sorted(include.glob('vcemu/*.h'))
    abi = include / 'vcsched' / 'abi.h'
    version = '.'.join(VERSION.findall(abi.read_text(encoding='ascii')))
    pages, links = {}, {}
    for header in headers:
        text, names = header_page(header, headers, roff.date_of(abi), version)
        pages[page_name(header) + '.3'] = text
        links.update({name + '.3': f'.so man3/{page_name(header)}.3\n' for name in names})
    roff.write_folder(folder, {**links, **pages})


main()
