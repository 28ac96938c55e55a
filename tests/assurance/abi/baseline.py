#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The binary interface is what baseline.txt says, and its versions agree.

    baseline.py SOURCE_ROOT BUILD_ROOT COMPILER            compares
    baseline.py SOURCE_ROOT BUILD_ROOT COMPILER --write    writes the baseline again, after a change that was meant

baseline.txt lists sonames, exported functions with their symbol versions, constants, and the layout of every struct.
What has grown has to be written down with --write. What programs compiled before cannot live with is refused: in
a release it needs another VCS_ABI_VERSION; in a candidate, a line in breaks.txt that says why.
"""

import ctypes
import json
import pathlib
import re
import subprocess
import sys
import tempfile

SOURCE_ROOT, BUILD_ROOT = map(pathlib.Path, sys.argv[1:3])
COMPILER = sys.argv[3]
sys.path.insert(0, str(SOURCE_ROOT / 'tests/assurance/hygiene'))

import public_headers  # noqa: E402

HERE = pathlib.Path(__file__).parent
BASELINE, BREAKS = HERE / 'baseline.txt', HERE / 'breaks.txt'
LIBRARIES = {'libvcsched': ('VCSCHED', 'vcsched/vcsched.map'), 'libvcemu': ('VCEMU', 'vcemu/vcemu.map')}
HEAD = """\
# The binary interface: sonames, exported functions, constants, structs with their fields. Made by baseline.py --write;
# doc/abi.md says what may change. Sizes and offsets are in bytes, of pointers those of a 64-bit machine; `first` is the
# size of the first release, `since` the release in which a field came.
"""
# Macros that stand for no number.
NO_NUMBERS = {'VCS_API', 'VCS_VERSION', 'VCS_POLICY_SIZES'}
# They count what there is, and grow with it.
COUNTS = re.compile(r'VCS_VERSION_|VCS_(TYPE_COUNT|PROFILE_COUNT|EVENT_KINDS|IDLE_REASONS|BOUND_KINDS)$')
FROZEN = re.compile(r'\* Frozen records\.(.*?)\*\n', re.DOTALL)


def run(*command, **options):
    return subprocess.run(command, check=True, capture_output=True, text=True, **options).stdout


def shared(library):
    return BUILD_ROOT / 'lib' / f'{library}.so'


def print_from_c(lines):
    """What a program prints that includes all headers."""
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, 'print.c')
        source.write_text('#include <stdio.h>\n#include <vcsched/vcsched.h>\n'
                          '#include <vcemu/bound.h>\n#include <vcemu/grid.h>\n'
                          '#include <vcemu/scenario.h>\n#include <vcemu/sweep.h>\n#include <vcemu/policy.h>\n'
                          'int main(void) {\n' + '\n'.join(lines) + '\nreturn 0;\n}\n', encoding='ascii')
        run(COMPILER, f'-I{SOURCE_ROOT}/include', str(source), '-o', f'{folder}/print')
        return run(f'{folder}/print').splitlines()


# ---- What there is now: {kind and name: what is known of it} ----

def sonames():
    for library in LIBRARIES:
        yield f'soname {library}', re.search(r'SONAME.*\[(.*)\]', run('readelf', '-d', shared(library))).group(1)


def symbols():
    for library in LIBRARIES:
        table = run('nm', '--dynamic', '--defined-only', '--with-symbol-versions', shared(library))
        for name, version in re.findall(r' T (\w+)@@(\w+\.\w+)', table):
            yield f'symbol {library} {name}', version


def constants():
    names = sorted({name for header in public_headers.find(SOURCE_ROOT / 'include')
                    for name in re.findall(r'^#define (VCS_\w+) ', public_headers.code_of(header), re.MULTILINE)
                    if name not in NO_NUMBERS and not COUNTS.match(name)})
    for line in print_from_c(f'printf("{name} %.17g\\n", (double){name});' for name in names):
        name, value = line.split()
        yield f'constant {name}', value


class FieldInfo(ctypes.Structure):
    """vcs_field_info"""
    _fields_ = [('struct_size', ctypes.c_uint32), ('type', ctypes.c_uint32), ('offset', ctypes.c_uint32),
                ('size', ctypes.c_uint32), ('kind', ctypes.c_char * 8), ('name', ctypes.c_char * 40),
                ('unit', ctypes.c_char * 24), ('minimum', ctypes.c_double), ('maximum', ctypes.c_double)]


def first_sizes():
    text = ''.join(path.read_text(encoding='ascii') for path in sorted((SOURCE_ROOT / 'lib').rglob('*_fields.h')))
    rows = re.findall(r'^    S\((\w+), VCS_TYPE_\w+, \d+, (\d+), \w+\)', text, re.M)
    return {name: int(first) for name, first in rows}


def structs_of_the_table():
    """Those that the libraries can tell of."""
    ctypes.CDLL(str(shared('libvcsched').resolve()), mode=ctypes.RTLD_GLOBAL)
    library = ctypes.CDLL(str(shared('libvcemu').resolve()))
    library.vcs_emulator_struct_name.restype = ctypes.c_char_p
    first = first_sizes()
    for kind in [*range(1, 300), *range(1000, 1100)]:
        name = library.vcs_emulator_struct_name(kind).decode()
        if name and name != 'candidate':
            yield f'struct {name}', f'type {kind} size {library.vcs_emulator_struct_size(kind)} first {first[name]}'
            for index in range(library.vcs_emulator_field_count(kind)):
                field = FieldInfo(struct_size=ctypes.sizeof(FieldInfo))
                assert library.vcs_emulator_field_at(kind, index, ctypes.byref(field)) == 0
                yield (f'field {name} {field.name.decode()}',
                       f'offset {field.offset} size {field.size} kind {field.kind.decode()}')


def other_structs(known):
    """Those with pointers, as the compiler lays them out.

    A snapshot inside a scenario grows, and what is behind it moves; the library looks for it where the snapshot ends.
    So the snapshot counts as nothing there.
    """
    lines = []
    for header in public_headers.find(SOURCE_ROOT / 'include'):
        for c_name, body, _ in public_headers.structs_of(header):
            name = c_name.removeprefix('vcs_')
            if f'struct {name}' in known:
                continue
            inside = 'sizeof(vcs_snapshot)' if name == 'scenario' else '0'
            lines.append(f'printf("struct {name}=type 0 size %zu first -\\n", sizeof({c_name}) - {inside});')
            body = re.sub(r'\bunion \{(.*?)\};', r'\1', public_headers.COMMENT.sub('', body), flags=re.S)
            for member in re.findall(r'(?:\(\*(\w+)\)\([^;]*|(\w+)(?:\[\d+\])?);', body):
                field = member[0] or member[1]
                offset, size = f'offsetof({c_name}, {field})', f'sizeof((({c_name} *)0)->{field})'
                lines.append(f'printf("field {name} {field}=offset %zu size %zu kind other\\n", '
                             f'{offset} > 8 ? {offset} - {inside} : {offset}, '
                             f'{size} - ({offset} == 8 ? {inside} : 0));')
    return (line.split('=') for line in print_from_c(lines))


def read_library():
    found = {**dict(sonames()), **dict(symbols()), **dict(constants()), **dict(structs_of_the_table())}
    found.update(other_structs(found))
    return found


# ---- What it was ----

def read_baseline():
    lines = BASELINE.read_text(encoding='ascii').splitlines() if BASELINE.exists() else []
    return dict(line.split(': ') for line in lines if line and not line.startswith('#'))


def since(was):
    """The release in which each field came."""
    return {key: value.split()[-1] for key, value in was.items() if key.startswith('field ')}


def write(now, was, version):
    known = since(was)
    lines = [f'{key}: {value}' + (f' since {known.get(key, version)}' if key.startswith('field ') else '')
             for key, value in now.items()]
    BASELINE.write_text(HEAD + '\n'.join(lines) + '\n', encoding='ascii')


# ---- Comparing ----

def frozen_structs():
    text = (SOURCE_ROOT / 'include/vcsched/vcsched.h').read_text(encoding='ascii')
    return {f'struct {name}' for name in re.findall(r'vcs_(\w+)', FROZEN.search(text).group(1))}


def numbers(value):
    return {name: int(number) for name, number in re.findall(r'(\w+) (\d+)', value)}


def is_growth(key, before, after, version, frozen):
    """Whether programs that were compiled before can live with it."""
    kind = key.split()[0]
    if kind == 'field' and key.split()[2].startswith('reserved'):
        return True  # its place is taken by a new field: no other one has moved, and nothing is left out
    if before is None:
        return kind != 'symbol' or after.endswith(f'_{version}')  # not under the name of an earlier release
    if after is None or kind != 'struct':
        return False
    old, new = numbers(before), numbers(after)
    return key not in frozen and new.pop('size') > old.pop('size') and new == old


def differences(now, was, version):
    """(what has grown, what would break programs)"""
    grown, broken, frozen = [], [], frozen_structs()
    was = {key: re.sub(r' since \S+$', '', value) for key, value in was.items()}
    for key in {**was, **now}:
        before, after = was.get(key), now.get(key)
        if before != after:
            text = f'{key}: {before or "not there"} -> {after or "not there"}'
            (grown if is_growth(key, before, after, version, frozen) else broken).append((key, text))
    return grown, broken


def version_problems(now):
    """The version of the headers is that of the library, of meson, of pkg-config, of the files and of the symbols."""
    values = dict(line.split() for line in print_from_c(
        f'printf("{name} %d\\n", VCS_{name});' for name in
        ('VERSION_MAJOR', 'VERSION_MINOR', 'VERSION_PATCH', 'ABI_VERSION')))
    version = '.'.join(values['VERSION_' + part] for part in ('MAJOR', 'MINOR', 'PATCH'))
    [text] = re.findall(r'^#define VCS_VERSION "(.*)"$',
                        (SOURCE_ROOT / 'include/vcsched/abi.h').read_text(encoding='ascii'), re.M)
    library = ctypes.CDLL(str(shared('libvcsched').resolve()))
    library.vcs_version.restype = ctypes.c_char_p
    project = json.loads((BUILD_ROOT / 'meson-info/intro-projectinfo.json').read_text(encoding='utf-8'))
    found = {'vcs_version()': library.vcs_version().decode(), 'the version of meson.build': project['version']}
    expected = {'VCS_VERSION without its candidate': (text.split('-')[0], version),
                'vcs_abi_version()': (str(library.vcs_abi_version()), values['ABI_VERSION'])}
    for name, (prefix, script) in LIBRARIES.items():
        package = (BUILD_ROOT / f'meson-private/{name.removeprefix("lib")}.pc').read_text(encoding='utf-8')
        found[f'the pkg-config version of {name}'] = re.search(r'^Version: (.*)$', package, re.M).group(1)
        file_version = shared(name).resolve().name.removeprefix(f'{name}.so.')
        expected[f'the file name of {name}'] = (file_version, version)
        expected[f'the soname of {name}'] = (now[f'soname {name}'], f'{name}.so.{values["ABI_VERSION"]}')
        nodes = re.findall(r'^(\w+\.\w+) \{', (SOURCE_ROOT / 'lib' / script).read_text(encoding='ascii'), re.M)
        in_order = sorted(nodes, key=lambda node: [int(part) for part in node.split('_')[1].split('.')])
        expected[f'the order of versions in {script}'] = (nodes, in_order)
        newest = re.sub(r'\.\d+$', '', version)
        late = [node for node in nodes if node.split('_')[0] != prefix or
                [*map(int, node.split('_')[1].split('.'))] > [*map(int, newest.split('.'))]]
        expected[f'versions in {script} that no release has reached'] = (late, [])
    expected.update({what: (value, text) for what, value in found.items()})
    return re.sub(r'\.\d+$', '', version), '-rc' in text, [
        f'{what}: {value}, not {wanted}' for what, (value, wanted) in expected.items() if value != wanted]


def main():
    now, was = read_library(), read_baseline()
    version, is_candidate, problems = version_problems(now)
    grown, broken = differences(now, was, version)
    if now['soname libvcsched'] != was.get('soname libvcsched'):
        grown, broken = grown + broken, []  # programs of before do not find this library
    notes = BREAKS.read_text(encoding='ascii') if is_candidate and BREAKS.exists() else ''
    unnoted = [text for key, text in broken if f'\n{key}: ' not in notes]
    if unnoted:
        problems += ['Programs that were compiled before would break:'] + [f'  {text}' for text in unnoted]
        problems += ['Append the field, or give the function or constant a new name: see "How a struct grows" in '
                     'doc/abi.md.']
        problems += [f'If it must be: in a candidate, a line "NAME: why" in {BREAKS.name} with the name as it stands '
                     'before the colon above, and --write; in a release, another VCS_ABI_VERSION.']
    elif '--write' in sys.argv:
        write(now, was, version)
    elif grown or broken:
        problems += [f'The binary interface is not what {BASELINE.name} says:']
        problems += [f'  {text}' for _, text in grown + broken]
        problems += ['If that was meant: python3 tests/assurance/abi/baseline.py . BUILD_FOLDER cc --write, then '
                     'commit it, with a line in CHANGELOG.md.']
    public_headers.finish(problems)


main()
