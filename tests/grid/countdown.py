# SPDX-License-Identifier: MIT
"""A small work for tests: each unit has a number, and its result is the sum of the squares up to it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, List, Optional

from server.work import LINUX, Application, NewUnit, Output, Work


class Countdown(Work):
    """`units` units, done by `program`. What was assimilated is in a table of the project's database."""

    def __init__(self, program: str, units: int = 10, **terms: float) -> None:
        self._program = program
        self._units = units
        self._terms = {"min_quorum": 2, "target_nresults": 2, "max_total": 12, "max_error": 8, "max_success": 8,
                       **terms}

    def applications(self) -> List[Application]:
        return [Application("squares", "Sums of squares", {LINUX: self._program})]

    def generate(self, first: int, most: int) -> List[NewUnit]:
        return [NewUnit("squares", inputs={"in": f"{number}\n".encode()}, flops=1e9, output_bytes=4096,
                        terms=dict(self._terms))
                for number in range(first, min(first + most, self._units + 1))]

    def assimilate(self, number: int, output: Optional[Output], transaction: Any) -> None:
        transaction.run("create table if not exists assimilated (unit bigint not null, value text)")
        transaction.run("insert into assimilated values (?, ?)",
                        (number, Path(output.files[0]).read_text().strip() if output else None))


def right(number: int) -> int:
    """What the program finds."""
    return sum(n * n for n in range(number + 1))
