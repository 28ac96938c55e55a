# SPDX-License-Identifier: MIT
"""Every name that a public header declares: where its page is, where it is defined, and which rules it follows."""

import re
from typing import List, NamedTuple

import rule_numbers
from header_groups import grouped
from header_text import Constant, Function, Struct, read

# A function, or a line of a list from which a macro makes functions of one form.
DEFINITION = re.compile(r'^(?:(?!static\b|typedef\b|return\b)[\w* ]*?\b(vcs_\w+)\([^;{}]*\) \{$|'
                        r' +[A-Z]\w*\((vcs_\w+),)', re.MULTILINE)
NAME = re.compile(r'\b(?:vcs_\w+\.\w+|vcs_\w+|VCS_\w+)\b')


class Header(NamedTuple):
    """A public header as comments and what they are about; `path` is within the tree."""
    path: str
    first: List[str]
    groups: list


def read_headers(tree):
    for folder in ('vcsched', 'vcemu'):
        for path in sorted((tree.root / 'include' / folder).glob('*.h')):
            first, items = read(path)
            yield Header(path.relative_to(tree.root).as_posix(), first, grouped(items))


def member_name(code):
    """The name of a field: of `uint32_t index[2]`, `void (*end)(vcs_hooks *hooks)`."""
    pointer = re.match(r'.*?\(\*(\w+)\)', code)
    return pointer[1] if pointer else re.search(r'(\w+)(?:\[\w+\])*$', code)[1]


class Interface:
    def __init__(self, tree, rules):
        self.headers = list(read_headers(tree))
        # name -> page and anchor; "vcs_task.deadline" is a name, too.
        self.links = {}
        # rule -> names of functions and structs that cite it
        self.citing = {}
        for header in self.headers:
            page = tree.page_of(header.path)
            for comment, members in header.groups:
                self._add(page, members, rule_numbers.cited_in(' '.join(comment.lines) if comment else '', rules))
        self.definitions = self._definitions(tree)
        self.callers = self._callers(tree)

    def _add(self, page, members, rules):
        for member in members:
            self.links[member.name] = f'{page}#c.{member.name}'
            if isinstance(member, Struct):
                names = [f'{member.name}.{member_name(field.code)}' for field in member.fields]
                self.links.update((name, f'{page}#c.{name}') for name in names)
            if not isinstance(member, Constant):
                for rule in dict.fromkeys(rules):
                    self.citing.setdefault(rule, []).append(member.name)

    def _definitions(self, tree):
        """name -> (file of lib/, line) of each function."""
        found = {}
        for path in sorted((tree.root / 'lib').rglob('*.c')):
            text = path.read_text(encoding='utf-8')
            for match in DEFINITION.finditer(text):
                name = match[1] or match[2]
                if name in self.links:
                    found[name] = (path.relative_to(tree.root).as_posix(), text.count('\n', 0, match.end()) + 1)
        return found

    def _callers(self, tree):
        """name -> examples in C that call the function."""
        found = {}
        for path in sorted((tree.root / 'examples/c').rglob('*.c')):
            for name in dict.fromkeys(re.findall(r'\b(vcs_\w+)\(', path.read_text(encoding='utf-8'))):
                found.setdefault(name, []).append(path.relative_to(tree.root).as_posix())
        return found

    def functions(self):
        return [member.name for header in self.headers for _, members in header.groups for member in members
                if isinstance(member, Function)]
