#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The manual pages of the library: one for each public header, and a link to it for each function and struct.

    header_pages.py INCLUDE_FOLDER OUTPUT_FOLDER

Nothing is written here that is not in a header.
"""

import itertools
import pathlib
import re
import sys

import roff
from comment_blocks import Paragraph, Quote, Verbatim, blocks_of
from header_groups import description, grouped, section_of, title_of
from header_text import Constant, Function, Struct, read

VERSION = re.compile(r'#define VCS_VERSION "(.+)"')


def page_name(header):
    """fetch.h is described by vcs_fetch(3), vcsched.h by vcsched(3); those of libvcemu by vcemu_grid(3), ..."""
    if header.stem == 'vcsched':
        return 'vcsched'
    return ('vcs_' if header.parent.name == 'vcsched' else 'vcemu_') + header.stem


# ---- comments --------------------------------------------------------------------------------------------------------

def described(lines):
    """A comment, or a part of it, as a part of a page."""
    return [line for block in blocks_of(lines) for line in drawn(block)]


def drawn(block):
    if isinstance(block, Paragraph):
        return roff.paragraph(block.text)
    if isinstance(block, Quote):
        return ['.RS 4', *roff.paragraph(block.text), '.RE']
    if isinstance(block, Verbatim):
        return roff.verbatim(block.lines)
    body = roff.filled(roff.marked(block.text))
    if block.inner:
        body += ['.RS', *(line for inner in block.inner for line in drawn(inner)), '.RE']
    return roff.point(block.term, body) if block.is_point else roff.item(roff.bold(block.term), body)


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
        section = section_of(comment, members)
        if section:
            done += [*roff.heading(section), *described(comment.lines[1:])]
        else:
            done += [] if has_section or done else roff.heading('Interface')
            done += group_text(comment, members)
        has_section = has_section or section is not None
    return done


# ---- pages -----------------------------------------------------------------------------------------------------------

def see_also(name, headers):
    others = sorted({page_name(header) for header in headers} - {name})
    return [*roff.heading('See also'), *roff.filled(', '.join(f'{roff.bold(other)}(3)' for other in others))]


def synopsis(header, items):
    """What to include, all functions, and what to link."""
    library = header.parent.name
    prototypes = [line for item in items if isinstance(item, Function) for line in prototype(item)]
    return [f'#include <{library}/{header.name}>', '', *prototypes, *([''] if prototypes else []),
            f'cc ... $(pkg-config --cflags --libs {library})']


def header_page(header, headers, date, version):
    """The text of the page, and the names that it describes."""
    name = page_name(header)
    first, items = read(header)
    about, intro = description(first)
    intro = described(intro)
    body = [*roff.heading('Synopsis'), *roff.verbatim(synopsis(header, items))]
    if intro:
        body += [*roff.heading('Description'), *intro]
    body += [*interface(items), *see_also(name, headers)]
    names = [item.name for item in items if isinstance(item, (Function, Struct))]
    return roff.page(name, 3, about, date, version, body), names


def main():
    include, folder = map(pathlib.Path, sys.argv[1:])
    headers = sorted(include.glob('vcsched/*.h')) + sorted(include.glob('vcemu/*.h'))
    abi = include / 'vcsched' / 'abi.h'
    version = ''.join(VERSION.findall(abi.read_text(encoding='ascii')))
    pages, links = {}, {}
    for header in headers:
        text, names = header_page(header, headers, roff.date_of(abi), version)
        pages[page_name(header) + '.3'] = text
        links.update({name + '.3': f'.so man3/{page_name(header)}.3\n' for name in names})
    roff.write_folder(folder, {**links, **pages})


main()
