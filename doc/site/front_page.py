# SPDX-License-Identifier: MIT
"""The first page: what the library is, a picture that moves, the commands, and what else there is, on one screen."""

import html
import pathlib
import re
import string

from markdown_it import MarkdownIt

from contents import places
from moving_picture import SCENARIO, moving_picture
from tree import SCHEME

HERE = pathlib.Path(__file__).resolve().parent
COMPARISON = 'doc/comparison.md'
# Makes all that there is to take.
PACK = 'sh doc/packaging/all.sh --rehearsal FOLDER'
LEAD = ('libvcsched decides as the clients and servers of volunteer computing do, or better: which tasks run, which '
        'will miss their deadlines, how much work to fetch and from whom; which jobs to send, when to make another '
        'copy, and when to trust a result. A C library of decisions and nothing else, the same to the last byte on '
        'every machine, callable from any language.')
AUDIENCES = (('client', 'I write a client'), ('server', 'I run a project'), ('research', 'I study policies'),
             ('volunteer', 'I have a client_state.xml'), ('packager', 'I package it'))
TABLE = re.compile(r'^\|.*?\n\n', re.MULTILINE | re.DOTALL)
REFERENCES = re.compile(r'^\[[\w-]+\]: \S+$', re.MULTILINE)


def commands(readme):
    """The first commands of the README, what each is for above it."""
    block = re.search(r'(?:^    .+\n)+', readme, re.MULTILINE)[0]
    done = []
    for line in block.splitlines():
        command, _, about = line.strip().partition(' # ')
        about = about.partition(';')[0].strip()
        done += [f'<i># {html.escape(about, quote=False)}</i>', html.escape(command.strip(), quote=False)]
    return '\n'.join(done)


def comparison(text):
    """The table of the comparison as HTML, from its text with links of the site."""
    markdown = TABLE.search(text)[0] + '\n'.join(REFERENCES.findall(text))
    page = MarkdownIt('commonmark').enable('table')
    page.validateLink = lambda link: True
    return page.render(markdown).replace(SCHEME, '')


def front_page(tree, texts, vcemu, version, has_playground):
    readme = (tree.root / 'README.md').read_text(encoding='utf-8')
    template = string.Template((HERE / 'front.html').read_text(encoding='utf-8'))
    return template.substitute(
        version=version, lead=LEAD, commands=commands(readme), picture=moving_picture(vcemu, tree.root),
        navigation=' '.join(f'<a href="{page}">{name}</a>' for page, name in places(has_playground)),
        audiences='\n'.join(f'<li><a href="doc/start/{page}.html">{text}</a></li>' for page, text in AUDIENCES),
        caption=('The same computer and the same jobs twice: half a day of '
                 f'<a href="{tree.page_of(SCENARIO)}">{SCENARIO.rpartition("/")[2]}</a>, emulated by <code>vcemu run'
                 '</code> with <a href="doc/rules.html#5-which-tasks-to-run">either rule</a>. Each project gets as '
                 'much in both.'),
        take=(f'The sources are one file, <code>vcsched-{version}.tar.gz</code>. Until the release it is at no '
              f'address: in a clone, <code>{html.escape(PACK)}</code> <a href="doc/releasing.html">makes it</a>, and '
              'the packages for Debian, Python, Lua, npm and Windows. Unpack it and build, as above, or <a '
              'href="doc/embedding.html#the-build">put it into your program</a>. <a href="doc/start/packager.html">'
              'Whoever packages it</a> finds options and tests listed. Everything is under the <a href="LICENSE.html">'
              'MIT licence</a>.'),
        table_title='What else there is, and what it can and cannot', table=comparison(texts[COMPARISON]),
        table_about=('Each claim links to a measurement or to what its authors published; a dash: their description '
                     'has nothing about it. <a href="doc/comparison.html">What the rows mean, and what the others do '
                     'better</a>.'))
