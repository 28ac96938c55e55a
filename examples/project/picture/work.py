# SPDX-License-Identifier: MIT
"""The picture as the work of a server: "work": "picture.work:PictureWork" in its config.json."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, List, Optional

from picture.canvas import Canvas
from picture.tiles import Picture
from server.work import LINUX, MISSING, WRONG, Application, NewUnit, Output, Work

if TYPE_CHECKING:
    from server.storage import Transaction

APPLICATION = "tile"


class PictureWork(Work):
    """Unit N is tile N - 1. A result is right if another host found the same bytes."""

    paths = ("folder", "worker")

    def __init__(self, folder: str, worker: str, quorum: int = 2, delay_bound: float = 86400.0,
                 platform: str = LINUX, **picture: Any) -> None:
        """folder: where the picture is; worker: the program, for `platform`; quorum: how many equal results are needed;
        delay_bound: how long a host has for a tile, s; the rest: see picture.tiles.Picture."""
        self.picture = Picture(**picture)
        self.canvas = Canvas(folder, self.picture)
        self._programs = {platform: worker}
        self._terms = {"min_quorum": quorum, "target_nresults": quorum, "max_error": 3, "max_total": quorum + 6,
                       "max_success": quorum + 3, "delay_bound": delay_bound}

    def applications(self) -> List[Application]:
        return [Application(APPLICATION, "A tile of a picture of the Mandelbrot set", self._programs)]

    def generate(self, first: int, most: int) -> List[NewUnit]:
        numbers = range(first, min(first + most, self.picture.count + 1))
        return [self._unit(number - 1) for number in numbers]

    def _unit(self, tile: int) -> NewUnit:
        size = self.picture.tile_bytes(tile)
        return NewUnit(APPLICATION, inputs={"in": self.picture.input(tile).encode()}, outputs=("out",),
                       output_bytes=size, flops=self.picture.flops(tile),
                       flops_bound=10 * self.picture.greatest_flops(tile) + 1e12, memory=16e6 + 2 * size,
                       disk=16e6 + 4 * size, terms=dict(self._terms))

    def classify(self, number: int, outputs: List[Output]) -> List[int]:
        faults = [self._fault(number, output) for output in outputs]
        classes = iter(super().classify(number, [output for output, fault in zip(outputs, faults) if not fault]))
        return [fault or next(classes) for fault in faults]

    def _fault(self, number: int, output: Output) -> int:
        """The class of a result that is no tile; 0 if it may be compared."""
        try:
            size = output.files[0].stat().st_size
        except OSError:
            return MISSING
        return 0 if size == self.picture.tile_bytes(number - 1) else WRONG

    def assimilate(self, number: int, output: Optional[Output], transaction: "Transaction") -> None:
        if output is None:
            self.canvas.give_up(number - 1)
        else:
            self.canvas.put(number - 1, output.files[0].read_bytes())
