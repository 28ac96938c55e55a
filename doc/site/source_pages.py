# SPDX-License-Identifier: MIT
"""Sources as pages: highlighted, with numbered lines, and with the names of the interface and the rules as links."""

import html
import re

import pygments.lexers
import pygments.token
import pygments.util

import examples
import rule_numbers
from interface import NAME
from tree import FRONT, relative

# What is set off, by a class of one letter.
CLASSES = ((pygments.token.Comment.Preproc, 'p'), (pygments.token.Comment, 'c'), (pygments.token.Keyword, 'k'),
           (pygments.token.String, 's'), (pygments.token.Number, 'n'))
LEXERS = {'.h': 'c', '.ini': 'ini', '.gp': 'gnuplot', '.txt': 'text', '.csv': 'text', '.mjs': 'js', '.map': 'text'}

PAGE = '''<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{path} - libvcsched</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="{static}/base.css">
<link rel="stylesheet" href="{static}/source.css">
</head>
<body>
<header>
<strong><a href="{front}">libvcsched</a></strong>
<nav>{places}</nav>
</header>
<h1>{way}{name}</h1>
{body}
</body>
</html>
'''


def is_listed(path):
    """What only tools leave behind is no part of the tree."""
    return not path.name.startswith(('.', '__pycache__')) and path.suffix != '.pyc'


def class_of(kind):
    return next((name for parent, name in CLASSES if kind in parent), None)


def lexer_for(path):
    suffix = path[path.rfind('.'):]
    try:
        if suffix in LEXERS:
            return pygments.lexers.get_lexer_by_name(LEXERS[suffix])
        return pygments.lexers.get_lexer_for_filename(path)
    except pygments.util.ClassNotFound:
        return pygments.lexers.get_lexer_by_name('text')


class SourcePages:
    def __init__(self, tree, interface, rules, places, has_page):
        self.tree = tree
        self.interface = interface
        self.rules = set(rules)
        self.places = places
        # Of a path within the site: is it there, or will it be made?
        self.has_page = has_page

    def _way(self, page, path):
        """The folders above, as links, where they have a page."""
        parts = path.split('/')
        way = []
        for end in range(1, len(parts)):
            folder = '/'.join(parts[:end])
            target = self.folder_page(folder)
            way.append(f'<a href="{relative(page, target)}">{parts[end - 1]}</a>' if target else parts[end - 1])
        return ''.join(f'{step} / ' for step in way)

    def folder_page(self, folder):
        for name in ('README.html', 'index.html'):
            if self.has_page(f'{folder}/{name}'):
                return f'{folder}/{name}'
        return None

    def _whole(self, page, path, body):
        places = ' '.join(f'<a href="{relative(page, target)}">{name}</a>' for target, name in self.places)
        return PAGE.format(path=html.escape(path), name=html.escape(path.rpartition('/')[2]), body=body, places=places,
                           static=relative(page, '_static'), front=relative(page, FRONT), way=self._way(page, path))

    def _linked(self, page, text, is_comment):
        """A piece of source as HTML."""
        def link(match):
            target = self.interface.links.get(match[0])
            return f'<a href="{relative(page, target)}">{match[0]}</a>' if target else match[0]

        def rule(match):
            return re.sub(rule_numbers.NUMBER, lambda number: (
                f'<a href="{relative(page, rule_numbers.link_to(number[0]))}">{number[0]}</a>'
                if number[0] in self.rules else number[0]), match[0])

        done = NAME.sub(link, html.escape(text, quote=False))
        return rule_numbers.CITATION.sub(rule, done) if is_comment else done

    def file_page(self, path):
        page = self.tree.source_page_of(path)
        text = (self.tree.root / path).read_text(encoding='utf-8', errors='replace')
        lines = ['']
        for kind, piece in pygments.lex(text, lexer_for(path)):
            name = class_of(kind)
            for i, part in enumerate(piece.split('\n')):
                if i > 0:
                    lines.append('')
                if part:
                    shown = self._linked(page, part, name == 'c')
                    lines[-1] += f'<i class="{name}">{shown}</i>' if name else shown
        while lines and not lines[-1]:
            lines.pop()
        code = '\n'.join(f'<span id="L{number}">{line}</span>' for number, line in enumerate(lines, 1))
        return page, self._whole(page, path, f'{self._told(page, path)}<pre>{code}</pre>')

    def _told(self, page, path):
        """Where the manual tells of that file."""
        example = examples.page_of(path)
        if path.startswith('include/') and path.endswith('.h'):
            return f'<p><a href="{relative(page, self.tree.page_of(path))}">The interface that it declares</a></p>\n'
        return f'<p><a href="{relative(page, example)}">What it does, and how to run it</a></p>\n' if example else ''

    def folder_list(self, folder, pages):
        """The list of the files and folders that have pages, in a folder that has no text of its own; where none has
        one, the names of all."""
        page = f'{folder}/index.html'
        entries, names = [], []
        for child in sorted((self.tree.root / folder).iterdir()):
            path = child.relative_to(self.tree.root).as_posix()
            target = self.folder_page(path) if child.is_dir() else path.removeprefix('.') + '.html'
            if path.endswith('.h') and path.startswith('include/'):
                target = self.tree.page_of(path)
            name = html.escape(child.name) + ('/' if child.is_dir() else '')
            if target and (target in pages or self.has_page(target)):
                entries.append(f'<li><a href="{relative(page, target)}">{name}</a></li>')
            elif is_listed(child):
                names.append(f'<li>{name}</li>')
        return page, self._whole(page, folder, '<ul>\n' + '\n'.join(entries or names) + '\n</ul>')
