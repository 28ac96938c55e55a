#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The manual pages of the tool: vcemu(1), and one for each command.

    command_pages.py SOURCE OUTPUT_FOLDER VCEMU...

VCEMU... is the command that runs the tool; all that the pages say comes from its `help --json`. Their date is that of
the file SOURCE.
"""

import json
import pathlib
import subprocess
import sys

import roff


def prose(text):
    """Lines as help shows them, as paragraphs; indented lines stay lines."""
    lines = []
    for block in text.strip('\n').split('\n\n'):
        if block.startswith('  '):
            lines += roff.verbatim([line[2:] for line in block.split('\n')])
        else:
            lines += roff.paragraph(' '.join(block.split()))
    return lines


def examples(text):
    return [*roff.heading('Examples'), *roff.verbatim(text.strip('\n').split('\n'))]


def operand(text):
    return ' '.join(roff.italic(word) for word in text.split())


def option_term(option):
    value = '' if option['value'] is None else ' ' + roff.italic(option['value'])
    letter = '' if option['letter'] is None else roff.bold('-' + option['letter']) + ', '
    return f"{letter}{roff.bold('--' + option['name'])}{value}"


def choices(parameter):
    if parameter['choices']:
        *first, last = parameter['choices']
        return f"{', '.join(first)} or {last}"
    return f"{parameter['minimum']:.15g} to {parameter['maximum']:.15g} {parameter['unit']}".rstrip()


def parameters(all_parameters):
    lines = [*roff.heading('Parameters')]
    for parameter in all_parameters:
        lines += roff.item(roff.bold(parameter['name']),
                           roff.filled(roff.escape(f"{parameter['about']}: {choices(parameter)}")))
    return lines


def see_also(names):
    named = ', '.join(f'{roff.bold(name)}({section})' for name, section in names)
    return [*roff.heading('See also'), *roff.filled(named)]


def command_page(command, tool, date):
    options = command['options']
    body = [*roff.heading('Synopsis'),
            f"{roff.bold('vcemu ' + command['name'])} {operand(command['operand'])} [{roff.italic('OPTION')}]...",
            *roff.heading('Description'), *prose(command['about']), *roff.heading('Options')]
    for option in options:
        body += roff.item(option_term(option), roff.filled(roff.marked(' '.join(option['about'].split()))))
    if command['notes']:
        body += [*roff.heading('Values'), *prose(command['notes'])]
    if any(option['name'] == 'set' for option in options):
        body += parameters(tool['parameters'])
    body += [*examples(command['examples']), *see_also([('vcemu', 1), ('vcsched', 3)])]
    return roff.page('vcemu-' + command['name'], 1, command['summary'], date, tool['version'], body)


def overview_page(tool, date):
    body = [*roff.heading('Synopsis'),
            f"{roff.bold('vcemu')} {operand('COMMAND STATE')} [{roff.italic('OPTION')}]...",
            *roff.heading('Description'), *prose(tool['about']), *roff.heading('Commands')]
    for command in tool['commands']:
        body += roff.item(f"{roff.bold(command['name'])} {operand(command['operand'])}",
                          roff.filled(roff.escape(command['summary'])))
    body += [*roff.heading('Use'), *prose(tool['notes']), *examples(tool['examples']),
             *see_also([*((f"vcemu-{command['name']}", 1) for command in tool['commands']), ('vcsched', 3)])]
    return roff.page('vcemu', 1, 'show what the scheduling policy of volunteer computing decides', date,
                     tool['version'], body)


def main():
    source, folder, *vcemu = sys.argv[1:]
    tool = json.loads(subprocess.run([*vcemu, 'help', '--json'], check=True, stdout=subprocess.PIPE).stdout)
    date = roff.date_of(pathlib.Path(source))
    pages = {f"vcemu-{command['name']}.1": command_page(command, tool, date) for command in tool['commands']}
    roff.write_folder(folder, {'vcemu.1': overview_page(tool, date), **pages})


main()
