# SPDX-License-Identifier: MIT
"""What a function of the library takes and answers, as a row of a table that JavaScript goes by.

The rules are those of the bindings for Python and Lua: sizes, counts and memory for answers are the binding's business;
structs and arrays that the function updates are updated in the objects that it was given.
"""

from __future__ import annotations

import re
from typing import Dict, List, Optional, Tuple

import meaning
from headers import Function, Interface, Parameter

NUMBERS = {'double': 'f64', 'uint32_t': 'u32', 'uint64_t': 'u64', 'int': 'i32', 'int32_t': 'i32'}
OPAQUE = {'vcs_state*': 'state', 'vcs_dispatch*': 'dispatch'}
# What a reader of results has one for each of, where its name does not say it.
RESULTS_OF = {'fetch_decisions': 'project_resources'}


class Unknown(Exception):
    """A function takes something for which there is no rule here."""


def camel(name: str) -> str:
    """A name of C as JavaScript has it: stateSize."""
    first, *others = name.split('_')
    return first + ''.join(other.capitalize() for other in others)


def one_of(things: str) -> str:
    """What an array of this name has elements of."""
    return things[:-3] + 'y' if things.endswith('ies') else things[:-1] if things.endswith('s') else things


class Call:
    """The parameters of a function, each as a dictionary: `n` its name, `k` what it is, and what else is to be known.
    """

    def __init__(self, function: Function, interface: Interface, comments: Dict[Tuple[str, str], str]) -> None:
        self.function = function
        self.interface = interface
        self.comments = comments
        self.rows: List[Dict[str, object]] = []
        self.first_array: Optional[str] = None
        self.counts: Dict[str, str] = {}
        for parameter in function.parameters:
            self.rows.append(self._row(parameter))

    def comment(self, parameter: Parameter) -> str:
        """What is said of a parameter; if not here, then where another function has the same one."""
        return parameter.comment or self.comments.get((parameter.name, parameter.c_type), '')

    def _row(self, parameter: Parameter) -> Dict[str, object]:
        name, c_type = parameter.name, parameter.c_type
        pointed = c_type.rstrip('*')
        if c_type in OPAQUE:
            return {'n': name, 'k': OPAQUE[c_type]}
        if c_type == 'vcs_error*':
            return {'n': name, 'k': 'error'}
        if name == 'size' and c_type == 'uint32_t':
            return {'n': name, 'k': 'size', 's': self.rows[-1]['s']}
        if name == 'change_count':
            return {'n': name, 'k': 'count'}
        if c_type == 'vcs_array*':
            return self._array(parameter)
        if c_type.startswith('vcs_') and c_type.count('*') == 1:
            return self._struct(parameter)
        if c_type in NUMBERS:
            return {'n': name, 'k': NUMBERS[c_type], **self._meaning(parameter)}
        if c_type == 'char*' and parameter.const:
            return {'n': name, 'k': 'text'}
        if pointed in NUMBERS and c_type.count('*') == 1:
            return self._numbers(parameter, NUMBERS[pointed])
        raise Unknown(f'{self.function.name}: {c_type} {name}')

    def _meaning(self, parameter: Parameter) -> Dict[str, object]:
        if meaning.is_place(parameter):
            return {'is': 'index'}
        return {'is': 'truth'} if meaning.is_yes_or_no(parameter) else {}

    def _struct(self, parameter: Parameter) -> Dict[str, object]:
        struct = parameter.c_type[4:].rstrip('*')
        found = self.interface.structs.get(struct)
        if found is None or not found.fields:
            raise Unknown(f'{self.function.name}: {struct}')
        row: Dict[str, object] = {'n': parameter.name, 's': struct}
        is_filled = self.function.name.endswith(('_init', '_at'))
        said_so = self.comment(parameter).startswith(('out', 'the answer'))
        if not parameter.const and (is_filled or said_so or any(f.comment.startswith('out:') for f in found.fields)):
            return {**row, 'k': 'out'}
        if parameter.const:
            optional = {'optional': True} if meaning.may_be_missing(parameter) else {}
            return {**row, 'k': 'in', **optional}
        return {**row, 'k': 'inout'}

    def _array(self, parameter: Parameter) -> Dict[str, object]:
        name, comment = parameter.name, parameter.comment
        if not parameter.element:
            raise Unknown(f'{self.function.name}: {name} is an array of what?')
        row: Dict[str, object] = {'n': name, 's': parameter.element}
        if not comment.startswith('out: '):
            self.first_array = self.first_array or name
            for thing in (one_of(name), *re.findall(r'one for each (\w+)', comment)):
                self.counts[thing] = name
            return {**row, 'k': 'inoutArray' if comment.startswith('in/out: ') else 'inArray'}
        if name == 'changes':
            return {**row, 'k': 'changes', **({'of': self.first_array} if self.first_array else {})}
        if self.rows and self.rows[0]['k'] == 'state':
            named = self.function.name.partition('_')[2]
            things = RESULTS_OF.get(self.function.name, named)
            return {**row, 'k': 'outArray', 'of': self.counts.get(_named(comment), '') or things}
        self.first_array = self.first_array or name
        return {**row, 'k': 'outArray', 'of': self._count(comment)}

    def _count(self, comment: str) -> str:
        """The array that has as many elements, by what is said of it."""
        found = self.counts.get(_named(comment), self.first_array)
        if not found:
            raise Unknown(f'{self.function.name}: how many are "{comment}"?')
        return found

    def _numbers(self, parameter: Parameter, element: str) -> Dict[str, object]:
        comment = self.comment(parameter)
        row: Dict[str, object] = {'n': parameter.name, 'e': element}
        if parameter.const:
            return {**row, 'k': 'inNumbers', 'of': self._count(comment)}
        if comment.startswith(('out: `count`', 'out: as many')):
            return {**row, 'k': 'outNumbers', 'of': self._count(comment)}
        return {**row, 'k': 'outNumber', **self._meaning(parameter)}

    @property
    def result(self) -> str:
        """What it returns: code = VCS_OK or an error."""
        result = self.function.result.replace(' ', '')
        return {'int': 'code', 'constchar*': 'text'}.get(result) or NUMBERS[result]

    @property
    def given(self) -> List[Dict[str, object]]:
        """What the caller passes."""
        return [row for row in self.rows if row['k'] in ('f64', 'u32', 'u64', 'i32', 'text', 'in', 'inout', 'inArray',
                                                         'inoutArray', 'inNumbers')]

    @property
    def answers(self) -> List[Dict[str, object]]:
        """What it answers."""
        return [row for row in self.rows if str(row['k']).startswith('out') or row['k'] == 'changes']

    @property
    def owner(self) -> str:
        """The object whose method it is; "" = the module's."""
        first = self.rows[0]['k'] if self.rows else ''
        return str(first) if first in ('state', 'dispatch') else ''


def _named(comment: str) -> str:
    named = re.search(r'for each (\w+)|numbers as (\w+)\b', comment)
    return (named[1] or one_of(named[2])) if named else ''
