# SPDX-License-Identifier: MIT
"""For Sphinx: links within the site become relative, and headings have the anchors that GitHub gives them."""

import re

from docutils import nodes

from tree import SCHEME, relative


def github_anchor(title):
    return re.sub(r'[^\w\- ]', '', title.strip().lower()).replace(' ', '-')


def add_anchors(app, doctree):
    taken = {}
    for section in doctree.findall(nodes.section):
        anchor = github_anchor(section.next_node(nodes.title).astext())
        count = taken.get(anchor, 0)
        taken[anchor] = count + 1
        anchor = f'{anchor}-{count}' if count else anchor
        if anchor in section['ids']:
            section['ids'].remove(anchor)
        # The first is what the table of contents links to.
        section['ids'].insert(0, anchor)


def make_relative(app, doctree, docname):
    for reference in doctree.findall(nodes.reference):
        target = reference.get('refuri', '')
        if target.startswith(SCHEME):
            reference['refuri'] = relative(docname + '.html', target[len(SCHEME):])
            reference['internal'] = True


def setup(app):
    app.connect('doctree-read', add_anchors)
    app.connect('doctree-resolved', make_relative)
    return {'parallel_read_safe': True, 'parallel_write_safe': True}
