# SPDX-License-Identifier: MIT
"""A table of hosts: how many there are of each kind (doc/state_format.md)."""

from __future__ import annotations

import math
from typing import Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple

from vcsched.errors import InputError, Position
from vcsched.interface import HostRow

_GIGA = 1e9
_SPEEDS = ("flops", "gflops", "host_flops", "host_gflops")
_COLUMNS = ("count", "cpus", *_SPEEDS, "available", "ram", "-")


class HostTable(NamedTuple):
    """The rows of a table, and which columns it has."""

    rows: List[HostRow]
    columns: Sequence[str]

    @property
    def has_speeds(self) -> bool:
        """Whether each row says how fast its hosts are."""
        return any(column in _SPEEDS for column in self.columns)

    @property
    def hosts(self) -> float:
        """How many hosts there are in all rows."""
        total = 0.0
        for row in self.rows:
            total += row.weight
        return total


def read_host_table(path: str, columns: Optional[str], skipped_lines: int, cpus: float) -> HostTable:
    """Reads a table. `columns` names its columns if its first line does not, `cpus` are those of a host whose row does
    not say how many it has."""
    names = None if columns is None else _named(columns.split(","), Position(path, 1, 1))
    rows = []
    for place, cells in _lines(path, skipped_lines):
        if names is None:
            names = _named(cells, place)
        else:
            rows.append(_row(_values(names, cells, place), cpus, place))
    found = HostTable(rows, names or ())
    if found.hosts <= 0:
        raise InputError(Position(path, 1, 1), "there are no hosts in this table")
    return found


def _lines(path: str, skipped_lines: int) -> Iterator[Tuple[Position, List[str]]]:
    """The cells of each line. Tabs separate whatever else there is in the first."""
    separator = ""
    with open(path, encoding="utf-8") as stream:
        for number, line in enumerate(stream, 1):
            if number <= skipped_lines or not line.strip() or line.startswith("#"):
                continue
            separator = separator or next((each for each in "\t;" if each in line), ",")
            yield Position(path, number, 1), [_unquoted(cell.strip()) for cell in line.split(separator)]


def _unquoted(cell: str) -> str:
    return cell[1:-1] if len(cell) > 1 and cell[0] == cell[-1] == '"' else cell


def _named(cells: Sequence[str], place: Position) -> List[str]:
    names = [_unquoted(cell.strip()) for cell in cells]
    for name in names:
        if name not in _COLUMNS:
            raise InputError(place, f"{name!r} is not the name of a column: {' '.join(_COLUMNS)}")
        if name != "-" and names.count(name) > 1:
            raise InputError(place, f"{name!r} is the name of two columns")
    if "count" not in names:
        raise InputError(place, "no column is named count, which says how many hosts")
    if sum(name in _SPEEDS for name in names) > 1:
        raise InputError(place, "more than one column says how fast the hosts are")
    return names


def _values(names: Sequence[str], cells: Sequence[str], place: Position) -> Dict[str, float]:
    if len(cells) != len(names):
        raise InputError(place, f"there are {len(cells)} values for {len(names)} columns")
    values = {}
    for name, cell in zip(names, cells):
        if name != "-":
            try:
                values[name] = float.fromhex(cell) if cell.lower().startswith("0x") else float(cell)
            except ValueError:
                raise InputError(place, f"{cell!r} is not a number") from None
            if not 0 <= values[name] < math.inf:
                raise InputError(place, f"{cell!r} is negative or not finite")
    if values.get("available", 1.0) > 1 or values.get("available") == 0:
        raise InputError(place, f"{values['available']:g} is not a fraction of time above 0")
    return values


def _row(values: Dict[str, float], cpus: float, place: Position) -> HostRow:
    """What the speed is of depends on the column: one CPU, or the whole host."""
    if values.get("cpus", 1.0) < 1:
        raise InputError(place, "a host has at least 1 CPU")
    flops = values.get("flops", 0.0) + _GIGA * values.get("gflops", 0.0)
    if "host_flops" in values or "host_gflops" in values:
        own = values.get("cpus", cpus)
        if own < 1:
            raise InputError(place, "the speed is that of a whole host, but nothing says how many CPUs it has")
        flops = (values.get("host_flops", 0.0) + _GIGA * values.get("host_gflops", 0.0)) / own
    if flops <= 0 and any(name in _SPEEDS for name in values):
        raise InputError(place, "a host that computes nothing cannot take part")
    return HostRow(weight=values["count"], cpus=values.get("cpus", 0.0), flops=flops,
                   available=values.get("available", 0.0), ram=values.get("ram", 0.0))
