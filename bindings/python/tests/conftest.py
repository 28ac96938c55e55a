# SPDX-License-Identifier: MIT
"""What all tests of the package share: running the command, and reading the state file that it wrote.

The environment names a build as VCSCHED_BUILD. The tests then run with the package as it is installed from there.
Without one they run with the sources: the importer alone, since the rest has a compiled part.
"""

from __future__ import annotations

import atexit
import configparser
import ctypes
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Callable, List, NamedTuple

import pytest

SOURCES = Path(__file__).resolve().parents[1]
PROJECT_ROOT = SOURCES.parents[1]


def installed_package(build: str) -> Path:
    """Installs the package from a build into a folder that goes when the tests have ended. Returns the folder."""
    folder = tempfile.mkdtemp(prefix="vcsched-python-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    subprocess.run(["meson", "install", "-C", build, "--no-rebuild", "--quiet", "--tags", "python-runtime",
                    "--destdir", folder], check=True, stdout=subprocess.DEVNULL)
    return next(Path(folder).glob("**/vcsched/__init__.py")).parents[1]


BUILD = os.environ.get("VCSCHED_BUILD", "")
INSTALLED = "VCSCHED_INSTALLED"
"""Tells processes that a test starts, and that import this file, where the package is already."""
if BUILD and INSTALLED not in os.environ:
    os.environ[INSTALLED] = str(installed_package(BUILD))
PACKAGE = Path(os.environ[INSTALLED]) if BUILD else SOURCES
sys.path[:0] = [str(PACKAGE), str(PROJECT_ROOT / "tests" / "support")]

from time_limit import *  # noqa: E402,F403 - found only by the path above, as is the next
from vcsched.__main__ import main  # noqa: E402


class Outcome(NamedTuple):
    """How the command ended and what it said."""

    status: int
    output: str
    messages: str


def memory_in_use() -> int:
    """Bytes that the C library has given out and not got back, those of Python's own allocator not among them.

    Unlike the size of the process this does not depend on what the system or the allocator does with free memory.
    """

    class Mallinfo2(ctypes.Structure):
        _fields_ = [(name, ctypes.c_size_t) for name in ("arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks",
                                                         "fsmblks", "uordblks", "fordblks", "keepcost")]

    function = getattr(ctypes.CDLL(None), "mallinfo2", None)
    if function is None:
        pytest.skip("the C library does not tell how much memory is in use")
    function.restype = Mallinfo2
    answer = function()
    return int(answer.uordblks + answer.hblkhd)


def read_state(text: str) -> configparser.ConfigParser:
    """A state file as Python's own parser reads it: strictly, nothing expanded."""
    parser = configparser.ConfigParser(interpolation=None, strict=True)
    parser.read_string(text)
    return parser


def pytest_sessionstart(session: pytest.Session) -> None:
    """What Python is going to drop, a later one lacks: the package may not use it."""
    for category in ("DeprecationWarning", "PendingDeprecationWarning"):
        session.config.addinivalue_line("filterwarnings", f"error::{category}:vcsched")


@pytest.fixture(name="run")
def fixture_run(capfd: pytest.CaptureFixture) -> Callable[..., Outcome]:
    """Runs `python3 -m vcsched` with arguments."""

    def run(*arguments: object) -> Outcome:
        try:
            status = main([str(argument) for argument in arguments])
        except SystemExit as stop:
            status = int(stop.code or 0)
        captured = capfd.readouterr()
        return Outcome(status, captured.out, captured.err)

    return run


@pytest.fixture(name="imported")
def fixture_imported(run: Callable[..., Outcome], tmp_path: Path) -> Callable[..., configparser.ConfigParser]:
    """Imports a client state given as text, with options, and returns the state that comes of it."""

    def imported(xml: str, *options: object) -> configparser.ConfigParser:
        source = tmp_path / "client_state.xml"
        source.write_text(xml, encoding="utf-8")
        outcome = run("import", source, "--quiet", *options)
        assert (outcome.status, outcome.messages) == (0, "")
        return read_state(outcome.output)

    return imported


@pytest.fixture(name="refused")
def fixture_refused(run: Callable[..., Outcome], tmp_path: Path) -> Callable[..., str]:
    """Imports something that cannot be imported. Returns the one line that says why, from the place on."""

    def refused(content: object, *options: object) -> str:
        source = tmp_path / "client_state.xml"
        source.write_bytes(content if isinstance(content, bytes) else str(content).encode())
        target = tmp_path / "never.ini"
        outcome = run("import", source, "-o", target, *options)
        assert outcome.status == 1
        assert outcome.output == ""
        assert not target.exists()
        lines: List[str] = outcome.messages.splitlines()
        assert len(lines) == 1, outcome.messages
        beginning = f"vcsched: {tmp_path}/"
        assert lines[0].startswith(beginning)
        return lines[0][len(beginning):]

    return refused
