#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes, from the public headers, the part of the Rust binding that follows from them.

    generate.py FOLDER_OF_HEADERS SYS SAFE [DEPFILE]

SYS holds the constants, the structs with the sizes that the headers state, the functions, the comments of all of them,
and for the tests the layout of each struct. SAFE holds safe functions over them; see safe.py. Nothing of this is
written by hand.
"""

import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / 'python' / 'generate'))

import safe  # noqa: E402
from headers import EMULATOR, FILES, read_headers, write_dependencies  # noqa: E402

TYPE = 'VCS_TYPE_'
NUMBERS = {'int': 'c_int', 'char': 'c_char', 'void': 'c_void', 'double': 'f64', 'size_t': 'usize', 'int32_t': 'i32',
           'uint32_t': 'u32', 'uint64_t': 'u64'}
KEYWORDS = {'type', 'final', 'in', 'loop', 'match', 'move', 'ref', 'use', 'where', 'fn', 'mod', 'priv', 'box', 'try'}
SIZE = re.compile(r'\b(\d+)\s+bytes\. Since \d')
FUNCTION = re.compile(r'(\w+(?: \*)?) ?\(\*(\w+)\)\(([^)]*)\);')
PARAMETER = re.compile(r'(const )?(.*?)(\w+)$')
NUMBER = re.compile(r'\b(0x[0-9a-fA-F]+|\d+)u\b')


def name_of(name):
    return 'r#' + name if name in KEYWORDS else name


def type_of(c_type, const=False):
    """A type of C without blanks, such as vcs_task*, in Rust. `const` speaks of what the last pointer points to."""
    inner = c_type.rstrip('*')
    rust = NUMBERS.get(inner, inner)
    for _ in range(len(c_type) - len(inner)):
        rust = ('*const ' if const else '*mut ') + rust
    return rust


def documented(comment, indent=''):
    """A comment for rustdoc. As plain text, since the headers know no markup."""
    lines = comment.split('\n') if comment else []
    if len(lines) > 1:
        lines = ['```text', *lines, '```']
    elif lines:
        lines = [re.sub(r'([\[\]<>*_`])', r'\\\1', lines[0])]
    return [f'{indent}/// {line}'.rstrip() for line in lines]


def constants(interface):
    for group in interface.groups:
        for constant in group.constants:
            value = NUMBER.sub(r'\1', constant.value)
            if re.search(r'\d\.\d|\de', value) and not value.startswith('0x'):
                kind = 'f64'
            else:
                kind = 'u32' if value != constant.value or value == 'UINT32_MAX' else 'c_int'
            yield from documented(constant.comment or group.comment)
            value = value.replace('UINT32_MAX', 'u32::MAX')
            yield f'pub const {constant.name}: {kind} = {value.removeprefix("(").removesuffix(")")};'


def zero(field, interface):
    if field.name == 'struct_size':
        return 'core::mem::size_of::<Self>() as u32'
    if field.length:
        return f'[0{".0" if field.c_type == "double" else ""}; {field.length}]'
    if field.c_type.endswith('*'):
        return 'core::ptr::null()'
    if field.c_type.removeprefix('vcs_') in interface.structs:
        return f'{field.c_type}::default()'
    return '0.0' if field.c_type == 'double' else '0'


def alias(name):
    return ''.join(part.capitalize() for part in name.split('_'))


def answer(result):
    if result == 'void':
        return ''
    return ' -> ' + type_of(result.replace('const ', '').replace(' ', ''), result.startswith('const '))


def function_type(result, parameters):
    """That of a function of the caller's, which may be missing."""
    parts = (PARAMETER.match(' '.join(part.split())) for part in parameters.split(','))
    types = ', '.join(type_of(part[2].replace(' ', ''), bool(part[1])) for part in parts)
    return f'Option<unsafe extern "C" fn({types}){answer(result)}>'


def members(one, interface):
    """(name, type, what it is at first, comment) of what is in a struct, in order."""
    found = []
    for field in one.fields:
        place = re.search(rf'\b{field.name}(\[\d+\])?;', one.text)
        if place:  # else it is a word of a comment between functions
            kind = type_of(field.c_type, const=True)
            found.append((place.start(), field.name, f'[{kind}; {field.length}]' if field.length else kind,
                          zero(field, interface), field.comment))
    for match in FUNCTION.finditer(one.text):
        found.append((match.start(), match[2], function_type(match[1], match[3]), 'None', ''))
    return [member for _, *member in sorted(found)]


def struct(one, interface):
    yield from documented(one.comment)
    yield '#[repr(C)]'
    if not one.fields:
        yield '#[derive(Debug)]'
        yield f'pub struct {one.c_name} {{'
        yield '    _nothing: [u8; 0],'
        yield '}'
        return
    # Functions may be equal and have different addresses.
    yield f'#[derive(Clone, Copy, Debug{"" if FUNCTION.search(one.text) else ", PartialEq"})]'
    yield f'pub struct {one.c_name} {{'
    for name, kind, _, comment in members(one, interface):
        yield from documented(comment, '    ')
        yield f'    pub {name_of(name)}: {kind},'
    yield '}'
    yield f'/// {one.c_name} by its name in Rust.'
    yield f'pub type {alias(one.name)} = {one.c_name};'
    yield '/// All 0, but for struct_size.'
    yield f'impl Default for {one.c_name} {{'
    yield '    fn default() -> Self {'
    yield '        Self {'
    for name, _, value, _ in members(one, interface):
        yield f'            {name_of(name)}: {value},'
    yield '        }'
    yield '    }'
    yield '}'
    stated = SIZE.search(one.comment)
    if stated:
        yield f'const _: () = assert!(core::mem::size_of::<{one.c_name}>() == {stated[1]});'


def functions(interface):
    yield 'extern "C" {'
    for function in interface.functions.values():
        yield from documented(function.comment, '    ')
        parameters = ', '.join(f'{name_of(part.name)}: {type_of(part.c_type, part.const)}'
                               for part in function.parameters)
        yield f'    pub fn vcs_{function.name}({parameters}){answer(function.result)};'
    yield '}'


def parts_of(one, interface):
    """The names of a struct's fields as the library tells them: those of a struct inside it one by one."""
    for field in one.fields:
        inner = interface.structs.get(field.c_type.removeprefix('vcs_'))
        if inner and inner.name != 'array':
            yield from (f'{field.name}.{part}' for part in parts_of(inner, interface))
        else:
            yield field.name


def layouts(interface):
    """Offsets of a value rather than of the type: compilers before 1.77 know no offset_of."""
    numbers = {constant.name for group in interface.groups for constant in group.constants}
    yield '/// (type, size, fields) of each struct that has a number; of a field (name, offset, size).'
    yield '#[cfg(test)]'
    yield 'pub(crate) fn layouts() -> Vec<(u32, usize, Vec<(&\'static str, usize, usize)>)> {'
    yield '    let mut found = Vec::new();'
    for one in interface.structs.values():
        number = TYPE + one.name.upper()
        if number in numbers:
            yield f'    let value = {one.c_name}::default();'
            yield '    let start = core::ptr::addr_of!(value) as usize;'
            yield f'    found.push(({number}, core::mem::size_of_val(&value), vec!['
            for name in parts_of(one, interface):
                place = 'value.' + '.'.join(map(name_of, name.split('.')))
                yield (f'        ("{name}", core::ptr::addr_of!({place}) as usize - start, '
                       f'core::mem::size_of_val(&{place})),')
            yield '    ]));'
    yield '    found'
    yield '}'


def lines(interface):
    yield '// Made by generate.py from the public headers.'
    yield 'use core::ffi::c_void;'
    yield 'use std::os::raw::{c_char, c_int};'
    yield '#[cfg(not(target_pointer_width = "64"))]'
    yield 'compile_error!("vcs_array is laid out here for pointers of 64 bits");'
    yield from constants(interface)
    for one in interface.structs.values():
        yield from struct(one, interface)
    yield from functions(interface)
    yield from layouts(interface)


def main():
    folder, output, safe_output = map(pathlib.Path, sys.argv[1:4])
    interface = read_headers(folder, *EMULATOR, FILES)
    output.write_text('\n'.join(lines(interface)) + '\n', encoding='ascii')
    safe_output.write_text('\n'.join(safe.lines(interface, name_of, documented)) + '\n', encoding='ascii')
    for depfile in sys.argv[4:]:
        write_dependencies(pathlib.Path(depfile), str(output), folder)


if __name__ == '__main__':
    main()
