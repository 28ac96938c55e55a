# SPDX-License-Identifier: MIT
"""The work of a project: what is computed, when two results are equal, and what becomes of them.

A project has one Work, named in config.json as MODULE:CLASS and made with the options that stand there. Everything else
is the server's. tests/project/countdown.py is one of 60 lines.
"""

from __future__ import annotations

import dataclasses
import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Dict, List, NamedTuple, Optional, Sequence, Tuple, Type

import vcsched as v

if TYPE_CHECKING:
    from server.storage import Transaction

LINUX = "x86_64-pc-linux-gnu"
"""How clients name 64-bit Linux."""


class Application(NamedTuple):
    """A program that clients run."""

    name: str
    """letters, digits and underscores; part of the names of files"""
    title: str
    """for people"""
    programs: Dict[str, str]
    """for each platform the path of an executable file, which is linked with all that it needs"""


@dataclasses.dataclass
class NewUnit:
    """A unit to be computed."""

    application: str
    """the name of its application"""
    command_line: str = ""
    inputs: Dict[str, bytes] = dataclasses.field(default_factory=dict)
    """input files, by the names under which the program opens them"""
    outputs: Sequence[str] = ("out",)
    """output files, by the names under which the program writes them; at least one"""
    output_bytes: int = 1 << 20
    """most bytes of an output file"""
    flops: float = 1e9
    """estimate of the operations it takes"""
    flops_bound: float = 1e13
    """a client gives up after so many operations"""
    memory: float = 64e6
    """bytes"""
    disk: float = 64e6
    """bytes"""
    terms: Dict[str, float] = dataclasses.field(default_factory=dict)
    """fields of vcs_unit: min_quorum, target_nresults, max_error, max_total, max_success, delay_bound, ..."""


class Output(NamedTuple):
    """A result that a host has reported as a success."""

    result: int
    """its id"""
    files: List[Path]
    """one for each of the unit's outputs, in that order; all of them exist"""


MISSING = v.NONE
"""The class of a result that is not there."""
WRONG = v.CLASS_WRONG
"""The class of a result that is wrong in itself."""
FAILED = v.CLASS_FAILED
"""The class of a result that cannot be judged, such as a file that cannot be parsed: it is invalid."""
LATER = v.CLASS_LATER
"""The class of a result that cannot be judged now: the unit is tried again later."""


class Passing(Exception):
    """To be raised by a work for a fault that will pass. The unit is tried again later."""


class Work:
    """What a project does. Its methods may be called by several processes at the same time, and may raise anything:
    what fails costs one result or one unit, or, where nearly everything fails, nobody anything. See trouble.py."""

    passing: Tuple[Type[BaseException], ...] = (OSError, MemoryError)
    """Kinds of exceptions that will pass, besides Passing. Any other one in classify() is the fault of the file."""

    paths: Tuple[str, ...] = ()
    """Options that are paths. `init` writes them whole into config.json, so that each later command finds the same
    files, wherever it is run."""

    def applications(self) -> List[Application]:
        """All applications. The first ones are offered when the project is made, others with `update`."""
        raise NotImplementedError

    def generate(self, first: int, most: int) -> List[NewUnit]:
        """The next units, at most so many, which get the numbers from `first` on; the first of all is 1. Fewer, or
        none, if that is all for now. Called again with the same number if the server was stopped meanwhile, and must
        then return the same."""
        raise NotImplementedError

    def classify(self, number: int, outputs: List[Output]) -> List[int]:
        """For each result of a unit the number of its class: equal results have equal numbers, which mean nothing
        beyond this call. Or MISSING, WRONG, FAILED or LATER. If it raises an exception, it is called again with each
        result alone: those for which it still does are FAILED, or LATER if the exception is one that will pass. Here
        results are equal byte for byte."""
        classes: Dict[bytes, int] = {}
        return [classes.setdefault(_digest(output.files), len(classes)) for output in outputs]

    def assimilate(self, number: int, output: Optional[Output], transaction: "Transaction") -> None:
        """Takes over the result of a unit; None if it failed. What is written to the database in the transaction
        happens exactly once. What is written elsewhere may be written twice, if the server was stopped in between, and
        must then be the same. If it raises an exception, all that was written to the database is taken back, and it is
        called again later."""
        raise NotImplementedError


def _digest(files: List[Path]) -> bytes:
    found = hashlib.sha256()
    for path in files:
        content = path.read_bytes()
        found.update(len(content).to_bytes(8, "big") + content)
    return found.digest()
