# SPDX-License-Identifier: MIT
"""A project with a picture and a status page, served by threads of the test itself; hosts that render its tiles."""

from __future__ import annotations

import functools
import sys
import threading
import time
from html import escape

import running

sys.path.insert(0, str(running.package()))

import load
from server import accounts, daemons, signing
from server.__main__ import pages_of
from server.project import Config, create
from server.web import Server
from slot import program, render

# To find a key takes longer than most tests; they may share one.
signing.new_key = functools.lru_cache(maxsize=None)(signing.new_key)

SMALL = {"place": "seahorse", "width": 64, "height": 48, "tile": 16, "samples": 1, "iterations": 200}
"""12 tiles."""
HOSTILE = "<img src=x onerror=\"document.title='caught'\"></script><script>document.title='caught'</script>&amp;"


class Watched:
    """A project in a folder, and its server. Use it in a `with`."""

    def __init__(self, folder, settings=None, **options):
        folder.mkdir(parents=True)
        self.project = create(folder / "project", Config(
            name="Tiles <b>& more</b>", work="picture.work:PictureWork", listen="127.0.0.1:0", request_delay=0.0,
            options={"folder": str(folder / "picture"), "worker": program(), **SMALL, **options},
            pages=["status.pages:pages"], **(settings or {})))
        self.key = accounts.add_user(self.project, "ann", "ann@example.org", "pebble")
        pages = pages_of(self.project)
        self.server = Server(self.project, pages)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/"
        held = pages["status/"].__closure__  # only() has wrapped it
        self.status = next(cell.cell_contents for cell in held if callable(cell.cell_contents)).__self__
        self._thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        self._folder = folder
        self._tiles = {}

    def __enter__(self):
        self._thread.start()
        self.work()
        return self

    def __exit__(self, *_unused):
        self.server.shutdown()
        self.server.server_close()
        self._thread.join()
        self.project.store.close()

    def work(self):
        """Whatever the daemons have to do."""
        while daemons.pass_over(self.project, tuple(daemons.DAEMONS), daemons.Share()):
            pass

    def host(self, name="castor", cpus=1, flops=2e9):
        """A host that is attached."""
        return load.Host(self.url, self.key, escape(name), cpus, flops)

    def tile(self, unit, build=""):
        """The result of a unit, as a build of the worker finds it."""
        if (unit, build) not in self._tiles:
            text = self.project.work.picture.input(unit - 1)
            self._tiles[unit, build] = render(self._folder / f"slot{unit}{build}", text, build)
        return self._tiles[unit, build]

    def compute(self, host, task, build=""):
        """Renders a task and uploads it. Returns the report."""
        assert host.upload(task, self.tile(unit_of(task), build)) == 0
        return load.Report(task.name)

    def look(self):
        """A look at the database."""
        return self.project.store.snapshot()

    def now(self):
        """The present."""
        return time.time()


def unit_of(task):
    """The number of a task's unit."""
    return int(task.unit.rpartition("_")[2])
