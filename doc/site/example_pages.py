# SPDX-License-Identifier: MIT
"""A page for each example program: what it does, how to run it, and its source."""

import re

import rst
from examples import EXAMPLES, page_of

LANGUAGES = {'.c': 'c', '.py': 'python', '.lua': 'lua', '.rs': 'rust'}
FIRST_COMMENT = {'.c': re.compile(r'\A/\*\s*(.*?)\*/', re.DOTALL), '.py': re.compile(r'"""(.*?)"""', re.DOTALL),
                 '.lua': re.compile(r'\A((?:--[^\n]*\n)+)'), '.rs': re.compile(r'((?://![^\n]*\n)+)')}
MARKS = re.compile(r'^ ?(?:\*|--|//!) ?', re.MULTILINE)
NEEDS = {'.c': 'Built with the library: `meson setup build && meson compile -C build`.',
         '.py': 'Needs the [package for Python](doc/python.html).',
         '.lua': 'Needs the [module for Lua](doc/lua.html), which the build makes.',
         '.rs': 'Needs the [crate for Rust](doc/rust.html), which the build makes where there is a rustc.'}


def about(text, suffix):
    """What a program says of itself, as paragraphs; lines that stand further in are usage."""
    comment = MARKS.sub('', FIRST_COMMENT[suffix].search(text)[1])
    comment = comment.replace('SPDX-License-Identifier: MIT', '')
    return [block for block in re.split(r'\n\s*\n', comment.strip('\n ')) if block.strip()]


class ExamplePages:
    def __init__(self, tree, marked):
        self.tree = tree
        # Prose with its names as links, in reStructuredText.
        self.marked = marked

    def _prose(self, block):
        if block.startswith('    '):
            return rst.verbatim([line[4:] for line in block.split('\n')])
        return rst.paragraph(self.marked(' '.join(block.split())))

    def _needs(self, suffix):
        return re.sub(r'`([^`]+)`|\[([^\]]+)\]\(([^)]+)\)',
                      lambda match: rst.code(match[1]) if match[1] else rst.link(match[2], match[3]), NEEDS[suffix])

    def _page(self, path, commands):
        suffix = path[path.rfind('.'):]
        text = (self.tree.root / path).read_text(encoding='utf-8')
        lines = [*rst.heading(path.removeprefix('examples/'), '=')[1:]]
        for block in about(text, suffix):
            lines += self._prose(block)
        if commands:
            lines += [*rst.heading('Run it', '-'), *rst.paragraph(self._needs(suffix)), *rst.verbatim(commands)]
        source = self.tree.source_page_of(path)
        lines += [*rst.heading('The source', '-'),
                  *rst.paragraph('With links and numbered lines: ' + rst.link(path, source) + '.'),
                  *rst.verbatim(text.rstrip('\n').split('\n'), LANGUAGES[suffix])]
        return '\n'.join(lines) + '\n'

    def _index(self):
        lines = [*rst.heading('Examples', '=')[1:],
                 *rst.paragraph('Programs to copy from, each about one thing. Whole systems are '
                                + rst.link('a project with its client', 'examples/project/README.html') + ', '
                                + rst.link('sweeps on a cluster', 'examples/cluster/README.html') + ' and the tool '
                                + rst.link('vcemu', self.tree.page_of('examples/vcemu')) + ' itself.')]
        for title, programs in EXAMPLES:
            lines += rst.heading(title, '-')
            for path, _ in programs:
                text = (self.tree.root / path).read_text(encoding='utf-8')
                first = ' '.join(about(text, path[path.rfind('.'):])[0].split())
                lines += rst.item(rst.link(path.removeprefix('examples/'), page_of(path)),
                                  rst.paragraph(self.marked(first)))
        names = ['/' + page_of(path).removesuffix('.html') for _, programs in EXAMPLES for path, _ in programs]
        return '\n'.join([*lines, '', '.. toctree::', '   :hidden:', '', *rst.indented(names)]) + '\n'

    def pages(self):
        found = {page_of(path).removesuffix('html') + 'rst': self._page(path, commands)
                 for _, programs in EXAMPLES for path, commands in programs}
        return {'doc/examples/index.rst': self._index(), **found}
