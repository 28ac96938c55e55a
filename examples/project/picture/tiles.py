# SPDX-License-Identifier: MIT
"""A picture cut into tiles: what each is, as text for the worker, and about how much work."""

from __future__ import annotations

import functools
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any, Dict, Tuple

from picture.place import PLACES, Place

UNIT = 2 ** 55
"""The worker takes lengths in the complex plane as whole multiples of 1 / UNIT."""

FLOPS_OF_ITERATION = 20.0
"""An iteration takes whole numbers, 5 ns of them on a processor that does 4e9 floating-point operations a second."""

PROBES = 5
"""The work of a tile is guessed from this many points across."""

MOST_PIXELS = 2 ** 24
"""The whole picture is made into one file while the last tile is taken over."""


def _exact(decimal: str) -> int:
    return round(Fraction(decimal) * UNIT)


@dataclass(frozen=True)
class Picture:
    """A picture to render. All sizes in pixels."""

    place: str = "spiral"
    width: int = 960
    height: int = 640
    tile: int = 80
    """The side of a tile. Tiles at the right and at the bottom may be smaller."""
    samples: int = 4
    """Each pixel is the mean of samples * samples points."""
    iterations: int = 0
    """0 = as the place has it. More make the work longer, and the edge of the set a little finer."""
    checkpoint: int = 10
    """Seconds between two checkpoints of the worker."""

    def __post_init__(self) -> None:
        if self.place not in PLACES:
            raise ValueError(f"picture: no place is called {self.place!r}; there are {', '.join(PLACES)}")
        for name, least, most in (("width", 1, 65536), ("height", 1, 65536), ("tile", 1, 4096), ("samples", 1, 16),
                                  ("iterations", 0, 10 ** 9), ("checkpoint", 0, 86400)):
            value = getattr(self, name)
            if type(value) is not int or not least <= value <= most:
                raise ValueError(f"picture: {name} must be a whole number between {least} and {most}, not {value!r}")
        if self.width * self.height > MOST_PIXELS:
            raise ValueError(f"picture: more than {MOST_PIXELS} pixels")

    @property
    def columns(self) -> int:
        return -(-self.width // self.tile)

    @property
    def rows(self) -> int:
        return -(-self.height // self.tile)

    @property
    def count(self) -> int:
        """How many tiles there are. They are numbered row by row, from 0."""
        return self.columns * self.rows

    def box(self, number: int) -> Tuple[int, int, int, int]:
        """Where a tile is: left, top, width, height."""
        if not 0 <= number < self.count:
            raise IndexError(f"tile {number} of {self.count}")
        left = number % self.columns * self.tile
        top = number // self.columns * self.tile
        return left, top, min(self.tile, self.width - left), min(self.tile, self.height - top)

    def tile_bytes(self, number: int) -> int:
        """How long its result is: red, green and blue of each pixel."""
        _, _, width, height = self.box(number)
        return width * height * 3

    def _scale(self) -> Tuple[Place, int, int, int]:
        """The place, its left and top, and from one point to the next."""
        place = PLACES[self.place]
        points = self.width * self.samples
        step = max(1, _exact(place.width) // points)
        left = _exact(place.re) - step * (points - 1) // 2
        top = _exact(place.im) + step * (self.height * self.samples - 1) // 2
        return place, left, top, step

    def input(self, number: int) -> str:
        """What the worker reads; see worker/tile.h."""
        place, left, top, step = self._scale()
        x, y, width, height = self.box(number)
        lines: Dict[str, int] = {
            "left": left + x * self.samples * step,
            "top": top - y * self.samples * step,
            "step": step,
            "width": width,
            "height": height,
            "samples": self.samples,
            "iterations": self.iterations or place.iterations,
            "turns": round(place.turns * 256),
            "phase": round(place.phase * 65536) % 65536,
            "checkpoint": self.checkpoint,
        }
        return "".join(f"{name} {value}\n" for name, value in lines.items())

    def flops(self, number: int) -> float:
        """About how much work a tile is: the same points take the same time on one computer, never the same on two."""
        place, left, top, step = self._scale()
        x, y, width, height = self.box(number)
        most = self.iterations or place.iterations
        counts = 0
        for j in range(PROBES):
            for i in range(PROBES):
                across = (x + width * (i + 0.5) / PROBES) * self.samples
                down = (y + height * (j + 0.5) / PROBES) * self.samples
                counts += _count(complex((left + across * step) / UNIT, (top - down * step) / UNIT), most)
        points = width * height * self.samples ** 2
        return counts / PROBES ** 2 * points * FLOPS_OF_ITERATION

    def greatest_flops(self, number: int) -> float:
        """No tile can be more work than this: no point escapes."""
        _, _, width, height = self.box(number)
        most = self.iterations or PLACES[self.place].iterations
        return float(most) * width * height * self.samples ** 2 * FLOPS_OF_ITERATION

    def asdict(self) -> Dict[str, Any]:
        return asdict(self)


MOST_PROBED = 20000


@functools.lru_cache(maxsize=65536)
def _count(c: complex, most: int) -> int:
    """Iterations until the point escapes. A point that has not escaped by the end counts as a point of the set."""
    z = 0j
    for n in range(min(most, MOST_PROBED)):
        z = z * z + c
        if z.real * z.real + z.imag * z.imag > 64.0:
            return n + 1
    return most
