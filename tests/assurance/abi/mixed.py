#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Programs and libraries of two releases work together as doc/abi.md says.

    mixed.py SOURCE_ROOT BUILD_ROOT SCRATCH [PART...]

The older release is a build of this tree; the newer one is made of it by grow.py, compiled with the address sanitizer.
Programs, bindings and examples of each run with the library of the other. Of the test programs all take part that need
nothing but what the library exports; expected.txt lists the few cases that must fail, each for a reason. The last line
is "N passed, N failed". The parts are the functions that main() names; without names it does all.
"""

import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig

SOURCE_ROOT, BUILD_ROOT, SCRATCH = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
HERE = pathlib.Path(__file__).parent
TREE, GROWN = SCRATCH / 'tree', SCRATCH / 'grown'
PYTHON = '/usr/bin/python3' if os.path.exists('/usr/bin/python3') else sys.executable
COMPILE = ['gcc', '-std=c11', '-ffp-contract=off', '-w']
# A program of the newer release is as good as another: the fields that are new to it are 0.
NEWER_TESTS = ['admit_oracle', 'backoff', 'conventions', 'debt', 'dispatch', 'edf_oracle', 'fetch_oracle', 'pool',
               'priority', 'reply', 'rpc_model', 'schedule_oracle', 'send_oracle', 'unit_life', 'validate', 'vote',
               'wrr_fluid_oracle']
# tcc 0.9.27 returns a struct of a double and an integer where other compilers do not look for it. The library's
# functions with such structs are its own; one test program calls them. It has no <stdatomic.h>, which sweeps need.
NOT_WITH_TCC = {'credibility', 'sweep', 'sweep_refused', 'sweep_table'}
FAILED = re.compile(r'^\[  FAILED  \] (\w+)$', re.MULTILINE)
LEAST_OLDER_TESTS = 40
TIME_LIMIT = '600'
# What tells that a library is too old: the loader, of a function that is missing, or a binding, of a struct.
OLDER = re.compile(r"version `VC\w+_[\d.]+' not found|it is older: |is older than this package")

results = []


def report(what, problem=''):
    results.append(not problem)
    print(f'{"FAIL" if problem else "ok  "} {what}' + (f': {problem}' if problem else ''), flush=True)


def run(command, **environment):
    """What does not end is killed, and has failed."""
    return subprocess.run(['timeout', '--signal=KILL', TIME_LIMIT, *(str(word) for word in command)], check=False,
                          capture_output=True, text=True, errors='replace',
                          env={**os.environ, **{name: str(value) for name, value in environment.items()}})


def must(command, **options):
    done = subprocess.run([str(word) for word in command], check=False, capture_output=True, text=True, **options)
    if done.returncode != 0:
        raise SystemExit(f'{" ".join(map(str, command))}\n{done.stdout}{done.stderr}\n0 passed, 1 failed')
    return done.stdout


def libraries_of(build):
    """What a program runs with. The newer library needs its sanitizer first."""
    environment = {'LD_LIBRARY_PATH': f'{build}/lib', 'VCS_ONE_CASE_IN': '20', 'PYTHONDONTWRITEBYTECODE': '1'}
    if build == GROWN:
        environment.update({'LD_PRELOAD': must(['gcc', '-print-file-name=libasan.so']).strip(),
                            'ASAN_OPTIONS': 'detect_leaks=0', 'PYTHONMALLOC': 'malloc'})
    return environment


def shared(build):
    return [build / 'lib/libvcemu.so', build / 'lib/libvcsched.so']


def make_grown():
    shutil.rmtree(SCRATCH, ignore_errors=True)
    SCRATCH.mkdir(parents=True)
    print(must([sys.executable, HERE / 'grow.py', SOURCE_ROOT, TREE]).strip(), flush=True)
    # The module for JavaScript holds the libraries: no other release of them can be put beside it.
    must(['meson', 'setup', '-Dtests=enabled', '-Dexamples=disabled', '-Djs=disabled', '-Drust=disabled',
          '-Ddebug=true', '-Doptimization=1', '-Dc_args=-fsanitize=address', '-Dc_link_args=-fsanitize=address',
          '-Db_lundef=false', GROWN, TREE],
         env={**os.environ, 'CC': 'gcc'})
    targets = [f'tests/test_{name}.p/{room.parent.name}_{room.name}_test_{name}.c.o' for name in NEWER_TESTS
               for room in (TREE / 'tests').glob('vc*/*') if (room / f'test_{name}.c').exists()]
    must(['ninja', '-C', GROWN, 'tests/libtest_support.a', *targets, *library_targets()])


def library_targets():
    """The libraries under their whole names, from which the shorter ones are linked."""
    listed = must(['ninja', '-C', GROWN, '-t', 'targets', 'all'])
    return re.findall(r'^(lib/lib\w+\.so\.[\d.]+):', listed, re.MULTILINE)


# ---- Test programs ----

def link(name, build):
    """A test program with the shared libraries; None if it calls what they do not export."""
    program = SCRATCH / f'{"newer" if build == GROWN else "older"}_{name}'
    objects = [*(build / f'tests/test_{name}.p').glob('*.o'), build / 'tests/libtest_support.a']
    sanitizer = ['-fsanitize=address'] if build == GROWN else []
    done = run(['gcc', *sanitizer, *objects, *shared(build), '-lcmocka', '-lm', '-o', program])
    if done.returncode and not re.search(r'undefined reference to `vcs_', done.stderr):
        raise SystemExit(f'{done.stderr}\n0 passed, 1 failed')
    return None if done.returncode else program


def expected_failures(age):
    """Those of the older programs with the newer library, or the other way round."""
    lines = (HERE / 'expected.txt').read_text(encoding='ascii').splitlines()
    rows = [line.split(':')[0].split() for line in lines if line and not line.startswith('#')]
    return {(name, case) for which, name, case in rows if which == age}


def run_programs(what, programs, build):
    """Each must pass, but for the cases that are expected to fail."""
    expected = expected_failures({GROWN: 'older', BUILD_ROOT: 'newer'}.get(build))
    environment = libraries_of(build)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for program, done in zip(programs, pool.map(lambda program: run([program], **environment), programs)):
            name = program.name.split('_', 1)[1]
            failed = {(name, case) for case in FAILED.findall(done.stdout + done.stderr)}
            wrong = sorted(case for _, case in failed ^ {pair for pair in expected if pair[0] == name})
            ended = done.returncode == len(failed) and 'AddressSanitizer' not in done.stderr
            report(f'{what}: {name}', '' if not wrong and ended else
                   f'status {done.returncode}, cases {wrong}\n{done.stdout[-1500:]}{done.stderr[-3000:]}')


def link_all(names, build):
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return [program for program in pool.map(lambda name: link(name, build), names) if program]


def older_programs():
    folders = sorted((BUILD_ROOT / 'tests').glob('test_*.p'))
    programs = link_all([folder.name[len('test_'):-len('.p')] for folder in folders], BUILD_ROOT)
    report(f'{len(programs)} test programs need nothing internal',
           '' if len(programs) >= LEAST_OLDER_TESTS else f'at least {LEAST_OLDER_TESTS} should')
    run_programs('an older program with the newer library', programs, GROWN)


def newer_programs():
    run_programs('a newer program with the older library', link_all(NEWER_TESTS, GROWN), BUILD_ROOT)
    program = SCRATCH / 'newer_program'
    must([*COMPILE, f'-I{TREE}/include', f'-I{TREE}/tests', HERE / 'newer_program.c', TREE / 'tests/support/support.c',
          *shared(GROWN), '-Wl,--allow-shlib-undefined', '-lcmocka', '-lm', '-o', program])
    for build, age in ((GROWN, 'newer'), (BUILD_ROOT, 'older')):
        run_programs(f'what is new, with the {age} library', [program], build)


def new_function():
    """A program that calls what only the newer library has does not start with the older one."""
    program = SCRATCH / 'new_function'
    must([*COMPILE, f'-I{TREE}/include', '-x', 'c', '-', '-x', 'none', *shared(GROWN), '-Wl,--allow-shlib-undefined',
          '-o', program], input='#include <vcsched/vcsched.h>\nint main(void) { return vcs_grown() != 1; }\n')
    done = run([program], **libraries_of(GROWN))
    report('a new function with the newer library', done.stderr if done.returncode else '')
    done = run([program], **libraries_of(BUILD_ROOT))
    report('a new function with the older library',
           '' if done.returncode and OLDER.search(done.stderr) else f'starts, or fails silently: {done.stderr}')


# ---- Examples and bindings ----

def examples():
    """The tool, linked with the shared libvcsched instead of the static one, finds the same with both."""
    tool, folder = SCRATCH / 'vcemu', SOURCE_ROOT / 'examples'
    must(['gcc', *(BUILD_ROOT / 'examples/vcemu.p').glob('*.o'), BUILD_ROOT / 'lib/libvcemu.a',
          BUILD_ROOT / 'lib/libvcsched.so', '-lm', '-o', tool])
    commands = [['plan', '--json', path] for path in sorted((folder / 'scenarios/states').glob('*.ini'))]
    commands += [['plan', '--json', folder / 'scenarios/small_state.ini'], ['run', '--json', folder / 'study/base.ini'],
                 ['run', '--json', folder / 'scenarios/unreliable.ini']]
    for command in commands:
        older, newer = (run([tool, *command], **libraries_of(build)) for build in (BUILD_ROOT, GROWN))
        report(f'vcemu {command[0]} {command[-1].name}',
               '' if older.returncode == newer.returncode == 0 and older.stdout == newer.stdout else
               f'{older.returncode} and {newer.returncode}\n{newer.stderr[-3000:]}')


def lua():
    folder = SOURCE_ROOT / 'bindings/lua'
    tests = [folder / f'tests/test_{name}.lua' for name in ('bad_input', 'decisions', 'emulate', 'functions')]
    for version in ('5.1', '5.2', '5.3', '5.4', 'jit'):
        program = shutil.which(f'lua{version}')
        if program is None or not (BUILD_ROOT / f'bindings/lua/{version}/vcsched.so').exists():
            continue
        paths = {'LUA_CPATH': BUILD_ROOT / f'bindings/lua/{version}/?.so',
                 'LUA_PATH': f'{folder}/?.lua;{BUILD_ROOT}/bindings/lua/?.lua', 'VCSCHED_LUA': program}
        done = run([program, folder / 'tests/run.lua', SOURCE_ROOT, *tests], **paths, **libraries_of(GROWN))
        report(f'Lua {version} of the older release with the newer library',
               '' if done.returncode == 0 and re.search(r'^[1-9]\d* passed, 0 failed', done.stdout, re.M) else
               done.stdout[-3000:] + done.stderr[-3000:])
    must(['ninja', '-C', GROWN, 'bindings/lua/5.4/vcsched.so'])
    done = run(['lua5.4', '-e', 'require "vcsched"'], LUA_CPATH=GROWN / 'bindings/lua/5.4/?.so',
               **{**libraries_of(GROWN), 'LD_LIBRARY_PATH': BUILD_ROOT / 'lib'})
    report('Lua 5.4 of the newer release with the older library',
           '' if done.returncode and OLDER.search(done.stderr) else f'loads: {done.stderr}')


def python_package(name, build, tree):
    """The package with a compiled part that links the libraries; as it is built, it holds them."""
    package = SCRATCH / name / 'vcsched'
    shutil.copytree(tree / 'bindings/python/vcsched', package, ignore=shutil.ignore_patterns('__pycache__'))
    for module in ('constants.py', 'interface.py'):
        shutil.copy(build / 'bindings/python' / module, package)
    must([*COMPILE, '-O1', '-shared', '-fPIC', f'-I{sysconfig_of_python("include")}', f'-I{tree}/include',
          f'-I{tree}/bindings/python', build / 'bindings/python/_binding.c', tree / 'bindings/python/event_list.c',
          *shared(build), '-o', package / '_binding.so'])
    return package.parent


def sysconfig_of_python(path):
    return must([PYTHON, '-c', f'import sysconfig; print(sysconfig.get_path("{path}"))']).strip()


def python():
    older = python_package('older_python', BUILD_ROOT, SOURCE_ROOT)
    tests = [SOURCE_ROOT / f'bindings/python/tests/test_{name}.py'
             for name in ('decisions', 'emulation', 'records', 'robustness')]
    # Left out: that the table of the library has no field more, and what measures memory.
    done = run([PYTHON, '-m', 'pytest', '-q', '-p', 'no:cacheprovider', *tests, '-k',
                'not flat and not thousand and not of_the_library_s_table and not of_the_same_layout and not '
                'tables_can_be_read'],
               VCSCHED_BUILD=BUILD_ROOT, VCSCHED_INSTALLED=older, **libraries_of(GROWN))
    report('Python of the older release with the newer library',
           '' if done.returncode == 0 else done.stdout[-4000:] + done.stderr[-3000:])
    must(['ninja', '-C', GROWN, 'bindings/python/_binding.c', 'bindings/python/constants.py'])
    newer = python_package('newer_python', GROWN, TREE)
    done = run([PYTHON, '-c', 'import vcsched.library'], PYTHONPATH=newer,
               **{**libraries_of(GROWN), 'LD_LIBRARY_PATH': BUILD_ROOT / 'lib'})
    report('Python of the newer release with the older library',
           '' if done.returncode and OLDER.search(done.stderr) else f'loads: {done.stderr[-2000:]}')


# ---- Another compiler ----

def tcc():
    """The test programs with the library as a small compiler makes it."""
    objects = []
    (SCRATCH / 'tcc').mkdir()
    for source in [*(SOURCE_ROOT / 'lib/vcsched').rglob('*.c'), *(SOURCE_ROOT / 'lib/vcemu/host').rglob('*.c'),
                   *(SOURCE_ROOT / 'lib/vcemu/grid').rglob('*.c'), *(SOURCE_ROOT / 'lib/vcemu/interface').rglob('*.c'),
                   *(SOURCE_ROOT / 'lib/vcemu/bound').rglob('*.c'), *(SOURCE_ROOT / 'lib/vcemu/scenario').rglob('*.c')]:
        objects.append(SCRATCH / 'tcc' / f'{source.parent.name}_{source.stem}.o')
        must(['tcc', '-c', '-std=c11', '-Wall', '-Werror', f'-I{SOURCE_ROOT}/include', f'-I{SOURCE_ROOT}/lib', source,
              '-o', objects[-1]])
    own_library = re.search(r'^libtcc1:\s*(\S+)', must(['tcc', '-print-search-dirs']), re.MULTILINE).group(1)
    programs = []
    for folder in sorted((BUILD_ROOT / 'tests').glob('test_*.p')):
        name = folder.name[len('test_'):-len('.p')]
        if name in NOT_WITH_TCC:
            continue
        programs.append(SCRATCH / f'tcc_{name}')
        must(['gcc', *folder.glob('*.o'), BUILD_ROOT / 'tests/libtest_support.a', *objects, own_library, '-lcmocka',
              '-lm', '-o', programs[-1]])
    run_programs('a test program with the library made by tcc', programs, None)


# ---- Another opinion ----

def abidiff():
    """Bit 3 of its status: programs would have to be rebuilt."""
    for older, newer in zip(shared(BUILD_ROOT), shared(GROWN)):
        done = run(['abidiff', '--headers-dir1', SOURCE_ROOT / 'include', '--headers-dir2', TREE / 'include',
                    older, newer])
        report(f'abidiff {older.name}', '' if done.returncode == 4 else f'status {done.returncode}\n{done.stdout}')


def main():
    make_grown()
    wanted = sys.argv[4:]
    for part in (older_programs, newer_programs, new_function, examples, lua, python, tcc, abidiff):
        if not wanted or part.__name__ in wanted:
            part()
    print(f'{sum(results)} passed, {len(results) - sum(results)} failed')
    raise SystemExit(0 if all(results) else 1)


main()
