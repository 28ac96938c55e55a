# SPDX-License-Identifier: MIT
"""The rows of the tables: structs, functions, and what the emulator calls back."""

from __future__ import annotations

import re
import sys

import meaning
from calls import Call, Unknown
from constants_source import Constants
from interface_source import DEFAULTS, LIKE, parameter_comments
from wasm_layout import layout_of

# Written by hand: they lay out whole hosts, read files, or call back.
BY_HAND = {'state_size', 'state_prepare', 'state_renew', 'schedule_running', 'dispatch_size', 'dispatch_build',
           'emulate', 'emulate_grid', 'emulate_sweep', 'bound'}
KINDS = {'double': 'f64', 'uint32_t': 'u32', 'uint64_t': 'u64', 'int64_t': 'i64', 'int32_t': 'i32', 'char': 'text'}
IS = {'MEANS_PLACE': 'index', 'MEANS_PLACE_OR_NONE': 'maybe', 'MEANS_YES_OR_NO': 'truth'}
_HOOK = re.compile(r'int \(\*(\w+)\)\(')


def has_layout(struct):
    """Whether JavaScript goes by the fields of a struct. It knows a vcs_array by heart, and C sets functions."""
    return bool(struct.fields) and struct.name != 'array' and not struct.name.endswith('hooks')


def layouts(interface):
    """Each struct: its number, its size, its fields."""
    types = {constant.name: int(constant.value.rstrip('u')) for group in interface.groups
             for constant in group.constants if constant.name.startswith('VCS_TYPE_')}
    constants = Constants(interface)
    values = {constant.name[len('VCS_'):]: int(constant.value.rstrip('u'), 0) for group in interface.groups
              for constant in group.constants if constant.name.startswith('VCS_UNDEFINED_')}
    known = {}
    for struct in interface.structs.values():
        if not has_layout(struct):
            continue
        layout = layout_of(struct, interface, known)
        fields = [_field(struct, place, constants, values) for place in layout.places]
        row = {'type': types.get(f'VCS_TYPE_{struct.name.upper()}', 0), 'size': layout.size, 'fields': fields}
        initial = _initial(struct, interface)
        if initial:
            row['init'] = initial
        yield struct.name, row


def _field(struct, place, constants, values):
    field = place.field
    row = {'n': field.name, 'at': place.offset}
    if field.c_type.endswith('*'):
        return {**row, 'k': 'pointer'}
    if field.c_type == 'vcs_array':
        return {**row, 'k': 'array'}
    if field.c_type.startswith('vcs_'):
        return {**row, 'k': 'struct', 's': field.c_type[4:]}
    row['k'] = KINDS[field.c_type]
    if field.length:
        row['length'] = field.length
    if meaning.of_field(field, struct):
        row['is'] = IS[meaning.of_field(field, struct)]
    if (struct.name, field.name) in DEFAULTS:
        default = DEFAULTS[struct.name, field.name]
        row['default'] = default if default == 'inf' else int(default, 0) if default.startswith('0x') else \
            float(default)
    if (struct.name, field.name) in LIKE:
        row['like'] = LIKE[struct.name, field.name]
    if (struct.name, field.name) in constants.undefined:
        row['undefined'] = values[constants.undefined[struct.name, field.name]]
    return row


def _initial(struct, interface):
    """The function that fills a struct with defaults, and which of its fields that depends on."""
    for name, function in interface.functions.items():
        first = function.parameters[0] if function.parameters else None
        if name.endswith('_init') and first and first.c_type == struct.c_name + '*':
            return {'f': name, 'by': [parameter.name for parameter in function.parameters[1:]]}
    return None


def calls_of(interface):
    """All functions that have a form which is known here."""
    comments = parameter_comments(interface)
    for function in interface.functions.values():
        if function.name in BY_HAND or function.name.startswith('file_'):
            continue
        try:
            yield Call(function, interface, comments)
        except Unknown as problem:
            print(f'not for JavaScript: {problem}', file=sys.stderr)


def callbacks(interface):
    """The functions that the emulator calls back, in the order of the header."""
    for kind in ('hooks', 'grid_hooks'):
        yield kind, _HOOK.findall(interface.structs[kind].text)
