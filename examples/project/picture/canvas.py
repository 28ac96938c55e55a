# SPDX-License-Identifier: MIT
"""The picture on disk, into which the tiles are written as they come.

Three files: picture.json, what it is; picture.rgb, its pixels; picture.tiles, a byte for each tile: what has become of
it. A tile's pixels are there before its byte is. To write a tile once more changes nothing, so that it does no harm if
the process ends before it could tell anybody; and any number of processes may write different tiles.
"""

from __future__ import annotations

import json
import os
from typing import BinaryIO, List, Sequence, Tuple

from picture.png import png
from picture.tiles import Picture

MISSING = 0
DONE = 1
FAILED = 2
"""No result of it was accepted, and none will come."""

MOST_SHOWN = 2 ** 21
"""Pixels that are shown from afar."""
LITTLE_EFFORT = 3
"""Fast compression, because somebody waits."""

# Where there is no tile: a check of two greys; where none will come, of two reds.
_SQUARE = 8
_LIGHT, _DARK = b"\x6a\x6f\x78", b"\x54\x59\x62"
_FAILED_LIGHT, _FAILED_DARK = b"\x9a\x3a\x44", b"\x6e\x26\x30"


class Canvas:
    """A picture in a folder."""

    def __init__(self, folder: str, picture: Picture) -> None:
        self.picture = picture
        os.makedirs(folder, exist_ok=True)
        self._pixels = os.path.join(folder, "picture.rgb")
        self._tiles = os.path.join(folder, "picture.tiles")
        self._png = os.path.join(folder, "picture.png")
        _agree(os.path.join(folder, "picture.json"), picture)
        for path, size in ((self._pixels, picture.width * picture.height * 3), (self._tiles, picture.count)):
            _extend(path, size)

    def put(self, number: int, pixels: bytes) -> None:
        """Writes a tile. It is on the disk when this returns."""
        left, top, width, height = self.picture.box(number)
        if len(pixels) != width * height * 3:
            raise ValueError(f"tile {number}: {len(pixels)} bytes are not {width} * {height} pixels")
        row = width * 3
        handle = os.open(self._pixels, os.O_WRONLY)
        try:
            for y in range(height):
                _write_at(handle, pixels[y * row:(y + 1) * row], ((top + y) * self.picture.width + left) * 3)
            os.fsync(handle)
        finally:
            os.close(handle)
        self._mark(number, DONE)

    def give_up(self, number: int) -> None:
        """Marks a tile that will never come."""
        self.picture.box(number)
        self._mark(number, FAILED)

    def _mark(self, number: int, what: int) -> None:
        handle = os.open(self._tiles, os.O_WRONLY)
        try:
            _write_at(handle, bytes([what]), number)
            os.fsync(handle)
        finally:
            os.close(handle)
        if MISSING not in self.tiles():
            self._finish()

    def tiles(self) -> bytes:
        """For each tile MISSING, DONE or FAILED."""
        with open(self._tiles, "rb") as file:
            return file.read(self.picture.count)

    @property
    def scale(self) -> int:
        """From afar, a large picture shows one pixel in this many, across and down."""
        scale = 1
        while -(-self.picture.width // scale) * -(-self.picture.height // scale) > MOST_SHOWN:
            scale += 1
        return scale

    def tile_png(self, number: int) -> bytes:
        """A tile that is there, from afar, as a PNG file; empty if it is so small that nothing of it is seen."""
        left, top, width, height = self.picture.box(number)
        with open(self._pixels, "rb") as file:
            return self._shown(file, left, top, width, height, [])

    def png(self) -> bytes:
        """The picture so far, from afar, as a PNG file. One sees where something is missing."""
        missing = [(number, what) for number, what in enumerate(self.tiles()) if what != DONE]
        with open(self._pixels, "rb") as file:
            return self._shown(file, 0, 0, self.picture.width, self.picture.height, missing)

    def _shown(self, file: BinaryIO, left: int, top: int, width: int, height: int,
               missing: Sequence[Tuple[int, int]]) -> bytes:
        scale = self.scale
        across = range(-left % scale, width, scale)
        down = range(top + -top % scale, top + height, scale)
        if not across or not down:
            return b""
        rows: List[bytearray] = []
        for y in down:
            file.seek((y * self.picture.width + left) * 3)
            rows.append(_thinned(file.read(width * 3), across))
        for number, what in missing:
            self._fill(rows, number, what, scale)
        return png(len(across), len(down), b"".join(rows), LITTLE_EFFORT)

    def _fill(self, rows: List[bytearray], number: int, what: int, scale: int) -> None:
        left, top, width, height = self.picture.box(number)
        light, dark = (_FAILED_LIGHT, _FAILED_DARK) if what == FAILED else (_LIGHT, _DARK)
        columns = range(-(-left // scale), -(-(left + width) // scale))
        for y in range(-(-top // scale), -(-(top + height) // scale)):
            rows[y][columns.start * 3:columns.stop * 3] = b"".join(
                light if (x // _SQUARE + y // _SQUARE) % 2 else dark for x in columns)

    def _finish(self) -> None:
        """Nothing is missing any more: the picture as a file that everybody can open."""
        with open(self._pixels, "rb") as file:
            pixels = [bytearray(file.read(self.picture.width * 3)) for _ in range(self.picture.height)]
        for number, what in enumerate(self.tiles()):
            if what == FAILED:
                self._fill(pixels, number, what, 1)
        _write_whole(self._png, png(self.picture.width, self.picture.height, b"".join(pixels), LITTLE_EFFORT))


def _thinned(row: bytes, across: range) -> bytearray:
    """Some pixels of a row."""
    if across.step == 1:
        return bytearray(row)
    found = bytearray(len(across) * 3)
    for colour in range(3):
        found[colour::3] = row[across.start * 3 + colour::across.step * 3]
    return found


def _write_whole(path: str, content: bytes) -> None:
    """A file that is there as a whole or not at all, also where several processes write it."""
    new = f"{path}.{os.getpid()}"
    with open(new, "wb") as file:
        file.write(content)
    os.replace(new, path)


def _agree(path: str, picture: Picture) -> None:
    """A folder holds one picture. Another one does not fit over it."""
    text = json.dumps(picture.asdict(), indent=1)
    try:
        with open(path, encoding="utf-8") as file:
            if Picture(**json.load(file)) != picture:
                raise ValueError(f"{path}: another picture has been begun in this folder")
    except FileNotFoundError:
        _write_whole(path, text.encode())


def _extend(path: str, size: int) -> None:
    """Makes the file this long. Its content stays."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT, 0o644)
    try:
        if os.fstat(handle).st_size < size:
            os.ftruncate(handle, size)
    finally:
        os.close(handle)


def _write_at(handle: int, held: bytes, at: int) -> None:
    while held:
        count = os.pwrite(handle, held, at)
        held, at = held[count:], at + count
