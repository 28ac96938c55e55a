#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Gives a wheel the tags of all systems that can run it, as PEP 600 (manylinux) and PEP 384 (abi3) define them.

    wheel.py WHEEL FOLDER [COMPILED_PART TOOL]

The wheel in FOLDER is for every Python since the oldest that its metadata allow, and named for the newest glibc that
one of its programs asks for. Refuses one that needs other libraries than those of glibc; what the compiled part asks
of Python, tests/test_package.py looks at. With a compiled part and a tool for Windows in the place of those in it, it
is for Windows.
"""

import base64
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import time
import zipfile

GLIBC = re.compile(r'(libc|libm|libdl|libpthread|librt)\.so\.\d|ld-linux.*\.so\.\d')
NEEDED = re.compile(r'^\s+NEEDED\s+(\S+)$', re.MULTILINE)
VERSION = re.compile(r'\(GLIBC_(\d+)\.(\d+)[\d.]*\)')
NAME = re.compile(r'(\w+-[\w.]+)-cp\d+-cp\d+-linux_(\w+)\.whl')
COMPILED = re.compile(r'\.cpython-\w+-[\w-]+\.so$')
TOOL = re.compile(r'\.data/scripts/\w+$')
OLDEST_PYTHON = re.compile(r'^Requires-Python: >=3\.(\d+)$', re.MULTILINE)


def objdump(option, path):
    return subprocess.run(['objdump', option, str(path)], check=True, capture_output=True, text=True).stdout


def glibc_needed(path):
    """The newest version of a symbol that the program takes from glibc."""
    foreign = [name for name in NEEDED.findall(objdump('-p', path)) if not GLIBC.fullmatch(name)]
    if foreign:
        sys.exit(f'{path.name}: needs {", ".join(foreign)}')
    return max((int(major), int(minor)) for major, minor in VERSION.findall(objdump('-T', path)))


def for_linux(files, scratch, machine):
    """The files of the wheel by their new names, and its platform."""
    needed = []
    for name, data in files.items():
        if data.startswith(b'\x7fELF'):
            path = scratch / pathlib.PurePosixPath(name).name
            path.write_bytes(data)
            needed.append(glibc_needed(path))
            path.unlink()
    major, minor = max(needed)
    renamed = {COMPILED.sub('.abi3.so', name): data for name, data in files.items()}
    return renamed, f'manylinux_{major}_{minor}_{machine}'


def for_windows(files, compiled, tool):
    def replaced(name, data):
        if COMPILED.search(name):
            return COMPILED.sub('.pyd', name), compiled.read_bytes()
        return (name + '.exe', tool.read_bytes()) if TOOL.search(name) else (name, data)

    return dict(replaced(name, data) for name, data in files.items()), 'win_amd64'


def record(files):
    """The list of all files with their sums that a wheel ends with."""
    for name, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip('=')
        yield f'{name},sha256={digest},{len(data)}'


def main():
    wheel, folder, *programs = map(pathlib.Path, sys.argv[1:])
    start, machine = NAME.fullmatch(wheel.name).groups()
    with zipfile.ZipFile(wheel) as archive:
        files = {name: archive.read(name) for name in sorted(archive.namelist()) if not name.endswith('/RECORD')}
    files, platform = for_windows(files, *programs) if programs else for_linux(files, wheel.parent, machine)
    about = f'{start}.dist-info'
    tag = f'cp3{OLDEST_PYTHON.search(files[f"{about}/METADATA"].decode())[1]}-abi3-{platform}'
    files[f'{about}/WHEEL'] = re.sub(rb'^Tag: .*$', f'Tag: {tag}'.encode(), files[f'{about}/WHEEL'], flags=re.MULTILINE)
    files[f'{about}/RECORD'] = ('\n'.join([*record(files), f'{about}/RECORD,,']) + '\n').encode()
    when = time.gmtime(int(os.environ.get('SOURCE_DATE_EPOCH', time.time())))[:6]
    with zipfile.ZipFile(folder / f'{start}-{tag}.whl', 'w', zipfile.ZIP_DEFLATED, compresslevel=9) as made:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, when)
            entry.external_attr = (0o100755 if data.startswith(b'\x7fELF') else 0o100644) << 16
            made.writestr(entry, data, zipfile.ZIP_DEFLATED)


main()
