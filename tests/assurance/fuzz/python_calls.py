#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The Python package under calls that make no sense: it raises an error of Python's, and never ends the interpreter.

    python_calls.py LIMIT [SEED]

LIMIT is a number of batches, of a thousand calls each, or of seconds with an s behind it. Needs the package where
Python finds it. The seed of each batch is written to standard error before it, so that what ends the interpreter can be
seen again.
"""

import random
import sys
import time

import vcsched

EXPECTED = (vcsched.VcsError, TypeError, ValueError, OverflowError, IndexError, KeyError, AttributeError, BufferError,
            NotImplementedError, MemoryError)
NUMBERS = [0, 1, -1, 2, 3, 7, 64, 65, 65536, 65537, 2**31, 2**32 - 1, 2**32, 2**63, 2**64 - 1, 2**64, 0.5, -0.5, 1e-9,
           1e12, 1e13, 1e30, 1e31, 1e300, 5e-324, float('inf'), float('-inf'), float('nan')]
OTHERS = [None, True, '', 'x', b'', b'12345678', (), [], {}, [1], [None], {'a': 1}, object(), print]
# What reads files, calls servers, or takes as long as it is told to.
LEFT_OUT = {'main', 'sweep', 'emulate', 'watch'}


def classes():
    return [thing for name, thing in sorted(vars(vcsched).items()) if isinstance(thing, type) and name[0] != '_' and
            not issubclass(thing, BaseException)]


def functions():
    return [thing for name, thing in sorted(vars(vcsched).items()) if callable(thing) and name[0] != '_' and
            not isinstance(thing, type) and name not in LEFT_OUT]


class Caller:
    """What has been made so far, to be passed on to other calls."""

    def __init__(self, seed):
        self.draw = random.Random(seed)
        self.made = []

    def value(self):
        way = self.draw.randrange(10)
        if way < 5:
            return self.draw.choice(NUMBERS)
        if way < 6:
            return self.draw.choice(OTHERS)
        if way < 7 or not self.made:
            return [self.draw.choice(NUMBERS) for _ in range(self.draw.randrange(3))]
        return self.draw.choice(self.made)

    def keep(self, thing):
        if thing is not None and not isinstance(thing, (int, float, str)):
            self.made = (self.made + [thing])[-20:]

    def fields(self, kind):
        names = [name for name in dir(kind) if name[0] != '_']
        return {name: self.value() for name in self.draw.sample(names, min(len(names), self.draw.randrange(4)))}

    def make(self):
        kind = self.draw.choice(classes())
        if self.draw.random() < 0.3:
            self.keep(kind())
        elif self.draw.random() < 0.5 and hasattr(kind, 'records'):
            self.keep(kind.records(self.draw.choice([0, 1, 2, 5, -1, 2**40, None])))
        else:
            self.keep(kind(**self.fields(kind)))

    def prepare(self):
        """A state of a host that makes sense, so that its methods are reached too."""
        tasks = [vcsched.Task(id=number, project=number % 2, remaining=abs(self.draw.gauss(0, 1e4)),
                              deadline=1e5 * self.draw.random()) for number in range(self.draw.randrange(8))]
        self.keep(vcsched.State(resources=[vcsched.Resource(instances=self.draw.randrange(1, 9), flops=1e9)],
                                projects=[vcsched.Project(id=1, share=1), vcsched.Project(id=2, share=2)],
                                tasks=tasks, now=0))

    def use(self):
        if not self.made:
            return
        thing = self.draw.choice(self.made)
        names = ['__len__', '__getitem__', '__setitem__']
        if type(thing).__module__.partition('.')[0] == 'vcsched':  # an array of NumPy's writes files, for one
            names += [name for name in dir(thing) if name[0] != '_']
        name = self.draw.choice(names)
        if self.draw.random() < 0.3 and name[0] != '_':
            setattr(thing, name, self.value())
            return
        found = getattr(thing, name)
        if callable(found):
            found = found(*[self.value() for _ in range(self.draw.randrange(3))])
        self.keep(found)

    def call(self):
        function = self.draw.choice(functions())
        self.keep(function(*[self.value() for _ in range(self.draw.randrange(6))]))

    def step(self):
        way = self.draw.randrange(10)
        try:
            if way < 2:
                self.make()
            elif way < 3:
                self.prepare()
            elif way < 7:
                self.use()
            else:
                self.call()
            return True
        except EXPECTED:
            return False


def goes_on(limit, batches, started):
    if limit.endswith('s'):
        return batches == 0 or time.monotonic() < started + float(limit[:-1])
    return batches < int(limit)


def main():
    limit, seed = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1
    batches, calls, answered, started = 0, 0, 0, time.monotonic()
    while goes_on(limit, batches, started):
        print(f'python_calls.py 1 {seed}', file=sys.stderr)
        caller = Caller(seed)
        for _ in range(1000):
            answered += caller.step()
            calls += 1
        batches += 1
        seed += 1
    print(f'{calls} calls, {answered} of them answered')


main()
