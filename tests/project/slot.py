# SPDX-License-Identifier: MIT
"""A working folder of the worker, as a client makes it."""

import os
import signal
import subprocess

WORKER = os.environ["GRID_WORKER"]
"""The program; beside it are the builds for tests, such as worker_saboteur_1."""

TILE = {"left": -26802000000000000, "top": 4750000000000000, "step": 45035996273, "width": 24, "height": 16,
        "samples": 2, "iterations": 3000, "turns": 256, "phase": 9000, "checkpoint": 0}
"""A small tile of the seahorses' valley, with points in the set and outside."""

ENDLESS = {**TILE, "left": 0, "top": 0, "step": 1, "iterations": 10 ** 9, "samples": 16}
"""Nobody lives to see its first pixel."""


def text_of(tile):
    """What stands in the file `in`."""
    return "".join(f"{name} {value}\n" for name, value in tile.items())


def program(build=""):
    """The path of a build."""
    return WORKER + (f"_{build}" if build else "")


def prepare(folder, tile):
    """Makes a working folder for a tile."""
    folder.mkdir(exist_ok=True)
    (folder / "in").write_text(text_of(tile) if isinstance(tile, dict) else tile, encoding="ascii")
    return folder


def run(folder, build=""):
    """Runs the worker in a folder to its end."""
    return subprocess.run([program(build)], cwd=folder, capture_output=True, text=True, check=False)


def render(folder, tile, build=""):
    """The bytes of a tile."""
    done = run(prepare(folder, tile), build)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    return (folder / "out").read_bytes()


def start(folder, build=""):
    """Starts the worker in a folder."""
    return subprocess.Popen([program(build)], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def kill(process):
    """Ends it as a crash would, and waits."""
    process.send_signal(signal.SIGKILL)
    process.communicate()
