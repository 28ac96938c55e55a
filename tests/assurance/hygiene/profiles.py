#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The table of profiles in doc/rules.md has the parameters in which the profiles differ, with the values of the code.

    profiles.py SOURCE_ROOT
"""

import pathlib
import re
import sys

import public_headers

PARAMETER = re.compile(r'^ *P\((\w+), ([^"]+?), *\\?\s*"', re.MULTILINE)
CHOICE = re.compile(r'C\((\w+), (\w+), "(\w+)"\)')
SWITCH = re.compile(r'SWITCH\(C, (\w+)\)')
ROW = re.compile(r'^\| (`\w+`(?:, `\w+`)*) \| ([^|]+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \| [\d., ]+ \|$', re.MULTILINE)
DAY = 86400.0


def of_the_code(source):
    """Of each parameter whose value depends on the profile: its values, as numbers or names of choices."""
    choices = {(parameter, value): name for parameter, value, name in CHOICE.findall(source)}
    choices.update({(parameter, value): name for parameter in SWITCH.findall(source)
                    for value, name in (('0', 'no'), ('1', 'yes'))})
    found = {}
    for parameter, values in PARAMETER.findall(source):
        values = [value.strip(' \\\n') for value in values.split(',')]
        if len(set(values)) > 1:
            found[parameter] = [choices.get((parameter, value), value) for value in values]
    return {parameter: [value if re.fullmatch('[a-z]\\w*', value) else eval(value, {'VCS_DAY': DAY})
                        for value in values]
            for parameter, values in found.items()}


def value_of(text):
    """0.25 days, 180 s, 0, deadline."""
    number, _, unit = text.strip().partition(' ')
    if re.fullmatch(r'[\d.]+', number):
        return float(number) * (DAY if unit.startswith('day') else 1)
    return number


def of_the_manual(text):
    return {name: [value_of(value) for value in values]
            for names, *values in ROW.findall(text) for name in re.findall(r'\w+', names)}


def main():
    root = pathlib.Path(sys.argv[1])
    interface = root / 'lib/vcsched/interface'
    code = of_the_code(''.join((interface / name).read_text(encoding='ascii')
                               for name in ('check/parameter_table.h', 'describe/parameter_info.c')))
    manual = of_the_manual((root / 'doc/rules.md').read_text(encoding='utf-8'))
    if not code or not manual:
        raise SystemExit('there is nothing to compare')
    public_headers.finish([f'doc/rules.md: {name} is {manual.get(name, "missing")} in the table of profiles, and '
                           f'{code.get(name, "the same in all profiles")} in the code'
                           for name in sorted({*code, *manual}) if code.get(name) != manual.get(name)])


main()
