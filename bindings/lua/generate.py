#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes, from the public headers, the parts of the Lua binding that follow from them.

    generate.py FOLDER_OF_HEADERS OUTPUT DEPFILE

What is written depends on the name of the output:

    constants.inc     CONSTANT(VCS_...) for each constant
    layouts.inc       STRUCT, FIELD, MEANING and NESTED: structs as this build knows them
    functions.inc     a function for Lua around each function of the library
    vcsched_cdef.lua  the declarations for LuaJIT's ffi, and a function around each

What a number means that is an index or a yes or no, the comments of the headers say.
"""

import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / 'python' / 'generate'))

import ffi_source  # noqa: E402
import meaning  # noqa: E402
from call_source import OPAQUE, Unknown, call_source  # noqa: E402
from headers import EMULATOR, read_headers, write_dependencies  # noqa: E402

# Written by hand: they lay out all records together in memory they are given, or call back. A state is not renewed,
# and reasons are always worked out: taking the records out of tables costs more than preparing and deciding.
BY_HAND = {'state_size', 'state_prepare', 'state_renew', 'schedule_running', 'dispatch_size',
           'dispatch_build', 'emulate', 'emulate_grid', 'bound'}
TYPE = 'VCS_TYPE_'


def constants(interface):
    for group in interface.groups:
        for constant in group.constants:
            yield f'CONSTANT({constant.name})'


def structs_with_types(interface):
    """The structs that have a number, under which the library tells of them at run time."""
    types = {constant.name for group in interface.groups for constant in group.constants
             if constant.name.startswith(TYPE)}
    for struct in interface.structs.values():
        if TYPE + struct.name.upper() in types:
            yield struct, TYPE + struct.name.upper()


def layouts(interface):
    numbers = dict((struct.name, number) for struct, number in structs_with_types(interface))
    for struct, number in structs_with_types(interface):
        yield f'STRUCT({number}, {struct.c_name})'
        for field in struct.fields:
            yield f'FIELD({number}, {struct.c_name}, {field.name})'
            meant = meaning.of_field(field, struct)
            if meant:
                yield f'MEANING({number}, {struct.c_name}, {field.name}, {meant})'
            inner = field.c_type.removeprefix('vcs_')
            if inner in numbers:
                yield f'NESTED({number}, {struct.c_name}, {field.name}, {numbers[inner]})'


def kept_types(interface):
    """Pointers to what callers keep between calls: parameters, and the structs that do not begin with their size."""
    return {'vcs_parameters*'} | {struct.c_name + '*' for struct in interface.structs.values()
                                  if struct.fields and struct.fields[0].name != 'struct_size'}


def owner(function):
    """Of what the function is a method: the opaque type that it takes, or None."""
    return next((parameter.c_type for parameter in function.parameters if parameter.c_type in OPAQUE), None)


def wrapped(interface):
    """(function, C source) of all functions that have a form which is known here."""
    numbers = {struct.name: number for struct, number in structs_with_types(interface)}
    for function in interface.functions.values():
        if function.name not in BY_HAND:
            try:
                yield function, call_source(function, numbers, kept_types(interface))
            except Unknown as problem:
                print(f'not for Lua: {problem}', file=sys.stderr)


def functions(interface):
    calls = list(wrapped(interface))
    for _, source in calls:
        yield source
    for table, of, prefix in (('FUNCTIONS', None, ''), ('STATE_METHODS', 'vcs_state*', ''),
                              ('INDEX_METHODS', 'vcs_dispatch*', 'dispatch_')):
        yield f'#define {table} \\'
        for function, _ in calls:
            if owner(function) == of:
                yield f'    {{"{function.name.removeprefix(prefix)}", call_{function.name}}}, \\'
        yield ''


def main():
    folder, output, depfile = sys.argv[1:]
    interface = read_headers(pathlib.Path(folder), *EMULATOR)
    of_emulator = set(interface.functions) - set(read_headers(pathlib.Path(folder)).functions)
    write = {'constants.inc': constants, 'layouts.inc': layouts, 'functions.inc': functions,
             'vcsched_cdef.lua': lambda all_of_it: ffi_source.lines(all_of_it, of_emulator)}[pathlib.Path(output).name]
    comment = '--' if output.endswith('.lua') else '//'
    text = f'{comment} Made by generate.py from the public headers.\n' + '\n'.join(write(interface)) + '\n'
    pathlib.Path(output).write_text(text, encoding='ascii')
    write_dependencies(pathlib.Path(depfile), output, pathlib.Path(folder))


if __name__ == '__main__':
    main()
