# SPDX-License-Identifier: MIT
"""The texts of the manual, with links that lead to pages of the site, and with more of them than the texts have.

A name of the interface, a parameter or a file of the tree between backquotes becomes a link, and so does the number of
a rule; below each rule stand the functions and structs that cite it. The terms of the glossary are in the index, where
the search finds them. The texts themselves stay as they are.
"""

import re

import rule_numbers
from tree import SCHEME

# Blocks of code: between fences, or lines that stand further in after an empty line.
BLOCK = re.compile(r'(^ *```.*?^ *```$|(?<=\n\n)(?:    [^\n]*\n|\n(?=    ))+)', re.MULTILINE | re.DOTALL)
LANGUAGE = re.compile(r'^( *```\w+),\w+$', re.MULTILINE)
TEXT = r'(?:`[^`]*`|[^\[\]`])*'
LINK_OR_CODE = re.compile(rf'(?P<image>!\[{TEXT}\]\([^)]*\))|\[(?P<text>{TEXT})\]\((?P<target>[^)\s]+)\)|'
                          r'^(?P<heading>#[^\n]*)$|`(?P<code>[^`\n]+)`|'
                          rf'(?P<rules>{rule_numbers.CITATION.pattern}|{rule_numbers.IN_BRACKETS.pattern})',
                          re.MULTILINE)
PLACES = re.compile(r'^(?P<places> *`(?:lib|tests)/[\w/]+\.\w+`(?: · `(?:lib|tests)/[\w/]+\.\w+`)*)$', re.MULTILINE)
TERM = re.compile(r'^(?=\*\*([^*\n]+)\*\* · )', re.MULTILINE)
FILE = re.compile(r'(?:lib|include|examples|tests|doc|bindings)/[\w./]*\w')


class ManualPages:
    def __init__(self, tree, interface, rules, parameters):
        self.tree = tree
        self.interface = interface
        self.rules = set(rules)
        self.parameters = parameters

    def page(self, path):
        text = (self.tree.root / path).read_text(encoding='utf-8')
        if path == 'doc/glossary.md':
            text = TERM.sub(r'```{index} \1\n```\n\n', text)
        return self.text(path, self._with_citing(text) if path == 'doc/rules.md' else text)

    def text(self, path, text):
        """A text that stands at that path, or could."""
        text = LANGUAGE.sub(r'\1', text)
        parts = BLOCK.split(text)
        return ''.join(part if i % 2 else LINK_OR_CODE.sub(lambda match: self._link(path, match), part)
                       for i, part in enumerate(parts))

    def _target(self, path, target):
        if re.match(r'\w+:', target):
            return target
        link = self.tree.link(path, target)
        return SCHEME + link if link else target

    def _link(self, path, match):
        if match['target']:
            return f"[{match['text']}]({self._target(path, match['target'])})"
        if match['rules']:
            # Elsewhere a number in brackets may be anything.
            is_rule = match['rules'][0] in 'rR' or path in ('doc/rules.md', 'doc/glossary.md')
            return re.sub(rule_numbers.NUMBER, self._rule, match[0]) if is_rule else match[0]
        link = self._link_of_code(match['code']) if match['code'] else None
        return f"[{match[0]}]({SCHEME}{link})" if link else match[0]

    def _rule(self, number):
        known = number[0] in self.rules
        return f'[{number[0]}]({SCHEME}{rule_numbers.link_to(number[0])})' if known else number[0]

    def _link_of_code(self, code):
        name = code.removesuffix('()')
        if name in self.interface.links:
            return self.interface.links[name]
        if code in self.parameters:
            return f'doc/parameters.html#{code}'
        if FILE.fullmatch(code) and (self.tree.root / code).exists():
            return self.tree.page_of(code)
        return None

    def _with_citing(self, text):
        """Below the code of each rule, the interface that follows it."""
        done = []
        place = 0
        for anchor in rule_numbers.ANCHOR.finditer(text):
            names = self.interface.citing.get(anchor[1])
            places = PLACES.search(text, anchor.end())
            if names and places:
                listed = ' · '.join(f'`{name}{"()" if name in self.functions else ""}`' for name in names)
                done += [text[place:places.end()], ' · ', listed]
                place = places.end()
        return ''.join([*done, text[place:]])

    @property
    def functions(self):
        return set(self.interface.functions())
