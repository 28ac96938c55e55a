# SPDX-License-Identifier: MIT
"""What all tests of the package share: running the command, and reading the state file that it wrote.

The environment names a build as VCSCHED_BUILD. The tests then run with the package as it is installed from there.
Without one they run with the sources: the importer alone, since the rest has a compiled part.
"""

from __future__ import annotations

import atexit
import configparser
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
PACKAGE = installed_package(BUILD) if BUILD else SOURCES
sys.path.insert(0, str(PACKAGE))

from vcsched.__main__ import main  # noqa: E402 - found only by the path above


class Outcome(NamedTuple):
    """How the command ended and what it said."""

    status: int
    output: str
    messages: str


def read_state(text: str) -> configparser.ConfigParser:
    """A state file as Python's own parser reads it: strictly, nothing expanded."""
    parser = configparser.ConfigParser(interpolation=None, strict=True)
    parser.read_string(text)
    return parser


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
