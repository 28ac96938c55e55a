# SPDX-License-Identifier: MIT
"""The pages of all parameters and of all reasons, from the library's own tables, as texts of the manual."""

import re

import rule_numbers
from tree import SCHEME

CHOICE = 2
TABLE = 'lib/vcsched/interface/check/parameter_table.h'
SENTENCES = 'lib/vcsched/interface/describe/reason.c'
ROW_OF_REASON = re.compile(r'#define (VCS_REASON_\w+) (\d+)u')
# What reasons are of, their rules, and which others there are.
TITLE = re.compile(r'(.*?)(?: \((rules? [^)]*)\))?(?:; (.*))?')
BETWEEN = re.compile(r'/\* ((?:of|why|how|whether) .*?) ?\*/\n((?:#define VCS_REASON_\w+ \d+u\n)+)')


def _rules_of_parameters(text, names):
    """name -> the rules whose texts name the parameter."""
    found = {}
    parts = re.split(r'<a id="rule-(\d+\.\d+)"></a>', text)
    for number, rule in zip(parts[1::2], parts[2::2]):
        for name in dict.fromkeys(re.findall(r'`(\w+)`', rule)):
            if name in names:
                found.setdefault(name, []).append(number)
    return found


def table_rows(tables):
    """name of a field or constant -> its row in one of these pages, and what to call that."""
    rows = {'vcs_parameters.' + parameter['name']: (f"doc/parameters.html#{parameter['name']}", 'in each profile')
            for parameter in tables['parameters']}
    rows.update({'VCS_REASON_' + reason['name'].upper(): (f"doc/reasons.html#{reason['name']}", reason['sentence'])
                 for reason in tables['reasons'] if reason['code'] != 0})
    return rows


def _line_of(tree, path, word):
    """The line of a source in which a word stands first."""
    lines = (tree.root / path).read_text(encoding='utf-8').split('\n')
    return next(number for number, line in enumerate(lines, 1) if re.search(rf'\b{word}\b', line))


def _files_with(tree, folder, words):
    """word -> the sources in a folder in which it stands."""
    found = {}
    for path in sorted((tree.root / folder).rglob('*.[ch]')):
        for word in set(re.findall(r'\w+', path.read_text(encoding='utf-8'))) & words:
            found.setdefault(word, []).append(path.relative_to(tree.root).as_posix())
    return found


def _sentence(text):
    """Part of a comment as a sentence, with its constants as code."""
    return re.sub(r'\b(VCS_\w+\*?)', r'`\1`', text[0].upper() + text[1:]) + '.' if text else ''


def _link(text, target):
    return f'[{text}]({SCHEME}{target})'


def _rules(text, rules):
    """The numbers in a text as links."""
    return re.sub(rule_numbers.NUMBER, lambda match: _link(match[0], rule_numbers.link_to(match[0]))
                  if match[0] in rules else match[0], text)


def _number(value, unit):
    if unit == 's' and value >= 86400 and value % 86400 == 0:
        return f'{value / 86400:.15g} days' if value != 86400 else '1 day'
    return f'{value:.15g} {unit}'.strip()


def _value(parameter, value):
    return parameter['choices'][int(value)] if parameter['kind'] == CHOICE else _number(value, parameter['unit'])


def _accepted(parameter):
    if parameter['kind'] == CHOICE:
        return ', '.join(name for name in parameter['choices'] if name)
    return f"{parameter['minimum']:.15g} to {parameter['maximum']:.15g} {parameter['unit']}".strip()


def parameters_page(tables, rules_text, links, tree):
    rules = rule_numbers.in_manual(rules_text)
    of_parameters = _rules_of_parameters(rules_text, {parameter['name'] for parameter in tables['parameters']})
    profiles = ' | '.join(tables['profiles'])
    table = tree.source_page_of(TABLE)
    lines = ['# The parameters', '',
             'Every choice of a policy, with its value in each profile, as `vcs_parameter_at()` tells them. Each is a '
             'field of `vcs_parameters`, an entry of the section `[client]` of a [state file](state_format.md), and an '
             'argument of `vcemu --set`. Which of them make a host lose less is in [policies compared](policies.md).',
             '',
             f'| parameter | what it says, and takes | {profiles} | rules | code |',
             '|---|---|' + '---|' * (len(tables['profiles']) + 2)]
    for parameter in tables['parameters']:
        name = parameter['name']
        values = ' | '.join(_value(parameter, value) for value in parameter['values'][:len(tables['profiles'])])
        cited = ', '.join(of_parameters.get(name, []))
        field = _link(f'`{name}`', links['vcs_parameters.' + name])
        lines.append(f'| <a id="{name}"></a>{field} | {parameter["about"]}: {_accepted(parameter)} | {values} | '
                     f'{_rules(cited, rules)} | {_link("table", f"{table}#L{_line_of(tree, TABLE, name)}")} |')
    return '\n'.join(lines) + '\n'


def _givers(tree, paths):
    return ', '.join(_link(path.rpartition('/')[2], tree.source_page_of(path)) for path in paths if path != SENTENCES)


def reasons_page(tables, header, rules_text, tree):
    rules = rule_numbers.in_manual(rules_text)
    by_code = {reason['code']: reason for reason in tables['reasons']}
    lines = ['# The reasons', '',
             'Why a decision was made: a code for programs, a name for logs and a sentence for people, as '
             '`vcs_reason_at()` tells them.']
    seen = set()
    given = _files_with(tree, 'lib', set(dict(ROW_OF_REASON.findall(header))))
    for title, block in BETWEEN.findall(header):
        heading, cited, also = map(_sentence, TITLE.fullmatch(title).groups())
        about = ' '.join(part for part in (cited, also) if part)
        lines += ['', f'## {heading.rstrip(".")}', '', *([_rules(about, rules), ''] if about else [])]
        lines += ['| code | constant | sentence | given by |', '|---|---|---|---|']
        for name, code in ROW_OF_REASON.findall(block):
            reason = by_code[int(code)]
            seen.add(int(code))
            lines.append(f'| {code} | <a id="{reason["name"]}"></a>`{name}` | '
                         f'{reason["sentence"]} | {_givers(tree, given[name])} |')
    missing = set(by_code) - seen - {0}
    if missing:
        raise SystemExit(f'reasons in the table, not on the page: {sorted(missing)}')
    return '\n'.join(lines) + '\n'
