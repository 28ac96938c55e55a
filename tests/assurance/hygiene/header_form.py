#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The public headers keep to what every language can call, and say what has to be said.

    header_form.py INCLUDE_DIRECTORY

- No function body, no macro with arguments, no exported variable, no enum, bit-field or callback; struct fields are
  doubles, integers of stated width, characters, and other structs. vcs_snapshot and vcs_array alone hold pointers.
- A function that returns an error code says "Returns" which, and every function says "Thread-safe", unless it points to
  another ("as for vcs_...", "see vcs_..."). Every field of a struct has a comment.
- A struct passed by pointer begins with struct_size, or is one of the frozen records that vcsched.h lists. Others are
  passed in a vcs_array, and the comment of the function names the struct of its elements, as "vcs_task[]". No
  function takes more than eight arguments.
- vcsched.h includes all others but the headers of libvcemu. Those may hold callbacks, and pointers in structs that are
  not records: the scenario, what a callback looks at, the callbacks, and lists of text. policy.h declares the variable
  that the shared library of a policy exports.
"""

import re
import sys

import public_headers

FORBIDDEN = {
    'a function body': re.compile(r'\)\s*\{'),
    'static': re.compile(r'\bstatic\b'),
    'inline': re.compile(r'\binline\b'),
    'a macro with arguments': re.compile(r'#\s*define\s+\w+\('),
    'an exported variable': re.compile(r'\bextern\b(?!\s*"C")|^VCS_API[^;(]*;', re.MULTILINE),
    'an enum': re.compile(r'\benum\b'),
    'a callback': re.compile(r'\(\s*\*'),
    'a bool': re.compile(r'\b(_Bool|bool)\b'),
}
FIELD_TYPES = {'double', 'uint64_t', 'int64_t', 'uint32_t', 'int32_t', 'char'}
WITH_POINTERS = {'vcs_array': {'const void', 'void'}, 'vcs_snapshot': {'vcs_array'}, 'vcs_scenario': {'vcs_array',
                                                                                              'vcs_snapshot'},
                 'vcs_situation': {'const vcs_snapshot', 'const vcs_parameters', 'vcs_state'},
                 'vcs_host_class': {'const void', 'const vcs_scenario', 'const vcs_parameters', 'const vcs_hooks',
                                    'vcs_array'},
                 'vcs_grid': {'vcs_array'},
                 'vcs_grid_results': {'void', 'vcs_grid_outcome', 'vcs_grid_project_outcome', 'vcs_grid_host_outcome',
                                      'vcs_grid_sample'}}
CALLBACKS = {'vcs_hooks', 'vcs_grid_hooks', 'vcs_policy', 'vcs_sweep'}
LISTS_OF_TEXT = {'vcs_file_options', 'vcs_policy_run', 'vcs_sweep_axis', 'vcs_sweep_run'}
POLICY_SYMBOL = 'VCS_API extern const vcs_policy vcemu_policy;'
# vcs_array wraps its pointer so that it takes 8 bytes everywhere.
WRAPPED_POINTER = re.compile(r'^    union \{\n(.*?)^    \};\n', re.MULTILINE | re.DOTALL)
FIELD = re.compile(r'^ +([\w ]+?)\s(\*?)(\w+)(\[\d+\])?;(\s*/\*)?', re.MULTILINE)
SIZED = re.compile(r'\s*uint32_t struct_size;')
STRUCT_ARGUMENT = re.compile(r'(?:const )?(vcs_\w+) \*\w+')
SIZE_OF_IT = re.compile(r'uint32_t size')
MOST_ARGUMENTS = 8


def forbidden_in(header):
    code = public_headers.code_of(header).replace(POLICY_SYMBOL, '')
    for what, pattern in FORBIDDEN.items():
        if what == 'a callback' and header.name in public_headers.EMULATOR:
            continue
        for match in pattern.finditer(code):
            yield f'{header.name}:{code.count(chr(10), 0, match.start()) + 1}: {what}'


def fields_of(header, records):
    for name, body, _ in public_headers.structs_of(header):
        if name in CALLBACKS | LISTS_OF_TEXT:
            continue
        if name in WITH_POINTERS:
            body = WRAPPED_POINTER.sub(r'\1', body)
        body = public_headers.COMMENT.sub('/**/', body)  # what comments say is no field
        lines = [line for line in body.replace('/**/', '').splitlines() if line.strip()]
        fields = list(FIELD.finditer(body))
        if len(lines) != len(fields):
            yield f'{header.name}: struct {name} has a field that is not of a plain form'
        for field in fields:
            if field.group(1) not in FIELD_TYPES | records | WITH_POINTERS.get(name, set()):
                yield f'{header.name}: {name}.{field.group(3)} is of type {field.group(1)}'
            if field.group(2) and name not in WITH_POINTERS:
                yield f'{header.name}: {name}.{field.group(3)} is a pointer'
            if not field.group(5):
                yield f'{header.name}: {name}.{field.group(3)} has no comment'


def comments_of(header):
    for name, return_type, comment in public_headers.documented_functions(header):
        if re.search(r'\b(as for|see) vcs_\w+', comment):
            continue
        if 'Thread-safe' not in comment:
            yield f'{header.name}: {name} does not say whether it is "Thread-safe"'
        if return_type == 'int' and 'Returns' not in comment:
            yield f'{header.name}: {name} does not say what it "Returns"'


def frozen_records(umbrella):
    """The records that vcsched.h lists as frozen."""
    paragraph = re.search(r'\* Frozen records\.(.*?)\n \*\n', umbrella, re.DOTALL)
    return set(re.findall(r'\bvcs_\w+', paragraph.group(1)))


def arguments_of(headers, umbrella):
    frozen = frozen_records(umbrella)
    sized = {name: SIZED.match(public_headers.COMMENT.sub('', body)) is not None
             for header in headers for name, body, _ in public_headers.structs_of(header)}
    yield from (f'vcsched.h: {name} is listed as frozen, but there is no such record without struct_size'
                for name in sorted(frozen) if sized.get(name, True))
    for header in headers:
        comments = {name: comment for name, _, comment in public_headers.documented_functions(header)}
        for function, arguments in public_headers.FUNCTION.findall(public_headers.code_of(header)):
            arguments = [' '.join(argument.split()) for argument in arguments.split(',')]
            if len(arguments) > MOST_ARGUMENTS:
                yield f'{header.name}: {function} takes {len(arguments)} arguments'
            for argument, following in zip(arguments, [*arguments[1:], '']):
                match = STRUCT_ARGUMENT.fullmatch(argument)
                struct = match.group(1) if match else None
                if struct == 'vcs_array':
                    says_what = rf"^ \* {argument.rpartition('*')[2]} +(?:(?:in/)?out: )?vcs_\w+\[\]"
                    if not re.search(says_what, comments[function], re.MULTILINE):
                        yield f'{header.name}: {function} does not say what {argument} has as its elements'
                    continue
                is_written_by_size = SIZE_OF_IT.fullmatch(following) is not None
                if struct in sized and not (sized[struct] or is_written_by_size or struct in frozen):
                    yield f'{header.name}: {function} takes a {struct}, which has no struct_size and is not frozen'


def main():
    headers = public_headers.find(sys.argv[1])
    records = {name for header in headers for name, _, _ in public_headers.structs_of(header)} - set(WITH_POINTERS)
    problems = [problem for header in headers for rule in (forbidden_in, comments_of) for problem in rule(header)]
    problems += [problem for header in headers for problem in fields_of(header, records)]
    umbrella = next(header for header in headers if header.name == 'vcsched.h').read_text(encoding='ascii')
    problems += arguments_of(headers, umbrella)
    problems += [f'vcsched.h does not include {header.name}' for header in headers
                 if header.name not in {'vcsched.h', *public_headers.EMULATOR} and
                 f'#include <vcsched/{header.name}>' not in umbrella]
    public_headers.finish(problems)


main()
