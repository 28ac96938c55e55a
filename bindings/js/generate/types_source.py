# SPDX-License-Identifier: MIT
"""Records, constants and functions for TypeScript, with what the headers say of them."""

from __future__ import annotations

import re

import meaning
from binding_tables import calls_of, has_layout
from calls import camel
from interface_source import parameter_comments

NUMBERS = {'double': 'number', 'uint32_t': 'number', 'int32_t': 'number', 'uint64_t': 'number | bigint',
           'int64_t': 'number | bigint', 'int': 'number', 'char': 'string'}
INNER = {'f64': 'number', 'u32': 'number', 'i32': 'number', 'u64': 'number | bigint', 'text': 'string'}
# How whole hosts and files travel is written by hand in index.d.ts.
NOT_RECORDS = {'error', 'snapshot', 'scenario', 'situation', 'grid', 'host_class', 'grid_results', 'file_options'}
# Records that may have a name, for people.
NAMED = {'resource', 'project', 'app', 'task', 'grid_project'}


def class_name(struct):
    """TaskForecast for task_forecast."""
    return ''.join(part.capitalize() for part in struct.split('_'))


def comment(text, indent=''):
    """What is said of something, in lines of at most 120 columns."""
    words = text.replace('*/', '* /').replace('NULL', 'undefined').split()
    if not words:
        return
    lines, line = [], ''
    for word in words:
        if line and len(indent) + 3 + len(line) + 1 + len(word) > 112:
            lines.append(line)
            line = word
        else:
            line = f'{line} {word}'.strip()
    lines.append(line)
    if len(lines) == 1:
        yield f'{indent}/** {lines[0]} */'
    else:
        yield f'{indent}/**'
        yield from (f'{indent} * {one}' for one in lines)
        yield f'{indent} */'


def _choices(constants, struct, field):
    """The names of the constants that a field takes: an alias, unless they are flags."""
    name = constants.of_field.get((struct.name, field.name))
    enum = next((one for one in constants.enums if one.name == name), None)
    return name if enum is not None and not enum.flags else None


def _field_type(struct, field, constants):
    if field.c_type.startswith('vcs_'):
        found = class_name(field.c_type[4:])
    elif meaning.of_field(field, struct) == 'MEANS_YES_OR_NO':
        found = 'boolean'
    elif meaning.of_field(field, struct) == 'MEANS_PLACE_OR_NONE':
        found = 'number | null'
    else:
        found = _choices(constants, struct, field) or NUMBERS[field.c_type]
    if field.length and field.c_type != 'char':
        found = f'({found})[]' if ' ' in found else f'{found}[]'
    if (struct.name, field.name) in constants.undefined:
        found += ' | null'
    return found


def _records(interface, constants):
    for struct in interface.structs.values():
        if not has_layout(struct) or struct.name in NOT_RECORDS:
            continue
        yield ''
        yield from comment(struct.comment)
        yield f'export interface {class_name(struct.name)} {{'
        if struct.name in NAMED:
            yield '  /** For people: the library does not read it. */'
            yield '  name?: string;'
        for field in struct.fields:
            if field.name == 'struct_size' or field.name.startswith('reserved'):
                continue
            yield from comment(field.comment, '  ')
            yield f'  {field.name}: {_field_type(struct, field, constants)};'
        yield '}'


def _enums(constants):
    for enum in constants.enums:
        if not enum.flags:
            values = dict.fromkeys(re.sub(r'u$', '', constant.value.strip('()')) for _, constant in enum.members)
            yield ''
            yield from comment(f'{enum.comment or enum.name} One of '
                               + ', '.join(constant.name[4:] for _, constant in enum.members[:6])
                               + (', ...' if len(enum.members) > 6 else '') + '.')
            yield f'export type {enum.name} = {" | ".join(values)};'


def _constants(interface):
    for group in interface.groups:
        for constant in group.constants:
            value = re.sub(r'u$', '', constant.value.strip('()'))
            name = constant.name[len('VCS_'):]
            literal = value if re.fullmatch(r'-?\d+', value) else 'number'
            yield name, constant, literal


def _given(row):
    name = row['n'] if row['n'] != 'function' else 'function_'
    kind = row['k']
    if kind in ('in', 'inout'):
        record = class_name(row['s'])
        if row['s'] == 'parameters':
            return f'{name}: Given<Parameters> | string'
        return f'{name}{"?" if row.get("optional") else ""}: {"Given<" + record + ">" if kind == "in" else record}'
    if kind in ('inArray', 'inoutArray'):
        record = class_name(row['s'])
        return f'{name}: {"readonly Given<" + record + ">" if kind == "inArray" else record}[]'
    if kind == 'inNumbers':
        return f'{name}: readonly number[]'
    found = INNER[kind]
    if row.get('is') == 'index':
        found = 'number | null'
    elif row.get('is') == 'truth':
        found = 'boolean'
    elif name == 'profile':
        found = 'number | string'
    return f'{name}: {found}'


def _answered(row):
    kind = row['k']
    if kind == 'out':
        return class_name(row['s'])
    if kind in ('outArray', 'changes'):
        return f'{class_name(row["s"])}[]'
    found = 'boolean' if row.get('is') == 'truth' else INNER[row['e']]
    return f'({found})[]' if kind == 'outNumbers' and ' ' in found else f'{found}[]' if kind == 'outNumbers' else found


def _result(call):
    if call.result != 'code':
        return INNER[call.result]
    answers = call.answers
    if len(answers) > 1:
        return '{ ' + '; '.join(f'{row["n"]}: {_answered(row)}' for row in answers) + ' }'
    if answers:
        return _answered(answers[0])
    changed = next((row for row in call.rows if row['k'] in ('inout', 'inoutArray')), None)
    if changed is None:
        return 'void'
    return class_name(changed['s']) + ('[]' if changed['k'] == 'inoutArray' else '')


def _about(function):
    """The first paragraph of what the header says, which is what the function does."""
    return ' '.join(function.comment.split('\n\n')[0].split())


def _methods(interface, owner, by_hand=()):
    for call in calls_of(interface):
        name = camel(call.function.name.removeprefix('dispatch_') if owner == 'dispatch' else call.function.name)
        if call.owner == owner and name not in by_hand:
            yield from comment(_about(call.function), '  ')
            given = [_given(row) for row in call.given]
            # What comes last and has defaults need not be given.
            yield f'  {name}({", ".join(given)}): {_result(call)};'


def lines(interface, constants):
    """The declarations."""
    yield '/** A record as an argument: what is not given has its default. */'
    yield 'export type Given<R> = { [K in keyof R]?: R[K] extends number ? number | string : R[K] };'
    yield from _enums(constants)
    yield from _records(interface, constants)
    yield ''
    yield '/** The kinds of records, by name. */'
    yield 'export interface Kinds {'
    for struct in interface.structs.values():
        if has_layout(struct) and struct.name not in NOT_RECORDS:
            yield f'  {struct.name}: {class_name(struct.name)};'
    yield '}'
    yield ''
    members = []
    for name, constant, literal in _constants(interface):
        yield from comment(constant.comment)
        yield f'export const {name}: {literal};'
        members.append(f'  readonly {name}: {literal};')
    yield ''
    yield '/** The constants, which the library has, too. */'
    yield 'export interface Constants {'
    yield from members
    yield '}'
    yield ''
    yield '/** The functions of the headers that are about numbers and records. */'
    yield 'export interface Functions {'
    yield from _methods(interface, '')
    yield '}'
    yield ''
    yield '/** Those over a prepared state. */'
    yield 'export interface StateFunctions {'
    yield from _methods(interface, 'state', ('wrr', 'edf', 'schedule', 'fetch'))
    yield '}'
    yield ''
    yield '/** Those over an index of jobs. */'
    yield 'export interface DispatchFunctions {'
    yield from _methods(interface, 'dispatch')
    yield '}'
