#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A worker of dispatcher.py. It needs nothing but Python.

It says hello with its key, asks for a job, computes, answers, and asks again until the batch is complete. If the
connection breaks it comes back with its answer, so nothing that it has computed is lost.
"""

import argparse
import os
import random
import secrets
import socket
import sys
import time

P, G = 2 ** 31 - 1, 7
STEP = 46341  # P's square root
DONE, REFUSED, USAGE, UNREACHABLE = range(4)
"""How the program ends."""


class Logarithms:
    """x with G ** x % P == value: a table of small steps, then giant steps until one meets it."""

    def __init__(self):
        self.small, self.giant = {}, pow(G, -STEP, P)

    def fill(self):
        power = 1
        for exponent in range(STEP):
            self.small[power] = exponent
            power = power * G % P

    def log(self, value):
        if not self.small:
            self.fill()
        for steps in range(STEP + 1):
            if value in self.small:
                return steps * STEP + self.small[value]
            value = value * self.giant % P
        raise ValueError("not a power")


class Connection:
    """Lines to and from the dispatcher."""

    def __init__(self, address, key):
        host, _, port = address.rpartition(":")
        self.socket = socket.create_connection((host, int(port)), timeout=30)
        self.lines = self.socket.makefile("r", encoding="ascii", newline="\n")
        self.say(f"hello {key}")

    def say(self, line):
        self.socket.sendall(line.encode() + b"\n")
        answer = self.lines.readline()
        if not answer.endswith("\n"):
            raise ConnectionError("closed by the dispatcher")
        return answer.split()

    def close(self):
        self.lines.close()
        self.socket.close()


class Worker:
    """Computes, well or badly."""

    def __init__(self, options):
        self.options, self.logarithms = options, Logarithms()
        self.luck, self.jobs = random.Random(options.key), 0

    def compute(self, number, asked, *values):
        """The line that answers a job."""
        began = time.monotonic()
        self.jobs += 1
        if self.jobs == self.options.die_after:
            os._exit(DONE)
        if asked == "log":
            answer = [self.logarithms.log(int(value)) for value in values]
            time.sleep(self.options.delay * len(values))
        else:
            answer = [pow(G, int(value), P) for value in values]
        if self.luck.random() < self.options.lie:
            answer[-1] = (answer[-1] + 1) % P
        return f"answer {number} {time.monotonic() - began:.6f} {' '.join(map(str, answer))}"

    def serve(self, connection, answer):
        """Works until the batch is complete or the connection breaks. Yields each answer before it is sent."""
        while True:
            if answer:
                words = connection.say(answer)
                if words[0] == "refused":
                    raise PermissionError(" ".join(words[1:]))
            yield None
            words = connection.say("next")
            if words[0] == "done":
                return
            if words[0] == "refused":
                raise PermissionError(" ".join(words[1:]))
            answer = self.compute(*words[1:]) if words[0] == "job" else None
            if words[0] == "wait":
                time.sleep(float(words[1]))
            yield answer

    def run(self):
        answer, patience, pause = None, time.monotonic() + self.options.patience, 0.1
        while True:
            connection = None
            try:
                connection = Connection(self.options.address, self.options.key)
                for answer in self.serve(connection, answer):
                    patience, pause = time.monotonic() + self.options.patience, 0.1
                return DONE
            except PermissionError as reason:
                print(f"dispatch_worker.py: refused: {reason}", file=sys.stderr)
                return REFUSED
            except OSError as error:
                if time.monotonic() > patience:
                    print(f"dispatch_worker.py: {self.options.address}: {error}", file=sys.stderr)
                    return UNREACHABLE
            finally:
                if connection:
                    connection.close()
            time.sleep(pause * (0.5 + random.random()))
            pause = min(2 * pause, 5.0)


def main(arguments):
    parser = argparse.ArgumentParser(
        prog="dispatch_worker.py", description=__doc__.partition("\n\n")[0],
        formatter_class=argparse.RawDescriptionHelpFormatter, epilog="""examples:
  dispatch_worker.py 127.0.0.1:7070
  dispatch_worker.py 127.0.0.1:7070 --lie 0.5
      every other answer is wrong, to see what the dispatcher does about it

exit status: 0 the batch is complete; 1 refused, such as on the blacklist; 2 wrong usage; 3 no dispatcher
""")
    parser.add_argument("address", metavar="HOST:PORT", help="of the dispatcher")
    parser.add_argument("--key", default=secrets.token_hex(16),
                        help="name and password in one, 8 to 64 letters and digits; who has it is this worker (random)")
    parser.add_argument("--delay", type=float, default=0.0, metavar="S",
                        help="a slow worker: seconds more for a logarithm")
    parser.add_argument("--lie", type=float, default=0.0, metavar="P", help="a liar: probability of a wrong answer")
    parser.add_argument("--die-after", type=int, metavar="N", help="dies with its Nth job, without a word")
    parser.add_argument("--patience", type=float, default=60.0, metavar="S",
                        help="how long to look for a dispatcher that is down (%(default)s)")
    options = parser.parse_args(arguments)
    if not options.address.rpartition(":")[2].isdigit():
        parser.error(f"{options.address}: not HOST:PORT")
    return Worker(options).run()


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
