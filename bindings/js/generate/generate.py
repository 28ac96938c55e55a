#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes, from the public headers, the parts of the JavaScript module that follow from them.

    generate.py SOURCE_ROOT OUTPUT DEPFILE

What is written depends on the name of the output:

    tables.js     structs, with the offsets of their fields; functions, with what they take and answer; the keys of
                  state files
    constants.js  the constants
    types.d.ts    records, constants and functions for TypeScript
    exports.txt   options for the linker: what the module exports
    glue.inc      the functions of JavaScript that the emulator calls back, and assertions of all offsets
"""

from __future__ import annotations

import json
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent.parent / 'python' / 'generate'), str(HERE.parent.parent / 'lua')]

import state_grammar  # noqa: E402
import types_source  # noqa: E402
from binding_tables import callbacks, calls_of, has_layout, layouts  # noqa: E402
from headers import EMULATOR, FILES, read_headers, write_dependencies  # noqa: E402
from constants_source import Constants  # noqa: E402
from wasm_layout import assertions, layout_of  # noqa: E402


def value_of(constant):
    """The value of a constant in JavaScript."""
    value = re.sub(r'\b(0x[0-9a-f]+|\d+)u\b', r'\1', constant.value).replace('UINT32_MAX', '0xffffffff')
    return value[1:-1] if value.startswith('(-') and value[2:-1].isdigit() else value


def constants_source(interface):
    """Each under its name without VCS_."""
    for group in interface.groups:
        for constant in group.constants:
            yield f'export const {constant.name[len("VCS_"):]} = {value_of(constant)};'


def tables_source(interface, root):
    """Rows as JSON, which JavaScript reads fastest."""
    def table(name, rows):
        yield f'export const {name} = {{'
        for key, row in rows:
            yield f'  {key}: {json.dumps(row, separators=(",", ":"))},'
        yield '};'
    yield from table('STRUCTS', layouts(interface))
    yield from table('FUNCTIONS', ((call.function.name, {'of': call.owner, 'result': call.result, 'rows': call.rows})
                                   for call in calls_of(interface)))
    yield from table('CALLBACKS', callbacks(interface))
    values = {constant.name: int(value_of(constant), 0) for group in interface.groups for constant in group.constants
              if re.fullmatch(r'(0x[0-9a-f]+|\d+)u', constant.value)}
    yield from table('STATE_KEYS', state_grammar.sections(root, values))


def exports(interface):
    """All functions of the headers, and the memory."""
    for function in interface.functions.values():
        yield f'-Wl,--export=vcs_{function.name}'
    for name in ('malloc', 'free', 'js_set_hooks', 'js_set_grid_hooks'):
        yield f'-Wl,--export={name}'


def glue(interface):
    """An imported function has a place in the table of functions like any other, so C can set a pointer to it."""
    known = {}
    for struct in interface.structs.values():
        if has_layout(struct):
            yield from assertions(struct, layout_of(struct, interface, known))
    for kind, rows in callbacks(interface):
        for name in rows:
            parameters = re.search(rf'int \(\*{name}\)\(([^)]*)\);', interface.structs[kind].text)[1]
            prefix = 'grid_' if kind == 'grid_hooks' else ''
            yield (f'__attribute__((import_module("vcsched"), import_name("{prefix}{name}"))) '
                   f'int call_{prefix}{name}({" ".join(parameters.split())});')
        yield f'void js_set_{kind}(vcs_{kind} *hooks, void *context, uint32_t wanted) {{'
        yield f'    *hooks = (vcs_{kind}){{.struct_size = sizeof *hooks, .context = context}};'
        for place, name in enumerate(rows):
            prefix = 'grid_' if kind == 'grid_hooks' else ''
            yield f'    hooks->{name} = wanted & {1 << place} ? call_{prefix}{name} : NULL;'
        yield '}'


def main():
    """Writes one of them."""
    root, output, depfile = map(pathlib.Path, sys.argv[1:])
    interface = read_headers(root / 'include', *EMULATOR, FILES)
    write = {'tables.js': lambda all_of_it: tables_source(all_of_it, root), 'constants.js': constants_source,
             'exports.txt': exports, 'glue.inc': glue,
             'types.d.ts': lambda all_of_it: types_source.lines(all_of_it, Constants(all_of_it))}
    heading = {'.js': '// Made by generate.py from the public headers.\n',
               '.ts': '// Made by generate.py from the public headers.\n',
               '.inc': '/* Made by generate.py from the public headers. */\n'}.get(output.suffix, '')
    output.write_text(heading + '\n'.join(write[output.name](interface)) + '\n', encoding='utf-8')
    write_dependencies(depfile, str(output), root / 'include')
    if output.name == 'tables.js':
        used = ' '.join(str(path).replace(' ', '\\ ') for path in state_grammar.files(root))
        depfile.write_text(f'{depfile.read_text(encoding="utf-8").rstrip()} {used}\n', encoding='utf-8')


if __name__ == '__main__':
    main()
