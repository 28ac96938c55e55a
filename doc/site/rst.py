# SPDX-License-Identifier: MIT
"""Pieces of a page in reStructuredText."""

import re

from tree import SCHEME


def escape(text):
    """Text in which nothing is marked up, and no scheme of a URL is seen."""
    return re.sub(r'([\\*`|_:])', r'\\\1', text)


def code(text):
    return rf'\ ``{text}``\ '


def link(text, target):
    """Text as it is, as a link within the site."""
    return rf'\ `{escape(text).replace("<", chr(92) + "<")} <{SCHEME}{target}>`__\ '


def indented(lines, by=3):
    return [' ' * by + line if line else '' for line in lines]


def heading(title, underline):
    return ['', escape(title), underline * max(len(escape(title)), 3), '']


def paragraph(text):
    return ['', text, '']


def verbatim(lines, language='none'):
    return ['', f'.. code-block:: {language}', '', *indented(lines), '']


def directive(name, arguments, body):
    first, *others = arguments
    return ['', f'.. {name}:: {first}', *indented(others, len(name) + 6), '', *indented(body), '']


def _beginning(body):
    """Without empty lines before it."""
    return body[next((i for i, line in enumerate(body) if line), len(body)):]


def item(term, body):
    """A term and the lines that explain it."""
    return ['', term, *indented(_beginning(body)), '']


def point(body):
    first, *others = _beginning(body)
    return ['', '* ' + first, *indented(others, 2), '']
