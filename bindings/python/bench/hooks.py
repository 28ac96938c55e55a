#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a function in Python costs an emulation, beyond what it computes: against the same function in C.

    ninja -C build tests/libhooks_in_c.so
    PYTHONPATH=FOLDER_OF_THE_INSTALLED_PACKAGE hooks.py build/tests/libhooks_in_c.so [ROUNDS]

Both emulate the same and come to the same outcome, call for call. Each figure is the least CPU time of many rounds, the
two in turn, so that other work on the machine disturbs both alike, or neither.
"""

import ctypes
import sys
import time

import vcsched as v
from vcsched.library import ffi, lib
from vcsched.scenario import Laid

DAY = 86400.0


def scenario():
    return v.Scenario(
        resources=[v.Resource(instances=2, flops=1e9)], projects=[v.Project(id=0, share=100)], apps=[v.App(id=0)],
        models=[v.JobModel(latency_bound=10 * DAY, est_flops=1e12)],
        servers=[v.ServerModel(max_in_progress=4)], emulation=v.Emulation(duration=20 * DAY))


def run_first(situation):
    return v.Running(range(min(len(situation.tasks), 2)), 600)


def run_none(situation):
    return v.Running((), 600)


def ask_nobody(situation, question):
    return v.Asking((), 600)


def send_all(situation, candidate):
    return True


def estimate_by_size(progress, rule):
    return progress.est_flops * 1e-9 * (1.0 - progress.fraction_done)


def watch(event):
    pass


CASES = [("schedule", "that runs nothing", run_none), ("schedule", "that runs the first tasks", run_first),
         ("fetch", "that asks nobody", ask_nobody), ("send", "that sends all", send_all),
         ("estimate", "by size", estimate_by_size), ("observe", "that does nothing", watch)]


class InC:
    """The emulation with a function of the library of this bench."""

    def __init__(self, library, hook, name):
        base = scenario()
        self.laid, self.parameters = Laid(base, base.course), base.policy
        self.calls = ffi.new("uint64_t *")
        self.hooks = ffi.new("vcs_hooks *", {"struct_size": ffi.sizeof("vcs_hooks"), "context": self.calls})
        address = ctypes.cast(getattr(library, name), ctypes.c_void_p).value
        setattr(self.hooks, hook, ffi.cast(ffi.typeof(getattr(self.hooks, hook)), address))
        self.outcome = v.Outcome._blank()

    def run(self):
        self.calls[0] = 0
        code = lib.vcs_emulate(self.laid.c, self.parameters._c, self.hooks, self.outcome._c, ffi.NULL, 0, 0, ffi.NULL,
                               0, 0, ffi.NULL)
        assert code == 0, code


class InPython:
    """The same with a function of Python's."""

    def __init__(self, hook, function):
        self.scenario = scenario()
        self.how = {"observe": function} if hook == "observe" else {"policy": v.Policy(**{hook: function})}
        self.outcome = None

    def run(self):
        self.outcome = v.emulate(self.scenario, **self.how).outcome


def least(works, rounds):
    """CPU seconds of each in its best round."""
    best = [float("inf")] * len(works)
    for _ in range(rounds):
        for number, work in enumerate(works):
            before = time.process_time()
            work()
            best[number] = min(best[number], time.process_time() - before)
    return best


def main(library, rounds=30):
    print(f"{'':36} {'calls':>8} {'Python':>10} {'C':>10} {'a call':>10}")
    for hook, what, function in CASES:
        in_c, in_python = InC(ctypes.CDLL(library), hook, function.__name__), InPython(hook, function)
        seconds, alone = least([in_python.run, in_c.run], rounds)
        assert in_python.outcome == in_c.outcome, (in_python.outcome, in_c.outcome)
        calls = in_c.calls[0]
        print(f"{hook + ' ' + what:36} {calls:8} {seconds * 1e3:7.2f} ms {alone * 1e3:7.2f} ms "
              f"{(seconds - alone) / calls * 1e6:7.2f} us")


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
