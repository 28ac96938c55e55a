# SPDX-License-Identifier: MIT
"""The commands that pages of the manual show, with what they print.

Run as a program, rewrites what vcemu prints in the pages that show it, and the JSON that a test compares with:

    VCEMU=build/examples/vcemu python3 tests/tool/vcemu_examples.py

The environment variable VCEMU is the path of the program.
"""

import os
import pathlib
import re
import shlex
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = ('README.md', 'doc/vcemu.md')
SMALL_STATE = 'examples/small_state.ini'
GOLDEN_PLAN = 'tests/tool/test_vcemu_plan.json'

CONSOLE = re.compile(r'(?<=^```console\n)(.*?)(?=^```$)', re.MULTILINE | re.DOTALL)


def environment(**changes):
    """That of a plain terminal, whatever the user's own is."""
    kept = {name: value for name, value in os.environ.items()
            if name not in ('COLUMNS', 'NO_COLOR', 'TERM', 'LANG') and not name.startswith('LC_')}
    return {**kept, 'LC_ALL': 'C', **changes}


def vcemu(*arguments, stdin='', **changes):
    """Runs the tool in the project's directory."""
    return subprocess.run([os.path.abspath(os.environ['VCEMU']), *map(str, arguments)], input=stdin, cwd=ROOT,
                          env=environment(**changes), capture_output=True, encoding='utf-8', check=False)


def output_of(*arguments, **options):
    result = vcemu(*arguments, **options)
    assert (result.returncode, result.stderr) == (0, '')
    return result.stdout


def arguments_of(command):
    program, *arguments = shlex.split(command)
    assert program == 'vcemu'
    return arguments


def split_block(block):
    """Each command of a block with its output."""
    for example in re.split(r'^\$ ', block, flags=re.MULTILINE)[1:]:
        command, _, output = example.partition('\n')
        yield command, output


def examples_in(page):
    for block in CONSOLE.findall((ROOT / page).read_text(encoding='utf-8')):
        yield from split_block(block)


def write_anew(block):
    return ''.join(f'$ {command}\n{output_of(*arguments_of(command))}' for command, _ in split_block(block))


def main():
    for page in PAGES:
        path = ROOT / page
        path.write_text(CONSOLE.sub(lambda found: write_anew(found[0]), path.read_text(encoding='utf-8')),
                        encoding='utf-8')
    (ROOT / GOLDEN_PLAN).write_text(output_of('plan', SMALL_STATE, '--json'), encoding='utf-8')


if __name__ == '__main__':
    main()
