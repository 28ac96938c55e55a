# SPDX-License-Identifier: MIT
"""A small work for tests: each unit has a number, and its result is the sum of the squares up to it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence

from server.work import LINUX, Application, NewUnit, Output, Work

SCRIPT = """#!/bin/sh
read n < in
sum=0 i=0
while [ $i -le $n ]; do sum=$((sum + i * i)) i=$((i + 1)); done
echo $sum > out
: > boinc_finish_called
"""
"""The program. Clients run what a shell can."""

TABLE_KEY = 1 << 40
"""No host and no account has this number."""


def right(number: int) -> str:
    """What the program finds."""
    return str(sum(n * n for n in range(number + 1)))


class Countdown(Work):
    """`units` units, or as many as a file `stop` says as soon as it is there, done by `program`. Of unit n the latency
    bound is number n of `bounds`, which begin again after the last. What was assimilated is in a table of the project's
    database."""

    def __init__(self, program: str, units: int = 10, output_bytes: int = 4096, flops: float = 1e9,
                 stop: str = "", name: str = "squares", bounds: Sequence[float] = (), **terms: float) -> None:
        self._name = name
        self._program = program
        self._units = units
        self._output_bytes = output_bytes
        self._flops = flops
        self._bounds = bounds
        self._stop = Path(stop) if stop else None
        self._terms = {"min_quorum": 2, "target_nresults": 2, "max_total": 12, "max_error": 8, "max_success": 8,
                       **terms}

    def applications(self) -> List[Application]:
        return [Application(self._name, "Sums of squares", {LINUX: self._program})]

    def generate(self, first: int, most: int) -> List[NewUnit]:
        units = self._units
        if self._stop is not None and self._stop.exists():
            units = int(self._stop.read_text())
        return [NewUnit(self._name, inputs={"in": f"{number}\n".encode()}, flops=self._flops,
                        output_bytes=self._output_bytes, terms=self._terms_of(number))
                for number in range(first, min(first + most, units + 1))]

    def _terms_of(self, number: int) -> Dict[str, float]:
        bound = {"delay_bound": self._bounds[number % len(self._bounds)]} if self._bounds else {}
        return {**self._terms, **bound}

    def assimilate(self, number: int, output: Optional[Output], transaction: Any) -> None:
        transaction.one_at_a_time(TABLE_KEY)  # or PostgreSQL lets one fail of two that make the same table
        transaction.run("create table if not exists assimilated (unit bigint not null, value text)")
        transaction.run("insert into assimilated values (?, ?)",
                        (number, Path(output.files[0]).read_text().split()[0] if output else None))
