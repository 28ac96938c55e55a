# SPDX-License-Identifier: MIT
"""The C source of a function for Lua around a function of the library.

What the caller gives are the inputs in the order of the prototype; sizes, counts and memory for the answers are the
binding's business. What the function answers is returned in the order of the prototype. A struct or an array that the
function changes is changed in place; if there is no other answer, the first of these is returned, or else true.
"""

import re

import meaning

INDENT = '    '
# Arrays of numbers that have an element for each record.
NUMBER_LISTS = {'order', 'job_order', 'priorities', 'classes'}
HIDDEN = re.compile(r'size|(\w+_)?count')
# What a reader of results has one for each of, where its name does not say it.
RESULTS_OF = {'fetch_decisions': 'project_resources'}
# What the library prepares, opaque: the type in the binding, and the function that takes it.
OPAQUE = {'vcs_state*': ('prepared', 'call_prepared', 'state'), 'vcs_dispatch*': ('indexed', 'call_indexed', 'index')}
SCALARS = {'double': 'call_number', 'uint32_t': 'call_u32', 'uint64_t': 'call_u64', 'int': 'call_int',
           'char*': 'call_text'}
ANSWERS = {'double': 'lua_pushnumber', 'uint32_t': 'push_u64', 'uint64_t': 'push_u64'}


class Unknown(Exception):
    """A function takes something for which there is no rule here."""


def is_hidden(name):
    return bool(HIDDEN.fullmatch(name))


def one_of(things):
    """What an array of this name has elements of: "entry" for "entries"."""
    return things.removesuffix('ies') + 'y' if things.endswith('ies') else things.removesuffix('s')


class Call:
    """A function under construction: what stands before the call, in it, and after it."""

    def __init__(self, function, numbers, kept):
        self.function = function
        self.numbers = numbers
        self.kept = kept
        self.before, self.arguments, self.after, self.answers = [], [], [], []
        self.position = 0
        self.changed = None
        self.count = None  # how many there are in the first array, as an expression
        self.counts = {}  # how many there are of a thing, where arrays have counts of their own
        self.has_error = False
        self.new_struct = None  # the type of a struct that is filled in
        for parameter in function.parameters:
            self.add(parameter)

    def next_position(self):
        self.position += 1
        return self.position

    def type_of(self, parameter):
        name = parameter.element or parameter.c_type.removeprefix('vcs_').removesuffix('*')
        if name not in self.numbers:
            raise Unknown(f'{self.function.name}: the struct {name} has no number')
        return self.numbers[name]

    def add(self, parameter):
        name, c_type = parameter.name, parameter.c_type
        if c_type in OPAQUE:
            box, take, member = OPAQUE[c_type]
            self.before.append(f'const {box} *{name} = {take}(&c, {self.next_position()});')
            self.arguments.append(f'{name}->{member}')
        elif c_type == 'vcs_error*':
            self.has_error = True
            self.arguments.append('&error')
        elif is_hidden(name) and self.function.result == 'int':
            self.add_hidden(parameter)
        elif c_type == 'vcs_array*':
            self.add_array(parameter)
        elif c_type.startswith('vcs_'):
            self.add_struct(parameter)
        elif name in NUMBER_LISTS:
            self.add_numbers(parameter)
        elif c_type in SCALARS:
            self.add_scalar(parameter)
        elif c_type.removesuffix('*') in ANSWERS:
            self.add_answer(parameter)
        else:
            raise Unknown(f'{self.function.name}: {c_type} {name}')

    def add_hidden(self, parameter):
        """The size of a struct that is filled in, or where the number of changes goes."""
        if parameter.name == 'size':
            self.arguments.append(f'struct_size_of(&c, {self.new_struct})')
        else:
            self.before.append('uint32_t count_out = 0;')
            self.arguments.append('&count_out')

    def capacity(self):
        """Space for the changes that any function may decide on for this many results."""
        return f'VCS_CHANGES_PER_UNIT + (uint64_t)VCS_CHANGES_PER_RESULT * {self.count or 0}'

    def add_struct(self, parameter):
        is_filled = self.function.name.endswith(('_init', '_at')) and not parameter.const
        if not is_filled and (parameter.const or parameter.c_type in self.kept):
            self.add_read_struct(parameter)
        else:
            self.add_written_struct(parameter)

    def add_array(self, parameter):
        if parameter.comment.startswith('out: '):
            self.add_written_array(parameter)
        else:
            self.add_read_array(parameter, self.type_of(parameter))

    def of_state(self):
        first = self.function.parameters[0]
        return first.c_type == 'vcs_state*' and first.const

    def count_for(self, parameter):
        """How many elements an answer has, by what is said of it."""
        named = re.search(r'for each (\w+)|numbers as (\w+)\b', parameter.comment)
        return self.counts.get(named[1] or one_of(named[2]), self.count) if named else self.count

    def add_read_struct(self, parameter):
        name, number, position = parameter.name, self.type_of(parameter), self.next_position()
        take = 'call_struct_or_nil' if meaning.may_be_missing(parameter) else 'call_struct'
        const = 'const ' if parameter.const else ''
        self.before.append(f'storage {name}_storage;')
        self.before.append(f'{const}{parameter.c_type.removesuffix("*")} *{name} = '
                           f'{take}(&c, {position}, "{name}", {number}, &{name}_storage);')
        self.arguments.append(name)
        if not parameter.const:
            self.after.append(f'call_store(&c, {position}, {number}, {name});')
            self.changed = self.changed or position

    def add_written_struct(self, parameter):
        name, number, struct = parameter.name, self.type_of(parameter), parameter.c_type.removesuffix('*')
        self.before.append(f'storage {name}_storage;')
        self.before.append(f'{struct} *{name} = call_new_struct(&c, {number}, &{name}_storage);')
        self.arguments.append(name)
        self.answers.append(f'call_push_struct(&c, {number}, {name});')
        self.new_struct = number

    def add_read_array(self, parameter, number):
        name, position = parameter.name, self.next_position()
        self.before.append(f'const vcs_array {name} = call_array(&c, {position}, "{name}", {number});')
        things = [one_of(name), *re.findall(r'one for each (\w+)', parameter.comment)]
        self.counts.update({thing: f'{name}.count' for thing in things})
        self.arguments.append(f'&{name}')
        self.count = self.count or f'{name}.count'
        if parameter.comment.startswith('in/out: '):
            self.after.append(f'call_store_array(&c, {position}, {number}, {name});')
            self.changed = self.changed or position

    def add_written_array(self, parameter):
        name, number = parameter.name, self.type_of(parameter)
        if name == 'changes':
            self.before.append(f'const vcs_array {name} = '
                               f'call_new_array(&c, 0, "{name}", {number}, {self.capacity()});')
            self.answers.append(f'call_push_array(&c, 0, {number}, {name}, count_out);')
        else:
            count = self.count_for(parameter)
            if self.of_state():
                count = 'state->' + RESULTS_OF.get(self.function.name, self.function.name.partition('_')[2])
            self.count = self.count or count
            position = self.next_position()
            self.before.append(f'const vcs_array {name} = call_new_array(&c, {position}, "{name}", {number}, {count});')
            self.answers.append(f'call_push_array(&c, {position}, {number}, {name}, {count});')
        self.arguments.append(f'&{name}')

    def add_numbers(self, parameter):
        name, element = parameter.name, parameter.c_type.removesuffix('*')
        if parameter.const:
            position = self.next_position()
            self.before.append(f'const {element} *{name} = call_u32s(&c, {position}, "{name}", {self.count});')
        else:
            count, push = self.count_for(parameter), f'call_push_{"places" if element == "uint32_t" else "numbers"}'
            self.before.append(f'{element} *{name} = call_memory(&c, {count}, sizeof *{name});')
            self.answers.append(f'{push}(&c, {name}, {count});')
        self.arguments.append(name)

    def add_scalar(self, parameter):
        name, c_type = parameter.name, parameter.c_type
        take = SCALARS[c_type]
        if meaning.is_place(parameter):
            take = 'call_place'
        elif meaning.is_yes_or_no(parameter):
            take = 'call_yes_or_no'
        c_type = 'const char *' if c_type == 'char*' else f'const {c_type} '
        self.before.append(f'{c_type}{name} = {take}(&c, {self.next_position()}, "{name}");')
        self.arguments.append(name)

    def add_answer(self, parameter):
        name, element = parameter.name, parameter.c_type.removesuffix('*')
        self.before.append(f'{element} {name} = 0;')
        self.arguments.append(f'&{name}')
        if meaning.is_yes_or_no(parameter):
            self.answers.append(f'lua_pushboolean(L, {name} != 0);')
        else:
            self.answers.append(f'{ANSWERS[element]}(L, {name});')

    def takes_numbers_alone(self):
        """Whether there is nothing to lay out: what is called a million times should not pay for that."""
        return all(parameter.c_type in SCALARS or parameter.c_type.removesuffix('*') in ANSWERS
                   for parameter in self.function.parameters)

    def lines(self):
        function = self.function
        yield f'static int call_{function.name}(lua_State *L) {{'
        begin = 'call_begin_numbers' if self.takes_numbers_alone() else 'call_begin'
        yield f'call c = {begin}(L, "{function.name}", {self.position});'
        yield from self.before
        yield 'if (c.refused) {'
        yield 'return call_refused(&c);'
        yield '}'
        called = f'vcs_{function.name}({", ".join(self.arguments)})'
        if function.result == 'int':
            yield from self.checked(called)
        else:
            yield from self.announced(called)
        yield '}\n'

    def checked(self, called):
        if self.has_error:
            yield 'vcs_error error = call_error();'
        yield f'const int code = {called};'
        yield 'if (code != VCS_OK) {'
        yield f'return call_failed(&c, code, {"&error" if self.has_error else "NULL"});'
        yield '}'
        yield from self.after
        yield from self.answers
        if self.answers:
            yield f'return {len(self.answers)};'
        else:
            yield f'lua_pushvalue(L, {self.changed});' if self.changed else 'lua_pushboolean(L, 1);'
            yield 'return 1;'

    def announced(self, called):
        """A function that cannot fail returns its answer."""
        if 'char' in self.function.result:
            yield f'lua_pushstring(L, {called});'
        elif self.function.name.endswith('_find'):
            yield f'push_place(L, {called});'
        else:
            yield f'push_u64(L, {called});'
        yield 'return 1;'


def call_source(function, numbers, kept):
    """The source. `numbers` are the constants VCS_TYPE_* of the structs, `kept` the types that callers keep."""
    depth = 0
    written = []
    for line in Call(function, numbers, kept).lines():
        depth -= line.startswith('}')
        written.append(INDENT * depth + line)
        depth += line.endswith('{')
    return '\n'.join(written)
