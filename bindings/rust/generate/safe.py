# SPDX-License-Identifier: MIT
"""Safe functions over those functions of the libraries that take numbers, single records and arrays of records.

What a parameter is follows from its type and from what the comment of the function says of it. A function with a
parameter that fits no rule is left out; tests/missing.txt lists those that nobody has written by hand either, as lib.rs
has the state of a host.
"""

import re

NUMBERS = {'double': 'f64', 'int32_t': 'i32', 'uint32_t': 'u32', 'uint64_t': 'u64'}
BY_HAND = {'emulation_init', 'parameters_init', 'parameter_set', 'send_limits_init', 'self_test'}
"""Functions that lib.rs has under a better name."""


class Unfit(Exception):
    """No rule says what to do with a parameter."""


def is_plain(struct, interface):
    """Whether any bytes are a value of it: it has numbers and texts alone. What they mean, the library checks."""
    def fits(field):
        inner = interface.structs.get(field.c_type.removeprefix('vcs_'))
        return field.c_type in {*NUMBERS, 'char'} or (inner is not None and is_plain(inner, interface))
    return bool(struct.fields) and '(*' not in struct.text and all(map(fits, struct.fields))


def tells_size(struct):
    """Whether it begins with its size. That is set here, for the library believes it."""
    return struct.fields[0].name == 'struct_size'


class Wrapper:
    """The parts of a safe function, gathered parameter by parameter."""

    def __init__(self, function, interface, name_of):
        self.function, self.interface, self.name_of = function, interface, name_of
        self.owner = ''  # the struct that it is a method of
        self.makes = False  # whether it makes one
        self.signature, self.prepare, self.arguments, self.answers = [], [], [], []  # answers: type, expression
        self.finish = []
        self.arrays = {}  # by what is counted: the array that has one for each
        self.described = False
        if function.result not in {'int', 'uint32_t', 'const char *'} or function.name in BY_HAND:
            raise Unfit
        parameters = list(function.parameters)
        while parameters:
            parameter = parameters.pop(0)
            sized = bool(parameters) and parameters[0].name == 'size' and parameters[0].c_type == 'uint32_t'
            if sized:
                parameters.pop(0)
            self._take(parameter, sized)
        is_text = function.result == 'const char *' and re.search('Never NULL|""', function.comment)
        self.value = 'u32' if function.result == 'uint32_t' else "&'static str" if is_text else ''
        if function.result != 'int' and (self.prepare or not self.value):
            raise Unfit

    def _take(self, parameter, sized):
        pointed = parameter.c_type.rstrip('*')
        if sized and (parameter.const or not pointed.startswith('vcs_')):
            raise Unfit
        if parameter.c_type == 'vcs_error*':
            self.described = True
            self.arguments.append('&mut detail')
        elif parameter.c_type in NUMBERS:
            self.signature.append(f'{self.name_of(parameter.name)}: {NUMBERS[parameter.c_type]}')
            self.arguments.append(self.name_of(parameter.name))
        elif parameter.c_type == 'vcs_array*':
            self._take_array(parameter)
        elif parameter.c_type == pointed + '*' and pointed in NUMBERS:
            self._take_numbers(parameter, pointed)
        elif parameter.c_type == pointed + '*' and pointed.removeprefix('vcs_') in self.interface.structs:
            self._take_record(parameter, self.interface.structs[pointed.removeprefix('vcs_')], sized)
        else:
            raise Unfit

    def _take_record(self, parameter, struct, sized):
        name, kind = self.name_of(parameter.name), struct.c_name
        if not is_plain(struct, self.interface) or 'may be NULL' in parameter.comment:
            raise Unfit
        said_so = parameter.name == 'info' or parameter.comment.startswith(('out', 'the answer'))
        if sized or (not parameter.const and (said_so or any(field.comment.startswith('out:')
                                                             for field in struct.fields))):
            if sized:
                self.owner, self.makes = kind, True
            self.prepare.append(f'let mut {name} = {kind}::default();')
            self.arguments.append(f'&mut {name}' + (f', size_of::<{kind}>() as u32' if sized else ''))
            self.answers.append((kind, name))
            return
        is_self = not self.arguments
        if is_self:
            self.owner, here = kind, 'self'
            self.signature.append('&self' if parameter.const else '&mut self')
        else:
            here = name
            self.signature.append(f'{name}: &{"" if parameter.const else "mut "}{kind}')
        if tells_size(struct) and parameter.const:
            self.prepare.append(f'let {name} = {kind} {{ struct_size: size_of::<{kind}>() as u32, ..*{here} }};')
            self.arguments.append(f'&{name}')
        else:
            if tells_size(struct):
                self.prepare.append(f'{here}.struct_size = size_of::<{kind}>() as u32;')
            self.arguments.append(here)

    def _take_array(self, parameter):
        struct = self.interface.structs.get(parameter.element)
        if not struct or not is_plain(struct, self.interface) or tells_size(struct):
            raise Unfit
        name, kind = self.name_of(parameter.name), struct.c_name
        changes = parameter.comment.startswith('in/out: ')
        if parameter.comment.startswith('out: '):
            self.prepare += [f'let mut {name} = vec![{kind}::default(); {self._length_of(parameter)}];',
                             f'let {name}_there = counted_out(&mut {name})?;']
            self.arguments.append(f'&{name}_there')
            self.answers.append((f'Vec<{kind}>', name))
            return
        self.signature.append(f'{name}: &{"mut " if changes else ""}[{kind}]')
        self.prepare.append(f'let {name} = {"counted_out" if changes else "counted"}({name})?;')
        self.arguments.append(f'&{name}')
        for counted in (parameter.name.removesuffix('s'), *re.findall(r'one for each (\w+)', parameter.comment)):
            self.arrays.setdefault(counted, name)

    def _length_of(self, parameter):
        """How many elements there must be: as many as another array has, or room for the changes to it."""
        for counted, array in self.arrays.items():
            there = f'{array}.count as usize'
            if re.search(rf'\bone for each {counted}\b|\bas many numbers as {counted}s\b', parameter.comment):
                return there
            if f'VCS_CHANGES_PER_RESULT * {counted}s' in parameter.comment:
                return f'VCS_CHANGES_PER_UNIT as usize + VCS_CHANGES_PER_RESULT as usize * {there}'
        raise Unfit

    def _take_numbers(self, parameter, number):
        name, kind, comment = self.name_of(parameter.name), NUMBERS[number], parameter.comment
        zero = '0.0' if kind == 'f64' else '0'
        if parameter.const:
            counted = re.match(r'for each (\w+) a number', comment)
            if not counted or counted[1] not in self.arrays:
                raise Unfit
            self.signature.append(f'{name}: &[{kind}]')
            self.prepare.append(f'as_many({name}, {self.arrays[counted[1]]}.count)?;')
            self.arguments.append(f'{name}.as_ptr()')
        elif comment == 'out: how many changes there are':
            self.prepare.append(f'let mut {name} = 0;')
            self.arguments.append(f'&mut {name}')
            self.finish.append(f'changes.truncate({name} as usize);')
        elif comment.startswith('out: '):
            self.prepare.append(f'let mut {name} = vec![{zero}; {self._length_of(parameter)}];')
            self.arguments.append(f'{name}.as_mut_ptr()')
            self.answers.append((f'Vec<{kind}>', name))
        elif comment.startswith('in/out'):
            raise Unfit
        else:
            truth = comment.startswith('set to 1')
            self.prepare.append(f'let mut {name} = {zero};')
            self.arguments.append(f'&mut {name}')
            self.answers.append(('bool', f'{name} != 0') if truth else (kind, name))

    def name(self):
        if self.makes:
            return 'init'
        struct = self.owner.removeprefix('vcs_')
        return self.function.name.removeprefix(struct + '_') if struct else self.function.name

    def lines(self, documented):
        if self.value:
            call = f'unsafe {{ vcs_{self.function.name}({", ".join(self.arguments)}) }}'
            yield from documented(self.function.comment)
            yield f'pub fn {self.name_of(self.name())}({", ".join(self.signature)}) -> {self.value} {{'
            yield f'    {call if self.value == "u32" else f"text({call})"}'
            yield '}'
            return
        types = ', '.join(kind for kind, _ in self.answers)
        values = ', '.join(value for _, value in self.answers)
        alone = len(self.answers) == 1
        yield from documented(self.function.comment)
        yield (f'pub fn {self.name_of(self.name())}({", ".join(self.signature)}) -> '
               f'Result<{types if alone else f"({types})"}> {{')
        yield from (f'    {line}' for line in self.prepare)
        if self.described:
            yield '    let mut detail = vcs_error::default();'
        yield f'    let code = unsafe {{ vcs_{self.function.name}({", ".join(self.arguments)}) }};'
        yield '    checked(code, &detail)?;' if self.described else '    plain(code)?;'
        yield from (f'    {line}' for line in self.finish)
        yield f'    Ok({values if alone else f"({values})"})'
        yield '}'


def wrappers(interface, name_of):
    """One for each function that fits the rules."""
    found = []
    for function in interface.functions.values():
        try:
            found.append(Wrapper(function, interface, name_of))
        except Unfit:
            continue
    return found


def lines(interface, name_of, documented):
    yield '// Made by generate.py from the public headers.'
    yield 'use super::*;'
    for wrapper in wrappers(interface, name_of):
        if wrapper.owner:
            yield f'impl {wrapper.owner} {{'
        yield from wrapper.lines(documented)
        if wrapper.owner:
            yield '}'
