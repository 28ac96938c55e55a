#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the bindings read out of the comments of the public headers is what comment_meanings.txt lists.

    comment_meanings.py SOURCE_ROOT            compares
    comment_meanings.py SOURCE_ROOT --write    writes the list, after a change that was meant

The types of C do not say whether a number is an index, whether it is a yes or no, whether a pointer may be NULL, or
whether it is written only. Words in the comments do ("index of", "VCS_NONE", "1:", "may be NULL", "out:"), and the
generators of the Lua and Python bindings follow them. Constants without a blank line between them are one enum, which
the field in their comment names ("vcs_task.flags: ..."). A comment in other words, or a blank line, would change the
type of an argument or the name of an enum; this list makes such a change visible.
"""

import difflib
import pathlib
import sys
import textwrap

LISTED = pathlib.Path(__file__).with_suffix('.txt')
ROOT = pathlib.Path(sys.argv[1])
sys.path[:0] = [str(ROOT / 'bindings/lua'), str(ROOT / 'bindings/python/generate')]

import meaning  # noqa: E402
from constants_source import Constants  # noqa: E402
from headers import EMULATOR, read_headers  # noqa: E402
from interface_source import Unfit, Wrapper, parameter_comments  # noqa: E402


def fields(interface):
    """Of each field that is more than a number, what it is."""
    for struct in interface.structs.values():
        for field in struct.fields:
            meant = meaning.of_field(field, struct)
            if meant:
                yield f'{struct.name}.{field.name}: {meant.removeprefix("MEANS_").lower().replace("_", " ")}'


def lua_parameters(interface):
    """The same of each parameter."""
    for function in interface.functions.values():
        for parameter in function.parameters:
            for holds, what in ((meaning.is_place, 'place'), (meaning.is_yes_or_no, 'yes or no'),
                                (meaning.may_be_missing, 'may be missing')):
                if holds(parameter):
                    yield f'{function.name}, {parameter.name}: {what}'


def python_signatures(interface):
    """What each function takes and answers in Python, for those that are made from the headers."""
    comments = parameter_comments(interface)
    for function in interface.functions.values():
        try:
            wrapper = Wrapper(function, interface, comments)
        except Unfit:
            continue
        taken = ', '.join(f'{name}: {annotation}' for name, annotation, _ in wrapper.signature)
        answers = ', '.join(f'{name}: {annotation}' for name, annotation, _ in wrapper.answers)
        line = f'{function.name}({taken}) -> {answers or "None"}'
        yield from textwrap.wrap(line, 120, subsequent_indent='    ')


def enums(interface):
    """The enums of Python with their members, and the fields that hold one."""
    constants = Constants(interface)
    for enum in constants.enums:
        line = f'{enum.name}({"flags" if enum.flags else "values"}): {", ".join(name for name, _ in enum.members)}'
        yield from textwrap.wrap(line, 120, subsequent_indent='    ')
    yield from (f'{struct}.{field}: {enum}' for (struct, field), enum in sorted(constants.of_field.items()))


def lines():
    interface = read_headers(ROOT / 'include', *EMULATOR)
    for title, part in (('Fields', fields), ('Parameters in Lua', lua_parameters),
                        ('Enums in Python', enums), ('Functions in Python', python_signatures)):
        yield from (f'# {title}', *part(interface), '')


def main():
    text = '\n'.join(lines())
    if '--write' in sys.argv:
        LISTED.write_text(text, encoding='ascii')
        return
    differences = list(difflib.unified_diff(LISTED.read_text(encoding='ascii').splitlines(), text.splitlines(),
                                            'listed', 'in the headers', lineterm=''))
    print('\n'.join(differences))
    sys.exit(1 if differences else 0)


main()
