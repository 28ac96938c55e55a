# SPDX-License-Identifier: MIT
"""The commands that pages of the manual show, with what they print.

Run as a program, rewrites what vcemu prints in the pages that show it, and the JSON that a test compares with:

    VCEMU=build/examples/vcemu python3 tests/tool/vcemu_examples.py

The environment variable VCEMU is the path of the program.
"""

import contextlib
import fcntl
import os
import pathlib
import pty
import re
import shlex
import signal
import struct
import subprocess
import termios

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = ('README.md', 'doc/grid.md', 'doc/vcemu.md')
SMALL_STATE = 'examples/scenarios/small_state.ini'
GOLDEN_PLAN = 'tests/tool/test_vcemu_plan.json'

CONSOLE = re.compile(r'(?<=^```console\n)(.*?)(?=^```$)', re.MULTILINE | re.DOTALL)


def environment(**changes):
    """The environment of a plain terminal, whatever the user's own is."""
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


@contextlib.contextmanager
def running(command, *arguments, **options):
    """A command that ends at the end of the block if it has not ended before."""

    def heed_interrupts():
        # What a shell starts in the background ignores them, and so does what that starts.
        signal.signal(signal.SIGINT, signal.SIG_DFL)

    with subprocess.Popen([os.path.abspath(os.environ['VCEMU']), command, *map(str, arguments)], cwd=ROOT,
                          env=environment(TERM='xterm'), preexec_fn=heed_interrupts, **options) as process:
        try:
            yield process
        finally:
            process.kill()


def open_terminal(columns):
    """Both ends of a terminal. A bare container may have none."""
    try:
        master, slave = pty.openpty()
    except OSError as reason:
        pytest.skip(f'no terminal can be opened here: {reason}')
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack('HHHH', 50, columns, 0, 0))
    return master, slave


@contextlib.contextmanager
def on_a_terminal(command, *arguments, **options):
    """A command whose messages go to a terminal; and what the terminal gets, piece by piece until it ends."""
    master, slave = open_terminal(80)

    def pieces():
        while True:
            try:
                yield os.read(master, 4096)
            except OSError:
                return

    with running(command, *arguments, stderr=slave, **options) as process:
        os.close(slave)
        yield process, pieces()
    os.close(master)


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
