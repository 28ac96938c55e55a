#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A server for a batch that has to end soon: it hands out one job at a time, and guesses who has died.

Which job a client gets, when to stop waiting for it, whether its answer counts and who is no longer trusted are the
library's decisions (rules 10 and 11). dispatcher_core.py keeps the records; this program keeps the connections, the
journal and the status file. The application finds discrete logarithms: replace the class Application by your own.
Workers run dispatch_worker.py, which needs nothing but Python. examples/c/dispatcher is the same program in C.
doc/server.md explains it.
"""

import argparse
import fcntl
import html
import json
import os
import re
import selectors
import signal
import socket
import sys
import time
from pathlib import Path

import vcsched as v
from dispatcher_core import METHODS, ORDERS, Dispatcher

COMPLETE, STOPPED, USAGE, JOURNAL, SYSTEM = range(5)
"""How the program ends."""


class Application:
    """Finds x with G ** x % P == value, for many values. A portion is a few of them."""

    P, G = 2 ** 31 - 1, 7
    COMPUTE, INVERT = "log", "power"
    """What a worker is asked for: x of each value, or the value of each x, which is the inverse problem."""

    def __init__(self, portions, size):
        self.portions, self.size = portions, size

    def portion(self, number):
        """The values of the next portion; None after the last."""
        if number >= self.portions:
            return None
        return tuple(1 + (1000 * number + i) * 1103515245 % (self.P - 1)
                     for i in range(1, self.size + number % self.size + 1))

    def complexity(self, asked, values):
        """The time on a machine that finds one logarithm in a unit of time. The inverse problem is far easier."""
        return len(values) * (1.0 if asked == self.COMPUTE else 0.001)

    def is_right(self, values, answer):
        return all(pow(self.G, x, self.P) == value for value, x in zip(values, answer))


class JournalError(Exception):
    """The journal cannot be read, or was begun with other settings."""


# ---- Files ----

def heading_of(settings):
    """The first line of a journal."""
    return "dispatcher 1 " + " ".join(f"{name}={value:g}" if isinstance(value, float) else f"{name}={value}"
                                      for name, value in settings.items())


class Journal:
    """The events, one a line, behind the settings. What is not in it has not happened."""

    def __init__(self, file, settings):
        self.file = file
        try:
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise JournalError("another dispatcher is using it") from None
        self.file.seek(0)
        text = self.file.read()
        whole = text.rfind(b"\n") + 1
        self.file.truncate(whole)  # a line that was cut off by a kill: nobody was told of it
        self.lines = text[:whole].decode("ascii", "replace").splitlines()
        heading = heading_of(settings)
        if not self.lines:
            self.append([heading + "\n"])
        elif self.lines[0] != heading:
            raise JournalError(f"begun with other settings\n  then: {self.lines[0]}\n  now:  {heading}")

    def replay(self, dispatcher):
        """Returns the time of the last event."""
        now = 0.0
        for number, line in enumerate(self.lines[1:], 2):
            try:
                now = dispatcher.replay(line)
            except (KeyError, ValueError, IndexError, TypeError, v.VcsError) as error:
                raise JournalError(f"line {number} makes no sense: {error!r}") from None
        dispatcher.events.clear()
        self.lines.clear()
        return now

    def append(self, lines):
        write_all(self.file, "".join(lines).encode())
        os.fdatasync(self.file.fileno())


class Answers:
    """What the application is told, a portion a line, each once and in order."""

    def __init__(self, file):
        self.file = file
        self.file.seek(0)
        text = self.file.read()
        self.file.truncate(text.rfind(b"\n") + 1)
        self.count = text.count(b"\n")

    def append(self, output):
        for number, answer in output:
            if number >= self.count:
                write_all(self.file, f"{number} {' '.join(map(str, answer))}\n".encode())


def write_all(file, data):
    while data:
        data = data[file.write(data):]


def write_whole(path, text):
    """A reader finds the old file or the new one, never a part."""
    part = path.with_name(path.name + ".part")
    part.write_text(text, encoding="utf-8")
    os.replace(part, path)


def page_of(status):
    """The status as a page, which loads itself anew."""
    def row_of(cells, tag="td"):
        return "<tr>" + "".join(f"<{tag}>{html.escape(str(cell))}</{tag}>" for cell in cells) + "</tr>"

    table = status["clients"]
    figures = "".join(row_of((name.replace("_", " "), value)) for name, value in status.items() if name != "clients")
    heads = row_of(table[0], "th") if table else ""
    return ("<!DOCTYPE html><meta charset=utf-8><meta http-equiv=refresh content=5><title>Dispatcher</title>"
            "<style>body{font-family:sans-serif}td,th{padding:0 1em 0 0;text-align:left}</style>"
            f"<h1>Dispatcher</h1><table>{figures}</table><h2>Clients</h2><table>{heads}"
            f"{''.join(row_of(row.values()) for row in table)}</table>\n")


# ---- Connections ----

class Connection:
    """A worker, and what was not yet read from it or written to it."""

    def __init__(self, peer, now):
        self.peer, self.heard, self.key = peer, now, None
        self.input, self.output, self.known, self.ends = b"", b"", set(), False


class Server:
    """Reads lines, and answers each with one. What a worker is told is in the journal first."""

    LONGEST_LINE, SILENCE = 65536, 60.0
    HELLO = re.compile(r"hello ([A-Za-z0-9_-]{8,64})")
    ANSWER = re.compile(r"answer (\d{1,15}) (\d{1,9}(?:\.\d{1,6})?)((?: \d{1,10})+)")

    def __init__(self, dispatcher, journal, answers, options, listener, selector, start):
        self.dispatcher, self.journal, self.answers, self.options = dispatcher, journal, answers, options
        self.listener, self.selector, self.folder = listener, selector, options.folder
        self.connections, self.by_key, self.is_stopped = {}, {}, False
        self.start = start - time.monotonic()
        listener.setblocking(False)
        selector.register(listener, selectors.EVENT_READ)

    def now(self):
        """Seconds for which the dispatcher has run, in all. The clock stands while it is down: nobody is late then."""
        return round(self.start + time.monotonic(), 6)

    def run(self):
        self.commit()
        status_due, ends = 0.0, None
        while not self.is_stopped and (ends is None or (self.connections and self.now() < ends)):
            if self.now() >= status_due:
                self.dispatcher.survey(self.now())
                self.commit()
                self.write_status()
                self.close_silent()
                status_due = self.now() + self.options.status_every
            for key, _ in self.selector.select(0.2):
                if key.fileobj is self.listener:
                    self.admit()
                elif key.fileobj in self.connections:  # which another one may just have closed
                    self.read(self.connections[key.fileobj])
            self.commit()
            self.write()
            if ends is None and self.dispatcher.is_complete():
                ends = self.now() + 5.0  # for workers to hear of it
        self.write_status()
        return COMPLETE if self.dispatcher.is_complete() else STOPPED

    def commit(self):
        """First the journal, then the application, then (in write) the workers."""
        dispatcher = self.dispatcher
        if dispatcher.events:
            self.journal.append(dispatcher.events)
            dispatcher.events.clear()
        self.answers.append(dispatcher.output)
        dispatcher.output.clear()

    def write_status(self):
        status = self.dispatcher.status(self.now())
        write_whole(self.folder / "status.json", json.dumps(status, indent=1) + "\n")
        write_whole(self.folder / "status.html", page_of(status))

    def admit(self):
        try:
            peer, _ = self.listener.accept()
        except OSError:  # it has gone, or there are too many open files
            return
        if len(self.connections) >= self.options.most_connections:
            nameless = next((one for one in self.connections.values() if not one.key), None)
            if nameless is None:
                peer.close()
                return
            self.close(nameless)  # the oldest that has not said hello makes room
        peer.setblocking(False)
        self.connections[peer] = Connection(peer, self.now())
        self.selector.register(peer, selectors.EVENT_READ)

    def close(self, connection):
        self.selector.unregister(connection.peer)
        connection.peer.close()
        del self.connections[connection.peer]
        if self.by_key.get(connection.key) is connection:
            del self.by_key[connection.key]
            self.mark_talking(connection.key, False)

    def mark_talking(self, key, talks):
        client = self.dispatcher.numbers.get(key)
        if client is not None:
            flags = self.dispatcher.clients[client].flags & ~v.CLIENT_TALKING
            self.dispatcher.clients[client].flags = flags | (v.CLIENT_TALKING if talks else 0)

    def close_silent(self):
        for connection in list(self.connections.values()):
            patience = self.SILENCE if connection.key else 5.0
            if self.now() - connection.heard > patience:
                self.close(connection)

    def read(self, connection):
        try:
            data = connection.peer.recv(4096)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        *lines, connection.input = (connection.input + data).split(b"\n")
        for line in lines:
            words = self.handle(connection, line.decode("ascii", "replace"))
            connection.output += words.encode() + b"\n"
            if words.startswith("refused"):  # a bad message costs its sender the connection, and nobody anything else
                connection.ends = True
                break
        if not data or len(connection.input) > self.LONGEST_LINE:
            connection.ends = True

    def handle(self, connection, line):
        """One message, one word or more in return."""
        now, dispatcher = self.now(), self.dispatcher
        connection.heard = now
        hello, answer = self.HELLO.fullmatch(line), self.ANSWER.fullmatch(line)
        if hello and not connection.key:
            return self.welcome(connection, hello[1])
        if not connection.key or hello:
            return "refused malformed"
        if line == "next":
            is_new = connection.key not in dispatcher.numbers and not dispatcher.is_complete()
            if is_new and len(dispatcher.clients) >= self.options.most_clients:
                return "refused full"
            words = dispatcher.request(connection.key, connection.known, now)
            self.mark_talking(connection.key, True)
            if words.startswith("job "):
                connection.known.add(int(words.split()[1]))
            return words
        if line == "alive":
            if connection.key in dispatcher.numbers:
                dispatcher.live(dispatcher.numbers[connection.key], now)
            return "thanks"
        if answer:
            connection.known.discard(int(answer[1]))
            return dispatcher.reply(connection.key, int(answer[1]), float(answer[2]),
                                    tuple(map(int, answer[3].split())), now)
        return "refused malformed"

    def welcome(self, connection, key):
        """A key is a client's name and its password. Its latest connection counts."""
        if self.options.keys is not None and key not in self.options.keys:
            return "refused unknown"
        if key in self.by_key:
            self.close(self.by_key[key])
        connection.key = key
        self.by_key[key] = connection
        self.mark_talking(key, True)
        return "welcome"

    def write(self):
        for connection in list(self.connections.values()):
            try:
                if connection.output:
                    connection.output = connection.output[connection.peer.send(connection.output):]
            except BlockingIOError:
                pass
            except OSError:
                connection.ends = True
            if connection.ends or len(connection.output) > 2 * self.LONGEST_LINE:  # it asks and does not read
                self.close(connection)


# ---- The command line ----

EXAMPLES = """examples:
  dispatcher.py batch --listen 127.0.0.1:7070 --portions 500
      hands out 500 portions to whoever runs `dispatch_worker.py 127.0.0.1:7070`; answers are in batch/answers,
      and a web server may show batch/status.html
  dispatcher.py batch --listen 127.0.0.1:7070 --portions 500
      the same once more, after a kill or a crash: goes on where it was
  dispatcher.py batch --method vote --factor 2.5
      every portion is computed twice or three times, and a vote decides
  dispatcher.py batch --wait 1.2
      is impatient: more is computed twice, and the application waits less for a portion of a client that died

exit status: 0 the batch is complete; 1 stopped before that, start it again to go on; 2 wrong usage; 3 the journal is in
use, damaged or of other settings; 4 the system refused something: an address, a file, the disk is full
"""


def figure(text):
    """A number of six digits, so that the journal has exactly the one that counts."""
    return float(f"{float(text):g}")


def settings_of(arguments):
    parser = argparse.ArgumentParser(prog="dispatcher.py", description=__doc__.partition("\n\n")[0], epilog=EXAMPLES,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="for the journal, the answers and the status; made if missing")
    parser.add_argument("--listen", default="127.0.0.1:7070", metavar="HOST:PORT", help="port 0: any (%(default)s)")
    parser.add_argument("--portions", type=int, default=100, help="how many the application has (%(default)s)")
    parser.add_argument("--size", type=int, default=5, help="least number of values in a portion (%(default)s)")
    parser.add_argument("--method", choices=METHODS, default="inverse", help="of verification (%(default)s)")
    parser.add_argument("--factor", type=figure, default=2.0, help="copies of each portion, for vote (%(default)s)")
    parser.add_argument("--order", choices=ORDERS, default="overdue-first", help="of jobs (%(default)s)")
    parser.add_argument("--wait", type=figure, default=2.0, metavar="K",
                        help="K_wait: another client gets a job after K expected times (%(default)s)")
    parser.add_argument("--dead", type=figure, metavar="K",
                        help="K_wait_dead: a client is dead after K expected times of silence (twice --wait)")
    parser.add_argument("--first-speed", type=figure, default=1.0, metavar="X",
                        help="complexity per second to expect before the first answer (%(default)s)")
    parser.add_argument("--jobs-per-client", type=int, default=2, help="at a time (%(default)s)")
    parser.add_argument("--keys", metavar="FILE", help="the keys of the workers, one a line; others are refused (none)")
    parser.add_argument("--most-clients", type=int, default=10000, help="ever, by key (%(default)s)")
    parser.add_argument("--most-connections", type=int, default=500, help="at a time (%(default)s)")
    parser.add_argument("--status-every", type=figure, default=2.0, metavar="S", help="seconds (%(default)s)")
    options = parser.parse_args(arguments)
    options.dead = 2.0 * options.wait if options.dead is None else options.dead
    if not re.fullmatch(r"[^:]*:\d{1,5}", options.listen) or int(options.listen.rpartition(":")[2]) > 65535:
        parser.error(f"--listen {options.listen}: not HOST:PORT")
    for name, least, most in (("portions", 1, 10 ** 9), ("size", 1, 1000), ("jobs_per_client", 1, 1000),
                              ("most_clients", 1, 10 ** 6), ("most_connections", 1, 10 ** 5), ("factor", 1, 1000),
                              ("status_every", 0.01, 3600)):
        if not least <= getattr(options, name) <= most:
            parser.error(f"--{name.replace('_', '-')} {getattr(options, name)}: must be {least} to {most}")
    names = ("method", "factor", "order", "wait", "dead", "first_speed", "jobs_per_client", "portions", "size")
    return options, {name: getattr(options, name) for name in names}, parser


def serve(dispatcher, journal, answers, options):
    start = journal.replay(dispatcher)
    host, _, port = options.listen.rpartition(":")
    with socket.create_server((host, int(port)), backlog=128) as listener, selectors.DefaultSelector() as selector:
        server = Server(dispatcher, journal, answers, options, listener, selector, start)
        for number in signal.SIGTERM, signal.SIGINT:
            signal.signal(number, lambda *_: setattr(server, "is_stopped", True))
        print("listening on {}:{}".format(*listener.getsockname()), flush=True)
        try:
            return server.run()
        finally:
            for connection in list(server.connections.values()):
                server.close(connection)


def main(arguments):
    options, settings, parser = settings_of(arguments)
    try:
        dispatcher = Dispatcher(Application(options.portions, options.size), settings)
    except v.VcsError as error:
        parser.error(str(error))  # such as K_wait_dead <= K_wait
    try:
        options.keys = None if options.keys is None else set(Path(options.keys).read_text(encoding="ascii").split())
        options.folder.mkdir(parents=True, exist_ok=True)
        with open(options.folder / "journal", "a+b", buffering=0) as journal, \
                open(options.folder / "answers", "a+b", buffering=0) as answers:
            return serve(dispatcher, Journal(journal, settings), Answers(answers), options)
    except JournalError as error:
        print(f"dispatcher.py: {options.folder}/journal: {error}", file=sys.stderr)
        return JOURNAL
    except OSError as error:
        print(f"dispatcher.py: {error}", file=sys.stderr)
        return SYSTEM


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
