#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Whether the C tests notice a fault: changes one place of lib/ after the other, and sees which test fails.

    mutants.py SOURCE_ROOT BUILD SANITIZERS NUMBER SEED [ROOM...]
    mutants.py SOURCE_ROOT                      only whether equivalent.txt names lines that are there

BUILD and SANITIZERS are compiled builds with tests, as for the checks `release` and `sanitizers`. NUMBER places are
drawn by SEED: first a file, of all rooms or of those that are named, in proportion to its lines of code, then one of
the changes that mutate.py can make there. What does not compile, and what compiles to the same code, is drawn again.
The tests of the changed file's room run first, the quick ones before the slow; then all others that contain the changed
code. A test that fails, crashes or takes many times its usual processor time has found the fault.

Most faults are found by one random case in ONE_CASE_IN, or because the fingerprint of all decisions is another. What
survives that and is not listed meets all random cases, or one in four where fewer than 100 faults are made, and then
the quick tests with the sanitizers, which see a step out of an array, a leak, and what contradicts an invariant: other
checks would find it in the same way.

A survivor is a hole in the tests, or it changes nothing that a caller could see: then it belongs into equivalent.txt,
with the reason. An entry is found by the text of its line, so that a line more above it changes nothing:

    file: lib/...
    function: its name
    line: the lines that change, with single spaces
    becomes: what they become
    reason: why nobody can see it; may go on in indented lines

At least 97 % must be found or listed; of fewer than 100, where chance has more to say, 70 %: if one fault in ten
survives, 7 of 20 do so once in 400 draws.
"""

import collections
import json
import os
import pathlib
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time

import mutate

# Rooms of lib/ of which C tests see the public functions alone: the rest is tested with the tool.
TESTED_BY_THE_TOOL = ('scenario', 'sweep')

WORKERS = 2
# A fault may lead into an endless loop. What counts is the processor's time, which a busy machine does not stretch.
CPU_SECONDS = 4
CPU_TIMES = 8
LONG = 1000
ONE_CASE_IN = 20
ONE_CASE_IN_OF_FEW = 4
# Sanitizers take some twenty times as long on whole grids. What usually takes longer than this is left out.
QUICK_SECONDS = 0.1
SANITIZER_TIMES = 30
MEMORY_KB = 4 << 20
OUTPUT_BLOCKS = 1 << 16
# cmocka catches SIGSEGV unless the sanitizer insists on being first.
SANITIZER_OPTIONS = {'ASAN_OPTIONS': 'handle_segv=2:detect_stack_use_after_return=0'}
# Code, not what helps to find a place in it: links are quicker without, and a line less changes no code.
FLAGS = ['-g0', '-w', '-fdiagnostics-color=never']
ENOUGH_FOR_SHARE = 100
SHARE = 0.97
SHARE_OF_FEW = 0.70

LIMITED = 'ulimit -c 0; ulimit -t "$1"; ulimit -v "$2"; ulimit -f "$3"; shift 3; exec "$@"'
FAILED_TEST = re.compile(r'\[  FAILED  \] (\w+)')

KILLED, LISTED, SURVIVED, SAME, NOT_C = 'killed', 'listed', 'survived', 'same code', 'not compiled'
COUNTED = (KILLED, LISTED, SURVIVED)

Entry = collections.namedtuple('Entry', 'file function line becomes')


class NotCompiled(Exception):
    pass


class Test:
    def __init__(self, name, room, program, arguments, environment):
        self.name = name
        self.room = room
        self.program = program
        self.arguments = arguments
        self.environment = environment
        self.seconds = 0.0


class Build:
    """What the build directory knows: how each object is compiled, what it depends on, and which tests contain it."""

    def __init__(self, root, directory, has_sanitizers=False):
        self.root = root
        self.directory = directory
        self.has_sanitizers = has_sanitizers
        self.library = os.path.relpath(root / 'lib', directory)
        self.commands = {}
        self.members = {}
        for entry in json.loads((directory / 'compile_commands.json').read_text()):
            output = entry['output']
            self.commands[output] = shlex.split(entry['command'])
            self.members[pathlib.Path(output).parent.name.split('.')[0], pathlib.Path(output).name] = output
        self.users = self.read_users()
        entries = json.loads((directory / 'meson-info/intro-tests.json').read_text())
        self.tests = [self.read_test(entry) for entry in entries
                      if {'concepts', 'decisions'}.intersection(suite.split(':')[1] for suite in entry['suite'])]
        self.objects = {}

    def output_of(self, *command):
        return subprocess.run(command, cwd=self.directory, check=True, capture_output=True, text=True).stdout

    def read_users(self):
        """For each file of lib/ the objects that are made of it."""
        users = collections.defaultdict(set)
        for line in self.output_of('ninja', '-t', 'deps').splitlines():
            if line and not line[0].isspace():
                made = line.split(':')[0]
            elif line.strip().startswith(self.library + '/') and made in self.commands:
                users['lib/' + os.path.relpath(line.strip(), self.library)].add(made)
        return users

    def read_test(self, entry):
        room = next(suite.split(':')[1] for suite in entry['suite'] if not suite.endswith(':concepts'))
        program, *arguments = entry['cmd']
        return Test(entry['name'], room, os.path.relpath(program, self.directory), arguments, entry['env'])

    def objects_of(self, test):
        """Read when first needed: a fault that is found at once needs nothing of the sanitizers."""
        if test.program not in self.objects:
            self.objects[test.program] = self.read_objects(test.program)
        return self.objects[test.program]

    def read_objects(self, program):
        """The objects that the linker puts into a program: its own, and those of archives that something refers to."""
        command = shlex.split(self.output_of('ninja', '-t', 'commands', '-s', program))
        command[command.index('-o') + 1] = os.devnull
        # A test of the emulator could take the public functions from the shared library too.
        command = [word for word in command if not word.startswith('lib/libvc') or word.endswith('.a')]
        found = []
        for line in self.output_of(*command, '-Wl,-t,-t').splitlines():
            # Of an archive that holds its objects "(archive)object"; else the object.
            member = re.fullmatch(r'\((.*)\)(.*)', line)
            made = self.members.get((pathlib.Path(member[1]).name.split('.')[0], member[2])) if member else line
            if made in self.commands and made not in found:
                found.append(made)
        return found


class Worker:
    """A copy of lib/ in which one place at a time is changed, and what is compiled and linked from it."""

    def __init__(self, root, directory):
        self.directory = directory
        shutil.rmtree(directory, ignore_errors=True)
        shutil.copytree(root / 'lib', directory / 'lib')
        self.unchanged = {}

    def compiled(self, build, made):
        """The bytes of an object, compiled from this copy."""
        command = [word.replace(build.library, str(self.directory / 'lib')) for word in build.commands[made]]
        # Without notes on what it depends on, which only ninja reads.
        for option in ('-MQ', '-MF'):
            at = command.index(option)
            del command[at:at + 2]
        command.remove('-MD')
        target = self.directory / 'object.o'
        command[command.index('-o') + 1] = str(target)
        # Optimised code takes five times as long to instrument.
        flags = [*FLAGS, '-O0' if build.has_sanitizers else '-O1']
        done = subprocess.run([*command, *flags], cwd=build.directory, capture_output=True, check=False)
        if done.returncode != 0:
            raise NotCompiled
        return target.read_bytes()

    def keep_unchanged(self, build, made):
        if (build, made) not in self.unchanged:
            self.unchanged[build, made] = self.compiled(build, made)

    def link(self, build, test, changed):
        """Each object is named, so that no archive can bring in one that is not changed."""
        program = self.directory / 'test'
        objects = [changed.get(made) or made for made in build.objects_of(test)]
        compiler = ['clang', '-fsanitize=address,undefined'] if build.has_sanitizers else ['cc']
        subprocess.run([*compiler, '-Wl,-S', '-o', program, *objects, '-lcmocka', '-lm'],
                       cwd=build.directory, check=True)
        return program

    def run(self, build, test, program, limit, one_case_in=ONE_CASE_IN):
        """(what a test ends with if not well, the seconds of processor time that it takes)"""
        output = self.directory / 'output.txt'
        with output.open('wb') as file:
            # Not waited for by name, but with what it took.
            started = subprocess.Popen(  # pylint: disable=consider-using-with
                ['sh', '-c', LIMITED, 'sh', str(limit), 'unlimited' if build.has_sanitizers else str(MEMORY_KB),
                 str(OUTPUT_BLOCKS), program, *test.arguments], stdout=file, stderr=file, cwd=build.directory,
                env={**os.environ, **SANITIZER_OPTIONS, **test.environment, 'VCS_ONE_CASE_IN': str(one_case_in)})
            _, status, usage = os.wait4(started.pid, 0)
            code = started.returncode = os.waitstatus_to_exitcode(status)
        failed = FAILED_TEST.search(output.read_text(errors='replace'))
        if code == 0:
            found = None
        elif code in (-signal.SIGXCPU, -signal.SIGKILL):
            found = f'{test.name}: takes more than {limit} s'
        elif failed:
            found = f'{test.name}: {failed.group(1)}'
        else:
            found = f'{test.name}: {signal.Signals(-code).name if code < 0 else f"exit status {code}"}'
        return found, usage.ru_utime + usage.ru_stime

    def judge(self, builds, mutant, is_listed, survivors_meet):
        """(what became of it, by which test); what survives meets one case in so many."""
        plain, sanitizers = builds
        thorough = () if is_listed else ((plain, survivors_meet), (sanitizers, ONE_CASE_IN))
        for build, one_case_in in ((plain, ONE_CASE_IN), *thorough):
            result, found = self.judge_in(build, one_case_in, mutant)
            if result != SURVIVED:
                break
        return result, found

    def judge_in(self, build, one_case_in, mutant):
        path = self.directory / mutant.path
        original = path.read_text()
        users = build.users[mutant.path]
        library, room = mutant.path.split('/')[1:3]
        room = 'emulator' if library == 'vcemu' else room
        tests = sorted((test for test in build.tests
                        if (not build.has_sanitizers or test.seconds < QUICK_SECONDS) and
                        users.intersection(build.objects_of(test))),
                       key=lambda test: (test.room != room, test.seconds))
        changed = {}
        linked = None
        differs = not tests
        try:
            for test in tests:
                needed = sorted(users.intersection(build.objects_of(test)) - changed.keys())
                for made in needed:
                    self.keep_unchanged(build, made)
                path.write_text(mutate.apply(original, mutant))
                for made in needed:
                    code = self.compiled(build, made)
                    changed[made] = None
                    if code != self.unchanged[build, made]:
                        changed[made] = str(self.directory / f'{len(changed)}.o')
                        pathlib.Path(changed[made]).write_bytes(code)
                path.write_text(original)
                if not any(changed.get(made) for made in build.objects_of(test)):
                    continue
                differs = True
                if linked != test.program:
                    program = self.link(build, test, changed)
                    linked = test.program
                slower = ONE_CASE_IN / one_case_in * (SANITIZER_TIMES if build.has_sanitizers else 1)
                limit = CPU_SECONDS + round(CPU_TIMES * test.seconds * slower)
                found, _ = self.run(build, test, program, limit, one_case_in)
                if found:
                    return KILLED, found
        except NotCompiled:
            return NOT_C, ''
        finally:
            path.write_text(original)
        return (SURVIVED if differs else SAME), ''


def measure(build, tests, worker, problems):
    """Takes one test after the other and runs it as it is: what it takes, and whether all is well."""
    for test in tests:
        found, test.seconds = worker.run(build, test, worker.link(build, test, {}), LONG)
        if found:
            problems.append(f'fails with nothing changed: {found}')


def together(workers, work):
    threads = [threading.Thread(target=work, args=[worker]) for worker in workers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


class Shared:
    """An iterator for several threads: each takes the next."""

    def __init__(self, items):
        self.items = iter(items)
        self.lock = threading.Lock()

    def __iter__(self):
        return self

    def __next__(self):
        with self.lock:
            return next(self.items)


def code_lines(tokens, source):
    return len({source.count('\n', 0, token.start) for token in tokens})


def draw(root, seed, rooms=()):
    """Changes without end, none twice."""
    sources = {str(path.relative_to(root)): path.read_text() for path in sorted((root / 'lib').rglob('*.[ch]'))
               if (not rooms or path.parent.name in rooms) and
               path.relative_to(root).parts[2] not in TESTED_BY_THE_TOOL}
    mutants = {path: list(mutate.mutants_of(path, source)) for path, source in sources.items()}
    weights = {path: code_lines(mutate.tokens_of(source), source) for path, source in sources.items() if mutants[path]}
    generator = random.Random(seed)
    while weights:
        path, = generator.choices(list(weights), list(weights.values()))
        mutant = mutants[path].pop(generator.randrange(len(mutants[path])))
        if not mutants[path]:
            del weights[path]
        yield mutant, Entry(path, mutant.function, *mutate.lines_of(sources[path], mutant)[1:]), \
            mutate.lines_of(sources[path], mutant)[0]


def read_equivalent(path, root):
    """(entries, what is wrong with them)"""
    entries, problems = set(), []
    for block in re.split(r'\n\s*\n', path.read_text(encoding='utf-8')):
        lines = [line for line in block.splitlines() if line.strip() and not line.startswith('#')]
        fields = {}
        for line in lines:
            if line.startswith(' '):
                fields[key] += ' ' + line.strip()
            else:
                key, _, value = line.partition(':')
                fields[key] = value.strip()
        if lines and (set(fields) != {*Entry._fields, 'reason'} or not fields['reason']):
            problems.append(f'{path.name}: not an entry: {lines[0]}')
        elif lines:
            entry = Entry(*(fields[name] for name in Entry._fields))
            entries.add(entry)
            file = root / entry.file
            if not file.exists() or entry.line not in ' '.join(file.read_text(encoding='utf-8').split()):
                problems.append(f'{path.name}: {entry.file} has no such line: {entry.line}')
    return entries, problems


class Run:
    """Several workers judge what is drawn, until enough of it counts."""

    def __init__(self, builds, drawn, wanted, listed):
        self.builds = builds
        self.drawn = drawn
        self.wanted = wanted
        self.survivors_meet = 1 if wanted >= ENOUGH_FOR_SHARE else ONE_CASE_IN_OF_FEW
        self.listed = listed
        self.counts = collections.Counter()
        self.found_by = collections.Counter()
        self.under_way = 0
        self.changed = threading.Condition()

    def work(self, worker):
        while True:
            with self.changed:
                # What is under way may yet not count. So the same ones are drawn, however quick each worker is.
                self.changed.wait_for(lambda: self.counted() == self.wanted or
                                      self.counted() + self.under_way < self.wanted)
                drawn = next(self.drawn, None) if self.counted() < self.wanted else None
                if drawn is None:
                    self.changed.notify_all()
                    return
                self.under_way += 1
            try:
                mutant, entry, line = drawn
                result, test = worker.judge(self.builds, mutant, entry in self.listed, self.survivors_meet)
            except BaseException:
                # Without the others waiting for ever: the figures at the end will tell.
                result, test = 'gone wrong', ''
                raise
            finally:
                with self.changed:
                    self.under_way -= 1
                    self.tell(mutant, entry, line, result, test)
                    self.changed.notify_all()

    def counted(self):
        return sum(self.counts[result] for result in COUNTED)

    def tell(self, mutant, entry, line, result, test):
        if result == SURVIVED and entry in self.listed:
            result = LISTED
        self.counts[result] += 1
        self.found_by[test.split(':')[0]] += result == KILLED
        if result in COUNTED:
            print(f'{self.counted():4} {result:9}{entry.file}:{line}: {entry.function}(): {mutant.what}'
                  + (f'; by {test}' if test else ''))
        if result == SURVIVED:
            print(f'     - {entry.line}\n     + {entry.becomes}')
        sys.stdout.flush()


def main():
    if len(sys.argv) == 2:
        _, problems = read_equivalent(pathlib.Path(__file__).parent / 'equivalent.txt', pathlib.Path(sys.argv[1]))
        raise SystemExit('\n'.join(problems) or 0)
    root, plain, sanitizers = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
    wanted, seed = int(sys.argv[4]), sys.argv[5]
    listed, problems = read_equivalent(pathlib.Path(__file__).parent / 'equivalent.txt', root)
    builds = Build(root, plain), Build(root, sanitizers, has_sanitizers=True)
    workers = [Worker(root, plain / 'mutants' / str(number)) for number in range(WORKERS)]
    started = time.monotonic()
    tests = Shared(sorted(builds[0].tests, key=lambda test: test.room))
    together(workers, lambda worker: measure(builds[0], tests, worker, problems))
    usual = {test.name: test.seconds for test in builds[0].tests}
    for test in builds[1].tests:
        test.seconds = usual.get(test.name, LONG)
    print(f'{len(usual)} tests: {sum(usual.values()):.0f} s of processor time with nothing changed', flush=True)
    for problem in problems:
        print(problem, file=sys.stderr)
    if problems or not all(build.tests for build in builds):
        print('0 passed, 1 failed')
        sys.exit(1)

    run = Run(builds, draw(root, seed, sys.argv[6:]), wanted, listed)
    together(workers, run.work)

    print(f'\n{run.counted()} faults in {time.monotonic() - started:.0f} s, seed {seed}: {run.counts[KILLED]} found, '
          f'{run.counts[LISTED]} cannot be seen, {run.counts[SURVIVED]} survived; drawn again: '
          f'{run.counts[SAME]} without effect on the code, {run.counts[NOT_C]} that do not compile')
    print('found by: ' + ', '.join(f'{test} {times}' for test, times in run.found_by.most_common() if times))
    share = SHARE if wanted >= ENOUGH_FOR_SHARE else SHARE_OF_FEW
    well = run.counted() == wanted and run.counts[SURVIVED] <= wanted * (1 - share) + 1e-9
    print(f'{100 * share:.0f} % must be found or listed: {"so it is" if well else "that is not so"}')
    # How many survivors there are is for the share to judge; none is a failure of its own.
    failed = 0 if well else max(run.counts[SURVIVED], 1)
    print(f'{run.counts[KILLED] + run.counts[LISTED]} passed, {failed} failed')
    sys.exit(0 if well else 1)


if __name__ == '__main__':
    main()
