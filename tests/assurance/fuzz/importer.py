#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The importer on client states of which something is not as it should be.

    importer.py LIMIT [SEED]

LIMIT is a number of inputs, or of seconds with an s behind it.

Takes the states of real clients apart, changes the tree (elements go, come twice, move elsewhere, hold another number)
and now and then the text, and imports what comes of it. Either that succeeds, and Python's own parser reads the state
file; or one line says what is wrong and where. With the path of vcemu as VCEMU in the environment, a state file in
twenty is given to it, which must take it or refuse it with one line as well.
"""

import configparser
import contextlib
import io
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / 'bindings' / 'python'))
sys.dont_write_bytecode = True

from vcsched.__main__ import main as vcsched  # noqa: E402 - found only by the path above

VALUES = ['', '0', '-0', '1', '-1', '0.5', '2', '63', '64', '65', '65536', '65537', '1e-300', '1e12', '1e30', '1e31',
          '1e400', 'nan', 'inf', '-inf', '4294967295', '4294967296', '99999999999999999999', '0x10', '1_000', ' 7 ',
          'many', 'CPU', 'NVIDIA', '[project]', '; comment', 'a=b', '\u00e9', '&lt;', '\u2028', 'x' * 300]


def elements_of(tree):
    """Each element with the one that holds it."""
    return [(parent, child) for parent in tree.iter() for child in parent]


def change(tree, draw):
    pairs = elements_of(tree)
    if not pairs:
        return
    parent, child = draw.choice(pairs)
    way = draw.randrange(7)
    if way == 0:
        parent.remove(child)
    elif way == 1:
        parent.insert(draw.randrange(len(parent) + 1), child)
    elif way == 2:
        other, _ = draw.choice(pairs)
        if child not in other.iter() and all(other is not inner for inner in child.iter()):
            other.insert(draw.randrange(len(other) + 1), child)
    elif way == 3:
        child.text = draw.choice(VALUES)
    elif way == 4:
        child.tag = draw.choice(pairs)[1].tag
    elif way == 5:
        child.text = draw.choice(pairs)[1].text
    else:
        child.text = repr(draw.choice([1, -1, 1e3, 1e9, 1e12]) * draw.random())


def spoil(data, draw):
    data = bytearray(data)
    for _ in range(draw.randrange(1, 4)):
        place = draw.randrange(len(data))
        way = draw.randrange(3)
        if way == 0:
            data[place] = draw.randrange(256)
        elif way == 1:
            del data[place:place + draw.randrange(1, 40)]
        else:
            data[place:place] = bytes(draw.randrange(256) for _ in range(draw.randrange(1, 4)))
        if not data:
            return b'<'
    return bytes(data)


def small(tree, draw):
    """Leaves few of the files and results, so that most changes meet what is read."""
    for kind in ('file', 'file_info', 'result'):
        for child in tree.findall(kind):
            if draw.random() < 0.9:
                tree.remove(child)


def make(originals, draw):
    tree = ElementTree.fromstring(draw.choice(originals))
    if draw.random() < 0.7:
        small(tree, draw)
    for _ in range(draw.randrange(4)):
        change(tree, draw)
    data = ElementTree.tostring(tree, encoding='utf-8')
    return spoil(data, draw) if draw.random() < 0.1 else data


def one_line(text, beginning):
    lines = text.splitlines()
    return len(lines) == 1 and lines[0].startswith(beginning)


def attempt(source, target):
    """Whether it could be imported. Raises whatever is not as promised."""
    with contextlib.redirect_stdout(io.StringIO()) as output, contextlib.redirect_stderr(io.StringIO()) as messages:
        status = vcsched(['import', str(source), '--quiet', '-o', str(target)])
    assert output.getvalue() == '', output.getvalue()
    if status == 0:
        assert messages.getvalue() == '', messages.getvalue()
        parser = configparser.ConfigParser(interpolation=None, strict=True)
        parser.read_string(target.read_text(encoding='utf-8'))
        assert parser.has_section('host')
        return True
    assert status == 1 and one_line(messages.getvalue(), 'vcsched: '), (status, messages.getvalue())
    assert not target.exists()
    return False


def give_to_vcemu(program, target):
    ended = subprocess.run([program, 'plan', str(target)], check=False, capture_output=True, text=True, timeout=120)
    assert ended.returncode == 0 or (ended.returncode == 1 and one_line(ended.stderr, 'vcemu: ')), ended


def goes_on(limit, attempts, started):
    if limit.endswith('s'):
        return attempts == 0 or time.monotonic() < started + float(limit[:-1])
    return attempts < int(limit)


def main():
    limit, seed = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1
    program = os.environ.get('VCEMU')
    paths = sorted((ROOT / 'tests' / 'support' / 'states').glob('*/*/client_state.xml'))
    paths.append(ROOT / 'examples' / 'scenarios' / 'client_state.xml')
    originals = [path.read_bytes() for path in paths]
    attempts, imported, started = 0, 0, time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        source, target = pathlib.Path(folder) / 'client_state.xml', pathlib.Path(folder) / 'state.ini'
        while goes_on(limit, attempts, started):
            draw = random.Random(seed + attempts)
            target.unlink(missing_ok=True)
            source.write_bytes(make(originals, draw))
            try:
                taken = attempt(source, target)
                if taken and program and imported % 20 == 0:
                    give_to_vcemu(program, target)
            except BaseException:
                print(f'importer.py 1 {seed + attempts} shows it again', file=sys.stderr)
                raise
            imported += taken
            attempts += 1
    print(f'{attempts} inputs, {imported} of them imported')


main()
