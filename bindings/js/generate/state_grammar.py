# SPDX-License-Identifier: MIT
"""The keys of a state file and the fields that they set, from the tables by which the library reads it.

Each section's table is in lib/vcemu/scenario/state, one row for a key: its name, its form, where its value goes.
"""

from __future__ import annotations

import re

_TABLE = re.compile(r'^static const struct state_key (\w+)_keys\[\] = \{\n(.*?)^\};', re.MULTILINE | re.DOTALL)
_ROW = re.compile(r'\{"(\w+)", FORM_(\w+),\s+\.offset = (?:offsetof\(vcs_(\w+), (\w+)\)|\w+\(([\w.]+)\))(.*?)\}',
                  re.DOTALL)
_BIT = re.compile(r'\.bit = (VCS_\w+)')
_WORDS = re.compile(r'\.words = (?:"([^"]*)"|(\w+))')
_DEFINED = re.compile(r'#define (STATE_\w+) "([^"]*)"')


def files(root):
    """Where the tables are, and last the header with their words."""
    folder = root / 'lib' / 'vcemu' / 'scenario' / 'state'
    return [*sorted(folder.glob('state_*.c')), folder / 'state_sections.h']


def sections(root, values):
    """For each section its rows: key, form, the record and the field that its value is from, bit or words."""
    *sources, header = files(root)
    defined = dict(_DEFINED.findall(header.read_text(encoding='ascii')))
    for path in sources:
        for name, body in _TABLE.findall(path.read_text(encoding='ascii')):
            yield name, [_row(match, values, defined) for match in _ROW.finditer(body)]


def _row(match, values, defined):
    key, form, struct, field, draft, rest = match.groups()
    place = f'.{field}' if struct else draft if '.' in draft else f'.{draft}'
    record, _, field = place.rpartition('.')
    row = {'key': key, 'form': form.lower(), 'of': record, 'field': field}
    bit, words = _BIT.search(rest), _WORDS.search(rest)
    if bit:
        row['bit'] = values[bit[1]]
    if words:
        row['words'] = (words[1] if words[2] is None else defined[words[2]]).split()
    return row
