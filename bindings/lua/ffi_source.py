# SPDX-License-Identifier: MIT
"""The part of the binding to LuaJIT's ffi that follows from the headers.

A Lua module that returns the declarations, the constants, the structs with their types and fields, and a function
around each function of the library that returns a code. Such a function takes the library's arguments, except the
vcs_error and the memory for single numbers, and returns those numbers, or else true. An array of records is a
vcs_array.
"""

import re

from headers import declarations

SCRATCH = {'double*': 'f64', 'uint32_t*': 'u32', 'size_t*': 'size'}
TYPE = 'VCS_TYPE_'


def value_of(expression):
    """The value of a constant: a number of C, perhaps computed."""
    expression = re.sub(r'\b(0x[0-9a-fA-F]+|[0-9]+)u\b', r'\1', expression).replace('UINT32_MAX', '0xffffffff')
    return eval(expression, {'__builtins__': {}})  # the project's own headers


def constants(interface):
    yield 'constants = {'
    for group in interface.groups:
        for constant in group.constants:
            yield f'    {constant.name.removeprefix("VCS_")} = {value_of(constant.value)!r},'
    yield '},'


def structs(interface):
    types = {constant.name for group in interface.groups for constant in group.constants}
    yield 'structs = {'
    for struct in interface.structs.values():
        if TYPE + struct.name.upper() in types:
            fields = ', '.join(f'"{field.name}"' for field in struct.fields)
            yield f'    {{name = "{struct.name}", type = "{TYPE.removeprefix("VCS_")}{struct.name.upper()}",'
            yield from wrapped(f'fields = {{{fields}}}}},', 5)
    yield '},'


def wrapped(text, indent, width=110):
    """A long line as several, broken at blanks."""
    line = ' ' * indent
    for word in text.split(' '):
        if len(line) + len(word) > width:
            yield line.rstrip()
            line = ' ' * indent
        line += word + ' '
    yield line.rstrip()


def function_lines(function, library):
    """A Lua function that calls the C function and hands out the numbers it answers."""
    taken, passed, answers = [], [], []
    for parameter in function.parameters:
        kind = SCRATCH.get(parameter.c_type)
        if parameter.c_type == 'vcs_error*':
            passed.append('error')
        elif kind and not parameter.const and not parameter.comment.startswith('out: as many'):
            place = f'{kind}[{sum(answer.startswith(kind) for answer in answers)}]'
            passed.append(f'{kind} + {place[len(kind) + 1:-1]}')
            answers.append(place)
        else:
            # Words that mean something to Lua are no names.
            name = 'past_end' if parameter.name == 'end' else parameter.name
            taken.append(name)
            passed.append(name)
    detail = ', error' if 'error' in passed else ''
    yield f'    {function.name} = function({", ".join(taken)})'
    yield from wrapped(f'local code = {library}.vcs_{function.name}({", ".join(passed)})', 8)
    yield '        if code ~= 0 then'
    yield f'            return fail("{function.name}", code{detail})'
    yield '        end'
    yield f'        return {", ".join(answer_of(answer) for answer in answers) or "true"}'
    yield '    end,'


def answer_of(place):
    """Sizes come as 64-bit numbers of the ffi; a Lua number holds them."""
    return f'tonumber({place})' if place.startswith('size') else place


def lines(interface, of_emulator):
    yield 'return {'
    yield 'declarations = [['
    yield declarations(interface).rstrip()
    yield ']],'
    yield from constants(interface)
    yield from structs(interface)
    yield '-- C and E are the libraries; fail() makes nil, message and code of an error; the rest holds answers.'
    yield 'functions = function(C, E, fail, error, f64, u32, size)'
    yield '    return {'
    for function in interface.functions.values():
        if function.result == 'int':
            yield from function_lines(function, 'E' if function.name in of_emulator else 'C')
    yield '    }'
    yield 'end,'
    yield '}'
