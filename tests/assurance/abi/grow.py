#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes a copy of the source tree one release newer, as far as its binary interface is concerned.

    grow.py SOURCE_ROOT NEW_TREE

Every struct that may grow gets a field, `grown`, at its end; each library a struct more; libvcsched a function under a
symbol version of its own, a parameter, a choice, a reason and an error code more. 0 in a new field means what the
library did before, so that the decisions are the same. The number in the soname stays.
"""

import pathlib
import re
import shutil
import sys

FIELD = '    double grown; /* what the next release has; 0 ... 1, 0 = as before */\n'
ROW = '    X({name}, f64, {offset}, grown, "", 0.0, 1.0)\n'
# What holds pointers has no row in the table of fields.
OTHER_FIELDS = {
    'scenario': '    vcs_array grown; /* what the next release has; may be empty */\n',
    'hooks': '    int (*grown)(void *context); /* what the next release calls; NULL = nothing */\n',
    'situation': FIELD,
}
STRUCT = re.compile(r'^typedef struct vcs_(\w+) \{\n(.*?)^\} vcs_\1;', re.MULTILINE | re.DOTALL)
FROZEN = re.compile(r'\* Frozen records\.(.*?)\*\n', re.DOTALL)


class Tree:
    """The new tree. Each change must find what it changes: else the script is out of date, not the library."""

    def __init__(self, source, root):
        self.root = root
        for folder in ('include', 'lib', 'tests', 'examples', 'bindings', 'doc'):
            shutil.copytree(source / folder, root / folder, ignore=shutil.ignore_patterns('__pycache__', '*.pyc'))
        for name in ('meson.build', 'meson_options.txt', 'CHANGELOG.md', 'LICENSE'):
            shutil.copy(source / name, root / name)

    def change(self, name, pattern, replacement, count=1):
        path = self.root / name
        text, found = re.subn(pattern, replacement, path.read_text(encoding='ascii'), flags=re.MULTILINE | re.DOTALL)
        if found != count:
            raise SystemExit(f'grow.py: {name} has {found} times, not {count} times: {pattern}')
        path.write_text(text, encoding='ascii')

    def before(self, name, pattern, text):
        self.change(name, pattern, lambda found: text + found.group())


def frozen_structs(tree):
    text = (tree.root / 'include/vcsched/vcsched.h').read_text(encoding='ascii')
    return set(re.findall(r'vcs_(\w+)', FROZEN.search(text).group(1)))


def grow_structs(tree):
    """A field more in each struct of the headers, and in the table. Returns how many have grown."""
    frozen, grown = frozen_structs(tree), []
    for header in sorted((tree.root / 'include').glob('*/*.h')):
        def longer(found):
            name = found.group(1)
            if name in frozen:
                return found.group()
            grown.append(name)
            return found.group().replace(f'}} vcs_{name};', OTHER_FIELDS.get(name, FIELD) + f'}} vcs_{name};')
        header.write_text(STRUCT.sub(longer, header.read_text(encoding='ascii')), encoding='ascii')
    for path in sorted((tree.root / 'lib').rglob('*_fields.h')):
        text = path.read_text(encoding='ascii')
        for name, size in re.findall(r'^    S\((\w+), VCS_TYPE_\w+, (\d+), \d+, \w+\)', text, re.MULTILINE):
            if name in grown:
                text = re.sub(rf'(#define VCS_FIELDS_{name}\(X\) +\\\n(?:.*\\\n)*.*)\n',
                              lambda found: found.group(1) + ' \\\n' + ROW.format(name=name, offset=size), text)
                text = text.replace(f'    S({name}, VCS_TYPE_{name.upper()}, {size}, ',
                                    f'    S({name}, VCS_TYPE_{name.upper()}, {int(size) + 8}, ')
        path.write_text(text, encoding='ascii')
    return len(grown)


def add_struct(tree, header, table, name, number, anchor):
    """A struct that was not there before."""
    tree.before(f'include/{header}', anchor,
                f'/* New in the next release. 8 bytes. */\ntypedef struct vcs_{name} {{\n{FIELD}}} vcs_{name};\n\n')
    tree.before(f'include/{header}', r'^#define VCS_TYPE_\w+ (?:1u|1000u)$',
                f'#define VCS_TYPE_{name.upper()} {number}u\n')
    tree.change(f'lib/{table}', r'(#define VCS_(?:EMULATOR|ABI)_STRUCTS\(S\) \\\n)',
                rf'#define VCS_FIELDS_{name}(X) \\\n{ROW.format(name=name, offset=0)}\n'
                rf'\1    S({name}, VCS_TYPE_{name.upper()}, 8, 8, VCS_SINGLE) \\\n'.replace('\\\\\n', '\\\\\\n'))


def main():
    source, root = map(pathlib.Path, sys.argv[1:])
    tree = Tree(source, root)
    structs = grow_structs(tree)
    abi, parameters = 'include/vcsched/abi.h', 'include/vcsched/parameters.h'
    count = int(re.search(r'VCS_TYPE_COUNT (\d+)u', (root / abi).read_text(encoding='ascii')).group(1))
    of_emulator = re.findall(r'VCS_TYPE_\w+ (\d+)u', ''.join(
        header.read_text(encoding='ascii') for header in (root / 'include/vcemu').glob('*.h')))
    tree.change(abi, r'(#define VCS_VERSION_MINOR) (\d+)', lambda m: f'{m.group(1)} {int(m.group(2)) + 1}')
    tree.change(abi, r'(#define VCS_VERSION "\d+)\.(\d+)', lambda m: f'{m.group(1)}.{int(m.group(2)) + 1}')
    release = re.search(r'VCS_VERSION_MAJOR (\d+)\n#define VCS_VERSION_MINOR (\d+)',
                        (root / abi).read_text(encoding='ascii'))
    tree.change(abi, r'VCS_TYPE_COUNT \d+u', f'VCS_TYPE_COUNT {count + 1}u')
    add_struct(tree, 'vcsched/abi.h', 'vcsched/interface/check/abi_fields.h', 'grown_record', count,
               r'^/\* The library\'s version as text')
    add_struct(tree, 'vcemu/emulator.h', 'vcemu/interface/emulator_fields.h', 'grown_outcome',
               max(map(int, of_emulator)) + 1, r'^/\*\n \* Fills in the defaults for a')
    # a function
    tree.before(abi, r'^/\* VCS_ABI_VERSION of the library at run time',
                '/* What the next release has. Thread-safe. O(1). */\nVCS_API uint32_t vcs_grown(void);\n\n')
    tree.before('lib/vcsched/interface/check/version.c', r'^uint32_t vcs_abi_version',
                'uint32_t vcs_grown(void) {\n    return 1;\n}\n\n')
    with (root / 'lib/vcsched/vcsched.map').open('a', encoding='ascii') as script:
        script.write('VCSCHED_%s.%s {\nglobal:\n    vcs_grown;\n} VCSCHED_1.0;\n' % release.groups())
    # an error code, a reason, a choice, a parameter
    tree.before(abi, r'^#define VCS_ERR_SEQUENCE', '#define VCS_ERR_GROWN (-99) /* what the next release refuses */\n')
    tree.before('lib/vcsched/interface/describe/codes.c', r'^    C\(VCS_ERR_SEQUENCE',
                '    C(VCS_ERR_GROWN, "what is new is wrong") \\\n')
    tree.before('include/vcsched/reason.h', r'^#define VCS_REASON_NONE', '#define VCS_REASON_GROWN 9999u /* new */\n')
    tree.change('lib/vcsched/interface/describe/reason.c', r'(static const reason_row rows\[\] = \{.*?)^\};',
                r'\1    {VCS_REASON_GROWN, "grown", "It is new."},' + '\n};')
    tree.change(parameters, r'^(#define VCS_CPU_FIT_STRICT (\d)u[^\n]*\n)',
                lambda m: f'{m.group(1)}#define VCS_CPU_FIT_GROWN {int(m.group(2)) + 1}u /* new */\n')
    tree.change('lib/vcsched/interface/fields/parameters_fields.h', r'(cpu_fit, "", 0.0, VCS_CPU_FIT_)STRICT',
                r'\1GROWN')
    tree.change('lib/vcsched/interface/describe/parameter_info.c',
                r'^(    C\(cpu_fit, VCS_CPU_FIT_STRICT, "strict"\)) *\\\n',
                r'\1 \\' + '\n    C(cpu_fit, VCS_CPU_FIT_GROWN, "grown") ' + r'\\' + '\n')
    tree.change('lib/vcsched/interface/check/parameter_table.h', r'(#define VCS_PARAMETERS\(P\) .*?)\n\n#endif',
                r'\1 \\' + '\n    P(grown, 0.25, 0.5, 0.75, 0.875, "new")\n\n#endif')
    print(f'{structs} structs have a field more')


main()
