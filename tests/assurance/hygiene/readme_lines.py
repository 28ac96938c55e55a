#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The lines that the README and doc/embedding.md tell a user to type do what they say.

    readme_lines.py SOURCE_ROOT COMPILER

Each page's blocks of shell run as they are printed, in a copy of the source tree in which `main.c` is the program that
the README prints, whole. `cc` is COMPILER, and what is installed goes below a folder of the copy. What the README's
lines make of the library without a build system is then linked with every_room.c. A line that compiles the library as
one before it did is left out: its objects are there.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

PAGES = ('README.md', 'doc/embedding.md')
SHELL = re.compile(r'^```sh\n(.*?)^```$', re.MULTILINE | re.DOTALL)
PROGRAM = re.compile(r'^```c\n(#include.*?)^```$', re.MULTILINE | re.DOTALL)
COMPILING = re.compile(r'^cc .* -c lib/.*\n', re.MULTILINE)
COPIED = ('meson.build', 'meson_options.txt', 'include', 'lib')


def environment_of(tree, compiler):
    """Where a user has /usr/local, the copy has a folder."""
    programs, installed = tree / 'programs', tree / 'installed'
    programs.mkdir()
    (programs / 'cc').symlink_to(shutil.which(compiler))
    libraries = [installed / 'usr/local' / name for name in ('lib', 'lib64', f'lib/{os.uname().machine}-linux-gnu')]
    return {**os.environ, 'PATH': f'{programs}:{os.environ["PATH"]}', 'CC': 'cc', 'DESTDIR': str(installed),
            'PKG_CONFIG_PATH': ':'.join(f'{path}/pkgconfig' for path in libraries),
            'PKG_CONFIG_SYSROOT_DIR': str(installed), 'LD_LIBRARY_PATH': ':'.join(map(str, libraries))}


def run(command, tree, environment):
    done = subprocess.run(command, cwd=tree, env=environment, check=False, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors='replace')
    if done.returncode != 0:
        raise SystemExit(f'{command[-1]}\nended with status {done.returncode}:\n{done.stdout[-5000:]}')
    return done.stdout


def main():
    root, compiler = pathlib.Path(sys.argv[1]), sys.argv[2]
    program = PROGRAM.search((root / PAGES[0]).read_text(encoding='utf-8'))
    if not program:
        raise SystemExit(f'{PAGES[0]} prints no whole program')
    with tempfile.TemporaryDirectory() as folder:
        tree = pathlib.Path(folder)
        for name in COPIED:
            copy = shutil.copytree if (root / name).is_dir() else shutil.copyfile
            copy(root / name, tree / name)
        (tree / 'main.c').write_text(program[1], encoding='ascii')
        environment = environment_of(tree, compiler)
        compiled = set()
        for page in PAGES:
            blocks = SHELL.findall((root / page).read_text(encoding='utf-8'))
            if not blocks:
                raise SystemExit(f'{page} has no block of shell')
            for block in blocks:
                for line in COMPILING.findall(block):
                    block = block.replace(line, '') if line in compiled else block
                    compiled.add(line)
                print(f'{page}:\n{block}{run(["sh", "-eux", "-c", block], tree, environment)[-400:]}')
            if page == PAGES[0]:
                shutil.copyfile(pathlib.Path(__file__).with_name('every_room.c'), tree / 'every_room.c')
                run(['sh', '-eux', '-c', 'cc -Iinclude every_room.c libvcsched.a -o every_room && ./every_room'], tree,
                    environment)


main()
