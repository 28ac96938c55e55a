# SPDX-License-Identifier: MIT
"""The pages of the public headers: nothing is written here that is not in a header."""

import re

import rst
import rule_numbers
from comment_blocks import Paragraph, Quote, Verbatim, blocks_of
from header_groups import description, section_of, title_of
from header_text import Constant, Struct
from interface import member_name

MARKED = re.compile(r'`(?P<code>[^`]+)`|(?<!\w)\*(?P<term>\w[\w ]*)\*(?!\w)|(?P<call>\bvcs_\w+)\(\)|'
                    r'\b(?P<name>vcs_\w+\.\w+|vcs_\w+|VCS_\w+)\b(?!\*)|\b(?P<parameter>parameters\.\w+)|'
                    rf'(?P<rules>{rule_numbers.CITATION.pattern}|{rule_numbers.IN_BRACKETS.pattern})|'
                    r'(?P<file>\b(?:doc|lib|tests|examples)/[\w/]+\.\w+)')


class InterfacePages:
    def __init__(self, tree, interface, rules, rows):
        self.tree = tree
        # Of fields and constants that stand in a table: where, and what to call it.
        self.rows = rows
        self.interface = interface
        self.rules = rules

    # ---- comments ---------------------------------------------------------------------------------------------------

    def marked(self, text):
        """Prose with its names, rules and files as links."""
        done = []
        place = 0
        for match in MARKED.finditer(text):
            done += [rst.escape(text[place:match.start()]), self._marked(match)]
            place = match.end()
        return ''.join([*done, rst.escape(text[place:])])

    def _marked(self, match):
        if match['rules']:
            return self._rules(match['rules'])
        if match['term']:
            return rf'\ *{match["term"]}*\ '
        if match['file']:
            page = self.tree.page_of(match['file'])
            return rst.link(match[0], page) if page else rst.escape(match[0])
        name = match['code'] or match['call'] or match['name'] or 'vcs_' + match['parameter']
        target = self.interface.links.get(name)
        text = match[0].strip('`')
        return rst.link(text, target) if target else rst.code(text)

    def _rules(self, text):
        return ''.join(rst.link(part, rule_numbers.link_to(part)) if part in self.rules else rst.escape(part)
                       for part in re.split(rf'({rule_numbers.NUMBER})', text))

    def described(self, lines):
        return [line for block in blocks_of(lines) for line in self._drawn(block)]

    def _drawn(self, block):
        if isinstance(block, Paragraph):
            return rst.paragraph(self.marked(block.text))
        if isinstance(block, Quote):
            return rst.indented(rst.paragraph(self.marked(block.text)))
        if isinstance(block, Verbatim):
            return rst.verbatim(block.lines)
        inner = [line for part in block.inner for line in self._drawn(part)]
        body = [*rst.paragraph(self.marked(block.text)), *inner]
        if block.is_point:
            return rst.point(body)
        term = self.marked(block.term) if block.term.startswith(('VCS_', 'vcs_')) else rst.code(block.term)
        return rst.item(term, body)

    # ---- what is declared -------------------------------------------------------------------------------------------

    def _about(self, name, text):
        """What is said of a field or a constant, and where it stands in a table."""
        row = self.rows.get(name)
        return ' '.join([*([self.marked(text)] if text else []), *([rst.link(row[1], row[0])] if row else [])])

    def _constant(self, constant):
        value = [] if constant.value == '' else [rst.code(constant.value)]
        return rst.directive('c:macro', [constant.name],
                             [' '.join([*value, self._about(constant.name, constant.about)])])

    def _field(self, struct, field):
        code = re.sub(r'\bstruct ', '', field.code)
        about = self._about(f'{struct.name}.{member_name(field.code)}', field.about)
        return rst.directive('c:member', [code], rst.paragraph(about))

    def _places(self, names):
        """Where functions are defined, and which examples call them."""
        lines = []
        for name in names:
            if name in self.interface.definitions:
                path, line = self.interface.definitions[name]
                target = f'{self.tree.source_page_of(path)}#L{line}'
                lines.append('Code: ' + rst.link(path, target) + (f' ({rst.code(name)})' if len(names) > 1 else ''))
        callers = list(dict.fromkeys(path for name in names for path in self.interface.callers.get(name, [])))
        if callers:
            lines.append('Called in: ' + ', '.join(rst.link(path, self.tree.page_of(path)) for path in callers[:4]))
        return ['', '.. container:: places', '', *rst.indented([f'| {line}' for line in lines]), ''] if lines else []

    def _group(self, comment, members):
        about = self.described(comment.lines) if comment else []
        if not members:
            return about
        done = rst.heading(title_of(members), '~')
        if isinstance(members[0], Struct):
            fields = [line for field in members[0].fields for line in self._field(members[0], field)]
            return done + rst.directive('c:struct', [members[0].name], about + fields)
        if isinstance(members[0], Constant):
            return done + about + [line for member in members for line in self._constant(member)]
        body = about + self._places([member.name for member in members])
        kind = 'c:function' if '(' in members[0].prototype else 'c:var'
        return done + rst.directive(kind, [member.prototype for member in members], body)

    def page(self, header):
        about, intro = description(header.first)
        name = header.path.removeprefix('include/')
        source = self.tree.source_page_of(header.path)
        sentence = about[0].upper() + about[1:].rstrip('.') + '.'
        body = [*rst.heading(name, '=')[1:], *rst.paragraph(self.marked(sentence)),
                *self.described(intro), *rst.paragraph('The header as it is: ' + rst.link(header.path, source) + '.')]
        has_section = False
        for comment, members in header.groups:
            section = section_of(comment, members)
            if section:
                title = section.capitalize() if section.isupper() else section
                body += rst.heading(title, '-') + self.described(comment.lines[1:])
            else:
                if not has_section and members:
                    body += rst.heading('Interface', '-')
                body += self._group(comment, members)
            has_section = has_section or section is not None or bool(members)
        return '\n'.join(body) + '\n'

    def pages(self):
        """Path of the source of the page -> its text."""
        return {header.path.removesuffix('.h') + '.rst': self.page(header) for header in self.interface.headers}
